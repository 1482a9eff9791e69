"""`everypath-ray run --address auto -- run prog.bc …`"""

import argparse
import os
import shutil
import sys

import ray

from .head import Head

_EPILOG = """\
examples:
  everypath-ray run -- run parser.c --sym-stdin 16
  everypath-ray run --address auto --workers 64 -- run parser.bc --max-time 3600
  everypath-ray run --address auto -- run --resume everypath-last

After `--` stands the command line of everypath. Results go to the directory where this is
typed, the same files as without a cluster. Exit status: that of everypath run.
"""


def main(arguments: list[str] | None = None) -> int:
    """The command line; its status is that of the run."""
    options = _parse(sys.argv[1:] if arguments is None else arguments)
    binary = shutil.which(options.binary)
    if binary is None:
        return _refuse(f"there is no `{options.binary}` here; install it, or name it with --binary")
    if not ray.is_initialized():
        address = None if options.address == "local" else options.address
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except ConnectionError as error:
            return _refuse(f"no Ray cluster at {options.address}: {error}")
    workers = options.workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    words = options.words[1:]
    output = _output(words)
    for _ in range(_HEADS):
        try:
            return _run(binary, words, workers)
        except ray.exceptions.RayActorError as error:
            journal = os.path.join(output, "journal.ep")
            if not os.path.exists(journal):
                return _refuse(f"the head was lost before the run began: {error}")
            print("note: the head was lost; the run goes on from its journal", file=sys.stderr)
            words = ["--resume", output]
    return _refuse("the head was lost again and again")


# How often a run is taken up by another head.
_HEADS = 5


def _run(binary: str, words: list[str], workers: int) -> int:
    # The coordinator writes to the directory where the user is.
    here = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(
        ray.get_runtime_context().get_node_id(), soft=False
    )
    head = Head.options(scheduling_strategy=here).remote()
    said = head.run.options(num_returns="streaming").remote(
        binary, words, os.getcwd(), workers
    )
    while True:
        try:
            for reference in said:
                descriptor, chunk = ray.get(reference)
                if descriptor == 0:
                    return int(chunk)
                stream = sys.stdout if descriptor == 1 else sys.stderr
                stream.buffer.write(chunk)
                stream.flush()
            return 2
        except KeyboardInterrupt:
            head.interrupt.remote()


def _output(words: list[str]) -> str:
    """The directory of the results, which the run of a lost head is resumed from."""
    for at, word in enumerate(words):
        name, _, value = word.partition("=")
        if name in ("--output", "--out", "--resume"):
            return value or words[at + 1]
        if word == "--":
            break
    return "everypath-last"


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="everypath-ray",
        description="Runs everypath with workers on a Ray cluster.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser(
        "run", help="explores a program", epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    run.add_argument("--address", default="local", help="of the cluster: auto, ray://…, or local for one of this machine (default)")
    run.add_argument("--workers", type=int, help="how many workers (default: the cluster's CPUs)")
    run.add_argument("--binary", default="everypath", help="everypath, at the same place on every node")
    run.add_argument("words", nargs=argparse.REMAINDER, metavar="-- run FILE …")
    options = parser.parse_args(arguments)
    if options.words[:1] == ["--"]:
        del options.words[0]
    if options.words[:1] != ["run"]:
        parser.error("after -- stands everypath's own command line: run FILE …")
    return options


def _refuse(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
