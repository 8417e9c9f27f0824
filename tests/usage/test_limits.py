"""Searches that are cut short: limits, interruptions, and what the terminal shows meanwhile."""

import json
import os
import re
import signal
import time
import unittest

from workbench import Workbench, environment, not_in_slow_builds

# A problem whose proof takes far longer than any of these tests waits.
HARD = ("map", "--arch", "hbm_pim", "--layer", "vgg16:conv2_2", "--objective", "activations",
        "--without", "joint")
# Seven levels with large buffers, four of which may be bypassed: hours of tables.
BUFFER = """
    - {name: B%d, entries: %d, access_cost: %s,
       stores: [true, true, true], read_bandwidth: 32, write_bandwidth: 32, bypass_defined: %s}"""
DEEP = ("""
architecture:
  name: deep
  pe_array: {dim_h: 8, dim_w: 8, unit_type: scalar, num_macs: 1, mac_energy: 0.00056}
  memory_hierarchy:
    - {name: PE, entries: 16, blocksize: 4, latency: 1, access_cost: 0.001,
       stores: [true, true, true]}"""
        + "".join(BUFFER % (k, 128 << 2 * k, 0.01 + 0.01 * k, "false" if k else "true")
                  for k in range(4)) + """
    - {name: RB, entries: 1048576, blocksize: 16, latency: 1, access_cost: 0.05,
       stores: [true, true, true], row_buffer_size: 1048576, read_bandwidth: 16}
    - {name: DRAM, entries: -1, access_cost: 0.1}
  dram_timings: {tRCDRD: 14, tRP: 14}
""")

# Its tiles are so many that tables take minutes.
RICH = """
layers:
  - {name: rich, R: 3, S: 3, P: 240, Q: 240, C: 720, K: 720, N: 16}
"""


class Limits(Workbench):
    def has_answer(self, result):
        self.assertEqual(result["status"], "feasible")
        self.assertIn("mapping", result)
        objective = result["objective"]
        self.assertGreater(objective["bound"], 0)
        self.assertLess(objective["bound"], objective["value"])
        self.assertAlmostEqual(objective["gap"], 1 - objective["bound"] / objective["value"])

    def test_time_limit(self):
        out, _ = self.run_pimbb(*HARD, "--time-limit", "2", "--json", "best.json", expect=3)
        self.assertRegex(out, r"\nlimit hit: activations [\d,.]+, bound [\d,.]+ \(gap (> )?[\d.]+ %\)")
        self.has_answer(self.read_json("best.json"))

    @not_in_slow_builds
    def test_node_limit_repeats(self):
        one, two = (json.loads(self.run_pimbb(*HARD, "--node-limit", "3", "--threads", threads,
                                              "--json", "-", expect=3)[0])
                    for threads in ("1", "2"))
        for result in (one, two):
            self.assertEqual(result["status"], "feasible")
            del result["stats"]["seconds"], result["stats"]["threads"]
        self.assertEqual(one, two)

    def test_network_time_limit_holds_for_all_layers(self):
        out, _ = self.run_pimbb("network", "--arch", "hbm_pim", "--network", "vgg16",
                                "--objective", "activations", "--without", "joint", "--time-limit", "2",
                                "--json", "net.json", expect=3)
        self.assertIn("not all proven: ", out)
        layers = self.read_json("net.json")["layers"]
        self.assertEqual(len(layers), 12)
        for layer in layers:
            self.assertIn(layer["status"], ("optimal", "feasible"))
            self.assertIsNotNone(layer["mapping"])

    def test_tables_end_at_the_limit_too(self):
        """Tables that would take minutes; the bound and some mapping are there all the same."""
        self.write("deep.yaml", DEEP)
        self.write("rich.yaml", RICH)
        for objective in ("energy", "edp", "energy,latency"):
            self.run_pimbb("map", "--arch", "deep.yaml", "--layer", "rich.yaml:rich",
                           "--objective", objective, "--time-limit", "0.2", "--json", "best.json",
                           expect=3)
            self.has_answer(self.read_json("best.json"))

    def test_interruption_of_tables(self):
        self.write("deep.yaml", DEEP)
        self.write("rich.yaml", RICH)
        process = self.start("map", "--arch", "deep.yaml", "--layer", "rich.yaml:rich",
                             "--objective", "energy", "--json", "best.json")
        process.stdout.readline()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        self.assertEqual((process.returncode, err), (3, ""), out)
        self.assertIn("\ninterrupted: energy ", out)
        self.has_answer(self.read_json("best.json"))

    def test_memory_limit(self):
        """Far too little for best first alone: the same answer as with plenty."""
        arguments = ("map", "--layer", "resnet18:conv4_down", "--objective", "edp", "--json", "-")
        free = json.loads(self.run_pimbb(*arguments)[0])
        tight = json.loads(self.run_pimbb(*arguments, "--memory-limit",
                                          str(free["stats"]["memory"] * 9 // 10))[0])
        self.assertEqual(tight["objective"], free["objective"])
        self.assertLess(tight["stats"]["memory"], free["stats"]["memory"])

    def test_interruption(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start(*HARD, "--json", "best.json")
            first = process.stdout.readline()  # the title: the search begins
            self.assertIn("conv2_2", first)
            time.sleep(1)
            process.send_signal(number)
            out, err = process.communicate(timeout=120)
            self.assertEqual((process.returncode, err), (3, ""), out)
            self.assertIn("\ninterrupted: activations ", out)
            self.has_answer(self.read_json("best.json"))


class Terminal(Workbench):
    def test_progress_is_shown_and_cleared(self):
        screen, code = self.on_a_terminal(*HARD, "--time-limit", "3.5")
        self.assertEqual(code, 3)
        lines = re.findall(r"\r(gap [^\r\n]* %  \d+ s[^\r\n]*)", screen)
        self.assertGreaterEqual(len(lines), 1)
        self.assertIn("activations  best ", lines[-1])
        after = screen[screen.rindex(lines[-1]) + len(lines[-1]):]
        self.assertRegex(after, r"^\r +\r")

    def test_no_progress_when_quiet(self):
        screen, code = self.on_a_terminal(*HARD, "--time-limit", "2.5", "--quiet")
        self.assertEqual((screen, code), ("", 3))

    def test_colour_unless_it_is_not_wanted(self):
        tiny = ("map", "--arch", "arch.yaml", "--layer", "layer.yaml")
        self.assertIn("\x1b[1;32moptimal, proven\x1b[0m", self.on_a_terminal(*tiny)[0])
        self.assertNotIn("\x1b", self.on_a_terminal(*tiny, NO_COLOR="1")[0])


if __name__ == "__main__":
    unittest.main(argv=["test_limits"])
