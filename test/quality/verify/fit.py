#!/usr/bin/env python3
"""Fits the weights of a line's signs (common/verify/match.c) and the odds beside them (claims.c), the odds of the rules and of what
besides tells whether a number is false (claims.c), and those of statements (claim_text.c).

    fit.py FOLDER-OF-PROGRAMS [--folds N]

The programs have to be built by make CC="cc -DCLAIMS_SIGNS": bid-verify then prints for each figure that has a number, and each other figure for
which the number could be meant, the differences of their signs.  The number is another line's with the probability of the most likely of
these; a sentence is flagged where one of its numbers is.  Sentences that another rule flags are left out.  The weights are those of
a logistic regression with a penalty on their size, on all sets together; before, each of N (5) groups of sets is held out in turn,
and the errors on what was held out are printed.  A statement without numbers has one sum of signs; the sets that have some are held out in turn.
A number has the odds of its rule and of its signs; of its sentence the most likely one counts, and ten groups of sets are held out in turn.
"""
import json
import math
import os
import subprocess
import sys

import measure

SIGNS = "OWN OTHER LOST PLACE PLACE_LOST ABOVE RIVALS YEAR DAY TOTAL CHANGE OPPOSITE NAME".split()
BESIDE = ["another", "bare", "column"]
WIDTH = len(SIGNS) + len(BESIDE)
STATEMENT = "odds NAME DAY SAME_DAY MUCH AS_MUCH NOT BUT_NOT WAY SAME_WAY".split()
STATEMENT_FALSE, STATEMENT_MOST = .4, 2  # as in claim_text.c
RULES = "quoted company span year sign line loose value computed currency likely other none".split()
ODDS = "HEDGE PART YEAR WORDS SCORE RIVAL OTHERS".split()
NUMBER_FALSE = -.2  # as in claims.c


