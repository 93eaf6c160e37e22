#!/usr/bin/env python3
"""power.py BIN LOGSHIM IMAGES [SEED]: replays power cuts from a log of what writers did to a store's folder.

Writers run one after the other, each call to their files written down in order (log.c).  An image is what a disk may hold
when the power fails behind some call: all that was synced, and of what was not any part: all, none, the first, some, or
pages torn in sectors of 512 bytes, in any order; of names made, renamed and removed since their folder was synced, the
first few.  On each image "bid-store verify" has to find nothing, each document that had a receipt by then has to be whole
and in that version or a later one, a backup that had ended has to be whole, and a writer has to go on.  Prints a table;
status 1 where something was lost.
"""
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SECTOR, PASSAGES = 512, 3
UNBORN = 8192 # a store's two first pages: a file that is no larger may be none yet
EVENT = struct.Struct("<4Q")


class File:
    """What is surely on the disk, and the writes and sizes that may be."""

    def __init__(self):
        self.sure, self.pending = bytearray(), []

    def put(self, data, write):
        kind, at, bytes_ = write
        if kind == "T":
            del data[at:]
            data.extend(bytes(max(0, at - len(data))))
        else:
            data.extend(bytes(max(0, at + len(bytes_) - len(data))))
            data[at:at + len(bytes_)] = bytes_

    def sync(self):
        for write in self.pending:
            self.put(self.sure, write)
        self.pending = []

    def image(self, rng, last):
        """A state that the disk may be in; last: a write that was under way, or None."""
        data, waiting = bytearray(self.sure), self.pending + ([last] if last else [])
        how = rng.choice(["all", "none", "first", "some", "some", "torn"])
        most = rng.randint(0, len(waiting)) if how == "first" else len(waiting)
        share = rng.random()
        for write in waiting[:most] if how != "none" else []:
            if how == "some" and rng.random() < share:
                continue
            if how == "torn" and write[0] != "T":
                for start in range(0, len(write[2]), SECTOR):
                    if rng.random() < share:
                        self.put(data, (write[0], write[1] + start, write[2][start:start + SECTOR]))
            else:
                self.put(data, write)
        return data, how


class Disk:
    def __init__(self):
        self.files, self.names, self.pending = {}, {}, []

    def rename(self, names, change):
        kind, one, other = change
        if kind == "N":
            names[one] = other
        elif kind == "R" and one in names:
            names[other] = names.pop(one)
        elif kind == "U":
            names.pop(one, None)

    def apply(self, kind, inode, at, data):
        file = self.files.setdefault(inode, File()) if kind in "WDTSN" else None
        if kind in "WT":
            file.pending.append((kind, at, data))
        elif kind == "D":
            file.put(file.sure, (kind, at, data))
        elif kind == "S":
            file.sync()
        elif kind == "F":
            for change in self.pending:
                self.rename(self.names, change)
            self.pending = []
        elif kind == "N":
            self.files[inode] = File()
            self.pending.append((kind, text_of(data)[0], inode))
        elif kind in "RU":
            self.pending.append((kind, *(text_of(data) + [None])[:2]))

    def image(self, rng, folder, event):
        """Writes the files that the disk may hold into the folder; how."""
        names, hows = dict(self.names), []
        for change in self.pending[:rng.randint(0, len(self.pending))]:
            self.rename(names, change)
        for path, inode in names.items():
            last = ("W", event[2], event[3]) if event[0] == "D" and event[1] == inode else None
            data, how = self.files[inode].image(rng, last)
            hows.append(how)
            with open(os.path.join(folder, os.path.basename(path)), "wb") as f:
                f.write(data)
        return " ".join(hows) or "no file"


def is_removed(url):
    """Whether it is in the collections that are removed (documents.py, EX1)."""
    return int(url.rsplit("/", 1)[1]) % 5 == 1


def text_of(data):
    return data.rstrip(b"\0").decode().split("\0")


