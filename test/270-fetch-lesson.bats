#!/usr/bin/env bats
# bid-fetch: a connector is a file: the lesson of bid-connectors(5) as it stands there, and broken ones.

load helper

setup_file() { upstream_start; }
teardown_file() { upstream_stop; }
test_setup() {
  export BID_NOW=2026-03-05T00:00:00Z BID_CONNECTORS=$BATS_TEST_TMPDIR/connectors
  mkdir -p "$BID_CONNECTORS"
  upstream_fault
  : >"$UPSTREAM_LOG"
}

fetch() { run --separate-stderr bid-fetch "$@"; }
got() { jq -c ".rawContent | fromjson | $1" <<<"${output##*$'\n'}"; }
failed() { # CATEGORY PART
  equal "$(jq -r .error.category <<<"${lines[-1]}")" "$1"
  contains "$stderr" "$2"
  [ "$status" -ne 0 ]
}

# The connector that the manual page shows: its literal display that begins with "def base:".
lesson() {
  awk '/^\.Bd -literal/ { keep = 1; text = ""; next }
       /^\.Ed/ { if (keep && text ~ /^def base:/) printf "%s", text; keep = 0; next }
       keep { text = text $0 "\n" }' "$ROOT/man/bid-connectors.5" | sed 's/\\e/\\/g; s/\\&//g; s/\\-/-/g'
}

# A connector of its own, with the given step and hosts.
connector() { # NAME STEP [HOSTS]
  printf 'def declare: {description: "a test", hosts: %s, rateLimit: {requestsPerSecond: 100}, parameters: []};\ndef step: %s;\n' \
    "${3:-[\"rates.example.org\"]}" "$2" >"$BID_CONNECTORS/$1.jq"
}

@test "the lesson of bid-connectors(5), dropped into a folder, is a source" {
  lesson >"$BID_CONNECTORS/example-rates.jq"
  [ "$(wc -l <"$BID_CONNECTORS/example-rates.jq")" -gt 20 ]
  fetch --describe example-rates
  contains "$output" 'currency rates of the Example Bank'
  fetch example-rates
  equal "$(got .currencies)" '["CHF","USD"]'
  fetch example-rates -e USD -n 1
  equal "$status" 0
  equal "$(jq -r .rawContent <<<"$output")" '[{"date":"2026-03-05","rate":1.0810}]'
  equal "$(jq -c '.metadata | [.entity, .unit]' <<<"$output")" '["USD","USD per EUR"]'
}

@test "the lesson narrows by day and fails as it should" {
  lesson >"$BID_CONNECTORS/example-rates.jq"
  fetch example-rates -e USD --since 2026-03-04
  equal "$(got '[.[].date]')" '["2026-03-04","2026-03-05"]'
  fetch example-rates -e USD --since 2027-01-01
  failed no-content 'no day of USD'
  fetch example-rates -e EUR
  failed no-content 404
}

@test "a folder's connector is listed with the others and comes before theirs" {
  connector mock '{payloads: [{content: "mine", sourceUrl: "mine:"}]}'
  fetch mock
  equal "$(got .)" '"mine"'
  fetch --list
  equal "$(jq -r .name <<<"$output" | grep -cx mock)" 1
  equal "$(jq -r .name <<<"$output" | grep -cx sec-filings)" 1
}

@test "a syntax error is a clear error, and the other jobs go on" {
  echo 'def declare: {description: "x", hosts: []}; def step: {{;' >"$BID_CONNECTORS/broken.jq"
  fetch broken,mock
  equal "$(jq -r '.error.category // .source' <<<"$output" | paste -sd' ')" 'internal mock'
  contains "$stderr" broken
  contains "$stderr" syntax
}

@test "a connector without step, with a wrong declaration, with a wrong answer" {
  echo 'def declare: {description: "x", hosts: []};' >"$BID_CONNECTORS/nostep.jq"
  fetch nostep
  failed internal step
  echo 'def declare: "x"; def step: {payloads: []};' >"$BID_CONNECTORS/wrong.jq"
  fetch wrong
  failed internal wrong
  connector number '42'
  fetch number
  failed internal number
  connector nonsense '{payload: [1]}'
  fetch nonsense
  failed internal nonsense
}

@test "an endless loop is cut off" {
  connector loop 'def f: f; f'
  fetch loop
  failed internal loop
}

@test "a run-away in memory is cut off" {
  connector big 'reduce range(40) as $i ("x"; . + .) | {payloads: []}'
  fetch big,mock
  equal "$(jq -r '.error.category // .source' <<<"$output" | paste -sd' ')" 'internal mock'
  contains "$stderr" 'out of memory'
}

@test "a host that is not declared is refused, before any request" {
  connector elsewhere '{request: {url: "https://other.example/x"}}'
  fetch elsewhere
  [ "$status" -ne 0 ]
  contains "$stderr" other.example
  equal "$(wc -l <"$UPSTREAM_LOG")" 0
}

@test "other schemes, ports and user names in a URL are refused" {
  local url
  for url in http://rates.example.org/x file:///etc/passwd https://rates.example.org@other.example/x \
    https://rates.example.org:8443/x; do
    connector odd "{request: {url: \"$url\"}}"
    fetch odd
    [ "$status" -ne 0 ]
    [ "$(jq -r .error.category <<<"$output")" != null ]
  done
  equal "$(wc -l <"$UPSTREAM_LOG")" 0
}

@test "a jq error in a step names the connector" {
  connector fails '.job.entity.id + 1 | error("what went wrong")'
  fetch fails -e x
  failed internal fails
}

@test "a connector sees neither the environment nor the key" {
  export FRED_API_KEY=0123456789abcdef0123456789abcdef
  printf 'def declare: {description: "x", hosts: [], keyVariable: "FRED_API_KEY", parameters: []};\ndef step: {payloads: [{content: [env, $ENV], sourceUrl: "x:"}]};\n' \
    >"$BID_CONNECTORS/spy.jq"
  fetch spy
  run ! grep -q 0123456789abcdef <<<"$output"
}

@test "an unknown source is said with the known ones" {
  fetch nosuch
  equal "$(jq -r .error.category <<<"$output")" connector-not-registered
  contains "$output" sec-filings
  contains "$stderr" sec-filings
}
