"""Good input: reports, JSON, exit codes 0 and 4, the same answer for every number of threads."""

import csv
import io
import json
import re
import shlex
import unittest
from fractions import Fraction

from workbench import Workbench, chosen, environment, not_in_slow_builds


def without_timing(document):
    """The document without the figures that may differ from run to run."""
    if isinstance(document, dict):
        return {k: without_timing(v) for k, v in document.items() if k not in ("seconds", "threads")}
    if isinstance(document, list):
        return [without_timing(item) for item in document]
    return document


class Map(Workbench):
    def test_report_reads_well(self):
        out, _ = self.map_tiny()
        for part in ("tiny  R3 P4 Q2 C4 K8  768 MACs", "on small: 2 x 2 scalar PEs", "Loop nest",
                     "Where the cycles go", "bound by", "Row activations", "Where the energy goes",
                     "Buffers", "PE array", "optimal, proven: latency ", "(gap 0)"):
            self.assertIn(part, out)
        self.assertNotIn("\x1b", out)
        self.assertTrue(out.isascii())

    def test_unicode_only_in_a_utf8_locale(self):
        self.assertIn("█", self.map_tiny(env=environment(LC_ALL="C.UTF-8"))[0])
        self.assertTrue(self.map_tiny(env=environment(LC_ALL="C", LANG="C.UTF-8"))[0].isascii())
        self.assertTrue(self.map_tiny("--ascii", env=environment(LANG="C.UTF-8"))[0].isascii())

    def test_json_has_the_documented_keys(self):
        out, _ = self.map_tiny("--json", "-", "--objective", "latency,energy")
        result = json.loads(out)
        self.assertEqual(result["format"], "pimbb-mapping/1")
        self.assertEqual(result["layer"], "tiny")
        self.assertEqual(result["status"], "optimal")
        objective = result["objective"]
        self.assertEqual((objective["name"], objective["row_model"]), ("latency", "trace"))
        self.assertEqual(objective["value"], objective["bound"])
        self.assertEqual(objective["gap"], 0)
        self.assertEqual([goal["name"] for goal in objective["then"]], ["energy"])
        self.assertLessEqual({"spatial", "temporal", "stores", "layout"}, set(result["mapping"]))
        metrics = result["metrics"]
        self.assertLessEqual(
            {"exact", "latency", "energy", "compute_cycles", "memory_cycles", "dram_cycles",
             "interconnect_cycles", "reads", "row_activations", "buffer_utilization",
             "bandwidth_utilization", "pe_utilization"}, set(metrics))
        self.assertEqual(metrics["latency"], objective["value"])
        self.assertEqual(float(Fraction(metrics["exact"]["energy"])), metrics["energy"])
        self.assertLessEqual({"nodes", "seconds", "threads"}, set(result["stats"]))

    def test_json_file_beside_the_report(self):
        out, _ = self.map_tiny("--json", "best.json")
        self.assertIn("optimal, proven", out)
        quiet, _ = self.map_tiny("--quiet", "--json", "quiet.json")
        self.assertEqual(quiet, "")
        self.assertEqual(without_timing(self.read_json("best.json")),
                         without_timing(self.read_json("quiet.json")))

    def test_every_goal_and_row_model_is_accepted(self):
        for goal in ("latency", "energy", "edp", "activations", "blended"):
            for model in ("analytic", "hybrid", "trace"):
                with self.subTest(goal=goal, model=model):
                    out, _ = self.map_tiny("--objective", goal, "--row-model", model)
                    self.assertIn(f"optimal, proven: {goal} ", out)
                    self.assertIn(f"({model} model)", out)

    def test_blended_weighs_exactly(self):
        out, _ = self.map_tiny("--objective", "blended", "--alpha", "1/3", "--beta", "0.1",
                               "--json", "-")
        result = json.loads(out)
        exact = result["metrics"]["exact"]
        value = Fraction(1, 3) * Fraction(exact["latency"]) + Fraction(exact["energy"]) / 10
        self.assertEqual(Fraction(result["objective"]["exact"]["value"]), value)
        out, _ = self.map_tiny("--objective", "latency,blended", "--alpha", "1/3", "--beta", "0.1")
        self.assertIn("minimise latency, then blended (1/3 * latency + 1/10 * energy)", out)

    def test_the_answer_does_not_depend_on_threads(self):
        for arguments in (("--objective", "edp"), ("--objective", "latency,energy"),
                          ("--objective", "energy", "--row-model", "trace")):
            one, two = (json.loads(self.map_tiny(*arguments, "--json", "-", "--threads", n)[0])
                        for n in ("1", "2"))
            self.assertEqual((one["stats"]["threads"], two["stats"]["threads"]), (1, 2))
            self.assertEqual(without_timing(one), without_timing(two))

    def test_the_answer_does_not_depend_on_bounds(self):
        with open(f"{self.dir}/arch.yaml", encoding="utf-8") as file:
            free = file.read().replace("true]}", "true], bypass_defined: false}", 2)  # PE and GB
        self.write("free.yaml", free)
        self.write("few.yaml", "{name: few, R: 1, S: 1, P: 2, Q: 1, C: 2, K: 2, N: 1}\n")
        found = {bounds: json.loads(self.run_pimbb(
            "map", "--arch", "free.yaml", "--layer", "few.yaml", "--objective", "energy",
            "--bounds", bounds, "--json", "-")[0]) for bounds in ("lattice,lp", "lattice", "lp", "none")}
        self.assertEqual(len({answer["objective"]["exact"]["value"] for answer in found.values()}), 1)
        nodes = {bounds: answer["stats"]["nodes"] for bounds, answer in found.items()}
        self.assertLess(nodes["lp"], nodes["none"])
        self.assertLess(nodes["lattice"], nodes["none"])

    def test_infeasible(self):
        arguments = ("map", "--arch", "too_small.yaml", "--layer", "layer.yaml")
        out, _ = self.run_pimbb(*arguments, expect=4)
        self.assertIn("infeasible, proven: ", out)
        result = json.loads(self.run_pimbb(*arguments, "--json", "-", expect=4)[0])
        self.assertEqual(result["status"], "infeasible")
        self.assertNotIn("mapping", result)
        self.assertIn("PE", result["reason"])


