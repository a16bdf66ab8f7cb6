"""Are the verdicts in the browser those of the desktop? Every kept answer is judged in Pyodide and here, and compared.

inside.py    judges one answer; runs in both
seat.mjs     Pyodide under node, which holds `inside`
seats.py     the processes that judge: one of CPython, one of node
answers.py   what is judged: stub, solution, wrong and odd answers of each exercise
compare.py   what differs between two verdicts, and what the desktop itself leaves to chance
table.py     docs/browser-verdicts.md
comparison.py  the run as a whole
"""

from publish.parity.comparison import run

__all__ = ["run"]
