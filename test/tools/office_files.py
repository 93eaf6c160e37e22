#!/usr/bin/env python3
"""Writes small office files, e-mails and archives of them into a folder: office_files.py DIR

report.docx  headings, a list, a table, a footnote, two pages      figures.xlsx  two sheets, dates, percentages
slides.pptx  two slides, a table, notes                             letter.eml    quoted-printable, an attachment
box.mbox     two messages                                           all.zip       the first three
"""
import base64
import os
import sys
import zipfile

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
CORE = (HEAD + '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>%s</dc:title>'
        '<dcterms:modified>2026-02-11T09:00:00Z</dcterms:modified></cp:coreProperties>')


def package(path, parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("[Content_Types].xml", HEAD + "<Types/>")
        for name, text in parts.items():
            z.writestr(name, text if text.startswith("<?xml") else HEAD + text)


def rels(*targets):
    rows = "".join('<Relationship Id="rId%d" Type="%s%s" Target="%s"/>' % (i + 1, RELS, kind, target)
                   for i, (kind, target) in enumerate(targets))
    return "<Relationships>%s</Relationships>" % rows


def word(text, style=None, more="", before=""):
    properties = ('<w:pPr>%s%s</w:pPr>' % ('<w:pStyle w:val="%s"/>' % style if style else "", more)) if style or more else ""
    runs = "".join('<w:r><w:t xml:space="preserve">%s</w:t></w:r>' % run for run in text.split("~"))
    return "<w:p>%s%s%s</w:p>" % (properties, before, runs)


def word_table(rows):
    return "<w:tbl>%s</w:tbl>" % "".join(
        "<w:tr>%s</w:tr>" % "".join("<w:tc>%s</w:tc>" % word(cell) for cell in row) for row in rows)


def docx(path):
    page = "<w:r><w:lastRenderedPageBreak/></w:r>"
    body = (word("Berthing report", "Kop1") + word("The quay of Ystad was len~gthened by 40 metres.") +
            word("Cranes", more="<w:numPr/>") + word("Pilots", more="<w:numPr/>") + word("Dues", "Kop2", before=page) +
            word_table([["Ship", "Dues"], ["Alma &amp; Co", "1,250"]]) +
            '<w:p><w:r><w:t>Paid in kronor</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r>'
            '<w:del><w:r><w:delText>gone</w:delText><w:t>struck out</w:t></w:r></w:del></w:p>')
    styles = ('<w:styles %s><w:style w:styleId="Kop1"><w:name w:val="heading 1"/></w:style>'
              '<w:style w:styleId="Kop2"><w:name w:val="heading 2"/></w:style></w:styles>') % W
    notes = ('<w:footnotes %s><w:footnote w:type="separator" w:id="0">%s</w:footnote><w:footnote w:id="2">%s</w:footnote>'
             '</w:footnotes>') % (W, word("line"), word("At the rate of the day."))
    package(path, {"word/document.xml": "<w:document %s><w:body>%s</w:body></w:document>" % (W, body),
                   "word/styles.xml": styles, "word/footnotes.xml": notes, "docProps/core.xml": CORE % "Berths of Ystad",
                   "docProps/app.xml": "<Properties><Company>Ystad Harbour</Company></Properties>"})


def cell(ref, value, kind=None, style=None):
    inside = "<is><t>%s</t></is>" % value if kind == "inlineStr" else "<v>%s</v>" % value
    return '<c r="%s"%s%s>%s</c>' % (ref, ' t="%s"' % kind if kind else "", ' s="%d"' % style if style else "", inside)


def sheet(rows):
    return "<worksheet><sheetData>%s</sheetData></worksheet>" % "".join(
        '<row r="%d">%s</row>' % (n, "".join(cells)) for n, cells in rows)


def xlsx(path):
    first = sheet([(1, [cell("A1", "0", "s")]), (2, [cell("B2", "1", "s"), cell("D2", "45291", None, 1)]),
                   (3, [cell("B3", "2", "s"), cell("D3", "1234.5")]), (4, [cell("B4", "Share", "inlineStr"), cell("D4", "0.0725", None, 2)]),
                   (7, [cell("A7", "0.30000000000000004"), cell("B7", "1", "b")])])
    second = sheet([(1, [cell("A1", "Pilots", "str"), cell("B1", "17")])])
    strings = ('<sst><si><t>In thousands of kronor</t></si><si><t>Year to</t></si>'
               '<si><r><t xml:space="preserve">Harbour </t></r><r><t>dues</t></r><rPh><t>x</t></rPh></si></sst>')
    styles = ('<styleSheet><numFmts><numFmt numFmtId="164" formatCode="d\\ mmm\\ yyyy"/></numFmts><cellXfs><xf numFmtId="0"/>'
              '<xf numFmtId="164"/><xf numFmtId="10"/></cellXfs></styleSheet>')
    package(path, {"xl/workbook.xml": '<workbook %s><sheets><sheet name="Dues 2023" r:id="rId2"/><sheet name="Staff" r:id="rId1"/>'
                                      '</sheets></workbook>' % R,
                   "xl/_rels/workbook.xml.rels": rels(("worksheet", "worksheets/sheet2.xml"), ("worksheet", "/xl/worksheets/sheet1.xml")),
                   "xl/worksheets/sheet1.xml": first, "xl/worksheets/sheet2.xml": second,
                   "xl/sharedStrings.xml": strings, "xl/styles.xml": styles})


def slide(title, body, table=""):
    shape = '<p:sp><p:nvSpPr><p:nvPr>%s</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>%s</a:t></a:r></a:p></p:txBody></p:sp>'
    return ("<p:sld %s %s><p:cSld><p:spTree>%s%s%s%s</p:spTree></p:cSld></p:sld>"
            % (A, P, shape % ("", body), shape % ('<p:ph type="sldNum"/>', "99"), table, shape % ('<p:ph type="title"/>', title)))


def pptx(path):
    table = "<p:graphicFrame><a:tbl>%s</a:tbl></p:graphicFrame>" % "".join(
        "<a:tr>%s</a:tr>" % "".join("<a:tc><a:txBody><a:p><a:r><a:t>%s</a:t></a:r></a:p></a:txBody></a:tc>" % c for c in row)
        for row in (["Line", "Berths"], ["North", "12"]))
    package(path, {"ppt/presentation.xml": '<p:presentation %s %s><p:sldIdLst><p:sldId r:id="rId2"/><p:sldId r:id="rId1"/></p:sldIdLst>'
                                           '</p:presentation>' % (P, R),
                   "ppt/_rels/presentation.xml.rels": rels(("slide", "slides/slide2.xml"), ("slide", "slides/slide1.xml")),
                   "ppt/slides/slide1.xml": slide("Where we stand", "Eleven ships a day."),
                   "ppt/slides/_rels/slide1.xml.rels": rels(("notesSlide", "../notesSlides/notesSlide1.xml")),
                   "ppt/notesSlides/notesSlide1.xml": slide("", "Mention the ferry."),
                   "ppt/slides/slide2.xml": slide("Berths by line", "As of May.", table),
                   "docProps/core.xml": CORE % "Harbour day"})


def eml(attachment):
    return ("From: =?utf-8?Q?J=C3=B6rgen?= <j@harbour.example>\r\nTo: all@harbour.example\r\nSubject: =?utf-8?B?%s?=\r\n"
            " of May\r\nDate: Tue, 3 Mar 2026 10:00:00 +0100\r\nMessage-ID: <1@harbour.example>\r\nMIME-Version: 1.0\r\n"
            'Content-Type: multipart/mixed; boundary="b1"\r\n\r\nold programs\r\n--b1\r\n'
            "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
            "The dredger comes on Thursday and stays for =\r\nthree weeks; K=F6penhamn knows.\r\n--b1\r\n"
            'Content-Type: application/octet-stream; name="report.docx"\r\nContent-Disposition: attachment; filename="report.docx"\r\n'
            "Content-Transfer-Encoding: base64\r\n\r\n%s\r\n--b1--\r\n"
            % (base64.b64encode("Dredging plan".encode()).decode(), base64.encodebytes(attachment).decode().replace("\n", "\r\n")))


def mbox(path):
    with open(path, "w") as f:
        for n, text in enumerate(("The lighthouse was painted white.", "From here on the fog horn is silent at night.")):
            f.write("From a@b.example Tue Mar  3 10:00:00 2026\nFrom: a@b.example\nTo: c@d.example\nSubject: Note %d\n"
                    "Date: Wed, %d Mar 2026 08:00:00 +0000\n\n%s\n\n" % (n + 1, n + 4, text))


def main(folder):
    os.makedirs(folder, exist_ok=True)
    at = lambda name: os.path.join(folder, name)
    docx(at("report.docx"))
    xlsx(at("figures.xlsx"))
    pptx(at("slides.pptx"))
    with open(at("report.docx"), "rb") as f:
        mail = eml(f.read())
    with open(at("letter.eml"), "w", newline="") as f:
        f.write(mail)
    mbox(at("box.mbox"))
    with zipfile.ZipFile(at("all.zip"), "w") as z:
        for name in ("report.docx", "figures.xlsx", "slides.pptx"):
            z.write(at(name), "papers/" + name)


if __name__ == "__main__":
    main(sys.argv[1])
