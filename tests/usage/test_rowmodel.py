"""The study of row models as a command: tables that repeat, JSON of the same figures, bad input."""

import csv
import io
import json
import unittest

from workbench import Workbench

STUDY = ("rowmodel", "--arch", "arch.yaml", "--network", "network.yaml", "--samples", "40")


class RowModel(Workbench):
    def tables(self, *more):
        out, _ = self.run_pimbb(*STUDY, *more, "--json", "-")
        document = json.loads(out)
        self.assertEqual(document["format"], "pimbb-rowmodel/1")
        return [table["rows"] for table in document["tables"]]

    def test_the_report_has_the_figures_of_the_json(self):
        out, _ = self.run_pimbb(*STUDY)
        for rows in self.tables():
            for row in rows:
                for figure in row.values():
                    self.assertIn(figure, out)

    def test_five_tables(self):
        errors, regrets, sizes, _, tiles = self.tables()
        self.assertEqual({row["model"] for row in errors}, {"analytic", "hybrid"})
        everything = [row for row in errors if row["tensor"] == "all"]
        self.assertEqual([row["samples"] for row in everything], ["240", "240"])  # 2 layers x 40 x 3
        self.assertEqual([row["goal"] for row in regrets[::2]], ["latency", "edp", "activations"])
        self.assertEqual(len(sizes), 5)
        self.assertEqual((tiles[1]["estimate"], tiles[1]["walked"]), ("1.4375", "1.4324"))

    def test_samples_repeat_and_differ_by_seed(self):
        self.assertEqual(self.tables(), self.tables("--threads", "1"))
        self.assertNotEqual(self.tables()[0], self.tables("--seed", "2")[0])

    def test_a_row_for_each_layer_and_model(self):
        out, _ = self.run_pimbb(*STUDY, "--csv", "-")
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual([(row["layer"], row["model"]) for row in rows],
                         [("a", "analytic"), ("a", "hybrid"), ("b", "analytic"), ("b", "hybrid")])
        for row in rows:
            self.assertEqual(row["samples"], "120")  # 40 mappings of 3 tensors
            self.assertGreaterEqual(float(row["regret_edp"]), 1)
        # The worst error of a model is that of the layer with the worst.
        everything = {row["model"]: row for row in self.tables()[0] if row["tensor"] == "all"}
        for model, all_layers in everything.items():
            worst = max(float(row["worst_error"]) for row in rows if row["model"] == model)
            self.assertEqual(f"{100 * worst:.1f} %", all_layers["worst"])

    def test_a_machine_without_mappings(self):
        out, _ = self.run_pimbb("rowmodel", "--arch", "too_small.yaml", "--network", "network.yaml",
                                "--json", "-")
        self.assertEqual(json.loads(out)["tables"][0]["rows"], [])

    def test_a_tile_of_ones_own(self):
        out, _ = self.run_pimbb("rowmodel", "--tile", "1x3x3", "--plane", "224x224", "--stride", "2",
                                "--row", "1024", "--json", "-")
        rows, micro, crossings = (table["rows"] for table in json.loads(out)["tables"])
        self.assertEqual((rows[0]["estimate"], rows[0]["walked"]), ("1.4375", "1.4324"))
        self.assertEqual(rows[0]["error"], "0.35 %")  # 0.0051 of 1.4324
        # The micro-trace by counting: rows of the tile's bytes at every offset, one after the other.
        counts = [len({(o + y * 224 + x) // 1024 for y in range(3) for x in range(3)})
                  for o in range(1024)]
        number = lambda text: int(text.replace(",", ""))
        printed = [number(row["rows"]) for row in micro
                   for _ in range(number(row["from"]), number(row["to"]) + 1)]
        self.assertEqual(printed, counts)
        self.assertEqual(sum(number(row["reached offsets"]) for row in micro), 1024 // 64)
        # Crossings by walking all positions.
        steps = range(0, 222, 2)
        for row in crossings:
            h, w = map(int, row["block h x w"].split(" x "))
            self.assertLessEqual(h * w, 1024)
            along = lambda block: sum(p % block + 3 > block for p in steps) * len(steps)
            self.assertEqual((number(row["along height"]), number(row["along width"])),
                             (along(h), along(w)))
        self.assertIn("4 x 224", {row["block h x w"] for row in crossings})

    def test_bad_tiles(self):
        plane = ("--plane", "8x8")
        for options, says in ((("--tile", "1x3"), "CxHxW"), (("--tile", "1x3x9", *plane), "within"),
                              (("--tile", "1x3x3"), "--plane"), (plane, "--tile"),
                              (("--stride", "2"), "--tile"), (("--tile", "0x3x3"), "integers 1"),
                              (("--tile", "1x3x3", *plane, "--csv", "-"), "--csv")):
            self.assertIn(says, self.run_pimbb("rowmodel", *options, expect=2)[1])

    def test_bad_input(self):
        for option, value, allowed in (("--samples", "0", "allowed"), ("--seed", "x", "allowed"),
                                       ("--network", "nowhere.yaml", "nowhere.yaml")):
            _, err = self.run_pimbb("rowmodel", option, value, expect=2)
            self.assertIn(allowed, err)


if __name__ == "__main__":
    unittest.main(argv=["test_rowmodel"])
