#!/usr/bin/env python3
"""documents.py FIRST COUNT PASSAGES [VERSION]: embedded chunks of documents, as bid-embed gives them, without a model."""
import base64
import hashlib
import json
import struct
import sys

WORDS = ("revenue risk supply chain competition patent lease tax segment margin cash debt interest inventory customer "
         "contract product research employee market share dividend goodwill asset liability audit control").split()


def passage(document, index, count, version):
    seed = hashlib.sha256(b"%d %d %d" % (document, index, version)).digest()
    text = " ".join(WORDS[b % len(WORDS)] for b in seed * 4)
    vector = [(seed[k % 32] * (k + 3) % 255) / 127.0 - 1 for k in range(64)]
    return {
        "source": "sec-filings", "sourceUrl": "https://example.org/%d" % document, "capturedAt": "2026-01-02T03:04:05Z",
        "contentType": "text/html", "sha256": hashlib.sha256(b"%d %d" % (document, version)).hexdigest(),
        "metadata": {"company": "Example %d Inc." % (document % 5), "ticker": "EX%d" % (document % 5),
                     "form": ["10-K", "10-Q", "8-K"][document % 3], "filingDate": "2024-%02d-01" % (document % 12 + 1)},
        "id": hashlib.sha256(b"id %d %d %d" % (document, index, version)).hexdigest()[:32],
        "text": "Passage %d of document %d, version %d: %s." % (index, document, version, text),
        "context": "Example %d Inc. filing" % (document % 5),
        "chunk": {"index": index, "start": 10 * index, "end": 10 * index + 9, "item": ["1", "1A", "7"][index % 3],
                  "last": index == count - 1},
        "embedding": base64.b64encode(struct.pack("<64f", *vector)).decode(), "model": "test@0123456789ab"}


def main():
    first, documents, passages = (int(a) for a in sys.argv[1:4])
    version = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    for document in range(first, first + documents):
        for index in range(passages):
            print(json.dumps(passage(document, index, passages, version)))


if __name__ == "__main__":
    main()
