#!/usr/bin/env bats
# bid-ingest: companies, reports, bulk files, jobs; what is there already costs nothing.

load helper

setup_file() { if [ -n "$BID_SHARED" ]; then upstream_start; fi; }
teardown_file() { upstream_stop; }
test_setup() {
  export BID_NOW=2026-03-05T00:00:00Z
  upstream_again
}

ingest() { run --separate-stderr bid-ingest "$@"; }
got() { printf '%s\n' "$output" | jq -s "$1"; }

@test "a company's filings are read once" {
  need_shared
  ingest -e AAPL -f 10-K -n 2
  equal "$status" 0
  equal "$(got 'map(.collection) | unique | join(",")')" '"finance_edgar_AAPL_10-K"'
  [ "$(got 'map(.added) | add')" -gt 300 ]
  local bodies
  bodies=$(upstream_log 'select(.status == 200) | .path' | wc -l)
  ingest -e AAPL -f 10-K -n 2
  equal "$status" 0
  equal "$output" ""
  equal "$(upstream_log 'select(.status == 200) | .path' | wc -l)" "$bodies"
}

@test "several companies: the filings of each, as many as -n says" {
  need_shared
  ingest -e AAPL -e 9990001 -f 10-K -n 1
  equal "$status" 0
  equal "$(got 'map(.collection) | sort | join(" ")')" '"finance_edgar_AAPL_10-K finance_edgar_TWHL_10-K"'
  ingest --reports "$ROOT/data/sample" -e AAPL -e TSLA
  equal "$status" 64
  contains "$stderr" '--reports: the documents are of one company, but -e is given more than once'
}

@test "a certain year's report" {
  need_shared
  ingest -e AAPL -f 10-K -p FY-2024
  equal "$status" 0
  equal "$(got 'map(.sourceUrl | sub(".*/"; "")) | join(" ")')" '"aapl-20240928.htm"'
}

