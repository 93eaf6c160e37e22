#!/usr/bin/env bats
# bid-index --to, bid-store copy and bid-search --from with a Chroma server: one of our own that speaks its API, and the
# real one of PyPI's chromadb where "make extras" has installed it.
load helper

test_setup() {
  need python3 jq
  unset BID_CHROMA_TOKEN
  mkdir server
  python3 "$ROOT/test/data/chroma_server.py" server 9>&- &
  SERVER=$!
  local i
  for i in $(seq 200); do [ -s server/port ] && break; sleep .02; done
  CHROMA=chroma+http://127.0.0.1:$(cat server/port)
}

test_teardown() {
  kill "$SERVER" 2>/dev/null
  wait "$SERVER" 2>/dev/null || true
}

behave() { echo "$1" >server/behaviour; }

# fill FIRST LAST [VERSION [MODEL [DIMENSIONS]]]: embedded chunks of documents, 7 passages each, of two companies in turn.
fill() {
  python3 - "$@" <<'EOF'
import base64, json, random, struct, sys
first, last, version, model, dims = (sys.argv[1:] + ["1", "test@0123456789ab", "24"][len(sys.argv) - 3:])[:5]
words = "revenue segment risk supply tax lease debt cash income margin growth cost option share board audit".split()
for doc in range(int(first), int(last) + 1):
    for i in range(7):
        r = random.Random(doc * 1000 + i * 10 + int(version))
        passage = {
            "source": "sec-filings", "sourceUrl": "https://example.org/%d" % doc, "capturedAt": "2026-01-02T03:04:05Z",
            "metadata": {"company": "Company \u00c4 %d" % (doc % 2), "ticker": "C%d" % (doc % 2), "form": "10-K", "n": 1.50,
                         "list": [1, {"a": None}], "filingDate": "2024-03-%02d" % (1 + doc % 28), "huge": 12345678901234567890},
            "id": "%08x%08x%016x" % (doc, i, int(version)), "extra": 1.50 + i * (i == 3),
            "text": " ".join(r.choice(words) + str(r.randint(0, 99)) for _ in range(40)) + "\n\"\t\u2028 document %d" % doc,
            "context": "Company | 10-K", "chunk": {"index": i, "start": i, "end": i + 1, "item": "1A", "last": i == 6},
            "embedding": base64.b64encode(struct.pack("<%df" % int(dims), *[r.gauss(0, 1) for _ in range(int(dims))])).decode(),
            "model": model}
        print(json.dumps(passage))
EOF
}

# dump STORE: what is in it, as records.
dump() { BID_STORE=$1 bid-store dump; }

# round_trip ADDRESS: indexed there and copied back, or copied there and back, is what a store has that was indexed itself.
round_trip() {
  fill 1 9 >in.ndjson
  BID_STORE=$PWD/a bid-index in.ndjson >receipts
  bid-index --to "$1" in.ndjson >receipts-chroma
  cmp <(sort receipts) <(sort receipts-chroma)
  bid-store copy "$1" b >/dev/null
  cmp <(dump a) <(dump b)
  fill 4 5 2 | bid-index --to "$1" | jq -e 'select(.replaced != 7 or .removed + .added + .unchanged > 0)' && false
  fill 4 5 2 | BID_STORE=$PWD/a bid-index >/dev/null
  bid-store copy "$1" c >/dev/null
  cmp <(dump a) <(dump c)
  bid-store copy a "$1" | jq -s -e 'length == 9 and all(.unchanged == 7)' >/dev/null
}

@test "indexed there and copied back: the same bytes as indexed here" {
  round_trip "$CHROMA"
}

