#!/usr/bin/env python3
"""Writes documents with the programs that people use, each with something that a reader sees and a converter may lose.

usage: seen_files.py DIR       needs python-docx, openpyxl, python-pptx and reportlab, from PyPI, and Debian's texlive-latex-base,
                               libreoffice-writer-nogui, -calc-nogui and -impress-nogui

The files lie in test/data/seen; test/357-strip-seen.bats says what their readers see.  They are made again only where a
kind is added: the writers' dates and ids change from run to run.
"""
import datetime
import os
import shutil
import subprocess
import sys
import tempfile

import docx
import openpyxl
import openpyxl.drawing.image
import pptx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from openpyxl.styles import Font
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas
from reportlab.platypus import (BaseDocTemplate, Frame, PageTemplate, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle)


# ---- word processing ----

def runs(paragraph, *parts):
    """A part is a text, or a pair of a text and the name of a property of its font."""
    for part in parts:
        text, look = part if isinstance(part, tuple) else (part, None)
        run = paragraph.add_run(text)
        if look == "raised":
            run._r.get_or_add_rPr().append(parse_xml('<w:position %s w:val="8"/>' % nsdecls("w")))
        elif look:
            setattr(run.font, look, True)
    return paragraph


def raised_docx(path):
    d = docx.Document()
    d.add_heading("Fleet", 1)
    runs(d.add_paragraph(), "Revenue was 1,250", ("2", "superscript"), " million.")
    runs(d.add_paragraph(), "About 10", ("6", "superscript"), " grains of 10", ("-3", "superscript"), " grams, the 5",
         ("th", "superscript"), " of May, CO", ("2", "subscript"), ".")
    runs(d.add_paragraph(), "Margin 12.5%", ("1", "superscript"), " and loss (340)", ("3", "superscript"), " of Acme", ("®", "superscript"), ".")
    runs(d.add_paragraph(), "Held at 77", ("4", "raised"), " places.")
    style = d.styles.add_style("Mark", docx.enum.style.WD_STYLE_TYPE.CHARACTER)
    style.font.superscript = True
    p = d.add_paragraph("Cost 900")
    p.add_run("5", style="Mark")
    t = d.add_table(2, 2)
    t.cell(0, 0).text, t.cell(0, 1).text, t.cell(1, 0).text = "Ship", "Dues", "Alma"
    runs(t.cell(1, 1).paragraphs[0], "1,250", ("2", "superscript"))
    d.save(path)


def struck_docx(path):
    d = docx.Document()
    runs(d.add_paragraph(), "The fee is ", ("30", "strike"), " 45 dollars.")
    runs(d.add_paragraph(), "The term is ", ("two", "double_strike"), " three years.")
    runs(d.add_paragraph(), "Seen.", (" The password is swordfish.", "hidden"))
    runs(d.add_paragraph(), ("Only for the editor.", "hidden"))
    style = d.styles.add_style("Old", docx.enum.style.WD_STYLE_TYPE.CHARACTER)
    style.font.strike = True
    p = d.add_paragraph("The cap is ")
    p.add_run("1,000", style="Old")
    p.add_run(" 2,000.")
    t = d.add_table(2, 2)
    t.cell(0, 0).text, t.cell(0, 1).text, t.cell(1, 0).text = "Item", "Price", "Oak"
    runs(t.cell(1, 1).paragraphs[0], ("10", "strike"), " 12")
    d.save(path)


def merged_docx(path):
    d = docx.Document()
    t = d.add_table(7, 3)
    for c, name in enumerate(["Region", "Plant", "Units"]):
        t.cell(0, c).text = name
    for r, (plant, units) in enumerate([("Arvik", "12"), ("Holm", "7"), ("Moss", "9"), ("Bari", "3"), ("Lecce", "4"), ("Total", "")], 1):
        t.cell(r, 1).text, t.cell(r, 2).text = plant, units
    t.cell(1, 0).merge(t.cell(3, 0)).text = "North"
    t.cell(4, 0).merge(t.cell(5, 0)).text = "South"
    t.cell(6, 0).merge(t.cell(6, 1)).text = "All"
    t.cell(6, 2).text = "35"
    d.save(path)


