#!/usr/bin/env bats
# bid-store: looking after the store.
load helper

# fill FIRST LAST [VERSION]: embedded chunks of documents, 20 passages each, two collections.
fill() {
  python3 - "$@" <<'EOF'
import base64, json, random, struct, sys
first, last, version = int(sys.argv[1]), int(sys.argv[2]), int((sys.argv + ["1"])[3])
words = "revenue segment risk supply tax lease debt cash income margin growth cost option share board audit".split()
for doc in range(first, last + 1):
    for i in range(20):
        r = random.Random(doc * 1000 + i * 10 + version)
        v = [r.gauss(0, 1) for _ in range(64)]
        print(json.dumps({
            "source": "sec-filings", "sourceUrl": "https://example.org/%d" % doc, "capturedAt": "2026-01-02T03:04:05Z",
            "metadata": {"company": "Company %d" % (doc % 2), "ticker": "C%d" % (doc % 2), "form": "10-K",
                         "filingDate": "2024-03-01"},
            "id": "%08x%08x%016x" % (doc, i, version), "n": 1.50 + i * (i == 3),
            "text": " ".join(r.choice(words) + str(r.randint(0, 99)) for _ in range(150)), "context": "Company 10-K",
            "chunk": {"index": i, "start": i, "end": i + 1, "last": i == 19},
            "embedding": base64.b64encode(struct.pack("<64f", *v)).decode(), "model": "test@0123456789ab"}))
EOF
}
test_setup() { need python3 jq; }

id_of() { printf '%08x%08x%016x' "$1" "$2" "${3:-1}"; }

@test "no store: it is said, status 66 from every program" {
  run --separate-stderr bid-search --mode text word
  equal "$status" 66
  run --separate-stderr bid-store dump
  equal "$status" 66
  run --separate-stderr bid-store ls
  equal "$status" 66
  contains "$stderr" "no store there"
  [ ! -e "$BID_STORE" ]
}

@test "no home and no BID_STORE: a missing setting, not a missing collection" {
  local p
  for p in 'bid-store ls' 'bid-search word' 'bid-index /dev/null'; do
    run --separate-stderr env -u BID_STORE -u HOME -u XDG_DATA_HOME $p
    [ "$status" -eq 78 ] || { echo "$p: $status $stderr"; false; }
    contains "$stderr" "neither BID_STORE nor HOME is set"
    [[ $stderr != *"no collection"* ]]
  done
}

@test "a passage that isn't there is status 1" {
  fill 1 1 | bid-index >/dev/null
  run --separate-stderr bid-store show 0000000000000000000000000000ffff
  equal "$status" 1
  contains "$stderr" "no passage has the id"
}

@test "ls, stat and show" {
  fill 1 3 | bid-index >/dev/null
  run --separate-stderr bid-store ls
  equal "$(jq -c '[.collection,.documents,.passages,.dimensions,.model]' <<<"$output")" \
    '["finance_edgar_C0_10-K",1,20,64,"test@0123456789ab"]
["finance_edgar_C1_10-K",2,40,64,"test@0123456789ab"]'
  run --separate-stderr bid-store -c '*C0*' ls
  equal "$(wc -l <<<"$output")" 1
  run --separate-stderr bid-store -c 'none*' ls
  equal "$status" 1
  equal "$(bid-store stat | jq -c '[.documents,.passages,.collections,.removedPassages]')" '[3,60,2,0]'
  run --separate-stderr bid-store show "$(id_of 2 5)"
  equal "$(jq -c . <<<"$output")" "$(fill 2 2 | sed -n 6p | jq -c 'del(.embedding,.model)
    | {source,sourceUrl,capturedAt,metadata,n,id,text,context,chunk}')"
  run --separate-stderr bid-store show 00000000000000000000000000000000
  equal "$status" 1
  run --separate-stderr bid-store show "$(id_of 2 5)" nonsense
  equal "$status" 1
}

