#!/usr/bin/env python3
"""Checks that a statement of standard lines adds up.

    standard_sums.py STATEMENTS-TSV WHICH <RECORDS

RECORDS are what bid-facts --json --statement writes.  Each total has to be the sum that data/statements.tsv describes of the
lines above it, as they are presented, in every period that has one of them.
Prints counts; status 1 with a line for each fault.
"""
import collections
import decimal
import json
import sys


def table(path, which):
    kinds = collections.defaultdict(list)
    for line in open(path, encoding="utf-8"):
        fields = line.rstrip("\n").split("\t")
        if len(fields) == 5 and fields[0] == which:
            kinds[fields[1]].append((fields[2], fields[4]))
    return kinds


def periods_of(records):
    """Per period the values by label."""
    periods = collections.defaultdict(dict)
    for r in records:
        if "error" not in r and not r.get("opening"):
            periods[r["end"]][r["label"]] = r["presented"]
    return periods


def rest_of(values, label):
    known = [v for k, v in values.items() if k.lower() == ("other, to " + label).lower()]
    return known[0] if known else decimal.Decimal(0)


def check(rows, values, say):
    """The sums of one period; returns how many were checked."""
    total, costs, counted, parts = decimal.Decimal(0), decimal.Decimal(0), 0, 0
    for label, how in rows:
        value = values.get(label)
        if how in ("=", "=0", "~") and value is not None:
            expected = (costs if how == "~" else total) + rest_of(values, label)
            if parts and not (how == "~" and not costs):
                counted += 1
                if expected != value:
                    say("%s is %s, its lines make %s" % (label, value, expected))
        if how in ("=", "=0"):
            if value is not None or how == "=0":
                total, parts = (value, 1) if how == "=" else (decimal.Decimal(0), 0)
            costs = decimal.Decimal(0)
        elif value is None:
            continue
        elif how == "~":
            total += costs - value
            costs = decimal.Decimal(0)
            parts += 1
        elif how in ("+", "out"):
            total, parts = total + value, parts + 1
            costs = decimal.Decimal(0)
        elif how.startswith("-"):
            total, costs, parts = total - value, costs + value, parts + 1
    return counted


def main():
    kinds = table(sys.argv[1], sys.argv[2])
    records = [json.loads(line, parse_float=decimal.Decimal, parse_int=decimal.Decimal) for line in sys.stdin]
    faults, counted = [], 0
    labels = {r["label"] for r in records if "error" not in r}
    rows = max(kinds.values(), key=lambda k: len(labels & {label for label, _ in k}))
    known = {label.lower() for label, _ in rows} | {"other, to " + label.lower() for label, _ in rows}
    faults += ["%s is no line of the table" % label for label in labels if label.lower() not in known]
    for end, values in periods_of(records).items():
        counted += check(rows, values, lambda text, end=end: faults.append("%s: %s" % (end, text)))
    print("%d totals" % counted)
    for fault in faults:
        print(fault)
    return 1 if faults or not counted else 0


if __name__ == "__main__":
    sys.exit(main())
