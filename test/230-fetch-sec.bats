#!/usr/bin/env bats
# bid-fetch: the connectors of EDGAR on recorded answers: look-up, filing lists, documents, insiders,
# full text, daily index.

load helper
load recorded

# Look-up -----------------------------------------------------------------------------------------------------

@test "a ticker is found, in any case" {
  need_shared
  fetch sec-filings -e aapl -f 10-K -n 1
  equal "$status" 0
  equal "$(meta '[.cik, .ticker, .company]')" '["0000320193","AAPL","Apple Inc."]'
}

@test "a name and a CIK are found without a look-up" {
  need_shared
  fetch sec-filings -e 'apple inc' -f 10-K -n 1
  equal "$(meta .cik)" '"0000320193"'
  fetch sec-filings -e 320193 -f 10-K -n 1
  equal "$(meta .cik)" '"0000320193"'
  equal "$(upstream_log .path | grep -c company_tickers)" 0
}

@test "a ticker with a dot is the SEC's with a dash" {
  need_shared
  fetch sec-submissions -e BRK.B -n 1
  equal "$(meta .cik)" '"0001067983"'
}

@test "several names that begin so are listed" {
  need_shared
  fetch sec-filings -e Prudential
  failed invalid-request 64 'look-up failed for "Prudential"'
  contains "$output" 'PRUDENTIAL FINANCIAL INC (PRU, CIK 0001137774)'
  contains "$output" 'PRUDENTIAL PLC (PUK, CIK 0001116578)'
}

@test "a name in use leads to its company without a look-up" {
  need_shared
  for name in Apple 'apple computer'; do
    fetch sec-submissions -e "$name" -n 1
    equal "$status" 0
    equal "$(meta '[.cik, .ticker]')" '["0000320193","AAPL"]'
  done
  fetch sec-submissions -e Google # known, though its list is not recorded
  contains "$output" CIK0001652044
  equal "$(upstream_log .path | grep -c company_tickers)" 0
}

@test "a name that is right only with a typing error is asked back" {
  need_shared
  fetch sec-filings -e Aplle
  failed invalid-request 64 'look-up failed for "Aplle"'
  contains "$output" 'Apple Inc. (AAPL, CIK 0000320193)'
}

@test "an unknown ticker says that the look-up failed, with near names" {
  need_shared
  fetch sec-edgar -e AAPLX
  failed invalid-request 64 'ticker/CIK look-up failed for "AAPLX"'
  contains "$output" '(AAPL, CIK 0000320193)'
}

@test "only near names are called near, and several tickers in one name are told apart" {
  need_shared
  fetch sec-edgar -e NOSUCH
  failed invalid-request 64 'EDGAR knows no such ticker, name or CIK'
  [[ $output != *near:* ]]
  fetch sec-edgar -e AAPL,NVDA
  failed invalid-request 64 'give each its own -e, as -e AAPL -e NVDA'
}

@test "an alias is looked up where the name is unknown" {
  need_shared
  fetch sec-submissions -e Nosuchcompanyxyz -a TSLA -n 1
  equal "$status" 0
  equal "$(meta .ticker)" '"TSLA"'
}

# Filing history ------------------------------------------------------------------------------------------------

@test "sec-submissions: the newest fifty, under 32 KB, with hints" {
  need_shared
  fetch sec-submissions -e AAPL
  equal "$status" 0
  equal "$(got '[.shown, (.filings | length), .total]')" '[50,50,1005]'
  [ "${#output}" -lt 32768 ]
  contains "$(got .hints)" "-P older=1"
}

@test "sec-submissions: narrowed by form, days and limit" {
  need_shared
  fetch sec-submissions -e AAPL -f 10-K -n 2
  equal "$(got '[.filings[] | [.form, .filingDate]]')" '[["10-K","2025-10-31"],["10-K","2024-11-01"]]'
  fetch sec-submissions -e 320193 -f 10-K -p FY-2024
  equal "$(got '[.filings[].accessionNumber]')" '["0000320193-24-000123"]'
  fetch sec-submissions -e 320193 -f 10-K --since 2025-01-01
  equal "$(got .matched)" 1
}

@test "sec-submissions: counts by form, pages past fifty, a fiscal quarter" {
  need_shared
  fetch sec-submissions -e AAPL
  equal "$(got '[.forms["10-K"], .forms["10-Q"], .forms["4"], .next]')" '[11,33,596,50]'
  fetch sec-submissions -e AAPL -P start=50
  equal "$(got '[.shown, .next, .filings[0].filingDate]')" '[50,100,"2025-08-12"]'
  fetch sec-submissions -e AAPL -f 10-Q -p Q2-2025
  equal "$(got '[.matched, .filings[].accessionNumber]')" '[1,"0000320193-25-000057"]'
  fetch sec-submissions -e AAPL -P start=x
  failed invalid-request 64 'start'
}

@test "sec-submissions: older shards when asked" {
  need_shared
  fetch sec-submissions -e TSLA -f 10-K -n 3 -P older=1
  equal "$status" 0
  equal "${#lines[@]}" 2
  equal "$(jq -c '.rawContent | fromjson | [.total, .filings[0].filingDate]' <<<"${lines[1]}")" '[720,"2017-03-01"]'
}

@test "sec-submissions: a shard that is missing is one error, the rest counts" {
  need_shared
  fetch sec-submissions -e AAPL -f 10-K -n 3 -P older=all
  equal "$status" 1
  equal "$(jq -r '.metadata.kind // .error.category' <<<"$output" | paste -sd' ')" 'filing-history no-content'
}

