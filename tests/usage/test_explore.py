"""pimbb explore as a user runs it: the same values as pimbb network on every point, whatever the
number of threads; killed at random moments and gone on with."""

import os
import random
import signal
import time
import unittest
from fractions import Fraction

from workbench import SHARE, Workbench, chosen, not_in_slow_builds

SPACE = """
explore:
  arch: ARCH
  networks: NETWORKS
  objective: OBJECTIVE
  vary:
    pe_array.dim_h: [1, 2, 4]
    levels.GB.entries: {from: 2, to: 32, times: 4}
    activation_energy: [0, 0.5]
  tie: TIE
  cost: "pe_array.dim_h * pe_array.dim_w + levels.GB.entries / 16"
"""


def exact(value):
    """A number of the document."""
    return Fraction(value) if isinstance(value, str) else Fraction(repr(value))


class Explore(Workbench):
    def space(self, objective, arch="arch.yaml", networks="network.yaml", tie="[]"):
        self.write("space.yaml", SPACE.replace("ARCH", arch).replace("NETWORKS", networks)
                   .replace("OBJECTIVE", objective).replace("TIE", tie))

    def explored(self, *options):
        self.run_pimbb("explore", "space.yaml", "--quiet", "--json", "out.json", *options)
        return self.read_json("out.json")

    def test_points_are_those_of_separate_runs(self):
        for objective in chosen(["edp", "latency", "energy,latency", "activations"]):
            self.space(objective)
            out = self.explored()
            self.assertEqual(len(out["points"]), 18)
            for point in chosen(out["points"]):
                changes = [word for path, value in point["values"].items()
                           for word in ("--set", f"{path}={value}")]
                with self.subTest(objective=objective, changes=changes):
                    self.run_pimbb("network", "--network", "network.yaml", "--arch", "arch.yaml",
                                   *changes, "--objective", objective, "--quiet", "--json",
                                   "network.json", expect=0 if point["status"] == "optimal" else 4)
                    alone = self.read_json("network.json")
                    self.assertEqual(point["status"], alone["status"])
                    if point["status"] != "optimal":
                        continue
                    totals = alone["totals"]
                    self.assertEqual(exact(point["objective"]),
                                     Fraction(totals["goals"][0]["exact"]["value"]))
                    self.assertEqual(point["objective"], point["bound"])
                    # Other costs are those of any optimum, but of lists and products these.
                    if objective in ("edp", "energy,latency"):
                        for name in ("latency", "energy"):
                            self.assertEqual(exact(point[name]), Fraction(totals["exact"][name]))

    def test_several_networks_are_summed(self):
        self.space("edp", networks="[network.yaml, chain.yaml]",
                   tie="[[pe_array.dim_h, levels.GB.entries]]")
        out = self.explored()
        self.assertEqual(out["networks"], ["three", "chain"])
        self.assertEqual(len(out["points"]), 6)
        for point in out["points"]:
            for name in ("latency", "energy", "objective"):
                if name in point:
                    self.assertEqual(exact(point[name]),
                                     sum(exact(network[name]) for network in point["networks"]))

    def test_threads_and_pruning_do_not_change_a_byte(self):
        self.space("edp")
        for options in ([], ["--prune"]):
            texts = []
            for threads in ("1", "3"):
                self.run_pimbb("explore", "space.yaml", "--quiet", "--timeless", "--threads", threads,
                               "--json", "out.json", "--csv", "out.csv", *options)
                with open(os.path.join(self.dir, "out.json"), encoding="utf-8") as out:
                    texts.append(out.read())
            self.assertEqual(*texts)

    def test_killed_and_gone_on_with(self):
        arch, network, rows = "simple_pim", "resnet18", [2, 4]
        if SHARE < 10:
            arch, network, rows = "arch.yaml", "network.yaml", list(range(1, 13))
        self.write("space.yaml", f"""
explore:
  arch: {arch}
  networks: [{network}]
  objective: edp
  vary:
    pe_array.dim_h: {rows}
""")
        command = ["explore", "space.yaml", "--quiet", "--timeless", "--journal", "journal",
                   "--resume", "--json", "out.json"]
        journal = os.path.join(self.dir, "journal")

        def lines():
            with open(journal, encoding="utf-8") as file:
                return file.read().splitlines()

        self.run_pimbb(*command)
        whole, searches = self.read("out.json"), len(lines()) - 1
        os.remove(journal)
        draw = random.Random(1)
        for _ in chosen(range(20)):
            size = os.path.getsize(journal) if os.path.exists(journal) else 0
            target = size + draw.randrange(1, searches * 100 // 20)
            process = self.start(*command)
            while process.poll() is None:
                if os.path.exists(journal) and os.path.getsize(journal) >= target:
                    process.send_signal(signal.SIGKILL)
                time.sleep(0.0005)
            process.communicate()
        with open(journal, "a", encoding="utf-8") as file:
            file.write("torn")
        self.run_pimbb(*command)
        self.assertEqual(self.read("out.json"), whole)
        keys = [line.split()[0] for line in lines()[1:]]
        self.assertEqual(len(keys), searches)
        self.assertEqual(len(set(keys)), searches)

    @not_in_slow_builds
    def test_limits_are_said(self):
        self.space("edp")
        self.run_pimbb("explore", "space.yaml", "--quiet", "--node-limit", "1", "--json", "out.json",
                       expect=3)
        out = self.read_json("out.json")
        self.assertEqual(out["status"], "feasible")
        open_points = [point for point in out["points"] if point["status"] == "feasible"]
        self.assertTrue(open_points)
        for point in open_points:
            self.assertLess(exact(point["bound"]), exact(point["objective"]))
        self.run_pimbb("explore", "space.yaml", "--quiet", "--time-limit", "1ms", "--json", "out.json",
                       expect=3)
        self.assertTrue(self.read_json("out.json")["stopped"])

    def test_what_is_wrong_is_said_with_its_place(self):
        self.space("edp")
        text = self.read("space.yaml")
        for old, new, message in [
                ("arch.yaml", "nothing", "space.yaml:3:9: explore.arch: nothing: "),
                ("[1, 2, 4]", "[1, 0]", "space.yaml:7:21: explore.vary: at the point "
                 "pe_array.dim_h=0, levels.GB.entries=2, activation_energy=0: --set "
                 "pe_array.dim_h=0: "),
                ("levels.GB.entries:", "levels.G.entries:", "found 'G'"),
                ("pe_array.dim_w +", "pe_array.dim_x +", "explore.cost: found the path "
                 "pe_array.dim_x, allowed are paths in vary"),
                ("network.yaml", "no_network", "no_network")]:
            self.write("space.yaml", text.replace(old, new))
            with self.subTest(new):
                self.assertIn(message, self.run_pimbb("explore", "space.yaml", expect=2)[1])
        self.assertIn("SPACE: found none", self.run_pimbb("explore", expect=2)[1])

    def test_report_fits_the_page(self):
        self.space("edp")
        report = self.run_pimbb("explore", "space.yaml")[0]
        self.assertLessEqual(max(len(line) for line in report.splitlines()), 80)
        self.assertIn("best", report)

    def read(self, name):
        with open(os.path.join(self.dir, name), encoding="utf-8") as file:
            return file.read()


if __name__ == "__main__":
    unittest.main(argv=["test_explore"])
