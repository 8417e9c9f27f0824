"""The commands with architectures of kind cim: SRAM compute-in-memory."""

import csv
import hashlib
import io
import itertools
import json
import os
import signal
import subprocess
import time
import unittest
from fractions import Fraction

from workbench import CIM, Workbench, chosen, not_in_slow_builds

CHECK = os.environ["PIMBB_CHECK"]

class Cim(Workbench):
    def setUp(self):
        super().setUp()
        self.write("cim.yaml", CIM)

    def cim(self, command, *arguments, layer="layer.yaml", **options):
        return self.run_pimbb(command, "--arch", "cim.yaml", "--layer", layer, *arguments, **options)

    def answer(self, *arguments, **options):
        return json.loads(self.cim("map", *arguments, "--json", "-", **options)[0])


class Kinds(Cim):
    def test_the_architecture_chooses_the_command(self):
        out, _ = self.cim("map")
        self.assertIn("two_cores: 2 cores x 4 rows", out)
        self.assertRegex(out, r"\noptimal, proven: latency [\d,.]+ cycles \(gap 0\)\n")
        for heading in ("Loop nest", "Timeline", "Where the cycles go", "Where the energy goes",
                        "Buffers", "Parallelism"):
            self.assertIn("\n" + heading, out)
        out, _ = self.run_pimbb("map", "--layer", "layer.yaml", "--arch", "arch.yaml")
        self.assertIn("on small: ", out)

    def test_options_of_the_other_kind(self):
        for option, value in (("--row-model", "trace"), ("--constraints", "c.yaml"),
                              ("--bounds", "lattice")):
            _, err = self.cim("map", option, value, expect=2)
            self.assertIn(f"{option}: found with an architecture of kind cim, allowed with kind "
                          "dram_pim", err)
        _, err = self.map_tiny("--semantics", "table3", expect=2)
        self.assertIn("--semantics: found with an architecture of kind dram_pim, allowed with kind cim",
                      err)

    def test_commands_of_one_kind(self):
        for command in ("export", "rowmodel"):
            _, err = self.run_pimbb(command, "--arch", "cim.yaml", expect=2)
            self.assertIn("--arch: found an architecture of kind cim, allowed with this command is "
                          "dram_pim", err)

    def test_unknown_kinds_and_names(self):
        self.write("bad.yaml", CIM.replace("kind: cim", "kind: cmi"))
        _, err = self.run_pimbb("map", "--arch", "bad.yaml", "--layer", "layer.yaml", expect=2)
        self.assertIn("bad.yaml:3", err)
        self.assertIn("dram_pim, cim", err)
        _, err = self.run_pimbb("map", "--arch", "miredo_defalt", "resnet18:fc", expect=2)
        self.assertIn("did you mean 'miredo_default'?", err)

    def test_help_says_which_kind_an_option_belongs_to(self):
        out = " ".join(self.run_pimbb("map", "--help")[0].split())
        self.assertIn("(kind dram_pim)", out)
        self.assertIn("(kind cim)", out)

    def test_a_pipe_is_read_once(self):
        read, write = os.pipe()
        with os.fdopen(write, "w", encoding="utf-8") as pipe:
            pipe.write(CIM)
        process = self.start("map", "--arch", f"/dev/fd/{read}", "--layer", "layer.yaml", "--quiet",
                             pass_fds=(read,))
        os.close(read)
        self.assertEqual((*process.communicate(timeout=300), process.returncode), ("", "", 0))

    def test_presets(self):
        out, _ = self.run_pimbb("presets")
        self.assertIn("  miredo_default", out)
        out, _ = self.run_pimbb("presets", "miredo_default")
        self.assertIn("8 cores x 32 rows x 16 columns", out)
        text, _ = self.run_pimbb("presets", "miredo_default", "--yaml")
        self.assertIn("kind: cim", text)


