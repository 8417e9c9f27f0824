"""pimbb explain, as a user runs it: the report, its documents, limits and refusals."""
import csv
import fractions
import io
import unittest

from workbench import Workbench

LAYER = ["--layer", "resnet18:conv2_x"]


def exact(number):
    return fractions.Fraction(str(number))


class Explain(Workbench):
    def explained(self, *words, expect=0):
        self.run_pimbb("explain", *words, "--quiet", "--json", "why.json", expect=expect)
        return self.read_json("why.json")

    def test_a_repair_is_the_least_one(self):
        tiny = ["--arch", "arch.yaml", "--layer", "layer.yaml"]
        self.run_pimbb("map", *tiny, "--quiet", "--json", "best.json")
        least = exact(self.read_json("best.json")["objective"]["exact"]["value"])
        limit = ["--at-most", f"latency={float(least) - 1}"]
        answer = self.explained(*tiny, *limit)
        self.assertEqual(answer["status"], "complete")
        self.assertTrue(answer["minimal"])
        self.assertTrue(answer["repairs"])
        for repair in answer["repairs"]:
            constraint, change = answer["constraints"][repair["constraint"]], repair["change"]
            if change["status"] != "enough" or "value" not in change:
                continue
            with self.subTest(words=constraint["words"]):
                if constraint["kind"] == "limit":
                    self.assertEqual(exact(change["value"]), least)
                    continue
                key, value = constraint["parameter"], change["value"]
                self.run_pimbb("map", *tiny, *limit, "--quiet", "--set", f"{key}={value}")
                self.run_pimbb("map", *tiny, *limit, "--quiet", "--set", f"{key}={value - 1}",
                               expect=4)

    def test_report_names_conflict_and_repair(self):
        report, _ = self.run_pimbb("explain", *LAYER, "--set", "levels.PELocalBuffer.entries=0")
        for part in ("PELocalBuffer always stores input, weight, output", "capacity of PELocalBuffer",
                     "levels.PELocalBuffer.entries 0 -> 3 B is enough", "infeasible, proven"):
            self.assertIn(part, report)
        table, _ = self.run_pimbb("explain", *LAYER, "--set", "levels.PELocalBuffer.entries=0",
                                  "--csv", "-")
        rows = list(csv.DictReader(io.StringIO(table)))
        self.assertEqual([row["kind"] for row in rows], ["storage", "capacity"])
        self.assertEqual(rows[1]["need"], "3")

    def test_sram_compute_in_memory(self):
        macro = ["--arch", "miredo_default", "--layer", "resnet18:conv2_x"]
        limit = ["--at-most", "latency=200000"]
        answer = self.explained(*macro, *limit)
        self.assertEqual((answer["format"], answer["status"]), ("pimbb-cim-explanation/1", "complete"))
        self.assertTrue(answer["minimal"])
        sizes = 0
        for repair in answer["repairs"]:
            constraint, change = answer["constraints"][repair["constraint"]], repair["change"]
            if change["status"] != "enough" or "value" not in change or constraint["kind"] == "limit":
                continue
            sizes += 1
            key, value = constraint["parameter"], change["value"]
            with self.subTest(parameter=key):
                self.run_pimbb("map", *macro, *limit, "--quiet", "--set", f"{key}={value}")
                self.run_pimbb("map", *macro, *limit, "--quiet", "--set", f"{key}={value - 1}", expect=4)
        self.assertGreater(sizes, 0)
        report, _ = self.run_pimbb("explain", *macro, *limit)
        self.assertIn("limit on latency", report)
        table, _ = self.run_pimbb("explain", *macro, *limit, "--csv", "-")
        self.assertEqual([row["kind"] for row in csv.DictReader(io.StringIO(table))],
                         [answer["constraints"][part["constraint"]]["kind"] for part in answer["conflict"]])
        self.assertIn("feasible", self.run_pimbb("explain", *macro)[0])
        self.explained(*macro, *limit, "--node-limit", "1", expect=3)
        for words in (["--method", "greedy"], ["--semantics", "simulator"]):
            with self.subTest(words=words):
                self.run_pimbb("explain", *macro, *limit, *words, expect=2)

    def test_feasible_limited_and_refused(self):
        self.assertIn("feasible", self.run_pimbb("explain", *LAYER)[0])
        answer = self.explained("--arch", "arch.yaml", "--layer", "layer.yaml", "--at-most",
                                "latency=191", "--node-limit", "1", expect=3)
        self.assertTrue(answer["constraints"])
        self.assertEqual(answer["status"], "partial")
        for words, message in (([*LAYER, "--method", "greedy"], "--method"),
                               ([*LAYER, "--at-most", "speed=1"], "--at-most"),
                               ([*LAYER, "--pad", "1"], "--pad"),
                               ([], "layer")):
            with self.subTest(words=words):
                self.assertIn(message, self.run_pimbb("explain", *words, expect=2)[1])


if __name__ == "__main__":
    unittest.main(argv=["test_explain"])
