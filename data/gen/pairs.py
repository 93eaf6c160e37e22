"""Training pairs out of filings: a made-up question or phrase, and the passage that it belongs to.

Passages are runs of neighbouring lines of 15 to 220 words around an anchor line; the question is made of the
anchor: a table row's label in a question of an analyst's kind, a sentence, part of one, its rarer words, or the
heading above.  Other questions are made of what the anchor is called elsewhere: the us-gaap taxonomy's label, name
or description of an inline XBRL fact in it, or what people say for a phrase in it (synonyms.tsv).  Anchors of
the first kind are drawn in groups of one file, so that a batch holds passages that are easily mistaken for each
other.  Everything is drawn from one seed.
"""
import random
import re

from filing_text import documents, html_lines, plain_lines

YEAR = re.compile(r"\b(?:19|20)\d\d\b")
NUMBER = re.compile(r"\(?\$?\s?\d[\d,.]*%?\)?")
LABEL = re.compile(r"\s*([A-Za-z][A-Za-z0-9 ,\-'’&/()]{2,90}?)[\s:$(—–-]*(?=[\d(])")
SENTENCE = re.compile(r"(?<=[a-z)\d][.;?])\s+(?=[A-Z])")
AMOUNT = [
    "what was the {l} in {y}", "what is the {l} for {y}", "how much was {l} in fiscal {y}", "what is the {l}",
    "{l} {y}", "what was the change in {l} in {y}", "what was the percentage change in {l} between {y} and {z}",
    "{l} for the year ended {y}", "how much did {l} increase in {y}", "what is the total {l}",
    "what is the FY{y} {l} amount", "which years does the table provide {l} for", "how did {l} change",
    "what is the average {l} between {y} and {z}", "in which year was {l} larger", "{l}",
    "what drove the change in {l} in {y}", "did {l} exceed {z} levels in {y}",
]
ASK = ["what is {s}", "what are {s}", "how does the company account for {s}", "why did {s}", "explain {s}", "{s}", "{s}",
       "what does the company say about {s}", "what risks come with {s}", "how is {s} determined", "{s} disclosure"]
STOP = set("the of and to in a for or as on by with that is are was were be our we us its it at from this not any "
           "which may have has such other their these an if no than been will would could there under all".split())


class Line:
    __slots__ = ("text", "table", "heading", "words", "facts")

    def __init__(self, text, table, heading, facts):
        self.text, self.table, self.heading, self.words = text, table, heading, len(text.split())
        self.facts = facts


def lines_of(path):
    """A file's lines, long paragraphs cut into sentences; headings are taken off and kept with what follows."""
    data = open(path, encoding="utf-8", errors="replace").read()
    out = []
    for part in documents(data):
        if "begin 644" in part[:2000] or part.lstrip()[:5] == "<?xml" and "<html" not in part[:3000].lower():
            continue
        heading = ""
        for text, bold, table, facts in (html_lines(part) if re.search(r"<(html|p|div|body)\b", part, re.I)
                                         else plain_lines(part)):
            if not re.search(r"[A-Za-z]{3}", text):
                continue
            if bold and not table and len(text.split()) <= 20:
                heading = text
                continue
            for sentence in ([text] if table else SENTENCE.split(text)):
                words = sentence.split()
                out += [Line(" ".join(words[i:i + 120]), table, heading, facts) for i in range(0, len(words), 120)]
    return out


def row_label(line):
    """The label of a table row that has numbers behind it, lower case; or None."""
    m = LABEL.match(line.text) if line.table and NUMBER.search(line.text) else None
    return m.group(1).strip(" ,(-").lower() if m and len(m.group(1)) > 3 else None


def content(words):
    return [w for w in words if w.lower().strip(".,;()") not in STOP]


def phrase(rng, words):
    """A run of 2 to 10 words, or scattered content words."""
    if rng.random() < .6:
        n = min(len(words), rng.randint(3, 10))
        at = rng.randint(0, len(words) - n)
        return " ".join(words[at:at + n])
    rare = content(words) or words
    return " ".join(rng.sample(rare, min(len(rare), rng.randint(2, 7))))


def years_near(lines, at):
    return [y for l in lines[max(0, at - 12):at + 3] for y in YEAR.findall(l.text)] or ["2019", "2018"]


def question(rng, lines, at):
    """(question, whether the anchor may be left out of the passage)."""
    line = lines[at]
    label = row_label(line)
    if label and rng.random() < .85:
        years = years_near(lines, at)
        return rng.choice(AMOUNT).format(l=label, y=rng.choice(years), z=rng.choice(years)), False
    words = line.text.split()
    kind = rng.random()
    if line.heading and kind < .15:
        return line.heading + (" " + phrase(rng, words) if rng.random() < .5 else ""), True
    if kind < .4:
        return " ".join(words[:40]), True
    return rng.choice(ASK).format(s=phrase(rng, words)), False


