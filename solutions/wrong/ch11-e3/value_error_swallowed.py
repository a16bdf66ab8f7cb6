"""Goes on after a ValueError, as if the request had been bad.

rejected by: an exception comes through, and stdout is what it was
must say: ValueError to be raised
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
                    except ValueError:
                        continue
                    if reply is not None:
                        wire.write(f"{reply}\n")
                        wire.flush()
        finally:
            before.flush()
            os.dup2(wire.fileno(), 1)
