# Filing history of a company or person: https://data.sec.gov/submissions/CIK##########.json.  The newest
# thousand or so filings are in it, older ones in the files that it names ("shards").
include "answers";
include "sec";
include "fiscal";

def declare: {
  description: "filing history of a company or person on EDGAR, newest first",
  hosts: sec_hosts,
  rateLimit: sec_rate,
  parameters: [
    {name: "entity", description: "ticker, company name or CIK", example: "AAPL"},
    {name: "aliases", description: "other names to look up"},
    {name: "filingTypes", description: "only these forms (amendments have their own: 10-K/A)", example: "10-K"},
    {name: "since", description: "filed on or after this date"},
    {name: "period", description: "filed in 2024, 2024-03, 2024-01-01..2024-06-30; or reporting on FY-2024 or Q2-2025"},
    {name: "limit", description: "at most this many rows, 50 at most"},
    {name: "start", description: "skip this many rows: the next page", example: "50"},
    {name: "older", description: "also this many of the older shards, or \"all\"", example: "1"},
    as_of_parameter],
  needs: [["entity", "aliases"]],
  example: "bid-fetch sec-submissions -e AAPL -f 10-K -n 5",
  check: sec_check
};

def most: [.job.limit // 50, 50] | min;
def start: .job.params.start // "0" | if whole then tonumber else null end;
def forms: .job.filingTypes | map(form_name) | if length > 0 and index(["*"]) == null then . else null end;

# The requested rows, from columns at a path; and the forms of all rows on these days.
# Fiscal years and quarters are the company's own: reports around them are examined one by one.
def asked_fiscal: .job.period | period | select(. and .kind == "fiscal");
def days:
  ([asked_fiscal][0]) as $f
  | [{field: "filingDate", from: .job.since}] + not_after(horizon)
    + if $f then ($f.fy | tonumber) as $y | [{field: "reportDate", from: "\($y - 1)", to: "\($y + 2)"}] else filing_window end;
def filings($path): {path: $path, rows: "columns", keep: filing_keep,
  limit: (if [asked_fiscal] != [] then 1000 else start + most end), where: ([{field: "form", in: forms}] + days)};
def annual($path): {path: $path, rows: "columns", keep: ["reportDate"], limit: 60,
  where: [{field: "form", in: annual_forms}]};
def form_column($path): {path: $path, rows: "columns", keep: ["form"], where: days};
def all_filings($path): {path: $path, rows: "columns", summary: ["filingDate"]};

def list_request:
  {url: (.company.cik | submissions_url), maxAge: 600,
   select: {cik: {path: ["cik"]}, name: {path: ["name"]}, entityType: {path: ["entityType"]},
     sic: {path: ["sic"]}, sicDescription: {path: ["sicDescription"]}, tickers: {path: ["tickers"]},
     exchanges: {path: ["exchanges"]}, ein: {path: ["ein"]}, category: {path: ["category"]},
     fiscalYearEnd: {path: ["fiscalYearEnd"]}, stateOfIncorporation: {path: ["stateOfIncorporation"]},
     phone: {path: ["phone"]}, business: {path: ["addresses", "business"]},
     formerNames: {path: ["formerNames"]}, files: {path: ["filings", "files"]},
     all: all_filings(["filings", "recent"]), filings: filings(["filings", "recent"]),
     forms: form_column(["filings", "recent"]), annual: annual(["filings", "recent"])}};

def row($cik): {form, filingDate, reportDate, acceptanceDateTime, accessionNumber, items,
  description: .primaryDocDescription, size, href: href_of($cik)} | known;

def hints($list; $next):
  ["-f FORM narrows to forms, --since and -p to days, -n to the newest"]
  + (if $next then ["-P start=\($next) goes on with the next filings"] else [] end) + [
   "sec-filings lists what to read and fetches it; sec-filing-document -P url=HREF fetches one document"]
  + if ($list.files // []) == [] then []
    else ["-P older=1 goes on with the older filings: "
          + ($list.files | map("\(.filingCount) from \(.filingFrom) to \(.filingTo)") | .[:10] | join(", "))] end;

# Number of filings per form, most frequent first.
def counts: reduce .[].form as $form ({}; .[$form] += 1)
  | to_entries | sort_by(-.value) | .[:60] | from_entries;

# Removes rows that report on another fiscal period.
def of_period: . as $in
  | ([asked_fiscal][0]) as $f
  | if $f == null then . else
      .responses |= map(if .json == null then . else
        (.json | {cik: ($in.state.company.cik // .cik | tostring | cik_padded), sic, fiscalYearEnd,
                  ends: ([.annual.rows[].reportDate | select(. != "")] | unique)}) as $company
        | .json.filings.rows |= map(select(fiscal($company) as $x
            | $x.fiscalYear == ($f.fy | tonumber) and ($f.fp == "FY" or $x.fiscalPeriod == $f.fp
                or ($f.fp == "Q4" and $x.fiscalPeriod == "FY"))))
        | .json.filings.matched = (.json.filings.rows | length)
        | .json.forms.rows = (.json.filings.rows | map({form})) end)
    end;

def listing($list; $cik; $start; $most):
  ($list.filings.rows[$start:$start + $most]) as $rows
  | {matched: $list.filings.matched, shown: ($rows | length), forms: ($list.forms.rows | counts)}
    + (if $list.filings.matched > $start + ($rows | length) and $rows != [] then {next: ($start + ($rows | length))} else {} end)
    + {filings: ($rows | map(row($cik)))};

def first_payload($company; $cik): start as $start | most as $most | .responses[0].json as $list | ($list | listing(.; $cik; $start; $most)) as $listing | {
  content: ({company: ($list | {cik: $cik, name, tickers, exchanges, entityType, sic, sicDescription, ein,
               category, fiscalYearEnd, stateOfIncorporation, phone, business,
               formerNames: [.formerNames[]?.name][:20]} | known),
             total: ($list.all.total // 0), range: $list.all.ranges.filingDate} + $listing
            | summary(hints($list; $listing.next); ["filings"])),
  metadata: ({company: $company.name, ticker: $company.ticker, cik: $cik, kind: "filing-history"} | known)};

# Number of older shards requested.
def wanted($files):
  (.job.params.older // "0") as $older
  | $files // [] | if $older == "all" then . elif ($older | whole) then .[:($older | tonumber)] else [] end;

def shard_request: {url: "https://data.sec.gov/submissions/\(.file.name)", maxAge: 86400, optional: true,
  select: {all: all_filings([]), filings: filings([]), forms: form_column([]), annual: annual([])}};

def shard_payload($i; $company): start as $start | most as $most | .responses[$i] as $got | {
  from: $i,
  content: ({total: $got.json.all.total, range: $got.json.all.ranges.filingDate}
            + ($got.json | listing(.; $company.cik; $start; $most)) | fit(["filings"]; 30000)),
  metadata: ({company: $company.name, ticker: $company.ticker, cik: $company.cik, kind: "filing-history",
              older: ($i + 1)} | known)};

def older_answers:
  .state.company as $company
  | {payloads: [range(0; .responses | length) as $i | select(.responses[$i].error | not)
                | shard_payload($i; $company)]}
    + ([.responses[] | select(.error)][0] | if . then {error} else {} end);

def answer:
  company_from(.responses[0].json; .state.company) as $company
  | . as $in
  | wanted(.responses[0].json.files) as $older
  | if .responses[0].json.filings.matched == 0 and $older == [] and (forms or .job.since or .job.period)
    then nothing("\($company.name) has no such filing among its newest \(.responses[0].json.all.total // 0)"
                 + if (.responses[0].json.files // []) == [] then "" else "; -P older=all looks further" end)
    else {payloads: [first_payload($company; $company.cik)],
          requests: [$older[] as $file | $in | .file = $file | shard_request],
          state: {phase: "older", company: $company}}
    end;

def step:
  if (.job.period | period) == null and .job.period then .job.period | invalid(bad_period)
  elif start == null then invalid("start is no whole number: \(.job.params.start)")
  elif looking_up then for_company({request: list_request, state: {phase: "list", company: .company}})
  elif .state.phase == "older" then of_period | older_answers
  else of_period | answer end;
