#!/usr/bin/env python3
"""Writes data/tables/entities.tsv: the named character references of the HTML standard.

    python3 test/gen/entities.py > data/tables/entities.tsv

The names are those of https://html.spec.whatwg.org/multipage/named-characters.html, as Python's
html.entities.html5 has them.  Every name exists with a semicolon; BARE marks those that also count
without one.
"""
from html.entities import html5

HEAD = """# entities.tsv: the named character references of HTML; made by test/gen/entities.py; do not edit.
# source: https://html.spec.whatwg.org/multipage/named-characters.html, as Python's html.entities.html5 has it.
# Ascending by name in byte order.  BARE: 1 where it counts without its semicolon too; TEXT: its bytes in UTF-8, TEXT_LEN of them.
# lists	name	NAME_LEN	BARE	TEXT	TEXT_LEN"""


def main():
    names = sorted(n[:-1] for n in html5 if n.endswith(";"))
    for n in html5:
        assert n.endswith(";") or html5[n] == html5[n + ";"], n
    print(HEAD)
    for n in names:
        text = html5[n + ";"].encode()
        print("name", n, len(n), int(n in html5), '"%s"' % "".join("\\x%02x" % b for b in text), len(text), sep="\t")


main()
