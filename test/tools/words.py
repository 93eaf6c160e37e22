#!/usr/bin/env python3
"""Compares the words of bid-strip's documents with those of an independent reader, file by file.

    words.py [--reader best|w3m|lynx] [--show N] [--least PERCENT] [--strip bid-strip] FILE...

Words are runs of letters and digits.  What the reader is given is without what a browser does not show (ix:header,
display:none, <title>, scripts, images without a text of their own) and without the SGML lines around a document
(<TYPE>, <FILENAME> ...: metadata in the record).  bid-strip runs as it is, and once more with --keep-furniture:

  furniture  what bid-strip takes out on purpose, told by comparing its two runs: running headers and footers and page
             numbers.  The comparison must show removals alone; what is removed must be page numbers, and words that are
             removed three times or more or are a phrase that the document has three times.  All else is odd.
  in order   the reader's word stands in the same order in the document (diff); where a whole difference is only one of
             spacing (10^2 and 102), its words count too
  header     the word is in the same table, in the header that bid-strip writes: it joins a column's headers, which a
             reader draws row by row
  cell       the word is in the same table, at another place: a reader draws cells of several lines side by side line
             by line, where bid-strip writes cell by cell.  A table's words are those between the last word in order
             before it and the first one behind it, and each of them accounts for one word of the reader, so that none
             that is lost can hide.
  elsewhere  the word is there, but not in its place
  missing    the word is not there

The table of a word is known from marks that are put around every outermost table of what the reader gets.  With
`best`, the reader of the two with more words in order counts, since they lay out tables differently.

Status 1 where less than --least per cent of a file's words are in order or in their table, or a removal is odd.
"""
import argparse
import collections
import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile

WORD = re.compile(r"[^\W_]+")
MARK = re.compile(r"qz(table|end)(\d+)zq")
VOID = set("area base br col embed hr img input link meta param source track wbr page".split())
BATCH = 40
KINDS = ["spacing", "header", "cell", "elsewhere", "missing"]


class Shown(html.parser.HTMLParser):
    """Copies HTML without what is hidden, with marks around its tables."""

    def __init__(self):
        super().__init__(convert_charrefs=False)
        self.out, self.hidden, self.tables, self.depth = [], [], 0, 0

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        style = re.sub(r"\s", "", attrs.get("style") or "").lower()
        alt = attrs.get("alt") or ""
        if tag == "img" and (not alt or re.fullmatch(r"\S+\.\w{2,4}", alt)):
            return
        if self.hidden:
            if tag == self.hidden[-1][0]:
                self.hidden[-1][1] += 1
            return
        if tag not in VOID and ("display:none" in style or "visibility:hidden" in style):
            self.hidden.append([tag, 1])
            return
        if tag == "table":
            if not self.depth:
                self.tables += 1
                self.out.append("<p>qztable%dzq</p>" % self.tables)
            self.depth += 1
        self.out.append(self.get_starttag_text())

    def handle_startendtag(self, tag, attrs):
        if self.hidden or "display:none" in (dict(attrs).get("style") or "").replace(" ", ""):
            return
        if tag == "img":
            self.handle_starttag(tag, attrs)
        else:
            self.out.append(self.get_starttag_text())

    def handle_endtag(self, tag):
        if self.hidden:
            if tag == self.hidden[-1][0]:
                self.hidden[-1][1] -= 1
                if not self.hidden[-1][1]:
                    self.hidden.pop()
            return
        self.out.append("</%s>" % tag)
        if tag == "table" and self.depth:
            self.depth -= 1
            if not self.depth:
                self.out.append("<p>qzend%dzq</p>" % self.tables)

    def put(self, text):
        if not self.hidden:
            self.out.append(text)

    def handle_data(self, data):
        self.put(data)

    def handle_entityref(self, name):
        self.put("&%s;" % name)

    def handle_charref(self, name):
        self.put("&#%s;" % name)


def decode(data):
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def without_hidden(text):
    if re.match(r"\s*<DOCUMENT>", text):
        text = re.sub(r"(?s)\A.*?<TEXT>", "", text)
    text = re.sub(r"(?is)<ix:header\b.*?</ix:header\s*>", "", text)
    text = re.sub(r"(?is)<(title|script|style)\b.*?</\1\s*>", "", text)
    text = re.sub(r"(?is)<!--.*?-->", "", text)
    text = re.sub(r"(?is)<\?.*?>", "", text)
    parser = Shown()
    parser.feed(text)
    parser.close()
    text = "".join(parser.out)
    # Letters that draw check boxes are not words.
    text = re.sub(r"(?i)(wingdings[^>]*>(?:\s*<[^/][^>]*>)*)\s*(?:&#\d+;|[^<&\s])\s*(?=<)", r"\1", text)
    # The reader handles numeric references to windows-1252 less well than browsers.
    return re.sub(r"&#(1[2-5]\d);", lambda m: bytes([int(m[1])]).decode("cp1252", "replace"), text)


