# bid-embed with the BERT encoders that make model-minilm and make model-bge-small have made.
load helper

model() { # NAME
  MODEL=$ROOT/data/models/$1.bidm
  [ -f "$MODEL" ] || skip "no data/models/$1.bidm (make model-minilm, make model-bge-small)"
}

# Three sentences, one of them again and again for more tokens than MiniLM reads, one empty text.
input() {
  printf '{"text":"%s"}\n' "Net sales rose by 6%." "We depend on a few suppliers." "" "The weather in Paris is mild."
  python3 -c 'print("{\"text\":\"%s\"}" % ("Net sales rose by 6%. " * 60))'
}

# near FILE OFF COSINE...: the cosines between four vectors, within OFF of what onnxruntime gives in float32 (by
# encode() of test/bench/bert_onnx.py).
near() {
  python3 - "$@" <<'PY'
import base64, json, struct, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
v = [struct.unpack("<384f", base64.b64decode(r["embedding"])) for r in rows if "embedding" in r]
got = [sum(x * y for x, y in zip(v[a], v[b])) for a, b in ((1, 0), (2, 0), (2, 1), (3, 0))]
close = all(abs(g - float(e)) < float(sys.argv[2]) for g, e in zip(got, sys.argv[3:]))
sys.exit(0 if close and len(sys.argv) == 7 else f"got {got}")
PY
}

# agrees NAME COSINE...
agrees() {
  local way
  model "$1"
  need python3
  shift
  input >in
  BID_BERT=float32 bid-embed --model "$MODEL" in >out 2>/dev/null || [ $? -eq 1 ]
  near out 0.0002 "$@"
  for way in int8 avx2; do
    BID_BERT=$way bid-embed --model "$MODEL" in >out 2>/dev/null || [ $? -ne 78 ] || continue
    near out 0.03 "$@"
  done
}

@test "vectors are those of the reference encoder: all-MiniLM-L6-v2" {
  agrees all-MiniLM-L6-v2 0.2050 -0.0579 0.0025 0.6741
}

@test "vectors are those of the reference encoder: bge-small-en-v1.5" {
  agrees bge-small-en-v1.5 0.5519 0.4851 0.5055 0.8835
}

@test "a question gets bge-small's prefix" {
  model bge-small-en-v1.5
  echo '{"text":"revenue growth"}' | bid-embed --query -m bge-small-en-v1.5 | jq -r .embedding >asked
  echo '{"text":"Represent this sentence for searching relevant passages: revenue growth"}' |
    bid-embed -m bge-small-en-v1.5 | jq -r .embedding >written
  cmp asked written
}

@test "the bytes do not depend on batch and threads" {
  model all-MiniLM-L6-v2
  input >in
  bid-embed --model "$MODEL" --threads 1 --batch 1 in >one 2>/dev/null || [ $? -eq 1 ]
  bid-embed --model "$MODEL" --threads 3 --batch 4 in >many 2>/dev/null || [ $? -eq 1 ]
  cmp one many
}

@test "a dimension that the model has not is refused with status 78" {
  model all-MiniLM-L6-v2
  run --separate-stderr bid-embed --model "$MODEL" --dimensions 128 <<<'{"text":"x"}'
  equal "$status" 78
  contains "$stderr" "cannot be cut"
}

@test "instructions that the machine has not are refused with status 78" {
  model all-MiniLM-L6-v2
  BID_BERT=abacus run --separate-stderr bid-embed --model "$MODEL" <<<'{"text":"x"}'
  equal "$status" 78
  contains "$stderr" "BID_BERT"
}
