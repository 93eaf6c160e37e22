#!/usr/bin/env python3
"""space.py BIN SECONDS [SEED]: programs on a full disk, below a limit of a file's size, and with little memory.

The store lies on a small tmpfs where one may be mounted (as root); else RLIMIT_FSIZE stands for a full disk.  Limits are
taken from everywhere between what lets nothing work and what is enough.  What has to hold is what faults.py asks for: a
status and a message, or the sound output; each document old or new; all that had a receipt is there.  Prints a table;
status 1 where something was wrong.
"""
import os
import random
import resource
import shutil
import subprocess
import sys
import time

from faults import Torture

MIB = 1 << 20


class Space(Torture):
    def __init__(self, binary, seed):
        super().__init__(binary, None, seed)
        self.limit = None
        self.disk = self.path("disk")
        os.mkdir(self.disk)
        self.mounted = False
        with open(os.path.join(binary, "bid-store"), "rb") as f:
            self.sanitized = b"__asan_init" in f.read()

    def mount(self, size):
        options = "size=%dk" % (size // 1024)
        self.unmount()
        self.mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.disk], stderr=subprocess.DEVNULL).returncode == 0
        return self.mounted

    def unmount(self):
        while self.mounted and subprocess.run(["umount", self.disk], stderr=subprocess.DEVNULL).returncode != 0:
            time.sleep(0.05)
        self.mounted = False

    def run(self, command, store, given=None, **limits):
        """As Torture's; with limits: {"RLIMIT_AS": bytes} and the like."""
        def limit():
            for name, most in limits.items():
                resource.setrlimit(getattr(resource, name), (most, most))
        environment = dict(os.environ, BID_STORE=store, BID_STATE=self.path("state"), BID_CACHE=self.path("cache"))
        try:
            done = subprocess.run(command, env=environment, input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                                  preexec_fn=limit if limits else None)
        except subprocess.TimeoutExpired:
            return None, b"", b""
        return done.returncode, done.stdout, done.stderr

    def one_limited(self, case, limits, expected):
        """Runs one case on the store that is in place; faults are said and counted."""
        what = " ".join("%s %d" % l for l in limits.items()) or "disk"
        status, output, error = self.run(case.command, self.store, case.given, **limits)
        fault = self.judge(case, (status, output, error), expected)
        if fault:
            print("%s: %s: %s: %s" % (case.name, what, fault, error.decode(errors="replace")[:300].strip()))

    def place(self, folder):
        for left in os.listdir(folder):
            if left.startswith("store"):
                os.unlink(os.path.join(folder, left))
        self.store = os.path.join(folder, "store")
        shutil.copyfile(self.sound, self.store)

    def torture(self, seconds):
        with open(self.path("dumped"), "wb") as f:
            f.write(self.run(self.tool("bid-store") + ["dump"], self.sound)[1])
        plan, size = [], os.path.getsize(self.sound)
        for case in self.cases():
            self.place(self.folder)
            plan.append((case, self.run(case.command, self.store, case.given)))
        end = time.monotonic() + seconds
        for number in range(10 ** 9):
            if time.monotonic() >= end and number >= len(plan):
                break
            case, expected = plan[number % len(plan)] if number < len(plan) else self.rng.choice(plan)
            kind = self.rng.choice(["disk", "file"] if case.writes else ["memory"]) if self.rng.random() < 0.7 else "memory"
            if kind == "memory" and self.sanitized: # whose shadow takes all of the address space
                continue
            self.place(self.folder)
            limits = {}
            if kind == "memory":
                limits["RLIMIT_AS"] = self.rng.randrange(8 * MIB, self.rng.choice([64, 300, 3000]) * MIB)
            elif kind == "file" or not self.mount(size + 200 * 1024 + self.rng.randrange(2 * size)):
                limits["RLIMIT_FSIZE"] = self.rng.randrange(self.rng.choice([size // 2, 3 * size]))
            else:
                self.place(self.disk)
            self.one_limited(case, limits, expected)
            self.unmount()


def main():
    s = Space(os.path.abspath(sys.argv[1]), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    try:
        s.torture(float(sys.argv[2]))
    finally:
        s.unmount()
        shutil.rmtree(s.folder)
    c = s.counts
    print("space (seed %s): %s" % (sys.argv[3] if len(sys.argv) > 3 else 1, ", ".join("%d %s" % (v, k) for k, v in c.items() if k != "killed")))
    return 1 if any(c[k] for k in ["wrong", "crashed", "hung", "silent", "lost"]) or not c["noticed"] else 0


if __name__ == "__main__":
    sys.exit(main())