def reader_text(reader, text):
    command = {
        "w3m": ["w3m", "-dump", "-T", "text/html", "-I", "UTF-8", "-O", "UTF-8", "-cols", "3000"],
        "lynx": ["lynx", "-dump", "-stdin", "-force_html", "-nolist", "-width=990",
                 "-assume_charset=utf-8", "-display_charset=utf-8"],
    }[reader]
    out = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, check=True).stdout
    return out.decode("utf-8", "replace")


def header_words(text):
    """For each of words(text), whether it stands in the header of a Markdown table."""
    flags, lines = [], text.split("\n")
    for i, line in enumerate(lines):
        header = line.startswith("|") and i + 1 < len(lines) and lines[i + 1].startswith("| ---")
        flags += [header] * len(words(line))
    return flags


def words(text):
    # soft hyphens and zero-width characters are not part of a word
    return WORD.findall(re.sub("[\u00ad\u200b-\u200f\u2060\ufeff]", "", text))


def split_marks(marked):
    """Words without the marks, and the tables as (from, to) of them; a table without an end is ignored."""
    plain, starts, tables = [], {}, []
    for word in marked:
        mark = MARK.fullmatch(word)
        if not mark:
            plain.append(word)
        elif mark[1] == "table":
            starts[mark[2]] = len(plain)
        elif mark[2] in starts:
            tables.append((starts[mark[2]], len(plain)))
    return plain, tables


HUNK = re.compile(r"(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?")


