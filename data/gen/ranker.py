#!/usr/bin/env python3
"""Fits the ranker: data/tables/rank_weights.tsv, from the questions of test/quality/analysts.

usage: ranker.py [--bin DIR] [--work DIR] [--l2 N] [--report | --ablate]

Questions are asked as people ask them: whom they are about is told by the plan (common/query/plan.h).  People who know a
report ask in its words: SILVER more questions are a few neighbouring words of a passage, half of them with the company's
first name ahead.  Without them whole sentences of the
question count too little.  offtopic.txt adds questions that no filing answers.

The parts PARTS are fitted on; the other parts are not read.  `test/bench/quality` builds the store;
bid-search --explain gives the features of the 100 best candidates of each question.  Three fits for each of hybrid and
text searches:

1. The order: weights w of the features x of candidates, so that of a question's candidates those that hold a gold quote
   have most of exp(w x) (softmax over candidates; the answers' shares add up), with a penalty of l2 on weights of
   standardised features; a feature's weight has the sign that rank_features.h says.  Once for those that are known before
   passages are read, over all candidates; once for all features, over the RANK_READ best by the first, as they are read, the
   sentences of the RANK_COMPARED best of these by all else compared.
2. The chance of a passage: a logistic function of that sum.
3. The chance that the question is answered at all: a logistic function of the answer's features, on all questions.

--report cross-validates: the order of each part, and the chance that its questions are answered, with weights fitted on the
other parts, since it is strangers who ask: what would be refused at several thresholds, and the reliability curve.  --ablate prints what each group of features is worth that way:
the questions with a right passage first, among five, and the mean reciprocal rank with and without it, with the 95 %
interval of the difference over filings; for the chance of an answer the area under the curve between questions with an
answer and those without, and how many of these are refused where 2 and 4 % of those are.  Neither
writes anything, and both look at the programs of --bin.  Without them the header is written, and the programs of this
checkout are built with it, twice: which candidates and silver questions there are to learn from depends on the weights, so
it begins with START and not with those of the last time.  The same questions, filings and model give the same bytes on
the same kind of machine: one thread, and four digits of a weight.  numpy.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np  # noqa: E402

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADER = os.path.join(TOP, "common", "search", "rank_features.h")
READ, COMPARED = (int(re.search(r"%s \(\(size_t\)(\d+)\)" % name, open(os.path.join(TOP, "common", "search", "rank.h"), encoding="utf-8").read()).group(1))
                  for name in ("RANK_READ", "RANK_COMPARED"))
WEIGHTS = os.path.join(TOP, "data", "tables", "rank_weights.tsv")
MODES = ("hybrid", "text")
ROUNDS = 2
STEPS, RATE = 400, 0.05
START = {"text": 1, "vector": 1, "coverage": 1}
SILVER, SEED = 100, 7
ANSWER_L2 = 1.0
PARTS = ("learn", "choose", "fresh", "fresh2", "fresh3", "fresh4", "fresh5", "fresh6", "fresh7", "learn2")
NEWEST = PARTS[-5:-1]
# The parts that teach the table; the others are judged alone.  With learn2 in it the chance of an answer relied on the company's
# name so far that a passage of it with hardly a word of the question passed.
FITTED = PARTS[:-1]
# Held, not fitted.  People's questions avoid the filing's words, so that they can't say what it is worth that all stand
# close together; this was fitted to with silver questions among them.  What measures are worth is what fits of all parts gave.
FIXED = {"whole": 2.5, "unstated": -1.8}


def temper():
    return float(re.search(r"RANK_CALIBRATION ([\d.]+)F", open(HEADER, encoding="utf-8").read()).group(1))


def feature_names():
    text = open(HEADER, encoding="utf-8").read()
    return (re.findall(r"^  F\((\w+), (\d), (-?\d),", text, re.M), re.findall(r"^  G\((\w+), (-?\d),", text, re.M))


def document_of(url):
    return url.rsplit("/", 1)[1]


def holds(match, gold):
    """As test/bench/quality: half of a quote or more."""
    return any(document_of(match["sourceUrl"]) == d and min(match["end"], e) - max(match["start"], s) >= max(1, (e - s) / 2)
               for d, s, e in gold)


def ask(programs, store, mode, questions):
    """Answers by the questions' ids, those that found anything."""
    lines = "".join(json.dumps({k: q[k] for k in ("id", "query", "entity") if q.get(k)}) + "\n" for q in questions)
    p = subprocess.run([os.path.join(programs, "bid-search"), "-q", "-n", "100", "--no-threshold", "--no-fold", "--explain",
                        "--mode", mode], input=lines.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                       env=dict(os.environ, BID_STORE=store))
    return {r["id"]: r for r in map(json.loads, p.stdout.splitlines()) if r.get("matches")}


