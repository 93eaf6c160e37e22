# bid-strip: manners, types of content, options, errors.

load helper

# record TEXT [TYPE]: a payload of that content.
record() {
  jq -cn --arg t "$1" --arg c "${2-text/html}" '{rawContent: $t, contentType: $c, sourceUrl: "https://x.test/a"}'
}

strip() { record "$@" | bid-strip; }
text_of() { strip "$@" | jq -r .text; }

@test "a bad line becomes an error record and the next line a document" {
  run --separate-stderr bid-strip < <(printf 'garbage\n{"rawContent":"<p>x</p>","contentType":"text/html"}\n')
  [ "$status" -eq 1 ]
  equal "$(jq -c '[has("error"), .text]' <<<"$output")" '[true,null]
[false,"x\n"]'
  contains "$stderr" "bid-strip: stdin:1: "
}

@test "other fields pass on byte for byte, metadata is kept and filled" {
  run --separate-stderr bid-strip <<'R'
{"n":1.0000000000000000001,"rawContent":"<title>T</title><p>x</p>","sourceUrl":"u","metadata":{"company":"A","size":1e2},"query":"q"}
R
  [ "$status" -eq 0 ]
  contains "$output" '{"n":1.0000000000000000001,'
  contains "$output" '"query":"q"'
  contains "$output" '"metadata":{"company":"A","size":1e2,"title":"T"}'
  equal "$(jq -c '[has("rawContent"), .sourceUrl, .text]' <<<"$output")" '[false,"u","x\n"]'
}

@test "error records pass through untouched" {
  line='{"error":{"category":"unavailable","message":"m","stage":"fetch"},"x":1.50}'
  run --separate-stderr bid-strip <<<"$line"
  equal "$output" "$line"
}

@test "a full disk is no success" {
  [ -e /dev/full ] || skip "no /dev/full here"
  run --separate-stderr bash -c 'echo "{\"rawContent\":\"<p>x</p>\"}" | bid-strip >/dev/full'
  [ "$status" -eq 74 ]
}

@test "usage errors exit 64 and name the word" {
  for o in --tables=foo --items=, --max-bytes=0 --nonsense; do
    run --separate-stderr bid-strip "$o" </dev/null
    [ "$status" -eq 64 ]
    contains "$stderr" "bid-strip --help"
    [ -z "$output" ]
  done
}

@test "--raw: a missing file warns, status 66, the others are read" {
  echo '<p>here</p>' >a.html
  run --separate-stderr bid-strip --raw missing.html a.html
  [ "$status" -eq 66 ]
  contains "$stderr" "missing.html: No such file"
  equal "$(jq -r .text <<<"$output")" "here"
  equal "$(jq -r .sourceUrl <<<"$output")" "file://$PWD/a.html"
  equal "$(jq -r .sha256 <<<"$output")" "$(sha256sum a.html | cut -d' ' -f1)"
}

@test "--raw reads stdin where no file is named" {
  run --separate-stderr bid-strip --raw <<<"plain words"
  equal "$(jq -r .text <<<"$output")" "plain words"
}

@test "a payload without content, bad base64 and empty content are error records" {
  run --separate-stderr bid-strip <<'R'
{"sourceUrl":"a"}
{"rawContent":"@@@","rawEncoding":"base64","sourceUrl":"b"}
{"rawContent":"  \n","sourceUrl":"c"}
{"rawContent":"R0lGODlhAQABAIAAAAAAAP///w==","rawEncoding":"base64","sourceUrl":"d"}
{"rawContent":"<img src=x.gif>","contentType":"text/html","sourceUrl":"e"}
R
  [ "$status" -eq 1 ]
  equal "$(jq -r .error.category <<<"$output" | tr '\n' ' ')" \
    "invalid-request invalid-request no-content no-content no-content "
  equal "$(jq -r '.error.sourceUrl // "-"' <<<"$output" | tr -d '\n')" "-bcde"
}

@test "a field whose name is written with escapes is the same field" {
  run --separate-stderr bid-strip <<<'{"raw\u0043ontent":"<p>a\n\"b\" \u0041","te\u0078t":"old","n\u0061me":1.50}'
  equal "$status" 0
  equal "$(jq -r .text <<<"$output")" 'a "b" A'
  equal "$(jq -c 'keys' <<<"$output")" '["metadata","name","outline","text"]'
  equal "$(grep -c '"old"\|Content' <<<"$output")" 0
  contains "$output" '"n\u0061me":1.50'
}

