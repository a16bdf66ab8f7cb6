"""Moves the descriptor and leaves the buffer: what waits in it comes out on the wire.

rejected by: what is printed goes to stderr, and nothing but replies to stdout
must say: ends the connection at one that is none
"""


def serve_lines(requests, answer):
    for request in requests:
        kept = os.dup(1)
        os.dup2(2, 1)
        try:
            reply = answer(request)
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        if reply is not None:
            print(reply, flush=True)