@test "sec-submissions: nothing of a form, no such CIK, a wrong period" {
  need_shared
  fetch sec-submissions -e AAPL -f 20-F
  failed no-content 1 'no such filing'
  fetch sec-submissions -e 9
  failed no-content 1 'no such object'
  fetch sec-submissions -e AAPL -p soon
  failed invalid-request 64 'period "soon"'
  for period in 2024-13 2024-00 2024-01-99 2023-02-29 2024-04-31 2024-01-01..2024-13-01; do
    fetch sec-submissions -e AAPL -p "$period"
    failed invalid-request 64 "period \"$period\""
  done
}

@test "nothing filed after now exists" {
  need_shared
  BID_NOW=2025-10-31T06:00:00Z fetch sec-filings -e 320193 -f 10-K -n 1
  equal "$(got '.filings[0].filingDate')" '"2024-11-01"'
  BID_NOW=2025-10-31T07:00:00Z fetch sec-filings -e 320193 -f 10-K -n 1
  equal "$(got '.filings[0].filingDate')" '"2025-10-31"'
  fetch sec-filings -e 320193 -f 10-K -n 1 -P asOf=2024-12-31
  equal "$(got '.filings[0].filingDate')" '"2024-11-01"'
}

# Discovery -----------------------------------------------------------------------------------------------------

@test "sec-filings: what to read, in full" {
  need_shared
  fetch sec-filings -e AAPL -f 10-K -n 1
  equal "$(got '.filings[0] | [.form, .filingDate, .accessionNumber, .reportDate, .primaryDocument, .recent]')" \
    '["10-K","2025-10-31","0000320193-25-000079","2025-09-27","aapl-20250927.htm",true]'
  equal "$(got '.filings[0].href')" \
    '"https://www.sec.gov/Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm"'
}

@test "sec-filings: those of the last six months are preferred" {
  fetch sec-filings -e 9990001 -f 10-K
  equal "$(got '[.filings[] | [.form, .filingDate, .recent]]')" '[["10-K","2026-02-19",true]]'
}

@test "sec-filings: where none is recent the older ones come, marked" {
  export BID_NOW=2026-12-05T00:00:00Z
  fetch sec-filings -e 9990001 -f 10-K
  equal "$(got '[.filings[] | [.filingDate, .recent]]')" \
    '[["2026-02-19",false],["2025-02-21",false]]'
}

@test "sec-filings: -n asks for more than the recent ones; amendments come where they are asked for" {
  fetch sec-filings -e 9990001 -f 10-K -n 3
  equal "$(got '[.filings[] | [.form, .recent]]')" '[["10-K",true],["10-K",false]]'
  fetch sec-filings -e 9990001 -f 10-K/A
  equal "$(got '[.filings[] | [.form, .filingDate]]')" '[["10-K/A","2025-04-11"]]'
  fetch sec-filings -e 9990001 -f 10-K -n 3 -P amendments=1
  equal "$(got '[.filings[].form]')" '["10-K","10-K/A","10-K"]'
}

@test "sec-filings: --since narrows" {
  fetch sec-filings -e 9990001 -f 10-K,8-K --since 2026-01-01
  equal "$(got '[.filings[].filingDate]')" '["2026-02-19","2026-01-16"]'
  fetch sec-filings -e 9990001 -f 20-F --since 2026-01-01
  failed no-content 1 'no 20-F filed since 2026-01-01'
}

@test "sec-filings: goes on with the older shards where the newest list has none" {
  fetch sec-filings -e 9990001 -f 10-K -p 2019
  equal "$(got '[.filings[].filingDate]')" '["2019-03-01"]'
}

@test "sec-filings -p: the report of that quarter or year, as the company counts" {
  need_shared
  local case
  for case in "AAPL Q2-2025 0000320193-25-000057" "NVDA Q3-2026 0001045810-25-000230" "NVDA FY-2025 0001045810-25-000023" \
    "MSFT Q1-2025 0000950170-24-118967" "MRVL FY-2024 0001835632-24-000009" "TSLA Q4-2023 0001628280-24-002390" \
    "TSLA FY-2010 0001193125-11-054847" "TSLA CY2013Q1 0001193125-13-212354"; do
    # shellcheck disable=SC2086
    set -- $case
    fetch sec-filings -e "$1" -p "$2"
    equal "$1 $2 $(got '[.filings[].accessionNumber]')" "$1 $2 [\"$3\"]"
  done
  fetch sec-filings -e AAPL -p Q2-2025 -f 10-Q
  equal "$(got '[.filings[] | [.fiscalYear, .fiscalPeriod, .reportDate]]')" '[[2025,"Q2","2025-03-29"]]'
}

@test "sec-filings: the last day of a month belongs to it, 29 February too" {
  need_shared
  fetch sec-filings -e TSM -f 6-K -p 2024-02
  equal "$(got '[.filings[].filingDate] | max')" '"2024-02-29"'
}

@test "sec-filings: -n with --since looks into the older shards" {
  need_shared
  fetch sec-filings -e TSLA -f 10-K --since 2012-01-01 -n 12
  equal "$(got '[.filings[].filingDate[:4]] | join(",")')" '"2026,2025,2024,2023,2022,2021,2020,2019,2018,2017,2016,2015"'
}

@test "sec-filings: current reports by their items" {
  need_shared
  fetch sec-filings -e AAPL -f 8-K -P items=2.02 -n 2
  equal "$(got '[.filings[].filingDate]')" '["2026-01-29","2025-10-30"]'
}

