#!/usr/bin/env python3
"""Retrieval quality of embedding models on the development sets of ../shared/bench: nDCG@10 by its score.py.

usage: embed_quality.py MODEL... [--sets tatqa-dev,tatqa-units-dev] [--hybrid W] [--shared DIR]

MODEL  a program's command that reads {"text"} records and writes "embedding" ("bid-embed"; queries go
       through "bid-embed --query"), "bge-small" or "minilm" (bin/bid-embed with these models, as BID_BERT says),
       "mpnet" (data/gen/encoder.py), or "bm25" (Okapi, k1 1.2, b 0.75, plain lower-case words with a light
       stemmer).  The encoders' vectors are kept in .cache/vectors.
--hybrid W  also fuse each model with BM25: W * cosine + (1 - W) * BM25 scaled to its best score.

Windows of 200 words with 40 of overlap inside each page, as in the README there; all documents together.
"""
import argparse
import base64
import collections
import hashlib
import importlib.util
import json
import math
import os
import re
import shlex
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
WORDS, OVERLAP, DEPTH = 200, 40, 40


def windows(shared, name):
    """[(document, page, text)] of a set's corpus."""
    out = []
    for line in open(os.path.join(shared, "bench", name, "corpus.ndjson"), encoding="utf-8"):
        doc = json.loads(line)
        for page, text in enumerate(doc["pages"]):
            words = text.split()
            for at in range(0, max(len(words) - OVERLAP, 1), WORDS - OVERLAP):
                if words:
                    out.append((doc["id"], page, " ".join(words[at:at + WORDS])))
    return out


def by_program(command, texts, query):
    words = shlex.split(command) + (["--query"] if query else [])
    feed = "".join(json.dumps({"text": t}) + "\n" for t in texts)
    done = subprocess.run(words, input=feed.encode(), stdout=subprocess.PIPE, check=True)
    vectors = [json.loads(line)["embedding"] for line in done.stdout.splitlines()]
    return np.stack([np.frombuffer(base64.b64decode(v), "<f4") for v in vectors])


def by_encoder(name, texts):
    sys.path.insert(0, os.path.join(ROOT, "data", "gen"))
    from teachers import teacher  # noqa: E402
    return teacher(name).encode(texts)


def encode(model, texts, query):
    files = {"minilm": "all-MiniLM-L6-v2", "bge-small": "bge-small-en-v1.5"}
    program = f"{os.environ.get('BID_BIN') or os.path.join(ROOT, 'bin')}/bid-embed --quiet --model {files.get(model)}"
    if model not in (*files, "mpnet"):
        return by_program(model, texts, query)
    way = os.environ.get("BID_BERT") or "int8"
    key = hashlib.sha256("\0".join([model, way, str(query)] + texts).encode()).hexdigest()[:16]
    path = os.path.join(ROOT, ".cache", "vectors", f"{model}-{key}.npy")
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        np.save(path, by_program(program, texts, query) if model in files else by_encoder(model, texts))
    return np.load(path)


def terms(text):
    out = []
    for w in re.findall(r"[a-z0-9]+(?:[.,][0-9]+)*", text.lower()):
        for end in ("ing", "ies", "ed", "es", "s"):
            if w.endswith(end) and len(w) - len(end) >= 3:
                w = w[:-len(end)]
                break
        out.append(w)
    return out


def bm25(texts, queries):
    """Scores [queries, texts]."""
    docs = [collections.Counter(terms(t)) for t in texts]
    length = np.array([sum(d.values()) for d in docs], np.float32)
    posting = collections.defaultdict(list)
    for i, d in enumerate(docs):
        for t, n in d.items():
            posting[t].append((i, n))
    norm = 1.2 * (0.25 + 0.75 * length / length.mean())
    out = np.zeros((len(queries), len(texts)), np.float32)
    for q, text in enumerate(queries):
        for t in terms(text):
            rows = posting.get(t)
            if rows:
                i, n = (np.array(x) for x in zip(*rows))
                idf = math.log(1 + (len(docs) - len(rows) + .5) / (len(rows) + .5))
                out[q, i] += idf * n * 2.2 / (n + norm[i])
    return out


def scorer(shared):
    spec = importlib.util.spec_from_file_location("score", os.path.join(shared, "bench", "score.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_of(scores, wins, queries):
    top = np.argsort(-scores, axis=1, kind="stable")[:, :DEPTH]
    return {q["id"]: [(wins[i][0], [wins[i][1]]) for i in row] for q, row in zip(queries, top)}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("models", nargs="+")
    p.add_argument("--sets", default="tatqa-dev,tatqa-units-dev")
    p.add_argument("--hybrid", type=float, action="append", default=[])
    p.add_argument("--shared", default=os.environ.get("BID_SHARED") or os.path.join(ROOT, "..", "shared"))
    p.add_argument("--brief", action="store_true")
    o = p.parse_args()
    if not os.path.isdir(os.path.join(o.shared, "bench")):
        sys.exit("embed_quality: skipped: no shared/bench here")
    score = scorer(o.shared)
    print(f"{'model':<34}{'set':<18}hit@5  MRR@10 nDCG@10 [95 %]")
    for name in o.sets.split(","):
        wins = windows(o.shared, name)
        queries = [json.loads(x) for x in open(os.path.join(o.shared, "bench", name, "queries.ndjson"))]
        table = {q["id"]: q for q in queries}
        texts, asked = [w[2] for w in wins], [q["question"] for q in queries]
        lexical = bm25(texts, asked)

        def show(label, scores):
            per = score.score(run_of(scores, wins, queries), table)
            m = [score.mean([v[i] for v in per.values()]) for i in range(5)]
            ci = ["", ""] if o.brief else ["%.3f" % x for x in score.bootstrap(per, table)[3]]
            print(f"{label:<34}{name:<18}{m[0]:.3f}  {m[2]:.3f}  {m[3]:.3f}   [{ci[0]} {ci[1]}]", flush=True)

        for model in o.models:
            if model == "bm25":
                show(model, lexical)
                continue
            v, q = encode(model, texts, False), encode(model, asked, True)
            cosine = q @ v.T
            label = os.path.basename(model)
            show(label, cosine)
            for w in o.hybrid:
                show(f"{label} {w:g} + bm25 {1 - w:g}",
                     w * cosine + (1 - w) * lexical / np.maximum(lexical.max(1, keepdims=True), 1e-6))


if __name__ == "__main__":
    main()
