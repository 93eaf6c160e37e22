"""model2vec's Python on the benchmark's text, with bid-static's rows: writes them as a model folder and encodes.

usage: model2vec_bench.py FOLDER
"""
import os
import sys
import time

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "beside"))
from static_model import static_model  # noqa: E402

folder = sys.argv[1]
model, tokenizer = static_model("data/models/bid-static.bidm")
model.save_pretrained(folder + "/model2vec")
lines = open(folder + "/lines.txt").read().split("\n")[:-1]
tokens = sum(len(e.ids) for e in tokenizer.encode_batch(lines, add_special_tokens=False))
for _ in range(3):
    start, busy = time.perf_counter(), time.process_time()
    model.encode(lines, max_length=None, use_multiprocessing=False)
    wall, cpu = time.perf_counter() - start, time.process_time() - busy
    print("model2vec Python, one process: %.2f s, %.2f of CPU: %.2f million tokens/s, %.2f a CPU second" % (
        wall, cpu, tokens / wall / 1e6, tokens / cpu / 1e6), flush=True)
