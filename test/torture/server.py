#!/usr/bin/env python3
"""server.py BIN SECONDS [SEED]: bid-fetch against a server that lies, stalls and floods.

Answers are sound, cut, wrongly framed, packed wrongly, endless, slow, redirected to private addresses, of unknown charsets,
or refusals with odd Retry-After; or sound ones with bytes changed.  bid-fetch has to end in time and within its memory, with
status 0 and the very page for a sound answer, with another status and a message for an unsound one; and what the cache then
gives without the server is either the page or nothing.  Prints a table; status 1 where something was wrong.
"""
import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS, MEMORY = 45, 900 << 10 # most of one fetch; KiB
CONNECTOR = """def declare: {description: "any page", hosts: ["upstream.example"], parameters: [{name: "path"}],
  rateLimit: {requestsPerSecond: 1000, burstSize: 100, domain: "web"}};
def step: {request: {url: "https://upstream.example/\\(.job.params.path)", payload: {kind: "page"}, maxAge: 3600}};
"""
AWAY = ["https://10.0.0.1/x", "https://127.0.0.1/x", "http://localhost:1/x", "https://[::1]/x", "https://169.254.169.254/latest",
        "file:///etc/passwd", "ftp://upstream.example/x", "https://upstream.example.evil.example/x", "//10.1.2.3/x",
        "https://upstream.example@evil.example/", "https://evil.example#upstream.example", "gopher://127.0.0.1:1/_x",
        "https://0x7f000001/", "https://2130706433/", "\\\\evil\\x", "https://upstream.example:22/x", "", "https://"]
WAITS = ["-1", "nan", "1e308", "9" * 40, "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "soon", "0", "", "inf"]
CHARSETS = ["utf-7", "ebcdic-xyz", "\x01\x02", "x" * 5000, "utf-16le", "utf-8; charset=latin1", "\"", "../../etc", "%s%n"]


def head(status, *lines):
    return ("HTTP/1.1 %s\r\n" % status + "".join(line + "\r\n" for line in lines) + "\r\n").encode("latin-1")


def chunked(body, end=b"0\r\n\r\n", size=700):
    return b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in (body[a:a + size] for a in range(0, len(body), size))) + end


