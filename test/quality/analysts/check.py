#!/usr/bin/env python3
"""Check question sets: every gold quote stands verbatim on one line of the filing's text dump, at most three times, and
no passage is quoted in two sets.

usage: check.py [--dumps DIR] FILINGS.tsv SET.ndjson...

FILINGS.tsv: key, path below $BID_SHARED/upstream (default ../shared/upstream), then columns that are not read here.
The dump is w3m's (`w3m -dump -cols 600 -T text/html`) for HTML and the file itself for plain text; runs of blanks count
as one.  A full submission's documents are dumped as they stand in it.  Prints each fault with its place; status 1 where
there is one.
"""
import collections
import json
import os
import re
import subprocess
import sys

UPSTREAM = os.path.join(os.environ.get("BID_SHARED") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../shared"), "upstream")


def squeeze(text):
    return re.sub(r"[\s\u00a0]+", " ", text).strip()


def dump(path, cache, key):
    kept = os.path.join(cache, key + ".txt") if cache else None
    if kept and os.path.exists(kept):
        return open(kept, encoding="utf-8").read()
    data = open(path, "rb").read()
    html = b"<html" in data[:20000].lower() or b"<div" in data[:20000].lower() or b"<table" in data.lower()[:50000]
    if html:
        data = subprocess.run(["w3m", "-dump", "-cols", "600", "-T", "text/html", "-O", "UTF-8", "-I", "UTF-8"], input=data, capture_output=True, check=True).stdout
    text = "\n".join(filter(None, (squeeze(line) for line in data.decode("utf-8", "replace").splitlines())))
    if kept:
        open(kept, "w", encoding="utf-8").write(text)
    return text


def places(text, quote):
    """Where a quote stands, as pairs of start and end."""
    return [(m.start(), m.start() + len(quote)) for m in re.finditer(re.escape(quote), text)]


def main():
    args = sys.argv[1:]
    cache = None
    if args[0] == "--dumps":
        cache, args = args[1], args[2:]
    filings = {}
    for line in open(args[0], encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            key, path = line.rstrip("\n").split("\t")[:2]
            filings[key] = path
    texts, faults, ids = {}, 0, set()
    quoted = collections.defaultdict(list)    # filing: start, end and set of each quote
    counts = collections.Counter()
    for name in args[1:]:
        for n, line in enumerate(open(name, encoding="utf-8"), 1):
            q = json.loads(line)
            def fault(what):
                nonlocal faults
                faults += 1
                print(f"{name}:{n}: {q.get('id')}: {what}")
            if q["id"] in ids:
                fault("id used twice")
            ids.add(q["id"])
            counts[q["kind"]] += 1
            if q["kind"] != "none" and not q.get("gold"):
                fault("no gold quote")
            for g in q.get("gold", []):
                if g["filing"] not in filings:
                    fault("unknown filing " + g["filing"])
                    continue
                if g["filing"] not in texts:
                    texts[g["filing"]] = dump(os.path.join(UPSTREAM, filings[g["filing"]]), cache, g["filing"])
                quote = squeeze(g["quote"])
                if not 25 <= len(quote) <= 120:
                    fault(f"quote of {len(quote)} characters: {quote}")
                spans = places(texts[g["filing"]], quote)
                if not 1 <= len(spans) <= 3:
                    fault(f"quote stands {len(spans)} times in {g['filing']}: {quote}")
                for start, end in spans:
                    if any(start < to and at < end and other != name for at, to, other in quoted[g["filing"]]):
                        fault(f"passage of another set in {g['filing']}: {quote}")
                    quoted[g["filing"]].append((start, end, name))
    print(dict(counts), "questions;", faults, "faults")
    return 1 if faults else 0


sys.exit(main())
