#!/usr/bin/env bats
# Progress: a row of a program's own, and one row for a whole pipeline.

load helper

@test "bid progress draws one row from half a second on, and takes it away" {
  run --separate-stderr bash -c "printf 'bid-fetch\t2\t4200000\t0\t10-K of 2025-10-31\n' | bid progress bid-tool"
  equal "$status/$output/$stderr" 0//
  run --separate-stderr bash -c "{ printf 'bid-fetch\t2\t4200000\t0\t10-K of 2025-10-31\nbid-embed\t120\t9\t0\t\n'; sleep 1; } | COLUMNS=100 bid progress bid-tool"
  contains "$stderr" "bid-tool: 10-K of 2025-10-31 · 2 documents, 4.2 MB, "
  contains "$stderr" "· 120 passages"
  equal "${stderr: -4}" $'\r\033[K'
}

@test "the row says how many are to come and how long it will take, where that is known" {
  row() { run --separate-stderr bash -c "{ printf '$1'; sleep 0.8; } | COLUMNS=120 bid progress bid-tool"; }
  row 'bid-fetch\t2\t4200000\t3\t10-K of 2025-10-31\n'
  contains "$stderr" "bid-tool: 10-K of 2025-10-31 · 2 of 3 documents, 4.2 MB, "
  contains "$stderr" " s left"
  row 'bid-fetch\t3\t4200000\t3\tx\n'
  contains "$stderr" "3 of 3 documents"
  [[ $stderr != *"s left"* ]]
  row 'total\t0\t0\t200\t\nbid-fetch\t2\t4200000\t0\tx\n'
  contains "$stderr" "2 of 200 documents"
  row 'total\t0\t0\t1\t\nbid-fetch\t7\t4200000\t0\tx\n' # an archive held more
  contains "$stderr" "· 7 documents"
  row 'bid-fetch\t0\t0\t3\twaiting 0.4 s for sec.gov\n'
  contains "$stderr" "bid-tool: waiting 0.4 s for sec.gov · 0 of 3 documents"
}

@test "bid-fetch knows how many documents a listing asks for; bid-ingest how many a folder has" {
  mkfifo row
  mkdir reports
  for n in 1 2 3; do echo "Report $n" >reports/$n.md; done
  cat row >told &
  local reader=$!
  BID_PROGRESS=7 run bash -c 'exec 7>row; . "$ROOT/pipelines/lib.sh"; expect_documents 3'
  wait "$reader"
  equal "$(cat told)" $'total\t0\t0\t3\t'
  [ -d "${BID_SHARED:-/nowhere}/upstream" ] || skip "no recorded upstreams (../shared) here"
  export BID_NOW=2026-03-05T00:00:00Z
  upstream_start
  cat row >told &
  reader=$!
  BID_PROGRESS=7 run bash -c 'exec 7>row; bid-fetch sec-filings -e AAPL -f 10-K -n 2 --content >/dev/null'
  wait "$reader"
  contains "$(cat told)" $'bid-fetch\t0\t0\t2\t10-K of 2025-10-31'
}

@test "the row keeps to the width, and what a program tells cannot do anything to the terminal" {
  run --separate-stderr bash -c "{ printf 'bid-fetch\t2\t1\t0\t%s\033]0;x\007\n' aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; sleep 0.8; } | COLUMNS=40 bid progress bid-tool"
  equal "$(tr '\r' '\n' <<<"$stderr" | sed 's/\x1b\[K//' | awk 'length > 40' | wc -l)" 0
  run --separate-stderr bash -c "{ printf 'bid-fetch\t2\t1\t0\ta\033]0;x\007\n'; sleep 0.8; } | bid progress bid-tool"
  contains "$stderr" 'a?]0;x?'
}

@test "in a pipeline the programs tell the row's owner, and draw none themselves" {
  run --separate-stderr bash -c 'bid-ingest --progress=always --bulk "$ROOT"/data/sample/0009990001-25-000041.txt'
  equal "$status" 0
  mkfifo row
  cat row >told &
  local reader=$!
  BID_PROGRESS=7 run --separate-stderr bash -c "exec 7>row; bid-fetch file '$ROOT/README.md' | bid-strip -q >/dev/null"
  wait "$reader"
  contains "$(cat told)" $'bid-fetch\t'
  [[ $stderr != *$'\r'* ]]
}

@test "a descriptor that is no pipe is left alone" {
  echo untouched >file
  BID_PROGRESS=7 run --separate-stderr bash -c "exec 7>>file; bid-fetch file '$ROOT/README.md' >/dev/null"
  equal "$status" 0
  equal "$(cat file)" untouched
}

@test "the row is never one of the standard streams" {
  mkdir reports
  cp "$ROOT"/data/sample/0009990001-25-000041.txt reports/
  for fd in 1 2 7 x; do
    BID_STORE=store.$fd BID_PROGRESS=$fd run --separate-stderr bid-ingest --json --reports reports
    equal "$status" 0
    [[ $output != *total* && $stderr != *total* ]]
    printf '%s\n' "$output" | jq -e 'has("collection")'
  done
}

@test "bid-ingest for people: a line a document, and what came of it all" {
  run --separate-stderr bid-ingest --human --bulk "$ROOT/data/sample/0009990001-25-000041.txt"
  equal "$status" 0
  [[ ${lines[0]} =~ ^[0-9]+\ passages? ]]
  contains "$output" "1 document, "
  run --separate-stderr bid-ingest --human --bulk "$ROOT/data/sample/0009990001-25-000041.txt"
  contains "$output" "no document is new"
}

@test "waits for politeness are named" {
  mkdir -p "$BID_STATE/ledger"
  : >"$BID_STATE/ledger/sec.gov"
  flock "$BID_STATE/ledger/sec.gov" sleep 1.5 &
  local holder=$!
  sleep 0.2
  BID_CONNECT_TO=127.0.0.1:1 run --separate-stderr timeout 60 bid-fetch --progress=always sec-filing-document -P url=https://www.sec.gov/Archives/edgar/data/1/000000000000000000/a.htm
  contains "$stderr" "waiting for another program that asks sec.gov"
  wait "$holder"
}

@test "bid-retrieve says what it is reading, and nothing stays on the row" {
  need_shared
  export BID_NOW=2026-03-05T00:00:00Z
  upstream_start --fault 'www.sec.gov/*=slow:1'
  run --separate-stderr timeout 60 bid-retrieve --progress=always -e AAPL "What are the main supply chain risks in the 10-K?"
  equal "$status" 0
  contains "$stderr" "bid-retrieve:"
  equal "${stderr: -4}" $'\r\033[K'
}