def silver(questions, answers):
    """Questions in the words of passages that were found for the questions to be fitted on."""
    filings = {q["group"] for q in questions}
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


def load(programs, work, mode, names, answer_names):
    """[(question, candidates' features, whether each answers, the answer's features)]; no features: refused outright."""
    with open(os.path.join(work, "analysts.questions.ndjson"), encoding="utf-8") as f:
        questions = [json.loads(line) for line in f]
    store = os.path.join(work, "analysts.store")
    answers = ask(programs, store, mode, questions)
    more = silver(questions, answers) + offtopic()
    answers.update(ask(programs, store, mode, more))
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
    most = max(len(y) for _, y in sets)
    x, y = np.zeros((len(sets), most, len(columns)), np.float32), np.zeros((len(sets), most), bool)
    there = np.zeros((len(sets), most), bool)
    for i, (some, right) in enumerate(sets):
        x[i, :len(some)], y[i, :len(right)], there[i, :len(right)] = some / spread, right, True

    def gradient(w):
        s = np.where(there, x @ w.astype(np.float32), -np.inf)
        p = np.exp(s - s.max(1, keepdims=True))
        right = p * y
        share = right / right.sum(1, keepdims=True) - p / p.sum(1, keepdims=True)
        return (np.tensordot(share, x, ([0, 1], [0, 1])) - l2 * w) / len(sets)

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
    free = held == 0
    weights = held.copy()
    weights[free], constant = fit_logistic(x[:, free], y, ANSWER_L2, [int(s) for (_, s), f in zip(answering, free) if f], x @ held)
    return weights, constant


def read(data, early, order, names, mode):
    """The candidates that a search reads: the best by the early weights; of the best by the order without their sentences, and of
    the last one (None: of all), the cosines of sentences within their range, of others 0."""
    out, sentence = [], names.index("sentence")
    for q, x, y, a in data:
        best = np.argsort(-(x @ early), kind="stable")[:READ]
        x, y = x[best], y[best]
        if mode == "hybrid" and len(x):
            most = np.arange(len(x))
            if order is not None and len(x) > COMPARED:
                most = np.argsort(-(x @ order - order[sentence] * x[:, sentence]), kind="stable")
                most = np.append(most[:COMPARED - 1], most[-1])
            cosine = x[most, sentence]
            x[:, sentence] = 0
            x[most, sentence] = (cosine - cosine.min()) / (cosine.max() - cosine.min()) if cosine.max() > cosine.min() else 0
        out.append((q, x, y, a))
    return out


def fit_read(data, early, columns, l2, signs, names, mode):
    """The weights of all features: whose sentences are compared depends on them, so they are fitted again."""
    order = None
    for _ in range(ROUNDS + 1 if mode == "hybrid" else 1):
        order = fit_order(read(data, early, order, names, mode), columns, l2, signs)
    return order


def ranks(data, weights):
    out = []
    for _, x, y, _ in data:
        order = np.argsort(-(x @ weights), kind="stable")
        out.append(1 + int(np.argmax(y[order])) if y.any() else 999)
    return np.array(out)


def shares(r):
    return f"first {np.mean(r == 1):.3f}  five {np.mean(r <= 5):.3f}  MRR {np.mean(1 / r):.3f}"


def crossed(data, columns, early, l2, signs, names, mode):
    """(questions, ranks) of people's, each with weights fitted on the parts of other writers."""
    asked, out = [], []
    for part in PARTS:
        held = [d for d in of_people(data) if d[0]["part"] == part]
        rest = [d for d in data if d[0]["part"] in FITTED and d[0]["part"] != part]
        first = fit_order(rest, [i for i in early if i in columns], l2, signs)
        asked += [q for q, *_ in held]
        order = fit_read(rest, first, columns, l2, signs, names, mode)
        out.append(ranks(read(held, first, order, names, mode), order) if held else np.array([], int))
    return asked, np.concatenate(out)


GROUPS = {
    "BM25": "text",
    "the passage's cosine": "vector",
    "the nearest sentence": "sentence",
    "the document's period": "year_same quarter_same recent",
    "years in the passage": "years",
    "tables": "table_amount",
    "the thesaurus's phrases": "phrase",
    "the thesaurus's words": "expansion",
    "neighbouring words": "pair",
    "words of a line": "line",
    "share of words": "coverage",
    "dates": "dates",
}


def interval(groups, gains):
    draw, names = np.random.default_rng(1), sorted(set(groups))
    rows = {g: gains[[x == g for x in groups]] for g in names}
    means = [np.concatenate([rows[names[i]] for i in draw.integers(0, len(names), len(names))]).mean() for _ in range(1000)]
    return np.percentile(means, [2.5, 97.5])


