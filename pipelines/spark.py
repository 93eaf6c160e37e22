"""The Spark side of bid-spark(1), which sets the environment that is read here.

    inputs ──► payload lines ──► by hash, each once, those of finished runs left out
           ──► bid-strip | bid-chunk | bid-embed, a pipe a partition ──► OUT/run-ID/{parquet,ndjson,errors,documents}

A partition's filters see whole documents and know nothing of each other, so a partition that is lost or fails is simply
run again.  The last try takes its documents one by one: what crashes a filter becomes an error record of its own.
"documents" (hash, sourceUrl, passages) is written last: a run without it was interrupted, and is removed by the next.
"""
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

FILTERS = ("bid-strip", "bid-chunk", "bid-embed")
COLUMNS = ("id", "sourceUrl", "source", "company", "ticker", "cik", "form", "filingDate", "reportDate", "fiscalYear",
           "fiscalPeriod", "accessionNumber", "item", "heading", "page", "capturedAt", "context", "text", "model",
           "chunk", "metadata")


def setting(name):
    return os.environ.get("BID_SPARK_" + name, "")


# ---- on the workers ----

def environment(programs):
    path = os.environ.get("PATH", "")
    return dict(os.environ, PATH=programs + os.pathsep + path if os.path.isdir(programs) else path)


def piped(commands, lines, programs):
    """Runs the lines through a pipe of commands: (lines that came out, what failed or None)."""
    env, processes, before = environment(programs), [], subprocess.PIPE
    for command in commands:
        p = subprocess.Popen(command, stdin=before, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env)
        if processes:
            before.close()
        processes.append(p)
        before = p.stdout

    def feed():
        try:
            for line in lines:
                processes[0].stdin.write(line + b"\n")
            processes[0].stdin.close()
        except BrokenPipeError:
            pass
    feeder = threading.Thread(target=feed)
    feeder.start()
    out = before.read().split(b"\n")
    feeder.join()
    statuses = [p.wait() for p in processes]
    failed = ["%s ended with status %d" % (c[0], s) for c, s in zip(commands, statuses) if s not in (0, 1)]
    return [line for line in out if line], failed[0] if failed else None


def payloads_of(url, programs):
    """Payload lines of a file of documents, by bid-fetch; what lies elsewhere has been brought into `content`."""
    def of(item):
        path, content = item
        if content is None:
            lines, failed = piped([["bid-fetch", "-q", "file", path]], [], programs)
        else:
            with tempfile.TemporaryDirectory() as folder:
                local = os.path.join(folder, os.path.basename(path))
                with open(local, "wb") as f:
                    f.write(content)
                lines, failed = piped([["bid-fetch", "-q", "file", local]], [], programs)
                known = "file://" + local.replace("%", "%25").replace("#", "%23")  # as bid-fetch writes it
                here, there = [json.dumps(x, ensure_ascii=False)[1:-1].encode() for x in (known, path)]
                lines = [line.replace(here, there, 1) for line in lines]
        if failed:
            raise RuntimeError(path + ": " + failed)
        return lines
    return of(url)


def hash_of(line):
    """A document is its address and its bytes."""
    try:
        r = json.loads(line)
        known = "%s %s" % (r["sha256"], r["sourceUrl"])
    except (ValueError, KeyError, TypeError):
        known = line.decode("utf-8", "replace")
    return hashlib.sha256(known.encode("utf-8", "replace")).hexdigest()


def url_of(line):
    try:
        r = json.loads(line)
        return str((r["error"] if "error" in r else r).get("sourceUrl") or "").split("#")[0]
    except (ValueError, KeyError, AttributeError, TypeError):
        return ""


def is_error(line):
    return line.startswith(b'{"error":') or b'"error":{"category"' in line and "error" in json.loads(line)


def run_filters(documents, commands, programs, last):
    """(hash, payload line) of a partition to (kind, value)."""
    lines, failed = piped(commands, [line for _, line in documents], programs)
    if failed and not last:
        raise RuntimeError(failed)
    if failed:
        lines = []
        for _, line in documents:
            some, failed = piped(commands, [line], programs)
            error = {"error": {"category": "internal", "message": failed, "stage": "spark", "sourceUrl": url_of(line)}}
            lines += [json.dumps(error, separators=(",", ":"), ensure_ascii=False).encode()] if failed else some
    counts, faults = {}, set()
    for line in lines:
        url = url_of(line)
        if is_error(line):
            faults.add(url)
            yield "error", line
        else:
            counts[url] = counts.get(url, 0) + 1
            yield "record", line
    for key, line in documents:
        url = url_of(line)
        if url not in faults and counts.get(url):  # failed ones are retried by the next run
            yield "document", (key, url, counts[url])


