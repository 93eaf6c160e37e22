#!/usr/bin/env python3
"""The local upstream: an HTTPS server on a loopback port that answers for the hosts of the data sources.

    upstream.py --dir DIR [--root DIR]... [--fault RULE]... [--parent PID]

It serves recorded answers: ROOT/HOST/PATH is the body of https://HOST/PATH; the file name may go on with
__q__QUERY (percent-encoded; queries are compared as sets and api_key is left out), then __s__STATUS, and a
file of the same name with __h__ behind it holds the status line and headers.  The first root that has an
answer gives it; the roots are --root, in order.

DIR receives ca.pem (what a client must trust), port, pid, log.ndjson (one object a request) and faults,
the control file: rules that are read again whenever the file changes, and those of --fault to begin with.

A rule is one line, the first that matches counts:

    HOST/PATH-GLOB=KIND[:ARGUMENT][@TIMES]      ('*' matches slashes too; ?QUERY is part of the path)

    slow:SECONDS        waits before the answer            redirect:URL     302 ("self": to itself)
    drip:BYTES          that many a second                 type:MIME        right body, that Content-Type
    hang                takes the request, says nothing    body:TEXT        200 with that text
    stall[:BYTES]       some bytes, then nothing           file:PATH[:STATUS]  that file, with 200 or that status
    truncate[:BYTES]    some bytes, then closes            huge[:BYTES]     a body without end (10 GB)
    STATUS[:SECONDS]    that status, Retry-After           length[:BYTES]   the same, announced
    block[:200|403]     the SEC's page for "too fast"      bomb[:BYTES]     gzip that unpacks to 10 GB
    undeclared          the SEC's page for "no address"    header[:BYTES]   one header of 1 MB
    denied, nokey       "no such file" as the SEC says it  reset            connection reset
    cutgzip             half of the gzip, as a whole body  close, cutoff    no length; TLS ends it, or it is cut
    refuse              closed in the handshake (by host)  empty            200 without a body
    raw:PATH, rawcut:PATH  the file's bytes as the answer, head and all; then TLS ends, or is cut

@TIMES: only the first so many requests that match the rule.
"""
import argparse
import fnmatch
import gzip
import hashlib
import http.server
import io
import itertools
import json
import os
import re
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import traceback
import urllib.parse
import zipfile
import zlib
from email.utils import formatdate, parsedate_to_datetime

HOSTS = [
    "data.sec.gov", "www.sec.gov", "efts.sec.gov", "api.stlouisfed.org", "fred.stlouisfed.org",
    "api.brokercheck.finra.org", "files.brokercheck.finra.org", "api.adviserinfo.sec.gov",
    "files.adviserinfo.sec.gov", "reports.adviserinfo.sec.gov", "www.irs.gov", "apps.irs.gov",
    "upstream.example", "api.example.org", "other.example", "localhost",
]
TYPES = {
    ".json": "application/json", ".htm": "text/html", ".html": "text/html", ".txt": "text/plain",
    ".xml": "application/xml", ".idx": "application/octet-stream", ".gz": "application/x-gzip",
    ".zip": "application/zip", ".pdf": "application/pdf", ".csv": "text/csv", ".jpg": "image/jpeg",
    ".nc": "text/plain",
}
KINDS = ("slow", "drip", "hang", "stall", "truncate", "block", "undeclared", "denied", "nokey", "refuse", "redirect",
         "type", "body", "file", "huge", "length", "bomb", "header", "reset", "empty", "cutgzip", "close", "cutoff", "raw", "rawcut")
RULE = re.compile(r"^(.+?)=((?:%s|[1-5]\d\d))(?::(.*?))?(?:@(\d+))?$" % "|".join(KINDS))
PIECE = 65536
TITLES = {"block": "Request Rate Threshold Exceeded",
          "undeclared": "Your Request Originates from an Undeclared Automated Tool"}
