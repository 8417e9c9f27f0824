"""Proofs: written by pimbb map --proof, accepted or refused by pimbb-check."""

import hashlib
import json
import os
import re
import subprocess
import unittest

from workbench import Workbench, not_in_slow_builds

CHECK = os.environ["PIMBB_CHECK"]


class Proofs(Workbench):
    def check(self, *arguments, expect=0, text=None):
        process = subprocess.run([CHECK, *arguments], cwd=self.dir, input=text, text=True,
                                 capture_output=True, timeout=300, check=False)
        self.assertEqual(process.returncode, expect, process.stdout + process.stderr)
        return process.stdout if expect < 2 else process.stderr

    def proof(self, *arguments, **options):
        out, _ = self.map_tiny("--proof", "tiny.proof", *arguments, **options)
        return out

    def read(self):
        with open(os.path.join(self.dir, "tiny.proof"), encoding="utf-8") as file:
            return file.read()

    def test_accepted(self):
        for arguments in (["--objective", "latency,energy"], ["--objective", "edp"],
                          ["--row-model", "analytic", "--objective", "activations"],
                          ["--row-model", "trace", "--objective", "edp,activations"]):
            out = self.proof(*arguments, "--json", "best.json")
            self.assertRegex(out, r"proof of [\d,]+ leaves, [\d,]+ bytes; .*pimbb-check tiny.proof")
            value = next(iter(self.read_json("best.json")["metrics"]["exact"].values()))
            accepted = self.check("tiny.proof")
            self.assertRegex(accepted, r"^proof accepted: optimum = \w+ [\d/]+")
            if "latency,energy" in arguments:
                self.assertIn("optimum = latency " + value + ", energy ", accepted)
            self.assertRegex(accepted, r"\d+ leaves: \d+ by bound, .* 0 assumed\n")
            self.assertRegex(accepted, r"\d+ inner nodes, [\d.]+ bytes a leaf, [\d.]+ s\n$")
            self.assertEqual(self.check("-", text=self.read()).split(",")[0],
                             accepted.split(",")[0])

    @not_in_slow_builds
    def test_full_size_traces(self):
        # Orders in the tree, orders in the leaves (gddr6_aim), free bypass (hbm_pim).
        for architecture, layer, objective in (("simple_pim", "resnet18:conv2_x", "latency"),
                                               ("simple_pim", "resnet18:conv2_x", "edp"),
                                               ("default_pim", "resnet18:conv5_down", "edp"),
                                               ("gddr6_aim", "resnet18:conv5_down", "edp"),
                                               ("hbm_pim", "resnet18:fc", "latency")):
            self.run_pimbb("map", "--arch", architecture, "--layer", layer, "--row-model", "trace",
                           "--objective", objective, "--proof", "layer.proof")
            self.assertIn(f"optimum = {objective} ", self.check("layer.proof"))

    def test_depthwise(self):
        for model in ("analytic", "hybrid", "trace"):
            problem = ("--arch", "default_pim", "--layer", "mobilenet_v1:dw8",
                       "--row-model", model)
            self.run_pimbb("map", *problem, "--objective", "edp", "--proof", "layer.proof",
                           "--json", "best.json")
            self.assertIn("optimum = edp ", self.check("layer.proof"))
            out, _ = self.run_pimbb("evaluate", *problem, "--mapping", "best.json", "--json", "-")
            self.assertEqual(json.loads(out)["metrics"], self.read_json("best.json")["metrics"])

    def test_infeasible(self):
        self.run_pimbb("map", "--arch", "too_small.yaml", "--layer", "layer.yaml", "--proof",
                       "tiny.proof", expect=4)
        self.assertIn("optimum = none, infeasible", self.check("tiny.proof"))

    def test_refused(self):
        self.proof()
        lines = self.read().splitlines()
        leaf = next(k for k, line in enumerate(lines) if line.startswith("b "))
        self.write("short.proof", "\n".join(lines[:leaf] + lines[leaf + 1:]) + "\n")
        self.assertRegex(self.check("short.proof", expect=1), rf"^refused: line {leaf + 1}: ")
        self.write("empty.proof", "")
        self.assertRegex(self.check("empty.proof", expect=1), "^refused: line 1: ")

    def instance_of(self, lines):
        return next(k for k, line in enumerate(lines) if line.startswith("instance "))

    def test_only_the_normal_form_is_accepted(self):
        self.proof()
        lines = self.read().splitlines()
        instance, mapping = self.instance_of(lines), self.instance_of(lines) + 1
        self.assertTrue(lines[mapping].startswith("mapping "))
        kernel = json.loads(lines[instance][9:])["workload"]["bounds"]
        text = json.dumps(kernel, separators=(",", ":"))
        forgeries = (
            # A reader that takes the first of two keys would see another problem.
            (instance, '"bounds":' + text, '"bounds":[1,1,1,1,1,1,1],"bounds":' + text, "normal form"),
            (instance, '"workload":', '"workload": ', "normal form"),
            (instance, '"nchw"', '"\\u006echw"', "normal form"),
            (instance, '"row_bytes":', '"row_bytes":0', "not valid JSON"),
            (instance, '"nchw"', '"nchw","packing":"byte"', "unknown packing"),
            (instance, '"psum_rereads":', '"packing":"bit","psum_rereads":', "wrong keys"),
            (instance, '"alpha":"1","beta":"1"', '"beta":"1","alpha":"1"', "wrong keys"),
            (instance, '"alpha":"1"', '"alpha":"2/2"', "not in lowest terms"),
            (instance, '"alpha":"1"', '"alpha":"1/1"', "not in lowest terms"),
            (mapping, '{"spatial"', '{ "spatial"', "normal form"),
            (mapping, '{"spatial"', '{"notes":1,"spatial"', "wrong keys"),
            (mapping, '"layout":{', '"layout":{"output":"sequential",', "normal form"),
            (mapping, '"spatial":{', '"spatial":{"D":{},', "wrong keys"),
            (mapping, '"loops":', '"free":1,"loops":', "wrong keys"),
            (mapping, '"input"', '"input","input"', "a tensor twice"),
        )
        for k, old, new, says in forgeries:
            self.assertIn(old, lines[k])
            changed = lines[k].replace(old, new, 1)
            forged = lines[:k] + [changed] + lines[k + 1:]
            digest = hashlib.sha256(forged[instance][9:].encode()).hexdigest()
            forged[instance - 1] = "sha256 " + digest
            self.write("forged.proof", "\n".join(forged) + "\n")
            refusal = self.check("forged.proof", expect=1)
            self.assertTrue(refusal.startswith(f"refused: line {k + 1}: "), refusal)
            self.assertIn(says, refusal)

    def test_numbers_are_checked_while_they_are_read(self):
        self.proof()
        lines = self.read().splitlines()
        leaf = next(k for k, line in enumerate(lines) if line.startswith("b "))
        lines[leaf] = "b " + "9" * 60000 + lines[leaf][3:]
        self.write("long.proof", "\n".join(lines) + "\n")
        self.assertIn(f"refused: line {leaf + 1}: a number is too long",
                      self.check("long.proof", expect=1))

    def test_what_an_accepted_proof_is_about(self):
        self.proof("--objective", "edp", "--row-model", "hybrid")
        lines = self.read().splitlines()
        problem = json.loads(lines[self.instance_of(lines)][9:])
        bounds = " ".join(f"{d} {b}" for d, b in zip("RSPQCKN", problem["workload"]["bounds"]))
        name, arch = problem["workload"]["name"], problem["architecture"]["name"]
        out = self.check("tiny.proof").splitlines()[1]
        self.assertTrue(out.startswith(f'layer "{name}": {bounds}'), out)
        self.assertTrue(out.endswith(f'; architecture "{arch}"; row model hybrid'), out)

    def test_files_that_cannot_be_read(self):
        self.proof()
        os.mkdir(os.path.join(self.dir, "folder"))
        self.assertIn("cannot read 'folder'", self.check("folder", expect=2))
        self.assertIn("--instance: cannot read 'folder'",
                      self.check("tiny.proof", "--instance", "folder", expect=2))
        self.assertIn("--instance: cannot read 'none'",
                      self.check("tiny.proof", "--instance", "none", expect=2))

    def test_instance(self):
        self.proof()
        canonical = re.search("^instance (.*)$", self.read(), re.MULTILINE).group(1)
        self.write("tiny.instance", canonical + "\n")
        self.assertIn("accepted", self.check("tiny.proof", "--instance", "tiny.instance"))
        self.write("other.instance", canonical.replace('"psum_rereads":false', '"psum_rereads":true'))
        self.assertIn("another instance",
                      self.check("tiny.proof", "--instance", "other.instance", expect=1))

    def test_instance_without_a_proof(self):
        for question in (["--objective", "edp"], ["--row-model", "hybrid"],
                         ["--objective", "blended,energy", "--alpha", "0.5"],
                         ["--objective", "energy", "--at-most", "latency=1000000"]):
            self.proof(*question)
            out, _ = self.map_tiny("--instance", "asked.instance", *question)
            self.assertEqual(out, "")
            self.assertIn("accepted", self.check("tiny.proof", "--instance", "asked.instance"))
            printed, _ = self.map_tiny("--instance", "-", "--quiet", *question)
            self.assertEqual(f"instance {printed}", self.read().splitlines(True)[2])
            self.map_tiny("--instance", "other.instance", "--objective", "activations")
            self.assertIn("line 3: the proof is about another instance",
                          self.check("tiny.proof", "--instance", "other.instance", expect=1))

    def test_instance_instead_of_results(self):
        for results in ("--json", "--proof", "--log"):
            _, err = self.map_tiny("--instance", "a", results, "b", expect=2)
            self.assertIn(f"{results}: found with --instance", err)
        _, err = self.map_tiny("--instance", "a", "--method", "ws", expect=2)
        self.assertIn("--instance: found --method ws, allowed with an instance is exact", err)
        _, err = self.map_tiny("--instance", "no/where", expect=2)
        self.assertIn("no/where: the file cannot be written", err)

    def write_large(self):
        """A proof that begins like tiny.proof, of a layer with 60 in every dimension."""
        self.proof()
        lines = self.read().splitlines()
        instance = json.loads(lines[2].removeprefix("instance "))
        instance["workload"]["bounds"] = [60] * 7
        mapping = json.loads(lines[3].removeprefix("mapping "))
        mapping = {"spatial": {"H": {}, "W": {}, "internal": {}},
                   "temporal": mapping["temporal"], "stores": mapping["stores"],
                   "layout": dict.fromkeys(("input", "weight", "output"), "sequential")}
        for level in mapping["temporal"]:
            level["loops"] = []
        mapping["temporal"][-1]["loops"] = [[dim, 60] for dim in "RSPQCKN"]
        text = json.dumps(instance, separators=(",", ":"))
        lines[1] = "sha256 " + hashlib.sha256(text.encode()).hexdigest()
        lines[2] = "instance " + text
        lines[3] = "mapping " + json.dumps(mapping, separators=(",", ":"))
        self.write("large.proof", "\n".join(lines) + "\n")

    def test_limits_of_the_checker(self):
        self.write_large()
        if os.environ["PIMBB_SANITIZE"] == "none":  # sanitizers reserve more than any limit
            self.assertIn("not checked: line 4: it needs more memory than the limit",
                          self.check("large.proof", "--memory-limit", "100M", expect=2))
        self.assertIn("not checked: the time limit is reached",
                      self.check("large.proof", "--time-limit", "0.001", expect=2))
        self.assertIn("accepted", self.check("tiny.proof", "--memory-limit", "1G",
                                             "--time-limit", "600"))
        for bad in (["--time-limit", "0"], ["--memory-limit", "12X"]):
            self.assertIn("allowed are", self.check("tiny.proof", *bad, expect=2))
        self.assertIn("a value is required", self.check("tiny.proof", "--memory-limit", expect=2))

    def test_same_for_every_number_of_threads(self):
        self.proof("--threads", "1")
        one = self.read()
        self.proof("--threads", "2")
        self.assertEqual(self.read(), one)

    def test_nothing_proven(self):
        out = self.proof("--node-limit", "1", expect=3)
        self.assertIn("no proof written to tiny.proof", out)
        self.assertFalse(os.path.exists(os.path.join(self.dir, "tiny.proof")))

    def test_bad_usage(self):
        for arguments, says in ((["--proof", "-"], "found '-', allowed are files"),
                                (["--proof", "no/where"], "--proof: cannot write 'no/where'"),
                                (["--json", "tiny.proof"], "which is also the file of --json")):
            words = arguments if "--proof" in arguments else ["--proof", "tiny.proof", *arguments]
            _, err = self.map_tiny(*words, expect=2)
            self.assertIn(says, err)
        self.assertIn("a proof is required", self.check(expect=2))
        self.assertIn("cannot read 'none'", self.check("none", expect=2))
        self.assertIn("--instance", self.check("none", "--instance", expect=2))
        self.assertIn("Usage", self.check("--help"))


if __name__ == "__main__":
    unittest.main(argv=["test_proof"])
