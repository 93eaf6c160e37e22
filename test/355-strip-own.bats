#!/usr/bin/env bats
# People's own documents: whose they are, of what day and period, what they are called; nobody's rather than somebody else's.

load helper

test_setup() {
  need python3
  python3 "$ROOT/test/tools/own_documents.py" own
}

described() { bid-fetch -q file own | bid-strip -q --companies | jq -r "[(.sourceUrl | split(\"/\")[-1])] + (.metadata | $1) | join(\"; \")" | LC_ALL=C sort; }

@test "own documents: the company of the first lines, the title or the file's name" {
  equal "$(described '[.company, .ticker]' | grep -v '; ; $')" "Apple Q4 view.txt; Apple Inc.; AAPL
Marvell investor day 2025-06-17.pptx; Marvell Technology, Inc.; MRVL
Tesla_Q3_2025_update.txt; Tesla, Inc.; TSLA
interim.md; Norsk Fjordkraft ASA; 
note.txt; TWO HARBORS INVESTMENT CORP.; TWO
on marvell.docx; Marvell Technology, Inc.; MRVL
release.txt; BUCKLE INC; BKE
robots.txt; Acme Robotics plc; "
}

@test "own documents that only mention companies are of none" {
  equal "$(described '[.company, .ticker]' | sed -n 's/; ; $//p')" "Deutsche Bank note on BASF.txt
LinkedIn profile.txt
NOW or never.txt
Visa Requirements.txt
Walmart vs Costco.txt
apple pie recipes.docx
cv.txt
letter.md
mail.eml
margin.txt
minutes.txt
pe-book-2025-09.xlsx
targets.txt
visa.txt
weekly.docx"
}

@test "own documents: days and periods of the text, then of the file's name, then of the last change" {
  equal "$(described '[.filingDate, .reportDate]' | grep -E '^(Marvell|interim|letter|mail|minutes|note|pe-book|release|robots|weekly)')" \
    "Marvell investor day 2025-06-17.pptx; 2025-06-17; 
interim.md; ; 2025-06-30
letter.md; 2025-03-03; 
mail.eml; 2026-03-03; 
minutes.txt; 2024-03-05; 
note.txt; 2025-12-12; 
pe-book-2025-09.xlsx; ; 2025-09-30
release.txt; 2024-11-22; 2024-11-02
robots.txt; ; 2025-03-31
weekly.docx; 2026-02-11; "
}

@test "own documents: the first heading is the title where the properties have none" {
  equal "$(described '[.title]' | grep -E '^(Marvell|apple|interim|mail|on marvell|weekly)')" "Marvell investor day 2025-06-17.pptx; Where we stand
apple pie recipes.docx; Apple Pie Recipes
interim.md; Interim report of Norsk Fjordkraft ASA
mail.eml; Lunch
on marvell.docx; Goldman Sachs research on Marvell
weekly.docx; Semiconductors weekly"
}

@test "without --companies no company is looked up, and one that was given stays" {
  equal "$(bid-fetch -q file own/note.txt | bid-strip -q | jq -c '.metadata.company')" null
  equal "$(bid-fetch -q file own/note.txt -e ACME | bid-strip -q --companies | jq -c '[.metadata.company, .metadata.ticker]')" '[null,"ACME"]'
  printf '{"company": "Nobody AB"}' >own/note.json
  equal "$(bid-fetch -q file own/note.txt | bid-strip -q --companies | jq -c '[.metadata.company, .metadata.ticker]')" '["Nobody AB",null]'
}

