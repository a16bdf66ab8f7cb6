"""Closes stderr, so that nobody can write there.

rejected by: stderr stays open to those who use it
must say: no exception
"""


def serve_lines(requests, answer):
    before = sys.stdout
    before.flush()
    with open(os.dup(1), "w", encoding="utf-8", newline="\n") as wire:
        try:
            os.dup2(2, 1)
            sys.stderr.close()
            with redirect_stdout(open(os.devnull, "w")):
                for request in requests:
                    reply = answer(request)
                    if reply is not None:
                        wire.write(f"{reply}\n")
                        wire.flush()
        finally:
            before.flush()  # what waits in it still goes to stderr
            os.dup2(wire.fileno(), 1)
