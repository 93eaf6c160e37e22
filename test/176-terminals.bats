#!/usr/bin/env bats
# What stands on a real terminal (tmux) of 40, 80 and 120 columns, compared with test/data/screens/tmux: times, rates and
# counts that come and go are masked.  RENEW_SCREENS=1 writes them anew: look at each before it is committed.

load helper

test_setup() {
  need tmux
  export BID_NOW=2026-03-05T00:00:00Z PAGER=cat TMUX_TMPDIR=$BATS_TEST_TMPDIR TERM=xterm
  unset TMUX
}

test_teardown() { tmux -L bid kill-server 2>/dev/null || true; }

sample() {
  bid-fetch -q file "$ROOT"/data/sample/*.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
}

# run_at SCRIPT: starts it on three terminals at once, in the folders 40, 80 and 120.
run_at() {
  local w
  printf '%s\n' "$1" >job
  for w in 40 80 120; do
    mkdir -p $w
    tmux -L bid -f /dev/null new-session -d -s "w$w" -x $w -y 60 -c "$PWD/$w" "sh ../job 2>&1; echo '[end]'; sleep 100"
  done
}

# seen WIDTH PATTERN: waits until the terminal has it, and prints all that it shows; what it wrapped in one line, for paths
# to be masked, unless AS_WRAPPED is empty.
seen() {
  local tries now=
  for tries in $(seq 300); do
    now=$(tmux -L bid capture-pane -p ${AS_WRAPPED--J} -S -300 -t "w$1" 2>/dev/null) || :
    if grep -qE -- "$2" <<<"$now"; then
      printf '%s\n' "$now" | sed -e 's/ *$//' | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
      return 0
    fi
    sleep 0.1
  done
  printf 'never seen at %s columns after %s tries: %s\n%s\n' "$1" "$tries" "$2" "$now" >&2
  return 1
}

masked() {
  sed -E "s#$ROOT#ROOT#g; s#$BATS_TEST_TMPDIR#TMP#g; s/in [0-9]+ ms/in N ms/; s/, id [0-9a-f]{8}/, id 01234567/; s/took [0-9]+ s/took N s/; s/[0-9.]+ GB free/N GB free/
    s/(avx[0-9a-z-]*|plain), [0-9]+ cores/CPU, N cores/; s/bid-static@[0-9a-f]+/bid-static@N/; s#\([^ ]*/models/#(MODELS/#; s/[0-9]+ commands start/N commands start/
    s/^(ok|note|wrong) +(tools|sandbox) .*/STATE  \2  FOUND/; /^ +apt-get install/d; s/127.0.0.1:[0-9]+/HOST/; s/20[0-9]{2}-[0-9-]+T[0-9:]+Z/TIME/g"
}

# A row of progress: numbers that grow.
masked_row() { sed -E 's/[0-9.]+ of/N of/; s/[0-9.]+ (MB|MB\/s|s left|passages)/N \1/g'; }

# same NAME WIDTH: compares stdin.
same() {
  local file=$ROOT/test/data/screens/tmux/$1-$2.txt
  cat >"$1-$2.now"
  if [ -n "${RENEW_SCREENS-}" ]; then
    mkdir -p "${file%/*}"
    cp "$1-$2.now" "$file"
  fi
  diff -u "$file" "$1-$2.now"
}

# screen NAME SCRIPT: its end at three widths.
screen() {
  local w
  run_at "$2"
  for w in 40 80 120; do seen $w '^\[end\]' | masked | same "$1" $w; done
  tmux -L bid kill-server
}

@test "a search" {
  sample
  screen search 'bid-search -n 1 "Tidewrack revenue by segment in 2025"'
}

@test "figures, as a table and a chart" {
  jq -cn 'def fact($y; $v): {start: "\($y)-01-01", end: "\($y)-12-31", val: $v, accn: "0009990001-\($y - 1999)-000007", fy: $y, fp: "FY", form: "10-K",
      filed: "\($y + 1)-02-19"}; {cik: 9990001, entityName: "Tidewrack Harbor Logistics, Inc.", facts: {"us-gaap": {
      Revenues: {label: "Revenues", units: {USD: [fact(2022; 480100000), fact(2023; 512300000), fact(2024; 571905000), fact(2025; 612480000)]}},
      NetIncomeLoss: {label: "Net", units: {USD: [fact(2022; -1200000), fact(2023; 21000000), fact(2024; 38900000), fact(2025; 51100000)]}}}}}' >facts.json
  AS_WRAPPED='' screen facts 'bid-facts --from ../facts.json revenue "net income" "net income / revenue"; bid-facts --from ../facts.json --plot - revenue'
}

@test "bid doctor" {
  screen doctor 'bid doctor --offline'
}

@test "ten errors" {
  sample
  printf '<html>\n' >10-K.htm
  export BID_CONNECT_TO=127.0.0.1:1
  screen errors 'bid serch revenue
    bid-strip ../10-K.htm
    bid-search --compny TWHL revenue
    bid-search -e TWHL -f 10-Q --since 2026-02-01 revenue
    bid-facts --from ../10-K.htm revenue
    BID_NOW=yesterday bid-search revenue
    bid-fetch secfilings -e AAPL
    bid-fetch irs-bmf -P regoin=ny
    BID_USER_AGENT=me bid-fetch sec-filings -e AAPL
    bid-store verfy'
}

@test "a nightly run" {
  BID_SHARED="" upstream_start # the ticker list that has the sample
  printf 'TWHL\t10-K\nPLCD\t10-K\tsec-fillings\nPLCD\t10-K\n' >watchlist.tsv
  screen nightly 'BID_STORE=$PWD/store BID_STATE=$PWD/state BID_CACHE=$PWD/cache bid-nightly --watchlist ../watchlist.tsv'
}

@test "a question whose filings are read, meanwhile" {
  need_shared
  upstream_start --fault 'www.sec.gov/Archives/*=slow:6'
  run_at 'BID_STORE=$PWD/store BID_STATE=$PWD/state BID_CACHE=$PWD/cache bid-retrieve -e AAPL "What are the main supply chain risks in the 10-K?"'
  local w
  for w in 40 80 120; do
    seen $w '^bid-retrieve: 10-K of ' >now-$w
    grep '^bid-retrieve: 10-K of ' now-$w | masked_row | same retrieve $w
  done
}

@test "two hundred documents, meanwhile and at the end" {
  local n w
  mkdir reports
  for n in $(seq 200); do printf '# Report %s\n\nThe kiln of works %s burned %s tons of coke in the year, which is more than before.\n' "$n" "$n" "$((n * 7))" >reports/$n.md; done
  mkdir slow
  ln -s "$BID_BIN"/* slow/
  rm slow/bid-index
  printf '#!/bin/sh\nsleep 3\nexec "%s/bid-index" "$@"\n' "$BID_BIN" >slow/bid-index
  chmod +x slow/bid-index
  run_at "BID_BIN=$PWD/slow"' BID_STORE=$PWD/store bid-ingest --reports ../reports'
  for w in 40 80 120; do
    seen $w '^bid-ingest: ' | grep '^bid-ingest:' >row-$w
  done
  contains "$(cat row-120)" " of 200 documents"
  for w in 40 80 120; do
    seen $w '^\[end\]' | masked | tail -4 | sed -E 's#/reports/[0-9]+.md#/reports/N.md#' | same ingest $w
  done
}
