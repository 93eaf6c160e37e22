#!/usr/bin/env python3
"""kills.py BIN SECONDS [SEED]: writers are killed at random moments while readers read; the store has to stay whole.

Two writers add and replace documents, a third compacts, merges, backs up or verifies; each is killed with SIGKILL after a
random time.  Readers search and dump all the while: what they get has to be whole documents, each of one version.  In every
eighth round they are a crowd of 64 at once.  After each round the store is verified, and every document that had a receipt
has to be there in that version or a later one.
"""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PASSAGES = 4
USUAL, CROWD = (2, 1, 1), (24, 16, 24) # writers, tenders, readers


class Kills:
    def __init__(self, binary, seed):
        self.binary, self.rng = os.path.abspath(binary), random.Random(seed)
        self.folder = tempfile.mkdtemp(prefix="bid-kills-")
        self.store = os.path.join(self.folder, "store")
        self.counts = dict.fromkeys(["rounds", "kills", "reads", "receipts", "wrong", "crashed", "hung", "lost"], 0)
        self.known = {} # url: the newest version with a receipt
        self.version = 0
        self.other = os.path.join(self.folder, "other") # a store that is merged
        documents = subprocess.run([sys.executable, os.path.join(HERE, "documents.py"), "90000", "30", str(PASSAGES), "1"],
                                   stdout=subprocess.PIPE, check=True).stdout
        subprocess.run([self.tool("bid-index"), "-q"], input=documents, stdout=subprocess.DEVNULL, check=True,
                       env=dict(os.environ, BID_STORE=self.other))
        self.broken = None # what went wrong in a thread of this test
        threading.excepthook = lambda hook: setattr(self, "broken", repr(hook.exc_value))

    def environment(self):
        return dict(os.environ, BID_STORE=self.store)

    def tool(self, name):
        return os.path.join(self.binary, name)

    def fault(self, kind, text):
        self.counts[kind] += 1
        print("round %d: %s: %s" % (self.counts["rounds"], kind, text))

    def kill_after(self, process, most):
        time.sleep(self.rng.random() * most)
        if process.poll() is None:
            process.kill()
            self.counts["kills"] += 1

    def write(self, first):
        self.version += 1
        version = self.version
        path = os.path.join(self.folder, "in%d" % first)
        with open(path, "wb") as f:
            subprocess.run([sys.executable, os.path.join(HERE, "documents.py"), str(first), "40", str(PASSAGES), str(version)],
                           stdout=f, check=True)
        process = subprocess.Popen([self.tool("bid-index"), "--batch", str(self.rng.choice([4, 20, 100])), path],
                                   env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        killer = threading.Thread(target=self.kill_after, args=(process, self.rng.choice([0.03, 0.1, 0.5])))
        killer.start()
        output, error = process.communicate()
        killer.join()
        if process.returncode not in (0, 75, -9):
            self.fault("crashed", "bid-index: %d %s" % (process.returncode, error.decode()[:200]))
        for line in output.splitlines():
            try:
                receipt = json.loads(line)
            except ValueError:
                continue
            if "collection" in receipt:
                self.counts["receipts"] += 1
                url = receipt["sourceUrl"]
                self.known[url] = max(self.known.get(url, 0), version)

    def tend(self, number):
        backup = os.path.join(self.folder, "backup%d" % number)
        words = self.rng.choice([["compact", "--wait", "2"], ["backup", backup], ["verify"], ["merge", self.store, self.other]])
        process = subprocess.Popen([self.tool("bid-store")] + words, env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.kill_after(process, 0.2)
        error = process.communicate()[1]
        if process.returncode not in (0, 66, 75, -9):
            self.fault("crashed", "bid-store %s: %d %s" % (words, process.returncode, error.decode()[:200]))
        if os.path.exists(backup):
            done = subprocess.run([self.tool("bid-store"), "verify"], env=dict(os.environ, BID_STORE=backup),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if done.returncode:
                self.fault("lost", "the backup: %s" % done.stderr.decode()[:200])
            os.unlink(backup)

    def documents(self):
        try:
            done = subprocess.run([self.tool("bid-store"), "dump", "--plain"], env=self.environment(), stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=60)
        except subprocess.TimeoutExpired:
            self.fault("hung", "dump")
            return {}
        if done.returncode not in (0, 1, 66, 75):
            self.fault("crashed", "dump: %d %s" % (done.returncode, done.stderr.decode()[:200]))
        found = {}
        for line in done.stdout.splitlines():
            record = json.loads(line)
            if "error" in record:
                continue # the store was busy, or is not there yet
            found.setdefault(record["sourceUrl"], []).append(record["text"].split("version ")[1].split(":")[0])
        self.counts["reads"] += 1
        for url, versions in found.items():
            if len(set(versions)) != 1 or len(versions) != PASSAGES:
                self.fault("wrong", "%s: versions %s" % (url, versions))
        return {url: int(versions[0]) for url, versions in found.items()}

    def read(self):
        for _ in range(3):
            self.documents()
            done = subprocess.run([self.tool("bid-search"), "--mode", "text", "--no-threshold", "revenue"], env=self.environment(),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            self.counts["reads"] += 1
            if done.returncode not in (0, 1, 66, 75):
                self.fault("crashed", "bid-search: %d %s" % (done.returncode, done.stderr.decode()[:200]))

    def round(self):
        writers, tenders, readers = CROWD if self.counts["rounds"] % 8 == 7 else USUAL
        self.counts["rounds"] += 1
        everyone = [threading.Thread(target=self.write, args=(1 + 100 * i,)) for i in range(writers)]
        everyone += [threading.Thread(target=self.tend, args=(i,)) for i in range(tenders)]
        everyone += [threading.Thread(target=self.read) for _ in range(readers)]
        for t in everyone:
            t.start()
        for t in everyone:
            t.join()
        if self.broken:
            self.fault("crashed", "this test: %s" % self.broken)
        if not os.path.exists(self.store):
            return
        done = subprocess.run([self.tool("bid-store"), "verify"], env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode not in (0, 66): # 66: killed before anything was in it
            self.fault("lost", "verify: %d %s" % (done.returncode, done.stderr.decode()[:300]))
        now = self.documents()
        for url, version in self.known.items():
            if now.get(url, 0) < version:
                self.fault("lost", "%s had a receipt of version %d and has %s" % (url, version, now.get(url)))


def main():
    kills = Kills(sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    end = time.monotonic() + float(sys.argv[2])
    while time.monotonic() < end:
        kills.round()
    shutil.rmtree(kills.folder)
    print("kills: %s" % ", ".join("%d %s" % (v, k) for k, v in kills.counts.items()))
    return 1 if any(kills.counts[k] for k in ["wrong", "crashed", "hung", "lost"]) else 0


if __name__ == "__main__":
    sys.exit(main())
