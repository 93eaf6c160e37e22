# The parts of a filing: selects the documents that carry its substance from the filing's index page.
include "answers";
include "sec";

# Types of exhibits that are read with a form's primary document ("EX-99" includes EX-99.1 and so on): earnings
# releases, the annual report to shareholders, subsidiaries, the holdings of a 13F.
def substance: {
  "8-K": ["EX-99"], "6-K": ["EX-99"], "40-F": ["EX-99"], "10-K": ["EX-13", "EX-21"], "10-K405": ["EX-13", "EX-21"],
  "10-KT": ["EX-13", "EX-21"], "20-F": ["EX-8", "EX-15", "EX-99"],
  "13F-HR": ["INFORMATION TABLE"]};
def exhibits_max: 40; # per filing

def parts_parameter: {name: "parts",
  description: "with --content: all (the primary document and the substantive exhibits), primary, or document types, separated by commas",
  example: "EX-99.1"};

def part_words: .job.params.parts // "all" | words | map(ascii_upcase);
def bad_parts: part_words | length == 0 or (length > 1 and (index(["ALL"]) != null));

def is_type($type): . as $t | $t == $type or ($t | startswith($type + "."))
  or ($t | startswith($type + "-")) or ($t | startswith($type + " "));

# The types requested for a filing in addition to its primary document.
def types_of($words):
  if $words == ["ALL"] then substance[.form | if endswith("/A") then .[:-2] else . end] // []
  else $words - ["PRIMARY"] end;
def primary_of($words): $words == ["ALL"] or ($words | index(["PRIMARY"]) != null);

# An 8-K with known items lists its exhibits under 9.01.  A filing without a primary document of its own is requested
# as the full submission, which has all parts.
def asks_index($words):
  .primaryDocument != null and (types_of($words) | length > 0)
  and ($words != ["ALL"] or (.form | startswith("8-K") | not) or (.items // "") == "" or (.items | contains("9.01")));

def index_page: "\(archives)\(.cik | cik_plain)/\(.accessionNumber)-index.html";
def index_request: {url: index_page, as: "text", immutable: true, optional: true, maxBytes: 4194304};

# Rows of the page's tables: {type, name, title, url}.
def unescaped: split("&nbsp;") | join(" ") | split("&lt;") | join("<") | split("&gt;") | join(">")
  | split("&quot;") | join("\"") | split("&#39;") | join("'") | split("&amp;") | join("&") | trimmed;
def table_cell_text: split("<") | [.[0]] + (.[1:] | map(split(">")[1:] | join(">"))) | join("") | unescaped;
def cells: split("<td")[1:] | map(split("</td>")[0] | split(">")[1:] | join(">"));
def link: split("href=\"")[1:] | .[0] // "" | split("\"")[0] | ltrimstr("/ix?doc=");
def documents:
  split("<tr")[1:] | map(split("</tr>")[0] | cells | select(length >= 4)
    | {number: (.[0] | table_cell_text), title: (.[1] | table_cell_text), path: (.[2] | link), type: (.[3] | table_cell_text | ascii_upcase)}
    | select(.path | startswith("/Archives/edgar/data/"))
    | .name = (.path | split("/") | last) | select(.name != "" and (.path | contains("/xsl") | not)));

# An image or PDF is redundant beside the same exhibit as a page.
def readable_name: ascii_downcase | split(".") | last | . as $e | ["htm", "html", "txt", "xml", "pdf"] | index([$e]) != null;
def chosen_documents($types):
  map(.type as $t | select((.name | readable_name) and any($types[]; . as $w | $t | is_type($w))))
  | . as $all
  | map(select((.name | ascii_downcase | endswith(".pdf") | not)
      or (.type as $t | any($all[]; .type == $t and (.name | ascii_downcase | endswith(".pdf") | not)) | not)));

def document_request: {url: .href, immutable: true, payload: .};
def exhibit_request($document):
  {url: ("https://www.sec.gov" + $document.path), immutable: true,
   payload: (del(.title) + {documentType: $document.type, exhibit: (if $document.type | startswith("EX-") then $document.type else null end),
     fileName: $document.name, title: ([$document.title | select(. != $document.type)][0]),
     href: ("https://www.sec.gov" + $document.path)} | known)};

# Requests for the documents of the filings, given the answers for those with an index request.
def part_requests($words; $answers):
  reduce .[] as $f ({at: 0, out: [], notes: [], failed: []};
    ($f | types_of($words)) as $types
    | if $f | primary_of($words) then .out += [$f | document_request] else . end
    | if $f | asks_index($words) then
        $answers[.at] as $page | .at += 1
        | if $page.error and $page.status != 404 then .failed += [{page: $page, accession: $f.accessionNumber}]
          elif $page.error or $page.text == null or $page.status == 404 then .notes += [$f.accessionNumber]
          else
            ($page.text | documents | chosen_documents($types)) as $found
            | .out += ($found[:exhibits_max] | map(. as $d | $f | exhibit_request($d)))
            | if ($found | length) > exhibits_max then .many += [$f.accessionNumber] else . end
          end
      elif $f.primaryDocument == null and ($f | primary_of($words) | not) then .out += [$f | document_request]
      else . end);

def named: (.[:3] | join(", ")) + if length > 3 then " and \(length - 3) more" else "" end;
def part_notes:
  [(select(.notes != []) | "no index page, so only the primary document: " + (.notes | named)),
   (select(.many) | "more than \(exhibits_max) exhibits, the first of them: " + (.many | named))] | join("; ");

# Reads the contents of a list of filings: index pages first where needed; `documents` of the connector goes on.
def fetch_parts($words): {requests: [.[] | select(asks_index($words)) | index_request], state: {filings: .}, next: "documents"};

def after_index($words; $answers): .state.filings
  | part_requests($words; $answers)
  | {requests: .out} + (part_notes | if . == "" then {} else {note: .} end)
    + (if .failed != [] then {state: {failed: .failed[0], count: (.failed | length)}, next: "index_failed"}
       else {} end);

# What could not be requested becomes the job's error, after the documents that could.
def index_failed: .state
  | refuse(.failed.page.error.category; "\(.failed.page.url): \(.failed.page.error.message): the exhibits of "
      + (if .count > 1 then "\(.count) filings are" else "\(.failed.accession) are" end) + " missing");
