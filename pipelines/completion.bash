# Completion of BID's commands for bash: options from each command's own --help, connectors, collections.
# shellcheck shell=bash
_bid() {
  local command=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
  COMPREPLY=()
  case $before in
  -c | --collection) words=$(bid-store ls 2>/dev/null | sed -nE 's/.*"collection":"([^"]+)".*/\1/p') ;;
  -f | --form) words='10-K 10-Q 8-K 20-F 40-F 6-K S-1 4' ;;
  --mode) words='hybrid vector text' ;;
  --progress) words='auto always never' ;;
  --tables) words='markdown text drop' ;;
  *)
    case $word in
    -*) words=$("$command" --help 2>/dev/null | grep -oE -- '(^|[ ,])--?[A-Za-z][A-Za-z-]*' | tr -d ' ,' | sort -u) ;;
    *)
      case $command in
      *bid-fetch) [ "$COMP_CWORD" -eq 1 ] && words=$(bid-fetch --list 2>/dev/null | sed -nE 's/.*"name":"([^"]+)".*/\1/p') ;;
      *bid-store) [ "$COMP_CWORD" -eq 1 ] && words='ls stat show rm dump load verify compact backup reembed unseen' ;;
      esac
      ;;
    esac
    ;;
  esac
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _bid bid-fetch bid-strip bid-chunk bid-embed bid-index bid-mcp bid-plan bid-search bid-store bid-retrieve bid-ingest bid-facts bid-verify \
  bid-nightly bid-demo
