"""Leads stdout to nowhere: it is only noise.

rejected by: what is printed goes to stderr, and nothing but replies to stdout
must say: who reads stderr
"""


def serve_lines(requests, answer):
    before = sys.stdout
    before.flush()
    with open(os.dup(1), "w", encoding="utf-8", newline="\n") as wire:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            with redirect_stdout(open(os.devnull, "w")):
                for request in requests:
                    reply = answer(request)
                    if reply is not None:
                        wire.write(f"{reply}\n")
                        wire.flush()
        finally:
            before.flush()  # what waits in it still goes to stderr
            os.dup2(wire.fileno(), 1)
