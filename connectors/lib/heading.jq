# The header of a full submission of EDGAR: <TAG>value lines of the dissemination feed, or the text header of a .txt
# file.
include "answers";

def heading_lines: .[:20000] | split("<DOCUMENT>")[0] | split("\r\n") | join("\n") | split("\r") | join("\n")
  | split("\n");

def is_submission: .[:200] | contains("<SUBMISSION>") or contains("<SEC-DOCUMENT>") or contains("<SEC-HEADER>")
  or contains("<IMS-");

def iso_day: if . and (.[:8] | test("^[0-9]{8}$")) then "\(.[:4])-\(.[4:6])-\(.[6:8])" else null end;

# "    FORM TYPE:		10-K" as {key, value}; "<TYPE>10-K" likewise.
def heading_fields: [heading_lines[] | trimmed
  | if startswith("<") and contains(">") then .[1:] | {key: split(">")[0], value: (split(">")[1:] | join(">"))}
    elif contains(":") then {key: split(":")[0], value: (split(":")[1:] | join(":") | trimmed)}
    else empty end];

def field($names): [.[] | select(.key as $k | $names | index([$k])) | .value | select(. != "")][0];

# The subject of the filing: the issuer or subject company where the filer is somebody else.
def about_whom: (map(.key) | index("ISSUER") // index("SUBJECT-COMPANY") // index("SUBJECT COMPANY")
  // 0) as $at | .[$at:];

def submission_metadata:
  heading_fields as $f
  | {form: ($f | field(["TYPE", "CONFORMED SUBMISSION TYPE"])),
     accessionNumber: ($f | field(["ACCESSION-NUMBER", "ACCESSION NUMBER"])),
     filingDate: ($f | field(["FILING-DATE", "FILED AS OF DATE"]) | iso_day),
     reportDate: ($f | field(["PERIOD", "CONFORMED PERIOD OF REPORT"]) | iso_day),
     company: ($f | about_whom | field(["CONFORMED-NAME", "COMPANY CONFORMED NAME"])),
     cik: ($f | about_whom | field(["CIK", "CENTRAL INDEX KEY"]))} | known;