def ablate(data, names, early, l2, signs, mode):
    every = list(range(len(names)))
    asked, whole = crossed(data, every, early, l2, signs, names, mode)
    groups = [q["group"] for q in asked]
    print(f"all: {shares(whole)}", flush=True)
    for title, members in GROUPS.items():
        left = members.split()
        ranks_without = crossed(data, [i for i in every if names[i] not in left], early, l2, signs, names, mode)[1]
        gains = 1 / whole - 1 / ranks_without
        low, high = interval(groups, gains)
        print(f"without {title}: {shares(ranks_without)}  gain {gains.mean():+.3f} [{low:+.3f} {high:+.3f}]", flush=True)


def answerable(data):
    return [d for d in data if d[0]["answerable"]]


def of_people(data):
    return [d for d in data if d[0]["sort"] != "silver"]


def answers(data, order, answer_names, left=None):
    """Features of answers, all but one that is left out, whether they are, the questions; the best sum is that of this order."""
    kept = [(q, a.copy(), x) for q, x, _, a in data if a is not None]
    for _, a, x in kept:
        a[answer_names.index("best")] = (x @ order).max()
    return np.array([a for _, a, _ in kept]) * [n != left for n in answer_names], np.array([q["answerable"] for q, *_ in kept], float), [q for q, *_ in kept]


def fit_chance(data, order, answering, left=None):
    x, y, _ = answers(of_people(data), order, [n for n, _ in answering], left)
    return fit_answer(x, y, answering)


def without(part, data):
    return [d for d in data if d[0]["part"] != part]


def orders_without(loaded, columns, l2, signs):
    """For each part the weights of both modes that the other parts teach; loaded: what is read."""
    return {part: {mode: fit_order(answerable(without(part, loaded[mode])), columns, l2, signs) for mode in MODES} for part in PARTS}


def by_writers(loaded, orders, mode, answering, left=None):
    """(questions of people that the plan lets through, their chances as rank_answer_chance() has them by what the other
    writers' parts teach; learn2 was not written for figures"""
    asked, chances, names = [], [], [n for n, _ in answering]
    for part in PARTS[:-1]:
        fits = [fit_chance(without(part, loaded[m]), orders[part][m], answering, left) for m in (mode, "text")]
        held = [d for d in of_people(loaded[mode]) if d[0]["part"] == part and not d[0]["id"].startswith("offtopic-")]
        x, _, questions = answers(held, orders[part][mode], names, left)
        asked += questions
        chances += list(1 / (1 + np.exp(-sum(x @ w + c for w, c in fits) / 2 / temper())))
    return asked, np.array(chances)


def apart(asked, p, sort):
    """How well chances tell what has an answer from questions of a sort: the area under the curve; refused where 2 %, 4 % are."""
    has = p[[q["answerable"] for q in asked]]
    none = p[[not q["answerable"] and q["sort"] == sort for q in asked]]
    return np.mean(has[:, None] > none), np.mean(none < np.quantile(has, 0.02)), np.mean(none < np.quantile(has, 0.04))


def ablate_answers(loaded, orders, mode, answering):
    """What each feature of an answer is worth, by writers left out: on all parts, and on the newest four."""
    for left in [None, *(n for n, _ in answering)]:
        asked, p = by_writers(loaded, orders, mode, answering, left)
        for title, parts in (("all", PARTS), ("newest", NEWEST)):
            mine = [q["part"] in parts for q in asked]
            there = [q for q, m in zip(asked, mine) if m]
            print(f"  without {left}, {title}: " + "  ".join("%s %.3f, refused %.2f, %.2f" % (sort, *apart(there, p[mine], sort))
                                                          for sort in ("content", "offtopic")), flush=True)


def report_answers(loaded, orders, mode, answering):
    """What would be refused at thresholds, and how often a chance holds, writers left out; questions that the plan refuses aside."""
    asked, p = by_writers(loaded, orders, mode, answering)
    y = np.array([q["answerable"] for q in asked])
    for low in (0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6):
        kinds = {}
        for q, chance in zip(asked, p):
            kinds.setdefault(q["sort"] if not q["answerable"] else "answerable", []).append(chance < low)
        print(f"  below {low}: " + "  ".join(f"{k} {sum(v)} of {len(v)}" for k, v in sorted(kinds.items())))
    for low, high in zip(EDGES, EDGES[1:]):
        inside = (p >= low) & (p < high)
        if inside.any():
            print(f"  chance {low:.2f} to {min(high, 1):.2f}: mean {p[inside].mean():.2f}, answered {y[inside].mean():.2f} of "
                  f"{inside.sum()}", flush=True)


