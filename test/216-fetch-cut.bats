#!/usr/bin/env bats
# bid-fetch and bodies that are cut: only whole ones are kept.
load helper

test_setup() {
  mkdir -p connectors root/upstream.example
  export BID_CONNECTORS=$BATS_TEST_TMPDIR/connectors
  cat >connectors/web.jq <<'J'
def declare: {description: "any page of a test server", hosts: ["upstream.example"],
  rateLimit: {requestsPerSecond: 1000, burstSize: 100, domain: "web"}, parameters: [{name: "path"}, {name: "truncate"}]};
def step: {request: {url: "https://upstream.example/\(.job.params.path)", payload: {kind: "page"}, maxAge: 3600,
  truncate: (.job.params.truncate == "1")}};
J
  for i in $(seq 2000); do echo "<p>line $i of a page</p>"; done >root/upstream.example/page.htm
  upstream_start --root "$PWD/root"
}

page() { run --separate-stderr timeout 60 bid-fetch --quiet web -P "path=$1" "${@:2}"; }
nothing_kept() {
  equal "$(grep -rlE 'line 1 of|^sho' "$BID_CACHE")" ""
  equal "$(grep -rl upstream.example/ "$BID_CACHE/answers")" ""
}
body() { jq -r .rawContent <<<"$output"; }

@test "a gzip body that ends in the middle is an error, and nothing of it stays" {
  upstream_fault 'upstream.example/page.htm=cutgzip'
  page page.htm
  [ "$status" -ne 0 ]
  equal "$(jq -r .error.category <<<"$output")" unavailable
  contains "$output" "the body ends early"
  nothing_kept
  upstream_fault 'upstream.example/page.htm=cutgzip@1' # tried again at once
  page page.htm
  equal "$status" 0
  equal "$(body)" "$(cat root/upstream.example/page.htm)"
}

@test "a body without a length that TLS ends is whole" {
  upstream_fault 'upstream.example/page.htm=close'
  page page.htm
  equal "$status" 0
  equal "$(body)" "$(cat root/upstream.example/page.htm)"
}

@test "a body without a length whose connection is cut is an error, and nothing of it stays" {
  local f
  printf 'short' >root/upstream.example/short.txt
  printf 's' >root/upstream.example/nothing-yet.txt # of which no byte comes
  for f in page.htm short.txt nothing-yet.txt; do
    upstream_fault "upstream.example/$f=cutoff"
    page "$f"
    [ "$status" -ne 0 ]
    equal "$(jq -r .error.category <<<"$output")" unavailable
    nothing_kept
  done
}

@test "a body shorter than announced is an error" {
  upstream_fault 'upstream.example/page.htm=truncate'
  page page.htm
  [ "$status" -ne 0 ]
  nothing_kept
}

@test "packed bodies come out as they went in" {
  page page.htm
  equal "$(body)" "$(cat root/upstream.example/page.htm)"
  equal "$(upstream_log '.path' | wc -l)" 1
}

@test "an answer whose headers are cut, or whose length is no number or two, is an error, and nothing of it stays" {
  local raw
  for raw in 'HTTP/1.1 200 OK\r\nContent-Len' 'HTTP/1.1 200 OK\r\nContent-Length: 1e3\r\n\r\nshort' \
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 5\r\n\r\nshort'; do
    printf '%b' "$raw" >raw
    upstream_fault "upstream.example/short.txt=raw:$PWD/raw"
    page short.txt
    [ "$status" -ne 0 ] || { echo "$raw: $output"; false; }
    nothing_kept
  done
  printf 'HTTP/29 x\r\nContent-Length: 5\r\n\r\nshort' >raw
  page short.txt
  equal "$(jq -r .error.message <<<"$output")" "the headers end early, or are none"
  printf 'HTTP/2 2002\n\nshort' >raw
  page short.txt
  equal "$(jq -r .error.message <<<"$output")" "the headers end early, or are none"
  printf 'HTTP/1.1 103 Early Hints\r\nContent-Length: 99\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nshort' >raw
  upstream_fault "upstream.example/short.txt=raw:$PWD/raw"
  page short.txt
  equal "$status" 0
  equal "$(body)" short
}

