#!/usr/bin/env python3
"""The last column of data/words.tsv: whether a word's talk is of companies, from 1, of anything else, to 9.

usage: word_leanings.py [--signs PROGRAM] [--words FILE] [--out FILE] [--without WRITER]

A logistic function of the mean of a line's word vectors, made length 1, says whether the line is about a company: those of
data/models/bid-static.bidm, of the words that stand in words.tsv, without the names of the company or of what is called like one, and
without words of grammar.  The lines are those of mentions.py: questions of people, and frames without names.  A word's leaning is what it adds to
the logarithm of the odds, plus EVEN; words of a dictionary get one, and those that some text prints in small letters.  --without
leaves a writer out of the fit.  Deterministic; numpy, xxhash.
"""
import argparse
import os
import re

import numpy as np

import bidm
import mentions

MODEL = os.path.join(mentions.TOP, "data", "models", "bid-static.bidm")
WORDS = os.path.join(mentions.TOP, "data", "words.tsv")
ORDINARY, NAME, SMALL, LEANING, COLUMNS = 1, 2, 7, 8, 9
EVEN, MOST = 5, 9
GAIN = 4.0  # of a mean vector
L2, STEPS, FRAME = 10.0, 25, 0.3
ABOUT = ("company", "pair", "counter")
# Of no gain here: with the others of these, what is lost on `words` is 210.0 instead of 209.0, on `eighth` 67.4 instead of 66.1.
UNUSED = ("mentions.sixth", "mentions.seventh", "mentions.eighth", "mentions.ninth", "mentions.tenth", "mentions.traps", "mentions.words", "mentions.registers")


class Vectors:
    def __init__(self, path):
        sections = dict(bidm.read(path)[4])
        tokens = sections["vocab"].decode().rstrip("\n").split("\n")
        self.ids = {t: i for i, t in enumerate(tokens)}
        self.rows = np.frombuffer(sections["rows"], np.int8).reshape(len(tokens), -1)
        self.weights = np.frombuffer(sections["weights"], "<i2")

    def of(self, word):
        """A word's, of length 1; 0 where the vocabulary can't spell it."""
        total, at = np.zeros(self.rows.shape[1]), 0
        while at < len(word):
            end = next((e for e in range(len(word), at, -1) if ("##" if at else "") + word[at:e] in self.ids), None)
            if end is None:
                return total * 0
            token = self.ids[("##" if at else "") + word[at:end]]
            total += self.rows[token] * float(self.weights[token])
            at = end
        length = np.linalg.norm(total)
        return total / length if length > 0 else total


def grammar():
    with open(os.path.join(mentions.TOP, "data", "company_words.tsv"), encoding="utf-8") as f:
        return {w for line in f if line.startswith("function\t") for w in line.split("\t")[1].split()}


def lines(program, without):
    """People's lines without names, and frames: text, 1 for one about a company, weight."""
    made = mentions.Lines()
    mentions.asked_lines(made)
    rows = [row for row in made.rows if row["kind"] not in (without, *UNUSED)]
    for row, of_row in zip(rows, mentions.weighed(rows, program)):
        right = [c for c in of_row if mentions.label(row, *c[:4])]
        text = bytearray(row["text"].encode())
        for start, end, *_ in right or of_row:
            text[start:end] = b" " * (end - start)
        yield text.decode(errors="ignore"), float(bool(row["ciks"])), 1.0
    for kind, frames in mentions.frames().items():
        for frame in frames:
            yield re.sub(r"\{[abPL]?\}", " ", frame), float(kind in ABOUT), FRAME


def fit(x, y, weight):
    x = np.hstack([x, np.ones((len(x), 1))])
    penalty = np.append(np.full(x.shape[1] - 1, L2), 1e-3)
    about = (weight * y).sum() / weight.sum()
    weight = weight * np.where(y > 0, 1, about / (1 - about))
    w = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ w))
        hessian = (x * (weight * np.maximum(p * (1 - p), 1e-6))[:, None]).T @ x + np.diag(penalty)
        w -= np.linalg.solve(hessian, x.T @ (weight * (p - y)) + penalty * w)
    return w[:-1]


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--signs", default=os.path.join(mentions.TOP, ".build", "mention_signs"))
    options.add_argument("--words", default=WORDS)
    options.add_argument("--out", default=WORDS)
    options.add_argument("--without", choices=sorted(mentions.PEOPLE))
    o = options.parse_args()
    vectors, skip, known = Vectors(MODEL), grammar(), mentions.words_table()
    x, y, weight = [], [], []
    for text, about, share in lines(o.signs, o.without):
        words = [w for w in re.findall("[a-z]{2,}", text.lower()) if w in known and w not in skip]
        if words:
            x.append(GAIN * np.mean([vectors.of(w) for w in words], axis=0))
            y.append(about)
            weight.append(share)
    slope = GAIN * fit(np.array(x), np.array(y), np.array(weight))
    with open(o.words, encoding="utf-8") as f:
        table = f.read().splitlines()
    with open(o.out, "w", encoding="utf-8") as f:
        for line in table:
            row = line.split("\t") + ["0"] * (COLUMNS - line.count("\t") - 1)
            if not line.startswith("#"):
                vector = vectors.of(row[0]) if " " not in row[0] and any(row[k] != "0" for k in (ORDINARY, NAME, SMALL)) else np.zeros(1)
                row[LEANING] = str(int(np.clip(np.rint(EVEN + vector @ slope), 1, MOST))) if vector.any() else "0"
                while row[-1] == "0":
                    row.pop()
                line = "\t".join(row)
            f.write(line + "\n")


if __name__ == "__main__":
    main()
