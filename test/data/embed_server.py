#!/usr/bin/env python3
"""A small OpenAI-like embedding server that misbehaves on demand.  Standard library only.

usage: embed_server.py FOLDER

Writes its port to FOLDER/port.  FOLDER/behaviour, read at every request, is a comma list:
    429:N  503:N    the next N requests get that status (429 with Retry-After: 0)
    401 400 500     every request does, with a message that repeats the key
    slow            half a second for each request
    reverse         data in reverse order (index tells)
    base64          vectors as base64
    short lengths nan nothing        malformed answers
FOLDER/log gets a line for each request: number of texts, status, requests in flight.
A text's vector is made of its length and bytes, so that mixing texts up shows.
"""
import base64
import http.server
import json
import os
import struct
import sys
import threading
import time

FOLDER = sys.argv[1]
LOCK = threading.Lock()
STATE = {"flight": 0, "left": {}}


def vector(text):
    data = text.encode()
    return [float(len(data)), float(sum(data) % 251), 1.0, float(data[0] if data else 0)]


def behaviour():
    try:
        with open(os.path.join(FOLDER, "behaviour")) as f:
            return [x for x in f.read().strip().split(",") if x]
    except OSError:
        return []


def status_of(words):
    for w in words:
        code, _, times = w.partition(":")
        if code.isdigit():
            left = STATE["left"].setdefault(w, int(times or 10**9))
            if left > 0:
                STATE["left"][w] -= 1
                return int(code)
    return 200


def answer(words, texts):
    data = []
    for i, text in enumerate(texts):
        v = vector(text)
        if "lengths" in words and i % 2:
            v = v[:3]
        if "base64" in words:
            v = base64.b64encode(struct.pack("<%df" % len(v), *v)).decode()
        data.append({"object": "embedding", "index": i, "embedding": v})
    if "reverse" in words:
        data.reverse()
    if "short" in words:
        data.pop()
    if "nothing" in words:
        return b"<html>"
    text = json.dumps({"object": "list", "data": data, "model": "m"})
    return (text.replace("1.0,", "1e999,") if "nan" in words else text).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with LOCK:
            STATE["flight"] += 1
            flight, words = STATE["flight"], behaviour()
            status = status_of(words)
        time.sleep(.5 if "slow" in words else 0)
        if self.path != "/v1/embeddings":
            status = 404
        out = answer(words, body["input"])
        if status != 200:
            out = json.dumps({"error": {"message": "no: " + str(self.headers.get("Authorization"))}}).encode()
        with LOCK:
            STATE["flight"] -= 1
            with open(os.path.join(FOLDER, "log"), "a") as f:
                f.write("%d %d %d %s\n" % (len(body["input"]), status, flight, body["model"]))
        self.send_response(status)
        if status == 429:
            self.send_header("Retry-After", "0")
        self.send_header("Content-Length", str(len(out)))
        self.end_headers()
        self.wfile.write(out)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # clients are killed on purpose


server = Server(("127.0.0.1", 0), Handler)
with open(os.path.join(FOLDER, "port.new"), "w") as f:
    f.write(str(server.server_port))
os.rename(os.path.join(FOLDER, "port.new"), os.path.join(FOLDER, "port"))
server.serve_forever()
