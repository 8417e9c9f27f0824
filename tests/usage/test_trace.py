"""pimbb trace: what a DRAM simulator makes of it, where it is written, and how it ends early."""

import csv
import glob
import itertools
import json
import os
import re
import signal
import time
import unittest

from workbench import Workbench, chosen

TENSORS = ("input", "weight", "output")
LONG = ("--layer", "llama_7b:qkvo", "--mapping", "long.json")


def open_row_dram(lines, row_bytes):
    """Activations by bank, as docs/trace-format.md defines addresses: row, 2 bits of bank, column."""
    column_bits = (row_bytes - 1).bit_length()
    open_row, activations = {}, [0, 0, 0, 0]
    for line in lines:
        operation, address = line.split(" ")
        row, bank = divmod(int(address, 16) >> column_bits, 4)
        assert operation == ("ST" if bank == 2 else "LD"), line
        activations[bank] += open_row.get(bank) != row
        open_row[bank] = row
    return activations


class TraceBench(Workbench):
    def map(self, name, *arguments):
        self.run_pimbb("map", *arguments, "--json", name, "--quiet")

    def tiny(self, *arguments, **options):
        """The trace of a mapping of the tiny layer; standard output and standard error."""
        if not os.path.exists(os.path.join(self.dir, "tiny.json")):
            self.map("tiny.json", "--arch", "arch.yaml", "--layer", "layer.yaml")
        process = self.start("trace", "--arch", "arch.yaml", "--layer", "layer.yaml", "--mapping",
                             "tiny.json", *arguments)
        expect = options.pop("expect", 0)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, expect, err)
        return out, err

    def read(self, name):
        with open(os.path.join(self.dir, name), encoding="utf-8") as file:
            return file.read()

    def files(self):
        return sorted(os.listdir(self.dir))


class Activations(TraceBench):
    def test_an_open_row_dram_agrees_with_the_evaluator(self):
        self.write("middle.yaml", "{name: middle, R: 3, S: 3, P: 12, Q: 10, C: 4, K: 4, N: 1, "
                                  "stride: [2, 1]}\n")
        places = (("arch.yaml", "layer.yaml", 32), ("arch.yaml", "middle.yaml", 32),
                  ("simple_pim", "middle.yaml", 1024))
        for (arch, layer, row), objective, model in chosen(itertools.product(
                places, ("latency", "energy", "edp"), ("analytic", "hybrid"))):
            with self.subTest(layer=layer, objective=objective, model=model):
                problem = ("--arch", arch, "--layer", layer)
                self.map("m.json", *problem, "--objective", objective, "--row-model", model)
                given = (*problem, "--mapping", "m.json")
                self.run_pimbb("trace", *given, "--output", "m.trace", "--quiet")
                out, _ = self.run_pimbb("evaluate", *given, "--row-model", "trace", "--json", "-")
                expected = json.loads(out)["metrics"]["row_activations"]
                with open(os.path.join(self.dir, "m.trace"), encoding="ascii") as lines:
                    seen = open_row_dram(lines, row)
                self.assertEqual(seen, [*(expected[t] for t in TENSORS), 0])


