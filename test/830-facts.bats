#!/usr/bin/env bats
# bid-facts: XBRL facts that say what they are, statements, charts, screens, FRED series.

load helper
load facts

AAPL=0000320193 TSLA=0001318605 NVDA=0001045810 TSM=0001046179

@test "a row says what, of which span, in which filing" {
  need_shared
  rows -e AAPL -n 1 NetIncomeLoss
  equal "$status" 0
  equal "$(jq -c '[.company, .ticker, .cik, .taxonomy, .concept, .unit, .start, .end, .months, .fiscalYear, .fiscalPeriod, .value, .kind]' <<<"$output")" \
    '["Apple Inc.","AAPL","0000320193","us-gaap","NetIncomeLoss","USD","2024-09-29","2025-09-27",12,2025,"FY",112010000000,"reported"]'
  equal "$(jq -c '[.form, .filingDate, .accessionNumber, .href]' <<<"$output")" \
    '["10-K","2025-10-31","0000320193-25-000079","https://www.sec.gov/Archives/edgar/data/320193/000032019325000079/0000320193-25-000079-index.htm"]'
  equal "$(jq -r .sourceUrl <<<"$output")" "https://data.sec.gov/api/xbrl/companyfacts/CIK0000320193.json"
}

@test "a quarter is three months, not the half year that ends on its last day" {
  need_shared
  rows -e TSLA -p Q2-2022 Revenues
  equal "$(jq -c '[.start, .end, .months, .value]' <<<"$output")" '["2022-04-01","2022-06-30",3,16934000000]'
}

@test "without a flag a column holds whole years, and years only" {
  need_shared
  rows --from "$(companyfacts $AAPL)" -n 30 NetIncomeLoss
  equal "$(jq -r .months <<<"$output" | sort -u)" 12
  equal "$(jq -r .fiscalPeriod <<<"$output" | sort -u)" FY
}

@test "--annual Assets has the balances of year ends" {
  need_shared
  rows --from "$(companyfacts $AAPL)" --annual -n 4 Assets
  equal "$(jq -r .end <<<"$output" | paste -sd' ')" "2022-09-24 2023-09-30 2024-09-28 2025-09-27"
}

@test "the fourth quarter is there, derived and marked" {
  need_shared
  rows --from "$(companyfacts $AAPL)" --quarterly -p Q4-2025 NetIncomeLoss
  equal "$(jq -c '[.start, .end, .value, .kind, [.parts[] | .sign, .value]]' <<<"$output")" \
    '["2025-06-29","2025-09-27",27466000000,"derived",["+",112010000000,"-",84544000000]]'
  facts --from "$(companyfacts $AAPL)" --quarterly -n 2 NetIncomeLoss
  contains "$output" "27,466d"
  contains "$output" "d: derived"
}

@test "the quarters of a year are four, fiscal or calendar, of figures and of statements" {
  need_shared
  local file
  file=$(companyfacts $AAPL)
  rows --from "$file" --quarterly -p FY-2024 revenue
  equal "$(jq -r '"\(.end) \(.value)"' <<<"$output")" "2023-12-30 119575000000
2024-03-30 90753000000
2024-06-29 85777000000
2024-09-28 94930000000"
  rows --from "$file" --quarterly -p CY2024 revenue
  equal "$(jq -r .end <<<"$output" | paste -sd' ')" "2024-03-30 2024-06-29 2024-09-28 2024-12-28"
  rows --from "$file" --quarterly -p FY-2024 inventory
  equal "$(jq -r .end <<<"$output" | paste -sd' ')" "2023-12-30 2024-03-30 2024-06-29 2024-09-28"
  facts -e AAPL --quarterly -p FY-2024 --statement income
  contains "$(sed -n '/^USD/p' <<<"$output" | tr -s ' ')" "USD million Q4 2024 Q3 2024 Q2 2024 Q1 2024"
  # Quarters without a year are as many as years are, and years of a range are no quarters.
  facts -e AAPL --quarterly --statement income
  equal "$(sed -n '/^USD/p' <<<"$output" | grep -o 'Q[1-4] 20' | wc -l)" 3
  facts -e AAPL -p 2018-01-01..2025-12-31 --statement income
  equal "$(sed -n '/^USD/p' <<<"$output" | grep -o 'FY[- ]*20' | wc -l)" 3
}

@test "amounts a share are not taken from each other" {
  need_shared
  rows --from "$(companyfacts $AAPL)" --quarterly -n 40 EarningsPerShareDiluted
  equal "$(jq -r .kind <<<"$output" | sort -u)" reported
  contains "$stderr" "fourth quarters were not reported"
  # The gaps between the rows that are shown.
  facts --from "$(companyfacts $AAPL)" --quarterly -n 4 eps
  contains "$output" "1 fourth quarter was not reported"
  facts --from "$(companyfacts $AAPL)" --quarterly --since 2024-01-01 eps
  contains "$output" "2 fourth quarters were not reported"
}

@test "trailing twelve months" {
  need_shared
  rows --from "$(companyfacts $NVDA)" --ttm -n 1 revenue
  equal "$(jq -c '[.start, .end, .months, .value, .kind, (.parts | length)]' <<<"$output")" \
    '["2025-04-28","2026-04-26",12,253491000000,"derived",3]'
}

@test "a question's periods: a quarter by its month, days of filing, a day" {
  need_shared
  planned() { bid-plan --shipped "$1" | bid-facts --for-plan 2>/dev/null | jq -rc 'if .error then .error.message else [.fiscalPeriod, .fiscalYear, .end, .value] | join(" ") end'; }
  equal "$(planned "Apple December quarter of fiscal 2024 revenue")" "Q1 2024 2023-12-30 119575000000"
  equal "$(planned "Apple revenue of the 10-K filed in 2024")" "FY 2024 2024-09-28 391035000000"
  equal "$(planned "Apple Q1 revenue, reported in January 2025")" "Q1 2025 2024-12-28 124300000000"
  equal "$(planned "Apple cash dec 27 2025")" "Q1 2026 2025-12-27 45317000000"
}

@test "restated values: the latest, the first, and those known on a day" {
  need_shared
  rows --from "$(companyfacts $AAPL)" -p FY-2008 NetIncomeLoss
  equal "$(jq -c '[.value, .accessionNumber, .before.value]' <<<"$output")" '[6119000000,"0001193125-10-238044",4834000000]'
  rows --from "$(companyfacts $AAPL)" -p FY-2008 --as-first-reported NetIncomeLoss
  equal "$(jq -c '[.value, .later.value]' <<<"$output")" '[4834000000,6119000000]'
  rows --from "$(companyfacts $AAPL)" -p FY-2008 --as-of 2009-12-31 NetIncomeLoss
  equal "$(jq -c '[.value, .later]' <<<"$output")" '[4834000000,null]'
}

@test "a concept that ended goes on with its successor, or is said to end" {
  need_shared
  rows --from "$(companyfacts $AAPL)" -n 1 Revenues
  equal "$(jq -c '[.end, .concept, .value]' <<<"$output")" \
    '["2025-09-27","RevenueFromContractWithCustomerExcludingAssessedTax",416161000000]'
  contains "$stderr" "followed by RevenueFromContract"
  facts --from "$(companyfacts $AAPL)" Revenues
  contains "$output" "Revenues was last reported for 2018-09-29; followed by RevenueFromContract"
  contains "$output" "ASU 2014-09"
  facts --from "$(companyfacts $AAPL)" StockholdersEquityNoteStockSplitConversionRatio1
  contains "$output" "was last reported for"
}

@test "splits are seen, and what was filed before one is marked" {
  need_shared
  facts --from "$(companyfacts $NVDA)" -n 6 eps
  contains "$output" "split: 4 for 1, first in 0001045810-21-000131"
  contains "$output" "split: 10 for 1, first in 0001045810-24-000264"
  contains "$output" "3.85s"
  rows --from "$(companyfacts $NVDA)" -p FY-2022 eps
  equal "$(jq -c '[.value, .splitFactor]' <<<"$output")" '[3.85,10]'
  rows --from "$(companyfacts $NVDA)" -p FY-2025 eps
  equal "$(jq -c '.splitFactor' <<<"$output")" null
  facts --from "$(companyfacts $NVDA)" --as-of 2024-05-01 -n 1 eps
  [[ $output != *"10 for 1"* ]]
}

@test "plain words find concepts, of several taxonomies" {
  need_shared
  rows --from "$(companyfacts $AAPL)" -n 1 revenue capex 'R&D'
  equal "$(jq -r '"\(.label) \(.concept)"' <<<"$output")" "Revenue RevenueFromContractWithCustomerExcludingAssessedTax
Capital expenditure PaymentsToAcquirePropertyPlantAndEquipment
Research and development ResearchAndDevelopmentExpense"
  rows --from "$(companyfacts $TSM)" -n 1 revenue
  equal "$(jq -c '[.taxonomy, .unit, .value]' <<<"$output")" '["ifrs-full","TWD",2894307700000]'
}

@test "formulas are worked and shown" {
  need_shared
  rows --from "$(companyfacts $AAPL)" -p FY-2025 'free cash flow'
  equal "$(jq -c '[.value, .kind, .formula, [.parts[].value]]' <<<"$output")" \
    '[98767000000,"derived","operating cash flow - capital expenditure",[111482000000,12715000000]]'
  facts --from "$(companyfacts $AAPL)" -p FY-2025 'gross margin' 'research and development / revenue'
  contains "$output" "46.9"
  contains "$output" "8.3"
  contains "$output" "Gross margin = gross profit / revenue"
}

@test "brackets group a formula, and a formula without a value says why" {
  need_shared
  rows --from "$(companyfacts $AAPL)" -p FY-2025 'revenue - (cost of revenue + operating expenses)' 'operating income'
  equal "$(jq -r .value <<<"$output" | sort -u)" 133050000000
  rows --from "$(companyfacts $AAPL)" -p FY-2025 'net cash provided by (used in) operating activities'
  equal "$(jq -r .value <<<"$output")" 111482000000
  facts --from "$(companyfacts $AAPL)" 'revenue / (revenue - revenue)'
  contains "$stderr" "'revenue - revenue' is zero in every period"
  facts --from "$(companyfacts $AAPL)" 'revenue + diluted shares'
  contains "$stderr" "'revenue' is in USD and 'diluted shares' in shares"
  facts --from "$(companyfacts $AAPL)" 'revenue / 2'
  contains "$stderr" "'2' is a number: a formula has words and concepts only"
}

