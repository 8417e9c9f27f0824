"""The Python module: the same answers as the command line, exact values, errors, interruption.

The module and the program are linked from the same code, so what can differ is what lies between: options,
texts in place of files, and what the dataclasses make of the documents. Every document is compared with the
one that the program writes for the same question.
"""

import dataclasses
import inspect
import itertools
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from fractions import Fraction

import pimbb
from pimbb import _core

PIMBB, CHECKER, SOURCE = sys.argv[1:4]

DRAM = ("simple_pim", "default_pim", "hbm_pim", "gddr6_aim", "upmem")
CIM = ("miredo_default", "miredo_table4", "miredo_transformer")
CROSSBAR = ("pimcomp", "isaac")
TWO_LAYERS = """
name: two
layers:
  - {name: a, R: 1, S: 1, P: 1, Q: 1, C: 64, K: 48, N: 1, repetitions: 2}
  - {name: b, R: 3, S: 3, P: 8, Q: 8, C: 16, K: 32, N: 1}
"""
DEVICES = ("hbm_pim_stack", "gddr6_aim_sdk_chip")
LAYERS = ("resnet18:conv3_down", "resnet18:fc", "mobilenet_v1:dw1", "bert_base:qkv")
TIMELESS = {"timeless": True, "threads": 2}
#: Minutes of search for the fewest activations.
HARD = pimbb.Layer(name="hard", R=5, S=5, P=240, Q=240, C=720, K=720, N=16)