PAGES = {"block": "rate-threshold-exceeded.html", "undeclared": "undeclared-automated-tool.html"}
AWS = ('<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>%s</Code><Message>%s</Message>%s'
       "<RequestId>Q2W4E6R8T0Y1U3I5</RequestId><HostId>bG9jYWwgdXBzdHJlYW0=</HostId></Error>")


def query_set(text):
    pairs = urllib.parse.parse_qsl(text, keep_blank_values=True)
    return sorted((k, v) for k, v in pairs if k != "api_key")


class Answer:
    def __init__(self, status=200, body=b"", headers=None, content_type=None):
        self.status, self.body = status, body
        self.headers = list(headers or [])
        if content_type:
            self.set("Content-Type", content_type)

    def get(self, name):
        return next((v for k, v in self.headers if k.lower() == name.lower()), None)

    def set(self, name, value):
        self.headers = [(k, v) for k, v in self.headers if k.lower() != name.lower()] + [(name, value)]


class Recordings:
    """Finds the recorded answer of a request in the roots."""

    def __init__(self, roots, made, sample=None):
        self.roots, self.made, self.sample = roots, made, sample
        self.lock = threading.Lock()
        self.framed, self.frame_rows = None, {}

    def find(self, host, path, query):
        wanted = query_set(query)
        for root in self.roots:
            answer = self.in_root(root, host, path, wanted)
            if answer:
                return answer
        return self.manufactured(host, path) or missing(host, path)

    def in_root(self, root, host, path, wanted):
        if not re.fullmatch(r"[a-z0-9.-]+", host) or ".." in path.split("/"):
            return None
        base = os.path.normpath(os.path.join(root, host, path.lstrip("/")))
        if not base.startswith(os.path.join(os.path.abspath(root), host)):
            return None
        folder, name = os.path.split(base)
        try:
            names = [n for n in os.listdir(folder) if n == name or n.startswith(name + "__")]
        except OSError:
            return None
        for stem in sorted({re.sub(r"(__s__\d+)?(__h__)?$", "", n) for n in names}):
            recorded = stem[len(name) + 5:] if stem.startswith(name + "__q__") else ""
            if stem != name and not stem.startswith(name + "__q__"):
                continue
            if query_set(urllib.parse.unquote(recorded)) == wanted:
                return self.load(folder, stem, names)
        return None

    def load(self, folder, stem, names):
        if stem in names and os.path.isfile(os.path.join(folder, stem)):
            status, body = 200, os.path.join(folder, stem)
            sidecar = stem + "__h__"
        else:
            other = sorted(n for n in names if re.fullmatch(re.escape(stem) + r"__s__\d+(__h__)?", n))
            if not other:
                return None
            status = int(re.search(r"__s__(\d+)", other[0]).group(1))
            sidecar = "%s__s__%d__h__" % (stem, status)
            body = os.path.join(folder, "%s__s__%d" % (stem, status))
        answer = Answer(status, read(body) if os.path.exists(body) else b"")
        if sidecar in names:
            recorded_headers(answer, read(os.path.join(folder, sidecar)).decode())
        finish_headers(answer, stem.split("__q__")[0], status == 200 and sidecar not in names)
        return answer

    def manufactured(self, host, path):
        """What nobody would record whole: made of the recorded parts, as the source makes it."""
        if ".." in path.split("/"):
            return None
        name = path.rsplit("/", 1)[-1]
        if host == "www.sec.gov" and path.startswith("/Archives/edgar/daily-index/"):
            if name in ("submissions.zip", "companyfacts.zip"):
                under = "submissions" if name[0] == "s" else "api/xbrl/companyfacts"
                return self.keep(name, lambda: zip_of(self.parts("data.sec.gov/" + under, ".json")))
        if host == "www.sec.gov" and re.match(r"/Archives/edgar/Feed/.*\.nc\.tar\.gz$", path):
            return self.keep("feed.nc.tar.gz", lambda: tar_of(self.parts("feed", ".nc")))
        if host == "data.sec.gov" and path.startswith("/api/xbrl/companyconcept/"):
            return as_answer(self.concept(*path.split("/")[4:7]))
        if host == "data.sec.gov" and path.startswith("/api/xbrl/frames/"):
            return as_answer(self.frame(*path.split("/")[4:8]))
        filing = re.match(r"/Archives/edgar/data/\d+/(?:(\d{10})(\d\d)(\d{6})/)?(\d{10}-\d\d-\d{6}\.txt$)?", path)
        if host == "www.sec.gov" and self.sample and filing:
            return self.sample_document(filing.group(4) or "%s-%s-%s.txt" % filing.groups()[:3], name)
        if name.endswith(".gz"):
            plain = next((a for a in (self.in_root(r, host, path[:-3], []) for r in self.roots) if a), None)
            return as_answer(gzip.compress(plain.body, 1, mtime=0), name) if plain else None
        return None

    def concept(self, cik, taxonomy, tag):
        """One concept of a recorded companyfacts answer, its numbers untouched."""
        found = self.find("data.sec.gov", "/api/xbrl/companyfacts/%s.json" % cik, "")
        text = found.body.decode() if found.status == 200 else ""
        facts = member(text, member(text, 0, "facts"), taxonomy) if text else None
        at = member(text, facts, tag.removesuffix(".json")) if facts else None
        if not at:
            return None
        head = {"cik": json.loads(text[:text.index(",")] + "}")["cik"], "taxonomy": taxonomy,
                "tag": tag.removesuffix(".json")}
        value = text[at:json_end(text, at)]
        name = json.loads(text)["entityName"]
        return "%s,%s,\"entityName\":%s}" % (compact(head)[:-1], value[1:-1], compact(name))

    def frame(self, taxonomy, tag, unit, period):
        """The rows of all recorded companies that the SEC had put into that frame."""
        unit, period = unit.replace("-per-", "/"), period.removesuffix(".json")
        about, rows = self.frames().get((taxonomy, tag, unit, period), ({}, []))
        head = {"taxonomy": taxonomy, "tag": tag, "ccp": period, "uom": unit, **about, "pts": len(rows)}
        return compact({**head, "data": rows}) if rows else None

    def frames(self):
        """All frames, by taxonomy, tag, unit and period; made again when a recorded answer changes."""
        parts = [(path, os.stat(path).st_mtime_ns) for _, path in self.parts("data.sec.gov/api/xbrl/companyfacts", ".json")]
        with self.lock:
            if self.framed != parts:
                self.frame_rows, self.framed = {}, parts
                for path, _ in parts:
                    self.add_frames(json.loads(read(path), parse_float=digits))
            return self.frame_rows

    def add_frames(self, doc):
        for taxonomy, concepts in doc.get("facts", {}).items():
            for tag, concept in concepts.items():
                about = {"label": concept.get("label"), "description": concept.get("description")}
                for unit, facts in concept.get("units", {}).items():
                    for fact in facts:
                        if "frame" in fact:
                            start = {"start": fact["start"]} if "start" in fact else {}
                            row = {"accn": fact["accn"], "cik": doc["cik"], "entityName": doc["entityName"],
                                   "loc": "US-CA", **start, "end": fact["end"], "val": fact["val"]}
                            key = taxonomy, tag, unit, fact["frame"]
                            rows = self.frame_rows.setdefault(key, (about, []))[1]
                            self.frame_rows[key] = about, rows
                            rows.append(row)

    def sample_document(self, submission, name):
        """A document of a full submission, cut out as the SEC serves it: bare where it is inline XBRL."""
        path = os.path.join(self.sample, submission)
        if not os.path.exists(path):
            return None
        body = read(path)
        if name == submission:
            return as_answer(body, name)
        part = re.search(rb"<FILENAME>" + re.escape(name.encode()) + rb"\s.*?<TEXT>\n(?:<XBRL>\n)?(.*?)(?:</XBRL>\n)?</TEXT>",
                         body, re.S)
        return as_answer(part.group(1), name) if part else None

    def parts(self, under, ending):
        found = {}
        for root in reversed(self.roots):
            folder = os.path.join(root, under)
            for name in os.listdir(folder) if os.path.isdir(folder) else ():
                if name.endswith(ending):
                    found[name] = os.path.join(folder, name)
        return sorted(found.items())

    def keep(self, name, make):
        with self.lock:
            path = os.path.join(self.made, name)
            if not os.path.exists(path):
                body = make()
                if body is None:
                    return None
                with open(path, "wb") as f:
                    f.write(body)
        answer = Answer(200, read(path))
        finish_headers(answer, name, True)
        return answer


