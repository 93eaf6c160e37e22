#!/usr/bin/env python3
"""faults.py BIN SHIM SECONDS [SEED]: the N-th malloc, open, write, read, fork or the like of programs fails or kills them.

Readers have to end with the sound output, or with a status other than 0 and a message.  Writers that fail or are killed
leave a store that is whole, in which each document is as it was before or as it is after, and all that had a receipt is
there.  N is taken from everywhere between the first call and the last.  Prints a table; status 1 where something was wrong.
"""
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
KINDS = ["malloc", "open", "write", "sync", "mmap", "rename", "lock", "read", "stat", "fork", "pipe", "thread", "folder"]


def lasting(output):
    """Without what differs from run to run."""
    return re.sub(rb'"capturedAt":"[^"]*"', b"", output)


class Case:
    """One command on a store; check(status, output, error) gives what is wrong, or None."""

    def __init__(self, name, command, given=None, writes=False):
        self.name, self.command, self.given, self.writes = name, command, given, writes


class Torture:
    def __init__(self, binary, shim, seed):
        self.binary, self.shim = binary, shim
        self.rng = random.Random(seed)
        self.folder = tempfile.mkdtemp(prefix="bid-faults-")
        self.store = os.path.join(self.folder, "store")
        self.sound = os.path.join(self.folder, "sound")
        self.counts = dict.fromkeys(["runs", "missed", "noticed", "unhurt", "killed", "wrong", "crashed", "hung", "silent", "lost"], 0)
        self.make("first", 1, 40, 3, 1)
        self.make("second", 20, 40, 3, 2)
        self.run(self.tool("bid-index") + ["-q", "--batch", "30", self.path("first")], self.sound)
        for documents in ("first", "second"):
            self.texts_of(documents)

    def path(self, name):
        return os.path.join(self.folder, name)

    def tool(self, name):
        return [os.path.join(self.binary, name)]

    def make(self, name, *arguments):
        with open(self.path(name), "wb") as f:
            subprocess.run([sys.executable, os.path.join(HERE, "documents.py")] + [str(a) for a in arguments], stdout=f, check=True)

    def texts_of(self, name):
        with open(self.path(name), "rb") as f:
            texts = {}
            for line in f:
                record = json.loads(line)
                texts.setdefault(record["sourceUrl"], []).append(record["text"])
        setattr(self, name, {url: tuple(t) for url, t in texts.items()})

    def run(self, command, store, given=None, **torture):
        environment = dict(os.environ, BID_STORE=store, BID_STATE=self.path("state"), BID_CACHE=self.path("cache"))
        if torture:
            environment.update({"LD_PRELOAD": self.shim}, **torture)
        try:
            done = subprocess.run(command, env=environment, input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        except subprocess.TimeoutExpired:
            return None, b"", b""
        return done.returncode, done.stdout, done.stderr

    def cases(self):
        index, store, search = self.tool("bid-index"), self.tool("bid-store"), self.tool("bid-search")
        second = self.path("second")
        yield Case("bid-index", index + ["--batch", "30", second], writes=True)
        yield Case("bid-store compact", store + ["compact"], writes=True)
        yield Case("bid-store rm", store + ["rm", "-c", "finance_edgar_EX1_*"], writes=True)
        yield Case("bid-store load", store + ["load", self.path("dumped")], writes=True)
        yield Case("bid-store dump", store + ["dump"])
        yield Case("bid-store ls", store + ["ls"])
        yield Case("bid-store verify", store + ["verify"])
        yield Case("bid-store stat", store + ["stat"])
        yield Case("bid-store documents", store + ["documents"])
        yield Case("bid-search", search + ["--mode", "text", "--no-threshold", "revenue risk"])
        with open(self.path("dumped"), "rb") as f:
            record = json.loads(f.readline())
        yield Case("bid-store show", store + ["show", record["id"]])
        question = {"query": "lease", "embedding": record["embedding"], "model": record["model"]}
        yield Case("bid-search --where", search + ["--mode", "text", "--no-threshold", "--where", '.metadata.form == "10-K"', "revenue risk"])
        sample = os.path.join(ROOT, "data/sample")
        filing = next(os.path.join(sample, n) for n in sorted(os.listdir(sample)) if n.endswith(".txt"))
        report = next(os.path.join(sample, n) for n in sorted(os.listdir(sample)) if n.endswith(".pdf"))
        document = self.run(self.tool("bid-strip") + ["-q", "--raw", filing], self.sound)[1]
        chunks = self.run(self.tool("bid-chunk") + ["-q"], self.sound, document)[1]
        for name, version in (("older", document), ("newer", document.replace(b"2025", b"2026"))):
            with open(self.path(name), "wb") as f:
                f.write(version)
        yield Case("bid-strip", self.tool("bid-strip") + ["--raw", filing])
        yield Case("bid-strip a PDF", self.tool("bid-strip") + ["--raw", report])
        papers = self.path("papers")
        subprocess.run([sys.executable, os.path.join(ROOT, "test/tools/office_files.py"), papers], check=True)
        subprocess.run(["tar", "czf", os.path.join(papers, "all.tar.gz"), "-C", papers, "figures.xlsx", "letter.eml"], check=True)
        for paper in sorted(os.listdir(papers)):
            yield Case("bid-strip " + paper, self.tool("bid-strip") + ["--raw", os.path.join(papers, paper)])
        yield Case("bid-fetch an archive", self.tool("bid-fetch") + ["--quiet", "file", os.path.join(papers, "all.tar.gz")])
        yield Case("bid-chunk", self.tool("bid-chunk"), given=document)
        yield Case("bid-embed", self.tool("bid-embed"), given=chunks)
        yield Case("bid-plan", self.tool("bid-plan") + ["--json", "Tidewrack's revenue in 2025"])
        facts = os.path.join(ROOT, "../shared/upstream/data.sec.gov/api/xbrl/companyfacts")
        if os.path.isdir(facts):
            smallest = min((os.path.join(facts, n) for n in os.listdir(facts) if n.endswith(".json")), key=os.path.getsize)
            yield Case("bid-facts", self.tool("bid-facts") + ["--from", smallest, "revenue", "assets"])
        yield Case("bid-diff", self.tool("bid-diff") + [self.path("older"), self.path("newer")])
        yield Case("bid-fetch --list", self.tool("bid-fetch") + ["--list", "--json"])
        yield Case("bid-fetch file", self.tool("bid-fetch") + ["--quiet", "file", filing])
        yield Case("bid-search <questions", search + ["--mode", "vector", "--threads", "1"], given=(json.dumps(question) + "\n").encode())

    def count_calls(self, case, kind):
        shutil.copyfile(self.sound, self.store)
        self.run_counted(case, TORTURE_CALL=kind)
        return self.calls

    def run_counted(self, case, **torture):
        """As run(); sets self.calls and self.hits, the calls of that kind and those that failed."""
        path = self.path("count")
        with open(path, "wb"):
            pass
        ended = self.run(case.command, self.store, case.given, TORTURE_COUNT=path, **torture)
        with open(path, "rb") as f:
            self.calls, self.hits = struct.unpack("ll", f.read().ljust(16, b"\0"))
        return ended

    def documents(self, store):
        status, output, error = self.run(self.tool("bid-store") + ["dump", "--plain"], store)
        if status not in (0, 1):
            return None
        texts = {}
        for line in output.splitlines():
            record = json.loads(line)
            texts.setdefault(record["sourceUrl"], []).append(record["text"])
        return {url: tuple(t) for url, t in texts.items()}

    def check_store(self, case, output):
        """What is wrong with the store after a writer ended anyhow, or None."""
        status, _, error = self.run(self.tool("bid-store") + ["verify"], self.store)
        if status != 0:
            return "verify: %s %s" % (status, error.decode()[:200])
        now = self.documents(self.store)
        if now is None:
            return "dump fails"
        removes = "rm" in case.command
        for url in set(self.first) | set(self.second):
            known = [self.first.get(url), self.second.get(url) if "bid-index" in case.name else None]
            if now.get(url) not in known and not (removes and url not in now):
                return "%s is neither old nor new: %s" % (url, now.get(url))
            if url in self.first and url not in now and not removes:
                return "%s is lost" % url
        if "bid-index" in case.name:
            for line in output.splitlines():
                try:
                    receipt = json.loads(line)
                except ValueError:
                    continue # its end was cut off
                url = receipt.get("sourceUrl")
                if "collection" in receipt and now.get(url) != self.second.get(url):
                    return "%s had a receipt and is not there" % url
        return None

    def judge(self, case, ended, expected, may_kill=False):
        """Counts how a run ended, (status or None, output, error); what is wrong with it, or None."""
        status, output, error = ended
        c, fault = self.counts, None
        c["runs"] += 1
        if status is None:
            c["hung"] += 1
            fault = "hung"
        elif status == -9 and may_kill:
            c["killed"] += 1
        elif status < 0 or status >= 128:
            c["crashed"] += 1
            fault = "signal %d" % status
        elif status == expected[0]:
            c["unhurt"] += 1
            if not case.writes and lasting(output) != lasting(expected[1]):
                c["wrong"] += 1
                fault = "other output, status %d" % status
        else:
            c["noticed"] += 1
            if not error.strip():
                c["silent"] += 1
                fault = "status %d without a message" % status
        if case.writes and status is not None:
            lost = self.check_store(case, output)
            if lost:
                c["lost"] += 1
                fault = (fault + "; " if fault else "") + lost
        return fault

    def one(self, case, kind, at, action, expected):
        shutil.copyfile(self.sound, self.store)
        for left in os.listdir(self.folder):
            if left.startswith("store-lock") or left.endswith(".part"):
                os.unlink(self.path(left))
        status, output, error = self.run_counted(case, TORTURE_CALL=kind, TORTURE_AT=str(at), TORTURE_DO=action)
        if not self.hits: # threads make some programs call less often than they did before
            self.counts["missed"] += 1
            return
        fault = self.judge(case, (status, output, error), expected, action == "kill")
        if fault:
            print("%s: %s number %d, %s: %s: %s" % (case.name, kind, at, action, fault, error.decode(errors="replace")[:300].strip()))

    def torture(self, seconds):
        with open(self.path("dumped"), "wb") as f:
            f.write(self.run(self.tool("bid-store") + ["dump"], self.sound)[1])
        plan = []
        for case in self.cases():
            shutil.copyfile(self.sound, self.store)
            expected = self.run(case.command, self.store, case.given)
            for kind in KINDS:
                calls = self.count_calls(case, kind)
                if kind == "malloc" and not calls:
                    raise AssertionError(case.name + ": its calls are not seen")
                if calls:
                    plan.append((case, kind, calls, expected))
        end = time.monotonic() + seconds
        for number in range(10 ** 9):
            if time.monotonic() >= end and number >= len(plan):
                break
            case, kind, calls, expected = plan[number % len(plan)] if number < len(plan) else self.rng.choice(plan)
            at = self.rng.choice([self.rng.randint(1, calls), self.rng.randint(1, min(calls, 60))])
            action = self.rng.choice(["fail", "fail", "kill", "all"]) if case.writes else self.rng.choice(["fail", "all"])
            self.one(case, kind, at, action, expected)


def main():
    binary, shim, seconds = sys.argv[1], os.path.abspath(sys.argv[2]), float(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    t = Torture(os.path.abspath(binary), shim, seed)
    t.torture(seconds)
    shutil.rmtree(t.folder)
    print("faults (seed %d): %s" % (seed, ", ".join("%d %s" % (v, k) for k, v in t.counts.items())))
    return 1 if any(t.counts[k] for k in ["wrong", "crashed", "hung", "silent", "lost"]) or not t.counts["noticed"] else 0


if __name__ == "__main__":
    sys.exit(main())
