#!/usr/bin/env bats
# bid-plan: a question understood once: companies, forms, windows, what is asked, and honest refusals.

load helper

# Nobody is asked for newer lists of companies, which would be waited for.
test_setup() {
  export BID_NOW=2026-03-10T00:00:00Z BID_CONNECT_TO=127.0.0.1:1 BID_HASTE=1000
}

# plan FILTER WORDS...: what jq's FILTER says of the record of bid-plan WORDS.
plan() {
  local filter=$1
  shift
  bid-plan "$@" 2>/dev/null | jq -c "$filter"
}

tickers() { plan '[.plan.companies[].ticker]' "$@"; }
windows() { plan '.plan.windows' "$@"; }
forms() { plan '.plan.forms' "$@"; }

@test "a question becomes a job with a plan" {
  run --separate-stderr bid-plan "Apple's gross margin in Q2 2025"
  equal "$status" 0
  equal "$stderr" ""
  equal "$(jq -c 'keys_unsorted' <<<"$output")" '["query","plan"]'
  equal "$(jq -c '.plan.companies[0] | del(.sure), .sure > 0.9' <<<"$output" | paste -sd' ')" \
    '{"cik":"0000320193","ticker":"AAPL","name":"Apple Inc.","matched":"Apple'"'"'s","how":"name"} true'
  equal "$(jq -c '.plan | [.forms, .windows, .asks, .notUnderstood]' <<<"$output")" \
    '[["10-Q","6-K"],[{"fiscalYear":2025,"fiscalPeriod":"Q2"}],"figure",[]]'
}

@test "every other field of a job passes on byte for byte" {
  run --separate-stderr bid-plan <<<'{"n":1.50e3,"query":"tesla deliveries","plan":{"old":1},"s":"\u0041","limit":7}'
  equal "$status" 0
  equal "${output%%,\"plan\"*}" '{"n":1.50e3,"query":"tesla deliveries","s":"\u0041","limit":7'
  equal "$(jq -r '.plan.companies[0].ticker' <<<"$output")" TSLA
}

@test "one line comes out for every line, in order, and a bad one leaves the others alone" {
  printf '%s\n' '{"query":"Apple sales"}' 'no json' '{"question":"Tesla sales","id":3}' '{"error":{"category":"unavailable","message":"x","stage":"fetch"}}' \
    '{"query":"sales","entity":{"id":"General"}}' '{"query":"Walmart sales"}' >jobs
  run --separate-stderr bid-plan <jobs
  equal "$status" 1
  equal "${#lines[@]}" 6
  equal "$(jq -rc '.plan.companies[0].ticker // .error.category' <<<"$output" | paste -sd' ')" \
    "AAPL invalid-request TSLA unavailable invalid-request WMT"
  contains "$stderr" "stdin:2:"
  contains "$stderr" "stdin:5: 'General' may mean GENERAL ELECTRIC CO (GE)"
  python3 "$ROOT/test/tools/schema.py" "$ROOT/data/schema/plan.json" < <(jq -c 'select(.plan or .error.stage == "plan")' <<<"$output")
}

@test "names as people write them, with and without legal forms" {
  local name cik
  while IFS='|' read -r name cik; do
    equal "$name $(plan '[.plan.companies[].cik | tonumber] | join(" ")' -e "$name" sales)" "$name \"$cik\""
  done <<'NAMES'
Coca-Cola|21344
coca cola|21344
Ford|37996
Square|1512673
BofA|70858
P&G|80424
procter and gamble|80424
J.P. Morgan|19617
JP Morgan|19617
Amex|4962
Google|1652044
brk b|1067983
BRK.B|1067983
$aapl|320193
CIK0000320193|320193
cik:320193|320193
Apple Inc. (AAPL)|320193
NYSE: IBM|51143
Carnival|815097
CARNIVAL PLC|1125259
WELLS FARGO & COMPANY/MN|72971
Micrsoft|789019
Cree|895419
Tesla Motors|1318605
Estee Lauder|1001250
Estée Lauder|1001250
royal bank canada|1000275
Expeditors of Washington|746515
W W Grainger|277135
Grainger|277135
Schein|1000228
Natl Grid|1004315
DR Horton homes|882184
papa johns pizza|901491
Nvidia stock|1045810
Thermo Fischer Scientfic|97745
Red Robbin|1171759
Meta Platforms (formerly Facebook)|1326801
Facebook, now Meta|1326801
RTX f/k/a Raytheon Technologies|101829
Apple Inc AAPL|320193
AAPL - Apple Inc|320193
Apple, Inc. (NASDAQ: AAPL)|320193
scripps (NASDAQ: SSP)|832428
F.N|37996
Ford US|37996
F US Equity|37996
ticker AAPL|320193
https://www.nvidia.com/en-us/|1045810
investor.apple.com|320193
000320193|320193
NAMES
}

@test "what is no name of a company is refused, and so is one that several bear" {
  local name
  for name in n/a N.A. none - NA Cooper Robinson "Apple Bank" "Corvus Bank" x.com "X (formerly Twitter)" "Merck KGaA" \
    "American Group" "the Hartford Courant" "American Eagle Airlines" "General Foods" "Bank of England" "Société Générale" "Apple (MSFT)"; do
    run --separate-stderr bid-plan -e "$name" sales
    equal "$name $status $(jq -c .plan.companies <<<"$output")" "$name 64 []"
  done
}

@test "the beginning of one company's name will do, of whatever size, and words otherwise written" {
  local name cik
  while IFS='|' read -r name cik; do
    equal "$name $(plan '[.plan.companies[].cik | tonumber] | join(" ")' -e "$name" sales)" "$name \"$cik\""
  done <<'NAMES'
Theriva|894158
Loma Negra|1711375
HF Foods|1680873
EOG Res|821189
PNC Fin Svcs|713676
Synovus Fin|18349
Bank Santander Chile|1027552
Service Corporation International|89089
Codorus Bancorp|806279
Rio Tinto (RTNTF)|887028
Sabesp|1170858
NAMES
}

@test "a name beside words of what the company does, makes or is, a word parted or with an s" {
  local name cik
  while IFS='|' read -r name cik; do
    equal "$name $(plan '[.plan.companies[].cik | tonumber] | join(" ")' -e "$name" sales)" "$name \"$cik\""
  done <<'NAMES'
Prosperity Bank|1068851
First Horizon Bank|36966
Mesa Airlines|810332
Celldex Pharma|744218
Travere Tx|1438533
Hershey chocolate company|47111
Harley motorcycles|793952
Honda Japan|715153
Pfizer inc (NYSE)|78003
Wiley (John) & Sons|107140
mobile eye|1910139
United Parcel Services|1090727
Elevance Heath|1156039
RocketCompanies|1805284
South West Water|1455633
Zebra Technology|877212
Seagate Technologies|1137789
JR Central|1334687
Verbund AG|1021020
Ameren Missouri|100826
Sallie Mae|1032033
NAMES
}

@test "a bank whose name is common words, and the first word of a former name, may be several companies" {
  local name
  for name in "Community Bank" "First Bank" Aurora; do
    run --separate-stderr bid-plan -e "$name" sales
    equal "$name $status $(jq -c '[.plan.companies, (.plan.candidates | length > 1)]' <<<"$output")" "$name 64 [[],true]"
  done
  for name in "M&G" "Amaya Inc" "Initech LLC"; do
    run --separate-stderr bid-plan -e "$name" sales
    equal "$name $status $(jq -c .plan.companies <<<"$output")" "$name 64 []"
  done
  equal "$(plan '.plan.companies[0] | [.ticker, .how]' -e Tidewr sales)" '["TDW","typo"]' # no beginning of Tidewater
}

