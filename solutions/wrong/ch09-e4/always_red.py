"""Fails everything.

rejected by: green on an agent that does what its trace says
must say: nothing is wrong
"""


def verdict(runs):
    return {"failed": {one["case"]["id"]: ["something"] for one in runs}, "exit_code": 1}
