#!/usr/bin/env python3
"""Fits the weights of the evidence that words name a company: data/tables/mention_weights.tsv, from lines with and without companies.

usage: mentions.py [--signs PROGRAM] [--out FILE] [--without WRITER] [--report] [--ablate]

The lines: frames of test/quality/resolve.d/frames.tsv with the names of the 1,000 largest companies of data/companies.tsv that
no other company has, of some smaller ones, with people's names of data/words.tsv and places of PLACES below, in capitals and small; names of companies of no list that begin like one's; its
lines without a company in five ways of asking; the questions of test/quality/analysts (not `final`), test/quality/offtopic.txt, mentions and
filings of resolve.d, with the companies that NAMED adds to their answers; and these questions again with other companies in the place of
their own, in the form of the old one, and where they have none with other names that are ordinary words, people's or places', so that what
a name is and what stands around it are learnt apart.  PROGRAM (data/gen/mention_signs.c) gives the signs of each candidate; those that are
the name are right, those inside it aren't looked at, all others wrong.

A logistic function of the signs for each sort of words: weights that all sorts share and a sort's own part of them, both with a
penalty on their squares.  --report fits on one half of frames, names and questions and counts candidates of the other half, both
ways round; --ablate says how much worse each writer's lines are weighed, fitted on frames and all other writers, without each group of
signs; --without leaves a writer out of what is written.  Deterministic; numpy.
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import zlib

import numpy as np

import company_list

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADER = os.path.join(TOP, "common", "query", "mentions.c")
OUT = os.path.join(TOP, "data", "tables", "mention_weights.tsv")
QUALITY = os.path.join(TOP, "test", "quality")
LEGAL = set("inc corp co corporation company ltd plc llc lp nv sa ag se the limited incorporated holdings & de trust adr class "
            "cl new group cos companies".split())
LARGEST, ASKED_MOST, SMALL_EACH, STEPS = 1000, 100, 4, 60
L2_SHARED, L2_OWN = 2.0, 10.0
FRAMES = 0.2
DEAR = 1.6  # a company that isn't meant, against one that is missed
PEOPLE = {"analysts": 4.0, "analysts.fresh": 2.0, "mentions": 5.0, "filings": 3.0, "filings.third": 3.0, "mentions.third": 5.0, "mentions.learn": 5.0,
          "mentions.voices": 5.0, "mentions.fourth": 5.0, "mentions.fifth": 5.0, "filings.fifth": 3.0, "mentions.sixth": 5.0, "mentions.seventh": 5.0,
          "mentions.eighth": 5.0, "mentions.ninth": 5.0, "mentions.tenth": 5.0, "mentions.eleventh": 5.0, "mentions.twelfth": 5.0,
          "mentions.thirteenth": 5.0, "mentions.fourteenth": 5.0, "mentions.fifteenth": 5.0, "mentions.traps": 1.0, "mentions.words": 5.0, "mentions.registers": 0.5}  # lines of people count for more than FRAMES
SWAPPED, COMPANIES, WORDS = 0.5, 4, 3  # what a line's swaps count together; how many of them, with companies and with other names
SWAP_LARGEST, SWAP_EVEN, SWAP_SLOPE = 2500, 60, 0.8  # large companies are drawn more often
BRANDS = 0.3  # of the swaps
GROUPS = {  # of signs, for --ablate
    "size": "large giant tiny", "what of the name": "core prefix everyday brand former",
    "how ordinary": "common in_print is_vocabulary is_function",
    "coined": "coined", "people": "given_name listed_name before_given before_title",
    "letters": "abbreviation brief one_letter", "marks": "dollar", "spelling": "parted_otherwise joined",
    "capitals": "capital first_capital shouted", "possessive": "possessive", "report behind": "behind_figure behind_period behind_second",
    "capital behind": "behind_capital", "other behind": "behind_versus behind_unlisted", "pairs": "behind_pair",
    "numbers": "percent", "begins": "begins", "search line": "begins_line heads_line",
    "grammar before": "before_determiner before_auxiliary before_holder before_where before_question before_pronoun before_function",
    "words before": "before_opening before_capital",
    "leaning": "behind_filing filing general general_alone", "reports in the question": "vocabulary no_report period",
    "trades": "trade no_trade", "senses": "subject no_subject other_sense no_sense", "outside": "outside", "least small": "least_small",
    "few words": "few_words", "asker": "personal", "prepositions": "behind_of behind_where then_where",
    "inside a longer name": "inside", "indices": "market"}
TRADES = """Widgets Bakery Dental Plumbing Robotics Tools Farms Fabrics Optics Roofing Furniture Boats Bicycles Instruments Toys Printing
Gaming Shoes Catering Drones Analytics Ventures Diagnostics Cycles Breweries Dairy Textiles Pianos Candles Scooters"""  # of companies on no list
WAYS = ("{}", "What is said about {}?", "how did {} change in 2024", "{} 2023 10-K")
PLACES = """Berlin,Shanghai,Texas,Austin,Mexico,Brazil,India,Vietnam,Ireland,Cork,Singapore,Delaware,Ohio,Nevada,Reno,Palo Alto,
Cupertino,San Jose,San Francisco,New York,Los Angeles,Chicago,Houston,Dallas,Kansas City,Lincoln,Omaha,Columbus,Columbia,
Hartford,Phoenix,Seattle,Portland,Boston,Atlanta,Miami,Tampa,Orlando,Denver,Jackson,Madison,Milwaukee,Detroit,Memphis,
Charlotte,Raleigh,Richmond,Norfolk,Baltimore,Pittsburgh,Cleveland,Cincinnati,Buffalo,Rochester,Albany,Newark,Princeton,
Cambridge,Oxford,London,Paris,Munich,Zurich,Madrid,Rome,Milan,Vienna,Warsaw,Prague,Moscow,Istanbul,Dubai,Tel Aviv,Mumbai,
Bangalore,Beijing,Shenzhen,Hong Kong,Taiwan,Tokyo,Osaka,Seoul,Sydney,Toronto,Vancouver,Montreal,Calgary,Argentina,Chile,
Colombia,South Africa,Kenya,Turkey,Greece,Poland,Germany,France,Italy,Spain,Portugal,Switzerland,Sweden,Norway,Iceland,
Greenland,Alaska,Hawaii,Puerto Rico,Canada,Japan,Korea,China,Thailand,Israel,Saudi Arabia,the Middle East,Asia Pacific,
Latin America,North America,Western Europe,the Midwest,the Southeast,New England,New Jersey,New Mexico,North Dakota,
South Carolina,West Virginia,Virginia,Georgia,Florida,Kentucky,Tennessee,Louisiana,Oklahoma,Idaho,Montana,Utah,Arizona,
Oregon,Washington,Spring,Bend,Independence,Enterprise,Globe,Frontier,Valley Forge,Long Beach,Newport,Plymouth,Dover,
Salem,Concord,Lexington,Springfield,Fremont,Sparks,Round Rock,Santa Clara,Mountain View,Menlo Park"""
# Other companies named in analysts' questions, or companies that the store lacks: by CIK.
NAMED = {"gap ": 39911, "Gap ": 39911, "Visa": 1403161, "Shell": 1306965, "Square": 1512673, "Best Buy": 764478,
         "Progressive": 80661, "snap ": 1564408, "SNAP ": 1564408, "MSFT": 789019, "Oracle": 1341439, "Ford": 37996, "ford ": 37996,
         "spotify": 1639920, "Spotify": 1639920, "Dell": 1571996, "Lilly": 59478, "Costco": 909832, "Travelers": 86312,
         "General Motors": 1467858, "Rivian": 1874178, "rivian": 1874178, "walmart": 104169, "American Eagle": 919012,
         "carnival": 815097, "Carnival": 815097, "botox": 1551152, "Lucid": 1811210, "discover card": 1393612, "Disney": 1744489,
         "roku": 1428439, "WBD": 1437107, "Match": 891103, "Accenture": 1467373, "accentrue": 1467373, "KD ": 1867072,
         "snowflake": 1640147, "Ventas": 740260, "Welltower": 766704, "GE HealthCare": 1932393, "ResMed": 943819, "Box": 1372612,
         "Toast": 1650164, "Ball": 9389, "Morgan Stanley": 895421, "Guidewire": 1528396, "HashiCorp": 1720671, "Moody": 1059556,
         "Xbox": 789019, "Amazon": 1018724, "Cummins": 26172, "Apple": 320193, "apple": 320193, "AAPL": 320193, "Tesla": 1318605,
         "tesla": 1318605, "Netflix": 1065280, "IBM": 51143, "Wells Fargo": 72971, "Union Pacific": 100885, "Unicycive": 1766140,
         "iphone": 320193, "iPhone": 320193, "TSLA": 1318605, "Cybertruck": 1318605, "Buckle": 885245, "Acurx": 1736243,
         "180 Degree": 893739, "LiveWire": 1898795, "Kroger": 56873, "Google": 1652044, "GlobalFoundries": 1709048,
         "Wolfspeed": 895419, "azure": 789019, "Cyber": 1318605, "iPad": 320193, "AirPods": 320193, "AWS": 1018724,
         "Megapack": 1318605, "Old Navy": 39911, "Model e": 37996, "Zepbound": 59478, "Azure": 789019}


def is_second(text):
    """A line's half."""
    return zlib.crc32(text.encode()) >> 3 & 1