MATH = ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def r(text):
    return "<m:r><m:t>%s</m:t></m:r>" % text


def math_docx(path):
    d = docx.Document()

    def add(before, xml, after=""):
        p = d.add_paragraph(before)
        p._p.append(parse_xml("<m:oMath%s>%s</m:oMath>" % (MATH, xml)))
        p.add_run(after)

    fraction = "<m:f><m:num>%s</m:num><m:den>%s</m:den></m:f>"
    add("The rate is 4", fraction % (r("1"), r("2")), " percent.")
    add("Growth is ", fraction % (r("a+b"), r("c")), ".")
    add("There are ", "<m:sSup><m:e>%s</m:e><m:sup>%s</m:sup></m:sSup>" % (r("10"), r("6")), " grains.")
    add("Sides: ", "<m:rad><m:radPr><m:degHide m:val='1'/></m:radPr><m:deg/><m:e>%s</m:e></m:rad>" % r("x+1"), ".")
    d.add_paragraph("Half is ½ and a quarter ¼.")
    d.save(path)


def ruby_docx(path):
    d = docx.Document()
    run = '<w:r><w:t>%s</w:t></w:r>'
    d.add_paragraph("The word ")._p.append(parse_xml('<w:r %s><w:ruby><w:rubyPr/><w:rt>%s</w:rt><w:rubyBase>%s</w:rubyBase></w:ruby></w:r>'
                                                     % (nsdecls("w"), run % "kan", run % "\u6f22")))
    d.save(path)


def letters_docx(path):
    d = docx.Document()
    d.add_paragraph("A signiﬁcant oﬃce ﬂoor, co\u00adoperation of the ﬀ staﬀ.")
    d.save(path)


# ---- workbooks ----

def raised_xlsx(path):
    w = openpyxl.Workbook()
    s = w.active
    up, old = InlineFont(vertAlign="superscript"), InlineFont(strike=True)
    s.append(["Ship", "Dues"])
    s.append(["Alma", CellRichText("1,250", TextBlock(up, "2"))])
    s.append(["Grains", CellRichText("10", TextBlock(up, "6"))])
    s.append(["Gram", CellRichText("10", TextBlock(up, "-3"))])
    s.append(["Fee", CellRichText(TextBlock(old, "30"), " 45")])
    s.append(["Old", 9])
    s["B6"].font = Font(strike=True)
    w.save(path)


def formats_xlsx(path):
    w = openpyxl.Workbook()
    s = w.active
    day = datetime.datetime(2026, 3, 5)
    rows = [("Shift", datetime.timedelta(hours=30, minutes=5), "[h]:mm"), ("Lap", datetime.timedelta(minutes=75, seconds=9), "[mm]:ss"),
            ("Start", datetime.time(6, 5), "h:mm"), ("Late", datetime.time(18, 30), "h:mm AM/PM"), ("Day", day, "d mmm yyyy"),
            ("Moment", datetime.datetime(2026, 3, 5, 14, 30), "yyyy-mm-dd hh:mm"), ("Month", day, "mmm yyyy"), ("CIK", 320193, "0000000000"),
            ("Zip", 1234, "00000"), ("Fee", 1234.5, '"$"#,##0.00'), ("Kronor", 1234.5, '#,##0.00\\ "kr"'), ("Euro", 99.9, "[$€-407]#,##0.00"),
            ("Loss", -1234.5, '"$"#,##0.00;("$"#,##0.00)'), ("Red", -7, "0;[Red]-0"), ("Weight", 12.25, '0.0" kg"'), ("Times", 3.5, "0.0x"),
            ("Share", 0.0725, "0.00%"), ("Whole", 0.07, "0%"), ("Million", 1234567890, "#,##0.0,,"), ("Part", 0.5, "# ?/?"), ("Big", 12345678, "0.00E+00"),
            ("Nil", 0, '#,##0;-#,##0;"-"'), ("Phone", 5551234567, "(000) 000-0000"), ("Plain", 1234.5, "General"), ("Account", -12.5, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)'),
            ("Text", "abc", "@"), ("Frac", 2.25, "# ?/?")]
    s.append(["Name", "Value"])
    for name, value, code in rows:
        s.append([name, value])
        s.cell(s.max_row, 2).number_format = code
    w.save(path)


