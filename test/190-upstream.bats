#!/usr/bin/env bats
# The local upstream itself: what every other fetch test stands on.

load helper

test_setup() {
  need curl
  upstream_start
  URL=https://data.sec.gov/submissions/CIK0009990001.json
}

ask() { curl -sS --cacert "$BID_CA_FILE" --connect-to "::$BID_CONNECT_TO" --max-time 5 "$@"; }
code() { ask -o /dev/null -w '%{http_code}' "$@"; }

@test "queries are compared as sets, keys left out" {
  local base=https://api.stlouisfed.org/fred/series
  equal "$(code "$base?series_id=GDP&file_type=json")" 200
  equal "$(code "$base?file_type=json&api_key=secret&series_id=GDP")" 200
  equal "$(code "$base?series_id=GDP")" 404
  equal "$(code "$base?series_id=GDP&file_type=json&limit=1")" 404
}

@test "statuses and headers of the files beside an answer are kept" {
  need_shared
  local base=https://www.sec.gov/Archives/edgar/full-index
  equal "$(code "$base/2099/QTR1/form.gz")" 403
  contains "$(ask "$base/2099/QTR1/form.gz")" AccessDenied
  equal "$(code "$base/2026/QTR1/form.gz")" 404
  equal "$(code -H 'If-None-Match: "fa8cd11fc8f538d5e6d2671b1900ba71"' "$base/2026/QTR1/form.gz")" 304
  equal "$(code -H 'If-Modified-Since: Sat, 27 Jun 2026 07:11:02 GMT' "$base/2026/QTR1/form.gz")" 304
}

@test "a changed answer has another tag; gzip where it is asked for" {
  local tag
  tag=$(ask -o /dev/null -D - "$URL" | tr -d '\r' | sed -n 's/^ETag: //p')
  equal "$(code -H "If-None-Match: $tag" "$URL")" 304
  equal "$(code -H 'If-None-Match: "other"' "$URL")" 200
  equal "$(ask "$URL" | sha256sum)" "$(ask --compressed "$URL" | sha256sum)"
  [ "$(ask -H 'Accept-Encoding: gzip' "$URL" | wc -c)" -lt "$(ask "$URL" | wc -c)" ]
}

@test "a root that is given comes first, and the recorded ones stay reachable" {
  upstream_stop
  mkdir -p first/data.sec.gov/submissions first/new.example
  echo '{"mine":1}' >first/data.sec.gov/submissions/CIK0009990001.json
  echo '{}' >first/new.example/x.json
  upstream_start --root "$PWD/first"
  equal "$(ask "$URL")" '{"mine":1}'
  equal "$(ask https://new.example/x.json)" '{}'
  equal "$(code https://data.sec.gov/submissions/CIK0009990002.json)" 200
}

@test "faults: so many times, then good; changed while it runs" {
  upstream_fault 'data.sec.gov/*=503@2' 'www.sec.gov/*=429:7'
  equal "$(code "$URL") $(code "$URL") $(code "$URL")" '503 503 200'
  contains "$(ask -D - https://www.sec.gov/x)" 'Retry-After: 7'
  upstream_fault 'data.sec.gov/*=redirect:https://other.example/y?a=b'
  contains "$(ask -D - "$URL")" 'Location: https://other.example/y?a=b'
  upstream_fault
  equal "$(code "$URL")" 200
}

@test "faults on the way: slow, stalled, truncated, reset, refused, huge" {
  upstream_fault 'data.sec.gov/*=slow:0.3'
  [ "$(ask -o /dev/null -w '%{time_total}' "$URL" | tr -d .)" -ge 0300000 ]
  upstream_fault 'data.sec.gov/*=truncate:100'
  run ask "$URL"
  [[ $status == 18 || $status == 56 ]] # a newer curl's
  upstream_fault 'data.sec.gov/*=stall:10'
  run ask --max-time 1 "$URL"
  equal "$status" 28
  upstream_fault 'data.sec.gov/*=reset'
  run ask "$URL"
  equal "$status" 56
  upstream_fault 'data.sec.gov/*=refuse'
  run ask "$URL"
  equal "$status" 35
  upstream_fault 'data.sec.gov/*=huge:1000000'
  equal "$(ask "$URL" | wc -c)" 1000000
  upstream_fault 'data.sec.gov/*=bomb:64e6'
  [ "$(ask -H 'Accept-Encoding: gzip' "$URL" | wc -c)" -lt 200000 ]
}

@test "the log says who asked for what, when, and over which connection" {
  code "$URL" >/dev/null
  code "$URL?x=1" >/dev/null
  equal "$(upstream_log '[.host, .path, .query, .status]')" \
    $'["data.sec.gov","/submissions/CIK0009990001.json","",200]\n["data.sec.gov","/submissions/CIK0009990001.json","x=1",404]'
  equal "$(upstream_log 'select(.end >= .start) | .connection' | sort -u | wc -l)" 2
}

@test "a wrong rule is refused; a server whose starter is gone ends" {
  run python3 "$ROOT/test/upstream.py" --dir "$PWD/d" --fault 'no rule'
  equal "$status" 2
  bash -c ". '$ROOT/test/upstream.bash'; BATS_TEST_TMPDIR=$PWD upstream_start; echo \$UPSTREAM_PID" >pid 3>&- &
  wait $!
  local i
  for i in $(seq 50); do
    kill -0 "$(cat pid)" 2>/dev/null || return 0
    sleep 0.1
  done
  echo "still there after $i tries" >&2
  kill "$(cat pid)"
  false
}
