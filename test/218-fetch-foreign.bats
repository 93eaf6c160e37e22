#!/usr/bin/env bats
# bid-fetch: connectors of others, which try more than a source needs.
# shellcheck disable=SC2154

load helper

setup_file() { upstream_start; }
teardown_file() { upstream_stop; }
test_setup() {
  mkdir -p connectors "$XDG_CONFIG_HOME/bid"
  export BID_CONNECTORS=$BATS_TEST_TMPDIR/connectors
}

# connector HOSTS RATE REQUEST [STEP]: the connector "guest", which makes that request.
connector() {
  printf 'def declare: {description: "a guest", hosts: %s, rateLimit: %s, keyVariable: "WEB_KEY", parameters: []};\ndef step: {request: ({payload: {kind: "page"}} + %s)};\n' \
    "$1" "$2" "$3" >connectors/guest.jq
}
guest() { run --separate-stderr timeout 60 bid-fetch "$@" guest; }
requests() { if [ -f "$UPSTREAM_LOG" ]; then wc -l <"$UPSTREAM_LOG"; else echo 0; fi; }
quick='{requestsPerSecond: 1000, burstSize: 100}'

@test "a host by another name, which the SEC's budget would not know, is refused" {
  upstream_again '*=body:x'
  local host
  for host in www.sec.gov. www..sec.gov .www.sec.gov; do
    connector "[\"$host\"]" "$quick" "{url: \"https://$host/x\"}"
    guest
    [ "$status" -ne 0 ] || { echo "$host"; false; }
    contains "$output" "$host"
  done
  equal "$(requests)" 0
}

@test "no other host's answer has everybody sent away from the SEC" {
  upstream_again 'other.example/*=block:403'
  connector '["other.example"]' '{requestsPerSecond: 1000, domain: "sec.gov"}' '{url: "https://other.example/x"}'
  guest
  equal "$status" 77
  equal "$(bid-fetch --quota | jq -r '.domain' | sort -u)" other.example
  [ ! -e "$BID_STATE/ledger/sec.gov" ]
}

@test "a redirect to the SEC is a request to the SEC, within its budget" {
  export BID_HASTE=1 # the pace is what is tested
  upstream_again 'other.example/*=redirect:https://www.sec.gov/y' 'www.sec.gov/y=body:x'
  local i
  connector '["other.example", "www.sec.gov"]' "$quick" '{url: "https://other.example/\(.job.params.n)"}'
  sed -i 's/parameters: \[\]/parameters: [{name: "n"}]/' connectors/guest.jq
  for i in 1 2 3 4 5; do printf '{"sources":["guest"],"params":{"n":"%s"}}\n' $i; done >jobs
  run --separate-stderr bid-fetch <jobs
  equal "$status" 0
  equal "$(bid-fetch --quota | jq -c 'select(.domain == "sec.gov") | .requests')" 5
  equal "$(upstream_log | jq -s '[.[] | select(.host == "www.sec.gov") | .start] | length == 5 and .[4] - .[0] > 0.3')" true
}

@test "a redirect to the SEC that it answers with its page for being too fast stops everyone; one away from it does not" {
  upstream_again 'other.example/*=redirect:https://www.sec.gov/y' 'www.sec.gov/y=block:403'
  connector '["other.example", "www.sec.gov"]' "$quick" '{url: "https://other.example/x"}'
  guest
  equal "$status" 75
  equal "$(bid-fetch --quota | jq -r 'select(.blockedUntil) | .domain')" sec.gov
  bid-fetch --unblock sec.gov 2>/dev/null
  upstream_fault 'www.sec.gov/*=redirect:https://other.example/y' 'other.example/y=block:403'
  connector '["other.example", "www.sec.gov"]' "$quick" '{url: "https://www.sec.gov/x"}'
  guest
  equal "$status" 77
  equal "$(bid-fetch --quota | jq -r 'select(.blockedUntil) | .domain')" ''
}

@test "what one connector got by a redirect is no answer to another that doesn't declare that host" {
  upstream_again 'upstream.example/*=redirect:https://other.example/y' 'other.example/y=body:planted'
  connector '["upstream.example", "other.example"]' "$quick" '{url: "https://upstream.example/x", immutable: true}'
  guest
  equal "$(jq -r .rawContent <<<"$output")" planted
  connector '["upstream.example", "other.example"]' "$quick" '{url: "https://upstream.example/x", immutable: true} '
  guest
  equal "$(jq -r .rawContent <<<"$output")" planted
  equal "$(requests)" 2
  sed 's/, "other.example"//' connectors/guest.jq >connectors/honest.jq
  run --separate-stderr bid-fetch honest
  equal "$status" 69
  contains "$output" "redirected to other.example, a host that is not declared"
  run --separate-stderr bid-fetch --offline honest
  [ "$status" -ne 0 ]
}

