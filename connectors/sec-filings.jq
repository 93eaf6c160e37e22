# Discovery: selects the filings of a company to read, newest first; with --content the documents of each that carry
# its substance.
# A job with a plan (bid-plan) names companies, forms and windows: exactly those filings are selected, distributed over
# companies and windows, the newest first.  At most three are read; of windows, those that the caller has don't count.
# `step` asks for the companies' lists, `lists` takes from them what fits, `deliver` returns as many as may be read, `documents`
# reads the pages of their parts.  Where only a subject tells which of several is meant, `ask_texts`
# and `texts` ask the full-text search.
include "answers";
include "sec";
include "fiscal";
include "parts";

def declare: {
  description: "filings of a company, or with --content their documents",
  hosts: (sec_hosts + ["efts.sec.gov"]),
  rateLimit: sec_rate,
  parameters: [
    {name: "entity", description: "ticker, company name or CIK", example: "AAPL"},
    {name: "aliases", description: "other names to look up"},
    {name: "filingTypes",
      description: "forms; amendments have their own (10-K/A); '*' for all (default: annual, quarterly and current reports, proxy statements)", example: "10-K"},
    {name: "since",
      description: "filed on or after this date; default: the last six months, then (if there are none, or -n asks for more) older ones, marked recent:false"},
    {name: "period", description: "filed in 2024, 2024-03, 2024-01-01..2024-06-30; or reporting on FY-2024, Q2-2025, CY2024Q1"},
    {name: "limit", description: "at most this many (default 20, with --content 5; never more than 1000)"},
    {name: "content", description: "the documents as payloads: primary document and exhibits"},
    parts_parameter,
    {name: "have", description: "with --content: accession numbers to exclude; with a plan, * for all"},
    {name: "items", description: "of current reports: only those with one of these items", example: "2.02"},
    {name: "amendments", description: "1: the amendments of the forms, too", values: ["0", "1"]},
    as_of_parameter],
  needs: [["entity", "aliases", "plan"]],
  example: "bid-fetch sec-filings -e AAPL -f 10-K -n 3 --content",
  check: sec_check
};

# What is wanted --------------------------------------------------------------------------------------------

def readable: ["10-K", "10-Q", "8-K", "20-F", "40-F", "6-K", "DEF 14A"];
def reports: ["10-K", "10-Q", "20-F", "40-F", "6-K"];
def kin: {"10-K": ["10-K", "10-K405", "10-KSB", "10-KSB40", "10-KT"], "10-Q": ["10-Q", "10-QSB", "10-QT"], "S-3": ["S-3", "S-3ASR"], "F-3": ["F-3", "F-3ASR"],
          "SC 13D": ["SC 13D", "SCHEDULE 13D"], "SC 13G": ["SC 13G", "SCHEDULE 13G"]}[.] // [.];

def filings_max: 1000; # of one job

def first_day: if length == 4 then . + "-01-01" elif length == 7 then . + "-01" else . end;

# -p as a window.
def window_of_period:
  .job.period | period as $p
  | if $p == null then empty
    elif $p.kind == "range" then {from: ($p.from | if . then first_day else null end),
                                  until: ($p.to | if . then last_day else null end), byFiling: true}
    elif $p.kind == "fiscal" then {fiscalYear: ($p.fy | tonumber), fiscalPeriod: $p.fp}
    else ($p.frame | ltrimstr("CY")) as $f
      | ($f[5:6] | if . == "" then null else tonumber end) as $q
      | if $q then {from: "\($f[:4])-\($q * 3 - 2 | left_pad(2))-01",
                    until: "\($f[:4])-\($q * 3 | left_pad(2))\(["-31", "-30", "-30", "-31"][$q - 1])"}
        else {from: "\($f[:4])-01-01", until: "\($f[:4])-12-31"} end
    end;

