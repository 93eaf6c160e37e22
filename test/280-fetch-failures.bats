#!/usr/bin/env bats
# bid-fetch: the same trouble, source by source: too fast, a page instead of data, nothing there.

load helper
load recorded

# A question to each source that goes over the network; none of them needs a second look-up.
questions() {
  cat <<'END'
sec-edgar -e 9990001
sec-financials -e 9990001
sec-submissions -e 9990001
sec-filings -e 9990001
sec-filing-document --content -P url=https://www.sec.gov/Archives/edgar/data/9990001/000999000126000009/form4-boyle.xml
sec-company-concept -e 9990001 -P concept=Revenues
sec-frames -P concept=Revenues -p CY2025
sec-insider -e 9990001 --content
sec-full-text --query zyzzyva
sec-holders -P cusip=000000000
sec-current
sec-daily-index -p 2026-03-04
sec-bulk -P archive=index -p 2026-Q3
finra-brokercheck --query nobody
iapd --query nobody
fred -e GDP
irs-bmf -P region=wy
END
  # the recorded list of tickers, else the tests' own
  if [ -d "${BID_SHARED:-/nowhere}/upstream" ]; then echo "sec-company -e AAPL"; else echo "sec-company -e TWHL"; fi
}

# ask WORDS...: the category of the answer and the exit status, in $got; every question has a state of its own.
ask() {
  number=$((number + 1))
  export BID_STATE=$BATS_TEST_TMPDIR/state$number BID_CACHE=$BATS_TEST_TMPDIR/cache$number
  new_cache
  got=$(bid-fetch --quiet "$@" 2>err </dev/null) && code=0 || code=$?
  got="$(jq -r '.error.category // "payload"' <<<"$got" | tail -1) $code"
}

each() { # FAULT EXPECTED [BUT SOURCE...]
  local words failures='' skipped=" ${*:3} " got code number=0
  upstream_fault "$1"
  while read -r words; do
    case $skipped in *" ${words%% *} "*) continue ;; esac
    # shellcheck disable=SC2086
    ask $words
    [ "$got" = "$2" ] || failures+="${words%% *}: $got instead of $2: $(head -1 err)"$'\n'
    grep -q . err || failures+="${words%% *}: says nothing on stderr"$'\n'
  done < <(questions)
  printf '%s' "$failures"
  [ -z "$failures" ]
}

@test "without trouble every one of the questions is answered, or with no-content" {
  local words got code number=0
  while read -r words; do
    # shellcheck disable=SC2086
    ask $words
    case $got in "payload 0" | "no-content 1" | "no-content 75") ;; *) echo "$words: $got"; cat err; false ;; esac
  done < <(questions)
}

@test "the example of every source is a question that it understands" {
  need_shared
  local name example category count=0
  while IFS=$'\t' read -r name example; do
    [ "$name" = file ] && continue # its operands are the reader's own
    count=$((count + 1))
    category=$(bash -c "$example" 2>err </dev/null | jq -r '.error.category // "payload"' | sort -u | paste -sd' ')
    case $category in payload | no-content | 'no-content payload') ;; *) echo "$example: $category"; cat err; false ;; esac
  done < <(bid-fetch --list | jq -r '[.name, .example] | @tsv')
  [ "$count" -ge 16 ]
}

@test "too fast (429) is rate-limited, with the time to wait" {
  each '*=429:600' 'rate-limited 75'
}

@test "a page where data should be is unavailable" {
  # A document is what it is, a quarter's index of lines may be any text.
  each '*=body:<html><title>busy</title></html>' 'unavailable 69' sec-filing-document sec-bulk
}

@test "the SEC's page for too fast, with status 200 or 403, is rate-limited for its every connector" {
  each '*.sec.gov/*=block:200' 'rate-limited 75' finra-brokercheck fred irs-bmf
  each '*.sec.gov/*=block:403' 'rate-limited 75' finra-brokercheck fred irs-bmf
}

@test "the SEC's page for an undeclared agent is a matter of configuration" {
  each '*.sec.gov/*=undeclared' 'auth-failed 78' finra-brokercheck fred irs-bmf
}

@test "what the SEC hasn't got, in either of its ways, is no-content" {
  each '*.sec.gov/*=denied' 'no-content 1' finra-brokercheck fred irs-bmf iapd
  each '*.sec.gov/*=nokey' 'no-content 1' finra-brokercheck fred irs-bmf
}

@test "an empty answer is no crash" {
  local words got code number=0
  upstream_fault '*=empty'
  while read -r words; do
    # shellcheck disable=SC2086
    ask $words
    case $got in "unavailable 69" | "no-content 1" | "payload 0") ;; *) echo "$words: $got"; cat err; false ;; esac
  done < <(questions)
}

@test "bid-sources(7) names every source" {
  local name
  for name in $(bid-fetch --list | jq -r .name); do
    grep -q "^\.It Cm $name\$" "$ROOT/man/bid-sources.7" || { echo "$name is not in bid-sources(7)"; false; }
  done
}
