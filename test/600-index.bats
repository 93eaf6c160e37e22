#!/usr/bin/env bats
# bid-index: documents as a whole or not at all.
load helper

# chunks DOCS VERSION COUNT [EXTRA]: embedded chunks of each document; the vectors tell them apart.
chunks() {
  python3 - "$@" <<'EOF'
import base64, json, struct, sys
version, count = int(sys.argv[2]), int(sys.argv[3])
extra = json.loads(sys.argv[4]) if len(sys.argv) > 4 else {}
for doc, i in ((doc, i) for doc in sys.argv[1].split() for i in range(count)):
    v = [((i + 1) * (k + version + 3) * 7 + len(doc)) % 23 - 11.0 for k in range(64)]
    r = {"source": "sec-filings", "sourceUrl": "https://example.org/" + doc, "capturedAt": "2026-01-02T03:04:05Z",
         "metadata": {"company": "Example Inc.", "ticker": "EXM", "form": "10-K", "filingDate": "2024-03-01"},
         "id": "%032x" % (abs(hash((doc, version, i))) + 1), "text": "Passage %d of %s, version %d." % (i, doc, version),
         "context": "Example Inc. 10-K",
         "chunk": {"index": i, "start": 10 * i, "end": 10 * i + 9, "item": "1A", "last": i == count - 1},
         "embedding": base64.b64encode(struct.pack("<64f", *v)).decode(), "model": "test@0123456789ab"}
    r.update(extra)
    print(json.dumps(r))
EOF
}
export PYTHONHASHSEED=0

test_setup() { need python3 jq; }

passages() { bid-store stat | jq .passages; }

@test "a document gives a receipt, and is there" {
  chunks one 1 7 >in
  run --separate-stderr bid-index in
  equal "$status" 0
  equal "$stderr" ""
  equal "$output" '{"collection":"finance_edgar_EXM_10-K","sourceUrl":"https://example.org/one","added":7,"replaced":0,"unchanged":0,"removed":0}'
  equal "$(passages)" 7
  bid-store verify
}

@test "the same again is unchanged and writes nothing" {
  chunks one 1 7 >in
  bid-index in
  before=$(stat -c '%y %s' "$BID_STORE")
  sed 's/03:04:05/09:09:09/' in >again # capturedAt alone doesn't make it another one
  run --separate-stderr bid-index again
  equal "$output" '{"collection":"finance_edgar_EXM_10-K","sourceUrl":"https://example.org/one","added":0,"replaced":0,"unchanged":7,"removed":0}'
  equal "$(stat -c '%y %s' "$BID_STORE")" "$before"
}

@test "a new version replaces the document as a whole" {
  chunks one 1 7 | bid-index
  run --separate-stderr bid-index <(chunks one 2 4)
  equal "$(jq -c '[.added,.replaced,.unchanged,.removed]' <<<"$output")" "[0,4,0,3]"
  equal "$(bid-store dump | jq -r .text | sort | head -1)" "Passage 0 of one, version 2."
  equal "$(passages)" 4
  bid-store verify
}

@test "what was asked for is no part of a document" {
  chunks one 1 7 '{"query": "BYD competition", "job": 3, "period": "2024", "filingTypes": ["10-K"], "sources": ["sec-filings"], "entity": {"id": "EXM"}}' >in
  bid-index in
  equal "$(bid-store dump | jq -c '[.query, .job, .period, .filingTypes, .sources, .entity.id]' | sort -u)" '[null,null,null,null,null,"EXM"]'
  # Asked for by another job it is the same document.
  run --separate-stderr bid-index <(chunks one 1 7 '{"query": "CATL", "job": 1}')
  equal "$(jq -c '[.added,.replaced,.unchanged,.removed]' <<<"$output")" "[0,0,7,0]"
}

@test "passages that are not in their order are one error, and nothing of the document is stored" {
  chunks one 1 40 | sort -R --random-source=<(yes) >in
  run --separate-stderr bid-index <(cat in; chunks two 1 3)
  equal "$(jq -c 'select(.error) | [.error.category, .error.sourceUrl]' <<<"$output")" '["invalid-request","https://example.org/one"]'
  contains "$stderr" "not in the order in which bid-chunk wrote them"
  equal "$(bid-store documents | jq -r .sourceUrl)" "https://example.org/two"
}

