#!/usr/bin/env python3
"""pipelines.py BIN SECONDS [SEED]: bid-ingest, bid-nightly and bid-retrieve, with any of their processes killed at any moment.

A pipeline runs on the sample's filings, from a local server; after a random time one of its processes, or all of them, get
SIGKILL, or the pipeline itself SIGTERM, SIGINT or SIGHUP, after which none of its processes goes on, no temporary file stays,
and its status is that signal's.  The store has to be whole; what had a receipt has to be in it; a stamp of bid-nightly stands only where all filings
are stored; status 0 is said only where all was done; and the next run, which nobody disturbs, has to finish the work.
Prints a table; status 1 where something was wrong.
"""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NOW, LIMIT, GONE = "2026-03-05T00:00:00Z", 120, 15


class Pipelines:
    def __init__(self, binary, seed):
        self.rng = random.Random(seed)
        self.folder = tempfile.mkdtemp(prefix="bid-pipelines-")
        self.counts = dict.fromkeys(["rounds", "kills", "signals", "receipts", "lost", "wrong", "hung", "silent"], 0)
        self.server = subprocess.Popen(
            [sys.executable, os.path.join(os.path.dirname(HERE), "upstream.py"), "--dir", self.path("upstream"), "--parent",
             str(os.getpid()), "--sample", os.path.join(ROOT, "data/sample"), "--root", os.path.join(ROOT, "test/data/upstream"),
             "--root", os.path.join(ROOT, "test/data/alone")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists(self.path("upstream/port")):
            if self.server.poll() is not None:
                sys.exit("the server did not start")
            time.sleep(0.05)
        with open(self.path("upstream/port")) as f:
            port = f.read().strip()
        self.environment = dict(
            os.environ, BID_BIN=os.path.abspath(binary), BID_NOW=NOW, HOME=self.folder, BID_CONNECT_TO="127.0.0.1:" + port,
            BID_CA_FILE=self.path("upstream/ca.pem"), BID_STORE=self.path("store"), BID_CACHE=self.path("cache"),
            BID_STATE=self.path("state"), TMPDIR=self.path("tmp"), PATH=os.path.abspath(binary) + ":" + os.environ["PATH"])
        os.mkdir(self.path("tmp"))
        with open(self.path("watchlist.tsv"), "w") as f:
            f.write("TWHL\t10-K,10-Q,8-K\tsec-filings\tedgar\n")
        pipelines = os.path.join(ROOT, "pipelines")
        self.jobs = {
            "ingest": [os.path.join(pipelines, "bid-ingest"), "--json", "-e", "TWHL", "-n", "20", "--since", "2025-04-01"],
            "nightly": [os.path.join(pipelines, "bid-nightly"), "--watchlist", self.path("watchlist.tsv")],
            "retrieve": [os.path.join(pipelines, "bid-retrieve"), "--json", "-e", "9990001", "What are the risks of the supply chain?"]}
        self.sound = {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def fault(self, kind, text):
        self.counts[kind] += 1
        print("pipelines: %s: %s" % (kind, text))

    def start(self, words):
        """Runs in a session of its own; files in place of pipes, so that a survivor of a kill keeps nobody waiting."""
        with open(self.path("out"), "wb") as out, open(self.path("err"), "wb") as err:
            return subprocess.Popen(words, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                    start_new_session=True)

    def members(self, session):
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/stat" % name) as f:
                    fields = f.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(name))
        return found

    def kill(self, pid):
        try:
            os.kill(pid, signal.SIGKILL)
            self.counts["kills"] += 1
        except ProcessLookupError:
            pass

    def signal(self, name, process):
        """SIGTERM or the like to the pipeline alone: all of it ends, soon, and says why."""
        number = self.rng.choice([signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
        if process.poll() is not None:
            return
        process.send_signal(number)
        self.counts["signals"] += 1
        self.finish(process, "%s after %s" % (name, number.name), GONE)
        if process.returncode not in (-number, 0):
            self.fault("wrong", "%s after %s: status %s: %s" % (name, number.name, process.returncode, self.read("err").decode()[-300:]))

    def finish(self, process, what, limit=LIMIT):
        """Waits for the pipeline and for what is left of its session."""
        try:
            process.wait(limit)
            end = time.monotonic() + limit
            while self.members(process.pid):
                if time.monotonic() > end:
                    raise subprocess.TimeoutExpired(what, limit)
                time.sleep(0.01)
        except subprocess.TimeoutExpired:
            self.fault("hung", what)
            for pid in self.members(process.pid):
                self.kill(pid)
            process.wait()
        left = os.listdir(self.path("tmp"))
        if left:
            self.fault("wrong", "%s: left %s" % (what, left))
            shutil.rmtree(self.path("tmp"))
            os.mkdir(self.path("tmp"))

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def records(self):
        for line in self.read("out").splitlines():
            try:
                yield json.loads(line)
            except ValueError:
                pass # its end was cut off

    def answers(self):
        """The first passage of each answer, None where there is none."""
        return [(r["rag"]["matches"] or [{}])[0].get("text") for r in self.records()]

    def store(self, *words):
        return subprocess.run([os.path.join(self.environment["BID_BIN"], "bid-store")] + list(words), env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def documents(self):
        done = self.store("dump", "--plain")
        found = {}
        for line in done.stdout.splitlines():
            record = json.loads(line)
            if "error" not in record:
                found.setdefault(record["sourceUrl"], []).append(record["chunk"]["index"])
        return {url: sorted(indices) for url, indices in found.items()}

    def stamped(self):
        folder = self.path("state/nightly")
        return os.path.isdir(folder) and any(n.endswith(".stamp") and self.read("state/nightly/" + n) for n in os.listdir(folder))

    def forget(self):
        for name in ("store", "store-lock"):
            if os.path.exists(self.path(name)):
                os.unlink(self.path(name))
        shutil.rmtree(self.path("state"), ignore_errors=True)
        if self.rng.random() < 0.3:
            shutil.rmtree(self.path("cache"), ignore_errors=True)

    def undisturbed(self, name):
        """What a run gives that nobody disturbs: its time, the documents, what it says."""
        if name not in self.sound:
            self.forget()
            begun = time.monotonic()
            process = self.start(self.jobs[name])
            self.finish(process, name)
            said = self.answers() if name == "retrieve" else None
            if process.returncode or not self.documents() or said == [None]:
                sys.exit("%s, undisturbed: %s %s %s" % (name, process.returncode, self.read("err").decode(), self.read("out").decode()))
            self.sound[name] = (time.monotonic() - begun, self.documents(), said)
        return self.sound[name]

    def check(self, name, status, documents, expected):
        if os.path.exists(self.path("store")):
            done = self.store("verify")
            if done.returncode not in (0, 66):
                self.fault("lost", "%s: verify: %s" % (name, done.stderr.decode()[:300]))
        for url, indices in documents.items():
            if indices != expected.get(url):
                self.fault("wrong", "%s: %s is half there: %d passages of %d" % (name, url, len(indices), len(expected.get(url, []))))
        for record in self.records():
            if "collection" in record and "added" in record:
                self.counts["receipts"] += 1
                if record["sourceUrl"] not in documents:
                    self.fault("lost", "%s: %s had a receipt" % (name, record["sourceUrl"]))
        if name == "nightly" and self.stamped() and documents != expected:
            self.fault("lost", "nightly: a stamp, and %d documents of %d" % (len(documents), len(expected)))
        if name != "retrieve" and status == 0 and documents != expected:
            self.fault("wrong", "%s: status 0, and %d documents of %d" % (name, len(documents), len(expected)))

    def round(self):
        name = self.rng.choice(list(self.jobs))
        seconds, expected, said = self.undisturbed(name)
        self.counts["rounds"] += 1
        self.forget()
        process = self.start(self.jobs[name])
        time.sleep(self.rng.random() * seconds * 1.1)
        found = self.members(process.pid)
        if self.rng.random() < 0.4:
            self.signal(name, process)
        elif found:
            for pid in [self.rng.choice(found)] if self.rng.random() < 0.8 else found:
                self.kill(pid)
        self.finish(process, name)
        self.check(name, process.returncode, self.documents(), expected)
        process = self.start(self.jobs[name])
        self.finish(process, name + " again")
        again = self.documents()
        if process.returncode != 0 or again != expected:
            self.fault("wrong", "%s again: status %s, %d documents of %d: %s" % (
                name, process.returncode, len(again), len(expected), self.read("err").decode()[-300:]))
        if said and self.answers() != said:
            self.fault("wrong", "retrieve again: another answer")


def main():
    p = Pipelines(sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    end = time.monotonic() + float(sys.argv[2])
    while time.monotonic() < end or not p.counts["rounds"]:
        p.round()
    p.server.kill()
    p.server.wait()
    shutil.rmtree(p.folder)
    print("pipelines (seed %s): %s" % (sys.argv[3] if len(sys.argv) > 3 else 1, ", ".join("%d %s" % (v, k) for k, v in p.counts.items())))
    return 1 if any(p.counts[k] for k in ["lost", "wrong", "hung", "silent"]) else 0


if __name__ == "__main__":
    sys.exit(main())
