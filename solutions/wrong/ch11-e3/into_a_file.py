"""Keeps the noise in a file of its own.

rejected by: what is printed goes to stderr, and nothing but replies to stdout
must say: who reads stderr
"""

import tempfile


def serve_lines(requests, answer):
    before = sys.stdout
    before.flush()
    with open(os.dup(1), "w", encoding="utf-8", newline="\n") as wire, tempfile.TemporaryFile("w") as log:
        try:
            os.dup2(log.fileno(), 1)
            with redirect_stdout(log):
                for request in requests:
                    reply = answer(request)
                    if reply is not None:
                        wire.write(f"{reply}\n")
                        wire.flush()
        finally:
            before.flush()
            os.dup2(wire.fileno(), 1)
