"""The commands with crossbar accelerators."""

import fractions
import json
import os
import signal
import subprocess
import time
import unittest

from workbench import CROSSBAR, CROSSBAR_NETWORK, Workbench, not_in_slow_builds

CHECK = os.environ["PIMBB_CHECK"]
MAPPING = {"replication": {"conv": 2, "fc": 1}, "cores": [[["conv", 4]], [["fc", 1]]]}


class Crossbar(Workbench):
    def setUp(self):
        super().setUp()
        self.write("pair.yaml", CROSSBAR)
        self.write("two.yaml", CROSSBAR_NETWORK)
        self.write("mapping.json", json.dumps(MAPPING))

    def text(self, name):
        with open(f"{self.dir}/{name}", encoding="utf-8") as file:
            return file.read()

    def check(self, proof, *arguments, expect=0):
        done = subprocess.run([CHECK, proof, *arguments], cwd=self.dir, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, expect, done.stdout)
        return done.stdout

    def evaluate(self, *arguments, mapping="mapping.json", network="two.yaml", **options):
        return self.run_pimbb("evaluate", "--arch", "pair.yaml", "--network", network,
                              "--mapping", mapping, *arguments, **options)


class Kinds(Crossbar):
    def test_options_of_other_kinds(self):
        _, err = self.evaluate("--row-model", "trace", expect=2)
        self.assertIn("--row-model: found with an architecture of kind crossbar, allowed with kind "
                      "dram_pim", err)
        _, err = self.evaluate("--layer", "layer.yaml", expect=2)
        self.assertIn("--layer: found with an architecture of kind crossbar", err)
        _, err = self.run_pimbb("evaluate", "--arch", "arch.yaml", "--mode", "ht", expect=2)
        self.assertIn("--mode: found with an architecture of kind dram_pim, allowed with kind "
                      "crossbar", err)

    def test_commands_of_other_kinds(self):
        for command in ("map", "trace", "export", "rowmodel"):
            _, err = self.run_pimbb(command, "--arch", "pimcomp", expect=2)
            self.assertIn("--arch: found an architecture of kind crossbar, allowed with this "
                          "command is dram_pim", err)

    def test_presets(self):
        out, _ = self.run_pimbb("presets")
        self.assertIn("\nCrossbar accelerators (--arch)\n", out)
        self.assertIn("  pimcomp_4000 ", out)
        out, _ = self.run_pimbb("presets", "pimcomp")
        self.assertIn("pimcomp: 144 cores x 64 crossbars of 128 x 128, multiplication 800 ns, every "
                      "200 ns\n", out)
        text, _ = self.run_pimbb("presets", "isaac", "--yaml")
        self.assertIn("\ncrossbar_accelerator:\n", text)
        self.write("mine.yaml", text)
        _, err = self.run_pimbb("evaluate", "--arch", "mine.yaml", expect=2)
        self.assertIn("--mapping: found none", err)


class Evaluate(Crossbar):
    def test_all_estimates(self):
        # conv: 2 groups of 1 crossbar and 16 windows, 8 cycles of 4 groups, each max(4 * 2, 8) ns
        out, _ = self.evaluate()
        self.assertIn("two  2 array nodes, 4 of 16 crossbars without replicas\n"
                      "on pair: 2 cores x 8 crossbars of 16 x 4, multiplication 8 ns, every 2 ns\n",
                      out)
        for heading in ("Array nodes", "Cores", "High throughput", "Low latency", "Energy",
                        "Local memory"):
            self.assertIn("\n" + heading, out)
        self.assertRegex(out, r"\n  a  conv +2 +1 +16 +2 +8 +4 +1\n  b  fc +1 +2 +1 +1 +1 +2 +1\n")
        self.assertIn("\n  core 0  aaaa....\n  core 1  bb......\n", out)
        self.assertRegex(out, r"\n  ht 64, ht-roof \d+, ht-code \d+, traffic \d+\n")
        self.assertIn("\n  ll 64, ll-paper 64, ", out)

    def test_the_document_is_a_mapping(self):
        document = json.loads(self.evaluate("--json", "-")[0])
        self.assertEqual(document["format"], "pimbb-crossbar/1")
        self.assertEqual((document["network"], document["accelerator"]), ("two", "pair"))
        self.assertEqual(document["estimates"]["ht"], 64)
        self.assertEqual(document["estimates"]["ll"], 64)
        for key in MAPPING:
            self.assertEqual(document[key], MAPPING[key])
        self.write("again.json", json.dumps(document))
        again = json.loads(self.evaluate("--json", "-", mapping="again.json")[0])
        del document["command"], again["command"]
        self.assertEqual(again, document)
        latency = json.loads(self.evaluate("--json", "-", "--mode", "ll")[0])
        self.assertNotEqual(latency["energy"], document["energy"])
        self.assertEqual(latency["estimates"], document["estimates"])

    def test_equal_cores_are_one_line_and_letters_stand_for_several(self):
        self.write("same.json", json.dumps({"replication": {"conv": 2, "fc": 1},
                                            "cores": [[["conv", 2]], [["conv", 2]], [["fc", 1]]]}))
        changes = ("--set", "cores=3", "--set", "core.crossbars=128")
        out, _ = self.evaluate(*changes, mapping="same.json")
        self.assertIn("a letter for 2 crossbars", out)
        self.assertIn(f"\n  core 0-1  a{'.' * 63}\n  core 2    b{'.' * 63}\n", out)

    def test_broken_rules(self):
        for change, rule in (({"replication": {"conv": 3, "fc": 1}}, "groups"),
                             ({"replication": {"conv": 4, "fc": 1},
                               "cores": [[["conv", 8], ["fc", 1]], []]}, "crossbars")):
            self.write("bad.json", json.dumps({**MAPPING, **change}))
            _, err = self.evaluate(mapping="bad.json", expect=2)
            self.assertIn(f"bad.json: the mapping breaks the rule '{rule}': ", err)
        _, err = self.evaluate(network="chain.yaml", expect=2)
        self.assertIn("mapping.json:1", err)

    def test_networks_that_crossbars_do_not_compute(self):
        _, err = self.evaluate(network="bert_base", expect=2)
        self.assertIn("bert_base: node 'encoder1_attention' (Attention): found", err)
        _, err = self.evaluate(network="network.yaml", expect=2)
        self.assertIn("network.yaml: network 'three': found no graph", err)

    def test_warnings(self):
        _, err = self.evaluate("--set", "core.slices=2", "--strict", expect=2)
        self.assertIn("core.slices: found 2 cells of 2 bits for weights of 16 bits", err)


