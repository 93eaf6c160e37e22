# Ownership forms 3, 4 and 5: who holds and trades the shares of a company (or what a person reports), from the XML of
# each form.
include "answers";
include "sec";

def declare: {
  description: "insider holdings and trades: ownership forms 3, 4, 5 as rows",
  hosts: sec_hosts,
  rateLimit: sec_rate,
  parameters: [
    {name: "entity", description: "company or person: ticker, name or CIK", example: "AAPL"},
    {name: "aliases", description: "other names to look up"},
    {name: "filingTypes", description: "3, 4, 5 or their amendments (default: all)", example: "4"},
    {name: "since", description: "filed on or after this date"},
    {name: "period", description: "filed in 2024, 2024-03, 2024-01-01..2024-06-30"},
    {name: "limit", description: "number of filings, newest first (default 10, at most 1000)"},
    {name: "url", description: "instead: the XML of one form in EDGAR's archives"},
    {name: "content", description: "the forms, also where nothing narrows the question"},
    as_of_parameter],
  needs: [["entity", "aliases", "url"]],
  example: "bid-fetch sec-insider -e AAPL -f 4 -n 5",
  check: sec_check
};

def forms_max: 1000; # of one job

# The tree of the XML: {tag, attributes, text, children} ------------------------------------------------------

def kids($tag): .children[]? | select(.tag == $tag);
def at($path): reduce $path[] as $tag ([.]; [.[] | kids($tag)]) | .[0];
def text_at($path): at($path) | .text?;
def value_at($path): at($path + ["value"]) | .text?;
def truth: if . == null then null else (. == "1" or (ascii_downcase == "true")) end;

