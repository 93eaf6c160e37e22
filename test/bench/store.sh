#!/bin/sh
# The store at 100,000 and, with BID_BENCH_LARGE=1, 1,000,000 passages of 1.5 KB made out of real filings: indexing, size,
# vector scans with their recall, opening, searching.  Peers from PyPI, in the same run, with BID_BENCH_PEERS=1.
set -eu
cd "$(dirname "$0")/../.."
bin=${BID_BIN:-bin}
work=${BID_BENCH_DIR:-.build/bench/store}
shared=${BID_SHARED:-../shared}
if [ ! -d "$shared/upstream/filings" ]; then
  echo "left out: no recorded filings (../shared) here"
  exit 0
fi
mkdir -p "$work"
common='common/base64.c common/buf.c common/clock.c common/diag.c common/json.c common/json_scan.c common/output.c common/record.c common/utf8.c'
store='common/paths.c common/error.c common/terms.c common/postings.c common/vector.c common/vector_kernels.c common/vector_sketch.c common/store.c common/store_analyze.c common/store_care.c common/store_segment.c common/store_sketch.c common/store_write.c'
# shellcheck disable=SC2086 # lists of words
{
  cc -std=c11 -D_GNU_SOURCE -O2 -Icommon -o "$work/passages" test/bench/passages.c $common
  cc -std=c11 -D_GNU_SOURCE -DBID_PREFIX='"/usr/local"' -O2 -Icommon -pthread -o "$work/vector_bench" \
    test/bench/vector_bench.c $store $common -llmdb -lzstd -lstemmer -lxxhash -lm
}
if [ ! -s "$work/seeds.ndjson" ]; then
  for f in "$shared"/upstream/filings/*/*.htm; do
    jq -Rsc --arg url "https://example.org/$f" --arg name "$(basename "$(dirname "$f")")" \
      '{source: "file", sourceUrl: $url, capturedAt: "2026-01-01T00:00:00Z", contentType: "text/html",
        metadata: {company: $name}, rawContent: .}' "$f"
  done | "$bin/bid-strip" --quiet | "$bin/bid-chunk" >"$work/seeds.ndjson"
fi
# Questions of analysts, embedded as questions.
if [ -s "$shared/bench/tatqa-dev/queries.ndjson" ] && [ ! -s "$work/queries.ndjson" ]; then
  jq -c '{id, text: .question}' "$shared/bench/tatqa-dev/queries.ndjson" | head -400 |
    "$bin/bid-embed" --query >"$work/queries.ndjson"
fi

measure() {
  echo "-- $1 passages"
  input=$work/embedded-$1.ndjson
  [ -s "$input" ] || "$work/passages" "$work/seeds.ndjson" "$1" | "$bin/bid-embed" >"$input"
  export BID_STORE="$work/store-$1"
  rm -f "$BID_STORE" "$BID_STORE-lock"
  echo "indexed (seconds):"
  "$bin/bid-index" --stats "$input" 2>&1 >/dev/null | jq -c '{seconds, passages, rate: (.passages / .seconds)}'
  (time "$bin/bid-index" "$input" >/dev/null) 2>&1 | grep -E 'real|user' | tr '\n' ' '
  echo "(again, all unchanged)"
  "$bin/bid-store" stat | jq -c .
  "$work/vector_bench" "$BID_STORE" "$work/queries.ndjson"
  echo "opened, one passage printed:"
  for _ in 1 2 3; do (time "$bin/bid-store" show 0000000000000000ffffffffffffffff >/dev/null 2>&1 || true) 2>&1 | grep real; done
  echo "a question, process start to answer:"
  for _ in 1 2 3; do (time "$bin/bid-search" "capital expenditures" >/dev/null 2>&1 || true) 2>&1 | grep real; done
  echo "searches beside a writer:"
  python3 test/bench/store_readers.py "$bin" "$BID_STORE" "$input"
  if [ "${BID_BENCH_PEERS:-0}" = 1 ]; then
    [ -d .venv-peers ] || python3 -m venv .venv-peers
    .venv-peers/bin/pip install -q numpy usearch hnswlib sqlite-vec lancedb || true
    .venv-peers/bin/python test/bench/store_peers.py "$input" "$work/queries.ndjson"
  fi
}

uptime
measure 100000
if [ "${BID_BENCH_LARGE:-0}" = 1 ]; then measure 1000000; fi
