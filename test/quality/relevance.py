#!/usr/bin/env python3
"""Fit the relevance estimate of common/rank.c and say what a threshold would keep and reject.

usage: relevance.py BIN STORE QUESTIONS [STORE QUESTIONS]...     (what test/bench/quality --work DIR left there)

Answerable questions are the given ones, unanswerable ones those of offtopic.txt.  Each counts by its best passage's
coverage, cosine and phrase score; both kinds and all sets weigh the same.  Half is for fitting and the other half for
the figures: documents are parted, with all their questions, and offtopic.txt line by line.  Standard library only.
"""
import hashlib
import json
import math
import os
import subprocess
import sys

NAMES = ("coverage", "cosine", "phrase")


def search(program, store, questions, mode):
    lines = "".join(json.dumps({"query": q}) + "\n" for q in questions).encode()
    p = subprocess.run([program, "-n", "5", "--no-threshold", "--explain", "--mode", mode], input=lines,
                       env=dict(os.environ, BID_STORE=store), stdout=subprocess.PIPE)
    return [json.loads(line) for line in p.stdout.splitlines()]


def features(answer):
    scores = [m["scores"] for m in answer.get("matches", [])]
    return [1.0] + [max((s.get(n, 0) for s in scores), default=0) for n in NAMES], \
        bool(answer.get("explain", {}).get("narrowedToCompany"))


def half(name):
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2


def fit(rows):
    w = [0.0] * 4
    for _ in range(4000):
        g = [0.0] * 4
        for x, y, weight in rows:
            p = 1 / (1 + math.exp(-sum(a * b for a, b in zip(w, x))))
            for i in range(4):
                g[i] += weight * (y - p) * x[i]
        w = [a + 3 * b - (0.0005 * a if i else 0) for i, (a, b) in enumerate(zip(w, g))]
    return w


def main():
    program, sets = os.path.join(sys.argv[1], "bid-search"), list(zip(sys.argv[2::2], sys.argv[3::2]))
    here = os.path.dirname(os.path.abspath(__file__))
    offtopic = [line.strip() for line in open(os.path.join(here, "offtopic.txt"), encoding="utf-8")]
    for mode in ("hybrid", "text"):
        rows, kinds = [], []
        for store, questions in sets:
            asked = [json.loads(line) for line in open(questions, encoding="utf-8")]
            asked = [(q["query"], half(q["group"])) for q in asked[::max(1, len(asked) // 400)]]
            for y, list_ in ((1, asked), (0, [(q, i % 2) for i, q in enumerate(offtopic)])):
                for answer, part in zip(search(program, store, [q for q, _ in list_], mode), [h for _, h in list_]):
                    x, narrowed = features(answer)
                    rows.append((x, y, 1 / len(list_) / len(sets)))
                    kinds.append((store, y, narrowed, part))
        w = fit([row for row, k in zip(rows, kinds) if k[3] == 0])
        print(mode, "constant %.2f coverage %.2f cosine %.2f phrase %.2f" % tuple(w), "(fitted on one half, tested on the other)")
        chance = [1 / (1 + math.exp(-sum(a * b for a, b in zip(w, x)) - 2 * k[2])) for (x, _, _), k in zip(rows, kinds)]
        for least in (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4):
            cells = []
            for store, _ in sets:
                for y in (1, 0):
                    mine = [c for c, k in zip(chance, kinds) if k[0] == store and k[1] == y and k[3] == 1]
                    cells.append(sum((c >= least) == bool(y) for c in mine) / max(len(mine), 1))
            print("  at %.2f" % least, "  ".join("kept %.3f rejected %.3f" % pair for pair in zip(cells[::2], cells[1::2])))


main()
