#!/usr/bin/env bats
# bid-fetch sec-holders: who holds a security.  The 13F table is a recorded one; the answer of the full-text search is made
# in the shape of the recorded search, since none of 13F forms is recorded.

load helper

test_setup() {
  export BID_NOW=2023-04-20T00:00:00Z
  mkdir -p up
}

# hits CUSIP-OR-NAME FROM TO HIT...: what the search says; a hit is ACCESSION:FILE CIK MANAGER FORM.
hits() {
  local q
  q="q=%22$(jq -rn --arg q "$1" '$q | @uri')%22&forms=13F-HR&dateRange=custom&startdt=$2&enddt=$3&from=0"
  shift 3
  mkdir -p up/efts.sec.gov/LATEST
  printf '%s\n' "$@" | jq -R 'split("|") | {_id: .[0], _score: 1, _source: {ciks: [.[1]], display_names: ["\(.[2])  (CIK \(.[1]))"], form: "13F-HR",
      file_date: "2023-03-23", period_ending: "2021-12-31", file_type: "INFORMATION TABLE"}}' |
    jq -s '{hits: {total: {value: length, relation: "eq"}, hits: .}}' \
    >"up/efts.sec.gov/LATEST/search-index__q__$(jq -rn --arg q "$q" '$q | @uri')"
}
metlife='0001140361-23-013281:informationtable.xml|0001099219|METLIFE INC'
fetch() { run --separate-stderr bid-fetch sec-holders "$@"; }
got() { jq -c ".rawContent | fromjson | $1" <<<"${lines[0]}"; }

@test "by CUSIP: the manager, the rows of that security alone, amounts as sent, thousands told" {
  need_shared
  hits 464286640 2022-12-06 2023-04-20 "$metlife"
  upstream_start --root "$PWD/up"
  fetch -P cusip=464286640
  equal "$status/$stderr" 0/
  equal "$(got '[.documentsFound, .tablesRead, .withoutSuchRow, (.holders | length)]')" '[1,1,0,1]'
  equal "$(got '.holders[0] | [.manager, .cik, .filingDate, .reportDate]')" '["METLIFE INC","0001099219","2023-03-23","2021-12-31"]'
  equal "$(got '.holders[0].rows')" '[{"nameOfIssuer":"ISHARES MSCI CHILE ETF","titleOfClass":"COM","cusip":"464286640","value":"2049983","valueUnit":"USD","amount":"98000","amountType":"SH","discretion":"DFND","votingSole":"0","votingShared":"98000","votingNone":"0"}]'
  equal "$(jq -c '.metadata | [.kind, .cusip, .holders]' <<<"${lines[0]}")" '["holders","464286640",1]'
}

@test "by name: points and case don't count, another issuer's row does not, and a table that is gone is told" {
  need_shared
  hits 'ISHARES MSCI JAPAN ETF' 2023-03-01 2023-04-20 "$metlife" '0001140361-23-999999:infotable.xml|0001099219|METLIFE INC'
  hits 'ISHARES MSCI' 2023-03-01 2023-04-20 "$metlife"
  upstream_start --root "$PWD/up"
  fetch -P issuer='iShares MSCI Japan, ETF.' --since 2023-03-01
  equal "$status" 1
  equal "$(got '.holders[0].rows[].nameOfIssuer')" '"ISHARES MSCI JAPAN ETF"'
  contains "$stderr" "1 13F tables could not be read: https://www.sec.gov/Archives/edgar/data/1099219/000114036123999999/infotable.xml"
  fetch -P issuer='iShares MSCI' --since 2023-03-01
  equal "$status" 1
  contains "$stderr" "none of the 1 13F tables that were read has a row of ISHARES MSCI; -P cusip=... is surer than a name"
}

@test "wrong calls are told before anything is asked" {
  local call
  while IFS='|' read -r call message; do
    # shellcheck disable=SC2086 # words of a call
    fetch $call
    equal "$status" 64
    contains "$stderr" "$message"
  done <<'CALLS'
-P cusip=12345|a CUSIP has nine letters and digits: 12345
-P issuer=APPLE -P from=7|from is a multiple of 100, 9900 at most: 7
-P issuer=APPLE -p FY-2024|is none of
-e 0000320193|13F tables name the issuer: give its ticker or name instead of a CIK
-n 5|sec-holders needs entity (-e) or aliases (-a) or cusip (-P cusip=...) or issuer (-P issuer=...)
CALLS
}
