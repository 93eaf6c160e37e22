#!/usr/bin/env bats
# bid-verify: citations proved again, numbers of an answer found, contradicted or unsupported.

load helper

SAMPLE=0009990001-26-000007.txt

# One store for all tests of the file: they only read it.
setup_file() {
  private_home "$BATS_FILE_TMPDIR"
  bid-fetch --quiet file "$ROOT/data/sample/$SAMPLE" -P corpus=edgar | bid-strip | bid-chunk | bid-embed | bid-index >/dev/null
  bid-search --bundle -e TWHL 'what was interest expense?' >"$BATS_FILE_TMPDIR/bundle"
}

test_setup() {
  export BID_STORE=$BATS_FILE_TMPDIR/store
  cp "$BATS_FILE_TMPDIR/bundle" bundle
}

verify() { run --separate-stderr bid-verify --quiet "$@"; }
verdicts() { jq -r '.numbers[] | "\(.text) \(.verdict)"' <<<"$output" | paste -sd';'; }

# answer TEXT: a record with the passage on interest expense as [1].
answer() {
  bid-store dump --plain | jq -c --arg answer "$1" \
    'select(.text | contains("Interest expense was $19.2 million")) | {answer: $answer, matches: [. + {rank: 1}]}' | head -1 >record
}

# What an answer's numbers are, beside the figures in the file "facts".
told_how() {
  echo "{\"answer\":$(quoted "$1")}" >record
  verify --facts facts record
  jq -c '[.numbers[] | [.verdict, .how]]' <<<"$output"
}
told_verdicts() { told_how "$@" | jq -r 'map(.[0]) | join(" ")'; }

@test "numbers are found the same, rounded and in another scale" {
  answer 'Interest expense was $19.2 million [1]. It was $22,400 thousand the year before [1]. They repaid about $41 million [1].'
  verify record
  equal "$status" 0
  equal "$(verdicts)" '$19.2 million found;$22,400 thousand found;$41 million found'
  equal "$(jq -c .summary <<<"$output")" '{"found":3,"contradicted":0,"unsupported":0,"unsure":0,"clean":true}'
}

@test "falsified numbers are contradicted, others unsupported" {
  answer 'Interest expense was $29.2 million [1]. The fleet is worth $777 million [1].'
  verify record
  equal "$status" 1
  equal "$(verdicts)" '$29.2 million contradicted;$777 million unsupported'
  equal "$(jq -r '.numbers[0].evidence.where' <<<"$output")" passage
}

@test "figures of tables: the line, the year and the scale count" {
  bid-store dump --plain | jq -c '{answer: "", matches: [. + {rank: 1}]} | select(.matches[0].text | contains("### Segment operating income"))' >table
  judge() {
    jq -c --arg a "$1" '.answer = $a' table >record
    verify record
    verdicts
  }
  equal "$(judge 'Slipway Digital lost (1,930) thousand dollars in 2024 [1].')" '(1,930) thousand found'
  equal "$(judge 'Slipway Digital earned $3.4 million in 2024 [1].')" '$3.4 million contradicted'
  equal "$(judge 'Operating income was $38.9 million in 2025 [1].')" '$38.9 million contradicted'
  equal "$(judge 'Operating income was $112.4 billion in 2025 [1].')" '$112.4 billion contradicted'
  equal "$(judge 'Operating income rose 26.3% in 2025 [1].')" '26.3% found'
  equal "$(judge 'Operating income rose 62.3% in 2025 [1].')" '62.3% unsupported'
}

@test "a row that the sentence names wholly, note marks aside, against a total; figures of the year before" {
  judge() {
    jq -nc --arg a "$1" '{answer: $a, matches: [{rank: 1, text: "Net sales by category (in millions):\n\n| | 2025 | Change | 2024 |\n| --- | --- | --- | --- |\n| Mac | $33,708 | 12% | $29,984 |\n| iPad | 28,023 | 5% | 26,694 |\n| Services (1) | 109,158 | 14% | 96,169 |\n| Total net sales | $170,889 | 12% | $152,847 |\n\n(1) Services net sales include amortization. Services net sales grew.\n"}]}' >record
    verify record
    verdicts
  }
  equal "$(judge 'Net sales of Services were $109.2 billion in 2025 [1].')" '$109.2 billion found'
  equal "$(judge 'Net sales of Services were $109.2 billion in 2025, up 14% from $96.2 billion [1].')" '$109.2 billion found;14% found;$96.2 billion found'
  equal "$(judge 'Services net sales grew 14% to $109.2 billion from $96.2 billion in 2024 [1].')" '14% found;$109.2 billion found;$96.2 billion found'
  equal "$(judge 'Net sales of iPad were $33.7 billion in 2025 [1].')" '$33.7 billion contradicted'
  equal "$(judge 'Total net sales were $109.2 billion in 2025 [1].')" '$109.2 billion contradicted'
  equal "$(judge 'Mac net sales climbed to $30.0 billion in 2024 from $33.7 billion in 2025 [1].')" '$30.0 billion contradicted;$33.7 billion found'
}

@test "dates, years, forms and marks are not numbers of an answer" {
  answer 'On December 31, 2025 the 10-K of fiscal 2025 said in Item 7 and Note 3 [1] that Q4 was the 4th quarter.'
  verify record
  equal "$(jq -c .numbers <<<"$output")" '[]'
  equal "$(jq -c '[.statements[].verdict]' <<<"$output")" '["unsupported"]' # the passage has no word of it
}

