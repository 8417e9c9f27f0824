"""A network as one problem: its EDP, and layers that agree on storage and loop orders."""

import json
import unittest
from fractions import Fraction

from workbench import ARCH, Workbench


class Joint(Workbench):
    def setUp(self):
        super().setUp()
        free = ARCH.replace("PE_BYTES", "8").replace("access_cost: 0.01,\n     stores: [true, true, true]}",
                                                     "access_cost: 0.01,\n     stores: [true, true, true], "
                                                     "bypass_defined: false}", 1)
        self.assertIn("bypass_defined", free)
        self.write("free.yaml", free)

    def network(self, *options, expect=0):
        out, err = self.run_pimbb("network", "--arch", "free.yaml", "--network", "network.yaml",
                                  *options, expect=expect)
        return out, err

    def document(self, *options, expect=0):
        return json.loads(self.network(*options, "--json", "-", expect=expect)[0])

    def test_edp_is_the_networks(self):
        result = self.document("--objective", "edp")
        totals = result["totals"]
        (goal,) = totals["goals"]
        exact = {key: Fraction(value) for key, value in totals["exact"].items()}
        self.assertEqual(Fraction(goal["exact"]["value"]), exact["latency"] * exact["energy"])
        self.assertEqual((goal["name"], goal["gap"], result["status"]), ("edp", 0, "optimal"))
        each = self.document("--objective", "edp", "--per-layer")
        self.assertNotIn("goals", each["totals"])
        self.assertLessEqual(totals["edp"], each["totals"]["edp"])
        self.assertEqual(each["layers"][0]["objective"]["name"], "edp")
        self.assertIn("optimal, proven: edp", self.network("--objective", "edp")[0])

    def test_one_storage_choice(self):
        result = self.document("--objective", "energy", "--fix-bypass")
        shared = result["joint"]["stores"]
        for layer in result["layers"]:
            self.assertEqual(layer["mapping"]["stores"], shared)
        (free,), (goal,) = result["joint"]["free"], result["totals"]["goals"]
        self.assertLessEqual(free["value"], goal["value"])
        self.assertEqual(goal["value"], goal["bound"])
        report, _ = self.network("--objective", "energy", "--fix-bypass")
        self.assertIn("all layers store in GB:", report)
        self.assertIn("with every layer free", report)

    def test_one_permutation_for_each_level(self):
        result = self.document("--objective", "latency,energy", "--fix-permutation", "--fix-bypass")
        permutations = result["joint"]["permutations"]
        self.assertEqual(list(permutations), ["GB", "RB", "DRAM"])
        for layer in result["layers"]:
            for level in layer["mapping"]["temporal"][1:]:
                places = [permutations[level["level"]].index(dim) for dim, _ in level["loops"]]
                self.assertEqual(places, sorted(places))
        report, _ = self.network("--objective", "latency", "--fix-permutation")
        self.assertIn("loops of DRAM, outermost first:", report)

    def test_limits(self):
        result = self.document("--fix-bypass", "--objective", "edp", "--time-limit", "1e-9", expect=3)
        self.assertEqual(result["status"], "feasible")
        (goal,) = result["totals"]["goals"]
        self.assertLess(goal["bound"], goal["value"])

    def test_refused(self):
        for options, says in (
            (["--fix-bypass", "--method", "greedy"], ["--fix-bypass", "'greedy'"]),
            (["--fix-permutation", "--method", "ws"], ["--fix-permutation", "'ws'"]),
            (["--fix-bypass", "--per-layer"], ["--per-layer", "--fix-bypass"]),
        ):
            _, err = self.network(*options, expect=2)
            for part in says:
                self.assertIn(part, err)
        _, err = self.run_pimbb("map", "--layer", "layer.yaml", "--fix-bypass", expect=2)
        self.assertIn("--fix-bypass", err)


if __name__ == "__main__":
    unittest.main(argv=["test_joint"])
