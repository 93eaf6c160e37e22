#!/usr/bin/env bats
# --format=html of bid-facts, bid-diff, bid-verify and bid-nightly: whole, alone, and hostile text stays text.

load helper

test_setup() {
  export BID_NOW=2026-03-05T00:00:00Z
}

whole() { # FILE [TAG...]
  need python3
  local faults
  faults=$(python3 "$ROOT/test/tools/page_check.py" "$@") || :
  equal "$faults" ""
}

planted='<script>document.title="owned"</script><style>body{display:none}</style>"><svg onload=alert(1)>'

# companyfacts NAME: two years of two concepts, as the SEC writes them.
companyfacts() {
  jq -cn --arg name "$1" 'def fact($y; $v): {start: "\($y)-01-01", end: "\($y)-12-31", val: $v, accn: "0009990001-\($y - 1999)-000007",
      fy: $y, fp: "FY", form: "10-K", filed: "\($y + 1)-02-19"};
    {cik: 9990001, entityName: $name, facts: {"us-gaap": {
      Revenues: {label: "Revenues", description: "x", units: {USD: [fact(2023; 5000000), fact(2024; 6000000), fact(2025; 7500000)]}},
      NetIncomeLoss: {label: "Net", description: "x", units: {USD: [fact(2023; -100), fact(2024; 200), fact(2025; 300)]}}}}}'
}

@test "facts as a page: charts, a table, and the filing of each figure" {
  companyfacts "Kilns & Sons" >facts.json
  run --separate-stderr bid-facts --from facts.json --format=html revenue
  equal "$status/$stderr" 0/
  printf '%s\n' "$output" >page.html
  whole page.html svg rect figure table th a
  contains "$output" '<h1>Kilns &amp; Sons: Revenue, years (12 months)</h1>'
  equal "$(grep -c '<rect ' page.html)" 6 # wide and narrow
  contains "$output" '<td class="n"><a rel="noopener noreferrer" href="https://www.sec.gov/Archives/edgar/data/9990001/000999000126000007/0009990001-26-000007-index.htm">7,500</a></td>'
  contains "$output" 'XBRL: us-gaap:Revenues'
  contains "$output" '2025-01-01 to 2025-12-31'
  contains "$output" '10-K 0009990001-26-000007, filed 2026-02-19</a>'
  bid-facts --from facts.json --format=html revenue "net income" "net income / revenue" >page.html
  whole page.html svg rect path
  contains "$(cat page.html)" '>÷ 7,500,000</td>'
  bid-facts --from facts.json --format=html --statement income >page.html
  whole page.html table
  contains "$(cat page.html)" '<h2>Kilns &amp; Sons: income statement</h2>'
  run --separate-stderr bid-facts --from facts.json --format=html nothing
  equal "$status/$output" 1/
  contains "$stderr" "Kilns & Sons"
}

@test "facts: a hostile name stays text on the page, in charts, too" {
  companyfacts "$planted" >facts.json
  bid-facts --from facts.json --from facts.json --format=html revenue "net income" >page.html
  whole page.html svg
  contains "$(cat page.html)" '&lt;script&gt;'
}

@test "one way of showing facts at a time" {
  run bid-facts --from facts.json --format=html --plot x.svg revenue
  equal "$status" 64
  contains "$output" "of --csv, --markdown, --format and --plot only one goes"
  run bid-facts --from facts.json --format=pdf revenue
  equal "$status" 64
  contains "$output" "'pdf' is none of auto, table, json, csv, markdown, html"
}

@test "a comparison as a page: words that left and came, what stayed folded" {
  printf '# Risks\n\nThe mole is made of stone.\n\nWe had 12 boats.\n\nFog is bad for pilots on every morning of the winter.\n\nGulls are loud. %s\n\n| Boats %s | 12 |\n' "$planted" "$planted" >old.txt
  printf '# Risks\n\nThe mole is made of stone.\n\nWe had 14 boats.\n\nFog is bad for pilots on most mornings of the winter.\n\n%s A ferry.\n\n| Boats %s | 13 |\n' "$planted" "$planted" >new.txt
  run --separate-stderr bid-diff --format=html old.txt new.txt
  equal "$status/$stderr" 0/
  printf '%s\n' "$output" >page.html
  whole page.html ins del details summary h2
  contains "$output" 'We had <del>12</del> <ins>14</ins> boats.'
  contains "$output" 'pilots on <del>every morning</del> <ins>most mornings</ins> of the winter.'
  contains "$output" '<summary>1 paragraph as before</summary>'
  contains "$output" '&lt;script&gt;'
  run bid-diff --format=pdf old.txt new.txt
  equal "$status" 64
  contains "$output" "none of auto, json, text, html"
}

@test "a comparison of filings names both, with links" {
  document() { # DAY TEXT
    jq -cn --arg day "$1" --arg text "$2" --arg company "Kilns $planted" '{sourceUrl: "https://www.sec.gov/Archives/\($day).htm", text: $text,
      metadata: {company: $company, form: "10-K", reportDate: $day, filingDate: "2026-02-01", accessionNumber: "0009990001-26-000007"}}'
  }
  document 2024-12-31 "We had 12 boats." >old.json
  document 2025-12-31 "We had 14 boats." >new.json
  bid-diff --format=html old.json new.json >page.html
  whole page.html ins del a
  contains "$(cat page.html)" '10-K: 2025-12-31 against 2024-12-31</h1>'
  contains "$(cat page.html)" 'href="https://www.sec.gov/Archives/2024-12-31.htm">10-K of 2024-12-31, filed 2026-02-01, 0009990001-26-000007</a>'
}

