#!/usr/bin/env bats
# bid-facts --for-plan: figures of a part of the company, out of the inline XBRL of its filings.

load helper
load facts

# An annual report whose members are called by ordinary words, served as the only filing of CIK 9990011.
filing() {
  local a=www.sec.gov/Archives/edgar/data/9990011/000999001125000003
  mkdir -p "root/$a" root/data.sec.gov/submissions
  printf '{"cik":"0009990011","entityType":"operating","name":"Skerry Ferries Corp","tickers":["SKRY"],"exchanges":["NYSE"],"fiscalYearEnd":"1231","filings":{"recent":{"accessionNumber":["0009990011-25-000003"],"filingDate":["2025-02-20"],"reportDate":["2024-12-31"],"acceptanceDateTime":["2025-02-20T18:28:48.000Z"],"act":[""],"form":["10-K"],"fileNumber":[""],"filmNumber":[""],"items":[""],"core_type":[""],"size":[50000],"isXBRL":[1],"isInlineXBRL":[1],"primaryDocument":["skry.htm"],"primaryDocDescription":[""]},"files":[]}}' >root/data.sec.gov/submissions/CIK0009990011.json
  python3 - "root/$a/skry.htm" <<'PYTHON'
import sys
P, S, G = "srt:ProductOrServiceAxis", "us-gaap:StatementBusinessSegmentsAxis", "srt:StatementGeographicalAxis"
C, K = "srt:ConsolidationItemsAxis", "us-gaap:StatementClassOfStockAxis"
own, between = (C, "us-gaap:OperatingSegmentsMember"), (C, "us-gaap:IntersegmentEliminationMember")
rows = [("Total revenue", "Revenues", [], 900, 800),
        ("Services", "Revenues", [(P, "us-gaap:ServiceMember")], 500, 400),
        ("Other", "Revenues", [(P, "skry:OtherRevenueMember")], 40, 30),
        ("Crossings and freight", "Revenues", [(P, "skry:CrossingsAndFreightMember")], 360, 370),
        ("Americas", "Revenues", [(S, "skry:AmericasSegmentMember"), own], 600, 550),
        ("Between the Americas and others", "Revenues", [(S, "skry:AmericasSegmentMember"), between], -15, -12),
        ("Non-US", "Revenues", [(G, "us-gaap:NonUsMember")], 250, 210),
        ("United States", "Revenues", [(G, "country:US")], 650, 590),
        ("", "Revenues", [(G, "country:MX")], 70, 60),
        ("Northern Sea Lines", "Revenues", [(S, "skry:NorthernSeaLinesMember")], 300, 250),
        ("Charter, north", "Revenues", [(P, "skry:CharterMember"), (G, "skry:NorthMember")], 7, 6),
        ("Charter, south", "Revenues", [(P, "skry:CharterMember"), (G, "skry:SouthMember")], 8, 7),
        ("Mail, east", "Revenues", [(P, "skry:MailMember"), (G, "skry:EastMember")], 9, 5),
        ("Class A common stock", "EarningsPerShareDiluted", [(K, "us-gaap:CommonClassAMember")], 9, 8),
        ("Class B common stock", "EarningsPerShareDiluted", [(K, "us-gaap:CommonClassBMember")], 14, 12),
        ("Total gross profit", "GrossProfit", [], 450, 380),
        ("Services", "GrossProfit", [(P, "us-gaap:ServiceMember")], 300, 200)]
contexts, table = [], []
for n, (label, concept, members, *values) in enumerate(rows):
    cells = ""
    for year, value in zip((2024, 2023), values):
        explicit = "".join(f'<xbrldi:explicitMember dimension="{a}">{m}</xbrldi:explicitMember>' for a, m in members)
        contexts.append(f'<xbrli:context id="c{n}y{year}"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0009990011</xbrli:identifier>'
                        f'<xbrli:segment>{explicit}</xbrli:segment></xbrli:entity><xbrli:period><xbrli:startDate>{year}-01-01</xbrli:startDate>'
                        f'<xbrli:endDate>{year}-12-31</xbrli:endDate></xbrli:period></xbrli:context>')
        sign = ' sign="-"' if value < 0 else ""
        cells += f'<td><ix:nonFraction name="us-gaap:{concept}" contextRef="c{n}y{year}" unitRef="usd" scale="6" decimals="-6"{sign}>{abs(value)}</ix:nonFraction></td>'
    table.append(f"<tr><td>{label}</td>{cells}</tr>")
open(sys.argv[1], "w").write(
    "<html><body><ix:header><ix:resources>" + "".join(contexts) +
    '<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit></ix:resources></ix:header>'
    '<p><ix:nonNumeric name="dei:DocumentType" contextRef="c0y2024">10-K</ix:nonNumeric> '
    '<ix:nonNumeric name="dei:DocumentFiscalYearFocus" contextRef="c0y2024">2024</ix:nonNumeric> '
    '<ix:nonNumeric name="dei:EntityRegistrantName" contextRef="c0y2024">Skerry Ferries Corp</ix:nonNumeric></p><table>' + "".join(table) + "</table></body></html>")
PYTHON
}

