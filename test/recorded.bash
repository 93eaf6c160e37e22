# shellcheck shell=bash disable=SC2154 # status, output, lines and stderr are set by run
# Tests of bid-fetch on recorded answers: one local upstream per file, without faults and with an empty log before
# each test.

setup_file() { upstream_start; }
teardown_file() { upstream_stop; }
test_setup() {
  export BID_NOW=2026-03-05T00:00:00Z FRED_API_KEY=0123456789abcdef0123456789abcdef
  upstream_again
}

fetch() { run --separate-stderr bid-fetch "$@"; }
raw() { jq -r .rawContent <<<"$output"; }
got() { jq -c ".rawContent | fromjson | $1" <<<"$output"; }
meta() { jq -c ".metadata | $1" <<<"$output"; }
failed() { # CATEGORY STATUS PART
  [[ $(jq -r '.error | "\(.category): \(.message)"' <<<"${lines[-1]}") == "$1: "*"$3"* ]] || { echo "${lines[-1]}"; false; }
  equal "$status" "$2"
  contains "$stderr" "$3"
}
