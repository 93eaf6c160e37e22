# EDGAR full-text search: documents since 2001 that contain some words.
include "answers";
include "sec";

def declare: {
  description: "EDGAR full-text search: documents that contain the words",
  hosts: ["efts.sec.gov", "www.sec.gov"],
  rateLimit: sec_rate,
  parameters: [
    {name: "query", description: "search words; phrases in double quotation marks", example: "climate change"},
    {name: "entity", description: "only this company: ticker, name or CIK"},
    {name: "aliases", description: "other names to look up"},
    {name: "filingTypes", description: "only these forms", example: "8-K"},
    {name: "since", description: "filed on or after this date"},
    {name: "period", description: "filed in 2024, 2024-03, 2024-01-01..2024-06-30"},
    {name: "from", description: "offset of the first hit (0, 100, 200, ... to 9900)", example: "100"},
    {name: "limit", description: "at most this many hits (default 20, at most 1000)"},
    {name: "content", description: "each document as a payload (default: 5 documents)"}],
  needs: ["query"],
  example: "bid-fetch sec-full-text --query 'climate change' -f 8-K -n 5",
  check: search_check
};

def hits_max: 1000; # of one job
def wanted: [.job.limit // (if .job.content then 5 else 20 end), hits_max] | min;

def search_request($from): days_filed as $days
  | text_search(.job.query; .job.filingTypes; .company.cik; $days; $from);

# One hit is one document of a filing.
def document:
  ._source as $s | (._id | split(":")) as $id
  | {form: $s.form, filingDate: $s.file_date, reportDate: $s.period_ending, documentType: $s.file_type,
     description: $s.file_description, accessionNumber: $id[0],
       companies: [$s.display_names[]? | split("  ") | join(" ")][:3],
     cik: ($s.ciks[0] // "" | cik_padded), items: ([$s.items[]?] | join(",")), score: ._score,
     href: (archives + ($s.ciks[0] // "0" | cik_plain) + "/" + ($id[0] | split("-") | join("")) + "/"
       + $id[1])} | known;

def buckets: [.[]? | {key: .key, value: .doc_count}] | .[:10] | from_entries;

def list_payload($first; $documents): {
  content: ({query: .job.query, total: ($first.total.value | num), more: ($first.total.relation == "gte"),
             from: (hit_page | tonumber), shown: ($documents | length), hits: $documents,
             forms: ($first.forms | buckets), companies: ($first.entities | buckets)}
            | summary(["-f FORM, -e COMPANY, --since and -p narrow", "-P from=100 is the next page",
                       "--content fetches the documents"]; ["hits"])),
  metadata: {kind: "full-text-hits", query: .job.query, total: ($first.total.value | num)}};

def document_request: {url: .href, immutable: true,
  payload: (del(.companies, .score, .description) + {title: .description,
    company: (.companies[0] // "" | split("  ")[0] | split(" (")[0])} | known)};

# The hits come by the page of 100, the best first.
def answer:
  .responses[0].json as $page | (.state.first // $page) as $first | .now[:10] as $today | wanted as $wanted
  | (.state.from // (hit_page | tonumber)) as $from
  | (.state.documents + [$page.hits[].value | document | select(.filingDate <= $today)]) as $all
  | ($page.hits == [] or $from + 100 >= ($first.total.value | num) or $from >= 9900) as $last
  | if ($all | length) < $wanted and ($last | not) then
      {request: search_request($from + 100),
       state: {phase: "hits", first: ($first | del(.hits)), from: ($from + 100), documents: $all, company: .state.company}}
    else
      $all[:$wanted] as $documents
      | (if $wanted == hits_max and (($last | not) or ($all | length) > hits_max) then
           "more than \(hits_max) hits: those behind them were left out; narrow by --since, -p, -f or -e" else null end) as $cut
      | if $documents == [] then nothing("no document holds \(.job.query)"
          + (if (.job.filingTypes | length) > 0 then " in forms " + (.job.filingTypes | join(", ")) else "" end))
        elif .job.content then {requests: ($documents | map(document_request))} + (if $cut then {state: {phase: "cut", cut: $cut}} else {} end)
        else {payloads: [list_payload($first; $documents)]} + (if $cut then invalid($cut) else {} end) end
    end;

def begin: {request: search_request(hit_page), state: {phase: "hits", company: .company}};

def step:
  if .job.period and ((.job.period | period) | . == null or .kind != "range") then .job.period | invalid(bad_period)
  elif hit_page_is_wrong then invalid(bad_hit_page)
  elif .state == null and (names_of == []) then begin
  elif looking_up then for_company(begin)
  elif .state.phase == "cut" then invalid(.state.cut)
  else .company = .state.company | answer end;
