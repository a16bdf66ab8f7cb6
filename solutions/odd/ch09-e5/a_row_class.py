"""Each row is made by an object that counts with Counter."""

from collections import Counter

NOTHING = "not measured"


class Row:
    def __init__(self, agent, results):
        self.agent, self.results, self.times = agent, results, Counter(result["case"] for result in results)

    def repetitions(self):
        least, most = min(self.times.values(), default=0), max(self.times.values(), default=0)
        return NOTHING if not most else f"{most}" if least == most else f"{least} to {most}"

    def passed(self):
        good, n = [result["passed"] for result in self.results].count(True), len(self.results)
        return f"{good} / {n} ({good / n:.1%})".replace("%", " %") if n else NOTHING

    def cost(self):
        known = [result["cost"] for result in self.results if result["cost"] is not None]
        return f"{sum(known, Decimal()):.4f} USD ({len(known)} of {len(self.results)} runs)" if known else NOTHING

    def texts(self):
        counts = {"cost": self.cost(), "passed": self.passed(), "repetitions": self.repetitions()}
        return {"agent": self.agent, "runs": f"{len(self.results)}", "cases": f"{len(self.times)}", **counts}


def report(groups):
    return [Row(agent, results).texts() for agent, results in groups.items()]
