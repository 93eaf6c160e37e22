#!/usr/bin/env bats
# bid-mcp: the protocol on the wire, good and bad, and the clients that people use (make extras).

load helper

EXTRAS=$ROOT/.venv-extras
INSPECTOR=$ROOT/.cache/extras/node_modules/.bin/mcp-inspector

hello='{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'

# Six sample filings in the store.
fill() {
  bid-fetch --quiet file "$ROOT"/data/sample/*.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
}

# mcp MESSAGE...: each after the greeting, answers without that of the greeting
mcp() {
  run --separate-stderr bash -c 'printf "%s\n" "$@" | bid-mcp $MCP_OPTIONS' bash "$hello" "$@"
  output=$(printf '%s\n' "$output" | grep -v '^{"jsonrpc":"2.0","id":0,"result"' || true)
}
call() { jq -cn --arg name "$1" --argjson a "$2" '{jsonrpc: "2.0", id: 1, method: "tools/call", params: {name: $name, arguments: $a}}'; }
code() { printf '%s\n' "$output" | jq -c '[.id, .error.code]'; }
# A folder of programs in which $1 is the script on stdin, for BID_BIN.
instead() {
  mkdir -p others
  ln -sf "$BID_BIN"/* others/
  rm -f "others/$1"
  cat >"others/$1"
  chmod +x "others/$1"
}

@test "initialize: a revision that both know, else the newest; then ping and the lists" {
  local v
  for v in 2024-11-05 2025-03-26 2025-06-18 2025-11-25; do
    run --separate-stderr bash -c "printf '%s\n' '{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"$v\"}}' | bid-mcp"
    equal "$(printf '%s\n' "$output" | jq -r .result.protocolVersion)" "$v"
    equal "$(printf '%s\n' "$output" | jq -r .result.serverInfo.version)" "$(cat "$ROOT/data/VERSION")"
  done
  run --separate-stderr bash -c "printf '%s\n' '{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"1999-01-01\"}}' | bid-mcp"
  equal "$(printf '%s\n' "$output" | jq -r .result.protocolVersion)" 2025-11-25
  mcp '{"jsonrpc":"2.0","method":"notifications/initialized"}' '{"jsonrpc":"2.0","id":"p","method":"ping"}' \
    '{"jsonrpc":"2.0","id":2,"method":"resources/list"}' '{"jsonrpc":"2.0","id":3,"method":"resources/templates/list"}'
  equal "$(printf '%s\n' "$output" | head -2)" '{"jsonrpc":"2.0","id":"p","result":{}}
{"jsonrpc":"2.0","id":2,"result":{"resources":[]}}'
  contains "$output" 'bid://passage/{id}'
  equal "$status" 0
  equal "$stderr" ""
}

@test "null for no params and no arguments, as some clients send it" {
  mcp '{"jsonrpc":"2.0","id":1,"method":"ping","params":null}' '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"stat","arguments":null}}' \
    '{"jsonrpc":"2.0","id":3,"method":"tools/list","params":null}'
  equal "$(printf '%s\n' "$output" | jq -c 'select(.id == 1) | .result')" '{}'
  equal "$(printf '%s\n' "$output" | jq -c 'select(.id == 3) | .result.tools | length > 3')" true
  [[ $output != *"is no object"* ]]
}

@test "tools: schemas on one line, none that writes without --ingest, none whose program is missing" {
  mcp '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
  equal "$(printf '%s\n' "$output" | wc -l)" 1
  printf '%s\n' "$output" | jq -e '.result.tools | all(.inputSchema.type == "object" and .outputSchema.type == "object" and .annotations.readOnlyHint)'
  contains "$(printf '%s\n' "$output" | jq -c '[.result.tools[].name]')" '"search","retrieve","show","read","facts","fetch"'
  MCP_OPTIONS=--ingest mcp '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
  printf '%s\n' "$output" | jq -e '.result.tools | any(.name == "ingest" and (.annotations.readOnlyHint | not))'
  mcp "$(call ingest '{"company":"AAPL"}')"
  equal "$(code)" '[1,-32602]'
}

@test "every source is either offered by fetch or left out on purpose" {
  bid-fetch --list | jq -r .name | sort >all
  { jq -r '.tools[].tool | select(.name == "fetch").inputSchema.properties.source.enum[]' "$ROOT/data/mcp-tools.json"
    printf '%s\n' file mock sec-bulk sec-filing-document; } | sort | diff - all
}

@test "search: passages with text, structure and links, narrowed as asked" {
  fill
  mcp "$(call search '{"query":"supply chain risks","limit":2}')" "$(call search '{"query":"risk factors","companies":["TWHL"],"forms":["10-K"]}' | sed 's/"id":1/"id":"two"/')"
  printf '%s\n' "$output" | jq -se 'sort_by(.id | tostring) | .[0].result
    | (.isError | not) and (.structuredContent.matches | length == 2) and (.content[0].text | contains("Source: "))'
  printf '%s\n' "$output" | jq -se 'map(select(.id == "two"))[0].result.structuredContent.matches | all(.ticker == "TWHL" and .form == "10-K")'
}

@test "search: new leaves what the filing before did not say" {
  fill
  mcp "$(call search '{"query":"risk factors","companies":["TWHL"],"new":true,"limit":3}')" "$(call search '{"query":"risk factors","new":"yes"}' | sed 's/"id":1/"id":2/')"
  printf '%s\n' "$output" | jq -se 'sort_by(.id)[0].result | if .isError then .content[0].text | contains("to tell what is new")
    else .structuredContent.matches | length > 0 and all(.newSince) end'
  printf '%s\n' "$output" | jq -se 'sort_by(.id)[1].result.isError'
}

@test "search: near-duplicates one by one where that is asked for" {
  fill
  mcp "$(call search '{"query":"risk factors","fold":false,"limit":20}')" "$(call search '{"query":"risk factors","limit":20,"fold":"no"}' | sed 's/"id":1/"id":2/')"
  printf '%s\n' "$output" | jq -se 'sort_by(.id) | (.[0].result.structuredContent.matches | length > 0 and all(has("duplicates") | not)) and .[1].result.isError'
}

@test "a store that changes is searched as it is now" {
  fill
  run --separate-stderr bash -c '{
    printf "%s\n" "$1" "$2"
    sleep 1
    bid-store -c "*" rm >&2
    sleep 0.2
    printf "%s\n" "$2"
  } | bid-mcp' bash "$hello" "$(call search '{"query":"supply chain risks"}')"
  equal "$(printf '%s\n' "$output" | jq -c 'select(.id == 1) | .result | [.isError, (.structuredContent.matches | length > 0)]' | head -1)" '[false,true]'
  printf '%s\n' "$output" | tail -1 | jq -e '.result | .isError or .structuredContent.matches == []'
}

@test "retrieve, show, collections and a passage as a resource" {
  fill
  local id
  id=$(bid-search "supply chain risks" -n 1 | jq -r .id)
  mcp "$(call retrieve '{"query":"supply chain risks","company":"PLCD"}')"
  printf '%s\n' "$output" | jq -e '.result | (.isError | not) and (.structuredContent | keys == ["edgar","errors","query","rag"]) and (.content[0].text | startswith("[1]"))'
  mcp "$(call show "{\"ids\":[\"$id\"]}")"
  equal "$(printf '%s\n' "$output" | jq -r '.result.structuredContent.passages[0].id')" "$id"
  mcp "$(call collections '{}')"
  printf '%s\n' "$output" | jq -e '.result.structuredContent.collections | length == 6'
  mcp "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"bid://passage/$id\"}}"
  printf '%s\n' "$output" | jq -e '.result.contents[0] | .mimeType == "text/markdown" and (.text | length > 20)'
  mcp '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"bid://passage/0"}}'
  equal "$(code)" '[1,-32002]'
}

@test "records are a short table for a model to read: what all rows share stands once" {
  fill
  mcp "$(call documents '{"company":"TWHL"}')"
  printf '%s\n' "$output" | jq -e '.result.structuredContent.documents | length > 1 and all(.metadata.ticker == "TWHL" and .passages > 0)'
  printf '%s\n' "$output" | jq -r '.result.content[0].text' >text
  head -1 text | grep -q '^All rows: company Tidewrack Harbor Logistics, Inc.; ticker TWHL'
  grep -q '^| form | ' text
  equal "$(grep -c '^| 10-[KQ] | ' text)" "$(printf '%s\n' "$output" | jq '[.result.structuredContent.documents[] | select(.metadata.form | test("^10-[KQ]"))] | length')"
  mcp "$(call documents '{"company":"nobody"}')"
  equal "$(printf '%s\n' "$output" | jq -c '.result.structuredContent.documents')" '[]'
  jq -cn '{cik: 9990001, entityName: "A|B", facts: {"us-gaap": {Revenues: {label: "R", units: {USD: [range(2) | {start: "202\(4 + .)-01-01", end: "202\(4 + .)-12-31", val: (. + 5),
    accn: "0009990001-26-000007", fy: (2024 + .), fp: "FY", form: "10-K", filed: "2026-02-19"}]}}}}}' >facts.json
  printf '#!/bin/sh\nexec "%s/bid-facts" --json --from facts.json revenue\n' "$BID_BIN" | instead bid-facts
  BID_BIN=$PWD/others mcp "$(call facts '{"companies":["A"],"words":["revenue"]}')"
  equal "$(printf '%s\n' "$output" | jq -r '.result.content[0].text')" 'All rows: company A\|B; label Revenue; fiscalPeriod FY; months 12; unit USD; kind reported; form 10-K; filingDate 2026-02-19; href https://www.sec.gov/Archives/edgar/data/9990001/000999000126000007/0009990001-26-000007-index.htm

| fiscalYear | start | end | value |
| --- | --- | --- | --- |
| 2024 | 2024-01-01 | 2024-12-31 | 5 |
| 2025 | 2025-01-01 | 2025-12-31 | 6 |'
}

@test "diff: what changed between two filings of a company" {
  local n
  for n in 1 2; do
    jq -cn --arg n "$n" '{id: ("\($n)" * 32), text: "Revenue rose to 1\($n) dollars in the year. Port fees are a risk.", context: "A 10-K", chunk: {index: 0, start: 0, end: 60},
      source: "file", sourceUrl: "https://example.org/\($n)", capturedAt: "2026-01-01T00:00:00Z", sha256: ("\($n)" * 64),
      metadata: {ticker: "AAA", company: "A", cik: "0000000001", form: "10-K", filingDate: "202\($n)-02-01", corpus: "edgar"}}'
  done | bid-embed -q | bid-index -q >/dev/null
  mcp "$(call diff '{"company":"AAA"}')"
  printf '%s\n' "$output" | jq -e '.result | (.isError | not) and (.structuredContent.changes | length > 0)
    and ([.content[] | select(.type == "resource_link").uri] == ["https://example.org/2", "https://example.org/1"])'
  contains "$(printf '%s\n' "$output" | jq -r '.result.content[0].text')" 'old: https://example.org/1
new: https://example.org/2
paragraphs: same 0, moved 0, numbers 1, changed 0, added 0, dropped 0

numbers
- Revenue rose to 11 dollars in the year. Port fees are a risk.
+ Revenue rose to 12 dollars'
}

@test "verify: an answer is held to the passages that it cites, by their ids" {
  fill
  local id
  id=$(bid-store dump --plain | jq -r 'select(.text | contains("Interest expense was $19.2 million")) | .id' | head -1)
  mcp "$(call verify "{\"answer\":\"Interest expense was \$19.2 million [1], the fleet is worth \$777 million [1].\",\"ids\":[\"$id\"]}")"
  printf '%s\n' "$output" | jq -e '.result | (.isError | not) and (.structuredContent | .citations[0].stored == "proved" and [.numbers[].verdict] == ["found","unsupported"] and (.summary.clean | not))'
  mcp "$(call verify "{\"ids\":[\"$id\",\"00000000000000000000000000000000\"]}")"
  equal "$(printf '%s\n' "$output" | jq -c '[.result.structuredContent.citations[].stored]')" '["proved","absent"]'
  mcp "$(call verify '{"answer":"Revenue was $5 million."}')" # nothing to check it against
  contains "$output" 'ids'
  contains "$output" 'companies'
  contains "$output" '"isError":true'
  mcp "$(call verify '{"ids":["short"]}')"
  contains "$output" '"isError":true'
}

@test "figures and comparisons link to their filings" {
  jq -cn '{cik: 9990001, entityName: "A", facts: {"us-gaap": {Revenues: {label: "R", units: {USD: [{start: "2025-01-01", end: "2025-12-31", val: 5000000,
    accn: "0009990001-26-000007", fy: 2025, fp: "FY", form: "10-K", filed: "2026-02-19"}]}}}}}' >facts.json
  printf '#!/bin/sh\nexec "%s/bid-facts" --json --from facts.json revenue\n' "$BID_BIN" | instead bid-facts
  BID_BIN=$PWD/others mcp "$(call facts '{"companies":["A"],"words":["revenue"]}')"
  equal "$(printf '%s\n' "$output" | jq -r '.result.content[] | select(.type == "resource_link").uri')" \
    "https://www.sec.gov/Archives/edgar/data/9990001/000999000126000007/0009990001-26-000007-index.htm"
}

@test "what went wrong within an answer is in its text" {
  mcp "$(call retrieve '{"query":"supply chain risks"}')"
  contains "$(printf '%s\n' "$output" | jq -r '.result.content[0].text')" 'Nothing relevant was found.
no-collection: '
}

@test "fetch lists and gives no contents; facts keep their digits" {
  need_shared
  upstream_start
  mcp "$(call fetch '{"source":"sec-filings","entity":"AAPL","forms":["10-K"],"limit":2}')"
  printf '%s\n' "$output" | jq -e '.result.structuredContent.payloads[0] | (.content | type == "object" or type == "array") and .sourceUrl and (has("rawContent") | not)'
  mcp "$(call fetch '{"source":"sec-edgar","entity":"AAPL","parameters":{"concept":"NetIncomeLoss"},"period":"FY-2024"}')"
  printf '%s\n' "$output" | jq -e '.result | .isError | not'
  mcp "$(call facts '{"companies":["AAPL"],"words":["NetIncomeLoss"],"annual":true,"limit":2}')"
  printf '%s\n' "$output" | jq -e '.result.structuredContent.rows | length == 2'
  mcp "$(call fetch '{"source":"file","entity":"/etc/passwd"}')"
  contains "$output" '"isError":true'
  contains "$output" 'is none of'
}

@test "arguments are held against the schema, and the message says what was expected" {
  local arguments
  mcp "$(call search '{}')"
  contains "$output" 'arguments: \"query\" is missing'
  mcp "$(call search '{"query":7}')"
  contains "$output" 'arguments.query is a number; expected \"string\"'
  mcp "$(call search '{"query":0}' | sed 's/"query":0/"query":1e+300/')"
  contains "$output" 'arguments.query is a number; expected \"string\"'
  mcp "$(call search '{"query":"x","limit":0}' | sed 's/"limit":0/"limit":12345678901234567890/')"
  contains "$output" 'is more than'
  mcp "$(call search '{"query":"x","companies":{"ticker":"AAPL"}}')"
  contains "$output" 'arguments.companies is an object; expected \"array\"'
  mcp "$(call search '{"query":"x","limit":0}')"
  contains "$output" 'arguments.limit: 0 is less than 1'
  mcp "$(call search '{"query":"x","limit":2.5}')"
  contains "$output" 'expected \"integer\"'
  mcp "$(call search '{"query":"x","mode":"best"}')"
  contains "$output" 'is none of [\"hybrid\"'
  mcp "$(call search '{"query":"x","filingType":["10-K"]}')"
  contains "$output" 'there is no \"filingType\"; known are query, companies, forms'
  mcp "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"search\",\"arguments\":{\"query\":$(printf '[%.0s' {1..400})$(printf ']%.0s' {1..400})}}}"
  equal "$(jq -c '[.id, .error]' <<<"$output")" '[1,{"code":-32600,"message":"the message is nested too deep or too large"}]'
  for arguments in '{"ids":[]}' '{"ids":["x"]}' '{"ids":["\u0000\u0000\u0000\u0000\u0000\u0000"]}'; do
    mcp "$(call show "$arguments")"
    contains "$output" '"isError":true'
  done
  mcp "$(call facts '{"companies":["a\u0000b"],"words":["Assets"]}')"
  contains "$output" 'zero byte'
}

@test "an argument under another tool's name for it, one text for a list and a list of one for a text are understood" {
  instead bid-facts <<'SCRIPT'
#!/bin/sh
for w; do printf '%s\n' "$w" | jq -cR '{word: .}'; done
SCRIPT
  ln -sf "$PWD/others/bid-facts" others/bid-diff.new && mv others/bid-diff.new others/bid-diff
  local name
  for name in company companies entity; do
    BID_BIN=$PWD/others mcp "$(call facts "{\"$name\":\"AAPL\",\"concepts\":\"revenue\"}")"
    equal "$(printf '%s\n' "$output" | jq -r '.result.structuredContent.rows[].word' | tr '\n' '|')" '--json|--quiet|--entity|AAPL|--|revenue|'
    BID_BIN=$PWD/others mcp "$(call diff "{\"$name\":[\"AAPL\"],\"items\":[\"1A\"]}")"
    equal "$(printf '%s\n' "$output" | jq -r '.result.structuredContent.changes[].word' | tr '\n' '|')" '--json|--quiet|--limit=40|--company|AAPL|--item|1A|'
  done
  BID_BIN=$PWD/others mcp "$(call diff '{"company":"AAPL","back":"2"}')"
  contains "$output" '--back'
  mcp "$(call search '{"query":"x","limit":"02"}')"
  contains "$output" 'arguments.limit is a string; expected \"integer\"'
  BID_BIN=$PWD/others mcp "$(call diff '{"companies":["AAPL","TSLA"]}')"
  contains "$output" 'arguments.company is a list; expected \"string\"'
}

@test "messages name arguments, not options of a command that an agent doesn't have" {
  mcp "$(call facts '{"words":["revenue"]}')"
  contains "$output" 'arguments: one of \"companies\", \"fred\" is needed'
  mcp "$(call facts '{"companies":["TWHL"],"words":["revenue"],"annual":true,"ttm":true}')"
  contains "$output" 'of annual, quarterly and ttm only one goes'
  mcp "$(call fetch '{"source":"irs-bmf","query":"Brown University"}')"
  contains "$output" 'irs-bmf needs region (parameters.region=...) or state (parameters.state=...)'
  [[ $output != *--help* ]]
}

@test "listings carry no hints at options; times are ISO 8601; sources leave out what is refused" {
  fill
  BID_SHARED= upstream_start
  mcp "$(call fetch '{"source":"sec-filings","entity":"TWHL","limit":1}')"
  printf '%s\n' "$output" | jq -e '.result.structuredContent.payloads[0].content | has("filings") and (has("hints") | not)'
  mcp "$(call collections '{}')"
  printf '%s\n' "$output" | jq -e '.result.structuredContent.collections | length > 0 and all(.updated | test("^20[0-9-]{8}T[0-9:]{8}Z$"))'
  mcp "$(call sources '{}')"
  printf '%s\n' "$output" | jq -e '[.result.structuredContent.sources[].name] | length > 10 and (index("file") | not)'
}

@test "words of a client are words, never options or shell" {
  instead bid-facts <<'SCRIPT'
#!/bin/sh
for w; do printf '%s\n' "$w" | jq -cR '{word: .}'; done
SCRIPT
  BID_BIN=$PWD/others mcp "$(call facts '{"companies":["--plot"],"words":["--help","$(touch pwned)","a b"]}')"
  equal "$(printf '%s\n' "$output" | jq -r '.result.structuredContent.rows[].word' | tr '\n' '|')" '--json|--quiet|--entity|--plot|--|--help|$(touch pwned)|a b|'
  [ ! -e pwned ]
}

@test "faults of messages, by the book" {
  mcp '{"jsonrpc":"2.0","id":1,"method":"no/such"}' ; equal "$(code)" '[1,-32601]'
  mcp '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}' ; equal "$(code)" '[1,-32602]'
  mcp '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}' ; equal "$(code)" '[1,-32602]'
  mcp '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":[]}}' ; equal "$(code)" '[1,-32602]'
  mcp '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}' ; equal "$(code)" '[1,-32602]'
  mcp '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}' ; equal "$(code)" '[1,-32600]'
  mcp '{"jsonrpc":"1.0","id":1,"method":"ping"}' ; equal "$(code)" '[1,-32600]'
  mcp '{"jsonrpc":"2.0","id":null,"method":"ping"}' ; equal "$(code)" '[null,-32600]'
  mcp '{"jsonrpc":"2.0","id":{},"method":"ping"}' ; equal "$(code)" '[null,-32600]'
  mcp '{"jsonrpc":"2.0","id":1}' ; equal "$(code)" '[1,-32600]'
  mcp '"ping"' ; equal "$(code)" '[null,-32600]'
  mcp '{"jsonrpc":"2.0","id":1,"method":"ping"' ; equal "$(code)" '[null,-32700]'
  mcp $'{"jsonrpc":"2.0","id":"\xff","method":"ping"}' ; equal "$(code)" '[null,-32700]'
  mcp '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}' ; equal "$(code)" '[null,-32700]'
  mcp '[]' ; equal "$(code)" '[null,-32600]'
  mcp '{"jsonrpc":"2.0","method":"no/such"}' '{"jsonrpc":"2.0","id":5,"result":{}}' '' '  ' ; equal "$output" ""
  run --separate-stderr bash -c "printf '%s\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}' | bid-mcp"
  contains "$output" 'initialize comes first'
}

@test "the rest goes on after a bad line and after a huge one" {
  run --separate-stderr bash -c '{ printf "%s\n{]\n" "$1"; head -c 9000000 /dev/zero | tr "\0" x; printf "\n%s" "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}"; } | bid-mcp' bash "$hello"
  equal "$(printf '%s\n' "$output" | jq -c '[.id, .error.code]' | tr '\n' ' ')" '[0,null] [null,-32700] [null,-32600] [9,null] '
  contains "$output" 'a line of more than 4194304 bytes'
}

@test "a batch is one of 2025-03-26, and has one answer" {
  local batch='[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},7,{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"collections"}}]'
  mcp "$batch"
  equal "$(code)" '[null,-32600]'
  hello=${hello/2025-06-18/2025-03-26}
  mcp "$batch"
  equal "$(printf '%s\n' "$output" | jq -c 'map(.id // .error.code)')" '[1,-32600,2]'
}

@test "2026-07-28: no handshake, each request names its revision" {
  local meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
  run --separate-stderr bash -c "printf '%s\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{$meta}}' '{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{$meta}}' | bid-mcp"
  equal "$(printf '%s\n' "$output" | jq -c '[.id, .result.resultType, .result.cacheScope]' | tr '\n' ' ')" '[1,"complete","private"] [2,"complete","private"] '
  contains "$output" '"supportedVersions":["2024-11-05","2025-03-26","2025-06-18","2025-11-25","2026-07-28"]'
  meta=${meta/2026-07-28/2030-01-01}
  run --separate-stderr bash -c "printf '%s\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{$meta}}' | bid-mcp"
  equal "$(printf '%s\n' "$output" | jq -c '[.error.code, .error.data.requested]')" '[-32022,"2030-01-01"]'
}

slow() {
  instead bid-facts <<'SCRIPT'
#!/bin/sh
echo "bid-facts: asking" >&2
echo $$ >>"$BATS_TEST_TMPDIR/pids"
sleep 60 &
echo $! >>"$BATS_TEST_TMPDIR/pids"
wait
SCRIPT
}
none_left() {
  local tries
  for tries in $(seq 40); do
    xargs -r -n 1 kill -0 <"$BATS_TEST_TMPDIR/pids" 2>/dev/null || return 0
    sleep 0.1
  done
  echo "still there after $tries tries"
  return 1
}

@test "a call that is cancelled is ended with all that it started, and never answered" {
  slow
  run --separate-stderr bash -c '{ printf "%s\n" "$1" "$2"; sleep 1.5; printf "%s\n" "$3" "$4"; } | BID_BIN=$PWD/others bid-mcp' bash "$hello" \
    "$(call facts '{"companies":["A"],"words":["B"]}' | jq -c '.params._meta = {progressToken: "t"}')" \
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"test"}}' '{"jsonrpc":"2.0","id":2,"method":"ping"}'
  equal "$status" 0
  equal "$(printf '%s\n' "$output" | jq -c 'select(has("id")) | .id' | tr '\n' ' ')" '0 2 '
  equal "$(printf '%s\n' "$output" | jq -c 'select(.method == "notifications/progress") | .params | [.progressToken, .message, .progress >= 1]')" '["t","bid-facts: asking",true]'
  none_left
}

@test "a call that takes too long is ended and said to be" {
  slow
  MCP_OPTIONS=--timeout=1 BID_BIN=$PWD/others mcp "$(call facts '{"companies":["A"],"words":["B"]}')"
  contains "$output" 'the call took longer than 1 s'
  none_left
}

started() {
  local tries
  for tries in $(seq 100); do
    [ ! -s pids ] || return 0
    sleep 0.1
  done
  echo "no program was started in $tries tries"
  return 1
}

@test "SIGTERM ends the server and its children" {
  slow
  mkfifo to
  BID_BIN=$PWD/others bid-mcp <to >/dev/null &
  local server=$!
  exec 7>to
  printf '%s\n' "$hello" "$(call facts '{"companies":["A"],"words":["B"]}')" >&7
  started
  kill -TERM "$server"
  wait "$server"
  none_left
}

@test "a client that is gone, though it keeps its end of stdin, ends the server and its children" {
  slow
  mkfifo to from
  BID_BIN=$PWD/others bid-mcp <to >from &
  local server=$!
  exec 7>to 8<from
  printf '%s\n' "$hello" "$(call facts '{"companies":["A"],"words":["B"]}')" >&7
  started
  exec 8<&-
  wait "$server"
  none_left
}

@test "a search program that dies is an error of the call, and is there again for the next" {
  fill
  instead bid-search <<'SCRIPT'
#!/bin/sh
[ -e died ] && exec "$BID_REAL/bid-search" "$@"
: >died
read -r line
kill -9 $$
SCRIPT
  export BID_REAL=$BID_BIN
  run --separate-stderr bash -c '{ printf "%s\n" "$1" "$2"; sleep 1; printf "%s\n" "$2"; } | BID_BIN=$PWD/others bid-mcp' bash "$hello" "$(call search '{"query":"supply chain risks"}')"
  equal "$(printf '%s\n' "$output" | jq -c 'select(.id == 1) | .result.isError' | tr '\n' ' ')" 'true false '
  contains "$output" 'bid-search ended with status 137'
}

@test "twenty calls at once are all answered" {
  fill
  local i
  for i in $(seq 20); do
    call "$([ $((i % 2)) -eq 0 ] && echo collections || echo search)" "$([ $((i % 2)) -eq 0 ] && echo '{}' || echo '{"query":"net sales"}')" | sed "s/\"id\":1/\"id\":$i/"
  done >many
  run --separate-stderr bash -c '{ printf "%s\n" "$1"; cat many; } | bid-mcp' bash "$hello"
  equal "$(printf '%s\n' "$output" | jq -s 'map(select(.result.isError == false)) | length')" 20
}

@test "stdin that can't be read is said" {
  run --separate-stderr bash -c 'bid-mcp <&-'
  equal "$status" 74
  contains "$stderr" "bid-mcp: cannot read stdin: Bad file descriptor"
  run --separate-stderr bash -c 'bid-mcp </'
  equal "$status" 74
  contains "$stderr" "bid-mcp: cannot read stdin: Is a directory"
}

@test "stdout that can't be written is said" {
  run --separate-stderr bash -c 'printf "%s\n" "$1" | bid-mcp >/dev/full' bash "$hello"
  equal "$status" 74
  contains "$stderr" "bid-mcp: cannot write stdout: No space left on device"
}

client() { run --separate-stderr timeout 60 "$EXTRAS/bin/python" "$ROOT/test/extras/mcp_client.py" "$@"; }
need_client() { [ -x "$EXTRAS/bin/python" ] && "$EXTRAS/bin/python" -c 'import mcp' 2>/dev/null || skip "PyPI's mcp is not installed (make extras)"; }
step() { printf '%s\n' "$output" | jq -c "select(.step == \"$1\") | $2"; }

@test "PyPI's mcp: both ways to begin, tools, results checked by the client against their schemas" {
  need_client
  fill
  local mode
  for mode in auto legacy; do
    client "$mode" tools 'call:search:{"query":"supply chain risks","limit":2}' 'call:retrieve:{"query":"supply chain risks"}' \
      'call:search:{"query":7}' read:bid://passage/0 -- bid-mcp
    equal "$status" 0
    step tools .schemas | grep -qx true
    equal "$(step call .error | tr '\n' ' ')" 'false false true '
    equal "$(step read .code)" -32002
  done
  contains "$(client auto -- bid-mcp; step begin .version)" 2026-07-28
  contains "$(client legacy -- bid-mcp; step begin .version)" 2025-11-25
}

@test "PyPI's mcp: progress arrives, and leaving a call ends its program" {
  need_client
  slow
  local mode
  for mode in auto legacy; do
    rm -f pids
    BID_BIN=$PWD/others client "$mode" 'cancel:facts:{"companies":["A"],"words":["B"]}' 'call:sources:{}' -- bid-mcp
    equal "$(step cancel .cancelled)" true
    equal "$(step call .error)" false
    none_left
  done
  instead bid-facts <<'SCRIPT'
#!/bin/sh
sleep 2.5
echo '{"name":"x"}'
SCRIPT
  BID_BIN=$PWD/others client auto 'progress:facts:{"companies":["A"],"words":["B"]}' -- bid-mcp
  step progress '(.told | length >= 2) and (.error | not)' | grep -qx true
}

@test "npm's inspector: lists tools and calls one" {
  [ -x "$INSPECTOR" ] || skip "npm's @modelcontextprotocol/inspector is not installed (make extras)"
  fill
  run --separate-stderr timeout 60 "$INSPECTOR" --cli bid-mcp --method tools/list
  equal "$status" 0
  printf '%s\n' "$output" | jq -e '.tools | any(.name == "search")'
  run --separate-stderr timeout 60 "$INSPECTOR" --cli bid-mcp -e "BID_STORE=$BID_STORE" --method tools/call --tool-name search --tool-arg query="supply chain risks"
  equal "$status" 0
  printf '%s\n' "$output" | jq -e '.structuredContent.matches | length == 5'
}

@test "a refused question is an error, with the names that it may mean" {
  fill
  mcp "$(call retrieve '{"query":"prudential solvency ratio"}')"
  equal "$(printf '%s\n' "$output" | jq -c .result.isError)" true
  contains "$(printf '%s\n' "$output" | jq -r '.result.content[0].text')" "may mean PRUDENTIAL"
}

@test "diff of a company without two filings is an error that says so, not a list without changes" {
  fill
  mcp "$(call diff '{"company":"TWHL","form":"8-K"}')"
  equal "$(printf '%s\n' "$output" | jq -c '.result.isError')" true
  contains "$(printf '%s\n' "$output" | jq -r '.result.content[0].text')" 'too few to compare: the store has'
  run --separate-stderr bid-diff --json -e NOBODY
  equal "$status/$(jq -r .error.category <<<"$output")" 1/no-content
  run --separate-stderr bid-diff --format=html -e NOBODY
  equal "$status/$output" 1/
}

@test "a document or an item is read in parts, and a passage with those beside it" {
  fill
  local whole parts from=0 id
  whole=$(bid-store show TWHL 10-K --item 1A | jq -r .text)
  while [ "$from" != null ]; do
    mcp "$(call read "{\"company\":\"TWHL\",\"form\":\"10-K\",\"item\":\"1A\",\"from\":$from,\"limit\":1000}")"
    parts=$parts$(jq -r '.result.structuredContent.documents[0].text' <<<"$output")$'\n'
    contains "$(jq -r '.result.content[0].text' <<<"$output")" "Source: "
    from=$(jq '.result.structuredContent.documents[0].next' <<<"$output")
    [ "$from" = null ] || contains "$(jq -r '.result.content[0].text' <<<"$output")" "More follows: from $from"
  done
  equal "$(tr -s '\n' <<<"$parts")" "$(tr -s '\n' <<<"$whole")"
  mcp "$(call read '{"company":"TWHL","form":"10-K","item":"99"}')"
  equal "$(jq .result.isError <<<"$output")" true
  id=$(bid-store dump -c '*TWHL_10-K' | jq -r 'select(.chunk.index == 5) | .id')
  mcp "$(call show "{\"ids\":[\"$id\"],\"near\":2}")"
  equal "$(jq -c '[.result.structuredContent.passages[].chunk.index]' <<<"$output")" "[3,4,5,6,7]"
}

@test "commands in messages are calls of tools, where the server has them" {
  fill
  MCP_OPTIONS=--ingest mcp "$(call diff '{"company":"TWHL"}')"
  contains "$(jq -r '.result.content[0].text' <<<"$output")" '`ingest` {"company": "TWHL", "forms": ["10-K"], "limit": 2} reads them'
  mcp "$(call diff '{"company":"TWHL"}')"
  contains "$(jq -r '.result.content[0].text' <<<"$output")" "'bid ingest -e TWHL -f 10-K -n 2' reads them"
  mcp "$(call facts '{"companies":["AAPL"]}')"
  contains "$(jq -r '.result.content[0].text' <<<"$output")" 'one of "words", "statement" is needed'
}