def owner:
  (at(["reportingOwnerRelationship"]) // {}) as $is
  | {cik: text_at(["reportingOwnerId", "rptOwnerCik"]), name: text_at(["reportingOwnerId", "rptOwnerName"]),
     city: text_at(["reportingOwnerAddress", "rptOwnerCity"]),
       state: text_at(["reportingOwnerAddress", "rptOwnerState"]),
     director: ($is | text_at(["isDirector"]) | truth), officer: ($is | text_at(["isOfficer"]) | truth),
     tenPercentOwner: ($is | text_at(["isTenPercentOwner"]) | truth), other: ($is | text_at(["isOther"]) | truth),
     title: ($is | text_at(["officerTitle"])), otherText: ($is | text_at(["otherText"]))} | known;

# One row of a table: a transaction or a holding.  Amounts stay text as in the form.
def line:
  {kind: (.tag | if endswith("Transaction") then "transaction" else "holding" end),
   derivative: (.tag | startswith("derivative")),
   security: value_at(["securityTitle"]), date: value_at(["transactionDate"]),
     deemedDate: value_at(["deemedExecutionDate"]),
   form: text_at(["transactionCoding", "transactionFormType"]), code: text_at(["transactionCoding", "transactionCode"]),
   equitySwap: (text_at(["transactionCoding", "equitySwapInvolved"]) | truth),
   timeliness: value_at(["transactionTimeliness"]),
   shares: value_at(["transactionAmounts", "transactionShares"]),
     total: value_at(["transactionAmounts", "transactionTotalValue"]),
   price: value_at(["transactionAmounts", "transactionPricePerShare"]),
   acquiredDisposed: value_at(["transactionAmounts", "transactionAcquiredDisposedCode"]),
   conversionPrice: value_at(["conversionOrExercisePrice"]), exerciseDate: value_at(["exerciseDate"]),
   expirationDate: value_at(["expirationDate"]),
   underlying: value_at(["underlyingSecurity", "underlyingSecurityTitle"]),
   underlyingShares: value_at(["underlyingSecurity", "underlyingSecurityShares"]),
   underlyingValue: value_at(["underlyingSecurity", "underlyingSecurityValue"]),
   sharesAfter: value_at(["postTransactionAmounts", "sharesOwnedFollowingTransaction"]),
   valueAfter: value_at(["postTransactionAmounts", "valueOwnedFollowingTransaction"]),
   ownership: value_at(["ownershipNature", "directOrIndirectOwnership"]),
   nature: value_at(["ownershipNature", "natureOfOwnership"]),
   footnotes: ([recurse(.children[]?) | select(.tag == "footnoteId") | .attributes.id] | unique)} | known;

def lines($table): [kids($table) | .children[]? | select(.tag | endswith("Transaction") or endswith("Holding")) | line];

def form_rows:
  (lines("nonDerivativeTable") + lines("derivativeTable")) as $lines
  | {form: text_at(["documentType"]), periodOfReport: text_at(["periodOfReport"]),
     dateOfOriginalSubmission: text_at(["dateOfOriginalSubmission"]),
     noSecuritiesOwned: (text_at(["noSecuritiesOwned"]) | truth),
     plan10b5_1: (text_at(["aff10b5One"]) | truth),
     issuer: {cik: text_at(["issuer", "issuerCik"]), name: text_at(["issuer", "issuerName"]),
              ticker: text_at(["issuer", "issuerTradingSymbol"])},
     owners: [kids("reportingOwner") | owner],
     transactions: [$lines[] | select(.kind == "transaction") | del(.kind)],
     holdings: [$lines[] | select(.kind == "holding") | del(.kind)],
     footnotes: ([kids("footnotes") | kids("footnote") | {key: .attributes.id, value: (.text // "")}] | from_entries),
     remarks: text_at(["remarks"]),
     signatures: [kids("ownerSignature") | {name: text_at(["signatureName"]), date: text_at(["signatureDate"])}]}
  | with_entries(select(.value != null));

def is_form: type == "object" and .tag == "ownershipDocument";

def payload_of($i; $metadata): .responses[$i] as $got | ($got.xml | form_rows) as $form | {
  from: $i, content: $form,
  metadata: ($metadata + {kind: "ownership-form", form: ($metadata.form // $form.form),
    reportDate: $form.periodOfReport,
             owners: [$form.owners[].name], company: $form.issuer.name, cik: ($form.issuer.cik | cik_padded),
             ticker: $form.issuer.ticker, transactions: ($form.transactions | length),
               holdings: ($form.holdings | length)} | known)};

# The list ---------------------------------------------------------------------------------------------------

def forms: .job.filingTypes | map(form_name) | if . == [] then ["3", "4", "5", "3/A", "4/A", "5/A"] else . end;
def strange: forms | map(select(. as $f | ["3", "4", "5", "3/A", "4/A", "5/A"] | index([$f]) | not));

# A question that nothing narrows gets a summary.
def broad: .job.filingTypes == [] and (.job.since or .job.period or .job.limit or .job.content or .job.plan | not);

def list_request:
  {url: (.company.cik | submissions_url), maxAge: 600,
   select: {cik: {path: ["cik"]}, name: {path: ["name"]}, tickers: {path: ["tickers"]},
            filings: {path: ["filings", "recent"], rows: "columns", keep: filing_keep,
              limit: (if broad then forms_max else [.job.limit // 10, forms_max] | min end),
                      where: ([{field: "form", in: forms}, {field: "filingDate", from: .job.since}] + filing_window
                              + not_after(horizon))}}};

def form_requests($company):
  [.responses[0].json.filings.rows[] | {url: href_of($company.cik), id: filing_metadata($company), as: "xml",
                                        immutable: true, optional: true}];

def list_summary($company):
  .responses[0].json.filings as $list
  | {payloads: [{content: ({company: $company, filings: $list.matched, from: ($list.rows[-1].filingDate), until: ($list.rows[0].filingDate),
      forms: ($list.rows | group_by(.form) | map({key: .[0].form, value: length}) | from_entries),
      newest: [$list.rows[:5][] | {form, filingDate, reportDate, accessionNumber}],
      hints: ["-n COUNT gives the newest forms as rows", "-f 4, --since DAY and -p 2024 narrow them", "--content gives the newest 10"]}),
      metadata: ({kind: "ownership-forms", company: $company.name, cik: ($company.cik | cik_padded)} | known)}]};

def forms_from_list:
  company_from(.responses[0].json; .state.company) as $company
  | form_requests($company) as $requests
  | if $requests == [] then nothing("\($company.name // $company.cik) has no ownership form " + (forms | join(", "))
      + (if .job.since then " filed since \(.job.since)" else "" end)
        + " among its newest \(.responses[0].json.filings.total // 0) filings")
    elif broad then list_summary($company)
    else {requests: $requests, state: {phase: "forms", listed: .responses[0].json.filings.matched}} end;

# Forms that could be read; those that could not become one error at the end.
def answer:
  [range(0; .responses | length) as $i | select(.responses[$i].error == null
    and (.responses[$i].xml | is_form)) | $i] as $good
  | [.responses[] | select(.error or (.xml | is_form | not))] as $bad
  | {payloads: [$good[] as $i | payload_of($i; .responses[$i].id)]}
    + if $bad == [] then
        if (.responses | length) == forms_max and .state.listed > forms_max then
          invalid("more than \(forms_max) forms: \(.state.listed - forms_max) older ones were left out; ask for them by -p FROM..TO")
        else {} end
      else {error: {
        category: ($bad[0].error.category // "no-content"),
        message: ("\($bad | length) of \(.responses | length) forms could not be read: \($bad[0].url): "
                 + ($bad[0].error.message // "no ownership form"))}} end;

def url_error: if startswith("https://www.sec.gov/Archives/") and (contains("/../") | not) then null
  else invalid("the url has to begin with https://www.sec.gov/Archives/: \(.)") end;

def step:
  .job.params.url as $url
  | if .job.period and (.job.period | period) == null then .job.period | invalid(bad_period)
    elif strange != [] then invalid("ownership forms are 3, 4, 5 and their amendments, not \(strange | join(", "))")
    elif $url and .state == null then ($url | url_error) //
      {request: {url: $url, as: "xml", immutable: true, id: {href: $url}}, state: {phase: "one"}}
    elif looking_up then for_company({request: list_request, state: {phase: "list", company: .company}})
    elif .state.phase == "list" then forms_from_list
    elif .state.phase == "one" and (.responses[0].xml | is_form | not) then nothing("\($url) is no ownership form")
    else answer end;
