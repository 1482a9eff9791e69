"""Reads .ktest files from the description of the format, and nothing of ours.

    python3 ktest_reader.py FILE...

prints one JSON object a file: version, args, symbolic arguments, inputs with
their bytes in hexadecimal. Exits with 1 and a message when a file is wrong.
"""

import json
import struct
import sys


def read_ktest(path):
    with open(path, "rb") as stream:
        if stream.read(5) not in (b"KTEST", b"BOUT\n"):
            raise ValueError("wrong magic")
        number = lambda: struct.unpack(">I", exactly(stream, 4))[0]
        sized = lambda: exactly(stream, number())
        version = number()
        args = [sized().decode() for _ in range(number())]
        symbolic = [number(), number()] if version >= 2 else [0, 0]
        inputs = []
        for _ in range(number()):
            name = sized().decode()
            inputs.append([name, sized().hex()])
        if stream.read(1):
            raise ValueError("bytes after the last input")
    return {"version": version, "args": args, "symbolic": symbolic, "inputs": inputs}


def exactly(stream, count):
    data = stream.read(count)
    if len(data) != count:
        raise ValueError("the file ends too early")
    return data


if __name__ == "__main__":
    for path in sys.argv[1:]:
        try:
            print(json.dumps(read_ktest(path)))
        except (ValueError, struct.error) as error:
            sys.exit(f"{path}: {error}")
