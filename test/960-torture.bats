#!/usr/bin/env bats
# The fast part of "make torture": damage, faults and kills for some seconds.
load helper

@test "damaged stores, failing calls and kills: nothing is lost, nothing wrong is shown" {
  need python3 cc
  run "$ROOT/test/torture/run" 9 "${BID_TORTURE_SEED:-11}"
  [ "$status" -eq 0 ] || { printf '%s\n' "$output" | tail -30; false; }
  contains "$output" "lost, wrong, crashed, hung, silent: 0"
}
