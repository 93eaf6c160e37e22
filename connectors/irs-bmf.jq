# The IRS Exempt Organizations Business Master File: one CSV file per state or region, rewritten every month.
include "answers";

def declare: {
  description: "IRS list of exempt organizations of a state, a region or the nation, as rows",
  hosts: ["www.irs.gov"],
  rateLimit: {requestsPerSecond: 1, burstSize: 1, domain: "irs.gov"},
  parameters: [
    {name: "region", description: "state (ri, ny, ..., dc, pr, xx), region (eo1 to eo4), or all: the four regions one after the other",
      example: "ri"},
    {name: "state", description: "the same for a state", example: "ri"},
    {name: "entity", description: "EIN (9 digits, with or without the dash) or part of the name", example: "010357301"},
    {name: "aliases", description: "more EINs"},
    {name: "query", description: "part of the name"},
    {name: "ntee", description: "NTEE code begins with", example: "B2"},
    {name: "subsection", description: "subsection of 501(c), two digits", example: "03"},
    {name: "city", description: "city, as \"NEWPORT\""},
    {name: "zip", description: "ZIP code begins with"},
    {name: "minAssets", description: "assets of at least this many dollars"},
      {name: "maxAssets", description: "... at most"},
    {name: "minIncome", description: "income of at least this many dollars"}, {name: "maxIncome", description: "... at most"},
    {name: "minRevenue", description: "revenue of at least this many dollars"}, {name: "maxRevenue", description: "... at most"},
    {name: "columns", description: "only these columns, separated by commas", example: "EIN,NAME,ASSET_AMT"},
    {name: "limit", description: "at most this many rows"},
    {name: "all", description: "1: all rows, without any filter", values: ["0", "1"]}],
  needs: [["region", "state"]],
  example: "bid-fetch irs-bmf -P region=ri -P ntee=B -P minAssets=10000000",
  check: "https://www.irs.gov/pub/irs-soi/eo1.csv"
};

def columns: ["EIN", "NAME", "ICO", "STREET", "CITY", "STATE", "ZIP", "GROUP", "SUBSECTION", "AFFILIATION",
  "CLASSIFICATION",
  "RULING", "DEDUCTIBILITY", "FOUNDATION", "ACTIVITY", "ORGANIZATION", "STATUS", "TAX_PERIOD", "ASSET_CD", "INCOME_CD",
  "FILING_REQ_CD", "PF_FILING_REQ_CD", "ACCT_PD", "ASSET_AMT", "INCOME_AMT", "REVENUE_AMT", "NTEE_CD", "SORT_NAME"];

def regions: ["al","ak","az","ar","ca","co","ct","de","dc","fl","ga","hi","id","il","in","ia","ks","ky","la","me","md","ma","mi","mn",
  "ms","mo","mt","ne","nv","nh","nj","nm","ny","nc","nd","oh","ok","or","pa","ri","sc","sd","tn","tx","ut","vt","va","wa","wv","wi",
  "wy","pr","xx","1","2","3","4"];
def region: .job.params.region // .job.params.state | ascii_downcase | ltrimstr("eo_") | ltrimstr("eo");
def files: region | if . == "all" then "1", "2", "3", "4" else . end;
def url: "https://www.irs.gov/pub/irs-soi/eo" + (if test("^[1-4]$") then . else "_" + . end) + ".csv";

def ein: split("-") | join("") | select(test("^[0-9]{9}$"));
def eins: [.job.entity.id, .job.entity.aliases[] | select(.) | ein];
def name_part: .job.query // (.job.entity.id | select(. and ([ein] == [])));
def bounds($field; $low; $high): if .job.params[$low] or .job.params[$high]
  then [{field: $field} + (if .job.params[$low] then {min: (.job.params[$low] | tonumber)} else {} end)
        + (if .job.params[$high] then {max: (.job.params[$high] | tonumber)} else {} end)] else [] end;

