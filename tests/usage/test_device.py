"""--device: layers on whole devices, from files to documents and back."""

import json
import os
import subprocess
import unittest
from fractions import Fraction

from workbench import NETWORK, Workbench, not_in_slow_builds

CHECK = os.environ["PIMBB_CHECK"]

DEVICE = """
device:
  name: pair
  unit: arch.yaml
  capacity: 4096
  cycle: 0.5
  launch: 7
  levels:
    - {name: unit, count: 4, write_bandwidth: 4, read_bandwidth: 2, broadcast: true, energy: 0.25}
    - {name: channel, count: 2}
"""


FEED_FORWARD = """
layers:
  - {name: up, R: 1, S: 1, P: 2, Q: 1, C: 8, K: 16, N: 1}
  - {name: down, R: 1, S: 1, P: 2, Q: 1, C: 16, K: 8, N: 1}
graph:
  - {node: first, layer: up}
  - {node: gelu, op: Gelu}
  - {node: second, layer: down}
"""


class Device(Workbench):
    def setUp(self):
        super().setUp()
        self.write("device.yaml", DEVICE)

    def map_device(self, *arguments):
        out, _ = self.run_pimbb("map", "--device", "device.yaml", "--layer", "layer.yaml",
                                "--json", "-", "--timeless", *arguments)
        return json.loads(out)

    def test_a_layer_is_split_and_the_document_prices_to_itself(self):
        for goals in ("latency", "energy", "edp", "latency,energy"):
            result = self.map_device("--objective", goals)
            self.assertEqual((result["format"], result["device"], result["status"]),
                             ("pimbb-device/1", "pair", "optimal"))
            exact = {key: Fraction(value) for key, value in result["metrics"]["exact"].items()}
            self.assertEqual(exact["latency"], exact["launch_cycles"] + exact["in_cycles"] +
                             exact["run_cycles"] + exact["out_cycles"])
            self.assertEqual(exact["latency_ns"], exact["latency"] / 2)
            self.assertEqual(result["mapping"]["format"], "pimbb-mapping/1")
            self.assertEqual([at["level"] for at in result["split"]], ["unit", "channel"])
            self.write("best.json", json.dumps(result))
            out, _ = self.run_pimbb("evaluate", "--device", "device.yaml", "--layer", "layer.yaml",
                                    "--mapping", "best.json", "--json", "-")
            self.assertEqual(json.loads(out)["metrics"], result["metrics"])

    def test_audit(self):
        self.write("best.json", json.dumps(self.map_device("--objective", "energy")))
        audit = ("audit", "--device", "device.yaml", "--layer", "layer.yaml", "--mapping",
                 "best.json")
        out, _ = self.run_pimbb(*audit, "--objective", "energy")
        self.assertIn("optimal, proven: no mapping is better in energy", out)
        out, _ = self.run_pimbb(*audit, "--objective", "latency", "--json", "audit.json")
        self.assertIn("The given mapping", out)
        result = self.read_json("audit.json")
        best = self.map_device("--objective", "latency")
        self.assertEqual((result["format"], result["certified"]), ("pimbb-device-audit/1", True))
        self.assertEqual(Fraction(result["goals"][0]["exact"]["best"]),
                         Fraction(best["metrics"]["exact"]["latency"]))
        self.assertEqual(Fraction(result["goals"][0]["exact"]["value"]),
                         Fraction(result["given"]["metrics"]["exact"]["latency"]))
        self.assertEqual(result["standing"], "optimal" if result["goals"][0]["gap"] == 0
                         else "not_optimal")
        self.run_pimbb(*audit, "--objective", "latency", "--proof", "a.proof")
        self.assertIn("optimum = latency " + best["metrics"]["exact"]["latency"] + "\n",
                      self.check("a.proof"))

    def check(self, *arguments, expect=0):
        process = subprocess.run([CHECK, *arguments], cwd=self.dir, text=True, capture_output=True,
                                 timeout=300, check=False)
        self.assertEqual(process.returncode, expect, process.stdout + process.stderr)
        return process.stdout if expect < 2 else process.stderr

    def test_proof(self):
        problem = ("map", "--device", "device.yaml", "--layer", "layer.yaml")
        for arguments in (["--objective", "latency,energy"], ["--objective", "edp", "--pad", "1"],
                          ["--objective", "energy", "--at-most", "latency=1e6", "--set",
                           "phases=overlapped"], ["--moves", "input,weight,output"]):
            out, _ = self.run_pimbb(*problem, *arguments, "--proof", "a.proof", "--json", "a.json")
            self.assertRegex(out, r"proof of [\d,]+ leaves, [\d,]+ bytes; .*pimbb-check a.proof")
            self.run_pimbb(*problem, *arguments, "--instance", "a.instance")
            accepted = self.check("a.proof", "--instance", "a.instance")
            exact = self.read_json("a.json")["metrics"]["exact"]
            if "--moves" in arguments or "latency,energy" in arguments:
                self.assertIn("optimum = latency " + exact["latency"], accepted)
            self.assertRegex(accepted, 'device "pair.*": 2 "channel" x 4 "unit"; moves input')
            self.assertRegex(accepted, r"\d+ splits into \d+ slices: \d+ by their least cost, "
                             r"\d+ too large, \d+ by a tree\n\d+ leaves in these, 0 assumed\n")
        self.run_pimbb("map", "--device", "device.yaml", "--layer", "layer.yaml", "--instance",
                       "b.instance", "--objective", "energy")
        self.assertIn("another instance", self.check("a.proof", "--instance", "b.instance", expect=1))
        self.run_pimbb("map", "--device", "device.yaml", "--layer", "layer.yaml", "--objective",
                       "energy", "--proof", "trees.proof")
        with open(os.path.join(self.dir, "trees.proof"), encoding="utf-8") as file:
            text = file.read()
        self.write("short.proof", text[:text.rindex("slice ")] + "end\n")
        self.assertRegex(self.check("short.proof", expect=1), r"^refused: line \d+: 'slice [\d.]+' is wanted")

    def test_proof_of_infeasibility_and_limits(self):
        problem = ("map", "--device", "device.yaml", "--layer", "layer.yaml")
        self.run_pimbb(*problem, "--at-most", "latency=1", "--proof", "a.proof", expect=4)
        self.assertIn("optimum = none, infeasible", self.check("a.proof"))
        out, _ = self.run_pimbb(*problem, "--node-limit", "1", "--proof", "b.proof", expect=3)
        self.assertIn("no proof written to b.proof: the search did not end", out)

    def test_more_units_are_faster(self):
        latency = [self.map_device("--set", f"levels.channel.count={n}")["metrics"]["latency"]
                   for n in (1, 2, 4)]
        self.assertEqual(latency, sorted(latency, reverse=True))
        self.assertLess(latency[-1], latency[0])

    def test_moves(self):
        links = {}
        for moves in ("input,output", "input,weight,output", "none"):
            result = self.map_device("--moves", moves)
            self.assertEqual(result["moves"], [] if moves == "none" else moves.split(","))
            links[moves] = sum(at["bytes_in"] + at["bytes_out"] for at in result["metrics"]["links"])
        self.assertEqual(links["none"], 0)

    def test_report(self):
        out, _ = self.run_pimbb("map", "--device", "device.yaml", "--layer", "layer.yaml")
        for part in ("on pair: 2 channel x 4 unit x small", "Split", "Where the time of the device goes",
                     "One unit", "optimal, proven", "slices searched"):
            self.assertIn(part, out)

    def test_presets_are_listed(self):
        out, _ = self.run_pimbb("presets")
        self.assertIn("Devices (--device)", out)
        out, _ = self.run_pimbb("presets", "hbm_pim_stack", "--yaml")
        self.assertIn("pseudo_channel", out)

    def refused(self, *arguments, says):
        out, err = self.run_pimbb(*arguments, expect=2)
        self.assertEqual(out, "")
        for part in says:
            self.assertIn(part, err)

    def test_refused(self):
        problem = ("--device", "device.yaml", "--layer", "layer.yaml")
        self.refused("map", *problem, "--arch", "arch.yaml", says=["--device: found beside --arch"])
        self.refused("map", *problem, "--method", "greedy", says=["--method", "allowed is exact"])
        self.refused("map", *problem, "--instance", "-", "--proof", "a.proof", says=["--instance"])
        self.refused("map", *problem, "--proof", "a.json", "--json", "a.json", says=["--proof"])
        self.refused("map", *problem, "--moves", "inputs", says=["--moves", "did you mean 'input'?"])
        self.refused("map", *problem, "--at-most", "edp=1", says=["limit on edp"])
        self.refused("map", "--device", "hbm_pim_stak", "--layer", "layer.yaml",
                     says=["did you mean 'hbm_pim_stack'?"])
        self.write("device.yaml", DEVICE.replace("count: 4", "count: 0"))
        self.refused("map", *problem, says=["device.yaml:9:", "levels[0].count", "found 0"])

    def network(self, *arguments, expect=0):
        out, _ = self.run_pimbb("network", "--device", "device.yaml", "--network", "network.yaml",
                                "--timeless", *arguments, expect=expect)
        return out

    def test_a_network(self):
        for goals in ("latency", "energy", "edp", "latency,energy"):
            result = json.loads(self.network("--objective", goals, "--json", "-"))
            self.assertEqual((result["format"], result["device"], result["status"]),
                             ("pimbb-network/1", "pair", "optimal"))
            self.assertEqual([layer["layer"] for layer in result["layers"]], ["a", "b"])
            self.assertEqual([layer["repetitions"] for layer in result["layers"]], [3, 1])
            latency = 0
            for layer in result["layers"]:
                self.assertEqual(layer["format"], "pimbb-device/1")
                latency += (layer["repetitions"] * Fraction(layer["weight"]) *
                            Fraction(layer["metrics"]["exact"]["latency"]))
            totals = result["totals"]
            self.assertEqual(latency, Fraction(totals["exact"]["latency"]))
            self.assertEqual(totals["goals"][0]["exact"]["gap"], "0")
            bank = result["bank"]
            self.assertLessEqual(bank["weight_bytes"] + bank["io_bytes"], bank["capacity"])

    def test_layers_of_a_network_are_those_of_map(self):
        self.write("three.yaml", "{name: three, layers: [{name: l, R: 3, S: 1, P: 4, Q: 2, C: 4, K: 8,"
                   " N: 1}]}")
        out, _ = self.run_pimbb("network", "--device", "device.yaml", "--network", "three.yaml",
                                "--json", "-")
        one, _ = self.run_pimbb("map", "--device", "device.yaml", "--layer", "three.yaml:l", "--json",
                                "-")
        self.assertEqual(json.loads(out)["layers"][0]["metrics"], json.loads(one)["metrics"])

    def test_weights_that_do_not_fit(self):
        self.write("device.yaml", DEVICE.replace("capacity: 4096", "capacity: 28"))
        out = self.network(expect=4)
        self.assertIn("infeasible", out)
        self.assertIn("a unit's bank has 28 bytes", out)
        moved = json.loads(self.network("--moves", "auto", "--json", "-"))
        self.assertEqual((moved["status"], moved["moves"]), ("optimal", "auto"))
        self.assertIn(["input", "weight", "output"], [layer["moves"] for layer in moved["layers"]])
        out = self.network("--moves", "auto")
        names = [layer["layer"] for layer in moved["layers"] if "weight" in layer["moves"]]
        self.assertLess(len(names), len(moved["layers"]))
        self.assertIn(f"\nweights that move each time: {', '.join(names)}\n", out)
        self.write("auto.yaml", "moves: auto" + NETWORK)
        out, _ = self.run_pimbb("network", "--device", "device.yaml", "--network", "auto.yaml",
                                "--timeless", "--json", "-")
        self.assertEqual(json.loads(out)["layers"], moved["layers"])

    def test_network_tables(self):
        out = self.network("--wide")
        for part in ("on pair: 2 channel x 4 unit x small", "units", "in", "run", "out", "link bytes",
                     "moved", "each unit's bank", "optimal, proven"):
            self.assertIn(part, out)
        rows = self.network("--csv", "-").splitlines()
        self.assertEqual(len(rows), 3)
        self.assertEqual(len({row.count(",") for row in rows}), 1)
        for name in ("moves", "units", "in_cycles", "link_bytes"):
            self.assertIn(name, rows[0].split(","))

    @not_in_slow_builds
    def test_a_network_without_time(self):
        self.write("device.yaml", DEVICE.replace("capacity: 4096", "capacity: 5432"))
        for limit in (("--time-limit", "1e-9"), ("--node-limit", "1")):
            out, _ = self.run_pimbb("network", "--device", "device.yaml", "--network", "chain.yaml",
                                    "--objective", "edp", *limit, "--json", "-", expect=3)
            result = json.loads(out)
            self.assertEqual(result["status"], "feasible")
            self.assertGreaterEqual(result["totals"]["goals"][0]["value"],
                                    result["totals"]["goals"][0]["bound"])

    def test_tensors_that_stay(self):
        self.write("ffn.yaml", FEED_FORWARD)
        problem = ("network", "--device", "device.yaml", "--network", "ffn.yaml", "--timeless")
        for goals in ("latency", "energy", "edp", "energy,latency"):
            found = {}
            for stay in ((), ("--stay",)):
                out, _ = self.run_pimbb(*problem, "--objective", goals, *stay, "--json", "-")
                found[len(stay)] = json.loads(out)
            host, stays = found[0], found[1]
            self.assertNotIn("stay", host)
            self.assertEqual(stays["status"], "optimal")
            self.assertEqual(stays["stay"]["may_stay"], 1)
            self.assertLessEqual(stays["totals"]["goals"][0]["value"],
                                 host["totals"]["goals"][0]["value"])
            for tensor in stays["stay"]["tensors"]:
                self.assertEqual((tensor["writer"], tensor["reader"]), ("first", "second"))
                self.assertGreater(tensor["saved_bytes"], 0)
                self.assertEqual([layer["moves"] for layer in stays["layers"]],
                                 [["input"], ["output"]])
            for k, layer in enumerate(stays["layers"]):  # each prices to itself
                own = {key: value for key, value in layer.items()
                       if key not in ("repetitions", "weight")}
                self.write("layer.json", json.dumps(own))
                out, _ = self.run_pimbb("evaluate", "--device", "device.yaml", "--layer",
                                        f"ffn.yaml:{layer['layer']}", "--mapping", "layer.json",
                                        "--json", "-")
                self.assertEqual(json.loads(out)["metrics"], layer["metrics"], k)
        self.assertEqual(len(stays["stay"]["tensors"]), 1)
        out, _ = self.run_pimbb(*problem, "--stay")
        self.assertIn("tensors that may stay", out)
        self.refused("network", "--network", "ffn.yaml", "--stay", says=["--stay", "--device"])
        self.refused("network", "--device", "device.yaml", "--network", "network.yaml", "--stay",
                     says=["found no graph"])

    def test_networks_refused(self):
        problem = ("network", "--device", "device.yaml", "--network", "network.yaml")
        for option in ("--fix-bypass", "--fix-permutation", "--agree-layouts"):
            self.refused(*problem, option, says=[option, "--device"])
        self.refused(*problem, "--method", "greedy", says=["--method", "allowed is exact"])
        self.refused(*problem, "--arch", "arch.yaml", says=["--device: found beside --arch"])
        self.refused("map", "--device", "device.yaml", "--layer", "layer.yaml", "--moves", "auto",
                     says=["--moves", "auto"])

    def test_nothing_fits(self):
        self.write("device.yaml", DEVICE.replace("capacity: 4096", "capacity: 8"))
        out, _ = self.run_pimbb("map", "--device", "device.yaml", "--layer", "layer.yaml", expect=4)
        self.assertIn("infeasible", out)
        self.assertIn("DRAM", out)


if __name__ == "__main__":
    unittest.main(argv=["test_device"])
