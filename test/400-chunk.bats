# bid-chunk: manners, records, and what holds for every passage of every recorded document.
load helper

doc='{"sourceUrl":"https://example.org/a","sha256":"00","extra":1.50,"metadata":{"company":"Apple Inc.","ticker":"AAPL","form":"10-K","fiscalYear":"2024","fiscalPeriod":"FY","filingDate":"2024-11-01"},"text":"## Item 1A. Risk Factors\n\nWe depend on suppliers.\n","outline":[{"offset":0,"level":2,"title":"Item 1A. Risk Factors","item":"1A","page":7}]}'

@test "a document becomes chunks that keep its other fields" {
  run --separate-stderr bid-chunk <<<"$doc"
  equal "$status" 0
  equal "$stderr" ""
  equal "${#lines[@]}" 1
  contains "$output" '"extra":1.50'
  equal "$(jq -r .context <<<"$output")" "Apple Inc. (AAPL) · 10-K · FY 2024 · filed 2024-11-01 · Item 1A. Risk Factors"
  equal "$(jq -c .chunk <<<"$output")" '{"index":0,"start":0,"end":49,"page":7,"item":"1A","heading":"Item 1A. Risk Factors","tokens":12,"last":true}'
  equal "$(jq -c '[has("outline"), has("breaks"), (.id | test("^[0-9a-f]{32}$"))]' <<<"$output")" "[false,false,true]"
}

@test "ids are the same from run to run and differ with the source" {
  first=$(bid-chunk <<<"$doc" | jq -r .id)
  equal "$(bid-chunk <<<"$doc" | jq -r .id)" "$first"
  equal "$(bid-chunk <<<"${doc/Apple Inc./Apple}" | jq -r .id)" "$first"
  [ "$(bid-chunk <<<"${doc/'"00"'/'"01"'}" | jq -r .id)" != "$first" ]
}

@test "a record without text becomes an error record, the others go on" {
  run --separate-stderr bid-chunk <<<'{"sourceUrl":"u"}
{"text":"   "}
{"error":{"category":"unavailable","message":"m"}}
{"text":"Words."}'
  equal "$status" 1
  equal "$(jq -rc '.error.category // .text' <<<"$output")" $'invalid-request\nno-content\nunavailable\nWords.'
  contains "$stderr" "bid-chunk: stdin:1: the record has no text"
}

@test "a text whose name is written with escapes is the document's text" {
  run --separate-stderr bid-chunk <<<'{"te\u0078t":"One \"word\".\n","n\u0061me":1.50}'
  equal "$status" 0
  equal "$(jq -r .text <<<"$output")" 'One "word".'
  equal "$(jq -c 'keys' <<<"$output")" '["chunk","context","id","name","text"]'
  equal "$(grep -o '"te' <<<"$output" | wc -l)" 1
}

@test "metadata that is no object is refused and said where; null is none" {
  for bad in '"ACME"' '["ACME"]' 12 false; do
    printf '%s\n' '{"text":"One."}' '{"text":"Two.","source":"s","sourceUrl":"b","metadata":'"$bad"'}' \
      '{"text":"Three.","metadata":null}' >in
    run --separate-stderr bid-chunk in
    equal "$status" 1
    equal "$(jq -r '.text // .error.category' <<<"$output" | tr '\n' ' ')" "One. invalid-request Three. "
    equal "$(jq -r '.error | select(.) | .source + .sourceUrl' <<<"$output")" sb
    contains "$stderr" "bid-chunk: in:2: metadata is a "
    contains "$stderr" "has to be an object"
  done
}

@test "options that make no sense are refused with the hint at --help" {
  for bad in --tokens=99 --tokens=8193 --tokens=x --overlap=257 --nonsense; do
    run --separate-stderr bid-chunk "$bad" <<<"$doc"
    equal "$status" 64
    contains "$stderr" "--help"
    equal "$output" ""
  done
}

@test "a model that is not there ends it with status 78" {
  run --separate-stderr bid-chunk --model "$BATS_TEST_TMPDIR/none.bidm" <<<"$doc"
  equal "$status" 78
  contains "$stderr" "none.bidm"
}

@test "a vocabulary of one's own counts the tokens" {
  printf '%s\n' '[UNK]' we '##x' > vocab
  run --separate-stderr bid-chunk --vocab vocab <<<'{"text":"we wexx us"}'
  equal "$status" 0
  equal "$(jq .chunk.tokens <<<"$output")" 5
}

@test "a full device is noticed" {
  run --separate-stderr bash -c 'bid-chunk <<<"$1" >/dev/full' _ "$doc"
  equal "$status" 74
}

# strip_all COUNT: documents of the recorded filings, every one or every n-th.
strip_all() {
  find "$BID_SHARED/upstream" -type f \( -name '*.htm' -o -name '*.txt' -o -name '*.html' -o -name '*.nc' -o -name '*.xml' \) |
    LC_ALL=C sort | awk -v n="$1" 'NR % n == 0' | tr '\n' '\0' |
    xargs -0 bid-strip --raw 2>/dev/null || [ $? -eq 123 ]
}

