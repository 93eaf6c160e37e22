#!/usr/bin/env bats
# bid-fetch: the dispatcher, job records, connectors as files, manners.
# shellcheck disable=SC2154,SC2016

load helper

# connector NAME: puts the jq on stdin into a folder that BID_CONNECTORS names.
connector() {
  mkdir -p "$BATS_TEST_TMPDIR/connectors"
  cat >"$BATS_TEST_TMPDIR/connectors/$1.jq"
  export BID_CONNECTORS=$BATS_TEST_TMPDIR/connectors
}

@test "a payload carries its provenance and what was asked" {
  run --separate-stderr bid-fetch mock -e ACME -a Acme -p FY-2024 -f 10-K,10-Q --query "a b"
  equal "$status" 0
  equal "$stderr" ""
  equal "$(jq -c '[.source, .entity, .period, .filingTypes, .query, .contentType, (.rawContent | fromjson | .number)]' <<<"$output")" \
    '["mock",{"id":"ACME","aliases":["Acme"]},"FY-2024",["10-K","10-Q"],"a b","application/json",1]'
  equal "$(jq -r .sha256 <<<"$output")" "$(jq -j .rawContent <<<"$output" | sha256sum | cut -d' ' -f1)"
  [[ $(jq -r .capturedAt <<<"$output") =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$ ]]
}

@test "an unknown source is an error record that lists the known ones, status 78" {
  run --separate-stderr bid-fetch nosuch
  equal "$status" 78
  equal "$(jq -r .error.category <<<"$output")" connector-not-registered
  contains "$(jq -r .error.message <<<"$output")" "mock, sec-bulk"
  contains "$stderr" "bid-fetch: nosuch: there is no such source"
}

@test "each category of error has its exit status" {
  local pair
  for pair in unavailable:69 no-content:1 auth-failed:77 rate-limited:75 invalid-request:64 internal:70; do
    run --separate-stderr bid-fetch mock -P "error=${pair%:*}" -P retryAfter=30
    equal "$status" "${pair#*:}"
    equal "$(jq -c '[.error.category, .error.stage, .error.source, .error.retryAfter]' <<<"$output")" "[\"${pair%:*}\",\"fetch\",\"mock\",30]"
  done
}

@test "a fault among results is status 1, and the results stay" {
  run --separate-stderr bid-fetch mock,nosuch,mock -n 2
  equal "$status" 1
  equal "$(jq -c '.error.category // .metadata.number' <<<"$output" | tr '\n' ' ')" '1 2 "connector-not-registered" 1 2 '
  run --separate-stderr bid-fetch mock -P error=unavailable -P after=2
  equal "$status" 1
  equal "$(wc -l <<<"$output")" 3
}

@test "job records: one answer a job and source, in order, fields carried byte for byte" {
  cat >jobs.ndjson <<'J'
{"sources":["mock"],"entity":{"id":"A","aliases":[]},"limit":2}
{"sources":"mock,nosuch","entity":{ "id":"B" , "n":1.50}}

{"sources":["mock"],"error":{"category":"x"}}
not json
{"source":"mock","entity":"C","as":"text"}
{"entity":"D"}
{"sources":["mock"],"since":"gestern"}
J
  run --separate-stderr bid-fetch <jobs.ndjson
  equal "$status" 1
  equal "$(jq -r '.error.category // (.entity | if type == "object" then .id else . end)' <<<"$output" | tr '\n' ' ')" \
    "A A B connector-not-registered x invalid-request C invalid-request invalid-request "
  contains "$output" '{"entity":{ "id":"B" , "n":1.50},"source":"mock"'
  contains "$stderr" "since: 'gestern' is neither a date, a month or year, nor a span"
}