class Map(Cim):
    def test_the_document_is_a_file_of_everything(self):
        best = self.answer("--objective", "edp")
        self.assertEqual((best["format"], best["status"]), ("pimbb-cim-mapping/1", "optimal"))
        for key in ("version", "command", "semantics", "contention", "pad", "space", "objective",
                    "mapping", "metrics", "stats", "workload", "architecture"):
            self.assertIn(key, best)
        self.write("best.json", json.dumps(best))
        again = json.loads(self.run_pimbb("map", "--arch", "best.json", "--layer", "best.json",
                                          "--objective", "edp", "--json", "-")[0])
        for key in ("objective", "mapping", "metrics", "architecture", "workload"):
            self.assertEqual(again[key], best[key])
        metrics = best["metrics"]["exact"]
        self.assertEqual(Fraction(metrics["latency"]) * Fraction(metrics["energy"]),
                         Fraction(best["objective"]["exact"]["value"]))

    @not_in_slow_builds
    def test_restrictions_are_compared_with_the_optimum(self):
        free = self.answer("--objective", "latency")
        for restriction in (("--method", "ws"), ("--factors", "prime"), ("--factors", "flex"),
                            ("--schemes", "full"), ("--double", "off"), ("--double", "on")):
            best = self.answer("--objective", "latency", *restriction)
            ratio = best["objective"]["value"] / free["objective"]["value"]
            self.assertGreaterEqual(ratio, 1)
            self.assertEqual(best["optimum"]["goals"][0]["exact"], free["objective"]["exact"])
            self.assertAlmostEqual(best["optimum"]["goals"][0]["ratio"], ratio)
            out, _ = self.cim("map", *restriction)
            self.assertRegex(out, r"\noptimal within this space, proven: latency .*\n"
                                  r"latency \d\.\d{4} times the optimum [\d,.]+ cycles\n")

    def test_greedy(self):
        best = self.answer("--method", "greedy", "--objective", "energy", expect=3)
        self.assertEqual(best["status"], "feasible")
        self.assertGreaterEqual(best["optimum"]["goals"][0]["ratio"], 1)
        self.assertLessEqual(best["objective"]["bound"],
                             best["optimum"]["goals"][0]["value"] * (1 + 1e-12))
        out, _ = self.cim("map", "--method", "greedy", expect=3)
        self.assertIn("\ngreedy, not proven: latency ", out)

    def test_semantics_contention_and_lists(self):
        values = {}
        for option in ((), ("--contention", "ports"), ("--contention", "bus"),
                       ("--semantics", "table3")):
            values[option] = self.answer(*option)["objective"]["value"]
        self.assertLessEqual(values[()], values[("--contention", "ports")])
        self.assertLessEqual(values[("--contention", "ports")], values[("--contention", "bus")])
        pair = self.answer("--objective", "latency,energy")["objective"]
        self.assertEqual(pair["value"], values[()])
        self.assertEqual(pair["then"][0]["name"], "energy")
        found = json.loads(self.cim("map", "--semantics", "simulator", "--json", "out.json",
                                    "--quiet", expect=self.simulated())[0] or "null")
        self.assertIsNone(found)

    def simulated(self):
        """The exit code of a simulated answer: proven only where it meets the bound."""
        process = self.start("map", "--arch", "cim.yaml", "--layer", "layer.yaml", "--semantics",
                             "simulator", "--quiet")
        process.communicate(timeout=300)
        self.assertIn(process.returncode, (0, 3))
        return process.returncode

    def test_limits_on_goals(self):
        best = {goal: self.answer("--objective", goal) for goal in ("latency", "energy")}
        exact = {goal: best[goal]["metrics"]["exact"] for goal in best}
        least = Fraction(exact["latency"]["latency"])
        self.assertLess(least, Fraction(exact["energy"]["latency"]))
        within = self.answer("--objective", "energy", "--at-most", f"latency={least}")
        self.assertEqual(within["status"], "optimal")
        self.assertEqual(Fraction(within["metrics"]["exact"]["latency"]), least)
        self.assertGreater(Fraction(within["metrics"]["exact"]["energy"]),
                           Fraction(exact["energy"]["energy"]))
        self.assertEqual(within["objective"]["at_most"][0]["name"], "latency")
        second = self.answer("--objective", "latency,energy")
        self.assertEqual(within["metrics"]["exact"], second["metrics"]["exact"])
        out, _ = self.cim("map", "--objective", "energy", "--at-most", f"latency={least - 1}",
                          "--proof", "none.proof", expect=4)
        self.assertIn(f"infeasible, proven: no mapping satisfies all constraints with latency at most "
                      f"{least - 1}", out)
        self.assertIn("minimise energy with latency at most", out)
        Proofs.check(self, "none.proof")
        for arguments, message in ((("--at-most", "latency"), "GOAL=X"),
                                   (("--at-most", "latency=1", "--at-most", "latency=2"),
                                    "one limit for each goal"),
                                   (("--at-most", "activations=1"), "latency, energy, edp, blended"),
                                   (("--at-most", "latency=9e9", "--method", "greedy"),
                                    "allowed are exact and ws")):
            _, err = self.cim("map", *arguments, expect=2)
            self.assertIn(message, err)

    def test_warnings_about_the_architecture(self):
        vain = CIM.replace("stores: [true, false, false]}", "stores: [true, false, false],\n"
                           "       always_charged: true}").replace(
                               "{name: IB, size_bits: 512, bandwidth: 32, read_energy: 0, write_energy: 0.001",
                               "{name: IB, size_bits: 512, bandwidth: 32, read_energy: 0.1, write_energy: 0")
        self.assertNotEqual(vain, CIM)
        self.write("vain.yaml", vain)
        expected = ["vain.yaml:14:62: architecture.memory_hierarchy[1].read_energy: enters no formula at "
                    "the innermost level of every tensor that is stored",
                    "vain.yaml:16:24: architecture.memory_hierarchy[1].always_charged: enters no formula "
                    "where write_energy is 0"]
        command = ("map", "--arch", "vain.yaml", "--layer", "layer.yaml", "--json", "best.json")
        process = self.start(*command)
        _, err = process.communicate(timeout=300)
        self.assertEqual(err.splitlines(), ["pimbb: warning: " + line for line in expected])
        self.assertEqual(self.read_json("best.json")["warnings"], expected)
        self.run_pimbb(*command, "--quiet")
        _, err = self.run_pimbb(*command, "--strict", expect=2)
        self.assertEqual(err.splitlines(), ["pimbb: " + line for line in expected])
        _, err = self.run_pimbb("network", "--arch", "vain.yaml", "--network", "network.yaml", "--strict",
                                expect=2)
        self.assertIn("always_charged", err)
        self.run_pimbb("evaluate", "--arch", "best.json", "--layer", "layer.yaml", "--mapping",
                       "best.json", "--strict")

    def test_changes_of_the_architecture(self):
        out, _ = self.cim("map", "--set", "levels.GB.size_bits=16384")
        self.assertIn("on two_cores with levels.GB.size_bits=16384: ", out)
        for change, says in (("levels.GBB.size_bits=1", "did you mean 'GB'?"),
                             ("leakge=1", "did you mean 'leakage'?"), ("leakage", "KEY=VALUE")):
            _, err = self.cim("map", "--set", change, expect=2)
            self.assertIn(f"--set {change}: ", err)
            self.assertIn(says, err)

    def test_bad_input(self):
        for arguments, says in ((("--semantics", "table"), "did you mean 'table3'?"),
                                (("--factors", "primes"), "did you mean 'prime'?"),
                                (("--objective", "activations"), "latency, energy, edp, blended"),
                                (("--alpha", "2"), "--alpha: weighs the objective 'blended'"),
                                (("--threads", "x"), "integers 0 .. 1024"),
                                (("--json", "nowhere/x.json"), "nowhere")):
            with self.subTest(arguments):
                self.assertIn(says, self.cim("map", *arguments, expect=2)[1])
        self.write("bad.yaml", CIM.replace("bandwidth: 64", "bandwith: 64"))
        _, err = self.run_pimbb("map", "--arch", "bad.yaml", "--layer", "layer.yaml", expect=2)
        self.assertIn("bad.yaml:18", err)
        self.assertIn("did you mean 'bandwidth'?", err)

    def test_log(self):
        self.cim("map", "--log", "log.jsonl", "--timeless", "--quiet")
        with open(os.path.join(self.dir, "log.jsonl"), encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        self.assertEqual(lines[0]["event"], "start")
        self.assertEqual((lines[-1]["event"], lines[-1]["status"]), ("end", "optimal"))
        self.assertNotIn("reason", lines[-1])
        self.cim("map", "--at-most", "latency=1", "--log", "log.jsonl", "--quiet", expect=4)
        with open(os.path.join(self.dir, "log.jsonl"), encoding="utf-8") as file:
            last = json.loads(file.readlines()[-1])
        self.assertEqual(last["reason"],
                         "no mapping satisfies all constraints with latency at most 1")


class Report(Cim):
    """Of a mapping whose figures are counted by hand."""

    MAPPING = {"spatial": {"cores": {"Q": 2}, "rows": {"C": 4}},
               "loops": [["K", 4, "IB", "DRAM", "DRAM"], ["K", 2, "IB", "DRAM", "GB"],
                         ["P", 2, "IB", "DRAM", "Macro0"], ["P", 2, "IB", "GB", "Macro0"],
                         ["R", 3, "IB", "Macro", "Macro0"]],
               "double": {"GB": ["weight", "output"]}}

    def report(self, *arguments):
        self.write("hand.json", json.dumps(self.MAPPING))
        out, _ = self.cim("evaluate", "--mapping", "hand.json", *arguments)
        return [" ".join(line.split()) for line in out.splitlines()]

    def test_loop_nest(self):
        lines = self.report()
        begin = lines.index("for K in 4: IB DRAM DRAM")
        self.assertEqual(lines[begin:begin + 8], [  # a level's name where it changes
            "for K in 4: IB DRAM DRAM", "for K in 2: | | GB *", "for P in 2: | | Macro0",
            "for P in 2: | GB * |", "for R in 3: | Macro |", "parallel for Q in 2 over cores:",
            "parallel for C in 4 over rows:", "output[n,k,q,p] += input[n,c,h,w] * weight[k,c,s,r]"])

    def test_buffers(self):
        lines = self.report()
        self.assertIn("on two_cores: 2 cores x 4 rows, Macro 16 B, IB 64 B, Macro0 64 B, GB 1 KiB, DRAM",
                      lines)
        # GB: R 3 x C 4 weights and P 4 x Q 2 x K 2 outputs of 8 bits, both twice: 448 of 8,192 bits
        self.assertIn("GB - 192 * 256 * 1 KiB 5.5 %", lines)
        # IB: 4 + 3 - 1 rows x C 4 inputs of 8 bits: 192 of 512 bits
        self.assertIn("IB 192 - - 64 B 37.5 %", lines)

    def test_how_latency_is_counted(self):
        task = "evaluating the mapping of hand.json; latency by the recursion"
        self.assertIn(task, self.report())
        self.assertIn(task + ", at least the occupancy of ports", self.report("--contention", "ports"))
        self.assertIn(task + ", at least the occupancy of the levels' bus",
                      self.report("--contention", "bus"))


class Given(Cim):
    def setUp(self):
        super().setUp()
        self.best = self.answer("--objective", "energy", "--double", "off")
        self.write("best.json", json.dumps(self.best))

    def test_evaluate(self):
        text, _ = self.cim("evaluate", "--mapping", "best.json", "--json", "-")
        again = json.loads(text)
        self.assertEqual(again["metrics"], self.best["metrics"])
        out, _ = self.cim("evaluate", "--mapping", "best.json", "--semantics", "simulator")
        self.assertIn("latency by the simulator", out)
        self.assertRegex(out, r"\nwithout contention: recursion [\d,.]+, table3 [\d,.]+, "
                              r"simulator [\d,.]+\n")

    def test_a_mapping_that_does_not_fit(self):
        _, err = self.cim("evaluate", "--mapping", "best.json", layer="resnet18:fc", expect=2)
        self.assertIn("was made for another layer, tiny (", err)
        self.assertIn("breaks the rule 'factorization'", err)
        _, err = self.cim("evaluate", expect=2)
        self.assertIn("--mapping: found none", err)

    def trace(self, *arguments):
        return self.cim("trace", "--mapping", "best.json", "--quiet", *arguments)[0]

    def test_timeline(self):
        events = [json.loads(line) for line in self.trace().splitlines()]
        products = [e for e in events if e["event"] == "product"]
        self.assertEqual(len(products), self.best["metrics"]["products"])
        end = max(Fraction(e["end"]) for e in events)
        self.assertEqual(float(end), self.best["metrics"]["latency"]["simulator"])
        for before, after in zip(products, products[1:]):
            self.assertLessEqual(before["end"], after["start"])
        fires = sum(t["fires"] * (2 if t["operand"] == "output" else 1)
                    for t in self.best["metrics"]["transfers"])
        self.assertEqual(sum(1 for e in events if "loop" in e), fires)
        rows = list(csv.DictReader(io.StringIO(self.trace("--format", "csv"))))
        self.assertEqual([row["event"] for row in rows], [e["event"] for e in events])
        self.assertEqual([Fraction(row["end"]) for row in rows], [Fraction(e["end"]) for e in events])
        self.assertEqual(len(self.trace("--limit", "3").splitlines()), 3)
        self.cim("trace", "--mapping", "best.json", "--output", "events.jsonl", "--json", "sum.json")
        summary = self.read_json("sum.json")
        self.assertEqual((summary["status"], summary["events"]), ("complete", len(events)))
        self.assertEqual(Fraction(summary["latency"]), end)
        _, err = self.cim("trace", "--mapping", "best.json", "--tensor", "input", expect=2)
        self.assertIn("--tensor: found with an architecture of kind cim", err)
        _, err = self.cim("trace", "--mapping", "best.json", "--format", "ramulator", expect=2)
        self.assertIn("jsonl, csv", err)

    def test_audit_with_a_proof(self):
        out, _ = self.cim("audit", "--mapping", "best.json", "--objective", "latency,energy", "--proof",
                          "best.proof")
        self.assertRegex(out, r"proof of [\d,]+ spatial schemes, [\d,]+ bytes; .*best.proof")
        best = self.answer("--objective", "latency,energy")
        accepted = Proofs.check(self, "best.proof")
        self.assertIn("latency " + best["objective"]["exact"]["value"], accepted)
        _, err = self.cim("audit", "--mapping", "best.json", "--proof", "x", "--json", "x", expect=2)
        self.assertIn("--proof: found 'x', which is also the file of --json", err)

    def test_audit(self):
        out, _ = self.cim("audit", "--mapping", "best.json", "--objective", "latency")
        self.assertRegex(out, r"\n(not )?optimal, proven: ")
        self.cim("map", "--objective", "latency", "--json", "fast.json", "--quiet")
        text, _ = self.cim("audit", "--mapping", "fast.json", "--objective", "latency", "--json", "-")
        audit = json.loads(text)
        self.assertEqual((audit["standing"], audit["certified"]), ("optimal", True))
        self.assertEqual(audit["goals"][0]["ratio"], 1)


class Networks(Cim):
    def network(self, *arguments, **options):
        return self.run_pimbb("network", "--arch", "cim.yaml", "--network", "network.yaml",
                              *arguments, **options)

    def test_totals(self):
        for objective in ("latency", "energy", "blended", "latency,energy", "edp", "energy,edp"):
            result = json.loads(self.network("--objective", objective, "--json", "-")[0])
            self.assertEqual(result["status"], "optimal", objective)
            latency = energy = 0
            for layer in result["layers"]:
                times = layer["repetitions"] * Fraction(layer["weight"])
                latency += times * Fraction(layer["metrics"]["exact"]["latency"])
                energy += times * Fraction(layer["metrics"]["exact"]["energy"])
            exact = result["totals"]["exact"]
            self.assertEqual((Fraction(exact["latency"]), Fraction(exact["energy"])), (latency, energy))
            self.assertEqual(Fraction(exact["edp"]), latency * energy)
            goal = result["totals"]["goals"][0]
            self.assertEqual(goal["exact"]["value"], goal["exact"]["bound"])

    @not_in_slow_builds
    def test_the_plane_of_the_input(self):
        """It makes a difference here; DRAM-PIM neither sees nor reports it."""
        conv = "R: 3, S: 3, P: 4, Q: 4, C: 4, K: 8, N: 1"
        self.write("planes.yaml", f"""
layers:
  - {{name: padded, {conv}, input: [4, 4]}}
  - {{name: whole, {conv}, input: [6, 6]}}
  - {{name: unknown, {conv}}}
""")
        self.write("plain.yaml", "layers:\n  - {name: padded, %s, repetitions: 3}\n" % conv)
        out, _ = self.run_pimbb("network", "--arch", "cim.yaml", "--network", "planes.yaml",
                                "--json", "-")
        padded, whole, unknown = json.loads(out)["layers"]
        self.assertEqual(padded["workload"]["input"], [4, 4])
        self.assertNotIn("input", unknown["workload"])
        energy = [self.answer("--objective", "energy", layer="planes.yaml:" + name)["objective"]["value"]
                  for name in ("padded", "whole", "unknown")]
        self.assertLess(energy[0], energy[1])
        self.assertEqual(energy[1], energy[2])
        self.assertIn(", input 4 x 4  4,608 MACs", self.cim("map", layer="planes.yaml:padded")[0])
        reports = [self.run_pimbb("network", "--arch", "arch.yaml", "--network", name, "--timeless",
                                  "--json", "-")[0] for name in ("planes.yaml", "plain.yaml")]
        self.assertNotIn('"input":[', reports[0].replace(" ", "").replace("\n", ""))
        first, second = (json.loads(report)["layers"] for report in reports)
        self.assertEqual(len(first), 1)
        self.assertEqual(first, second)
        for command in ("map", "export"):
            out = [self.run_pimbb(command, "--arch", "arch.yaml", "--layer", name,
                                  *(("--timeless", "--json", "-") if command == "map" else
                                    ("--row-model", "analytic", "--objective", "energy")))[0]
                   for name in ("planes.yaml:padded", "plain.yaml:padded")]
            self.assertEqual(out[0].replace("planes.yaml", "plain.yaml"), out[1])

    def test_edp_of_the_network(self):
        joint = json.loads(self.network("--objective", "edp", "--json", "-")[0])
        for objective in (("latency",), ("energy",), ("edp", "--per-layer")):
            other = json.loads(self.network("--objective", *objective, "--json", "-")[0])
            self.assertLessEqual(Fraction(joint["totals"]["exact"]["edp"]),
                                 Fraction(other["totals"]["exact"]["edp"]))

    def test_report_and_table(self):
        out, _ = self.network("--objective", "edp", "--csv", "net.csv", "--wide")
        self.assertRegex(out, r"\noptimal, proven: edp [\d,.]+ nJ\*cycles \(gap 0\)\n")
        with open(os.path.join(self.dir, "net.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["layer"] for row in rows], ["a", "b"])
        self.assertEqual(rows[0]["repetitions"], "3")
        out, _ = self.network("--objective", "edp", "--method", "ws")
        found = json.loads(self.network("--objective", "edp", "--method", "ws", "--json", "-")[0])
        ratio = found["totals"]["edp"] / found["optimum"]["totals"]["edp"]
        self.assertGreater(ratio, 1)
        self.assertIn(f"\nedp {ratio:.4f} times the optimum ", out)

    def test_documents_and_tables(self):
        document = json.loads(self.network("--json", "-", "--csv", "net.csv")[0])
        for count in ("schemes", "solved", "states", "labels", "candidates"):
            self.assertEqual(document["stats"][count],
                             sum(layer["stats"][count] for layer in document["layers"]))
        def header():
            with open(os.path.join(self.dir, "net.csv"), encoding="utf-8") as file:
                return file.readline().rstrip("\n").split(",")
        timed = header()
        self.assertEqual(timed[-1], "seconds")
        self.network("--csv", "net.csv", "--timeless")
        self.assertEqual(header(), timed[:-1])

    def test_the_goal_of_a_layer(self):
        for options, goal in (((), "blended"), (("--per-layer",), "edp")):
            found = json.loads(self.network("--objective", "edp", *options, "--json", "-")[0])
            self.assertEqual({layer["objective"]["name"] for layer in found["layers"]}, {goal})


class Limits(Cim):
    HARD = ("map", "--arch", "miredo_default", "--layer", "vgg16:conv1_1", "--objective", "edp")

    def has_gap(self, result):
        self.assertEqual(result["status"], "feasible")
        self.assertLess(result["objective"]["bound"], result["objective"]["value"])

    @not_in_slow_builds
    def test_node_limit_repeats(self):
        one, two = (json.loads(self.run_pimbb(*self.HARD, "--node-limit", "20000", "--threads", n,
                                              "--json", "-", "--timeless", expect=3)[0])
                    for n in ("1", "2"))
        self.assertEqual(one, two)
        self.has_gap(one)

    @not_in_slow_builds
    def test_every_limit_leaves_a_mapping(self):
        limits = (("--time-limit", "0.001"), ("--node-limit", "1"), ("--memory-limit", "1M"))
        for limit, goal in chosen(itertools.product(limits, ("edp", "latency,energy"))):
            self.has_gap(json.loads(self.run_pimbb(*self.HARD[:5], "--objective", goal, *limit,
                                                   "--json", "-", expect=3)[0]))
        out, _ = self.run_pimbb(*self.HARD, "--time-limit", "0.001", expect=3)
        self.assertRegex(out, r"\nlimit hit: edp [\d,.]+ nJ\*cycles, bound [\d,.]+ \(gap ")

    def test_interruption(self):
        process = self.start(*self.HARD, "--json", "best.json")
        self.assertIn("conv1_1", process.stdout.readline())
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual((process.returncode, err), (3, ""), out)
        self.assertIn("\ninterrupted: ", out)


class Proofs(Cim):
    def check(self, *arguments, expect=0):
        process = subprocess.run([CHECK, *arguments], cwd=self.dir, text=True, capture_output=True,
                                 timeout=300, check=False)
        self.assertEqual(process.returncode, expect, process.stdout + process.stderr)
        return process.stdout + process.stderr

    def test_accepted(self):
        for arguments in (("--objective", "edp"), ("--objective", "latency,energy"),
                          ("--method", "ws"), ("--semantics", "table3", "--factors", "prime")):
            out, _ = self.cim("map", *arguments, "--proof", "best.proof", "--json", "best.json")
            self.assertRegex(out, r"proof of [\d,]+ spatial schemes, [\d,]+ bytes; .*best.proof")
            accepted = self.check("best.proof")
            value = self.read_json("best.json")["objective"]["exact"]["value"]
            self.assertRegex(accepted, rf"^proof accepted: optimum = \w+ {value}\b")
            self.cim("map", *arguments, "--instance", "problem.json")
            self.check("best.proof", "--instance", "problem.json")

    def forge(self, name, change, *records):
        """A proof of a changed problem that claims that no mapping is feasible."""
        self.cim("map", "--instance", "problem.json")
        instance = self.read_json("problem.json")
        change(instance)
        text = json.dumps(instance, separators=(",", ":"))
        lines = ["pimbb-cim-proof/1", "sha256 " + hashlib.sha256(text.encode()).hexdigest(),
                 "instance " + text, "infeasible", *records]
        self.write(name, "\n".join(lines) + "\n")

    def test_limits_of_the_checker(self):
        """Short proofs about which the checker would need much memory or time."""
        def many_schemes(instance):  # spatial factors need not divide: 10^9 of them
            instance["workload"]["bounds"] = [1, 1, 1000, 1000, 1, 1000, 1, 1]
            instance["question"]["pad"] = "ceil"
            instance["architecture"]["spatial_axes"][0]["size"] = 1 << 40

        def many_cells(instance):  # 12^7 ways to consume the layer
            instance["workload"]["bounds"] = [60] * 7 + [1]

        def many_labels(instance):  # no bound closes any
            instance["workload"]["bounds"] = [3, 3, 24, 24, 12, 24, 1, 1]
            for level in instance["architecture"]["memory_hierarchy"]:
                level["size_bits"] = None

        for change, line in ((many_schemes, 3), (many_cells, 5), (many_labels, 5)):
            with self.subTest(change=change.__name__):
                self.forge("large.proof", change, "x")
                if os.environ["PIMBB_SANITIZE"] == "none":  # sanitizers reserve more than any limit
                    said = self.check("large.proof", "--memory-limit", "40M", expect=2)
                    self.assertEqual(said, f"pimbb-check: not checked: line {line}: it needs more "
                                           "memory than the limit\n")
                self.assertIn("not checked: the time limit is reached",
                              self.check("large.proof", "--time-limit", "0.001", expect=2))

    def test_another_problem(self):
        self.cim("map", "--proof", "best.proof")
        self.cim("map", "--instance", "problem.json", "--set", "leakage=0.02")
        self.check("best.proof", "--instance", "problem.json", expect=1)

    def test_refusals(self):
        _, err = self.cim("map", "--method", "greedy", "--proof", "best.proof", expect=2)
        self.assertIn("--proof: found --method greedy, allowed with a proof is exact or ws", err)
        _, err = self.cim("map", "--instance", "-", "--json", "x.json", expect=2)
        self.assertIn("--json: found with --instance", err)
        self.assertFalse(os.path.exists(f"{self.dir}/best.proof"))


if __name__ == "__main__":
    unittest.main(argv=["test_cim"])
