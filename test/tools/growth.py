#!/usr/bin/env python3
"""Feeds adversarial inputs of three sizes to bid-strip and bid-chunk: time and memory must grow linearly with the input.

growth.py BIN [SIZE]

Each of the 150 patterns is written at SIZE/16, SIZE/4 and SIZE bytes (default 512 KiB).  A pattern fails where a program is killed or
crashes, takes more than LINEAR times as long for four times the input (and more than QUICK seconds), needs more than BASE + PER_BYTE
bytes of memory a byte, or writes more than OUT bytes a byte (an error record aside).  Prints what failed; status 1 where any did.
"""
import os
import subprocess
import sys
import tempfile
import time

LINEAR, QUICK, BASE, PER_BYTE, OUT = 9.0, 0.6, 64 << 20, 100, 40

UNITS = [
    # markup of pages
    "<p>", "<div>", "<table>", "<table><tr>", "<table><tr><td>", "<tr>", "<td>", "<table><tr><td>1</td></tr></table>", "<ul><li>", "<ol>",
    "<b>", "<font color=red>", "<span style='font-weight:bold'>", "<h1>", "<h1>a</h1>", "<a href='#x'>", "<a name='x'></a>", "<!--", "<!-- x -->",
    "<script>", "<style>a{}", "<style>.x{display:none}</style>", "<pre>", "<br>", "<hr>", "<hr style='page-break-after:always'>", "<p>1</p>",
    "&amp;", "&", "&#x41;", "<", ">", "<<", "</p>", "</div></div>", "<p style='", "<p style='x:y;z:w'>", "<p class='a b c d'>", "<![CDATA[", "<?xml?>",
    "<ix:nonNumeric name='dei:EntityRegistrantName'>x</ix:nonNumeric>", "<ix:header>", "<td colspan=1000>1", "<td rowspan=1000>1", "<sup>1</sup>",
    # submissions, plain text
    "<DOCUMENT>\n", "<DOCUMENT>\n<TYPE>10-K\n", "<DOCUMENT>\n<TYPE>10-K\n<TEXT>\nx\n</TEXT>\n</DOCUMENT>\n", "<TEXT>\n", "</DOCUMENT>\n", "<PAGE>\n", "<TABLE>\n<S> <C>\n",
    "Item 1. Business\n\n", "Item 1A. Risk Factors\n\nItem 1A\n\n", "PART I\n\n", "Note 1\n\n", "\f", "\n", " ", "\t|", "|", "| a | b |\n", "# x\n", "- x\n",
    "1 2 3 4 5\n", "a", "a ", "a.b", "$1,234 ", "(1) ", "____ ", ".....", "\u00a0", "\u4e00", "e\u0301",
]
WRAPS = [("", ""), ("<html><body>", "</body></html>")]


# Marks of Markdown that open without closing, or nest
MARKS = ["[a](", "![", "*a _b ", "**", "`a``", "> ", "- ", "1. a\n", "|", "a|b\n-|-\n", "x\n|-\n", "[a]: b\n", "[a][", "<a", "<!--",
         "~~a", "&#x", "\\", "# ", "\t", "```\n", "http://a.", "a@b.", "*a**", "\n\n    x"]


def patterns(declared):
    if declared == "markdown":
        for unit in MARKS:
            yield unit, "", unit, ""
        yield "a wide table", "|".join("a" * 500) + "\n" + "|".join("-" * 500) + "\n", "x\n", ""
        return
    for unit in UNITS:
        for k, (front, back) in enumerate(WRAPS):
            yield "%s%s" % (unit, " (page)" if k else ""), front, unit, back


def write(path, front, unit, back, size):
    text = (front + unit * max(1, size // len(unit.encode())) + back).encode()
    if unit.startswith("<DOCUMENT>") and not front:
        text = b"<SEC-DOCUMENT>x\n<SEC-HEADER>\n</SEC-HEADER>\n" + text
    with open(path, "wb") as f:
        f.write(text)
    return len(text)


def run(command, out):
    start = time.monotonic()
    with open(out, "wb") as f:
        child = subprocess.Popen(command, stdout=f, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, time.monotonic() - start


def main(bin_folder, size, declared):
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        at = lambda name: os.path.join(folder, name)
        for name, front, unit, back in patterns(declared):
            count += 1
            before = {}
            for part in (16, 4, 1):
                length = write(at("in"), front, unit, back, size // part)
                for program, command in (("strip", [bin_folder + "/bid-strip", "--raw", *(["--type=" + declared] if declared else []), at("in")]),
                                         ("chunk", [bin_folder + "/bid-chunk", at("strip")])):
                    code, seconds, memory, _ = run(command, at(program))
                    wrote = os.path.getsize(at(program))
                    fed = length if program == "strip" else max(length, os.path.getsize(at("strip")))
                    grown = seconds > QUICK and program in before and seconds > LINEAR * before[program]
                    if code not in (0, 1) or grown or memory > BASE + PER_BYTE * fed or wrote > OUT * fed + 4096:
                        failed += 1
                        print("%r: bid-%s, %d bytes: status %d, %.2f s (%.2f s before), %d MB, %d bytes out"
                              % (name, program, fed, code, seconds, before.get(program, 0), memory >> 20, wrote))
                    before[program] = seconds
    print("%d patterns, %d faults" % (count, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 512 << 10,
                  sys.argv[3] if len(sys.argv) > 3 else ""))