@test "a statement without numbers: what differs from its passage, in other words or the same" {
  judge() {
    jq -nc --arg a "$1 [1]." '{answer: $a, matches: [{rank: 1, text: "The buyer, Halyard Partners, has its head office in Houston, Texas.  The tender offer expires on March 9, 2026.  The notes may be redeemed at thirty days\u0027 notice.  The Company is not a party to the support agreement.\n\n| (in millions) | 2025 | 2024 |\n| --- | --- | --- |\n| Inventories | $412 | $388 |\n"}]}' >record
    verify record
    jq -r '.statements[] | "\(.verdict) \(.how // "-")"' <<<"$output"
  }
  equal "$(judge 'Halyard runs the whole business out of Houston')" 'unsure -'
  equal "$(judge 'Halyard runs the whole business out of Dallas')" 'unsupported other name'
  equal "$(judge 'Holders can tender until March 9, 2026')" 'found -'
  equal "$(judge 'Holders can tender until April 9, 2026')" 'unsupported other day'
  equal "$(judge 'Calling the notes takes one month of notice')" 'found -'
  equal "$(judge 'Calling the notes takes two months of notice')" 'unsupported other quantity'
  equal "$(judge "It hasn't signed the support agreement as a party")" 'found -'
  equal "$(judge 'It signed the support agreement as a party')" 'unsupported negated'
  equal "$(judge 'Inventories went up in 2025')" 'found -'
  equal "$(judge 'Inventories went down in 2025')" 'unsupported other sign'
  BID_STORE=$PWD/none judge 'Halyard runs the whole business out of Houston' >/dev/null # nothing speaks against it
  equal "$status $(jq -c .summary.clean <<<"$output")" '0 true'
  judge 'Inventories went down in 2025' >/dev/null
  equal "$status" 1
  equal "$(jq -c '[.statements[0].mark, .statements[0].nearest, .summary.unsupported]' <<<"$output")" '[1,"Inventories",1]'
  verify --format=text record
  contains "$output" '0 numbers, 1 statement: 0 found, 0 contradicted, 1 unsupported, 0 unsure'
}

@test "a sentence that cites nothing is no statement" {
  answer 'Here is what the filing says. Interest expense was $19.2 million [1].'
  verify record
  equal "$(jq -c .statements <<<"$output")" '[]'
}

@test "a mark names the passage that has to have the number" {
  answer 'Interest expense was $19.2 million [2].'
  verify record
  equal "$status" 1
  equal "$(verdicts)" '$19.2 million unsupported'
}

@test "passages of a bundle are proved from the store" {
  verify bundle
  equal "$status" 0
  equal "$(jq -r '.citations[].stored' <<<"$output" | sort -u)" proved
  equal "$(jq -r '.citations[0].sha256' <<<"$output" | tr -d '0-9a-f' | wc -c)" 1
}

@test "a passage that was altered, moved or invented is told" {
  jq -c '.rag.matches[0].text |= sub("[0-9]"; "7x")' bundle >altered
  verify altered
  equal "$status" 1
  equal "$(jq -r '.citations[0] | "\(.stored): \(.why)"' <<<"$output")" "changed: the text is another one"
  jq -c '.rag.matches[0].start += 1' bundle >moved
  verify moved
  equal "$(jq -r '.citations[0].why' <<<"$output")" "it stands at another place of the document"
  jq -c '.rag.matches[0].sourceUrl = "https://www.sec.gov/other"' bundle >other
  verify other
  equal "$(jq -r '.citations[0].why' <<<"$output")" "it is of another document"
  jq -c '.rag.matches[0].id = "00000000000000000000000000000000"' bundle >invented
  verify invented
  equal "$(jq -r '.citations[0].stored' <<<"$output")" absent
  equal "$status" 1
}

@test "--source reads the document again: its hash, and the text at the offsets" {
  verify --source bundle
  equal "$status" 0
  equal "$(jq -r '.citations[].source' <<<"$output" | sort -u)" proved
  cp "$ROOT/data/sample/$SAMPLE" copy.txt
  bid-fetch --quiet file copy.txt -P corpus=copies | bid-strip | bid-chunk | bid-embed | BID_STORE=$PWD/own bid-index >/dev/null
  BID_STORE=$PWD/own bid-search --bundle 'what was interest expense?' >copied
  sed -i 's/19\.2 million/91.2 million/' copy.txt
  BID_STORE=$PWD/own verify --source copied
  equal "$status" 1
  equal "$(jq -r '.citations[0] | "\(.stored) \(.source): \(.why)"' <<<"$output")" "proved changed: the source's bytes have another hash"
}

@test "single passages, and an answer in a file" {
  jq -c '.rag.matches[]' bundle >passages
  verify passages
  equal "$status" 0
  equal "${#lines[@]}" "$(wc -l <passages)"
  echo 'Interest expense was $19.2 million [1].' >answer.txt
  answer x
  verify --answer answer.txt record
  equal "$status" 0
  equal "$(verdicts)" '$19.2 million found'
}

@test "facts count besides passages" {
  echo '{"label":"Revenue","value":842600000,"unit":"USD","fiscalYear":2025,"accessionNumber":"0009990001-26-000007"}' >facts
  echo '{"answer":"Revenue was $842.6 million in fiscal 2025. Revenue was $824.6 million in fiscal 2025."}' >record
  verify --facts facts record
  equal "$(verdicts)" '$842.6 million found;$824.6 million contradicted'
  equal "$(jq -r '.numbers[0].evidence | "\(.where) \(.accessionNumber)"' <<<"$output")" "fact 0009990001-26-000007"
  jq -c --slurpfile f facts '.edgar = {facts: $f}' record >with
  verify with
  equal "$(verdicts)" '$842.6 million found;$824.6 million contradicted'
}

@test "a company's XBRL facts" {
  need_shared
  export BID_NOW=2026-03-25T00:00:00Z
  upstream_start
  echo '{"answer":"Apple had revenue of $416.2 billion in fiscal 2025 and net income of $93.7 billion in fiscal 2024. Free cash flow was $198.8 billion in fiscal 2025."}' >record
  verify -e AAPL record
  equal "$status" 1
  equal "$(verdicts)" '$416.2 billion found;$93.7 billion found;$198.8 billion contradicted'
}

