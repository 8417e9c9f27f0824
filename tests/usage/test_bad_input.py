"""Bad options, files and places to write: exit code 2, a message that names the place, no traces."""

import os
import unittest

from workbench import LAYER, Workbench


class Options(Workbench):
    def refused(self, *arguments, says):
        out, err = self.run_pimbb(*arguments, expect=2)
        self.assertEqual(out, "")
        self.assertTrue(err.startswith("pimbb"), err)
        for part in says:
            self.assertIn(part, err)

    def test_commands(self):
        self.refused(says=["a command is needed", "map", "network", "evaluate"])
        self.refused("mpa", says=["'mpa'", "did you mean 'map'?"])
        self.refused("--frob", says=["unknown option '--frob'"])

    def test_options(self):
        tiny = ("map", "--layer", "layer.yaml")
        self.refused("map", says=["--layer", "resnet18:"])
        self.refused("evaluate", "--layer", "layer.yaml", says=["--mapping"])
        self.refused(*tiny, "--thread", "2", says=["'--thread'", "did you mean '--threads'?"])
        self.refused(*tiny, "left over", says=["'left over'"])
        self.refused(*tiny, "--layer", "other.yaml", says=["--layer"])
        self.refused("map", "--layer", says=["--layer"])
        self.refused("network", "--layer", "layer.yaml", says=["unknown option '--layer'"])

    def test_values(self):
        for option, value, allowed in (
                ("--threads", "-1", "0 .. 1024"), ("--threads", "two", "0 .. 1024"),
                ("--threads", "99999999999999999999", "0 .. 1024"), ("--threads", "2x", "integers"),
                ("--time-limit", "0", "> 0"), ("--time-limit", "nan", "> 0"),
                ("--time-limit", "-3", "> 0"), ("--time-limit", "1e999", "> 0"),
                ("--time-limit", "10q", "10m"), ("--time-limit", "m", "500ms"), ("--time-limit", "0m", "> 0"),
                ("--node-limit", "0", "integers 1 .. "), ("--node-limit", "-1", "integers 1 .. "),
                ("--memory-limit", "0", "bytes >= 1"), ("--memory-limit", "-1", "512M"),
                ("--memory-limit", "12X", "K, M, G, T"), ("--memory-limit", "1MB", "4GiB"),
                ("--memory-limit", "99999999999T", "bytes"), ("--memory-limit", "G", "bytes"),
                ("--row-model", "exact", "analytic, hybrid, trace, none"),
                ("--method", "best", "exact, ws, os, is, rs, greedy, random"),
                ("--method", "", "exact, ws, os"), ("--method", "WS", "exact, ws, os"),
                ("--seed", "-1", "0 .. "), ("--samples", "0", "1 .. "), ("--samples", "1e3", "1 .. "),
                ("--objective", "speed", "latency, energy, edp"),
                ("--objective", "latency,", "latency, energy, edp"),
                ("--objective", "energy,energy", "once"),
                ("--alpha", "-1", ">= 0"), ("--beta", "much", ">= 0"), ("--beta", "1/0", ">= 0"),
                ("--arch", "", "a file or a name")):
            with self.subTest(option=option, value=value):
                self.refused("map", "--layer", "layer.yaml", option, value,
                             says=[option.lstrip("-"), allowed])

    def test_changes_of_an_architecture(self):
        for change, says in (
                ("pe_array.dim_hh=16", ["pe_array.dim_hh", "did you mean 'dim_h'?"]),
                ("pe_aray.dim_h=16", ["pe_aray", "did you mean 'pe_array'?"]),
                ("levels.GlobalBufer.entries=16", ["did you mean 'GlobalBuffer'?", "RowBuffer"]),
                ("levels.GlobalBuffer.entrys=16", ["entrys", "did you mean 'entries'?"]),
                ("levels.9.entries=16", ["found '9'", "numbers below 4"]),
                ("pe_array.dim_h=0", ["pe_array.dim_h: found 0, allowed are integers 1 .. 1048576"]),
                ("pe_array.dim_h.more=1", ["'more'", "plain value"]),
                ("pe_array.dim_h", ["KEY=VALUE"]), ("=3", ["KEY=VALUE"]), ("a=", ["KEY=VALUE"])):
            with self.subTest(change=change):
                self.refused("map", "--layer", "layer.yaml", "--set", change,
                             says=[f"--set {change}: ", *says])
        self.refused("map", "--layer", "layer.yaml", "--set", "levels.RowBuffer.stores=[true",
                     says=["--set levels.RowBuffer.stores=[true:1:6: found the end"])
        self.refused("map", "--arch", "arch.yaml", "--layer", "layer.yaml", "--set",
                     "levels.RB.row_buffer_size=0", says=["--set", "row_buffer_size", ">= 1"])

    def test_a_limit_too_small_for_the_tables(self):
        out, err = self.run_pimbb("map", "--layer", "resnet18:conv2_x", "--memory-limit", "1M",
                                  "--json", "out.json", expect=2)
        self.assertRegex(err, r"memory limit: found 1048576 bytes; the tables for layer 'conv2_x' "
                              r"on '\S+' need at least \d{7,}")
        self.assertFalse(os.path.exists(os.path.join(self.dir, "out.json")))

    def test_weights_without_the_blended_objective(self):
        self.refused("map", "--layer", "layer.yaml", "--alpha", "2", says=["--alpha", "'latency'"])
        self.refused("network", "--beta", "2", "--objective", "edp", says=["--beta", "'edp'"])

    def test_seed_and_samples_belong_to_random(self):
        for option in ("--seed", "--samples"):
            self.refused("map", "--layer", "layer.yaml", option, "5", says=[option, "'exact'"])
            self.refused("network", option, "5", "--method", "greedy", says=[option, "'greedy'"])

    def test_proofs_are_of_the_whole_space(self):
        for method in ("ws", "greedy"):
            self.refused("map", "--layer", "layer.yaml", "--method", method, "--proof", "p.proof",
                         says=["--proof", f"--method {method}", "exact"])

    def test_presets(self):
        self.refused("presets", "nothing", says=["'nothing'", "simple_pim", "resnet18"])
        self.refused("presets", "--yaml", says=["--yaml", "simple_pim", "resnet18"])

    def test_suggestions(self):
        for words, meant in ((("presets", "hbm-pim"), "hbm_pim"), (("presets", "hbm", "--yaml"), "hbm_pim"),
                             (("map", "resnet18:fcc"), "fc"), (("map", "resnet19:fc"), "resnet18"),
                             (("map", "--arch", "gddr6", "resnet18:fc"), "gddr6_aim"),
                             (("network", "alexnett"), "alexnet"), (("bench", "--corpus", "smal"), "small"),
                             (("map", "resnet18:fc", "--objective", "latency,enrgy"), "energy"),
                             (("map", "resnet18:fc", "--method", "gredy"), "greedy"),
                             (("map", "resnet18:fc", "--row-model", "trac"), "trace"),
                             (("map", "resnet18:fc", "--without", "dominanc"), "dominance"),
                             (("man", "netwrk"), "network"), (("completion", "bsh"), "bash")):
            with self.subTest(words):
                self.refused(*words, says=[f"(did you mean '{meant}'?)"])


