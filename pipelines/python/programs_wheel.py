"""A wheel with everything: programs_wheel.py TREE FOLDER.

TREE is what `make install` made, with PREFIX ""; the wheel is written to FOLDER.  The package goes beside other packages, programs to
the environment's bin, the rest to its share, where the programs look.  The shared libraries that programs need come along into
lib/bid, with the licences of their Debian packages; those of glibc and gcc are the system's, as manylinux has it.  So is the oldest
glibc: that of the newest symbol needed.  Needs patchelf and binutils.
"""
import glob
import os
import re
import subprocess
import sys

import build_wheel

SYSTEM = re.compile(r"^(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s))\.so")
# libcurl is loaded by name, jq is run by pipelines.
LOADED = ["libcurl.so.4"]
LEFT_OUT = ("share/bid/python/", "share/bid/nightly", "share/bid/bid-nightly.cron", "lib/systemd/")


def said(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True).stdout


def libraries(path):
    """Name and place of the shared libraries that a file needs, those of others included."""
    return dict(re.findall(r"(\S+) => (/\S+)", said("ldd", path)))


def is_program(path):
    with open(path, "rb") as f:
        return f.read(4) == b"\x7fELF"


def bring_libraries(tree, jq):
    """Copies them to lib/bid and lets every file look there; returns the files of the licences' packages."""
    lib = os.path.join(tree, "lib", "bid")
    os.makedirs(lib)
    programs = [path for path in glob.glob(os.path.join(tree, "bin", "*")) if is_program(path)]
    found = {name: os.path.join(os.path.dirname(libraries(programs[0])["libc.so.6"]), name) for name in LOADED}
    for path in programs + list(found.values()) + [jq]:
        found.update(libraries(path))
    found = {name: os.path.realpath(path) for name, path in found.items() if not SYSTEM.match(name)}
    for name, path in list(found.items()) + [("jq", jq)]:
        subprocess.run(["install", "-m", "755", path, os.path.join(lib, name)], check=True)
    for path in programs:
        subprocess.run(["strip", "--strip-unneeded", path], check=True)
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN/../lib/bid", path], check=True)
    for name in os.listdir(lib):
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN", os.path.join(lib, name)], check=True)
    return list(found.values()) + [jq]


def bring_licences(tree, files):
    for path in files:
        package = said("dpkg", "-S", re.sub("^/usr/lib/", "*/lib/", path)).split(":")[0]
        folder = os.path.join(tree, "share", "doc", "bid", package)
        os.makedirs(folder, exist_ok=True)
        subprocess.run(["install", "-m", "644", "/usr/share/doc/%s/copyright" % package, folder], check=True)


def glibc(tree):
    """The newest version of glibc's symbols that any file needs, as 2_36."""
    needed = set()
    for path in glob.glob(os.path.join(tree, "bin", "*")) + glob.glob(os.path.join(tree, "lib", "bid", "*")):
        if is_program(path):
            needed.update(re.findall(r"GLIBC_(\d+)\.(\d+)", said("objdump", "-T", path)))
    return "%d_%d" % max((int(a), int(b)) for a, b in needed)


def contents(tree):
    """Names in the wheel, with bytes and whether the file is a program."""
    data = "bid-%s.data/" % build_wheel.version()
    for folder, _, names in sorted(os.walk(tree)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            place = os.path.relpath(path, tree)
            if place.startswith(LEFT_OUT):
                continue
            with open(path, "rb") as f:
                yield (data + ("scripts/" + name if place.startswith("bin/") else "data/" + place), f.read(), os.access(path, os.X_OK))


def main(tree, out):
    jq = os.path.realpath(said("sh", "-c", "command -v jq").strip())
    bring_licences(tree, bring_libraries(tree, jq))
    tag = "py3-none-manylinux_%s_%s" % (glibc(tree), os.uname().machine)
    print(os.path.join(out, build_wheel.write_wheel(out, list(build_wheel.modules()) + list(contents(tree)), tag)))


if __name__ == "__main__":
    main(*sys.argv[1:])