def words_table():
    table = {}
    with open(os.path.join(TOP, "data", "words.tsv"), encoding="utf-8") as f:
        for line in f:
            word, *row = line.rstrip("\n").split("\t")
            if not line.startswith("#"):
                table[word] = [int(x) for x in row] + [0] * (8 - len(row))
    return table


def everyday(name, words):
    """A name of the list as people write it."""
    name = re.sub(r"/.*$", "", name).strip()
    part = (name if re.search(r"\.com", name, re.I) else re.sub(r"[.,]", " ", name)).split()
    while len(part) > 1 and part[-1].strip(".,").lower() in LEGAL:
        part.pop()
    if len(part) > 1 and part[0].lower() == "the":
        part.pop(0)
    if name.upper() == name:
        part = [w if "&" in w or (len(w) <= 3 and w.lower() not in words) else w.capitalize() for w in part]
    return " ".join(part)


def company_names(words, first=0, count=None):
    """Names that only one company in the list has, from row `first` on."""
    rows = company_list.rows_of_table(os.path.join(TOP, "data", "companies.tsv"))
    names = [everyday(row[2], words) for row in rows]
    keys = [re.sub("[^a-z0-9]", "", n.lower()) for n in names]
    bearers = collections.Counter(keys)
    return [n for n, key in list(zip(names, keys))[first:first + (count or LARGEST)]
            if bearers[key] == 1 and len(key) > 2 and len(n.split()) < 5 and not re.search(r"ETF|SPDR|iShares|/", n)]