def digits(text):
    """A fraction on its way through json: a marked string, so that it is written as it was read."""
    return "\0" + text


def compact(value):
    return re.sub(r'"\\u0000([^"]*)"', r"\1", json.dumps(value, separators=(",", ":")))


def json_end(text, at):
    return at + json.JSONDecoder().raw_decode(text[at:])[1]


def member(text, at, name):
    """Where the value of a member of the object at `at` starts, or None: the text itself stays untouched."""
    at += 1
    while text[at] != "}":
        end = json_end(text, at)
        key = json.loads(text[at:end])
        if key == name:
            return end + 1
        at = json_end(text, end + 1)
        at += text[at] == ","
    return None


def as_answer(body, name="x.json"):
    if body is None:
        return None
    answer = Answer(200, body if isinstance(body, bytes) else body.encode())
    finish_headers(answer, name, True)
    return answer


def read(path):
    with open(path, "rb") as f:
        return f.read()


def zip_of(parts):
    if not parts:
        return None
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
        for name, path in parts:
            z.writestr(zipfile.ZipInfo(name, (2026, 3, 5, 3, 0, 0)), read(path), zipfile.ZIP_DEFLATED, 1)
    return out.getvalue()


def tar_of(parts):
    if not parts:
        return None
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", compresslevel=1) as t:
        for name, path in parts:
            info = tarfile.TarInfo(name)
            info.size = os.path.getsize(path)
            with open(path, "rb") as f:
                t.addfile(info, f)
    return out.getvalue()


