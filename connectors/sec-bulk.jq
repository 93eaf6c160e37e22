# EDGAR's large archives, read member by member as they arrive: all submissions, all company facts, all filings of a
# day, all filings of a quarter.
include "answers";
include "sec";
include "facts";
include "index";
include "heading";

def declare: {
  description: "EDGAR's bulk archives: submissions, company facts, a day's filings, a quarter's index",
  hosts: sec_hosts,
  rateLimit: sec_rate,
  parameters: [
    {name: "archive",
      description: "the archive: submissions.zip, companyfacts.zip, the feed of a day, the index of a quarter",
        required: true, values: ["submissions", "companyfacts", "feed", "index"]},
    {name: "entity", description: "only this company: ticker, name or CIK"},
    {name: "aliases", description: "other names to look up"},
    {name: "period",
      description: "the day of a feed (2025-01-08), the quarter of an index (2026-Q1); for the others as in sec-submissions and sec-financials"},
    {name: "filingTypes", description: "only these forms"},
    {name: "since", description: "filed, or ending, on or after this date"},
    {name: "concept", description: "companyfacts: the rows of these concepts"},
    {name: "unit", description: "companyfacts: only in this unit"},
    {name: "members", description: "only members whose name matches, as 'CIK00003*'"},
    {name: "limit", description: "stop after this many members or rows"}],
  needs: ["archive"],
  example: "bid-fetch sec-bulk -P archive=submissions -e AAPL -f 10-K",
  check: "https://www.sec.gov/Archives/edgar/daily-index/"
};

def base: "https://www.sec.gov/Archives/edgar/";
def kind: .job.params.archive;
def forms: .job.filingTypes | map(form_name) | if . == [] then null else . end;

def day: .job.period | select(. and test("^[0-9]{4}-[0-9]{2}-[0-9]{2}$"));
def quarter: .job.period | period | select(. and .kind == "fiscal" and .fp != "FY");
def archive_url:
  if kind == "submissions" then base + "daily-index/bulkdata/submissions.zip"
  elif kind == "companyfacts" then base + "daily-index/xbrl/companyfacts.zip"
  elif kind == "feed" then
    [day | base + "Feed/\(.[:4])/QTR\(((.[5:7] | tonumber) + 2) / 3 | floor)/\(split("-") | join("")).nc.tar.gz"][0]
  else [quarter | base + "full-index/\(.fy)/QTR\(.fp[1:])/form.gz"][0] end;

def patterns:
  if .job.params.members then [.job.params.members]
  elif .company and (kind == "submissions" or kind == "companyfacts") then ["CIK\(.company.cik)*.json"]
  else null end;

# The parts extracted from a member before jq sees it.
def history_rows($path): {path: $path, rows: "columns", keep: filing_keep, limit: 200,
  where: ([{field: "form", in: forms}, {field: "filingDate", from: .job.since}] + filing_window + not_after(horizon))};
def member_select:
  if kind == "submissions" then
    {cik: {path: ["cik"]}, name: {path: ["name"]}, tickers: {path: ["tickers"]},
     recent: history_rows(["filings", "recent"]), shard: history_rows([])}
  elif kind == "companyfacts" then facts_select
  else null end;

def narrow: .company != null or .job.params.members or forms or .job.since or .job.params.concept or .job.limit
  or ((kind == "submissions" or kind == "companyfacts") and .job.period);

def member_stream:
  if narrow | not then {format: "archive", summary: true}
  elif kind == "feed" and forms == null and .company == null then
    {format: "archive", members: patterns, limit: .job.limit, payload: {kind: "feed", date: .job.period}}
  else {format: "archive", members: patterns, limit: (if kind == "feed" then null else .job.limit end),
    filter: true} end;

def line_stream:
  if narrow | not then {format: "lines", summary: true}
  else {format: "lines", filter: true, batch: 1000, limit: .job.limit,
        where: (if .company then [{field: "line", contains: " \(.company.cik | cik_plain) "}]
                elif forms then [{any: (forms | map({field: "line", starts: (. + " ")}))}] else [] end)} end;

def archive_request:
  {url: archive_url, maxAge: 3600, select: member_select,
   stream: (if kind == "index" then line_stream else member_stream end | with_entries(select(.value != null)))}
  | with_entries(select(.value != null));

def begin: {request: archive_request} + if narrow then {} else {state: {phase: "summary"}} end;

# row: one member, or some lines, as a payload or null ----------------------------------------------------------

def history_payload:
  .json as $j | (if ($j.name // null) == null then $j.shard else $j.recent end) as $rows
  | (.name | split("/")[-1] | ltrimstr("CIK") | .[:10]) as $cik
  | if ($rows.matched // 0) == 0 then null
    else {content: {cik: $cik, name: $j.name, tickers: $j.tickers, total: $rows.total, matched: $rows.matched,
                    filings: [$rows.rows[] | {form, filingDate, reportDate, acceptanceDateTime, accessionNumber,
                      items, href: href_of($cik)} | known]} | known,
          metadata: ({kind: "filing-history", cik: $cik, company: $j.name, member: .name} | known)} end;

def facts_payload:
  (.name | split("/")[-1] | ltrimstr("CIK") | .[:10]) as $cik
  | .name as $member
  | {job, responses: [{json: .json}]} as $in
  | ($in | facts_answer({cik: $cik})) as $answer
  | if $answer.payloads then $answer.payloads[0] | .metadata.member = $member else null end;

def feed_payload:
  (.text // "") as $text | ($text | submission_metadata) as $head | forms as $forms
  | if ($forms and (($forms | index([$head.form])) == null)) or (.company and .company.cik != $head.cik and
        (.company.cik as $cik | $text[:20000] | contains("<CIK>" + $cik) | not)) then null
    else {text: $text, metadata: ({kind: "feed", member: .name} + $head | known)} end;

def lines_payload:
  forms as $forms | [.rows | index_rows[] | select($forms == null or (.form as $f | $forms | index([$f])))] as $rows
  | if $rows == [] then null else {content: $rows, metadata: {kind: "index", period: .job.period,
    rows: ($rows | length)}} end;

def row:
  .company = (.job.entity.id | as_cik | if . then {cik: .} else null end)
  | if kind == "submissions" then history_payload
    elif kind == "companyfacts" then facts_payload
    elif kind == "feed" then feed_payload
    else lines_payload end;

def answer: .responses[0] as $got | {payloads: [{
  content: ({archive: kind, url: $got.url} + ($got.json | {members: .total, bytes, names} | known)
            | if kind == "index" then .lines = .members | del(.members) else . end
            | summary(["-e COMPANY or -P members=PATTERN reads single members",
              "-f FORM, --since and -p narrow the rows"]; ["names"])),
  metadata: {kind: "bulk-summary", archive: kind}}]};

def step:
  if archive_url == null then
    invalid(if kind == "feed" then "a feed is of one day: -p 2025-01-08"
      else "an index is of one quarter: -p 2026-Q1" end)
  elif kind == "feed" and .job.entity.id and (.job.entity.id | as_cik) == null then
    invalid("a feed is narrowed by CIK: \(.job.entity.id)")
  elif .job.period and (.job.period | period) == null then .job.period | invalid(bad_period)
  elif .state.phase == "summary" then answer
  elif .state == null and names_of == [] then begin
  elif looking_up then for_company(begin)
  else answer end;