@test "copied there and back: the same bytes; into another tenant and database; only what -c names" {
  fill 1 9 | BID_STORE=$PWD/a bid-index >/dev/null
  bid-store copy a "$CHROMA/acme/filings" >/dev/null
  bid-store copy "$CHROMA/acme/filings" b >/dev/null
  cmp <(dump a) <(dump b)
  bid-store copy "$CHROMA/acme/filings" "$CHROMA" >/dev/null
  bid-store -c '*_C1_*' copy "$CHROMA" c >/dev/null
  equal "$(BID_STORE=c bid-store ls | jq -r .collection)" finance_edgar_C1_10-K
  bid-store copy a d >/dev/null
  cmp <(dump a) <(dump d)
}

@test "metadata to filter by are flat, dates numbers, and nothing else is cut or rounded" {
  fill 1 1 | bid-index --to "$CHROMA" >/dev/null
  curl -s "http://${CHROMA#*//}/api/v2/tenants/default_tenant/databases/default_database/collections/00000000-0000-4000-8000-000000000000/get" \
    -d '{"include":["metadatas"],"where":{"$and":[{"ticker":"C1"},{"filingDay":{"$gte":20240301}},{"item":"1A"},{"bid_row":3}]}}' >got
  equal "$(jq -c '.metadatas[0] | [.form, .company, .n, .huge, .list, .sourceUrl, .filingDay]' got)" \
    '["10-K","Company Ä 1",1.5,null,null,"https://example.org/1",20240302]'
  contains "$(jq -r '.metadatas[0].bid_document' got)" '"huge": 12345678901234567890'
}

@test "more rows than a request takes, and documents with more than that" {
  behave batch=10
  fill 1 5 >in.ndjson
  bid-index --to "$CHROMA" in.ndjson | jq -s -e 'length == 5 and all(.added == 7)' >/dev/null
  behave batch=3
  fill 6 6 | bid-index --to "$CHROMA" >/dev/null
  fill 6 6 >>in.ndjson
  BID_STORE=$PWD/a bid-index in.ndjson >/dev/null
  bid-store copy "$CHROMA" b >/dev/null
  cmp <(dump a) <(dump b)
}

@test "what is refused of a batch costs its own document alone" {
  behave 'refuse=document 3'
  fill 1 6 >in.ndjson
  run --separate-stderr bid-index --to "$CHROMA" in.ndjson
  equal "$status" 1
  equal "$(jq -c 'select(.error) | [.error.category, .error.sourceUrl]' <<<"$output")" '["invalid-request","https://example.org/3"]'
  contains "$stderr" "a document holds document 3"
  equal "$(jq -r 'select(.added == 7) | .sourceUrl' <<<"$output" | sort | tr -d '\n' | tr -dc 0-9)" 12456
  behave ''
  bid-index --to "$CHROMA" in.ndjson | jq -s -e '[.[].unchanged] | add == 35' >/dev/null
}

@test "vectors of another model or length: model-mismatch, for their document alone" {
  fill 1 1 | bid-index --to "$CHROMA" >/dev/null
  { fill 3 3 1 other@0123456789ab; fill 2 2; } >in.ndjson
  run --separate-stderr bid-index --to "$CHROMA" in.ndjson
  equal "$status" 1
  equal "$(jq -r 'select(.error) | .error.category' <<<"$output")" model-mismatch
  equal "$(jq -r 'select(.added) | .sourceUrl' <<<"$output")" https://example.org/2
  run --separate-stderr bid-index --to "$CHROMA" <(fill 5 5 1 test@0123456789ab 16)
  equal "$status" 1
  equal "$(jq -r .error.category <<<"$output")" model-mismatch
}

