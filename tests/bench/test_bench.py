"""`pimbb bench` as a user sees it: cases, summary, signature, limits, refusals."""

import csv
import io
import json
import math
import signal
import statistics
import time
import unittest

from workbench import CIM, Workbench

# Two real problems, an infeasible one, and the first again: equal problems are solved once.
CORPUS = """
# a comment
arch.yaml network.yaml hybrid edp
arch.yaml network.yaml:a analytic latency,energy   # and another
too_small.yaml network.yaml:b hybrid energy
arch.yaml network.yaml:a_again hybrid edp
"""
NAMES = ["arch.yaml network.yaml:a hybrid edp", "arch.yaml network.yaml:b hybrid edp",
         "arch.yaml network.yaml:a analytic latency,energy",
         "too_small.yaml network.yaml:b hybrid energy"]


def fnv1a(text):
    """The published hash, written from its definition."""
    value = 14695981039346656037
    for byte in text.encode():
        value = (value ^ byte) * 1099511628211 % 2**64
    return f"{value:016x}"


def name(case):
    return " ".join(case[key] for key in ("architecture", "layer", "row_model", "objective"))


class Bench(Workbench):
    def setUp(self):
        super().setUp()
        self.write("corpus.txt", CORPUS)

    def bench(self, *arguments, **options):
        return self.run_pimbb("bench", "--corpus", "corpus.txt", *arguments, **options)

    def document(self, *arguments, **options):
        return json.loads(self.bench(*arguments, "--json", "-", **options)[0])

    def test_hash_of_the_test_is_the_published_one(self):
        self.assertEqual(fnv1a(""), "cbf29ce484222325")
        self.assertEqual(fnv1a("foobar"), "85944171f73967e8")

    def test_cases_in_order_and_each_once(self):
        self.assertEqual([name(case) for case in self.document()["cases"]], NAMES)

    def test_each_case_is_what_map_finds(self):
        for case in self.document()["cases"]:
            code = 4 if case["status"] == "infeasible" else 0
            out, _ = self.run_pimbb("map", "--arch", case["architecture"], "--layer", case["layer"],
                                    "--row-model", case["row_model"], "--objective",
                                    case["objective"], "--json", "-", expect=code)
            solved = json.loads(out)
            self.assertEqual(solved["status"], case["status"])
            self.assertEqual(solved["stats"]["nodes"], case["nodes"])
            if code == 0:
                goal = case["objective"].split(",")[0]
                self.assertEqual(solved["metrics"]["exact"].get(goal, case["exact"].split(",")[0]),
                                 case["exact"].split(",")[0])
                self.assertEqual(solved["objective"]["value"], case["value"])

    def test_signature_is_the_documented_one(self):
        document = self.document()
        optima = search = ""
        for case in document["cases"]:
            status = case["status"]
            optima += f"{name(case)} {status}" + (f" {case['exact']}\n" if "exact" in case else "\n")
            search += f"{name(case)} {case['nodes']} {case['lp_iterations']}\n"
        expected = {"optima": fnv1a(optima), "search": fnv1a(search)}
        self.assertEqual(document["signature"], expected)
        lines = f"optima {expected['optima']}\nsearch {expected['search']}\n"
        self.assertEqual(self.bench("--signature-only")[0], lines)
        self.assertEqual(self.bench("--signature-only", "--threads", "1", "--repeat", "2")[0], lines)
        report, _ = self.bench()
        self.assertTrue(report.endswith(lines), report)

    def test_summary(self):
        document = self.document("--repeat", "3")
        summary, cases = document["summary"], document["cases"]
        self.assertEqual([summary[key] for key in ("proven", "infeasible", "limit", "not_solved")],
                         [3, 1, 0, 0])
        for key in ("nodes", "leaves"):
            self.assertEqual(summary[key], sum(case[key] for case in cases))
        self.assertAlmostEqual(summary["seconds"], sum(case["seconds"] for case in cases))
        self.assertEqual(summary["worst_seconds"], max(case["seconds"] for case in cases))
        self.assertIn(summary["worst_case"], NAMES)
        self.assertGreater(summary["peak_memory_bytes"], 0)
        for case in cases:
            self.assertEqual(case["seconds"], sorted(case["runs"])[1])

    def test_report(self):
        out, _ = self.bench()
        self.assertIn("4 of 4 cases: 3 proven, 1 infeasible, 0 at a limit", out)
        self.assertIn("geometric mean", out)
        self.assertEqual(self.bench("--quiet")[0], "")

    def test_ablation_compares_every_case_with_and_without_a_rule(self):
        document = self.document("--ablation")
        by_rule = {line["without"]: line for line in document["ablation"]}
        for rule in ("lattice", "dominance"):
            off = self.document("--without", rule)
            self.assertEqual(off["signature"]["optima"], document["signature"]["optima"])
            line = by_rule[rule]
            self.assertEqual((line["cases"], line["unfinished"]), (4, []))
            for count in ("nodes", "leaves"):
                ratios = [(without[count] + 1) / (case[count] + 1)
                          for without, case in zip(off["cases"], document["cases"])]
                self.assertAlmostEqual(line[f"{count}_ratio"], math.prod(ratios) ** (1 / 4))
                if count == "nodes":
                    self.assertAlmostEqual(line["worst_nodes_ratio"], max(ratios))
        self.assertGreater(by_rule["lattice"]["nodes_ratio"], 1)
        rules = {line["without"] for line in self.document("--ablation", "--without",
                                                           "dominance")["ablation"]}
        self.assertEqual(rules, set(by_rule) - {"dominance"})

    def test_ablation_gives_up_on_a_hopeless_search(self):
        self.write("one.txt", "simple_pim resnet18:conv2_x hybrid energy\n")
        out, _ = self.run_pimbb("bench", "--corpus", "one.txt", "--ablation", "--json", "-")
        document = json.loads(out)
        (case,) = document["cases"]
        lattice = next(line for line in document["ablation"] if line["without"] == "lattice")
        self.assertEqual(lattice["unfinished"], [name(case)])
        limit = 100 * case["nodes"] + 10_000
        self.assertAlmostEqual(lattice["nodes_ratio"], (limit + 1) / (case["nodes"] + 1))

    def test_filters_take_files_and_presets(self):
        for corpus in ("small", "full"):
            out, _ = self.run_pimbb("bench", "--corpus", corpus, "--arch", "arch.yaml", "--network",
                                    "network.yaml", "--objective", "energy", "--json", "-")
            self.assertEqual([name(case) for case in json.loads(out)["cases"]],
                             [f"arch.yaml network.yaml:{layer} {model} energy"
                              for layer in "ab" for model in ("analytic", "hybrid", "trace")])

    def test_a_limit_is_no_proof(self):
        out, _ = self.run_pimbb("bench", "--corpus", "small", "--network", "alexnet:conv3", "--arch",
                                "simple_pim", "--objective", "edp", "--row-model", "hybrid",
                                "--node-limit", "1", expect=3)
        self.assertIn("1 of 1 cases: 0 proven, 0 infeasible, 1 at a limit", out)
        self.assertIn("not all proven", out)

    def test_interruption(self):
        self.write("long.txt", "simple_pim resnet18:conv5_x hybrid latency\n"
                               "simple_pim resnet18:conv2_x trace activations\n")
        process = self.start("bench", "--corpus", "long.txt", "--without", "joint", "--json",
                             "cut.json")
        while "conv5_x" not in process.stdout.readline():  # the first case is done
            pass
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual((process.returncode, err), (3, ""), out)
        self.assertIn("interrupted: no signature", out)
        document = self.read_json("cut.json")
        self.assertEqual((len(document["cases"]), document["summary"]["not_solved"]), (1, 1))
        self.assertNotIn("signature", document)


