#!/usr/bin/env python3
"""Writes test/data/wordpiece_{words,unicode,filings}.txt: the ids that the reference tokenizer gives.

    .venv-models/bin/python test/gen/wordpiece_expected.py VOCAB [UPSTREAM]

VOCAB is BERT's uncased vocabulary, a token a line; the PyPI package tokenizers is the reference
(BertNormalizer, BertPreTokenizer, WordPiece; special tokens in a text are text).  An expectation is the FNV-1a
hash (32 bits) of the ids as 4 little-endian bytes each.

  words     JSON string, tab, ids: written by hand, for people to read
  unicode   hashes only; test/unit/wordpiece_test.c draws the same strings from the same generator
  filings   "path size count", then hashes: strings cut out of ../shared/upstream as cut() says; the strings
            themselves are not kept
"""
import json
import os
import re
import struct
import sys

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

# What a character of an odd string is drawn from; the test has the same table.
RANGES = [(97, 122), (32, 126), (0x80, 0xFF), (0x100, 0x24F), (0x300, 0x36F), (0x370, 0x52F), (0x590, 0x6FF),
          (0x900, 0xDFF), (0x1E00, 0x1FFF), (0x2000, 0x206F), (0x20A0, 0x22FF), (0x3000, 0x30FF),
          (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0x1F300, 0x1FAFF), (0xF900, 0xFFEF), (0, 0x10FFFF), (0, 0x9F)]
ODD_COUNT = 2000
FILINGS_COUNT = 15000  # some of them are equal
RUN_MIN, RUN_MAX = 24, 2000

WORDS = [
    "", " ", "Apple Inc.", "net sales of $391,035 million", "unaffable", "non-GAAP EBITDA", "U.S.", "3.5%",
    "Société Générale", "naïve café", "ÅNGSTRÖM", "İstanbul", "straße", "ΣΊΣΥΦΟΣ", "ﬁnancial ﬂow", "½ ² ™ ® §",
    "“quoted” — dashed – it’s", "soft\u00adhyphen zero\u200bwidth no\u00a0break", "form\ffeed\vtab\ttab\r\nline",
    "a\u0000b\ufffdc", "你好世界 2024年", "日本語カタカナ ひらがな", "한국어 회사", "مرحبا بالعالم", "नमस्ते", "😀 emoji👍🏽",
    "[CLS] [SEP] [MASK] [UNK]", "##ing # ing", "e\u0301 \u0301", "\u212b \u2260 \u037e", "x" * 100, "x" * 101,
    "\u00e9" * 100, "\u00e9" * 101, "supercalifragilisticexpialidocious", "0.00001234567890", "\U0001d400\U0001d7ce",
    "\u302e\u3099か\u3099", "\u2028\u2029\u0085x", "a\u0300\u0316b", "don't can't", "_under_score_ a/b\\c", "\uf900\u4e00",
    "telecommunications", "a" * 17, "\U00020000\U0002b820\U0002b920", "Item\u00a01A.\u2003Risk\u2009Factors",
]


def load(path):
    with open(path, encoding="utf-8") as f:
        vocab = {line.rstrip("\n"): i for i, line in enumerate(f)}
    t = Tokenizer(models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=100))
    t.normalizer = normalizers.BertNormalizer(lowercase=True)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return t


def draw(index):
    """Odd string number index: a linear congruential generator, its upper bits."""
    state = index * 2 + 1

    def below(n):
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        return (state >> 33) % n

    out = []
    for _ in range(1 + below(28)):
        first, last = RANGES[below(len(RANGES))]
        c = first + below(last - first + 1)
        if not 0xD800 <= c <= 0xDFFF:
            out.append(chr(c))
    text = "".join(out)
    return text.replace(" ", "") * (10240 // max(1, len(text.encode())) + 1) if index % 100 == 0 else text


def reference(match):
    c = int(match[1])
    return chr(c).encode() if 0 < c < 0x110000 and not 0xD800 <= c <= 0xDFFF else match[0]


def cut(data):
    """Texts between tags (all of a file without any): each run of at least RUN_MIN bytes with "e "
    in it (prose, not lists of numbers), where it is valid UTF-8: its first RUN_MAX bytes, back to a whole
    character, decimal references replaced."""
    runs = []
    for run in re.split(rb"<[^>]*>?", data):
        if len(run) < RUN_MIN or b"e " not in run:
            continue
        end = RUN_MAX
        while end < len(run) and run[end] & 0xC0 == 0x80:
            end -= 1
        try:
            runs.append(re.sub(rb"&#([0-9]{1,7});", reference, run[:end]).decode())
        except UnicodeDecodeError:
            pass
    return runs


def hashes(tokenizer, texts):
    out = []
    for e in tokenizer.encode_batch(texts, add_special_tokens=False):
        h = 0x811C9DC5
        for b in struct.pack(f"<{len(e.ids)}i", *e.ids):
            h = (h ^ b) * 0x01000193 & 0xFFFFFFFF
        out.append(f"{h:08x}")
    return out


def put(f, items):
    for i in range(0, len(items), 12):
        print(*items[i:i + 12], file=f)


def write_filings(tokenizer, upstream, path):
    left = FILINGS_COUNT
    with open(path, "w") as f:
        for folder, _, names in sorted(os.walk(upstream)):
            for name in sorted(names):
                full = os.path.join(folder, name)
                with open(full, "rb") as g:
                    data = g.read()
                texts = cut(data)[:min(500, left)] if name.endswith((".htm", ".txt", ".html")) else []
                if texts:
                    print(">", os.path.relpath(full, upstream), len(data), len(texts), file=f)
                    put(f, hashes(tokenizer, texts))
                    left -= len(texts)
    if left:
        sys.exit(f"{left} strings too few")


def main():
    tokenizer = load(sys.argv[1])
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")
    with open(os.path.join(here, "wordpiece_words.txt"), "w") as f:
        for text, e in zip(WORDS, tokenizer.encode_batch(WORDS, add_special_tokens=False)):
            print(json.dumps(text), *e.ids, sep="\t", file=f)
    with open(os.path.join(here, "wordpiece_unicode.txt"), "w") as f:
        put(f, hashes(tokenizer, [draw(i) for i in range(ODD_COUNT)]))
    if len(sys.argv) > 2:
        write_filings(tokenizer, sys.argv[2], os.path.join(here, "wordpiece_filings.txt"))


if __name__ == "__main__":
    main()
