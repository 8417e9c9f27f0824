"""Cycles of matrix-vector kernels on two public simulators, against `pimbb evaluate` of the kernels' own mappings.

    test_device_reality.py PIMBB            the test
    test_device_reality.py PIMBB --write    writes examples/devices anew

device_reality.csv has the cycles that PIMSimulator (HBM-PIM) and the AiM simulator (GDDR6-AiM) took, for one channel;
all channels do the same. docs/device-reality.md explains the mappings and the deviations.
"""

import csv
import json
import pathlib
import sys
import unittest

from workbench import Workbench, chosen

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples" / "devices"
ALL = ["input", "weight", "output"]


def level(name, *loops):
    return {"level": name, "loops": [list(loop) for loop in loops if loop[1] > 1]}


def document(device, split, bounds, internal, levels, stores, layout):
    temporal = [level(name, *loops) for name, loops in levels]
    mapping = {"spatial": {"H": {}, "W": {}, "internal": internal}, "temporal": temporal,
               "stores": dict(zip([name for name, _ in levels], stores)), **layout}
    return {"format": "pimbb-device/1", "device": device,
            "split": [{"level": name, "factors": factors} for name, factors in split],
            "slice": bounds, "moves": [], "mapping": {"format": "pimbb-mapping/1", "mapping": mapping}}


def layer(**bounds):
    return {"name": "gemv", "R": 1, "S": 1, "P": 1, "Q": 1, **bounds}


