#!/bin/sh
# complete.sh: the candidates for a word of a command line, for the completions of bash, zsh and fish: one "CANDIDATE TAB DESCRIPTION"
# a line; a line "TAB files" means file names.  Options and their values come from --options of the commands, the rest from
# bid-fetch, the store and data/commands.tsv.
#
#   complete.sh BID AT WORD...    BID: the program; AT: the index of the word, from 0 for the command's.  "=" is a word of its own
#                                 between an option and its value, as in bash.
set -eu
bid=$1 at=$2
shift 2
[ "$at" -gt 0 ] && [ "$at" -lt $# ] || exit 0
forms='10-K|10-Q|8-K|20-F|40-F|6-K|DEF 14A|S-1|13F-HR|4' # those that are asked for most
tab=$(printf '\t')
jq_of_wheel=$(dirname "$bid")/../lib/bid
[ ! -x "$jq_of_wheel/jq" ] || PATH=$PATH:$jq_of_wheel

command=${1##*/}
if [ "$command" = bid ]; then
  if [ "$at" -eq 1 ] || { [ "$at" -eq 2 ] && [ "$2" = help ]; }; then
    command=
  else
    shift
    command=bid-${1#bid-} at=$((at - 1))
  fi
fi

# The word, the option whose value it may be, and the operand behind the command.
index=0 word='' before='' before_that=''
for w; do
  if [ "$index" -lt "$at" ]; then before_that=$before before=$w; fi
  if [ "$index" -eq "$at" ]; then word=$w; fi
  index=$((index + 1))
done
option=$before first=${2-} lead=''
[ "$before" != = ] || option=$before_that
[ "$word" != = ] || word=''
case $word in --*=*) option=${word%%=*} ;; esac
case $command in '' | bid-*) ;; *) exit 0 ;; esac

run() { timeout 15 "$bid" "$@" 2>/dev/null </dev/null; }

# Keeps the lines that begin with the word.
candidates() {
  word=$word lead=$lead awk -F '\t' '$1 != "" && index($1, ENVIRON["word"]) == 1 && $1 !~ /[[:cntrl:]]/ && !seen[$1]++ { print ENVIRON["lead"] $1 "\t" $2 }'
}
words() { printf '%s\n' "$1" | tr "$2" '\n' | candidates; }
sources() { run fetch --list --json | jq -r '[.name, .description[:100]] | @tsv' | candidates; }
collections() { run store ls --json | jq -r .collection; }
ids() { run store dump --plain | sed -n 's/.*[{,]"id":"\([0-9a-f]\{32\}\)".*/\1/p' | candidates | head -n 50; }

value() { # ARGUMENT WORDS
  case $option in
  --collection) collections | candidates ;;
  --company) collections | cut -s -d _ -f 3 | candidates ;;
  --form) words "$forms" '|' ;;
  --describe | --check) sources ;;
  *) words "$2" ' ' ;;
  esac
}

operand() {
  case $command/$at/$first in
  bid-fetch/1/*) sources ;;
  bid-store/1/*) printf '%s\n' "$table" | sed -n 's/^usage	//p' | sed 's/[ |]/\n/g' | grep -x '[a-z]*' | candidates ;;
  bid-store/*/show) ids ;;
  bid-search/* | bid-retrieve/*) ;;
  *) printf '\tfiles\n' ;;
  esac
}

all() {
  if [ -z "$command" ]; then
    "$bid" --json | sed -n 's/^{"command":"\([a-z-]*\)","summary":"\(.*\)"}$/\1\t\2/p' | candidates
    return
  fi
  table=$(run "${command#bid-}" --options) || :
  # The option's name, argument and words, where it takes a value.
  found=$(printf '%s\n' "$table" | option=$option awk -F '\t' '($2 == ENVIRON["option"] || ENVIRON["option"] == "-" $1) && $3 != "" { print $2 "\t" $3 "\t" $4; exit }')
  case $word in
  --*=*)
    [ -n "$found" ] || return 0
    lead=$option= word=${word#*=}
    ;;
  esac
  if [ -n "$found" ]; then
    option=${found%%"$tab"*} found=${found#*"$tab"}
    shown=$(value "${found%%"$tab"*}" "${found#*"$tab"}")
    [ -z "$shown" ] || printf '%s\n' "$shown"
    case $shown/${found%%"$tab"*} in /*FILE* | /*PATH* | /*FOLDER*) printf '\tfiles\n' ;; esac
  else
    case $word in
    -*) printf '%s\n' "$table" | awk -F '\t' '$1 != "usage" { print $2 "\t" $5 }' | candidates ;;
    *) operand ;;
    esac
  fi
}

all | "$bid" mask
