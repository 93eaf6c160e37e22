# bid-search: questions, filters, outputs, odd input.

load helper

# document KEY COMPANY TICKER FORM YEAR FILED TEXT
document() {
  jq -cn --arg key "$1" --arg company "$2" --arg ticker "$3" --arg form "$4" --arg year "$5" --arg filed "$6" \
    --arg text "$7" '{source: "test", sourceUrl: ("https://example.org/" + $key), capturedAt: "2026-01-01T00:00:00Z",
      contentType: "text/plain", sha256: ("0" * 64), text: ($text + "\n"), outline: [], breaks: [{offset: 0, page: 3}],
      metadata: {company: $company, ticker: $ticker, form: $form, fiscalYear: $year, filingDate: $filed,
        acceptanceDateTime: ($filed + "T21:30:00.000Z"), accessionNumber: ("0000000000-24-" + $key)}}'
}

documents() {
  document 000001 "Acme Rockets Inc." ACMR 10-K 2023 2024-02-01 \
    "Item 1A. Risk Factors. Our rockets depend on a single supplier of fuel. Any interruption of the supply chain would delay launches and harm our results."
  document 000002 "Acme Rockets Inc." ACMR 10-K 2022 2023-02-01 \
    "Item 1A. Risk Factors. Our rockets depend on a single supplier of fuel. Any interruption of the supply chain would delay launches and harm our results."
  document 000003 "Acme Rockets Inc." ACMR 10-Q 2024 2024-05-02 \
    "Purchases of property, plant and equipment were \$12.5 million in the first quarter, mostly for the launch pad."
  document 000004 "Zenith Teapots Corp" ZNTP 10-K 2023 2024-03-05 \
    "Teapots are made of clay. Our kilns burn natural gas, whose price rose by 40% in 2023. We employ 312 potters."
  document 000005 "Zenith Teapots Corp" ZNTP 8-K 2024 2024-06-01 \
    "On June 1, 2024 the board appointed Jane Doe as chief executive officer."
}

# One store for the whole file: building it costs more than a search.
setup_file() {
  load helper
  private_home "$BATS_FILE_TMPDIR"
  documents | bid-chunk | bid-embed | bid-index >/dev/null
}

test_setup() { export BID_STORE=$BATS_FILE_TMPDIR/store BID_CONNECT_TO=127.0.0.1:1 BID_HASTE=1000; } # nobody is waited for

# field EXPRESSION: of the first line of output
field() { jq -r "$1" <<<"${lines[0]}"; }

@test "a question is answered with provenance" {
  run --separate-stderr bid-search "What do Acme's rockets depend on?"
  [ "$status" -eq 0 ]
  [ -z "$stderr" ]
  equal "$(field .rank)" 1
  equal "$(field .company)" "Acme Rockets Inc."
  equal "$(field .collection)" finance_edgar_ACMR_10-K
  equal "$(field .form)" 10-K
  equal "$(field .filingDate)" 2024-02-01
  equal "$(field .page)" 3
  equal "$(field .sourceUrl)" https://example.org/000001
  equal "$(field .accessionNumber)" 0000000000-24-000001
  equal "$(field .exact)" true
  equal "$(field '.end > .start')" true
  equal "$(field '.scores | has("bm25") and has("cosine") and has("relevance")')" true
}

@test "everyday words find the statement's line" {
  run --separate-stderr bid-search -n 1 "How much did Acme spend on equipment?"
  [ "$status" -eq 0 ]
  equal "$(field .sourceUrl)" https://example.org/000003
}

@test "of letters that differ in one number, name, sign, 'not', currency, period or month the one asked for is first" {
  export BID_STORE=$BATS_TEST_TMPDIR/letters.store
  python3 "$ROOT/test/gen/near_duplicates.py" letters questions
  bid-chunk -q letters | bid-embed --quiet | bid-index -q >/dev/null
  equal "$(wc -l <questions)" 132
  equal "$(bid-search -q <questions | jq -r 'select(.matches[0].sourceUrl != .url) | .query')" ""
  # those that answer alike are folded, unless each is asked for
  equal "$(bid-search -q <<<'{"query":"who keeps the minutes of Ostvik Holdings","n":3}' | jq '.matches | map(.duplicates // 0) | add > 0')" true
  equal "$(bid-search -q <<<'{"query":"who keeps the minutes of Ostvik Holdings","n":3,"fold":false}' | jq -c '.matches | map(.duplicates // 0)')" "[0,0,0]"
  run --separate-stderr bid-search <<<'{"query":"minutes","fold":"no"}'
  contains "$stderr" '"fold" is neither true nor false'
}

@test "modes agree on an easy question" {
  for mode in hybrid vector text; do
    run --separate-stderr bid-search -n 1 --mode "$mode" "kilns that burn natural gas"
    [ "$status" -eq 0 ]
    equal "$(field .sourceUrl)" https://example.org/000004
  done
  run --separate-stderr bid-search --mode loud "gas"
  [ "$status" -eq 64 ]
  contains "$stderr" "none of hybrid, vector, text"
}

@test "filters: company, form, collection, dates, item" {
  run --separate-stderr bid-search --no-threshold -e ZNTP "rockets"
  [ "$status" -eq 0 ]
  equal "$(printf '%s\n' "${lines[@]}" | jq -r .ticker | sort -u)" ZNTP
  run --separate-stderr bid-search --no-threshold -f 8-K "rockets"
  equal "$(printf '%s\n' "${lines[@]}" | jq -r .form | sort -u)" 8-K
  run --separate-stderr bid-search --no-threshold -c 'finance_edgar_*_10-Q' "rockets"
  equal "$(printf '%s\n' "${lines[@]}" | jq -r .collection | sort -u)" finance_edgar_ACMR_10-Q
  run --separate-stderr bid-search --no-threshold --since 2024-05-01 --until 2024-05-31 "rockets"
  equal "$(printf '%s\n' "${lines[@]}" | jq -r .filingDate)" 2024-05-02
  run --separate-stderr bid-search --no-threshold --item 99 "rockets"
  [ "$status" -eq 1 ]
  run --separate-stderr bid-search --since "last tuesday" "rockets"
  [ "$status" -eq 64 ]
  contains "$stderr" "neither a date, a month or year, nor a span"
}

@test "--as-of sees nothing that was accepted later" {
  run --separate-stderr bid-search --no-threshold --no-fold --as-of 2024-02-01T21:29:59Z "fuel supplier of rockets"
  [ "$status" -eq 0 ]
  equal "$(printf '%s\n' "${lines[@]}" | jq -r .filingDate | sort -u)" 2023-02-01
  run --separate-stderr bid-search --no-threshold --no-fold --as-of 2024-02-01 "fuel supplier of rockets"
  equal "$(printf '%s\n' "${lines[@]}" | jq -r .filingDate | sort -u | tr '\n' ' ')" "2023-02-01 2024-02-01 "
}

@test "a jq filter decides by document, and its faults are clear" {
  run --separate-stderr bid-search --no-threshold --where '.metadata.fiscalYear == "2022"' "rockets"
  [ "$status" -eq 0 ]
  equal "$(printf '%s\n' "${lines[@]}" | jq -r .sourceUrl)" https://example.org/000002
  run --separate-stderr bid-search --where '.metadata |' "rockets"
  [ "$status" -eq 64 ]
  contains "$stderr" "jq filter failed"
  equal "$(field .error.category)" invalid-request
  run --separate-stderr bid-search --where '.metadata.form.x' "rockets"
  [ "$status" -eq 64 ]
  contains "$stderr" "Cannot index string"
  run --separate-stderr bid-search --where 'input' "rockets"
  equal "$stderr" "bid-search: the jq filter failed: break"
  run --separate-stderr bid-search --no-threshold --where 'debug | .metadata.fiscalYear == "2022"' "rockets"
  equal "$(printf '%s\n' "${lines[@]}" | jq -r .sourceUrl)" https://example.org/000002
  equal "$stderr" ""
  run --separate-stderr bid-search --where 'error("")' "rockets"
  equal "$stderr" "bid-search: the jq filter failed: it gives no reason"
  run --separate-stderr timeout 20 bid-search --where 'def f: f; f' "rockets"
  [ "$status" -eq 64 ]
  contains "$stderr" "took longer than 5 seconds"
}

