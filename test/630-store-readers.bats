#!/usr/bin/env bats
# Readers that last, and what stands in their way: news, compacting, locks that vanish, names that are no files.

load helper

documents() { python3 "$ROOT/test/torture/documents.py" "$@"; }
test_setup() {
  need python3 jq
  documents 1 20 4 | bid-index -q >/dev/null
}
test_teardown() { [ -z "${searching-}" ] || { exec 7>&- 8<&-; wait "$searching" || :; }; }

ask() {
  printf '{"query":"%s"}\n' "$1" >&7
  timeout 10 sed -nu 1p\;1q <&8
}

long_search() {
  mkfifo questions answers
  bid-search --mode text --no-threshold -n 3 <questions >answers 2>errors 9>&- &
  searching=$!
  exec 7>questions 8<answers
  ask revenue >/dev/null
}

@test "a search that lasts sees what is indexed meanwhile" {
  long_search
  documents 20 1 2 9 | sed 's/Passage/Zanzibar/' | bid-index -q >/dev/null
  contains "$(ask zanzibar)" "Zanzibar 0 of document 20, version 9"
  bid-store rm -u https://example.org/20 >/dev/null
  [[ "$(ask zanzibar)" != *Zanzibar* ]]
}

@test "a search that lasts doesn't keep the file growing" {
  long_search
  local i before
  for i in 1 2 3; do documents 1 20 4 "1$i" | bid-index -q >/dev/null; ask revenue >/dev/null; done
  before=$(stat -c %s "$BID_STORE")
  for i in 4 5 6 7 8 9; do
    documents 1 20 4 "1$i" | bid-index -q >/dev/null
    sleep 0.4 # nobody asks
  done
  [ "$(stat -c %s "$BID_STORE")" -le $((before * 2)) ] || { ls -l "$BID_STORE"; echo "before: $before"; false; }
}

@test "a search that lasts says that the folder of its store was replaced, and reads one whose file was" {
  export BID_STORE=$PWD/kept/store
  documents 1 20 4 | bid-index -q >/dev/null
  long_search
  cp kept/store copy
  mv copy kept/store
  contains "$(ask revenue)" '"matches":[{'
  cp -r kept other
  mv kept old
  mv other kept
  if ldd "$BID_BIN/bid-search" | grep -q libasan; then # sanitized programs don't use Landlock
    contains "$(ask revenue)" '"matches":[{'
  else
    contains "$(ask revenue)" "its folder was replaced since this program began"
  fi
}

@test "compact gets its turn while a search waits for questions, which then goes on" {
  long_search
  run --separate-stderr bid-store compact --wait 5
  equal "$status" 0
  contains "$(ask revenue)" '"matches":[{'
  documents 30 1 2 3 | bid-index -q >/dev/null
  contains "$(ask "document 30")" "document 30, version 3"
}