@test "failures are listed, don't stop the rest, and can be fed back in" {
  need_shared
  ingest --failed failed.ndjson -e AAPL -f 10-Q -n 3
  equal "$status" 1
  [ "$(got 'map(select(.added)) | length')" -ge 1 ]
  [ "$(wc -l <failed.ndjson)" -ge 1 ]
  equal "$(jq -r .error.category failed.ndjson | sort -u)" no-content
  local address
  address=$(jq -r .error.sourceUrl failed.ndjson | head -1)
  # What was missing is there now.
  mkdir -p "root/$(dirname "${address#https://}")"
  printf '<html><body><p>Quarterly text that is short but there.</p></body></html>' >"root/${address#https://}"
  upstream_stop
  upstream_start --root "$PWD/root"
  run --separate-stderr bash -c "head -1 failed.ndjson | bid-ingest"
  equal "$(printf '%s\n' "$output" | jq -r '.sourceUrl')" "$address"
  # What its listing told came along: it lies beside the others, with their context.
  equal "$(printf '%s\n' "$output" | jq -r '.collection')" finance_edgar_AAPL_10-Q
  contains "$(bid-store dump | jq -r 'select(.text | test("short but there")).context')" "Apple Inc. (AAPL) · 10-Q · "
}

@test "a report that failed is read again out of the file of failures, which keeps what fails again" {
  mkdir reports
  printf 'PK\003\004damaged' >reports/a.docx
  printf 'The piers of Vigo were mended in May.' >reports/b.txt
  chmod 000 reports/b.txt
  printf '%%PDF-1.4 damaged' >reports/c.pdf
  [ "$(id -u)" -eq 0 ] && rm reports/b.txt && ln -s nowhere reports/b.txt
  ingest --reports reports -e TWHL --failed failed.ndjson
  equal "$status" 1
  equal "$(wc -l <failed.ndjson)" 3
  rm -f reports/b.txt
  printf 'The piers of Vigo were mended in May.' >reports/b.txt
  run --separate-stderr bash -c "bid-ingest --failed failed.ndjson <failed.ndjson"
  equal "$status" 1
  equal "$(got 'map(select(.added) | .collection) | join(" ")')" '"finance_reports_TWHL_text"'
  equal "$(jq -r .error.sourceUrl failed.ndjson | sed 's|.*/||' | sort | tr '\n' ' ')" 'a.docx c.pdf '
  run --separate-stderr bash -c "bid-ingest --failed failed.ndjson <failed.ndjson"
  equal "$(wc -l <failed.ndjson)" 2
}

@test "a report that failed is found again whatever its name is" {
  mkdir reports
  local name
  for name in 'a#b.txt' 'a%23b.txt' $'a\xff.txt' 'ä b.txt'; do ln -s nowhere "reports/$name"; done
  ingest --reports reports -e TWHL --failed failed.ndjson
  equal "$(wc -l <failed.ndjson)" 4
  for name in reports/*; do rm "$name" && printf 'The piers of Vigo were mended in May, says %s.' "$name" >"$name"; done
  run --separate-stderr bash -c "bid-ingest --failed failed.ndjson <failed.ndjson"
  equal "$status" 0
  equal "$(got 'map(select(.added)) | length')" 4
  equal "$(bid-store documents | jq -r .sourceUrl | sort -u | wc -l)" 4
}

@test "a line that is no record is an error record, and the jobs around it are done" {
  need_shared
  run --separate-stderr bash -c "printf 'x\n{\"entity\":{\"id\":\"AAPL\"},\"filingTypes\":[\"10-K\"],\"limit\":1}\n{\"entity\n' | bid-ingest --json"
  equal "$status" 1
  equal "$(got 'map(select(.error).error.category) | join(" ")')" '"invalid-request invalid-request"'
  equal "$(got 'map(select(.added)) | length')" 1
}

@test "a run that is killed leaves the file of failures as it was" {
  printf '{"error":{"category":"unavailable","message":"down","stage":"fetch","sourceUrl":"https://www.sec.gov/Archives/edgar/data/1/a.htm"}}\n' >failed.ndjson
  cp failed.ndjson before.ndjson
  run bash -c 'bid-ingest --failed failed.ndjson < <(cat failed.ndjson; sleep 2) & sleep 0.5; kill -KILL $!; wait'
  cmp failed.ndjson before.ndjson
}

@test "fed-back records that name no document stay, with status 1, and don't take the next ones with them" {
  printf 'kiln\n' >a.txt
  printf '%s\n' '{"error":{"message":"m"}}' '{"error":{"sourceUrl":["x"]},"metadata":"m"}' '{"error":"boo"}' \
    "{\"error\":{\"sourceUrl\":\"file://$PWD/a.txt\"},\"metadata\":\"m\"}" >fed.ndjson
  run --separate-stderr bash -c "bid-ingest --failed failed.ndjson <fed.ndjson"
  equal "$status" 1
  head -2 fed.ndjson | diff - <(head -2 failed.ndjson)
  equal "$(jq -r 'select(.collection).added' <<<"$output")" 1
}

@test "jobs that were lost with the process that read them are a failure" {
  mkdir dying
  printf '#!/bin/sh\ncase $1 in -R*) kill -KILL $$ ;; esac\nexec %s "$@"\n' "$(command -v jq)" >dying/jq
  chmod +x dying/jq
  run --separate-stderr bash -c 'echo "{\"sources\":[\"file\"],\"operands\":[\"a.txt\"]}" | PATH=$PWD/dying:$PATH bid-ingest'
  [ "$status" -gt 1 ]
}

@test "reports of a company, and a question about one" {
  mkdir reports
  cp "$ROOT"/data/sample/*.pdf reports/
  printf '<html><body><h1>Note</h1><p>The harbour of Vigo was dredged in May.</p></body></html>' >reports/note.html
  ingest --reports reports -e TWHL
  equal "$status" 0
  equal "$(got 'map(.collection) | sort | join(",")')" '"finance_reports_TWHL_html,finance_reports_TWHL_pdf"'
  run --separate-stderr bid-search -n 1 "Which harbour was dredged?"
  contains "$output" "Vigo"
}

@test "an earnings release is found in its exhibit, a fund's holding by its name" {
  need_shared
  ingest -e 796343 -f 8-K
  equal "$status" 0
  ingest -e 1790837 -f 13F-HR
  equal "$status" 0
  run --separate-stderr bid-store show 1790837 13F-HR
  contains "$output" "Table value total"
  run --separate-stderr bid-store show 1790837 13F-HR --exhibit "information table"
  contains "$output" "Coca-Cola Company"
  run --separate-stderr bid-search --format json -n 1 "Adobe first quarter revenue"
  equal "$(jq -r '.exhibit' <<<"$output")" EX-99.1
  contains "$(jq -r .context <<<"$output")" "EX-99.1"
  contains "$(jq -r .text <<<"$output")" "4.66 billion"
  run --separate-stderr bid-search --format json -n 1 "Bull Street Advisors Coca-Cola shares held"
  contains "$(jq -r .text <<<"$output")" "Coca-Cola Company | COM | 191216100 | 6777 | 106539"
  # the largest of its 90 holdings, by its name
  run --separate-stderr bid-search --format json -n 1 -f 13F-HR "Vanguard short term government ETF"
  contains "$(jq -r .text <<<"$output")" "| Vanguard Sh Term Govt ETF |"
  contains "$(jq -r '.text + .context' <<<"$output")" "9673"
}

@test "reports without a company: each says itself whose it is, and of what day" {
  python3 "$ROOT/test/tools/office_files.py" reports
  rm reports/all.zip
  cp "$ROOT"/data/sample/*.pdf reports/
  printf 'Minutes\n\nMalmo, 5 March 2024\n\nThe board met about the slipway.\n' >reports/minutes.txt
  printf 'The tug was sold.\n' >reports/tug-2023-07-01.txt
  printf 'The buoy was lifted.\n' >reports/buoy.txt
  printf '{"company": "Buoys AB", "date": "2022-02-02", "fiscalYear": 2022}' >reports/buoy.json
  ingest --reports reports
  equal "$status" 0
  equal "$(bid-store dump | jq -r '[(.sourceUrl | split("/")[-1]), .metadata.company, .metadata.filingDate] | @csv' | sort -u)" \
    '"box.mbox#part-1",,"2026-03-04"
"box.mbox#part-2",,"2026-03-05"
"buoy.txt","Buoys AB","2022-02-02"
"figures.xlsx",,
"letter.eml#part-1",,"2026-03-03"
"minutes.txt",,"2024-03-05"
"report.docx","Ystad Harbour","2026-02-11"
"slides.pptx",,"2026-02-11"
"tug-2023-07-01.txt",,"2023-07-01"
"twhl-report-2026-02.pdf",,"2026-02-24"'
  run --separate-stderr bid-search --since 2024-01-01 --until 2024-12-31 --format json "board slipway"
  contains "$output" "minutes.txt"
  run --separate-stderr bid-search --format json -n 1 "harbour dues in thousands of kronor"
  contains "$output" "figures.xlsx"
  contains "$(jq -r .context <<<"$output")" "Dues 2023"
}

@test "reports without a company are filed under the one that they are about, and under none where they mention several" {
  python3 "$ROOT/test/tools/own_documents.py" own
  mkdir reports
  cp own/Marvell* own/note.txt own/robots.txt own/letter.md own/weekly.docx reports/
  BID_SHARED= upstream_start
  ingest --reports reports
  equal "$status" 0
  contains "$stderr" "2 documents of an unknown company"
  equal "$(bid-store ls | jq -r '"\(.collection) \(.documents)"' | sort)" "finance_reports_Acme-Robotics-plc_text 1
finance_reports_MRVL_pptx 1
finance_reports_TWO_text 1
finance_reports_unknown_document 1
finance_reports_unknown_docx 1"
  run --separate-stderr bid-search --json "what do we expect of Marvell's market?"
  contains "$output" "We expect a larger market"
  run --separate-stderr bid-search --json "Marvell custom chips"
  contains "$output" "Marvell has custom chips"
}

@test "reports that are another company's are warned about" {
  need_shared
  mkdir reports
  cp "$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data/1045810/000104581026000024/nvda-20260302.htm" reports/
  ingest --reports reports -e AAPL
  equal "$status" 0
  contains "$stderr" "the document says that it is of NVIDIA CORP (NVDA), not of AAPL"
  ingest --reports reports -e nvda
  [[ $stderr != *"the document says"* ]]
}

@test "a report whose cover page alone names another company is warned about" {
  need_shared
  mkdir reports
  cp "$BID_SHARED/upstream/filings/alcon/6-K-2023-02-13.htm" reports/
  ingest --reports reports -e ACME
  contains "$stderr" "the document says that it is of ALCON INC., not of ACME"
  ingest --reports reports -e ALC
  [[ $stderr != *"the document says"* ]]
}

@test "a bulk file of full submissions, by form" {
  need_shared
  tar czf feed.nc.tar.gz -C "$BID_SHARED/upstream/feed" .
  ingest --bulk feed.nc.tar.gz --forms 8-K,4
  equal "$status" 0
  equal "$(got 'map(.collection | split("_")[3]) | unique | join(",")')" '"4,8-K"'
}

@test "jobs on stdin" {
  need_shared
  run --separate-stderr bash -c "printf '%s\n' '{\"entity\":{\"id\":\"AAPL\"},\"filingTypes\":[\"10-K\"],\"limit\":1}' '{\"entity\":{\"id\":\"NOSUCHX\"}}' | bid-ingest"
  equal "$status" 1
  equal "$(got 'map(select(.added)) | length')" 1
  equal "$(got 'map(select(.error)) | .[0].error.category')" '"invalid-request"'
}

@test "a killed run goes on where it was" {
  need_shared
  upstream_fault '*aapl-20240928.htm=slow:2'
  setsid bid-ingest -e AAPL -f 10-K -n 2 >/dev/null 2>&1 &
  sleep 1.2
  kill -9 -- -$! 2>/dev/null || true
  wait $! 2>/dev/null || true
  upstream_fault
  ingest -e AAPL -f 10-K -n 2
  equal "$status" 0
  equal "$(bid-store ls | jq -r .documents)" 2
}

@test "wrong calls are told" {
  ingest --reports x
  equal "$status" 1
  contains "$stderr" "No such file"
  ingest -n many -e X
  equal "$status" 64
  ingest --reports x --bulk y -e Z
  equal "$status" 64
  ingest --bulk "$PWD/missing.zip"
  [ "$status" -ne 0 ]
}

@test "a company with shell characters in its name is only a name" {
  need_shared
  ingest -e "'; touch $PWD/pwned; #"
  [ "$status" -ne 0 ]
  [ ! -e pwned ]
  equal "$(got '.[0].error.category')" '"invalid-request"'
}

@test "reports of which nobody said whose they are: said, found by a question that names the company, and with -e" {
  mkdir reports
  {
    printf 'To the shareholders\n\nTesla, Inc. recommends the tender offer of Kuva Acquisition Corp. for its shares.\n\n'
    printf 'Each contingent value right pays $1.25 when the first milestone of the merger agreement is reached.\n'
  } >reports/letter.txt
  BID_SHARED= upstream_start
  ingest --reports reports
  equal "$status" 0
  contains "$stderr" "bid-ingest: 1 document of an unknown company: remove them with 'bid-store rm -c \"finance_reports_unknown_*\"' and repeat with -e COMPANY"
  run --separate-stderr bid-search --json "what does Tesla say about the tender offer and its milestone?"
  equal "$status" 0
  contains "$output" "contingent value right"
  contains "$stderr" "no document of Tesla, Inc. (TSLA) is known in the store; the passages are of documents whose company is unknown"
  bid-store rm -c "finance_reports_unknown_*" >/dev/null
  ingest --reports reports -e TSLA
  equal "$stderr" ""
}

filed() { # COMPANY TICKER CIK TEXT
  jq -cn --arg company "$1" --arg ticker "$2" --arg cik "$3" --arg text "$4" '{source: "test", sourceUrl: "https://example.org/\($ticker)",
    capturedAt: "2026-01-01T00:00:00Z", contentType: "text/plain", sha256: ("0" * 64), text: "\($text)\n", outline: [],
    metadata: {company: $company, ticker: $ticker, cik: $cik, form: "10-K", fiscalYear: "2024", reportDate: "2024-12-31",
      filingDate: "2025-01-30"}}' | bid-chunk | bid-embed | bid-index >/dev/null
}

@test "an own note that names the company is searched beside the company's filings, but not with -e or a form" {
  mkdir reports
  printf 'Our view: Tesla margin to recover to 19%% in 2026.\n' >reports/note.txt
  printf 'Our view: Zenith margin to fall to 3%% in 2026.\n' >reports/other.txt
  filed "Tesla, Inc." TSLA 0001318605 'Gross margin of the automotive segment was 17.9% in 2024.'
  BID_SHARED= upstream_start
  ingest -q --reports reports
  equal "$status" 0
  for question in "what margin do we expect for Tesla in 2026" "Tesla margin view 2026"; do
    run --separate-stderr bid-search --json "$question"
    equal "$(got 'map(.text) | .[0]')" '"Our view: Tesla margin to recover to 19% in 2026."'
    run ! grep -q Zenith <<<"$output"
  done
  run --separate-stderr bid-search --json "what does Tesla's 10-K say of the margin"
  equal "$(got 'map(.form) | unique | join(" ")')" '"10-K"'
  run --separate-stderr bid-search --json -e TSLA "what automotive gross margin do we expect"
  equal "$(got 'map(.ticker) | unique | join(" ")')" '"TSLA"'
}

@test "a report's company is the one that the question names, however its legal form is written" {
  mkdir reports
  printf 'UNITED STATES\nSECURITIES AND EXCHANGE COMMISSION\nWashington, D.C. 20549\n\nFORM 6-K\n\nKONINKLIJKE PHILIPS N.V.\n(Exact name of registrant as specified in its charter)\n\nThe Netherlands\n\nPhilips cuts 4,000 jobs in 2025 to simplify its organisation.\n' >reports/cover.txt
  BID_SHARED= upstream_start
  ingest --reports reports
  equal "$(got 'map(.collection) | join(" ")')" '"finance_reports_KONINKLIJKE-PHILIPS-N.V._text"'
  for words in "Philips job cuts" "-e PHG job cuts" "-e Philips job cuts"; do
    # shellcheck disable=SC2086 # an option and its argument
    run --separate-stderr bid-search --json $words
    equal "$status" 0
    contains "$output" "4,000 jobs"
  done
}

@test "what is called a PDF and is none is told" {
  mkdir reports
  printf 'The piers of Vigo were mended in May.\n' >reports/bad.pdf
  ingest --reports reports -e TWHL
  equal "$status" 0
  contains "$stderr" "bad.pdf: it is called a PDF, but is plain text, and was read as that"
}

@test "the exhibits of a filing are in the collections of its company's ticker" {
  embedded() { # URL METADATA
    jq -cn --arg url "$1" --argjson more "$2" '{source: "sec-filings", sourceUrl: $url, capturedAt: "2026-03-01T00:00:00Z", contentType: "text/html",
      sha256: "00", text: "The pier was mended in May by the harbour company.", outline: [],
      metadata: ({company: "NORDSTROM INC", cik: "0000072333", form: "8-K", filingDate: "2026-02-01"} + $more)}' | bid-chunk | bid-embed
  }
  { embedded https://x.example/a.txt#part=1 '{"ticker":"JWN"}'; embedded https://x.example/a.txt#part=2 '{"exhibit":"EX-99.1"}'; } | bid-index >/dev/null
  equal "$(bid-store ls | jq -r '"\(.collection) \(.documents)"')" "finance_edgar_JWN_8-K 2"
}

@test "reports stored without a company are filed under it as soon as it is named" {
  mkdir reports
  printf 'The piers of Vigo were mended in May.' >reports/piers.txt
  printf 'The harbour of Vigo was dredged in June.' >reports/harbour.txt
  ingest --reports reports
  contains "$stderr" "2 documents of an unknown company"
  ingest --reports reports -e TWHL
  equal "$status" 0
  equal "$(got 'map(.added) | add')" 2
  equal "$(bid-store ls | jq -c '[.collection, .documents]')" '["finance_reports_TWHL_text",2]'
  # What can't be read again stays where it is.
  printf 'The quay of Vigo is closed.' >reports/quay.txt
  ingest --reports reports
  : >reports/quay.txt
  ingest --reports reports -e TWHL
  equal "$status" 1
  equal "$(bid-store ls | jq -c '[.collection, .documents]' | sort | paste -sd' ')" \
    '["finance_reports_TWHL_text",2] ["finance_reports_unknown_text",1]'
  rm reports/quay.txt
  bid-store -c 'finance_reports_unknown_text' rm >/dev/null
  # They are known then.
  ingest --reports reports -e TWHL
  equal "$(bid-store ls | jq -c '[.collection, .documents]')" '["finance_reports_TWHL_text",2]'
}

@test "reports are filed under their company whatever their names hold, and what they say is not taken for a receipt" {
  local name
  mkdir reports
  for name in 'a"b' 'c\d' $'new\nline' '%41 é' '-x' '--url=y' '$(id)' '{"collection":"finance_reports_unknown_text"'; do
    printf 'The pier %s of Vigo was mended.' "$name" >"reports/$name.txt"
  done
  printf '{"collection":"finance_reports_unknown_text","sourceUrl":"x","title":"\\"collection\\""}' >reports/record.json
  ingest --reports reports
  contains "$stderr" "9 documents of an unknown company"
  ingest --reports reports -e TWHL
  equal "$status" 0
  equal "$stderr" ""
  equal "$(bid-store ls | jq -c '[.collection, .documents]' | paste -sd' ')" \
    '["finance_reports_TWHL_json",1] ["finance_reports_TWHL_text",8]'
}

@test "names that begin with '-' are names" {
  mkdir -- -r
  printf 'The piers of Vigo were mended in May.' >-r/a.txt
  ingest --reports -r --failed -f
  equal "$status" 0
  equal "$(got 'map(.added)')" '[
  1
]'
  equal "$(cat ./-f)" ""
  [ ! -e -f.new ]
  ingest --bulk -missing.zip
  contains "$stderr" "-missing.zip"
}

@test "a folder that is read again knows what is gone, also of an archive; --prune removes it, but of nothing that can't be read" {
  mkdir -p 'reports/a%b' beside
  printf 'The piers of Vigo were mended in May.' >reports/piers.txt
  printf 'The harbour of Vigo was dredged in June.' >'reports/a%b/harbour#1.txt'
  printf 'The quay of Vigo is closed.' >beside/quay.txt
  (cd reports && zip -q all.zip piers.txt 'a%b/harbour#1.txt')
  ingest -q --reports reports
  ingest -q --reports beside
  left() { bid-store documents | jq -r '.sourceUrl | sub(".*/(?<n>[^/]*)$"; .n)' | sort | paste -sd' '; }
  equal "$(left)" "all.zip#piers.txt harbour#1.txt harbour%231.txt piers.txt quay.txt"
  rm 'reports/a%b/harbour#1.txt'
  zip -q -d reports/all.zip piers.txt
  ingest --reports reports
  equal "$status" 0
  equal "$(grep -c 'the file is gone; --prune removes its document' <<<"$stderr")" 2
  equal "$(bid-store documents | wc -l)" 5
  printf 'PK\003\004damaged' >reports/all.zip
  ingest -q --reports reports --prune
  equal "$status" 1
  equal "$(got 'map(select(.removed) | [.added, .removed, (.sourceUrl | sub(".*/"; ""))])' | jq -c)" '[[0,1,"harbour%231.txt"]]'
  equal "$(left)" "all.zip#piers.txt harbour#1.txt piers.txt quay.txt"
  rm -r reports/*
  ingest -q --reports reports --prune # a disk that isn't mounted
  equal "$status" 1
  equal "$(bid-store documents | wc -l)" 4
  ingest -e AAPL --prune
  equal "$status" 64
}

@test "a company that is given is found like one that was recognised" {
  mkdir given recognised
  printf 'Minutes\n\nThe margin of the plant rises to 19 percent, since wages fall.' >given/minutes.txt
  printf 'Tesla, Inc. said that the margin of the plant rises.' >recognised/note.txt
  BID_SHARED= upstream_start
  local name
  for name in tesla "Tesla, Inc." 1318605; do
    export BID_STORE=$PWD/store-$name
    ingest -q --reports given -e "$name"
    ingest -q --reports recognised
    equal "$(bid-store ls | jq -c '[.collection, .documents]')" '["finance_reports_TSLA_text",2]'
    equal "$(bid-store dump | jq -c '.metadata | [.company, .ticker, .cik]' | sort -u)" '["Tesla, Inc.","TSLA","0001318605"]'
  done
  for name in TSLA "Tesla, Inc."; do
    run --separate-stderr bid-search --json -e "$name" margin
    equal "$(got 'map(.sourceUrl | sub(".*/"; "")) | sort | unique | join(" ")')" '"minutes.txt note.txt"'
  done
  BID_STORE=$PWD/other ingest -q --reports given -e "Acme Robotics plc"
  equal "$(BID_STORE=$PWD/other bid-store dump | jq -c '.metadata | [.company, .ticker]')" '["Acme Robotics plc",null]'
}
