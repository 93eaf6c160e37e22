# Items, parts and headings of filings.

load helper

# items FILE [ARG]...: "item title" of every item, a line each.
items() {
  bid-strip --raw "$@" | jq -r 'select(.outline) | .outline[] | select(.level == 2) | "\(.item) \(.title)"'
}

# A page of a 10-K: contents with links and page numbers, then the items.
ten_k() {
  cat <<'HTML'
<html><body><p>UNITED STATES</p><p><b>FORM 10-K</b></p><p>ACME CORP</p>
<p>Documents incorporated by reference: parts of the proxy statement are in Part III, Items 10 to 14.</p>
<p><b>TABLE OF CONTENTS</b></p>
<p><a href="#i1">Item 1. Business 1</a></p><p><a href="#i1a">Item 1A. Risk Factors 2</a></p>
<p><a href="#i2">Item 2. Properties 3</a></p><p><a href="#i3">Item 3. Legal Proceedings 3</a></p>
<p><a href="#i7">Item 7. Management's Discussion and Analysis 4</a></p><p>Item 8. Financial Statements 9</p>
<p><b>PART I</b></p><p id="i1"><b>Item 1. Business</b></p>
<p>We make anvils. Item 1A of this report describes the risks of that, and Item 7 what became of it.</p>
<p>Item 1A of this annual report on Form 10-K is where you should look for risks before you buy our stock.</p>
<table><tr><td id="i1a"><b>ITEM&nbsp;1A.</b></td><td><b>RISK FACTORS</b></td></tr></table>
<p><i>Anvils are heavy</i></p><p>They may fall on roadrunners. See "Item 3. Legal Proceedings" for what comes then.</p>
<p id="i2"><b>Item</b><b> 2.</b></p><p><b>Properties</b></p><p>One smithy.</p>
<p id="i3"><b>It</b><b>em 3. Legal Proceedings.</b> A coyote sues us. We think his claim is without merit.</p>
<p><b>PART II</b></p><p id="i7"><b>Item 7. Management's Discussion and Analysis</b></p><p>Sales of anvils rose.</p>
<p><b>Item 8. Financial Statements and Supplementary Data</b></p><p>See the pages behind.</p>
</body></html>
HTML
}

@test "items are told from the contents, from references and from each other" {
  ten_k >k.htm
  run --separate-stderr items k.htm
  [ "$status" -eq 0 ]
  equal "$output" "1 Item 1. Business
1A ITEM 1A. RISK FACTORS
2 Item 2. Properties
3 Item 3. Legal Proceedings.
7 Item 7. Management's Discussion and Analysis
8 Item 8. Financial Statements and Supplementary Data"
}

@test "offsets point at Markdown headings, parts are level 1, sub-headings level 3" {
  ten_k >k.htm
  bid-strip --raw k.htm >k.json
  run jq -r '.text as $t | .outline[] | "\(.level) \($t[.offset:] | split("\n")[0])"' k.json
  equal "$output" "1 # PART I
2 ## Item 1. Business
2 ## ITEM 1A. RISK FACTORS
3 ### Anvils are heavy
2 ## Item 2. Properties
2 ## Item 3. Legal Proceedings.
1 # PART II
2 ## Item 7. Management's Discussion and Analysis
2 ## Item 8. Financial Statements and Supplementary Data"
  contains "$(jq -r .text k.json)" "## Item 3. Legal Proceedings.

A coyote sues us."
  run jq -e '.outlineConfidence > 0.8' k.json
  [ "$status" -eq 0 ]
}

@test "items 1 and 2 together are found by either number" {
  echo '<p>FORM 10-K</p><p><b>Items 1 and 2. Business and Properties</b></p><p>Wells.</p><p><b>Item 3. Legal Proceedings</b></p><p>None.</p>' >k.htm
  for i in 1 2; do
    run --separate-stderr bid-strip --raw --items $i k.htm
    [ "$status" -eq 0 ]
    contains "$(jq -r .text <<<"$output")" "Wells."
    run ! grep -q None. <<<"$output"
  done
}

