#!/bin/sh
# Speed of bid-embed, NDJSON in and out, on one thread and on all; its start-up time; and model2vec on the same text with
# the same rows: Python (make venv-bench) and Rust (cargo, in .build/model2vec_rs).
# Then retrieval quality, if ../shared/bench and the Python packages are present.
set -eu
cd "$(dirname "$0")/../.."
bin=${BID_BIN:-bin}
python=.venv-bench/bin/python
[ -x $python ] || python=.venv-models/bin/python
out=.build/bench/embed
mkdir -p "$out"
export BID_DATA="$PWD/data"

# Passages of 100 to 300 words from this project's documentation and its sample filings.
python3 - "$out" <<'PY'
import glob, json, random, re, sys
random.seed(1)
text = " ".join(open(f, encoding="utf-8", errors="replace").read() for f in sorted(
    glob.glob("man/*") + glob.glob("data/sample/*.txt") + glob.glob("../shared/upstream/filings/medicis/*")))
words = re.sub(r"<[^>]*>|&[a-z#0-9]+;", " ", text).split()
with open(sys.argv[1] + "/in.ndjson", "w") as records, open(sys.argv[1] + "/lines.txt", "w") as lines:
    for i in range(30000):
        n = random.randint(100, 300)
        at = random.randint(0, len(words) - n)
        passage = " ".join(words[at:at + n])
        records.write(json.dumps({"id": "%032x" % i, "text": passage}, ensure_ascii=False) + "\n")
        lines.write(passage + "\n")
PY
tokens=$("$([ -x $python ] && echo $python || echo python3)" - "$out" <<'PY'
import sys
try:
    from tokenizers import BertWordPieceTokenizer
except ImportError:
    print(0)
    sys.exit()
data = open("data/models/bid-static.bidm", "rb").read()
import struct
n = struct.unpack_from("<I", data, 44)[0]
for i in range(n):
    name, at, size = struct.unpack_from("<24sQQ", data, 128 + 40 * i)
    if name.rstrip(b"\0") == b"vocab":
        vocab = data[at:at + size].decode().split("\n")[:-1]
t = BertWordPieceTokenizer({w: i for i, w in enumerate(vocab)}, lowercase=True)
lines = open(sys.argv[1] + "/lines.txt").read().split("\n")[:-1]
print(sum(len(e.ids) - 2 for e in t.encode_batch(lines)))
PY
)
echo "text: $(wc -c <"$out/lines.txt") bytes, $tokens tokens (0: tokenizers is not installed)"

cat >"$out/run.py" <<'PY'
import resource, subprocess, sys, time
tokens, threads, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
for _ in range(3):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print("%s, %s thread(s): %.2f s, %.2f of CPU: %.2f million tokens/s, %.2f a CPU second" % (
        command[0].split("/")[-1], threads, wall, cpu, tokens / wall / 1e6, tokens / cpu / 1e6))
PY
for threads in 1 2; do
  python3 "$out/run.py" "$tokens" $threads "$bin/bid-embed" --threads $threads "$out/in.ndjson"
done
python3 - "$bin/bid-embed" <<'PY'
import subprocess, sys, time
def times(command, text):
    out = []
    for _ in range(50):
        start = time.perf_counter()
        subprocess.run(command, input=text, stdout=subprocess.DEVNULL, check=True)
        out.append((time.perf_counter() - start) * 1e3)
    return sorted(out)
print("cold start to the first vector: median %.1f ms, best %.1f ms (/bin/true: %.1f ms)" % (
    (t := times([sys.argv[1]], b'{"text":"net sales"}\n'))[25], t[0], times(["/bin/true"], b"")[25]))
PY

if [ -x $python ] && $python -c 'import model2vec' 2>/dev/null; then
  $python test/bench/model2vec_bench.py "$out"
  if [ -x .build/model2vec_rs/release/model2vec-bench ]; then
    for n in 1 2; do
      RAYON_NUM_THREADS=$n python3 "$out/run.py" "$tokens" $n .build/model2vec_rs/release/model2vec-bench "$out/model2vec" "$out/lines.txt"
    done
  else
    echo "model2vec Rust: left out, not built (cd test/bench/model2vec_rs && CARGO_TARGET_DIR=../../../.build/model2vec_rs cargo build --release)"
  fi
else
  echo "model2vec: left out, not installed (make venv-bench)"
fi
if [ -z "${BID_BENCH_SPEED-}" ] && [ -x $python ] && [ -d "${BID_SHARED:-../shared}/bench" ]; then
  $python test/bench/embed_quality.py bm25 "$bin/bid-embed" --hybrid 0.5
else
  echo "quality: left out, no ../shared/bench, or no Python with its packages (make venv-bench)"
fi