@test "an alias leads to its company, unless another one is listed with exactly that name or ticker" {
  grep -v '^#' "$ROOT/data/aliases.tsv" | awk -F'\t' '$3 != "ticker" && $3 != "person"' >rows
  cut -f 1 rows | jq -Rc '{entity: {id: .}}' | bid-plan --shipped 2>/dev/null |
    jq -r '[.plan.companies[].cik | tonumber] | join(" ")' >led
  paste rows led | awk -F'\t' '$5 != "" && $5 != $2 { print $1 }' | LC_ALL=C sort >elsewhere
  equal "$(cat elsewhere)" "$(printf '%s\n' Ansys BBDO CAES FPL "Georgia Power" HashiCorp "Inari Medical" Informatica "Ingersoll-Rand Co Ltd" "Ingersoll-Rand Company" "Ingersoll-Rand plc" MACI "Marathon Oil" McGraw-Hill "McGraw-Hill Companies" NAPA PGIM RPT SBC SGI "Shockwave Medical" TE WTG)"
  [ "$(awk -F'\t' '$5 == ""' <(paste rows led) | wc -l)" -lt 100 ] # the others are refused, as several bear the name
}

@test "a ticker of before leads to its company, one of three letters only where it is the whole input" {
  local name cik
  while IFS='|' read -r name cik; do
    equal "$name $(plan '[.plan.companies[].cik | tonumber] | join(" ")' -e "$name" sales)" "$name \"$cik\""
  done <<'NAMES'
ANTM|1156039
symc|849399
PCLN|1075531
PKI|31791
SQ|1512673
BBT|1108134
NAMES
  equal "$(plan '[.plan.companies[].ticker]' "ANTM revenue 2019")" '["ELV"]'
  equal "$(plan '[.plan.companies[].ticker]' "PKI certificates in the 10-K")" '[]'
}

@test "a slip of the keys is no other company's name, nor are a few letters a small company" {
  local name
  for name in Canva Monzo Petronas Vitol Ferrara Lego "Bain & Company" "the registrant"; do
    run --separate-stderr bid-plan -e "$name" sales
    equal "$name $status $(jq -c .plan.companies <<<"$output")" "$name 64 []"
  done
}

@test "of several that bear a name none is chosen, and a fund isn't its manager" {
  local name
  for name in Republic "First Financial" "Bain Capital" Redwood; do
    run --separate-stderr bid-plan -e "$name" sales
    equal "$name $status $(jq -c '[.plan.companies, (.plan.candidates | length > 0)]' <<<"$output")" "$name 64 [[],true]"
  done
}

@test "a number of a security or a filing is refused by its kind" {
  local id kind
  while read -r id kind; do
    run --separate-stderr bid-plan -e "$id" sales
    equal "$status" 64
    contains "$stderr" "'$id' is $kind: give the company's ticker, CIK or name"
  done <<'IDS'
US0378331005 an ISIN
037833100 a CUSIP
594918104 a CUSIP
HWUPKR0MPOU8FGXBT394 an LEI
BBG000B9XRY4 a FIGI
0000320193-24-000123 an accession number
IDS
  equal "$(tickers -e "NASDAQ: NA" sales)" '["NA"]'
}

@test "the SEC's own names lead to their companies" {
  grep -v '^#' "$ROOT/data/companies.tsv" | sort -t "$(printf '\t')" -k 5n | head -1000 >rows
  cut -f 3 rows | jq -Rc '{entity: {id: .}}' >jobs
  run --separate-stderr bid-plan <jobs
  equal "$(jq -r '[.plan.companies[].cik | tonumber] | join(" ")' <<<"$output")" "$(cut -f 1 rows)"
}

@test "a name that several bear is refused with the candidates, the likeliest first" {
  run --separate-stderr bid-plan -e General revenue
  equal "$status" 64
  equal "$(jq -c '[.plan.companies, .plan.doubtful, .plan.candidates[0].ticker, .error.category]' <<<"$output")" \
    '[[],"General","GE","invalid-request"]'
  run --separate-stderr bid-plan -e Theranos revenue
  equal "$status" 64
  contains "$stderr" "no company is called 'Theranos' on the SEC's list of 2026"
  equal "$(jq -c '.plan.notUnderstood' <<<"$output")" '["Theranos"]'
}

@test "words that are names as well need a sign of a company" {
  equal "$(tickers "Visa requirements for travel")" '[]'
  equal "$(tickers "Visa's litigation escrow")" '["V"]'
  equal "$(tickers "explain the gap between GAAP and non-GAAP earnings")" '[]'
  equal "$(tickers "Gap comparable sales by brand")" '["GAP"]'
  equal "$(tickers "what is our target for emissions?")" '[]'
  equal "$(tickers "How did Target do on shrink?")" '["TGT"]'
  equal "$(tickers "a match made in heaven")" '[]'
  equal "$(tickers "does zoom have debt")" '["ZM"]'
  equal "$(tickers "Tim Cook's pay at Apple")" '["AAPL"]'
  equal "$(tickers "Block gross profit per Cash App user")" '["XYZ"]'
  equal "$(tickers "Boeing FAA investigation")" '["BA"]'
  equal "$(tickers "what is now the rate on all cards")" '[]'
}

@test "people, places and public bodies that share a company's name are no companies" {
  local q
  while read -r q; do
    equal "$q $(tickers "$q")" "$q []"
  done <<'QUESTIONS'
did Jason Morgan sell shares this year
tim halloran total pay 2025
Chase Rodriguez severance
Mr. Crane's salary for the year
what did the regulator find against Kimberly Springsteen-Abbott
sales in Hong Kong
What share of revenue comes from Cleveland?
Berlin plant cost overruns
Bank of Japan policy
R&D spending by region
QUESTIONS
}

@test "a company on no list is named, and never becomes another one" {
  equal "$(plan '[.plan.companies, .plan.notUnderstood]' "Acme Widgets revenue")" '[[],["Acme Widgets"]]'
  equal "$(plan '[.plan.companies, .plan.notUnderstood]' "What does Cargill earn from beef?")" '[[],["Cargill"]]'
}

@test "the subject is told from the counterparty, and all subjects are answered" {
  equal "$(tickers "Apple's dependence on TSMC")" '["AAPL"]'
  equal "$(plan '[.plan.others[].ticker]' "Apple's dependence on TSMC")" '["TSM"]'
  equal "$(tickers "How much does Apple receive from Google for search?")" '["AAPL"]'
  equal "$(tickers "Compare Apple and Tesla on margins")" '["AAPL","TSLA"]'
  equal "$(tickers "Microsoft, Amazon and Google cloud margins")" '["MSFT","AMZN","GOOGL"]'
  equal "$(tickers "KO vs PEP organic growth")" '["KO","PEP"]'
  equal "$(tickers "FedEx Express volumes vs UPS")" '["FDX","UPS"]'
  equal "$(tickers "lowes home depot same store sales")" '["LOW","HD"]'
  equal "$(tickers "verizon at&t t-mobile churn")" '["VZ","T","TMUS"]'
  equal "$(tickers "Harley-Davidson LiveWire losses")" '["HOG"]'
  equal "$(tickers -e AAPL -e TSLA "gross margin")" '["AAPL","TSLA"]'
  equal "$(plan .plan.asks "Compare Apple and Tesla on margins")" '"comparison"'
}

