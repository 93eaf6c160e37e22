#!/usr/bin/env bats
# bid-fetch: FINRA BrokerCheck, IAPD, FRED, mock.

load helper
load recorded

# BrokerCheck -------------------------------------------------------------------------------------------------------

@test "finra-brokercheck: a search, its terms on stderr" {
  need_shared
  fetch finra-brokercheck --query 'Wells Fargo Clearing' -n 5
  equal "$status" 0
  equal "$(got '[.total, .hits[0].crd, .hits[0].address.city]')" '[1,"19616","ST. LOUIS"]'
  contains "$stderr" 'brokercheck.finra.org/terms'
}

@test "finra-brokercheck: firms of a state, page by page" {
  need_shared
  fetch finra-brokercheck -P state=NY
  equal "$(got '[.total, .shown]')" '[1465,12]'
  fetch finra-brokercheck -P state=ny -P start=1464
  equal "$(got '[.hits[].crd]')" '["7691"]'
}

@test "finra-brokercheck: a firm's details, JSON inside JSON decoded, in parts" {
  need_shared
  fetch finra-brokercheck -e 19616
  equal "$(got '[.basicInformation.firmId, .basicInformation.bdSECNumber]')" '[19616,"37180"]'
  fetch finra-brokercheck -e 19616 -P section=directOwners
  equal "$(got keys)" '["directOwners"]'
  fetch finra-brokercheck -e 19616 -P section=colour
  failed invalid-request 64 'there are: '
}

@test "finra-brokercheck: a person" {
  fetch finra-brokercheck -P type=individual --query featherstone-test
  equal "$(got '.hits[0] | [.crd, .disclosures, .employments[0].firm]')" '["9900001","Y","9900100"]'
  fetch finra-brokercheck -P type=individual -e 9900001 -P section=disclosures
  equal "$(got '.disclosures[0].disclosureDetail["Damage Amount Requested"]')" '"$5,000.00"'
}

@test "finra-brokercheck: nobody, too deep, a wrong path, refused" {
  fetch finra-brokercheck --query nobody
  failed no-content 1 'no firm called nobody'
  fetch finra-brokercheck -e 9999999
  failed no-content 1 'no firm with CRD 9999999'
  fetch finra-brokercheck -P state=CA -P start=9000
  failed invalid-request 64 'xceeded limit'
  fetch finra-brokercheck -e 1111111
  failed unavailable 69 'Missing Authentication Token'
  upstream_fault 'api.brokercheck.finra.org/*=403'
  fetch finra-brokercheck --query anybody
  failed rate-limited 75 '403'
  fetch finra-brokercheck
  failed invalid-request 64 '--query WORDS'
}

# IAPD --------------------------------------------------------------------------------------------------------------

@test "iapd: a search leaves out brokers that are no advisers" {
  need_shared
  fetch iapd --query citadel
  equal "$(got '[.total, .advisers, .hits[0].crd]')" '[24,10,"148826"]'
  [ "$(printf '%s' "$output" | wc -c)" -lt 32768 ]
}

@test "iapd: a person sees the names; of a company's filings the accession numbers, whole" {
  need_shared
  COLUMNS=110 run --separate-stderr bid-fetch -q --human iapd --query citadel
  contains "$output" "CITADEL ADVISORS LLC"
  COLUMNS=110 run --separate-stderr bid-fetch -q --human sec-filings -e AAPL -n 3
  contains "$output" "0000320193-26-000006"
}

@test "iapd: a firm, in parts; persons of a firm" {
  need_shared
  fetch iapd -e 148826
  equal "$(got .basicInformation.firmName)" '"CITADEL ADVISORS LLC"'
  fetch iapd -e 148826 -P section=brochures
  equal "$(got '.brochures.brochuredetails[0].brochureVersionID')" 1038247
  fetch iapd -P type=individual -P firm=9900200
  equal "$(got '[.hits[].crd]')" '["9900002"]'
  fetch iapd -P type=individual -e 9900002
  equal "$(got .currentIAEmployments[0].branchOfficeLocations[0].city)" '"PORTLAND"'
}

@test "iapd: an object where text is usual, the older shape of brochures" {
  fetch iapd -e 9900202
  equal "$(got .basicInformation.firmName)" '"SAMPLE OLD SHAPE ADVISERS"'
  fetch iapd -e 9900202 -P document=brochure
  failed no-content 1 404
  contains "$(upstream_log .query)" BRCHR_VRSN_ID=770001
  contains "$(upstream_log 'select(.host == "files.adviserinfo.sec.gov").agent')" 'Mozilla/5.0 (compatible; '
}

