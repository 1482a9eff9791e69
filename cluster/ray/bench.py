"""Two workers on Ray beside two processes of one machine, and what a range costs.

What is printed stands in docs/cluster.md.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import ray
from ray.cluster_utils import Cluster

sys.path.insert(0, str(pathlib.Path(__file__).parent / "tests"))
from conftest import BINARY, PROGRAM  # noqa: E402

from everypath_ray import cli  # noqa: E402

BITS = int(os.environ.get("BITS", "20"))
ROUNDS = 3


def main() -> int:
    """Measures; the status says whether Ray is as good as it has to be."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        pathlib.Path("bits.c").write_text(PROGRAM)
        words = ["run", "bits.c", "-D", f"BITS={BITS}"]
        local = statistics.median(
            timed(lambda at=at: subprocess.run(
                [BINARY, *words, "--workers", "2", "--output", f"local{at}"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False))
            for at in range(ROUNDS)
        )
        nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
        for _ in range(2):
            nodes.add_node(num_cpus=1)
        ray.init(address=nodes.address, log_to_driver=False, logging_level="ERROR")
        nodes.wait_for_nodes()
        together = statistics.median(
            timed(lambda at=at: cli.main(
                ["run", "--workers", "2", "--binary", BINARY, "--", *words, "--output", f"ray{at}"]))
            for at in range(ROUNDS)
        )
        ray.shutdown()
        nodes.shutdown()
        paths = json.loads(pathlib.Path("local0/run.json").read_text())["paths"]["completed"]
    share = local / together
    print(f"{paths} paths: two processes {local:.1f} s, two workers on Ray {together:.1f} s")
    print(f"Ray does {share:.0%} of what processes do (wanted: 85 %)")
    return 0 if share >= 0.85 else 1


def timed(work) -> float:
    """The seconds that it takes."""
    begun = time.monotonic()
    work()
    return time.monotonic() - begun


if __name__ == "__main__":
    sys.exit(main())
