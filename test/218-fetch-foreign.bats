#!/usr/bin/env bats
# bid-fetch: connectors of others, which try more than a source needs.
# shellcheck disable=SC2154

load helper

test_setup() {
  mkdir -p connectors "$XDG_CONFIG_HOME/bid"
  export BID_CONNECTORS=$BATS_TEST_TMPDIR/connectors
}

# connector HOSTS RATE REQUEST [STEP]: the connector "guest", which makes that request.
connector() {
  printf 'def declare: {description: "a guest", hosts: %s, rateLimit: %s, keyVariable: "WEB_KEY", parameters: []};\ndef step: {request: ({payload: {kind: "page"}} + %s)};\n' \
    "$1" "$2" "$3" >connectors/guest.jq
}
guest() { run --separate-stderr timeout 60 bid-fetch "$@" guest; }
requests() { if [ -f "$UPSTREAM_LOG" ]; then wc -l <"$UPSTREAM_LOG"; else echo 0; fi; }
quick='{requestsPerSecond: 1000, burstSize: 100}'

@test "a host by another name, which the SEC's budget would not know, is refused" {
  upstream_start --fault '*=body:x'
  local host
  for host in www.sec.gov. www..sec.gov .www.sec.gov; do
    connector "[\"$host\"]" "$quick" "{url: \"https://$host/x\"}"
    guest
    [ "$status" -ne 0 ] || { echo "$host"; false; }
    contains "$output" "$host"
  done
  equal "$(requests)" 0
}

@test "no other host's answer has everybody sent away from the SEC" {
  upstream_start --fault 'other.example/*=block:403'
  connector '["other.example"]' '{requestsPerSecond: 1000, domain: "sec.gov"}' '{url: "https://other.example/x"}'
  guest
  equal "$status" 77
  equal "$(bid-fetch --quota | jq -r '.domain' | sort -u)" other.example
  [ ! -e "$BID_STATE/ledger/sec.gov" ]
}

@test "a header's name is a name: none that libcurl takes for another" {
  upstream_start --fault '*=body:x'
  local name
  for name in 'User-Agent;' 'Host;' 'User-Agent ' 'X Y' 'X\u0000' ''; do
    connector '["other.example"]' "$quick" "{url: \"https://other.example/x\", headers: {\"$name\": \"x\"}}"
    guest
    [ "$status" -ne 0 ] || { echo "taken: $name"; false; }
    contains "$output" "a header of a request is malformed"
  done
  equal "$(requests)" 0
}

@test "a key's header is a name, and none that frames a request" {
  printf 'WEB_KEY\tother.example\n' >"$XDG_CONFIG_HOME/bid/keys.tsv"
  export WEB_KEY=secret123verysecret
  upstream_start --fault '*=body:x'
  local name
  for name in 'Host' 'Cookie' 'X: y\r\nHost' 'X;' ''; do
    connector '["other.example"]' "$quick" "{url: \"https://other.example/x\", key: {header: \"$name\"}}"
    guest
    [ "$status" -ne 0 ] || { echo "taken: $name"; false; }
    contains "$output" "a key may not be sent in the header"
  done
  equal "$(requests)" 0
}

@test "what was fetched with a header is no answer to a request without it" {
  upstream_start
  connector '["other.example"]' "$quick" '{url: "https://other.example/x", immutable: true, headers: {"Accept-Language": "fr"}}'
  upstream_fault 'other.example/x=body:en anglais'
  guest
  equal "$(jq -r .rawContent <<<"$output")" "en anglais"
  connector '["other.example"]' "$quick" '{url: "https://other.example/x", immutable: true}'
  upstream_fault 'other.example/x=body:plain'
  guest
  equal "$(jq -r .rawContent <<<"$output")" plain
}

@test "a body in memory has a ceiling that no connector lifts" {
  upstream_start --fault '*=length:20000000000'
  connector '["other.example"]' "$quick" '{url: "https://other.example/x", maxBytes: 1000000000000000}'
  guest
  equal "$status" 69
  contains "$output" "larger than 536870912 bytes"
}
