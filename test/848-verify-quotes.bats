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
