# Shared by the connectors of the SEC's EDGAR: finding the company, URLs, forms.
include "answers";

def sec_rate: {requestsPerSecond: 8, burstSize: 1, domain: "sec.gov", serial: true};
def sec_hosts: ["www.sec.gov", "data.sec.gov"];
def sec_check: "https://data.sec.gov/submissions/CIK0000320193.json";
def search_check: "https://efts.sec.gov/LATEST/search-index?q=risk&from=0";

def archives: "https://www.sec.gov/Archives/edgar/data/";
def cik_padded: left_pad(10);
def cik_plain: tostring | if startswith("0") and length > 1 then .[1:] | cik_plain else . end;

# "320193", "0000320193", "CIK320193" as ten digits, else null.
def as_cik:
  if . == null then null
  else ascii_upcase | ltrimstr("CIK") | if test("^[0-9]{1,10}$") then cik_padded else null end
  end;

# Normalises forms as people write them.
def form_name:
  ascii_upcase
  | {"10K": "10-K", "10Q": "10-Q", "8K": "8-K", "6K": "6-K", "20F": "20-F", "40F": "40-F",
     "10K/A": "10-K/A", "10Q/A": "10-Q/A", "8K/A": "8-K/A", "DEF14A": "DEF 14A", "DEFA14A": "DEFA14A",
     "S1": "S-1", "S3": "S-3", "S4": "S-4", "13F": "13F-HR", "FORM 3": "3", "FORM 4": "4", "FORM 5": "5",
     "ANNUAL REPORT": "10-K", "QUARTERLY REPORT": "10-Q", "PROXY STATEMENT": "DEF 14A"}[.] // .;

# Looking up a ticker or a name ------------------------------------------------------------------------

def tickers_url: "https://www.sec.gov/files/company_tickers.json";
def ticker_form: ascii_upcase | split(".") | join("-") | split("/") | join("-");
def ticker_keep: ["cik_str", "ticker", "title"];

def ticker_rows($where; $limit):
  {path: [], rows: "members", where: $where, keep: ticker_keep, limit: $limit};

# For each name: companies with it as ticker, as name, or as a prefix of the name.
def lookup_request($names):
  {url: tickers_url, maxAge: 86400,
   select: ([range(0; $names | length) as $i | $names[$i] as $name
     | {"t\($i)": ticker_rows([{field: "ticker", is: ($name | ticker_form), fold: true}]; 5),
        "n\($i)": ticker_rows([{field: "title", is: $name, fold: true}]; 20),
        "p\($i)": ticker_rows([{field: "title", starts: $name, fold: true}]; 60)}] | add)};

# Suggestions.
def near_request($name):
  {url: tickers_url, maxAge: 86400,
   select: {
     ticker: ticker_rows([{field: "ticker", starts: ($name | ticker_form)[:1], fold: true}]; 3000),
     title: ticker_rows([{field: "title", starts: $name[:2], fold: true}]; 200),
     inside: ticker_rows([{field: "title", contains: ($name | split(" ")[0]), fold: true}]; 20)}};

def company_of: {cik: (.cik_str | digits | cik_padded), ticker, name: .title};
def companies: map(company_of) | first_by(.cik);
def company_text: "\(.name) (\(.ticker), CIK \(.cik))";
def listed: .[:12] | map(company_text) | join("; ");

def look_up_failed($name): "the ticker/CIK look-up failed for \"\($name | if length > 80 then .[:80] + "..." else . end)\"";

def near_names($name):
  ($name | ticker_form) as $t | ($name | ascii_downcase) as $n | ($n | length) as $len
  | [(.ticker.rows[] | select($len <= 6 and ((.ticker | length) - ($t | length) | . * . <= 1))
        | {rank: (.ticker | distance($t) / ($len / 6 | if . < 1 then 1 else . end)), row: .}),
     (.title.rows[] | {rank: ((.title[:$len] | ascii_downcase | distance($n)) / ($len / 6 | if . < 1 then 1
       else . end)),
                       row: .}),
     (.inside.rows[] | {rank: 1.5, row: .})]
  | map(select(.rank <= 2)) | sort_by(.rank) | map(.row) | companies | .[:5];

# Several tickers in one name: "AAPL,NVDA".
def tickers_listed: split("[,;]"; null) | map(trimmed) | if length > 1 and all(.[]; test("^[A-Za-z0-9.-]{1,6}$")) then . else [] end;

def names_of: [.job.entity.id] + .job.entity.aliases | map(select(. != null) | trimmed | select(. != ""));

def not_found: names_of[0] as $name | .responses[0].json
  | ($name | tickers_listed) as $several
  | if $several != [] then
      invalid(look_up_failed($name) + ": \($several | length) names in one: give each its own -e, as -e "
        + ($several | join(" -e ")))
    else near_names($name) as $near
  | invalid(look_up_failed($name) + ": EDGAR knows no such ticker, name or CIK"
      + if $near == [] then "" else "; near: " + ($near | listed) end)
    end;

# Resolves one name to a company, an error, or null: by ticker, exact name, or prefix of the name.
def resolved($i; $name):
  .["t\($i)"].rows as $ticker | .["n\($i)"].rows as $named | .["p\($i)"].rows as $begins
  | if ($ticker | length) > 0 then $ticker[0] | company_of
    elif ($named | companies | length) == 1 then $named[0] | company_of
    else ($named + $begins | companies) as $all
    | if ($all | length) == 1 then $all[0]
      elif ($all | length) > 1 then
        invalid(look_up_failed($name) + ": \($all | length) names begin so: " + ($all | listed)
          + if ($all | length) > 12 then "; ..." else "" end)
      else null end
    end;