@test "the same passage of another year is folded unless asked for" {
  run --separate-stderr bid-search "single supplier of fuel"
  equal "$(printf '%s\n' "${lines[@]}" | grep -c 'single supplier')" 1
  equal "$(field .duplicates)" 1
  equal "$(field '.duplicateIds | length')" 1
  run --separate-stderr bid-search --no-fold "single supplier of fuel"
  equal "$(printf '%s\n' "${lines[@]}" | grep -c 'single supplier')" 2
}

@test "the year that is asked for wins" {
  run --separate-stderr bid-search -n 1 "On what did Acme Rockets depend in fiscal 2022?"
  equal "$(field .fiscalYear)" 2022
  run --separate-stderr bid-search -n 1 "On what did Acme Rockets depend in FY23?"
  equal "$(field .fiscalYear)" 2023
}

@test "--explain tells what was decided, --no-routing decides nothing" {
  run --separate-stderr bid-search --explain "capex of Acme Rockets in the 10-Q, 2024"
  [ "$status" -eq 0 ]
  equal "$(field '.explain.narrowedToCompany')" true
  equal "$(field '.explain.narrowedToForm')" true
  equal "$(field '.explain.years[0]')" 2024
  equal "$(field '.explain.plan.forms[0]')" 10-Q
  contains "$(field '.explain.routing[]')" "capex"
  run --separate-stderr bid-search --explain --no-routing --no-threshold "capex of Acme Rockets in the 10-Q, 2024"
  equal "$(field '.explain.narrowedToCompany')" false
  equal "$(field '.explain.searched')" 5
}

@test "--analyse needs no store" {
  export BID_STORE=$BATS_TEST_TMPDIR/none
  run --separate-stderr bid-search --analyse "AAPL 10-K of 2023"
  [ "$status" -eq 0 ]
  equal "$(field '.explain.plan.forms[0]')" 10-K
  equal "$(field '.explain.plan.companies[0].ticker')" AAPL
}

@test "words in quotes have to stand together" {
  run --separate-stderr bid-search '"supply chain"'
  [ "$status" -eq 0 ]
  equal "$(field '.text | contains("supply chain")')" true
  run --separate-stderr bid-search '"chain supply"'
  [ "$status" -eq 1 ]
  [ -z "$output" ]
}

@test "nothing relevant is status 1, unless one wants to see it" {
  run --separate-stderr bid-search "Which wine goes with grilled salmon?"
  [ "$status" -eq 1 ]
  [ -z "$output" ]
  contains "$stderr" "nothing relevant"
  run --separate-stderr bid-search --no-threshold "Which wine goes with grilled salmon?"
  [ "$status" -eq 0 ]
  [ -n "$output" ]
}

@test "a company that no document names is not answered with another's figures" {
  for question in "What drove the price of natural gas in Netflix's kilns in 2023?" "netflix natural gas price 2023 kilns" \
    "Netflix, Inc. gas price of kilns in 2023"; do
    run --separate-stderr bid-search "$question"
    [ "$status" -eq 1 ]
    equal "${#lines[@]}" 1
    equal "$(field .error.category)" no-content
    contains "$(field .error.message)" "no document of NETFLIX INC (NFLX) is in the store"
    contains "$stderr" "bid-ingest -e NFLX"
  done
  run --separate-stderr bid-search "What drove the price of natural gas in kilns in 2023?"
  [ "$status" -eq 0 ]
  run --separate-stderr bid-search "Was Jane Doe appointed chief executive officer by the board?"
  [ "$status" -eq 0 ]
  run --separate-stderr bid-search "Was Piotr Nowak appointed chief executive officer by the board?"
  [ "$status" -eq 1 ]
}

# asked DOCUMENT-STORE: a store with one filing of a listed company, form, year and days
listed_store() {
  export BID_STORE=$BATS_TEST_TMPDIR/listed.store
  document 000011 "Apple Inc." AAPL 10-K 2024 2024-11-01 "Net sales were 391 billion dollars. The effective tax rate was 24.1%." |
    jq -c '.metadata += {cik: "0000320193", reportDate: "2024-09-28", fiscalPeriod: "FY"}' >listed
  document 000012 "Tesla, Inc." TSLA 10-Q 2025 2025-07-24 "Revenue was 22 billion dollars. The effective tax rate was 23%." |
    jq -c '.metadata += {cik: "0001318605", reportDate: "2025-06-30", fiscalPeriod: "Q2"}' >>listed
  bid-chunk <listed | bid-embed | bid-index >/dev/null
}
refused() { # MESSAGE
  equal "$status" 1
  equal "$(jq -c 'select(.error | not)' <<<"$output")" ""
  contains "$(jq -r .error.message <<<"$output")" "$1"
}

@test "a form that the store lacks is said to be missing, not answered from another form" {
  listed_store
  run --separate-stderr bid-search -e AAPL "What does the latest 10-Q say about net sales?"
  refused "no 10-Q of Apple Inc. (AAPL) is in the store; there are: 10-K"
  run --separate-stderr bid-search -e AAPL "What does the latest 10-K say about net sales?"
  equal "$status" 0
  equal "$(field .sourceUrl)" https://example.org/000011
}

@test "the latest report is asked for and the next one is due: told" {
  listed_store
  asked() { BID_NOW=$1 bid-search "${@:2}" "$ASKED" 2>told >bundle; }
  local ASKED="What does the latest 10-K say about net sales?"
  asked 2025-12-20T00:00:00Z -e AAPL --bundle
  equal "$(cat told)" ""
  asked 2026-02-20T00:00:00Z -e AAPL --bundle
  equal "$(jq -c '[.errors[] | [.category, .message]]' bundle)" \
    '[["stale","the newest 10-K of Apple Inc. (AAPL) in the store was filed on 2024-11-01; a newer one is due"]]'
  asked 2026-02-20T00:00:00Z -e AAPL
  contains "$(cat told)" "a newer one is due"
  ASKED="What does the latest 10-Q say about revenue?"
  asked 2026-03-01T00:00:00Z -e TSLA
  contains "$(cat told)" "the newest 10-Q of Tesla, Inc. (TSLA) in the store was filed on 2025-07-24"
  ASKED="What does the 10-K for fiscal 2024 say about net sales?"
  asked 2026-02-20T00:00:00Z -e AAPL
  equal "$(cat told)" ""
}

# passage ID COMPANY TICKER CIK FORM FILED TEXT: of a filing that reports on no period
passage() {
  document "$1" "$2" "$3" "$5" 2024 "$6" "$7" | jq -c --arg cik "$4" '.metadata += {cik: $cik} | del(.metadata.fiscalYear)'
}

@test "a registration that the store lacks is told of by other filings, a report on a period is not" {
  export BID_STORE=$BATS_TEST_TMPDIR/shelf.store
  passage 000061 "Imunon, Inc." IMNN 0000749647 424B5 2025-05-29 "Under the shelf we may offer up to 75 million dollars of securities in all." |
    bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search -e IMNN "shelf, how many dollars in all"
  equal "$status" 0
  equal "$(field .sourceUrl)" https://example.org/000061
  contains "$stderr" "no S-3, S-3ASR, F-3 or F-3ASR of Imunon, Inc. (IMNN) is in the store; there are: 424B5"
  run --separate-stderr bid-search -e IMNN "latest 10-K, how many dollars in all"
  refused "no 10-K of Imunon, Inc. (IMNN) is in the store; there are: 424B5"
}

