#!/usr/bin/env bats
# bid-fetch: what is streamed: sec-bulk, irs-bmf, the feeds of iapd, local files.

load helper
load recorded

feed_archive() { # FILE
  curl -s --cacert "$BID_CA_FILE" --connect-to "::$BID_CONNECT_TO" -o "$1" \
    https://www.sec.gov/Archives/edgar/Feed/2025/QTR1/20250108.nc.tar.gz
}

# sec-bulk ------------------------------------------------------------------------------------------------------------

@test "sec-bulk: an archive in short: how many members, some names, hints" {
  fetch sec-bulk -P archive=submissions
  equal "$status" 0
  [ "$(got .members)" -ge 2 ]
  contains "$(got .names)" CIK0009990001.json
  [ "$(printf '%s' "$output" | wc -c)" -lt 32768 ]
}

@test "sec-bulk: the filings of one company, older shard included" {
  fetch sec-bulk -P archive=submissions -e 9990001 -f 10-K
  equal "$status" 0
  equal "$(jq -r '.rawContent | fromjson | .filings[].filingDate' <<<"$output" | sort -r | paste -sd' ')" \
    '2026-02-19 2025-02-21 2019-03-01'
  equal "$(meta .member | sort | paste -sd' ')" '"CIK0009990001-submissions-001.json" "CIK0009990001.json"'
}

@test "sec-bulk: facts, narrowed while the archive is read, digits as sent" {
  fetch sec-bulk -P archive=companyfacts -e 9990001 -P concept=Revenues -p FY-2025
  equal "$status" 0
  contains "$(jq -r .rawContent <<<"$output")" '"val":9007199254740993,'
  fetch sec-bulk -P archive=companyfacts -e 9990001 -P concept=Nope
  failed no-content 1 ''
}

@test "sec-bulk: the feed of a day, whole or by form" {
  need_shared
  fetch sec-bulk -P archive=feed -p 2025-01-08
  equal "$(got .members)" 7
  fetch sec-bulk -P archive=feed -p 2025-01-08 -n 2
  equal "${#lines[@]}" 2
  fetch sec-bulk -P archive=feed -p 2025-01-08 -f 4
  equal "$(meta '[.form, .company, .accessionNumber]' | head -1)" '["4","ARROW ELECTRONICS, INC.","0001127602-25-004598"]'
  fetch sec-bulk -P archive=feed -p 2025-01-08 -e 7536
  equal "$(meta .cik)" '"0000007536"'
  fetch sec-bulk -P archive=feed -p 2025-01-08 -f 10-K
  failed no-content 1 ''
}

@test "sec-bulk: the index of a quarter" {
  fetch sec-bulk -P archive=index -p 2026-Q3 -f 10-Q
  equal "$(got '[.[].company]')" '["Tidewrack Harbor Logistics, Inc.","Pellucid Instruments Corporation"]'
  fetch sec-bulk -P archive=index -p 2026-Q3 -e 9990002
  equal "$(got '[.[].form]')" '["10-K","10-Q"]'
}

@test "sec-bulk: a day or quarter that is missing, none given, another archive" {
  fetch sec-bulk -P archive=index -p 2099-Q1
  [ "$status" -ne 0 ]
  equal "$(jq -r .error.category <<<"$output")" no-content
  fetch sec-bulk -P archive=feed
  failed invalid-request 64 'one day'
  fetch sec-bulk -P archive=index
  failed invalid-request 64 'one quarter'
  fetch sec-bulk -P archive=colour
  failed invalid-request 64 companyfacts
}

@test "sec-bulk: an archive that is cut off is an error after what could be read" {
  need_shared
  upstream_fault 'www.sec.gov/*bulkdata*=truncate:300000'
  fetch sec-bulk -P archive=submissions -f 10-K
  [ "$status" -ne 0 ]
  equal "$(jq -r '.error.category // empty' <<<"$output" | tail -1)" unavailable
}

# irs-bmf -------------------------------------------------------------------------------------------------------------

@test "irs-bmf: a state in short" {
  need_shared
  fetch irs-bmf -P region=ri
  equal "$(got '[.organizations, (.columns | length), .subsections["03"]]')" "[6604,28,$(cut -d, -f9 "$BID_SHARED/upstream/www.irs.gov/pub/irs-soi/eo_ri.csv" | grep -c '^03$')]"
}

