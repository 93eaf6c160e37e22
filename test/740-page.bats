#!/usr/bin/env bats
# Answers for people: the page of bid-search --format=html, tables and links on a terminal, the pager.

load helper

# document ID TEXT: a stored filing with this text.
document() {
  jq -cn --arg id "$1" --arg text "$2" '{source: "sec-filings", sourceUrl: "https://www.sec.gov/Archives/\($id).htm", capturedAt: "2026-03-01T00:00:00Z",
    contentType: "text/html", sha256: "00", text: $text, outline: [{offset: 0, level: 2, title: "Item 1. Business", item: "1", page: 3}],
    metadata: {company: "Hostile <b>Holdings</b>", ticker: "HOST", cik: "0009990009", form: "10-K", filingDate: "2026-02-01"}}' |
    bid-chunk | bid-embed | bid-index >/dev/null
}

hostile='## Item 1. Business

Kilns <script>document.title="owned"</script><style>body{display:none}</style><img src=x onerror="document.title=1"> burn natural gas.

| Kilns </table></main> | 2025 |
| --- | ---: |
| "><svg onload=alert(1)> natural gas | 12 |'

@test "hostile text stays text on the page" {
  document host "$hostile"
  run --separate-stderr bid-search --format=html "natural gas kilns <i>x</i>"
  equal "$status/$stderr" 0/
  printf '%s\n' "$output" >page.html
  for tag in '<script' '<img' '<svg' '<b>' '<i>' 'onload=a' ; do
    run grep -c -- "$tag" page.html
    [ "$tag" = onload=a ] || equal "$output" 0
  done
  contains "$(cat page.html)" '&lt;script&gt;'
  contains "$(cat page.html)" '<mark>Kilns</mark>'
  equal "$(grep -o '<style' page.html | wc -l)" 1
  equal "$(grep -o '</main>' page.html | wc -l)" 1
  equal "$(grep -o '</body>' page.html | wc -l)" 1
}

@test "what the thesaurus adds is marked where the whole phrase stands" {
  document kilns $'## Item 1. Business\n\nRevenue of kilns grew. Net sales of kilns were 12. Net income fell, and other sales ended.'
  bid-search --format=html "revenue of kilns" >page.html
  contains "$(cat page.html)" '<mark>Net</mark> <mark>sales</mark>'
  run ! grep -qE '<mark>Net</mark> income|other <mark>sales' page.html
}

