#!/usr/bin/env python3
"""Makes bid-static: one row of 256 numbers for each WordPiece token, so that the sum of a text's rows is its vector.

usage: train_static.py UPSTREAM OUT.bidm [--steps N] [--seed N]

UPSTREAM is a folder of filings (HTML and text).  It takes about half an hour of one core.  The steps:

1. Each token alone through the teacher, reduced to 256 dimensions by PCA, plus a random direction of its own
   (tokens that the teacher takes for the same must still be told apart), times its inverse document frequency.
   That is Model2Vec's way (Minish Lab, 2024) with the random part added.
2. Training by Adam on two losses at once, each on the first 256, 128 and 64 dimensions (Matryoshka
   representation learning, Kusupati et al., 2022), so that vectors can be cut:
   contrast  InfoNCE: a made-up question (pairs.py) must find its passage among 1,023 others, most of them from
             the same filings.  Three quarters ask in the passage's words, the others in those of the us-gaap
             taxonomy and of people (synonyms.tsv);
   lines     the similarities of 1,024 lines of filings with each other must be distributed as the teacher's
             (KL divergence of softmaxes, as in Tokenlearn's purpose but on similarities, so that no dimension is
             wasted on the teacher's coordinates);
   Contrast alone learns to match words and forgets what the teacher knows of meanings; the lines keep that.
3. Marks without a letter or digit count next to nothing: the bars of tables alone turned a passage's vector away
   from what it says (filings questions, hit@5 within the filing .47 with them and .59 to .65 without).
4. A token's n-th occurrence counts n^p - (n-1)^p, p being REPEAT_POWER, so that a table that says a word thirty
   times is not about nothing else; the file has the factors in "repeats".
5. Numbers that are no years count half: training sees them match within a filing, and in another filing they
   mean nothing.
6. Rows become int8 with a step each (bidm.py).

One thread does the sums, so that the same seed gives the same file on the same kind of machine.
"""
import argparse
import glob
import json
import os
import random
import re
import time

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import BertWordPieceTokenizer

import bidm
from filing_text import filing_files
from pairs import concept_pairs, concept_texts, lines_of, make_pairs, thesaurus, thesaurus_pairs
from teachers import CACHE, fetch, teacher

DIMENSIONS = 256
CUTS = ((256, 1.0), (128, 0.3), (64, 0.15))  # dimensions, weight of their loss
LINE_CUTS = CUTS[:2]  # with 64 dimensions too, whole vectors were a little worse
SPECIAL = 104  # [PAD], [unused0] ... [UNK], [CLS], [SEP], [MASK]: no text has them
PAIRS = {"own": 60000, "concepts": 30000, "people": 30000}  # made of each kind
SHARES = {"own": 768, "concepts": 128, "people": 128}  # of a batch
BATCH = 1024
RATE, TEMPERATURE = 5e-3, 0.07
TEACHER_TEMPERATURE = 0.05
CONTRAST_WEIGHT, LINES_WEIGHT = 0.7, 4.0
NUMBER = re.compile(r"(##)?\d+")
YEAR = re.compile(r"(19|20)\d\d")
NUMBER_FACTOR = 0.5
REPEAT_POWER, REPEATS = 0.6, 64
BLANK = re.compile(r"(##)?[\W_]+")
SYNONYMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "synonyms.tsv")


def ids_of(tokenizer, texts):
    """Ids without the special ones.  Texts share lines, so each line is cut once, a thousand at a time (an encoding
    is a hundred times as large as its ids)."""
    texts = list(texts)
    lines = sorted({line for text in texts for line in text.split("\n")})
    ids = {}
    for at in range(0, len(lines), 1000):
        part = lines[at:at + 1000]
        ids.update(zip(part, (np.array(e.ids[1:-1], np.int32) for e in tokenizer.encode_batch(part))))
    return [np.concatenate([ids[line] for line in text.split("\n")]) for text in texts]


def cached(name, make):
    """The array that make() gives, kept in .cache/teachers from one run to the next."""
    path = os.path.join(CACHE, name + ".npy")
    if not os.path.exists(path):
        np.save(path + ".new.npy", make())
        os.rename(path + ".new.npy", path)
    return np.load(path)


def progress(what):
    started = time.time()

    def report(done, count):
        print(f"\r{what}: {done} of {count}, {time.time() - started:.0f} s ", end="" if done < count else "\n", flush=True)
    return report


def document_frequency(passages, size):
    df = np.zeros(size)
    for ids in passages:
        df[np.unique(ids)] += 1
    return df


