# bid-embed with a BERT encoder: all-MiniLM-L6-v2, where make model-minilm has made it.
load helper

model() {
  MODEL=$ROOT/data/models/all-MiniLM-L6-v2.bidm
  [ -f "$MODEL" ] || skip "no data/models/all-MiniLM-L6-v2.bidm (make model-minilm)"
}

input() {
  printf '{"text":"%s"}\n' "Net sales rose by 6%." "We depend on a few suppliers." "" "The weather in Paris is mild."
}

# near FILE OFF: the cosines of its three vectors, within OFF of what onnxruntime gives in float32 for these sentences
# (test/bench/bert_onnx.py).
near() {
  python3 - "$@" <<'PY'
import base64, json, struct, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
v = [struct.unpack("<384f", base64.b64decode(r["embedding"])) for r in rows if "embedding" in r]
got = [sum(x * y for x, y in zip(v[a], v[b])) for a, b in ((1, 0), (2, 0), (2, 1))]
expected = [0.2050, -0.0579, 0.0025]
sys.exit(0 if all(abs(g - e) < float(sys.argv[2]) for g, e in zip(got, expected)) else f"got {got}")
PY
}

@test "vectors are those of the reference encoder" {
  model
  need python3
  input >in
  BID_BERT=float32 bid-embed --model "$MODEL" in >exact 2>/dev/null || [ $? -eq 1 ]
  near exact 0.0002
  bid-embed --model "$MODEL" in >fast 2>/dev/null || [ $? -eq 1 ]
  near fast 0.03
}

@test "the bytes do not depend on batch and threads" {
  model
  input >in
  bid-embed --model "$MODEL" --threads 1 --batch 1 in >one 2>/dev/null || [ $? -eq 1 ]
  bid-embed --model "$MODEL" --threads 3 --batch 4 in >many 2>/dev/null || [ $? -eq 1 ]
  cmp one many
}

@test "a dimension that the model has not is refused with status 78" {
  model
  run --separate-stderr bid-embed --model "$MODEL" --dimensions 128 <<<'{"text":"x"}'
  equal "$status" 78
  contains "$stderr" "cannot be cut"
}

@test "instructions that the machine has not are refused with status 78" {
  model
  BID_BERT=abacus run --separate-stderr bid-embed --model "$MODEL" <<<'{"text":"x"}'
  equal "$status" 78
  contains "$stderr" "BID_BERT"
}
