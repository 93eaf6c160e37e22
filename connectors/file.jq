# Local files, folders and archives: filings, reports, data.
include "answers";

def declare: {
  description: "local files, folders and archives (zip, tar, gz, zst, ...) as payloads",
  hosts: [],
  rateLimit: {requestsPerSecond: 1000, burstSize: 1000, domain: "file"},
  parameters: [
    {name: "operands", description: "the files and folders", required: true, example: "reports/*.pdf"},
    {name: "entity", description: "whom they are about: metadata of each"},
    {name: "aliases", description: "not used"},
    {name: "filingTypes", description: "form of each: metadata (the first is taken)"},
    {name: "period", description: "report day of each: metadata", example: "2025-12-31"},
    {name: "corpus", description: "corpus of each: metadata (default reports)"},
    {name: "members", description: "only files of folders and archives whose name fits", example: "*.htm"},
    {name: "limit", description: "at most so many of an archive or folder"}],
  needs: ["operands"],
  example: "bid-fetch file reports/2025.pdf filings.zip"
};

def base_name: split("/") | map(select(. != "")) | last // ".";

def about($name): ({kind: "file", file: ($name | base_name), ticker: .job.entity.id,
  form: .job.filingTypes[0], reportDate: .job.period, corpus: (.job.params.corpus // "reports")} | known);

def request_for($i): . as $in | .job.operands[$i] as $name
  | {operand: $i,
     stream: ({format: "archive", split: true, payload: ($in | about($name)), limit: .job.limit,
               members: (if .job.params.members then [.job.params.members] else null end)} | with_entries(select(.value != null)))};

def step: . as $in | {requests: [range(0; .job.operands | length) as $i | $in | request_for($i)]};
