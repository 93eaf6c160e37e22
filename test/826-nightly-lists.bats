#!/usr/bin/env bats
# bid-nightly: what a watch list may ask for, each line with its own stamp, and what is said of what went wrong.

load helper

test_setup() {
  export BID_NOW=2026-03-05T00:00:00Z FRED_API_KEY=0123456789abcdef0123456789abcdef
  mkdir -p up
}

start() {
  upstream_start --root "$PWD/up" "$@"
}
list() { printf '%b\n' "$@" >watchlist.tsv; }
nightly() { run --separate-stderr bid-nightly --watchlist watchlist.tsv "$@"; }
row() { printf '%s\n' "$output" | jq -c "select(.line == $1) | $2"; }
total() { printf '%s\n' "$output" | jq -c "select(.total) | $1"; }
# An answer that the upstream gives to a URL: URL without its scheme, body on stdin.
recorded() { # HOST/PATH QUERY [SUFFIX]
  mkdir -p "up/$(dirname "$1")"
  cat >"up/$1__q__$(jq -rn --arg q "$2" '$q | @uri')${3-}"
}
fred() { recorded api.stlouisfed.org/fred/series/observations "series_id=$1&file_type=json&observation_start=2025-01-01&sort_order=asc" "${2-}"; }

@test "two lines of one company: each has its own stamp and its own forms" {
  list 'TWHL\t10-K' 'TWHL\t10-Q'
  BID_SHARED= start
  nightly
  equal "$status" 0
  equal "$(total '[.lines, .tasks, .companies, .done]')" '[2,2,1,2]'
  equal "$(ls "$BID_STATE"/nightly/*.stamp | wc -l)" 2
  equal "$(bid-store --json ls | jq -r .collection | tr '\n' ' ')" 'finance_edgar_TWHL_10-K finance_edgar_TWHL_10-Q '
}

@test "lists of forms and sources: each source gets the forms that are its own" {
  list 'TWHL\t10-Q,10-K/A,4\tsec-filings, sec-insider,sec-submissions\tedgar'
  run --separate-stderr bid-nightly --watchlist watchlist.tsv --check
  equal "$status" 0
  equal "$(printf '%s\n' "$output" | jq -c '[.source, .job.filingTypes]' | tr '\n' ' ')" \
    '["sec-filings",["10-Q","10-K/A","4"]] ["sec-insider",["4"]] ["sec-submissions",["10-Q","10-K/A","4"]] '
}

@test "a check reads as a table for people" {
  list 'TWHL\t10-Q,10-K\tsec-filings,sec-insider' '"port fees"\t\tsec-full-text'
  run --separate-stderr bid-nightly --watchlist watchlist.tsv --check --human
  equal "$status" 0
  equal "${lines[0]}" "line  what         source         forms      since"
  equal "${lines[1]}" "   1  TWHL         sec-filings    10-Q,10-K  1year"
  equal "${lines[3]}" '   2  "port fees"  sec-full-text  all        1year'
  TWHL='TWHL\t10-K\tsec-filings'
  list "$TWHL" 'PLCD\t10-K\tsec-filng'
  BID_SHARED= start
  nightly
  run --separate-stderr bid-nightly --watchlist watchlist.tsv --check --human
  equal "$status" 1
  contains "${lines[1]}" "10-K   2026-03-04" # the day before the run
  contains "$stderr" "watchlist.tsv:2: there is no source 'sec-filng'; the nearest is 'sec-filings'"
}

@test "a check doubts companies and forms that no list has, and takes the rest" {
  list 'Apple\t10-Kx,10-Q/A' 'Zzyqx Corp' '0009990001\t10-K\tsec-filings,sec-insider' 'GDP\t\tfred:GDP'
  run --separate-stderr bid-nightly --watchlist watchlist.tsv --check
  equal "$status" 0
  equal "${#lines[@]}" 5
  equal "$(grep -c 'may fail' <<<"$stderr")" 2
  contains "$stderr" "watchlist.tsv:1: may fail: '10-Kx' is no form that BID knows; the nearest is '10-K'"
  contains "$stderr" "watchlist.tsv:2: may fail: no company is called 'Zzyqx Corp'"
}

