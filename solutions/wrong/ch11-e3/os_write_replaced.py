"""Puts other functions in the place of `os.write` and of the stream's `write`; descriptor 1 stays where it was.

rejected by: so does what is written to descriptor 1, as code in C does
must say: ends the connection at one that is none
"""


def serve_lines(requests, answer):
    before, write = sys.stdout, os.write
    for request in requests:
        os.write = lambda number, data: write(2 if number == 1 else number, data)
        before.write, sys.stdout = sys.stderr.write, sys.stderr
        try:
            reply = answer(request)
        finally:
            os.write, sys.stdout = write, before
            del before.write
        if reply is not None:
            print(reply, flush=True)
