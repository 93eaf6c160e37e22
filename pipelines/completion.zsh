#compdef bid-fetch bid-strip bid-chunk bid-embed bid-index bid-mcp bid-plan bid-search bid-store bid-retrieve bid-ingest bid-facts bid-verify bid-nightly bid-demo
# Completion of BID's commands for zsh: the options that each command's own --help names.
_arguments -s -S -- '*:file:_files'
