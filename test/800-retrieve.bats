#!/usr/bin/env bats
# bid-retrieve: its rules on recorded answers, with the fault set on purpose.

load helper

ASK="What are the main supply chain risks in the 10-K?"
TENK=www.sec.gov/Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm

test_setup() {
  export BID_NOW=2026-03-05T00:00:00Z
  if [ -n "$BID_SHARED" ]; then upstream_start; fi
}

# A store with the sample in it, made once.
sample_store() {
  if [ ! -e "$BATS_FILE_TMPDIR/sample/store" ]; then
    mkdir -p "$BATS_FILE_TMPDIR/sample"
    bid-fetch --quiet file "$ROOT"/data/sample/*.txt -P corpus=edgar |
      bid-strip | bid-chunk | bid-embed | BID_STORE=$BATS_FILE_TMPDIR/sample/store bid-index >/dev/null
  fi
  mkdir -p "$(dirname "$BID_STORE")"
  cp -r "$BATS_FILE_TMPDIR/sample/store"* "$(dirname "$BID_STORE")/"
}

retrieve() { run --separate-stderr bid-retrieve "$@"; }
got() { printf '%s\n' "$output" | jq -r "$1"; }
documents_fetched() { upstream_log 'select(.path | startswith("/Archives/")) | .path' | wc -l; }

# Exactly the four keys, with the shapes of data/schema/retrieval.json.
valid() {
  printf '%s\n' "$output" | jq -e '
    (keys == ["edgar", "errors", "query", "rag"]) and (.query | type == "string") and (.rag | keys == ["context", "matches"])
    and (.rag.matches | type == "array") and (.rag.context | type == "string") and (.errors | type == "array")
    and all(.errors[]; (.category | type == "string") and (.message | length > 0) and (.stage | length > 0))
    and all(.rag.matches[]; (.rank | type == "number") and (.text | length > 0) and (.context | length > 0) and (.score | type == "number")
        and (.collection | test("^[^_]+_[^_]+_[^_]+_[^_]+$")) and (.sourceUrl | type == "string") and (.capturedAt | type == "string"))
    and (.edgar == null or ((.edgar.forms | type == "array") and (.edgar.filings | type == "array")
        and all(.edgar.filings[]; has("form") and has("filingDate") and has("accessionNumber") and has("href") and has("recent") and has("ingested"))))' >/dev/null || {
    printf 'not a bundle: %s\n' "$output" | head -c 3000
    false
  }
}

@test "an empty store: the newest 10-K is read and answers; again reads nothing" {
  need_shared
  retrieve -e AAPL "$ASK"
  equal "$status" 0
  valid
  equal "$(got '.rag.matches | length')" 5
  equal "$(got '[.rag.matches[] | .form + " " + .filingDate] | unique | join(",")')" "10-K 2025-10-31"
  equal "$(got '.edgar.attempt.ingested')" 1
  equal "$(got '.edgar.filings[0] | [.form, .filingDate, .accessionNumber, .recent, .ingested] | @csv')" '"10-K","2025-10-31","0000320193-25-000079",true,true'
  equal "$(got .errors)" "[]"
  local before
  before=$(documents_fetched)
  retrieve -e AAPL "$ASK"
  equal "$status" 0
  valid
  equal "$(got '.edgar.attempt.ingested')" 0
  equal "$(documents_fetched)" "$before"
}

@test "a company that only the question names is looked up, and a name that is no company's is no error" {
  need_shared
  sample_store
  retrieve "What are Apple's main supply chain risks?"
  equal "$status" 0
  valid
  equal "$(got '[.rag.matches[].company] | unique | join(",")')" "Apple Inc."
  equal "$(got '[.edgar.filings[] | select(.ingested) | .accessionNumber] | join(",")')" "0000320193-25-000079"
  retrieve "What is Renazorb?"
  equal "$status" 1
  valid
  equal "$(got '.rag.matches | length')" 0
  equal "$(got .errors)" "[]"
}

@test "a job that finds nothing has filings read for its own question and form" {
  need_shared
  sample_store
  run --separate-stderr bid-retrieve <<<'{"query":"What are the main supply chain risks?","entity":{"id":"AAPL"},"filingTypes":["10-K"]}'
  equal "$status" 0
  equal "$(got .query)" "What are the main supply chain risks?"
  equal "$(got '.rag.matches | length')" 5
  equal "$(got '[.edgar.filings[].form] | unique | join(",")')" "10-K"
}

@test "rule 1: a form named with a company brings its links whatever the search found" {
  need_shared
  sample_store
  retrieve -e AAPL "What did the 8-K say?"
  valid
  equal "$(got '[.edgar.filings[].form] | unique | join(",")')" "8-K"
  retrieve -e AAPL "Which insider trades were there?"
  valid
  equal "$(got '.edgar.forms | index("4") != null')" true
  retrieve -e TWHL "What does the annual report say about fuel?"
  valid
  equal "$status" 0
  [ "$(got '.rag.matches | length')" -gt 0 ]
  equal "$(got '[.edgar.filings[] | .form + " " + .filingDate] | join(",")')" "10-K 2026-02-19"
}

@test "rule 2: no collection and no way to EDGAR says what to index, and how" {
  retrieve "What is the meaning of net sales?"
  equal "$status" 66
  valid
  equal "$(got '.errors[0].category')" "no-collection"
  contains "$(got '.errors[0].message')" "must be indexed first"
  contains "$(got '.errors[0].message')" "bid-ingest"
  retrieve --no-edgar -e AAPL "$ASK"
  equal "$(got '.errors[0].category')" "no-collection"
  equal "$(got .edgar)" null
}

@test "rule 3: never more than three filings, whatever fails" {
  need_shared
  retrieve -e TSLA "What happened to deliveries?"
  valid
  [ "$(documents_fetched)" -le 3 ]
  [ "$(got '.edgar.filings | map(select(.ingested)) | length')" -le 3 ]
  upstream_stop
  rm -rf "$BID_STORE"* "$BID_CACHE"
  upstream_start --fault 'www.sec.gov/Archives/*=500'
  retrieve -e TSLA "What happened to deliveries?"
  valid
  equal "$(got '.rag.matches | length')" 0
  [ "$(upstream_log 'select(.path | startswith("/Archives/")) | .path' | sort -u | wc -l)" -le 3 ]
}

@test "rule 3: what was filed after --as-of does not exist" {
  need_shared
  retrieve -e AAPL --as-of 2025-09-01 "What are the risks in the quarterly report?"
  valid
  [ "$(got '[.edgar.filings[].filingDate] | max')" \< 2025-09-02 ]
  equal "$(got '.edgar.filings[0].filingDate')" 2025-08-01
}

@test "rule 4: a company that nobody knows is said, one that only the store knows is answered" {
  need_shared
  retrieve -e QQXYZ "$ASK"
  equal "$status" 64
  valid
  equal "$(got '.errors | map(.category) | join(" ")')" "invalid-request"
  contains "$(got '.errors[0].message')" "QQXYZ"
  sample_store
  retrieve -e TWHL "What does the 10-K say about its biggest customer?"
  equal "$status" 0
  valid
  [ "$(got '.rag.matches | length')" -gt 0 ]
  equal "$(got .errors)" "[]"
}

@test "rule 5: a store with an answer and EDGAR down, blocked or slow: matches and an error" {
  need_shared
  sample_store
  local fault
  for fault in 'data.sec.gov/*=503' '*=block' '*=429:1' '*=reset'; do
    rm -rf "$BID_STATE" "$BID_CACHE"
    upstream_fault "$fault"
    retrieve -e TWHL "What does the 10-K say about its biggest customer?"
    [ "$status" -eq 0 ] || { echo "$fault: $status $output $stderr"; false; }
    valid
    [ "$(got '.rag.matches | length')" -gt 0 ]
    [ "$(got '.errors | length')" -ge 1 ]
  done
}

@test "rule 5: EDGAR works and the store does not: links and an error" {
  need_shared
  mkdir -p "$(dirname "$BID_STORE")"
  head -c 100000 /dev/urandom >"$BID_STORE"
  retrieve -e AAPL "$ASK"
  [ "$status" -ne 0 ]
  valid
  equal "$(got '.edgar.filings[0].accessionNumber')" 0000320193-25-000079
  equal "$(got '.rag.matches | length')" 0
  [ "$(got '.errors | length')" -ge 1 ]
  contains "$(got '.errors | map(.stage) | join(" ")')" "search"
}

@test "rule 5: one of the filings can't be read: the others count" {
  need_shared
  retrieve -e AAPL --since 2024-09-01 -f 10-K "What are the main supply chain risks?"
  valid
  equal "$(got .query)" "What are the main supply chain risks?"
  upstream_stop
  rm -rf "$BID_STORE"* "$BID_CACHE" "$BID_STATE"
  upstream_start --fault "$TENK=truncate:1000"
  retrieve -e AAPL --since 2024-09-01 -f 10-K "What are the main supply chain risks?"
  equal "$status" 0
  valid
  equal "$(got '[.rag.matches[].filingDate] | unique | join(",")')" 2024-11-01
  [ "$(got '.errors | length')" -ge 1 ]
}

@test "rule 6: two at the same time read once" {
  need_shared
  bid-retrieve -e AAPL "$ASK" >one 2>/dev/null &
  local first=$!
  bid-retrieve -e AAPL "$ASK" >two 2>/dev/null &
  wait "$first" "$!"
  equal "$(jq -s 'map(.rag.matches | length) | add' one two)" 10
  equal "$(jq -s 'map(.edgar.attempt.ingested) | add' one two)" 1
  equal "$(upstream_log 'select(.path | endswith("aapl-20250927.htm")) | .path' | wc -l)" 1
}

@test "hostile words stay words" {
  sample_store
  upstream_stop
  local long
  long=$(head -c 10000 /dev/zero | tr '\0' 'a')
  retrieve --no-edgar -e "'; rm -rf ~ #" "anything"
  valid
  retrieve --no-edgar "say \"quoted\" \$HOME \`id\` \$(id) 'single'
and a new line	with a tab about Tidewrack"
  valid
  contains "$(got .query)" '$(id)'
  retrieve --no-edgar "$long"
  valid
  retrieve --no-edgar ""
  valid
  [ -d "$HOME" ]
}

@test "jobs on stdin are answered in their order, one bundle each" {
  sample_store
  upstream_stop
  printf '%s\n' '{"query":"Who is the biggest customer?","entity":{"id":"TWHL"}}' '{"query":"How big is the order book?","entity":{"id":"PLCD"}}' \
    '{"noquery":1}' '{"query":"zzz qqq"}' >jobs
  run --separate-stderr bid-retrieve --no-edgar <jobs
  equal "${#lines[@]}" 4
  contains "${lines[0]}" "Norrbery"
  [[ ${lines[1]} == *[Bb]acklog\ was\ \$* ]]
  contains "${lines[2]}" '"invalid-request"'
  contains "${lines[3]}" '"matches":[]'
}

@test "no temporary file is left behind when it is killed in the middle" {
  need_shared
  export TMPDIR=$BATS_TEST_TMPDIR/tmp
  mkdir -p "$TMPDIR"
  upstream_fault '*.htm=slow:2'
  setsid bid-retrieve -e AAPL "$ASK" >/dev/null 2>&1 &
  sleep 0.7
  kill -9 -- -$! 2>/dev/null || true
  wait $! 2>/dev/null || true
  equal "$(find "$TMPDIR" -type f)" ""
  upstream_fault
  retrieve -e AAPL "$ASK"
  equal "$status" 0
  equal "$(got '.rag.matches | length')" 5
}
