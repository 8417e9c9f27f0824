"""The measuring scripts run from end to end on problems that take milliseconds."""

import gzip
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import xml.dom.minidom

from workbench import CIM, PIMBB, Workbench

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import exports  # noqa: E402
import lp_families  # noqa: E402
import lp_packages  # noqa: E402
import measuring  # noqa: E402
import micro  # noqa: E402
import peers  # noqa: E402
import scaling  # noqa: E402
import solvers  # noqa: E402

CHART = ROOT / "bench/chart.py"


class Scripts(Workbench):
    def setUp(self):
        super().setUp()
        # Scripts run pimbb from wherever they are called: absolute names.
        self.net = os.path.join(self.dir, "network.yaml")
        self.arch = os.path.join(self.dir, "arch.yaml")
        self.write("corpus.txt", f"{self.arch} {self.net} hybrid edp\n"
                                 f"{self.dir}/too_small.yaml {self.net}:a hybrid latency\n")

    def script(self, name, *arguments, expect=0, pimbb=True):
        command = [sys.executable, ROOT / name, *arguments]
        if pimbb:
            command += ["--pimbb", PIMBB]
        run = subprocess.run([str(word) for word in command], cwd=self.dir, capture_output=True,
                             text=True, check=False)
        self.assertEqual(run.returncode, expect, run.stdout + run.stderr)
        return run.stdout + run.stderr

    def chart(self, record):
        """Draws and reads the result, with the texts in it."""
        if subprocess.run([CHART, "--help"], capture_output=True, check=False).returncode != 0:
            self.skipTest("needs matplotlib")
        subprocess.run([CHART, record, "chart.svg"], cwd=self.dir, check=True)
        svg = xml.dom.minidom.parse(os.path.join(self.dir, "chart.svg"))
        return {node.firstChild.data for node in svg.getElementsByTagName("text")}

    def test_record_and_its_chart(self):
        out = self.script("bench/record.py", "--corpus", "corpus.txt", "--ablation", "--scaling",
                          "--save", "record.json")
        self.assertIn("| dominance | 3 |", out)
        record = self.read_json("record.json")
        self.assertEqual([case["status"] for case in record["cases"]],
                         ["optimal", "optimal", "infeasible"])
        self.assertEqual(record["circumstances"]["cores"], os.cpu_count())
        self.assertEqual(record["thread_scaling"][0]["threads"], 1)
        texts = self.chart("record.json")
        self.assertIn("3 problems, 3 with proof", texts)
        self.assertIn(self.arch, texts)

    def test_hard(self):
        out = self.script("bench/hard.py", "--only", "levels5 analytic", "--save", "hard.json")
        self.assertIn("levels5 hard:dilated_28 analytic activations", out)
        self.assertRegex(out, r"\| \*\*all\*\* \| 1 \| 1 \|")
        self.assertIn("### Not settled\n\nNone.\n", out)
        (case,) = self.read_json("hard.json")["cases"]
        self.assertEqual(case["status"], "optimal")
        self.assertGreater(case["peak_memory_bytes"], 1 << 20)
        # Continued: what is known stays, cases that are not settled are listed with their gap.
        out = self.script("bench/hard.py", "--only", "levels5 analytic", "--save", "hard.json", "--reuse")
        self.assertEqual(self.read_json("hard.json")["cases"], [case])
        document = self.read_json("hard.json")
        document["cases"][0].update(status="feasible", gap=0.125)
        self.write("hard.json", json.dumps(document))
        out = self.script("bench/hard.py", "--only", "levels5 analytic", "--save", "hard.json", "--reuse")
        self.assertIn("| 12.50 % |", out)

    def test_chart_of_a_study(self):
        self.write("cim.yaml", CIM)
        self.run_pimbb("bench", "--study", "cim", "--arch", "cim.yaml", "--network", "network.yaml",
                       "--parts", "spaces", "--objective", "edp", "--json", "study.json")
        texts = self.chart("study.json")
        for text in ("two_cores", "greedy", "flex", "edp, times the optimum"):
            self.assertIn(text, texts)

    def test_chart_refuses_what_is_no_record(self):
        self.write("other.json", "{}")
        run = subprocess.run([CHART, "other.json", "chart.svg"], cwd=self.dir, capture_output=True,
                             text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertTrue("other.json" in run.stderr or "matplotlib" in run.stderr, run.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.dir, "chart.svg")))

    def test_threads(self):
        out = self.script("bench/threads.py", "--arch", self.arch, "--network", self.net, "--least",
                          "0", "--repeat", "1", "--save", "threads.json")
        document = self.read_json("threads.json")
        self.assertIn(f"| all | {len(document['cases'])} |", out)
        for case in document["cases"]:
            self.assertIn(self.arch, case["case"])
            self.assertGreater(min(case["one"], case["more"], case["beside"]), 0)
        out = self.script("bench/threads.py", "--arch", self.arch, "--network", self.net, "--least",
                          "1e9", "--repeat", "1")
        self.assertIn("no case takes that long", out)

    def test_layers(self):
        out = self.script("bench/layers.py", "--arch", self.arch, "--network", self.net)
        lines = [line for line in out.splitlines() if line.startswith("| ")]
        self.assertEqual([line.split(" | ")[0] for line in lines[2:]], ["| a", "| b", "| **all**"])
        solved = json.loads(self.run_pimbb("map", "--arch", self.arch, "--layer", self.net + ":b",
                                           "--objective", "energy", "--row-model", "hybrid",
                                           "--json", "-")[0])
        shown = float(lines[3].split(" | ")[5].replace(",", ""))
        self.assertAlmostEqual(shown / solved["objective"]["value"], 1, places=5)
        self.assertIn("12 of 12", lines[-1])

    def test_proofs(self):
        out = self.script("bench/proofs.py", "--corpus", "corpus.txt", "--save", "proofs.json")
        self.assertIn("| **all** | 3 |", out)  # an optimum of each different layer, one infeasible

    def test_limits(self):
        out = self.script("bench/limits.py", "--only", "60^7", "--time-limits", "0.1")
        self.assertIn("pimbb-check, a proof that begins with the layer 60^7", out)
        self.assertIn("2 runs, ", out)

    def test_cim(self):
        self.write("pair.yaml", "layers:\n"
                   "  - {name: a, R: 1, S: 1, P: 2, Q: 2, C: 4, K: 4, N: 1}\n"
                   "  - {name: b, R: 3, S: 1, P: 4, Q: 1, C: 2, K: 8, N: 1}\n")
        out = self.script("bench/cim.py", "--network", os.path.join(self.dir, "pair.yaml"), "--save",
                          "cim.json")
        self.assertIn("| 6 of 6 |", out)
        self.assertIn("| pair.yaml:b | latency |", out)
        record = self.read_json("cim.json")
        self.assertEqual([n["status"] for n in record["networks"]], ["optimal"])
        self.assertEqual(len(record["searches"]), 2 * 3)
        for search in record["searches"]:
            self.assertGreater(search["peak_memory_bytes"], 1 << 20)
            self.assertGreaterEqual(search["seconds"], 0)

    def test_crossbar(self):
        small = os.path.join(os.path.dirname(os.path.abspath(__file__)), "crossbar")
        out = self.script("bench/crossbar.py", "--arch", os.path.join(small, "pair.yaml"), "--network",
                          os.path.join(small, "chain.yaml"), "--time-limit", "0.3", "--save", "xb.json")
        runs = self.read_json("xb.json")["runs"]
        self.assertEqual(len(runs), 2 * 6)
        best = {r["mode"]: r for r in runs if r["method"] == "exact" and r["objective"] != "sim"}
        for run in runs:
            if run["objective"] == run["mode"]:
                self.assertGreaterEqual(run["value"], best[run["mode"]]["value"])
        self.assertIn(f"| chain | ht | {best['ht']['value']:,.0f} | proven |", out)
        least = next(r["simulated"] for r in runs if (r["mode"], r["objective"]) == ("ll", "sim"))
        self.assertIn(f"| chain | ll | {least:,} |", out)
        self.assertRegex(out, r"\| ht-roof \| \d+ % \| \d+ % \|")

    def test_scaling(self):
        out = self.script("bench/scaling.py", "sizes", "--largest", "5", "--save", "sizes.json")
        self.assertIn("| slope of log time over log C |", out)
        cases = self.read_json("sizes.json")["sizes"]
        self.assertEqual(len(cases), 2 * 2 * 3)
        self.assertEqual({case["status"] for case in cases}, {"optimal"})
        self.assertIn("product, edp", self.chart("sizes.json"))

    def test_baselines(self):
        out = self.script("bench/baselines.py", "--arch", self.arch, "--network", self.net,
                          "--objective", "energy", "--save", "baselines.json")
        self.assertIn("| greedy | ", out)
        self.assertIn("2 of 2 optima are proven", out)
        cases = self.read_json("baselines.json")["cases"]
        self.assertEqual(len(cases), 2 * 7)
        best = {c["layer"]: c["value"] for c in cases if c["method"] == "exact"}
        for case in cases:
            if case["value"] is not None:
                self.assertGreaterEqual(case["value"], best[case["layer"]])

    def test_micro_benchmarks(self):
        found = {"name": "crossings/64/real_time", "run_name": "crossings/64", "iterations": 10,
                 "real_time": 9.0, "cpu_time": 2.5, "time_unit": "us", "label": "a layer",
                 "items_per_second": 400.0, "tiles": 7.0}
        os.mkdir(os.path.join(self.dir, "bench"))
        for room in micro.ROOMS:  # each prints its own copy
            path = os.path.join(self.dir, "bench", f"bench_{room}")
            self.write(path, f"#!/bin/sh\necho '{json.dumps({'benchmarks': [found]})}'\n")
            os.chmod(path, 0o755)
        out = self.script("bench/micro.py", "--build", self.dir, "--save", "micro.json")
        self.assertIn("| lp crossings/64 | a layer | 2.5 us | 400 | tiles 7 |", out)
        rows = self.read_json("micro.json")["rows"]
        self.assertEqual([row["room"] for row in rows], list(micro.ROOMS))
        self.assertAlmostEqual(rows[0]["seconds"], 2.5e-6)
        self.assertIn("build it", self.script("bench/micro.py", "--build", "/nowhere", expect=1))

    def test_hierarchies_grow_outwards_and_are_accepted(self):
        for buffers in range(1, 5):
            architecture = scaling.hierarchy(buffers, buffers)
            levels = architecture["memory_hierarchy"][:-1]
            self.assertEqual(len(levels), buffers + 2)
            for key in ("entries", "access_cost"):
                self.assertEqual([level[key] for level in levels],
                                 sorted({level[key] for level in levels}))
            self.assertEqual([not level.get("bypass_defined", True) for level in levels],
                             [False] + buffers * [True] + [False])
            self.write("deep.json", json.dumps(architecture))
            case = measuring.solve_case(PIMBB, os.path.join(self.dir, "deep.json"), self.net + ":b",
                                        "hybrid", "energy", threads=1, time_limit=60,
                                        bounds="lattice")
            self.assertEqual(case["status"], "optimal")

    @unittest.skipUnless(shutil.which("cbc") or shutil.which("glpsol"), "needs cbc or glpsol")
    def test_peers_find_the_same_optima(self):
        self.write("cases.txt", f"{self.arch} {self.net}:b analytic energy\n"
                                f"{self.arch} {self.net}:b analytic latency\n")
        out = self.script("bench/peers.py", "--cases", "cases.txt", "--save", "peers.json",
                          "--solvers", "cbc,glpsol")
        record = self.read_json("peers.json")
        for row in record["rows"]:
            for solver in {"cbc", "glpsol"} & set(row):
                self.assertEqual(row[solver]["status"], "optimal")
                self.assertFalse(row[solver]["differs"])
                for part in ("process", "solve"):
                    self.assertAlmostEqual(row[solver]["ratio"][part],
                                           row[solver][part] / row["pimbb"][part])
                self.assertLessEqual(row["pimbb"]["solve"], row["pimbb"]["process"])
        self.assertTrue(out.startswith(self.script("bench/peers.py", "--show", "peers.json")))
        self.assertIn("The same problems as mixed-integer programs", self.chart("peers.json"))

        # Times marked so that they are known again: taken over for the same problem only.
        for row in record["rows"]:
            for solver in {"cbc", "glpsol"} & set(row):
                row[solver]["process"] = 1234.5
        self.write("earlier.json", json.dumps(record))
        self.write("cases.txt", f"{self.arch} {self.net}:a analytic energy\n"
                                f"{self.arch} {self.net}:b analytic latency\n")
        self.script("bench/peers.py", "--cases", "cases.txt", "--save", "again.json", "--reuse",
                    "earlier.json", "--solvers", "cbc,glpsol")
        new, known = self.read_json("again.json")["rows"]
        for solver in {"cbc", "glpsol"} & set(new):
            self.assertLess(new[solver]["process"], 1234)
            self.assertEqual(known[solver]["process"], 1234.5)
            self.assertAlmostEqual(known[solver]["ratio"]["process"],
                                   1234.5 / known["pimbb"]["process"])
        self.assertIn("with --limit 600", self.script("bench/peers.py", "--limit", "1", "--reuse",
                                                      "earlier.json", expect=1))

    @unittest.skipUnless(shutil.which("glpsol"), "needs glpsol")
    def test_linear_programs(self):
        os.mkdir(os.path.join(self.dir, "programs"))
        self.write("programs/tiny.mps", "NAME tiny\nROWS\n N cost\n G need\nCOLUMNS\n x cost 2\n"
                                        " x need 3\nRHS\n rhs need 1\nENDATA\n")
        out = self.script("bench/lp.py", "--families=", "--netlib", "programs", "--packages",
                          "nowhere", "--runs", "1", "--save", "lp.json")
        row, = self.read_json("lp.json")["rows"]
        self.assertEqual((row["name"], row["rows"], row["columns"]), ("tiny", 1, 1))
        self.assertTrue(row["pimbb"]["proved"])
        self.assertAlmostEqual(row["pimbb"]["value"], 2 / 3)
        self.assertFalse(row["differs"])
        self.assertAlmostEqual(row["process_ratio"],
                               row["pimbb"]["process"] / row["glpsol"]["process"])
        self.assertIn("| netlib | 1 |", out)
        self.assertIn(self.script("bench/lp.py", "--show", "lp.json"), out)
        self.assertEqual(lp_families.staircase(1, 2, 6, 5).columns,
                         lp_families.staircase(1, 2, 6, 5).columns)

    def test_programs_of_packages(self):
        coin, ecos = (os.path.join(self.dir, of) for of in (lp_packages.COIN, lp_packages.ECOS))
        os.makedirs(coin)
        self.assertEqual(lp_packages.missing(self.dir), ["r-cran-ecosolver"])
        os.makedirs(ecos)
        self.assertEqual(lp_packages.missing(self.dir), [])
        self.write(lp_packages.COIN + "/e226.mps", "NAME e\nROWS\n N cost\n G need\nCOLUMNS\n"
                   " x cost 2\n x need 3\nRHS\n rhs cost -7 need 1\nENDATA\n")

        def symbol(name):
            return struct.pack(">iii", 1, 9, len(name)) + name.encode()

        def numbers(kind, values):
            return (struct.pack(">ii", 14 if kind == "d" else 13, len(values))
                    + struct.pack(f">{len(values)}{kind}", *values))

        fields = {"c": ("d", [2.0, 0]), "b": ("d", [0.30000000000000004]), "h": ("d", [0.0, 0]),
                  "Gpr": ("d", [-1.0, -1]), "Gjc": ("i", [0, 1, 2]), "Gir": ("i", [0, 1]),
                  "Apr": ("d", [3.0, -1]), "Ajc": ("i", [0, 1, 2]), "Air": ("i", [0, 0])}
        names = b"".join(struct.pack(">ii", 9, len(name)) + name.encode() for name in fields)
        data = (b"X\n" + struct.pack(">iii", 2, 0x30000, 0x20300) + struct.pack(">ii", 19 | 0x200, len(fields))
                + b"".join(numbers(*of) for of in fields.values())
                + struct.pack(">i", 2 | 0x400) + symbol("names") + struct.pack(">ii", 16, len(fields))
                + names + struct.pack(">i", 254))
        with gzip.open(os.path.join(ecos, "lp_agg_1.RDS"), "wb") as file:
            file.write(data)
        found = {name: (family, path) for family, name, path, _ in
                 lp_packages.write_all(self.dir, self.dir)}
        self.assertEqual({name: of[0] for name, of in found.items()},
                         {"e226": "coin", "agg": "netlib, larger"})
        for name, value in (("e226", 2 / 3), ("agg", 0.2)):
            answer = subprocess.run([PIMBB, "lp", found[name][1], "--json", "-"], check=True,
                                    capture_output=True, text=True)
            self.assertAlmostEqual(json.loads(answer.stdout)["objective"]["value"], value, places=12)

    def test_exports(self):
        few = ("bench/exports.py", "--small", "2", "--tight", "1", "--cases", "/dev/null",
               "--solvers", "glpsol")
        out = self.script(*few, "--save", "exports.json")
        self.assertRegex(out, r"\| small \| glpsol \| [\d.]+ \| 2 \| 0 \| 0 \| 0 \|")
        self.assertRegex(out, r"\| tight \| glpsol \| [\d.]+ \| 1 \| 0 \| 0 \| 0 \|")
        record = self.read_json("exports.json")
        self.assertEqual([row["glpsol"]["verdict"] for row in record["rows"]], ["right"] * 3)
        record["rows"][0]["glpsol"]["process"] = 1234.5  # to be known again
        self.write("earlier.json", json.dumps(record))
        reuse = (*few, "--reuse", "earlier.json")
        self.assertIn("Answers of an earlier record: ", self.script(*reuse, "--save", "again.json"))
        self.assertEqual(self.read_json("again.json")["rows"], record["rows"])
        self.assertIn("with --limit 60", self.script(*reuse, "--limit", "1", expect=1))