@test "iapd: the feeds are listed" {
  fetch iapd -P feed=list
  equal "$(got '[.feeds[].name | startswith("IA_")] | all')" true
}

@test "iapd: nobody, brokers only, a soft error, nothing asked" {
  fetch iapd --query nobody
  failed no-content 1 'no adviser'
  fetch iapd --query brokersonly
  failed no-content 1 'brokers only'
  fetch iapd -e 9900201
  failed unavailable 69 'Something went wrong'
  fetch iapd
  failed invalid-request 64 '--query WORDS'
}

# FRED --------------------------------------------------------------------------------------------------------------

@test "fred: what a series is, its observations as sent" {
  need_shared
  fetch fred -e SOFR75
  equal "$(got '[.id, .units, .observation_end]')" '["SOFR75","Percent","2024-06-25"]'
  fetch fred -e GDP --since 2000-01-01
  equal "$(got '[.count, (.observations | length)]')" '[104,104]'
  fetch fred -e DGS10 -n 60
  equal "$(meta '[.rows, .total]')" '[60,16853]'
}

@test "fred: a window of days, values as text, missing ones as dots" {
  fetch fred -e DGS10 -p 2024-02
  equal "$(got '[.observations[] | [.date, .value]]')" \
    '[["2024-02-27","4.3100000000"],["2024-02-28","."],["2024-02-29","4.25"]]'
  fetch fred -e GDP -p 1900
  failed no-content 1 'no observation of GDP'
}

@test "fred: observations are labelled with what the series is; -P series= means all of them" {
  need_shared
  fetch fred -e GDP --since 2000-01-01
  equal "$(meta '[.title, .units]')" '["Gross Domestic Product","Billions of Dollars"]'
  fetch fred -P series=GDP -p 1900
  failed no-content 1 'no observation of GDP'
}

@test "fred: search, the series and a table of a release" {
  need_shared
  fetch fred --query 'leading index' -P tag_names=gdp -P exclude_tag_names=oecd -P order_by=observation_end
  equal "$(got '[.total, .series[0].id]')" '[16,"BBKMCLA"]'
  fetch fred -P release_id=483
  equal "$(got .total)" 4
  fetch fred -P release_id=483 -P element_id=1217633 -P observation_date=2024-07-14
  equal "$(got '.elements["1217635"].observation_value')" '"5.33808"'
  fetch fred --query qqqq
  failed no-content 1 'no series for qqqq'
}

@test "fred: each of its refusals" {
  fetch fred -e NOSUCH
  failed invalid-request 64 'no series NOSUCH'
  fetch fred -e OLDONE -P realtime_start=1990-01-01
  failed no-content 1 'at that real-time date'
  fetch fred -e GDP -P output_type=2
  failed invalid-request 64 'Split the real-time period'
  fetch fred -e LOCKED
  failed unavailable 69 locked
  fetch fred -e GONE
  failed no-content 1 'Not Found'
  fetch fred -e GDP -p Q1-2024
  failed invalid-request 64 'FRED wants days'
}

@test "fred: one spurious 400 about the key is asked again, two are a bad key" {
  local bad="$BATS_TEST_TMPDIR/bad.json"
  printf '{"error_code":400,"error_message":"Bad Request.  The value for variable api_key is not registered.  Read https:\\/\\/fred.stlouisfed.org\\/docs\\/api\\/api_key.html for more information."}' >"$bad"
  upstream_fault "api.stlouisfed.org/*=file:$bad:400@1"
  fetch fred -e GDP
  equal "$status" 0
  equal "$(upstream_log .status | paste -sd' ')" '400 200'
  export BID_CACHE=$BATS_TEST_TMPDIR/other
  : >"$UPSTREAM_LOG"
  upstream_fault "api.stlouisfed.org/*=file:$bad:400"
  fetch fred -e GDP
  failed auth-failed 77 'not registered'
  equal "$(upstream_log .status | paste -sd' ')" '400 400'
}

@test "fred: a bare 404 names the address, without the key" {
  upstream_fault 'api.stlouisfed.org/*=404'
  fetch fred -e NOSUCH
  failed no-content 1 'there is nothing at https://api.stlouisfed.org/fred/series?series_id=NOSUCH&file_type=json (status 404)'
  [[ $stderr != *api_key* ]]
}

@test "fred: too fast is rate-limited, a broken server unavailable" {
  upstream_fault 'api.stlouisfed.org/*=429:600'
  fetch fred -e GDP
  failed rate-limited 75 ''
  [ "$(jq .error.retryAfter <<<"$output")" -gt 500 ]
  export BID_STATE=$BATS_TEST_TMPDIR/other
  upstream_fault 'api.stlouisfed.org/*=reset'
  fetch --quiet fred -e GDP
  equal "$(jq -r .error.category <<<"$output")" unavailable
}