@test "a verified answer as a page: verdicts, each citation with its passage marked and its place" {
  bid-fetch --quiet file "$ROOT/data/sample/0009990001-26-000007.txt" -P corpus=edgar | bid-strip | bid-chunk | bid-embed | bid-index >/dev/null
  bid-store dump --plain | jq -c --arg planted "$planted" 'select(.text | contains("Interest expense was $19.2 million"))
    | {query: "Interest? \($planted)", answer: "Interest expense was $19.2 million [1]. The fleet is worth $777 million [1]. \($planted)", matches: [. + {rank: 1}]}' | head -1 >record
  run --separate-stderr bid-verify --format=html record
  equal "$status/$stderr" 1/
  printf '%s\n' "$output" >page.html
  whole page.html article section mark details table a
  contains "$output" '<a class="found" href="#number1-1" title="found">$19.2 million<sup>✓</sup></a>'
  contains "$output" 'title="unsupported">$777 million<sup>?</sup></a>'
  contains "$output" 'Interest expense was <mark>$19.2 million</mark>, down from'
  contains "$output" 'the store has it, the same text at the same place'
  contains "$output" '<summary>Its place in the filing: item 7</summary>'
  contains "$(sed -n '/class="here"/,/<\/section>/p' page.html)" '<mark>$19.2 million</mark>'
  contains "$output" '&lt;script&gt;'
  run bid-verify --format=pdf record
  equal "$status" 64
}

bid_nightly_page() {
  jq -rs --arg format html --arg list list.tsv -f "$ROOT/pipelines/report.jq" report.ndjson | bid html-page "What came in the night"
}

@test "a nightly report as a page: tasks, what is new with its links, what went wrong" {
  {
    jq -cn --arg p "$planted" '{line: 1, subject: "AAPL", company: "AAPL", source: "sec-filings", task: "t", done: true, new: 12, replaced: 0, unchanged: 3, failed: {},
      documents: [{sourceUrl: "https://www.sec.gov/Archives/a.htm", collection: "finance_edgar_AAPL_10-K", passages: 12}, {sourceUrl: "javascript:alert(1)", passages: 1}], messages: []}
     , {line: 2, subject: $p, source: $p, done: false, failed: {unavailable: 2}, messages: ["there is nothing at https://www.sec.gov/Archives/b.htm (status 404)", "sec.gov \($p)"]}
     , {total: true, done: 1, tasks: 2, seconds: 9, new: 12, replaced: 0, unchanged: 3, failed: {unavailable: 2}}'
  } >report.ndjson
  run --separate-stderr bid_nightly_page
  equal "$status/$stderr" 0/
  printf '%s\n' "$output" >page.html
  whole page.html table article h2 h3
  contains "$output" '<h1>What came in the night</h1>'
  contains "$output" '1 of 2 tasks done in 9 s; passages: 12 new, 3 unchanged; failed: 2 unavailable'
  contains "$output" '<li>10-K, 12 passages: <a class="bare" rel="noopener noreferrer" href="https://www.sec.gov/Archives/a.htm">https://www.sec.gov/Archives/a.htm</a></li>'
  contains "$output" '<li>1 passage: javascript:alert(1)</li>'
  contains "$output" 'href="https://www.sec.gov/Archives/b.htm">https://www.sec.gov/Archives/b.htm</a> (status 404)</li>'
  [[ $output == *'What is new'*'What went wrong'* ]]
  contains "$output" '&lt;script&gt;'
}

@test "on paper the answer begins on the first page, with its charts side by side" {
  need chromium pdftotext
  companyfacts "Kilns & Sons" >facts.json
  bid-facts --from facts.json --format=html revenue "net income" >page.html
  pdf() { # FILE
    timeout 60 chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf="$PWD/$1.pdf" "file://$PWD/$1" 2>/dev/null
  }
  pdf page.html || skip "chromium does not start here"
  contains "$(pdftotext -l 1 page.html.pdf -)" 'Where each figure stands'
  printf 'The fleet is worth $777 million.\n\n%s\n' "$(seq 300)" >answer
  bid-verify --format=html --answer answer </dev/null >page.html || true
  pdf page.html
  contains "$(pdftotext -l 1 page.html.pdf -)" 'The fleet is worth'
}

@test "a browser shows the pages without running what was planted" {
  need chromium
  companyfacts "$planted" >facts.json
  bid-facts --from facts.json --from facts.json --format=html revenue >page.html
  run bash -c 'timeout 60 chromium --headless --no-sandbox --disable-gpu --dump-dom "file://$PWD/page.html" 2>/dev/null'
  [ "$status" -eq 0 ] || skip "chromium does not start here"
  [[ $output != *"<title>owned"* ]]
  contains "$output" '&lt;script&gt;'
}
