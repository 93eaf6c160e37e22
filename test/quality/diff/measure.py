#!/usr/bin/env python3
"""How well bid-diff finds changes that were read by hand: measure.py BIN [SHARED]

changes.tsv holds them.  A change is found where bid-diff gives that kind with those words in its older and its newer
paragraph.  Recall: found of those expected.  Precision: of the changes given that touch an expected paragraph, and of all
that are given in items marked as whole, those expected.  Words that stand in several paragraphs count once.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ARCHIVES = "upstream/www.sec.gov/Archives/edgar/data/"
PAIRS = {"apple-10-K": ("320193/000032019324000123/aapl-20240928.htm", "320193/000032019325000079/aapl-20250927.htm"),
         "apple-10-Q": ("320193/000032019325000057/aapl-20250329.htm", "320193/000032019325000073/aapl-20250628.htm"),
         "vincerx-S-3": ("1796129/000119312525012209/d921557ds3.htm", "1796129/000119312525068723/d921557ds3a.htm")}
WHOLE = {("apple-10-K", i) for i in ("2", "5", "7A", "9B")} | {("apple-10-Q", i) for i in ("I-3", "I-4", "II-1", "II-1A", "II-2")}


def expected(path):
    groups = {}
    for line in open(path, encoding="utf-8"):
        if not line.startswith("#"):
            pair, item, kind, old, new = line.rstrip("\n").split("\t")
            groups.setdefault((pair, item), []).append((kind, old, new))
    return groups


def given(binary, files, item):
    run = subprocess.run([binary + "/bid-diff", *(["--item", item] if item != "-" else []), *files], stdout=subprocess.PIPE, check=True)
    return [r for r in map(json.loads, run.stdout.splitlines()) if "change" in r]


def text(r, side):
    """Without the blanks that show a row's level."""
    return re.sub(r"^\| +", "| ", r.get(side) or "")


def matches(row, r):
    return r["change"] == row[0] and row[1] in text(r, "old") and row[2] in text(r, "new")


def touches(row, r):
    _, old, new = row
    return bool(old and old in text(r, "old") or new and new in text(r, "new"))


def compare(rows, records, whole):
    """Found, missed rows and records that are wrong."""
    free, missed = list(records), []
    for row in rows:
        hit = next((r for r in free if matches(row, r)), None)
        if hit is None:
            missed.append(row)
        else:
            free.remove(hit)
    wrong = [r for r in free if whole or any(touches(row, r) for row in missed)]
    return len(rows) - len(missed), missed, wrong


def main():
    binary, shared = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "../shared"
    here, total, found, wrong = os.path.dirname(os.path.abspath(__file__)), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for pair, names in PAIRS.items():
            files[pair] = [os.path.join(folder, pair + str(i)) for i in range(2)]
            for name, path in zip(names, files[pair]):
                with open(path, "wb") as f:
                    subprocess.run([binary + "/bid-strip", "-q", "--raw", os.path.join(shared, ARCHIVES + name)], stdout=f, check=True)
        for (pair, item), rows in expected(os.path.join(here, "changes.tsv")).items():
            hits, missed, bad = compare(rows, given(binary, files[pair], item), (pair, item) in WHOLE)
            total, found, wrong = total + len(rows), found + hits, wrong + len(bad)
            for row in missed:
                print("missed\t%s\t%s\t%s" % (pair, item, "\t".join(row)))
            for r in bad:
                print("wrong\t%s\t%s\t%s\t%s\t%s" % (pair, item, r["change"], (r.get("old") or "")[:70], (r.get("new") or "")[:70]))
    print(json.dumps({"expected": total, "found": found, "wrong": wrong, "recall": round(found / total, 3),
                      "precision": round(found / (found + wrong), 3)}))


if __name__ == "__main__":
    main()
