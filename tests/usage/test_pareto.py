"""pimbb pareto, as a user runs it: points, documents, limits and refusals."""
import csv
import fractions
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from workbench import not_in_slow_builds

PIMBB = sys.argv.pop(1)
SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs/schema/pimbb-front.json"
LAYER = ["--layer", "resnet18:conv1", "--row-model", "hybrid"]


def run(command, *words):
    return subprocess.run([PIMBB, command, *words], capture_output=True, text=True,
                          encoding="utf-8", check=False)


def document(command, *words):
    timeless = [] if command == "evaluate" else ["--timeless"]
    done = run(command, *words, "--json", "-", *timeless)
    return done.returncode, json.loads(done.stdout)


def costs(front):
    return [tuple(fractions.Fraction(p["exact"][axis]) for axis in front["axes"])
            for p in front["points"]]


class Pareto(unittest.TestCase):
    def test_ends_are_lexicographic_optima(self):
        code, front = document("pareto", *LAYER)
        self.assertEqual((code, front["status"], front["covered"]), (0, "complete", "1"))
        points = costs(front)
        self.assertGreater(len(points), 1)
        for goals, end in (("latency,energy", points[0]), ("energy,latency", points[-1])):
            _, best = document("map", *LAYER, "--objective", goals)
            exact = best["metrics"]["exact"]
            self.assertEqual(tuple(fractions.Fraction(exact[a]) for a in front["axes"]), end)
        self.assertEqual(points, sorted(points))

    def test_points_evaluate_as_listed(self):
        _, front = document("pareto", *LAYER)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "point.json"
            for point in front["points"]:
                path.write_text(json.dumps({"format": "pimbb-mapping/1", "mapping": point["mapping"]}),
                                encoding="utf-8")
                code, found = document("evaluate", *LAYER, "--mapping", str(path))
                self.assertEqual(code, 0)
                for axis in front["axes"]:
                    self.assertEqual(found["metrics"]["exact"][axis], point["exact"][axis])

    def test_proof_is_one_of_all_points(self):
        with tempfile.TemporaryDirectory() as folder:
            proof = pathlib.Path(folder) / "front.proof"
            done = run("pareto", *LAYER, "--proof", str(proof))
            self.assertEqual(done.returncode, 0)
            self.assertIn("to verify it: pimbb-check", done.stdout)
            self.assertTrue(proof.read_text(encoding="utf-8").startswith("pimbb-front-proof/1\n"))
            for words in (["--within", "1%"], ["--points", "2"], ["--method", "ws"]):
                refused = run("pareto", *LAYER, *words, "--proof", str(proof) + "x")
                self.assertEqual(refused.returncode, 2)
                self.assertIn("--proof", refused.stderr)
                self.assertFalse(pathlib.Path(str(proof) + "x").exists())
            done = run("pareto", *LAYER, "--node-limit", "5", "--proof", str(proof) + "x")
            self.assertEqual(done.returncode, 3)
            self.assertIn("no proof written", done.stdout)

    def test_proof_of_a_front_on_compute_in_memory(self):
        with tempfile.TemporaryDirectory() as folder:
            layer = pathlib.Path(folder) / "layer.yaml"
            layer.write_text("{R: 3, S: 3, P: 4, Q: 4, C: 8, K: 8, N: 1}\n", encoding="utf-8")
            proof = pathlib.Path(folder) / "front.proof"
            problem = ["pareto", "--arch", "miredo_default", "--layer", str(layer)]
            done = run(*problem, "--proof", str(proof))
            self.assertEqual(done.returncode, 0)
            self.assertIn("to verify it: pimbb-check", done.stdout)
            text = proof.read_text(encoding="utf-8")
            self.assertTrue(text.startswith("pimbb-cim-front-proof/1\n"))
            _, front = document(*problem)
            self.assertIn(f"\npoints {len(front['points'])}\n", text)
            for words in (["--within", "1%"], ["--points", "2"], ["--method", "greedy"]):
                refused = run(*problem, *words, "--proof", str(proof) + "x")
                self.assertEqual(refused.returncode, 2)
                self.assertIn("--proof", refused.stderr)

    def test_threads_change_nothing(self):
        documents = [run("pareto", *LAYER, "--threads", n, "--json", "-", "--timeless").stdout
                     for n in ("1", "2")]
        self.assertEqual(documents[0], documents[1])

    def test_fewer_points(self):
        _, whole = document("pareto", *LAYER)
        _, few = document("pareto", *LAYER, "--points", "2")
        self.assertEqual(len(few["points"]), 2)
        self.assertEqual(few["found"], len(whole["points"]))
        share = 1 + fractions.Fraction(few["within"])
        for point in costs(whole):
            self.assertTrue(any(all(x / share <= y for x, y in zip(p, point))
                                for p in costs(few)))
        _, near = document("pareto", *LAYER, "--within", "50%")
        self.assertLessEqual(fractions.Fraction(near["within"]), fractions.Fraction(1, 2))

    def test_limit_leaves_boxes_open(self):
        code, front = document("pareto", *LAYER, "--node-limit", "1")
        self.assertEqual((code, front["status"]), (3, "partial"))
        self.assertTrue(front["open"])
        _, whole = document("pareto", *LAYER)
        for point in costs(whole):
            covered = any(all(x <= y for x, y in zip(p, point)) for p in costs(front))
            inside = any(
                all(fractions.Fraction(box["from"][a]) <= x
                    and (box["below"][a] is None or x < fractions.Fraction(box["below"][a]))
                    for a, x in zip(front["axes"], point))
                for box in front["open"])
            self.assertTrue(covered or inside)

    def test_documents(self):
        _, front = document("pareto", *LAYER, "--axes", "energy,activations")
        rows = list(csv.DictReader(io.StringIO(
            run("pareto", *LAYER, "--axes", "energy,activations", "--csv", "-").stdout)))
        self.assertEqual([float(row["energy"]) for row in rows],
                         [point["energy"] for point in front["points"]])
        self.validate(front, SCHEMA.name)
        self.validate(document("pareto", *LAYER, "--node-limit", "1")[1], SCHEMA.name)

    @not_in_slow_builds
    def test_network(self):
        code, front = document("pareto", "--network", "resnet18")
        self.assertEqual((code, front["status"]), (0, "complete"))
        points = costs(front)
        self.assertGreater(len(points), 10)
        for point, total in zip(front["points"], points):
            added = [sum(layer["repetitions"] * fractions.Fraction(layer["weight"])
                         * fractions.Fraction(layer["points"][chosen]["exact"][axis])
                         for layer, chosen in zip(front["layers"], point["chosen"]))
                     for axis in front["axes"]]
            self.assertEqual(tuple(added), total)
        _, best = document("network", "--network", "resnet18", "--objective", "edp")
        exact = best["totals"]["exact"]
        self.assertEqual(min(latency * energy for latency, energy in points),
                         fractions.Fraction(exact["latency"]) * fractions.Fraction(exact["energy"]))
        _, few = document("pareto", "--network", "resnet18", "--within", "1%")
        share = 1 + fractions.Fraction(few["within"])
        self.assertLessEqual(share, fractions.Fraction(101, 100))
        self.assertLess(len(few["points"]), len(points))
        for point in points:
            self.assertTrue(any(all(x <= share * y for x, y in zip(p, point)) for p in costs(few)))
        for found in (front, few):
            self.validate(found, "pimbb-network-front.json")

    def validate(self, found, schema):
        try:
            import jsonschema  # pylint: disable=import-outside-toplevel
        except ImportError:
            return
        jsonschema.validate(found, json.loads((SCHEMA.parent / schema).read_text(encoding="utf-8")))

    def test_infeasible(self):
        code, front = document("pareto", *LAYER, "--at-most", "latency=1")
        self.assertEqual((code, front["status"], front["points"]), (4, "infeasible", []))

    def test_bad_input(self):
        for words, text in ((["--axes", "latency"], "--axes: found 'latency', allowed are two"),
                            (["--axes", "latency,edp"], "--axes: found 'latency,edp'"),
                            (["--axes", "energy,energy"], "--axes: found 'energy,energy'"),
                            (["--within", "x"], "--within: found 'x'"),
                            (["--points", "0"], "--points: found '0'"),
                            (["--method", "greedy"], "--method: found 'greedy'"),
                            (["--network", "resnet18"], "--network: found a layer beside it"),
                            (["--pad", "1"], "--pad")):
            done = run("pareto", *LAYER, *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
