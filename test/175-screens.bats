#!/usr/bin/env bats
# Screens as people see them, at 40, 80 and 120 columns, compared with test/data/screens.  RENEW_SCREENS=1 writes them
# anew: look at each before it is committed.

load helper

# screen NAME COMMAND...: compares what the command prints, times and folders of this machine taken out.
screen() {
  local name=$1 file=$ROOT/test/data/screens/$1.txt
  shift
  { "$@" 2>&1 || true; } </dev/null | sed -E "s#$ROOT#ROOT#g; s#$BATS_TEST_TMPDIR#TMP#g; s/in [0-9]+ ms/in N ms/; s/[0-9.]+ GB free/N GB free/; s/20[0-9-]+T[0-9:]+Z/TIME/g; s/(avx[0-9a-z-]*|plain), [0-9]+ cores/CPU, N cores/; s/bid-static@[0-9a-f]+/bid-static@N/; s#\([^ ]*/models/#(MODELS/#; s/[0-9]+ commands start/N commands start/; s/^(ok|note|wrong) +(tools|sandbox) .*/STATE  \2  FOUND/; /^ +apt-get install/d; s/of [0-9]+ passages/of N passages/; s/score [0-9.]+/score N/" >"$name.now"
  if [ -n "${RENEW_SCREENS-}" ]; then
    mkdir -p "$ROOT/test/data/screens"
    cp "$name.now" "$file"
  fi
  diff -u "$file" "$name.now"
}

sample() {
  bid-fetch -q file "$ROOT"/data/sample/*.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
}

@test "a search at three widths: nothing is wider, tables keep their heads" {
  sample
  local w
  for w in 40 80 120; do
    COLUMNS=$w screen "search-$w" bid-search --human -n 1 "Tidewrack revenue by segment in 2025"
    while IFS= read -r line; do
      [[ $line == *://* || ${#line} -le $w ]] || { echo "wider than $w: $line"; false; }
    done <"search-$w.now"
  done
}

@test "what a reading says" {
  screen ingest bid-ingest --human --bulk "$ROOT/data/sample/0009990001-25-000041.txt"
  screen ingest-again bid-ingest --human --bulk "$ROOT/data/sample/0009990001-25-000041.txt"
  screen store-ls bid-store ls --human
  screen store-verify bid-store verify --human
}

@test "the front" {
  screen bid bid --human
  screen doctor bid doctor --offline --human
}

@test "ten errors" {
  sample
  printf '<html>\n' >10-K.htm
  export BID_CONNECT_TO=127.0.0.1:1
  ten() {
    bid serch revenue
    bid-strip 10-K.htm
    bid-search --compny TWHL revenue
    bid-search -e TWHL -f 10-Q --since 2026-02-01 revenue
    bid-search -c finance_edgar_TWHL_10K revenue
    BID_NOW=yesterday bid-search revenue
    bid-fetch secfilings -e AAPL
    bid-fetch irs-bmf -P regoin=ny
    BID_USER_AGENT=me bid-fetch sec-filings -e AAPL
    bid-store verfy
  } >/dev/null
  screen errors ten
}