def merged_xlsx(path):
    w = openpyxl.Workbook()
    s = w.active
    for row in [["Plants of the group", None, None], ["Region", "Plant", "Units"], ["North", "Arvik", 12], [None, "Holm", 7], [None, "Moss", 9],
                ["South", "Bari", 3], [None, "Lecce", 4]]:
        s.append(row)
    for area in ["A1:C1", "A3:A5", "A6:A7"]:
        s.merge_cells(area)
    t = w.create_sheet("Years")
    for row in [["Item", 2025, None, 2024, None], [None, "Q1", "Q2", "Q1", "Q2"], ["Sales", 11, 12, 13, 14]]:
        t.append(row)
    for area in ["A1:A2", "B1:C1", "D1:E1"]:
        t.merge_cells(area)
    w.save(path)


def notes_xlsx(path):
    w = openpyxl.Workbook()
    s = w.active
    for row in [["Ship", "Dues", "Draft"], ["Alma", 12, 1], ["Ghost", 13, 2], ["Elba", 14, 3]]:
        s.append(row)
    s["B2"].comment = Comment("Includes the harbour pilot.", "Ann")
    s["B4"].comment = Comment("Estimate", "Bob")
    s.row_dimensions[3].hidden = True
    s.column_dimensions["C"].hidden = True
    w.save(path)


def pictures_xlsx(path):
    from PIL import Image
    w = openpyxl.Workbook()
    w.active.append(["Ship", "Dues"])
    w.active.append(["Alma", 12])
    picture = os.path.join(os.path.dirname(path), "dot.png")
    Image.new("L", (2, 2), 255).save(picture)
    w.active.add_image(openpyxl.drawing.image.Image(picture), "D2")
    w.save(path)
    os.remove(picture)


# ---- presentations ----

def raised_pptx(path):
    p = pptx.Presentation()
    s = p.slides.add_slide(p.slide_layouts[1])
    s.shapes.title.text = "Fleet"
    body = s.placeholders[1].text_frame

    def add(paragraph, *parts):
        for part in parts:
            text, look = part if isinstance(part, tuple) else (part, {})
            run = paragraph.add_run()
            run.text = text
            for name, value in look.items():
                run.font._element.set(name, value)

    up, old = {"baseline": "30000"}, {"strike": "sngStrike"}
    add(body.paragraphs[0], "Revenue 1,250", ("2", up), " million")
    add(body.add_paragraph(), "About 10", ("6", up), " grains of 10", ("-3", up), " grams")
    add(body.add_paragraph(), "The fee is ", ("30", old), " 45 dollars")
    s = p.slides.add_slide(p.slide_layouts[5])
    s.shapes.title.text = "Plants"
    t = s.shapes.add_table(4, 3, Inches(1), Inches(2), Inches(6), Inches(2)).table
    for r, row in enumerate([["Region", "Plant", "Units"], ["North", "Arvik", "12"], ["", "Holm", "7"], ["All", "", "19"]]):
        for c, value in enumerate(row):
            t.cell(r, c).text = value
    t.cell(1, 0).merge(t.cell(2, 0))
    t.cell(3, 0).merge(t.cell(3, 1))
    p.save(path)


def chart_pptx(path):
    p = pptx.Presentation()
    s = p.slides.add_slide(p.slide_layouts[5])
    s.shapes.title.text = "Sales"
    data = CategoryChartData()
    data.categories = ["2024", "2025"]
    data.add_series("Boats", (19.2, 21.4))
    data.add_series("Sails", (3, 5))
    s.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(2), Inches(5), Inches(3), data)
    s = p.slides.add_slide(p.slide_layouts[5])
    s.shapes.title.text = "Kept from the audience"
    s._element.set("show", "0")
    s = p.slides.add_slide(p.slide_layouts[5])
    s.shapes.title.text = "Outlook"
    p.save(path)


