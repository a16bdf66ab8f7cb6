"""Asks the streams for their descriptors, moves the one for all requests at once, and prints to a copy of it."""


def serve_lines(requests, answer):
    old, number = sys.stdout, sys.stdout.fileno()
    old.flush()
    private = os.dup(number)
    os.dup2(sys.stderr.fileno(), number)
    wire = os.fdopen(private, "w", encoding="utf-8", newline="\n")
    try:
        for reply in map(answer, requests):
            if reply is not None:
                print(reply, file=wire, flush=True)
    finally:
        sys.stdout, noise = old, sys.stdout
        noise.flush()
        old.flush()
        os.dup2(private, number)
        wire.close()
