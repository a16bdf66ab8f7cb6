"""Leaves `sys.stdout` where it is, and so where a tool has put it.

rejected by: stdout is afterwards what it was, even if a tool left something else there
must say: later is its own affair
"""


def serve_lines(requests, answer):
    before = sys.stdout
    before.flush()
    with open(os.dup(1), "w", encoding="utf-8", newline="\n") as wire:
        try:
            os.dup2(2, 1)
            for request in requests:
                reply = answer(request)
                if reply is not None:
                    wire.write(f"{reply}\n")
                    wire.flush()
        finally:
            before.flush()
            os.dup2(wire.fileno(), 1)
