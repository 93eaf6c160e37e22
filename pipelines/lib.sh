# lib.sh: shared by the pipelines; sourced, not executed.
# shellcheck shell=sh disable=SC2034,SC2154

# Programs: beside this script's folder in a source tree ($BID_BIN or ../bin), else in PATH.
here=${0%/*} programs=
if [ -n "${BID_BIN-}" ]; then
  programs=$BID_BIN
elif [ -x "$here/../bin/bid-search" ]; then
  programs=$here/../bin
elif [ -x "$here/bid-search" ]; then
  programs=$here
fi
[ -z "$programs" ] || PATH=$programs${PATH:+:$PATH}
[ ! -x "$here/../lib/bid/jq" ] || PATH=$PATH:$here/../lib/bid # a wheel's
export PATH
# A shell takes an empty file for a script that does nothing and went well.
for program in bid bid-fetch bid-strip bid-chunk bid-embed bid-index bid-plan bid-search bid-facts bid-store; do
  [ -z "$programs" ] || [ ! -e "$programs/$program" ] || [ -s "$programs/$program" ] || {
    printf '%s: the file of the program %s is empty; install it again\n' "${name-bid}" "$program" >&2
    exit 69
  }
done
# All programs of a pipeline end with it, also where a signal ends it, and descriptors 0 to 2 are open; see guard.h.
if [ -n "${name-}" ] && [ -z "${BID_GUARDED-}" ] && command -v bid >/dev/null; then
  BID_GUARDED=1
  export BID_GUARDED
  exec bid guard /bin/sh "$0" "$@"
fi
umask 077 # files kept between runs are private

tab=$(printf '\t')
newline='
'

# Text from the command line or a watch list may be untrusted: it is masked, as by the programs.
say() {
  printf '%s: %s\n' "$name" "$1" | { bid mask 2>/dev/null || LC_ALL=C tr -d '\000-\010\013-\037\177'; } >&2
}

usage_error() {
  say "$1; see '$name --help'"
  exit 64
}

# ---- options: the same syntax for all pipelines as record/program.h for the programs ----
#
# A pipeline sets $usage, its table $options and perhaps $footer.  An option is a line of five fields:
#
#   e|company|COMPANY||ticker, name or CIK
#   |format|FORMAT|auto json|: auto is text on a terminal
#   |edgar|||query EDGAR even if the store has an answer
#
# its letter, its long name, its argument, the words that the argument may be, its help.  The words stand in the help
# before its text.  A line without a name goes on with the help of the one before.  The pipeline defines take_option() and
# calls parse_options "$@", which calls
#
#     take_option --company VALUE    for an option, by its long name; VALUE is empty for one without argument
#     take_option operand WORD       for each operand, in order
#
# Options may come before or after operands, up to "--".  --name=VALUE, --name VALUE, -e VALUE, -eVALUE and bundled
# flags are accepted, as is any unambiguous prefix of a long name.  --entity is --company.
# The common ones set variables: -q ($quiet), --json ($json), --human ($human): 1; --color ($color), --progress
# ($progress): a word; empty where not given.  -h, --version and --options, which prints the table, exit.
common_options="|json|||records on stdout, even on a terminal
|human|||text on stdout, even in a pipe
|color|WHEN|auto always never|: color on stdout
|progress|WHEN|auto always never|: show progress on stderr
q|quiet|||print only errors on stderr
h|help|||show this help
|version|||show the version, libraries, model and CPU path"
quiet='' json='' human='' color='' progress='' options='' footer=''
hidden_options='|options|||' # not shown in the help

# Puts the words of a choice before $text: "auto, json or text".
with_words() {
  [ -z "$words" ] || text="$(printf '%s\n' "$words" | sed 's/ /, /g; s/, \([^,]*\)$/ or \1/')$text"
}

# Lines of a table as the help has them.
help_lines() {
  while IFS='|' read -r letter long argument words text; do
    with_words
    left="${letter:+-$letter, }"
    left="  ${left:-    }${long:+--$long}${argument:+ $argument}"
    printf '%-26s %s\n' "$left" "$text"
  done
}

print_help() {
  printf '%s\n' "$usage"
  [ -z "$options" ] || { echo && printf '%s\n' "$options" | help_lines; }
  printf '%s\n' "${footer:+$footer$newline}${newline}As in every command:"
  printf '%s\n' "$common_options" | help_lines
}

# The table as data, as the programs print it.
print_options() {
  printf '%s\n' "$usage" | sed -n "s/^\(Usage:\|      \) $name */usage$tab/p"
  printf '%s\n%s\n' "$options" "$common_options" | while IFS='|' read -r letter long argument words text; do
    with_words
    [ -z "$long" ] || printf '%s\t--%s\t%s\t%s\t%s\n' "${letter:--}" "$long" "$argument" "$words" "$text"
  done
}

