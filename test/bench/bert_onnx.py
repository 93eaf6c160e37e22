#!/usr/bin/env python3
"""A BERT encoder through onnxruntime: the vectors and the speed that common/bert.c is held against.

    bert_onnx.py FOLDER PASSAGES.ndjson OUT.npy [--pooling mean|cls] [--int8] [--threads N] [--max-tokens N]

FOLDER as data/gen/convert_bert.py takes it.  The graph is built here from the weights, with opset 20's
LayerNormalization and Gelu; --int8 is onnxruntime's quantize_dynamic, per channel.  Batches are of 16 passages of
like length.  Prints passages a second, the best of three runs.
"""
import argparse
import json
import os
import sys
import time

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper
from tokenizers import BertWordPieceTokenizer

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "gen"))
from convert_bert import load_safetensors  # noqa: E402


class Graph:
    def __init__(self):
        self.nodes, self.init, self.count = [], [], 0

    def const(self, array, name=None):
        self.count += 1
        name = name or f"c{self.count}"
        self.init.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def op(self, kind, *inputs, **attributes):
        self.count += 1
        out = f"v{self.count}"
        self.nodes.append(helper.make_node(kind, list(inputs), [out], name=f"n{self.count}", **attributes))
        return out

    def linear(self, x, w, b):
        return self.op("Add", self.op("MatMul", x, self.const(w.T)), self.const(b))

    def norm(self, x, w, name, eps):
        return self.op("LayerNormalization", x, self.const(w[name + ".weight"]), self.const(w[name + ".bias"]),
                       axis=-1, epsilon=eps)


def build(folder):
    with open(os.path.join(folder, "config.json")) as f:
        config = json.load(f)
    w, g = load_safetensors(os.path.join(folder, "model.safetensors")), Graph()
    heads, hidden, eps = config["num_attention_heads"], config["hidden_size"], config["layer_norm_eps"]
    dim = hidden // heads
    table = w["embeddings.position_embeddings.weight"] + w["embeddings.token_type_embeddings.weight"][0]
    x = g.op("Add", g.op("Gather", g.const(w["embeddings.word_embeddings.weight"]), "ids", axis=0),
             g.op("Gather", g.const(table), "places", axis=0))
    x = g.norm(x, w, "embeddings.LayerNorm", eps)
    bias = g.op("Mul", g.op("Sub", g.const(np.float32(1)), g.op("Cast", "mask", to=TensorProto.FLOAT)),
                g.const(np.float32(-1e4)))
    bias = g.op("Unsqueeze", bias, g.const(np.array([1, 2], np.int64)))
    split = g.const(np.array([0, 0, heads, dim], np.int64))
    join = g.const(np.array([0, 0, hidden], np.int64))
    for i in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{i}."
        q, k, v = (g.op("Reshape", g.linear(x, w[f"{at}attention.self.{p}.weight"], w[f"{at}attention.self.{p}.bias"]),
                        split) for p in ("query", "key", "value"))
        q, v = (g.op("Transpose", t, perm=[0, 2, 1, 3]) for t in (q, v))
        k = g.op("Transpose", k, perm=[0, 2, 3, 1])
        scores = g.op("Div", g.op("MatMul", q, k), g.const(np.float32(dim ** 0.5)))
        mixed = g.op("MatMul", g.op("Softmax", g.op("Add", scores, bias), axis=-1), v)
        mixed = g.op("Reshape", g.op("Transpose", mixed, perm=[0, 2, 1, 3]), join)
        out = f"{at}attention.output."
        x = g.norm(g.op("Add", x, g.linear(mixed, w[out + "dense.weight"], w[out + "dense.bias"])), w,
                   out + "LayerNorm", eps)
        y = g.op("Gelu", g.linear(x, w[f"{at}intermediate.dense.weight"], w[f"{at}intermediate.dense.bias"]))
        out = f"{at}output."
        x = g.norm(g.op("Add", x, g.linear(y, w[out + "dense.weight"], w[out + "dense.bias"])), w, out + "LayerNorm",
                   eps)
    inputs = [helper.make_tensor_value_info(t, TensorProto.INT64, ["b", "n"]) for t in ("ids", "mask")]
    inputs.append(helper.make_tensor_value_info("places", TensorProto.INT64, ["n"]))
    outputs = [helper.make_tensor_value_info(x, TensorProto.FLOAT, ["b", "n", hidden])]
    graph = helper.make_graph(g.nodes, "bert", inputs, outputs, g.init)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def session(path, threads):
    options = ort.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads
    return ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def encode(run, lists, pooling):
    order = sorted(range(len(lists)), key=lambda i: -len(lists[i]))
    out = None
    for at in range(0, len(order), 16):
        part = order[at:at + 16]
        n = len(lists[part[0]])
        ids, mask = (np.zeros((len(part), n), np.int64) for _ in "ab")
        for row, i in enumerate(part):
            ids[row, :len(lists[i])] = lists[i]
            mask[row, :len(lists[i])] = 1
        h = run.run(None, {"ids": ids, "mask": mask, "places": np.arange(n)})[0]
        m = mask[:, :, None].astype(np.float32)
        v = h[:, 0] if pooling == "cls" else (h * m).sum(1) / m.sum(1)
        out = np.zeros((len(lists), v.shape[1]), np.float32) if out is None else out
        out[part] = v / np.linalg.norm(v, axis=1, keepdims=True)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("passages")
    parser.add_argument("out")
    parser.add_argument("--pooling", choices=("mean", "cls"), default="mean")
    parser.add_argument("--int8", action="store_true")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--max-tokens", type=int, default=512)
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    path = os.path.splitext(args.out)[0] + ".onnx"
    onnx.save(build(args.folder), path)
    if args.int8:
        from onnxruntime.quantization import QuantType, quantize_dynamic
        quantize_dynamic(path, path + ".int8", per_channel=True, weight_type=QuantType.QInt8)
        os.replace(path + ".int8", path)
    t = BertWordPieceTokenizer(os.path.join(args.folder, "vocab.txt"), lowercase=True)
    t.enable_truncation(args.max_tokens)
    with open(args.passages, encoding="utf-8") as f:
        lists = [t.encode(json.loads(line)["text"]).ids for line in f]
    run, best, busy = session(path, args.threads), 1e9, 1e9
    for _ in range(args.runs):
        start, used = time.time(), time.process_time()
        vectors = encode(run, lists, args.pooling)
        best, busy = min(best, time.time() - start), min(busy, time.process_time() - used)
    np.save(args.out, vectors)
    print(f"onnxruntime {ort.__version__} {'int8' if args.int8 else 'float32'}, {args.threads} threads: "
          f"{len(lists) / best:.1f} passages/s, {sum(map(len, lists)) / best:.0f} tokens/s, "
          f"{len(lists) / busy:.1f} passages a second of CPU time")


if __name__ == "__main__":
    main()
