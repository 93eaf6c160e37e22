#!/usr/bin/env python3
"""Prints an annual report in one of the layouts that filers use: layouts.py LAYOUT

heads       each page repeats its item's name as a running head, each part opens with a coloured table of its items
heads-link  the same, the tables' rows linked to the items
heads-only  the running head is the only place of an item's name beside the part's table
heads-part  running head of two cells, part and item, items' own headings in capitals without the word item
heads-alt   running heads on every second page only, the item's own heading in the same words and style
heads-list  the part's table is a list of lines on a page of its own, headings without the word item ("1A. Risk Factors")
repeat      "Item 1A. Risk Factors (continued)" on top of each page
bare        running heads without the word item ("Risk Factors"), tables with numbers of items
no-first    no Item 1: the report begins with Item 1A
cover-toc   one table of contents in front, in colour, and the part's name on every page

Its words are invented; every sentence of an item names it, so that a test can tell which text belongs to which.
"""
import sys

PARTS = [
    ("I", [("1", "Business", 4), ("1A", "Risk Factors", 5), ("1B", "Unresolved Staff Comments", 0), ("1C", "Cybersecurity", 1),
           ("2", "Properties", 1), ("3", "Legal Proceedings", 1), ("4", "Mine Safety Disclosures", 0)]),
    ("II", [("5", "Market for Registrant’s Common Equity, Related Stockholder Matters and Issuer Purchases of Equity Securities", 1),
            ("6", "[Reserved]", 0),
            ("7", "Management’s Discussion and Analysis of Financial Condition and Results of Operations", 4),
            ("7A", "Quantitative and Qualitative Disclosures About Market Risk", 1), ("8", "Financial Statements and Supplementary Data", 5),
            ("9", "Changes in and Disagreements With Accountants on Accounting and Financial Disclosure", 0),
            ("9A", "Controls and Procedures", 1), ("9B", "Other Information", 0)]),
    ("III", [("10", "Directors, Executive Officers and Corporate Governance", 1), ("11", "Executive Compensation", 0),
             ("12", "Security Ownership of Certain Beneficial Owners and Management and Related Stockholder Matters", 0),
             ("13", "Certain Relationships and Related Transactions, and Director Independence", 0),
             ("14", "Principal Accountant Fees and Services", 0)]),
    ("IV", [("15", "Exhibits and Financial Statement Schedules", 1), ("16", "Form 10-K Summary", 0)])]

TOPICS = ("harbour dues", "the slipway", "our pilots", "the dredging of the basin", "rope and canvas", "the cold store")


def div(text, style=""):
    return '<div style="%s"><span style="%s">%s</span></div>\n' % (style, style, text)


def sentences(item, page, count):
    return "".join(
        '<div style="font-size:10pt;text-align:justify"><span style="font-size:10pt">In item %s we write of %s on its page %d, paragraph %d, '
        "and as in every year the words are many and the figures few, for that is what such pages are made of in most reports of this "
        "kind, whoever reads them to the end and whatever may be found there.</span></div>\n" % (item, TOPICS[(page + n) % len(TOPICS)], page, n)
        for n in range(count))


