#!/usr/bin/env python3
"""Writes data/tables/wordpiece_unicode.tsv: what BERT's uncased clean-up does to each Unicode character.

    python3 data/gen/wordpiece_unicode.py > data/tables/wordpiece_unicode.tsv
    python3 data/gen/wordpiece_unicode.py --compare     # needs the PyPI package tokenizers

The rules are those of google-research/bert (tokenization.py) in the order in which the tokenizers library
applies them, a character at a time:

  1. U+0000, U+FFFD and categories Cc, Cf, Cs, Co vanish, but tab, newline and return;
  2. white space becomes a space;
  3. a CJK ideograph gets a space before and behind it;
  4. canonical decomposition (NFD), category Mn vanishes;
  5. lower case;
  6. white space ends a word, punctuation (ASCII's, and category P) stands alone.

Python's unicodedata knows a newer Unicode than the tables inside the reference.  A model's ids were learned
with the reference's, so where the two differ the reference is followed: REFERENCE_* below are those
characters, as --compare finds them.  Canonical reordering is left out: it could only matter for combining
characters that are no Mn, and no vocabulary has one.
"""
import sys
import unicodedata


# Ranges as the reference has them; its U+2B920 for U+2B820 too.
CJK = [(0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
       (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)]

# Differences from unicodedata (see above), first and last: no mark or punctuation to the reference; set
# apart by it; dropped by it; lower-cased by it, with the distance.
REFERENCE_KEEPS = [
    (0x061D, 0x061D), (0x07FD, 0x07FD), (0x0890, 0x0891), (0x0898, 0x089F), (0x08CA, 0x08E2),
    (0x09FD, 0x09FE), (0x0A76, 0x0A76), (0x0AFA, 0x0AFF), (0x0B55, 0x0B55), (0x0C04, 0x0C04),
    (0x0C3C, 0x0C3C), (0x0C77, 0x0C77), (0x0C84, 0x0C84), (0x0D00, 0x0D00), (0x0D3B, 0x0D3C),
    (0x0D81, 0x0D81), (0x0EBA, 0x0EBA), (0x180F, 0x180F), (0x1885, 0x1886), (0x1ABF, 0x1ACE),
    (0x1B7D, 0x1B7E), (0x1DF6, 0x1DFB), (0x2E43, 0x2E4F), (0x2E52, 0x2E5D), (0xA82C, 0xA82C),
    (0xA8C5, 0xA8C5), (0xA8FF, 0xA8FF), (0xA9BD, 0xA9BD), (0x10D24, 0x10D27), (0x10EAB, 0x10EAD),
    (0x10F46, 0x10F50), (0x10F55, 0x10F59), (0x10F82, 0x10F89), (0x11070, 0x11070), (0x11073, 0x11074),
    (0x110C2, 0x110C2), (0x110CD, 0x110CD), (0x111CF, 0x111CF), (0x1123E, 0x1123E), (0x1133B, 0x1133B),
    (0x11438, 0x1143F), (0x11442, 0x11444), (0x11446, 0x11446), (0x1144B, 0x1144F), (0x1145A, 0x1145B),
    (0x1145D, 0x1145E), (0x11660, 0x1166C), (0x116B9, 0x116B9), (0x1182F, 0x11837), (0x11839, 0x1183B),
    (0x11938, 0x11938), (0x1193B, 0x1193C), (0x1193E, 0x1193E), (0x11943, 0x11946), (0x119D4, 0x119D7),
    (0x119DA, 0x119DB), (0x119E0, 0x119E0), (0x119E2, 0x119E2), (0x11A01, 0x11A0A), (0x11A33, 0x11A38),
    (0x11A3B, 0x11A47), (0x11A51, 0x11A56), (0x11A59, 0x11A5B), (0x11A8A, 0x11A96), (0x11A98, 0x11A9C),
    (0x11A9E, 0x11AA2), (0x11C30, 0x11C36), (0x11C38, 0x11C3D), (0x11C3F, 0x11C3F), (0x11C41, 0x11C45),
    (0x11C70, 0x11C71), (0x11C92, 0x11CA7), (0x11CAA, 0x11CB0), (0x11CB2, 0x11CB3), (0x11CB5, 0x11CB6),
    (0x11D31, 0x11D36), (0x11D3A, 0x11D3A), (0x11D3C, 0x11D3D), (0x11D3F, 0x11D45), (0x11D47, 0x11D47),
    (0x11D90, 0x11D91), (0x11D95, 0x11D95), (0x11D97, 0x11D97), (0x11EF3, 0x11EF4), (0x11EF7, 0x11EF8),
    (0x11FFF, 0x11FFF), (0x12FF1, 0x12FF2), (0x13430, 0x13438), (0x16E97, 0x16E9A), (0x16F4F, 0x16F4F),
    (0x16FE2, 0x16FE2), (0x16FE4, 0x16FE4), (0x1CF00, 0x1CF2D), (0x1CF30, 0x1CF46), (0x1E000, 0x1E006),
    (0x1E008, 0x1E018), (0x1E01B, 0x1E021), (0x1E023, 0x1E024), (0x1E026, 0x1E02A), (0x1E130, 0x1E136),
    (0x1E2AE, 0x1E2AE), (0x1E2EC, 0x1E2EF), (0x1E944, 0x1E94A), (0x1E95E, 0x1E95F)]
REFERENCE_ALONE = [
    (0x166D, 0x166D), (0x111C9, 0x111C9)]
REFERENCE_DROPS = [
    (0x1734, 0x1734)]
REFERENCE_LOWERS = [
    (0x1C89, 0x1C89, 1), (0xA7CB, 0xA7CB, -42343), (0xA7CC, 0xA7CC, 1), (0xA7CE, 0xA7CE, 1),
    (0xA7D2, 0xA7D2, 1), (0xA7D4, 0xA7D4, 1), (0xA7DA, 0xA7DA, 1), (0xA7DC, 0xA7DC, -42561),
    (0x10D50, 0x10D65, 32), (0x16EA0, 0x16EB8, 27)]

WHITE = {0x20, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, *range(0x2000, 0x200B)}


def is_cjk(c):
    return any(first <= c <= last for first, last in CJK)


def is_punctuation(char):
    c = ord(char)
    if c < 128:
        return 33 <= c <= 47 or 58 <= c <= 64 or 91 <= c <= 96 or 123 <= c <= 126
    return unicodedata.category(char).startswith("P")


def by_rule(c):
    """What character c becomes: "" where it vanishes, with spaces where a word ends."""
    char = chr(c)
    if c in (9, 10, 13) or c in WHITE:
        return " "
    if c in (0, 0xFFFD) or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co"):
        return ""
    plain = "".join(x for x in unicodedata.normalize("NFD", char) if unicodedata.category(x) != "Mn")
    lower = "".join(x.lower() for x in plain)
    parts = "".join(f" {x} " if is_punctuation(x) else x for x in lower)
    return f" {parts} " if is_cjk(c) and parts.strip() == parts else parts


def answers():
    table = {c: by_rule(c) for c in range(0x110000)}
    for ranges, answer in ((REFERENCE_KEEPS, "{}"), (REFERENCE_ALONE, " {} "), (REFERENCE_DROPS, "")):
        for first, last in ranges:
            table.update((c, answer.format(chr(c))) for c in range(first, last + 1))
    for first, last, distance in REFERENCE_LOWERS:
        table.update((c, chr(c + distance)) for c in range(first, last + 1))
    return table


def becomes(c, text):
    """The table's word for what c becomes; None where it stays."""
    if 0xAC00 <= c <= 0xD7A3:
        return "hangul"
    known = {"": "drop", " ": "space", chr(c): None, f" {chr(c)} ": "alone"}
    return known[text] if text in known else " ".join(f"{ord(x):X}" for x in text)


def write():
    ranges = []
    for c, text in answers().items():
        what = becomes(c, text)
        if ranges and ranges[-1][1] == c - 1 and ranges[-1][2] == what:
            ranges[-1][1] = c
        else:
            ranges.append([c, c, what])
    print(f"# Written by data/gen/wordpiece_unicode.py; Unicode {unicodedata.unidata_version}, where the reference does not differ.")
    print("# A character that is not listed stays.  Others vanish, end a word, stand alone, are Hangul that is decomposed by")
    print("# arithmetic, or become the characters listed, where 20 ends a word.")
    print("# CHARACTERS\tlast\tdrop space alone hangul")
    for first, last, what in ranges:
        if what is not None:
            print(f"{first:X}\t{last:X}\t{what}")


def compare():
    """Prints the ranges where the tokenizers library answers otherwise than by_rule()."""
    from tokenizers import normalizers, pre_tokenizers
    normalizer = normalizers.BertNormalizer(lowercase=True)
    splitter = pre_tokenizers.BertPreTokenizer()
    table, ranges = answers(), []
    for c in range(0x110000):
        if 0xD800 <= c <= 0xDFFF:
            continue
        theirs = [w for w, _ in splitter.pre_tokenize_str(normalizer.normalize_str(f"a{chr(c)}b"))]
        ours = f"a{table[c]}b".split(" ")
        if theirs == [x for x in ours if x]:
            continue
        kind = "keep" if theirs == [f"a{chr(c)}b"] else "alone" if theirs == ["a", chr(c), "b"] else \
            " ".join(theirs)[1:-1]
        if ranges and ranges[-1][1] == c - 1 and ranges[-1][2] == kind and kind in ("keep", "alone", ""):
            ranges[-1][1] = c
        else:
            ranges.append([c, c, kind])
    for first, last, kind in ranges:
        print(f"    (0x{first:04X}, 0x{last:04X}, {kind!a}),")
    print(f"# {len(ranges)} ranges, {sum(b - a + 1 for a, b, _ in ranges)} characters; "
          f"unicodedata has Unicode {unicodedata.unidata_version}")


if __name__ == "__main__":
    compare() if sys.argv[1:] == ["--compare"] else write()