class Server:
    def __init__(self, binary, seed):
        self.binary, self.rng = os.path.abspath(binary), random.Random(seed)
        self.folder = tempfile.mkdtemp(prefix="bid-server-")
        self.counts = dict.fromkeys(["fetches", "taken", "refused", "wrong", "crashed", "hung", "silent", "large"], 0)
        self.sanitized = b"__asan_init" in read(os.path.join(self.binary, "bid-fetch"))
        os.makedirs(self.path("connectors"))
        with open(self.path("connectors/web.jq"), "w") as f:
            f.write(CONNECTOR)
        self.page = ("<html><body>" + "".join("<p>line %d of the page, %s</p>\n" % (i, self.rng.random()) for i in range(300)) +
                     "</body></html>").encode()
        self.server = subprocess.Popen([sys.executable, os.path.join(os.path.dirname(HERE), "upstream.py"), "--dir",
                                        self.path("upstream"), "--parent", str(os.getpid())], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        while not os.path.exists(self.path("upstream/port")):
            if self.server.poll() is not None:
                sys.exit("the server did not start")
            time.sleep(0.05)

    def path(self, name):
        return os.path.join(self.folder, name)

    def rule(self, text):
        with open(self.path("faults"), "w") as f:
            f.write(text + "\n")
        os.rename(self.path("faults"), self.path("upstream/faults"))

    def fetch(self, *words):
        environment = dict(os.environ, BID_CACHE=self.path("cache"), BID_STATE=self.path("state"), HOME=self.folder,
                           BID_CONNECTORS=self.path("connectors"), BID_CA_FILE=self.path("upstream/ca.pem"),
                           BID_CONNECT_TO="127.0.0.1:" + read(self.path("upstream/port")).decode().strip())
        with open(self.path("out"), "wb") as out, open(self.path("err"), "wb") as err:
            process = subprocess.Popen([os.path.join(self.binary, "bid-fetch"), "-q", "--timeout", "2", "web", "-P", "path=x"] +
                                       list(words), env=environment, stdout=out, stderr=err)
            end = time.monotonic() + SECONDS
            while True:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                if time.monotonic() > end:
                    process.kill()
                    os.wait4(process.pid, 0)
                    return None, b"", b""
                time.sleep(0.005)
        process.returncode = 0 # it has been waited for
        if usage.ru_maxrss > MEMORY and not self.sanitized:
            self.fault("large", "%d KiB" % usage.ru_maxrss)
        return os.waitstatus_to_exitcode(status), read(self.path("out")), read(self.path("err"))

    def fault(self, kind, text):
        self.counts[kind] += 1
        print("server: %s: %s: %s" % (self.what, kind, text))

    # ---- answers: what it is, the rule, whether it is sound (None: either) ----

    def raw(self, *parts):
        with open(self.path("raw"), "wb") as f:
            f.write(b"".join(parts))
        return "*=raw:" + self.path("raw")

    def sound(self):
        p, z = self.page, gzip.compress(self.page)
        return self.rng.choice([
            (head("200 OK", "Content-Type: text/html", "Content-Length: %d" % len(p)), p),
            (head("200 OK", "Content-Type: text/html", "Transfer-Encoding: chunked"), chunked(p)),
            (head("200 OK", "Content-Type: text/html", "Transfer-Encoding: chunked"), chunked(p, b"0\r\nX-End: 1\r\n\r\n", 1)),
            (head("200 OK", "Content-Encoding: gzip", "Content-Length: %d" % len(z)), z),
            (head("200 OK", "Content-Encoding: gzip", "Transfer-Encoding: chunked"), chunked(z)),
            (head("200 OK", "Content-Type: text/html", "Content-Length: %d" % len(p), *["X-%d: y" % i for i in range(10000)]), p),
            (head("200 OK", "Content-Encoding: gzip"), gzip.compress(p[:1000]) + gzip.compress(p[1000:])),
            (head("100 Continue") * 5000 + head("200 OK", "Content-Length: %d" % len(p)), p),
            (head("200 OK", "Content-Type: text/html"), p)])

    def unsound(self):
        p, z, r = self.page, gzip.compress(self.page), self.rng
        cut, zcut = r.randrange(1, len(p)), r.randrange(1, len(z))
        broken = bytearray(z)
        broken[len(z) - r.randrange(1, 9)] ^= 1 << r.randrange(8)
        return r.choice([
            (head("200 OK", "Content-Length: %d" % (len(p) + r.choice([1, 100, 10 ** 9]))), p),
            (head("200 OK", "Content-Length: %d" % len(p)), p[:cut]),
            (head("200 OK", "Transfer-Encoding: chunked"), chunked(p, b"")),
            (head("200 OK", "Transfer-Encoding: chunked"), chunked(p)[:cut]),
            (head("200 OK", "Transfer-Encoding: chunked"), b"ffffffffffffffffff\r\n" + p),
            (head("200 OK", "Transfer-Encoding: chunked"), b"zz\r\n" + p),
            (head("200 OK", "Content-Encoding: gzip", "Content-Length: %d" % zcut), z[:zcut]),
            (head("200 OK", "Content-Encoding: gzip", "Transfer-Encoding: chunked"), chunked(z[:zcut])),
            (head("200 OK", "Content-Encoding: gzip"), z[:zcut]),
            (head("200 OK", "Content-Encoding: gzip", "Content-Length: %d" % len(z)), bytes(broken)),
            (head("200 OK", "Content-Encoding: gzip", "Content-Length: %d" % len(p)), p),
            (head("200 OK", "Content-Length: %d" % len(p), "Content-Length: %d" % cut), p),
            (head("200 OK", "Content-Length: -1"), p), (head("200 OK", "Content-Length: 1e3"), p),
            (b"HTTP/1.1 200 OK\r\nContent-Len",), (b"",), (b"\0" * 3000,), (b"220 smtp ready\r\n",),
            (head("204 No Content"),), (head("206 Partial Content", "Content-Length: %d" % cut), p[:cut]),
            (head("304 Not Modified"),), (head("302 Found", "Location: " + r.choice(AWAY), "Content-Length: 0"),),
            (head("301 Moved", "Location: " + r.choice(AWAY), "Content-Length: 0"),),
            (head("429 Too Many Requests", "Retry-After: " + r.choice(WAITS), "Content-Length: 0"),),
            (head("503 Unavailable", "Retry-After: " + r.choice(WAITS), "Content-Length: 0"),),
            (head("200 OK", *["X-%d: %s" % (i, "y" * 1000) for i in range(600)]), p),
            (head("200 OK", "X: " + "y" * 10 ** 6), p), (head("103 Early Hints", "Link: </x>") * 200000 + head("200 OK"), p),
            (head("200 OK", "Transfer-Encoding: chunked"), chunked(p, b"0\r\n" + b"X: y\r\n" * 100000 + b"\r\n")),
            (head("200 OK", "Content-Encoding: gzip, gzip"), gzip.compress(z)),
            (head("200 OK", "Transfer-Encoding: gzip, chunked"), chunked(z)), (p,), (head("299 Odd", "Content-Length: %d" % len(p)), p),
            (head("200 OK", "Content-Encoding: br", "Content-Length: %d" % len(p)), p)])

    def case(self):
        r = self.rng
        kind = r.choice(["sound", "unsound", "unsound", "unsound", "flood", "charset", "changed", "changed"])
        if kind == "sound":
            return kind, self.raw(*self.sound()), True
        if kind == "unsound":
            parts = self.unsound()
            return "%s (%r)" % (kind, b"".join(parts)[:120]), self.raw(*parts), False
        if kind == "flood":
            rule = r.choice(["bomb", "bomb:70000000", "drip:200", "hang", "stall", "stall:5", "reset", "header", "header:90000",
                             "length:1000000000000", "redirect:self", "429", "503", "slow:9", "refuse"])
            if r.random() < 0.03: # takes some seconds
                rule = "huge"
            return rule, "*=" + rule if not rule.startswith("redirect") else "*=redirect:https://upstream.example/x", False
        if kind == "charset":
            type_ = "Content-Type: text/html; charset=" + r.choice(CHARSETS)
            return type_[:60], self.raw(head("200 OK", type_, "Content-Length: %d" % len(self.page)), self.page), None
        data = bytearray(b"".join(self.sound()))
        for _ in range(r.choice([1, 1, 3, 20])):
            data[r.randrange(min(len(data), r.choice([200, 10 ** 6])))] = r.choice([r.randrange(256), 10, 13, 48, 58])
        return "changed (%r)" % bytes(data[:160]), self.raw(bytes(data)), None

    # ---- what is made of them ----

    def contents(self, output):
        """The pages in the records of an output, or None where a line is no record."""
        try:
            return [json.loads(line).get("rawContent") for line in output.decode().splitlines() if b'"rawContent"' in line.encode()]
        except ValueError:
            return None

    def judge(self, status, output, error, sound):
        c = self.counts
        pages = self.contents(output)
        if status is None:
            self.fault("hung", "after %d s" % SECONDS)
        elif status < 0 or status in (132, 134, 135, 139) or b"Sanitizer" in error or b"runtime error" in error:
            self.fault("crashed", "%d %s" % (status, error[-400:].decode(errors="replace")))
        elif pages is None:
            self.fault("wrong", "no records: %r" % output[:200])
        elif status == 0:
            c["taken"] += 1
            if sound is False or (sound and pages != [self.page.decode()]):
                self.fault("wrong", "status 0, %d records, %d bytes" % (len(pages), len(pages[0] if pages else "")))
        else:
            c["refused"] += 1
            if sound:
                self.fault("wrong", "status %d: %s" % (status, error.decode(errors="replace")[:300]))
            if not error.strip() or b"\x1b" in error:
                self.fault("silent", "status %d: %r" % (status, error[:200]))
        return pages if status == 0 else []

    def round(self):
        for name in ("cache", "state"):
            shutil.rmtree(self.path(name), ignore_errors=True)
        self.what, rule, sound = self.case()
        self.rule(rule)
        self.counts["fetches"] += 1
        first = self.judge(*self.fetch(), sound)
        status, output, _ = self.fetch("--offline")
        if status == 0 and self.contents(output) != first:
            self.fault("wrong", "the cache gives what the fetch did not")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def main():
    server = Server(sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    end = time.monotonic() + float(sys.argv[2])
    while time.monotonic() < end or not server.counts["taken"]:
        server.round()
    server.server.kill()
    server.server.wait()
    shutil.rmtree(server.folder)
    c = server.counts
    print("server (seed %s): %s" % (sys.argv[3] if len(sys.argv) > 3 else 1, ", ".join("%d %s" % (v, k) for k, v in c.items())))
    return 1 if any(c[k] for k in ["wrong", "crashed", "hung", "silent", "large"]) or not c["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