def row_of(line):
    r = json.loads(line)
    m, c = r.get("metadata") or {}, r.get("chunk") or {}
    flat = {**{k: m.get(k) for k in COLUMNS}, **{k: c.get(k) for k in ("item", "heading", "page")},
            **{k: r[k] for k in COLUMNS if k in r}, "chunk": json.dumps(c), "metadata": json.dumps(m)}
    import array
    import base64
    vector = array.array("f", base64.b64decode(r.get("embedding") or ""))
    return tuple(None if flat[k] is None else str(flat[k]) for k in COLUMNS) + (vector.tolist(),)


# ---- on the driver ----

def session():
    from pyspark.sql import SparkSession
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    master, retries = setting("MASTER"), int(setting("RETRIES"))
    if master.startswith("local[") and "," not in master:
        master = master[:-1] + ",%d]" % (retries + 1)
    b = SparkSession.builder.appName("bid-spark").master(master).config("spark.task.maxFailures", retries + 1)
    b = b.config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
    b = b.config("spark.log.level", "ERROR")
    for conf in setting("CONFS").splitlines():
        b = b.config(*conf.split("=", 1))
    spark = b.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


class Folders:
    """Folders of any file system that Spark reaches."""

    def __init__(self, sc):
        self.sc, self.jvm = sc, sc._jvm

    def path(self, name):
        p = self.jvm.org.apache.hadoop.fs.Path(name)
        return p, p.getFileSystem(self.sc._jsc.hadoopConfiguration())

    def exists(self, name):
        p, fs = self.path(name)
        return fs.exists(p)

    def names(self, pattern):
        p, fs = self.path(pattern)
        return [s.getPath().toString() for s in (fs.globStatus(p) or [])]

    def files(self, name):
        """All files below, but for hidden ones."""
        p, fs = self.path(name)
        if not fs.exists(p):
            raise FileNotFoundError(name)
        found, more = [], fs.listFiles(p, True)
        while more.hasNext():
            one = more.next().getPath()
            if not one.getName().startswith((".", "_")):
                found.append(one.toString())
        return sorted(found)

    def remove(self, name):
        p, fs = self.path(name)
        fs.delete(p, True)

    def fetch(self, name, folder):
        """Copies the files of a folder of that file system into a folder of this machine."""
        p, fs = self.path(name)
        for status in fs.listStatus(p):
            fs.copyToLocalFile(False, status.getPath(), self.path("file://" + folder)[0], True)


def local_path(url):
    """Of Hadoop's file: paths (file:/x, file:///x), in which % is a plain character; else None."""
    return url[7:] if url.startswith("file://") else url[5:] if url.startswith("file:") else None


def absolute(name):
    return name if ":" in name.split("/")[0] else "file://" + os.path.abspath(name)


def patterns(paths):
    """Paths as Spark takes several: separated by commas, each a pattern; what means something there matches as any one character."""
    return ",".join(re.sub(r"[][{}*?\\,]", "?", path) for path in paths)


def read_inputs(sc, folders, programs, parts):
    """Payload lines of all inputs, an RDD."""
    records, files = [], []
    for name in setting("INPUTS").splitlines():
        for f in folders.files(absolute(name)):
            (records if f.endswith((".ndjson", ".ndjson.gz")) else files).append(f)
    rdds = [sc.textFile(patterns(records), parts, use_unicode=False)] if records else []
    here = [(local_path(f), None) for f in files if local_path(f)]
    there = [f for f in files if not local_path(f)]
    if here:
        rdds.append(sc.parallelize(here, min(len(here), parts)).flatMap(lambda item: payloads_of(item, programs)))
    if there:
        named = sc.binaryFiles(patterns(there), parts).filter(lambda item: item[0] in there)
        rdds.append(named.flatMap(lambda item: payloads_of(item, programs)))
    return sc.union(rdds) if rdds else sc.emptyRDD()


def finished(spark, folders, out):
    """Hashes of the documents of finished runs; unfinished ones are removed."""
    done = set()
    for run in folders.names(out + "/run-*"):
        if not folders.exists(run + "/documents/_SUCCESS"):
            folders.remove(run)
        else:
            done.update(row.hash for row in spark.read.parquet(run + "/documents").select("hash").collect())
    return done


def watch(sc, stop):
    tracker, began = sc.statusTracker(), time.monotonic()
    while not stop.wait(1):
        infos = [tracker.getStageInfo(s) for s in tracker.getActiveStageIds()]
        for i in [i for i in infos if i]:
            sys.stderr.write("bid-spark: %d of %d parts, %d running, %d failed, %d s\n" % (
                i.numCompletedTasks, i.numTasks, i.numActiveTasks, i.numFailedTasks, time.monotonic() - began))