def initial_rows(tokens, passages, rng):
    """[V, 256] out of the teacher's vectors of the single tokens."""
    x = tokens - tokens.mean(0)
    _, _, axes = np.linalg.svd(x, full_matrices=False)
    meaning = x @ axes[:DIMENSIONS].T
    meaning /= np.linalg.norm(meaning, axis=1, keepdims=True)
    own = rng.standard_normal(meaning.shape) / DIMENSIONS ** .5
    df = document_frequency(passages, len(tokens))
    idf = np.log1p((len(passages) - df + .5) / (df + .5))
    rows = (meaning + own) * idf[:, None]
    rows[:SPECIAL] = 0
    return rows / (10 * np.abs(rows).mean())


def repeat_factors():
    """What the first, second, ... occurrence of a token counts."""
    n = np.arange(REPEATS + 1.0) ** REPEAT_POWER
    return (n[1:] - n[:-1]).astype(np.float32)


def nth(ids):
    """How often each token stood before in the text."""
    order = np.argsort(ids, kind="stable")
    ordered = ids[order]
    first = np.r_[True, ordered[1:] != ordered[:-1]]
    run = np.arange(len(ids)) - np.maximum.accumulate(np.where(first, np.arange(len(ids)), 0))
    out = np.empty(len(ids), np.int64)
    out[order] = np.minimum(run, REPEATS - 1)
    return out


def faint(rows, blank, rng):
    """Gives the blank rows a direction and the least weight there is: a text of nothing else has a vector too."""
    own = rng.standard_normal((blank.sum(), rows.shape[1]))
    whole = np.rint(own / np.abs(own).max(1, keepdims=True) * 127)  # so that quantizing finds the same again
    rows[blank] = whole / 127 * np.abs(rows).max() / bidm.WEIGHT_MAX


class Rows(torch.nn.Module):
    def __init__(self, start):
        super().__init__()
        self.rows = torch.nn.Parameter(torch.tensor(start, dtype=torch.float32))
        self.factors = torch.from_numpy(repeat_factors())

    def forward(self, lists):
        """Weighted sums of rows, [count, 256]."""
        starts = np.cumsum([0] + [len(x) for x in lists[:-1]])
        flat = torch.from_numpy(np.concatenate(lists)).long()
        weights = self.factors[torch.from_numpy(np.concatenate([nth(x) for x in lists]))]
        return F.embedding_bag(flat, self.rows, torch.tensor(starts), mode="sum", per_sample_weights=weights)


def cut_losses(a, b, loss, cuts=CUTS):
    """Sum over the cuts of loss(cosines [n, m])."""
    total = 0
    for d, weight in cuts:
        total = total + weight * loss(F.normalize(a[:, :d], dim=1) @ F.normalize(b[:, :d], dim=1).T)
    return total


def contrast(cosines):
    target = torch.arange(len(cosines))
    s = cosines / TEMPERATURE
    return (F.cross_entropy(s, target) + F.cross_entropy(s.T, target)) / 2


def follow(taught):
    """A loss that has the cosines' softmax follow the teacher's; texts with themselves are left out."""
    hide = torch.eye(len(taught)) * 10
    want = ((taught - hide) / TEACHER_TEMPERATURE).log_softmax(1)

    def loss(cosines):
        got = ((cosines - hide) / TEACHER_TEMPERATURE).log_softmax(1)
        return F.kl_div(got, want, log_target=True, reduction="batchmean")
    return loss


class Grouped:
    """Pairs that are drawn in their groups of neighbours."""

    def __init__(self, pairs, tokenizer, rng):
        self.asks = ids_of(tokenizer, (p[1] for p in pairs))
        self.passages = ids_of(tokenizer, (p[2] for p in pairs))
        groups = {}
        for i, p in enumerate(pairs):
            if len(self.asks[i]) and len(self.passages[i]):
                groups.setdefault(p[0], []).append(i)
        self.groups, self.rng = list(groups.values()), rng

    def draw(self, count):
        """Questions and their passages."""
        out = []
        while len(out) < count:
            out += self.rng.choice(self.groups)
        out = list(dict.fromkeys(out[:count]))
        return [self.asks[i] for i in out], [self.passages[i] for i in out]


def filing_lines(files):
    """Lines of 4 to 60 words and headings, each once, shuffled."""
    found = {}
    for lines in files:
        for line in lines:
            if 4 <= line.words <= 60:
                found.setdefault(line.text)
            if len(line.heading.split()) > 1:
                found.setdefault(line.heading)
    out = sorted(found)
    random.Random(3).shuffle(out)
    return out


