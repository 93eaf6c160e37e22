#!/bin/bash
# bid-fetch against the local upstream with recorded answers: CPU seconds (user and system, including the connector's
# process) and wall time.  For comparison, jq alone on the same facts, if it is installed.
set -eu
cd "$(dirname "$0")/../.."
BID_SHARED=${BID_SHARED:-$PWD/../shared}
export BID_SHARED
[ -d "$BID_SHARED/upstream" ] || {
  echo "left out: no recorded upstreams ($BID_SHARED)"
  exit 0
}
work=$(mktemp -d)
trap 'upstream_stop; rm -rf "$work"' EXIT
export TMPDIR=$work HOME=$work BID_CACHE=$work/cache BID_STATE=$work/state BID_NOW=2026-03-05T00:00:00Z
fetch=${BID_BIN:-bin}/bid-fetch
# shellcheck source=test/upstream.bash
. test/upstream.bash
TIMEFORMAT='%R s, CPU %U + %S s'

# measure NAME COMMAND...
measure() {
  printf '%-58s ' "$1"
  { time "${@:2}" >"$work/out" 2>"$work/err" || :; } 2>&1
}
# figure NAME BYTES COMMAND...: with MB per CPU second
figure() {
  local cpu
  cpu=$({ TIMEFORMAT='%U %S'; time "${@:3}" >"$work/out" 2>"$work/err" || :; } 2>&1)
  awk -v name="$1" -v bytes="$2" -v cpu="$cpu" 'BEGIN { split(cpu, t, " "); s = t[1] + t[2];
    printf "%-58s %.0f MB, CPU %.2f s, %.0f MB/s\n", name, bytes / 1e6, s, bytes / 1e6 / s }'
}

mkdir -p "$work/served/www.irs.gov/pub/irs-soi"
ri=$BID_SHARED/upstream/www.irs.gov/pub/irs-soi/eo_ri.csv
big=$work/served/www.irs.gov/pub/irs-soi/eo_ca.csv
cp "$ri" "$big"
chmod u+w "$big"
for _ in $(seq 100); do tail -n +2 "$ri" >>"$big"; done
upstream_start --root "$work/served"

measure "--list, nothing kept" "$fetch" --list
measure "--list, kept" "$fetch" --list
measure "facts of NVIDIA (4 MB) summarised, first time" "$fetch" sec-edgar -e NVDA
measure "the same, warm" "$fetch" sec-edgar -e NVDA
measure "sec-filings, first time" "$fetch" sec-filings -e AAPL -f 10-K -n 3
measure "the same, warm" "$fetch" sec-filings -e AAPL -f 10-K -n 3
facts=$BID_SHARED/upstream/data.sec.gov/api/xbrl/companyfacts/CIK0001045810.json
measure "jq alone: count the facts of each concept and unit" \
  jq -c '[.facts[] | to_entries[] | {k: .key, u: (.value.units | map_values(length))}]' "$facts"

bytes=$(stat -c %s "$big")
"$fetch" irs-bmf -P region=ca -P city=NOWHERE >/dev/null 2>&1 || true
figure "irs-bmf, no row fits" "$bytes" "$fetch" irs-bmf -P region=ca -P city=NOWHERE --offline
figure "irs-bmf, NTEE code B" "$bytes" "$fetch" irs-bmf -P region=ca -P ntee=B --offline
figure "irs-bmf, every row as JSON" "$bytes" "$fetch" irs-bmf -P region=ca -P all=1 --offline

bytes=$(python3 - "$BID_SHARED" "$work/facts.zip" <<'PY'
import glob, sys, zipfile
total = number = 0
with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as z:
    while total < 250e6:
        for path in sorted(glob.glob(sys.argv[1] + "/upstream/data.sec.gov/api/xbrl/companyfacts/*.json")):
            data = open(path, "rb").read()
            z.writestr("CIK%010d.json" % number, data)
            number += 1
            total += len(data)
print(total)
PY
)
figure "companyfacts.zip, every member a payload" "$bytes" "$fetch" file "$work/facts.zip"
figure "companyfacts.zip, one member by its name" "$bytes" "$fetch" file "$work/facts.zip" -P members=CIK0000000007.json
mkdir "$work/connectors"
cat >"$work/connectors/bulk-rows.jq" <<'JQ'
def declare: {description: "rows of a concept out of an archive", hosts: [], parameters: [{name: "operands"}]};
def row: {content: [.json.name, (.json.rows[].value.rows | length)]};
def step: {request: {operand: 0, stream: {format: "archive", filter: true}, select: {name: {path: ["entityName"]},
  rows: {path: ["facts", "*", "NetIncomeLoss", "units", "*"], rows: "array", where: [{field: "form", is: "10-K"}]}}}};
JQ
BID_CONNECTORS=$work/connectors figure "companyfacts.zip, narrowed and through jq" "$bytes" "$fetch" bulk-rows "$work/facts.zip"
