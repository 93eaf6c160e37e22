#!/usr/bin/env python3
"""mcp.py BIN SECONDS [SEED]: bid-mcp and a hostile client.

First every kind of bad input once: broken JSON, deep nesting, huge and odd ids, wrong types for every argument of every
tool, cancellations of what was never asked, thousands of requests and notifications, half a line and the end.  Then
mutated messages until the time is over.  The server has to answer each request once and nothing else, with valid JSON,
answer the last ping, and end with status 0 and within bounds of memory.  Prints a table; status 1 where it did not.
"""
import collections
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

LAST = "the last"
MOST_KIB = 400 * 1024
HELLO = {"jsonrpc": "2.0", "id": 0, "method": "initialize",
         "params": {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}


def request(number, method, **params):
    message = {"jsonrpc": "2.0", "id": number, "method": method}
    if params:
        message["params"] = params
    return message


def call(number, tool, arguments):
    return request(number, "tools/call", name=tool, arguments=arguments)


def lines(*messages):
    return b"".join((m if isinstance(m, bytes) else json.dumps(m).encode()) + b"\n" for m in messages)


class Hostile:
    def __init__(self, binary, seed):
        self.binary = os.path.abspath(binary)
        self.rng = random.Random(seed)
        self.folder = tempfile.mkdtemp(prefix="bid-mcp-")
        self.counts = dict.fromkeys(["sessions", "answers", "wrong", "crashed", "hung", "silent", "large"], 0)
        with open(os.path.join(self.binary, "bid-mcp"), "rb") as f:
            self.sanitized = b"__asan_init" in f.read()
        self.environment = dict(os.environ, HOME=self.folder, BID_STORE=self.path("store"), BID_CACHE=self.path("cache"),
                                BID_STATE=self.path("state"), BID_CONNECT_TO="127.0.0.1:1")
        self.stubs = self.path("stubs")
        os.mkdir(self.stubs)
        for name in os.listdir(self.binary):
            with open(os.path.join(self.stubs, name), "w") as f:
                f.write("#!/bin/sh\necho '{}'\n")
            os.chmod(os.path.join(self.stubs, name), 0o755)

    def path(self, name):
        return os.path.join(self.folder, name)

    def fault(self, kind, name, text):
        self.counts[kind] += 1
        print("mcp: %s: %s: %s" % (name, kind, text[:300]))

    def talk(self, name, data, ends=True, hello=True):
        """One session; the answers as objects, a batch's too, or None where it went wrong."""
        self.counts["sessions"] += 1
        given = (lines(HELLO) if hello else b"") + data + (b"\n" + lines(request(LAST, "ping")) if ends else b"")
        process = subprocess.Popen([os.path.join(self.binary, "bid-mcp"), "--timeout=20"], env=dict(self.environment, BID_BIN=self.stubs),
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = process.communicate(given, timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return self.fault("hung", name, "no end after 120 s")
        if process.returncode != 0:
            return self.fault("crashed", name, "status %d: %s" % (process.returncode, err.decode(errors="replace")[-300:]))
        kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        if kib > MOST_KIB and not self.sanitized:
            return self.fault("large", name, "%d KiB" % kib)
        answers = []
        for line in out.split(b"\n")[:-1]:
            try:
                found = json.loads(line.decode())
            except ValueError as e:
                return self.fault("wrong", name, "%s: %r" % (e, line[:200]))
            answers += found if isinstance(found, list) else [found]
        if any(not isinstance(a, dict) or a.get("jsonrpc") != "2.0" for a in answers):
            return self.fault("wrong", name, "an answer is no message")
        if hello and not (answers and answers[0].get("id") == 0 and "result" in answers.pop(0)):
            return self.fault("silent", name, "the greeting has no answer")
        self.counts["answers"] += len(answers)
        if ends and not any(a.get("id") == LAST and "result" in a for a in answers):
            return self.fault("silent", name, "the last ping has no answer")
        return answers

    def expect(self, name, data, ids, **how):
        """A session in which just these ids are answered, besides errors without an id."""
        answers = self.talk(name, data, **how)
        if answers is None:
            return []
        got = collections.Counter(json.dumps(a.get("id")) for a in answers if "method" not in a and a.get("id") not in (LAST, None))
        want = collections.Counter(json.dumps(i) for i in ids)
        if got != want:
            self.fault("wrong", name, "answered %s, asked %s" % (list((got - want).items())[:5], list((want - got).items())[:5]))
        return answers

    # ---- each kind once ----

    def bytes_that_are_no_message(self):
        deep = b"[" * 200000
        for name, data in [
                ("nothing", b""), ("blank lines", b"\n \n\t\n\r\n"), ("a zero byte", b"\0"), ("zeros", b"\0" * 70000), ("deep lists", deep),
                ("deep objects", b'{"a":' * 100000), ("deep and closed", deep + b"]" * 200000), ("a mark of order", b"\xef\xbb\xbf{}"),
                ("UTF-16", json.dumps(request(1, "ping")).encode("utf-16")), ("bytes of no UTF-8", bytes(range(128, 256))),
                ("overlong", b'{"jsonrpc":"2.0","id":"\xc0\xaf","method":"ping"}'),
                ("a surrogate in UTF-8", b'{"jsonrpc":"2.0","id":"\xed\xa0\x80","method":"ping"}'),
                ("a cut character", b'{"jsonrpc":"2.0","id":"\xe2\x82","method":"ping"}'), ("NaN", b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}'),
                ("a number", b"7"), ("a long number", b"9" * 100000), ("true", b"true"), ("an open text", b'"' + b"a" * 100000),
                ("too long a line", b"x" * (5 << 20)), ("a comment", b"// {}"), ("single quotes", b"{'jsonrpc': '2.0'}")]:
            self.expect(name, data, [])

    def ids(self):
        for text in ['""', '"%s"' % ("i" * 500000), "-0", "1e2", "123456789012345678901234567890", "-9223372036854775808", '"\\u0000"',
                     '"\\ud83d\\ude00"']:
            data = ('{"jsonrpc":"2.0","id":%s,"method":"ping"}' % text).encode()
            answers = self.talk("id " + text[:40], data) or []
            if len([a for a in answers if a.get("id") != LAST]) != 1:
                self.fault("wrong", "id " + text[:40], "not answered once: %s" % json.dumps(answers)[:200])
        for text in ["1.5", "true", "{}", "[]", "[1]", "1e400"]:
            data = ('{"jsonrpc":"2.0","id":%s,"method":"ping"}' % text).encode()
            answers = self.talk("id " + text, data) or []
            if not any("error" in a or a.get("id") != LAST for a in answers):
                self.fault("silent", "id " + text, "no answer")

    def members(self):
        odd = [None, True, 0, "", [], {}, [[]], "x" * 100000]
        messages = []
        for value in odd:
            for member in ("jsonrpc", "method", "params"):
                messages.append(dict(request(1, "ping"), **{member: value}))
            messages.append(request(1, "tools/list", cursor=value))
            messages.append(request(1, "tools/call", name=value, arguments={}))
            messages.append(request(1, "tools/call", name="collections", arguments=value))
            messages.append(dict(call(1, "collections", {}), params={"name": "collections", "_meta": value}))
            messages.append(dict(call(1, "collections", {}), params={"name": "collections", "_meta": {"progressToken": value}}))
            messages.append(request(1, "resources/read", uri=value))
            messages.append(request(1, "completion/complete", ref=value, argument=value))
            messages.append(request(1, "logging/setLevel", level=value))
            messages.append(dict(HELLO, id=1, params=value))
            messages.append(dict(HELLO, id=1, params={"protocolVersion": value, "capabilities": value, "clientInfo": value}))
        for number, m in enumerate(messages, 1):
            m["id"] = number
        answers = self.talk("odd members", lines(*messages))
        unanswered = set(range(1, len(messages) + 1)) - {a.get("id") for a in answers or []}
        if answers is not None and unanswered:
            self.fault("silent", "odd members", json.dumps(messages[min(unanswered) - 1])[:200])

    def tools(self):
        answers = self.talk("tools", lines(request(1, "tools/list"))) or []
        return next((a["result"]["tools"] for a in answers if a.get("id") == 1), [])

    def arguments(self):
        wrong = {"string": [None, True, 7, 1e300, {}, [[]]], "integer": [None, "x", [], {}, 1.5, 1e300, 2 ** 70, True],
                 "number": [None, "x", [], {}, True], "boolean": [None, 1, "true", [], {}], "array": [None, True, 7, {}, [[]], [{}], [None]],
                 "object": [None, True, 7, "x", []]}
        messages = []
        for tool in self.tools():
            for name, schema in tool["inputSchema"].get("properties", {}).items():
                for value in wrong.get(schema.get("type"), []):
                    messages.append(call(len(messages) + 1, tool["name"], {name: value}))
            messages.append(call(len(messages) + 1, tool["name"], {"\0" + "n" * 100000: 1}))
        answers = self.expect("wrong arguments", lines(*messages), range(1, len(messages) + 1))
        for a in answers:
            if isinstance(a.get("id"), int) and "error" not in a and not a["result"].get("isError"):
                self.fault("wrong", "wrong arguments", "taken: %s" % json.dumps(messages[a["id"] - 1])[:200])
        if len(messages) < 50:
            self.fault("wrong", "wrong arguments", "only %d were tried" % len(messages))

    def many(self):
        self.expect("10,000 pings", lines(*(request(i, "ping") for i in range(1, 10001))), range(1, 10001))
        self.expect("10,000 notifications", lines(*[{"jsonrpc": "2.0", "method": "notifications/x", "params": {"a": [1]}}] * 10000), [])
        self.expect("a batch of 10,000", lines([request(i, "ping") for i in range(1, 10001)]), range(1, 10001))
        self.expect("1,000 calls", lines(*(call(i, "collections", {}) for i in range(1, 1001))), range(1, 1001))
        self.expect("one id for all", lines(*[request(7, "ping")] * 1000), [7] * 1000)
        self.expect("unasked answers", lines(*({"jsonrpc": "2.0", "id": i, "result": {}} for i in range(1000))), [])
        unknown = [1, "x", None, {}, [], 1e300, -1, "9" * 100000]
        self.expect("cancellations of what was not asked", lines(*[
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": i, "reason": i}} for i in unknown] * 500), [])
        self.expect("a cancelled ping was answered", lines(request(5, "ping"), {"jsonrpc": "2.0", "method": "notifications/cancelled",
                                                                                "params": {"requestId": 5}}), [5])

    def ends(self):
        whole = json.dumps(request(1, "ping")).encode()
        self.expect("a last line without its end", whole, [1], ends=False)
        for cut in range(1, len(whole), 7):
            self.expect("half a line and the end", whole[:cut], [], ends=False)
        self.expect("the end at once", b"", [], ends=False, hello=False)
        self.expect("no greeting", b"", [], ends=False, hello=False)
        self.expect("CRLF", whole + b"\r", [1])
        answers = self.talk("before the greeting", lines(call(1, "collections", {})), ends=False, hello=False)
        if answers is not None and [("error" in a) for a in answers] != [True]:
            self.fault("wrong", "before the greeting", json.dumps(answers)[:200])

    # ---- mutations ----

    def mutated(self, message):
        data = bytearray(json.dumps(message).encode())
        tokens = [b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\\u0000", b"\\ud800", b"null", b"1e999", b"\xff", b"\0", b"-", b'"id":1,', b"  "]
        for _ in range(self.rng.choice([1, 1, 2, 5])):
            at, kind = self.rng.randrange(len(data) + 1), self.rng.randrange(5)
            if kind == 0 and at < len(data):
                data[at] = self.rng.randrange(256)
            elif kind == 1:
                data[at:at] = self.rng.choice(tokens)
            elif kind == 2:
                del data[at:at + self.rng.randrange(1, 20)]
            elif kind == 3:
                data[at:at] = data[max(0, at - 30):at] * self.rng.randrange(1, 40)
            else:
                data = data[:at]
            if not data:
                break
        return bytes(data)

    def mutations(self, tools):
        seeds = [request(1, "ping"), request("a", "tools/list"), HELLO, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
                 request(3, "resources/read", uri="bid://passage/x"), [request(4, "ping"), request(5, "tools/list")]]
        for tool in tools:
            properties = tool["inputSchema"].get("properties", {})
            seeds.append(call(6, tool["name"], {n: {"array": ["AAPL"], "integer": 3, "boolean": True}.get(p.get("type"), "x") for n, p in properties.items()}))
        self.talk("mutations", b"\n".join(self.mutated(self.rng.choice(seeds)) for _ in range(400)))

    def torture(self, seconds):
        end = time.monotonic() + seconds
        for part in (self.bytes_that_are_no_message, self.ids, self.members, self.arguments, self.many, self.ends):
            part()
        tools = self.tools()
        while time.monotonic() < end:
            self.mutations(tools)


def main():
    h = Hostile(sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    h.torture(float(sys.argv[2]))
    shutil.rmtree(h.folder)
    print("mcp (seed %s): %s" % (sys.argv[3] if len(sys.argv) > 3 else 1, ", ".join("%d %s" % (v, k) for k, v in h.counts.items())))
    return 1 if any(h.counts[k] for k in ["wrong", "crashed", "hung", "silent", "large"]) or not h.counts["answers"] else 0


if __name__ == "__main__":
    sys.exit(main())
