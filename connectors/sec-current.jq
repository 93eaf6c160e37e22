# The most recent filings: EDGAR's feed of current filings (Atom).
include "answers";
include "sec";

def declare: {
  description: "latest filings: form, parties, CIK, time, URL",
  hosts: sec_hosts,
  rateLimit: sec_rate,
  parameters: [
    {name: "filingTypes", description: "only these forms", example: "8-K"},
    {name: "entity", description: "only filings that name this company: ticker, name or CIK"},
    {name: "aliases", description: "other names to look up"},
    {name: "since", description: "only filings accepted on or after this date"},
    {name: "content", description: "the filings, also where nothing narrows the question"},
    {name: "limit", description: "number of feed entries to read (default 100, at most 5000); a filing has one for each party"}],
  example: "bid-fetch sec-current -f 8-K -n 200",
  check: "https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&output=atom&count=10"
};

def page: 100;
def wanted: [.job.limit // page, 5000] | min;
def forms: .job.filingTypes | map(form_name);

# The feed filters by form prefix: 4 includes 424B5; entries of other forms are dropped here.
def url($form; $start):
  "https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&count=\(page)&start=\($start)&type=\($form | @uri)&owner=include&output=atom";

def pages: . as $in | (if forms == [] then [""] else forms end)[] as $form
  | range(0; ($in | wanted); page) as $start
  | {url: url($form; $start), as: "xml", maxAge: 60, id: ($form + " " + ($start | tostring))}
    + if $start > 0 then {statuses: [503]} else {} end; # past the end of the feed

def begin: {requests: [pages], state: {phase: "feed", company: .company}};

def child($tag): [.children[]? | select(.tag == $tag)][0];
def capital: if . == null then null else ascii_downcase end;

# "4 - ROYAL GOLD INC (0000085535) (Issuer)"
def title: [(child("title").text // "")
  | capture("^(?<form>.+?) - (?<name>.*) \\((?<cik>[0-9]{10})\\)( \\((?<role>[^()]*)\\))?$")][0];

def entry: . as $e | title as $t | select($t)
  | {form: (child("category").attributes.term // $t.form),
     party: ({name: $t.name, cik: $t.cik, role: ($t.role | capital)} | known),
     accepted: child("updated").text,
     accessionNumber: ([(child("id").text // "") | capture("accession-number=(?<n>[0-9-]{20})") | .n][0]),
     href: child("link").attributes.href};

# One entry per filing with all its parties, newest first as in the feed.
def filings: reduce .[] as $e ({order: [], by: {}};
    ($e.accessionNumber) as $n
    | if .by[$n] then .by[$n].parties += [$e.party]
      else .order += [$n] | .by[$n] = (($e | del(.party)) + {filingDate: ($e.accepted // "" | .[:10]), parties: [$e.party]}) end)
  | . as $all | [.order[] | $all.by[.]];

def answer:
  . as $in | forms as $forms | .state.company as $company | .job.since as $since
  | [.responses[] | select(.status == 200) | .xml.children[]? | select(.tag == "entry") | entry] as $entries
  | ($entries | filings
     | map(select(($forms == []) or (.form as $f | $forms | index([$f])))
           | select($company == null or any(.parties[]; .cik == ($company.cik | cik_padded)))
           | select($since == null or .filingDate >= $since[:10]))) as $found
  | if $found == [] then nothing("nothing of " + ((($forms | join(", ")) + " " + ($company.name // $company.cik // "")) | trimmed
        | if . == "" then "what was asked" else . end) + " among the newest \($entries | length) entries of the feed; -n looks at more")
    else {payloads: [{from: 0, content: ({entries: ($entries | length), matched: ($found | length)}
        + if $forms == [] and $company == null and ($since or .job.limit or .job.content | not) then
            {forms: ($found | group_by(.form) | map({key: .[0].form, value: length}) | from_entries), newest: $found[:5],
             hints: ["-f FORM, -e COMPANY and --since DAY narrow", "-n COUNT or --content lists the filings"]}
          else {filings: $found} end),
      metadata: ({kind: "current-filings", rows: ($found | length), company: $company.name, cik: $company.cik} | known)}]} end;

def step:
  if .state == null and names_of == [] then begin
  elif looking_up then for_company(begin)
  elif any(.responses[]; .status == 200 and .xml.tag != "feed") then refuse("unavailable"; "EDGAR sent something else than its feed of filings")
  else answer end;