@test "irs-bmf: an organization by EIN, leading zeros kept, quoted fields read" {
  fetch irs-bmf -P region=wy -e 00-9900001
  equal "$(got '.[0] | [.EIN, .NAME, .GROUP, .SUBSECTION, .ASSET_AMT, .INCOME_AMT]')" \
    '["009900001","SAMPLE \"QUOTED\", CHOIR INC","0000","03","99999","-120"]'
  fetch irs-bmf -P region=wy -e 009900002 -P columns=EIN,RULING,SORT_NAME,ASSET_AMT
  equal "$(got '.[0] | [.EIN, .RULING, .SORT_NAME, .ASSET_AMT]')" '["009900002","000000","FRIENDS, THE",""]'
}

@test "irs-bmf: filters by name, NTEE, subsection, place and amounts" {
  fetch irs-bmf -P region=wy --query library
  equal "$(got '[.[].EIN]')" '["009900002"]'
  fetch irs-bmf -P region=wy -P ntee=a6
  equal "$(got '[.[].EIN]')" '["009900001"]'
  fetch irs-bmf -P region=wy -P subsection=4
  equal "$(got '[.[].EIN]')" '["839900003"]'
  fetch irs-bmf -P region=wy -P city=casper -P minAssets=100000
  equal "$(got '[.[].EIN]')" '["839900003"]'
  fetch irs-bmf -P region=wy -P maxIncome=-1
  equal "$(got '[.[].EIN]')" '["009900001"]'
}

@test "irs-bmf: recorded rows are those that a CSV reader finds" {
  need_shared
  fetch irs-bmf -P region=ri -P minAssets=500000000 -P columns=EIN
  equal "$(got '.[].EIN' | tr -d '"' | sort)" "$(python3 -c '
import csv, sys
for r in csv.DictReader(open(sys.argv[1])):
    if r["ASSET_AMT"] and int(r["ASSET_AMT"]) >= 500000000: print(r["EIN"])' \
    "$BID_SHARED/upstream/www.irs.gov/pub/irs-soi/eo_ri.csv" | sort)"
}

@test "irs-bmf: a page instead of the table, a missing state, nothing found, bad words" {
  fetch irs-bmf -P region=ak --query x
  failed unavailable 69 table
  fetch irs-bmf -P region=vt --query x
  failed no-content 1 404
  fetch irs-bmf -P region=wy --query nothingcalledthis
  failed no-content 1 ''
  fetch irs-bmf -P region=zz
  failed invalid-request 64 'no such region'
  fetch irs-bmf -P region=wy -P minAssets=many
  failed invalid-request 64 many
  fetch irs-bmf -P region=wy -P columns=COLOUR
  failed invalid-request 64 COLOUR
}

# iapd feeds ----------------------------------------------------------------------------------------------------------

@test "iapd: one adviser out of a feed, everything as attributes, Latin-1 read" {
  fetch iapd -P feed=IA_FIRM_SEC -e 9900200
  equal "$(got '.[0] | [.Info.FirmCrdNb, .FormInfo.Part1A.Item5F.Q5F2C, (.NoticeFiled.States | length)]')" \
    '["9900200","123456789012",2]'
  contains "$(jq -r .sourceUrl <<<"$output")" 07_23_2026
  fetch iapd -P feed=IA_FIRM_SEC -P state=NH
  equal "$(got '[.[].Info.BusNm]')" '["SAMPLE CAFÉ & CO"]'
}

@test "iapd: a feed in short, nobody in it, a feed that isn't there" {
  fetch iapd -P feed=IA_FIRM_SEC
  equal "$(got .advisers)" 3
  fetch iapd -P feed=IA_FIRM_SEC -e 1
  failed no-content 1 ''
  fetch iapd -P feed=IA_FIRM_STATE
  failed no-content 1 IA_FIRM_STATE
}

# file ----------------------------------------------------------------------------------------------------------------

