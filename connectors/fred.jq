# FRED of the Federal Reserve Bank of St.  Louis: series, observations, searches.
include "answers";

def declare: {
  description: "FRED: economic series, their descriptions and observations",
  authRequired: true,
  keyVariable: "FRED_API_KEY",
  hosts: ["api.stlouisfed.org"],
  rateLimit: {requestsPerSecond: 2, burstSize: 1, domain: "stlouisfed.org"},
  terms: {url: "https://fred.stlouisfed.org/legal/",
          text: "This product uses the FRED API but is not endorsed or certified by the Federal Reserve Bank of St. Louis; its terms restrict storing or archiving content and its use for AI training, and some series are under copyright."},
  parameters: [
    {name: "entity", description: "series id: its description; with a period, --since or -n its observations",
      example: "GDP"},
    {name: "series", description: "series id: its observations, all of them unless filtered", example: "GDP"},
    {name: "aliases", description: "not used"},
    {name: "query", description: "instead: search for series", example: "leading index"},
    {name: "period", days: true, description: "observations of 2024, 2024-03, 2024-01-01..2024-06-30",
      example: "2024-06-01..2024-06-06"},
    {name: "since", description: "observations on or after this date"},
    {name: "limit", description: "number of observations, newest first, or of series found"},
    {name: "units", description: "lin chg ch1 pch pc1 pca cch cca log",
      values: ["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"]},
    {name: "frequency", description: "frequency to aggregate to, lower than the series' own: d w bw m q sa a, ..."},
    {name: "aggregation_method", description: "avg, sum or eop", values: ["avg", "sum", "eop"]},
    {name: "vintage_dates", description: "values as published on these dates, separated by commas"},
    {name: "realtime_start", description: "real-time period: first date"},
    {name: "realtime_end", description: "real-time period: last date"},
    {name: "output_type", description: "1 by period, 2 all vintages, 3 new and revised, 4 first release",
      values: ["1", "2", "3", "4"]},
    {name: "tag_names", description: "search: only with these tags, separated by ;"},
    {name: "exclude_tag_names", description: "search: without these tags"},
    {name: "search_type", description: "search: full_text or series_id", values: ["full_text", "series_id"]},
    {name: "order_by", description: "search: sort key of the series (default search_rank)"},
    {name: "sort_order", description: "asc or desc", values: ["asc", "desc"]},
    {name: "offset", description: "offset of the first result"},
    {name: "release_id", description: "instead: the series of a release"},
    {name: "element_id", description: "with release_id: a table of the release"},
    {name: "observation_date", description: "with element_id: its values on this day"}],
  needs: [["entity", "series", "query", "release_id"]],
  example: "bid-fetch fred -e GDP --since 2020-01-01",
  check: {url: "https://api.stlouisfed.org/fred/series?series_id=GDP&file_type=json", key: {query: "api_key"}}
};

def base: "https://api.stlouisfed.org/fred/";

# PATH and [[name, value], ...] as a URL; null values are omitted.
def url_of($path; $pairs): base + $path + "?" + ([$pairs[] | select(.[1] != null)
  | "\(.[0])=\(.[1] | tostring | @uri)"] | join("&"));

def ask($path; $pairs): {url: url_of($path; $pairs), key: {query: "api_key"}, statuses: [400, 404, 423], maxAge: 3600};

def options($names): .job.params as $p | [$names[] | select($p[.]) | [., $p[.]]];

def wants_observations: .job.params.series or .job.period or .job.since or .job.limit
  or (.job.params | .units or .frequency or .vintage_dates or .output_type or .offset or .realtime_start);

def first_day: . + "-01-01"[length - 4:];

