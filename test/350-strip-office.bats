#!/usr/bin/env bats
# bid-strip: word processor files, workbooks, presentations, mails, and archives of them.

load helper

test_setup() { python3 "$ROOT/test/tools/office_files.py" files; }

strip() { run --separate-stderr bid-strip --raw "$@"; }
text() { jq -r .text <<<"$output"; }
meta() { jq -c ".metadata | $1" <<<"$output"; }

@test "a text document: headings by style, runs joined, lists, tables, notes, pages; deleted text is gone" {
  strip files/report.docx
  equal "$status" 0
  equal "$(text)" '# Berthing report

The quay of Ystad was lengthened by 40 metres.

- Cranes

- Pilots

## Dues

| Ship | Dues |
| --- | --- |
| Alma & Co | 1,250 |

Paid in kronor[1]

[1] At the rate of the day.'
  equal "$(meta '[.title, .company, .filingDate, .pages]')" '["Berths of Ystad","Ystad Harbour","2026-02-11",2]'
  equal "$(jq -c '[.outline[] | [.title, .level, .page]]' <<<"$output")" '[["Berthing report",3,1],["Dues",4,2]]'
}

@test "a workbook: a heading a sheet in the workbook's order, lines above a table, dates and percentages as shown" {
  strip files/figures.xlsx
  equal "$status" 0
  equal "$(text)" '## Dues 2023

In thousands of kronor

| Year to | 2023-12-31 |
| --- | --- |
| Harbour dues | 1234.5 |
| Share | 7.25% |

| 0.3 | TRUE |
| --- | --- |

## Staff

| Pilots | 17 |
| --- | --- |'
}

@test "a presentation: a page a slide in the order of showing, its title first, notes behind, no slide numbers" {
  strip files/slides.pptx
  equal "$status" 0
  equal "$(text)" '## Where we stand

Eleven ships a day.

Notes: Mention the ferry.

## Berths by line

As of May.

| Line | Berths |
| --- | --- |
| North | 12 |'
  equal "$(jq -c '[.breaks[].page]' <<<"$output")" '[1,2]'
}

@test "a sheet, slide or table of strings that can't be read is an error, and the rest is read" {
  python3 - <<'PY'
import zipfile
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
def links(*targets):
    return '<Relationships>%s</Relationships>' % "".join('<Relationship Id="r%d" Type="x" Target="%s"/>' % (i + 1, t) for i, t in enumerate(targets))
def cell(text):
    return "<worksheet><sheetData><row><c t=\"inlineStr\"><is><t>%s</t></is></c></row></sheetData></worksheet>" % text
def office(name, main, body, parts):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("[Content_Types].xml", "<Types/>")
        z.writestr(main, body)
        for part, text in parts.items():
            z.writestr(part, text)
def book(name, second, more={}):
    sheets = "".join('<sheet name="S%d" r:id="r%d"/>' % (i, i) for i in (1, 2, 3))
    parts = {"xl/_rels/workbook.xml.rels": links("worksheets/sheet1.xml", "worksheets/sheet2.xml", "worksheets/sheet3.xml"),
             "xl/worksheets/sheet1.xml": cell("North"), "xl/worksheets/sheet3.xml": cell("South")}
    if second is not None:
        parts["xl/worksheets/sheet2.xml"] = second
    office(name, "xl/workbook.xml", "<workbook %s><sheets>%s</sheets></workbook>" % (R, sheets), dict(parts, **more))
book("none.xlsx", None)
book("text.xlsx", "no XML")
book("large.xlsx", "<worksheet><sheetData>%s</sheetData></worksheet>" % ("<row><c><v>1</v></c><c><v>2</v></c></row>" * 650000))
book("strings.xlsx", cell("East"), {"xl/sharedStrings.xml": "no XML"})
book("string.xlsx", '<worksheet><sheetData><row><c t="s"><v>7</v></c></row></sheetData></worksheet>')
book("fine.xlsx", cell("East"))
office("none.pptx", "ppt/presentation.xml", '<p:presentation %s><p:sldIdLst><p:sldId r:id="r1"/><p:sldId r:id="r2"/></p:sldIdLst></p:presentation>' % R,
       {"ppt/_rels/presentation.xml.rels": links("slides/slide1.xml"),
        "ppt/slides/slide1.xml": "<p:sld><p:sp><p:txBody><a:p><a:r><a:t>North</a:t></a:r></a:p></p:txBody></p:sp></p:sld>"})
office("notes.docx", "word/document.xml", "<w:document><w:body><w:p><w:r><w:t>North</w:t></w:r></w:p></w:body></w:document>",
       {"word/footnotes.xml": "no XML"})
PY
  local file found
  while IFS=: read -r file found; do
    strip "$file"
    equal "$file $status $(jq -r '.text // .error.message' <<<"$output" | grep -v -e '^$' -e '^#' | paste -sd'|')" "$file $found"
  done <<'FILES'
none.xlsx:1 none.xlsx: xl/worksheets/sheet2.xml can't be read: it is not there|North|South
text.xlsx:1 text.xlsx: xl/worksheets/sheet2.xml can't be read: no element in it|North|South
large.xlsx:1 large.xlsx: xl/worksheets/sheet2.xml can't be read: too many elements|North|South
strings.xlsx:1 strings.xlsx: xl/sharedStrings.xml can't be read: no element in it|North|East|South
string.xlsx:1 string.xlsx: string 7 is not there|North|South
fine.xlsx:0 North|East|South
none.pptx:1 none.pptx: slide 2 is not there|North
notes.docx:1 notes.docx: word/footnotes.xml can't be read: no element in it|North
FILES
}

