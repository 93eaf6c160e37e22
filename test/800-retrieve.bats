#!/usr/bin/env bats
# bid-retrieve: its rules on recorded answers, with the fault set on purpose.

load helper

ASK="What are the main supply chain risks in the 10-K?"
TENK=www.sec.gov/Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm

setup_file() { if [ -n "$BID_SHARED" ]; then upstream_start; fi; }
teardown_file() { upstream_stop; }
test_setup() {
  export BID_NOW=2026-03-05T00:00:00Z
  upstream_again
}

# A store with the sample in it, made once.
sample_store() {
  if [ ! -e "$BATS_FILE_TMPDIR/sample/store" ]; then
    mkdir -p "$BATS_FILE_TMPDIR/sample"
    bid-fetch --quiet file "$ROOT"/data/sample/*.txt -P corpus=edgar |
      bid-strip | bid-chunk | bid-embed | BID_STORE=$BATS_FILE_TMPDIR/sample/store bid-index >/dev/null
  fi
  mkdir -p "$(dirname "$BID_STORE")"
  cp -r "$BATS_FILE_TMPDIR/sample/store"* "$(dirname "$BID_STORE")/"
}

retrieve() { run --separate-stderr bid-retrieve "$@"; }
got() { printf '%s\n' "$output" | jq -r "$1"; }
documents_fetched() { upstream_log 'select(.path | startswith("/Archives/")) | .path' | wc -l; }

# Each line of $output is a bundle of data/schema/retrieval.json, with exactly the four keys.
valid() {
  printf '%s\n' "$output" | python3 "$ROOT/test/tools/schema.py" "$ROOT/data/schema/retrieval.json" || {
    printf 'not a bundle: %s\n' "$output" | head -c 3000
    false
  }
  equal "$(printf '%s\n' "$output" | jq -c keys | sort -u)" '["edgar","errors","query","rag"]'
  printf '%s\n' "$output" >>"$BATS_FILE_TMPDIR/bundles"
}
messages() { got '.errors | map(.message) | join("; ")'; }
chosen() { printf '%s\n' "$output" | jq -r '[.edgar.filings[]? | .accessionNumber] | join(" ")'; }
tickers() { printf '%s\n' "$output" | jq -r '[.rag.matches[].ticker] | unique | join(" ")'; }

# Stores with filings in them, made once: store COMPANY[:PERIOD]...
stored() {
  local name
  name=$(printf '%s' "$*" | tr -c 'A-Za-z0-9' _)
  if [ ! -e "$BATS_FILE_TMPDIR/$name/store" ]; then
    mkdir -p "$BATS_FILE_TMPDIR/$name"
    local one
    for one in "$@"; do
      bid-fetch --quiet sec-filings -e "${one%%:*}" -p "${one##*:}" --content -P parts=primary
    done | bid-strip -q | bid-chunk -q | bid-embed --quiet | BID_STORE=$BATS_FILE_TMPDIR/$name/store bid-index -q >/dev/null
  fi
  mkdir -p "$(dirname "$BID_STORE")"
  cp -r "$BATS_FILE_TMPDIR/$name/store"* "$(dirname "$BID_STORE")/"
}
offline() {
  upstream_stop
  export BID_CONNECT_TO=127.0.0.1:1
}

@test "the year or quarter that is asked for is read, not the newest report" {
  need_shared
  retrieve "TSLA Q2 2025 revenue"
  equal "$status" 0
  valid
  equal "$(chosen)" 0001628280-25-035806
  equal "$(got '[.rag.matches[] | .form + " " + .reportDate] | unique | join(",")')" "10-Q 2025-06-30"
  retrieve "Apple's effective tax rate in fiscal 2015"
  valid
  equal "$(chosen)" 0001193125-15-356351
  equal "$(tickers)" ""
  contains "$(messages)" "no document of Apple Inc. (AAPL) is in the store"
  contains "$(messages)" "/d17062d10k.htm"
}

@test "names as people type them lead to their company, several that may be meant are refused" {
  need_shared
  stored AAPL:FY-2025
  retrieve --no-edgar -e "Coca-Cola" "net operating revenues"
  valid
  contains "$(messages)" "no document of COCA COLA CO (KO) is in the store"
  equal "$(tickers)" ""
  retrieve --no-edgar -e Liberty "net operating revenues"
  equal "$status" 64
  valid
  equal "$(got '.errors[0].category')" invalid-request
  contains "$(messages)" "Liberty Media Corp"
  equal "$(got .query)" "net operating revenues"
}

@test "a form that the store lacks is read; offline it is said to be missing" {
  need_shared
  stored AAPL:FY-2025
  retrieve --no-edgar -e AAPL "What does the latest 10-Q say about net sales?"
  equal "$status" 1
  valid
  equal "$(tickers)" ""
  contains "$(messages)" "no 10-Q of Apple Inc. (AAPL) is in the store; there are: 10-K"
  BID_NOW=2025-08-20T00:00:00Z retrieve -e AAPL "What does the latest 10-Q say about net sales?"
  equal "$status" 0
  valid
  equal "$(got '[.rag.matches[] | .form + " " + .filingDate] | unique | join(",")')" "10-Q 2025-08-01"
}

@test "what a proxy statement tells is looked for in it, besides the reports" {
  need_shared
  stored AAPL:FY-2025
  retrieve -e AAPL "How much does Tim Cook get paid?"
  valid
  equal "$(got '.edgar.filings[0].form')" "DEF 14A"
  equal "$(got '.rag.matches[0].form')" "DEF 14A"
  retrieve -e AAPL "How much does Apple pay for share-based compensation?"
  equal "$(got '[.edgar.filings[].form] | unique | join(" ")')" "10-K 10-Q"
}

@test "the latest 10-K is read where the store has an older one" {
  need_shared
  stored AAPL:FY-2024
  retrieve -e AAPL "What does the latest 10-K say about competition?"
  equal "$status" 0
  valid
  equal "$(got '[.rag.matches[].filingDate] | unique | join(",")')" 2025-10-31
}

@test "the previous 10-K is the one before the latest, in passages and figures, stored or not" {
  local round
  need_shared
  stored AAPL:FY-2025
  for round in listed stored; do
    retrieve -e AAPL "What does the previous 10-K say about competition?"
    equal "$status" 0
    valid
    equal "$round $(got '[.rag.matches[].filingDate] | unique | join(",")')" "$round 2024-11-01"
  done
  retrieve "Apple's revenue in its previous 10-K"
  equal "$(got '[.edgar.facts[] | "\(.value) \(.end)"] | join(",")')" "391035000000 2024-09-28"
  retrieve "Apple's gross profit in its previous 10-Q" # Q3 2025: the fourth quarter has none
  equal "$(got '[.edgar.facts[] | .end] | join(",")')" "2025-06-28"
}

@test "a period that the question names and -p rules out is told in the bundle" {
  need_shared
  stored AAPL:FY-2024
  retrieve -e AAPL -p FY-2024 "net sales in fiscal 2023"
  equal "$status" 0
  valid
  contains "$(got '.errors[] | select(.category == "invalid-request") | .message')" "names fiscal 2023, but only fiscal 2024"
}

@test "offline, an answer from an older filing than the last listing has says that it is stale" {
  need_shared
  stored AAPL:FY-2024
  new_cache
  bid-fetch --quiet sec-filings -e 320193 -f 10-K -n 1 >/dev/null
  offline
  retrieve -e AAPL "What does the latest 10-K say about competition?"
  equal "$status" 0
  valid
  equal "$(got '[.rag.matches[].filingDate] | unique | join(",")')" 2024-11-01
  contains "$(got '.errors[] | select(.category == "stale") | .sourceUrl')" "aapl-20250927.htm"
}

@test "a company that is not there is never answered with another one's passages" {
  need_shared
  stored AAPL:FY-2025 TSLA:FY-2024
  retrieve --no-edgar "What were Walmart's net sales?"
  equal "$status" 1
  valid
  equal "$(tickers)" ""
  contains "$(messages)" "no document of Walmart Inc. (WMT) is in the store"
}

@test "a company of middling confidence is asked for at EDGAR, and nobody else's headcount is given as its" {
  need_shared
  stored TSLA:FY-2024
  retrieve --no-edgar "apple employees 2025"
  equal "$status" 1
  equal "$(tickers)" ""
  retrieve "apple employees 2025"
  equal "$status" 0
  valid
  equal "$(tickers)" "AAPL"
}

@test "an 8-K told by what happened is read from its year, though newer ones of its item are there" {
  need_shared
  local folder=up/www.sec.gov/Archives/edgar/data/320193/000114036124038601
  mkdir -p up/efts.sec.gov/LATEST "$folder"
  printf '<html><body><p>On August 26, 2024, Apple Inc. announced that Kevan Parekh, its Vice President, will become its new Chief Financial Officer.</p></body></html>' \
    >"$folder/ny20033611x3_8k.htm"
  jq -n '{hits: {total: {value: 1, relation: "eq"}, hits: [{_id: "0001140361-24-038601:ny20033611x3_8k.htm", _score: 1, _source: {form: "8-K", file_type: "8-K",
    file_date: "2024-08-26", period_ending: "2024-08-22", items: ["5.02"], ciks: ["0000320193"]}}]}}' \
    >"up/efts.sec.gov/LATEST/search-index__q__$(jq -rn '"q=named new cfo&forms=8-K&dateRange=custom&startdt=2001-01-01&enddt=2026-03-05&ciks=0000320193&from=0" | @uri')"
  upstream_start --root "$PWD/up"
  retrieve "the 8-K where Apple named its new CFO"
  equal "$status" 0
  valid
  equal "$(chosen)" 0001140361-24-038601
  equal "$(got '[.rag.matches[].filingDate] | unique | join(",")')" 2024-08-26
  equal "$(messages)" ""
  upstream_fault 'efts.sec.gov/*=404'
  BID_CACHE=$PWD/other retrieve "the 8-K where Apple named its next CFO" # a failure of the search hides nothing
  contains "$(chosen)" 0001140361-26-000199
  contains "$(messages)" "the full-text search can't be asked"
}

@test "a comparison reads and answers both companies, -e may be given twice" {
  need_shared
  retrieve "Compare the gross margin of Apple and Tesla in fiscal 2024"
  equal "$status" 0
  valid
  equal "$(chosen)" "0000320193-24-000123 0001628280-25-003063"
  equal "$(tickers)" "AAPL TSLA"
  retrieve --no-edgar -e AAPL -e TSLA "gross margin"
  equal "$(tickers)" "AAPL TSLA"
}

@test "a question for a figure brings what the company reported in XBRL" {
  need_shared
  retrieve "What was Apple's revenue in fiscal 2024?"
  equal "$status" 0
  valid
  equal "$(got '.edgar.facts[0] | [.ticker, .asked, .fiscalYear, .value] | @csv')" '"AAPL","Revenue",2024,391035000000'
  retrieve -e AAPL "What are the supply chain risks?"
  equal "$(got '.edgar.facts')" null
}

@test "a question for all companies that meet a condition is answered by a screen, by no company's passage" {
  need_shared
  local q
  retrieve "What was Apple's revenue in fiscal 2025?"
  for q in "all companies with R&D over 40% of revenue, 2023" "Which companies spent more than 40% of revenue on R&D in 2023?"; do
    retrieve "$q"
    equal "$status" 0
    valid
    equal "$(got '.rag.matches | length')" 0
    equal "$(got '.edgar.facts[] | [.company, .label, .value] | @csv')" '"SNOWFLAKE INC.","R&D / revenue",0.458918'
    contains "$(messages)" "bid facts --screen 'R&D / revenue > 40%' -p CY2023"
  done
  run --separate-stderr bid-search --human "companies with a gross margin above 60% in 2023"
  equal "$status" 1
  contains "$stderr" "bid facts --screen 'gross margin > 60%' -p 2023"
  retrieve "Which companies does Apple compete with?"
  [ "$(got '.rag.matches | length')" -gt 0 ]
}

@test "people see what a derived figure is derived from, with the filings" {
  need_shared
  run --separate-stderr bid-retrieve --format=text -e AAPL "Apple net income Q4 2025"
  contains "$output" "27,466 million"
  contains "$output" "+ 112,010 million USD, NetIncomeLoss"
  contains "$output" "- 84,544 million USD, NetIncomeLoss"
  contains "$output" "000032019325000073"
}

@test "a question about another company than the given one: that is said, and no figure is looked for" {
  need_shared
  retrieve -e AAPL "Tesla's revenue in fiscal 2024"
  valid
  equal "$(got '.edgar.facts')" null
  equal "$(got '.errors[0] | [.category, .message] | @csv')" '"invalid-request","the question is about Tesla, Inc., but only Apple Inc. is searched"'
  retrieve -e AAPL "Apple's revenue in fiscal 2024, from sales to Tesla"
  equal "$(got '[.errors[] | select(.category == "invalid-request")] | length')" 0
}

@test "where a passage prints another figure than XBRL has, the bundle says so" {
  need_shared
  retrieve -e AAPL "What was Apple's revenue in fiscal 2025?"
  equal "$(got '[.edgar.facts[0].value, .edgar.disagreements] | tojson')" '[416161000000,null]'
  rm -f "$BID_STORE"*
  bid-fetch sec-filings -e AAPL -f 10-K -n 1 --content | bid-strip | sed 's/416,161/461,161/g' | bid-chunk | bid-embed | bid-index >/dev/null
  retrieve -e AAPL "What was Apple's revenue in fiscal 2025?"
  equal "$status" 0
  valid
  equal "$(got '.edgar.disagreements[] | [.label, .fiscalYear, .value, .accessionNumber, .row, .printed] | tojson')" \
    '["Revenue",2025,416161000000,"0000320193-25-000079","Total net sales","$461,161"]'
  equal "$(got '.edgar.disagreements[0].rank as $r | .rag.matches[$r - 1].text | contains("$461,161")')" true
  contains "$(bid-retrieve --human -e AAPL "What was Apple's revenue in fiscal 2025?" 2>&1)" 'prints $461,161 for Total net sales, XBRL has 416,161 million USD (0000320193-25-000079)'
}

@test "people read the figure first, with its filing, and whether the passages answer" {
  need_shared
  stored AAPL:FY-2025
  COLUMNS=160 run --separate-stderr bid-retrieve --format text "Apple revenue fiscal 2025"
  equal "$status" 0
  equal "${lines[0]}" "Reported figures"
  equal "${lines[1]}" "   Apple Inc.: Revenue, FY 2025 (2024-09-29 to 2025-09-27): 416,161 million USD; 10-K filed 2025-10-31, 0000320193-25-000079"
  contains "${lines[2]}" "https://www.sec.gov/Archives/edgar/data/320193/000032019325000079/"
  equal "${lines[3]}" "Answered here: likely."
  contains "$output" "relevance: high, page 36"
  [[ $output != *score* ]]
  run --separate-stderr bid-retrieve --format html "Apple revenue fiscal 2025"
  contains "$output" "<li>Apple Inc.: Revenue, FY 2025 (2024-09-29 to 2025-09-27): 416,161 million USD;"
  contains "$output" "Answered here: likely."
  contains "$output" "relevance: high"
}

@test "a ratio among the reported figures is in percent" {
  need_shared
  stored AAPL:FY-2025
  run --separate-stderr bid-retrieve --format text -e AAPL "Apple gross margin fiscal 2025"
  contains "$output" "Apple Inc.: Gross margin, FY 2025 (2024-09-29 to 2025-09-27): 46.9 %"
}

@test "a balance is not held against a change among the cash flows" {
  need_shared
  stored AAPL:FY-2024
  retrieve "Apple inventories at the end of fiscal 2024"
  equal "$(got '[.rag.matches[] | select(.text | test("[|] *Inventories [|] [(]1,046[)]"))] | length > 0')" true
  equal "$(got '[.edgar.facts[0].value, .edgar.disagreements] | tojson')" '[7286000000,null]'
}

@test "why nothing could be read stands before what there is to do" {
  need_shared
  retrieve -e IBM "IBM revenue 1999"
  contains "$(got '.errors[0].message')" "EDGAR's list of its filings can't be had: there is nothing at https://data.sec.gov/submissions/"
  contains "$(got '.errors[-1].message')" "must be indexed first"
}

@test "a batch brings figures as single questions do, one fetch for a company's" {
  need_shared
  stored AAPL:FY-2025
  printf '%s\n' '{"query":"What were net sales?","entity":{"id":"AAPL"}}' '{"query":"What are the supply chain risks?","entity":{"id":"AAPL"}}' \
    '{"query":"How much was net income?","entity":{"id":"AAPL"}}' >jobs
  run --separate-stderr bid-retrieve <jobs
  equal "$status" 0
  valid
  equal "$(jq -c '[.edgar.facts[0].asked]' <<<"$output" | paste -sd' ')" '["Revenue"] [null] ["Net income"]'
  equal "$(upstream_log 'select(.path | contains("companyfacts")) | .path' | wc -l)" 1
}

@test "options stand before or after the question" {
  need_shared
  stored AAPL:FY-2025
  retrieve "gross margin" -e AAPL --no-edgar
  equal "$status" 0
  valid
  equal "$(got .query)" "gross margin"
}

@test "as many passages as are asked for" {
  need_shared
  run --separate-stderr bid-retrieve --json -n 2 -e AAPL -f 10-K "What does the 10-K say about competition?"
  equal "$(jq '.rag.matches | length' <<<"$output")" 2
  run --separate-stderr bid-retrieve --json --no-edgar -n 7 -e AAPL "What does the 10-K say about competition?"
  equal "$(jq '.rag.matches | length' <<<"$output")" 7
  for n in 0 x -1 1001; do
    run --separate-stderr bid-retrieve --json -n "$n" -e AAPL "competition"
    equal "$status" 64
  done
}

@test "a job's asOf, since, period and limit hold in every step" {
  need_shared
  run --separate-stderr bid-retrieve <<'END'
{"query":"What does the 10-K say about competition?","entity":{"id":"AAPL"},"asOf":"2025-01-15"}
{"query":"What about competition?","entity":{"id":"TSLA"},"filingTypes":["10-Q"],"period":"Q2-2025"}
{"query":"What does the 10-K say about competition?","entity":{"id":"AAPL"},"since":"2024-09-01","limit":1}
END
  equal "$status" 0
  equal "${#lines[@]}" 3
  valid
  equal "$(jq -r '[.rag.matches[].filingDate] | unique | join(",")' <<<"${lines[0]}")" 2024-11-01
  equal "$(jq -r '[.edgar.filings[].accessionNumber] | join(",")' <<<"${lines[0]}")" 0000320193-24-000123
  equal "$(jq -r '[.edgar.filings[].accessionNumber] | join(",")' <<<"${lines[1]}")" 0001628280-25-035806
  equal "$(jq -r '[.rag.matches[].form] | unique | join(",")' <<<"${lines[1]}")" 10-Q
  equal "$(jq -r '.edgar.filings | length' <<<"${lines[2]}")" 1
}

@test "a batch: a valid bundle for every line, in order, bad ones among them" {
  need_shared
  stored AAPL:FY-2025
  printf '%s\n' '{"query":"What are the supply chain risks?","entity":{"id":"AAPL"}}' 'not json' '{"noquery":1}' \
    '{"query":"What does the 10-Q for Q2 2025 say on revenue?","entity":{"id":"TSLA"}}' \
    '{"query":"net sales","entity":{"id":"Liberty"}}' '{"query":"What were Walmart'"'"'s net sales?","filingTypes":["40-F"]}' >jobs
  run --separate-stderr bid-retrieve <jobs
  equal "$status" 1 # some failed
  equal "$stderr" ""
  equal "${#lines[@]}" 6
  valid
  equal "$(jq -r '[.rag.matches[].ticker] | unique | join(" ")' <<<"$output" | paste -sd,)" "AAPL,,,TSLA,,"
  contains "${lines[1]}" "not a JSON object"
  contains "${lines[2]}" '"invalid-request"'
  equal "$(jq -r .query <<<"${lines[4]}")" "net sales"
  contains "${lines[4]}" "Liberty Media Corp"
  equal "$(jq -r '.edgar.filings[0].accessionNumber' <<<"${lines[3]}")" 0001628280-25-035806
}

@test "several companies of a batch share the one rate budget: never two SEC requests at once" {
  need_shared
  export BID_HASTE=1 # the pace is what is tested
  printf '%s\n' '{"question":"gross margin in fiscal 2024","entity":{"id":"AAPL"}}' \
    '{"question":"automotive gross margin in fiscal 2024","entity":{"id":"TSLA"}}' '{"question":"gross margin in fiscal 2024","entity":{"id":"MSFT"}}' >jobs
  run --separate-stderr bid-retrieve <jobs
  valid
  equal "$(jq -r .query <<<"$output" | head -n 1)" "gross margin in fiscal 2024"
  upstream_log 'select(.host | endswith("sec.gov")) | [.start, .end]' >requests
  [ "$(wc -l <requests)" -ge 6 ]
  equal "$(jq -s 'sort | [range(1; length) as $i | select(.[$i][0] < .[$i - 1][1])] | length' requests)" 0
  equal "$(jq -s 'sort | [range(10; length) as $i | select(.[$i][0] - .[$i - 10][0] < 1)] | length' requests)" 0
}

@test "-f may be given twice: both forms are looked at" {
  need_shared
  stored AAPL:FY-2025
  retrieve --no-edgar -e AAPL -f 10-K -f 10-Q "competition"
  equal "$status" 0
  valid
  equal "$(got '[.rag.matches[].form] | unique | join(" ")')" 10-K
  retrieve --no-edgar -e AAPL -f 8-K -f 10-Q "competition"
  equal "$status" 1
  contains "$(messages)" "no 10-Q or 8-K of Apple Inc. (AAPL) is in the store"
}

@test "the script decides nothing: it takes no record apart but by jq, and has no list of names" {
  run grep -nE '(grep|sed|awk|cut|tr) |Inc|Corp|10-K' <(sed -n '/^take_option/,$p' "$ROOT/pipelines/bid-retrieve")
  equal "$output" ""
}

@test "a filing that several jobs of a batch want is asked for once, and all say what became of it" {
  need_shared
  for i in 1 2 3 4; do printf '{"query":"What does the 8-K of 2026-02-24 say, %d?","entity":{"id":"AAPL"}}\n' "$i"; done >jobs
  run --separate-stderr bid-retrieve <jobs
  valid
  equal "$(upstream_log 'select(.path | endswith("ef20060722_8k.htm")) | .path' | sort | uniq -c | awk '{ print $1 }' | sort -u)" 1
  equal "$(printf '%s\n' "$output" | jq -c '[.errors[] | select(.sourceUrl) | .sourceUrl] | length > 0' | sort -u)" true
}

@test "nothing is said on stderr that is mended, and each error once" {
  need_shared
  retrieve -e AAPL "$ASK"
  equal "$status" 0
  equal "$stderr" ""
  upstream_fault 'data.sec.gov/*=503'
  rm -rf "$BID_STORE"*
  new_cache
  retrieve -e AAPL "$ASK"
  valid
  equal "$(got '[.errors[].message] | length')" "$(got '[.errors[].message] | unique | length')"
}

@test "an empty store: the newest 10-K is read and answers; again reads nothing" {
  need_shared
  retrieve -e AAPL "$ASK"
  equal "$status" 0
  valid
  equal "$(got '.rag.matches | length')" 5
  equal "$(got '[.rag.matches[] | .form + " " + .filingDate] | unique | join(",")')" "10-K 2025-10-31"
  equal "$(got '.edgar.attempt.ingested')" 1
  equal "$(got '.edgar.filings[0] | [.form, .filingDate, .accessionNumber, .recent, .ingested] | @csv')" '"10-K","2025-10-31","0000320193-25-000079",true,true'
  equal "$(got .errors)" "[]"
  local before
  before=$(documents_fetched)
  retrieve -e AAPL "$ASK"
  equal "$status" 0
  valid
  equal "$(got '.edgar.attempt.ingested')" 0
  equal "$(documents_fetched)" "$before"
}

@test "an empty store: the question is planned once, EDGAR and the figures asked once, the store searched twice" {
  need_shared
  local program
  mkdir programs
  for program in "$BID_BIN"/bid*; do
    printf '#!/bin/sh\necho %s >>%s/started\nexec %s "$@"\n' "${program##*/}" "$PWD" "$program" >"programs/${program##*/}"
  done
  chmod +x programs/*
  BID_BIN=$PWD/programs retrieve -e AAPL "$ASK"
  equal "$status" 0
  equal "$(sort started | uniq -c | awk '$2 ~ /plan|search|fetch|facts/ { print $2, $1 }' | paste -sd,)" "bid-facts 1,bid-fetch 1,bid-plan 1,bid-search 2"
}

@test "a comparison of more filings than are read at once goes on where it stopped, and shows what is there" {
  need_shared
  local ask="Compare Apple's supply chain risks in the 10-K of fiscal 2022, 2023, 2024 and 2025"
  retrieve "$ask"
  equal "$status" 0
  equal "$(got '[.edgar.filings[].filingDate] | sort | join(" ")')" "2023-11-03 2024-11-01 2025-10-31"
  equal "$(got '[.rag.matches[].reportDate] | unique | join(" ")')" "2024-09-28 2025-09-27"
  contains "$(messages)" "the 10-K of 2022-10-28 was left out: at most 3 filings a question; asked again, it goes on"
  retrieve "$ask"
  equal "$(got '[.edgar.filings[].filingDate] | sort | join(" ")')" "2022-10-28 2023-11-03 2024-11-01 2025-10-31"
  equal "$(got '[.rag.matches[].reportDate] | unique | join(" ")')" "2024-09-28 2025-09-27"
  [[ $(messages) != *"was left out"* ]]
}

@test "a stored report that doesn't tell its fiscal period is not missing" {
  need_shared
  bid-fetch --quiet file "$BID_SHARED"/upstream/www.sec.gov/Archives/edgar/data/320193/000091205700023442/*.txt -P corpus=edgar |
    bid-strip -q | bid-chunk -q | bid-embed --quiet | bid-index -q >/dev/null
  retrieve --no-edgar "Apple's 10-Q for Q2 2000: net sales"
  equal "$(got '[.rag.matches[].reportDate] | unique | join(" ")')" 2000-04-01
  equal "$(messages)" ""
  retrieve --no-edgar "Apple's 10-Q for Q2 2001: net sales"
  contains "$(messages)" "no 10-Q of Apple Inc. (AAPL) for Q2 2001 is in the store"
}

@test "a company that only the question names is looked up, and a name that nobody has is said" {
  need_shared
  sample_store
  retrieve "What are Apple's main supply chain risks?"
  equal "$status" 0
  valid
  equal "$(got '[.rag.matches[].company] | unique | join(",")')" "Apple Inc."
  equal "$(got '[.edgar.filings[] | select(.ingested) | .accessionNumber] | join(",")')" "0000320193-25-000079"
  retrieve "What is Renazorb?"
  equal "$status" 1
  valid
  equal "$(got '.rag.matches | length')" 0
  contains "$(messages)" "'Renazorb', and it is no company on the SEC's list of"
}

@test "a job that finds nothing has filings read for its own question and form" {
  need_shared
  sample_store
  run --separate-stderr bid-retrieve <<<'{"query":"What are the main supply chain risks?","entity":{"id":"AAPL"},"filingTypes":["10-K"]}'
  equal "$status" 0
  equal "$(got .query)" "What are the main supply chain risks?"
  equal "$(got '.rag.matches | length')" 5
  equal "$(got '[.edgar.filings[].form] | unique | join(",")')" "10-K"
}

@test "rule 1: a form named with a company brings its links whatever the search found" {
  need_shared
  sample_store
  retrieve -e AAPL "What did the 8-K say?"
  valid
  equal "$(got '[.edgar.filings[].form] | unique | join(",")')" "8-K"
  retrieve -e AAPL "Which insider trades were there?"
  valid
  equal "$(got '.edgar.forms | index("4") != null')" true
  retrieve -e TWHL "What does the annual report say about fuel?"
  valid
  equal "$status" 0
  [ "$(got '.rag.matches | length')" -gt 0 ]
  equal "$(got '[.edgar.filings[] | .form + " " + .filingDate] | join(",")')" "10-K 2026-02-19"
}

@test "rule 2: no collection and no way to EDGAR says what to index, and how" {
  retrieve "What is the meaning of net sales?"
  equal "$status" 66
  valid
  equal "$(got '.errors[0].category')" "no-collection"
  contains "$(got '.errors[0].message')" "must be indexed first"
  contains "$(got '.errors[0].message')" "bid-ingest"
  retrieve --no-edgar -e AAPL "$ASK"
  equal "$(got '.errors[0].category')" "no-collection"
  equal "$(got .edgar)" null
}

@test "rule 3: never more than three filings, whatever fails" {
  need_shared
  retrieve -e TSLA "What happened to deliveries?"
  valid
  [ "$(documents_fetched)" -le 3 ]
  [ "$(got '.edgar.filings | map(select(.ingested)) | length')" -le 3 ]
  rm -rf "$BID_STORE"*
  new_cache
  upstream_again
  upstream_fault 'www.sec.gov/Archives/*=500'
  retrieve -e TSLA "What happened to deliveries?"
  valid
  equal "$(got '.rag.matches | length')" 0
  [ "$(upstream_log 'select(.path | startswith("/Archives/")) | .path' | sort -u | wc -l)" -le 3 ]
}

@test "rule 3: what was filed after --as-of does not exist" {
  need_shared
  retrieve -e AAPL --as-of 2025-09-01 "What are the risks in the quarterly report?"
  valid
  [ "$(got '[.edgar.filings[].filingDate] | max')" \< 2025-09-02 ]
  equal "$(got '.edgar.filings[0].filingDate')" 2025-08-01
}

@test "rule 4: a company that nobody knows is said, one that only the store knows is answered" {
  need_shared
  retrieve -e QQXYZ "$ASK"
  equal "$status" 64
  valid
  equal "$(got '.errors | map(.category) | join(" ")')" "invalid-request"
  contains "$(got '.errors[0].message')" "QQXYZ"
  sample_store
  retrieve -e TWHL "What does the 10-K say about its biggest customer?"
  equal "$status" 0
  valid
  [ "$(got '.rag.matches | length')" -gt 0 ]
  equal "$(got .errors)" "[]"
}

@test "rule 5: a store with an answer and EDGAR down, blocked or slow: matches and an error" {
  need_shared
  sample_store
  local fault
  for fault in 'data.sec.gov/*=503' '*=block' '*=429:1' '*=reset'; do
    rm -rf "$BID_STATE"
    new_cache
    upstream_fault "$fault"
    retrieve -e TWHL "What does the 10-K say about its biggest customer?"
    [ "$status" -eq 0 ] || { echo "$fault: $status $output $stderr"; false; }
    valid
    [ "$(got '.rag.matches | length')" -gt 0 ]
    [ "$(got '.errors | length')" -ge 1 ]
  done
}

@test "rule 5: EDGAR works and the store does not: links and an error" {
  need_shared
  mkdir -p "$(dirname "$BID_STORE")"
  head -c 100000 /dev/urandom >"$BID_STORE"
  retrieve -e AAPL "$ASK"
  [ "$status" -ne 0 ]
  valid
  equal "$(got '.edgar.filings[0].accessionNumber')" 0000320193-25-000079
  equal "$(got '.rag.matches | length')" 0
  [ "$(got '.errors | length')" -ge 1 ]
  contains "$(got '.errors | map(.stage) | join(" ")')" "search"
}

@test "rule 5: a folder that can't be made keeps filings from being read, not links from being shown" {
  need_shared
  mkdir -p "$BID_STATE"
  touch "$BID_STATE/retrieve"
  retrieve -e AAPL "$ASK"
  contains "$stderr" "bid-retrieve: $BID_STATE/retrieve: can't be written, so no filing is read; set BID_STATE"
  equal "$(got '.edgar.filings[0].accessionNumber')" 0000320193-25-000079
  rm "$BID_STATE/retrieve"
  mkdir -p "$BID_STATE/retrieve/read.lock"
  retrieve -e AAPL "$ASK"
  contains "$stderr" "can't be written, so no filing is read"
  rmdir "$BID_STATE/retrieve/read.lock"
  ln -s "$PWD/planted" "$BID_STATE/retrieve/read.lock"
  retrieve -e AAPL "$ASK"
  equal "$status" 78
  [ ! -e planted ]
}

@test "rule 5: one of the filings can't be read: the others count" {
  need_shared
  retrieve -e AAPL --since 2024-09-01 -f 10-K "What are the main supply chain risks?"
  valid
  equal "$(got .query)" "What are the main supply chain risks?"
  rm -rf "$BID_STORE"* "$BID_STATE"
  new_cache
  upstream_fault "$TENK=truncate:1000"
  retrieve -e AAPL --since 2024-09-01 -f 10-K "What are the main supply chain risks?"
  equal "$status" 0
  valid
  equal "$(got '[.rag.matches[].filingDate] | unique | join(",")')" 2024-11-01
  [ "$(got '.errors | length')" -ge 1 ]
}

@test "rule 6: two at the same time read once" {
  need_shared
  bid-retrieve -e AAPL "$ASK" >one 2>/dev/null &
  local first=$!
  bid-retrieve -e AAPL "$ASK" >two 2>/dev/null &
  wait "$first" "$!"
  equal "$(jq -s 'map(.rag.matches | length) | add' one two)" 10
  equal "$(jq -s 'map(.edgar.attempt.ingested) | add' one two)" 1
  equal "$(upstream_log 'select(.path | endswith("aapl-20250927.htm")) | .path' | wc -l)" 1
}

@test "hostile words stay words" {
  sample_store
  offline
  local long
  long=$(head -c 10000 /dev/zero | tr '\0' 'a')
  retrieve --no-edgar -e "'; rm -rf ~ #" "anything"
  valid
  retrieve --no-edgar "say \"quoted\" \$HOME \`id\` \$(id) 'single'
and a new line	with a tab about Tidewrack"
  valid
  contains "$(got .query)" '$(id)'
  retrieve --no-edgar "$long"
  valid
  retrieve --no-edgar ""
  valid
  [ -d "$HOME" ]
}

@test "jobs on stdin are answered in their order, one bundle each" {
  sample_store
  offline
  printf '%s\n' '{"query":"Who is the biggest customer?","entity":{"id":"TWHL"}}' '{"query":"How big is the order book?","entity":{"id":"PLCD"}}' \
    '{"noquery":1}' '{"query":"zzz qqq"}' >jobs
  run --separate-stderr bid-retrieve --no-edgar <jobs
  equal "${#lines[@]}" 4
  contains "${lines[0]}" "Norrbery"
  [[ ${lines[1]} == *[Bb]acklog\ was\ \$* ]]
  contains "${lines[2]}" '"invalid-request"'
  contains "${lines[3]}" '"matches":[]'
}

@test "no temporary file is left behind when it is killed in the middle" {
  need_shared
  export TMPDIR=$BATS_TEST_TMPDIR/tmp
  mkdir -p "$TMPDIR"
  upstream_fault '*.htm=slow:2'
  setsid bid-retrieve -e AAPL "$ASK" >/dev/null 2>&1 &
  sleep 0.7
  kill -9 -- -$! 2>/dev/null || true
  wait $! 2>/dev/null || true
  equal "$(find "$TMPDIR" -type f)" ""
  upstream_fault
  retrieve -e AAPL "$ASK"
  equal "$status" 0
  equal "$(got '.rag.matches | length')" 5
}

@test "the latest second quarter is that quarter's report, and figures alone are an answer" {
  need_shared
  retrieve --json "Apple revenue Q2"
  equal "$status" 0
  equal "$(got '[.edgar.filings[] | .reportDate] | unique | tojson')" '["2025-03-29"]'
  equal "$(got '[.edgar.facts[0] | .fiscalPeriod, .value] | tojson')" '["Q2",95359000000]'
}

@test "an unknown name is not answered from whoever is stored" {
  sample_store
  local question why
  while IFS='|' read -r question why; do
    retrieve --no-edgar "$question"
    valid
    equal "$question $(got '.rag.matches | length')" "$question 0"
    contains "$(messages)" "$why"
  done <<'QUESTIONS'
What does ZZZZQ say in its 10-K about tariffs?|'ZZZZQ', and it is no company on the SEC's list of
OpenAI revenue 2024|'OpenAI', and it is no company on the SEC's list of
$ZZZZQ 10-K|'ZZZZQ', and it is no company on the SEC's list of
Twitter risk factors|no document of Twitter is in the store
C net income 2023|no document of CITIGROUP INC (C) is in the store
T revenue 2023|no document of AT&T INC. (T) is in the store
SolarCity's revenue in 2015|'SolarCity' is part of Tesla, Inc. only since 2016-11-21
QUESTIONS
  retrieve --no-edgar -e "" "risk factors"
  equal "$(got '.rag.matches | length')" 0
  contains "$(messages)" "the company is empty"
}

@test "a filing that is asked for itself is not answered from other reports" {
  sample_store
  retrieve --no-edgar -e TWHL "Show the S-1"
  equal "$(got '.rag.matches | length')" 0
  contains "$(messages)" "no S-1 of Tidewrack Harbor Logistics"
  retrieve --no-edgar -e TWHL "What does the S-1 say about vessels?"
  equal "$(got '.rag.matches | length > 0')" true
}

@test "every bundle of the tests above is parsed by the Pydantic models" {
  local python=$ROOT/.venv-extras/bin/python
  [ -s "$BATS_FILE_TMPDIR/bundles" ] || skip "none was made"
  "$python" -c 'import pydantic.version; assert pydantic.version.VERSION >= "2"' 2>/dev/null || skip "pydantic is not installed (make extras)"
  "$python" "$ROOT/test/tools/typed.py" Bundle "$BATS_FILE_TMPDIR/bundles"
}