# Of SRAM compute-in-memory: two layers, and one of them under other semantics.
CIM_CORPUS = """
cim.yaml network.yaml recursion edp
cim.yaml network.yaml:b table3 latency,energy
cim.yaml network.yaml:a_again recursion edp
"""
CIM_NAMES = ["cim.yaml network.yaml:a recursion edp", "cim.yaml network.yaml:b recursion edp",
             "cim.yaml network.yaml:b table3 latency,energy"]


class CimBench(Workbench):
    """The same command with architectures of kind cim."""

    def setUp(self):
        super().setUp()
        self.write("cim.yaml", CIM)
        self.write("corpus.txt", CIM_CORPUS)

    def document(self, *arguments, **options):
        out, _ = self.run_pimbb("bench", *arguments, "--json", "-", **options)
        return json.loads(out)

    def name(self, case):
        return " ".join(case[key] for key in ("architecture", "layer", "semantics", "objective"))

    def test_kind_of_a_corpus_file(self):
        document = self.document("--corpus", "corpus.txt")
        self.assertEqual([self.name(case) for case in document["cases"]], CIM_NAMES)
        self.assertEqual(document["summary"]["proven"], 3)
        for key in ("solved", "labels"):
            self.assertEqual(document["summary"][key], sum(c[key] for c in document["cases"]))
        self.assertEqual(document["architectures"]["cim.yaml"]["kind"], "cim")

    def test_each_case_is_what_map_finds(self):
        for case in self.document("--corpus", "corpus.txt")["cases"]:
            out, _ = self.run_pimbb("map", "--arch", "cim.yaml", "--layer", case["layer"],
                                    "--semantics", case["semantics"], "--objective",
                                    case["objective"], "--json", "-")
            solved = json.loads(out)
            self.assertEqual(solved["stats"]["labels"], case["labels"])
            self.assertEqual(solved["objective"]["exact"]["value"], case["exact"].split(",")[0])

    def test_signature(self):
        document = self.document("--corpus", "corpus.txt")
        optima = search = ""
        for case in document["cases"]:
            optima += f"{self.name(case)} optimal {case['exact']}\n"
            search += f"{self.name(case)} {case['schemes']} {case['solved']} {case['labels']}\n"
        lines = f"optima {fnv1a(optima)}\nsearch {fnv1a(search)}\n"
        for threads in ("1", "2"):
            out, _ = self.run_pimbb("bench", "--corpus", "corpus.txt", "--threads", threads,
                                    "--repeat", "2", "--signature-only")
            self.assertEqual(out, lines)

    def test_report_fits_and_repeats(self):
        arguments = ("bench", "--arch", "cim.yaml", "--network", "network.yaml", "--timeless")
        out, _ = self.run_pimbb(*arguments)
        self.assertIn("16 of 16 cases: 16 proven, 0 infeasible, 0 at a limit", out)
        self.assertLessEqual(max(len(line) for line in out.splitlines()), 80)
        self.assertRegex(out, r"\neffort  [\d,]+ schemes searched, [\d,]+ labels\n")
        self.assertEqual(self.run_pimbb(*arguments)[0], out)
        wide, _ = self.run_pimbb(*arguments, "--wide")
        for column in ("latency", "schemes", "labels"):
            self.assertIn(column, wide.splitlines()[0])

    def test_table(self):
        out, _ = self.run_pimbb("bench", "--corpus", "corpus.txt", "--csv", "-", "--timeless")
        rows = list(csv.DictReader(io.StringIO(out)))
        document = self.document("--corpus", "corpus.txt")
        self.assertEqual([self.name(row) for row in rows], CIM_NAMES)
        for row, case in zip(rows, document["cases"]):
            self.assertEqual((row["exact"], int(row["labels"])), (case["exact"], case["labels"]))
            self.assertEqual(float(row["value"]), case["value"])
        self.assertNotIn("seconds", rows[0])

    def test_limits(self):
        hard = ("--arch", "miredo_default", "--network", "vgg16:conv1_1", "--objective",
                "edp", "--semantics", "recursion")
        one, two = (self.document(*hard, "--node-limit", "2000", "--threads", threads, "--timeless",
                                  expect=3) for threads in ("1", "2"))
        self.assertEqual(one, two)
        self.assertEqual(one["summary"]["limit"], 1)
        timed = self.document(*hard, "--time-limit", "0.2s", expect=3)
        self.assertEqual(timed["cases"][0]["status"], "feasible")
        self.assertIn("signature", timed)

    def test_simulator_proves_a_bound_only(self):
        document = self.document("--arch", "cim.yaml", "--network", "network.yaml:a", "--semantics",
                                 "simulator", "--objective", "latency", expect=3)
        (case,) = document["cases"]
        self.assertEqual(case["status"], "feasible")

    def test_refusals(self):
        for arguments, says in ((("--arch", "cim.yaml", "--row-model", "trace"),
                                 "--row-model: found with an architecture of kind cim"),
                                (("--arch", "cim.yaml", "--semantics", "table"), "'table3'"),
                                (("--corpus", "corpus.txt", "--arch", "cim.yaml"), "--arch: narrows"),
                                (("--corpus", "corpus.txt", "--semantics", "table3"),
                                 "--semantics: narrows")):
            with self.subTest(arguments):
                self.assertIn(says, self.run_pimbb("bench", *arguments, expect=2)[1])
        for line, says in (("cim.yaml network.yaml table edp", "'table3'"),
                           ("cim.yaml network.yaml recursion activations", "activations"),
                           ("cim.yaml network.yaml recursion", "3 words"),
                           ("arch.yaml network.yaml recursion edp", "kind"),
                           ("none.yaml network.yaml recursion edp", "none.yaml")):
            with self.subTest(line):
                self.write("bad.txt", f"cim.yaml network.yaml recursion edp\n{line}\n")
                _, err = self.run_pimbb("bench", "--corpus", "bad.txt", expect=2)
                self.assertIn("bad.txt:2", err)
                self.assertIn(says, err)
        self.write("bad.txt", "# first\nnone.yaml network.yaml recursion edp\n")
        self.assertIn("bad.txt:2: ", self.run_pimbb("bench", "--corpus", "bad.txt", expect=2)[1])