@test "scope: parameters are checked, and what is missing is said" {
  run --separate-stderr bid-fetch mock -P colour=red
  equal "$status" 64
  contains "$(jq -r .error.message <<<"$output")" "takes no parameter 'colour'; it takes: error, retryAfter"
  run --separate-stderr bid-fetch mock -P as=tea
  contains "$(jq -r .error.message <<<"$output")" "it can be: json, text, html"
  run --separate-stderr bid-fetch sec-filings
  equal "$status" 64
  contains "$(jq -r .error.message <<<"$output")" "sec-filings needs entity (-e) or aliases (-a)"
  run --separate-stderr bid-fetch mock -P colour
  equal "$status" 64
  equal "$output" ""
  run --separate-stderr bid-fetch mock --since never
  equal "$status" 64
}

@test "--list names every source, --describe all of one" {
  run --separate-stderr bid-fetch --list
  equal "$status" 0
  equal "$(jq -r .name <<<"$output" | tr '\n' ' ')" "file finra-brokercheck fred iapd irs-bmf mock sec-bulk \
sec-company sec-company-concept sec-current sec-daily-index sec-edgar sec-filing-document sec-filings sec-financials sec-frames \
sec-full-text sec-holders sec-insider sec-submissions "
  equal "$(jq -r 'select(.description == null or .hosts == null or .rateLimit == null) | .name' <<<"$output")" ""
  run --separate-stderr bid-fetch --describe fred
  equal "$(jq -c '[.name, .keyVariable, .keyPresent, (.terms | type)]' <<<"$output")" '["fred","FRED_API_KEY",false,"object"]'
  run --separate-stderr bid-fetch --describe nosuch
  equal "$status" 78
}

@test "a file in a folder is a source; the first folder wins; lib is found" {
  connector hello <<'J'
include "answers";
def declare: {description: "greets", hosts: []};
def step: {payloads: [{text: "hello \(.job.entity.id)"}]};
J
  run --separate-stderr bid-fetch hello -e you
  equal "$status" 0
  equal "$(jq -r .rawContent <<<"$output")" "hello you"
  connector mock <<<'def declare: {description: "another", hosts: []}; def step: {payloads: [{text: "mine"}]};'
  run --separate-stderr bid-fetch mock
  equal "$(jq -r .rawContent <<<"$output")" mine
}

@test "a connector that was changed is read anew" {
  connector c <<<'def declare: {description: "c", hosts: []}; def step: {payloads: [{text: "one"}]};'
  equal "$(bid-fetch c | jq -r .rawContent)" one
  connector c <<<'def declare: {description: "c", hosts: []}; def step: {payloads: [{text: "two"}]};'
  equal "$(bid-fetch c | jq -r .rawContent)" two
}

