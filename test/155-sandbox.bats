#!/usr/bin/env bats
# What parsers of hostile input have given up once they are at work.

load helper

test_setup() { rm "$BID_CACHE/computed"; } # connectors have to run

# $1: what the program is given on stdin once it waits for it.  Its /proc status, while it waits.
status_of() { # PROGRAM [ARGUMENT]...
  local pid
  mkfifo "$BATS_TEST_TMPDIR/in"
  "$@" <"$BATS_TEST_TMPDIR/in" >/dev/null 2>&1 &
  pid=$!
  exec 7>"$BATS_TEST_TMPDIR/in"
  for _ in $(seq 100); do
    grep -q '^Seccomp:[[:space:]]*2' "/proc/$pid/status" && break
    sleep 0.05
  done
  cat "/proc/$pid/status"
  exec 7>&-
  wait "$pid" || :
  rm "$BATS_TEST_TMPDIR/in"
}

@test "each parser at work has a filter for system calls and can't gain privileges" {
  local p s
  for p in bid-strip bid-chunk bid-embed; do
    s=$(status_of "$p")
    [[ $s =~ Seccomp:[[:space:]]*2 ]] || { echo "$p: $s"; false; }
    [[ $s =~ NoNewPrivs:[[:space:]]*1 ]] || { echo "$p: $s"; false; }
  done
}

@test "each program that reads or writes a store is held, too" {
  local p s
  for p in bid-index bid-search bid-verify 'bid-facts --for-plan' 'bid-facts --from - revenue' 'bid-diff - old.txt'; do
    # shellcheck disable=SC2086 # program and arguments
    s=$(status_of $p)
    [[ $s =~ Seccomp:[[:space:]]*2 && $s =~ NoNewPrivs:[[:space:]]*1 ]] || { echo "$p: $s"; false; }
  done
}

# child_status PATTERN COMMAND...: the /proc status of a child of COMMAND whose command line has PATTERN, once it is held.
child_status() {
  local pattern=$1 pid child
  shift
  "$@" >/dev/null 2>&1 &
  pid=$!
  for _ in $(seq 2000); do
    for child in $(pgrep -f -P "$pid" "$pattern" && pgrep -f -P "$(pgrep -d, -P "$pid")" "$pattern"); do
      grep -s . "/proc/$child/status" >child || continue
      if grep -q '^Seccomp:[[:space:]]*2' child; then break 2; fi
    done
    sleep 0.005
    kill -0 "$pid" 2>/dev/null || break
  done
  cat child
  kill "$pid" 2>/dev/null || :
  wait "$pid" || :
}

