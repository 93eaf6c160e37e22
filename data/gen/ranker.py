#!/usr/bin/env python3
"""Fits the ranker: common/search/rank_weights.h, from the questions of test/quality/analysts.

usage: ranker.py [--bin DIR] [--work DIR] [--l2 N] [--out FILE] [--report] [--ablate]

Whom a question is about is told by the plan (common/query/plan.h), which has a benchmark of its own: here the questions
that name their company are asked of it alone.  People who know a report ask in its words: SILVER more questions are a few neighbouring words of a passage of the part's
filings, half of them with the company's first name ahead.  Without them whole sentences of the question count too little.
offtopic.txt adds questions that no filing answers.

Only the part "learn" is fitted on; "choose" is printed beside, for what is chosen by hand (--l2, what is a feature);
"final" is not read.  `test/bench/quality` builds the store; bid-search --explain gives the features of the 100 best
candidates of each question.  Three fits for each of hybrid and text searches:

1. The order: weights w of the features x of candidates, so that of a question's candidates those that hold a gold quote
   have most of exp(w x) (softmax over candidates; the answers' shares add up), with a penalty of l2 on weights of
   standardised features; a feature's weight has the sign that rank_features.h says.  Once for all features and once for those that are known before passages are read.
2. The chance of a passage: a logistic function of that sum.
3. The chance that the question is answered at all: a logistic function of the answer's features, on all questions.

--report also cross-validates: each filing's questions with weights fitted on the others.  --ablate prints what each group
of features is worth that way (nothing is written): the questions with a right passage first, among five, and the mean reciprocal
rank with and without it, with the 95 % interval of the difference over filings.  Deterministic; numpy.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADER = os.path.join(TOP, "common", "search", "rank_features.h")
MODES = ("hybrid", "text")
STEPS, RATE = 400, 0.05
SILVER, SEED = 100, 7
ANSWER_L2 = 1.0
# Not fitted: with the company known, too few questions of people name what no document holds.  -3 takes a sure answer
# to an unsure one, and an unsure one to none.
FIXED = {"name_nowhere": -3.0}


def feature_names():
    text = open(HEADER, encoding="utf-8").read()
    return (re.findall(r"^  F\((\w+), (\d), (-?\d),", text, re.M), re.findall(r"^  G\((\w+), (-?\d),", text, re.M))


def document_of(url):
    return url.rsplit("/", 1)[1]


def holds(match, gold):
    """As test/bench/quality: half of a quote or more."""
    return any(document_of(match["sourceUrl"]) == d and min(match["end"], e) - max(match["start"], s) >= max(1, (e - s) / 2)
               for d, s, e in gold)


def ask(programs, work, mode, questions):
    """Answers by the questions' ids, those that found anything."""
    lines = "".join(json.dumps({k: q[k] for k in ("id", "query", "entity") if q.get(k)}) + "\n" for q in questions)
    p = subprocess.run([os.path.join(programs, "bid-search"), "-q", "-n", "100", "--no-threshold", "--no-fold", "--explain",
                        "--mode", mode], input=lines.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                       env=dict(os.environ, BID_STORE=os.path.join(work, "analysts.store")))
    return {r["id"]: r for r in map(json.loads, p.stdout.splitlines()) if r.get("matches")}


def silver(questions, answers):
    """Questions in the words of passages that were found for the questions to be fitted on."""
    filings = {q["group"] for q in questions if q["part"] == "learn"}
    found = {m["id"]: m for r in answers.values() for m in r["matches"] if document_of(m["sourceUrl"]) in filings}
    draw, out = random.Random(SEED), []
    for _, m in sorted(found.items(), key=lambda item: draw.random()):
        parts = [p for p in re.split(r"[\n|]|(?<=[.;]) ", m["text"]) if len(re.findall(r"[A-Za-z]{3,}", p)) >= 3]
        words = re.findall(r"[A-Za-z][A-Za-z'’-]+", draw.choice(parts)) if parts else []
        at, count = draw.randrange(len(words) or 1), draw.randint(3, 7)
        some = [w.lower() for w in words[at:at + count] if draw.random() > 0.2]
        if len(some) < 2:
            continue
        name = m["company"].split()[0] + " " if draw.random() < 0.5 else ""
        document = document_of(m["sourceUrl"])
        out.append({"id": f"silver-{len(out)}", "query": name + " ".join(some), "part": "learn", "group": document,
                    "answerable": True, "sort": "silver", "gold": [[document, m["start"], m["end"]]]})
        if len(out) == SILVER:
            break
    return out