# plan COMPANIES REST: the job of a plan
plan() { printf '{"job":7,"sources":["sec-filings"],"query":"q","plan":{"companies":[%s],%s}}\n' "$1" "$2"; }
AAPL='{"cik":"0000320193","ticker":"AAPL","name":"Apple Inc."}' TSLA='{"cik":"0001318605","ticker":"TSLA","name":"Tesla, Inc."}'
EXPE='{"cik":"0001324424","ticker":"EXPE","name":"Expedia Group, Inc."}' NVDA='{"cik":"0001045810","ticker":"NVDA","name":"NVIDIA CORP"}'
numbers() { jq -sr 'map(select(.rawContent).rawContent | fromjson | .filings[].accessionNumber) | join(" ")' <<<"$output"; }
each_plan() { # stdin: COMPANIES, REST and the expected numbers, a line each
  local companies rest expected='' row=0 jobs='' number
  while read -r companies && read -r rest && read -r number; do
    row=$((row + 1))
    jobs+=$(plan "${!companies}" "$rest" | sed "s/\"job\":7/\"job\":$row/")$'\n'
    expected+="$row $number"$'\n'
  done
  run --separate-stderr bid-fetch <<<"${jobs%$'\n'}"
  equal "$(jq -sr 'group_by(.job)[] | "\(.[0].job) \(map(select(.rawContent).rawContent | fromjson | .filings[].accessionNumber) | join(" "))"' <<<"$output")" "${expected%$'\n'}"
}

@test "sec-filings obeys a plan: companies, forms and windows, older shards included" {
  need_shared
  each_plan <<'ROWS'
AAPL
"forms":["8-K"],"items":["2.02"],"windows":[{"fiscalYear":2025,"fiscalPeriod":"Q4"}]
0000320193-25-000077
AAPL
"forms":["10-Q","6-K"],"disclosedIn":"8-K","windows":[{"fiscalYear":2025,"fiscalPeriod":"Q3"}]
0000320193-25-000071 0000320193-25-000073
EXPE
"forms":["11-K"],"windows":[{"fiscalYear":2023,"fiscalPeriod":"FY"}]
0001324424-24-000028
AAPL
"forms":[],"windows":[{"ends":"2019-12-28"}]
0000320193-20-000010
TSLA
"forms":["10-Q"],"windows":[{"fiscalYear":2013,"fiscalPeriod":"Q1"}]
0001193125-13-212354
AAPL
"forms":["10-K"],"windows":[{"latest":true,"count":2}]
0000320193-25-000079 0000320193-24-000123
TSLA
"forms":["10-K"],"amendments":true,"windows":[{"fiscalYear":2024,"fiscalPeriod":"FY"}]
0001104659-25-042659
ROWS
  equal "$(jq .job <<<"$output" | paste -sd' ')" "1 2 3 4 5 6 7"
}

@test "sec-filings: a plan's days of filing are no days of reports, its calendar years and quarters are the company's" {
  need_shared
  each_plan <<'ROWS'
TSLA
"forms":["10-K"],"windows":[{"from":"2024-01-01","until":"2024-12-31","by":"filing"}]
0001628280-24-002390
TSLA
"forms":["10-K","10-Q","8-K"],"windows":[{"from":"2024-10-20","until":"2024-10-31","by":"filing"}]
0001628280-24-043486 0001628280-24-043432
AAPL
"forms":["10-K","10-Q"],"windows":[{"fiscalYear":2024,"endsMonth":12}]
0000320193-24-000006
TSLA
"forms":["10-K","10-Q"],"windows":[{"fiscalYear":2024,"endsMonth":12}]
0001628280-25-003063
NVDA
"forms":["10-K","10-Q"],"windows":[{"fiscalYear":2026,"endsMonth":10}]
0001045810-25-000230
NVDA
"forms":["10-K","10-Q"],"windows":[{"ends":"2025-12-31","from":"2025-01-01","until":"2025-12-31"}]
0001045810-26-000021
ROWS
}

@test "sec-filings: the notice of a late quarterly report is filed after its quarter" {
  need_shared
  run --separate-stderr bid-fetch <<<"$(plan '{"cik":"0001881551","name":"Solidion"}' '"forms":["NT 10-Q"],"windows":[{"fiscalYear":2025,"fiscalPeriod":"Q2"}]')"
  equal "$(numbers)" 0001213900-25-077496
}

@test "sec-filings: a plan's comparison is dealt out over companies and periods, at most three, and what is left out is said" {
  need_shared
  run --separate-stderr bid-fetch <<<"$(plan "$AAPL,$TSLA" '"forms":["10-K"],"windows":[{"fiscalYear":2015,"fiscalPeriod":"FY"},{"fiscalYear":2024,"fiscalPeriod":"FY"}]')"
  equal "$(numbers)" "0001193125-15-356351 0000320193-24-000123 0001628280-25-003063" # the newest first
  contains "$(jq -r 'select(.error).error.message' <<<"$output")" "Tesla, Inc.: the 10-K of 2016-02-24 was left out: at most 3 filings a question"
  equal "$(jq -r 'select(.error).job' <<<"$output")" 7
}

@test "sec-filings: what a plan wants and EDGAR doesn't have is said, the rest comes" {
  need_shared
  run --separate-stderr bid-fetch <<<"$(plan "$AAPL" '"forms":["10-Q"],"windows":[{"fiscalYear":2025,"fiscalPeriod":"Q2"},{"fiscalYear":2031,"fiscalPeriod":"Q1"}]')"
  equal "$(numbers)" 0000320193-25-000057
  contains "$(jq -r 'select(.error).error.message' <<<"$output")" "Apple Inc.: no 10-Q for Q1 2031"
}