@test "a form given by an option is a filter: other filings don't answer for it" {
  export BID_STORE=$BATS_TEST_TMPDIR/filter.store
  passage 000063 "Imunon, Inc." IMNN 0000749647 424B5 2025-05-29 "Under the shelf we may offer up to 75 million dollars of securities in all." |
    bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search "Imunon's 8-K: how many dollars of securities in all"
  equal "$status" 0 # a question's words say which filing is meant
  for form in 8-K S-3; do
    run --separate-stderr bid-search -f "$form" -e IMNN "how many dollars of securities in all"
    refused "no $form of Imunon, Inc. (IMNN) is in the store; there are: 424B5"
    run --separate-stderr bid-search <<<"{\"query\":\"how many dollars of securities in all\",\"company\":\"IMNN\",\"form\":\"$form\"}"
    equal "$(field '.error.category')" no-content
  done
}

@test "a registration is told of by its amendments too, and an 8-K that the store lacks by other filings" {
  export BID_STORE=$BATS_TEST_TMPDIR/shelf.store
  {
    passage 000065 "Vincerx Pharma, Inc." VINC 0001796129 S-3 2025-01-24 "Upon removal of the depositary we will take a new one. The shelf has risks."
    passage 000066 "Vincerx Pharma, Inc." VINC 0001796129 "POS AM" 2025-05-01 "The shelf is removed from registration, as the board approved the dissolution; its report of April 17, 2025 tells of it."
  } | bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search "why was Vincerx's S-3 removed from registration in May 2025"
  equal "$status" 0
  equal "$(field .sourceUrl)" https://example.org/000066
  run --separate-stderr bid-search "which day did Vincerx's 8-K tell of the dissolution"
  equal "$status" 0
  equal "$(field .sourceUrl)" https://example.org/000066
  contains "$stderr" "no 8-K of Vincerx Pharma, Inc. (VINC) is in the store; there are: S-3, POS AM"
}

@test "a name that the store has is its company, though the planner knows it as a parent's alias" {
  export BID_STORE=$BATS_TEST_TMPDIR/namesake.store
  {
    passage 000067 "BANK OF AMERICA CORP /DE/" BAC 0000070858 424B2 2023-12-13 "A client of BofA Securities may ask for cable news on the notes."
    passage 000068 "BOFA SECURITIES, INC." "" 0001675365 ATS-N 2019-05-10 "A client may ask for a copper or a fiber cable between its rack and the engine."
  } | bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search -e "BofA Securities" "which cable may a client ask for"
  equal "$status" 0
  equal "$(field .sourceUrl)" https://example.org/000068
  run --separate-stderr bid-search -e BAC "which cable may a client ask for"
  equal "$(field .sourceUrl)" https://example.org/000067
}

# five SENTENCE: five sections, each with the sentence and words enough for a passage.
five() {
  for part in Orders Fees Access Hours Privacy; do
    printf '%s\n\n%s Section %s. %s\n\n' "$part" "$1" "$part" "$(yes 'It is described at length in what follows below here.' | head -15 | tr '\n' ' ')"
  done
}

@test "a part that is spun off stands for a company that has no document" {
  export BID_STORE=$BATS_TEST_TMPDIR/subject.store
  {
    passage 000070 "3M CO" MMM 0000066740 8-K 2024-03-08 "$(five 'Solventum will have a chief executive and five divisions.')"
    for i in 71 72 73 74 75; do
      passage "0000$i" "Apple Inc." AAPL 0000320193 8-K "2025-01-$((i - 60))" "$(five 'The smallest orders of phones have a chief engineer, and what divisions sell.')"
    done
  } | bid-chunk -t 150 | bid-embed | bid-index >/dev/null
  # a company of which the store has nothing of its own is told of by whoever parts with it, and that is said
  run --separate-stderr bid-search --bundle "What are Solventum's divisions?"
  equal "$status" 0
  equal "$(field '[.rag.matches[] | .ticker] | unique | join(" ")')" MMM
  equal "$(field '.errors[0].message')" "no document of Solventum Corp (SOLV) is in the store; the passages are of others, which name it"
}

@test "words from which reports follow exclude nothing where the company files none" {
  export BID_STORE=$BATS_TEST_TMPDIR/holdings.store
  passage 000067 "Bull Street Advisors, LLC" "" 0001790837 13F-HR 2023-02-28 "Vanguard Short Term Government ETF: 167,299 shares at year end." |
    bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search "Bull Street Advisors year end, shares of the Vanguard short term government ETF"
  equal "$status" 0
  equal "$(field .sourceUrl)" https://example.org/000067
  run --separate-stderr bid-search "Bull Street Advisors 10-K, shares of the Vanguard short term government ETF"
  refused "no 10-K of Bull Street Advisors, LLC is in the store; there are: 13F-HR"
}

@test "the one sentence that answers counts, in whatever passage it stands" {
  export BID_STORE=$BATS_TEST_TMPDIR/sentence.store
  other="Our teapots are made of clay and sold to shops. The kilns burn gas and are cleaned in winter. Freight is paid by buyers."
  document 000071 "Zenith Teapots Corp" ZNTP 10-K 2023 2024-03-05 "$other $other Workers who are hurt are paid by an insurer. $other" >teapots
  document 000072 "Zenith Teapots Corp" ZNTP 10-K 2023 2024-03-05 "$other $other $other" >>teapots
  bid-chunk <teapots | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search --no-fold --no-threshold --explain "employee injury compensation"
  equal "$(jq -r 'select(.rank == 1).sourceUrl' <<<"$output")" https://example.org/000071
  equal "$(jq -r '.scores.features.sentence // empty' <<<"$output" | tr '\n' ' ')" "1 0 "
  run --separate-stderr bid-search --mode vector --no-fold --no-threshold --explain "employee injury compensation"
  equal "$(jq -r 'select(.scores) | .scores.features | .sentence == .vector' <<<"$output" | sort -u)" true
}

@test "a country that the company's documents lack tells against an answer" {
  chance() { bid-search --explain --no-threshold "$1" | jq -s 'map(.explain.answer // empty)[0].place_nowhere'; }
  equal "$(chance "Zenith Teapots gas price in Norway")" 1
  equal "$(chance "Zenith Teapots gas price in 2023")" 0
  export BID_STORE=$BATS_TEST_TMPDIR/norway.store
  document 000073 "Zenith Teapots Corp" ZNTP 10-K 2023 2024-03-05 "The price of gas in Norway rose by a third." |
    bid-chunk | bid-embed | bid-index >/dev/null
  equal "$(chance "Zenith Teapots gas price in Norway")" 0
}

@test "a letter is no report on a year, whatever it has no date of" {
  export BID_STORE=$BATS_TEST_TMPDIR/letter.store
  passage 000062 "Apple Inc." AAPL 0000320193 CORRESP 2024-04-29 "The services gross margin percentage is discussed with the staff." >letters
  document 000063 "Apple Inc." AAPL 10-K 2024 2024-11-01 "The services gross margin percentage was 71.7% in 2022." |
    jq -c '.metadata += {cik: "0000320193", reportDate: "2024-09-28", fiscalPeriod: "FY"}' >>letters
  bid-chunk <letters | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search "Apple's services gross margin percentage in fiscal 2022"
  equal "$status" 0
  equal "$(field .sourceUrl)" https://example.org/000063
}

