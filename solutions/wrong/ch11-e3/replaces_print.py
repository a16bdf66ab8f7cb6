"""Replaces the function `print`, the one way to print that it knows.

rejected by: what is printed goes to stderr, and nothing but replies to stdout
must say: ends the connection at one that is none
"""

import builtins


def serve_lines(requests, answer):
    say = builtins.print
    for request in requests:
        builtins.print = lambda *words, **options: say(*words, **{**options, "file": sys.stderr})
        try:
            reply = answer(request)
        finally:
            builtins.print = say
        if reply is not None:
            print(reply, flush=True)