def tickers(words):
    """The names of the largest companies that people recognise as companies."""
    first = [row[1].split(",")[0] for row in company_list.rows_of_table(os.path.join(TOP, "data", "companies.tsv"))]
    return [t for t in first[:LARGEST] if t.isalpha() and (len(t) > 2 or words.get(t.lower(), [0])[0] == 0) and
            not (len(t) == 5 and t[-1] in "YF")]


def everyday_names():
    """Everyday names and brands of the largest companies, with the companies."""
    large = {row[0] for row in company_list.rows_of_table(os.path.join(TOP, "data", "companies.tsv"))[:LARGEST]}
    with open(os.path.join(TOP, "data", "aliases.tsv"), encoding="utf-8") as f:
        rows = [line.split("\t") for line in f if not line.startswith("#")]
    return [(name, kind) for name, cik, kind, *_ in rows if cik in large and kind in ("everyday", "brand")]


def sort_of_name(name, words):
    part = re.findall("[a-z]+", name.lower())
    if all(words.get(w, [0])[0] for w in part):
        return "one ordinary word" if len(part) == 1 else "ordinary words"
    return "a person's or place's" if len(part) == 1 and part[0] in words else "a name"


class Lines:
    """Questions with their kind, half and the right answer: spans of bytes, or CIKs."""

    def __init__(self):
        self.rows = []

    def add(self, kind, half, text, spans=None, ciks=(), small=False):
        if small:
            text = text.lower()
        self.rows.append({"kind": kind + (", small" if small else ""), "half": half, "text": text, "spans": spans, "ciks": set(ciks), "share": 1.0})

    def fill(self, kind, half, frame, names, small=False):
        text, spans = "", []
        for part in re.split(r"(\{[ab]?\})", frame):
            if part in names:
                at = len(text.encode())
                text += names[part]
                spans.append((at, len(text.encode())))
            else:
                text += part
        self.add(kind, half, text, spans, small=small)