@test "words that make no sense are usage errors" {
  for words in "" "frob" "ls x" "show" "rm" "backup" "reembed"; do
    # shellcheck disable=SC2086
    run --separate-stderr bid-store $words
    equal "$status" 64
  done
}

@test "what went in comes out, numbers digit by digit" {
  fill 1 2 | sed 's/"n": 4.5,/"n": 12345678901234567890.10,/' >in
  bid-index in >/dev/null
  bid-store dump >dumped
  equal "$(jq -cS 'del(.store,.embedding)' dumped | sort)" "$(jq -cS 'del(.embedding)' in | sort)"
  equal "$(grep -c '"n":12345678901234567890.10,' dumped)" 2
  # vectors come back within 12 bits
  python3 - dumped <(fill 1 2) <<'EOF'
import base64, json, struct, sys
def vectors(path):
    return {r["id"]: struct.unpack("<64f", base64.b64decode(r["embedding"])) for r in map(json.loads, open(path))}
a, b = vectors(sys.argv[1]), vectors(sys.argv[2])
assert len(a) == 40
for k in b:
    top = max(map(abs, b[k]))
    assert all(abs(x - y) <= top / 2039 * 0.502 for x, y in zip(a[k], b[k]))
EOF
}

@test "dump and load: the same dump, the same search results, nothing changed for bid-index" {
  fill 1 12 | bid-index --batch 50 >/dev/null
  fill 3 6 2 | bid-index --batch 30 >/dev/null
  bid-store -u https://example.org/9 rm
  bid-store dump >dumped
  BID_STORE=copy bid-store load dumped >/dev/null
  BID_STORE=copy bid-store verify
  BID_STORE=copy bid-store dump | cmp - dumped
  sed 's/"scale":[^,}]*/"scale":1e300/' dumped | BID_STORE=scaled bid-store load >/dev/null # no number of those vectors
  BID_STORE=scaled bid-store dump >scaled.dump
  BID_STORE=again bid-store load scaled.dump >/dev/null
  BID_STORE=again bid-store dump | cmp - scaled.dump
  run --separate-stderr env BID_STORE=copy bid-index <(fill 1 2)
  equal "$(jq -s -c 'map(.unchanged)' <<<"$output")" '[20,20]'
  if [ -x "$BID_BIN/bid-search" ]; then
    for q in revenue12 risk55 margin7; do
      bid-search --mode text -n 10 "$q" 2>/dev/null >a || true
      BID_STORE=copy bid-search --mode text -n 10 "$q" 2>/dev/null >b || true
      cmp a b
      [ -s a ]
    done
  fi
}

@test "load of what dump did not write says so" {
  fill 1 1 >embedded
  run --separate-stderr bid-store load embedded
  equal "$status" 1
  contains "$stderr" "it was not written by bid-store dump; bid-index reads what bid-embed wrote"
}

@test "load and bid-index refuse a collection's name that is none, and an id that is not hex" {
  local name
  fill 1 1 | bid-index >/dev/null
  bid-store dump >dumped
  export BID_STORE=$BATS_TEST_TMPDIR/refusing
  for name in 'ab\u0000cd' ''; do
    jq -c ".store.collection = \"$name\"" dumped >changed
    run --separate-stderr bid-store load changed
    equal "$status" 1
    contains "$stderr" "the collection's name is empty or has a NUL"
  done
  for program in bid-index "bid-store load"; do
    jq -c '.id = (.id[:31] + "g")' dumped >changed
    run --separate-stderr $program changed
    equal "$status" 1
    contains "$stderr" "a passage has no id of 32 hex digits"
  done
  equal "$(bid-store ls)" ""
}

@test "--plain dumps what bid-embed takes" {
  fill 1 1 | bid-index >/dev/null
  equal "$(bid-store --plain dump | head -1 | jq -c '[.embedding,.model,.store]')" '[null,null,null]'
}

