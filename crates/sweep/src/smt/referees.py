"""Answers SMT-LIB scripts with Z3, Bitwuzla and cvc5.

A request is a line of JSON, {"script": ..., "seconds": ..., "enough": ...}; the answer
is one too, by solver: "sat", "unsat", or why there is neither. The solvers take turns
in going first, and the rest is not asked once one has said what is enough. Every
answer is found in a process of its own, which may crash or hang without harm.
"""

import json
import os
import select
import signal
import sys

import bitwuzla
import cvc5
import z3


def ask_z3(script, seconds):
    solver = z3.Solver()
    solver.set("timeout", seconds * 1000)
    solver.from_string(script)
    return str(solver.check())


def ask_bitwuzla(script, seconds):
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, seconds * 1000)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(script, True, False)
    return {"SAT": "sat", "UNSAT": "unsat"}.get(parser.bitwuzla().check_sat().name, "unknown")


def ask_cvc5(script, seconds):
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(seconds * 1000))
    solver.setOption("fp-exp", "true")
    solver.setOption("strings-exp", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "query")
    symbols = parser.getSymbolManager()
    answer = "unknown"
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return answer
        answer = command.invoke(solver, symbols).strip() or answer


SOLVERS = {"z3": ask_z3, "bitwuzla": ask_bitwuzla, "cvc5": ask_cvc5}


def start(solver, script, seconds):
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    try:
        answer = solver(script, seconds)
    except BaseException as error:
        answer = "error: " + str(error)
    os.write(writing, answer.encode()[:4096])
    os._exit(0)


def finish(child, reading, seconds):
    ready, _, _ = select.select([reading], [], [], seconds)
    answer = os.read(reading, 4096).decode(errors="replace") if ready else "timeout"
    os.close(reading)
    try:
        os.kill(child, signal.SIGKILL)
    except ProcessLookupError:
        pass
    os.waitpid(child, 0)
    return answer or "crash"


turn = list(SOLVERS)
for line in sys.stdin:
    request = json.loads(line)
    script, seconds = request["script"], request["seconds"]
    answers = {}
    turn.append(turn.pop(0))
    for name in turn:
        child, reading = start(SOLVERS[name], script, seconds)
        answers[name] = finish(child, reading, seconds + 2)
        if answers[name] == request["enough"]:
            break
    print(json.dumps(answers), flush=True)