class Methods(Workbench):
    def solved(self, method, *arguments, expect=0):
        out, _ = self.map_tiny("--method", method, "--objective", "energy", *arguments, "--json",
                               "-", expect=expect)
        return json.loads(out)

    def test_a_dataflow_is_proven_within_itself(self):
        best = self.solved("exact")
        self.assertEqual(best["method"], "exact")
        for method in ("ws", "os", "is"):
            result = self.solved(method)
            self.assertEqual((result["method"], result["status"]), (method, "optimal"))
            self.assertEqual(result["objective"]["gap"], 0)
            self.assertGreaterEqual(result["objective"]["value"], best["objective"]["value"])
            out, _ = self.map_tiny("--method", method)
            self.assertIn(f"minimise latency within the dataflow {method};", out)
            self.assertIn(f"optimal within {method}, proven: latency ", out)

    def test_weight_stationary_loops(self):
        levels = self.solved("ws")["mapping"]["temporal"][1:]
        innermost = [level["loops"][-1][0] for level in levels if level["loops"]]
        self.assertIn(innermost[0], "PQN")

    @not_in_slow_builds
    def test_heuristics_claim_a_gap_only(self):
        best = self.solved("exact")["objective"]["value"]
        for method in ("greedy", "random"):
            result = self.solved(method, expect=3)
            self.assertEqual((result["method"], result["status"]), (method, "feasible"))
            objective = result["objective"]
            self.assertLessEqual(objective["bound"], best)
            self.assertGreaterEqual(objective["value"], best)
            out, _ = self.map_tiny("--method", method, expect=3)
            self.assertIn(f"by the heuristic {method}", out)
            self.assertIn(f"{method}, not proven: latency ", out)

    def test_random_repeats_by_seed(self):
        def drawn(*arguments):
            return without_timing(self.solved("random", "--samples", "3", *arguments, expect=3))

        one = drawn("--seed", "5")
        self.assertEqual((one["seed"], one["samples"]), (5, 3))
        self.assertEqual(one, drawn("--seed", "5", "--threads", "1"))
        self.assertNotEqual(one["mapping"], drawn("--seed", "6")["mapping"])

    def test_no_mapping_within_a_dataflow(self):
        out, _ = self.map_tiny("--method", "rs", expect=4)  # a PE of 4 bytes, rows of 3 weights
        self.assertIn("infeasible, proven: within the dataflow rs, PE has 4 bytes", out)
        self.run_pimbb("map", "--arch", "arch.yaml", "--layer", "network.yaml:a", "--method", "rs")

    def test_networks_take_methods(self):
        out, _ = self.run_pimbb("network", "--arch", "arch.yaml", "--network", "network.yaml",
                                "--method", "os", "--json", "-")
        result = json.loads(out)
        self.assertEqual((result["method"], result["status"]), ("os", "optimal"))
        self.assertEqual({layer["method"] for layer in result["layers"]}, {"os"})
        self.run_pimbb("network", "--arch", "arch.yaml", "--network", "network.yaml", "--method",
                       "greedy", expect=3)


