#!/usr/bin/env bats
# bid-nightly when something dies or a name is hostile: no stamp moves over what is not stored.

load helper

setup_file() { BID_SHARED= upstream_start; } # the sample filings alone
teardown_file() { upstream_stop; }
# One of the sample's filings is listed and not there: for good, so that alone it holds no stamp back.
test_setup() {
  export BID_NOW=2026-03-05T00:00:00Z
  printf 'TWHL\t10-K,10-Q,8-K\tsec-filings\tedgar\n' >watchlist.tsv
  upstream_again
  upstream_fault '*/twhl-20260114.htm=404'
}

nightly() { run --separate-stderr bid-nightly --watchlist watchlist.tsv "$@"; }
stamp() { cat "$BID_STATE"/nightly/TWHL.sec-filings.*.stamp 2>/dev/null || echo none; }

# Puts a folder of the programs in front, in which PROGRAM is a script: what it does stands on stdin; $real is the program.
planted() { # PROGRAM
  local p real=$BID_BIN
  mkdir -p planted
  for p in "$real"/bid-*; do ln -sf "$p" planted/; done
  rm -f "planted/$1"
  { printf '#!/bin/sh\nreal=%s\n' "$real/$1"; cat; } >"planted/$1"
  chmod +x "planted/$1"
}

with_planted() { BID_BIN=$PWD/planted PATH=$PWD/planted:$PATH nightly "$@"; }

@test "a document that is not there holds no stamp back" {
  nightly
  equal "$status" 1
  equal "$(printf '%s\n' "$output" | jq -sc '.[-1] | [.done, .failed]')" '[1,{"no-content":1}]'
  equal "$(stamp)" 2026-03-04
}

@test "documents that could not be read are kept and counted, until bid-ingest has read them" {
  nightly
  nightly
  equal "$status" 0
  equal "$(printf '%s\n' "$output" | jq -sc '.[-1] | [.failed, .waiting]')" '[{},1]'
  local kept
  kept=$(echo "$BID_STATE"/nightly/TWHL.*.failed.ndjson)
  contains "$(printf '%s\n' "$output" | jq -r '.messages[]?')" "1 document that could not be read: 'bid-ingest --failed $kept <$kept' tries again"
  upstream_fault
  bid-ingest --json --failed "$kept" <"$kept" >/dev/null
  nightly
  equal "$(printf '%s\n' "$output" | jq -sc '.[-1] | [.failed, .waiting]')" '[{},0]'
}

@test "a list of filings that is not there is a failure and not 'nothing new'" {
  upstream_fault 'data.sec.gov/submissions/*=404'
  nightly
  equal "$status" 1
  equal "$(printf '%s\n' "$output" | jq -sc '.[-1] | [.done, .failed]')" '[0,{"unavailable":1}]'
  contains "$(printf '%s\n' "$output" | jq -r '.messages[]?')" "EDGAR's list of its filings can't be had"
  equal "$(stamp)" none
}

@test "a list of another shape is a failure, and an empty document is asked for again" {
  upstream_fault 'data.sec.gov/submissions/*=body:{"cik":"9990001","filings":[]}' '*/twhl-20260114.htm=404'
  nightly
  equal "$status" 1
  contains "$(printf '%s\n' "$output" | jq -r '.messages[]?')" "what came as EDGAR's list of its filings is none"
  equal "$(stamp)" none
  new_cache
  upstream_fault '*/twhl-20260114.htm=404' '*/twhl-2025*.htm=empty'
  nightly
  local kept
  kept=$(echo "$BID_STATE"/nightly/TWHL.*.failed.ndjson)
  contains "$(cat "$kept")" "the content is empty"
  upstream_fault
  bid-ingest --json --failed "$kept" <"$kept" >/dev/null
  equal "$(cat "$kept")" ""
}

@test "a stage that dies never moves a stamp: each, at its start, in the middle and at its end" {
  local stage moment
  for stage in bid-store bid-strip bid-chunk bid-embed bid-index; do
    for moment in 'kill -9 $$' '"$real" "$@" </dev/null; head -n 1 | "$real" "$@"; kill -9 $$' '"$real" "$@"; kill -9 $$' \
      'kill -9 $PPID; kill -9 $$' '"$real" "$@"; kill -9 $PPID'; do
      rm -rf "$BID_STORE"* "$BID_STATE"/nightly
      planted "$stage" <<<"$moment"
      with_planted
      [ "$status" -ne 0 ] || { echo "$stage: $moment: status 0"; false; }
      [ "$(stamp)" = none ] || { echo "$stage: $moment: stamp $(stamp)"; false; }
      [ "$(printf '%s\n' "$output" | jq -sc '.[-1].done')" = 0 ] || { echo "$stage: $moment: $output"; false; }
      [ "$(printf '%s\n' "$output" | jq -sc '.[-1].failed | length > 0')" = true ] || { echo "$stage: $moment: $output"; false; }
    done
  done
  nightly
  equal "$(stamp)" 2026-03-04
  bid-store verify
}

