"""static_model.py MODEL.bidm FOLDER: the shipped model's rows as a model2vec model, so that both embed alike."""
import struct
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
    return StaticModel((rows * weights[:, None] / 16383).astype(np.float32), tokenizer, normalize=True), tokenizer


if __name__ == "__main__":
    static_model(sys.argv[1])[0].save_pretrained(sys.argv[2])
