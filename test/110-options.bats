#!/usr/bin/env bats
# One option language: the same in all programs and pipelines.

load helper

commands() {
  local f
  for f in "$ROOT"/bin/bid*.c "$ROOT"/pipelines/bid-*; do
    [[ $f == *.c || -x $f ]] && basename "$f" .c
  done
}

@test "a letter means the same in every command" {
  local c
  for c in $(commands); do
    "$c" --help | sed -nE "s/^  -(.), --([a-z-]+).*/\1 \2/p"
  done | sort -u >letters
  run awk '{ if (seen[$1]++) print "-" $1 " is more than one thing: " $2 }' letters
  equal "$output" ""
  contains "$(cat letters)" "e company"
  contains "$(cat letters)" "q quiet"
  contains "$(cat letters)" "p period"
}

@test "every command has the common options" {
  local c
  for c in $(commands); do
    run --separate-stderr "$c" --help
    for o in --json --human --color --quiet --progress --help --version; do
      contains "$output" "$o" || { echo "$c has no $o"; false; }
    done
  done
}

@test "--version names the program first, then libraries and CPU path" {
  local c
  for c in $(commands); do
    run --separate-stderr "$c" --version
    equal "$status" 0
    equal "${lines[0]}" "$c $(cat "$ROOT/data/VERSION")"
    contains "$output" "libraries: "
    [[ $output =~ cpu:\ (avx512-vnni|avx512|avx2|plain) ]]
  done
  contains "$(bid-search --version)" "model: bid-static@"
}

@test "options stand before or after operands, up to --" {
  printf '{"error":{"n":1}}\n' >one
  run --separate-stderr bid-strip one --stats -q
  equal "$output" '{"error":{"n":1}}'
  contains "$stderr" '"program":"bid-strip"'
  run --separate-stderr bid-strip -- --stats
  equal "$status" 66
  contains "$stderr" "bid-strip: --stats: No such file"
}

@test "the pipelines' parser: words, values, bundles, beginnings, --" {
  cat >tool <<'SCRIPT'
set -eu
name=bid-tool
. "$ROOT/pipelines/lib.sh"
usage="Usage: bid-tool"
options="e|company|COMPANY||ticker
f|form|FORM||form
|edgar|||look"
take_option() { printf '%s|%s\n' "$1" "$2"; }
parse_options "$@"
printf 'quiet=%s json=%s color=%s\n' "$quiet" "$json" "$color"
SCRIPT
  for shell in dash bash; do
    command -v $shell >/dev/null || continue
    run --separate-stderr $shell tool 'a * b' -e 'X Y' -qfone --ed --form=two --entity=Z --color never --json -- -q
    equal "$status" 0
    equal "$output" 'operand|a * b
--company|X Y
--form|one
--edgar|
--form|two
--company|Z
operand|-q
quiet=1 json=1 color=never'
    run --separate-stderr $shell tool --form
    equal "$status" 64
    equal "$stderr" "bid-tool: --form needs an argument; see 'bid-tool --help'"
    run --separate-stderr $shell tool --edgar=1
    equal "$stderr" "bid-tool: --edgar takes no argument; see 'bid-tool --help'"
    run --separate-stderr $shell tool --co x
    equal "$stderr" "bid-tool: '--co' may be --company, --color; see 'bid-tool --help'"
    run --separate-stderr $shell tool --json --human
    equal "$stderr" "bid-tool: --json and --human exclude each other; see 'bid-tool --help'"
    run --separate-stderr $shell tool --color=blue
    equal "$stderr" "bid-tool: --color: 'blue' is none of auto, always, never; see 'bid-tool --help'"
  done
}

@test "a name that nobody knows is answered with the nearest" {
  run --separate-stderr bid-search --compny AAPL x
  equal "$status" 64
  equal "$stderr" "bid-search: unknown option '--compny'; the nearest is '--company'; see 'bid-search --help'"
  run --separate-stderr bid-search --s x
  equal "$stderr" "bid-search: '--s' may be --since, --store, --stats; see 'bid-search --help'"
  run --separate-stderr bid-search x --quiet=1
  equal "$stderr" "bid-search: --quiet takes no argument; see 'bid-search --help'"
  run --separate-stderr bid-store verfy
  equal "$status" 64
  contains "$stderr" "bid-store: unknown command 'verfy'; the nearest is 'verify'"
  run --separate-stderr bid-store nonsense
  contains "$stderr" "there are: ls, documents, stat, show"
}

@test "a BID_NOW that is no time is refused" {
  BID_NOW=yesterday run --separate-stderr bid-search x
  equal "$status" 78
  equal "$stderr" "bid-search: BID_NOW: 'yesterday' is no time such as 2026-03-05T00:00:00Z; correct or unset it"
}

@test "an error is told once: in a pipe as record and message, on a terminal as message" {
  need script
  run --separate-stderr bash -c "printf '{\"a\":01}\n' | bid-strip"
  contains "$output" '"category":"invalid-request"'
  contains "$stderr" "bad number"
  run script -qec "printf '{\"a\":01}\n' | bid-strip" /dev/null
  contains "$output" "bad number"
  [[ $output != *'"category"'* ]]
  run script -qec "printf '{\"a\":01}\n' | bid-strip --json" /dev/null
  contains "$output" '"category":"invalid-request"'
}

@test "a number has to be finite" {
  local word
  for word in nan inf -inf 1e999 five; do
    run --separate-stderr bid-index --wait="$word" </dev/null
    equal "$status" 64
    equal "$stderr" "bid-index: --wait: '$word' is not a number; see 'bid-index --help'"
  done
  run --separate-stderr bid-fetch --timeout=-5 --list
  equal "$status" 64
  equal "$stderr" "bid-fetch: --timeout: '-5' is below 0; see 'bid-fetch --help'"
}

@test "options count behind operands, whatever the environment says" {
  POSIXLY_CORRECT=1 run --separate-stderr bid-plan --shipped "revenue 2024" -e AAPL
  equal "$status" 0
  equal "$(jq -r .query <<<"$output")" "revenue 2024"
  equal "$(jq -r '.plan.companies[0].ticker' <<<"$output")" AAPL
}