@test "a step names the definition that gets the answers, in a file of any layout" {
  connector plain <<<'def declare: {description: "c", hosts: []};
def word: "\(.state.n) of \(.job.entity.id)";
def step: {requests: [], state: {n: 1}, next: "second_part"};
def second_part: if .state.n < 3 then {requests: [], state: {n: (.state.n + 1)}, next: "second_part"} else {payloads: [{text: word}]} end;'
  equal "$(bid-fetch plain -e you | jq -r .rawContent)" "3 of you"
  connector line <<<'def declare: {description: "c", hosts: []}; def step: {requests: [], state: 1, next: "then_this"}; def then_this: {payloads: [{text: "there"}]};'
  equal "$(bid-fetch line | jq -r .rawContent)" there
  { # more definitions than one process keeps
    echo 'def declare: {description: "c", hosts: []};'
    echo 'def step: {requests: [], state: 1, next: "a"};'
    printf 'def %s: {requests: [], state: 1, next: "%s"};\n' a b b c c d d e e f f g g h h i i j j k k l l m m n n o o p p q q r r s
    echo 'def s: {payloads: [{text: "the end"}]};'
  } | connector many
  equal "$(bid-fetch many | jq -r .rawContent)" "the end"
  connector odd <<<'def declare: {description: "c", hosts: []}; def step: {requests: [], state: 1, next: "error(1)"};'
  connector none <<<'def declare: {description: "c", hosts: []}; def step: {requests: [], state: 1, next: "nowhere"};'
  connector later <<<'def declare: {description: "c", hosts: []};
def step: {requests: [], state: 1, next: "bad"};

def bad: no_such_thing;'
  connector long <<<"def declare: {description: \"c\", hosts: []};
def step: {requests: [], state: 1, next: \"$(printf 'a%.0s' {1..60})\"};"
  local pair
  for pair in "odd:what is no name" "none:nowhere/0 is not defined" "later:no_such_thing/0 is not defined, line 4:" "long:what is no name"; do
    run --separate-stderr bid-fetch "${pair%%:*}"
    equal "${pair%%:*} $status $(jq -r .error.category <<<"$output")" "${pair%%:*} 70 internal"
    contains "$(jq -r .error.message <<<"$output")" "${pair#*:}"
  done
}

@test "a library that was changed is read anew" {
  connector c <<<'include "mine"; def declare: {description: "c", hosts: []}; def step: {payloads: [{text: word}]};'
  mkdir -p connectors/lib
  echo 'def word: "one";' >connectors/lib/mine.jq
  equal "$(bid-fetch c | jq -r .rawContent)" one
  echo 'def word: "two";' >connectors/lib/mine.jq
  equal "$(bid-fetch c | jq -r .rawContent)" two
}

@test "broken connectors are clear errors" {
  connector syntax <<<'def declare: {;'
  connector nothing <<<'def declare: {description: "x", hosts: []}; def step: empty;'
  connector shape <<<'def declare: {description: "x", hosts: []}; def step: [1];'
  connector shape2 <<<'def declare: {description: "x", hosts: []}; def step: {payloads: {}};'
  connector shape3 <<<'def declare: {description: "x", hosts: []}; def step: {payloads: [{}]};'
  connector shape4 <<<'def declare: {description: "x", hosts: []}; def step: {error: {category: "odd", message: "m"}};'
  connector bare <<<'def declare: {description: "x"}; def step: {};'
  connector raises <<<'def declare: {description: "x", hosts: []}; def step: error("boo");'
  connector deep <<<'def declare: {description: "x", hosts: []}; def f: [f]; def step: f;'
  connector rounds <<<'def declare: {description: "x", hosts: []}; def step: {state: ((.state // 0) + 1), requests: []};'
  connector addr <<<'def declare: {description: "x", hosts: ["127.0.0.1:80"]}; def step: {};'
  local pair
  for pair in "syntax:syntax error, unexpected" "nothing:it returned nothing" "shape:step returned no object" \
    "shape2:of the wrong kind" "shape3:a payload without content" "shape4:without a known category" \
    "bare:declare has no array of hosts" "raises:broken connector: boo" "deep:the connector" \
    "rounds:more than a thousand steps" "addr:no plain name"; do
    run --separate-stderr bid-fetch "${pair%%:*}"
    equal "${pair%%:*} $status $(jq -r .error.category <<<"$output")" "${pair%%:*} 70 internal"
    contains "$(jq -r .error.message <<<"$output")" "${pair#*:}"
  done
}

@test "an endless connector is ended after ten seconds of processor time, and the other jobs go on" {
  connector endless <<<'def declare: {description: "x", hosts: []}; def step: last(repeat(1));'
  BID_CONNECT_TO=127.0.0.1:1 BID_HASTE=20 run --separate-stderr timeout 200 bid-fetch endless,mock # a quarter of them
  equal "$status" 1
  equal "$(jq -r '.error.message // .source' <<<"$output" | tr '\n' '|')" "the connector gave no answer within 10 seconds|mock|"
}

@test "a connector sees no environment and no file of the user" {
  export FRED_API_KEY=secret123456
  echo 'def step: "mine";' >"$HOME/.jq"
  connector spy <<<'def declare: {description: "x", hosts: []}; def step: {payloads: [{content: [env, $ENV]}]};'
  run --separate-stderr bid-fetch spy
  equal "$(jq -r .rawContent <<<"$output")" "[{},{}]"
}

@test "numbers keep their digits through a connector" {
  printf '%s' '{"a":[1.0,12345678901234567890,-0,1e5,0.000001,100,4.6900000000]}' >n.json
  connector digits <<'J'
def declare: {description: "x", hosts: [], parameters: [{name: "operands"}]};
def step: if .state then {payloads: [{content: .responses[0].json.a}, {text: (.responses[0].json.a[1] | tostring)},
  {text: (.responses[0].json | tojson)}]}
  else {request: {operand: 0}, state: 1} end;
J
  run --separate-stderr bid-fetch digits n.json
  equal "$status" 0
  equal "$(jq -r .rawContent <<<"$output" | head -1)" "[1.0,12345678901234567890,-0,1e5,0.000001,100,4.6900000000]"
  equal "$(jq -r .rawContent <<<"$output" | sed -n 2p)" "12345678901234567890"
  equal "$(jq -r .rawContent <<<"$output" | sed -n 3p)" '{"a":[1.0,12345678901234567890,-0,1e5,0.000001,100,4.6900000000]}'
}

@test "narrowing: paths, rows, conditions, limits, summaries" {
  printf '%s' '{"f":{"a":{"x":[{"d":"2024-01-02","v":5,"k":"P"},{"d":"2024-02-02","v":7,"k":"q"}]},"b":{"x":[]}},
    "c":{"k":["p","q","r"],"n":[1,2,3.50]},"m":{"0":{"t":"AAPL"},"1":{"t":"MSFT"}}}' >n.json
  connector narrow <<'J'
def declare: {description: "x", hosts: [], parameters: [{name: "operands"}]};
def step: if .state then {payloads: [{content: .responses[0].json}]} else {state: 1, request: {operand: 0, select: {
  whole: {path: ["f", "b"]}, none: {path: ["f", "z", "y"]}, star: {path: ["f", "*", "x"], rows: "array", summary: ["d", "v"]},
  rows: {path: ["f", "a", "x"], rows: "array", where: [{field: "d", from: "2024-01-15", to: null}], keep: ["v"]},
  fold: {path: ["f", "a", "x"], rows: "array", where: [{field: "k", in: ["p"], fold: true}], keep: ["k"]},
  not: {path: ["f", "a", "x"], rows: "array", where: [{field: "v", min: 6, not: true}], keep: ["v"]},
  any: {path: ["c"], rows: "columns", where: [{any: [{field: "k", is: "p"}, {field: "n", is: "3.50"}]}]},
  last: {path: ["c"], rows: "columns", limit: 1, last: true}, members: {path: ["m"], members: true},
  map: {path: ["m"], rows: "members", where: [{field: "t", starts: "MS"}]}, pick: {path: ["f", "*"], pick: ["y"]},
  element: {path: ["f", "a", "x", 1, "k"]}}}} end;
J
  run --separate-stderr bid-fetch narrow n.json
  equal "$status" 0
  local got
  got=$(jq -r .rawContent <<<"$output")
  equal "$(jq -cS 'del(.star, .any, .last)' <<<"$got")" '{"element":"q","fold":{"matched":1,"rows":[{"k":"P"}],"total":2},"map":{"matched":1,"rows":[{"t":"MSFT"}],"total":2},"members":["0","1"],"none":null,"not":{"matched":1,"rows":[{"v":5}],"total":2},"pick":[{"path":["a"],"value":{}},{"path":["b"],"value":{}}],"rows":{"matched":1,"rows":[{"v":7}],"total":2},"whole":{"x":[]}}'
  equal "$(jq -c '[.star[] | [.path[0], .value.total, .value.ranges]]' <<<"$got")" '[["a",2,{"d":["2024-01-02","2024-02-02"],"v":[5,7]}],["b",0,{}]]'
  contains "$got" '"any":{"rows":[{"k":"p","n":1},{"k":"r","n":3.50}],"total":3,"matched":2}'
  contains "$got" '"last":{"rows":[{"k":"r","n":3.50}],"total":3,"matched":3}'
}

