# For bid-mcp: arguments checked by their schema, and the result of a tool as text for a model, as the tool's `run` says (data/mcp-tools.json):
#   text: "passages"  each passage of `links` with its mark, context, text, source and id
#   text: "changes"   of bid-diff: the counts, then the changes below their headings
#   text: "table"     the records of `member` as a Markdown table of `columns`, paths into a record; what is the same in all of several
#                     records stands once above it, what none has is left out
#   text: PATH        the text at that path, then the filings that EDGAR has
# `result` takes {run, result}, `check` {tool: {schema, run}, same, value}, `speak`
# {run, tools: [{name, run, schema}], said}.

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
def cell: if type == "string" then put("|"; "\\|") | put("\n"; " ") else tojson end;

def table($paths): arrays | select(length > 0) | . as $records
  | [$paths[:24][] | split(".") as $keys | [$records[] | found($keys)] as $values | select(any($values[]; . != []))
      | {name: $keys[-1], values: $values, same: (($values | length > 1) and all($values[]; . == $values[0]))}]
  | ([.[] | select(.same) | .name + " " + (.values[0][0] | cell)] | join("; ") | if . == "" then . else "All rows: " + . + "\n\n" end),
    ([.[] | select(.same | not)] | . as $columns
      | [[.[].name], [.[] | "---"], (range($records | length) as $i | [.[].values[$i] | if . == [] then "" else .[0] | cell end])][]
      | (map("| " + . + " ") | join("")) + "|\n");

def text: .run as $run | .result
  | (if $run.text == "passages" then at($run.links) | passages
    elif $run.text == "changes" then at($run.member) | changes
    elif $run.text == "table" then [at($run.member) | table($run.columns)]
    else at("edgar.filings") as $filings | at($run.text) | context($filings) end | join(""))
    + ([.warning | line("Warning: ")] | join(""));

# The first fault of a value by the part of JSON Schema (2020-12) that arguments of tools need, or nothing: type, enum, properties,
# required, additionalProperties, items, and bounds of numbers, bytes and elements.  Other keywords are ignored.

def kind: {object: "an object", array: "a list", string: "a string", number: "a number", null: "null", boolean: "true or false"}[type];
def is_of($wanted): if $wanted == "integer" then type == "number" and (tojson | test("^-?[0-9]+$")) else type == $wanted end;
def bounds($least; $most; $unit): if $least != null and . < $least then "\(.)\($unit) is less than \($least)"
  elif $most != null and . > $most then "\(.)\($unit) is more than \($most)" else empty end;

def fault($schema; $name): . as $value | first(
  (select($schema.type and ([$schema.type] | flatten | any(.[]; . as $type | $value | is_of($type)) | not))
    | "\($name) is \(kind); expected \($schema.type | tojson)" + (if type == "string" and $schema.type == "array" then ", as [\"one\", \"two\"]" else "" end)),
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
    (numbers | bounds($schema.minimum; $schema.maximum; "")) | "\($name): " + .));

# Arguments as the schema has them: under the name that the tool uses where another one uses another ($same), a text as a list of
# one and the other way round, digits as an integer.
def settled($schema; $same): with_entries(.key as $key
  | .key = first(($key | select(. as $one | $schema.properties | has($one))),
      ($same[] | select(index([$key])) | [.[] | select(. as $one | $schema.properties | has($one))] | .[-1] | strings), $key)
  | $schema.properties[.key].type as $wanted
  | .value |= if $wanted == "array" and type == "string" then [.]
      elif $wanted == "integer" and type == "string" and test("^(0|[1-9][0-9]*)$") then tonumber
      elif $wanted == "string" and type == "array" and length == 1 and (.[0] | type == "string") then .[0]
      else . end);

def lacks($needs): . as $arguments | select($needs) | [$needs[] | select(. as $one | $arguments | has($one))] | select(. == [])
  | "arguments: one of \($needs | map(tojson) | join(", ")) is needed";

def check: .tool as $tool | (.same // []) as $same | .value | settled($tool.schema; $same)
  | {arguments: ., fault: first(fault($tool.schema; "arguments"), lacks($tool.run.needs), lacks($tool.run.needsToo), null)};

# Links to the filings of the records at `links`: for a figure its filing, else the document; of a comparison two.
def known($name): if has($name) or (.metadata | type != "object") then .[$name] else .metadata[$name] end | strings | select(. != "");
def link: (if has("href") then .href else .sourceUrl end) as $url | select($url | type == "string" and startswith("https://"))
  | {type: "resource_link", uri: $url, name: ([(known("ticker") // known("company")), known("form"), known("filingDate")] | join(" ") | if . == "" then "document" else . end)};
def links: .run.links as $path | if $path then .result | [at($path) | arrays[] | objects | if .diff | type == "object" then .diff.new, .diff.old else . end
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
def speak: .run as $run | .tools as $tools | .said | spoken($run; $tools);

def result: {text: (if .run.text then text else null end), links: links};