@test "a fact counts only for the line, the span and the company that the sentence names" {
  need_shared
  export BID_NOW=2026-03-25T00:00:00Z
  upstream_start
  told() {
    echo "{\"answer\":$(quoted "$1")}" >record
    verify "${@:2}" record
    verdicts
  }
  equal "$(told 'iPhone revenue was $209.6 billion in fiscal 2025.' -e AAPL)" '$209.6 billion unsupported'
  equal "$(told 'iPhone revenue was $416.2 billion in fiscal 2025.' -e AAPL)" '$416.2 billion unsupported'
  equal "$(told 'EPS was $7.46, up 23%.' -e AAPL)" '$7.46 found;23% found'
  equal "$(told 'EPS was $6.08.' -e AAPL)" '$6.08 contradicted'
  equal "$(told 'Marketing took 32% of sales in fiscal 2025. The tax rate fell 8.5 points.' -e AAPL)" '32% unsupported;8.5 points found'
  equal "$(told 'The tax rate fell 5.8 points in 2025.' -e AAPL | cut -d' ' -f3)" unsupported
  equal "$(told 'Apple bought back $90.7 billion of stock. Apple bought back $97.0 billion of stock.' -e AAPL)" '$90.7 billion found;$97.0 billion contradicted'
  equal "$(told 'Net income was $27.5 billion in the fourth quarter of 2025. It had net income of $23.4 billion in the fourth quarter of 2025.' -e AAPL)" \
    '$27.5 billion found;$23.4 billion contradicted'
  equal "$(told "Tesla's revenue was \$416.2 billion in 2025." -e AAPL)" '$416.2 billion contradicted'
}

@test "a decimal comma before a percent sign or a scale word" {
  printf '(in millions)\n\n|  | 2025 | 2024 |\n| --- | --- | --- |\n| Gross margin | 46.9%% | 46.2%% |\n| Net sales | $1,500 | $1,200 |\n' >table.md
  equal "$(verdicts_of 'Gross margin was 46,2 % in 2024.')" '[["found","same"]]'
  equal "$(verdicts_of 'Gross margin was 46,3 % in 2024.' | jq -c '.[0][0]')" '"contradicted"'
  equal "$(verdicts_of 'Net sales were $1,5 billion in 2025.')" '[["found","scaled"]]'
  equal "$(verdicts_of 'Net sales were $1,500 million in 2025.')" '[["found","scaled"]]'
}

@test "a balance without a date is the newest quarter's or the newest year's" {
  printf '%s\n' '{"label":"Inventories","value":5718000000,"unit":"USD","months":0,"fiscalYear":2025}' \
    '{"label":"Inventories","value":7286000000,"unit":"USD","months":0,"fiscalYear":2024}' \
    '{"label":"Inventories","value":5875000000,"unit":"USD","months":0,"fiscalYear":2026,"fiscalPeriod":"Q1"}' >facts
  echo '{"answer":"Inventories were $5,718 million. Inventories were $5,875 million. Inventories were $7,286 million."}' >record
  verify --facts facts record
  equal "$(verdicts)" '$5,718 million found;$5,875 million found;$7,286 million contradicted'
}

@test "a mark that names no passage is told" {
  answer 'Interest expense was $19.2 million [1], as they say [9].'
  verify record
  equal "$status" 1
  equal "$(jq -c '[.citations[] | [.mark, .stored, .why]]' <<<"$output")" '[[1,"proved",null],[9,"absent","the answer cites it, there is 1 passage"]]'
}

@test "a view for people" {
  answer 'Interest expense was $29.2 million [1].'
  verify --human record
  contains "$output" "[1] proved"
  contains "$output" "contradicted"
  contains "$output" "1 number: 0 found, 1 contradicted, 0 unsupported, 0 unsure"
  jq -c '.matches[0].sourceUrl = "x\u001b[31m"' record >odd
  verify --human odd
  [[ $output != *$'\033'* ]]
}

@test "what is about as near to another line is unsure, with what speaks for and against it" {
  local text=$'| (in millions) | 2025 | 2024 |\n| --- | --- | --- |\n| Lamp sales | 310 | 280 |\n| Lamp and rope sales | 510 | 470 |\n| Total sales | 900 | 870 |\n'
  jq -nc --arg t "$text" '{answer: "Sales of lamps and others were about $510 million in 2025 [1].", matches: [{rank: 1, text: $t}]}' >record
  verify record
  equal "$status" 1
  equal "$(jq -c '.numbers[0] | [.verdict, .how, .evidence.value, .against.value]' <<<"$output")" '["unsure","other line",510,310]'
  equal "$(jq -c .summary <<<"$output")" '{"found":0,"contradicted":0,"unsupported":0,"unsure":1,"clean":false}'
  verify --human record
  contains "$output" 'unsure'
  contains "$output" 'against it: [1] '
}

@test "direction words agree with the two figures that they join, whatever the evidence has" {
  printf '(in millions)\n\n|  | 2025 | 2024 |\n| --- | --- | --- |\n| Barges | 2,866 | 2,646 |\n' >table.md
  equal "$(verdicts_of 'Barges rose from $2,646 million to $2,866 million.' | jq -c 'map(.[0])')" '["found","found"]'
  equal "$(verdicts_of 'Barges went up from $2,866 million to $2,646 million.' | jq -c 'any(.[]; .[0] == "contradicted")')" true
  equal "$(verdicts_of 'Rafts rose from 416.2 to 391.0.' | jq -c 'any(.[]; .[0] == "contradicted")')" true
}

@test "without a store passages are unchecked, and that is said" {
  run --separate-stderr env BID_STORE="$PWD/none" bid-verify bundle
  equal "$status" 0
  equal "$(jq -r '.citations[0].stored' <<<"$output")" unchecked
  contains "$stderr" "no store here"
}

@test "what is no answer is refused, and the rest goes on" {
  answer 'Interest expense was $19.2 million [1].'
  printf '%s\n' '{"a":1}' "$(cat record)" 'nonsense' >mixed
  verify mixed
  equal "$status" 1
  equal "$(jq -c 'select(.error) | .error.category' <<<"$output")" '"invalid-request"
"invalid-request"'
  equal "$(jq -c 'select(.summary) | .summary.clean' <<<"$output")" true
  verify --answer nowhere.txt record
  equal "$status" 66
}

