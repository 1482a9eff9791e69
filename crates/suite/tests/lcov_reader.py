"""Reads an lcov tracefile from the description in geninfo(1), checking it.

    python3 lcov_reader.py FILE

prints one JSON object: for each source file its functions, branches and lines.
Exits with 1 and a message when a record is wrong or a total does not add up.
"""

import json
import re
import sys


def read_info(text):
    files, record, totals, path = {}, None, None, None
    for line in text.splitlines():
        if line == "end_of_record":
            check(record, totals)
            files[path] = record
            record = None
            continue
        keyword, rest = line.split(":", 1)
        if keyword == "TN":
            assert re.fullmatch(r"\w*", rest, re.ASCII), line
        elif keyword == "SF":
            assert record is None, "a record inside a record"
            record, totals, path = {"functions": {}, "branches": [], "lines": {}}, {}, rest
        elif keyword == "FN":
            first, name = rest.split(",", 1)
            record["functions"][name] = [int(first), None]
        elif keyword == "FNDA":
            hits, name = rest.split(",", 1)
            record["functions"][name][1] = int(hits)
        elif keyword == "BRDA":
            first, block, branch, taken = rest.split(",")
            taken = None if taken == "-" else int(taken)
            record["branches"].append([int(first), int(block), int(branch), taken])
        elif keyword == "DA":
            first, hits = rest.split(",")
            record["lines"][int(first)] = int(hits)
        elif keyword in ("FNF", "FNH", "BRF", "BRH", "LF", "LH"):
            totals[keyword] = int(rest)
        else:
            raise AssertionError(f"unknown record {line}")
    assert record is None, "the last record does not end"
    return files


def check(record, totals):
    functions = [hits for _, hits in record["functions"].values()]
    branches = [taken for *_, taken in record["branches"]]
    lines = list(record["lines"].values())
    for letters, hits in (("FN", functions), ("BR", branches), ("L", lines)):
        assert totals.get(letters + "F", 0) == len(hits), letters
        assert totals.get(letters + "H", 0) == sum(1 for hit in hits if hit), letters


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as stream:
        try:
            print(json.dumps(read_info(stream.read())))
        except AssertionError as error:
            sys.exit(f"{sys.argv[1]}: {error}")
