# bid-fetch --lint: what a source declares, and what its first step returns, against the contract of bid-connectors(5).
# Without "answer" or "failed" it returns the job to try, in which each parameter has its example.

def examples: [.declared.parameters | arrays[] | select(.name | type == "string")];

def categories: ["unavailable", "no-content", "auth-failed", "rate-limited", "invalid-request", "internal", "connector-not-registered",
  "no-collection", "model-mismatch", "stale"];

# What is needed, of alternatives the first.
def needed: [.declared.needs | arrays[] | if type == "array" then .[0] else . end];

def job: examples as $list | needed as $needed
  | reduce $list[] as $p ({entity: {id: null, aliases: []}, period: null, query: null, since: null, filingTypes: [], operands: [],
      limit: null, content: false, plan: null, company: null, params: {}};
      if $p.name == "entity" then .entity.id = ($p.example // "320193")
      elif $p.name == "query" then .query = ($p.example // "risk")
      elif $p.name == "filingTypes" then (if $p.example then .filingTypes = [$p.example] else . end)
      elif $p.name == "operands" then .operands = ["report.txt"]
      elif $p.example and ($p.required or ($needed | index($p.name))) then .params[$p.name] = $p.example
      elif $needed | index($p.name) then .params[$p.name] = "1"
      else . end);

def is_declared($hosts): (strings | ascii_downcase | capture("^https?://(?<host>[^/?#:@]*)(:[0-9]+)?([/?#]|$)").host) // ""
  | . as $host | any($hosts[]; . == $host or (startswith("*.") and (.[1:] as $suffix | $host | endswith($suffix))));

def declaration: . as $in | .declared as $d | ($d.hosts // []) as $hosts | {
  name: (if ($d.name // .name) != .name then "it is declared as \($d.name | tojson), but its file is \(.name).jq" else null end),
  description: ($d.description | utf8bytelength
    | if . < 10 or . > 160 then "it has \(.) bytes; one sentence of 10 to 160 says what it answers" else null end),
  authRequired: (
    if $d.authRequired | type != "boolean" and . != null then "it is neither true nor false"
    elif $d.authRequired and ($d.keyVariable | not) then "a key is required, but keyVariable doesn't name the variable that has it"
    elif $d.keyVariable and (.keyAllowed | not) then "keys.tsv names no host that may get \($d.keyVariable)"
    else null end),
  rateLimit: (
    if $hosts == [] then null
    elif ($d.rateLimit.requestsPerSecond | numbers) // 0 | . <= 0 then "requestsPerSecond is no number above 0"
    elif ($d.rateLimit.burstSize | numbers) // 0 | . < 1 then "burstSize is no whole number above 0"
    else null end),
  scope: (
    if $d.parameters | type != "array" then "there is no array of parameters"
    else first(
      ($d.parameters[] | select(.name | type != "string" or . == "") | "a parameter has no name"),
      ($d.parameters[] | select((.description // "") == "") | "the parameter \(.name) has no description"),
      ($d.parameters | group_by(.name)[] | select(length > 1) | "the parameter \(.[0].name) is declared twice"),
      ($d.needs | arrays | flatten[] | select(. as $need | [$in | examples[].name, "plan"] | index($need) | not)
        | "it needs \(tojson), which it doesn't declare"),
      null) end),
  example: (if $d.example // "" | startswith("bid-fetch " + $in.name) then null else "it doesn't begin with 'bid-fetch \(.name)'" end),
  availability: ($d.check | (objects | .url) // . | . as $url
    | if $hosts == [] then null
      elif $url == null then "no check names what --check asks for"
      elif is_declared($hosts) | not then "the host of check is not declared: \(tojson[:200])"
      elif $d.authRequired and ($d.check.key? | type != "object") then "a key is required, but check doesn't send it"
      else null end)};

def first_step: (.declared.hosts // []) as $hosts | .failed as $failed | .answer as $a
  | [$a | objects | (.request | objects), (.requests | arrays[])] as $requests | {
  fetch: (
    if $failed then $failed
    elif $a | type != "object" then "step returns no object"
    else first(
      ($requests[] | select((.url | type != "string") and (.operand | type != "number")) | "a request has neither a url nor an operand"),
      ($requests[].url | strings | select(is_declared($hosts) | not)
        | "a request goes to a host that is not declared: \(tojson[:200])"),
      null) end),
  narrow: ($requests | length | if . > 20 then
    "its first step makes \(.) requests; it has to narrow before it asks for more than 20" else null end),
  provenance: ([$a | objects | .payloads | arrays[] | select((.sourceUrl // "") == "")]
    | if . == [] then null else "a payload of the first step, which has no request, has no sourceUrl" end),
  categories: ([$a | objects | .error | objects | .category | select(. as $one | categories | index($one) | not)]
    | if . == [] then null else "\(.[0] | tojson) is no category of an error" end)};

def step: if has("answer") or has("failed") then [declaration + first_step | to_entries[] | {rule: .key, fault: .value}] else job end;
