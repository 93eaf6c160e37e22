#!/bin/bash
# The store at 100,000 and, with BID_BENCH_LARGE=1, 1,000,000 passages of 1.5 KB generated from real filings (see passages.c),
# and 10,000,000 vectors in a mapped file: indexing, size, vector scans with their recall against float32, questions cold, warm,
# in a batch, under a filter and concurrently with a writer.  With BID_BENCH_PEERS=1, peers from PyPI (make venv-bench) in the same run.
# Prints a table of the results at the end.  "store.sh prepare" only makes the inputs, which are kept in BID_BENCH_DIR.
set -eu
cd "$(dirname "$0")/../.."
bin=$(realpath "${BID_BIN:-bin}")
work=${BID_BENCH_DIR:-.build/bench/store}
shared=${BID_SHARED:-../shared}
if [ ! -d "$shared/upstream/filings" ]; then
  echo "left out: no recorded filings (../shared) here"
  exit 0
fi
mkdir -p "$work"
work=$(realpath "$work")
objects=${BID_BUILD:-.build}
make -s B="$objects" "$objects/libcommon.a"
for name in passages asks vector_bench; do
  cc -std=c11 -D_GNU_SOURCE -O2 -Icommon -I.build -pthread -o "$work/$name" "test/bench/$name.c" "$objects/libcommon.a" \
    -Wl,--as-needed -llmdb -lzstd -lstemmer -lxxhash -lm
done
sizes=100000
[ "${BID_BENCH_LARGE:-0}" = 1 ] && sizes='100000 1000000'

# ---- inputs ----

# Inputs that were embedded with another model are made again.
model=$(echo '{"id":"x","text":"a"}' | "$bin/bid-embed" | jq -r .model)
if [ "$(cat "$work/model" 2>/dev/null)" != "$model" ]; then
  rm -f "$work"/*.ndjson "$work"/store-*
  echo "$model" >"$work/model"
fi
if [ ! -s "$work/seeds.ndjson" ]; then
  {
    for f in "$shared"/upstream/filings/*/*.htm; do
      jq -Rsc --arg url "https://example.org/$f" --arg name "$(basename "$(dirname "$f")")" \
        '{source: "file", sourceUrl: $url, capturedAt: "2026-01-01T00:00:00Z", contentType: "text/html",
          metadata: {company: $name}, rawContent: .}' "$f"
    done
    [ ! -s "$shared/bench/tatqa-dev/corpus.ndjson" ] ||
      jq -c '{source: "file", sourceUrl: ("https://example.org/" + .id), capturedAt: "2026-01-01T00:00:00Z",
        contentType: "text/plain", metadata: {company: "Report"}, rawContent: (.pages | join("\n\n"))}' \
        "$shared/bench/tatqa-dev/corpus.ndjson"
  } | "$bin/bid-strip" --quiet | "$bin/bid-chunk" >"$work/seeds.ndjson"
fi
# Questions of analysts, and the same embedded.
questions=$shared/bench/tatqa-dev/queries.ndjson
[ -s "$questions" ] || questions=data/sample/questions.ndjson
[ -s "$work/questions.ndjson" ] || jq -c '{query: .question}' "$questions" >"$work/questions.ndjson"
[ -s "$work/queries.ndjson" ] ||
  jq -c '{id: (.id // "q"), text: .question}' "$questions" | head -400 | "$bin/bid-embed" --query >"$work/queries.ndjson"
make_input() { # FILE COUNT PER-DOCUMENT
  [ -s "$1" ] || { "$work/passages" "$work/seeds.ndjson" "$2" "$3" | "$bin/bid-embed" >"$1.part" && mv "$1.part" "$1"; }
}
for n in $sizes; do make_input "$work/embedded-$n.ndjson" "$n" 200; done
# 10,000 documents with different URLs, for the writer; three passages for the filter.
[ -s "$work/others.ndjson" ] || {
  make_input "$work/others.tmp" 100000 10
  sed 's,/Archives/edgar/,/Archives/others/,' "$work/others.tmp" >"$work/others.ndjson"
  rm "$work/others.tmp"
}
[ -s "$work/three.ndjson" ] || {
  make_input "$work/three.tmp" 3 3
  sed 's,/Archives/edgar/,/Archives/three/,' "$work/three.tmp" >"$work/three.ndjson"
  rm "$work/three.tmp"
}
[ "${1-}" = prepare ] && exit 0

# ---- measuring ----

figures=$work/figures.tsv
: >"$figures"
figure() { # SIZE WHAT GOAL MEASURED: a line of the table at the end
  printf '%s\t%s\t%s\t%s\n' "$@" >>"$figures"
}
goal() { # AT-100,000 AT-1,000,000: the one of $n
  if [ "$n" = 100000 ]; then echo "$1"; else echo "$2"; fi
}
of() { jq -r "$1"; }

measure_index() {
  local out
  rm -f "$BID_STORE" "$BID_STORE-lock"
  sync
  out=$("$bin/bid-index" --stats "$input" 2>&1 >/dev/null | grep '^{')
  echo "$out" | jq -c '{indexed: .passages, seconds, rate: (.passages / .seconds)}'
  figure "$n" "indexing, durable, passages a second" "$(goal '>= 20,000' '>= half of the above')" "$(echo "$out" | of '.passages / .seconds | round')"
  out=$("$bin/bid-store" stat)
  echo "$out"
  figure "$n" "bytes a passage, everything" "<= 1,300" "$(echo "$out" | of '.bytesPerPassage | round')"
  "$bin/bid-index" -c three "$work/three.ndjson" >/dev/null
}

