#!/usr/bin/env bats
# bid: the list of commands, their pages, and bid doctor on broken set-ups.

load helper

# finding CHECK: the doctor's record of a check.
finding() {
  jq -ce --arg c "$1" 'select(.check == $c)' <<<"$output"
}

doctor() {
  run --separate-stderr bid doctor --offline --json
}

# wrong CHECK TEXT MEND: the doctor ends with 78, finds TEXT wrong with CHECK and says to MEND it.
wrong() {
  equal "$status" 78
  equal "$(finding "$1" | jq -r .state)" wrong
  contains "$(finding "$1" | jq -r .found)" "$2"
  contains "$(finding "$1" | jq -r .remedy)" "$3"
}

@test "bid lists the commands, and the list has what the manual pages say" {
  local f name summary
  run --separate-stderr bid --human
  equal "$status" 0
  contains "$output" "search       find the passages that answer a question"
  for f in "$ROOT"/bin/bid-*.c "$ROOT"/pipelines/bid-*; do
    [[ $f == *.c || -x $f ]] || continue
    name=$(basename "$f" .c)
    summary=$(sed -n 's/^\.Nd //p' "$ROOT/man/$name.1")
    contains "$(grep -P "^${name#bid-}\t" "$ROOT/data/commands.tsv" | cut -f 3)" "$summary" ||
      { echo "$name: data/commands.tsv and the page differ"; false; }
  done
  run --separate-stderr bid
  equal "$(jq -r 'select(.command == "store").summary' <<<"$output")" "maintain the store"
}

@test "bid COMMAND is bid-COMMAND with all its words" {
  run --separate-stderr bid strip --stats -- missing
  equal "$status" 66
  contains "$stderr" "bid-strip: missing: No such file"
  run --separate-stderr bid search --version
  equal "${lines[0]}" "bid-search $(cat "$ROOT/data/VERSION")"
  run --separate-stderr bid demo --help
  contains "$output" "Usage: bid-demo"
  run --separate-stderr bid serch x
  equal "$status" 64
  equal "$stderr" "bid: unknown command 'serch'; the nearest is 'search'; see 'bid --help'"
  run --separate-stderr bid ../bin/bid-search x
  equal "$status" 64
}

@test "bid help opens the page" {
  need man
  MANPAGER=cat run --separate-stderr bid help search
  equal "$status" 0
  contains "$output" "bid-search"
  contains "$output" "SYNOPSIS"
  MANPAGER=cat run --separate-stderr bid help records
  contains "$output" "BID-RECORDS(5)"
  MANPAGER=cat run --separate-stderr bid help
  equal "$status" 0
}

@test "doctor: a whole set-up is fine, and says what a person may want to know" {
  doctor
  equal "$status" 0
  equal "$(jq -r 'select(.state == "wrong").check' <<<"$output")" ""
  equal "$(jq -r .check <<<"$output" | tr '\n' ' ')" "libraries tools model store cache ledger keys user agent clock cpu sandbox network "
  contains "$(finding store)" "bid ingest"
  run --separate-stderr bid doctor --offline --human
  contains "$output" "ok     model       bid-static@"
}

@test "doctor: a store says what it holds" {
  bid-index <<<'{"id":"00000000000000000000000000000001","text":"a passage","sourceUrl":"file:///a","source":"file","sha256":"00","chunk":{"index":0,"count":1,"start":0,"end":9},"model":"m@1","embedding":"AACAPw==","metadata":{"company":"Acme"}}' >receipt || true
  doctor
  contains "$(finding store | jq -r .found)" "passages: "
}

@test "doctor: a program that does not start" {
  mkdir broken
  cp "$BID_BIN"/bid* broken/
  printf '#!/bin/sh\necho "bid-chunk: error while loading shared libraries: libxxhash.so.0" >&2\nexit 127\n' >broken/bid-chunk
  chmod +x broken/bid-chunk
  export BID_DATA=$ROOT/data
  run --separate-stderr broken/bid doctor --offline --json
  wrong libraries "bid-chunk does not start (status 127): bid-chunk: error while loading shared libraries: libxxhash.so.0" "install"
}

@test "doctor: a program that is missing" {
  mkdir broken
  cp "$BID_BIN/bid" broken/
  export BID_DATA=$ROOT/data
  PATH=/usr/bin:/bin run --separate-stderr broken/bid doctor --offline --json
  wrong libraries "bid-search is missing" "install"
}

@test "doctor: jq is missing" {
  mkdir few
  for p in sh flock sed; do ln -s "$(command -v $p)" few/; done
  run --separate-stderr env PATH="$PWD/few" "$BID_BIN/bid" doctor --offline --json
  wrong tools "missing: jq" "apt-get install jq"
}

@test "doctor: a damaged model, one that is not there, and a server without an address" {
  cp "$ROOT/data/models/bid-static.bidm" model.bidm
  printf 'x' | dd of=model.bidm bs=1 seek=100000 conv=notrunc status=none
  BID_MODEL=./model.bidm doctor
  wrong model "damaged" "unset BID_MODEL"
  BID_MODEL=no-such doctor
  wrong model "no-such" "unset BID_MODEL"
  BID_MODEL=http doctor
  wrong model "BID_EMBED_URL is not set" "set BID_EMBED_URL"
}

@test "doctor: a store that is none" {
  printf 'no store at all\n' >"$BID_STORE"
  doctor
  wrong store "$BID_STORE" "bid store verify"
}

@test "doctor: a cache that is no folder" {
  touch file
  BID_CACHE=$PWD/file doctor
  wrong cache "file is no folder" "set BID_CACHE"
}

@test "doctor: no HOME" {
  unset HOME BID_STORE BID_CACHE BID_STATE XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME
  run --separate-stderr bid doctor --offline --json
  wrong store "neither BID_STORE nor HOME is set" "set BID_STORE"
  wrong ledger "neither BID_STATE nor HOME is set" "set BID_STATE"
}

@test "doctor: a source that has sent this host away" {
  mkdir -p "$BID_STATE/ledger"
  printf 'bid-ledger 1\nday %s\nnext 0\nlast 0\nblocked %s too fast\nuse sec-filings 3 0 0\nend\n' "$(date -u +%F)" "$(($(date +%s) + 500))" >"$BID_STATE/ledger/sec.gov"
  doctor
  wrong ledger "sec.gov is blocked until" "bid fetch --unblock=sec.gov"
}

@test "doctor: a key that can be none" {
  FRED_API_KEY=abc doctor
  wrong keys "FRED_API_KEY is not 32" "https://fredaccount"
  [[ $output != *abc* ]]
}

@test "doctor: a user agent without an address" {
  BID_USER_AGENT=me doctor
  wrong "user agent" "no e-mail address" "BID_USER_AGENT="
}

@test "doctor: no network" {
  export BID_CONNECT_TO=127.0.0.1:1
  run --separate-stderr bid doctor --json
  wrong network "bid-fetch: " "--offline"
}

@test "doctor: BID_NOW" {
  BID_NOW=2026-03-05 doctor
  equal "$status" 0
  contains "$(finding clock)" "counted from there"
  BID_NOW=soon doctor
  equal "$status" 78
  contains "$stderr" "BID_NOW: 'soon' is no time"
}

@test "near finds a line, mask masks lines" {
  run --separate-stderr bash -c "printf 'alpha\nbeta\n' | bid near alhpa"
  equal "$output" alpha
  run --separate-stderr bash -c "printf 'alpha\n' | bid near zzz"
  equal "$status" 1
  run --separate-stderr bash -c "printf 'a\033]0;x\007\t\xe2\x80\xaeb\n' | bid mask"
  equal "$output" $'a?]0;x?\t?b'
}

@test "bid help opens the pages that are of no command" {
  need man
  local name
  for name in conf quality recipes security; do
    run --separate-stderr bash -c "bid help $name | head -5"
    contains "$output" "$(tr '[:lower:]' '[:upper:]' <<<"bid")"
    [ -z "$stderr" ]
  done
}
