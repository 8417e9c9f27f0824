"""pimbb audit: the distance of a given mapping from the optimum; Timeloop mappings; --layout."""

import json
import os
import subprocess
import unittest
from fractions import Fraction

from workbench import PIMBB, Workbench, not_in_slow_builds

CHECK = os.environ["PIMBB_CHECK"]
PROBLEM = ("--arch", "arch.yaml", "--layer", "layer.yaml")
TIMELOOP = """
mapping:
  - {target: DRAM, type: temporal, factors: C=4 Q=2 M=2, permutation: QMC}
  - {target: RB, type: temporal, factors: P=2 M=2, permutation: PM}
  - {target: GB, type: spatial, factors: P2 M2, permutation: PM, split: 1}
  - {target: GB, type: temporal, factors: R=3}
"""


class AuditBench(Workbench):
    def setUp(self):
        super().setUp()
        self.write("timeloop.yaml", TIMELOOP)

    def audit(self, mapping, *arguments, **options):
        return self.run_pimbb("audit", *PROBLEM, "--mapping", mapping, *arguments, **options)

    def as_json(self, mapping, *arguments, **options):
        return json.loads(self.audit(mapping, "--json", "-", *arguments, **options)[0])

    def refused(self, *arguments, says):
        before = sorted(os.listdir(self.dir))
        out, err = self.run_pimbb("audit", *arguments, expect=2)
        self.assertEqual((out, sorted(os.listdir(self.dir))), ("", before))
        for part in says:
            self.assertIn(part, err)