measure_vectors() {
  "$work/vector_bench" "$BID_STORE" "$work/queries.ndjson" "$input" | tee "$work/vectors.ndjson"
  "$work/vector_bench" random "$n" | tee "$work/random.ndjson"
  of 'select(.scan == "sketch" and .recall >= 0.99) | "\(.median) ms (least \(.least)) at \(.recall), \(.candidates) candidates"' \
    <"$work/vectors.ndjson" | head -1 >"$work/line"
  figure "$n" "vector part, real passages" "$(goal '<= 0.4 ms' '<= 5 ms') at .99" "$(cat "$work/line")"
  figure "$n" "the same, exact" "" "$(of 'select(.scan == "exact" and .kernels != "avx2") | "\(.median) ms (least \(.least)) at \(.recall)"' <"$work/vectors.ndjson")"
  figure "$n" "vector part, any vectors" "$(goal '<= 2 ms' '<= 18 ms') at 1.0" "$(of 'select(.scan == "exact") | "\(.median) ms (least \(.least)) at \(.recall)"' <"$work/random.ndjson")"
}

# asks prints milliseconds.
times() { of '"\(.median) ms (least \(.least), p99 \(.p99)), \(.failed) of \(.count) failed"'; }
ask() { # WHAT GOAL ARGUMENT...: of asks
  local what=$1 goal=$2 out
  shift 2
  out=$("$work/asks" "$@" || true)
  echo "$what: $out"
  figure "$n" "$what" "$goal" "$(echo "$out" | times)"
}

measure_questions() {
  local from to count
  head -200 "$work/questions.ndjson" >"$work/some.ndjson"
  jq -c '. + {collection: "three", n: 3}' "$work/some.ndjson" >"$work/filtered.ndjson"
  ask "hybrid, whole answer, warm" "$(goal '<= 2 ms' '')" warm "$work/some.ndjson" "$bin/bid-search"
  ask "cold, process start to answer" "$(goal '<= 10 ms' '<= 20 ms')" cold 50 "$bin/bid-search" "What were capital expenditures?"
  ask "3 passages of all, by a filter, warm" "$(goal '' '< 5 ms')" warm "$work/filtered.ndjson" "$bin/bid-search" --no-threshold --no-fold
  ask "the same, cold" "" cold 50 "$bin/bid-search" --no-threshold --no-fold -c three "What were capital expenditures?"
  echo "passages found under the filter: $("$bin/bid-search" --no-threshold --no-fold -n 10 -c three 'What were capital expenditures?' | wc -l)"
  count=$(wc -l <"$work/questions.ndjson")
  "$bin/bid-search" <"$work/questions.ndjson" >/dev/null || true
  from=$(date +%s%N)
  "$bin/bid-search" <"$work/questions.ndjson" >/dev/null || true
  to=$(date +%s%N)
  echo "batch: $count questions in $(((to - from) / 1000000)) ms"
  figure "$n" "batch on stdin, questions a second" "$(goal '>= 2,000' '')" "$((count * 1000000000 / (to - from)))"
}

measure_readers() {
  local out
  out=$(python3 test/bench/store_readers.py "$bin" "$BID_STORE" "$work/others.ndjson")
  echo "$out"
  figure "$n" "beside a writer of 10,000 documents, p99" "<= 2 x idle" \
    "$(echo "$out" | jq -rs '"\(.[1].p99) ms, idle \(.[0].p99); \(.[1].failed) of \(.[1].count) failed; \(.[1].halves) saw half a document"')"
}

measure_peers() {
  .venv-bench/bin/python test/bench/store_peers.py "$input" "$work/queries.ndjson" | tee "$work/peers.ndjson"
  while read -r line; do
    figure "$n" "peer $(echo "$line" | of .peer), vectors" "" "$(echo "$line" | of '"\(.median) ms at \(.recall), built \(.built_per_second // "-") a second"')"
  done < <(grep '^{' "$work/peers.ndjson")
}

uptime
for n in $sizes; do
  echo "-- $n passages"
  input=$work/embedded-$n.ndjson
  export BID_STORE="$work/store-$n"
  measure_index
  measure_vectors
  measure_questions
  [ "$n" != 100000 ] || measure_readers
  [ "${BID_BENCH_PEERS:-0}" != 1 ] || measure_peers
done
if [ "${BID_BENCH_LARGE:-0}" = 1 ]; then
  n=10000000
  echo "-- $n vectors in a mapped file"
  "$work/vector_bench" mapped "$n" "$work/mapped" | tee "$work/vectors.ndjson"
  figure "$n" "vector part, mapped file, all cores" "<= 40 ms" "$(of 'select(.scan == "sketch") | "\(.median) ms (least \(.least)) at \(.recall)"' <"$work/vectors.ndjson" | tail -1)"
  figure "$n" "opening the file, first search" "no load time" "$(of 'select(.scan == "first") | "\(.opened) ms, \(.median) ms"' <"$work/vectors.ndjson")"
fi
uptime
echo
column -t -s "$(printf '\t')" "$figures" 2>/dev/null || cat "$figures"
