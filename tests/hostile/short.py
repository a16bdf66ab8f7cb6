"""The real command with shorter limits: `python -m tests.hostile.short grade …` is `python -m grader grade …`.

An endless cell costs a notebook its limit, and the corpus holds many of them.
"""

from functools import partial

from grader import cli
from grader.classroom.pool import Settings
from grader.sandbox.supervisor import Times

SHORT = Times(cell=1.5, submission=10.0)

if __name__ == "__main__":
    cli.Settings = partial(Settings, times=SHORT)  # type: ignore[assignment, misc]
    cli.main()
