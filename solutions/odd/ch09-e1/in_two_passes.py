"""Parses all lines first and looks for names that are taken afterwards; results are made by a class."""

NEEDED = {"id", "task", "script", "checks"}


def load_cases(lines, *, strict=True):
    parsed = {}
    bad = {}
    for number, line in enumerate(lines, start=1):
        if line.strip() == "":
            continue
        try:
            found = json.loads(line)
            assert isinstance(found, dict), "no object"
            assert NEEDED <= set(found), "a key is missing"
            assert isinstance(found["id"], str) and found["id"] != "", "no name"
            assert isinstance(found["checks"], list) and len(found["checks"]) > 0, "no check"
            parsed[number] = found
        except (ValueError, AssertionError) as problem:
            bad[number] = str(problem).replace(": ", " ")
    seen = {}
    for number, case in parsed.items():
        name = case["id"]
        if name in seen:
            bad[number] = f"the id {name!r} is taken by line {seen[name]}"
        seen.setdefault(name, number)
    if bad or not parsed:
        raise ValueError("\n".join(f"line {n}: {bad[n]}" for n in sorted(bad)) or "no case at all")
    return list(parsed.values())


class Runner:
    def __init__(self, agent, make_tools):
        self.agent, self.make_tools = agent, make_tools

    def __call__(self, case):
        tools = self.make_tools(case)
        try:
            return {"error": None, "id": case["id"], "records": self.agent(case, tools)}
        except Exception as error:
            return dict(id=case["id"], records=[], error=type(error).__name__ + ": " + str(error))


def run_cases(cases, agent, make_tools):
    return [*map(Runner(agent, make_tools), cases)]
