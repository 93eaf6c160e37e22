#!/usr/bin/env bats
# bid-embed with model files.

load helper

MODEL=data/models/bid-static.bidm

floats() { # the vector of each record, decoded
  python3 -c '
import base64, json, struct, sys
for line in sys.stdin:
    v = base64.b64decode(json.loads(line)["embedding"])
    print(*struct.unpack("<%df" % (len(v) // 4), v))'
}

cosine() { # of the first two records
  floats | python3 -c '
a, b = ([float(x) for x in line.split()] for line in __import__("sys").stdin)
print("%.4f" % sum(x * y for x, y in zip(a, b)))'
}

less() { python3 -c 'import sys; sys.exit(not float(sys.argv[1]) < float(sys.argv[2]))' "$1" "$2"; }

@test "a record gets its vector and its model, and keeps every other byte" {
  local line='{ "id" : "a\u0031", "text":"Net sales grew.", "n": 1.50, "embedding":"old", "z":[1, 2] }'
  run --separate-stderr bid-embed <<<"$line"
  equal "$status" 0
  equal "$stderr" ""
  contains "$output" '"id" : "a\u0031", "text":"Net sales grew.", "n": 1.50'
  contains "$output" '"z":[1, 2]'
  [[ $output =~ \"embedding\":\"[A-Za-z0-9+/]+=*\",\"model\":\"bid-static@[0-9a-f]{12}\"\}$ ]]
  [ "$(grep -o '"embedding"' <<<"$output" | wc -l)" -eq 1 ]
}

@test "vectors have length 1 and as many dimensions as asked for" {
  local n
  for n in 64 128 192 256; do
    run --separate-stderr bash -c "echo '{\"text\":\"net sales\"}' | bid-embed -d $n"
    equal "$status" 0
    floats <<<"$output" | python3 -c "
v = [float(x) for x in input().split()]
assert len(v) == $n, len(v)
assert abs(sum(x * x for x in v) - 1) < 1e-5"
  done
}

@test "near meanings are near, far ones far" {
  local near far
  near=$(printf '{"text":"%s"}\n' "the company's revenue increased" "net sales grew" | bid-embed | cosine)
  far=$(printf '{"text":"%s"}\n' "the company's revenue increased" "the board elected two directors" | bid-embed | cosine)
  less "$far" "$near"
}

@test "threads, batches and runs change no byte" {
  python3 -c '
import json, random
r = random.Random(5)
words = open("'"$ROOT"'/common/base/buf.h").read().split()
for i in range(700):
    print(json.dumps({"id": i, "text": " ".join(r.choices(words, k=r.choice((1, 5, 50, 3000))))}))' >in
  bid-embed --threads 1 --batch 1 <in >one
  bid-embed --threads 4 --batch 300 <in >two
  bid-embed <in >three
  [ "$(wc -l <one)" -eq 700 ]
  cmp one two
  cmp one three
}

@test "the context line counts, but not for questions or with --no-context" {
  local with='{"text":"It grew.","context":"Apple Inc. 10-K Net sales"}' without='{"text":"It grew."}'
  vector() { bid-embed "$@" | floats; }
  [ "$(vector <<<"$with")" != "$(vector <<<"$without")" ]
  equal "$(vector --no-context <<<"$with")" "$(vector <<<"$without")"
  equal "$(vector --query <<<"$with")" "$(vector --query <<<"$without")"
}

@test "--query takes \"query\" where there is no text" {
  run --separate-stderr bid-embed --query <<<'{"query":"net sales"}'
  equal "$status" 0
  equal "$(floats <<<"$output")" "$(bid-embed --query <<<'{"text":"net sales"}' | floats)"
}

@test "empty and wordless texts become error records, in their place, and the rest goes on" {
  run --separate-stderr bid-embed <<'EOF'
{"text":"first"}
{"text":"","sourceUrl":"https://example.com/x","source":"s"}
{"text":"\u0007 \u200b"}
{"text":7}
{"id":1}
{"text":"last"}
EOF
  equal "$status" 1
  [ "${#lines[@]}" -eq 6 ]
  contains "${lines[0]}" '"text":"first"'
  contains "${lines[1]}" '"category":"no-content"'
  contains "${lines[1]}" '"stage":"embed"'
  contains "${lines[1]}" '"sourceUrl":"https://example.com/x"'
  contains "${lines[2]}" '"category":"no-content"'
  contains "${lines[3]}" '"category":"invalid-request"'
  contains "${lines[4]}" '"category":"invalid-request"'
  contains "${lines[5]}" '"text":"last"'
  contains "$stderr" 'bid-embed: stdin:2: the text is empty'
}

@test "bad lines and error records keep their place in a batch" {
  run --separate-stderr bid-embed --batch 100 <<'EOF'
{"text":"one"}
{"error":{"category":"unavailable","message":"m","stage":"fetch"}}
{"text":"two"
{"text":"three"}
EOF
  equal "$status" 1
  contains "${lines[0]}" '"one"'
  contains "${lines[1]}" '{"error":{"category":"unavailable","message":"m","stage":"fetch"}}'
  contains "${lines[2]}" '"category":"invalid-request"'
  contains "${lines[3]}" '"three"'
}

@test "a batch does not hold records back while the input pauses" {
  mkfifo pipe
  bid-embed --batch 4096 <pipe >out &
  exec 9>pipe
  echo '{"text":"now"}' >&9
  local i
  for i in $(seq 100); do [ -s out ] && break; sleep .05; done
  [ -s out ]
  exec 9>&-
  wait
}

@test "memory stays flat over many records" {
  python3 -c 'print("{\"text\":\"" + "net sales of products and services " * 20 + "\"}")' >line
  peak() { # kilobytes over N records
    yes "$(cat line)" 2>/dev/null | head -"$1" | python3 -c '
import resource, subprocess, sys
subprocess.run(["bid-embed"], stdin=sys.stdin, stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)'
  }
  local few many
  ASAN_OPTIONS=$ASAN_OPTIONS:quarantine_size_mb=1 # freed memory that ASan keeps is not the program's
  few=$(peak 2000)
  many=$(peak 30000)
  echo "$few $many"
  [ "$many" -lt $((few * 5 / 4 + 8192)) ]
}

@test "one text of many megabytes is taken" {
  python3 -c 'print("{\"text\":\"" + "liquidity and capital resources " * 300000 + "\"}")' >big
  run --separate-stderr bash -c 'bid-embed big | tail -c 200'
  equal "$status" 0
  contains "$output" '"model":"bid-static@'
}

@test "model files that can't be used: status 78, and what to do" {
  cp "$ROOT/$MODEL" good.bidm
  head -c 100000 good.bidm >cut.bidm
  printf 'x' | cat good.bidm - >longer.bidm
  cp good.bidm damaged.bidm
  printf '\x55' | dd of=damaged.bidm bs=1 seek=4000000 conv=notrunc status=none
  cp good.bidm order.bidm
  printf '\x01\x02\x03\x04' | dd of=order.bidm bs=1 seek=8 conv=notrunc status=none
  cp good.bidm version.bidm
  printf '\x63' | dd of=version.bidm bs=1 seek=12 conv=notrunc status=none
  echo hello >text.bidm
  : >empty.bidm
  mkdir folder.bidm
  local f says
  while IFS='|' read -r f says; do
    run --separate-stderr bid-embed -m "$f" <<<'{"text":"x"}'
    [ "$status" -eq 78 ] || { echo "$f: $status $stderr"; false; }
    equal "$output" ""
    contains "$stderr" "bid-embed: "
    contains "$stderr" "$says"
  done <<'EOF'
cut.bidm|cut off; copy it again
longer.bidm|something was added; copy it again
damaged.bidm|damaged
order.bidm|other byte order
version.bidm|version 99, and this program reads version 1
text.bidm|not a model file
empty.bidm|not a model file
folder.bidm|a folder
absent.bidm|No such file
no-such-name|name a model file with --model or BID_MODEL
EOF
  run --separate-stderr bid-embed -d 100 <<<'{"text":"x"}'
  equal "$status" 78
  contains "$stderr" "256 dimensions and can be cut to a smaller multiple of 64, not to 100"
  run --separate-stderr bid-embed -d 512 <<<'{"text":"x"}'
  equal "$status" 78
}

@test "BID_MODEL and BID_MODELS name the model; the flag wins" {
  mkdir models
  cp "$ROOT/$MODEL" models/mine.bidm
  BID_MODELS=$PWD/models BID_MODEL=mine run --separate-stderr bid-embed <<<'{"text":"x"}'
  equal "$status" 0
  BID_MODEL=no-such run --separate-stderr bid-embed <<<'{"text":"x"}'
  equal "$status" 78
  BID_MODEL=no-such run --separate-stderr bid-embed -m bid-static <<<'{"text":"x"}'
  equal "$status" 0
}

@test "--stats counts" {
  run --separate-stderr bid-embed --stats <<<'{"text":"x"}'
  equal "$status" 0
  contains "$stderr" '"truncated":0'
  contains "$stderr" '"records":1'
}

@test "--resume writes each record once, whatever happened before" {
  python3 -c '
for i in range(200): print("{\"id\":\"%d\",\"text\":\"passage number %d\"}" % (i, i % 150))' >in
  bid-embed <in >want
  head -c 60000 want >got # ends within a line
  run --separate-stderr bid-embed --resume got --stats in
  equal "$status" 0
  equal "$output" ""
  cmp want got
  contains "$stderr" '"skipped":'
  run --separate-stderr bid-embed --resume got in
  equal "$status" 0
  cmp want got
}

@test "--resume counts equal records" {
  printf '{"text":"twice"}\n{"text":"twice"}\n' >in
  bid-embed <in | head -1 >got
  bid-embed --resume got in
  [ "$(wc -l <got)" -eq 2 ]
}

@test "--resume repeats no error record: passed on, of a record, of a line that is no JSON" {
  printf '%s\n' '{"text":"one"}' '{"error":{"category":"internal","message":"m","stage":"chunk"}}' '{"text":""}' \
    'no json' '{"text":""}' '{"text":"two"}' '{"error":{"category":"internal","message":"m","stage":"chunk"}}' >in
  bid-embed <in >want 2>/dev/null || true
  equal "$(grep -c '"error"' want)" 5
  local lines
  for lines in 0 1 2 3 4 5 6 7; do
    head -n "$lines" want >got
    run --separate-stderr bid-embed --resume got in
    equal "$status" 1
    cmp want got
  done
}

@test "--resume refuses a file of another model, and what is no file" {
  printf '{"text":"x"}\n' >in
  printf '{"text":"x","embedding":"AAAA","model":"other@000000000000"}\n' >got
  run --separate-stderr bid-embed --resume got in
  equal "$status" 73
  contains "$stderr" "got: line 1 was made with another model"
  run --separate-stderr bid-embed --resume . in
  equal "$status" 73
  echo 'no json' >got
  run --separate-stderr bid-embed --resume got in
  equal "$status" 73
  equal "$(cat got)" "no json"
}

@test "libcurl is loaded for a server alone" {
  need ldd
  run bash -c "ldd '$BID_BIN/bid-embed' | grep -c curl"
  equal "$output" 0
}