@test "metadata that is no object is refused and said where; null is none" {
  for bad in '"ACME"' '["ACME"]' 12 true; do
    printf '%s\n' '{"rawContent":"one","sourceUrl":"a"}' '{"source":"s","sourceUrl":"b","rawContent":"two","metadata":'"$bad"'}' \
      '{"rawContent":"three","metadata":null}' '{"rawContent":"four","metadata":{}}' >in
    run --separate-stderr bid-strip in
    equal "$status" 1
    equal "$(jq -r '.text // .error.category' <<<"$output" | tr -s '\n' ' ')" "one invalid-request three four "
    equal "$(jq -r '.error | select(.) | .source + .sourceUrl' <<<"$output")" sb
    contains "$stderr" "bid-strip: in:2: metadata is a "
    contains "$stderr" "has to be an object"
  done
}

@test "content decides the type, not the declaration" {
  equal "$(text_of '<html><p>a</p><p>b</p></html>' text/plain)" $'a\n\nb'
  equal "$(text_of '{"name":"x","rows":[{"a":1},{"a":2}]}' text/html | head -1)" "- **Name:** x"
  contains "$(text_of '<?xml version="1.0"?><doc><issuerName>A &amp; B</issuerName></doc>' text/plain)" \
    "- **Issuer name:** A & B"
  equal "$(text_of 'a line
of text' text/html)" "a line of text"
}