# The plan, or the options, as {companies, forms (null: all), given (forms were), items, amendments, windows, each,
# most, planned}.
def wish:
  (.job.plan // {}) as $plan
  | ((if (.job.plan.forms | type) == "array" and (.job.plan.forms | length) > 0 then $plan.forms else .job.filingTypes end)
     | map(form_name)) as $forms
  | ([$plan.windows[]? | .byFiling = (.by == "filing")] | if length > 0 then . else null end) as $windows
  | {planned: (.job.plan != null),
     forms: (if $forms | index(["*"]) then null else $forms | map(if $plan.amendments then original else . end) end),
     also: (if ($plan.disclosedIn | type) == "string" and $plan.formsNamed != true then [$plan.disclosedIn | form_name] else [] end),
     items: ([$plan.items[]?] + (.job.params.items | words)),
     amendments: (if $plan.amendments then "only" elif .job.params.amendments == "1" then "too" else "named" end),
     windows: ($windows // [window_of_period]), asks: $plan.asks, terms: [$plan.terms[]?], have: (.job.params.have | words),
     reads: ([.job.limit // 3, 3] | min),
     most: (if .job.plan then [.job.limit // 3, if $plan.asks == "filings" then 20 else 3 end] | min
            else [.job.limit // (if .job.content then 5 else 20 end), filings_max] | min end)};

# How many have to be seen: one more than a job may ask for tells that there are more.
def enough: if .most == filings_max then .most + 1 else .most end;

# The kinds of window, see bid-plan(1): a fiscal period, the last day of a period, a range of days, the latest.
def is_fiscal: .fiscalYear != null;
def is_ending: .ends != null and .ends != "";
def is_dated: (is_fiscal or is_ending | not) and (.from != null or .until != null);

# The forms in which a window is searched.
def forms_for($wish):
  if $wish.forms == null then null
  elif $wish.forms != [] then $wish.forms
  elif is_fiscal then (if .fiscalPeriod | quarter_of < 4 then ["10-Q", "6-K"] else ["10-K", "20-F", "40-F"] end)
  elif is_ending or (is_dated and .byFiling != true) then ["10-K", "10-Q", "20-F", "40-F"]
  elif $wish.planned then reports
  else readable end;

def expand($wish):
  if . == null then null
  else (map(if endswith("/A") then [.] else kin end) | add) as $o
    | if $wish.amendments == "only" then $o | map(original + "/A")
      elif $wish.amendments == "too" then $o + ($o | map(original + "/A")) else $o end end;

def all_forms($wish):
  [if $wish.windows == [] then {} else $wish.windows[] end | forms_for($wish)]
  | if any(.[]; . == null) then null else add + $wish.also | expand($wish) | first_by(.) end;

# A range of filing dates that certainly includes a window's filings.
def bounds:
  if is_fiscal then {lo: "\(.fiscalYear - 1)-01-01", hi: "\(.fiscalYear + 2)-12-31"}
  elif is_ending then {lo: (.ends | months_before(2)), hi: (.ends | months_before(-14))}
  elif is_dated and .byFiling then {lo: .from, hi: .until}
  elif is_dated then {lo: (.from | if . then months_before(8) else null end),
                      hi: (.until | if . then months_before(-14) else null end)}
  else {lo: null, hi: null} end;
def all_bounds($since):
  (if .windows == [] then [{lo: null, hi: null}] else .windows | map(bounds) end)
  | {lo: (if any(.[]; .lo == null) then null else map(.lo) | min end),
     hi: (if any(.[]; .hi == null) then null else map(.hi) | max end)}
  | if $since and (.lo == null or .lo < $since) then .lo = $since else . end;

# Lists ----------------------------------------------------------------------------------------------------

def parts($path; $wish; $since; $horizon):
  ($wish | all_bounds($since)) as $days
  | {rows: {path: $path, rows: "columns", keep: filing_keep, limit: (filings_max + 1),
       where: ([{field: "form", in: all_forms($wish)}, {field: "filingDate", from: $days.lo, to: $days.hi}]
               + (if $wish.items == [] then [] else
                    [{any: [$wish.items[] | {field: "items", contains: .}]}] end)
               + not_after($horizon))},
     annual: {path: $path, rows: "columns", keep: ["reportDate", "form"], limit: 60,
       where: [{field: "form", in: annual_forms}]}};

def list_request($wish):
  horizon as $horizon | .job.since as $since
  | {url: (.company.cik | submissions_url), maxAge: 600, optional: $wish.planned, statuses: [404], id: .company,
     select: ({cik: {path: ["cik"]}, name: {path: ["name"]}, tickers: {path: ["tickers"]}, sic: {path: ["sic"]},
               fiscalYearEnd: {path: ["fiscalYearEnd"]}, files: {path: ["filings", "files"]}}
              + parts(["filings", "recent"]; $wish; $since; $horizon))};
def shard_request($wish; $since; $horizon): {url: "https://data.sec.gov/submissions/\(.files[0].name)",
  maxAge: 86400, optional: true, id: .cik, select: parts([]; $wish; $since; $horizon)};

def plan_requests($wish): . as $in
  | {requests: [.job.plan.companies[] | {cik: (.cik | cik_padded), ticker, name} as $c | $in | .company = $c | list_request($wish)],
     state: {companies: [], wish: $wish}, next: "lists"};

def step:
  wish as $wish
  | if .job.period and (.job.period | period) == null and (.job.plan | not) then .job.period | invalid(bad_period)
    elif bad_parts then invalid("parts is none of all, primary, or document types such as EX-99.1: \(.job.params.parts)")
    elif .job.plan and (.job.plan.companies // []) != [] then plan_requests($wish)
    elif .job.plan and (.job.plan.candidates // []) != [] then
      invalid("it is not clear which company is meant: "
              + ([.job.plan.candidates[] | {cik_str: .cik, ticker, title: .name} | company_of | company_text] | .[:5] | join("; ")))
    elif .job.plan then refuse("no-content"; "the question names no company")
    else for_company({request: list_request($wish), state: {companies: [], wish: $wish}, next: "lists"}) end;

# The filings of one company that fit a window, best first --------------------------------------------------

def filed_between($from; $to): (.filingDate | day_number) as $d
  | ($from == null or $d >= $from) and ($to == null or $d <= $to);
def reports_between($from; $to): (.reportDate | day_number) as $d
  | $d != null and ($from == null or $d >= $from) and ($to == null or $d <= $to);

# Forms that are filed for a fiscal year soon after it: the proxy statement with its pay, the notice that its report is late,
# the report that shareholders are sent, that of a savings plan, the insiders' trades of the year.
def tells_year: original | is_one_of(["DEF 14A", "NT 10-K", "ARS", "11-K", "5"]);

# Current reports on a period: the first one filed after its end.
def after_end($rows; $company):
  (if is_fiscal then period_end($company) else .ends | day_number end) as $last
  | [$rows[] | select(filed_between($last + 4; $last + 110))] | reverse | .[:1];

# How many days a report's last day may be from the requested one: a calendar year is also the fiscal year that ends in the
# January after it.
def days_apart: if .from and .ends[5:] == "12-31" and .from[:4] == .ends[:4] and .from[5:7] == "01" then 31 else 20 end;

# The report whose last day is nearest to the requested one; of forms without a period, the first one after it.
def fits_end($rows; $company):
  (.ends | day_number) as $last | days_apart as $apart
  | [$rows[] | select(.fiscalYear != null and reports_between($last - $apart; $last + $apart))]
  | if . != [] then [min_by((.reportDate | day_number) - $last | if . < 0 then -. else . end)]
    else [$rows[] | select(.fiscalYear == null and filed_between($last + 4; $last + if .form | tells_year then 210 else 110 end))] | reverse | .[:1] end;

# "December quarter of fiscal 2024": the quarter that ends in that month, more or less, by the company's calendar.
def with_quarter($company):
  if .endsMonth and .fiscalYear then
    (year_end_day($company; .fiscalYear) - 10 | month_of_day) as $last
    | .fiscalPeriod = "Q\((((.endsMonth - $last + 12) % 12 + 1) / 3 | floor) % 4 | if . == 0 then 4 else . end)"
  else . end;

# The period of the reports that tell of a part of a year.
def reported_in: {"H1": "Q2", "9M": "Q3", "Q4": "FY"}[.] // .;

def fits_fiscal($rows; $company; $wish):
  . as $w
  | (.fiscalPeriod // "FY") as $asked
  | ($asked | reported_in) as $fp
  | [$rows[] | select(.fiscalYear == $w.fiscalYear)] as $year
  | [$year[] | select(if .form | is_holdings then .fiscalPeriod == (if $fp == "FY" then "Q4" else $fp end)
                      else .fiscalPeriod == $fp end)]
  | if . != [] then .
    elif ($year != []) and ($wish.forms // [] | length) > 0 and ($fp == "FY" or all($year[]; .form | is_annual)) then $year
    elif $asked == "FY" and any($rows[]; .form | tells_year) then # the first one after its end
      ($w | period_end($company)) as $last
      | [$rows[] | select((.form | tells_year) and filed_between($last + 4; $last + 210))] | reverse | .[:1]
    elif $asked == "FY" then # no fiscal period matches: use the calendar
      [$rows[] | select(.fiscalYear == null and .filingDate[0:4] == ($w.fiscalYear | tostring))]
    else ($w | period_end($company)) as $last # what is filed soon after the period's end
      | (if $fp == "FY" then [] else ["6-K", "NT 10-Q"] end) as $later
      | [$rows[] | select((.form | original | is_one_of($later)) and filed_between($last + 5; $last + 75))] | reverse
      | if . != [] then .
        else [$rows[] | select(.fiscalYear == null and filed_between($last - 92; $last))] end
    end;

def fits_days($rows):
  (.from | day_number) as $from | (.until | day_number) as $to
  | [$rows[] | select(filed_between($from; $to))] as $filed
  | if .byFiling then $filed
    else [$rows[] | select(if .fiscalYear != null then reports_between($from; $to) else filed_between($from; $to) end)]
      | if . != [] then . elif $filed != [] then $filed
        else [$rows[] | select(reports_between($from; $to))] end
    end;

def fits($rows; $company; $wish):
  with_quarter($company) | . as $w | (forms_for($wish) | expand($wish)) as $forms
  | [$rows[] | select($forms == null or (.form as $f | any($forms[]; . == $f)))] as $rows
  | if $wish.items != [] and (is_fiscal or is_ending) then after_end($rows; $company)
    elif is_fiscal then fits_fiscal($rows; $company; $wish)
    elif is_ending then fits_end($rows; $company)
    elif is_dated then (.fiscalPeriod | if . then reported_in else null end) as $fp | fits_days($rows)
      | [.[] | select($fp == null or .fiscalPeriod == null or .fiscalPeriod == $fp)]
    elif .fiscalPeriod then (.fiscalPeriod | reported_in) as $fp # the latest second quarter, of whatever year
      | [$rows[] | select(.fiscalPeriod == null or .fiscalPeriod == $fp)]
    else $rows end;

def default_count($wish):
  if .latest or is_ending then 1
  elif is_fiscal then (if ($wish.forms // []) | any(.[]; is_quarterly) then 3 else 1 end)
  else 3 end;
def count_for($wish): if $wish.planned then .count // default_count($wish) else $wish.most end;

# Without a window: those of the last months; older ones where there are none, or where -n requests more.
def preferred($rows; $wish; $in):
  ($in | horizon[:10] | months_before(6)) as $line
  | [$rows[] | select(.filingDate >= $line)] as $new
  | if $in.job.since then $rows
    elif $wish.planned then if $new != [] then $new else $rows[:1] end
    elif $new == [] or $in.job.limit then $rows
    else $new end;

# Interleaves lists: the first of each, then the second.
def in_turn: . as $lists
  | [range(0; [$lists[] | length] + [0] | max) as $i | $lists[] | .[$i] | select(. != null)];
def is_had($wish): .accessionNumber as $n | any($wish.have[]; . == $n);

# The first filings of interleaved lists, as many as requested.  Where windows are asked for, the caller's own don't count, so that the same
# question goes on where it stopped.
def dealt($wish):
  in_turn | first_by(.accessionNumber)
  | if $wish.planned and $wish.windows != [] then
      [foreach .[] as $f (0; if $f | is_had($wish) then . else . + 1 end; if . <= $wish.most or ($f | is_had($wish)) then $f else empty end)]
    else .[:$wish.most] end;

# The filings that the full-text search found in a window, the best first, as many as a question reads.
def found_in($company): (.from | day_number) as $from | (.until | day_number) as $to
  | [$company.found[] | select(filed_between($from; $to))][:3] | map(. + fiscal($company));

# Rows with their fiscal year and period, newest first.
def told: . as $company | .rows | map(. + fiscal($company));

# Of 8-Ks the release of a period's results.
def is_also($wish): $wish.also != [] and (.form | is_one_of($wish.also | expand($wish)))
  and (.form != "8-K" or (.items // "" | split(",") | index(["2.02"]) != null));

def chosen_lists($wish; $in): . as $company | told | map(select(is_also($wish) | not)) as $rows
  | if $company.found then [if $wish.windows == [] then {} else $wish.windows[] end | found_in($company) as $found
                    | if $found != [] then $found elif is_dated then fits($rows; $company; $wish)[: count_for($wish)]
                      else preferred($rows; $wish; $in)[: $wish.most] end]
    elif $wish.windows == [] then [preferred($rows; $wish; $in)]
    else [$wish.windows[] | . as $w | fits($rows; $company; $wish)
          | .[$w.before // 0 :]
          | .[: if $w.count or $wish.planned then $w | count_for($wish) else $wish.most + 1 end]] end;

# Where the subject of a question is disclosed in other filings than reports: the newest proxy statement, the last three of others.
def chosen_also($wish): . as $company | told | map(select(is_also($wish))) as $rows
  | if $wish.also == [] then []
    elif $wish.windows == [] then [$rows | .[: if any(.[]; .form | tells_year) then 1 else 3 end]]
    else [$wish.windows[] | . as $w | fits($rows; $company; $wish + {forms: $wish.also, items: (if $wish.also == ["8-K"] then ["2.02"] else [] end)}) | .[: $w | count_for($wish)]] end;

# Whether older lists may have filings that are still missing.
def wanting($wish; $in): . as $company
  | if .files == [] then false
    elif $wish.windows == [] then
      [preferred(.rows; $wish; $in)[0][]?] | length < (if ($in.job.limit or $in.job.since) and ($wish.planned | not) then $wish | enough else 1 end)
    else chosen_lists($wish; $in) as $lists
      | any(range(0; $wish.windows | length);
          . as $i | $wish.windows[$i]
          | (if $wish.planned then (if is_fiscal or is_ending or .latest then count_for($wish) else 1 end)
             elif is_fiscal or is_ending then 1 else $wish | enough end) as $need
          | ($lists[$i] | length) < $need and (bounds as $b | $company.files[0]
             | ($b.hi == null or .filingFrom <= $b.hi))) end;

def row_payload($company; $line):
  filing_metadata($company)
  + ({fiscalYear, fiscalPeriod} | known) + {recent: (.filingDate >= $line)};

# A company with the rows that fit each window as metadata.
def candidates($wish; $in; $line): . as $c
  | if .error then . else
      {cik, name, ticker, torn, unfound, also: (chosen_also($wish) | map(map(row_payload($c; $line)))),
       lists: (chosen_lists($wish; $in) | map(map(row_payload($c; $line))))} end;

def with_candidates($wish): . as $in
  | (horizon[:10] | months_before(6)) as $line
  | {requests: [], state: {companies: (.state.companies | map(candidates($wish; $in; $line))), wish: $wish}, next: "deliver"};

# Forms of which the newest is meant, whatever the subject.
def is_regular: is_one_of(reports - ["6-K"]) or is_holdings or tells_year or is_one_of(["SD", "3", "4", "5", "144"]);

# Filings that a subject tells, not a period ("the 8-K on its new CEO"): the full-text search says which they are, of any year
# since 2001.  It is asked where no day is named, or where more were filed then than a question reads.
def asks_text($wish):
  $wish.planned and $wish.terms != [] and $wish.asks != "filings" and ($wish.forms // []) != [] and $wish.items != ["2.02"]
  and all($wish.forms[]; is_regular | not)
  and all($wish.windows[]; is_dated)
  and ($wish.windows == [] or any(.[] | select(.error | not); . as $company | told as $rows
         | any($wish.windows[]; fits($rows; $company; $wish) | length > 3)));

# The words of the terms, without what the search takes for operators.
def text_words: [.terms[] | ascii_downcase | [match("[a-z0-9]+(?:[&.'-][a-z0-9]+)*"; "g").string] | .[] | rtrimstr("'s")] | first_by(.);

# All words ($join " "), or any of them ($join " OR ").
def text_requests($wish; $join): . as $in
  | (horizon[:10]) as $to | ($wish | all_bounds($in.job.since)) as $days
  | {requests: [.state.companies[] | select((.error or .found) | not)
       | text_search($wish | text_words | join($join); $wish.forms | expand($wish); .cik;
                     {from: ($days.lo // "2001-01-01"), to: ([$days.hi // $to, $to] | min)}; 0) + {id: .cik, optional: true}],
     state: {companies: .state.companies, wish: $wish, join: $join}, next: "texts"};

def ask_texts: .state.wish as $wish | text_requests($wish; " ");

# The filings of the hits, each once, the best first: as the company lists them, else as the search does.
def found_filings($hits; $wish): . as $company | ($wish.forms | expand($wish)) as $forms
  | [$hits[].value | (._id | split(":")) as $id | ._source
     | {accessionNumber: $id[0], filingDate: .file_date, reportDate: (.period_ending // ""), form, items: ([.items[]?] | join(",")),
        primaryDocument: (if .file_type == .form then $id[1] else null end)}] as $all
  | [$all | first_by(.accessionNumber)[] | . as $hit
     | [$company.rows[], ($all[] | select(.primaryDocument)) | select(.accessionNumber == $hit.accessionNumber)][0] // $hit]
  | map(select(.form | is_one_of($forms)));

# The items are guessed from words: filings with one of them count first, those that have all words without it last.
def with_found($got; $wish; $last):
  if $got == null then .
  elif $got.error then .unfound = ($got.error | {category, message: "the full-text search can't be asked: \(.message)"})
  else found_filings($got.json.hits; $wish) as $all
    | [$all[] | select($wish.items == [] or (.items | split(",") | any(.[]; is_one_of($wish.items))))] as $exact
    | (if $exact != [] then $exact elif $last then .loose // $all else null end) as $found
    | if $found == null then .loose = $all elif $found != [] then .found = $found | del(.unfound)
      else .unfound = (nothing("the full-text search finds no \($wish.forms[0]) with the words \($wish | text_words | join(", "))").error) end end;

def texts: . as $in | .state.wish as $wish
  | (.state.join != " " or ($wish | text_words | length) < 2) as $last
  | .state.companies |= map(.cik as $cik | with_found([$in.responses[] | select(.id == $cik)][0]; $wish; $last))
  | if $last or all(.state.companies[]; .error or .found or .unfound) then with_candidates($wish)
    else text_requests($wish; " OR ") end;

# Continues with older lists as long as filings are missing, at most 20 per company.
def look($wish): . as $in
  | .job.since as $since | horizon as $horizon
  | [.state.companies[] | select(.error | not) | select((.looked // 0) < 20 and wanting($wish; $in))] as $more
  | if $more == [] and (.state.companies | asks_text($wish)) then {requests: [], state: {companies: .state.companies, wish: $wish}, next: "ask_texts"}
    elif $more == [] then with_candidates($wish)
    else {requests: [$more[] | shard_request($wish; $since; $horizon)], state: {companies: .state.companies, shards: true, wish: $wish}, next: "lists"} end;

# Shards that overlap the requested days, newest first.
def useful($wish; $since): ($wish | all_bounds($since)) as $days
  | [.[]? | select($days.lo == null or .filingTo >= $days.lo) | select($days.hi == null or .filingFrom <= $days.hi)]
  | sort_by(.filingTo) | reverse;

def ends_of: [.annual.rows[]?.reportDate | select(. != null and . != "")];

# EDGAR has a list for every company that it names: where it answers that there is none, the server failed, or the CIK is wrong.
# Neither means that nothing was filed.
def list_error:
  if .error then .error
  elif .status != 404 then refuse("unavailable"; "\(.id.name // .id.cik): what came as EDGAR's list of its filings is none: \(.url)").error
  elif .id.name then refuse("unavailable"; "\(.id.name): EDGAR's list of its filings can't be had: there is nothing at \(.url)").error
  else nothing("EDGAR knows no company with the CIK \(.id.cik): there is nothing at \(.url)").error end;
def shard_error($who):
  (if .category == "no-content" then .category = "unavailable" else . end)
  | .message = "\($who.name // $who.cik): a part of EDGAR's list of its older filings can't be had: \(.message)";

def company_list($wish; $since): # from a response
  if .error or .status == 404 or .json.rows == null then .id + {error: list_error, rows: [], ends: [], files: []}
  else .id as $asked | .json | company_from(.; $asked)
    + {sic, fiscalYearEnd, rows: (.rows.rows // []), ends: (ends_of | unique), files: (.files | useful($wish; $since))} end;

def add_shards: . as $in
  | .state.companies | map(. as $c
    | ([$in.responses[] | select(.id == $c.cik)][0]) as $got
    | if $got == null then .
      elif $got.error then .files = [] | .torn = ($got.error | shard_error($c))
      else
        .files = .files[1:] | .looked = (.looked // 0) + 1
        | .rows += ($got.json.rows.rows // [])
        | .ends = ((.ends + ($got.json // {} | ends_of)) | unique) end);

def lists: .state.wish as $wish | .job.since as $since
  | if .state.shards then .state.companies = add_shards
    else .state.companies = [.responses[] | company_list($wish; $since)] end
  | look($wish);

# Answers -----------------------------------------------------------------------------------------------------

def listed: {company: {cik: .cik, ticker: .ticker, name: .name} | known, filings: [.chosen[] | del(.company, .ticker, .cik)]};
def list_payload: . as $c | listed as $list
  | {content: ($list | summary(["--content fetches the documents", "-f FORM and --since narrow"]; ["filings"])),
     metadata: ($list.company | {company: .name, ticker, cik, kind: "filings", recent: any($c.chosen[]; .recent)} | known)};

def window_text:
  if .endsMonth then "the quarter of fiscal \(.fiscalYear) that ends in month \(.endsMonth)"
  elif is_fiscal then "\(.fiscalPeriod // "FY") \(.fiscalYear)"
  elif is_ending then "the period ended \(.ends)"
  elif .from and .until then if .from == .until then .from else "\(.from) to \(.until)" end
  elif .before then "before the latest" + (if .before > 1 then " \(.before)" else "" end)
  elif .from then "since \(.from)" elif .until then "until \(.until)" else "" end;

def missing_text($window; $wish; $in): # for a company
  "\(.name // .cik): no "
  + (($window | forms_for($wish)) as $f | if $f == null then "filing" else $f | join(", ") end)
  + (if $wish.amendments == "only" then " amendment" else "" end)
  + (if $wish.items == [] then "" else " with item \($wish.items | join(", "))" end)
  + (if $in.job.plan == null and $in.job.since then " filed since \($in.job.since)"
     elif $in.job.period and $in.job.plan == null then " filed in \($in.job.period)"
     else ($window | window_text | if . == "" then " filed" else " for \(.)" end) end)
  + " up to \($in | horizon[:10])";

# Companies with the filings selected for each, at most this many in all.
def choose($wish):
  (map(.also + (.lists | if $wish.planned then sort_by(.[0].filingDate) | reverse else . end)) | in_turn | dealt($wish) | map(.accessionNumber)) as $numbers
  | map(.chosen = ([(.also + .lists)[][]] | first_by(.accessionNumber)
        | map(select(.accessionNumber as $n | any($numbers[]; . == $n)))
        | if $wish.planned then . else sort_by(.filingDate) | reverse end));

def faults($wish; $in):
  [.[] | . as $c | if .torn then .torn.message
    else range(0; .lists | length) as $i | select(.lists[$i] == [])
      | $c | missing_text($wish.windows[$i] // {}; $wish; $in) end,
   (select(.unfound) | "\(.name // .cik): \(.unfound.message)"
      + if .lists[0] == [] then "" else "; the newest are read" + if $wish.windows == [] then ": a year or month tells which is meant" else "" end end),
   (select($wish.planned) | (.also + .lists)[] | .[0] // empty
    | .accessionNumber as $n | select(all($c.chosen[]; .accessionNumber != $n))
    | "\($c.name // $c.cik): the \(.form) of \(.filingDate) was left out: at most \($wish.most) filings a question"
      + if $in.job.content then "; asked again, it goes on" else "" end)];

# Where there are more filings than a job may ask for, or a part of the list can't be had, those that are missing are an
# error behind what was found, not a silence: who asks for all since a day, as bid-nightly does, would miss them for ever.
def cut_error($found; $wish; $errors): (select($wish.planned | not) | $errors[0] // empty), (select($wish.most == filings_max)
  | ([$found[].lists[][].accessionNumber] | unique | length) as $all | select($all > filings_max)
  | invalid("more than \(filings_max) filings: the older ones were left out; ask for them by -p FROM..TO, or for fewer forms by -f").error);

# What the chosen filings' documents need; nothing where the caller has them all.
def reading($wish; $in): . as $found
  | [$found[].chosen[] | del(.fiscalYear, .fiscalPeriod) | select(is_had($wish) | not)]
  | if . == [] or $wish.have == ["*"] then {} else fetch_parts($in | part_words) end;

# An error behind the documents.
def then_error($error): if $error == null then . elif .state == null and (.requests // []) == [] then .error = $error
  else .state.cut = $error | .next = (.next // "cut") end;

def deliver: . as $in | .state.wish as $wish
  | (.state.companies | map(select(.error | not)) | choose($wish)) as $found
  | (($found | faults($wish; $in)) + [.state.companies[] | select(.error) | .error.message]) as $faults
  | ([.state.companies[] | .error, .torn, .unfound | select(.)]) as $errors
  | ([cut_error($found; $wish; $errors)][0]) as $cut
  | (if $faults == [] then null else refuse($errors[0].category // "no-content"; $faults | join("; ")).error end) as $fault
  | [$found[] | select(.chosen != [])] as $found
  | if .job.content and $wish.planned then
      ($found | reading($wish; $in)) + {discovered: ($found | map(listed))} | then_error(if $fault then ($errors[0] // {}) + $fault else null end)
    elif .job.content and $found != [] then
      ($found | reading($wish; $in))
      | if .state == null then
          nothing(if $fault then $fault.message else "nothing new: -P have names every filing that was found" end)
        else (if $fault then .note = $fault.message else . end) | then_error($cut) end
    elif $found == [] then {error: (($errors[0] // {}) + ($fault // {category: "no-content", message: ""}))}
    else {payloads: ($found | map(list_payload))} | then_error($fault // $cut) end;

def documents: .state.cut as $cut
  | (after_index(part_words; .responses) | if $cut then then_error($cut) else . end) as $done
  | if $done.requests == [] and $done.state == null and $done.error == null then
      nothing("no document of type \(part_words | join(", ")) in \(.state.filings | length) filings")
    else $done end;

# What was chosen is read; the error stands behind it.
def cut: {error: .state.cut};
