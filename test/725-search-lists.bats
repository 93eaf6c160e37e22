#!/usr/bin/env bats
# Filters of any length: nothing is dropped in silence.

load helper

# 1,300 documents, each of a company, a collection and a word of its own.  A tenth of the companies have no CIK: each question
# resolves those against the SEC's list.
setup_file() {
  export PYTHONPATH=$ROOT/test/torture
  export MANY=$BATS_FILE_TMPDIR/many
  python3 - <<'PY' | BID_STORE=$MANY "${BID_BIN:-bin}/bid-index" -q >/dev/null
import json
from documents import passage
for n in range(1300):
    p = passage(n, 0, 1, 1)
    p["metadata"] = {"company": "Holding %d Inc." % n, "ticker": "H%d" % n, "form": "10-K" if n < 1299 else "20-F",
                     "filingDate": "2024-03-01" if n % 2 else "2020-03-01"}
    if n % 10:
        p["metadata"]["cik"] = "%010d" % (9900000 + n)
    p["text"] = "word%d stands here alone" % n
    print(json.dumps(p))
PY
}
test_setup() { need python3 jq; export BID_STORE=$MANY; }

found() { jq -r '.text // (.matches[].text)' <<<"$output"; }

@test "a pattern of more than 1,024 collections finds what is in each" {
  equal "$(bid-store ls | wc -l)" 1300
  local n
  for n in 0 1023 1024 1150 1299; do
    run --separate-stderr bid-search --mode text -c 'finance_*' "word$n"
    [ "$status" -eq 0 ] || { echo "word$n: $status $stderr"; false; }
    equal "$(found)" "word$n stands here alone"
  done
  run --separate-stderr bid-search --mode text -c 'finance_edgar_H1*' -c '*_H7_*' -c 'finance_*' word1299
  equal "$(found)" "word1299 stands here alone"
}

@test "no filter of the command line is dropped, however many there are" {
  local companies=() forms=() collections=() items=() i
  for i in $(seq 0 299); do
    companies+=(-e "H$i")
    collections+=(-c "finance_edgar_H${i}_10-K")
    items+=(--item "9$i")
  done
  for i in $(seq 0 99); do forms+=(-f 10-K); done
  run --separate-stderr bid-search --mode text "${companies[@]}" -e H1299 word1299
  equal "$(found)" "word1299 stands here alone"
  run --separate-stderr bid-search --mode text "${companies[@]}" word1299
  equal "$status" 1
  run --separate-stderr bid-search --mode text "${collections[@]}" -c finance_edgar_H1299_20-F word1299
  equal "$(found)" "word1299 stands here alone"
  run --separate-stderr bid-search --mode text "${forms[@]}" -f 20-F word1299
  equal "$(found)" "word1299 stands here alone"
  run --separate-stderr bid-search --mode text "${items[@]}" --item 1 word1299
  equal "$(found)" "word1299 stands here alone"
  run --separate-stderr bid-search --mode text "${companies[@]}" -e NOSUCH word7
  equal "$status" 66
}

@test "no filter of a record is dropped, and those behind long lists hold" {
  jq -cn '[range(300) | "H\(.)"] as $c | [range(300) | "10-K"] as $f
    | {query: "word1299", company: ($c + ["H1299"]), form: ($f + ["20-F"]), item: ([range(300) | "9\(.)"] + ["1"])},
      {query: "word8", company: $c, form: $f, collection: [range(300) | "finance_edgar_H\(.)_*"], since: "2023-01-01"},
      {query: "word9", company: $c, form: $f, collection: [range(300) | "finance_edgar_H\(.)_*"], since: "2023-01-01"}' >asked
  run --separate-stderr bid-search --mode text <asked
  equal "$(found)" "word1299 stands here alone
word9 stands here alone"
}

@test "the same list again and again costs no memory" {
  shipped # the sanitizers take all of the address space
  jq -cn '{query: "word9", company: [range(1000) | "H\(.)"]}' >one
  for i in $(seq 200); do cat one; done >asked
  run --separate-stderr bash -c 'ulimit -v 4000000; bid-search --mode text -n 1 --threads 1 <asked | wc -l'
  equal "$output" 200
}

@test "words that ask for the newest filing tell little about the passage" {
  run --separate-stderr bid-search --analyse "tariffs in the latest report"
  equal "$(jq -c '[.explain.terms[] | select(.term == "latest" or .term == "tariff") | .kind]' <<<"$output")" '["word","light"]'
}
