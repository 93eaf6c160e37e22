#!/usr/bin/env bats
# bid-fetch: XBRL facts: sec-financials, sec-edgar, sec-company-concept, sec-frames.

load helper
load recorded

@test "sec-financials: a summary under 32 KB with counts, ranges, units, hints" {
  need_shared
  local cik
  for cik in 0000320193 0001045810 0001046179; do
    fetch sec-financials -e $cik
    equal "$status" 0
    [ "$(printf '%s' "$output" | wc -c)" -lt 32768 ]
    [ "$(got '.mostReported | length')" -gt 100 ]
  done
  fetch sec-financials -e 0000320193
  equal "$(got '[.concepts, .facts, .taxonomies["us-gaap"].concepts, .units.USD]')" '[505,24579,503,21431]'
  contains "$(got .hints)" concept=
}

@test "sec-financials: one concept of one year: that year's row only, digits as sent" {
  need_shared
  fetch sec-financials -e 0000320193 -P concept=NetIncomeLoss -p FY-2024
  equal "$status" 0
  equal "$(got '[.series[].rows[]]')" \
    '[{"start":"2023-10-01","end":"2024-09-28","val":93736000000,"accn":"0000320193-24-000123","fy":2024,"fp":"FY","form":"10-K","filed":"2024-11-01"}]'
  contains "$(raw)" '"val":93736000000,'
}

@test "sec-financials: digits that no double holds are passed on" {
  fetch sec-financials -e 9990001 -P concept=Revenues,EarningsPerShareBasic -p FY-2025
  contains "$(raw)" '"val":9007199254740993,'
  contains "$(raw)" '"val":1.10,'
  fetch sec-financials -e 9990001 -P concept=Revenues -p CY2024
  contains "$(raw)" '"val":12345678901234567891,'
}

@test "sec-financials: a fiscal year is the company's own, without the years that its report repeats" {
  fetch sec-financials -e 9990001 -P concept=Revenues -p FY-2025
  equal "$(got '[.series[].rows[].end]')" '["2025-12-31"]'
  fetch sec-financials -e 9990001 -P concept=Revenues -p FY-2024
  equal "$(got '[.series[].rows[].accn]')" '["0009990001-25-000004"]'
}

@test "sec-financials: quarters, days, frames, units, forms, the newest so many" {
  need_shared
  fetch sec-financials -e 0000320193 -P concept=Assets -p Q1-2024
  equal "$(got '[.series[].rows[].end]')" '["2023-12-30"]'
  fetch sec-financials -e 0000320193 -P concept=Assets -p CY2023Q4I
  equal "$(got '[.series[].rows[].val]')" '[353514000000]'
  fetch sec-financials -e 0000320193 -P concept=Assets -n 2
  equal "$(got '[.series[].rows[].end]')" '["2025-09-27","2025-12-27"]'
  fetch sec-financials -e 0000320193 -P concept=NetIncomeLoss,EarningsPerShareBasic -P unit=USD -p FY-2024 -f 10-K
  equal "$(got '[.series[] | [.concept, .unit, (.rows | length)]]')" '[["NetIncomeLoss","USD",1]]'
  contains "$(got .missing)" 'EarningsPerShareBasic for period FY-2024, unit USD, forms 10-K'
}

@test "sec-financials: IFRS and other taxonomies" {
  need_shared
  fetch sec-financials -e 1046179 -P concept=ifrs-full:Revenue -p FY-2023 -P unit=TWD
  equal "$(got '[.series[].rows[].val]')" '[2161735800000]'
  fetch sec-financials -e 0000320193 -P concept=ifrs-full:Revenue
  failed no-content 1 'Revenue'
}

@test "sec-financials: an unknown concept names near ones, an empty period says what there is" {
  need_shared
  fetch sec-financials -e 0000320193 -P concept=netincomeloss
  failed no-content 1 'near: NetIncomeLoss'
  fetch sec-financials -e 0000320193 -P concept=NetIncomeLoss -p FY-1999
  failed no-content 1 'there are: USD 2007-09-29..2025-12-27'
}

@test "sec-financials: no facts of a company, a bad period, a bad parameter" {
  fetch sec-financials -e 9990002
  failed no-content 1 'no such object'
  fetch sec-financials -e 9990001 -p soon
  failed invalid-request 64 'period "soon"'
  fetch sec-financials -e 9990001 -P colour=red
  failed invalid-request 64 'concept'
}

