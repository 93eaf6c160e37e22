#!/usr/bin/env python3
"""Makes the sample filings in data/sample/ out of data/sample/source/: full EDGAR submissions (SGML header, inline XBRL in the
style of today's filers, page breaks, spacer columns) and, with groff, the analyst report as PDF.

    python3 data/gen/sample.py            # writes data/sample/*.txt and *.pdf

Source format: "@key value" lines, then "PART ...", "ITEM ..." and "== heading" lines, "* bullet", "^ footnote", "PAGE", paragraphs, and
TABLE caption / rows "label | cell | cell ; concept" / ENDTABLE, the first row being the column headers.
"""
import html
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLE = os.path.join(HERE, "..", "sample")
TITLES = {"10-K": "ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934",
          "10-Q": "QUARTERLY REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934",
          "8-K": "CURRENT REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934"}
FONT = "font-family:'Times New Roman',sans-serif;font-size:10pt;line-height:120%"


def esc(text):
    return html.escape(text, quote=False).replace("'", "&#8217;").replace(" - ", " &#8212; ")


class Page:
    """Gathers the document's HTML, numbering pages, facts and contexts."""

    def __init__(self, meta):
        self.meta, self.out, self.page, self.facts, self.contexts, self.anchors = meta, [], 1, 0, {}, []

    def add(self, text):
        self.out.append(text)

    def span(self, text, style=""):
        return f'<span style="color:#000000;{FONT};{style}">{text}</span>'

    def div(self, inner, style=""):
        self.add(f'<div style="margin-top:6pt;text-align:justify;{style}">{inner}</div>')

    def page_break(self):
        self.div(self.span(f'{self.meta["company"]} | {self.meta["fiscal"].split()[0]} Form {self.meta["form"]} | {self.page}', "font-size:8pt"),
                 "text-align:center")
        self.add('</div><div style="height:42.75pt;position:relative;width:100%"></div>'
                 '<hr style="page-break-after:always"/><div style="min-height:42.75pt;width:100%">')
        self.add(f'<div>{self.span("<a href=#toc>Table of Contents</a>", "font-size:8pt")}</div>')
        self.page += 1

    def context(self, concept, column, flow_words):
        """A context id for a column header such as "2025" or "September 30, 2025"."""
        key = re.sub(r"[^A-Za-z0-9]", "", flow_words + column)
        self.contexts[key] = (flow_words, column)
        return "c-" + key

    def number(self, cell, concept, column, words, scale):
        """One figure as the cells $, number, closing bracket."""
        m = re.match(r"^(\$ ?)?(\()?([\d.,]+|-)(\))?(%)?$", cell)
        if not m:
            return f'<td colspan="3" style="text-align:left">{self.span(esc(cell))}</td>'
        dollar, negative, digits, _, percent = m.groups()
        shown = "&#8212;" if digits == "-" else digits
        if concept and digits != "-":
            self.facts += 1
            decimals = "-3" if scale == 3 else "2" if scale == 0 else "-5"
            sign = ' sign="-"' if negative else ""
            unit = "usd" if "PerShare" not in concept and "Shares" not in concept else "usdPerShare"
            if "NumberOf" in concept:
                unit = "shares"
            use = 0 if unit == "usdPerShare" else scale
            shown = (f'<ix:nonFraction contextRef="{self.context(concept, column, words)}" decimals="{decimals}" '
                     f'id="f-{self.facts}" name="{concept}" format="ixt:num-dot-decimal" scale="{use}" unitRef="{unit}"{sign}>{shown}</ix:nonFraction>')
        left = f'<td style="padding:2px 1pt;text-align:left">{self.span("$") if dollar else ""}</td>'
        mid = f'<td style="padding:2px 0;text-align:right">{self.span(("(" if negative else "") + shown)}</td>'
        right = f'<td style="padding:2px 1pt;text-align:left">{self.span(")" if negative else "%" if percent else "&#160;")}</td>'
        return left + mid + right

    def table(self, caption, rows):
        scale = 3 if "thousands" in caption else 6 if "millions" in caption else 0
        self.div(self.span(esc(caption), "font-weight:700"), "text-align:center")
        head, body = rows[0], rows[1:]
        self.add('<div style="text-align:center"><table style="border-collapse:collapse;display:inline-table;width:98%">')
        self.add("<tr>" + '<td style="width:1%"></td>' * (1 + 4 * (len(head[0]) - 1)) + "</tr>")
        spacer = f'<td colspan="1" style="padding:0 1pt">{self.span("&#160;")}</td>'
        self.add("<tr>" + f'<td>{self.span(esc(head[0][0]), "font-weight:700")}</td>' +
                 "".join(spacer + f'<td colspan="3" style="border-bottom:1pt solid #000;text-align:center">{self.span(esc(c), "font-weight:700")}</td>'
                         for c in head[0][1:]) + "</tr>")
        for n, (cells, concept) in enumerate(body):
            shade = "background-color:#cceeff;" if n % 2 == 0 else ""
            self.add(f'<tr><td style="{shade}padding:2px 1pt;text-align:left">{self.span(esc(cells[0]))}</td>' + "".join(
                spacer + self.number(c, concept, head[0][i + 1], head[0][0], scale) for i, c in enumerate(cells[1:])) + "</tr>")
        self.add("</table></div>")

    def heading(self, line, items):
        anchor = re.sub(r"[^a-z0-9]+", "_", line.lower())[:40]
        if line.startswith("ITEM"):
            number, _, title = line.partition(". ") if ". " in line else line.partition(" ")
            if not title:
                number, title = line, ""
            if self.meta["form"] == "8-K":
                number, title = " ".join(line.split()[:2]), " ".join(line.split()[2:])
            number = number.replace("ITEM", "Item")
            self.add(f'<div id="{anchor}_{len(self.anchors)}"></div>')
            self.anchors.append((f"{anchor}_{len(self.anchors)}", line, self.page))
            self.div(self.span(f"{number}.&#160;&#160;&#160;&#160;{esc(title)}", "font-weight:700"))
        else:
            self.anchors.append(("", line, self.page))
            self.div(self.span(esc(line), "font-weight:700"), "text-align:center")


