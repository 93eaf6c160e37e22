#!/usr/bin/env python3
"""Print the payload records of filings.tsv from a folder of recorded answers. Standard library only.

usage: payloads.py [--with PART] FOLDER [KEY]...        FOLDER is ../shared/upstream

Filings whose last column names a part of the questions are printed only --with that part.
"""
import argparse
import base64
import hashlib
import json
import os

NAMES = ("company", "ticker", "cik", "form", "filingDate", "reportDate", "fiscalYear", "fiscalPeriod")


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--with", dest="part", action="append", default=[])
    options.add_argument("folder")
    options.add_argument("key", nargs="*")
    o = options.parse_args()
    table = os.path.join(os.path.dirname(os.path.abspath(__file__)), "filings.tsv")
    for line in open(table, encoding="utf-8"):
        key, path, *values = line.rstrip("\n").split("\t")
        part = values[len(NAMES):]
        if (o.key and key not in o.key) or (part and part[0] not in o.part):
            continue
        with open(os.path.join(o.folder, path), "rb") as f:
            raw = f.read()
        metadata = {name: value for name, value in zip(NAMES, values) if value}
        print(json.dumps({
            "source": "sec-filings",
            "sourceUrl": "https://example.org/quality/" + key,
            "capturedAt": "2026-03-05T00:00:00Z",
            "contentType": "text/plain" if path.endswith(".txt") else "text/html",
            "sha256": hashlib.sha256(raw).hexdigest(),
            "rawEncoding": "base64",
            "rawContent": base64.b64encode(raw).decode("ascii"),
            "metadata": metadata}))


main()
