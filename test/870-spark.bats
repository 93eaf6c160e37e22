#!/usr/bin/env bats
# bid-spark: its options and what its workers do always; Spark itself where "make spark" has installed it.
load helper

PYTHON=$ROOT/.venv-spark/bin/python

test_setup() { need python3 jq; }

need_spark() {
  need java
  [ -x "$PYTHON" ] && "$PYTHON" -c 'import pyspark' 2>/dev/null || skip "pyspark is not installed (make spark)"
  export BID_SPARK_PYTHON=$PYTHON SPARK_LOCAL_IP=127.0.0.1
}

payloads() { bid-fetch -q file "$ROOT"/data/sample/*.txt -P corpus=edgar >payloads.ndjson; }
one_machine() { bid-strip -q "$@" | bid-chunk -q | bid-embed -q; }

# worker CODE: Python that has the worker's functions, and payloads.ndjson as `documents`.
worker() {
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$ROOT/pipelines python3 -c "
import json, os, sys, spark
documents = [(spark.hash_of(line), line) for line in open('payloads.ndjson', 'rb').read().splitlines()]
commands = [[f] for f in spark.FILTERS]
bin = os.environ['BID_BIN']
$1"
}

@test "a call without --out or input, a wrong setting, and pyspark that isn't there" {
  run --separate-stderr bid-spark x
  equal "$status" 64
  contains "$stderr" "--out is missing"
  run --separate-stderr bid-spark --out o
  equal "$status" 64
  run --separate-stderr bid-spark --out o --conf nonsense x
  equal "$status" 64
  run --separate-stderr bid-spark --out o --partitions two x
  equal "$status" 64
  printf '#!/bin/sh\nexit 1\n' >python
  chmod +x python
  BID_SPARK_PYTHON=$PWD/python run --separate-stderr bid-spark --out o x
  equal "$status" 69
  contains "$stderr" "pyspark is not installed"
}

@test "a worker's part: the same bytes as the pipe, errors apart, a count for each document that is whole" {
  payloads
  echo '{"source":"x","sourceUrl":"file:///bad","contentType":"text/plain","rawContent":"no%","rawEncoding":"base64","sha256":"0","metadata":{}}' >>payloads.ndjson
  worker '
for kind, value in spark.run_filters(documents, commands, bin, False):
    sys.stdout.flush()
    if kind != "document": sys.stdout.buffer.write(kind.encode() + b" " + value + b"\n")
    else: print(kind, json.dumps(value[1:]))' >got
  one_machine payloads.ndjson >want 2>/dev/null || true
  cmp <(sed -n 's/^record //p' got) <(grep -v '"error":{"category"' want)
  equal "$(sed -n 's/^error //p' got | jq -r .error.sourceUrl)" file:///bad
  equal "$(grep -c '^document ' got)" "$(grep -vc file:///bad payloads.ndjson)"
  equal "$(sed -n 's/^document //p' got | jq -s 'map(.[1]) | add')" "$(grep -c '^record ' got)"
}

@test "a filter that crashes fails the part; the last try names the document alone" {
  payloads
  printf '#!/bin/sh\ncat >in.$$\nif grep -q 0009990001 in.$$; then kill -9 $$; fi\nexec "$REAL/bid-strip" -q in.$$\n' >bid-strip
  chmod +x bid-strip
  REAL=$BID_BIN worker '
commands[0] = ["./bid-strip"]
try:
    list(spark.run_filters(documents, commands, bin, False))
    sys.exit("no fault")
except RuntimeError as e:
    assert "bid-strip ended with status -9" in str(e), e
last = list(spark.run_filters(documents, commands, bin, True))
errors = [json.loads(v)["error"] for k, v in last if k == "error"]
whole = [v for k, v in last if k == "document"]
assert errors and all(e["category"] == "internal" and "0009990001" in e["sourceUrl"] for e in errors), errors
assert len(errors) + len(whole) == len(documents), (len(errors), len(whole))'
}

@test "a document is its address and its bytes" {
  payloads
  worker '
keys = [k for k, _ in documents]
assert len(set(keys)) == len(keys)
r = json.loads(documents[0][1])
r["capturedAt"] = "2001-01-01T00:00:00Z"
assert spark.hash_of(json.dumps(r).encode()) == keys[0]
r["sha256"] = "1" * 64
assert spark.hash_of(json.dumps(r).encode()) != keys[0]'
}

@test "a name with blanks, commas, brackets or percent signs stays what it is" {
  printf 'Acme sells anvils.' >'50%41 of, {all} [1] "x".txt'
  : >payloads.ndjson
  worker '
name = "50%41 of, {all} [1] \"x\".txt"
content = open(name, "rb").read()
for item, url in (("s3a://b/" + name, content), "s3a://b/" + name), ((os.path.abspath(name), None), "file://" + os.path.abspath(name).replace("%", "%25")):
    r = [json.loads(line) for line in spark.payloads_of(item, bin)]
    assert [x["sourceUrl"] for x in r] == [url], (r, url)
assert spark.local_path("file:/a%20b") == "/a%20b" == spark.local_path("file:///a%20b")
assert spark.local_path("s3a://b/c") is None
assert spark.patterns(["s3a://b/x, {1}", "s3a://b/y"]) == "s3a://b/x? ?1?,s3a://b/y"'
}

# same_as_one_machine OUT: the records of its runs are those of the pipe, but for order.
same_as_one_machine() {
  one_machine payloads.ndjson | sort >want
  cat "$1"/run-*/ndjson/part-* | sort >got
  cmp want got
}