class Output(TraceBench):
    def test_the_same_text_everywhere(self):
        text, err = self.tiny()
        self.assertRegex(text, r"^(LD|ST) 0x0\n")
        for line in text.splitlines():
            self.assertRegex(line, r"^(LD|ST) 0x[0-9a-f]+$")
        self.assertRegex(err, r"^tiny on small: [\d,]+ accesses\ntensor +bank +accesses +rows opened "
                              r"+row hits\n(input|weight|output) ")
        self.assertEqual(self.tiny("--quiet"), (text, ""))
        report, nothing = self.tiny("--output", "tiny.trace")
        self.assertEqual((self.read("tiny.trace"), nothing), (text, ""))
        self.assertEqual(report, err.replace("small: ", "small: tiny.trace, "))
        *parts, (_, *total) = [[line.split()[0], *line.replace(",", "").split()[-4:-2]]
                               for line in err.splitlines()[2:6]]  # accesses, rows opened
        self.assertEqual([name for name, *_ in parts], list(TENSORS))
        self.assertEqual([int(count) for count in total],
                         [sum(int(part[k]) for part in parts) for k in (1, 2)])
        self.assertEqual(int(total[0]), len(text.splitlines()))

    def test_summary_as_json(self):
        out, err = self.tiny("--output", "tiny.trace", "--json", "-")
        summary = json.loads(out)
        self.assertEqual((summary["format"], summary["status"], err), ("pimbb-trace/1", "complete", ""))
        lines = self.read("tiny.trace").splitlines()
        self.assertEqual(summary["accesses"], len(lines))
        self.assertEqual([summary["tensors"][t]["activations"] for t in TENSORS],
                         open_row_dram(lines, 32)[:3])
        self.assertEqual(summary["address_map"]["column_bits"], 5)
        self.tiny("--json", "summary.json")
        self.assertEqual(self.read_json("summary.json"), summary)

    def test_table(self):
        out, _ = self.tiny("--format", "csv", "--quiet")
        rows = list(csv.DictReader(out.splitlines()))
        lines = self.tiny("--quiet")[0].splitlines()
        self.assertEqual([f"{row['op']} {row['address']}" for row in rows], lines)
        self.assertEqual([int(row["index"]) for row in rows], list(range(len(lines))))
        self.assertEqual(sum(int(row["opens"]) for row in rows), sum(open_row_dram(lines, 32)))
        for row in rows:
            self.assertEqual(int(row["bank"]), TENSORS.index(row["tensor"]))
            self.assertEqual(int(row["address"], 16),
                             (int(row["row"]) * 4 + int(row["bank"])) * 32 + int(row["column"]))
            absent = {"input": {"k"}, "weight": {"n"}, "output": {"c"}}[row["tensor"]]
            self.assertEqual({k for k in "nkchw" if row[k] == ""}, absent)
        iterations = [int(row["iteration"]) for row in rows]
        self.assertEqual(iterations, sorted(iterations))

    def test_limit_and_tensors(self):
        lines = self.tiny("--quiet")[0].splitlines(keepends=True)
        for limit in (1, 7, len(lines), len(lines) + 1):
            out, err = self.tiny("--limit", str(limit))
            self.assertEqual(out, "".join(lines[:limit]))
            self.assertEqual("the first " in err, limit < len(lines))
        self.tiny("--limit", "7", "--json", "summary.json", "--quiet")
        summary = self.read_json("summary.json")
        self.assertEqual((summary["status"], summary["accesses"], summary["total_accesses"]),
                         ("limit", 7, len(lines)))
        stores = "".join(line for line in lines if line.startswith("ST"))
        out, err = self.tiny("--tensor", "output")
        self.assertEqual(out, stores)
        self.assertNotIn("weight", err)
        self.assertEqual(self.tiny("--tensor", "weight,output,input", "--quiet")[0], "".join(lines))

    def test_memory_does_not_grow_with_the_trace(self):
        self.map("long.json", *LONG[:2])
        peak = []
        for limit in ("100000", "5000000"):
            process = self.start("trace", *LONG, "--output", "/dev/null", "--limit", limit, "--quiet")
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            process.stdout.close()
            process.stderr.close()
            self.assertEqual(process.returncode, 0)
            peak.append(usage.ru_maxrss)
        self.assertLess(peak[1], peak[0] + 4096)  # KiB