class Distance(AuditBench):
    def test_the_optimum_is_optimal(self):
        for goals in ("latency", "energy", "latency,energy", "edp", "activations,latency"):
            self.map_tiny("--objective", goals, "--json", "best.json")
            out, _ = self.audit("best.json", "--objective", goals)
            self.assertIn("\noptimal, proven: no mapping is better in ", out)
            result = self.as_json("best.json", "--objective", goals)
            self.assertEqual((result["standing"], result["certified"], result["decided_by"]),
                             ("optimal", True, None))
            for goal in result["goals"]:
                self.assertEqual((goal["exact"]["ratio"], goal["exact"]["gap"]), ("1", "0"))

    def test_a_heuristic_mapping_is_at_its_exact_distance(self):
        self.map_tiny("--method", "greedy", "--json", "greedy.json", expect=3)
        self.map_tiny("--json", "best.json")
        given = Fraction(self.read_json("greedy.json")["metrics"]["exact"]["latency"])
        best = Fraction(self.read_json("best.json")["metrics"]["exact"]["latency"])
        self.assertGreater(given, best)
        result = self.as_json("greedy.json")
        (goal,) = result["goals"]
        self.assertEqual(Fraction(goal["exact"]["ratio"]), given / best)
        self.assertEqual(Fraction(goal["exact"]["gap"]), (given - best) / given)
        self.assertEqual((result["standing"], result["decided_by"]), ("not_optimal", "latency"))
        self.assertEqual(result["given"]["mapping"], self.read_json("greedy.json")["mapping"])
        self.assertEqual(result["best"]["metrics"], self.read_json("best.json")["metrics"])
        out, _ = self.audit("greedy.json")
        self.assertRegex(out, r"\nnot optimal, proven: latency [\d,.]+ cycles is [\d.]+ x the optimum")
        for part in ("The given mapping", "The best mapping", "Where the cycles go", "DRAM weight",
                     "transfer", "activations", "Utilization", "Distance", "dataflow: "):
            self.assertIn(part, out)

    def test_terms_add_up(self):
        result = self.as_json("timeloop.yaml", "--objective", "energy")
        for which in ("given", "best"):
            metrics = result[which]["metrics"]["exact"]
            cycles = {t["term"]: Fraction(t["exact"][which]) for t in result["terms"]["cycles"]}
            energy = sum(Fraction(t["exact"][which]) for t in result["terms"]["energy"])
            self.assertEqual(energy, Fraction(metrics["energy"]))
            self.assertEqual(max(cycles.values()), Fraction(metrics["latency"]))
            for tensor in ("input", "weight", "output"):
                self.assertEqual(cycles[f"DRAM {tensor}"], cycles[f"DRAM {tensor} transfer"]
                                 + cycles[f"DRAM {tensor} activations"])
            binding = [t["term"] for t in result["terms"]["cycles"] if which in t.get("binds", ())]
            self.assertTrue(binding)
            for term in binding:
                self.assertEqual(cycles[term], Fraction(metrics["latency"]))

    @not_in_slow_builds
    def test_a_later_goal_decides(self):
        self.map_tiny("--objective", "activations", "--json", "rows.json")
        self.map_tiny("--objective", "activations,energy", "--json", "best.json")
        result = self.as_json("rows.json", "--objective", "activations,energy")
        value, best = (self.read_json(f)["metrics"]["exact"]["energy"] for f in ("rows.json",
                                                                                "best.json"))
        self.assertEqual(result["goals"][1]["exact"]["value"], value)
        self.assertEqual(result["goals"][1]["exact"]["best"], best)
        self.assertEqual(result["decided_by"], None if value == best else "energy")

    def test_goals_after_the_one_that_decides_have_no_distance(self):
        first, second = self.as_json("timeloop.yaml", "--objective", "latency,energy")["goals"]
        self.assertGreater(first["value"], first["best"])
        self.assertLessEqual({"ratio", "gap"}, set(first))
        self.assertFalse({"ratio", "gap"} & (set(second) | set(second["exact"])))
        out, _ = self.audit("timeloop.yaml", "--objective", "latency,energy")
        self.assertRegex(out, r"\n  latency .* %\n  energy .* nJ\n")

    def test_a_limit_leaves_a_bound(self):
        problem = ("--layer", "resnet18:conv2_x", "--mapping", "m.json", "--node-limit", "1")
        self.run_pimbb("map", "--layer", "resnet18:conv2_x", "--method", "greedy", "--json",
                       "m.json", "--quiet", expect=3)
        out, _ = self.run_pimbb("audit", *problem, "--objective", "edp", expect=3)
        self.assertRegex(out, r"limit hit: edp .* at most [\d.]+ x the optimum \(bound ")
        out, _ = self.run_pimbb("audit", *problem, "--objective", "edp", "--json", "-", expect=3)
        result = json.loads(out)
        self.assertFalse(result["certified"])
        self.assertLess(result["goals"][0]["bound"], result["goals"][0]["value"])

    def test_proof(self):
        out, _ = self.audit("timeloop.yaml", "--proof", "best.proof", "--objective", "energy")
        self.assertIn("to verify it: pimbb-check best.proof", out)
        checked = subprocess.run([CHECK, "best.proof"], cwd=self.dir, text=True,
                                 capture_output=True, timeout=300, check=True)
        optimum = self.as_json("timeloop.yaml", "--objective", "energy")["goals"][0]["exact"]["best"]
        self.assertIn(f"optimum = energy {optimum}", checked.stdout)

    def test_it_repeats(self):
        first = self.audit("timeloop.yaml", "--timeless", "--threads", "1")
        self.assertEqual(self.audit("timeloop.yaml", "--timeless", "--threads", "2"), first)
        self.audit("timeloop.yaml", "--quiet", "--json", "a.json", "--log", "a.log", "--timeless")
        with open(os.path.join(self.dir, "a.log"), encoding="utf-8") as log:
            self.assertIn("audit", log.readline())


class Documentation(AuditBench):
    def test_the_example_is_what_it_says(self):
        top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
        with open(os.path.join(top, "docs", "audit.md"), encoding="utf-8") as page:
            blocks = page.read().split("```")
        command, expected = next(b.lstrip("\n").split("\n", 1) for b in blocks
                                 if b.startswith("\n$ pimbb audit"))
        process = subprocess.run([PIMBB, *command.split()[2:]], cwd=top, text=True,
                                 capture_output=True, timeout=300, check=True)
        self.assertEqual(process.stdout, expected)


