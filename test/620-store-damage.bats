#!/usr/bin/env bats
# Damage to the store's file: it is said, never shown as right.

load helper

documents() { python3 "$ROOT/test/torture/documents.py" "$@"; }
test_setup() {
  need python3 jq
  { documents 1 60 4; documents 10 8 4 2; } >in
  bid-index --batch 60 -q in >/dev/null
}

@test "damaged images: the sound store's output, or a message and a status" {
  run python3 "$ROOT/test/torture/damage.py" "$BID_BIN" "$BID_STORE" "${BID_DAMAGE:-120}" "${BID_DAMAGE_SEED:-7}"
  [ "$status" -eq 0 ] || { printf '%s\n' "$output" | tail -20; false; }
}

@test "a key that is lost is no empty store: readers and writers say so" {
  # Keys in LMDB's pages have no checksum; a changed one is a value that is not there.
  local key part
  cp "$BID_STORE" sound
  for key in segments counters; do
    cp sound "$BID_STORE"
    python3 - "$BID_STORE" "$key" <<'P'
import sys
data, key = bytearray(open(sys.argv[1], "rb").read()), sys.argv[2].encode()
for at in range(0, len(data), 4096): # the leaf that holds the small values
    if b"BIDSTORE" in data[at:at + 4096]:
        data[at:at + 4096] = data[at:at + 4096].replace(key, key[:-1] + b"z")
open(sys.argv[1], "wb").write(data)
P
    for part in "bid-store dump" "bid-store ls" "bid-store verify" "bid-search --mode text revenue" "bid-index -q in"; do
      run --separate-stderr $part
      [ "$status" -gt 1 ] || { echo "$key: $part: status $status: $output"; false; }
      contains "$stderr" damaged
    done
  done
}

@test "a page size that is none, in either first page: message and status" {
  # LMDB takes it from the newer one, and divides by it.
  local page size part
  cp "$BID_STORE" sound
  for page in 0 4096; do
    for size in 0 1 4095 8192 2147483648; do
      cp sound "$BID_STORE"
      python3 - "$BID_STORE" "$((page + 40))" "$size" <<'P'
import struct, sys
data, at = bytearray(open(sys.argv[1], "rb").read()), int(sys.argv[2])
data[at:at + 4] = struct.pack("<I", int(sys.argv[3]))
open(sys.argv[1], "wb").write(data)
P
      for part in "bid-store ls" "bid-store verify" "bid-search --mode text revenue" "bid-index -q in"; do
        run --separate-stderr $part
        [ "$status" -eq 65 ] || { echo "$page: $size: $part: status $status: $output"; false; }
        contains "$stderr" damaged
      done
    done
  done
}

# ask N: the answer to the N-th question of the search that runs.
ask() {
  printf '{"query":"revenue risk"}\n' >&7
  timeout 10 sed -n 1q <&8
}

long_search() {
  mkfifo questions answers
  bid-search --mode text <questions >answers 2>errors 9>&- &
  searching=$!
  exec 7>questions 8<answers
  ask
}

searched() { exec 7>&- 8<&-; wait "$searching" && status=0 || status=$?; stderr=$(cat errors); }

@test "a store cut short while it is searched: message and status" {
  long_search
  truncate -s 12288 "$BID_STORE"
  ask || :
  searched
  case $status in 65 | 74 | 1) ;; *) echo "status $status: $stderr"; false ;; esac
  contains "$stderr" "$BID_STORE"
}

@test "a store copied over while it is searched: message and status" {
  long_search
  head -c 900000 /dev/urandom >other
  cat other >"$BID_STORE"
  ask || :
  searched
  case $status in 1 | 65 | 70 | 74) ;; *) echo "status $status: $stderr"; false ;; esac
  contains "$stderr" "$BID_STORE"
}

@test "a store cut short while it is written: message and status" {
  mkfifo records
  bid-index --batch 4 -q <records >/dev/null 2>errors &
  local indexing=$! status
  exec 7>records
  documents 100 5 4 >&7
  sleep 0.5
  truncate -s 8192 "$BID_STORE"
  { documents 105 60 4 >&7; } 2>/dev/null || :
  exec 7>&-
  wait "$indexing" && status=0 || status=$?
  case $status in 65 | 74) ;; *) echo "status $status: $(cat errors)"; false ;; esac
  contains "$(cat errors)" "$BID_STORE"
}

@test "every kind of small value is sealed: a flipped name, number or count is noticed" {
  local word
  for word in finance_edgar_EX1_10-Q 'Example 1 Inc.' EX3 f10-K; do
    cp "$BID_STORE" damaged
    python3 - damaged "$word" <<'PY'
import sys
f = open(sys.argv[1], "r+b")
data = f.read()
word = sys.argv[2].encode()
at, n = data.find(word), 0
while at >= 0:
    f.seek(at + len(word) - 1)
    f.write(bytes([data[at + len(word) - 1] ^ 1]))
    at, n = data.find(word, at + 1), n + 1
assert n
PY
    BID_STORE=damaged run --separate-stderr bid-store verify
    equal "$status" 65
    BID_STORE=damaged run --separate-stderr bid-search --mode text revenue
    [ "$status" -ne 0 ] || { echo "$word: $output"; false; }
    BID_STORE=damaged run --separate-stderr bid-store documents
    equal "$status" 65
    contains "$stderr" damaged
  done
}

@test "what was committed before the last commit is not shown as the newest" {
  documents 200 4 2 | bid-index --batch 2 -q >/dev/null
  cp "$BID_STORE" damaged
  python3 - damaged <<'PY'
import struct, sys
f = open(sys.argv[1], "r+b")
f.seek(144)
one = struct.unpack("<Q", f.read(8))[0]
f.seek(4096 + 144)
two = struct.unpack("<Q", f.read(8))[0]
f.seek(144 + (4096 if two > one else 0))
f.write(struct.pack("<Q", max(one, two) % 2))
PY
  BID_STORE=damaged run --separate-stderr bid-store ls
  equal "$status" 65
  contains "$stderr" "damaged (its first pages disagree)"
}

@test "a damaged segment is never merged into a sound one, nor a damaged document replaced" {
  local copy
  copy=$(mktemp)
  for at in 0.3 0.5 0.7; do
    cp "$BID_STORE" "$copy"
    python3 - "$copy" "$at" <<'PY'
import random, sys
f = open(sys.argv[1], "r+b")
data = bytearray(f.read())
rng = random.Random(sys.argv[2])
for _ in range(60):
    at = rng.randrange(12288, len(data))
    data[at] ^= 1 << rng.randrange(8)
f.seek(0)
f.write(data)
PY
    BID_STORE=$copy run --separate-stderr bid-store compact
    [ "$status" -ne 0 ] || { BID_STORE=$copy bid-store verify; }
    BID_STORE=$copy run --separate-stderr bid-index --batch 20 <(documents 1 60 4 3)
    [ "$status" -ne 0 ] || { BID_STORE=$copy bid-store verify; }
    rm -f "$copy-lock"
  done
}
