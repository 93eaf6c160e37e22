#!/usr/bin/env python3
"""Measure BID beside what users would take instead, stage by stage, in one run.

usage: run.py [OPTION]...

  --stage NAME    strip, chunk, embed, words, vectors, whole, bulk or growth; may be repeated (default: all)
  --runs N        runs of each program, in turns (default 3; programs marked slow run once)
  --part NAME     of test/quality/analysts: whose questions the whole way is asked (default choose; may be repeated)
  --documents N   growth up to so many documents (default 1000)
  --peer TEXT     only peers whose name holds TEXT (may be repeated)
  --out FOLDER    where beside.md and beside.ndjson go (default .build/bench)

All programs of a stage take turns, so that a machine that changes its speed changes it for all.  Figures are CPU seconds
(user and system, children included); of Python peers the imports and the loading of the model are taken off, of BID
nothing.  A peer that isn't installed (make venv-bench) is left out, saying so.  Files: recorded filings under
../shared/upstream.
"""
import argparse
import collections
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
SHARED = os.environ.get("BID_SHARED") or os.path.join(os.path.dirname(TOP), "shared")
BIN = os.environ.get("BID_BIN") or os.path.join(TOP, "bin")
PYTHON = os.environ.get("BENCH_PYTHON") or os.path.join(TOP, ".venv-bench", "bin", "python")
ANALYSTS = os.path.join(TOP, "test", "quality", "analysts")
BULK_QUESTION = "What does the company say about cybersecurity risks?"
TEN_K = 2.4e6  # bytes of an average 10-K in HTML

Program = collections.namedtuple("Program", "name command slow")


def quality():
    """The scorer of test/bench/quality, as a module: its main isn't run."""
    path = os.path.join(TOP, "test", "bench", "quality")
    loader = SourceFileLoader("quality_scorer", path)
    module = module_from_spec(spec_from_loader("quality_scorer", loader))
    source = loader.get_data(path).decode().rsplit("\nmain()\n", 1)[0]
    exec(compile(source, path, "exec"), module.__dict__)  # noqa: S102: our own file, without its last line
    return module


def tool(name):
    return os.path.join(BIN, name)


def ndjson(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f if line.strip()]


def write(path, records):
    with open(path, "w", encoding="utf-8") as f:
        for r in records:
            f.write(json.dumps(r, ensure_ascii=False) + "\n")


# ---- one run ----

def run_once(command, environment=None, stdin=None):
    """Seconds, CPU seconds with children, peak KB of the largest process, and standard output."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.NamedTemporaryFile("r") as largest:
        start = time.monotonic()
        # time(1) between: the peak that wait4 gives a child counts this process too, of which it was forked.
        p = subprocess.Popen(["time", "-q", "-o", largest.name, "-f", "%M", *command], stdin=stdin or subprocess.DEVNULL, stdout=out, stderr=err,
                             env=dict(os.environ, **(environment or {})))
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        out.seek(0)
        err.seek(0)
        if p.returncode:
            raise RuntimeError("status %d: %s" % (p.returncode, err.read().decode(errors="replace").strip().split("\n")[-1][:200]))
        return {"wall": wall, "cpu": used.ru_utime + used.ru_stime, "peak": int(largest.read().split()[-1]), "out": out.read()}


def shell(line, **environment):
    return ["sh", "-ec", line], environment


def python_peer(*arguments):
    return [PYTHON, os.path.join(HERE, "peers.py"), *arguments], {}


def in_turns(programs, runs):
    """name -> its runs; what fails is left out with its message."""
    done, failed = collections.defaultdict(list), {}
    for turn in range(runs):
        for p in programs:
            if p.name in failed or (turn and p.slow):
                continue
            try:
                done[p.name].append(run_once(*p.command))
            except (RuntimeError, OSError) as e:
                failed[p.name] = str(e)
                print("%s: left out: %s" % (p.name, e), file=sys.stderr, flush=True)
    return done


def installed():
    """Version of each package in the peers' Python."""
    if not os.path.exists(PYTHON):
        return {}
    script = "import importlib.metadata as m, json; print(json.dumps({d.metadata['Name'].lower(): d.version for d in m.distributions()}))"
    versions = json.loads(subprocess.check_output([PYTHON, "-c", script]))
    if debian_version("python3-xapian"):  # not on PyPI
        versions["xapian"] = debian_version("python3-xapian")
    return versions


def debian_version(package):
    p = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return p.stdout.decode()


