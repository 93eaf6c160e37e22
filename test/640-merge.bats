#!/usr/bin/env bats
# bid-store merge: stores that were filled side by side become one.
load helper

# shard FIRST LAST [VERSION [CAPTURED]]: embedded chunks of documents, 4 passages each, in two or three collections.
shard() {
  python3 - "$@" <<'EOP'
import base64, json, random, struct, sys
first, last = int(sys.argv[1]), int(sys.argv[2])
version, captured = int((sys.argv + ["1"] * 3)[3]), (sys.argv + ["2026-01-02T03:04:05Z"] * 4)[4] if len(sys.argv) > 4 else "2026-01-02T03:04:05Z"
words = "revenue segment risk supply tax lease debt cash income margin growth cost option share board audit".split()
for doc in range(first, last + 1):
    for i in range(4):
        r = random.Random(doc * 1000 + i * 10 + version)
        v = [r.gauss(0, 1) for _ in range(64)]
        print(json.dumps({
            "source": "sec-filings", "sourceUrl": "https://example.org/%d" % doc, "capturedAt": captured,
            "metadata": {"company": "Company %d" % (doc % 5), "ticker": "C%d" % (doc % 5), "form": ["10-K", "8-K", "10-Q"][doc % 3],
                         "filingDate": "2024-03-%02d" % (doc % 28 + 1)},
            "id": "%08x%08x%016x" % (doc, i, version),
            "text": " ".join(r.choice(words) + str(r.randint(0, 99)) for _ in range(60)), "context": "Company %d" % (doc % 5),
            "chunk": {"index": i, "start": i, "end": i + 1, "item": ["1A", "7", "8"][(doc + i) % 3], "last": i == 3},
            "embedding": base64.b64encode(struct.pack("<64f", *v)).decode(), "model": "test@0123456789ab"}))
EOP
}
test_setup() { need python3 jq; }

contents() { BID_STORE=$1 bid-store dump | jq -cS . | sort; }

@test "merged shards hold what one index holds, and answer alike" {
  local i q
  for i in 0 1 2 3; do
    shard $((i * 50 + 1)) $((i * 50 + 50)) >"in-$i"
    BID_STORE=shard-$i bid-index "in-$i" >/dev/null
  done
  cat in-? | BID_STORE=one bid-index >/dev/null
  run --separate-stderr bid-store merge all shard-0 shard-1 shard-2 shard-3
  equal "$status" 0
  equal "$(sed -n 3p <<<"$output")" \
    '{"from":"shard-2","documents":50,"passages":200,"replaced":0,"unchanged":0,"older":0}'
  BID_STORE=all bid-store verify
  equal "$(contents all | sha256sum)" "$(contents one | sha256sum)"
  equal "$(BID_STORE=all bid-store ls | jq -c 'del(.updated)')" "$(BID_STORE=one bid-store ls | jq -c 'del(.updated)')"
  for q in revenue12 'risk55 tax7' 'margin7 of Company 3' 'cost8 income19 10-K'; do
    jq -nc --arg q "$q" '{query: $q}'
    jq -nc --arg q "$q" '{query: $q, item: ["7"]}'
    jq -nc --arg q "$q" '{query: $q, form: ["8-K"], since: "2024-03-10"}'
  done >questions
  # 1: a form that is given and another that is named find nothing
  BID_STORE=one bid-search --mode text -n 20 <questions >of-one 2>/dev/null || [ $? -eq 1 ]
  BID_STORE=all bid-search --mode text -n 20 <questions >of-all 2>/dev/null || [ $? -eq 1 ]
  cmp of-one of-all
  [ "$(jq -s 'map(.matches | length) | add' of-all)" -gt 60 ]
}

@test "where passages score alike, merged shards, shards beside each other and one index answer with the same ones" {
  local i
  # Twelve texts again and again, ids in no order: of many that score alike a few are shown.
  for i in 0 1 2 3; do
    shard $((i * 50 + 1)) $((i * 50 + 50)) | python3 -c '
import hashlib, json, sys
for r in map(json.loads, sys.stdin):
    k = hashlib.sha256(r["id"].encode()).hexdigest()
    r["id"], r["text"] = k[:32], "revenue%d risk tax%d supply lease%d" % (int(k[-1], 16) % 12, int(k[-1], 16) % 3, int(k[-1], 16) % 4)
    print(json.dumps(r))' >"in-$i"
    BID_STORE=shard-$i bid-index "in-$i" >/dev/null
  done
  cat in-3 in-1 in-0 in-2 | BID_STORE=one bid-index >/dev/null
  bid-store merge all shard-2 shard-0 shard-3 shard-1 >/dev/null
  for i in 0 1 2 3 4 5 6 7 8 9 10 11; do printf '{"query":"revenue%d"}\n{"query":"risk tax%d"}\n{"query":"supply","form":["8-K"]}\n' "$i" $((i % 3)); done >questions
  answers() { bid-search --mode text --no-fold --no-threshold -n 9 "$@" <questions 2>/dev/null | jq -c '.matches | map([.id, .score])'; }
  BID_STORE=one answers >of-one
  BID_STORE=all answers >of-all
  answers --store shard-0 --store shard-1 --store shard-2 --store shard-3 >of-four
  equal "$(wc -l <of-one)" 36
  [ "$(jq -s 'map(select((map(.[1]) | unique | length) < length)) | length' of-one)" -gt 20 ] # ties
  cmp of-one of-all
  cmp of-one of-four
}

