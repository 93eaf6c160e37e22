#!/usr/bin/env python3
"""Write a one-page PDF: `pdf.py empty` without text, `pdf.py encrypted` with a password that nobody knows,
`pdf.py text WORDS` with words on it; or several pages, `pdf.py pages <TEXT`: lines set in Courier as they stand, a form
feed between pages."""
import hashlib
import re
import sys


def build(objects, trailer):
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    xref = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, xref)


def page(content):
    return [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
            b"/Resources << /Font << /F 5 0 R >> >> >>",
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]


def pages(text):
    sheets = text.rstrip("\f\n").split("\f")
    kids = " ".join("%d 0 R" % (4 + 2 * i) for i in range(len(sheets)))
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>",
               b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids.encode(), len(sheets)),
               b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"]
    for i, sheet in enumerate(sheets):
        lines = [re.sub(r"([()\\])", r"\\\1", line) for line in sheet.strip("\n").split("\n")]
        content = "BT /F 9 Tf 12 TL 40 740 Td " + " ".join("(%s) Tj T*" % line for line in lines) + " ET"
        content = content.encode("cp1252")
        objects.append(b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
                       b"/Resources << /Font << /F 3 0 R >> >> >>" % (5 + 2 * i))
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    return objects


def main():
    kind = sys.argv[1]
    if kind == "text":
        content = b"BT /F 12 Tf 72 700 Td (%s) Tj ET" % " ".join(sys.argv[2:]).encode()
        sys.stdout.buffer.write(build(page(content), b""))
    elif kind == "pages":
        sys.stdout.buffer.write(build(pages(sys.stdin.read()), b""))
    elif kind == "empty":
        sys.stdout.buffer.write(build(page(b""), b""))
    else:
        secret = hashlib.md5(b"x").hexdigest().encode() * 2
        entry = b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >>" % (secret, secret)
        objects = page(b"BT ET") + [entry]
        sys.stdout.buffer.write(build(objects, b"/Encrypt 6 0 R /ID [<%s> <%s>]" % (secret[:32], secret[:32])))


if __name__ == "__main__":
    main()
