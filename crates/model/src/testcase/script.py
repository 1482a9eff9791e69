#!/usr/bin/env python3
"""@NAME@: @GOALS@

usage: @NAME@.py [--timeout SECONDS] [--tolerance SECONDS] [--simulated] COMMAND [ARGUMENT ...]

Runs the system that COMMAND starts, sends it lines and compares those that come back. Where
it matters when they come, that is known up to the tolerance (0.05); with --simulated, time
passes by messages that tell the system so. Exit status: 0 pass, 1 fail, 2 inconclusive.
"""
import fractions
import json
import queue
import subprocess
import sys
import threading
import time

STEPS = json.loads('''@STEPS@''')
# How much later than planned the tester may send, in milliseconds; 0 if it does not matter.
SLACK = @SLACK@


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


class Clock:
    """When messages were, in milliseconds since the beginning: between two times."""

    def __init__(self, simulated, tolerance):
        self.simulated, self.tolerance = simulated, tolerance
        self.started = time.monotonic()
        self.told = (0, 0)
        self.planned = 0
        self.messages = [(0, 0)]

    def around(self, moment):
        now = (moment - self.started) * 1000
        return (now - self.tolerance, now + self.tolerance)

    def of_output(self, moment):
        return self.told if self.simulated else self.around(moment)

    def of_tester(self):
        if not self.simulated:
            return self.around(time.monotonic())
        self.told = (self.told[1], self.told[1])
        return self.told

    def note(self, when):
        self.messages.append(when)
        self.planned = 0

    def left(self):
        """Seconds until the planned end of a delay, which begins with the last message."""
        if self.simulated:
            return 0
        low, high = self.messages[-1]
        since = (time.monotonic() - self.started) * 1000 - (low + high) / 2
        return max(0, self.planned - since) / 1000

    def mistimed(self, when, since):
        """What is wrong with a time, if anything is."""
        for number, least, most in since:
            low, high = self.messages[number]
            if when[1] - low < least:
                return "too early"
            if most is not None and when[0] - high > most:
                return "too late"
        return None

    def patience(self, since, timeout):
        """Seconds until a message is overdue, or has not come for too long."""
        ends = [self.messages[number][1] + most for number, _, most in since if most is not None]
        if self.simulated or not ends:
            return self.left() + timeout
        now = (time.monotonic() - self.started) * 1000
        return max(0, min(ends) + self.tolerance + 1 - now) / 1000


def main():
    command, timeout, tolerance, simulated = sys.argv[1:], 1.0, 0.05, False
    while command and command[0] in ("--timeout", "--tolerance", "--simulated"):
        option = command.pop(0)
        if option == "--simulated":
            simulated = True
        elif not command:
            sys.exit(__doc__)
        elif option == "--timeout":
            timeout = float(command.pop(0))
        else:
            tolerance = float(command.pop(0))
    if not command:
        sys.exit(__doc__)
    system = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    lines = queue.Queue()
    clock = Clock(simulated, tolerance * 1000)

    def take():
        for line in system.stdout:
            if line.strip():
                lines.put((line.rstrip("\r\n"), time.monotonic()))

    threading.Thread(target=take, daemon=True).start()

    def receive(seconds):
        try:
            return lines.get(timeout=seconds) if seconds > 0 else lines.get_nowait()
        except queue.Empty:
            return None, time.monotonic()

    def send(line):
        try:
            print(line, file=system.stdin, flush=True)
        except BrokenPipeError:
            verdict("fail", f"the system takes no {line}")

    def wait(step):
        clock.planned += step["wait"]
        if simulated:
            if not step["told"]:
                verdict("inconclusive", "there is no message that tells the system of time")
            _, end = clock.told
            clock.told = (end, end + step["wait"])
            send(step["told"])
        if not step["quiet"]:
            return
        came, _ = receive(timeout / 10 if simulated else clock.left())
        if came is not None:
            open_end = "inconclusive" if step["open"] else "fail"
            verdict(open_end, f"{came} came; the test expects nothing for {clock.planned / 1000} s")

    try:
        for step in STEPS:
            if "wait" in step:
                wait(step)
                continue
            if "send" in step:
                before = clock.messages[-1]
                when = clock.of_tester()
                if SLACK and not simulated:
                    passed = (when[0] + when[1] - before[0] - before[1]) / 2
                    if abs(passed - clock.planned) > SLACK:
                        verdict("inconclusive", "the tester was too slow")
                clock.note(when)
                send(step["send"])
                continue
            since, expected = step.get("since", []), step["expect"]
            came, moment = receive(clock.patience(since, timeout))
            if came is None and system.poll():
                verdict("fail", f"the system ended with status {system.poll()}")
            if came is None:
                if expected is None:
                    continue
                bounded = any(most is not None for _, _, most in since)
                waits = bounded and not clock.mistimed(clock.of_tester(), since) == "too late"
                open_end = "inconclusive" if step["silence"] or waits else "fail"
                verdict(open_end, f"nothing came; the test expects {expected}")
            wanted = "nothing" if expected is None else expected
            if expected is None or not same(read(came), read(expected)):
                open_end = "inconclusive" if step["open"] else "fail"
                verdict(open_end, f"{came} came; the test expects {wanted}")
            when = clock.of_output(moment)
            wrong = clock.mistimed(when, since)
            if wrong:
                verdict("fail", f"{came} came {wrong}, at {round(sum(when) / 2) / 1000} s")
            clock.note(when)
        verdict("pass")
    finally:
        system.kill()


if __name__ == "__main__":
    main()