# find_option WORD: looks up "-e" or "--company" in the table and sets option_name (the long name), option_argument (its
# argument's name, or empty) and option_words.
find_option() {
  option_name='' option_argument='' option_words='' option_several=''
  case $1 in --entity) set -- --company ;; --colour) set -- --color ;; esac
  while IFS='|' read -r letter long argument words text; do
    case --$long/-$letter in
    "$1"/* | --?*/"$1") option_name=--$long option_argument=$argument option_words=$words option_several='' && break ;;
    esac
    case $1/--$long in
    --?*/"$1"?*)
      option_several="$option_several${option_several:+, }--$long"
      option_name=--$long option_argument=$argument option_words=$words
      ;;
    esac
  done <<TABLE
$options
$common_options
$hidden_options
TABLE
  case $option_several/$option_name in
  *,*/*) usage_error "'$1' may be $option_several" ;;
  /) unknown_option "$1" ;;
  esac
}

unknown_option() {
  case $1 in --*)
    near=$(print_options | sed -nE 's/^.\t(--[a-z-]+).*/\1/p' | near_name "$1") || near=
    [ -z "$near" ] || usage_error "unknown option '$1'; the nearest is '$near'"
    ;;
  esac
  usage_error "unknown option '$1'"
}

# The line of stdin that WORD most likely means, or nothing.
near_name() {
  if command -v bid >/dev/null; then bid near -- "$1"; fi
}

is_one_of() { # WORDS WORD
  for word in $1; do [ "$word" != "$2" ] || return 0; done
  return 1
}

take_common_option() {
  if [ -n "$option_words" ] && [ "$1" != operand ]; then
    is_one_of "$option_words" "$2" || usage_error "$1: '$2' is none of $(printf '%s\n' "$option_words" | sed 's/ /, /g')"
  fi
  case $1 in
  --json) json=1 ;;
  --human) human=1 ;;
  --quiet) quiet=1 ;;
  --color) color=$2 ;;
  --progress) progress=$2 ;;
  --help) { print_help 2>/dev/null | folded && exit 0; } || cannot_write ;;
  --options) { print_options 2>/dev/null && exit 0; } || cannot_write ;;
  --version) { bid-search --version | sed "s/^bid-search/$name/" && exit 0; } || cannot_write ;;
  *) take_option "$1" "$2" ;;
  esac
}

# Wraps the lines of stdin to the width of the terminal.
folded() {
  if [ -t 1 ] && command -v bid >/dev/null; then bid fold; else cat 2>/dev/null; fi
}

cannot_write() {
  say "cannot write stdout"
  exit 74
}