@test "a body that is packed twice, or in what was not asked for however that is said, is an error, and nothing of it stays" {
  local lines
  gzip -c root/upstream.example/page.htm >one.gz
  gzip -c one.gz >two.gz
  for lines in 'Content-Encoding: gzip\r\nContent-Encoding: gzip' 'Content-Encoding: gzip, identity, identity, identity, gzip' \
    'Content-Encoding:\r\n gzip' 'Content-Encoding: gzip\r\n , gzip' 'Content-Encoding : br' 'Transfer-Encoding: gzip'; do
    { printf "HTTP/1.1 200 OK\\r\\n$lines\\r\\n\\r\\n" && cat two.gz; } >raw
    upstream_fault "upstream.example/page.htm=raw:$PWD/raw"
    page page.htm
    [ "$status" -ne 0 ] || { echo "$lines: $output" | head -c 300; false; }
    nothing_kept
  done
  { # libcurl would undo this one, and take what is cut for whole
    printf 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n%x\r\n' 3000
    head -c 3000 one.gz
    printf '\r\n0\r\n\r\n'
  } >raw
  page page.htm
  [ "$status" -ne 0 ]
  nothing_kept
  { printf 'HTTP/1.1 200 OK\r\nContent-Encoding : gzip\t\r\n\r\n' && cat one.gz; } >raw
  page page.htm
  equal "$status" 0
  equal "$(body)" "$(cat root/upstream.example/page.htm)"
}

@test "headers that libcurl reads otherwise do not make a cut body whole" {
  local lines
  for lines in 'Content-Length : 99' 'Content-Length\t: 5' 'Transfer-Encoding : chunked' 'Transfer-Encoding: identity' \
    'Content-Length: 99\r\nTransfer-Encoding: identity' 'Content-Length: 9999999999999999999'; do
    printf '%b' "HTTP/1.1 200 OK\r\n$lines\r\n\r\nshort" >raw
    upstream_fault "upstream.example/short.txt=rawcut:$PWD/raw"
    page short.txt -P truncate=1
    [ "$status" -ne 0 ] || { echo "$lines: $output"; false; }
    nothing_kept
  done
  printf 'HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nshort' >raw
  upstream_fault "upstream.example/short.txt=raw:$PWD/raw"
  page short.txt
  equal "$status $(body)" "0 short"
}

@test "a header called like a status line begins no other answer, in which a cut body would be whole" {
  gzip -c root/upstream.example/page.htm >page.gz
  {
    printf 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\nHTTP/x: y\r\n\r\n%x\r\n' 3000
    head -c 3000 page.gz
    printf '\r\n0\r\n\r\n'
  } >raw
  upstream_fault "upstream.example/page.htm=raw:$PWD/raw"
  page page.htm
  [ "$status" -ne 0 ]
  nothing_kept
}

@test "a gzip body of no byte is an error; one of a status that has no body is none" {
  local length
  for length in 'Content-Length: 0' 'Connection: close'; do
    printf '%b' "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n$length\r\n\r\n" >raw
    upstream_fault "upstream.example/page.htm=raw:$PWD/raw"
    page page.htm
    equal "$(jq -r .error.message <<<"$output")" "the body ends early"
    nothing_kept
  done
  printf 'HTTP/1.1 404 No\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n' >raw
  page page.htm
  equal "$(jq -r .error.category <<<"$output")" no-content
}

@test "what an early hint says is not said of the answer; a wait without end is none" {
  printf 'HTTP/1.1 103 Early Hints\r\nContent-Type: application/pdf\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nshort' >raw
  upstream_fault "upstream.example/short.txt=raw:$PWD/raw"
  page short.txt
  equal "$(jq -r .contentType <<<"$output")" ""
  printf 'HTTP/1.1 503 No\r\nRetry-After: inf\r\nContent-Length: 0\r\n\r\n' >raw
  page later.txt
  equal "$(jq -c '.error | has("retryAfter")' <<<"$output")" false
}

# A server that ends its first connection properly, and later cuts the second in the middle of a body without a length.
closing() { # PORT-FILE
  exec python3 - "$1" "$UPSTREAM_DIR" <<'EOF'
import os, socket, ssl, sys, threading, time
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[2] + "/own.pem", sys.argv[2] + "/own.key")

