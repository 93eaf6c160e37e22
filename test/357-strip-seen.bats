#!/usr/bin/env bats
# bid-strip: what the reader of a document sees is in its text: raised digits, struck-out text, merged cells, numbers as shown.
#
# test/data/seen has documents that test/tools/seen_files.py made with the programs that people use.

load helper

seen() {
  run --separate-stderr bid-strip --raw "$ROOT/test/data/seen/$1"
  [ "$status" -eq "${2:-0}" ]
}
text() { jq -r .text <<<"$output"; }
meta() { jq -c ".metadata | $1" <<<"$output"; }

@test "raised digits are set apart in a text document, by font, style and place; ordinals and signs are not" {
  seen raised.docx
  equal "$(text)" '# Fleet

Revenue was 1,250^2 million.

About 10^6 grains of 10^-3 grams, the 5th of May, CO2.

Margin 12.5%^1 and loss (340)^3 of Acme®.

Held at 77^4 places.

Cost 900^5

| Ship | Dues |
| --- | --- |
| Alma | 1,250^2 |'
}

@test "raised digits are set apart in a workbook, and in slides" {
  seen raised.xlsx
  equal "$(text)" '## Sheet

| Ship | Dues |
| --- | --- |
| Alma | 1,250^2 |
| Grains | 10^6 |
| Gram | 10^-3 |
| Fee | ~~30~~ 45 |
| Old | ~~9~~ |'
  seen raised.pptx
  equal "$(text)" '## Fleet

Revenue 1,250^2 million

About 10^6 grains of 10^-3 grams

The fee is ~~30~~ 45 dollars

## Plants

| Region | Plant | Units |
| --- | --- | --- |
| North | Arvik | 12 |
| North | Holm | 7 |
| All |  | 19 |'
}

@test "raised digits are set apart in a PDF, and a number that reads the same stays" {
  seen raised.pdf
  contains "$(text)" "was 1,250^2 million in the year, and the loss was (340)^3 million"
  contains "$(text)" "about 10^6 grains of 10^-3 grams each, which the 5th ship"
  contains "$(text)" "The number 12502 is a number, and 106 is another."
  contains "$(text)" "| Alma | 1,250^2 |"
}

@test "raised digits in pages: signs, percentages, numerators, trade marks" {
  printf '<p>10<sup>-3</sup>, 5%%<sup>2</sup>, (340)<sup>3</sup>, 4<sup>1</sup>/<sub>2</sub>, Acme<sup>&reg;</sup>, 5<sup>th</sup>, 7<sup>*</sup></p>' >p.html
  run bid-strip --raw p.html
  equal "$(text)" '10^-3, 5%^2, (340)^3, 4 1/2, Acme®, 5th, 7*'
}

@test "struck-out text is marked, hidden text is left out and counted" {
  seen struck.docx
  equal "$(text)" 'The fee is ~~30~~ 45 dollars.

The term is ~~two~~ three years.

Seen.

The cap is ~~1,000~~ 2,000.

| Item | Price |
| --- | --- |
| Oak | ~~10~~ 12 |'
  equal "$(meta .omitted)" '{"hidden text":2}'
  printf '<style>.o{text-decoration:line-through}</style><p>The fee is <s>30</s> 45, <del>two</del> three, <span class="o">7</span> 8.</p><p><strike>All</strike></p><p style="display:none">No</p>' >p.html
  run bid-strip --raw p.html
  equal "$(text)" 'The fee is ~~30~~ 45, ~~two~~ three, ~~7~~ 8.

~~All~~'
  equal "$(meta .omitted)" '{"hidden text":1}'
  printf 'The fee is ~~30~~ 45.\n' >p.md
  run bid-strip --raw p.md
  equal "$(text)" 'The fee is ~~30~~ 45.'
}

@test "the value of merged cells is in each row, and in each column of a head" {
  seen merged.docx
  equal "$(text)" '| Region | Plant | Units |
| --- | --- | --- |
| North | Arvik | 12 |
| North | Holm | 7 |
| North | Moss | 9 |
| South | Bari | 3 |
| South | Lecce | 4 |
| All |  | 35 |'
  seen merged.xlsx
  equal "$(text)" '## Sheet

Plants of the group

| Region | Plant | Units |
| --- | --- | --- |
| North | Arvik | 12 |
| North | Holm | 7 |
| North | Moss | 9 |
| South | Bari | 3 |
| South | Lecce | 4 |

## Years

| Item | 2025 | 2025 | 2024 | 2024 |
| --- | --- | --- | --- | --- |
| Item | Q1 | Q2 | Q1 | Q2 |
| Sales | 11 | 12 | 13 | 14 |'
}

