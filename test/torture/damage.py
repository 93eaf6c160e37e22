#!/usr/bin/env python3
"""damage.py BIN STORE COUNT [SEED]: damages copies of a store and reads them in every way.

Each image is a copy with some bits flipped, bytes overwritten, pages swapped or its end cut off.  Whatever reads it has to
end with the very output of the sound store, or with a status other than 0 and a message; never by a signal, by hanging or
with other output and status 0.  What a reader finds, "bid-store verify" has to find too.  Prints a table; status 1 where
something was wrong.
"""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

QUESTIONS = ["passage version", "example filing number three", "what does document two say"]


def commands(binary, identity):
    store = os.path.join(binary, "bid-store")
    search = os.path.join(binary, "bid-search")
    yield [store, "dump"]
    yield [store, "ls"]
    yield [store, "show", identity]
    yield [search, "--mode", "text", "--format", "json", "--no-threshold"]
    yield [search, "--mode", "text", "--format", "json", "-c", "*", "--explain", QUESTIONS[0]]
    yield [search, "--mode", "vector", "--format", "json"]


def run(command, path, question):
    environment = dict(os.environ, BID_STORE=path)
    given = {"json": question, "--no-threshold": b"".join(json.dumps({"query": q}).encode() + b"\n" for q in QUESTIONS)}.get(command[-1])
    try:
        done = subprocess.run(command, env=environment, input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20)
    except subprocess.TimeoutExpired:
        return None, b"", b""
    return done.returncode, done.stdout, done.stderr


def is_report(error):
    """A sanitizer's, but for its word for a wild address, which other builds end with a message."""
    return b"Sanitizer" in error and b"SEGV on unknown address" not in error or b"runtime error" in error


def page_of(data, page):
    return data[4096 * page:4096 * page + 4096]


def damaged(data, rng):
    """A damaged copy and what was done."""
    image = bytearray(data)
    kind = rng.choice(["bit", "bit", "bit", "bits", "byte", "zero", "page", "swap", "cut"])
    at = rng.randrange(len(image))
    if kind == "bit":
        image[at] ^= 1 << rng.randrange(8)
    elif kind == "bits":
        for _ in range(rng.randrange(2, 40)):
            image[rng.randrange(len(image))] ^= 1 << rng.randrange(8)
    elif kind == "byte":
        image[at] = rng.randrange(256)
    elif kind == "zero":
        end = min(len(image), at + rng.randrange(1, 600))
        image[at:end] = bytes(end - at)
    elif kind == "page":
        start = at // 4096 * 4096
        image[start:start + 4096] = rng.choice([bytes(4096), bytes(rng.randrange(256) for _ in range(4096))])
    elif kind == "swap":
        one, other = at // 4096, rng.randrange(len(image) // 4096)
        image[4096 * one:4096 * one + 4096], image[4096 * other:4096 * other + 4096] = (
            page_of(data, other), page_of(data, one))
    else:
        del image[at:]
    return bytes(image), "%s at %d" % (kind, at)


def main():
    binary, store, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    rng = random.Random(seed)
    with open(store, "rb") as f:
        data = f.read()
    folder = tempfile.mkdtemp(prefix="bid-damage-")
    path = os.path.join(folder, "store")
    shutil.copyfile(store, path)
    _, dump, _ = run([os.path.join(binary, "bid-store"), "dump"], path, None)
    first = dump.split(b"\n")[0].decode()
    record = json.loads(first)
    question = json.dumps({"query": "passage", "embedding": record["embedding"], "model": record["model"]}).encode() + b"\n"
    asked = list(commands(binary, record["id"]))
    expected = [run(c, path, question) for c in asked]
    for command, (status, _, error) in zip(asked, expected):
        if status not in (0, 1):
            sys.exit("the sound store: %s: %s %s" % (command, status, error.decode()))
    counts = dict.fromkeys(["images", "noticed", "harmless", "wrong", "crashed", "hung", "silent", "unverified"], 0)
    for number in range(count):
        image, what = damaged(data, rng)
        with open(path, "wb") as f:
            f.write(image)
        shutil.rmtree(path + "-lock", ignore_errors=True)
        if os.path.exists(path + "-lock"):
            os.unlink(path + "-lock")
        counts["images"] += 1
        noticed = False
        verified, _, complaint = run([os.path.join(binary, "bid-store"), "verify"], path, None)
        results = [(["verify"], (verified, b"", complaint or b"-"), None)]
        results += [(c, run(c, path, question), e) for c, e in zip(asked, expected)]
        for command, (status, output, error), sound in results:
            name = " ".join(os.path.basename(w) for w in command)[:70]
            if status is None:
                counts["hung"] += 1
                print("image %d (%s): hung: %s" % (number, what, name))
            elif status < 0 or status in (134, 135, 139) or is_report(error):
                counts["crashed"] += 1
                print("image %d (%s): signal %d: %s" % (number, what, status, name))
            elif sound is None:
                continue
            elif status == sound[0]:
                if output != sound[1]:
                    counts["wrong"] += 1
                    print("image %d (%s): other output, status %d: %s" % (number, what, status, name))
            else:
                noticed = True
                if not error.strip():
                    counts["silent"] += 1
                    print("image %d (%s): status %d without a message: %s" % (number, what, status, name))
        if noticed and verified == 0:
            counts["unverified"] += 1
            print("image %d (%s): a reader found it, verify did not" % (number, what))
        counts["noticed" if noticed or verified else "harmless"] += 1
    shutil.rmtree(folder)
    print("damage (seed %d): %s" % (seed, ", ".join("%d %s" % (v, k) for k, v in counts.items())))
    bad = sum(counts[k] for k in ["wrong", "crashed", "hung", "silent", "unverified"])
    return 1 if bad or counts["noticed"] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
