#!/usr/bin/env bats
# The rooms of common/: what test/tools/layers.py holds, and that it sees what breaks it.

load helper

@test "rooms include only rooms below them, no module needs one that needs it, and no name stands twice" {
  cd "$ROOT"
  run python3 test/tools/layers.py "$(built)"
  [ "$status" -eq 0 ] || { echo "$output"; false; }
  contains "$output" " 0 faults"
}

@test "a planted violation of the layers is seen: an include of a higher room, a circle, a name that stands twice" {
  local copy=$BATS_TEST_TMPDIR/copy
  mkdir -p "$copy/bin"
  cp -r "$ROOT/common" "$copy/common"
  cp "$ROOT/README.md" "$copy/"
  mkdir "$copy/build"
  cp -rl "$(built)/common" "$copy/build/common" 2>/dev/null || cp -r "$(built)/common" "$copy/build/common"
  cd "$copy"
  run python3 "$ROOT/test/tools/layers.py" build
  equal "$status" 0
  sed -i '1i #include "search/rank.h"' common/base/buf.c
  run python3 "$ROOT/test/tools/layers.py" build
  equal "$status" 1
  contains "$output" "common/base/buf.c: includes common/search/rank.h of a higher room"
  sed -i 1d common/base/buf.c
  printf 'static int utf8_planted(void) {\n  return 0;\n}\n' | tee -a common/base/buf.c >>common/base/utf8.c
  run python3 "$ROOT/test/tools/layers.py" build
  equal "$status" 1
  contains "$output" "utf8_planted() is in common/base/buf.c and common/base/utf8.c"
  printf 'void planted_two(void);\nvoid planted_one(void);\nvoid planted_one(void) { planted_two(); }\n' >one.c
  printf 'void planted_two(void);\nvoid planted_one(void);\nvoid planted_two(void) { planted_one(); }\n' >two.c
  cc -c -o build/common/base/planted_one.o one.c
  cc -c -o build/common/base/planted_two.o two.c
  run python3 "$ROOT/test/tools/layers.py" build
  contains "$output" "circle: base/planted_one, base/planted_two"
}

@test "lists of words are tables of data/, and what stays in C has a rule" {
  cd "$ROOT"
  run python3 test/tools/lists.py
  [ "$status" -eq 0 ] || { echo "$output"; false; }
  contains "$output" " 0 faults"
}

@test "a planted list is seen: an array of words in C, one without a rule, one that stands twice" {
  local copy=$BATS_TEST_TMPDIR/lists
  mkdir -p "$copy/data" "$copy/test"
  cp -r "$ROOT/common" "$ROOT/bin" "$copy/"
  cp -r "$ROOT/data/tables" "$copy/data/"
  cp -r "$ROOT/test/tools" "$copy/test/"
  cd "$copy"
  run python3 test/tools/lists.py
  equal "$status" 0
  printf 'static const char *const planted[] = {"a", "b", "c", "d", "e", "f", "g", "h"}; /* it'"'"'s */\n' >>common/base/buf.c
  run python3 test/tools/lists.py
  equal "$status" 1
  contains "$output" "planted has 8 strings: make it a list of data/tables"
  printf 'common/base/buf.c\tplanted\tbecause\n' >>test/tools/lists.tsv
  run python3 test/tools/lists.py
  equal "$status" 1
  contains "$output" "no rule: common/base/buf.c planted because"
  sed -i 's/\tbecause$/\tkeys/' test/tools/lists.tsv
  run python3 test/tools/lists.py
  equal "$status" 0
  printf '# lists\twords\nagain\th g f e d c b a\n' >data/tables/planted.tsv
  run python3 test/tools/lists.py
  equal "$status" 1
  contains "$output" "the same words: common/base/buf.c"
  sed -i '$d' common/base/buf.c
  run python3 test/tools/lists.py
  contains "$output" "common/base/buf.c has no array planted of 8 strings"
}

@test "a table that can't be a header is refused with its line, and every list of the tables is used" {
  local list
  printf '# lists\tword\tVALUE\none\ta\t1\ntwo\tb\n' >broken.tsv
  run --separate-stderr awk -f "$ROOT/data/gen/tables.awk" broken.tsv
  equal "$status" 1
  equal "$stderr" "broken.tsv:3: not 3 columns"
  printf '# lists\tphrases\none\ta b; "c"; _d\n\n# lists\tword\tVALUE\none two\te\t-1\n' >good.tsv
  run --separate-stderr awk -f "$ROOT/data/gen/tables.awk" good.tsv
  equal "$status" 0
  contains "$(tr -d '\\\n' <<<"$output")" '#define GOOD_ONE   "a b",   ""c"",   " d",   {"e", -1}#define GOOD_TWO   {"e", -1}'
  for list in $(for t in "$ROOT"/data/tables/*.tsv; do awk -f "$ROOT/data/gen/tables.awk" "$t"; done | sed -n 's/^#define \([A-Z0-9_]*\).*/\1/p'); do
    grep -rqw "$list" "$ROOT"/common || { echo "$list is used nowhere"; false; }
  done
}