@test "the children that run a connector, --where and pdftotext are held, too" {
  upstream_start --fault '*=hang'
  bid-strip -q --raw "$ROOT"/data/sample/0009990001-25-000041.txt | bid-chunk -q | bid-embed -q | bid-index -q --collection finance_test_X_10-K >/dev/null
  local s
  s=$(child_status bid-fetch bid-fetch -q sec-submissions -e TWHL)
  [[ $s =~ Seccomp:[[:space:]]*2 && $s =~ NoNewPrivs:[[:space:]]*1 ]] || { echo "connector: $s"; false; }
  s=$(child_status bid-search bid-search --where '[limit(1000000; repeat(1))] | length > 1' risks)
  [[ $s =~ Seccomp:[[:space:]]*2 && $s =~ NoNewPrivs:[[:space:]]*1 ]] || { echo "--where: $s"; false; }
  s=$(child_status '^pdftotext' bid-strip --raw "$ROOT"/data/sample/*.pdf)
  [[ $s =~ Seccomp:[[:space:]]*2 && $s =~ NoNewPrivs:[[:space:]]*1 ]] || { echo "pdftotext: $s"; false; }
}

@test "a planted hole in a parser, a connector or --where reaches no network, no file, no program" {
  shipped # the sanitizers' own calls are allowed, and preloading gets in their way
  cc -shared -fPIC -D_GNU_SOURCE -o hole.so "$ROOT/test/data/hole.c" -ldl
  echo secret >secret
  cp /bin/true program # own, not installed
  export HOLE_FILE=$PWD/made HOLE_SECRET=$PWD/secret HOLE_PROGRAM=$PWD/program
  echo '<p>Some text of a filing.</p>' >page.htm
  bid-strip -q --raw page.htm >document
  bid-chunk -q <document >chunks
  bid-embed -q <chunks | bid-index -q --collection finance_test_X_10-K >/dev/null
  local command input
  while IFS=: read -r command input; do
    # shellcheck disable=SC2086 # program and arguments
    run --separate-stderr env LD_PRELOAD="$PWD/hole.so" $command <"${input:-/dev/null}"
    case $command in *fetch* | *search*) stderr=$(grep "^child's" <<<"$stderr") ;; esac
    [[ $stderr != *DONE* ]] || { echo "$command: $stderr"; false; }
    equal "$command $(grep 'Operation not permitted' <<<"$stderr" | sort -u | wc -l)" "$command 10"
    [ -e secret ]
    [ ! -e made ]
  done <<'COMMANDS'
bid-strip --raw -:page.htm
bid-chunk:document
bid-embed:chunks
bid-fetch -q mock:
bid-search --where true text:
COMMANDS
  # Operands have to be opened: reading them stays, all else goes.
  for command in "bid-strip --raw page.htm" "bid-strip --raw page.htm - page.htm" "bid-chunk document" "bid-embed chunks"; do
    # shellcheck disable=SC2086 # program and arguments
    run --separate-stderr env LD_PRELOAD="$PWD/hole.so" $command <page.htm
    [[ $output == *text* ]]
    contains "$stderr" "secret: Permission denied"
    equal "$command $(grep -c 'Operation not permitted\|Permission denied' <<<"$stderr")" "$command 10"
  done
}

@test "a planted hole in a program that writes a store reaches nothing but the store's folder" {
  shipped # sanitized programs don't use Landlock
  cc -shared -fPIC -D_GNU_SOURCE -o hole.so "$ROOT/test/data/hole.c" -ldl
  echo secret >secret
  cp /bin/true program # own, not installed
  export HOLE_FILE=$PWD/made HOLE_SECRET=$PWD/secret HOLE_PROGRAM=$PWD/program BID_STORE=$PWD/kept/store
  bid-strip -q --raw "$ROOT"/data/sample/0009990001-25-000041.txt | bid-chunk -q | bid-embed -q >embedded
  local command
  for command in "bid-index" "bid-index embedded"; do
    # shellcheck disable=SC2086 # program and arguments
    run --separate-stderr env LD_PRELOAD="$PWD/hole.so" $command <embedded
    equal "$status" 0
    contains "$output" '"added"'
    equal "$command $(sort <<<"$stderr")" "$command $(cat <<'SAID'
exec: Operation not permitted
keystrokes: Operation not permitted
limits: Operation not permitted
network: Operation not permitted
new file: Permission denied
rename: Operation not permitted
secret: Permission denied
signal: Operation not permitted
trace: Operation not permitted
writable: Operation not permitted
SAID
)"
    [ -e secret ]
    [ ! -e made ]
  done
  HOLE_FILE=$PWD/kept/made run --separate-stderr env LD_PRELOAD="$PWD/hole.so" bid-index -c other embedded
  contains "$stderr" "new file: DONE" # where the store's and LMDB's lock file are made
}

@test "a planted hole in a program that reads a store or files makes no file, not even in the store's folder" {
  shipped # sanitized programs don't use Landlock
  cc -shared -fPIC -D_GNU_SOURCE -o hole.so "$ROOT/test/data/hole.c" -ldl
  echo secret >secret
  cp /bin/true program # own, not installed
  export HOLE_FILE=$PWD/kept/made HOLE_SECRET=$PWD/secret HOLE_PROGRAM=$PWD/program BID_STORE=$PWD/kept/store
  bid-strip -q --raw "$ROOT"/data/sample/000999000{1,2}-2*.txt | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
  echo "Revenue was 12 million." >old.txt
  echo "Revenue was 13 million." >new.txt
  bid-search --bundle risks >bundle
  echo '{"cik":1,"entityName":"Twelve","facts":{"us-gaap":{"Revenues":{"units":{"USD":[{"start":"2024-01-01","end":"2024-12-31","val":5,"fy":2024,"fp":"FY","form":"10-K","filed":"2025-02-01","accn":"0000000001-25-000001"}]}}}}}' >facts.json
  echo '{"query":"revenue of Twelve"}' >job
  local command
  while read -r command; do
    # shellcheck disable=SC2086 # program and arguments
    run --separate-stderr env LD_PRELOAD="$PWD/hole.so" $command
    [[ $output == *[a-z]* ]] || { echo "$command: $status $stderr"; false; }
    # LMDB's lock file is open for writing
    equal "$command $(grep -v "^child's\|^writable\|^bid-" <<<"$stderr" | sed 's/Operation not permitted/no/; s/Permission denied/no/' | sort | tr '\n' ' ')" \
      "$command exec: no keystrokes: no limits: no network: no new file: no rename: no secret: no signal: no trace: no "
    [ -e secret ]
    [ ! -e kept/made ]
  done <<'COMMANDS'
bid-search revenue
bid-search --where true revenue
bid-search --bundle risks
bid-diff -e TWHL -f 8-K
bid-diff old.txt new.txt
bid-verify bundle
bid-verify --answer-text Revenue_was_12. --cite 00000000000000000000000000000000
bid-facts --from facts.json revenue
bid-facts --from facts.json --format html revenue
bid-facts --for-plan job
COMMANDS
}

@test "a planted hole in bid-fetch changes nothing but its own folders" {
  shipped # sanitized programs don't use Landlock
  cc -shared -fPIC -D_GNU_SOURCE -o hole.so "$ROOT/test/data/hole.c" -ldl
  echo secret >secret
  cp /bin/true program # own, not installed
  echo '<p>Some text of a filing.</p>' >page.htm
  run --separate-stderr env LD_PRELOAD="$PWD/hole.so" HOLE_FILE="$PWD/made" HOLE_SECRET="$PWD/secret" HOLE_PROGRAM="$PWD/program" bid-fetch -q file page.htm
  equal "$status" 0
  # signals are held by a newer Landlock alone; see the unit tests
  equal "$(grep -v "^child's\|^signal" <<<"$stderr" | grep 'not permitted\|denied' | sort)" "$(sort <<'SAID'
exec: Permission denied
keystrokes: Operation not permitted
limits: Operation not permitted
new file: Permission denied
rename: Permission denied
trace: Operation not permitted
writable: Operation not permitted
SAID
)"
  [ -e secret ]
  [ ! -e made ]
}

@test "a kernel without Landlock, or without filters: parsers go on, and --version and the doctor say what holds them" {
  shipped # sanitized programs don't use Landlock
  cc -o old_kernel "$ROOT/test/data/old_kernel.c"
  bid-strip -q --raw "$ROOT"/data/sample/0009990001-25-000041.txt | jq .text >expected
  contains "$(bid-strip --version)" "sandbox: seccomp and Landlock"
  local without offered
  for without in landlock seccomp; do
    offered=$([ $without = landlock ] && echo "seccomp (the kernel has no Landlock)" || echo "none (the kernel has no seccomp filters)")
    run --separate-stderr ./old_kernel $without bid-strip -q --raw "$ROOT"/data/sample/0009990001-25-000041.txt
    equal "$status" 0
    equal "$(jq .text <<<"$output")" "$(cat expected)"
    contains "$(./old_kernel $without bid-strip --version)" "sandbox: $offered"
    contains "$(./old_kernel $without bid doctor --offline --json | jq -r 'select(.check == "sandbox").found')" "$offered"
  done
}

@test "too little memory for a parser's start is said, and no crash" {
  shipped # the sanitizers take all of the address space
  local most seen=
  for most in $(seq 12000 400 56000); do
    stderr=$(bash -c "ulimit -v $most; exec bid-strip --raw '$ROOT'/data/sample/0009990001-25-000041.txt" 2>&1 >/dev/null) && status=0 || status=$?
    [ "$status" -lt 126 ] || { [ "$status" -eq 127 ] && [ -n "$stderr" ]; } || { echo "$most: $status $stderr"; false; }
    [ "$status" -eq 0 ] || [ -n "$stderr" ] || { echo "$most: $status without a message"; false; }
    case $stderr in *"out of memory"*) seen=1 ;; esac
  done
  [ -n "$seen" ]
}

@test "a PDF is still read, by a process that a helper starts" {
  run --separate-stderr bid-strip --raw "$ROOT"/data/sample/*.pdf
  equal "$status" 0
  contains "$output" '"text"'
}

@test "a connector reads no file and no variable, and may not import" {
  mkdir -p con
  echo '{"password":"sesame"}' >secret.json
  export BID_CONNECTORS=$PWD/con SECRET_WORD=sesame
  cat >con/nosy.jq <<JQ
def declare: {description: "looks around", hosts: [], rateLimit: {requestsPerSecond: 1, burstSize: 1}, parameters: []};
def step: {payloads: [{text: (\$ENV | tojson), sourceUrl: "nosy:", metadata: {}}]};
JQ
  run --separate-stderr bid-fetch nosy
  [[ $output != *sesame* ]]
  sed "1i import \"$PWD/secret\" as \$s;" con/nosy.jq >con/importer.jq
  run --separate-stderr bid-fetch importer
  [ "$status" -ne 0 ]
  contains "$output" "neither import nor search elsewhere"
  [[ $output$stderr != *sesame* ]]
  echo 'def hidden: "sesame";' >hidden.jq
  local line
  for line in 'include "../../etc/x";' "module {search: \"$PWD\"}; include \"hidden\";" "include \"hidden\" {search: \"$PWD\"};" \
    "include \"$PWD/hidden\";"; do
    { echo "$line" && sed 's/(\$ENV | tojson)/hidden/' con/nosy.jq; } >con/climber.jq
    run --separate-stderr bid-fetch climber
    contains "$output" "neither import nor search elsewhere"
    [[ $output$stderr != *sesame* ]]
  done
}

@test "--where reads no file and no variable" {
  echo '{"password":"sesame"}' >secret.json
  bid-strip -q --raw "$ROOT"/data/sample/0009990001-25-000041.txt | bid-chunk -q | bid-embed -q | bid-index -q --collection finance_test_X_10-K >/dev/null
  export SECRET_WORD=sesame
  run --separate-stderr bid-search --where "import \"$PWD/secret\" as \$s; \$s[0].password == \"sesame\"" risks
  [ "$status" -ne 0 ]
  contains "$stderr" "jq filter"
  run --separate-stderr bid-search --where '$ENV.SECRET_WORD == "sesame"' risks
  [ "$status" -eq 1 ]
  [[ $output != *'"matches":[{'* ]]
}