@test "the items of a 10-Q carry their part, named or not" {
  cat >q.htm <<'HTML'
<p>FORM 10-Q</p><p><b>PART I</b></p><p><b>Item 1. Financial Statements</b></p><p>Cash 5.</p>
<p><b>Item 2. Management's Discussion and Analysis</b></p><p>We did well.</p>
<p><b>PART II</b></p><p><b>Item 1. Legal Proceedings</b></p><p>None.</p><p><b>Item 1A. Risk Factors</b></p><p>Many.</p>
<p><b>Item 6. Exhibits</b></p><p>31.1</p>
HTML
  run items q.htm
  equal "$(cut -d' ' -f1 <<<"$output" | tr '\n' ' ')" "I-1 I-2 II-1 II-1A II-6 "
  run --separate-stderr bid-strip --raw --items II-1A q.htm
  contains "$(jq -r .text <<<"$output")" "Many."
  equal "$(jq -c '[.outline[].item]' <<<"$output")" '["II-1A"]'
}

@test "8-K: numbers old and new, a section's name in front" {
  cat >8.htm <<'HTML'
<p>FORM 8-K</p><p><b>Section 5 - Corporate Governance<br>Item 5.02. Departure of Directors</b></p><p>She left.</p>
<p><b>Item 9.01 Financial Statements and Exhibits.</b></p><p>(d) none</p>
HTML
  run items 8.htm
  equal "$(cut -d' ' -f1 <<<"$output" | tr '\n' ' ')" "5.02 9.01 "
  printf 'FORM 8-K\n\nITEM 5.  OTHER EVENTS\n\nThe river rose.\n\nITEM 7.  EXHIBITS\n\nNone.\n' >old.txt
  run items old.txt
  equal "$output" "5 ITEM 5. OTHER EVENTS
7 ITEM 7. EXHIBITS"
}

@test "a document without items stays whole and says how sure that is" {
  { echo '<p>FORM 10-K</p>'; for i in $(seq 40); do echo "<p>Some paragraph number $i of plain text that has no item.</p>"; done; } >none.htm
  bid-strip --raw none.htm >none.json
  equal "$(jq -c '[.outlineConfidence + 0, ([.outline[] | select(.level < 3)] | length), (.text | length > 2000)]' none.json)" '[0,0,true]'
}

@test "an exhibit has no items, whatever it quotes" {
  cat >x.txt <<'T'
<SEC-DOCUMENT>0000000001-20-000001.txt : 20200101
CONFORMED SUBMISSION TYPE:	10-K
<DOCUMENT>
<TYPE>EX-10.1
<FILENAME>a.htm
<TEXT>
<html><p><b>Item 1. Business</b></p><p>as quoted</p></html>
</TEXT>
</DOCUMENT>
T
  bid-strip --raw x.txt >x.json
  equal "$(jq -c '[.metadata.documentType, has("outlineConfidence"), [.outline[].level]]' x.json)" '["EX-10.1",false,[3]]'
}

@test "running headers and page numbers leave the text, pages are as printed" {
  { for i in $(seq 5 14); do
      echo "<p>ACME CORP</p><p>Body of page $i is about anvil model number $i.</p><p align=center>$i</p><hr style=\"page-break-after:always\">"
    done; echo '<p>ACME CORP</p><p>The end.</p>'; } >p.htm
  bid-strip --raw p.htm >p.json
  equal "$(jq -r .text p.json | grep -c 'ACME CORP')" 1
  run ! grep -E '^(- )?[0-9]+$' <(jq -r .text p.json)
  equal "$(jq -c '[.breaks[].page]' p.json)" '[5,6,7,8,9,10,11,12,13,14,15]'
  equal "$(bid-strip --raw --keep-furniture p.htm | jq -r .text | grep -c 'ACME CORP')" 11
}