@test "a prospectus tells of a day far ahead where it names the year" {
  export BID_STORE=$BATS_TEST_TMPDIR/ahead.store
  passage 000064 "BANK OF AMERICA CORP /DE/" BAC 0000070858 424B2 2023-12-13 "The notes are due December 24, 2026 unless called; the call payment is 10.85 dollars." |
    bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search -e BAC "what is the call payment of the notes due December 2026?"
  equal "$status" 0
  equal "$(field .sourceUrl)" https://example.org/000064
  run --separate-stderr bid-search -e BAC "what is the call payment of the notes due December 2028?"
  equal "$status" 1
}

@test "a fund is known by its initials with its number in Roman or in other numerals" {
  export BID_STORE=$BATS_TEST_TMPDIR/fund.store
  passage 000067 "COMMONWEALTH INCOME & GROWTH FUND V" "" 0001253347 10-K 2016-03-30 "The portfolio holds laptops and storage." |
    bid-chunk | bid-embed | bid-index >/dev/null
  for name in "CIGF V" CIGF5; do
    run --separate-stderr bid-search -e "$name" "what does the portfolio hold?"
    equal "$status" 0
    equal "$(field .sourceUrl)" https://example.org/000067
  done
}

@test "a company in doubt beside one that the store has is said and left out" {
  export BID_STORE=$BATS_TEST_TMPDIR/doubt.store
  document 000068 "International Business Machines Corp" IBM 10-Q 2025 2025-07-24 "Stock-based compensation expense, pretax, was 0.4 billion dollars." |
    jq -c '.metadata += {cik: "0000051143", reportDate: "2025-06-30", fiscalPeriod: "Q2"}' | bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search "ibm and square stock-based compensation, pretax"
  equal "$status" 0
  equal "$(field .sourceUrl)" https://example.org/000068
  contains "$stderr" "'square' may mean Block, Inc. (XYZ)"
}

@test "a year or quarter that the store lacks is said to be missing, not answered from another one" {
  listed_store
  run --separate-stderr bid-search "Apple's effective tax rate in fiscal 2015"
  refused "of Apple Inc. (AAPL) for fiscal 2015 is in the store; there are those of periods to 20"
  run --separate-stderr bid-search "TSLA effective tax rate Q1 2025"
  equal "$status" 1
  equal "$(jq -c 'select(.error | not)' <<<"$output")" ""
  contains "$stderr" "of Tesla, Inc. (TSLA) for Q1 2025 is in the store"
  run --separate-stderr bid-search "TSLA effective tax rate Q2 2025"
  equal "$status" 0
  equal "$(field .sourceUrl)" https://example.org/000012
}

@test "a year long past is answered where a passage names it, and said to be missing" {
  export BID_STORE=$BATS_TEST_TMPDIR/past.store
  document 000013 "Tesla, Inc." TSLA 10-K 2024 2025-01-30 "A bank sued over the warrants that were sold in 2014. The suit was settled in June." |
    jq -c '.metadata += {cik: "0001318605", reportDate: "2024-12-31", fiscalPeriod: "FY"}' | bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search -e TSLA "How was the suit over the warrants that were sold in 2014 settled?"
  equal "$status" 0
  contains "$output" "The suit was settled in June"
  contains "$stderr" "for fiscal 2014 is in the store"
  run --separate-stderr bid-search -e TSLA "How was the suit over the warrants that were sold in 2013 settled?"
  refused "for fiscal 2013 is in the store"
  run --separate-stderr bid-search -e TSLA "How was the suit over the warrants settled in Q2 2014?"
  refused "no 10-Q or 6-K of Tesla, Inc. (TSLA) is in the store"
}

@test "a year of which no filing is there is refused; a company may be a number, a form has one name" {
  export BID_STORE=$BATS_TEST_TMPDIR/target.store
  {
    document 000015 "KONINKLIJKE PHILIPS NV" PHG 6-K 2023 2023-01-30 "Philips will reduce its workforce by an additional 6,000 roles globally by 2025. This includes 3,000 in 2023."
    document 000016 "KONINKLIJKE PHILIPS NV" PHG 6-K 2022 2022-10-24 "Philips announced in October that 4,000 roles will go. Comparable sales fell."
  } | jq -c '.metadata += {cik: "0000313216"}' | bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search "Philips job cuts 2027"
  refused "no 10-K, 20-F or 40-F of KONINKLIJKE PHILIPS NV"
  run --separate-stderr bid-search <<<'{"query":"job cuts","forms":["6-K"]}'
  refused 'a job has no member "forms"; "form" is meant'
  run --separate-stderr bid-search -n 1 <<<'{"query":"workforce","company":313216}'
  equal "$status" 0
  run --separate-stderr bid-search -e Philips -f 10-K "job cuts 2025"
  refused "no 10-K of KONINKLIJKE PHILIPS NV"
}

@test "a word that may be a company's, or an ordinary one, does not silence the store" {
  export BID_STORE=$BATS_TEST_TMPDIR/words.store
  document 000014 "KONINKLIJKE PHILIPS NV" PHG 6-K 2023 2023-01-30 "The Commerce Department looks into chips. Capital spending on the recall of breathing devices falls." |
    jq -c '.metadata += {cik: "0000313216"}' | bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search "What does the Commerce Department look into with chips?"
  equal "$status" 0
  run --separate-stderr bid-search -e Philips "recall of breathing devices"
  equal "$status" 0
  run --separate-stderr bid-search -e Phillips "recall of breathing devices"
  [ "$status" -ne 0 ]
  run --separate-stderr bid-search "Ford recall of breathing devices" # "afford" would not be Ford
  refused "no document of FORD MOTOR CO (F) is in the store"
}

@test "a company that the store lacks: passages that name it and tell of it, and the word that they are others'" {
  export BID_STORE=$BATS_TEST_TMPDIR/store
  {
    document 000031 "Apple Inc." AAPL "DEF 14A" 2025 2026-01-08 \
      "The peer companies are Alphabet, Amazon, Comcast, Disney, IBM and Netflix. We review the peers each year."
    document 000032 "Apple Inc." AAPL 10-K 2025 2025-10-31 \
      "Google pays us for being the default search engine. A court found that Google broke the antitrust laws; remedies could reduce what Google pays."
    document 000033 "GAINSCO INC" "" 10-K 2025 2026-02-10 \
      "Losses and claims incurred rose by 12%. Our losses come from private passenger automobiles."
  } | bid-chunk | bid-embed | bid-index >/dev/null
  # a list of peers is no answer about one of them, nor are another company's losses
  run --separate-stderr bid-search "comcast peacock losses"
  refused "no document of COMCAST CORP (CMCSA) is in the store"
  run --separate-stderr bid-search --bundle "Google antitrust remedies"
  equal "$status" 0
  equal "$(field '[.rag.matches[] | .ticker] | unique | join(" ")')" AAPL
  equal "$(field '[.rag.matches[] | select(.text | contains("Google") | not)] | length')" 0
  equal "$(field '.errors[0].message')" "no document of Alphabet Inc. (GOOGL) is in the store; the passages are of others, which name it"
}

@test "passages of others hold what is asked, of its form and period, and are never likely" {
  export BID_STORE=$BATS_TEST_TMPDIR/store
  {
    document 000035 "Apple Inc." AAPL 10-K 2025 2025-10-31 \
      "Google pays us for being the default search engine. A court found that Google broke the antitrust laws; remedies could reduce what Google pays."
    document 000036 "Tesla, Inc." TSLA 10-K 2024 2025-01-30 \
      "In 2019 we sold warrants to Wells Fargo Bank. Our headcount is told elsewhere."
    document 000037 "Tesla, Inc." TSLA 10-K 2024 2025-01-30 "Our employee headcount was 125,665."
  } | bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search --bundle "Google antitrust remedies"
  equal "$status" 0
  equal "$(field '.rag.matches | length > 0 and all(.[].scores; .confidence <= 0.5 and .relevance < 0.3)')" true
  run --separate-stderr bid-search --bundle "Google antitrust remedies 2025"
  equal "$status" 0
  run --separate-stderr bid-search "Google antitrust remedies, 8-K"
  refused "no document of Alphabet Inc. (GOOGL) is in the store"
  run --separate-stderr bid-search "Google antitrust remedies 2019"
  refused "no document of Alphabet Inc. (GOOGL) is in the store"
  run --separate-stderr bid-search "wells fargo employees layoffs 2024"
  refused "no document of WELLS FARGO & COMPANY/MN (WFC) is in the store"
}