def write_run(spark, results, run):
    from pyspark.sql.types import ArrayType, FloatType, LongType, StringType, StructField, StructType
    text = [StructField(k, StringType()) for k in COLUMNS]
    columns = StructType(text + [StructField("embedding", ArrayType(FloatType()))])
    documents = StructType([StructField("hash", StringType()), StructField("sourceUrl", StringType()),
                            StructField("passages", LongType())])

    def kind(k):
        return results.filter(lambda x: x[0] == k).map(lambda x: x[1])
    kind("record").saveAsTextFile(run + "/ndjson")
    kind("error").saveAsTextFile(run + "/errors")
    spark.createDataFrame(kind("record").map(row_of), columns).write.parquet(run + "/parquet")
    errors, passages = kind("error").count(), kind("record").count()
    spark.createDataFrame(kind("document"), documents).write.parquet(run + "/documents")
    return passages, errors


def index_shards(folders, run, programs):
    """bid-index on the parts of a run, side by side, and bid-store merge; the worst status."""
    folder, env, shards, statuses = tempfile.mkdtemp(dir=local_path(run), prefix="_shards-"), environment(programs), [], []
    if not local_path(run):
        folders.fetch(run + "/ndjson", folder)
    records = local_path(run) + "/ndjson" if local_path(run) else folder
    parts = sorted(p for p in glob.glob(glob.escape(records) + "/part-*") if os.path.getsize(p))
    count = min(int(setting("SHARDS")) or os.cpu_count() or 1, len(parts))
    for i in range(count):
        shards.append(os.path.join(folder, "%d" % i))
        statuses.append(subprocess.Popen(["bid-index", "-q"] + parts[i::count], stdout=subprocess.DEVNULL,
                                         env=dict(env, BID_STORE=shards[i])))
    worst = max([p.wait() for p in statuses], default=0)
    if worst == 0 and shards:
        worst = subprocess.run(["bid-store", "merge", os.path.abspath(setting("INDEX"))] + shards, env=env, check=False,
                               stdout=subprocess.DEVNULL).returncode
    shutil.rmtree(folder)
    return worst


def work(spark):
    sc, out = spark.sparkContext, absolute(setting("OUT")).rstrip("/")
    folders, programs = Folders(sc), os.path.dirname(shutil.which("bid-strip") or "")
    parts, retries = int(setting("PARTITIONS")) or 4 * sc.defaultParallelism, int(setting("RETRIES"))
    commands = [[f] for f in FILTERS]
    commands[2] += ["--model", setting("MODEL")] if setting("MODEL") else []
    done = sc.broadcast(finished(spark, folders, out))
    payloads = read_inputs(sc, folders, programs, parts).map(lambda line: (hash_of(line), line))
    fresh = payloads.filter(lambda x: x[0] not in done.value)
    once = fresh.reduceByKey(min, parts, lambda key: int(key[:8], 16)).persist()
    keys = sorted(once.keys().collect())
    summary = {"out": None, "documents": len(keys), "known": len(done.value), "passages": 0, "errors": 0}
    if not keys:
        return summary, 0
    run = out + "/run-" + hashlib.sha256("".join(keys).encode()).hexdigest()[:16]
    folders.remove(run)

    def part(documents):
        from pyspark import TaskContext
        return run_filters(sorted(documents), commands, programs, TaskContext.get().attemptNumber() >= retries)
    from pyspark import StorageLevel
    results = once.mapPartitions(part).persist(StorageLevel.DISK_ONLY)
    summary["out"] = local_path(run) or run
    summary["passages"], summary["errors"] = write_run(spark, results, run)
    return summary, index_shards(folders, run, programs) if setting("INDEX") else 0


def main():
    spark = session()
    stop = threading.Event()
    if not setting("QUIET"):
        threading.Thread(target=watch, args=(spark.sparkContext, stop), daemon=True).start()
    try:
        summary, status = work(spark)
    except FileNotFoundError as e:
        sys.stderr.write("bid-spark: %s: no such file or folder\n" % e)
        return 66
    except ValueError as e:
        sys.stderr.write("bid-spark: %s\n" % e)
        return 64
    except Exception as e:  # a JVM exception from py4j has many lines
        cause = [x for x in str(e).splitlines() if "RuntimeError:" in x or "Exception:" in x] or [str(e)]
        sys.stderr.write("bid-spark: %s\n" % cause[0].strip()[:400])
        return 70
    finally:
        stop.set()
        spark.stop()
    if setting("PEOPLE"):
        print("{documents} documents, {passages} passages, {errors} errors; {known} were known; {out}".format(**summary))
    else:
        print(json.dumps(summary))
    return status or (1 if summary["errors"] else 0)


if __name__ == "__main__":
    sys.exit(main())
