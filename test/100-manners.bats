#!/usr/bin/env bats
# What every program does alike.

load helper

programs() {
  local f
  for f in "$ROOT"/bin/bid*.c; do basename "$f" .c; done
}

@test "every program shows help and version, and says where --help is for an unknown option" {
  local p
  for p in $(programs); do
    run --separate-stderr "$p" --help
    [ "$status" -eq 0 ] || { echo "$p --help: $status"; false; }
    contains "$output" "Usage: $p"
    equal "$stderr" ""
    run --separate-stderr "$p" --version
    equal "${lines[0]}" "$p $(cat "$ROOT/data/VERSION")"
    run --separate-stderr "$p" --no-such-option
    [ "$status" -eq 64 ] || { echo "$p --no-such-option: $status"; false; }
    equal "$output" ""
    contains "$stderr" "$p: unknown option '--no-such-option'; see '$p --help'"
  done
}

@test "every pipeline shows help and refuses an unknown option" {
  local f p
  for f in "$ROOT"/pipelines/bid-*; do
    [ -x "$f" ] && [ -f "$f" ] || continue
    p=$(basename "$f")
    run --separate-stderr "$p" --help
    [ "$status" -eq 0 ] || { echo "$p --help: $status $stderr"; false; }
    contains "$output" "Usage: $p"
    run --separate-stderr "$p" --no-such-option
    [ "$status" -eq 64 ] || { echo "$p --no-such-option: $status"; false; }
    contains "$stderr" "$p: "
  done
}

@test "a stdout that can't be written ends every program with 74" {
  local p
  for p in $(programs); do
    run --separate-stderr bash -c "$p --help >/dev/full"
    [ "$status" -eq 74 ] || { echo "$p --help >/dev/full: $status"; false; }
    contains "$stderr" "$p: cannot write stdout: No space left on device"
  done
}

@test "filters say that their records could not be written" {
  local p
  for p in bid-strip bid-chunk bid-embed bid-index; do
    run --separate-stderr bash -c "printf '{\"error\":{\"category\":\"internal\",\"message\":\"m\",\"stage\":\"s\"}}\n' | $p >/dev/full"
    [ "$status" -eq 74 ] || { echo "$p: $status $stderr"; false; }
  done
}

@test "filters pass error records on untouched" {
  local p line='{ "error" : {"category":"unavailable","message":"é \u00e9","stage":"fetch","n":1.50} , "x":123456789012345678901234567890}'
  for p in bid-strip bid-chunk bid-embed bid-index; do
    run --separate-stderr bash -c "printf '%s\n' '$line' | $p"
    equal "$output" "$line"
  done
}

@test "a bad line is an error record that names line and byte, and the rest goes on" {
  local p
  for p in bid-strip bid-chunk bid-embed bid-index; do
    run --separate-stderr bash -c "printf '{\"error\":{}}\n{\"a\":01}\n\n{\"a\":1,\"a\":2}\n{\"error\":{\"n\":2}}\n{\"a\":' | $p"
    [ "$status" -ne 0 ]
    equal "${#lines[@]}" 5
    contains "${lines[1]}" '"category":"invalid-request","message":"bad number at byte 6 of line 2"'
    contains "${lines[2]}" '"message":"duplicate key at byte 8 of line 4"'
    equal "${lines[3]}" '{"error":{"n":2}}'
    contains "${lines[4]}" 'of line 6"'
    contains "$stderr" "$p: stdin:2: bad number at byte 6 of line 2"
  done
}

@test "a file that won't open is named, and the others are read" {
  local p
  printf '{"error":{"n":1}}\n' >one
  for p in bid-strip bid-chunk bid-embed bid-index; do
    run --separate-stderr "$p" missing one . -
    equal "$status" 66
    equal "$output" '{"error":{"n":1}}'
    contains "$stderr" "$p: missing: No such file or directory"
    contains "$stderr" "$p: .: Is a directory"
  done
}

@test "control bytes of a message are masked" {
  run --separate-stderr bid-strip $'no\e[31msuch\nfile'
  contains "$stderr" 'bid-strip: no?[31msuch?file: No such file'
}

@test "--stats ends with one JSON object on stderr" {
  run --separate-stderr bash -c "printf '{\"error\":{}}\n' | bid-strip --stats"
  printf '%s\n' "$stderr" | jq -e '.program == "bid-strip" and .records == 1 and .errors == 1 and .bytesIn == 13 and .bytesOut == 13'
}

@test "progress shows where it is asked for, and not by itself in a pipe" {
  run --separate-stderr bash -c "printf '{\"error\":{}}\n' | bid-strip --progress=always"
  contains "$stderr" "1 records"
  run --separate-stderr bash -c "printf '{\"error\":{}}\n' | bid-strip"
  equal "$stderr" ""
  run --separate-stderr bid-strip --progress=maybe
  equal "$status" 64
}

@test "a closed pipe ends a program quietly" {
  run --separate-stderr bash -c "yes '{\"error\":{}}' | head -200000 | bid-strip | head -1"
  equal "$output" '{"error":{}}'
  equal "$stderr" ""
}

@test "only one module includes a given foreign header" {
  local found files
  cd "$ROOT"
  files=$(git ls-files 'common/*.c' 'common/*.h' 'bin/*.c')
  [ "$(wc -l <<<"$files")" -gt 100 ]
  # shellcheck disable=SC2086 # a list of files
  found=$({
    grep -lE '#include <lmdb.h>' $files | grep -v '^common/store/store'
    grep -lE '#include <curl/' $files | grep -v '^common/net/http'
    grep -lE '#include <jq.h>|#include <jv.h>' $files | grep -vE '^common/record/jq_program'
    grep -lE '#include <archive' $files | grep -v '^common/format/unpack'
  } || true)
  equal "$found" ""
  grep -q '#include <lmdb.h>' common/store/store_private.h # else the lines above look for nothing
}

@test "programs link only what they use" {
  local p
  for p in bid-strip bid-chunk bid-index bid-search; do
    run ldd "$BID_BIN/$p"
    [[ $output != *libcurl* ]] || { echo "$p links libcurl"; false; }
    [[ $p == bid-strip || $output != *libarchive* ]] || { echo "$p links libarchive"; false; } # office files are archives
  done
  for p in bid-fetch bid-strip bid-chunk bid-embed; do
    run ldd "$BID_BIN/$p"
    [[ $output != *liblmdb* ]] || { echo "$p links liblmdb"; false; }
  done
}

@test "every command has a manual page that lint finds nothing in" {
  need mandoc
  local f
  for f in "$ROOT"/bin/bid*.c "$ROOT"/pipelines/bid-*; do
    [[ $f == *.c || -x $f ]] || continue
    [ -e "$ROOT/man/$(basename "$f" .c).1" ] || { echo "no page for $f"; false; }
  done
  run mandoc -Tlint -W warning "$ROOT"/man/*.[157]
  equal "$output" ""
}
