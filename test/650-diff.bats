#!/usr/bin/env bats
# bid-diff, and documents read whole from the store.

load helper

apple() { # NAME...: document records of recorded filings
  need_shared
  local name
  for name; do
    bid-strip --raw "$(ls "$BID_SHARED"/upstream/www.sec.gov/Archives/edgar/data/*/*/"$name".htm)" >"$name.json"
  done
}
changes() { jq -c "select(.change == \"$1\") | $2" <<<"$output"; }

@test "every kind of change, once" {
  printf '# Risks\n\nThe mole is made of stone and keeps the waves out.\n\nWe had 12 boats and 3 cranes at the end of 2024.\n\nFog is bad for pilots on every morning of the winter.\n\nIce blocks us.\n\nGulls are loud.\n' >old.txt
  printf '# Risks\n\nIce blocks us.\n\nThe mole is made of stone, and keeps the waves out.\n\nWe had 14 boats and 3 cranes at the end of 2025.\n\nFog is bad for pilots on most mornings of the winter.\n\nA new ferry competes with ours.\n' >new.txt
  run --separate-stderr bid-diff old.txt new.txt
  equal "$status" 0
  equal "$output" '{"diff":{"old":{},"new":{},"same":2,"moved":1,"numbers":1,"changed":1,"added":1,"dropped":1}}
{"change":"moved","heading":"Risks","new":"Ice blocks us."}
{"change":"numbers","heading":"Risks","old":"We had 12 boats and 3 cranes at the end of 2024.","new":"We had 14 boats and 3 cranes at the end of 2025.","numbers":[["12","14"],["2024","2025"]]}
{"change":"changed","heading":"Risks","old":"Fog is bad for pilots on every morning of the winter.","new":"Fog is bad for pilots on most mornings of the winter.","alike":0.82}
{"change":"added","heading":"Risks","new":"A new ferry competes with ours."}
{"change":"dropped","heading":"Risks","old":"Gulls are loud."}'
  python3 "$ROOT/test/tools/schema.py" "$ROOT/data/schema/diff.json" <<<"$output"
  run --separate-stderr bid-diff --human --color=never old.txt new.txt
  contains "$output" '2 the same, 1 moved, 1 with other numbers, 1 changed, 1 added, 1 dropped'
  contains "$output" '# We had [-12-] {+14+} boats and 3 cranes at the end of [-2024.-] {+2025.+}'
  contains "$output" '== Risks =='
  contains "$output" '+ added, - dropped, ~ changed, # other numbers, > moved'
}

@test "--limit prints the first changes and says how many are left" {
  printf '# Risks\n\nIt stays.\n' >old.txt
  printf '# Risks\n\nIt stays.\n\nThe first that is new here.\n\nA second one.\n\nAnd a third of them.\n' >new.txt
  run --separate-stderr bid-diff -n 1 old.txt new.txt
  equal "$output" '{"diff":{"old":{},"new":{},"same":2,"moved":0,"numbers":0,"changed":0,"added":3,"dropped":0,"notShown":2}}
{"change":"added","heading":"Risks","new":"The first that is new here."}'
  python3 "$ROOT/test/tools/schema.py" "$ROOT/data/schema/diff.json" <<<"$output"
  run --separate-stderr bid-diff -n 1 --human --color=never old.txt new.txt
  contains "$output" "2 further changes are not shown (-n)"
  run --separate-stderr bid-diff -n 3 old.txt new.txt
  [[ $output != *notShown* ]]
}

@test "for people: kinds that there are, a new heading once, lines no wider than the screen" {
  printf '# Risks\n\nWe had 12 boats.\n' >old.txt
  printf '# Risks\n\nWe had 12 boats.\n\n# Ferries\n\nA new ferry competes with ours on every line, and at night, and in the winter of all years.\n\n| Boats | 12 |\n' >new.txt
  run --separate-stderr bid-diff --human --color=never old.txt new.txt
  contains "$output" $'2 the same, 3 added\n'
  contains "$output" $'\n\n== Ferries == (new)\n\n+ {+A new ferry'
  contains "$output" $'\n+ {+Boats | 12+}'
  printf '# Risks of fog\n\nA.\n' >a.txt
  printf '# Risks of thick fog\n\nA.\n' >b.txt
  run --separate-stderr bid-diff --human --color=never a.txt b.txt
  run ! grep -q '^~ #' <<<"$output"
  need script
  run bash -c 'script -qec "stty cols 40; PAGER=cat bid-diff --color=always old.txt new.txt" /dev/null </dev/null | tr -d "\r" | sed "s/\x1b\[[0-9;]*m//g"'
  equal "$status" 0
  contains "$output" $'+ A new ferry competes with ours on\n  every line'
  equal "$(awk 'length > 40' <<<"$output")" ''
}

