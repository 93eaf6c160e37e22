# The filings of a day: EDGAR's daily index.
include "answers";
include "sec";
include "index";

def declare: {
  description: "filings of one day: form, company, CIK, URL",
  hosts: sec_hosts,
  rateLimit: sec_rate,
  parameters: [
    {name: "period", description: "the day, as 2020-03-18 (default: today, or the Friday before)",
      example: "2020-03-18"},
    {name: "since", description: "instead: every business day from this one to today (at most 31)"},
    {name: "filingTypes", description: "only these forms; without forms and company: the number of filings of each form"},
    {name: "entity", description: "only this company: ticker, name or CIK"},
    {name: "aliases", description: "other names to look up"},
    {name: "kind", description: "kind of daily index", values: ["form", "company"]},
    {name: "limit", description: "at most this many rows of a day"}],
  example: "bid-fetch sec-daily-index -p 2020-03-18 -f 10-K",
  check: "https://www.sec.gov/Archives/edgar/daily-index/"
};

def weekday: strptime("%Y-%m-%d") | mktime | gmtime | .[6];
def next_day: strptime("%Y-%m-%d") | mktime + 86400 | gmtime | strftime("%Y-%m-%d");
def day_before: strptime("%Y-%m-%d") | mktime - 86400 | gmtime | strftime("%Y-%m-%d");
def business: weekday | . != 0 and . != 6;
def last_business: if business then . else day_before | last_business end;

def days_between($last): if . > $last then empty else ., (next_day | days_between($last)) end;

def days_asked:
  .now[:10] as $today
  | if .job.since then [.job.since | days_between($today) | select(business)]
    elif .job.period then [.job.period]
    else [$today | last_business] end;

def kind: .job.params.kind // "form";

def index_url($kind): "https://www.sec.gov/Archives/edgar/daily-index/\(.[:4])/QTR\(((.[5:7] | tonumber) + 2) / 3 | floor)/\($kind).\(split("-") | join("")).idx";

def forms: .job.filingTypes | map(form_name);
def narrow: (.job.filingTypes | length) > 0 or .company != null;

# Substrings that a relevant line must have: the host filters lines before jq parses them.
def wanted_text:
  if .company then ["Form Type", "edgar/data/\(.company.cik | cik_plain)/", " \(.company.cik | cik_plain) "]
  elif (.job.filingTypes | length) > 0 then ["Form Type"] + (forms | map(. + " "))
  else null end;

def day_request($day): kind as $kind | {url: ($day | index_url($kind)), as: "lines", statuses: [404],
  maxAge: 3600, id: $day, contains: wanted_text}
  | with_entries(select(.value != null));

def begin: . as $in | days_asked as $days
  | if $days == [] then nothing("no business day since \(.job.since)")
    elif ($days | length) > 31
      then invalid("at most 31 days at once: since \(.job.since) there are \($days | length) business days")
    else {requests: [$days[] as $day | $in | day_request($day)], state: {phase: "days", company: .company}} end;

def counted: reduce .[] as $row ({}; .[$row.form] += 1) | to_entries | sort_by(-.value) | from_entries;

def rows_payload($i): .job as $job | (forms) as $forms | .state.company as $company | .responses[$i] as $got
  | [$got.lines | index_rows[] | select(($forms == []) or (.form as $f | $forms | index([$f])))
     | select($company == null or .cik == $company.cik)] as $rows
  | if $rows == [] then empty
    else {from: $i, content: {date: $got.id, matched: ($rows | length),
      filings: (if $job.limit then $rows[:$job.limit] else $rows end)},
          metadata: ({kind: "daily-index", date: $got.id, rows: ($rows | length), company: $company.name,
            cik: $company.cik} | known)} end;

def summary_payload($i): .responses[$i] as $got | ($got.lines | index_rows) as $rows
  | {from: $i, content: ({date: $got.id, filings: ($rows | length),
    companies: ($rows | map(.cik) | unique | length), forms: ($rows | counted)}
       | summary(["-f FORM gives the filings of a form", "-e COMPANY those of a company",
         "sec-bulk -P archive=feed has all of a day"]; ["none"])),
     metadata: {kind: "daily-index-summary", date: $got.id}};

def absent($days): "no daily index of \($days | join(", ")): a weekend, a holiday, or not there yet";

# Not every day that was asked for may have its index: nothing is known of the others.
def answer:
  . as $in | (narrow or .state.company != null) as $narrow
  | [range(0; .responses | length) | select($in.responses[.].status == 200)] as $there
  | [$in.responses[] | select(.status != 200) | .id] as $absent
  | [$in.responses[$there[]] | select(any(.lines[:30][]; is_heading) | not) | .id] as $damaged
  | if $damaged != [] then refuse("unavailable"; "what came as the daily index of \($damaged | join(", ")) is none") else
    [$there[] as $i | $in | if $narrow then rows_payload($i) else summary_payload($i) end] as $payloads
    | if $payloads != [] then {payloads: $payloads}
      elif $there == [] then nothing(absent($absent))
      else nothing("nothing of " + ((forms | join(", ")) + " "
        + (.state.company.name // .state.company.cik // "") | trimmed)
                   + " was filed on \([$in.responses[$there[]].id] | join(", "))"
                   + if $absent == [] then "" else "; " + absent($absent) end) end end;

def step:
  if .job.period and (.job.period | test("^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$") | not) then
    invalid("the period is one day, as 2020-03-18: \(.job.period)")
  elif .state == null and names_of == [] then begin
  elif looking_up then for_company(begin)
  else answer end;