@test "fred: the key is sent and shown nowhere; without one the source says so" {
  fetch fred -e GDP
  equal "$(upstream_log .query | grep -c "api_key=$FRED_API_KEY")" 1
  run ! grep -r "$FRED_API_KEY" "$BID_CACHE" "$BID_STATE"
  fetch fred -e GDP
  run ! grep -q "$FRED_API_KEY" <<<"$output$stderr"
  unset FRED_API_KEY
  fetch fred -e GDP
  failed auth-failed 77 FRED_API_KEY
}

# mock --------------------------------------------------------------------------------------------------------------

@test "mock: the same answer for the same question" {
  fetch mock -e ACME -n 2
  equal "$status" 0
  local first
  first=$(jq -c 'del(.capturedAt)' <<<"$output")
  fetch mock -e ACME -n 2
  equal "$(jq -c 'del(.capturedAt)' <<<"$output")" "$first"
  equal "${#lines[@]}" 2
}

@test "mock: any category on request" {
  local category code
  while read -r category code; do
    fetch mock -P error="$category"
    failed "$category" "$code" 'as asked for'
  done <<'END'
unavailable 69
no-content 1
auth-failed 77
rate-limited 75
invalid-request 64
internal 70
END
  fetch mock -P error=rate-limited -P retryAfter=30 -P after=2
  equal "$(jq -r '.error.retryAfter // .metadata.number' <<<"$output" | paste -sd' ')" '1 2 30'
  fetch mock -P error=colour
  failed invalid-request 64 'unavailable'
}

@test "mock: text and HTML" {
  fetch mock -P as=text -P size=100
  equal "$(jq -j .rawContent <<<"$output" | wc -c)" 100
  fetch mock -P as=html
  equal "$(jq -r .contentType <<<"$output")" text/html
}

@test "irs-bmf: a state by its own name, and the nation out of its four regions" {
  local n
  mkdir -p root/www.irs.gov/pub/irs-soi
  for n in 1 2 3 4; do cp "$ROOT/test/data/upstream/www.irs.gov/pub/irs-soi/eo_wy.csv" root/www.irs.gov/pub/irs-soi/eo$n.csv; done
  upstream_stop
  upstream_start --root "$PWD/root"
  run --separate-stderr bid-fetch irs-bmf -P state=wy
  local one
  one=$(jq -c '.rawContent | fromjson | [.organizations, .subsections["03"]]' <<<"$output")
  run --separate-stderr bid-fetch irs-bmf -P region=all
  equal "$status" 0
  equal "$(jq -c '.rawContent | fromjson | [.organizations / 4, .subsections["03"] / 4]' <<<"$output")" "$one"
  run --separate-stderr bid-fetch irs-bmf -P region=all --query quoted
  equal "$(jq -r .rawContent <<<"$output" | grep -o 'CHOIR INC' | wc -l)" 4
  run --separate-stderr bid-fetch irs-bmf -P region=mars
  contains "$stderr" "no such region: mars; states by two letters, regions eo1 to eo4, or all"
}

@test "of a job for several sources each takes what it can use and says what it ignored; what none takes is an error" {
  need_shared
  export FRED_API_KEY=abcdefghijklmnopqrstuvwxyz012345
  run --separate-stderr bid-fetch <<<'{"sources":["fred","sec-filings"],"entity":{"id":"AAPL"},"filingTypes":["10-K"],"period":"FY-2024","series":"DGS10","limit":60}'
  equal "$status" 0
  equal "$(jq -c '[.source, .period, .ignored]' <<<"$output" | paste -sd' ')" '["fred","FY-2024",["filingTypes","period"]] ["sec-filings","FY-2024",["series"]]'
  contains "$stderr" "bid-fetch: fred: ignored: filingTypes,period"
  run --separate-stderr bid-fetch irs-bmf,sec-filings -e AAPL -f 10-K -P state=RI
  equal "$(jq -r '.source // .error.source' <<<"$output" | sort -u | paste -sd' ')" "irs-bmf sec-filings"
  [[ $output != *"takes no parameter"* ]]
  run --separate-stderr bid-fetch irs-bmf,sec-filings -e AAPL -f 10-K -P state=RI -P stat=RI
  equal "$(jq -r '.error.message' <<<"$output" | grep -c "takes no parameter")" 2
  # By itself a source refuses what it can't use.
  run --separate-stderr bid-fetch fred -e GDP -p FY-2024
  equal "$status" 64
  contains "$stderr" "FRED wants days"
}