@test "FRED series, rows of the IRS, frames and full-text searches are watched, and twice is once" {
  jq -n '{observation_start: "2025-01-01", observations: [{date: "2025-01-01", value: "29976.638"}]}' | fred GDP
  mkdir -p up/efts.sec.gov/LATEST up/www.sec.gov/Archives/edgar/data/9990001/000999000126000007
  jq -n '{hits: {total: {value: 1, relation: "eq"}, hits: [{_id: "0009990001-26-000007:twhl-20251231.htm", _score: 1,
    _source: {form: "10-K", file_date: "2026-02-19", ciks: ["0009990001"], display_names: ["Tidewrack Harbor Logistics, Inc.  (TWHL)  (CIK 0009990001)"]}}]}}' |
    recorded efts.sec.gov/LATEST/search-index 'q=port congestion&dateRange=custom&startdt=2025-03-05&enddt=2026-03-05&from=0'
  list 'economy\t\tfred:GDP\tmacro' '-\t\tirs-bmf\tirs\tregion=wy\tall=1' \
    '-\t\tsec-frames\tfrc\tconcept=Revenues\tperiod=CY2024\tlimit=10' '"port congestion"\t\tsec-full-text'
  start
  nightly
  equal "$(printf '%s\n' "$output" | jq -r 'select(.total | not) | "\(.source) \(.done) \(.messages)"')" 'fred true []
irs-bmf true []
sec-frames true []
sec-full-text true []'
  equal "$status" 0
  printf "%s\n" "$output" | jq -se "map(select(.total | not)) | all(.new > 0)"
  BID_NOW=2026-03-06T00:00:00Z
  jq -n '{hits: {total: {value: 0, relation: "eq"}, hits: []}}' |
    recorded efts.sec.gov/LATEST/search-index 'q=port congestion&dateRange=custom&startdt=2026-03-04&enddt=2026-03-06&from=0'
  nightly
  equal "$status" 0
  equal "$(total '[.done, .new, .replaced]')" '[4,0,0]'
}

@test "a company that filed more than a list shows by default is read whole" {
  local n numbers=
  mkdir -p up/data.sec.gov/submissions
  for n in $(seq 100 144); do
    mkdir -p "up/www.sec.gov/Archives/edgar/data/9990001/000999000126000$n"
    printf '<html><body><h1>Report %s</h1><p>Pier %s was dredged, and the harbor board was told of it.</p></body></html>' "$n" "$n" \
      >"up/www.sec.gov/Archives/edgar/data/9990001/000999000126000$n/a.htm"
    numbers="$numbers $n"
  done
  jq --arg n "$numbers" '($n | split(" ") | map(select(. != ""))) as $n | .filings = {files: [], recent: {
    accessionNumber: ($n | map("0009990001-26-000" + .)), filingDate: ($n | map("2026-02-19")), reportDate: ($n | map("2026-02-18")),
    acceptanceDateTime: ($n | map("2026-02-19T16:30:00.000Z")), form: ($n | map("8-K")), items: ($n | map("8.01")),
    primaryDocument: ($n | map("a.htm")), primaryDocDescription: ($n | map("8-K")), size: ($n | map(200))}}' \
    "$BATS_TEST_DIRNAME/data/upstream/data.sec.gov/submissions/CIK0009990001.json" >up/data.sec.gov/submissions/CIK0009990001.json
  list 'TWHL\t8-K'
  BID_SHARED= start
  nightly
  equal "$status" 0
  equal "$(bid-store --json ls | jq .documents)" 45
}