class Dataflows(Workbench):
    def test_report_and_json_say_the_same(self):
        for method in ("ws", "os", "is"):
            out, _ = self.map_tiny("--method", method, "--json", "m.json")
            dataflow = self.read_json("m.json")["dataflow"]
            self.assertIn(method, dataflow["within"])
            self.assertIn(method, dataflow["name"].split("+"))
            self.assertEqual(set(dataflow["within"]) | set(dataflow["not_within"]),
                             {"ws", "os", "is", "rs"})
            self.assertIn("\nDataflow  " + dataflow["summary"] + "\n", out)
            for other, why in dataflow["not_within"].items():
                self.assertIn(f"not {other}: {why}", out)

    def test_spatial_figures_follow_the_mapping(self):
        self.map_tiny("--json", "m.json")
        result = self.read_json("m.json")
        irrelevant = {"input": "K", "weight": "PQN", "output": "RSC"}
        cycles = result["metrics"]["compute_cycles"]
        self.assertTrue(any(result["mapping"]["spatial"].values()))
        for direction, factors in result["mapping"]["spatial"].items():
            flow = result["dataflow"]["spatial"][direction]
            self.assertEqual(flow["unrolled"], factors)
            for tensor, dims in irrelevant.items():
                shared = 1
                for dim in dims:
                    shared *= factors.get(dim, 1)
                name = "reduction" if tensor == "output" else "multicast"
                self.assertEqual(flow[tensor][name], shared)
        for tensor, flow in result["dataflow"]["array"].items():
            source = flow.get("from") or flow["to"]
            reads = Fraction(result["metrics"]["exact"]["reads"][source][tensor])
            self.assertEqual(Fraction(flow["exact"]["bytes_per_cycle"]), reads / Fraction(cycles))

    def test_networks_have_them_too(self):
        problem = ("network", "--arch", "arch.yaml", "--network", "network.yaml")
        out, _ = self.run_pimbb(*problem, "--method", "os", "--json", "n.json", "--wide")
        self.assertRegex(out, r"bound by +dataflow +proof")
        for layer in self.read_json("n.json")["layers"]:
            self.assertIn("os", layer["dataflow"]["within"])
            self.assertRegex(out, rf"\n{layer['layer']} .* {re.escape(layer['dataflow']['name'])} +proven")


