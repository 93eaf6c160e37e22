# shellcheck shell=bash disable=SC2154 # output is set by run
# verify.bash: what the tests of a figure's meaning share: a sentence over one passage, without a store.

test_setup() {
  export BID_STORE=$PWD/no-store
}

# says SENTENCE: the verdicts of its numbers over table.md as [1], whose context is in $context.
says() {
  printf '{"answer":%s,"matches":[{"rank":1,"text":%s,"context":%s}]}\n' "$(quoted "$1 [1].")" "$(quoted "$(<table.md)"$'\n')" \
    "$(quoted "${context-}")" >record
  run --separate-stderr bid-verify --quiet record
  jq -r '[.numbers[].verdict] | join(" ")' <<<"$output"
}