def frames():
    found = collections.defaultdict(list)
    with open(os.path.join(QUALITY, "resolve.d", "frames.tsv"), encoding="utf-8") as f:
        for line in f:
            if not line.startswith("#"):
                kind, text = line.rstrip("\n").split("\t")
                found[kind].append(text)
    return found


def company_lines(lines, frame, words, rnd):
    each = {"one ordinary word": 12, "ordinary words": 5, "a person's or place's": 6, "a name": 3}
    names = company_names(words)
    of_half = [[f for f in frame["company"] if is_second(f) == half] for half in (0, 1)]
    for place, name in enumerate(names):
        kind, half = sort_of_name(name, words), is_second(name)
        for small in (False, True):
            for f in rnd.sample(of_half[half], each[kind] * (3 if place < ASKED_MOST else 1)):
                lines.fill(kind, half, f, {"{}": name}, small)
    for name in company_names(words, LARGEST, len(words))[::SMALL_EACH]:
        half = is_second(name)
        for small in (False, True):
            lines.fill("a small company's name", half, rnd.choice(of_half[half]), {"{}": name.split()[0] if rnd.random() < 0.3 else name}, small)
    for place, ticker in enumerate(tickers(words)):
        half = is_second(ticker)
        for f in rnd.sample(of_half[half], 6 if place < ASKED_MOST else 1):
            lines.fill("a ticker", half, f, {"{}": ticker})
            if len(ticker) > 2 and ticker.lower() not in words:
                lines.fill("a ticker", half, f, {"{}": ticker}, True)
    for name, kind in everyday_names():
        half = is_second(name)
        for f in rnd.sample(of_half[half], 3 if kind == "everyday" else 1):
            lines.fill("an everyday name", half, f, {"{}": name}, rnd.random() < 0.4)
    for kind in ("pair", "counter"):
        for f in frame[kind]:
            for half in (0, 1):
                for _ in range(12):
                    a, b = rnd.sample([n for n in names if is_second(n) == half], 2)
                    lines.fill(kind, half, f, {"{a}": a, "{b}": b}, rnd.random() < 0.3)


def other_lines(lines, frame, words, rnd):
    first = {n.split()[0].lower() for n in company_names(words)}
    given, family = ([sorted(w for w, row in words.items() if row[k] and (w in first or not own)) for own in (True, False)] for k in (3, 4))
    where = [" ".join(p.split()) for p in PLACES.split(",")]
    for f in frame["person"]:
        for k in range(24):
            g, last = rnd.choice(given[k % 4 != 0]).capitalize(), rnd.choice(family[k % 4 == 1]).capitalize()
            lines.add("person", is_second(f), f.replace("{P}", f"{g} {last}").replace("{L}", last), [], small=k % 3 == 0)
    for f in frame["place"]:
        for k in range(24):
            lines.add("place", is_second(f), f.replace("{P}", rnd.choice(where)), [], small=k % 2 == 0)
    called = {name.lower() for name, _ in everyday_names()}
    for name in company_names(words):
        if len(name.split()) > 1 and len(name.split()[0]) > 2 and name.split()[0].lower() not in called:
            f = rnd.choice(frame["company"])
            lines.add("a company of no list", is_second(f), f.replace("{}", name.split()[0] + " " + rnd.choice(TRADES.split())), [])
    for f in frame["body"]:
        for small in (False, True):
            lines.add("body", is_second(f), f, [], small=small)
    for f in frame["plain"]:
        for way in WAYS:
            lines.add("ordinary use", is_second(f), way.format(f), [])
        lines.add("ordinary use", is_second(f), f[0].upper() + f[1:], [])


