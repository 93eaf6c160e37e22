# How bid-fetch shows people what is known of sources: one definition for each of its options.
# Input: {object, columns}: records, one a line, and the screen's columns, 0 for any.  Output: lines, each {text, hang}.

def records: .object | split("\n")[] | select(. != "") | fromjson;
def blanks($n): if $n > 0 then " " * $n else "" end;
def left($width): . + blanks($width - length);
def right($width): tostring | blanks($width - length) + .;

def rate: if .hosts == [] then "local" else "\(.rateLimit.requestsPerSecond // 1)/s\(if .rateLimit.serial then " serial" else "" end)" end;

def list: (if .columns > 76 then 38 else 4 end) as $hang
  | [{name: "SOURCE", rate: "RATE", key: "", description: "WHAT IT ANSWERS"},
     (records | {name, rate: rate, key: (if .authRequired then "key" else "" end), description})
     | {text: "\(.name | left(20)) \(.rate | left(11)) \(.key | left(4)) \(.description)", $hang}];

def describe: [records
  | "\(.name): \(.description)",
    (.parameters[]? | "  \(.name | left(16))  \(.description)\(if .required then " (needed)" else "" end)"),
    "hosts: \(.hosts | join(", ") | if . == "" then "none" else . end)",
    "rate: \(rate) (\(.rateLimit.domain // .hosts[0] // "none"))",
    (select(.keyVariable) | "key: \(.keyVariable), \(if .authRequired then "needed" else "optional" end), \(if .keyPresent then "set" else "not set" end)"),
    (select(.terms) | "terms: \(.terms.text) \(.terms.url // "")"),
    (select(.example) | "example: \(.example)")
  | {text: ., hang: -1}];

def check: [records | {text: "\(.source): available"}];

def lint: [records | {text: "\(if .ok then "ok" else "WRONG" end | left(5))  \(.rule | left(12))  \(.fault // "")"}];

def quota: (.columns > 0 and .columns < 95) as $narrow
  | [(select($narrow | not) | {domain: "DOMAIN", source: "SOURCE", requests: "REQUESTS", bytes: "BYTES", last: "LAST"}), records
    | (if $narrow then "\(.domain)  \(.source)", "  requests: \(.requests)"
       else "\(.domain | left(26)) \(.source | left(22)) \(.requests | right(9)) \(.bytes | right(12))  \(.last)" end),
      (select(.blockedUntil) | "  blocked until \(.blockedUntil): \(.reason); bid-fetch --unblock=\(.domain) lifts it")
    | {text: .}];
