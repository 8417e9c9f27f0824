"""Completion: what bash offers for a line that is begun, and that the other shells can read theirs."""

import re
import shutil
import subprocess
import unittest

import help_text
from workbench import Workbench, chosen, environment, not_in_slow_builds

TRY = """source ./pimbb.bash
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_pimbb
printf '%s\\n' "${COMPREPLY[@]}"
"""


class Completion(Workbench):
    def setUp(self):
        super().setUp()
        self.write("pimbb.bash", self.say("completion", "bash"))

    def say(self, *arguments):
        return self.run_pimbb(*arguments)[0]

    def offers(self, *words):
        """Candidates for the last word; bash gives ':' and '=' as words of their own."""
        done = subprocess.run(["bash", "-c", TRY, "bash", "pimbb", *words], cwd=self.dir, text=True,
                              capture_output=True, check=True, env=environment())
        self.assertEqual(done.stderr, "", words)
        return done.stdout.split()

    @not_in_slow_builds
    def test_every_shell_can_read_its_script(self):
        for shell, check in (("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")):
            with self.subTest(shell):
                self.write("script", self.say("completion", shell))
                if shutil.which(shell) is None:
                    self.skipTest(f"there is no {shell} here")
                done = subprocess.run([shell, check, "script"], cwd=self.dir, text=True,
                                      capture_output=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    @unittest.skipIf(shutil.which("fish") is None, "there is no fish here")
    def test_fish_offers_the_same(self):
        self.write("pimbb.fish", self.say("completion", "fish"))
        for words in (["m"], ["map", "--arch", "s"], ["map", "--layer", "resnet18:fc"],
                      ["map", "--objective", "latency,e"], ["man", "n"], ["lp", "arch"]):
            line = " ".join(["pimbb", *words])
            done = subprocess.run(["fish", "-c", f"source pimbb.fish; complete -C '{line}'"],
                                  cwd=self.dir, text=True, capture_output=True, check=True,
                                  env=environment(HOME=self.dir))
            found = [entry.split("\t")[0] for entry in done.stdout.splitlines()]
            split = [part for word in words for part in re.split("(:)", word)]
            bash = [words[-1].rpartition(":")[0] + ":" + word if ":" in words[-1] else word
                    for word in self.offers(*split)]
            self.assertEqual(sorted(found), sorted(bash), words)

    def test_the_commands_of_help(self):
        commands = help_text.commands(self.say)
        self.assertIn("map", commands)
        self.assertEqual(self.offers(""), commands)
        self.assertEqual(self.offers("man", ""), commands)
        self.assertEqual(self.offers("--quiet", "pre"), ["presets"])

    @not_in_slow_builds
    def test_the_options_of_help(self):
        for command in ("", *help_text.commands(self.say)):
            self.assertEqual(set(self.offers(*command.split(), "--")),
                             set(help_text.options(self.say, command)), command)

    def test_presets_and_layers(self):
        listed = [line.split()[0] for line in self.say("presets").splitlines()
                  if line.startswith("  ")]
        self.assertIn("simple_pim", listed)
        self.assertEqual([name for name in self.offers("presets", "") if "/" not in name], listed)
        layers = [line.split()[0] for line in self.say("presets", "vgg16").splitlines()
                  if line.startswith("vgg16:")]
        self.assertEqual(self.offers("map", "--layer", "vgg"), layers)
        after_the_colon = [layer.split(":")[1] for layer in layers]
        self.assertEqual(self.offers("map", "--layer", "vgg16", ":"), after_the_colon)
        self.assertEqual(self.offers("map", "--layer", "vgg16", ":", "fc"),
                         [name for name in after_the_colon if name.startswith("fc")])

    def test_lists_and_equals_signs(self):
        self.assertEqual(self.offers("map", "--objective", "latency,e"),
                         ["latency,energy", "latency,edp"])
        self.assertNotIn("edp,edp", self.offers("map", "--objective", "edp,"))
        self.assertEqual(self.offers("map", "--method", "=", "gr"), ["greedy"])
        self.assertEqual(self.offers("export", "--row-model", "tr"), [])
        self.assertEqual(self.offers("trace", "--format", ""), ["ramulator", "csv", "jsonl"])
        self.assertEqual(self.offers("export", "--format", ""), ["mps", "lp"])

    def test_files(self):
        for name in ("arch.mps", "arch.txt", "layer file.onnx"):
            self.write(name, "")
        self.assertEqual(self.offers("map", "--arch", "arch"), ["arch.yaml"])
        self.assertEqual(self.offers("lp", "arch"), ["arch.mps"])
        self.assertEqual(set(self.offers("map", "--json", "arch")),
                         {"arch.yaml", "arch.mps", "arch.txt"})
        self.assertEqual(self.offers("network", "--network", "layer"),
                         ["layer", "file.onnx", "layer.yaml"])
        self.assertEqual(self.offers("map", "--threads", ""), [])
        self.assertEqual(self.offers("lp", "--quiet", "arch.y"), [])
        self.assertEqual(self.offers("map", "--timeless", "digits_no"), [])

    @not_in_slow_builds
    def test_no_word_is_offered_that_is_refused(self):
        for command in chosen(("map", "network", "export", "trace", "evaluate")):
            for option, value in help_text.options(self.say, command).items():
                if not value or option in ("--arch", "--layer", "--network", "--mapping"):
                    continue
                for word in chosen(self.offers(command, option, "")):
                    if option in ("--json", "--output", "--proof", "--log"):
                        continue
                    _, err = self.run_pimbb(command, "--arch", "nowhere", option, word, expect=2)
                    self.assertNotIn(f"{option}:", err)

    def test_bad_input(self):
        for words, allowed in ((("completion",), "bash, zsh, fish"),
                               (("completion", "tcsh"), "found 'tcsh', allowed are bash")):
            out, err = self.run_pimbb(*words, expect=2)
            self.assertEqual(out, "")
            self.assertIn(allowed, err)


if __name__ == "__main__":
    unittest.main(argv=["test_completion"])