def windows(files, words=160):
    """The files' text in pieces of about that many words, each once: what document frequency is counted in."""
    found = {}
    for lines in files:
        part, count = [], 0
        for line in lines:
            part.append(line.text)
            count += line.words
            if count >= words:
                found.setdefault("\n".join(part))
                part, count = [], 0
    return list(found)


def all_pairs(upstream, files):
    """{kind: its pairs}."""
    long = [lines for lines in files if len(lines) > 30]
    facts = sorted(glob.glob(os.path.join(upstream, "data.sec.gov/api/xbrl/companyfacts/*.json")))
    texts = concept_texts(json.load(open(f, encoding="utf-8")) for f in facts)
    return {"own": make_pairs(long, PAIRS["own"], 1), "concepts": concept_pairs(long, texts, PAIRS["concepts"], 2),
            "people": thesaurus_pairs(long, thesaurus(SYNONYMS), PAIRS["people"], 3)}


class Data:
    """All that training draws from."""

    def __init__(self, upstream, seed):
        files = [lines_of(path) for path in filing_files(upstream)]
        encoder = teacher("minilm", max_tokens=128)
        t = BertWordPieceTokenizer(os.path.join(fetch("minilm"), "vocab.txt"), lowercase=True)
        self.vocab = [t.id_to_token(i) for i in range(t.get_vocab_size())]
        rng = random.Random(seed)
        self.tokens = cached("tokens", lambda: encoder.encode_ids(
            [[t.token_to_id("[CLS]"), i, t.token_to_id("[SEP]")] for i in range(len(self.vocab))]))
        self.windows = ids_of(t, windows(files))
        self.pairs = {k: Grouped(list(v), t, rng) for k, v in all_pairs(upstream, files).items()}
        lines = filing_lines(files)
        self.line_vectors = torch.tensor(cached("lines", lambda: encoder.encode(lines, progress("lines"))))
        self.lines = ids_of(t, lines)
        self.rng = rng


def step_loss(model, data):
    asks, passages = [], []
    for kind, count in SHARES.items():
        a, p = data.pairs[kind].draw(count)
        asks += a
        passages += p
    loss = cut_losses(model(asks), model(passages), contrast)
    i = [k for k in data.rng.sample(range(len(data.lines)), BATCH) if len(data.lines[k])]
    known = data.line_vectors[i]
    v = model([data.lines[k] for k in i])
    return CONTRAST_WEIGHT * loss + LINES_WEIGHT * cut_losses(v, v, follow(known @ known.T), LINE_CUTS)


def train(data, steps, seed):
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(seed)
    blank = np.array([BLANK.fullmatch(token) is not None for token in data.vocab])
    blank[:SPECIAL] = False
    still = blank | (np.arange(len(blank)) < SPECIAL)
    start = initial_rows(data.tokens, data.windows, np.random.default_rng(seed))
    start[still] = 0
    model = Rows(start)
    moved = torch.from_numpy(~still)[:, None]
    adam = torch.optim.Adam(model.parameters(), lr=RATE, betas=(.9, .99))
    started = time.time()
    for step in range(1, steps + 1):
        for group in adam.param_groups:
            group["lr"] = RATE * min(1, step / 20) * (1 - .97 * step / steps)
        loss = step_loss(model, data)
        adam.zero_grad()
        loss.backward()
        model.rows.grad *= moved
        adam.step()
        if step % 20 == 0 or step == steps:
            print(f"step {step}: loss {loss.item():.3f}, {time.time() - started:.0f} s", flush=True)
    rows = model.rows.detach().numpy().copy()
    for i, token in enumerate(data.vocab):
        if NUMBER.fullmatch(token) and not YEAR.fullmatch(token):
            rows[i] *= NUMBER_FACTOR
    faint(rows, blank, np.random.default_rng(seed))
    return rows


def main():
    p = argparse.ArgumentParser()
    p.add_argument("upstream")
    p.add_argument("out")
    p.add_argument("--steps", type=int, default=300)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--version", default="3")
    o = p.parse_args()
    data = Data(o.upstream, o.seed)
    rows = train(data, o.steps, o.seed)
    meta = {"version": o.version, "license": "MIT, weights Apache-2.0",
            "madeFrom": "sentence-transformers/all-MiniLM-L6-v2", "trainedOn": "filings of EDGAR",
            "steps": o.steps, "seed": o.seed}
    print(bidm.write_static(o.out, "bid-static", data.vocab, rows, np.ones(len(rows)), {}, repeat_factors(), meta))


if __name__ == "__main__":
    main()
