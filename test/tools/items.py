#!/usr/bin/env python3
"""Print the items of documents as a table: file, part, item, heading, first words of the section.

Usage: items.py SHARED BID_STRIP FILE...   (FILE relative to SHARED)

test/data/items.tsv was made with it and then checked by hand against the filings as a browser shows them; the
test compares the two line by line.
"""
import json
import re
import subprocess
import sys

WORDS = 6


def rows(shared, strip, name):
    run = subprocess.run([strip, "--raw", f"{shared}/{name}"], stdout=subprocess.PIPE, check=False)
    for line in run.stdout.splitlines():
        record = json.loads(line)
        if "error" in record or "outlineConfidence" not in record:
            continue
        text = record["text"].encode()
        part = record["metadata"].get("fileName") or str(record["metadata"].get("part", "-"))
        yield from sections(name, part, text, record["outline"])


def sections(name, part, text, outline):
    for entry in outline:
        if entry["level"] != 2:
            continue
        heading, _, rest = text[entry["offset"]:entry["offset"] + 3000].partition(b"\n")
        assert heading.decode().lstrip("# ") == entry["title"], (heading, entry)
        body = re.sub(r"[|*_#`\\-]+|&nbsp;", " ", rest.decode(errors="ignore"))
        words = " ".join(body.split()[:WORDS])
        yield "\t".join([name, part, entry.get("item", "-"), entry["title"], words])


def main():
    shared, strip, *files = sys.argv[1:]
    for name in files:
        for row in rows(shared, strip, name):
            print(row)


if __name__ == "__main__":
    main()