@test "3,963 sentences of all labelled sets: precision .8856, recall .8901, 212 unsure" {
  need_shared
  run python3 "$ROOT/test/quality/verify/measure.py" "$BID_BIN" --all
  echo "$output"
  equal "$status" 0
  contains "$output" "sentences 3963, falsified 1871"
}

verdicts_of() { # SENTENCE: verdict and how of its numbers, against a table of quarters and half-years
  printf '{"answer":%s,"matches":[{"rank":1,"text":%s}]}\n' "$(quoted "$1 [1]")" "$(quoted "$(<table.md)"$'\n')" | bid-verify -q | jq -c '[.numbers[] | [.verdict, .how]]'
}

@test "a quarter's figure is none for the half-year, a loss is no profit, a fall no rise" {
  printf '(in millions)\n\n|  | Three Months Ended June 30, 2025 | Three Months Ended June 30, 2024 | Six Months Ended June 30, 2025 | Six Months Ended June 30, 2024 |\n| --- | --- | --- | --- | --- |\n| Net sales | 500 | 400 | 950 | 820 |\n| Operating (loss) profit | (35) | 12 | (61) | 30 |\n\nHarbour dues decreased 3.2 percent in the second quarter of 2025.\n' >table.md
  equal "$(verdicts_of 'Net sales were $500 million in the second quarter of 2025.')" '[["found","scaled"]]'
  equal "$(verdicts_of 'Net sales were $950 million in the second quarter of 2025.')" '[["contradicted","other period"]]'
  equal "$(verdicts_of 'Net sales were $500 million in the first six months of 2025.')" '[["contradicted","other period"]]'
  equal "$(verdicts_of 'Net sales were $820 million in the first half of 2025.')" '[["contradicted","other year"]]'
  equal "$(verdicts_of 'Net sales were $500 million in 2023.')" '[["contradicted","other period"]]'
  equal "$(verdicts_of 'The operating loss was $35 million in Q2 2025.')" '[["found","scaled"]]'
  equal "$(verdicts_of 'Operating profit was $35 million in Q2 2025.')" '[["contradicted","other sign"]]'
  equal "$(verdicts_of 'Net sales grew 25% in the second quarter of 2025.')" '[["found","computed"]]'
  equal "$(verdicts_of 'Net sales fell 25% in the second quarter of 2025.' | jq -c '.[0][0] != "found"')" true
  equal "$(verdicts_of 'Harbour dues fell 3.2% in the second quarter of 2025.')" '[["found","same"]]'
  equal "$(verdicts_of 'Harbour dues rose 3.2% in the second quarter of 2025.')" '[["contradicted","other sign"]]'
}

@test "figures computed of two, respective years, other currencies, barer lines, cash in and out" {
  printf '(in millions)\n\n|  | 2025 | 2024 |\n| --- | --- | --- |\n| Revenue | 500 | 400 |\n| Gross profit | 200 | 150 |\n| GAAP net income | 70 | 60 |\n| Non-GAAP net income | 90 | 75 |\n| Cash generated by operating activities | 110 | 95 |\n\nThe return was 3.7%% and 4.4%% in 2025 and 2024, respectively.\n\nWe sold boats for EUR 12 million in 2025.\n\nSince 2023 it bought back 2 million shares at a cost of $116 million.\n' >table.md
  equal "$(verdicts_of 'Revenue was $100 million higher than in 2024.')" '[["found","computed"]]'
  equal "$(verdicts_of 'Revenue was $100 million lower than in 2024.' | jq -c '.[0][0] == "found"')" false
  equal "$(verdicts_of 'Revenue was $90 million higher than in 2024.' | jq -c '.[0][0] == "found"')" false
  equal "$(verdicts_of 'The gross margin was 40% in 2025.')" '[["found","computed"]]'
  equal "$(verdicts_of 'The gross margin was 45% in 2025.' | jq -c '.[0][0] == "found"')" false
  equal "$(verdicts_of 'The return was 4.4% in 2024.')" '[["found","same"]]'
  equal "$(verdicts_of 'The return was 4.4% in 2025.')" '[["contradicted","other year"]]'
  equal "$(verdicts_of 'Boats sold for EUR 12 million in 2025.')" '[["found","scaled"]]'
  equal "$(verdicts_of 'Boats sold for $12 million in 2025.' | jq -c '.[0][0] == "found"')" false
  equal "$(verdicts_of 'GAAP net income was $90 million in 2025.')" '[["contradicted","other line"]]'
  equal "$(verdicts_of 'Operating activities used $110 million of cash in 2025.')" '[["contradicted","other sign"]]'
  equal "$(verdicts_of 'On average a share cost $58.')" '[["found","computed"]]'
}

@test "another company's name, a place that the passage lacks, another line's figure, opposites" {
  printf '(In millions, except number of shares, which are reflected in thousands)\n\n|  | 2025 | 2024 |\n| --- | --- | --- |\n| Net sales | $500 | $400 |\n| Operating income | 120 | 100 |\n| Cash, beginning of year | 31 | 27 |\n| Interest and other income (expense) | (12) | 9 |\n| Shares used in computing earnings per share: |  |  |\n| Basic | 45,210 | 44,100 |\n\nBy region sales changed as follows: Norrland (2)%%, Skania 1%% and Gotland (33)%%.\n' >table.md
  owned() { jq -nc --arg s "$1 [1]" --rawfile t table.md '{answer: $s, matches: [{rank: 1, text: $t, cik: "0000320193", company: "Apple Inc.", context: "Apple Inc. (AAPL) · 10-K · FY 2025"}]}' | bid-verify -q | jq -c '[.numbers[] | [.verdict, .how]]'; }
  equal "$(owned 'Net sales of Apple were $500 million in 2025.')" '[["found","scaled"]]'
  equal "$(owned "Microsoft's net sales were \$500 million in 2025.")" '[["contradicted","other company"]]'
  equal "$(owned "Quarzomatik's net sales were \$500 million in 2025.")" '[["contradicted","other company"]]'
  equal "$(owned 'Net sales in Iceland were $500 million in 2025.')" '[["unsupported",null]]'
  equal "$(owned 'Net income was $120 million in 2025.')" '[["contradicted","other line"]]'
  equal "$(owned 'Cash was $31 million at the end of 2025.')" '[["contradicted","other line"]]'
  equal "$(owned 'Sales in Norrland fell 33%.')" '[["contradicted","other line"]]'
  equal "$(owned 'Sales in Gotland fell 33%.')" '[["found","same"]]'
  equal "$(owned 'Interest and other income was $12 million in 2025.')" '[["contradicted","other sign"]]'
  equal "$(owned 'Interest and other income was minus $12 million in 2025.')" '[["found","scaled"]]'
  equal "$(owned 'Basic shares were 45.2 million in 2025.')" '[["found","rounded"]]'
  equal "$(owned 'Basic shares were 45.2 billion in 2025.' | jq -c '.[0][0] == "found"')" false
  equal "$(owned 'Net sales were €500 million in 2025.' | jq -c '.[0][0] == "found"')" false
}

