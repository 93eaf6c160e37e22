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
