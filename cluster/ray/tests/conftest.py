"""A cluster of several nodes, in processes on this machine."""

import json
import os
import pathlib
import subprocess

import pytest
import ray
from ray.cluster_utils import Cluster

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = os.environ.get("EVERYPATH", str(ROOT / "target/release/everypath"))

# Each path has one input, so that runs can be compared test by test.
PROGRAM = """
#include <everypath.h>
int main(void) {
    unsigned x;
    ep_symbolic(&x, sizeof x, "x");
    ep_assume(x < 1u << BITS);
    unsigned sum = 0;
    for (int bit = 0; bit < BITS; bit++)
        if (x >> bit & 1)
            for (unsigned i = 0; i < 20; i++)
                sum += i * bit;
    ep_assert(x != 77);
    return sum % 3;
}
"""


@pytest.fixture
def cluster():
    """A head node without CPUs and three others, so that all work is done by those."""
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    workers = [nodes.add_node(num_cpus=1) for _ in range(3)]
    ray.init(address=nodes.address, log_to_driver=False, logging_level="ERROR")
    nodes.wait_for_nodes()
    yield nodes, workers
    ray.shutdown()
    nodes.shutdown()


@pytest.fixture
def project(tmp_path, monkeypatch):
    """An empty directory with a program of 2^14 paths, one of which has an error."""
    (tmp_path / "bits.c").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def words(output):
    """The command line of a run of the program."""
    return ["run", "bits.c", "-D", "BITS=14", "--output", output]


def everypath(*arguments):
    """Runs everypath here; an error of the program is no failure."""
    ran = subprocess.run([BINARY, *arguments], capture_output=True, text=True, check=False)
    assert ran.returncode in (0, 1), ran.stderr
    return ran.stdout


def results(directory):
    """What a run found: its tests, whatever their order, and what it counted."""
    listed = json.loads(everypath("tests", "--json", str(directory)))["tests"]
    tests = sorted(json.dumps([it["inputs"], it["end"]]) for it in listed)
    run = json.loads((pathlib.Path(directory) / "run.json").read_text())
    return tests, run["outcome"], run["paths"], run["coverage"]
