# One document from EDGAR's archives by its URL.
include "answers";
include "sec";

def declare: {
  description: "one document of EDGAR's archives, as text or as it was filed",
  hosts: ["www.sec.gov"],
  rateLimit: sec_rate,
  parameters: [
    {name: "url", description: "https://www.sec.gov/Archives/...",
      example: "https://www.sec.gov/Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm"},
    {name: "content", description: "the page as it was filed, whole"},
    {name: "text", description: "1: the readable text (the default without content), 0: the page", values: ["0", "1"]},
    {name: "maxBytes", description: "truncate the text (default 100000) or the page to this many bytes, and mark it as truncated", example: "100000"}],
  needs: ["url"],
  example: "bid-fetch sec-filing-document -P url=https://www.sec.gov/Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm",
  check: "https://www.sec.gov/Archives/edgar/data/320193/"
};

# Metadata of the filing contained in a URL of the archives.
def url_metadata:
  split("/") as $part
  | ($part[6] // "") as $cik
  | ([$part[7:][]? | split(".")[0] | split("-") | join("") | select(test("^[0-9]{18}"))][0] // "") as $number
  | {cik: (if $cik | test("^[0-9]{1,10}$") then $cik | cik_padded else null end),
     accessionNumber: (if $number == "" then null else "\($number[:10])-\($number[10:12])-\($number[12:18])" end),
     primaryDocument: (if ($part | length) > 8 then $part[-1] else null end), href: .} | known;

def checked:
  if (startswith("https://www.sec.gov/Archives/") | not) then
    invalid("the url has to begin with https://www.sec.gov/Archives/: \(.)")
  elif contains("/../") or contains("?") or contains("#") or contains(" ") then
    invalid("the url is no plain path of the archives: \(.)")
  else null end;

def wants_text: .job.params.text // (if .job.content then "0" else "1" end) | . == "1";

# Truncates the text, not the page that contains it.
def limit_bytes: wants_text as $text | (.job.params.maxBytes // (if $text then "100000" else null end))
  | if . == null then {} elif (whole and . != "0") | not then null
    elif $text then {textBytes: tonumber} else {maxBytes: tonumber, truncate: true} end;

# Files in a filing's folder never change.
def filed: test("^https://www.sec.gov/Archives/edgar/data/[0-9]+/([0-9]{18}/|[0-9]{10}-[0-9]{2}-[0-9]{6}\\.txt)")
  and (endswith("/") or endswith("index.json") | not);

def step:
  .job.params.url as $url
  | ($url | checked) // (
      if limit_bytes == null then invalid("maxBytes is no whole number: \(.job.params.maxBytes)")
      else {request: ({url: $url, immutable: ($url | filed), payload: ($url | url_metadata),
                       strip: wants_text} + limit_bytes)} end);
