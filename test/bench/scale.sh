#!/bin/bash
# Builds a store of many passages in parallel shards, merges and searches it: scale.sh [PASSAGES [SHARDS]], by default
# 3,000,000 in 16.  Measures the figures of bid-scale(7) on one machine: bytes per passage, passages per second, seconds to
# merge and to answer.  Passages are generated from real filings (see passages.c).  BID_BENCH_JOBS shards are built at a time
# (default: one per core); BID_BENCH_DIR is the folder for inputs and stores.  Needs 1.35 KB of disk per passage: each shard
# is deleted once it is merged.  On a machine with other users, run it under nice(1).
set -eu
cd "$(dirname "$0")/../.."
passages=${1:-3000000} shards=${2:-16} jobs=${BID_BENCH_JOBS:-$(nproc)}
bin=$(realpath "${BID_BIN:-bin}")
work=${BID_BENCH_DIR:-.build/bench/store}
test/bench/store.sh prepare
if [ ! -s "$work/seeds.ndjson" ]; then exit 0; fi
work=$(realpath "$work")
scale=$work/scale
mkdir -p "$scale"
each=$((passages / shards / 200 * 200))

now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f", b - a }'; }
bytes() { stat -c %s "$@" | awk '{ n += $1 } END { printf "%.0f", n }'; }
per() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a / b }'; }
load() { cut -d' ' -f1-3 /proc/loadavg; }

echo "scale: $((each * shards)) passages in $shards shards, $jobs at a time; load before: $(load)"
free=$(df --output=avail -k "$scale" | tail -1) need=$((each * shards * 27 / 20 + 2000000)) # KB: 1.35 a passage
if [ "$free" -lt $need ]; then
  echo "scale: $free KB free, $need are needed" >&2
  exit 74
fi

# One shard: passages, vectors, segments.
shard() {
  rm -f "$scale/shard-$1" "$scale/shard-$1-lock"
  "$work/passages" "$work/seeds.ndjson" "$each" 200 $(($1 * each + 200)) | "$bin/bid-embed" -q |
    BID_STORE=$scale/shard-$1 "$bin/bid-index" -q >/dev/null
}
export -f shard
export work scale each bin
from=$(now)
seq 0 $((shards - 1)) | xargs -P "$jobs" -I{} bash -euo pipefail -c 'shard {}'
took=$(since "$from")
all=$(bytes "$scale"/shard-*[0-9])
echo "made, embedded and indexed: $took s, $(per $((each * shards)) "$took") passages/s; $(per "$all" $((each * shards))) bytes a passage"

# Several stores as one, before they are merged.
stores=()
for i in $(seq 0 $((shards - 1))); do stores+=(--store "$scale/shard-$i"); done
few=$scale/few.ndjson
head -20 "$work/questions.ndjson" >"$few"
if [ "${BID_BENCH_APART:-1}" = 1 ]; then
  from=$(now)
  "$bin/bid-search" "${stores[@]}" <"$few" >"$scale/apart.out" 2>/dev/null || :
  echo "20 questions on $shards stores as one, cold: $(since "$from") s"
  from=$(now)
  "$bin/bid-search" "${stores[@]}" <"$few" >"$scale/apart.out" 2>/dev/null || :
  echo "the same, warm: $(since "$from") s"
fi

merged=$scale/merged
rm -f "$merged" "$merged-lock"
from=$(now)
for i in $(seq 0 $((shards - 1))); do
  "$bin/bid-store" merge "$merged" "$scale/shard-$i" >/dev/null
  rm -f "$scale/shard-$i" "$scale/shard-$i-lock"
done
took=$(since "$from")
echo "merged: $took s, $(per "$(bytes "$merged")" "$took") bytes/s; $(per "$(bytes "$merged")" $((each * shards))) bytes a passage"
BID_STORE=$merged "$bin/bid-store" stat | jq -c '{documents, passages, segments, bytes, bytesFree, models}'

peak() { /usr/bin/time -f '%M' -o "$scale/peak" "$@"; }
for what in cold warm; do
  from=$(now)
  peak "$bin/bid-search" --store "$merged" <"$few" >"$scale/merged.out" 2>/dev/null || :
  echo "20 questions on the merged store, $what: $(since "$from") s, $(($(tail -1 "$scale/peak") / 1024)) MB at most (mapped pages included)"
done
from=$(now)
"$bin/bid-search" --store "$merged" <"$work/questions.ndjson" >"$scale/merged.out" 2>/dev/null || :
echo "$(wc -l <"$work/questions.ndjson") questions: $(since "$from") s"
from=$(now)
BID_STORE=$merged "$bin/bid-search" "$(head -1 "$work/questions.ndjson" | jq -r .query)" >/dev/null || :
echo "one question, from the start of the process: $(since "$from") s"
echo "load after: $(load); memory: $(free -m | awk '/^Mem/ { print $2 }') MB"