def program(*words):
    """The JSON document of a command."""
    done = subprocess.run([PIMBB, *words, "--json", "-"], capture_output=True, text=True)
    if done.returncode not in (0, 3, 4):
        raise AssertionError(f"{words}: exit code {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def comparable(document):
    """Without what the answer does not depend on."""
    if isinstance(document, dict):
        return {key: comparable(item) for key, item in document.items() if key not in ("command", "warnings")}
    return [comparable(item) for item in document] if isinstance(document, list) else document


class SameAnswers(unittest.TestCase):
    maxDiff = 4000

    def assert_same(self, result, *words):
        self.assertEqual(comparable(result.to_dict()), comparable(program(*words, "--timeless")), words)
        return result

    def test_layers_by_name(self):
        objectives = itertools.cycle(("latency", "latency,energy", "edp"))
        for (machine, layer), objective in zip(itertools.product(DRAM + CIM, LAYERS), objectives):
            with self.subTest(machine=machine, layer=layer, objective=objective):
                result = pimbb.solve(machine, layer, objective=objective, **TIMELESS)
                self.assert_same(result, "map", "--arch", machine, "--layer", layer, "--objective", objective)

    def test_layers_as_objects(self):
        for machine in DRAM + CIM:
            architecture = pimbb.Architecture.load(machine)
            for name in LAYERS:
                layer = pimbb.Layer.load(name)
                result = pimbb.solve(architecture, layer, objective=["energy", "latency"], **TIMELESS)
                self.assert_same(result, "map", "--arch", machine, "--layer", name, "--objective", "energy,latency")

    def test_options(self):
        common = ("map", "--layer", "resnet18:conv3_down")
        cases = (
            ({"at_most": {"latency": 200000, "activations": Fraction(9001, 2)}, "objective": "energy"},
             ("--at-most", "latency=2e5", "--at-most", "activations=4500.5", "--objective", "energy")),
            ({"objective": "blended", "alpha": 0.1, "beta": Fraction(1, 3)},
             ("--objective", "blended", "--alpha", "0.1", "--beta", "1/3")),
            ({"changes": {"pe_array.dim_h": 16, "levels.GlobalBuffer.entries": 256}},
             ("--set", "pe_array.dim_h=16", "--set", "levels.GlobalBuffer.entries=256")),
            ({"pad": {"P": 2, "K": "12.5%"}}, ("--pad", "P=2,K=12.5%")),
            ({"pad": "12.5%"}, ("--pad", "12.5%")),
            ({"method": "ws", "row_model": "analytic"}, ("--method", "ws", "--row-model", "analytic")),
            ({"method": "random", "seed": 7, "samples": 20}, ("--method", "random", "--seed", "7", "--samples", "20")),
            ({"node_limit": 3, "objective": "edp"}, ("--node-limit", "3", "--objective", "edp")),
        )
        for options, words in cases:
            with self.subTest(options=options):
                result = pimbb.solve("simple_pim", "resnet18:conv3_down", **options, **TIMELESS)
                self.assert_same(result, *common, *words)

    def test_constraints(self):
        constraints = {"constraints": {"spatial": {"H": {"K": 8}}}}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "constraints.json")
            path.write_text(json.dumps(constraints))
            result = pimbb.solve("simple_pim", "resnet18:fc", constraints=constraints, **TIMELESS)
            self.assert_same(result, "map", "--layer", "resnet18:fc", "--constraints", str(path))
            self.assertEqual(result.mapping.spatial["H"], {"K": 8})

    def test_devices(self):
        for name in DEVICES:
            device = pimbb.Device.load(name)
            for moves in (None, ("input", "weight", "output")):
                words = ("--moves", ",".join(moves)) if moves else ()
                result = pimbb.solve(device, pimbb.Layer.load("resnet18:fc"), moves=moves, **TIMELESS)
                self.assert_same(result, "map", "--device", name, "--layer", "resnet18:fc", *words)
        result = pimbb.solve_network(device, "alexnet", objective="energy", **TIMELESS)
        self.assert_same(result, "network", "--device", name, "--network", "alexnet", "--objective", "energy")

    def test_networks(self):
        network = pimbb.Network.load("alexnet")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        two = os.path.join(folder.name, "two.yaml")
        pathlib.Path(two).write_text(TWO_LAYERS)
        for machine, name, objective in (
                ("simple_pim", "alexnet", "latency"), ("simple_pim", "alexnet", "edp"),
                ("miredo_default", "alexnet", "latency"), ("miredo_default", two, "edp")):
            result = pimbb.solve_network(pimbb.Architecture.load(machine), pimbb.Network.load(name),
                                         objective=objective, **TIMELESS)
            self.assert_same(result, "network", "--arch", machine, "--network", name, "--objective", objective)
        result = pimbb.solve_network("simple_pim", network, agree_layouts=True, **TIMELESS)
        self.assert_same(result, "network", "--network", "alexnet", "--agree-layouts")
        self.assertEqual(result.goals[0].value, result.goals[0].bound)
        for machine in CROSSBAR:
            result = pimbb.solve_network(pimbb.Architecture.load(machine), network, node_limit=100, **TIMELESS)
            self.assert_same(result, "network", "--arch", machine, "--network", "alexnet", "--node-limit", "100")

    def test_onnx(self):
        model = os.path.join(SOURCE, "examples", "models", "attention.onnx")
        if not os.path.exists(model):
            self.fail(f"{model} is missing")
        network = pimbb.Network.load(model)
        self.assertIn("Softmax", {node.operator for node in network.nodes})
        result = pimbb.solve_network("simple_pim", network, **TIMELESS)
        self.assert_same(result, "network", "--network", model)
        layer = pimbb.Layer.load(f"{model}:{network.layers[0].layer.name}")
        self.assertEqual(layer, network.layers[0].layer)

    def test_given_mappings(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mapping.json")
            for machine, kind in (("hbm_pim", "arch"), ("miredo_default", "arch"), ("hbm_pim_stack", "device")):
                layer = "resnet18:conv3_down"
                best = pimbb.solve(machine, layer, objective="energy", **TIMELESS)
                pathlib.Path(path).write_text(best.to_json())
                where = ("--" + kind, machine, "--layer", layer, "--mapping", path)
                for mapping in (best, best.mapping, path):
                    cost = pimbb.evaluate(machine, layer, mapping)
                    self.assertEqual(cost.metrics, best.metrics)
                    self.assertEqual(cost.mapping, best.mapping)
                    audit = pimbb.audit(machine, layer, mapping, objective="latency", **TIMELESS)
                    self.assert_same(audit, "audit", *where, "--objective", "latency")
                    self.assertEqual(audit.given, pimbb.Evaluation(best.mapping, best.metrics))
                    self.assertTrue(audit.certified)
            best = pimbb.solve_network("pimcomp", "alexnet", method="puma", **TIMELESS)
            pathlib.Path(path).write_text(best.to_json())
            cost = pimbb.evaluate("pimcomp", None, best.mapping, network="alexnet")
            self.assertEqual(cost.metrics, best.metrics)
            audit = pimbb.audit("pimcomp", None, best, network="alexnet", node_limit=50, **TIMELESS)
            self.assert_same(audit, "audit", "--arch", "pimcomp", "--network", "alexnet", "--mapping", path,
                             "--node-limit", "50")

    def test_answers(self):
        layer = ("--layer", "resnet18:conv3_down")
        front = pimbb.pareto("simple_pim", "resnet18:conv3_down", axes=("latency", "energy"), **TIMELESS)
        self.assert_same(front, "pareto", *layer)
        self.assertGreater(len(front.points), 1)
        totals = pimbb.pareto("simple_pim", network="alexnet", within=0.01, **TIMELESS)
        self.assert_same(totals, "pareto", "--network", "alexnet", "--within", "1%")
        sram = pimbb.pareto("miredo_default", "resnet18:fc", **TIMELESS)
        self.assert_same(sram, "pareto", "--arch", "miredo_default", "--layer", "resnet18:fc")
        self.assertIsInstance(sram.points[0].mapping, pimbb.CimMapping)
        bars = pimbb.pareto("pimcomp", network="alexnet", axes=("ht", "ll"), node_limit=1000, **TIMELESS)
        self.assert_same(bars, "pareto", "--arch", "pimcomp", "--network", "alexnet", "--axes", "ht,ll", "--node-limit",
                         "1000")
        self.assertIsInstance(bars.points[0].mapping, pimbb.CrossbarMapping)
        top = pimbb.top("simple_pim", "resnet18:conv3_down", k=5, objective="edp", **TIMELESS)
        self.assert_same(top, "top", *layer, "--k", "5", "--objective", "edp")
        why = pimbb.explain("simple_pim", "resnet18:fc", at_most={"latency": 40000}, **TIMELESS)
        self.assert_same(why, "explain", "--layer", "resnet18:fc", "--at-most", "latency=4e4")
        self.assertEqual(why.repairs[0].change.value, 46000)
        sram = pimbb.top("miredo_default", "resnet18:fc", k=3, objective="edp", **TIMELESS)
        self.assert_same(sram, "top", "--arch", "miredo_default", "--layer", "resnet18:fc", "--k", "3", "--objective",
                         "edp")
        self.assertIsInstance(sram.classes[0].mapping, pimbb.CimMapping)
        bars = pimbb.top("pimcomp", "alexnet", k=3, node_limit=2000, **TIMELESS)
        self.assert_same(bars, "top", "--arch", "pimcomp", "--layer", "alexnet", "--k", "3", "--node-limit", "2000")
        self.assertIsInstance(bars.classes[0].mapping, pimbb.CrossbarMapping)
        why = pimbb.explain("miredo_default", "resnet18:fc", at_most={"latency": 2500}, **TIMELESS)
        self.assert_same(why, "explain", "--arch", "miredo_default", "--layer", "resnet18:fc", "--at-most",
                         "latency=2500")
        self.assertTrue(why.minimal)
        what = pimbb.sensitivity("simple_pim", "resnet18:fc", objective="energy",
                                 parameters=["pe_array.mac_energy", "pe_array.dim_h"], **TIMELESS)
        self.assert_same(what, "sensitivity", "--layer", "resnet18:fc", "--objective", "energy", "--parameter",
                         "pe_array.mac_energy", "--parameter", "pe_array.dim_h")
        macro = pimbb.sensitivity("miredo_default", "resnet18:fc", objective="energy",
                                  parameters=["leakage"], **TIMELESS)
        self.assert_same(macro, "sensitivity", "--arch", "miredo_default", "--layer", "resnet18:fc", "--objective",
                         "energy", "--parameter", "leakage")
        self.assertGreater(len(macro.mappings), 2)
        chip = pimbb.explain("pimcomp", pimbb.Network.load("vgg16"), changes={"cores": 16}, **TIMELESS)
        self.assert_same(chip, "explain", "--arch", "pimcomp", "--network", "vgg16", "--set", "cores=16")
        self.assertEqual(chip.repairs[0].change.value, 529)
        steps = pimbb.sensitivity("pimcomp", "vgg16", objective="ll", parameters=["cores"], **TIMELESS)
        self.assert_same(steps, "sensitivity", "--arch", "pimcomp", "--layer", "vgg16", "--objective", "ll",
                         "--parameter", "cores")
        self.assertIsInstance(steps.mappings[0], pimbb.CrossbarMapping)

    def test_explorations(self):
        space = {"arch": "simple_pim", "networks": ["alexnet"], "objective": "edp", "cost": "pe_array.dim_h",
                 "vary": {"pe_array.dim_h": [4, 8], "levels.GlobalBuffer.entries": [64, 128]}}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "space.json")
            path.write_text(json.dumps({"explore": space}))
            expected = comparable(program("explore", str(path), "--timeless"))
        reports = []
        objects = space | {"arch": pimbb.Architecture.load("simple_pim"), "networks": [pimbb.Network.load("alexnet")]}
        for each in (space, objects):
            result = pimbb.explore(each, on_progress=reports.append, **TIMELESS)
            self.assertEqual(comparable(result.to_dict()), expected)
        self.assertEqual(max(report.done for report in reports), 4)
        self.assertIs(result.best, next(point for point in result.points if point.best))
        self.assertEqual(len(result.front), sum(point.on_front for point in result.points))


