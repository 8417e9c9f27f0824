"""--log and --timeless: what the lines say, and that two runs say the same."""

import json
import os
import unittest

from workbench import Workbench, not_in_slow_builds

MAP = ("map", "--arch", "arch.yaml", "--layer", "layer.yaml", "--objective", "edp,latency")
NETWORK = ("network", "--arch", "arch.yaml", "--network", "network.yaml", "--objective", "energy")
BENCH = ("bench", "--corpus", "corpus.txt")
CORPUS = """
arch.yaml network.yaml:a hybrid edp
too_small.yaml network.yaml:a hybrid latency
arch.yaml network.yaml analytic energy
"""
CLOCK = {"seconds", "rate", "threads"}


class Log(Workbench):
    def setUp(self):
        super().setUp()
        self.write("corpus.txt", CORPUS)

    def log(self, *arguments, expect=0):
        self.run_pimbb(*arguments, "--log", "run.log", expect=expect)
        with open(os.path.join(self.dir, "run.log"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def check_progress(self, lines):
        for line in lines:
            self.assertGreaterEqual(line["bound"], 0)
            self.assertGreaterEqual(line["nodes"], 0)
            self.assertLessEqual({"event", "goal", "bound", "nodes", "seconds"}, set(line))
            if "incumbent" in line:
                self.assertLessEqual(line["bound"], line["incumbent"])
                self.assertAlmostEqual(line["gap"], 1 - line["bound"] / line["incumbent"])

    def test_map(self):
        first, *between, last = self.log(*MAP, "--json", "best.json", "--threads", "1",
                                         "--node-limit", "1000000", "--memory-limit", "1G")
        self.assertEqual(first, {
            "event": "start", "format": "pimbb-log/1", "command": "map", "architecture": "small",
            "layer": "tiny", "objective": "edp,latency", "method": "exact",
            "row_model": "trace", "threads": 1, "node_limit": 1000000, "memory_limit": 1 << 30})
        self.assertEqual({line["event"] for line in between}, {"progress"})
        self.check_progress(between)
        best = self.read_json("best.json")
        self.assertEqual((last["event"], last["status"]), ("end", "optimal"))
        self.assertEqual([goal["goal"] for goal in last["goals"]], ["edp", "latency"])
        self.assertEqual(last["goals"][0]["value"], best["objective"]["value"])
        self.assertEqual(last["goals"][0]["bound"], best["objective"]["value"])
        for key in ("nodes", "leaves", "memory"):
            self.assertEqual(last[key], best["stats"][key])
        # The mapping found last is the one returned.
        edp = [line["incumbent"] for line in between if line["goal"] == "edp"]
        self.assertEqual(edp[-1], best["objective"]["value"])
        self.assertEqual(edp, sorted(edp, reverse=True))

    def test_infeasible(self):
        lines = self.log("map", "--arch", "too_small.yaml", "--layer", "layer.yaml", expect=4)
        self.assertEqual([line["event"] for line in lines], ["start", "end"])
        self.assertEqual(lines[-1]["status"], "infeasible")
        self.assertIn("PE", lines[-1]["reason"])

    def test_network(self):
        lines = self.log(*NETWORK)
        self.assertEqual((lines[0]["event"], lines[0]["layers"]), ("start", 2))
        layers = [line for line in lines if line["event"] == "layer"]
        self.assertEqual([line["layer"] for line in layers], ["a", "b"])
        progress = [line for line in lines if line["event"] == "progress"]
        self.assertEqual({line["layer"] for line in progress}, {"a", "b"})
        self.check_progress(progress)
        self.assertEqual((lines[-1]["event"], lines[-1]["status"]), ("end", "optimal"))
        self.assertEqual(lines[-1]["nodes"], sum(line["nodes"] for line in layers))

    @not_in_slow_builds
    def test_plan(self):
        lines = self.log("network", "chain.yaml", "--agree-layouts", "--objective", "edp", "--json",
                         "plan.json", "--time-limit", "60")
        progress = [line for line in lines if line["event"] == "progress"]
        self.check_progress(progress)
        # Of the EDP throughout, not of the blends that are minimised on the way.
        self.assertEqual({line["goal"] for line in progress}, {"edp"})
        for key in ("nodes", "seconds", "bound"):
            values = [line[key] for line in progress]
            self.assertEqual(values, sorted(values), key)
        best = [line["incumbent"] for line in progress if "incumbent" in line]
        self.assertEqual(best, sorted(best, reverse=True))
        goal = self.read_json("plan.json")["objective"][0]
        self.assertEqual(lines[-1]["goals"],
                         [{"goal": "edp", "value": goal["value"], "bound": goal["bound"], "gap": 0}])
        self.assertGreaterEqual(lines[-1]["nodes"], progress[-1]["nodes"])
        self.assertGreaterEqual(lines[-1]["seconds"], progress[-1]["seconds"])

    def test_bench(self):
        lines = self.log(*BENCH)
        self.assertEqual((lines[0]["event"], lines[0]["cases"]), ("start", 4))
        cases = [line for line in lines if line["event"] == "case"]
        self.assertEqual(cases[0]["case"], "arch.yaml network.yaml:a hybrid edp")
        self.assertEqual([case["status"] for case in cases],
                         ["optimal", "infeasible", "optimal", "optimal"])
        self.check_progress([line for line in lines if line["event"] == "progress"])
        self.assertEqual((lines[-1]["proven"], lines[-1]["infeasible"]), (3, 1))
        self.assertRegex(lines[-1]["optima"], "^[0-9a-f]{16}$")

    def test_cannot_be_written(self):
        for path, why in (("no/where.log", "no directory"), (".", "directory"),
                          ("/dev/full", "space"), ("out.json", "--json"), ("-", "files"),
                          ("", "files")):
            out, err = self.run_pimbb(*MAP, "--json", "out.json", "--log", path, expect=2)
            self.assertEqual(out if path != "/dev/full" else "", "")
            self.assertIn("--log", err)
            self.assertIn(why, err)
            self.assertFalse(os.path.exists(os.path.join(self.dir, "out.json")))


class Timeless(Workbench):
    def setUp(self):
        super().setUp()
        self.write("corpus.txt", CORPUS)

    def everything(self, *arguments, expect):
        """Report, JSON and log of a run."""
        out, _ = self.run_pimbb(*arguments, "--timeless", "--json", "out.json", "--log", "out.log",
                                expect=expect)
        texts = [out]
        for name in ("out.json", "out.log"):
            with open(os.path.join(self.dir, name), encoding="utf-8") as file:
                texts.append(file.read())
        return texts

    def test_two_runs_say_the_same(self):
        real = ("map", "--layer", "resnet18:conv5_down", "--objective", "edp")
        for command, expect in (
                (MAP, 0), (NETWORK, 0), (BENCH, 0), ((*BENCH, "--ablation"), 0), (real, 0),
                ((*real, "--node-limit", "5"), 3), ((*BENCH, "--repeat", "2"), 0)):
            one, two = (self.everything(*command, "--threads", threads, expect=expect)
                        for threads in ("1", "4"))
            self.assertEqual(one, two, command)
            for line in one[2].splitlines():
                self.assertFalse(CLOCK & set(json.loads(line)), line)
            self.assertNotRegex(one[0], r"\d s\b|thread|MiB|CPU|\btime\b|seconds")
            self.assertNotRegex(one[1], r"seconds|\"threads\"|cores|runs|time")

    def test_progress_comes_by_nodes(self):
        lines = self.everything("map", "--layer", "resnet18:conv1", "--objective", "edp",
                                "--without", "descent,tiles,thresholds", expect=0)[2].splitlines()
        nodes = [json.loads(line)["nodes"] for line in lines[1:]]
        self.assertEqual(nodes, sorted(nodes))
        self.assertGreaterEqual(len(nodes), 3)


if __name__ == "__main__":
    unittest.main(argv=["test_log"])
