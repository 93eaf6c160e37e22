#!/usr/bin/env python3
"""Check the layers of common/: rooms include only rooms below them, no two modules need each other, names tell their file.

usage: layers.py [--rooms FILE] [--names FILE] BUILD

BUILD is a folder of objects (.build) that make filled: its .d files say what each source file includes, nm says which
module's functions each object uses.  Rooms and their order are read from the table of common/README.md (or FILE).
Faults, one line each: a room that includes a higher one, a file that is in no room of the table, modules that need each
other in a circle (by a function or by an include in a .c), a function or struct whose name stands in two files, a file name
or an include guard that stands twice, a public name without its module's prefix.  Status 1 where there is one.

The prefix is the file's name, its first words, or the room's name; a file whose name is a plural may use the singular.
Exceptions stand in names.tsv beside this script (or FILE) with a reason; one that excepts nothing is a fault.
"""
import collections
import glob
import os
import re
import subprocess
import sys

# A definition: from the first column to the opening brace, in one line or several.
DEFINES = re.compile(r"^[A-Za-z_][\w \t\n*]*?\b(\w+)\([^;{}]*\) \{$", re.M)
STRUCTS = re.compile(r"^(?:\w+ )*(?:struct|enum|union) (\w+) \{", re.M)
INLINE = re.compile(r"^static inline .*?\b(\w+)\(", re.M)
GUARD = re.compile(r"^#ifndef (BID_\w+_H)$", re.M)
ATTRIBUTE = re.compile(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)\s*")
# These define the same functions once for each instruction set, by design.
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


def symbols(build):
    """Triples (object, kind, name) of nm -g; an object without a source file was left over when its file was renamed."""
    objects = [o for o in glob.glob(build + "/common/*/*.o") if os.path.exists(source(o))]
    o = None
    for line in subprocess.run(["nm", "-g"] + objects, capture_output=True, text=True, check=True).stdout.splitlines():
        if line.endswith(".o:"):
            o = line[:-1]
        elif line:
            kind, name = line.split()[-2:]
            if not name.startswith("__odr_asan."):  # the sanitizer's own, one for each public datum
                yield o, kind, name


def source(o):
    return re.sub(r".*/(common/.*)\.o$", r"\1.c", o)


def uses(build):
    """Which module uses functions or data of which other."""
    defined, wanted = {}, collections.defaultdict(set)
    for o, kind, name in symbols(build):
        if kind == "U":
            wanted[o].add(name)
        else:
            defined[name] = o
    return {o: {defined[n] for n in names if n in defined and defined[n] != o} for o, names in wanted.items()}


def module(f):
    return re.sub(r"^(?:.*/)?common/|\.[cho]$", "", f)


def modules(build):
    """Which module needs which other: uses its functions or data, or includes its header in a .c that defines nothing of it."""
    graph, defined = collections.defaultdict(set), collections.defaultdict(set)
    for o, kind, name in symbols(build):
        if kind != "U":
            defined[module(o)].add(name)
    for o, others in uses(build).items():
        graph[module(o)] |= {module(other) for other in others}
    for f, header in direct_includes():
        if f.endswith(".c") and module(f) != module(header):
            declared = re.findall(r"\w+", open(header, encoding="utf-8").read()) if os.path.exists(header) else []
            if not defined[module(f)].intersection(declared):
                graph[module(f)].add(module(header))
    return graph


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


def texts():
    for f in glob.glob("common/*/*.[ch]") + glob.glob("bin/*.c"):
        yield f, ATTRIBUTE.sub("", open(f, encoding="utf-8").read())


def twice():
    """What stands in two files: names of functions and structs, of files, include guards."""
    names = collections.defaultdict(set)
    for f, text in texts():
        names["the file name " + os.path.basename(f)].add(f)
        for n in GUARD.findall(text)[:1]:
            names["the guard " + n].add(f)
        if KERNELS.match(f):
            continue
        for n in set(DEFINES.findall(text)) - {"main"}:
            names[n + "()"].add(f)
        for n in STRUCTS.findall(text):
            names["struct " + n].add(f)
    return {n: sorted(f) for n, f in names.items() if len(f) > 1}


def prefixes(f):
    """What a public name of a file may begin with."""
    room, name = f.split("/")[1], os.path.splitext(os.path.basename(f))[0]
    words = name.split("_")
    found = [room] + ["_".join(words[:i]) for i in range(1, len(words) + 1)]
    return found + [re.sub("ie$", "y", p[:-1]) for p in found if p.endswith("s")]


def unprefixed(build, table):
    """Faults of public names, and of exceptions that except nothing."""
    exceptions = {}
    for line in open(table, encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            f, prefix, reason = line.rstrip("\n").split("\t")
            exceptions[f, prefix] = reason
    public = {(source(o), name) for o, kind, name in symbols(build) if kind != "U"}
    public |= {(f, n) for f, text in texts() if f.endswith(".h") and not KERNELS.match(f) for n in INLINE.findall(text)}
    used = set()
    for f, name in sorted(public):
        if any(name == p or name.startswith(p + "_") for p in prefixes(f)):
            continue
        excepted = [e for e in exceptions if e[0] == f and name.startswith(e[1])]
        used.update(excepted)
        if not excepted:
            yield f"{f}: {name} has no prefix of its module ({', '.join(prefixes(f))})"
    for e in sorted(exceptions.keys() - used):
        yield f"{table}: {e[0]} has no public name {e[1]}..."


def main():
    args = sys.argv[1:]
    table, names = "common/README.md", os.path.join(os.path.dirname(__file__), "names.tsv")
    while len(args) > 2 and args[0] in ("--rooms", "--names"):
        table, names = (args[1], names) if args[0] == "--rooms" else (table, args[1])
        args = args[2:]
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
    for part in circles(modules(build)):
        faults.append("circle: " + ", ".join(sorted(part)))
    for name, files in sorted(twice().items()):
        faults.append(f"{name} is in {' and '.join(files)}")
    faults += unprefixed(build, names)
    for f in sorted(set(faults)):
        print(f)
    print(f"{len(rooms)} rooms, {len(pairs)} includes, {len(set(faults))} faults")
    return 1 if faults else 0


sys.exit(main())