def parse(path):
    meta, body = {}, []
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("@"):
            key, _, value = line[1:].partition(" ")
            meta[key] = value
        else:
            body.append(line)
    return meta, body


def render(page, body):
    rows = caption = None
    for line in body:
        if rows is not None:
            if line == "ENDTABLE":
                page.table(caption, rows)
                rows = None
            else:
                cells, _, concept = line.partition(" ; ")
                rows.append(([c.strip() for c in cells.split("|")], concept.strip()))
        elif line.startswith("TABLE "):
            caption, rows = line[6:], []
        elif line == "PAGE":
            page.page_break()
        elif re.match(r"^(PART [IVX]+\b|ITEM |SIGNATURES$)", line):
            page.heading(line, None)
        elif line.startswith("== "):
            page.div(page.span(esc(line[3:]), "font-weight:700;font-style:italic"))
        elif line.startswith("* "):
            page.div(page.span("&#8226;") + page.span("&#160;&#160;" + esc(line[2:])), "padding-left:18pt")
        elif line.startswith("^ "):
            page.div(page.span(esc(line[2:]), "font-size:8pt"))
        elif line.strip():
            page.div(page.span(esc(line)))


def cover(meta):
    box = "&#9746;" if meta["form"] != "8-K" else "&#9744;"
    dei = lambda name, text: f'<ix:nonNumeric contextRef="c-1" name="dei:{name}" id="d-{name}">{text}</ix:nonNumeric>'
    center = lambda text, style="": f'<div style="text-align:center"><span style="{FONT};{style}">{text}</span></div>'
    month = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
    y, m, d = meta["period"].split("-")
    long_date = f"{month[int(m) - 1]} {int(d)}, {y}"
    return "".join([
        center("UNITED STATES", "font-weight:700"), center("SECURITIES AND EXCHANGE COMMISSION", "font-weight:700"),
        center("Washington, D.C. 20549"), center("FORM " + dei("DocumentType", meta["form"]), "font-weight:700;font-size:18pt"),
        f'<div><span style="{FONT}">{box} {TITLES[meta["form"]]}</span></div>',
        center(("For the fiscal year ended " if meta["form"] == "10-K" else "For the quarterly period ended " if meta["form"] == "10-Q" else
                "Date of report: ") + dei("DocumentPeriodEndDate", long_date)),
        center(dei("EntityRegistrantName", esc(meta["company"])), "font-weight:700;font-size:16pt"),
        center("Title of each class: Common Stock. Trading symbol: " + dei("TradingSymbol", meta["ticker"])),
        f'<div><span style="{FONT}">Indicate by check mark whether the registrant is a large accelerated filer. Yes &#9744; No &#9746;</span></div>'])


