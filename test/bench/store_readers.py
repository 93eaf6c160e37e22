#!/usr/bin/env python3
"""Searches beside a writer: "store_readers.py BIN STORE INPUT.ndjson".

Runs bid-search over and over on a copy of the store, idle first, then while bid-index takes INPUT in as
other documents; prints the median and the 99th percentile in milliseconds of both, and how many searches failed.
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
    run = subprocess.run([bin_dir + "/bid-search", "-n", "3", "capital expenditures"], env=env, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL)
    return 1e3 * (time.perf_counter() - start), run.returncode == 0 and run.stdout.count(b"\n") == 3


def report(name, results):
    times = sorted(t for t, _ in results)
    print(json.dumps({"searches": name, "count": len(times), "failed": sum(not ok for _, ok in results),
                      "median": round(times[len(times) // 2], 2), "p99": round(times[len(times) * 99 // 100], 2)}))


report("idle", [search() for _ in range(200)])
change = subprocess.Popen(["sed", "s,archives/edgar,archives/other,I", source], stdout=subprocess.PIPE)
writer = subprocess.Popen([bin_dir + "/bid-index", "-c", "more"], env=env, stdin=change.stdout, stdout=subprocess.DEVNULL)
results = []
while writer.poll() is None:
    results.append(search())
report("while bid-index writes", results)
for path in (copy, copy + "-lock"):
    if os.path.exists(path):
        os.unlink(path)
