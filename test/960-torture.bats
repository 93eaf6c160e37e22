#!/usr/bin/env bats
# The fast part of "make torture": damage, faults and kills for some seconds.
load helper

@test "damaged stores, failing calls, kills, power cuts, full disks and a lying server: nothing is lost, nothing wrong is shown" {
  need python3 cc openssl jq
  run "$ROOT/test/torture/run" 6 "${BID_TORTURE_SEED:-11}"
  [ "$status" -eq 0 ] || { printf '%s\n' "$output" | tail -30; false; }
  contains "$output" "lost, wrong, crashed, hung, silent: 0"
}