def where:
  . as $in | eins as $eins | ([name_part][0]) as $name
  | [(if $eins != [] then {field: "EIN", in: $eins} else empty end),
     (if $name then {any: [{field: "NAME", contains: $name, fold: true},
       {field: "SORT_NAME", contains: $name, fold: true}]} else empty end),
     (if .job.params.ntee then {field: "NTEE_CD", starts: .job.params.ntee, fold: true} else empty end),
     (if .job.params.subsection then {field: "SUBSECTION", is: (.job.params.subsection | left_pad(2))} else empty end),
     (if .job.params.city then {field: "CITY", is: .job.params.city, fold: true} else empty end),
     (if .job.params.zip then {field: "ZIP", starts: .job.params.zip} else empty end)]
    + bounds("ASSET_AMT"; "minAssets"; "maxAssets") + bounds("INCOME_AMT"; "minIncome"; "maxIncome")
    + bounds("REVENUE_AMT"; "minRevenue"; "maxRevenue");

def asked_columns: .job.params.columns | words | map(ascii_upcase);

def number_error: .job.params
  | [.minAssets, .maxAssets, .minIncome, .maxIncome, .minRevenue, .maxRevenue
    | select(. and (test("^-?[0-9]{1,18}$") | not))][0]
  | if . then invalid("not a whole number of dollars: \(.)") else null end;

def metadata: {kind: "exempt-organizations", region: region};

def rows_request($file): asked_columns as $keep
  | {url: ($file | url), maxAge: 86400,
     stream: ({format: "csv", where: where, limit: .job.limit, batch: 500, payload: metadata, columns: columns[:3]}
              + if $keep == [] then {} else {keep: $keep} end | with_entries(select(.value != null)))};

def summary_request($file): {url: ($file | url), maxAge: 86400,
  stream: {format: "csv", summary: true, tally: ["SUBSECTION", "STATUS", "FOUNDATION", "NTEE_CD"],
    columns: columns[:3]}};

def top($n): to_entries | sort_by(-.value) | .[:$n] | from_entries;
def blank_named: with_entries(if .key == "" then .key = "(blank)" else . end);

# The totals of all files.
def together: map(.json) | {total: (map(.total) | add), bytes: (map(.bytes) | add), columns: .[0].columns,
  tally: (reduce (.[].tally | to_entries[]) as $t ({};
    reduce ($t.value | to_entries[]) as $e (.; .[$t.key][$e.key] += $e.value)))};

def answer: (.responses | together) as $got | {payloads: [{
  content: {region: region, organizations: $got.total, bytes: $got.bytes, columns: $got.columns,
            subsections: ($got.tally.SUBSECTION | top(30)), status: ($got.tally.STATUS | top(10)),
            foundation: ($got.tally.FOUNDATION | top(20)),
            ntee: (reduce ($got.tally.NTEE_CD | to_entries[]) as $e ({}; .[$e.key[:1]] += $e.value)
              | blank_named | top(30)),
            hints: ["-e EIN or --query NAME, -P ntee=, -P subsection=, -P city=, -P zip=, -P minAssets= and their kin give rows",
                    "-P columns=EIN,NAME keeps columns; amounts are whole dollars; codes: https://www.irs.gov/pub/irs-soi/eo_info.pdf"]},
  metadata: (metadata + {kind: "exempt-organizations-summary"})}]};

def step:
  if (region as $r | regions + ["all"] | index([$r])) == null
    then invalid("no such region: \(region); states by two letters, regions eo1 to eo4, or all")
  elif asked_columns - columns != []
    then invalid("no column \(asked_columns - columns | join(", ")); there are \(columns | join(", "))")
  elif number_error then number_error
  elif .state == "summary" then answer
  elif where == [] and .job.params.all != "1" and .job.limit == null then {requests: [. as $in | files as $f | $in | summary_request($f)], state: "summary"}
  else {requests: [. as $in | files as $f | $in | rows_request($f)]} end;