@test "of several companies each has a passage among the five, or is named as having none" {
  export BID_STORE=$BATS_TEST_TMPDIR/store
  {
    document 000039 "Apple Inc." AAPL 10-K 2025 2025-10-31 "$(five 'Our term debt is 90 billion dollars; the debt of notes is due in 2026.')"
    document 000040 "Tesla, Inc." TSLA 10-K 2025 2026-01-30 "$(five 'Cars are sold in stores, and solar roofs.') No debt is due."
    document 000041 "Netflix, Inc." NFLX 10-K 2025 2026-01-30 "Members watch films at home."
  } | bid-chunk -t 150 | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search --no-fold -n 3 --bundle "Apple and Tesla: how much debt of notes is due in 2026?"
  equal "$status" 0
  equal "$(field '[.rag.matches[].ticker] | join(" ")')" "AAPL AAPL TSLA"
  run --separate-stderr bid-search --no-fold -n 3 --bundle "Apple and Netflix: how much debt of notes is due in 2026?"
  equal "$(field '[.rag.matches[].ticker] | unique | join(" ")')" AAPL
  contains "$(field '.errors[].message')" "no passage of NETFLIX INC (NFLX) answers this"
}

@test "never likely where no passage is of the asked period" {
  export BID_STORE=$BATS_TEST_TMPDIR/store
  passage 000038 "INTERNATIONAL BUSINESS MACHINES CORP" IBM 0000051143 10-Q 2025-07-25 \
    "Revenue of IBM was 16,977 million dollars. A suit on revenue of 2023 is pending." |
    jq -c '.metadata += {reportDate: "2025-06-30"}' | bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search --bundle "IBM revenue 2023"
  equal "$status" 0
  equal "$(field '.rag.matches | length > 0 and all(.[].scores; .confidence <= 0.5 and .relevance < 0.3)')" true
  run --separate-stderr bid-search --bundle "IBM revenue june 2025"
  equal "$(field '.rag.matches[0].scores.confidence > 0.5')" true
}

@test "a document whose company is not known answers for a company only where it names it" {
  export BID_STORE=$BATS_TEST_TMPDIR/store
  document 000034 "" "" "" 2024 2024-11-22 \
    "THE BUCKLE, INC. REPORTS THIRD QUARTER NET INCOME. Comparable store net sales fell by 0.7 percent. NYSE: BKE" |
    jq -c 'del(.metadata.company, .metadata.ticker, .metadata.form)' | bid-chunk | bid-embed | bid-index --domain finance --corpus reports >/dev/null
  run --separate-stderr bid-search -e MSFT "comparable store sales"
  refused "no document of MICROSOFT CORP (MSFT) is in the store"
  run --separate-stderr bid-search -e BKE "comparable store sales"
  equal "$status" 0
  equal "$(field .sourceUrl)" https://example.org/000034
}

@test "words in doubt, which no passage holds, are asked back for instead of answered from anybody" {
  run --separate-stderr bid-search "Block's kilns and natural gas"
  [ "$status" -ne 0 ]
  equal "$(jq -c 'select(.error | not)' <<<"$output")" ""
  contains "$stderr" "Block, Inc. (XYZ)"
}

@test "a company is never answered with another one's passages, several are all answered" {
  listed_store
  run --separate-stderr bid-search "What was Walmart's revenue and its effective tax rate?"
  refused "no document of Walmart Inc. (WMT) is in the store"
  passage 000067 "Tesla, Inc." TSLA 0001318605 10-K/A 2026-01-30 "Mr. Doe was an officer of Walmart until 2020." | bid-chunk | bid-embed | bid-index >/dev/null
  for bare in Walmart "What did Walmart say?"; do
    run --separate-stderr bid-search "$bare"
    refused "no document of Walmart Inc. (WMT) is in the store"
  done
  run --separate-stderr bid-search "What was the effective tax rate of Apple?"
  equal "$status" 0
  equal "$(jq -r .company <<<"$output" | sort -u)" "Apple Inc."
  run --separate-stderr bid-search --no-threshold -e AAPL -e TSLA "effective tax rate"
  equal "$(jq -r .ticker <<<"$output" | sort -u | paste -sd' ')" "AAPL TSLA"
  run --separate-stderr bid-search "Compare the effective tax rate of Apple and Walmart"
  equal "$(jq -r 'select(.company).company' <<<"$output" | sort -u)" "Apple Inc."
  contains "$stderr" "no document of Walmart Inc. (WMT) is in the store"
}

# own_store: a company that is on no list, and one with an annual report and a proxy statement.
own_store() {
  export BID_STORE=$BATS_TEST_TMPDIR/own
  {
    document 000011 "Gralsund Kilns" "" 10-K 2017 2018-03-08 "Our shares trade as GRLX. The ovens burn gas, which is bought a year ahead."
    document 000012 "Acme Rockets Inc." ACMR 10-K 2025 2025-10-31 "The auditors say that our rockets are shown fairly. Fees of launches rose."
    document 000013 "Acme Rockets Inc." ACMR "DEF 14A" "" 2026-01-08 "Audit fees were \$3 million. The chief executive flies on the aircraft of the company for reasons of security."
    document 000014 "Nobody Else Corp" NOBO "SC 14D9" "" 2026-02-08 "The rights lapse when the last rocket has flown, in 2031."
  } | bid-chunk | bid-embed | bid-index >/dev/null
}

@test "a company that is on no list is the store's: by its name, or by letters that its documents alone hold" {
  own_store
  for how in "-e GRLX|What do the ovens burn?" "|What made gralsund buy gas for the ovens a year ahead?" \
    "|payout of the gralsund kilns in 2017: do ovens burn gas"; do
    run --separate-stderr bid-search -n 1 ${how%%|*} "${how#*|}"
    [ "$status" -eq 0 ]
    equal "$(field .company)" "Gralsund Kilns"
  done
  run --separate-stderr bid-search -n 1 -e GRLY "What do the ovens burn?"
  [ "$status" -eq 64 ]
  contains "$stderr" "no company is called 'GRLY'"
}

@test "the name of a company in the question is no word to look for" {
  run --separate-stderr bid-search -n 1 --explain "What do Acme rockets depend on?"
  [ "$status" -eq 0 ]
  equal "$(jq -c '.explain | objects | [.terms[].term] | contains(["acm"])' <<<"$output" | head -n 1)" false
}

@test "a proxy statement tells of the year before it; the latest is the newest that there is" {
  own_store
  run --separate-stderr bid-search -n 1 -e ACMR "audit fees in fiscal 2025"
  [ "$status" -eq 0 ]
  equal "$(field .form)" "DEF 14A"
  run --separate-stderr bid-search -n 1 -e NOBO "When do the rights lapse at the latest?"
  [ "$status" -eq 0 ]
  equal "$(field .form)" "SC 14D9"
}