def asked_lines(lines):
    with open(os.path.join(QUALITY, "analysts", "filings.tsv"), encoding="utf-8") as f:
        cik = {row[0]: int(row[4]) for row in (line.rstrip("\n").split("\t") for line in f) if row[4]}
    for part in ("learn", "choose"):
        with open(os.path.join(QUALITY, "analysts", part + ".ndjson"), encoding="utf-8") as f:
            for row in map(json.loads, f):
                named = {n for word, n in NAMED.items() if word in row["question"] and row.get("absent") != "offtopic"}
                lines.add("analysts", is_second(row["question"]), row["question"],
                          ciks=named | {cik[g["filing"]] for g in row["gold"]})
    for part in ("fresh", "fresh2"):
        with open(os.path.join(QUALITY, "analysts", part + ".ndjson"), encoding="utf-8") as f:
            for row in map(json.loads, f):
                ciks = {cik[g["filing"]] for g in row["gold"] if g["filing"] in cik}
                if ciks:
                    lines.add("analysts.fresh", is_second(row["question"]), row["question"], ciks=ciks)
    for kind in [k for k in PEOPLE if not k.startswith("analysts")]:
        with open(os.path.join(QUALITY, "resolve.d", kind + ".ndjson"), encoding="utf-8") as f:
            for row in map(json.loads, f):
                if "cik" not in row: # the company is given beside it
                    continue
                named = {n for word, n in NAMED.items() if kind == "mentions" and word in row["question"] and row["cik"]}
                lines.add(kind, is_second(row["question"]), row["question"], ciks=named | set(row["cik"]) | set(row.get("others", [])))
    with open(os.path.join(QUALITY, "offtopic.txt"), encoding="utf-8") as f:
        for text in f.read().splitlines():
            lines.add("off-topic", is_second(text), text, [])


def all_lines():
    lines, words, rnd = Lines(), words_table(), random.Random(7)
    frame = frames()
    company_lines(lines, frame, words, rnd)
    other_lines(lines, frame, words, rnd)
    asked_lines(lines)
    return lines.rows


# ---- candidates ----

def label(row, start, end, cik, sort):
    """1 right, 0 wrong, None ignored: resolve.d's lines don't say which companies are counterparties."""
    if row["spans"] is None:
        unsure = (row["kind"] in ("mentions", "analysts.fresh") or row["kind"].startswith("filings")) and row["ciks"] and sort in ("rare", "proper", "names")
        return 1 if cik in row["ciks"] else None if unsure else 0
    for a, b in row["spans"]:
        if start == a and end in (b, b + 2):
            return 1
        if start >= a and end <= b + 2:
            return None
    return 0


def weighed(rows, program):
    """The candidates of each row: first and last byte, CIK, sort, signs as printed."""
    text = "".join(row["text"] + "\n" for row in rows)
    out = subprocess.run([program], input=text, capture_output=True, text=True, check=True,
                         env={"BID_DATA": os.path.join(TOP, "data"), **os.environ}).stdout
    found = [[]]
    for line in out.split("\n")[:-1]:
        if line == "":
            found.append([])
            continue
        start, end, cik, sort, *signs = line.split(" ")
        found[-1].append((int(start), int(end), int(cik), sort, signs))
    return found[:-1]


def candidates(rows, program):
    found = []
    for number, (row, of_row) in enumerate(zip(rows, weighed(rows, program))):
        for start, end, cik, sort, signs in of_row:
            found.append({"row": number, "start": start, "end": end, "sort": sort, "right": label(row, start, end, cik, sort),
                          "signs": [(s.split("=")[0], float(s.split("=")[1])) for s in signs]})
    inside = collections.defaultdict(list)
    for c in found:
        if c["right"]:
            inside[c["row"]].append((c["start"], c["end"]))
    return [c for c in found if c["right"] is not None and not any(
        a <= c["start"] and c["end"] <= b and (not c["right"] or (a, b) != (c["start"], c["end"])) for a, b in inside[c["row"]])]


