#!/usr/bin/env python3
"""Say how many questions about companies that a store lacks are refused, and how many others are answered.

usage: strangers.py [--split dev|final] [--list] BIN UPSTREAM WORK [STORE QUESTIONS]...

Stores: the filings of filings.tsv together ("all") and company by company, made in WORK where they aren't there yet,
and those that test/bench/quality --work left (STORE, with its QUESTIONS; "tatqa" of absent.tsv is such a one).
Questions: absent.tsv, about companies none of whose filings any store has; the development half of questions.tsv that
names its company, asked of the stores of other companies ("cross"); present.tsv, which name products, people, places,
authorities and programs that the named store's filings tell of; questions.tsv of a company asked of its own store.
`absent.tsv` and `present.tsv` have a half for fitting ("dev") and one only for the final figure ("final").
Standard library only.
"""
import argparse
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def table(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f if line.strip() and not line.startswith("#")]


def company(filing):
    return filing.split("-")[0]


def run(o, name, data, store=None, args=()):
    environment = dict(os.environ, **({"BID_STORE": store} if store else {}))
    p = subprocess.run([os.path.join(o.bin, name), *args], input=data, env=environment, stdout=subprocess.PIPE)
    if p.returncode not in (0, 1):
        sys.exit("strangers: %s ended with %d" % (name, p.returncode))
    return p.stdout


def make_store(o, path, filings):
    if os.path.exists(path):
        return
    data = subprocess.run([sys.executable, os.path.join(HERE, "payloads.py"), o.upstream, *filings], check=True,
                          stdout=subprocess.PIPE).stdout
    for name in ("bid-strip", "bid-chunk", "bid-embed"):
        data = run(o, name, data)
    run(o, "bid-index", data, path, ("--corpus", "bench"))


def shows(o, store, questions):
    """For each question whether the store shows something."""
    lines = "".join(json.dumps({"query": q}) + "\n" for q in questions).encode()
    out = run(o, "bid-search", lines, store, ("-q", "-n", "5"))
    return [bool(json.loads(line).get("matches")) for line in out.splitlines()]


def tell(o, what, rows):
    """rows: (store, question, wanted, shown)"""
    good = sum(wanted == shown for _, _, wanted, shown in rows)
    print("  %-34s %4d questions  %.3f" % (what, len(rows), good / max(len(rows), 1)))
    for store, question, wanted, shown in rows if o.list else ():
        if wanted != shown:
            print("      %s: %s" % (store, question))


def ask(o, stores, wanted, pairs):
    rows = []
    for name in stores:
        questions = [q for s, q in pairs if s == name]
        rows += [(name, q, wanted, s) for q, s in zip(questions, shows(o, stores[name], questions) if questions else ())]
    return rows


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--split", default="dev", choices=("dev", "final"))
    p.add_argument("--list", action="store_true", help="list the questions that go wrong")
    p.add_argument("bin")
    p.add_argument("upstream")
    p.add_argument("work")
    p.add_argument("more", nargs="*")
    o = p.parse_args()
    os.makedirs(o.work, exist_ok=True)
    filings = [r[0] for r in table("filings.tsv")]
    companies = sorted({company(f) for f in filings})
    stores = {c: os.path.join(o.work, c + ".store") for c in ["all"] + companies}
    for c, path in stores.items():
        make_store(o, path, [f for f in filings if c in ("all", company(f))])
    given = {os.path.basename(s): s for s in o.more[::2]}
    absent = [r[1] for r in table("absent.tsv") if r[0] == o.split]
    present = [r for r in table("present.tsv") if r[0] == o.split]
    named = [(company(r[4]), r[3]) for r in table("questions.tsv") if r[1] == "dev" and r[2] == "yes"]
    own = [(company(r[4]), r[3]) for r in table("questions.tsv") if r[1] == "dev"]
    print(o.split)
    tell(o, "refused: absent, all together", ask(o, stores, False, [("all", q) for q in absent]))
    single = [(c, q) for i, c in enumerate(companies) for k, q in enumerate(absent) if k % 4 == i % 4]
    tell(o, "refused: absent, company stores", ask(o, stores, False, single))
    for name, path in given.items():
        tell(o, "refused: absent, " + name, ask(o, {name: path}, False, [(name, q) for q in absent]))
    cross = [(c, q) for i, c in enumerate(companies) for k, (n, q) in enumerate(named) if n != c and k % 4 == i % 4]
    tell(o, "refused: cross, company stores", ask(o, stores, False, cross))
    small = [(s, q.lower()) for s, q in single if q != q.lower()]
    tell(o, "refused: absent in lower case", ask(o, stores, False, [("all", q.lower()) for q in absent if q != q.lower()] + small))
    tell(o, "kept: present, all together", ask(o, stores, True, [(s, q) for _, s, q in present if s == "all"]))
    tell(o, "kept: present, company stores", ask(o, stores, True, [(s, q) for _, s, q in present if s != "all"]))
    tell(o, "kept: questions.tsv, company stores", ask(o, stores, True, own))
    small = [(s, q.lower()) for s, q in own + [(s, q) for _, s, q in present]]
    tell(o, "kept: both in lower case", ask(o, stores, True, small))
    for name, path, questions in zip(given, o.more[::2], o.more[1::2]):
        asked = [json.loads(line)["query"] for line in open(questions, encoding="utf-8")]
        tell(o, "kept: " + name, ask(o, {name: path}, True, [(name, q) for q in asked]))


main()
