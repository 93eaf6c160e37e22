#!/usr/bin/env python3
"""Compares the statements of bid-facts with the tables that bid-strip extracts from the same filing.

    statement_figures.py FOLDER-OF-PROGRAMS DOCUMENT...

A figure is found where a Markdown row of the stripped document begins with the line's label and has a cell with the
figure as it is presented, in whole, thousands or millions, negative in parentheses.  Prints a line for each document
and statement; status 1 where a figure is not found.
"""
import decimal
import json
import re
import subprocess
import sys

SCALES = [decimal.Decimal(1), decimal.Decimal(1000), decimal.Decimal(1000000)]


def words(text):
    return re.sub(r"[^a-z0-9]+", " ", re.sub(r"[\\^*]", "", text.lower())).strip()


def number(cell):
    text = cell.replace("\u2014", "0").replace("\u2013", "0")
    text = "0" if text.strip() in ("-", "--") else text
    digits = re.sub(r"[^\d.]", "", text)
    if not re.search(r"\d", digits):
        return None
    value = decimal.Decimal(re.match(r"\d*\.?\d*", digits.strip(".")).group() or "0")
    return -value if re.search(r"\(|^\s*[$]?\s*[-\u2212]", cell) else value


def table_rows(text):
    for line in text.splitlines():
        if line.startswith("|") and not line.startswith("| ---"):
            cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
            if cells:
                yield words(cells[0]), [n for n in map(number, cells[1:]) if n is not None]


def statement(programs, path, which):
    """Its lines: of years and of quarters, else from the beginning of the year (a 10-Q's cash flows)."""
    lines = []
    for span in ["--annual", "--quarterly"] + ["-p%s-%d" % (span, year) for year in (2026, 2025, 2024) for span in ("H1", "9M")]:
        if span.startswith("-p") and lines:
            break
        run = subprocess.run([programs + "/bid-facts", "--json", span, "--from", path, "--statement", which],
                             capture_output=True, text=True)
        lines += [json.loads(x, parse_float=decimal.Decimal, parse_int=decimal.Decimal) for x in run.stdout.splitlines()]
        lines = [x for x in lines if "kind" in x and x["kind"] == "reported"]
    return lines


def main(programs, paths):
    missing = 0
    for path in paths:
        stripped = subprocess.run([programs + "/bid-strip", "--raw", path], capture_output=True, check=True).stdout
        rows = [r for line in stripped.splitlines() for r in table_rows(json.loads(line)["text"])]
        for which in ("income", "balance", "cash"):
            lines = statement(programs, path, which)
            lines = [x for x in lines if x.get("labels") == "filing" and "start" in x or which == "balance"]
            found = 0
            for x in lines:
                label = words(x["label"])
                if any(r[0].startswith(label[:60]) and any(n * s == x["presented"] for n in r[1] for s in SCALES)
                       for r in rows):
                    found += 1
                else:
                    print("  %s %s: %s %s" % (which, x["end"], x["label"], x["presented"]))
                    missing += 1
            print("%s %s: %d of %d figures equal" % (path.rsplit("/", 1)[-1], which, found, len(lines)))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
