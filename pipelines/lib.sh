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

# ---- options: the same syntax for all pipelines as program_options.h for the programs ----
#
# A pipeline's help is the table of its options.  It is in $help_text, where an option's line looks like
#
#   -e, --company COMPANY    ticker, name or CIK
#       --edgar              query EDGAR even if the store has an answer
#
# (separated by two blanks from its description).  The pipeline defines take_option() and calls parse_options "$@",
# which calls
#
#     take_option --company VALUE    for an option, by its long name; VALUE is empty for one without argument
#     take_option operand WORD       for each operand, in order
#
# Options may come before or after operands, up to "--".  --name=VALUE, --name VALUE, -e VALUE, -eVALUE and bundled
# flags are accepted, as is any unambiguous prefix of a long name.  --entity is --company.
# These need not be in $help_text; they set variables: -q ($quiet), --json ($json), --human ($human), --color
# ($color), --progress ($progress): 1, or auto, always, never; empty where not given.  -h and --version print and
# exit.
common_help="
As in every command:
      --json               records on stdout, even on a terminal
      --human              text on stdout, even in a pipe
      --color WHEN         auto, always or never: color on stdout
      --progress WHEN      auto, always or never: show progress on stderr
  -q, --quiet              print only errors on stderr
  -h, --help               show this help
      --version            show the version, libraries, model and CPU path"
quiet='' json='' human='' color='' progress=''
hidden_help='' # more options, not shown in the help

# find_option WORD: looks up "-e" or "--company" in the table and sets option_name (the long name, or the letter where
# it has none; empty: not found), option_argument (its argument's name, or empty) and option_several (the names of
# which WORD is an ambiguous prefix).
find_option() {
  option_name='' option_argument='' option_several=''
  case $1 in --entity) set -- --company ;; --colour) set -- --color ;; esac
  saved_ifs=$IFS
  IFS=$newline
  set -f
  for option_line in $help_text$newline$common_help$newline$hidden_help; do
    case $option_line in '  -'?', --'* | '      --'*) ;; *) continue ;; esac
    option_line=${option_line#"${option_line%%[! ]*}"}
    option_line=${option_line%%  *}
    option_letter=
    case $option_line in -?,*) option_letter=${option_line%%,*} option_line=${option_line#*, } ;; esac
    option_long=${option_line%% *}
    if [ "$1" = "$option_long" ] || [ "$1" = "$option_letter" ]; then
      option_name=$option_long option_argument=${option_line#"$option_long"} option_several=
      break
    fi
    case $1 in --?*) ;; *) continue ;; esac
    case $option_long in
    "$1"*) option_several="$option_several${option_several:+, }$option_long" option_last=${option_line#"$option_long"} ;;
    esac
  done
  set +f
  IFS=$saved_ifs
  case $option_name$option_several in
  *,*) usage_error "'$1' may be $option_several" ;;
  '') unknown_option "$1" ;;
  esac
  [ -n "$option_name" ] || { option_name=$option_several option_argument=$option_last; }
}

unknown_option() {
  case $1 in --*)
    near=$(printf '%s\n%s\n' "$help_text" "$common_help" | sed -nE 's/^ +(-., )?(--[a-z-]+).*/\2/p' | near_name "$1") || near=
    [ -z "$near" ] || usage_error "unknown option '$1'; the nearest is '$near'"
    ;;
  esac
  usage_error "unknown option '$1'"
}

# The line of stdin that WORD most likely means, or nothing.
near_name() {
  if command -v bid >/dev/null; then bid near -- "$1"; fi
}

take_common_option() {
  case $1 in
  --json) json=1 ;;
  --human) human=1 ;;
  --quiet) quiet=1 ;;
  --color | --progress)
    case $2 in auto | always | never) ;; *) usage_error "$1: '$2' is none of auto, always, never" ;; esac
    if [ "$1" = --color ]; then color=$2; else progress=$2; fi
    ;;
  --help) { printf '%s\n%s\n' "$help_text" "$common_help" 2>/dev/null | folded && exit 0; } || cannot_write ;;
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
  [ "${#2}" -le 4 ] && [ "$2" -ge 1 ] && [ "$2" -le 1000 ] || usage_error "$1: $2 is not 1 to 1000"
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

# Reads payload records on stdin, indexes their documents and writes receipts and error records to stdout.  Documents
# that are already stored unchanged are skipped first.  Returns the worst status of the stages: 0, 1 where some record
# failed, or one of sysexits.h.  Arguments are passed to bid-index.  With $unseen_stats, a file, the number of those
# skipped is appended to it, in the line of --stats.
unseen_stats=''
unseen() {
  if [ -n "$unseen_stats" ]; then bid-store unseen --stats 2>>"$unseen_stats"; else bid-store unseen; fi
}
index_payloads() {
  stages=$(
    {
      {
        { unseen && s=0 || s=$?; echo "$s" >&3; } |
          { bid-strip ${quiet:+-q} ${reports:+--companies} && s=0 || s=$?; echo "$s" >&3; } |
          { bid-chunk -q && s=0 || s=$?; echo "$s" >&3; } |
          { bid-embed --quiet && s=0 || s=$?; echo "$s" >&3; } |
          { bid-index -q "$@" >&4 && s=0 || s=$?; echo "$s" >&3; }
      } 3>&1
    } 4>&5
  ) 5>&1
  worst_status 5 "$stages"
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