def offtopic():
    path = os.path.join(TOP, "test", "quality", "offtopic.txt")
    return [{"id": f"offtopic-{i}", "query": line.strip(), "part": "learn", "group": "", "answerable": False,
             "sort": "offtopic", "gold": []} for i, line in enumerate(open(path, encoding="utf-8"))]


def companies():
    path = os.path.join(TOP, "test", "quality", "analysts", "filings.tsv")
    return {key: cik for key, _, _, _, cik, *_ in (line.split("\t") for line in open(path, encoding="utf-8"))}


def routed(question, ciks):
    named = question["answerable"] and question["naming"] in ("company", "period")
    return {**question, "entity": ciks[question["group"]]} if named else question


def load(programs, work, mode, names, answer_names):
    """[(question, candidates' features, whether each answers, the answer's features)]; no features: refused outright."""
    ciks = companies()
    with open(os.path.join(work, "analysts.questions.ndjson"), encoding="utf-8") as f:
        questions = [routed(json.loads(line), ciks) for line in f]
    answers = ask(programs, work, mode, questions)
    more = silver(questions, answers) + offtopic()
    answers.update(ask(programs, work, mode, more))
    out = []
    for q in questions + more:
        r = answers.get(q["id"])
        matches = r["matches"] if r else []
        x = np.array([[m["scores"]["features"][n] for n in names] for m in matches]).reshape(len(matches), len(names))
        y = np.array([holds(m, q["gold"]) for m in matches], bool)
        out.append((q, x, y, np.array([r["explain"]["answer"][n] for n in answer_names]) if r else None))
    return out


def adam(gradient, signs):
    """The weights, of which those with a sign keep it."""
    size, signs = len(signs), np.array(signs, int)
    w, m, v = np.zeros(size), np.zeros(size), np.zeros(size)
    for t in range(1, STEPS + 1):
        g = gradient(w)
        m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
        w += RATE * (0.2 if t > STEPS * 0.6 else 1) * (m / (1 - 0.9 ** t)) / (np.sqrt(v / (1 - 0.99 ** t)) + 1e-8)
        w[w * signs < 0] = 0
    return w


def fit_order(data, columns, l2, signs):
    """Weights of all features, 0 for those that aren't in columns."""
    sets = [(x[:, columns], y) for _, x, y, _ in data if 0 < y.sum() < len(y)]
    spread = np.concatenate([x for x, _ in sets]).std(0)
    spread[spread < 1e-6] = np.inf
    sets = [(x / spread, y) for x, y in sets]

    def gradient(w):
        total = -l2 * w
        for x, y in sets:
            s = x @ w
            p = np.exp(s - s.max())
            right = p * y
            total = total + x.T @ (right / right.sum() - p / p.sum())
        return total / len(sets)

    weights = np.zeros(data[0][1].shape[1] if len(data) else 0)
    weights[columns] = adam(gradient, signs[columns]) / spread
    return weights


def fit_logistic(x, y, l2, signs, offset=0):
    """(weights, constant), beside what is given of the sum"""
    middle, spread = x.mean(0), x.std(0)
    spread[spread < 1e-6] = np.inf
    x = np.hstack([(x - middle) / spread, np.ones((len(x), 1))])
    penalty = np.append(np.full(x.shape[1] - 1, l2), 0)
    w = adam(lambda w: (x.T @ (y - 1 / (1 + np.exp(-(x @ w + offset)))) - penalty * w) / len(x), [*signs, 0])
    return w[:-1] / spread, w[-1] - (w[:-1] * middle / spread).sum()