EDGES = (0, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 1.01)


def literal(value):
    text = f"{value:.4g}"
    return text + ("F" if any(c in text for c in ".e") else ".0F")


def rows(name, members, weights):
    return "".join(f"{name}\t.{m} = {literal(w)}\n" for m, w in zip(members, weights) if w != 0) or f"{name}\t0\n"


def write_table(path, names, answer_names, fits):
    text = ("# Made by data/gen/ranker.py (`make ranker`), not to be edited: the weights of the features of rank_features.h.\n"
            "# lists\tWEIGHT\n")
    for part, members in (("early", names), ("order", names), ("answer", answer_names)):
        for mode in MODES:
            weights = fits[mode][part]
            text += rows(f"{part}_{mode}", members, weights[0] if part == "answer" else weights)
    text += "".join(rows(f"chance_{mode}", ("slope", "constant"), fits[mode]["chance"]) for mode in MODES)
    text += "".join(f"answer_constant_{mode}\t{literal(fits[mode]['answer'][1])}\n" for mode in MODES)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def fit_modes(options, work, features, answering):
    """What write_table() takes; or, with --report or --ablate, prints and returns None."""
    names, answer_names = [n for n, *_ in features], [n for n, _ in answering]
    signs = np.array([int(sign) for *_, sign in features])
    every = list(range(len(names)))
    early = [i for i, (_, known, _) in enumerate(features) if known == "1"]
    fits = {}
    found = {mode: load(options.bin, work, mode, names, answer_names) for mode in MODES}
    first = {mode: fit_order(answerable([d for d in found[mode] if d[0]["part"] in FITTED]), early, options.l2, signs) for mode in MODES}
    fitted = {mode: fit_read(answerable([d for d in found[mode] if d[0]["part"] in FITTED]), first[mode], every, options.l2, signs, names, mode)
              for mode in MODES}
    loaded = {mode: read(found[mode], first[mode], fitted[mode], names, mode) for mode in MODES}
    orders = orders_without(loaded, every, options.l2, signs) if options.ablate or options.report else None
    for mode in MODES:
        if options.ablate:
            ablate(answerable(found[mode]), names, early, options.l2, signs, mode)
            ablate_answers(loaded, orders, mode, answering)
            continue
        data = [d for d in loaded[mode] if d[0]["part"] in FITTED]
        learn = answerable(data)
        order = fitted[mode]
        sums = np.concatenate([x @ order for _, x, _, _ in learn])
        chance = fit_logistic(sums[:, None], np.concatenate([y for _, _, y, _ in learn]).astype(float), 0, [1])
        fits[mode] = {"order": order, "early": first[mode], "chance": (chance[0][0], chance[1]),
                      "answer": fit_chance(data, order, answering)}
        print(f"{mode}: fitted {shares(ranks(of_people(learn), order))}", flush=True)
        if options.report:
            asked, crossed_ranks = crossed(answerable(found[mode]), every, early, options.l2, signs, names, mode)
            for name in PARTS:
                print(f"  {name} by other writers: {shares(crossed_ranks[[q['part'] == name for q in asked]])}")
            report_answers(loaded, orders, mode, answering)
    return fits


def start(names, answer_names):
    weights = np.array([float(START.get(n, 0)) for n in names])
    return {mode: {"order": weights, "early": weights, "chance": (1.0, 0.0), "answer": (np.zeros(len(answer_names)), 0.0)}
            for mode in MODES}


def build():
    subprocess.run(["make", "-s", "-C", TOP, "all"], check=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bin", default=os.environ.get("BID_BIN") or os.path.join(TOP, "bin"))
    p.add_argument("--work")
    p.add_argument("--l2", type=float, default=10)
    p.add_argument("--ablate", action="store_true")
    p.add_argument("--report", action="store_true")
    options = p.parse_args()
    features, answering = feature_names()
    names, answer_names = [n for n, *_ in features], [n for n, _ in answering]
    with tempfile.TemporaryDirectory() as temporary:
        work = options.work or temporary
        subprocess.run([os.path.join(TOP, "test", "bench", "quality"), "--bin", options.bin, "--work", work, "--search=-n1",
                        os.path.join(TOP, "test", "quality", "analysts")], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        if options.ablate or options.report:
            fit_modes(options, work, features, answering)
            return
        fits = start(names, answer_names)
        for _ in range(ROUNDS):
            write_table(WEIGHTS, names, answer_names, fits)
            build()
            fits = fit_modes(options, work, features, answering)
        write_table(WEIGHTS, names, answer_names, fits)
        build()


if __name__ == "__main__":
    main()