# The package `highs` of npm, as far as bench/highs_node.js calls it; a problem `long` runs until it is interrupted.
HIGHS = """
module.exports = async ({print}) => ({
  constants: {callbackType: {mipInterrupt: 6, simplexInterrupt: 1}},
  withModel({format, data}, use) {
    print("Running HiGHS 9.8.7 (git hash: 0): Copyright");
    use({
      options: {read: (text) => print(`options ${text}`)},
      run(callbacks) {
        let late = !String(data).includes("long");
        while (!late) callbacks[6]({interrupt: () => { late = true; }});
        print(`  Status            ${String(data).includes("long") ? "Interrupted by user" : "Optimal"}`);
        print("  Primal bound      17.5");
        print("  Dual bound        12");
      },
    });
  },
});
"""


@unittest.skipUnless(shutil.which("node") and not shutil.which("highs"), "needs node, and no highs")
class HighsInNode(Workbench):
    def setUp(self):
        super().setUp()
        package = os.path.join(self.dir, "node_modules", "highs")
        os.makedirs(package)
        self.write(os.path.join(package, "index.js"), HIGHS)
        found = unittest.mock.patch.dict(os.environ, {"NODE_PATH": os.path.dirname(package)})
        found.start()
        self.addCleanup(solvers.highs_in_node.cache_clear)
        self.addCleanup(found.stop)
        solvers.highs_in_node.cache_clear()
        self.highs = next(s for s in solvers.SOLVERS if s.program == "highs")
        self.assertTrue(self.highs.installed())

    def run_on(self, problem, limit, settings=None):
        self.write("problem.mps", problem)
        return self.highs.run(os.path.join(self.dir, "problem.mps"), limit, self.dir, settings)

    def test_an_answer(self):
        answer = self.run_on("short", 60)
        self.assertEqual([answer[key] for key in ("status", "value", "version")],
                         ["optimal", 17.5, "9.8.7"])
        self.run_on("short", 60, ("mip_heuristic_effort = 0",))
        with open(os.path.join(self.dir, "highs.log"), encoding="utf-8") as log:
            self.assertIn("options mip_rel_gap = 0\nmip_abs_gap = 0\nmip_heuristic_effort = 0\n", log.read())

    def test_its_limit_is_one_of_cpu_time(self):
        answer = self.run_on("long", 0.4)
        self.assertEqual([answer[key] for key in ("status", "value", "bound")], ["feasible", 17.5, 12])
        self.assertLess(answer["process"], 5)


