#!/usr/bin/env bats
# bid-facts: derived values of one vintage, fiscal years that change, splits, currencies, and why there is no figure.

load helper
load facts

# Company facts out of lines "CONCEPT UNIT START END VALUE FORM FILED FISCAL-YEAR" on stdin; START is - for a balance.
company() {
  python3 -c '
import collections, json, sys
facts = collections.defaultdict(lambda: collections.defaultdict(list))
for line in sys.stdin:
    concept, unit, start, end, value, form, filed, year = line.split()
    fact = {"end": end, "val": json.loads(value), "accn": "0000990001-%s-%s" % (filed[2:4], filed[5:].replace("-", "0")), "form": form,
            "filed": filed, "fy": int(year), "fp": "FY"}
    facts[concept][unit].append(fact if start == "-" else {"start": start, **fact})
print(json.dumps({"cik": 990001, "entityName": "Invented Corp", "facts": {"us-gaap": {
    c: {"label": c, "units": units} for c, units in facts.items()}}}))' >company.json
}

# The periods, ends and values of a column of the company.
column() { bid-facts --json --from company.json -n 99 "$@" 2>err | jq -r '"\(.fiscalPeriod) \(.fiscalYear) \(.end) \(.value)"'; }

@test "a derived quarter takes its parts from one vintage, not a restated year and nine months from before" {
  need_shared
  rows --from "$(companyfacts 0000320193)" --quarterly -p Q4-2008 SalesRevenueNet
  equal "$(jq -c '[.value, .kind, [.parts[] | .sign, .value, .accessionNumber]]' <<<"$output")" \
    '[7895000000,"derived",["+",32479000000,"0001193125-09-214859","-",24584000000,"0001193125-09-153165"]]'
}

@test "a business sold later: the quarter is that of the first report, and of the second where both parts were restated" {
  company <<'X'
Revenues USD 2022-01-01 2022-09-30 790 10-Q 2022-11-01 2022
Revenues USD 2022-01-01 2022-12-31 1000 10-K 2023-02-01 2022
Revenues USD 2022-01-01 2022-12-31 820 10-K 2024-02-01 2023
X
  equal "$(column --quarterly Revenues)" "Q4 2022 2022-12-31 210"
  equal "$(column --quarterly --as-of 2023-12-31 Revenues)" "Q4 2022 2022-12-31 210"
  company <<'X'
Revenues USD 2022-01-01 2022-09-30 790 10-Q 2022-11-01 2022
Revenues USD 2022-01-01 2022-12-31 1000 10-K 2023-02-01 2022
Revenues USD 2022-01-01 2022-09-30 640 10-K 2024-02-01 2023
Revenues USD 2022-01-01 2022-12-31 820 10-K 2024-02-01 2023
X
  equal "$(column --quarterly Revenues)" "Q4 2022 2022-12-31 180"
  equal "$(column --quarterly --as-first-reported Revenues)" "Q4 2022 2022-12-31 210"
}

@test "twelve months whose year was not restated with its part are none, and that is said" {
  company <<'X'
Revenues USD 2022-01-01 2022-06-30 500 10-Q 2022-08-01 2022
Revenues USD 2022-01-01 2022-12-31 1000 10-K 2023-02-01 2022
Revenues USD 2022-01-01 2022-06-30 400 10-Q 2023-08-01 2023
Revenues USD 2023-01-01 2023-06-30 450 10-Q 2023-08-01 2023
X
  equal "$(column --ttm Revenues)" "FY 2022 2022-12-31 1000"
  contains "$(cat err)" "no twelve months to 2023-06-30"
}

@test "a second quarter is nine months less the first and the third" {
  company <<'X'
Revenues USD 2022-01-01 2022-03-31 100 10-Q 2022-05-01 2022
Revenues USD 2022-01-01 2022-09-30 360 10-Q 2022-11-01 2022
Revenues USD 2022-07-01 2022-09-30 140 10-Q 2022-11-01 2022
Revenues USD 2022-01-01 2022-12-31 500 10-K 2023-02-01 2022
X
  equal "$(column --quarterly Revenues)" "Q1 2022 2022-03-31 100
Q2 2022 2022-06-30 120
Q3 2022 2022-09-30 140
Q4 2022 2022-12-31 140"
}