# A question's plan for a fiscal year, with that company on the list.
planned() {
  printf '9990011\tSKRY\tSkerry Ferries Corp\n' >companies.tsv
  echo "{\"query\":$(quoted "$1")}" | bid-plan --json --companies companies.tsv |
    jq -c --argjson year "$2" '.plan.windows = [{fiscalYear: $year, fiscalPeriod: "FY"}]'
}

# What --for-plan answers to a question on that company.
part() {
  planned "$1" 2024 | bid-facts --quiet --for-plan 2>/dev/null | jq -r '.error.message // "\(.label) \(.value + 0)"'
}

@test "a part of the company that a question names is read in its filing, by the words of the filing" {
  export BID_NOW=2025-06-01T00:00:00Z BID_CACHE=$PWD/cache
  filing
  upstream_start --root "$PWD/root"
  equal "$(part "Skerry's services revenue in 2024")" "Revenue (Services) 500000000"
  equal "$(part "Skerry other revenue 2024")" "Revenue (Other) 40000000"
  equal "$(part "What revenue did Skerry have in the Americas in 2024?")" "Revenue (Americas) 600000000" # not what the parts sold each other
  equal "$(part "Skerry US revenue 2024")" "Revenue (United States) 650000000"
  equal "$(part "Skerry revenue in Mexico 2024")" "Revenue (Mexico) 70000000"
  equal "$(part "How much revenue did Skerry's Americas segment have in 2024?")" "Revenue (Americas) 600000000"
  equal "$(part "Skerry freight revenue 2024")" "Revenue (Crossings and freight) 360000000"
  equal "$(part "NSL revenue of Skerry in 2024")" "Revenue (Northern Sea Lines) 300000000"
  equal "$(part "gross margin of Skerry's services 2024")" "Gross margin (Services) 0.6"
  equal "$(part "How much did Skerry's services revenue grow in 2024?")" $'Revenue (Services) 500000000\nRevenue growth (Services) 0.25'
  equal "$(part "Skerry services and freight revenue 2024")" $'Revenue (Services) 500000000\nRevenue (Crossings and freight) 360000000'
  equal "$(part "Skerry revenue by product 2024" | head -3)" $'Revenue (Services) 500000000\nRevenue (Other) 40000000\nRevenue (Crossings and freight) 360000000'
  # A figure of shares that is there for each class of them alone.
  contains "$(part "Skerry eps 2024")" $'Diluted earnings per share (Class A common stock) 9000000\nDiluted earnings per share (Class B common stock) 14000000'
  # The whole company's figure answers for none of these.
  for q in "Skerry submarine revenue 2024" "Skerry revenue from Google 2024" "Skerry charter revenue 2024" "Skerry mail revenue 2024" "Skerry services and submarine revenue 2024"; do
    [[ $(part "$q") == "Skerry Ferries Corp: '"*"' asks for a part of the company, and the 10-K filed 2025-02-20 tags no such part; it breaks Revenue down by: "*"Services; "* ]] || { echo "$q: $(part "$q")"; false; }
  done
  upstream_stop
}