@test "a cell that spans more rows than a passage holds is in each of its passages" {
  { printf '<p>Depots of the line.</p><table><tr><th>Line</th><th>Stop</th><th>Depot</th></tr>'
    for i in $(seq 1 90); do
      printf '<tr>%s<td>Stop number %d of the line</td>%s</tr>' "$([ "$i" -gt 1 ] || echo '<td rowspan="90">Red</td>')" "$i" "$([ "$i" -gt 1 ] || echo '<td rowspan="90">Depot A</td>')"
    done
    printf '</table>'; } >p.html
  bid-strip --raw p.html | bid-chunk -q | jq -r .text >passages
  equal "$(grep -c '| Red | Stop number [0-9]* of the line | Depot A |' passages)" 90
}

@test "numbers of a workbook as the sheet shows them: durations, zeros, currencies, units, fractions" {
  seen formats.xlsx
  equal "$(text | sed -n 's/^| \([A-Z].*\) |$/\1/p' | sed 1d)" 'Shift | 30:05
Lap | 75:09
Start | 6:05
Late | 6:30 PM
Day | 2026-03-05
Moment | 2026-03-05 14:30
Month | Mar 2026
CIK | 0000320193
Zip | 01234
Fee | $1,234.50
Kronor | 1,234.50 kr
Euro | €99.90
Loss | ($1,234.50)
Red | -7
Weight | 12.3 kg
Times | 3.5x
Share | 7.25%
Whole | 7%
Million | 1,234.6
Part | 1/2
Big | 1.23E+07
Nil | -
Phone | (555) 123-4567
Plain | 1234.5
Account | $(12.50)
Text | abc
Frac | 2 1/4'
}

@test "comments of a workbook stand by their cells, hidden rows and columns are counted and said" {
  seen notes.xlsx
  equal "$(text)" '## Sheet

| Ship | Dues |
| --- | --- |
| Alma | 12 |
| Elba | 14 |

- **B2:** Includes the harbour pilot.

- **B4:** Estimate'
  equal "$(meta .omitted)" '{"hidden rows":1,"hidden columns":1}'
  contains "$stderr" 'notes.xlsx: left out: {"hidden rows":1,"hidden columns":1}'
}

@test "a chart is a table of its series, a hidden slide is counted" {
  seen chart.pptx
  equal "$(text)" '## Sales

|  | Boats | Sails |
| --- | --- | --- |
| 2024 | 19.2 | 3 |
| 2025 | 21.4 | 5 |

## Outlook'
  equal "$(meta '[.omitted, .pages]')" '[{"hidden slides":1},3]'
}

@test "formulas are one line, a mixed number keeps its blank" {
  seen math.docx
  equal "$(text)" 'The rate is 4 1/2 percent.

Growth is (a+b)/c.

There are 10^6 grains.

Sides: √(x+1).

Half is ½ and a quarter ¼.'
  printf '<p>4<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> percent, <math><msup><mn>10</mn><mn>6</mn></msup></math>, <math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac></math>, <math><msqrt><mi>x</mi></msqrt></math>, <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p>' >p.html
  run bid-strip --raw p.html
  equal "$(text)" '4 1/2 percent, 10^6, (a+b)/c, √(x), 漢(kan)'
}

@test "a word's reading stands behind it, pictures are counted" {
  seen ruby.docx
  equal "$(text)" 'The word 漢(kan)'
  seen pictures.xlsx
  equal "$(meta .omitted)" '{"pictures":1}'
  contains "$stderr" 'pictures.xlsx: left out: {"pictures":1}'
}

@test "ligatures are letters, soft hyphens are gone" {
  seen letters.docx
  equal "$(text)" 'A significant office floor, cooperation of the ff staff.'
  seen letters.pdf
  contains "$(text)" 'A significant number of offices have a floor of their own, since the cooperation of the staff'
  printf '<p>A signi\xef\xac\x81cant o&#xFB03;ce, co\xc2\xadoperation</p>' >p.html
  run bid-strip --raw p.html
  equal "$(text)" 'A significant office, cooperation'
}

@test "a PDF in two columns: the left one, then the right one" {
  seen columns.pdf
  equal "$(text | grep -oE '(Turbines|Orchards|Harbours)( again)? part [0-9]' | uniq | tr '\n' ';')" "$(
    for name in Turbines Orchards Harbours; do
      for i in $(seq 0 8); do printf '%s part %d;' $name "$i"; done
      for i in $(seq 0 7); do printf '%s again part %d;' $name "$i"; done
    done)"
}

@test "a PDF table over pages goes on with its head" {
  seen table.pdf
  equal "$(text | grep -c '^| Branch | Deposits | Loans | Staff |$')" "$(text | grep -c '^| ---')"
  equal "$(text | grep -c '^| B0')" 60
}