@test "a text document: rows and cells in content controls, insertions and custom XML are read, too" {
  python3 - <<'PY'
import zipfile
def wrap(name, inside):
    return "<w:%s><w:sdtContent>%s</w:sdtContent></w:%s>" % (name, inside, name)
def cell(text):
    return "<w:tc><w:p><w:r><w:t>%s</w:t></w:r></w:p></w:tc>" % text
def row(inside):
    return "<w:tr>%s</w:tr>" % inside
table = row(cell("Line") + wrap("sdt", cell("Berths"))) + wrap("sdt", wrap("customXml", row(cell("North") + cell("12")))) + wrap("ins", row(cell("South") + cell("7")))
with zipfile.ZipFile("control.docx", "w") as z:
    z.writestr("[Content_Types].xml", '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>')
    z.writestr("word/document.xml", '<w:document xmlns:w="w"><w:body><w:tbl>%s</w:tbl>%s</w:body></w:document>' % (
        table, wrap("moveTo", "<w:p><w:r><w:t>As of May.</w:t></w:r></w:p>")))
PY
  strip control.docx
  equal "$status" 0
  equal "$(text)" '| Line | Berths |
| --- | --- |
| North | 12 |
| South | 7 |

As of May.'
}

@test "a mail: who, when and on what; its attachment is a document of its own" {
  strip files/letter.eml
  equal "$status" 0
  equal "$(jq -r '.sourceUrl | split("/")[-2:] | join("/")' <<<"$output")" 'files/letter.eml#part-1
letter.eml#2/report.docx'
  contains "$(text)" 'From: Jörgen <j@harbour.example>'
  contains "$(text)" 'stays for three weeks; Köpenhamn knows.'
  equal "$(head -1 <<<"$output" | jq -c '.metadata | [.title, .filingDate]')" '["Dredging plan of May","2026-03-03"]'
}

# mail TYPE [BODY]: a mail of parts between "--B" and the like, as the texts of a message in several parts.
mail() { printf 'From: a@harbour.example\nSubject: Berths\nMIME-Version: 1.0\nContent-Type: %s; boundary=B\n\n%b' "$1" "$2" >letter.eml; }
read_mail() {
  strip letter.eml
  equal "$status" "${1:-0}"
  jq -r '.text // .error.message' <<<"$output" | grep -v -e '^From: ' -e '^Subject: ' -e '^$' | paste -sd'|'
}

@test "a mail: all texts that are displayed, of alternatives one" {
  local p='--B\nContent-Type: text/plain\n\n' h='--B\nContent-Type: text/html\n\n' c='--C\nContent-Type: text/' m='--B\nContent-Type: multipart/'
  mail multipart/mixed "${p}The pier was mended.\n$p\n${p}The quay was mended.\n--B--\n"
  equal "$(read_mail)" 'The pier was mended.|The quay was mended.'
  mail multipart/mixed "${p}a < b\n  c\n$h<p>The quay was <b>mended</b>.</p>\n${h}The tug.\n--B--\n"
  equal "$(read_mail)" 'a < b|c|The quay was mended.|The tug.'
  mail multipart/alternative "${p}The plain pier.\n$h<p>The pier.</p>\n--B--\n"
  equal "$(read_mail)" 'The pier.'
  mail multipart/alternative "$h<p>The pier.</p>\n${p}The plain pier.\n--B--\n"
  equal "$(read_mail)" 'The pier.'
  mail multipart/alternative "${p}The pier.\n${p}The pier again.\n--B--\n"
  equal "$(read_mail)" 'The pier.'
  mail multipart/alternative "${p}The plain pier.\n${m}mixed; boundary=C\n\n${c}html\n\n<p>The pier.</p>\n${c}html\n\n<p>The quay.</p>\n--C--\n--B--\n"
  equal "$(read_mail)" 'The pier.|The quay.'
  mail multipart/mixed "${p}The tug.\n${m}alternative; boundary=C\n\n${c}plain\n\nThe plain pier.\n${c}html\n\n<p>The pier.</p>\n--C--\n${p}The quay.\n--B--\n"
  equal "$(read_mail)" 'The tug.|The pier.|The quay.'
  mail multipart/mixed "The pier has no parts.\n"
  equal "$(read_mail)" 'The pier has no parts.'
}