@test "a part's figure has its filing, its member and its span" {
  export BID_NOW=2025-06-01T00:00:00Z BID_CACHE=$PWD/cache
  filing
  upstream_start --root "$PWD/root"
  planned "Skerry services revenue 2023" 2023 | bid-facts --quiet --for-plan >row.json
  upstream_stop
  equal "$(jq -c '[.value, .segment, .member, .statement, .start, .end, .fiscalYear, .form, .filingDate, .accessionNumber, .kind]' row.json)" \
    '[400000000,"Services","srt:ProductOrServiceAxis=us-gaap:ServiceMember","segments","2023-01-01","2023-12-31",2023,"10-K","2025-02-20","0009990011-25-000003","reported"]'
  contains "$(jq -r .sourceUrl row.json)" "/Archives/edgar/data/9990011/000999001125000003/skry.htm"
  "$ROOT/test/tools/schema.py" "$ROOT/data/schema/fact.json" row.json
}

@test "parts of recorded filings: their members' words, quarters, and what is no part" {
  need_shared
  asked() { echo "{\"query\":$(quoted "$1")}" | bid-plan --json | bid-facts --quiet --for-plan 2>/dev/null | jq -r '.error.message // "\(.label) \(.value) \(.end)"'; }
  equal "$(asked "What was Apple's services revenue in 2024?")" "Revenue (Services) 96169000000 2024-09-28"
  equal "$(asked "iPhone sales last year")" "Revenue (iPhone) 209586000000 2025-09-27"
  equal "$(asked "Apple Mac revenue Q3 2025")" "Revenue (Mac) 8046000000 2025-06-28"
  equal "$(asked "Apple rest of Asia Pacific net sales 2025")" "Revenue (Rest of Asia Pacific) 33696000000 2025-09-27"
  equal "$(asked "What was the operating income of Apple's Europe segment in fiscal 2025?")" "Operating income (Europe) 47739000000 2025-09-27"
  equal "$(asked "Tesla energy generation and storage revenue 2024")" "Revenue (Energy Generation and Storage) 10086000000 2024-12-31"
  equal "$(asked "How did Apple's services revenue grow in fiscal 2025?")" $'Revenue (Services) 109158000000 2025-09-27\nRevenue growth (Services) 0.135064 2025-09-27'
  contains "$(asked "How much revenue did Apple get from Google in 2024?")" "asks for a part of the company, and the 10-K filed 2024-11-01 tags no such part"
  contains "$(asked "Apple Watch revenue 2024")" "it breaks Revenue down by: Products; Services; iPhone; Mac;"
}

@test "an answer shows the figure of the part that was asked for, not the whole company's" {
  need_shared
  export COLUMNS=200
  run --separate-stderr bid-retrieve --human "What was Apple's services revenue in fiscal 2024?"
  contains "$output" "Apple Inc.: Revenue (Services), FY 2024 (2023-10-01 to 2024-09-28): 96,169 million USD; 10-K filed 2024-11-01, 0000320193-24-000123"
  [[ $output != *"391,035 million USD"* ]]
  run --separate-stderr bid-retrieve --json "What was Apple's services revenue in fiscal 2024?"
  equal "$(jq -c '[.edgar.facts[] | .segment, .value]' <<<"$output")" '["Services",96169000000]'
  contains "$(jq -r .rag.context <<<"$output" | head -2)" "Reported figures (XBRL):"$'\n'"Apple Inc.: Revenue (Services), FY 2024 (2023-10-01 to 2024-09-28): 96,169 million USD; 10-K filed 2024-11-01, 0000320193-24-000123, https://www.sec.gov/Archives/"
  contains "$(jq -r .rag.context <<<"$output")" $'-index.htm\n\n[1] Apple Inc.'
  equal "$(bid-retrieve --json --context 40 "What was Apple's services revenue in fiscal 2024?" | jq -r '.rag.context | contains("Reported figures")')" false # no room
  run --separate-stderr bid-retrieve --json "Apple Watch revenue 2024"
  equal "$(jq -c '.edgar.facts // []' <<<"$output")" '[]'
  contains "$(jq -r '.errors[].message' <<<"$output")" "'Watch revenue' asks for a part of the company"
}

@test "parts of a period that the newest filing doesn't have are read in that period's filing" {
  need_shared
  run --separate-stderr bid-facts --json -e TSLA --segments revenue -p FY-2024 # the newest one is not to be had
  equal "$(jq -c 'select(.label == "Energy Generation and Storage" and .fiscalYear == 2024 and (.concept | contains("ProductOrService") | not)) | .value' <<<"$output" | head -1)" 10086000000
  run --separate-stderr bid-facts --json -e AAPL --segments revenue -p FY-2022
  equal "$(jq -c 'select(.label == "iPhone") | .value' <<<"$output" | head -1)" ""
  contains "$stderr" "nothing for 'revenue'"
}

