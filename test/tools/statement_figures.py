#!/usr/bin/env python3
"""Compares the statements of bid-facts with the tables that bid-strip extracts from the same filing.

    statement_figures.py FOLDER-OF-PROGRAMS DOCUMENT...

A figure is found where a Markdown row of the stripped document begins with the line's label and has a cell with the
figure as it is presented, in whole, thousands or millions, negative in parentheses; a label may begin in the row above.
The rows of a statement's lines have to follow each other as the lines do, and the figures of one period have to stand
in one column.  Prints a line for each document and statement; status 1 where a figure is not found, or not there.
"""
import collections
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
    """Label, the label with that of the row above, and (column, number) of the cells."""
    above = ""
    for line in text.splitlines():
        if line.startswith("|") and not line.startswith("| ---"):
            cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
            if cells:
                label = words(cells[0])
                figures = [(i, n) for i, n in enumerate(map(number, cells[1:])) if n is not None]
                yield label, (above + " " + label) if above else label, figures
                above = "" if figures else label


def misplaced(lines, rows):
    """What stands before the line above it, or in another column than most figures of its period."""
    places, last, out = collections.defaultdict(list), -1, []
    by_line = collections.defaultdict(list)
    for x in lines:
        by_line[x["line"]].append(x)
    for n in sorted(by_line):
        found = [(i, x, c) for i, r in enumerate(rows) for x in by_line[n] for c in cells_of(x, r)]
        behind = sorted({i for i, _, _ in found if i > last})
        if not behind:
            out.append((by_line[n][0], "order"))
            continue
        # A label may occur several times: the next row that has all of the line's figures that any row has.
        most = max(len({x["end"] for k, x, _ in found if k == i}) for i in behind)
        last = next(i for i in behind if len({x["end"] for k, x, _ in found if k == i}) == most)
        for i, x, c in found:
            if i == last and not x.get("opening"):
                places[x["end"], x["months"] if "start" in x else 0, most > 1].append((c, x))
    for (_, _, several), found in places.items():
        usual = collections.Counter(c for c, _ in found).most_common(1)[0][0]
        right = {id(x) for c, x in found if c == usual}
        out += [(x, "column") for x in {id(x): x for _, x in found if id(x) not in right and several}.values()]
    return out


def cells_of(x, row):
    label = words(x["label"])[:60]
    if row[0].startswith(label) or row[1].startswith(label):
        return [i for i, n in row[2] if any(n * s == x["presented"] for s in SCALES)]
    return []


SPANS = ["--annual", "--quarterly"] + ["-p%s-%d" % (s, y) for y in (2026, 2025, 2024) for s in ("H1", "9M")]


def statement(programs, path, which):
    """For each span its lines: of years and of quarters, else from the beginning of the year (a 10-Q's cash flows)."""
    found = []
    for span in SPANS:
        if span.startswith("-p") and which != "income" and found:
            break
        run = subprocess.run([programs + "/bid-facts", "--json", span, "--from", path, "--statement", which],
                             capture_output=True, text=True)
        lines = [json.loads(x, parse_float=decimal.Decimal, parse_int=decimal.Decimal) for x in run.stdout.splitlines()]
        lines = [x for x in lines if x.get("kind") == "reported" and x.get("labels") == "filing"]
        if lines:
            found.append(lines)
    return found


def main(programs, paths):
    missing = 0
    for path in paths:
        stripped = subprocess.run([programs + "/bid-strip", "--raw", path], capture_output=True, check=True).stdout
        rows = [r for line in stripped.splitlines() for r in table_rows(json.loads(line)["text"])]
        for which in ("income", "balance", "cash"):
            found = total = 0
            for lines in statement(programs, path, which):
                absent = [x for x in lines if not any(cells_of(x, r) for r in rows)]
                wrong = [(x, "absent") for x in absent]
                if not absent:
                    wrong = misplaced(lines, rows)
                for x, why in wrong:
                    print("  %s %s: %s %s (%s)" % (which, x["end"], x["label"], x["presented"], why))
                missing += len(wrong)
                total += len(lines)
                found += len(lines) - len(wrong)
            print("%s %s: %d of %d figures equal" % (path.rsplit("/", 1)[-1], which, found, total))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