# ---- PDF ----

STYLES = getSampleStyleSheet()


def raised_pdf(path):
    body = STYLES["BodyText"]
    d = SimpleDocTemplate(path, pagesize=A4, title="Fleet")
    d.build([Paragraph("Fleet report", STYLES["Heading1"]),
             Paragraph("Revenue of the group was 1,250<super>2</super> million in the year, and the loss was (340)<super>3</super> million.", body),
             Paragraph("There are about 10<super>6</super> grains of 10<super>-3</super> grams each, which the 5<super>th</super> ship carries.", body),
             Paragraph("The number 12502 is a number, and 106 is another.", body),
             Table([["Ship", "Dues"], ["Alma", Paragraph("1,250<super>2</super>", body)], ["Elba", Paragraph("900<super>1</super>", body)]], colWidths=[200, 100])])


def words(n, name):
    return " ".join("%s part %d says that the crews keep the blades clean over the winter and wait for calm weather." % (name, i) for i in range(n))


def columns_pdf(path):
    d = BaseDocTemplate(path, pagesize=A4, title="Turbines")
    frames = [Frame(50, 50, 240, 640, id="a"), Frame(310, 50, 240, 640, id="b")]

    def head(c, _):
        c.setFont("Helvetica-Bold", 16)
        c.drawString(50, 760, "A survey of wind turbines and of the orchards around them, in two columns")

    d.addPageTemplates([PageTemplate(frames=frames, onPage=head)])
    story = []
    for chapter in ["Turbines", "Orchards", "Harbours"]:
        story += [Paragraph(chapter, STYLES["Heading2"]), Paragraph(words(9, chapter), STYLES["BodyText"]), Paragraph(words(8, chapter + " again"), STYLES["BodyText"])]
    d.build(story)


def table_pdf(path):
    rows = [["Branch", "Deposits", "Loans", "Staff"]] + [["B%03d" % i, "%d,007" % i, "%d,503" % i, str(i + 2)] for i in range(1, 61)]
    t = Table(rows, colWidths=[80, 100, 100, 60])
    t.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 0.3, colors.grey)]))
    SimpleDocTemplate(path, pagesize=A4, title="Branches").build([Paragraph("All branches of the bank at year end, in thousands.", STYLES["BodyText"]), Spacer(1, 10), t])


def scanned_pdf(path):
    from PIL import Image, ImageDraw
    picture = Image.new("L", (200, 100), 255)
    ImageDraw.Draw(picture).text((10, 40), "Scanned words", fill=0)
    c = canvas.Canvas(path, pagesize=A4)
    for page in range(1, 6):
        if page in (2, 4):
            c.drawImage(ImageReader(picture), 50, 400)
        else:
            c.drawString(50, 700, "Page with words, the %s of the report." % {1: "first", 3: "third", 5: "fifth"}[page])
        c.showPage()
    c.save()