@test "file: folders, archives, compressed files, submissions in parts" {
  need zip tar zstd
  mkdir -p in/sub
  printf '<html><body>one</body></html>' >in/a.htm
  printf 'caf\351' >in/sub/b.txt
  printf '{"a":1}' >in/c.json
  (cd in && zip -q ../z.zip a.htm sub/b.txt && tar cf ../t.tar.gz --use-compress-program=gzip sub c.json)
  zstd -q in/c.json -o c.json.zst
  run --separate-stderr bid-fetch file in z.zip t.tar.gz c.json.zst
  equal "$status" 0
  equal "$(jq -r '[(.sourceUrl | split("/")[-1]), .contentType, .rawEncoding // "text"] | join(" ")' <<<"$output" | tr '\n' ',')" \
    "a.htm text/html text,c.json application/json text,b.txt text/plain base64,z.zip#a.htm text/html text,b.txt text/plain base64,b.txt text/plain base64,t.tar.gz#c.json application/json text,c.json.zst application/json text,"
  run --separate-stderr bid-fetch file z.zip -P 'members=*.htm'
  equal "$(jq -r .metadata.member <<<"$output")" a.htm
  printf '<SEC-DOCUMENT>x.txt : 20250101\n<SEC-HEADER>x.hdr.sgml : 20250101\nACCESSION NUMBER:\t\t0000000001-25-000001\nCONFORMED SUBMISSION TYPE:\t8-K\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>8-K\n<SEQUENCE>1\n<FILENAME>a.htm\n<TEXT>\n<html>hi</html>\n</TEXT>\n</DOCUMENT>\n<DOCUMENT>\n<TYPE>EX-99.1\n<SEQUENCE>2\n<FILENAME>b.txt\n<TEXT>\nthere\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n' >s.txt
  run --separate-stderr bid-fetch file s.txt
  equal "$(jq -r '[.metadata.form, .metadata.documentType, .contentType, (.sourceUrl | split("#")[1])] | join(" ")' <<<"$output" | tr '\n' ',')" \
    "8-K 8-K text/html part=1,8-K EX-99.1 text/plain part=2,"
}