class Power:
    def __init__(self, binary, shim, seed):
        self.binary, self.shim, self.rng = os.path.abspath(binary), os.path.abspath(shim), random.Random(seed)
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="bid-power-"))
        self.live, self.log = os.path.join(self.folder, "live"), os.path.join(self.folder, "log")
        self.counts = dict.fromkeys(["images", "unborn", "receipts", "lost", "wrong", "crashed", "hung"], 0)
        os.mkdir(self.live)
        self.events = []

    def tool(self, name, store, *words, given=None, **torture):
        environment = dict(os.environ, BID_STORE=store, **torture)
        try:
            done = subprocess.run([os.path.join(self.binary, name)] + list(words), env=environment, input=given,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        except subprocess.TimeoutExpired:
            self.fault("hung", "%s %s" % (name, " ".join(words)))
            return None, b"", b""
        if done.returncode < 0 or done.returncode in (134, 135, 139) or b"Sanitizer" in done.stderr:
            self.fault("crashed", "%s %s: %d %s" % (name, words, done.returncode, done.stderr[-500:].decode(errors="replace")))
        return done.returncode, done.stdout, done.stderr

    def fault(self, kind, text):
        self.counts[kind] += 1
        print("image %d: %s: %s" % (self.counts["images"], kind, text))

    def write(self, name, *words, given=None, version=0):
        """Runs a writer and notes what it did, between an event of its beginning and one of its end."""
        self.events.append(("B", 0, version, " ".join(words).encode()))
        options = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        status, _, error = self.tool(name, os.path.join(self.live, "store"), *words, given=given, LD_PRELOAD=self.shim,
                                     TORTURE_UNDER=self.live, TORTURE_LOG=self.log, ASAN_OPTIONS=options.lstrip(":"))
        if status != 0:
            sys.exit("%s %s: %s %s" % (name, words, status, error.decode()))
        with open(self.log, "rb") as f:
            data, at = f.read(), 0
        os.unlink(self.log)
        while at < len(data):
            kind, inode, place, length = EVENT.unpack_from(data, at)
            at += EVENT.size
            self.events.append((chr(kind), inode, place, data[at:at + length]))
            at += length
        self.events.append(("E", 0, 0, " ".join(words).encode()))

    def index(self, first, documents, version, batch):
        made = subprocess.run([sys.executable, os.path.join(HERE, "documents.py"), str(first), str(documents), str(PASSAGES),
                               str(version)], stdout=subprocess.PIPE, check=True).stdout
        self.write("bid-index", "--batch", str(batch), given=made, version=version)

    def record(self):
        self.index(1, 24, 1, self.rng.choice([3, 9, 30]))
        self.index(10, 20, 2, self.rng.choice([3, 9, 30, 100]))
        self.write("bid-store", "rm", "-c", "finance_edgar_EX1_*")
        self.index(5, 12, 3, self.rng.choice([9, 30]))
        self.write("bid-store", "compact")
        self.index(1, 30, 4, self.rng.choice([9, 30]))
        self.write("bid-store", "backup", os.path.join(self.live, "backup"))
        self.write("bid-store", "compact")

    # ---- what was promised, and what is there ----

    def promised(self, receipts, removed, text, version):
        for line in text.splitlines():
            try:
                receipt = json.loads(line)
            except ValueError:
                continue
            if "sourceUrl" in receipt and "collection" in receipt:
                self.counts["receipts"] += 1
                receipts[receipt["sourceUrl"]] = version
                removed.discard(receipt["sourceUrl"])

    def documents(self, store, what):
        status, output, error = self.tool("bid-store", store, "dump", "--plain")
        if status not in (0, 1, 66): # 1: nothing is in it
            self.fault("lost", "%s: dump: %s %s" % (what, status, error.decode()[:300]))
        found = {}
        for line in output.splitlines():
            record = json.loads(line)
            if "error" not in record:
                found.setdefault(record["sourceUrl"], []).append(int(re.search("version ([0-9]+)", record["text"]).group(1)))
        for url, versions in found.items():
            if len(set(versions)) != 1 or len(versions) != PASSAGES:
                self.fault("wrong", "%s: %s: versions %s" % (what, url, versions))
        return {url: versions[0] for url, versions in found.items()}

    def check(self, folder, what, receipts, removed, backed):
        store, backup = os.path.join(folder, "store"), os.path.join(folder, "backup")
        for path, needed in ((store, bool(receipts)), (backup, backed)):
            if not os.path.exists(path) or os.path.getsize(path) == 0:
                if needed:
                    self.fault("lost", "%s: no %s" % (what, os.path.basename(path)))
                continue
            if not needed and os.path.getsize(path) <= UNBORN:
                self.counts["unborn"] += 1
                return
            status, _, error = self.tool("bid-store", path, "verify")
            if status not in (0, 66) or (status == 66 and needed):
                self.fault("lost", "%s: verify %s: %s %s" % (what, os.path.basename(path), status, error.decode()[:300]))
                return
        now = self.documents(store, what) if os.path.exists(store) else {}
        for url, version in receipts.items():
            if now.get(url, 0) < version and not (url not in now and url in removed and is_removed(url)):
                self.fault("lost", "%s: %s had a receipt of version %d and has %s" % (what, url, version, now.get(url)))
        if self.counts["images"] % 4 == 0:
            self.go_on(store, what)

    def go_on(self, store, what):
        made = subprocess.run([sys.executable, os.path.join(HERE, "documents.py"), "500", "2", str(PASSAGES)],
                              stdout=subprocess.PIPE, check=True).stdout
        status, _, error = self.tool("bid-index", store, "-q", given=made)
        if status == 0:
            status, _, error = self.tool("bid-store", store, "verify")
        if status != 0:
            self.fault("lost", "%s: a writer can't go on: %s %s" % (what, status, error.decode()[:300]))

    def replay(self, images):
        cuts = sorted(self.rng.randrange(len(self.events)) for _ in range(images))
        disk, receipts, removed, version, backed, said = Disk(), {}, set(), 0, False, b""
        for number, event in enumerate(self.events):
            kind, inode, at, data = event
            while cuts and cuts[0] == number:
                cuts.pop(0)
                self.counts["images"] += 1
                folder = os.path.join(self.folder, "image")
                shutil.rmtree(folder, ignore_errors=True)
                os.mkdir(folder)
                how = disk.image(self.rng, folder, event)
                self.check(folder, "before event %d (%s): %s" % (number, kind, how), receipts, removed, backed)
            if kind == "B":
                version, said = at, b""
                if data.startswith(b"rm"):
                    removed = set(receipts)
            elif kind == "A":
                said += data
                whole = said.rfind(b"\n") + 1
                self.promised(receipts, removed, said[:whole], version)
                said = said[whole:]
            elif kind == "E":
                backed |= data.startswith(b"backup")
            else:
                disk.apply(kind, inode, at, data)
        self.counts["events"] = len(self.events)


def main():
    power = Power(sys.argv[1], sys.argv[2], int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    power.record()
    power.replay(int(sys.argv[3]))
    shutil.rmtree(power.folder)
    c = power.counts
    print("power (seed %s): %s" % (sys.argv[4] if len(sys.argv) > 4 else 1, ", ".join("%d %s" % (v, k) for k, v in c.items())))
    return 1 if any(c[k] for k in ["lost", "wrong", "crashed", "hung"]) or not c["receipts"] else 0


if __name__ == "__main__":
    sys.exit(main())