@test "a FRED series that does not exist is a failure, and the others are done" {
  jq -n '{observations: [{date: "2025-01-01", value: "1"}]}' | fred GDP
  printf '{"error_code":400,"error_message":"Bad Request.  The series does not exist."}' | fred GPD __s__400
  list 'economy\t\tfred:GPD' 'economy\t\tfred:GDP'
  start
  nightly
  equal "$status" 1
  equal "$(row 1 '[.done, .failed]')" '[false,{"invalid-request":1}]'
  equal "$(row 2 .done)" true
  contains "$stderr" 'watchlist.tsv:1: economy: FRED has no series'
}

@test "a typo is a failure with its line and the nearest name, and the rest goes on" {
  list '# company' 'TWHL\t10-K\tsec-filngs' 'TWHL\t10-K' '-\t\tsec-frames\t\tconcpt=Assets\tperiod=CY2024' '-\t\tsec-frames\t\tconcept=Assets' \
    'TWHL\t10-K' 'Nosuch Company\t10-K' 'TWHL\t\tsec-filings\tno corpus' 'TWHL\t10-K\tsec-filings\tedgar\tlimit' 'x\t\tfile'
  BID_SHARED= start
  nightly
  equal "$status" 1
  contains "$stderr" "watchlist.tsv:2: there is no source 'sec-filngs'; the nearest is 'sec-filings'"
  contains "$stderr" "watchlist.tsv:4: sec-frames has no parameter 'concpt'; it has concept"
  contains "$stderr" "watchlist.tsv:5: sec-frames needs period"
  contains "$stderr" "watchlist.tsv:6: the same as line 3"
  contains "$stderr" "watchlist.tsv:7: Nosuch Company: "
  contains "$stderr" "watchlist.tsv:8: 'no corpus' is no corpus"
  contains "$stderr" "watchlist.tsv:9: 'limit' is not NAME=VALUE"
  contains "$stderr" "watchlist.tsv:10: 'file' can't be watched"
  equal "$(row 3 .done)" true
  equal "$(total '[.tasks, .done, .refused]')" '[2,1,7]'
  run --separate-stderr bid-nightly --watchlist watchlist.tsv --check
  equal "$status" 1
  contains "$stderr" "watchlist.tsv:2: there is no source"
}

@test "the day of the last run reaches the source" {
  list 'TWHL\t10-K'
  BID_SHARED= start
  nightly
  equal "$(cat "$BID_STATE"/nightly/*.stamp)" 2026-03-04
  BID_NOW=2026-03-09T00:00:00Z nightly
  upstream_log '.path' | grep -q 'daily-index'
  equal "$(cat "$BID_STATE"/nightly/*.stamp)" 2026-03-08
}

@test "a parameter that is called as a member of a task is not taken for it" {
  mkdir con
  export BID_CONNECTORS=$PWD/con
  cat >con/odd.jq <<'JQ'
def declare: {description: "odd", hosts: [], rateLimit: {requestsPerSecond: 9, burstSize: 9},
  parameters: [{name: "refused", description: "a word"}, {name: "since", description: "a day"}]};
def step: {payloads: [{text: "The pier was mended.", contentType: "text/plain", sourceUrl: "odd:1", metadata: {company: "Odd"}}]};
JQ
  list '-\t\todd\todd\trefused=no'
  BID_SHARED= start
  run --separate-stderr bid-nightly --watchlist watchlist.tsv --check
  equal "$status" 0
  nightly
  equal "$(row 1 '[.done, .new]')" '[true,1]'
}

@test "names are data: blanks, quotes, dollars and backquotes of a company or a query" {
  list '$(touch pwned)\t10-K' '`touch pwned`; $(shell touch pwned) %\t10-K' '"a $(touch pwned) b"' 'a b\x27c"d\t10-K'
  BID_SHARED= start
  nightly -j 4
  equal "$status" 1
  equal "$(total '[.tasks, .done, .refused]')" '[4,0,0]' # the search's address has nothing: status 404
  equal "$(find . -name pwned)" ""
  equal "$(cd "$BID_STATE/nightly" && printf '%s\n' * | grep -cv '^[A-Za-z0-9._-]*$')" 0
}