class CimStudy(Workbench):
    """pimbb bench --study cim, on a tiny network."""

    PARTS = ("spaces", "accuracy", "contention", "sweeps")

    def setUp(self):
        super().setUp()
        self.write("cim.yaml", CIM)

    def study(self, *arguments, **options):
        return self.run_pimbb("bench", "--study", "cim", "--arch", "cim.yaml", "--network",
                              "network.yaml", "--samples", "20", *arguments, **options)

    def test_report(self):
        out, _ = self.study()
        for title in ("Spaces and heuristics, times the optimum", "three, edp of each layer",
                      "Latency by the models against the simulator", "Contention: least latency",
                      "three with other figures"):
            self.assertIn(f"\n{title}", out)
        self.assertRegex(out, r"\n\d+ searches, all proven\n$")
        self.assertEqual(self.study("--threads", "1")[0], out)
        self.assertLessEqual(max(len(line) for line in out.splitlines()[2:]), 80)

    def test_documents_agree(self):
        self.study("--json", "study.json", "--csv", "study.csv")
        document = self.read_json("study.json")
        self.assertEqual((document["format"], document["complete"], document["limit"]),
                         ("pimbb-cim-study/1", True, 0))
        with open(f"{self.dir}/study.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        searched = [row for row in rows if row["variant"] != "random"]
        self.assertEqual(len(searched), len(document["mappings"]))
        for row, mapping in zip(searched, document["mappings"]):
            for key in ("part", "layer", "goal", "variant", "status"):
                self.assertEqual(row[key], mapping[key])
            for key in ("value", "ratio", "recursion", "simulator"):
                self.assertEqual(row[key], "" if key not in mapping else row[key])
                if key in mapping:
                    self.assertEqual(float(row[key]), mapping[key])
        self.assertEqual({row["part"] for row in rows}, set(self.PARTS))
        self.assertEqual(sum(row["variant"] == "random" for row in rows), 2 * 20)
        for mapping in document["mappings"]:
            if mapping["part"] in ("spaces", "contention") and "ratio" in mapping:
                self.assertGreaterEqual(mapping["ratio"], 1)

    def test_optima_are_those_of_map(self):
        document = json.loads(self.study("--parts", "spaces", "--objective", "edp", "--json", "-")[0])
        options = {"optimum": (), "ws": ("--method", "ws"), "greedy": ("--method", "greedy"),
                   "prime": ("--factors", "prime"), "flex": ("--factors", "flex"),
                   "full": ("--schemes", "full")}
        self.assertEqual(len(document["mappings"]), 2 * len(options))
        for mapping in document["mappings"]:
            how = options[mapping["variant"]]
            out, _ = self.run_pimbb("map", "--arch", "cim.yaml", "--layer",
                                    f"network.yaml:{mapping['layer']}", "--objective", "edp", *how,
                                    "--json", "-", expect=3 if "greedy" in how else 0)
            self.assertEqual(json.loads(out)["objective"]["value"], mapping["value"])

    def test_ranks_are_compared_within_a_layer(self):
        document = json.loads(self.study("--parts", "accuracy", "--json", "-", "--csv", "acc.csv")[0])
        with open(f"{self.dir}/acc.csv", encoding="utf-8") as file:
            drawn = [row for row in csv.DictReader(file) if row["variant"] == "random"]
        def ranks(values):  # equal values share the mean of their ranks
            return [sum((other < value) + (other == value) / 2 for other in values) for value in values]
        table = next(t for t in document["tables"] if t["title"].startswith("Latency by the models"))
        shown = {row["model"]: row for row in table["rows"] if row["mappings"] == "random"}
        for model in ("recursion", "table3"):
            each = [[(float(row[model]), float(row["simulator"])) for row in drawn if row["layer"] == name]
                    for name in ("a", "b")]
            mean = sum(statistics.correlation(*map(ranks, zip(*pairs))) for pairs in each) / 2
            self.assertEqual(shown[model]["Spearman"], f"{mean:.3f}")
            self.assertEqual(shown[model]["number"], str(len(drawn)))

    def test_sums(self):
        document = json.loads(self.study("--parts", "spaces", "--objective", "energy", "--json",
                                         "-")[0])
        times = {layer["name"]: layer["repetitions"] * float(layer.get("weight", 1))
                 for layer in document["networks"][0]["layers"]}
        def total(variant):
            return sum(times[m["layer"]] * m["value"] for m in document["mappings"]
                       if m["variant"] == variant)
        rows = {row["figure"]: row for row in document["tables"][0]["rows"]}
        for variant in ("ws", "prime", "full"):
            self.assertEqual(rows["sum"][variant], f"{total(variant) / total('optimum'):.3f}")

    def test_parts(self):
        for part in self.PARTS:
            out, _ = self.study("--parts", part, "--csv", "-", "--objective", "latency")
            self.assertIn(part, {row["part"] for row in csv.DictReader(io.StringIO(out))})

    def test_limits_and_interruption(self):
        hard = ("bench", "--study", "cim", "--network", "vgg16", "--objective", "edp", "--json", "-")
        process = self.start(*hard, "--time-limit", "0.1s")
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual((process.returncode, err), (3, ""))
        document = json.loads(out)
        self.assertFalse(document["complete"])
        one, two = (json.loads(self.study("--parts", "spaces", "--node-limit", "1", "--threads", n,
                                          "--json", "-", expect=3)[0]) for n in ("1", "2"))
        self.assertEqual(one, two)
        self.assertGreater(one["limit"], 0)

    def test_refusals(self):
        for arguments, says in ((("--parts", "none"), "sweeps"),
                                (("--samples", "0"), "--samples"),
                                (("--repeat", "2"), "--repeat: found with --study"),
                                (("--signature-only",), "--signature-only: found with --study"),
                                (("--corpus", "small"), "--corpus: found with --study"),
                                (("--semantics", "table3"), "--semantics: found with --study")):
            with self.subTest(arguments):
                self.assertIn(says, self.study(*arguments, expect=2)[1])
        self.assertIn("cim", self.run_pimbb("bench", "--study", "dram_pim", expect=2)[1])
        _, err = self.run_pimbb("bench", "--study", "cim", "--arch", "arch.yaml", expect=2)
        self.assertIn("--study: found with an architecture of kind", err)
        _, err = self.run_pimbb("bench", "--arch", "cim.yaml", "--parts", "sweeps", expect=2)
        self.assertIn("--parts: found without --study", err)


DEVICE = """
device:
  name: pair
  unit: arch.yaml
  launch: 7
  levels:
    - {name: unit, count: 4, write_bandwidth: 4, read_bandwidth: 2, broadcast: true}
    - {name: channel, count: 2}
"""


class Devices(Workbench):
    def setUp(self):
        super().setUp()
        self.write("device.yaml", DEVICE)
        self.write("corpus.txt", "device.yaml network.yaml:a trace latency,energy\n"
                                 "device.yaml network.yaml trace edp # both shapes\n")

    def document(self, *arguments):
        return json.loads(self.run_pimbb("bench", *arguments, "--json", "-")[0])

    def test_the_corpus_of_decoding(self):
        out, _ = self.run_pimbb("bench", "--device", "all", "--corpus", "small", "--csv", "-", "--timeless")
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual(len(rows), 36)
        self.assertEqual({row["device"] for row in rows},
                         {"hbm_pim_stack", "gddr6_aim_sdk_chip", "upmem_dimm"})
        self.assertEqual({row["layer"].split(":")[0] for row in rows}, {"decode_gemvs"})
        self.assertEqual({row["objective"] for row in rows}, {"latency", "energy", "edp"})
        self.assertEqual({row["status"] for row in rows}, {"optimal"})

    def test_each_case_is_what_map_finds(self):
        document = self.document("--corpus", "corpus.txt")
        self.assertEqual([(case["layer"], case["objective"]) for case in document["cases"]],
                         [("network.yaml:a", "latency,energy"), ("network.yaml:a", "edp"),
                          ("network.yaml:b", "edp")])
        self.assertEqual(list(document["devices"]), ["device.yaml"])
        optima = search = ""
        for case in document["cases"]:
            self.assertEqual(case["device"], "device.yaml")
            out, _ = self.run_pimbb("map", "--device", "device.yaml", "--layer", case["layer"],
                                    "--objective", case["objective"], "--json", "-")
            solved = json.loads(out)
            self.assertEqual(solved["objective"]["value"], case["value"])
            for count in ("splits", "slices", "slices_solved", "nodes", "leaves"):
                self.assertEqual(solved["stats"][count], case[count])
            name = f"device.yaml {case['layer']} trace {case['objective']}"
            optima += f"{name} optimal {case['exact']}\n"
            search += f"{name} {case['slices']} {case['slices_solved']} {case['nodes']}\n"
        self.assertEqual(document["signature"], {"optima": fnv1a(optima), "search": fnv1a(search)})

    def test_devices_of_documents_read_back(self):
        document = self.document("--device", "all", "--corpus", "small", "--objective", "latency", "--network",
                                 "decode_gemvs:gemv_1024")
        self.assertEqual(len(document["devices"]), 3)
        for case in document["cases"]:
            self.write("copy.json", json.dumps(document["devices"][case["device"]]))
            again = self.document("--device", "copy.json", "--objective", "latency", "--network",
                                  "decode_gemvs:gemv_1024")
            self.assertEqual(again["cases"][0]["exact"], case["exact"])
            self.assertEqual(again["devices"]["copy.json"], document["devices"][case["device"]])

    def test_the_answer_does_not_depend_on_threads(self):
        corpus = ("bench", "--corpus", "corpus.txt", "--signature-only")
        one, _ = self.run_pimbb(*corpus, "--threads", "1", "--repeat", "2")
        self.assertEqual(self.run_pimbb(*corpus, "--threads", "2")[0], one)

    def test_limits(self):
        self.write("long.txt", "hbm_pim_stack resnet18:conv5_x trace edp\n")
        document = json.loads(self.run_pimbb("bench", "--corpus", "long.txt", "--node-limit", "1", "--json", "-",
                                             expect=3)[0])
        self.assertGreater(document["summary"]["limit"], 0)

    def test_refused(self):
        for arguments, says in (
                (("--device", "device.yaml", "--arch", "arch.yaml"), ["--device: found beside --arch"]),
                (("--device", "hbm_pim_stak"), ["hbm_pim_stak", "hbm_pim_stack"]),
                (("--device", "device.yaml", "--corpus", "corpus.txt"), ["--device: narrows", "corpus.txt"]),
                (("--device", "all", "--corpus", "corpus.txt"), ["--device: narrows"]),
                (("--arch", "arch.yaml", "--corpus", "corpus.txt"), ["--arch: narrows"]),
                (("--device", "", "--corpus", "small"), ["--device"])):
            with self.subTest(arguments):
                out, err = self.run_pimbb("bench", *arguments, expect=2)
                self.assertEqual(out, "")
                for part in says:
                    self.assertIn(part, err)
        self.write("bad.txt", "device.yaml network.yaml latency\n")
        self.assertIn("DEVICE NETWORK[:LAYER] ROW_MODEL OBJECTIVE",
                      self.run_pimbb("bench", "--corpus", "bad.txt", expect=2)[1])
        self.write("bad.txt", "device.yaml network.yaml trace latency\nnone.yaml network.yaml trace edp\n")
        self.assertIn("bad.txt:2", self.run_pimbb("bench", "--corpus", "bad.txt", expect=2)[1])


class Hard(Workbench):
    """The corpus with machines and layers of its own. Its small part: the machine `levels5`."""

    SMALL = ("--arch", "levels5", "--row-model", "hybrid")

    def listed(self, *selection):
        return self.run_pimbb("bench", "--corpus", "hard", *selection, "--list")[0].splitlines()

    def document(self, *arguments, **options):
        return json.loads(self.run_pimbb("bench", *arguments, "--json", "-", **options)[0])

    def test_list(self):
        lines = self.listed()
        self.assertGreaterEqual(len(lines), 300)
        self.assertEqual(len(set(lines)), len(lines))
        words = [line.split() for line in lines]
        self.assertEqual({row[2] for row in words}, {"analytic", "hybrid", "trace"})
        self.assertEqual({row[3] for row in words}, {"latency", "energy", "edp", "activations"})
        # Everything that the corpus is to have, by the names of machines and layers.
        for machine in ("array64_8k", "array128_8k", "array64_2m", "levels5_free2", "levels8_free6"):
            self.assertIn(machine, {row[0] for row in words})
        for layer in ("hard:rich_240", "hard:rich_5040", "hard:primes", "hard:conv_197", "hard:llm_16384"):
            self.assertIn(layer, {row[1] for row in words})

    def test_options_select(self):
        lines = self.listed()
        for selection, chosen in ((("--arch", "levels5_free2"), lambda row: row[0] == "levels5_free2"),
                                  (("--network", "resnet18"), lambda row: row[1].startswith("resnet18:")),
                                  (("--network", "hard:primes", "--objective", "edp"),
                                   lambda row: (row[1], row[3]) == ("hard:primes", "edp")),
                                  (("--row-model", "trace"), lambda row: row[2] == "trace")):
            with self.subTest(selection):
                self.assertEqual(self.listed(*selection), [x for x in lines if chosen(x.split())])

    def test_machines_and_layers_read_back(self):
        document = self.document("--corpus", "hard", *self.SMALL)
        (case,) = document["cases"]
        self.assertEqual(name(case), "levels5 hard:dilated_28 hybrid activations")
        self.write("machine.json", json.dumps(document["architectures"]["levels5"]))
        self.write("layer.json", json.dumps({"layers": [document["workloads"]["hard:dilated_28"]]}))
        self.write("own.txt", "machine.json layer.json hybrid activations\n")
        again = self.document("--corpus", "own.txt")
        for key in ("exact", "nodes"):
            self.assertEqual(again["cases"][0][key], case[key])
        self.assertEqual(again["architectures"]["machine.json"], document["architectures"]["levels5"])

    def test_refused(self):
        for arguments, says in ((("--corpus", "hard", "--arch", "levels9"), ["--arch", "'levels9'", "levels5"]),
                                (("--corpus", "hard", "--arch", "levels5", "--network", "resnet18"),
                                 ["--network", "'resnet18'", "hard:dilated_28"]),
                                (("--corpus", "hard", "--row-model", "none"), ["--row-model", "analytic"]),
                                (("--corpus", "hard", "--device", "all"), ["--corpus", "'hard'", "full, small"]),
                                (("--corpus", "hard", "--list", "--json", "-"), ["--list", "--json"])):
            with self.subTest(arguments):
                out, err = self.run_pimbb("bench", *arguments, expect=2)
                self.assertEqual(out, "")
                for part in says:
                    self.assertIn(part, err)

    def test_padding_of_layers_counts(self):
        self.write("tokens.yaml", "layers:\n"
                   "  - {name: tokens, R: 1, S: 1, P: 13, Q: 1, C: 4, K: 6, N: 1, pad: {P: 3}}\n")
        self.write("own.txt", "arch.yaml tokens.yaml hybrid latency\n")
        (case,) = self.document("--corpus", "own.txt")["cases"]
        solved = json.loads(self.run_pimbb("map", "--arch", "arch.yaml", "--layer", "tokens.yaml:tokens",
                                           "--row-model", "hybrid", "--objective", "latency", "--json", "-")[0])
        self.assertEqual(case["bounds"], 4)
        for key in ("nodes", "bounds", "bounds_searched"):
            self.assertEqual(solved["stats"][key], case[key])
        self.assertEqual(solved["objective"]["value"], case["value"])


class Refusals(Workbench):
    def refused(self, *arguments, says):
        out, err = self.run_pimbb("bench", *arguments, expect=2)
        self.assertEqual(out, "")
        for part in says:
            self.assertIn(part, err)

    def test_options(self):
        self.refused("--corpus", "large", says=["--corpus", "'large'", "full, small, hard"])
        self.refused("--repeat", "0", says=["--repeat", "1 .. 1000"])
        self.refused("--row-model", "exact", says=["--row-model", "analytic, hybrid, trace"])
        self.refused("--arch", "none.yaml", says=["none.yaml"])
        self.refused("--network", "resnet18:none", says=["none", "conv2_x"])

    def test_corpus_files(self):
        for line, says in (("arch.yaml network.yaml hybrid", ["bad.txt:2", "3 words", "ROW_MODEL"]),
                           ("arch.yaml network.yaml exact edp", ["bad.txt:2", "'exact'", "trace"]),
                           ("arch.yaml network.yaml hybrid speed", ["bad.txt:2", "speed", "edp"]),
                           ("none.yaml network.yaml hybrid edp", ["bad.txt:2", "none.yaml"]),
                           ("arch.yaml network.yaml:c hybrid edp", ["bad.txt:2", "'c'"]),
                           ("# nothing", ["bad.txt", "no case"])):
            with self.subTest(line=line):
                self.write("bad.txt", f"# first\n{line}\n")
                self.refused("--corpus", "bad.txt", says=says)

    def test_filters_do_not_go_with_a_file(self):
        self.write("corpus.txt", CORPUS)
        self.refused("--corpus", "corpus.txt", "--arch", "upmem", says=["--arch", "corpus.txt"])


if __name__ == "__main__":
    unittest.main(argv=["test_bench"])
