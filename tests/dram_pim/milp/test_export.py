"""pimbb export, run as a user would: where the program goes, and what is refused."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PIMBB = os.path.abspath(sys.argv.pop(1))
LAYER = ("--layer", "resnet18:fc")


class Export(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = scratch.name

    def run_pimbb(self, *arguments, expect=0):
        done = subprocess.run([PIMBB, "export", *arguments], cwd=self.directory,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done.stdout, done.stderr

    def test_formats(self):
        mps, _ = self.run_pimbb(*LAYER)
        self.assertTrue(mps.startswith("* architecture simple_pim, layer fc\n"), mps[:80])
        self.assertTrue(mps.endswith("ENDATA\n"))
        lp, _ = self.run_pimbb(*LAYER, "--format", "lp", "--quiet")
        self.assertIn("\nMinimize\n objective: + 1 latency", lp)
        self.assertTrue(lp.endswith("End\n"))
        for name, is_lp in (("fc.lp", True), ("fc.mps", False), ("fc.txt", False)):
            self.run_pimbb(*LAYER, "--output", name, "--quiet")
            with open(os.path.join(self.directory, name), encoding="utf-8") as file:
                self.assertEqual(file.read(), lp if is_lp else mps)

    def test_numbers_in_a_range_for_floating_point(self):
        lp, _ = self.run_pimbb("--arch", "gddr6_aim", "--layer", "llama_7b:qkvo", "--format", "lp")
        self.assertIn("\\ optimum = 1/8192 * (cycles)\n", lp)
        rows = lp[lp.index("Subject To"):lp.index("Bounds")]
        numbers = [float(number) for number in re.findall(r"[-+] ([\d.]+) ", rows)]
        self.assertGreater(len(numbers), 1000)
        self.assertLessEqual(max(numbers), 1024)
        self.assertGreater(min(numbers), 1e-6)

    def test_numbers_that_cbc_reads(self):
        # It refuses more than 23 digits behind a point, and more than 30 in front of an exponent.
        problems = (("default_pim", "resnet18:conv5_x"), ("hbm_pim", "resnet18:conv3_down"),
                    ("upmem", "alexnet:conv1"))
        few = int(os.environ.get("PIMBB_SHARE", "100")) < 10  # slow builds
        for arch, layer in problems[:1] if few else problems:
            self.run_pimbb("--arch", arch, "--layer", layer, "--row-model", "hybrid", "--objective",
                           "blended", "--output", "e.mps", "--quiet")
            with open(os.path.join(self.directory, "e.mps"), encoding="utf-8") as file:
                numbers = set(re.findall(r" -?(\d[\d.]*(?:e-\d+)?)$", file.read(), re.MULTILINE))
            self.assertGreater(max(map(len, numbers)), 20)
            for number in numbers:
                mantissa, exponent, _ = number.partition("e")
                self.assertLessEqual(len(mantissa.replace(".", "")), 28 if exponent else 21, number)
            if shutil.which("cbc"):
                said = subprocess.run(["cbc", "e.mps", "-quit"], cwd=self.directory, text=True,
                                      capture_output=True, check=True).stdout
                self.assertIn("read with 0 errors", said)

    def test_tight_memories(self):
        # Without the bounds of continuous columns HiGHS 1.15 calls this program infeasible.
        with open(os.path.join(self.directory, "a.yaml"), "w", encoding="utf-8") as file:
            file.write("{name: a, R: 1, S: 1, P: 4, Q: 1, C: 4, K: 8, N: 1}")
        self.run_pimbb("--layer", "a.yaml", "--set", "levels.PELocalBuffer.entries=4", "--set",
                       "pe_array.dim_h=2", "--set", "pe_array.dim_w=2", "--output", "a.mps")
        with open(os.path.join(self.directory, "a.mps"), encoding="utf-8") as file:
            text = file.read()
        columns, bounds = text[text.index("COLUMNS"):].split("BOUNDS\n")
        names = set(re.findall(r"^ (\w[\w.]*) .* -?[\d.]+$", columns, re.MULTILINE)) - {"rhs"}
        bounded = re.findall(r"^ (?:BV bound (\S+)|UP bound (\S+) 1)$", bounds, re.MULTILINE)
        self.assertEqual(names - {"latency"}, {binary or joint for binary, joint in bounded})
        self.assertEqual(len(names), len(bounded) + 1)
        for solver, says in ((("cbc", "a.mps", "solve", "-quit"), r"Objective value: +32\."),
                             (("glpsol", "--freemps", "a.mps"), r"mip = +3\.2\d*e\+01 ")):
            if shutil.which(solver[0]):
                said = subprocess.run(solver, cwd=self.directory, text=True, capture_output=True,
                                      check=True).stdout
                self.assertRegex(said, says)

    def test_file(self):
        out, _ = self.run_pimbb(*LAYER, "--output", "fc.mps")
        self.assertIn("fc.mps: ", out)
        self.assertIn("binary", out)
        out, _ = self.run_pimbb(*LAYER, "--output", "quiet.mps", "--quiet")
        self.assertEqual(out, "")
        self.assertEqual(sorted(os.listdir(self.directory)), ["fc.mps", "quiet.mps"])
        texts = []
        for name in ("fc.mps", "quiet.mps"):
            with open(os.path.join(self.directory, name), encoding="utf-8") as file:
                texts.append(file.read())
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(texts[0], self.run_pimbb(*LAYER)[0])

    def test_scale_of_a_blend(self):
        lp, _ = self.run_pimbb(*LAYER, "--objective", "blended", "--alpha", "1/3", "--beta", "0.5",
                               "--format", "lp")
        self.assertIn("\\ optimum = 6 * (alpha * cycles + beta * nJ)\n", lp)
        self.assertIn(" objective: + 2 latency + 3 energy", lp)

    def refused(self, *arguments, says):
        out, err = self.run_pimbb(*arguments, "--output", "out", expect=2)
        self.assertEqual(out, "")
        for part in says:
            self.assertIn(part, err)
        self.assertEqual(os.listdir(self.directory), [])

    def test_refusals(self):
        self.refused(says=["--layer"])
        self.refused(*LAYER, "--row-model", "trace", says=["'trace'", "analytic, hybrid"])
        self.refused(*LAYER, "--objective", "edp", says=["'edp'", "latency, energy, activations"])
        self.refused(*LAYER, "--objective", "latency,energy", says=["'latency,energy'", "one of"])
        self.refused(*LAYER, "--format", "xml", says=["--format", "'xml'", "mps, lp"])
        self.refused(*LAYER, "--alpha", "2", says=["--alpha", "blended"])
        _, err = self.run_pimbb(*LAYER, "--output", "missing/out.mps", expect=2)
        self.assertIn("missing/out.mps", err)


if __name__ == "__main__":
    unittest.main()
