#!/usr/bin/env python3
"""surroundings.py BIN SECONDS [SEED]: every program and pipeline where a process finds things otherwise than usual.

Closed standard descriptors, few descriptors, little memory, limits of a file's size, no environment, a huge one, no HOME, no
TMPDIR, another locale, time zone, umask and width, odd values of BID's own variables.  What has to hold: the usual output
and status, or another status and a message; no crash, no hang, and a store that is whole.  Prints a table; status 1 where
something was wrong.
"""
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MIB = 1 << 20
LIMIT = 120
# What changes answers, as another setting does that is not odd: before 1970 no filing is recent, and a store of another name
# is another one.
ALIKE = {"BID_NOW=1969-12-31": {"BID_NOW": "1971-12-31"}, "BID_STORE=store\nb": {"BID_STORE": "store-b"}}
QUESTION = "which port closed, and what did it cost?"


class Surroundings:
    def __init__(self, binary, seed):
        self.binary = os.path.abspath(binary)
        self.rng = random.Random(seed)
        self.folder = tempfile.mkdtemp(prefix="bid-surroundings-")
        self.counts = dict.fromkeys(["runs", "noticed", "unhurt", "wrong", "crashed", "hung", "silent", "lost"], 0)
        with open(os.path.join(self.binary, "bid-store"), "rb") as f:
            self.sanitized = b"__asan_init" in f.read()
        self.environment = dict(os.environ, HOME=self.path("home"), BID_STORE=self.path("store"), BID_CACHE=self.path("cache"),
                                BID_STATE=self.path("state"), BID_NOW="2026-03-05T00:00:00Z", BID_CONNECT_TO="127.0.0.1:1", LC_ALL="C.UTF-8",
                                TZ="UTC", TMPDIR=self.path("tmp"), PATH=self.binary + ":" + os.environ["PATH"])
        for name in ("home", "tmp", "reports"):
            os.mkdir(self.path(name))
        sample = os.path.join(ROOT, "data/sample")
        texts = sorted(os.path.join(sample, n) for n in os.listdir(sample) if n.endswith(".txt"))[:3]
        pdf = next(os.path.join(sample, n) for n in os.listdir(sample) if n.endswith(".pdf"))
        shutil.copy(texts[0], self.path("reports"))
        self.make("raw", ["bid-fetch", "--quiet", "file"] + texts + ["-P", "corpus=edgar"])
        for name, tool, source in [("documents", "bid-strip", "raw"), ("chunks", "bid-chunk", "documents"), ("embedded", "bid-embed", "chunks"),
                                   ("receipts", "bid-index", "embedded")]:
            self.make(name, [tool, "-q"], source)
        os.rename(self.path("store"), self.path("sound"))
        with open(self.path("mcp"), "w") as f:
            for number, (method, params) in enumerate([("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
                                                       ("tools/list", {}), ("tools/call", {"name": "collections", "arguments": {}})]):
                f.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
        with open(self.path("questions"), "w") as f:
            f.write('{"query":"%s"}\n{"query":"supply chain"}\n' % QUESTION)
        with open(self.path("watchlist.tsv"), "w") as f:
            f.write("TWHL\t10-K\tsec-filings\tedgar\n")
        pipeline = os.path.join(ROOT, "pipelines/")
        self.cases = [
            (["bid-fetch", "--quiet", "file"] + texts, None), (["bid-fetch", "--list", "--json"], None),
            (["bid-fetch", "--quiet", "--offline", "sec-submissions", "-e", "TWHL"], None), (["bid-strip", "-q"], "raw"),
            (["bid-strip", "-q", "--raw", pdf], None), (["bid-chunk", "-q"], "documents"), (["bid-embed", "-q"], "chunks"),
            (["bid-index", "-q"], "embedded"), (["bid-search", "--json", QUESTION], None), (["bid-search", "--json", "--where", "true", "supply"], None),
            (["bid-search"], "questions"), (["bid-store", "dump"], None), (["bid-store", "ls"], None), (["bid-store", "verify"], None),
            (["bid-store", "compact"], None), (["bid-plan", "--json", "Tidewrack's revenue in 2025"], None), (["bid-diff", "--json", "-e", "TWHL", "--item", "1A"], None),
            (["bid-facts", "--offline", "-e", "TWHL", "revenue"], None), (["bid-verify", "-q"], "questions"), (["bid-mcp"], "mcp"), (["bid"], None),
            ([pipeline + "bid-ingest", "--json", "--reports", self.path("reports")], None),
            ([pipeline + "bid-retrieve", "--json", "--no-edgar", QUESTION], None),
            ([pipeline + "bid-nightly", "--check", "--watchlist", self.path("watchlist.tsv")], None)]

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self, name, command, source=None):
        with open(self.path(name), "wb") as out, open(self.path(source) if source else os.devnull, "rb") as given:
            subprocess.run([os.path.join(self.binary, command[0])] + command[1:], stdin=given, stdout=out, env=self.environment, check=True)

    def fresh(self):
        for name in os.listdir(self.folder):
            if name.startswith("store") or name in ("cache", "state"):
                (shutil.rmtree if os.path.isdir(self.path(name)) else os.unlink)(self.path(name))
        shutil.copyfile(self.path("sound"), self.path("store"))

    def run(self, case, environment=None, limits=(), closed=(), umask=0o022, arguments=()):
        """Status (None: it hung), output without what changes from run to run, errors."""
        def before():
            os.umask(umask)
            for name, most in limits:
                resource.setrlimit(getattr(resource, name), (most, most))
            for fd in closed:
                os.close(fd)
        self.fresh()
        command, given = case
        program = command[0] if "/" in command[0] else os.path.join(self.binary, command[0])
        with open(self.path(given) if given else os.devnull, "rb") as source, open(self.path("out"), "wb") as out:
            try: # stderr is a pipe: a limit of a file's size would apply to it, too
                process = subprocess.Popen([program] + command[1:] + list(arguments), stdin=source, stdout=out, stderr=subprocess.PIPE,
                                           preexec_fn=before, cwd=self.folder, env=self.environment if environment is None else environment)
                error = process.communicate(timeout=LIMIT)[1]
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                return None, b"", b""
            except subprocess.SubprocessError:
                return -1, b"", b"not started"
            except OSError as e:
                return 127, b"", str(e).encode()
        with open(self.path("out"), "rb") as out:
            return process.returncode, re.sub(rb'"(capturedAt|updated|bidVersion)":("[^"]*"|[0-9.]+)', b"", out.read()), error

    # ---- what is otherwise; each gives a name and arguments of run() ----

    def limits(self):
        kind = self.rng.choice(["RLIMIT_NOFILE", "RLIMIT_AS", "RLIMIT_FSIZE", "RLIMIT_DATA"])
        if kind in ("RLIMIT_AS", "RLIMIT_DATA") and self.sanitized:
            kind = "RLIMIT_NOFILE"
        most = {"RLIMIT_NOFILE": self.rng.choice([3, 4, 5, 6, 7, 8, 10, 12, 16, 24]),
                "RLIMIT_AS": self.rng.randrange(12 * MIB, self.rng.choice([40, 120, 700]) * MIB),
                "RLIMIT_DATA": self.rng.randrange(1 * MIB, self.rng.choice([10, 120]) * MIB),
                "RLIMIT_FSIZE": self.rng.choice([0, 1, 100, 4096, 40960, self.rng.randrange(4 * MIB)])}[kind]
        return "%s %d" % (kind, most), {"limits": [(kind, most)]}

    def closed(self):
        which = self.rng.randrange(1, 8)
        fds = [fd for fd in range(3) if which >> fd & 1]
        return "closed %s" % fds, {"closed": fds}

    def changed(self, **variables):
        environment = dict(self.environment)
        for name, value in variables.items():
            if value is None:
                environment.pop(name, None)
            else:
                environment[name] = value
        return {"environment": environment}

    def harmless(self):
        """What must change nothing: the output is the usual one."""
        name, value = self.rng.choice([
            ("LC_ALL", "tr_TR.UTF-8"), ("LC_ALL", "ja_JP.SJIS"), ("LC_ALL", "C"), ("LC_ALL", "\udcff"), ("LANG", "de_DE.ISO-8859-1"), ("TZ", "Asia/Kathmandu"), ("TZ", ":/etc/passwd"),
            ("TZ", "XXX+99:99:99YYY"), ("TZ", "\udcff" * 3000), ("HOME", None), ("HOME", "/nonexistent"), ("HOME", ""), ("TMPDIR", "/nonexistent"), ("TMPDIR", "/proc"), ("TMPDIR", ""),
            ("BIG", "x" * 100000), ("COLUMNS", "-7"), ("COLUMNS", "99999999999999"), ("TERM", "\x1b[31m"), ("BID_PROGRESS", "99999999999"),
            ("BID_PROGRESS", "-1"), ("BID_PROGRESS", "x"), ("BID_PROGRESS", "1"), ("BID_EMBED_URL", ""), ("BID_CONNECTORS", ""), ("BID_DATA", ""), ("XDG_CONFIG_HOME", "/proc/self"),
            ("IFS", "/"), ("ENV", "/etc/passwd"), ("CDPATH", "/"), ("POSIXLY_CORRECT", "1"), ("MALLOC_PERTURB_", "165")])
        return "%s=%s" % (name, (value or "(unset)")[:40].encode(errors="replace")), self.changed(**{name: value})

    def odd(self):
        name, value = self.rng.choice([
            ("BID_NOW", "9999-12-31"), ("BID_NOW", "2038-01-19T03:14:08Z"), ("BID_NOW", "1969-12-31"), ("BID_NOW", "0000-00-00"), ("BID_NOW", "now"), ("BID_NOW", "9" * 5000),
            ("BID_STORE", "/proc/self/mem"), ("BID_STORE", "/dev/null"), ("BID_STORE", "/proc/"), ("BID_STORE", "x" * 5000), ("BID_STORE", "store\nb"), ("BID_CACHE", "/dev/null"),
            ("BID_CACHE", "x" * 5000), ("BID_STATE", "/dev/null"), ("BID_STATE", "/proc"), ("BID_DATA", "/nonexistent"), ("BID_MODEL", "/etc/passwd"), ("BID_MODEL", "/dev/zero"),
            ("BID_CONNECTORS", "/proc"), ("BID_USER_AGENT", "a\r\nHost: evil"), ("PATH", ""), ("PATH", "/nonexistent"), ("PATH", None)])
        return "%s=%s" % (name, (value or "(unset)")[:40]), self.changed(**{name: value})

    def emptied(self):
        keep = self.rng.choice([[], ["PATH"], ["BID_STORE", "PATH"]])
        return "only %s" % keep, {"environment": {n: self.environment[n] for n in keep}}

    def other(self):
        kind = self.rng.randrange(3)
        if kind == 0:
            mask = self.rng.choice([0, 0o777, 0o077])
            return "umask %o" % mask, {"umask": mask}
        if kind == 1:
            return "long arguments", {"arguments": ["x" * 100000] * 10}
        return "many arguments", {"arguments": ["y"] * 50000}

    def judge(self, name, what, ended, expected, alike, has_stderr):
        status, output, error = ended
        c, fault = self.counts, None
        said = b'"error"' in output or b'"isError":true' in output
        c["runs"] += 1
        if status is None:
            c["hung"] += 1
            fault = "hung"
        elif status < 0 or status >= 128 or b"Sanitizer" in error:
            c["crashed"] += 1
            fault = "status %d" % status
        elif (status, output) == expected[:2]:
            c["unhurt"] += 1
        elif alike or (status == 0 == expected[0] and not said and not what.endswith("arguments")):
            c["wrong"] += 1
            fault = "status %d, expected %d, output %s" % (status, expected[0], "as usual" if output == expected[1] else "other")
        else:
            c["noticed"] += 1
            if has_stderr and not error.strip() and not said and status != 0:
                c["silent"] += 1
                fault = "status %d without a message" % status
        if fault:
            print("surroundings: %s: %s: %s: %s" % (name, what, fault, error.decode(errors="replace")[:300].strip()))

    def check_store(self, name, what):
        done = subprocess.run([os.path.join(self.binary, "bid-store"), "verify"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode != 0:
            self.counts["lost"] += 1
            print("surroundings: %s: %s: verify: %s" % (name, what, done.stderr.decode(errors="replace")[:300]))

    def torture(self, seconds):
        usual = [self.run(c) for c in self.cases]
        end = time.monotonic() + seconds
        kinds = [self.limits, self.limits, self.closed, self.closed, self.harmless, self.harmless, self.odd, self.emptied, self.other]
        number = self.rng.randrange(1000)
        while time.monotonic() < end:
            number += 1
            at, kind = number % len(self.cases), self.rng.choice(kinds)
            what, how = kind()
            name = os.path.basename(self.cases[at][0][0]) + " " + " ".join(self.cases[at][0][1:3])[:40]
            alike = kind == self.harmless or what.startswith("umask 0")
            ended = self.run(self.cases[at], **how)
            expected = self.run(self.cases[at], **self.changed(**ALIKE[what])) if what in ALIKE else usual[at]
            self.judge(name, what, ended, expected, alike, 2 not in how.get("closed", ()))
            self.check_store(name, what)


def main():
    s = Surroundings(sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    s.torture(float(sys.argv[2]))
    shutil.rmtree(s.folder)
    print("surroundings (seed %s): %s" % (sys.argv[3] if len(sys.argv) > 3 else 1, ", ".join("%d %s" % (v, k) for k, v in s.counts.items())))
    return 1 if any(s.counts[k] for k in ["wrong", "crashed", "hung", "silent", "lost"]) or not s.counts["noticed"] else 0


if __name__ == "__main__":
    sys.exit(main())
