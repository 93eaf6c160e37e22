# How a source's JSON answer is shown to people: labelled values, and tables for arrays of objects.
# Input: {object, columns}, of the screen, 0 for any.  Output: lines, each {text}, {text, hang} to be wrapped (-1: below its last
# column), or {link}.

def name: gsub("(?<a>[a-z])(?<b>[A-Z])"; "\(.a) \(.b | ascii_downcase)");

# The columns that a text takes: letters of East Asia take two.
def width: if test("^[ -~]*$") then length else
  explode | map(if . < 4352 then 1 elif . <= 4447 or (. >= 11904 and . <= 42191) or (. >= 44032 and . <= 55203) or
    (. >= 63744 and . <= 64255) or (. >= 65280 and . <= 65376) or . >= 127744 then 2 else 1 end) | add // 0 end;

# Filled to `$to` columns; a longer one is cut.
def blanks: if . > 0 then . * " " else "" end;
def cut($to): until(width < $to; .[:-1]) + "…";
def cell($column): width as $w
  | if $w > $column.width then cut($column.width)
    elif $column.words then . + ($column.width - $w | blanks)
    else ($column.width - $w | blanks) + . end | "  " + .;

# A value on one line; a time without the fraction of a second that is 0.
def value($depth):
  if type == "string" then if test("^[0-9-]{10}T[0-9:]{8}\\.000Z$") then .[:19] + "Z" else . end
  elif type == "array" then reduce .[] as $one (null;
    (if . == null then "" elif $one | type == "object" then . + "; " else . + ", " end) + ($one | value($depth))) // ""
  elif type == "object" then if $depth < 3 then
    [to_entries[] | select(.value != null) | (.key | name) + " " + (.value | value($depth + 1))] | join(", ") else "" end
  elif . == null then ""
  else tojson end;
def shown: value(0) | gsub("[\n\r\t]"; " ");

def line($key): select(. != "")
  | {text: ("  " + ($key | name) + (16 - ($key | name | width) | if . < 2 then 2 else . end | blanks) + .),
     hang: (if $key == "" then 18 else -1 end)};

# A list of texts with blanks is a line for each.
def member($key): if type == "array" and (.[0] | type == "string" and contains(" "))
  then (.[:12] | to_entries[] | .key as $i | .value | shown | line(if $i == 0 then $key else "" end)),
    (select(length > 12) | "\(length - 12) more; --json has them" | line(""))
  else shown | line($key) end;

# The columns of rows: those without what another one has are not distinct; those for which there is no room are not drawn.
def columns($rows; $most):
  (reduce ($rows[] | keys_unsorted[]) as $key ([]; if index([$key]) or length == 24 then . else . + [$key] end)) as $keys
  | [$keys[] as $key | {key: $key, head: ($key | name), texts: [$rows[] | .[$key] | shown], values: [$rows[] | .[$key]]}
      | .width = ([[.texts[] | width] | max // 0, 36] | min)
      | .words = any(.values[]; type != "number" and . != null and (tostring | startswith("\ufdd0") | not))
      | .blanks = any(.texts[]; contains(" "))
      | .address = any(.values[]; type == "string" and startswith("http") and length > 6)] as $all
  | (first($all[] | select(.address) | .values) // null) as $links
  | [range($all | length) as $i | $all[$i]
      | .distinct = (.width > 0 and (.address | not) and all($all[:$i][]; .values != $all[$i].values) and
          ($links == null or ([.values, $links] | transpose
            | all(.[]; .[1] as $link | .[0] | type == "string" and length > 5 and ($link | type == "string") and . as $v | $link | contains($v)) | not)))
      | .whole = ([.width, (.head | width)] | max)
      | .width = if $most > 0 and .blanks and .whole > 16 then 16 else .whole end]
  | reduce .[] as $c ({used: 0, list: []};
      ($c.distinct and ($most == 0 or .used == 0 or .used + $c.width + 2 <= $most)) as $drawn
      | .list += [$c + {drawn: $drawn}] | .used += if $drawn then $c.width + 2 else 0 end)
  | reduce range(.list | length) as $i (.; if $most > 0 and .list[$i].drawn
      then ([.list[$i].whole - .list[$i].width, ([$most - .used, 0] | max)] | min) as $more | .list[$i].width += $more | .used += $more
      else . end) | .list;

def table($key; $most): length as $total | [.[:100][] | objects] as $rows | columns($rows; $most) as $columns
  | [$columns[] | select(.drawn)] as $drawn
  | {text: ""}, {text: ("  " + ($key | name))}, {text: ""},
    {text: ([$drawn[] as $c | $c.head | cell($c)] | join("") | sub(" +$"; ""))},
    (range($rows | length) as $r
      | {text: ([$drawn[] as $c | $c.texts[$r] | cell($c)] | join("") | sub(" +$"; ""))},
        ($columns[] | select(.address) | .texts[$r] | select(. != "") | {link: .})),
    ([$columns[] | select(.distinct and (.drawn | not)) | .head] + if $total > ($rows | length) then ["\($total - ($rows | length)) more rows"] else [] end
      | select(length > 0) | {text: ("  left out: " + join(", ") + "; --json has them"), hang: 2}),
    {text: ""};

# An array of objects is a table; where its objects have tables, these come one after the other.
def shape: if type != "array" or (.[0] | type != "object" or length < 2) then "plain"
  elif .[0].rows | type == "array" and (.[0] | type == "object") then "objects" else "table" end;
def object($depth; $most): to_entries[] | .key as $key | .value
  | (if $depth < 3 then shape else "plain" end) as $shape
  | if $shape == "plain" then member($key)
    elif $shape == "table" then table($key; $most)
    else .[] | object($depth + 1; $most) end;

def step: .columns as $most | [.object | object(0; $most)];
