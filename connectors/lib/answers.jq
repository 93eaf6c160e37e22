# Shared by the connectors of all sources: errors, scope words, periods, and limiting the size of answers.

def refuse($category; $message): {error: {category: $category, message: $message}};
def invalid($message): refuse("invalid-request"; $message);
def nothing($message): refuse("no-content"; $message);

# Converts a number passed as marked text (more digits than jq keeps) to a jq number.
def num: if type == "string" and startswith("\ufdd0") then .[1:] | tonumber else . end;

# The digits of a number as sent.
def digits: if type == "string" then ltrimstr("\ufdd0") else tostring end;

def trimmed:
  if startswith(" ") or startswith("\t") then .[1:] | trimmed
  elif endswith(" ") or endswith("\t") then .[:-1] | trimmed
  else . end;

# "a, b" as ["a", "b"]; null as [].
def words: if . == null then [] else split(",") | map(trimmed | select(. != "")) end;

def whole: test("^[0-9]{1,9}$");

def left_pad($width): tostring | if length >= $width then . else ("0" * ($width - length)) + . end;

# The first value for each key, in order: unlike unique_by it doesn't sort.
def first_by(f):
  reduce .[] as $v ({seen: {}, out: []};
    ($v | f | tostring) as $k
    | if .seen[$k] then . else .seen[$k] = true | .out += [$v] end)
  | .out;

# Drops empty members.
def known: with_entries(select(.value != null and .value != "" and .value != []));

# Size of a value in a record in bytes, as JSON text inside a JSON string.
def record_bytes: tojson | tojson | utf8bytelength;

# Truncates the array at the path until the whole value takes at most $max bytes in a record; .omitted counts the
# dropped elements.
def fit($path; $max):
  record_bytes as $size
  | if $size <= $max or (getpath($path) | length) == 0 then .
    else
      (getpath($path) | length) as $n
      | (getpath($path) | record_bytes) as $part
      | ([$n - 1, ($n * ($max - ($size - $part) - 40) / $part | floor)] | min) as $keep
      | (if $keep < 0 then 0 else $keep end) as $keep
      | setpath($path; getpath($path)[:$keep])
      | .omitted = ((.omitted // 0) + $n - $keep)
      | fit($path; $max)
    end;

# A summary: the object with instructions for further queries, in a record of less than 32 KB.
def summary($hints; $path): . + {hints: $hints} | fit($path; 30000);

# Approximate date arithmetic to decide which rows belong together: years of 365, months of 30.4 days.
def days: if length < 10 then null
  else (.[0:4] | tonumber) * 365.25 + (.[5:7] | tonumber) * 30.44 + (.[8:10] | tonumber) end;

# The end of a period as a calendar day, where 99 stands for the last month or day.
def last_day: if endswith("-99-99") then .[:4] + "-12-31" elif endswith("-99") then
    (.[:4] | tonumber) as $y | (.[5:7] | tonumber) as $m
    | .[:8] + (["31", (if $y % 4 == 0 and ($y % 100 != 0 or $y % 400 == 0) then "29" else "28" end), "31", "30",
      "31", "30", "31", "31", "30", "31", "30", "31"][$m - 1])
  else . end;

# "2026-03-05..." that many months earlier.  The day may not exist in that month; compared as text it is still right.
def months_before($n):
  ((.[0:4] | tonumber) * 12 + (.[5:7] | tonumber) - 1 - $n) as $m
  | "\($m / 12 | floor)-\($m % 12 + 1 | left_pad(2))\(.[7:10])";

# Whether it is a year, month or day that exists.
def is_calendar: test("^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$")
  and (length < 10 or . <= (.[:8] + "99" | last_day));

# Parses a period: {kind: fiscal|calendar|frame|range, ...}, or null where it is invalid.
#   FY-2024 FY2024 Q3-2024 2024-Q3   fiscal year or quarter, by the company's counting
#   CY2024 CY2024Q1 CY2024Q1I        calendar frame of the SEC
#   2024 2024-03 2024-03-05          days with this prefix
#   2024-01-01..2024-06-30           from and to, either may be omitted
def period:
  if . == null or . == "" then null
  else ascii_upcase as $p
  | ($p | split("-") | join("")) as $q
  | if ($q | test("^FY[0-9]{4}$")) then {kind: "fiscal", fy: $q[2:], fp: "FY"}
    elif ($q | test("^Q[1-4][0-9]{4}$")) then {kind: "fiscal", fy: $q[2:], fp: $q[:2]}
    elif ($q | test("^[0-9]{4}Q[1-4]$")) then {kind: "fiscal", fy: $q[:4], fp: $q[4:]}
    elif ($q | test("^[0-9]{4}FY$")) then {kind: "fiscal", fy: $q[:4], fp: "FY"}
    elif ($q | test("^CY[0-9]{4}(Q[1-4]I?)?$")) then {kind: "frame", frame: $q}
    elif ($p | contains("..")) then
      ($p | split("..")) as $ends
      | if all($ends[]; . == "" or is_calendar) and ($ends | length) == 2 and $p != ".."
        then {kind: "range", from: (($ends[0] | select(. != "")) // null),
              to: (($ends[1] | select(. != "") | . + "-99-99"[length - 4:]) // null)}
        else null end
    elif ($p | is_calendar) then
      {kind: "range", from: $p, to: ($p + "-99-99"[($p | length) - 4:])}
    else null end
  end;
def bad_period: "the period \"\(.)\" is none of FY-2024, Q3-2024, CY2024Q1, 2024, 2024-03, 2024-01-01..2024-06-30";

# Edit distance of two short texts (insertions, deletions, substitutions).
def distance($other):
  explode as $x | ($other | explode) as $y
  | reduce range(0; $x | length) as $i ([range(0; ($y | length) + 1)];
      . as $row
      | reduce range(0; $y | length) as $j ([$i + 1];
          . + [[.[$j] + 1, $row[$j + 1] + 1, $row[$j] + (if $x[$i] == $y[$j] then 0 else 1 end)] | min]))
  | last;
