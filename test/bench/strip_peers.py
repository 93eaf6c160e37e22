#!/usr/bin/env python3
"""strip_peers.py PARSER FILE...: HTML to text with a Python library, for test/bench/strip.sh.

Parsers: html.parser (standard library), lxml, bs4 (BeautifulSoup over html.parser), html2text.  With no FILE:
status 0 where the parser is installed.
"""
import sys


def standard(data):
    import html.parser

    class Text(html.parser.HTMLParser):
        def __init__(self):
            super().__init__()
            self.out = []

        def handle_data(self, text):
            self.out.append(text)

    parser = Text()
    parser.feed(data)
    return "".join(parser.out)


def lxml(data):
    import lxml.html
    return lxml.html.fromstring(data.encode()).text_content()


def bs4(data):
    import bs4 as soup
    return soup.BeautifulSoup(data, "html.parser").get_text(" ")


def html2text(data):
    import html2text as tool
    return tool.html2text(data)


PARSERS = {"html.parser": standard, "lxml": lxml, "bs4": bs4, "html2text": html2text}

sys.setrecursionlimit(100000)
read = PARSERS[sys.argv[1]]
if len(sys.argv) == 2:
    read("<p>x</p>")
for name in sys.argv[2:]:
    with open(name, encoding="utf-8", errors="replace") as f:
        sys.stdout.write(read(f.read()))