@test "Spark, local[2]: the same bytes, twice is once, an interrupted run is made again, shards are one store" {
  need_spark
  payloads
  mkdir -p out/run-dead/ndjson
  echo '{}' >out/run-dead/ndjson/part-00000
  bid-spark --master 'local[2]' --partitions 3 --out out --index store.spark --shards 2 payloads.ndjson >summary
  jq -e '.documents == 6 and .errors == 0' summary
  [ ! -e out/run-dead ]
  same_as_one_machine out
  one_machine payloads.ndjson | bid-index -q >/dev/null
  cmp <(bid-store dump | sort) <(BID_STORE=store.spark bid-store dump | sort)
  bid-store dump --format=ndjson | wc -l | xargs test "$(jq .passages summary)" -eq
  bid-spark --master 'local[2]' --partitions 3 --out out payloads.ndjson | jq -e '.documents == 0 and .known == 6'
}

@test "Spark, a cluster of two workers, one killed in the middle: the same bytes" {
  need_spark
  payloads
  local home port i
  home=$("$PYTHON" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  mkdir slow began
  # shellcheck disable=SC2016
  printf '#!/bin/sh\n: >%s/began/$$\nsleep 3\nexec "%s/bid-strip" "$@"\n' "$PWD" "$BID_BIN" >slow/bid-strip
  chmod +x slow/bid-strip
  for i in "$BID_BIN"/bid*; do [ "${i##*/}" = bid-strip ] || ln -s "$i" slow/; done
  export SPARK_NO_DAEMONIZE=1 PYSPARK_PYTHON=$PYTHON
  setsid "$home/bin/spark-class" org.apache.spark.deploy.master.Master --host 127.0.0.1 --port "$port" --webui-port 0 >master.log 2>&1 9>&- &
  echo $! >pids
  for i in 1 2; do
    setsid "$home/bin/spark-class" org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --webui-port 0 -c 1 -m 1g -d "$PWD/work$i" \
      "spark://127.0.0.1:$port" >"worker$i.log" 2>&1 9>&- &
    echo $! >>pids
  done
  BID_BIN=$PWD/slow bid-spark --master "spark://127.0.0.1:$port" --partitions 6 --conf spark.executor.memory=512m --out out \
    payloads.ndjson >summary 2>log &
  local job=$!
  for i in $(seq 1200); do [ "$(find began -type f | wc -l)" -ge 3 ] && break; sleep .1; done
  [ "$(find began -type f | wc -l)" -ge 3 ]
  kill -9 -- "-$(sed -n 2p pids)"
  wait $job
  jq -e '.documents == 6 and .errors == 0' summary
  [ "$(find began -type f | wc -l)" -gt 6 ] # something was done again
  same_as_one_machine out
}

# Starts an S3 server on loopback (moto's), with payloads.ndjson and a page in a bucket: S3, its URL; S3A, the settings for it.
need_s3() {
  need_spark
  need curl
  [ -e "$ROOT/.venv-spark/ivy/done" ] || skip "hadoop-aws is not fetched (make spark-aws)"
  local server=$ROOT/.venv-spark/bin/moto_server i
  S3=http://127.0.0.1:$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  setsid "$server" -H 127.0.0.1 -p "${S3##*:}" >s3.log 2>&1 9>&- &
  echo $! >pids
  for i in $(seq 600); do curl -s "$S3" >/dev/null && break; sleep .1; done
  s3 -X PUT "$S3/filings" >/dev/null
  s3 -T payloads.ndjson "$S3/filings/in/feed%2C%20part%201.ndjson"
  s3 -T page.htm "$S3/filings/in/Acme%2C%20%7BInc%7D%20%5B1%5D.htm"
  s3 -T other.htm "$S3/filings/in/Acme%3B%20%7BInc%7D%20%5B1%5D.htm"
  export AWS_ACCESS_KEY_ID=key AWS_SECRET_ACCESS_KEY=secret AWS_EC2_METADATA_DISABLED=true
  S3A=(--conf spark.driver.extraClassPath="$ROOT/.venv-spark/ivy/jars/*" --conf spark.hadoop.fs.s3a.endpoint="$S3"
    --conf spark.hadoop.fs.s3a.endpoint.region=us-east-1 --conf spark.hadoop.fs.s3a.path.style.access=true)
}

# s3 ARGUMENT...: curl with the keys.
s3() { curl -sf --aws-sigv4 aws:amz:us-east-1:s3 --user key:secret "$@"; }

# objects PREFIX: the keys below it.
objects() { s3 "$S3/filings?list-type=2&prefix=$1" | grep -o '<Key>[^<]*' | cut -c6-; }

@test "Spark, s3a: a bucket's payloads and documents into the bucket, the same bytes, twice is once, shards are one store" {
  payloads
  printf '<html><body><h1>Acme</h1><p>Acme sells 40,000 anvils a year to three coyotes.</p></body></html>' >page.htm
  printf '<html><body><p>Not asked for.</p></body></html>' >other.htm
  need_s3
  local page='s3a://filings/in/Acme, {Inc} [1].htm' key
  bid-spark "${S3A[@]}" --master 'local[2]' --partitions 3 --out s3a://filings/out --index store.spark --shards 2 \
    's3a://filings/in/feed, part 1.ndjson' "$page" >summary
  jq -e '.documents == 7 and .errors == 0 and (.out | startswith("s3a://filings/out/run-"))' summary
  objects out/ | grep '/ndjson/part-' | while read -r key; do s3 "$S3/filings/$key"; done >records
  one_machine payloads.ndjson | sort >want
  grep -v '"sourceUrl":"s3a:' records | sort | cmp want -
  equal "$(grep '"sourceUrl":"s3a:' records | jq -r '.sourceUrl, .text')" "$page"$'\n'"$(bid-fetch -q file page.htm | one_machine | jq -r .text)"
  objects out/ | grep -q '/parquet/part-.*[.]parquet$'
  equal "$(BID_STORE=store.spark bid-store dump | jq -r .id | sort)" "$(jq -r .id records | sort)"
  bid-spark "${S3A[@]}" --master 'local[2]' --out s3a://filings/out "$page" | jq -e '.documents == 0 and .known == 7'
  run --separate-stderr bid-spark "${S3A[@]}" --master 'local[2]' --out s3a://filings/out s3a://filings/absent
  equal "$status" 66
  contains "$stderr" "s3a://filings/absent: no such file or folder"
}

test_teardown() {
  local pid
  if [ -e pids ]; then while read -r pid; do kill -9 -- "-$pid" 2>/dev/null || true; done <pids; fi
}