class Evaluate(Workbench):
    def evaluate(self, *arguments, **options):
        return self.run_pimbb("evaluate", "--arch", "arch.yaml", "--layer", "layer.yaml",
                              "--mapping", "best.json", *arguments, **options)

    def test_a_solved_mapping_costs_what_the_solver_said(self):
        for model in ("analytic", "hybrid", "trace"):
            self.map_tiny("--objective", "edp", "--row-model", model, "--json", "best.json")
            out, _ = self.evaluate("--row-model", model, "--json", "-")
            self.assertEqual(json.loads(out)["metrics"], self.read_json("best.json")["metrics"])

    def test_report(self):
        self.map_tiny("--json", "best.json")
        out, _ = self.evaluate()
        latency = self.read_json("best.json")["metrics"]["latency"]
        self.assertIn(f"latency {latency:,} cycles, energy ", out)
        self.assertNotIn("proven", out)

    def test_an_infeasible_mapping_names_the_rule(self):
        self.map_tiny("--json", "best.json")
        document = self.read_json("best.json")
        loops = next(l["loops"] for l in document["mapping"]["temporal"] if l["loops"])
        loops[0][1] *= 3
        self.write("best.json", json.dumps(document))
        out, err = self.evaluate("--json", "cost.json", expect=2)
        self.assertEqual(out, "")
        self.assertIn("best.json: the mapping breaks the rule 'factorization'", err)
        self.assertIn(f"factors of {loops[0][0]} are ", err)
        with self.assertRaises(FileNotFoundError):
            self.read_json("cost.json")


class Documents(Workbench):
    def test_a_result_stands_alone(self):
        self.map_tiny("--objective", "edp", "--json", "best.json", "--threads", "1")
        best = self.read_json("best.json")
        self.assertEqual(list(best)[:3], ["format", "version", "command"])
        self.assertRegex(best["version"], r"^pimbb \d")
        self.assertEqual(best["command"],
                         "pimbb map --arch arch.yaml --layer layer.yaml --objective edp")
        self.assertEqual(best["workload"]["R"], 3)
        self.assertEqual(best["architecture"]["memory_hierarchy"][0]["entries"], 4)
        out, _ = self.run_pimbb("evaluate", "--arch", "best.json", "--layer", "best.json",
                                "--mapping", "best.json", "--json", "-")
        self.assertEqual(json.loads(out)["metrics"], best["metrics"])

    def test_the_command_can_be_repeated(self):
        self.write("an arch.yaml", open(f"{self.dir}/arch.yaml", encoding="utf-8").read())
        options = ("--layer", "layer.yaml", "--arch", "an arch.yaml", "--objective", "edp")
        self.run_pimbb("map", *options, "--json", "a.json", "--timeless", "-q")
        command = self.read_json("a.json")["command"]
        self.assertEqual(command,
                         "pimbb map --arch 'an arch.yaml' --layer layer.yaml --objective edp")
        self.run_pimbb(*shlex.split(command)[1:], "--json", "b.json", "--timeless")
        self.assertEqual(self.read_json("a.json"), self.read_json("b.json"))

    def test_parts_of_cycles_and_energy(self):
        def leaves(part):
            if not isinstance(part, dict):
                return [Fraction(part)]
            return [leaf for value in part.values() for leaf in leaves(value)]

        for arch in ("simple_pim", "hbm_pim", "arch.yaml"):
            out, _ = self.run_pimbb("map", "--arch", arch, "--layer", "layer.yaml", "--json", "-")
            exact = json.loads(out)["metrics"]["exact"]
            self.assertEqual(sum(leaves(exact["energy_by_level"])), Fraction(exact["energy"]))
            self.assertEqual(max(leaves(exact["cycles_by_level"])), Fraction(exact["latency"]))

    def test_a_mapping_of_another_layer_is_called_that(self):
        self.map_tiny("--json", "best.json")
        for command in ("evaluate", "trace"):
            _, err = self.run_pimbb(command, "--layer", "resnet18:fc", "--mapping", "best.json",
                                    "--arch", "arch.yaml", expect=2)
            self.assertIn("best.json: the mapping was made for another layer, tiny "
                          "(R3 P4 Q2 C4 K8), not for fc (C512 K1000); it breaks the rule", err)
        # Without the layer in full, its name and the factors say as much.
        document = self.read_json("best.json")
        del document["workload"]
        self.write("best.json", json.dumps(document))
        _, err = self.run_pimbb("evaluate", "--layer", "resnet18:fc", "--mapping", "best.json",
                                "--arch", "arch.yaml", expect=2)
        self.assertIn("made for another layer, tiny (R3 P4 Q2 C4 K8), not for fc", err)

    def test_a_mapping_that_fits_another_layer_is_priced_and_called_that(self):
        self.map_tiny("--json", "best.json")
        self.write("layer.yaml", "{name: wide, R: 3, S: 1, P: 4, Q: 2, C: 4, K: 8, N: 1, "
                                 "dilation: [1, 2]}")
        out, _ = self.run_pimbb("evaluate", "--arch", "arch.yaml", "--layer", "layer.yaml",
                                "--mapping", "best.json")
        self.assertIn("made for another layer, tiny (R3 P4 Q2 C4 K8)", out)