def fit_answer(x, y, answering):
    """As fit_logistic(), with FIXED weights held."""
    held = np.array([FIXED.get(n, 0.0) for n, _ in answering])
    weights, constant = fit_logistic(x, y, ANSWER_L2, [int(sign) for _, sign in answering], x @ held)
    return weights * (held == 0) + held, constant


def ranks(data, weights):
    out = []
    for _, x, y, _ in data:
        order = np.argsort(-(x @ weights), kind="stable")
        out.append(1 + int(np.argmax(y[order])) if y.any() else 999)
    return np.array(out)


def shares(r):
    return f"first {np.mean(r == 1):.3f}  five {np.mean(r <= 5):.3f}  MRR {np.mean(1 / r):.3f}"


def crossed(data, columns, l2, signs):
    out = []
    for group in sorted({q["group"] for q, *_ in data}):
        weights = fit_order([d for d in data if d[0]["group"] != group], columns, l2, signs)
        out.append(ranks(of_people([d for d in data if d[0]["group"] == group]), weights))
    return np.concatenate(out)


GROUPS = {
    "ranks in both searches": "text_rank vector_rank",
    "cosine": "vector vector_rank",
    "what lies around": "document neighbour",
    "the document's period": "year_same year_next year_other quarter_same quarter_other annual recent",
    "years in the passage": "years",
    "form": "form_asked",
    "boilerplate, lists": "boilerplate aside",
    "statements": "statement_asked statement_named statement_other titled",
    "reasons": "causes causes_other table_cause",
    "tables": "table_amount table_cause table_other line_amount",
    "thesaurus": "phrase phrase_amount expansion",
    "closeness": "near line line_amount pair",
    "share of words": "coverage body context rare ideal",
    "place and length": "position brief",
}


def interval(groups, gains):
    draw, names = np.random.default_rng(1), sorted(set(groups))
    rows = {g: gains[[x == g for x in groups]] for g in names}
    means = [np.concatenate([rows[names[i]] for i in draw.integers(0, len(names), len(names))]).mean() for _ in range(1000)]
    return np.percentile(means, [2.5, 97.5])


def ablate(learn, names, l2, signs):
    every = list(range(len(names)))
    whole = crossed(learn, every, l2, signs)
    groups = [g for g in sorted({q["group"] for q, *_ in learn}) for q, *_ in of_people(learn) if q["group"] == g]
    print(f"all: {shares(whole)}", flush=True)
    for title, members in GROUPS.items():
        left = members.split()
        ranks_without = crossed(learn, [i for i in every if names[i] not in left], l2, signs)
        gains = 1 / whole - 1 / ranks_without
        low, high = interval(groups, gains)
        print(f"without {title}: {shares(ranks_without)}  gain {gains.mean():+.3f} [{low:+.3f} {high:+.3f}]", flush=True)


def part(data, name, answerable=True):
    return [d for d in data if d[0]["part"] == name and (d[0]["answerable"] or not answerable)]


def of_people(data):
    return [d for d in data if d[0]["sort"] != "silver"]


def answers(data):
    kept = [(q, a) for q, _, _, a in data if a is not None]
    return np.array([a for _, a in kept]), np.array([q["answerable"] for q, _ in kept], float), [q for q, _ in kept]


def report_answers(data, weights, constant):
    for name in ("learn", "choose"):
        x, y, questions = answers(of_people(part(data, name, False)))
        p = 1 / (1 + np.exp(-(x @ weights + constant)))
        for low in (0.15, 0.25, 0.35, 0.5):
            kinds = {}
            for q, chance in zip(questions, p):
                kinds.setdefault(q["sort"] if not q["answerable"] else "answerable", []).append(chance < low)
            print(f"  {name} below {low}: " + "  ".join(f"{k} {np.mean(v):.3f} of {len(v)}" for k, v in sorted(kinds.items())))
        edges = [0, 0.25, 0.5, 0.75, 0.9, 0.97, 1.01]
        print(f"  {name} reliability: " + "  ".join(
            f"{a:.2f}-{min(b, 1):.2f}: {y[(p >= a) & (p < b)].mean():.2f} of {((p >= a) & (p < b)).sum()}"
            for a, b in zip(edges, edges[1:]) if ((p >= a) & (p < b)).any()))


