# 310-strip-words: what bid-strip makes of real filings, against readers and parsers that are not ours.
#
# The programs compared with are w3m and lynx (test/tools/words.md says what differs and why); the iXBRL facts come
# from an XML parser.

load helper

test_setup() {
  need python3
}

# The recorded pages into PAGES, and a command `text` that prints the text of a page.
pages() {
  need_shared
  mapfile -t PAGES < <(find "$BID_SHARED/upstream" \( -name '*.htm' -o -name '*.html' \) -size +0 | sort)
  text_command
}

text_command() {
  printf '#!/bin/sh\nset -e\nbid-strip --raw "$1" >document\njq -r .text document\n' >text
  chmod +x text
}

@test "at least 99.5 % of the words that w3m or lynx shows stand in order, in every page" {
  pages
  need w3m
  need lynx
  run --separate-stderr python3 "$ROOT/test/tools/words.py" --least 99.5 --show 3 "${PAGES[@]}"
  printf '%s\n' "$output" | grep -E 'LOW|odd:|^    [-+]' || true
  printf '%s\n' "$output" | tail -n 2
  [ "$status" -eq 0 ]
  [ "${#PAGES[@]}" -gt 50 ]
  # Strictly in order in all but these six files; what isn't are words of headers that span columns, or of several rows.
  contains "${lines[-2]}" "strictly in order: 6 of ${#PAGES[@]}"
  [[ ${lines[-1]} =~ ^all:\ ([0-9.]+)\ %.*cell\ ([0-9]+),\ elsewhere\ ([0-9]+),\ missing\ ([0-9]+)\; ]]
  [ "${BASH_REMATCH[1]%.*}" -ge 99 ]
  [ "$((BASH_REMATCH[2] + BASH_REMATCH[3] + BASH_REMATCH[4]))" -eq 0 ]
  [[ ${lines[-1]} == *", odd 0" ]]
}

# The words of a page, as a program in bid-strip's place shows them: words.py's last line.
against() {
  printf '#!/bin/sh\nfor f; do :; done\nprintf "%%s\\n" "$ANSWER" | jq -Rsc --arg f "file://$(realpath "$f")" "{text: ., sourceUrl: \\$f}"\n' >fake
  chmod +x fake
  ANSWER=$1 run --separate-stderr python3 "$ROOT/test/tools/words.py" --least 99 --show 9 --strip ./fake page.html
}

@test "the comparison sees lost, joined and moved words" {
  need w3m
  need lynx
  printf '<p>one two three four five six seven eight nine ten</p>' >page.html
  against "one two three four five six seven eight nine ten"
  [ "$status" -eq 0 ]
  against "one two threefour five seven six eight ten"
  [ "$status" -eq 1 ]
  contains "$output" "spacing 2, header 0, cell 0, elsewhere 1, missing 1"
  contains "$output" "missing nine"
}

@test "the comparison sees words that a table loses, or that leave it" {
  need w3m
  need lynx
  printf '<p>Before it.</p><table><tr><td>alpha<td>beta<td>gamma</tr><tr><td>delta<td>5<td>6</tr></table><p>After it.</p>' >page.html
  against $'Before it.\n\n| gamma | alpha beta |\n| --- | --- |\n| delta | 6 5 |\n\nAfter it.'
  [ "$status" -eq 0 ]
  contains "$output" "header 1, cell 1, elsewhere 0, missing 0"
  against $'Before it.\n\n| alpha | beta | gamma |\n| --- | --- | --- |\n| delta | 5 | 5 |\n\nAfter it.'
  [ "$status" -eq 1 ]
  contains "$output" "missing 6"
  against $'Before it.\n\n| alpha | beta | |\n| --- | --- | --- |\n| delta | 5 | 6 |\n\nAfter it. gamma'
  [ "$status" -eq 1 ]
  contains "$output" "elsewhere gamma"
}

@test "the comparison sees furniture that is none" {
  need w3m
  need lynx
  printf '<p>one two three four</p>' >page.html
  printf '%s\n' '#!/bin/sh' 'for f; do :; done' 'text="one two three four"; case $* in *keep*) ;; *) text="one two four" ;; esac' \
    'jq -nc --arg t "$text" --arg f "file://$(realpath "$f")" "{text: \$t, sourceUrl: \$f}"' >fake
  chmod +x fake
  run --separate-stderr python3 "$ROOT/test/tools/words.py" --show 9 --strip ./fake page.html
  [ "$status" -eq 1 ]
  contains "$output" "odd: taken out: three"
}

@test "over 99 % of the iXBRL facts of the face statements stand in their cell" {
  pages
  run --separate-stderr python3 "$ROOT/test/tools/facts.py" --least 99 --show 3 --command ./text "${PAGES[@]}"
  printf '%s\n' "$output" | tail -n 5
  [ "$status" -eq 0 ]
  [[ ${lines[-1]} =~ of\ ([0-9]+)\ facts$ ]]
  [ "${BASH_REMATCH[1]}" -gt 2000 ]
}

@test "the fact check sees a lost sign and a number in the wrong column" {
  text_command
  cat >page.htm <<'EOF'
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"><body><p>(in millions)</p>
<table><tr><td></td><td>2025</td><td>2024</td></tr>
<tr><td>Total assets</td><td><ix:nonFraction name="us-gaap:Assets" contextRef="a" scale="6">7</ix:nonFraction></td>
<td><ix:nonFraction name="us-gaap:Assets" contextRef="b" scale="6">8</ix:nonFraction></td></tr>
<tr><td>Deficit</td><td>(<ix:nonFraction name="x:Deficit" contextRef="a" scale="6" sign="-">3</ix:nonFraction>)</td>
<td>(<ix:nonFraction name="x:Deficit" contextRef="b" scale="6" sign="-">4</ix:nonFraction>)</td></tr>
<tr><td>Total</td><td><ix:nonFraction name="us-gaap:LiabilitiesAndStockholdersEquity" contextRef="a" scale="6">7</ix:nonFraction></td>
<td><ix:nonFraction name="us-gaap:LiabilitiesAndStockholdersEquity" contextRef="b" scale="6">8</ix:nonFraction></td></tr></table></body></html>
EOF
  run --separate-stderr python3 "$ROOT/test/tools/facts.py" --least 100 --command ./text page.htm
  [ "$status" -eq 0 ]
  ./text page.htm >right
  printf '#!/bin/sh\ncat wrong\n' >reader
  chmod +x reader
  for change in 's/(3)/3/' 's/| Total | 7 | 8 |/| Total | 8 | 7 |/' 's/(in millions)//'; do
    sed "$change" right >wrong
    run --separate-stderr python3 "$ROOT/test/tools/facts.py" --least 100 --command ./reader page.htm
    [ "$status" -eq 1 ]
  done
}

@test "hand-checked statements: headers, labels, numbers and signs in one table" {
  pages
  run --separate-stderr python3 "$ROOT/test/tools/statements.py" --command ./text \
    --root "$BID_SHARED/upstream" "$ROOT/test/data/statements.txt"
  printf '%s\n' "$output" | tail -n 20
  [ "$status" -eq 0 ]
  [ "${lines[-1]}" = "12 of 12 statements" ]
}