@test "input that ends within a document leaves what was there" {
  chunks one 1 7 | bid-index
  run --separate-stderr bid-index <(chunks one 2 7 | head -4)
  equal "$status" 1
  contains "$output" '"category":"internal"'
  contains "$stderr" "ends in the middle of the document"
  equal "$(bid-store dump | jq -r .text | grep -c 'version 1')" 7
  run --separate-stderr bid-index --partial <(chunks one 2 7 | head -4)
  equal "$status" 0
  equal "$(passages)" 4
}

@test "a document that is cut off before another one leaves what was there" {
  chunks one 1 7 | bid-index
  run --separate-stderr bid-index <(chunks one 2 7 | head -4; chunks two 1 3)
  equal "$status" 1
  contains "$stderr" "its last passages are missing"
  equal "$(bid-store dump | jq -r .text | grep -c 'of one, version 1')" 7
  equal "$(bid-store dump | jq -r .text | grep -c 'of two, version 1')" 3
}

@test "a document that lacks a passage in its middle or its first ones is refused, the rest goes in" {
  chunks one 1 7 | bid-index
  run --separate-stderr bid-index <(chunks one 2 7 | sed 4d; chunks two 1 3)
  equal "$status" 1
  contains "$stderr" "passages before its last one are missing"
  equal "$(jq -c 'select(.error) | [.error.category, .error.sourceUrl]' <<<"$output")" '["internal","https://example.org/one"]'
  equal "$(bid-store dump | jq -r .text | grep -c 'of one, version 1')" 7
  equal "$(bid-store dump | jq -r .text | grep -c 'of two, version 1')" 3
  run --separate-stderr bid-index <(chunks one 2 7 | sed 1,2d)
  equal "$status" 1
  run --separate-stderr bid-index --partial <(chunks one 2 7 | sed 4d)
  equal "$status" 0
  equal "$(bid-store dump | jq -r .text | grep -c 'of one, version 2')" 6
  # A dump of it is loaded as it is only where that is asked for.
  bid-store dump >dumped
  run --separate-stderr env BID_STORE="$PWD/other" bid-store load dumped
  equal "$status" 1
  BID_STORE=$PWD/other bid-store load --partial dumped
  equal "$(BID_STORE=$PWD/other bid-store stat | jq .passages)" 9
}

@test "an older capture doesn't replace a newer one, unless asked; one of a clock in the future is replaced" {
  run --separate-stderr bid-index <(chunks one 2 4 '{"capturedAt":"2026-02-02T00:00:00Z"}'; chunks one 1 3)
  equal "$status" 0
  equal "$(jq -c '[.added,.replaced,.unchanged,.removed,.older]' <<<"$output" | paste -sd' ')" '[4,0,0,0,null] [0,0,0,0,3]'
  contains "$stderr" "https://example.org/one: the stored version was captured later and is kept; --older replaces it"
  run --separate-stderr bid-index <(chunks one 1 3)
  equal "$(jq -c '[.added,.replaced,.removed,.older]' <<<"$output")" '[0,0,0,3]'
  equal "$(bid-store dump | jq -r .text | grep -c 'version 2')" 4
  bid-store verify
  run --separate-stderr bid-index --older <(chunks one 1 3)
  equal "$(jq -c '[.added,.replaced,.removed,.older]' <<<"$output")" '[0,3,1,null]'
  equal "$stderr" ""
  bid-index <(chunks one 3 2 '{"capturedAt":"2126-01-01T00:00:00Z"}')
  run --separate-stderr bid-index <(chunks one 1 3)
  equal "$(jq -c '[.added,.replaced]' <<<"$output")" '[1,2]'
  bid-store verify
}

@test "a document that is given twice in a row is stored once, the later version of two" {
  run --separate-stderr bid-index <(chunks one 1 3; chunks one 1 3; chunks one 2 4)
  equal "$status" 0
  equal "$(printf '%s\n' "$output" | jq -c '[.added,.replaced,.unchanged,.removed]' | tr '\n' ' ')" "[3,0,0,0] [0,3,0,0] [1,3,0,0] "
  equal "$(bid-store dump | jq -r .text | sort | uniq -c | wc -l)" 4
  equal "$(passages)" 4
}

@test "a line cut off in the middle leaves what was there" {
  chunks one 1 7 | bid-index
  run --separate-stderr bid-index <(chunks two 1 3; chunks one 2 7 | head -c 2500)
  equal "$status" 1
  equal "$(bid-store dump | jq -r .text | grep -c 'version 1')" 10
}

