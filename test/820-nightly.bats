#!/usr/bin/env bats
# bid-nightly: twice is once, a lock, a report, and kill -9 at any moment.

load helper

setup_file() { if [ -n "$BID_SHARED" ]; then upstream_start; fi; }
teardown_file() { upstream_stop; }
test_setup() {
  export BID_NOW=2026-03-05T00:00:00Z
  printf '# company\tforms\tsources\tcorpus\nAAPL\t10-K,10-Q\tsec-filings\tedgar\nTSLA\t10-K,10-Q\t\t\n' >watchlist.tsv
  upstream_again
}

nightly() { run --separate-stderr bid-nightly --watchlist watchlist.tsv "$@"; }
# What the stamps of a company say, each of its sources.
stamps() { cat "$BID_STATE"/nightly/"$1".*.stamp 2>/dev/null || true; }
total() { printf '%s\n' "$output" | jq -c "select(.total) | $1"; }
# Of a run that was killed and one that was not, these may differ: the order of arrival, when a body came, and whether out of the cache.
dump() { bid-store dump | sed -E 's/"capturedAt":"[^"]*"//; s/"cache":true,?//; s/,\}/}/g' | LC_ALL=C sort | sha256sum; }

@test "the second run downloads no body again and changes nothing" {
  need_shared
  nightly
  equal "$status" 1
  [ "$(total .new)" -gt 250 ]
  equal "$(total '.failed | keys')" '["no-content"]'
  contains "$stderr" "AAPL"
  local before bodies
  before=$(bid-store dump | sha256sum)
  bodies=$(upstream_log 'select(.status == 200) | .path' | grep -c /edgar/data/)
  nightly -j 4
  equal "$(total '[.new, .replaced, .removed]')" "[0,0,0]"
  equal "$(bid-store dump | sha256sum)" "$before"
  equal "$(upstream_log 'select(.status == 200) | .path' | grep -c /edgar/data/)" "$bodies"
}

@test "never two SEC requests at once, whatever -j is" {
  need_shared
  nightly -j 4
  upstream_log '[.start, .end]' | jq -s 'sort | [range(1; length) as $i | select(.[$i][0] < .[$i - 1][1])] | length' >overlaps
  equal "$(cat overlaps)" 0
}

@test "a good company gets its stamp, a failed one is tried again" {
  need_shared
  upstream_fault '*CIK0001318605*=503'
  nightly
  [ "$status" -ne 0 ]
  contains "$(printf '%s\n' "$output" | jq -c 'select(.company == "TSLA") | .failed')" "unavailable"
  [ -z "$(stamps TSLA)" ]
  upstream_fault
  nightly
  [ "$(printf '%s\n' "$output" | jq -c 'select(.company == "TSLA") | .new')" -gt 50 ]
}

@test "what is not there is told once and holds nothing back" {
  need_shared
  nightly
  equal "$status" 1
  equal "$(total '[.companies, .done]')" '[2,2]'
  [ "$(total '.failed["no-content"]')" -gt 0 ]
  equal "$(stamps AAPL)" 2026-03-04
  nightly
  equal "$status" 0
  equal "$(total .failed)" '{}'
}

@test "what may be there tomorrow holds its company back, and comes as its listing tells" {
  need_shared
  printf 'AAPL\t10-K\n' >watchlist.tsv
  local fault
  for fault in 503 429; do
    rm -rf "$BID_STATE"
    new_cache
    upstream_fault "*/aapl-20250927.htm=$fault"
    nightly
    equal "$status" 1
    equal "$(total .done)" 0
    [ -z "$(stamps AAPL)" ]
  done
  # The record of the failure is enough to ask again, with all that the listing told.
  equal "$(jq -r 'select(.error) | .metadata | "\(.ticker) \(.form) \(.reportDate)"' "$BID_STATE"/nightly/AAPL.*.ndjson)" 'AAPL 10-K 2025-09-27'
  upstream_fault
  rm -rf "$BID_STATE"/*ledger* # the source asked to wait
  nightly
  equal "$(total '[.done, .failed]')" '[1,{}]'
  equal "$(stamps AAPL)" 2026-03-04
}

@test "two runs at once: the second waits or says so" {
  need_shared
  mkdir -p "$BID_STATE/nightly"
  flock "$BID_STATE/nightly/lock" sleep 3 &
  local holder=$!
  sleep 0.3
  nightly
  equal "$status" 75
  contains "$stderr" "another nightly run is at work"
  wait "$holder"
}

@test "bad watch lists" {
  run --separate-stderr bid-nightly --watchlist missing.tsv
  equal "$status" 66
  printf '# nothing\n' >watchlist.tsv
  nightly
  equal "$status" 65
  printf '../../x\t10-K\n$(touch pwned)\t10-K\n' >watchlist.tsv
  nightly
  equal "$status" 1
  contains "$stderr" "watchlist.tsv:1: ../../x: "
  contains "$stderr" 'watchlist.tsv:2: $(touch pwned): '
  equal "$(find . .. -maxdepth 1 -name pwned -o -maxdepth 1 -name 'x*')" ""
}

@test "kill -9 at twenty moments and again: the same end as undisturbed" {
  need_shared
  nightly
  local undisturbed i
  undisturbed=$(dump)
  rm -rf "$BID_STORE"* "$BID_STATE"
  new_cache
  for i in $(seq 20); do
    setsid bid-nightly --watchlist watchlist.tsv >/dev/null 2>&1 &
    sleep "0.$((RANDOM % 90 + 10))"
    kill -9 -- -$! 2>/dev/null || true
    wait $! 2>/dev/null || true
  done
  nightly --wait 60 # a killed run may still hold the lock
  bid-store verify
  equal "$(dump)" "$undisturbed"
}

@test "documents that are listed and stored already are told, apart from nothing listed" {
  BID_SHARED= upstream_start
  printf 'TWHL\t10-K\n' >watchlist.tsv
  nightly
  [ "$(total .new)" -gt 10 ]
  equal "$(total .known)" 0
  rm -r "$BID_STATE"
  nightly
  equal "$(total '[.new, .unchanged]')" '[0,0]'
  [ "$(total .known)" -ge 1 ]
  contains "$stderr" " known"
  contains "$(<"$BID_STATE/nightly/report.html")" "known</td><td>"
  nightly
  equal "$(total .known)" 0
}