def literal(value):
    text = f"{value:.4g}"
    return text + ("F" if any(c in text for c in ".e") else ".0F")


def braces(names, weights):
    return "    {" + ", ".join(f".{n} = {literal(w)}" for n, w in zip(names, weights) if w != 0) + "},\n"


def write_header(path, names, answer_names, fits):
    both = [fits[m] for m in MODES]
    text = ("/* rank_weights.h: made by data/gen/ranker.py; not to be edited. */\n#ifndef BID_RANK_WEIGHTS_H\n"
            '#define BID_RANK_WEIGHTS_H\n\n#include "search/rank_features.h"\n\n'
            "static const struct rank_features rank_weights_early[RANK_MODEL_COUNT] = {\n"
            + "".join(braces(names, f["early"]) for f in both)
            + "};\n\nstatic const struct rank_features rank_weights[RANK_MODEL_COUNT] = {\n"
            + "".join(braces(names, f["order"]) for f in both)
            + "};\n\nstatic const struct {\n  float slope, constant;\n} rank_chance[RANK_MODEL_COUNT] = {"
            + ", ".join("{%s, %s}" % tuple(map(literal, f["chance"])) for f in both)
            + "};\n\nstatic const struct rank_answer_features rank_answer_weights[RANK_MODEL_COUNT] = {\n"
            + "".join(braces(answer_names, f["answer"][0]) for f in both)
            + "};\n\nstatic const float rank_answer_constant[RANK_MODEL_COUNT] = {"
            + ", ".join(literal(f["answer"][1]) for f in both) + "};\n\n#endif\n")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    subprocess.run(["clang-format", "-i", path], check=False)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bin", default=os.environ.get("BID_BIN") or os.path.join(TOP, "bin"))
    p.add_argument("--work")
    p.add_argument("--l2", type=float, default=10)
    p.add_argument("--out", default=os.path.join(TOP, "common", "search", "rank_weights.h"))
    p.add_argument("--ablate", action="store_true")
    p.add_argument("--report", action="store_true")
    options = p.parse_args()
    features, answering = feature_names()
    names, answer_names = [n for n, *_ in features], [n for n, _ in answering]
    signs = np.array([int(sign) for *_, sign in features])
    every = list(range(len(names)))
    early = [i for i, (_, known, _) in enumerate(features) if known == "1"]
    with tempfile.TemporaryDirectory() as temporary:
        work, fits = options.work or temporary, {}
        subprocess.run([os.path.join(TOP, "test", "bench", "quality"), "--bin", options.bin, "--work", work, "--search=-n1",
                        os.path.join(TOP, "test", "quality", "analysts")], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        for mode in MODES:
            data = load(options.bin, work, mode, names, answer_names)
            learn = part(data, "learn")
            if options.ablate:
                ablate(learn, names, options.l2, signs)
                return
            order = fit_order(learn, every, options.l2, signs)
            sums = np.concatenate([x @ order for _, x, _, _ in learn])
            chance = fit_logistic(sums[:, None], np.concatenate([y for _, _, y, _ in learn]).astype(float), 0, [1])
            x, y, _ = answers(part(data, "learn", False))
            fits[mode] = {"order": order, "early": fit_order(learn, early, options.l2, signs), "chance": (chance[0][0], chance[1]),
                          "answer": fit_answer(x, y, answering)}
            print(f"{mode}: learn {shares(ranks(of_people(learn), order))}   choose {shares(ranks(part(data, 'choose'), order))}"
                  + (f"   by filing {shares(crossed(learn, every, options.l2, signs))}" if options.report else ""), flush=True)
            if options.report:
                report_answers(data, *fits[mode]["answer"])
        write_header(options.out, names, answer_names, fits)


main()