@test "compact gets its turn while a search waits whose clock was set back by an hour" {
  cat >clock.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t id, struct timespec *t) {
  int failed = ((int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime"))(id, t);
  t->tv_sec += id == CLOCK_REALTIME ? 3600 : 0;
  return failed;
}
C
  cc -shared -fPIC -o clock.so clock.c -ldl
  local asan=
  if nm -D "$BID_BIN/bid-search" 2>/dev/null | grep -q __asan; then asan=$(cc -print-file-name=libasan.so):; fi
  mkfifo questions answers
  LD_PRELOAD=$asan$PWD/clock.so bid-search --mode text --no-threshold -n 3 <questions >answers 2>errors 9>&- &
  searching=$!
  exec 7>questions 8<answers
  ask revenue >/dev/null
  run --separate-stderr bid-store compact --wait 5
  equal "$status" 0
}

@test "compact gets its turn though searches come and go" {
  local i stop=$BATS_TEST_TMPDIR/stop
  for i in 1 2 3; do
    (while [ ! -e "$stop" ]; do bid-search --mode text revenue >/dev/null 2>&1 || :; done) &
  done
  run --separate-stderr bid-store compact --wait 8
  touch "$stop"
  wait
  equal "$status" 0
  bid-store verify
}

@test "what a killed compact or backup left goes with the next" {
  : >"$BID_STORE.4242.part"
  : >backup.17.part
  bid-store compact
  bid-store backup backup
  [ ! -e "$BID_STORE.4242.part" ]
  [ ! -e backup.17.part ]
  # Somebody else's copy that is being made stays.
  : >"$BID_STORE.99.part"
  flock "$BID_STORE.99.part" sleep 5 3>&- &
  sleep 0.2
  bid-store compact
  [ -e "$BID_STORE.99.part" ]
  kill $! && wait $! || :
}

@test "a FIFO, a device or a link as store is refused at once" {
  mkfifo pipe
  ln -s "$BID_STORE" link
  local name
  for name in pipe /dev/zero link; do
    BID_STORE=$name run --separate-stderr timeout 5 bid-search --mode text revenue
    [ "$status" -ge 64 ] && [ "$status" -lt 124 ] || { echo "$name: $status $stderr"; false; }
    BID_STORE=$name run --separate-stderr timeout 5 bid-store backup copy
    [ "$status" -eq 65 ] || { echo "$name: $status $stderr"; false; }
    BID_STORE=$name run --separate-stderr timeout 5 bid-index /dev/null
    [ "$status" -eq 65 ] || { echo "$name: $status $stderr"; false; }
  done
}

@test "a FIFO that nobody writes to is no operand to wait for" {
  mkfifo pipe
  local p pids=()
  for p in bid-strip bid-chunk bid-index 'bid-store load'; do
    { timeout 20 $p pipe 2>"errors.$p" && echo 0 || echo $?; } >"status.$p" &
    pids+=($!)
  done
  wait "${pids[@]}"
  for p in bid-strip bid-chunk bid-index 'bid-store load'; do
    equal "$p $(cat "status.$p")" "$p 66"
    contains "$(cat "errors.$p")" "nobody writes to this FIFO"
  done
}

@test "a FIFO that somebody writes to late is read whole" {
  mkfifo pipe
  { sleep 1; documents 50 1 1; sleep 1; documents 51 1 1; } >pipe &
  run --separate-stderr bid-index pipe
  equal "$status" 0
  equal "$(printf '%s\n' "$output" | wc -l)" 2
  wait
}

@test "a lock file that is removed or cut harms no reader" {
  long_search
  rm "$BID_STORE-lock"
  contains "$(ask revenue)" '"matches":[{'
  documents 60 1 2 | bid-index -q >/dev/null
  contains "$(ask "document 60")" "document 60"
  bid-store verify
  : >"$BID_STORE-lock"
  ask revenue >answer || :
  exec 7>&- 8<&-
  wait "$searching" && status=0 || status=$?
  searching=
  [ "$status" -lt 128 ] || { echo "$status: $(cat errors)"; false; }
  rm -f "$BID_STORE-lock"
  bid-store verify
}

@test "valgrind runs on a store, and finds nothing" {
  need valgrind
  local words
  shipped # sanitized programs don't run under valgrind
  documents 70 3 3 >in
  for words in "bid-index --batch 3 -q in" "bid-store dump" "bid-search --mode=text passage" "bid-store verify" "bid-store compact"; do
    # shellcheck disable=SC2086 # a list of words
    run --separate-stderr timeout 120 valgrind -q --error-exitcode=99 $words
    [ "$status" -eq 0 ] || { echo "$words: $status: $stderr"; false; }
  done
}

# A copy of the store from before its last $1 commits takes its place, as a backup does.
put_back() {
  local i
  cp "$BID_STORE" backup
  for ((i = 0; i < $1; i++)); do documents $((100 + i)) 1 2 | bid-index -q >/dev/null; done
}

@test "a backup takes the store's place while a search lasts: nothing of it is lost, and the search sees it" {
  local commits
  for commits in 3 4; do # LMDB writes its first pages by turns
    put_back "$commits"
    long_search
    mv backup "$BID_STORE"
    documents 50 1 2 7 | sed 's/Passage/Zanzibar/' | bid-index -q >/dev/null
    documents 51 1 2 8 | bid-index -q >/dev/null
    run --separate-stderr bid-store verify
    equal "$status" 0
    equal "$(bid-store dump | jq -r .sourceUrl | sort -u | grep -c .)" 22
    contains "$(ask zanzibar)" "Zanzibar 0 of document 50, version 7"
    exec 7>&- 8<&-
    wait "$searching"
    searching=
    rm questions answers
    bid-store rm -u https://example.org/50 >/dev/null
    bid-store rm -u https://example.org/51 >/dev/null
  done
}

@test "a backup takes the store's place while somebody reads on and on: who writes is refused, not the store destroyed" {
  documents 200 200 4 | bid-index -q >/dev/null
  put_back 6
  mkfifo slow
  bid-store dump >slow 2>/dev/null &
  exec 7<slow
  head -c 10 <&7 >/dev/null
  mv backup "$BID_STORE"
  run --separate-stderr bid-index -q < <(documents 50 1 2)
  exec 7<&-
  wait || :
  equal "$status" 75
  contains "$stderr" "is still open in another program"
  documents 50 1 2 | bid-index -q >/dev/null
  bid-store verify
}

@test "a writer whose file is moved away or removed gives no receipt for what nobody will find" {
  local how writing
  for how in 'mv "$BID_STORE" moved' 'rm "$BID_STORE"' 'cp "$BID_STORE" other && mv other "$BID_STORE"'; do
    mkfifo late
    bid-index -q --batch 1 <late >receipts 2>errors &
    writing=$!
    exec 7>late
    documents 60 1 2 >&7
    documents 61 1 2 >&7
    for _ in $(seq 100); do [ -s receipts ] && break || sleep 0.05; done
    eval "$how"
    documents 62 3 2 >&7 2>/dev/null || : # the writer may have ended already
    exec 7>&-
    status=0
    wait "$writing" || status=$?
    equal "$status" 75
    contains "$(cat errors)" "was moved, removed or replaced while it was written"
    equal "$(grep -c '"sourceUrl":"https://example.org/6[34]"' receipts)" 0
    rm -f late "$BID_STORE"*
    documents 1 20 4 | bid-index -q >/dev/null
  done
}

@test "a store of another user: what is missing and what to do" {
  need setpriv
  [ "$(id -u)" -eq 0 ] || skip "only root becomes another user"
  bid-fetch --quiet file "$ROOT"/data/sample/0009990001-25-000041.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
  local folder
  folder=$(mktemp -d /tmp/bid-other.XXXXXX)
  cp "$BID_STORE" "$folder/store"
  chmod 755 "$folder"
  other() { setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$folder" BID_STORE="$folder/store" "$@"; }
  other "$BID_BIN/bid-search" --version >/dev/null 2>&1 || { rm -r "$folder"; skip "another user can't run the programs here"; }
  chmod 600 "$folder/store"
  run --separate-stderr other "$BID_BIN/bid-search" revenue
  local unread="$status $stderr"
  chmod 644 "$folder/store"
  run --separate-stderr other "$BID_BIN/bid-search" revenue
  rm -r "$folder"
  equal "$status" 74
  contains "$unread" "74 bid-search: $folder/store: belongs to user 0 and may not be read by you: ask for the permission, or set BID_STORE"
  contains "$stderr" "readers register in $folder/store-lock, which you may not write: ask user 0"
}
