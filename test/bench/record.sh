#!/bin/sh
# Copies 2 KB records with one small field added: our code, and json-c and jansson if they are installed.
set -eu
cd "$(dirname "$0")/../.."
out=.build/bench
mkdir -p $out
make -s .build/libcommon.a
python3 - >$out/2k.ndjson <<'PY'
import json, random
random.seed(1)
words = "net sales decreased during the year compared to last year due primarily to lower volume — partially offset by price".split()
for i in range(10000):
    text = " ".join(random.choice(words) for _ in range(290))
    print(json.dumps({"id": "%032x" % i, "source": "sec-filings", "metadata": {"ticker": "TWHL", "form": "10-K"}, "text": text + '\n\n"quoted"',
                      "chunk": {"index": i, "start": 1, "end": 2}}, ensure_ascii=False))
PY
# build OPTION... SOURCE LIBRARY...
build() { cc -std=c11 -D_GNU_SOURCE -O2 -Icommon -I.build "$@"; }
build -o $out/record test/bench/record_bench.c .build/libcommon.a -lxxhash
for _ in 1 2 3; do echo "bid: $($out/record 20 <$out/2k.ndjson)"; done
if build -DJSON_C -o $out/record-jsonc test/bench/record_bench.c .build/libcommon.a -lxxhash -ljson-c 2>/dev/null; then
  for _ in 1 2 3; do echo "json-c: $($out/record-jsonc 3 <$out/2k.ndjson)"; done
else
  echo "json-c: left out, not installed (apt-get install libjson-c-dev)"
fi
if build -DJANSSON -o $out/record-jansson test/bench/record_bench.c .build/libcommon.a -lxxhash -ljansson 2>/dev/null; then
  for _ in 1 2 3; do echo "jansson: $($out/record-jansson 2 <$out/2k.ndjson)"; done
else
  echo "jansson: left out, not installed (apt-get install libjansson-dev)"
fi
