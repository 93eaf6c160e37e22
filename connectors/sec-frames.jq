# One concept for all companies in a calendar period:
# https://data.sec.gov/api/xbrl/frames/TAXONOMY/TAG/UNIT/PERIOD.json.
include "answers";
include "sec";
include "facts";

def declare: {
  description: "one XBRL concept of all companies for a period",
  hosts: sec_hosts,
  rateLimit: sec_rate,
  parameters: [
    {name: "concept", description: "name of the concept, with its taxonomy if not us-gaap",
      required: true, example: "Assets"},
    {name: "period",
      description: "CY2024, CY2024Q1, or CY2024Q1I for values at a point in time (also 2024, FY-2024, Q1-2024)",
        required: true, example: "CY2024"},
    {name: "unit", description: "USD, shares, USD/shares, pure (default USD)", example: "USD"},
    {name: "entity", description: "only the row of this company: ticker, name or CIK"},
    {name: "aliases", description: "other names to look up"},
    {name: "minimum", description: "only values of at least this amount"},
    {name: "maximum", description: "only values of at most this amount"},
    {name: "limit",
      description: "number of rows, largest values first; without it and without a company or a bound: a summary"}],
  needs: ["concept", "period"],
  example: "bid-fetch sec-frames -P concept=Assets -p CY2024Q4I -n 10",
  check: "https://data.sec.gov/api/xbrl/frames/us-gaap/Assets/USD/CY2024Q1I.json"
};

def concept: concepts_asked[0] | .taxonomy = (.taxonomy // "us-gaap");
def unit: .job.params.unit // "USD" | split("/") | join("-per-");

# The frame's name for the given period.
def frame:
  (.job.period | period) as $p
  | if $p == null then null
    elif $p.kind == "frame" then $p.frame
    elif $p.kind == "fiscal" then "CY\($p.fy)" + if $p.fp == "FY" then "" else $p.fp end
    elif (.job.period | test("^[0-9]{4}$")) then "CY\(.job.period)"
    else null end;

def bounds: {field: "val"}
  + (if .job.params.minimum then {min: (.job.params.minimum | tonumber)} else {} end)
  + (if .job.params.maximum then {max: (.job.params.maximum | tonumber)} else {} end);

def frame_request:
  concept as $c
  | {url: "https://data.sec.gov/api/xbrl/frames/\($c.taxonomy | @uri)/\($c.tag | @uri)/\(unit | @uri)/\(frame).json",
     maxAge: 3600, statuses: [404],
     select: {label: {path: ["label"]}, unit: {path: ["uom"]}, frame: {path: ["ccp"]}, points: {path: ["pts"]},
              rows: {path: ["data"], rows: "array",
                     where: ([bounds] + if .company then [{field: "cik", is: (.company.cik | cik_plain)}]
                       else [] end)}}};

def largest: sort_by(.val | num) | reverse;

def narrow: .job.limit or .job.params.minimum or .job.params.maximum or .job.entity.id;

def answer:
  .responses[0].json as $got | concept as $c
  | ($got.rows.rows | largest) as $rows
  | {taxonomy: $c.taxonomy, concept: $c.tag, label: $got.label, unit: $got.unit, frame: $got.frame,
     companies: ($got.points // $got.rows.total), matched: ($rows | length)} as $head
  | {kind: "frame", concept: $c.tag, taxonomy: $c.taxonomy, unit: $got.unit, period: $got.frame} as $metadata
  | if $rows == [] then nothing("no company in the frame \(frame) of \($c.tag) meets the bounds"
      + if .job.entity.id then ", or \(.job.entity.id) is not in it" else "" end)
    elif narrow then
      {payloads: [{content: ($head + {rows: (if .job.limit then $rows[:.job.limit] else $rows end)}),
        metadata: $metadata}]}
    else
      {payloads: [{content: ($head + {least: $rows[-1].val, greatest: $rows[0].val,
        median: $rows[($rows | length) / 2 | floor].val,
                                      rows: $rows[:20]}
                             | summary(["rows are the 20 largest; -n N gives more",
                               "-e COMPANY gives one company's row",
                                        "-P minimum= and -P maximum= bound the values"]; ["rows"])),
                   metadata: ($metadata + {kind: "frame-summary"})}]} end;

def number_error:
  [.job.params.minimum, .job.params.maximum | select(. and (test("^-?[0-9]+([.][0-9]+)?$") | not))][0]
  | if . then invalid("not a number: \(.)") else null end;

def step:
  number_error // (if .job.params.unit and (.job.params.unit | test("^[A-Za-z0-9_]+(/[A-Za-z0-9_]+)?$") | not)
                   then invalid("no unit: \(.job.params.unit)") else null end)
  // (if (frame == null) then null else scope_error end) // (
    if frame == null then .job.period | invalid("the frames are called CY2024, CY2024Q1 or CY2024Q1I, not \"\(.)\"")
    elif (concepts_asked | length) != 1 then invalid("one concept is wanted")
    elif .state == null and .job.entity.id == null then {request: frame_request, state: {phase: "frame"}}
    elif looking_up then for_company({request: frame_request, state: {phase: "frame", company: .company}})
    elif .responses[0].status == 404 then concept as $c
      | nothing("there is no frame \(frame) of \($c.taxonomy):\($c.tag) in \(unit); what is measured on a day has an I behind it, as CY2024Q4I")
    else answer end);
