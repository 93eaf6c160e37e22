#!/usr/bin/env python3
"""Each writer's mentions by weights that were fitted without them: right, wrong and refused, and with -v what is not right.

usage: mentions_left_out.py [-v] [--signs PROGRAM] [--weights FOLDER] [WRITER ...]

Fits as mentions.py does, on the frames and all other writers, once for each half of test/quality/resolve; compiles the weights into a
bid-plan below .build/left_out and runs the half through it.  Leanings are those of all.  --weights: use the weights of an earlier run in
FOLDER instead of fitting, so that a change of rules or thresholds alone is measured in seconds.
"""
import argparse
import os
import re
import subprocess

import numpy as np

import mentions

BUILD = os.path.join(mentions.TOP, ".build")
HALVES = {"dev": "mentions", "held": "mentions", **{k.split(".")[1]: k for k in mentions.PEOPLE if k.startswith("mentions.")}}


def fitted(program, kinds, folder):
    """Writes FOLDER/KIND/tables/mention_weights.h, fitted without each kind of lines."""
    rows = mentions.all_lines()
    rows += mentions.swapped_lines(rows, program)
    found = mentions.candidates(rows, program)
    names, sorts = mentions.sign_names()
    sorts = [s for s in sorts if s != "count"]
    x, sort, y = mentions.matrix(found, names, sorts)
    weight = mentions.weights_of(found, rows)
    of = np.array([rows[c["row"]]["kind"] for c in found])
    for kind in kinds:
        path = os.path.join(folder, kind, "tables")
        os.makedirs(path, exist_ok=True)
        kept = of != kind
        mentions.write(mentions.fit(x[kept], sort[kept], y[kept], weight[kept], len(sorts)), names, sorts, os.path.join(path, "mention_weights.tsv"))
        header = subprocess.run(["awk", "-f", os.path.join(mentions.TOP, "data", "gen", "tables.awk"), os.path.join(path, "mention_weights.tsv")],
                                check=True, capture_output=True).stdout
        with open(os.path.join(path, "mention_weights.h"), "wb") as f:
            f.write(header)


def build(kind, folder):
    """A bid-plan with the weights of FOLDER/KIND; the folder that it lies in."""
    out = os.path.join(folder, kind)
    flags = ["-D_GNU_SOURCE", "-std=c11", "-O2", f"-I{out}", f"-I{mentions.TOP}/common", f"-I{BUILD}"]
    libraries = re.search(r"^LIBS = (.*)", open(os.path.join(mentions.TOP, "Makefile"), encoding="utf-8").read(), re.M).group(1).split()
    weigh = os.path.join(mentions.TOP, "common", "query", "mentions.c")
    subprocess.run([*os.environ.get("CC", "cc").split(), *flags, "-c", "-o", out + "/signs.o", weigh], check=True)
    subprocess.run(["cc", "-o", out + "/bid-plan", BUILD + "/bin/bid-plan.o", out + "/signs.o", BUILD + "/libcommon.a", *libraries], check=True)
    return out


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("-v", action="store_true")
    options.add_argument("--signs", default=os.path.join(BUILD, "mention_signs"))
    options.add_argument("--weights")
    options.add_argument("writers", nargs="*", choices=[*HALVES, []])
    o = options.parse_args()
    halves = o.writers or list(HALVES)
    folder = o.weights or os.path.join(BUILD, "left_out")
    if not o.weights:
        fitted(o.signs, sorted({HALVES[h] for h in halves}), folder)
    sums = np.zeros(4, int)
    resolve = [os.path.join(mentions.TOP, "test", "quality", "resolve"), *(["-v"] if o.v else [])]
    for kind in dict.fromkeys(HALVES[h] for h in halves):
        program = build(kind, folder)
        for half in [h for h in halves if HALVES[h] == kind]:
            out = subprocess.run([*resolve, "--half", half, "--bin", program], check=True, capture_output=True, text=True,
                                 env={"BID_DATA": os.path.join(mentions.TOP, "data"), **os.environ}).stdout
            text = out[out.index("mentions"):].split("\nfilings")[0].rstrip("\n")
            print(text, flush=True)
            sums += [int(n) for n in re.match(r"\S+ +\S+ +(\d+) +right +(\d+) .*?wrong +(\d+) .*?refused +(\d+)", text).groups()]
    n, right, wrong, refused = sums
    print(f"all {n}  right {right} ({100 * right / n:.1f} %)  wrong {wrong} ({100 * wrong / n:.1f} %)  refused {refused}")


if __name__ == "__main__":
    main()
