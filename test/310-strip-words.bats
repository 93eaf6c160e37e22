# 310-strip-words: what the HTML reader makes of real filings, against readers and parsers that are not ours.
#
# The programs compared with are w3m and lynx; the iXBRL facts come from an XML parser.  What is checked is html_read()
# itself (test/unit/html_test.c --text), since bid-strip takes running headers and page numbers out as well.
# BID_FULL=1 compares with lynx too.

load helper

test_setup() {
  need_shared
  need python3
  READER=${BID_UNIT:-$ROOT/.build/unit}/html_test
  [ -x "$READER" ] || skip "html_test is not built (make unit)"
  mapfile -t PAGES < <(find "$BID_SHARED/upstream" \( -name '*.htm' -o -name '*.html' \) -size +0 | sort)
}

@test "at least 99.5 % of the words that w3m shows, in order, in every page" {
  need w3m
  run --separate-stderr python3 "$ROOT/test/tools/words.py" --least 99.5 --show 3 \
    --command "$READER --text" "${PAGES[@]}"
  printf '%s\n' "$output" | tail -n 5
  [ "$status" -eq 0 ]
  [ "${#PAGES[@]}" -gt 50 ]
  [[ ${lines[-1]} =~ ,\ ([0-9]+)\ elsewhere,\ ([0-9]+)\ missing$ ]]
  [ "${BASH_REMATCH[1]}" -le 300 ] # columns of a proxy statement's summary that w3m draws side by side
  [ "${BASH_REMATCH[2]}" -le 10 ]  # three: "30th" and "Bonus1", drawn with a superscript
}

@test "at least 99.5 % of the words that lynx shows (BID_FULL=1)" {
  [ -n "${BID_FULL-}" ] || skip "BID_FULL is not set"
  need lynx
  run --separate-stderr python3 "$ROOT/test/tools/words.py" --reader lynx --least 99.5 --show 3 \
    --command "$READER --text" "${PAGES[@]}"
  printf '%s\n' "$output" | tail -n 5
  [ "$status" -eq 0 ]
}

@test "the comparison sees lost, joined and moved words" {
  need w3m
  printf '<p>one two three four five six seven eight nine ten</p>' >page.html
  printf '#!/bin/sh\nprintf "%%s\\n" "one two threefour five seven six eight ten"\n' >reader
  chmod +x reader
  run --separate-stderr python3 "$ROOT/test/tools/words.py" --least 99 --show 9 --command ./reader page.html
  [ "$status" -eq 1 ]
  contains "$output" "spacing 2, beside 1, elsewhere 0, missing 1"
  contains "$output" "missing: nine"
}

@test "over 99 % of the iXBRL facts of the face statements stand in their cell" {
  run --separate-stderr python3 "$ROOT/test/tools/facts.py" --least 99 --show 3 --command "$READER --text" \
    "${PAGES[@]}"
  printf '%s\n' "$output" | tail -n 5
  [ "$status" -eq 0 ]
  [[ ${lines[-1]} =~ of\ ([0-9]+)\ facts$ ]]
  [ "${BASH_REMATCH[1]}" -gt 2000 ]
}

@test "the fact check sees a lost sign and a number in the wrong column" {
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
  run --separate-stderr python3 "$ROOT/test/tools/facts.py" --least 100 --command "$READER --text" page.htm
  [ "$status" -eq 0 ]
  "$READER" --text page.htm >right
  printf '#!/bin/sh\ncat wrong\n' >reader
  chmod +x reader
  for change in 's/(3)/3/' 's/| Total | 7 | 8 |/| Total | 8 | 7 |/' 's/(in millions)//'; do
    sed "$change" right >wrong
    run --separate-stderr python3 "$ROOT/test/tools/facts.py" --least 100 --command ./reader page.htm
    [ "$status" -eq 1 ]
  done
}

@test "hand-checked statements: headers, labels, numbers and signs in one table" {
  run --separate-stderr python3 "$ROOT/test/tools/statements.py" --command "$READER --text" \
    --root "$BID_SHARED/upstream" "$ROOT/test/data/statements.txt"
  printf '%s\n' "$output" | tail -n 20
  [ "$status" -eq 0 ]
  [ "${lines[-1]}" = "12 of 12 statements" ]
}
