#!/usr/bin/env bats
# The rooms of common/: what test/tools/layers.py holds, and that it sees what breaks it.

load helper

@test "rooms include only rooms below them, no module needs one that needs it, names have prefixes and stand once" {
  cd "$ROOT"
  run python3 test/tools/layers.py "$(built)"
  [ "$status" -eq 0 ] || { echo "$output"; false; }
  contains "$output" " 0 faults"
}

@test "a planted violation of the layers is seen: an include of a higher room, a circle, a name that stands twice" {
  local copy=$BATS_TEST_TMPDIR/copy
  mkdir -p "$copy/bin"
  cp -r "$ROOT/common" "$copy/common"
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
  printf 'void planted_two(void);\nvoid planted_one(void);\nvoid planted_one(void) { planted_two(); }\n' >common/base/planted_one.c
  printf 'void planted_two(void);\nvoid planted_one(void);\nvoid planted_two(void) { planted_one(); }\n' >common/base/planted_two.c
  cc -c -o build/common/base/planted_one.o common/base/planted_one.c
  cc -c -o build/common/base/planted_two.o common/base/planted_two.c
  run python3 "$ROOT/test/tools/layers.py" build
  contains "$output" "circle: base/planted_one, base/planted_two"
  # A circle that no linked symbol shows: one file calls the other, which includes the caller's header.
  printf 'struct planted_one;\n' >common/base/planted_one.h
  printf '#include "base/planted_one.h"\nvoid planted_two(void);\nvoid planted_two(void) {}\n' >common/base/planted_two.c
  cc -Icommon -c -o build/common/base/planted_two.o common/base/planted_two.c
  run python3 "$ROOT/test/tools/layers.py" build
  contains "$output" "circle: base/planted_one, base/planted_two"
  sed -i 1d common/base/planted_two.c
  run python3 "$ROOT/test/tools/layers.py" build
  case $output in *"circle: base/planted"*) echo "$output"; false ;; esac
}

# plant FILE TEXT: appends C to a source file of the copy and compiles its object
plant() {
  printf '%b' "$2" >>"common/$1.c"
  cc -D_GNU_SOURCE -Icommon -c -o "build/common/$1.o" "common/$1.c"
}

@test "a planted name is seen: without its module's prefix, in a header, in two files; a guard and a file name that stand twice" {
  local copy=$BATS_TEST_TMPDIR/names
  mkdir -p "$copy/bin" "$copy/build"
  cp -r "$ROOT/common" "$copy/"
  cp -rl "$(built)/common" "$copy/build/common" 2>/dev/null || cp -r "$(built)/common" "$copy/build/common"
  cp "$ROOT/test/tools/names.tsv" "$copy/"
  cd "$copy"
  rm build/common/base/base64.o # hard links: the object of the tree must not be written
  plant base/base64 'int planted_name(void);\nint planted_name(void) {\n  return 0;\n}\n'
  run python3 "$ROOT/test/tools/layers.py" --names names.tsv build
  equal "$status" 1
  contains "$output" "common/base/base64.c: planted_name has no prefix of its module (base, base64)"
  contains "$output" " 1 faults"
  printf 'common/base/base64.c\tplanted_\tbecause\n' >>names.tsv
  run python3 "$ROOT/test/tools/layers.py" --names names.tsv build
  equal "$status" 0
  printf 'common/base/utf8.c\tplanted_\tbecause\n' >>names.tsv
  printf 'static inline int planted_inline(void) {\n  return 0;\n}\n' >>common/base/utf8.h
  printf 'static __attribute__((format(printf, 1, 2))) int\nbase_twice(const char *f,\n           ...) {\n  return 0;\n}\n' |
    tee -a common/base/utf8.c >>common/base/base64.c
  cp common/base/mask.h common/net/mask.h
  run python3 "$ROOT/test/tools/layers.py" --names names.tsv build
  equal "$status" 1
  contains "$output" "common/base/utf8.h: planted_inline has no prefix of its module (base, utf8)"
  contains "$output" "names.tsv: common/base/utf8.c has no public name planted_..."
  contains "$output" "base_twice() is in common/base/base64.c and common/base/utf8.c"
  contains "$output" "the file name mask.h is in common/base/mask.h and common/net/mask.h"
  contains "$output" "the guard BID_MASK_H is in common/base/mask.h and common/net/mask.h"
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