@test "numbers in words, parts, multiples, ranges, cents, percentage points" {
  printf '(in millions, except per share)\n\n|  | 2025 | 2024 |\n| --- | --- | --- |\n| Freight | $9,200 | $4,500 |\n| Storage | 3,050 | 2,980 |\n| Operating margin | 12.5%% | 11.0%% |\n| Dividends per share | $0.24 | $0.20 |\n' >table.md
  equal "$(verdicts_of 'Freight brought about nine billion dollars in 2025.')" '[["found","rounded"]]'
  equal "$(verdicts_of 'Freight brought about seven billion dollars in 2025.' | jq -c '.[0][0]')" '"contradicted"'
  equal "$(verdicts_of 'Freight more than doubled in 2025.')" '[["found","computed"]]'
  equal "$(verdicts_of 'Freight tripled in 2025.' | jq -c '.[0][0] == "found"')" false
  equal "$(verdicts_of 'Storage was a third of freight in 2025.')" '[["found","computed"]]'
  equal "$(verdicts_of 'In the first half of 2025 nothing was said.')" '[]'
  equal "$(verdicts_of 'Freight went from 4.5 to 9.2 billion dollars between 2024 and 2025.')" '[["found","scaled"],["found","scaled"]]'
  equal "$(verdicts_of 'Dividends per share were 24 cents in 2025.')" '[["found","same"]]'
  equal "$(verdicts_of 'The operating margin rose by 1.5 percentage points in 2025.')" '[["found","computed"]]'
  equal "$(verdicts_of 'The operating margin rose by 2.5 percentage points in 2025.' | jq -c '.[0][0] == "found"')" false
}

@test "columns, headings above rows, years of rows, shares of totals, sums and differences of lines" {
  printf '| Millions | Ships Fair value | Ships Cost |\n| --- | --- | --- |\n| Norrland | 310 | 280 |\n| Skania | 90 | 120 |\n| Total | 400 | 400 |\n\n(in millions)\n\n|  | 2025 | 2024 |\n| --- | --- | --- |\n| Cash provided by (used in): |  |  |\n| Operating activities | $110 | $95 |\n| Investing activities | (44) | 12 |\n| Percentage growth: |  |  |\n| Norrland | 12%% | 10%% |\n| Skania | 7 | 9 |\n| Current debts: |  |  |\n| Term debt | 55 | 50 |\n| Non-current debts: |  |  |\n| Term debt | 155 | 160 |\n' >table.md
  equal "$(verdicts_of 'The fair value of ships in Norrland was $310 million.')" '[["found","scaled"]]'
  equal "$(verdicts_of 'The cost of ships in Norrland was $310 million.')" '[["contradicted","other line"]]'
  equal "$(verdicts_of 'Norrland held 77.5% of the fair value.' | jq -c '.[0]')" '["found","computed"]'
  equal "$(verdicts_of 'Norrland held 57.5% of the fair value.' | jq -c '.[0][0] == "found"')" false
  equal "$(verdicts_of 'Investing activities used $44 million of cash in 2025.')" '[["found","scaled"]]'
  equal "$(verdicts_of 'Investing activities provided $44 million of cash in 2025.')" '[["contradicted","other sign"]]'
  equal "$(verdicts_of 'Skania grew 7% in 2025.')" '[["found","same"]]'
  equal "$(verdicts_of 'Skania grew 12% in 2025.' | jq -c '.[0][0] == "found"')" false
  equal "$(verdicts_of 'Non-current term debt was $155 million in 2025.')" '[["found","scaled"]]'
  equal "$(verdicts_of 'Non-current term debt was $55 million in 2025.')" '[["contradicted","other line"]]'
  equal "$(verdicts_of 'Term debt of all kinds added up to $210 million in 2025.')" '[["found","computed"]]'
  equal "$(verdicts_of 'Term debt of all kinds added up to $230 million in 2025.' | jq -c '.[0][0] == "found"')" false
  equal "$(verdicts_of 'Operating activities provided 110 million euros in 2025.' | jq -c '.[0][0] == "found"')" false
  equal "$(verdicts_of 'In Skania ships cost $30 million more than their fair value.' | jq -c '.[0]')" '["found","computed"]'
}