def passage(rng, lines, at, drop, sizes):
    """Lines around the anchor, of the same part of the file; mostly with the anchor itself."""
    want = rng.choice(sizes)
    first = last = at
    count = lines[at].words
    while count < want and (first > 0 or last + 1 < len(lines)):
        if last + 1 < len(lines) and (first == 0 or rng.random() < .6):
            last += 1
            count += lines[last].words
        else:
            first -= 1
            count += lines[first].words
    part = list(range(first, last + 1))
    if drop and len(part) > 2 and rng.random() < .5:
        part.remove(at)
    return "\n".join(lines[i].text for i in part)


def make_pairs(files, count, seed, group=16, sizes=(20, 40, 60, 100, 160, 200, 220)):
    """Yields (group, question, passage); groups of neighbours come together."""
    rng = random.Random(seed)
    weights = [min(len(x), 3000) for x in files]
    made = number = 0
    while made < count:
        lines = rng.choices(files, weights)[0]
        span = min(len(lines), group * rng.choice((6, 12, 40)))
        start = rng.randint(0, len(lines) - span)
        for at in sorted(rng.sample(range(start, start + span), min(group, span))):
            if len(lines[at].text.split()) < 3:
                continue
            ask, drop = question(rng, lines, at)
            yield number, ask, passage(rng, lines, at, drop, sizes)
            made += 1
        number += 1


# ---- questions in other words than the passage's ----

CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def concept_texts(facts):
    """{concept: (label, description)} of parsed companyfacts files."""
    out = {}
    for f in facts:
        for names in f["facts"].values():
            for name, v in names.items():
                if v.get("label") and v.get("description"):
                    out[name] = v["label"], v["description"]
    return out


def thesaurus(path):
    """[(what people say, how filings print it)]."""
    out = []
    for row in open(path, encoding="utf-8"):
        if row.strip() and not row.startswith("#"):
            said, printed, _ = row.rstrip("\n").split("\t")
            out.append((said.split("; "), printed.split("; ")))
    return out


def asked_for(rng, what, years, amount=True):
    if amount and rng.random() < .8:
        return rng.choice(AMOUNT).format(l=what, y=rng.choice(years), z=rng.choice(years))
    return rng.choice(ASK).format(s=what)


def said_of(rng, name, texts):
    """A concept in other words: its label, its name, or a part of its description."""
    label, description = texts
    kind = rng.random()
    if kind < .45:
        return re.sub(r"\s*\[.*?\]|,", "", label).lower()
    if kind < .6:
        return CAMEL.sub(" ", name).lower()
    words = description.split(". ")[0].split()
    if kind < .8:
        return " ".join(words[:30])
    rare = content(words)
    return " ".join(sorted(rng.sample(rare, min(len(rare), rng.randint(3, 8))), key=rare.index)).lower().strip(".,;")


def concept_pairs(files, texts, count, seed, sizes=(20, 60, 100, 160, 200)):
    """(question in the taxonomy's words, passage with a fact of that concept); each concept about as often."""
    rng = random.Random(seed)
    places = {}
    for f, lines in enumerate(files):
        for at, line in enumerate(lines):
            for name in set(line.facts):
                if name in texts:
                    places.setdefault(name, []).append((f, at))
    names = sorted(places)
    weights = [len(places[n]) ** .5 for n in names]
    for i, name in enumerate(rng.choices(names, weights, k=count)):
        f, at = rng.choice(places[name])
        lines = files[f]
        what = said_of(rng, name, texts[name])
        ask = asked_for(rng, what, years_near(lines, at)) if len(what.split()) < 12 else what
        yield i, ask, passage(rng, lines, at, False, sizes)


def thesaurus_pairs(files, entries, count, seed, sizes=(20, 60, 100, 160, 200)):
    """(question in people's words, passage that has the filing's)."""
    rng = random.Random(seed)
    texts = [[" " + re.sub(r"[^a-z0-9&']+", " ", l.text.lower()) + " " for l in lines] for lines in files]
    places = []
    for said, printed in entries:
        for words in printed:
            needle = " " + re.sub(r"[^a-z0-9&']+", " ", words.lower()).strip() + " "
            found = [(f, at) for f, part in enumerate(texts) for at, t in enumerate(part) if needle in t]
            if found and len(found) < 3000:
                places.append((said, found))
    for i in range(count):
        said, found = rng.choice(places)
        f, at = rng.choice(found)
        lines = files[f]
        ask = asked_for(rng, rng.choice(said), years_near(lines, at), lines[at].table)
        yield i, ask, passage(rng, lines, at, False, sizes)