class Report:
    def __init__(self, layout):
        self.layout, self.page, self.out = layout, 0, []

    def add(self, html):
        self.out.append(html)

    def turn(self):
        self.page += 1
        self.add(div(str(self.page), "text-align:center;font-size:8pt") + '<hr style="page-break-after:always"/>\n')

    def title(self, number, name):
        return "Item %s. %s" % (number, name)

    def contents(self, part, items):
        rows = ""
        for number, name, _ in items:
            text = self.title(number, name) if self.layout != "bare" else "%s</td><td>%s" % (number, name)
            if self.layout == "heads-link":
                text = '<a href="#i%s">%s</a>' % (number, text)
            rows += '<tr><td style="color:#ffffff">%s</td><td style="color:#ffffff;text-align:right">%d</td></tr>\n' % (text, self.page + 2)
        head = '<tr><td colspan="2" style="color:#ffffff;font-weight:700">PART %s</td></tr>' % part if part else ""
        self.add('<table style="background-color:#00583d;width:100%%">%s%s</table>\n' % (head, rows))

    def lines(self, part, items):
        self.add(div("PART %s" % part, "color:#ffffff;background-color:#00583d"))
        for number, name, _ in items:
            self.add(div(self.title(number, name), "color:#ffffff;background-color:#00583d"))
        self.turn()

    def head(self, part, number, name, first):
        grey = "color:#6d6e71;font-size:9pt;font-weight:700"
        if self.layout == "heads-alt" and self.page % 2 == 0:
            return
        if self.layout == "heads-list":
            self.add(div("PART %s" % part, grey) + div(self.title(number, name), grey))
        elif self.layout == "heads-part":
            self.add('<table><tr><td style="%s">Part %s</td><td style="%s;text-align:right">Item %s. %s</td></tr></table>\n'
                     % (grey, part, grey, number, name))
        elif self.layout in ("heads", "heads-link", "heads-only", "heads-alt", "no-first"):
            self.add(div("%s | %s" % (self.title(number, name), "2025 Annual Report") if self.layout == "no-first" else self.title(number, name), grey))
        elif self.layout == "repeat" and not first:
            self.add(div(self.title(number, name) + " (continued)", grey))
        elif self.layout == "bare":
            self.add(div(name, grey))
        elif self.layout == "cover-toc":
            self.add(div("PART %s" % part, grey))

    def item(self, part, number, name, pages):
        if pages == 0:
            self.add('<div id="i%s">%s</div>' % (number, div(self.title(number, name), "font-weight:700")) + div("None."))
            return
        for n in range(pages):
            self.head(part, number, name, n == 0)
            if n == 0 and self.layout == "heads-alt":
                self.add(div(self.title(number, name), "color:#6d6e71;font-size:9pt;font-weight:700"))
            elif n == 0 and self.layout == "heads-list":
                self.add(div("%s. %s" % (number, name), "font-weight:700;font-size:14pt"))
            elif n == 0 and self.layout == "heads-part":
                self.add(div(name.upper(), "font-weight:700;font-size:14pt"))
            elif n == 0 and self.layout != "heads-only":
                self.add('<div id="i%s">%s</div>' % (number, div(self.title(number, name), "font-weight:700;font-size:14pt;color:#00583d")))
            self.add(sentences(number, n + 1, 7))
            self.turn()

    def cover(self):
        for line in ("UNITED STATES", "SECURITIES AND EXCHANGE COMMISSION", "FORM 10-K", "For the fiscal year ended December 31, 2025",
                     "Commission file number 001-99999", "Slipway Works, Inc.", "(Exact name of registrant as specified in its charter)"):
            self.add(div(line, "text-align:center;font-weight:700"))
        self.turn()

    def write(self):
        self.cover()
        if self.layout in ("cover-toc", "repeat"):
            for part, items in PARTS:
                self.contents(part, items)
            self.turn()
        for part, items in PARTS:
            if self.layout == "no-first":
                items = [i for i in items if i[0] != "1"]
            if self.layout == "heads-list":
                self.lines(part, items)
            elif self.layout in ("heads", "heads-link", "heads-only", "heads-part", "heads-alt", "bare"):
                self.contents(part, items)
            else:
                self.add(div("PART %s" % part, "text-align:center;font-weight:700"))
            for number, name, pages in items:
                self.item(part, number, name, pages)
        self.add(div("SIGNATURES", "text-align:center;font-weight:700") + div("Pursuant to the requirements of the Securities Exchange Act."))
        return "<html><head><title>10-K</title></head><body>\n%s</body></html>\n" % "".join(self.out)


if __name__ == "__main__":
    sys.stdout.write(Report(sys.argv[1]).write())
