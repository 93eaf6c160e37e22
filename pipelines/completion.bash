# Completion of BID's commands for bash: `bid complete` computes the candidates from --options of the commands.
# shellcheck shell=bash
_bid() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = $'\tfiles' ]; then
      compopt -o filenames
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$2")
    else
      line=${line%%$'\t'*}
      COMPREPLY+=("$(printf '%q' "$line")")
    fi
  done < <(bid complete -- "$COMP_CWORD" "${COMP_WORDS[@]}" 2>/dev/null)
  case ${COMPREPLY[0]-} in *=) compopt -o nospace ;; esac
}
complete -F _bid bid bid-fetch bid-strip bid-chunk bid-embed bid-index bid-search bid-store bid-plan bid-mcp bid-retrieve bid-ingest \
  bid-facts bid-verify bid-diff bid-nightly bid-spark bid-demo
