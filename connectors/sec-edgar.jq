# A company on EDGAR by ticker, name or CIK: resolves it, then returns its description and XBRL facts.
include "answers";
include "sec";
include "facts";

def declare: {
  description: "a company by ticker or name: its profile and XBRL facts, or the rows of named concepts",
  hosts: sec_hosts,
  rateLimit: sec_rate,
  parameters: facts_parameters,
  needs: [["entity", "aliases"]],
  example: "bid-fetch sec-edgar -e AAPL -P concept=Assets -p FY-2024",
  check: sec_check
};

# The company's description, and its newest reports.
def newest($form): {path: ["filings", "recent"], rows: "columns", limit: 1, keep: filing_keep,
  where: ([{field: "form", is: $form}] + not_after(horizon))};
def reports: ["10-K", "10-Q", "20-F", "40-F", "8-K", "DEF 14A"];
def profile_request: . as $in
  | {url: (.company.cik | submissions_url), maxAge: 600, optional: true,
     select: ({cik: {path: ["cik"]}, name: {path: ["name"]}, tickers: {path: ["tickers"]},
               exchanges: {path: ["exchanges"]}, sic: {path: ["sic"]}, sicDescription: {path: ["sicDescription"]},
               category: {path: ["category"]}, fiscalYearEnd: {path: ["fiscalYearEnd"]},
               stateOfIncorporation: {path: ["stateOfIncorporation"]}}
              + ([reports[] as $form | {"newest \($form)": ($in | newest($form))}] | add))};

def profile($cik): . as $p
  | {company: ({cik: $cik, name, tickers, exchanges, sic, sicDescription, category, fiscalYearEnd,
                stateOfIncorporation} | known),
     newest: [reports[] as $form | $p["newest \($form)"].rows[0]? | select(.)
              | {form, filingDate, reportDate, accessionNumber, href: href_of($cik)} | known]};

def begin: {
  requests: (if concepts_asked == [] then [facts_request, profile_request]
             else [facts_request] end),
  state: {company: .company}};

def composite: .state.company as $asked
  | (.responses[1].json // null) as $got
  | ($got | if . then profile($asked.cik) else null end) as $about
  | if .responses[0].status == 200 then
      summary_answer($asked)
      | if $about and .payloads then
          .payloads[0].from = 0
          | .payloads[0].content |= (.company = (.company + $about.company) | .newest = $about.newest
                                     | fit(["mostReported"]; 30000))
        else . end
    elif $about then
      {payloads: [{from: 1, content: ($about + {facts: 0,
                     hints: ["EDGAR has no XBRL facts of it", "sec-filings lists what to read"]}),
                   metadata: ($about.company + $asked | facts_metadata(.; "company"))}]}
    else nothing("EDGAR has neither facts nor filings of \($asked.name // $asked.cik): no such object") end;

def step:
  scope_error // (
    if looking_up and whole_asked then for_company({request: whole_request, state: {company: .company}})
    elif whole_asked then whole_answer(.state.company)
    elif looking_up then for_company(begin)
    elif concepts_asked != [] then facts_answer(.state.company)
    else composite end);