def differences(left, right):
    """Hunks (from, to of left; from, to of right) of a line diff."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for name, items in (("a", left), ("b", right)):
            names.append(os.path.join(folder, name))
            with open(names[-1], "w") as f:
                f.write("".join(w + "\n" for w in items))
        lines = subprocess.run(["diff", *names], stdout=subprocess.PIPE, check=False).stdout.decode().splitlines()
    hunks = []
    for line in lines:
        m = HUNK.fullmatch(line)
        if not m:
            continue
        a, b, c, d = int(m[1]), int(m[2] or m[1]), int(m[4]), int(m[5] or m[4])
        hunks.append((a if m[3] == "a" else a - 1, b, c if m[3] == "d" else c - 1, d))
    return hunks


def is_spacing(left, right):
    joined, other = "".join(left), "".join(right)
    return joined == other or (len(left) <= 3 and joined in other)


def compare(theirs, tables, ours, in_header):
    """Counts by kind and the differences, worst first."""
    hunks = differences(theirs, ours)
    kinds, listed = collections.Counter(), []
    free = set()  # places of ours that answer no word of theirs
    lost = []     # (place in theirs, hunk)
    for n, (a, b, c, d) in enumerate(hunks):
        if a < b and is_spacing(theirs[a:b], ours[c:d]):
            kinds["spacing"] += b - a
        else:
            lost += [(i, n) for i in range(a, b)]
            free.update(range(c, d))
    for i, n in lost:
        table = next(((a, b) for a, b in tables if a <= i < b), None)
        # Our positions between the matched words before and after the table.
        near = [k for a, b, c, d in hunks if table and b >= table[0] and a <= table[1] for k in range(c, d)
                if k in free and ours[k] == theirs[i]]
        place = max(near, key=lambda k: in_header[k], default=None)
        if place is not None:
            kinds["header" if in_header[place] else "cell"] += 1
        else:
            place = next((k for k in free if ours[k] == theirs[i]), None)
            kind = "missing" if place is None else "elsewhere"
            kinds[kind] += 1
            listed.append((kind, theirs[i], n))
        free.discard(place)
    kinds["table"] = kinds["header"] + kinds["cell"]
    shown = {}
    for kind, word, n in listed:
        shown.setdefault(n, []).append((kind, word))
    worst_first = sorted(shown.items(), key=lambda x: all(kind == "elsewhere" for kind, _ in x[1]))
    return kinds, [(hunks[n], w) for n, w in worst_first]


NUMBER = re.compile(r"\d+|[ivx]+|[a-z]{1,2}|page|of")


def furniture(kept, left):
    """Words that were removed, and those of them that are not page furniture."""
    runs, odd = [], []
    for a, b, c, d in differences(kept, left):
        if a < b:
            runs.append([w.lower() for w in kept[a:b]])
        if c < d and not is_spacing(kept[a:b], left[c:d]):
            odd.append("put in: " + " ".join(left[c:d]))
    counts = collections.Counter(w for run in runs for w in run)
    whole = " %s " % " ".join(w.lower() for w in kept)
    for run in runs:
        rare = [i for i, w in enumerate(run) if counts[w] < 3 and not NUMBER.fullmatch(w)]
        phrase = " ".join(run[rare[0]:rare[-1] + 1]) if rare else ""
        if phrase and whole.count(" %s " % phrase) < 3:
            odd.append("taken out: " + " ".join(run))
    return sum(len(run) for run in runs), odd


def strip(program, names, *options):
    """Words of each file's documents, and which of them are in a table's header."""
    found = {os.path.realpath(n): ([], []) for n in names}
    for i in range(0, len(names), BATCH):
        out = subprocess.run([program, "--raw", *options, *names[i:i + BATCH]], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, check=False).stdout
        for line in out.splitlines():
            record = json.loads(line)
            if "text" in record:
                mine, headers = found[record["sourceUrl"].split("#")[0][len("file://"):]]
                mine += words(record["text"])
                headers += header_words(record["text"])
    return found


def best_of(readers, marked, ours, in_header):
    results = []
    for reader in readers:
        theirs, tables = split_marks(words(reader_text(reader, marked)))
        kinds, listed = compare(theirs, tables, ours, in_header)
        kinds["words"] = len(theirs)
        kinds["strict"] = len(theirs) - kinds["table"] - kinds["elsewhere"] - kinds["missing"]
        results.append((kinds["strict"] / max(len(theirs), 1), reader, kinds, listed, theirs))
    return max(results, key=lambda r: r[0])


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--reader", default="best", choices=["best", "w3m", "lynx"])
    p.add_argument("--strip", default="bid-strip")
    p.add_argument("--show", type=int, default=0, help="differences to list for each file")
    p.add_argument("--least", type=float, default=0, help="per cent")
    p.add_argument("files", nargs="+")
    o = p.parse_args()
    readers = ["w3m", "lynx"] if o.reader == "best" else [o.reader]
    kept, left = strip(o.strip, o.files, "--keep-furniture"), strip(o.strip, o.files)
    total, status, below = collections.Counter(), 0, 0
    for name in o.files:
        key = os.path.realpath(name)
        with open(name, "rb") as f:
            marked = without_hidden(decode(f.read()))
        share, reader, kinds, listed, theirs = best_of(readers, marked, *kept[key])
        kinds["furniture"], odd = furniture(kept[key][0], left[key][0])
        total.update(kinds)
        total["odd"] += len(odd)
        low = 100 * (kinds["elsewhere"] + kinds["missing"]) > (100 - o.least) * kinds["words"]
        below += share < 0.995 and kinds["words"] > 0
        status |= low or bool(odd)
        print("%s%7.3f %% of %6d words in order (%s); %s; furniture %d: %s" % (
            "LOW " if low else "", 100 * share if theirs else 100, kinds["words"], reader,
            ", ".join("%s %d" % (kind, kinds[kind]) for kind in KINDS), kinds["furniture"], name))
        for what in odd[:o.show]:
            print("    odd: %s" % what[:300])
        for (a, b, c, d), lost in listed[:o.show]:
            print("    - %s\n    + %s\n    %s" % (" ".join(theirs[a:b])[:300], " ".join(kept[key][0][c:d])[:300],
                                                   ", ".join("%s %s" % x for x in lost)[:300]))
        sys.stdout.flush()
    n = max(total["words"], 1)
    print("files with less than 99.5 %% strictly in order: %d of %d" % (below, len(o.files)))
    print("all: %.3f %% of %d words in order, %.3f %% in order or in their table; %s; furniture %d, odd %d" % (
        100 * total["strict"] / n, total["words"], 100 * (total["strict"] + total["table"]) / n,
        ", ".join("%s %d" % (kind, total[kind]) for kind in KINDS), total["furniture"], total["odd"]))
    return int(status or not total["words"])


sys.exit(main())