@test "where no period is asked for, the newest report comes before one that is as near" {
  export BID_STORE=$BATS_TEST_TMPDIR/years
  {
    document 000021 "Acme Rockets Inc." ACMR 10-K 2024 2024-10-31 "Launch fees rose by 31 per cent as buyers paid early."
    document 000022 "Acme Rockets Inc." ACMR 10-K 2025 2025-10-31 "Launch fees fell by 17 per cent since two launches failed, and rose when the third went well."
    document 000023 "Acme Rockets Inc." ACMR 10-K 2023 2023-10-31 "The pad was painted. Paint costs little, and the launch of the year went well."
  } | bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search -n 1 -e ACMR "launch fees"
  equal "$(field .fiscalYear)" 2025
  run --separate-stderr bid-search -n 1 -e ACMR "launch fees in fiscal 2024"
  equal "$(field .fiscalYear)" 2024
}

@test "a name that may be several companies' is refused with them" {
  listed_store
  run --separate-stderr bid-search -e Liberty "effective tax rate"
  [ "$status" -eq 64 ]
  equal "$(field .error.category)" invalid-request
  contains "$stderr" "Liberty Media Corp"
}

@test "a record's plan is obeyed" {
  listed_store
  plan='{"companies":[{"cik":"0001318605","ticker":"TSLA","name":"Tesla, Inc.","matched":"TSLA","how":"given","sure":1}],"forms":[],"amendments":false,"windows":[],"asks":"narrative","notUnderstood":[]}'
  run --separate-stderr bid-search <<<"{\"query\":\"effective tax rate\",\"plan\":$plan}"
  equal "$(jq -r '[.matches[].ticker] | unique | join(" ")' <<<"$output")" TSLA
  run --separate-stderr bid-search <<<'{"query":"effective tax rate","plan":7}'
  contains "$output" '\"plan\" is no object'
}

@test "no collection: what there is, and what to do" {
  run --separate-stderr bid-search -e TSLA "rockets"
  [ "$status" -eq 1 ]
  equal "$(field .error.category)" no-content
  contains "$stderr" "no document of Tesla, Inc. (TSLA) is in the store; read some first, for example with bid-ingest -e TSLA -f 10-K -f 20-F -f 40-F"
  run --separate-stderr bid-search -c 'nothing_*' "rockets"
  [ "$status" -eq 66 ]
  equal "$(field .error.category)" no-collection
  contains "$stderr" "finance_edgar_ACMR_10-K"
  export BID_STORE=$BATS_TEST_TMPDIR/none
  run --separate-stderr bid-search "rockets"
  [ "$status" -eq 66 ]
  contains "$stderr" "must be indexed first"
}

@test "--context keeps within its tokens and cites" {
  run --separate-stderr bid-search --format text --context 60 "rockets fuel supplier"
  [ "$status" -eq 0 ]
  contains "${lines[0]}" "[1]"
  contains "$output" "Source: https://example.org/00000"
  [ "$(wc -w <<<"$output")" -le 60 ]
  run --separate-stderr bid-search --context 200 "rockets fuel supplier"
  equal "$(field '.context | startswith("[1] ")')" true
}

@test "a hit says which row answers, with the head and the labels that it needs; a screen shows these, --full all of it" {
  {
    printf 'Acme sells rockets of many kinds.\n\n(in millions)\n\n| | 2024 | 2023 |\n|---|---|---|\n| Americas: | | |\n| Operating income | $67,656 | $60,508 |\n'
    printf '| Greater China: | | |\n| Operating income | $27,082 | $30,328 |\n'
    for i in {1..19}; do printf '| Other cost of kind %s | (1,00%s) | (2,00%s) |\n' $i $i $i; done
    printf '\nThe engineers moved to Vigo. They like it there, as far as anybody can tell, and they will stay for the years to come.\n'
  } >spans.md
  document 000082 "Acme Rockets Inc." ACMR 10-K 2023 2024-02-01 "$(cat spans.md)" | bid-chunk | bid-embed | bid-index >/dev/null
  bid-search -n 1 "Greater China operating income" >hit.json
  contains "$(python3 -c '
import json
h = json.load(open("hit.json")); t = h["text"].encode()
cut = lambda s: t[s["start"]:s["end"]].decode()
best = max(h["spans"], key=lambda s: s["chance"])
print(cut(best)); print(*map(cut, best["above"]), sep="\n")')" "| Operating income | \$27,082 | \$30,328 |
(in millions)
| | 2024 | 2023 |
|---|---|---|
| Greater China: | | |"
  run bid-search --format=text -n 1 "Greater China operating income"
  contains "$output" "Greater China:"
  contains "$output" "27,082"
  contains "$output" "…"
  run ! grep -q "kind 19" <<<"$output"
  run bid-search --format=text --full -n 1 "Greater China operating income"
  contains "$output" "kind 19"
  contains "$(bid-search --format=html -n 1 "Greater China operating income")" '<tr class="answer"><th scope="row">'
  id=$(bid-search --format=text -n 1 "Greater China operating income" | sed -n 's/.*, id \([0-9a-f]*\)$/\1/p')
  contains "$(bid show "$id" --near 1)" "Greater China"
  equal "$(bid-search --format=text -q -l "Greater China operating income" | grep -c https://example.org/000082)" 1
}

@test "near-duplicates that differ in what is asked are not folded: a month's number, a not" {
  local month n=0
  for month in January February March; do
    n=$((n + 1))
    printf 'Dear tenant, thank you for choosing our storage halls in the old harbour, which we look after every day of the year. The fee for %s is 5,%s00 dollars, payable at the office. We wish you a pleasant month, and remain at your disposal for all your questions about your halls.' $month $n >letter.md
    document 00009$n "Acme Storage Inc." ACMS 8-K 2023 "2024-0$n-01" "$(cat letter.md)" | bid-chunk | bid-embed | bid-index >/dev/null
  done
  run --separate-stderr bid-search --format=json "what is the fee for January"
  contains "$(head -1 <<<"$output")" "The fee for January is 5,100 dollars"
  for n in must "must not"; do
    printf 'Rules of the storage halls in the old harbour, which we look after every day of the year. Tenants %s smoke in the halls. All doors are to be locked at night, and the key is to be left at the office of the harbour, which is open until ten.' "$n" >rules.md
    document "00008${#n}" "Acme Storage Inc." ACMS 8-K 2023 "2024-05-0${#n}" "$(cat rules.md)" | bid-chunk | bid-embed | bid-index >/dev/null
  done
  run --separate-stderr bid-search --format=json "tenants must not smoke in the halls"
  contains "$output" "Tenants must smoke"
  contains "$output" "Tenants must not smoke"
}

