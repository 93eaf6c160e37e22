#!/bin/sh
# The tokenizer and bid-chunk on the text of recorded 10-K and 10-Q filings, one core.  Beside them, where the PyPI packages
# are there (python3 -m venv .venv-bench; .venv-bench/bin/pip install tokenizers semchunk): tokenizers, semchunk.
set -eu
cd "$(dirname "$0")/../.."
shared=${BID_SHARED:-../shared}
[ -d "$shared/upstream" ] || {
  echo "left out: no recorded upstreams ($shared)"
  exit 0
}
out=.build/bench
mkdir -p $out
python=.venv-bench/bin/python
[ -x $python ] || python=.venv-models/bin/python
[ -x $python ] || python=python3
find "$shared/upstream" -name '*.htm' -size +300k | LC_ALL=C sort | tr '\n' '\0' | xargs -0 bin/bid-strip --raw 2>/dev/null |
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
cc -std=c11 -D_GNU_SOURCE -O2 -Icommon -o $out/wordpiece test/bench/wordpiece_bench.c common/wordpiece.c common/buf.c common/utf8.c common/diag.c common/clock.c
echo "wordpiece: $($out/wordpiece $out/vocab.txt $out/text.txt)"
TOKENIZERS_PARALLELISM=false $python - $out/vocab.txt $out/text.txt <<'PY' || echo "tokenizers: left out, not installed"
import sys, time
from tokenizers import BertWordPieceTokenizer
t = BertWordPieceTokenizer(sys.argv[1], lowercase=True)
lines = open(sys.argv[2], encoding="utf-8").read().split("\n\n")
start = time.time()
n = sum(len(e.ids) - 2 for e in t.encode_batch(lines))
took = time.time() - start
print(f"tokenizers (Rust, one thread): {n / took / 1e6:.2f} million tokens/s")
PY
for _ in 1 2 3; do
  bin/bid-chunk --stats $out/many.ndjson 2>&1 >/dev/null |
    jq -r '"bid-chunk: \(.textBytes / .seconds / 1e6 | floor) MB/s of text, \(.tokens / .seconds / 1e6 * 10 | floor / 10) million tokens/s"'
done
if command -v /usr/bin/time >/dev/null; then # CPU time too, for machines that have other work
  /usr/bin/time -f '%U %S %M' -o $out/time bin/bid-chunk $out/many.ndjson >/dev/null
  awk -v bytes=$((8 * $(wc -c <$out/text.txt))) \
    '{ printf "bid-chunk: %.0f MB of text a second of CPU time, %d KB at most in memory\n", bytes / ($1 + $2) / 1e6, $3 }' $out/time
fi
$python - $out/vocab.txt $out/documents.ndjson <<'PY' || echo "semchunk: left out, not installed"
import json, sys, time
import semchunk
from tokenizers import BertWordPieceTokenizer
t = BertWordPieceTokenizer(sys.argv[1], lowercase=True)
texts = [json.loads(line)["text"] for line in open(sys.argv[2])][:6]
chunker = semchunk.chunkerify(lambda s: len(t.encode(s, add_special_tokens=False).ids), 256)
start = time.time()
chunker(texts)
took = time.time() - start
print(f"semchunk: {sum(len(x.encode()) for x in texts) / took / 1e6:.2f} MB/s of text")
PY
