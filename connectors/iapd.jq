# IAPD, the SEC's Investment Adviser Public Disclosure: search, details, and the daily compilation feeds.
include "answers";
include "disclosure";

def declare: {
  description: "SEC adviser disclosure (IAPD): search and details of adviser firms and persons, compilation feeds",
  hosts: ["api.adviserinfo.sec.gov", "reports.adviserinfo.sec.gov", "files.adviserinfo.sec.gov"],
  rateLimit: {requestsPerSecond: 2, burstSize: 1, domain: "sec.gov", serial: true},
  parameters: (disclosure_parameters + [
    {name: "feed", description: "instead: the compilation feeds; list, or the rows of one feed",
      values: ["list", "IA_FIRM_SEC", "IA_FIRM_STATE", "IA_INDVL"]},
    {name: "document", description: "instead: a document of the firm with -e CRD", values: ["adv", "crs", "brochure"]},
    {name: "version", description: "brochure: its version id (from the details)"}]),
  example: "bid-fetch iapd --query citadel",
  check: "https://api.adviserinfo.sec.gov/search/firm?nrows=1&query=a"
};

def base: "https://api.adviserinfo.sec.gov/search/";
def reports: "https://reports.adviserinfo.sec.gov/";

def search_url:
  search_words_or_null as $words
  | base + who_type + "?" + ([(if .job.params.firm then "firm=\(.job.params.firm)&investmentAdvisorReps=true"
    else empty end),
      "nrows=\(limit_or(100))", (if $words then "query=\($words | @uri)" else empty end),
      (if .job.params.state then "state=\(.job.params.state | ascii_upcase)" else empty end),
      (if page_start == "0" then empty else "start=\(page_start)" end)] | join("&"));
def detail_url: base + who_type + "/\(.job.entity.id)";

def firm_hit: {crd: .firm_source_id, name: .firm_name, secNumber: .firm_ia_full_sec_number, scope: .firm_ia_scope,
  disclosures: .firm_ia_disclosure_fl, branches: .firm_branches_count,
  address: (.firm_ia_address_details | unpacked | .officeAddress? | if . then {city, state, country} | known
    else null end),
  otherNames: ([.firm_other_names[]?] | length), relyingAdvisors: ([.firm_relying_advisors[]?] | length)} | known;
def person_hit: {crd: .ind_source_id, firstName: .ind_firstname, middleName: .ind_middlename,
  lastName: .ind_lastname, scope: .ind_ia_scope,
  disclosures: .ind_ia_disclosure_fl, since: .ind_industry_cal_date_iapd, days: .ind_industry_days_iapd,
  employments: [.ind_ia_current_employments[]? | {firm: .firm_id, name: .firm_name, city: .branch_city,
    state: .branch_state} | known][:5]} | known;

# The search also finds brokers who are not advisers; those have no adviser scope.
def hits_answer:
  .responses[0].json as $got | who_type as $type
  | [$got | hit_sources[] | select($type != "firm" or .firm_ia_scope) | if $type == "firm" then firm_hit
    else person_hit end] as $hits
  | if $hits == [] then nothing("IAPD knows no adviser (\($type)) called \(search_words_or_null // "so")"
      + if ($got | total_hits) > 0 then "; \($got | total_hits) hits are brokers only" else "" end)
    else {payloads: [{content: ({total: ($got | total_hits), start: (page_start | tonumber),
      advisers: ($hits | length), hits: $hits}
                               | summary(["-e CRD gives the details of one", "-P start= goes on",
                                 "-P type=individual looks for persons, -P firm=CRD for those of a firm",
                                          "-P feed=list names the daily feeds of all advisers"]; ["hits"])),
                     metadata: {kind: "search", type: $type, total: ($got | total_hits)}}]} end;

