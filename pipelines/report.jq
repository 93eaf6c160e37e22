# report.jq: converts the records of bid-nightly's report, an array, to a page.
#
#   $format "text": rows of a table, each after '|', then other lines, each after a blank
#           "html": the page's lead as text in one line, then its elements
#   $list   the watch list's name, for text

def or_dash: join(", ") | if . == "" then "-" else . end;

# "49 new, 3 unchanged, 2 documents known"
def passages: [("new", "replaced", "unchanged") as $name | select(.[$name] > 0) | "\(.[$name]) \($name)"]
  + [.known | select(. > 0) | "\(.) document\(if . == 1 then "" else "s" end) known"] | or_dash;
def failures: .failed | to_entries | map("\(.value) \(.key)") | or_dash;

def text:
  (["line", "what", "source", "passages", "failed"], (.[] | select(.total | not) | [.line, .subject, .source // "-", passages, failures])
    | "|" + @tsv),
  (.[] | select(.total | not) | .line as $line | .subject as $subject | .messages[]? | " \($list):\($line): \($subject): \(.)" | gsub("[[:cntrl:]]"; "?")),
  " took \(.[-1].seconds) s";

# A plain address becomes a link; other text is escaped.
def link: if test("^(https?://|file:///)[!-~]+$") then @html "<a class=\"bare\" rel=\"noopener noreferrer\" href=\"\(.)\">\(.)</a>" else @html end;
def prose: split(" ") | map((capture("^(?<before>.*?)(?<url>https://.+?)(?<after>[,.;:)]*)$") | (.before | @html) + (.url | link) + .after) // @html) | join(" ");

# The items of a task as a list with a heading.
def listed(items): [items | "<li>\(.)</li>"] as $items | select($items != [])
  | @html "<h3>\(.subject // "-")</h3>\n<p class=\"soft\">\(.source // "-"), line \(.line) of the watch list</p>\n<ul>", $items[], "</ul>";
def documents: listed(.documents[]? | (.collection // "" | split("_")[-1] // "" | if . == "" then . else "\(@html), " end)
  + "\(.passages) passage\(if .passages == 1 then "" else "s" end): \(.sourceUrl // "" | link)");
def section($id; $title; elements): [elements] | select(. != [])
  | "<article aria-labelledby=\"\($id)\">\n<h2 id=\"\($id)\">\($title)</h2>", .[], "</article>";

def html:
  (.[-1] | "\(.done) of \(.tasks) tasks done in \(.seconds) s; passages: \(passages); failed: \(failures)"),
  map(select(.total | not)) as $tasks
  | "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Tasks\"><table>",
    "<thead><tr><th scope=\"col\" class=\"n\">line</th><th scope=\"col\">what</th><th scope=\"col\">source</th><th scope=\"col\">passages</th><th scope=\"col\">failed</th></tr></thead>\n<tbody>",
    ($tasks[] | @html "<tr><td class=\"n\">\(.line)</td><th scope=\"row\">\(.subject // "-")</th><td>\(.source // "-")</td><td>\(passages)</td><td>\(failures)</td></tr>"),
    "</tbody></table></div>",
    section("new"; "What is new"; $tasks[] | documents),
    section("wrong"; "What went wrong"; $tasks[] | listed(.messages[]? | prose));

if $format == "text" then text else html end
