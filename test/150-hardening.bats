#!/usr/bin/env bats
# How the programs are built: what would make a fault in them harder to use is on.

load helper

programs() { find "$BID_BIN" -maxdepth 1 -name 'bid-*' -type f -perm -100 -exec sh -c 'head -c 4 "$1" | grep -q ELF && echo "$1"' sh {} \;; }
is_sanitized() { readelf -sW "$1" | grep -q '__asan_init'; }

test_setup() { need readelf; }

@test "position independent, addresses resolved at the start and then read-only, no executable stack" {
  local p
  [ "$(programs | wc -l)" -ge 8 ]
  for p in $(programs); do
    contains "$(readelf -dW "$p")" "PIE"
    contains "$(readelf -dW "$p")" "BIND_NOW"
    contains "$(readelf -lW "$p")" "GNU_RELRO"
    [ -z "$(readelf -lW "$p" | grep 'GNU_STACK.*RWE')" ] || { echo "$p: executable stack"; false; }
    [ -z "$(readelf -dW "$p" | grep -E 'RPATH|RUNPATH|TEXTREL')" ] || { echo "$p: rpath or text relocations"; false; }
  done
}

@test "every object has the stack's protections, and checked functions where it can" {
  local p producer
  for p in $(programs); do
    contains "$(readelf -sW "$p")" "__stack_chk_fail"
    is_sanitized "$p" || contains "$(readelf -sW "$p")" "_chk@GLIBC"
    producer=$(readelf --debug-dump=info "$p" 2>/dev/null | grep -E 'DW_AT_producer.*(GNU C[0-9]|clang)' | grep -v 'GNU AS' || :)
    [ -n "$producer" ] || continue # built without -g
    case $producer in *clang*) continue ;; esac # it doesn't record its options
    [ -z "$(grep -v -e '-fstack-protector-strong' <<<"$producer")" ] || { echo "$p: objects without stack protector"; false; }
    [ -z "$(grep -v -e '-fstack-clash-protection' <<<"$producer")" ] || { echo "$p: objects without stack clash protection"; false; }
  done
}

@test "no memory when the libraries' constructors run: a message, and no crash" {
  cd "$BATS_TEST_TMPDIR"
  printf 'void *malloc(unsigned long n) { (void)n; return 0; }\n' >none.c
  printf '#include <stdlib.h>\n__attribute__((constructor)) static void begin(void) { *(volatile char *)malloc(1) = 1; }\nint unused;\n' >library.c
  printf '#include "base/process.h"\nextern int unused;\nint main(void) { process_init(); return unused; }\n' >program.c
  cc -shared -fPIC -fno-builtin -o none.so none.c
  cc -shared -fPIC -fno-builtin -o library.so library.c
  cc -D_GNU_SOURCE -I"$ROOT/common" -o program program.c "$ROOT/common/base/process.c" ./library.so
  ./program
  run --separate-stderr env LD_PRELOAD=./none.so ./program
  equal "$status" 70
  equal "$stderr" "program: out of memory"
}

@test "the stack is there before other threads take what a limit of address space leaves" {
  cd "$BATS_TEST_TMPDIR"
  cat >program.c <<'C'
#include "base/process.h"
#include <sys/mman.h>
#include <sys/resource.h>
static int deep(void) {
  volatile char room[300000];
  for (int i = sizeof room - 1; i > 0; i -= 4096)
    room[i] = 1;
  return room[sizeof room - 1] != 1;
}
int main(int argc, char **argv) {
  struct rlimit none = {1, 1};
  (void)argv;
  process_init();
  return argc == 1 && (setrlimit(RLIMIT_AS, &none) != 0 || deep());
}
C
  cc -D_GNU_SOURCE -I"$ROOT/common" -o program program.c "$ROOT/common/base/process.c"
  ./program
  bash -c 'ulimit -s 256; exec ./program "starts with a small stack"'
}