@test "rm: by collection, URL, company" {
  fill 1 6 | bid-index >/dev/null
  run --separate-stderr bid-store -u https://example.org/2 rm
  equal "$output" '{"documents":1,"removed":20}'
  run --separate-stderr bid-store -e c1 rm
  equal "$output" '{"documents":3,"removed":60}'
  run --separate-stderr bid-store -e nobody rm
  equal "$status" 1
  equal "$(bid-store ls | jq -r .collection)" finance_edgar_C0_10-K
  run --separate-stderr bid-store -c '*' rm
  equal "$output" '{"documents":2,"removed":40}'
  run --separate-stderr bid-store ls
  equal "$status" 1
  bid-store verify
}

# Both URLs have the XXH3-64 hash 93a9cbd77498fcef, which is all of a URL that a segment has.
@test "rm: of two URLs with the same hash the one that is named; both are listed" {
  local one=https://x.example/1843bfe3a2cab82e two=https://x.example/5ac3ab895b490fea
  fill 1 2 | sed "s|https://example.org/1\"|$one\"|; s|https://example.org/2\"|$two\"|" | bid-index >/dev/null
  equal "$(bid-store documents | jq -r .sourceUrl | sort)" "$one
$two"
  run --separate-stderr bid-store -u "$one" rm
  equal "$output" '{"documents":1,"removed":20}'
  equal "$(bid-store documents | jq -r .sourceUrl)" "$two"
}

# light FIRST LAST TICKER [MODEL [DIMENSIONS]]: embedded chunks of documents of one short passage.
light() {
  python3 - "$@" <<'EOF'
import base64, json, random, struct, sys
first, last, ticker = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
model, dims = (sys.argv[4:] + ["test@0123456789ab"])[0], int((sys.argv[5:] + ["64"])[0])
for doc in range(first, last + 1):
    r = random.Random("%d %s" % (doc, ticker))
    print(json.dumps({
        "source": "sec-filings", "sourceUrl": "https://example.org/%s/%d" % (ticker, doc), "capturedAt": "2026-01-02T03:04:05Z",
        "metadata": {"company": "Company " + ticker, "ticker": ticker, "form": "10-K"}, "id": "%032x" % r.getrandbits(128),
        "text": "revenue of document %d" % doc, "context": "c", "chunk": {"index": 0, "start": 0, "end": 9, "last": True},
        "embedding": base64.b64encode(struct.pack("<%df" % dims, *[r.gauss(0, 1) for _ in range(dims)])).decode(), "model": model}))
EOF
}

# Whether the file ends before the last page that LMDB counts (mm_last_pg of the newer meta page).
ends_early() {
  python3 - "$BID_STORE" <<'EOF'
import os, struct, sys
with open(sys.argv[1], "rb") as f:
    data = f.read(8192)
last, _ = max((struct.unpack_from("<QQ", data, at + 136) for at in (0, 4096)), key=lambda pair: pair[1])
sys.exit(0 if (last + 1) * 4096 > os.path.getsize(sys.argv[1]) else 1)
EOF
}

@test "rm of a large collection, which leaves pages counted but never written, leaves a store that opens" {
  light 1 1500 A | bid-index >/dev/null
  light 1 1500 B | bid-index >/dev/null
  bid-store -c '*_A_*' rm
  ends_early
  equal "$(bid-store ls | jq -r .passages)" 1500
  bid-store verify
  light 1501 1510 B | bid-index >/dev/null
  bid-store compact
  equal "$(bid-store dump | wc -l)" 1510
}

@test "many documents that are refused leave a store that opens" {
  local v
  for v in 1 2 3 4; do light 1 40 A | jq -c --arg v "$v" '.text += $v' | bid-index >/dev/null; done
  run --separate-stderr bid-index <(light 1 300 A other@000000000000)
  equal "$status" 1
  ends_early
  equal "$(bid-store ls | jq -r .passages)" 40
  bid-store verify
}