class Tables(Workbench):
    """--csv: what the JSON says, row by row."""

    def table(self, *arguments, **options):
        out, _ = self.run_pimbb(*arguments, "--csv", "-", **options)
        return list(csv.DictReader(io.StringIO(out)))

    def test_network(self):
        self.write("network.yaml", """
layers:
  - {name: 'odd, "name"', R: 1, S: 1, P: 4, Q: 1, C: 4, K: 8, N: 1, repetitions: 2}
  - {name: b, R: 1, S: 1, P: 2, Q: 1, C: 4, K: 8, N: 1, weight: 0.5, stride: [2, 1]}
""")
        command = ("network", "--arch", "arch.yaml", "--network", "network.yaml", "--objective", "edp")
        rows = self.table(*command)
        layers = json.loads(self.run_pimbb(*command, "--json", "-")[0])["layers"]
        self.assertEqual([row["layer"] for row in rows], ['odd, "name"', "b"])
        for row, layer in zip(rows, layers):
            for key in ("latency", "energy", "pe_utilization"):
                self.assertEqual(float(row[key]), layer["metrics"][key])
            self.assertEqual(float(row["weight"]), layer["weight"])
            self.assertEqual(int(row["repetitions"]), layer["repetitions"])
            self.assertEqual((row["status"], row["row_model"]), ("optimal", "trace"))
            self.assertEqual([int(row[d]) for d in "RSPQCKN"],
                             [layer["workload"][d] for d in "RSPQCKN"])
        self.assertEqual(rows[1]["stride_w"], "2")
        self.assertNotIn("seconds", self.table(*command, "--timeless")[0])

    def test_layers_without_a_mapping_have_empty_cells(self):
        rows = self.table("network", "--arch", "too_small.yaml", "--network", "network.yaml",
                          expect=4)
        self.assertEqual([row["status"] for row in rows], ["infeasible"] * 2)
        self.assertEqual({row["latency"] for row in rows}, {""})

    @not_in_slow_builds
    def test_plans_have_a_row_for_each_node(self):
        rows = self.table("network", "alexnet", "--agree-layouts", "--objective", "energy")
        self.assertEqual(len(rows), 8)
        self.assertEqual({row["output_layout"] for row in rows} - {"sequential", "row_aligned"}, set())

    @not_in_slow_builds
    def test_plans_say_the_order_of_inputs(self):
        command = ("network", "alexnet", "--agree-layouts", "--objective", "energy",
                   "--set", "input_order=free")
        plan = json.loads(self.run_pimbb(*command, "--json", "-")[0])
        for tensor in plan["tensors"]:
            self.assertEqual(tensor.get("order", "none") in ("nchw", "nhwc"),
                             tensor["layout"] == "sequential")
        for row, layer in zip(self.table(*command), plan["layers"]):
            mapping = layer["result"]["mapping"]
            self.assertEqual(row["input_order"], mapping.get("input_order", ""))
            self.assertEqual(row["input_order"] == "", row["input_layout"] == "row_aligned")

    @not_in_slow_builds
    def test_bench(self):
        command = ("bench", "--arch", "simple_pim", "--network", "alexnet", "--objective", "edp")
        rows = self.table(*command)
        document = json.loads(self.run_pimbb(*command, "--json", "-")[0])
        self.assertEqual([row["exact"] for row in rows], [c["exact"] for c in document["cases"]])
        self.assertEqual(set(document["architectures"]), {"simple_pim"})
        self.assertEqual(set(document["workloads"]), {c["layer"] for c in document["cases"]})

    def test_bad_files(self):
        command = ("network", "--arch", "arch.yaml", "--network", "network.yaml")
        self.assertIn("--csv", self.run_pimbb(*command, "--csv", "no/where.csv", expect=2)[1])
        self.assertIn("--csv", self.run_pimbb(*command, "--csv", "-", "--json", "-", expect=2)[1])


