# Shared by BrokerCheck and IAPD: one search engine, answers with JSON inside JSON.
include "answers";

# Parses objects stored as text; leaves anything else.
def unpacked: if type == "string" then (try fromjson catch .) else . end;

# Status 200 with an error inside, or a gateway's page.
def soft_error($who):
  if type != "object" then refuse("unavailable"; "\($who) answered with something else than an object")
  elif .errorCode then
    if (.errorMessage // "") | ascii_downcase | contains("exceeded limit")
    then invalid("\($who): exceeded limit: too many rows or too deep a start; narrow by state, city or firm")
    else refuse("unavailable"; "\($who): \(.errorMessage // "error \(.errorCode)")") end
  elif .hits == null then
    if (.message // "") | contains("Missing Authentication Token")
    then refuse("unavailable"; "\($who) has no such path any more (Missing Authentication Token)")
    else refuse("unavailable"; "\($who): \(.message // "no hits in the answer")") end
  else null end;

# 403 with that message means a wrong path; any other 403 means that access is blocked.
def refused($who): .responses[0] as $got
  | if $got.status == 403 then
      if ($got.json.message? // "") | contains("Missing Authentication Token")
      then refuse("unavailable"; "\($who) has no such path any more (Missing Authentication Token)")
      else refuse("rate-limited"; "\($who) refuses (status 403): no more requests for now") end
    else null end;

def total_hits: .hits.total | if type == "object" then .value else . end | num;
def hit_sources: [.hits.hits[]? | ._source];
def crd: if . != null and test("^[0-9]{1,10}$") then . else null end;

# -e NAME or --query WORDS; a number is a CRD number.
def search_words: .job.query // (.job.entity.id | select(. != null and (crd | not))) // null;
def search_words_or_null: [search_words][0];
def who_type: .job.params.type // "firm";
def page_start: .job.params.start // "0";
def limit_or($n): [.job.limit // $n, 100] | min;

def disclosure_parameters: [
  {name: "query", description: "words of the name", example: "Wells Fargo Clearing"},
  {name: "entity", description: "CRD number: the details; or a name to search", example: "19616"},
  {name: "aliases", description: "not used"},
  {name: "type", description: "kind of search (default firm)", values: ["firm", "individual"]},
  {name: "section", description: "details: only these parts, separated by commas",
    example: "disclosures,directOwners"},
  {name: "state", description: "two letters", example: "NY"},
  {name: "firm", description: "individuals: of the firm with this CRD number"},
  {name: "start", description: "offset of the first hit"},
  {name: "limit", description: "at most this many hits (100 at most)"}];

def parameter_error($who):
  if (.job.params.start // "0") | whole | not then invalid("start is no whole number: \(.job.params.start)")
  elif .job.params.state and (.job.params.state | test("^[A-Za-z]{2}$") | not)
    then invalid("a state has two letters: \(.job.params.state)")
  elif .job.params.firm and (.job.params.firm | crd | not) then invalid("firm is a CRD number: \(.job.params.firm)")
  elif .job.entity.id == null and .job.query == null and .job.params.state == null and .job.params.firm == null
  then invalid("name a firm or person to \($who): --query WORDS, or -e CRD") else null end;

# The requested parts of the details; without names: everything if it fits, else large parts only with their size.
def sections($job; $hints):
  ($job.params.section | words) as $names
  | if $names != [] then
      . as $all | [$names[] | select(. as $n | $all | has($n) | not)] as $lack
      | if $lack != [] then {missing: $lack, has: keys} else . as $d | reduce $names[] as $n ({}; .[$n] = $d[$n]) end
    elif record_bytes < 28000 then .
    else with_entries(if (.value | type) == "array" and (.value | record_bytes) > 2000
                      then .value = {entries: (.value | length), first: .value[:3]} else . end)
         | if record_bytes < 29000 then . + {hints: $hints}
           else with_entries(.value = (.value | if type == "array" then {entries: length} elif type == "object"
             then {members: keys_unsorted[:40]} else . end))
                + {hints: $hints} end end;
