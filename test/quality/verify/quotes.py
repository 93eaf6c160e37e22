#!/usr/bin/env python3
"""Literal quotes of recorded filings, each cited to its own passage: none of them may be flagged by bid-verify.

    quotes.py FOLDER-OF-PROGRAMS [--show] [--prose|--rows|--passages N] [--each N] [--most SHARE] [FILING...]

Prose: the sentences of a passage that have a number.  Rows: each figure of a table whose column has a period in its head, as
"LABEL was VALUE in PERIOD", with the scale of the table's caption where it states one.  Of each filing (of ../shared; by default all
that are read here) N (40) of either kind are drawn.  Prints how many are flagged, by verdict and cause; --show prints each of them.
Status 1 where more than SHARE (.03) of either kind are flagged.
--passages: instead all such sentences of each of N passages, drawn by chance, are an answer, cited to the passage.  Status 1 where a number
of these is contradicted, or more than one in a hundred are unsupported or unsure.
"""
import collections
import os
import random
import re
import sys

import measure

FILINGS = """filings/alcon/6-K-2023-02-13.htm filings/amzn/10-K-2025-02-07.htm filings/bke/8-K-EX-99.1-2024-11-22.htm
filings/car/SCHEDULE-13G-A-2026.xml filings/commonwealth-income-growth-v/10-K-2016-03-30.htm filings/gainsco/10-K-2010-03-31.htm
filings/healthpeak/424B2-2024-02-12.htm filings/ibm/10-Q-2025-07-24.htm filings/lisata/SC-14D9-2026.htm
filings/loncor/20-F-2016-03-31.htm filings/louisville-gas/8-K-2003-03-25.htm filings/medicis/10-K-1999-09-28.htm
filings/nflx/10-K-2025-01-27.htm filings/page-america/S-3-A-1995-05-25.txt filings/phg/6-K-2023-01-30.htm
filings/premier-financial-bancorp/8-K-2021-03-30.htm filings/seaport/SCHEDULE-13D-2026.xml filings/snow/4-2022-12-14.xml
filings/sophiris/8-K-2016-03-23.htm filings/trinity/SC-13G-A-2024-01-22.txt filings/unp/10-Q-2025-07-24.htm
filings/wbi/8-K-2025-12-15.htm filings/wfc/10-K-2025-02-25.htm
www.sec.gov/Archives/edgar/data/1009672/000156459018004771/crr-10k_20171231.htm
www.sec.gov/Archives/edgar/data/1045810/000104581026000024/nvda-20260302.htm
www.sec.gov/Archives/edgar/data/1318605/000110465925042659/tm252787d2_10ka.htm
www.sec.gov/Archives/edgar/data/1318605/000162828025003063/tsla-20241231.htm
www.sec.gov/Archives/edgar/data/1318605/000162828025035806/tsla-20250630.htm
www.sec.gov/Archives/edgar/data/1326801/000162828025058337/meta-20251219.htm
www.sec.gov/Archives/edgar/data/1364742/000119312523048785/d435686d8k.htm
www.sec.gov/Archives/edgar/data/1736243/000110465923076317/0001104659-23-076317.txt
www.sec.gov/Archives/edgar/data/1766140/000121390021035033/ea143554-s1a3_unicycivethera.htm
www.sec.gov/Archives/edgar/data/1796129/000119312525012209/d921557ds3.htm
www.sec.gov/Archives/edgar/data/1814722/000119312525057913/d936318df3.htm
www.sec.gov/Archives/edgar/data/19617/000001961726000241/jpm-20260624.htm
www.sec.gov/Archives/edgar/data/320193/000032019324000123/aapl-20240928.htm
www.sec.gov/Archives/edgar/data/320193/000032019325000057/aapl-20250329.htm
www.sec.gov/Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm
www.sec.gov/Archives/edgar/data/320193/000091205700023442/0000912057-00-023442.txt
www.sec.gov/Archives/edgar/data/320193/000130817926000008/aapl014016-def14a.htm
www.sec.gov/Archives/edgar/data/45291/000119312525148895/0001193125-25-148895.txt
www.sec.gov/Archives/edgar/data/66740/000006674024000023/mmm-20240308.htm
www.sec.gov/Archives/edgar/data/749647/000149315225029712/form424b5.htm
www.sec.gov/Archives/edgar/data/796343/000079634323000044/adbeex991q123.htm
www.sec.gov/Archives/edgar/data/893739/000089373920000019/annualmeetingproxy2020-doc.htm
www.sec.gov/Archives/edgar/data/913951/000101143898000429/0001011438-98-000429.txt""".split()
NUMBER = re.compile(r"[$€£]\s?\d|\d\s?%|\d,\d{3}|\d (thousand|million|billion|percent|shares)|\d\.\d")
PERIOD = re.compile(r"\b(19|20)\d\d\b")
SCALE = re.compile(r"\b(?:in |\(|^)(thousands|millions|billions)\b", re.I)
VALUE = re.compile(r"\(?\$? ?\(?\d[\d,]*(\.\d+)?\)?%?\)?")
LENGTH = re.compile(r"\b(three|six|nine|twelve|quarter|weeks?|13|26|39)\b.*\b(months?|weeks?|quarters?|ended)\b", re.I)
TITLE = re.compile(r"\b(Mr|Mrs|Ms|Dr|Inc|No|Corp|Co|Ltd|vs|St|Jr|Rev|approx)\.$")


def sentences(passage):
    for line in passage["text"].splitlines():
        if line.startswith(("|", "#")):
            continue
        parts = [""]
        for word in line.split():
            parts[-1] += " " + word
            if re.search(r"[a-z0-9)%]\.$", word) and not TITLE.search(word):
                parts.append("")
        for s in parts:
            s = s.strip()
            if 40 < len(s) < 400 and s.endswith(".") and "[" not in s and NUMBER.search(s):
                yield s[:-1] + " [1]."


