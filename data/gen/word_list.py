#!/usr/bin/env python3
"""data/words.tsv: which words are ordinary words, names of people and places, or abbreviations.

usage: word_list.py SCOWL_FOLDER UPSTREAM_FOLDER >data/words.tsv

SCOWL_FOLDER is /usr/share/dict/scowl of Debian's package scowl (public domain and free lists, Kevin Atkinson); its sizes
10 to 50 say how common a word is, 10 the most.  UPSTREAM_FOLDER holds recorded filings: a word of capitals that at
least three filers print within a line of small letters is an abbreviation and no filer's ticker.
"""
import collections
import glob
import html
import os
import re
import sys

SIZES = (10, 20, 35, 40, 50)
FILERS = 3
HEAD = """# words.tsv: words that are not only names; made by data/gen/word_list.py.
# source: SCOWL (Debian package scowl), sizes 10 to 50; abbreviations: filings on record at the SEC
# word	size as an ordinary word, 0 none	size as a name of a person or place, 0 none	filers that print it in capitals
"""


def scowl(folder, kinds):
    sizes = {}
    for size in SIZES:
        for language in ("english", "american"):
            for kind in kinds:
                path = f"{folder}/{language}-{kind}.{size}"
                if not os.path.exists(path):
                    continue
                for line in open(path, encoding="latin-1"):
                    word = line.strip().lower()
                    if word.isascii() and word.isalpha():
                        sizes.setdefault(word, size)
    return sizes


def abbreviations(upstream):
    filers = collections.defaultdict(set)
    for path in glob.glob(upstream + "/www.sec.gov/Archives/edgar/data/*/**/*.*", recursive=True):
        if not path.endswith((".htm", ".txt", ".html")):
            continue
        text = html.unescape(re.sub(r"<[^>]*>", "\n", open(path, encoding="latin-1").read()))
        filer = path.split("/edgar/data/")[1].split("/")[0]
        for line in text.split("\n"):
            if len(re.findall(r"\b[a-z]{2,}\b", line)) >= 5:
                for word in re.findall(r"(?<![\w&.])[A-Z]{1,5}(?![\w&.])", line):
                    filers[word.lower()].add(filer)
    return {word: len(by) for word, by in filers.items() if len(by) >= FILERS}


def main(folder, upstream):
    words, names, capitals = scowl(folder, ("words",)), scowl(folder, ("upper", "proper-names")), abbreviations(upstream)
    sys.stdout.write(HEAD)
    for word in sorted(set(words) | set(names) | set(capitals)):
        print(word, words.get(word, 0), names.get(word, 0), capitals.get(word, 0), sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