@test "fiscal years and quarters as people say them" {
  local words want
  while IFS='|' read -r words want; do
    equal "$words: $(windows "Apple sales $words" | jq -c 'map([.fiscalYear, .fiscalPeriod])')" "$words: $want"
  done <<'PERIODS'
FY23|[[2023,"FY"]]
FY'23|[[2023,"FY"]]
fiscal 2015|[[2015,"FY"]]
fiscal year 2015|[[2015,"FY"]]
2Q25|[[2025,"Q2"]]
Q2'25|[[2025,"Q2"]]
Q2 2025|[[2025,"Q2"]]
2025 Q2|[[2025,"Q2"]]
second quarter of fiscal 2025|[[2025,"Q2"]]
1H25|[[2025,"H1"]]
first nine months of 2024|[[2024,"9M"]]
year-end 2024|[[2024,"FY"]]
2023 vs 2024|[[2023,"FY"],[2024,"FY"]]
Q2 2024 vs 2023|[[2024,"Q2"],[2023,"Q2"]]
Q2 2025 growth vs last year|[[2025,"Q2"],[2024,"Q2"]]
Q1 and Q2 2024|[[2024,"Q1"],[2024,"Q2"]]
last year|[[2025,"FY"]]
PERIODS
}

@test "days, months and ranges" {
  local words want
  while IFS='|' read -r words want; do
    equal "$words: $(windows "Apple sales $words")" "$words: $want"
  done <<'PERIODS'
quarter ended March 29, 2025|[{"ends":"2025-03-29","from":"2025-01-01","until":"2025-03-29"}]
six months ended March 29, 2025|[{"ends":"2025-03-29","from":"2024-10-01","until":"2025-03-29"}]
June quarter|[{"ends":"2025-06-30","from":"2025-04-01","until":"2025-06-30"}]
holiday quarter of 2024|[{"from":"2024-12-15","until":"2025-02-08"}]
since 2022|[{"from":"2022-01-01"}]
2019-2023|[{"from":"2019-01-01","until":"2023-12-31"}]
between 2019 and 2021|[{"from":"2019-01-01","until":"2021-12-31"}]
before 2010|[{"until":"2009-12-31"}]
over the past three years|[{"latest":true,"count":3}]
over 3 years|[{"latest":true,"count":3}]
on June 30 and September 30, 2024|[{"ends":"2024-06-30"},{"ends":"2024-09-30"}]
5yr|[{"latest":true,"count":5}]
trailing twelve months|[{"latest":true,"count":1}]
year over year|[]
PERIODS
  equal "$(windows "Apple 8-K December and January 2024" | jq -c '[.[].from]')" '["2023-12-01","2024-01-01"]'
  equal "$(plan .plan.asOf "as of January 2025, Apple's cash")" '"2025-01-31"'
  equal "$(windows "Ford notes due 2030, its 2026 notes and the 2018 award")" '[]'
  run --separate-stderr bid-plan "Apple sales in Q5 2024"
  equal "$status" 64
}

@test "forms by number and by name; amendments only when asked for; a fourth quarter has no 10-Q" {
  equal "$(forms "Apple 10K")" '["10-K"]'
  equal "$(forms "Apple annual report")" '["10-K","20-F","40-F"]'
  equal "$(forms "last two 10-Ks of Apple")" '["10-K"]'
  equal "$(windows "last two 10-Ks of Apple")" '[{"latest":true,"count":2}]'
  equal "$(plan '[.plan.forms, .plan.items]' "Apple earnings release")" '[["8-K","6-K"],["2.02"]]'
  equal "$(forms "insider sales at Apple")" '["4"]'
  equal "$(forms "Apple proxy, pay")" '["DEF 14A"]'
  equal "$(plan '[.plan.forms, .plan.amendments]' "Tesla 10-K/A 2024")" '[["10-K/A"],true]'
  equal "$(plan '[.plan.forms, .plan.amendments]' "Tesla's amended 10-K")" '[["10-K/A"],true]'
  equal "$(plan '[.plan.forms, .plan.amendments]' "Tesla 10-K 2024")" '[["10-K"],false]'
  equal "$(forms "Apple fourth quarter 10-Q 2024")" '["10-K","20-F","40-F"]'
  equal "$(forms "Apple Q4 2024 margin")" '["10-K","20-F","40-F"]'
  equal "$(forms -f 10K -f "quarterly report" "Apple's 8-K")" '["10-K","10-Q","6-K"]'
}

@test "an item of an 8-K, a form's number beside what it is called" {
  equal "$(plan '[.plan.forms, .plan.items]' "MSFT 8-K January 2024 item 1.05 email hack")" '[["8-K"],["1.05"]]'
  equal "$(plan '[.plan.forms, .plan.items]' "AAPL 8-K, items 5.02 and 9.01")" '[["8-K"],["5.02"]]'
  equal "$(plan '[.plan.forms, .plan.items]' "AAPL 8-K (7.01)")" '[["8-K"],["7.01"]]'
  equal "$(plan '[.plan.forms, .plan.items]' -f 8-K "AAPL item 2.05")" '[["8-K"],["2.05"]]'
  equal "$(plan '[.plan.forms, .plan.items]' "AAPL earnings release on the restructuring")" '[["8-K","6-K"],["2.02"]]'
  equal "$(plan '[.plan.forms, .plan.items]' "AAPL section 5.02 of the credit agreement")" '[[],null]'
  equal "$(plan .plan.forms "prospectus from the AAPL IPO, form 424B4")" '["424B4"]'
  equal "$(plan .plan.forms "AAPL prospectus" | jq length)" 4
  equal "$(plan .plan.forms "AAPL 10-K item 1A")" '["10-K"]' # no form 1-A
}

@test "what a job gives wins over its words, and options stand before or after them" {
  equal "$(plan '[.plan.companies[0].ticker, .plan.windows, .plan.forms]' "sales in 2019" -e TSLA -p FY-2024)" \
    '["TSLA",[{"fiscalYear":2024,"fiscalPeriod":"FY"}],["10-K","20-F","40-F"]]'
  equal "$(plan '[.plan.since, .plan.asOf]' --since 2025-06-01 sales --as-of 2026-01-15)" '["2025-06-01","2026-01-15"]'
  equal "$(windows -p 2024-03 sales)" '[{"from":"2024-03-01","until":"2024-03-31","by":"filing"}]'
  equal "$(bid-plan <<<'{"query":"net sales","entity":{"id":"nobody at all","aliases":["Apple"]}}' | jq -r '.plan.companies[0].ticker')" AAPL
  run --separate-stderr bid-plan -p nonsense sales
  equal "$status" 64
  contains "$stderr" "period: 'nonsense' is none of FY-2024"
  run --separate-stderr bid-plan --as-of never sales
  equal "$status" 64
  contains "$stderr" "asOf: 'never' is no date"
}

