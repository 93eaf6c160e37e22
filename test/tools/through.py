#!/usr/bin/env python3
"""Runs files (named on stdin) through `bid-strip --raw` and checks every document of the output.

Usage: through.py BID_STRIP <LIST

Checked: no crash and no sanitizer report, every line is a record, text ends with one newline, outline offsets
rise and lie in the text, breaks lie in the text, and no document is empty.  Files without text (images, archives,
header files of one line) may be errors of category no-content.
"""
import json
import subprocess
import sys

BATCH = 40


def fault(name, record):
    if "error" in record:
        return None if record["error"]["category"] == "no-content" else record["error"]["message"]
    text = record["text"].encode()
    if not text.strip() or not text.endswith(b"\n") or text.endswith(b"\n\n"):
        return f"text ends badly: {text[-20:]!r}"
    before = -1
    for entry in record["outline"]:
        if not before < entry["offset"] < len(text):
            return f"outline offset {entry['offset']} behind {before}, text has {len(text)}"
        before = entry["offset"]
    for page in record.get("breaks", []):
        if not 0 <= page["offset"] <= len(text):
            return f"break at {page['offset']}, text has {len(text)}"
    return None


def run(program, names):
    done = subprocess.run([program, "--raw", *names], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    bad = []
    for line in done.stdout.splitlines():
        record = json.loads(line)
        name = record.get("sourceUrl") or record.get("error", {}).get("sourceUrl", "?")
        why = fault(name, record)
        if why:
            bad.append(f"{name}: {why}")
    errors = done.stderr.decode(errors="replace")
    if done.returncode not in (0, 1) or "Sanitizer" in errors or "runtime error" in errors:
        bad.append(f"status {done.returncode}: {errors[-2000:]}")
    return bad


def main():
    names = [line.rstrip("\n") for line in sys.stdin]
    bad = []
    for at in range(0, len(names), BATCH):
        bad += run(sys.argv[1], names[at:at + BATCH])
    print("\n".join(bad))
    return 1 if bad or not names else 0


if __name__ == "__main__":
    sys.exit(main())
