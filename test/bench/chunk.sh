#!/bin/sh
# bench/chunk.sh: documents to passages of at most 256 tokens, one core: BID and the usual alternatives, on
# the same text in one run.
#
# Text: the output of bid-strip for the recorded HTML filings of more than 300 KB ($BID_SHARED, default ../shared); bid-chunk
# gets it eight times, and once as one record of 60 MB.  Every program runs RUNS times (9; peers, which take seconds,
# PEER_RUNS times, 3).  Reports the medians of wall time and of CPU time (for machines with other load), and the largest
# process.  Peers come from PyPI (make venv-bench); those that aren't installed are reported and omitted.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
shared=${BID_SHARED-$root/../shared}
bin=${BID_BIN:-$root/bin}
runs=${RUNS:-9}
peer_runs=${PEER_RUNS:-3}
python=${BENCH_PYTHON:-.venv-bench/bin/python}
[ -x "$python" ] || python=python3
if ! [ -d "$shared/upstream" ]; then
  echo "bench: no recorded upstreams (../shared) here"
  exit 0
fi
out=.build/bench
mkdir -p $out
work=$(mktemp -d "${TMPDIR:-/tmp}/bid-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

find "$shared/upstream" -name '*.htm' -size +300k | LC_ALL=C sort | tr '\n' '\0' | xargs -0 "$bin/bid-strip" --raw 2>/dev/null |
  grep -v '^{"error"' >$out/documents.ndjson || :
for _ in 1 2 3 4 5 6 7 8; do cat $out/documents.ndjson; done >$out/many.ndjson
jq -j .text $out/documents.ndjson >$out/text.txt
# The model's vocabulary is the longest run of lines in its file that starts with [PAD].
python3 - data/models/bid-static.bidm >$out/vocab.txt <<'PY'
import sys
data = open(sys.argv[1], "rb").read()
at = data.index(b"[PAD]\n")
sys.stdout.buffer.write(b"\n".join(data[at:at + 400000].split(b"\n")[:30522]) + b"\n")
PY
python3 - $out/text.txt >"$work/large.ndjson" <<'PY'
import json, sys
text = open(sys.argv[1], "rb").read()
text = (text * (60_000_000 // len(text) + 1))[:58_000_000].decode("utf-8", "ignore")
print(json.dumps({"sourceUrl": "file:///large", "text": text}, ensure_ascii=False))
PY
printf '%s documents, %s bytes of text\n\n%-34s %10s %10s %10s %10s\n' "$(wc -l <$out/documents.ndjson)" "$(wc -c <$out/text.txt)" \
  program 'MB/s' 'MB/CPU s' 'M tokens/s' 'peak KB'

# row NAME: the medians of lines "bytes tokens seconds cpu-seconds peak-KB"
row() {
  sort -n -k 3 "$work/lines" | awk '{ print $3 }' >"$work/wall"
  sort -n -k 4 "$work/lines" | awk '{ print $4 }' >"$work/cpu"
  middle=$((($(wc -l <"$work/lines") + 1) / 2))
  wall=$(sed -n "${middle}p" "$work/wall")
  cpu=$(sed -n "${middle}p" "$work/cpu")
  awk -v name="$1" -v wall="$wall" -v cpu="$cpu" '
    $5 > peak { peak = $5 }
    END { printf "%-34s %10.1f %10.1f %10.2f %10d\n", name, $1 / 1e6 / wall, $1 / 1e6 / cpu, $2 / 1e6 / wall, peak }' "$work/lines"
}

# chunk FILE: one run of bid-chunk
chunk() {
  env time -o "$work/time" -f '%U %S %M' "$bin/bid-chunk" --stats "$1" 2>"$work/stats" >/dev/null
  jq -r '"\(.textBytes) \(.tokens) \(.seconds)"' "$work/stats" | tr '\n' ' '
  awk '{ print $1 + $2, $3 }' "$work/time"
}

gather() {
  : >"$work/lines"
  n=$1
  shift
  for _ in $(seq "$n"); do "$@" >>"$work/lines"; done
}

gather "$runs" chunk $out/many.ndjson
row bid-chunk
gather 3 chunk "$work/large.ndjson"
row 'bid-chunk, one record of 60 MB'
size=$(($(wc -c <"$work/large.ndjson") / 1024))
awk -v size="$size" '$5 > peak { peak = $5 }
  END { printf "  (the record is %d KB: %.1f MB above it)\n", size, (peak - size) / 1024 }' "$work/lines"
make -s .build/libcommon.a
cc -std=c11 -D_GNU_SOURCE -O2 -Icommon -o $out/wordpiece test/bench/wordpiece_bench.c .build/libcommon.a
for what in places ids; do
  gather "$runs" $out/wordpiece $out/vocab.txt $out/text.txt $what
  row "its tokenizer alone, $what"
done
for peer in tokenizers semchunk; do
  if "$python" -c "import $peer, tokenizers" 2>/dev/null; then
    TOKENIZERS_PARALLELISM=false gather "$peer_runs" "$python" test/bench/chunk_peers.py $peer $out/vocab.txt $out/documents.ndjson
    row "$peer $("$python" -c "import importlib.metadata as m; print(m.version('$peer'))")"
  else
    echo "$peer: not installed"
  fi
done