def samples_of(programs, name, statements, told):
    """Per sentence: whether it is false, and for each number the signs of its rivals, of tables in the second half.  Statements are appended, and
    sentences with numbers: for each the rule, and the signs, of numbers that a figure has in the second half."""
    env = dict(os.environ, BID_STORE="/nonexistent/store")
    for false, _, sentence, passage in measure.written(programs, name):
        record = json.dumps({"answer": sentence, "matches": [dict(passage, rank=1)]}).encode()
        ran = subprocess.run([programs + "/bid-verify", "--quiet"], input=record, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        numbers, rivals = json.loads(ran.stdout)["numbers"], {}
        decided = {}
        for _, number, rule, found, *x in (line.split() for line in ran.stderr.decode().splitlines() if line.startswith("number ")):
            x, none = [float(value) for value in x], [0.0] * len(ODDS)
            x[-1] = x[-1] if found == "1" else 0.0
            decided[number] = [[float(k == int(rule)) for k in range(len(RULES))] + (none + x if found == "1" else x + none)]
        if decided:
            told.append((false, list(decided.values())))
        if any(n["verdict"] in ("contradicted", "unsupported") and n.get("how") != "other line" for n in numbers):
            continue
        for line in ran.stderr.decode().splitlines():
            if line.startswith("statement ") and not numbers:
                statements.append((false, [[[1.0] + [min(float(x), STATEMENT_MOST) for x in line.split()[1:]]]]))
            if not line.startswith("signs "):
                continue
            number, table, *beside = line.split()[1:5]
            x = [float(value) for value in line.split()[5:]] + [1.0] + [float(value) for value in beside]
            rivals.setdefault(number, []).append([0.0] * WIDTH + x if table == "1" else x + [0.0] * WIDTH)
        if rivals:
            yield false, list(rivals.values())


def most_likely(weights, rivals):
    scored = [(sum(w * value for w, value in zip(weights, x) if value), x) for x in rivals]
    z, x = max(scored, key=lambda pair: pair[0])
    return 1 / (1 + math.exp(-max(-30, min(30, z)))), x


def flagged(weights, numbers):
    return 1 - math.prod(1 - most_likely(weights, rivals)[0] for rivals in numbers)


def fit(samples, weights=None, rounds=120, rate=.08, penalty=.5):
    weights = list(weights or (1 if i % WIDTH == 0 else -1 if i % WIDTH == len(SIGNS) else 0 for i in range(2 * WIDTH)))
    mean, square = [0.0] * len(weights), [0.0] * len(weights)
    for turn in range(1, rounds + 1):
        slope = [penalty * w for w in weights]
        for false, numbers in samples:
            best = [most_likely(weights, rivals) for rivals in numbers]
            passed = math.prod(1 - p for p, _ in best)
            for p, x in best:
                pull = p if not false else -p * passed / max(1 - passed, 1e-6)
                for i, value in enumerate(x):
                    if value:
                        slope[i] += pull * value
        for i, g in enumerate(slope):
            mean[i] = .9 * mean[i] + .1 * g
            square[i] = .99 * square[i] + .01 * g * g
            weights[i] -= rate * mean[i] / (1 - .9 ** turn) / (math.sqrt(square[i] / (1 - .99 ** turn)) + 1e-8)
    return weights


def fit_statements(sets):
    """sets: lists of statements, the false ones flagged from STATEMENT_FALSE on."""
    start, held = [0.0] * len(STATEMENT), []
    for name in sets:
        weights = fit([s for other in sets if other != name for s in sets[other]], start)
        held += [(false, sum(w * x for w, x in zip(weights, numbers[0][0]))) for false, numbers in sets[name]]
    print("statements held out: %d, of %d true ones %d flagged, of false ones %d passed" % (
        len(held), sum(not false for false, _ in held), sum(not false and z > STATEMENT_FALSE for false, z in held),
        sum(false and z <= STATEMENT_FALSE for false, z in held)))
    print("statements", " ".join("%s %.2f" % pair for pair in zip(STATEMENT, fit([s for name in sets for s in sets[name]], start))))


def fit_numbers(sets, folds=10):
    """sets: lists of sentences, whose numbers are false from NUMBER_FALSE on."""
    names, start, held = sorted(sets), [0.0] * (len(RULES) + 2 * len(ODDS)), []
    rows = [of[0] for name in names for _, numbers in sets[name] for of in numbers]
    spread = [1e-3 + math.sqrt(max(0, sum(x * x for x in column) / len(rows) - (sum(column) / len(rows)) ** 2)) for column in zip(*rows)]

    def fitted(chosen):  # the penalty is on weights of signs of one spread
        even = [(false, [[[x / s for x, s in zip(of[0], spread)]] for of in numbers]) for name in chosen for false, numbers in sets[name]]
        return [w / s for w, s in zip(fit(even, start, rounds=300, rate=.05, penalty=5), spread)]

    for fold in range(folds):
        weights = fitted([name for i, name in enumerate(names) if i % folds != fold])
        held += [(false, max(sum(w * x for w, x in zip(weights, of[0])) for of in numbers))
                 for name in names[fold::folds] for false, numbers in sets[name]]
    print("numbers held out: of %d true sentences %d flagged, of %d false ones %d passed" % (
        sum(not false for false, _ in held), sum(not false and z > NUMBER_FALSE for false, z in held),
        sum(false for false, _ in held), sum(false and z <= NUMBER_FALSE for false, z in held)))
    weights = fitted(names)
    print("rules", " ".join("%s %.2f" % pair for pair in zip(RULES, weights)))
    for half, what in enumerate(("numbers that no figure has", "that one has")):
        print(what, " ".join("%s %.2f" % pair for pair in zip(ODDS, weights[len(RULES) + half * len(ODDS):])))


def main(argv):
    programs, folds = os.path.abspath(argv[0]), int(argv[argv.index("--folds") + 1]) if "--folds" in argv else 5
    names = sorted(f[:-4] for f in os.listdir(measure.HERE) if f.endswith(".tsv") and f != "sentences.tsv")
    statements, told = {name: [] for name in names}, {name: [] for name in names}
    sets = {name: list(samples_of(programs, name, statements[name], told[name])) for name in names}
    fit_numbers(told)
    fit_statements({name: found for name, found in statements.items() if found})
    held = []
    for fold in range(folds):
        weights = fit([s for i, name in enumerate(names) if i % folds != fold for s in sets[name]])
        held += [(false, flagged(weights, numbers)) for i, name in enumerate(names) if i % folds == fold for false, numbers in sets[name]]
    print("held out: %d sentences, of true ones %d flagged, of false ones %d passed" % (
        len(held), sum(not false and p >= .5 for false, p in held), sum(false and p < .5 for false, p in held)))
    weights = fit([s for name in names for s in sets[name]])
    for half, what in enumerate(("sentences", "tables")):
        print(what, " ".join("%s %.2f" % pair for pair in zip(SIGNS + BESIDE, weights[half * WIDTH:])))


if __name__ == "__main__":
    main(sys.argv[1:])
