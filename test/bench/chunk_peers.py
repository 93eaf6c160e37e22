"""chunk_peers.py PEER VOCAB DOCUMENTS.ndjson: one run of a peer over the documents' text.

Prints "bytes tokens seconds cpu-seconds peak-KB": tokenizers (Rust, one thread) takes paragraphs in one batch,
which suits it best; semchunk cuts documents into passages of at most 256 tokens, which tokenizers counts for it.
"""
import json
import resource
import sys
import time

from tokenizers import BertWordPieceTokenizer


def main():
    peer, vocab, documents = sys.argv[1:]
    tokenizer = BertWordPieceTokenizer(vocab, lowercase=True)
    with open(documents, encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]

    def count(text):
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    tokens = sum(count(text) for text in texts) if peer == "semchunk" else 0
    start, cpu = time.monotonic(), time.process_time()
    if peer == "tokenizers":
        paragraphs = [p for text in texts for p in text.split("\n\n")]
        tokens = sum(len(e.ids) for e in tokenizer.encode_batch(paragraphs, add_special_tokens=False))
    else:
        import semchunk

        semchunk.chunkerify(count, 256)(texts)
    took, cpu = time.monotonic() - start, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(sum(len(text.encode()) for text in texts), tokens, took, cpu, peak)


main()
