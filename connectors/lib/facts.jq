# XBRL facts: rows {start?, end, val, accn, fy, fp, form, filed, frame?} of a concept in a unit, filtered by period,
# unit, first day and number of rows.
include "answers";
include "sec";

# Conditions on rows from the job's scope; the host applies them before jq sees a row.
def fact_where:
  (.job.period | period) as $p
  | (if $p == null then []
     elif $p.kind == "fiscal" then [{field: "fy", is: $p.fy}, {field: "fp", is: $p.fp}]
     elif $p.kind == "frame" then [{field: "frame", is: $p.frame}]
     else [{field: "end", from: $p.from, to: $p.to}] end)
    + [{field: "end", from: .job.since}, {field: "filed", to: .now[:10]}]
    + if (.job.filingTypes | length) > 0 then [{field: "form", in: (.job.filingTypes | map(ascii_upcase))}] else [] end;

# A filing repeats earlier years under its own fiscal year.  The rows of a fiscal period are those that end last,
# shortly before they were filed; for a whole year, those with a duration of about a year.
def own_period($fp):
  map(select((.filed | days) - (.end | days) < 330)) as $near
  | ([$near[].end] | max) as $last
  | [$near[] | select(.end == $last)]
  | if $fp == "FY" and any(.[]; .start == null or (.end | days) - (.start | days) > 300)
    then map(select(.start == null or (.end | days) - (.start | days) > 300)) else . end;

# Rows of one fiscal year may come from several filings (the report, its amendment): each is handled separately.
def narrowed($job):
  ($job.period | period) as $p
  | if $p != null and $p.kind == "fiscal" then group_by(.form | endswith("/A")) | map(own_period($p.fp)) | add
    // [] else . end
  | sort_by(.end, .filed)
  | if $job.limit then .[-$job.limit:] | if $job.limit == 0 then [] else . end else . end;

def scope_error:
  [.job.params.concept | words[] | select(test("^([A-Za-z][A-Za-z0-9_-]*[:/])?[A-Za-z][A-Za-z0-9_-]*$")
    | not)][0] as $odd
  | if $odd then invalid("no name of a concept: \($odd); they look like NetIncomeLoss or us-gaap:Assets")
    elif .job.period and (.job.period | period) == null then .job.period | invalid(bad_period)
    elif ([.job.params.concept | words[]] | length) > 200 then invalid("at most 200 concepts at once")
    else null end;

def scope_text: [(.job.period | select(.) | "period \(.)"), (.job.params.unit | select(.) | "unit \(.)"),
  (.job.since | select(.) | "since \(.)"), (.job.filingTypes | select(length > 0) | "forms \(join(", "))")]
  | if . == [] then "" else " for " + join(", ") end;

def unit_fits($job): . as $unit | $job.params.unit == null
  or ($job.params.unit | ascii_downcase) == ($unit | ascii_downcase);

# Parameters common to all of them.
def fact_parameters: [
  {name: "period",
    description: "FY-2024, Q3-2024 (the company's fiscal periods), CY2024Q1 (a frame), 2024, 2024-01-01..2024-06-30 (by end date)", example: "FY-2024"},
  {name: "unit", description: "USD, shares, USD/shares, ...", example: "USD"},
  {name: "since", description: "facts whose period ends on or after this date"},
  {name: "filingTypes", description: "only facts of these forms", example: "10-K"},
  {name: "limit", description: "only this many rows of each concept and unit, newest first"}];

# Company facts --------------------------------------------------------------------------------------------

def facts_url: "https://data.sec.gov/api/xbrl/companyfacts/CIK\(.).json";

# "us-gaap:Revenues" or "Revenues" as {taxonomy, tag}.
def concept_name:
  (if contains(":") then split(":") elif contains("/") then split("/") else [null, .] end)
    | {taxonomy: .[0], tag: .[1]};
def concepts_asked: .job.params.concept | words | map(concept_name);

def summary_select: {cik: {path: ["cik"]}, name: {path: ["entityName"]},
  rows: {path: ["facts", "*", "*", "units", "*"], rows: "array", summary: ["end", "filed"]}};

def concept_select($concepts):
  fact_where as $where
  | {cik: {path: ["cik"]}, name: {path: ["entityName"]}, names: {path: ["facts", "*"], members: true}}
    + ([range(0; $concepts | length) as $i | $concepts[$i].tag as $tag
        | {"rows\($i)": {path: ["facts", "*", $tag, "units", "*"], rows: "array", where: $where},
           "label\($i)": {path: ["facts", "*", $tag, "label"]},
           "range\($i)": {path: ["facts", "*", $tag, "units", "*"], rows: "array", summary: ["end"]}}] | add);

def facts_select: concepts_asked as $c | if $c == [] then summary_select else concept_select($c) end;

def facts_request: {url: (.company.cik | facts_url), maxAge: 3600, maxBytes: 268435456, select: facts_select,
                     statuses: [404]};