class Files(Workbench):
    def refused(self, layer="layer.yaml", arch="arch.yaml", says=()):
        out, err = self.run_pimbb("map", "--arch", arch, "--layer", layer, "--json", "out.json",
                                  expect=2)
        self.assertEqual(out, "")
        for part in says:
            self.assertIn(part, err)
        self.assertFalse(os.path.exists(os.path.join(self.dir, "out.json")))

    def test_missing(self):
        self.refused(layer="none.yaml", says=["none.yaml"])
        self.refused(arch="none.yaml", says=["none.yaml"])
        self.refused(layer="resnet18:none", says=["none", "conv2_x"])

    def test_place_of_the_fault(self):
        for name, text, says in (
                ("key.yaml", LAYER.replace("K: 8", "K: 8,\n KK: 3"), ["key.yaml:2", "KK"]),
                ("lacking.yaml", LAYER.replace("K: 8,", ""), ["lacking.yaml:1", "K"]),
                ("zero.yaml", LAYER.replace("K: 8", "\n\n K: 0"), ["zero.yaml:3", "K", "0"]),
                ("syntax.yaml", "{name: [x\n", ["syntax.yaml"]),
                ("empty.yaml", "", ["empty.yaml"]),
                ("huge.yaml", LAYER.replace("8", "9007199254740993"), ["9007199254740992"])):
            with self.subTest(file=name):
                self.write(name, text)
                self.refused(layer=name, says=says)

    def test_a_network_is_checked_before_it_is_solved(self):
        self.write("bad.yaml", f"layers:\n  - {LAYER}  - {LAYER.replace('K: 8', 'K: -8')}")
        out, err = self.run_pimbb("network", "--arch", "arch.yaml", "--network", "bad.yaml", expect=2)
        self.assertEqual(out, "")
        self.assertIn("bad.yaml:3", err)


class Places(Workbench):
    def test_an_unwritable_place_is_refused_and_left_alone(self):
        os.mkdir(os.path.join(self.dir, "directory"))
        before = sorted(os.walk(self.dir))
        for place in ("nowhere/out.json", "directory", "directory/", "nowhere/",
                      "layer.yaml/out.json"):
            with self.subTest(place=place):
                out, err = self.map_tiny("--json", place, expect=2)
                self.assertEqual(out, "")
                self.assertIn(place, err)
                self.assertEqual(sorted(os.walk(self.dir)), before)

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_under_the_report_does_not_lose_the_json(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            process = self.start("map", "--arch", "arch.yaml", "--layer", "layer.yaml", "--json",
                                 "best.json", stdout=full)
            _, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 2)
        self.assertIn("standard output", err)
        self.assertEqual(self.read_json("best.json")["status"], "optimal")

    def test_a_reader_that_goes_away(self):
        for arguments in ((), ("--json", "-")):
            read, write = os.pipe()
            os.close(read)
            process = self.start("map", "--arch", "arch.yaml", "--layer", "layer.yaml", *arguments,
                                 stdout=write)
            os.close(write)
            _, err = process.communicate(timeout=300)
            self.assertEqual((process.returncode, err), (0, ""))


if __name__ == "__main__":
    unittest.main(argv=["test_bad_input"])
