#!/usr/bin/env bats
# bid-verify: how a claim and a figure are read: places, currencies, opposites, exceptions from captions, rows and lists that several
# figures share.

load helper
load verify

@test "a currency of a column's head is that of its dollar signs" {
  printf '| Month | High (Cdn$) | Low (Cdn$) |\n| --- | ---: | ---: |\n| May 2016 | $0.45 | $0.15 |\n' >table.md
  echo 'In June 2016 it sold 3,000,000 units at a price of Cdn$0.75 for proceeds of Cdn$2,250,000.' >>table.md
  equal "$(says 'In May 2016 the shares traded between C$0.15 and C$0.45')" 'found found'
  equal "$(says 'In May 2016 the highest price was US$0.45' | grep -c found)" 0
  equal "$(says 'In June 2016 it sold units at C$0.75 each')" found
  equal "$(says 'In June 2016 it raised US$2.25 million' | grep -c found)" 0
}

@test "before and after, gross and net" {
  cat >table.md <<'EOF'
| (in millions) | 2024 |
| --- | ---: |
| Pre-tax compensation cost | $441 |
| Total equipment, net | 252 |
EOF
  equal "$(says 'Compensation cost after tax was $441 million in 2024')" contradicted
  equal "$(says 'Compensation cost before tax was $441 million in 2024')" found
  equal "$(says 'Before depreciation, equipment was $252 million in 2024')" contradicted
  equal "$(says 'After depreciation, equipment was $252 million in 2024')" found
}

@test "a caption with exceptions scales all other rows, and a column's own caption its figures" {
  cat >table.md <<'EOF'
|  | 2024 (in thousands, except revenue per membership and percentages) | 2023 (in thousands, except revenue per membership and percentages) |
| --- | ---: | ---: |
| Paid memberships at end of period | 89,625 | 80,128 |
| Monthly revenue per membership | $17.20 | $16.28 |

|  | Options (thous.) | Price |
| --- | ---: | ---: |
| Outstanding at June 30, 2025 | 2,136 | $208.60 |
EOF
  equal "$(says 'There were 89,625 paid memberships at the end of 2024' | grep -c found)" 0
  equal "$(says 'There were 89.6 million paid memberships at the end of 2024')" found
  equal "$(says 'Monthly revenue per membership was $17.20 in 2024')" found
  equal "$(says 'There were 2,136 options outstanding at June 30, 2025' | grep -c found)" 0
  equal "$(says 'There were 2,136 thousand options outstanding at June 30, 2025')" found
}

@test "US is the United States, and EMEA is Europe, the Middle East and Africa" {
  echo 'Of these, approximately 9,600 (69%) worked in the United States and Canada, 2,200 (16%) in Europe, Middle East, and Africa and 1,600 (11%) in Asia-Pacific.' >table.md
  equal "$(says 'Of its people 9,600 are in the US and Canada')" found
  equal "$(says 'Some 2,200 people worked in the US and Canada')" contradicted
  equal "$(says 'Some 2,200 people worked in EMEA')" found
}

@test "figures of one sentence stand in one row, and at one place of two lists" {
  cat >table.md <<'EOF'
|  | Options (thous.) | Weighted-average price |
| --- | ---: | ---: |
| Granted | 423 | $243.51 |
| Exercised | (250) | 164.18 |

The grant-date fair value of options granted was $48.70.

Based on foreign funds, an assumed 5%, 10%, and 20% adverse change would result in declines of $1.3 billion, $2.6 billion, and $5.1 billion.

- 24,986 shares issuable upon the exercise of outstanding options, at an average price of $20.12 per share;

- 965,247 shares issuable upon the exercise of outstanding warrants, at an average price of $8.18 per share.
EOF
  equal "$(says 'Options for 423,000 shares were granted at $243.51 each')" 'found found'
  equal "$(says 'An adverse change of 10% would cost $2.6 billion of foreign funds')" 'found found'
  equal "$(says 'An adverse change of 20% would cost $2.6 billion of foreign funds' | grep -c contradicted)" 1
  equal "$(says 'The warrants cover 965,247 shares at an average price of $8.18')" 'found found'
  equal "$(says 'The warrants cover 965,247 shares at an average price of $20.12' | grep -c contradicted)" 1
}

@test "the whole of a part with its name: equipment of property and equipment" {
  cat >table.md <<'EOF'
| (in millions) | 2024 |
| --- | ---: |
| Land | $60 |
| Equipment | 340 |
| Gross property and equipment | 400 |
| Total accumulated depreciation | 141 |
| Total property and equipment, net | $259 |
EOF
  equal "$(says 'Accumulated depreciation was 35% of gross property and equipment in 2024')" found
}