@test "a text is the same as itself, and as itself with other marks and breaks" {
  apple aapl-20250927
  jq -r .text aapl-20250927.json >a.txt
  sed 's/^#* //; s/, / , /g' a.txt >b.txt
  for other in a.txt b.txt; do
    run --separate-stderr bid-diff a.txt $other
    equal "$(jq -c '.diff | [.moved, .numbers, .changed, .added, .dropped]' <<<"${lines[0]}")" '[0,0,0,0,0]'
  done
}

# Read in both filings by hand.
@test "hand-checked changes: Apple's 10-K of 2025 against that of 2024" {
  apple aapl-20240928 aapl-20250927
  run --separate-stderr bid-diff --item 1A aapl-20240928.json aapl-20250927.json
  equal "$status" 0
  contains "$(changes added .new)" 'ability to compete successfully also depends on the effective protection'
  contains "$(changes dropped .old)" 'forward-looking statements'
  contains "$(changes changed .new)" 'A significant majority of the Company’s manufacturing'
  run --separate-stderr bid-diff --item 7 aapl-20240928.json aapl-20250927.json
  contains "$(changes numbers '.numbers')" '["391,035","416,161"]'
  contains "$(changes numbers '.numbers')" '["46.2","46.9"]'
  run --separate-stderr bid-diff --item 9A aapl-20240928.json aapl-20250927.json
  equal "$(jq -c '.diff | [.changed, .added, .dropped]' <<<"${lines[0]}")" '[0,0,0]'
}

@test "hand-checked changes: Apple's third quarter of 2025 against its second" {
  apple aapl-20250329 aapl-20250628
  run --separate-stderr bid-diff --item II-1 aapl-20250329.json aapl-20250628.json
  equal "$status" 0
  contains "$output" 'Epic'
  run --separate-stderr bid-diff --item II-6 aapl-20250329.json aapl-20250628.json
  equal "$(jq -c '.diff | .changed + .added + .dropped + .numbers < 12' <<<"${lines[0]}")" true
}

@test "year-to-date columns of a quarter that the other lacks are left out, and the same quarter of a year before has them" {
  apple aapl-20250329 aapl-20250628
  run --separate-stderr bid-diff aapl-20250329.json aapl-20250628.json
  equal "$(jq -c '.diff | [.leftOut, .spans > 0]' <<<"${lines[0]}")" '[[6,9],true]'
  python3 "$ROOT/test/tools/schema.py" "$ROOT/data/schema/diff.json" <<<"$output"
  # Net sales: the quarters stand against each other, 219,659 of six months and 313,695 of nine do not.
  contains "$(changes numbers .numbers)" '["95,359","94,036"]'
  equal "$(changes numbers .numbers | grep -c '"219,659","313,695"')" 0
  run --separate-stderr bid-diff --human --color=never aapl-20250329.json aapl-20250628.json
  contains "$output" 'columns of 6 and 9 months, which only one of the two has, are left out'
  run --separate-stderr bid-diff --year-ago aapl-20250329.json aapl-20250628.json
  equal "$status" 64
  contains "$stderr" 'name it with -e'
  need_shared
  upstream_start
  export BID_NOW=2026-03-05T00:00:00Z
  bid-ingest -e AAPL -f 10-Q -n 2 >/dev/null 2>&1 || :
  run --separate-stderr bid-diff --year-ago -e AAPL -f 10-Q
  equal "$status" 1
  contains "$stderr" 'year'
}

@test "147 changes that were read by hand are found, and next to none besides" {
  need_shared
  run python3 "$ROOT/test/quality/diff/measure.py" "$BID_BIN" "$BID_SHARED"
  echo "$output" >&2
  equal "$(tail -n 1 <<<"$output" | jq -c '[.expected, .recall >= 0.97, .precision >= 0.97]')" '[147,true,true]'
}

