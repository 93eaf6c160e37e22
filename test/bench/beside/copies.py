"""copies.py COUNT FILE...: makes COUNT payload records from the files in turn, each with a different comment at its end."""
import base64
import hashlib
import json
import sys

count, files = int(sys.argv[1]), sys.argv[2:]
held = {}
for i in range(count):
    path = files[i % len(files)]
    if path not in held:
        held[path] = open(path, "rb").read()
    raw = held[path] + b"<!-- copy %d -->" % i
    print(json.dumps({"source": "sec-filings", "sourceUrl": "https://example.org/copy/%d" % i, "capturedAt": "2026-01-01T00:00:00Z",
                      "contentType": "text/html", "sha256": hashlib.sha256(raw).hexdigest(), "rawEncoding": "base64",
                      "rawContent": base64.b64encode(raw).decode("ascii")}))