# told QUERY ACCESSION:ITEM...: what the full-text search has for a query on Apple's 8-Ks.
told() {
  local query=$1 one
  shift
  mkdir -p up/efts.sec.gov/LATEST
  for one in "$@"; do jq -n --arg n "${one%%:*}" --arg item "${one##*:}" '{_id: "\($n):a.htm", _score: 1, _source: {form: "8-K", file_type: "EX-99.1",
    file_date: "2021-11-12", period_ending: "2021-11-09", items: [$item], ciks: ["0000320193"]}}'; done |
    jq -s '{hits: {total: {value: length, relation: "eq"}, hits: .}}' >"up/efts.sec.gov/LATEST/search-index__q__$(jq -rn --arg q "$query" \
    '"q=\($q)&forms=8-K&dateRange=custom&startdt=2001-01-01&enddt=2026-03-05&ciks=0000320193&from=0" | @uri')"
}
asked() { upstream_log 'select(.host == "efts.sec.gov") | .status' | paste -sd' '; }

@test "sec-filings: an 8-K told by what happened is found by the full-text search, among older lists too, else the newest is read and that is said" {
  need_shared
  local plan
  told 'new cfo' 0001140361-24-038601:5.02 0001140361-24-038601:9.01 0001193125-21-999999:5.03
  told 'board chair' 0001140361-25-888888:8.01
  told 'board OR chair' 0001140361-25-888888:8.01 0001193125-22-066169:5.02
  told 'nobody'
  upstream_start --root "$PWD/up"
  run --separate-stderr bid-fetch <<<"$(plan "$AAPL" '"forms":["8-K"],"formsNamed":true,"items":["5.02"],"windows":[],"terms":["new CFO"],"asks":"narrative"')"
  equal "$status" 0
  equal "$(numbers)" 0001140361-24-038601
  run --separate-stderr bid-fetch <<<"$(plan "$AAPL" '"forms":["8-K"],"items":["5.03"],"windows":[],"terms":["new CFO"]')" # of no list that was asked for
  equal "$(jq -r 'select(.rawContent).rawContent | fromjson | .filings[] | [.accessionNumber, .filingDate, .items, .recent] | @csv' <<<"$output")" \
    '"0001193125-21-999999","2021-11-12","5.03",false'
  run --separate-stderr bid-fetch <<<"$(plan "$AAPL" '"forms":["8-K"],"items":["5.02"],"windows":[],"terms":["board","chair"]')" # no item of all words
  equal "$(numbers)" 0001193125-22-066169
  run --separate-stderr bid-fetch <<<"$(plan "$AAPL" '"forms":["8-K"],"items":["5.02"],"windows":[],"terms":["nobody"]')"
  equal "$(numbers)" "0001140361-26-000199 0001140361-25-044561"
  equal "$(jq -r 'select(.error).error.message' <<<"$output")" \
    'Apple Inc.: the full-text search finds no 8-K with the words nobody; the newest are read: a year or month tells which is meant'
  upstream_again 'efts.sec.gov/*=404'
  run --separate-stderr env BID_CACHE="$PWD/other" bid-fetch <<<"$(plan "$AAPL" '"forms":["8-K"],"items":["5.02"],"windows":[],"terms":["new CFO"]')"
  equal "$(numbers)" "0001140361-26-000199 0001140361-25-044561"
  contains "$(jq -r 'select(.error).error.message' <<<"$output")" "the full-text search can't be asked"
  upstream_again
  for plan in '"forms":["10-K"],"windows":[],"terms":["new CFO"]' '"forms":["8-K"],"items":["2.02"],"windows":[],"terms":["new CFO"]' \
    '"forms":["8-K"],"windows":[{"latest":true,"count":1}],"terms":["new CFO"]' '"forms":["8-K"],"windows":[{"from":"2026-01-01","until":"2026-01-31","by":"filing"}],"terms":["new CFO"]' \
    '"forms":["8-K"],"windows":[],"terms":["new CFO"],"asks":"filings"' '"forms":["8-K"],"windows":[]'; do
    run --separate-stderr bid-fetch <<<"$(plan "$AAPL" "$plan")"
    equal "$plan $(asked)" "$plan "
  done
}

@test "sec-filings --content: each primary document, byte for byte, with its provenance" {
  need_shared
  fetch sec-filings -e AAPL -f 10-K -n 1 --content
  equal "$status" 0
  local file=$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm
  equal "$(jq -r .sha256 <<<"$output")" "$(sha256sum <"$file" | cut -d' ' -f1)"
  jq -j .rawContent <<<"$output" | cmp - "$file"
  equal "$(meta '[.form, .filingDate, .cik, .recent]')" '["10-K","2025-10-31","0000320193",true]'
  equal "$(jq -r .sourceUrl <<<"$output")" "https://www.sec.gov/Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm"
}

@test "the sample companies can be fetched like any other, with nothing recorded in reach" {
  BID_SHARED='' upstream_start
  fetch sec-filings -e twhl -f 10-K,10-Q,8-K --content
  equal "$status" 0
  equal "$(meta '[.form, .filingDate, .primaryDocument]' | paste -sd' ')" \
    '["10-K","2026-02-19","twhl-20251231.htm"] ["8-K","2026-01-16","twhl-20260114.htm"] ["10-Q","2025-11-05","twhl-20250930.htm"]'
  contains "$(jq -r .rawContent <<<"${lines[0]}" | head -c 300)" '<html'
  fetch sec-filings -e Tid
  failed invalid-request 64 'names begin so: Tidewrack Harbor Logistics, Inc. (TWHL, CIK 0009990001)'
  fetch sec-filings -e pellucid -f 10-K
  equal "$(got '.filings[0].recent')" false
}

@test "sec-filings --content: a document that is missing is one error, the others count" {
  need_shared
  fetch sec-filings -e TSLA -f 10-K -n 2 --content
  equal "$status" 1
  equal "$(jq -r '.error.category // .metadata.filingDate' <<<"$output" | paste -sd' ')" 'no-content 2025-01-30'
  equal "$(jq -r 'select(.error) | .metadata.filingDate' <<<"$output")" 2026-01-29 # what was missing, as its listing tells
}

