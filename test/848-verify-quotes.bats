#!/usr/bin/env bats
# bid-verify: literal quotes of filings, which it must not flag: sentences, rows of tables, and what a quote has beside its figures:
# marks of notes, abbreviated months, names of either sign, ranges, lists of periods.

load helper
load verify

@test "quotes of recorded filings are found, in prose, retold and of rows" {
  need_shared
  run python3 "$ROOT/test/quality/verify/quotes.py" "$BID_BIN" --show --each 30 filings/bke/8-K-EX-99.1-2024-11-22.htm \
    filings/phg/6-K-2023-01-30.htm filings/sophiris/8-K-2016-03-23.htm filings/medicis/10-K-1999-09-28.htm \
    www.sec.gov/Archives/edgar/data/796343/000079634323000044/adbeex991q123.htm \
    www.sec.gov/Archives/edgar/data/1364742/000119312523048785/d435686d8k.htm
  [ "$status" -eq 0 ] || { echo "$output"; false; }
  [ "$(grep -c ' quotes, ' <<<"$output")" = 3 ]
}

@test "all sentences of 1,000 recorded passages, cited to their passages: none contradicted, at most one number in a hundred doubted" {
  need_shared
  run python3 "$ROOT/test/quality/verify/quotes.py" "$BID_BIN" --passages 1000 --show
  [ "$status" -eq 0 ] || { echo "$output"; false; }
  contains "${lines[-1]}" 'passages 1000, numbers '
}

@test "a sentence that a passage has word by word is found, and one that differs in a word is not taken for it" {
  cat >table.md <<'EOF'
In the quarter ended June 28, 2025, sales of lamps were $41 million and sales of ropes were $17 million, of which $9 million abroad.
EOF
  quote='In the quarter ended June 28, 2025, sales of lamps were $41 million and sales of ropes were $17 million, of which $9 million abroad'
  equal "$(says "$quote")" 'found found found'
  swapped=${quote/41/0} swapped=${swapped/17/41}
  equal "$(says "${swapped/\$0/\$17}" | grep -c 'found found')" 0
  equal "$(says "${quote/41/14}")" 'contradicted found found'
  equal "$(says "${quote/2025/2024}" | grep -c found)" 0
}

@test "a small integer alone in brackets is a mark, a day follows an abbreviated month" {
  cat >table.md <<'EOF'
| (in thousands) | Dec. 31, 2024 | Dec. 31, 2023 |
| --- | ---: | ---: |
| Inventories (1) | 126,290 | 119,016 |
| Reserves (2) | (5) | 12 |
EOF
  equal "$(says 'Inventories (1) were $126,290 thousand at Dec. 31, 2024')" found
  equal "$(says 'Inventories (1) were $119,016 thousand at Dec. 31, 2024')" contradicted
  equal "$(says 'Reserves (2) was (5) thousand at Dec. 31, 2024')" found
}

@test "a name of either sign tells none: the number does" {
  cat >table.md <<'EOF'
| (in millions) | 2024 | 2023 |
| --- | ---: | ---: |
| Operating income (loss) | $3,792 | $(2,656) |
| Net cash provided by (used in) operating activities | (641) | 877 |
EOF
  equal "$(says 'Operating income (loss) was $3,792 million in 2024')" found
  equal "$(says 'Operating income (loss) was $2,656 million in 2023')" contradicted
  equal "$(says 'Operating income (loss) was $(2,656) million in 2023')" found
  equal "$(says 'Net cash provided by (used in) operating activities was $641 million in 2024')" contradicted
  equal "$(says 'Operating income was $2,656 million in 2023')" contradicted
}

@test "nothing came from the lower end of a range" {
  echo 'In 2025, annual returns of the options generally ranged from 0.52% to 23.20%. In 2024 they were 4.1% on average.' >table.md
  equal "$(says 'Returns ranged from 0.52% to 23.20% in 2025')" 'found found'
  equal "$(says 'Returns ranged from 0.52% to 23.20% in 2024' | grep -c found)" 0
}

@test "year-to-date beside a quarter is its own length, in answers as in passages" {
  echo 'Volume rose 11% and 7% in the second quarter and year-to-date periods of 2025, respectively.' >table.md
  equal "$(says 'It says that volume rose 11% and 7% in the second quarter and year-to-date periods of 2025, respectively')" 'found found'
  equal "$(says 'Volume rose 7% in the second quarter of 2025')" contradicted
}

@test "fractions of any denominator, ranges with a dash, days of a length" {
  cat >table.md <<'EOF'
An estimated 1 in 5 adults and 1 in 3 children get it; 59.6% of premiums come from the Southeast. Markets grow 3-6% annually.
The 90-day mortality rate was 25.6%, within forty-five (45) days of admission.
EOF
  equal "$(says 'One in five adults gets it')" found
  equal "$(says 'One in four adults gets it' | grep -c found)" 0
  equal "$(says 'Three fifths of premiums come from the Southeast')" found
  equal "$(says 'Two fifths of premiums come from the Southeast' | grep -c found)" 0
  equal "$(says 'Its markets grow by 3% to 6% a year')" 'found found'
  equal "$(says 'Mortality within 90 days was 25.6%')" 'found found'
  equal "$(says 'Mortality was 25.6% within 45 days of admission')" 'found found'
}

