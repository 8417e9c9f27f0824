"""pimbb lp: what it prints, writes and returns."""

import json
import os
import unittest

from workbench import Workbench

DIET = """Minimize
 cost: 0.6 bread + 0.35 milk + 10
Subject To
 energy: 5 bread + 7 milk >= 8
 protein: 4 bread + 2 milk >= 15
Bounds
 bread <= 3.7
End
"""


class LinearPrograms(Workbench):
    def setUp(self):
        super().setUp()
        self.write("diet.lp", DIET)

    def test_optimum_is_exact(self):
        out, _ = self.run_pimbb("lp", "diet.lp", "--json", "diet.json")
        self.assertIn("optimal, proven: objective 12.255 = 2451/200, safe lower bound 12.255", out)
        result = self.read_json("diet.json")
        self.assertEqual(result["format"], "pimbb-lp/1")
        self.assertEqual(result["status"], "optimal")
        self.assertIs(result["proved"], True)
        self.assertEqual(result["objective"], {"value": 12.255, "exact": "2451/200"})
        self.assertEqual(result["bound"], result["objective"])
        self.assertEqual(set(result["nonzero_values"]), {"bread", "milk"})
        self.assertAlmostEqual(result["nonzero_values"]["bread"], 3.7)
        self.assertGreater(result["stats"]["iterations"], 0)

    def test_maximisation_has_an_upper_bound(self):
        self.write("up.lp", "max\n 2 x + y\nst\n x + 3 y <= 1\nend\n")
        out, _ = self.run_pimbb("lp", "up.lp")
        self.assertIn("objective 2, safe upper bound 2", out)

    def test_infeasible_and_unbounded(self):
        self.write("none.lp", "min\n x\nst\n x + y <= -1\nend\n")
        out, _ = self.run_pimbb("lp", "none.lp", "--json", "none.json", expect=4)
        self.assertIn("infeasible, proven", out)
        self.assertNotIn("objective", self.read_json("none.json"))
        self.write("far.lp", "max\n x\nst\n x - y <= 1\nend\n")
        process = self.start("lp", "far.lp")
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (5, ""))
        self.assertIn("unbounded, proven", out)

    def test_limit(self):
        out, _ = self.run_pimbb("lp", "diet.lp", "--iteration-limit", "0", "--json", "-", expect=3)
        result = json.loads(out)
        self.assertEqual(result["status"], "limit")
        self.assertEqual(result["stats"]["iterations"], 0)

    def test_integers_are_said_to_be_relaxed(self):
        self.write("knapsack.lp", "max\n 5 x + 4 y\nst\n 3 x + 2 y <= 4\nbinary\n x y\nend\n")
        out, _ = self.run_pimbb("lp", "knapsack.lp")
        self.assertIn("2 columns are declared integer; this is the relaxation", out)
        self.assertIn("22/3", out)

    def test_bad_input(self):
        self.write("bad.lp", "min\n x\nst\n x ** 2 <= 1\n")
        for arguments, message in (
                (("bad.lp",), "bad.lp:4: found the character '*'"),
                (("missing.mps",), "missing.mps: the file cannot be opened"),
                (("layer.yaml",), "layer.yaml: found the ending '.yaml', allowed are .mps"),
                ((), "FILE: found none"),
                (("diet.lp", "--iteration-limit", "-1"), "--iteration-limit: found '-1'"),
                (("diet.lp", "--time-limit", "0"), "--time-limit: found '0'")):
            _, err = self.run_pimbb("lp", *arguments, expect=2)
            self.assertIn(message, err)
        self.assertFalse(os.path.exists(os.path.join(self.dir, "out.json")))


if __name__ == "__main__":
    unittest.main(argv=["test_command"])
