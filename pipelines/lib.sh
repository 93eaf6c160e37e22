# lib.sh: what the pipelines share; sourced, not run.
# shellcheck shell=sh disable=SC2034,SC2154

# Programs beside this script's folder in a checkout ($BID_BIN or ../bin), else on PATH.
here=${0%/*}
if [ -n "${BID_BIN-}" ]; then
  PATH=$BID_BIN:$PATH
elif [ -x "$here/../bin/bid-search" ]; then
  PATH=$here/../bin:$PATH
elif [ -x "$here/bid-search" ]; then
  PATH=$here:$PATH
fi
export PATH
umask 077 # what is kept between runs is its owner's alone

tab=$(printf '\t')
newline='
'

say() {
  printf '%s: %s\n' "$name" "$1" >&2
}

usage_error() {
  say "$1; see '$name --help'"
  exit 64
}

# The folder that holds what the pipelines keep between runs.
state_folder() {
  if [ -n "${BID_STATE-}" ]; then
    printf '%s\n' "$BID_STATE"
  else
    printf '%s\n' "${XDG_STATE_HOME:-${HOME:?neither BID_STATE nor HOME is set}/.local/state}/bid"
  fi
}

# Ends the script where a folder that is written to, or a file in it, is a link: somebody else may have made it, and
# writing would follow it.
refuse_links() { # FOLDER
  links=$(find "$1" -maxdepth 1 -type l)
  [ -z "$links" ] || { say "$links: a link, which is not followed; remove it or name another folder"; exit 78; }
}

# reads records of payloads on stdin, indexes their documents and writes receipts and error records to stdout.
# What is stored already, byte for byte, is left out first.  Returns the worst status of the stages: 0, 1 where some
# record failed, or a sysexit.  Arguments go to bid-index.
index_payloads() {
  stages=$(
    {
      {
        { bid-store unseen && s=0 || s=$?; echo "$s" >&3; } |
          { bid-strip -q && s=0 || s=$?; echo "$s" >&3; } |
          { bid-chunk -q && s=0 || s=$?; echo "$s" >&3; } |
          { bid-embed -q && s=0 || s=$?; echo "$s" >&3; } |
          { bid-index -q "$@" >&4 && s=0 || s=$?; echo "$s" >&3; }
      } 3>&1
    } 4>&5
  ) 5>&1
  worst_status 5 "$stages"
}

# The worst of several exit statuses: 0 < 1 < any other.  COUNT says how many there have to be: a stage that died with
# its shell told none, and counts as 70.
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

# Tab separated lines on stdin as columns; all but the first are aligned to the right.
aligned() {
  awk -F '\t' '
    { for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) }; if (NF > columns) columns = NF }
    END {
      for (r = 1; r <= NR; r++) {
        line = sprintf("%-" width[1] "s", cell[r, 1])
        for (i = 2; i <= columns; i++) line = line sprintf("  %" width[i] "s", cell[r, i])
        print line
      }
    }'
}
