"""pimbb top, as a user runs it: the report, its documents, limits and refusals."""
import csv
import fractions
import io
import json
import pathlib
import subprocess
import sys
import unittest

PIMBB = sys.argv.pop(1)
SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs/schema/pimbb-top.json"
LAYER = ["--layer", "resnet18:fc"]


def run(*words):
    return subprocess.run([PIMBB, "top", *words], capture_output=True, text=True, encoding="utf-8",
                          check=False)


def document(*words):
    done = run(*words, "--json", "-", "--timeless")
    return done.returncode, json.loads(done.stdout)


def solved(*words):
    done = subprocess.run([PIMBB, "map", *words, "--json", "-", "--timeless"], capture_output=True,
                          text=True, encoding="utf-8", check=True)
    return json.loads(done.stdout)


class Top(unittest.TestCase):
    goal = [*LAYER, "--objective", "edp", "--row-model", "hybrid"]

    def test_first_class_is_the_optimum(self):
        code, top = document(*self.goal, "--k", "5")
        self.assertEqual(code, 0)
        self.assertEqual(top["status"], "complete")
        best = solved(*self.goal)
        self.assertEqual(top["classes"][0]["exact"]["edp"], best["objective"]["exact"]["value"])
        values = [fractions.Fraction(c["exact"]["edp"]) for c in top["classes"]]
        self.assertEqual(values, sorted(values))
        self.assertEqual(len(values), 5)
        self.assertEqual([c["rank"] for c in top["classes"]], [1, 2, 3, 4, 5])

    def test_document_follows_the_schema(self):
        try:
            import jsonschema  # pylint: disable=import-outside-toplevel
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        for words in (["--k", "3"], ["--within", "0.1%", "--most", "2"],
                      ["--k", "2", "--node-limit", "1"], ["--at-most", "latency=1"],
                      ["--objective", "blended", "--alpha", "1/3", "--beta", "2"]):
            with self.subTest(words=words):
                goal = self.goal if "--objective" not in words else LAYER
                jsonschema.validate(document(*goal, *words)[1], schema)

    def test_sram_compute_in_memory(self):
        macro = ["--arch", "miredo_default", "--layer", "resnet18:conv5_x", "--objective", "edp"]
        code, top = document(*macro, "--k", "4")
        self.assertEqual((code, top["format"], top["status"]), (0, "pimbb-cim-top/1", "complete"))
        self.assertEqual(top["classes"][0]["exact"]["edp"], solved(*macro)["objective"]["exact"]["value"])
        self.assertEqual(len(top["classes"]), 4)
        share = fractions.Fraction(top["classes"][3]["exact"]["edp"]) / fractions.Fraction(
            top["classes"][0]["exact"]["edp"]) - 1
        near = document(*macro, "--within", str(float(share) * 1.0000001))[1]
        self.assertEqual(near["within"]["classes"], 4 + top["tied"])
        self.assertEqual(near["classes"][:4], top["classes"])
        self.assertEqual(near["optimal"], top["optimal"])
        report = run(*macro, "--k", "4").stdout
        for part in ("differs from the best in", "no other class costs less", "optimal: "):
            self.assertIn(part, report)
        table = list(csv.DictReader(io.StringIO(run(*macro, "--k", "4", "--csv", "-").stdout)))
        self.assertEqual([row["text"] for row in table], [c["text"] for c in top["classes"]])
        code, cut = document(*macro, "--node-limit", "1")
        self.assertEqual((code, cut["status"]), (3, "partial"))
        self.assertIn("bound", cut)
        self.assertEqual(document(*macro, "--at-most", "latency=1")[0], 4)
        for words in (["--method", "greedy"], ["--semantics", "simulator"], ["--k", "0"]):
            with self.subTest(words=words):
                self.assertEqual(run(*macro, *words).returncode, 2)

    def test_within_counts_all_and_lists_some(self):
        _, few = document(*self.goal, "--within", "1%", "--most", "2")
        _, many = document(*self.goal, "--within", "0.01", "--most", "100000")
        self.assertEqual(len(few["classes"]), 2)
        self.assertEqual(few["within"], many["within"])
        self.assertEqual(few["classes"], many["classes"][:2])
        self.assertEqual(len(many["classes"]), many["within"]["classes"])
        best = fractions.Fraction(many["classes"][0]["exact"]["edp"])
        self.assertTrue(all(fractions.Fraction(c["exact"]["edp"]) <= best * fractions.Fraction(101, 100)
                            for c in many["classes"]))
        self.assertEqual(sum(c["mappings"] for c in many["classes"]), many["within"]["mappings"])

    def test_table_and_report(self):
        done = run(*self.goal, "--k", "4")
        self.assertEqual(done.returncode, 0)
        self.assertIn("complete: no other class costs less than the last one", done.stdout)
        self.assertIn("differs from the best in", done.stdout)
        self.assertRegex(done.stdout, r"optimal: .* mappings")
        rows = list(csv.DictReader(io.StringIO(run(*self.goal, "--k", "4", "--csv", "-").stdout)))
        self.assertEqual([row["rank"] for row in rows], ["1", "2", "3", "4"])
        self.assertEqual(rows[0]["differs_in"], "")

    def test_threads_do_not_matter(self):
        one = run(*self.goal, "--k", "9", "--json", "-", "--timeless", "--threads", "1").stdout
        self.assertEqual(one, run(*self.goal, "--k", "9", "--json", "-", "--timeless", "--threads",
                                  "3").stdout)

    def test_limits(self):
        code, top = document(*self.goal, "--node-limit", "1")
        self.assertEqual((code, top["status"]), (3, "partial"))
        self.assertIn("bound", top)
        code, top = document(*self.goal, "--at-most", "latency=1")
        self.assertEqual((code, top["status"], top["classes"]), (4, "infeasible", []))

    def test_refusals(self):
        for words, message in ((["--k", "0"], "--k"), (["--k", "2", "--within", "1%"], "--within"),
                               (["--most", "3"], "--within"), (["--within", "-1%"], "--within"),
                               (["--within", "much"], "--within")):
            with self.subTest(words=words):
                done = run(*LAYER, *words)
                self.assertEqual(done.returncode, 2)
                self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
