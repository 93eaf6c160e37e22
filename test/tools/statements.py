#!/usr/bin/env python3
"""Checks hand-checked rows of statements (test/data/statements.txt) against what a command makes of the pages; blanks before labels don't count.

    statements.py --command 'html_test --text' --root ../shared/upstream ROWS
"""
import argparse
import re
import shlex
import subprocess
import sys


def sections(name):
    out = []
    with open(name, encoding="utf-8") as f:
        for line in f.read().splitlines():
            if line.startswith("<"):
                out.append((line[1:], []))
            elif line.startswith("|"):
                out[-1][1].append(line)
    return out


def tables(text):
    text = re.sub(r"(?m)^\| +(?=[^ |])", "| ", text)
    return [block.split("\n") for block in text.split("\n\n") if block.startswith("|")]


def stands_in(rows, table):
    at = iter(table)
    return rows[0] == table[0] and all(row in at for row in rows)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--command", required=True)
    p.add_argument("--root", required=True)
    p.add_argument("rows")
    o = p.parse_args()
    bad = 0
    wanted = sections(o.rows)
    for name, rows in wanted:
        text = subprocess.run(shlex.split(o.command) + [o.root + "/" + name], stdout=subprocess.PIPE,
                              check=True).stdout.decode()
        if not any(stands_in(rows, t) for t in tables(text)):
            bad += 1
            lines = {row for t in tables(text) for row in t}
            print("not in one table of %s:" % name)
            print("\n".join(("  " if row in lines else "! ") + row for row in rows))
    print("%d of %d statements" % (len(wanted) - bad, len(wanted)))
    return 1 if bad or not wanted else 0


sys.exit(main())
