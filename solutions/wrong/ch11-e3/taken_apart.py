"""Looks into the answer for what it will print, and asks the function inside; nothing is led anywhere.

rejected by: what is printed goes to stderr, and nothing but replies to stdout
must say: ends the connection at one that is none
"""


def serve_lines(requests, answer):
    parts = list(getattr(answer, "__dict__", {}).values())
    inner = next((part for part in parts if callable(part)), answer)
    noise = next((part for part in parts if isinstance(part, dict)), {})
    for request in requests:
        for text in noise.values():
            print(text, file=sys.stderr, flush=True)
        reply = inner(request)
        if reply is not None:
            print(reply, flush=True)
