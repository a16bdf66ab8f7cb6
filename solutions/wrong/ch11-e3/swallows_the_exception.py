"""Answers the next request as if nothing had happened.

rejected by: an exception comes through, and stdout is what it was
must say: not the one to judge a defect
"""


def serve_lines(requests, answer):
    before = sys.stdout
    before.flush()
    with open(os.dup(1), "w", encoding="utf-8", newline="\n") as wire:
        try:
            os.dup2(2, 1)
            with redirect_stdout(sys.stderr):
                for request in requests:
                    try:
                        reply = answer(request)
                    except Exception:
                        continue
                    if reply is not None:
                        wire.write(f"{reply}\n")
                        wire.flush()
        finally:
            before.flush()  # what waits in it still goes to stderr
            os.dup2(wire.fileno(), 1)