def hbm_pim(outputs, inputs, batch):
    """The 16 lanes have every 16th input, so 16 partial sums of an output, which the host adds: 16 groups. The register
    files have 128 inputs and the sums of 8 outputs; outputs are padded to eights. The 128 inputs of an upload lie in one
    row of the bank, the weights of 64 inputs and 8 outputs in one: S is the half of an upload, and a row of the input
    has both halves."""
    own = -(-outputs // 64) * 8  # of a unit
    c = inputs // 32
    levels = [("OperandLatches", []), ("GRF", [("K", 8), ("C", 4)]), ("RowBuffer", []),
              ("DRAM", [("N", batch), ("K", own // 8), ("C", c // 4), ("S", 2)])]
    return {**layer(C=c, K=16 * outputs, N=batch, G=16), "S": 2}, document(
        "hbm_pim_stack", [("unit", {"K": 8}), ("pseudo_channel", {"K": 16})],
        {"S": 2, "C": c, "K": own, "N": batch, "G": 16}, {"G": 16}, levels,
        [ALL, ["input", "output"], ALL, ALL],
        {"layout": {"input": "row_aligned", "weight": "row_aligned", "output": "sequential"},
         "input_block": {"h": 2, "w": 1}})


def gddr6_aim(device, kernel, outputs, inputs, batch):
    """The global buffer has 1024 inputs. chunk: all outputs for one buffer; os: all inputs for one output; bin: all
    elements of the batch for one row of weights."""
    own, chunks = outputs // 16, -(-inputs // 1024)
    buffer, rows = {"chunk": ([("K", own)], [("N", batch), ("C", chunks)]),
                    "os": ([], [("N", batch), ("K", own), ("C", chunks)]),
                    "bin": ([], [("C", chunks), ("K", own), ("N", batch)])}[kernel]
    levels = [("MacRegister", [("C", 64)]), ("GlobalBuffer", buffer), ("RowBuffer", rows), ("DRAM", [])]
    return layer(C=inputs, K=2 * outputs, N=batch), document(
        device, [("unit", {"K": 16}), ("channel", {"K": 2})],
        {"C": 1024 * chunks, "K": own, "N": batch}, {"C": 16}, levels,
        [["output"], ["input"], ALL, ALL],
        {"layout": {"input": "sequential", "weight": "sequential", "output": "sequential"}})


def problem(row):
    sizes = (int(row["out_per_channel"]), int(row["in"]), int(row["batch"]))
    if row["kernel"] == "gemv":
        return hbm_pim(*sizes)
    return gddr6_aim(row["device"], row["kernel"], *sizes)


def measured():
    with open(HERE / "device_reality.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


EXAMPLE_ROWS = {("hbm_pim_stack", "gemv", "256", "4096", "1"): "hbm_pim_gemv",
                ("gddr6_aim_sdk_chip", "chunk", "256", "4096", "1"): "aim_chunk",
                ("gddr6_aim_sdk_chip", "os", "256", "4096", "1"): "aim_os",
                ("gddr6_aim_sdk_chip", "bin", "256", "4096", "4"): "aim_bin"}


def examples():
    """The names and contents of examples/devices."""
    for row in measured():
        key = tuple(row[name] for name in ("device", "kernel", "out_per_channel", "in", "batch"))
        if key in EXAMPLE_ROWS:
            workload, mapping = problem(row)
            yield EXAMPLE_ROWS[key] + ".layer.json", workload
            yield EXAMPLE_ROWS[key] + ".json", mapping


SENT_AGAIN = ("os", "bin")  # the kernels that send the same inputs again and again


class Aim:
    """What the AiM kernels do, counted by hand for one channel, and the cycles of each part."""

    COLUMN = {"gddr6_aim_sdk_chip": 2, "gddr6_aim_1350mv_chip": 6}  # cycles of 32 bytes from the bank: nCCD
    BUS = {"gddr6_aim_sdk_chip": 2, "gddr6_aim_1350mv_chip": 4}  # of 32 bytes from the host: nBL
    ROW = {"gddr6_aim_sdk_chip": 94, "gddr6_aim_1350mv_chip": 60}  # of opening one
    RESULT = 64  # of two mode switches

    def __init__(self, row):
        outputs, inputs, batch = (int(row[name]) for name in ("out_per_channel", "in", "batch"))
        own, chunks, kernel = outputs // 16, -(-inputs // 1024), row["kernel"]
        self.device = row["device"]
        self.columns = 64 * own * chunks * batch
        self.rows = own * chunks * (1 if kernel == "bin" else batch)
        self.results = own * batch * (1 if kernel == "os" else chunks)
        self.uploads = chunks * batch * (own if kernel in SENT_AGAIN else 1)

    def modelled(self):
        """The uploads come from rows of the bank, which are read as fast as weights; the first output opens a row."""
        column, row = self.COLUMN[self.device], self.ROW[self.device]
        return ((self.columns + 64 * self.uploads) * column + (self.rows + self.uploads + 1) * row +
                self.results * self.RESULT)

    def without_rows_of_inputs(self):
        """The uploads come over the bus and open no row."""
        column, bus = self.COLUMN[self.device], self.BUS[self.device]
        return self.modelled() - self.uploads * (64 * (column - bus) + self.ROW[self.device])


class DeviceReality(Workbench):
    def evaluated(self, row):
        workload, mapping = problem(row)
        self.write("kernel.layer.json", json.dumps(workload))
        self.write("kernel.json", json.dumps(mapping))
        out, _ = self.run_pimbb("evaluate", "--device", row["device"], "--layer", "kernel.layer.json",
                                "--mapping", "kernel.json", "--json", "-")
        return json.loads(out)

    def predicted(self, row):
        return self.evaluated(row)["metrics"]["latency"]

    def within(self, cycles, row):
        ratio = cycles / int(row["measured_cycles"])
        self.assertGreater(ratio, 0.9)
        self.assertLess(ratio, 1.1)

    def test_kernels_take_the_cycles_that_were_measured(self):
        """Within 10 %, but for the kernels that send inputs again (docs/device-reality.md)."""
        rows = measured()
        self.assertEqual(len(rows), 47)
        long = [row for row in rows if int(row["measured_cycles"]) > 10000]
        self.assertEqual(len(long), 35)
        tight = [row for row in long if row["kernel"] not in SENT_AGAIN]
        self.assertEqual(len(tight), 31)
        for row in chosen(tight):
            with self.subTest(**row):
                self.within(self.predicted(row), row)

    def test_kernels_that_send_inputs_again_but_for_the_rows_of_these(self):
        for row in measured():
            if row["kernel"] not in SENT_AGAIN:
                continue
            with self.subTest(**row):
                aim = Aim(row)
                self.assertEqual(self.predicted(row), aim.modelled())
                self.within(aim.without_rows_of_inputs(), row)

    def test_cycles_of_aim_kernels_are_those_of_their_parts(self):
        for row in chosen(row for row in measured() if row["kernel"] == "chunk"):
            with self.subTest(**row):
                self.assertEqual(self.predicted(row), Aim(row).modelled())

    def test_rows_of_hbm_pim_are_those_of_uploads_and_weights(self):
        """One for each upload of 128 inputs and two for the weights of these and 8 outputs, as the simulator does."""
        for row in chosen(row for row in measured() if row["kernel"] == "gemv"):
            outputs, inputs, batch = (int(row[name]) for name in ("out_per_channel", "in", "batch"))
            uploads = -(-outputs // 64) * (inputs // 128) * batch
            rows = self.evaluated(row)["mapping"]["metrics"]["row_activations"]
            with self.subTest(**row):
                self.assertEqual((rows["input"], rows["weight"]), (uploads, 2 * uploads))

    def test_the_examples_are_these_kernels(self):
        names = set()
        for name, content in examples():
            names.add(name)
            self.assertEqual(json.loads((EXAMPLES / name).read_text(encoding="utf-8")), content, name)
        self.assertEqual(names, {path.name for path in EXAMPLES.iterdir()})


if __name__ == "__main__":
    if "--write" in sys.argv:
        for name, content in examples():
            (EXAMPLES / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    else:
        unittest.main(argv=["test_device_reality"])