@test "sec-financials: a maintenance page instead of JSON is unavailable" {
  upstream_fault 'data.sec.gov/api/*=body:<html>busy</html>'
  fetch sec-financials -e 9990001
  failed unavailable 69 'JSON'
}

@test "sec-edgar: by ticker, summary and concepts" {
  need_shared
  fetch sec-edgar -e NVDA
  equal "$(got '[.company.cik, .company.ticker, .concepts]')" '["0001045810","NVDA",643]'
  [ "$(printf '%s' "$output" | wc -c)" -lt 32768 ]
  fetch sec-edgar -e 'NVIDIA CORP' -P concept=Revenues -p FY-2024
  equal "$(got '[.series[].rows[].val]')" '[60922000000]'
  equal "$(meta '[.company, .ticker, .cik]')" '["NVIDIA CORP","NVDA","0001045810"]'
}

@test "sec-edgar: what the company is, and its newest reports" {
  need_shared
  fetch sec-edgar -e AAPL
  equal "$(got '.company | [.cik, .sic, .fiscalYearEnd, .exchanges[0]]')" '["0000320193","3571","0926","Nasdaq"]'
  equal "$(got '[.newest[] | [.form, .filingDate]][0:2]')" '[["10-K","2025-10-31"],["10-Q","2026-01-30"]]'
  equal "$(got .facts)" 24579
  [ "$(printf '%s' "$output" | wc -c)" -lt 32768 ]
  fetch sec-edgar -e MSFT
  equal "$status" 0
  equal "$(got '[.company.name, .facts]')" '["MICROSOFT CORP",0]'
}

@test "sec-edgar: an unknown ticker, a ticker without facts" {
  need_shared
  fetch sec-edgar -e ZZZZQQ
  failed invalid-request 64 'ticker/CIK look-up failed for "ZZZZQQ"'
  fetch sec-edgar -e META
  failed no-content 1 'no such object'
}

@test "sec-company-concept: a series, narrowed by period and unit" {
  need_shared
  fetch sec-company-concept -e AAPL -P concept=NetIncomeLoss
  equal "$(got '[.units[] | [.unit, .total, (.rows | length)]]')" '[["USD",330,330]]'
  fetch sec-company-concept -e AAPL -P concept=NetIncomeLoss -p FY-2024 -P unit=USD
  equal "$(got '[.units[].rows[].val]')" '[93736000000]'
}

@test "sec-company-concept: never reported, no such unit, two concepts, none" {
  need_shared
  fetch sec-company-concept -e 320193 -P concept=Nope
  failed no-content 1 'never reported us-gaap:Nope'
  fetch sec-company-concept -e 320193 -P concept=NetIncomeLoss -P unit=EUR
  failed no-content 1 'there are: USD'
  fetch sec-company-concept -e 320193 -P concept=A,B
  failed invalid-request 64 'one concept'
  fetch sec-company-concept -e 320193
  equal "$status" 64
  fetch sec-company-concept -e 320193 -P concept=../../x
  failed invalid-request 64 'no name of a concept'
}

@test "sec-frames: a summary, the largest, one company, bounds" {
  need_shared
  fetch sec-frames -P concept=NetIncomeLoss -p CY2021
  equal "$(got '[.companies, .greatest]')" '[5,94680000000]'
  fetch sec-frames -P concept=NetIncomeLoss -p FY-2021 -n 1
  equal "$(got '[.rows[].entityName]')" '["Apple Inc."]'
  fetch sec-frames -P concept=NetIncomeLoss -p 2021 -e TSLA
  equal "$(got '[.rows[].val]')" '[5519000000]'
  fetch sec-frames -P concept=EarningsPerShareBasic -P unit=USD/shares -p 2021 -P minimum=5.6
  equal "$(got '[.rows[].val]')" '[5.67,5.6]'
}

@test "sec-frames: no such frame, a bad period, a bad bound" {
  need_shared
  fetch sec-frames -P concept=NetIncomeLoss -p CY1950
  failed no-content 1 'no frame CY1950'
  fetch sec-frames -P concept=NetIncomeLoss -p soon
  failed invalid-request 64 CY2024Q1I
  fetch sec-frames -P concept=NetIncomeLoss -p CY2021 -P minimum=lots
  failed invalid-request 64 'not a number: lots'
}
