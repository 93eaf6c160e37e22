#!/usr/bin/env python3
"""Fit the relevance estimate of common/search/rank.c, and say what its threshold keeps and refuses.

usage: relevance.py BIN STORE QUESTIONS [STORE QUESTIONS]...     (what test/bench/quality --work DIR left there)

Answerable questions are the given ones, unanswerable ones those of offtopic.txt, which are about something else, and of
elsewhere.txt, which ask about companies none of whose filings are there.  For the fit each counts by its best
passage's coverage, cosine and phrase score, besides what the question itself says (question_odds() in rank.c), and
elsewhere.txt doesn't count; both kinds and all sets weigh the same.  Half is for fitting: documents are parted, with all
their questions, and the lists line by line.  "As built" is what bid-search says with its own constants: all questions, and
the half that is not for fitting.  Standard library only.
"""
import hashlib
import json
import math
import os
import subprocess
import sys

NAMES = ("coverage", "cosine", "phrase")
NARROWED, FAMILIAR, UNFAMILIAR = 2.5, 0.5, -1.0
HERE = os.path.dirname(os.path.abspath(__file__))


def search(program, store, questions, mode, *more):
    lines = "".join(json.dumps({"query": q}) + "\n" for q in questions).encode()
    p = subprocess.run([program, "-q", "-n", "5", "--explain", "--mode", mode, *more], input=lines,
                       env=dict(os.environ, BID_STORE=store), stdout=subprocess.PIPE)
    return [json.loads(line) for line in p.stdout.splitlines()]


def features(answer):
    scores, explain = [m["scores"] for m in answer.get("matches", [])], answer.get("explain", {})
    familiar = explain.get("years") or any(n.startswith("thesaurus") for n in explain.get("routing", []))
    odds = NARROWED if explain.get("narrowedToCompany") else FAMILIAR if familiar else UNFAMILIAR
    return [1.0] + [max((s.get(n, 0) for s in scores), default=0) for n in NAMES], odds


def half(name):
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2


def fit(rows):
    w = [0.0] * 4
    for _ in range(4000):
        g = [0.0] * 4
        for x, odds, y, weight in rows:
            p = 1 / (1 + math.exp(-sum(a * b for a, b in zip(w, x)) - odds))
            for i in range(4):
                g[i] += weight * (y - p) * x[i]
        w = [a + 3 * b - (0.0005 * a if i else 0) for i, (a, b) in enumerate(zip(w, g))]
    return w


def listed(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return [(line.strip(), i % 2) for i, line in enumerate(f)]


def share(answers, parts, wanted, part):
    mine = [bool(a.get("matches")) == wanted for a, p in zip(answers, parts) if part in (None, p)]
    return sum(mine) / max(len(mine), 1)


def main():
    program, sets = os.path.join(sys.argv[1], "bid-search"), list(zip(sys.argv[2::2], sys.argv[3::2]))
    offtopic, elsewhere = listed("offtopic.txt"), listed("elsewhere.txt")
    for mode in ("hybrid", "text"):
        rows, lines = [], []
        for store, questions in sets:
            asked = [json.loads(line) for line in open(questions, encoding="utf-8")]
            asked = [(q["query"], half(q["group"])) for q in asked[::max(1, len(asked) // 400)]]
            cells = []
            for name, y, list_ in (("kept", 1, asked), ("refused", 0, offtopic), ("elsewhere refused", 0, elsewhere)):
                texts, parts = zip(*list_)
                if list_ is not elsewhere:
                    for answer, part in zip(search(program, store, texts, mode, "--no-threshold"), parts):
                        if part == 0:
                            rows.append((*features(answer), y, 1 / len(list_) / len(sets)))
                answers = search(program, store, texts, mode)
                cells.append("%s %.3f (%.3f)" % (name, share(answers, parts, bool(y), None), share(answers, parts, bool(y), 1)))
            lines.append("  %s: %s" % (os.path.basename(store), ", ".join(cells)))
        print(mode, "constant %.2f coverage %.2f cosine %.2f phrase %.2f" % tuple(fit(rows)))
        print("  as built, all questions and in brackets those not for fitting:", *lines, sep="\n")


main()
