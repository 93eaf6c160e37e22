# Which company a ticker or a name means, by the SEC's current list of companies.
include "answers";
include "sec";

def declare: {
  description: "a company by ticker or name: CIK, ticker, name",
  hosts: sec_hosts,
  rateLimit: sec_rate,
  parameters: [
    {name: "entity", description: "ticker, company name or CIK", example: "AAPL"},
    {name: "aliases", description: "other names to look up"}],
  example: "bid-fetch sec-company -e AAPL",
  check: sec_check
};

def step: for_company({payloads: [
  {content: .company,
   metadata: (.company | {company: .name, ticker, cik, kind: "company"} | known)}]});
