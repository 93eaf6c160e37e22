#!/usr/bin/env python3
"""How well bid-verify tells true figures from falsified ones in sentences that nobody wrote.

    tagged.py FOLDER-OF-PROGRAMS [--show] [--odd|--even] [--each N]

The tags of Inline XBRL give the figures of a report, in its tables and in its text, a name that its author didn't choose,
"PaymentsToAcquirePropertyPlantAndEquipment" for "Purchases of property and equipment", with the period, the scale and
the part of the company.  A sentence is that name in words, with the period and the figure: exact, rounded, in another
scale, or falsified by another digit, another scale, the figure of another period of the same name, or that of another name
in the same period.  It cites the passage that has the tagged figure.  Up to N (120) sentences are drawn from each of the recorded
reports (in ../shared), half of them false.  --odd, --even: every other report, to tune on one half and measure on the
other.  Four of ten sentences on a figure of a
table have the label of its row in place of the name.  Per kind: the share of sentences that are judged rightly.
"""
import collections
import html
import os
import random
import re
import sys

import measure

FILINGS = ["filings/ibm/10-Q-2025-07-24.htm", "www.sec.gov/Archives/edgar/data/1318605/000162828025003063/tsla-20241231.htm",
           "filings/nflx/10-K-2025-01-27.htm", "filings/amzn/10-K-2025-02-07.htm", "filings/wfc/10-K-2025-02-25.htm",
           "www.sec.gov/Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm", "filings/unp/10-Q-2025-07-24.htm",
           "www.sec.gov/Archives/edgar/data/1318605/000162828025035806/tsla-20250630.htm",
           "www.sec.gov/Archives/edgar/data/320193/000032019325000073/aapl-20250628.htm",
           "www.sec.gov/Archives/edgar/data/1318605/000110465925042659/tm252787d2_10ka.htm"]
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
EITHER_SIGN = re.compile(r"GainLoss|IncreaseDecrease|IncomeLoss|LossIncome|BenefitExpense|ExpenseBenefit|IncomeExpense|ExpenseIncome"
                         r"|ProfitLoss|GainsLosses|ProvidedByUsedIn|DeficitSurplus|IncomeNet|ExpenseNet|Reclassif|Eliminat")
OF_ANOTHER_DATE = re.compile(r"Year(One|Two|Three|Four|Five)|(Second|Third|Fourth|Fifth)(Year|Anniversary)|NextTwelve|DueIn|Beginning")
Fact = collections.namedtuple("Fact", "name part value unit start end printed scale in_table label front")


def attribute(text, name):
    found = re.search(r'\b%s="([^"]*)"' % name, text)
    return found.group(1) if found else ""


def plain(markup):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", "", markup))).strip()


def contexts_of(text):
    contexts = {}
    for head, body in re.findall(r"<xbrli:context\b([^>]*)>(.*?)</xbrli:context>", text, re.S):
        parts = [m.split(":")[-1] for m in re.findall(r"<xbrldi:explicitMember[^>]*>([^<]*)<", body)]
        dates = re.findall(r"<xbrli:(instant|startDate|endDate)>\s*([\d-]+)", body)
        dates = dict(dates)
        if "typedMember" not in body:
            contexts[attribute(head, "id")] = (parts, dates.get("startDate", ""), dates.get("endDate") or dates.get("instant"))
    return contexts


def facts_of(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read()
    contexts, facts = contexts_of(text), []
    for m in re.finditer(r"<ix:nonFraction\b([^>]*)>([^<]*)</ix:nonFraction>", text):
        parts, start, end = contexts.get(attribute(m.group(1), "contextRef"), ((), "", ""))
        digits = m.group(2).strip()
        if not end or len(parts) > 1 or not re.fullmatch(r"[\d,]+(\.\d+)?", digits) or attribute(m.group(1), "sign"):
            continue
        scale = int(attribute(m.group(1), "scale") or 0)
        row, cell = text.rfind("<tr", 0, m.start()), text.rfind("</tr>", 0, m.start())
        label = ""
        if row > cell:
            cells = [plain(c) for c in re.findall(r"<td\b.*?</td>", text[row:m.start()], re.S)]
            label = next((c for c in cells if re.search("[A-Za-z]", c)), "")
        front = plain(re.sub(r"^[^<]*>", "", text[max(0, m.start() - 3000):m.start()]))[-50:]
        facts.append(Fact(attribute(m.group(1), "name").split(":")[-1], parts[0] if parts else "",
                          float(digits.replace(",", "")) * 10 ** scale, attribute(m.group(1), "unitRef").lower(), start, end, digits,
                          scale, row > cell, label, front))
    return facts


def words(name):
    name = re.sub(r"(Member|Domain|Abstract|TextBlock|Axis)$", "", name)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name).lower()


def months(fact):
    if not fact.start:
        return 0
    a, b = [[int(x) for x in d.split("-")] for d in (fact.start, fact.end)]
    return round((b[0] - a[0]) * 12 + b[1] - a[1] + (b[2] - a[2]) / 30)


def period(rng, fact):
    year, month, day = [int(x) for x in fact.end.split("-")]
    date = "%s %d, %d" % (MONTHS[month - 1], day, year)
    length = months(fact)
    if length == 0:
        return rng.choice(["at " + date, "as of " + date])
    if length == 12:
        return rng.choice(["in fiscal %d" % year, "in %d" % year, "in the year ended " + date])
    spoken = {3: "three", 6: "six", 9: "nine"}.get(length)
    return "in the %s months ended %s" % (spoken, date) if spoken else None


