#!/usr/bin/env python3
"""Fits which sentence or row of a passage answers: data/tables/unit_weights.tsv, from the questions of test/quality/analysts.

usage: spans.py [--bin DIR] [--work DIR] [--report]

For each question of the parts that were read, the passages among the first five that hold one of its quotes are split into sentences
and rows by the programs (bid-search --explain).  Those that lie in the quote are right.  A linear function of their features is fitted, as
a softmax over the passage's units (the chance that the right ones get, by gradient ascent, L2).  --report prints how often the first, the
first two and the first three units hold a right one, by filings held out, and without each feature.  numpy.
"""
import argparse
import collections
import importlib.machinery
import json
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np  # noqa: E402

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ANALYSTS = os.path.join(TOP, "test", "quality", "analysts")
TABLE = os.path.join(TOP, "data", "tables", "unit_weights.tsv")
quality = importlib.machinery.SourceFileLoader("quality", os.path.join(TOP, "test", "bench", "quality")).load_module()
L2, STEPS, RATE, FOLDS = 0.003, 600, 0.3, 7


def lies_in(unit, match, gold):
    """Whether half of the unit, or of the quote, lies in the other; places in bytes of the document."""
    name, start, end = gold
    if quality.document_of(match["sourceUrl"]) != name:
        return False
    a, b = match["start"] + unit["start"], match["start"] + unit["end"]
    over = min(b, end) - max(a, start)
    return over > 0 and (over >= (b - a) / 2 or over >= (end - start) / 2)


def samples(programs, work, parts):
    """(filing, features [units][n], right [units]) of each passage that holds a quote; names of the features."""
    documents, questions = quality.analyst_set(ANALYSTS, programs, parts)
    store = os.path.join(work, "spans.store")
    if not os.path.exists(store):
        quality.build(programs, documents, store, "")
    answers = quality.search(programs, questions, store, "--explain", ["-n", "5"])
    out, names = [], []
    for q in questions:
        for m in answers.get(q["id"], []):
            golds = [g for g in q["gold"] if quality.reaches(m, g, "quote")]
            right = np.array([any(lies_in(u, m, g) for g in golds) for u in m["units"]])
            if right.any():
                names = list(m["units"][0]["features"])
                out.append((q["group"], np.array([list(u["features"].values()) for u in m["units"]]), right))
    return out, names


def fit(data, count, kept=None):
    """All passages at once: their units one after the other, a softmax over each passage's."""
    x, right = np.concatenate([d[1] for d in data]), np.concatenate([d[2] for d in data])
    first = np.cumsum([0] + [len(d[2]) for d in data[:-1]])
    of = np.repeat(np.arange(len(data)), [len(d[2]) for d in data])
    w, speed, kept = np.zeros(count), np.zeros(count), np.ones(count) if kept is None else kept
    for _ in range(STEPS):
        z = x @ w
        e = np.exp(z - np.maximum.reduceat(z, first)[of])
        p = e / np.add.reduceat(e, first)[of]
        inside = p * right
        inside /= np.maximum(np.add.reduceat(inside, first), 1e-9)[of]
        speed = 0.9 * speed + RATE * ((inside - p) @ x / len(data) - L2 * w) * kept
        w = w + speed
    return w


def holds(data, w, k):
    return np.mean([right[np.argsort(-(x @ w), kind="stable")[:k]].any() for _, x, right in data])


def crossed(data, count, kept=None):
    """The share of passages whose first, two, three, five best units hold a right one, by weights of other filings."""
    names = sorted({d[0] for d in data})
    rows = collections.Counter()
    for fold in range(FOLDS):
        held = set(names[fold::FOLDS])
        w = fit([d for d in data if d[0] not in held], count, kept)
        mine = [d for d in data if d[0] in held]
        for k in (1, 2, 3, 5):
            rows[k] += holds(mine, w, k) * len(mine)
    return "  ".join(f"{k}: {rows[k] / len(data):.3f}" for k in (1, 2, 3, 5))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bin", default=os.environ.get("BID_BIN") or os.path.join(TOP, "bin"))
    p.add_argument("--work")
    p.add_argument("--report", action="store_true")
    options = p.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        data, names = samples(options.bin, options.work or temporary, list(quality.READ))
    print(f"{len(data)} passages, {sum(len(d[2]) for d in data)} units", flush=True)
    if options.report:
        print("held out:", crossed(data, len(names)), flush=True)
        for i, name in enumerate(names):
            print(f"  without {name}: {crossed(data, len(names), np.arange(len(names)) != i)}", flush=True)
        return
    w = fit(data, len(names))
    print("fitted:", "  ".join(f"{k}: {holds(data, w, k):.3f}" for k in (1, 2, 3, 5)))
    with open(TABLE, "w", encoding="utf-8") as f:
        f.write("# Made by data/gen/spans.py (`make spans`), not to be edited: the weights of the features of a sentence or row (rank.h).\n"
                "# lists\tWEIGHT\n")
        for name, value in zip(names, w):
            f.write(f"unit\t.{name} = {value:.4f}F\n")
    subprocess.run(["make", "-s", "-C", TOP, "all"], check=False)


sys.exit(main())
