#!/usr/bin/env python3
"""Searches while a writer runs: "store_readers.py BIN STORE INPUT.ndjson".

Runs bid-search over and over on a copy of the store, idle first, then while bid-index takes INPUT (documents of ten passages) in;
prints the median and the 99th percentile in milliseconds of both, how many searches failed, and how many of the looks at the store
in between saw a document without all of its passages.
"""
import json
import os
import shutil
import subprocess
import sys
import time

bin_dir, store, source = sys.argv[1:4]
copy = store + "-readers"
shutil.copyfile(store, copy)
env = dict(os.environ, BID_STORE=copy)


def search():
    start = time.perf_counter()
    run = subprocess.run([bin_dir + "/bid-search", "-n", "3", "What were capital expenditures?"], env=env, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL)
    return 1e3 * (time.perf_counter() - start), run.returncode == 0 and run.stdout.count(b"\n") == 3


def half():
    """Whether the new collection has a number of passages other than ten per document."""
    run = subprocess.run([bin_dir + "/bid-store", "ls", "more"], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return any(c["passages"] != 10 * c["documents"] for c in map(json.loads, run.stdout.splitlines()) if c.get("collection") == "more")


def report(name, results, halves=0):
    times = sorted(t for t, _ in results)
    print(json.dumps({"searches": name, "count": len(times), "failed": sum(not ok for _, ok in results),
                      "median": round(times[len(times) // 2], 2), "p99": round(times[len(times) * 99 // 100], 2),
                      "halves": halves}))


report("idle", [search() for _ in range(300)])
with open(source, "rb") as given:
    writer = subprocess.Popen([bin_dir + "/bid-index", "-c", "more"], env=env, stdin=given, stdout=subprocess.DEVNULL)
    results, halves = [], 0
    while writer.poll() is None:
        results.append(search())
        if len(results) % 10 == 0:
            halves += half()
report("while bid-index writes", results, halves)
for path in (copy, copy + "-lock"):
    if os.path.exists(path):
        os.unlink(path)
sys.exit(writer.returncode)
