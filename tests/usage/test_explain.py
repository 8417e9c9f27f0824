"""pimbb explain, as a user runs it: the report, its documents, limits and refusals."""
import csv
import fractions
import io
import unittest

from workbench import CROSSBAR, CROSSBAR_NETWORK, Workbench, not_in_slow_builds

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

    @not_in_slow_builds
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

    def test_networks_on_crossbars(self):
        self.write("crossbar.yaml", CROSSBAR)
        self.write("two.yaml", CROSSBAR_NETWORK)
        bars = ["--arch", "crossbar.yaml", "--network", "two.yaml"]
        self.run_pimbb("network", *bars, "--quiet", "--json", "best.json")
        least = self.read_json("best.json")["objective"]["value"]
        answer = self.explained(*bars, "--at-most", f"ht={least - 1}")
        self.assertEqual((answer["format"], answer["status"]),
                         ("pimbb-crossbar-explanation/1", "complete"))
        self.assertTrue(answer["minimal"])
        verified = 0
        for repair in answer["repairs"]:
            constraint, change = answer["constraints"][repair["constraint"]], repair["change"]
            if change["status"] != "enough":
                continue
            key, value = constraint["parameter"], change["value"]
            if constraint["kind"] == "limit":
                self.assertEqual(value, least)
                continue
            back = 1 if value < constraint["today"] else -1
            with self.subTest(key=key):
                self.run_pimbb("network", *bars, "--quiet", "--set", f"{key}={value}", "--json", "then.json")
                self.assertLess(self.read_json("then.json")["objective"]["value"], least)
                self.run_pimbb("network", *bars, "--quiet", "--set", f"{key}={value + back}", "--json", "then.json")
                self.assertGreaterEqual(self.read_json("then.json")["objective"]["value"], least)
                verified += 1
        self.assertGreater(verified, 2)
        report, _ = self.run_pimbb("explain", *bars, "--set", "core.crossbars=1")
        for part in ("a core has 1 crossbar", "a chip has 2 cores", "infeasible, proven", "is enough"):
            self.assertIn(part, report)
        self.assertIn("feasible", self.run_pimbb("explain", "two.yaml", "--arch", "crossbar.yaml")[0])
        for words, message in ((["--at-most", "latency=1"], "--at-most"), (["--method", "ws"], "--method")):
            self.assertIn(message, self.run_pimbb("explain", *bars, *words, expect=2)[1])
        answer = self.explained(*bars, "--at-most", f"ht={least - 1}", "--node-limit", "1", expect=3)
        self.assertEqual(answer["status"], "partial")


if __name__ == "__main__":
    unittest.main(argv=["test_explain"])
