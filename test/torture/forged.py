#!/usr/bin/env python3
"""forged.py BIN FORGE STORE SECONDS [SEED]: stores with hostile values whose checksums are right (forge.c), as somebody may pass on.

What such a store says is wrong and can't be told; but whatever reads it, merges it or writes to it has to end with some output
or with a status and a message: never by a signal, a sanitizer's report, or by hanging.  Prints a table; status 1 where
something crashed or hung.
"""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

from damage import commands, is_report, run


def writers(binary, given, fresh):
    store = os.path.join(binary, "bid-store")
    yield [store, "merge", fresh, None]
    yield [os.path.join(binary, "bid-index"), "-q", given]
    yield [store, "-e", "EX1", "rm"]
    yield [store, "compact"]
    yield [store, "dump", "--format=csv", "--vectors=floats"]
    yield [store, "stat"]


def is_crash(status, error):
    return status < 0 or status in (134, 135, 139) or is_report(error) or b"crashed while" in error


def main():
    binary, forge, store, seconds = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4])
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    rng = random.Random(seed)
    folder = tempfile.mkdtemp(prefix="bid-forged-")
    path, given, fresh = (os.path.join(folder, n) for n in ("store", "given", "fresh"))
    _, dump, _ = run([os.path.join(binary, "bid-store"), "dump"], store, None)
    lines = dump.split(b"\n")
    record = json.loads(lines[0])
    question = json.dumps({"query": "passage", "embedding": record["embedding"], "model": record["model"]}).encode() + b"\n"
    with open(given, "wb") as f:
        f.write(b"\n".join(lines[:40]).replace(b"https://example.org/", b"https://example.org/new/") + b"\n")
    counts = dict.fromkeys(["forgeries", "noticed", "taken", "crashed", "hung"], 0)
    end = time.monotonic() + seconds
    while time.monotonic() < end or not counts["forgeries"]:
        number = rng.randrange(10 ** 9)
        for name in os.listdir(folder):
            if name != "given":
                os.unlink(os.path.join(folder, name))
        shutil.copyfile(store, path)
        done = subprocess.run([forge, path, str(number), str(rng.choice([1, 1, 2, 5]))], stdout=subprocess.PIPE)
        if done.returncode:
            continue
        counts["forgeries"] += 1
        noticed = False
        for command in list(commands(binary, record["id"])) + [[os.path.join(binary, "bid-store"), "verify"]] + list(writers(binary, given, fresh)):
            command = [path if word is None else word for word in command]
            status, _, error = run(command, path, question)
            name = " ".join(os.path.basename(w) for w in command)[:70]
            if status is None:
                counts["hung"] += 1
                print("forgery %d (%s): hung: %s" % (number, done.stdout.decode(errors="replace"), name))
            elif is_crash(status, error):
                counts["crashed"] += 1
                print("forgery %d (%s): status %d: %s: %s" % (number, done.stdout.decode(errors="replace"), status, name,
                                                            error.decode(errors="replace")[:1500]))
            noticed |= status not in (0, 1)
        counts["noticed" if noticed else "taken"] += 1
        sys.stdout.flush()
    shutil.rmtree(folder)
    print("forged (seed %d): %s" % (seed, ", ".join("%d %s" % (v, k) for k, v in counts.items())))
    return 1 if counts["crashed"] + counts["hung"] or not counts["noticed"] else 0


if __name__ == "__main__":
    sys.exit(main())