def number(rng, fact, value, how):
    if fact.unit in ("number", "pure"):
        return "%g%%" % round(100 * value, 6) if fact.scale == -2 else None
    sign = "$" if fact.unit.startswith("usd") else ""
    tail = " a share" if "share" in fact.unit and sign else " shares" if fact.unit == "shares" else ""
    if tail == " a share" or value < 1000:
        return sign + format(value, ",.2f" if tail == " a share" else ",.15g") + tail
    name, factor = {9: ("billion", 1e9), 6: ("million", 1e6), 3: ("thousand", 1e3)}.get(fact.scale, ("", 1))
    if how == "rounded":
        name, factor = ("billion", 1e9) if value >= 1e9 else ("million", 1e6) if value >= 1e6 else ("thousand", 1e3)
        return "%s%s %s%s" % (sign, format(value / factor, ",.1f"), name, tail)
    if how == "rescaled" and value >= 1e6:
        name, factor = ("thousand", 1e3) if name == "million" else ("million", 1e6)
    return "%s%s%s%s" % (sign, format(value / factor, ",.15g"), name and " " + name, tail)


def cited(passages, fact):
    for p in passages:
        if fact.in_table and fact.label:
            for line in p["text"].splitlines():
                if line.startswith("| " + fact.label[:40]) and re.search(r"(?<![\d,.])%s(?![\d,]|\.\d)" % re.escape(fact.printed), line):
                    return p
        elif not fact.in_table and re.sub(r"\W", "", fact.front + fact.printed) in p["squeezed"]:
            return p
    return None


def pool_of(programs, path):
    passages = measure.passages_of(programs, path)
    for p in passages:
        p["squeezed"] = re.sub(r"\W", "", p["text"])
    pool = collections.defaultdict(dict)
    for fact in facts_of(path):
        if EITHER_SIGN.search(fact.name) or OF_ANOTHER_DATE.search(fact.name) or fact.value == 0 or not re.search("[a-z]", fact.name):
            continue
        p = cited(passages, fact)
        if p:
            pool[p["id"] if "id" in p else id(p)].setdefault("p", p)
            pool[p["id"] if "id" in p else id(p)].setdefault("facts", []).append(fact)
    for p in passages:
        del p["squeezed"]
    return list(pool.values())


def distinct(a, b):
    return abs(a - b) > 0.12 * max(a, b)


def falsified(rng, fact, facts, kind):
    if kind == "digit":
        return float(measure.another_digit(rng, int(fact.value))) if fact.value >= 1000 else fact.value * rng.choice([0.7, 1.3, 2, 3])
    if kind == "scale":
        return fact.value * 1000 if fact.value >= 1000 else None
    same = [f for f in facts if f.value == fact.value]
    if kind == "period":
        others = [f for f in facts if (f.name, f.part) == (fact.name, fact.part) and (f.start, f.end) != (fact.start, fact.end)]
    else:
        others = [f for f in facts if (f.name, f.part) != (fact.name, fact.part) and f.unit == fact.unit and f.scale == fact.scale
                  and (f.start, f.end) == (fact.start, fact.end) and f.in_table == fact.in_table]
    others = [f.value for f in others if distinct(f.value, fact.value) and not any(s.value == f.value for s in same)]
    return rng.choice(others) if others else None


TEMPLATES = ["%(name)s%(part)s was %(number)s %(period)s [1].", "The company had %(name)s%(part)s of %(number)s %(period)s [1].",
             "%(number)s was the %(name)s%(part)s %(period)s [1]."]


def cases_of(programs, path, each):
    rng = random.Random("tagged " + os.path.basename(path))
    pool = [(g["p"], g["facts"], fact) for g in pool_of(programs, path) for fact in g["facts"]]
    rng.shuffle(pool)
    told = [x for x in pool if not x[2].in_table]
    pool = [x for pair in zip(pool, told) for x in pair] + pool[len(told):]
    made, seen = 0, set()
    for passage, facts, fact in pool:
        false, key = made % 2 == 1, fact[:7]
        if key in seen:
            continue
        kind = rng.choice(["digit", "scale", "period", "line", "period", "line"]) if false else "true"
        value = falsified(rng, fact, facts, kind) if false else fact.value
        how = rng.choice(["exact", "rounded", "rescaled"])
        when, spoken = period(rng, fact), number(rng, fact, value, how) if value else None
        if not when or not spoken or (false and spoken == number(rng, fact, fact.value, how)):
            continue
        by_label = fact.in_table and rng.random() < 0.4 and len(re.findall("[a-z]+", fact.label.lower())) > 1
        name = re.sub(r"\s*\(.*?\)", "", fact.label) if by_label else words(fact.name)
        text = rng.choice(TEMPLATES) % {"name": name, "part": " of " + words(fact.part) if fact.part else "",
                                        "number": spoken, "period": when}
        seen.add(key)
        yield false, "%s, %s" % (kind if false else how, "text" if not fact.in_table else "label" if by_label else "table"), text[0].upper() + text[1:], passage
        made += 1
        if made >= each:
            return


def main(argv):
    programs, each = os.path.abspath(argv[0]), int(argv[argv.index("--each") + 1]) if "--each" in argv else 120
    filings = FILINGS[1::2] if "--even" in argv else FILINGS[::2] if "--odd" in argv else FILINGS
    cases = [case for f in filings for case in cases_of(programs, os.path.join(measure.SHARED, f), each)]
    return measure.report(cases, measure.verdicts(programs, cases), "--show" in argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