@test "a job with a NUL is no job of what stands before it" {
  local member
  for member in '"sources":["mock\u0000x"]' '"sources":["mock"],"entity":{"id":"AAPL\u0000x"}' '"sources":["mock"],"params":{"a\u0000b":"1"}' \
    '"sources":["mock"],"period":"2024\\\u0000"'; do
    run --separate-stderr bid-fetch <<<"{$member}"
    equal "$(jq -r .error.category <<<"$output")" invalid-request
    contains "$stderr" "has a NUL"
  done
  run --separate-stderr bid-fetch <<<'{"sources":["mock"],"entity":{"id":"A\\u0000x"}}'
  equal "$status $(jq -r .entity.id <<<"$output")" '0 A\u0000x'
}

@test "file: what cannot be read is an error of its own" {
  need zip
  printf 'some text that is long enough to be deflated, deflated, deflated, deflated' >a.txt
  zip -q z.zip a.txt
  head -c 60 z.zip >cut.zip
  run --separate-stderr bid-fetch file nosuch cut.zip a.txt
  equal "$status" 1
  equal "$(jq -r '.error.category // .contentType' <<<"$output" | tr '\n' ' ')" "no-content invalid-request text/plain "
}

@test "--offline has what the cache has, and says what it has not" {
  run --separate-stderr bid-fetch sec-submissions -e 320193 --offline
  equal "$status" 69
  contains "$output" "not in the cache"
}

@test "stdout that cannot be written is status 74; a closed pipe is quiet" {
  run bash -c 'bid-fetch mock -n 5 >/dev/full'
  equal "$status" 74
  run bash -c 'bid-fetch mock -n 1000 | head -1 | wc -l; exit ${PIPESTATUS[0]}'
  equal "${lines[0]}" 1
  equal "${#lines[@]}" 1
}

