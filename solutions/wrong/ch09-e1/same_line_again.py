"""Skips a line that repeats another one.

rejected by: an id that is taken is refused, and the line that has it is named
must say: line 7
"""


def load_cases(lines):
    """The cases of a file, given as its lines. Raises ValueError, which names every bad line."""
    cases, problems, line_of = [], [], {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
        except ValueError:
            problems.append(f"line {number}: no JSON")
            continue
        if case in cases:
            continue
        problem = why_no_case(case)
        if not problem and case["id"] in line_of:
            problem = f"the id {case['id']!r} is taken by line {line_of[case['id']]}"
        if problem:
            problems.append(f"line {number}: {problem}")
            continue
        line_of[case["id"]] = number
        cases.append(case)
    if problems:
        raise ValueError("; ".join(problems))
    if not cases:
        raise ValueError("there is no case")
    return cases


def why_no_case(case):
    if not isinstance(case, dict):
        return "a case is an object"
    if missing := [key for key in ("id", "task", "script", "checks") if key not in case]:
        return f"a case needs {', '.join(missing)}"
    if not isinstance(case["id"], str) or not case["id"]:
        return "the id is a text that is not empty"
    if not isinstance(case["checks"], list) or not case["checks"]:
        return "a case without a check cannot fail"


def run_cases(cases, agent, make_tools):
    """Run each case once, apart from all others: a list of {"id", "records", "error"}."""
    results = []
    for case in cases:
        records, error = [], None
        try:
            records = agent(case, make_tools(case))
        except Exception as crash:
            error = f"{type(crash).__name__}: {crash}"
        results.append({"id": case["id"], "records": records, "error": error})
    return results
