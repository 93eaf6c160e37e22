#!/usr/bin/env python3
"""Checks derived quarters and twelve months against companies whose quarters are known.

    facts_vintage.py BID-FACTS SEEDS [FILE...]

Invented companies (seeds 1 to SEEDS) report months to date and years, as cash flows are reported, and at random restate, change the
end of their fiscal year, split their shares and change their currency.  Each derived value must be what one basis gives, before or after the restatement,
and never a mixture; each quarter stands there once, on its own days; amounts a share, divided by their split factor, are those of
today's shares; the newest currency is shown.

Of recorded company facts (FILE...) the quarters that have a longer span are taken away and derived again: a derived quarter is within a
rounding unit of a value that the company reported for it, or its parts name two filings.
"""
import collections
import copy
import datetime
import json
import os
import random
import subprocess
import sys
import tempfile

DAY = datetime.timedelta(days=1)


def run(program, data, *args):
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as f:
        json.dump(data, f)
    out = subprocess.run([program, "--json", "-n", "100000", "--from", f.name, *args], capture_output=True, text=True).stdout
    os.unlink(f.name)
    return [json.loads(line) for line in out.splitlines() if not line.startswith('{"error"')]


def month_end(year, month):
    return datetime.date(year + month // 12, month % 12 + 1, 1) - DAY


class Company:
    """Quarters of 2015 to 2022, numbered from 0, whose values a restatement lowers; years end with month `ends`."""

    def __init__(self, seed):
        r = self.r = random.Random(seed)
        self.ends = r.choice([3, 6, 9, 12])
        self.quarters, month = [], self.ends
        year = 2014
        for _ in range(32):
            start = month_end(year, month) + DAY
            month += 3
            year, month = (year + 1, month - 12) if month > 12 else (year, month)
            self.quarters.append((start, month_end(year, month)))
        self.old = [r.randrange(1000, 9000) for _ in self.quarters]
        self.new = [v - r.randrange(100, 900) for v in self.old]
        self.restated = r.choice([None, r.randrange(8, 28)])        # years that begin later are reported with the new values
        self.changed = r.choice([None, 4 * r.randrange(3, 6)])      # the quarter with which a transition period begins
        self.length = r.choice([1, 2, 3]) if self.changed else 0
        self.split = r.choice([None, (r.choice([2, 1.5, 1.25, 7, 1 / 8, 1 / 40, 1 / 9]), r.randrange(8, 24))])
        self.currency = r.choice([None, 16])
        self.split_shown = False  # by a quarter that was reported before and after it
        self.facts = collections.defaultdict(lambda: collections.defaultdict(list))
        for first, count, form in self.years():
            for n in range(1, count + 1):
                self.report(first, n, form if n == count else "10-Q", first >= 4)

    def years(self):
        first = 0
        while first < len(self.quarters):
            count = self.length if first == self.changed else 4
            if first + count > len(self.quarters):
                return
            yield first, count, "10-K" if count == 4 else "10-KT"
            first += count

    def report(self, first, n, form, compares):
        last = first + n - 1
        filed = self.quarters[last][1] + datetime.timedelta(days=40)
        spans = [(first, last)]
        if compares and not (self.changed and first - 4 < self.changed + self.length <= first):
            spans.append((first - 4, last - 4))
        for a, b in spans:
            values = self.new if self.restated is not None and first >= self.restated else self.old
            unit = "EUR" if self.currency is not None and last >= self.currency else "USD"
            factor = self.split[0] if self.split and last >= self.split[1] else 1
            self.split_shown |= factor != 1 and b < self.split[1]
            self.add("NetCashProvidedByUsedInOperatingActivities", unit, a, b, sum(values[a:b + 1]), filed, form)
            self.add("WeightedAverageNumberOfDilutedSharesOutstanding", "shares", a, b, round(720000 * factor), filed, form)
            self.add("EarningsPerShareDiluted", "USD/shares", a, b, round((b - a + 1) * 36 / factor, 2), filed, form)

    def add(self, concept, unit, a, b, value, filed, form):
        self.facts[concept][unit].append({
            "start": str(self.quarters[a][0]), "end": str(self.quarters[b][1]), "val": value, "accn": "0000990000-00-%06d" % filed.toordinal(),
            "filed": str(filed), "form": form, "fy": self.quarters[b][1].year, "fp": "FY" if form != "10-Q" else "Q1"})

    def data(self):
        return {"cik": 990000, "entityName": "Invented", "facts": {"us-gaap": {
            c: {"label": c, "units": units} for c, units in self.facts.items()}}}


def check_invented(program, seed, faults, counts):
    c = Company(seed)
    data = c.data()
    for flag, length in (("--quarterly", 1), ("--ttm", 4)):
        seen = set()
        for row in run(program, data, flag, "NetCashProvidedByUsedInOperatingActivities"):
            at = [n for n, q in enumerate(c.quarters) if str(q[1]) == row["end"]]
            if not at or (row["start"], row["end"]) != (str(c.quarters[at[0] - length + 1][0]), row["end"]) or row["end"] in seen:
                faults.append("seed %d %s: no span of its own: %s to %s" % (seed, flag, row["start"], row["end"]))
                continue
            seen.add(row["end"])
            span = slice(at[0] - length + 1, at[0] + 1)
            counts["%s %s" % (flag, row["kind"])] += 1
            if row["value"] not in (sum(c.old[span]), sum(c.new[span])):
                faults.append("seed %d %s %s: %s is of no basis" % (seed, flag, row["end"], row["value"]))
            if row["unit"] != ("EUR" if c.currency is not None else "USD"):
                faults.append("seed %d %s: in %s" % (seed, flag, row["unit"]))
        if flag == "--quarterly" and c.currency is None and len(seen) < 28 - c.length % 4:
            faults.append("seed %d: %d quarters only" % (seed, len(seen)))
    for row in run(program, data, "--annual", "EarningsPerShareDiluted") if c.split_shown or not c.split else []:
        counts["shares"] += 1
        quarters = sum(row["start"] <= str(q[0]) and str(q[1]) <= row["end"] for q in c.quarters)
        value = row["value"] / row.get("splitFactor", 1) * (c.split[0] if c.split else 1)
        if abs(value - 36 * quarters) > 0.02 * 36 * quarters:
            faults.append("seed %d %s: %s a share with factor %s, split %s" % (seed, row["end"], row["value"], row.get("splitFactor"), c.split))


def months(fact):
    days = (datetime.date.fromisoformat(fact["end"]) - datetime.date.fromisoformat(fact["start"])).days + 1
    return next((m for least, most, m in ((75, 119, 3), (160, 205, 6), (246, 290, 9), (350, 380, 12)) if least <= days <= most), 0)


def hide_quarters(data):
    """Takes quarters away that end with a longer span; returns the rest, and their values by concept and end."""
    data, hidden = copy.deepcopy(data), collections.defaultdict(set)
    for taxonomy, concepts in data["facts"].items():
        for name, body in concepts.items():
            for unit, facts in body["units"].items():
                if len(unit) != 3 or not unit.isupper():
                    continue
                longer = {f["end"] for f in facts if "start" in f and months(f) > 3}
                for f in facts:
                    if "start" in f and months(f) == 3 and f["end"] in longer:
                        hidden["%s:%s" % (taxonomy, name), unit, f["end"]].add(f["val"])
                body["units"][unit] = [f for f in facts if "start" not in f or months(f) != 3 or f["end"] not in longer]
    return data, hidden


def check_recorded(program, path, faults, counts):
    with open(path) as f:
        data, hidden = hide_quarters(json.load(f))
    by_unit = collections.defaultdict(set)
    for name, unit, _ in hidden:
        by_unit[unit].add(name)
    for unit, names in by_unit.items():
        for row in run(program, data, "--quarterly", "--unit", unit, "--", *sorted(names)):
            values = hidden.get((row["taxonomy"] + ":" + row["concept"], unit, row["end"]))
            if row["kind"] != "derived" or not values:
                continue
            counts["recorded"] += 1
            if any(abs(row["value"] - v) <= (1000 if abs(v) < 1e8 else 1e6) for v in values):
                counts["recorded, as reported"] += 1
            elif len({p["accessionNumber"] for p in row["parts"]}) < 2:
                faults.append("%s %s %s: %s, not %s" % (path, row["asked"], row["end"], row["value"], values))


def main(program, seeds, *files):
    faults, counts = [], collections.Counter()
    for seed in range(1, int(seeds) + 1):
        check_invented(program, seed, faults, counts)
    for path in files:
        check_recorded(program, path, faults, counts)
    for name in sorted(counts):
        print("%s: %d" % (name, counts[name]))
    print("\n".join(faults[:40]))
    return 1 if faults or not counts else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
