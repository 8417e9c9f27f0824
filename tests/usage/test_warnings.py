"""What an architecture file says in vain: warnings on standard error and in JSON, errors with --strict."""

import json
import unittest

from workbench import Workbench

VAIN = "pimbb: warning: vain.yaml:5:53: memory_hierarchy[0].instances: enters no formula"
PROBLEM = ("--arch", "vain.yaml", "--layer", "layer.yaml")


class Warnings(Workbench):
    def setUp(self):
        super().setUp()
        with open(f"{self.dir}/arch.yaml", encoding="utf-8") as file:
            text = file.read()
        old = "name: PE, entries: 4, blocksize: 1,"
        self.assertIn(old, text)
        self.write("vain.yaml", text.replace(old, old + " instances: 4,"))

    def output_of(self, *arguments, expect=0):
        process = self.start(*arguments)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, expect, out + err)
        return out, err

    def test_every_command_that_reads_the_file_warns_once(self):
        for command in (("map", *PROBLEM, "--json", "best.json"),
                        ("evaluate", *PROBLEM, "--mapping", "best.json"),
                        ("audit", *PROBLEM, "--mapping", "best.json"),
                        ("trace", *PROBLEM, "--mapping", "best.json", "--output", "t"),
                        ("export", *PROBLEM, "--output", "t"),
                        ("network", "--arch", "vain.yaml", "--network", "network.yaml")):
            with self.subTest(command=command):
                _, err = self.output_of(*command)
                self.assertEqual(err, VAIN + "\n")
                _, err = self.output_of(*command, "--quiet")
                self.assertEqual(err, "")
                _, err = self.output_of(*command, "--strict", expect=2)
                self.assertEqual(err, VAIN.replace("warning: ", "") + "\n")

    def test_json_lists_them(self):
        self.output_of("map", *PROBLEM, "--json", "best.json", "--quiet")
        self.assertEqual(self.read_json("best.json")["warnings"], [VAIN[len("pimbb: warning: "):]])
        for command in (("evaluate", *PROBLEM, "--mapping", "best.json"),
                        ("audit", *PROBLEM, "--mapping", "best.json"),
                        ("network", "--arch", "vain.yaml", "--network", "network.yaml")):
            out, _ = self.output_of(*command, "--json", "-", "--quiet")
            self.assertEqual(len(json.loads(out)["warnings"]), 1, command)
            self.assertNotIn("warnings", json.loads(out).get("layers", [{}])[0])

    def test_without_warnings_nothing_changes(self):
        out, err = self.output_of("map", "--arch", "arch.yaml", "--layer", "layer.yaml", "--strict",
                                  "--json", "-")
        self.assertEqual(err, "")
        self.assertNotIn("warnings", json.loads(out))


if __name__ == "__main__":
    unittest.main(argv=["test_warnings"])