class PlainData(unittest.TestCase):
    def test_every_preset_reads_back(self):
        names = pimbb.presets()
        for kind in ("dram_pim", "cim", "crossbar"):
            for name in names[kind]:
                loaded = pimbb.Architecture.load(name)
                self.assertEqual(loaded.kind, kind)
                self.assertEqual(quiet(pimbb.Architecture.from_dict, loaded.to_dict()), loaded)
                self.assertEqual(pickle.loads(pickle.dumps(loaded)), loaded)
        for name in names["device"]:
            loaded = pimbb.Device.load(name)
            self.assertEqual(quiet(pimbb.Device.from_dict, loaded.to_dict()), loaded)
        for name in names["network"]:
            dims = {"kv": 64} if "decode" in name and name.startswith("llama3") else None
            loaded = pimbb.Network.load(name, dims=dims)
            again = pimbb.Network.from_dict(loaded.to_dict())
            self.assertEqual(again.layers, loaded.layers)
            for each in loaded.layers:
                self.assertEqual(pimbb.Layer.from_dict(each.layer.to_dict()), each.layer)

    def test_layers_keep_all_that_files_say(self):
        layer = pimbb.Layer(name="all", R=3, S=2, P=7, Q=5, C=4, K=6, N=2, G=3, stride=(2, 1), dilation=(1, 2),
                            input=(15, 8), weight=Fraction(1, 3), pad={"P": 2}, moves=("weight",))
        self.assertEqual(pimbb.Layer.from_dict(layer.to_dict()), layer)
        self.assertEqual(layer.macs, 3 * 2 * 7 * 5 * 4 * 6 * 2 * 3)

    def test_changes(self):
        wide = pimbb.Architecture.load("simple_pim").changed({"pe_array.dim_h": 16})
        self.assertEqual(wide.values["pe_array"]["dim_h"], 16)
        by_words = pimbb.solve("simple_pim", "resnet18:fc", changes={"pe_array.dim_h": 16})
        self.assertEqual(pimbb.solve(wide, "resnet18:fc").value, by_words.value)

    def test_mappings_read_back(self):
        for machine in ("simple_pim", "miredo_default", "hbm_pim_stack"):
            mapping = pimbb.solve(machine, "resnet18:fc").mapping
            self.assertEqual(type(mapping).from_dict(mapping.to_dict()), mapping)

    def test_variants_of_mappings(self):
        best = pimbb.solve("simple_pim", "resnet18:fc", objective="energy").mapping
        variant = dataclasses.replace(best, layout={**best.layout, "weight": "sequential"})
        cost = pimbb.evaluate("simple_pim", "resnet18:fc", variant)
        self.assertGreaterEqual(cost.metrics.energy, pimbb.evaluate("simple_pim", "resnet18:fc", best).metrics.energy)
        broken = dataclasses.replace(best, spatial={"H": {"K": 5}, "W": {}, "internal": {}})
        with self.assertRaisesRegex(pimbb.InputError, "<mapping>.*factorization"):
            pimbb.evaluate("simple_pim", "resnet18:fc", broken)

    def test_values_are_exact(self):
        result = pimbb.solve("default_pim", "resnet18:fc", objective=("energy", "latency"))
        stated = result.to_dict()["objective"]
        self.assertEqual(result.value, Fraction(stated["exact"]["value"]))
        self.assertEqual([goal.name for goal in result.goals], ["energy", "latency"])
        self.assertEqual(result.goals[1].bound, Fraction(stated["then"][0]["exact"]["bound"]))
        metrics = result.metrics
        self.assertEqual(metrics.energy, result.value)
        self.assertEqual(metrics.edp, metrics.energy * metrics.latency)
        self.assertEqual(metrics.activations, sum(metrics.terms["row_activations"].values()))
        parts = metrics.terms["energy_by_level"]
        total = sum(sum(part.values()) if isinstance(part, dict) else part for part in parts.values())
        self.assertEqual(total, metrics.energy)
        self.assertTrue(all(isinstance(value, Fraction) for value in parts["activations"].values()))

    def test_crossbar_terms(self):
        metrics = pimbb.solve_network("pimcomp", "alexnet", method="puma").metrics
        self.assertEqual(metrics.energy, metrics.terms["energy"]["static"] + metrics.terms["energy"]["dynamic"])
        self.assertIsInstance(metrics.terms["estimates"]["ll"], Fraction)

    def test_infeasible(self):
        result = pimbb.solve("simple_pim", "resnet18:fc", at_most={"latency": 1})
        self.assertEqual((result.status, result.mapping, result.value), ("infeasible", None, None))
        self.assertTrue(result.proven)

    def test_frames(self):
        front = pimbb.pareto("simple_pim", "resnet18:conv3_down")
        frame = front.frame()
        self.assertEqual(list(frame.columns), ["latency", "energy"])
        self.assertEqual(list(frame["latency"]), [float(point.costs["latency"]) for point in front.points])
        network = pimbb.solve_network("simple_pim", "alexnet").frame()
        self.assertEqual(network["layer"].nunique(), len(network))


