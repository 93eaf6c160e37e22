#!/usr/bin/env bats
# Records are what data/schema/ says, from one end of the pipeline to the other.

load helper

test_setup() {
  python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is not installed"
}

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
  contains "$output" "\$.error.category: 'colour'"
  contains "$output" "\$.error.message: ''"
  run schema retrieval <<<'{"query":"x","rag":{"matches":[],"context":""},"edgar":null,"errors":[],"more":1}'
  equal "$status" 1
  contains "$output" "'more' was unexpected"
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

@test "payloads, documents and passages that came out of the cache" {
  need_shared
  export BID_NOW=2026-03-25T00:00:00Z
  upstream_start
  local _
  for _ in 1 2; do
    bid-fetch --quiet sec-edgar -e AAPL -P concept=Assets -p FY-2025 >payloads
    bid-fetch --quiet sec-filing-document --content -P url=https://www.sec.gov/Archives/edgar/data/320193/000032019325000057/R2.htm |
      tee -a payloads | bid-strip | tee documents | bid-chunk | tee chunks | bid-embed >embedded
    schema payload <payloads
    schema document <documents
    schema chunk <chunks
    schema embedded <embedded
  done
  equal "$(jq -c .metadata.cache payloads | sort -u)" true
  equal "$(jq -c .metadata.cache embedded | sort -u)" true
}

@test "what connectors declare: authRequired is false, not absent" {
  bid-fetch --json --list >connectors
  schema connector <connectors
  equal "$(jq -r 'select(.authRequired) | .name' connectors)" fred
  bid-fetch --json --describe file | schema connector
}

@test "passages that answer questions, by the line and with their question" {
  bid-fetch --quiet file "$ROOT"/data/sample/*.txt -P corpus=edgar | bid-strip | bid-chunk | bid-embed | bid-index >/dev/null
  bid-search --json -n 3 'who manages the terminals?' >hits
  schema hit <hits
  echo '{"query":"who manages the terminals?"}' | bid-search | jq -c '.matches[]' >hits
  [ -s hits ]
  schema hit <hits
}

@test "plans" {
  bid-plan --json "What was Apple's revenue in fiscal 2024?" >plans
  schema plan <plans
}

@test "facts: reported, derived, restated, of statements, screens and FRED" {
  need_shared
  export BID_NOW=2026-03-25T00:00:00Z FRED_API_KEY=abcdefghijklmnopqrstuvwxyz012345
  upstream_start
  {
    bid-facts --json -e AAPL --quarterly -n 8 revenue eps 'gross margin' 'free cash flow' assets
    bid-facts --json -e AAPL -n 30 'net income' eps
    bid-facts --json -e NVDA --ttm 'net income'
    bid-facts --json -e AAPL --statement cash
    bid-facts --json -e TSM --statement balance
    bid-facts --json --fred --since 2000-01-01 GDP
    bid-facts --json --screen 'research and development / revenue > 20%' -p 2024
  } >facts
  [ "$(wc -l <facts)" -gt 150 ]
  schema fact <facts
}

@test "verifications" {
  printf '%s\n' '{"answer":"Revenue was $842.6 million in 2025, up 9%.","edgar":{"facts":[{"label":"Revenue","value":842600000,"unit":"USD","fiscalYear":2025}]}}' \
    '{"answer":"No number."}' '{"id":"x","text":"y"}' >records
  bid-verify --quiet --json records >verdicts || [ $? -eq 1 ]
  equal "$(wc -l <verdicts)" 3
  schema verification <verdicts
}

@test "the bundle of a question that EDGAR was asked for, and the nightly report" {
  need_shared
  export BID_NOW=2026-03-05T00:00:00Z
  upstream_start
  printf 'AAPL\t10-Q\tsec-filings\tedgar\nNOSUCHX\t10-K\n' >watchlist.tsv
  bid-nightly --watchlist watchlist.tsv >report 2>/dev/null || [ $? -eq 1 ]
  [ -s report ]
  schema nightly <report
  bid-retrieve --json -e AAPL --edgar 'What was the revenue in fiscal 2025?' >bundle 2>/dev/null || true
  [ -s bundle ]
  schema retrieval <bundle
  jq -c '.rag.matches[]' bundle >hits
  schema hit <hits
}
