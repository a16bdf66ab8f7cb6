"""Writes what is no ASCII as question marks.

rejected by: each reply is a line on stdout, in order, and no reply is no line
must say: Übung
"""


def serve_lines(requests, answer):
    before = sys.stdout
    before.flush()
    with open(os.dup(1), "w", encoding="ascii", errors="replace", newline="\n") as wire:
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
