#!/usr/bin/env bats
# A full disk under each stage: a status, a message that says so, and with room again the work goes on to the same end.

load helper

# Runs this file's commands with a disk of 24 MiB at ./disk, whose room fill_disk KIB limits and free_disk gives back.
on_disk() { # SCRIPT
  unshare -rm true 2>/dev/null || skip "no disk can be mounted here"
  mkdir -p disk
  {
    cat <<'X'
set -eu
mount -t tmpfs -o size=24m tmpfs disk
fill_disk() { dd if=/dev/zero of=disk/filler bs=1k count=$((24 * 1024 - $(du -sk disk | cut -f 1) - $1)) 2>/dev/null; }
free_disk() { rm disk/filler; }
# full WHAT EXPECTED-STATUS COMMAND...: on the full disk
full() {
  what=$1 expected=$2
  shift 2
  "$@" >out 2>err </dev/null && s=0 || s=$?
  [ "$s" -eq "$expected" ] || { echo "$what: status $s, not $expected"; cat err; exit 1; }
  grep -q "No space left on device" err || grep -q "No space left on device" out || { echo "$what: no message"; cat err; exit 1; }
}
X
    cat
  } >script
  run unshare -rm bash script
  [ "$status" -eq 0 ] || { printf '%s\n' "$output"; false; }
}

@test "filters that write to a full disk end with 74, and with --resume go on where they stopped" {
  sample="$ROOT"/data/sample
  bid-fetch --quiet file "$sample"/*.txt -P corpus=edgar >raw
  bid-strip -q raw >documents
  bid-chunk -q documents >chunks
  bid-embed -q chunks >embedded
  on_disk <<'X'
fill_disk 40
for stage in "bid-fetch --quiet file $ROOT/data/sample/0009990001-25-000041.txt" "bid-strip raw" "bid-chunk documents" "bid-embed chunks"; do
  full "$stage" 74 sh -c "$stage >disk/written"
  rm -f disk/written
done
full "bid-embed --resume" 74 bid-embed --resume disk/written chunks
free_disk
bid-embed --resume disk/written chunks
sort disk/written >resumed
sort embedded | cmp - resumed
X
}

@test "a table too large for the cache's disk is said to be, with 74" {
  mkdir -p connectors root/upstream.example
  export BID_CONNECTORS=$PWD/connectors
  cat >connectors/bulk.jq <<'J'
def declare: {description: "a table", hosts: ["upstream.example"], rateLimit: {requestsPerSecond: 1000, burstSize: 100, domain: "web"},
  parameters: []};
def step: {request: {url: "https://upstream.example/table.csv", maxAge: 3600,
  stream: {format: "csv", limit: 3, batch: 3, payload: {kind: "rows"}, columns: ["a", "b"]}}};
J
  { echo a,b; seq -f '%g,row' 300000; } >root/upstream.example/table.csv
  upstream_start --root "$PWD/root"
  bid-fetch --quiet bulk >given
  on_disk <<'X'
export BID_CACHE=$PWD/disk/cache
full "bid-fetch bulk" 74 bid-fetch --quiet bulk
grep -q '"category":"unavailable"' out
[ "$(find disk/cache -type f | wc -l)" -le 1 ]
X
}

@test "a fetch whose cache is full gives what it has read, or says so; with room it is cached" {
  BID_SHARED= upstream_start
  on_disk <<'X'
export BID_CACHE=$PWD/disk/cache
mkdir -p disk/cache/parts disk/cache/answers disk/cache/objects
fill_disk 0
bid-fetch --quiet sec-filings -e TWHL -n 2 --content >given || [ $? -eq 74 ]
free_disk
bid-fetch --quiet sec-filings -e TWHL -n 2 --content >again
[ "$(wc -l <again)" -eq 2 ]
X
}

@test "a fetch whose ledger can't be written says so and sends nothing" {
  BID_SHARED= upstream_start
  export UPSTREAM_LOG
  on_disk <<'X'
export BID_STATE=$PWD/disk/state
fill_disk 0
before=$(wc -l <"$UPSTREAM_LOG")
full ledger 74 bid-fetch --quiet sec-submissions -e TWHL
[ "$(wc -l <"$UPSTREAM_LOG")" -eq "$before" ]
free_disk
bid-fetch --quiet sec-submissions -e TWHL >again
X
}

@test "bid-ingest, bid-retrieve and bid-nightly on a full disk: what fits is stored whole, the rest comes with room" {
  BID_SHARED= upstream_start
  printf 'TWHL\t10-K,10-Q,8-K\tsec-filings\tedgar\n' >watchlist.tsv
  export BID_NOW=2026-03-05T00:00:00Z
  BID_STORE=$PWD/sound bid-ingest --json -e TWHL -n 2 >/dev/null
  BID_STORE=$PWD/sound bid-store dump | jq -c '[.sourceUrl, .id, .text, .embedding]' | sort >expected
  on_disk <<'X'
export BID_STORE=$PWD/disk/store
for room in 8 40 72 84 100; do
  rm -f disk/store*
  fill_disk $room
  full "bid-ingest, $room" 74 bid-ingest --json -e TWHL -n 2
  free_disk
  [ ! -s disk/store ] || bid-store verify || [ $? -eq 66 ]
  bid-ingest --json -e TWHL -n 2 >/dev/null
  bid-store dump | jq -c '[.sourceUrl, .id, .text, .embedding]' | sort | cmp - expected
done
rm -f disk/store*
fill_disk 80
full bid-retrieve 74 bid-retrieve --json -e 9990001 "What are the risks of the supply chain?" || :
free_disk
bid-retrieve --json -e 9990001 "What are the risks of the supply chain?" | jq -e '.rag.matches | length > 0'
export BID_STATE=$PWD/disk/state
mkdir -p disk/state/nightly
fill_disk 0
full bid-nightly 74 bid-nightly --watchlist watchlist.tsv
free_disk
rm -rf disk/store* disk/state
fill_disk 110
bid-nightly --watchlist watchlist.tsv >out 2>err && exit 1
[ "$(cat disk/state/nightly/*.stamp 2>/dev/null | wc -l)" -eq 0 ]
free_disk
bid-nightly --watchlist watchlist.tsv >out 2>err
[ "$(cat disk/state/nightly/*.stamp)" = 2026-03-04 ]
bid-store verify
X
}
