#!/usr/bin/env bats
# bid-fetch: one budget for all processes of a host.
# shellcheck disable=SC2154,SC2016

load helper
export BID_HASTE=1 # the pace is what is tested

# sec PATH [OPTION]...: one document of the SEC that the upstream makes up.
sec() { bid-fetch sec-filing-document --content -P "url=https://www.sec.gov/Archives/edgar/data/1/$1" "${@:2}"; }

# never_two FILTER: no two requests in the log overlap; the gap allows for the server's own clock reading.
overlaps() {
  jq -s '[.[] | select(.host | endswith("sec.gov"))] | sort_by(.start) | [range(1; length) as $i | select(.[$i].start < .[$i - 1].end)] | length' "$UPSTREAM_LOG"
}
# most requests that began in any one second
busiest() {
  jq -s '[.[] | select(.host | endswith("sec.gov")) | .start] | sort | . as $t | [range(0; length) as $i | [$t[] | select(. >= $t[$i] and . < $t[$i] + 1)] | length] | max' "$UPSTREAM_LOG"
}

@test "sixteen processes: never two requests in flight, never more than ten a second, none lost" {
  upstream_start --fault 'www.sec.gov/Archives/*=body:x' --fault 'data.sec.gov/*=body:{}'
  local i pids=()
  for i in $(seq 16); do
    if [ $((i % 4)) = 0 ]; then
      { bid-fetch sec-submissions -e "$i" || true; bid-fetch sec-submissions -e "1$i"; } >"out.$i" 2>"err.$i" 3>&- &
    else
      { sec "$i/a.htm"; sec "$i/b.htm"; } >"out.$i" 2>"err.$i" 3>&- &
    fi
    pids+=($!)
  done
  wait "${pids[@]}" || true
  equal "$(upstream_log 'select(.host == "www.sec.gov")' | wc -l)" 24
  equal "$(upstream_log 'select(.host == "data.sec.gov")' | wc -l)" 8
  equal "$(overlaps)" 0
  [ "$(busiest)" -le 10 ]
  equal "$(cat out.* | wc -l)" 32
  equal "$(cat out.* | jq -r 'select(.source == "sec-filing-document") | .rawContent' | sort | uniq -c | tr -s ' ')" " 24 x"
  equal "$(bid-fetch --quota | jq -s -c '[.[] | select(.domain == "sec.gov") | .requests] | add')" 32
}

@test "kill -9 on one in the middle leaves the others running" {
  upstream_start --fault 'www.sec.gov/Archives/edgar/data/1/hang*=hang' --fault 'www.sec.gov/Archives/*=body:x'
  sec hang.htm >/dev/null 2>&1 3>&- &
  local dead=$! i pids=()
  for i in $(seq 50); do
    [ -s "$BID_STATE/ledger/sec.gov" ] && break
    sleep 0.1
  done
  sleep 0.5
  for i in $(seq 6); do
    sec "$i.htm" >"out.$i" 2>"err.$i" 3>&- &
    pids+=($!)
  done
  sleep 1
  equal "$(cat out.*)" "" # the lock is held by the one that hangs
  pkill -9 -P $dead || true
  kill -9 $dead || true
  wait "${pids[@]}"
  equal "$(cat out.* | jq -r .rawContent | tr -d '\n')" xxxxxx
}

@test "killed anywhere, it leaves a ledger and a cache that work" {
  upstream_start --fault 'www.sec.gov/Archives/*=body:x'
  local i
  for i in $(seq 12); do
    sec "$i.htm" >/dev/null 2>&1 3>&- &
    sleep "0.0$((i % 10))"
    kill -9 $! 2>/dev/null || true
    wait $! 2>/dev/null || true
  done
  run --separate-stderr sec last.htm
  equal "$status $(jq -r .rawContent <<<"$output")" "0 x"
  run --separate-stderr bid-fetch --quota
  equal "$status" 0
  [ "$(jq -s 'map(select(.domain == "sec.gov") | .requests) | add' <<<"$output")" -ge 1 ]
}

@test "a torn or foreign ledger file is no obstacle" {
  upstream_start --fault 'www.sec.gov/Archives/*=body:x'
  mkdir -p "$BID_STATE/ledger"
  local text
  for text in "bid-ledger 1" "garbage" "blocked 99999999999 x" ""; do
    printf '%s' "$text" >"$BID_STATE/ledger/sec.gov"
    run --separate-stderr sec "$RANDOM.htm"
    equal "$status" 0
  done
  rm "$BID_STATE/ledger/sec.gov"
  mkdir "$BID_STATE/ledger/sec.gov"
  run --separate-stderr sec other.htm
  equal "$status $(jq -r .error.category <<<"$output")" "74 unavailable"
}