@test "an error among a document's passages leaves what was there" {
  chunks one 1 3 | bid-index
  { chunks one 2 3 | head -1; echo '{"error":{"category":"internal","message":"x","stage":"embed"}}'; chunks one 2 3 | tail -1; } >in
  run --separate-stderr bid-index in
  equal "$status" 1
  contains "$output" '"message":"x"' # passed on
  contains "$output" 'https://example.org/one'
  equal "$(bid-store dump | jq -r .text | grep -c 'version 1')" 3
}

@test "error records are passed on untouched" {
  echo '{"error": {"category":"no-content", "message":"nothing","stage":"strip"} , "x":1.50}' >in
  run --separate-stderr bid-index in
  equal "$output" "$(cat in)"
}

@test "what is no embedded chunk is reported, the rest goes in" {
  { chunks one 1 2; echo '{"sourceUrl":"https://example.org/x","text":"no vector"}'; chunks two 1 2; } >in
  run --separate-stderr bid-index in
  equal "$status" 1
  contains "$stderr" "bid-index: in:3: not an embedded chunk"
  equal "$(passages)" 4
  run --separate-stderr bid-index <(chunks three 1 2 '{"embedding":"AAA="}')
  equal "$status" 1
  contains "$output" invalid-request
  run --separate-stderr bid-index <(chunks three 1 2 '{"id":"xyz"}')
  equal "$status" 1
  equal "$(passages)" 4
}

@test "a document whose metadata is no object is refused as a whole" {
  chunks one 1 2 | bid-index
  for bad in '"ACME"' '[]' 12 true; do
    { chunks two 1 2 '{"metadata":'"$bad"'}'; chunks three 1 1; } >in
    run --separate-stderr bid-index in
    equal "$status" 1
    equal "$(jq -r '.error | select(.) | .category + " " + .sourceUrl' <<<"$output" | grep -c '^invalid-request .*two')" 1
    contains "$stderr" "metadata is a "
    equal "$(passages)" 3
  done
}

@test "another model than the collection's is a mismatch" {
  chunks one 1 2 | bid-index
  run --separate-stderr bid-index <(chunks two 1 2 '{"model":"other@000000000000"}')
  equal "$status" 1
  contains "$output" '"category":"model-mismatch"'
  contains "$output" '"sourceUrl":"https://example.org/two"'
  equal "$(passages)" 2
}

@test "collections are named after the metadata" {
  chunks a 1 1 '{"metadata":{"cik":"0000000123","form":"10-K/A"}}' | bid-index
  chunks b 1 1 '{"metadata":{"company":"A & B"},"contentType":"application/pdf"}' | bid-index
  chunks c 1 1 '{"metadata":{"domain":"law","corpus":"x_y","ticker":"T","form":"DEF 14A"}}' | bid-index
  chunks d 1 1 '{"metadata":{},"entity":{"id":"acme"},"contentType":"text/html"}' | bid-index
  chunks e 1 1 | bid-index --domain D --corpus C
  chunks f 1 1 | bid-index -c my.own_name
  equal "$(bid-store ls | jq -r .collection | tr '\n' ' ')" \
    "D_C_EXM_10-K finance_edgar_CIK123_10-K-A finance_reports_A---B_pdf finance_reports_acme_html law_x-y_T_DEF-14A my.own_name "
}

@test "a collection's name is checked" {
  for name in '' 'a b' '../x' '~x' "$(printf 'x%.0s' {1..300})"; do
    run --separate-stderr bid-index -c "$name" <(chunks one 1 1)
    [ "$status" -ne 0 ]
  done
}

@test "--expire drops what is older than the rule" {
  chunks old 1 2 '{"metadata":{"form":"8-K","ticker":"A","filingDate":"2019-01-01"}}' | bid-index
  chunks kept 1 2 '{"metadata":{"form":"10-K","ticker":"A","filingDate":"2019-01-01"}}' | bid-index
  chunks new 1 2 '{"metadata":{"form":"8-K","ticker":"A","filingDate":"2025-01-01"}}' | bid-index
  run --separate-stderr bid-index --expire '*_8-K:2020-01-01' </dev/null
  equal "$output" '{"expired":"*_8-K:2020-01-01","documents":1,"removed":2}'
  BID_NOW=2026-01-01T00:00:00Z run --separate-stderr bid-index --expire 2years </dev/null
  equal "$(jq .documents <<<"$output")" 1
  equal "$(bid-store dump | jq -r .sourceUrl | uniq)" "https://example.org/new"
  run --separate-stderr bid-index --expire someday </dev/null
  equal "$status" 64
  bid-store verify
}