@test "the plan says which figures a question asks for, of which part, as what, and of which span" {
  figures() { bid-plan --json --shipped "$1" | jq -c '.plan | [[.figures[]? | [.figure, .as, .parts, .axis, (if .as == "other" or .as == "unknown" then .words else null end)]
    | map(select(. != null))], .span, .choice, .amount, .currency, .screen] | map(select(. != null))'; }
  equal "$(figures "Apple Europe net sales 2025")" '[[["Revenue","value",["Europe"]]]]'
  equal "$(figures "Apple iPhone and services revenue in 2024")" '[[["Revenue","value",["iPhone","services"]]]]'
  equal "$(figures "Apple revenue by region 2025")" '[[["Revenue","breakdown","region"]]]'
  equal "$(figures "Apple goodwill impairment 2025")" '[[["Goodwill","other",["impairment"],"goodwill impairment"]]]'
  equal "$(figures "Apple return on invested capital")" '[[["unknown","return on invested capital"]]]'
  equal "$(figures "Apple R&D as a share of revenue 2024")" \
    '[[["Research and development","value"],["Revenue","value"],["Research and development / Revenue","share"]]]'
  equal "$(figures "free cash flow per share of Apple 2024")" '[[["Free cash flow","value"],["Free cash flow / Diluted shares","perShare"]]]'
  equal "$(figures "How much did Apple's revenue grow in 2024?")" '[[["Revenue","value"],["Revenue growth","growth"]]]'
  equal "$(figures "Apple TTM revenue")" '[[["Revenue","value"]],"trailing"]'
  equal "$(figures "Apple revenue year to date")" '[[["Revenue","value"]],"toDate"]'
  equal "$(figures "When did Apple's revenue first exceed 300 billion?")" '[[["Revenue","value"]],"firstAbove",300000000000]'
  equal "$(figures "TSMC revenue in 2024 in US dollars")" '[[["Revenue","value"]],"USD"]'
  equal "$(figures "Which companies spend over 20% of revenue on R&D?")" '[[],"R&D / revenue > 20%"]'
  # Without a figure that is asked for there is none, whatever words stand there.
  equal "$(figures "Why did Apple's revenue fall in 2023?")" '[[]]'
  run --separate-stderr bid-plan --explain "Apple Europe net sales by quarter, 2025"
  contains "$(tr -s ' ' <<<"$output")" $'\nfigures Revenue (Europe net sales)\nspan quarters\n'
}

@test "--explain tells people what was decided and why" {
  run --separate-stderr bid-plan --explain "Apple's dependence on TSMC, fiscal 2024"
  equal "$status" 0
  contains "$output" "companies    0000320193  AAPL   Apple Inc."
  contains "$output" "all of fiscal 2024"
  contains "$output" "not the subject"
}

@test "companies of one's own list" {
  printf '9990001\tTWHL\tTwin Harbor Logistics Inc.\n' >own.tsv
  equal "$(plan '[.plan.companies[0] | .cik, .name]' --companies own.tsv -e twhl sales)" \
    '["0009990001","Twin Harbor Logistics Inc."]'
  equal "$(plan '.plan.companies[0].cik' --companies own.tsv "Twin Harbor Logistics' sales")" '"0009990001"'
  run --separate-stderr bid-plan --companies missing.tsv sales
  equal "$status" 66
}

@test "a newer list of companies in the cache wins" {
  local key body=list.json digest
  printf '%s' '{"0":{"cik_str":320193,"ticker":"QXQZ","title":"Pear Computers & Sons"},"1":{"cik_str":77,"ticker":"NEWC","title":"Newco \u0026 Co"}}' >$body
  key=$(printf 'https://www.sec.gov/files/company_tickers.json\n\n\n0' | sha256sum | cut -c1-64)
  digest=$(sha256sum <$body | cut -c1-64)
  mkdir -p "$BID_CACHE/objects/${digest:0:2}" "$BID_CACHE/answers/${key:0:2}"
  cp $body "$BID_CACHE/objects/${digest:0:2}/$digest"
  printf '{"url":"x","fetched":1790000000,"checked":1790000000,"size":%s,"sha256":"%s"}\n' "$(wc -c <$body)" "$digest" \
    >"$BID_CACHE/answers/${key:0:2}/$key"
  equal "$(plan '[.plan.companies[0] | .ticker, .name]' -e QXQZ sales)" '["QXQZ","Pear Computers & Sons"]'
  equal "$(plan '.plan.companies[0].cik' -e newco sales)" '"0000000077"'
  equal "$(plan '.plan.companies[0].cik' -e AAPL sales)" '"0000320193"'
  equal "$(tickers -e MSFT sales)" '["MSFT"]'
  equal "$(tickers --shipped -e AAPL sales)" '["AAPL"]'
  equal "$(tickers --shipped -e QXQZ sales)" '[]'
}

