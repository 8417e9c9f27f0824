"""Padded loop bounds: --pad and the key `pad`, what they give, and what refuses them."""

import fractions
import json
import os
import subprocess
import unittest

from workbench import Workbench

CHECK = os.environ["PIMBB_CHECK"]
PRIME = "{name: prime, R: 1, S: 1, P: 7, Q: 1, C: 3, K: 5, N: 1}\n"


class Padding(Workbench):
    def setUp(self):
        super().setUp()
        self.write("prime.yaml", PRIME)
        self.write("padded.yaml", PRIME.replace("N: 1", "N: 1, pad: {P: 1, K: 20%}"))

    def map_prime(self, *arguments, layer="prime.yaml", expect=0):
        return self.run_pimbb("map", "--arch", "arch.yaml", "--layer", layer, *arguments,
                              "--timeless", expect=expect)

    def check(self, expect=0):
        process = subprocess.run([CHECK, "a.proof", "--instance", "a.instance"], cwd=self.dir,
                                 text=True, capture_output=True, timeout=300, check=False)
        self.assertEqual(process.returncode, expect, process.stdout + process.stderr)
        return process.stdout

    def best(self, *arguments, layer="prime.yaml"):
        self.map_prime(*arguments, "--json", "best.json", layer=layer)
        return self.read_json("best.json")

    def test_map(self):
        plain = self.best()
        self.assertNotIn("padded", plain)
        out, _ = self.map_prime("--pad", "P=1,K=1", "--json", "best.json", "--proof", "a.proof")
        self.assertIn("bounds may grow to P8 K6", out)
        self.assertIn("padded: P 7 -> 8", out)
        self.assertIn("of 4 padded bounds searched", out)
        padded = self.read_json("best.json")
        self.assertEqual(padded["status"], "optimal")
        self.assertEqual(padded["padded"]["P"], 8)
        self.assertEqual(padded["workload"]["P"], 7)
        self.assertLess(padded["objective"]["value"], plain["objective"]["value"])
        self.assertEqual(padded["stats"]["bounds"], 4)
        # The same from the file, and the option instead of the file's.
        from_file = self.best(layer="padded.yaml")
        self.assertEqual(from_file["mapping"], padded["mapping"])
        self.assertEqual(self.best("--pad", "0", layer="padded.yaml")["mapping"],
                         plain["mapping"])
        self.map_prime("--pad", "P=1,K=1", "--instance", "a.instance")
        self.assertIn("bounds may grow to P 8 K 6", self.check())
        self.map_prime("--pad", "P=1", "--instance", "a.instance")
        self.assertIn("another instance", self.check(expect=1))

    def test_no_padding_is_the_same_to_the_byte(self):
        answers = []
        for pad in ((), ("--pad", "0"), ("--pad", "0.5%")):
            out, _ = self.map_prime(*pad, "--json", "a.json", "--proof", "a.proof")
            texts = [out]
            for name in ("a.json", "a.proof"):
                with open(os.path.join(self.dir, name), encoding="utf-8") as file:
                    texts.append(file.read().replace(" ".join(("", *pad)) + '"', '"') if pad
                                 else file.read())
            answers.append(texts)
        self.assertEqual(answers[0], answers[1])
        self.assertEqual(answers[0], answers[2])

    def test_a_hint_without_padding(self):
        self.write("net.yaml", "layers:\n- " + PRIME.replace("P: 7", "P: 197"))
        out, _ = self.run_pimbb("map", "--layer", "net.yaml:prime", "--json", "best.json")
        hint = self.read_json("best.json")["padding_hint"]
        grown = f"P 197 -> {hint['bounds']['P']} a mapping has latency {hint['value']:,}"
        self.assertIn(f"padding would help: with {grown} ", out)
        self.assertEqual(float(fractions.Fraction(hint["exact"]["value"])), hint["value"])
        self.run_pimbb("evaluate", "--layer", "net.yaml:prime", "--mapping", "best.json")
        out, _ = self.run_pimbb("network", "--network", "net.yaml")
        self.assertIn("padding would help 1 of 1 layers: prime (--pad finds the best)", out)
        out, _ = self.run_pimbb("map", "--layer", "net.yaml:prime", "--pad", "1%", "--json",
                                "padded.json")
        self.assertNotIn("would help", out)
        self.assertNotIn("padding_hint", self.read_json("padded.json"))

    def test_evaluate_audit_trace(self):
        padded = self.best("--pad", "P=1,K=1")
        given = ("--arch", "arch.yaml", "--layer", "prime.yaml", "--mapping", "best.json")
        out, _ = self.run_pimbb("evaluate", *given, "--json", "cost.json")
        self.assertIn("padded: P 7 -> 8", out)
        self.assertEqual(self.read_json("cost.json")["metrics"], padded["metrics"])
        self.assertEqual(self.read_json("cost.json")["padded"], padded["padded"])
        out, _ = self.run_pimbb("audit", *given, "--pad", "P=1,K=1")
        self.assertIn("padded: P 7 -> 8", out)
        self.run_pimbb("trace", *given, "--quiet")
        _, err = self.run_pimbb("audit", *given, expect=2)
        self.assertIn("factorization", err)
        padded["padded"]["P"] = 6
        self.write("best.json", json.dumps(padded))
        _, err = self.run_pimbb("evaluate", *given, expect=2)
        self.assertIn("padded.P: found 6, allowed are integers >= 7", err)

    def test_network(self):
        self.write("net.yaml", "pad: {P: 1, K: 1}\nlayers:\n- " + PRIME + "- " +
                   PRIME.replace("prime", "own").replace("N: 1", "N: 1, pad: 0"))
        problem = ("network", "--arch", "arch.yaml", "--network", "net.yaml")
        self.run_pimbb(*problem, "--json", "net.json")
        first, second = self.read_json("net.json")["layers"]
        self.assertEqual(first["padded"]["P"], 8)
        self.assertNotIn("padded", second)
        for option in ("--fix-bypass", "--fix-permutation"):
            _, err = self.run_pimbb(*problem, option, expect=2)
            self.assertIn("padding of layer 'prime'", err)
        self.run_pimbb(*problem, "--pad", "0", "--fix-bypass")

    def test_bad_input(self):
        for value, found in (("1.5", "'1.5'"), ("-1", "'-1'"), ("x%", "'x%'"), ("P=1,P=2", "twice"),
                             ("Z=1", "'Z'"), ("", "''")):
            _, err = self.map_prime("--pad", value, expect=2)
            self.assertIn("--pad: found ", err)
            self.assertIn(found, err)
        _, err = self.map_prime("--pad", "1e9", expect=2)
        self.assertIn("layer 'prime': pad: found more than", err)
        _, err = self.map_prime("--pad", "1", "--method", "greedy", expect=2)
        self.assertIn("pad", err)
        self.write("bad.yaml", PRIME.replace("N: 1", "N: 1, pad: {P: many}"))
        _, err = self.map_prime(layer="bad.yaml", expect=2)
        self.assertIn("bad.yaml:1", err)
        self.assertIn("pad.P: found \"many\"" if "\"many\"" in err else "pad.P: found many", err)
        _, err = self.run_pimbb("export", "--arch", "arch.yaml", "--layer", "padded.yaml",
                                "--objective", "latency", expect=2)
        self.assertIn("'pimbb export' cannot use", err)


if __name__ == "__main__":
    unittest.main(argv=["test_padding"])
