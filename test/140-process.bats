#!/usr/bin/env bats
# What every program sets right about its process: descriptors, permissions, limits.

load helper

programs() {
  local f
  for f in "$ROOT"/bin/bid-*.c; do basename "$f" .c; done
}

# Eight documents of two passages, as bid-embed gives them.
documents() {
  python3 - <<'PY'
import base64, json, struct
for n in range(16):
    i = n % 2
    print(json.dumps({
        "source": "sec-filings", "sourceUrl": "https://example.org/%d" % (n // 2), "capturedAt": "2026-01-02T03:04:05Z",
        "metadata": {"company": "Example Inc.", "ticker": "EXM", "form": "10-K", "filingDate": "2024-03-01"},
        "id": "%032x" % (n + 1), "text": "Passage %d of a filing." % i, "context": "Example Inc. 10-K",
        "chunk": {"index": i, "start": 10 * i, "end": 10 * i + 9, "item": "1A", "last": i == 1},
        "embedding": base64.b64encode(struct.pack("<64f", *[(i + k) % 7 - 3.0 for k in range(64)])).decode(),
        "model": "test@0123456789ab"}))
PY
}

@test "a closed stdout ends every program with 74" {
  local p
  for p in $(programs); do
    run --separate-stderr bash -c "$p --help >&-"
    [ "$status" -eq 74 ] || { echo "$p --help >&-: $status"; false; }
    contains "$stderr" "$p: cannot write stdout: Bad file descriptor"
  done
}

# Node.js, among others, leaves O_NONBLOCK set on pipes that it shares with its children.
@test "a pipe that somebody made non-blocking is waited for, in and out" {
  need python3
  run --separate-stderr timeout 60 python3 - <<'PY'
import json, os, subprocess, threading, time
(source, feed), (drain, sink) = os.pipe(), os.pipe()
os.set_blocking(source, False)
os.set_blocking(sink, False)
child = subprocess.Popen(["bid-chunk", "--quiet"], stdin=source, stdout=sink)
os.close(source)
os.close(sink)
line = json.dumps({"text": "word " * 2000, "sourceUrl": "https://example.org/1"}).encode() + b"\n"
def write():
    for _ in range(2):
        time.sleep(0.3)
        for _ in range(200):
            os.write(feed, line)
    os.close(feed)
threading.Thread(target=write).start()
time.sleep(1)
got = b"".join(iter(lambda: os.read(drain, 1 << 20), b""))
print(child.wait(), sum('"last":true' in one for one in got.decode().splitlines()))
PY
  equal "$output$stderr" "0 400"
}

@test "closed standard descriptors never become the store" {
  need python3
  local closed
  documents >in
  for closed in '>&-' '2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
    rm -rf "$BID_STORE"*
    eval "bid-index --batch 1 in $closed" || :
    run --separate-stderr bid-store verify
    [ "$status" -eq 0 ] || { echo "bid-index --batch 1 in $closed: $status $stderr"; false; }
    [ "$(bid-store dump | wc -l)" -ge 2 ]
    eval "bid-index --expire 2099-01-01 in $closed" || :
    eval "bid-store compact $closed" || :
    eval "bid-search --mode text passage $closed" || :
    run --separate-stderr bid-store verify
    [ "$status" -eq 0 ] || { echo "after more with $closed: $status $stderr"; false; }
  done
}

@test "receipts that nobody can read end with 74, and what was stored is whole" {
  need python3
  documents >in
  run --separate-stderr bash -c 'bid-index --batch 1 in >&-'
  equal "$status" 74
  contains "$stderr" "bid-index: cannot write stdout"
  bid-store verify
  [ "$(bid-store dump | wc -l)" -ge 2 ]
}

# COMMAND...: with files of no byte, stderr in a pipe, since stderr is a file here.
limited() { # shellcheck disable=SC2016
  bash -c '(ulimit -f 0; exec "$@" </dev/null >out) 2>&1 | cat; exit "${PIPESTATUS[0]}"' - "$@"
}

@test "a limit of a file's size ends every program with 74 and a message, not with a signal" {
  local p
  for p in $(programs); do
    run limited "$p" --help
    [ "$status" -eq 74 ] || { echo "$p --help: $status"; false; }
    contains "$output" "$p: cannot write stdout: File too large"
  done
  run limited bid-fetch --json sec-submissions -e 9990001
  [ "$status" -lt 128 ] || { echo "bid-fetch: $status"; false; }
  contains "$output" "File too large"
}

@test "a closed stdin is said" {
  run --separate-stderr bash -c 'bid-index <&-'
  equal "$status" 74
  contains "$stderr" "bid-index: stdin: Bad file descriptor"
}

@test "a fetch whose output goes nowhere ends with 74" {
  need_shared
  upstream_start
  run --separate-stderr bash -c 'bid-fetch --quiet sec-filings -e AAPL -f 10-K -n 1 --content >&-'
  equal "$status" 74
  contains "$stderr" "bid-fetch: cannot write stdout"
}

@test "an empty file in place of a program ends a pipeline with a message; a shell would run it with status 0" {
  local program
  mkdir own reports
  ln -s "$BID_BIN"/bid* own/
  cp "$ROOT/data/sample/0009990001-25-000041.txt" reports/
  for program in bid bid-fetch bid-strip bid-index; do
    rm own/$program
    : >own/$program
    chmod +x own/$program
    run env BID_BIN="$PWD/own" bash "$ROOT/pipelines/bid-ingest" --reports reports
    equal "$program $status $output" "$program 69 bid-ingest: the file of the program $program is empty; install it again"
    ln -sf "$BID_BIN/$program" own/$program
  done
}

@test "what is made is its owner's alone" {
  need python3
  documents >in
  umask 000
  bid-index --batch 1 in
  bid-store backup copy
  equal "$(stat -c %a "$BID_STORE" copy | sort -u)" 600
  equal "$(find . -name '*-lock' -perm /077)" ""
}

@test "a crash leaves no core file" {
  sleep 1 | bid-strip >/dev/null &
  local pid=$!
  while [ "$(cat "/proc/$pid/comm")" != bid-strip ]; do sleep 0.01; done
  sleep 0.3
  run grep '^Max core file size' "/proc/$pid/limits"
  wait "$pid" || :
  contains "$output" "Max core file size        0                    0"
}
