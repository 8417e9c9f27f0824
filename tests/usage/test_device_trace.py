"""pimbb trace --device: one unit's accesses and the transfers over all links, against `pimbb evaluate --device`."""

import collections
import csv
import glob
import itertools
import json
import os
import signal
import time
import unittest
from fractions import Fraction

from workbench import Workbench, chosen

TENSORS = ("input", "weight", "output")
DEVICE = """
device:
  name: pair
  unit: arch.yaml
  launch: 7
  refresh: {interval: 30, duration: 7}
  host: {reduce_energy: 2, reduce_bandwidth: 4}
  phases: PHASES
  levels:
    - {name: unit, count: 4, write_bandwidth: 3, read_bandwidth: 2, broadcast: true, lockstep: true, energy: 0.25}
    - {name: channel, count: 2, write_bandwidth: 7, latency: 5, reduce: REDUCE, reduce_energy: 0.5}
"""
COLUMNS = ["index", "phase", "event", "level", "link", "child", "children", "tensor", "sums", "additions",
           "bytes", "start", "end", "busy", "energy", "r", "s", "p", "q", "c", "k", "n", "g"]
PRESETS = ("hbm_pim_stack", "gddr6_aim_sdk_chip", "gddr6_aim_1350mv_chip", "upmem_dimm")


def table(text):
    lines = text.splitlines()
    assert lines[0].split(",") == COLUMNS
    return list(csv.DictReader(lines))


def sums(rows, column, key):
    total = collections.defaultdict(Fraction)
    for row in rows:
        total[key(row)] += Fraction(row[column] or 0)
    return total


class DeviceTrace(Workbench):
    def problem(self, device="device.yaml", layer="layer.yaml", moves="input,output", goal="latency"):
        """A mapping, as arguments of evaluate and trace; and what evaluate says of it."""
        problem = ("--device", device, "--layer", layer, "--moves", moves)
        self.run_pimbb("map", *problem, "--objective", goal, "--json", "best.json", "--quiet")
        given = (*problem, "--mapping", "best.json")
        out, _ = self.run_pimbb("evaluate", *given, "--json", "-")
        return given, json.loads(out)

    def device(self, phases="sequential", reduce="false"):
        self.write("device.yaml", DEVICE.replace("PHASES", phases).replace("REDUCE", reduce))

    def trace(self, given, *arguments, expect=0):
        """Standard output and standard error, which has the report of a trace on standard output."""
        process = self.start("trace", *given, *arguments)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, expect, err)
        return out, err

    def links(self, given):
        return table(self.trace(given, "--stream", "links", "--quiet")[0])


