#!/usr/bin/env bats
# bid-verify: what a figure means, whose it is, of which period and of which kind, and what a claim may be held against.

load helper
load verify

@test "a total without words of its own is called by its table's title" {
  cat >table.md <<'EOF'
Our property, plant and equipment, net, consisted of the following (in millions):

| (in millions) | December 31, 2024 | December 31, 2023 |
| --- | ---: | ---: |
| Land and buildings | $10,677 | $9,498 |
| Computer equipment, hardware and software | 2,902 | 2,409 |
| Construction in progress | 6,783 | 5,791 |
|  | 20,362 | 17,698 |
| Less: Accumulated depreciation | (5,588) | (2,057) |
| Total | $14,774 | $15,641 |
EOF
  equal "$(says 'Net property, plant and equipment was $14.8 billion at the end of 2024')" found
  equal "$(says 'Gross property, plant and equipment was $20.4 billion at the end of 2024')" found
  equal "$(says 'Net property, plant and equipment fell $0.9 billion in 2024')" found
  equal "$(says 'Computer equipment was $14.8 billion at the end of 2024')" contradicted
  equal "$(says 'Land and buildings were $20.4 billion at the end of 2024')" contradicted
}

@test "a quarter's figure proves no year's; a column of one day has no length, whatever the corner says" {
  cat >table.md <<'EOF'
| (Dollars in millions) For the three months ended June 30: | 2025 | 2024 |
| --- | ---: | ---: |
| Software | $7,387 | $6,739 |

| Millions, except ratios for the trailing twelve months ended | Jun. 30, 2025 | Dec. 31, 2024 |
| --- | ---: | ---: |
| Debt | $32,813 | $31,192 |
EOF
  equal "$(says 'Software revenue was $7.4 billion in 2025')" contradicted
  equal "$(says 'Software revenue was $7.4 billion in the second quarter of 2025')" found
  equal "$(says 'In the second quarter of 2025 sales rose. Software revenue was $7.4 billion in 2025')" found
  equal "$(says 'Debt rose $1.6 billion in the first half of 2025 to $32.8 billion')" 'found found'
}

@test "respectively: each number belongs to its own part of the list" {
  echo 'For the second quarter and year-to-date periods of 2025, our operating ratio of 59.0% and 59.8%, respectively, improved 1.0 and 0.6 points, respectively. During 2025, Norwood and Easton accounted for 18.0% and 14.1%, respectively, of revenues.' >table.md
  equal "$(says 'The operating ratio was 59.0% in the second quarter of 2025')" found
  equal "$(says 'The operating ratio was 59.8% in the first half of 2025')" found
  equal "$(says 'The operating ratio was 59.8% in the second quarter of 2025')" contradicted
  equal "$(says 'The operating ratio was 59.0% in the first half of 2025')" contradicted
  equal "$(says 'The operating ratio improved 1.0 points in the second quarter')" found
  equal "$(says 'The operating ratio improved 0.6 points in the second quarter')" contradicted
  equal "$(says 'Norwood accounted for 18.0% of revenues in 2025')" found
  equal "$(says 'Norwood accounted for 14.1% of revenues in 2025')" contradicted
  equal "$(says 'Easton accounted for 18.0% of revenues in 2025')" contradicted
}

@test "a year behind a number is its own; a change between two years is the later one's" {
  echo 'Approximately $191.0 million during 2024 and $36.8 million through February 2025 was spent on barges. Dues amounted to $11.34 million in 2024 compared to $8.90 million in 2023, representing an increase of $2.44 million.' >table.md
  equal "$(says '$191.0 million was spent on barges in 2024')" found
  equal "$(says '$36.8 million was spent on barges in 2025')" found
  equal "$(says '$36.8 million was spent on barges in 2024')" contradicted
  equal "$(says 'Dues rose by $2.44 million in 2024')" found
  printf '|  | 2015 | 2014 | 2013 |\n| --- | --- | --- | --- |\n| Interest income | 113 | 2,300 | 41,371 |\n| Combined ratio | 99.7%% | 99.0%% | 98.2%% |\n' >table.md
  equal "$(says 'Interest income collapsed from $41,371 in 2013 to $113 in 2015')" 'found found'
  equal "$(says 'The combined ratio rose from 99.0% to 99.7% in 2015')" 'found found'
  equal "$(says 'The combined ratio fell from 99.0% to 99.7% in 2015')" 'found contradicted'
}

@test "numbers of names" {
  context='180 HARBOR CAPITAL CORP. · DEF 14A'
  printf '| Holder | Shares | Percent owned |\n| --- | --- | --- |\n| Five Percent Shareholders: |  |  |\n| Aria Investments, LLC(4) | 2,978,818 | 9.6 |\n' >table.md
  equal "$(says 'Aria Investments owned 2,978,818 shares of 180 Harbor Capital')" found
}

@test "a small per cent that shares no word with the claim proves nothing; growth is no level" {
  printf 'Payments for barges rose 29%% in 2025. The margin of dues was 12%%.\n' >table.md
  equal "$(says 'Net profit was up 29% in 2025')" unsupported
  equal "$(says 'Payments for barges were up 29% in 2025')" found
  equal "$(says 'The margin of dues rose 29% in 2025' | grep -c contradicted)" 0
}