@test "file: HTML, text and PDF as they are" {
  printf '<p>hello</p>' >a.html
  printf 'plain' >b.txt
  fetch file a.html b.txt "$ROOT/data/sample/twhl-report-2026-02.pdf"
  equal "$status" 0
  equal "$(jq -r .contentType <<<"$output" | cut -d';' -f1 | paste -sd' ')" 'text/html text/plain application/pdf'
  equal "$(jq -r .rawContent <<<"${lines[0]}")" '<p>hello</p>'
  jq -j .rawContent <<<"${lines[2]}" | base64 -d | cmp - "$ROOT/data/sample/twhl-report-2026-02.pdf"
}

@test "file: a full submission becomes its documents" {
  fetch file "$ROOT/data/sample/0009990001-26-000002.txt"
  equal "$status" 0
  equal "$(meta '[.form, .cik]' | head -1)" '["8-K","0009990001"]'
}

@test "file: folders and archives, chosen by name" {
  need_shared
  feed_archive day.tar.gz
  fetch file day.tar.gz -P members='0001127602*'
  equal "$status" 0
  equal "$(meta .accessionNumber | sort -u)" '"0001127602-25-004598"'
  fetch file "$ROOT/data/sample" -P members='*.pdf'
  equal "$(jq -r .contentType <<<"$output")" application/pdf
}

@test "file: the submissions of an archive by form, with what their heading says" {
  need_shared
  feed_archive day.tar.gz
  fetch file day.tar.gz -f 8-K,10-K -P corpus=edgar
  equal "$status" 0
  equal "$(meta '[.form, .company, .filingDate, .corpus]')" '["8-K","ACORN ENERGY, INC.","2025-01-08","edgar"]'
}

@test "file: what is missing or damaged is an error, the others count" {
  printf 'plain' >b.txt
  fetch file nosuch.txt b.txt
  [ "$status" -ne 0 ]
  contains "$stderr" nosuch.txt
  equal "$(jq -r '.rawContent // empty' <<<"$output")" plain
  fetch file
  equal "$status" 64
}

@test "file: an archive that is cut between two members, or damaged in one, is an error, and the others count" {
  printf 'The pier was mended.' >a.txt
  printf 'The quay was mended.' >b.txt
  printf 'The tug was sold.' >c.txt
  tar cf whole.tar a.txt b.txt c.txt # each a header and a block
  head -c 2048 whole.tar >cut.tar
  { head -c 1024 whole.tar; head -c 512 /dev/zero | tr '\0' x; tail -c +1537 whole.tar; } >header.tar
  zip -q0 whole.zip a.txt b.txt c.txt
  sed 's/quay was mended/quay was burnt!/' whole.zip >sum.zip
  gzip -k cut.tar
  local file found
  while IFS=: read -r file found; do
    fetch file $file
    equal "$file $status $(jq -r '.rawContent // .error.message' <<<"$output" | tr '\n' '|')" "$file $found"
  done <<'FILES'
whole.tar:0 The pier was mended.|The quay was mended.|The tug was sold.|
whole.zip:0 The pier was mended.|The quay was mended.|The tug was sold.|
cut.tar:1 The pier was mended.|The quay was mended.|cut.tar: the archive is cut off: its end mark is missing|
cut.tar.gz:1 The pier was mended.|The quay was mended.|cut.tar.gz: the archive is cut off: its end mark is missing|
header.tar:1 The pier was mended.|The tug was sold.|header.tar: the archive is damaged: a member's header can't be read, and the member is missing|
sum.zip:1 The pier was mended.|sum.zip#b.txt: the archive is damaged: ZIP bad CRC: 0x6e167d8e should be 0xc1cfe71c|The tug was sold.|
FILES
}