class Network(Workbench):
    @not_in_slow_builds
    def test_totals_say_what_they_leave_out(self):
        out, _ = self.run_pimbb("network", "--arch", "arch.yaml", "--network", "network.yaml")
        self.assertIn("not in the total: what lies between the layers", out)
        self.run_pimbb("network", "resnet18", "--json", "n.json")
        left_out = self.read_json("n.json")["totals"]["left_out"]
        self.assertEqual((left_out["layers"], left_out["skipped"]), ([], {}))
        self.assertEqual(left_out["other_operators"],
                         {"Add": 8, "GlobalAveragePool": 1, "MaxPool": 1})
        out, _ = self.run_pimbb("network", "--arch", "too_small.yaml", "--network", "network.yaml",
                                "--json", "n.json", expect=4)
        self.assertIn("not in the total, as they have no mapping: a, b", out)
        self.assertEqual(self.read_json("n.json")["totals"]["left_out"]["layers"], ["a", "b"])

    def solve(self, *arguments, **options):
        return self.run_pimbb("network", "--arch", "arch.yaml", "--network", "network.yaml",
                              *arguments, **options)

    def test_equal_layers_are_solved_once_and_counted(self):
        result = json.loads(self.solve("--json", "-")[0])
        self.assertEqual(result["format"], "pimbb-network/1")
        self.assertEqual([(l["layer"], l["repetitions"]) for l in result["layers"]],
                         [("a", 3), ("b", 1)])
        for key in ("latency", "energy"):
            a, b = (Fraction(l["metrics"]["exact"][key]) for l in result["layers"])
            self.assertEqual(Fraction(result["totals"]["exact"][key]), 3 * a + b / 2)

    def test_table(self):
        out, _ = self.solve("--objective", "edp", "--wide")
        self.assertIn("three  4 layers, 2 distinct", out)
        self.assertIn("optimal, proven: edp 9,703 nJ*cycles (gap 0)", out)
        lines = out.splitlines()
        header = next(line for line in lines if line.startswith("layer "))
        row_a = next(line for line in lines if line.startswith("a "))
        row_b = next(line for line in lines if line.startswith("b "))
        for column in ("proof", "bound by"):
            at = header.index(column)
            self.assertEqual((row_a[at - 1], row_b[at - 1]), (" ", " "))
            self.assertNotIn(" ", (row_a[at], row_b[at]))
        self.assertEqual(row_a[header.index("proof"):].split()[0], "proven")

    def test_the_answer_does_not_depend_on_threads(self):
        one, two = (json.loads(self.solve("--json", "-", "--threads", n)[0]) for n in "12")
        self.assertEqual(without_timing(one), without_timing(two))

    def test_one_infeasible_layer(self):
        out, _ = self.run_pimbb("network", "--arch", "too_small.yaml", "--network", "network.yaml",
                                expect=4)
        self.assertIn("infeasible: 0 of 2 distinct layers proven optimal, 2 infeasible", out)
        self.assertIn("\n  a: ", out)