class Totals(DeviceTrace):
    def check_links(self, given, evaluated):
        rows, metrics = self.links(given), evaluated["metrics"]
        exact = {key: Fraction(value) for key, value in metrics["exact"].items()}
        blocks = [row for row in rows if row["event"] in ("down", "up")]
        count = {link["level"]: link["count"] for link in metrics["links"]}
        moved = sums(blocks, "bytes", lambda row: (row["level"], row["event"]))
        for link in metrics["links"]:
            self.assertEqual(moved[link["level"], "down"], link["count"] * Fraction(link["bytes_in"]))
            self.assertEqual(moved[link["level"], "up"], link["count"] * Fraction(link["bytes_out"]))
        # Every link of a level moves the same.
        for (level, link, event), size in sums(
                blocks, "bytes", lambda row: (row["level"], row["link"], row["event"])).items():
            self.assertEqual(size * count[level], moved[level, event])
            self.assertLess(int(link), count[level])
        ends = [Fraction(row["end"]) for row in rows]
        self.assertEqual(max(ends), exact["latency"])
        self.assertEqual(sum(Fraction(row["energy"]) for row in blocks), exact["link_energy"])
        adds = sum(Fraction(row["energy"]) for row in rows if row["event"] == "add")
        self.assertEqual(adds, exact["reduce_energy"])
        (run,) = [row for row in rows if row["event"] == "run"]
        self.assertEqual(Fraction(run["end"]) - Fraction(run["start"]), exact["run_cycles"])
        self.assertEqual(int(run["children"]), metrics["units"])
        for phase, cycles in (("in", "in_cycles"), ("out", "out_cycles")):
            of_phase = [row for row in rows if row["phase"] == phase]
            if of_phase:
                length = (max(Fraction(row["end"]) for row in of_phase) -
                          min(Fraction(row["start"]) for row in of_phase))
                self.assertEqual(length, exact[cycles])
            else:
                self.assertEqual(exact[cycles], 0)

    def check_unit(self, given, evaluated):
        self.trace(given, "--format", "csv", "--output", "unit.csv", "--json", "unit.json", "--quiet")
        document = self.read_json("unit.json")
        self.assertEqual((document["format"], document["stream"], document["status"]),
                         ("pimbb-trace/1", "unit", "complete"))
        self.assertEqual(document["evaluation"]["metrics"], evaluated["metrics"])
        opened = collections.Counter()
        with open(os.path.join(self.dir, "unit.csv"), encoding="ascii") as file:
            for row in csv.DictReader(file):
                opened[row["tensor"]] += int(row["opens"])
        rows = evaluated["mapping"]["metrics"]["row_activations"]
        self.assertEqual([opened[t] for t in TENSORS], [rows[t] for t in TENSORS])
        self.assertEqual(sum(opened.values()) * document["units"], evaluated["metrics"]["activations"])

    def test_small_devices(self):
        for phases, reduce, moves, goal in chosen(itertools.product(
                ("sequential", "overlapped"), ("true", "false"),
                ("input,output", "input,weight,output", "none"), ("latency", "energy"))):
            with self.subTest(phases=phases, reduce=reduce, moves=moves, goal=goal):
                self.device(phases, reduce)
                given, evaluated = self.problem(moves=moves, goal=goal)
                self.check_links(given, evaluated)
                self.check_unit(given, evaluated)

    def test_presets(self):
        self.write("gemv.yaml", "{name: gemv, R: 1, S: 1, P: 1, Q: 1, C: 64, K: 128, N: 2}\n")
        for device in chosen(PRESETS):
            with self.subTest(device=device):
                given, evaluated = self.problem(device, "gemv.yaml")
                self.check_links(given, evaluated)
                self.check_unit(given, evaluated)


class Output(DeviceTrace):
    def setUp(self):
        super().setUp()
        self.device()
        self.given, self.evaluated = self.problem()

    def test_documents_and_reports_of_links(self):
        out, err = self.trace(self.given, "--stream", "links", "--json", "links.json")
        rows, document = table(out), self.read_json("links.json")
        self.assertRegex(err, r"^tiny on pair: \d+ events, [\d,.]+ of [\d,.]+ cycles\nlevel ")
        self.assertEqual((document["format"], document["device"], document["stream"], document["trace"]),
                         ("pimbb-trace/1", "pair", "links", "csv"))
        self.assertEqual((document["status"], document["events"], document["total_events"]),
                         ("complete", len(rows), len(rows)))
        self.assertEqual(document["evaluation"]["metrics"], self.evaluated["metrics"])
        self.assertEqual(Fraction(document["end"]), Fraction(self.evaluated["metrics"]["exact"]["latency"]))
        for link, level in zip(self.evaluated["metrics"]["links"], document["links"]):
            self.assertEqual((level["level"], level["count"]), (link["level"], link["count"]))
            self.assertEqual(level["bytes_in"], link["count"] * link["bytes_in"])
            self.assertEqual(level["bytes_out"], link["count"] * link["bytes_out"])
        report, nothing = self.trace(self.given, "--stream", "links", "--output", "links.csv")
        self.assertEqual((report, nothing), (err.replace("pair: ", "pair: links.csv, "), ""))
        with open(os.path.join(self.dir, "links.csv"), encoding="utf-8") as file:
            self.assertEqual(file.read(), out)

    def test_report_of_the_unit(self):
        _, err = self.trace(self.given)
        self.assertRegex(err, r"^tiny on pair: [\d,]+ accesses of unit 0 of channel 0; slices .*, "
                              r"\d units run and do the same\ntensor ")

    def test_limit_and_tensors(self):
        links = (*self.given, "--stream", "links")
        lines = self.trace(links, "--quiet")[0].splitlines(keepends=True)
        for limit in (1, 4, len(lines) - 1, len(lines)):
            out, err = self.trace(links, "--limit", str(limit), "--json", "links.json")
            self.assertEqual(out, "".join(lines[:limit + 1]))
            self.assertEqual("the first " in err, limit < len(lines) - 1)
            self.assertEqual(self.read_json("links.json")["status"],
                             "limit" if limit < len(lines) - 1 else "complete")
        rows = table(self.trace(links, "--tensor", "output", "--quiet")[0])
        whole = table("".join(lines))
        kept = [row for row in whole if row["tensor"] in ("output", "")]
        self.assertEqual([{**row, "index": ""} for row in rows], [{**row, "index": ""} for row in kept])

    def test_bad_options(self):
        before = sorted(os.listdir(self.dir))
        for arguments, says in (
                ((*self.given, "--stream", "buses"), ["--stream", "'buses'", "unit, links"]),
                ((*self.given, "--stream", "links", "--format", "ramulator"), ["--format", "csv"]),
                ((*self.given, "--arch", "arch.yaml"), ["--device: found beside --arch"]),
                ((*self.given, "--layout", "best"), ["--layout: found with --device"]),
                ((*self.given, "--stream", "links", "--limit", "0"), ["--limit"]),
                ((*self.given, "--stream", "links", "--json", "-"), ["--json", "--output"]),
                ((*self.given, "--stream", "links", "--output", "nowhere/x"), ["nowhere/x"]),
                ((*self.given[:-1], "none.json"), ["none.json"]),
                (self.given[:-2], ["--mapping: found none"]),
                (("--device", "device.yaml"), ["--layer"]),
                (("--arch", "arch.yaml", "--layer", "layer.yaml", "--mapping", "best.json", "--stream",
                  "links"), ["--stream: found without --device"])):
            with self.subTest(arguments=arguments):
                out, err = self.trace(arguments, expect=2)
                self.assertEqual(out, "")
                for part in says:
                    self.assertIn(part, err)
        self.assertEqual(sorted(os.listdir(self.dir)), before)


