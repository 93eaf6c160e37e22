#!/usr/bin/env python3
"""Writes files that are difficult to read (damaged, unusual) into a folder: odd_files.py DIR

odd.xlsx    a formula without a kept value, a hidden sheet, an error        odd.eml     ISO-2022-JP, a message in a message, RFC 2231 names
locked.zip  entries that say they are encrypted                             outer.zip   a zip within a zip
ole.docx    a compound file with an EncryptedPackage, as Office locks them  empty.pdf   no bytes
"name\\nwith newline.txt"
"""
import base64
import email.encoders
import email.mime.base
import email.mime.message
import email.mime.multipart
import email.mime.text
import io
import os
import sys
import zipfile

RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
TYPES = ('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" '
         'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>')


def text_cell(ref, text):
    return '<c r="%s" t="inlineStr"><is><t>%s</t></is></c>' % (ref, text)


def sheet(rows):
    return '<worksheet xmlns="%s"><sheetData>%s</sheetData></worksheet>' % (SHEET, rows)


def xlsx(path):
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("[Content_Types].xml", TYPES)
        z.writestr("xl/workbook.xml", '<workbook xmlns="%s" xmlns:r="%s"><sheets><sheet name="Budget" sheetId="1" r:id="s1"/>'
                   '<sheet name="Secret" sheetId="2" state="hidden" r:id="s2"/></sheets></workbook>' % (SHEET, RELS))
        z.writestr("xl/_rels/workbook.xml.rels", "<Relationships>%s</Relationships>" % "".join(
            '<Relationship Id="s%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>' % (i, RELS, i) for i in (1, 2)))
        z.writestr("xl/worksheets/sheet1.xml", sheet(
            '<row r="1">%s%s</row><row r="2">%s<c r="B2"><v>1234.5</v></c></row><row r="3">%s<c r="B3"><f>B2*2</f></c></row>'
            '<row r="4">%s<c r="B4" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>' % (
                text_cell("A1", "Dues"), text_cell("B1", "Amount"), text_cell("A2", "Pilots"), text_cell("A3", "Twice"), text_cell("A4", "None"))))
        z.writestr("xl/worksheets/sheet2.xml", sheet('<row r="1">%s</row>' % text_cell("A1", "Hidden words here")))


def eml(path):
    outer, inner = email.mime.multipart.MIMEMultipart(), email.mime.multipart.MIMEMultipart()
    outer["From"], outer["Date"] = "a@example.org", "Mon, 02 Mar 2026 10:00:00 +0900"
    outer["Subject"] = "=?ISO-2022-JP?B?%s?= =?UTF-8?Q?caf=C3=A9?=" % base64.b64encode("四半期の売上".encode("iso-2022-jp")).decode()
    outer.attach(email.mime.text.MIMEText("売上は五億円。", "plain", "iso-2022-jp"))
    inner["Subject"] = "Inner message"
    inner.attach(email.mime.text.MIMEText("Words of the nested message."))
    attached = email.mime.base.MIMEBase("text", "plain")
    attached.set_payload(b"Words of the attachment.")
    email.encoders.encode_base64(attached)
    attached.add_header("Content-Disposition", "attachment", filename=("utf-8", "", "mémo.txt"))
    inner.attach(attached)
    outer.attach(email.mime.message.MIMEMessage(inner))
    with open(path, "wb") as f:
        f.write(outer.as_bytes())


def archives(folder):
    deep = io.BytesIO()
    with zipfile.ZipFile(deep, "w") as z:
        z.writestr("deep.txt", "Words deep in a zip within a zip.\n")
    with zipfile.ZipFile(os.path.join(folder, "outer.zip"), "w") as z:
        z.writestr("inner.zip", deep.getvalue())
    with open(os.path.join(folder, "outer.zip"), "rb") as f:
        raw = bytearray(f.read())
    raw[6] |= 1  # the flag "encrypted" of the first entry, in its own header and in the directory's
    raw[raw.find(b"PK\x01\x02", raw.find(b"inner.zip") + len(deep.getvalue())) + 8] |= 1
    with open(os.path.join(folder, "locked.zip"), "wb") as f:
        f.write(raw)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    xlsx(os.path.join(folder, "odd.xlsx"))
    eml(os.path.join(folder, "odd.eml"))
    archives(folder)
    for name, data in (("ole.docx", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600) + "EncryptedPackage".encode("utf-16-le") + bytes(2000)),
                       ("empty.pdf", b""), ("name\nwith newline.txt", b"Words in a file whose name has a newline.\n")):
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)


if __name__ == "__main__":
    main(sys.argv[1])
