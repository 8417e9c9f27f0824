"""The layout of tables, by their exact text at some widths, and reports of linear programs."""

import json
import time
import unittest

from workbench import CROSSBAR_NETWORK, Workbench

DEVICE = """
device:
  name: pair
  unit: arch.yaml
  capacity: 4096
  levels:
    - {name: unit, count: 4, write_bandwidth: 4, read_bandwidth: 2, broadcast: true, energy: 0.25}
    - {name: channel, count: 2}
"""


def lines(text):
    return [line.rstrip() for line in text.strip("\n").split("\n")]


class Tables(Workbench):
    def shows(self, report, table):
        self.assertIn(table.strip("\n"), report)

    def test_presets(self):
        out, _ = self.run_pimbb("presets")
        for table in ("""
Architectures (--arch)
  default_pim           16 x 16 scalar PEs, PELocalBuffer 64 B, GlobalBuffer 2..
  gddr6_aim             1 x 1 reduction_tree PEs of 16 MACs, MacRegister 2 B, ..
""", """
SRAM compute-in-memory (--arch)
  miredo_default                 8 cores x 32 rows x 16 columns, Macro 8 B, In..
""", """
Crossbar accelerators (--arch)
  isaac                         168 cores x 96 crossbars of 128 x 128, multipl..
  pimcomp                       144 cores x 64 crossbars of 128 x 128, multipl..
""", """
Devices (--device)
  gddr6_aim_1350mv_chip  2 channel x 16 unit x gddr6_aim_1350mv
  gddr6_aim_sdk_chip     2 channel x 16 unit x gddr6_aim_sdk
""", """
Networks (--network)
  alexnet             8 layers, 714,188,480 MACs
  bert_base           72 layers, 10,871,635,968 MACs
"""):
            self.shows(out, table)
        out, _ = self.run_pimbb("presets", "alexnet")
        self.shows(out, """
layer (--layer)  shape                      times         MACs
alexnet:conv1    R11 S11 P55 Q55 C3 K64 /4      1   70,276,800
alexnet:conv2    R5 S5 P27 Q27 C64 K192         1  223,948,800
""")

    def test_a_network(self):
        out, _ = self.run_pimbb("network", "--arch", "arch.yaml", "--network", "network.yaml",
                                "--timeless", "--ascii", "--wide")
        names = "layer  shape     times        cycles      energy nJ       rows  PEs used  " \
                "bound by         dataflow   proof             nodes"
        self.assertEqual(lines(out)[4:6], [names, "-" * len(names)])

    def test_a_network_on_a_device(self):
        self.write("device.yaml", DEVICE)
        command = ("network", "--device", "device.yaml", "--network", "network.yaml", "--timeless",
                   "--ascii")
        wide, _ = self.run_pimbb(*command, "--wide")
        table = lines(wide)[4:8]
        self.assertEqual(table[0], "layer  shape     times       cycles     energy nJ       rows  "
                         "units       in         run      out  link bytes  moved  proof       "
                         "slices      nodes")
        self.assertEqual(table[1], "-" * len(table[0]))
        moved = table[0].index("moved")
        self.assertEqual([line[moved:moved + 8] for line in table[2:]], ["io     p", "io     p"])
        narrow, _ = self.run_pimbb(*command)
        self.assertEqual(lines(narrow)[4],
                         "layer  times       cycles     energy nJ  units       in      out  proof")
        self.assertIn("\n--wide also shows: shape, rows, run, link bytes, moved, slices, nodes\n",
                      narrow)

    def test_a_mapping(self):
        out, _ = self.map_tiny("--ascii")
        self.shows(out, "  tensor                                count    share  layout\n  input ")
        self.shows(out, "\n  2 x 2 x 1 of 2 x 2 x 1  ############################  100 %\n")

    def test_an_audit(self):
        self.map_tiny("--method", "greedy", "--quiet", "--json", "greedy.json", expect=3)
        audit = ("audit", "--arch", "arch.yaml", "--layer", "layer.yaml", "--mapping", "greedy.json")
        out, _ = self.run_pimbb(*audit)
        self.shows(out, """
  tensor  given    best    difference  given layout        best layout
  input       6       4            +2  row_aligned, 1 x 6  """)
        self.shows(out, """
  goal          given        best  x optimum     gap
  latency  216 cycles  192 cycles      1.125  11.1 %
""")
        out, _ = self.run_pimbb(*audit, "--json", "-")
        terms = json.loads(out)["terms"]
        for kind, binding in (("cycles", True), ("energy", False), ("row_activations", False),
                              ("utilization", False)):
            self.assertEqual(any("binds" in term for term in terms[kind]), binding)

    def test_operators_beside_the_layers(self):
        self.write("two.yaml", CROSSBAR_NETWORK)
        command = ("network", "--arch", "arch.yaml", "--method", "greedy", "--network")
        out, _ = self.run_pimbb(*command, "two.yaml", expect=3)
        self.assertIn("\nnot counted: 1 operators beside the layers, whose shapes are unknown\n", out)
        self.write("fewer.yaml", CROSSBAR_NETWORK.replace(
            "  - {node: pool, op: MaxPool, window: [2, 2], stride: [2, 2]}\n", ""))
        out, _ = self.run_pimbb(*command, "fewer.yaml", expect=3)
        self.assertNotIn("not counted", out)