@test "a mail: parts that are nested too deep are an error, the others are read" {
  local i open='' close=''
  for i in $(seq 40); do open="$open--B$i\nContent-Type: multipart/mixed; boundary=B$((i + 1))\n\n" close="--B$((i + 1))--\n$close"; done
  mail 'multipart/mixed; boundary=B1; x' "$open--B41\n\nThe pier.\n$close--B1\n\nThe quay.\n--B1--\n"
  sed -i 's/; boundary=B$//' letter.eml
  equal "$(read_mail 1)" 'The quay.|letter.eml: its parts are nested too deep'
}

@test "parts of one name are documents of their own" {
  python3 - <<'PY' 2>/dev/null
import io, tarfile, zipfile
inner = io.BytesIO()
for to in ("twice.zip", inner):
    with zipfile.ZipFile(to, "w") as z:
        for name, text in (("y.txt", "The lock was dug."), ("y.txt", "The lock was filled."), ("y.txt%282%29", "The ferry sank.")):
            z.writestr(name, text)
with zipfile.ZipFile("outer.zip", "w") as z:
    z.writestr("inner.zip", inner.getvalue())
    z.writestr("inner.zip/y.txt", "The mole grew.")
with tarfile.open("bytes.tar", "w", format=tarfile.USTAR_FORMAT, encoding="latin-1") as t:
    for name in ("\xe4.txt", "\xf6.txt"):
        entry = tarfile.TarInfo(name)
        entry.size = 5
        t.addfile(entry, io.BytesIO(b"A pier"[:5]))
PY
  strip twice.zip outer.zip bytes.tar
  equal "$status" 0
  equal "$(jq -r '.sourceUrl | split("/") | .[-1]' <<<"$output" | paste -sd' ')" \
    'twice.zip#y.txt twice.zip#y.txt%282%29 twice.zip#y.txt%282%29%282%29 y.txt y.txt%282%29 y.txt%282%29%282%29 y.txt%283%29 bytes.tar#%E4.txt bytes.tar#%F6.txt'
  printf '<SEC-DOCUMENT>0.txt\n<DOCUMENT>\n<TYPE>10-K\n<FILENAME>a.txt\n<TEXT>\nThe pier.\n</TEXT>\n</DOCUMENT>\n<DOCUMENT>\n<TYPE>EX-99\n<FILENAME>a.txt\n<TEXT>\nThe quay.\n</TEXT>\n</DOCUMENT>\n' >full.txt
  strip full.txt
  equal "$(jq -r '.sourceUrl | split("/") | .[-1]' <<<"$output" | paste -sd' ')" 'full.txt#a.txt full.txt#a.txt%282%29'
}

@test "a mailbox: a document a message; a line that begins with From is no message" {
  strip files/box.mbox
  equal "$status" 0
  equal "$(jq -c '[.sourceUrl[-6:], .metadata.title, .metadata.filingDate]' <<<"$output")" '["part-1","Note 1","2026-03-04"]
["part-2","Note 2","2026-03-05"]'
  contains "$(text)" 'From here on the fog horn'
}

@test "an archive, and an archive in an archive: each document by its path" {
  (cd files && tar czf more.tar.gz all.zip box.mbox)
  strip files/more.tar.gz
  equal "$status" 0
  equal "$(jq -r '.sourceUrl | split("#")[1]' <<<"$output")" 'all.zip/papers/report.docx
all.zip/papers/figures.xlsx
all.zip/papers/slides.pptx
box.mbox/4
box.mbox/5'
}