@test "rows with a label of one word, rows of dates, dashes for noughts: numbers that changed" {
  printf '# T\n\n| Mac | 29 | 2%% |\n| iPhone | 20 | \xe2\x80\x94%% |\n| May 4, 2024 to June 1, 2024: |\n\nFish is sold here.\n' >old.txt
  printf '# T\n\n| Mac | 33 | 12%% |\n| iPhone | 21 | 4%% |\n| June 5, 2025 to July 2, 2025: |\n\nFish is sold here.\n' >new.txt
  run --separate-stderr bid-diff old.txt new.txt
  equal "$(jq -c 'select(.change) | [.change, .new[:6]]' <<<"$output")" '["numbers","| Mac "]
["numbers","| iPho"]
["changed","| June"]'
}

@test "a sign is part of a number: parentheses and a minus, not a hyphen, a range or a list" {
  diffed() { # OLD NEW: the kinds of change
    printf '%s\n' "$1" >old.txt
    printf '%s\n' "$2" >new.txt
    bid-diff --json old.txt new.txt | jq -r '.kind // .change // empty' | grep -v same | tr '\n' ' '
  }
  local pair
  for pair in 'Net income was $3.4 million.~Net income was $(3.4) million.' 'Growth was 5%.~Growth was -5%.' \
    'Growth was 5%.~Growth was −5%.' '| Operating income (loss) | (3,400) | 120 |~| Operating income (loss) | 3,400 | (120) |' \
    'It lost ($3.4) million in all.~It lost $3.4 million in all.'; do
    equal "$pair: $(diffed "${pair%~*}" "${pair#*~}")" "$pair: numbers "
  done
  for pair in 'The 2024-25 season began.~The 2024–25 season began.' 'Of 5 - 10 units we sold it.~Of 5–10 units we sold it.' \
    'We saw (in 2024) growth of units.~We saw in 2024 growth of units.'; do
    equal "$pair: $(diffed "${pair%~*}" "${pair#*~}")" "$pair: "
  done
}

@test "of paragraphs about as alike those of the same subject are paired" {
  printf '# S\n\nAnchor one stays.\n\nAmericas net sales increased in 2024 due to higher net sales of Services.\n\nJapan net sales increased in 2024 due to higher net sales of iPhone.\n' >old.txt
  printf '# S\n\nAnchor one stays.\n\nAmericas net sales increased in 2025 mainly due to higher net sales of iPhone and more.\n\nJapan net sales increased in 2025 mainly due to higher net sales of Services and Mac.\n' >new.txt
  run --separate-stderr bid-diff old.txt new.txt
  equal "$(jq -c 'select(.change == "changed") | [.old[:5], .new[:5]]' <<<"$output")" '["Ameri","Ameri"]
["Japan","Japan"]'
}

@test "a document whole from the store is the document; an item is the item; ids may be short" {
  need_shared
  upstream_start
  export BID_NOW=2026-03-05T00:00:00Z
  bid-ingest -e AAPL -f 10-K -n 2 >/dev/null
  apple aapl-20250927 aapl-20240928
  squeezed() { tr -s ' \n\t' ' ' | sed 's/ $//'; }
  bid-store --human show AAPL 10-K 2>told | squeezed >got
  equal "$(cat told)" "bid-store: Apple Inc. (AAPL) · 10-K · FY 2025 · filed 2025-10-31; also here (a form or --back selects): 10-K filed 2024-11-01"
  jq -r .text aapl-20250927.json | squeezed >expected
  cmp got expected
  bid-store show aapl 10-k --item 9A --back 1 | jq -r .text | squeezed >got
  bid-strip --raw -i 9A "$BID_SHARED/upstream/www.sec.gov/Archives/edgar/data/320193/000032019324000123/aapl-20240928.htm" |
    jq -r .text | squeezed >expected
  cmp got expected
  local id
  id=$(bid-search --json -n 1 "risk" | jq -r .id)
  equal "$(bid-store show "${id:0:12}" | jq -r .id)" "$id"
  run --separate-stderr bid-store show 00000000000000
  equal "$status" 1
  contains "$stderr" "no passage has an id that begins with"
  run --separate-stderr bid-store show AAPL 10-K --item 99
  equal "$status" 1
  contains "$stderr" "no item 99"
  run --separate-stderr bid-diff -e AAPL --item 7A
  equal "$status" 0
  equal "$(jq -c '.diff | [.old.reportDate, .new.reportDate, .numbers]' <<<"${lines[0]}")" '["2024-09-28","2025-09-27",5]'
  run --separate-stderr bid-diff -e AAPL --back 1
  equal "$status" 1
  contains "$stderr" "too few to compare"
  contains "$stderr" "'bid ingest -e AAPL -f 10-K -n 3' reads them"
}

@test "wrong calls are told" {
  run --separate-stderr bid-diff
  equal "$status" 64
  run --separate-stderr bid-diff -e AAPL a b
  equal "$status" 64
  echo text >a
  run --separate-stderr bid-diff --item 7 a a
  equal "$status" 65
  contains "$stderr" "a text has no items"
  run --separate-stderr bid-diff a missing
  equal "$status" 66
}

# filing KEY FORM FILED TEXT: a document record of Acme's.
filing() {
  jq -cn --arg key "$1" --arg form "$2" --arg filed "$3" --arg text "$4" '{source: "test", sourceUrl: ("https://example.org/" + $key),
    capturedAt: "2026-01-01T00:00:00Z", contentType: "text/plain", sha256: ("0" * 64), text: ($text + "\n"), outline: [],
    metadata: {company: "Acme Harbours Inc.", ticker: "ACMH", form: $form, filingDate: $filed, reportDate: $filed,
      accessionNumber: $key}}'
}

@test "--new: only what the filing before did not say" {
  local long rival
  long=$(printf 'Storms of the kind numbered %s may close the harbour for weeks and harm our income. ' a b c d e f)
  rival=$(printf 'A rival port %s opened upstream and may take away the grain ships that pay most dues. ' u v w x y z)
  {
    filing old 10-K 2024-02-01 "$long"$'\n\nDredging is paid by the state and needs a permit of the harbour board each year.'
    filing new 10-K 2025-02-01 "$rival"$'\n\n'"$long"
    filing only 10-Q 2025-05-01 "$long"
  } | bid-chunk --tokens=100 | bid-embed | bid-index >/dev/null
  run --separate-stderr bid-search --new --no-threshold -n 9 'harbour storms, dredging, grain ships of a rival port'
  equal "$status" 0
  equal "$(jq -c '[.sourceUrl, .newSince, .text[:12]]' <<<"$output" | sort -u)" '["https://example.org/new","https://example.org/old","A rival port"]'
  contains "$stderr" 'no 10-Q of Acme Harbours Inc. before that of 2025-05-01 is in the store to tell what is new'
  # the newest of those that pass is meant
  run --separate-stderr bid-search --new -e ACMH --until 2024-12-31 'storms'
  equal "$status" 1
  contains "$stderr" 'no 10-K of Acme Harbours Inc. before that of 2024-02-01 is in the store to tell what is new; bid-ingest -n 2 reads'
  # as a record's own wish, and not the next one's
  run --separate-stderr bid-search --no-threshold -n 9 <<<'{"query":"storms","form":"10-K","new":true}
{"query":"storms","form":"10-K"}
{"query":"storms","new":"yes"}'
  equal "$(jq -c 'if .error then .error.message else [.matches[] | .sourceUrl[20:]] | unique end' <<<"$output")" '["new"]
["new","old"]
"\"new\" is neither true nor false"'
  run --separate-stderr bid-search --new --from chroma+http://localhost:1 x
  equal "$status" 64
  contains "$stderr" "--new: a server's passages can't be compared"
}

@test "--new: every passage of Apple's newest 10-K with a change is searched, and no other" {
  need_shared
  upstream_start
  export BID_NOW=2026-03-05T00:00:00Z
  bid-ingest -e AAPL -f 10-K -n 2 >/dev/null
  # what bid-diff says is new, as words that stand in no other passage
  bid-search --json --new --no-threshold --no-fold --mode=text -n 1000 -e AAPL -f 10-K company >new
  bid-diff -e AAPL | jq -c 'select(.change == "added") | .new | select(length > 60)' >added
  bid-store show AAPL 10-K --back 1 | jq -r .text | tr -s ' \n' ' ' >before
  equal "$(jq -r .newSince new | sort -u)" https://www.sec.gov/Archives/edgar/data/320193/000032019324000123/aapl-20240928.htm
  python3 - <<'CHECK'
import json, re
hits = [json.loads(l) for l in open("new")]
added = [json.loads(l) for l in open("added")]
before = open("before").read()
assert len(added) > 20 and len(hits) > 50
words = lambda t: re.sub(r"[\W_]+", " ", t).strip().lower()
texts = [words(h["text"]) for h in hits]
lost = [a for a in added if "company" in a.lower() and not any(words(a)[:50] in t for t in texts)]
assert not lost, lost
stale = [h["text"] for h in hits if re.sub(r"\s+", " ", h["text"]) in before]
assert not stale, stale
CHECK
}

@test "two companies are refused, not one of them left out" {
  run --separate-stderr bid-diff -e AAPL --company TSLA
  equal "$status" 64
  contains "$stderr" 'bid-diff: -e is given 2 times, but the filings compared are of one company; run it once for each'
}

@test "a text is rendered for a screen, and shown in parts" {
  bid-fetch --quiet file "$ROOT"/data/sample/*.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
  COLUMNS=60 run --separate-stderr bid-store --human show TWHL 10-K --item 1A
  [[ $output != *"## "* ]]
  equal "$(awk 'length > 60' <<<"$output" | head -3)" ""
  contains "$(tr -s ' \n' ' ' <<<"$output")" "$(bid-store show TWHL 10-K --item 1A | jq -r .text | sed 's|^#* ||' | tr -s ' \n' ' ' | cut -c1-400)"
  run --separate-stderr bid-store show TWHL 10-K --item 1A --from 100000
  equal "$status $(jq -r .error.category <<<"$output")" "1 no-content"
  contains "$stderr" "none is left from byte 100000 on"
  whole=$(bid-store show TWHL 10-K | jq -r .text)
  before=$(LC_ALL=C grep -abo '[^ -~]' <<<"$whole" | LC_ALL=C awk -F: '$2 >= "\200" { print $1; exit }') # a character of several bytes
  [ -n "$before" ]
  bid-store show TWHL 10-K --from $((before + 1)) --limit 40 | jq -r .text >got
  [ "$(grep -c $'\xef\xbf\xbd' got)" -eq 0 ]
}

# An annual report of a company for a year, with the body on stdin, in the store.
report_of() {
  jq -Rsc --arg year "$1" '{source: "sec-filings", sourceUrl: "https://www.sec.gov/Archives/edgar/data/1/\($year).htm", capturedAt: "2026-01-02T03:04:05Z",
    contentType: "text/plain", metadata: {company: "Example Inc.", ticker: "EXM", cik: "0000000001", form: "10-K", filingDate: "\($year | tonumber + 1)-02-01",
    reportDate: "\($year)-12-31"}, rawContent: .}' | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
}

@test "years that moved on with the report, and pages of the contents, are no changes" {
  report_of 2024 <<'END'
Sales grew during 2024 compared to 2023, as they did in 2022.

The credit agreement ends in June 2027 and has a limit of the usual kind.

During 2024 we opened 12 stores in the region.
END
  report_of 2025 <<'END'
Sales grew during 2025 compared to 2024, as they did in 2023.

The credit agreement ends in June 2028 and has a limit of the usual kind.

During 2025 we opened 14 stores in the region.
END
  run --separate-stderr bid-diff -e EXM
  equal "$(jq -c 'select(.change) | [.new[:22], .yearsAlone]' <<<"$output")" '["Sales grew during 2025",true]
["The credit agreement e",null]
["During 2025 we opened ",null]'
  run --separate-stderr bid-diff --format=text -e EXM
  contains "$output" "not shown: 1 with other numbers that are years"
  [[ $output != *"Sales grew"* ]]
  printf '| Item 1. | Financial Statements | 3 |\n| --- | --- | --- |\n| Item 2. | Discussion and Analysis | 12 |\n\n| Item 2 costs | 10 | 12 |\n' >old.md
  printf '| Item 1. | Financial Statements | 3 |\n| --- | --- | --- |\n| Item 2. | Discussion and Analysis | 13 |\n\n| Item 2 costs | 11 | 12 |\n' >new.md
  run --separate-stderr bid-diff old.md new.md
  equal "$(jq -c 'select(.change) | .new' <<<"$output")" '"| Item 2 costs | 11 | 12 |"'
}
