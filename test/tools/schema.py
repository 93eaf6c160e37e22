#!/usr/bin/env python3
"""Checks JSON records against a schema: schema.py SCHEMA.json [FILE]...; NDJSON on stdin where no file is named.

Knows the words of JSON Schema 2020-12 that data/schema/ uses and refuses a schema that uses others, so that
nothing is taken for checked that isn't.  Exit status 0, or 1 with what is wrong, one line a fault.
"""
import json
import re
import sys

KNOWN = {"$schema", "$id", "$defs", "$ref", "title", "description", "type", "required", "properties", "items",
         "additionalProperties", "enum", "const", "pattern", "minimum", "maximum", "minLength", "oneOf", "anyOf",
         "not"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def refuse_unknown(schema, where="#"):
    unknown = set(schema) - KNOWN
    if unknown:
        sys.exit("schema.py: %s: words that it does not know: %s" % (where, ", ".join(sorted(unknown))))
    for key in ("$defs", "properties"):
        for name, part in schema.get(key, {}).items():
            refuse_unknown(part, "%s/%s/%s" % (where, key, name))
    for part in [schema.get("items"), schema.get("not")] + schema.get("oneOf", []) + schema.get("anyOf", []):
        if part:
            refuse_unknown(part, where)


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def faults(value, schema, root, where):
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    names = schema.get("type")
    if names and not any(is_type(value, n) for n in ([names] if isinstance(names, str) else names)):
        yield "%s: is no %s" % (where, names)
        return
    if "enum" in schema and value not in schema["enum"]:
        yield "%s: %r is none of %s" % (where, value, schema["enum"])
    if "const" in schema and value != schema["const"]:
        yield "%s: %r is not %r" % (where, value, schema["const"])
    if isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield "%s: %.80r does not fit %s" % (where, value, schema["pattern"])
        if len(value) < schema.get("minLength", 0):
            yield "%s: is too short" % where
    if isinstance(value, (int, float)):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            yield "%s: %r is out of range" % (where, value)
    yield from choices(value, schema, root, where)
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            yield from faults(item, schema["items"], root, "%s[%d]" % (where, i))
    if isinstance(value, dict):
        yield from members(value, schema, root, where)


def choices(value, schema, root, where):
    for word, right in (("oneOf", lambda n: n == 1), ("anyOf", lambda n: n > 0)):
        if word in schema:
            fitting = sum(not list(faults(value, s, root, where)) for s in schema[word])
            if not right(fitting):
                yield "%s: fits %d of the %s" % (where, fitting, word)
    if "not" in schema and not list(faults(value, schema["not"], root, where)):
        yield "%s: is what it must not be" % where


def members(value, schema, root, where):
    for name in schema.get("required", []):
        if name not in value:
            yield "%s: lacks %s" % (where, name)
    for name, part in value.items():
        if name in schema.get("properties", {}):
            yield from faults(part, schema["properties"][name], root, "%s.%s" % (where, name))
        elif schema.get("additionalProperties") is False:
            yield "%s: has %s" % (where, name)


def main(argv):
    with open(argv[0]) as f:
        schema = json.load(f)
    refuse_unknown(schema)
    bad = 0
    for name in argv[1:] or ["-"]:
        with (sys.stdin if name == "-" else open(name)) as f:
            for number, line in enumerate(f, 1):
                for fault in faults(json.loads(line), schema, schema, "$"):
                    print("%s:%d: %s" % (name, number, fault))
                    bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