@test "no server, no database, a refused token, a bad address: status, category, and what to do" {
  run --separate-stderr bid-index --to chroma+http://127.0.0.1:1 <(fill 1 1)
  equal "$status" 69
  equal "$(jq -r .error.category <<<"$output")" unavailable
  contains "$stderr" "cannot be reached"
  run --separate-stderr bid-store copy "$CHROMA/acme/nothing" b
  equal "$status" 66
  equal "$(jq -r .error.category <<<"$output")" no-collection
  behave 401
  run --separate-stderr bid-store copy "$CHROMA" b
  equal "$status" 77
  equal "$(jq -r .error.category <<<"$output")" auth-failed
  contains "$stderr" "set BID_CHROMA_TOKEN"
  BID_CHROMA_TOKEN=wrong run --separate-stderr bid-index --to "$CHROMA" <(fill 1 1)
  equal "$status" 77
  [[ $output$stderr != *wrong* ]]
  behave echo
  BID_CHROMA_TOKEN=Hidden+1 run --separate-stderr bid-store copy "$CHROMA" b
  contains "$stderr" "status 400: token REDACTED"
  BID_CHROMA_TOKEN="Bearer Hidden+1" run --separate-stderr bid-store copy "$CHROMA" b
  contains "$stderr" "status 400: token Bearer REDACTED"
  behave 401
  fill 1 1 | BID_CHROMA_TOKEN=secret bid-index --to "$CHROMA" >/dev/null
  BID_CHROMA_TOKEN="Bearer secret" bid-store copy "$CHROMA" b >/dev/null
  equal "$(dump b | wc -l)" 7
  local bad
  for bad in 192.0.2.1:8000 127.evil.example 127.0.0.1.evil.example:8000 localhost.evil.example; do
    BID_CHROMA_TOKEN=secret run --separate-stderr bid-index --to "chroma+http://$bad" <(fill 1 1)
    equal "$bad $status" "$bad 64"
    contains "$stderr" "would show BID_CHROMA_TOKEN to the network"
  done
  for bad in chroma+ftp://x chroma+http:// chroma+http://u@h "chroma+http://h/only" "chroma+http://h/a/b/c" "chroma+http://h/a/.." "chroma+http://h?x"; do
    run --separate-stderr bid-store copy "$bad" b
    [ "$status" = 64 ] || { echo "$bad: $status"; false; }
  done
}

@test "a server that fails for a moment is asked again; one that dies in the middle leaves whole documents or says which are not" {
  behave 503:2
  fill 1 2 | bid-index --to "$CHROMA" >/dev/null
  behave batch=7,die=5
  run --separate-stderr bid-index --to "$CHROMA" <(fill 3 9)
  equal "$status" 69
  [ "$(jq -r 'select(.added) | .sourceUrl' <<<"$output" | wc -l)" = 2 ]
}

@test "a document that was cut short while it was written is not copied, and mended by indexing it again" {
  fill 1 2 | bid-index --to "$CHROMA" >/dev/null
  curl -s "http://${CHROMA#*//}/api/v2/tenants/default_tenant/databases/default_database/collections/00000000-0000-4000-8000-000000000000/delete" \
    -d '{"where":{"bid_row":5}}' >/dev/null
  run --separate-stderr bid-store copy "$CHROMA" b
  equal "$status" 1
  contains "$stderr" "not all rows of document"
  equal "$(dump b | jq -r .sourceUrl | sort -u)" https://example.org/2
  fill 1 2 | bid-index --to "$CHROMA" | jq -s -e '[.[].unchanged] == [7, 0] and .[1].replaced + .[1].added == 7' >/dev/null
  bid-store copy "$CHROMA" c >/dev/null
  equal "$(dump c | wc -l)" 14
}

