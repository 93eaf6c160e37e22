#!/bin/bash
# Simulates a team on one machine: serve.sh [CLIENTS [QUESTIONS]], by default 64 concurrent clients and 10,000 questions, one
# bid-search per connection as bid-search.socket starts them; first alone, then while bid-index adds documents to the store.
# Uses the store of store.sh, 100,000 passages.
set -eu
cd "$(dirname "$0")/../.."
clients=${1:-64} questions=${2:-10000}
bin=$(realpath "${BID_BIN:-bin}")
work=${BID_BENCH_DIR:-.build/bench/store}
test/bench/store.sh prepare
[ -s "$work/embedded-100000.ndjson" ] || exit 0
work=$(realpath "$work")
export BID_STORE=$work/serve-store
rm -f "$BID_STORE" "$BID_STORE-lock"
"$bin/bid-index" -q "$work/embedded-100000.ndjson" >/dev/null
serve() { python3 test/bench/serve.py "$work/questions.ndjson" "$clients" "$questions" "$bin/bid-search" --json --quiet --threads=1; }
echo "load before: $(cut -d' ' -f1-3 /proc/loadavg); $(nproc) cores"
serve
before=$("$bin/bid-store" stat | jq -r .documents)
flag=$work/serve-writing
touch "$flag"
export flag
# The writer: about 100 documents per second until all questions are answered.
# shellcheck disable=SC2016
{ split -l 1000 --filter='cat; sleep 1; [ -e "$flag" ]' "$work/others.ndjson" 2>/dev/null || :; } |
  "$bin/bid-index" -q --batch 1000 >/dev/null &
writer=$!
serve || faults=$?
rm "$flag"
wait "$writer"
echo "documents: $before before, $("$bin/bid-store" stat | jq -r .documents) after"
echo "load after: $(cut -d' ' -f1-3 /proc/loadavg)"
rm -f "$BID_STORE" "$BID_STORE-lock"
exit "${faults:-0}"
