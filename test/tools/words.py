#!/usr/bin/env python3
"""Compares the words of BID's HTML reader with those of an independent one, file by file.

    words.py [--reader w3m|lynx] [--show N] [--least PERCENT] --command 'html_test --text' FILE...

Hidden parts (ix:header, display:none, <title>, scripts, images without a text of their own) are cut from
what the independent reader is given, since a browser does not show them.  Words are runs of letters and
digits.  A word counts as found where it stands in the same order (diff); where a whole difference is only one
of spacing (10^2 and 102), its words count as found too.  The rest is listed by kind:

  beside     the word stands within 150 words of its place: cells side by side and stacked headers, which the
             reader draws line by line and BID writes cell by cell, column by column
  elsewhere  the word is there, but farther away
  missing    the word is not there

Status 1 where less than --least per cent of all words are in order, or less than that of a file's words are in
order or beside.
"""
import argparse
import collections
import html.parser
import os
import re
import shlex
import subprocess
import sys
import tempfile

BESIDE = 150
WORD = re.compile(r"[^\W_]+")
VOID = set("area base br col embed hr img input link meta param source track wbr page".split())


class Shown(html.parser.HTMLParser):
    """Copies HTML without what is hidden."""

    def __init__(self):
        super().__init__(convert_charrefs=False)
        self.out, self.hidden = [], []

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
    text = re.sub(r"(?is)<ix:header\b.*?</ix:header\s*>", "", text)
    text = re.sub(r"(?is)<(title|script|style)\b.*?</\1\s*>", "", text)
    text = re.sub(r"(?is)<!--.*?-->", "", text)
    text = re.sub(r"(?is)<\?.*?>", "", text)
    parser = Shown()
    parser.feed(text)
    parser.close()
    text = "".join(parser.out)
    # Letters that draw check boxes are no words.
    text = re.sub(r"(?i)(wingdings[^>]*>(?:\s*<[^/][^>]*>)*)\s*(?:&#\d+;|[^<&\s])\s*(?=<)", r"\1", text)
    # The reader knows windows-1252 by number less well than browsers do.
    return re.sub(r"&#(1[2-5]\d);", lambda m: bytes([int(m[1])]).decode("cp1252", "replace"), text)


def reader_text(reader, text):
    command = {
        "w3m": ["w3m", "-dump", "-T", "text/html", "-I", "UTF-8", "-O", "UTF-8", "-cols", "3000"],
        "lynx": ["lynx", "-dump", "-stdin", "-force_html", "-nolist", "-width=990",
                 "-assume_charset=utf-8", "-display_charset=utf-8"],
    }[reader]
    return subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, check=True).stdout.decode("utf-8", "replace")


def words(text):
    # soft hyphens and zero-width characters are not part of a word
    return WORD.findall(re.sub("[\u00ad\u200b-\u200f\u2060\ufeff]", "", text))


HUNK = re.compile(r"(\d+)(?:,\d+)?[acd](\d+)")


def differences(theirs, ours):
    """Hunks (words of theirs, words of ours, place in ours) of a line diff."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for name, items in (("a", theirs), ("b", ours)):
            names.append(os.path.join(folder, name))
            with open(names[-1], "w") as f:
                f.write("".join(w + "\n" for w in items))
        lines = subprocess.run(["diff", *names], stdout=subprocess.PIPE, check=False).stdout.decode().splitlines()
    hunks = []
    for line in lines:
        if line.startswith("<"):
            hunks[-1][0].append(line[2:])
        elif line.startswith(">"):
            hunks[-1][1].append(line[2:])
        elif line != "---":
            hunks.append(([], [], int(HUNK.match(line)[2])))
    return hunks


def compare(theirs, ours):
    hunks = differences(theirs, ours)
    extra = collections.defaultdict(list)
    for _, right, at in hunks:
        for i, w in enumerate(right):
            extra[w].append(at + i)
    kinds, listed = collections.Counter(), []
    for left, right, at in hunks:
        joined, other = "".join(left), "".join(right)
        if left and (joined == other or (len(left) <= 3 and joined in other)):
            kinds["spacing"] += len(left)
            continue
        worst = {}
        for w in left:
            places = extra[w]
            near = min(places, key=lambda p: abs(p - at), default=None)
            kind = "missing" if near is None else "beside" if abs(near - at) <= BESIDE else "elsewhere"
            if near is not None:
                places.remove(near)
            kinds[kind] += 1
            worst.setdefault(kind, []).append(w)
        if left:
            listed.append((left, right, worst))
    order = ["missing", "elsewhere", "beside"]
    return kinds, sorted(listed, key=lambda hunk: min(order.index(k) for k in hunk[2]))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--reader", default="w3m", choices=["w3m", "lynx"])
    p.add_argument("--command", required=True)
    p.add_argument("--show", type=int, default=0, help="differences to list for each file")
    p.add_argument("--least", type=float, default=0, help="per cent")
    p.add_argument("files", nargs="+")
    o = p.parse_args()
    total, status = collections.Counter(), 0
    for name in o.files:
        with open(name, "rb") as f:
            data = f.read()
        theirs = words(reader_text(o.reader, without_hidden(decode(data))))
        ours = words(subprocess.run(shlex.split(o.command) + [name], stdout=subprocess.PIPE, check=True)
                     .stdout.decode("utf-8"))
        kinds, listed = compare(theirs, ours)
        kinds["words"] = len(theirs)
        kinds["lost"] = kinds["missing"] + kinds["elsewhere"]
        kinds["found"] = len(theirs) - kinds["lost"] - kinds["beside"]
        total.update(kinds)
        low = 100 * kinds["lost"] > (100 - o.least) * len(theirs)
        status |= low
        print("%s%7.3f %% of %6d words; spacing %d, beside %d, elsewhere %d, missing %d: %s" % (
            "LOW " if low else "", 100.0 * kinds["found"] / max(len(theirs), 1), len(theirs), kinds["spacing"],
            kinds["beside"], kinds["elsewhere"], kinds["missing"], name))
        for left, right, worst in listed[:o.show]:
            print("    - %s\n    + %s" % (" ".join(left)[:300], " ".join(right)[:300]))
            for kind in ("missing", "elsewhere"):
                if kind in worst:
                    print("    %s: %s" % (kind, " ".join(worst[kind])[:300]))
        sys.stdout.flush()
    share = 100.0 * total["found"] / max(total["words"], 1)
    print("all: %.3f %% of %d words in order, %d beside, %d elsewhere, %d missing" % (
        share, total["words"], total["beside"], total["elsewhere"], total["missing"]))
    return int(status or share < o.least or not total["words"])


sys.exit(main())
