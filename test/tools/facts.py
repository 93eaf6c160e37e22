#!/usr/bin/env python3
"""Looks for the iXBRL facts of the face statements in the Markdown tables of BID's HTML reader.

    facts.py [--show N] [--least PERCENT] --command 'html_test --text' FILE...

A face statement is a table with facts of one of the sets of concepts below.  A fact (ix:nonFraction) of it is
found where the Markdown table has a row that

  - begins with the words of the source row,
  - has a cell with the fact's number, negative where the source draws it so (parentheses, a minus), and
  - that cell stands in the column where most facts of the same context stand, or, since the end of one year is
    the beginning of the next, in its place among the numbers of the row;

(a fact inside a row's label has to be in the label's cell; a fact without text, xsi:nil, is left out)

and the table, or what stands just before it, names the fact's scale (3: thousand, 6: million, 9: billion).
The source is read with an XML parser, nothing of BID's is used.
"""
import argparse
import collections
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET

FACE = [
    {"us-gaap:Assets", "us-gaap:LiabilitiesAndStockholdersEquity"},
    {"us-gaap:NetIncomeLoss", "us-gaap:EarningsPerShareBasic", "us-gaap:Revenues"},
    {"us-gaap:NetIncomeLoss", "us-gaap:EarningsPerShareBasic",
     "us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax"},
    {"us-gaap:NetCashProvidedByUsedInOperatingActivities", "us-gaap:NetCashProvidedByUsedInFinancingActivities"},
    {"us-gaap:ComprehensiveIncomeNetOfTax", "us-gaap:NetIncomeLoss"},
]
SCALES = {3: "thousand", 6: "million", 9: "billion"}
XHTML = "{http://www.w3.org/1999/xhtml}"
WORD = re.compile(r"[^\W_]+")


def local(e):
    return e.tag.rsplit("}", 1)[-1] if isinstance(e.tag, str) else ""


def is_hidden(e):
    return "display:none" in e.get("style", "").replace(" ", "")


def text_of(e):
    return "".join(e.itertext())


class Fact:
    def __init__(self, e, before):
        self.element = e
        self.name, self.context = e.get("name"), e.get("contextRef")
        self.scale = int(e.get("scale") or 0)
        self.shown = re.sub(r"\s", "", text_of(e))
        self.negative = before.rstrip().endswith(("(", "-", "\u2212", "\u2013"))
        self.signed = e.get("sign") == "-"
        digits = re.sub(r"[^\d.]", "", self.shown)
        self.value = float(digits) if re.search(r"\d", digits) else 0.0
        self.row, self.place, self.in_label = None, 0, False


def facts_of(row):
    """The facts of a row, with the text right before each."""
    out, seen = [], [""]

    def walk(e):
        if local(e) in ("td", "th"):
            seen[0] = ""
        if local(e) == "nonFraction" and not any(local(x) == "nonFraction" for x in list(e.iter())[1:]):
            out.append(Fact(e, seen[0]))
        if e.text:
            seen[0] += e.text
        for child in e:
            walk(child)
            if child.tail:
                seen[0] += child.tail

    walk(row)
    return out


def label_cell(row):
    for cell in row:
        if local(cell) in ("td", "th") and WORD.search(text_of(cell)):
            return cell
    return None


def statements(root):
    for table in root.iter(XHTML + "table"):
        if is_hidden(table) or any(t is not table for t in table.iter(XHTML + "table")):
            continue
        facts = []
        for row in table.iter(XHTML + "tr"):
            if is_hidden(row):
                continue
            label = label_cell(row)
            in_label = {id(e) for e in label.iter()} if label is not None else set()
            found = [f for f in facts_of(row) if f.shown]
            behind = 0
            for f in found:
                f.row = WORD.findall(text_of(label))
                f.in_label = id(f.element) in in_label
                f.place = behind
                behind += not f.in_label
            facts += found
        names = {f.name for f in facts}
        if any(s <= names for s in FACE):
            yield facts


def number(cell):
    m = re.search(r"\d[\d,]*\.?\d*|\.\d+", cell)
    if not m:
        return 0.0 if re.search("[\u2014\u2013-]", cell) else None
    value = float(m.group().replace(",", ""))
    before = cell[:m.start()]
    return -value if re.search(r"[(\u2212\u2013-]\s*\$?\s*$", before) else value


def tables(text):
    """Every Markdown table with the 600 bytes before it."""
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        if not lines[i].startswith("|"):
            i += 1
            continue
        start = i
        while i < len(lines) and lines[i].startswith("|"):
            i += 1
        rows = [[c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[start:i]]
        yield rows, "\n".join(lines[max(0, start - 8):i])


def is_row_of(row, label):
    """The label's cell may have a footnote mark, or extend over the row where that is empty in the source."""
    words = WORD.findall(row[0])
    if words[:len(label)] == label:
        return all(len(w) < 3 for w in words[len(label):])
    return len(words) < len(label) and WORD.findall(" ".join(row))[:len(label)] == label


def find_cells(fact, rows):
    """(column, place among the numbers of the row) of every cell that may contain the fact."""
    want = -fact.value if fact.negative else fact.value
    for row in rows:
        if not is_row_of(row, fact.row):
            continue
        if fact.in_label:
            if fact.shown in re.sub(r"\s", "", row[0]):
                yield 0, 0
            continue
        place = 0
        for i, cell in enumerate(row[1:], 1):
            if number(cell) == want:
                yield i, place
            place += number(cell) is not None


def check(facts, table):
    rows, around = table
    places = [set(find_cells(f, rows)) for f in facts]
    columns = collections.defaultdict(collections.Counter)
    for f, found in zip(facts, places):
        for i, _ in found:
            columns[f.context][i] += 1
    good, bad = 0, []
    for f, found in zip(facts, places):
        usual = columns[f.context].most_common(1)[0][0] if columns[f.context] else None
        right = any(f.in_label or i == usual or place == f.place for i, place in found)
        scaled = f.scale not in SCALES or SCALES[f.scale] in around.lower()
        if right and scaled:
            good += 1
        else:
            bad.append((f, "scale" if right else "column" if found else "cell"))
    return good, bad


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--command", required=True)
    p.add_argument("--show", type=int, default=0)
    p.add_argument("--least", type=float, default=0)
    p.add_argument("files", nargs="+")
    o = p.parse_args()
    all_good = all_facts = 0
    for name in o.files:
        with open(name, "rb") as f:
            data = f.read()
        if b"ix:nonFraction" not in data:
            continue
        root = ET.fromstring(data)
        text = subprocess.run(shlex.split(o.command) + [name], stdout=subprocess.PIPE, check=True).stdout.decode()
        found = list(tables(text))
        for n, facts in enumerate(statements(root), 1):
            good, bad = max((check(facts, t) for t in found), key=lambda r: r[0], default=(0, []))
            all_good += good
            all_facts += len(facts)
            print("%4d of %4d facts: %s table %d" % (good, len(facts), name, n))
            for f, why in bad[:o.show]:
                print("    %s: %s %s%s scale %d in row '%s' (%s)" % (
                    why, f.name, "-" if f.negative else "", f.shown, f.scale, " ".join(f.row)[:60], f.context))
    share = 100.0 * all_good / max(all_facts, 1)
    print("all: %.3f %% of %d facts" % (share, all_facts))
    return 0 if all_facts and share >= o.least else 1


sys.exit(main())
