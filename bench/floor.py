"""The floor: the same cells, judged by the same engine, in a warm fork with nothing around it.

Runs as a process of its own, so that what is forked is as lean as a zygote. It reads the cells as one line of JSON, and
for each further line forks a child that runs them, judges its checks in place and answers with the points.
"""

import gc
import json
import os
import sys
from typing import NoReturn

import grader
from bench.trivial import trivial_session
from grader.engine.judge import judge
from grader.engine.student import InProcessStudent
from grader.sandbox.core import one_core
from grader.sandbox.shell import Shell, build_shell

EXERCISES = {exercise.id: exercise for exercise in trivial_session().exercises}


def main() -> None:
    """Serve until the other end closes."""
    cells = json.loads(sys.stdin.readline())
    shell = build_shell()
    gc.collect()
    gc.freeze()
    print("ready", flush=True)
    with one_core(0):  # as ours
        serve(shell, cells)


def serve(shell: Shell, cells: list[str]) -> None:
    """Play the cells once for each line."""
    for _ in sys.stdin:
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            play(shell, cells, write)
        os.close(write)
        with os.fdopen(read, "rb") as answer:
            points = answer.read().decode()
        os.waitpid(pid, 0)
        print(points, flush=True)


def play(shell: Shell, cells: list[str], answer: int) -> NoReturn:
    """Run the cells in this child, write the sum of the points to `answer`, and leave."""
    points = 0

    def check(exercise_id: str, *objects: object) -> None:
        nonlocal points
        exercise = EXERCISES[exercise_id]
        points += judge(exercise, InProcessStudent(shell.namespace, exercise.provides, objects)).points

    grader.check = check  # type: ignore[assignment]  # what `from grader import check` gives the notebook
    shell.open_loop()
    outputs: list[object] = []
    for cell in cells:
        shell.run(cell, outputs.append)
    os.write(answer, str(points).encode())
    os._exit(0)


if __name__ == "__main__":
    main()