@test "CSV becomes a table, quoted commas and line ends in cells and all" {
  want='| a | b |
| --- | --- |
| 1,5 | two "q" |
| x y | \| |'
  equal "$(text_of $'a,b\r\n"1,5","two ""q"""\r\n"x\ny",|\r\n' text/csv)" "$want"
}

@test "tabs separate as commas do" {
  equal "$(text_of $'a\tb\n(5)\t1,5\n' text/tab-separated-values)" $'| a | b |\n| --- | --- |\n| (5) | 1,5 |'
}

@test "Markdown: headings, tables, lists; marks of emphasis and links go, in any encoding" {
  want='### Memo

Debt fell to €41.2m, see the note.

| EURm | 2025 | 2024 |
| --- | ---: | ---: |
| EBITDA | 61.2 | 58.0 |

#### Outlook

- Prices up

1 < 2 && 3'
  memo='# Memo

Debt fell to **€41.2m**, see [the note](x.html).

| EURm | 2025 | 2024 |
|------|-----:|-----:|
| EBITDA | 61.2 | 58.0 |

Outlook
-------
* Prices up

1 < 2 && 3
'
  equal "$(text_of "$memo" text/markdown)" "$want"
  printf '%s' "$memo" | iconv -t UTF-16 >memo.md
  equal "$(bid-strip --raw --type=markdown memo.md | jq -r .text)" "$want"
  printf '%s' "$memo" | iconv -t WINDOWS-1252 >memo.md
  equal "$(bid-strip --raw memo.md | jq -r .text)" "$want"
  contains "$(bid-strip --raw memo.md | jq -c .outline)" '"title":"Outlook"'
}

@test "Markdown: a script is no text, and an empty page says so" {
  equal "$(text_of $'a\n\n<script>alert(1)</script>\n\n<b>b</b>' text/markdown)" $'a\n\nb'
  run --separate-stderr bid-strip --raw --type=markdown - <<<'>>>>'
  equal "$status" 1
  contains "$stderr" "the document shows no text"
}

@test "JSON keeps digits, turns columns into rows, shows nested objects under headings" {
  out=$(text_of '{"entityName":"E","v":12345678901234567890.10,"recent":{"form":["4","8-K"],"size":[1,2]}}' application/json)
  contains "$out" "12345678901234567890.10"
  contains "$out" "## Recent"
  contains "$out" "| 8-K | 2 |"
}

@test "ownership XML: issuer, transactions as rows, codes in words, footnotes" {
  cat >4.xml <<'X'
<?xml version="1.0"?><ownershipDocument><documentType>4</documentType><periodOfReport>2025-01-10</periodOfReport>
<issuer><issuerCik>0000001750</issuerCik><issuerName>AAR CORP</issuerName><issuerTradingSymbol>AIR</issuerTradingSymbol></issuer>
<reportingOwner><reportingOwnerRelationship><isOfficer>1</isOfficer></reportingOwnerRelationship></reportingOwner>
<nonDerivativeTable><nonDerivativeTransaction><securityTitle><value>Common</value></securityTitle>
<transactionCoding><transactionCode>S</transactionCode><equitySwapInvolved>0</equitySwapInvolved><footnoteId id="F2"/></transactionCoding>
<transactionAmounts><transactionPricePerShare><value>66.903</value><footnoteId id="F1"/></transactionPricePerShare></transactionAmounts>
</nonDerivativeTransaction></nonDerivativeTable><footnotes><footnote id="F1">A mean.</footnote><footnote id="F2">Under a plan.</footnote></footnotes></ownershipDocument>
X
  run --separate-stderr bid-strip --raw 4.xml
  equal "$(jq -c '.metadata' <<<"$output")" \
    '{"company":"AAR CORP","ticker":"AIR","cik":"0000001750","form":"4","reportDate":"2025-01-10"}'
  contains "$(jq -r .text <<<"$output")" "| Common | S (open market or private sale) [F2] | no | 66.903 [F1] |"
  contains "$(jq -r .text <<<"$output")" "- **Is officer:** yes"
  contains "$(jq -r .text <<<"$output")" "- **F1:** A mean."
}

@test "XML of a web form: labels have no marks of its controls, and numbers stand apart from abbreviations" {
  cat >ats.xml <<'X'
<?xml version="1.0"?><edgarSubmission><formData><cover><txNMSStockATSName>Cross X</txNMSStockATSName>
<rbOperatesPursuantToFormATS>N</rbOperatesPursuantToFormATS></cover><partOne><txPart1Item2ATSName>Broker Inc.</txPart1Item2ATSName>
<cbPart1Item8Exhibit>false</cbPart1Item8Exhibit><taPart3Item19aFees>None.</taPart3Item19aFees><txtPart1Item5cMPID>MLIX</txtPart1Item5cMPID>
<tableauName>Kept</tableauName></partOne></formData></edgarSubmission>
X
  run --separate-stderr bid-strip --raw ats.xml
  local text label
  text=$(jq -r .text <<<"$output")
  for label in "NMS stock ATS name" "Operates pursuant to form ATS" "Part 1 item 2 ATS name" "Part 1 item 8 exhibit" \
    "Part 3 item 19a fees" "Part 1 item 5c MPID" "Tableau name"; do
    contains "$text" "- **$label:** "
  done
}

@test "a part of a submission without text is named, and its pictures are counted" {
  printf '%s\n' '<DOCUMENT>' '<TYPE>8-K' '<SEQUENCE>1' '<FILENAME>a.htm' '<TEXT>' '<html><p>First</p></html>' '</TEXT>' '</DOCUMENT>' \
    '<DOCUMENT>' '<TYPE>EX-99.1' '<SEQUENCE>2' '<FILENAME>press.htm' '<TEXT>' '<html><img src="p1.jpg"><IMG src="p2.jpg"></html>' '</TEXT>' \
    '</DOCUMENT>' >s.txt
  run --separate-stderr bid-strip --raw s.txt
  contains "$stderr" "EX-99.1 press.htm: the document has 2 pictures and no text"
  equal "$(jq -r 'select(.error) | .error.category' <<<"$output")" no-content
}

@test "XML with a document type and its entities expands none of them" {
  printf '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "boom"><!ENTITY c SYSTEM "file:///etc/passwd">]><a><t>x &b;&c; y</t></a>' >e.xml
  run --separate-stderr bid-strip --raw e.xml
  contains "$(jq -r .text <<<"$output")" "x &b;&c; y"
}

submission() {
  printf '%s\n' '<SEC-DOCUMENT>0000000001-20-000001.txt : 20200102' '<SEC-HEADER>x' \
    '<ACCEPTANCE-DATETIME>20200102160703' 'ACCESSION NUMBER:		0000000001-20-000001' \
    'CONFORMED SUBMISSION TYPE:	8-K' 'CONFORMED PERIOD OF REPORT:	20200101' 'FILED AS OF DATE:		20200102' \
    'FILER:' '	COMPANY DATA:	' '		COMPANY CONFORMED NAME:			ACME CORP' \
    '		CENTRAL INDEX KEY:			0000000042' '</SEC-HEADER>' \
    '<DOCUMENT>' '<TYPE>8-K' '<SEQUENCE>1' '<FILENAME>a.htm' '<TEXT>' '<html><p>First</p></html>' '</TEXT>' '</DOCUMENT>' \
    '<DOCUMENT>' '<TYPE>GRAPHIC' '<FILENAME>x.jpg' '<TEXT>' 'begin 644 x.jpg' '#0V%T' '`' 'end' '</TEXT>' '</DOCUMENT>' \
    '<DOCUMENT>' '<TYPE>EX-99.1' '<FILENAME>b.txt' '<DESCRIPTION>PRESS' '<TEXT>' 'Second part' '</TEXT>' '</DOCUMENT>' \
    '<DOCUMENT>' '<TYPE>ZIP' '<FILENAME>x.zip' '<TEXT>' 'begin 644 x.zip' '#0V%T' '`' 'end' '</TEXT>' '</DOCUMENT>' \
    '</SEC-DOCUMENT>'
}

@test "a full submission is a document a part, the rest is left out and counted" {
  submission >s.txt
  run --separate-stderr bid-strip --raw s.txt
  [ "$status" -eq 0 ]
  equal "$(jq -r '[.text, .metadata.documentType, .metadata.part] | @tsv' <<<"$output")" 'First\n	8-K	1
Second part\n	EX-99.1	3'
  equal "$(jq -r .sourceUrl <<<"$output" | sed 's/.*#//')" $'a.htm\nb.txt'
  equal "$(head -1 <<<"$output" | jq -c .metadata)" '{"company":"ACME CORP","cik":"0000000042","form":"8-K","filingDate":"2020-01-02","acceptanceDateTime":"2020-01-02T21:07:03Z","reportDate":"2020-01-01","accessionNumber":"0000000001-20-000001","primaryDocument":"a.htm","documentType":"8-K","fileName":"a.htm","part":1,"omitted":{"graphic":1,"zip":1}}'
}

@test "the time of acceptance is New York's in the header and UTC in the record" {
  while read -r header want; do
    submission | sed "s/20200102160703/$header/" >s.txt
    equal "$(bid-strip --raw s.txt | head -1 | jq -r .metadata.acceptanceDateTime)" "$want"
  done <<'EOF'
20240310015959 2024-03-10T06:59:59Z
20240310030000 2024-03-10T07:00:00Z
20241103005959 2024-11-03T04:59:59Z
20241103020000 2024-11-03T07:00:00Z
20251231231519 2026-01-01T04:15:19Z
20060402030000 2006-04-02T07:00:00Z
20061029010000 2006-10-29T05:00:00Z
20061029020000 2006-10-29T07:00:00Z
20060315120000 2006-03-15T17:00:00Z
20000511000000 null
20201302160703 null
2020010216070 null
EOF
}

@test "a submission with CR line ends, in a PEM envelope, with its end cut off" {
  submission | tr '\n' '\r' >cr.nc
  { printf -- '-----BEGIN PRIVACY-ENHANCED MESSAGE-----\nProc-Type: 2001,MIC-CLEAR\n\n'; submission
    echo '-----END PRIVACY-ENHANCED MESSAGE-----'; } >pem.txt
  submission | sed '/^Second/q' >cut.txt
  for f in cr.nc pem.txt cut.txt; do
    run --separate-stderr bid-strip --raw $f
    [ "$status" -eq 0 ]
    equal "$(jq -r .text <<<"$output" | tr '\n' ' ')" "First  Second part  "
  done
}

@test "company and period come from the cover page where nothing else has them" {
  cat >k.htm <<'HTML'
<p>FORM 10-K</p><p>For the fiscal year ended December&nbsp;31, 2015</p><p><b>ACME, INC.</b></p>
<p>(Exact name of registrant as specified in its charter)</p><p><b>Item 1. Business</b></p><p>Anvils.</p>
HTML
  equal "$(bid-strip --raw k.htm | jq -c .metadata)" \
    '{"company":"ACME, INC.","form":"10-K","reportDate":"2015-12-31"}'
  equal "$(jq -cn --rawfile t k.htm '{rawContent: $t, metadata: {company: "Other"}}' | bid-strip | jq -r .metadata.company)" Other
}

@test "a document that came without its submission says its form by its type, and its company on any cover" {
  page='<html><body><p>SCHEDULE 14A</p><p>180 DEGREE CAPITAL CORP.</p><p>(Name of Registrant as Specified In Its Charter)</p></body></html>'
  part() { # TYPE: the main document as a source that splits submissions hands it on
    jq -cn --arg t "$page" --arg k "$1" \
      '{rawContent: $t, contentType: "text/html", sourceUrl: "https://x.test/a#part=1", metadata: {documentType: $k, part: 1}}' | bid-strip
  }
  equal "$(part 'DEF 14A' | jq -c '.metadata | [.form, .company]')" '["DEF 14A","180 DEGREE CAPITAL CORP."]'
  equal "$(part 6-K | jq -c '.metadata | [.form, .company]')" '["6-K","180 DEGREE CAPITAL CORP."]'
  equal "$(part EX-99.1 | jq -c '.metadata | [.form, .company]')" '[null,null]'
}

@test "a cover page whose lines ran together still says form, company, period and ticker" {
  cat >cover.txt <<'EOF'
FORM 10-Q QUARTERLY REPORT PURSUANT TO SECTION 13 or 15(d)
OF THE SECURITIES EXCHANGE ACT OF 1934 FOR THE QUARTER ENDED JUNE 30, 2025

1-2360 (Commission file number) ANVIL BUSINESS MACHINES CORPORATION (Exact name of registrant as specified in its charter)

      Title of each class               Trading symbol(s)       Name of each exchange on which registered
  Common stock, par value $.20 per share      ABM                   New York Stock Exchange
EOF
  equal "$(bid-strip --raw cover.txt | jq -c '.metadata | [.form, .company, .reportDate, .ticker]')" \
    '["10-Q","ANVIL BUSINESS MACHINES CORPORATION","2025-06-30","ABM"]'
  printf 'FORM 10-K/A\n(Amendment No. 1)\n(Mark One)\n\nFor the fiscal year ended December 31, 2024 OR\n\nCommission File Number 1-6075 Anvil, Inc. (Exact name of registrant as specified in its charter)\n\n\f2\n' >amended.txt
  equal "$(bid-strip --raw amended.txt | jq -c '.metadata | [.form, .company, .reportDate, .ticker]')" \
    '["10-K/A","Anvil, Inc.","2024-12-31",null]'
  printf 'SCHEDULE 14A (Rule 14a-101)\n\n  x   Definitive Proxy Statement\n\n3Anvil Corp. (Name of Registrant as Specified In Its Charter)\n' >proxy.txt
  equal "$(bid-strip --raw proxy.txt | jq -c '.metadata | [.form, .company]')" '["DEF 14A","3Anvil Corp."]'
  # Prose about a form is no cover.
  printf 'We filed a report.\n\nForm 10-K was late this year, as our auditors told the board of anvils in May.\n' >prose.txt
  equal "$(bid-strip --raw prose.txt | jq -c '.metadata | [.form, .company]')" '[null,null]'
}

@test "plain text of the 1990s: pages, tables by their column marks, lines joined" {
  cat >p.txt <<'T'
<PAGE>   1
                              ACME CORP

     This is a paragraph that
runs over lines and a long-
standing hyphen.

<TABLE>
<CAPTION>
              (in millions)
                       Three Months          Six Months
                       ------------          ----------
                      1999     1998        1999     1998
                      ----     ----        ----     ----
<S>                <C>      <C>         <C>      <C>
Sales...........   $    10  $     9     $    20  $    18
Loss                    (2)      (1)         (4)      (3)
  Net:
Result                   8        8          16       15
                      ====     ====        ====     ====
<FN>
(a) A footnote.
</TABLE>
<PAGE>   2
The second page.
T
  run --separate-stderr bid-strip --raw p.txt
  equal "$(jq -r .text <<<"$output")" '### ACME CORP

This is a paragraph that runs over lines and a long-standing hyphen.

(in millions)

|  | Three Months 1999 | Three Months 1998 | Six Months 1999 | Six Months 1998 |
| --- | --- | --- | --- | --- |
| Sales | $10 | $9 | $20 | $18 |
| Loss | (2) | (1) | (4) | (3) |
|   Net: |  |  |  |  |
| Result | 8 | 8 | 16 | 15 |

(a) A footnote.

The second page.'
  equal "$(jq -c '[.breaks[].page]' <<<"$output")" '[1,2]'
}

@test "a typewritten table whose values don't fit its marks stays aligned text" {
  printf '<TABLE>\n<S>      <C>\nSales    1   2\nLoss     3   4\n</TABLE>\nUnmarked  1999  1998\nSales        5     6\n' >t.txt
  run --separate-stderr bid-strip --raw t.txt
  equal "$(jq -r .text <<<"$output")" '```
Sales    1   2
Loss     3   4
```

```
Unmarked  1999  1998
Sales        5     6
```'
}

@test "--plain leaves no marks, --tables chooses" {
  doc='<h1>Head</h1><p><b>Bold</b> text</p><table border=1><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>'
  run ! grep -E '[#*|]' <<<"$(record "$doc" | bid-strip --plain --tables=text | jq -r .text)"
  contains "$(text_of "$doc")" "| 1 | 2 |"
  run ! grep -F 1 <<<"$(record "$doc" | bid-strip --tables=drop | jq -r .text)"
}

@test "--max-bytes cuts at a block's end and says so" {
  doc=$(for i in $(seq 100); do echo "<p>paragraph $i of some length</p>"; done)
  run --separate-stderr bid-strip --max-bytes 500 < <(record "$doc")
  [ "$status" -eq 0 ]
  equal "$(jq -c '[.metadata.truncated, (.text | length) <= 500, (.text | endswith(" length\n"))]' <<<"$output")" '[true,true,true]'
}

@test "--items: an item that is nowhere is an error, a found one is all that is left" {
  doc='<p>FORM 8-K</p><p><b>Item 5.02 Departure</b></p><p>gone</p><p><b>Item 9.01 Exhibits</b></p><p>none</p>'
  run --separate-stderr bid-strip --items 5.02 < <(record "$doc")
  equal "$(jq -c '[.text, .outline[0].offset]' <<<"$output")" '["## Item 5.02 Departure\n\ngone\n",0]'
  run --separate-stderr bid-strip --items 1A < <(record "$doc")
  [ "$status" -eq 1 ]
  contains "$output" '"category":"no-content"'
}

@test "a PDF gives its text, a broken one an error" {
  need pdftotext
  need_shared
  run --separate-stderr bid-strip --raw "$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data/320193/000000000024003505/filename1.pdf"
  [ "$status" -eq 0 ]
  contains "$(jq -r .text <<<"$output")" "Dear Luca Maestri:"
  equal "$(jq .metadata.pages <<<"$output")" 2
  printf '%%PDF-1.7\nthis is none\n' >bad.pdf
  run --separate-stderr bid-strip --raw bad.pdf
  [ "$status" -eq 1 ]
  contains "$(jq -r .error.message <<<"$output")" "PDF is broken"
}

@test "a PDF without text is said to be scanned, one with a password to be encrypted" {
  need pdftotext
  need python3
  python3 "$ROOT/test/tools/pdf.py" empty >empty.pdf
  python3 "$ROOT/test/tools/pdf.py" encrypted >locked.pdf
  run --separate-stderr bid-strip --raw empty.pdf
  contains "$output" "scanned images"
  contains "$output" '"category":"no-content"'
  run --separate-stderr bid-strip --raw locked.pdf
  contains "$output" "encrypted"
  contains "$output" '"category":"auth-failed"'
}

@test "without pdftotext a PDF is an error that says what is missing" {
  mkdir none
  run --separate-stderr env PATH="$PWD/none" "$BID_BIN/bid-strip" --raw <<<'%PDF-1.4'
  [ "$status" -eq 1 ]
  contains "$output" "pdf"
}

@test "--stats counts documents" {
  run --separate-stderr bid-strip --stats < <(record '<p>x</p>')
  equal "$(jq -c '[.documents, .textBytes]' <<<"$stderr")" '[1,2]'
}

@test "every recorded file goes through; offsets lie in the text and rise" {
  need_shared
  need python3
  find "$BID_SHARED/upstream" -type f | sort >files
  python3 "$ROOT/test/tools/through.py" "$BID_BIN/bid-strip" <files
}

@test "a fund's monthly report (N-PORT): holdings as rows, the fund and its day as metadata" {
  cat >nport.xml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<edgarSubmission xmlns="http://www.sec.gov/edgar/nport"><headerData><submissionType>NPORT-P</submissionType></headerData>
<formData><genInfo><regName>Harbour Funds Trust</regName><regCik>0009990009</regCik><seriesName>Harbour Bond Fund</seriesName><repPdEnd>2025-12-31</repPdEnd><repPdDate>2025-09-30</repPdDate></genInfo>
<invstOrSecs>
<invstOrSec><name>Apple Inc</name><lei>HWUPKR0MPOU8FGXBT394</lei><title>Apple Inc</title><cusip>037833100</cusip><identifiers><isin value="US0378331005"/></identifiers><balance>1500.00</balance><units>NS</units><curCd>USD</curCd><valUSD>382000.50</valUSD><pctVal>1.2345</pctVal><payoffProfile>Long</payoffProfile><assetCat>EC</assetCat></invstOrSec>
<invstOrSec><name>United States Treasury Note</name><lei>254900HROIFWPRGM1V77</lei><title>UST 4.5% 2033</title><cusip>91282CJJ1</cusip><identifiers><isin value="US91282CJJ18"/></identifiers><balance>200000.00</balance><units>PA</units><curCd>USD</curCd><valUSD>201100.00</valUSD><pctVal>0.6543</pctVal><payoffProfile>Long</payoffProfile><assetCat>DBT</assetCat><debtSec><maturityDt>2033-11-15</maturityDt><couponKind>Fixed</couponKind><annualizedRt>4.5</annualizedRt><isDefault>N</isDefault></debtSec></invstOrSec>
</invstOrSecs></formData></edgarSubmission>
XML
  run --separate-stderr bid-strip --raw nport.xml
  equal "$status" 0
  equal "$(jq -c .metadata <<<"$output")" '{"company":"Harbour Funds Trust","cik":"0009990009","form":"NPORT-P","reportDate":"2025-09-30"}'
  contains "$(jq -r .text <<<"$output")" '| Name | LEI | Title | CUSIP | ISIN | Balance | Units (NS shares, PA principal amount) | Currency | Value in US dollars | Percent of net assets |'
  contains "$(jq -r .text <<<"$output")" '| United States Treasury Note | 254900HROIFWPRGM1V77 | UST 4.5% 2033 | 91282CJJ1 | US91282CJJ18 | 200000.00 |'
  contains "$(jq -r .text <<<"$output")" '| Apple Inc | HWUPKR0MPOU8FGXBT394 | Apple Inc | 037833100 | US0378331005 | 1500.00 | NS | USD | 382000.50 | 1.2345 |'
}

@test "values in attributes of XML: a fund's returns, flows and rates of exchange; rates of the day; a recorded Form ATS-N" {
  cat >nport.xml <<'XML'
<?xml version="1.0"?>
<edgarSubmission xmlns="http://www.sec.gov/edgar/nport" schemaVersion="X09"><formData><fundInfo>
<returnInfo><monthlyTotReturns><monthlyTotReturn rtn1="4.44" rtn2="-5.55" rtn3="6.66" classId="C1"/></monthlyTotReturns>
<othMon1 netRealizedGain="777.77" netUnrealizedAppr="-888.88"/></returnInfo><mon1Flow redemption="99.99" sales="13.13"/></fundInfo><invstOrSecs>
<invstOrSec><name>A &amp; B</name><identifiers><isin value="X1"/><other otherDesc="R&amp;D" value="X2"/></identifiers><currencyConditional curCd="EUR" exchangeRt="0.9123"/></invstOrSec>
<invstOrSec><name>C</name><derivative kind="Floating" id="d1"><index>SOFR</index></derivative></invstOrSec>
</invstOrSecs></formData></edgarSubmission>
XML
  text=$(bid-strip --raw nport.xml | jq -r .text)
  contains "$text" "- **Monthly total returns:** Month 1: 4.44; Month 2: -5.55; Month 3: 6.66; Class id: C1"
  contains "$text" "Net realized gain: 777.77; Net unrealized appr: -888.88"
  contains "$text" "Redemption: 99.99; Sales: 13.13"
  contains "$text" "| A & B | X1 | Other desc: R&D; X2 | EUR; Exchange rate: 0.9123 |"
  contains "$text" "| C |  |  |  | Kind: Floating | SOFR |"
  [[ $text != *X09* && $text != *d1* ]]
  printf '<?xml version="1.0"?><rates><day time="2025-01-03"><r currency="USD" rate="1.0299"/><r currency="JPY" rate="162.18"/></day></rates>' >rates.xml
  equal "$(bid-strip --raw rates.xml | jq -r .text)" $'# Rates\n\n## Day\n\nTime: 2025-01-03\n\n- **R:** Currency: USD; Rate: 1.0299\n\n- **R:** Currency: JPY; Rate: 162.18'
  need_shared
  ats=$(grep -rl 'ATSName="Instinct X"' "$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data/1675365")
  contains "$(bid-strip --raw "$ats" | jq -r .text)" "- **Ats name:** Part 1 item 3 ATS name: Instinct X"
}

@test "text of XML: between elements of rows, in pieces, after the root" {
  cat >mixed.xml <<'XML'
<?xml version="1.0"?><r><p>Sales of <b>1</b> rose</p><p>and <b>2</b></p><cost><value>1,<!-- x -->234</value></cost><total>5<![CDATA[6]]>7 <?y?>8</total></r> behind <r><p>9</p></r>
XML
  equal "$(bid-strip --raw mixed.xml | jq -r .text)" \
    $'# R\n\n- **Cost:** 1,234\n\n- **Total:** 567 8\n\n## P\n\nSales of\n\n- **B:** 1\n\nrose\n\n## P\n\nand\n\n- **B:** 2\n\nbehind\n\n# R\n\n- **P:** 9'
}

@test "XML in the encoding that it declares or is in" {
  local one='<?xml version="1.0" encoding="NAME"?><r><cost>12</cost><more>34</more><city>Łódź</city></r>'
  local name text=$'# R\n\n- **Cost:** 12\n\n- **More:** 34\n\n- **City:** Łódź'
  for name in UTF-16 UTF-16LE UTF-16BE ISO-8859-2 WINDOWS-1250 UTF-8; do
    iconv -t "$name" <<<"${one/NAME/$name}" >one.xml
    equal "$name $(bid-strip --raw one.xml | jq -r .text)" "$name $text"
  done
}

@test "what is called a page, Markdown or CSV and begins with a comment" {
  printf '<!-- x -->Costs of <strong>12</strong> and <em>34</em> more' >page.htm
  equal "$(bid-strip --raw page.htm | jq -r .text)" "Costs of 12 and 34 more"
  printf '<!-- x -->\n# Title\n\nCosts of 12' >page.md
  equal "$(bid-strip --raw page.md | jq -r .text)" $'### Title\n\nCosts of 12'
  printf '<!-- x -->,\na,b\n1,2\n' >page.csv
  contains "$(bid-strip --raw page.csv | jq -r .text)" "| 1 | 2 |"
}

@test "a notice of sale (144) names its issuer" {
  need_shared
  run --separate-stderr bid-strip --raw "$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data/320193/000195824423000454/primary_doc.xml"
  equal "$(jq -c '.metadata | [.company, .cik, .form]' <<<"$output")" '["Apple Inc.","0000320193","144"]'
}

@test "text in UTF-16, as Windows writes it, is read from a pipe, too" {
  printf 'The kiln burned coke.\n' | iconv -t UTF-16 >wide.txt
  run --separate-stderr bash -c 'bid-fetch -q file wide.txt | bid-strip'
  equal "$(jq -r .text <<<"$output")" "The kiln burned coke."
}

@test "plain text that doesn't tell its encoding: Chinese, Cyrillic, Korean, Greek; Latin letters stay windows-1252" {
  need iconv
  encoded() { # ENCODING TEXT
    printf '%s\n' "$2" | iconv -f UTF-8 -t "$1" >"$1.txt"
    equal "$(bid-strip --raw "$1.txt" | jq -r .text)" "$2"
    { printf 'Annual report 2025, page 4.\n\n'; cat "$1.txt"; } >mixed.txt
    contains "$(bid-strip --raw mixed.txt | jq -r .text)" "$2"
  }
  local simplified="二〇二五年度营业收入为人民币一百二十亿元，同比增长百分之十五，主要由于新能源汽车业务的销售量增加。"
  local traditional="二零二五年度營業收入為新台幣一百二十億元，較去年同期增加百分之十五，主要由於晶圓代工業務的銷售量增加。"
  local russian="Выручка выросла на 15 процентов и составила 12 млрд рублей, главным образом за счёт роста продаж нефтепродуктов."
  encoded GBK "$simplified"
  encoded GB18030 "$simplified"
  encoded BIG5 "$traditional"
  encoded WINDOWS-1251 "$russian"
  encoded KOI8-R "$russian"
  encoded IBM866 "$russian"
  encoded EUC-KR "매출액은 전년 동기 대비 15퍼센트 증가하였으며, 이는 주로 반도체 부문의 판매량 증가에 기인합니다."
  encoded WINDOWS-1253 "Τα έσοδα αυξήθηκαν κατά 15 τοις εκατό, κυρίως λόγω της αύξησης των πωλήσεων."
  encoded WINDOWS-1252 "Le chiffre d'affaires s'est élevé à 12 milliards d'euros, grâce à l'été – « très favorable » – où la créée était élevée."
}

@test "pages in the encodings that they declare, by whatever of its names" {
  need iconv
  local pair
  for pair in gb2312:GBK gbk:GBK big5:BIG5 x-sjis:SHIFT_JIS windows-31j:SHIFT_JIS cp1251:WINDOWS-1251 ks_c_5601-1987:EUC-KR euc-kr:EUC-KR koi8-r:KOI8-R; do
    case $pair in *GBK | *BIG5) text="中文年報" ;; *SHIFT*) text="売上高は増加" ;; *KR) text="매출액은 증가" ;; *) text="Выручка выросла" ;; esac
    printf '<html><head><meta charset="%s"></head><body><p>%s</p></body></html>\n' "${pair%:*}" "$text" | iconv -f UTF-8 -t "${pair#*:}" >page.htm
    equal "$pair $(bid-strip --raw page.htm | jq -r .text)" "$pair $text"
  done
}

@test "plain text that doesn't tell its encoding: Japanese, UTF-16 without a mark; what declares one; no binary file" {
  need iconv
  local japanese=$'売上高は1,234百万円で、前年同期比で12%増加しました。\n\n主なリスクは為替変動です。'
  local prose=$'Der Umsatz stieg um 5 %, größer als „üblich“ – 7 €.\n\nÀ propos: élevé, déjà.'
  encoded() { # TEXT ENCODING
    iconv -f UTF-8 -t "$2" <<<"$1" >"$2.txt"
    equal "$(bid-strip --raw "$2.txt" | jq -r .text)" "$1"
  }
  local encoding
  for encoding in SHIFT_JIS EUC-JP UTF-16LE UTF-16BE; do encoded "$japanese" $encoding; done
  for encoding in WINDOWS-1252 UTF-16LE UTF-16BE UTF-8; do encoded "$prose" $encoding; done
  iconv -f UTF-8 -t KOI8-R <<<"Выручка выросла." >koi
  equal "$(jq -cn --arg raw "$(base64 -w0 koi)" '{source: "file", sourceUrl: "https://example.org/a.txt", capturedAt: "2026-01-01T00:00:00Z",
    contentType: "text/plain; charset=koi8-r", rawContent: $raw, rawEncoding: "base64"}' | bid-strip | jq -r .text)" "Выручка выросла."
  head -c 600 "$BID_BIN/bid" >program
  run bid-strip --raw program
  contains "$output" "the content is binary"
}

@test "50,000 documents of a submission that are nothing but their first line: as many errors, in no time" {
  { printf '<SEC-DOCUMENT>0000320193-25-000079.txt : 20251031\n<SEC-HEADER>0000320193-25-000079.hdr.sgml : 20251031\n</SEC-HEADER>\n'; yes '<DOCUMENT>' | head -50000; } >lone.txt
  jq -Rsc '{source: "x", sourceUrl: "https://example.org/a", capturedAt: "2026-01-01T00:00:00Z", contentType: "text/plain", rawContent: ., metadata: {form: "10-K"}}' lone.txt >lone.ndjson
  timeout 8 bid-strip -q lone.ndjson >errors.ndjson 2>/dev/null || [ $? -eq 1 ]
  equal "$(wc -l <errors.ndjson)" 50000
  equal "$(head -1 errors.ndjson | jq -c '[.error.category, .metadata.form]')" '["no-content","10-K"]'
}