@test "file: a gzip file with a wrong byte is an error, wherever it is, and never another text" {
  seq -f 'The pier %g was mended in May.' 400 | gzip >whole.txt.gz
  python3 - <<'PY'
whole = open("whole.txt.gz", "rb").read()
for i, at in enumerate(list(range(20, len(whole), 97)) + [len(whole) - 8, len(whole) - 1]):
    open("flip%d.txt.gz" % i, "wb").write(whole[:at] + bytes([whole[at] ^ 16]) + whole[at + 1:])
for i, at in enumerate((15, len(whole) // 2, len(whole) - 8, len(whole) - 1)):
    open("cut%d.txt.gz" % i, "wb").write(whole[:at])
PY
  tar cf flip.tar flip3.txt.gz
  local file
  for file in flip*.txt.gz cut*.txt.gz flip.tar; do
    run --separate-stderr bash -c 'bid-fetch -q file "$1" | bid-strip -q; [ "${PIPESTATUS[*]}" != "0 0" ]' - "$file"
    equal "$file $status $(jq -c 'has("error")' <<<"$output" | sort -u)" "$file 0 true"
  done
  cat whole.txt.gz whole.txt.gz >twice.txt.gz
  fetch file whole.txt.gz twice.txt.gz
  equal "$(jq -r '.rawContent | split("\n") | length' <<<"$output" | paste -sd' ')" "401 801"
  equal "$(bid-fetch -q file /dev/stdin <whole.txt.gz | jq -r .rawContent | sha256sum)" "$({ zcat whole.txt.gz && echo; } | sha256sum)"
  equal "$(cat whole.txt.gz | bid-fetch -q file /dev/stdin | jq -r .rawContent | sha256sum)" "$({ zcat whole.txt.gz && echo; } | sha256sum)"
}

@test "file: nothing that stands behind the end of an archive or stream is left out without a word" {
  need bzip2 lz4
  printf 'The pier was mended.' >a.txt
  printf 'The quay was mended.' >b.txt
  printf 'The tug was sold.' >c.txt
  { tar cf - a.txt; tar cf - b.txt; } >two.tar
  { tar czf - a.txt; tar czf - b.txt; } >two.tgz
  { tar cjf - a.txt b.txt; head -c 5000 /dev/zero; } >zeros.tbz
  { tar czf - a.txt b.txt; head -c 5000 /dev/zero; } >zeros.tgz
  { cat two.tar; cat c.txt; } >more.tar
  { cat two.tgz; cat c.txt; } >more.tgz
  { tar cjf - a.txt b.txt; cat c.txt; } >more.tbz
  { bzip2 -c a.txt; bzip2 -c b.txt | sed 's/^BZ/BY/'; } >mark.bz2
  { lz4 -c a.txt; lz4 -c b.txt | tail -c +2; } >mark.lz4
  { gzip -c a.txt; gzip -c b.txt | tail -c +2; } >mark.gz
  { gzip -c a.txt; gzip -c b.txt | head -c 20; } >cut.gz
  local file found
  while IFS=: read -r file found; do
    fetch file $file
    equal "$file $status $(jq -r '.rawContent // .error.message' <<<"$output" | tr '\n' '|')" "$file $found"
  done <<'FILES'
two.tar:0 The pier was mended.|The quay was mended.|
two.tgz:0 The pier was mended.|The quay was mended.|
zeros.tbz:0 The pier was mended.|The quay was mended.|
zeros.tgz:0 The pier was mended.|The quay was mended.|
more.tar:1 The pier was mended.|The quay was mended.|more.tar: the archive is damaged: Truncated tar archive|
more.tgz:1 The pier was mended.|The quay was mended.|more.tgz: the archive is damaged: something else stands behind its gzip data|
more.tbz:1 The pier was mended.|The quay was mended.|more.tbz: the archive is damaged: something else stands behind its compressed data|
mark.bz2:1 The pier was mended.|mark.bz2: the archive is damaged: something else stands behind its compressed data|
mark.lz4:1 The pier was mended.|mark.lz4: the archive is damaged: something else stands behind its compressed data|
mark.gz:65 mark.gz: the archive is damaged: something else stands behind its gzip data|
cut.gz:65 cut.gz: the archive is damaged: its gzip data is cut off|
FILES
}

@test "file: a sparse file has its bytes where they were" {
  printf 'The pier was mended.\n' >sparse.txt
  truncate -s 300000 sparse.txt
  printf 'The quay was mended.\n' >>sparse.txt
  truncate -s 700000 sparse.txt
  tar cSf sparse.tar sparse.txt
  [ "$(stat -c %s sparse.tar)" -lt 100000 ] || skip "this file system keeps no holes"
  fetch file sparse.tar
  equal "$status" 0
  equal "$(jq -r .sha256 <<<"$output")" "$(sha256sum <sparse.txt | cut -d' ' -f1)"
}

@test "file: no two files or members are one document, whatever their names are" {
  mkdir in
  printf 'The pier was mended.' >$'in/a\xff.txt'
  printf 'The quay was mended.' >$'in/a\xfe.txt'
  printf 'The tug was sold.' >in/a%FE.txt
  printf 'The crane was sold.' >'in/b.zip#y.txt'
  python3 - <<'PY' 2>/dev/null
import io, tarfile, zipfile
with zipfile.ZipFile("in/b.zip", "w") as z:
    for name, text in (("y.txt", "The lock was dug."), ("y.txt", "The lock was filled."), ("y.txt(2)", "The ferry sank."), ("y.txt", "The mole grew.")):
        z.writestr(name, text)
with zipfile.ZipFile("in/d.zip", "w") as z:
    for name in ("\xe4.txt", "\u65e5.txt"):  # marked as UTF-8
        z.writestr(name, "A buoy.")
with tarfile.open("in/c.tar", "w", format=tarfile.USTAR_FORMAT, encoding="latin-1") as t:
    for name in ("\xe4.txt", "\xf6.txt"):
        entry = tarfile.TarInfo(name)
        entry.size = 5
        t.addfile(entry, io.BytesIO(b"A buoy"[:5]))
PY
  fetch file in
  equal "$status" 0
  equal "$(jq -r .sourceUrl <<<"$output" | sed "s|file://$PWD/in/||")" 'a%25FE.txt
a%FE.txt
a%FF.txt
b.zip#y.txt
b.zip#y.txt%282%29
b.zip#y.txt(2)
b.zip#y.txt%283%29
b.zip%23y.txt
c.tar#%E4.txt
c.tar#%F6.txt
d.zip#ä.txt
d.zip#日.txt'
  equal "$(bid-strip --raw in/d.zip | jq -r .metadata.fileName)" 'ä.txt
日.txt'
  local url text
  while read -r url text; do
    fetch file "$url"
    equal "$(jq -r .rawContent <<<"$output")" "$text"
  done < <(jq -r 'select(.sourceUrl | contains("#") | not) | "\(.sourceUrl) \(.rawContent)"' <<<"$output")
  equal "$(bid-strip --raw 'in/b.zip#y.txt' | jq -r .sourceUrl)" "file://$PWD/in/b.zip%23y.txt"
}

@test "rows of a table: plain ones, short ones, quotes, escapes and other encodings give the same JSON" {
  mkdir -p connectors
  export BID_CONNECTORS=$PWD/connectors
  cat >connectors/rows.jq <<'J'
def declare: {description: "rows of a table", hosts: [], parameters: [{name: "operands"}, {name: "keep"}]};
def step: {request: {operand: 0, stream: ({format: "csv", batch: 3, payload: {kind: "rows"}}
  + if .job.params.keep then {keep: (.job.params.keep | split("+"))} else {} end)}};
J
  printf '%s\r\n' 'ID,NAME OF THE ORGANIZATION,CITY' '1,PLAIN AND LONGER THAN A CHUNK OF SIXTEEN,A' '2' '3,,' \
    '4,"A ""QUOTED"" ONE, WITH A COMMA",B' '5,BACK\SLASH,C' $'6,CAF\xc3\xa9,D' $'7,CAF\xe9,E' ' 8 , PADDED ,F' '9,X,LAST' >table.csv
  run --separate-stderr bid-fetch rows table.csv
  equal "$status" 0
  equal "$(jq -c '.rawContent | fromjson | .[] | [.[]]' <<<"$output")" '["1","PLAIN AND LONGER THAN A CHUNK OF SIXTEEN","A"]
["2"]
["3","",""]
["4","A \"QUOTED\" ONE, WITH A COMMA","B"]
["5","BACK\\SLASH","C"]
["6","CAFé","D"]
["7","CAFé","E"]
["8","PADDED","F"]
["9","X","LAST"]'
  equal "$(jq -c '.rawContent | fromjson | .[0] | keys_unsorted' <<<"$output" | sort -u)" '["ID","NAME OF THE ORGANIZATION","CITY"]'
  run --separate-stderr bid-fetch rows -P 'keep=CITY+ID+ID' table.csv
  equal "$(jq -r .rawContent <<<"$output" | head -1)" '[{"CITY":"A","ID":"1","ID":"1"},{"ID":"2","ID":"2"},{"CITY":"","ID":"3","ID":"3"}]'
}
