"""Gives a blocked answer when the steps run out.

rejected by: no step is taken beyond max_steps
must say: was blocked
"""


def trace_run(task, max_steps, next_step, write, flush, clock=None):
    """Take the steps of a run and write its trace, a line at a time.

    next_step: called without arguments, returns {"decision", "judgments", "observation"}
    write, flush: those of an open file
    """
    number = 0

    def put(record):
        nonlocal number
        write(json.dumps({**record, "ts": number if clock is None else clock()}) + "\n")
        flush()
        number += 1

    def end(status, steps_used, answer=None, error=None):
        ended = {"status": status, "answer": answer, "steps_used": steps_used, "mean_score": None, "error": error}
        put({"type": "run_end", **ended})

    put({"type": "run_start", "task": task, "max_steps": max_steps})
    for taken in range(max_steps):
        try:
            step = next_step()
        except KeyboardInterrupt:
            end("killed", taken, error="interrupted")
            raise
        except BaseException as defect:
            end("failed", taken, error=f"{type(defect).__name__}: {defect}")
            raise
        put({"type": "step", "step": taken, **step})
        answer = step["decision"]["answer"]
        if answer is not None and step["observation"] is None:
            return end("completed", taken + 1, answer)
    end("budget_exhausted", max_steps, answer if max_steps else None)