def cells(line):
    return [c.strip() for c in line.strip().strip("|").split("|")]


def spoken(value, scale):
    return value if not scale or "%" in value else value + " " + scale.lower()[:-1]


def is_plain(label):
    """A label of words without figures, of amounts and not of shares or of each share."""
    return len(re.findall("[A-Za-z]", label)) > 3 and not re.search(r"\bper\b|shares|^basic|^diluted|\$|%|\d{3}|\d\.\d|percent|ratio", label, re.I)


def rows(passage):
    """The quotes of a passage's tables, but for labels that name several rows."""
    labels = collections.Counter(cells(line)[0] for line in passage["text"].splitlines() if line.startswith("|"))
    head, scale, length, last = [], "", "", ""
    for line in (passage.get("context") or "").split(" \u00b7 ")[-1:] + passage["text"].splitlines():
        found = SCALE.search(line)
        if not line.startswith("|"):
            scale, head, length, last = found.group(1) if found else scale, [], LENGTH.search(line), line
            continue
        row = cells(line)
        if re.fullmatch(r"[|:\- ]+", line):
            head = cells(last)
            found = SCALE.search(" ".join(head))
            scale = found.group(1) if found else scale
        elif len(row) == len(head) and is_plain(row[0]) and labels[row[0]] == 1 and not SCALE.search(row[0]):
            for title, value in list(zip(head, row))[1:]:
                corner = LENGTH.search(head[0]) or length
                title = re.sub(r"\([^)]*\)", "", title).strip()
                title = "the %s %s" % (corner.group(0).lower(), title) if corner and re.fullmatch(r"\d{4}", title) else title
                if PERIOD.search(title) and VALUE.fullmatch(value) and len(title) < 60 and not re.search("percent|%", title, re.I):
                    yield "%s was %s in %s [1]." % (row[0].rstrip(":"), spoken(value, scale), title)
        last = line


def cases_of(programs, filing, each):
    rng = random.Random("quotes " + os.path.basename(filing))
    passages = measure.passages_of(programs, os.path.join(measure.SHARED, filing))
    for kind, of in (("prose", sentences), ("row", rows)):
        drawn = [(s, p) for p in passages for s in of(p)]
        rng.shuffle(drawn)
        for s, p in drawn[:each]:
            yield False, kind, s, p
            if kind == "prose":
                yield False, "told", "The filing says: " + s, p


def report(cases, judged, show):
    """Prints the causes; returns the share of each kind that is flagged."""
    every, flagged, causes = collections.Counter(), collections.Counter(), collections.Counter()
    for (_, kind, sentence, _), numbers in zip(cases, judged):
        wrong = [n for n in numbers if n["verdict"] != "found"]
        every[kind] += 1
        flagged[kind] += bool(wrong)
        if wrong:
            causes[kind, wrong[0]["verdict"], wrong[0].get("how") or ""] += 1
        if wrong and show:
            print("%s: %s %s: %s | %s" % (wrong[0]["text"], wrong[0]["verdict"], wrong[0].get("how") or "", sentence,
                                          (wrong[0].get("evidence") or {}).get("label", "")[:100]))
    for (kind, verdict, how), count in causes.most_common():
        print("%-6s %-13s %-14s %4d" % (kind, verdict, how, count))
    for kind in sorted(every):
        print("%-6s %4d quotes, %d flagged, %.3f" % (kind, every[kind], flagged[kind], flagged[kind] / every[kind]))
    return [flagged[kind] / every[kind] for kind in every]


def whole_passages(programs, most, show):
    """Quotes passages as a whole; returns the status."""
    drawn = []
    for filing in FILINGS:
        for passage in measure.passages_of(programs, os.path.join(measure.SHARED, filing)):
            quotes = list(sentences(passage))
            if quotes:
                drawn.append((False, "passage", " ".join(quotes), passage))
    random.Random("passages").shuffle(drawn)
    verdicts = collections.Counter()
    for (_, _, answer, _), numbers in zip(drawn[:most], measure.verdicts(programs, drawn[:most])):
        for n in numbers:
            verdicts[n["verdict"]] += 1
            if show and n["verdict"] != "found":
                print("%s: %s %s: ...%s" % (n["text"], n["verdict"], n.get("how") or "",
                                            answer.encode()[max(0, n["start"] - 160):n["end"] + 60].decode(errors="replace")))
    count = sum(verdicts.values())
    print("passages %d, numbers %d, contradicted %d, unsupported %d, unsure %d" %
          (min(len(drawn), most), count, verdicts["contradicted"], verdicts["unsupported"], verdicts["unsure"]))
    return int(not count or verdicts["contradicted"] > 0 or verdicts["unsupported"] + verdicts["unsure"] > count / 100)


def main(argv):
    programs, show = os.path.abspath(argv[0]), "--show" in argv
    if "--passages" in argv:
        return whole_passages(programs, int(argv[argv.index("--passages") + 1]), show)
    each = int(argv[argv.index("--each") + 1]) if "--each" in argv else 40
    most = float(argv[argv.index("--most") + 1]) if "--most" in argv else .03
    cases = [case for f in [a for a in argv[1:] if "/" in a] or FILINGS for case in cases_of(programs, f, each)]
    only = "prose" if "--prose" in argv else "row" if "--rows" in argv else ""
    cases = [case for case in cases if only in ("", case[1])]
    shares = report(cases, measure.verdicts(programs, cases), show)
    return 0 if shares and max(shares) <= most else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
