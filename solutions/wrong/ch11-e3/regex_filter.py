"""Catches what is printed, and lets through what looks like a message.

rejected by: so does what looks like a message
must say: its look cannot tell
"""

import io
import re


def serve_lines(requests, answer):
    for request in requests:
        caught = io.StringIO()
        with redirect_stdout(caught):
            reply = answer(request)
        for line in caught.getvalue().splitlines():
            if re.match(r'\{"jsonrpc": "2.0"', line):
                print(line, flush=True)
            else:
                print(line, file=sys.stderr)
        if reply is not None:
            print(reply, flush=True)
