#!/usr/bin/env python3
"""Make a set of pages out of the recorded filings, in the format of ../shared/bench: corpus.ndjson and queries.ndjson.

usage: pages.py BIN UPSTREAM OUT [YEARS]  (BIN: folder of the built programs, UPSTREAM: ../shared/upstream)

Pages are plain text, as one gets them out of a PDF: no outline, no Markdown, tables as lines.  Documents say little of
themselves: an everyday name, "10k", a period.  Since few recorded filings are of one company, each annual and quarterly
report comes YEARS (3) times more, as if of earlier years: all years in it are lower and digits of amounts are others.
Nothing is asked about these; they stand where a real store has the same company's other reports.  Questions: those that facts.py makes out of inline XBRL, narrative.tsv,
and those of questions.tsv, each with `kind` and `split` (dev or test).  Standard library only.
"""
import base64
import json
import os
import random
import re
import subprocess
import sys

import facts

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ("company", "ticker", "cik", "form", "filingDate", "reportDate", "fiscalYear", "fiscalPeriod")


def flat(page):
    """A page as plain lines."""
    lines = []
    for line in page.split("\n"):
        if re.fullmatch(r"\|[ :|-]+\|", line):
            continue
        if line.startswith("|"):
            line = "  ".join(cell.strip() for cell in line.strip("|").split("|") if cell.strip())
        lines.append(re.sub(r"\*\*|^#+ ", "", line))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def corpus_record(key, meta, pages):
    name = facts.EVERYDAY.get(meta["company"], meta["company"])
    year = meta.get("fiscalYear") or meta["filingDate"][:4]
    quarter = meta.get("fiscalPeriod", "FY")
    period = year + quarter if quarter.startswith("Q") else year
    form = meta["form"].replace("-", "").lower()
    title = "%s_%s_%s" % (re.sub(r"\W", "", name).upper(), period, form.upper())
    return {"id": key, "title": title, "company": name, "doc_type": form, "period": period, "source": "filings",
            "pages": pages}


def earlier(record, back):
    """The record as a report of `back` years before."""
    rng = random.Random(record["id"] + str(back))

    def other(m):
        return "".join(
            rng.choice("0123456789") if c.isdigit() and i else c for i, c in enumerate(m.group()))

    def page(text):
        text = re.sub(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", other, text)
        return re.sub(r"\b(?:19|20)\d\d\b", lambda m: str(int(m.group()) - back), text)
    year = str(int(record["period"][:4]) - back)
    return dict(record, id="%s-%d" % (record["id"], back), title=record["title"].replace(record["period"][:4], year),
                period=year + record["period"][4:], pages=[page(p) for p in record["pages"]])


def page_with(pages, quote):
    wanted = " ".join(quote.split())
    return [i for i, page in enumerate(pages) if wanted in " ".join(page.split())]


def written(path, printed, kind):
    """Questions of a table of quotes: number, part, kind, question, then key and quote as often as need be."""
    for line in open(path, encoding="utf-8") if os.path.exists(path) else ():
        if line.startswith("#") or not line.strip():
            continue
        number, part, names, question, *gold = line.rstrip("\n").split("\t")
        pages, doc = [], gold[0]
        for key, quote in zip(gold[::2], gold[1::2]):
            found = page_with(printed[key], quote)
            if not found:
                sys.stderr.write("pages.py: %s: not in %s: %s\n" % (number, key, quote))
            pages += [p for p in found if key == doc and p not in pages]
        yield {"id": number, "question": question, "doc_name": doc, "pages": pages, "company": "", "kind": kind,
               "about": names, "split": part, "evidence": gold[1::2]}


def main():
    program, upstream, out = os.path.join(sys.argv[1], "bid-strip"), sys.argv[2], sys.argv[3]
    os.makedirs(out, exist_ok=True)
    payloads = subprocess.run([sys.executable, os.path.join(HERE, "payloads.py"), upstream], check=True,
                              stdout=subprocess.PIPE).stdout.splitlines()
    corpus, queries, printed = [], [], {}
    for payload in map(json.loads, payloads):
        key, raw = payload["sourceUrl"].rsplit("/", 1)[1], base64.b64decode(payload["rawContent"]).decode("utf-8", "replace")
        stripped = subprocess.run([program], input=json.dumps(payload).encode() + b"\n", check=True,
                                  stdout=subprocess.PIPE).stdout
        printed[key] = facts.pages_of(json.loads(stripped))
        corpus.append(corpus_record(key, payload["metadata"], [flat(p) for p in printed[key]]))
        queries += facts.questions(key, payload["metadata"], raw, program, payload)
    queries += written(os.path.join(HERE, "narrative.tsv"), printed, "narrative")
    queries += written(os.path.join(HERE, "analyst.tsv"), printed, "analyst")
    # the final half of questions.tsv stays out: it is for the final figure only
    queries += [q for q in written(os.path.join(HERE, "questions.tsv"), printed, "own") if q["split"] == "dev"]
    years = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    taken = {(r["company"], r["doc_type"], r["period"]) for r in corpus}
    made = [earlier(r, back) for r in corpus if r["doc_type"][:3] in ("10k", "10q", "20f") for back in range(1, years + 1)]
    for r in made:
        if (r["company"], r["doc_type"], r["period"]) not in taken:
            taken.add((r["company"], r["doc_type"], r["period"]))
            corpus.append(r)
    for name, records in (("corpus", corpus), ("queries", queries)):
        with open(os.path.join(out, name + ".ndjson"), "w", encoding="utf-8") as f:
            for r in records:
                f.write(json.dumps(r, ensure_ascii=False) + "\n")


main()
