"""pimbb sensitivity, as a user runs it: the report, its documents, limits and refusals."""
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
SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs/schema/pimbb-sensitivity.json"
LAYER = ["--layer", "resnet18:fc", "--objective", "edp", "--row-model", "hybrid"]


def run(*words):
    return subprocess.run([PIMBB, "sensitivity", *words], capture_output=True, text=True,
                          encoding="utf-8", check=False)


def document(*words):
    done = run(*words, "--json", "-", "--timeless")
    return done.returncode, json.loads(done.stdout)


def optimum(*words):
    done = subprocess.run([PIMBB, "map", *words, "--json", "-", "--timeless"], capture_output=True,
                          text=True, encoding="utf-8", check=True)
    return fractions.Fraction(json.loads(done.stdout)["objective"]["exact"]["value"])


def exact(number):
    return fractions.Fraction(str(number))


class Sensitivity(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        layer = pathlib.Path(folder.name) / "tiny.yaml"
        layer.write_text("{name: small, R: 1, S: 1, P: 1, Q: 1, C: 4, K: 3, N: 1}\n",
                         encoding="utf-8")
        self.tiny = ["--layer", str(layer), "--objective", "edp"]

    def test_steps_are_those_of_changed_accelerators(self):
        code, answer = document(*LAYER, "--parameter", "levels.GlobalBuffer.entries")
        self.assertEqual((code, answer["status"]), (0, "complete"))
        figure = answer["parameters"][0]
        today = optimum(*LAYER)
        self.assertEqual(exact(answer["value"]), today)
        for side, outwards in (("smaller", -1), ("larger", 1)):
            step = figure[side]
            if step["reason"] != "step":
                continue
            at = lambda size: ["--set", f"levels.GlobalBuffer.entries={size}"]
            self.assertEqual(optimum(*LAYER, *at(step["at"] - outwards)), today)
            if "value" in step:
                self.assertEqual(optimum(*LAYER, *at(step["at"])), exact(step["value"]))

    def test_interval_of_an_energy(self):
        code, answer = document(*LAYER, "--parameter", "levels.LocalDRAM.access_cost")
        self.assertEqual(code, 0)
        figure = answer["parameters"][0]
        for side in ("down", "up"):
            self.assertIn(figure[side]["reason"], ("beaten", "range"))
            if figure[side]["reason"] == "beaten":
                self.assertEqual(figure[side]["beyond"], figure[side]["proven"])
                self.assertLess(figure[side]["next"], len(answer["mappings"]))

    def test_document_follows_the_schema(self):
        try:
            import jsonschema  # pylint: disable=import-outside-toplevel
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        one = ["--parameter", "levels.GlobalBuffer.entries"]
        for words in ([], [*one, "--range", "64..130"],
                      ["--parameter", "activation_energy", "--range", "0..2"],
                      ["--parameter", "levels.RowBuffer.read_bandwidth", "--range", "1..64"],
                      ["--node-limit", "1"], ["--set", "levels.PELocalBuffer.entries=0"]):
            with self.subTest(words=words):
                jsonschema.validate(document(*self.tiny, *words)[1], schema)

    @not_in_slow_builds
    def test_macros(self):
        macro = ["--arch", "miredo_default", "--layer", "resnet18:fc", "--objective", "energy"]
        code, answer = document(*macro, "--parameter", "leakage", "--parameter",
                                "levels.OutputBuffer.size_bits", "--parameter", "levels.DRAM.bandwidth")
        self.assertEqual((code, answer["format"]), (0, "pimbb-cim-sensitivity/1"))
        self.assertEqual(exact(answer["value"]), optimum(*macro))
        leakage, size, bandwidth = answer["parameters"]
        self.assertEqual((leakage["down"]["reason"], leakage["up"]["reason"]), ("beaten", "beaten"))
        at = size["smaller"]["at"]
        for value, expected in ((at + 1, answer["value"]), (at, size["smaller"]["value"])):
            self.assertEqual(optimum(*macro, "--set", f"levels.OutputBuffer.size_bits={value}"), exact(expected))
        for step in bandwidth["steps"][:2]:
            self.assertEqual(optimum(*macro, "--set", f"levels.DRAM.bandwidth={step['from']}"), exact(step["value"]))
        self.assertEqual(run(*macro, "--pad", "ceil").returncode, 2)
        self.assertEqual(run("--arch", "pimcomp", "--layer", "resnet18:fc").returncode, 2)

    def test_networks_on_crossbars(self):
        bars = ["--arch", "pimcomp", "--network", "resnet18", "--objective", "ll"]
        chip = ["--set", "cores=6", "--set", "core.rows=1024", "--set", "core.columns=1024"]
        code, answer = document(*bars, *chip, "--parameter", "mvm.time", "--parameter", "mvm.interval")
        self.assertEqual(answer["format"], "pimbb-crossbar-sensitivity/1")
        time, interval = answer["parameters"]
        self.assertEqual(exact(time["elasticity"]), 1)
        self.assertEqual((interval["matters"], interval["status"]), (False, "complete"))
        self.assertEqual(code, 0 if exact(answer["value"]) == exact(answer["bound"]) else 3)
        self.assertEqual(run(*bars[:4], "--objective", "edp").returncode, 2)
        self.assertEqual(run(*bars, "--parameter", "power.leak").returncode, 2)

    def test_report_and_table(self):
        done = run(*self.tiny)
        self.assertEqual(done.returncode, 0)
        for part in ("+1 % gives", "one more", "next step up", "complete: every interval"):
            self.assertIn(part, done.stdout)
        rows = list(csv.DictReader(io.StringIO(run(*self.tiny, "--csv", "-").stdout)))
        self.assertEqual({row["what"] for row in rows},
                         {"down", "up", "smaller", "larger", "step"})

    def test_pieces_cover_the_range(self):
        _, answer = document(*self.tiny, "--parameter", "levels.RowBuffer.read_bandwidth", "--range",
                             "1..64")
        pieces = answer["parameters"][0]["pieces"]
        self.assertEqual((exact(pieces[0]["from"]), exact(pieces[-1]["to"])), (1, 64))
        for left, right in zip(pieces, pieces[1:]):
            self.assertEqual((left["to"], left["value_to"]), (right["from"], right["value_from"]))
            self.assertGreaterEqual(exact(left["value_from"]), exact(left["value_to"]))

    def test_limits_and_refusals(self):
        code, answer = document(*LAYER, "--node-limit", "1")
        self.assertEqual((code, answer["status"], answer["parameters"]), (3, "partial", []))
        self.assertEqual(run(*LAYER, "--set", "levels.PELocalBuffer.entries=0").returncode, 4)
        for words, message in ((["--parameter", "levels.GlobalBufer.entries"], "did you mean"),
                               (["--range", "1..2"], "--parameter"),
                               (["--parameter", "pe_array.dim_h", "--range", "3"], "--range"),
                               (["--parameter", "pe_array.dim_h", "--range", "3..2"], "--range"),
                               (["--parameter", "pe_array.dim_h", "--range", "1.5..2"], "dim_h"),
                               (["--reach", "1"], "--reach")):
            with self.subTest(words=words):
                done = run(*LAYER, *words)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
