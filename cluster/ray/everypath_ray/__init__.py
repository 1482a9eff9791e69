"""Everypath on a Ray cluster.

A run has one coordinator (`everypath run`, see docs/ranges.md), which hands out ranges of the
program's paths. Here its workers are Ray actors on any node of the cluster: the coordinator
connects to a socket for each worker it wants, and `head.py` passes the frames of each
connection on to one actor of `worker.py`, which holds one `everypath worker`. Neither looks
into ranges; both only see where a message ends and whether a worker is still busy.
"""
