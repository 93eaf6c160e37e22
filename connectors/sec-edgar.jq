# A company on EDGAR by ticker, name or CIK: finds it, then answers with its XBRL facts.
include "answers";
include "sec";
include "facts";

def declare: {
  description: "a company by ticker or name: its XBRL facts, a summary or the rows of named concepts",
  hosts: sec_hosts,
  rateLimit: sec_rate,
  parameters: facts_parameters,
  needs: [["entity", "aliases"]],
  example: "bid-fetch sec-edgar -e AAPL -P concept=Assets -p FY-2024"
};

def step:
  scope_error // (
    if looking_up then for_company({request: facts_request, state: {company: .company}})
    else facts_answer(.state.company) end);