@test "a model has one number of dimensions in a store: vectors of another length are refused, in any collection" {
  light 1 12 A | bid-index >/dev/null
  bid-store dump | sort >before
  { light 1 12 B test@0123456789ab 512; light 13 13 A; light 14 14 A test@0123456789ab 8; } >given
  run --separate-stderr bid-index given
  equal "$status" 1
  equal "$(jq -r '.error.category // .collection' <<<"$output" | sort | uniq -c | tr -s ' \n' ' ')" ' 1 finance_edgar_A_10-K 13 model-mismatch '
  contains "$stderr" "the store holds vectors of test@0123456789ab with 64 dimensions, these have 512"
  for n in 1 2 3 4 5 6 7 8; do light 1$n 1$n C test@0123456789ab 512 | bid-index >/dev/null 2>&1 || true; done # enough to be merged
  equal "$(bid-store ls | jq -r .collection)" finance_edgar_A_10-K
  bid-store dump | grep -v /A/13 | sort | diff - before
}

@test "two writers at once with different models, or lengths of one model: one holds, the other is refused, nothing is mixed" {
  local round held
  light 1 40 A one@0123456789ab >one
  light 41 80 A two@0123456789ab >two
  light 1 40 B one@0123456789ab 32 >short
  for round in 1 2 3 4; do
    for second in two short; do
      rm -f "$BID_STORE"*
      bid-index -q --batch 2 one >ra 2>/dev/null &
      bid-index -q --batch 2 "$second" >rb 2>/dev/null || :
      wait $! || :
      held=$(jq -s 'map(select(.collection)) | length' ra rb)
      equal "$((held + $(jq -s 'map(select(.error.category == "model-mismatch")) | length' ra rb)))" 80
      bid-store dump >dumped
      equal "$(wc -l <dumped)" "$held"
      equal "$(jq -r '[.model, (.embedding | length)] | join(" ")' dumped | sort -u | wc -l)" 1
      bid-store verify
    done
  done
}

@test "stores whose vectors of one model have different lengths: not merged, and searched together by words" {
  light 1 12 A | bid-index >/dev/null
  light 1 20 B test@0123456789ab 512 | BID_STORE=other bid-index >/dev/null
  bid-store dump >before
  run --separate-stderr bid-store merge "$BID_STORE" other
  equal "$status" 78
  contains "$stderr" "has vectors of test@0123456789ab with 64 dimensions"
  bid-store dump | diff - before
  jq -cn --arg e "$(light 1 1 B test@0123456789ab 512 | jq -r .embedding)" '{query: "revenue of a document", embedding: $e}' >question
  run --separate-stderr bash -c 'bid-search --store="$BID_STORE" --store=other -n 40 --no-threshold --no-fold <question'
  equal "$status" 0
  equal "$(jq '.matches | length' <<<"$output")" 32
}

@test "a disk without room for the lock file is said, by readers and writers, and the store stays" {
  unshare -rm true 2>/dev/null || skip "no disk can be mounted here"
  light 1 20 A >given
  bid-index given >/dev/null
  mkdir disk
  cat >within <<'EOF'
mount -t tmpfs -o size=1m tmpfs disk && cp "$BID_STORE" disk/store && dd if=/dev/zero of=disk/filler bs=1k 2>/dev/null
export BID_STORE=$PWD/disk/store
for command in "bid-store ls" "bid-search --mode=text revenue" "bid-index given"; do
  status=0
  $command >/dev/null || status=$?
  echo "$status"
done
rm disk/filler
bid-store verify && bid-store ls | jq .passages
EOF
  run --separate-stderr unshare -rm bash within
  equal "$output" $'74\n74\n74\n20'
  equal "$(grep -c 'disk/store: No space left on device' <<<"$stderr")" 3
}

