"""The records come from an object that knows its file and its clock."""

from itertools import count


class Writer:
    def __init__(self, write, flush, clock):
        self.out, self.flush, self.clock = write, flush, clock

    def record(self, kind, **fields):
        for piece in (json.dumps({"ts": self.clock(), "type": kind} | fields, ensure_ascii=False), "\n"):
            self.out(piece)
        self.flush()


def trace_run(task, max_steps, next_step, write, flush, clock=None, *, echo=False):
    writer = Writer(write, flush, clock or count().__next__)
    writer.record("run_start", task=task, max_steps=max_steps)
    end = {"status": "budget_exhausted", "answer": None, "mean_score": None, "error": None}
    taken = 0
    try:
        while taken < max_steps:
            step = next_step()
            writer.record("step", step=taken, **step)
            taken += 1
            if step["decision"]["answer"] is not None and step["observation"] is None:
                end.update(status="completed", answer=step["decision"]["answer"])
                break
    except KeyboardInterrupt:
        end.update(status="killed", error="interrupted")
        raise
    except BaseException as error:
        end.update(status="failed", error=f"{type(error).__name__}: {error}")
        raise
    finally:
        writer.record("run_end", steps_used=taken, **end)
    if echo:
        print(end)
