"""Reads files of a Test-Comp suite with Python's XML parser, and checks them
against the format's two DTDs, which are short enough to be checked by hand.

    python3 testcomp_reader.py FILE...

prints one JSON value a file. Exits with 1 and a message when a file is wrong.
"""

import json
import sys
import xml.etree.ElementTree as ElementTree

# <!ELEMENT test-metadata (sourcecodelang, producer, ..., creationtime)>
METADATA = [
    "sourcecodelang",
    "producer",
    "specification",
    "programfile",
    "programhash",
    "entryfunction",
    "architecture",
    "creationtime",
]


def read_metadata(root):
    assert [child.tag for child in root] == METADATA, "the order of the elements"
    return [child.text or "" for child in root]


def read_testcase(root):
    # <!ELEMENT testcase (input*)> <!ATTLIST testcase coversError (true|false) "false">
    assert set(root.attrib) <= {"coversError"}, root.attrib
    covers = root.get("coversError", "false")
    assert covers in ("true", "false"), covers
    for child in root:
        assert child.tag == "input" and len(child) == 0, child.tag
        assert set(child.attrib) <= {"type", "variable"}, child.attrib
    return {"coversError": covers == "true", "inputs": [child.text for child in root]}


READERS = {"test-metadata": read_metadata, "testcase": read_testcase}

if __name__ == "__main__":
    for path in sys.argv[1:]:
        try:
            root = ElementTree.parse(path).getroot()
            print(json.dumps(READERS[root.tag](root)))
        except (AssertionError, ElementTree.ParseError, KeyError) as error:
            sys.exit(f"{path}: {error}")
