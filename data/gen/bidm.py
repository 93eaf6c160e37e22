"""Writes model files as common/model.h describes them."""
import hashlib
import json
import struct

import numpy as np
import xxhash

MAGIC = b"\x89BIDM\r\n\x1a"
STATIC, BERT = 1, 2
HEADER, ENTRY = 128, 40
WEIGHT_MAX = 16383
REPEAT_ONE = 1 << 14


def write(path, name, kind, dimensions, max_tokens, sections):
    """sections: [(name, bytes)].  Returns the fingerprint in hex."""
    at = HEADER + ENTRY * len(sections)
    table, body = b"", bytearray()
    for title, data in sections:
        pad = -(at + len(body)) % 64
        body += bytes(pad)
        table += struct.pack("<24sQQ", title.encode(), at + len(body), len(data))
        body += data
    facts = struct.pack("<IIII", kind, dimensions, max_tokens, len(sections))
    mark = hashlib.sha256(b"".join(d for _, d in sections) + facts).digest()
    checked = facts + mark + struct.pack("<48s", name.encode()) + table + bytes(body)
    head = MAGIC + struct.pack("<IIQQ", 0x01020304, 1, 32 + len(checked), xxhash.xxh3_64_intdigest(checked))
    with open(path, "wb") as f:
        f.write(head + checked)
    return mark.hex()


def pair_table(pairs):
    """{(first, second): row} -> uint64 table, at most half full; the hash is the one of embed_static.c."""
    if not pairs:
        return np.zeros(0, np.uint64)
    size = 1 << max(4, (2 * len(pairs) - 1).bit_length())
    table = [0xFFFFFFFFFFFFFFFF] * size
    for (a, b), row in sorted(pairs.items()):
        key = a << 16 | b
        at = (key * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF) >> 32 & size - 1
        while table[at] != 0xFFFFFFFFFFFFFFFF:
            at = at + 1 & size - 1
        table[at] = key << 32 | row
    return np.array(table, np.uint64)


def quantize(rows):
    """float [R, D] -> int8 rows and the step of each."""
    step = np.abs(rows).max(1) / 127
    safe = np.where(step > 0, step, 1)
    return np.clip(np.rint(rows / safe[:, None]), -127, 127).astype(np.int8), step


def to_weights(steps, top):
    """Steps as 0..16383, `top` being the largest step there is."""
    return np.rint(steps / top * WEIGHT_MAX).astype("<i2")


def write_static(path, name, vocab, rows, query_ratio, pairs, repeats, meta):
    """rows: float [R, D], importance folded in; query_ratio: [R], how much more a row weighs in a query; repeats:
    what the first, second, ... occurrence of a token counts, at most 1."""
    q, step = quantize(rows)
    asked = step * query_ratio
    sections = [
        ("meta", json.dumps(meta, ensure_ascii=False, sort_keys=True).encode()),
        ("vocab", ("\n".join(vocab) + "\n").encode()),
        ("rows", q.tobytes()),
        ("weights", to_weights(step, step.max()).tobytes()),
        ("query-weights", to_weights(asked, asked.max()).tobytes()),
        ("pairs", pair_table(pairs).astype("<u8").tobytes()),
        ("repeats", np.rint(np.asarray(repeats) * REPEAT_ONE).astype("<i2").tobytes()),
    ]
    return write(path, name, STATIC, rows.shape[1], 0, sections)
