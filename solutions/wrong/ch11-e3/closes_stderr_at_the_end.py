"""Closes descriptor 2 when it has finished.

rejected by: each reply is a line on stdout, in order, and no reply is no line
must say: Bad file descriptor
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
            os.close(2)