@test "no connector slows the SEC's hosts, or those of others, down for everybody" {
  upstream_again '*=body:x'
  connector '["www.sec.gov"]' '{requestsPerSecond: 0.002, serial: true}' '{url: "https://www.sec.gov/x"}'
  guest
  SECONDS=0
  guest --refresh
  equal "$status" 0
  [ "$SECONDS" -lt 10 ]
  connector '["other.example"]' '{requestsPerSecond: 0.002, serial: true, domain: "stlouisfed.org"}' '{url: "https://other.example/x"}'
  guest
  equal "$status" 0
  [ ! -e "$BID_STATE/ledger/stlouisfed.org" ]
  connector '["a.other.example"]' '{requestsPerSecond: 100, domain: "other.example"}' '{url: "https://a.other.example/x"}'
  guest
  [ -e "$BID_STATE/ledger/other.example" ]
  [ ! -e "$BID_STATE/ledger/a.other.example" ]
}

@test "a header's name is a name: none that libcurl takes for another" {
  upstream_again '*=body:x'
  local name
  for name in 'User-Agent;' 'Host;' 'User-Agent ' 'X Y' 'X\u0000' ''; do
    connector '["other.example"]' "$quick" "{url: \"https://other.example/x\", headers: {\"$name\": \"x\"}}"
    guest
    [ "$status" -ne 0 ] || { echo "taken: $name"; false; }
    contains "$output" "a header of a request is malformed"
  done
  equal "$(requests)" 0
}

@test "a key's header is a name, and none that frames a request" {
  printf 'WEB_KEY\tother.example\n' >"$XDG_CONFIG_HOME/bid/keys.tsv"
  export WEB_KEY=secret123verysecret
  upstream_again '*=body:x'
  local name
  for name in 'Host' 'Cookie' 'X: y\r\nHost' 'X;' ''; do
    connector '["other.example"]' "$quick" "{url: \"https://other.example/x\", key: {header: \"$name\"}}"
    guest
    [ "$status" -ne 0 ] || { echo "taken: $name"; false; }
    contains "$output" "a key may not be sent in the header"
  done
  equal "$(requests)" 0
}

@test "a key for an address that is none, or for a file, is said as what it is" {
  export WEB_KEY=secret123verysecret
  local url
  for url in 'http://other.example/x' 'https://other.example:8443/x' 'https://[::1]/x' 'https://u@other.example/x' 'x'; do
    connector '["other.example"]' "$quick" "{url: \"$url\", key: {query: \"k\"}}"
    guest
    [ "$status" -ne 0 ]
    contains "$output" "not an https address that may be asked: $url"
  done
  echo text >file.txt
  connector '["other.example"]' "$quick" '{operand: 0, key: {query: "k"}}'
  sed -i 's/parameters: \[\]/parameters: [{name: "operands"}]/' connectors/guest.jq
  run --separate-stderr bid-fetch guest file.txt
  equal "$(jq -c .rawContent <<<"$output")" "\"text\\n\""; equal "$status" 0
}

@test "no connector gives its payload the address of another source's document" {
  local url
  says() {
    printf 'def declare: {description: "a guest", hosts: ["other.example"], parameters: []};\ndef step: {payloads: [{text: "own", sourceUrl: "%s"}]};\n' \
      "$1" >connectors/guest.jq
    guest
  }
  for url in https://www.sec.gov/Archives/x.htm HTTPS://www.sec.gov/x http://other.example/x https://other.example:99/x file:///etc/passwd File:x; do
    says "$url"
    equal "$status $(jq -r .error.category <<<"$output")" "70 internal" || { echo "$url: $output"; false; }
  done
  for url in https://other.example/y own:1; do
    says "$url"
    equal "$status $(jq -r .sourceUrl <<<"$output")" "0 $url"
  done
}

@test "a variable that is no key's is not taken out of other sources' documents" {
  export WEB_KEY=ordinary
  upstream_again '*=body:an ordinary word'
  connector '["other.example"]' "$quick" '{url: "https://other.example/x"}'
  run --separate-stderr bid-fetch guest,mock
  equal "$(jq -r 'select(.source == "guest").rawContent' <<<"$output")" "an ordinary word"
  printf 'WEB_KEY\tother.example\n' >"$XDG_CONFIG_HOME/bid/keys.tsv"
  run --separate-stderr bid-fetch guest,mock
  equal "$(jq -r 'select(.source == "guest").rawContent' <<<"$output")" "an REDACTED word"
}

