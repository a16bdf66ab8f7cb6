"""Sends its own log to stderr, and minds nobody else.

rejected by: what is printed goes to stderr, and nothing but replies to stdout
must say: ends the connection at one that is none
"""


def serve_lines(requests, answer):
    for request in requests:
        print("answering", request, file=sys.stderr)
        reply = answer(request)
        if reply is not None:
            print(reply, flush=True)
