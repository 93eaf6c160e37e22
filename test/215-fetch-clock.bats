#!/usr/bin/env bats
# bid-fetch when the clock steps back, and when what it keeps is tampered with.
load helper

test_setup() {
  mkdir -p connectors
  export BID_CONNECTORS=$BATS_TEST_TMPDIR/connectors
  cat >connectors/web.jq <<'J'
def declare: {description: "any page of a test server", hosts: ["upstream.example"],
  rateLimit: {requestsPerSecond: 1000, burstSize: 100, domain: "web"}, parameters: [{name: "path"}, {name: "immutable"}]};
def step: {request: {url: "https://upstream.example/\(.job.params.path)", payload: {kind: "page"}, maxAge: 3600,
  immutable: (.job.params.immutable == "1")}};
J
  upstream_start
  upstream_fault 'upstream.example/*=body:hello'
}

page() { run --separate-stderr timeout 60 bid-fetch "${@:2}" web -P "path=$1"; }
requests() { wc -l <"$UPSTREAM_LOG"; }

@test "what was cached in the future is asked for again" {
  page one
  page one
  equal "$(requests)" 1
  local f
  for f in $(find "$BID_CACHE/answers" -type f); do
    jq -c '.checked += 86400 * 400 | .fetched += 86400 * 400' "$f" >new && mv new "$f"
  done
  page one
  equal "$status" 0
  equal "$(requests)" 2
  page one --refresh
  equal "$(requests)" 3
  page one
  equal "$(requests)" 3 # and is of now again
}

@test "a page of the future that never changes is asked for again too" {
  run --separate-stderr bid-fetch web -P path=one -P immutable=1
  for f in $(find "$BID_CACHE/answers" -type f); do jq -c '.checked += 86400 * 400' "$f" >new && mv new "$f"; done
  run --separate-stderr bid-fetch web -P path=one -P immutable=1
  equal "$status" 0
  equal "$(requests)" 2
}

@test "links in cache and state are not followed" {
  page one
  echo precious >precious
  rm -f "$BID_STATE/ledger/web" "$BID_CACHE/usage"
  ln -s "$PWD/precious" "$BID_STATE/ledger/web"
  ln -s "$PWD/precious" "$BID_CACHE/usage"
  page two
  [ "$status" -ne 0 ]
  contains "$stderr" "ledger"
  rm "$BID_STATE/ledger/web"
  page two
  equal "$status" 0
  equal "$(cat precious)" precious
  local body
  for body in $(find "$BID_CACHE/objects" -type f); do
    cp "$body" elsewhere && ln -sf "$PWD/elsewhere" "$body"
  done
  run --separate-stderr bid-fetch --offline web -P path=two
  [ "$status" -ne 0 ]
}
