#!/usr/bin/env python3
"""Take the recipes out of a manual page: numbered files NAME.py or NAME.sh in a folder, with the modules that each needs.

usage: recipes.py PAGE FOLDER

Prints a line a recipe: file, modules.  A recipe is a literal display behind a comment `.\\" recipe: python|sh MODULE...`.
"""
import os
import re
import sys


def plain(text):
    for escape, char in (("\\(aq", "'"), ("\\(dq", '"'), ("\\-", "-"), ("\\e", "\\"), ("\\&", "")):
        text = text.replace(escape, char)
    return text


page = open(sys.argv[1], encoding="utf-8").read()
found = re.findall(r'^\.\\" recipe: (python|sh) ([^\n]*)\n\.Bd -literal\n(.*?)^\.Ed', page, re.M | re.S)
for n, (kind, modules, text) in enumerate(found):
    name = "%02d.%s" % (n, "py" if kind == "python" else "sh")
    with open(os.path.join(sys.argv[2], name), "w", encoding="utf-8") as f:
        f.write(("set -eu\n" if kind == "sh" else "") + plain(text))
    print(name, modules)
