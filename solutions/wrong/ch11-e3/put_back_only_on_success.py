"""Puts stdout back at the end, which an exception does not reach.

rejected by: an exception comes through, and stdout is what it was
must say: is its own affair again
"""


def serve_lines(requests, answer):
    before = sys.stdout
    before.flush()
    wire = open(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    for request in requests:
        reply = answer(request)
        if reply is not None:
            wire.write(f"{reply}\n")
            wire.flush()
    before.flush()
    sys.stdout = before
    os.dup2(wire.fileno(), 1)
    wire.close()