@test "memory that fails while an archive is read, at any allocation, is said and no crash" {
  need cc
  (cd "$ROOT" && cc -D_GNU_SOURCE -DBID_VERSION='"0"' -Icommon -I.build -o "$OLDPWD/members" test/data/members.c \
    common/format/unpack.c common/format/gunzip.c common/base/*.c -larchive -lz -lnettle -pthread)
  cc -O1 -shared -fPIC -o fail.so "$ROOT/test/torture/shim.c" -ldl
  (cd files && tar czf all.tar.gz figures.xlsx letter.eml && tar cjf all.tar.bz2 figures.xlsx letter.eml)
  for file in all.zip all.tar.gz all.tar.bz2; do
    ./members <"files/$file"
    failed=0
    for at in {1..70}; do
      status=0
      TORTURE_CALL=malloc TORTURE_AT=$at LD_PRELOAD=$PWD/fail.so ./members <"files/$file" >/dev/null 2>errors || status=$?
      [ "$status" -lt 128 ] || { echo "$file: status $status where allocation $at fails"; false; }
      [ "$status" -eq 0 ] || { failed=$((failed + 1)); [ -s errors ] || { echo "$file: $at: status $status, no word"; false; }; }
    done
    [ "$failed" -gt 20 ] || { echo "$file: only $failed of 70 were noticed"; false; }
  done
}

@test "a memorandum that begins like a mail stays a text" {
  printf 'TO: All\nFROM: The harbour master\nDATE: 3 March 2026\nRE: Ice\n\nThe basin is closed.\n' >memo.txt
  strip memo.txt
  equal "$status" 0
  contains "$(text)" 'RE: Ice'
}

@test "what is broken is an error that says why, beside the rest" {
  head -c 700 files/report.docx >files/cut.docx
  printf 'PK\003\004not a zip at all, and long enough to be looked at as one by whoever opens it' >files/bad.zip
  strip files/cut.docx files/bad.zip files/figures.xlsx
  equal "$status" 1
  equal "$(jq -r 'select(.error) | .error.category' <<<"$output" | sort -u)" invalid-request
  equal "$(jq -r 'select(.text) | .sourceUrl[-12:]' <<<"$output")" figures.xlsx
}

@test "bid-fetch hands office files on whole, from folders and archives" {
  run --separate-stderr bid-fetch file files
  equal "$status" 0
  equal "$(jq -r '.sourceUrl | split("/files/")[1]' <<<"$output" | sort | head -5)" 'all.zip#papers/figures.xlsx
all.zip#papers/report.docx
all.zip#papers/slides.pptx
box.mbox
figures.xlsx'
}

@test "what a folder holds and can't be read is an error with its reason" {
  mkdir -p box/inner
  echo 'Some text.' >box/a.txt
  ln -s a.txt box/link.txt
  mkfifo box/pipe
  run --separate-stderr bid-fetch file box
  equal "$status" 1
  equal "$(jq -r 'select(.error) | .error.message | sub(".*/box/"; "")' <<<"$output")" 'link.txt: it is a link, which is not followed; name it on the command line
pipe: it is no file'
  equal "$(jq -r 'select(.rawContent) | .rawContent' <<<"$output")" 'Some text.'
  chmod 0 box/a.txt box/inner
  local mortal=() # root without what makes it read everything
  [ "$(id -u)" -ne 0 ] || mortal=(setpriv --bounding-set=-dac_override,-dac_read_search)
  run --separate-stderr "${mortal[@]}" bid-fetch file box
  chmod 755 box/inner
  contains "$output" 'a.txt: Permission denied'
  contains "$output" 'inner: Permission denied'
}

@test "what can't be opened, read or listed of a folder is an error with its reason, whoever asks" {
  mkdir -p box/inner
  echo 'Some text.' >box/a.txt
  echo 'More text.' >box/inner/b.txt
  cat >fail.c <<'C'
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* The call FAIL of a file or folder whose path has FAIL_AT, of reads the FAIL_FROM-th and later, gets the errno FAIL_WITH. */
static const char *fail, *fail_at;
static int from, with;
__attribute__((constructor)) static void start(void) {
  fail = getenv("FAIL"), fail_at = getenv("FAIL_AT"), from = atoi(getenv("FAIL_FROM")), with = atoi(getenv("FAIL_WITH"));
}
static int hit(const char *call, const char *path) {
  if (!fail || strcmp(fail, call) != 0 || !strstr(path, fail_at))
    return 0;
  errno = with;
  return 1;
}
static int hit_fd(const char *call, int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t len = readlink(link, path, sizeof path - 1);
  path[len < 0 ? 0 : len] = 0;
  return hit(call, path);
}
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
int open(const char *path, int flags, ...) { return hit("open", path) ? -1 : REAL(open)(path, flags, 0600); }
int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
            int (*order)(const struct dirent **, const struct dirent **)) {
  return hit("scandir", path) ? -1 : REAL(scandir)(path, list, filter, order);
}
ssize_t read(int fd, void *to, size_t n) {
  static int seen;
  if (hit_fd("read", fd) && ++seen >= from)
    return -1;
  return REAL(read)(fd, to, n);
}
C
  cc -shared -fPIC -o fail.so fail.c -ldl
  local asan= call at from code reason
  if nm -D "$BID_BIN/bid-fetch" 2>/dev/null | grep -q __asan; then asan=$(cc -print-file-name=libasan.so):; fi
  while read -r call at from; do
    while read -r code reason; do
      run --separate-stderr env LD_PRELOAD="$asan$PWD/fail.so" ASAN_OPTIONS=detect_leaks=0 FAIL="$call" FAIL_AT="$at" FAIL_FROM="$from" \
        FAIL_WITH="$code" bid-fetch -q file box
      [ "$status" -ge 1 ] || { echo "$call $at $from: $reason: status 0: $output"; false; }
      [ "$status" -lt 128 ] || { echo "$call $at $from: $reason: $status"; false; }
      contains "$(jq -r 'select(.error).error.message' <<<"$output")" "$reason"
    done <<'REASONS'
5 Input/output error
13 Permission denied
24 Too many open files
REASONS
  done <<'CALLS'
open a.txt 1
read a.txt 1
read a.txt 2
read a.txt 3
scandir inner 1
CALLS
}

