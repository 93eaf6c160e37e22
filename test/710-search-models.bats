# bid-search on collections of other models: an embedding server's, BERT encoders'.

load helper

# passages TEXT...: chunk records
passages() {
  local n=0 text
  for text; do
    n=$((n + 1))
    jq -cn --arg id "$(printf %032d $n)" --arg text "$text" '{id: $id, text: $text, source: "test",
      sourceUrl: ("https://example.org/" + $id), contentType: "text/plain", chunk: {index: 0, start: 0, end: 9, tokens: 9},
      metadata: {company: "Acme", ticker: "ACMR", form: "10-K", filingDate: "2024-02-01"}}'
  done
}

server_start() {
  mkdir -p server
  python3 "$ROOT/test/data/embed_server.py" server 9>&- &
  SERVER=$!
  local i
  for i in $(seq 100); do [ -s server/port ] && break; sleep .05; done
  export BID_EMBED_URL=http://127.0.0.1:$(cat server/port)/v1
}

test_teardown() {
  [ -z "${SERVER-}" ] || kill "$SERVER" 2>/dev/null
  wait 2>/dev/null || true
}

server_store() {
  server_start
  passages "quartz zebra" "seven jolly xylophones" "an oblong gadget" | bid-embed -m http:small | bid-index >/dev/null
}

@test "a server's collection: the question goes through the same server and model" {
  server_store
  run --separate-stderr bid-search --mode vector -n 1 "seven jolly xylophones"
  equal "$status" 0
  equal "$stderr" ""
  equal "$(jq -r '.text // .snippet' <<<"$output" | head -1)" "seven jolly xylophones"
  equal "$(jq -r '.scores.cosine > .999' <<<"$output")" true
  equal "$(tail -1 server/log | cut -d' ' -f2,4)" "200 small"
  run --separate-stderr bid-search -n 1 "quartz zebra"
  equal "$stderr" ""
  equal "$(jq -r '.scores.cosine > .999' <<<"$output")" true
}

@test "a batch of questions asks for the dimensions once, then for each vector" {
  server_store
  : >server/log
  for i in 1 2 3 4 5; do echo '{"query":"quartz zebra"}'; done >in
  run --separate-stderr bid-search --mode vector --threads 1 <in
  equal "$status" 0
  equal "$(printf '%s\n' "${lines[@]}" | jq -r '.matches[0].text' | sort -u)" "quartz zebra"
  [ "$(wc -l <server/log)" -le 7 ] # the dimensions, then the questions
}

@test "without the server's address: what to set, and that words find it anyway" {
  server_store
  unset BID_EMBED_URL
  run --separate-stderr bid-search -n 1 "quartz zebra"
  equal "$status" 0
  contains "$output" "quartz zebra"
  contains "$stderr" "set BID_EMBED_URL to the server's address"
  run --separate-stderr bid-search --mode vector "quartz zebra"
  equal "$status" 78
  contains "$stderr" "http:small"
  contains "$stderr" "BID_EMBED_URL"
  run --separate-stderr bid-search --mode text -n 1 "quartz zebra"
  equal "$status" 0
  equal "$stderr" ""
}

@test "a server that is gone or refuses: said once, and searched by words" {
  server_store
  echo 401 >server/behaviour
  BID_EMBED_KEY=sk-secret run --separate-stderr bid-search -n 1 "quartz zebra"
  equal "$status" 0
  contains "$output" "quartz zebra"
  contains "$stderr" "searched by text alone"
  contains "$stderr" "status 401"
  [[ $stderr != *secret* ]]
  BID_EMBED_URL=nonsense run --separate-stderr bid-search --mode vector "quartz zebra"
  equal "$status" 78
  contains "$stderr" "no http:// or https:// URL"
}

# flip WORD: another bit in the row that the copy of the model in models/ has for a word
flip() {
  cp "$ROOT/data/models/bid-static.bidm" models/
  python3 -c '
import struct, sys
with open("models/bid-static.bidm", "r+b") as f:
    data = f.read()
    table = [struct.unpack_from("<24sQQ", data, 128 + 40 * i) for i in range(struct.unpack_from("<I", data, 44)[0])]
    at = {name.rstrip(b"\0").decode(): (offset, size) for name, offset, size in table}
    vocab = data[at["vocab"][0]:sum(at["vocab"])].decode().split("\n")
    byte = at["rows"][0] + 256 * vocab.index(sys.argv[1]) + 100
    f.seek(byte)
    f.write(bytes([data[byte] ^ 4]))' "$1"
}

@test "a model file damaged in a row: told when a question needs it, and at once by who reads all" {
  passages "Revenue grew by services." "Our kilns burn natural gas." | bid-embed | bid-index >/dev/null
  mkdir models
  export BID_MODELS=$PWD/models
  flip gas
  run --separate-stderr bid-search --mode vector --no-threshold -n 1 "revenue of services"
  equal "$status" 0
  equal "$stderr" ""
  contains "$output" "Revenue grew"
  run --separate-stderr bid-search --mode vector --no-threshold -n 1 "natural gas"
  equal "$status" 78
  contains "$stderr" "models/bid-static.bidm: model file is damaged (its checksum is wrong); copy it again"
  run --separate-stderr bid-search -n 1 "natural gas"
  equal "$status" 0
  contains "$output" "Our kilns"
  contains "$stderr" "searched by text alone"
  echo '{"query":"revenue of services"}' >in
  run --separate-stderr bid-search --mode vector <in
  contains "$stderr$output" "model file is damaged"
  echo '{"text":"revenue of services"}' >in
  run --separate-stderr bid-embed in
  equal "$status" 78
  contains "$stderr" "model file is damaged"
}

# bert_finds MODEL: the question's vector is the one that bid-embed --query makes, prefix included.
bert_finds() {
  [ -f "$ROOT/data/models/$1.bidm" ] || skip "no data/models/$1.bidm"
  passages "Net sales grew by four percent, driven by services." "The board appointed two directors." \
    "Our kilns burn natural gas." | bid-embed -m "$1" >vectors
  bid-index <vectors >/dev/null
  run --separate-stderr bid-search --mode vector --no-threshold -n 1 "revenue growth"
  equal "$status" 0
  equal "$stderr" ""
  contains "$output" "Net sales grew"
  echo '{"text":"revenue growth"}' | bid-embed --query -m "$1" >asked
  python3 -c '
import base64, json, struct, sys
def vector(line): return struct.unpack("<384f", base64.b64decode(json.loads(line)["embedding"]))
found = json.loads(sys.argv[1].splitlines()[0])["scores"]["cosine"]
cosine = sum(a * b for a, b in zip(vector(open("vectors").readline()), vector(open("asked").readline())))
assert abs(found - cosine) < .01, (found, cosine)' "$output"
}

@test "a collection of bge-small-en-v1.5" { bert_finds bge-small-en-v1.5; }

@test "a collection of all-MiniLM-L6-v2" { bert_finds all-MiniLM-L6-v2; }