@test "a rate is shown as per cent, reported or not; units that cancel are gone" {
  need_shared
  local file
  file=$(companyfacts $AAPL)
  facts --from "$file" -p FY-2024 'effective tax rate' 'net margin'
  contains "$(tr -s ' ' <<<"$output")" "FY2024 2024-09-28 24.1 24.0 "
  contains "$output" "rate, %"
  rows --from "$file" -p FY-2024 'effective tax rate'
  equal "$(jq -c '[.value, .unit]' <<<"$output")" '[0.241,"pure"]'
  rows --from "$file" -p FY-2025 'eps * diluted shares'
  equal "$(jq -c '[.value, .unit]' <<<"$output")" '[111935039620,"USD"]'
  facts --from "$file" -p FY-2025 'diluted shares * eps'
  contains "$output" "111,935,039,620 "
}

@test "near names are offered for wrong ones" {
  need_shared
  facts --from "$(companyfacts $AAPL)" NetIncomeLosss
  equal "$status" 1
  contains "$stderr" "'NetIncomeLosss' was never reported; near: NetIncomeLoss,"
  # a word that BID knows is not near to itself: only what the company reports is named
  facts --from "$BID_SHARED/upstream/filings/wfc/10-K-2025-02-25.htm" revenue
  equal "$status" 1
  contains "$stderr" "'revenue' was never reported; it may stand in another document, as a bank's does in the annual report"
  run ! grep -E 'near: (.*, )?revenue' <<<"$stderr"
  facts --from "$(companyfacts $AAPL)" NetIncomeLosss Assets
  equal "$status" 1
  contains "$output" "359,241"
}

@test "a period without facts is told, with those that have some" {
  need_shared
  facts --from "$(companyfacts $AAPL)" -p FY-2031 Assets
  equal "$status" 1
  contains "$stderr" "period FY-2031"
  contains "$stderr" "there are facts that end from"
}

@test "several companies stand side by side, by their own fiscal years" {
  need_shared
  facts --from "$(companyfacts $AAPL)" --from "$(companyfacts $NVDA)" -p FY-2025 'net income'
  contains "$output" "FY2025"
  contains "$output" "112,010"
  contains "$output" "72,880"
  equal "$(grep -c '^Source:' <<<"$output")" 2
}

@test "columns stand together on the newest lines" {
  need_shared
  facts --from "$(companyfacts $AAPL)" --quarterly -n 3 'net income' eps
  equal "$(grep -c '^Q' <<<"$output")" 3
  contains "$output" "USD million"
}

@test "statements in the order and with the labels of the filing" {
  need_shared
  facts -e AAPL --statement income -n 2
  equal "$status" 0
  contains "$output" "lines and labels: 10-K 0000320193-25-000079"
  equal "$(sed -n '/^Products/p' <<<"$output" | head -1 | tr -s ' ')" "Products 307,003 294,866"
  equal "$(sed -n '/^Total net sales/p' <<<"$output" | tr -s ' ')" "Total net sales 416,161 391,035"
  contains "$output" "checked: 7 totals"
  facts -e AAPL --statement cash -n 1
  contains "$(tr -s ' ' <<<"$output")" "beginning balances 29,943"
  contains "$(tr -s ' ' <<<"$output")" "Repurchases of common stock -90,711"
}

@test "a line of a statement goes back to the concepts under which it was reported before" {
  need_shared
  facts -e AAPL --statement income -p FY-2013
  contains "$(tr -s ' ' <<<"$output")" "Total net sales 170,910c"
  contains "$output" "c: 'Total net sales' was reported as SalesRevenueNet"
  contains "$output" "checked: 5 totals"
  facts -e AAPL --statement income -p FY-2010
  contains "$(tr -s ' ' <<<"$output")" "Total net sales 65,225c"
  contains "$(tr -s ' ' <<<"$output")" "Income before provision for income taxes 18,540c"
  rows -e AAPL --statement income -p FY-2010
  equal "$(jq -c 'select(.label == "Total net sales") | [.concept, .presented]' <<<"$output")" '["SalesRevenueNet",65225000000]'
  # a note's depreciation (6,900) stood beside that of the statement (7,946) with another name: neither is sure
  rows -e AAPL --statement cash -p FY-2014
  equal "$(jq -r 'select(.concept | startswith("Depreciation")) | .value' <<<"$output")" ""
  equal "$(jq -r 'select(.label == "Cash generated by operating activities") | .value' <<<"$output")" 59713000000
  # what the filing itself leaves empty stays empty
  facts -e AAPL --statement income
  run ! grep -E '^c: ' <<<"$output"
}

@test "a statement marks what was filed before a split, and names the splits" {
  need_shared
  facts -e AAPL --statement income -p FY-2010
  contains "$(tr -s ' ' <<<"$output")" "Basic 15.41s USD/shares"
  contains "$(tr -s ' ' <<<"$output")" "Diluted 924,712s shares thousand"
  contains "$output" "s: as filed before a later split"
  contains "$output" "split: 7 for 1"
  contains "$output" "split: 4 for 1"
  facts -e AAPL --statement income -n 1
  run ! grep -E '^(s:|split:)' <<<"$output"
}

@test "a statement has no empty line, and one unit for the same kind of figure" {
  need_shared
  facts --from "$(companyfacts $TSLA)" --statement income -p FY-2014
  run ! grep -E '^[A-Za-z -]+ - ' <<<"$output"
  # 882 million and 893.3 million shares
  facts -e MRVL --statement income --quarterly -n 1
  contains "$(tr -s ' ' <<<"$output")" "Basic shares 882,000 shares thousand"
  contains "$(tr -s ' ' <<<"$output")" "Diluted shares 893,300 shares thousand"
  facts -e AAPL --statement income -p FY-2013
  contains "$output" "left out: 4 of the filing's lines, which have no value in these periods"
  run ! grep -E '^(Products|Services)' <<<"$output"
}

@test "what is no figure of a company is not said to be unreported, and a ratio of balances is no percentage" {
  need_shared
  facts -e AAPL "iPhone revenue"
  contains "$stderr" "'iPhone revenue' is no figure that BID has a word or a formula for; of a segment, product or region, which company facts don't have, --segments shows"
  facts -e AAPL "revenue in Japan"
  contains "$stderr" "of a segment, product or region"
  local ratio
  for ratio in "equity per employee" "ebit margin"; do
    facts -e AAPL "$ratio"
    contains "$stderr" "'$ratio' is no figure that BID has a word or a formula for; of a segment, product or region, "
    contains "$stderr" "; near: "
  done
  facts -e AAPL roic
  contains "$stderr" "'roic' is no figure that BID has a word or a formula for; near: "
  facts --human -e AAPL -n 1 "current ratio"
  contains "$output" "Current ratio, times"
  contains "$output" " 0.89 "
}

@test "every figure of a statement stands in the stripped filing's own tables" {
  need_shared
  local filings=$BID_SHARED/upstream/filings archives=$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data
  run python3 "$ROOT/test/tools/statement_figures.py" "$BID_BIN" \
    "$archives/320193/000032019325000079/aapl-20250927.htm" "$archives/1318605/000162828025003063/tsla-20241231.htm" \
    "$filings/amzn/10-K-2025-02-07.htm" "$filings/nflx/10-K-2025-01-27.htm" "$filings/ibm/10-Q-2025-07-24.htm" \
    "$filings/unp/10-Q-2025-07-24.htm" "$archives/1318605/000162828025035806/tsla-20250630.htm" \
    "$archives/320193/000032019325000073/aapl-20250628.htm" "$archives/320193/000032019325000057/aapl-20250329.htm" \
    "$archives/320193/000032019324000123/aapl-20240928.htm"
  echo "$output"
  equal "$status" 0
  equal "$(grep -c ': 0 of 0' <<<"$output")" 0
  contains "$output" "tsla-20241231.htm cash: 120 of 120 figures equal"
}

@test "a statement without the filing has standard lines and says so" {
  need_shared
  rows --from "$(companyfacts $TSM)" --statement income -n 1
  equal "$(jq -r .labels <<<"$output" | sort -u)" standard
  facts --from "$(companyfacts $TSM)" --statement balance -n 1
  contains "$output" "standard (not the filing's)"
}

@test "the parts of a figure, by product, segment and region" {
  need_shared
  facts -e AAPL --segments revenue -n 2
  equal "$status" 0
  contains "$(tr -s ' ' <<<"$output")" "iPhone 209,586 201,183"
  contains "$(tr -s ' ' <<<"$output")" "Greater China 64,377 66,952"
  contains "$output" "By segment"
  contains "$output" "Rest of Asia Pacific "
  rows --from "$BID_SHARED/upstream/filings/amzn/10-K-2025-02-07.htm" --segments OperatingIncomeLoss -n 1
  equal "$(jq -r '"\(.label) \(.value)"' <<<"$output")" "North America 24967000000
International 3792000000
Amazon Web Services 39834000000"
}

@test "a single report without quarters says so, and has its half year" {
  need_shared
  facts --from "$BID_SHARED/upstream/filings/unp/10-Q-2025-07-24.htm" --quarterly --statement cash
  equal "$status" 1
  contains "$stderr" "-p H1-2025"
  facts --from "$BID_SHARED/upstream/filings/unp/10-Q-2025-07-24.htm" --annual --statement income
  equal "$status" 1
  contains "$stderr" "a quarterly report has no year: --quarterly"
  rows --from "$BID_SHARED/upstream/filings/unp/10-Q-2025-07-24.htm" -p H1-2025 --statement cash
  equal "$(jq -c 'select(.concept == "NetCashProvidedByUsedInOperatingActivities") | [.months, .value]' <<<"$output")" '[6,4543000000]'
}

