"""Puts another object in the place of `sys.stdout`, and leaves the descriptor alone.

rejected by: so does what is written to descriptor 1, as code in C does
must say: ends the connection at one that is none
"""


def serve_lines(requests, answer):
    for request in requests:
        with redirect_stdout(sys.stderr):
            reply = answer(request)
        if reply is not None:
            print(reply, flush=True)