class Refusals(TraceBench):
    def refused(self, *arguments, says):
        self.map("tiny.json", "--arch", "arch.yaml", "--layer", "layer.yaml")
        before = self.files()
        out, err = self.run_pimbb("trace", *arguments, expect=2)
        self.assertEqual((out, self.files()), ("", before))
        for part in says:
            self.assertIn(part, err)

    def test_bad_input(self):
        given = ("--arch", "arch.yaml", "--layer", "layer.yaml", "--mapping", "tiny.json")
        self.refused(says=["--layer", "resnet18:"])
        self.refused("--layer", "layer.yaml", says=["--mapping"])
        self.refused(*given, "--format", "dramsim", says=["--format", "'dramsim'", "ramulator, csv"])
        self.refused(*given, "--tensor", "bias", says=["--tensor", "'bias'", "input, weight, output"])
        self.refused(*given, "--tensor", "input,", says=["--tensor", "'input,'"])
        for limit in ("0", "-1", "many", "1.5"):
            self.refused(*given, "--limit", limit, says=["--limit", f"'{limit}'", "integers 1 .. "])
        self.refused(*given, "--json", "-", says=["--json", "'-'", "--output"])
        self.refused(*given, "--output", "nowhere/x", says=["nowhere/x"])
        self.refused(*given, "--output", ".", says=["directory"])
        self.refused("--layer", "layer.yaml", "--mapping", "tiny.json", says=["tiny.json"])
        self.write("other.yaml", "{name: other, R: 1, S: 1, P: 4, Q: 2, C: 4, K: 8, N: 1}\n")
        self.refused("--arch", "arch.yaml", "--layer", "other.yaml", "--mapping", "tiny.json",
                     says=["tiny.json", "factorization"])


class Endings(TraceBench):
    def setUp(self):
        super().setUp()
        self.map("long.json", *LONG[:2])

    def test_an_interrupted_file_is_left_out(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            self.write("long.trace", "what was there\n")
            before = self.files()
            process = self.start("trace", *LONG, "--output", "long.trace")
            while process.poll() is None and not glob.glob(os.path.join(self.dir, ".pimbb-*")):
                time.sleep(0.001)
            process.send_signal(number)
            out, err = process.communicate(timeout=120)
            self.assertEqual((process.returncode, err), (3, ""), out)
            self.assertIn("interrupted: long.trace is not written; the first ", out)
            self.assertEqual(self.read("long.trace"), "what was there\n")
            self.assertEqual(self.files(), before)

    def test_interrupted_standard_output_ends_with_a_line(self):
        process = self.start("trace", *LONG, "--json", "summary.json")
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        text = first + process.stdout.read()  # communicate() would forget what is buffered
        _, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 3, err)
        self.assertTrue(text.endswith("\n"))
        self.assertIn("interrupted after the first ", err)
        summary = self.read_json("summary.json")
        self.assertEqual((summary["status"], summary["accesses"]),
                         ("interrupted", text.count("\n")))

    def test_a_reader_that_goes_away(self):
        process = self.start("trace", *LONG)
        self.assertRegex(process.stdout.readline(), "^LD 0x0$")
        process.stdout.close()
        err = process.stderr.read()
        process.stderr.close()
        self.assertEqual((process.wait(timeout=120), err), (0, ""))

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            process = self.start("trace", *LONG, stdout=full)
            _, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 2)
        self.assertIn("standard output", err)
        self.run_pimbb("trace", *LONG, "--output", "/dev/full", expect=2)

    def test_progress_on_the_terminal(self):
        command = ("trace", *LONG, "--output", "/dev/null", "--limit")
        limit = 5_000_000
        while True:  # until it takes long enough to be shown
            begin = time.monotonic()
            screen, code = self.on_a_terminal(*command, str(limit))
            self.assertEqual(code, 0)
            if time.monotonic() - begin > 2.5:
                break
            limit *= 3
        self.assertRegex(screen, rf"\r\d+ s  [\d,]+ of {limit:,} accesses  [\d.]+ %")
        self.assertRegex(screen, rf"\r +\r\S* ?on \S+: /dev/null, the first {limit:,} of ")


if __name__ == "__main__":
    unittest.main(argv=["test_trace"])
