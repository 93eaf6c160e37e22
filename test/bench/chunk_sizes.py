#!/usr/bin/env python3
"""The effect of bid-chunk's limit on retrieval: nDCG@10 of pages on ../shared/bench/tatqa-dev for passages of several sizes.

    chunk_sizes.py [BIN] [TOKENS...]        BIN: folder of the programs (bin)

A page scores as its best passage: by BM25 (k1 0.9, b 0.4, a crude stemmer), by bid-embed's default model, and by both (BM25
over the query's best score, cosine over the query's best above its mean; weights .7 and .3).  Needs numpy.
"""
import base64
import json
import math
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict

import numpy as np

BENCH = os.path.join(os.environ.get("BID_SHARED") or "../shared", "bench", "tatqa-dev")


def read(name):
    with open(os.path.join(BENCH, name), encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def run(command, records):
    text = "".join(json.dumps(r) + "\n" for r in records)
    out = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return [json.loads(line) for line in out.stdout.splitlines()]


def vectors(records):
    return np.stack([np.frombuffer(base64.b64decode(r["embedding"]), "<f4") for r in records])


def words(text):
    return [re.sub(r"(?<=...)(ing|ed|es|s)$", "", w) for w in re.findall(r"[a-z0-9]+", text.lower())]


class Bm25:
    def __init__(self, texts):
        self.postings, lengths = defaultdict(list), []
        for i, text in enumerate(texts):
            counts = Counter(words(text))
            lengths.append(sum(counts.values()))
            for word, n in counts.items():
                self.postings[word].append((i, n))
        self.norm = 0.9 * (0.6 + 0.4 * np.array(lengths) / np.mean(lengths))

    def scores(self, query):
        out = np.zeros(len(self.norm))
        for word in set(words(query)) & self.postings.keys():
            at, n = np.array(self.postings[word]).T
            idf = math.log(1 + (len(out) - len(at) + 0.5) / (len(at) + 0.5))
            out[at] += idf * n * 1.9 / (n + self.norm[at])
        return out


def gain(scores, own, pages, wanted):
    best = np.full(pages, -1e9)
    np.maximum.at(best, own, scores)
    rank = int((best > best[wanted]).sum())
    return 1 / math.log2(rank + 2) if rank < 10 else 0.0


def measure(folder, tokens, pages, queries, asked):
    chunks = run([f"{folder}/bid-chunk", "--tokens", str(tokens)],
                 [{"sourceUrl": p["id"], "text": "\n\n".join(p["pages"])} for p in pages])
    number = {p["id"]: i for i, p in enumerate(pages)}
    own = np.array([number[c["sourceUrl"]] for c in chunks])
    cosines = asked @ vectors(run([f"{folder}/bid-embed"], chunks)).T
    bm25 = Bm25([c["text"] for c in chunks])
    sums = np.zeros(3)
    for q, cosine in zip(queries, cosines):
        lexical = bm25.scores(q["question"])
        both = 0.7 * lexical / max(lexical.max(), 1e-9) + 0.3 * (cosine - cosine.mean()) / (cosine.max() - cosine.mean())
        sums += [gain(s, own, len(pages), number[q["doc_name"]]) for s in (lexical, cosine, both)]
    print(f"{tokens} tokens, {len(chunks)} passages: BM25 %.3f, vectors %.3f, both %.3f" % tuple(sums / len(queries)))


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "bin"
    pages, queries = read("corpus.ndjson"), read("queries.ndjson")
    asked = vectors(run([f"{folder}/bid-embed", "--query"], [{"text": q["question"]} for q in queries]))
    for tokens in sys.argv[2:] or (100, 128, 192, 256, 384, 512):
        measure(folder, tokens, pages, queries, asked)


if __name__ == "__main__":
    main()
