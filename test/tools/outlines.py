#!/usr/bin/env python3
"""Measures how often an outline is whole, by its outlineConfidence, over recorded filings.

    outlines.py BID-STRIP FOLDER [CHECKED.tsv]

An annual or quarterly report (10-K, 10-KSB, 10-Q, 20-F, also amended and transition reports) is whole where each item that its
table of contents or its text names at the beginning of a line ("Item 7.") is in the outline, and no item of a part is there twice.  A mention
that a sentence goes on with ("Item 7 of this report") names none.  In CHECKED.tsv (test/data/items.tsv), whose items were
read by hand, a filing is whole where its outline has the same items.  Prints a line for each outline that is not whole, then the counts
for each tenth of confidence.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

FORMS = re.compile(r"(10-?K(SB)?(405)?|10-?KT|10-?QT?|20-?F)(/A)?$", re.I)
NAMED = re.compile(r"^[#|*_\s>-]*items?\s+(\d{1,2})\s*[(]?([A-Ca-c])?[).]?\s*[.:|\u2014\u2013-]", re.I | re.M)


def checked_items(path):
    items = collections.defaultdict(list)
    for line in open(path, encoding="utf-8") if path else []:
        if not line.startswith("#"):
            name, part, item = line.split("\t")[:3]
            items[name, part] += [item] if item != "-" else []
    return items


def order(item):
    number, letter = re.match(r"(\d*)(.*)", item).groups()
    return int(number or 0), letter


def faults(record, known):
    entries = [e for e in record["outline"] if e["level"] == 2 and e.get("item")]
    outline = [e["item"] for e in entries]
    if known is not None:
        return sorted(set(known) ^ set(outline)) or ["in another order"] if outline != known else []
    own = [e["item"] for e in entries if re.match("items?\\b", e["title"], re.I)]  # not a title behind the last item
    outline = [i.split("-")[-1] for i in outline]
    named = {m[1] + (m[2] or "").upper() for m in NAMED.finditer(record["text"])}
    missing = sorted(named - set(outline), key=order)
    twice = [i for i, n in collections.Counter(own).items() if n > 1]
    return ["without " + i for i in missing] + ["twice " + i for i in twice]


def main(strip, folder, checked=None):
    known = checked_items(checked)
    shared = pathlib.Path(folder).resolve().parent
    counts = collections.defaultdict(lambda: [0, 0])
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if not path.is_file() or path.suffix not in (".htm", ".html", ".txt", ".nc", ".zip"):
            continue
        run = subprocess.run([strip, "--raw", str(path)], capture_output=True, check=False)
        for line in run.stdout.splitlines():
            record = json.loads(line)
            metadata = record.get("metadata") or {}
            form = str(metadata.get("type") or metadata.get("form") or metadata.get("formType") or "")
            if "outlineConfidence" not in record or record["outlineConfidence"] is None:
                continue
            name = str(path.relative_to(shared))
            part = metadata.get("fileName") or str(metadata.get("part", "-"))
            by_hand = known.get((name, part))
            if by_hand is None and not FORMS.search(form or path.name.split("-20")[0]):
                continue
            found = faults(record, by_hand)
            tenth = int(record["outlineConfidence"] * 10 + 1e-6) / 10
            counts[tenth][0] += 1
            counts[tenth][1] += not found
            if found:
                print("%.2f %s %s %s: %s" % (record["outlineConfidence"], name, part, form, ", ".join(found[:8])))
    for tenth in sorted(counts):
        print("%.1f: %d outlines, %d whole" % (tenth, *counts[tenth]))
    sure = [n for t, n in counts.items() if t >= 0.9]
    total, whole = sum(n[0] for n in sure), sum(n[1] for n in sure)
    print("at .9 and more: %d of %d whole" % (whole, total))
    return 0 if total and whole >= 0.98 * total else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
