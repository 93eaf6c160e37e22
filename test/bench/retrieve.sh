#!/bin/bash
# bid-retrieve against the local upstream: an empty store, a filled one, 500 jobs.  Medians of RUNS (default 9) runs, in milliseconds of
# wall time.  Needs the recorded upstreams in ../shared (or $BID_SHARED).
set -eu
cd "$(dirname "$0")/../.."
runs=${RUNS:-9}
BID_SHARED=${BID_SHARED-$(cd ../shared 2>/dev/null && pwd)}
[ -d "$BID_SHARED/upstream" ] || {
  echo "left out: no recorded upstreams (../shared) here"
  exit 0
}
export BID_SHARED BID_NOW=2026-03-05T00:00:00Z PATH=$PWD/bin:$PWD/pipelines:$PATH
work=$(mktemp -d)
export BATS_TEST_TMPDIR=$work BID_STORE=$work/store BID_CACHE=$work/cache BID_STATE=$work/state
# shellcheck source=test/upstream.bash
. test/upstream.bash
trap 'upstream_stop; rm -rf "$work"' EXIT
export BID_HASTE=${BID_HASTE:-1} # the real pace; 20: pauses divided by that
upstream_start

milliseconds() { # COMMAND...: its wall time
  local from to
  from=$(date +%s%N)
  "$@" >/dev/null 2>&1 || true
  to=$(date +%s%N)
  echo $(((to - from) / 1000000))
}
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] " ms (" v[1] " to " v[NR] ")" }'; }
forget() { rm -rf "$BID_STORE"* "$BID_CACHE" "$BID_STATE"; }

question='What does the 10-K say about competition?'
for _ in $(seq "$runs"); do
  forget
  milliseconds bid-retrieve -e AAPL "$question"
done | median | sed 's/^/empty store, one 10-K fetched and read: /'
forget
TIMEFORMAT='the same, of processor time: %U s and %S s in the kernel'
time bid-retrieve -e AAPL "$question" >/dev/null 2>&1 || true
for _ in $(seq "$runs"); do milliseconds bid-retrieve -e AAPL "$question"; done | median | sed 's/^/filled store, a form named (with its links): /'
for _ in $(seq "$runs"); do milliseconds bid-retrieve -e AAPL 'Who are the competitors?'; done | median | sed 's/^/filled store, no form named: /'
for _ in $(seq "$runs"); do milliseconds bid-search -e AAPL 'Who are the competitors?'; done | median | sed 's/^/bid-search alone: /'
jq -c '{query: .question, entity: {id: "AAPL"}}' data/sample/questions.ndjson >"$work/thirty"
for _ in $(seq 17); do cat "$work/thirty"; done | head -500 >"$work/jobs"
from=$(date +%s%N)
TIMEFORMAT='500 jobs on a filled store, of processor time: %U s and %S s in the kernel'
time bid-retrieve --no-edgar <"$work/jobs" >"$work/answers" || true
to=$(date +%s%N)
echo "500 jobs on a filled store: $(((to - from) / 500000)) us each, $(wc -l <"$work/answers") answers"
