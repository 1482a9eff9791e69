#!/usr/bin/env python3
"""@NAME@: @GOALS@

usage: @NAME@.py [--timeout SECONDS] COMMAND [ARGUMENT ...]

Runs the system that COMMAND starts, sends it lines and compares those that come back.
Exit status: 0 pass, 1 fail, 2 inconclusive.
"""
import fractions
import json
import queue
import subprocess
import sys
import threading

STEPS = json.loads('''@STEPS@''')


def number(value):
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return fractions.Fraction(str(value))
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def same(a, b):
    """Whether two values are equal; numbers may differ by one in a billion."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    x, y = number(a), number(b)
    if x is None or y is None:
        return a == b and type(a) == type(b)
    return abs(x - y) <= max(1, abs(x)) / 10**9


def read(line):
    try:
        return json.loads(line)
    except ValueError:
        return line


def verdict(text, reason=""):
    print(f"@NAME@: {text}{': ' if reason else ''}{reason}")
    sys.exit({"pass": 0, "fail": 1, "inconclusive": 2}[text])


def main():
    command, timeout = sys.argv[1:], 1.0
    if command[:1] == ["--timeout"]:
        timeout, command = float(command[1]), command[2:]
    if not command:
        sys.exit(__doc__)
    system = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    lines = queue.Queue()

    def take():
        for line in system.stdout:
            if line.strip():
                lines.put(line.rstrip("\r\n"))

    threading.Thread(target=take, daemon=True).start()

    def receive(time):
        try:
            return lines.get(timeout=time)
        except queue.Empty:
            return None

    try:
        for step in STEPS:
            if "send" in step:
                try:
                    print(step["send"], file=system.stdin, flush=True)
                except BrokenPipeError:
                    verdict("fail", f"the system takes no {step['send']}")
                continue
            came, expected = receive(timeout), step["expect"]
            if came is None and system.poll():
                verdict("fail", f"the system ended with status {system.poll()}")
            if came is None and step["silence"]:
                if expected is None:
                    continue
                verdict("inconclusive", f"nothing came; the test expects {expected}")
            if came is not None and expected is not None and same(read(came), read(expected)):
                continue
            wanted = "nothing" if expected is None else expected
            said = "nothing came" if came is None else f"{came} came"
            open_end = step["open"] and came is not None
            verdict("inconclusive" if open_end else "fail", f"{said}; the test expects {wanted}")
        verdict("pass")
    finally:
        system.kill()


if __name__ == "__main__":
    main()
