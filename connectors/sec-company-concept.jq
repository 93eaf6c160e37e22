# One concept of one company over time: https://data.sec.gov/api/xbrl/companyconcept/CIK##########/TAXONOMY/TAG.json.
include "answers";
include "sec";
include "facts";

def declare: {
  description: "one XBRL concept of a company over time",
  hosts: sec_hosts,
  rateLimit: sec_rate,
  parameters: ([
    {name: "entity", description: "ticker, company name or CIK", example: "AAPL"},
    {name: "aliases", description: "other names to look up"},
    {name: "concept", description: "name of the concept, with its taxonomy if not us-gaap",
      required: true, example: "ifrs-full:Revenue"}]
    + fact_parameters),
  needs: [["entity", "aliases"], "concept"],
  example: "bid-fetch sec-company-concept -e AAPL -P concept=NetIncomeLoss -p FY-2024 -P unit=USD",
  check: sec_check
};

def concept: concepts_asked[0] | .taxonomy = (.taxonomy // "us-gaap");

def concept_url: concept as $c
  | "https://data.sec.gov/api/xbrl/companyconcept/CIK\(.company.cik)/\($c.taxonomy | @uri)/\($c.tag | @uri).json";

def series_request:
  {url: concept_url, maxAge: 3600, statuses: [404],
   select: {cik: {path: ["cik"]}, name: {path: ["entityName"]}, label: {path: ["label"]},
     description: {path: ["description"]},
            rows: {path: ["units", "*"], rows: "array", where: fact_where},
            range: {path: ["units", "*"], rows: "array", summary: ["end"]}}};

def answer($asked):
  .job as $job | concept as $c | .responses[0].json as $got
  | [$got.rows[]? | select(.path[0] | unit_fits($job))
     | {unit: .path[0], total: .value.total, rows: (.value.rows | narrowed($job))} | select(.rows != [])] as $units
  | if $units == [] then
      nothing("no fact of \($c.taxonomy):\($c.tag)" + scope_text + "; there are: "
        + ([$got.range[]? | "\(.path[0]) \(.value.ranges.end // [] | join(".."))"] | .[:6] | join(", ")))
    else ($got | facts_company($asked)) as $company
      | {payloads: [{content: {company: $company, taxonomy: $c.taxonomy, concept: $c.tag, label: $got.label,
                               description: $got.description, units: $units},
                     metadata: (facts_metadata($company; "concept") + {concept: $c.tag, taxonomy: $c.taxonomy,
                                rows: ([$units[].rows | length] | add)}
                                  + ($job | {period, unit: .params.unit} | known))}]}
    end;

def step:
  scope_error // (
    if (concepts_asked | length) != 1 then invalid("one concept is wanted; sec-financials takes several")
    elif looking_up then for_company({request: series_request, state: {company: .company}})
    elif .responses[0].status == 404 then concept as $c
      | nothing("\(.state.company.name // .state.company.cik) never reported \($c.taxonomy):\($c.tag)")
    else answer(.state.company) end);
