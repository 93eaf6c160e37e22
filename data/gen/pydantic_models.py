#!/usr/bin/env python3
"""Writes pipelines/python/bid/models.py: Pydantic models of the records that data/schema/*.json describe.

    python3 data/gen/pydantic_models.py >pipelines/python/bid/models.py

A class is named by its schema or by the member that holds it.  What JSON Schema says of one member is kept: type, pattern, bounds,
words.  What it says of several (oneOf over members) is left to the schemas.
"""
import json
import keyword
import os
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROOTS = {"error": "ErrorRecord", "hit": "Hit", "fact": "Fact", "plan": "Planned", "verification": "Verification", "retrieval": "Bundle"}
# Places in the bundle that hold a record with a schema of its own.
SAME = {("retrieval", "matches"): "Hit", ("retrieval", "fact"): "Fact", ("retrieval", "error"): "Error"}
PLAIN = {"string": "str", "integer": "int", "number": "Union[int, float]", "boolean": "bool", "null": "None", "object": "Dict[str, Any]",
         "array": "List[Any]"}
HEAD = '''"""Pydantic models of BID's records, for pip install "bid[pydantic]":

    from bid.models import Bundle
    bundle = Bundle.model_validate(store.retrieve("supply chain risks", company="AAPL"))

Made by data/gen/pydantic_models.py from the schemas; not to be edited.
"""
from typing import Any, Dict, List, Literal, Optional, Union

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import Annotated
'''


def camel(name):
    return name[0].upper() + name[1:]


class Models:
    def __init__(self, schema):
        self.name, self.defs, self.made, self.out = schema, {}, {}, []

    def of(self, spec, name):
        """The Python type of a schema; classes that it needs are written first."""
        if "$ref" in spec:
            name = spec["$ref"].rsplit("/", 1)[1]
            return self.of(self.defs[name], name)
        if (self.name, name) in SAME and spec.get("type") == "object":
            return SAME[self.name, name]
        for key in ("oneOf", "anyOf"):
            if key in spec and "properties" not in spec:
                return "Union[%s]" % ", ".join(self.of(one, name) for one in spec[key])
        if "const" in spec or "enum" in spec:
            return "Literal[%s]" % ", ".join(repr(v) for v in spec.get("enum", [spec.get("const")]))
        kinds = spec.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        types = [self.of_kind(kind, spec, name) for kind in kinds]
        return "Any" if not types else types[0] if len(types) == 1 else "Union[%s]" % ", ".join(types)

    def of_kind(self, kind, spec, name):
        if kind == "object" and spec.get("properties"):
            return self.model(spec, name)
        if kind == "array" and "items" in spec:
            kind = "List[%s]" % self.of(spec["items"], name)
        bounds = [(word, spec[key]) for key, word in (("pattern", "pattern"), ("minLength", "min_length"), ("minItems", "min_length"),
                                                      ("minimum", "ge"), ("maximum", "le")) if key in spec]
        text = PLAIN.get(kind, kind)
        return "Annotated[%s, Field(%s)]" % (text, ", ".join("%s=%r" % b for b in bounds)) if bounds else text

    def model(self, spec, name):
        title = ROOTS.get(name, camel(name)) if spec is self.root else camel(name) if self.name == "error" else ROOTS[self.name] + camel(name)
        key = json.dumps(spec, sort_keys=True)
        if self.made.get(title) == key:
            return title
        while title in self.made:
            title += "_"
        self.made[title] = key
        lines = ["", "", "class %s(BaseModel):" % title]
        if spec.get("description"):
            lines += ['    """%s"""' % spec["description"].replace("\\", "\\\\"), ""]
        lines.append('    model_config = ConfigDict(extra="%s")' % ("allow" if spec.get("additionalProperties", True) else "forbid"))
        for member, of in spec["properties"].items():
            own = member + "_" if keyword.iskeyword(member) or member in ("json", "copy", "schema") else member
            kind, alias = self.of(of, member), ", alias=%r" % member if own != member else ""
            if member in spec.get("required", []):
                lines.append("    %s: %s" % (own, kind) + (" = Field(...%s)" % alias if alias else ""))
            else:
                lines.append("    %s: Optional[%s] = " % (own, kind) + ("Field(None%s)" % alias if alias else "None"))
        self.out += lines
        return title


def main():
    sys.stdout.write(HEAD)
    for schema in ROOTS:
        with open(os.path.join(TOP, "data", "schema", schema + ".json"), encoding="utf-8") as f:
            spec = json.load(f)
        models = Models(schema)
        models.defs, models.root = spec.get("$defs", {}), spec
        models.model(spec, schema)
        print("\n".join(models.out))


if __name__ == "__main__":
    main()
