"""A build backend (PEP 517, PEP 660) for this one package: a wheel is a zip of the modules with three files about them.

It needs nothing but Python, so that `pip install` from the tree works without a network.
"""
import base64
import hashlib
import os
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXTRAS = {"pandas": ["pandas"], "parquet": ["pandas", "pyarrow"], "langchain": ["langchain-core"], "llama-index": ["llama-index-core"], "pydantic": ["pydantic>=2"]}


def version():
    """BID's own: of the checkout, or of the installed data folder."""
    for folder in ("../../data", "../data", ".."):
        path = os.path.join(HERE, folder, "VERSION")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                return f.read().strip()
    raise FileNotFoundError("VERSION is neither in ../../data nor in the folders above")


def metadata():
    lines = ["Metadata-Version: 2.1", "Name: bid", "Version: " + version(), "Requires-Python: >=3.9",
             "Summary: Passages and figures of financial filings, from the programs of BID"]
    for extra, needs in EXTRAS.items():
        lines.append("Provides-Extra: " + extra)
        lines += ['Requires-Dist: %s; extra == "%s"' % (need, extra) for need in needs]
    return "\n".join(lines) + "\n"


def write_wheel(folder, files, tag="py3-none-any"):
    """files: name, bytes and whether it is a program, of each."""
    info = "bid-%s.dist-info" % version()
    kind = "Wheel-Version: 1.0\nGenerator: bid\nRoot-Is-Purelib: %s\nTag: %s\n" % (str(tag.endswith("any")).lower(), tag)
    files = list(files) + [(info + "/METADATA", metadata().encode(), False), (info + "/WHEEL", kind.encode(), False)]
    record = ""
    for name, data, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += "%s,sha256=%s,%d\n" % (name, digest, len(data))
    files.append((info + "/RECORD", (record + info + "/RECORD,,\n").encode(), False))
    wheel = "bid-%s-%s.whl" % (version(), tag)
    with zipfile.ZipFile(os.path.join(folder, wheel), "w", zipfile.ZIP_DEFLATED) as z:
        for name, data, program in files:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if program else 0o100644) << 16
            z.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return wheel


def modules():
    for name in sorted(os.listdir(os.path.join(HERE, "bid"))):
        if name.endswith(".py"):
            with open(os.path.join(HERE, "bid", name), "rb") as f:
                yield "bid/" + name, f.read(), False


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, modules())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, [("bid.pth", HERE.encode() + b"\n", False)])


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("install from the tree, or build a wheel")