@test "what was fetched with a header is no answer to a request without it" {
  upstream_again
  connector '["other.example"]' "$quick" '{url: "https://other.example/x", immutable: true, headers: {"Accept-Language": "fr"}}'
  upstream_fault 'other.example/x=body:en anglais'
  guest
  equal "$(jq -r .rawContent <<<"$output")" "en anglais"
  connector '["other.example"]' "$quick" '{url: "https://other.example/x", immutable: true}'
  upstream_fault 'other.example/x=body:plain'
  guest
  equal "$(jq -r .rawContent <<<"$output")" plain
}

@test "a body in memory has a ceiling that no connector lifts" {
  upstream_again '*=length:20000000000'
  connector '["other.example"]' "$quick" '{url: "https://other.example/x", maxBytes: 1000000000000000}'
  guest
  equal "$status" 69
  contains "$output" "larger than 536870912 bytes"
}

@test "a connector whose file can't be read for a moment is not given what another one declares" {
  local name
  mkdir -p connectors
  export BID_CONNECTORS=$PWD/connectors
  for name in one two three; do
    cat >"connectors/$name.jq" <<J
def declare: {description: "the source $name", hosts: ["$name.example"], rateLimit: {requestsPerSecond: 1, burstSize: 1}, parameters: []};
def step: {payloads: []};
J
  done
  cat >once.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
/* Each of the three is not opened the first time, by the parent for its digest. */
int open(const char *path, int flags, ...) {
  static const char *const names[] = {"/one.jq", "/two.jq", "/three.jq"};
  static int seen[3];
  for (int i = 0; i < 3; i++)
    if (strstr(path, names[i]) && !seen[i]++) {
      errno = EMFILE;
      return -1;
    }
  return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open"))(path, flags, 0600);
}
C
  cc -shared -fPIC -o once.so once.c -ldl
  local asan=
  if nm -D "$BID_BIN/bid-fetch" 2>/dev/null | grep -q __asan; then asan=$(cc -print-file-name=libasan.so):; fi
  for _ in 1 2; do
    run --separate-stderr env LD_PRELOAD="$asan$PWD/once.so" ASAN_OPTIONS=detect_leaks=0 bid-fetch --list --json
    for name in one two three; do
      equal "$(jq -r "select(.name == \"$name\") | [.description, .hosts[0]] | join(\" \")" <<<"$output")" "the source $name $name.example"
    done
  done
}

@test "a folder of connectors that can't be read is said, not left out" {
  mkdir -p connectors
  export BID_CONNECTORS=$PWD/connectors
  printf '#include <dirent.h>\n#include <errno.h>\nDIR *opendir(const char *p) { (void)p; errno = EMFILE; return 0; }\n' >no.c
  cc -shared -fPIC -o no.so no.c
  local asan=
  if nm -D "$BID_BIN/bid-fetch" 2>/dev/null | grep -q __asan; then asan=$(cc -print-file-name=libasan.so):; fi
  run --separate-stderr env LD_PRELOAD="$asan$PWD/no.so" ASAN_OPTIONS=detect_leaks=0 bid-fetch --list --json
  [ "$status" -ne 0 ]
  contains "$stderr" "Too many open files: sources may be missing"
  # Nor one that can't be read to its end.
  printf '#include <dirent.h>\n#include <errno.h>\nstruct dirent *readdir(DIR *d) { (void)d; errno = EIO; return 0; }\n' >part.c
  cc -shared -fPIC -o part.so part.c
  run --separate-stderr env LD_PRELOAD="$asan$PWD/part.so" ASAN_OPTIONS=detect_leaks=0 bid-fetch --list --json
  [ "$status" -ne 0 ]
  contains "$stderr" "Input/output error: sources may be missing"
}

@test "a connector that is there and can't be read is an error, not the shipped one of its name" {
  mkdir -p connectors
  ln -s mock.jq connectors/mock.jq
  BID_CONNECTORS=$PWD/connectors run --separate-stderr bid-fetch mock
  [ "$status" -ne 0 ]
  contains "$stderr" "connectors/mock.jq: Too many levels of symbolic links"
}

@test "no connectors at all are an error" {
  [ ! -e /usr/local/share/bid/connectors ] || skip "BID is installed"
  mkdir -p alone
  cp "$BID_BIN/bid-fetch" alone/
  run --separate-stderr env -u BID_DATA -u BID_CONNECTORS "$PWD/alone/bid-fetch" --list
  [ "$status" -ne 0 ]
  contains "$stderr" "no connectors there"
}
