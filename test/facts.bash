# facts.bash: what the tests of bid-facts share: recorded answers on one day, and one cache for all tests of a file, since an
# answer of companyfacts is megabytes.

setup_file() {
  [ -d "${BID_SHARED:-/nowhere}/upstream" ] || return 0
  private_home "$BATS_FILE_TMPDIR"
  export BID_NOW=2026-03-25T00:00:00Z
  upstream_start
}

teardown_file() { upstream_stop; }

test_setup() {
  export BID_NOW=2026-03-25T00:00:00Z
  export BID_CACHE=$BATS_FILE_TMPDIR/cache BID_STATE=$BATS_FILE_TMPDIR/state
}

facts() { run --separate-stderr bid-facts --human "$@"; }
rows() { run --separate-stderr bid-facts --json "$@"; }
companyfacts() { printf '%s/upstream/data.sec.gov/api/xbrl/companyfacts/CIK%s.json' "$BID_SHARED" "$1"; }
