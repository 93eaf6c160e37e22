#!/usr/bin/env python3
"""Print the examples of README, manual pages and --help, each with its source, NUL-separated: SOURCE TAB COMMANDS.

usage: examples.py README.md man/*.[157] HELP...

A HELP is a file named COMMAND.help with the output of COMMAND --help.  Of a page the displays (.Bd -literal) count, of
README the ```sh blocks, of help what follows "Example:"; lines that no command of BID begins (or echo, printf, jq, ...)
are continuations of the line before.
"""
import re
import sys

STARTS = re.compile(r"^(?:\w+=\S+ )*(bid|bid-[a-z-]+|echo|printf|jq|cat|curl|make)\b")


def joined(lines):
    commands = []
    for line in lines:
        goes_on = commands and (commands[-1].rstrip().endswith(("|", "\\")) or re.sub(r"\s# .*", "", commands[-1]).count("'") % 2 == 1)
        if goes_on:
            commands[-1] += "\n" + line
        elif STARTS.match(line):
            commands.append(line)
    return commands


def of_page(text):
    for block in re.findall(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed", text, re.S | re.M):
        lines = [re.sub(r"\\&", "", l).replace("\\e", "\\").replace("\\(ti", "~").replace("\\-", "-").replace("\\(aq", "'")
                 for l in block.split("\n") if not l.startswith(".")]
        yield from joined(lines)


def of_readme(text):
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.S | re.M):
        yield from joined(block.split("\n"))


def of_help(text):
    found = re.search(r"^Examples?:(.*?)(?:\n\n|\Z)", text, re.S | re.M)
    if found:
        yield from joined([l.strip() for l in found.group(1).split("\n")])


for path in sys.argv[1:]:
    content = open(path, encoding="utf-8").read()
    of = of_help if path.endswith(".help") else of_readme if path.endswith(".md") else of_page
    name = path.split("/")[-1]
    for command in of(content):
        sys.stdout.write(f"{name}\t{command}\0")
