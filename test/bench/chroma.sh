#!/bin/sh
# Quality and latency of the same passages and questions in a store and on a Chroma server of PyPI's chromadb, started here
# on loopback: indexing, copying, answers.
#
# usage: chroma.sh [PART]      a part of test/quality/analysts (default: learn; needs ../shared/upstream and make extras)
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
bin=${BID_BIN:-$top/bin}
part=${1:-learn}
chroma=$top/.venv-extras/bin/chroma
[ -x "$chroma" ] || { echo "chroma.sh: chromadb is not installed (make extras)" >&2; exit 77; }
work=$(mktemp -d)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$chroma" run --path "$work/chroma" --host 127.0.0.1 --port "$port" >/dev/null 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null || true; rm -rf "$work"' EXIT
from=chroma+http://127.0.0.1:$port
i=0
until curl -s "http://127.0.0.1:$port/api/v2/heartbeat" >/dev/null; do i=$((i + 1)); [ $i -lt 600 ]; sleep .1; done

measure() { "$top/test/bench/quality" --bin "$bin" --part "$part" --work "$work" "$@" "$top/test/quality/analysts" 2>/dev/null; }
seconds() { python3 - "$@" <<'PYTHON'
import subprocess, sys, time
start = time.monotonic()
subprocess.run(sys.argv[2:], check=False, stdin=open(sys.argv[1]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print("%.3f" % (time.monotonic() - start))
PYTHON
}

measure >/dev/null
store=$work/analysts.store
export BID_STORE="$store"
passages=$("$bin/bid-store" stat | jq .passages)
"$bin/bid-store" dump >"$work/dump.ndjson"
echo "$("$chroma" --version 2>/dev/null || echo chromadb), $passages passages, load$(uptime | sed 's/.*load average//')"
into=$(BID_STORE="$work/again" seconds "$work/dump.ndjson" "$bin/bid-store" load)
there=$(seconds /dev/null "$bin/bid-store" copy "$store" "$from")
back=$(seconds /dev/null "$bin/bid-store" copy "$from" "$work/back")
BID_STORE="$work/back" "$bin/bid-store" dump | cmp -s - "$work/dump.ndjson" && same=identical || same=DIFFERENT
echo "dump loaded into a store: $into s; copied to Chroma: $there s; back: $back s, dump $same"

jq -c '{query}' "$work/analysts.questions.ndjson" | head -100 >"$work/questions"
head -1 "$work/questions" >"$work/question"
one() { for _ in 1 2 3 4 5; do seconds "$work/question" "$@"; done | sort -n | sed -n 3p; }
all() { seconds "$work/questions" "$@" | awk '{printf "%.1f", $1 * 10}'; }
echo "first answer of a process, median of 5: store $(one "$bin/bid-search" --threads 1) s, Chroma $(one "$bin/bid-search" --from "$from") s"
echo "100 questions in a batch, one thread, ms each: store $(all "$bin/bid-search" --threads 1), Chroma and local words $(all "$bin/bid-search" --from "$from"), Chroma alone $(all "$bin/bid-search" --from "$from" --store /nonexistent)"
measure --search '' --search "--from $from" --search "--from $from --store /nonexistent" --search '--mode vector' --search "--mode vector --from $from --store /nonexistent" |
  sed "s,$from,CHROMA,"