class Changes(Workbench):
    """--set: the same as a file with other values."""

    def test_as_in_a_file(self):
        changes = ("pe_array.dim_h=4", "levels.GB.entries=80", "levels.1.access_cost=0.5",
                   "dram_timings.tRP=7", "bits={output: 16}", "levels.PE.stores=[true, true, false]")
        text = open(f"{self.dir}/arch.yaml", encoding="utf-8").read()
        for old, new in (("dim_h: 2", "dim_h: 4"), ("entries: 64", "entries: 80"),
                         ("tRP: 14", "tRP: 7"),
                         ("access_cost: 0.01,\n     stores: [true, true, true]}\n  - {name: RB",
                          "access_cost: 0.5,\n     stores: [true, true, true]}\n  - {name: RB"),
                         ("0.001,\n     stores: [true, true, true]",
                          "0.001,\n     stores: [true, true, false]")):
            self.assertEqual(text.count(old), 1)
            text = text.replace(old, new)
        self.write("changed.yaml", text + "bits: {output: 16}\n")
        options = [word for change in changes for word in ("--set", change)]
        one = json.loads(self.map_tiny("--json", "-", "--objective", "energy", *options)[0])
        two = json.loads(self.run_pimbb("map", "--arch", "changed.yaml", "--layer", "layer.yaml",
                                        "--objective", "energy", "--json", "-")[0])
        self.assertEqual(one["metrics"], two["metrics"])
        self.assertEqual(one["architecture"].pop("name"), "small with " + ", ".join(changes))
        self.assertEqual(two["architecture"].pop("name"), "small")
        self.assertEqual(one["architecture"], two["architecture"])
        self.assertEqual(shlex.split(one["command"]).count("--set"), len(changes))

    def test_presets_and_other_commands(self):
        for command in (("map", "resnet18:fc", "--arch", "hbm_pim"), ("network", "alexnet"),
                        ("rowmodel", "--network", "network.yaml", "--samples", "5")):
            out, _ = self.run_pimbb(*command, "--set", "pe_array.dim_h=1")
            self.assertIn(" with pe_array.dim_h=1: 1 x ", out)
        out, _ = self.run_pimbb("map", "--set", "pe_array.dim_h=1", "resnet18:fc")
        self.assertTrue(out.startswith("fc "), out)  # no second value of --set
        self.run_pimbb("map", "--arch", "arch.yaml", "--layer", "layer.yaml", "--json", "best.json")
        out, _ = self.run_pimbb("evaluate", "--arch", "best.json", "--set", "name=mine", "--layer",
                                "layer.yaml", "--mapping", "best.json")
        self.assertIn("on mine: ", out)