@test "a fiscal year is the company's at that time, and the period between two kinds of year is a transition period" {
  company <<'X'
Revenues USD 2020-10-01 2021-09-30 1000 10-K 2021-12-01 2021
Revenues USD 2021-10-01 2021-12-31 260 10-Q 2022-02-05 2022
Revenues USD 2022-01-01 2022-03-31 270 10-Q 2022-05-05 2022
Revenues USD 2021-10-01 2022-09-30 1100 10-K 2022-12-01 2022
Revenues USD 2022-10-01 2022-12-31 300 10-KT 2023-03-01 2022
Revenues USD 2023-01-01 2023-03-31 310 10-Q 2023-05-05 2023
Revenues USD 2023-01-01 2023-12-31 1300 10-K 2024-03-01 2023
Revenues USD 2024-01-01 2024-03-31 340 10-Q 2024-05-05 2024
X
  equal "$(column Revenues)" "FY 2021 2021-09-30 1000
FY 2022 2022-09-30 1100
TP 2022 2022-12-31 300
FY 2023 2023-12-31 1300"
  equal "$(column --quarterly Revenues)" "Q1 2022 2021-12-31 260
Q2 2022 2022-03-31 270
TP 2022 2022-12-31 300
Q1 2023 2023-03-31 310
Q1 2024 2024-03-31 340"
  equal "$(column -p Q1-2023 Revenues)" "Q1 2023 2023-03-31 310"
  equal "$(column -p FY-2022 Revenues)" "FY 2022 2022-09-30 1100"
  # Growth is from the same months a year before, not from the quarter of the same number.
  equal "$(column --quarterly 'revenue growth')" "TP 2022 2022-12-31 0.153846
Q1 2023 2023-03-31 0.148148
Q1 2024 2024-03-31 0.096774"
  facts --from company.json --quarterly revenue
  contains "$output" "TP 2022  2022-12-31"
  run --separate-stderr bid-facts --from company.json --quarterly --plot - revenue
  contains "$output" "TP 2022"
}

@test "a transition period in place of a year has that year's number, and an offset of its own before and after" {
  company <<'X'
Revenues USD 2020-02-01 2021-01-31 1000 10-K 2021-03-20 2020
Revenues USD 2021-02-01 2022-01-31 1100 10-K 2022-03-20 2021
Revenues USD 2022-02-01 2022-04-30 280 10-Q 2022-06-05 2022
Revenues USD 2022-02-01 2022-12-31 1060 10-KT 2023-03-20 2022
Revenues USD 2023-01-01 2023-12-31 1300 10-K 2024-03-20 2023
X
  equal "$(column Revenues)" "FY 2020 2021-01-31 1000
FY 2021 2022-01-31 1100
TP 2022 2022-12-31 1060
FY 2023 2023-12-31 1300"
  equal "$(column --quarterly Revenues)" "Q1 2022 2022-04-30 280"
}

@test "a report on form 10-KT alone begins the new fiscal year" {
  company <<'X'
Revenues USD 2020-07-01 2021-06-30 1000 10-K 2021-09-01 2021
Revenues USD 2021-07-01 2021-12-31 520 10-KT 2022-03-01 2021
Revenues USD 2022-01-01 2022-03-31 270 10-Q 2022-05-05 2022
X
  equal "$(column Revenues)" "FY 2021 2021-06-30 1000
TP 2021 2021-12-31 520"
  equal "$(column --quarterly Revenues)" "Q1 2022 2022-03-31 270"
}

@test "a split of small whole numbers is seen in few facts that agree, however its unit is spelled" {
  local ratio shares eps
  while read -r shares eps ratio; do
    company <<X
WeightedAverageNumberOfDilutedSharesOutstanding shares 2022-01-01 2022-12-31 90000000 10-K 2023-03-01 2022
WeightedAverageNumberOfDilutedSharesOutstanding shares 2023-01-01 2023-12-31 90000000 10-K 2024-03-01 2023
WeightedAverageNumberOfDilutedSharesOutstanding shares 2023-01-01 2023-12-31 $shares 10-K 2025-03-01 2024
EarningsPerShareDiluted USD/Shares 2022-01-01 2022-12-31 -3.6 10-K 2023-03-01 2022
EarningsPerShareDiluted USD/Shares 2023-01-01 2023-12-31 -7.2 10-K 2024-03-01 2023
EarningsPerShareDiluted USD/share 2023-01-01 2023-12-31 $eps 10-K 2025-03-01 2024
X
    facts --from company.json eps
    contains "$output" "split: $ratio, first in"
    contains "$output" "-3.60s"
    contains "$output" "USD/shares"
  done <<'X'
2250000 -288 1 for 40
10000000 -64.8 1 for 9
2700000000 -0.24 30 for 1
X
  # Errors of scale and other restatements are none.
  company <<'X'
WeightedAverageNumberOfDilutedSharesOutstanding shares 2022-01-01 2022-12-31 90000000 10-K 2023-03-01 2022
WeightedAverageNumberOfDilutedSharesOutstanding shares 2022-01-01 2022-12-31 90000 10-K 2024-03-01 2023
WeightedAverageNumberOfSharesOutstandingBasic shares 2022-01-01 2022-12-31 80000000 10-K 2023-03-01 2022
WeightedAverageNumberOfSharesOutstandingBasic shares 2022-01-01 2022-12-31 80000 10-K 2024-03-01 2023
EarningsPerShareDiluted USD/shares 2021-01-01 2021-12-31 -3.6 10-K 2022-03-01 2021
EarningsPerShareDiluted USD/shares 2022-01-01 2022-12-31 -3.6 10-K 2023-03-01 2022
X
  facts --from company.json eps
  [[ $output != *split* ]]
}