@test "--quota shows nothing where nothing was used, and help and version work" {
  run --separate-stderr bid-fetch --quota
  equal "$status" 0
  equal "$output" ""
  run --separate-stderr bid-fetch --help
  equal "$status" 0
  contains "$output" "--describe=SOURCE"
  run --separate-stderr bid-fetch --version
  equal "${lines[0]}" "bid-fetch $(cat "$ROOT/data/VERSION")"
}

@test "without a home there is a clear message" {
  run --separate-stderr env -u HOME -u BID_CACHE -u BID_STATE -u XDG_CACHE_HOME -u XDG_STATE_HOME bid-fetch mock
  equal "$status" 78
  contains "$stderr" "neither BID_STATE nor HOME is set"
}

@test "an error says which job it is of, and about which request; two jobs never give the same line" {
  connector two <<'JQ'
def declare: {description: "asks twice", hosts: ["a.example.org"], parameters: [{name: "entity", description: "e"}, {name: "concept", description: "c"}]};
def step: {error: {category: "no-content", message: "nothing"}};
JQ
  printf '%s\n' '{"sources":["two"],"entity":{"id":"AAPL"},"period":2024}' '{"sources":["two"],"entity":{"id":"MSFT"}}' \
    '{"sources":["two"],"entity":{"id":"MSFT"}}' '{"sources":["two"],"job":"x"}' >jobs.ndjson
  run --separate-stderr bid-fetch <jobs.ndjson
  equal "$(jq -c '[.job, .entity.id, .period]' <<<"$output" | tr '\n' ' ')" '[1,"AAPL","2024"] [2,"MSFT",null] [3,"MSFT",null] ["x",null,null] '
  equal "$(sort <<<"$output" | uniq -d)" ""
  equal "$(sort <<<"$stderr" | uniq -d)" ""
  contains "$stderr" 'bid-fetch: job 2: two: nothing'
}

@test "members of a job that nobody can use are errors: what is no text, lists of parameters, typing errors" {
  connector two <<'JQ'
def declare: {description: "takes a concept", hosts: [], parameters: [{name: "concept", description: "c"}]};
def step: {payloads: [{text: (.job.params.concept // "none")}]};
JQ
  printf '%s\n' '{"sources":[5,null]}' '{"sources":["two"],"concept":["Assets","NetIncomeLoss"]}' '{"sources":["two"],"concpt":"Assets"}' \
    '{"sources":["two"],"parameters":{"concept":"Assets"}}' '{"sources":["two"],"anything":[1],"until":"2024-01-01"}' >jobs.ndjson
  run --separate-stderr bid-fetch <jobs.ndjson
  equal "$(jq -r '.error.message // .rawContent' <<<"$output")" 'line 1: "sources" is a list of texts; there is 5, null
"concept" takes one value, not a list or an object
a job has no member "concpt"; the nearest is "concept"
Assets
none'
  equal "$(jq -r 'select(.sourceUrl) | .sourceUrl' <<<"$output" | sort -u)" "two:"
}

@test "the rows of a payload are numbered as they stand in the table" {
  connector table <<'JQ'
def declare: {description: "rows", hosts: [], parameters: [{name: "operands", description: "files"}]};
def step: {request: {operand: 0, stream: {format: "csv", batch: 2, where: [{field: "a", in: ["2", "5", "6"]}]}}};
JQ
  printf 'a\n1\n2\n3\n4\n5\n6\n7\n' >t.csv
  run --separate-stderr bid-fetch table t.csv
  equal "$(jq -r '.sourceUrl | sub(".*#"; "")' <<<"$output" | tr '\n' ' ')" "row=2-5 row=6-6 "
  equal "$(jq -c .metadata.rows <<<"$output" | tr '\n' ' ')" "2 1 "
}