@test "sec-filings --content: an 8-K comes with its press release, which is named" {
  need_shared
  fetch sec-filings -e 796343 -f 8-K --content
  equal "$status" 0
  equal "$(jq -c '.metadata | [.form, .exhibit, .fileName, (.href | split("/") | last)]' <<<"$output")" '["8-K",null,null,"adbe-20230315.htm"]
["8-K","EX-99.1","adbeex991q123.htm","adbeex991q123.htm"]'
  equal "$(jq -r 'select(.metadata.exhibit) | .rawContent' <<<"$output" | cmp - "$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data/796343/000079634323000044/adbeex991q123.htm" 2>&1 | grep -c 'differ')" 0
}

@test "sec-filings -P parts: the primary document alone, one kind of exhibit, none of a kind" {
  need_shared
  fetch sec-filings -e 796343 -f 8-K --content -P parts=primary
  equal "$(jq -c '.metadata.exhibit' <<<"$output")" null
  equal "$(upstream_log .path | grep -c index)" 0
  fetch sec-filings -e 796343 -f 8-K --content -P parts=EX-99.1
  equal "$(jq -c '.metadata.exhibit' <<<"$output")" '"EX-99.1"'
  fetch sec-filings -e 796343 -f 8-K --content -P parts=EX-10
  failed no-content 1 'no document of type EX-10'
  fetch sec-filings -e 796343 -f 8-K --content -P parts=all,EX-10
  failed invalid-request 64 'parts is none of all, primary'
}

@test "a 10-K is read with the annual report to shareholders and the list of subsidiaries, not with certificates" {
  local a=www.sec.gov/Archives/edgar/data/9990011 x=000999001125000003 name
  mkdir -p "root/$a/$x" root/data.sec.gov/submissions
  printf '{"cik":"0009990011","entityType":"operating","name":"Skerry Bank Corp","tickers":[],"exchanges":[],"filings":{"recent":{"accessionNumber":["0009990011-25-000003"],"filingDate":["2025-02-20"],"reportDate":["2024-12-31"],"acceptanceDateTime":["2025-02-20T18:28:48.000Z"],"act":[""],"form":["10-K"],"fileNumber":[""],"filmNumber":[""],"items":[""],"core_type":[""],"size":[50000],"isXBRL":[1],"isInlineXBRL":[1],"primaryDocument":["skerry.htm"],"primaryDocDescription":[""]},"files":[]}}' >root/data.sec.gov/submissions/CIK0009990011.json
  row() { printf '<tr><td scope="row">1</td><td scope="row"></td><td scope="row"><a href="/Archives/edgar/data/9990011/%s/%s">%s</a></td><td scope="row">%s</td><td scope="row">100</td></tr>' "$x" "$1" "$1" "$2"; }
  printf '<html><body><table>%s</table></body></html>' \
    "$(row skerry.htm 10-K && row ar.htm EX-13 && row subs.htm EX-21.1 && row cert.htm EX-31.1 && row consent.htm EX-23)" \
    >"root/$a/0009990011-25-000003-index.html"
  for name in skerry ar subs cert consent; do
    printf '<html><body><p>%s: words of this part of the annual report.</p></body></html>' "$name" >"root/$a/$x/$name.htm"
  done
  parts() { run --separate-stderr bid-fetch sec-filings -e 9990011 -f 10-K -n 1 --content "$@" && jq -rs 'map(.metadata.exhibit // .metadata.form) | join(" ")' <<<"$output"; }
  upstream_start --root "$PWD/root"
  equal "$(parts)" "10-K EX-13 EX-21.1"
  equal "$(parts -P parts=primary)" "10-K"
  equal "$(parts -P parts=EX-21)" "EX-21.1"
  contains "$(bid-fetch --quiet sec-filings -e 9990011 -f 10-K -n 1 --content | bid-strip -q | bid-chunk -q | jq -r 'select(.text | contains("subs:")).context')" "EX-21"
  upstream_stop
}

@test "sec-filings --content: a 13F comes with its information table, not with the rendered copies" {
  need_shared
  fetch sec-filings -e 1790837 -f 13F-HR --content
  equal "$status" 0
  equal "$(jq -c '[.metadata.documentType, (.sourceUrl | split("/") | last)]' <<<"$output")" '[null,"primary_doc.xml"]
["INFORMATION TABLE","BSA13FDec2022.xml"]'
}

@test "the value of a 13F's holdings has its unit: dollars in what was filed from 2023-01-03 on, thousands before" {
  need_shared
  local archives="$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data"
  contains "$(bid-strip -q --raw "$archives"/1099219/*/*.txt | jq -r .text)" "| CUSIP | Value (US dollars) |"
  contains "$(bid-strip -q --raw "$archives"/1619124/*/*.txt | jq -r .text)" "| CUSIP | Value (thousands of US dollars) |"
  # filed after the day, and still in thousands: 58 dollars a share of a bond fund are no 6 cents
  contains "$(bid-strip -q --raw "$archives"/1790837/*/*.txt | jq -r .text)" \
    "| CUSIP | Value (US dollars by the form's rule, thousands by the price a share) |"
  contains "$(bid-strip -q --raw "$archives"/1894188/*/*.txt | jq -r .text)" "| CUSIP | Value (US dollars) |"
  # whole dollars before the day are doubted, too
  sed 's/:value>\([0-9]*\)</:value>\1000</' "$archives"/1619124/*/*.txt >dollars.txt
  contains "$(bid-strip -q --raw dollars.txt | jq -r .text)" "thousands of US dollars by the form's rule, US dollars by the price"
  local passage
  passage=$(bid-strip -q --raw "$archives"/1619124/*/*.txt | bid-chunk | jq -r 'select(.text | contains("APPLE INC")) | "\(.context) \(.text)"')
  contains "$passage" "thousands of US dollars"
  contains "$passage" "| APPLE INC | Common stock | 037833100 | 230054 |"
}

