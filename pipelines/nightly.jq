# nightly.jq: converts a watch list to tasks of bid-nightly(1), one per line and source.
#
#   $list   the watch list's text
#   input   the output of `bid-fetch --list`
#
# Prints a task, {task, line, subject, company, query, source, corpus, since, job}, or {line, subject, refused, unknown}.
# A task's name has only letters, digits, '.', '-' and '_', since it becomes a file and a make target.  It contains a
# digest of everything that the line says about this source, so that a changed line starts anew and a moved line
# doesn't.

def hex: def digit: "0123456789abcdef"[.:. + 1];
  [range(8) as $i | (. / pow(16; 7 - $i) | floor) % 16 | digit] | add;
def digest: reduce explode[] as $c (7; (. * 131 + $c) % 4294967296) | hex;

# Makes any text part of a file name.
def safe: gsub("[^A-Za-z0-9._-]"; "_") | .[:40] | if test("^[A-Za-z0-9_]") then . else "_" + . end;

def trimmed: sub("^ +"; "") | sub(" +$"; "");
def listed: split(",") | map(trimmed | select(. != ""));

# Forms to which a source is restricted, if it is.
def own_forms: {"sec-insider": ["3", "4", "5", "3/A", "4/A", "5/A"]};

# Of a source that lists the newest first, what a run reads at most: the most that the source takes.
def most: {"sec-filings": 1000, "sec-insider": 1000, "sec-full-text": 1000, "sec-holders": 100}[.];

def refuse($why): {refused: $why};

# The parameters of a line, NAME=VALUE each: {given: {NAME: VALUE}} or {refused}.
def parameters: reduce (.[] | trimmed | select(. != "")) as $p ({given: {}};
  if .refused then . elif $p | test("^[A-Za-z_]+=") then .given += {($p | sub("=.*"; "")): ($p | sub("^[^=]*="; ""))}
  else refuse("'\($p)' is not NAME=VALUE") end);

# Whether everything that a source needs is given.
def meets($given): if type == "array" then any(.[]; . as $n | $given | index([$n])) else . as $n | $given | index([$n]) != null end;
def wanted: if type == "array" then join(" or ") else . end;

# The task for a source of a line, or {refused}.
def task($sources; $word):
  . as $line
  | (if $word | startswith("fred:") then "fred" else $word end) as $name
  | ($line.parameters + if $name != $word then {series: ($word | ltrimstr("fred:"))} else {} end) as $given
  | ([$sources[] | select(.name == $name)][0]) as $s
  | if $s == null then refuse("there is no source '\($name)'") + {unknown: $name}
    elif $name == "file" or $name == "mock" then refuse("'\($name)' can't be watched")
    else
      ([$s.parameters[].name]) as $takes
      | ($takes | index(["entity"]) != null) as $about
      | (($line.forms - ($line.forms - (own_forms[$name] // $line.forms))) | if $takes | index(["filingTypes"]) then . else [] end) as $forms
      | ({sources: [$name]}
         + (if $line.company and $about and ($given | has("series") or has("entity") | not) then {entity: {id: $line.company}} else {} end)
         + (if $line.query then {query: $line.query} else {} end)
         + (if $forms != [] then {filingTypes: $forms} else {} end)
         + (if $takes | index(["content"]) then {content: true} else {} end)
         + ($name | most | if . then {limit: .} else {} end)
         + ($given | with_entries(if .key == "limit" and (.value | test("^[0-9]+$")) then .value = (.value | tonumber) elif .key == "entity" then .value = {id: .value} else . end))) as $job
      | ([$job | keys[]] + ["since"]) as $has
      | ([$given | keys[] | . as $k | select($takes | index([$k]) | not)][0]) as $odd
      | ([($s.needs // [])[] | select(meets($has) | not)][0]) as $missing
      | if $odd then refuse("\($name) has no parameter '\($odd)'; it has \($takes | join(", "))")
        elif $line.query and ($takes | index(["query"]) | not) then refuse("\($name) takes no query")
        elif $missing then refuse("\($name) needs \($missing | wanted): NAME=VALUE from the fifth field on")
        else {source: $name, job: $job,
          since: (if ($takes | index(["since"]) == null) or $given.since or $given.period then "never"
                  elif $takes | index(["filingTypes"]) then "stamp" else "year" end),
          key: ([$line.subject, $word, ($forms | sort), $line.corpus, $given] | tojson)}
        end
    end;

def read_line($sources):
  (.text | rtrimstr("\r") | split("\t")) as $f
  | ($f[0] | trimmed) as $subject
  | ($f[4:] | parameters) as $parameters
  | {line: .line, subject: $subject, forms: ($f[1] // "" | listed), corpus: ($f[3] // "" | trimmed), parameters: $parameters.given}
    + (if $subject | test("^\".+\"$") then {query: $subject[1:-1]} elif $subject == "-" then {} else {company: $subject} end)
  | . as $line
  | ($f[2] // "" | listed | if . == [] then [if $line.query then "sec-full-text" else "sec-filings" end] else . end) as $words
  | if ($f | length) == 1 and ($f[0] | test("^[^\"].*(  | [0-9A-Z]{1,3}-[A-Z0-9]+)")) then
      refuse("the fields are separated by blanks; they have to be separated by tabs")
    elif $subject == "" then refuse("the first field, a company, is empty")
    elif [.. | strings | test("[[:cntrl:]]")] | any then refuse("the line has a control character; a watch list is plain text")
    elif $parameters.refused then $parameters
    elif $line.corpus | test("^[A-Za-z0-9.-]*$") | not then refuse("'\($line.corpus)' is no corpus (letters, digits, '.', '-')")
    else $words[] as $word | task($sources; $word)
    end
  | {line: $line.line, subject: $subject, company: $line.company, query: $line.query, corpus: $line.corpus} + .
  | if .key then .task = "\($subject | safe).\(.source).\(.key | digest)" else . end | del(.key)
  | if $subject == "-" then .subject = (.job.series // .source // "-") else . end;

[inputs] as $sources
| [$list | split("\n") | to_entries[] | {line: (.key + 1), text: .value}
 | select(.text | test("^[ \t\r]*(#|$)") | not) | read_line($sources)]
| reduce .[] as $t ({seen: {}, out: []};
    if $t.task and .seen[$t.task] then .seen[$t.task] as $first | .out += [$t | del(.task, .job) | .refused = "the same as line \($first)"]
    else .out += [$t] | if $t.task then .seen[$t.task] = $t.line else . end end)
| .out[]
