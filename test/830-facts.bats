#!/usr/bin/env bats
# bid-facts: tables and charts of XBRL facts and FRED series.

load helper

test_setup() {
  export BID_NOW=2026-03-25T00:00:00Z
  need_shared
  upstream_start
}

facts() { run --separate-stderr bid-facts "$@"; }

@test "a table has unit, source and the facts of a year" {
  facts -e AAPL --annual NetIncomeLoss
  equal "$status" 0
  contains "${lines[0]}" "Apple Inc.: NetIncomeLoss (USD). Source: sec-edgar"
  contains "$output" "2025-09-27   112010000000"
  contains "$output" "2024-09-28    93736000000"
}

@test "several concepts stand side by side, and a limit holds" {
  facts -e AAPL --annual -n 3 NetIncomeLoss StockholdersEquity
  equal "$(printf '%s\n' "$output" | awk '/^2025-09-27/ { print NF }')" 3
  facts --json -e AAPL --annual -n 3 NetIncomeLoss
  equal "${#lines[@]}" 3
}

@test "FRED series" {
  export FRED_API_KEY=abcdefghijklmnopqrstuvwxyz012345
  facts --fred -n 3 --since 2000-01-01 GDP
  [ "$status" -eq 0 ] || { echo "$stderr"; false; }
  contains "$output" "not endorsed"
  [[ $output$stderr != *abcdefghijklmnop* ]]
}

@test "charts as svg, as png and on the terminal" {
  need gnuplot
  facts -e AAPL --annual --plot income.svg NetIncomeLoss
  equal "$status" 0
  contains "$(cat income.svg)" "NetIncomeLoss (USD)"
  contains "$(cat income.svg)" "Apple Inc."
  facts -e AAPL --annual --plot income.png NetIncomeLoss
  equal "$(head -c 4 income.png | tail -c 3)" PNG
  facts -e AAPL --annual --plot - NetIncomeLoss
  contains "$output" "NetIncomeLoss (USD)"
}

@test "an unknown concept and an unknown company are told, with near names" {
  facts -e AAPL NetIncomeLosss
  [ "$status" -ne 0 ]
  contains "$stderr" "never reported"
  facts -e NOSUCHX NetIncomeLoss
  equal "$status" 64
  contains "$stderr" "look-up"
}

@test "names of concepts are no program" {
  need gnuplot
  facts -e AAPL --plot out.svg '"; system "touch pwned"; "'
  [ ! -e pwned ]
}
