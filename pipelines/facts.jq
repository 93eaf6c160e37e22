# Payload records of sec-edgar, sec-financials or fred -> rows {company, name, unit, date, value, form, filed, source, captured}, one a date
# (the one filed last), the newest $limit of each series.  $span: any, annual or quarterly.
def days: (.start + "T00:00:00Z" | fromdate) as $a | ((.end + "T00:00:00Z" | fromdate) - $a) / 86400;
def fits: if $span == "any" or .start == null then true
  elif $span == "annual" then days > 300 and days < 400
  else days > 75 and days < 110 end;
def newest: sort_by(.date) | .[-$limit:][];
def xbrl($record):
  .company.name as $company
  | .series[]? | .concept as $name | .unit as $unit
  # Without a span the longest period that ends on a day stands for it: a year, not its last quarter.
  | [.rows[] | select(fits)] | group_by(.end)
  | map(sort_by([(if .start then days else 0 end), .filed]) | last
        | {company: $company, name: $name, unit: $unit, date: .end, value: .val, form, filed, source: $record.source, captured: $record.capturedAt[:10]})
  | newest;
def fred($record):
  (.series.id // .seriesId // .id // $record.metadata.series // "series") as $name
  | [.observations[]? | select(.value != null and .value != ".")
     | {company: "FRED", name: $name, unit: ($record.metadata.units // "value"), date, value: (.value | tonumber? // .),
        source: "FRED (this product uses the FRED API but is not endorsed or certified by the Federal Reserve Bank of St. Louis)", captured: $record.capturedAt[:10]}]
  | newest;
select(.rawContent) | . as $record | .rawContent | fromjson? | if .observations then fred($record) else xbrl($record) end