class Timeloop(AuditBench):
    def test_the_same_mapping_in_both_formats(self):
        self.run_pimbb("evaluate", *PROBLEM, "--mapping", "timeloop.yaml", "--json", "ours.json")
        ours = self.read_json("ours.json")
        self.assertEqual(ours["mapping"]["spatial"], {"H": {"K": 2}, "W": {"P": 2}, "internal": {}})
        self.assertEqual(ours["mapping"]["temporal"][3]["loops"], [["C", 4], ["K", 2], ["Q", 2]])
        out, _ = self.audit("timeloop.yaml")
        self.assertIn("sequential layouts, as the file gives none (see --layout)", out)
        theirs = self.as_json("timeloop.yaml")
        again = self.as_json("ours.json")
        self.assertEqual(theirs["given"], again["given"])
        self.assertEqual(theirs["goals"], again["goals"])

    def test_other_commands_read_it(self):
        trace, _ = self.run_pimbb("trace", *PROBLEM, "--mapping", "timeloop.yaml", "--quiet")
        self.assertRegex(trace, "^LD 0x0\n")

    @not_in_slow_builds
    def test_layouts(self):
        plain, best = (self.as_json("timeloop.yaml", "--objective", "activations", "--layout", way)
                       for way in ("sequential", "best"))
        self.assertEqual(set(plain["given"]["mapping"]["layout"].values()), {"sequential"})
        self.assertEqual(plain["goals"], self.as_json("timeloop.yaml", "--objective",
                                                      "activations")["goals"])
        self.assertLess(best["goals"][0]["value"], plain["goals"][0]["value"])
        self.map_tiny("--objective", "activations", "--json", "best.json")
        value = self.read_json("best.json")["objective"]["value"]
        same = self.as_json("best.json", "--objective", "activations", "--layout", "best")
        self.assertEqual(same["goals"][0]["value"], value)


class Refusals(AuditBench):
    def test_bad_input(self):
        given = (*PROBLEM, "--mapping", "timeloop.yaml")
        self.refused(says=["--layer", "resnet18:"])
        self.refused(*PROBLEM, says=["--mapping", "Timeloop"])
        self.refused(*given, "--layout", "row_aligned", says=["--layout", "sequential, best"])
        self.refused(*given, "--method", "ws", says=["unknown option '--method'"])
        self.refused(*given, "--proof", "a", "--json", "a", says=["--proof"])

    def test_a_mapping_that_does_not_fit_names_the_rule(self):
        self.refused("--arch", "too_small.yaml", "--layer", "layer.yaml", "--mapping",
                     "timeloop.yaml", says=["timeloop.yaml", "capacity", "PE has 2 bytes"])
        self.write("wide.yaml", TIMELOOP.replace("P2 M2", "P4 M2").replace("factors: P=2",
                                                                           "factors: P=1"))
        self.refused(*PROBLEM, "--mapping", "wide.yaml", says=["wide.yaml", "pe_array", "W need 4"])

    def test_timeloop_errors_name_file_line_and_key(self):
        for change, says in ((("C=4", "C=2"), ["factors of C that multiply to 2", "C = 4"]),
                             (("target: RB", "target: Shared"), [":4:", "target", "PE, GB, RB, DRAM"]),
                             (("P=2 M=2", "'P=2,1 M=2'"), [":4:", "factors", "remainder"]),
                             (("QMC", "QC"), [":3:", "permutation", "no M"])):
            self.write("bad.yaml", TIMELOOP.replace(*change))
            self.refused(*PROBLEM, "--mapping", "bad.yaml", says=["bad.yaml:", *says])


if __name__ == "__main__":
    unittest.main(argv=["test_audit"])