parse_options() {
  while [ $# -gt 0 ]; do
    case $1 in
    --) shift; break ;;
    --?*=*)
      find_option "${1%%=*}"
      [ -n "$option_argument" ] || usage_error "$option_name takes no argument"
      take_common_option "$option_name" "${1#*=}"
      ;;
    --?*)
      find_option "$1"
      if [ -n "$option_argument" ]; then
        [ $# -ge 2 ] || usage_error "$1 needs an argument"
        take_common_option "$option_name" "$2"
        shift
      else
        take_common_option "$option_name" ''
      fi
      ;;
    -?*)
      option_rest=${1#-}
      option_first=${option_rest%"${option_rest#?}"}
      find_option "-$option_first"
      option_rest=${option_rest#?}
      if [ -z "$option_argument" ]; then
        option_taken=$option_name
        if [ -n "$option_rest" ]; then
          shift
          set -- '' "-$option_rest" "$@"
        fi
        take_common_option "$option_taken" ''
      elif [ -n "$option_rest" ]; then
        take_common_option "$option_name" "$option_rest"
      else
        [ $# -ge 2 ] || usage_error "$1 needs an argument"
        take_common_option "$option_name" "$2"
        shift
      fi
      ;;
    *) take_option operand "$1" ;;
    esac
    shift
  done
  for option_word; do take_option operand "$option_word"; done
  [ -z "$json" ] || [ -z "$human" ] || usage_error "--json and --human exclude each other"
}

# need_limit NAME VALUE: rejects anything but a number of passages, 1 to 1000.
need_limit() {
  need_whole "$1" "$2"
  { [ "${#2}" -le 4 ] && [ "$2" -ge 1 ] && [ "$2" -le 1000 ]; } || usage_error "$1: $2 is not 1 to 1000"
}

# need_whole NAME VALUE: rejects anything but a whole number.
need_whole() {
  case $2 in
  -[0-9]*) usage_error "$1: '$2' is below 0" ;;
  '' | *[!0-9]*) usage_error "$1: '$2' is not a whole number" ;;
  esac
}

# need_part WORD...: rejects what can't be part of a collection's name.
need_part() {
  for part; do
    case $part in *[!A-Za-z0-9.-]*) usage_error "'$part' is no part of a collection's name (letters, digits, '.', '-')" ;; esac
  done
}

# Whether stdout is displayed to a person.
for_people() {
  [ -n "$human" ] || { [ -z "$json" ] && [ -t 1 ]; }
}

# Passes the records of stdin on; on a terminal with what could control it escaped, as by the programs.
records() {
  if [ -t 1 ]; then bid records; else cat; fi
}

# The same for records in a word.
print_records() { # RECORDS
  if [ -t 1 ]; then printf '%s\n' "$1" | bid records; else printf '%s\n' "$1"; fi
}

# ---- progress: one row for all programs of a pipeline ----

progress_reader='' # its process
# start_progress: programs started from now on report their progress through a pipe, and `bid progress` draws one row
# on stderr after half a second, if stderr is a terminal or with --progress=always. stop_progress clears it; call it
# before any other output.
start_progress() {
  case $progress in
  never) return 0 ;;
  always) ;;
  *) { [ -z "$quiet" ] && [ -t 2 ]; } || return 0 ;;
  esac
  command -v bid >/dev/null || return 0
  progress_folder=$(mktemp -d "${TMPDIR:-/tmp}/bid.XXXXXX") || return 0
  if mkfifo "$progress_folder/row"; then
    bid progress "$name" <"$progress_folder/row" >/dev/null &
    progress_reader=$!
    exec 7>"$progress_folder/row"
    BID_PROGRESS=7
    export BID_PROGRESS
  fi
  rm -rf "$progress_folder"
}

# expect_documents N: sets the number of documents expected, also in the row of whoever started this pipeline.
expect_documents() {
  case ${BID_PROGRESS-} in [3-9]) ;; *) return 0 ;; esac # it may be any word, but is no standard stream
  [ ! -p "/dev/fd/$BID_PROGRESS" ] || (printf 'total\t0\t0\t%s\t\n' "$1" >&"$BID_PROGRESS") 2>/dev/null || :
}

stop_progress() {
  [ -n "$progress_reader" ] || return 0
  exec 7>&-
  unset BID_PROGRESS
  wait "$progress_reader" || :
  progress_reader=
}

