#!/usr/bin/env python3
"""What BID asks of a Chroma server (HTTP API v2, as chromadb 1.5.9 answers), in memory; it misbehaves on demand.
Standard library only; nearest neighbours are exact.

usage: chroma_server.py FOLDER

Writes its port to FOLDER/port.  FOLDER/behaviour, read at every request, is a comma list:
    503:N         the next N requests get that status
    401           every request without "X-Chroma-Token: secret" or "Authorization: Bearer secret" does
    refuse=TEXT   an upsert that holds TEXT in a document is refused as a whole, 400
    batch=N       max_batch_size
    echo          every request is refused, 400, with a message that has its token
    die=N         the process ends before it answers its Nth upsert
FOLDER/log gets a line for each request: method, path, status, rows sent.
"""
import http.server
import json
import math
import os
import re
import sys

FOLDER = sys.argv[1]
DATABASES = {("default_tenant", "default_database"): {}, ("acme", "filings"): {}}
STATE = {"left": {}, "upserts": 0}


class Fault(Exception):
    pass


def behaviour():
    try:
        with open(os.path.join(FOLDER, "behaviour"), encoding="utf-8") as f:
            return [x for x in f.read().strip().split(",") if x]
    except OSError:
        return []


def setting(name, otherwise):
    for w in behaviour():
        if w.startswith(name + "="):
            return w.split("=", 1)[1]
    return otherwise


def holds(where, metadata):
    """Whether a row's metadata fulfil a filter of Chroma's language."""
    for key, want in where.items():
        if key == "$and" or key == "$or":
            if not (all if key == "$and" else any)(holds(w, metadata) for w in want):
                return False
            continue
        for op, value in (want if isinstance(want, dict) else {"$eq": want}).items():
            have = metadata.get(key)
            number = not isinstance(have, (str, bool, type(None)))
            fine = {"$eq": lambda: have == value, "$ne": lambda: have != value, "$in": lambda: have in value,
                    "$nin": lambda: have not in value, "$gt": lambda: number and have > value,
                    "$gte": lambda: number and have >= value, "$lt": lambda: number and have < value,
                    "$lte": lambda: number and have <= value}
            if not fine[op]():
                return False
    return True


def chosen(rows, body):
    ids = set(body["ids"]) if body.get("ids") is not None else None
    where, text = body.get("where"), body.get("where_document")
    for i, r in rows.items():
        if (ids is None or i in ids) and (not where or holds(where, r["metadata"])) and (not text or reads(text, r["document"])):
            yield i, r


def reads(where, document):
    if "$or" in where:
        return any(reads(w, document) for w in where["$or"])
    return where["$contains"] in document


def answer(found, body, wrap):
    kinds = {"documents": "document", "metadatas": "metadata", "embeddings": "embedding", "distances": "distance"}
    out = {"ids": [i for i, _ in found], "include": body.get("include", [])}
    for name, key in kinds.items():
        out[name] = [r[key] for _, r in found] if name in out["include"] else None
    return {k: [v] if wrap and isinstance(v, list) and k != "include" else v for k, v in out.items()}


def distance(a, b):
    dot, aa, bb = sum(x * y for x, y in zip(a, b)), sum(x * x for x in a), sum(x * x for x in b)
    return 1 - dot / math.sqrt(aa * bb) if aa and bb else 1.0


def check(collection, vectors):
    for v in vectors:
        if collection["dimension"] not in (None, len(v)):
            raise Fault(400, "Collection expecting embedding with dimension of %d, got %d" % (collection["dimension"], len(v)))


def upsert(collection, body):
    STATE["upserts"] += 1
    if STATE["upserts"] == int(setting("die", -1)):
        os._exit(0)
    check(collection, body["embeddings"])
    bad = setting("refuse", None)
    if bad and any(bad in d for d in body["documents"]):
        raise Fault(400, "a document holds " + bad)
    if len(body["ids"]) > int(setting("batch", 100)):
        raise Fault(400, "Cannot submit more than the maximum batch size")
    collection["dimension"] = len(body["embeddings"][0])
    for i, d, m, e in zip(body["ids"], body["documents"], body["metadatas"], body["embeddings"]):
        collection["rows"][i] = {"document": d, "metadata": m, "embedding": e}
    return {}


