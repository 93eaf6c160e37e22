# Holders of a security: the rows of Form 13F information tables that name it, found with EDGAR's full-text search,
# manager by manager.  A 13F table has no CIK or ticker of the issuer, only its CUSIP and its name in the SEC's list
# of 13F securities, so a row matches where its CUSIP is the requested one, or its name is exactly equal.
include "answers";
include "sec";

def declare: {
  description: "who holds a security: rows of managers' 13F tables that name it",
  hosts: ["efts.sec.gov", "www.sec.gov"],
  rateLimit: sec_rate,
  parameters: [
    {name: "entity", description: "the issuer: ticker, name or CIK", example: "AAPL"},
    {name: "aliases", description: "other names to look up"},
    {name: "cusip", description: "the security's CUSIP, nine characters: more reliable than a name", example: "037833100"},
    {name: "issuer", description: "the issuer's name as 13F tables write it", example: "APPLE INC"},
    {name: "since", description: "13F filed on or after this date (default: the last 135 days, one quarter's reports)"},
    {name: "period", description: "filed in 2024, 2024-03, 2024-01-01..2024-06-30"},
    {name: "from", description: "offset of the first hit (0, 100, 200, ... to 9900)", example: "100"},
    {name: "limit", description: "number of managers' tables read (default 10, at most 100)"},
    as_of_parameter],
  needs: [["entity", "aliases", "cusip", "issuer"]],
  example: "bid-fetch sec-holders -P cusip=037833100 -n 20",
  check: search_check
};

# The tree of the XML: {tag, attributes, text, children}
def kids($tag): .children[]? | select(.tag == $tag);
def text_at($path): reduce $path[] as $tag ([.]; [.[] | kids($tag)]) | .[0].text?;

# "Apple Inc." as in a 13F table: capitals, without points and commas.
def plain: ascii_upcase | gsub("[^A-Z0-9&]+"; " ") | trimmed;

def wanted: {cusip: (.job.params.cusip // null | if . then ascii_upcase else . end),
  name: (.job.params.issuer // .company.name // .state.company.name // null | if . then plain else . end)};

def is_wanted($w): if $w.cusip then ((text_at(["cusip"]) // "") | ascii_upcase) == $w.cusip
  else ((text_at(["nameOfIssuer"]) // "") | plain) == $w.name end;

# Values filed before 3 January 2023 are in thousands of dollars (SEC release 34-95148).
def row($filed):
  {nameOfIssuer: text_at(["nameOfIssuer"]), titleOfClass: text_at(["titleOfClass"]), cusip: text_at(["cusip"]),
   value: text_at(["value"]), valueUnit: (if $filed < "2023-01-03" then "USD thousand" else "USD" end),
   amount: text_at(["shrsOrPrnAmt", "sshPrnamt"]), amountType: text_at(["shrsOrPrnAmt", "sshPrnamtType"]),
   putCall: text_at(["putCall"]), discretion: text_at(["investmentDiscretion"]),
   otherManager: text_at(["otherManager"]),
   votingSole: text_at(["votingAuthority", "Sole"]), votingShared: text_at(["votingAuthority", "Shared"]),
   votingNone: text_at(["votingAuthority", "None"])} | known;

# One quarter's reports, which are due 45 days after its end.
def days: days_filed // {from: (.now[:10] + "T00:00:00Z" | fromdate - 135 * 86400 | strftime("%Y-%m-%d")), to: horizon[:10]};

def search_request:
  wanted as $w | days as $days
  | {url: ("https://efts.sec.gov/LATEST/search-index?q=\("\"\($w.cusip // $w.name)\"" | @uri)&forms=13F-HR"
      + "&dateRange=custom&startdt=\($days.from)&enddt=\($days.to)&from=\(hit_page)"),
     maxAge: 600,
     select: {total: {path: ["hits", "total"]}, hits: {path: ["hits", "hits", "*"], pick: ["_id", "_source"]}}};

# A hit is a document of a filing: usually the table, rarely the cover page.
def table_request:
  ._source as $s | (._id | split(":")) as $id
  | {as: "xml", immutable: true, optional: true,
     url: (archives + ($s.ciks[0] // "0" | cik_plain) + "/" + ($id[0] | split("-") | join("")) + "/" + $id[1]),
     id: ({manager: ($s.display_names[0] // "" | split("  (")[0]), cik: ($s.ciks[0] // "" | cik_padded), form: $s.form,
           filingDate: $s.file_date, reportDate: $s.period_ending, accessionNumber: $id[0]} | known)};

def tables:
  .responses[0].json as $got | wanted as $w
  | [$got.hits[].value | table_request | select(.url | endswith(".xml"))] as $all
  | if $all == [] then nothing("no 13F table filed in those days holds \($w.cusip // $w.name); " +
      if $w.cusip then "--since looks further back" else "-P cusip=... is surer than a name" end)
    else {requests: $all[:([.job.limit // 10, 100] | min)],
          state: {phase: "tables", company: .state.company, total: ($got.total.value | num), more: ($got.total.relation == "gte"),
                  tables: ($all | length)}} end;

def holder($w): .id as $id | [.xml | kids("infoTable") | select(is_wanted($w)) | row($id.filingDate)] as $rows
  | $id + {href: .url, rows: $rows};

def answer:
  wanted as $w | .state as $s
  | [.responses[] | select(.error == null and (.xml | type == "object" and .tag == "informationTable")) | holder($w)] as $read
  | [$read[] | select(.rows != [])] as $holders
  | [.responses[] | select(.error)] as $bad
  | (if $holders == [] then nothing("none of the \($read | length) 13F tables that were read has a row of \($w.cusip // $w.name); "
       + if $w.cusip then "-n reads more of them" else "-P cusip=... is surer than a name" end)
     else {payloads: [{
       content: ({security: ($w | known), holders: $holders, documentsFound: $s.total, more: $s.more,
                  tablesRead: ($read | length), withoutSuchRow: (($read | length) - ($holders | length))}
                 | summary(["-n reads more tables, -P from=100 the next page of hits", "--since and -p say when they were filed"];
                     ["holders"])),
       metadata: ({kind: "holders", cusip: $w.cusip, company: ($s.company.name // $w.name),
                   holders: ($holders | length)} | known)}]} end)
  | if $bad == [] then . else .error = {category: ($bad[0].error.category // "no-content"),
      message: "\($bad | length) 13F tables could not be read: \($bad[0].url): \($bad[0].error.message)"} end;

def step:
  .job.params.cusip as $cusip
  | if .job.period and ((.job.period | period) | . == null or .kind != "range") then .job.period | invalid(bad_period)
    elif $cusip and ($cusip | test("^[0-9A-Za-z]{9}$") | not) then invalid("a CUSIP has nine letters and digits: \($cusip)")
    elif hit_page_is_wrong then invalid(bad_hit_page)
    elif .state == null and ($cusip or .job.params.issuer) then {request: search_request, state: {phase: "hits"}}
    elif looking_up then for_company(
      if .company.name then {request: search_request, state: {phase: "hits", company: .company}}
      else invalid("13F tables name the issuer: give its ticker or name instead of a CIK, or -P issuer=... or -P cusip=...") end)
    elif .state.phase == "hits" then tables
    else answer end;