@test "pages without text among others are named" {
  seen scanned.pdf
  equal "$(meta '[.omitted, .pagesWithoutText]')" '[{"pages without text":2},[2,4]]'
  contains "$stderr" "scanned.pdf: pages [2,4] have no text: they are most likely scanned"
}

@test "CSV: titles above the head are text, sep= and bars are delimiters, an unclosed quote is an error with its line" {
  printf 'Report of deposits\nAs of 2026-01-31\n\nBranch,City,Deposits\nB1,Oslo,10\nB2,Rome,20\n' >a.csv
  run bid-strip --raw a.csv
  equal "$(text)" 'Report of deposits

As of 2026-01-31

| Branch | City | Deposits |
| --- | --- | --- |
| B1 | Oslo | 10 |
| B2 | Rome | 20 |'
  printf 'sep=;\na;b,c\n1;2,5\n' >b.csv
  run bid-strip --raw b.csv
  equal "$(text)" '| a | b,c |
| --- | --- |
| 1 | 2,5 |'
  printf 'a|b|c\n1|2,5|3\n"x|y"|2,7|4\n' >c.csv
  run bid-strip --raw c.csv
  equal "$(text)" '| a | b | c |
| --- | --- | --- |
| 1 | 2,5 | 3 |
| x\|y | 2,7 | 4 |'
  printf 'id,desc,amt\n1,5" pipe,10\n2,"open quote,20\n3,"ok",30\n' >d.csv
  run --separate-stderr bid-strip --raw d.csv
  equal "$status" 1
  equal "$(jq -r 'select(.text).text' <<<"$output")" '| id | desc | amt |
| --- | --- | --- |
| 1 | 5" pipe | 10 |
| 2 | "open quote | 20 |
| 3 | ok | 30 |'
  contains "$stderr" "d.csv: line 3: a quote is not closed"
}

@test "NUL bytes in text are dropped, and don't make it UTF-16" {
  printf 'The board met on Monday and approved the plan.\0\nIt then adj\0ourned until June.\n' >a.txt
  run bid-strip --raw a.txt
  equal "$(text)" 'The board met on Monday and approved the plan. It then adjourned until June.'
}

@test "a flowed mail whose blanks at line ends are no blanks" {
  printf 'From: a@example.org\nSubject: delsp\nContent-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n\nThe word continues with no spa \nce.\n' >a.eml
  run bid-strip --raw a.eml
  contains "$(text)" "The word continues with no space."
}

day_of() {
  printf "$1" >note.txt
  bid-fetch -q file note.txt | bid-strip -q | jq -r '.metadata.filingDate'
}

@test "a document's day is labelled, or alone near the top, and never later than now" {
  export BID_NOW=2026-03-01T00:00:00Z
  equal "$(day_of 'Lease\n\nThe lease ends on December 31, 2020.\n')" null
  equal "$(day_of 'Acme plc\n\nFounded on 4 May 1921 in Hull.\n')" null
  equal "$(day_of 'Plan\n\n31 December 2040\n\nIt ends.\n')" null
  equal "$(day_of 'Memo\n\nTo: Ann\nDate: 2024-05-06\n\nPlease.\n')" 2024-05-06
  equal "$(day_of 'Memo\n\nPublished 6 May 2024\n\nPlease.\n')" 2024-05-06
  equal "$(day_of 'Minutes\n\nMalmo, 5 March 2024\n\nPresent.\n')" 2024-03-05
  equal "$(day_of 'Minutes of 5 March 2024\n\nPresent.\n')" 2024-03-05
  equal "$(day_of 'Berths\n\nLarkspur Street Research February 24, 2026\n\nText.\n')" 2026-02-24
  equal "$(day_of 'Berths\n\nThe lease began February 24, 2026\n\nText.\n')" null
  equal "$(day_of 'Note\n\n5 March 2024\n\nText.\n')" 2024-03-05
}

@test "a day of the properties is a document's where its text has none, and a template's is none" {
  cp "$ROOT/test/data/seen/notes.xlsx" "$ROOT/test/data/seen/raised.docx" .
  equal "$(bid-fetch -q file notes.xlsx | bid-strip -q | jq -c '.metadata | [.filingDate == .fileDate, (.fileDate | length)]')" '[true,10]'
  equal "$(bid-fetch -q file raised.docx | bid-strip -q | jq -c '.metadata | [.filingDate, .fileDate]')" '[null,null]'
  equal "$(BID_NOW=2020-01-01T00:00:00Z bid-fetch -q file notes.xlsx | BID_NOW=2020-01-01T00:00:00Z bid-strip -q | jq -c .metadata.filingDate)" null
  equal "$(bid-fetch -q file "$ROOT/test/data/seen/columns.pdf" | bid-strip -q | jq -c '.metadata.title')" '"Turbines"'
}

