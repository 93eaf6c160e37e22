#!/usr/bin/env python3
"""data/words.tsv: which words are ordinary words, names of people and places, or abbreviations.

usage: word_list.py SCOWL_FOLDER FAKER_FOLDER PLACES WORDNET_FOLDER UPSTREAM_FOLDER COMPANIES >data/words.tsv

SCOWL_FOLDER is /usr/share/dict/scowl of Debian's package scowl (public domain and free lists, Kevin Atkinson); its sizes
10 to 50 say how common a word is, 10 the most; those of 55 to 80 are taken where they stand in a company's name.  FAKER_FOLDER is /usr/lib/python3/dist-packages/faker of
python3-fake-factory: given and family names of the U.S. Census Bureau.  PLACES is
/usr/share/locale/en/LC_MESSAGES/geonames.mo of libgeonames-common: cities, regions and countries of geonames.org (CC BY
4.0).  WORDNET_FOLDER is /usr/share/wordnet of wordnet-base.  UPSTREAM_FOLDER holds recorded filings: a word of capitals that
at least three filers print within a line of small letters is an abbreviation, unless it is the ticker of one of the largest.  What at least two texts
print in small letters is a word: a filer is a text, and so is the definition of a sense in WordNet; its terms of two words
count as TERM_TEXTS.  Pairs of words are kept where one of them begins a company's name in COMPANIES (data/companies.tsv),
since only these are asked for.  The last column is word_leanings.py's.
"""
import ast
import collections
import gettext
import glob
import html
import os
import re
import sys

SIZES = (10, 20, 35, 40, 50)
RARER = (55, 60, 70, 80) # asked for of names' words alone
FILERS, TEXTS, TERM_TEXTS = 3, 2, 20
REGIONS = """north america,south america,latin america,central america,middle east,middle west,far east,asia pacific,
western europe,eastern europe,northern europe,southern europe,new england,north sea,red sea,south china sea,black sea,
gulf of mexico,gulf coast,east coast,west coast,north africa,south asia,southeast asia,pacific northwest,great lakes,
silicon valley,permian basin,powder river basin,united states,united kingdom,new york state"""
GRAMMAR = set("""a about after all also an and any are as at be been but by can could did do does for from had has have he her his how
i if in into is it its may might more most must no nor not of on only or other our out over she should so some such than that
the their them then there these they this those to under up upon was we were what when where which who will with would you
your""".split())
HEAD = """# words.tsv: words that are not only names; made by data/gen/word_list.py.
# sources: SCOWL (Debian package scowl), sizes 10 to 50, for words of companies' names to 80; given and family names of the U.S. Census Bureau (python3-fake-factory);
# places: geonames.org, CC BY 4.0 (libgeonames-common); capitals, small letters and pairs of words: filings on record at the SEC
# and WordNet 3.0, (C) 2006 Princeton University (wordnet-base)
# word or pair	size as an ordinary word, 0 none	size as a name of a person or place, 0 none	filers that print it in capitals	given name	family name	place	texts that print it in small letters	9 where the talk is of companies, 1 where it is not (data/gen/word_leanings.py), 5 where that tells nothing, 0 not known; zeros at the end are left out
"""


def scowl(folder, kinds, among=SIZES):
    sizes = {}
    for size in among:
        for language in ("english", "american", "british"):
            for kind in kinds:
                path = f"{folder}/{language}-{kind}.{size}"
                if not os.path.exists(path):
                    continue
                for line in open(path, encoding="latin-1"):
                    word = line.strip().lower()
                    if word.isascii() and word.isalpha():
                        sizes.setdefault(word, size)
    return sizes