def quiet(function, *arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pimbb.ArchitectureWarning)
        return function(*arguments)


class BadInput(unittest.TestCase):
    def assert_refused(self, pattern, function, *arguments, **options):
        with self.assertRaisesRegex(pimbb.InputError, pattern):
            function(*arguments, **options)

    def test_messages(self):
        self.assert_refused("simple_pimm.*did you mean 'simple_pim'", pimbb.Architecture.load, "simple_pimm")
        self.assert_refused("conv99", pimbb.Layer.load, "resnet18:conv99")
        self.assert_refused("<layer>:1:.*R: found 0", pimbb.Layer.from_dict, {"R": 0})
        self.assert_refused("<layer>.*P: found -1", pimbb.solve, "simple_pim", pimbb.Layer(P=-1))
        self.assert_refused("<architecture>.*pe_array", pimbb.Architecture.from_dict, {"name": "x"})
        self.assert_refused("objective: found 'foo'", pimbb.solve, "simple_pim", "resnet18:fc", objective="foo")
        self.assert_refused("did you mean '--row-model'", pimbb.solve, "simple_pim", "resnet18:fc", row_modell="none")
        self.assert_refused("--set", pimbb.Architecture.load, "simple_pim", {"pe_array.dim_x": 1})
        self.assert_refused("semantics.*kind", pimbb.solve, "simple_pim", "resnet18:fc", semantics="recursion")
        self.assertTrue(issubclass(pimbb.InputError, ValueError))

    def test_memory_limit(self):
        with self.assertRaises(pimbb.LimitError):
            pimbb.solve("simple_pim", "resnet18:conv2_x", memory_limit=1000)

    def test_arguments(self):
        with self.assertRaises(TypeError):
            pimbb.pareto("simple_pim")
        with self.assertRaises(TypeError):
            pimbb.pareto("simple_pim", "resnet18:fc", network="resnet18")
        with self.assertRaises(TypeError):
            pimbb.solve("simple_pim", "resnet18:fc", json="x.json")

    def test_warnings(self):
        values = pimbb.Architecture.load("simple_pim").to_dict()
        with self.assertWarnsRegex(pimbb.ArchitectureWarning, "enters no formula"):
            architecture = pimbb.Architecture.from_dict(values)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(pimbb.solve(architecture, "resnet18:fc").warnings, ())