@test "an odd folder: each file gives its text, or an error with the reason" {
  python3 "$ROOT/test/tools/odd_files.py" odd
  bid-fetch -q file odd >got.ndjson || true
  bid-strip -q <got.ndjson >text.ndjson || true
  equal "$(jq -r 'select(.error) | "\(.sourceUrl // .error.sourceUrl | split("/")[-1]) \(.error.category): \(.error.message | split(": ")[-1])"' text.ndjson | sort)" \
    "empty.pdf unavailable: the file is empty
locked.zip#inner.zip invalid-request: the archive is locked with a password; unpack it yourself
ole.docx auth-failed: a password is needed"
  equal "$(jq -r 'select(.text) | .sourceUrl | split("/odd/")[1] | @json' text.ndjson | sort)" '"name\nwith newline.txt"
"odd.eml#2/part"
"odd.eml#2/part/3/mémo.txt"
"odd.eml#part-1"
"odd.xlsx"
"outer.zip#inner.zip#deep.txt"'
  contains "$(jq -r 'select(.sourceUrl | endswith("odd.xlsx")) | .text' text.ndjson)" "| Twice | =B2*2 |
| None | #DIV/0! |

## Secret (hidden)

Hidden words here"
  contains "$(jq -r 'select(.sourceUrl | endswith("part-1")) | .text' text.ndjson)" "Subject: 四半期の売上café

売上は五億円。"
}

@test "attributes that are missing, empty or no number: a document all the same" {
  local attribute
  mkdir -p docx/word
  printf '<?xml version="1.0"?><Types/>' >'docx/[Content_Types].xml'
  for attribute in '' 'w:val=""' 'w:val="x"' 'w:val="-9"' 'w:val="99999999999999999999"'; do
    printf '<w:document><w:body><w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan %s/></w:tcPr><w:p><w:r><w:t>Berth</w:t></w:r></w:p></w:tc>
      <w:tc><w:p><w:r><w:t>Ship</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>' "$attribute" >docx/word/document.xml
    (cd docx && rm -f ../odd.docx && python3 -m zipfile -c ../odd.docx '[Content_Types].xml' word)
    strip odd.docx
    equal "$status" 0
    contains "$(text)" Berth
  done
}

@test "links in an archive, of either kind, are errors with their reason, in bid-strip and bid-fetch" {
  mkdir links
  echo '<p>Eleven ships a day.</p>' >links/page.htm
  ln -s /etc/passwd links/away.htm
  ln links/page.htm links/same.htm
  (cd links && tar cf ../links.tar page.htm away.htm same.htm)
  strip links.tar
  equal "$status" 1
  equal "$(jq -c 'select(.error).error.message' <<<"$output")" '"links.tar: away.htm: it is a link, which is not followed"
"links.tar: same.htm: it is a link, which is not followed"'
  contains "$(text)" "Eleven ships a day."
  run --separate-stderr bid-fetch -q file links.tar --content
  equal "$status" 1
  equal "$(jq -r 'select(.error).error.sourceUrl | sub(".*#"; "")' <<<"$output")" 'away.htm
same.htm'
}
