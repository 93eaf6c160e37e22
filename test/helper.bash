# helper.bash: loaded by every bats file.
#
# $BID_BIN     folder of the programs under test (test/run chooses between sanitized and ordinary ones); default bin/
# $BID_SHIPPED folder of the ordinary programs; default bin/
# $BID_SHARED  the folder of recorded upstream answers, or empty where it is absent
# Every test has its own HOME, store, cache and state under $BATS_TEST_TMPDIR.

bats_require_minimum_version 1.5.0

# Every test sources this: without a subshell, where it can.
case ${BASH_SOURCE[0]} in
/*) ROOT=${BASH_SOURCE[0]%/*/*} ;;
*) ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd) ;;
esac
BID_BIN=${BID_BIN:-$ROOT/bin}
BID_SHARED=${BID_SHARED-${ROOT%/*}/shared}
[ -d "$BID_SHARED" ] || BID_SHARED=
export ROOT BID_BIN BID_SHARED
PATH=$BID_BIN:$ROOT/pipelines:$PATH
export ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1}

# bats notes the stack before every command of a test, .2 ms each, in case it is the one that fails.  bash 5 knows the stack when it
# has failed.
if [ "${BATS_TRACE_LEVEL:-0}" -eq 0 ]; then
  bats_debug_trap() { :; }
  bats_error_trap() {
    bats_check_status_from_trap
    bats_capture_stack_trace
    # shellcheck disable=SC2034 # bats reads it
    BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=1
  }
fi

# The name of a file for "run --separate-stderr", without another process.
mktemp() {
  case ${1-} in
  */separate-stderr-XXXXXX) echo "${1%XXXXXX}$BASHPID.$SRANDOM" ;;
  *) command mktemp "$@" ;;
  esac
}

private_home() {
  export HOME=$1/home
  export BID_STORE=$1/store BID_CACHE=$1/cache BID_STATE=$1/state
  export XDG_CONFIG_HOME=$HOME/.config XDG_DATA_HOME=$HOME/.local/share
  export XDG_CACHE_HOME=$HOME/.cache XDG_STATE_HOME=$HOME/.local/state
  export LC_ALL=C.UTF-8 TZ=UTC NO_COLOR=1
  unset BID_MODEL BID_EMBED_URL BID_EMBED_KEY BID_CHROMA_TOKEN BID_SPARK_PYTHON FRED_API_KEY BID_NOW BID_CONNECTORS BID_DATA
  export BID_USER_AGENT="BID tests tests@example.org" # the shipped contact would be spoken of in every run
  new_cache
}

# An empty cache.  What connectors answer depends on their input alone, so the tests of a run share it: libjq 1.6 takes up to .3 s
# to compile a connector.
new_cache() {
  [ ! -e "$BID_CACHE" ] || rm -rf "$BID_CACHE"
  mkdir -p "$HOME" "$BID_CACHE" "${BID_TEST_OUT:=$BATS_RUN_TMPDIR}/computed"
  ln -s "$BID_TEST_OUT/computed" "$BID_CACHE"
}

setup() {
  private_home "$BATS_TEST_TMPDIR"
  cd "$BATS_TEST_TMPDIR" || return 1
  if declare -F test_setup >/dev/null; then test_setup; fi
}

teardown() {
  if declare -F test_teardown >/dev/null; then test_teardown; fi
  if declare -F upstream_stop >/dev/null; then upstream_stop; fi
}

# Skips the test where the recorded answers are absent.
need_shared() {
  [ -d "${BID_SHARED:-/nowhere}/upstream" ] || skip "no recorded upstreams (../shared) here"
}

# need PROGRAM...: skips the test where an external program is missing.
need() {
  local p
  for p in "$@"; do command -v "$p" >/dev/null || skip "$p is not installed"; done
}

# Whether the programs under test have the address sanitizer, which changes time, memory, and the calls that they make.
sanitized() {
  case $BID_BIN in */san/bin) return 0 ;; esac
  return 1
}

# shipped: the test that calls this runs the ordinary programs, whatever the others of its file run.
shipped() {
  sanitized || return 0
  BID_BIN=${BID_SHIPPED:-$ROOT/bin}
  PATH=$BID_BIN:$PATH
  [ -x "$BID_BIN/bid-strip" ] || { echo "no ordinary programs in $BID_BIN: make" >&2; return 1; }
}

# The folder of the objects from which the programs under test were linked.
built() {
  case $BID_BIN in
  */.build/*) echo "${BID_BIN%/bin}" ;;
  *) echo "$ROOT/.build" ;;
  esac
}

# equal GOT EXPECTED
equal() {
  [ "$1" = "$2" ] && return 0
  printf 'got:      %s\nexpected: %s\n' "$1" "$2" >&2
  return 1
}

# quoted TEXT: as a string of JSON.  jq takes 17 ms to start.
quoted() {
  local s=${1//\\/\\\\}
  s=${s//'"'/'\"'} s=${s//$'\n'/'\n'} s=${s//$'\t'/'\t'}
  printf '"%s"' "$s"
}

# contains TEXT PART
contains() {
  case $1 in *"$2"*) return 0 ;; esac
  printf 'not in it: %s\n' "$2" >&2
  printf '%s\n' "$1" | head -c 2000 >&2
  return 1
}

# shellcheck source=/dev/null
if [ -f "$ROOT/test/upstream.bash" ]; then . "$ROOT/test/upstream.bash"; fi
