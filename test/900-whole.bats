#!/usr/bin/env bats
# The whole pipeline: on the shipped sample offline, on recorded filings through the local upstream, and installed.

load helper

# One store of the sample for all tests of this file.
setup_file() {
  private_home "$BATS_FILE_TMPDIR/sample"
  sample_pipeline >"$BATS_FILE_TMPDIR/receipts"
}

sample_pipeline() {
  {
    bid-fetch --quiet file "$ROOT"/data/sample/*.txt -P corpus=edgar
    bid-fetch --quiet file "$ROOT"/data/sample/*.pdf -e TWHL -P corpus=reports
  } | bid-strip | bid-chunk | bid-embed | bid-index
}

test_setup() {
  export BID_STORE=$BATS_FILE_TMPDIR/sample/store
}

@test "seven sample filings are seven receipts, and nothing fails" {
  run cat "$BATS_FILE_TMPDIR/receipts"
  equal "${#lines[@]}" 7
  [[ $output != *'"error"'* ]] || { echo "$output"; false; }
  equal "$(jq -r .collection "$BATS_FILE_TMPDIR/receipts" | sort -u | tr '\n' ' ')" \
    "finance_edgar_PLCD_10-K finance_edgar_PLCD_10-Q finance_edgar_PLCD_8-K finance_edgar_TWHL_10-K finance_edgar_TWHL_10-Q finance_edgar_TWHL_8-K finance_reports_TWHL_pdf "
}

@test "the same again changes nothing" {
  run bash -c "$(declare -f sample_pipeline); sample_pipeline"
  equal "$(printf '%s\n' "$output" | jq -s 'map(.added + .replaced + .removed) | add')" 0
  [ "$(printf '%s\n' "$output" | jq -s 'map(.unchanged) | add')" -gt 50 ]
}

# Prints the questions of the sample whose expected passage is not among the first five.
missed() {
  jq -c '{id, query: .question}' "$ROOT/data/sample/questions.ndjson" | bid-search -q -n 5 "$@" >hits || true
  jq -rn --slurpfile q "$ROOT/data/sample/questions.ndjson" --slurpfile h hits '
    def squash: gsub("[^A-Za-z0-9.%$]+"; " ");
    ([$h[] | {key: .id, value: .matches}] | from_entries) as $matches
    | $q[] | . as $question
    | select(all($matches[.id][]?; (.text | squash | contains($question.answer | squash)) | not))
    | "\(.id) \(.item) \(.question)"'
}

@test "ranking: the right passage of at least 27 of the 30 sample questions is among the first five" {
  missed --no-threshold >missed
  cat missed
  [ "$(wc -l <missed)" -le 3 ]
}

@test "a question gets the same answer alone, in a batch, and when its passages are remembered" {
  jq -r .question "$ROOT/data/sample/questions.ndjson" >questions
  while IFS= read -r question; do
    bid-search -q --no-threshold -n 10 --format json -- "$question" | jq -sc 'map([.id, .score])'
  done <questions >alone
  for n in 1 2 3; do jq -Rc '{query: .}' questions; done |
    bid-search -q --no-threshold -n 10 --threads 4 | jq -c '.matches | map([.id, .score])' >batch
  equal "$(wc -l <alone)" 30
  [ "$(jq -s 'map(length) | add' alone)" -gt 200 ]
  cat alone alone alone | cmp - batch
}

@test "relevance: of those at most three are taken for unanswerable, and strangers' questions all are" {
  missed --no-threshold | cut -d ' ' -f 1 >ranked
  missed | cut -d ' ' -f 1 >answered
  comm -13 ranked answered >refused
  cat refused
  [ "$(wc -l <refused)" -le 3 ]
  local question
  for question in "What is the capital of France?" "How do I bake bread?" "Who won the world cup?" "zxqv wvut"; do
    run --separate-stderr bid-search "$question"
    [ "$status" -eq 1 ] || { echo "$question: $output"; false; }
  done
}

@test "a PDF report is found by a question about it, with the right page" {
  run --separate-stderr bid-search -n 3 "What happens if Norrbery tenders the northern route?"
  equal "$status" 0
  contains "${lines[0]}" "tendering its northern route in June"
  equal "$(printf '%s\n' "${lines[0]}" | jq -r '"\(.page) \(.collection)"')" "2 finance_reports_TWHL_pdf"
}

@test "the demo shows its own sample, not that of another folder" {
  local n
  export BID_STATE=$BATS_TEST_TMPDIR/state
  for n in 1 2; do
    mkdir -p "$n/pipelines" "$n/data"
    cp -r "$ROOT/pipelines/." "$n/pipelines/"
    cp -r "$ROOT/data/." "$n/data/"
    run --separate-stderr env -u ROOT BID_BIN="$BID_BIN" "$n/pipelines/bid-demo" "Who is the biggest customer of Tidewrack?"
    [ "$status" -eq 0 ]
    [[ $output == *"file://$PWD/$n/data/sample/"* ]] || { echo "$output"; false; }
  done
  [[ $output != *"/1/data/sample/"* ]] || { echo "$output"; false; }
  equal "$(BID_STORE=$BID_STATE/demo/store bid-store stat | jq .documents)" 7
}

@test "the demo makes its store anew where it cannot be read" {
  export BID_STATE=$BATS_TEST_TMPDIR/state
  mkdir -p "$BID_STATE/demo"
  head -c 8192 /dev/zero | tr '\0' x >"$BID_STATE/demo/store"
  run --separate-stderr bid-demo "Who is the biggest customer of Tidewrack?"
  equal "$status" 0
  contains "$output" "Norrbery"
  contains "$stderr" "Read 7 documents"
}

@test "the demo follows no link that lies where its files go" {
  export BID_STATE=$BATS_TEST_TMPDIR/state
  mkdir -p "$BID_STATE/demo"
  echo mine >"$BATS_TEST_TMPDIR/mine"
  ln -s "$BATS_TEST_TMPDIR/mine" "$BID_STATE/demo/store-sample"
  run --separate-stderr bid-demo
  equal "$status $(cat "$BATS_TEST_TMPDIR/mine")" "78 mine"
  contains "$stderr" "demo/store-sample: a link, which is not followed"
}

@test "an installed tree answers from another folder, with no checkout in reach" {
  local at=$BATS_TEST_TMPDIR/installed
  (cd "$ROOT" && sh test/tools/install "$at" /usr "$BID_BIN")
  cd /
  PATH=$at/usr/bin:/usr/bin:/bin
  unset BID_BIN BID_STORE
  run --separate-stderr env -u ROOT bid-demo "Who is the biggest customer of Tidewrack?"
  equal "$status" 0
  contains "$output" "Norrbery"
  run --separate-stderr bid-fetch --list
  contains "$output" '"sec-filings"'
  [ -e "$at/usr/share/man/man1/bid-strip.1" ]
  (cd "$ROOT" && sh test/tools/install --remove "$at" /usr)
  equal "$(find "$at" -type f)" ""
}
