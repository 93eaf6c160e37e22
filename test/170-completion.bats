#!/usr/bin/env bats
# Completions in the shells themselves, and options: help, page and completion say the same.

load helper

commands() {
  local f
  for f in "$ROOT"/bin/bid-*.c "$ROOT"/pipelines/bid-*; do
    [[ $f == *.c || -x $f ]] && basename "$f" .c
  done
}

# typed TEXT: what bash makes of the keys TEXT (a tab completes) with an "echo" put in front.  Keys that come before bash
# listens are lost at times, so up to three tries.
typed() {
  local try got=
  for try in 1 2 3; do
    got=$(printf 'PS1=; . "%s/pipelines/completion.bash"\n%s\001echo TYPED= \nexit\n' "$ROOT" "$1" |
      timeout 60 script -qec 'bash --norc --noprofile -i' /dev/null 2>/dev/null | tr -d '\r' | sed -n "s/.*TYPED= bid/bid/p" | sed "s/\x1b.*//" | tail -1)
    [ "$got" = "${1%$'\t'}" ] || break
  done
  printf '%s\n' "$got"
}

@test "bash completes commands, sources, options and their values" {
  need script
  equal "$(typed $'bid-fetch finra\t')" "bid-fetch finra-brokercheck"
  equal "$(typed $'bid sear\t')" "bid search"
  equal "$(typed $'bid search --neigh\t')" "bid search --neighbours"
  equal "$(typed $'bid-search --mode=hy\t')" "bid-search --mode=hybrid"
  equal "$(typed $'bid-search --mode vec\t')" "bid-search --mode vector"
  equal "$(typed $'bid-search --progress alw\t')" "bid-search --progress always"
  equal "$(typed $'bid-store verif\t')" "bid-store verify"
  : >"a file.ndjson"
  equal "$(typed $'bid-strip a\\ fi\t')" "bid-strip a file.ndjson"
}

@test "bash completes collections, companies and stored ids" {
  need script
  bid-fetch -q file "$ROOT"/data/sample/0009990001-25-000041.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
  equal "$(typed $'bid-search -c finance_ed\t')" "bid-search -c finance_edgar_TWHL_10-Q"
  equal "$(typed $'bid-search -e TW\t')" "bid-search -e TWHL"
  local id
  id=$(bid-store dump --plain | head -1 | jq -r .id)
  equal "$(typed $'bid-store show '"${id:0:12}"$'\t')" "bid-store show $id"
}

@test "fish completes, with descriptions" {
  need fish
  run --separate-stderr fish --no-config -c "source $ROOT/pipelines/completion.fish; complete -C 'bid-fetch finra'"
  contains "$output" $'finra-brokercheck\t'
  run --separate-stderr fish --no-config -c "source $ROOT/pipelines/completion.fish; complete -C 'bid-search --mode hy'"
  contains "$output" "hybrid"
}

@test "zsh completes" {
  need zsh script
  mkdir functions
  cp "$ROOT/pipelines/completion.zsh" functions/_bid
  run bash -c "printf 'PS1=; fpath=(\$PWD/functions \$fpath); autoload -Uz compinit; compinit -u -D; bindkey -e\nbid-fetch finra\t\001echo TYPED= \nexit\n' |
    timeout 60 script -qec 'zsh -f -i' /dev/null | tr -d '\r'"
  contains "$output" "TYPED= bid-fetch finra-brokercheck"
}

@test "every command is completed" {
  local c
  for c in $(commands) bid; do
    for f in bash zsh fish; do
      grep -qE "(^| )$c( |\$|;)" "$ROOT/pipelines/completion.$f" || { echo "$c is not in completion.$f"; false; }
    done
  done
}

@test "options in help, page and completion are the same" {
  local c o page missing=0
  for c in $(commands); do
    page=$ROOT/man/$c.1
    "$c" --help | sed -nE 's/^  (-., |    )(--[a-z-]+).*/\2/p' | sort -u >help
    bid complete -- 1 "$c" -- | cut -f 1 | sort -u >completed
    run diff help completed
    equal "$output" ""
    while read -r o; do
      grep -qE -- "(Fl |, )-${o#--}( |\$)" <(sed 's/\\-/-/g' "$page" "$ROOT/man/bid.7") || { echo "$c: $o is in no page"; missing=1; }
    done <help
  done
  [ "$missing" -eq 0 ]
}
