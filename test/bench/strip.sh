#!/bin/sh
# bench/strip.sh: HTML filings to text: BID and the usual alternatives, on the same files in one run.
#
# Files: every 10-K and 10-Q in HTML under the recorded upstreams ($BID_SHARED, default ../shared).  Each program
# gets all of them RUNS times (5; others than BID PEER_RUNS times, 3), one file per process where it takes only one.  Reports
# the median of user and system time, and the largest process.  Peers come from Debian (libxml2-utils, w3m, lynx),
# PyPI (make venv-bench; another Python: BENCH_PYTHON) and npm (htmlparser2, cheerio in .venv-bench/node_modules); those
# that aren't installed are reported and omitted.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
shared=${BID_SHARED-$root/../shared}
bin=${BID_BIN:-$root/bin}
unit=${BID_UNIT:-$root/.build/unit}
runs=${RUNS:-5}
peer_runs=${PEER_RUNS:-3}
python=${BENCH_PYTHON:-$root/.venv-bench/bin/python}
[ -x "$python" ] || python=python3
if ! [ -d "$shared/upstream" ]; then
  echo "bench: no recorded upstreams (../shared) here"
  exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/bid-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
find "$shared/upstream" \( -path '*/filings/*/10-[KQ]*.htm' -o -name 'aapl-202[0-9]*.htm' -o -name 'tsla-*.htm' -o \
  -name 'crr-10k*.htm' \) -size +0 | sort >"$work/files"
bytes=$(xargs cat <"$work/files" | wc -c)
largest=$(xargs wc -c <"$work/files" | sort -n | tail -n 2 | head -n 1)
printf '%s files, %s bytes, the largest %s\n\n%-28s %10s %12s\n' "$(wc -l <"$work/files")" "$bytes" \
  "$(echo "$largest" | awk '{ print $1 }')" program MB/s 'peak KB'

# measure NAME RUNS COMMAND...: the files are appended to the command
measure() {
  name=$1
  times=$2
  shift 2
  : >"$work/times"
  i=0
  while [ "$i" -lt "$times" ]; do
    i=$((i + 1))
    : >"$work/one"
    xargs ${each:+-n 1} env time -a -o "$work/one" -f '%U %S %M' "$@" <"$work/files" >/dev/null 2>"$work/err" || {
      printf '%-28s failed: %s\n' "$name" "$(head -n 1 "$work/err")"
      return 0
    }
    awk '{ s += $1 + $2; if ($3 > m) m = $3 } END { print s, m }' "$work/one" >>"$work/times"
  done
  sort -n "$work/times" | awk -v name="$name" -v bytes="$bytes" '
    { s[NR] = $1; if ($2 > m) m = $2 }
    END { t = s[int((NR + 1) / 2)]; printf "%-28s %10.1f %12d\n", name, bytes / 1e6 / (t > 0 ? t : 0.001), m }'
}

# Reading the files once takes less than a clock tick: 20 times each.
repeated() {
  name=$1
  shift
  cp "$work/files" "$work/once"
  i=0
  while [ "$i" -lt 20 ]; do
    i=$((i + 1))
    cat "$work/once"
  done >"$work/files"
  saved=$bytes
  bytes=$((bytes * 20))
  each='' measure "$name" "$runs" "$@"
  bytes=$saved
  cp "$work/once" "$work/files"
}

if [ -x "$bin/bid-strip" ]; then
  repeated 'bid-strip --raw' "$bin/bid-strip" --quiet --raw
fi
if [ -x "$bin/bid-fetch" ] && xargs "$bin/bid-fetch" --quiet file <"$work/files" >"$work/payloads"; then
  cp "$work/files" "$work/all"
  echo "$work/payloads" >"$work/files"
  repeated 'bid-strip, payload records' "$bin/bid-strip" --quiet
  cp "$work/all" "$work/files"
fi
if [ -x "$unit/html_test" ]; then
  repeated 'its HTML reader alone' "$unit/html_test" --text
fi
for p in xmllint w3m lynx; do
  command -v "$p" >/dev/null || {
    echo "$p: not installed"
    continue
  }
  case $p in
  xmllint) each=1 measure 'libxml2 (xmllint --html)' "$peer_runs" xmllint --html --noout --huge --recover ;;
  w3m) each=1 measure 'w3m -dump' "$peer_runs" w3m -dump -T text/html -cols 200 ;;
  lynx) each=1 measure 'lynx -dump' "$peer_runs" lynx -dump -nolist -width=200 -force_html ;;
  esac
done
for p in html.parser lxml html2text bs4; do
  if "$python" "$root/test/bench/strip_peers.py" "$p" 2>/dev/null; then
    each='' measure "python $p" "$peer_runs" "$python" "$root/test/bench/strip_peers.py" "$p"
  else
    echo "python $p: not installed"
  fi
done
for p in htmlparser2 cheerio; do
  if node "$root/test/bench/strip_peers.js" "$p" 2>/dev/null; then
    each='' measure "node $p" "$peer_runs" node "$root/test/bench/strip_peers.js" "$p"
  else
    echo "node $p: not installed"
  fi
done
