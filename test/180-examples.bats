#!/usr/bin/env bats
# Every example of README, manual pages and --help runs, on recorded answers.

load helper

TENK=www.sec.gov/Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm

# What examples name without making it: a filing, reports, a watch list, an answer to verify.
fixture() {
  cp "$BID_SHARED/upstream/$TENK" 10-K.htm
  cp 10-K.htm filing.htm
  mkdir -p "$HOME/reports"
  cp "$ROOT"/data/sample/*.pdf "$HOME/reports/"
  printf 'AAPL\t8-K\tsec-filings\tedgar\n' >watchlist.tsv
  bid-strip -q --raw "$ROOT/data/sample/source/plcd-8k-2025-12.txt" >filing.ndjson
  bid-chunk -q filing.ndjson >chunks.ndjson
  printf 'Revenue was $416,161 million.\n' >answer.txt
  cp -r "$BATS_TEST_TMPDIR"/sample/. "$BATS_TEST_TMPDIR/"
  bid-search -q --bundle "What was total revenue in 2025?" >bundle.json
}

# A store with the sample, made once.
sample() {
  mkdir sample
  bid-fetch -q file "$ROOT"/data/sample/*.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q |
    BID_STORE=$PWD/sample/store bid-index -q >/dev/null
}

# What the recording has not got is no fault of an example; all else is.
not_recorded() { # STATUS ERRORS
  case $1 in 1 | 66) grep -qE 'status 404|no such object' "$2" ;; *) return 1 ;; esac
}

# Why an example is not run here, or ends otherwise than with 0.
exception() { # COMMAND
  case $1 in
  make\ * | *bge-small* | *minilm* | *mcpServers* | *inspector* | *pip\ * | curl\ *) echo "not of this machine" ;;
  *bid-mcp* | *bid-spark* | *shards.mk* | *'part-*.shard'* | *BID_STORE=whole* | *bid-search.sock*) echo "has a test of its own" ;;
  *'-e TSLA "How many cars'* | *'about tariffs in its latest 10-Q'*) echo "the recording has no filing that says so" ;;
  *'~/reports -e ACME'*) echo "a company that only the reader has" ;;
  esac
}

@test "the examples run" {
  need_shared
  need python3 jq
  local c source command before='' failed=0 count=0 status_got
  export BID_NOW=2026-03-05T00:00:00Z FRED_API_KEY=abcdefghijklmnopqrstuvwxyz012345 MANPAGER=cat PAGER=cat
  upstream_start
  sample
  mkdir help
  for c in "$ROOT"/bin/bid*.c "$ROOT"/pipelines/bid-*; do
    [[ $c == *.c || -x $c ]] || continue
    c=$(basename "$c" .c)
    "$c" --help >"help/$c.help"
  done
  python3 "$ROOT/test/tools/examples.py" "$ROOT/README.md" "$ROOT"/man/*.[157] help/*.help >examples
  while IFS=$'\t' read -r -d '' source command <&9; do
    if [ "$source" != "$before" ]; then
      cd "$BATS_TEST_TMPDIR"
      rm -rf run store* "$HOME"
      mkdir -p run "$HOME"
      cd run
      fixture
      [ "$source" != bid-verify.help ] || printf 'Total revenue was $842,600 thousand.\n' >answer.txt
      case $source in README.md | bid-diff.help) bid-ingest -q -e AAPL -f 10-K -n 2 >ingested 2>&1 || : ;; esac
      before=$source
    fi
    [ -z "$(exception "$command")" ] || continue
    count=$((count + 1))
    timeout 60 bash -c "set -o pipefail; $command" </dev/null >out 2>err && status_got=0 || status_got=$?
    if [ "$source" = README.md ] && grep -qx null out; then status_got=null; fi
    if [ "$status_got" != 0 ] && ! not_recorded "$status_got" err; then
      printf '%s: %s\n  status %s: %s\n' "$source" "$command" "$status_got" "$(head -c 400 err)"
      failed=$((failed + 1))
    fi
  done 9<"$BATS_TEST_TMPDIR/examples"
  [ "$count" -ge 40 ]
  [ "$failed" -eq 0 ]
}
