#!/usr/bin/env python3
"""Parses records with the package's Pydantic models: typed.py MODEL [FILE]...; NDJSON on stdin where no file is named.

What a model gives back has to be the record again.  Status 0; 1 with a line a fault; 77 where Pydantic 2 is not installed.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "pipelines", "python"))
sys.dont_write_bytecode = True
try:
    from bid import models
except ImportError:
    sys.exit(77)


def main(argv):
    model, bad = getattr(models, argv[0]), 0
    for name in argv[1:] or ["-"]:
        with (sys.stdin if name == "-" else open(name, encoding="utf-8")) as f:
            for number, line in enumerate(f, 1):
                record = json.loads(line)
                try:
                    same = model.model_validate(record).model_dump(by_alias=True, exclude_unset=True) == record
                    fault = None if same else "it comes back as another record"
                except ValueError as error:
                    fault = str(error)
                if fault:
                    print("%s:%d: %s" % (name, number, fault))
                    bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
