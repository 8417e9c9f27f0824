"""Constraints on mappings from a file: the answer, its proof, networks, audits, what is refused."""

import os
import subprocess
import unittest

from workbench import Workbench

CHECK = os.environ["PIMBB_CHECK"]


class Constraints(Workbench):
    def setUp(self):
        super().setUp()
        self.write("c.yaml", "spatial: {H: {K: 2}}\n"
                             "temporal: [{level: GB, factors: {R: 1, P: '<=2'}, order: [C, K]}]\n"
                             "layout: {weight: sequential}\n")

    def check(self, expect=0):
        process = subprocess.run([CHECK, "a.proof", "--instance", "a.instance"], cwd=self.dir,
                                 text=True, capture_output=True, timeout=300, check=False)
        self.assertEqual(process.returncode, expect, process.stdout + process.stderr)
        return process.stdout

    def test_map(self):
        question = ("--constraints", "c.yaml", "--objective", "energy,latency")
        out, _ = self.map_tiny(*question, "--json", "best.json", "--proof", "a.proof")
        self.assertIn("minimise energy, then latency under c.yaml;", out)
        best = self.read_json("best.json")
        self.assertEqual(best["status"], "optimal")
        self.assertEqual(best["constraints"]["spatial"], {"H": {"K": 2}})
        self.assertEqual(best["constraints"]["temporal"],
                         [{"level": "GB", "factors": {"R": 1, "P": "<=2"}, "order": ["C", "K"]}])
        mapping = best["mapping"]
        self.assertEqual(mapping["spatial"]["H"]["K"], 2)
        self.assertEqual(mapping["layout"]["weight"], "sequential")
        self.map_tiny(*question, "--instance", "a.instance")
        self.assertIn("H.K = 2", self.check())
        self.map_tiny("--objective", "energy,latency", "--instance", "a.instance")
        self.assertIn("another instance", self.check(expect=1))
        # A result says under which constraints it holds, and can be used as a file of them.
        self.map_tiny("--constraints", "best.json", "--objective", "energy,latency", "--json",
                      "again.json")
        self.assertEqual(self.read_json("again.json")["mapping"], mapping)
        self.map_tiny("--constraints", "c.yaml", "--method", "ws", "--at-most", "energy=1e9")

    def test_infeasible(self):
        self.write("none.yaml", "spatial: {H: {K: 2}}\ntemporal: [{level: RB, factors: {K: 8}}]\n")
        out, _ = self.map_tiny("--constraints", "none.yaml", "--proof", "a.proof", expect=4)
        self.assertIn("infeasible, proven: no mapping satisfies all constraints "
                      "(spatial.H.K = 2, RB.K = 8)", out)
        self.map_tiny("--constraints", "none.yaml", "--instance", "a.instance")
        self.assertIn("accepted", self.check())

    def test_audit(self):
        self.map_tiny("--json", "best.json")
        self.map_tiny("--constraints", "c.yaml", "--json", "within.json")
        problem = ("audit", "--arch", "arch.yaml", "--layer", "layer.yaml", "--constraints",
                   "c.yaml", "--mapping")
        out, _ = self.run_pimbb(*problem, "within.json")
        self.assertIn("optimal", out)
        self.write("other.yaml", "spatial: {H: {K: 1}, W: {K: 1}}")
        _, err = self.run_pimbb("audit", "--arch", "arch.yaml", "--layer", "layer.yaml",
                                "--constraints", "other.yaml", "--mapping", "within.json", expect=2)
        self.assertIn("does not satisfy the constraints: spatial.H.K is 2, wanted is "
                      "spatial.H.K = 1", err)

    def test_network(self):
        self.write("two.yaml", "spatial: {H: {K: 2}}")
        problem = ("network", "--arch", "arch.yaml", "--network", "network.yaml")
        for joint in ([], ["--fix-bypass"], ["--objective", "edp"], ["--fix-permutation"]):
            self.run_pimbb(*problem, "--constraints", "two.yaml", "--json", "n.json", *joint)
            result = self.read_json("n.json")
            self.assertEqual(result["status"], "optimal")
            for layer in result["layers"]:
                self.assertEqual(layer["mapping"]["spatial"]["H"]["K"], 2)
        self.write("four.yaml", "temporal: [{level: GB, factors: {P: 4}}]")
        _, err = self.run_pimbb(*problem, "--constraints", "four.yaml", expect=2)
        self.assertIn("four.yaml: GB.P = 4: allowed are divisors of P = 2 of layer 'b'", err)
        self.assertNotIn("layer 'a'", err)
        self.write("none.yaml", "spatial: {H: {K: 2}}\ntemporal: [{level: RB, factors: {K: 8}}]\n")
        for joint in ([], ["--fix-bypass"]):
            out, _ = self.run_pimbb(*problem, "--constraints", "none.yaml", *joint, expect=4)
            self.assertIn("spatial.H.K = 2", out)

    def test_refused(self):
        self.write("wrong.yaml", "temporal:\n- {level: GB, factors: {K: 3}}\n")
        _, err = self.map_tiny("--constraints", "wrong.yaml", expect=2)
        self.assertIn("wrong.yaml: GB.K = 3: allowed are divisors of K = 8 of layer 'tiny'", err)
        self.write("wrong.yaml", "temporal:\n- {level: GD, factors: {K: 2}}\n")
        _, err = self.map_tiny("--constraints", "wrong.yaml", expect=2)
        self.assertIn("wrong.yaml:2:11: temporal[0].level: found GD (did you mean 'GB'?)", err)
        _, err = self.map_tiny("--constraints", "none.yaml", expect=2)
        self.assertIn("none.yaml", err)
        _, err = self.map_tiny("--constraints", "c.yaml", "--method", "greedy", expect=2)
        self.assertIn("--constraints: found --method greedy", err)
        network = ("network", "--arch", "arch.yaml", "--network", "network.yaml", "--constraints")
        _, err = self.run_pimbb(*network, "c.yaml", "--fix-permutation", expect=2)
        self.assertIn("--fix-permutation, allowed is one of them", err)
        _, err = self.run_pimbb(*network, "c.yaml", "--agree-layouts", expect=2)
        self.assertIn("--constraints: found --agree-layouts", err)
        _, err = self.run_pimbb("export", "--arch", "arch.yaml", "--layer", "layer.yaml",
                                "--constraints", "c.yaml", expect=2)
        self.assertIn("unknown option '--constraints'", err)


if __name__ == "__main__":
    unittest.main(argv=["test_constraints.py"])
