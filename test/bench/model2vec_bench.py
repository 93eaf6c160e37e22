"""model2vec's Python on the benchmark's text, with bid-static's rows: writes them as a model folder and encodes.

usage: model2vec_bench.py FOLDER
"""
import os
import struct
import sys
import time

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
import numpy as np  # noqa: E402
from model2vec import StaticModel  # noqa: E402
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers  # noqa: E402

folder = sys.argv[1]
data = open("data/models/bid-static.bidm", "rb").read()
section = {}
for i in range(struct.unpack_from("<I", data, 44)[0]):
    name, at, size = struct.unpack_from("<24sQQ", data, 128 + 40 * i)
    section[name.rstrip(b"\0").decode()] = data[at:at + size]
vocab = section["vocab"].decode().split("\n")[:-1]
rows = np.frombuffer(section["rows"], np.int8).reshape(-1, 256)[:len(vocab)]
weights = np.frombuffer(section["weights"], np.int16)[:len(vocab)]
tokenizer = Tokenizer(models.WordPiece({w: i for i, w in enumerate(vocab)}, unk_token="[UNK]"))
tokenizer.normalizer = normalizers.BertNormalizer()
tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
model = StaticModel((rows * weights[:, None] / 16383).astype(np.float32), tokenizer, normalize=True)
model.save_pretrained(folder + "/model2vec")
lines = open(folder + "/lines.txt").read().split("\n")[:-1]
tokens = sum(len(e.ids) for e in tokenizer.encode_batch(lines, add_special_tokens=False))
for _ in range(3):
    start, busy = time.perf_counter(), time.process_time()
    model.encode(lines, max_length=None, use_multiprocessing=False)
    wall, cpu = time.perf_counter() - start, time.process_time() - busy
    print("model2vec Python, one process: %.2f s, %.2f of CPU: %.2f million tokens/s, %.2f a CPU second" % (
        wall, cpu, tokens / wall / 1e6, tokens / cpu / 1e6), flush=True)