# ---- people's lines with other names ----

class Names:
    """Names of companies, drawn by size; names that are ordinary words; names of people and places."""

    def __init__(self, words, rnd):
        rows = company_list.rows_of_table(os.path.join(TOP, "data", "companies.tsv"))
        place = {row[0]: k for k, row in enumerate(rows[:SWAP_LARGEST])}
        names = [everyday(row[2], words) for row in rows]
        bearers = collections.Counter(re.sub("[^a-z0-9]", "", n.lower()) for n in names)
        firsts = collections.Counter(n.split()[0].lower() for n in names)
        self.rnd, self.of, self.brands = rnd, collections.defaultdict(list), collections.defaultdict(list)
        for row, name in zip(rows[:SWAP_LARGEST], names):
            key, first = re.sub("[^a-z0-9]", "", name.lower()), name.split()[0]
            if bearers[key] == 1 and len(key) > 2 and len(name.split()) < 5 and not re.search(r"ETF|SPDR|iShares|/|TRUST$", name):
                self.of[row[0]].append(name)
                if first != name and firsts[first.lower()] == 1 and first.lower() not in words and len(first) > 3:
                    self.of[row[0]].append(first)
        with open(os.path.join(TOP, "data", "aliases.tsv"), encoding="utf-8") as f:
            for name, cik, kind, *_ in (line.split("\t") for line in f if not line.startswith("#")):
                if cik in place and kind in ("everyday", "brand"):
                    (self.of if kind == "everyday" else self.brands)[cik].append(name)
        self.companies = list(self.of)
        self.size = [(place[c] + SWAP_EVEN) ** -SWAP_SLOPE for c in self.companies]
        self.ticker = {row[0]: row[1].split(",")[0] for row in rows[:LARGEST] if row[1].split(",")[0].isalpha() and len(row[1].split(",")[0]) > 2}
        self.single = {"word": [], "proper": []}
        for name in (n for c in self.companies for n in self.of[c] + self.brands[c]):
            row = words.get(name.lower(), [0] * 8)
            if row[0]:
                self.single["word"].append(name)
            elif any(row[3:6]):
                self.single["proper"].append(name)

    def like(self, old):
        """A company's name in the form of another's, and the part that is not the name ("'s")."""
        ending = re.search(r"(['’]s?)?$", old).group()
        old = old.removesuffix(ending)
        company = self.rnd.choices(self.companies, self.size)[0]
        if old.isupper() and len(old) < 6 and self.rnd.random() < 0.6:
            while company not in self.ticker:
                company = self.rnd.choices(self.companies, self.size)[0]
            return self.ticker[company], ending
        brands = self.brands[company] if self.rnd.random() < BRANDS else []
        name = self.rnd.choice(brands or self.of[company])
        return name.lower() if old == old.lower() else name, ending

    def word(self, old, sort):
        ending = re.search(r"(['’]s?)?$", old).group()
        name = self.rnd.choice(self.single[sort])
        return (name.lower() if old[:1].islower() else name), ending


def put(text, spans, draw):
    """The text with what draw(old) gives in the place of each span; and where these stand now."""
    old, new, at, places = text.encode(), b"", 0, []
    for start, end in spans:
        name, ending = draw(old[start:end].decode())
        new += old[at:start]
        places.append((len(new), len(new) + len(name.encode())))
        new += name.encode() + ending.encode()
        at = end
    return (new + old[at:]).decode(), places


