# The Model Context Protocol of bid-mcp: what is done with a message, and what answers a call.  The text of a result is made as the
# tool's `run` says (data/mcp-tools.json):
#   text: "passages"  each passage of `links` with its mark, context, text, source and id
#   text: "changes"   of bid-diff: the counts, then the changes below their headings
#   text: "table"     the records of `member` as a Markdown table of `columns`, paths into a record; what is the same in all of several
#                     records stands once above it, what none has is left out
#   text: PATH        the text at that path, then the filings that EDGAR has
# Without it the text is the JSON.

# The value at "a.b", as [value]; [] where it isn't there.
def found($keys): if $keys == [] or type != "object" then [.] elif has($keys[0]) then .[$keys[0]] | found($keys[1:]) else [] end;
def at($path): found($path // "" | split("."))[0];

def line($lead): strings | $lead + . + "\n";

def passages: [arrays | to_entries[] | (if .key > 0 then "\n" else "" end) + "[\(.key + 1)] ", (.value
  | (.context | line("")), (.text | line("")), (.sourceUrl | line("Source: ")), (.id | line("id: ")),
    (select(has("next")) | "More follows: from \(.next | tojson)\n"))];

def context($filings): [
  if . and . != "" then line("") else "Nothing relevant was found." end,
  ($filings | arrays[] | (.form | line("\nFiling: ")), (.filingDate | line("filed ")), (.href | line("")))];

def counts: (.old.sourceUrl? | line("old: ")), (.new.sourceUrl? | line("new: ")), "paragraphs: " + ([["same", "moved", "numbers", "changed", "added", "dropped"][] as $kind
    | $kind + " " + (if has($kind) then .[$kind] | tojson else "" end)] | join(", ")) + "\n",
  (select(has("notShown")) | "\(.notShown) further changes are not shown: `limit` says how many are\n");

def changes: [foreach (arrays[]) as $m ({};
  if $m.diff then {heading, lines: [$m.diff | counts]}
  else {heading: $m.heading, lines: [
    (if $m.heading != .heading then $m.heading | line("\n## ") else empty end),
    ($m.change | line("\n")), ($m.old | line("- ")), ($m.new | line("+ "))]} end; .lines[])];

def put($from; $to): if contains($from) then split($from) | join($to) else . end;
# JSON as text, with the digits of numbers that are passed as marked texts.
def json: tojson | if contains("\ufdd0") then gsub("\"\ufdd0(?<digits>[^\"]*)\""; .digits) else . end;
def cell: if type == "string" then put("|"; "\\|") | put("\n"; " ") else json end;

def table($paths): arrays | select(length > 0) | . as $records
  | [$paths[:24][] | split(".") as $keys | [$records[] | found($keys)] as $values | select(any($values[]; . != []))
      | {name: $keys[-1], values: $values, same: (($values | length > 1) and all($values[]; . == $values[0]))}]
  | ([.[] | select(.same) | .name + " " + (.values[0][0] | cell)] | join("; ") | if . == "" then . else "All rows: " + . + "\n\n" end),
    ([.[] | select(.same | not)] | . as $columns
      | [[.[].name], [.[] | "---"], (range($records | length) as $i | [.[].values[$i] | if . == [] then "" else .[0] | cell end])][]
      | (map("| " + . + " ") | join("")) + "|\n");

def text($run): (if $run.text == "passages" then at($run.links) | passages
    elif $run.text == "changes" then at($run.member) | changes
    elif $run.text == "table" then [at($run.member) | table($run.columns)]
    elif $run.text then at("edgar.filings") as $filings | at($run.text) | context($filings)
    else [json] end | join(""))
    + ([select($run.text) | objects | .warning | line("Warning: ")] | join(""))
  | if . == "" then "Nothing relevant was found." else . end;

# The first fault of a value by the part of JSON Schema (2020-12) that arguments of tools need, or nothing: type, enum, properties,
# required, additionalProperties, items, and bounds of numbers, bytes and elements.  Other keywords are ignored.

# A number that jq would round comes as a marked text.
def type_of: if type == "string" and startswith("\ufdd0") then "number" else type end;
def digits: if type == "string" then .[1:] else tojson end;
def kind: {object: "an object", array: "a list", string: "a string", number: "a number", null: "null", boolean: "true or false"}[type_of];
def is_of($wanted): if $wanted == "integer" then type_of == "number" and (digits | test("^-?[0-9]+$")) else type_of == $wanted end;
def bounds($least; $most; $unit): if $least != null and . < $least then "\(.)\($unit) is less than \($least)"
  elif $most != null and . > $most then "\(.)\($unit) is more than \($most)" else empty end;

def fault($schema; $name): . as $value | first(
  (select($schema.type and ([$schema.type] | flatten | any(.[]; . as $type | $value | is_of($type)) | not))
    | "\($name) is \(kind); expected \($schema.type | tojson)" + (if type_of == "string" and $schema.type == "array" then ", as [\"one\", \"two\"]" else "" end)),
  (select($schema.enum and ($schema.enum | index([$value]) | not)) | "\($name): \(tojson[:60]) is none of \($schema.enum | tojson[:300])"),
  (objects | to_entries[] | .key as $key | .value | ($schema.properties // {}) as $known
    | if $known | has($key) then fault($known[$key]; "\($name).\($key[:60])")
      elif $schema.additionalProperties | type == "object" then fault($schema.additionalProperties; "\($name).\($key[:60])")
      elif $schema.additionalProperties == false then
        "\($name): there is no \"\($key[:60])\"; known are \($known | keys_unsorted | join(", ") | if . == "" then "none" else .[:300] end)"
      else empty end),
  (objects as $object | $schema.required // [] | .[] | select(. as $key | $object | has($key) | not) | "\($name): \(tojson) is missing"),
  (arrays | to_entries[] | .key as $i | .value | fault($schema.items // {}; "\($name)[\($i)]")),
  ((arrays | length | bounds($schema.minItems; $schema.maxItems; " elements")),
    (strings | utf8bytelength | bounds($schema.minLength; $schema.maxLength; " bytes")),
    (select(type_of == "number") | digits | tonumber | bounds($schema.minimum; $schema.maximum; "")) | "\($name): " + .));

# Arguments as the schema has them: under the name that the tool uses where another one uses another ($same), a text as a list of
# one and the other way round, digits as an integer.
def settled($schema; $same): with_entries(.key as $key
  | .key = first(($key | select(. as $one | $schema.properties | has($one))),
      ($same[] | select(index([$key])) | [.[] | select(. as $one | $schema.properties | has($one))] | .[-1] | strings), $key)
  | $schema.properties[.key].type as $wanted
  | .value |= if $wanted == "array" and type_of == "string" then [.]
      elif $wanted == "integer" and type == "string" and test("^(0|[1-9][0-9]*)$") then tonumber
      elif $wanted == "string" and type == "array" and length == 1 and (.[0] | type_of == "string") then .[0]
      else . end);

def lacks($needs): . as $arguments | select($needs) | [$needs[] | select(. as $one | $arguments | has($one))] | select(. == [])
  | "arguments: one of \($needs | map(tojson) | join(", ")) is needed";

# Links to the filings of the records at `links`: for a figure its filing, else the document; of a comparison two.
def known($name): if has($name) or (.metadata | type != "object") then .[$name] else .metadata[$name] end | strings | select(. != "");
def link: (if has("href") then .href else .sourceUrl end) as $url | select($url | type == "string" and startswith("https://"))
  | {type: "resource_link", uri: $url, name: ([(known("ticker") // known("company")), known("form"), known("filingDate")] | join(" ") | if . == "" then "document" else . end)};
def links($path): if $path then [at($path) | arrays[] | objects | if .diff | type == "object" then .diff.new, .diff.old else . end
    | objects | link] | reduce .[] as $one ([]; if any(.[]; .uri == $one.uri) or length == 32 then . else . + [$one] end) else [] end;

# Messages of programs in the client's words: arguments instead of options, calls of tools instead of commands.
def option($run; $word): ({"-e": ["--company", "--entity"], "-f": ["--form"], "-n": ["--limit"], "-p": ["--period"],
    "-P": ["--param"]}[$word] // [$word]) as $long
  | first($run.options // {} | to_entries[] | select(.value as $one | $long | index([$one])) | .key);

def words: [match("'[^']*'|\"[^\"]*\"|[^ ]+"; "g") | {text: (.string | if test("^['\"]") then .[1:-1] else . end), to: (.offset + .length)}];

def written($tool): group_by(.name) | sort_by(.[0].at) | [.[] | .[0].name as $name | $tool.schema.properties[$name].type as $wanted
  | "\"\($name)\": " + (if $wanted == "array" then "[" + (map("\"\(.value)\"") | join(", ")) + "]"
      elif $wanted == "integer" then .[0].value else "\"\(.[0].value)\"" end)] | join(", ");

# "bid ingest -e WMT" as ["`ingest` {\"company\": \"WMT\"}", what follows the options]; nothing where no tool has the program and its options.
def call($tools): . as $said | words as $word | (if $word[0].text == "bid" then 1 else 0 end) as $first
  | ((if $first == 1 then "bid-" else "" end) + ($word[$first].text // "")) as $program
  | first($tools[] | select(.run.program == $program and (.run.omit | not))) as $tool
  | {at: ($first + 1), to: $word[$first].to, list: []}
  | until(.failed or (.at as $at | $word[$at].text // "" | startswith("-") | not); .at as $at
      | [option($tool.run; $word[$at].text)][0] as $name | .failed = ($name == null) | .at += 2
      | .list += [{$name, $at, value: ($word[$at + 1].text // "")}] | .to = ($word[$at + 1] // $word[$at]).to)
  | select(.failed | not)
  | ["`\($tool.name)`" + (if .list == [] then "" else " {" + (.list | written($tool)) + "}" end), $said[.to:]];

def spoken($run; $tools): . as $said | reduce (match("(?<help>; see 'bid-[^']* --help')|'(?<quoted>bid[ -][a-z][^'\n]*)'"
    + "|(?<![^ (])(?<bare>bid[ -][a-z](?![^ ]*: )[^,;)\n]*)|(?<![^ '(,])(?<option>-P.?|-[a-z-]*)"; "g"), null) as $m ({at: 0, out: ""};
  ($m.captures // [] | map({(.name): .string}) | add // {}) as $found
  | .out += $said[.at:($m.offset // ($said | length))]
  | .at = ($m.offset // 0) + ($m.length // 0)
  | .out += if $found.quoted then ([$found.quoted | call($tools)][0] // ["", "x"]) as $made | if $made[1] == "" then $made[0] else $m.string end
      elif $found.bare then ([$found.bare | call($tools)][0] // [$m.string, ""]) as $made | $made[0] + ($made[1] | if . == "" then "" else spoken($run; $tools) end)
      elif $found.option then ($found.option | if startswith("-P") then .[:2] else . end) as $word | [option($run; $word)][0] as $name
        | if $name == null then $m.string elif $m.length > 2 and $word == "-P" then $name + "." else $name end
      else "" end) | .out;

# ---- messages ----

# Revisions of the protocol, by their index: what it is, and what it brought.
def eras: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
def era: {structured: 2, last_with_handshake: 3, without_handshake: 4};

def self: {name: "bid-mcp", title: "BID: passages and figures of financial filings", version: .version};
def tools: [.table.tools[] | {name: .tool.name, schema: .tool.inputSchema, run}];

# A result in the request's revision; $lasting: the client may cache it.
def reply($result; $lasting): {jsonrpc: "2.0", id: .id, result: (if .era < era.without_handshake then $result
  else {resultType: "complete", _meta: {"io.modelcontextprotocol/serverInfo": self}}
    + (if $lasting then {ttlMs: 0, cacheScope: "private"} else {} end) + $result end)};
def refusal($code; $why): {jsonrpc: "2.0", id: .id, error: {code: $code, message: $why}};
def failed($why): {content: [{type: "text", text: $why}], isError: true};
def no_resource($uri): refusal(-32002; "there is no such resource") | .error.data = {uri: $uri};

# The words of a command line behind its program: an option is repeated for a list, has NAME=VALUE for an object, stands alone for true.
def argv($run; $may_write): . as $given | [$run.arguments[]?, (select($may_write | not) | $run.readOnly[]?),
  ($run.options // {} | to_entries[] | .value as $option | $given[.key] | select(. != null and . != false)
    | if type == "array" then .[] | $option, .
      elif type == "object" then to_entries[] | $option, "\(.key)=\(.value)"
      elif . == true then $option
      else $option, . end),
  ($run.operands | arrays | "--", (.[] as $name | $given[$name] | select(. != null) | if type == "array" then .[] else . end))];

# What the server is to do for a call: a program with `argv`, or bid-search with a `question`; or what `otherwise` makes of the fault.
def start($tool; $arguments; $uri; otherwise): . as $in
  | ($arguments | settled($tool.schema; $in.table.sameArguments // [])) as $settled
  | [$settled | fault($tool.schema; "arguments"), lacks($tool.run.needs), lacks($tool.run.needsToo)][0] as $fault
  | if $fault then {send: ($fault | otherwise)}
    else {call: ({tool: $tool.name, uri: $uri, era: .era, decode: ($tool.run.decode != null)}
      + (if $tool.run.kind == "question" then {question: ($settled | with_entries(.key |= ($tool.run.fields[.] // .)))}
         else {argv: ($settled | argv($tool.run; $in.mayWrite))} end)
      + {token: ([.params._meta | objects | .progressToken | strings, numbers][0])})} end;

def methods: {
  "initialize": {early: true}, "server/discover": {early: true}, "ping": {early: true},
  "tools/list": {list: true}, "resources/list": {list: true}, "resources/templates/list": {list: true},
  "tools/call": {}, "resources/read": {}};

def abilities: {capabilities: {tools: {}, resources: {}}} + (.table | {instructions} | with_entries(select(.value)));

def greeting: .params.protocolVersion as $wanted
  | if $wanted | type != "string" then {send: refusal(-32602; "\"protocolVersion\" is no string")}
    else (eras[:era.last_with_handshake + 1] | index([$wanted]) // era.last_with_handshake) as $agreed
      | {era: $agreed, send: reply({protocolVersion: eras[$agreed], serverInfo: self} + abilities; false)} end;

def calling: . as $in | (.params.arguments // {}) as $arguments | .params.name as $name
  | [tools[] | select(.name == $name)][0] as $tool
  | if $name | type != "string" then {send: refusal(-32602; "\"name\" is no string")}
    elif $tool == null then {send: refusal(-32602; "there is no tool \($name | tojson[:100])")}
    elif $arguments | type != "object" then {send: refusal(-32602; "\"arguments\" is no object")}
    else start($tool; $arguments; null; . as $why | $in | reply(failed($why); false)) end;

# A passage is read by the tool that shows passages.
def reading: . as $in | .params.uri as $uri | [tools[] | select(.name == "show")][0] as $show
  | if $uri | type != "string" then {send: refusal(-32602; "\"uri\" is no string")}
    elif $show and ($uri | test("^bid://passage/.")) then start($show; {ids: [$uri[14:]]}; $uri; $in | no_resource($uri))
    else {send: no_resource($uri)} end;

def passage_template: {uriTemplate: "bid://passage/{id}", name: "passage", title: "A stored passage",
  description: "The text of a passage, by the id that search gave", mimeType: "text/markdown"};

def answered: methods[.method] as $known | .method as $method
  | if $known == null then {send: refusal(-32601; "there is no such method")}
    elif ($known.early | not) and .agreed == null and .era < era.without_handshake then {send: refusal(-32600; "initialize comes first")}
    elif .busy then {send: refusal(-32600; "a request with this id is being answered")}
    elif $known.list and .params.cursor != null then {send: refusal(-32602; "\"cursor\" is none that this server gave")}
    elif $method == "initialize" then greeting
    elif $method == "server/discover" then {send: reply({supportedVersions: eras} + abilities; true)}
    elif $method == "ping" then {send: reply({}; false)}
    elif $method == "tools/list" then {send: reply({tools: [.table.tools[].tool]}; true)}
    elif $method == "resources/list" then {send: reply({resources: []}; true)}
    elif $method == "resources/templates/list" then {send: reply({resourceTemplates: [passage_template]}; true)}
    elif $method == "tools/call" then calling
    else reading end;

# What the server does with a message: {send}, a message; {call}; {cancel}, the id of a call; {era}, the revision that is agreed.
# Input: {message, agreed (that revision, or null), busy (a call has its id), mayWrite, table (data/mcp-tools.json), version}.
def message: .message as $m | [$m | objects | .id | strings, numbers][0] as $id
  | .id = $id
  | if $m | type != "object" then {send: refusal(-32600; "a message is a JSON object")}
    elif $m.jsonrpc != "2.0" then {send: refusal(-32600; "\"jsonrpc\" is not \"2.0\"")}
    elif ($m | has("method") | not) and ($m | has("result") or has("error")) then {}
    elif $m.method | type != "string" then {send: refusal(-32600; "\"method\" is no string")}
    elif $m.params // {} | type != "object" then {send: refusal(-32600; "\"params\" is no object")}
    elif ($m | has("id")) and $id == null then {send: refusal(-32600; "\"id\" is neither a string nor a number")}
    elif $id == null then if $m.method == "notifications/cancelled" then {cancel: $m.params.requestId} else {} end
    else .method = $m.method | .params = ($m.params // {})
      | [.params._meta | objects | .["io.modelcontextprotocol/protocolVersion"] | values][0] as $named
      | .era = (if $named == null then .agreed // 0 else eras | index([$named]) end)
      | if .era == null then {send: (refusal(-32022; "unsupported protocol version") | .error.data = {supported: eras, requested: $named})}
        else answered end
    end;

# ---- answers ----

def without_newlines: until(endswith("\n") | not; .[:-1]);

# What a program printed as {good, result, errors}.
def collected($run): [.records[] | select(.error)] as $bad | [.records[] | select(.error | not)] as $good
  | [$bad[].error] as $errors # what a payload's content hints at are options of the command
  | if $run.kind == "records" then [$good[] | select($run.omit == null or .name != $run.omit)
      | if $run.decode and (.content | type == "object") then del(.content.hints) else . end] as $list
      | {good: ($list | length), $errors, result: ({($run.member): $list} + if $errors == [] then {} else {$errors} end)}
    else {good: ($good | length), errors: (if $errors == [] then [$good[0].errors | arrays[]] else $errors end), result: $good[0]} end;

# The message that answers a call.  Input: {id, tool, uri, era, records (objects that its program printed), said (its stderr),
# status, why (there is no result, or null), table, version}.
def answer: . as $in | .tool as $name | tools as $tools | ([$tools[] | select(.name == $name)][0].run) as $run
  | def speak: spoken($run; $tools);
  if .uri then ([.records[] | select(.error | not) | .text | strings][0]) as $text
    | if .why or $text == null then no_resource(.uri) else reply({contents: [{uri: .uri, mimeType: "text/markdown", text: $text}]}; true) end
  elif .why then reply(failed(.why); false)
  else collected($run) as $made
    | ([$made.errors[] | "\(.category // ""): \(.message // "" | speak)"] | join("\n")) as $faults
    | if ($run.kind == "object" and .status == 64) # a refused question is an object without an answer
         or ($made.good == 0 and (.status > 1 or $made.errors != [] or $run.kind != "records")) then
        first(($faults, (.said | without_newlines | speak), "the program ended with status \(.status) and gave no reason") | select(. != "")) as $why
        | reply(failed($why); false)
      else (.era >= era.structured) as $structured | ($made.result | text($run)) as $text
        | reply({content: ([{type: "text", text: ($text + if $run.text and $faults != "" then "\n" + $faults else "" end)}]
              + if $structured then $made.result | links($run.links) else [] end)}
            + (if $structured then {structuredContent: $made.result} else {} end) + {isError: false}; false) end
  end;
