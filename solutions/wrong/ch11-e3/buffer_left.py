"""Puts the descriptor back before the old buffer is flushed.

rejected by: so does what is left in the buffer of the stdout from before
must say: ends the connection at one that is none
"""


def serve_lines(requests, answer):
    before = sys.stdout
    before.flush()
    with open(os.dup(1), "w", encoding="utf-8", newline="\n") as wire:
        try:
            os.dup2(2, 1)
            with redirect_stdout(sys.stderr):
                for request in requests:
                    reply = answer(request)
                    if reply is not None:
                        wire.write(f"{reply}\n")
                        wire.flush()
        finally:
            os.dup2(wire.fileno(), 1)
