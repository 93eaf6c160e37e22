# FINRA BrokerCheck: brokers and their firms, from the API behind its public page.
include "answers";
include "disclosure";

def declare: {
  description: "FINRA BrokerCheck: search and details of broker firms and persons",
  hosts: ["api.brokercheck.finra.org"],
  rateLimit: {requestsPerSecond: 1, burstSize: 1, domain: "brokercheck.finra.org", serial: true},
  terms: {url: "https://brokercheck.finra.org/terms",
          text: "FINRA forbids automated collection but for investor protection, academic, compliance or regulatory use under conditions, and any use inside AI or machine learning software."},
  parameters: disclosure_parameters,
  example: "bid-fetch finra-brokercheck --query 'Wells Fargo Clearing' -n 5",
  check: "https://api.brokercheck.finra.org/search/firm?query=&nrows=1&wt=json"
};

def base: "https://api.brokercheck.finra.org/search/";

def search_url:
  search_words_or_null as $words
  | base + who_type + "?"
    + ([(if $words then "query=\($words | @uri)" else empty end),
        (if .job.params.firm then "firm=\(.job.params.firm)" else empty end)]
       + if .job.params.state then
           ["state=\(.job.params.state | ascii_upcase)", "filter=broker=true,brokeria=true,active=true", "hl=true",
            "nrows=\(limit_or(12))", "start=\(page_start)", "r=25", "sort=score%2Bdesc", "wt=json"]
         else ["hl=true", "nrows=\(limit_or(12))"]
           + (if page_start == "0" then [] else ["start=\(page_start)"] end) + ["wt=json"] end
       | join("&"));

def detail_url: base + who_type + "/\(.job.entity.id)?wt=json";

# A hit without the search engine's highlighting, with addresses as objects.
def firm_hit: {crd: .firm_source_id, name: .firm_name, adviserName: .ia_firm_name, secNumber: .firm_bd_full_sec_number,
  adviserSecNumber: .firm_ia_full_sec_number, scope: .firm_scope, adviserScope: .firm_ia_scope,
    disclosures: .firm_disclosure_fl,
  branches: .firm_branches_count, address: (.firm_address_details | unpacked | .officeAddress?),
  adviserAddress: (.firm_ia_address_details | unpacked | .officeAddress?),
    otherNames: [.firm_other_names[]?][:10]} | known;
def person_hit: {crd: .ind_source_id, firstName: .ind_firstname, middleName: .ind_middlename, lastName: .ind_lastname,
  suffix: .ind_namesuffix, scope: .ind_bc_scope, adviserScope: .ind_ia_scope, disclosures: .ind_bc_disclosure_fl,
  since: .ind_industry_cal_date, days: .ind_industry_days, otherNames: [.ind_other_names[]?][:10],
  employments: [.ind_current_employments[]? | {firm: .firm_id, name: .firm_name, city: .branch_city,
    state: .branch_state} | known][:5]} | known;

def hits_answer:
  .responses[0].json as $got | who_type as $type
  | if ($got | total_hits) == 0 then nothing("BrokerCheck knows no \($type) called \(search_words_or_null // "so")")
    else [$got | hit_sources[] | if $type == "firm" then firm_hit else person_hit end] as $hits
      | {payloads: [{content: ({total: ($got | total_hits), start: (page_start | tonumber),
        shown: ($hits | length), hits: $hits}
                               | summary(["-e CRD gives the details of one",
                                 "-P start= goes on, -n gives up to 100 at once",
                                          "-P type=individual looks for persons, -P state= and -P firm= narrow"]; ["hits"])),
                     metadata: {kind: "search", type: $type, total: ($got | total_hits)}}]} end;

def detail_answer:
  .job as $job | who_type as $type
  | (.responses[0].json | hit_sources[0].content | unpacked) as $content
  | if ($content | type) != "object" then nothing("BrokerCheck knows no \($type) with CRD \($job.entity.id)")
    else ($content
      | sections($job; ["-P section=NAME[,NAME...] gives parts in full: \($content | keys_unsorted | join(", "))"])) as $parts
      | if $parts.missing
        then invalid("no section \($parts.missing | join(", ")); there are: \($parts.has | join(", "))")
        else {payloads: [{content: $parts, metadata: {kind: "detail", type: $type, crd: $job.entity.id,
                company: ($content.basicInformation.firmName
                  // ([$content.basicInformation | .firstName, .lastName | select(.)] | join(" "))),
                link: "https://brokercheck.finra.org/\($type)/summary/\($job.entity.id)"} }]} end end;

def step:
  parameter_error("BrokerCheck") // (
    if .state == null and (.job.entity.id | crd) then {request: {url: detail_url, statuses: [403],
      maxAge: 3600}, state: "detail"}
    elif .state == null then {request: {url: search_url, statuses: [403], maxAge: 3600}, state: "hits"}
    else refused("BrokerCheck") // (.responses[0].json | soft_error("BrokerCheck"))
      // (if .state == "detail" then detail_answer else hits_answer end) end);
