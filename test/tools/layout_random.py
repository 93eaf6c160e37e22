#!/usr/bin/env python3
"""Writes annual and quarterly reports in random layouts and measures how well bid-strip finds their items.

layout_random.py show SEED               prints the report
layout_random.py measure BIN FIRST LAST  strips the reports of these seeds; a line for each that is at fault, then the counts

A report's layout is drawn feature by feature: how an item's number and title are written and set apart, running heads and
feet, tables of contents in front or at each part, what pages and parts look like, items joined in one heading, items left
out.  Each sentence of an item names it ("In item 7A we write of"), so the truth is in the text:

lost       an item has no entry in the outline
shortened  sentences of an item stand under another one's heading
doubted    outlineConfidence is at most 0.5, or no item is given at all: the reader knows
silent     lost or shortened, and not doubted: the fault that counts
"""
import json
import random
import re
import subprocess
import sys
import tempfile

from layouts import PARTS, TOPICS

QUARTER = [
    ("I", [("1", "Financial Statements", 4), ("2", "Management’s Discussion and Analysis of Financial Condition and Results of Operations", 4),
           ("3", "Quantitative and Qualitative Disclosures About Market Risk", 1), ("4", "Controls and Procedures", 1)]),
    ("II", [("1", "Legal Proceedings", 1), ("1A", "Risk Factors", 2), ("2", "Unregistered Sales of Equity Securities and Use of Proceeds", 1),
            ("3", "Defaults Upon Senior Securities", 0), ("4", "Mine Safety Disclosures", 0), ("5", "Other Information", 1), ("6", "Exhibits", 1)])]

FEATURES = {
    "form": ["10-K", "10-K", "10-K", "10-Q"],
    "number": ["Item %s. ", "Item %s. ", "ITEM %s. ", "Item %s ", "ITEM %s: ", "Item %s – ", "ITEM %s.—", "Item %s.&#160;&#160;", "%s. ", "(%s) ", ""],
    "title": ["as is", "as is", "capitals", "stop"],
    "heading": ["block", "block", "block", "two blocks", "row", "row", "row of three", "in table", "run-in", "h2", "drop capital"],
    "look": ["bold", "bold", "bold centred", "underlined", "italic", "colour only", "none"],
    "head": ["none", "none", "item", "item", "continued", "title", "part", "part and item", "every second", "company", "item foot"],
    "head look": ["grey", "grey", "bold", "same"],
    "contents": ["front", "front", "front", "parts", "none", "both"],
    "contents kind": ["table", "table", "lines", "two cells", "linked", "linked pages", "coloured"],
    "pages listed": [True, True, False],
    "page": ["hr", "hr", "div", "none"],
    "page number": ["plain", "dashes", "company", "none"],
    "part": ["PART %s", "PART %s", "Part %s", "PART %s.", "PART %s — NAMED", "none", "with item"],
    "joined": ["none", "none", "none", "1 and 2", "10 to 14", "7 and 7A", "reserved"],
    "dropped": ["none", "none", "newest", "small"],
    "references": [True, False],
    "inner": [True, False],
    "breaks": ["item", "item", "run on"],
}

NAMES = {"I": "FINANCIAL INFORMATION", "II": "OTHER INFORMATION", "III": "MANAGEMENT", "IV": "EXHIBITS"}


def draw(seed):
    rng = random.Random(seed)
    f = {name: rng.choice(values) for name, values in FEATURES.items()}
    if f["form"] == "10-Q" and f["joined"] not in ("none",):
        f["joined"] = "none"
    if f["heading"] == "in table":
        f["breaks"] = "item"
    if f["number"] in ("%s. ", "(%s) ", "") and f["look"] == "none":
        f["look"] = "bold"
    return f


def span(text, style, tag="div"):
    return '<%s style="%s"><span style="%s">%s</span></%s>\n' % (tag, style, style, text, tag)


LOOKS = {"bold": "font-weight:700", "bold centred": "font-weight:700;text-align:center", "underlined": "text-decoration:underline",
         "italic": "font-style:italic", "colour only": "color:#00583d;font-size:14pt", "none": ""}