@test "a figure is shown in the currency in which it is reported now, and the earlier one is named" {
  company <<'X'
Revenues USD 2017-01-01 2017-12-31 10 10-K 2018-03-01 2017
Revenues USD 2018-01-01 2018-12-31 11 10-K 2019-03-01 2018
Revenues USD 2019-01-01 2019-12-31 12 10-K 2020-03-01 2019
Revenues EUR 2020-01-01 2020-12-31 13 10-K 2021-03-01 2020
Revenues EUR 2021-01-01 2021-12-31 14 10-K 2022-03-01 2021
X
  equal "$(column revenue)" "FY 2020 2020-12-31 13
FY 2021 2021-12-31 14"
  contains "$(cat err)" "Revenues was reported in USD until 2019-12-31: --unit USD"
  equal "$(column --unit USD Revenues | tail -1)" "FY 2019 2019-12-31 12"
  rows --from company.json --unit GBP revenue
  contains "$stderr" "was never reported in GBP, but in USD"
}

@test "a figure under a tag for basic and diluted, or by class of share, is found or said to be there" {
  company <<'X'
IncomeLossFromContinuingOperationsPerBasicAndDilutedShare USD/shares 2021-01-01 2021-12-31 -1.5 10-K 2022-03-01 2021
WeightedAverageNumberOfShareOutstandingBasicAndDiluted shares 2021-01-01 2021-12-31 1000 10-K 2022-03-01 2021
Assets USD - 2021-12-31 5 10-K 2022-03-01 2021
X
  equal "$(column eps)" "FY 2021 2021-12-31 -1.5"
  equal "$(column 'diluted shares')" "FY 2021 2021-12-31 1000"
  company <<<'Assets USD - 2021-12-31 5 10-K 2022-03-01 2021'
  rows --from company.json eps 'shares outstanding' capex
  contains "$stderr" "'eps' is not there as one number of all shares; a company may report it by class of share"
  contains "$stderr" "'shares outstanding' is not there as one number of all shares"
  contains "$stderr" "'capex' was never reported"
}

@test "without a word the key figures are shown, and --list has the words" {
  need_shared
  facts --from "$(companyfacts 0000320193)" -n 2
  equal "$status" 0
  contains "$output" "Apple Inc.: key figures"
  for line in "Revenue 416,161 391,035" "Free cash flow 98,767 108,807" "Total assets 359,241 364,980" "Diluted earnings per share 7.46 6.08 USD/shares"; do
    contains "$(tr -s ' ' <<<"$output")" "$line"
  done
  rows --from "$(companyfacts 0001318605)" --quarterly -n 1
  "$ROOT/test/tools/schema.py" "$ROOT/data/schema/fact.json" <(echo "$output")
  equal "$(jq -rs '[.[0].statement, .[0].label, (map(.fiscalPeriod) | unique | length)] | join(" ")' <<<"$output")" "key Revenue 1"
  run bid-facts --list
  contains "$output" $'free cash flow; fcf\n    Free cash flow: = operating cash flow - capital expenditure'
  equal "$(grep -vc '^ ' <<<"$output")" "$(grep -vc '^#\|^$' "$ROOT/data/concepts.tsv")"
  facts --from "$(companyfacts 0000320193)" --segments
  equal "$status" 64
}