@test "--context cuts at rows and sentences, keeps those that the question asks for, and marks what is left out" {
  export BID_STORE=$BATS_TEST_TMPDIR/cut.store
  {
    printf 'Acme sells rockets of many kinds to customers on three continents.\n\n| | 2024 | 2023 |\n|---|---|---|\n| Net sales | $66,952 | $58,313 |\n'
    for i in 1 2 3 4 5 6; do printf '| Other operating cost number %s of the segment | (1,00%s) | (2,00%s) |\n' $i $i $i; done
    printf '| Research and development expense | (31,370) | (29,915) |\n\nThe engineers moved to a new site in Vigo. They like it.\n'
  } >table.md
  document 000081 "Acme Rockets Inc." ACMR 10-K 2023 2024-02-01 "$(cat table.md)" | bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search --format text --context 120 "research and development expense"
  equal "$status" 0
  contains "$output" $'| | 2024 | 2023 |\n|-|-:|-:|\n'
  contains "$output" $'\n| … Research and development expense | (31,370) | (29,915) |'
  equal "$(grep '^|' <<<"$output" | grep -vFx -e '| … |' -e '|-|-:|-:|' | sed 's/^| … /| /' | grep -vFxf table.md || true)" ''
  run --separate-stderr bid-search --format text --context 90 "which new site in Vigo did the engineers move to"
  contains "$output" 'The engineers moved to a new site in Vigo.'
  equal "$(grep '^|' <<<"$output" | grep -vFx -e '| … |' -e '|-|-:|-:|' | grep -vFxf table.md || true)" ''
  run --separate-stderr bid-search --format text --context 1000 "research and development expense"
  run ! grep -q … <<<"$output"
  { # groups within groups: a row has the headings of all of its levels, what is left out stands behind the blanks of the level
    printf 'Statements of cash flows of Acme.\n\n| | 2024 | 2023 |\n|---|---|---|\n| Operating activities | | |\n|   Net income | 5 | 4 |\n|   Adjustments: | | |\n'
    for i in 1 2 3 4 5 6; do printf '|     Other noncash cost number %s of the segment | (1,00%s) | (2,00%s) |\n' $i $i $i; done
    printf '|     Depreciation of rockets | 31 | 29 |\n| Investing activities | | |\n'
    for i in 1 2 3 4 5 6; do printf '|   Other purchases number %s of the segment | (1,00%s) | (2,00%s) |\n' $i $i $i; done
  } >groups.md
  document 000084 "Acme Groups Inc." ACMG 10-K 2023 2024-02-01 "$(cat groups.md)" | bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search --format text --context 110 -e ACMG "depreciation of rockets"
  contains "$output" $'\n| Operating activities | | |\n|   … Adjustments: | | |\n|     … Depreciation of rockets | 31 | 29 |\n| … |'
  { # the text begins with the table
    printf '| | 2024 | 2023 |\n|---|---|---|\n| Americas: | | |\n| Operating income | $67,656 | $62,508 |\n'
    for i in 1 2 3 4 5 6; do printf '| Other operating cost number %s of the segment | (1,00%s) | (2,00%s) |\n' $i $i $i; done
    printf '| Greater China: | | |\n| Net sales | $66,952 | $72,559 |\n| Operating income | $27,082 | $30,328 |\n'
  } >table.md
  document 000083 "Acme Balloons Inc." ACMB 10-K 2023 2024-02-01 "$(cat table.md)" | bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search --format text --context 130 "Acme Balloons operating income of Greater China"
  contains "$output" 'Greater China: | | |'
}

@test "--neighbours, in a document of several passages" {
  long=$(for i in $(seq 120); do printf 'Paragraph %s tells of the number %s and of rivers, hills and valleys in detail.\n\n' "$i" "$i$i"; done)
  export BID_STORE=$BATS_TEST_TMPDIR/own
  document 000009 "Rivers Ltd" RIVR 10-K 2023 2024-01-01 "$long" | bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search --neighbours -n 1 '"paragraph 60"'
  [ "$status" -eq 0 ]
  equal "$(field 'has("before") and has("after")')" true
  run --separate-stderr bid-search --neighbours -n 1 '"paragraph 1"'
  equal "$(field 'has("before")')" false
}

@test "--bundle has the same four keys, found or not" {
  run --separate-stderr bid-search --bundle "rockets fuel supplier"
  [ "$status" -eq 0 ]
  equal "$(jq -c 'keys_unsorted' <<<"$output")" '["query","rag","edgar","errors"]'
  equal "$(jq -c '[.edgar, .errors, (.rag.matches | length > 0), (.rag.context | length > 0)]' <<<"$output")" '[null,[],true,true]'
  run --separate-stderr bid-search --bundle "Which wine goes with grilled salmon?"
  [ "$status" -eq 1 ]
  equal "$(jq -c '[.rag.matches, .errors]' <<<"$output")" '[[],[]]'
  export BID_STORE=$BATS_TEST_TMPDIR/none
  run --separate-stderr bid-search --bundle "rockets"
  [ "$status" -eq 66 ]
  equal "$(jq -r '.errors[0].category' <<<"$output")" no-collection
}

@test "a job's own id is in its bundle, answered or refused" {
  printf '%s\n' '{"id":"a-1","query":"rockets fuel supplier"}' '{"id":{"n":2},"question":"clay teapots"}' \
    '{"id":3,"query":"rockets","company":"NOBODY"}' '{"query":"rockets"}' >in
  run --separate-stderr bash -c 'bid-search --bundle <in'
  equal "$(printf '%s\n' "${lines[@]}" | jq -c '[.id, .query]')" '["a-1","rockets fuel supplier"]
[{"n":2},"clay teapots"]
[3,"rockets"]
[null,"rockets"]'
}

@test "questions on stdin come back in their order, with their own scope" {
  cat >in <<'END'
{"id":1,"query":"rockets fuel supplier","n":1}
{"id":2,"question":"clay teapots","company":"ZNTP","mode":"text"}
{"id":3,"query":"rockets","entity":{"id":"ZNTP"},"filingTypes":["8-K"]}
{"id":4}
{"id":5,"query":"rockets","company":"NOBODY"}
not json
{"id":6,"query":"potters","kept":1.50}
END
  run --separate-stderr bash -c 'bid-search --threads 3 <in'
  [ "$status" -eq 1 ]
  equal "$(printf '%s\n' "${lines[@]}" | jq -c '.id // .error.category' | tr '\n' ' ')" \
    '1 2 3 "invalid-request" "invalid-request" "invalid-request" 6 '
  equal "$(jq -c '.matches | length' <<<"${lines[0]}")" 1
  equal "$(jq -c '.matches[0].ticker' <<<"${lines[1]}")" '"ZNTP"'
  equal "$(jq -c '.matches' <<<"${lines[2]}")" '[]'
  contains "${lines[6]}" '"kept":1.50'
}

@test "many questions at once are answered as each alone, filters and broken ones among them" {
  for i in $(seq 20); do
    printf '{"id":%d,"query":"rockets fuel supplier %d"}\n{"query":"clay","company":"ZNTP"}\n{"query":7}\n' "$i" "$i"
    printf '{"query":"teapots of clay %d","mode":"vector","n":60}\n{"query":"\\"clay\\" %d"}\n{"query":"fuel","mode":"text"}\n' "$i" "$i"
  done >in
  bid-search --threads 1 --no-threshold <in >together || true
  while IFS= read -r line; do bid-search --no-threshold <<<"$line" || true; done <in >alone
  cmp <(jq -c 'del(.error.record, .error.line)' together) <(jq -c 'del(.error.record, .error.line)' alone)
  equal "$(wc -l <together)" 120
}

@test "many questions, several threads: the same answers" {
  for i in $(seq 300); do
    printf '{"id":%d,"query":"rockets fuel supplier %d"}\n{"id":"b%d","query":"teapots of clay"}\n' "$i" "$i" "$i"
  done >in
  bid-search --threads 1 <in >one
  bid-search --threads 4 <in >four
  cmp one four
  equal "$(wc -l <one)" 600
}

@test "an embedded question searches by its own vector" {
  run --separate-stderr bash -c \
    'jq -cn "{id: \"q\", text: \"kilns that burn natural gas\", query: \"zzz\"}" | bid-embed --query | bid-search --mode vector --no-threshold -n 1'
  [ "$status" -eq 0 ]
  equal "$(jq -r '.matches[0].sourceUrl' <<<"$output")" https://example.org/000004
  run --separate-stderr bash -c 'echo "{\"query\":\"x\",\"embedding\":\"AAAA!\"}" | bid-search --mode vector'
  [ "$status" -eq 1 ]
  run --separate-stderr bash -c 'echo "{\"query\":\"x\",\"embedding\":\"AAAAPwAAAD8=\"}" | bid-search --mode vector'
  [ "$status" -eq 1 ]
  contains "$output$stderr" "embedding has 2 dimensions, the collection's have 256"
  run --separate-stderr bash -c 'echo "{\"query\":\"kilns\",\"embedding\":\"AAAAPwAAAD8=\",\"warning\":\"mine\"}" | bid-search'
  [ "$status" -eq 0 ]
  contains "$(jq -r .warning <<<"$output")" "searched by text alone: the question's embedding has 2 dimensions"
  run --separate-stderr bash -c 'echo "{\"query\":\"kilns\",\"warning\":\"mine\"}" | bid-search'
  equal "$(jq -r .warning <<<"$output")" mine
}