# Before 2026 the brochures were a flat list with another spelling of the id.
def brochures: .brochures
  | if type == "array" then map({brochureVersionID: (.brochureVersionID // .brochureVersionId), brochureName,
    dateSubmitted})
    else [.brochuredetails[]?] end;

def content_of: hit_sources[0].iacontent | unpacked;

def detail_answer:
  .job as $job | who_type as $type | (.responses[0].json | content_of) as $content
  | if ($content | type) != "object" then nothing("IAPD knows no \($type) with CRD \($job.entity.id)")
    else ($content
      | sections($job; ["-P section=NAME[,NAME...] gives parts in full: \($content | keys_unsorted | join(", "))",
                                     "-P document=adv, crs or brochure fetches the PDF; assets under management are in the feeds and in form ADV only"])) as $parts
      | if $parts.missing
        then invalid("no section \($parts.missing | join(", ")); there are: \($parts.has | join(", "))")
        else {payloads: [{content: $parts, metadata: ({kind: "detail", type: $type, crd: $job.entity.id,
                company: ($content.basicInformation.firmName
                  // ([$content.basicInformation | .firstName, .lastName | select(.)] | join(" ")))}
                    | known)}]} end end;

# Documents ----------------------------------------------------------------------------------------------

def brochure_request($version): {
  url: "https://files.adviserinfo.sec.gov/IAPD/Content/Common/crd_iapd_Brochure.aspx?BRCHR_VRSN_ID=\($version)",
  browser: true, immutable: true, contentType: "application/pdf", maxBytes: 67108864,
  payload: {kind: "brochure", crd: .job.entity.id, form: "ADV-2", corpus: "reports", version: $version}};

def document_step:
  .job.params.document as $which | .job.entity.id as $crd
  | if $crd | crd | not then invalid("-P document wants -e CRD")
    elif $which == "adv" then {request: {url: (reports + "reports/ADV/\($crd)/PDF/\($crd).pdf"),
      contentType: "application/pdf",
      payload: {kind: "adv", crd: $crd, form: "ADV", corpus: "reports"}}}
    elif $which == "crs" then {request: {url: (reports + "crs/crs_\($crd).pdf"), contentType: "application/pdf",
      payload: {kind: "crs", crd: $crd, form: "CRS", corpus: "reports"}}}
    elif .job.params.version then .job.params.version as $v | if $v | crd then {request: brochure_request($v)}
      else invalid("version is a number: \($v)") end
    elif .state == null then {request: {url: detail_url, statuses: [403]}, state: "brochure"}
    else refused("IAPD") // (.responses[0].json | soft_error("IAPD"))
      // (([.responses[0].json | content_of | objects | brochures[].brochureVersionID | digits]) as $all
          | if $all == [] then nothing("IAPD has no brochure of CRD \($crd)")
            else . as $in | {requests: [$all[:(.job.limit // 5)][] as $v | $in | brochure_request($v)]} end) end;

# Feeds --------------------------------------------------------------------------------------------------

def manifest_request: {url: (reports + "reports/CompilationReports/CompilationReports.manifest.json"), maxAge: 3600};

# Each adviser is one element with all data in attributes.
def feed_element: if .job.params.feed == "IA_INDVL" then "Indvl" else "Firm" end;
def feed_crd_attribute: if .job.params.feed == "IA_INDVL" then "indvlPK" else "FirmCrdNb" end;

def feed_where: [
  (if .job.entity.id | crd then {field: "text", contains: "\(feed_crd_attribute)=\"\(.job.entity.id)\""}
    else empty end),
  (search_words_or_null | select(. != null) | {field: "text", contains: ., fold: true}),
  (if .job.params.state then (.job.params.state | ascii_upcase) as $st
     | {any: [{field: "text", contains: " State=\"\($st)\""}, {field: "text", contains: " state=\"\($st)\""}]}
       else empty end)];

def feed_request($file): feed_where as $where
  | {url: (reports + "reports/CompilationReports/" + ($file.name | @uri)), maxAge: 3600,
     stream: ({format: "xml", element: feed_element, where: $where}
              + if $where == [] and .job.limit == null then {summary: true}
                else {filter: true, limit: .job.limit, batch: 100} end)};

# Converts an element to an object: its attributes, its children by name (an array where there are several), its text.
def compact:
  (.attributes // {}) + (if .text then {text: .text} else {} end)
  + (reduce .children[]? as $c ({}; .[$c.tag] += [$c | compact]) | map_values(if length == 1 then .[0] else . end));

def row: {content: [.rows[] | compact], metadata: {kind: "adviser-feed", feed: .job.params.feed,
  rows: (.rows | length)}};

def feed_summary: .responses[0] as $got
  | {payloads: [{content: {feed: .job.params.feed, url: $got.url, advisers: $got.json.total, bytes: $got.json.bytes,
                           hints: ["-e CRD, --query NAME and -P state= choose advisers, -n N takes the first N"]},
                 metadata: {kind: "feed-summary", feed: .job.params.feed}}]};

def feed_step:
  if .state == null then {request: manifest_request, state: "manifest"}
  elif .state == "summary" then feed_summary
  else .job.params.feed as $feed | .responses[0].json.files as $files
    | if $feed == "list" then
        {payloads: [{content: {feeds: $files,
          hints: ["-P feed=IA_FIRM_SEC gives the rows of one: -e CRD or --query NAME of one adviser, -P state=, -n N of them"]},
                     metadata: {kind: "feeds"}}]}
      else ([$files[] | select(.name | startswith($feed + "_Feed"))]
        | sort_by(.date | "\(.[6:])\(.[:2])\(.[3:5])") | last) as $file
        | if $file == null then nothing("the list of feeds names no \($feed)")
          else feed_request($file) as $request
            | {request: $request} + if $request.stream.summary then {state: "summary"} else {} end end end end;

def step:
  if .job.params.feed then feed_step
  elif .job.params.document then document_step
  else parameter_error("IAPD") // (
    if .state == null and (.job.entity.id | crd) then {request: {url: detail_url, statuses: [403],
      maxAge: 3600}, state: "detail"}
    elif .state == null then {request: {url: search_url, statuses: [403], maxAge: 3600}, state: "hits"}
    else refused("IAPD") // (.responses[0].json | soft_error("IAPD"))
      // (if .state == "detail" then detail_answer else hits_answer end) end) end;