def recorded_headers(answer, text):
    for line in text.splitlines():
        name, _, value = line.partition(":")
        name, value = name.strip(), value.strip()
        if name.lower() == "status":
            answer.status = int(value.split()[0])
        elif name.lower() not in ("connection", "content-length", "content-encoding", "date",
                                  "transfer-encoding", ""):
            answer.headers.append((name, value))


def finish_headers(answer, name, own_tag):
    if answer.status != 304 and not answer.get("Content-Type"):
        ending = os.path.splitext(name)[1].lower()
        kind = TYPES.get(ending)
        if not kind:
            first = answer.body.lstrip()[:1]
            kind = {b"{": "application/json", b"[": "application/json",
                    b"<": "application/xml"}.get(first, "application/octet-stream")
        answer.set("Content-Type", kind)
    if own_tag:
        answer.set("ETag", '"%s"' % hashlib.sha256(answer.body).hexdigest()[:32])


def missing(host, path):
    if host == "data.sec.gov":
        key = "<Key>%s</Key>" % path.lstrip("/")
        body = AWS % ("NoSuchKey", "The specified key does not exist.", key)
        return Answer(404, body.encode(), content_type="application/xml")
    body = "<html><head><title>404 Not Found</title></head><body>Not Found</body></html>"
    return Answer(404, body.encode(), content_type="text/html")


