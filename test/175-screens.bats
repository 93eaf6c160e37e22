#!/usr/bin/env bats
# Screens as people see them, at 40, 80 and 120 columns, compared with test/data/screens.  RENEW_SCREENS=1 writes them
# anew: look at each before it is committed.

load helper

# screen NAME COMMAND...: compares what the command prints, times and folders of this machine taken out.
screen() {
  local name=$1 file=$ROOT/test/data/screens/$1.txt
  shift
  { "$@" 2>&1 || true; } </dev/null | sed -E "s#$ROOT#ROOT#g; s#$BATS_TEST_TMPDIR#TMP#g; s/in [0-9]+ ms/in N ms/; s/, id [0-9a-f]{8}/, id 01234567/; s/[0-9.]+ GB free/N GB free/; s/20[0-9-]+T[0-9:]+Z/TIME/g; s/(avx[0-9a-z-]*|plain), [0-9]+ cores/CPU, N cores/; s/bid-static@[0-9a-f]+/bid-static@N/; s#\([^ ]*/models/#(MODELS/#; s/[0-9]+ commands start/N commands start/; s/^(ok|note|wrong) +(tools|sandbox) .*/STATE  \2  FOUND/; /^ +apt-get install/d; s/of [0-9]+ passages/of N passages/" >"$name.now"
  if [ -n "${RENEW_SCREENS-}" ]; then
    mkdir -p "$ROOT/test/data/screens"
    cp "$name.now" "$file"
  fi
  diff -u "$file" "$name.now"
}

sample() {
  bid-fetch -q file "$ROOT"/data/sample/*.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
}

@test "a search at three widths: nothing is wider, tables keep their heads" {
  sample
  local w
  for w in 40 80 120; do
    COLUMNS=$w screen "search-$w" bid-search --human -n 1 "Tidewrack revenue by segment in 2025"
    while IFS= read -r line; do
      [[ $line == *://* || ${#line} -le $w ]] || { echo "wider than $w: $line"; false; }
    done <"search-$w.now"
  done
}

@test "a listing at three widths: rows in columns, addresses below, what doesn't fit is named" {
  local evil=$'\033]0;x\007\xe2\x80\xae' w
  jq -cn --arg evil "$evil" '{company: {cik: "0009990001", name: "Tidewrack Harbor Logistics, Inc."}, total: 131, forms: {"10-K": 11, "4": 120},
    filings: [range(131) | {form: (if . % 2 == 0 then "10-K" else "4" end), filingDate: "2026-02-1\(. % 10)",
      acceptanceDateTime: "2026-02-26T18:34:19.000Z", title: (if . % 2 == 0 then "10-K" else "4" end), size: (. * 1000),
      accessionNumber: "0009990001-26-\(1000000 + . | tostring | .[1:])", parties: [{name: "Boyle Ada \($evil)", role: "reporting"}],
      href: (if . < 2 then "https://www.sec.gov/Archives/\(.)\($evil)/a.htm" else null end)}],
    units: [{unit: "USD", rows: [{end: "2025-12-31", val: 842600000}, {end: "2024-12-31", val: 769000000}]}],
    hints: ["-f FORM narrows to forms", "-n to the newest"]}' >listing.json
  for w in 40 80 120; do
    COLUMNS=$w screen "listing-$w" bash -c 'bid-fetch --human file listing.json | sed "/^  4 /,/^  left/{/^  [41]/d;}"'
    while IFS= read -r line; do
      [[ $line == *://* || ${#line} -le $w ]] || { echo "wider than $w: $line"; false; }
    done <"listing-$w.now"
    run bash -c "tr -d '\n' <listing-$w.now | LC_ALL=C grep -caP '[\x00-\x1f\x7f]|\xe2\x80\xae'"
    equal "$output" 0
  done
}

@test "what a reading says" {
  screen ingest bid-ingest --human --bulk "$ROOT/data/sample/0009990001-25-000041.txt"
  screen ingest-again bid-ingest --human --bulk "$ROOT/data/sample/0009990001-25-000041.txt"
  screen store-ls bid-store ls --human
  screen store-verify bid-store verify --human
}

@test "filters on a terminal: text, not records" {
  printf '# Kilns\n\nThe kiln burned coke.\n' >kiln.md
  people() {
    bid-strip --human --raw kiln.md
    bid-strip --raw kiln.md | bid-chunk --human
    bid-plan --human "TSLA Q2 2025 revenue vs last year" | sed 's#, 0[.][0-9]*)#)#; /^why/d'
    bid-search --human --analyse "Tesla revenue and revenue" | grep -v '^$'
  }
  sample
  screen filters people
}

@test "the front" {
  screen bid bid --human
  screen doctor bid doctor --offline --human
}

@test "ten errors" {
  sample
  printf '<html>\n' >10-K.htm
  export BID_CONNECT_TO=127.0.0.1:1
  ten() {
    bid serch revenue
    bid-strip 10-K.htm
    bid-search --compny TWHL revenue
    bid-search -e TWHL -f 10-Q --since 2026-02-01 revenue
    bid-search -c finance_edgar_TWHL_10K revenue
    BID_NOW=yesterday bid-search revenue
    bid-fetch secfilings -e AAPL
    bid-fetch irs-bmf -P regoin=ny
    BID_USER_AGENT=me bid-fetch sec-filings -e AAPL
    bid-store verfy
  } >/dev/null
  screen errors ten
}