def observations_request:
  (.job.period | period) as $p
  | ask("series/observations";
      [["series_id", .job.entity.id], ["file_type", "json"]]
      + (if $p then [["observation_start", ($p.from | if . then first_day else null end)],
        ["observation_end", ($p.to | if . then last_day else null end)],
                     ["limit", .job.limit // 100000]]
         elif .job.since then [["observation_start", .job.since], ["sort_order", "asc"], ["limit", .job.limit]]
         elif .job.limit then [["sort_order", "desc"], ["limit", .job.limit]]
         else [["sort_order", "asc"]] end)
      + options(["units", "frequency", "aggregation_method", "vintage_dates", "realtime_start", "realtime_end",
        "output_type", "offset"]));

def search_request: ask("series/search"; [
  ["search_text", .job.query], ["file_type", "json"], ["search_type", .job.params.search_type // "full_text"],
  ["order_by", .job.params.order_by], ["sort_order", .job.params.sort_order
    // (if .job.params.order_by then "desc" else null end)],
  ["limit", .job.limit // 20], ["offset", .job.params.offset // "0"]] + options(["tag_names", "exclude_tag_names"]));

def release_request:
  if .job.params.element_id then
    ask("release/tables"; [["release_id", .job.params.release_id], ["element_id", .job.params.element_id],
      ["file_type", "json"],
      ["include_observation_values", "true"], ["observation_date", .job.params.observation_date]])
  else ask("release/series"; [["release_id", .job.params.release_id], ["file_type", "json"],
    ["offset", .job.params.offset // "0"],
      ["order_by", .job.params.order_by // "observation_end"], ["search_type", "release"],
        ["sort_order", .job.params.sort_order // "desc"],
      ["limit", .job.limit]]) end;

def kind: if .job.params.release_id then (if .job.params.element_id then "table" else "release" end)
  elif .job.query then "search" elif wants_observations then "observations" else "series" end;

def facts_request: ask("series"; [["series_id", .job.entity.id], ["file_type", "json"]]
  + options(["realtime_start", "realtime_end"]));

def request: kind as $kind
  | if $kind == "series" then facts_request
    elif $kind == "search" then search_request
    else release_request end;

# Observations include the series' description if available, since their own answer has no unit.
def requests: if kind == "observations" then [observations_request, (facts_request | .optional = true)]
  else [request] end;

# The message of an error, with its slash and double blanks unchanged.
def message: .json.error_message? // "there is nothing at \(.url) (status \(.status))";
def about_key: message | contains("api_key");

def refusal: .responses[0] as $got | ($got | message) as $text
  | if ($got | about_key) then refuse("auth-failed"; $text)
    elif $text | contains("does not exist in ALFRED")
      then nothing("\(.job.entity.id) did not exist at that real-time date: \($text)")
    elif $text | contains("series does not exist") then invalid("FRED has no series \(.job.entity.id): \($text)")
    elif $text | contains("vintage dates") then invalid("\($text) Split the real-time period")
    elif $got.status == 404 then nothing($text) | .error.status = 404
    elif $got.status == 423 then refuse("unavailable"; "locked: \($text)")
    else invalid($text) end;

def series_row: {id, title, frequency: .frequency_short, units: .units_short,
  seasonalAdjustment: .seasonal_adjustment_short,
  from: .observation_start, to: .observation_end, lastUpdated: .last_updated, popularity} | known;

def answer: kind as $kind | .responses[0].json as $got
  | if $kind == "series" then
      $got.seriess[0] as $s
      | if $s == null then invalid("FRED has no series \(.job.entity.id)")
        else {payloads: [{content: ($s + {hints: ["--since DAY, -p 2024 or -n NEWEST give the observations",
          "-P units=pc1, -P frequency=q change them"]}
                                    | if (.notes // "") | length > 4000 then .notes |= .[:4000] + "..." else . end),
                          metadata: {kind: "series", series: $s.id, title: $s.title}}]} end
    elif $kind == "observations" then
      if ($got.observations | length) == 0 then nothing("no observation of \(.job.entity.id) in the period")
      else {payloads: [{content: ({series_id: .job.entity.id} + $got + {returned: ($got.observations | length)}
                                  | .observations |= map(if .value then {date, value}
                                    else del(.realtime_start, .realtime_end) end)),
                        from: 0,
                        metadata: ({kind: "observations", series: .job.entity.id,
                          rows: ($got.observations | length), total: ($got.count | num)}
                                   + (.responses[1].json.seriess[0]? // {}
                                     | {title, units, frequency, seasonalAdjustment: .seasonal_adjustment})
                                       | known)}]} end
    elif $kind == "table" then {payloads: [{content: $got, metadata: {kind: "table", release: .job.params.release_id}}]}
    elif ($got.seriess | length) == 0
      then nothing("FRED finds no series for \(.job.query // "release \(.job.params.release_id)")")
    else {payloads: [{content: ({total: $got.count, offset: $got.offset, series: [$got.seriess[] | series_row]}
                                | summary(["-e ID gives a series, with --since its observations",
                                  "-n and -P offset= go on"]; ["series"])),
                      metadata: {kind: $kind, query: .job.query, total: ($got.count | num)}}]} end;

# FRED sometimes rejects a valid key as not registered: such an answer is retried once.
def step: .job.entity.id = (.job.params.series // .job.entity.id) |
  if .job.period and ((.job.period | period) | . == null or .kind != "range") then .job.period
    | invalid("FRED wants days: 2024, 2024-03 or 2024-01-01..2024-06-30, not \"\(.)\"")
  elif .state == null then {requests: requests, state: "first"}
  elif .state == "first" and .responses[0].status == 400 and (.responses[0] | about_key)
       and (.responses[0] | message | contains("not registered")) then {requests: requests, state: "again"}
  elif .responses[0].status != 200 then refusal
  else answer end;