class Endings(DeviceTrace):
    """A device of so many units that its links never end."""

    def setUp(self):
        super().setUp()
        self.write("many.yaml", "{unit: arch.yaml, levels: [{name: unit, count: 1000000, write_bandwidth: 1},"
                                " {name: rack, count: 1000000}]}")
        self.write("wide.yaml", "{name: wide, R: 1, S: 1, P: 1, Q: 1, C: 1, K: 100000000, N: 1}")
        levels = ["PE", "GB", "RB", "DRAM"]
        stores = {level: list(TENSORS) for level in levels}
        self.write("many.json", json.dumps(
            {"format": "pimbb-device/1", "slice": {"K": 1},
             "split": [{"level": "unit", "factors": {"K": 100000}}, {"level": "rack", "factors": {"K": 1000}}],
             "mapping": {"format": "pimbb-mapping/1", "mapping": {
                 "spatial": {"H": {}, "W": {}, "internal": {}},
                 "temporal": [{"level": level, "loops": []} for level in levels], "stores": stores,
                 "layout": {t: "sequential" for t in TENSORS}}}}))
        self.given = ("trace", "--device", "many.yaml", "--layer", "wide.yaml", "--mapping", "many.json",
                      "--stream", "links")

    def test_an_interrupted_file_is_left_out(self):
        self.write("links.csv", "what was there\n")
        before = sorted(os.listdir(self.dir))
        process = self.start(*self.given, "--output", "links.csv", "--json", "links.json")
        while process.poll() is None and not glob.glob(os.path.join(self.dir, ".pimbb-*")):
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 3, out)
        self.assertIn("interrupted: links.csv is not written; the first ", out)
        self.assertEqual(self.read_json("links.json")["status"], "interrupted")
        os.remove(os.path.join(self.dir, "links.json"))
        self.assertEqual(sorted(os.listdir(self.dir)), before)
        with open(os.path.join(self.dir, "links.csv"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "what was there\n")

    def test_memory_does_not_grow_with_the_stream(self):
        peak = []
        for limit in ("10000", "500000"):
            process = self.start(*self.given, "--output", "/dev/null", "--limit", limit, "--quiet")
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            process.stdout.close()
            process.stderr.close()
            self.assertEqual(process.returncode, 0)
            peak.append(usage.ru_maxrss)
        self.assertLess(peak[1], peak[0] + 4096)  # KiB

    def test_a_reader_that_goes_away(self):
        process = self.start(*self.given)
        self.assertEqual(process.stdout.readline(), ",".join(COLUMNS) + "\n")
        process.stdout.close()
        err = process.stderr.read()
        process.stderr.close()
        self.assertEqual((process.wait(timeout=120), err), (0, ""))


if __name__ == "__main__":
    unittest.main(argv=["test_device_trace"])