@test "a breakdown says what its lines add up to, and has the parts of parts that do" {
  need_shared
  facts -e AAPL --segments revenue -n 1
  contains "$output" "sum: Products + Services = Revenue"
  contains "$output" "sum: iPhone + Mac + iPad + Wearables, Home and Accessories = Products"
  contains "$output" "sum: Americas to Rest of Asia Pacific (5 lines) = Revenue"
  equal "$(grep -A1 '^Services' <<<"$output" | tail -n 1)" ""
  # On two axes; and a hedge's gain is no part of revenue.
  facts --from "$BID_SHARED/upstream/filings/nflx/10-K-2025-01-27.htm" --segments revenue -n 1
  contains "$(tr -s ' ' <<<"$output")" "Streaming, by region
United States and Canada 17,359,369
EMEA 12,387,035
Latin America 4,839,816
Asia Pacific 4,414,746"
  [[ $output != *Reclassification* ]]
  facts --from "$BID_SHARED/upstream/filings/ibm/10-Q-2025-07-24.htm" --segments revenue
  contains "$(tr -s ' ' <<<"$output")" "Software, by product or service
Hybrid Cloud 1,796 1,547"
  contains "$output" "sum: Hybrid Cloud + Automation + Data + Transaction Processing = Total Software"
  rows --from "$BID_SHARED/upstream/filings/amzn/10-K-2025-02-07.htm" --segments revenue -n 1
  equal "$(jq -s 'map(select(.concept | test(";"))) | length' <<<"$output")" 0
}

@test "a single report is shown for the span that it is about" {
  need_shared
  local ibm=$BID_SHARED/upstream/filings/ibm/10-Q-2025-07-24.htm
  rows --from "$ibm" --statement balance
  equal "$(jq -rs '[.[] | select(.concept == "Assets") | "\(.end) \(.value)"] | join(", ")' <<<"$output")" \
    "2025-06-30 148585000000, 2024-12-31 137175000000"
  rows --from "$ibm" --statement income
  equal "$(jq -rs '[.[] | select(.concept == "Revenues") | "\(.end) \(.months)"] | unique | join(", ")' <<<"$output")" \
    "2024-06-30 3, 2025-06-30 3"
  rows --from "$ibm" --statement cash
  equal "$(jq -rs '[.[] | .months] | unique | join(" ")' <<<"$output")" "0 6"
  rows --from "$ibm" revenue
  equal "$(jq -r '"\(.end) \(.months)"' <<<"$output" | tail -n 1)" "2025-06-30 3"
  facts --from "$BID_SHARED/upstream/filings/unp/10-Q-2025-07-24.htm" capex
  equal "$status" 1
  contains "$stderr" "'capex' is not reported for quarters, but for six months: -p H1-2025"
  rows --from "$BID_SHARED/upstream/filings/nflx/10-K-2025-01-27.htm" -n 1 'total debt' 'net debt'
  equal "$(jq -r '"\(.end) \(.value)"' <<<"$output" | paste -sd' ')" "2024-12-31 15582804000 2024-12-31 7778071000"
  facts --from "$BID_SHARED/upstream/filings/nflx/10-K-2025-01-27.htm" 'dividends'
  [[ $stderr != *EX-13* ]]
  rows --from "$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data/320193/000130817926000008/aapl014016-def14a.htm" \
    --statement income
  equal "$status" 1
}

@test "captions and shreds of labels are no lines of a statement" {
  need_shared
  facts --from "$BID_SHARED/upstream/filings/unp/10-Q-2025-07-24.htm" --statement balance
  contains "$(tr -s ' ' <<<"$output")" "Common shares, \$2.50 par value, 1,400,000,000 authorized; 1,113,174,759 and 1,113,018,733 issued; 593,009,409 and 604,241,260 outstanding, respectively 2,783 2,783"
  [[ $output != *"except share"* ]]
  facts --from "$BID_SHARED/upstream/filings/ibm/10-Q-2025-07-24.htm" --statement balance
  [[ $output != *"Dollars in millions"* && $output != *"2,279,164,313"* && $output != *"Shares authorized"* ]]
  contains "$output" "additional paid-in capital"
}

@test "a statement of cash flows opens with the balance of the day before its span, whatever the span" {
  need_shared
  opening() { bid-facts --json "$@" --statement cash | jq -c 'select(.opening) | [.end, .value]' | paste -sd' '; }
  equal "$(opening --from "$BID_SHARED/upstream/filings/ibm/10-Q-2025-07-24.htm" -p H1-2025)" '["2024-12-31",14160000000]'
  equal "$(opening --from "$BID_SHARED/upstream/filings/unp/10-Q-2025-07-24.htm" -p H1-2025)" '["2024-12-31",1028000000]'
  upstream_start
  equal "$(opening -e AAPL -p H1-2025)" '["2024-09-28",29943000000]'
  equal "$(opening -e AAPL --ttm -n 1)" '["2024-12-28",30299000000]'
  equal "$(opening -e AAPL -n 2)" '["2024-09-28",29943000000] ["2023-09-30",30737000000]'
}

@test "a quarterly report alone tells its fiscal quarter by the span from the year's beginning" {
  need_shared
  local archives=$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data
  rows --from "$archives/320193/000032019325000073/aapl-20250628.htm" --quarterly NetIncomeLoss
  equal "$(jq -c '[.end, .fiscalYear, .fiscalPeriod]' <<<"$output" | tail -n 1)" '["2025-06-28",2025,"Q3"]'
  rows --from "$archives/320193/000032019325000073/aapl-20250628.htm" -p 9M-2025 NetCashProvidedByUsedInOperatingActivities
  equal "$(jq -c '[.months, .value]' <<<"$output")" '[9,81754000000]'
  rows --from "$archives/320193/000032019325000057/aapl-20250329.htm" --quarterly NetIncomeLoss
  equal "$(jq -c '[.end, .fiscalYear, .fiscalPeriod]' <<<"$output" | tail -n 1)" '["2025-03-29",2025,"Q2"]'
}