def letters_pdf(path):
    pdfmetrics.registerFont(TTFont("DejaVu", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"))
    c = canvas.Canvas(path, pagesize=A4)
    c.setFont("DejaVu", 11)
    for i, line in enumerate(["A signiﬁcant number of oﬃces have a ﬂoor of their own, since the co\u00ad", "operation of the staﬀ with the manage‐", "ment was found to be good."]):
        c.drawString(50, 700 - 14 * i, line)
    c.save()


def numbered_docx(path):
    w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    d = docx.Document()
    numbering = d.part.numbering_part.element
    for old in list(numbering):
        numbering.remove(old)
    levels = "".join('<w:lvl w:ilvl="%d"><w:start w:val="1"/><w:numFmt w:val="%s"/><w:lvlText w:val="%s"/></w:lvl>' % level
                     for level in ((0, "decimal", "%1."), (1, "decimal", "%1.%2"), (2, "lowerRoman", "(%3)")))
    numbering.append(parse_xml('<w:abstractNum %s w:abstractNumId="0">%s</w:abstractNum>' % (w, levels)))
    numbering.append(parse_xml('<w:num %s w:numId="1"><w:abstractNumId w:val="0"/></w:num>' % w))
    numbering.append(parse_xml('<w:num %s w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>' % w))
    for number, level, text in ((1, 0, "Rent is 900"), (1, 1, "Paid monthly"), (1, 2, "By wire"), (1, 2, "By check"), (1, 1, "Late fee"), (1, 0, "Deposit"), (2, 0, "Keys")):
        q = d.add_paragraph(text)._p.get_or_add_pPr()
        q.append(parse_xml('<w:numPr %s><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr>' % (w, level, number)))
    q = d.add_paragraph()._p
    for sign, text in (("F0FE", " Insured "), ("F0A8", " Leased")):
        q.append(parse_xml('<w:r %s><w:sym w:font="Wingdings" w:char="%s"/><w:t xml:space="preserve">%s</w:t></w:r>' % (w, sign, text)))
    d.sections[0].header.paragraphs[0].text = "Draft 3"
    d.save(path)


def clocks_xlsx(path):
    b = openpyxl.Workbook()
    for name, value, form in (("Lap", 0.021, "mm:ss"), ("Day", 45462, "ddd d"), ("Long day", 45462, "dddd"), ("Month", 45462, "mmm yyyy"), ("Open", True, "General")):
        b.active.append([name, value])
        b.active.cell(b.active.max_row, 2).number_format = form
    b.save(path)


def steps_pptx(path):
    d = pptx.Presentation()
    s = d.slides.add_slide(d.slide_layouts[5])
    s.shapes.title.text = "Steps"
    t = s.shapes.add_textbox(0, 0, 99, 99).text_frame
    for i, text in enumerate(("Moor", "Pay", "Leave")):
        q = t.paragraphs[0] if i == 0 else t.add_paragraph()
        q.text = text
        q._p.get_or_add_pPr().append(parse_xml('<a:buAutoNum xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" type="alphaUcPeriod" startAt="2"/>'))
    hidden = s.shapes.add_textbox(0, 0, 99, 99)
    hidden.text_frame.text = "Never shown"
    hidden._element.nvSpPr.cNvPr.set("hidden", "1")
    data = CategoryChartData(number_format="0%")
    data.categories = ["Adult", "Child"]
    data.add_series("Share", (0.62, 0.38))
    s.shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, 99, 99, data)
    d.save(path)


# ---- LaTeX and LibreOffice ----

LATEX = r"""\documentclass[a4paper,twocolumn]{article}
\title{Flows of the harbor office} \author{I. Quay} \date{3 March 2025}
\begin{document}\maketitle
\section{First findings}
The office classified fifty-five affluent offshore clients, and the difference between official and unofficial figures is significant: it sufficed to shuffle the files. Dues were 1,250\footnote{In thousands of kroner.} and about $10^6$ grains of $10^{-3}$ grams passed, at a rate of $\frac{1}{2}$ per cent; the loss of $-340$ is the harbor's. Management's organization of administration, information and transportation was characterized by considerable misunderstandings and extraordinary circumstances throughout.
\section{Second findings}
Ships that stand in the second column are read after those of the first. A long-term lease and a short- and long-term plan keep their hyphens. The harbormaster's representatives communicated internationally about infrastructure, accountability and responsibilities; nevertheless the counterparties' acknowledgements were incomprehensible.
\begin{itemize}\item Pilots: 12 \item Tugs: 7\end{itemize}
\begin{enumerate}\item Moor \item Pay\end{enumerate}
\clearpage\onecolumn
\section*{Dues}
Dues by quay, in thousands of kroner:

\medskip
\begin{tabular}{lrrr}
\hline
Quay & 2025 & 2024 & Change \\
\hline
North quay & 1,940 & 1,812 & 7.1\% \\
South quay & 620 & 655 & (5.3)\% \\
Slipway & 75 & --- & --- \\
\hline
Total & 2,635 & 2,467 & 6.8\% \\
\hline
\end{tabular}

\medskip
The total excludes the 1,250$^{2}$ of the dry dock. Words are ``quoted'', a range is 5--7 and an em dash---here.
\end{document}
"""


def typeset(source, path):
    """The document as pdflatex sets it."""
    with tempfile.TemporaryDirectory() as d:
        with open(d + "/x.tex", "w", encoding="utf-8") as f:
            f.write(source)
        for _ in range(2):
            subprocess.run(["pdflatex", "-interaction=batchmode", "-output-directory", d, d + "/x.tex"], check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, env=dict(os.environ, SOURCE_DATE_EPOCH="1740960000", FORCE_SOURCE_DATE="1"))
        shutil.copy(d + "/x.pdf", path)


def latex_pdf(path):
    typeset(LATEX, path)


OPEN = ('xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
        'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
        'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" '
        'xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.2"')


def flat(kind, styles, body):
    """A document of LibreOffice in one file."""
    return ('<?xml version="1.0" encoding="UTF-8"?><office:document %s office:mimetype="application/vnd.oasis.opendocument.%s">'
            '<office:automatic-styles>%s</office:automatic-styles><office:body>%s</office:body></office:document>' % (OPEN, kind, styles, body))


TEXT = flat("text", '''<style:style style:name="up" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
<style:style style:name="gone" style:family="text"><style:text-properties style:text-line-through-style="solid"/></style:style>
<style:style style:name="hid" style:family="text"><style:text-properties text:display="none"/></style:style>
<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="a" style:num-suffix=")" text:start-value="3"/></text:list-style>
<style:style style:name="pb" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style>''',
'''<office:text><text:h text:outline-level="1">Quays of the harbor</text:h>
<text:p>Dues were 1,250<text:note text:id="f1" text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>In thousands of kroner.</text:p></text:note-body></text:note> and about 10<text:span text:style-name="up">6</text:span> grains. The fee is <text:span text:style-name="gone">30</text:span> 45.<text:span text:style-name="hid">Nobody sees this.</text:span></text:p>
<text:list text:style-name="L1"><text:list-item><text:p>Moor</text:p></text:list-item><text:list-item><text:p>Pay</text:p></text:list-item></text:list>
<table:table table:name="T"><table:table-column table:number-columns-repeated="3"/>
<table:table-row><table:table-cell><text:p>Region</text:p></table:table-cell><table:table-cell><text:p>Quay</text:p></table:table-cell><table:table-cell><text:p>Ships</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>North</text:p></table:table-cell><table:table-cell><text:p>Arvik</text:p></table:table-cell><table:table-cell><text:p>12</text:p></table:table-cell></table:table-row>
<table:table-row><table:covered-table-cell/><table:table-cell><text:p>Holm</text:p></table:table-cell><table:table-cell><text:p>(7)</text:p></table:table-cell></table:table-row></table:table>
<text:p text:style-name="pb">The second page<text:s text:c="3"/>has a tab<text:tab/>and a line<text:line-break/>break.</text:p>
<text:h text:outline-level="2">Outlook</text:h><text:p>A long-term view.</text:p></office:text>''')
SHEET = flat("spreadsheet", '''<number:percentage-style style:name="N1"><number:number number:decimal-places="1" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>
<number:time-style style:name="N2" number:truncate-on-overflow="false"><number:minutes number:style="long"/><number:text>:</number:text><number:seconds number:style="long"/></number:time-style>
<number:date-style style:name="N3"><number:day number:style="long"/><number:text> </number:text><number:month number:textual="true"/><number:text> </number:text><number:year number:style="long"/></number:date-style>
<number:number-style style:name="N4P0"><number:number number:decimal-places="0" number:min-integer-digits="1" number:grouping="true"/></number:number-style>
<number:number-style style:name="N4"><number:text>(</number:text><number:number number:decimal-places="0" number:min-integer-digits="1" number:grouping="true"/><number:text>)</number:text><style:map style:condition="value()&gt;=0" style:apply-style-name="N4P0"/></number:number-style>
<style:style style:name="c1" style:family="table-cell" style:data-style-name="N1"/><style:style style:name="c2" style:family="table-cell" style:data-style-name="N2"/>
<style:style style:name="c3" style:family="table-cell" style:data-style-name="N3"/><style:style style:name="c4" style:family="table-cell" style:data-style-name="N4"/>''',
'''<office:spreadsheet><table:table table:name="Dues">
<table:table-row><table:table-cell table:number-columns-spanned="2" office:value-type="string"><text:p>Plants of the group</text:p></table:table-cell><table:covered-table-cell/></table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p>Item</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>Value</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p>Margin</text:p></table:table-cell><table:table-cell table:style-name="c1" office:value-type="percentage" office:value="0.125"/></table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p>Lap</text:p></table:table-cell><table:table-cell table:style-name="c2" office:value-type="time" office:time-value="PT00H30M05S"/></table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p>Day</text:p></table:table-cell><table:table-cell table:style-name="c3" office:value-type="date" office:date-value="2025-03-31"/></table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p>Loss</text:p></table:table-cell><table:table-cell table:style-name="c4" office:value-type="float" office:value="-1250"/></table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p>CIK</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>0000320193</text:p></table:table-cell></table:table-row>
<table:table-row table:visibility="collapse"><table:table-cell office:value-type="string"><text:p>Hidden</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="9"/></table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p>Sum</text:p></table:table-cell><table:table-cell table:formula="of:=2*21" office:value-type="float" office:value="42"/></table:table-row>
</table:table></office:spreadsheet>''')
SLIDES = flat("presentation", '''<style:style style:name="dp" style:family="drawing-page"/>''',
'''<office:presentation><draw:page draw:name="p1" draw:master-page-name="Default"><draw:frame presentation:class="title" svg:width="20cm" svg:height="3cm" svg:x="2cm" svg:y="1cm"><draw:text-box><text:p>Fleet</text:p></draw:text-box></draw:frame>
<draw:frame svg:width="20cm" svg:height="8cm" svg:x="2cm" svg:y="5cm"><draw:text-box><text:p>Revenue 1,250 million</text:p><text:list><text:list-item><text:p>North</text:p></text:list-item><text:list-item><text:p>South</text:p></text:list-item></text:list></draw:text-box></draw:frame>
<draw:frame svg:width="20cm" svg:height="4cm" svg:x="2cm" svg:y="14cm"><table:table><table:table-column/><table:table-column/><table:table-row><table:table-cell><text:p>Quay</text:p></table:table-cell><table:table-cell><text:p>Ships</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Arvik</text:p></table:table-cell><table:table-cell><text:p>12</text:p></table:table-cell></table:table-row></table:table></draw:frame>
<presentation:notes><draw:frame presentation:class="notes" svg:width="10cm" svg:height="8cm" svg:x="2cm" svg:y="12cm"><draw:text-box><text:p>Say that the dock opens in May.</text:p></draw:text-box></draw:frame></presentation:notes></draw:page></office:presentation>''')


def saved(source, path):
    """The document as LibreOffice saves it under the kind of the path's name."""
    kind = path.rpartition(".")[2]
    with tempfile.TemporaryDirectory() as d:
        with open(d + "/x.fodt", "w", encoding="utf-8") as f:
            f.write(source)
        subprocess.run(["soffice", "-env:UserInstallation=file://%s/profile" % d, "--headless", "--convert-to", kind, "--outdir", d, d + "/x.fodt"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shutil.copy("%s/x.%s" % (d, kind), path)


def writer_docx(path):
    saved(TEXT, path)


def writer_pdf(path):
    saved(TEXT, path)


def calc_xlsx(path):
    saved(SHEET, path)


def impress_pptx(path):
    saved(SLIDES, path)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for name, make in list(globals().items()):
        stem, _, kind = name.rpartition("_")
        if kind in ("docx", "xlsx", "pptx", "pdf") and callable(make) and stem:
            make(os.path.join(folder, "%s.%s" % (stem, kind)))


if __name__ == "__main__":
    main(sys.argv[1])
