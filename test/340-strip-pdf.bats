# People's own reports as PDF: headings, paragraphs, tables and pages of text that has lost its marks.

load helper

test_setup() {
  need pdftotext
  need python3
}

report() {
  python3 "$ROOT/test/tools/pdf.py" pages >report.pdf <<'EOF'
Quarterly Review of Harbor Traffic
Prepared by the port authority

The harbor handled 4.2 million tons of cargo in the fourth quarter, eleven percent more
than in the year before. Container traffic grew fastest, since two lines moved their calls
here from ports to the south.

1. Cargo by kind
The following table shows cargo by kind, in thousands of tons. It leaves out what is only
moved from ship to ship.

Kind                             Q4 2025    Q3 2025    Q4 2024     Change
Containers                         1,940      1,812      1,655      17.2%
Dry bulk                           1,210      1,260      1,190       1.7%
Breakbulk and project cargo          238        255        (12)       n/a
Total                              4,200      4,117      3,783      11.0%

1.1 Grain

The season ended early. Port of call:
EOF
}

second_page() {
  printf '\f'
  cat <<'EOF'
2. Finances
                                 Year ended December 31
$ million                        2025          2024
Dues and fees                 $  61.4       $  57.0
Operating costs                 (58.9)        (57.2)
Surplus                       $  24.6       $  21.5

Costs rose less than traffic, since power for the cranes was cheaper than in the year
before.

Ann Mooring
Harbor Master
1 Quay Street
Port Ellery

Outlook

We expect growth of four to six percent in 2026.
EOF
}

@test "headings of a PDF stand in the outline, with their pages" {
  report
  pdftotext -layout report.pdf first.txt
  { tr -d '\f' <first.txt; second_page; } >both.txt
  python3 "$ROOT/test/tools/pdf.py" pages <both.txt >both.pdf
  run --separate-stderr bid-strip --raw both.pdf
  [ "$status" -eq 0 ]
  equal "$(jq -r '.outline[] | "\(.page) \(.level) \(.title)"' <<<"$output")" "1 3 Quarterly Review of Harbor Traffic
1 3 1. Cargo by kind
1 4 1.1 Grain
2 3 2. Finances
2 3 Outlook"
  equal "$(jq -r '.text as $t | .breaks[] | "\(.page) \($t[.offset:.offset + 15])"' <<<"$output")" "1 ### Quarterly R
2 ### 2. Finances"
}

@test "paragraphs of a PDF end where lines end early, not at every line" {
  report
  run --separate-stderr bid-strip --raw report.pdf
  text=$(jq -r .text <<<"$output")
  contains "$text" "
The harbor handled 4.2 million tons of cargo in the fourth quarter, eleven percent more than in the year before. Container traffic grew fastest, since two lines moved their calls here from ports to the south.
"
  contains "$text" $'### 1. Cargo by kind\n\nThe following table shows'
  contains "$text" $'\n\nPrepared by the port authority\n\n'
  run ! grep -E '^#+ (Prepared|The season|Kind)' <<<"$text"
}

@test "tables of a PDF become Markdown where their columns are plain" {
  report
  run --separate-stderr bid-strip --raw report.pdf
  contains "$(jq -r .text <<<"$output")" "| Kind | Q4 2025 | Q3 2025 | Q4 2024 | Change |
| --- | --- | --- | --- | --- |
| Containers | 1,940 | 1,812 | 1,655 | 17.2% |
| Dry bulk | 1,210 | 1,260 | 1,190 | 1.7% |
| Breakbulk and project cargo | 238 | 255 | (12) | n/a |
| Total | 4,200 | 4,117 | 3,783 | 11.0% |"
  second_page | tr -d '\f' | python3 "$ROOT/test/tools/pdf.py" pages >money.pdf
  contains "$(bid-strip --raw money.pdf | jq -r .text)" "| \$ million | Year ended December 31 2025 | Year ended December 31 2024 |
| --- | --- | --- |
| Dues and fees | \$61.4 | \$57.0 |
| Operating costs | (58.9) | (57.2) |
| Surplus | \$24.6 | \$21.5 |"
  equal "$(bid-strip --raw --tables text report.pdf | jq -r .text | grep -c '^Containers  *1,940  *1,812')" 1
  equal "$(bid-strip --raw --tables drop report.pdf | jq -r .text | grep -c 'Containers')" 0
}

@test "what is set in columns but no table of numbers stays aligned, whole" {
  python3 "$ROOT/test/tools/pdf.py" pages >cols.pdf <<'EOF'
The left column of a newsletter     and the right column of it, whose
goes on here and speaks of 12       lines have nothing to do with what
ships that came                     stands to the left of them
Port        Ships   Of them new     Remark
Ellery      12      3               two of 5 at anchor
Sund        9       1               see 4
EOF
  run --separate-stderr bid-strip --raw cols.pdf
  for word in newsletter right ships stands Ellery 12 3 anchor Sund 9 see; do
    contains "$(jq -r .text <<<"$output")" "$word"
  done
}

@test "an address and signatures are no headings" {
  second_page | tr -d '\f' | python3 "$ROOT/test/tools/pdf.py" pages >money.pdf
  run --separate-stderr bid-strip --raw money.pdf
  equal "$(jq -r '.outline[].title' <<<"$output")" $'2. Finances\nOutlook'
}
