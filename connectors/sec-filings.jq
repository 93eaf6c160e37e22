# Discovery: which filings of a company to read, newest first, amendments after originals, with --content
# the documents of each that carry its substance.
include "answers";
include "sec";
include "parts";

def declare: {
  description: "filings of a company to read, or with --content their documents",
  hosts: sec_hosts,
  rateLimit: sec_rate,
  parameters: [
    {name: "entity", description: "ticker, company name or CIK", example: "AAPL"},
    {name: "aliases", description: "other names to look up"},
    {name: "filingTypes",
      description: "forms, with their amendments; '*' for all (default: annual, quarterly and current reports, proxy statements)", example: "10-K"},
    {name: "since",
      description: "filed on this day or later; without it those of the last six months, then (where there are none, or -n asks for more) older ones, marked recent:false"},
    {name: "period", description: "filed in 2024, 2024-03, 2024-01-01..2024-06-30; or reporting on FY-2024"},
    {name: "limit", description: "at most so many (default 20, with --content 5)"},
    {name: "content", description: "the documents as payloads: the primary one and exhibits"},
    parts_parameter,
    as_of_parameter],
  needs: [["entity", "aliases"]],
  example: "bid-fetch sec-filings -e AAPL -f 10-K -n 3 --content"
};

def readable: ["10-K", "10-Q", "8-K", "20-F", "40-F", "6-K", "DEF 14A"];
def originals:
  .job.filingTypes | map(form_name)
  | if index(["*"]) then null elif length == 0 then readable else . end;
def amendments: originals | if . == null then [] else . as $o
  | map(. + "/A" | select(. as $a | $o | index([$a]) | not)) end;
def most: .job.limit // (if .job.content then 5 else 20 end) | [., 200] | min;
def preferred_since: horizon[:10] | months_before(6);
def prefers: (.job.since or .job.period) | not;

# Rows of one kind: $from and $to are days.
def rows($path; $forms; $from; $to):
  {path: $path, rows: "columns", keep: filing_keep, limit: most,
   where: ([{field: "form", in: $forms}, {field: "filingDate", from: $from, to: $to}] + filing_window
           + not_after(horizon))};

# All that may be wanted of a list, in four parts: recent and older, originals and amendments.
def parts($path):
  preferred_since as $line
  | {recent: rows($path; originals; (if prefers then $line else .job.since end); null),
     recentAmended: rows($path; amendments; (if prefers then $line else .job.since end); null),
     all: {path: $path, rows: "columns", summary: ["filingDate"]}}
    + if prefers then {
        older: (rows($path; originals; null; $line) | .where += [{field: "filingDate", is: $line, not: true}]),
        olderAmended: (rows($path; amendments; null; $line) | .where += [{field: "filingDate", is: $line, not: true}])}
      else {} end;

def list_request:
  {url: (.company.cik | submissions_url), maxAge: 600,
   select: ({cik: {path: ["cik"]}, name: {path: ["name"]}, tickers: {path: ["tickers"]},
             files: {path: ["filings", "files"]}} + parts(["filings", "recent"]))};
def shard_request($name):
  {url: "https://data.sec.gov/submissions/\($name)", maxAge: 86400, optional: true, select: parts([])};

# The filings of a list, each with recent said: those of the last months; the older ones where there are none,
# or where -n asks for more.
def chosen($in; $company):
  ($in | preferred_since) as $line
  | [.recent.rows[]?, .recentAmended.rows[]?] as $new
  | [.older.rows[]?, .olderAmended.rows[]?] as $old
  | (if $new == [] or $in.job.limit then $new + $old else $new end)
  | map(filing_metadata($company) + {recent: (.filingDate >= $line)})
  | .[:($in | most)];

def list_payload($company): . as $filings | {
  content: ({company: $company, filings: ($filings | map(del(.company, .ticker, .cik)))}
            | summary(["--content fetches the documents", "-f FORM and --since narrow"]; ["filings"])),
  metadata: ($company | {company: .name, ticker, cik, kind: "filings", recent: any($filings[]; .recent)} | known)};

def deliver($in; $company):
  if $in.job.content then fetch_parts($in | part_words)
  else {payloads: [list_payload($company)]} end;

def none($company; $seen):
  nothing("\($company.name // $company.cik): no "
    + (originals | if . == null then "filing" else join(", ") end) + " filed"
    + (if .job.since then " since \(.job.since)" else "" end) + (if .job.period then " in \(.job.period)" else "" end)
    + " up to \(horizon[:10])");

# Looks at a list; where nothing fits, the next older shard is asked for.
def look($company; $files):
  . as $in
  | ([.responses[0].json // {} | chosen($in; $company)][0]) as $filings
  | if $filings != [] then $filings | deliver($in; $company)
    elif ($files | length) > 0 then
      {request: shard_request($files[0]), state: {phase: "shards", company: $company, files: $files[1:]}}
    else none($company; 0) end;

# Shards that reach into the days asked for.
def useful_shards:
  .job.since as $since
  | [.responses[0].json.files[]? | select($since == null or .filingTo >= $since) | .name] | .[:20];

def step:
  if .job.period and (.job.period | period) == null then .job.period | invalid(bad_period)
  elif looking_up then for_company({request: list_request, state: {phase: "list", company: .company}})
  elif bad_parts then invalid("parts is none of all, primary, or document types such as EX-99.1: \(.job.params.parts)")
  elif .state.phase == "parts" then after_index(part_words; .responses) as $done
    | if $done.requests == [] and $done.state == null then
        nothing("no document of type \(part_words | join(", ")) in \(.state.filings | length) filings")
      else $done end
  elif .state.phase == "failed" then index_failed
  elif .state.phase == "shards" then look(.state.company; .state.files)
  else company_from(.responses[0].json; .state.company) as $company | look($company; useful_shards) end;
