#!/usr/bin/env bats
# bid-fetch: hostile and troubled servers, the cache, secrets.
# shellcheck disable=SC2154,SC2016

load helper

# A connector of ours for https://upstream.example/$1 (and what $2 adds to the request).
setup_file() { upstream_start; }
teardown_file() { upstream_stop; }
test_setup() {
  mkdir -p connectors "$XDG_CONFIG_HOME/bid"
  printf 'WEB_KEY\tupstream.example,api.example.org\n' >"$XDG_CONFIG_HOME/bid/keys.tsv"
  export BID_CONNECTORS=$BATS_TEST_TMPDIR/connectors
  cat >connectors/web.jq <<'J'
def declare: {description: "any page of a test server", hosts: ["upstream.example", "api.example.org"],
  rateLimit: {requestsPerSecond: 1000, burstSize: 100, domain: "web"}, keyVariable: "WEB_KEY",
  parameters: [{name: "path"}, {name: "max"}, {name: "truncate"}, {name: "immutable"}, {name: "age"}, {name: "key"},
    {name: "host"}, {name: "url"}, {name: "stream"}, {name: "browser"}]};
def p: .job.params;
def step: {request: ({url: (p.url // "https://\(p.host // "upstream.example")/\(p.path)"), payload: {kind: "page"},
    maxBytes: (p.max | if . then tonumber else null end), truncate: (p.truncate == "1"),
    immutable: (p.immutable == "1"), maxAge: (p.age // "0" | tonumber), browser: (p.browser == "1"),
    key: (if p.key == "query" then {query: "api_key"} elif p.key == "header" then {header: "Authorization", prefix: "Bearer "}
          else null end)}
  + if p.stream then {stream: {format: p.stream}} else {} end)};
J
}

page() { run --separate-stderr timeout 60 bid-fetch "${@:2}" web -P "path=$1"; }
category() { jq -r '.error.category // "none"' <<<"$output"; }
message() { jq -r '.error.message' <<<"$output"; }
requests() { if [ -f "$UPSTREAM_LOG" ]; then wc -l <"$UPSTREAM_LOG"; else echo 0; fi; }
# peak COMMAND...: runs it; $peak is the most memory it took, in KB.
peak() {
  need /usr/bin/time
  run --separate-stderr timeout 60 /usr/bin/time -o peak -f %M "$@"
  peak=$(tail -1 peak)
}
sanitized() { nm -D "$(command -v bid-fetch)" 2>/dev/null | grep -q __asan; }

@test "what a job tells of a document stands in its payload, and in the error record where there is none" {
  upstream_again
  upstream_fault 'upstream.example/good=body:hello' 'upstream.example/gone=404'
  job='{"sources":["web"],"path":"PATH","metadata":{"kind":"told","form":"10-K","fiscalYear":"20\u0032\u0035"}}'
  run --separate-stderr bid-fetch <<<"${job/PATH/good}"
  equal "$status" 0
  equal "$(jq -c '.metadata | del(.cache)' <<<"$output")" '{"kind":"page","form":"10-K","fiscalYear":"2025"}'
  run --separate-stderr bid-fetch <<<"${job/PATH/gone}"
  equal "$status" 1
  equal "$(jq -c '[.error.category, .error.sourceUrl, .metadata]' <<<"$output")" \
    '["no-content","https://upstream.example/gone",{"kind":"page","form":"10-K","fiscalYear":"2025"}]'
  python3 "$ROOT/test/tools/schema.py" "$ROOT/data/schema/error.json" <<<"$output"
  run --separate-stderr bid-fetch <<<'{"sources":["web"],"path":"gone","metadata":"no object"}'
  equal "$(jq -c .metadata <<<"$output")" '{"kind":"page"}'
}

@test "redirects: only to declared hosts and https" {
  local to
  upstream_again
  for to in https://other.example/x http://upstream.example/x https://127.0.0.1/x file:///etc/passwd \
    https://upstream.example:8443/x https://user@upstream.example/x ftp://upstream.example/x; do
    upstream_fault "upstream.example/r*=redirect:$to"
    page r
    equal "$to $status $(category)" "$to 69 unavailable"
    contains "$(message)" "redirected to"
    contains "$(message)" "refused"
  done
  equal "$(upstream_log .host | sort -u)" '"upstream.example"'
  upstream_fault "upstream.example/r*=redirect:self"
  page r
  contains "$(message)" "more than 5 redirects"
  upstream_fault "upstream.example/r*=redirect:https://api.example.org/good" "api.example.org/good=body:arrived"
  page r
  equal "$status $(jq -r .rawContent <<<"$output")" "0 arrived"
}

@test "a host that is not declared, or no plain URL, is never asked" {
  local url
  upstream_again 'other.example/*=body:no'
  for url in https://other.example/x http://upstream.example/x file:///etc/passwd https://127.0.0.1/ \
    https://upstream.example@other.example/ 'https://upstream.example\@other.example/' https://upstream.example:99/; do
    run --separate-stderr bid-fetch web -P "url=$url"
    equal "$url $status $(category)" "$url 64 invalid-request"
  done
  equal "$(requests)" 0
}

@test "a body of 10 GB: refused at the ceiling, in bounded memory" {
  upstream_again 'upstream.example/huge=huge' 'upstream.example/length=length'
  peak bid-fetch web -P path=huge -P max=1000000
  equal "$status $(category)" "69 unavailable"
  contains "$(message)" "larger than 1000000 bytes"
  sanitized || [ "$peak" -lt 60000 ]
  page length -P max=1000000
  contains "$(message)" "larger than 1000000 bytes"
  page huge -P max=5000 -P truncate=1
  equal "$status $(jq -r '.metadata.truncated' <<<"$output")" "0 true"
}

@test "a gzip bomb is cut at the ceiling of what comes out" {
  upstream_again 'upstream.example/bomb=bomb'
  peak bid-fetch web -P path=bomb
  equal "$status $(category)" "69 unavailable"
  contains "$(message)" "larger than 67108864 bytes"
  sanitized || [ "$peak" -lt 250000 ]
}

@test "a gzip bomb for the disk is told by its ratio, before it fills the cache" {
  upstream_again 'upstream.example/bomb=bomb'
  run --separate-stderr bid-fetch web -P path=bomb -P stream=archive
  equal "$status $(category)" "69 unavailable"
  contains "$(message)" "more than 150 times its size"
  equal "$(upstream_log .path | grep -c bomb)" 1
  [ "$(du -sm "$BID_CACHE" | cut -f1)" -lt 50 ]
}

@test "a header of 1 MB is refused" {
  upstream_again 'upstream.example/header=header'
  page header
  equal "$status $(category)" "69 unavailable"
  contains "$(message)" "headers are too large"
}

@test "silence ends in its time: hang, stall, drip" {
  mkdir -p root/upstream.example
  head -c 100000 /dev/zero >root/upstream.example/stall
  cp root/upstream.example/stall root/upstream.example/drip
  upstream_start --root "$PWD/root" --fault 'upstream.example/hang=hang' --fault 'upstream.example/stall=stall:100' \
    --fault 'upstream.example/drip=drip:10'
  local path started
  for path in hang stall drip; do
    started=$SECONDS
    page "$path" --timeout 1
    equal "$status $(category)" "69 unavailable"
    [ $((SECONDS - started)) -lt 12 ]
  done
}

@test "broken answers: cut short, reset, refused, not TLS" {
  upstream_again 'upstream.example/cut=truncate:10' 'upstream.example/reset=reset'
  page cut
  equal "$status $(category)" "69 unavailable"
  page reset
  equal "$status $(category)" "69 unavailable"
  [ "$(requests)" -ge 8 ] # each was tried again
  BID_CONNECT_TO=127.0.0.1:1 page x
  equal "$status $(category)" "69 unavailable"
  BID_CA_FILE=/dev/null page x
  equal "$status $(category)" "69 unavailable"
}

@test "a certificate that nobody vouches for is refused, without a retry" {
  upstream_again 'upstream.example/*=body:x'
  unset BID_CA_FILE
  page x
  equal "$status $(category)" "69 unavailable"
  contains "$(message)" "certificate"
  equal "$(upstream_log 'select(.status == 200)' | wc -l)" 0
}

@test "TLS before 1.2 is refused, even where the system would allow it" {
  printf '%s\n' 'openssl_conf = a' '[a]' 'ssl_conf = b' '[b]' 'system_default = c' '[c]' 'MinProtocol = TLSv1' \
    'CipherString = DEFAULT@SECLEVEL=0' >lax.cnf
  export OPENSSL_CONF=$PWD/lax.cnf
  upstream_start --tls TLSv1_2 --fault 'upstream.example/*=body:x'
  page x
  equal "$status" 0
  upstream_stop
  upstream_start --tls TLSv1_1 --fault 'upstream.example/*=body:x'
  page y
  equal "$status $(category)" "69 unavailable"
  contains "$(message)" "protocol version"
}

@test "session keys are written nowhere" {
  upstream_again 'upstream.example/*=body:x'
  SSLKEYLOGFILE=$PWD/session-keys page x
  equal "$status" 0
  [ ! -e session-keys ]
}

@test "503 and 429 are tried again, Retry-After is kept, and a far one is reported" {
  upstream_again 'upstream.example/a=503@2' 'upstream.example/a=body:well' \
    'upstream.example/b=429:2@1' 'upstream.example/b=body:well' 'upstream.example/c=429:3600' \
    'upstream.example/d=500'
  page a
  equal "$status $(jq -r .rawContent <<<"$output")" "0 well"
  equal "$(upstream_log 'select(.path | startswith("/a"))' | wc -l)" 3
  local started=$SECONDS
  page b
  equal "$status" 0
  [ $((SECONDS - started)) -ge 1 ]
  page c
  equal "$status $(category) $(jq .error.retryAfter <<<"$output")" "75 rate-limited 3600"
  equal "$(upstream_log 'select(.path | startswith("/c"))' | wc -l)" 1
  page d
  equal "$status $(category)" "69 unavailable"
  equal "$(upstream_log 'select(.path | startswith("/d"))' | wc -l)" 4
}

@test "statuses are errors of their categories" {
  upstream_again 'upstream.example/404=404' 'upstream.example/410=410' 'upstream.example/401=401' \
    'upstream.example/403=403' 'upstream.example/400=400'
  local pair
  for pair in 404:no-content:1 410:no-content:1 401:auth-failed:77 403:auth-failed:77 400:invalid-request:64; do
    page "${pair%%:*}"
    equal "$(category):$status" "${pair#*:}"
    equal "$(jq -r .error.sourceUrl <<<"$output")" "https://upstream.example/${pair%%:*}"
  done
}

@test "the cache: a second run downloads no body; fresh and immutable ones are not asked for" {
  mkdir -p root/upstream.example
  echo one >root/upstream.example/p
  upstream_start --root "$PWD/root"
  page p
  equal "$status $(jq -c '[.rawContent, .metadata.cache]' <<<"$output")" '0 ["one\n",null]'
  local captured
  captured=$(jq -r .capturedAt <<<"$output")
  sleep 1.1
  page p
  equal "$(jq -c '[.rawContent, .metadata.cache, .capturedAt]' <<<"$output")" "[\"one\\n\",true,\"$captured\"]"
  equal "$(upstream_log .status | tr '\n' ' ')" "200 304 "
  page p -P immutable=1
  page p -P age=100
  equal "$(requests)" 2
  page p --offline
  equal "$(requests) $status" "2 0"
  echo two >root/upstream.example/p
  touch -d '+5 seconds' root/upstream.example/p
  page p
  equal "$(jq -r .rawContent <<<"$output")" two
  page p -P age=100 --refresh
  equal "$(upstream_log .status | tr '\n' ' ')" "200 304 200 200 "
}

@test "the cache: a body above the limit of a later request is too large, not gone" {
  mkdir -p root/upstream.example
  echo one two three >root/upstream.example/p
  upstream_start --root "$PWD/root"
  page p
  equal "$status" 0
  page p -P max=5
  contains "$(message)" "larger than 5 bytes"
  page p -P immutable=1
  equal "$status $(jq -r .metadata.cache <<<"$output")" "0 true"
}

@test "the cache: a damaged body is fetched anew" {
  upstream_again 'upstream.example/p=body:good'
  page p -P immutable=1
  local f
  for f in "$BID_CACHE"/objects/*/*; do
    [ "$(cat "$f")" != good ] || printf 'evil' >"$f"
  done
  page p -P immutable=1
  equal "$status $(jq -r .rawContent <<<"$output")" "0 good"
  find "$BID_CACHE/objects" -type f -delete
  page p -P immutable=1
  equal "$status $(jq -r .rawContent <<<"$output")" "0 good"
  rm -rf "$BID_CACHE/answers"
  page p --offline
  equal "$status" 69
}

@test "the cache: a damaged body is not streamed, but fetched anew" {
  upstream_again 'upstream.example/p=body:good'
  page p -P immutable=1 -P stream=lines
  equal "$status $(jq -r .rawContent <<<"$output")" '0 ["good"]'
  local f
  for f in "$BID_CACHE"/objects/*/*; do
    [ "$(cat "$f")" != good ] || printf 'evil' >"$f"
  done
  page p -P immutable=1 -P stream=lines
  equal "$status $(jq -r .rawContent <<<"$output")" '0 ["good"]'
  equal "$(requests)" 2
}

@test "the cache: a damaged body that the server calls unchanged is fetched anew" {
  mkdir -p root/upstream.example
  echo good >root/upstream.example/p
  upstream_start --root "$PWD/root"
  page p
  local f
  for f in "$BID_CACHE"/objects/*/*; do
    [ "$(cat "$f")" != good ] || echo evil >"$f"
  done
  page p
  equal "$status $(jq -r .rawContent <<<"$output")" "0 good"
  page p
  equal "$status $(jq -r .rawContent <<<"$output")" "0 good"
  equal "$(upstream_log .status | tr '\n' ' ')" "200 304 200 304 "
}

@test "the cache keeps its size, by taking out the longest unused" {
  upstream_again 'upstream.example/p*=length:1000'
  mkdir -p root/upstream.example
  local i
  for i in 1 2 3 4 5 6; do head -c 300000 /dev/urandom | base64 -w0 >"root/upstream.example/q$i"; done
  upstream_stop
  upstream_start --root "$PWD/root"
  for i in 1 2 3 4 5 6; do page "q$i" --cache-size 1M; done
  equal "$status" 0
  [ "$(du -sb "$BID_CACHE/objects" | cut -f1)" -lt 1300000 ]
  page q6 --offline
  equal "$status" 0
  page q1 --offline
  equal "$status" 69
}

@test "the SEC's page for being too fast stops everyone for ten minutes, with 403 and with 200" {
  need_shared
  local code
  for code in 403 200; do
    rm -rf "$BID_STATE"
    upstream_again "data.sec.gov/*=block:$code"
    run --separate-stderr bid-fetch sec-submissions -e 320193
    equal "$status $(category) $(jq .error.retryAfter <<<"$output")" "75 rate-limited 600"
    equal "$(requests)" 1
    run --separate-stderr bid-fetch sec-filing-document --content -P url=https://www.sec.gov/Archives/edgar/data/1/000000000000000000/a.htm
    equal "$status $(category)" "75 rate-limited"
    contains "$(message)" "nobody may ask for another"
    equal "$(requests)" 1
    contains "$(bid-fetch --quota)" '"blockedUntil"'
  done
  rm -rf "$BID_STATE"
  upstream_again "data.sec.gov/*=429"
  run --separate-stderr bid-fetch sec-submissions -e 320193
  equal "$status $(category) $(requests)" "75 rate-limited 1"
}

@test "an undeclared agent is a configuration error, a missing object is no content" {
  need_shared
  upstream_again "data.sec.gov/*=undeclared"
  run --separate-stderr bid-fetch sec-submissions -e 320193
  equal "$status $(category)" "78 auth-failed"
  contains "$stderr" "BID_USER_AGENT"
  upstream_fault "data.sec.gov/*=denied"
  run --separate-stderr bid-fetch sec-submissions -e 320193
  equal "$status $(category)" "1 no-content"
  upstream_fault "data.sec.gov/*=nokey"
  run --separate-stderr bid-fetch sec-submissions -e 320193
  equal "$status $(category)" "1 no-content"
}

@test "who asks: the shipped contact, BID_USER_AGENT, the browser's form of it" {
  upstream_again 'upstream.example/*=body:x'
  unset BID_USER_AGENT
  page a
  BID_USER_AGENT='Example Corp jane@example.org' page b
  BID_USER_AGENT='Example Corp jane@example.org' page c -P browser=1
  equal "$(upstream_log '.agent // .user_agent // .["user-agent"]' | tr '\n' '|')" \
    "\"$(head -1 "$ROOT/data/bid.conf")\"|\"Example Corp jane@example.org\"|\"Mozilla/5.0 (compatible; Example Corp; +mailto:jane@example.org)\"|"
}

@test "a key appears nowhere: output, log, cache, process list" {
  export WEB_KEY=secret123verysecret
  upstream_again 'upstream.example/echo*=body:you sent secret123verysecret, thanks' \
    'upstream.example/away*=redirect:https://api.example.org/x?api_key=secret123verysecret' \
    'api.example.org/*=body:x' 'upstream.example/bad*=400' 'upstream.example/slow*=slow:2'
  page echo -P key=query
  equal "$status $(jq -r .rawContent <<<"$output")" "0 you sent REDACTED, thanks"
  contains "$(cat "$UPSTREAM_LOG")" "api_key"
  printf '%s\n%s\n' "$output" "$stderr" >all
  local path
  for path in away bad echo; do
    page "$path" -P key=query
    printf '%s\n%s\n' "$output" "$stderr" >>all
    page "$path" -P key=header
    printf '%s\n%s\n' "$output" "$stderr" >>all
  done
  bid-fetch web -P path=slow -P key=query >out 2>err 3>&- &
  local pid=$!
  sleep 1
  tr '\0' ' ' <"/proc/$pid/cmdline" >>all
  tr '\0' ' ' <"/proc/$(pgrep -P $pid | head -1)/cmdline" >>all 2>/dev/null || true
  wait $pid || true
  cat out err >>all
  run grep -rc secret123 all "$BID_CACHE" "$BID_STATE"
  equal "$(grep -v ':0$' <<<"$output")" ""
}

@test "an archive or table that is none, or a bomb, is an error of its own" {
  upstream_again 'upstream.example/page*=body:<html><title>Sorry</title></html>'
  page page -P stream=csv
  equal "$status $(category)" "1 no-content"
  upstream_fault 'www.irs.gov/*=body:<html>maintenance</html>'
  run --separate-stderr bid-fetch irs-bmf -P region=ri -P all=1 --refresh
  equal "$status $(category)" "69 unavailable"
  contains "$(message)" "not the table"
  need gzip
  yes | head -c 200000000 | gzip -1 >bomb.gz
  peak bid-fetch file bomb.gz
  equal "$status $(category)" "65 invalid-request"
  contains "$(message)" "larger than"
  sanitized || [ "$peak" -lt 250000 ]
}

@test "--check says whether a source can be used now" {
  upstream_again 'upstream.example/=body:x' 'api.stlouisfed.org/*=503'
  run --separate-stderr bid-fetch --check web
  equal "$status $output" '0 {"source":"web","available":true}'
  run --separate-stderr bid-fetch --check fred
  equal "$status $(category)" "77 auth-failed"
  contains "$stderr" FRED_API_KEY
  FRED_API_KEY=abcdefghijklmnopqrstuvwxyz012345 run --separate-stderr bid-fetch --check fred
  equal "$status $(category)" "69 unavailable"
  run --separate-stderr bid-fetch --check mock
  equal "$status" 0
  run --separate-stderr bid-fetch --check nosuch
  equal "$status" 78
  BID_CONNECT_TO=127.0.0.1:1 run --separate-stderr bid-fetch --check web
  equal "$status" 69
}

@test "--check asks what the connector names, with its key: refused is not available" {
  upstream_again "api.stlouisfed.org/fred/series*=file:$PWD/refusal:400" 'data.sec.gov/submissions/*=503' 'www.sec.gov/=body:x'
  printf '{"error_code":400,"error_message":"Bad Request.  The value for variable api_key is not registered."}' >refusal
  FRED_API_KEY=abcdefghijklmnopqrstuvwxyz012345 run --separate-stderr bid-fetch --check fred
  equal "$status $(category)" "77 auth-failed"
  contains "$(cat "$UPSTREAM_LOG")" "api_key"
  run --separate-stderr bid-fetch --check sec-submissions
  equal "$status $(category)" "69 unavailable"
}

@test "--lint: every connector keeps the contract; one that breaks it is told each row" {
  local c
  while read -r c; do
    [ "$c" != web ] || continue
    run --separate-stderr bid-fetch --lint="$c"
    equal "$status $(jq -c 'select(.ok | not)' <<<"$output")" "0 "
    equal "$(jq -r .rule <<<"$output" | tr '\n' ' ')" "name description authRequired rateLimit scope example availability fetch narrow provenance categories "
  done < <(bid-fetch --list | jq -r .name)
  mkdir -p mine
  cat >mine/bad.jq <<'JQ'
def declare: {name: "good", description: "x", authRequired: true, hosts: ["a.example.org"], rateLimit: {requestsPerSecond: 0},
  parameters: [{name: "x", description: "what"}, {name: "x"}], needs: ["y"], example: "curl", check: "https://b.example.org/"};
def step: {requests: [range(30) | {url: "https://c.example.org/\(.)"}], payloads: [{text: "t"}], error: {category: "odd", message: "m"}};
JQ
  BID_CONNECTORS=$PWD/mine run --separate-stderr bid-fetch --lint bad
  equal "$status" 1
  equal "$(jq -r 'select(.ok) | .rule' <<<"$output")" ""
  contains "$output" '{"source":"bad","rule":"narrow","ok":false,"fault":"its first step makes 30 requests; it has to narrow before it asks for more than 20"}'
  BID_CONNECTORS=$PWD/mine run --separate-stderr bid-fetch --human --lint bad
  contains "$output" "WRONG  availability  the host of check is not declared"
}

@test "terms of use are shown once on stderr, and not with --quiet" {
  need_shared
  upstream_again
  jq -cn '{sources: ["finra-brokercheck"], entity: {id: "19616"}} | ., .' >jobs.ndjson
  run --separate-stderr bid-fetch <jobs.ndjson
  equal "$status" 0
  equal "$(grep -c 'terms of use' <<<"$stderr")" 1
  run --separate-stderr bid-fetch --quiet <jobs.ndjson
  equal "$stderr" ""
}

@test "a connector's key goes to no host that keys.tsv doesn't bind it to" {
  export WEB_KEY=secret123verysecret
  upstream_again '*=body:x'
  rm "$XDG_CONFIG_HOME/bid/keys.tsv"
  page echo -P key=query
  [ "$status" -ne 0 ]
  contains "$output" "the key in WEB_KEY may not be sent to upstream.example"
  contains "$output" "keys.tsv"
  equal "$(requests)" 0
  sed 's/WEB_KEY/FRED_API_KEY/' connectors/web.jq >connectors/thief.jq
  export FRED_API_KEY=0123456789abcdef0123456789abcdef
  run --separate-stderr timeout 60 bid-fetch thief -P path=x -P key=query
  contains "$output" "the key in FRED_API_KEY may not be sent to upstream.example"
  equal "$(requests)" 0
}

@test "a body that comes to a key is read whole, so that it can be redacted" {
  export WEB_KEY=secret123verysecret
  upstream_again 'upstream.example/*=body:secret123verysecret'
  page x -P key=query -P stream=csv
  [ "$status" -ne 0 ]
  contains "$output" "a request with a key can't be streamed"
  [[ $output != *secret123* ]]
}

@test "a short key and a key as URLs write it are redacted too" {
  upstream_again 'upstream.example/short*=body:you sent k9!, thanks' 'upstream.example/odd*=body:at /x?api_key=a%2Bb%2Fc%3Dd&y'
  WEB_KEY='k9!' page short -P key=query
  equal "$(jq -r .rawContent <<<"$output")" "you sent REDACTED, thanks"
  WEB_KEY='a+b/c=d' page odd -P key=query
  [[ $output != *a%2Bb* ]] || { echo "$output"; false; }
}

@test "a key that the server puts into a header is not kept, and goes to no other host by a redirect" {
  export WEB_KEY=Secret123verysecret
  printf 'WEB_KEY\tupstream.example\n' >"$XDG_CONFIG_HOME/bid/keys.tsv"
  printf 'HTTP/1.1 200 OK\r\nContent-Type: text/plain; k=%s\r\nETag: "%s"\r\nLast-Modified: %s\r\nContent-Length: 1\r\n\r\nx' \
    $WEB_KEY $WEB_KEY $WEB_KEY >raw
  upstream_again "upstream.example/head*=raw:$PWD/raw" 'api.example.org/*=body:x' \
    "upstream.example/away*=redirect:https://api.example.org/x?api_key=$WEB_KEY" \
    "upstream.example/host*=redirect:https://$WEB_KEY.example/x" "upstream.example/cut*=body:${WEB_KEY}${WEB_KEY}"
  page head -P key=query
  equal "$status $(jq -r .contentType <<<"$output")" "0 text/plain; k=REDACTED"
  page away -P key=query
  contains "$(message)" "redirected to api.example.org with the key"
  equal "$(upstream_log .host | sort -u)" '"upstream.example"'
  page host -P key=header
  contains "$(message)" "redirected to REDACTED.example"
  page cut -P key=header -P truncate=1 -P max=30
  equal "$(jq -r .rawContent <<<"$output")" "REDACTEDREDACTED"
  [ -z "$(grep -ri secret123 "$BID_CACHE")" ]
}

@test "a connector frames no request: Host, Content-Length and their kin are refused" {
  local name
  upstream_again '*=body:x'
  for name in Host Content-Length transfer-encoding Connection User-Agent From Forwarded Authorization Cookie; do
    sed "s#def step: {request: ({#def step: {request: ({headers: {\"$name\": \"x\"}, #" "$BID_CONNECTORS/web.jq" >"$BID_CONNECTORS/framer.jq"
    run --separate-stderr timeout 60 bid-fetch framer -P path=a
    [ "$status" -ne 0 ] || { echo "$name"; false; }
    contains "$output" "may not set the header '$name'"
  done
  equal "$(requests)" 0
}

@test "an address of a private or loopback network is not asked" {
  unset BID_CONNECT_TO
  local host
  cat >connectors/near.jq <<'J'
def declare: {description: "a host of this network", hosts: ["127.0.0.1", "10.0.0.1", "192.168.1.1", "169.254.169.254"], rateLimit: {requestsPerSecond: 100, burstSize: 10}, parameters: [{name: "host"}]};
def step: {request: {url: "https://\(.job.params.host)/x", payload: {kind: "page"}}};
J
  for host in 127.0.0.1 10.0.0.1 192.168.1.1 169.254.169.254; do
    run --separate-stderr timeout 60 bid-fetch near -P "host=$host"
    equal "$status" 69
    contains "$output" "private network"
  done
}
