"""Memory, writes and processes that fail at any moment.

As SQLite's tests do it: a run is counted, then repeated with its n-th request for memory, or its n-th
write, refused. A command ends with a documented exit code and a message; its answer is the right one or
none; a file is what it was before, or whole. Likewise under SIGTERM and SIGKILL.
"""
import json
import os
import random
import signal
import subprocess
import sys
import time
import unittest

from workbench import CIM, CROSSBAR, CROSSBAR_NETWORK, PIMBB, SHARE, Workbench, environment

SHIM = os.path.abspath(sys.argv.pop(2))
sys.argv.pop(1)
SEED = int(os.environ.get("PIMBB_SEED", "1"))

UNIT = ("--arch", "arch.yaml", "--layer", "layer.yaml")
COMMANDS = {
    "map": ("map", *UNIT, "--timeless", "--json", "out", "--proof", "proof"),
    "map_stdout": ("map", *UNIT, "--objective", "edp", "--timeless", "--json", "-"),
    "report": ("map", *UNIT, "--timeless"),
    "network": ("network", "--arch", "arch.yaml", "--network", "network.yaml", "--timeless", "--json", "out",
                "--csv", "table"),
    "cim": ("map", "--arch", "cim.yaml", "--layer", "layer.yaml", "--timeless", "--json", "out", "--proof", "proof"),
    "crossbar": ("network", "--arch", "crossbar.yaml", "--network", "two.yaml", "--timeless", "--json", "out",
                 "--proof", "proof"),
    "pareto": ("pareto", *UNIT, "--timeless", "--json", "out", "--log", "log"),
    "lp": ("lp", "small.lp"),
    "export": ("export", *UNIT, "--output", "out"),
}
SPACE = """
explore:
  arch: arch.yaml
  networks: [network.yaml]
  objective: edp
  vary: {pe_array.dim_h: [1, 2]}
"""
OUTPUTS = ("out", "proof", "table")
OLD = "what was here before\n"
FAILURES = {1: "pimbb: out of memory\n"}