class Logs(unittest.TestCase):
    """What other solvers say, in their words."""

    def answer(self, program, log):
        return next(s for s in solvers.SOLVERS if s.program == program).answer(log)

    def test_cbc(self):
        self.assertEqual(self.answer("cbc", "Result - Optimal solution found\n\n"
                                            "Objective value:                1179648.00000000\n"),
                         {"status": "optimal", "value": 1179648})
        self.assertEqual(self.answer("cbc", "Result - Stopped on time limit\n\n"
                                            "Objective value:                500.00000000\n"
                                            "Lower bound:                    400.000\n"),
                         {"status": "feasible", "value": 500, "bound": 400})
        self.assertEqual(self.answer("cbc", "After 0 nodes, 1 on tree, 1e+50 best solution, best "
                                            "possible 64331.3 (0.50 seconds)\n"),
                         {"status": "unknown", "bound": 64331.3})

    def test_glpsol(self):
        self.assertEqual(self.answer("glpsol", "+ 15: >>>>>   1.5e+05 >=   1.25e+05  5.2% (4; 6)\n"
                                               "+ 20: mip =   1.5e+05 >=     tree is empty   0.0%\n"
                                               "INTEGER OPTIMAL SOLUTION FOUND\n"),
                         {"status": "optimal", "value": 150000})
        self.assertEqual(self.answer("glpsol", "+ 15: mip =   1.5e+05 >=   1.25e+05  5.2% (4; 6)\n"),
                         {"status": "feasible", "value": 150000, "bound": 125000})
        self.assertEqual(self.answer("glpsol", "+ 15: mip =  not found yet >=   1.25e+05 (4; 6)\n"),
                         {"status": "unknown", "bound": 125000})

    @unittest.mock.patch.object(solvers, "GRACE", 1)
    def test_a_run_that_is_cut_short_is_no_run_to_the_limit(self):
        with tempfile.TemporaryDirectory() as folder:
            solver = solvers.Solver(
                "sh", lambda *_: ["sh", "-c", "echo value 3 bound 1; kill -9 $$"], None,
                version=r"v(\S+)", optimal="optimal", infeasible="infeasible", value=r"value (\d+)",
                bound=r"bound (\d+)")
            answer = solver.run("problem.mps", 60, folder)
            self.assertEqual(answer["status"], "failed")
            self.assertNotIn("value", answer)
            self.assertEqual(peers.cell({**answer, "differs": False,
                                         "ratio": {"process": 1, "solve": 1}})[:11], "ended early")
            limited = solvers.Solver(  # one second and the grace, then the system ends it
                "sh",
                lambda *_: ["sh", "-c", "echo v1.2; echo value 3 bound 1; while :; do :; done"], None,
                version=r"v(\d\S+)", optimal="optimal", infeasible="infeasible",
                value=r"value (\d+)", bound=r"bound (\d+)").run("problem.mps", 1, folder)
            self.assertEqual([limited[key] for key in ("status", "value", "bound", "version")],
                             ["feasible", 3, 1, "1.2"])
            punctual = solvers.Solver(
                "sh", lambda *_: ["sh", "-c", "echo value 3 bound 1 late"], None, version="(v)",
                optimal="optimal", infeasible="infeasible", value=r"value (\d+)",
                bound=r"bound (\d+)", out_of_time="late").run("problem.mps", 60, folder)
            self.assertEqual(punctual["status"], "feasible")

    def test_the_best_settings_count(self):
        with tempfile.TemporaryDirectory() as folder:
            solver = solvers.Solver(
                "sh",
                lambda _, limit, __, settings: ["sh", "-c", "i=0; while [ $i -lt $1 ]; do "
                                                "i=$((i+1)); done; echo value $1 optimal", "sh",
                                                *(settings or ("300000",))],
                None, version="(v)", optimal="optimal", infeasible="infeasible",
                value=r"value (\d+)", bound=r"bound (\d+)", settings=((), ("1",), ("200000",)))
            self.assertEqual(solver.best("problem.mps", 60, folder)["settings"], "1")

    def test_a_wrong_answer_is_called_that(self):
        ours = {"status": "optimal", "value": 1e6}
        for theirs, word in (({"status": "optimal", "value": 1e6 + 99}, "right"),
                             ({"status": "optimal", "value": 1e6 + 101}, "wrong"),
                             ({"status": "infeasible"}, "wrong"),
                             ({"status": "feasible", "value": 2e6}, "open"),
                             ({"status": "failed"}, "failed")):
            self.assertEqual(exports.verdict(ours, theirs), word)
        self.assertEqual(exports.verdict({"status": "infeasible"}, {"status": "infeasible"}), "right")

    def test_another_optimum_is_noticed(self):
        ours = {"status": "optimal", "value": 1e6}
        for status, value, wrong in (("optimal", 1e6 + 0.5, False), ("optimal", 1e6 + 2, True),
                                     ("feasible", 2e6, False), ("infeasible", None, True)):
            self.assertEqual(peers.differs(ours, {"status": status, "value": value}), wrong)
        self.assertFalse(peers.differs({"status": "infeasible"}, {"status": "infeasible"}))
        self.assertTrue(peers.differs({"status": "infeasible"}, {"status": "optimal", "value": 1}))


class Arithmetic(unittest.TestCase):
    def test_means_and_slopes(self):
        self.assertAlmostEqual(measuring.geometric_mean([1, 4, 16]), 4)
        self.assertAlmostEqual(measuring.slope([(x, 3 * x ** 1.5) for x in (1, 2, 4, 32)]), 1.5)

    def test_saved_text_reads_back(self):
        document = {"a": [{"b": 1}, {"b": [1, 2]}], "c": {"d": "e"}, "f": []}
        self.assertEqual(json.loads(measuring.text_of(document)), document)


if __name__ == "__main__":
    unittest.main(argv=["test_scripts"])
