#!/usr/bin/env python3
"""Hold common/ to its layers: rooms include only rooms below them, and no two modules need each other.

usage: layers.py [--rooms FILE] BUILD

BUILD is a folder of objects (.build) that make filled: its .d files say what each source file includes, nm says which
module's functions each object uses.  Rooms and their order are read from the table of README.md (or FILE).
Faults, one line each: a room that includes a higher one, a file that is in no room of the table, modules that use each
other's functions in a circle, a static function or struct whose name stands in two files.  Status 1 where there is one.
"""
import collections
import glob
import os
import re
import subprocess
import sys

DEFINES = re.compile(r"^(?:static |inline )+(?:__attribute__\(\(.*?\)\) )?(?:const )?(?:struct |enum |unsigned |signed |long )*\w+ \**(?:const \*?)?(\w+)\(", re.M)
STRUCTS = re.compile(r"^(?:static )?(?:const )?(?:typedef )?(?:struct|enum|union) (\w+) \{", re.M)
# One function for each instruction set, of one name: that is what they are for.
KERNELS = re.compile(r"common/model/bert_(avx|math|kernels)")


def rooms_of(table):
    return re.findall(r"^\| `(\w+)/` \|", open(table, encoding="utf-8").read(), re.M)


def includes(build):
    """Pairs (file, included file) under common/, from the compiler's own dependency files."""
    for d in glob.glob(build + "/common/*/*.d"):
        rule = open(d, encoding="utf-8").read().split("\n\n")[0].replace("\\\n", " ")
        files = [f for f in rule.split(":", 1)[1].split("\n")[0].split() if f.startswith("common/")]
        for f in files[1:]:
            yield files[0], f


def direct_includes():
    for f in glob.glob("common/*/*.[ch]"):
        for i in re.findall(r'^#include "(?!tables/)([^"]+)"', open(f, encoding="utf-8").read(), re.M):
            yield f, "common/" + i


def uses(build):
    """Which module uses functions or data of which other."""
    defined, wanted, o = {}, collections.defaultdict(set), None
    objects = glob.glob(build + "/common/*/*.o")
    for line in subprocess.run(["nm", "-g"] + objects, capture_output=True, text=True, check=True).stdout.splitlines():
        if line.endswith(".o:"):
            o = line[:-1]
        elif line:
            kind, name = line.split()[-2:]
            if kind == "U":
                wanted[o].add(name)
            else:
                defined[name] = o
    return {o: {defined[n] for n in names if n in defined and defined[n] != o} for o, names in wanted.items()}


def circles(graph):
    """Strongly connected components of more than one node (Tarjan 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in sorted(graph.get(v, ())):
            if w not in index:
                visit(w)
            if w in stack:
                low[v] = min(low[v], low[w])
        if low[v] == index[v]:
            part = stack[stack.index(v):]
            del stack[stack.index(v):]
            if len(part) > 1:
                found.append(part)

    for v in sorted(graph):
        if v not in index:
            visit(v)
    return found


def twice():
    names = collections.defaultdict(set)
    for f in glob.glob("common/*/*.[ch]") + glob.glob("bin/*.c"):
        if KERNELS.match(f):
            continue
        text = open(f, encoding="utf-8").read()
        for n in DEFINES.findall(text):
            names[n + "()"].add(f)
        for n in STRUCTS.findall(text):
            names["struct " + n].add(f)
    return {n: sorted(f) for n, f in names.items() if len(f) > 1}


def main():
    args = sys.argv[1:]
    table = "README.md"
    if args and args[0] == "--rooms":
        table, args = args[1], args[2:]
    if len(args) != 1:
        print(__doc__, file=sys.stderr)
        return 64
    rooms, build = rooms_of(table), args[0]
    faults = []
    pairs = set(includes(build)) | set(direct_includes())
    if not rooms or not pairs:
        faults.append(f"nothing to check: {len(rooms)} rooms in {table}, {len(pairs)} includes in {build}")
    for a, b in sorted(pairs):
        ra, rb = a.split("/")[1], b.split("/")[1]
        for r, f in ((ra, a), (rb, b)):
            if r not in rooms:
                faults.append(f"{f}: {table} has no room {r}/")
        if ra in rooms and rb in rooms and rooms.index(rb) > rooms.index(ra):
            faults.append(f"{a}: includes {b} of a higher room")
    short = lambda o: re.sub(r".*/common/(.*)\.o$", r"\1", o)
    for part in circles(uses(build)):
        faults.append("circle: " + ", ".join(map(short, sorted(part))))
    for name, files in sorted(twice().items()):
        faults.append(f"{name} is in {' and '.join(files)}")
    for f in sorted(set(faults)):
        print(f)
    print(f"{len(rooms)} rooms, {len(pairs)} includes, {len(set(faults))} faults")
    return 1 if faults else 0


sys.exit(main())