@test "the flags of a make that runs bid-nightly don't make a task end well, and the report is never of another night" {
  local flags
  nightly
  planted bid-index <<<'kill -9 $$'
  for flags in -i SHELL=/bin/true; do
    rm -f "$BID_STATE"/nightly/*.stamp
    MAKEFLAGS=$flags with_planted
    equal "$flags $status $(printf '%s\n' "$output" | jq -sc '.[-1] | [.done, .new, .failed.internal > 0]')" "$flags 1 [0,0,true]"
    equal "$(stamp)" none
  done
  nightly
  # The task dies before it has emptied its log of the last night.
  planted awk <<<"case \"\$*\" in *'end=\"task\"'*'found = 1'*)
    for p in \$PPID \$(cut -d' ' -f4 /proc/\$PPID/stat); do grep -aq -e --task /proc/\$p/cmdline && kill -9 \$p; done ;; esac
    exec $(command -v awk) \"\$@\""
  with_planted
  equal "$(printf '%s\n' "$output" | jq -sc '.[-1] | [.done, .new // 0, .failed.internal > 0]')" "[0,0,true]"
}

@test "a fetch that dies never moves a stamp, and a good source behind it doesn't hide it" {
  printf 'TWHL\t10-K,10-Q,8-K\tsec-filings,sec-submissions\tedgar\n' >watchlist.tsv
  local moment
  for moment in 'kill -9 $$' '"$real" "$@" | head -n 1; kill -9 $$' 'kill -9 $PPID'; do
    rm -rf "$BID_STORE"* "$BID_STATE"/nightly
    planted bid-fetch <<<"case \$* in *--list*) exec \"\$real\" \"\$@\" ;; esac
job=\$(cat)
printf '%s\n' \"\$job\" >job.\$\$
exec <job.\$\$
case \$job in *sec-filings*) $moment ;; *) exec \"\$real\" \"\$@\" ;; esac"
    with_planted
    [ "$status" -ne 0 ] || { echo "$moment: status 0"; false; }
    [ "$(stamp)" = none ] || { echo "$moment: stamp $(stamp)"; false; }
  done
}

@test "a log that is damaged never moves a stamp" {
  planted bid-index <<<'printf "{\"error\":{\"category\":\"unavail"; exit 1'
  with_planted
  [ "$status" -ne 0 ]
  equal "$(stamp)" none
}

@test "a full disk never moves a stamp" {
  planted bid-index <<<'ulimit -f 1; "$real" "$@"'
  with_planted
  [ "$status" -ne 0 ]
  equal "$(stamp)" none
  nightly
  equal "$status" 1
  equal "$(stamp)" 2026-03-04
}

@test "a stamp that lies ahead, of a run whose clock was wrong, hides nothing" {
  nightly
  rm "$BID_STORE"
  echo 9999-12-30 | tee "$BID_STATE"/nightly/TWHL.sec-filings.*.stamp
  nightly
  equal "$(jq -s 'map(.new // 0) | add > 0' <<<"$output")" true
  equal "$(stamp)" 2026-03-04
  echo 9999-12-30 | tee "$BID_STATE"/nightly/TWHL.sec-filings.*.stamp
  run bid-nightly --watchlist watchlist.tsv --check --format=text
  [[ $output != *9999* ]]
}

@test "a day whose index is not there, or is something else, is no day without filings" {
  local fault
  upstream_fault
  nightly
  for fault in '*/form.2026021*=404' '*/form.202602*=empty' '*/form.202602*=body:<html><title>back soon</title></html>'; do
    rm -rf "$BID_STORE"
    new_cache
    echo 2026-02-18 | tee "$BID_STATE"/nightly/TWHL.sec-filings.*.stamp
    upstream_fault "$fault" # the annual report is of the 19th
    nightly
    equal "$fault $(printf '%s\n' "$output" | jq -sc '.[-1] | [.done, .new > 0]')" "$fault [1,true]"
  done
}

@test "the stamp is of the day on which a run began, however long it took or slept" {
  unset BID_NOW
  echo 2026-03-05T00:00:00Z >now
  planted bid-index <<<"echo 2026-03-20T00:00:00Z >'$PWD/now'; \"\$real\" \"\$@\""
  printf '#!/bin/sh\ncase "$*" in "-u +"*) cat "%s" ;; *) exec "%s" "$@" ;; esac\n' "$PWD/now" "$(command -v date)" >planted/date
  chmod +x planted/date
  with_planted
  equal "$(stamp)" 2026-03-04
}

