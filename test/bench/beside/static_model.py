"""static_model.py MODEL.bidm FOLDER BID-EMBED: the shipped model's rows as a model2vec model; checks that both embed alike."""
import base64
import json
import struct
import subprocess
import sys

import numpy as np
from model2vec import StaticModel
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers


def static_model(path):
    """The model file as model2vec's model, and its tokenizer."""
    data = open(path, "rb").read()
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
    # Floating point first: int8 times int16 overflows.
    return StaticModel(rows.astype(np.float32) * weights[:, None] / 16383, tokenizer, normalize=True), tokenizer


def check(model, embed):
    """The model gives bid-embed's vector of a text, but for rounding."""
    text = "Supply chain risks of the company"
    said = subprocess.run([embed], input=json.dumps({"id": "1", "text": text}).encode(), stdout=subprocess.PIPE, check=True)
    ours = np.frombuffer(base64.b64decode(json.loads(said.stdout)["embedding"]), "<f4")
    theirs = model.encode([text])[0]
    cosine = ours @ theirs / np.linalg.norm(ours) / np.linalg.norm(theirs)
    if cosine < 0.999:
        raise SystemExit("static_model.py: not bid-embed's vectors: cosine %.3f" % cosine)


if __name__ == "__main__":
    made = static_model(sys.argv[1])[0]
    check(made, sys.argv[3])
    made.save_pretrained(sys.argv[2])