@test "many documents, several batches, no input lost" {
  chunks "$(seq -f doc%g 30)" 1 10 >in
  run --separate-stderr bid-index --batch 35 in
  equal "$status" 0
  equal "$(wc -l <<<"$output")" 30
  equal "$(passages)" 300
  bid-store verify
}

@test "killed at any moment: old or new, and what had a receipt is there" {
  chunks "$(seq -f doc%g 12)" 1 20 >old
  chunks "$(seq -f doc%g 12)" 2 20 >new
  bid-index old >/dev/null
  for delay in 0.002 0.005 0.01 0.02 0.03 0.05 0.08 0.12; do
    bid-index --batch 20 new >receipts 2>/dev/null &
    pid=$!
    sleep "$delay"
    kill -9 $pid 2>/dev/null || true
    wait $pid 2>/dev/null || true
    bid-store verify
    # of every document exactly one version, whole
    equal "$(bid-store dump | jq -r '[.sourceUrl, (.text | sub(".*version "; ""))] | join(" ")' | sort | uniq -c | awk '$1 != 20' | wc -l)" 0
    equal "$(passages)" 240
    grep -o 'doc[0-9]*' receipts | while read -r doc; do
      bid-store dump | jq -r "select(.sourceUrl | endswith(\"/$doc\")) | .text" | grep -q 'version 2' || exit 1
    done
    bid-index old >/dev/null
  done
}

@test "two writers at once: both get their turn" {
  chunks "$(seq -f a%g 20)" 1 10 >a
  chunks "$(seq -f b%g 20)" 1 10 >b
  bid-index --batch 20 a >ra &
  bid-index --batch 20 b >rb
  wait $!
  equal "$(cat ra rb | wc -l)" 40
  equal "$(passages)" 400
  bid-store verify
}

@test "a reader never sees half a document while a writer works" {
  chunks "$(seq -f doc%g 5)" 1 10 | bid-index >/dev/null
  for v in $(seq 2 9); do chunks "$(seq -f doc%g 5)" "$v" 10 >"v$v"; done
  (for v in $(seq 2 9) $(seq 2 9); do bid-index --batch 10 "v$v" >/dev/null; done) &
  writer=$!
  looks=0
  while kill -0 $writer 2>/dev/null; do
    bid-store dump >seen
    equal "$(jq -r '[.sourceUrl, (.text | sub(".*version "; ""))] | join(" ")' seen | sort | uniq -c | awk '{print $1}' | sort -u)" 10
    equal "$(wc -l <seen)" 50
    looks=$((looks + 1))
  done
  wait $writer
  [ "$looks" -gt 2 ]
}

@test "a full disk is said, and nothing is lost" {
  chunks one 1 5 | bid-index >/dev/null
  chunks "$(seq -f doc%g 200)" 1 50 >in
  run --separate-stderr bash -c 'ulimit -f 300; bid-index in'
  equal "$status" 74
  contains "$stderr" "$BID_STORE"
  contains "$output" '"category":"unavailable"'
  bid-store verify
  equal "$(bid-store dump | jq -r 'select(.sourceUrl | endswith("/one")) | .text' | wc -l)" 5
}

@test "BID_STORE that is something else is refused and left alone" {
  echo "my diary" >diary
  BID_STORE=diary run --separate-stderr bid-index <(chunks one 1 1)
  equal "$status" 65
  contains "$stderr" "diary: not a store of bid"
  equal "$(cat diary)" "my diary"
  [ ! -e diary-lock ]
}

@test "a folder as BID_STORE holds the file" {
  mkdir d
  BID_STORE=d bid-index <(chunks one 1 1)
  [ -f d/store.bid ]
  equal "$(BID_STORE=d bid-store stat | jq .passages)" 1
}

@test "receipts to a full device are an error" {
  [ -c /dev/full ] || skip "no /dev/full"
  chunks one 1 1 >in
  run --separate-stderr bash -c 'bid-index in >/dev/full'
  equal "$status" 74
}
