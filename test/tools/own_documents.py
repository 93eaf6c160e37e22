#!/usr/bin/env python3
"""Writes people's own documents into a folder: own_documents.py DIR

Each is named for what test/355-strip-own.bats expects of it: of a company, or of none although it mentions some.
"""
import os
import sys

from office_files import CORE, P, R, W, cell, package, rels, sheet, slide, word


def docx(path, paragraphs, title="", company=""):
    body = "".join(word(text, style) for text, style in paragraphs)
    styles = '<w:styles %s><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>' % W
    package(path, {"word/document.xml": "<w:document %s><w:body>%s</w:body></w:document>" % (W, body),
                   "word/styles.xml": styles, "docProps/core.xml": CORE % title,
                   "docProps/app.xml": "<Properties><Company>%s</Company></Properties>" % company})


def pptx(path, slides):
    numbers = range(1, len(slides) + 1)
    parts = {"ppt/presentation.xml": '<p:presentation %s %s><p:sldIdLst>%s</p:sldIdLst></p:presentation>'
             % (P, R, "".join('<p:sldId r:id="rId%d"/>' % n for n in numbers)),
             "ppt/_rels/presentation.xml.rels": rels(*[("slide", "slides/slide%d.xml" % n) for n in numbers]),
             "docProps/core.xml": CORE % ""}
    for n, (title, body) in zip(numbers, slides):
        parts["ppt/slides/slide%d.xml" % n] = slide(title, body)
    package(path, parts)


def xlsx(path, sheet_name, rows):
    cells = [(r + 1, [cell("ABC"[c] + str(r + 1), value, "inlineStr") for c, value in enumerate(row)]) for r, row in enumerate(rows)]
    package(path, {"xl/workbook.xml": '<workbook %s><sheets><sheet name="%s" r:id="rId1"/></sheets></workbook>' % (R, sheet_name),
                   "xl/_rels/workbook.xml.rels": rels(("worksheet", "worksheets/sheet1.xml")),
                   "xl/worksheets/sheet1.xml": sheet(cells)})


TEXTS = {
    # about a company
    "note.txt": "Broker note, Two Harbors Investment Corp., 12 December 2025. We keep our rating at hold.\n\nBook value fell.\n",
    "robots.txt": "Acme Robotics plc\n\nAnnual report for the year ended 31 March 2025\n\nAcme sold 300 robots.\n",
    "Apple Q4 view.txt": "Our view after the quarter\n\nWe think Apple sells more phones. Margins at Apple rise.\n",
    "Tesla_Q3_2025_update.txt": "Update\n\nDeliveries rose.\n",
    "interim.md": "# Interim report of Norsk Fjordkraft ASA\n\nSix months to June 30, 2025\n\nProduction rose.\n",
    "release.txt": "Exhibit 99.1\n\nFor Immediate Release: November 22, 2024\n\nThe Buckle, Inc.\n\n(308) 236-8491\n\nTHE BUCKLE, INC. REPORTS THIRD QUARTER NET INCOME\n\n"
                   "KEARNEY, NE -- The Buckle, Inc. (NYSE: BKE) announced that net income for the quarter ended November 2, 2024 was $44.2 million.\n",
    # of none: mentions only
    "letter.md": "# Our top picks\n\nHarbor Securities LLC, 3 March 2025\n\nNvidia, AMD and Marvell are our picks. Nvidia grows, AMD grows, Marvell grows.\n",
    "visa.txt": "Visa requirements\n\nA visa is needed for staff that travel to India. Apply for the visa six weeks before.\n",
    "Visa Requirements.txt": "Bring two photos.\n",
    "cv.txt": "Curriculum vitae\n\nJohn Smith, engineer at NVIDIA Corporation\n\n2019-2024 NVIDIA, 2015-2019 Intel\n",
    "minutes.txt": "Minutes of the board\n\nMalmo, 5 March 2024\n\nThe supplier NVIDIA Corporation was praised.\n",
    "targets.txt": "Target operating model\n\nOur target is to close the books in three days. The Target model has 4 layers.\n",
    "Deutsche Bank note on BASF.txt": "Update\n\nVolumes fell in Europe.\n",
    "LinkedIn profile.txt": "Profile\n\nTen years of experience.\n",
    "NOW or never.txt": "Plan\n\nWe sell the boat.\n",
    "Walmart vs Costco.txt": "Comparison\n\nWalmart has more stores, Costco has members.\n",
    "margin.txt": "Our view: Tesla margin to recover to 19% in 2026.\n",
    "mail.eml": "From: Ann <ann@nvidia.com>\nTo: Intel Corporation <bob@intel.com>\nSubject: Lunch\nDate: Tue, 3 Mar 2026 10:00:00 +0100\n\nLunch at noon?\n",
}


def main(folder):
    os.makedirs(folder, exist_ok=True)
    at = lambda name: os.path.join(folder, name)
    pptx(at("Marvell investor day 2025-06-17.pptx"),
         [("Where we stand", "Custom silicon grows."), ("Outlook", "We expect a larger market.")])
    docx(at("on marvell.docx"), [("Goldman Sachs research on Marvell", "H1"),
                                 ("Marvell has custom chips. We think Marvell grows. Marvell is cheap; Nvidia is not.", None)],
         company="Goldman Sachs")
    docx(at("apple pie recipes.docx"), [("Apple pie recipes", "H1"), ("Take four apples. An apple should be sour.", None)],
         "Apple Pie Recipes")
    docx(at("weekly.docx"), [("Semiconductors weekly", "H1"),
                             ("Nvidia leads, AMD follows. Nvidia has orders; AMD has none. Marvell has custom chips.", None)],
         company="Goldman Sachs")
    xlsx(at("pe-book-2025-09.xlsx"), "Private equity", [["Fund", "Value"], ["Alpha", "12"]])
    for name, text in TEXTS.items():
        with open(at(name), "w", encoding="utf-8") as f:
            f.write(text)


if __name__ == "__main__":
    main(sys.argv[1])
