#!/usr/bin/env bats
# A pipeline that is ended by a signal ends with all its programs, and says so in its status.

load helper

test_setup() {
  printf 'TWHL\t10-K,10-Q,8-K\tsec-filings\tedgar\n' >watchlist.tsv
  mkdir -p planted
  ln -sf "$BID_BIN"/* planted/
  rm planted/bid-strip
  # A stage that never ends, deaf to SIGTERM where the test says so.
  printf '#!/bin/sh\n[ -z "${DEAF-}" ] || trap "" TERM INT HUP\necho $$ >>"%s/pids"\nwhile :; do sleep 1000; done\n' "$PWD" >planted/bid-strip
  chmod +x planted/bid-strip
  BID_SHARED= upstream_start
  export BID_BIN=$PWD/planted
}

# started COMMAND...: runs it in a session of its own, until the planted stage is at work; $pipeline is its process. What
# whoever runs the tests ignores (nohup) is not ignored there.
started() {
  rm -f pids
  setsid env --default-signal "$@" </dev/null >out 2>err 3>&- &
  pipeline=$!
  for _ in $(seq 200); do
    [ ! -s pids ] || return 0
    sleep 0.05
  done
  echo "never started: $(cat err)"
  return 1
}

none_left() {
  local tries
  for tries in $(seq 60); do
    [ -n "$(ps -o pid= -s "$1" | head -1)" ] || return 0
    sleep 0.1
  done
  echo "after $tries tries: $(ps -o pid,args -s "$1")"
  return 1
}

@test "SIGTERM or SIGHUP to a pipeline alone ends all of it" {
  local number
  for number in TERM:143 HUP:129; do
    for command in "bid-ingest --json -e TWHL -n 2" "bid-nightly --watchlist watchlist.tsv" "bid-retrieve --json -e 9990001 supply"; do
      rm -rf "$BID_STATE"
      new_cache
      # shellcheck disable=SC2086 # words
      started $command
      kill -"${number%:*}" "$pipeline"
      wait "$pipeline" && status=0 || status=$?
      equal "$command $status" "$command ${number#*:}"
      none_left "$pipeline"
    done
  done
}

@test "a stage that is deaf to signals ends too" {
  export DEAF=1
  started bid-ingest --json -e TWHL -n 2
  kill -TERM "$pipeline"
  wait "$pipeline" && status=0 || status=$?
  equal "$status" 143
  none_left "$pipeline"
}

@test "a pipeline whose shell is killed takes its programs along" {
  started bid-ingest --json -e TWHL -n 2
  kill -KILL "$(pgrep -P "$pipeline" | head -1)"
  wait "$pipeline" && status=0 || status=$?
  equal "$status" 137
  none_left "$pipeline"
}

@test "a parent that ignores SIGCHLD gets its answers, too" {
  printf '%s\n' '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}' \
    '{"jsonrpc":"2.0","method":"notifications/initialized"}' \
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"collections","arguments":{}}}' >in
  run --separate-stderr timeout 20 sh -c 'trap "" CHLD; exec bid-mcp <in'
  equal "$status" 0
  equal "$(jq -c .id <<<"$output" | paste -sd' ')" "0 2"
}

@test "what nohup ignores stays ignored; statuses and words pass through" {
  run --separate-stderr sh -c 'trap "" HUP; bid guard sh -c "kill -HUP \$PPID; sleep 0.3; exit 7"'
  equal "$status" 7
  run --separate-stderr bid guard printf '%s|' 'a b' '$(x)' --json
  equal "$output" 'a b|$(x)|--json|'
  run -127 --separate-stderr bid guard /nonexistent
  contains "$stderr" "/nonexistent: No such file"
  run --separate-stderr sh -c 'bid guard sh -c "exit 3" <&- >&- 2>&-'
  equal "$status" 3
}