def nanoseconds(size, bandwidth):
    """Of a transfer; bandwidth in tenths of bytes per ns."""
    return -(-size * 10 // bandwidth)


class Simulation(Crossbar):
    def document(self, *arguments):
        return json.loads(self.evaluate("--simulate", "--json", "-", *arguments)[0])

    def stream(self, name):
        return [json.loads(line) for line in self.text(name).splitlines()]

    def test_what_a_simulation_says(self):
        for mode in ("ht", "ll"):
            self.evaluate("--stream", "stream.jsonl", "--mode", mode)
            lines = self.stream("stream.jsonl")
            found = self.document("--mode", mode)
            simulation = found["simulation"]
            self.assertEqual((simulation["mode"], simulation["policy"]), (mode, "add"))
            self.assertEqual(simulation["instructions"], len(lines))
            memory = sum(nanoseconds(line["bytes"], 640) for line in lines
                         if line["op"] in ("LD", "ST"))
            bus = sum(nanoseconds(line["bytes"], 256) for line in lines if line["op"] == "SEND")
            vector = sum(-(-line["bytes"] // 8) for line in lines
                         if line["op"] in ("VVADD", "ACT", "VEC"))
            self.assertEqual(simulation["busy"],
                             {"memory": memory, "bus": bus, "link": 0, "vector": vector})
            end = simulation["time"]
            # 32 multiplications of 1 crossbar and one of 2, each of 8 ns, on 16 crossbars.
            used = {"arrays": 34 * 8 / 16, "memory": memory, "bus": bus, "link": 0,
                    "vector": vector / 2}
            for part, share in simulation["utilization"].items():
                self.assertAlmostEqual(share * end, used[part])
            self.assertAlmostEqual(simulation["edp"], simulation["energy"]["total"] * end)
            self.assertEqual(set(found["memory"]), {"naive", "add", "ag", "live"})
            out, _ = self.evaluate("--simulate", "--mode", mode)
            self.assertIn(f"\nSimulation  schedule {mode}, policy add; busy times on average\n", out)
            self.assertRegex(out, rf"\n  time {end} ns, {len(lines)} instructions; core \d is the last\n")
            self.assertRegex(out, r"\n  live(, low latency)? +core \d ")

    def test_policies_and_local_memory(self):
        times = {}
        for policy in ("naive", "add", "ag", "live", "exact"):
            found = self.document("--policy", policy)
            times[policy] = found["simulation"]["time"]
            self.assertEqual("live" in found["memory"], policy != "ag")
            self.assertEqual("exact" in found["memory"], policy == "exact")
        self.assertEqual(len({times[policy] for policy in times if policy != "ag"}), 1)
        self.assertGreaterEqual(times["ag"], times["add"])
        self.assertTrue(found["memory"]["exact"]["least"])
        self.assertEqual(found["memory"]["exact"]["bytes"], found["memory"]["live"]["bytes"])
        out, _ = self.evaluate("--simulate", "--policy", "exact")
        self.assertIn("\n  exact, proven least  core", out)
        _, err = self.evaluate("--policy", "live", expect=2)
        self.assertIn("--policy: found without --simulate, allowed with --simulate or --stream", err)

    def test_stream(self):
        out, _ = self.evaluate("--stream", "plain.jsonl")
        plain = self.stream("plain.jsonl")
        self.assertIn(f"\nstream of {len(plain)} instructions: plain.jsonl\n", out)
        self.evaluate("--stream", "timed.jsonl", "--simulate")
        timed = self.stream("timed.jsonl")
        for line in timed:
            self.assertGreaterEqual(line.pop("start"), 0)
        self.assertEqual(plain, timed)
        self.assertEqual({line["op"] for line in plain}, {"MVM", "VVADD", "ACT", "VEC", "LD", "ST"})

    def test_streams_that_cannot_be_written(self):
        for arguments, says in ((("--stream", "no/stream"), "there is no directory"),
                                (("--stream", "-"), "--stream: found '-'"),
                                (("--stream", "a", "--json", "a"), "also the file of --json")):
            _, err = self.evaluate(*arguments, expect=2)
            self.assertIn(says, err)

    def test_limits_leave_no_file(self):
        before = sorted(os.listdir(self.dir))
        out, _ = self.evaluate("--stream", "stream.jsonl", "--simulate", "--memory-limit", "100",
                               expect=3)
        self.assertIn("\nnot simulated: simulation: memory limit: found 100 bytes", out)
        self.assertIn("\nno stream written to stream.jsonl: ", out)
        self.assertEqual(sorted(os.listdir(self.dir)), before)

    def test_interruption(self):
        before = sorted(os.listdir(self.dir))
        process = self.start("network", "--arch", "pimcomp", "vgg16", "--method", "puma", "--objective",
                             "traffic", "--simulate", "--stream", "stream.jsonl")
        self.assertIn("vgg16", process.stdout.readline())
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual((process.returncode, err), (3, ""), out)
        self.assertIn("\nnot simulated: simulation: stopped before its end", out)
        self.assertEqual(sorted(os.listdir(self.dir)), before)

    def test_network(self):
        arguments = ("network", "--arch", "pair.yaml", "two.yaml", "--objective", "ll", "--simulate",
                     "--stream", "stream.jsonl", "--log", "log.jsonl", "--json", "-")
        found = json.loads(self.run_pimbb(*arguments)[0])
        self.assertEqual(found["simulation"]["mode"], "ll")
        self.assertEqual(found["simulation"]["instructions"], len(self.stream("stream.jsonl")))
        self.assertEqual(self.stream("log.jsonl")[-1]["simulated_time"], found["simulation"]["time"])
        self.write("best.json", json.dumps(found))
        again = json.loads(self.evaluate("--simulate", "--mode", "ll", "--json", "-",
                                         mapping="best.json")[0])
        self.assertEqual(again["simulation"], found["simulation"])


class SimulatedTime(Crossbar):
    def network(self, *arguments, **options):
        return self.run_pimbb("network", "--arch", "pair.yaml", "two.yaml", "--objective", "sim",
                              *arguments, **options)

    def test_the_objective(self):
        for mode in ("ht", "ll"):
            out, _ = self.network("--mode", mode, "--node-limit", "60", "--json", "best.json", expect=3)
            self.assertIn(f"\nminimise the simulated time in the schedule {mode}\n", out)
            self.assertRegex(out, r"\nbest found: sim \d+ ns, bound \d+ \(gap [\d.]+ %\)\n"
                                  r"\d+ starts, 60 simulations, ")
            best = self.read_json("best.json")
            claim = best["objective"]
            self.assertEqual((claim["name"], claim["method"], claim["seed"]), ("sim", "exact", 1))
            self.assertEqual(claim["value"], best["simulation"]["time"])
            self.assertLess(claim["bound"], claim["value"])
            self.assertRegex(out, r"\nBound  \d+ ns by (memory|multiplications|windows); shares of ")
            self.assertEqual(best["stats"]["simulations"], 60)
            self.assertGreaterEqual(best["stats"]["start_time"], claim["value"])
            given = json.loads(self.evaluate("--json", "-", "--mode", mode, "--simulate",
                                             mapping="best.json")[0])
            self.assertEqual(given["simulation"], best["simulation"])

    def test_it_repeats(self):
        one, two = (json.loads(self.network("--mode", "ll", "--threads", threads, "--timeless", "--json",
                                            "-", expect=3)[0]) for threads in ("1", "2"))
        self.assertEqual(one, two)

    def test_what_it_is_not_for(self):
        for arguments, says in (
                (("--method", "puma"), "--objective: found 'sim', allowed are the estimates with"),
                (("--policy", "ag"), "--policy: found 'ag', allowed are naive, add, live and exact"),
                (("--proof", "best.proof"), "--proof: found --method exact, allowed with a proof is "
                                            "exact, for the objectives ht and ll")):
            _, err = self.network(*arguments, expect=2)
            self.assertIn(says, err)


class Bench(Crossbar):
    def test_cases_are_networks(self):
        self.write("corpus.txt", "pair.yaml two.yaml exact ht  # a comment\n"
                                 "pair.yaml two.yaml exact ll\npair.yaml two.yaml exact ht\n")
        out, _ = self.run_pimbb("bench", "--corpus", "corpus.txt")
        self.assertRegex(out, r"architecture +network +method +objective +proof")
        self.assertIn("\n2 of 2 cases: 2 proven, 0 infeasible, 0 at a limit\n", out)
        found = json.loads(self.run_pimbb("bench", "--corpus", "corpus.txt", "--timeless", "--json",
                                          "-")[0])
        self.assertEqual([case["exact"] for case in found["cases"]], ["34", "128/7"])
        self.assertEqual({case["network"] for case in found["cases"]}, {"two.yaml"})
        self.assertNotIn("workloads", found)
        self.write("again.yaml", json.dumps(found["architectures"]["pair.yaml"]))
        again = self.run_pimbb("network", "--arch", "again.yaml", "two.yaml", "--json", "-", "--timeless")
        first = self.run_pimbb("network", "--arch", "pair.yaml", "two.yaml", "--json", "-", "--timeless")
        again, first = (json.loads(text[0]) for text in (again, first))
        del again["command"], first["command"]
        self.assertEqual(again, first)
        self.run_pimbb("bench", "--corpus", "corpus.txt", "--csv", "table.csv")
        self.assertTrue(self.text("table.csv").startswith(
            "architecture,network,method,objective,status,value,bound,gap,exact,starts,steps,nodes,"
            "leaves,memory,seconds\n"))

    def test_signature(self):
        out = [self.run_pimbb("bench", "--arch", "pair.yaml", "--network", "two.yaml",
                              "--signature-only", "--threads", threads)[0] for threads in ("1", "2")]
        self.assertEqual(out[0], out[1])
        self.assertRegex(out[0], r"^optima [0-9a-f]{16}\nsearch [0-9a-f]{16}\n$")

    def test_other_methods_and_what_is_not_allowed(self):
        out, _ = self.run_pimbb("bench", "--arch", "pair.yaml", "--network", "two.yaml", "--method",
                                "uniform", "--objective", "ht", expect=3)
        self.assertIn("gap 46.9 %", out)
        self.write("corpus.txt", "pair.yaml two.yaml fast ht\n")
        _, err = self.run_pimbb("bench", "--corpus", "corpus.txt", expect=2)
        self.assertIn("corpus.txt:1: method: found 'fast'", err)
        self.write("corpus.txt", "pair.yaml two.yaml ht\n")
        _, err = self.run_pimbb("bench", "--corpus", "corpus.txt", expect=2)
        self.assertIn("corpus.txt:1: found 3 words, allowed are 4: ARCH NETWORK METHOD OBJECTIVE", err)
        _, err = self.run_pimbb("bench", "--arch", "pair.yaml", "--row-model", "trace", expect=2)
        self.assertIn("--row-model: found with an architecture of kind crossbar", err)


class Network(Crossbar):
    def network(self, *arguments, **options):
        return self.run_pimbb("network", "--arch", "pair.yaml", "two.yaml", *arguments, **options)

    def answer(self, *arguments, **options):
        return json.loads(self.network(*arguments, "--json", "-", **options)[0])

    def test_optima(self):
        # ht: 16 windows of 2 groups and one of fc are 33 starts, 17 of them in one core, every 2 ns.
        # ll: 16 * 8 ns / R * (0.75 + 0.25), at most 7 replicas beside fc.
        for goal, optimum in (("ht", "34"), ("ll", "128/7")):
            best = self.answer("--objective", goal)
            self.assertEqual((best["format"], best["status"]), ("pimbb-crossbar/1", "optimal"))
            claim = best["objective"]
            self.assertEqual((claim["name"], claim["method"], claim["gap"]), (goal, "exact", 0))
            self.assertEqual(claim["exact"], {"value": optimum, "bound": optimum})
            self.assertEqual(claim["value"], best["estimates"][goal])
            self.write("best.json", json.dumps(best))
            again = json.loads(self.evaluate("--json", "-", "--mode", goal, mapping="best.json")[0])
            for key in ("replication", "cores", "estimates", "energy", "memory"):
                self.assertEqual(again[key], best[key])
        self.assertEqual(best["replication"], {"conv": 7, "fc": 1})

    def test_report(self):
        out, _ = self.network("--objective", "ll")
        self.assertIn("\nminimise ll\n", out)
        self.assertIn("\nCores  a letter for each crossbar\n", out)
        self.assertRegex(out, r"\noptimal, proven: ll 18\.286 ns \(gap 0\)\n")
        self.assertIn("\nBound  18.286 ns by search; shares of the value\n", out)
        out, _ = self.network()
        self.assertIn("\nBound  34 ns by multiplications; shares of the value\n", out)
        self.assertEqual(self.network("--quiet")[0], "")

    @not_in_slow_builds
    def test_estimates_without_an_exact_search(self):
        for goals in ("ht-roof", "ht-code", "ll-paper", "ll-code", "traffic", "energy", "edp",
                      "ht-roof,traffic", "ht,energy"):
            process = self.start("network", "--arch", "pair.yaml", "two.yaml", "--objective", goals,
                                 "--json", "-", "--timeless")
            out, err = process.communicate(timeout=300)
            self.assertEqual(err, "")
            found = json.loads(out)
            self.assertEqual(found["status"], ("optimal", 0, 0, "feasible")[process.returncode])
            claim = found["objective"]
            self.assertEqual((claim["name"], claim["method"]), (goals, "exact"))
            claims = [claim, *claim.get("then", [])]
            self.assertEqual(len(claims), 1 + goals.count(","))
            self.assertTrue(all(0 < each["bound"] <= each["value"] or each["value"] == 0
                                for each in claims))
            self.assertEqual(found["status"] == "optimal", all(each["gap"] == 0 for each in claims))
        # Each replica of conv fits a core, so that no sum need be sent.
        out, _ = self.network("--objective", "traffic")
        self.assertRegex(out, r"\noptimal, proven: traffic 0 ns \(gap 0\)\n")

    @not_in_slow_builds
    def test_heuristics_and_their_gap(self):
        best = self.answer("--objective", "ht")["objective"]["value"]
        for method, *limit in (("puma",), ("w0h0",), ("uniform",), ("ga", "--node-limit", "300")):
            for goal in ("ht", "ht-roof", "ht-code", "ll", "ll-paper", "ll-code", "traffic", "energy",
                         "edp"):
                process = self.start("network", "--arch", "pair.yaml", "two.yaml", "--method", method,
                                     "--objective", goal, "--json", "-", "--timeless", *limit)
                out, err = process.communicate(timeout=300)
                self.assertEqual(err, "")
                self.assertIn(process.returncode, (0, 3))
                found = json.loads(out)
                self.assertEqual(found["status"], ("optimal", 0, 0, "feasible")[process.returncode])
                claim = found["objective"]
                self.assertEqual((claim["name"], claim["method"]), (goal, method))
                self.assertLessEqual(claim["bound"], claim["value"])
                self.assertEqual(found["status"] == "optimal", claim["gap"] == 0)
                if goal == "ht":
                    self.assertEqual(claim["bound"], best)
                if goal in found["estimates"]:
                    self.assertEqual(claim["value"], found["estimates"][goal])
                self.assertNotIn("seconds", found["stats"])
                self.assertEqual("evaluations" in found["stats"], method == "ga")
        out, _ = self.network("--method", "uniform", expect=3)
        self.assertIn("\nminimise ht by uniform\n", out)
        self.assertRegex(out, r"\nuniform, not proven: ht 64 ns, bound 34 \(gap 46\.9 %\)\n"
                              r"ht 1\.8824 times the optimum 34 ns\n")

    @not_in_slow_builds
    def test_the_genetic_algorithm_repeats(self):
        first, again, other = (self.answer("--method", "ga", "--objective", "ht-code", "--seed", seed,
                                           "--threads", threads, "--timeless", expect=3)
                               for seed, threads in (("1", "1"), ("1", "2"), ("2", "1")))
        self.assertEqual(first, again)
        self.assertEqual(other["objective"]["seed"], 2)

    def test_what_is_not_allowed(self):
        _, err = self.network("--objective", "ht-roof,traffic", "--method", "ga", expect=2)
        self.assertIn("--objective: found 'ht-roof,traffic', allowed", err)
        _, err = self.network("--objective", "traffic,ht,traffic", expect=2)
        self.assertIn("allowed are each objective once", err)
        _, err = self.network("--objective", "ht,sim", expect=2)
        self.assertIn("allowed are lists of estimates, or sim alone", err)
        _, err = self.network("--seed", str(2**62 + 1), expect=2)
        self.assertIn("--seed: found '4611686018427387905', allowed", err)
        _, err = self.network("--objective", "lh", expect=2)
        self.assertIn("--objective: found 'lh'", err)
        _, err = self.network("--method", "greedy", expect=2)
        self.assertIn("--method: found 'greedy'", err)
        _, err = self.network("--agree-layouts", expect=2)
        self.assertIn("--agree-layouts: found with an architecture of kind crossbar", err)

    def test_proofs(self):
        for goal, optimum in (("ht", "34"), ("ll", "128/7")):
            out, _ = self.network("--objective", goal, "--proof", "best.proof")
            self.assertRegex(out, r"\nproof of [\d,]+ records, [\d,]+ bytes; to verify it: "
                                  r"pimbb-check best\.proof\n")
            self.assertIn(f"goal {goal} {optimum}\n", self.text("best.proof"))
            self.assertIn("proof accepted: optimum", self.check("best.proof"))
        # another seed is another path to the same optimum
        self.network("--seed", "7", "--proof", "best.proof")
        self.check("best.proof")
        self.write("forged.proof", self.text("best.proof").replace("goal ht 34", "goal ht 33"))
        self.check("forged.proof", expect=1)

    def test_proofs_of_bounds_and_of_infeasibility(self):
        bound = json.loads(self.run_pimbb("network", "--arch", "pimcomp", "vgg16", "--time-limit", "1",
                                          "--proof", "bound.proof", "--json", "-", expect=3)[0])
        claim = bound["objective"]["exact"]
        self.assertIn(f"goal ht {claim['value']} {claim['bound']}\n", self.text("bound.proof"))
        self.check("bound.proof")
        out, _ = self.network("--set", "core.crossbars=2", "--set", "cores=1", "--proof", "none.proof",
                              expect=4)
        self.assertIn("to verify it: pimbb-check none.proof", out)
        self.check("none.proof")

    def test_proofs_that_are_not_written(self):
        before = sorted(os.listdir(self.dir))
        for arguments, says in (
                (("--method", "puma"), "--proof: found --method puma, allowed with a proof is exact"),
                (("--set", "core.enforce_local_memory=true"), "--proof: found core.enforce_local_memory"),
                (("--json", "a.proof"), "--proof: found 'a.proof', which is also the file of --json")):
            _, err = self.network("--proof", "a.proof", *arguments, expect=2)
            self.assertIn(says, err)
        self.assertEqual(sorted(os.listdir(self.dir)), before)

    def audit(self, *arguments, **options):
        return self.run_pimbb("audit", "--arch", "pair.yaml", "--network", "two.yaml", "--mapping",
                              "mapping.json", *arguments, **options)

    def test_audit(self):
        out, _ = self.audit("--proof", "best.proof")
        self.assertIn("\nthe mapping of mapping.json against the best: minimise ht\n", out)
        for heading in ("Replicas", "Times", "Energy", "Distance"):
            self.assertIn("\n" + heading, out)
        self.assertRegex(out, r"\n  conv +2 +4 +-2\n  fc +1 +1 +0\n")
        self.assertRegex(out, r"\n  arrays +64 +34 +\+30\n")
        self.assertRegex(out, r"\n  ht +64 +34 +34 +1\.8824\n  ht-roof +64 +\d+ +34 +1\.8824\n"
                              r"  ht-code +129 +[\d,]+ +34 +3\.7941\n")
        self.assertIn("\nnot optimal, proven: ht is 1.8824 x the optimum, 34 ns\n", out)
        self.check("best.proof")
        found = json.loads(self.audit("--objective", "ll", "--json", "-")[0])
        self.assertEqual((found["format"], found["standing"], found["certified"]),
                         ("pimbb-crossbar-audit/1", "not_optimal", True))
        goals = {goal["name"]: goal for goal in found["goals"]}
        self.assertEqual(set(goals), {"ll", "ll-paper"})
        self.assertEqual(goals["ll"]["exact"], {"given": "64", "value": "128/7", "bound": "128/7"})
        self.assertAlmostEqual(goals["ll"]["ratio"], 64 * 7 / 128)
        self.assertEqual(found["given"]["cores"], MAPPING["cores"])
        self.assertEqual(found["best"]["replication"], {"conv": 7, "fc": 1})

    def test_audit_of_the_best(self):
        self.network("--objective", "ll", "--json", "mapping.json")
        out, _ = self.audit("--objective", "ll")
        self.assertIn("\noptimal, proven: no mapping is better in ll\n", out)
        self.assertEqual(json.loads(self.audit("--objective", "ll", "--json", "-")[0])["standing"],
                         "optimal")
        _, err = self.audit("--objective", "traffic", expect=2)
        self.assertIn("--objective: found 'traffic', allowed", err)

    def test_audit_bounds_the_estimate_of_the_tool_where_it_is_no_less(self):
        # A core does one multiplication of 8 ns after another, or starts one each interval.
        for interval, bounded in ((8, {"ht", "ht-roof", "ht-code"}), (9, {"ht", "ht-roof"})):
            found = json.loads(self.audit("--set", f"mvm.interval={interval}", "--json", "-")[0])
            self.assertEqual({goal["name"] for goal in found["goals"]}, bounded)

    @not_in_slow_builds
    def test_audit_without_a_proof(self):
        self.run_pimbb("network", "--arch", "pimcomp", "vgg16", "--method", "puma", "--objective",
                       "traffic", "--json", "puma.json", expect=3)
        out, _ = self.run_pimbb("audit", "--arch", "pimcomp", "--network", "vgg16", "--mapping",
                                "puma.json", "--time-limit", "1", expect=3)
        self.assertRegex(out, r"\nnot proven: ht is at most [\d.]+ x the optimum \(bound [\d,]+\)\n")

    def test_networks_that_do_not_fit(self):
        for method in ((), ("--method", "puma"), ("--method", "ga")):
            found = self.answer("--set", "core.crossbars=2", "--set", "cores=1", *method, expect=4)
            self.assertEqual(found["status"], "infeasible")
            self.assertNotIn("cores", found)

    def test_log(self):
        self.network("--log", "log.jsonl", "--timeless")
        with open(f"{self.dir}/log.jsonl", encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        self.assertEqual((lines[0]["event"], lines[-1]["event"]), ("start", "end"))
        self.assertEqual(lines[0]["network"], "two")
        self.assertEqual((lines[-1]["status"], lines[-1]["goals"][0]["name"]), ("optimal", "ht"))


class Pareto(Crossbar):
    def pareto(self, *arguments, **options):
        return self.run_pimbb("pareto", "--arch", "pair.yaml", "--network", "two.yaml", *arguments, **options)

    def front(self, *arguments, **options):
        return json.loads(self.pareto(*arguments, "--json", "-", "--timeless", **options)[0])

    def test_a_complete_front(self):
        # 7, 6 and 4 replicas of conv: 16 * 8 ns / R, and 3, 3 and 4 cycles. 14 groups in 16 crossbars
        # beside fc are 8 and 6, 3 * 8 * 2 ns; 12 are 6 and 6, one core with fc: (7 + 6 + 6) * 2 ns; 8
        # are 4 and 4: (5 + 4 + 4 + 4) * 2 ns, which is the least of all.
        front = self.front()
        self.assertEqual((front["format"], front["status"], front["covered"], front["open"]),
                         ("pimbb-crossbar-front/1", "complete", "1", []))
        self.assertEqual([point["exact"] for point in front["points"]],
                         [{"ht": "34", "ll": "32"}, {"ht": "38", "ll": "64/3"}, {"ht": "48", "ll": "128/7"}])
        for point in front["points"]:
            self.write("point.json", json.dumps(point["mapping"]))
            again = json.loads(self.evaluate("--json", "-", mapping="point.json")[0])
            self.assertEqual({key: again[key] for key in point["metrics"]}, point["metrics"])
            self.assertEqual((again["estimates"]["ht"], again["estimates"]["ll"]), (point["ht"], point["ll"]))
        turned = self.front("--axes", "ll,ht")
        self.assertEqual([point["exact"] for point in turned["points"]],
                         [point["exact"] for point in reversed(front["points"])])
        few = self.front("--points", "2")
        self.assertEqual([point["ht"] for point in few["points"]], [34, 48])
        self.assertEqual((few["found"], few["within"]), (3, "5/19"))

    def test_report_and_table(self):
        out, _ = self.pareto()
        self.assertIn("\nfront of ht and ll of one mapping\n", out)
        self.assertIn("\ncomplete, proven: 3 points, ht 34 to 48 ns, ll 18.286 to 32 ns\n", out)
        table, _ = self.pareto("--csv", "-")
        self.assertEqual(len(table.splitlines()), 4)
        self.assertIn("ht", table.splitlines()[0])

    def test_limits_leave_boxes_open(self):
        arguments = ("pareto", "--arch", "pimcomp", "--network", "alexnet", "--node-limit", "2000", "--timeless",
                     "--json", "-")
        texts = [self.run_pimbb(*arguments, "--threads", threads, expect=3)[0] for threads in ("1", "2")]
        self.assertEqual(texts[0], texts[1])
        front = json.loads(texts[0])
        self.assertEqual(front["status"], "partial")
        self.assertGreater(len(front["open"]), 0)
        self.assertLessEqual(front["stats"]["nodes"], 2000)

    def test_nothing_fits(self):
        front = self.front("--set", "core.crossbars=2", "--set", "cores=1", expect=4)
        self.assertEqual((front["status"], front["points"]), ("infeasible", []))

    def test_what_is_not_allowed(self):
        for axes in ("ht,energy", "latency,energy", "ht", "ht,ht"):
            _, err = self.pareto("--axes", axes, expect=2)
            self.assertIn(f"--axes: found '{axes}', allowed with kind crossbar are ht,ll and ll,ht", err)

    def test_a_front_is_proven(self):
        out, _ = self.pareto("--proof", "front.proof")
        self.assertRegex(out, r"proof of [\d,]+ records, [\d,]+ bytes; to verify it: pimbb-check front\.proof\n")
        self.assertTrue(self.text("front.proof").startswith("pimbb-crossbar-front-proof/1\n"))
        self.assertIn("proof accepted: front of ht, ll: 3 points\n", self.check("front.proof"))
        self.pareto("--axes", "ll,ht", "--proof", "turned.proof", "--quiet")
        self.assertIn("proof accepted: front of ll, ht: 3 points\n", self.check("turned.proof"))
        self.pareto("--set", "core.crossbars=2", "--set", "cores=1", "--proof", "none.proof", expect=4)
        self.assertIn("0 points, infeasible", self.check("none.proof"))
        self.write("front.proof", self.text("front.proof").replace("\npoints 3\n", "\npoints 2\n"))
        self.check("front.proof", expect=1)

    def test_fronts_that_are_not_proven(self):
        for arguments in (("--points", "2"), ("--within", "1%"), ("--set", "core.enforce_local_memory=true"),
                          ("--json", "x.proof")):
            _, err = self.pareto(*arguments, "--proof", "x.proof", expect=2)
            self.assertIn("--proof: found", err)
        out, _ = self.run_pimbb("pareto", "--arch", "pimcomp", "--network", "alexnet", "--node-limit", "200",
                                "--proof", "x.proof", expect=3)
        self.assertIn("no proof written to x.proof: the search did not end\n", out)
        self.assertNotIn("x.proof", os.listdir(self.dir))


class Top(Crossbar):
    def top(self, *arguments, **options):
        return self.run_pimbb("top", "--arch", "pair.yaml", "--network", "two.yaml", *arguments, **options)

    def document(self, *arguments, **options):
        return json.loads(self.top(*arguments, "--json", "-", "--timeless", **options)[0])

    def test_every_replication_is_a_class(self):
        # conv has 1 to 7 replicas: 16 crossbars less 2 for fc; see the front for 4, 6 and 7
        top = self.document()
        self.assertEqual((top["format"], top["status"], top["range"]), ("pimbb-crossbar-top/1", "complete", {"k": 20}))
        self.assertEqual(len(top["classes"]), 7)
        costs = {each["text"]: each["exact"]["ht"] for each in top["classes"]}
        self.assertEqual((costs["4 1"], costs["6 1"], costs["7 1"]), ("34", "38", "48"))
        self.assertEqual(top["classes"][0]["text"], "4 1")
        self.assertEqual(top["optimal"], {"classes": 1, "all": True, "mappings": top["classes"][0]["mappings"]})
        self.assertEqual(top["tied"], {"classes": 0, "all": True})
        for each in top["classes"]:
            self.assertEqual([str(r) for r in each["mapping"]["replication"].values()], each["text"].split())
            self.write("class.json", json.dumps(each["mapping"]))
            again = json.loads(self.evaluate("--json", "-", mapping="class.json")[0])
            self.assertEqual(again["estimates"]["ht"], each["values"]["ht"])
            self.assertGreaterEqual(each["mappings"], 1)

    def test_low_latency_within_a_share(self):
        top = self.document("--objective", "ll", "--within", "50%", "--most", "2")
        # 16 * 8 ns / R: 7, 6 and 5 replicas are within half as much again
        self.assertEqual([each["text"] for each in top["classes"]], ["7 1", "6 1"])
        self.assertEqual((top["status"], top["within"]["classes"], top["tied"]["classes"]), ("complete", 3, 0))

    def test_report_and_table(self):
        out, _ = self.top("--k", "2")
        self.assertIn("\nbest replications under ht\n", out)
        self.assertIn("\nreplicas of the best: conv 4, fc 1\n", out)
        self.assertIn("complete: no other class costs less than the last one", out)
        self.assertRegex(out, r"optimal: 1 class with [0-9]+ mappings")
        table, _ = self.top("--k", "2", "--csv", "-")
        self.assertEqual(len(table.splitlines()), 3)
        out, _ = self.top("--k", "2", "--set", "core.enforce_local_memory=true")
        self.assertIn("not counted", out)

    def test_room_for_everything(self):
        arguments = ("top", "--arch", "pimcomp", "--network", "alexnet", "--k", "3", "--node-limit", "20000",
                     "--timeless", "--json", "-")
        texts = [self.run_pimbb(*arguments, "--threads", threads, expect=3)[0] for threads in ("1", "2")]
        self.assertEqual(texts[0], texts[1])
        top = json.loads(texts[0])
        self.assertLessEqual(top["stats"]["nodes"], 20000)
        for each in top["classes"]:
            self.assertLessEqual(fractions.Fraction(str(each.get("bound", 0))),
                                 fractions.Fraction(each["exact"]["ht"]))

    def test_limits_and_refusals(self):
        top = self.document("--node-limit", "1", expect=3)
        self.assertEqual(top["status"], "partial")
        self.assertIn("bound", top)
        top = self.document("--set", "core.crossbars=2", "--set", "cores=1", expect=4)
        self.assertEqual((top["status"], top["classes"]), ("infeasible", []))
        _, err = self.top("--objective", "energy", expect=2)
        self.assertIn("--objective: found 'energy', allowed", err)
        _, err = self.top("--k", "2", "--within", "1%", expect=2)
        self.assertIn("--k: found beside --within", err)
        _, err = self.top("--at-most", "ht=1", expect=2)
        self.assertIn("--at-most", err)


if __name__ == "__main__":
    unittest.main(argv=["test_crossbar"])
