# shellcheck shell=bash disable=SC2154 # output is set by run
# verify.bash: what the tests of a figure's meaning share: a sentence over one passage, without a store.

test_setup() {
  export BID_STORE=$PWD/no-store
}

# says SENTENCE: the verdicts of its numbers over table.md as [1], whose context is in $context.
says() {
  jq -nc --arg a "$1 [1]." --rawfile t table.md --arg c "${context-}" \
    '{answer: $a, matches: [{rank: 1, text: $t, context: $c}]}' >record
  run --separate-stderr bid-verify --quiet record
  jq -r '[.numbers[].verdict] | join(" ")' <<<"$output"
}