@test "too little memory is said as such by writers and readers, whatever was asked for last" {
  need python3
  shipped # the sanitizers take all of the address space
  local most least=65536 limit words seen=
  python3 "$ROOT/test/torture/documents.py" 1 300 6 | bid-index -q >/dev/null
  python3 "$ROOT/test/torture/documents.py" 1 30 6 2 >more
  for most in $(seq 66000 6000 600000); do # the map alone takes more
    (ulimit -v "$most" && bid-store ls >/dev/null 2>&1) && break || least=$most
  done
  cp "$BID_STORE" sound
  for limit in $(seq "$least" 400 $((least + 18000))); do
    for words in "bid-index -q more" "bid-store dump"; do
      run --separate-stderr bash -c "ulimit -v $limit; exec $words"
      [ "$status" -eq 0 ] && continue
      case $stderr in *"out of memory" | *"Cannot allocate memory") seen="$seen $words" ;; *) echo "$limit: $words: $status $stderr" && false ;; esac
    done
    cp sound "$BID_STORE"
  done
  contains "$seen" "bid-index"
  contains "$seen" "dump"
  bid-store verify
}

@test "space is used again" {
  fill 1 20 | bid-index >/dev/null
  for v in 2 3 4 5; do fill 1 20 $v | bid-index >/dev/null; done
  first=$(stat -c %s "$BID_STORE")
  for v in 6 7 8 9; do fill 1 20 $v | bid-index >/dev/null; done
  [ "$(stat -c %s "$BID_STORE")" -le $((first * 5 / 4)) ]
  bid-store verify
}

@test "compact after deleting half gives half the size" {
  fill 1 60 | bid-index >/dev/null
  bid-store compact >/dev/null
  full=$(stat -c %s "$BID_STORE")
  bid-store -e C0 rm >/dev/null
  run --separate-stderr bid-store compact
  half=$(stat -c %s "$BID_STORE")
  equal "$(jq .after <<<"$output")" "$half"
  [ $((half * 100)) -ge $((full * 35)) ]
  [ $((half * 100)) -le $((full * 65)) ]
  bid-store verify
  equal "$(bid-store stat | jq .passages)" 600
  fill 1 2 | bid-index >/dev/null # goes on working
  bid-store verify
}

@test "compact waits for others to leave, and says so" {
  fill 1 2 | bid-index >/dev/null
  mkfifo pipe
  bid-index <pipe >/dev/null &
  exec 7>pipe
  for _ in $(seq 50); do [ -e "/proc/$!/fd" ] && ls -l "/proc/$!/fd" | grep -q "$BID_STORE" && break; sleep 0.1; done
  run --separate-stderr bid-store --wait 0.2 compact
  equal "$status" 75
  contains "$stderr" "is open in another process"
  exec 7>&-
  wait $!
  bid-store compact >/dev/null
  bid-store verify
}

@test "two compactions at once: one is done, the other says so at once or finds the new file" {
  fill 1 20 | bid-index >/dev/null
  local one two first=0 second=0 began=$SECONDS
  mkfifo late
  bid-index <late >/dev/null & # keeps both waiting until they are two
  exec 7>late
  bid-store --wait 30 compact >one 2>&1 7>&- &
  one=$!
  bid-store --wait 30 compact >two 2>&1 7>&- &
  two=$!
  sleep 4 # a newcomer waits for 2 seconds while somebody wants to be alone
  exec 7>&-
  wait "$one" || first=$?
  wait "$two" || second=$?
  [ $((SECONDS - began)) -lt 25 ]
  [ "$first" -eq 0 ] || [ "$second" -eq 0 ]
  case "$first $second" in '0 0' | '0 75' | '75 0') ;; *) cat one two; false ;; esac
  bid-store verify
}

@test "a writer that waits too long says so" {
  fill 1 1 | bid-index >/dev/null
  python3 - "$BID_STORE" <<'EOF' &
import fcntl, struct, sys, time
f = open(sys.argv[1], "r+b")
fcntl.fcntl(f, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 2**61 + 1, 1, 0))  # F_OFD_SETLK
open("held", "w").close()
time.sleep(20)
EOF
  holder=$!
  for _ in $(seq 100); do [ -e held ] && break; sleep 0.1; done
  run --separate-stderr bid-index --wait 0.3 <(fill 2 2)
  equal "$status" 75
  contains "$stderr" "another process is writing; waited 0.3 seconds"
  equal "$(bid-store stat | jq .documents)" 1 # readers don't wait
  kill $holder
  wait $holder || true
  bid-index <(fill 2 2) >/dev/null
  equal "$(bid-store stat | jq .documents)" 2
}

