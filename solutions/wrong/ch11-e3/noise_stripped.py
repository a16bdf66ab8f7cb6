"""Collects what is printed, and passes it on line by line without its blanks.

rejected by: what is printed goes to stderr, and nothing but replies to stdout
must say: who reads stderr
"""

import tempfile


def serve_lines(requests, answer):
    before = sys.stdout
    before.flush()
    wire = os.dup(1)
    for request in requests:
        with tempfile.TemporaryFile() as caught:
            os.dup2(caught.fileno(), 1)
            try:
                reply = answer(request)
            finally:
                sys.stdout.flush()
                before.flush()
                sys.stdout = before
                os.dup2(wire, 1)
                caught.seek(0)
                for line in caught.read().decode().splitlines():
                    print(line.strip(), file=sys.stderr)
        if reply is not None:
            print(reply, flush=True)
    os.close(wire)
