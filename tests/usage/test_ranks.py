"""pimbb explore on the processes of mpirun: the bytes of one process, whatever their number; a process
that dies is named, and the journal is good to go on with."""

import os
import random
import signal
import subprocess
import sys
import time
import unittest

from workbench import PIMBB, Workbench, chosen

MPIRUN = sys.argv[2]
SPACE = """
explore:
  arch: ARCH
  networks: [NETWORK]
  objective: edp
  vary:
    pe_array.dim_h: [1, 2, 4]
    levels.GB.entries: {from: 2, to: 32, times: 4}
"""


class RanksTest(Workbench):
    def command(self, ranks, *options):
        # Without a network, Open MPI looks for none; more processes than cores may run.
        return [MPIRUN, "--allow-run-as-root", "--oversubscribe", "--mca", "btl", "self,vader",
                "-n", str(ranks), PIMBB, "explore", "space.yaml", *options]

    def ranks(self, count, *options):
        return subprocess.run(self.command(count, *options), cwd=self.dir, text=True, check=False,
                              capture_output=True, timeout=250)

    def read(self, name):
        with open(os.path.join(self.dir, name), encoding="utf-8") as file:
            return file.read()

    def test_the_same_bytes_as_one_process(self):
        self.write("space.yaml", SPACE.replace("ARCH", "arch.yaml").replace("NETWORK", "network.yaml"))
        self.run_pimbb("explore", "space.yaml", "--quiet", "--timeless", "--json", "alone.json")
        for count in chosen([2, 3, 17]):  # with 17, number 0 only hands out
            with self.subTest(ranks=count):
                run = self.ranks(count, "--quiet", "--timeless", "--json", "out.json")
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertEqual(self.read("out.json"), self.read("alone.json"))

    def test_bad_input_is_said_once(self):
        self.write("space.yaml", SPACE.replace("ARCH", "arch.yaml").replace("NETWORK", "no_network"))
        run = self.ranks(3)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertEqual(run.stderr.count("no_network: found"), 1)

    def test_a_killed_process_is_named_and_the_journal_goes_on(self):
        self.write("space.yaml", SPACE.replace("ARCH", "simple_pim").replace("NETWORK", "resnet18")
                   .replace("levels.GB", "levels.GlobalBuffer")
                   .replace("{from: 2, to: 32, times: 4}", "[64, 128]"))
        options = ["--quiet", "--timeless", "--journal", "journal", "--resume", "--json", "out.json"]
        journal = os.path.join(self.dir, "journal")
        self.run_pimbb("explore", "space.yaml", *options)
        whole = self.read("out.json")
        searches = self.read("journal").count("\n") - 1
        os.remove(journal)
        draw = random.Random(1)
        process = subprocess.Popen(self.command(4, *options), cwd=self.dir, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        victim = self.victim(process, draw.randrange(1, 4))
        while process.poll() is None and victim is not None:
            if os.path.exists(journal) and os.path.getsize(journal) > 2000:
                os.kill(victim, signal.SIGKILL)
                break
            time.sleep(0.001)
        errors = process.communicate()[1]
        if process.returncode != 0:  # it may have been over
            self.assertRegex(errors, r"process rank \d+ .*\n?.*exited on signal 9")
        run = self.ranks(4, *options)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.read("out.json"), whole)
        keys = [line.split()[0] for line in self.read("journal").splitlines()[1:]]
        self.assertEqual(len(keys), searches)
        self.assertEqual(len(set(keys)), searches)

    def victim(self, process, rank):
        """The process with a rank, or None if all is over first."""
        while process.poll() is None:
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{pid}/environ", "rb") as file:
                        environment = file.read().split(b"\0")
                    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                        parent = int(file.read().rsplit(")", 1)[1].split()[1])
                except (OSError, ValueError):
                    continue
                if parent == process.pid and b"OMPI_COMM_WORLD_RANK=%d" % rank in environment:
                    return int(pid)
            time.sleep(0.001)
        return None


if __name__ == "__main__":
    unittest.main(argv=["test_ranks"])