class Faults:
    """The rules, read again whenever the control file changes."""

    def __init__(self, path):
        self.path, self.stamp, self.rules, self.used = path, None, [], {}
        self.lock = threading.Lock()

    def refresh(self):
        try:
            st = os.stat(self.path)
            stamp = (st.st_mtime_ns, st.st_size, st.st_ino)
        except OSError:
            stamp = None
        if stamp == self.stamp:
            return
        self.stamp, self.rules = stamp, []
        lines = read(self.path).decode().splitlines() if stamp else []
        for line in lines:
            line = line.strip()
            match = RULE.match(line)
            if match:
                self.rules.append((line,) + match.groups())
            elif line and not line.startswith("#"):
                print("upstream.py: bad rule: " + line, file=sys.stderr)
        self.used = {k: v for k, v in self.used.items() if k in lines}

    def match(self, url, kinds=None):
        with self.lock:
            self.refresh()
            for line, pattern, kind, argument, times in self.rules:
                if kinds and kind not in kinds or not fnmatch.fnmatchcase(url, pattern):
                    continue
                self.used[line] = self.used.get(line, 0) + 1
                if not times or self.used[line] <= int(times):
                    return kind, argument or ""
        return None, ""


class Log:
    def __init__(self, path):
        self.fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def add(self, **fields):
        os.write(self.fd, (json.dumps(fields) + "\n").encode())


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "upstream"
    sys_version = ""
    timeout = 130
    disable_nagle_algorithm = True

    def log_message(self, *args):
        pass

    def do_GET(self):
        self.entry = {"start": time.time(), "end": None, "status": None, "sent": 0}
        self.host = (self.headers.get("Host") or "").split(":")[0].lower()
        path, _, query = self.path.partition("?")
        self.entry.update(host=self.host, path=path, query=query, method=self.command,
                          connection=self.server.connection_of(self.connection),
                          agent=self.headers.get("User-Agent"),
                          conditional=bool(self.headers.get("If-None-Match")
                                           or self.headers.get("If-Modified-Since")))
        length = int(self.headers.get("Content-Length") or 0)
        self.request_body = self.rfile.read(min(length, 1 << 26)) if length else b""
        kind, argument = self.server.faults.match(self.host + self.path)
        self.entry["fault"] = kind
        try:
            self.reply(urllib.parse.unquote(path), query, kind, argument)
        except OSError as error:
            self.entry["broken"] = str(error)
            self.close_connection = True
        except Exception as error:  # a fault of this server: said, and answered as one
            self.entry["broken"] = repr(error)
            traceback.print_exc()
            self.send(Answer(500, b"the local upstream failed", content_type="text/plain"), None, "")
        finally:
            self.entry["end"] = self.entry["end"] or time.time()
            self.server.log.add(**self.entry)

    do_HEAD = do_GET
    do_POST = do_GET

    def reply(self, path, query, kind, argument):
        answer = None
        if kind in ("hang", "reset"):
            return getattr(self, kind)()
        if kind in ("raw", "rawcut"):
            return self.raw(argument, kind)
        if kind in ("huge", "length", "bomb"):
            return self.flood(kind, argument)
        if kind:
            answer = self.faulty(path, kind, argument)
        if answer is None:
            answer = self.server.recordings.find(self.host, path, query)
            if kind == "type":
                answer.set("Content-Type", argument)
            answer = self.conditional(answer)
        if kind == "header":
            answer.headers.append(("X-Filler", "x" * int(argument or 1 << 20)))
        self.compress(answer)
        if kind == "cutgzip":
            answer.body = answer.body[:len(answer.body) // 2]
        self.send(answer, kind, argument)

    def faulty(self, path, kind, argument):
        if kind == "slow":
            time.sleep(float(argument))
        elif kind.isdigit():
            return self.status_answer(int(kind), argument)
        elif kind == "redirect":
            target = "https://%s%s" % (self.host, self.path) if argument == "self" else argument
            return Answer(302, b"", [("Location", target)], "text/html")
        elif kind in PAGES:
            return Answer(int(argument or 403), self.server.page(kind), content_type="text/html")
        elif kind == "denied":
            return Answer(403, (AWS % ("AccessDenied", "Access Denied", "")).encode(),
                          content_type="application/xml")
        elif kind == "nokey":
            return missing("data.sec.gov", path)
        elif kind == "body":
            return Answer(200, argument.encode(), content_type="text/plain")
        elif kind == "file":
            name, _, status = argument.partition(":")
            answer = Answer(int(status or 200), read(name))
            finish_headers(answer, name, False)
            return answer
        elif kind == "empty":
            return Answer(200, b"", content_type="text/html")
        return None

    def status_answer(self, status, argument):
        headers = [("Retry-After", argument)] if argument else []
        body = b'{"message":"%s"}' % http.HTTPStatus(status).phrase.encode()
        page = os.path.join(self.server.errors or "", "fred-429-rate-limit.RECONSTRUCTED.json")
        if status == 429 and self.host.endswith("stlouisfed.org") and os.path.exists(page):
            body = read(page)
        return Answer(status, body, headers, "application/json")

    def conditional(self, answer):
        tag, date = answer.get("ETag"), answer.get("Last-Modified")
        asked, since = self.headers.get("If-None-Match"), self.headers.get("If-Modified-Since")
        same = False
        if asked is not None:
            plain = [t.strip().removeprefix("W/").replace('-gzip"', '"') for t in asked.split(",")]
            same = bool(tag) and tag.replace('-gzip"', '"') in plain
        elif since and date:
            try:
                same = parsedate_to_datetime(date) <= parsedate_to_datetime(since)
            except (TypeError, ValueError):
                same = False
        if answer.status == 304:
            return answer if same else missing(self.host, "")
        return Answer(304, b"", answer.headers) if same and answer.status == 200 else answer

    def compress(self, answer):
        kind = answer.get("Content-Type") or ""
        accepted = "gzip" in (self.headers.get("Accept-Encoding") or "")
        if accepted and len(answer.body) > 256 and re.search(r"text|json|xml|html|csv", kind):
            answer.body = self.server.gzipped(answer.body)
            answer.set("Content-Encoding", "gzip")

    def send(self, answer, kind, argument):
        self.entry["status"] = answer.status
        self.send_response_only(answer.status)
        self.send_header("Date", self.date_time_string())
        for name, value in answer.headers:
            self.send_header(name, value)
        if answer.status != 304:
            self.send_header("Content-Length", str(len(answer.body)))
        head = b"".join(self._headers_buffer) + b"\r\n"
        self._headers_buffer = []
        body = b"" if self.command == "HEAD" or answer.status == 304 else answer.body
        if kind in ("stall", "truncate"):
            return self.cut(head, body, kind, argument)
        if kind in ("close", "cutoff"):
            return self.close_delimited(head, body, kind)
        if kind == "drip":
            return self.drip(head, body, max(1, int(argument)))
        self.pieces(head + body)

    def pieces(self, data):
        """Writes all; `end` is the moment before the last piece, so that a client that has all of it can
        not be seen to overlap with the next one."""
        for at in range(0, len(data), PIECE):
            if at + PIECE >= len(data):
                self.entry["end"] = time.time()
            self.wfile.write(data[at:at + PIECE])
            self.entry["sent"] = min(at + PIECE, len(data))

    def cut(self, head, body, kind, argument):
        self.wfile.write(head + body[:int(argument or len(body) // 2)])
        self.wfile.flush()
        if kind == "stall":
            self.wait_for_close(120)
        self.close_connection = True

    def close_delimited(self, head, body, kind):
        """No length: the end of the connection is the end of the body; with TLS's close_notify (close), or without."""
        lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"content-length")]
        self.wfile.write(b"\r\n".join(lines) + (body if kind == "close" else body[:len(body) // 2]))
        self.wfile.flush()
        self.close_connection = True
        if kind == "close":
            self.connection.unwrap()

    def drip(self, head, body, rate):
        self.wfile.write(head)
        step = max(1, rate // 10)
        for at in range(0, len(body), step):
            time.sleep(step / rate)
            self.wfile.write(body[at:at + step])

    def raw(self, name, kind):
        self.wfile.write(read(name))
        self.wfile.flush()
        self.close_connection = True
        if kind == "raw":
            self.connection.unwrap()

    def hang(self):
        self.wait_for_close(120)
        self.close_connection = True

    def wait_for_close(self, seconds):
        self.connection.settimeout(seconds)
        try:
            self.connection.recv(1)
        except OSError:
            pass

    def reset(self):
        self.entry["end"] = time.time()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())
        self.close_connection = True

    def flood(self, kind, argument):
        total = int(float(argument or 10 * 1000 ** 3))
        self.send_response_only(200)
        self.send_header("Content-Type", "text/html")
        self.close_connection = True
        if kind == "bomb":
            self.send_header("Content-Encoding", "gzip")
        if kind == "length":
            self.send_header("Content-Length", str(total))
        else:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.entry["status"] = 200
        pieces = bomb_pieces(total) if kind == "bomb" else flood_pieces(total)
        for piece in pieces:
            if kind != "length":
                piece = b"%x\r\n%s\r\n" % (len(piece), piece)
            self.wfile.write(piece)
            self.entry["sent"] += len(piece)
        if kind != "length":
            self.wfile.write(b"0\r\n\r\n")


def flood_pieces(total):
    block = b"<p>filler text of a body without end</p>\n" * 1600
    for at in range(0, total, len(block)):
        yield block[:total - at]


def bomb_pieces(total):
    """A gzip stream of blanks: one flushed block of 16 MB, sent again and again."""
    yield b"\x1f\x8b\x08\0\0\0\0\0\0\x03"
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(b" " * (1 << 24)) + packer.flush(zlib.Z_FULL_FLUSH)
    for _ in range(max(1, total >> 24)):
        yield block
    yield b"\x03\0" + b"\0" * 8


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, options, context):
        self.context = context
        self.recordings = Recordings(options.roots, options.dir, options.sample)
        self.faults = Faults(os.path.join(options.dir, "faults"))
        self.log = Log(os.path.join(options.dir, "log.ndjson"))
        self.errors = next((os.path.join(r, "errors") for r in options.roots
                            if os.path.isdir(os.path.join(r, "errors"))), None)
        self.numbers, self.counter, self.packed = {}, itertools.count(1), {}
        context.sni_callback = self.named
        super().__init__(("127.0.0.1", options.port), Handler)

    def named(self, sock, name, _context):
        kind, _ = self.faults.match((name or "") + "/", ("refuse",))
        return ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME if kind else None

    def connection_of(self, sock):
        return self.numbers.get(id(sock), 0)

    def process_request_thread(self, request, client_address):
        number = next(self.counter)
        try:
            request.settimeout(20)
            request = self.context.wrap_socket(request, server_side=True)
        except OSError as error:
            self.log.add(connection=number, handshake=str(error), start=time.time())
            self.shutdown_request(request)
            return
        self.numbers[id(request)] = number
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.numbers.pop(id(request), None)

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def shutdown_request(self, request):
        if request.fileno() >= 0:
            super().shutdown_request(request)

    def gzipped(self, body):
        key = hashlib.sha1(body).digest()
        if key not in self.packed:
            if len(self.packed) > 64:
                self.packed.clear()
            self.packed[key] = gzip.compress(body, 1, mtime=0)
        return self.packed[key]

    def page(self, kind):
        path = os.path.join(self.errors or "", PAGES[kind])
        if os.path.exists(path):
            return read(path)
        return ("<html><head><title>SEC.gov | %s</title></head><body>Reference ID: 0.0</body></html>"
                % TITLES[kind]).encode()


def make_certificates(folder, hosts):
    """A CA and a server certificate signed by it, by the openssl command; kept where they are there."""
    if os.path.exists(os.path.join(folder, "server.pem")):
        return
    work = tempfile.mkdtemp(dir=os.path.dirname(os.path.abspath(folder)))

    def openssl(*words):
        subprocess.run(("openssl",) + words, cwd=work, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.PIPE)

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    with open(os.path.join(work, "san"), "w") as f:
        f.write("subjectAltName=" + ",".join("DNS:" + h for h in hosts) + ",IP:127.0.0.1\n")
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2",
            "-subj", "/CN=local upstream CA")
    openssl("req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=local upstream")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-set_serial",
            "0x" + os.urandom(8).hex(), "-days", "2", "-extfile", "san", "-out", "server.crt")
    with open(os.path.join(work, "server.pem"), "wb") as f:
        f.write(read(os.path.join(work, "server.key")) + read(os.path.join(work, "server.crt")))
    try:
        os.rename(work, folder)
    except OSError:
        shutil.rmtree(work)


def watch_parent(pid, stop):
    """Ends the server when the process that asked for it is gone: no leftovers of a killed test."""
    while True:
        time.sleep(1)
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            stop()


def options_of(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--dir", required=True, help="folder for ca.pem, port, pid, log.ndjson, faults")
    parser.add_argument("--root", action="append", default=[], dest="roots", help="folder of recorded answers")
    parser.add_argument("--sample", help="folder of full submissions (NUMBER.txt) whose documents are served too")
    parser.add_argument("--fault", action="append", default=[], help="a rule of the control file")
    parser.add_argument("--host", action="append", default=[], help="one more name for the certificate")
    parser.add_argument("--certs", help="folder of certificates, made where absent (default DIR/certs)")
    parser.add_argument("--port", type=int, default=0, help="default: a free one")
    parser.add_argument("--tls", help="the newest version of TLS to speak, e.g. TLSv1_1")
    parser.add_argument("--parent", type=int, help="end when this process is gone")
    options = parser.parse_args(argv)
    options.roots = [os.path.abspath(r) for r in options.roots]
    bad = [f for f in options.fault if not RULE.match(f)]
    if bad:
        parser.error("bad rule: " + bad[0])
    return options


def hosts_of(options):
    served = {n for r in options.roots if os.path.isdir(r) for n in os.listdir(r)
              if "." in n and os.path.isdir(os.path.join(r, n))}
    return sorted(served | set(HOSTS) | set(options.host))


def publish(folder, name, text):
    with open(os.path.join(folder, name + ".new"), "w") as f:
        f.write(text)
    os.rename(os.path.join(folder, name + ".new"), os.path.join(folder, name))


def main(argv):
    options = options_of(argv)
    os.makedirs(options.dir, exist_ok=True)
    hosts = hosts_of(options)
    named = hashlib.sha256(" ".join(hosts).encode()).hexdigest()[:8]  # other names, other certificate
    certs = "%s.%s" % (options.certs or os.path.join(options.dir, "certs"), named)
    make_certificates(certs, hosts)
    shutil.copyfile(os.path.join(certs, "ca.pem"), os.path.join(options.dir, "ca.pem"))
    publish(options.dir, "faults", "".join(f + "\n" for f in options.fault))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(certs, "server.pem"))
    if options.tls:
        context.set_ciphers("DEFAULT:@SECLEVEL=0")
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion[options.tls]
    server = Server(options, context)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    signal.signal(signal.SIGINT, lambda *_: os._exit(0))
    if options.parent:
        threading.Thread(target=watch_parent, args=(options.parent, lambda: os._exit(0)),
                         daemon=True).start()
    publish(options.dir, "pid", "%d\n" % os.getpid())
    publish(options.dir, "port", "%d\n" % server.server_port)
    server.serve_forever(poll_interval=5)


if __name__ == "__main__":
    main(sys.argv[1:])