@test "lists have the numbers of their styles, check boxes are signs, headers are counted" {
  seen numbered.docx
  equal "$(text)" '1. Rent is 900

1.1 Paid monthly

(i) By wire

(ii) By check

1.2 Late fee

2. Deposit

7. Keys

☑ Insured ☐ Leased'
  equal "$(meta '.omitted')" '{"headers and footers":1}'
}

@test "minutes before seconds, weekdays and truths of a workbook are as the sheet shows them" {
  seen clocks.xlsx
  equal "$(text)" '## Sheet

| Lap | 30:14 |
| --- | --- |
| Day | Wed 19 |
| Long day | Wednesday |
| Month | Jun 2024 |
| Open | TRUE |'
}

@test "slides: numbered paragraphs, a hidden shape that is counted, a chart's percentages" {
  seen steps.pptx
  equal "$(text)" '## Steps

B. Moor

C. Pay

D. Leave

|  | Share |
| --- | --- |
| Adult | 62% |
| Child | 38% |'
  equal "$(meta '.omitted')" '{"hidden text":1}'
}

@test "forms and lists of a page: boxes, fields, the chosen option, letters and values" {
  printf '<p><input type=hidden value=t9><input type=checkbox checked> Insured <input type=radio> Leased</p><p>Sum <input value="4,250.00"></p><select><option>Fire<option selected>Water</select><ol type=a start=3><li>Three<li value=7>Seven</ol><ol type=I><li>First</ol><ol reversed><li>Last</ol>' >form.html
  run --separate-stderr bid-strip --raw form.html
  equal "$(text)" '☒ Insured ☐ Leased

Sum 4,250.00

Water

c. Three

g. Seven

I. First

- Last'
}

@test "marks of direction, a terminal's colours and overstruck letters are gone from text" {
  printf 'R\bRe\be\303\244\b\303\244 due\n\n\033[1mTotal\033[0m \342\200\253950\342\200\254\n' >typed.txt
  run --separate-stderr bid-strip --raw typed.txt
  equal "$(text)" 'Reä due

Total 950'
}

@test "a paper of LaTeX: two columns, ligatures, divided words, raised digits, a fraction, a table without lines" {
  seen latex.pdf
  contains "$(text)" "The office classified fifty-five affluent offshore clients, and the difference between official and unofficial figures"
  contains "$(text)" "Dues were 1,250^1 and about 10^6 grains of 10^−3 grams passed, at a rate of 1/2 per cent; the loss of −340 is the harbor’s."
  contains "$(text)" "considerable misunderstandings and extraordinary circumstances throughout.

### 2 Second findings

Ships that stand in the second column are read after those of the first. A long-term lease and a short- and long-term plan"
  contains "$(text)" "Pilots: 12

Tugs: 7
"
  contains "$(text)" "in thousands of kroner:

| Quay | 2025 | 2024 | Change |
| --- | --- | --- | --- |
| North quay | 1,940 | 1,812 | 7.1% |
| South quay | 620 | 655 | (5.3)% |
| Slipway | 75 | — | — |
| Total | 2,635 | 2,467 | 6.8% |

The total excludes the 1,250^2 of the dry dock."
}

@test "what LibreOffice writes: notes by the number that is seen, lists, merged cells, hidden text and rows, durations" {
  seen writer.docx
  equal "$(text)" '# Quays of the harbor

Dues were 1,250[1] and about 10^6 grains. The fee is ~~30~~ 45.

c) Moor

d) Pay

| Region | Quay | Ships |
| --- | --- | --- |
| North | Arvik | 12 |
| North | Holm | (7) |

The second page has a tab and a line break.

## Outlook

A long-term view.

[1] In thousands of kroner.'
  equal "$(meta .omitted)" '{"hidden text":1}'
  seen writer.pdf
  contains "$(text)" '1,250^1 and about 10^6 grains. The fee is 30 45.

c)Moor

d)Pay

```
Region                  Quay                        Ships
North                   Arvik                       12
                        Holm                        (7)
```

1 In thousands of kroner.'
  seen calc.xlsx
  equal "$(text)" '## Dues

Plants of the group

| Item | Value |
| --- | --- |
| Margin | 12.5% |
| Lap | 30:05 |
| Day | 2025-03-31 |
| Loss | (1,250) |
| CIK | 0000320193 |
| Sum | 42 |'
  equal "$(meta .omitted)" '{"hidden rows":1}'
  seen impress.pptx
  equal "$(text)" 'Fleet

Revenue 1,250 million

North

South

| Quay | Ships |
| --- | --- |
| Arvik | 12 |

Notes: Say that the dock opens in May.'
}
