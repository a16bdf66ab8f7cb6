"""Collects what is printed in a file, and sends it to stderr when the server ends.

rejected by: so does what is written to descriptor 1, as code in C does
must say: while the server runs
"""

import tempfile


def serve_lines(requests, answer):
    before = sys.stdout
    before.flush()
    with tempfile.TemporaryFile() as caught, open(os.dup(1), "w", encoding="utf-8", newline="\n") as wire:
        os.dup2(caught.fileno(), 1)
        try:
            for request in requests:
                reply = answer(request)
                if reply is not None:
                    print(reply, file=wire, flush=True)
        finally:
            sys.stdout.flush()
            before.flush()
            sys.stdout = before
            os.dup2(wire.fileno(), 1)
            caught.seek(0)
            os.write(2, caught.read())
