#!/usr/bin/env python3
"""Checks JSON records against a schema: schema.py SCHEMA.json [FILE]...; NDJSON on stdin where no file is named.

JSON Schema 2020-12 by python3-jsonschema; a schema that is none is a fault, too.  Exit status 0, or 1 with what is wrong,
one line a fault.
"""
import json
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit("schema.py: python3-jsonschema is not installed (apt-get install python3-jsonschema)")


def place(error):
    return "$" + "".join("[%d]" % p if isinstance(p, int) else "." + p for p in error.absolute_path)


def main(argv):
    with open(argv[0]) as f:
        schema = json.load(f)
    Draft202012Validator.check_schema(schema)
    validator, bad = Draft202012Validator(schema), 0
    for name in argv[1:] or ["-"]:
        with (sys.stdin if name == "-" else open(name)) as f:
            for number, line in enumerate(f, 1):
                for error in validator.iter_errors(json.loads(line)):
                    print("%s:%d: %s: %.300s" % (name, number, place(error), error.message))
                    bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