@test "a base year is no figure's own, nor is the figure of another noun its rival" {
  echo 'We ended 2024 with $36.56 billion in cash, representing an increase of $7.47 billion from the end of 2023.' >table.md
  equal "$(says 'It ended 2024 with $36.6 billion of cash, $7.5 billion more than a year before')" 'found found'
  printf '(in millions)\n\n|  | 2024 | 2023 | Change |\n| --- | --- | --- | --- |\n| Regulatory credits | $2,763 | $1,790 | 54%% |\n| Total gross margin | 195,201 | 180,683 | 8%% |\n' >table.md
  equal "$(says 'Regulatory credits brought in $2.8 billion, 54% more than in 2023')" 'found found'
  equal "$(says 'It made $195.2 billion of gross profit in 2024 on $416.2 billion of sales')" 'found unsupported'
  echo 'Repurchases during the three months ended September 27, 2025 were as follows.' >table.md
  equal "$(says 'It repurchased 402 million shares for $89.3 billion in 2025')" 'unsupported unsupported'
}

@test "weights, cents, folds, and women" {
  cat >table.md <<'EOF'
| Product Sales Volumes (Volumes in million pounds) | December 31, 2017 Volumes | December 31, 2017 Price / lb | December 31, 2016 Volumes | December 31, 2016 Price / lb |
| --- | ---: | ---: | ---: | ---: |
| Ceramic | 389 | $0.27 | 356 | $0.22 |
| Northern White Sand | 2,190 | 0.02 | 311 | 0.02 |

Our workforce was 51% female and 49% male.
EOF
  equal "$(says 'It sold 2,190 million pounds of Northern White Sand in 2017')" found
  equal "$(says 'Ceramic prices rose from 22 to 27 cents a pound in 2017')" 'found found'
  equal "$(says 'Northern White Sand volumes grew sevenfold in 2017')" found
  equal "$(says 'Northern White Sand volumes grew ninefold in 2017' | grep -c found)" 0
  equal "$(says 'Women were 51% of the workforce')" found
  equal "$(says 'Women were 49% of the workforce')" contradicted
}

@test "lists of lengths and of dates date the numbers of lists, in turn" {
  echo 'The vesting-date value was $7.0 billion and $16.3 billion for the three- and nine-month periods ended June 28, 2025, respectively, and was $6.4 billion and $15.0 billion for the three- and nine-month periods ended June 29, 2024, respectively. The carrying amount of debt was $55 million and $49 million, and its estimated fair value was $52 million and $47 million at June 30, 2025 and December 31, 2024, respectively.' >table.md
  equal "$(says 'The vesting-date value was $6.4 billion in the three months ended June 29, 2024')" found
  equal "$(says 'The vesting-date value was $16.3 billion in the nine months ended June 28, 2025')" found
  equal "$(says 'The vesting-date value was $15.0 billion in the nine months ended June 28, 2025')" contradicted
  equal "$(says 'The vesting-date value was $15.0 billion in the three months ended June 29, 2024')" contradicted
  equal "$(says 'The carrying amount of debt was $49 million at December 31, 2024')" found
  equal "$(says 'The carrying amount of debt was $49 million at June 30, 2025')" contradicted
}

@test "an answer lists periods as a passage does" {
  echo 'As of December 31, 2023 and 2024, self-insurance liabilities were $6.3 billion and $8.5 billion. We ended 2024 with $36.56 billion in cash, an increase of $7.47 billion from the end of 2023.' >table.md
  equal "$(says 'As of December 31, 2023 and 2024, self-insurance liabilities were $6.3 billion and $8.5 billion')" 'found found'
  equal "$(says 'As of December 31, 2023 and 2024, self-insurance liabilities were $8.5 billion and $6.3 billion')" 'contradicted contradicted'
  equal "$(says 'It ended 2024 with $36.56 billion in cash, an increase of $7.47 billion from the end of 2023')" 'found found'
}

@test "figures of one sentence: quoted they are found, swapped they are not" {
  echo 'GAAP operating income in the first quarter was $1.59 billion and non-GAAP operating income was $2.13 billion. As of December 31, 2024, we had outstanding $7.91 billion of indebtedness, of which $2.35 billion is current.' >table.md
  equal "$(says 'GAAP operating income was $1.59 billion and non-GAAP operating income was $2.13 billion')" 'found found'
  equal "$(says 'GAAP operating income was $2.13 billion and non-GAAP operating income was $1.59 billion')" 'contradicted contradicted'
  equal "$(says 'It had $7.91 billion of indebtedness at the end of 2024, $2.35 billion of it current')" 'found found'
  cat >table.md <<'EOF'
| (in millions) | 2025 |
| --- | ---: |
| Research and development | $34,550 |
| Selling, general and administrative | 27,601 |
EOF
  equal "$(says 'Research and development came to $34.6 billion, more than selling, general and administrative at $27.6 billion')" 'found found'
  equal "$(says 'Selling, general and administrative came to $34.6 billion, more than research and development at $27.6 billion' | grep -c contradicted)" 1
}

