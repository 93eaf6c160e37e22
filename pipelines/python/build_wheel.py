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


def write_wheel(folder, files):
    info = "bid-%s.dist-info" % version()
    files = dict(files)
    files[info + "/METADATA"] = metadata()
    files[info + "/WHEEL"] = "Wheel-Version: 1.0\nGenerator: bid\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = ""
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += "%s,sha256=%s,%d\n" % (name, digest, len(text.encode()))
    files[info + "/RECORD"] = record + info + "/RECORD,,\n"
    wheel = "bid-%s-py3-none-any.whl" % version()
    with zipfile.ZipFile(os.path.join(folder, wheel), "w", zipfile.ZIP_DEFLATED) as z:
        for name, text in files.items():
            z.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text)
    return wheel


def modules():
    for name in sorted(os.listdir(os.path.join(HERE, "bid"))):
        if name.endswith(".py"):
            with open(os.path.join(HERE, "bid", name), encoding="utf-8") as f:
                yield "bid/" + name, f.read()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, modules())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, [("bid.pth", HERE + "\n")])


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("install from the tree, or build a wheel")