def said_by(run):
    """What peers.py printed at the end of a run; None: another program."""
    last = run["out"].decode(errors="replace").strip().rpartition("\n")[2]
    return json.loads(last) if last.startswith('{"setup"') else None


def rate_of(run, size, scale):
    said = said_by(run)
    if not said:
        return size / run["cpu"]
    return said["units"] / scale / max(run["cpu"] - said["setup"], 0.001)


class Bench:
    def __init__(self, options, work):
        self.options, self.work, self.rows = options, work, []
        self.versions = installed()
        if not self.versions:
            print("no peers: make venv-bench installs them", file=sys.stderr)

    def path(self, name):
        return os.path.join(self.work, name)

    def has(self, *packages):
        return all(p in self.versions for p in packages)

    def peers(self, stage, named, arguments, slow=()):
        """Programs for those of `named` (peer -> packages) that are installed."""
        made = []
        for peer, packages in named.items():
            if self.options.peer and not any(w in peer for w in self.options.peer):
                continue
            if not self.has(*packages):
                print("%s: not installed" % peer, file=sys.stderr)
                continue
            version = ", ".join("%s %s" % (p, self.versions[p]) for p in packages)
            label = "%s (%s)" % (peer, version) if peer not in packages or len(packages) > 1 else version
            made.append((label, Program(label, python_peer(stage, peer, *arguments(peer)), peer in slow)))
        return made

    def add(self, stage, name, unit, rates, runs, **more):
        self.rows.append({"stage": stage, "program": name, "unit": unit, "rate": statistics.median(rates),
                          "least": min(rates), "most": max(rates), "runs": len(rates),
                          "wall": statistics.median(r["wall"] for r in runs), "peakMB": max(r["peak"] for r in runs) / 1024, **more})

    def report(self, stage, unit, programs, size, scale=1):
        """Rates of a stage: peers say how many units they did (divided by `scale`); all others did `size`."""
        done = in_turns(programs, self.options.runs)
        for p in programs:
            runs = done.get(p.name)
            if runs:
                self.add(stage, p.name, unit, [rate_of(r, size, scale) for r in runs], runs)

    # ---- stages ----

    def html_files(self):
        found = []
        for folder, _, names in os.walk(os.path.join(SHARED, "upstream")):
            found += [os.path.join(folder, n) for n in names if n.endswith((".htm", ".html")) and os.path.getsize(os.path.join(folder, n)) > 300_000]
        return sorted(found)

    def strip(self):
        files = self.html_files()
        few = files[:3]
        size = sum(os.path.getsize(f) for f in files) / 1e6
        ours = "bid-strip"
        programs = [Program(ours, ([tool("bid-strip"), "--quiet", "--raw", *files], {}), False)]
        for name, line in (("w3m", "for f; do w3m -dump -T text/html -cols 200 \"$f\"; done"), ("lynx", "for f; do lynx -dump -nolist -force_html \"$f\"; done")):
            if shutil.which(name) and (not self.options.peer or any(w in name for w in self.options.peer)):
                programs.append(Program("%s %s" % (name, debian_version(name)), (["sh", "-ec", line + " >/dev/null", "sh", *files], {}), True))
        named = {"lxml": ["lxml"], "selectolax": ["selectolax"], "inscriptis": ["inscriptis"], "beautifulsoup4": ["beautifulsoup4"],
                 "beautifulsoup4+lxml": ["beautifulsoup4", "lxml"], "html2text": ["html2text"], "edgartools": ["edgartools"],
                 "docling": ["docling-slim"]}
        slow = ("beautifulsoup4", "html2text", "edgartools", "beautifulsoup4+lxml", "docling")
        programs += [p for _, p in self.peers("strip", named, lambda peer: few if peer in ("edgartools", "docling") else files, slow)]
        self.report("strip", "MB of HTML a CPU second", programs, size, 1e6)

    def documents(self):
        path = self.path("documents.ndjson")
        if not os.path.exists(path):
            with open(path, "wb") as out:
                subprocess.run([tool("bid-strip"), "--quiet", "--raw", *self.html_files()], stdout=out, check=False)
            with open(self.path("vocabulary.txt"), "wb") as out:
                data = open(os.path.join(TOP, "data", "models", "bid-static.bidm"), "rb").read()
                at = data.index(b"[PAD]\n")
                out.write(b"\n".join(data[at:at + 400000].split(b"\n")[:30522]) + b"\n")
        return path

    def chunk(self):
        path = self.documents()
        size = sum(len(d.get("text", "").encode()) for d in ndjson(path)) / 1e6
        programs = [Program("bid-chunk", ([tool("bid-chunk"), "--quiet", path], {}), False)]
        named = {"langchain-text-splitters": ["langchain-text-splitters"], "chonkie": ["chonkie"], "semchunk": ["semchunk", "tokenizers"],
                 "semantic-text-splitter": ["semantic-text-splitter", "tokenizers"]}
        programs += [p for _, p in self.peers("chunk", named, lambda peer: [path, self.path("vocabulary.txt")], ("semchunk", "semantic-text-splitter"))]
        self.report("chunk", "MB of text a CPU second", programs, size, 1e6)

    def passages(self):
        path = self.path("passages.ndjson")
        if not os.path.exists(path):
            with open(path, "wb") as out:
                subprocess.run([tool("bid-chunk"), "--quiet", self.documents()], stdout=out, check=True)
            with open(self.path("embedded.ndjson"), "wb") as out:
                subprocess.run([tool("bid-embed"), path], stdout=out, check=True)
            asked = [{"id": q["id"], "question": q["question"]} for part in ("learn", "choose")
                     for q in ndjson(os.path.join(ANALYSTS, part + ".ndjson"))][:200]
            write(self.path("questions.ndjson"), asked)
            write(self.path("questions.search.ndjson"), [{"id": q["id"], "query": q["question"]} for q in asked])
            write(self.path("questions.text.ndjson"), [{"id": q["id"], "text": q["question"]} for q in asked])
            with open(self.path("questions.embedded.ndjson"), "wb") as out:
                subprocess.run([tool("bid-embed"), "--query", self.path("questions.text.ndjson")], stdout=out, check=True)
        return path

    def models(self):
        """Folder with model2vec/ (bid-static's rows) and onnx/ (all-MiniLM-L6-v2, bge-small-en-v1.5), where they can be made."""
        folder = self.path("models")
        if not os.path.exists(folder) and self.versions:
            os.makedirs(os.path.join(folder, "onnx"))
            run_once([PYTHON, os.path.join(HERE, "static_model.py"), os.path.join(TOP, "data", "models", "bid-static.bidm"), os.path.join(folder, "model2vec"), tool("bid-embed")])
            for fetched, name, tokenizer in ((".cache/bert/onnx/all-minilm-l6-v2", "model", "tokenizer"), (".cache/bert/onnx/bge-small-en-v1.5", "bge-small", "bge-small-tokenizer")):
                if os.path.exists(os.path.join(TOP, fetched + ".onnx")):
                    shutil.copy(os.path.join(TOP, fetched + ".onnx"), os.path.join(folder, "onnx", name + ".onnx"))
                    shutil.copy(os.path.join(TOP, fetched + "-tokenizer.json"), os.path.join(folder, "onnx", tokenizer + ".json"))
                else:
                    print("%s: not fetched (sh data/gen/fetch_bert.sh peers)" % os.path.basename(fetched), file=sys.stderr)
        return folder

    def encoders(self):
        made = {"model2vec": ["model2vec"]}
        if os.path.exists(os.path.join(self.models(), "onnx", "model.onnx")):
            made["onnxruntime MiniLM"] = ["onnxruntime"]
        if os.path.exists(os.path.join(self.models(), "onnx", "bge-small.onnx")):
            made["onnxruntime bge-small"] = ["onnxruntime", "tokenizers"]
        return made

    def embed(self):
        path, few = self.passages(), self.path("few.ndjson")
        all_passages = ndjson(path)
        write(few, all_passages[:300])
        programs = [Program("bid-embed", ([tool("bid-embed"), path], {}), False)]
        programs += [p for _, p in self.peers("embed", self.encoders(), lambda peer: [few if "onnxruntime" in peer else path, self.models()], ("onnxruntime MiniLM", "onnxruntime bge-small"))]
        self.report("embed", "passages a CPU second", programs, len(all_passages))

    def index_stage(self, stage, mode, named, arguments, slow):
        self.passages()
        size, asked = len(ndjson(self.path("passages.ndjson"))), len(ndjson(self.path("questions.ndjson")))
        store = self.path(stage + ".store")
        line = 'rm -rf "$STORE"* && bid-index --quiet --corpus bench "$EMBEDDED"'
        there = {"PATH": BIN + ":" + os.environ["PATH"], "STORE": store, "BID_STORE": store, "EMBEDDED": self.path("embedded.ndjson")}
        build = Program("bid-index", shell(line + " >/dev/null", **there), False)
        query = Program("bid-search", shell('bid-search -q --no-threshold --mode %s <"%s" >/dev/null || [ $? -eq 1 ]' % (mode, self.path("questions.search.ndjson")), **there), False)
        peers = [p for _, p in self.peers(stage, named, arguments, slow)]
        done = in_turns([build, query, *peers], self.options.runs)
        if done.get("bid-index") and done.get("bid-search"):
            self.add(stage, "bid-index, bid-search --mode " + mode, "passages indexed a CPU second", [size / r["cpu"] for r in done["bid-index"]],
                     done["bid-index"] + done["bid-search"], askMs=1e3 * statistics.median(r["cpu"] for r in done["bid-search"]) / asked)
        for p in peers:
            runs = done.get(p.name)
            if runs:
                said = [said_by(r) for r in runs]
                self.add(stage, p.name, "passages indexed a CPU second", [s["units"] / max(s["build"], 0.001) for s in said], runs,
                         askMs=1e3 * statistics.median(s["ask"] / s["questions"] for s in said), recall=said[0].get("recall"))

    def words(self):
        self.index_stage("words", "text", {"sqlite fts5": ["apsw"], "tantivy": ["tantivy"], "xapian": ["xapian"]},
                         lambda peer: [self.path("passages.ndjson"), self.path("questions.ndjson")], ())

    def vectors(self):
        self.index_stage("vectors", "vector", {n: [n.split()[0]] for n in ("chromadb", "lancedb", "sqlite-vec", "hnswlib", "usearch", "faiss-cpu flat")},
                         lambda peer: [self.path("embedded.ndjson"), self.path("questions.embedded.ndjson")], ())

    def filings(self):
        """A folder with the filings in HTML that the parts' questions are about, and those questions."""
        folder = self.path("filings")
        os.mkdir(folder)
        places = dict(line.split("\t")[:2] for line in open(os.path.join(ANALYSTS, "filings.tsv"), encoding="utf-8"))
        asked = []
        for part in self.options.part or ["choose"]:
            for q in ndjson(os.path.join(ANALYSTS, part + ".ndjson")):
                if q["gold"] and all(places[g["filing"]].endswith((".htm", ".html")) for g in q["gold"]):
                    asked.append({"id": q["id"], "question": " ".join(filter(None, (q.get("entity"), q["question"]))), "gold": q["gold"]})
        for key in {g["filing"] for q in asked for g in q["gold"]}:
            shutil.copy(os.path.join(SHARED, "upstream", places[key]), os.path.join(folder, key + ".htm"))
        write(self.path("asked.ndjson"), asked)
        write(self.path("asked.search.ndjson"), [{"id": q["id"], "query": q["question"]} for q in asked])
        return folder, asked

    def our_whole(self, folder, question, store):
        """The pipeline over a folder of files, and its first answer."""
        there = {"PATH": BIN + ":" + os.environ["PATH"], "BID_STORE": self.path(store)}
        line = ('rm -rf "$BID_STORE"*; cd "$FILINGS"; bid-strip -q --raw * | bid-chunk -q | bid-embed | '
                'bid-index -q --corpus bench >/dev/null; bid-search -q "$FIRST" >/dev/null || [ $? -eq 1 ]')
        return Program("BID", shell(line, FILINGS=folder, FIRST=question, **there), False), there

    def stacks(self):
        named = {"BeautifulSoup + LangChain + Chroma + static": ["beautifulsoup4", "langchain-chroma", "chromadb", "model2vec"],
                 "LlamaIndex + static": ["llama-index-core", "model2vec"], "txtai + static": ["txtai", "model2vec"],
                 "edgartools + LangChain + Chroma + static": ["edgartools", "langchain-chroma", "model2vec"]}
        if "onnxruntime MiniLM" in self.encoders():
            named["BeautifulSoup + LangChain + Chroma + MiniLM"] = ["beautifulsoup4", "langchain-chroma", "chromadb", "onnxruntime"]
        return named

    def whole(self):
        folder, asked = self.filings()
        names = sorted(os.listdir(folder))
        size = sum(os.path.getsize(os.path.join(folder, n)) for n in names) / 1e6
        ours, there = self.our_whole(folder, asked[0]["question"], "whole.store")
        named = self.stacks()

        def arguments(peer):
            return [folder, self.path("asked.ndjson"), self.models(), self.path("answers " + peer)]
        peers = self.peers("whole", named, arguments, tuple(n for n in named if "MiniLM" in n or "edgartools" in n))
        done = in_turns([ours, *[p for _, p in peers]], self.options.runs)
        scorer = quality()
        if done.get("BID"):
            answered = run_once(*shell('bid-search -q -n 5 <"%s" || [ $? -eq 1 ]' % self.path("asked.search.ndjson"), **there))
            answers = {}
            for r in map(json.loads, answered["out"].splitlines()):
                answers[r.get("id")] = [{"file": os.path.basename(m["sourceUrl"]).partition("#")[0], "text": m["text"]} for m in r.get("matches", [])]
            self.add("whole", "BID", "MB of HTML a CPU second", [size / r["cpu"] for r in done["BID"]], done["BID"],
                     askMs=1e3 * answered["cpu"] / len(asked), **score(scorer, asked, answers))
        for _, p in peers:
            runs = done.get(p.name)
            if runs:
                said = [said_by(r) for r in runs]
                answers = {r["id"]: r["matches"] for r in ndjson(p.command[0][-1])}
                self.add("whole", p.name, "MB of HTML a CPU second", [size / max(s["build"], 0.001) for s in said], runs,
                         askMs=1e3 * statistics.median(s["ask"] / s["questions"] for s in said), **score(scorer, asked, answers))

    def ten_ks(self, copies):
        """A folder of the recorded annual reports over 1.4 MB, each `copies` times with a comment of its own at its end."""
        folder = self.path("tenks%d" % copies)
        os.mkdir(folder)
        for line in open(os.path.join(HERE, "annual_reports.txt"), encoding="utf-8"):
            with open(os.path.join(SHARED, "upstream", line.strip()), "rb") as f:
                raw = f.read()
            for i in range(copies):
                with open(os.path.join(folder, "%d-%s" % (i, os.path.basename(line.strip()))), "wb") as out:
                    out.write(raw + b"<!-- copy %d -->" % i)
        return folder, sum(os.path.getsize(os.path.join(folder, n)) for n in os.listdir(folder)) / 1e6

    def bulk(self):
        """Speed of the whole way on annual reports alone: ours on ten copies of each, the peers on one, MiniLM on a single one."""
        many, size = self.ten_ks(10)
        few, few_size = self.ten_ks(1)
        one = self.path("tenk")
        os.mkdir(one)
        name = sorted(os.listdir(few))[0]
        shutil.copy(os.path.join(few, name), one)
        write(self.path("question.ndjson"), [{"id": "1", "question": BULK_QUESTION}])
        ours, _ = self.our_whole(many, BULK_QUESTION, "bulk.store")
        named = self.stacks()
        peers = self.peers("whole", named, lambda peer: [one if "MiniLM" in peer else few, self.path("question.ndjson"), self.models(), self.path("answer")],
                           tuple(n for n in named if "MiniLM" in n or "edgartools" in n))
        done = in_turns([ours, *[p for _, p in peers]], self.options.runs)
        if done.get("BID"):
            self.add("bulk", "BID", "MB of HTML a CPU second", [size / r["cpu"] for r in done["BID"]], done["BID"])
        for _, p in peers:
            if done.get(p.name):
                read = os.path.getsize(os.path.join(one, name)) / 1e6 if "MiniLM" in p.name else few_size
                self.add("bulk", p.name, "MB of HTML a CPU second", [read / max(said_by(r)["build"], 0.001) for r in done[p.name]], done[p.name])

    def growth(self):
        """CPU seconds and peak memory of each of our stages for 10, 100, 1000 … documents."""
        files = self.html_files()
        count = 10
        while count <= self.options.documents:
            source = self.path("growth.in")
            store = self.path("growth.store")
            shutil.rmtree(store, ignore_errors=True)
            for name in ("bid-strip", "bid-chunk", "bid-embed", "bid-index"):
                target = self.path("growth.out")
                with open(target, "wb") as out:
                    used = self.grow(name, files, count, source, out, store)
                os.replace(target, source)
                self.rows.append({"stage": "growth", "program": name, "unit": "documents a CPU second", "documents": count, "rate": count / used["cpu"],
                                  "least": count / used["cpu"], "most": count / used["cpu"], "runs": 1, "wall": used["wall"], "peakMB": used["peak"] / 1024})
            count *= 10

    def grow(self, name, files, count, source, out, store):
        """One stage over `count` documents; the first reads copies of the recorded filings, each with a comment of its own."""
        command = [tool(name), "-q"] if name != "bid-embed" else [tool(name)]
        if name == "bid-index":
            command += ["--corpus", "bench"]
        feed = None
        if name == "bid-strip":
            feed = subprocess.Popen([sys.executable, os.path.join(HERE, "copies.py"), str(count), *files], stdout=subprocess.PIPE)
        start = time.monotonic()
        with open(source if not feed else os.devnull, "rb") as given:
            p = subprocess.Popen(command, stdin=feed.stdout if feed else given, stdout=out, env=dict(os.environ, BID_STORE=store))
            if feed:
                feed.stdout.close()
            _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        if feed:
            feed.wait()
        if status:
            raise SystemExit("%s ended with %d" % (name, p.returncode))
        return {"wall": time.monotonic() - start, "cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss}


# ---- quality of the whole way ----

def holds(scorer, match, gold):
    """Whether a passage holds half or more of a gold quote in one piece; only letters and digits count."""
    if match["file"] != gold["filing"] + ".htm":
        return False
    quote, text = scorer.bare(gold["quote"])[0], scorer.bare(match["text"])[0]
    half = (len(quote) + 1) // 2
    if quote in text:
        return True
    return any(quote[i:i + half] in text for i in range(len(quote) - half + 1))


def score(scorer, asked, answers):
    first = five = 0
    for q in asked:
        hits = [any(holds(scorer, m, g) for g in q["gold"]) for m in answers.get(q["id"], [])[:5]]
        first += bool(hits and hits[0])
        five += any(hits)
    return {"questions": len(asked), "first": round(first / len(asked), 3), "five": round(five / len(asked), 3)}


# ---- print ----

def machine():
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return "%s, %d cores, load %.1f, %s" % (cpu, os.cpu_count(), os.getloadavg()[0], time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()))


