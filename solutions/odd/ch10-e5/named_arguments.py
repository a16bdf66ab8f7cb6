"""Calls the verifier by position, prints with several arguments, and keeps a table of codes."""


def tampering(records, verify, *, lie="another story"):
    told = []

    def attempt(what, given, due):
        try:
            answer = verify(json.loads(json.dumps(given)))
        except Exception as error:
            told.append(f"{what} made the verifier raise {error}")
            return
        at = answer[0]["index"] if len(answer) else None
        if at != due:
            told.append(f"{what}: due {due}, said {at}" + ("; a mutated transcript verified" if at is None else ""))

    attempt("nothing", records, None)
    last = len(records) - 1
    for k in range(last + 1):
        attempt(f"an edit of {k}", [{**r, "payload": lie} if n == k else r for n, r in enumerate(records)], k)
    for k in range(last):
        attempt(f"a removal of {k}", removed(records, k), k)
        attempt(f"a swap at {k}", swapped(records, k), k)
        mine = reforge(records[: k + 1], k, lie)
        attempt(f"a forgery of {k}", mine + records[k + 1 :], k + 1)
    return told


def gate(legs, say=print):
    table = {}
    for name, run in legs.items():
        try:
            table[name] = run()
        except Exception as error:
            table[name] = error
    for name, outcome in table.items():
        say(name, outcome)
    if any(isinstance(outcome, list) and outcome for outcome in table.values()):
        return 1
    return 2 if not table or any(not isinstance(outcome, list) for outcome in table.values()) else 0