class Widths(Workbench):
    """Tables fit the terminal, 80 columns without one; --wide shows everything."""

    def tables(self, text):
        """The lines of the network's table."""
        lines = [line.rstrip("\r") for line in text.splitlines()]
        begin = next(k for k, line in enumerate(lines) if "layer" in line and "cycles" in line)
        end = next(k for k, line in enumerate(lines) if line.startswith(("total", "12 tensors")))
        return lines[begin:end + 1]

    @not_in_slow_builds
    def test_80_columns(self):
        command = ("network", "resnet18", "--timeless")
        out, _ = self.run_pimbb(*command)
        for line in self.tables(out):
            self.assertLessEqual(len(line), 80)
        self.assertRegex(out, r"\n--wide also shows: shape, .*nodes\n")
        wide, _ = self.run_pimbb(*command, "--wide")
        self.assertRegex(wide, r"\nlayer +shape +times +cycles +energy nJ +rows +PEs used +bound by")
        self.assertNotIn("--wide", wide)
        # Nothing but the table differs.
        after = [text[text.index("optimal, proven"):] for text in (out, wide)]
        self.assertEqual(*after)

    @not_in_slow_builds
    def test_the_terminal_says_how_wide(self):
        command = ("network", "resnet18", "--method", "greedy", "--quiet")
        for columns, most, least in chosen(((0, 80, 60), (60, 60, 40), (100, 100, 80),
                                            (300, 300, 140))):
            out, _ = self.on_a_terminal(*command[:-1], columns=columns, NO_COLOR="1")
            widest = max(map(len, self.tables(out)))
            self.assertLessEqual(widest, most)
            self.assertGreater(widest, least)

    def test_every_report(self):
        self.run_pimbb("map", "resnet18:conv2_x", "--objective", "edp", "--json", "best.json")
        mapping = ("--layer", "resnet18:conv2_x", "--mapping", "best.json")
        self.write("corpus.txt", "simple_pim alexnet hybrid latency\n")
        for command in (("audit", *mapping), ("evaluate", *mapping), ("presets", "resnet18"),
                        ("presets", "hbm_pim"), ("bench", "--corpus", "corpus.txt"),
                        ("network", "chain.yaml", "--agree-layouts")):
            out, _ = self.run_pimbb(*command)
            for line in out.splitlines():
                if re.search(r"  \S+   +\S+   +\S", line):  # a row of a table
                    self.assertLessEqual(len(line), 80, line)


class Presets(Workbench):
    def test_lists_and_descriptions(self):
        out, _ = self.run_pimbb("presets")
        self.assertIn("simple_pim", out)
        self.assertIn("resnet18", out)
        self.assertIn("resnet18:conv2_x", self.run_pimbb("presets", "resnet18")[0])
        self.assertIn("8 x 8 scalar PEs", self.run_pimbb("presets", "simple_pim")[0])

    def test_files_of_presets(self):
        for preset, option, command in (("hbm_pim", "--arch", ("map", "resnet18:fc")),
                                        ("alexnet", "--network", ("network",))):
            text, _ = self.run_pimbb("presets", preset, "--yaml")
            self.write("mine.yaml", text)
            own = self.run_pimbb(*command, option, "mine.yaml", "--timeless")[0]
            self.assertEqual(own, self.run_pimbb(*command, option, preset, "--timeless")[0])


class ShortForms(Workbench):
    def test_arguments_stand_for_options(self):
        for command, option, value in (("map", "--layer", "resnet18:fc"), ("network", "--network", "alexnet")):
            short, _ = self.run_pimbb(command, value, "--timeless")
            self.assertEqual(short, self.run_pimbb(command, option, value, "--timeless")[0])

    def test_durations(self):
        for limit in ("600", "600s", "10m", "10min", "600000ms", "1h", "0.2h"):
            self.run_pimbb("map", "resnet18:fc", "--time-limit", limit)
        self.run_pimbb("map", "resnet18:conv2_x", "--time-limit", "0.001ms", expect=3)


class Help(Workbench):
    def test_help_everywhere(self):
        self.assertIn("map", self.run_pimbb("--help")[0])
        for command in ("map", "network", "evaluate", "presets"):
            out, _ = self.run_pimbb(command, "--help")
            self.assertIn("Example", out)
            self.assertIn("Exit codes", out)
            self.assertLessEqual(max(map(len, out.splitlines())), 100)

    def test_version(self):
        self.assertRegex(self.run_pimbb("--version")[0],
                         r"^pimbb \d+\.\d+\.\d+\n"
                         r"commit   ([0-9a-f]{7,40}(-dirty)?|unknown)\n"
                         r"compiler (gcc|clang) [0-9.]+\nfeatures .+\n$")


if __name__ == "__main__":
    unittest.main(argv=["test_answers"])
