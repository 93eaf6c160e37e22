#!/usr/bin/env bats
# Records are what data/schema/ says, from one end of the pipeline to the other.

load helper

schema() { python3 "$ROOT/test/tools/schema.py" "$ROOT/data/schema/$1.json"; }

@test "every schema is used, named by its file and understood by the checker" {
  local file name
  for file in "$ROOT"/data/schema/*.json; do
    name=$(basename "$file" .json)
    equal "$(jq -r '."$id"' "$file")" "urn:bid:schema:$name"
    equal "$(jq -r '."$schema"' "$file")" https://json-schema.org/draft/2020-12/schema
    grep -q "$name.json" "$ROOT/man/bid-records.5"
    run schema "$name" <<<'{}'
    [ "$status" -le 1 ]
  done
}

@test "the checker finds what is wrong" {
  run schema error <<<'{"error":{"category":"colour","message":"","stage":"x"}}'
  equal "$status" 1
  contains "$output" 'none of'
  contains "$output" 'too short'
  run schema retrieval <<<'{"query":"x","rag":{"matches":[],"context":""},"edgar":null,"errors":[],"more":1}'
  equal "$status" 1
  contains "$output" 'has more'
  run schema retrieval <<<'{"query":"x","rag":{"matches":[],"context":""},"edgar":null,"errors":[]}'
  equal "$status" 0
}

@test "payloads and errors of bid-fetch" {
  bid-fetch --quiet file "$ROOT"/data/sample/*.txt "$ROOT"/data/sample/*.pdf >payloads
  bid-fetch mock -e ACME -n 2 >>payloads
  schema payload <payloads
  [ "$(wc -l <payloads)" -gt 7 ]
  bid-fetch --quiet mock -P error=rate-limited -P retryAfter=30 >errors || true
  bid-fetch --quiet nosuch >>errors || true
  schema error <errors
  equal "$(wc -l <errors)" 2
}

@test "documents, chunks, embedded chunks and receipts" {
  bid-fetch --quiet file "$ROOT"/data/sample/0009990001-26-000002.txt -P corpus=edgar |
    tee payloads | bid-strip | tee documents | bid-chunk | tee chunks | bid-embed | tee embedded | bid-index >receipts
  schema payload <payloads
  schema document <documents
  schema chunk <chunks
  schema embedded <embedded
  schema receipt <receipts
  [ "$(wc -l <chunks)" -ge 2 ]
  equal "$(wc -l <receipts)" "$(wc -l <documents)"
}

@test "the bundle of a search" {
  bid-fetch --quiet file "$ROOT"/data/sample/*.txt -P corpus=edgar | bid-strip | bid-chunk | bid-embed | bid-index >/dev/null
  bid-search --bundle 'who manages the terminals?' >bundle || [ $? -eq 1 ]
  schema retrieval <bundle
  bid-search --bundle -e NOBODY 'who manages the terminals?' >bundle 2>/dev/null || true
  schema retrieval <bundle
}

@test "jobs as people write them" {
  printf '%s\n' '{"sources":["mock"],"entity":{"id":"ACME","aliases":["A"]},"filingTypes":["10-K"],"limit":2}' \
    '{"sources":"mock","entity":"ACME","period":"FY-2024"}' >jobs
  schema job <jobs
  equal "$(bid-fetch --quiet <jobs | jq -r .source | paste -sd' ')" 'mock mock mock'
}
