#!/usr/bin/env bats
# Ceilings: what a small input can't be made to cost.

load helper

@test "150 nasty patterns at three sizes: time and memory grow with the input" {
  shipped # the sanitizers change time and memory
  run --separate-stderr python3 "$ROOT/test/tools/growth.py" "$BID_BIN" 262144
  equal "$output" "150 patterns, 0 faults"
}

@test "26 patterns of Markdown: time and memory grow with the input" {
  shipped # the sanitizers change time and memory
  run --separate-stderr python3 "$ROOT/test/tools/growth.py" "$BID_BIN" 262144 markdown
  equal "$output" "26 patterns, 0 faults"
}

@test "a title of 2 MB stands in the outline and in passages cut short" {
  python3 -c 'print("<h1>" + "x y " * 500000 + "</h1>" + "".join("<p>" + "word " * 300 + "</p>" for _ in range(400)))' >long.html
  bid-strip --raw long.html >long.json
  [ "$(jq -r '[.outline[].title | length] | max // 0' long.json)" -le 512 ]
  bid-chunk long.json >chunks
  [ "$(wc -c <chunks)" -lt $((8 * $(wc -c <long.html))) ]
  jq -n '{text: ("word. " * 20000), outline: [{offset: 0, level: 3, title: ("t " * 300000)}], sourceUrl: "x"}' -c >given.json
  bid-chunk given.json >chunks
  [ "$(jq -r '.chunk.heading | length' chunks | sort -n | tail -1)" -le 512 ]
  [ "$(jq -r '.context | length' chunks | sort -n | tail -1)" -le 1100 ]
}

@test "fields of 2 MB that every passage would repeat are refused" {
  jq -n '{text: ("word. " * 20000), metadata: {title: ("t" * 2000000)}, sourceUrl: "x"}' -c >fat.json
  run --separate-stderr bid-chunk fat.json
  equal "$status" 1
  contains "$output" "which each passage would repeat"
}

@test "a long paragraph before many tables that show nothing is searched for their unit once" {
  shipped
  python3 -c 'print("<p>" + "1" * 400000 + "<table>" * 80000)' >empty.html
  run timeout 10 bid-strip --raw empty.html
  equal "$status" 0
}

@test "lone document lines are read in one forward scan" {
  shipped
  yes '<DOCUMENT>' | head -c 4400000 | sed '1s/^/<SEC-DOCUMENT>\n/' >lone.txt
  run timeout 60 bid-strip --raw lone.txt
  equal "$status" 1
}
