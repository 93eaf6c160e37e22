#!/usr/bin/env python3
"""Which form bid-plan says that a question's subject is disclosed in.

    measure.py FOLDER-OF-PROGRAMS first|second [--show]

Each line of NAME.tsv has the kind of filing in which the answer stands first by the SEC's rules, and the question.  Prints for each
kind how often a form was said: DEF 14A is right of `proxy`, 4 of `insider`; of `report` and `event` none should be.  A form
that the question itself names counts too, and is printed in brackets.  --show prints the wrong ones.
"""
import collections
import json
import os
import subprocess
import sys

RIGHT = {"proxy": "DEF 14A", "insider": "4"}


def main():
    folder, name, show = sys.argv[1], sys.argv[2], "--show" in sys.argv
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".tsv")
    rows = [line.rstrip("\n").split("\t") for line in open(path) if not line.startswith("#")]
    jobs = "".join(json.dumps({"query": query}) + "\n" for _, query in rows)
    out = subprocess.run([folder + "/bid-plan"], input=jobs, capture_output=True, text=True, check=False).stdout.splitlines()
    if len(out) != len(rows):
        sys.exit(f"{len(out)} plans for {len(rows)} questions")
    right, false, named = collections.Counter(), collections.Counter(), collections.Counter()
    for (kind, query), line in zip(rows, out):
        plan = json.loads(line).get("plan", {})
        form = plan["forms"][0] if plan.get("formsNamed") and kind in RIGHT else plan.get("disclosedIn")
        named[kind] += "disclosedIn" not in plan and form is not None and form == RIGHT.get(kind)
        right[kind] += form == RIGHT.get(kind)
        false[kind] += form is not None and form != RIGHT.get(kind)
        if show and form != RIGHT.get(kind):
            print(kind, form, query, sep=" | ")
    for kind, count in collections.Counter(kind for kind, _ in rows).items():
        print(f"{kind:8} {count:3}: right {right[kind]:3} ({named[kind]} named), another form {false[kind]:3}")


main()