@test "numbers of a text are held to their own words, days and poles" {
  printf 'Ms. Ek will receive a grant of 6,500 units, a retainer of $100,000 for her service on the Board, as well as a retainer of $10,000 for her service on the Audit Committee.\n\nBalances abroad were $23.5 million and $25.5 million as of December 31, 2024 and 2025.\n\nOn April 1, 2025, the company made a $997 payment. On October 1, 2025, the company made a $1,043 payment.\n\nThe net loss attributable to holders narrowed to $4.9 million.\n\nPhase I with UNI 494 is put at $7 million.\n' >table.md
  equal "$(verdicts_of "Ms. Ek's retainer for the Audit Committee is \$10,000.")" '[["found","same"]]'
  equal "$(verdicts_of "Ms. Ek's retainer for the Audit Committee is \$100,000.")" '[["contradicted","other line"]]'
  equal "$(verdicts_of 'Ms. Ek receives $6,500 in units.' | jq -c '.[0][0] == "found"')" false
  equal "$(verdicts_of "Ms. Ek's two retainers come to \$110,000 together.")" '[["found","computed"]]'
  equal "$(verdicts_of 'Balances abroad were $25.5 million at the end of 2025.')" '[["found","scaled"]]'
  equal "$(verdicts_of 'Balances abroad were $23.5 million at the end of 2025.')" '[["contradicted","other year"]]'
  equal "$(verdicts_of 'The payment of October 1, 2025 was $1,043.')" '[["found","same"]]'
  equal "$(verdicts_of 'The payment of October 1, 2025 was $997.')" '[["contradicted","other line"]]'
  equal "$(verdicts_of 'Holders made a profit of $4.9 million.')" '[["contradicted","other sign"]]'
  equal "$(verdicts_of 'UNI 494 in Phase I is put at $7 million.')" '[["found","scaled"]]'
}

@test "numbers of one sentence are held each to its own clause; names, qualifiers and terms tell figures apart" {
  printf '| Name | Award | Bonus |\n| --- | --- | --- |\n| Ada M. Lind, President and Chief Executive Officer | $4,000,000 | 200%% |\n| Bo Ek, Vice President, Finance and Treasurer | $1,500,000 | 150%% |\n\n(in millions)\n\n|  | 2025 | 2024 |\n| --- | --- | --- |\n| Kayak sales | $310 | $280 |\n| Raft sales | 190 | 120 |\n\n| Debt | Total | Next 12 Months | Beyond 12 Months |\n| --- | --- | --- | --- |\n| Loans | $800 | $100 | $700 |\n\nInterest on the notes totals $37.0 billion, with $2.6 billion payable within 12 months.\n' >table.md
  equal "$(verdicts_of 'Kayak sales were $310 million and raft sales $190 million in 2025.')" '[["found","scaled"],["found","scaled"]]'
  equal "$(verdicts_of 'Raft sales were $310 million and kayak sales $190 million in 2025.')" '[["contradicted","other line"],["contradicted","other line"]]'
  equal "$(verdicts_of 'The award of Ms. Lind is $1.5 million.' | jq -c '.[0][0]')" '"contradicted"'
  equal "$(verdicts_of 'The award of Mr. Ek is $1.5 million.' | jq -c '.[0][0]')" '"found"'
  equal "$(verdicts_of 'Interest on the notes totals $2.6 billion.' | jq -c '.[0][0]')" '"contradicted"'
  equal "$(verdicts_of 'About 13% of the loans fall due in the next 12 months.')" '[["found","computed"]]'
  equal "$(verdicts_of 'Kayak and raft sales were half a billion dollars together in 2025, $500 million.' | jq -c '.[-1]')" '["found","computed"]'
}

@test "parts and totals of a table: what a total is called, shares, differences and years of the line that is named" {
  printf 'Net sales by region (in millions):\n\n| | 2025 | Change | 2024 | Change | 2023 |\n| --- | --- | --- | --- | --- | --- |\n| Norrland | $178,353 | 7%% | $167,045 | 3%% | $162,560 |\n| Skania | 111,032 | 10%% | 101,328 | 7%% | 94,294 |\n| Gotland | 98,073 | 0%% | 97,610 | (5)%% | 102,174 |\n| Dalarna | 28,703 | 15%% | 25,052 | 3%% | 24,257 |\n| Sum of regions | $416,161 | 6%% | $391,035 | 2%% | $383,285 |\n\nIt expects some of it in one to three years, and 9%% in greater than three years.\n\n|  | 2025 | 2024 |\n| --- | --- | --- |\n| Ferries at home | $9,101 | $5,602 |\n| Abroad | 864 | 603 |\n| Income before taxes | $9,965 | $6,205 |\n| Fares: |  |  |\n| Tickets | 120 | 145 |\n| Cost of fares: |  |  |\n| Tickets | 8 | 10 |\n' >table.md
  equal "$(verdicts_of 'Dalarna made $28.7 billion of the $416 billion total in 2025.' | jq -c 'map(.[0])')" '["found","found"]'
  equal "$(verdicts_of 'Of $416 billion in 2025, of which Dalarna made $28.7 billion.' | jq -c 'map(.[0])')" '["found","found"]'
  equal "$(verdicts_of 'Between 2023 and 2025 Dalarna gained about $8 billion.' | jq -c '.[0][0] == "found"')" false
  equal "$(verdicts_of 'Dalarna gained $4.4 billion between 2023 and 2025.')" '[["found","computed"]]'
  equal "$(verdicts_of 'Skania was ahead of Gotland by $13.0 billion in 2025.')" '[["found","computed"]]'
  equal "$(verdicts_of 'The regions Norrland and Skania are nearly three times as large as others.' | jq -c '.[0][0] == "found"')" false
  equal "$(verdicts_of 'Dalarna made up 6% of the sum of regions in 2025.' | jq -c '.[0][0] == "found"')" false
  equal "$(verdicts_of 'Dalarna made up 6% of the sum of regions in 2024.')" '[["found","computed"]]'
  equal "$(verdicts_of 'Income before taxes was $864 million in 2025.' | jq -c '.[0][0]')" '"contradicted"'
  equal "$(verdicts_of 'Fares of tickets were $120 million in 2025.')" '[["found","scaled"]]'
  equal "$(verdicts_of 'Fares of tickets were $8 million in 2025.')" '[["contradicted","other line"]]'
}

