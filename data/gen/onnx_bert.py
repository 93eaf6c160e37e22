#!/usr/bin/env python3
"""Takes a BERT sentence encoder out of an ONNX file, as the folder that convert_bert.py reads.

    python3 data/gen/onnx_bert.py MODEL.onnx TOKENIZER.json FOLDER

Written: config.json, vocab.txt and model.safetensors, float32.  The graph is one that PyTorch's exporter made of Hugging
Face's BertModel: embeddings, biases and norms have their names, and a linear layer's matrix, which has lost its own
and lies as [inputs][outputs], is known by the MatMul that takes it.  Needs numpy and onnx.
"""
import json
import os
import re
import struct
import sys

import numpy as np
import onnx
from onnx import numpy_helper

KEPT = re.compile(r"(embeddings|encoder\.layer)\.")


def tensors(graph):
    """{BERT's name: float32 array}."""
    found = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    out = {n: a for n, a in found.items() if KEPT.match(n) and a.dtype == np.float32}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in found:
            name = node.name.removeprefix("/").removesuffix("/MatMul").replace("/", ".")
            out[name + ".weight"] = found[node.input[1]].T
    return out


def constant(graph, user, place):
    """The number that the node named `user` takes as its input `place`."""
    made = {n.output[0]: n for n in graph.node if n.op_type == "Constant"}
    node = next(n for n in graph.node if n.name == user)
    return float(numpy_helper.to_array(made[node.input[place]].attribute[0].t))


def shape(graph, weights):
    """The configuration, as the graph and the shapes of its weights tell it."""
    tokens, hidden = weights["embeddings.word_embeddings.weight"].shape
    layers = 1 + max(int(n.split(".")[2]) for n in weights if n.startswith("encoder.layer."))
    head = round(constant(graph, "/encoder/layer.0/attention/self/Div", 1) ** 2)
    erf = any(n.op_type == "Erf" for n in graph.node)
    return {"model_type": "bert", "hidden_act": "gelu" if erf else "other", "num_hidden_layers": layers,
            "num_attention_heads": hidden // head, "hidden_size": hidden, "vocab_size": tokens,
            "intermediate_size": len(weights["encoder.layer.0.intermediate.dense.weight"]),
            "max_position_embeddings": len(weights["embeddings.position_embeddings.weight"]),
            "layer_norm_eps": float(f"{constant(graph, '/embeddings/LayerNorm/Add', 1):.6g}")}


def vocabulary(path, tokens):
    """The WordPiece tokens in the order of their ids, of a tokenizer that is BERT's uncased one."""
    with open(path, encoding="utf-8") as f:
        t = json.load(f)
    ids = t["model"]["vocab"]
    words = sorted(ids, key=ids.get)
    plain = t["normalizer"]["type"] == "BertNormalizer" and t["normalizer"]["lowercase"]
    if not plain or [ids[w] for w in words] != list(range(tokens)):
        raise SystemExit(f"{path}: not BERT's uncased tokenizer with {tokens} tokens")
    return "".join(w + "\n" for w in words)


def write_safetensors(path, weights):
    at, table = 0, {}
    for name in sorted(weights):
        size = weights[name].size * 4
        table[name] = {"dtype": "F32", "shape": list(weights[name].shape), "data_offsets": [at, at + size]}
        at += size
    head = json.dumps(table).encode()
    head += b" " * (-len(head) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(head)) + head)
        for name in sorted(weights):
            f.write(np.ascontiguousarray(weights[name], "<f4").tobytes())


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: onnx_bert.py MODEL.onnx TOKENIZER.json FOLDER")
    source, tokenizer, folder = sys.argv[1:]
    graph = onnx.load(source).graph
    weights = tensors(graph)
    config = shape(graph, weights)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "vocab.txt"), "w", encoding="utf-8") as f:
        f.write(vocabulary(tokenizer, config["vocab_size"]))
    with open(os.path.join(folder, "config.json"), "w") as f:
        json.dump(config, f, indent=1)
    write_safetensors(os.path.join(folder, "model.safetensors"), weights)


if __name__ == "__main__":
    main()