@test "a first quarter's report alone tells the fiscal year by the balances of the day before" {
  local fact='{accn: "0000000001-25-000001", fy: 2026, fp: "Q1", form: "10-Q", filed: "2025-11-05"}'
  jq -n "def f(v; s; e): $fact + {val: v, end: e} + (if s then {start: s} else {} end);
    {cik: 1, entityName: \"June Corp\", facts: {\"us-gaap\": {
      Revenues: {units: {USD: [f(100; \"2025-07-01\"; \"2025-09-30\"), f(90; \"2024-07-01\"; \"2024-09-30\")]}},
      Assets: {units: {USD: [f(900; null; \"2025-09-30\"), f(880; null; \"2025-06-30\")]}}}}}" >june.json
  rows --from june.json --quarterly Revenues
  equal "$(jq -c '[.end, .fiscalYear, .fiscalPeriod]' <<<"$output" | paste -sd' ')" '["2024-09-30",2025,"Q1"] ["2025-09-30",2026,"Q1"]'
  rows --from june.json --quarterly -n 1 Assets
  equal "$(jq -c '[.end, .fiscalYear, .fiscalPeriod]' <<<"$output")" '["2025-09-30",2026,"Q1"]'
}

@test "several companies in Markdown have no empty column" {
  need_shared
  run bid-facts --markdown -n 1 --from "$(companyfacts $NVDA)" --from "$(companyfacts $AAPL)" revenue
  equal "$(grep -c '|  |' <<<"$output")" 0
  contains "$output" "| period | NVIDIA CORP Revenue, USD million |"
}

@test "reports come before proxy statements that repeat a figure" {
  need_shared
  rows --from "$(companyfacts $NVDA)" -n 3 'net income'
  equal "$(jq -r .form <<<"$output" | sort -u)" 10-K
}

@test "all recorded facts keep what is said of rows" {
  need_shared
  run python3 "$ROOT/test/tools/facts_property.py" "$BID_BIN/bid-facts" "$BID_SHARED"/upstream/data.sec.gov/api/xbrl/companyfacts/*.json
  echo "$output" | head -20
  equal "$status" 0
  contains "$output" "fourth quarters: "
}

@test "CSV and Markdown" {
  need_shared
  run --separate-stderr bid-facts --csv --from "$(companyfacts $AAPL)" -p FY-2025 NetIncomeLoss
  equal "$status" 0
  contains "${lines[0]}" "company,cik,label,concept,unit,start,end,months,fiscalYear"
  contains "${lines[1]}" "Apple Inc.,0000320193,"
  contains "${lines[1]}" ",112010000000,reported,10-K,0000320193-25-000079,2025-10-31,"
  run --separate-stderr bid-facts --markdown --from "$(companyfacts $AAPL)" -p FY-2025 NetIncomeLoss
  contains "$output" "| ---: |"
  contains "$output" "| FY2025 | 2025-09-27 | 112,010  |"
}

@test "the names of a source are no lines, markup, links or formulas" {
  jq -nc '{cik: 1, entityName: "=SUM(1)\n# Big [x](http://evil.example) <img src=x> `c` |cell| *b* www.evil.example", facts: {"us-gaap": {Revenues: {units: {USD:
    [{start: "2024-01-01", end: "2024-12-31", val: -5, fy: 2024, fp: "FY", form: "10-K", filed: "2025-02-01", accn: "0000000001-25-000001"}]}}}}}' >one.json
  jq -c '.cik = 2 | .entityName = "-2+3"' one.json >two.json
  local name='=SUM(1) # Big \[x\](http\://evil.example) \<img src=x\> \`c\` \|cell\| \*b\* www\.evil.example'
  run --separate-stderr bid-facts --markdown --from one.json --from two.json revenue
  equal "$status ${lines[0]}" "0 \\$name; -2+3: years (12 months)"
  equal "${lines[1]}" "| period | $name Revenue, USD | -2+3 Revenue, USD | accession |"
  equal "${lines[3]}" "| FY2024 | -5  | -5  | 0000000001-25-000001 |"
  equal "${lines[4]}" "Source: file one.json"
  run --separate-stderr bid-facts --markdown --from one.json --statement income
  equal "${lines[0]}" "\\$name: income statement"
  run --separate-stderr bid-facts --format table --from one.json revenue
  equal "$(grep -c 'SUM(1) # Big' <<<"$output")" 1
  run --separate-stderr bid-facts --csv --from one.json --from two.json revenue
  contains "$output" "\"'=SUM(1)
# Big"
  contains "$output" "
\"'-2+3\",0000000002,Revenue,Revenues,USD,2024-01-01,2024-12-31,12,2024,FY,-5,reported"
}

@test "charts as svg: units, title, source and accession, gaps open" {
  need_shared
  facts --from "$(companyfacts $AAPL)" --quarterly -n 8 --plot out.svg revenue eps
  equal "$status" 0
  python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse("out.svg")'
  contains "$(cat out.svg)" "Revenue, \$ billion"
  contains "$(cat out.svg)" "\$ a share"
  contains "$(cat out.svg)" "0000320193-26-000006"
  contains "$(cat out.svg)" "Source: "
  contains "$(cat out.svg)" "lighter bars: derived"
  [[ $(cat out.svg) != *"d: derived"* ]]
  # Eight quarters of revenue; of earnings a share the two fourth quarters are missing.
  equal "$(grep -c '<rect x=' out.svg)" 14
  facts --from "$(companyfacts $AAPL)" -n 8 --plot out.svg assets
  contains "$(cat out.svg)" "<path"
  equal "$(grep -c '<rect x=' out.svg || true)" 0
}

@test "a chart draws amounts a share before a split as the split left them" {
  need_shared
  facts --from "$(companyfacts $NVDA)" -n 14 --plot - eps
  # 6.63 of fiscal 2019, split 4 for 1 and 10 for 1.
  contains "$(grep FY2019 <<<"$output")" " 0.17 s"
  contains "$output" "s: divided by the ratio of a later split"
}

@test "a chart is as readable as the umask says" {
  need_shared
  if command -v rsvg-convert >/dev/null; then
    (umask 022 && bid-facts --from "$(companyfacts $AAPL)" --plot out.png 'net income')
    equal "$(stat -c %a out.png)" 644
  fi
  (umask 022 && bid-facts --from "$(companyfacts $AAPL)" --plot out.svg 'net income')
  equal "$(stat -c %a out.svg)" 644
  (umask 077 && bid-facts --from "$(companyfacts $AAPL)" --plot other.svg 'net income')
  equal "$(stat -c %a other.svg)" 600
}

@test "a chart that can't be written is said once, with its file" {
  need_shared
  facts --from "$(companyfacts $AAPL)" --plot absent/a.png 'net income'
  equal "$status" 73
  equal "$stderr" "bid-facts: absent/a.png: No such file or directory"
}

@test "charts as png and pdf" {
  need_shared
  need rsvg-convert
  facts --from "$(companyfacts $AAPL)" --plot out.png 'net income'
  equal "$(head -c 4 out.png | tail -c 3)" PNG
  facts --from "$(companyfacts $AAPL)" --plot out.pdf 'net income'
  equal "$(head -c 4 out.pdf)" %PDF
}

@test "a chart for the terminal" {
  need_shared
  facts --from "$(companyfacts $AAPL)" -n 3 --plot - 'net income'
  equal "$status" 0
  contains "$output" "Apple Inc.: Net income, \$ billion"
  contains "$output" "█"
  contains "$output" " 112.0"
}

@test "only marks that stand in a table or a chart are explained" {
  need_shared
  facts --from "$(companyfacts $AAPL)" -n 3 --plot - 'net income'
  run ! grep -E '^[dsr]: ' <<<"$output"
  facts --from "$(companyfacts $AAPL)" --quarterly -n 4 --plot - 'net income'
  equal "$(grep -E '^[dsr]: ' <<<"$output")" "d: derived from other spans"
  facts -e AAPL --statement income -n 2
  run ! grep -E '^[dsr]: ' <<<"$output"
  facts -e AAPL -p FY-2013 eps
  equal "$(grep -E '^[dsr]: ' <<<"$output" | cut -c1-2)" "s:"
}

@test "the figures that a plan asks for, a line each" {
  need_shared
  jq -nc '{query: "What was the revenue and net income of Apple in fiscal 2024?"}' | bid-plan --json >job
  rows --for-plan <job
  equal "$status" 0
  equal "$(jq -c '[.label, .value, .unit, .fiscalYear, .accessionNumber]' <<<"$output")" \
    '["Revenue",391035000000,"USD",2024,"0000320193-25-000079"]
["Net income",93736000000,"USD",2024,"0000320193-25-000079"]'
  equal "$(jq -r .statement <<<"$output" | sort -u)" income
  jq -c '.plan.windows = [{from: "2025-06-01", until: "2025-06-30"}]' job >other
  rows --for-plan <other
  equal "$(jq -c '[.label, .value, .months]' <<<"${lines[0]}")" '["Revenue",94036000000,3]'
  jq -nc '{query: "How does Apple recognize revenue in 2024?"}' | bid-plan --json >other
  rows --for-plan <other
  equal "$output" ""
  # The plan alone says which figures are meant: no word of the question is read.
  jq -c '.query = "How does Apple recognize revenue?"' job >other
  rows --for-plan <other
  equal "$(jq -c .value <<<"${lines[0]}")" 391035000000
  rows --for-plan <<<'{"query":"x"}'
  equal "$status" 1
  contains "$output" invalid-request
}

@test "a screen over all companies by frames" {
  need_shared
  facts --screen 'research and development / revenue > 20%' -p 2024
  equal "$status" 0
  contains "$output" "Quiet Harbor Robotics"
  [[ $output != *"Plain Freight"* ]]
  rows --screen 'research and development / revenue > 20%' -p 2024
  equal "$(jq -c '[.company, .value + 0, .unit, (.parts | length)]' <<<"${lines[0]}")" '["Quiet Harbor Robotics Inc.",0.4,"pure",2]'
  facts --screen 'nonsense' -p 2024
  equal "$status" 64
  facts --screen 'revenue > 1T' -p 2024
  equal "$status" 1
  contains "$stderr" "none of the 4 companies with such a figure in CY2024 meets 'revenue > 1T'; there is no frame of "
  export BID_CONNECT_TO=127.0.0.1:1 BID_CACHE=$BATS_TEST_TMPDIR/none
  facts --screen 'revenue > 1T' -p 2024
  equal "$status" 1
  contains "$stderr" "no frame of 'revenue' for CY2024; one could not be had: "
}

screened() { jq -r '"\(.company | ascii_downcase | .[:6]) \(.value)"' <<<"$output" | paste -sd' '; }

@test "a screen takes the words of a figure, and conditions in words" {
  need_shared
  local rule
  for rule in 'R&D / revenue > 40%' 'R&D over 40% of revenue' 'R&D/revenue above 40 percent' 'R&D as a share of revenue > 40%' \
    'companies that spend more than 40% of their revenue on R&D'; do
    rows --screen "$rule" -p 2023
    equal "$status" 0
    equal "$(jq -r .label <<<"$output")" "R&D / revenue"
    equal "$(screened)" "snowfl 0.458918"
  done
  rows --screen 'gross margin of at least 60%' -p 2023
  equal "$(screened)" "nvidia 0.727176 snowfl 0.679828"
  rows --screen 'revenue between $60.5 billion and 200bn' -p 2023
  equal "$(screened)" "taiwan 70598800000 nvidia 60922000000"
  rows --screen 'R&D > 7% of revenue and net income > 50bn' -p 2023
  equal "$(jq -r '"\(.company) \(.label)"' <<<"$output" | paste -sd,)" "Apple Inc. R&D / revenue,Apple Inc. Net income"
  rows --screen 'lowest free cash flow / revenue' -p 2023 -n 1
  equal "$(screened)" "taiwan 0.135147"
  facts --screen 'flurb > 3' -p 2023
  equal "$status" 64
  contains "$stderr" "'flurb' is no figure that BID has a word or a formula for"
  facts --screen 'revenue > 3 of the kind' -p 2023
  equal "$status" 64
  equal "${stderr##*: }" "'of the kind' behind the condition is not understood; another one is written as 'and revenue > 1 billion'"
  facts --screen 'gross margin > 50' -p 2023
  equal "$status" 1
  contains "$stderr" "a share is written with its sign, 50%"
}

@test "a screen's figures are those that the company has, of whichever concept, which is told" {
  need_shared
  local word cik value
  for word in 'revenue growth' 'return on equity' 'inventory days' eps 'gross margin' SalesRevenueNet; do
    rows --screen "highest $word" -p 2023
    equal "$status" 0
    while read -r cik value; do
      [ "$cik" != $TSM ] || continue # has more facts in TWD
      equal "$word $value" "$word $(bid-facts --json --from "$(companyfacts "$cik")" -p CY2023 "${word/SalesRevenueNet/revenue}" | jq .value)"
    done < <(jq -r '"\(.cik) \(.value)"' <<<"$output")
  done
  facts --screen 'Revenues > 1' -p 2023
  contains "$output" "1: RevenueFromContractWithCustomerExcludingAssessedTax"
  contains "$output" "2: Revenue"
  contains "$output" "3: Revenues"
  facts --screen 'current ratio > 1' -p 2023
  contains "$output" "Current ratio, times"
}

@test "a screen of which some frames can't be had says that companies may be missing" {
  need_shared
  export BID_CACHE=$BATS_TEST_TMPDIR/none
  upstream_fault '*/us-gaap/Revenues/*=500'
  facts --screen 'revenue > 1bn' -p 2023
  upstream_fault
  equal "$status" 69
  contains "$output" "Apple Inc."
  contains "$stderr" "could not be had"
}

@test "FRED series" {
  export FRED_API_KEY=abcdefghijklmnopqrstuvwxyz012345
  need_shared
  facts --fred -n 3 --since 2000-01-01 GDP
  [ "$status" -eq 0 ] || { echo "$stderr"; false; }
  contains "$output" "not endorsed"
  [[ $output$stderr != *abcdefghijklmnop* ]]
}

@test "FRED series: a day without a value, \".\" in its answer, is no fact" {
  export FRED_API_KEY=abcdefghijklmnopqrstuvwxyz012345
  need_shared
  rows --fred -p 2024-02 DGS10
  equal "$status" 0
  equal "$(jq -r '"\(.end) \(.value + 0)"' <<<"$output")" "2024-02-27 4.31
2024-02-29 4.25"
}

@test "what is no answer of companyfacts is said" {
  echo '{"a":1}' >file.json
  facts --from file.json revenue
  equal "$status" 65
  contains "$stderr" "no object \"facts\""
  echo 'plain words' >file.txt
  facts --from file.txt revenue
  equal "$status" 65
  contains "$stderr" "file.txt: no facts are tagged in it; wanted is the SEC's JSON of company facts"
  facts --from nowhere.json revenue
  equal "$status" 66
}

@test "options that don't go together, and values that are none" {
  local call
  while read -r call; do
    # shellcheck disable=SC2086 # words of a call
    facts $call
    [ "$status" -eq 64 ] || { echo "$call: $status"; false; }
    equal "$output" ""
  done <<'CALLS'
revenue
-e AAPL --segments
-e AAPL --annual --ttm revenue
-e AAPL --csv --markdown revenue
-e AAPL -p Q7-2024 revenue
-e AAPL --as-of gestern revenue
-e AAPL --statement equity
-e AAPL --plot chart.gif revenue
-e AAPL --plot chart.svg --statement income
-e AAPL --plot chart.svg --segments revenue
-e AAPL -n 0 revenue
-e AAPL revenue-(cost
CALLS
}

@test "names of concepts are no program, and control bytes are masked" {
  need_shared
  facts --from "$(companyfacts $AAPL)" --plot out.svg '"; system "touch pwned"; "'
  [ ! -e pwned ]
  jq -c '.entityName = "A\u001b[31mB"' "$(companyfacts 0001997711)" >odd.json
  facts --from odd.json assets
  [[ $output != *$'\033'* ]]
}

@test "a table keeps to the screen: heads and names are wrapped, columns without room stand below, notes are folded" {
  need_shared
  local w
  for w in 40 60 80; do
    export COLUMNS=$w
    facts --human --from "$(companyfacts $AAPL)" revenue "free cash flow" "net income / revenue" -n 3
    equal "$status" 0
    while IFS= read -r line; do
      [[ $line == *.json* || $(wc -m <<<"$line") -le $((w + 1)) ]] || { echo "wider than $w: $line"; false; }
    done <<<"$output"
    contains "$output" "FY2025  2025-09-27"
    contains "$output" "416,161"
    contains "$output" "0000320193-25-000079"
    equal "$(grep -c ^FY2025 <<<"$output")" $((w < 80 ? 2 : 1))
  done
  unset COLUMNS
  facts --human --from "$(companyfacts $AAPL)" revenue "free cash flow" -n 3
  contains "$output" "Revenue, USD million  Free cash flow, USD million"
}

@test "an unknown company" {
  need_shared
  facts -e NOSUCHX NetIncomeLoss
  equal "$status" 64
  rows -e AAPL -e NOSUCHX -n 1 NetIncomeLoss # beside another one: its refusal is a record
  equal "$status" 64
  equal "$(jq -sc 'map(.error.category // .ticker)' <<<"$output")" '["invalid-request","AAPL"]'
}

@test "statements that stand in the annual report to shareholders, an exhibit, are read there" {
  local a=www.sec.gov/Archives/edgar/data/9990011 x=000999001125000003 u facts
  mkdir -p "root/$a/$x" root/data.sec.gov/submissions root/data.sec.gov/api/xbrl/companyfacts
  printf '{"cik":"0009990011","entityType":"operating","name":"Skerry Bank Corp","tickers":[],"exchanges":[],"filings":{"recent":{"accessionNumber":["0009990011-25-000003"],"filingDate":["2025-02-20"],"reportDate":["2024-12-31"],"acceptanceDateTime":["2025-02-20T18:28:48.000Z"],"act":[""],"form":["10-K"],"fileNumber":[""],"filmNumber":[""],"items":[""],"core_type":[""],"size":[50000],"isXBRL":[1],"isInlineXBRL":[1],"primaryDocument":["skerry.htm"],"primaryDocDescription":[""]},"files":[]}}' >root/data.sec.gov/submissions/CIK0009990011.json
  local concepts=(InterestAndDividendIncomeOperating 700 InterestExpense 300 Revenues 400 OperatingExpenses 190 IncomeLossBeforeIncomeTaxes 210 IncomeTaxExpenseBenefit 60 NetIncomeLoss 150) i
  fact() { printf '"%s":{"label":"%s","units":{"USD":[{"start":"2024-01-01","end":"2024-12-31","val":%s,"accn":"0009990011-25-000003","fy":2024,"fp":"FY","form":"10-K","filed":"2025-02-20"}]}}' "$@"; }
  facts=
  for ((i = 0; i < 14; i += 2)); do facts+=${facts:+,}$(fact "${concepts[i]}" "${concepts[i]}" "${concepts[i + 1]}000000"); done
  printf '{"cik":9990011,"entityName":"Skerry Bank Corp","facts":{"us-gaap":{%s}}}' "$facts" >root/data.sec.gov/api/xbrl/companyfacts/CIK0009990011.json
  row() { printf '<tr><td scope="row">1</td><td scope="row"></td><td scope="row"><a href="/Archives/edgar/data/9990011/%s/%s">%s</a></td><td scope="row">%s</td><td scope="row">100</td></tr>' "$x" "$1" "$1" "$2"; }
  printf '<html><body><table>%s%s</table></body></html>' "$(row skerry.htm 10-K)" "$(row skerry-ar.htm EX-13)" >"root/$a/0009990011-25-000003-index.html"
  u='<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>'
  printf '<html><body><ix:header><ix:resources><xbrli:context id="y"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0009990011</xbrli:identifier></xbrli:entity><xbrli:period><xbrli:startDate>2024-01-01</xbrli:startDate><xbrli:endDate>2024-12-31</xbrli:endDate></xbrli:period></xbrli:context>%s</ix:resources></ix:header><p><ix:nonNumeric name="dei:DocumentType" contextRef="y">10-K</ix:nonNumeric></p></body></html>' "$u" >"root/$a/$x/skerry.htm"
  line() { printf '<tr><td>Skerry, %s</td><td><ix:nonFraction name="us-gaap:%s" contextRef="y" unitRef="usd" scale="6" decimals="-6">%s</ix:nonFraction></td></tr>' "$1" "$1" "$2"; }
  {
    printf '<html><body><p>Consolidated Statement of Income</p><table><tr><td>(in millions)</td><td>2024</td></tr>'
    for ((i = 0; i < 14; i += 2)); do line "${concepts[i]}" "${concepts[i + 1]}"; done
    printf '</table></body></html>'
  } >"root/$a/$x/skerry-ar.htm"
  (
    upstream_start --root "$PWD/root"
    run --separate-stderr bid-facts --human -e 9990011 --statement income -n 1
    upstream_stop
    equal "$status" 0
    contains "$output" "Skerry, InterestExpense"
    contains "$output" "Skerry, NetIncomeLoss"
    contains "$output" "lines and labels: 10-K 0009990011-25-000003"
  )
}

@test "filings between the last value that was restated and the split's first are from before it" {
  need_shared
  rows -e TSLA -p Q2-2022 "diluted shares"
  facts -e TSLA --quarterly -n 2 eps "diluted shares"
  contains "$output" "1.95s"
  contains "$output" "1,155s"
  run --separate-stderr bid-facts -e TSLA --quarterly -n 12 --plot eps.svg eps
  contains "$(cat eps.svg)" ">0.25<"
  contains "$(cat eps.svg)" ">0.75<"
}

@test "shares on a cover are none of a year beside those at its end; a ratio is no percent; a line counts its filings" {
  need_shared
  facts -e AAPL -n 2 "shares outstanding" "current ratio"
  contains "$output" "FY2024"
  equal "$(grep -c 'Q[1-4]' <<<"$output")" 0
  contains "$output" "Current ratio, times"
  contains "$output" " 0.89 "
  facts -e AAPL -p Q4-2024 revenue
  contains "$output" "0000320193-25-000079 +1" # the year, and the nine months
}

@test "a filing that could not be had, and one whose statements stand elsewhere, are said to be" {
  need_shared
  facts -e TSLA --segments revenue
  contains "$stderr" "could not be fetched: there is nothing at https://www.sec.gov/Archives/edgar/data/1318605/"
  facts -e TSLA --statement balance -n 1
  contains "$output" "the filing could not be fetched: there is nothing at https://www.sec.gov/"
  facts --from "$BID_SHARED/upstream/filings/wfc/10-K-2025-02-25.htm" --statement income
  contains "$stderr" "EX-13"
}

@test "a question's words for shares outstanding that stand apart, and a figure per diluted share" {
  need_shared
  asked() { echo "{\"query\":$(quoted "$1")}" | bid-plan --json | bid-facts --for-plan | jq -c 'select(.error | not) | [.label, .fiscalYear, .value]'; }
  equal "$(asked 'How many shares did Apple have outstanding at the end of fiscal 2025?')" '["Shares outstanding",2025,14773260000]'
  equal "$(asked 'How much did NVIDIA earn per diluted share in fiscal 2026?')" '["Diluted earnings per share",2026,4.9]'
  equal "$(asked 'How many shares did Apple repurchase in fiscal 2024?')" ''
}

@test "growth is that over a year before, of years and of quarters, and none from a loss" {
  need_shared
  rows -e AAPL --annual -n 1 "revenue growth"
  equal "$(jq -c '[.label, .fiscalYear, .value, .unit, .kind, (.parts | map(.value))]' <<<"$output")" \
    '["Revenue growth",2025,0.064255,"pure","derived",[416161000000,391035000000]]'
  facts -e AAPL --quarterly -p Q3-2025 "growth of revenue"
  contains "$output" " 9.6   0000320193-25-000073"
  rows -e TSLA --annual "net income growth"
  equal "$(jq -s 'map(select(.fiscalYear == 2020 or .fiscalYear == 2021) | .fiscalYear)' -c <<<"$output")" '[2021]'
}

@test "a question's figure beside another one is that of both: a share, by the share, its growth" {
  need_shared
  asked() { echo "{\"query\":$(quoted "$1")}" | bid-plan --json | bid-facts --quiet --for-plan | jq -c '.error.message // [.label, .fiscalYear, .fiscalPeriod, .value]'; }
  contains "$(asked 'Apple R&D as a share of revenue in fiscal 2025')" '["Research and development / Revenue",2025,"FY",0.083021]'
  contains "$(asked 'What percentage of its revenue did Apple spend on R&D in fiscal 2025?')" '["Research and development / Revenue",2025,"FY",0.083021]'
  contains "$(asked "Apple's free cash flow per share in fiscal 2025")" '["Free cash flow / Diluted shares",2025,"FY",6.58]'
  contains "$(asked 'How much did Apple revenue grow in fiscal 2025?')" '["Revenue growth",2025,"FY",0.064255]'
  equal "$(asked 'Apple revenue Q2')" '["Revenue",2025,"Q2",95359000000]'
  contains "$(asked 'Apple revenue in fiscal 2031' 2>/dev/null)" 'no figure of the period that the question names; the newest is of FY 2025'
}

# Where a company's recorded facts lie: an answer of companyfacts, or a filing.
recorded_facts() {
  case $1 in
    AAPL) companyfacts $AAPL ;; NVDA) companyfacts $NVDA ;; TSLA) companyfacts $TSLA ;; TSM) companyfacts $TSM ;;
    SNOW) companyfacts 0001640147 ;;
    AMZN) echo "$BID_SHARED/upstream/filings/amzn/10-K-2025-02-07.htm" ;;
    NFLX) echo "$BID_SHARED/upstream/filings/nflx/10-K-2025-01-27.htm" ;;
    *) echo "$BID_SHARED/upstream/filings/${1,,}/10-Q-2025-07-24.htm" ;;
  esac
}

@test "a question's figure of each quarter, in days, or beside a reason" {
  need_shared
  figures() { jq -Rc '{query: .}' <<<"$1" | bid-plan --json | bid-facts --quiet --for-plan 2>/dev/null; }
  equal "$(figures 'apple net income per quarter 2025' | jq -r .value | paste -sd' ')" \
    "36330000000 24780000000 23434000000 27466000000"
  equal "$(figures 'Snowflake quarterly operating loss fiscal 2025' | jq -r .months | sort -u)" 3
  equal "$(figures "apple's effective tax rate in FY2024 and why so high" | jq -r .value)" 0.241
  equal "$(figures "How did Apple's net income change from 2023 to 2024?" | jq -r 'select(.unit == "pure") | .value + 0' | tail -n 1)" -0.0336
  equal "$(figures 'why did apple revenue fall in fiscal 2023')" ""
  equal "$(figures 'Apple lease liabilities 2024' | jq -r '"\(.label) \(.value)"')" "Lease liabilities 12430000000"
  equal "$(figures 'apple days of inventory fiscal 2025' | jq -r '"\(.unit) \(.value)"')" "days 9.419592"
  equal "$(figures 'nvidia buybacks fiscal 2026 vs dividend' | jq -r .label | paste -sd' ')" "Share repurchases Dividends paid"
}

@test "a figure that a question names and that isn't there, is old, or ends on another day is said to be" {
  need_shared
  said() { jq -Rc '{query: .}' <<<"$1" | bid-plan --json | bid-facts --quiet --for-plan 2>/dev/null | jq -r '.error.message // empty'; }
  equal "$(said 'apple return on invested capital')" "company facts have no figure of 'return on invested capital'"
  equal "$(said 'Apple interest income 2024')" "Apple Inc.: 'Interest income' is not reported"
  equal "$(said 'tesla inventory')" \
    "Tesla, Inc.: the newest figure of 'Inventories' that company facts have ended 2022-09-30; a newer filing may have a newer one: name the year to get it"
  equal "$(said 'tesla inventory 2021')" ""
  equal "$(said 'nvidia vs apple revenue q2 2025')" \
    "the fiscal periods differ: that of NVIDIA CORP ended 2024-07-28, that of Apple Inc. 2025-03-29"
  equal "$(said 'apple revenue fiscal 2025')" ""
}

@test "a period that company facts don't have is read in the filing that reports it" {
  need_shared
  figures() { jq -Rc '{query: .}' <<<"$1" | bid-plan --json | bid-facts --quiet --for-plan 2>/dev/null; }
  equal "$(figures 'TSLA revenue Q2 2025' | jq -c '[.value, .months, .form, .accessionNumber, .filingDate]')" \
    '[22496000000,3,"10-Q","0001628280-25-035806","2025-07-24"]'
  equal "$(figures 'Tesla net income and capex fiscal 2024' | jq -r .value | paste -sd' ')" "7091000000 11339000000"
  equal "$(figures 'TSLA operating cash flow first half 2025' | jq -c '[.months, .value]')" '[6,4696000000]'
  # Nothing filed after the day that is asked about.
  equal "$(jq -nc '{query: "TSLA revenue Q2 2025"}' | bid-plan --json | jq -c '.plan.asOf = "2025-07-01"' |
    bid-facts --quiet --for-plan 2>/dev/null | jq -c 'select(.value)')" ""
}

@test "what is computed from shares of before a split says so, and growth over a split is that of one kind of share" {
  need_shared
  facts --from "$(companyfacts $AAPL)" -p FY-2013 'revenue / diluted shares' 'eps * diluted shares'
  contains "$output" "26.21s"
  contains "$output" "37,042,881,120 "
  [[ $output != *"37,042,881,120s"* ]]
  rows --from "$(companyfacts $NVDA)" -p FY-2023 'eps growth'
  equal "$(jq -c '[.value + 0, .splitFactor]' <<<"$output")" '[-0.55844,null]'
  facts --from "$(companyfacts $AAPL)" -n 3 eps
  [[ $output != *"split:"* ]]
}

@test "what analysts ask for: every figure is the one read by hand in the source" {
  need_shared
  local company arguments label value where wrong=0 count=0 words got
  while IFS=$'\t' read -r company arguments label value where; do
    [[ $company == \#* ]] && continue
    mapfile -t words < <(xargs printf '%s\n' <<<"$arguments")
    got=$(bid-facts --json --from "$(recorded_facts "$company")" "${words[@]}" 2>/dev/null |
      jq -s --arg l "$label" '[.[] | select($l == "-" or ([.label, .segment?, .member?, .part?] | tostring | contains($l)))][0].value' || true)
    jq -ne --argjson g "${got:-null}" --argjson w "$value" '$g != null and (($g - $w) | fabs) <= 1e-6 * ([($w | fabs), 1] | max)' >/dev/null || {
      echo "$company $arguments: $got, not $value ($where)" >&2
      wrong=$((wrong + 1))
    }
    count=$((count + 1))
  done <"$ROOT/test/data/facts_commands.tsv"
  [ "$wrong" -eq 0 ] && [ "$count" -ge 40 ]
}

@test "a question's figure is of a span of the length that it names, or none" {
  need_shared
  asked() { echo "{\"query\":$(quoted "$1")}" | bid-plan --json | bid-facts --quiet --for-plan 2>/dev/null | jq -c '.error.message // [.fiscalPeriod, .end, .value]'; }
  equal "$(asked 'Apple revenue in calendar 2024')" '["TTM","2024-12-28",395760000000]'
  equal "$(asked 'nvidia revenue calendar 2024')" '["FY","2025-01-26",130497000000]'
  equal "$(asked 'nvidia revenue 12 months to october 2025')" '["TTM","2025-10-26",187142000000]'
  equal "$(asked 'nvidia revenue fiscal year ended January 2024')" '["FY","2024-01-28",60922000000]'
  equal "$(asked 'apple revenue in the year to june 2025')" '["TTM","2025-06-28",408625000000]'
  equal "$(asked 'apple TTM revenue')" '["TTM","2025-12-27",435617000000]'
  equal "$(asked 'apple gross margin, last twelve months')" '["TTM","2025-12-27",0.473253]'
  equal "$(asked 'apple revenue quarter ended june 2025')" '["Q3","2025-06-28",94036000000]'
  equal "$(asked 'apple cash at the end of calendar 2024')" '["Q1","2024-12-28",30299000000]'
  contains "$(asked 'Apple eps in calendar 2024')" 'no figure of the period that the question names'
  contains "$(asked 'Apple eps TTM')" 'no figure of the period that the question names'
  equal "$(asked 'Apple revenue in the second half of fiscal 2025')" '["H2","2025-09-27",196502000000]'
  contains "$(asked 'Apple eps in the second half of fiscal 2025')" 'no figure of the period that the question names'
}

@test "a question's figure is the whole noun phrase, a part of the company that is said to be one, or none" {
  need_shared
  run python3 "$ROOT/test/tools/figure_questions.py" "$BID_BIN" "$ROOT/test/data/figure_questions.tsv"
  echo "$output"
  [ "$(sed -n 's/^fit: \([0-9]*\) of 30$/\1/p' <<<"$output")" -eq 30 ]
  [ "$(sed -n 's/^held: \([0-9]*\) of 30$/\1/p' <<<"$output")" -ge 28 ]
  # What the rest of the clause says: verbs, conditions, causes, counterparties.
  [ "$(sed -n 's/^meant: \([0-9]*\) of 40$/\1/p' <<<"$output")" -ge 35 ]
  [ "$(sed -n 's/^apart: \([0-9]*\) of 40$/\1/p' <<<"$output")" -eq 40 ]
  [ "$(sed -n 's/^meant2: \([0-9]*\) of 20$/\1/p' <<<"$output")" -ge 18 ]
  [ "$(sed -n 's/^apart2: \([0-9]*\) of 20$/\1/p' <<<"$output")" -eq 20 ]
}

@test "a question for the last quarter, or the year so far, isn't answered by a year" {
  need_shared
  asked() { echo "{\"query\":$(quoted "$1")}" | bid-plan --json | bid-facts --quiet --for-plan 2>/dev/null | jq -c '.error.message // [.fiscalPeriod, .end, .value]'; }
  local q
  for q in 'Apple revenue last quarter' "Apple's last quarter revenue" 'Apple revenue in the most recent quarter' 'Apple revenue latest quarter' \
    'Apple revenue this quarter' 'Apple revenue year to date'; do
    equal "$q $(asked "$q")" "$q [\"Q1\",\"2025-12-27\",143756000000]"
  done
  equal "$(asked 'Apple EPS last quarter')" '["Q1","2025-12-27",2.84]'
  equal "$(asked 'Apple EPS last quarter' | wc -l)" 1
  contains "$(asked 'Apple EPS last four quarters')" '1 fourth quarter was not reported, and is not the year less nine months'
  contains "$(asked 'Apple fiscal year 2025 Q4 EPS')" "'Diluted earnings per share' of a fourth quarter is not reported"
  [[ $(asked 'Apple fiscal year 2025 Q4 EPS') != *"share' is not reported"* ]]
  equal "$(asked 'How many shares does Apple have outstanding?')" '["Q1","2025-12-27",14702703000]'
}

@test "a person isn't the company: what one earns is no net income" {
  need_shared
  asked() { echo "{\"query\":$(quoted "$1")}" | bid-plan --json | bid-facts --quiet --for-plan 2>/dev/null | jq -c '.error.message // .value'; }
  equal "$(asked 'How much did Tim Cook earn in 2025?')" "\"company facts have no figure of 'Tim Cook'\""
  equal "$(asked 'How much did Apple earn in 2025?')" 112010000000
}

@test "growth of amounts a share that are computed is that of shares as a split left them" {
  need_shared
  rows --from "$(companyfacts $NVDA)" -p 2023..2024 "book value per share growth"
  equal "$(jq -c '[.fiscalYear, .value + 0]' <<<"$output" | paste -sd' ')" '[2023,-0.156039] [2024,0.94596]'
}

@test "a figure of several concepts is the one of the statement, and years without it are told" {
  need_shared
  rows --from "$(companyfacts $AAPL)" -p FY-2015 "depreciation and amortization" ebitda "short-term debt"
  equal "$(jq .value <<<"$output" | paste -sd' ')" "11257000000 82487000000 10999000000"
  rows --from "$(companyfacts $NVDA)" -p FY-2026 "short-term investments"
  equal "$(jq -c '[.concept, .value]' <<<"$output")" '["DebtSecuritiesCurrent",39065000000]'
  facts --from "$(companyfacts $NVDA)" capex -n 8
  contains "$output" "Capital expenditure: company facts have none for FY2013 to FY2021"
  rows --from "$(companyfacts $AAPL)" -p Q4-2025 revenue --csv
  contains "$output" "derived,10-K,0000320193-25-000079,2025-10-31,https://"
}

@test "a company whose bars would be too small beside others' has its own scale, which is told" {
  need_shared
  facts --plot - -n 3 --from "$(companyfacts $AAPL)" --from "$(companyfacts 0001835632)" revenue
  contains "$output" "MARVELL TECHNOLOGY, INC: Revenue, \$ billion, own scale"
  [[ $output != *"Apple Inc.: Revenue, \$ billion, own scale"* ]]
  facts --plot - -n 3 --from "$(companyfacts $AAPL)" --from "$(companyfacts $NVDA)" revenue
  [[ $output != *"own scale"* ]]
}

@test "a chart of companies whose facts end apart leaves no period out between them" {
  need_shared
  facts --plot - -n 2 --quarterly --from "$(companyfacts $AAPL)" --from "$(companyfacts $TSLA)" revenue
  equal "$status" 0
  local period
  for period in "Q3 2022" "Q4 2022" "Q1 2023" "Q2 2024" "Q1 2026"; do
    equal "$period $(grep -c "^$period  " <<<"$output")" "$period 2"
  done
  [[ $(grep "^Q1 2023  " <<<"$output" | head -n 1) == *117.2* ]]
}

@test "without a period a balance is the newest one, and a figure that newer filings lack is left out, which is said" {
  need_shared
  asked() { echo "{\"query\":$(quoted "$1")}" | bid-plan --json | bid-facts --quiet --for-plan 2>/dev/null | jq -c '.error.message // [.label, .end, .value]'; }
  equal "$(asked 'Apple cash')" '["Cash and cash equivalents","2025-12-27",45317000000]'
  equal "$(asked "Apple's cash in fiscal 2024")" '["Cash and cash equivalents","2024-09-28",29943000000]'
  equal "$(asked 'Apple net income')" '["Net income","2025-09-27",112010000000]'
  contains "$(asked "Tesla's debt")" "Tesla, Inc.: the newest figure of 'Total debt' that company facts have ended 2022-09-30"
  equal "$(asked "Tesla's debt in 2021")" '["Total debt","2021-12-31",5342000000]'
  contains "$(asked 'Apple goodwill')" "the newest figure of 'Goodwill' that company facts have ended 2017-12-30"
}

@test "a word beside a figure's that makes another thing of it leaves the figure out, and that is said" {
  need_shared
  local question
  while read -r question; do
    run --separate-stderr bash -c 'jq -Rc "{query: .}" <<<"$1" | bid-plan --json | bid-facts --quiet --for-plan' _ "$question"
    [[ $(jq -r '.error.message // .label' <<<"$output") == "company facts have no figure of '"* ]] || { echo "$question: $output"; false; }
  done <<'QUESTIONS'
Apple pension liabilities 2024
Apple deferred tax assets 2025
Apple non-operating income 2025
Nvidia non-GAAP gross margin Q3 2026
Apple revenue excluding iPhone 2025
Apple cash flow hedges 2025
Nvidia revenue guidance for next quarter
Nvidia inventory purchase commitments
What portion of Apple's revenue came from services in 2025?
QUESTIONS
  asked() { echo "{\"query\":$(quoted "$1")}" | bid-plan --json | bid-facts --quiet --for-plan 2>/dev/null | jq -c 'select(.label) | [.label, .value]'; }
  equal "$(asked 'Apple non-current assets 2025')" '["Non-current assets",211284000000]'
  equal "$(asked 'Apple term debt 2024')" '["Term debt",96662000000]'
  equal "$(asked 'Nvidia income tax paid fiscal 2025')" '["Income taxes paid",15118000000]'
  equal "$(asked 'How much income tax did Apple pay in fiscal 2025?')" '["Income taxes paid",43369000000]'
  equal "$(asked 'gross margin of the iPhone 2025')" ''
  equal "$(asked 'insider sales at Apple by Katherine Adams in 2022')" ''
  # A person's sales of shares, where the company is known otherwise.
  equal "$(jq -nc '{query: "Katherine Adams stock sales at Apple in 2022", entity: {id: "AAPL"}}' | bid-plan --json 2>/dev/null |
    bid-facts --quiet --for-plan 2>/dev/null | jq -r .error.message)" "company facts have no figure of 'Katherine Adams stock sales'"
  # The figure is named and nothing else: it is asked for, though "accounts payable" alone says nothing of a figure.
  equal "$(asked 'Apple accounts payable 2025')" '["Accounts payable",69860000000]'
  equal "$(asked 'Apple diluted shares 2025')" '["Diluted shares",15004697000]'
  equal "$(asked 'Apple R&D strategy 2025')" ''
}

@test "a question's figure is in the currency that it names, or none; one from before a split says so" {
  need_shared
  asked() { jq -nc --arg q "$1" '{query: $q, job: 0}' | bid-plan --json | bid-facts --quiet --for-plan 2>/dev/null | jq -c '.error.message // [.value, .unit, .splitFactor]'; }
  equal "$(asked 'TSMC revenue in 2024 in US dollars')" '[88268000000,"USD",null]'
  equal "$(asked 'TSMC net margin 2024 in US dollars')" '[0.400227,"pure",null]'
  equal "$(asked 'Apple revenue 2024 in euros')" '"Apple Inc.: no figure in EUR"'
  equal "$(asked 'nvidia eps fiscal 2020')" '[1.13,"USD/shares",10]'
}

@test "figures that can't be had are an error of the answer, and people read what a split makes of a value" {
  need_shared
  local errors
  run --separate-stderr bid-retrieve --format=text "nvidia eps fiscal 2020 vs fiscal 2026"
  contains "$(tr -s '\n ' ' ' <<<"$output")" "as filed before a later stock split; 0.113 after it (10 for 1)"
  run --separate-stderr bid-retrieve --json "Apple goodwill impairment 2025"
  contains "$(jq -r '.errors[].message' <<<"$output")" "company facts have no figure of 'goodwill impairment'"
  upstream_fault 'data.sec.gov/api/xbrl/*=404'
  export BID_CACHE=$BATS_TEST_TMPDIR/none
  errors=$(jq -nc '{query: "apple net income 2025", job: 7}' | bid-plan --json | bid-facts --quiet --for-plan 2>/dev/null) || true
  upstream_fault
  equal "$(jq -c .job <<<"$errors" | sort -u)" 7
  contains "$(jq -r '.error.message // empty' <<<"$errors")" "the reported figures of CIK 0000320193 could not be had: "
  # What is tagged in the filing of that year is given all the same.
  equal "$(jq -c 'select(.value) | [.value, .accessionNumber]' <<<"$errors")" '[112010000000,"0000320193-25-000079"]'
}

@test "a company without facts is named, as what the word was taken for" {
  need_shared
  facts -e Marvel revenue
  contains "$stderr" "EDGAR has no XBRL facts of Walt Disney Co (for 'Marvel')"
  facts Zzyzxq revenue
  equal "$status" 64
  contains "$stderr" "if 'Zzyzxq' is one: -e 'Zzyzxq' 'revenue'"
  facts Zzyzxq --statement income
  contains "$stderr" "-e 'Zzyzxq' --statement income"
}

@test "a figure whose newest value is old says so, where the newest was asked for" {
  need_shared
  facts -e TSLA "gross margin" -n 2
  contains "$output" "Gross margin: company facts have nothing newer than 2021-12-31"
  facts -e TSLA "gross margin" -p FY-2021
  [[ $output != *"nothing newer"* ]]
  facts -e AAPL revenue -n 2
  [[ $output != *"nothing newer"* ]]
}

# An inline XBRL document: each argument is FORMAT|PRINTED, or FORMAT|PRINTED|LABEL.
inline_document() {
  local i=0 cell
  echo '<html><body><ix:header><xbrli:context id="c"><xbrli:period><xbrli:startDate>2024-01-01</xbrli:startDate>'
  echo '<xbrli:endDate>2024-12-31</xbrli:endDate></xbrli:period></xbrli:context>'
  echo '<xbrli:unit id="u"><xbrli:measure>iso4217:EUR</xbrli:measure></xbrli:unit></ix:header><table>'
  for cell; do
    IFS='|' read -r format printed label <<<"$cell"
    printf '<tr><td>%s</td><td><ix:nonFraction name="us-gaap:Figure%s" contextRef="c" unitRef="u" format="%s">%s</ix:nonFraction></td></tr>\n' \
      "${label:-Figure}" "$((++i))" "$format" "$printed"
  done
  echo '</table></body></html>'
}

@test "a tagged number is read as its format says" {
  inline_document 'ixt:num-comma-decimal|1.234' 'ixt:numcommadecimal|12,5' 'ixt:num-dot-decimal|12,500' 'ixt:numspacecomma|1 234,5' \
    'ixt:fixed-zero|—' 'ixt-sec:numwordsen|no' 'ixt-sec:numwordsen|one' 'ixt:numdotdecimal|1.5' '|1.234,56' >numbers.htm
  rows --from numbers.htm Figure{1..9}
  equal "$(jq -r 'select(.concept) | "\(.concept[6:]) \(.value)"' <<<"$output")" "1 1234
2 12.5
3 12500
4 1234.5
5 0
6 0
7 1
8 1.5
9 1234.56"
}

@test "a tagged number that its format, sign or scale doesn't allow is none, never another number" {
  tagged() { # ATTRIBUTES PRINTED
    inline_document 'ixt:num-dot-decimal|7' | sed "s|<ix:nonFraction.*</ix:nonFraction>|<ix:nonFraction name=\"us-gaap:Figure1\" contextRef=\"c\" unitRef=\"u\" $1>${2//&/\\&}</ix:nonFraction>|" >tagged.htm
    rows --from tagged.htm Figure1
    jq -r '.value // "none"' <<<"$output"
  }
  local dot='format="ixt:num-dot-decimal"'
  equal "$(tagged "$dot scale=\" 3 \" sign=\"-\"" "1'234.5")" -1234500
  equal "$(tagged "$dot scale=\"00000006\"" 5)" 5000000
  equal "$(tagged "$dot" '1&#160;234')$(tagged "$dot" '1&#8239;234')$(tagged "$dot" '1&#8217;234')" 123412341234
  local odd
  for odd in "$dot scale=\"x\"|5" "$dot scale=\"3x\"|5" "$dot scale=\"400\"|5" "$dot sign=\"+\"|5" "$dot|(5)" "$dot|-5" "$dot|−5" \
    "$dot|5 million" "$dot|12 (restated 13)" "$dot|\$5" 'format="ixt:num-unit-decimal"|1 dollar 25 cents' 'format="ixt:other"|5' \
    'format="ixt:fixed-zero"|5' "$dot|111111111111111111111111111111111111111111111111111111"; do
    equal "$odd: $(tagged "${odd%%|*}" "${odd#*|}")" "$odd: none"
  done
  local inner='<ix:nonFraction name="us-gaap:Inner" contextRef="c" unitRef="u" format="ixt:num-dot-decimal">234</ix:nonFraction>'
  equal "$(tagged "$dot" "$inner") $(rows --from tagged.htm Inner && jq .value <<<"$output")" "234 234"
  equal "$(tagged "$dot" "1,$inner") $(rows --from tagged.htm Inner && jq .value <<<"$output")" "1234 null"
}

@test "a tagged number whose context, unit or company can't be told, or that another one contradicts, is none" {
  figure() { # [CONTEXT [UNIT [ATTRIBUTES [PRINTED]]]]
    printf '<ix:nonFraction name="us-gaap:Figure" contextRef="%s" unitRef="%s" format="ixt:num-dot-decimal" %s>%s</ix:nonFraction>' \
      "${1-c}" "${2-u}" "${3-}" "${4-5}"
  }
  context() { # ID [END [PART [CIK]]]
    printf '<xbrli:context id="%s"><xbrli:entity><xbrli:identifier>%s</xbrli:identifier>%s</xbrli:entity><xbrli:period>' "$1" "${4-0000012345}" "${3-}"
    printf '<xbrli:startDate>2024-01-01</xbrli:startDate><xbrli:endDate>%s</xbrli:endDate></xbrli:period></xbrli:context>' "${2-2024-12-31}"
  }
  unit() { printf '<xbrli:unit id="%s"><xbrli:measure>iso4217:%s</xbrli:measure></xbrli:unit>' "$1" "$2"; }
  told() { # FACTS [RESOURCES]
    local cik='<ix:nonNumeric name="dei:EntityCentralIndexKey" contextRef="c">12345</ix:nonNumeric>'
    printf '<html><body><ix:header>%s%s%s%s</ix:header><p>%s</p></body></html>' "$cik" "$(context c)" "$(unit u USD)" "${2-}" "$1" >told.htm
    rows --from told.htm Figure
    jq -r '[.value, .unit, .end] | if .[0] then join(" ") else "none" end' <<<"$output"
  }
  local right="5 USD 2024-12-31"
  equal "$(told "$(figure)")" "$right"
  equal "$(told "$(figure d)" "$(context d)$(context d)")" "$right"
  equal "$(told "$(figure d)" "$(context d 2025-01-01T00:00:00)")" "$right"
  equal "$(told "$(figure c u 'scale="2"' 10.4)$(figure c u 'scale="3"' 1)")" "1040 USD 2024-12-31"
  equal "$(told "$(figure d)" "$(context d)$(context d 2023-12-31)")" none
  equal "$(told "$(figure d)" "$(context d 2024-12-31 '' 0000054321)")" none
  equal "$(told "$(figure d)" "$(context d 2024-12-31 '<xbrli:segment><other:part>North</other:part></xbrli:segment>')")" none
  equal "$(told "$(figure d)")" none
  equal "$(told "$(figure c v)")" none
  equal "$(told "$(figure c v)" "$(unit v USD)$(unit v EUR)")" none
  equal "$(told "$(figure c u 'target="other"')")" none
  equal "$(told "$(figure c u '' '5<ix:exclude>9</ix:exclude>0')")" none
  equal "$(told "$(figure)$(figure c u '' 7)")" none
  # tags that don't end, as where a file is cut, that are nil inside another one, and that are nested too deeply
  local open='<ix:nonFraction name="us-gaap:Figure" contextRef="c" unitRef="u">' nil='<ix:nonFraction name="us-gaap:Nil" contextRef="c" unitRef="u" xsi:nil="true"'
  equal "$(told "${open}5")" none
  equal "$(told "${open}5 $(figure)")" none
  equal "$(told "${open}12$nil></ix:nonFraction>34</ix:nonFraction>")" "1234 USD 2024-12-31"
  equal "$(told "$open$open$open$open${open}1</ix:nonFraction>2</ix:nonFraction></ix:nonFraction></ix:nonFraction></ix:nonFraction>")" none
}

@test "a footnote's mark is no part of a label" {
  need_shared
  rows -e AAPL --segments revenue -n 1
  equal "$(jq -r '.label | select(startswith("China"))' <<<"$output" | sort -u)" China
}

@test "a chart's panels name their figure, small bars are seen, and marks say what holds" {
  need_shared
  bid-facts -e AAPL -e TSM -e MRVL --plot three.svg -n 4 revenue 'total assets'
  contains "$(<three.svg)" ">TSM: Revenue, TWD trillion<"
  contains "$(<three.svg)" ">TSM: Total assets, TWD trillion<"
  equal "$(grep -c 'Manufacturing …' three.svg)" 0
  # Three companies stand beside each other: two rows for two figures.
  equal "$(grep -o '<text x="[0-9.]*" y="[0-9.]*" font-size="13"[^>]*>[^<]*: Revenue' three.svg | grep -o ' y="[0-9.]*"' | sort -u | wc -l)" 1
  bid-facts -e TSLA --plot flow.svg -n 12 'free cash flow'
  equal "$(grep -c '<rect [^>]*height="0.[0-9]"' flow.svg)" 0
  bid-facts -e TSLA --plot derived.svg -n 12 --quarterly 'net income'
  contains "$(<derived.svg)" "lighter bars: derived from other spans<"
  bid-facts -e AAPL --plot split.svg -n 12 eps
  contains "$(<split.svg)" "lighter bars: divided by the ratio of a later split<"
}

@test "without -e the words are a question: companies, figures, period and span" {
  need_shared
  local facts='[.ticker, .label, .fiscalYear, .fiscalPeriod, .months] | join(" ")'
  rows apple revenue 2021, 2022 and 2023
  equal "$(jq -r "$facts" <<<"$output")" "AAPL Revenue 2021 FY 12
AAPL Revenue 2022 FY 12
AAPL Revenue 2023 FY 12"
  rows "apple and nvidia net margin last 2 years"
  equal "$(jq -r .ticker <<<"$output" | sort | uniq -c | xargs)" "2 AAPL 2 NVDA"
  rows "apple eps Q1 2025"
  equal "$(jq -r "$facts" <<<"$output")" "AAPL Diluted earnings per share 2025 Q1 3"
  rows "apple revenue 2021 and 2024"
  equal "$(jq -r .fiscalYear <<<"$output" | xargs) $stderr" "2021 2024 "
  rows "apple revenue in Q3 2024 and Q3 2025"
  equal "$(jq -r .end <<<"$output" | xargs)" "2024-06-29 2025-06-28"
  rows "apple cash as of september 2024"
  equal "$(jq -r .end <<<"$output")" 2024-09-28
  rows "apple revenue before 2012"
  equal "$(jq -r .end <<<"$output" | tail -1)" 2011-09-24
  rows "apple revenue in euros"
  contains "$stderr" "'Revenue' was never reported in EUR, but in USD"
  rows "apple revenue by quarter" -n 3
  equal "$(jq -r .months <<<"$output" | xargs)" "3 3 3"
  rows "apple net income since 2024"
  equal "$(jq -r .end <<<"$output" | xargs)" "2024-09-28 2025-09-27"
  equal "$(bid-plan "apple revenue over the years" | bid-facts --for-plan | jq -r .value | tail -2 | xargs)" "391035000000 416161000000"
  rows --statement income apple
  equal "$(jq -r .ticker <<<"$output" | sort -u)" AAPL
  rows "apple revenue 2031"
  equal "$status" 64
  contains "$stderr" "'2031' is not understood"
  rows "nvidia data center revenue"
  equal "$status" 64
  contains "$stderr" "'data center revenue' is no figure of the whole company: bid-retrieve answers such a question"
}
