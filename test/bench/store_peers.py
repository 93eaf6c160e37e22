#!/usr/bin/env python3
"""Peers of the vector scan: "store_peers.py EMBEDDED.ndjson QUERIES.ndjson".

Each gets the same vectors and questions, one thread, and prints build rate, median and 99th percentile in milliseconds, and
recall@10 against the float32 scan of numpy.  One that isn't installed is left out, saying so.
"""
import base64
import json
import os
import sys
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS", "LANCE_CPU_THREADS"):
    os.environ.setdefault(name, "1")
import numpy as np  # noqa: E402

K = 10
LARGE = 200000  # rows from which graphs are built by all cores, and only the one that is built fastest


def load(path, most=None):
    rows = []
    with open(path, "rb") as f:
        for line in f:
            at = line.find(b'"embedding":"')
            if at < 0:
                continue
            at += 13
            rows.append(np.frombuffer(base64.b64decode(line[at:line.index(b'"', at)]), "<f4"))
            if most and len(rows) >= most:
                break
    return np.stack(rows)


def report(name, rows, built, search, queries, truth):
    times, same = [], 0
    for q, t in zip(queries, truth):
        start = time.perf_counter()
        found = search(q)
        times.append(1e3 * (time.perf_counter() - start))
        same += len(set(int(i) for i in found) & set(t))
    times.sort()
    print(json.dumps({"rows": rows, "peer": name, "built_per_second": round(rows / built) if built else None,
                      "median": round(times[len(times) // 2], 3), "p99": round(times[len(times) * 99 // 100], 3),
                      "recall": round(same / (K * len(queries)), 4)}), flush=True)


def usearch(x, queries, truth, dtype):
    from usearch.index import Index
    index = Index(ndim=x.shape[1], metric="ip", dtype=dtype)
    start = time.perf_counter()
    index.add(np.arange(len(x)), x, threads=1 if len(x) <= LARGE else 0)
    built = time.perf_counter() - start
    report("usearch " + dtype, len(x), built, lambda q: index.search(q, K).keys, queries, truth)


def hnswlib(x, queries, truth):
    import hnswlib as h
    index = h.Index(space="ip", dim=x.shape[1])
    index.init_index(len(x), ef_construction=200, M=16)
    index.set_num_threads(1)
    start = time.perf_counter()
    index.add_items(x)
    built = time.perf_counter() - start
    index.set_ef(100)
    report("hnswlib ef 100", len(x), built, lambda q: index.knn_query(q, K)[0][0], queries, truth)


def sqlite_vec(x, queries, truth):
    import apsw  # Python's own sqlite3 is often built without loading of extensions
    import sqlite_vec as v
    db = apsw.Connection(os.path.join(tempfile.mkdtemp(), "db"))
    db.enable_load_extension(True)
    db.load_extension(v.loadable_path())
    db.execute("create virtual table t using vec0(e float[%d] distance_metric=cosine)" % x.shape[1])
    start = time.perf_counter()
    with db:
        db.executemany("insert into t(rowid, e) values (?, ?)", ((i, r.tobytes()) for i, r in enumerate(x)))
    built = time.perf_counter() - start
    sql = "select rowid from t where e match ? and k = %d order by distance" % K
    report("sqlite-vec", len(x), built, lambda q: [r[0] for r in db.execute(sql, (q.tobytes(),))], queries[:30], truth[:30])


def lancedb(x, queries, truth):
    import lancedb as l
    import pyarrow as pa
    table = pa.table({"id": np.arange(len(x)), "vector": pa.FixedSizeListArray.from_arrays(pa.array(x.ravel()), x.shape[1])})
    start = time.perf_counter()
    t = l.connect(tempfile.mkdtemp()).create_table("t", table)
    built = time.perf_counter() - start
    report("lancedb flat", len(x), built,
           lambda q: t.search(q).distance_type("dot").limit(K).to_arrow()["id"].to_pylist(), queries[:30], truth[:30])


def chroma(x, queries, truth):
    import chromadb
    client = chromadb.PersistentClient(tempfile.mkdtemp(), chromadb.Settings(anonymized_telemetry=False))
    c = client.create_collection("passages", configuration={"hnsw": {"space": "ip"}})
    start = time.perf_counter()
    for i in range(0, len(x), 5000):
        part = x[i:i + 5000]
        c.add(ids=[str(i + k) for k in range(len(part))], embeddings=part)
    built = time.perf_counter() - start
    report("chroma", len(x), built, lambda q: c.query(query_embeddings=[q], n_results=K, include=[])["ids"][0],
           queries, truth)


def zvec(x, queries, truth):
    import zvec as z
    z.init(log_level=z.LogLevel.ERROR, query_threads=1, log_dir=tempfile.mkdtemp())
    schema = z.CollectionSchema("t", vectors=z.VectorSchema("e", z.DataType.VECTOR_FP32, x.shape[1],
                                                            z.FlatIndexParam(z.MetricType.IP)))
    c = z.create_and_open(os.path.join(tempfile.mkdtemp(), "zvec"), schema)
    start = time.perf_counter()
    for i in range(0, len(x), 1000):
        c.insert([z.Doc(str(i + k), vectors={"e": r}) for k, r in enumerate(x[i:i + 1000])])
    c.optimize()
    built = time.perf_counter() - start
    report("zvec flat", len(x), built, lambda q: [d.id for d in c.query(z.Query("e", vector=q), topk=K)],
           queries[:30], truth[:30])


def main():
    x, queries = load(sys.argv[1]), load(sys.argv[2], 200)
    truth = [[int(i) for i in np.argpartition(-(x @ q), K)[:K]] for q in queries]
    report("numpy float32", len(x), 0, lambda q: np.argpartition(-(x @ q), K)[:K], queries, truth)
    peers = [lambda: usearch(x, queries, truth, "i8"), lambda: sqlite_vec(x, queries, truth),
             lambda: lancedb(x, queries, truth), lambda: zvec(x, queries, truth)]
    if len(x) <= LARGE:
        peers += [lambda: usearch(x, queries, truth, "f32"), lambda: hnswlib(x, queries, truth),
                  lambda: chroma(x, queries, truth)]
    else:
        print("left out: usearch f32, hnswlib and chroma, which take over ten minutes to build")
    for peer in peers:
        try:
            peer()
        except Exception as e:  # noqa: BLE001: whatever a peer lacks, the others go on
            print("left out: %s: %s" % (type(e).__name__, e), flush=True)


main()