@test "sec-filings --content: an index page that can't be had is the job's error, the documents come" {
  need_shared
  upstream_fault '*-index.html=400'
  fetch sec-filings -e 796343 -f 8-K --content
  failed invalid-request 1 'the exhibits of 0000796343-23-000044 are missing'
  equal "$(jq -r 'select(.rawContent) | .metadata.primaryDocument' <<<"$output")" adbe-20230315.htm
  upstream_fault '*-index.html=nokey'
  fetch sec-filings -e 796343 -f 8-K --content --refresh
  equal "$status" 0
  contains "$stderr" 'no index page, so only the primary document: 0000796343-23-000044'
}

@test "sec-filings: a person has no reports, but forms when all are asked for" {
  need_shared
  fetch sec-filings -e 1718179
  failed no-content 1 'Sievert Stephanie A'
  fetch sec-filings -e 1718179 -f '*' -n 1
  equal "$(got '.filings[0].form')" '"4"'
}

@test "the SEC's block page and its overload are told apart" {
  upstream_fault 'data.sec.gov/submissions/*=block:200'
  fetch sec-submissions -e 9990001
  failed rate-limited 75 'ten minutes'
  BID_STATE=$BATS_TEST_TMPDIR/other
  upstream_fault 'data.sec.gov/submissions/*=undeclared'
  fetch sec-submissions -e 9990001
  equal "$status" 78
}

# One document ----------------------------------------------------------------------------------------------------

@test "sec-filing-document: the page as it was filed" {
  need_shared
  local path=Archives/edgar/data/320193/000032019324000061/filename1.htm
  fetch sec-filing-document --content -P url=https://www.sec.gov/$path
  equal "$status" 0
  jq -j .rawContent <<<"$output" | cmp - "$BID_SHARED/upstream/www.sec.gov/$path"
  equal "$(meta '[.cik, .accessionNumber, .primaryDocument]')" '["0000320193","0000320193-24-000061","filename1.htm"]'
}

@test "sec-filing-document: the text, and a page cut off" {
  need_shared
  local url=https://www.sec.gov/Archives/edgar/data/320193/000032019324000061/filename1.htm
  local path=Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm
  fetch sec-filing-document --content -P url=$url -P text=1
  contains "$(jq -r .contentType <<<"$output")" text/markdown
  run ! grep -q '<p' <<<"$(jq -r .rawContent <<<"$output")"
  fetch sec-filing-document --content -P url=$url -P maxBytes=1000
  equal "$(meta .truncated)" true
  equal "$(jq -j .rawContent <<<"$output" | wc -c)" 1000
  fetch sec-filing-document --content -P url=https://www.sec.gov/$path -P text=1 -P maxBytes=3000
  equal "$(meta .truncated)" true
  equal "$(jq -j .rawContent <<<"$output" | wc -c)" 3000
  contains "$output" "Large accelerated filer"
}

@test "sec-filing-document: by default its text, cut off and marked; whole and as filed with --content" {
  upstream_fault "www.sec.gov/Archives/edgar/data/1/000000000000000001/long.htm=file:$PWD/long.htm"
  { printf '<html><body>'; for i in $(seq 30000); do printf '<p>Risk %s</p>' "$i"; done; printf '</body></html>'; } >long.htm
  fetch sec-filing-document -P url=https://www.sec.gov/Archives/edgar/data/1/000000000000000001/long.htm
  equal "$status" 0
  equal "$(jq -c '[.contentType, (.rawContent | length), .metadata.truncated]' <<<"$output")" '["text/markdown; charset=utf-8",100000,true]'
  [[ $(jq -r .rawContent <<<"$output") != *"<p>"* ]]
  fetch sec-filing-document --content -P url=https://www.sec.gov/Archives/edgar/data/1/000000000000000001/long.htm
  equal "$(jq -r .sha256 <<<"$output")" "$(sha256sum <long.htm | cut -d' ' -f1)"
  upstream_fault
}

@test "sec-filing-document: other hosts and paths are refused, a missing one is no-content" {
  local url
  for url in https://example.org/Archives/x http://www.sec.gov/Archives/x https://www.sec.gov/cgi-bin/x \
    https://www.sec.gov.evil.example/Archives/x https://www.sec.gov/Archives/../x file:///etc/passwd; do
    fetch sec-filing-document --content -P url=$url
    failed invalid-request 64 'url'
  done
  fetch sec-filing-document --content -P url=https://www.sec.gov/Archives/edgar/data/1/000000000000000001/x.htm
  failed no-content 1 404
  fetch sec-filing-document
  equal "$status" 64
}

# Insiders --------------------------------------------------------------------------------------------------------

@test "sec-insider: owner, role, transactions and holdings as rows, amounts as sent" {
  fetch sec-insider -e 9990001 -f 4 -n 1
  equal "$status" 0
  equal "$(got '.owners[0] | [.name, .officer, .director, .title]')" \
    '["Boyle Marguerite",true,false,"Chief Operating Officer"]'
  equal "$(got '.transactions[0] | [.date, .code, .shares, .price, .acquiredDisposed, .sharesAfter, .ownership, .footnotes]')" \
    '["2026-03-02","S","1250.50","41.10","D","88012","D",["F1","F2"]]'
  equal "$(got '.holdings[0] | [.sharesAfter, .nature]')" '["4000","By trust"]'
  equal "$(got .footnotes.F2)" '"Mean price; sold between $40.95 & $41.30."'
  equal "$(meta '[.form, .filingDate, .owners]')" '["4","2026-03-04",["Boyle Marguerite"]]'
}

