# EDGAR's indexes of filings: fixed-width text, one filing a line.
include "answers";
include "sec";

# Where the columns begin, from the heading line.
def index_columns: {form: index("Form Type"), company: index("Company Name"), cik: index("CIK")};
def is_heading: contains("Form Type") and contains("Company Name");
def default_columns: {form: 0, company: 12, cik: 74};

def right_trimmed: if endswith(" ") then .[:-1] | right_trimmed else . end;

# A line as a row; null where it is none.
def index_row($columns):
  . as $line
  | [split(" ")[] | select(. != "")] as $words
  | if ($words | length) < 4 or ($words[-1] | startswith("edgar/") | not) then null
    else ($line[([$columns.form, $columns.company] | min):$columns.cik]) as $front
      | ([$columns.form, $columns.company] | max) as $cut
      | {a: ($line[:$cut] | right_trimmed), b: ($line[$cut:$columns.cik] | right_trimmed)} as $two
      | (if $columns.form < $columns.company then {form: $two.a, company: $two.b} else {form: $two.b, company: $two.a} end)
        + {cik: ($words[-3] | cik_padded),
           filingDate: ($words[-2] | if length == 8 then "\(.[:4])-\(.[4:6])-\(.[6:])" else . end),
           accessionNumber: ($words[-1] | split("/")[-1] | split(".")[0]),
           url: ("https://www.sec.gov/Archives/" + $words[-1])}
    end;

# Rows of lines, the heading among them or not.
def index_rows:
  ([.[:30][] | select(is_heading)][0] | if . then index_columns else default_columns end) as $found
  | ($found | if .cik == null then .cik = 74 else . end) as $columns
  | [.[] | select(is_heading | not) | index_row($columns) | select(.)];
