# A company's fiscal years and quarters, derived from the dates of its own annual reports, and the filings that belong
# to a requested period.

# "2026-03-05..." as a day number (proleptic Gregorian calendar), null where it is not a date.
def day_number:
  if . == null or (test("^[0-9]{4}-[0-9]{2}-[0-9]{2}") | not) then null
  else (.[0:4] | tonumber) as $y | (.[5:7] | tonumber) as $m | (.[8:10] | tonumber) as $d
    | (if $m <= 2 then $y - 1 else $y end) as $y
    | 365 * $y + ($y / 4 | floor) - ($y / 100 | floor) + ($y / 400 | floor)
      + ((153 * (($m + 9) % 12) + 2) / 5 | floor) + $d end;

def a_year_later: "\((.[0:4] | tonumber) + 1)\(.[4:])";

# Retailers usually name a fiscal year that ends in January or February after the year in which it began.  These are
# known exceptions in either direction, by CIK, from their annual reports.
def named_by_end: ["0000104169", "0000912615", "0000832988", "0000018498", "0001017480", "0001223389", "0001170010"];
def named_by_start: ["0000078239", "0000075288", "0000014707"];
def begins_the_year: # for a company {cik, sic}
  .cik as $cik
  | any(named_by_start[]; . == $cik)
    or ((.sic // "" | test("^5[2-9][0-9]{2}$")) and all(named_by_end[]; . != $cik));

# The number of a company's fiscal year, by the day on which it ended.
def year_name($company):
  (.[0:4] | tonumber) as $y
  | if .[5:10] <= "01-10" or (.[5:7] <= "02" and ($company | begins_the_year)) then $y - 1 else $y end;

# The fiscal year-end for a report's date: from an annual report, else the next one after the last of these, else from
# the company's fiscalYearEnd (MMDD).
def year_end($company):
  day_number as $d | . as $day
  | $company.ends as $ends
  | [$ends[] | select((day_number - $d) as $n | $n >= -6 and $n < 350)][0]
    // ([$ends[] | select(($d - day_number) as $n | $n > 6 and $n < 350)][-1] // null
        | if . then a_year_later else null end)
    // (($company.fiscalYearEnd // "") | if test("^[0-9]{4}$") then . else "1231" end
        | "-\(.[:2])-\(.[2:])" as $last
        | [(range(-1; 2) | "\(($day[0:4] | tonumber) + .)\($last)") | select(day_number >= $d - 20)][0]);

def annual_forms: ["10-K", "10-K405", "10-KSB", "10-KSB40", "10-KT", "20-F", "40-F", "1-K"];
def quarterly_forms: ["10-Q", "10-QSB", "10-QT"];
def holdings_forms: ["13F-HR", "13F-NT"];
def original: if endswith("/A") then .[:-2] else . end;
def is_one_of($list): . as $form | any($list[]; . == $form);
def is_annual: original | is_one_of(annual_forms);
def is_quarterly: original | is_one_of(quarterly_forms);
def is_holdings: original | is_one_of(holdings_forms);

# {fiscalYear, fiscalPeriod} for a row {form, reportDate}; {} where unknown.
def fiscal($company):
  .reportDate as $day
  | if ($day | day_number) == null then {}
    elif .form | is_annual then {fiscalYear: ($day | year_name($company)), fiscalPeriod: "FY"}
    elif .form | is_quarterly then
      ($day | year_end($company)) as $last
      | ((365 - (($last | day_number) - ($day | day_number))) / 91.3 + 0.5 | floor) as $q
      | {fiscalYear: ($last | year_name($company)), fiscalPeriod: "Q\(if $q < 1 then 1 elif $q > 4 then 4 else $q end)"}
    elif .form | is_holdings then
      {fiscalYear: ($day[0:4] | tonumber), fiscalPeriod: "Q\(($day[5:7] | tonumber) / 3 | ceil)"}
    else {} end;

# The day on which a fiscal year ends, as a number.
def year_end_day($company; $year):
  [$company.ends[] | select(year_name($company) == $year)][-1]
  // ([$company.ends[] | select(year_name($company) == $year - 1)][-1] // null | if . then a_year_later else null end)
  // (($company.fiscalYearEnd // "") | if test("^[0-9]{4}$") then . else "1231" end | "\(.[:2])-\(.[2:])" as $last
      | [("\($year)-\($last)", "\($year + 1)-\($last)") | select(year_name($company) == $year)][0] // "\($year)-\($last)")
  | day_number;

# The month, 1 to 12, of a day as a number.
def month_of_day: (. - ("1970-01-01" | day_number)) * 86400 | gmtime[1] + 1;

def quarter_of: {"Q1": 1, "Q2": 2, "H1": 2, "Q3": 3, "9M": 3}[. // "FY"] // 4;

# The last and the first day of a window's period.
def period_end($company): ((4 - (.fiscalPeriod | quarter_of)) * 91.3) as $before
  | year_end_day($company; .fiscalYear) - $before;
def period_begin($company): period_end($company) - (if (.fiscalPeriod // "FY") == "FY" then 366 else 91.3 end);
