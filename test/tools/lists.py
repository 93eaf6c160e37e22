#!/usr/bin/env python3
"""Checks that lists of words are in data/: each array of strings in C is allowed by a rule, and no list occurs twice.

usage: lists.py [--all]

Words, forms, labels and aliases are tables in data/tables, compiled in by data/gen/tables.awk.  What stays in C as an array of LEAST
strings or more is named in test/tools/lists.tsv with the rule that it stays by.  Faults, one line each: an array that isn't named
there, a name there without such an array, a rule that isn't one of RULES, two lists (arrays of SAME or more, or lists of
data/tables) of the same words.  Status 1 where there is one.  --all prints the arrays too.
"""
import collections
import glob
import re
import sys

LEAST = 8
SAME = 4
RULES = {
    "options": "options and commands of programs, with the text that says what they do",
    "keys": "members of records, columns and fields that the code reads or writes by name",
    "names": "what the values of an enum are called, in its order",
    "protocol": "names and bytes that a standard or a file format defines",
    "call": "arguments that a program is called with",
    "messages": "what is told to a user, each beside what it is told of",
    "structure": "words in pairs and groups that a table of rows would not show",
}
TABLE = "test/tools/lists.tsv"
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\]|\\.)+\')|/\*.*?\*/|//[^\n]*', re.S)
TOKEN = re.compile(r"""\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)+'|[{}]""")
ARRAY = re.compile(r"(\w+)((?:\[[^\]\"]*\])+)\s*=\s*\{")


def body_of(text, at):
    """The text up to the brace that closes the one before `at`."""
    depth = 1
    for token in TOKEN.finditer(text, at):
        depth += (token[0] == "{") - (token[0] == "}")
        if depth == 0:
            return text[at:token.start()]
    return text[at:]


def arrays():
    """(file, name, line, strings) of each array that is initialised with strings."""
    for path in sorted(glob.glob("common/*/*.[ch]") + glob.glob("bin/*.c")):
        text = COMMENT.sub(lambda c: c[1] or re.sub(r"[^\n]", " ", c[0]), open(path, encoding="utf-8").read())
        for m in ARRAY.finditer(text):
            body = body_of(text, m.end())
            strings = STRING.findall(re.sub(r'"\s+"', "", body))
            if strings:
                yield path, m[1], text.count("\n", 0, m.start()) + 1, [s[1:-1] for s in strings], body


def tables():
    """(file, list, words) of data/tables."""
    for path in sorted(glob.glob("data/tables/*.tsv")):
        lists, column = collections.OrderedDict(), []
        for line in open(path, encoding="utf-8").read().splitlines():
            if line.startswith("#"):
                column = line[2:].split("\t")
            elif line:
                cells = line.split("\t")
                words = cells[1:] if column[-1] not in ("words", "phrases") or len(column) > 2 else \
                    cells[1].split(" ") if column[1] == "words" else re.split(" *; *", cells[1])
                for name in cells[0].split(" "):
                    lists.setdefault(name, []).extend(words)
        for name, words in lists.items():
            yield path, name, words


def rules():
    for line in open(TABLE, encoding="utf-8").read().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def main():
    faults, known, seen, same = [], {}, set(), collections.defaultdict(list)
    for row in rules():
        if len(row) != 3 or row[2] not in RULES:
            faults.append(f"{TABLE}: no rule: {' '.join(row)}")
        known[tuple(row[:2])] = row[-1]
    count = strings_count = 0
    for path, name, line, strings, body in arrays():
        if len(strings) >= SAME and "{" not in body:
            same[frozenset(strings)].append(f"{path}:{line}: {name}")
        if len(strings) < LEAST:
            continue
        count, strings_count = count + 1, strings_count + len(strings)
        seen.add((path, name))
        if "--all" in sys.argv:
            print(len(strings), path, line, name, known.get((path, name), ""), " ".join(strings)[:100], sep="\t")
        if (path, name) not in known:
            faults.append(f"{path}:{line}: {name} has {len(strings)} strings: make it a list of data/tables, or name its rule in {TABLE}")
    for path, name in sorted(set(known) - seen):
        faults.append(f"{TABLE}: {path} has no array {name} of {LEAST} strings")
    for path, name, words in tables():
        same[frozenset(words)].append(f"{path}: {name}")
    for places in same.values():
        if len(places) > 1:
            faults.append("the same words: " + ", ".join(places))
    for f in faults:
        print(f)
    print(f"{count} arrays of {LEAST} strings or more, {strings_count} strings, {len(faults)} faults")
    return 1 if faults else 0


sys.exit(main())