# sample: the sample filings in the store, and on the server at $1.
sample() {
  [ -e emb.ndjson ] || bid-fetch -q file "$ROOT"/data/sample/*.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q >emb.ndjson
  bid-index -q emb.ndjson >/dev/null
  bid-index -q --to "$1" emb.ndjson >/dev/null
}

QUESTIONS=("net sales" "supply chain risks" "dividend per share" "who audits the accounts" "lease liabilities")

# same_answers ADDRESS OPTION...: whether the best passage of each question is the store's, alone and in a batch.
same_answers() {
  local from=$1 q
  shift
  for q in "${QUESTIONS[@]}"; do jq -nc --arg q "$q" '{query: $q}'; done >questions
  bid-search "$@" <questions | jq -c '[.query, .matches[0].id, .matches[0].item, .matches[0].page]' >here
  BID_STORE=/nonexistent bid-search --from "$from" "$@" <questions | jq -c '[.query, .matches[0].id, .matches[0].item, .matches[0].page]' >there
  diff here there
  bid-search --from "$from" "$@" <questions | jq -c '[.query, .matches[0].id, .matches[0].item, .matches[0].page]' >both
  diff here both
  equal "$(BID_STORE=/nonexistent bid-search --from "$from" "$@" -n 1 "${QUESTIONS[1]}" | jq -r .id)" "$(sed -n 2p here | jq -r '.[1]')"
}

@test "bid-search --from answers as the store does, with its filters" {
  sample "$CHROMA"
  same_answers "$CHROMA"
  same_answers "$CHROMA" -e TWHL --item 1a
  same_answers "$CHROMA" -f 10-Q --since 2020-01-01 --mode vector --no-threshold # near the threshold the texts at hand decide
  equal "$(BID_STORE=none bid-search --from "$CHROMA" -n 1 --where '.metadata.ticker == "PLCD"' "net sales" | jq -r .ticker)" PLCD
  BID_STORE=none bid-search --from "$CHROMA" --mode text "net sales" | jq -e '.text | test("net sales"; "i")' >/dev/null
  bid-search --from "$CHROMA" --bundle "net sales" | jq -e '.rag.matches | length > 0' >/dev/null
}

@test "bid-search --from: what the server lacks, refuses or doesn't answer, and nothing left behind" {
  sample "$CHROMA"
  run --separate-stderr bid-search --from "$CHROMA" -e AAPL "net sales"
  equal "$status" 1
  contains "$stderr" "AAPL"
  run --separate-stderr bid-search --from "$CHROMA" -c 'nope_*' "net sales"
  equal "$status" 66
  run --separate-stderr bid-search --from "$CHROMA/acme/filings" "net sales"
  equal "$status" 66
  equal "$(jq -r .error.category <<<"$output")" no-collection
  run --separate-stderr bid-search --from chroma+http://127.0.0.1:1 "net sales"
  equal "$status" 69
  run --separate-stderr bid-search --from http://127.0.0.1:1 "net sales"
  equal "$status" 64
  behave 401
  run --separate-stderr bid-search --from "$CHROMA" "net sales"
  equal "$status" 77
  behave ''
  local pid
  pid=$(sh -c 'echo $$; exec bid-search --from "$1" "net sales" >/dev/null' sh "$CHROMA")
  [ -z "$(find /dev/shm "${TMPDIR:-/tmp}" -maxdepth 1 -name "bid-scratch-$pid-*" 2>/dev/null)" ]
  local place=/dev/shm
  [ -w $place ] || place=${TMPDIR:-/tmp}
  mkdir "$place/bid-scratch-999999999-$$" # of a process that was killed
  bid-search --from "$CHROMA" "net sales" >/dev/null
  [ ! -e "$place/bid-scratch-999999999-$$" ]
}

@test "the real server: the same round trip, and the same answers" {
  local chroma=$ROOT/.venv-extras/bin/chroma port i
  [ -x "$chroma" ] || skip "chromadb is not installed (make extras)"
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  "$chroma" run --path "$PWD/real" --host 127.0.0.1 --port "$port" >/dev/null 2>&1 9>&- &
  kill "$SERVER"; wait "$SERVER" || true
  SERVER=$!
  for i in $(seq 200); do curl -s "http://127.0.0.1:$port/api/v2/heartbeat" >/dev/null && break; sleep .1; done
  round_trip "chroma+http://127.0.0.1:$port"
  curl -s -H 'Content-Type: application/json' "http://127.0.0.1:$port/api/v2/tenants/default_tenant/databases" -d '{"name":"sample"}' >/dev/null
  sample "chroma+http://127.0.0.1:$port/default_tenant/sample"
  same_answers "chroma+http://127.0.0.1:$port/default_tenant/sample"
  same_answers "chroma+http://127.0.0.1:$port/default_tenant/sample" -e TWHL --item 1a
}
