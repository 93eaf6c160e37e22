#!/usr/bin/env bats
# What somebody else may have put where a program or pipeline keeps its files: links, FIFOs, sockets, folders.

load helper

test_setup() { need python3 jq; }
documents() { python3 "$ROOT/test/torture/documents.py" "$@"; }

# plant KIND PATH: what isn't a plain file.
plant() {
  rm -rf "$2"
  mkdir -p "$(dirname "$2")"
  case $1 in
  link) echo precious >precious && ln -s "$PWD/precious" "$2" ;;
  dangling) ln -s "$PWD/made" "$2" ;;
  fifo) mkfifo "$2" ;;
  folder) mkdir "$2" ;;
  socket) python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("s")' && mv s "$2" ;;
  esac
}
# What was planted was neither followed nor replaced.
untouched() { [ ! -e made ] && { [ ! -e precious ] || equal "$(cat precious)" precious; }; }

@test "a lock file that is none: neither followed, waited for nor crashed on, by readers and writers" {
  documents 1 4 2 | bid-index -q >/dev/null
  local kind
  for kind in link dangling fifo folder socket; do
    plant "$kind" "$BID_STORE-lock"
    for command in "bid-search --mode text revenue" "bid-store verify" "bid-store compact" "bid-store backup copy" "bid-index -q in"; do
      documents 1 4 2 2 >in
      run --separate-stderr timeout 20 $command
      [ "$status" -eq 65 ] || { echo "$kind: $command: $status $stderr"; false; }
      contains "$stderr" "$BID_STORE-lock: is a link, FIFO, folder or the like"
      untouched || { echo "$kind: $command"; false; }
    done
  done
  rm -rf "$BID_STORE-lock"
  bid-store verify
}

@test "an answer in the cache that is a link or FIFO is asked for again, not followed nor waited for" {
  BID_SHARED= upstream_start
  local kind f
  bid-fetch --quiet sec-submissions -e TWHL >/dev/null
  for kind in link fifo folder socket; do
    for f in $(find "$BID_CACHE/answers" -mindepth 2 -maxdepth 2); do plant "$kind" "$f"; done
    run --separate-stderr timeout 30 bid-fetch --quiet sec-submissions -e TWHL
    case $kind in folder) [ "$status" -lt 124 ] ;; *) equal "$kind $status" "$kind 0" ;; esac
    untouched
  done
}

@test "a ledger that is no plain file is an error, not a wait" {
  BID_SHARED= upstream_start
  bid-fetch --quiet sec-submissions -e TWHL >/dev/null
  local kind f
  for kind in link dangling fifo folder socket; do
    for f in $(find "$BID_STATE/ledger" -mindepth 1 -maxdepth 1); do plant "$kind" "$f"; done
    rm -rf "$BID_CACHE"
    run --separate-stderr timeout 30 bid-fetch --quiet sec-submissions -e TWHL
    [ "$status" -gt 1 ] && [ "$status" -lt 124 ] || { echo "$kind: $status $stderr"; false; }
    contains "$stderr" ledger
    run --separate-stderr timeout 30 bid-fetch --quota
    [ "$status" -lt 124 ] || { echo "$kind: --quota: $status $stderr"; false; }
    untouched
  done
}

@test "what bid-ingest --failed writes is no link, FIFO or device" {
  mkdir reports
  cp "$ROOT"/data/sample/0009990001-25-000041.txt reports/
  local kind name
  for kind in link dangling fifo folder socket; do
    for name in failed failed.new failed.part; do
      [ "$kind $name" != "link failed" ] && [ "$kind $name" != "dangling failed" ] || continue
      rm -rf failed*
      plant "$kind" "$name"
      run --separate-stderr timeout 30 bid-ingest --json --reports reports --failed failed
      [ "$status" -eq 73 ] || { echo "$kind $name: $status $stderr"; false; }
      contains "$stderr" "bid-ingest: --failed: $name: "
      untouched
    done
  done
  rm -rf failed*
  bid-ingest --json --reports reports --failed failed >/dev/null
  equal "$(cat failed)" ""
}

@test "nightly's and retrieve's folders hold plain files, or they end at once" {
  printf 'TWHL\t10-K\tsec-filings\tedgar\n' >watchlist.tsv
  BID_SHARED= upstream_start
  local kind name
  for kind in link dangling fifo socket; do
    for name in lock tasks report.txt make.log; do
      rm -rf "$BID_STATE/nightly"
      plant "$kind" "$BID_STATE/nightly/$name"
      run --separate-stderr timeout 60 bid-nightly --watchlist watchlist.tsv
      [ "$status" -eq 78 ] || { echo "$kind $name: $status $stderr"; false; }
      contains "$stderr" "$BID_STATE/nightly/$name: "
      untouched
    done
    rm -rf "$BID_STORE"*
    plant "$kind" "$BID_STATE/retrieve/read.lock"
    run --separate-stderr timeout 60 bid-retrieve --json -e 9990001 "What are the risks of the supply chain?"
    [ "$status" -eq 78 ] || { echo "$kind read.lock: $status $stderr"; false; }
    untouched
    rm -rf "$BID_STATE/retrieve"
  done
}

@test "copies are not written through what stands in their place" {
  documents 1 4 2 | bid-index -q >/dev/null
  local kind
  for kind in link dangling fifo folder socket; do
    plant "$kind" copy
    run --separate-stderr timeout 20 bid-store backup copy
    case $kind in
    dangling) # replaced by the copy
      equal "$status" 0
      [ ! -h copy ]
      BID_STORE=copy bid-store verify
      ;;
    *) [ "$status" -ge 64 ] && [ "$status" -lt 124 ] || { echo "$kind: $status $stderr"; false; } ;;
    esac
    untouched
  done
}