def serve(sock, number):
    c = context.wrap_socket(sock, server_side=True)
    c.recv(65536)
    if number == 0:
        c.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst")
        c.unwrap()
    elif number == 1:
        c.sendall(b"HTTP/1.1 200 OK\r\n\r\nthe wh")
        sock = c.detach()
        os.close(sock)
    else:
        c.sendall(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")

s = socket.create_server(("127.0.0.1", 0))
with open(sys.argv[1] + ".new", "w") as f:
    f.write(str(s.getsockname()[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
for number in range(99):
    threading.Thread(target=serve, args=(s.accept()[0], number), daemon=True).start()
EOF
}

@test "the proper end of an idle connection is not that of another one, whose body is cut" {
  need openssl
  openssl req -x509 -newkey rsa:2048 -nodes -keyout "$UPSTREAM_DIR/own.key" -out "$UPSTREAM_DIR/own.pem" -days 2 -subj /CN=upstream.example \
    -addext subjectAltName=DNS:upstream.example 2>/dev/null
  closing "$PWD/port" 3>&- &
  local server=$!
  until [ -s port ]; do sleep 0.05; kill -0 "$server"; done
  # libcurl looks at idle connections at most once a second
  run --separate-stderr env BID_CONNECT_TO="127.0.0.1:$(cat port)" BID_CA_FILE="$UPSTREAM_DIR/own.pem" timeout 60 bid-fetch --quiet \
    < <(echo '{"sources":["web"],"path":"a"}' && sleep 1.2 && echo '{"sources":["web"],"path":"b"}')
  kill "$server"
  equal "$(jq -r '.rawContent // .error.category' <<<"$output" | tr '\n' ' ')" "first no-content "
}

# A server that speaks HTTP/2 if it is asked to, and then resets the stream in the middle of the body without an error; by
# HTTP/1.1 it sends the body whole.
resetting() { # PORT-FILE
  exec python3 - "$1" "$UPSTREAM_DIR" <<'EOF'
import os, socket, ssl, struct, sys, threading, time
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[2] + "/h2.pem", sys.argv[2] + "/h2.key")
context.set_alpn_protocols(["h2", "http/1.1"])

def frame(kind, flags, stream, data):
    return struct.pack(">I", len(data))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + data

def exactly(c, n):
    data = b""
    while len(data) < n:
        data += c.recv(n - len(data)) or exit()
    return data

def serve(sock):
    c = context.wrap_socket(sock, server_side=True)
    if c.selected_alpn_protocol() != "h2":
        c.recv(65536)
        c.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 11\r\n\r\nthe wh" + b"ole.\n")
        return
    exactly(c, 24)
    c.sendall(frame(4, 0, 0, b""))
    while True:
        head = exactly(c, 9)
        length, kind, stream = int.from_bytes(head[:3], "big"), head[3], int.from_bytes(head[5:], "big")
        exactly(c, length)
        if kind == 1:  # the request: status 200 from the static table, a part of the body, RST_STREAM with NO_ERROR
            c.sendall(frame(1, 4, stream, b"\x88") + frame(0, 0, stream, b"the wh"))
            time.sleep(0.2)
            c.sendall(frame(3, 0, stream, bytes(4)))

s = socket.create_server(("127.0.0.1", 0))
with open(sys.argv[1] + ".new", "w") as f:
    f.write(str(s.getsockname()[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
while True:
    threading.Thread(target=serve, args=(s.accept()[0],), daemon=True).start()
EOF
}

@test "a body whose HTTP/2 stream is reset in the middle is not taken for whole" {
  need openssl
  openssl req -x509 -newkey rsa:2048 -nodes -keyout "$UPSTREAM_DIR/h2.key" -out "$UPSTREAM_DIR/h2.pem" -days 2 -subj /CN=upstream.example \
    -addext subjectAltName=DNS:upstream.example 2>/dev/null
  resetting "$PWD/port" 3>&- &
  local server=$!
  until [ -s port ]; do sleep 0.05; kill -0 "$server"; done
  BID_CONNECT_TO=127.0.0.1:$(cat port) BID_CA_FILE=$UPSTREAM_DIR/h2.pem page short
  kill "$server"
  [ "$status" -ne 0 ] || equal "$(body)" "the whole."
}