def document(meta, body):
    page = Page(meta)
    render(page, body)
    toc = "".join(f'<tr><td><a href="#{a}">{esc(line)}</a></td><td>{n}</td></tr>' if a else f"<tr><td>{esc(line)}</td><td></td></tr>"
                  for a, line, n in page.anchors if line != "SIGNATURES")
    contexts = "".join(
        f'<xbrli:context id="c-{key}"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">{meta["cik"]}</xbrli:identifier>'
        f"</xbrli:entity><xbrli:period><xbrli:instant>{meta['period']}</xbrli:instant></xbrli:period></xbrli:context>" for key in page.contexts)
    year, period = meta["fiscal"].split()
    hidden = "".join(f'<ix:nonNumeric contextRef="c-1" name="dei:{n}" id="h-{n}">{v}</ix:nonNumeric>' for n, v in [
        ("EntityCentralIndexKey", meta["cik"]), ("DocumentFiscalYearFocus", year), ("DocumentFiscalPeriodFocus", period), ("AmendmentFlag", "false")])
    return ('<?xml version="1.0" encoding="ASCII"?>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" '
            'xmlns:xbrli="http://www.xbrl.org/2003/instance" xml:lang="en-US"><head><title>' + meta["document"][:-4] + "</title></head><body>"
            f'<div style="display:none"><ix:header><ix:hidden>{hidden}</ix:hidden><ix:resources>{contexts}</ix:resources></ix:header></div>'
            '<div style="min-height:42.75pt;width:100%">' + cover(meta) +
            ("" if meta["form"] == "8-K" else
             '</div><hr style="page-break-after:always"/><div id="toc"><div style="text-align:center"><span style="font-weight:700">TABLE OF CONTENTS</span></div>'
             f'<table>{toc}</table><hr style="page-break-after:always"/>') + "".join(page.out) + "</div></body></html>")


def submission(meta, text):
    compact = lambda date: date.replace("-", "")
    return f"""<SEC-DOCUMENT>{meta['accession']}.txt : {compact(meta['filed'])}
<SEC-HEADER>{meta['accession']}.hdr.sgml : {compact(meta['filed'])}
<ACCEPTANCE-DATETIME>{meta['accepted']}
ACCESSION NUMBER:\t\t{meta['accession']}
CONFORMED SUBMISSION TYPE:\t{meta['form']}
PUBLIC DOCUMENT COUNT:\t\t1
CONFORMED PERIOD OF REPORT:\t{compact(meta['period'])}
FILED AS OF DATE:\t\t{compact(meta['filed'])}
DATE AS OF CHANGE:\t\t{compact(meta['filed'])}

FILER:

\tCOMPANY DATA:\t
\t\tCOMPANY CONFORMED NAME:\t\t\t{meta['company']}
\t\tCENTRAL INDEX KEY:\t\t\t{meta['cik']}
\t\tSTANDARD INDUSTRIAL CLASSIFICATION:\t[{meta['sic']}]
\t\tSTATE OF INCORPORATION:\t\t\t{meta['state']}
\t\tFISCAL YEAR END:\t\t\t{meta['yearend']}

\tFILING VALUES:
\t\tFORM TYPE:\t\t{meta['form']}
\t\tSEC ACT:\t\t1934 Act
</SEC-HEADER>
<DOCUMENT>
<TYPE>{meta['form']}
<SEQUENCE>1
<FILENAME>{meta['document']}
<DESCRIPTION>{meta['form']}
<TEXT>
<XBRL>
{text}
</XBRL>
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
"""


def main():
    source = os.path.join(SAMPLE, "source")
    for name in sorted(os.listdir(source)):
        path = os.path.join(source, name)
        if name.endswith(".txt"):
            meta, body = parse(path)
            with open(os.path.join(SAMPLE, meta["accession"] + ".txt"), "w", encoding="ascii") as f:
                f.write(submission(meta, document(meta, body).encode("ascii", "xmlcharrefreplace").decode("ascii")))
        elif name.endswith(".ms"):
            pdf = subprocess.run(["groff", "-t", "-ms", "-Tpdf", path], stdout=subprocess.PIPE, check=True,
                                 env={**os.environ, "SOURCE_DATE_EPOCH": "1771891200"}).stdout
            with open(os.path.join(SAMPLE, name[:-3] + ".pdf"), "wb") as f:
                f.write(pdf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
