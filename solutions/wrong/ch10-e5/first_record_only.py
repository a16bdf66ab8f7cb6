"""Tampers with the first record only.

rejected by: every record is edited, edited with a new hash, removed, and swapped with the next
must say: a copy in which record 1's payload was edited
"""


def tampering(records, verify):
    """A sentence for each time that `verify` was wrong about a broken copy, or about the untouched records."""
    trials = [("untouched", records, None)]
    for k in range(1):
        forged = deepcopy(records)
        forged[k]["payload"] = {"forged": True}
        trials.append((f"record {k} edited", forged, k))
        if k + 1 < len(records):
            hidden = deepcopy(forged)
            hidden[k]["hash"] = sha256(canonical_bytes({key: hidden[k][key] for key in FIELDS - {"hash"}}))
            trials.append((f"record {k} edited and its hash computed anew", hidden, k + 1))
            trials.append((f"record {k} removed", removed(records, k), k))
            trials.append((f"records {k} and {k + 1} swapped", swapped(records, k), k))
    sentences = []
    for done, given, due in trials:
        try:
            faults = verify(deepcopy(given))
        except Exception as error:
            sentences.append(f"{done}: the verifier raised {type(error).__name__}")
            continue
        named = faults[0]["index"] if faults else None
        if named is None and due is not None:
            sentences.append(f"{done}: a mutated transcript verified")
        elif named != due:
            sentences.append(f"{done}: first fault due at {due}, named at {named}")
    return sentences


def gate(legs, say=print):
    """Run every leg; 0 all passed, 1 a fault was found, 2 something could not be graded."""
    codes = []
    for name, leg in legs.items():
        try:
            sentences = leg()
        except Exception as error:
            say(f"?     {name}: could not be graded ({type(error).__name__}: {error})")
            codes.append(2)
            continue
        say(f"{'FAULT' if sentences else 'ok   '} {name}")
        for sentence in sentences:
            say(f"      {sentence}")
        codes.append(1 if sentences else 0)
    return 1 if 1 in codes else max(codes, default=2)
