"""A store of BID: one lasting bid-search that is asked over its line protocol, and the other programs."""
import importlib.metadata
import json
import os
import shutil
import subprocess
import threading

HERE = os.path.dirname(os.path.abspath(__file__))


def find_version():
    """The version: that of the checkout or the installation that the package lies in, else that of its wheel."""
    for folder in ("../../../data", "../.."):
        try:
            with open(os.path.join(HERE, folder, "VERSION"), encoding="ascii") as file:
                return file.read().strip()
        except OSError:
            pass
    try:
        return importlib.metadata.version("bid")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


class BidError(Exception):
    """What a program of BID refused: `category` and `message` of its error record, `status` of its exit."""

    def __init__(self, message, category="internal", status=None):
        super().__init__(message)
        self.message, self.category, self.status = message, category, status


class Rows(list):
    """A list of dicts that becomes a data frame where pandas is installed.  `errors` holds what went wrong beside."""

    def __init__(self, rows=(), errors=()):
        super().__init__(rows)
        self.errors = list(errors)

    def frame(self):
        try:
            import pandas
        except ImportError as missing:
            raise BidError("frame() needs pandas: pip install pandas") from missing
        return pandas.DataFrame.from_records(list(self))


def find_program(name, folder=None):
    """Path of a program of BID: in `folder`, in $BID_BIN, in the checkout that this module lies in, from its wheel, or on PATH."""
    checkout = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
    for place in (folder, os.environ.get("BID_BIN"), os.path.join(checkout, "bin"), os.path.join(checkout, "pipelines")):
        path = place and os.path.join(place, name)
        if path and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    try:
        found = next((str(f.locate()) for f in importlib.metadata.files("bid") or () if f.name == name), None) or shutil.which(name)
    except importlib.metadata.PackageNotFoundError:
        found = shutil.which(name)
    if found is None:
        raise BidError("%s is neither in $BID_BIN nor on PATH" % name, status=127)
    return found


def as_list(value):
    return [value] if isinstance(value, str) else list(value or [])


def plain(name, value):
    """A value as the programs take it: text, a number or a truth; of a date or a time, its ISO form.  BidError for others."""
    if isinstance(value, (list, tuple)):
        return [plain(name, one) for one in value]
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise BidError("%s: %.60r is neither text, a number nor a date" % (name, value), "invalid-request", 64)


def options(**given):
    """Words of a command line for values that are given; a list becomes an option for each of its elements."""
    return [word for name, value in given.items() for one in (value if isinstance(value, (list, tuple)) else [value]) if one is not None
            for word in ("--" + name.replace("_", "-"), str(plain(name, one)))]


def error_of(record):
    """The BidError that a record tells of, or None."""
    error = record.get("error")
    return BidError(str(error.get("message", "")), error.get("category", "internal")) if isinstance(error, dict) else None


