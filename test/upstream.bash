# shellcheck shell=bash
# A local upstream for tests: an HTTPS server that answers for the hosts of all data sources.
#
#   upstream_start [--root DIR]... [--fault RULE]...   starts it (test/upstream.py explains the arguments)
#   upstream_fault RULE...                             replaces the rules while it runs; none: no faults
#   upstream_log [FILTER]                              the requests so far, through a jq filter
#   upstream_again [RULE]...                           the file's server, if it has one, as if it had just been started
#   upstream_stop                                      stops it, if this process started it
#
# A server started in setup_file serves all tests of a file; one started in a test ends with the test.
# Roots: those given, then test/data/upstream, then $BID_SHARED/upstream, or test/data/alone (a ticker list) where
# that is absent.  The filings of data/sample are always served: TWHL and PLCD, CIK 9990001 and 9990002.
# Pauses between requests are divided by 20, unless the test sets BID_HASTE.
# Exports BID_CONNECT_TO, BID_CA_FILE, BID_HASTE, UPSTREAM_DIR, UPSTREAM_LOG and UPSTREAM_PORT.

UPSTREAM_TEST_DIR=${ROOT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}/test

upstream_start() {
  local base=${BATS_TEST_TMPDIR:-${BATS_FILE_TMPDIR:-${TMPDIR:-/tmp}}} roots=() tries
  [ -z "${BATS_TEST_NAME:-}" ] && base=${BATS_FILE_TMPDIR:-$base}
  UPSTREAM_DIR=$(mktemp -d "$base/upstream.XXXXXX") || return 1
  roots=(--root "$UPSTREAM_TEST_DIR/data/upstream")
  if [ -n "${BID_SHARED:-}" ] && [ -d "$BID_SHARED/upstream" ]; then
    roots+=(--root "$BID_SHARED/upstream")
  else
    roots+=(--root "$UPSTREAM_TEST_DIR/data/alone")
  fi
  python3 "$UPSTREAM_TEST_DIR/upstream.py" --dir "$UPSTREAM_DIR" --parent "$$" --sample "$UPSTREAM_TEST_DIR/../data/sample" \
    ${BATS_RUN_TMPDIR:+--certs "$BATS_RUN_TMPDIR/upstream-certs"} "$@" "${roots[@]}" \
    </dev/null >"$UPSTREAM_DIR/out" 2>&1 3>&- 4>&- &
  UPSTREAM_PID=$!
  for tries in $(seq 200); do
    [ -s "$UPSTREAM_DIR/port" ] && break
    kill -0 "$UPSTREAM_PID" 2>/dev/null || break
    sleep 0.05
  done
  if [ ! -s "$UPSTREAM_DIR/port" ]; then
    echo "the local upstream did not start (try $tries):" >&2
    cat "$UPSTREAM_DIR/out" >&2
    return 1
  fi
  UPSTREAM_PORT=$(cat "$UPSTREAM_DIR/port")
  UPSTREAM_LOG=$UPSTREAM_DIR/log.ndjson
  UPSTREAM_OWNER=$$
  export UPSTREAM_DIR UPSTREAM_LOG UPSTREAM_PORT UPSTREAM_PID UPSTREAM_OWNER
  export BID_CONNECT_TO=127.0.0.1:$UPSTREAM_PORT BID_CA_FILE=$UPSTREAM_DIR/ca.pem
  export BID_HASTE=${BID_HASTE:-20}
}

# shellcheck disable=SC2120 # tests give it rules
upstream_fault() {
  [ $# -eq 0 ] || printf '%s\n' "$@" >"$UPSTREAM_DIR/faults.new"
  [ $# -gt 0 ] || : >"$UPSTREAM_DIR/faults.new"
  mv "$UPSTREAM_DIR/faults.new" "$UPSTREAM_DIR/faults"
}

# shellcheck disable=SC2120 # tests give it rules
upstream_again() {
  [ -n "${UPSTREAM_DIR:-}" ] || return 0
  upstream_fault "$@"
  : >"$UPSTREAM_LOG"
}

upstream_log() {
  jq -c "${1:-.}" "$UPSTREAM_LOG"
}

upstream_stop() {
  if [ -z "${UPSTREAM_PID:-}" ] || [ "${UPSTREAM_OWNER:-}" != "$$" ]; then return 0; fi
  kill "$UPSTREAM_PID" 2>/dev/null
  wait "$UPSTREAM_PID" 2>/dev/null
  unset UPSTREAM_PID BID_CONNECT_TO BID_CA_FILE
  return 0
}