@test "a report that can't be written is said, and the stamp stays with what was stored" {
  upstream_fault
  mkdir -p "$BID_STATE/nightly/report.html"
  nightly
  equal "$status" 74
  contains "$stderr" "nightly/report.html can't be written"
  equal "$(stamp)" 2026-03-04
  rmdir "$BID_STATE/nightly/report.html"
  mkdir -p other/nightly/report.ndjson
  BID_STATE=$PWD/other nightly
  equal "$status" 74
  contains "$stderr" "bid-nightly: $PWD/other/nightly/report.ndjson can't be written"
  touch third
  BID_STATE=$PWD/third nightly
  equal "$status" 74
  contains "$stderr" "bid-nightly: $PWD/third/nightly: can't be made; set BID_STATE to a folder that can be written"
}

# A watch list whose source asks no host.
odd_list() { # FILE
  mkdir -p con
  export BID_CONNECTORS=$PWD/con
  cat >con/odd.jq <<'JQ'
def declare: {description: "odd", hosts: [], rateLimit: {requestsPerSecond: 99, burstSize: 99}, parameters: [{name: "since", description: "a day"}]};
def step: {payloads: [{text: "The pier was mended.", contentType: "text/plain", sourceUrl: "odd:1", metadata: {company: "Odd"}}]};
JQ
  printf -- '-\t\todd\todd\n' >"$1"
}

# Each row is folders in one another, the last of which ends a path: what $(...) cuts off, what is taken for an option, and
# what the shell, make, jq and printf read more into.
@test "folder and watch list are data, whatever their names are" {
  local row name long
  long=$(printf 'x%.0s' {1..250})
  local rows=(
    $'a b/ lead/trail /a  b/a\tb/a\rb/a\eb/\a\x01/a\x7f/\n/in\nside\n'
    '$(touch pwned)/`touch pwned`/$(shell touch pwned)/${HOME}/$HOME/$$HOME/$@/$'
    $'a;touch pwned/a&touch pwned&/a|touch pwned/b\'c/a"b/\'/"/a>pwned/a<b/(touch pwned)/{a,b}/!a/~/~root'
    '%/%x#y/%s%n/#a/a#b/:/a:b/a=b/PATH=x/a%b.tonight/tasks.tonight/.PHONY/,/@/+/^'
    '\/a\b/\n/*/?/[a]/**/.a/.../a\'
    $'\xff\xfe/a\xc3/\xed\xa0\x80/e\xcc\x81/\xe2\x80\xae/\xf0\x9f\x92\xa9/'"$long"
    '-x/--/-' '--json' '-' # relative
  )
  odd_list list.tsv
  for row in "${rows[@]}"; do
    case $row in -*) name=$row ;; *) name=$PWD/$row ;; esac
    mkdir -p -- "$name" && cp -- list.tsv "$name/${row##*/}"
    BID_STATE=$name BID_STORE=$name/store run --separate-stderr bid-nightly --watchlist "$name/${row##*/}"
    equal "$(printf %q "$name") $status $stderr" "$(printf %q "$name") 0 $stderr"
    equal "$(cat -- "$name"/nightly/_-.odd.*.stamp)" 2026-03-04
    equal "$(find . -name nightly)" "$(find "./$row" -name nightly)" # nowhere else
    [ -s "$name/store" ]
    rm -rf -- "$name/nightly"
  done
  equal "$(find . -name pwned; find "$ROOT" -maxdepth 2 -name pwned)" ""
}

@test "make nightly takes WATCHLIST as data" {
  cp watchlist.tsv 'a b $(touch pwned).tsv'
  run --separate-stderr make -s -f "$ROOT/pipelines/nightly.mk" nightly NIGHTLY="$ROOT/pipelines/bid-nightly" WATCHLIST='a b $(touch pwned).tsv'
  contains "$output" '"done":true'
  run --separate-stderr make -s -f "$ROOT/pipelines/nightly.mk" nightly NIGHTLY="$ROOT/pipelines/bid-nightly" WATCHLIST='$(shell touch pwned)'
  [ "$status" -ne 0 ]
  [ ! -e pwned ]
}

@test "a link in the state folder is not followed" {
  mkdir -p "$BID_STATE/nightly"
  echo precious >precious
  ln -s "$PWD/precious" "$BID_STATE/nightly/tasks"
  nightly
  equal "$status" 78
  contains "$stderr" "a link, which is not followed"
  equal "$(cat precious)" precious
}

@test "what is kept between runs is its owner's alone" {
  umask 000
  rm -r "$BID_CACHE"
  nightly
  equal "$status" 1
  equal "$(find "$BID_STATE" "$BID_CACHE" "$BID_STORE" -perm /077)" ""
}