@test "lines that add up in some years only are said to be the figure of those" {
  need_shared
  run --separate-stderr bid-facts --human --from "$BID_SHARED/upstream/filings/nflx/10-K-2025-01-27.htm" --segments revenue
  contains "$output" "= Revenue in FY2024"
  run --separate-stderr bid-facts --human -e AAPL --segments revenue -n 1
  [[ $output != *"= Revenue in "* ]]
}

@test "growth between two years is counted from the first to the last" {
  need_shared
  asked() { echo "{\"query\":$(quoted "$1")}" | bid-plan --json | bid-facts --quiet --for-plan 2>/dev/null | jq -c 'select(.label | contains("growth")) | [.label, .value, .fiscalYear, [.parts[].value]]'; }
  equal "$(asked "How much did Apple's revenue grow between 2020 and 2025?" | head -1)" '["Revenue growth since FY 2020",0.515986,2025,[416161000000,274515000000]]'
  equal "$(asked "How much did Apple's revenue grow between 2020 and 2025?" | wc -l)" 6
  [[ $(asked "How much did Apple's revenue grow between 2020 and 2025?") != *",2020,"* ]]
  equal "$(asked "How much did Apple's revenue grow in 2025?" | jq -c .[0])" '"Revenue growth"'
}

@test "a chart names all filings of its newest value" {
  need_shared
  bid-facts -q -e SNOW --ttm revenue --plot ttm.svg -n 12
  contains "$(<ttm.svg)" "newest value from 10-K 0001640147-25-000052, 10-Q 0001640147-25-000110"
}

# A recorded filing as the only one on its company's list.
listed() { # CIK NAME TICKER FORM FILED PERIOD FILE
  local x=${1}25000001 doc="filing.htm" cik=$((10#$1))
  mkdir -p "root/www.sec.gov/Archives/edgar/data/$cik/$x" root/data.sec.gov/submissions
  cp "$BID_SHARED/upstream/filings/$7" "root/www.sec.gov/Archives/edgar/data/$cik/$x/$doc"
  printf '{"cik":"%s","entityType":"operating","name":"%s","tickers":["%s"],"exchanges":[],"fiscalYearEnd":"1231","filings":{"recent":{"accessionNumber":["%s-25-000001"],"filingDate":["%s"],"reportDate":["%s"],"acceptanceDateTime":["%sT12:00:00.000Z"],"act":[""],"form":["%s"],"fileNumber":[""],"filmNumber":[""],"items":[""],"core_type":[""],"size":[50000],"isXBRL":[1],"isInlineXBRL":[1],"primaryDocument":["%s"],"primaryDocDescription":[""]},"files":[]}}' \
    "$1" "$2" "$3" "$1" "$5" "$6" "$5" "$4" "$doc" >"root/data.sec.gov/submissions/CIK$1.json"
}

@test "questions for parts of companies that the rules were not made for" {
  need_shared
  listed 0000051143 "INTERNATIONAL BUSINESS MACHINES CORP" IBM 10-Q 2025-07-24 2025-06-30 ibm/10-Q-2025-07-24.htm
  listed 0000100885 "UNION PACIFIC CORP" UNP 10-Q 2025-07-24 2025-06-30 unp/10-Q-2025-07-24.htm
  listed 0001018724 "AMAZON COM INC" AMZN 10-K 2025-02-07 2024-12-31 amzn/10-K-2025-02-07.htm
  export BID_CACHE=$PWD/cache BID_STATE=$PWD/state
  upstream_start --root "$PWD/root"
  run python3 "$ROOT/test/tools/figure_questions.py" "$BID_BIN" "$ROOT/test/data/part_questions.tsv"
  upstream_stop
  echo "$output"
  [ "$(sed -n 's/^parts: \([0-9]*\) of 30$/\1/p' <<<"$output")" -ge 27 ]
  equal "$(grep -c '=.*, not -$' <<<"$output")" 0 # none has a figure where the filing has none
}
