"""Leaves a new stream on descriptor 1 in the place of the old `sys.stdout`.

rejected by: each reply is a line on stdout, in order, and no reply is no line
must say: sys.stdout is another object
"""


def serve_lines(requests, answer):
    before = sys.stdout
    before.flush()
    with open(os.dup(1), "w", encoding="utf-8", newline="\n") as wire:
        try:
            os.dup2(2, 1)
            with redirect_stdout(sys.stderr):
                for request in requests:
                    reply = answer(request)
                    if reply is not None:
                        wire.write(f"{reply}\n")
                        wire.flush()
        finally:
            before.flush()
            os.dup2(wire.fileno(), 1)
            sys.stdout = os.fdopen(os.dup(1), "w")