def record_of(line, program):
    """A line of NDJSON as a dict; BidError where it is anything else."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError): # or nested too deeply for Python
        record = None
    if not isinstance(record, dict):
        raise BidError("%s printed what is no record: %.60r" % (program, line))
    return record


def answer_of(line):
    """What bid-search answered to a question, or a BidError."""
    if not line.endswith(b"\n"):
        return BidError("bid-search ended without an answer")
    try:
        record = record_of(line, "bid-search")
    except BidError as error:
        return error
    matches = record.get("matches")
    if not isinstance(matches, list) or not all(isinstance(m, dict) for m in matches):
        return error_of(record) or BidError("bid-search printed what is no answer: %.60r" % line)
    return record


class Store:
    """path: the store (default $BID_STORE); programs: the folder of BID's programs."""

    def __init__(self, path=None, programs=None):
        self.path = path
        self.programs = programs
        self.env = dict(os.environ)
        if path is not None:
            self.env["BID_STORE"] = os.fspath(path)
        if programs is not None:
            self.env["BID_BIN"] = os.fspath(programs)
        self.lock = threading.Lock()
        self.child = None
        self.seen = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return "bid.Store(%r)" % (self.env.get("BID_STORE") or "the default store")

    def close(self):
        """Ends the lasting bid-search; the next question starts another one."""
        with self.lock:
            self._stop()

    # ---- the persistent bid-search ----

    def _stop(self):
        if self.child is not None:
            child, self.child = self.child, None
            try:
                child.stdin.close()
            except OSError:
                pass  # it ended before it had read all
            child.stdout.close()
            try:
                child.wait(timeout=5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def _file(self):
        """What changes when the store does."""
        path = self.env.get("BID_STORE") or os.path.join(
            self.env.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share"), "bid", "store")
        try:
            s = os.stat(path)
            return s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns
        except OSError:
            return None

    def _start(self):
        now = self._file()
        if self.child is not None and (self.child.poll() is not None or now != self.seen):
            self._stop()
        if self.child is None:
            self.seen = now
            self.child = subprocess.Popen([find_program("bid-search", self.programs), "--quiet"], env=self.env, stdin=subprocess.PIPE,
                                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def _ask(self, questions):
        """The answers to questions (dicts), in order; errors are BidError objects."""
        text = "".join(json.dumps(q) + "\n" for q in questions).encode()
        with self.lock:
            self._start()
            writer = threading.Thread(target=self._write, args=(text,))
            writer.start()
            lines = [self.child.stdout.readline() for _ in questions]
            writer.join()
            answers = [answer_of(line) for line in lines]
            if any(isinstance(a, BidError) and a.category == "internal" for a in answers):
                self._stop()  # further lines may belong to earlier questions
        return answers

    def _write(self, text):
        try:
            self.child.stdin.write(text)
            self.child.stdin.flush()
        except OSError:
            pass  # it has ended, which reading reports

    # ---- questions ----

    def search(self, query, limit=5, companies=None, forms=None, items=None, since=None, until=None, as_of=None,
               collections=None, mode=None, new=False, fold=True):
        """The passages that answer a question, best first, as Rows; the names of the members are those of bid-search(1).

        new: of the newest filing of each company and form, only what the one before it in the store did not say; fold=False:
        near-duplicates one by one."""
        found = self._search([query], limit, companies, forms, items, since, until, as_of, collections, mode, new, fold)[0]
        if isinstance(found, BidError):
            raise found
        return found

    def search_many(self, queries, limit=5, companies=None, forms=None, items=None, since=None, until=None, as_of=None,
                    collections=None, mode=None, new=False, fold=True):
        """Rows for each of many questions, asked in one go; those of a question that was refused are empty, and the BidError
        is in their `errors`.  Raises where bid-search itself failed, or none was answered."""
        found = self._search(queries, limit, companies, forms, items, since, until, as_of, collections, mode, new, fold)
        failed = [f for f in found if isinstance(f, BidError)]
        if failed and (len(failed) == len(found) or any(f.category == "internal" for f in failed)):
            raise failed[0]
        return [Rows(errors=[f]) if isinstance(f, BidError) else f for f in found]

    def _search(self, queries, limit, companies, forms, items, since, until, as_of, collections, mode, new, fold):
        """Rows or a BidError for each."""
        scope = {"n": limit, "company": as_list(companies), "form": as_list(forms), "item": as_list(items), "since": since,
                 "until": until, "asOf": as_of, "collection": as_list(collections), "mode": mode, "new": new or None,
                 "fold": None if fold else False}
        scope = {k: plain(k, v) for k, v in scope.items() if v not in (None, [])}
        return [a if isinstance(a, BidError) else Rows(a["matches"], [a["warning"]] if a.get("warning") else [])
                for a in self._ask([dict(scope, query=plain("query", q)) for q in queries])]

    def retrieve(self, query, companies=None, forms=None, since=None, as_of=None, context=2000, edgar=False, limit=5,
                 company=None):
        """The object of bid-retrieve(1) as a dict: query, rag (matches, context), edgar, errors.

        edgar: look at EDGAR where the store has nothing relevant, and read recent filings into it; company: the same as
        companies."""
        words = ["--json", "--context", str(context), "--limit", str(limit)] + ([] if edgar else ["--no-edgar"])
        words += options(entity=as_list(companies) + as_list(company), form=forms, since=since, as_of=as_of)
        rows = self._run("bid-retrieve", words + ["--", query])
        if not rows:
            raise BidError("bid-retrieve printed nothing")
        return rows[0]

    def facts(self, companies=(), words=(), fred=False, statement=None, period=None, since=None, as_of=None, unit=None,
              quarterly=False, ttm=False, as_first_reported=False, limit=None):
        """Reported figures of companies, or observations of FRED series, as Rows; of fiscal years unless told otherwise."""
        given = ["--json"] + options(entity=companies, statement=statement, period=period, since=since, as_of=as_of, unit=unit, limit=limit)
        given += [o for o, wanted in (("--fred", fred), ("--quarterly", quarterly), ("--ttm", ttm),
                                      ("--as-first-reported", as_first_reported)) if wanted]
        return self._run("bid-facts", given + ["--"] + as_list(words))

    def fetch(self, source, entity=None, forms=None, limit=None, since=None, content=False, **parameters):
        """Payload records of a source, as bid-fetch(1) gives them."""
        words = ["--quiet", source] + (["--content"] if content else []) + options(entity=entity, form=forms, limit=limit, since=since)
        return self._run("bid-fetch", words + options(param=["%s=%s" % p for p in parameters.items()]))

    def diff(self, company, form=None, item=None, exhibit=None, back=None, year_ago=False):
        """What changed since the previous filing, or that of a year before, as bid-diff(1) prints it: the summary, then a
        row a change."""
        words = options(company=company, form=form, item=item, exhibit=exhibit, back=back)
        return self._run("bid-diff", ["--json"] + words + (["--year-ago"] if year_ago else []))

    def verify(self, answer=None, ids=(), companies=(), source=False):
        """The object of bid-verify(1) as a dict: citations, numbers, summary.

        ids: of the passages that the answer's marks [1], [2] cite, in order; source: fetch what they come from again."""
        words = ["--json"] + options(cite=ids, company=companies) + (["--source"] if source else [])
        if answer is not None:
            words += ["--answer-text", answer]
        rows = self._run("bid-verify", words)
        if not rows:
            raise BidError("bid-verify printed nothing")
        return rows[0]

    def ingest(self, company, forms=None, limit=None, since=None, period=None):
        """Reads filings of a company into the store: the receipts of bid-ingest(1), with what failed in `errors`."""
        return self._run("bid-ingest", ["--quiet"] + options(entity=company, form=forms, limit=limit, since=since, period=period))

    def collections(self):
        """What is stored, a row a collection; none where there is no store yet."""
        return self._run("bid-store", ["--quiet", "ls"])

    def dump(self, collections=None, vectors=False):
        """Yields all passages as flat rows; with `vectors` each has its embedding, a list of floats."""
        words = [find_program("bid-store", self.programs), "--quiet", "--format=ndjson"] + (["--vectors=floats"] if vectors else [])
        for glob in as_list(collections):
            words += ["--collection", glob]
        with subprocess.Popen(words + ["dump"], env=self.env, stdout=subprocess.PIPE) as child:
            for line in child.stdout:
                yield json.loads(line)
        if child.returncode > 1:
            raise BidError("bid-store ended with status %d" % child.returncode, status=child.returncode)

    def to_parquet(self, path, collections=None, vectors=True):
        """Writes all passages as a Parquet file (needs pandas and pyarrow); returns how many."""
        try:
            import pandas
            import pyarrow
        except ImportError as missing:
            raise BidError("to_parquet needs pandas and pyarrow: pip install pandas pyarrow") from missing
        frame = pandas.DataFrame.from_records(list(self.dump(collections, vectors)))
        frame.to_parquet(path)
        return len(frame)

    def _run(self, program, words):
        done = subprocess.run([find_program(program, self.programs)] + words, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        records = [record_of(line, program) for line in done.stdout.splitlines() if line.startswith(b"{")]
        errors = [r["error"] for r in records if isinstance(r.get("error"), dict)]
        rows = Rows([r for r in records if not isinstance(r.get("error"), dict)], errors)
        if not rows and errors:
            raise BidError(errors[0].get("message", ""), errors[0].get("category", "internal"), done.returncode)
        if not rows and done.returncode > 1:
            raise BidError(done.stderr.decode(errors="replace").strip() or "%s ended with status %d" % (program, done.returncode),
                           status=done.returncode)
        return rows