def swapped_lines(rows, program):
    people, rnd = [row for row in rows if row["kind"] in PEOPLE], random.Random(11)
    names, found = Names(words_table(), rnd), []
    for row, of_row in zip(people, weighed(people, program)):
        labels = [(label(row, start, end, cik, sort), start, end, sort) for start, end, cik, sort, _ in of_row]
        spans = []
        for start, end in sorted({(s, e) for right, s, e, _ in labels if right}, key=lambda x: (x[0], -x[1])):
            if not spans or start >= spans[-1][1]:
                spans.append((start, end))
        single = sorted({(s, e, sort) for _, s, e, sort in labels if sort in names.single}) if not row["ciks"] else []
        unsure = any(right is None and not any(s < e2 and e > s2 for s2, e2 in spans) for right, s, e, _ in labels)
        made = [put(row["text"], spans, names.like) for _ in range(COMPANIES)] if spans and not unsure else []
        for start, end, sort in [rnd.choice(single) for _ in range(WORDS)] if single else []:
            made.append((put(row["text"], [(start, end)], lambda old, sort=sort: names.word(old, sort))[0], []))
        found += [{**row, "text": text, "spans": places, "ciks": set(), "share": SWAPPED / len(made)} for text, places in made]
    return found


def sign_names():
    text = open(HEADER, encoding="utf-8").read()
    sorts = re.findall(r"^  SORT_(\w+),", text, re.M)
    return re.findall(r"^  S\((\w+)\)", text, re.M), [s.lower() for s in sorts]


def matrix(found, names, sorts):
    x, sort = np.zeros((len(found), len(names))), np.zeros(len(found), int)
    place = {n: i for i, n in enumerate(names)}
    for k, c in enumerate(found):
        sort[k] = sorts.index(c["sort"])
        for name, value in c["signs"]:
            x[k, place[name]] = value
    return x, sort, np.array([float(c["right"]) for c in found])


def fit(x, sort, y, weight, count):
    """Newton's method; columns: shared weights, then each sort's own.  A row has those of its sort alone, so the matrix of second
    derivatives is put together from one block a sort."""
    n = x.shape[1]
    penalty = np.concatenate([np.full(n, L2_SHARED), np.full(n * count, L2_OWN)])
    w = np.zeros(n * (count + 1))
    of_sort = [sort == s for s in range(count)]
    parts = [(x[o], y[o], weight[o]) for o in of_sort]
    for _ in range(STEPS):
        gradient, hessian = penalty * w, np.diag(penalty)
        for s, (xs, ys, ws) in enumerate(parts):
            own = slice(n * (s + 1), n * (s + 2))
            p = 1 / (1 + np.exp(-np.clip(xs @ (w[:n] + w[own]), -30, 30)))
            slope = xs.T @ (ws * (p - ys))
            block = (xs * (ws * np.maximum(p * (1 - p), 1e-6))[:, None]).T @ xs
            gradient[:n] += slope
            gradient[own] += slope
            for i in (slice(0, n), own):
                for k in (slice(0, n), own):
                    hessian[i, k] += block
        step = np.linalg.solve(hessian, gradient)
        w -= step
        if np.abs(step).max() < 1e-3:
            break
    shared, own = w[:n], w[n:].reshape(count, n)
    return shared + own


def weights_of(found, rows):
    """A kind of lines counts by the root of its lines: no kind drowns the others."""
    kinds = collections.Counter(row["kind"] for row in rows if row["share"] == 1)
    scale = {k: PEOPLE.get(k, FRAMES) * min(1.0, 20 / n ** 0.5) for k, n in kinds.items()}
    return np.array([scale[rows[c["row"]]["kind"]] * rows[c["row"]]["share"] * (1 if c["right"] else DEAR) for c in found])


def score(found, x, sort, w):
    return (x * w[sort]).sum(1)


def crossed(found, rows, x, sort, y, weight, count):
    """Scores of each half with weights fitted on the other."""
    second = np.array([rows[c["row"]]["half"] for c in found])
    result = np.zeros(len(found))
    for half in (0, 1):
        w = fit(x[second != half], sort[second != half], y[second != half], weight[second != half], count)
        result[second == half] = score(found, x, sort, w)[second == half]
    return result