@test "a heading of rows without a colon makes them amounts a share" {
  cat >table.md <<'EOF'
| (in millions, except per share data) | 2024 | 2023 |
| --- | ---: | ---: |
| Net income | $7,091 | $14,997 |
| Net income per share of common stock |  |  |
| Basic | $2.23 | $4.73 |
| Diluted | $2.04 | $4.30 |
| Weighted average shares used in computing net income per share |  |  |
| Diluted | 3,498 | 3,485 |
EOF
  equal "$(says 'Diluted earnings per share dropped to $2.04 in 2024 from $4.30 in 2023')" 'found found'
  equal "$(says 'Diluted earnings per share were $2.40 in 2024')" contradicted
  equal "$(says 'It earned $7.1 billion in 2024')" found
}

@test "counts of shares are no rivals of money" {
  cat >table.md <<'EOF'
| (Amounts in Thousands Except Per Share Amounts) | Thirteen Weeks Ended November 2, 2024 |
| --- | ---: |
| NET INCOME | $44,172 |
| EARNINGS PER SHARE: |  |
| Basic | $0.89 |
| Basic weighted average shares | 49,854 |
EOF
  equal "$(says 'Buckle earned $44.2 million')" found
  equal "$(says 'Buckle earned $49.9 million' | grep -c found)" 0
}

@test "digits before a capital letter are a name's" {
  echo 'The company had 3 sites and spent $5 million on 20 GWh of storage.' >table.md
  equal "$(says "374Water had 3 sites, its 13F and 1Q24 say")" found
  equal "$(says 'It spent $5M on 20GWh of storage')" 'found found'
}

@test "a number alone behind a form's field has its unit in the question" {
  printf -- '- **Number of units to be sold:** 69996\n\n- **Aggregate market value:** 11588537.76\n\n- **Class percent:** 22.2\n' >table.md
  equal "$(says 'He filed to sell 69,996 shares with a market value of $11,588,537.76')" 'found found'
  equal "$(says 'The market value was $11,588,573.76')" contradicted
  equal "$(says "Its stake is 22.2% of the class")" found
  equal "$(says "Its class percent is 23.2%" | grep -c found)" 0
}

@test "a number with its own scale, or from a million on, has no other scale" {
  printf '| Use of proceeds | We expect net proceeds of about $6.3 million. |\n| Microsoft Corp | 20524000 |\n' >table.md
  equal "$(says 'It expects net proceeds of about $6.3 million')" found
  equal "$(says 'It expects net proceeds of about $6.3 billion' | grep -c found)" 0
  equal "$(says 'Its Microsoft Corp shares were worth $20.5 billion' | grep -c found)" 0
}

@test "the figure of a year before, however that is joined to it" {
  cat >table.md <<'EOF'
| (in millions) | 2025 | 2024 |
| --- | ---: | ---: |
| Net cash used in investing activities | (4,595) | (8,309) |
EOF
  equal "$(says 'It used $4.6 billion in investing activities in 2025, well below the $8.3 billion of a year before')" 'found found'
  equal "$(says 'It used $4.6 billion in investing activities in 2025, against $8.3 billion in the previous year')" 'found found'
  equal "$(says 'It used $4.6 billion in investing activities in 2025, well below the $8.9 billion of a year before')" 'found contradicted'
}

@test "a number is computed from the others of its sentence" {
  cat >table.md <<'EOF'
| Holder | Units | Value ($) |
| --- | ---: | ---: |
| Ek | 98,072 | 39,605,396 |
| Dahl | 51,000 | 20,595,900 |
EOF
  equal "$(says 'Ek has 98,072 units and Dahl 51,000: 149,072')" 'found found found'
  equal "$(says 'Ek has 98,072 units and Dahl 51,000: 148,072')" 'found found contradicted'
}

@test "a schedule of years has a row for what comes thereafter, and its total is no year's" {
  cat >table.md <<'EOF'
The schedule of future minimum rentals on leases:

| Year ending December 31, | Amount |
| --- | ---: |
| 2016 | $383,000 |
| 2017 | 140,000 |
| Thereafter | 27,000 |
|  | $550,000 |
EOF
  equal "$(says 'Future minimum rentals are $383,000 in 2016 and $140,000 in 2017')" 'found found'
  equal "$(says 'Future minimum rentals are $27,000 after 2017')" found
  equal "$(says 'Future minimum rentals are $140,000 after 2017')" contradicted
}

@test "text in columns: a label of several lines, amounts without a sign" {
  cat >table.md <<'EOF'
```
(iii) Aggregate price of shares redeemed or repurchased
      during the fiscal year (if applicable):               -    365,263,456
                                                            _______________
(iv)  Aggregate price of shares sold
      during the fiscal year:                                    168,462,102
```
EOF
  equal "$(says 'Shares were redeemed for $365.3 million')" found
  equal "$(says 'Shares were redeemed or repurchased for $168.5 million in the fiscal year')" contradicted
}