# For every chunk: text is the slice of its document, within the bound, cutting no character, word or row;
# all chunks of a document in order hold all of it but white space between them.
check_chunks() {
  python3 - "$@" <<'PY'
import json, re, sys
docs, seen, bound, overlap = {}, {}, int(sys.argv[3]), len(sys.argv) > 4
key = lambda r: (r.get("sourceUrl"), str(r.get("metadata", {}).get("part")), r.get("sha256"), r["chunkOf"])
for number, line in enumerate(open(sys.argv[1], "rb")):
    r = json.loads(line)
    if "error" not in r:
        docs[r["chunkOf"]] = r["text"].encode()
word = re.compile(rb"[0-9A-Za-z]")
count = 0
for line in open(sys.argv[2], "rb"):
    r = json.loads(line)
    if "error" in r:
        continue
    c, text = r["chunk"], docs[r["chunkOf"]]
    start, end = c["start"], c["end"]
    where = (r.get("sourceUrl"), c)
    assert text[start:end].decode("utf-8") == r["text"], where
    assert r["text"].strip() and 0 < c["tokens"] <= bound, where
    for at in (start, end):
        assert not (0 < at < len(text) and word.match(text[at - 1:at]) and word.match(text[at:at + 1])), where
    line_start = text.rfind(b"\n", 0, start) + 1
    row = text[line_start:(text.find(b"\n", line_start) + 1 or len(text) + 1) - 1]
    if row.lstrip().startswith(b"|") and text[line_start:start].strip():
        assert len(row) > 2 * bound, ("a row cut", where)
    last, index = seen.get(r["chunkOf"], (0, 0))
    assert c["index"] == index, where
    if start >= last:
        assert not re.sub(r"[\s\u200b-\u200f\u2060\ufeff\u00ad]", "", text[last:start].decode()), ("a gap", where)
    else:
        assert overlap, where
    assert end > last and "\n" not in r["context"], where
    seen[r["chunkOf"]] = (end, index + 1)
    count += 1
for name, text in docs.items():
    last = seen.get(name, (0, 0))[0]
    assert not re.sub(r"[\s\u200b-\u200f\u2060\ufeff\u00ad]", "", text[last:].decode()), (name, "not to its end")
assert count > 100, count
print(count, "chunks of", len(seen), "documents")
PY
}

@test "every passage of recorded documents is whole, in bounds and in order" {
  need_shared
  need python3
  strip_all "$([ "${BID_FULL-}" ] && echo 1 || echo 9)" | awk '{ sub(/^\{/, "{\"chunkOf\":" NR ","); print }' >docs
  bid-chunk docs >chunks 2>err || [ $? -eq 1 ]
  run check_chunks docs chunks 512
  equal "$status" 0 || { echo "$output" >&2; return 1; }
  bid-chunk --tokens 128 --overlap 32 docs >chunks 2>err || [ $? -eq 1 ]
  run check_chunks docs chunks 128 overlap
  equal "$status" 0 || { echo "$output" >&2; return 1; }
}

@test "memory stays within 64 MiB above the record" {
  need python3
  shipped # the sanitizers keep freed memory
  python3 -c 'import json
print(json.dumps({"text": "The price of corn rose by 3.5% in 2024. | a | b |\n\n" * 400000}))' >big
  run --separate-stderr bash -c 'ulimit -v $((20 * 2 * 1024 + 20 * 1024 + 65536 + 65536)); bid-chunk big >/dev/null'
  equal "$status" 0
}

@test "the tokenizer's Unicode tables are what their script writes" {
  need python3
  version=$(sed -n 's/.*; Unicode \([0-9.]*\), where.*/\1/p' "$ROOT/data/tables/wordpiece_unicode.tsv")
  [ "$(python3 -c 'import unicodedata; print(unicodedata.unidata_version)')" = "$version" ] ||
    skip "this Python's Unicode is not $version"
  python3 "$ROOT/data/gen/wordpiece_unicode.py" | cmp - "$ROOT/data/tables/wordpiece_unicode.tsv"
}

@test "a note below a table carries the table's caption and heads; the unit is said once" {
  python3 - >noted.json <<'PY'
import json
rows = "".join("| Quay number %d of the old harbour | %d | %d |\n" % (n, n * 17, n * 19) for n in range(14))
text = ("# Dues\n\nDues by quay (in thousands):\n\n| (in thousands) | 2025 | 2024 |\n| --- | --- | --- |\n" + rows +
        "\n(1)" + "Dues are net of what was given back to the fishermen of the town. " * 9 + "\n\nThe mole was mended.\n")
print(json.dumps({"text": text, "metadata": {"company": "Quays"}, "sourceUrl": "x"}))
PY
  bid-chunk -t 100 noted.json >chunks
  equal "$(jq -r 'select(.text | startswith("Dues are net")) | .context' chunks | sort -u)" "Quays · Dues · Dues by quay (in thousands): · (in thousands) | 2025 | 2024"
  equal "$(jq -r 'select(.text | startswith("| Quay number")) | .context' chunks | sort -u)" "Quays · Dues · Dues by quay (in thousands): · (in thousands) | 2025 | 2024"
}

@test "valgrind finds no read of what was never written" {
  need valgrind
  shipped # sanitized programs don't run under valgrind
  bid-strip -q --raw "$ROOT"/data/sample/0009990001-25-000041.txt >document
  run --separate-stderr timeout 200 valgrind -q --error-exitcode=99 bid-chunk -q document
  [ "$status" -eq 0 ] || { echo "$status: $stderr"; false; }
}

@test "a table that goes on has its whole head in the context line, however long that is" {
  local i head="| Holder" rule="|---"
  for i in {1..8}; do
    head+=" | Percentage of the class of shares held of record in group $i"
    rule+="|---"
  done
  { printf '%s |\n%s|\n' "$head" "$rule" && for i in {1..60}; do echo "| Holder $i | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |"; done; } >table.md
  jq -cRs '{sourceUrl: "https://example.org/a", sha256: "00", metadata: {company: "Apple Inc."}, text: ., outline: []}' table.md | bid-chunk >chunks
  contains "$(tail -1 chunks | jq -r .context)" "Holder | Percentage of the class of shares held of record in group 1"
  contains "$(tail -1 chunks | jq -r .context)" "held of record in group 8"
}