@test "sheets between form feeds are counted, whatever is printed on them; text before the first is page 1" {
  for i in $(seq 5 14); do
    printf 'ACME CORP\n\nBody of page %d is about anvil model number %d, as the board of anvils says.\n\n%d\n\f' "$i" "$i" "$i"
  done >p.txt
  bid-strip --raw p.txt >p.json
  equal "$(jq -c '[.breaks[].page]' p.json)" '[1,2,3,4,5,6,7,8,9,10]'
  run ! grep -E '^[0-9]+$' <(jq -r .text p.json)
  equal "$(bid-chunk --tokens 100 p.json | jq -r 'select(.text | contains("page 5 ") or contains("page 14 ")) | .chunk.page')" $'1\n10'
  # With the tag of old filings among them the printed numbers count.
  { echo 'A report to the shareholders in ten pages.'; tr -d '\f' <p.txt | sed 's/^ACME CORP$/<PAGE>/'; } >q.txt
  equal "$(bid-strip --raw q.txt | jq -c '[.breaks[].page]')" '[4,5,6,7,8,9,10,11,12,13,14]'
}

@test "every recorded 10-K and 10-Q, and more, has its items at the right place and no others" {
  need_shared
  need python3
  grep -v '^#' "$ROOT/test/data/items.tsv" >want.tsv
  cut -f1 want.tsv | uniq | while read -r file; do
    python3 "$ROOT/test/tools/items.py" "$BID_SHARED" "$BID_BIN/bid-strip" "$file" 2>>errors
  done >got.tsv
  diff want.tsv got.tsv >difference || { head -n 20 difference; tail -n 3 errors; false; }
}

@test "a paragraph that a page break cuts is joined, the break stands inside it" {
  { n=0; for word in Anvils Hammers Tongs Bellows; do
      n=$((n + 1))
      echo "<p>$word are made in a smithy by people who know their trade and sell what they make to those who</p>"
      echo "<p align=center>$n</p><hr style=\"page-break-after:always\"><p>want to own $word of their own.</p>"
    done; } >p.htm
  bid-strip --raw p.htm >p.json
  equal "$(jq -r .text p.json | head -1)" \
    "Anvils are made in a smithy by people who know their trade and sell what they make to those who want to own Anvils of their own."
  equal "$(jq -r '.text as $t | .breaks[1:][] | $t[.offset:.offset + 11]' p.json | sort -u)" "want to own"
}

@test "headings whose numbers are missing or images are found by their titles, less surely" {
  cat >k.htm <<'HTML'
<p>FORM 10-K</p><p><b>Item 1. Business</b></p><p>Anvils.</p>
<p><img src="item1a.gif"></p><p><b>Risk Factors</b></p><p>They fall. Legal Proceedings may follow.</p>
<p><b>Item 2. Properties</b></p><p>A smithy.</p>
<p><b>Legal Proceedings</b></p><p>None.</p><p><b>Item 7. Management's Discussion and Analysis</b></p><p>Legal Proceedings cost us.</p>
HTML
  run --separate-stderr bid-strip --raw k.htm
  equal "$(jq -c '[.outline[] | select(.level == 2) | [.item, .confidence < 0.7]]' <<<"$output")" \
    '[["1",false],["1A",true],["2",false],["3",true],["7",false]]'
  cat >none.htm <<'HTML'
<p>FORM 10-K</p><p><b>Overview</b></p><p>Words.</p><p><b>Risk Factors</b></p><p>They fall.</p>
<p><b>Properties</b></p><p>A smithy.</p><p><b>Legal Proceedings</b></p><p>None.</p>
<p><b>Management's Discussion and Analysis</b></p><p>Well.</p>
HTML
  run --separate-stderr items none.htm
  equal "$(cut -d' ' -f1 <<<"$output" | tr '\n' ' ')" "1A 2 3 7 "
  echo '<p>FORM 10-K</p><p><b>Risk Factors</b></p><p>They fall.</p>' >one.htm
  equal "$(items one.htm)" ""
}

