# A built-in source for tests: the same answer for the same question, and any category of error on request.
include "answers";

def declare: {
  description: "deterministic payloads, and any error on request: for tests",
  hosts: [],
  rateLimit: {requestsPerSecond: 1000, burstSize: 1000, domain: "mock"},
  parameters: [
    {name: "entity", description: "named in the answer"}, {name: "aliases", description: "named in the answer"},
    {name: "period", description: "named in the answer"}, {name: "filingTypes", description: "named in the answer"},
    {name: "query", description: "named in the answer"}, {name: "since", description: "named in the answer"},
    {name: "limit", description: "number of payloads (default 1, at most 1000)"},
    {name: "error", description: "fail with an error of this category",
      values: ["unavailable", "no-content", "auth-failed", "rate-limited", "invalid-request", "internal"]},
    {name: "retryAfter", description: "with error: seconds", example: "30"},
    {name: "after", description: "with error: number of payloads before it"},
    {name: "as", description: "format of the payloads (default json)", values: ["json", "text", "html"]},
    {name: "size", description: "with as=text: number of bytes"},
    {name: "content", description: "accepted, without effect"}],
  example: "bid-fetch mock -e ACME -n 2"
};

def count: [.job.limit // 1, 1000] | min;

def asked: .job | {entity: .entity.id, aliases: .entity.aliases, period, filingTypes, query, since} | known;

def body($i): . as $in | asked as $asked
  | {number: $i, asked: $asked}
  | if $in.job.params.as == "html" then
      {text: "<html><head><title>Mock \($i)</title></head><body><h1>Item 1. Mock</h1><p>Answer \($i) for \($asked.entity // "nobody").</p></body></html>",
       contentType: "text/html"}
    elif $in.job.params.as == "text" then
      ("Answer \($i) for \($asked.entity // "nobody").\n") as $line
      | {text: (if $in.job.params.size then ($in.job.params.size | tonumber) as $n
        | $line * ($n / ($line | length) | ceil) | .[:$n] else $line end)}
    else {content: .} end;

def payloads($n): . as $in | [range(1; $n + 1) as $i | $in | body($i)
  + {sourceUrl: "mock:\(.job.entity.id // "nobody" | @uri)/\($i)",
    metadata: ({kind: "mock", number: $i, company: .job.entity.id} | known)}];

def failure: {error: {category: .job.params.error, message: "mock: \(.job.params.error) as asked for",
  retryAfter: (.job.params.retryAfter | if . then tonumber else null end)} | known};

def numbers_error: [.job.params | .retryAfter, .after, .size | select(. and (whole | not))][0]
  | if . then invalid("not a whole number: \(.)") else null end;

def step: numbers_error // (
  if .job.params.error then {payloads: payloads(.job.params.after // "0" | tonumber)} + failure
  else {payloads: payloads(count)} end);