@test "the page needs nothing from elsewhere, and its parts are named for a screen reader" {
  need python3
  document host "$hostile"
  bid-search --format=html "natural gas kilns" >page.html
  run python3 - <<'PY'
import html.parser
class P(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen, self.faults = [], {}, []
    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        self.seen[tag] = self.seen.get(tag, 0) + 1
        for name in ("src", "srcset", "action", "background", "poster"):
            if name in a: self.faults.append((tag, name))
        if any(n.startswith("on") for n in a): self.faults.append((tag, "handler"))
        if tag in ("script", "link", "iframe", "object", "embed", "form"): self.faults.append((tag,))
        if tag == "a" and not a["href"].startswith(("#", "https://www.sec.gov/")): self.faults.append((tag, a["href"]))
        if tag not in ("meta",): self.open.append(tag)
    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag: self.faults.append(("end", tag))
p = P()
p.feed(open("page.html", encoding="utf-8").read())
print(p.faults, p.open)
print(all(t in p.seen for t in ("h1", "main", "article", "h2", "details", "summary", "section", "mark", "th")))
PY
  equal "${lines[0]}" "[] []"
  equal "${lines[1]}" True
  contains "$(cat page.html)" '<html lang="en">'
  contains "$(cat page.html)" "default-src 'none'"
  contains "$(cat page.html)" 'prefers-color-scheme:dark'
  contains "$(cat page.html)" '@media print'
}

@test "a browser shows the page without running what was planted" {
  need chromium
  document host "$hostile"
  bid-search --format=html "natural gas kilns" >page.html
  run bash -c 'timeout 60 chromium --headless --no-sandbox --disable-gpu --dump-dom "file://$PWD/page.html" 2>/dev/null'
  [ "$status" -eq 0 ] || skip "chromium does not start here"
  contains "$output" "<title>natural gas kilns</title>"
  contains "$output" '&lt;script&gt;'
}

@test "the passage stands in its item, opened around it" {
  local i text
  text=$'## Item 1. Business\n\n'
  for i in $(seq 60); do text+="Paragraph $i tells of the number $i$i, of rivers and of hills in some detail."$'\n\n'; done
  document rivers "$text"
  bid-search --format=html -n 1 '"paragraph 30"' >page.html
  contains "$(cat page.html)" "<summary>Its place in the filing: item 1</summary>"
  contains "$(sed -n '/class="place"/,/<\/details>/p' page.html)" "Paragraph 5 "
  contains "$(sed -n '/class="here"/,/<\/section>/p' page.html)" "<mark>"
}

@test "on a terminal tables stand in columns, without marks of Markdown, and addresses are links" {
  document table $'## Item 1. Business\n\n### Kilns by fuel\n\n| Fuel | 2025 | 2024 |\n| --- | ---: | ---: |\n| Natural gas | $612,480 | $571,905 |\n| Oil | 1 | 2 |'
  COLUMNS=60 run --separate-stderr bid-search --human "kilns natural gas"
  contains "$output" "   Fuel             2025      2024"
  contains "$output" "   Natural gas  \$612,480  \$571,905"
  [[ $output != *"| "* && $output != *"###"* ]]
  [[ $output =~ 1\ of\ 1\ passages,\ in\ [0-9]+\ ms$ ]]
  run --separate-stderr bid-search --human --color=always "kilns natural gas"
  contains "$output" $'\033]8;;https://www.sec.gov/Archives/table.htm\033\\'
  run --separate-stderr bid-search --human --color=never "kilns natural gas"
  [[ $output != *$'\033'* ]]
}

@test "what is longer than the screen goes through the pager" {
  need script
  document host "$hostile"
  run script -qec 'stty rows 5 cols 80; PAGER="sed s/^/P:/" bid-search "natural gas kilns"' /dev/null
  contains "$output" "P: 1"
  run script -qec 'stty rows 50 cols 80; PAGER="sed s/^/P:/" bid-search "natural gas kilns"' /dev/null
  [[ $output != *P:* ]]
  run script -qec 'stty rows 5 cols 80; PAGER="sed s/^/P:/" bid-retrieve --no-edgar "natural gas kilns"' /dev/null
  contains "$output" "P: 1"
  run --separate-stderr bash -c 'PAGER="sed s/^/P:/" LINES=2 bid-search --human "natural gas kilns"'
  [[ $output != *P:* ]]
}

@test "bid-retrieve writes the same page, with the filings that EDGAR has and what went wrong" {
  need_shared
  export BID_NOW=2026-03-05T00:00:00Z
  upstream_start
  run --separate-stderr bid-retrieve --format=html -e AAPL "What are the main supply chain risks in the 10-K?"
  equal "$status" 0
  contains "$output" "<!doctype html>"
  contains "$output" "https://www.sec.gov/Archives/edgar/data/320193/000032019325000079/aapl-20250927.htm"
  equal "$(grep -o '</main>' <<<"$output" | wc -l)" 1
  run --separate-stderr bid-retrieve --no-edgar --format=html -e AAPL "zyzzyva quokka"
  contains "$output" "Nothing relevant was found."
  run --separate-stderr bid-retrieve --format=pdf x
  equal "$status" 64
  run --separate-stderr bash -c "echo '{}' | bid-retrieve --format=html"
  equal "$status" 64
}

@test "a company that some documents know by its ticker alone is one company" {
  bid-fetch -q file "$ROOT"/data/sample/*.pdf -e TWHL -P corpus=reports | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
  bid-fetch -q file "$ROOT"/data/sample/0009990001-25-000041.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
  run --separate-stderr bid-search -e TWHL --no-threshold -n 20 "harbor"
  equal "$status" 0
  contains "$output" "finance_reports_TWHL_pdf"
  contains "$output" "finance_edgar_TWHL_10-Q"
}

@test "a question that is refused is not said to have found nothing; a wrong setting is told once" {
  bid-fetch --quiet file "$ROOT"/data/sample/*.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
  run --separate-stderr bid-retrieve --no-edgar --human "prudential solvency ratio"
  equal "$status" 64
  contains "$output" "'prudential' may mean"
  [[ $output != *"Nothing relevant"* ]]
  run --separate-stderr bid-retrieve --no-edgar --human ""
  equal "$output" "search: the question is empty"
  run --separate-stderr bid-retrieve --no-edgar --human "zyzzyva quokka"
  contains "$output" "Nothing relevant was found."
  BID_NOW=garbage run bid-retrieve --human "port fees"
  equal "$(grep -c "'garbage' is no time" <<<"$output")" 1
  run --separate-stderr bid-search --analyse --human "port fees"
  [[ $output != *"passages searched"* ]]
}

@test "neighbours are shown on a terminal, too" {
  bid-fetch --quiet file "$ROOT"/data/sample/*.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
  run --separate-stderr bid-search --human --neighbours -n 1 -e TWHL "What was interest expense?"
  local shown=$output
  bid-search --neighbours -n 1 -e TWHL "What was interest expense?" >hit.json
  contains "$(tr -s ' \n' ' ' <<<"$shown")" "$(jq -r .after hit.json | tr -s ' \n' ' ' | tr -d '#|' | cut -c 3-40 | sed 's/^ *//; s/ *$//')"
  [[ $shown == *$'\n   before:\n'*$'\n   found:\n'*$'\n   after:\n'* ]]
}
