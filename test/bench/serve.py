#!/usr/bin/env python3
"""Asks questions over many concurrent connections, one process each, as bid-search.socket starts them; also while the store grows.

usage: serve.py QUESTIONS.ndjson CLIENTS COUNT COMMAND...

Listens on a socket of its own and starts COMMAND with each connection as standard input and output, which is what
Accept=yes of systemd.socket(5) does.  CLIENTS connections ask COUNT questions together, each the next one when its last one
is answered.  An answer has to be of its question, with "matches", or say that the store lacks the company or that
it is not clear which is meant ("refused"); what isn't is a fault, counted and shown.
Prints one JSON object: questions, faults, seconds, milliseconds from sending a question to its whole answer (connecting is
apart), and how many found something.  Status 1 where there are faults.
"""
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

questions = [json.loads(line)["query"] for line in open(sys.argv[1], encoding="utf-8")]
clients, count, command = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
lock = threading.Lock()
waits, starts, faults, shown, children = [], [], 0, 0, []


def serve(listener):
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection:
            child = subprocess.Popen(command, stdin=connection, stdout=connection, stderr=subprocess.DEVNULL)
        with lock:
            children.append(child)


def fault(text):
    global faults, shown
    with lock:
        faults += 1
        if shown < 5:
            shown += 1
            print("serve.py: " + text[:300], file=sys.stderr)


def ask(path, own):
    """One client; `own` are the numbers of its questions."""
    s = socket.socket(socket.AF_UNIX)
    begun = time.monotonic()
    s.connect(path)
    stream = s.makefile("rwb")
    mine, first, found, refused = [], None, 0, 0
    for n in own:
        question = questions[n % len(questions)]
        sent = time.monotonic()
        try:
            stream.write(json.dumps({"query": question, "asked": n}).encode() + b"\n")
            stream.flush()
            line = stream.readline()
        except OSError as e:
            fault("client: %s" % e)
            break
        now = time.monotonic()
        if first is None:
            first = now - begun
        else:
            mine.append(now - sent)
        try:
            answer = json.loads(line)
        except ValueError:
            fault("no answer to %r: %r" % (question, line[:200]))
            break
        if answer.get("error", {}).get("category") in ("no-content", "invalid-request"):
            refused += 1
        elif answer.get("asked") != n or answer.get("query") != question or "matches" not in answer or "error" in answer:
            fault("%r: %s" % (question, line[:250]))
        elif answer["matches"]:
            found += 1
    s.close()
    with lock:
        waits.extend(mine)
        starts.append(first)
        answered.append((found, refused))


answered = []
folder = tempfile.mkdtemp()
path = os.path.join(folder, "sock")
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen(clients)
threading.Thread(target=serve, args=(listener,), daemon=True).start()
began = time.monotonic()
threads = [threading.Thread(target=ask, args=(path, range(c, count, clients))) for c in range(clients)]
for t in threads:
    t.start()
for t in threads:
    t.join()
seconds = time.monotonic() - began
listener.close()
for child in children:
    child.wait()
    if child.returncode not in (0, 1):
        fault("a server ended with status %d" % child.returncode)
os.unlink(path)
os.rmdir(folder)


def at(values, share):
    values = sorted(v for v in values if v is not None)
    return round(values[min(len(values) - 1, int(share * len(values)))] * 1000, 1) if values else None


print(json.dumps({"questions": count, "clients": clients, "faults": faults, "found": sum(a[0] for a in answered),
                  "refused": sum(a[1] for a in answered), "seconds": round(seconds, 1),
                  "perSecond": round(count / seconds, 1), "p50": at(waits, .5), "p99": at(waits, .99), "most": at(waits, 1),
                  "firstP50": at(starts, .5), "firstMost": at(starts, 1)}))
sys.exit(1 if faults else 0)
