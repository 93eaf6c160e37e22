#!/usr/bin/env python3
"""How well bid-verify tells true numbers from falsified ones.

    measure.py FOLDER-OF-PROGRAMS [--show] [--all|--second|--third|--last|--fourth|--fifth|--sixth|...]

200 sentences, each with one number that is true or falsified and a passage that it cites: written by hand
(sentences.tsv, about the filings of data/sample), and made out of the statements of recorded filings (which need
../shared).  Of a made sentence the figure is exact, rounded, in another scale or in parentheses; falsified ones have
another digit, another scale, the figure of another year or of another line.  A sentence is flagged where bid-verify says
contradicted or unsupported.  Precision is the part of flagged sentences that are falsified, recall the part of
falsified ones that are flagged.  --second: the 129 sentences of second.tsv instead, written by hand over other recorded
filings, with other periods, signs and units among the falsehoods.  --third, --last: the 120 and the 60 of third.tsv and
last.tsv, written over yet others before the program was read.  --fourth, --fifth: 60 each over six more; --sixth: 70 by a writer who had
not read the program; --seventh: 70 by another; --eighth, --ninth, --tenth, --twelfth: 264 more, each set written before a round of
mending; --eleventh: 70 by yet another; --thirteenth: 70 by one more; --fourteenth: 100 by
another again, plain for the most part; --fifteenth: 110 plain ones by whoever mended; --sixteenth: 100 by another, as
answers have them; --seventeenth: 100 by one more, spent; --eighteenth: 73 by whoever mended;
--nineteenth, --twentieth: 200 everyday ones each, by one who had not read the program; --twentyfirst: 200, half of the true ones computed or paraphrased; --twentysecond: 307 by whoever mended; --twentythird, --twentyfourth: 200 each as analysts, journalists and models write, by one who had not read the program; --twentyfifth to --twentyninth: 200 more each, by others who had not.  Passages are of the length that bid-chunk cuts by default; --short: of 256 tokens instead, for which most sentences were judged.
--all: all sets together but LATER, which are asked by their names.  Status 1 where precision, recall or the number of unsure ones is worse than LEAST says.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
SHARED = os.path.join(os.environ.get("BID_SHARED") or os.path.join(os.path.dirname(ROOT), "shared"), "upstream")
FILINGS = ["www.sec.gov/Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm",
           "www.sec.gov/Archives/edgar/data/1318605/000162828025003063/tsla-20241231.htm",
           "filings/amzn/10-K-2025-02-07.htm", "filings/nflx/10-K-2025-01-27.htm"]
MADE = 160
LATER = ("thirtieth", "thirtyfirst", "thirtysecond", "thirtythird")  # newer than LEAST
LEAST = .8856, .8901, 212  # precision, recall and unsure ones of all sets together
CUT = ["--tokens=256"] if "--short" in sys.argv else []


def run(*call, data=None):
    return subprocess.run(call, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def passages_of(programs, path):
    document = run(programs + "/bid-strip", "--raw", path)
    return [json.loads(line) for line in run(programs + "/bid-chunk", *CUT, data=document).splitlines()]


def spoken(value, how):
    """A figure in whole dollars as people write it."""
    size, sign = abs(value), "-" if value < 0 else ""
    if how == "exact":
        return "%s$%s million" % (sign, format(size / 1e6, ",.0f") if size % 1e6 == 0 else format(size / 1e6, ",.3f"))
    if how == "rounded":
        return "%s$%.1f billion" % (sign, size / 1e9) if size >= 1e9 else "%s$%.0f million" % (sign, size / 1e6)
    if how == "rescaled":
        return "%s$%s thousand" % (sign, format(size / 1e3, ",.0f"))
    return "(%s) million dollars" % format(size / 1e6, ",.0f") if value < 0 else "$%s" % format(size, ",.0f")


def another_digit(rng, value):
    """One of the first two digits changed: by more than any rounding hides."""
    digits = list(str(abs(value)))
    place = rng.choice([0, 1]) if len(digits) > 4 else 0
    digits[place] = rng.choice([d for d in "123456789" if d != digits[place]])
    return int("".join(digits)) * (-1 if value < 0 else 1)


def distinct(a, b):
    return abs(abs(a) - abs(b)) > 0.12 * max(abs(a), abs(b))


def statement_lines(programs, path):
    lines = []
    for which in ("income", "balance", "cash"):
        for line in run(programs + "/bid-facts", "--json", "--from", path, "--statement", which).splitlines():
            row = json.loads(line)
            words = re.findall("[a-z]+", row["label"].lower())
            if row["unit"] == "USD" and abs(row["value"]) >= 1e8 and len(words) >= 2 and not row.get("opening"):
                lines.append(row)
    return lines


def cited(passages, row):
    """The passage whose table has the row."""
    printed = format(abs(int(row["presented"])) // 1000000, ",")
    for p in passages:
        for line in p["text"].splitlines():
            if line.startswith("| " + row["label"]) and (printed in line or format(abs(int(row["presented"])) // 1000, ",") in line):
                return p
    return None


TEMPLATES = ["%(label)s came to %(number)s in fiscal %(year)d [1].", "In %(year)d, %(label)s was %(number)s [1].",
             "The company reported %(label)s of %(number)s for %(year)d [1].",
             "For %(year)d it shows %(number)s of %(label)s [1]."]


def falsified(rng, lines, row):
    kind = rng.choice(["digit", "scale", "year", "line"])
    value = int(row["presented"])
    if kind == "digit":
        return kind, another_digit(rng, value)
    if kind == "scale":
        return kind, value * 1000 if abs(value) < 1e10 else value // 1000
    others = [int(x["presented"]) for x in lines
              if (x["label"] == row["label"] and x["fiscalYear"] != row["fiscalYear"] if kind == "year"
                  else x["label"] != row["label"] and x["fiscalYear"] == row["fiscalYear"]
                  and x["statement"] == row["statement"])]
    others = [x for x in others if distinct(x, value)]
    return (kind, rng.choice(others)) if others else ("digit", another_digit(rng, value))


def made(programs, rng):
    pools = []
    for path in FILINGS:
        path = os.path.join(SHARED, path)
        passages = passages_of(programs, path)
        lines = [(row, cited(passages, row)) for row in statement_lines(programs, path)]
        pools.append([(row, p) for row, p in lines if p])
    for i in range(MADE):
        pool = pools[i % len(pools)]
        row, passage = rng.choice(pool)
        false = i % 2 == 1
        kind, value = falsified(rng, [r for r, _ in pool], row) if false else ("true", int(row["presented"]))
        how = rng.choice(["exact", "rounded", "rescaled", "plain"])
        label = re.sub(r"\s*\(.*?\)", "", row["label"])
        text = rng.choice(TEMPLATES) % {"label": label, "number": spoken(value, how), "year": int(row["end"][:4])}
        yield false, kind + " " + how, text, passage


def by_hand(programs):
    with tempfile.TemporaryDirectory() as folder:
        documents = b"".join(run(programs + "/bid-strip", data=run(programs + "/bid-fetch", "--quiet", "file", os.path.join(ROOT, "data/sample", f)))
                             for f in sorted(os.listdir(os.path.join(ROOT, "data/sample"))) if f.endswith(".txt"))
        passages = [json.loads(line) for line in run(programs + "/bid-chunk", *CUT, data=documents).splitlines()]
        del folder
    with open(os.path.join(HERE, "sentences.tsv"), encoding="utf-8") as f:
        for line in f:
            if line.startswith("#") or not line.strip():
                continue
            truth, words, sentence = line.rstrip("\n").split("\t")
            passage = [p for p in passages if words in p["text"]]
            if not passage:
                sys.exit("no passage has: " + words)
            yield truth == "false", "by hand", sentence + " [1]", passage[0]


def written(programs, name):
    passages = {}
    with open(os.path.join(HERE, name + ".tsv"), encoding="utf-8") as f:
        for line in f:
            if line.startswith("#"):
                continue
            truth, kind, filing, words, sentence = line.rstrip("\n").split("\t")
            if filing not in passages:
                passages[filing] = passages_of(programs, os.path.join(SHARED, filing))
            wanted = " ".join(words.replace("\\n", "\n").split())
            passage = [p for p in passages[filing] if wanted in " ".join(p.get("text", "").split())]
            if not passage:
                sys.exit("no passage has: " + words)
            yield truth == "false", kind, sentence + " [1]", passage[0]


def verdicts(programs, cases):
    """The numbers of each case's sentence, in order, or the statement that has none."""
    records = [json.dumps({"answer": sentence, "matches": [dict(passage, rank=1)]}) for _, _, sentence, passage in cases]
    env = dict(os.environ, BID_STORE="/nonexistent/store")
    out = subprocess.run([programs + "/bid-verify", "--quiet"], input="\n".join(records).encode(), env=env,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.splitlines()
    assert len(out) == len(cases)
    return [json.loads(line)["numbers"] or json.loads(line)["statements"] for line in out]


def report(cases, judged, show):
    """Prints the wrong ones where asked, the share of each kind that is judged rightly, and both figures."""
    counts, kinds, unsure = {(f, g): 0 for f in (False, True) for g in (False, True)}, {}, 0
    for (false, kind, sentence, _), numbers in zip(cases, judged):
        verdicts = {n["verdict"] for n in numbers}
        flagged = (not numbers and kind != "names") or bool(verdicts & {"contradicted", "unsupported"})
        if not flagged and "unsure" in verdicts:
            unsure += 1
            continue
        counts[false, flagged] += 1
        right, all_of = kinds.get((false, kind), (0, 0))
        kinds[false, kind] = right + (flagged == false), all_of + 1
        if show and flagged != false:
            print("%s taken for %s (%s): %s %s" % ("false" if false else "true", "false" if flagged else "true", kind,
                                                   sentence, [(n["text"], n["verdict"], n.get("how"), n.get("evidence")) for n in numbers]))
    for (false, kind), (right, all_of) in sorted(kinds.items()):
        print("%-5s %-24s %4d of %4d right" % ("false" if false else "true", kind, right, all_of))
    hits, wrong, missed = counts[True, True], counts[False, True], counts[True, False]
    precision = hits / (hits + wrong) if hits else 0
    recall = hits / (hits + missed) if hits else 0
    print("sentences %d, falsified %d, precision %.3f, recall %.3f, unsure %d" %
          (len(cases), sum(case[0] for case in cases), precision, recall, unsure))
    return 0 if precision >= LEAST[0] and recall >= LEAST[1] and unsure <= LEAST[2] else 1


def main(argv):
    programs, show, rng = os.path.abspath(argv[0]), "--show" in argv, random.Random(20260321)
    names = sorted(f[:-4] for f in os.listdir(HERE) if f.endswith(".tsv") and f != "sentences.tsv")
    named = [name for name in names if "--" + name in argv or "--all" in argv and name not in LATER]
    unknown = [a for a in argv[1:] if a not in ["--show", "--short", "--all"] + ["--" + name for name in names]]
    if unknown:
        sys.exit("no such set or option: %s; the sets: %s" % (" ".join(unknown), " ".join(names)))
    cases = [case for name in named for case in written(programs, name)] or []
    if not named or "--all" in argv:
        cases += by_hand(programs)
    if (not named or "--all" in argv) and os.path.isdir(SHARED):
        cases += list(made(programs, rng))
    return report(cases, verdicts(programs, cases), show)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
