"""Extracts training text from recorded filings: lines, with what is known about each.

A plain reading of HTML and text filings for training only, so that the model can be made before the
programs that it is for.
"""
import html.parser
import os
import re

BLOCK = {"p", "div", "tr", "li", "table", "h1", "h2", "h3", "h4", "h5", "h6", "br", "hr", "body", "title", "page"}
SKIP = {"script", "style", "ix:header", "head"}
SPACE = re.compile(r"[ \t\xa0\u2002-\u200b]+")


class Reader(html.parser.HTMLParser):
    """Lines of an HTML document; (text, bold, in a table, names of inline XBRL's facts)."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.lines, self.line, self.skip, self.bold, self.table = [], [], 0, 0, 0
        self.stack, self.plain, self.facts = [], 0, []

    def flush(self):
        text = SPACE.sub(" ", "".join(self.line)).replace(" |", " ").strip()
        if text:
            self.lines.append((text, self.plain == 0, self.table > 0, self.facts))
        self.line, self.plain, self.facts = [], 0, []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        style = attrs.get("style") or ""
        if tag == "ix:nonfraction" and not self.skip and ":" in (attrs.get("name") or ""):
            self.facts.append(attrs["name"].split(":")[1])
        bold = tag in ("b", "strong", "h1", "h2", "h3") or "font-weight:700" in style or "font-weight:bold" in style
        if tag in SKIP or "display:none" in style.replace(" ", ""):
            tag = "skip:" + tag
        if tag == "table":
            self.table += 1
        if tag in BLOCK:
            self.flush()
        if tag in ("td", "th"):
            self.line.append(" ")
        if tag not in ("br", "hr", "img", "meta", "input", "link"):
            self.stack.append((tag, bold))
            self.bold += bold
            self.skip += tag.startswith("skip:")

    def handle_endtag(self, tag):
        names = [t for t, _ in self.stack]
        for want in (tag, "skip:" + tag):
            if want in names:
                break
        else:
            return
        while self.stack:
            name, bold = self.stack.pop()
            self.bold -= bold
            self.skip -= name.startswith("skip:")
            if name in BLOCK:
                self.flush()
            if name == "table":
                self.table -= 1
            if name == want:
                break

    def handle_data(self, data):
        if self.skip:
            return
        self.line.append(data.replace("\n", " "))
        if not self.bold and data.strip():
            self.plain += 1


def html_lines(text):
    r = Reader()
    r.feed(text)
    r.flush()
    return r.lines


def plain_lines(text):
    """Paragraphs of a text filing: lines joined until an empty one."""
    out, part = [], []
    for line in text.split("\n") + [""]:
        line = SPACE.sub(" ", re.sub(r"<[^>]{1,80}>", " ", line)).strip(" -=_.")
        if line and not re.search(r"\d[\d,.]*\)?\s+\$?\(?\d", line):
            part.append(line)
            continue
        if part:
            joined = " ".join(part)
            out.append((joined, joined.isupper() and len(joined) < 120, False, []))
            part = []
        if line:
            out.append((line, False, True, []))
    return out


def documents(data):
    """Parts of a full submission that are text, else the whole."""
    if "<DOCUMENT>" not in data[:200000]:
        return [data]
    out = []
    for part in re.findall(r"<DOCUMENT>(.*?)</DOCUMENT>", data, re.S):
        kind = re.search(r"<TYPE>(\S+)", part)
        if kind and not re.match(r"(GRAPHIC|ZIP|EXCEL|XML|JSON|EX-101|PDF|INFORMATION)", kind.group(1)):
            text = re.search(r"<TEXT>(.*?)</TEXT>", part, re.S)
            out.append(text.group(1) if text else part)
    return out


def filing_files(upstream):
    """Paths of filings: HTML and text files; an HTML document that is also in a full submission beside it is
    listed once."""
    out = []
    for folder, _, names in os.walk(upstream):
        full = [n for n in names if re.fullmatch(r"\d{10}-\d\d-\d{6}\.txt", n)]
        for n in sorted(names):
            if n in full or (n.endswith((".htm", ".html")) and not full and "-index" not in n) or n.endswith(".nc"):
                out.append(os.path.join(folder, n))
    return sorted(out)
