# Completion of BID's commands for fish: `bid complete` knows what may stand next, from --options of the commands.
function __bid_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (bid complete -- (math (count $words) - 1) $words 2>/dev/null)
        if test "$line" = \t"files"
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
for command in bid bid-fetch bid-strip bid-chunk bid-embed bid-index bid-search bid-store bid-plan bid-mcp bid-retrieve bid-ingest bid-facts bid-verify bid-diff bid-nightly bid-spark bid-demo
    complete -c $command -f -a '(__bid_complete)'
end