@test "what a number was computed from is all there" {
  printf '(in millions)\n\n|  | 2025 | 2024 |\n| --- | --- | --- |\n| Kayaks | $310 | $280 |\n| Rafts | 190 | 120 |\n' >table.md
  judged() { printf '{"answer":%s,"matches":[{"rank":1,"text":%s}]}\n' "$(quoted "$1 [1]")" "$(quoted "$(<table.md)"$'\n')" | bid-verify -q "${@:2}"; }
  equal "$(judged 'Rafts grew 58% in 2025.' | jq -c '.numbers[0].evidence | [.relation, (.of[] | [.label, .value, .year])]')" '["change",["Rafts",190,2025],["Rafts",120,2024]]'
  equal "$(judged 'Kayaks and rafts together came to $500 million in 2025.' | jq -c '.numbers[0].evidence | [.relation, (.of[] | .value)]')" '["sum",310,190]'
  equal "$(judged 'Kayaks were $310 million in 2025.' | jq -c '.numbers[0].evidence | has("of")')" false
  contains "$(judged 'Rafts grew 58% in 2025.' --format text)" '(change): [1] Rafts: 190 million (2025); [1] Rafts: $120 million (2024)' || contains "$(judged 'Rafts grew 58% in 2025.' --format text)" '(change): [1] Rafts: 190 million (2025); [1] Rafts: 120 million (2024)'
}

@test "rises and falls to a figure, from one to another; numbers of other columns; words of one subject" {
  printf '|  | 2025 | 2024 |\n| --- | --- | --- |\n| Barge revenue | $310 | $280 |\n| Selling expense | 72 | 70 |\n| Waiting time (hours) | 21.2 | 22.7 |\n\n| Month | Units bought | Average price |\n| --- | --- | --- |\n| October | 519,883 | $724.15 |\n| November | 457,732 | $792.49 |\n\nDiluted earnings per share were $2.71 on a GAAP basis and $3.80 on a non-GAAP basis. Revenue of its first quarter of fiscal year 2023 rose 9 percent or 13 percent in constant currency.\n' >table.md
  equal "$(verdicts_of 'Barge revenue fell to $310 in 2025.')" '[["contradicted","other sign"]]'
  equal "$(verdicts_of 'Barge revenue grew to $310 in 2025.')" '[["found","same"]]'
  equal "$(verdicts_of 'Selling expense came down from $72 to $70.' | jq -c '.[0]')" '["contradicted","other year"]'
  equal "$(verdicts_of 'Selling expense rose from $70 to $72.' | jq -c 'map(.[0])')" '["found","found"]'
  equal "$(verdicts_of 'Waiting time fell from 22.7 to 21.2 in 2025.' | jq -c 'map(.[0])')" '["found","found"]'
  equal "$(verdicts_of 'Waiting time improved to 21.2 hours from 22.7 hours in 2024.' | jq -c 'map(.[0])')" '["found","found"]'
  equal "$(verdicts_of 'In November it bought 457,732 units at an average price of $792.49.' | jq -c 'map(.[0])')" '["found","found"]'
  equal "$(verdicts_of 'Non-GAAP diluted earnings per share were $3.80.' | jq -c '.[0][0]')" '"found"'
  equal "$(verdicts_of 'GAAP diluted earnings per share were $3.80.' | jq -c '.[0][0]')" '"contradicted"'
  equal "$(verdicts_of 'Revenue rose 9 percent in the first quarter of 2023.' | jq -c '.[0][0]')" '"found"'
  equal "$(verdicts_of 'Revenue was 0.310 Mrd. USD.' | jq -c '.[0][0] == "contradicted"')" false
}

@test "a fact in another currency proves nothing" {
  printf '%s\n' '{"label":"Revenue","value":2894307700000,"unit":"TWD","fiscalYear":2024,"months":12}' \
    '{"label":"Diluted earnings per share","value":44.67,"unit":"TWD/shares","fiscalYear":2024,"months":12}' \
    '{"label":"Net income","value":88000000,"unit":"CAD","fiscalYear":2024,"months":12}' >facts
  equal "$(told_how 'Revenue was NT$2,894 billion in 2024.')" '[["found","rounded"]]'
  equal "$(told_how 'Revenue was 2.9 trillion New Taiwan dollars in 2024.')" '[["found","rounded"]]'
  equal "$(told_how 'Revenue was 2,894 billion in 2024.')" '[["found","rounded"]]'
  equal "$(told_how 'Revenue was US$2,894 billion in 2024.')" '[["contradicted","other currency"]]'
  equal "$(told_how 'Revenue was €2,894 billion in 2024.')" '[["contradicted","other currency"]]'
  equal "$(told_how 'Revenue was 2,894 billion yen in 2024.')" '[["contradicted","other currency"]]'
  equal "$(told_how 'Diluted EPS was $44.67 in 2024.')" '[["contradicted","other currency"]]'
  equal "$(told_how 'Revenue was US$90.1 billion in 2024.')" '[["unsupported",null]]' # a translation is not blamed
  equal "$(told_how 'Net income was C$88 million in 2024.')" '[["found","scaled"]]'
  equal "$(told_how 'Net income was €88 million in 2024.')" '[["contradicted","other currency"]]'
}

