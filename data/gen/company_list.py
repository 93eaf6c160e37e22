#!/usr/bin/env python3
"""Makes data/companies.tsv from the SEC's list of companies.

usage: company_list.py company_tickers.json YYYY-MM-DD >data/companies.tsv

The list (https://www.sec.gov/files/company_tickers.json) has a row a ticker, the largest companies first; the table has
one a company, in the same order.  The date is that of the list.
"""
import json
import sys

HEAD = """# companies.tsv: companies by their CIK, tickers and names, the largest first; made by data/gen/company_list.py.
# source: https://www.sec.gov/files/company_tickers.json, public record of the U.S. Securities and Exchange Commission
# date: {}
# cik	tickers, the most traded first	name
"""


def main(path, date):
    rows = {}
    for row in json.load(open(path, encoding="utf-8")).values():
        known = rows.setdefault(row["cik_str"], ([], " ".join(row["title"].split())))
        known[0].append(row["ticker"])
    sys.stdout.write(HEAD.format(date))
    for cik, (tickers, name) in rows.items():
        print(cik, ",".join(tickers), name, sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