@test "what a year began with, what falls due after it, and a level before a cut" {
  cat >table.md <<'EOF'
| (in millions) | 2025 | 2024 |
| --- | ---: | ---: |
| Beginning balances | $22,038 | $19,454 |
| Decreases related to settlements | (2,939) | (1,070) |
| Ending balances | $23,242 | $22,038 |

| (in millions) |  |
| --- | ---: |
| 2030 | $4,972 |
| Thereafter | 49,303 |

For 2025 he had a base salary of $1,000,000 that was reduced to $750,000 as of January 1, 2025.
EOF
  equal "$(says 'It began 2025 with tax benefits of $22.0 billion')" found
  equal "$(says 'Of the debt, $49.3 billion falls due after 2030')" found
  equal "$(says 'His base salary was cut from $1,000,000 to $750,000 on January 1, 2025')" 'found found'
}

@test "shares in a label are in the scale of the table's, GAAP is not non-GAAP, a year in brackets is of its own number" {
  cat >table.md <<'EOF'
| (in millions, except per share data) | 2024 | 2023 |
| --- | ---: | ---: |
| Common stock; 6,000 shares authorized; 3,216 and 3,185 shares issued and outstanding as of December 31, 2024 and 2023 | $3 | $3 |
| GAAP operating income | 70 | 60 |
| Non-GAAP operating income | 90 | 75 |

As of December 31, 2015, it had 84,439,732 common shares (December 31, 2014 – 73,439,732) outstanding.
EOF
  equal "$(says 'It had 3,216 billion shares outstanding at the end of 2024' | grep -c found)" 0
  equal "$(says 'GAAP operating income was $90 million in 2024')" contradicted
  equal "$(says 'It had 84.4 million shares at the end of 2015, after 73.4 million a year earlier')" 'found found'
}

@test "a list with one scale at its end, a sum of two lines, free cash flow, a 13F's thousands" {
  cat >table.md <<'EOF'
(in millions)

| | 2025 | 2024 |
| --- | ---: | ---: |
| iPhone | $209,586 | $201,183 |
| Mac | 33,708 | 29,984 |
| iPad | 28,023 | 26,694 |
| Current liabilities: |  |  |
| Term debt | 12,350 | 10,912 |
| Non-current liabilities: |  |  |
| Term debt | 78,328 | 85,750 |
| Cash generated by operating activities | 111,482 | 118,254 |
| Payments for acquisition of property, plant and equipment | (12,715) | (9,447) |
EOF
  equal "$(says 'iPhone, Mac and iPad sales were $209.6, $33.7 and $28.0 billion respectively')" 'found found found'
  equal "$(says 'iPhone, Mac and iPad sales were $209.6, $33.7 and $28.0 million respectively' | grep -c found)" 0
  equal "$(says 'Mac and iPad together made $61.7 billion')" found
  equal "$(says 'Mac and iPad together made $63.7 billion' | grep -c found)" 0
  equal "$(says 'Free cash flow was $98.8 billion')" found
  equal "$(says 'Free cash flow was $124.2 billion' | grep -c found)" 0
  equal "$(says 'Capital expenditures were $12.7 billion in 2025')" found
  equal "$(says 'Mac sales fell to $30.0 billion')" contradicted
  printf "| Issuer | Value (US dollars by the form's rule, thousands by the price a share) |\n| --- | ---: |\n| PEAR INC | 5333 |\n" >table.md
  equal "$(says 'Its Pear position was worth $5.3 million')" found
  equal "$(says 'Its Pear position was worth $5,333' | grep -c found)" 0
}

@test "the year to date is as long as the quarters up to it" {
  echo 'Sales for the 13-week quarter decreased 0.7 percent. Sales for the 39-week period decreased 5.4 percent.' >table.md
  equal "$(says 'Sales slipped 0.7% in the quarter and 5.4% in the year to date')" 'found found'
  equal "$(says 'Sales slipped 0.7% in the third quarter and 5.4% year to date')" 'found found'
  equal "$(says 'Sales slipped 5.4% in the quarter')" contradicted
}

@test "a number alone in its paragraph, balances of a quarter's columns, dates of shares in a label, heads of an equity table" {
  printf 'Amount beneficially owned:\n\n13967335\n\nPercent of class\n\n17.1%%\n\nSole power to vote\n\n13767282\n' >table.md
  equal "$(says 'It owned about 14.0 million shares, or 17.1% of the class')" 'found found'
  equal "$(says 'It had the sole power to vote 13,967,335 shares' | grep -c found)" 0
  cat >table.md <<'EOF'
| (in millions, except shares in thousands) | Three Months Ended March 29, 2025 | Three Months Ended March 30, 2024 |
| --- | ---: | ---: |
| Total shareholders' equity, ending balances | $66,796 | $74,194 |

| (in millions, except number of shares, which are reflected in thousands) | March 29, 2025 | September 28, 2024 |
| --- | ---: | ---: |
| Common stock: 50,400,000 shares authorized; 14,939,315 and 15,116,786 shares issued and outstanding, respectively | 88,711 | 83,276 |

| (in millions) | Retained Earnings | Total Stockholders' Equity | Total Equity |
| --- | ---: | ---: | ---: |
| Equity - January 1, 2025 | $151,163 | $27,307 | $27,393 |
EOF
  equal "$(says "Shareholders' equity amounted to \$66.8 billion at the end of March 2025")" found
  equal "$(says 'It had about 14.9 billion shares outstanding on March 29, 2025')" unsure
  equal "$(says 'Retained earnings were $151.2 billion at the start of 2025')" found
  equal "$(says 'Retained earnings were $27.3 billion at the start of 2025' | grep -c found)" 0
}