def figure(x):
    return "" if x is None else "%.3g" % x if x < 100 else "{:,.0f}".format(x)


def markdown(rows, where):
    lines = ["# BID beside its peers", "", where, ""]
    for stage in dict.fromkeys(r["stage"] for r in rows):
        mine = [r for r in rows if r["stage"] == stage]
        keys = [k for k in ("documents", "askMs", "recall", "first", "five") if any(r.get(k) is not None for r in mine)]
        heads = {"documents": "documents", "askMs": "ms of CPU a question", "recall": "recall@10", "first": "right first", "five": "among five"}
        ours = mine[0]["rate"]
        lines += ["## " + stage, "", "| program | %s | least to most | BID is | peak MB | %s" % (mine[0]["unit"], " | ".join(heads[k] for k in keys) + (" |" if keys else "")),
                  "|---|---|---|---|---|" + "---|" * len(keys)]
        for r in mine:
            times = "" if r is mine[0] or stage == "growth" else figure(ours / r["rate"]) + " ×"
            cells = [r["program"], figure(r["rate"]), "%s to %s" % (figure(r["least"]), figure(r["most"])) if r["runs"] > 1 else "one run", times, figure(r["peakMB"])]
            lines.append("| " + " | ".join(cells + [figure(r.get(k)) for k in keys]) + " |")
        if stage == "whole":
            lines += ["", "%d questions over the filings that they are about, in one store." % mine[0]["questions"]]
        if stage == "bulk":
            lines += ["", "BID reads %.0f average 10-Ks (2.4 MB) a CPU second, from HTML on disk to the first cited answer." % (ours * 1e6 / TEN_K)]
        lines.append("")
    return "\n".join(lines)


STAGES = ("strip", "chunk", "embed", "words", "vectors", "whole", "bulk", "growth")


def main():
    p = argparse.ArgumentParser(description="Measure BID beside its peers.", epilog=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--stage", action="append", choices=STAGES)
    p.add_argument("--runs", type=int, default=3)
    p.add_argument("--part", action="append")
    p.add_argument("--documents", type=int, default=1000)
    p.add_argument("--peer", action="append")
    p.add_argument("--out", default=os.path.join(TOP, ".build", "bench"))
    options = p.parse_args()
    if not os.path.isdir(os.path.join(SHARED, "upstream")):
        print("bench: no recorded upstreams (../shared) here")
        return
    os.makedirs(options.out, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(options, work)
        where = machine()
        for stage in options.stage or STAGES:
            print("== " + stage, file=sys.stderr, flush=True)
            getattr(bench, stage)()
            write(os.path.join(options.out, "beside.ndjson"), bench.rows)
            with open(os.path.join(options.out, "beside.md"), "w", encoding="utf-8") as f:
                f.write(markdown(bench.rows, where))
    print(markdown(bench.rows, where))


main()