class LinearPrograms(Workbench):
    def test_the_report_of_an_optimum(self):
        self.write("third.lp", "Minimize\n cost: x\nSubject To\n a: 3 x >= 1\nEnd\n")
        out, _ = self.run_pimbb("lp", "third.lp")
        self.assertEqual(lines(out)[0], "third.lp: minimise, 1 rows, 1 columns, 1 entries")
        self.assertRegex(lines(out)[1], r"^optimal, proven: objective 0\.3333\d* = 1/3, safe lower ")
        self.write("whole.lp", "Maximize\n cost: x\nSubject To\n a: 3 x <= 6\nGeneral\n x\nEnd\n")
        out, _ = self.run_pimbb("lp", "whole.lp")
        self.assertEqual(lines(out)[1], "1 columns are declared integer; this is the relaxation, "
                         "which lets them be any number")
        self.assertEqual(lines(out)[2], "optimal, proven: objective 2, safe upper bound 2")

    def test_fractions_that_nobody_would_read_are_left_out(self):
        self.write("prime.lp", "Minimize\n cost: x + y\nSubject To\n a: 1000000007 x >= 1\n"
                   " b: 998244353 y >= 1\nEnd\n")
        out, _ = self.run_pimbb("lp", "prime.lp", "--json", "prime.json")
        exact = self.read_json("prime.json")["objective"]["exact"]
        self.assertEqual(exact, "1998244360/998244359987710471")
        self.assertIn(" = " + exact + ", ", out)
        self.write("primes.lp", "Minimize\n cost: x + y + z\nSubject To\n a: 1000000007 x >= 1\n"
                   " b: 998244353 y >= 1\n c: 1000000009 z >= 1\nEnd\n")
        out, _ = self.run_pimbb("lp", "primes.lp", "--json", "primes.json")
        exact = self.read_json("primes.json")["objective"]["exact"]
        self.assertGreater(len(exact), 40)
        self.assertNotIn(" = ", out)

    def test_seconds_are_those_of_the_run_to_a_millionth(self):
        self.write("third.lp", "Minimize\n cost: x\nSubject To\n a: 3 x >= 1\nEnd\n")
        start = time.monotonic()
        self.run_pimbb("lp", "third.lp", "--iteration-limit", "100", "--quiet", "--json", "lp.json")
        seconds = self.read_json("lp.json")["stats"]["seconds"]
        self.assertLessEqual(seconds, time.monotonic() - start)
        self.assertEqual(seconds, round(seconds, 6))


if __name__ == "__main__":
    unittest.main(argv=["test_tables"])