@test "the list that bid-fetch leaves in the cache is found" {
  need_shared
  upstream_start
  export BID_NOW=2026-03-10T00:00:00Z
  bid-fetch --quiet sec-submissions -e AAPL >/dev/null
  printf 'x' >before
  equal "$(tickers -e AAPL sales)" '["AAPL"]'
  # Damage the list in the cache: the shipped one is taken, and nothing breaks.
  local n=0 f
  for f in "$BID_CACHE"/answers/*/*; do
    grep -q company_tickers "$f" && n=1
  done
  equal "$n" 1
  local key
  key=$(printf 'https://www.sec.gov/files/company_tickers.json\n\n\n0' | sha256sum | cut -c1-64)
  [ -e "$BID_CACHE/answers/${key:0:2}/$key" ]
}

@test "odd questions are fine" {
  local q
  for q in "?" "&" "'" "\$" "10-" "Q" "FY" "the the the" "$(printf 'x%.0s' {1..3000})" "$(printf '\xff\xfe Apple')" "'s" "A & B & C & D"; do
    run --separate-stderr bid-plan "$q"
    [ "$status" -eq 0 ] || { echo "$q: $status" >&2; false; }
    jq -e .plan.companies <<<"$output" >/dev/null
  done
}

@test "periods in less usual words" {
  local question want
  while IFS='|' read -r question want; do
    equal "$question $(plan '.plan.windows[0] | del(.by)' "$question")" "$question $want"
  done <<'QUESTIONS'
Apple sales in the half year ended March 30, 2024|{"ends":"2024-03-30","from":"2023-10-01","until":"2024-03-30"}
Apple sales for the 52 weeks ended September 28, 2024|{"ends":"2024-09-28","from":"2023-10-01","until":"2024-09-28"}
Apple debt as at 30/06/2024|{"ends":"2024-06-30"}
Apple sales FQ3 2024|{"fiscalYear":2024,"fiscalPeriod":"Q3"}
Apple 10-Qs of 2024|{"from":"2024-01-01","until":"2024-12-31"}
QUESTIONS
  equal "$(plan '.plan.windows[0].fiscalYear' --as-of 2025-02-10 "Apple sales two years ago")" 2023
}

@test "what an 8-K is said to tell is its item; of several what is rarer" {
  while IFS=$'\t' read -r item question; do
    equal "$(plan '.plan.items // ["none"] | join(",")' "$question"): $question" "\"$item\": $question"
  done <<'END'
5.02	AAPL 8-K on the departure of its CFO
5.02	AAPL 8-K: new CEO appointed, signing bonus
5.07	AAPL 8-K with the votes on CEO pay
4.01	AAPL 8-K auditor resignation
2.05	AAPL layoffs 8-K November 2023
2.05	8-K AAPL filed about plant closing
1.03	AAPL chapter 11 petition 8-K
1.02	AAPL 8-K termination of the merger agreement
1.02	8-K in which AAPL terminated its credit facility
2.01	AAPL 8-K on closing the Beats acquisition
2.01	AAPL 8-K Beats completion 2014
1.01	AAPL 8-K merger agreement with Beats
3.01	AAPL 8-K Nasdaq deficiency notice
3.02	AAPL 8-K closing of a private placement
5.03	AAPL 8-K reverse stock split
5.05	AAPL 8-K amendments to its code of ethics
2.04	AAPL 8-K event of default
5.07	AAPL voting results 8-K of June 2025
2.06	AAPL 8-K goodwill impairment
none	AAPL 8-K closing of the notes offering
none	AAPL 10-K restructuring
END
}

@test "periods and forms as people write them" {
  local list=$ROOT/test/data/windows.tsv
  grep -v '^#' "$list" | cut -f1 | jq -R '{question: .}' -c >jobs
  BID_NOW=2025-07-15T12:00:00Z bid-plan --shipped <jobs >plans 2>/dev/null || true
  jq -r 'def window: if .endsMonth then "\(.fiscalYear)/month \(.endsMonth)" elif .fiscalYear then "\(.fiscalYear)/\(.fiscalPeriod)" elif .ends then "ends \(.ends)"
      elif .latest then "latest \(.count)" + (if .before then " before \(.before)" else "" end) + (if .fiscalPeriod then "/" + .fiscalPeriod else "" end)
      else (if .by then "filed " else "" end) + "\(.from // "")..\(.until // "")" + (if .fiscalPeriod then "/" + .fiscalPeriod else "" end) end;
    [.question, (if .error then "?" else .plan.windows | map(window) | join(", ") | if . == "" then "-" else . end end),
      (.plan.forms | map(gsub(" "; "-")) | join(" ") | if . == "" then "-" else . end)] | @tsv' plans >understood
  diff <(grep -v '^#' "$list") understood
  equal "$(wc -l <understood)" "$(wc -l <jobs)"
}

@test "every option that takes a day takes a month, a year, a quarter, a span and words" {
  local when
  export BID_NOW=2025-07-15T12:00:00Z
  of() { bid-plan --shipped -e AAPL "$@" revenue | jq -r '.plan | .since // .asOf // "-"'; }
  while read -r when first last; do
    equal "$when: $(of --since "${when//_/ }") $(of --as-of "${when//_/ }")" "$when: $first $last"
  done <<'END'
2024 2024-01-01 2024-12-31
2024-02 2024-02-01 2024-02-29
2024-02-05 2024-02-05 2024-02-05
Q3-2024 2024-07-01 2024-09-30
FY-2024 2024-01-01 2024-12-31
2024Q1 2024-01-01 2024-03-31
March_2024 2024-03-01 2024-03-31
last_month 2025-06-01 2025-06-30
6months 2025-01-15 2025-01-15
END
  for when in gestern 2024-13 "2024 5" Q7-2024 Q3; do
    run ! bid-plan --shipped -e AAPL --since "$when" revenue
    run ! bid-plan --shipped -e AAPL --as-of "$when" revenue
  done
  equal "$(bid-plan --shipped -e AAPL -p 6months revenue | jq -c '.plan.windows')" '[{"from":"2025-01-15","by":"filing"}]'
}

@test "the latest filing as of a day is the one that was filed then" {
  local q
  of() { bid-plan --shipped -e AAPL "$1" | jq -r '.plan | "\(.asOf // "-") \(.windows | length) \(.windows[0].latest // false)"'; }
  equal "$(of "newest annual report as of March 2021")" "2021-03-31 1 true"
  equal "$(of "latest Apple 10-K as of 3/31/2021")" "2021-03-31 1 true"
  equal "$(of "most recent 10-Q as of January 2022")" "2022-01-31 1 true"
  equal "$(of "total debt as of March 31, 2021")" "- 1 false"
}

@test "a form or period that the options rule out is told" {
  said() { bid-plan --shipped -e AAPL "$@" | jq -r '.plan.remark // "-"'; }
  equal "$(said -p FY-2024 "net sales in fiscal 2023")" "the question names fiscal 2023, but only fiscal 2024 is searched"
  equal "$(said -p 2024 "net sales in 2023")" - # filed in 2024
  equal "$(said -p Q2-2024 "net sales in fiscal 2024")" -
  equal "$(said -p FY-2024 "net sales in the latest 10-K")" -
  equal "$(said -f 10-Q "what does the 10-K say about tariffs")" "the question names form 10-K, but only 10-Q is searched"
  equal "$(said -f 10-K "the annual report on the proxy fight")" -
  equal "$(said "the 10-Q for the fourth quarter of fiscal 2025")" "a fourth quarter has no 10-Q: its figures are in the 10-K"
}

@test "a period that can't be told is refused aloud, with its words" {
  local q
  for q in "Apple revenue two quarters ago" "Apple debt as of February 30, 2024" "Apple Q5 2024 revenue" "Apple's oldest 10-K"; do
    run --separate-stderr bid-plan "$q"
    [ "$status" -eq 64 ] || { echo "$q: $status $output"; false; }
    contains "$stderr" "the period of the question: "
    [ "$(jq '.plan.notUnderstood | length' <<<"$output")" -gt 0 ]
  done
}

@test "a time without a date, and a year far ahead, are not understood" {
  equal "$(bid-plan --shipped "Apple sales since the iPhone 16 launch" | jq -c '.plan | [.windows, .notUnderstood, .untimed]')" \
    '[[],["since the iPhone 16 launch"],"since the iPhone 16 launch"]'
  equal "$(bid-plan --shipped "Apple revenue in 2040" | jq -c '.plan | [.windows, .untimed]')" '[[],"2040"]'
  equal "$(bid-plan --shipped "Apple revenue since the start of 2021" | jq -c '.plan | [.windows, .untimed]')" '[[{"from":"2021-01-01"}],null]'
}

@test "a job's member that would be passed on unread is refused; a CIK may be a number" {
  run --separate-stderr bid-plan <<<'{"query":"revenue","company":"TSLA","periods":["FY-2024"]}'
  equal "$status" 1
  contains "$stderr" 'a job has no member "periods"; "period" is meant'
  run --separate-stderr bid-plan <<<'{"query":"revenue","limit":-1}'
  contains "$stderr" '"limit" is no whole number of at least 1'
  equal "$(bid-plan --shipped <<<'{"query":"revenue","company":320193}' | jq -r '.plan.companies[0].ticker')" AAPL
}

@test "an empty question is refused, unless options say what is wanted" {
  run --separate-stderr bid-plan "  "
  equal "$status" 64
  contains "$stderr" "no question: say what you want to know"
  equal "$(jq -r .error.category <<<"$output")" invalid-request
  run --separate-stderr bid-plan -e AAPL ""
  equal "$status" 0
}

@test "a unit of measure is no company" {
  equal "$(tickers "how many teslas in a gauss")" '[]'
}

@test "a company in a list of holdings is not another one that is asked about" {
  others() { bid-plan --shipped "$@" | jq -r '[.plan.others[]? | "\(.ticker) \(.asked // false)"] | join(",")'; }
  equal "$(others -e 1790837 -f 13F-HR "How many shares of Microsoft does it hold?")" "MSFT false"
  equal "$(others -e 1790837 -f 10-K "Microsoft revenue")" "MSFT true"
}

@test "a slip from another company's former name names nobody" {
  run --separate-stderr bid-plan --shipped -e "L'Oreal" revenue # Loral is Lockheed Martin's
  equal "$status" 64
  contains "$stderr" "no company is called 'L'Oreal'"
}

@test "a year that no report is of yet is not left out" {
  for question in "Apple revenue 2029" "2030 revenue of Apple"; do
    equal "$(plan '[.plan.windows, .plan.untimed]' "$question")" "[[],\"$(grep -o '20..' <<<"$question")\"]"
  done
  equal "$(plan '.plan.untimed' "Apple 2.9% notes 2031")" null
  equal "$(plan '.plan.windows' "Tesla's net income in the first quarter of 2030")" '[{"fiscalYear":2030,"fiscalPeriod":"Q1"}]'
}

@test "a mistyped ticker is refused with the tickers near it, the largest first" {
  run --separate-stderr bid-plan -e MSTF revenue
  equal "$status" 64
  contains "$stderr" "no company is called 'MSTF'"
  contains "$stderr" "nearly: MSFT (MICROSOFT CORP)"
  equal "$(jq -r '.plan.candidates[0].ticker' <<<"$output")" MSFT
}

@test "in doubt whether a company is meant it is asked back, with whom it may be" {
  run --separate-stderr bid-plan --shipped "match churn"
  equal "$status" 64
  contains "$stderr" "'match' may mean Match Group, Inc. (MTCH)"
  equal "$(jq -c '[.error.category, .plan.doubtful, .plan.companies, .plan.candidates[0].ticker]' <<<"$output")" \
    '["invalid-request","match",[],"MTCH"]'
  equal "$(tickers "shake shack near me open late")" '[]'
  equal "$(plan '[.plan.companies, .plan.notUnderstood]' "pool accounting for credit losses")" '[[],["pool"]]' # probably no company: said, not asked
  equal "$(tickers "weather in the amazon rainforest")" '[]'
  equal "$(tickers "Visa client incentives")" '["V"]'
}

@test "what companies do tells them from words, and those of one name apart" {
  equal "$(tickers "toro snow blowers and mowers")" '["TTC"]'
  equal "$(tickers "how long do crocs live in the wild")" '[]'
  equal "$(tickers "Crocs sandals and clogs, wholesale order book")" '["CROX"]'
  equal "$(tickers "Delta and United unit revenue")" '["DAL","UAL"]'
  equal "$(tickers "Is the loss ratio better at Kemper or at Hanover Insurance?")" '["KMPR","THG"]'
  equal "$(tickers "S&P 500 earnings growth")" '[]'
  equal "$(tickers "iPhone and Mac sales of Apple")" '["AAPL"]'
  equal "$(tickers "S&P vs Moody's ratings revenue")" '["SPGI","MCO"]'
  equal "$(tickers "upwork's smaller cousin Fiverr: take rate")" '["FVRR"]'
}

@test "a question about whoever stands in a relation to a company is about none of those named" {
  equal "$(tickers "conflict minerals filings of Apple and Ford in 2022")" '["AAPL","F"]'
  equal "$(plan '[.plan.companies, .plan.others[0].ticker, .plan.notUnderstood]' "Which suppliers depend on Walmart for a fifth of sales?")" \
    '[[],"WMT",["Which suppliers depend on Walmart"]]'
  equal "$(tickers "firms that count Amazon as a customer above 10%")" '[]'
  equal "$(tickers "Which suppliers does Walmart depend on?")" '["WMT"]'
  equal "$(tickers "Which banks lend to Walmart?")" '["WMT"]'
  equal "$(tickers "which small caps name Boeing as their largest customer")" '[]'
  equal "$(tickers "companies that get over 10% of sales from Walmart")" '[]'
  equal "$(tickers "what happens to landlords when a WeWork tenant goes bankrupt")" '[]'
  equal "$(tickers "Which customers of CDW are federal agencies?")" '["CDW"]' # whom CDW itself tells of
}

@test "a company whose part or place is named is not the subject" {
  equal "$(tickers "Reynolds Consumer: sales that depend on Walmart's traffic")" '["REYN"]'
  equal "$(tickers "krispy kreme doughnuts in McDonald's: how many doors")" '["DNUT"]'
  equal "$(tickers "Microsoft: cloud growth compared with Amazon's")" '["MSFT","AMZN"]'
}

@test "each name that was taken for ordinary words is said" {
  equal "$(plan '[.plan.companies, (.plan.notUnderstood | sort)]' "marathon talks about southern pricing")" '[[],["marathon","southern"]]'
  equal "$(tickers "3M Solventum spin off record date")" '["MMM","SOLV"]'
  equal "$(plan .plan.asks "TSLA rev Q2'25")" '"figure"'
}

@test "an 8-K with results is the item of results, unless it tells of something rarer; both forms 15" {
  equal "$(plan '[.plan.forms, .plan.items]' "Fannie Mae 8-K with results, October 2025")" '[["8-K"],["2.02"]]'
  equal "$(plan .plan.items "nvidia 8-k vote results annual meeting june 2022")" '["5.07"]'
  equal "$(plan .plan.forms "form 15 of carbo ceramics")" '["15-12G","15-12B","15-15D"]'
}

@test "a company whose name is no ordinary word is meant, where the question has words of reports" {
  equal "$(tickers "lennox refrigerant transition")" '["LII"]'
  equal "$(tickers "how dependent is ichor on its two biggest customers, in percent")" '["ICHR"]'
  equal "$(tickers "redfin revenue per real estate services transaction")" '["RDFN"]'
  run --separate-stderr bid-plan "roku remote not pairing"
  contains "$stderr" "'roku' may mean ROKU"
}

@test "a place is no company whose name begins with it, nor is a word of mixed case a ticker" {
  local question
  for question in "revenue in the United States" "What were net sales from Texas in 2024?" "New Jersey sales growth last year" \
    "Asia Pacific sales growth" "how many employees in El Salvador" "how did mRNA change this year" "IoT exposure" "OCI 2024"; do
    equal "$(tickers "$question")" '[]'
    run --separate-stderr bid-plan "$question"
    equal "$status $stderr" '0 '
  done
  equal "$(tickers "Texas Instruments revenue in the United States")" '["TXN"]'
  equal "$(tickers "Canada Goose sales in Canada")" '["GOOS"]'
}

@test "whom a question is about: a possessor, not a place" {
  local q want
  while IFS=$'\t' read -r q want; do
    equal "$q: $(bid-plan --shipped "$q" | jq -r '[.plan.companies[].ticker] | join(" ")')" "$q: $want"
  done <<'END'
Molson Coors brands in Kohl's, how many doors	TAP
Quest v Labcorp margins	DGX LH
McDonald's breakfast traffic	MCD
Ryanair orders in Boeing's backlog	BA
END
}

@test "a company that is taken back is not asked about" {
  equal "$(tickers "harley? no, I meant polaris: dealer inventory")" '["PII"]'
  equal "$(tickers "Dole? Chiquita? no - Fresh Del Monte pineapple volumes")" '["FDP"]'
  equal "$(tickers "Apple margins. Sorry, Dell margins")" '["DELL"]'
  equal "$(tickers "Apple margins, no debt")" '["AAPL"]'
  equal "$(tickers "Ollie's? no wait, Burlington Stores comp guidance")" '["BURL"]'
  equal "$(plan '[.plan.companies, .plan.others[0].ticker]' "who lends to American Airlines? No wait, explain revolvers in general")" '[[],"AAL"]'
  equal "$(tickers "what does ericsson say... no sorry, what does SBA Communications say about churn")" '["SBAC"]'
}

@test "names in a list decide together, and a field's name is none" {
  equal "$(tickers "distribution cover at Energy Transfer, Enterprise Products and MPLX")" '["ET","EPD","MPLX"]'
  equal "$(tickers "how does lyft reserve for insurance compared with what uber does")" '["LYFT","UBER"]'
  equal "$(tickers "knight swift + werner dedicated pricing")" '["KNX","WERN"]'
  equal "$(tickers "rio tinto against bhp iron ore cost per ton")" '["RIO","BHP"]'
  equal "$(tickers "Delta's claim against CrowdStrike")" '["DAL"]'
  equal "$(tickers "Retrieve: operating income by segment. Issuer: Parker Hannifin, FY2024")" '["PH"]'
  equal "$(tickers "Task: write a haiku about autumn. Output: plain text")" '[]'
  equal "$(tickers "load growth from data centres: AEP, Exelon")" '["AEP","EXC"]' # no slip of Centrus
  equal "$(tickers "printing supplies at HP")" '["HPQ"]'
}

@test "two companies side by side are both subjects; parties of a deal are not" {
  equal "$(tickers "enphase solaredge inventory")" '["ENPH","SEDG"]'
  equal "$(tickers "gap between gap inc and lululemon margins")" '["GAP","LULU"]'
  equal "$(tickers "WDAY SBC as % of revenue next to VEEV")" '["WDAY","VEEV"]'
  equal "$(tickers "juniper networks hpe merger consideration per share")" '["JNPR"]'
  equal "$(tickers "Spirit AeroSystems liquidity, Boeing advances")" '["SPR"]'
}

@test "tickers of two small letters count in a list" {
  equal "$(tickers "jpm vs gs vs ms investment banking fees")" '["JPM","GS","MS"]'
  equal "$(tickers "pg vs cl organic growth")" '["PG","CL"]'
  equal "$(tickers "response time in ms")" '[]'
  equal "$(tickers "rm -rf explained")" '[]'
}

@test "a company of the user's own list is known by the first word of its name, wherever it stands" {
  local q
  printf '9990001\tTWHL\tTidewrack Harbor Logistics, Inc.\n' >own.tsv
  for q in "Tidewrack revenue by segment in 2025" "tidewrack revenue by segment in 2025" "Tidewrack's revenue by segment" \
    "Who is the biggest customer of Tidewrack?"; do
    equal "$q $(plan '.plan.companies[0].cik' --companies own.tsv "$q")" "$q \"0009990001\""
  done
}

@test "a ticker of the user's own list is theirs, though another company is called so" {
  printf '9990001\tC3\tCrescent Cove Chemicals Inc.\n' >own.tsv
  equal "$(plan '.plan.companies[0].cik' --companies own.tsv "C3 revenue in 2025")" '"0009990001"'
  equal "$(plan '.plan.companies[0].cik' --companies own.tsv -e C3 revenue)" '"0009990001"'
  equal "$(plan '.plan.companies[0].ticker' --companies own.tsv "C3.ai revenue in 2025")" '"AI"'
}

@test "a name with a class of shares, and one that says too much" {
  equal "$(tickers -e "Alphabet class A" sales)" '["GOOGL"]'
  equal "$(tickers -e "Berkshire Hathaway Class B" sales)" '["BRK-B"]'
  run --separate-stderr bid-plan -e "papa johns anchovies" sales
  equal "$status" 64
  contains "$stderr" "nearly: PZZA (PAPA JOHNS INTERNATIONAL INC)"
}

@test "the sets of questions: every line is answered, and few are wrong" {
  run --separate-stderr "$ROOT/test/quality/resolve" --half dev --bin "$BID_BIN"
  equal "$status" 0
  contains "${lines[0]}" "names"
  while read -r _ _ n _ right _ _ _ wrong _; do
    [ "$((right * 100))" -ge "$((n * 95))" ]
    [ "$((wrong * 100))" -le "$n" ]
  done <<<"${output//( /(}"
}

@test "a table that was cut off is an error that names it" {
  cp -r "$ROOT/data" data
  head -c 1000 "$ROOT/data/companies.tsv" >data/companies.tsv
  BID_DATA=$PWD/data run --separate-stderr bid-plan "Apple revenue 2024"
  [ "$status" -ne 0 ]
  contains "$stderr" "data/companies.tsv: cut off"
}

@test "a job's company and form are read under the names that bid-search has for them" {
  equal "$(bid-plan --shipped <<<'{"query":"revenue 2024 compared with Tesla","company":"AAPL","form":"10-Q"}' | jq -c '.plan | [[.companies[].ticker], .forms]')" '[["AAPL","TSLA"],["10-Q"]]'
}

@test "a period of which a part is no period is refused, whatever year stands in it" {
  local p
  run --separate-stderr bid-plan "AAPL Q13 2024 revenue"
  equal "$status" 64
  contains "$stderr" "a year has four quarters"
  for p in "Q7 2025" "banana" "2025 13th month"; do
    run --separate-stderr bid-plan -e AAPL -p "$p" revenue
    [ "$status" -eq 64 ] || { echo "$p: $status $output"; false; }
    contains "$output" "period: '$p' is none of"
  done
  for p in "Q2 2025" "second quarter of 2025" "fiscal 2024" "2019-2021"; do
    run --separate-stderr bid-plan -e AAPL -p "$p" revenue
    [ "$status" -eq 0 ] || { echo "$p: $status $output"; false; }
  done
}

@test "the tables of what names and words mean are in the order that they are searched by" {
  local table
  for table in senses trades; do
    run sh -c 'grep -v "^#" "$1" | LC_ALL=C sort -c -u -t "$(printf "\t")" -k1,1' sh "$TOP/data/$table.tsv"
    [ "$status" -eq 0 ]
  done
}

@test "who leads a company is asked about in its filings: pay and shares, not what he says" {
  equal "$(tickers "Tim Cook's pay package")" '["AAPL"]'
  equal "$(tickers "how much stock did jensen huang sell")" '["NVDA"]'
  equal "$(tickers "how old is Warren Buffett")" '[]'
  run --separate-stderr bid-plan --shipped -e "Tim Cook" revenue # is no company
  equal "$status" 64
  equal "$(tickers "jamie dimon on private credit")" '[]'
  equal "$(tickers "pay of Elon Musk's board members at Oracle")" '["ORCL"]'
}

@test "words beside a name tell whether the company is meant" {
  run sh -c 'printf "%s\n" "gap denim inventory" "gap insurance claims" "lucid gravity production" "lucid dreams" |
    jq -Rc "{query: .}" | bid-plan --shipped | jq -r ".plan.companies[0].ticker"'
  [ "$output" = "GAP
null
LCID
null" ]
}

@test "a long word with a stock exchange's suffix is no ticker, and unknown" {
  run --separate-stderr bid-plan -e "Averylongsymbolindeed.TO" revenue
  equal "$status" 64
  contains "$stderr" "Averylongsymbolindeed.TO"
}

@test "the form in which a subject is disclosed, where it is no report and none is named" {
  run sh -c 'printf "%s\n" "What is Tim Cook\047s salary?" "Who sits on the board of Adobe?" "Did Tesla\047s CFO sell any stock?" \
    "Adobe: auditors\047 fees" "votes per share of each class of Alphabet\047s stock" "stock-based compensation of Adobe" \
    "Who sits on the board of Adobe, by the 10-K?" |
    jq -Rc "{query: .}" | bid-plan --shipped | jq -r ".plan.disclosedIn"'
  [ "$output" = "DEF 14A
DEF 14A
4
DEF 14A
null
null
null" ]
}

@test "an exchange before a ticker: the ticker's company alone" {
  local question ticker
  while IFS='|' read -r question ticker; do
    equal "$question $(tickers "$question")" "$question $ticker"
  done <<'QUESTIONS'
NASDAQ: AAPL revenue|["AAPL"]
NYSE:KMI|["KMI"]
AMEX: IMO|["IMO"]
NYSE American: IMO dividends|["IMO"]
Apple (NASDAQ: AAPL)|["AAPL"]
revenue of NYSE KMI|["KMI"]
compare NASDAQ: AAPL and NYSE: IBM revenue|["AAPL","IBM"]
NYSE: BRK.B book value|["BRK-B"]
NASDAQ: ZZZQ revenue|[]
Nasdaq revenue 2024|["NDAQ"]
QUESTIONS
}

@test "a company's own ticker, not the base of another one's share class" {
  equal "$(tickers --shipped "EP revenue")" '["EP"]'
  equal "$(tickers --shipped -e EP revenue)" '["EP"]'
}

@test "the shipped list is of this year, and knows names of older lists" {
  equal "$(tickers --shipped "CRWV debt" | paste -sd' ')" '["CRWV"]'
  equal "$(tickers --shipped -e MicroStrategy debt)" '["MSTR"]'
  equal "$(tickers --shipped -e "Pure Storage" debt)" '["P"]'
  equal "$(tickers --shipped -e Hess debt)" '["HES"]'
}

@test "a single capital that begins a line of search words is the ticker" {
  local question ticker
  while IFS='|' read -r question ticker; do
    equal "$question $(tickers --shipped "$question")" "$question $ticker"
  done <<'QUESTIONS'
C net income 2023|["C"]
T revenue 2023|["T"]
V risk factors|["V"]
A share count 2023|[]
E series bonds 2024|[]
3M SOFR rate|[]
3M revenue 2024|["MMM"]
QUESTIONS
}

@test "a company that another one took over: refused before, said after" {
  run --separate-stderr bid-plan --shipped "SolarCity's revenue in 2015"
  equal "$status $(jq -c '[.plan.companies, .error.category]' <<<"$output")" '64 [[],"invalid-request"]'
  contains "$stderr" "'SolarCity' is part of Tesla, Inc. only since 2016-11-21"
  run --separate-stderr bid-plan --shipped "Mellanox's revenue in 2018"
  equal "$status" 64
  contains "$stderr" "'Mellanox' is part of NVIDIA CORP only since 2020-04-27"
  equal "$(plan '[.plan.companies[0].ticker, .plan.companies[0].partSince, .plan.remark]' --shipped "Mellanox revenue 2024")" \
    '["NVDA","2020-04-27","'"'Mellanox' is part of NVIDIA CORP since 2020-04-27"'"]'
  equal "$(plan '.plan.remark' --shipped "Facebook's revenue in 2015")" null
  run bid-plan --shipped "LinkedIn revenue 2014"
  equal "$status" 64
  bid-plan --shipped "LinkedIn revenue 2024" | python3 "$ROOT/test/tools/schema.py" "$ROOT/data/schema/plan.json"
}

@test "a name behind an exchange that nobody has is not understood; an empty one is refused" {
  equal "$(plan '.plan.notUnderstood' "NASDAQ: ZZZQ revenue")" '["ZZZQ"]'
  run --separate-stderr bid-plan -e "" "risk factors"
  equal "$status" 64
  contains "$stderr" "the company is empty: give a ticker, a CIK or a name"
}

@test "a ticker on no list is looked up in the SEC's own, once a day; offline the refusal says of which day the list is" {
  mkdir -p root/www.sec.gov/files
  printf '%s' '{"0":{"cik_str":320193,"ticker":"AAPL","title":"Apple Inc."},"1":{"cik_str":77,"ticker":"QXQZ","title":"Newco Robots Inc."}}' \
    >root/www.sec.gov/files/company_tickers.json
  export BID_NOW=2026-11-20T00:00:00Z BID_USER_AGENT="Test test@example.org"
  upstream_start --root root
  equal "$(tickers -e QXQZ sales)" '["QXQZ"]'
  equal "$(tickers "What does QXQZ say about tariffs?")" '["QXQZ"]'
  equal "$(tickers --shipped -e QXQZ sales)" '[]'
  run bid-plan -e ZZZZQ sales
  equal "$status" 64
  run bid-plan "What does ZZZZQ say about tariffs?"
  equal "$(upstream_log .path | grep -c company_tickers)" 1
  equal "$(upstream_log .path | grep -cv company_tickers)" 0
  upstream_stop
  export BID_CONNECT_TO=127.0.0.1:1 BID_CACHE=$PWD/other
  run --separate-stderr bid-plan -e QXQZ sales
  equal "$status" 64
  contains "$stderr" "no company is called 'QXQZ' on the SEC's list of 2026-06-01"
}

@test "a release told on a day is one filing; what is amended by an 8-K is no amended form; an ARS is a form beside a company; whose a form is" {
  equal "$(BID_NOW=2026-03-10 plan '.plan.windows' "Apple Q4 2024 results 8-K, late October")" \
    '[{"fiscalPeriod":"Q4","from":"2024-10-20","until":"2024-10-31","by":"filing"}]'
  equal "$(BID_NOW=2026-03-10 plan '.plan.windows' "Ford Q4 2024 results 8-K, early February")" \
    '[{"fiscalPeriod":"Q4","from":"2025-02-01","until":"2025-02-10","by":"filing"}]'
  equal "$(plan '.plan.windows' "Ford Q4 and full year 2024 results 8-K")" '[{"fiscalYear":2024,"fiscalPeriod":"Q4"}]'
  equal "$(plan '.plan.windows' "Ford year-end 2024 results 8-K")" '[{"fiscalYear":2024,"fiscalPeriod":"FY"}]'
  equal "$(plan '.plan | [.forms, .items, .amendments]' "Ford charter amendment 8-K of May 2023")" '[["8-K"],["5.03"],false]'
  equal "$(plan '.plan | [.forms, .amendments]' "Ford amendment to the 8-K of May 2023")" '[["8-K/A"],true]'
  equal "$(plan '.plan | [.forms, .items]' "Ford annual meeting voting results 2023")" '[["8-K"],["5.07"]]'
  equal "$(plan '.plan | [.forms, .windows]' "Ford ARS for fiscal 2023")" '[["ARS"],[{"fiscalYear":2023,"fiscalPeriod":"FY"}]]'
  equal "$(plan '.plan.forms | index("ARS")' "ARS 2023 revenue")" null
  equal "$(plan '[.plan.companies[].ticker]' "latest 10-Q from marvell")" '["MRVL"]'
}

@test "a name of two words in a question may have one typing error" {
  local question ticker
  while IFS='|' read -r question ticker; do equal "$question $(tickers --shipped "$question")" "$question $ticker"; done <<'ROWS'
marvel technology data center revenue|["MRVL"]
Genral Motors revenue in 2022|["GM"]
home deppot inventory|["HD"]
Bank of Amerca deposits|["BAC"]
the best buys of 2024|[]
ROWS
}

@test "what a search would look for: the words that no company, form, period or instruction takes; what tells an 8-K's item is among them" {
  local question terms
  while IFS='|' read -r question terms; do
    equal "$question $(plan '.plan.terms // []' --shipped "$question")" "$question $terms"
  done <<'ROWS'
the 8-K where Boeing named its new CEO|["named","new CEO"]
SolarCity merger vote 8-K|["SolarCity merger vote"]
Apple's dependence on TSMC in its 10-K|["dependence","TSMC"]
Please summarize Nvidia's main supply chain risks, fiscal 2024|["main supply chain risks"]
R&D spending at Pfizer in Q2 2023|["R&D spending"]
list the 8-Ks of Apple in 2024|[]
&&& Apple & 8-K|[]
earnings 8-K of Apple, Q2 2020|["earnings"]
ROWS
  equal "$(plan '.plan | [.forms[0], .disclosedIn]' --shipped "Apple Q2 2024 results")" '["10-Q","8-K"]' # the release tells them, too
  equal "$(plan '.plan.disclosedIn' --shipped "Apple Q2 2024 revenue")" null
  contains "$(bid-plan --shipped --explain "the 8-K where Boeing named its new CEO")" 'terms        named, new CEO'
}

@test "letters on both sides of & or / are a word for a figure, which tells a company in small letters" {
  local text
  for text in "apple R&D" "apple P/E" "what's apple's p/b?" "apple EV/EBITDA"; do equal "$(tickers "$text")" '["AAPL"]'; done
  equal "$(tickers "AT&T P/E")" '["T"]'
  equal "$(tickers "apple B&B")" '[]'
}

@test "a company whose name filings never print in small letters, as a word, is one in small letters" {
  equal "$(tickers "ford buybacks")" '["F"]'
  equal "$(tickers "adobe auditor")" '["ADBE"]'
  equal "$(tickers "sam altman net worth")" '[]'
}

@test "who runs, owns, audits or founded a company, and what it is like, is asked of a company in small letters" {
  local text
  for text in "starbucks founder" "uber history" "what is pfizer's mission" "boeing fitch rating" "google related party deals" "where is walmart headquartered"; do
    [[ $(tickers "$text") == '["'*'"]' ]] || { echo "$text: $(tickers "$text")"; false; }
  done
}