@test "backup is whole, while others write" {
  fill 1 20 | bid-index >/dev/null
  (for v in 2 3 4; do fill 1 20 $v | bid-index --batch 20 >/dev/null; done) &
  bid-store backup saved
  wait $!
  BID_STORE=saved bid-store verify
  equal "$(BID_STORE=saved bid-store stat | jq .passages)" 400
  run --separate-stderr bid-store backup nowhere/saved
  [ "$status" -eq 74 ]
  contains "$stderr" "copying to nowhere/saved: No such file or directory"
  run --separate-stderr bid-store backup saved
  equal "$status" 74
  contains "$stderr" "exists already"
}

@test "verify finds a damaged text" {
  fill 1 3 | bid-index >/dev/null
  size=$(stat -c %s "$BID_STORE")
  python3 - "$BID_STORE" <<'EOF'
import sys
f = open(sys.argv[1], "r+b")
data = f.read()
at = data.index(b"\x28\xb5\x2f\xfd")  # a zstd frame
at = data.index(b"\x28\xb5\x2f\xfd", at + 4) + 60
f.seek(at)
f.write(bytes([data[at] ^ 1]))
EOF
  equal "$(stat -c %s "$BID_STORE")" "$size"
  run --separate-stderr bid-store verify
  equal "$status" 65
  contains "$stderr" "bid-store: document"
  contains "$stderr" ", https://example.org/" # which one to read in again
  contains "$output$stderr" " 1 fault; "
}

@test "a file cut short is said, not crashed on" {
  fill 1 3 | bid-index >/dev/null
  truncate -s 20000 "$BID_STORE"
  run --separate-stderr bid-store stat
  equal "$status" 65
  contains "$stderr" "cut short"
}

@test "a store of another version names what mends it" {
  fill 1 1 | bid-index >/dev/null
  python3 - "$BID_STORE" <<'EOF'
import sys
f = open(sys.argv[1], "r+b")
data = f.read()
at = data.index(b"BIDSTORE")
while at >= 0:
    f.seek(at + 8)
    f.write(b"\x63")
    at = data.find(b"BIDSTORE", at + 8)
EOF
  run --separate-stderr bid-store ls
  equal "$status" 78
  contains "$stderr" "bid-store dump"
}

@test "reembed: a second generation, compared, switched" {
  [ -x "$BID_BIN/bid-embed" ] || skip "no bid-embed"
  fill 1 4 | bid-index >/dev/null
  run --separate-stderr bid-store --model bid-static reembed
  [ "$status" -eq 0 ] || skip "no model here: $stderr"
  equal "$(jq -c '[.collection,.passages,.reembedded,.from]' <<<"$output")" \
    '["finance_edgar_C0_10-K",40,40,"test@0123456789ab"]
["finance_edgar_C1_10-K",40,40,"test@0123456789ab"]'
  contains "$(bid-store ls)" '"model":"bid-static@'
  equal "$(bid-store stat | jq -c '[.documents,.passages]')" '[4,80]'
  equal "$(bid-store --plain dump | jq -cS . | sort)" "$(fill 1 4 | jq -cS 'del(.embedding,.model)' | sort)"
  bid-store verify
}

@test "reembed that fails leaves the collection as it was" {
  fill 1 2 | bid-index >/dev/null
  bid-store dump >before
  run --separate-stderr bid-store --model no-such-model reembed
  [ "$status" -ne 0 ]
  contains "$stderr" "it stays as it was"
  bid-store dump | cmp - before
  bid-store verify
}

