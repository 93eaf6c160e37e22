#!/usr/bin/env python3
"""Checks properties that every row of bid-facts must have, over whole answers of companyfacts.

    facts_property.py BID-FACTS FILE...

For each concept and unit of a file, in years, quarters and trailing twelve months:
  - every row's months are its column's (12, 3 or 12; 0 for what stands on a day), and so are the days between its start
    and its end;
  - no two rows of a column end on the same day;
  - a reported row's value is one that the file has for its span, accession and form;
  - a derived row is the sum of its parts with their signs, and the parts are in the file;
  - where a year and its first nine months were reported, the fourth quarter is there, and derived it is a value of the
    one less a value of the other.
Prints counts; status 1 with a line for each fault.
"""
import collections
import datetime
import decimal
import json
import subprocess
import sys

SPANS = {"--annual": 12, "--quarterly": 3, "--ttm": 12}
LENGTH = {3: (75, 119), 12: (350, 380)}


def day(text):
    return datetime.date.fromisoformat(text).toordinal()


def rows_of(program, path, flag, unit, concepts):
    call = [program, "--json", flag, "-n", "1000000", "--unit", unit, "--from", path, "--"] + concepts
    run = subprocess.run(call, capture_output=True, text=True)
    return [json.loads(line, parse_float=decimal.Decimal, parse_int=decimal.Decimal)
            for line in run.stdout.splitlines() if not line.startswith('{"error"')]


def check_row(row, months, reported, say):
    if row["months"] not in (0, months):
        say(row, "lasts %s months in a column of %d" % (row["months"], months))
    if row["months"]:
        days = day(row["end"]) - day(row["start"]) + 1
        least, most = LENGTH[months]
        if not least <= days <= most:
            say(row, "lasts %d days" % days)
    if row["kind"] == "reported":
        if (row.get("start"), row["end"], row["value"], row["accessionNumber"], row["form"]) not in reported:
            say(row, "is not in the file")
        return
    total = sum(p["value"] * (-1 if p["sign"] == "-" else 1) for p in row["parts"])
    if total != row["value"]:
        say(row, "is not the sum of its parts")
    for p in row["parts"]:
        if (p.get("start"), p["end"], p["value"], p["accessionNumber"], p["form"]) not in reported:
            say(row, "has a part that is not in the file")


def values_of(facts):
    """The values filed for each span, and whether an annual report is among them."""
    found = {}
    for f in facts:
        if "start" in f:
            values, annual = found.get((day(f["start"]), day(f["end"])), (set(), False))
            found[day(f["start"]), day(f["end"])] = (values | {f["val"]}, annual or f["form"].startswith(("10-K", "20-F")))
    return found


def expected_fourths(facts):
    spans = values_of(facts)
    years = {s: v for s, (v, annual) in spans.items() if 350 <= s[1] - s[0] + 1 <= 380 and annual}
    for (start, end), year in years.items():
        for (s, e), (nine, _) in spans.items():
            if s == start and 246 <= e - s + 1 <= 290 and 75 <= end - e <= 119:
                yield end, year, nine, e + 1


def main(program, paths):
    counts, faults = collections.Counter(), []
    for path in paths:
        with open(path) as f:
            data = json.load(f, parse_float=decimal.Decimal, parse_int=decimal.Decimal)
        units = collections.defaultdict(dict)
        for taxonomy, concepts in data["facts"].items():
            for name, body in concepts.items():
                for unit, facts in body["units"].items():
                    units[unit]["%s:%s" % (taxonomy, name)] = facts
        for unit, concepts in units.items():
            for flag, months in SPANS.items():
                seen = collections.defaultdict(dict)

                def say(row, what):
                    faults.append("%s %s %s %s: %s" % (path, flag, row["asked"], row["end"], what))
                names = [n for n in concepts if concepts[n]]
                reported = {n: {(f.get("start"), f["end"], f["val"], f["accn"], f["form"]) for f in concepts[n]}
                            for n in names}
                for row in rows_of(program, path, flag, unit, names):
                    counts[flag + " " + row["kind"]] += 1
                    name = "%s:%s" % (row["taxonomy"], row["concept"])
                    check_row(row, months, reported[name], say)
                    if row["end"] in seen[row["asked"]]:
                        say(row, "stands there twice")
                    seen[row["asked"]][row["end"]] = row
                if flag != "--quarterly" or not (len(unit) == 3 and unit.isupper()):
                    continue
                for name in names:
                    if "Average" in name or "Diluted" in name or "PerShare" in name:
                        continue
                    for end, year, nine, start in expected_fourths(concepts[name]):
                        text = datetime.date.fromordinal(end).isoformat()
                        row = seen[name].get(text)
                        counts["fourth quarters"] += 1
                        if row is None:
                            faults.append("%s %s %s: the fourth quarter is missing" % (path, name, text))
                        elif row["kind"] == "derived" and row["value"] not in {y - n for y in year for n in nine}:
                            faults.append("%s %s %s: %s is not %s less %s" % (path, name, text, row["value"], year, nine))
    for name in sorted(counts):
        print("%s: %d" % (name, counts[name]))
    for fault in faults:
        print(fault)
    return 1 if faults or not counts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