class Running(unittest.TestCase):
    def test_progress(self):
        reports = []
        result = pimbb.solve("default_pim", HARD, objective="activations", time_limit=8, on_progress=reports.append)
        self.assertTrue(reports)
        self.assertEqual({report.goal for report in reports}, {"activations"})
        self.assertLessEqual(max(report.bound for report in reports), float(result.value) * (1 + 1e-9))
        self.assertEqual(result.status, "feasible")
        self.assertLess(result.bound, result.value)

    def test_exception_in_progress(self):
        begin = time.monotonic()

        def fail(report):
            raise KeyError(report.goal)

        with self.assertRaisesRegex(KeyError, "activations"):
            pimbb.solve("default_pim", HARD, objective="activations", time_limit=60, on_progress=fail)
        self.assertLess(time.monotonic() - begin, 40)

    def test_interrupt(self):
        program = (
            "import os, signal, sys, threading, pimbb\n"
            "layer = pimbb.Layer.from_dict(eval(sys.argv[1]))\n"
            "threading.Timer(2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
            "try:\n"
            "    pimbb.solve('default_pim', layer, objective='activations', time_limit=120)\n"
            "except pimbb.Interrupted as stopped:\n"
            "    print(stopped.result.status, stopped.result.bound <= stopped.result.value)\n"
        )
        done = subprocess.run([sys.executable, "-c", program, repr(HARD.to_dict())], capture_output=True, text=True,
                              timeout=100)
        self.assertEqual(done.stdout, "feasible True\n", done.stderr)

    def test_other_threads_run(self):
        counted, stop = [], threading.Event()

        def count():
            while not stop.wait(0.01):
                counted.append(1)

        thread = threading.Thread(target=count)
        thread.start()
        pimbb.solve("default_pim", HARD, objective="activations", time_limit=2)
        stop.set()
        thread.join()
        self.assertGreater(len(counted), 20)

    def test_concurrent_calls(self):
        layers = ("conv2_x", "conv3_x", "conv4_x", "conv5_x")
        expected = {name: pimbb.solve("simple_pim", f"resnet18:{name}").value for name in layers}
        found = {}

        def solve(name):
            found[name] = pimbb.solve("simple_pim", pimbb.Layer.load(f"resnet18:{name}")).value

        threads = [threading.Thread(target=solve, args=(name,)) for name in layers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, expected)

    def test_signals_are_pythons_own_again(self):
        pimbb.solve("simple_pim", "resnet18:fc")
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_proof(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "fc.proof")
            pimbb.solve(pimbb.Architecture.load("simple_pim"), pimbb.Layer.load("resnet18:fc"), proof=path)
            done = subprocess.run([CHECKER, path], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Surface(unittest.TestCase):
    def test_everything_is_documented(self):
        for name in pimbb.__all__:
            thing = getattr(pimbb, name)
            if inspect.isclass(thing) or inspect.isfunction(thing):
                self.assertTrue(inspect.getdoc(thing), name)

    def test_stub_of_the_extension(self):
        stub = pathlib.Path(pimbb.__file__).with_name("_core.pyi").read_text()
        for name in dir(_core):
            if not name.startswith("_"):
                self.assertRegex(stub, rf"\b{name}\b", name)

    def test_version(self):
        said = subprocess.run([PIMBB, "--version"], capture_output=True, text=True).stdout
        self.assertTrue(said.startswith(f"pimbb {pimbb.__version__}"), said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