def writers(found, rows, x, sort, y, weight, count):
    """Scores of each writer's lines, with weights fitted on frames and all other writers; NaN for frames."""
    kinds = np.array([rows[c["row"]]["kind"] for c in found])
    result = np.full(len(found), np.nan)
    for kind in PEOPLE:
        own = kinds == kind
        result[own] = score([c for c, k in zip(found, own) if k], x[own], sort[own],
                            fit(x[~own], sort[~own], y[~own], weight[~own], count))
    return result


def lost(y, z, weight):
    return float((weight * np.log1p(np.exp(np.clip(np.where(y > 0, -z, z), -30, 30)))).sum() / weight.sum())


def report(found, rows, y, z):
    table = collections.defaultdict(lambda: [0, 0, 0, 0])
    for c, right, value in zip(found, y, z):
        if rows[c["row"]]["share"] < 1:
            continue
        t = table[rows[c["row"]]["kind"]]
        t[0] += right
        t[1] += right and value <= 0
        t[2] += not right
        t[3] += (not right) and value > 0
    for kind, (n, missed, wrong, taken) in sorted(table.items()):
        print(f"{kind:32} names {n:6.0f} missed {100 * missed / max(n, 1):5.1f} %   others {wrong:6.0f} taken {100 * taken / max(wrong, 1):5.1f} %")


def ablate(found, rows, names, x, sort, y, weight, count):
    """Loss of each writer's lines, fitted on all others, without each group of signs."""
    kinds = np.array([rows[c["row"]]["kind"] if rows[c["row"]]["share"] == 1 else "" for c in found])

    def losses(signs):
        without = x.copy()
        without[:, [names.index(n) for n in signs]] = 0
        z = writers(found, rows, without, sort, y, weight, count)
        return np.array([lost(y[kinds == k], z[kinds == k], weight[kinds == k]) for k in PEOPLE])

    all_signs = losses([])
    print("without", *PEOPLE, "mean", sep="\t")
    print("nothing", *(f"{v:.4f}" for v in (*all_signs, all_signs.mean())), sep="\t", flush=True)
    for group, signs in GROUPS.items():
        worse = losses(signs.split()) - all_signs
        print(group, *(f"{v:+.4f}" for v in (*worse, worse.mean())), sep="\t", flush=True)


HEAD = """# mention_weights.tsv: weights of the features that tell whether words name a company (common/query/mentions.c), for each
# sort of words; made by data/gen/mentions.py.  A feature without a row has no weight.
#
# lists\tSIGN"""


def write(w, names, sorts, path):
    with open(path, "w", encoding="utf-8") as f:
        print(HEAD, *(sort.upper() for sort in sorts), sep="\t", file=f)
        for name, weights in zip(names, w.T):
            if any(abs(v) >= 0.005 for v in weights):
                print("sign", f"SIGN({name})", *(f"{v if abs(v) >= 0.005 else 0:.2f}F" for v in weights), sep="\t", file=f)


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--signs", default=os.path.join(TOP, ".build", "mention_signs"))
    options.add_argument("--out", default=OUT)
    options.add_argument("--report", action="store_true")
    options.add_argument("--ablate", action="store_true")
    options.add_argument("--without", choices=sorted(PEOPLE), help="leave a writer's lines out of the fit")
    o = options.parse_args()
    rows = all_lines()
    rows += swapped_lines(rows, o.signs)
    found = candidates(rows, o.signs)
    names, sorts = sign_names()
    sorts = [s for s in sorts if s != "count"]
    x, sort, y = matrix(found, names, sorts)
    weight = weights_of(found, rows)
    if o.report:
        report(found, rows, y, crossed(found, rows, x, sort, y, weight, len(sorts)))
    if o.ablate:
        ablate(found, rows, names, x, sort, y, weight, len(sorts))
    if o.report or o.ablate:
        return
    kept = np.array([rows[c["row"]]["kind"] != o.without for c in found])
    x, sort, y, weight = x[kept], sort[kept], y[kept], weight[kept]
    write(fit(x, sort, y, weight, len(sorts)), names, sorts, o.out)


if __name__ == "__main__":
    main()