class Faults(Workbench):
    def setUp(self):
        super().setUp()
        self.write("cim.yaml", CIM)
        self.write("crossbar.yaml", CROSSBAR)
        self.write("two.yaml", CROSSBAR_NETWORK)
        self.write("small.lp", "Minimize\n obj: x + 2 y\nSubject To\n c: x + y >= 1\nEnd\n")
        self.draw = random.Random(SEED)

    def path(self, name):
        return os.path.join(self.dir, name)

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def prepare(self):
        for name in OUTPUTS:
            self.write(name, OLD)

    def faulty(self, command, **variables):
        """Exit code, standard output and error, and what the files hold."""
        self.prepare()
        done = subprocess.run([PIMBB, *command, "--threads", "2"] if command[0] not in ("export", "lp")
                              else [PIMBB, *command], cwd=self.dir, capture_output=True, text=True,
                              encoding="utf-8", check=False, timeout=120,
                              env=environment(LD_PRELOAD=SHIM, **variables))
        return done.returncode, done.stdout, done.stderr, {name: self.text(name) for name in OUTPUTS}

    def counted(self, command):
        whole = self.faulty(command, PIMBB_FAULT_COUNTS=self.path("counts"))
        self.assertEqual(whole[0], 0, whole)
        return whole, [int(n) for n in self.text("counts").split()]

    def places(self, count, most):
        """The first and last calls, and others at random: PIMBB_SHARE per cent of `most`."""
        wanted = max(4, most * SHARE // 100)
        if count <= wanted:
            return list(range(1, count + 1))
        ends = set(range(1, wanted // 4 + 2)) | {count}
        return sorted(ends | {self.draw.randint(1, count) for _ in range(wanted - len(ends))})

    def check(self, command, fault, whole):
        code, out, err, files = self.faulty(command, PIMBB_FAULT=fault)
        said = f"{fault}: {command}: exit code {code}: {err}"
        self.assertIn(code, (0, 1, 2, 3), said)
        self.assertNotIn("internal error", err, said)
        if code == 0:
            self.assertEqual((out, files), (whole[1], whole[3]), said)
        elif code in (1, 2):
            self.assertTrue(err.startswith("pimbb"), said)
            self.assertTrue(err.endswith("\n"), said)
            if code == 1:
                self.assertEqual(err, FAILURES[1], said)
        for name, text in files.items():
            if code != 3:
                self.assertIn(text, (OLD, whole[3][name]), f"{said}: {name} is torn")
        left = [name for name in os.listdir(self.dir) if name.endswith(".tmp")]
        self.assertEqual(left, [], said)

    def test_memory(self):
        for name, command in COMMANDS.items():
            whole, (requests, _) = self.counted(command)
            self.assertGreater(requests, 100, name)
            for place in self.places(requests, 60):
                for kind in ("new", "news"):
                    with self.subTest(command=name, fault=f"{kind}:{place}"):
                        self.check(command, f"{kind}:{place}", whole)

    def test_writes(self):
        for name, command in COMMANDS.items():
            whole, (_, writes) = self.counted(command)
            self.assertGreater(writes, 0, name)
            for place in self.places(writes, 40):
                for kind in ("write", "writes"):
                    with self.subTest(command=name, fault=f"{kind}:{place}"):
                        self.check(command, f"{kind}:{place}", whole)

    def test_journal(self):
        """An exploration that a fault ends is gone on with: the same answer, nothing in the journal lost."""
        self.write("space.yaml", SPACE)
        command = ("explore", "space.yaml", "--timeless", "--json", "out", "--journal", "journal", "--resume")
        journal = self.path("journal")

        def faulty(**variables):
            if os.path.exists(journal):
                os.remove(journal)
            return self.faulty(command, PIMBB_FAULT_COUNTS=self.path("counts"), **variables)

        whole = faulty()
        self.assertEqual(whole[0], 0, whole)
        requests, writes = (int(n) for n in self.text("counts").split())
        lines = set(self.text("journal").splitlines())
        self.assertGreater(len(lines), 3)
        ended = 0
        for kind, count, most in (("write", writes, 40), ("writes", writes, 40), ("new", requests, 40)):
            for place in self.places(count, most):
                with self.subTest(fault=f"{kind}:{place}"):
                    code, _, err, _ = faulty(PIMBB_FAULT=f"{kind}:{place}")
                    self.assertIn(code, (0, 1, 2), err)
                    ended += code != 0
                    kept = set(self.text("journal").splitlines()[:-1]) if os.path.exists(journal) else set()
                    self.assertLessEqual(kept, lines, "a line that no run writes")
                    resumed = self.faulty(command)
                    self.assertEqual((resumed[0], resumed[3]["out"]), (0, whole[3]["out"]), resumed[2])
                    self.assertEqual(set(self.text("journal").splitlines()), lines)
        self.assertGreater(ended, 3)

    def killed(self, command, number, moment):
        """Starts a command, sends a signal, and returns the exit code and what it said."""
        self.prepare()
        process = self.start(*command)
        time.sleep(moment)
        process.send_signal(number)
        _, err = process.communicate(timeout=120)
        return process.returncode, err

    def remove_temporary(self, allowed):
        """Only a process that a signal ended may leave a file that it was writing."""
        left = [name for name in os.listdir(self.dir) if name.endswith(".tmp")]
        for name in left:
            os.remove(self.path(name))
        if not allowed:
            self.assertEqual(left, [])

    def test_signals(self):
        command = ("map", "--arch", "simple_pim", "--layer", "resnet18:conv2_x", "--objective", "edp", "--quiet",
                   "--json", "out", "--proof", "proof")
        begin = time.monotonic()
        self.prepare()
        self.run_pimbb(*command)
        lasted = time.monotonic() - begin
        best = self.read_json("out")["objective"]
        proof = self.text("proof")
        for number in (signal.SIGTERM, signal.SIGKILL):
            for _ in range(max(3, 30 * SHARE // 100)):
                code, err = self.killed(command, number, self.draw.uniform(0, lasted))
                with self.subTest(signal=number, code=code):
                    self.remove_temporary(code < 0)
                    # SIGTERM: before main() has its handler, the process just ends
                    self.assertIn(code, (0, 3, -number) if number == signal.SIGTERM else (0, -number), err)
                    self.assertIn(self.text("proof"), (OLD, proof))
                    if self.text("out") == OLD:
                        self.assertNotIn(code, (0, 3))
                        continue
                    answer = self.read_json("out")
                    if answer["status"] == "optimal":
                        self.assertEqual(answer["objective"]["exact"], best["exact"])
                    else:
                        self.assertLessEqual(answer["objective"]["bound"], best["value"])
                        self.assertGreaterEqual(answer["objective"]["value"], best["value"])


if __name__ == "__main__":
    unittest.main()