@test "a passage tells its first and last page, and of an own document its title or the file's name" {
  chunked() { bid-fetch -q file "own/$1" | bid-strip -q --companies | bid-chunk -q | jq -c "$2"; }
  equal "$(chunked 'Marvell investor day 2025-06-17.pptx' '[.context, (.chunk | .page, .firstPage, .lastPage)]')" \
    '["Marvell Technology, Inc. (MRVL) · dated 2025-06-17 · Where we stand",1,1,2]'
  equal "$(chunked pe-book-2025-09.xlsx '[.context, .chunk.firstPage]')" '["period 2025-09-30 · pe-book-2025-09 · Private equity",null]'
  export BID_STORE=store
  bid-fetch -q file own | bid-strip -q --companies | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
  run --separate-stderr bid-search --format text -n 1 "custom silicon"
  contains "$output" "pages 1–2"
  run --separate-stderr bid-search --context 200 -n 1 "custom silicon"
  contains "$output" "(pages 1–2)"
  equal "$(jq -c '.matches[0] | [.page, .firstPage, .lastPage]' <<<"$output")" '[1,1,2]'
}

@test "a short PDF of two pages is cited with both" {
  need pdftotext
  printf 'Acme Robotics plc\n\nRobots sold rose to 300 in the year, since the new works was opened in May.\n\fThe dividend is 12 pence a share, and is paid in July to holders of record.\n' |
    python3 "$ROOT/test/tools/pdf.py" pages >two.pdf
  equal "$(bid-fetch -q file two.pdf | bid-strip -q --companies | bid-chunk -q | jq -c '[.metadata.company, (.chunk | .firstPage, .lastPage)]')" \
    '["Acme Robotics plc",1,2]'
}

@test "filings in a folder: the day of filing is in the file's name or behind Date among the signatures, not the day of an event" {
  need_shared
  mkdir -p filings
  cp "$BID_SHARED"/upstream/filings/trinity/SC-13G-A-2024-01-22.txt filings/13g.txt
  cp "$BID_SHARED"/upstream/filings/seaport/SCHEDULE-13D-2026.xml filings/13d.xml
  cp "$BID_SHARED"/upstream/filings/snow/4-2022-12-14.xml filings/4.xml
  cp "$BID_SHARED"/upstream/filings/amzn/10-K-2025-02-07.htm filings/
  cp "$BID_SHARED"/upstream/filings/sophiris/8-K-2016-03-23.htm filings/8-K.htm
  cp "$BID_SHARED"/upstream/filings/louisville-gas/8-K-2003-03-25.htm filings/
  cp "$BID_SHARED"/upstream/www.sec.gov/Archives/edgar/data/320193/000032019324000123/aapl-20240928.htm filings/
  equal "$(bid-fetch -q file filings | bid-strip -q | jq -r '[(.sourceUrl | split("/")[-1] | split("#")[0]), .metadata.filingDate, .metadata.reportDate] | join(" ")' | LC_ALL=C sort)" \
    "10-K-2025-02-07.htm 2025-02-07 2024-12-31
13d.xml 2026-05-06 
13g.txt 2024-01-22 
4.xml 2022-12-14 2022-12-13
8-K-2003-03-25.htm 2003-03-25 2003-03-25
8-K.htm 2016-03-23 2016-03-23
aapl-20240928.htm 2024-11-01 2024-09-28"
}

@test "ownership forms: whose holdings a table has stands in its context" {
  need_shared
  owners() { bid-strip -q --raw "$1" | bid-chunk -q | jq -r "select(.text | contains(\"$2\")) | .context" | head -n 1; }
  contains "$(owners "$BID_SHARED/upstream/filings/snow/4-2022-12-14.xml" 73170)" "Scarpelli Michael, Chief Financial Officer"
  contains "$(owners "$BID_SHARED/upstream/filings/seaport/SCHEDULE-13D-2026.xml" "Percent")" "ARCH Venture Fund XII, L.P."
  contains "$(owners "$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data/320193/000195824423000454/primary_doc.xml" 69996)" "Luca Maestri"
  export BID_STORE=store
  bid-fetch -q file "$BID_SHARED/upstream/filings/snow/4-2022-12-14.xml" | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
  run --separate-stderr bid-search --json -n 1 "Scarpelli sold shares open market or private sale"
  contains "$output" "73170"
}

@test "a submission's header, which nobody asks for, comes last in its text" {
  need_shared
  equal "$(bid-strip -q --raw "$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data/320193/000195824423000454/primary_doc.xml" | jq -r .text | grep '^## ')" "## Form data
## Header data"
}