@test "sixteen shards merged answer a thousand questions as one index, by words and vectors" {
  shipped # 3,000 answers are compared
  local i
  bid-fetch -q file "$ROOT"/data/sample/*.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q >sample
  # Each document eight times, a third of its passages left out of each but the first; dealt out to the shards by turns.
  # Then 1,000 questions of words that stand side by side in a passage, some of them for a form or a company alone.
  python3 - <<'EOP'
import hashlib, json, random
r = random.Random(16)
sample = [json.loads(line) for line in open("sample", encoding="utf-8")]
urls = list(dict.fromkeys(p["sourceUrl"] for p in sample))
documents = [[dict(p, sourceUrl="%s?%d" % (u, n), id=hashlib.sha256(b"%s %d" % (p["id"].encode(), n)).hexdigest()[:32])
              for p in sample if p["sourceUrl"] == u and (n == 0 or p["chunk"].get("last") or r.random() > 1 / 3)] for n in range(8) for u in urls]
for k, d in enumerate(documents):
    with open("in-%02d" % (k % 16), "a", encoding="utf-8") as out:
        out.writelines(json.dumps(p) + "\n" for p in d)
with open("questions", "w", encoding="utf-8") as out:
    for k in range(1000):
        p = r.choice(sample)
        words = p["text"].split()
        at = r.randrange(max(1, len(words) - 8))
        q = {"query": " ".join(words[at:at + r.randint(2, 8)]) or "risk"}
        out.write(json.dumps(q | ({}, {}, {"form": [p["metadata"]["form"]]}, {"company": [p["metadata"]["ticker"]]})[k % 4]) + "\n")
EOP
  for i in in-*; do BID_STORE=shard-${i#in-} bid-index --partial "$i" >/dev/null; done
  cat in-* | BID_STORE=one bid-index --partial >/dev/null
  local shards=(shard-??)
  # shellcheck disable=SC2046
  bid-store merge all $(printf '%s\n' "${shards[@]}" | shuf --random-source=questions) >/dev/null
  BID_STORE=one bid-search -q --exact --no-threshold -n 10 <questions >of-one
  BID_STORE=all bid-search -q --exact --no-threshold -n 10 <questions >of-all
  equal "$(wc -l <of-one)" 1000
  [ "$(jq -s 'map(select((.matches | length) >= 5)) | length' of-one)" -gt 900 ]
  cmp of-one of-all
  bid-search -q --exact --no-threshold -n 10 "${shards[@]/#/--store=}" <questions | sed 's/"store":"shard-[0-9]*",//g' | cmp - of-one
}

@test "texts stay packed with the dictionary that they came with" {
  shard 1 150 | BID_STORE=a bid-index >/dev/null
  shard 201 350 2 | sed 's/revenue/umsatz/g; s/margin/marge/g; s/segment/sparte/g' | BID_STORE=b bid-index >/dev/null
  bid-store merge all a b >/dev/null
  BID_STORE=all bid-store verify
  { contents a; contents b; } | sort >apart
  contents all | cmp - apart
  # who comes later packs with the store's first one; what was merged can be merged again, compacted, backed up
  shard 401 410 | BID_STORE=all bid-index >/dev/null
  bid-store merge again all >/dev/null
  BID_STORE=again bid-store compact
  BID_STORE=again bid-store backup third
  BID_STORE=third bid-store verify
  equal "$(contents third | sha256sum)" "$(contents all | sha256sum)"
}

@test "of a document in both the version captured later stays, and nothing twice" {
  shard 1 6 1 2026-01-05T00:00:00Z | BID_STORE=a bid-index >/dev/null
  shard 1 2 2 2026-01-04T00:00:00Z >in
  shard 3 4 2 2026-01-06T00:00:00Z >>in
  shard 5 5 2 2026-01-05T00:00:00Z >>in
  shard 6 7 1 2026-01-07T00:00:00Z >>in
  BID_STORE=b bid-index in >/dev/null
  run --separate-stderr bid-store merge a b
  equal "$output" '{"from":"b","documents":4,"passages":16,"replaced":3,"unchanged":1,"older":2}'
  BID_STORE=a bid-store verify
  equal "$(BID_STORE=a bid-store dump | jq -r '[.sourceUrl, .id[-1:]] | join(" ")' | sort -u | tr '\n' ',')" \
    'https://example.org/1 1,https://example.org/2 1,https://example.org/3 2,https://example.org/4 2,https://example.org/5 2,https://example.org/6 1,https://example.org/7 1,'
  run --separate-stderr bid-store merge a b
  equal "$output" '{"from":"b","documents":0,"passages":0,"replaced":0,"unchanged":5,"older":2}'
  equal "$(BID_STORE=a bid-store stat | jq -c '[.documents,.passages]')" '[7,28]'
}

@test "removed documents stay behind" {
  shard 1 10 | BID_STORE=b bid-index >/dev/null
  BID_STORE=b bid-store -u https://example.org/4 rm >/dev/null
  bid-store merge a b >/dev/null
  BID_STORE=a bid-store verify
  equal "$(contents a | sha256sum)" "$(contents b | sha256sum)"
  shard 4 4 | BID_STORE=a bid-index | jq -c .added >added
  equal "$(cat added)" 4
}

@test "killed at any moment nothing of the target is lost, and doing it again goes on" {
  local n
  shard 1 40 | BID_STORE=kept bid-index >/dev/null
  shard 30 200 2 2026-02-01T00:00:00Z | BID_STORE=b bid-index --batch 100 >/dev/null
  bid-store merge whole kept b >/dev/null
  for n in 1 4 12; do
    rm -f a a-lock
    bid-store merge a kept >/dev/null
    bid-store merge a b >/dev/null &
    sleep "0.00$n"
    kill -9 $! 2>/dev/null || true
    wait $! 2>/dev/null || true
    BID_STORE=a bid-store verify
    equal "$(BID_STORE=a bid-store dump | jq -r .sourceUrl | sort -u | grep -cE '/([1-9]|[1-3][0-9]|40)$')" 40
  done
  bid-store merge a b >/dev/null
  equal "$(contents a | sha256sum)" "$(contents whole | sha256sum)"
}

@test "a target that is fed meanwhile: both come in, or it is busy" {
  shard 1 200 | BID_STORE=b bid-index --batch 100 >/dev/null
  shard 301 400 >in
  BID_STORE=a bid-index --batch 40 in >/dev/null &
  bid-store merge a b >/dev/null
  wait $!
  BID_STORE=a bid-store verify
  equal "$(BID_STORE=a bid-store stat | jq -c '[.documents,.passages]')" '[300,1200]'
}

@test "what can't be merged is refused before anything is written" {
  shard 1 4 | BID_STORE=a bid-index >/dev/null
  shard 16 19 | sed 's/test@0123456789ab/other@0123456789ab/' | BID_STORE=b bid-index >/dev/null
  cp a before
  run --separate-stderr bid-store merge a b
  equal "$status" 78
  contains "$stderr" "holds vectors of test@0123456789ab, in b of other@0123456789ab; nothing was taken in"
  equal "$(contents a | sha256sum)" "$(contents before | sha256sum)"
  run --separate-stderr bid-store merge a ./a
  equal "$status" 74
  contains "$stderr" "is the store that is merged into"
  run --separate-stderr bid-store merge a absent
  equal "$status" 66
  run --separate-stderr bid-store merge a
  equal "$status" 64
  contains "$stderr" "merge takes INTO FROM..., not 1 operand"
}

@test "forged shards, whose checksums are right: merged or refused, never by a signal" {
  need cc
  local seed what
  cc -O1 -D_GNU_SOURCE -I"$ROOT/common" -o forge "$ROOT/test/torture/forge.c" -llmdb -lzstd
  shard 1 30 | BID_STORE=sound bid-index >/dev/null
  for seed in $(seq 120); do
    cp sound forged
    rm -f forged-lock into into-lock
    what=$(./forge forged "$seed" 1)
    case $what in companies* | meta* | collections* | segments*) ;; *) continue ;; esac
    run --separate-stderr bid-store merge into forged
    case $status in 0 | 65 | 78) ;; *) echo "$seed: $what: status $status: $stderr"; false ;; esac
    [ "$status" -eq 0 ] || [ -n "$stderr" ]
  done
}

@test "a damaged shard is not copied" {
  shard 1 60 | BID_STORE=b bid-index >/dev/null
  shard 61 62 | BID_STORE=a bid-index >/dev/null
  python3 - b <<'EOP'
import sys
d = bytearray(open(sys.argv[1], "rb").read())
at = d.find(b"BIDSEGM3") + 20000
d[at] ^= 1
open(sys.argv[1], "wb").write(d)
EOP
  run --separate-stderr bid-store merge a b
  equal "$status" 65
  contains "$stderr" "b: the file is damaged"
  BID_STORE=a bid-store verify
  equal "$(BID_STORE=a bid-store stat | jq .documents)" 2
}

@test "several stores searched at once answer as the merged one, each hit naming its store" {
  local o
  shard 1 40 >in-a
  shard 35 80 2 2026-02-01T00:00:00Z >in-b
  { shard 79 100 3 2026-01-01T00:00:00Z; shard 1 2; } >in-c
  for o in a b c; do BID_STORE=$o bid-index "in-$o" >/dev/null; done
  BID_STORE=b bid-store -u https://example.org/60 rm >/dev/null
  bid-store merge all a b c >/dev/null
  jq -nc '{query: "revenue12 risk55"}, {query: "margin7 of Company 3"}, {query: "tax7", item: ["7", "1A"]},
    {query: "cost8 10-Q", form: ["10-Q"]}, {query: "lease3", collection: "*_C1_8-K"},
    {query: "debt4 option9", since: "2024-03-10", until: "2024-03-20"}, {query: "income19 margin1 share2 growth3"}' >questions
  for o in '--exact --explain' '--neighbours --context=300 --no-fold'; do
    # shellcheck disable=SC2086
    bid-search --mode text -n 30 $o --store a --store b --store c <questions >apart 2>said-apart || [ $? -eq 1 ]
    # shellcheck disable=SC2086
    bid-search --mode text -n 30 $o --store all <questions >merged 2>said-merged || [ $? -eq 1 ]
    sed 's/"store":"[abc]",//g' apart | cmp - merged
    cmp said-apart said-merged
  done
  bid-search --mode text --no-threshold -n 30 --store a --store b --store c <questions >apart 2>/dev/null
  [ "$(jq -s 'map(.matches | length) | add' apart)" -gt 60 ]
  equal "$(jq -r '.matches[].store' apart | sort -u | tr '\n' ' ')" 'a b c '
  # each is where it says, the newer version where there are two
  jq -r '.matches[] | [.store, .id] | join(" ")' apart | sort -u | head -20 | while read -r o id; do
    BID_STORE=$o bid-store show "$id" >/dev/null
  done
  equal "$(jq -r '.matches[] | select(.sourceUrl | test("/(3[5-9]|40)$")) | .store' apart | sort -u)" b
  # what people see, one question, a filter in jq
  bid-search --mode text --human -n 3 --store a --store b revenue12 2>/dev/null | grep -qE ', in [ab], id [0-9a-f]+$'
  bid-search --mode text -n 30 --store a --store b --where '.metadata.form == "8-K"' revenue12 2>/dev/null |
    jq -e -s 'length > 5 and all(.form == "8-K")' >/dev/null
  # one store is as before
  bid-search --mode text --store a revenue12 2>/dev/null | jq -e -s 'all(.store == null)' >/dev/null
}

@test "several stores: what can't be is said, damage in one of them is found" {
  shard 1 40 | BID_STORE=a bid-index >/dev/null
  shard 41 80 | BID_STORE=b bid-index >/dev/null
  run --separate-stderr bid-search --mode text --store a --store ./a revenue12
  equal "$status" 74
  contains "$stderr" "is named twice"
  run --separate-stderr bid-search --mode text --store a --store absent revenue12
  equal "$status" 66
  contains "$stderr" "absent: no store there"
  python3 - b <<'EOP'
import sys
d = bytearray(open(sys.argv[1], "rb").read())
at = d.find(b"BIDSEGM3") + 8000
for i in range(at, min(at + 60000, len(d)), 512):
    d[i] ^= 1
open(sys.argv[1], "wb").write(d)
EOP
  run --separate-stderr bid-search --mode text --store a --store b revenue12 risk55
  equal "$status" 65
  contains "$stderr" "b: the file is damaged"
  equal "$output" "$(grep -v '"id"' <<<"$output")"
}

@test "a long-lived search over several stores sees what each of them gets" {
  shard 1 10 | BID_STORE=a bid-index >/dev/null
  shard 11 20 | BID_STORE=b bid-index >/dev/null
  mkfifo ask
  bid-search --mode text -n 50 --no-fold --no-threshold --store a --store b <ask >answers 2>/dev/null &
  exec 7>ask
  echo '{"query": "revenue12 risk55 tax7 margin7"}' >&7
  until [ -s answers ]; do sleep 0.05; done
  shard 21 40 | BID_STORE=b bid-index >/dev/null
  echo '{"query": "revenue12 risk55 tax7 margin7"}' >&7
  exec 7>&-
  wait
  equal "$(jq -r '[.matches[].sourceUrl | split("/")[-1] | tonumber] | max > 20' answers | tr '\n' ' ')" 'false true '
}
