# XBRL company facts of one company by CIK: https://data.sec.gov/api/xbrl/companyfacts/CIK##########.json.
include "answers";
include "sec";
include "facts";

def declare: {
  description: "XBRL facts of a company by CIK: a summary, or the rows of named concepts",
  hosts: sec_hosts,
  rateLimit: sec_rate,
  parameters: facts_parameters,
  needs: [["entity", "aliases"]],
  example: "bid-fetch sec-financials -e 0000320193 -P concept=NetIncomeLoss -p FY-2024",
  check: sec_check
};

def step:
  scope_error // (
    if looking_up and whole_asked then for_company({request: whole_request, state: {company: .company}})
    elif whole_asked then whole_answer(.state.company)
    elif looking_up then for_company({request: facts_request, state: {company: .company}})
    else facts_answer(.state.company) end);
