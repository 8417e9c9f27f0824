"""The measuring scripts run from end to end on problems that take milliseconds."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest
import xml.dom.minidom

from workbench import PIMBB, Workbench

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import measuring  # noqa: E402


class Scripts(Workbench):
    def setUp(self):
        super().setUp()
        # Scripts run pimbb from wherever they are called: absolute names.
        self.net = os.path.join(self.dir, "network.yaml")
        self.arch = os.path.join(self.dir, "arch.yaml")
        self.write("corpus.txt", f"{self.arch} {self.net} hybrid edp\n"
                                 f"{self.dir}/too_small.yaml {self.net}:a hybrid latency\n")

    def script(self, name, *arguments, expect=0, pimbb=True):
        command = [sys.executable, ROOT / name, *arguments]
        if pimbb:
            command += ["--pimbb", PIMBB]
        run = subprocess.run([str(word) for word in command], cwd=self.dir, capture_output=True,
                             text=True, check=False)
        self.assertEqual(run.returncode, expect, run.stdout + run.stderr)
        return run.stdout + run.stderr

    def test_record_and_chart(self):
        out = self.script("bench/record.py", "--corpus", "corpus.txt", "--ablation", "--scaling",
                          "--save", "record.json")
        self.assertIn("| dominance | 3 |", out)
        record = self.read_json("record.json")
        self.assertEqual([case["status"] for case in record["cases"]],
                         ["optimal", "optimal", "infeasible"])
        self.assertEqual(record["circumstances"]["cores"], os.cpu_count())
        self.assertEqual(record["thread_scaling"][0]["threads"], 1)
        self.script("bench/chart.py", "record.json", "--shares", "shares.svg", "--sizes",
                    "sizes.svg", pimbb=False)
        for name, curves, dots in (("shares.svg", 2, 0), ("sizes.svg", 0, 2)):
            svg = xml.dom.minidom.parse(os.path.join(self.dir, name))
            self.assertEqual(len(svg.getElementsByTagName("polyline")), curves)
            self.assertEqual(len(svg.getElementsByTagName("circle")), dots)

    def test_chart_refuses_what_is_no_record(self):
        self.write("other.json", "{}")
        out = self.script("bench/chart.py", "other.json", expect=1, pimbb=False)
        self.assertIn("other.json", out)

    def test_readme_table(self):
        out = self.script("tools/measure-readme", "--arch", self.arch, "--network", self.net)
        lines = [line for line in out.splitlines() if line.startswith("| ")]
        self.assertEqual([line.split(" | ")[0] for line in lines[2:]], ["| a", "| b", "| **all**"])
        solved = json.loads(self.run_pimbb("map", "--arch", self.arch, "--layer", self.net + ":b",
                                           "--objective", "energy", "--row-model", "hybrid",
                                           "--json", "-")[0])
        shown = float(lines[3].split(" | ")[5].replace(",", ""))
        self.assertAlmostEqual(shown / solved["objective"]["value"], 1, places=5)
        self.assertIn("12 of 12", lines[-1])

    def test_scaling(self):
        out = self.script("bench/scaling.py", "sizes", "--largest", "5", "--save", "sizes.json")
        self.assertIn("| slope of log time over log C |", out)
        cases = self.read_json("sizes.json")["sizes"]
        self.assertEqual(len(cases), 2 * 2 * 3)
        self.assertEqual({case["status"] for case in cases}, {"optimal"})

    @unittest.skipUnless(shutil.which("cbc") or shutil.which("glpsol"), "needs cbc or glpsol")
    def test_peers_find_the_same_optima(self):
        self.write("cases.txt", f"{self.arch} {self.net}:b analytic energy\n"
                                f"{self.arch} {self.net}:b analytic latency\n")
        self.script("bench/peers.py", "--cases", "cases.txt", "--save", "peers.json",
                    "--solvers", "cbc,glpsol")
        for row in self.read_json("peers.json")["rows"]:
            for solver in {"cbc", "glpsol"} & set(row):
                self.assertEqual(row[solver]["status"], "optimal")
                self.assertFalse(row[solver]["differs"])


class Arithmetic(unittest.TestCase):
    def test_means_and_slopes(self):
        self.assertAlmostEqual(measuring.geometric_mean([1, 4, 16]), 4)
        self.assertAlmostEqual(measuring.slope([(x, 3 * x ** 1.5) for x in (1, 2, 4, 32)]), 1.5)

    def test_saved_text_reads_back(self):
        document = {"a": [{"b": 1}, {"b": [1, 2]}], "c": {"d": "e"}, "f": []}
        self.assertEqual(json.loads(measuring.text_of(document)), document)


if __name__ == "__main__":
    unittest.main(argv=["test_scripts"])
