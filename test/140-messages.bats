#!/usr/bin/env bats
# What people are told: the table of wrong inputs, masking, the SEC's blocks, the user agent.

load helper

# What the table's commands work on: the sample in a store, and files of every wrong kind.
fixture() {
  mkdir folder
  cp "$ROOT/data/sample/twhl-report-2026-02.pdf" report.pdf
  printf '<html><body>Item 1</body></html>\n' >10-K.htm
  printf 'PK\003\004xx' >book.zip
  : >empty
  printf 'hello\n' >notes.txt
  printf '{"a":1}\n' >one.ndjson
  printf '[1,2]\n' >array.json
  printf '{"query":5}\n' >badquestion.ndjson
  printf '{"text":"x"}\n' >text.ndjson
  printf '{"query":"revenue \377"}\n' >badutf.ndjson
  printf '{"query":"revenue","n":-3}\n' >negative.ndjson
  printf '{"query":"revenue","new":"yes"}\n' >newyes.ndjson
  printf '{"query":"revenue"' >cutoff.ndjson
  printf '{\n "query": "revenue"\n}\n' >pretty.json
  printf '\357\273\277{"query":5}\n' >mark.ndjson
  printf '{"rawContent":"!!!!","rawEncoding":"base64"}\n' >badbase.ndjson
  printf '{"rawContent":"a","rawEncoding":"rot13"}\n' >rot.ndjson
  printf '{"id":"x","text":"t","sourceUrl":"u","embedding":"!!!","model":"m"}\n' >badvector.ndjson
  printf 'A\001B\t10-K\n' >control.tsv
  head -c 2000 "$ROOT/data/models/bid-static.bidm" >random.bin
  mkdir connectors
  printf 'def declare: {' >connectors/cut.jq
  bid-fetch -q file "$ROOT"/data/sample/*.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
}

@test "the table of wrong inputs: each is refused with its message, on one line, and nothing else on stderr" {
  need_model
  fixture
  local command expected message said failed=0 count=0 got
  export BID_CONNECT_TO=127.0.0.1:1
  while IFS=$'\t' read -r command expected message; do
    case $command in '#'* | '') continue ;; esac
    count=$((count + 1))
    said=$(bash -c "$command" </dev/null 2>&1 >/dev/null) && got=0 || got=$?
    if [ "$got" != "$expected" ] || [[ $said != *"$message"* ]] || [[ $said == *'{"error"'* ]]; then
      printf '%s: status %s, not %s\n  %s\n' "$command" "$got" "$expected" "$said"
      failed=1
    fi
  done <"$ROOT/test/data/wrong_inputs.tsv"
  [ "$count" -ge 190 ]
  [ "$failed" -eq 0 ]
}

need_model() {
  [ -e "$ROOT/data/models/bid-static.bidm" ] || skip "no model"
}

@test "a path that is too long is called so, not unset" {
  BID_STORE=$(printf 'a%.0s' $(seq 5000)) run --separate-stderr bid-search x
  equal "$status" 78
  equal "$stderr" "bid-search: the path of the store is longer than 4096 bytes: set BID_STORE to a shorter one"
  BID_STORE=$(printf 'a%.0s' $(seq 5000)) run --separate-stderr bid doctor --offline --human
  contains "$output" "the path of the store is longer than 4096 bytes"
  BID_CACHE=$(printf 'a%.0s' $(seq 5000)) run --separate-stderr bid-fetch --offline sec-filings -e AAPL
  equal "$status" 78
  equal "$stderr" "bid-fetch: the path of the cache is longer than 4096 bytes: set BID_CACHE to a shorter one"
  BID_CACHE=$(printf 'a%.0s' $(seq 5000)) run --separate-stderr bid doctor --offline --human
  contains "$output" "the path of the cache is longer than 4096 bytes"
  BID_STATE=$(printf 'a%.0s' $(seq 5000)) run --separate-stderr bid-fetch --offline sec-filings -e AAPL
  equal "$stderr" "bid-fetch: the path of the ledger is longer than 4096 bytes: set BID_STATE to a shorter one"
  unset BID_STORE HOME XDG_DATA_HOME
  run --separate-stderr bid-search x
  equal "$stderr" "bid-search: neither BID_STORE nor HOME is set"
}

@test "a run that did nothing says so, and quietly where asked" {
  run --separate-stderr bash -c 'bid-fetch </dev/null'
  contains "$stderr" "no job came on stdin"
  run --separate-stderr bash -c 'bid-fetch -q </dev/null'
  equal "$stderr" ""
}

@test "what comes from outside cannot do anything to a terminal" {
  local evil=$'a\033]0;x\007\xe2\x80\xae\xf3\xa0\x81\x81\xd8\x9c\xe2\x80\x8e\xe2\x81\xa6z'
  jq -cn --arg t "$evil" '{source: "file", sourceUrl: "file:///\($t)", sha256: "00", contentType: "text/plain", text: "Kilns burn gas \($t)",
    outline: [], metadata: {company: $t, form: "10-K"}}' | bid-chunk | bid-embed | bid-index --human >receipts
  bid-search --human --explain "kilns gas" >answer
  bid-search --format=html "kilns gas" >page
  bid-store --human ls >list
  mkdir -p "$BID_STATE/ledger"
  printf 'bid-ledger 1\nday %s\nnext 0\nlast 0\nblocked %s %s\nuse x%s 3 0 0\nend\n' "$(date -u +%F)" "$(($(date +%s) + 500))" "$evil" "$evil" >"$BID_STATE/ledger/sec.gov"
  bid-fetch --quota --human >quota
  bid doctor --offline --human >doctor || true
  contains "$(cat answer)" "a?]0;x"
  contains "$(cat quota)" "a?]0;x"
  run bash -c 'cat receipts answer page list quota doctor | tr -d "\n\t" | LC_ALL=C grep -caP "[\x00-\x1f\x7f]|\xe2\x80[\xaa-\xae\x8e\x8f]|\xd8\x9c|\xe2\x81[\xa6-\xa9]|\xf3\xa0\x81"'
  equal "$output" 0
}

@test "records on a terminal escape what would do something to it, and say the same" {
  need python3 jq
  local evil=$'a\xc2\x9b2J\x7f\xe2\x80\xae\xf3\xa0\x81\x81\xd8\x9cz'
  jq -cn --arg t "$evil" '{source: "file", sourceUrl: "file:///\($t)", sha256: "00", contentType: "text/plain", text: "Kilns burn gas \($t)",
    outline: [], metadata: {company: $t, form: "10-K"}}' >document
  on_terminal() { python3 -c 'import pty, sys; sys.exit(pty.spawn(["sh", "-c", sys.argv[1]]))' "$1" | tr -d '\r'; }
  on_terminal 'bid-chunk --json <document' >shown
  bid-chunk <document >written
  equal "$(LC_ALL=C grep -caP '\x7f|\xc2[\x80-\x9f]|\xe2\x80\xae|\xd8\x9c|\xf3\xa0\x81' written)" 1
  equal "$(LC_ALL=C grep -caP '\x7f|\xc2[\x80-\x9f]|\xe2\x80\xae|\xd8\x9c|\xf3\xa0\x81' shown)" 0
  equal "$(jq -S . shown)" "$(jq -S . written)"
}

@test "records of the pipelines on a terminal, too" {
  need python3
  local evil=$'a\xc2\x9b2J\x7f\xe2\x80\xae\xf3\xa0\x81\x81\xd8\x9cz' how
  mkdir reports
  printf '# Kilns\n\nKilns burn gas %s.\n' "$evil" >"reports/a$evil.md"
  printf 'NO\xe2\x80\xaeSUCH\t10-K\tnowhere\n-\t\tfred:GDP\n' >list
  on_terminal() { python3 -c 'import pty, sys; sys.exit(pty.spawn(["sh", "-c", sys.argv[1] + " 2>err"]))' "$1" </dev/null | tr -d '\r'; }
  for how in "bid-ingest --json --reports reports" "bid-retrieve --json --no-edgar 'kilns gas'" "bid-retrieve --format=json --no-edgar 'kilns gas'" \
    "bid-nightly --watchlist list --check --json" "bid-nightly --watchlist list --format=json"; do
    on_terminal "$how" >shown
    jq . <shown >/dev/null || { echo "$how"; cat shown; false; }
    contains "$how $(cat shown)" '\u202e'
    equal "$how $(LC_ALL=C grep -caP '\x7f|\xc2[\x80-\x9f]|\xe2\x80\xae|\xd8\x9c|\xf3\xa0\x81' shown)" "$how 0"
  done
  bid-retrieve --json --no-edgar 'kilns gas' >written
  contains "$(cat written)" "$evil"
}

@test "a connector's words, a question and what a store holds can't do anything to a terminal, in lists and completions either" {
  local evil=$'a\033]0;x\007\xe2\x80\xaez' words
  mkdir connectors
  jq -rn --arg t "$evil" '($t | tojson) as $j | "def declare: {description: \($j), example: \($j), hosts: [], terms: {text: \($j), url: \($j)},
    parameters: [{name: \($j), description: \($j)}]};\ndef step: {note: \($j), payloads: [{text: \($j), sourceUrl: \($j)}]};"' >connectors/guest.jq
  jq -cn --arg t "$evil" '{source: "file", sourceUrl: "file:///a", sha256: "00", contentType: "text/plain", text: "Kilns burn gas", outline: [],
    entity: {id: $t}, metadata: {company: "A", form: "10-K"}}' | bid-chunk | bid-embed | bid-index -q >/dev/null
  bid-store dump | jq -c --arg t "$evil" '.store.collection = $t' | bid-store load >/dev/null
  export BID_CONNECTORS=$PWD/connectors
  for words in "bid-fetch --human --list" "bid-fetch --human --describe=guest" "bid-fetch --human guest" "bid complete 2 bid-store show " \
    "bid complete 2 bid-search -c " "bid complete 2 bid-fetch --describe "; do
    $words "" >>shown 2>&1 </dev/null || $words >>shown 2>&1 </dev/null || :
  done
  bid-plan --human --explain "$evil revenue" >>shown 2>&1
  bid-plan --human --entity "$evil" revenue >>shown 2>&1 || equal $? 64
  contains "$(cat shown)" "a?]0;x"
  contains "$(bid complete 2 bid-store show "")" "$(bid-store dump | head -1 | jq -r .id)"
  run bash -c 'tr -d "\n\t" <shown | LC_ALL=C grep -caP "[\x00-\x1f\x7f]|\xe2\x80\xae"'
  equal "$output" 0
}

@test "every view of what a store holds is masked: passages, contexts, pages, explanations, changes" {
  local evil=$'a\033]0;x\007\xc2\x9b\xe2\x80\xae\xf3\xa0\x81\x81z' how id
  bid-fetch -q file "$ROOT"/data/sample/000999000[12]-*.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q |
    jq -c --arg t "$evil" '.text += $t | .context = "\($t) \(.context)" | .chunk.heading = $t | .metadata.company += $t | .metadata.title = $t' |
    bid-index -q >/dev/null
  id=$(bid-store dump | jq -r 'select(.text).id' | head -1)
  while read -r how; do
    how=${how/ID/$id}
    # shellcheck disable=SC2086
    { timeout 60 $how; } >view 2>&1 </dev/null || [ $? -eq 1 ] || { echo "$how: $?"; head -c 500 view; false; }
    [ -s view ] || { echo "$how shows nothing"; false; }
    equal "$how $(tr -d '\n\t' <view | LC_ALL=C grep -caP '[\x00-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae|\xf3\xa0')" "$how 0"
  done <<'VIEWS'
bid-search --human --no-threshold revenue
bid-search --human --no-threshold --explain revenue
bid-search --human --no-threshold --neighbours --no-fold revenue
bid-search --human --no-threshold --context=900 revenue
bid-search --human --no-threshold --context=900 --neighbours --explain revenue
bid-search --format=html --no-threshold revenue
bid-search --human --analyse revenue
bid-retrieve --human --no-edgar revenue
bid-retrieve --human --no-edgar --context=900 revenue
bid-retrieve --format=html --no-edgar revenue
bid-store --human ls
bid-store --human documents
bid-store --human show TWHL
bid-store --human show ID
bid-store --human show --near=2 ID
bid-diff --human -e TWHL --item 1A
bid-diff --format=html -e TWHL --item 1A
VIEWS
}

@test "pipelines mask what they say, too: words of the command line and of watch lists" {
  local evil=$'a\033]0;x\007\xe2\x80\xaez' command
  printf '%s sec-filings 10-K\n' "$evil" >"list$evil"
  for command in "bid-ingest" "bid-nightly" "bid-nightly --watchlist" "bid-nightly --jobs" "bid-nightly --check --watchlist" "bid-retrieve --format"; do
    # shellcheck disable=SC2086
    $command "list$evil" </dev/null 2>>said >/dev/null && false
  done
  contains "$(cat said)" "a?]0;x"
  run bash -c 'tr -d "\n\t" <said | LC_ALL=C grep -caP "[\x00-\x1f\x7f]|\xe2\x80\xae"'
  equal "$output" 0
}

@test "a block shows in --quota and in what is refused, and --unblock lifts it" {
  mkdir -p "$BID_STATE/ledger"
  printf 'bid-ledger 1\nday 2020-01-01\nnext 0\nlast 0\nblocked %s the page was received\nend\n' "$(($(date +%s) + 500))" >"$BID_STATE/ledger/sec.gov"
  contains "$(bid-fetch --quota | jq -r .reason)" "the page was received"
  contains "$(bid-fetch --quota --human)" "bid-fetch --unblock=sec.gov lifts it"
  BID_CONNECT_TO=127.0.0.1:1 run --separate-stderr bid-fetch sec-submissions -e 320193
  equal "$status" 75
  contains "$stderr" "nobody may ask for another"
  run --separate-stderr bid-fetch --unblock=sec.gov
  equal "$status/$stderr" "0/bid-fetch: sec.gov may be asked again"
  run --separate-stderr bid-fetch --unblock=sec.gov
  equal "$status/$stderr" "1/bid-fetch: sec.gov is not blocked"
  run --separate-stderr bid-fetch --unblock=../../x
  equal "$status" 66
  BID_CONNECT_TO=127.0.0.1:1 run --separate-stderr bid-fetch sec-submissions -e 320193
  equal "$status" 69
}

@test "a bare 429 of the SEC is obeyed as it was sent" {
  need_shared
  upstream_start --fault 'data.sec.gov/*=429:2@1'
  SECONDS=0
  run --separate-stderr bid-fetch sec-submissions -e 320193
  equal "$status" 0
  [ "$SECONDS" -ge 2 ]
  [ "$SECONDS" -lt 60 ]
  upstream_stop
  upstream_start --fault 'data.sec.gov/*=429:90'
  run --separate-stderr bid-fetch sec-submissions -e 320193 --refresh
  equal "$status" 75
  equal "$(jq .error.retryAfter <<<"$output")" 90
  local until
  until=$(date -d "$(bid-fetch --quota | jq -r 'select(.blockedUntil).blockedUntil' | head -1)" +%s)
  [ $((until - $(date +%s))) -le 91 ] && [ $((until - $(date +%s))) -ge 80 ]
}

@test "404 names what is not there" {
  upstream_start --fault 'www.sec.gov/*=404'
  run --separate-stderr bid-fetch sec-filing-document --content -P url=https://www.sec.gov/Archives/edgar/data/1/000000000000000000/a.htm
  equal "$status" 1
  contains "$stderr" "there is nothing at https://www.sec.gov/Archives/edgar/data/1/000000000000000000/a.htm (status 404)"
}

@test "the SEC's contact: asked for once on a terminal and kept; where nobody can be asked, said once a run" {
  need script
  unset BID_USER_AGENT
  export XDG_CONFIG_HOME=$PWD/config
  upstream_start --fault 'www.sec.gov/*=body:x'
  filing() { echo "bid-fetch sec-filing-document --content -P url=https://www.sec.gov/Archives/edgar/data/1/000000000000000000/$1.htm"; }
  run --separate-stderr bash -c "$(filing a) </dev/null"
  equal "$(grep -c "export BID_USER_AGENT='Your Name name@example.org'" <<<"$stderr")" 1
  run --separate-stderr bash -c "$(filing b) --quiet </dev/null"
  equal "$stderr" ""
  run script -qec "$(filing c)" /dev/null <<<''
  contains "$output" "your name and e-mail address"
  contains "$output" "export BID_USER_AGENT="
  [ ! -e config/bid/bid.conf ]
  run script -qec "$(filing d)" /dev/null <<<'Jane Doe'
  contains "$output" "there is no e-mail address in it"
  run script -qec "$(filing e)" /dev/null <<<'Jane Doe jane@example.org'
  [[ $output != *"export BID_USER_AGENT"* ]]
  equal "$(cat config/bid/bid.conf)" "Jane Doe jane@example.org"
  run script -qec "$(filing f)" /dev/null <<<''
  [[ $output != *"your name and e-mail"* ]]
  equal "$(upstream_log '.agent // .user_agent // .["user-agent"]' | tail -2 | sort -u)" '"Jane Doe jane@example.org"'
}

@test "an operand of any length is named by its start, with the cause" {
  for length in 3880 3890 3895 3896 3900 4090 4096 5000 100000; do
    name=$(printf "%0${length}d" 0)
    for program in bid-strip bid-chunk bid-embed bid-verify; do
      run --separate-stderr "$program" -q "$name" </dev/null
      equal "$status" 66
      contains "$stderr" "$program: 000"
      contains "$stderr" "File name too long"
    done
  done
}

@test "a line that doesn't end is reported once it is too long, not at its end" {
  local p pid
  for p in bid-strip bid-chunk bid-embed bid-index bid-plan bid-search bid-verify; do
    "$p" </dev/zero >out 2>said &
    pid=$!
    for _ in $(seq 300); do
      [ -s said ] && break
      sleep 0.1
    done
    kill "$pid"
    wait "$pid" || :
    contains "$p: $(cat said)" "line longer than 64 MiB"
  done
}
