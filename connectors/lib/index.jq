# EDGAR's indexes of filings: fixed-width text, one filing per line.
include "answers";
include "sec";

# Start of the columns, from the header line.
def index_columns: {form: index("Form Type"), company: index("Company Name"), cik: index("CIK")};
def is_heading: contains("Form Type") and contains("Company Name");
def default_columns: {form: 0, company: 12, cik: 74};

# Parses a line as a row; null where it is none.  $columns: from the header, or null where that was not passed.
def index_row($columns):
  . as $line
  | [split("  ")[] | trimmed | select(. != "")] as $parts
  | [split(" ")[] | select(. != "")] as $words
  | if ($words | length) < 4 or ($words[-1] | startswith("edgar/") | not) then null
    else ($columns // default_columns) as $c
      | ([$c.form, $c.company] | max) as $cut
      | (if $columns == null and ($parts | length) == 5 then {form: $parts[0], company: $parts[1]}
         elif $c.form < $c.company then {form: $line[:$cut], company: $line[$cut:$c.cik]}
         else {form: $line[$cut:$c.cik], company: $line[:$cut]} end)
        + {cik: ($words[-3] | cik_padded),
           filingDate: ($words[-2] | if length == 8 then "\(.[:4])-\(.[4:6])-\(.[6:])" else . end),
           accessionNumber: ($words[-1] | split("/")[-1] | split(".")[0]),
           url: ("https://www.sec.gov/Archives/" + $words[-1])}
      | .form |= trimmed | .company |= trimmed
    end;

# Parses lines as rows, with or without the header among them.
def index_rows:
  ([.[:30][] | select(is_heading)][0] | if . then index_columns | .cik = (.cik // 74) else null end) as $columns
  | [.[] | select(is_heading | not) | index_row($columns) | select(.)];
