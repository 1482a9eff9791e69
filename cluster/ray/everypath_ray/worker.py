"""An actor that holds one `everypath worker`, on whatever node Ray puts it."""

import os
import subprocess

import ray

from . import frames


class WorkerDied(Exception):
    """The process is gone: what it had open is for another."""


@ray.remote(num_cpus=1, max_restarts=0, max_concurrency=2)
class Worker:
    """One worker process. `work` and `tell` may be called at the same time."""

    def __init__(self, binary: str, begin: bytes):
        self.process = subprocess.Popen(
            [binary, "worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.tell(begin)

    def begin(self) -> bytes:
        """What it says to the program: that it is ready, or why it cannot work."""
        return self._next()

    def work(self, ranges: bytes):
        """Explores ranges; yields what the worker says until it waits again."""
        self.tell(ranges)
        while True:
            said = self._next()
            yield said
            if frames.ends_work(said):
                return

    def tell(self, body: bytes) -> None:
        """Says something that has no answer of its own."""
        try:
            self.process.stdin.write(frames.pack(body))
            self.process.stdin.flush()
        except (BrokenPipeError, OSError) as error:
            raise WorkerDied(str(error)) from error

    def _next(self) -> bytes:
        said = frames.read(self.process.stdout)
        if said is None:
            raise WorkerDied(f"status {self.process.wait()} on {os.uname().nodename}")
        return said