# Sets $path to a name that no program takes for an option.
as_path() { # NAME
  case $1 in -*) path=./$1 ;; *) path=$1 ;; esac
}

# Sets $state to the folder for what the pipelines keep between runs.  Output in $(...) would lose a line feed at the end of its name.
find_state() {
  state=${BID_STATE-}
  [ -n "$state" ] || state=${XDG_STATE_HOME:-${HOME:?neither BID_STATE nor HOME is set}/.local/state}/bid
  as_path "$state"
  state=$path
}

# Exits where a folder to be written to, or a file in it, is a symbolic link: somebody else may have made it, and
# writing would follow it.  The same for FIFOs, sockets and devices, on which a shell would wait.
refuse_links() { # FOLDER
  planted=$(find "$1" -maxdepth 1 ! -type f ! -type d)
  [ -n "$planted" ] || return 0
  links=$(find "$1" -maxdepth 1 -type l)
  [ -z "$links" ] || { say "$links: a link, which is not followed; remove it or name another folder"; exit 78; }
  say "$planted: no plain file; remove it or name another folder"
  exit 78
}

# Runs a command, whose stdout is payload records, indexes their documents and writes receipts, error records and listings to stdout.
# Documents that are already stored unchanged are skipped first.  Returns the worst status of the stages: 0, 1 where some record
# failed, or one of sysexits.h.  Further arguments are passed to bid-index.  With $unseen_stats, a file, the number of those
# skipped is appended to it, in the line of --stats; with $unseen_listed, a file, the URLs of all payloads are written to it.
unseen_stats='' unseen_listed=''
unseen() {
  set -- unseen ${unseen_listed:+--listed "$unseen_listed"}
  if [ -n "$unseen_stats" ]; then bid-store "$@" --stats 2>>"$unseen_stats"; else bid-store "$@"; fi
}
index_output() { # COMMAND [OPTION]...
  payloads_of=$1
  shift
  stages=$(
    {
      {
        { "$payloads_of" && s=0 || s=$?; echo "$s" >&3; } |
          { unseen && s=0 || s=$?; echo "$s" >&3; } |
          { bid-strip ${quiet:+-q} ${reports:+--companies} && s=0 || s=$?; echo "$s" >&3; } |
          { bid-chunk -q && s=0 || s=$?; echo "$s" >&3; } |
          { bid-embed --quiet && s=0 || s=$?; echo "$s" >&3; } |
          { bid-index -q "$@" >&4 && s=0 || s=$?; echo "$s" >&3; }
      } 3>&1
    } 4>&5
  ) 5>&1
  worst_status 6 "$stages"
}

# The worst of several exit statuses: 0 < 1 < any other.  COUNT is the expected number: a stage that died with its
# shell reported none, and counts as 70.
worst_status() { # COUNT STATUSES
  left=$1 worst=0
  for s in $2; do
    case $s in *[!0-9]*) s=70 ;; esac
    if [ "$s" -gt 1 ] && [ "$worst" -le 1 ]; then worst=$s; fi
    if [ "$s" -eq 1 ] && [ "$worst" -eq 0 ]; then worst=1; fi
    left=$((left - 1))
  done
  if [ "$left" -gt 0 ] && [ "$worst" -le 1 ]; then worst=70; fi
  return "$worst"
}

# Aligns tab-separated lines of stdin in columns: one letter each, l or r.
aligned() { # LETTERS
  awk -F '\t' -v side="$1" '
    { for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) }; if (NF > columns) columns = NF }
    END {
      for (r = 1; r <= NR; r++) {
        line = ""
        for (i = 1; i <= columns; i++)
          line = line (i > 1 ? "  " : "") sprintf("%" (substr(side, i, 1) == "l" ? "-" : "") width[i] "s", cell[r, i])
        sub(/ +$/, "", line)
        print line
      }
    }'
}
