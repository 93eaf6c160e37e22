#!/usr/bin/env python3
"""Makes a model file from a BERT sentence encoder (common/model/bert.h describes its sections).

    python3 data/gen/convert_bert.py FOLDER OUT.bidm [--name NAME] [--pooling mean|cls] [--max-tokens N]
                                     [--query-prefix TEXT] [--license TEXT]

FOLDER has config.json, vocab.txt and model.safetensors as sentence-transformers/all-MiniLM-L6-v2 and
BAAI/bge-small-en-v1.5 have them.  Needs numpy and xxhash.
"""
import argparse
import json
import os
import struct

import numpy as np

import bidm


def load_safetensors(path):
    """{name: float32 array}; the format is a length, a JSON header and the bytes."""
    with open(path, "rb") as f:
        data = f.read()
    size = struct.unpack("<Q", data[:8])[0]
    out = {}
    for name, info in json.loads(data[8:8 + size]).items():
        if name == "__metadata__" or info["dtype"] not in ("F32", "F16"):
            continue
        first, last = info["data_offsets"]
        kind = np.float32 if info["dtype"] == "F32" else np.float16
        out[name.removeprefix("bert.")] = np.frombuffer(data[8 + size + first:8 + size + last], kind).reshape(
            info["shape"]).astype(np.float32)
    return out


def stacked(weights, config, *names):
    """The tensors of all layers, one after the other; several names are joined row by row."""
    layers = []
    for i in range(config["num_hidden_layers"]):
        layers.append(np.concatenate([weights[f"encoder.layer.{i}.{n}"] for n in names]))
    return np.stack(layers).astype("<f4").tobytes()


def norm(weights, config, name):
    layers = [np.stack([weights[f"encoder.layer.{i}.{name}.{p}"] for p in ("weight", "bias")])
              for i in range(config["num_hidden_layers"])]
    return np.stack(layers).astype("<f4").tobytes()


def sections(weights, config, vocab, meta):
    positions = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    first = np.stack([weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"]])
    attention = [f"attention.self.{n}" for n in ("query", "key", "value")]
    out = [("meta", json.dumps(meta, ensure_ascii=False, sort_keys=True).encode()), ("vocab", vocab),
           ("embeddings", weights["embeddings.word_embeddings.weight"].astype("<f4").tobytes()),
           ("positions", positions.astype("<f4").tobytes()),
           ("embed-norm", first.astype("<f4").tobytes())]
    for title, names in (("qkv", attention), ("out", ["attention.output.dense"]), ("up", ["intermediate.dense"]),
                         ("down", ["output.dense"])):
        out.append((title, stacked(weights, config, *[n + ".weight" for n in names])))
        out.append((title + "-bias", stacked(weights, config, *[n + ".bias" for n in names])))
    out.append(("norm1", norm(weights, config, "attention.output.LayerNorm")))
    out.append(("norm2", norm(weights, config, "output.LayerNorm")))
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--name", required=True)
    parser.add_argument("--pooling", choices=("mean", "cls"), required=True)
    parser.add_argument("--max-tokens", type=int, default=512)
    parser.add_argument("--query-prefix", default="")
    parser.add_argument("--license", default="")
    args = parser.parse_args()
    with open(os.path.join(args.folder, "config.json")) as f:
        config = json.load(f)
    if config["model_type"] != "bert" or config["hidden_act"] != "gelu":
        raise SystemExit(f"{args.folder}: not a BERT encoder with GELU")
    with open(os.path.join(args.folder, "vocab.txt"), "rb") as f:
        vocab = f.read()
    weights = load_safetensors(os.path.join(args.folder, "model.safetensors"))
    meta = {"layers": config["num_hidden_layers"], "heads": config["num_attention_heads"],
            "hidden": config["hidden_size"], "intermediate": config["intermediate_size"],
            "positions": config["max_position_embeddings"], "epsilon": config["layer_norm_eps"],
            "pooling": args.pooling, "queryPrefix": args.query_prefix, "license": args.license,
            "tokens": len(weights["embeddings.word_embeddings.weight"])}
    mark = bidm.write(args.out, args.name, bidm.BERT, config["hidden_size"], args.max_tokens,
                      sections(weights, config, vocab, meta))
    print(f"{args.out}: {args.name}@{mark[:12]}, {os.path.getsize(args.out) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
