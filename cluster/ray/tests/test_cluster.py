"""A run on a cluster finds what a run on one machine finds, whatever dies on the way."""

import subprocess
import threading
import time

import pytest
from conftest import BINARY, everypath, results, words

from everypath_ray import cli


def alone(project):
    """What one process finds."""
    everypath(*words("alone"), "--workers", "1")
    return results(project / "alone")


def on_the_cluster(workers=3):
    """Runs the program with workers on the cluster; gives the status."""
    command = ["run", "--workers", str(workers), "--binary", BINARY]
    return cli.main([*command, "--", *words("together")])


def when_busy(project, act):
    """Does something as soon as workers have finished paths, in another thread."""

    def wait():
        tests = project / "together" / "tests.ep"
        while not tests.exists() or tests.stat().st_size < 20_000:
            time.sleep(0.05)
        act()

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread


def test_the_same_tests(project, cluster):
    expected = alone(project)
    assert on_the_cluster() == 1, "the program has an error"
    assert results(project / "together") == expected


def test_a_node_is_killed(project, cluster):
    expected = alone(project)
    nodes, workers = cluster
    killer = when_busy(project, lambda: nodes.remove_node(workers[0], allow_graceful=False))
    assert on_the_cluster() == 1
    killer.join(timeout=60)
    assert not killer.is_alive(), "the run was over before the node was killed"
    assert results(project / "together") == expected


def test_the_head_is_killed(project, cluster):
    expected = alone(project)

    def kill():
        subprocess.run(["pkill", "-KILL", "-f", "^ray::Head"], check=True)

    killer = when_busy(project, kill)
    assert on_the_cluster() == 1
    killer.join(timeout=60)
    assert not killer.is_alive(), "the run was over before the head was killed"
    assert results(project / "together") == expected


def test_bad_command_lines(capsys):
    assert cli.main(["run", "--binary", "/nowhere/everypath", "--", "run", "a.c"]) == 2
    assert "there is no `/nowhere/everypath` here" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["run", "--", "solve", "a.smt2"])
    assert "everypath's own command line" in capsys.readouterr().err