@test "a 10-KSB has its own numbers" {
  cat >ksb.txt <<'T'
<DOCUMENT>
<TYPE>10-KSB
<TEXT>
ITEM 5.  MARKET FOR COMMON EQUITY

None.

ITEM 6.  MANAGEMENT'S DISCUSSION AND ANALYSIS OR PLAN OF OPERATION

We plan.

ITEM 7.  FINANCIAL STATEMENTS

Attached.

ITEM 9.  DIRECTORS AND EXECUTIVE OFFICERS

One.
</TEXT>
</DOCUMENT>
T
  run items ksb.txt
  equal "$(cut -d' ' -f1 <<<"$output" | tr '\n' ' ')" "5 6 7 9 "
  equal "$(bid-strip --raw ksb.txt | jq '.outlineConfidence > 0.8')" true
}

@test "a plain-text 10-K of 1995: contents, headings over two lines and run in, drawn lines" {
  run --separate-stderr bid-strip --raw "$ROOT/test/data/10-K-1995.txt"
  equal "$(jq -r '.outline[] | select(.level < 3) | "\(.page) \(.item // "-") \(.title)"' <<<"$output")" \
    "1 - PART I
1 1 ITEM 1. BUSINESS
1 2 ITEM 2. PROPERTIES
2 3 ITEM 3. LEGAL PROCEEDINGS.
2 4 ITEM 4. SUBMISSION OF MATTERS TO A VOTE OF SECURITY HOLDERS
2 - PART II
2 5 ITEM 5. MARKET FOR REGISTRANT'S COMMON EQUITY AND RELATED STOCKHOLDER MATTERS
3 6 ITEM 6. SELECTED FINANCIAL DATA
3 7 ITEM 7. MANAGEMENT'S DISCUSSION AND ANALYSIS OF FINANCIAL CONDITION AND RESULTS OF OPERATIONS
3 8 ITEM 8. FINANCIAL STATEMENTS AND SUPPLEMENTARY DATA
4 9 ITEM 9. CHANGES IN AND DISAGREEMENTS WITH ACCOUNTANTS
4 - PART III
4 10 ITEM 10. DIRECTORS AND EXECUTIVE OFFICERS
4 - PART IV
4 14 ITEM 14. EXHIBITS, FINANCIAL STATEMENT SCHEDULES AND REPORTS ON FORM 8-K"
  text=$(jq -r .text <<<"$output")
  run ! grep -E '^(- )?[-=0-9i]+$' <<<"$text"
  contains "$text" $'## ITEM 3. LEGAL PROCEEDINGS.\n\nThe Company is sued by a coyote.'
  contains "$text" $'SECURITY HOLDERS\n\nNone.'
}

@test "headings with numbers and numbered paragraphs at a page's edge stay" {
  { for i in 1 2 3 4; do
      echo "<p><b>Proposal No. $i</b></p><p>Vote for it, says the board of anvils.</p><p>$i.</p><p>- $((i + 11)) -</p><hr style=\"page-break-after:always\">"
    done; echo '<p>The end.</p>'; } >p.htm
  bid-strip --raw p.htm >p.json
  equal "$(jq -r .text p.json | grep -c 'Proposal No')" 4
  equal "$(jq -r .text p.json | grep -cE '^[0-9]+\.$')" 4
  equal "$(jq -r .text p.json | grep -cE '^- ?[0-9]')" 0
  equal "$(jq -c '[.breaks[].page]' p.json)" '[12,13,14,15,16]'
}

@test "a report whose items only an index names has them by its pages, less surely" {
  run --separate-stderr bid-strip --raw "$ROOT/test/data/10-K-index.htm"
  [ "$status" -eq 0 ]
  equal "$(jq -r '.outline[] | select(.level == 2) | "\(.page) \(.item // "-") \(.title)"' <<<"$output")" \
    "3 1 A Year in Quarries
6 7 Our Results
8 7A Quantitative and Qualitative Disclosures about Market Risk
9 1A Risk Factors
10 1C Cybersecurity
11 2 Properties and People
11 3 Legal Proceedings
12 8 Report of Independent Registered Public Accounting Firm
14 9A Controls and Procedures
14 9B Other Information
15 - Form 10-K Cross-Reference Index
16 15 Exhibits"
  equal "$(jq -c '[.outlineConfidence, ([.outline[] | select(.level == 2) | .confidence] | max)] | map(. >= 0.5 and . < 0.7)' <<<"$output")" \
    '[true,true]'
  run --separate-stderr bid-strip --raw --items 1A,9B "$ROOT/test/data/10-K-index.htm"
  contains "$(jq -r .text <<<"$output")" "Two suppliers provide most of the copper"
  contains "$(jq -r .text <<<"$output")" "No director adopted a trading plan"
  run ! grep -E 'Item Number|audit committee hears' <<<"$output"
}

@test "an index of lines, its numbers without the word item, in front" {
  { echo '<html><body><p>FORM 10-K</p><p><b>FORM 10-K CROSS-REFERENCE INDEX</b></p><p>Part I</p>'
    printf '<p>%s</p>\n' '1. Business 4–5, 9' '1A. Risk Factors 6 – 7 (1)' '2. Properties 9' '3. Legal Proceedings 80' \
      'Part II' '7. Management’s Discussion and Analysis of Financial Condition and Results of Operations 2-3' \
      '7A. Quantitative and Qualitative Disclosures About Market Risk F-12' '8. Financial Statements and Supplementary Data 8'
    echo '<p align=center>1</p><hr style="page-break-after:always">'
    n=1
    for title in 'How we did' 'More of how we did' 'What we make' 'How we make it' 'Risk Factors' 'Other risks' 'Balance Sheet' 'Properties'; do
      n=$((n + 1))
      echo "<p><b>$title</b></p><p>Words of page $n, which tell of it at some length.</p><p align=center>$n</p><hr style='page-break-after:always'>"
    done; echo '<p>The end.</p></body></html>'; } >k.htm
  bid-strip --raw k.htm >k.json
  equal "$(jq -r '.outline[] | select(.level == 2) | "\(.page) \(.item // "-") \(.title)"' k.json)" \
    "2 7 How we did
4 1 What we make
6 1A Risk Factors
8 8 Balance Sheet
9 2 Properties"
}

@test "without pages an index goes by titles alone, and where items have headings it is not asked" {
  sed 's/<hr[^>]*>//; s/<p align="center">[0-9]*<.p>//' "$ROOT/test/data/10-K-index.htm" >nopages.htm
  bid-strip --raw nopages.htm >nopages.json
  equal "$(jq -c '[.breaks, ([.outline[] | select(.level == 2 and (.confidence >= 0.7 or .title == "Our Results"))] | length)]' nopages.json)" '[null,0]'
  ten_k >k.htm
  equal "$(items k.htm | wc -l)" 6
}

@test "running heads that name their item, and a table of contents at each part, cost no item" {
  local layout
  for layout in heads heads-link heads-only heads-part heads-alt heads-list repeat bare cover-toc; do
    python3 "$ROOT/test/tools/layouts.py" $layout >$layout.htm
    bid-strip --raw $layout.htm >got.json
    echo "$layout" >&2
    equal "$(jq -c '[.outline[] | .item // empty]' got.json)" \
      '["1","1A","1B","1C","2","3","4","5","6","7","7A","8","9","9A","9B","10","11","12","13","14","15","16"]'
    equal "$(jq -c '.text as $t | .outline as $o | [range(0; $o | length) as $i | $o[$i] | select(.item) |
        select(["1", "1A", "7", "8"] | index([$o[$i].item])) |
        [.item, ($t[.offset:([$o[$i + 1:][] | select(.level <= 2) | .offset][0])] | [scan("In item ([0-9A-C]+) ")[0]] | unique)]]' got.json)" \
      '[["1",["1"]],["1A",["1A"]],["7",["7"]],["8",["8"]]]'
  done
}

@test "an outline that skips Item 1 is doubted aloud" {
  python3 "$ROOT/test/tools/layouts.py" no-first >skip.htm
  run --separate-stderr bid-strip --raw skip.htm
  equal "$status" 0
  equal "$(jq ".outlineConfidence + 0" <<<"$output")" 0.5
  contains "$stderr" "an item that such a report has was not found"
  equal "$(jq -c '[.outline[] | .item // empty][:2]' <<<"$output")" '["1A","1B"]'
}

@test "of layouts drawn by chance none loses or shortens an item without being doubted" {
  run python3 "$ROOT/test/tools/layout_random.py" measure "$BID_BIN" 201 220
  echo "$output" >&2
  [ "$status" -eq 0 ]
  equal "$(tail -n 1 <<<"$output" | jq -c '[.reports, .silent, .whole >= 16]')" '[20,0,true]'
}

@test "a running head that looks more like a heading than the heading itself shortens no item" {
  python3 "$ROOT/test/tools/layout_random.py" show 2 >heads.htm
  bid-strip --raw heads.htm >got.json
  equal "$(jq -c '.text as $t | .outline as $o | [range(0; $o | length) as $i | $o[$i] | select(.item == ("1A", "8")) |
      [.item, ($t[.offset:([$o[$i + 1:][] | select(.level <= 2) | .offset][0])] | [scan("In item [^ ]+ we write")] | length)]]' got.json)" \
    '[["1A",30],["8",30]]'
}

@test "headings without the word item, in rows of tables, are found by number and title, and doubted aloud" {
  python3 "$ROOT/test/tools/layout_random.py" show 1 >untold.htm
  run --separate-stderr bid-strip --raw untold.htm
  equal "$status" 0
  equal "$(jq -c '[.outlineConfidence + 0, [.outline[] | .item // empty]]' <<<"$output")" \
    '[0.5,["1","1A","2","3","4","5","7","8","9","9A","10","11","12","13","14","15"]]'
  contains "$stderr" "the outline is doubtful"
}

@test "a report without an item that its table of contents names is doubted" {
  { echo '<p>FORM 10-K</p><table>'
    for i in "1. Business" "1A. Risk Factors" "1B. Unresolved Staff Comments" "2. Properties" "3. Legal Proceedings"; do
      echo "<tr><td>Item $i</td><td>5</td></tr>"
    done
    echo '</table>'
    for i in "1. Business" "1A. Risk Factors" "2. Properties" "3. Legal Proceedings"; do
      echo "<p><b>Item $i</b></p><p>Of this we have much to say, and say it here.</p>"
    done; } >k.htm
  equal "$(bid-strip --raw k.htm 2>/dev/null | jq -c '[.outlineConfidence + 0, [.outline[] | .item // empty]]')" '[0.5,["1","1A","2","3"]]'
  sed '/1B/d' k.htm >whole.htm
  equal "$(bid-strip --raw whole.htm 2>/dev/null | jq '.outlineConfidence > 0.8')" true
}

@test "statements, the auditor's report and the notes stand side by side, numbered notes below theirs" {
  need_shared
  bid-strip --raw "$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm" |
    jq -r '.outline[] | "\(.level) \(.title)"' >outline
  run grep -i -E 'statements of|balance sheets|^. notes to|^. report of independent|^. note (1|13) ' outline
  equal "$output" "3 CONSOLIDATED STATEMENTS OF OPERATIONS
3 CONSOLIDATED STATEMENTS OF COMPREHENSIVE INCOME
3 CONSOLIDATED BALANCE SHEETS
3 CONSOLIDATED STATEMENTS OF SHAREHOLDERS’ EQUITY
3 CONSOLIDATED STATEMENTS OF CASH FLOWS
3 Notes to Consolidated Financial Statements
4 Note 1 – Summary of Significant Accounting Policies
4 Note 13 – Segment Information and Geographic Data
3 Report of Independent Registered Public Accounting Firm
3 Report of Independent Registered Public Accounting Firm"
  equal "$(grep -A1 'Note 7 ' outline)" "4 Note 7 – Income Taxes
5 European Commission State Aid Decision"
}

@test "a statement's name inside a note, or above selected data, heads a part of these alone" {
  cat >note.html <<'HTML'
<p><b>NOTES TO FINANCIAL STATEMENTS</b></p><p>These notes belong to the statements above.</p>
<p><b>1. Debt</b></p><p>We owe the bank two million dollars, due in five years.</p>
<p><i>Balance Sheet</i></p><p>The table shows where our debt stands in it.</p>
<p><b>2. Leases</b></p><p>We lease two kilns from the city.</p>
HTML
  equal "$(bid-strip --raw note.html | jq -r '.outline[] | "\(.level) \(.title)"')" "3 NOTES TO FINANCIAL STATEMENTS
4 1. Debt
5 Balance Sheet
4 2. Leases"
  cat >data.html <<'HTML'
<p><b>Statement of Operations Data:</b></p><p>Sales of the last five years stand here.</p>
<p><b>RISK FACTORS</b></p><p>Kilns burn, and what they burn gets dearer.</p>
HTML
  equal "$(bid-strip --raw data.html | jq -r '.outline[1] | "\(.level) \(.title)"')" "3 RISK FACTORS"
}

@test "statements behind Item 16 of a 10-K are those of Item 8 that refers to them, with the notes and their numbers" {
  need_shared
  behind() { bid-strip -q --raw "$1" | jq -r '.outline[] | select(.level < 4) | "\(.level) \(.item // "-") \(.title[0:52])"' | sed -n '/^2 16 /,$p'; }
  run -0 behind "$BID_SHARED/upstream/filings/nflx/10-K-2025-01-27.htm"
  contains "$output" "2 8 CONSOLIDATED STATEMENTS OF CASH FLOWS"
  contains "$output" "2 8 NOTES TO CONSOLIDATED FINANCIAL STATEMENTS
3 - 1.Organization and Summary of Significant Accounting
3 - 2.Revenue Recognition"
  contains "$output" "2 - EXHIBIT INDEX"
  run -0 bid-strip -q --raw --items 16 "$BID_SHARED/upstream/filings/nflx/10-K-2025-01-27.htm"
  [[ $output != *"Cost of revenues"* ]]
  run -0 behind "$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data/1009672/000156459018004771/crr-10k_20171231.htm"
  contains "$output" "2 8 CONSOLIDATED BALANCE SHEETS"
  # Where Item 8 has the statements itself, nothing behind Item 16 is taken for them.
  equal "$(bid-strip -q --raw "$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data/320193/000032019324000123/aapl-20240928.htm" | jq -c '[.outline[] | select(.item == "8")] | length')" 1
}

@test "a doubtful outline of a file is told by the file's name" {
  { echo '<p>FORM 10-K</p>'; for i in 2 3 5 7; do
      echo "<p><b>Item $i. Properties</b></p>"
      for _ in $(seq 40); do echo "<p>The smithy of item $i stands at the river and makes anvils that are sold in all the towns along it.</p>"; done
    done; } >noitem1.htm
  run --separate-stderr bid-strip --raw noitem1.htm
  contains "$stderr" "bid-strip: noitem1.htm: the outline is doubtful"
}

# A report with each item's heading written as a printf format of its number, of its title behind.
spelled() {
  python3 - "$1" <<'PY'
import sys
items = [("1", "Business"), ("1A", "Risk Factors"), ("1B", "Unresolved Staff Comments"), ("1C", "Cybersecurity"), ("2", "Properties"),
         ("3", "Legal Proceedings"), ("5", "Market for Registrant's Common Equity"), ("7", "Management's Discussion and Analysis of Financial Condition and Results of Operations"),
         ("7A", "Quantitative and Qualitative Disclosures About Market Risk"), ("8", "Financial Statements and Supplementary Data"),
         ("9A", "Controls and Procedures"), ("10", "Directors, Executive Officers and Corporate Governance"), ("15", "Exhibits and Financial Statement Schedules")]
words = "- One Two Three - Five - Seven Eight Nine Ten - - - - Fifteen".split()
roman = "- I II III - V - VII VIII IX X - - - - XV".split()
print("<p><b>FORM 10-K</b></p><p>ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d)</p><p>For the fiscal year ended December 31, 2024</p>")
for number, title in items:
    digits = number.rstrip("ABC")
    print("<p><b>%s</b></p>" % sys.argv[1].format(n=number, d=digits, dash="-".join([digits, number[len(digits):]]).rstrip("-"), t=title, T=title.upper(),
          word=words[int(digits)] + (" " + number[len(digits):]).rstrip(), roman=roman[int(digits)] + number[len(digits):], apart=(digits + " " + number[len(digits):]).rstrip()))
    print(("<p>" + "Ordinary words fill a paragraph of the report here. " * 12 + "</p>") * 4)
PY
}

@test "headings of items in many spellings are found" {
  all='1 1A 1B 1C 2 3 5 7 7A 8 9A 10 15'
  while IFS= read -r spelling; do
    spelled "$spelling" >report.htm
    equal "$spelling: $(bid-strip -r report.htm | jq -r '[.outline[] | select(.item).item] | join(" ")')" "$spelling: $all"
  done <<'EOF'
Item {n}. {t}
Item No. {n}. {t}
ITEM NUMBER {n} {t}
ITEM ({n}) {t}
[Item {n}] {t}
(Item {n}) {t}
&ldquo;Item {n}.&rdquo; {t}
&bull; Item {n}. {t}
&mdash; Item {n} &mdash; {t}
Item {dash}. {t}
Item {n}{T}
Item 0{n}. {t}
ITEM #{n}: {t}
Item {word}. {t}
Item {roman}. {t}
ITEM {apart} &ndash; {t}
ITEM {apart} {T}
ltem {n}. {t}
EOF
}

@test "the form of a text is known from its cover, whose lines are joined; a number's decimals may stand apart" {
  {
    printf '%20s\n' 'UNITED STATES' 'SECURITIES AND EXCHANGE COMMISSION' 'Washington, D.C. 20549' 'FORM 10-K' ''
    spelled 'Item {n}. {t}' | sed 1d | sed 's/<[^>]*>//g; s/$/\n/'
  } >report.txt
  equal "$(bid-strip -r report.txt | jq -r '[.outline[] | select(.item).item] | join(" ")')" '1 1A 1B 1C 2 3 5 7 7A 8 9A 10 15'
  printf '<p><b>FORM 8-K</b></p><p>CURRENT REPORT</p><p><b>Item 5. 02 &ndash; Departure of Directors</b></p><p>Ida Lie left.</p><p><b>Item 9. 01 &ndash; Exhibits</b></p><p>None.</p>' >event.htm
  equal "$(bid-strip -r event.htm | jq -r '[.outline[] | select(.item).item] | join(" ")')" '5.02 9.01'
}

@test "an outline is doubtful where a line names an item that lies inside another" {
  spelled 'Item {n}. {t}' | sed 's/<b>Item 9A\. /<b>Item \&sect;9A: /' >report.htm
  run --separate-stderr bid-strip -r report.htm
  equal "$(jq '.outlineConfidence <= .5' <<<"$output")" true
  contains "$stderr" "the outline is doubtful"
}

@test "two items in one heading of the singular are both known" {
  spelled 'Item {n}. {t}' | sed 's/Item 1\. Business/Item 1 \&amp; 2. Business and Properties/; s/<p><b>Item 2\. Properties<\/b><\/p>//' >report.htm
  equal "$(bid-strip -r report.htm | jq -r '[.outline[] | select(.item) | .item] | join(" ")')" '1 1A 1B 1C 3 5 7 7A 8 9A 10 15'
  equal "$(bid-strip -r --items 2 report.htm | jq -r '.outline[0].title')" 'Item 1 & 2. Business and Properties'
}

@test "an outline is doubtful where an item is missing whose neighbour is there" {
  spelled 'Item {n}. {t}' >whole.htm
  equal "$(bid-strip -r whole.htm | jq '.outlineConfidence > .9')" true
  for n in 1 1A 1B 2 3 7 8; do
    sed "s/<b>Item $n\. /<b>Chapter $n: /" whole.htm >report.htm
    run --separate-stderr bid-strip -r report.htm
    equal "$n: $(jq '.outlineConfidence <= .5' <<<"$output")" "$n: true"
    contains "$stderr" "the outline is doubtful"
  done
}
