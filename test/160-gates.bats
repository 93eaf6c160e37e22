#!/usr/bin/env bats
# What every change has to pass besides the tests of its own: a second compiler, the thread sanitizer, lint.

load helper

# CC is not ours: each build names its own.
build() {
  (cd "$ROOT" && env -u CC -u CFLAGS -u MAKEFLAGS -u MAKELEVEL make --no-print-directory -s -j2 "$@" 2>&1)
}

@test "clang builds everything without a warning, and the fuzz targets fit what they call" {
  command -v clang >/dev/null || skip "clang is not installed"
  run build clang
  [ "$status" -eq 0 ] || { echo "$output"; false; }
  equal "$output" ""
}

@test "ThreadSanitizer sees no race in what has threads" {
  local t
  run build tsan
  [ "$status" -eq 0 ] || { echo "$output"; false; }
  for t in vector store embed rank; do
    run "$ROOT/.build/tsan/unit/${t}_test"
    [[ $status -eq 0 && $output != *"WARNING: ThreadSanitizer"* ]] || { echo "$t: $output"; false; }
  done
  export BID_STORE=$PWD/tsan.store
  for t in 1 2 3; do cat "$ROOT"/data/sample/questions.ndjson; done >questions
  bid-strip -q --raw "$ROOT"/data/sample/*.txt | bid-chunk -q >chunks
  run --separate-stderr bash -c "'$ROOT/.build/tsan/bin/bid-embed' -q --threads 2 <chunks |
    '$ROOT/.build/tsan/bin/bid-index' -q --collection finance_test_X_10-K && '$ROOT/.build/tsan/bin/bid-search' --threads 3 <questions"
  [[ $stderr != *"WARNING: ThreadSanitizer"* ]] || { echo "$stderr"; false; }
  contains "$output" '"matches"'
}

@test "lint finds nothing" {
  command -v clang-format >/dev/null || skip "clang-format is not installed"
  run bash -c "cd '$ROOT' && sh test/tools/lint ${BID_FULL:-quick} 2>&1"
  [ "$status" -eq 0 ] || { echo "$output"; false; }
}

@test "what differs for aarch64 compiles, and nothing there asks for what only x86-64 has" {
  command -v aarch64-linux-gnu-gcc >/dev/null || skip "gcc-aarch64-linux-gnu is not installed"
  run env -u CC -u MAKEFLAGS -u MAKELEVEL sh "$ROOT/test/tools/cross" .build/aarch64 "$(built)"
  [ "$status" -eq 0 ] || { echo "$output"; false; }
  equal "$output" ""
}