@test "reembed keeps what another process writes meanwhile, and says that it has to be tried again" {
  local how
  export BID_DATA=$ROOT/data
  one() { fill "$@" | jq -c 'select(.metadata.ticker == "C0")'; }
  one 2 4 >first
  one 2 2 2 >newer # as many passages
  one 6 6 >more
  mkdir programs
  cp "$BID_BIN"/bid-store programs/
  cat >programs/bid-embed <<'SH'
#!/bin/sh
"$BID_BIN/bid-embed" "$@" >embedded
sh -c "$MEANWHILE" >said 2>&1 && bid-store dump >then
cat embedded
SH
  chmod +x programs/bid-embed
  for how in "bid-index newer" "bid-index more" "bid-store rm -u https://example.org/2" \
    "bid-store rm -u https://example.org/2; bid-index more" "bid-store --model bid-static reembed"; do
    rm -f "$BID_STORE"* then
    bid-index <first >/dev/null
    MEANWHILE=$how run --separate-stderr programs/bid-store --model bid-static reembed
    [ -s then ] || { echo "$how: $stderr"; cat said; false; }
    [ "$status" -ne 0 ] || { echo "$how: $output"; false; }
    contains "$stderr" "it stays as it was"
    bid-store dump | cmp - then || { echo "$how"; false; }
    bid-store verify
  done
  equal "$status" 75
  contains "$stderr" "finance_edgar_C0_10-K: another process changed it meanwhile, so it stays as it was; try again"
}

@test "a store on a read-only disk can be read" {
  fill 1 2 | bid-index >/dev/null
  mkdir ro
  cp "$BID_STORE" ro/store
  unshare -m sh -c 'mount --bind ro ro && mount -o remount,ro,bind ro' 2>/dev/null || skip "no mount namespaces here"
  run --separate-stderr unshare -m sh -c 'mount --bind ro ro && mount -o remount,ro,bind ro
    BID_STORE=ro/store bid-store stat && ! BID_STORE=ro/store bid-index </dev/null'
  equal "$status" 0
  equal "$(head -1 <<<"$output" | jq .passages)" 40
  contains "$stderr" "Read-only file system"
}

