#compdef bid bid-fetch bid-strip bid-chunk bid-embed bid-index bid-search bid-store bid-plan bid-mcp bid-retrieve bid-ingest bid-facts bid-verify bid-diff bid-nightly bid-spark bid-demo
# Completion of BID's commands for zsh: `bid complete` knows what may stand next, from --options of the commands.
local line
local -a candidates
while IFS= read -r line; do
  if [[ $line == $'\tfiles' ]]; then
    _files
  else
    candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  fi
done < <(bid complete -- "$((CURRENT - 1))" "${words[@]}" 2>/dev/null)
(( ${#candidates} )) && _describe 'bid' candidates
