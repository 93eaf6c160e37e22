#!/usr/bin/env bats
# Calls that are interrupted by a signal or transfer less than asked: every program gives the same output.

load helper

setup_file() {
  cc -O1 -shared -fPIC -o "$BATS_FILE_TMPDIR/interrupt.so" "$BATS_TEST_DIRNAME/torture/interrupt.c" -ldl
}

test_setup() {
  need cc jq python3
  local asan=
  if nm -D "$BID_BIN/bid-store" 2>/dev/null | grep -q __asan; then
    asan=$(cc -print-file-name=libasan.so)
    export TORTURE_FILES=0 ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 # in jq, sed and the like
  fi
  shim=${asan:+$asan:}$BATS_FILE_TMPDIR/interrupt.so
  export BID_NOW=2026-03-05T00:00:00Z ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0
}

# same COMMAND...: undisturbed, with stdin from the file `given`; then three times with interruptions, which change nothing.
same() {
  local expected seed
  "$@" <given >expected 2>expected.errors && expected=0 || expected=$?
  for seed in 1 2 3; do
    status=0
    TORTURE_SEED=$seed LD_PRELOAD=$shim timeout 120 "$@" <given >got 2>got.errors || status=$?
    [ "$status" = "$expected" ] || { echo "$*, seed $seed: status $status, not $expected: $(cat got.errors)"; return 1; }
    sed -i 's/"capturedAt":"[^"]*"//g' expected got
    cmp expected got || { echo "$*, seed $seed: other output: $(cat got.errors)"; return 1; }
    cmp expected.errors got.errors || { echo "$*, seed $seed: $(cat got.errors)"; return 1; }
  done
}

@test "interrupted filters: strip of every format, chunk, embed" {
  : >given
  same bid-strip -q --raw "$ROOT"/data/sample/0009990001-25-000041.txt
  same bid-strip -q --raw "$ROOT"/data/sample/*.pdf
  bid-strip -q --raw "$ROOT"/data/sample/0009990001-25-000041.txt >given
  same bid-chunk
  bid-chunk <given >chunks
  mv chunks given
  same bid-embed
}

@test "interrupted fetches: a file, a listing, filings over HTTP into an empty cache" {
  : >given
  BID_SHARED= upstream_start # the sample filings alone
  anew() { rm -rf "$BID_CACHE" && bid-fetch "$@"; }
  export -f anew
  same bid-fetch --quiet file "$ROOT"/data/sample/*.txt -P corpus=edgar
  same bash -c 'anew "$@"' - --quiet sec-filings -e TWHL -n 3 --content
  same bid-fetch --quiet sec-submissions -e TWHL
  same bid-fetch --list --json
}

# Sample filings as embedded passages.
passages() {
  bid-fetch --quiet file "$ROOT"/data/sample/*.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q
}

@test "interrupted writers: index, load, compact, backup, rm leave the store that they leave undisturbed" {
  passages >given
  anew() { rm -f "$BID_STORE"* && bid-index -q; }
  dumped() { bid-store dump | sort; }
  export -f anew
  same bash -c anew
  anew <given >/dev/null
  dumped >before
  for words in compact "rm -c finance_edgar_none_*" "backup copy"; do
    rm -f copy
    # shellcheck disable=SC2086 # words
    TORTURE_SEED=4 LD_PRELOAD=$shim bid-store $words >/dev/null || :
    bid-store verify
    dumped | cmp before
  done
  BID_STORE=copy bid-store verify
  bid-store dump >given
  BID_STORE=$PWD/loaded TORTURE_SEED=5 LD_PRELOAD=$shim bid-store load <given >/dev/null
  BID_STORE=$PWD/loaded dumped | cmp before
}

@test "interrupted readers: search by words and vectors, with a filter, plan, diff, verify, dump" {
  passages | bid-index -q >/dev/null
  : >given
  same bid-search --json "which port closed, and what did it cost?"
  same bid-search --json --where '.metadata.form == "10-K"' "supply chain"
  same bid-search --json --where 'error("no")' "supply chain"
  same bid-plan --json "Tidewrack's revenue in 2025"
  same bid-store ls --json
  same bid-store dump
  same bid-diff --json -e TWHL --item 1A
  doctor() { bid doctor --offline --json | jq -c 'select(.check != "clock") | .found |= sub("[0-9.]+ GB"; "")'; }
  export -f doctor
  same bash -c doctor
  printf '%s\n' '{"query":"risks"}' '{"query":"revenue of Tidewrack"}' >given
  same bid-search --json
}

@test "a size that can't be read is said: bid-store stat counts no bytes of 0" {
  passages | bid-index -q >/dev/null
  cc -O1 -shared -fPIC -o fail.so "$ROOT/test/torture/shim.c" -ldl
  fail=${shim%"$BATS_FILE_TMPDIR/interrupt.so"}$PWD/fail.so
  bid-store stat --json >expected
  failed=0
  for at in {1..40}; do
    status=0
    TORTURE_CALL=stat TORTURE_AT=$at LD_PRELOAD=$fail bid-store stat --json >got 2>errors || status=$?
    [ "$status" -ne 0 ] || cmp expected got || { echo "call $at failed: $(cat got)"; false; }
    [ "$status" -eq 0 ] || { failed=$((failed + 1)); [ -s errors ]; }
  done
  [ "$failed" -gt 0 ]
}

@test "an interrupted MCP server answers all" {
  passages | bid-index -q >/dev/null
  {
    printf '%s\n' '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
    printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' \
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"supply chain"}}}' \
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"collections","arguments":{}}}'
  } >given
  answers() { bid-mcp | sort; }
  export -f answers
  same bash -c answers
}

@test "an interrupted pipeline reads the same documents" {
  : >given
  BID_SHARED= upstream_start
  ingest() { rm -rf "$BID_STORE"* "$BID_CACHE" "$BID_STATE" && bid-ingest --json -e TWHL -n 3; }
  export -f ingest
  same bash -c ingest
}

@test "a ledger that can't be read is an error, and its block stays" {
  BID_SHARED= upstream_start
  mkdir -p "$BID_STATE/ledger"
  printf 'bid-ledger 1\nday 2026-03-05\nnext 0.0\nlast 0.0\nblocked %s.000 too fast\nend\n' "$(($(date +%s) + 300))" >"$BID_STATE/ledger/probe"
  bid-fetch --quiet sec-submissions -e TWHL >/dev/null
  local f sum
  for f in "$BID_STATE"/ledger/*; do
    [ "$f" = "$BID_STATE/ledger/probe" ] || cp "$BID_STATE/ledger/probe" "$f"
  done
  sum=$(cat "$BID_STATE"/ledger/* | sha256sum)
  rm -rf "$BID_CACHE"
  printf '#include <errno.h>\n#include <sys/types.h>\nssize_t pread(int f, void *d, size_t n, off_t a) { (void)f; (void)d; (void)n; (void)a; errno = EIO; return -1; }\n' >eio.c
  cc -shared -fPIC -o eio.so eio.c
  run --separate-stderr env LD_PRELOAD="${shim%"$BATS_FILE_TMPDIR/interrupt.so"}$PWD/eio.so" bid-fetch --quiet sec-submissions -e TWHL
  [ "$status" -gt 1 ]
  contains "$stderr" "ledger of "
  contains "$stderr" "Input/output error"
  equal "$(cat "$BID_STATE"/ledger/* | sha256sum)" "$sum"
}