class RandomReport:
    def __init__(self, seed):
        self.f = draw(seed)
        self.rng = random.Random(seed + 1000003)
        self.page, self.out, self.truth = 0, [], []
        self.parts = self.choose_parts()

    # ---- which items ----

    def choose_parts(self):
        parts = QUARTER if self.f["form"] == "10-Q" else PARTS
        gone = {"none": (), "newest": ("1C", "16"), "small": ("1B", "1C", "6", "7A", "9B", "16")}[self.f["dropped"]] if parts is PARTS else ()
        made = []
        for part, items in parts:
            items = [(("%s" % n,), t, p) for n, t, p in items if n not in gone]
            made.append((part, self.join(items)))
        return made

    def join(self, items):
        joins = {"1 and 2": ({"1", "2"}, "Business and Properties"), "7 and 7A": ({"7", "7A"}, None), "10 to 14": ({"10", "11", "12", "13", "14"}, None)}
        want, title = joins.get(self.f["joined"], (set(), None))
        picked = [i for i in items if i[0][0] in want]
        if len(picked) < 2:
            return items
        first = picked[0]
        joined = (tuple(i[0][0] for i in picked), title or ", ".join(i[1] for i in picked), max(first[2], 1))
        return [joined if i is first else i for i in items if i is first or i not in picked]

    # ---- how a heading is written ----

    def lead(self, numbers):
        form = self.f["number"]
        if len(numbers) == 1 or not form:
            return form % numbers[0] if form else ""
        both = ", ".join(numbers[:-1]) + " and " + numbers[-1]
        return (form if "tem" not in form.lower() else form.replace("Item", "Items").replace("ITEM", "ITEMS")) % both

    def name(self, title):
        return {"as is": title, "capitals": title.upper(), "stop": title + "."}[self.f["title"]]

    def whole(self, numbers, title):
        return self.lead(numbers) + self.name(title)

    def heading(self, part, numbers, title, first):
        style = LOOKS[self.f["look"]] + ";font-size:11pt"
        lead, name, kind = self.lead(numbers), self.name(title), self.f["heading"]
        if self.f["part"] == "with item" and first and lead:
            lead = "PART %s, " % part + lead
        mark = "i%s%s" % (part, numbers[0])
        if kind == "two blocks" and lead:
            return '<div id="%s"></div>' % mark + span(lead, style) + span(name, style)
        if kind == "row" and lead:
            return '<table id="%s"><tr><td style="%s">%s</td><td style="%s">%s</td></tr></table>\n' % (mark, style, lead, style, name)
        if kind == "row of three" and lead:
            return '<table id="%s"><tr><td></td><td style="%s">%s</td><td style="%s">%s</td></tr></table>\n' % (mark, style, lead, style, name)
        if kind == "h2":
            return '<h2 id="%s" style="%s">%s%s</h2>\n' % (mark, style, lead, name)
        if kind == "drop capital" and lead.startswith("I"):
            return '<div id="%s" style="%s"><span style="%s;font-size:14pt">I</span><span style="%s">%s%s</span></div>\n' % (mark, style, style, style, lead[1:], name)
        return '<div id="%s">%s</div>' % (mark, span(lead + name, style))

    # ---- pages ----

    def turn(self):
        self.page += 1
        number = {"plain": str(self.page), "dashes": "- %d -" % self.page, "company": "Slipway Works, Inc. | 2025 Form %s | %d" % (self.f["form"], self.page),
                  "none": ""}[self.f["page number"]]
        if self.foot:
            self.out.append(span(self.foot, "color:#6d6e71;font-size:8pt"))
        if number:
            self.out.append(span(number, "text-align:center;font-size:8pt"))
        self.out.append({"hr": '<hr style="page-break-after:always"/>\n', "div": '<div style="page-break-before:always"></div>\n', "none": ""}[self.f["page"]])

    foot = ""

    def running(self, part, numbers, title, first):
        kind, look = self.f["head"], {"grey": "color:#6d6e71;font-size:9pt", "bold": "font-weight:700;font-size:9pt",
                                      "same": LOOKS[self.f["look"]] + ";font-size:11pt"}[self.f["head look"]]
        whole = self.whole(numbers, title)
        if kind == "item" or (kind == "every second" and self.page % 2):
            return span(whole, look)
        if kind == "continued" and not first:
            return span(whole + " (continued)", look)
        if kind == "title":
            return span(self.name(title), look)
        if kind == "part":
            return span("PART %s" % part, look)
        if kind == "part and item":
            return '<table><tr><td style="%s">Part %s</td><td style="%s;text-align:right">%s</td></tr></table>\n' % (look, part, look, whole)
        if kind == "company":
            return span("Slipway Works, Inc.", look)
        if kind == "item foot":
            self.foot = whole
        return ""

    # ---- text ----

    def sentences(self, key, page, count):
        out = []
        for n in range(count):
            text = ("In item %s we write of %s on its page %d, paragraph %d, and as in every year the words are many and the figures few, for "
                    "that is what such pages are made of in most reports of this kind, whoever reads them to the end." % (key, TOPICS[(page + n) % len(TOPICS)], page, n))
            if self.f["references"] and self.rng.random() < 0.15:
                other = self.rng.choice(self.rng.choice(self.parts)[1])
                text = "%s of this report should be read with what follows. " % self.whole(other[0], other[1]).strip(" .") + text
            if self.f["inner"] and self.rng.random() < 0.06:
                out.append(span(self.rng.choice(("Legal Proceedings", "Risk Factors Summary", "Overview of Properties", "Financial Statements and Their Notes",
                                                 "Executive Compensation Policy")), "font-weight:700;font-style:italic"))
            out.append(span(text, "font-size:10pt;text-align:justify"))
        return out

    def item(self, part, numbers, title, pages, first):
        key = (part + "-" if self.f["form"] == "10-Q" else "") + "+".join(numbers)
        self.truth.append(key)
        self.foot = ""
        if pages == 0:
            self.out.append(self.heading(part, numbers, title, first) + span("None.", "font-size:10pt"))
            return
        for n in range(pages):
            self.out.append(self.running(part, numbers, title, n == 0) if n or self.f["breaks"] == "item" else "")
            text = self.sentences(key, n + 1, 6)
            if n == 0 and self.f["heading"] == "in table":
                rows = "".join("<tr><td></td><td>%s</td></tr>" % t for t in text)
                self.out.append('<table><tr><td style="%s">%s</td><td style="%s">%s</td></tr>%s</table>\n' %
                                (LOOKS[self.f["look"]], self.lead(numbers), LOOKS[self.f["look"]], self.name(title), rows))
            elif n == 0 and self.f["heading"] == "run-in":
                style = LOOKS[self.f["look"]]
                self.out.append('<div><span style="%s">%s.</span> %s</div>' % (style, self.whole(numbers, title).rstrip("."), re.sub("<[^>]*>", "", text[0]).strip()))
                self.out += text[1:]
            else:
                self.out += ([self.heading(part, numbers, title, first)] if n == 0 else []) + text
            if n + 1 < pages or self.f["breaks"] == "item":
                self.turn()

    def contents(self, chosen, named):
        kind, page, rows = self.f["contents kind"], self.page + 2, ""
        colour = ' style="color:#ffffff"' if kind == "coloured" else ""
        for part, items in chosen:
            if named:
                rows += "<tr><td%s>PART %s</td></tr>" % (colour, part) if kind != "lines" else span("PART %s" % part, "")
            for numbers, title, pages in items:
                number = str(page) if self.f["pages listed"] else ""
                whole, link = self.whole(numbers, title), "#i%s%s" % (part, numbers[0])
                page += max(pages, 0)
                if kind == "lines":
                    rows += span("%s %s" % (whole, number), "")
                elif kind == "two cells":
                    rows += "<tr><td>%s</td><td>%s</td><td>%s</td></tr>" % (self.lead(numbers), self.name(title), number)
                elif kind == "linked":
                    rows += '<tr><td><a href="%s">%s</a></td><td>%s</td></tr>' % (link, whole, number)
                elif kind == "linked pages":
                    rows += '<tr><td>%s</td><td><a href="%s">%s</a></td></tr>' % (whole, link, number)
                else:
                    rows += "<tr><td%s>%s</td><td%s>%s</td></tr>" % (colour, whole, colour, number)
        table = ' style="background-color:#00583d"' if kind == "coloured" else ""
        self.out.append(rows if kind == "lines" else "<table%s>%s</table>\n" % (table, rows))

    def write(self):
        for line in ("UNITED STATES", "SECURITIES AND EXCHANGE COMMISSION", "FORM %s" % self.f["form"], "For the period ended December 31, 2025",
                     "Commission file number 001-99999", "Slipway Works, Inc.", "(Exact name of registrant as specified in its charter)"):
            self.out.append(span(line, "text-align:center;font-weight:700"))
        self.turn()
        if self.f["contents"] in ("front", "both"):
            self.out.append(span("TABLE OF CONTENTS", "font-weight:700;text-align:center"))
            self.contents(self.parts, True)
            self.turn()
        for part, items in self.parts:
            if self.f["contents"] in ("parts", "both"):
                self.contents([(part, items)], self.f["part"] != "none")
                self.turn()
            elif self.f["part"] not in ("none", "with item"):
                self.out.append(span(self.f["part"].replace("NAMED", NAMES[part]) % part, "font-weight:700;text-align:center"))
            for i, (numbers, title, pages) in enumerate(items):
                self.item(part, numbers, title, pages, i == 0)
        self.out.append(span("SIGNATURES", "text-align:center;font-weight:700") + span("Pursuant to the requirements of the Securities Exchange Act.", ""))
        return "<html><head><title>%s</title></head><body>\n%s</body></html>\n" % (self.f["form"], "".join(self.out))