@test "odd questions: a right answer or a clear error" {
  run --separate-stderr bid-search ""
  [ "$status" -eq 64 ]
  contains "$stderr" "the question is empty"
  run --separate-stderr bid-search "   "
  [ "$status" -eq 64 ]
  run --separate-stderr bid-search "the of and to"
  [ "$status" -eq 1 ]
  run --separate-stderr bid-search "312"
  [ "$status" -eq 0 ]
  equal "$(field .sourceUrl)" https://example.org/000004
  run --separate-stderr bid-search "中国的收入是多少"
  [ "$status" -eq 1 ]
  run --separate-stderr bid-search $'rockets\x01\x1b[31m fuel \xff supplier'
  [ "$status" -eq 0 ]
  run --separate-stderr bid-search 'an "unclosed rockets fuel supplier'
  [ "$status" -eq 0 ]
  run --separate-stderr bid-search "$(printf 'rockets fuel %.0s' $(seq 800))"
  [ "$status" -eq 0 ]
  run --separate-stderr bash -c 'bid-search "$(printf "rockets %.0s" $(seq 9000))"'
  [ "$status" -eq 64 ]
  contains "$stderr" "longer than"
  run --separate-stderr bid-search "'; rm -rf ~ # \$(id) rockets fuel supplier"
  [ "$status" -eq 0 ]
}

@test "people get a list: wrapped, without what hurts a terminal" {
  COLUMNS=60 run --separate-stderr bid-search --format text "kilns natural gas"
  [ "$status" -eq 0 ]
  equal "${lines[0]}" "Answered here: likely."
  contains "${lines[1]}" " 1 Zenith Teapots Corp"
  contains "$output" "https://example.org/000004"
  [ "$(printf '%s\n' "${lines[@]}" | grep -v http | LC_ALL=C.UTF-8 wc -L)" -le 60 ]
  equal "$(printf '%s' "$output" | tr -d '\n' | LC_ALL=C grep -c '[[:cntrl:]]')" 0
}

@test "the model of a collection may be a file elsewhere, which BID_MODEL names" {
  mkdir -p models
  : >models/bid-static.bidm
  cp "$ROOT/data/models/bid-static.bidm" own.bidm
  export BID_MODELS=$PWD/models
  run --separate-stderr bid-search --mode vector "rockets fuel supplier"
  [ "$status" -ne 0 ]
  contains "$stderr" "models/bid-static.bidm"
  BID_MODEL=own.bidm run --separate-stderr bid-search --mode vector "rockets fuel supplier"
  equal "$status/$stderr" 0/
}

@test "an unusable model: text alone, and said so" {
  run --separate-stderr bid-search --model "$BATS_TEST_TMPDIR/none.bidm" "rockets fuel supplier"
  [ "$status" -eq 0 ]
  contains "$stderr" "searched by text alone"
  equal "$(field '.scores | has("cosine")')" false
  run --separate-stderr bid-search --mode vector --model "$BATS_TEST_TMPDIR/none.bidm" "rockets"
  [ "$status" -eq 78 ]
}

@test "a filter of the wrong kind in a record is an error, not a search without it" {
  local wrong
  for wrong in '"collection":7' '"company":true' '"entity":1' '"form":{}' '"filingTypes":2' '"item":1' '"since":2024' '"until":[]' \
    '"asOf":1' '"mode":1' '"n":"many"'; do
    run --separate-stderr bid-search <<<"{\"query\":\"rockets\",$wrong}"
    [ "$status" -ne 0 ]
    contains "$stderr" "${wrong%%:*}"
    equal "$(jq 'has("matches")' <<<"$output")" false
  done
  # A C string would end at the NUL: AAPL, 2020.
  for member in '"company":"AAPL\u0000x"' '"since":"2020\u0000x"' '"collection":["a","b\u0000"]' '"form":[10]' '"company":[true]' '"entity":{"id":7}'; do
    run --separate-stderr bid-search <<<"{\"query\":\"rockets fuel supplier\",$member}"
    equal "$status $(jq -r .error.category <<<"$output")" "1 invalid-request"
  done
  run --separate-stderr bid-search <<<'{"query":"rockets\u0000fuel"}'
  contains "$stderr" "the question has a NUL"
  run --separate-stderr bid-search <<<'{"query":"rockets fuel supplier","company":null,"n":1}'
  equal "$(jq '.matches | length' <<<"$output")" 1
}

@test "without a readable store, jobs for EDGAR are all that the plans name, with the reason and a status" {
  local jobs
  jobs=$(bid-plan "Acme Rockets and Apple's revenue in fiscal 2025")
  head -c 5000 "$BID_STORE" >"$BATS_TEST_TMPDIR/short"
  echo text >"$BATS_TEST_TMPDIR/text"
  export BID_STORE
  for BID_STORE in "$BATS_TEST_TMPDIR/short" "$BATS_TEST_TMPDIR/text"; do
    run --separate-stderr bid-search -q --wants <<<"$jobs"
    equal "$status" 65
    equal "$(field '.plan.companies[0].ticker')" AAPL
    contains "$stderr" "bid-search: $BID_STORE: "
  done
  BID_STORE=$BATS_TEST_TMPDIR/none
  run --separate-stderr bid-search -q --wants <<<"$jobs" # nothing is stored yet
  equal "$status" 0
  equal "$(field '.plan.companies[0].ticker')" AAPL
  equal "$stderr" ""
}

@test "wrong calls" {
  run --separate-stderr bid-search --wants x
  [ "$status" -eq 64 ]
  contains "$stderr" "--wants: jobs come on stdin"
  run --separate-stderr bid-search -n 0 x
  [ "$status" -eq 64 ]
  run --separate-stderr bid-search -n 1001 x
  [ "$status" -eq 64 ]
  run --separate-stderr bid-search --format loud x
  [ "$status" -eq 64 ]
  run --separate-stderr bash -c 'bid-search rockets fuel supplier >/dev/full'
  [ "$status" -eq 74 ]
}

@test "the quality benchmark runs, where the shared sets are" {
  [ -n "$BID_SHARED" ] && [ -d "$BID_SHARED/bench/tatqa-dev" ] || skip "no shared development sets here"
  mkdir set
  head -40 "$BID_SHARED/bench/tatqa-dev/corpus.ndjson" >set/corpus.ndjson
  jq -c --slurpfile c <(jq -c .id set/corpus.ndjson) 'select(.doc_name as $d | $c | index($d))' \
    "$BID_SHARED/bench/tatqa-dev/queries.ndjson" >set/queries.ndjson
  run --separate-stderr "$ROOT/test/bench/quality" --bin "$BID_BIN" --json set
  [ "$status" -eq 0 ]
  equal "$(jq '."hit@5".value > 0.8 and .questions > 100' <<<"$output")" true
}

@test "a name that became another company's means the one whose filings are stored" {
  export BID_STORE=$PWD/own
  {
    document 000010 "Medicis Pharmaceutical Corp" "" 10-K 1999 1999-09-01 "Two outside warehouses in Phoenix and Memphis hold the stock of creams."
    document 000011 "SunPower Corp" SPWRQ 10-K 2022 2023-03-01 "Solar panels were sold to 4,000 new homes."
  } | bid-chunk | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search -n 1 "where are the warehouses of Medicis"
  equal "$(field .company) $stderr" "Medicis Pharmaceutical Corp "
  run --separate-stderr bid-search -n 1 "how many homes did sunpower sell panels to"
  equal "$(field .company) $stderr" "SunPower Corp "
}
