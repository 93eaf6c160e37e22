# Local files, folders and archives: filings, reports, data.
include "answers";
include "sec";
include "heading";

def declare: {
  description: "local files, folders and archives (zip, tar, gz, zst, ...) as payloads",
  hosts: [],
  rateLimit: {requestsPerSecond: 1000, burstSize: 1000, domain: "file"},
  parameters: [
    {name: "operands", description: "the files and folders", required: true, example: "reports/*.pdf"},
    {name: "entity", description: "company or person that the files are about; stored in the metadata"},
    {name: "aliases", description: "not used"},
    {name: "filingTypes",
      description: "full submissions: only these forms, amendments included; other files: the form, stored in the metadata"},
    {name: "period", description: "report date; stored in the metadata", example: "2025-12-31"},
    {name: "corpus", description: "corpus; stored in the metadata"},
    {name: "members", description: "only files of folders and archives whose name matches", example: "*.htm"},
    {name: "limit", description: "at most this many files of an archive or folder"}],
  needs: ["operands"],
  example: "bid-fetch file reports/2025.pdf filings.zip"
};

def base_name: split("/") | map(select(. != "")) | last // ".";

def forms: .job.filingTypes | map(form_name);
def single($name): $name | ascii_downcase | split(".") | last as $e
  | ["pdf", "htm", "html", "xhtml", "md", "csv", "json", "xml"] | index([$e]) != null;

# Whose the files are: what is given as a ticker, a CIK or a name is stored as that.
def whose: .job.entity.id // "" | if test("^[0-9]+$") then {cik: ("0000000000" + .)[-10:]}
  elif test("^[A-Z0-9.-]{1,8}$") then {ticker: .} else {company: .} end | map_values(select(. != ""));

def about($name): whose + ({kind: "file", file: ($name | base_name), reportDate: .job.period, corpus: .job.params.corpus,
  form: (if single($name) then .job.filingTypes[0] else null end)} | known);

# A file that is no submission, and every file where no forms are given, is passed unchanged; submissions as their
# documents.
# Where forms are given, row checks the header of each submission.
def request_for($i): . as $in | .job.operands[$i] as $name
  | {operand: $i,
     stream: ({format: "archive", limit: .job.limit,
               members: (if .job.params.members then [.job.params.members] else null end)}
              + (if forms == [] or single($name) then {split: true, payload: ($in | about($name))}
                else {filter: true} end)
              | with_entries(select(.value != null)))};

def wanted($forms): . as $form | any($forms[]; . == $form or . + "/A" == $form);

def row: . as $in | forms as $forms | (.text // "") as $text
  | if ($text | is_submission | not) then null
    else ($text | submission_metadata) as $head
      | if ($head.form // "" | wanted($forms)) then
          {text: $text, metadata: ({kind: "file", file: ($in.name | base_name), corpus: $in.job.params.corpus}
            + $head | known)}
        else null end end;

def step: . as $in | {requests: [range(0; .job.operands | length) as $i | $in | request_for($i)]};