# ---- measuring ----

def sections(record):
    text, marks = record["text"].encode(), [o for o in record["outline"] if o["level"] <= 2]
    for i, o in enumerate(marks):
        end = marks[i + 1]["offset"] if i + 1 < len(marks) else len(text)
        if o.get("item"):
            yield o["item"], text[o["offset"]:end].decode()
    yield None, text[:marks[0]["offset"]].decode() if marks else text.decode()


def judge(truth, record):
    """Items lost, items shortened, items given twice, of a stripped report."""
    found, under = [], {}
    for item, text in sections(record):
        if item:
            found.append(item)
        for key in re.findall(r"In item (\S+) we write", text):
            under.setdefault(key, set()).add(item)
    heads = {key: key.split("+")[0] for key in truth}
    lost = [key for key in truth if heads[key] not in found]
    shortened = [key for key in truth if key not in lost and under.get(key, set()) - {heads[key]}]
    return lost, shortened, len(found) - len(set(found))


def strip(binary, html):
    with tempfile.NamedTemporaryFile("w", suffix=".htm") as f:
        f.write(html)
        f.flush()
        run = subprocess.run([binary + "/bid-strip", "--raw", f.name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return json.loads(run.stdout)


def measure(binary, first, last):
    counts = {"reports": 0, "whole": 0, "doubted": 0, "silent": 0, "items": 0, "lost": 0, "shortened": 0, "twice": 0}
    for seed in range(first, last + 1):
        report = RandomReport(seed)
        record = strip(binary, report.write())
        lost, shortened, twice = judge(report.truth, record)
        doubted = record.get("outlineConfidence", 0) <= 0.5
        fault = bool(lost or shortened or twice)
        counts["reports"] += 1
        counts["whole"] += not fault
        counts["doubted"] += fault and doubted
        counts["silent"] += fault and not doubted
        counts["items"] += len(report.truth)
        counts["lost"] += len(lost)
        counts["shortened"] += len(shortened)
        counts["twice"] += twice
        if fault:
            print(json.dumps({"seed": seed, "confidence": record.get("outlineConfidence"), "lost": lost, "shortened": shortened, "twice": twice, **report.f}))
    print(json.dumps(counts))
    return counts["silent"]


if __name__ == "__main__":
    if sys.argv[1] == "show":
        sys.stdout.write(RandomReport(int(sys.argv[2])).write())
    else:
        sys.exit(measure(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])) > 0)
