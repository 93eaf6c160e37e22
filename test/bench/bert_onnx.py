#!/usr/bin/env python3
"""Compares bid-embed's BERT encoders with onnxruntime: agreement, then speed in alternating runs.

    bert_onnx.py CHUNKS.ndjson MODEL... [--threads 2] [--passages 1000] [--timed 192] [--runs 3] [--ways WAY,...]

MODEL is bge-small-en-v1.5 or all-MiniLM-L6-v2; its files are those of make model-bge-small and make model-minilm, and
onnxruntime's those of "data/gen/fetch_bert.sh peers" (.cache/bert/onnx), run as they are.  Agreement: cosines with
onnxruntime's float32 vectors over the passages, evenly out of CHUNKS.  Speed: passages of exactly 256 tokens, [CLS] and
[SEP] among them, in batches of 16 for onnxruntime, all at once for bid-embed (whose time includes opening the model);
medians of the runs, and the least CPU time.
"""
import argparse
import base64
import json
import os
import resource
import statistics
import subprocess
import sys
import time

import numpy as np
import onnxruntime as ort
from tokenizers import Tokenizer

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LENGTH = 256
MODELS = {"bge-small-en-v1.5": ("cls", 512), "all-MiniLM-L6-v2": ("mean", 256)}
BIN = os.environ.get("BID_BIN") or os.path.join(ROOT, "bin")
PEERS = os.path.join(ROOT, ".cache", "bert", "onnx")


def tokenizer(limit):
    t = Tokenizer.from_file(os.path.join(PEERS, "bge-small-en-v1.5-tokenizer.json"))
    t.no_padding()
    t.no_truncation()
    if limit:
        t.enable_truncation(limit)
    return t


class Onnx:
    def __init__(self, model, kind, threads):
        options = ort.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = threads
        path = os.path.join(PEERS, model.lower() + ("-q" if kind == "int8" else "") + ".onnx")
        self.name = f"onnxruntime {ort.__version__} {kind}"
        self.run = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.pooling, limit = MODELS[model]
        self.tokenizer = tokenizer(limit)

    def encode(self, texts):
        lists = [self.tokenizer.encode(t).ids for t in texts]
        order = sorted(range(len(lists)), key=lambda i: -len(lists[i]))
        out = np.zeros((len(lists), 384), np.float32)
        for at in range(0, len(order), 16):
            part = order[at:at + 16]
            ids, mask = (np.zeros((len(part), len(lists[part[0]])), np.int64) for _ in "ab")
            for row, i in enumerate(part):
                ids[row, :len(lists[i])] = lists[i]
                mask[row, :len(lists[i])] = 1
            feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            h = self.run.run(None, {i.name: feeds[i.name] for i in self.run.get_inputs()})[0]
            m = mask[:, :, None].astype(np.float32)
            out[part] = h[:, 0] if self.pooling == "cls" else (h * m).sum(1) / m.sum(1)
        return out / np.linalg.norm(out, axis=1, keepdims=True)


class Ours:
    def __init__(self, model, way, threads):
        self.name = f"bid-embed {way}"
        self.env = dict(os.environ, BID_BERT=way)
        path = os.path.join(ROOT, "data", "models", model + ".bidm")
        self.command = [os.path.join(BIN, "bid-embed"), "--quiet", "--model", path, "--threads", str(threads)]

    def encode(self, texts):
        feed = "".join(json.dumps({"text": t}) + "\n" for t in texts).encode()
        done = subprocess.run(self.command, input=feed, stdout=subprocess.PIPE, env=self.env, check=True)
        rows = [json.loads(line)["embedding"] for line in done.stdout.splitlines()]
        return np.stack([np.frombuffer(base64.b64decode(r), "<f4") for r in rows])


def is_there(way):
    """False if the processor lacks the instructions."""
    probe = subprocess.run(way.command, input=b'{"text":"net sales"}\n', stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, env=way.env)
    return probe.returncode == 0


def cpu_seconds():
    return sum(getattr(resource.getrusage(who), f) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
               for f in ("ru_utime", "ru_stime"))


def cut_texts(texts, count):
    """Texts of exactly LENGTH tokens: short ones are joined to the next until they are long enough, then cut."""
    t, out, held = tokenizer(0), [], ""
    for text in texts:
        held += text + "\n"
        encoded = t.encode(held)
        if len(encoded.ids) > LENGTH:
            cut = held[:encoded.offsets[LENGTH - 2][1]]
            held = ""
            if len(t.encode(cut).ids) == LENGTH:
                out.append(cut)
        if len(out) == count:
            break
    return out


def agreement(ways, reference, texts):
    want = reference.encode(texts)
    for w in ways:
        if w is not reference:
            cosine = (w.encode(texts) * want).sum(1)
            print(f"  cosine with onnxruntime's float32, {w.name}: least {cosine.min():.6f}, mean {cosine.mean():.6f}",
                  flush=True)


def speed(ways, texts, runs):
    wall, cpu = {w: [] for w in ways}, {w: [] for w in ways}
    for _ in range(runs):
        for w in ways:
            start, used = time.time(), cpu_seconds()
            w.encode(texts)
            wall[w].append(time.time() - start)
            cpu[w].append(cpu_seconds() - used)
    for w in ways:
        middle = statistics.median(wall[w])
        print(f"  {w.name}: {len(texts) / middle:.1f} passages/s ({len(texts) * LENGTH / middle:.0f} tokens/s), "
              f"{len(texts) / min(cpu[w]):.1f} a second of CPU time", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("chunks")
    parser.add_argument("models", nargs="+", choices=sorted(MODELS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--passages", type=int, default=1000)
    parser.add_argument("--timed", type=int, default=192)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--ways", default="float32,avx512-vnni,avx-vnni,avx2")
    o = parser.parse_args()
    with open(o.chunks, encoding="utf-8") as f:
        texts = [json.loads(line)["text"] for line in f]
    step = max(1, len(texts) // max(o.passages, 1))
    for model in o.models:
        ours = [Ours(model, way, o.threads) for way in o.ways.split(",")]
        missing = [w.name for w in ours if not is_there(w)]
        ours = [w for w in ours if w.name not in missing]
        peers = [Onnx(model, kind, o.threads) for kind in ("float32", "int8")]
        print(f"{model}, {o.threads} threads" + "".join(f"; {name} is not in this processor" for name in missing))
        if o.passages:
            print(f" {len(texts[::step][:o.passages])} passages of filings")
            agreement(ours + peers, peers[0], texts[::step][:o.passages])
        if o.timed:
            timed = cut_texts(texts, o.timed)
            print(f" {len(timed)} passages of {LENGTH} tokens, medians of {o.runs} runs")
            speed(ours + peers, timed, o.runs)


if __name__ == "__main__":
    sys.exit(main())
