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

@test "figures of one sentence stand in one row" {
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
  equal "$(says 'An adverse change of 10% would cost $2.6 billion of foreign funds')" 'found found'
  equal "$(says 'The warrants cover 965,247 shares at an average price of $8.18')" 'found found'
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

@test "a heading's year holds for all rows below it" {
  cat >table.md <<'EOF'
| Description | Balance at beginning of year | Charged to expenses |
| --- | ---: | ---: |
| Year Ended June 30, 1999 |  |  |
| Accounts Receivable: |  |  |
| Allowances | $2,826,000 | $989,000 |
| Year Ended June 30, 1998 |  |  |
| Accounts Receivable: |  |  |
| Allowances | 1,150,000 | 460,000 |
EOF
  equal "$(says 'Allowances of $460,000 were charged to expenses in 1998')" found
  equal "$(says 'Allowances of $460,000 were charged to expenses in 1999')" contradicted
}

@test "from one year to the other, three and six months, the end of a period" {
  cat >table.md <<'EOF'
Gross margin for storage increased from 18.9% to 26.2% in the year ended December 31, 2024 as compared to the year ended December 31, 2023.
Amortization was $687 million and $1,328 million for the three and six months ended June 30, 2025.

| (Dollars in millions) For the six months ended June 30: | 2025 | 2024 |
| --- | ---: | ---: |
| Receivables uncollected at end of period | $686 | $786 |
EOF
  equal "$(says 'The storage gross margin was 18.9% in 2023')" found
  equal "$(says 'The storage gross margin was 26.2% in 2023')" contradicted
  equal "$(says 'Amortization was $687 million in the second quarter of 2025')" found
  equal "$(says 'Amortization was $687 million in the first half of 2025')" contradicted
  equal "$(says '$686 million were uncollected at the end of June 2025')" found
}

@test "Greater China has not grown, additions may be losses, non-U.S. isn't U.S." {
  cat >table.md <<'EOF'
| (in millions) | 2025 | 2024 |
| --- | ---: | ---: |
| Greater China net sales | $34,515 | $37,191 |
| Net membership additions (losses) | (919) | 312 |

| (in millions) | U.S. Plans 2025 | Non-U.S. Plans 2025 |
| --- | ---: | ---: |
| Net pension cost | $77 | $52 |
EOF
  equal "$(says 'Greater China brought net sales of $34.5 billion in 2025, down from $37.2 billion')" 'found found'
  equal "$(says 'It lost 919 million members in 2025')" found
  equal "$(says 'It gained 919 million members in 2025')" contradicted
  equal "$(says 'Net pension cost of the US plans was $77 million in 2025')" found
  equal "$(says 'Net pension cost of the non-US plans was $52 million in 2025')" found
}

@test "products with a price or a share, and what a part leaves of the whole" {
  cat >table.md <<'EOF'
At year end it had 217,000 employees, with approximately 77% of employees based in the United States.

- 965,247 shares issuable upon the exercise of outstanding warrants, at an average price of $8.18 per share.

Research costs for fiscal 1999 and 1997 were $3,396,000 and $1,450,000, respectively.
EOF
  equal "$(says 'About 167,000 of the employees are based in the United States')" found
  equal "$(says 'About 177,000 of the employees are based in the United States' | grep -c found)" 0
  equal "$(says 'Some 23% of the employees are based outside the United States')" found
  equal "$(says 'Some 33% of the employees are based outside the United States' | grep -c found)" 0
  equal "$(says 'Exercise of the outstanding warrants at their average price would bring roughly $7.9 million')" found
  equal "$(says 'Research spending more than doubled between 1997 and 1999, from $1.45 million to $3.4 million')" 'found found found'
}

@test "units among amounts: counted, worth each" {
  cat >table.md <<'EOF'
| (in millions, except units of digital assets) | Units | Cost Basis | Fair Value |
| --- | ---: | ---: | ---: |
| Bitcoin | 11,509 | $386 | $1,074 |
| Total digital assets held |  | $387 | $1,076 |
EOF
  equal "$(says 'It held 11,509 bitcoin, worth $1,074 million, at a cost of $386 million')" 'found found found'
  equal "$(bid-verify --quiet record | jq '.numbers[0].evidence.scale // 1')" 1
  equal "$(says 'The bitcoin were worth about $93,300 each')" found
  equal "$(says 'The bitcoin were worth about $83,300 each' | grep -c found)" 0
}

@test "MWh and GWh are told apart" {
  echo 'In 2024, we deployed 31.4 GWh of energy storage products.' >table.md
  equal "$(says 'It deployed 31.4 GWh of storage in 2024')" found
  equal "$(says 'It deployed 31,400 MWh of storage in 2024')" found
  equal "$(says 'It deployed 31.4 MWh of storage in 2024' | grep -c found)" 0
}

@test "a corner that begins with its scale, a table that tells none, a label with its own" {
  cat >table.md <<'EOF'
| Millions, for the six months ended June 30, | 2025 | 2024 |
| --- | ---: | ---: |
| Beginning balance | $268 | $245 |
| Accruals | 28 | 78 |
| Gross ton-miles (billions) | 431.2 | 420.9 |
EOF
  equal "$(says 'Accruals were $28 million in the first half of 2025')" found
  equal "$(says 'Accruals were $28 thousand in the first half of 2025')" contradicted
  equal "$(says 'Gross ton-miles were 431.2 billion in the first half of 2025')" found
  equal "$(says 'Gross ton-miles were 431.2 million in the first half of 2025')" contradicted
  printf '| | 2025 | 2024 |\n| --- | ---: | ---: |\n| Income taxes payable | $13,016 | $26,601 |\n| Accrued marketing | 8,919 | 7,679 |\n' >table.md
  equal "$(says 'Income taxes payable were $13.0 billion in 2025')" found
  equal "$(says 'Income taxes payable were $13.0 billion in 2024')" contradicted
  equal "$(says 'Income taxes payable were $31.0 billion in 2025')" contradicted
  printf '| | 2025 | 2024 |\n| --- | ---: | ---: |\n| Total assets | $28,049,026 | $26,601,113 |\n| Cash | 8,255 | 7,679 |\n' >table.md
  equal "$(says 'Total assets were $28.0 million in 2025')" found
  equal "$(says 'Total assets were $28.0 billion in 2025')" contradicted
}

@test "an unknown word is a company's name before a verb, not before a noun; digits are none" {
  printf '| (in millions) | 2025 |\n| --- | ---: |\n| Sales of securities | $11,135 |\n| Stock-based awards | 4,465 |\n' >table.md
  owned() {
    jq -nc --arg s "$1 [1]." --rawfile t table.md '{answer: $s, matches: [{rank: 1, text: $t, cik: "0000320193", company: "Apple Inc.", context: "Apple Inc. (AAPL) · 10-K · FY 2025"}]}' | bid-verify -q | jq -r '.numbers[0].verdict'
  }
  equal "$(owned 'Antidilutive awards were $4,465 million in 2025')" found
  equal "$(owned 'Sales of securities were $11.1 billion in 2025')" found
  equal "$(owned 'Quarzomatik made $11.1 billion by sales of securities in 2025')" contradicted
}

@test "bounds in words: more than, at least, nearly, less than" {
  printf 'The ferry carried 2,298 cars. Some 31%% of its seats were taken, and fares were $1,950,000.\n' >table.md
  equal "$(says 'The ferry carried more than 2,000 cars')" found
  equal "$(says 'The ferry carried more than 2,300 cars' | grep -c found)" 0
  equal "$(says 'Nearly a third of its seats were taken')" found
  equal "$(says 'Upwards of a quarter of its seats were taken')" found
  equal "$(says 'More than a third of its seats were taken' | grep -c found)" 0
  equal "$(says 'Fares were just under $2 million')" found
  equal "$(says 'Fares were at least $2 million' | grep -c found)" 0
  equal "$(says 'Fares were no less than $2 million' | grep -c found)" 0
  equal "$(says 'Fares were less than $1.9 million' | grep -c found)" 0
}

@test "shares of figures of two sentences; a change in the other direction isn't even likely" {
  printf 'The gross cost of the ferries was $6.79 billion. Ferries are shown net of accumulated depreciation of $1.86 billion.\n' >table.md
  equal "$(says "Over a quarter of the ferries' cost has been depreciated")" found
  equal "$(says "Over a third of the ferries' cost has been depreciated" | grep -c found)" 0
  printf '| (in millions) | 2025 | 2024 |\n| --- | --- | --- |\n| Kayak inventory | $310 | $280 |\n' >table.md
  equal "$(says 'Kayak inventory rose by $30 million in 2025')" found
  equal "$(says 'Kayak inventory fell by $30 million in 2025')" contradicted
}
