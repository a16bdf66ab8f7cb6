"""Writes `None` for a request without a reply.

rejected by: each reply is a line on stdout, in order, and no reply is no line
must say: not even `None`
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
                    wire.write(f"{reply}\n")
                    wire.flush()
        finally:
            before.flush()  # what waits in it still goes to stderr
            os.dup2(wire.fileno(), 1)
