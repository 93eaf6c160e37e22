#!/usr/bin/env bats
# The Python package, its retrievers, and the recipes of bid-recipes(7).

load helper

EXTRAS=$ROOT/.venv-extras

test_setup() {
  export PYTHONPATH=$ROOT/pipelines/python PYTHONDONTWRITEBYTECODE=1
}

fill() {
  bid-fetch --quiet file "$ROOT"/data/sample/*.txt -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null
}
need_module() { [ -x "$EXTRAS/bin/python" ] && "$EXTRAS/bin/python" -c "import $1" 2>/dev/null || skip "$1 is not installed (make extras)"; }

@test "search, many searches, retrieve, show the same as the programs" {
  fill
  python3 - <<'PYTHON'
import json, subprocess
import bid
with bid.Store() as store:
    hits = store.search("supply chain risks", limit=3)
    lines = subprocess.run(["bid-search", "-n", "3", "supply chain risks"], stdout=subprocess.PIPE, check=True).stdout.splitlines()
    assert hits == [json.loads(line) for line in lines], hits
    assert all(h["ticker"] == "TWHL" and h["form"] == "10-K" for h in store.search("risks", companies="TWHL", forms=["10-K"]))
    many = store.search_many(["net sales", "supply chain risks"] * 500, limit=3)
    assert len(many) == 1000 and many[1] == hits and many[999] == hits
    bundle = store.retrieve("supply chain risks", companies="PLCD", limit=2)
    assert len(bundle["rag"]["matches"]) <= 2
    bundle = store.retrieve("supply chain risks", company="PLCD")
    assert sorted(bundle) == ["edgar", "errors", "query", "rag"] and bundle["rag"]["matches"]
    assert len(store.collections()) == 6
    rows = list(store.dump(vectors=True))
    assert len(rows) > 100 and all(isinstance(r["embedding"][0], float) for r in rows)
    assert {r["form"] for r in store.dump(collections="*_10-Q")} == {"10-Q"}
PYTHON
}

@test "faults are exceptions, and the store goes on" {
  fill
  python3 - <<'PYTHON'
import bid
store = bid.Store()
try:
    store.search("kilns", new=True)
    raise SystemExit("the sample has no filing before another to tell what is new")
except bid.BidError as e:
    assert "to tell what is new" in e.message, e.message
for wrong in ({"mode": "best"}, {"limit": 0}, {"since": "yesterday-ish"}):
    try:
        store.search("x", **wrong)
        raise SystemExit("no error for %r" % wrong)
    except bid.BidError as e:
        assert e.category == "invalid-request", (e.category, e.message)
assert store.search("net sales") and not any("duplicates" in m for m in store.search("net sales", limit=50, fold=False))
import datetime
many = store.search_many(["net sales", "", "risks"])
assert [bool(rows) for rows in many] == [True, False, True] and "empty" in many[1].errors[0].message, many
assert store.search("risks", since=datetime.date(2025, 1, 1)) == store.search("risks", since="2025-01-01")
for wrong in ({"since": b"2025"}, {"forms": [object()]}, {"companies": [[b"AAPL"]]}):
    try:
        store.search("risks", **wrong)
        raise SystemExit("no error for %r" % wrong)
    except bid.BidError as e:
        assert e.message.startswith(("since: ", "form: ", "company: ")), e.message
store.child.kill()
store.child.wait()
assert store.search("net sales") and not any("duplicates" in m for m in store.search("net sales", limit=50, fold=False))
try:
    bid.Store(path="nowhere").search("x")
    raise SystemExit("no error without a store")
except bid.BidError as e:
    assert e.category == "no-collection"
try:
    store.facts("AAPL", "--help", period="nonsense")
    raise SystemExit("no error for a wrong period")
except bid.BidError as e:
    assert e.status
PYTHON
}

@test "programs that die, print garbage or nothing are a BidError, and the next question is answered" {
  fill
  mkdir others
  ln -s "$BID_BIN"/* others/
  local script
  rm others/bid-search
  for script in 'echo "{\"matches\": 5}"; cat >/dev/null' 'echo "{not json"; cat >/dev/null' 'echo "[1]"' 'exit 3' 'kill -9 $$' \
    'head -c 5000 /dev/urandom; echo' 'echo "{\"error\":\"text\"}"' \
    'head -c 100000 /dev/zero | tr "\\0" "["; echo' 'echo "{\"matches\":[\"text\"]}"'; do
    printf '#!/bin/sh\n%s\n' "$script" >others/bid-search.new
    chmod +x others/bid-search.new
    SCRIPT=$script python3 - <<'PYTHON'
import os
import bid
os.replace("others/bid-search.new", "others/bid-search")
store = bid.Store(programs="others")
for _ in range(2):
    try:
        store.search("net sales")
        raise SystemExit("no error of " + os.environ["SCRIPT"])
    except bid.BidError as e:
        assert e.category == "internal" and "bid-search" in e.message, (os.environ["SCRIPT"], e.message)
assert store.child is None
os.remove("others/bid-search")
os.symlink(os.path.join(os.environ["BID_BIN"], "bid-search"), "others/bid-search")
assert store.search("net sales") and not any("duplicates" in m for m in store.search("net sales", limit=50, fold=False))
store.close()
PYTHON
  done
  ln -sf /bin/true others/bid-facts
  printf '#!/bin/sh\necho "{\\"a\\": "\n' >others/bid-fetch.new && chmod +x others/bid-fetch.new && mv others/bid-fetch.new others/bid-fetch
  python3 - <<'PYTHON'
import bid
store = bid.Store(programs="others")
assert store.facts("AAPL", "revenue") == []
try:
    store.fetch("sec-filings", entity="AAPL")
    raise SystemExit("no error of half a record")
except bid.BidError as e:
    assert "no record" in e.message, e.message
PYTHON
}

@test "a store that grew is searched as it is now" {
  python3 - <<PYTHON
import subprocess, bid
store = bid.Store()
fill = 'bid-fetch --quiet file %s -P corpus=edgar | bid-strip -q | bid-chunk -q | bid-embed -q | bid-index -q >/dev/null'
subprocess.run(["sh", "-c", fill % "$ROOT/data/sample/0009990001*.txt"], check=True)
try:
    store.search("Pellucid Instruments net sales", limit=20)
    raise SystemExit("no error of a company that nothing names")
except bid.BidError as e:
    assert "nothing in the store names" in e.message, e.message
subprocess.run(["sh", "-c", fill % "$ROOT/data/sample/0009990002*.txt"], check=True)
assert any(h["ticker"] == "PLCD" for h in store.search("Pellucid Instruments net sales", limit=20))
PYTHON
}

@test "facts" {
  need_shared
  upstream_start
  python3 - <<'PYTHON'
import bid
rows = bid.Store().facts("AAPL", "net income", limit=3)
assert len(rows) == 3 and all(r["concept"] == "NetIncomeLoss" and isinstance(r["value"], int) and r["href"] for r in rows), rows
PYTHON
}

@test "pip installs it from the tree without a network, and it finds the programs on PATH" {
  python3 -m venv --help >/dev/null 2>&1 || skip "python3-venv is not installed"
  python3 -m venv venv >/dev/null || skip "python3-venv is not installed"
  fill
  run --separate-stderr venv/bin/pip install --no-index --quiet --disable-pip-version-check "$ROOT/pipelines/python"
  equal "$status" 0
  cd /
  PYTHONPATH='' "$OLDPWD/venv/bin/python" -c 'import bid, sys; assert "venv" in bid.__file__; assert bid.Store().search("net sales")'
  equal "$(PYTHONPATH='' "$OLDPWD/venv/bin/python" -c 'import importlib.metadata as m; print(m.version("bid"))')" "$(cat "$ROOT/data/VERSION")"
  equal "$(PYTHONPATH='' "$OLDPWD/venv/bin/python" -c 'import bid; print(bid.__version__)')" "$(cat "$ROOT/data/VERSION")"
}

@test "the package names its version and its store, and says what is missing for a frame" {
  python3 - <<'PYTHON'
import builtins, os, bid
assert bid.__version__ == open(os.path.join(os.environ["ROOT"], "data/VERSION")).read().strip(), bid.__version__
assert repr(bid.Store("/srv/filings")) == "bid.Store('/srv/filings')"
real = builtins.__import__
def without(name, *rest, **more):
    if name.startswith(("pandas", "pyarrow")): raise ImportError(name)
    return real(name, *rest, **more)
builtins.__import__ = without
for call in (bid.Rows([{"a": 1}]).frame, lambda: bid.Store().to_parquet("x.parquet")):
    try:
        call()
    except bid.BidError as error:
        assert "pip install pandas" in str(error), error
    else:
        raise AssertionError
PYTHON
}

@test "pandas: rows and figures as data frames" {
  need_module pandas
  fill
  "$EXTRAS/bin/python" - <<'PYTHON'
import bid
frame = bid.Store().search("net sales", limit=4).frame()
assert list(frame["rank"]) == [1, 2, 3, 4] and frame["score"].is_monotonic_decreasing
PYTHON
}

@test "LangChain: the real library takes the retriever, alone and in a chain" {
  need_module langchain_core
  fill
  "$EXTRAS/bin/python" - <<'PYTHON'
from langchain_core.runnables import RunnableLambda
import bid
from bid.langchain import BidRetriever
retriever = BidRetriever(k=3, forms=["10-K"])
documents = retriever.invoke("supply chain risks")
assert len(documents) == 3 and all(d.metadata["form"] == "10-K" and d.page_content for d in documents)
chain = retriever | RunnableLambda(lambda found: [d.metadata["sourceUrl"] for d in found])
assert chain.batch(["supply chain risks", "net sales"])[0] == [d.metadata["sourceUrl"] for d in documents]
assert [d.id for d in documents] == [h["id"] for h in bid.Store().search("supply chain risks", limit=3, forms="10-K")]
PYTHON
}

@test "LlamaIndex: the real library takes the retriever, also in a query engine's post-processing" {
  need_module llama_index.core
  fill
  "$EXTRAS/bin/python" - <<'PYTHON'
from llama_index.core.postprocessor import SimilarityPostprocessor
from bid.llama_index import BidRetriever
found = BidRetriever(k=3).retrieve("supply chain risks")
assert len(found) == 3 and found[0].score >= found[1].score and found[0].node.metadata["sourceUrl"]
kept = SimilarityPostprocessor(similarity_cutoff=found[1].score).postprocess_nodes(found)
assert 1 <= len(kept) <= 2
PYTHON
}

@test "the recipes of bid-recipes(7) run" {
  fill
  local name modules module ran=0 missing=
  python3 "$ROOT/test/extras/recipes.py" "$ROOT/man/bid-recipes.7" . >recipes
  [ "$(wc -l <recipes)" -ge 9 ]
  local python=python3
  if [ -x "$EXTRAS/bin/python" ]; then
    python=$EXTRAS/bin/python
    PATH=$EXTRAS/bin:$PATH
  fi
  while read -r name modules; do
    for module in $modules; do
      "$python" -c "import $module" 2>/dev/null || { missing="$missing $module"; continue 2; }
    done
    case $name in
    *.py) "$python" "$name" >"$name.out" ;;
    *) sh "$name" >"$name.out" ;;
    esac
    [ -s "$name.out" ] || { echo "$name printed nothing"; false; }
    ran=$((ran + 1))
  done <recipes
  [ "$ran" -ge 1 ]
  [ -z "$missing" ] || skip "not installed:$missing (make extras)"
}

@test "the Pydantic models are those of the schemas" {
  python3 "$ROOT/data/gen/pydantic_models.py" | cmp - "$ROOT/pipelines/python/bid/models.py"
}

@test "hits, figures, plans, verifications, bundles and errors are parsed by the Pydantic models, and come back the same" {
  need_module pydantic
  typed() { "$EXTRAS/bin/python" "$ROOT/test/tools/typed.py" "$@"; }
  fill
  bid-search --json -n 5 "supply chain risks of Tidewrack" | tee hits | typed Hit
  [ "$(wc -l <hits)" -eq 5 ]
  bid-plan --json --shipped "Apple's gross margin in Q2 2025 and 2024" | typed Planned
  bid-plan --json --shipped -e Nobodyx "revenue" 2>/dev/null | typed Planned
  bid-verify --json --answer-text "A closed port cost 3 million in 2025 [1]." --cite "$(head -1 hits | jq -r .id)" >verified || true
  [ -s verified ]
  typed Verification verified
  bid-retrieve --no-edgar "What are the main supply chain risks of Tidewrack?" | typed Bundle
  bid-fetch --quiet nosuch 2>/dev/null | typed ErrorRecord
  run typed Hit <<<'{"rank":0,"id":"x"}'
  equal "$status" 1
  need_shared
  upstream_start
  bid-facts --json -e AAPL "net income" "gross margin" | tee facts | typed Fact
  [ "$(wc -l <facts)" -gt 3 ]
}