@test "a thousand jobs over all sources: one answer a job and source, in order" {
  need_shared
  upstream_start
  export FRED_API_KEY=abcdefghijklmnopqrstuvwxyz012345 BID_NOW=2026-03-05T00:00:00Z
  jq -cn '[
    {sources: ["sec-filings"], entity: {id: "AAPL"}, filingTypes: ["10-K"], limit: 1},
    {sources: ["sec-submissions", "mock"], entity: {id: "0000320193"}, limit: 1},
    {sources: ["sec-edgar"], entity: {id: "NVDA"}},
    {sources: ["sec-edgar"], entity: {id: "NOSUCHNAME"}},
    {sources: ["sec-financials"], entity: {id: "320193"}, concept: "NetIncomeLoss", period: "FY-2024"},
    {sources: ["nosuch"], entity: {id: "x"}},
    {sources: ["mock"], error: "unavailable"},
    {sources: ["fred"], entity: {id: "GDP"}},
    {sources: ["irs-bmf"], region: "ri", ntee: "B2", limit: 3},
    {sources: ["iapd"], entity: {id: "148826"}},
    {sources: ["finra-brokercheck"], entity: {id: "19616"}},
    {sources: ["sec-full-text"], query: "climate change", filingTypes: ["8-K"]},
    {sources: ["sec-daily-index"], period: "2020-03-18"}
  ] as $jobs | range(0; 1000) | $jobs[. % ($jobs | length)]' >jobs.ndjson
  run --separate-stderr bash -c 'bid-fetch <jobs.ndjson >out'
  equal "$status" 1
  jq -r '.sources[]' jobs.ndjson >expected
  jq -r '.source // .error.source' out >got
  equal "$(diff expected got | head -5)" ""
  equal "$(overlaps)" 0
  [ "$(upstream_log | wc -l)" -lt 60 ]
}

# as UID COMMAND...: as another user, with a ledger and a cache of its own.
as() {
  local home=$shared/$1
  mkdir -p "$home" && chown "$1" "$home"
  env -u BID_STORE -u XDG_CONFIG_HOME -u XDG_DATA_HOME -u XDG_CACHE_HOME -u XDG_STATE_HOME HOME="$home" BID_STATE="$home/state" BID_CACHE="$home/cache" setpriv --reuid="$1" --regid="$1" --clear-groups "${@:2}"
}

# shared_locks: a folder for locks as /run/lock is, and programs that every user may run.
shared_locks() {
  [ "$(id -u)" = 0 ] || skip "other users' processes need root"
  need setpriv
  shared=$(mktemp -d /tmp/bid-shared.XXXXXX)
  chmod 755 "$shared"
  mkdir -m 1777 "$shared/lock"
  cp "$BID_CA_FILE" "$shared/ca.pem"
  chmod 644 "$shared/ca.pem"
  export BID_CA_FILE=$shared/ca.pem BID_LOCKS=$shared/lock
  as 64001 bid-fetch --version >/dev/null 2>&1 || skip "another user can't run the programs"
}

@test "two users of a machine have one budget" {
  upstream_start --fault 'www.sec.gov/Archives/*=body:x'
  shared_locks
  local user i pids=()
  for user in 64001 64002; do
    for i in 1 2 3; do
      as "$user" sh -c 'for n in 1 2 3 4; do
          bid-fetch -q sec-filing-document --content -P "url=https://www.sec.gov/Archives/edgar/data/1/$1.$n.htm"
        done' sh "$user.$i" >"out.$user.$i" 2>"err.$user.$i" 3>&- &
      pids+=($!)
    done
  done
  wait "${pids[@]}"
  equal "$(cat err.*)" ""
  equal "$(cat out.* | wc -l)" 24
  equal "$(overlaps)" 0
  [ "$(busiest)" -le 9 ]
  rm -rf "$shared"
}

@test "a third user can't keep the others from their answers: links, foreign files, times ahead, a lock for ever" {
  upstream_start --fault 'www.sec.gov/Archives/*=body:x'
  export BID_HASTE=20
  shared_locks
  local lock=$shared/lock/bid.sec.gov
  one() { run --separate-stderr as 64001 bid-fetch sec-filing-document --content -P "url=https://www.sec.gov/Archives/edgar/data/1/$1.htm"; }
  echo precious >"$shared/precious"
  chmod 666 "$shared/precious"
  as 64003 ln -s "$shared/precious" "$lock"
  one link
  equal "$status" 0
  contains "$stderr" "bid.sec.gov can't be shared with other users (Too many levels of symbolic links): requests keep to this user's ledger alone"
  equal "$(cat "$shared/precious")" precious
  rm "$lock"
  as 64003 mkfifo -m 666 "$lock"
  one fifo
  equal "$status" 0
  contains "$stderr" "can't be shared with other users"
  rm "$lock"
  as 64003 sh -c 'umask 077; : >"$1"' sh "$lock"
  one private
  equal "$status" 0
  contains "$stderr" "can't be shared with other users (Permission denied)"
  rm "$lock"
  as 64003 sh -c ': >"$1"; chmod 666 "$1"; touch -d "next year" "$1"; exec flock "$1" sleep 60' sh "$lock" 3>&- &
  local holder=$!
  until [ -e "$lock" ] && ! flock -n "$lock" true; do sleep 0.05; done
  one held
  kill "$holder" 2>/dev/null || true
  equal "$status" 0
  contains "$stderr" "sec.gov: another user has kept the turn for too long; requests keep to this user's ledger alone"
  rm -rf "$shared"
}
