#!/usr/bin/env bats
# The recipes of bid-scale(7): shards side by side, a team on one machine.
load helper

test_setup() { need python3 jq make; }

payloads() { bid-fetch -q file "$ROOT"/data/sample/*.txt -P corpus=edgar >payloads.ndjson; }
contents() { BID_STORE=$1 bid-store dump | jq -cS 'del(.capturedAt)' | sort | sha256sum; }

@test "the recipes of bid-scale(7) make one store of shards" {
  local name tools tool ran=0 missing=
  mkdir bin
  # ssh's stand-in: ssh HOST COMMAND, in a folder of the host's own.
  cat >bin/ssh <<'EOS'
#!/bin/sh
mkdir -p "host-$1" && cd "host-$1" && shift && exec sh -c "$*"
EOS
  chmod +x bin/ssh
  PATH=$PWD/bin:$PATH
  export SHARDS=$ROOT/pipelines/shards.mk
  payloads
  bid-strip -q payloads.ndjson | bid-chunk -q | bid-embed -q | BID_STORE=one bid-index -q >/dev/null
  python3 "$ROOT/test/extras/recipes.py" "$ROOT/man/bid-scale.7" . >recipes
  equal "$(wc -l <recipes)" 3
  while read -r name tools; do
    for tool in $tools; do
      command -v "$tool" >/dev/null || { missing="$missing $tool"; continue 2; }
    done
    rm -rf part-* whole*
    sh "$name" >"$name.out" 2>"$name.err" || { cat "$name.err"; false; }
    BID_STORE=whole bid-store verify
    equal "$(contents whole)" "$(contents one)"
    ran=$((ran + 1))
  done <recipes
  [ -d host-alpha ]
  [ -d host-beta ]
  [ "$ran" -ge 2 ]
  [ -z "$missing" ] || skip "not installed:$missing"
}

@test "shards.mk: what is done stays done, a part that fails ends it, new parts are added" {
  payloads
  split -n r/2 -a1 --additional-suffix=.ndjson payloads.ndjson part-
  make -s -f "$ROOT/pipelines/shards.mk" >said
  equal "$(jq -s 'map(.documents) | add' said)" 6
  run --separate-stderr make -f "$ROOT/pipelines/shards.mk"
  contains "$output" "up to date"
  head -1 payloads.ndjson | jq -c '.sourceUrl += "2"' >part-c.ndjson
  equal "$(make -s -f "$ROOT/pipelines/shards.mk" | jq -c '[.from, .documents]')" '["part-c.shard",1]'
  echo 'no record' >part-d.ndjson
  run make -s -f "$ROOT/pipelines/shards.mk" SSH=false HOSTS=none
  [ "$status" -ne 0 ]
  [ ! -e part-d.shard ]
  BID_STORE=whole bid-store verify
}

@test "a connection is a bid-search: many ask at once while the store grows" {
  payloads
  bid-strip -q payloads.ndjson | bid-chunk -q | bid-embed -q >embedded.ndjson
  bid-index -q embedded.ndjson >/dev/null
  jq -c '{query: .question}' "$ROOT/data/sample/questions.ndjson" >questions
  [ -s questions ]
  (for n in 1 2 3 4; do sed "s,\"sourceUrl\":\"[^\"]*,&-$n," embedded.ndjson | bid-index -q; done >/dev/null) &
  run --separate-stderr python3 "$ROOT/test/bench/serve.py" questions 6 48 "$BID_BIN/bid-search" --json --quiet --threads=1
  wait
  equal "$status" 0
  equal "$(jq -c '[.questions, .clients, .faults]' <<<"$output")" '[48,6,0]'
  [ "$(jq .found <<<"$output")" -gt 10 ]
  bid-store verify
}

@test "the units are what systemd takes, and are installed" {
  command -v systemd-analyze >/dev/null || skip "no systemd-analyze here"
  mkdir units
  for f in "$ROOT"/pipelines/systemd/bid-search*; do
    sed 's,^ExecStart=@PREFIX@/bin/bid-search,ExecStart=/bin/true,; /^Documentation/d; /^User=/d; /^Group=/d' "$f" >"units/$(basename "$f")"
  done
  run systemd-analyze verify units/bid-search.socket units/bid-search@.service
  equal "$output" ''
  equal "$status" 0
  grep -q 'bid-search.socket' "$ROOT/test/tools/install"
}
