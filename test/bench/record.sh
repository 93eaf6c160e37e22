#!/bin/sh
# Copies 2 KB records with one small field added: our code, and json-c and jansson if they are installed.
set -eu
cd "$(dirname "$0")/../.."
out=.build/bench
mkdir -p $out
common='common/base/base64.c common/base/buf.c common/base/clock.c common/base/diag.c common/base/mask.c common/record/json.c common/record/json_scan.c common/record/output.c common/record/record.c common/base/utf8.c'
python3 - >$out/2k.ndjson <<'PY'
import json, random
random.seed(1)
words = "net sales decreased during the year compared to last year due primarily to lower volume — partially offset by price".split()
for i in range(10000):
    text = " ".join(random.choice(words) for _ in range(290))
    print(json.dumps({"id": "%032x" % i, "source": "sec-filings", "metadata": {"ticker": "TWHL", "form": "10-K"}, "text": text + '\n\n"quoted"',
                      "chunk": {"index": i, "start": 1, "end": 2}}, ensure_ascii=False))
PY
# shellcheck disable=SC2086 # a list of words
build() { cc -std=c11 -D_GNU_SOURCE -O2 -Icommon -I.build "$@" $common; }
build -o $out/record test/bench/record_bench.c
for _ in 1 2 3; do echo "bid: $($out/record 20 <$out/2k.ndjson)"; done
if build -DJSON_C -o $out/record-jsonc test/bench/record_bench.c -ljson-c 2>/dev/null; then
  for _ in 1 2 3; do echo "json-c: $($out/record-jsonc 3 <$out/2k.ndjson)"; done
else
  echo "json-c: left out, not installed (apt-get install libjson-c-dev)"
fi
if build -DJANSSON -o $out/record-jansson test/bench/record_bench.c -ljansson 2>/dev/null; then
  for _ in 1 2 3; do echo "jansson: $($out/record-jansson 2 <$out/2k.ndjson)"; done
else
  echo "jansson: left out, not installed (apt-get install libjansson-dev)"
fi