@test "what a watch list is called and says can't do anything to a terminal" {
  local evil=$'\xe2\x80\xaez\xf3\xa0\x81\x81' how
  BID_SHARED= upstream_start
  printf 'NO%sSUCH\t10-K\tsec-filings\tedgar\n"oil%s"\t\tnowhere\n' "$evil" "$evil" >$'list\033[31m'"$evil"
  for how in --json --human; do
    bid-nightly $how --watchlist $'list\033[31m'"$evil" >out 2>err </dev/null || :
    [ $how = --json ] || cat out >>said # JSON has its own escapes
    cat err >>said
  done
  contains "$(cat said)" ":1: NO?z?SUCH: "
  equal "$(LC_ALL=C grep -caP '[\x00-\x08\x0b-\x1f\x7f]|\xe2\x80\xae|\xf3\xa0' said)" 0
}

@test "BID_NIGHTLY_NOTIFY gets the page, the status and where the records are; a command that fails is told" {
  list 'TWHL\t10-K' 'TWHL\t10-K\tsec-filngs'
  BID_SHARED= start
  BID_NIGHTLY_NOTIFY='cat >page; cp "$BID_NIGHTLY_REPORT" records; echo "$BID_NIGHTLY_STATUS" >told' nightly
  equal "$(cat told)" 1
  contains "$(cat page)" "TWHL  sec-filings"
  contains "$(cat page)" "watchlist.tsv:2: TWHL: there is no source"
  equal "$(cat records)" "$output"
  list 'TWHL\t10-K'
  BID_NIGHTLY_NOTIFY='exit 3' nightly
  equal "$status" 1
  contains "$stderr" "BID_NIGHTLY_NOTIFY ended with status 3"
}

@test "--human prints the page on stdout, --quiet nothing on stderr" {
  list 'TWHL\t10-K'
  BID_SHARED= start
  nightly --human
  contains "$output" "TWHL  sec-filings"
  equal "$stderr" ""
  nightly --quiet
  equal "$stderr" ""
  total .done | grep -qx 1
}

@test "a list of which nothing can be watched is status 65" {
  list 'x\t\tsec-nothing'
  start
  nightly
  equal "$status" 65
  contains "$stderr" "no line of it can be watched"
}

@test "an address that has nothing, status 404, is a failure: no stamp moves" {
  list '"port congestion"\t8-K' 'x\t\tfred:NOSERIES'
  BID_SHARED= start
  upstream_fault 'efts.sec.gov/*=404' 'api.stlouisfed.org/*=404'
  nightly
  equal "$status" 1
  equal "$(row 1 '[.done, .failed]')" '[false,{"no-content":1}]'
  equal "$(row 2 '[.done, .failed]')" '[false,{"no-content":1}]'
  equal "$(ls "$BID_STATE"/nightly/*.stamp 2>/dev/null)" ""
}

@test "a check refuses an empty list, and blanks instead of tabs; the example as shipped is not begun" {
  list '# nothing'
  nightly --check
  equal "$status" 65
  contains "$stderr" "watchlist.tsv: names nothing to watch"
  list 'AAPL 10-K' 'Berkshire Hathaway\t10-K' 'MSFT    10-K,10-Q'
  nightly --check
  equal "$status" 1
  contains "$stderr" "watchlist.tsv:1: the fields are separated by blanks; they have to be separated by tabs"
  contains "$stderr" "watchlist.tsv:3: the fields are separated by blanks"
  equal "$(row 2 .company)" '"Berkshire Hathaway"'
  run --separate-stderr env -u BID_WATCHLIST bid-nightly
  equal "$status" 66
  contains "$stderr" "watchlist.tsv: the example as shipped; edit it and remove its first line, or name a list with --watchlist"
  equal "$(ls "$BID_STATE/nightly" 2>/dev/null)" ""
}