@test "a fact's sign: a loss proves no profit, and \"lost\" tells of one" {
  printf '%s\n' '{"label":"Net income","value":-1285640000,"unit":"USD","fiscalYear":2025,"months":12}' \
    '{"label":"Net income","value":-836097000,"unit":"USD","fiscalYear":2024,"months":12}' \
    '{"label":"Diluted earnings per share","value":-3.86,"unit":"USD/shares","fiscalYear":2025,"months":12}' \
    '{"label":"Operating income","value":720300000,"unit":"USD","fiscalYear":2025,"months":12}' \
    '{"label":"Operating margin","value":-0.401503,"unit":"pure","fiscalYear":2025,"months":12}' \
    '{"label":"Investing cash flow","value":-55000000,"unit":"USD","fiscalYear":2025,"months":12}' >facts
  local found='[["found","rounded"]]' other='[["contradicted","other sign"]]'
  equal "$(told_how 'It made a profit of $1.29 billion in fiscal 2025.')" "$other"
  equal "$(told_how 'Its net income was $1.29 billion in fiscal 2025.')" "$other"
  equal "$(told_how 'Its net loss was $1.29 billion in fiscal 2025.')" "$found"
  equal "$(told_how 'Its net income was a loss of $1.29 billion in fiscal 2025.')" "$found"
  equal "$(told_how 'Its net income was -$1.29 billion in fiscal 2025.')" "$found"
  equal "$(told_how 'It posted a $1.29 billion net loss in fiscal 2025.')" "$found"
  equal "$(told_how 'It lost $1.29 billion in fiscal 2025.')" "$found"
  equal "$(told_how 'It earned $1.29 billion in fiscal 2025.')" "$other"
  equal "$(told_how 'It lost $1.59 billion in fiscal 2025.')" '[["contradicted","other value"]]'
  equal "$(told_how 'It lost $59 million on swaps in fiscal 2025.')" '[["unsupported",null]]'
  equal "$(told_how 'It lost $3.86 per share in fiscal 2025.')" '[["found","same"]]'
  equal "$(told_how 'Its EPS was $3.86 in fiscal 2025.')" "$other"
  equal "$(told_how 'Its operating margin was 40.2% in fiscal 2025.')" "$other"
  equal "$(told_how 'Its operating margin was -40.2% in fiscal 2025.')" "$found"
  equal "$(told_how 'It had a negative operating margin of 40.2% in fiscal 2025.')" "$found"
  equal "$(told_how 'Its operating income was $720.3 million in fiscal 2025.')" '[["found","scaled"]]'
  equal "$(told_how 'Its operating loss was $720.3 million in fiscal 2025.')" "$other"
  equal "$(told_how 'Investing cash flow was $55 million in fiscal 2025.')" '[["found","scaled"]]'
}

@test "the number from which another came is of the year before, or of none" {
  for row in 2025:416161000000:112010000000 2024:391035000000:-885000000 2023:383285000000:96995000000; do
    IFS=: read -r year revenue income <<<"$row"
    echo '{"label":"Revenue","value":'"$revenue"',"unit":"USD","fiscalYear":'"$year"',"months":12}'
    echo '{"label":"Net income","value":'"$income"',"unit":"USD","fiscalYear":'"$year"',"months":12}'
  done | sort >facts
  equal "$(told_verdicts 'Revenue rose to $416.2 billion from $391.0 billion in fiscal 2025.')" 'found found'
  equal "$(told_verdicts 'Revenue rose to $416.2 billion from $391.0 billion.')" 'found found'
  equal "$(told_verdicts 'Revenue rose to $416.2 billion from $491.0 billion in fiscal 2025.')" 'found contradicted'
  equal "$(told_verdicts 'Revenue rose to $416.2 billion in 2025 from $383.3 billion.')" 'found contradicted'
  equal "$(told_verdicts 'Revenue rose to $416.2 billion in 2024 from $391.0 billion.')" 'contradicted contradicted'
  equal "$(told_verdicts 'It swung from a net profit of $885 million to a net profit of $112.0 billion in fiscal 2025.')" 'contradicted found'
  equal "$(told_verdicts 'Its 2023 revenue was $383.3 billion, its 2024 revenue $391.0 billion.')" 'found found'
  equal "$(told_verdicts 'Its 2023 revenue was $391.0 billion, its 2024 revenue $383.3 billion.')" 'contradicted contradicted'
}

@test "a number is held against the facts that its sentence names; a share against no growth" {
  printf '%s\n' '{"label":"Cash and cash equivalents","value":35934000000,"unit":"USD","fiscalYear":2025,"months":0}' \
    '{"label":"Revenue","value":416161000000,"unit":"USD","fiscalYear":2025,"months":12}' >facts
  equal "$(told_verdicts 'Its cash was $53.9 billion in 2025.')" 'contradicted'
  equal "$(told_verdicts 'In 2025 cash was $35.9 billion, with $461.1 billion of revenue.')" 'found contradicted'
  equal "$(told_verdicts 'It brought in $461.1 billion of sales in 2025.')" 'contradicted'
  echo 'Online sales increased 1.1 percent to $46.6 million. Net sales were $293.6 million.' >table.md
  equal "$(verdicts_of 'Online sales were 15.9% of net sales.' | jq -c '.[0][0] == "contradicted"')" false
  equal "$(verdicts_of 'Online sales increased 1.1%.' | jq -c '.[0][0]')" '"found"'
  equal "$(verdicts_of 'Online sales increased 2.1%.' | jq -c '.[0][0]')" '"contradicted"'
}

@test "in a label (gain)/loss the parentheses are the gain's" {
  printf '|  | 2015 | 2014 |\n| --- | --- | --- |\n| Foreign exchange (gain)/loss | (177,310) | 22,504 |\n| (Gain) loss on sale of ships | 41,250 | (3,700) |\n| Net income (loss) | (5,120) | 9,330 |\n' >table.md
  equal "$(verdicts_of 'The foreign exchange loss was $177,310 in 2015.')" '[["contradicted","other sign"]]'
  equal "$(verdicts_of 'There was a foreign exchange gain of $177,310 in 2015.' | jq -c '.[0][0]')" '"found"'
  equal "$(verdicts_of 'The foreign exchange loss was $22,504 in 2014.' | jq -c '.[0][0]')" '"found"'
  equal "$(verdicts_of 'The foreign exchange gain was $22,504 in 2014.')" '[["contradicted","other sign"]]'
  equal "$(verdicts_of 'The loss on sale of ships was $41,250 in 2015.' | jq -c '.[0][0]')" '"found"'
  equal "$(verdicts_of 'The gain on sale of ships was $41,250 in 2015.')" '[["contradicted","other sign"]]'
  equal "$(verdicts_of 'The net loss was $5,120 in 2015.' | jq -c '.[0][0]')" '"found"'
}

@test "the evidence has its unit once" {
  echo 'Harbour dues decreased 3.2 percent in 2025.' >table.md
  jq -nc --rawfile t table.md '{answer: "Harbour dues fell 3.2% in 2025 [1].", matches: [{rank: 1, text: $t}]}' >record
  verify --human record
  contains "$output" ': 3.2 percent (2025)'
}
