#!/usr/bin/env python3
"""foreign_files.py DIR: ninety small documents as people's programs write them, with what a person sees in each beside it (NAME.json).

A content is a list in reading order: "words" are seen; {"head": …} is a heading; {"any": …} is seen, wherever a converter puts it
(notes); {"omit": …} is seen or counted as omitted; {"no": …} isn't seen (hidden, deleted)."""
import io, json, os, re, sys, zipfile
from email import policy
from email.message import EmailMessage
import cairocffi as cairo
import docx
from docx.oxml import parse_xml
from docx.shared import Inches
import openpyxl
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
import pptx
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches as In
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet, ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Table, SimpleDocTemplate, Spacer
import xlsxwriter

OUT = sys.argv[1] if len(sys.argv) > 1 else "."
FILES = []
NS = ('xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
      'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
      'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
      'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:v="urn:schemas-microsoft-com:vml" '
      'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
      'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
      'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
      'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
      'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"')


def made(name):
    def wrap(f):
        FILES.append((name, f))
        return f
    return wrap


def head(s): return {"head": s}
def any_(s): return {"any": s}
def omit(s): return {"omit": s}
def no(s): return {"no": s}


# ---- DOCX

def word(body, parts=None, first=None):
    """A document of python-docx whose body gets the paragraphs of BODY (WordprocessingML), and PARTS: name -> (type, xml)."""
    d = docx.Document()
    if first:
        first(d)
    tree = parse_xml(f"<w:body {NS}>{body}</w:body>")
    last = d.element.body[-1]
    for e in list(tree):
        last.addprevious(e)
    b = io.BytesIO()
    d.save(b)
    if not parts:
        return b.getvalue()
    z, o = zipfile.ZipFile(b), io.BytesIO()
    with zipfile.ZipFile(o, "w", zipfile.ZIP_DEFLATED) as w:
        for n in z.namelist():
            t = z.read(n)
            if n == "[Content_Types].xml":
                t = t.replace(b"</Types>", "".join(
                    f'<Override PartName="/word/{p}" ContentType="application/vnd.openxmlformats-officedocument.{c}+xml"/>'
                    for p, (c, k, x) in parts.items()).encode() + b"</Types>")
            elif n == "word/_rels/document.xml.rels":
                t = t.replace(b"</Relationships>", "".join(
                    f'<Relationship Id="rIdX{i}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{k}" Target="{p}"/>'
                    for i, (p, (c, k, x)) in enumerate(parts.items())).encode() + b"</Relationships>")
            if n.replace("word/", "") not in parts:
                w.writestr(n, t)
        for p, (c, k, x) in parts.items():
            w.writestr("word/" + p, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' + x)
    return o.getvalue()


def p(inner, props=""):
    return f"<w:p>{'<w:pPr>' + props + '</w:pPr>' if props else ''}{inner}</w:p>"


def r(text, props=""):
    return f'<w:r>{"<w:rPr>" + props + "</w:rPr>" if props else ""}<w:t xml:space="preserve">{text}</w:t></w:r>'


def h1(text): return p(r(text), '<w:pStyle w:val="Heading1"/>')


def tc(inner, props=""):
    return f"<w:tc><w:tcPr><w:tcW w:w='2000' w:type='dxa'/>{props}</w:tcPr>{inner if inner.startswith('<w:') else p(r(inner))}</w:tc>"


def tbl(*rows):
    return ("<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/><w:gridCol/></w:tblGrid>"
            + "".join(x if x.startswith("<w:tr") or x.startswith("<w:sdt") else f"<w:tr>{x}</w:tr>" for x in rows) + "</w:tbl>")


@made("d01-notes.docx")
def _():
    note = lambda k, i, t: f'<w:{k} w:id="{i}"><w:p><w:r><w:{k}Ref/></w:r>{r(" " + t)}</w:p></w:{k}>'
    sep = lambda k: f'<w:{k} w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:{k}>'
    ref = lambda k, i: f'<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:{k}Reference w:id="{i}"/></w:r>'
    body = (h1("Harbour dues") + p(r("Dues rose to 4,310") + ref("footnote", 1) + r(" thousand in 2023.")) +
            p(r("Berths let: 27") + ref("endnote", 1) + r(" of 31.")))
    data = word(body, {
        "footnotes.xml": ("wordprocessingml.footnotes", "footnotes",
                          f'<w:footnotes {NS}>{sep("footnote")}{note("footnote", 1, "Net of 85 refunds.")}</w:footnotes>'),
        "endnotes.xml": ("wordprocessingml.endnotes", "endnotes",
                         f'<w:endnotes {NS}>{sep("endnote")}{note("endnote", 1, "Pier B closed.")}</w:endnotes>')})
    return data, [head("Harbour dues"), "Dues rose to 4,310", "thousand in 2023.", "Berths let: 27", "of 31.",
                  any_("Net of 85 refunds."), any_("Pier B closed."), no("4,3101"), no("271 of")]


@made("d02-characters.docx")
def _():
    sup, sub = '<w:vertAlign w:val="superscript"/>', '<w:vertAlign w:val="subscript"/>'
    body = (h1("Ballast") + p(r("Area 640 m") + r("2", sup) + r(" and H") + r("2", sub) + r("O of 3×10") + r("-4", sup) + r(" bar.")) +
            p('<w:r><w:t>A co</w:t><w:noBreakHyphen/><w:t>owned yard, super</w:t><w:softHyphen/><w:t>visor Ødegård.</w:t></w:r>') +
            p('<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>' + r(" Insured ") +
              '<w:r><w:sym w:font="Wingdings" w:char="F0A8"/></w:r>' + r(" Leased")) +
            p('<w:r><w:t>Tons</w:t><w:tab/><w:t>1 204</w:t><w:br/><w:t>Trips</w:t><w:tab/><w:t>−17</w:t></w:r>') +
            p(r("The e\ufb03cient \ufb02eet earned 52\u00bd.")))
    return word(body), [head("Ballast"), "Area 640 m^2 and", any_("of 3×10^-4 bar."), "A co-owned yard, supervisor Ødegård.", "☒ Insured ☐ Leased",
                        "Tons 1 204 Trips −17", "The efficient fleet earned 52½."]


@made("d03-tracked.docx")
def _():
    at = 'w:author="Ida" w:date="2024-01-05T00:00:00Z"'
    body = (h1("Budget") + p(r("Spend ") + f'<w:del w:id="1" {at}><w:r><w:delText>410</w:delText></w:r></w:del>' +
                             f'<w:ins w:id="2" {at}>{r("395")}</w:ins>' + r(" on paint.")) +
            p(f'<w:moveFrom w:id="3" {at}>{r("Tugs cost 77.")}</w:moveFrom>' + r("Cranes cost 66.")) +
            p(f'<w:moveTo w:id="4" {at}>{r("Tugs cost 77.")}</w:moveTo>') +
            tbl(tc("Item") + tc("Sum"), f'<w:tr><w:trPr><w:del w:id="5" {at}/></w:trPr>' + tc(p(f'<w:del w:id="6" {at}><w:r><w:delText>Ropes</w:delText></w:r></w:del>'))
                + tc(p(f'<w:del w:id="7" {at}><w:r><w:delText>18</w:delText></w:r></w:del>')) + "</w:tr>",
                f'<w:tr><w:trPr><w:ins w:id="8" {at}/></w:trPr>' + tc(p(f'<w:ins w:id="9" {at}>{r("Buoys")}</w:ins>')) + tc("23") + "</w:tr>"))
    return word(body), [head("Budget"), "Spend 395 on paint.", "Cranes cost 66.", "Tugs cost 77.", "Item Sum", "Buoys 23", no("Spend 410"), no("Ropes")]


@made("d04-comments.docx")
def _():
    def first(d):
        d.add_heading("Crew plan", 1)
        q = d.add_paragraph("We hire 14 deckhands.")
        d.add_comment(q.runs, text="Was 12 in June.", author="Ola", initials="O")
        d.add_paragraph("Pay rises 3.5 %.")
    return word("", first=first), [head("Crew plan"), "We hire 14 deckhands.", "Pay rises 3.5 %.", omit("Was 12 in June.")]


@made("d05-merged.docx")
def _():
    start, go = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    inner = tbl(tc("Port") + tc("Cost"), tc("Moss") + tc("41"))
    body = h1("Berths") + tbl(tc("Coast") + tc("Port") + tc("Ships"), tc("West", start) + tc("Molde") + tc("120"), tc("", go) + tc("Florø") + tc("88"),
                              tc("South", start) + tc("Arendal") + tc("54"), tc("", go) + tc("Total of all", '<w:gridSpan w:val="2"/>')) + \
        p(r("See below.")) + tbl(tc("Lease") + tc(inner + p(""))) + p(r("End."))
    return word(body), [head("Berths"), "Coast Port Ships", "West Molde 120", "West Florø 88", "South Arendal 54", "South Total of all", "See below.",
                        "Lease Port Cost Moss 41", "End."]


@made("d06-numbering.docx")
def _():
    lvl = lambda i, fmt, txt: f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="{fmt}"/><w:lvlText w:val="{txt}"/></w:lvl>'
    num = (f'<w:numbering {NS}><w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="multilevel"/>{lvl(0, "decimal", "%1.")}'
           f'{lvl(1, "decimal", "%1.%2")}{lvl(2, "lowerLetter", "(%3)")}</w:abstractNum><w:abstractNum w:abstractNumId="1">{lvl(0, "upperRoman", "Article %1")}'
           f'</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
           f'<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num></w:numbering>')
    li = lambda n, l, t: p(r(t), f'<w:numPr><w:ilvl w:val="{l}"/><w:numId w:val="{n}"/></w:numPr>')
    body = (li(2, 0, "Parties") + li(2, 0, "Terms") + li(1, 0, "Rent is 900.") + li(1, 1, "Paid monthly.") + li(1, 2, "By wire.") + li(1, 2, "By check.") +
            li(1, 1, "Late fee 2 %.") + li(1, 0, "Deposit is 1,800.") + p(r("Riders")) + li(3, 0, "Keys: 3."))
    return word(body, {"numbering.xml": ("wordprocessingml.numbering", "numbering", num)}), [
        "Article I Parties", "Article II Terms", "1. Rent is 900.", "1.1 Paid monthly.", "(a) By wire.", "(b) By check.", "1.2 Late fee 2 %.",
        "2. Deposit is 1,800.", "Riders", "7. Keys: 3."]


@made("d07-textbox.docx")
def _():
    text = lambda t: f"<w:txbxContent>{p(r(t))}</w:txbxContent>"
    box = ('<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><wp:docPr id="1" name="Box" descr="Map of the pier"/><a:graphic><a:graphicData '
           'uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:txbx>' + text("Notice: 48 hours.") +
           '</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>' +
           text("Notice: 48 hours.") + "</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>")
    return word(h1("Pier rules") + p(r("Speed limit 5 knots.") + box) + p(r("Fines up to 750."))), [
        head("Pier rules"), "Speed limit 5 knots.", any_("Notice: 48 hours."), "Fines up to 750.", {"once": "Notice: 48 hours."}]


@made("d08-fields.docx")
def _():
    ch = lambda k, more="": f'<w:r><w:fldChar w:fldCharType="{k}">{more}</w:fldChar></w:r>'
    fld = lambda code, res: ch("begin") + f'<w:r><w:instrText xml:space="preserve"> {code} </w:instrText></w:r>' + ch("separate") + r(res) + ch("end")
    box = lambda on, c: (f'<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="{on}"/></w14:checkbox></w:sdtPr><w:sdtContent>{r(c)}</w:sdtContent></w:sdt>')
    ff = ch("begin", '<w:ffData><w:name w:val="D"/><w:ddList><w:result w:val="1"/><w:listEntry w:val="Oslo"/><w:listEntry w:val="Bergen"/></w:ddList></w:ffData>') + \
        '<w:r><w:instrText> FORMDROPDOWN </w:instrText></w:r>' + ch("end")
    body = (p(r("Total ") + fld("= SUM(ABOVE) \\# 0", "615") + r(" kr, see page ") + fld("PAGEREF _x", "9") + r(".")) +
            p(r("Signed ") + '<w:fldSimple w:instr=" DATE ">' + r("3 May 2024") + "</w:fldSimple>" + r(" at ") + ff + r(".")) +
            p(box(1, "☒") + r(" Resident ") + box(0, "☐") + r(" Visitor")) +
            p(r("Mail ") + fld('HYPERLINK "mailto:a@b.no"', "the clerk") + r(" by 17:00.")))
    return word(body), ["Total 615 kr, see page 9.", "Signed 3 May 2024 at", "Bergen.", "☒ Resident ☐ Visitor", "Mail the clerk by 17:00.", no("PAGEREF"), no("FORMDROPDOWN")]


@made("d09-equations.docx")
def _():
    mr = lambda t: f"<m:r><m:t>{t}</m:t></m:r>"
    frac = f"<m:f><m:num>{mr('3')}</m:num><m:den>{mr('8')}</m:den></m:f>"
    sup = f"<m:sSup><m:e>{mr('10')}</m:e><m:sup>{mr('9')}</m:sup></m:sSup>"
    sub = f"<m:sSub><m:e>{mr('V')}</m:e><m:sub>{mr('1')}</m:sub></m:sSub>"
    big = f"<m:f><m:num>{mr('a+b')}</m:num><m:den>{mr('c')}</m:den></m:f>"
    body = p(r("The share is ") + f"<m:oMath>{frac}</m:oMath>" + r(" of all.")) + p(r("About ") + f"<m:oMath>{sup}</m:oMath>" + r(" litres.")) + \
        p(f"<m:oMathPara><m:oMath>{sub}{mr('=')}{big}</m:oMath></m:oMathPara>") + p(r("Rate 4 ") + f"<m:oMath>{frac}</m:oMath>" + r(" percent."))
    return word(body), ["The share is 3/8 of all.", "About 10^9 litres.", any_("=(a+b)/c"), "Rate 4 3/8 percent."]


@made("d10-shown.docx")
def _():
    body = (p(r("net result", "<w:caps/>") + r(" 71")) + p(r("Fee ") + r("120", "<w:strike/>") + r(" 135") + r(" secret 99", "<w:vanish/>") + r(" euro.")) +
            p(r("Old ") + r("8", "<w:dstrike/>") + r(" new 6")) + p(r("All ") + r("kept", '<w:vanish w:val="0"/>') + r(" 44", '<w:strike w:val="false"/>')) +
            p(r("Draft only 13", "<w:vanish/>"), "<w:rPr><w:vanish/></w:rPr>"))
    return word(body), ["NET RESULT 71", "Fee ~~120~~ 135 euro.", "Old ~~8~~ new 6", "All kept 44", no("99"), no("13")]


@made("d11-sections.docx")
def _():
    def first(d):
        s = d.sections[0]
        s.header.paragraphs[0].text = "Harbour board, draft 3"
        s.footer.paragraphs[0].text = "Kept by the clerk"
    rtl = p('<w:r><w:rPr><w:rtl/></w:rPr><w:t>המחיר הוא 250 שקל</w:t></w:r>', "<w:bidi/>")
    cut = p(r("Left column 11."), '<w:sectPr><w:type w:val="continuous"/><w:cols w:num="2"/></w:sectPr>')
    return word(h1("Minutes") + cut + p('<w:r><w:br w:type="column"/></w:r>' + r("Right column 22.")) + rtl + p(r("Closed.")), first=first), [
        head("Minutes"), "Left column 11.", "Right column 22.", "המחיר הוא 250 שקל", "Closed.", omit("Harbour board, draft 3"), omit("Kept by the clerk")]


CHART = ('<c:chartSpace {ns}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Tons by quay</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef>'
         '<c:strCache><c:pt idx="0"><c:v>Tons</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:ptCount val="2"/><c:pt idx="0"><c:v>East</c:v></c:pt>'
         '<c:pt idx="1"><c:v>West</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:formatCode>0.0%</c:formatCode><c:ptCount val="2"/>'
         '<c:pt idx="0"><c:v>0.375</c:v></c:pt><c:pt idx="1"><c:v>0.625</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>')


@made("d12-chart.docx")
def _():
    draw = ('<w:r><w:drawing><wp:inline><wp:extent cx="1" cy="1"/><wp:docPr id="1" name="C"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart">'
            '<c:chart r:id="rIdX0"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>')
    return word(h1("Cargo") + p(draw) + p(r("Source: port log.")), {"charts/chart1.xml": ("drawingml.chart", "chart", CHART.format(ns=NS))}), [
        head("Cargo"), omit("Tons by quay"), omit("East 37.5%"), omit("West 62.5%"), "Source: port log."]


@made("d13-wrapped.docx")
def _():
    sdt = lambda x: f"<w:sdt><w:sdtPr/><w:sdtContent>{x}</w:sdtContent></w:sdt>"
    body = (sdt(h1("Wrapped") + p(r("Kept 1."))) + p('<w:smartTag w:element="x">' + r("Kept 2, ") + "</w:smartTag>" + sdt(r("kept 3, ")) +
                                                    '<w:hyperlink w:anchor="x">' + r("kept 4, ") + '</w:hyperlink><w:bdo w:val="ltr">' + r("kept 5.") + "</w:bdo>") +
            '<w:customXml w:element="y">' + p(r("Kept 6.")) + "</w:customXml>" +
            tbl(tc("Name") + tc("Qty"), sdt("<w:tr>" + tc("Bolt") + tc("610") + "</w:tr>"), "<w:tr>" + sdt(tc("Nut")) + tc(sdt(p(r("590")))) + "</w:tr>") +
            p(r("Place") + '<w:r><w:cr/></w:r>' + r("your name here", "") + '<w:r><w:t> </w:t></w:r>'))
    return word(body), [head("Wrapped"), "Kept 1.", "Kept 2, kept 3, kept 4, kept 5.", "Kept 6.", "Name Qty", "Bolt 610", "Nut 590", "Place your name here"]


# ---- XLSX

def sheet(fill, **kw):
    b = openpyxl.Workbook()
    fill(b, b.active)
    o = io.BytesIO()
    b.save(o)
    return o.getvalue()


FORMATS = [("Percent", 0.1275, "0.0%", "12.8%"), ("Loss", -1250, "#,##0;(#,##0)", "(1,250)"), ("Thousands", 4310000, "#,##0,", "4,310"),
           ("Millions", 15250000, '0.0,,"M"', "15.3M"), ("Fee", 1234.5, '"$"#,##0.00', "$1,234.50"), ("Share", 2.375, "# ?/?", "2 3/8"),
           ("Run", 1.270833333, "[h]:mm", "30:30"), ("ZIP", 6103, "00000", "06103"), ("Multiple", 7.25, '0.0"x"', "7.3x"),
           ("Science", 0.000123, "0.00E+00", "1.23E-04"), ("Phone", 2075551234, "000-000-0000", "207-555-1234"), ("Sign", 7, '"+"0;"-"0', "+7"),
           ("Yes", 1, '"Yes";;"No"', "Yes"), ("Nil", 0, '#,##0;(#,##0);"–"', "–"), ("Half", 0.5, "# ??/??", "1/2"), ("Points", 35, '0" bp"', "35 bp")]


@made("x01-formats.xlsx")
def _():
    def fill(b, s):
        s.title = "Formats"
        s.append(["Name", "Value"])
        for n, v, f, _ in FORMATS:
            s.append([n, v])
            s.cell(s.max_row, 2).number_format = f
    return sheet(fill), [head("Formats"), "Name Value"] + [f"{n} {t}" for n, v, f, t in FORMATS]


DATES = [("A", 44000, "yyyy-mm-dd", "2024-06-19"), ("B", 44000, "d-mmm-yy", "19-Jun-24"), ("C", 44000, "mmmm yyyy", "June 2024"), ("D", 44000.75, "h:mm AM/PM", "6:00 PM"),
         ("E", 44000, "m/d/yyyy", "6/19/2024"), ("F", 44000.5, "dd.mm.yyyy hh:mm", "19.06.2024 12:00"), ("G", 0.021, "mm:ss", "30:14"), ("H", 44000, "ddd d", "Wed 19"),
         ("I", 44000, "[$-407]d/m/yyyy", "19/6/2024")]


@made("x02-1904.xlsx")
def _():
    def fill(b, s):
        s.title = "Dates"
        for n, v, f, _ in DATES:
            s.append([n, v])
            s.cell(s.max_row, 2).number_format = f
    data = sheet(fill)
    z, o = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    with zipfile.ZipFile(o, "w") as w:
        for n in z.namelist():
            t = z.read(n)
            w.writestr(n, t.replace(b"<workbookPr/>", b'<workbookPr date1904="1"/>') if n == "xl/workbook.xml" else t)
    # openpyxl writes the serial numbers of 1900: 44000 of 1904 is 19 June 2024
    return o.getvalue(), [head("Dates")] + [f"{n} {t}" for n, v, f, t in DATES]


@made("x03-merged.xlsx")
def _():
    def fill(b, s):
        s.title = "Plants"
        for row in (["Region", "Plant", "Output", None], [None, None, "2022", "2023"], ["North", "Alta", 310, 322], [None, "Bodø", 120, 133], ["South", "Mandal", 45, 47]):
            s.append(row)
        for m in ("A1:A2", "B1:B2", "C1:D1", "A3:A4"):
            s.merge_cells(m)
    return sheet(fill), [head("Plants"), any_("Region"), any_("Output"), any_("2022"), any_("2023"), "North Alta 310 322", "North Bodø 120 133", "South Mandal 45 47"]


@made("x04-formulas.xlsx")
def _():
    def fill(b, s):
        s.title = "Sums"
        for row in (["Item", "Cost"], ["Rope", 12.5], ["Sail", 340], ["Total", "=SUM(B2:B3)"], ["Note", "checked"]):
            s.append(row)
    return sheet(fill), [head("Sums"), "Item Cost", "Rope 12.5", "Sail 340", "Total", {"omit": ["352.5", "=SUM(B2:B3)"]}, "Note checked"]


@made("x05-hidden.xlsx")
def _():
    def fill(b, s):
        s.title = "Open"
        for row in (["Ship", "Dues", "Code"], ["Alma", 510, "zz1"], ["Brage", 777, "zz2"], ["Carla", 530, "zz3"]):
            s.append(row)
        s.row_dimensions[3].hidden = True
        s.column_dimensions["C"].hidden = True
        t = b.create_sheet("Closed")
        t.append(["Margin", 4242])
        t.sheet_state = "hidden"
        u = b.create_sheet("Deep")
        u.append(["Rebate", 8181])
        u.sheet_state = "veryHidden"
    return sheet(fill), [head("Open"), "Ship Dues", "Alma 510", "Carla 530", no("777"), no("zz2"), omit("Margin 4242"), omit("Rebate 8181"), {"counted": True}]


@made("x06-comments.xlsx")
def _():
    def fill(b, s):
        s.title = "Rates"
        s.append(["Loan", "Rate"])
        s.append(["Quay", 4.25])
        s["B2"].comment = Comment("Fixed until 2031", "Ida")
        s.append(["Site", "terms"])
        s["B3"].hyperlink = "https://example.org/terms"
    return sheet(fill), [head("Rates"), "Loan Rate", "Quay 4.25", omit("Fixed until 2031"), "Site terms"]


@made("x07-rich.xlsx")
def _():
    def fill(b, s):
        s.title = "Rich"
        s.append(["Name", "Value"])
        s["A2"] = CellRichText("Power", TextBlock(InlineFont(vertAlign="superscript"), "3"))
        s["B2"] = CellRichText("10", TextBlock(InlineFont(vertAlign="superscript"), "-6"), " g")
        s["A3"], s["B3"] = "Old", CellRichText(TextBlock(InlineFont(strike=True), "55"), " 60")
        s["A4"], s["B4"] = "Kobe", "KANJI"
    data = sheet(fill)
    z, o = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    with zipfile.ZipFile(o, "w") as w:
        for n in z.namelist():
            t = z.read(n).decode("utf-8", "surrogateescape")
            t = re.sub(r"<(si|is)><t[^>]*>KANJI</t></(si|is)>", '<\\1><t>神戸</t><rPh sb="0" eb="2"><t>コウベ</t></rPh><phoneticPr fontId="1"/></\\1>', t)
            w.writestr(n, t.encode("utf-8", "surrogateescape"))
    return o.getvalue(), [head("Rich"), "Name Value", "Power^3 10^-6 g", "Old ~~55~~ 60", "Kobe 神戸", no("コウベ")]


@made("x08-shapes.xlsx")
def _():
    o = io.BytesIO()
    b = xlsxwriter.Workbook(o, {"in_memory": True})
    s = b.add_worksheet("Quays")
    for i, row in enumerate((["Quay", "Tons"], ["East", 610], ["West", 240])):
        s.write_row(i, 0, row)
    c = b.add_chart({"type": "column"})
    c.add_series({"name": "=Quays!$B$1", "categories": "=Quays!$A$2:$A$3", "values": "=Quays!$B$2:$B$3"})
    c.set_title({"name": "Tonnage shares"})
    s.insert_chart("D2", c)
    s.insert_textbox("D20", "Audited by Norsk Revisjon")
    b.close()
    return o.getvalue(), [head("Quays"), "Quay Tons", "East 610", "West 240", omit("Tonnage shares"), omit("Audited by Norsk Revisjon")]


@made("x09-values.xlsx")
def _():
    rows = [("Ratio", "#DIV/0!", "#DIV/0!"), ("None", "#N/A", "#N/A"), ("Truth", True, "TRUE"), ("Text", "00412", "00412"), ("Float", 0.1 + 0.2, "0.3"),
            ("Small", 0.0001, "0.0001"), ("Neg", -0.5, "-0.5"), ("Lines", "one\ntwo", "one two"),
            ("Pipe", "a|b", "a|b"), ("Star", "5*3*2", "5*3*2"), ("Tag", "<b>x</b>", "<b>x</b>")]

    def fill(b, s):
        s.title = "Values"
        for n, v, t in rows:
            s.append([n, v])
    return sheet(fill), [head("Values")] + [f"{n} {t}" for n, v, t in rows]


@made("x10-titles.xlsx")
def _():
    def fill(b, s):
        s.title = "P&L"
        for row in (["Fjord Lines AS"], ["in NOK million"], [], ["", "2022", "2023"], ["Fares", 812, 850], ["Fuel", -310, -295], [], ["Net", 502, 555], [], [], ["Ship", "Age", None, "Port", "Km"],
                    ["Alma", 12, None, "Oslo", 88]):
            s.append(row)
    return sheet(fill), [head("P&L"), "Fjord Lines AS", "in NOK million", "2022 2023", "Fares 812 850", "Fuel -310 -295", "Net 502 555", "Ship Age Port Km", "Alma 12 Oslo 88"]


CURRENCY = [("Euro", 1234.5, "#,##0.00\\ [$€-407]", "1,234.50 €"), ("Rupee", 950, "[$₹-4009]\\ #,##0", "₹ 950"), ("Red", -12.5, "0.0;[Red]-0.0", "-12.5"),
            ("Acct", -88, '_(* #,##0_);_(* \\(#,##0\\);_(* "-"??_);_(@_)', "(88)"), ("Zero", 0, '_(* #,##0_);_(* \\(#,##0\\);_(* "-"??_);_(@_)', "-"),
            ("Yen", 1500, '"¥"#,##0', "¥1,500"), ("Cond", 0.4, "[<1]0%;0.0", "40%"), ("Text", "open", '"is "@', "is open"), ("Bps", 0.0125, "0.00%", "1.25%"),
            ("Krone", 70, 'kr\\ #,##0', "kr 70"), ("Blank", 5, ";;;", "")]


@made("x11-currency.xlsx")
def _():
    def fill(b, s):
        s.title = "Money"
        for n, v, f, _ in CURRENCY:
            s.append([n, v])
            s.cell(s.max_row, 2).number_format = f
    return sheet(fill), [head("Money")] + [f"{n} {t}".strip() for n, v, f, t in CURRENCY]


# ---- PPTX

def slides(fill):
    d = pptx.Presentation()
    fill(d)
    o = io.BytesIO()
    d.save(o)
    return o.getvalue()


def titled(d, title, layout=5):
    s = d.slides.add_slide(d.slide_layouts[layout])
    s.shapes.title.text = title
    return s


@made("p01-bullets.pptx")
def _():
    def fill(d):
        s = titled(d, "Season 2024", 1)
        t = s.placeholders[1].text_frame
        t.text = "Guests: 41,200"
        q = t.add_paragraph()
        q.text, q.level = "of them 6,100 abroad", 1
        s.notes_slide.notes_text_frame.text = "Thank Ola for the 12 buses."
        s = titled(d, "Cabins")
        g = s.shapes.add_table(4, 3, In(1), In(2), In(6), In(2)).table
        for i, row in enumerate((("Deck", "Class", "Beds"), ("Upper", "A", "40"), ("", "B", "64"), ("All", "", "104"))):
            for j, v in enumerate(row):
                g.cell(i, j).text = v
        g.cell(1, 0).merge(g.cell(2, 0))
        g.cell(3, 0).merge(g.cell(3, 1))
    return slides(fill), [head("Season 2024"), "Guests: 41,200", "of them 6,100 abroad", any_("Thank Ola for the 12 buses."), head("Cabins"), "Deck Class Beds", "Upper A 40",
                          "Upper B 64", any_("104")]


@made("p02-charts.pptx")
def _():
    def fill(d):
        for kind, title, vals, fmt in ((XL_CHART_TYPE.COLUMN_CLUSTERED, "Fares", (("2022", (19.2, 21.4)), ("2023", (22.3, 28.6))), "0.0"), (XL_CHART_TYPE.PIE, "Split", (("Share", (0.62, 0.38)),), "0%")):
            s = titled(d, title)
            c = CategoryChartData(number_format=fmt)
            c.categories = ["Adult", "Child"]
            for n, v in vals:
                c.add_series(n, v)
            s.shapes.add_chart(kind, In(1), In(2), In(5), In(3), c)
    return slides(fill), [head("Fares"), omit("2022 2023"), omit("Adult 19.2 22.3"), omit("Child 21.4 28.6"), head("Split"), omit("Adult 62%"), omit("Child 38%")]


@made("p03-groups.pptx")
def _():
    def fill(d):
        s = titled(d, "Map")
        g = s.shapes.add_group_shape()
        g.shapes.add_textbox(In(1), In(2), In(2), In(1)).text_frame.text = "Zone 1: 300 berths"
        h = g.shapes.add_group_shape()
        h.shapes.add_textbox(In(1), In(3), In(2), In(1)).text_frame.text = "Zone 2: 90 berths"
        t = s.shapes.add_textbox(In(1), In(4), In(4), In(2)).text_frame
        for i, x in enumerate(("Moor", "Pay 15", "Leave")):
            q = t.paragraphs[0] if i == 0 else t.add_paragraph()
            q.text = x
            q._p.get_or_add_pPr().append(parse_xml(f'<a:buAutoNum {NS} type="arabicPeriod"/>'))
    return slides(fill), [head("Map"), "Zone 1: 300 berths", "Zone 2: 90 berths", "1. Moor", "2. Pay 15", "3. Leave"]


@made("p04-hidden.pptx")
def _():
    def fill(d):
        titled(d, "Shown 1")
        s = titled(d, "Backup 99")
        s._element.set("show", "0")
        s = titled(d, "Shown 2")
        b = s.shapes.add_textbox(In(1), In(2), In(2), In(1))
        b.text_frame.text = "Hidden shape 88"
        b._element.nvSpPr.cNvPr.set("hidden", "1")
        s.shapes.add_textbox(In(1), In(3), In(2), In(1)).text_frame.text = "Seen 77"
    return slides(fill), [head("Shown 1"), no("99"), head("Shown 2"), no("88"), "Seen 77", {"counted": True}]


@made("p05-runs.pptx")
def _():
    def fill(d):
        s = titled(d, "Units")
        t = s.shapes.add_textbox(In(1), In(2), In(5), In(3)).text_frame
        q = t.paragraphs[0]
        for x, k in (("Volume 12 m", {}), ("3", {"baseline": "30000"}), (" at CO", {}), ("2", {"baseline": "-25000"}), (", fee ", {}), ("20", {"strike": "sngStrike"}), (" 25", {}), (" total due", {"cap": "all"})):
            u = q.add_run()
            u.text = x
            for a, v in k.items():
                u.font._element.set(a, v)
        q = t.add_paragraph()
        q.text = "First\vSecond"
        q = t.add_paragraph()
        q._p.append(parse_xml(f'<a:fld {NS} id="{{1}}" type="datetime1"><a:rPr/><a:t>7 June 2024</a:t></a:fld>'))
    return slides(fill), [head("Units"), "Volume 12 m^3 at", any_("fee ~~20~~ 25"), "TOTAL DUE", "First Second", "7 June 2024"]


@made("p06-picture.pptx")
def _():
    def fill(d):
        s = titled(d, "Yard")
        pic = s.shapes.add_picture(png("x"), In(1), In(2))
        pic._element.nvPicPr.cNvPr.set("descr", "Graph: output rises to 640")
        s.shapes.add_textbox(In(1), In(5), In(5), In(1)).text_frame.text = "Output 640"
        s.shapes.add_textbox(In(5), In(6), In(5), In(1)).text_frame.text = "Staff 12"
    return slides(fill), [head("Yard"), any_("Output 640"), any_("Staff 12"), {"counted": "or", "omit": "Graph: output rises to 640"}]


@made("p07-smartart.pptx")
def _():
    def fill(d):
        from pptx.opc.package import Part
        from pptx.opc.packuri import PackURI
        s = titled(d, "Steps")
        model = (f'<dgm:dataModel {NS} xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"><dgm:ptLst>' + "".join(
            f'<dgm:pt modelId="{i}"><dgm:t><a:bodyPr/><a:p><a:r><a:t>{t}</a:t></a:r></a:p></dgm:t></dgm:pt>' for i, t in enumerate(("Weigh 12", "Tag 13", "Ship 14"))) + "</dgm:ptLst></dgm:dataModel>")
        part = Part(PackURI("/ppt/diagrams/data1.xml"), "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml", s.part.package, model.encode())
        rid = s.part.relate_to(part, "http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData")
        s.shapes._spTree.append(parse_xml(
            f'<p:graphicFrame {NS} xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:nvGraphicFramePr><p:cNvPr id="9" name="D"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>'
            '<p:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/diagram">'
            f'<dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="{rid}" r:lo="{rid}" r:qs="{rid}" r:cs="{rid}"/></a:graphicData></a:graphic></p:graphicFrame>'))
    return slides(fill), [head("Steps"), omit("Weigh 12"), omit("Tag 13"), omit("Ship 14")]


def png(text, size=(400, 120)):
    f = cairo.ImageSurface(cairo.FORMAT_RGB24, *size)
    c = cairo.Context(f)
    c.set_source_rgb(1, 1, 1)
    c.paint()
    c.set_source_rgb(0, 0, 0)
    c.set_font_size(28)
    c.move_to(20, 60)
    c.show_text(text)
    o = io.BytesIO()
    f.write_to_png(o)
    o.seek(0)
    return o


# ---- PDF

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
WORDS = ("The harbour master keeps a ledger of every vessel that enters the basin and of the dues that its owner pays before the lines are cast off. "
         "In spring the ice leaves the inner quay first, and the smaller boats return from their winter berths along the southern mole. ").strip()


def style(**kw):
    return ParagraphStyle("x", parent=getSampleStyleSheet()["BodyText"], **kw)


def flow(story, frames=None, **kw):
    o = io.BytesIO()
    d = BaseDocTemplate(o, pagesize=A4, **kw)
    d.addPageTemplates(PageTemplate(frames=frames or [Frame(60, 60, 475, 720)]))
    d.build(story)
    return o.getvalue()


@made("f01-columns.pdf")
def _():
    paras = [f"Notice {i}. " + WORDS + f" Sum {i * 111}." for i in range(1, 7)]
    fr = [Frame(60, 300, 225, 480), Frame(310, 300, 225, 480)]
    return flow([Paragraph(x, style(alignment=4)) for x in paras], fr), paras


@made("f02-raised.pdf")
def _():
    pdfmetrics.registerFont(TTFont("DV", FONT))
    st = style(fontName="DV", fontSize=10, leading=15)
    story = [Paragraph(x, st) for x in ("Dues were 1,250<super>2</super> thousand.", "About 10<super>6</super> grains of 10<super>-3</super> grams.",
                                        "A signi\ufb01cant e\ufb00ort of the \ufb02eet.", "Water H<sub>2</sub>O costs 4\u00bd.", "<strike>30</strike> 45 paid.")]
    return flow(story), ["Dues were 1,250^2 thousand.", "About 10^6 grains of 10^-3 grams.", "A significant effort of the fleet.", any_("costs 4½."), "45 paid."]


@made("f03-long-table.pdf")
def _():
    rows = [["Vessel", "Tons", "Dues"]] + [[f"Ship {i}", f"{i * 37:,}", f"({i}.5)" if i % 3 == 0 else f"{i}.5"] for i in range(1, 76)]
    return flow([Paragraph("Register", getSampleStyleSheet()["Heading1"]), Table(rows, colWidths=[160, 90, 90])]), [any_("Register")] + [" ".join(x) for x in rows]


@made("f04-rotated.pdf")
def _():
    o = io.BytesIO()
    c = canvas.Canvas(o, pagesize=A4)
    c.setPageRotation(90)
    c.rotate(90)
    rows = (("Pier", "2021", "2022", "2023"), ("A", "14", "15", "19"), ("B", "(3)", "2", "7"))
    c.drawString(80, -80, "Berths by pier and year")
    for i, row in enumerate(rows):
        for j, v in enumerate(row):
            c.drawString(80 + 120 * j, -120 - 20 * i, v)
    c.showPage()
    c.drawString(80, 700, "Upright page 2.")
    c.save()
    return o.getvalue(), ["Berths by pier and year"] + [" ".join(x) for x in rows] + ["Upright page 2."]


@made("f05-scanned.pdf")
def _():
    from reportlab.lib.utils import ImageReader
    o = io.BytesIO()
    c = canvas.Canvas(o, pagesize=A4)
    c.drawString(80, 700, "Page one has 111 words.")
    c.showPage()
    c.drawImage(ImageReader(png("Scanned 222")), 80, 600)
    c.showPage()
    c.drawString(80, 700, "Page three has 333 words.")
    c.save()
    return o.getvalue(), ["Page one has 111 words.", {"counted": "or", "omit": "Scanned 222"}, "Page three has 333 words."]


@made("f06-cairo.pdf")
def _():
    o = io.BytesIO()
    f = cairo.PDFSurface(o, 595, 842)
    c = cairo.Context(f)
    c.select_font_face("DejaVu Serif")
    lines = [w for w in re.findall(r".{1,38}(?: |$)", (WORDS + " ") * 2)]

    def put(x, y, t, s=9):
        c.set_font_size(s)
        c.move_to(x, y)
        c.show_text(t.strip())
    put(60, 60, "Ledger of dues", 16)
    for i, t in enumerate(lines[:10]):
        put(60, 100 + 13 * i, t)
        put(310, 100 + 13 * i, lines[10 + i] if 10 + i < len(lines) else "")
    put(60, 400, "Dues fell to 917")
    put(60 + c.text_extents("Dues fell to 917")[4], 396, "a", 6)
    put(60, 780, "a Without the outer mole, 23.", 6)
    f.finish()
    return o.getvalue(), [any_("Ledger of dues"), " ".join(x.strip() for x in lines[:10]), " ".join(x.strip() for x in lines[10:20]), any_("Dues fell to 917"), any_("Without the outer mole, 23."), no("917a")]


@made("f07-hebrew.pdf")
def _():
    pdfmetrics.registerFont(TTFont("DV", FONT))
    o = io.BytesIO()
    c = canvas.Canvas(o, pagesize=A4)
    c.setFont("DV", 12)
    c.drawString(80, 700, "Quay rent in Haifa, 2024")
    c.drawRightString(500, 660, "המחיר"[::-1])
    c.drawString(80, 620, "Rent 4,400 paid.")
    c.save()
    return o.getvalue(), ["Quay rent in Haifa, 2024", "המחיר", "Rent 4,400 paid."]


@made("f08-form.pdf")
def _():
    o = io.BytesIO()
    c = canvas.Canvas(o, pagesize=A4)
    c.drawString(80, 700, "Owner:")
    c.acroForm.textfield(name="owner", value="Alma Shipping", x=160, y=690, width=200, height=20, borderStyle="solid")
    c.drawString(80, 660, "Tons:")
    c.acroForm.textfield(name="tons", value="1,480", x=160, y=650, width=200, height=20)
    c.drawString(80, 620, "Insured")
    c.acroForm.checkbox(name="ins", checked=True, x=160, y=615)
    c.drawString(80, 580, "End of form.")
    c.save()
    return o.getvalue(), ["Owner:", omit("Alma Shipping"), "Tons:", omit("1,480"), "Insured", "End of form."]


@made("f09-running.pdf")
def _():
    o = io.BytesIO()
    c = canvas.Canvas(o, pagesize=A4)
    lines = [w.strip() for w in re.findall(r".{1,80}(?: |$)", (WORDS + " ") * 18)]
    n, want = 0, []
    for page in range(1, 4):
        c.drawString(60, 810, "Harbour board")
        c.drawRightString(535, 810, "Annual letter")
        c.drawCentredString(297, 30, str(page))
        for y in range(14):
            t = lines[n]
            n += 1
            if y == 13 and page < 3:
                t = t.rsplit(" ", 1)[0] + " inter-"
                want.append(t[:-1] + "nal")
                c.drawString(60, 770 - 15 * y, t)
                continue
            if y == 0 and page > 1:
                c.drawString(60, 770, "nal " + t)
                want.append(t)
                continue
            want.append(t)
            c.drawString(60, 770 - 15 * y, t)
        c.showPage()
    c.save()
    return o.getvalue(), want


@made("f10-spaced.pdf")
def _():
    o = io.BytesIO()
    c = canvas.Canvas(o, pagesize=A4)
    t = c.beginText(80, 760)
    t.setCharSpace(6)
    t.textLine("REVENUE")
    t.setCharSpace(0)
    t.textLine("Fares 5,120")
    t.textLine("")
    t.textLine("1. Income ........................ 4")
    t.textLine("2. Costs ......................... 11")
    c.drawText(t)
    for i, x in enumerate(("• Boats 14", "  – Sail 9", "• Piers 3")):
        c.drawString(80 + 12 * (i == 1), 600 - 18 * i, x.strip())
    c.saveState()
    c.translate(200, 300)
    c.rotate(45)
    c.setFont("Helvetica", 60)
    c.setFillGray(0.9)
    c.drawString(0, 0, "DRAFT")
    c.restoreState()
    c.drawString(80, 500, "The end 66.")
    c.save()
    return o.getvalue(), ["REVENUE", "Fares 5,120", any_("Income"), any_("Costs"), "Boats 14", "– Sail 9", "Piers 3", "The end 66."]


@made("f11-statement.pdf")
def _():
    o = io.BytesIO()
    c = canvas.Canvas(o, pagesize=A4)
    c.setFont("Times-Roman", 10)
    c.drawCentredString(300, 780, "STATEMENT OF INCOME")
    c.drawCentredString(300, 766, "(in thousands)")
    c.drawRightString(400, 740, "2023")
    c.drawRightString(500, 740, "2022")
    y, want = 720, ["STATEMENT OF INCOME", "(in thousands)", "2023 2022"]
    for label, a, b in (("Fares", "8,120", "7,905"), ("Fuel and lubricants for vessels|chartered in", "(2,310)", "(2,150)"), ("Net result", "5,810", "5,755"), ("Per share", "1.16", "(0.04)"), ("Tax", "—", "12")):
        parts = label.split("|")
        for i, q in enumerate(parts):
            c.drawString(80 + 8 * i, y, q)
            if i + 1 < len(parts):
                y -= 12
        for x, v in ((400, a), (500, b)):
            if label in ("Fares", "Net result"):
                c.drawString(x - 50, y, "$")
            c.drawRightString(x + (3 if v.endswith(")") else 0), y, v)
        d = "$ " if label in ("Fares", "Net result") else ""
        want.append({"row": [" ".join(parts), a, b]})
        y -= 18
    c.save()
    return o.getvalue(), want


@made("f12-ocr-layer.pdf")
def _():
    from reportlab.lib.utils import ImageReader
    o = io.BytesIO()
    c = canvas.Canvas(o, pagesize=A4)
    c.drawImage(ImageReader(png("Invoice 5521 total 640.00", (500, 120))), 80, 600)
    t = c.beginText(100, 660)
    t.setTextRenderMode(3)
    t.textLine("Invoice 5521 total 640.00")
    c.drawText(t)
    c.linkURL("https://example.org", (80, 500, 200, 520))
    c.drawString(80, 505, "Our terms apply.")
    c.save()
    return o.getvalue(), ["Invoice 5521 total 640.00", "Our terms apply."]


# ---- HTML

@made("h01-word.htm")
def _():
    t = """<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta http-equiv=Content-Type content="text/html; charset=windows-1252"><!--[if gte mso 9]><xml><o:X>77</o:X></xml><![endif]-->
<style><!-- p.MsoNormal{margin:0} --></style></head><body lang=EN-US><div class=WordSection1><h1>Quarterly letter<o:p></o:p></h1>
<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp;&nbsp;</span></span><![endif]>Sales were \x93strong\x94 \x96 12% up<o:p></o:p></p>
<p class=MsoNormal>Price \x80 40 per share<a style='mso-footnote-id:ftn1' href="#_ftn1" name="_ftnref1"><span class=MsoFootnoteReference><sup>[1]</sup></span></a>, was <s>38</s>, now <del>39</del><ins>40</ins>.</p>
<p class=MsoNormal><span style='mso-hide:all;display:none'>Hidden 31</span>Shown&nbsp;32<![if !vml]><img width=1 height=1 src="x.png"><![endif]></p>
<p class=MsoNormal><span style='text-transform:uppercase'>total</span> 33</p>
<div id=ftn1><p class=MsoFootnoteText><a href="#_ftnref1"><sup>[1]</sup></a> Before tax of 9.</p></div></div></body></html>"""
    return t.encode("latin-1"), [head("Quarterly letter"), "1. Sales were “strong” – 12% up", "Price € 40 per share", "was ~~38~~, now", "40.", "Shown 32", "TOTAL 33", any_("Before tax of 9."),
                                 no("31"), no("77"), no("share1"), no("share[1]1")]


@made("h02-gdocs.html")
def _():
    t = """<html><head><meta content="text/html; charset=UTF-8" http-equiv="content-type"><style type="text/css">ol.lst-kix_a-0{list-style-type:none}.c1{text-decoration:line-through}.c2{vertical-align:super}
.lst-kix_a-0>li:before{content:"" counter(lst-ctn-kix_a-0,decimal) ". "}.c5{display:none}</style></head><body class="c9 doc-content"><h2 class="c3"><span>Lease</span></h2>
<p><span>Rent </span><span class="c1">900</span><span> 950</span><span class="c2">3</span><span> a month.</span></p>
<ol class="lst-kix_a-0 start" start="1"><li><span>Deposit 1,900</span></li><li><span>Keys 4</span></li></ol>
<table><tr><td colspan="1" rowspan="2"><p>Flat</p></td><td colspan="2"><p>Heating</p></td></tr><tr><td>Gas</td><td>Oil</td></tr><tr><td>No. 7</td><td>110</td><td>95</td></tr></table>
<p class="c5">Invisible 61</p><p>Area 54 m<span class="c2">2</span><sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup></p><div><p><a href="#cmnt_ref1" id="cmnt1">[a]</a><span>Check with Ida</span></p></div></body></html>"""
    return t.encode(), [head("Lease"), "Rent ~~900~~ 950^3 a month.", "1. Deposit 1,900", "2. Keys 4", any_("Flat"), any_("Heating"), any_("Gas"), any_("Oil"), "No. 7 110 95", "Area 54 m^2", any_("Check with Ida"), no("61")]


@made("h03-confluence.html")
def _():
    t = """<!DOCTYPE html><html><head><title>Ops : Runbook</title><meta charset="UTF-8"></head><body><div id="main-content" class="wiki-content"><h1 id="x">Runbook</h1>
<div class="confluence-information-macro"><p class="title">Note</p><div><p>Paged 14 times.</p></div></div>
<ul class="inline-task-list"><li class="checked" data-inline-task-id="1"><span>Order 20 pumps</span></li><li><span>Test 3 valves</span></li></ul>
<p>State <span class="status-macro aui-lozenge">IN PROGRESS</span> since <time datetime="2024-02-01">01 Feb 2024</time></p>
<div class="code panel"><pre class="syntaxhighlighter-pre">retries = 5
  wait = 30</pre></div>
<div class="expand-container"><div class="expand-control"><span>More...</span></div><div class="expand-content"><p>Quota 250 GB</p></div></div>
<details><summary>Limits</summary><p>Max 9 users</p></details>
<table class="confluenceTable"><tbody><tr><th>Host</th><th>Disks</th></tr><tr><td>alpha</td><td><table><tr><td>sda</td><td>4 TB</td></tr></table></td></tr><tr><td>beta</td><td><ul><li>sdb 2 TB</li><li>sdc 8 TB</li></ul></td></tr></tbody></table>
<p><img class="emoticon" alt="(tick)" src="t.png"> Done by <a class="user-mention">Kari Lie</a></p></div></body></html>"""
    return t.encode(), [head("Runbook"), "Note", "Paged 14 times.", "Order 20 pumps", "Test 3 valves", "State IN PROGRESS since 01 Feb 2024", "retries = 5 wait = 30", "More...", "Quota 250 GB",
                        "Limits", "Max 9 users", "Host Disks", "alpha sda 4 TB", "beta", "sdb 2 TB", "sdc 8 TB", "Done by Kari Lie"]


@made("h04-form.html")
def _():
    t = """<html><body><form><h1>Claim</h1><p><label>Name <input type=text value="Per Dahl"></label> <input type=hidden value="tok991"></p>
<p>Type <select><option>Fire<option selected>Water</select></p><p><input type=checkbox checked> Insured <input type=checkbox> Leased</p>
<p><input type=radio name=a> Owner <input type=radio name=a checked> Tenant</p><p>Story <textarea>Pipe burst at 6:40.</textarea></p><p>Sum <input value="4,250.00"> <input type=submit value="Send"></p></form></body></html>"""
    return t.encode(), [head("Claim"), "Name", omit("Per Dahl"), "Type", "Water", "☒ Insured ☐ Leased", "Owner", "Tenant", "Story Pipe burst at 6:40.", "Sum", omit("4,250.00"), no("tok991")]


@made("h05-inline.html")
def _():
    t = """<html><head><meta charset=utf-8></head><body><h2>Marks</h2><ol start=3 type=a><li>Three</li><li value=7>Seven</li><li>Eight</li></ol><ol reversed><li>Gold</li><li>Silver</li></ol>
<dl><dt>Draught</dt><dd>4.2 m</dd></dl><p>10<sup>9</sup> and x<sub>1</sub>, H<sub>2</sub>O, the 21<sup>st</sup>, Acme<sup>®</sup></p>
<p><math><mfrac><mn>3</mn><mn>8</mn></mfrac></math> of <math><msup><mn>10</mn><mn>6</mn></msup></math> and <math><msqrt><mn>49</mn></msqrt></math></p>
<p><ruby>神戸<rp>(</rp><rt>Kobe</rt><rp>)</rp></ruby> super<wbr>tanker, in&shy;voice, e&#xFB03;cient, 5&nbsp;000, &#8722;12, &frac12;</p>
<p dir=rtl>סכום <bdi>315</bdi> שקל</p><p>A<br>B <q>quoted</q> <kbd>F5</kbd></p></body></html>"""
    return t.encode(), [head("Marks"), "c. Three", "g. Seven", "h. Eight", "2. Gold", "1. Silver", "Draught 4.2 m", "10^9 and", "the 21st,", any_("3/8 of"), any_("10^6 and"), any_("49"),
                        any_("supertanker, invoice, efficient, 5 000, −12, ½"), "סכום 315 שקל", "A B", any_("quoted"), any_("F5")]


@made("h06-sjis.html")
def _():
    t = """<html><head><title>報告</title>%s<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"></head><body><h1>業績報告</h1><p>売上高は1,234億円です。</p><table><tr><th>年度</th><th>利益</th></tr><tr><td>2023年</td><td>△56</td></tr></table></body></html>""" % ("<!-- " + "x" * 500 + " -->")
    return t.encode("shift_jis"), [head("業績報告"), "売上高は1,234億円です。", "年度 利益", "2023年 △56"]


@made("h07-table.html")
def _():
    t = """<html><head><meta charset=utf-8></head><body><table><caption>Table 1. Dues by quay</caption><thead><tr><th rowspan=2>Quay</th><th colspan=4>Dues</th></tr><tr><th colspan=2>2023</th><th colspan=2>2022</th></tr></thead>
<tfoot><tr><td>Total</td><td>$</td><td>770</td><td>$</td><td>(15</td><td>)</td></tr></tfoot><tbody><tr><td rowspan=2>East</td><td>$</td><td>510</td><td>$</td><td>(30</td><td>)</td></tr><tr><td></td><td>260</td><td></td><td>15</td></tr>
<tr style="display:none"><td>Ghost</td><td></td><td>999</td></tr><tr hidden><td>Ghost</td><td></td><td>998</td></tr><tr><td>Margin</td><td></td><td>12.5</td><td>%</td><td>−3.1</td><td>%</td></tr></tbody></table></body></html>"""
    return t.encode(), ["Table 1. Dues by quay", any_("Quay"), any_("2023"), any_("2022"), {"row": ["East", "510", "(30)"]}, {"row": ["East", "260", "15"]}, {"row": ["Margin", "12.5", "−3.1"]}, {"row": ["Total", "770", "(15)"]}, no("999"), no("998")]


@made("h08-hidden.html")
def _():
    t = """<html><head><meta charset=utf-8><style>.gone{display:none}.vis{visibility:hidden}@media print{.np{display:none}}</style></head><body><h1>News</h1><template><p>Tpl 71</p></template><noscript><p>Enable JS 72</p></noscript>
<p class=gone>Gone 73</p><p class=vis>Vis 74</p><p style="font-size:0">Zero 75</p><p class=np>Screen 76</p><svg width=100 height=20><title>Chart</title><text x=0 y=15>Peak 77</text></svg>
<p style="position:absolute;left:-9999px">Off 78</p><script>var x = "Script 79";</script><blockquote>Said 80</blockquote><p aria-hidden=true>Aria 81</p><p hidden>Hid 82</p><p style="opacity:0">Op 83</p><p>Last 84</p></body></html>"""
    return t.encode(), [head("News"), "Screen 76", omit("Peak 77"), "Said 80", "Aria 81", "Last 84", no("71"), no("73"), no("74"), no("75"), no("79"), no("82")]


# ---- Markdown, CSV, mail, text

@made("m01-page.md")
def _():
    t = """---
title: Hidden title 90
---
Weekly note
===========

Fee ~~30~~ 45[^1], **not** *less*. <!-- remark 91 -->

3. Three
4. Four
   - [x] Done 5
   - [ ] Open 6

| Item | Cost |
|:-----|-----:|
| a\\|b | 1\\*2 |
| `x|y` | 8 |

```
code 7 | 8
```

[Terms][t] at <https://example.org/9>, 2&nbsp;000 &amp; x<sup>2</sup>, H~2~O, 10^6^
next line

[^1]: Before tax of 10.

[t]: https://example.org
"""
    return t.encode(), [head("Weekly note"), "Fee ~~30~~ 45", "not less.", "3. Three", "4. Four", "Done 5", "Open 6", "Item Cost", "a|b 1*2", "x|y 8", "code 7 8", "Terms at https://example.org/9, 2 000 &", any_("x^2"), "next line", any_("Before tax of 10."), no("91")]


@made("m02-mixed.md")
def _():
    t = """# Plan \\#2

Sum: 5\\_000 and snake_case_name and 2 * 3 * 4 = 24.

<table><tr><th>Ship</th><th>Dues</th></tr><tr><td>Alma</td><td>(510)</td></tr></table>

$$\\frac{1}{2}$$ and `a*b*c`

> Quote 11
> > Deeper 12

1) One
2) Two

***

Term 13  
broken line
""".replace("\n", "\r\n")
    return t.encode("utf-8-sig"), [head("Plan #2"), "Sum: 5_000 and snake_case_name and 2 * 3 * 4 = 24.", "Ship Dues", "Alma (510)", any_("a*b*c"), "Quote 11", "Deeper 12", "1 One", "2 Two", "Term 13", "broken line"]


@made("c01-german.csv")
def _():
    t = 'Schiff;Gebühr;Notiz\r\nAlma;"1.234,50";"erste ""gute"" Zeile\nzweite"\r\nBrage;-7,5;\r\n;;Ende\r\n'
    return t.encode("cp1252"), ["Schiff Gebühr Notiz", 'Alma 1.234,50 erste "gute" Zeile zweite', "Brage -7,5", "Ende"]


@made("c02-preamble.csv")
def _():
    t = "Harbour board\tunaudited\nPrinted 3 May 2024\n\nShip\tTons\tDues\nAlma\t00412\t=A1\nBrage\t88\t$1,200\nTotal\t\t(40)\n"
    return t.encode("utf-16"), ["Harbour board", "unaudited", "Printed 3 May 2024", "Ship Tons Dues", "Alma 00412 =A1", "Brage 88 $1,200", "Total", "(40)"]


@made("e01-reply.eml")
def _():
    m = EmailMessage(policy=policy.SMTP)
    m["From"], m["To"], m["Subject"], m["Date"] = "Bjørn Å <b@example.org>", "ida@example.org", "Prís ~ 40 €", "Fri, 03 May 2024 09:12:00 +0200"
    m.set_content("Hi Ida,\n\nthe price is 40 € now.\n\nOn Thu, Ida wrote:\n> Is it 38?\n>> Or 36?\n\n-- \nBjørn\n", charset="iso-8859-15", cte="quoted-printable")
    m.add_alternative("<p>Hi Ida,</p><p>the price is <b>40 €</b> now.</p>", subtype="html")
    m.add_attachment("Ship,Dues\nAlma,510\n", subtype="csv", filename="dués.csv")
    return m.as_bytes(), ["Bjørn Å", any_("Prís ~ 40 €"), "Hi Ida,", "the price is 40 € now.", any_("Alma 510")]


@made("e02-forward.eml")
def _():
    inner = EmailMessage(policy=policy.SMTP)
    inner["From"], inner["To"], inner["Subject"], inner["Date"] = "pier@example.org", "b@example.org", "Pier count", "Wed, 1 May 2024 08:00:00 +0000"
    inner.set_content("We counted 212 ropes.\n")
    m = EmailMessage(policy=policy.SMTP)
    m["From"], m["To"], m["Date"] = "b@example.org", "ida@example.org", "Thu, 02 May 2024 08:00:00 +0000"
    m.set_content("<html><body><p>Сумма - 415 рублей.</p><img src='cid:x'><blockquote type=cite>Was 400?</blockquote></body></html>", subtype="html", charset="koi8-r", cte="base64")
    m.add_attachment(inner)
    raw = m.as_bytes()
    return raw.replace(b"Date: Thu", b"Subject: =?koi8-r?B?" + __import__("base64").b64encode("Смета".encode("koi8-r")) + b"?=\r\nDate: Thu", 1), [
        any_("Смета"), "Сумма - 415 рублей.", "Was 400?", any_("We counted 212 ropes.")]


@made("t01-gb18030.txt")
def _():
    t = "公司年度报告\n\n营业收入为人民币3,456万元，比上年增长12.5％。\n\n净利润为人民币（78）万元。\n" * 3
    return t.encode("gb18030"), ["营业收入为人民币3,456万元，比上年增长12.5％。", "净利润为人民币（78）万元。"]


@made("t02-bytes.txt")
def _():
    t = "R\x08Re\x08en\x08nt\x08t due\n\n\x1b[1mTotal\x1b[0m  950\n\nNuls a\0nd 44\n\n\u201cQuoted\u201d \u2013 caf\u00e9 7\u00bd \u20ac\n\fPage two 55\n"
    return t.encode("cp1252"), ["Rent due", "Total 950", "Nuls and 44", "“Quoted” – café 7½ €", "Page two 55"]


@made("t03-utf16.txt")
def _():
    t = "Кассовый отчёт\r\n\r\nОстаток: 1 250,40 руб.\r\n\r\nItem      Qty    Price\r\n--------  ---  -------\r\nRope       12    (3.50)\r\nSail        1   340.00\r\n"
    return t.encode("utf-16-le"), ["Кассовый отчёт", "Остаток: 1 250,40 руб.", "Item Qty Price", "Rope 12 (3.50)", "Sail 1 340.00"]


# ---- thirty more, of other kinds, and by LibreOffice and LaTeX: written down and scored once, then read ----

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import seen_files  # noqa: E402


def by(make, source, suffix):
    path = os.path.join(OUT, "made." + suffix)
    make(source, path)
    data = open(path, "rb").read()
    os.remove(path)
    return data


def office(kind, suffix, body, styles=""):
    return by(seen_files.saved, seen_files.flat(kind, styles, body), suffix)


def tp(text): return "<text:p>%s</text:p>" % text.replace("&", "&amp;").replace("<", "&lt;")


def tcell(text, more=""): return f"<table:table-cell {more}>{tp(text)}</table:table-cell>"


def trow(*cells): return "<table:table-row>%s</table:table-row>" % "".join(c if c.startswith("<") else tcell(c) for c in cells)


def saved_docx(fill):
    d = docx.Document()
    fill(d)
    o = io.BytesIO()
    d.save(o)
    return o.getvalue()


@made("n01-nested.docx")
def _():
    def fill(d):
        d.add_heading("Fleet policy", 1)
        d.add_paragraph("Boats are inspected", style="List Bullet")
        d.add_paragraph("each spring", style="List Bullet 2")
        d.add_paragraph("after 90 days", style="List Bullet 2")
        d.add_heading("Costs", 2)
        q = d.add_paragraph("First line")
        q.add_run().add_break()
        q.add_run("second line of 14")
        t = d.add_table(3, 3)
        for i, row in enumerate((("Boat", "Hull", "Sail"), ("Alma", "1,204", "(88)"), ("Elba", "—", "95.5%"))):
            for k, text in enumerate(row):
                t.cell(i, k).text = text
        d.add_section()
        d.add_heading("Notes", 3)
        d.add_paragraph("End of policy 77.")
    return saved_docx(fill), [head("Fleet policy"), "Boats are inspected", "each spring", "after 90 days", head("Costs"), "First line second line of 14",
                              "Boat Hull Sail", "Alma 1,204 (88)", "Elba — 95.5%", head("Notes"), "End of policy 77."]


@made("n02-fields.docx")
def _():
    f = lambda code, result: (f'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> {code} </w:instrText></w:r>'
                              f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{r(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>')
    body = (h1("Voyage log") + p(r("See ") + f("REF _Ref1 \\h", "Table 4") + r(" on page ") + f("PAGEREF _Ref1", "12") + r(".")) +
            p(r("Mail ") + f('HYPERLINK "https://example.org/x"', "the harbor desk") + r(" today.")) +
            p('<w:fldSimple w:instr="DATE"><w:r><w:t>5 June 2024</w:t></w:r></w:fldSimple>') +
            p('<w:hyperlink w:anchor="x"><w:r><w:t>Linked words</w:t></w:r></w:hyperlink>' + r(" end at 61.")) +
            p('<w:sdt><w:sdtContent>' + r("In a control 18") + '</w:sdtContent></w:sdt><w:bookmarkStart w:id="0" w:name="b"/><w:bookmarkEnd w:id="0"/>'))
    return word(body), [head("Voyage log"), "See Table 4 on page 12.", "Mail the harbor desk today.", "5 June 2024", "Linked words end at 61.",
                        "In a control 18", no("PAGEREF"), no("HYPERLINK"), no("REF")]


@made("n03-frame.docx")
def _():
    body = ('<office:text><text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info><dc:creator>I</dc:creator><dc:date>2024-01-01T00:00:00</dc:date>'
            '</office:change-info>' + tp("cancelled ") + '</text:deletion></text:changed-region></text:tracked-changes>'
            '<text:h text:outline-level="1">Pier report</text:h><text:p>The pier is <text:change text:change-id="c1"/>open for 31 boats.</text:p>'
            '<text:p>Beside it<draw:frame svg:width="5cm" svg:height="2cm" text:anchor-type="paragraph"><draw:text-box>' + tp("A box says 512.") + '</draw:text-box></draw:frame> stands a box.</text:p>'
            '<table:table><table:table-column table:number-columns-repeated="2"/><table:table-header-rows>' + trow("Berth", "Rent") + '</table:table-header-rows>' +
            trow("A1", "4,200") + trow("A2", "3,950") + '</table:table>' + tp("Signed in 2024.") + '</office:text>')
    return office("text", "docx", body), [head("Pier report"), "The pier is open for 31 boats.", any_("A box says 512."), "Berth Rent", "A1 4,200", "A2 3,950", "Signed in 2024.",
                                          no("cancelled")]


@made("n04-styles.docx")
def _():
    def fill(d):
        d.add_paragraph("Tender 2024", style="Title")
        d.add_paragraph("Scope", style="Heading 1")
        d.add_paragraph("First step", style="List Number")
        d.add_paragraph("Second step", style="List Number")
        q = d.add_paragraph()
        q.add_run("CO").font.subscript = False
        q.runs[0].text = "CO"
        s = q.add_run("2")
        s.font.subscript = True
        q.add_run(" fell by 7")
        u = q.add_run("a")
        u.font.superscript = True
        q.add_run(" percent.")
        d.add_paragraph("“To be quoted – twice”", style="Intense Quote")
        t = d.add_table(2, 2)
        t.cell(0, 0).text, t.cell(0, 1).text, t.cell(1, 0).text = "Party", "Bid", "North"
        t.cell(1, 1).text = "905"
        t.cell(1, 1).add_paragraph("incl. 15 tax")
    return saved_docx(fill), [head("Tender 2024"), head("Scope"), "1. First step", "2. Second step", "CO2 fell by 7", "percent.", "“To be quoted – twice”", "Party Bid",
                              "North 905 incl. 15 tax"]


@made("n05-notes.docx")
def _():
    note = lambda i, kind, text: f'<text:note text:id="f{i}" text:note-class="{kind}"><text:note-citation>{i}</text:note-citation><text:note-body>{tp(text)}</text:note-body></text:note>'
    body = ('<office:text><text:h text:outline-level="2">Catch</text:h><text:p>Herring 3,010' + note(1, "footnote", "Landed weight.") + ' and cod 88' + note(2, "footnote", "Gutted 14.") +
            ' tons.</text:p><text:p>Total 3,098' + note(1, "endnote", "Audited.") + '</text:p></office:text>')
    return office("text", "docx", body), [head("Catch"), "Herring 3,010", "and cod 88", "tons.", "Total 3,098", any_("Landed weight."), any_("Gutted 14."), any_("Audited."),
                                          no("3,0101"), no("882")]


def xw(fill):
    o = io.BytesIO()
    b = xlsxwriter.Workbook(o, {"in_memory": True})
    fill(b)
    b.close()
    return o.getvalue()


@made("n06-formats.xlsx")
def _():
    rows = [("Euro", 1234.5, "#,##0.00\\ [$€-407]", "1,234.50 €"), ("Red", -75, "#,##0;[Red]-#,##0", "-75"), ("Whole percent", 0.07, "0%", "7%"), ("Text code", "00123", "@", "00123"),
            ("Accounting", -1500, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', "$(1,500.00)"), ("Nothing", 0, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', "$-"),
            ("Long date", 45462, "mmmm d, yyyy", "June 19, 2024"), ("Clock", 0.75, "h:mm AM/PM", "6:00 PM"), ("Fixed", 3.14159, "0.000", "3.142"), ("Big", 12345678901, "0", "12345678901")]

    def fill(b):
        s = b.add_worksheet("Formats")
        for i, (n, v, f, _) in enumerate(rows):
            s.write(i, 0, n)
            s.write(i, 1, v, b.add_format({"num_format": f}))
    return xw(fill), [head("Formats")] + [f"{n} {t}" if n != "Long date" else any_("Long date") for n, v, f, t in rows]


@made("n07-beside.xlsx")
def _():
    def fill(b):
        s = b.add_worksheet("Two")
        for i, row in enumerate((("Boat", "Tons", None, "Port", "Fee"), ("Alma", 12, None, "Ystad", 300), ("Elba", 9, None, "Rønne", 275))):
            for k, v in enumerate(row):
                if v is not None:
                    s.write(i, k, v)
        s.write(5, 0, "Prepared in May")
        s.write(7, 0, "Month")
        s.write(7, 1, "Trips")
        s.write(8, 0, "April")
        s.write(8, 1, 41)
    return xw(fill), [head("Two"), "Boat Tons Port Fee", "Alma 12 Ystad 300", "Elba 9 Rønne 275", "Prepared in May", "Month Trips", "April 41"]


@made("n08-formulas.xlsx")
def _():
    def fill(b):
        s = b.add_worksheet("Sums")
        s.write_row(0, 0, ("Item", "Value"))
        s.write(1, 0, "Total")
        s.write_formula(1, 1, "=SUM(40,2)", None, 42)
        s.write(2, 0, "Label")
        s.write_formula(2, 1, '="dock "&7', None, "dock 7")
        s.write(3, 0, "Open")
        s.write_boolean(3, 1, True)
        s.write(4, 0, "Missing")
        s.write_formula(4, 1, "=NA()", None, "#N/A")
        s.write(5, 0, "Rate")
        s.write_formula(5, 1, "=1/8", b.add_format({"num_format": "0.0%"}), 0.125)
        s.write_url(6, 0, "https://example.org/", string="Harbor site")
        s.write(6, 1, 8)
    return xw(fill), [head("Sums"), "Item Value", "Total 42", "Label dock 7", "Open TRUE", "Missing #N/A", "Rate 12.5%", "Harbor site 8"]


@made("n09-calc.xlsx")
def _():
    value = lambda kind, v, text="", more="": f'<table:table-cell office:value-type="{kind}" {more} office:{v}>{tp(text)}</table:table-cell>'
    body = ('<office:spreadsheet><table:table table:name="Ropes &amp; sails">' +
            trow(tcell("Item", 'office:value-type="string"'), tcell("Count", 'office:value-type="string"')) +
            trow(tcell("Rope", 'office:value-type="string"'), value("float", 'value="1250"', "1250")) +
            trow(tcell("Paid", 'office:value-type="string"'), value("boolean", 'boolean-value="true"', "TRUE")) +
            trow(tcell("Begun", 'office:value-type="string"'), value("date", 'date-value="2024-06-19"', "2024-06-19")) +
            '<table:table-row><table:table-cell office:value-type="string"><office:annotation><text:p>Ask Ida about 5</text:p></office:annotation>' + tp("Sail") + '</table:table-cell>' +
            value("float", 'value="0.3"', "0.3") + '</table:table-row></table:table><table:table table:name="Second">' +
            trow(tcell("Only line 9", 'office:value-type="string"')) + '</table:table></office:spreadsheet>')
    return office("spreadsheet", "xlsx", body), [head("Ropes & sails"), "Item Count", "Rope 1250", "Paid 1", any_("Begun"), "Sail 0.3", any_("Ask Ida about 5"), head("Second"), "Only line 9"]


@made("n10-sheets.xlsx")
def _():
    def fill(b):
        for name, v in (("Q1 & new", 11), ("Empty", None), ("Below", 13)):
            s = b.add_worksheet(name)
            if v:
                s.write(0, 0, "Sum of " + name)
                s.write(0, 1, v)
                s.write(1, 0, "Twice")
                s.write(1, 1, v * 2)
        s = b.add_worksheet("Secret")
        s.write(0, 0, "Salary 999")
        s.hide()
    return xw(fill), [head("Q1 & new"), "Sum of Q1 & new 11", "Twice 22", head("Below"), "Sum of Below 13", "Twice 26", omit("Salary 999")]


@made("n11-cells.xlsx")
def _():
    def fill(b):
        s = b.add_worksheet("Cells")
        wrap = b.add_format({"text_wrap": True})
        s.write(0, 0, "Address")
        s.write(0, 1, "12 Quay\nYstad", wrap)
        s.write(1, 0, "Sum")
        s.write_number(1, 1, 0.1 + 0.2)
        s.write(2, 0, "Huge")
        s.write_number(2, 1, 1e20)
        s.write(3, 0, "Pipe")
        s.write(3, 1, "a|b")
        s.write(4, 0, "Note")
        s.write_rich_string(4, 1, "fee ", b.add_format({"font_strikeout": True}), "30", b.add_format({}), " 45")
        s.merge_range(5, 0, 5, 1, "Both columns 21")
    return xw(fill), [head("Cells"), "Address 12 Quay Ystad", "Sum 0.3", "Huge 1E+20", "Pipe a\\|b", "Note fee ~~30~~ 45", "Both columns 21"]


@made("n12-outline.pptx")
def _():
    def fill(d):
        s = d.slides.add_slide(d.slide_layouts[0])
        s.shapes.title.text, s.placeholders[1].text = "Autumn plan", "Harbor board, 2024"
        s = d.slides.add_slide(d.slide_layouts[1])
        s.shapes.title.text = "Steps"
        t = s.placeholders[1].text_frame
        t.text = "Dredge 4 m"
        for text, level in (("east side", 1), ("west side", 1), ("Paint", 0)):
            q = t.add_paragraph()
            q.text, q.level = text, level
        s.notes_slide.notes_text_frame.text = "Mention the 77 boats."
    return slides(fill), [head("Autumn plan"), "Harbor board, 2024", head("Steps"), "Dredge 4 m", "east side", "west side", "Paint", any_("Mention the 77 boats.")]


@made("n13-merged.pptx")
def _():
    def fill(d):
        s = titled(d, "Prices")
        t = s.shapes.add_table(3, 3, In(1), In(2), In(6), In(2)).table
        for i, row in enumerate((("Season", "Adult", "Child"), ("Summer", "12", "6"), ("Winter", "9", "4.50"))):
            for k, text in enumerate(row):
                t.cell(i, k).text = text
        box = s.shapes.add_textbox(In(1), In(5), In(4), In(1)).text_frame
        box.text = "Prices in kroner, from 1 May"
        box.add_paragraph().text = "Dogs free"
    return slides(fill), [head("Prices"), "Season Adult Child", "Summer 12 6", "Winter 9 4.50", "Prices in kroner, from 1 May", "Dogs free"]


@made("n14-impress.pptx")
def _():
    frame = lambda inner, y: f'<draw:frame svg:width="20cm" svg:height="3cm" svg:x="2cm" svg:y="{y}cm">{inner}</draw:frame>'
    body = ('<office:presentation>' + "".join(
        f'<draw:page draw:name="p{i}" draw:master-page-name="Default">' + frame('<draw:text-box>' + tp(a) + '</draw:text-box>', 1) + frame('<draw:text-box>' + tp(b) + tp(c) + '</draw:text-box>', 6) + '</draw:page>'
        for i, (a, b, c) in enumerate((("Opening", "Guests 140", "Tables 18"), ("Closing", "Left by 23:00", "Lost & found 3")))) + '</office:presentation>')
    return office("presentation", "pptx", body), ["Opening", "Guests 140", "Tables 18", "Closing", "Left by 23:00", "Lost & found 3"]


@made("n15-article.pdf")
def _():
    t = r"""\documentclass{article}\begin{document}
\section{Tides}
The tide rose by 2.4~m, i.e.\ 12\,\% more than the official forecast\footnote{Of 14 May.} and the efficient flow of $1.5\times10^{3}$ tons\footnote{Measured twice.} was sufficient.
\subsection{Method}
\begin{itemize}\item buoys of type A\begin{itemize}\item five of them\end{itemize}\item a 300-meter cable\end{itemize}
\begin{description}\item[Gauge] reads centimeters.\item[Clock] reads UTC.\end{description}
\begin{verbatim}
run --depth 20 > out.txt
\end{verbatim}
\begin{quote}``Nothing moves,'' he wrote.\end{quote}
\end{document}"""
    return by(seen_files.typeset, t, "pdf"), ["1 Tides", "The tide rose by 2.4 m, i.e. 12 % more than the official forecast^1", "was sufficient.", "1.1 Method", "buoys of type A", "five of them",
                                               "a 300-meter cable", "Gauge reads centimeters.", "Clock reads UTC.", "run --depth 20 > out.txt", "“Nothing moves,” he wrote.", any_("Of 14 May."), any_("Measured twice.")]


@made("n16-table.pdf")
def _():
    t = r"""\documentclass{article}\begin{document}
Results by ship are shown below.
\begin{table}[h]\centering\caption{Catch in tons}
\begin{tabular}{l|rr|r}\hline
 & \multicolumn{2}{c|}{Season} & \\
Ship & Spring & Autumn & Year \\ \hline
Alma & 120.5 & 98.0 & 218.5 \\
Elba & 7.25 & 1,004.0 & 1,011.25 \\
Ida & -3.0 & 0.5 & -2.5 \\ \hline
\end{tabular}\end{table}

The table has three ships and more words follow it in a paragraph of its own, long enough to be broken into two lines of the page.
\end{document}"""
    return by(seen_files.typeset, t, "pdf"), ["Results by ship are shown below.", any_("Catch in tons"), "Ship Spring Autumn Year", "Alma 120.5 98.0 218.5", "Elba 7.25 1,004.0 1,011.25", "Ida −3.0 0.5 −2.5",
                                               "The table has three ships and more words follow it in a paragraph of its own, long enough to be broken into two lines of the page."]


@made("n17-letter.pdf")
def _():
    body = ('<office:text>' + "".join(tp(x) for x in ("Harbor Office", "12 Quay Street", "", "3 March 2024", "", "Dear Ms. Lund,", "",
            "we confirm the berth for the season. The rent of 4,200 kroner is due on 1 April, the deposit of 900 kroner is kept until the boat has left, and the keys are with the guard at the northern gate.",
            "", "Yours sincerely", "Ida Holm")) + '</office:text>')
    return office("text", "pdf", body), ["Harbor Office", "12 Quay Street", "3 March 2024", "Dear Ms. Lund,",
                                         "we confirm the berth for the season. The rent of 4,200 kroner is due on 1 April, the deposit of 900 kroner is kept until the boat has left, and the keys are with the guard at the northern gate.",
                                         "Yours sincerely", "Ida Holm"]


@made("n18-sheet.pdf")
def _():
    body = ('<office:spreadsheet><table:table table:name="Dues">' + "".join(trow(*(tcell(x, 'office:value-type="string"') for x in row)) for row in
            (("Quay", "Length", "Dues"), ("North", "120 m", "4,310"), ("South", "85 m", "(75)"), ("Total", "205 m", "4,235"))) + '</table:table></office:spreadsheet>')
    return office("spreadsheet", "pdf", body), ["Quay Length Dues", "North 120 m 4,310", "South 85 m (75)", "Total 205 m 4,235"]


@made("n19-invoice.pdf")
def _():
    rows = [["Item", "Qty", "Price", "Amount"], ["Rope 12 mm", "3", "45.00", "135.00"], ["Anchor", "1", "1,250.00", "1,250.00"], ["", "", "Total", "1,385.00"]]
    story = [Paragraph("Invoice 2024-117", getSampleStyleSheet()["Title"]), Paragraph("Due within 30 days.", style()), Spacer(1, 12), Table(rows), Spacer(1, 12),
             Paragraph("Pay to account 99-4411.", style())]
    return flow(story), ["Invoice 2024-117", "Due within 30 days.", "Item Qty Price Amount", "Rope 12 mm 3 45.00 135.00", "Anchor 1 1,250.00 1,250.00", "Total 1,385.00", "Pay to account 99-4411."]


@made("n20-slides.pdf")
def _():
    frame = lambda inner, y: f'<draw:frame svg:width="20cm" svg:height="3cm" svg:x="2cm" svg:y="{y}cm">{inner}</draw:frame>'
    body = ('<office:presentation>' + "".join(
        f'<draw:page draw:name="p{i}" draw:master-page-name="Default">' + frame('<draw:text-box>' + tp(a) + '</draw:text-box>', 1) + frame('<draw:text-box>' + tp(b) + '</draw:text-box>', 8) + '</draw:page>'
        for i, (a, b) in enumerate((("Season 2024", "Boats up 12% to 310"), ("Season 2025", "Boats flat at 312")))) + '</office:presentation>')
    return office("presentation", "pdf", body), ["Season 2024", "Boats up 12% to 310", "Season 2025", "Boats flat at 312"]


@made("n21-article.html")
def _():
    t = """<!doctype html><html><head><title>Site</title></head><body><nav hidden>Menu 5</nav><main><h1>Sea walls</h1><p>Built <abbr title="about">ca.</abbr> 1890, <q>strong</q> and 4&nbsp;m<sup>2</sup> a block.</p>
<dl><dt>Height</dt><dd>7.5 m</dd><dt>Age</dt><dd>134 years</dd></dl><blockquote><p>It held in 1953.</p></blockquote><figure><img src="w.png" alt="The wall at low tide"><figcaption>Figure 2: low tide</figcaption></figure>
<pre>north   12
south    9</pre><p>Run <code>gate --close</code> or press <kbd>F4</kbd>.<br>Then wait 10 s.</p><details><summary>More</summary><p>Details 88</p></details><ul><li>one<ul><li>two</li></ul></li></ul></main></body></html>"""
    return t.encode(), [head("Sea walls"), "Built ca. 1890,", "strong", "and 4 m^2 a block.", "Height", "7.5 m", "Age", "134 years", "It held in 1953.", any_("The wall at low tide"), "Figure 2: low tide",
                        "north 12", "south 9", "Run gate --close or press F4. Then wait 10 s.", "More", "Details 88", "one", "two", no("Menu 5")]


@made("n22-tables.html")
def _():
    t = """<html><body><h2>Fares</h2><table><caption>In kroner</caption><thead><tr><th rowspan=2>Line</th><th colspan=2>2024</th></tr><tr><th>Adult</th><th>Child</th></tr></thead>
<tfoot><tr><td>All</td><td>41</td><td>20</td></tr></tfoot><tbody><tr><td>Ystad</td><td>22</td><td>11</td></tr><tr><td>R&oslash;nne</td><td>19</td><td>9</td></tr></tbody></table>
<table><tr><td>Name:</td><td>Ida Holm</td></tr><tr><td>Phone:</td><td>555-0199</td></tr></table></body></html>"""
    return t.encode(), [head("Fares"), any_("In kroner"), any_("Line"), any_("Adult"), any_("Child"), any_("All 41 20"), "Ystad 22 11", "Rønne 19 9", "Name: Ida Holm", "Phone: 555-0199"]


@made("n23-page.htm")
def _():
    t = """<html><head><style>.sr{position:absolute;left:-9999px} .x{display:none} @media print{.np{display:none}}</style><script>var a="77 no";</script></head>
<body><h1>Notice</h1><p class=x>Off 61</p><p class=np>Shown 62 on the screen</p><p>Tel.:&#160;<a href="tel:5550100">555-0100</a></p><p>R&amp;D &lt;new&gt; &frac34; of &euro;40</p>
<table><tr><td>&bull;</td><td>First point of 3</td></tr><tr><td>&bull;</td><td>Second point</td></tr></table><noscript>No script 5</noscript><select><option>Red<option selected>Blue</select><p><u>Under</u><i>lined</i></p></body></html>"""
    return t.encode(), [head("Notice"), "Shown 62 on the screen", "Tel.: 555-0100", "R&D <new> ¾ of €40", "First point of 3", "Second point", "Blue", "Underlined", no("61"), no("77"), no("Red")]


@made("n24-readme.md")
def _():
    t = """# Dredger

- [x] engine
- [ ] pump 4

| Part | Cost |
| :--- | ---: |
| Pump | 1,200 |
| Pipe \\| hose | 85 |

1. lift
2. turn
   - slowly

```sh
dredge -n 3
```

A <b>bold</b> word, a [link](https://example.org/a_b), an ~~old~~ price, 10<sup>6</sup>. See https://example.org/x.

> Quoted 14
"""
    return t.encode(), [head("Dredger"), "☒ engine", "☐ pump 4", "Part Cost", "Pump 1,200", "Pipe \\| hose 85", "1. lift", "2. turn", "slowly", "dredge -n 3", "A bold word, a link, an ~~old~~ price, 10^6.", "Quoted 14"]


@made("n25-notes.md")
def _():
    t = """---
title: Minutes
date: 2024-05-02
---

Minutes of the board
====================

Present: Ida,  \nLund and Moe.

Second head
-----------

The vote was 5 \\* 2, see [the plan][p]. Snake_case_word and 2*3*4 stay.

[p]: https://example.org/plan "Plan"

* * *

Line with `code | 1` and &copy; 2024.
"""
    return t.encode(), [head("Minutes of the board"), "Present: Ida, Lund and Moe.", head("Second head"), "The vote was 5 \\* 2, see the plan.", "Snake_case_word and", "Line with", "© 2024.", no("Plan\"")]


@made("n26-report.txt")
def _():
    t = """HARBOR REPORT
=============

1. Boats

In May the harbor counted 310 boats, of which
12 were new, and the re-
maining ones had been there before.

2. Fees

Quay          2023      2024
----------  ------  --------
North        1,940     1,812
South          620      (75)

  * rope
  * sails

Total: 2,432
"""
    return t.encode(), ["HARBOR REPORT", "1. Boats", "In May the harbor counted 310 boats, of which 12 were new, and the remaining ones had been there before.", "2. Fees", "Quay 2023 2024", "North 1,940 1,812",
                        "South 620 (75)", "rope", "sails", "Total: 2,432"]


@made("n27-reply.eml")
def _():
    m = EmailMessage(policy=policy.SMTP)
    m["From"], m["To"], m["Subject"], m["Date"] = "Ida Holm <ida@example.org>", "lund@example.org", "Re: Berth 14 – fees", "Mon, 06 May 2024 09:30:00 +0200"
    m.set_content("Yes, 4,200 is right.\n\n> Is the fee 4,200?\n> Lund\n\n-- \nIda\n")
    m.add_alternative("<p>Yes, <b>4,200</b> is right.</p><blockquote>Is the fee 4,200?<br>Lund</blockquote><p>Ida</p>", subtype="html")
    m.add_attachment(b"quay,fee\nnorth,12\nsouth,9\n", maintype="text", subtype="csv", filename="gebühren.csv")
    return m.as_bytes(), [any_("Re: Berth 14 – fees"), any_("Ida Holm"), "Yes, 4,200 is right.", "Is the fee 4,200? Lund", "Ida", any_("quay fee"), any_("north 12"), any_("south 9")]


@made("n28-flowed.eml")
def _():
    return ("From: a@example.org\r\nTo: b@example.org\r\nSubject: =?utf-8?Q?H=C3=B8st?=\r\nDate: Tue, 07 May 2024 10:00:00 +0000\r\nMIME-Version: 1.0\r\n"
            "Content-Type: text/plain; charset=utf-8; format=flowed\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
            "The catch of the autumn was good and we landed =\r\n1,204 tons in =C3=98rsted, \r\nmore than in 2023.\r\n\r\nBest,\r\nMoe\r\n").encode(), [
        any_("Høst"), "The catch of the autumn was good and we landed 1,204 tons in Ørsted, more than in 2023.", "Best,", "Moe"]


@made("n29-export.csv")
def _():
    t = '\ufeff"Kai";"Länge (m)";"Gebühr";""\r\n"Nord";"120,5";"4.310,00";""\r\n"Süd, alt";"85";"-75,00";""\r\n"Mole ""C""\nneu";"9";"0";""\r\n'
    return t.encode("utf-8"), ["Kai Länge (m) Gebühr", "Nord 120,5 4.310,00", "Süd, alt 85 -75,00", 'Mole "C" neu 9 0']


@made("n30-totals.tsv")
def _():
    t = "Harbor dues 2024\n\nQuay\tBoats\tDues\nNorth\t12\t4,310\nSouth\t\t(75)\nTotal\t12\t4,235\n"
    return t.encode(), ["Harbor dues 2024", "Quay Boats Dues", "North 12 4,310", "South (75)", "Total 12 4,235"]



if __name__ == "__main__":
    for name, make in FILES:
        data, content = make()
        open(os.path.join(OUT, name), "wb").write(data)
        json.dump(content, open(os.path.join(OUT, name + ".json"), "w"), ensure_ascii=False, indent=1)
    print(len(FILES), "files")