@test "sec-insider: filed since a day" {
  fetch sec-insider -e 9990001 -n 9
  local newest
  newest=$(jq -r 'select(.metadata) | .metadata.filingDate' <<<"$output" | sort | tail -1)
  [ "$(jq -r 'select(.metadata) | .metadata.filingDate' <<<"$output" | sort -u | wc -l)" -gt 1 ]
  fetch sec-insider -e 9990001 -n 9 --since "$newest"
  equal "$(jq -r 'select(.metadata) | .metadata.filingDate' <<<"$output" | sort -u)" "$newest"
  fetch sec-insider -e 9990001 --since 2026-03-05
  failed no-content 1 'filed since 2026-03-05'
}

@test "sec-insider: recorded forms by list and by URL" {
  need_shared
  fetch sec-insider -e AAPL -f 4 -p 2022-05-01..2022-05-10
  equal "$status" 0
  equal "$(got '[.owners[0].name, (.transactions | length), .transactions[0].price]')" '["Adams Katherine L.",7,"159.94"]'
  fetch sec-insider -P url=https://www.sec.gov/Archives/edgar/data/315090/000120919120052220/doc3.xml
  equal "$(got '[.form, (.owners | length), .holdings[0].sharesAfter]')" '["3",2,"6125376"]'
}

@test "sec-insider: derivatives, forms 3 and 5, one that is missing; a broad question gets a summary" {
  fetch sec-insider -e 9990001
  equal "$status" 0
  equal "$(got '[.filings, .forms, (.newest | length), (.hints | length)]')" '[4,{"3":1,"4":2,"5":1},4,3]'
  fetch sec-insider -e 9990001 --content
  equal "$status" 1
  equal "$(jq -r '.metadata.form // .error.category' <<<"$output" | paste -sd' ')" '4 5 3 no-content'
  contains "$stderr" '1 of 4 forms could not be read'
  equal "$(jq -r 'select(.metadata.form == "5") | .rawContent' <<<"$output" | jq -c '.transactions[0] | [.derivative, .conversionPrice, .underlyingShares]')" \
    '[true,"38.00","200"]'
}

@test "sec-insider: what is no ownership form, and who has none" {
  need_shared
  fetch sec-insider -P url=https://www.sec.gov/Archives/edgar/data/1790837/000179083723000002/primary_doc.xml
  failed no-content 1 'no ownership form'
  fetch sec-insider -e 9990001 -f 10-K
  failed invalid-request 64 'ownership forms are'
  fetch sec-insider -e 1800903
  failed no-content 1 'no ownership form'
}

# Full text -------------------------------------------------------------------------------------------------------

@test "sec-full-text: hits are documents with their URL" {
  need_shared
  fetch sec-full-text --query 'climate change' -f 8-K -n 2
  equal "$(got '[.total, .more, .shown]')" '[10000,true,2]'
  equal "$(got '.hits[0] | [.accessionNumber, .documentType, .filingDate, .href]')" \
    '["0000950142-20-002702","EX-99.1","2020-12-08","https://www.sec.gov/Archives/edgar/data/16875/000095014220002702/eh200118123_ex9901.htm"]'
  fetch sec-full-text --query 'climate change' -f 8-K
  [ "${#output}" -lt 32768 ]
}

@test "sec-full-text: of one company, since a day" {
  fetch sec-full-text --query breakwater -e 9990001 -f 10-K --since 2026-01-01
  equal "$(got '[.hits[].accessionNumber]')" '["0009990001-26-000007"]'
}

# A page of a search's 150 hits: FROM, the day of filing.
hits_page() {
  mkdir -p up/efts.sec.gov/LATEST
  jq -n --argjson from "$1" '{hits: {total: {value: 150, relation: "eq"}, hits: [range($from; [$from + 100, 150] | min)
    | {_id: "0009990001-26-\(1000000 + . | tostring)[1:]:a.htm", _score: 1, _source: {form: "8-K", file_date: "2026-02-19", ciks: ["0009990001"]}}]}}' \
    >"up/efts.sec.gov/LATEST/search-index__q__q%3Dmany%26from%3D$1"
}

@test "sec-full-text: more hits than a page holds are asked for page by page" {
  hits_page 0
  hits_page 100
  upstream_start --root "$PWD/up"
  fetch sec-full-text --query many -n 120
  equal "$(got '[.total, .shown, (.hits | map(.accessionNumber) | unique | length)]')" '[150,120,120]'
  fetch sec-full-text --query many -n 5000
  equal "$status" 0
  equal "$(got '[.total, .shown]')" '[150,150]'
}

@test "sec-filings: more filings than a job may ask for are told, not left out without a word" {
  mkdir -p up/data.sec.gov/submissions
  jq -n '[range(1003)] as $i | {cik: "0009990055", name: "Skerry Notes plc", tickers: [], filings: {files: [], recent: {
    accessionNumber: ($i | map("0009990055-26-\(999999 - .)")), filingDate: ($i | map("2026-02-19")), reportDate: ($i | map("")),
    acceptanceDateTime: ($i | map("2026-02-19T16:30:00.000Z")), form: ($i | map("424B2")), items: ($i | map("")),
    primaryDocument: ($i | map("a.htm")), primaryDocDescription: ($i | map("")), size: ($i | map(1))}}}' \
    >up/data.sec.gov/submissions/CIK0009990055.json
  upstream_start --root "$PWD/up"
  fetch sec-filings -e 9990055 -f 424B2 --since 2026-01-01 -n 1000
  equal "$status" 1
  contains "$(printf '%s\n' "$output" | jq -r 'select(.error) | .error.message')" 'more than 1000 filings: the older ones were left out'
  fetch sec-filings -e 9990055 -f 424B2 --since 2026-01-01 -n 30
  equal "$status" 0
  equal "$(got '.filings | length')" 30
}

