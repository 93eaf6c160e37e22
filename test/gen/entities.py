#!/usr/bin/env python3
"""Writes common/html/entities_table.c: the named character references of the HTML standard.

    python3 test/gen/entities.py > common/html/entities_table.c

The names are those of https://html.spec.whatwg.org/multipage/named-characters.html, as Python's
html.entities.html5 has them.  Every name exists with a semicolon; `bare` marks those that also count
without one.
"""
from html.entities import html5


def c_bytes(text):
    return ", ".join("'\\x%02x'" % b if b < 128 else "(char)0x%02x" % b for b in text.encode())


def main():
    names = sorted(n[:-1] for n in html5 if n.endswith(";"))
    for n in html5:
        assert n.endswith(";") or html5[n] == html5[n + ";"], n
    print("/* entities_table.c: made by test/gen/entities.py; do not edit. */")
    print('#include "entities.h"\n')
    print("const struct entity_name entity_names[] = {")
    for n in names:
        text = html5[n + ";"].encode()
        print('    {"%s", %d, %d, {%s}, %d},' % (n, len(n), int(n in html5), c_bytes(html5[n + ";"]), len(text)))
    print("};\n")
    print("const size_t entity_name_count = sizeof entity_names / sizeof entity_names[0];")


main()
