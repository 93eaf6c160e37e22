"""Writes model files as common/model/model.h describes them."""
import hashlib
import json
import os
import struct
import sys

import numpy as np
import xxhash

MAGIC = b"\x89BIDM\r\n\x1a"
STATIC, BERT = 1, 2
HEADER, ENTRY, BLOCK = 128, 40, 4096
DERIVED = ("order", "checks")
WEIGHT_MAX = 16383
REPEAT_ONE = 1 << 14


def order(vocab):
    """Section "order" of a vocabulary, bytes: its tokens' starts and ids in the order of their bytes."""
    starts, at = [], 0
    lines = vocab.removesuffix(b"\n").split(b"\n")
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    ids = sorted(range(len(lines)), key=lambda i: (lines[i], i))
    return b"".join(struct.pack("<II", starts[i], i) for i in ids)


def checks(front):
    """Section "checks" for the sections before it; bytes 0 to 31 of the file may still change."""
    ends = range(BLOCK, len(front) + BLOCK, BLOCK)
    return b"".join(struct.pack("<Q", xxhash.xxh3_64_intdigest(front[max(32, e - BLOCK):e])) for e in ends)


def write(path, name, kind, dimensions, max_tokens, sections):
    """sections: [(name, bytes)], to which "order" and "checks" are added.  Returns the fingerprint in hex."""
    facts = (kind, dimensions, max_tokens)
    mark = hashlib.sha256(b"".join(d for _, d in sections) + struct.pack("<IIII", *facts, len(sections))).digest()
    sections = sections + [("order", order(dict(sections)["vocab"]))]
    at = HEADER + ENTRY * (len(sections) + 1)
    table, body = b"", bytearray()
    for title, data in sections:
        body += bytes(-(at + len(body)) % 64)
        table += struct.pack("<24sQQ", title.encode(), at + len(body), len(data))
        body += data
    body += bytes(-(at + len(body)) % 64)
    start = at + len(body)
    table += struct.pack("<24sQQ", b"checks", start, 8 * -(-start // BLOCK))
    front = struct.pack("<IIII", *facts, len(sections) + 1) + mark + struct.pack("<48s", name.encode()) + table + body
    checked = front + checks(bytes(32) + front)
    head = MAGIC + struct.pack("<IIQQ", 0x01020304, 1, 32 + len(checked), xxhash.xxh3_64_intdigest(checked))
    with open(path, "wb") as f:
        f.write(head + checked)
    return mark.hex()


def read(path):
    """(name, kind, dimensions, max_tokens, sections, fingerprint in hex) of a file, without what write() adds."""
    with open(path, "rb") as f:
        data = f.read()
    if data[:8] != MAGIC or xxhash.xxh3_64_intdigest(data[32:]) != struct.unpack_from("<Q", data, 24)[0]:
        raise SystemExit(f"{path}: not a model file, or a damaged one")
    kind, dimensions, max_tokens, count = struct.unpack_from("<IIII", data, 32)
    sections = []
    for i in range(count):
        title, offset, size = struct.unpack_from("<24sQQ", data, HEADER + ENTRY * i)
        sections.append((title.rstrip(b"\0").decode(), data[offset:offset + size]))
    name = data[80:HEADER].rstrip(b"\0").decode()
    return name, kind, dimensions, max_tokens, [s for s in sections if s[0] not in DERIVED], data[48:80].hex()


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
    """Steps as 0..16383; `top` is the largest step."""
    return np.rint(steps / top * WEIGHT_MAX).astype("<i2")


def write_static(path, name, vocab, rows, query_ratio, pairs, repeats, meta):
    """rows: float [R, D], importance folded in; query_ratio: [R], the relative weight of a row in a query; repeats:
    weights of the first, second, ... occurrence of a token, at most 1."""
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


def main():
    """bidm.py FILE...: rewrites model files, adding the sections that an older version of this script lacked."""
    for path in sys.argv[1:]:
        name, kind, dimensions, max_tokens, sections, before = read(path)
        mark = write(path + ".new", name, kind, dimensions, max_tokens, sections)
        if mark != before:
            raise SystemExit(f"{path}: its fingerprint is not that of its sections; left as it is")
        os.replace(path + ".new", path)
        print(f"{path}: {name}@{mark[:12]}")


if __name__ == "__main__":
    main()