def people(folder):
    """Given and family names of the United States, from the tables in Faker's source."""
    given, family = set(), set()
    tree = ast.parse(open(f"{folder}/providers/person/en_US/__init__.py", encoding="utf-8").read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            which = {"first_names_female": given, "first_names_male": given, "last_names": family}.get(node.targets[0].id)
            if which is not None:
                which |= {c.value.lower() for c in ast.walk(node.value) if isinstance(c, ast.Constant) and isinstance(c.value, str)}
    return given, family


def places(path, first_words):
    found = {" ".join(r.split()) for r in REGIONS.split(",")}
    with open(path, "rb") as f:
        catalogue = gettext.GNUTranslations(f)._catalog.values()
    for name in catalogue:
        words = re.findall(r"[a-z0-9]+", name.lower()) if name.isascii() else []
        if len(words) == 1 or (len(words) in (2, 3) and first_words & set(words)):
            found.add(" ".join(words))
    return found


def lines(upstream):
    """Lines of filings with their filers."""
    paths = glob.glob(upstream + "/www.sec.gov/Archives/edgar/data/*/**/*.*", recursive=True)
    for path in sorted(paths + glob.glob(upstream + "/filings/*/*.*")):
        if not path.endswith((".htm", ".txt", ".html")):
            continue
        text = html.unescape(re.sub(r"<[^>]*>", "\n", open(path, encoding="latin-1").read()))
        filer = path.split("/edgar/data/" if "/edgar/data/" in path else "/filings/")[1].split("/")[0]
        for line in text.split("\n"):
            yield filer, line


def senses(wordnet):
    """Definitions and examples of WordNet, and its terms of several words."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in open(f"{wordnet}/data.{part}", encoding="latin-1"):
            if not line.startswith(" "):
                head, _, gloss = line.partition("|")
                field = head.split()
                yield field[0] + part, gloss, [field[4 + 2 * i] for i in range(int(field[3], 16))]


def usage(upstream, wordnet, first_words):
    """How many filers print a word in capitals, how many texts a word or pair in small letters, inside sentences."""
    capitals, small = collections.defaultdict(set), collections.defaultdict(set)

    def read(text, line):
        for run in re.findall(r"(?<![\w.’'-])[a-z]{2,}(?:[ -][a-z]{2,})*(?![\w’'])", line):
            words = re.split("[ -]", run)
            for i, word in enumerate(words):
                small[word].add(text)
                if i > 0 and (word in first_words or words[i - 1] in first_words):
                    small[words[i - 1] + " " + word].add(text)

    for filer, line in lines(upstream):
        if len(re.findall(r"\b[a-z]{2,}\b", line)) < 5:
            continue
        for word in re.findall(r"(?<![\w&.])[A-Z]{1,5}(?![\w&.])", line):
            capitals[word.lower()].add(filer)
        read(filer, line)
    for number, gloss, terms in senses(wordnet):
        read(number, gloss)
        for term in terms:
            words = term.split("_")
            if len(words) == 2 and term.islower() and first_words & set(words):
                small[" ".join(words)] |= set(range(TERM_TEXTS))
                small[" ".join(words) + "s"] |= set(range(TERM_TEXTS))
    return ({word: len(by) for word, by in capitals.items() if len(by) >= FILERS},
            {word: len(by) for word, by in small.items() if len(by) >= TEXTS})


def name_words(companies):
    with open(companies, encoding="utf-8") as f:
        return {w for line in f if not line.startswith("#") for w in re.findall("[a-z]+", line.split("\t")[2].lower())}


def name_beginnings(companies):
    with open(companies, encoding="utf-8") as f:
        names = [line.split("\t")[2].lower() for line in f if not line.startswith("#")]
    return {re.findall(r"[a-z0-9]+", re.sub("^the ", "", name))[0] for name in names if re.search("[a-z0-9]", name)}


def best_known_tickers(companies):
    """Of the largest companies, that people call by them: IBM."""
    with open(companies, encoding="utf-8") as f:
        return {t.lower() for line in f if not line.startswith("#") and int(line.split("\t")[4]) < 100
                for t in line.split("\t")[1].split(",")}


def main(scowl_folder, faker, geonames, wordnet, upstream, companies):
    first_words = name_beginnings(companies)
    words, names = scowl(scowl_folder, ("words",)), scowl(scowl_folder, ("upper", "proper-names"))
    of_names = name_words(companies)
    words = {w: n for w, n in scowl(scowl_folder, ("words",), RARER).items() if w in of_names} | words
    capitals, small = usage(upstream, wordnet, first_words)
    for ticker in best_known_tickers(companies) - {"v"}:
        capitals.pop(ticker, None)
    given, family = people(faker)
    where = places(geonames, first_words)
    small = {w: n for w, n in small.items() if " " not in w or not set(w.split()) & GRAMMAR}
    where = {w for w in where if " " in w or w in first_words}
    sys.stdout.write(HEAD)
    for word in sorted(set(words) | set(names) | set(capitals) | set(small) | given | family | where):
        if not re.fullmatch("[a-z0-9 ]+", word):
            continue
        row = [words.get(word, 0), names.get(word, 0), capitals.get(word, 0), int(word in given), int(word in family),
               int(word in where), min(small.get(word, 0), 255)]
        while row and row[-1] == 0:
            row.pop()
        print(word, *row, sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