# A document that tags figures "NAME MEMBERS FORMAT PRINTED"; MEMBERS is - or AXIS=MEMBER,AXIS=MEMBER; of -5 the sign is an attribute.
document() {
  local i=0 name members format printed one sign
  echo '<html><body><ix:header><xbrli:unit id="u"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>'
  while read -r name members format printed; do
    echo "<xbrli:context id=\"c$((++i))\"><xbrli:entity><xbrli:segment>"
    for one in ${members//,/ }; do
      [ "$one" = - ] || echo "<xbrldi:explicitMember dimension=\"${one%%=*}\">${one#*=}</xbrldi:explicitMember>"
    done
    echo '</xbrli:segment></xbrli:entity><xbrli:period><xbrli:startDate>2024-01-01</xbrli:startDate><xbrli:endDate>2024-12-31</xbrli:endDate></xbrli:period></xbrli:context>'
  done <<<"$1"
  echo '</ix:header><table>'
  i=0
  while read -r name members format printed; do
    sign=
    [[ $printed != -* ]] || sign='sign="-"'
    echo "<tr><td>${members##*[:=]}</td><td><ix:nonFraction name=\"us-gaap:$name\" contextRef=\"c$((++i))\" unitRef=\"u\" scale=\"6\" $sign format=\"$format\">${printed#-}</ix:nonFraction></td></tr>"
  done <<<"$1"
  echo '</table></body></html>'
}

@test "numbers in words have hundreds and thousands, and what is left out is said to be tagged" {
  document 'CostOfRevenue - ixt-sec:numwordsen One Hundred Twenty-Five
GrossProfit - ixt-sec:numwordsen two thousand and three
InterestExpense - ixt-sec:numwordsen about five
NetIncomeLoss - ixt:num-dot-decimal (500)' >words.htm
  rows --from words.htm 'cost of revenue' 'gross profit' 'interest expense' 'net income'
  equal "$(jq -r 'select(.value) | .value' <<<"$output" | paste -sd' ')" "125000000 2003000000"
  contains "$stderr" "'interest expense' is tagged (InterestExpense), but left out"
  contains "$stderr" "'net income' is tagged (NetIncomeLoss), but left out"
}

@test "what segments sell to each other is a line of theirs, and a part is found whatever stands between its axes" {
  local segment=us-gaap:StatementBusinessSegmentsAxis product=srt:ProductOrServiceAxis items=srt:ConsolidationItemsAxis
  document "Revenues $segment=x:CloudMember,$items=us-gaap:OperatingSegmentsMember ixt:num-dot-decimal 721
Revenues $segment=x:DevicesMember,$items=us-gaap:OperatingSegmentsMember ixt:num-dot-decimal 329
Revenues $items=us-gaap:IntersegmentEliminationMember ixt:num-dot-decimal -50
Revenues - ixt:num-dot-decimal 1,000
Revenues $product=x:ShoesMember,$items=us-gaap:OperatingSegmentsMember,$segment=x:CloudMember ixt:num-dot-decimal 20
Revenues $product=x:HatsMember,$items=us-gaap:OperatingSegmentsMember,$segment=x:CloudMember ixt:num-dot-decimal 701" >segments.htm
  facts --from segments.htm --segments revenue
  contains "$(tr -s ' ' <<<"$output")" "IntersegmentEliminationMember -50"
  contains "$output" "= Revenue"
  contains "$(tr -s ' ' <<<"$output")" "Shoes 20"
}

@test "parts on three axes stand below the first two where they add up to one of them" {
  local segment=us-gaap:StatementBusinessSegmentsAxis product=srt:ProductOrServiceAxis brand=us-gaap:SubsegmentsAxis items=srt:ConsolidationItemsAxis=us-gaap:OperatingSegmentsMember
  document "Revenues - ixt:num-dot-decimal 5,214
Revenues $items,$segment=x:NorthMember,$brand=x:OwnBrandMember ixt:num-dot-decimal 3,011
Revenues $items,$segment=x:SouthMember,$brand=x:OwnBrandMember ixt:num-dot-decimal 2,203
Revenues $product=x:ShoesMember,$items,$segment=x:NorthMember,$brand=x:OwnBrandMember ixt:num-dot-decimal 2,108
Revenues $product=x:HatsMember,$items,$segment=x:NorthMember,$brand=x:OwnBrandMember ixt:num-dot-decimal 903
Revenues $product=x:ShoesMember,$items,$segment=x:SouthMember,$brand=x:OwnBrandMember ixt:num-dot-decimal 1,201
Revenues $product=x:HatsMember,$items,$segment=x:SouthMember,$brand=x:OwnBrandMember ixt:num-dot-decimal 901" >axes.htm
  facts --from axes.htm --segments revenue
  contains "$output" $'Own Brand, by segment\nNorth'
  contains "$(tr -s ' ' <<<"$output")" $'North, Own Brand, by product or service\nShoes 2,108\nHats 903\n'
  [[ $output != *"South, Own Brand, by product"* ]] # 2,102, not 2,203
}

@test "derived values of invented companies are of one basis, and those of recorded ones are as reported or name two filings" {
  local files=()
  [ -d "${BID_SHARED:-/nowhere}/upstream" ] && files=("$BID_SHARED"/upstream/data.sec.gov/api/xbrl/companyfacts/*.json)
  run python3 "$ROOT/test/tools/facts_vintage.py" "$BID_BIN/bid-facts" 40 "${files[@]}"
  echo "$output" | head -30
  equal "$status" 0
  contains "$output" "--quarterly derived: "
  contains "$output" "--ttm derived: "
}
