#!/usr/bin/env python3
"""figure_questions.py BIN TABLE [LINES]: asks the questions of test/data/figure_questions.tsv and compares the reported
figures with the expected ones; prints what differs, then how many of each group are right."""
import json
import subprocess
import sys


def asks_for(job):
    plan = job.get("plan", {})
    return json.dumps([[c.get("cik") for c in plan.get("companies", [])], plan.get("windows")])


def rows_of(bin_folder, questions):
    jobs = "".join(json.dumps({"query": q}) + "\n" for q in questions)
    plans = subprocess.run([f"{bin_folder}/bid-plan", "--json"], input=jobs, capture_output=True, text=True).stdout
    numbered = [{**json.loads(line), "job": n} for n, line in enumerate(plans.splitlines())]
    numbered.sort(key=asks_for)  # bid-facts fetches a filing once for questions that follow each other
    out = subprocess.run([f"{bin_folder}/bid-facts", "--quiet", "--for-plan"], capture_output=True, text=True,
                         input="".join(json.dumps(job) + "\n" for job in numbered)).stdout
    found = [[] for _ in questions]
    for line in out.splitlines():
        record = json.loads(line)
        if "error" not in record:
            found[record["job"]].append(record)
    return found


def is_right(rows, expected):
    if expected == "-":
        return not rows
    label, value = expected.split("=")
    shown_first = bool(rows) and label.startswith(rows[0]["label"])
    return shown_first and any(r["label"] == label and abs(r["value"] - float(value)) <= 1e-6 * max(1, abs(float(value))) for r in rows)


def main():
    bin_folder, table = sys.argv[1:3]
    lines = [line.rstrip("\n").split("\t") for line in open(table) if not line.startswith("#")]
    lines = [line for line in lines if line[0] in (sys.argv[3:] or [line[0]])]
    right, wrong = {}, {}
    for (group, question, expected), rows in zip(lines, rows_of(bin_folder, [line[1] for line in lines])):
        good = is_right(rows, expected)
        (right if good else wrong).setdefault(group, []).append(question)
        if not good:
            got = "; ".join(f"{r['label']}={r['value']}" for r in rows)
            print(f"{group}: {question}: {got or 'none'}, not {expected}")
    for group in sorted({line[0] for line in lines}):
        print(f"{group}: {len(right.get(group, []))} of {len(right.get(group, [])) + len(wrong.get(group, []))}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