def work(collection, verb, body):
    rows = collection["rows"]
    if verb == "upsert":
        return upsert(collection, body)
    if verb == "count":
        return len(rows)
    if verb == "delete":
        gone = [i for i, _ in chosen(rows, body)]
        for i in gone:
            del rows[i]
        return {"deleted": len(gone)}
    found = list(chosen(rows, body))
    if verb == "get":
        at = body.get("offset") or 0
        return answer(found[at:at + (body.get("limit") or len(found))], body, False)
    if verb == "query":
        check(collection, body["query_embeddings"])
        found = [(i, dict(r, distance=distance(r["embedding"], body["query_embeddings"][0]))) for i, r in found]
        return answer(sorted(found, key=lambda x: x[1]["distance"])[:body["n_results"]], body, True)
    raise Fault(404, "no such verb")


def shown(collection):
    return {k: v for k, v in collection.items() if k != "rows"}


def serve(method, path, query, body):
    if path == "/api/v2/pre-flight-checks":
        return {"max_batch_size": int(setting("batch", 100)), "supports_base64_encoding": True}
    m = re.fullmatch(r"/api/v2/tenants/([^/]+)/databases/([^/]+)/collections(?:/([^/]+)(?:/([^/]+))?)?", path)
    if not m:
        raise Fault(404, "no such path")
    tenant, database, which, verb = m.groups()
    if (tenant, database) not in DATABASES:
        raise Fault(400, "Database [%s] does not exist" % database)
    collections = DATABASES[tenant, database]
    if method == "GET" and not which:
        at = int(query.get("offset", 0))
        return [shown(c) for c in list(collections.values())[at:at + int(query.get("limit", 100))]]
    if method == "POST" and not which:
        name = body["name"]
        if not re.fullmatch(r"[a-zA-Z0-9][a-zA-Z0-9._-]{1,510}[a-zA-Z0-9]", name):
            raise Fault(400, "Expected a name containing 3-512 characters from [a-zA-Z0-9._-]. Got: " + name)
        collections.setdefault(name, {"id": "%08d-0000-4000-8000-000000000000" % len(collections), "name": name,
                                      "metadata": body.get("metadata"), "dimension": None, "rows": {}})
        return shown(collections[name])
    for c in collections.values():
        if c["id"] == which:
            return work(c, verb, body)
    raise Fault(404, "Collection [%s] does not exist" % which)


def refused(headers):
    words = behaviour()
    for w in words:
        code, _, times = w.partition(":")
        if code == "401" and headers.get("X-Chroma-Token") != "secret" and headers.get("Authorization") != "Bearer secret":
            return 401
        if code == "503":
            left = STATE["left"].setdefault(w, int(times or 10**9))
            if left > 0:
                STATE["left"][w] -= 1
                return 503
    return 0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16  # one packet an answer: two wait for each other (Nagle, delayed ACK)

    def do_GET(self):
        self.answer("GET")

    def do_POST(self):
        self.answer("POST")

    def answer(self, method):
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path, _, rest = self.path.partition("?")
        body = json.loads(data) if data else {}
        status = refused(self.headers)
        try:
            if status:
                raise Fault(status, "refused")
            if "echo" in behaviour():
                raise Fault(400, "token %s" % (self.headers.get("X-Chroma-Token") or self.headers.get("Authorization")))
            out, status = serve(method, path, dict(p.split("=") for p in rest.split("&") if p), body), 200
        except Fault as f:
            status, out = f.args[0], {"error": "Fault", "message": f.args[1]}
        with open(os.path.join(FOLDER, "log"), "a", encoding="utf-8") as log:
            print(method, path.rsplit("/", 1)[1], status, len(body.get("ids") or []), file=log)
        out = json.dumps(out).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(out)))
        if status == 503:
            self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(out)

    def log_message(self, *_):
        pass


SERVER = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(os.path.join(FOLDER, "port.new"), "w", encoding="utf-8") as port:
    print(SERVER.server_port, file=port)
os.rename(os.path.join(FOLDER, "port.new"), os.path.join(FOLDER, "port"))
SERVER.serve_forever()