def facts_metadata($company; $kind): $company | {company: .name, ticker, cik, kind: $kind} | known;
def facts_company($asked): {cik: (.cik // $asked.cik | digits | cik_padded), name: (.name // $asked.name),
  ticker: $asked.ticker} | known;

# Statistics of the facts: number, concepts, units, range of days; the most frequent concepts.
def facts_summary:
  .rows as $rows
  | ($rows | group_by(.path[0] + " " + .path[1])
     | map({taxonomy: .[0].path[0], concept: .[0].path[1], units: map(.path[2]), facts: (map(.value.total) | add),
            from: ([.[].value.ranges.end[0]?] | min), to: ([.[].value.ranges.end[1]?] | max)})) as $concepts
  | {facts: ($rows | map(.value.total) | add), concepts: ($concepts | length),
     ends: [([$rows[].value.ranges.end[0]?] | min), ([$rows[].value.ranges.end[1]?] | max)],
     filed: [([$rows[].value.ranges.filed[0]?] | min), ([$rows[].value.ranges.filed[1]?] | max)],
     taxonomies: ($concepts | group_by(.taxonomy) | map({key: .[0].taxonomy,
       value: {concepts: length, facts: (map(.facts) | add)}}) | from_entries),
     units: ($rows | group_by(.path[2]) | map({key: .[0].path[2], value: (map(.value.total) | add)})
       | sort_by(-.value) | .[:20] | from_entries),
     mostReported: ($concepts | sort_by(-.facts)
       | map("\(.taxonomy):\(.concept) \(.units | join(",")) \(.facts) \(.from)..\(.to)"))};

def summary_hints: ["-P concept=NAME[,NAME...] gives the rows of a concept, as -P concept=NetIncomeLoss",
  "-p FY-2024, -P unit=USD, -f 10-K, --since and -n narrow them",
  "mostReported holds: concept, units, how many facts, first and last day they end on"];

def summary_answer($asked):
  .responses[0].json as $got
  | ($got | facts_company($asked)) as $company
  | if ($got.rows | length) == 0 then nothing("EDGAR has no XBRL facts of \($company.name // $company.cik)")
    else {payloads: [{content: ({company: $company} + ($got | facts_summary)
      | summary(summary_hints; ["mostReported"])),
                      metadata: facts_metadata($company; "facts-summary")}]} end;

# The requested parts of one concept, by taxonomy and unit.
def series($i; $concept; $job):
  . as $got
  | [$got["rows\($i)"][]? | select($concept.taxonomy == null or .path[0] == $concept.taxonomy)
     | select(.path[1] | unit_fits($job)) | . as $part
     | {taxonomy: .path[0], concept: $concept.tag,
        label: ([$got["label\($i)"][]? | select(.path[0] == $part.path[0]) | .value][0]),
        unit: .path[1], total: .value.total, rows: (.value.rows | narrowed($job))}];

# Names similar to one that was never reported.
def similar($tag):
  ($tag | ascii_downcase) as $t
  | [.names[]? | .value[]] as $all
  | ([$all[] | select(ascii_downcase == $t)] + [$all[] | select((ascii_downcase | contains($t)))]
     + [$all[] | select(length > 5 and (. as $n | $t | contains($n | ascii_downcase)))]) | first_by(.) | .[:8];

def range_text($i): [.["range\($i)"][]? | select(.value.ranges.end)
  | "\(.path[1]) \(.value.ranges.end | join(".."))"] | .[:4] | join(", ");

# Explains why a concept has no facts.
def lack($i; $concept; $job):
  if ([.["rows\($i)"][]?] | length) == 0 then
    "\($concept.tag) was never reported" + (similar($concept.tag) | if . == [] then "" else "; near: " + join(", ") end)
  else "no fact of \($concept.tag)" + ({job: $job} | scope_text) + "; there are: " + range_text($i) end;

def concepts_answer($asked):
  .job as $job | concepts_asked as $concepts | .responses[0].json as $got
  | ($got | facts_company($asked)) as $company
  | [range(0; $concepts | length) as $i | $got | {i: $i,
    series: ([series($i; $concepts[$i]; $job)[] | select(.rows != [])])}] as $parts
  | [$parts[] | select(.series == []) | .i as $i | $got | lack($i; $concepts[$i]; $job)] as $lacks
  | if ([$parts[].series[]] | length) == 0 then nothing("\($company.name // $company.cik): " + ($lacks | join("; ")))
    else {payloads: [{content: ({company: $company, series: [$parts[].series[]], missing: $lacks} | known),
                      metadata: (facts_metadata($company; "facts")
                                 + {concepts: ([$parts[].series[].concept] | unique),
                                   rows: ([$parts[].series[].rows | length] | add)}
                                 + ($job | {period, unit: .params.unit} | known))}]} end;

def none_there: .responses[0].status == 404;
# The company is named, since the question may have named a brand.
def no_facts($asked):
  ([names_of[0]? | select(. != $asked.name and . != $asked.ticker and (as_cik | not))] | first) as $called
  | nothing("EDGAR has no XBRL facts of \($asked.name // $asked.cik)"
            + if $called and $asked.name then " (for '\($called)')" else "" end
            + ": there is no such object: \(.responses[0].url)");

# The company's facts unchanged, byte for byte as sent by EDGAR.
def whole_asked: .job.params.facts == "all";
def whole_request: {url: (.company.cik | facts_url), maxAge: 3600, maxBytes: 268435456, as: "none",
                    statuses: [404]};
def whole_answer($asked):
  if none_there then no_facts($asked)
  else {payloads: [{response: 0, contentType: "application/json",
          metadata: ($asked + {cik: ($asked.cik | digits | cik_padded)} | facts_metadata(.; "company-facts"))}]} end;

def facts_answer($asked):
  if none_there then no_facts($asked)
  elif concepts_asked == [] then summary_answer($asked)
  else concepts_answer($asked) end;

def facts_parameters: [
  {name: "entity", description: "ticker, company name or CIK", example: "AAPL"},
  {name: "aliases", description: "other names to look up"},
  {name: "concept", description: "XBRL concepts, separated by commas; none: a summary",
    example: "NetIncomeLoss,us-gaap:Assets"},
  {name: "facts", description: "all: every fact of the company, unchanged", values: ["all"]}]
  + fact_parameters;
