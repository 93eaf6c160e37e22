# The result of a tool of bid-mcp as text for a model, as the tool's `run` says (data/mcp-tools.json):
#   text: "passages"  each passage of `links` with its mark, context, text, source and id
#   text: "changes"   of bid-diff: the counts, then the changes below their headings
#   text: "table"     the records of `member` as a Markdown table of `columns`, paths into a record; what is the same in all of several
#                     records stands once above it, what none has is left out
#   text: PATH        the text at that path, then the filings that EDGAR has
# Input: {run, result}.

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

def step: .run as $run | .result
  | (if $run.text == "passages" then at($run.links) | passages
    elif $run.text == "changes" then at($run.member) | changes
    elif $run.text == "table" then [at($run.member) | table($run.columns)]
    else at("edgar.filings") as $filings | at($run.text) | context($filings) end | join(""))
    + ([.warning | line("Warning: ")] | join(""));