# Runs `begin` with .company {cik, ticker, name} in the step's input once the company is resolved; a CIK, and a name
# that bid-fetch has resolved (.job.company), need no look-up.  Call it while .state is null or .state.lookup is set.
def for_company(begin):
  names_of as $names
  | if ($names | length) == 0 then invalid("no company is given: name its ticker, name or CIK with -e")
    elif any($names[]; length > 200) or ($names | length) > 20 then
      invalid(look_up_failed($names[0]) + ": no company has such a name")
    elif .state == null and .job.company then .company = .job.company | begin
    elif .state == null then
      ([$names[] | as_cik | select(.)][0]) as $cik
      | if $cik then .company = {cik: $cik} | begin
        else {request: lookup_request($names), state: {lookup: "names"}} end
    else
      .responses[0].json as $found
      | ([range(0; $names | length) as $i | $found | resolved($i; $names[$i]) | select(.)]
         | (map(select(.cik))[0]) // .[0]) as $who
      | if $who == null then {request: near_request($names[0]), state: {lookup: "near"}, next: "not_found"}
        elif $who.error then $who
        else .company = $who | begin end
    end;
def looking_up: .state == null or .state.lookup != null;

# Submissions --------------------------------------------------------------------------------------------

def submissions_url: "https://data.sec.gov/submissions/CIK\(.).json";

# Members of filings.recent needed for a list of filings.
def filing_keep: ["accessionNumber", "filingDate", "reportDate", "acceptanceDateTime", "form", "items", "size",
  "primaryDocument", "primaryDocDescription"];

def folder_of($cik): archives + ($cik | cik_plain) + "/" + (.accessionNumber | split("-") | join(""));

# Ownership forms are listed with the folder of their style sheet; the XML itself is in the parent folder.
def document_name: if startswith("xsl") and contains("/") then split("/")[1:] | join("/") else . end;

def href_of($cik):
  if (.primaryDocument // "") == "" then folder_of($cik) + "/" + .accessionNumber + ".txt"
  else folder_of($cik) + "/" + (.primaryDocument | document_name) end;

# Converts a row of a submissions list to metadata of the filing.
def filing_metadata($company):
  {company: $company.name, ticker: $company.ticker, cik: $company.cik, form, filingDate, acceptanceDateTime,
   reportDate, accessionNumber, primaryDocument, items, title: .primaryDocDescription,
   href: href_of($company.cik)} | known;

# The company as in its submissions list, with the requested ticker if it is one of its own.
def company_from($list; $asked):
  {cik: ($list.cik // $asked.cik | digits | cik_padded), name: ($list.name // $asked.name),
   ticker: (if $asked.ticker and ([$list.tickers[]?] | index([$asked.ticker])) then $asked.ticker
            else $list.tickers[0]? // $asked.ticker end)} | known;

# The time until which filings are considered: now, or the end of -P asOf.
def horizon:
  (.job.params.asOf // "") as $as_of
  | if $as_of == "" or $as_of > .now then .now
    elif ($as_of | length) == 10 then $as_of + "T23:59:59.999Z"
    else $as_of end;
def not_after($horizon):
  [{field: "filingDate", to: $horizon[:10]}, {field: "acceptanceDateTime", to: $horizon}];
# Full-text search ---------------------------------------------------------------------------------------

# The range of days from a job's period or since; null where there is none.
def days_filed:
  (.job.period | period) as $p
  | if $p != null and $p.kind == "range" then {from: ($p.from // "2001" | . + "-01-01"[length - 4:]),
    to: ($p.to // .now[:10] | last_day)}
    elif .job.since then {from: .job.since, to: .now[:10]}
    else null end;

# The documents filed from $days.from to $days.to (null: any time) that hold the words, the best first.
def text_search($words; $forms; $cik; $days; $from):
  {url: ("https://efts.sec.gov/LATEST/search-index?q=\($words | @uri)"
     + (if $forms != [] then "&forms=" + ($forms | map(form_name | @uri) | join("%2C")) else "" end)
     + (if $days then "&dateRange=custom&startdt=\($days.from)&enddt=\($days.to)" else "" end)
     + (if $cik then "&ciks=\($cik)" else "" end) + "&from=\($from)"),
   maxAge: 600,
   select: {total: {path: ["hits", "total"]},
            hits: {path: ["hits", "hits", "*"], pick: ["_id", "_score", "_source"]},
            entities: {path: ["aggregations", "entity_filter", "buckets"]},
            forms: {path: ["aggregations", "form_filter", "buckets"]}}};

# The index of the first hit on the page of 100.
def hit_page: .job.params.from // "0";
def hit_page_is_wrong: hit_page | whole and (tonumber % 100 == 0) and (tonumber <= 9900) | not;
def bad_hit_page: "from is a multiple of 100, 9900 at most: \(hit_page)";

def as_of_parameter: {name: "asOf", description: "filed on or before this date (YYYY-MM-DD)", example: "2025-12-31"};

# -p as a range of filing dates, or of report dates for a year or quarter (by the calendar; fiscal years are handled
# in lib/fiscal.jq).
def filing_window:
  (.job.period | period) as $p
  | if $p == null then []
    elif $p.kind == "range" then [{field: "filingDate", from: $p.from, to: $p.to}]
    else (if $p.kind == "fiscal" then $p.fy + $p.fp else $p.frame[2:] end) as $f
      | ({"Q1": ["-01", "-03"], "Q2": ["-04", "-06"], "Q3": ["-07", "-09"], "Q4": ["-10", "-12"]}[$f[4:6]] // ["", ""]) as $months
      | [{field: "reportDate", from: ($f[:4] + $months[0]), to: ($f[:4] + $months[1] + "-99")}] end;