@test "dump as rows: NDJSON without nesting, CSV with the same cells, vectors as numbers" {
  fill 1 2 | bid-index >/dev/null
  bid-store dump --format=ndjson >rows.ndjson
  equal "$(jq -s 'length' rows.ndjson)" "$(bid-store dump | wc -l)"
  jq -se 'all(.[]; all(.[]; type != "object" and type != "array")) and all(.[]; has("embedding") | not)' rows.ndjson
  bid-store dump --format=csv --vectors=floats >rows.csv
  bid-store dump --format=ndjson --vectors=floats >floats.ndjson
  bid-store dump --format=ndjson --vectors=base64 >base64.ndjson
  python3 - <<'PYTHON'
import base64, csv, json, struct
rows = [json.loads(line) for line in open("floats.ndjson")]
cells = list(csv.DictReader(open("rows.csv", newline="")))
assert len(rows) == len(cells) > 0 and list(cells[0]) == list(rows[0])
for row, cell, packed, full in zip(rows, cells, map(json.loads, open("base64.ndjson")), map(json.loads, __import__("os").popen("bid-store dump"))):
    assert row["text"] == cell["text"] == full["text"] and row["id"] == full["id"]
    assert row["embedding"] == json.loads(cell["embedding"])
    raw = base64.b64decode(packed["embedding"])
    assert packed["embedding"] == full["embedding"]
    assert list(struct.unpack("<%df" % (len(raw) // 4), raw)) == [struct.unpack("<f", struct.pack("<f", x))[0] for x in row["embedding"]]
PYTHON
}

@test "dump as rows: quotation marks, commas and line ends in a cell; wrong forms" {
  fill 1 1 | jq -c 'if .chunk.index == 0 then .text = "a \"b\", c\r\nd" else . end' | bid-index >/dev/null
  bid-store dump --format=csv >rows.csv
  equal "$(python3 -c 'import csv; print(repr([r["text"] for r in csv.DictReader(open("rows.csv", newline="")) if r["text"].startswith("a ")]))')" "['a \"b\", c\\r\\nd']"
  run --separate-stderr bid-store dump --format=xml
  equal "$status" 64
  contains "$stderr" "--format: 'xml' is neither ndjson nor csv"
  run --separate-stderr bid-store dump --vectors=floats
  equal "$status" 64
  run --separate-stderr bid-store dump --vectors=int8 --format=csv
  equal "$status" 64
}

# What bid-index takes, of these documents: COMPANY TICKER FORM YEAR PERIOD FILED URL
documents() {
  while read -r company ticker form year period filed url; do
    jq -nc --arg c "$company" --arg t "$ticker" --arg f "$form" --arg y "$year" --arg p "$period" --arg d "$filed" --arg u "$url" \
      '{source: "mock", sourceUrl: $u, metadata: {company: $c, ticker: $t, form: $f, fiscalYear: $y, fiscalPeriod: $p, reportDate: $d, filingDate: $d}, text: "Net sales rose."}'
  done | bid-chunk | bid-embed
}

@test "documents lists what is stored, by company and newest first" {
  [ -e "$ROOT/data/models/bid-static.bidm" ] || skip "no model"
  documents <<'EOF' | bid-index >/dev/null
Zeta ZZ 10-K 2023 FY 2024-02-01 mock:z1
Alpha AL 10-K 2023 FY 2024-02-02 mock:a1
Alpha AL 10-Q 2024 Q1 2024-05-02 mock:a2
Alpha AL 10-K 2024 FY 2025-02-02 mock:a3
EOF
  equal "$(bid-store documents | jq -r .sourceUrl | xargs)" "mock:a3 mock:a2 mock:a1 mock:z1"
  equal "$(bid-store documents al | jq -c '[.metadata.company, .metadata.form, .metadata.fiscalYear, .passages, .collection]' | head -1)" '["Alpha","10-K","2024",1,"finance_edgar_AL_10-K"]'
  equal "$(bid-store documents Alpha 10-q | jq -r .sourceUrl)" mock:a2
  equal "$(bid-store -c '*_ZZ_*' documents | jq -r .sourceUrl)" mock:z1
  equal "$(bid-store documents --human ZZ)" "Zeta (ZZ) · 10-K · FY 2023 · filed 2024-02-01 · 1 passage · mock:z1"
  jq -nc '{source: "mock", sourceUrl: "mock:s1", metadata: {ticker: "SU", title: "Summary", filingDate: "2026-02-24"}, text: "Net sales rose."}' |
    bid-chunk | bid-embed | bid-index >/dev/null
  equal "$(bid-store documents --human | grep mock:s1)" "SU · dated 2026-02-24 · Summary · 1 passage · mock:s1" # as passages cite it
  bid-store rm -u mock:s1 >/dev/null
  bid-store rm -u mock:a3 >/dev/null
  equal "$(bid-store documents AL | jq -r .sourceUrl | xargs)" "mock:a2 mock:a1"
  run --separate-stderr bid-store documents XX
  equal "$status" 1
  equal "$stderr" "bid-store: no such document; bid-store documents lists all"
  run --separate-stderr bid-store documents AL 10-K more
  equal "$status" 64
  contains "$stderr" "documents takes [COMPANY [FORM]], not 3 operands"
  run --separate-stderr bid-store documents -e AL
  equal "$status" 64
  contains "$stderr" "operands are [COMPANY [FORM]]"
}

@test "a document in several collections is listed once, and in each of them" {
  [ -e "$ROOT/data/models/bid-static.bidm" ] || skip "no model"
  documents <<<"Zeta ZZ 10-K 2023 FY 2024-02-01 mock:z1" >embedded
  bid-index -c aa embedded >/dev/null
  bid-index -c bb embedded >/dev/null
  equal "$(bid-store documents | jq -r .sourceUrl)" mock:z1
  local collection
  for collection in aa bb; do
    equal "$(bid-store -c $collection documents | jq -c '[.sourceUrl, .collection]')" "[\"mock:z1\",\"$collection\"]"
  done
}