@test "sec-full-text: none, a page that cannot be, no words" {
  fetch sec-full-text --query zyzzyva
  failed no-content 1 'no document holds zyzzyva'
  fetch sec-full-text --query x -P from=50
  failed invalid-request 64 'multiple of 100'
  fetch sec-full-text
  equal "$status" 64
}

@test "sec-full-text: the random 500 of that service is asked again" {
  upstream_fault 'efts.sec.gov/*=500@1'
  fetch sec-full-text --query zyzzyva
  failed no-content 1 'no document holds'
  equal "$(upstream_log 'select(.host == "efts.sec.gov") | .status' | tail -2 | paste -sd' ')" '500 200'
}

# Daily index -----------------------------------------------------------------------------------------------------

@test "sec-current: a row a filing, with its parties; a form, a company, a day" {
  fetch sec-current
  equal "$(got '[.entries, .matched, .forms, (.newest | length), .filings]')" '[3,2,{"4":1,"8-K":1},2,null]'
  fetch sec-current --content
  equal "$(got '[.entries, .matched]')" '[3,2]'
  equal "$(got '.filings[0]')" '{"form":"4","accepted":"2026-03-04T18:02:43-05:00","accessionNumber":"0009990001-26-000009","href":"https://www.sec.gov/Archives/edgar/data/9990011/000999000126000009/0009990001-26-000009-index.htm","filingDate":"2026-03-04","parties":[{"name":"Boyle Ada - M.","cik":"0009990011","role":"reporting"},{"name":"Tidewrack Harbor Logistics, Inc.","cik":"0009990001","role":"issuer"}]}'
  fetch sec-current -e 9990002
  equal "$(got '.filings | map(.form)')" '["8-K"]'
  fetch sec-current --since 2026-03-04
  equal "$(got '.filings | map(.form)')" '["4"]'
  fetch sec-current -e 9990003
  equal "$status" 1
  contains "$stderr" "nothing of 0009990003 among the newest 3 entries of the feed; -n looks at more"
}

@test "sec-current: one form of many that begin alike, several pages, the end of the feed" {
  need_shared
  fetch sec-current -f 4
  equal "$(got '[.entries, .matched, (.filings | map(.form) | unique)]')" '[100,46,["4"]]'
  fetch sec-current -n 300
  equal "$(got .entries)" 203 # the first page is our own
}

@test "sec-daily-index: the filings of a form on a day" {
  need_shared
  fetch sec-daily-index -p 2020-03-18 -f 10-K
  equal "$(got '[.matched, (.filings | length)]')" '[68,68]'
  equal "$(got '.filings[0]')" '{"form":"10-K","company":"89bio, Inc.","cik":"0001785173","filingDate":"2020-03-18","accessionNumber":"0001564590-20-011636","url":"https://www.sec.gov/Archives/edgar/data/1785173/0001564590-20-011636.txt"}'
}

@test "sec-daily-index: a summary by form, a company, wide form names" {
  fetch sec-daily-index -p 2026-03-04
  equal "$(got .forms)" '{"4":1,"8-K":1,"NT 10-K":1,"SCHEDULE 13G/A":1}'
  fetch sec-daily-index -p 2026-03-04 -e 9990001
  equal "$(got '[.filings[].form]')" '["4","SCHEDULE 13G/A"]'
}

@test "sec-daily-index: a company called like a form is no filing of that form" {
  fetch sec-daily-index -p 2026-03-04 -f 10-K
  failed no-content 1 'nothing of 10-K was filed on 2026-03-04'
  BID_NOW=2026-03-05T00:00:00Z fetch sec-daily-index --since 2026-03-03 -f 10-K
  failed no-content 1 'nothing of 10-K was filed on 2026-03-04; no daily index of 2026-03-03, 2026-03-05: a weekend, a holiday, or not there yet'
}

@test "sec-daily-index: the index by company, several days, a weekend" {
  need_shared
  fetch sec-daily-index -p 2022-10-03 -P kind=company -f 8-K -n 1
  equal "$(got '.filings[0].company')" '"5E Advanced Materials, Inc."'
  BID_NOW=2020-03-19T00:00:00Z fetch sec-daily-index --since 2020-03-14 -f 10-K -n 1
  equal "$(got .date)" '"2020-03-18"'
  fetch sec-daily-index -p 2020-03-15
  failed no-content 1 'a weekend, a holiday'
  fetch sec-daily-index -p 2020
  failed invalid-request 64 'one day'
}

@test "several companies: the source is asked for each, and one that fails doesn't stop the next" {
  need_shared
  fetch sec-filings -e AAPL -e NOSUCHX -e TSLA -f 10-K -n 1
  equal "$status" 1
  equal "$(jq -c '.metadata.ticker // .error.category' <<<"$output" | paste -sd' ')" '"AAPL" "invalid-request" "TSLA"'
  fetch file -e AAPL -e TSLA "$ROOT/README.md"
  equal "$status" 64
  contains "$stderr" "-e is given 2 times, but the files are read once, as one company's"
  fetch sec-filings -e AAPL -e TSLA -a Apple
  equal "$status" 64
  contains "$stderr" "-a names one company, but -e is given 2 times"
}

@test "sec-filings -P have: where nothing is left, that is said" {
  need_shared
  fetch sec-filings -e AAPL -f 10-K -n 1 --content -P have=0000320193-25-000079
  failed no-content 1 'nothing new: -P have names every filing that was found'
}
