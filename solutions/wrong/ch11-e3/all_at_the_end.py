"""Collects the replies and writes them when all requests are answered.

rejected by: a reply is on the wire before the next request is read
must say: both would wait for ever
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
            before.flush()  # what waits in it still goes to stderr
            os.dup2(wire.fileno(), 1)
