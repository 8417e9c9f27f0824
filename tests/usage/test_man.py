"""Manual pages: they say all that --help says, and what reads roff finds nothing wrong with them."""

import re
import shutil
import subprocess
import unittest

import help_text
from workbench import Workbench


def plain(roff):
    """The page without fonts and escapes, as words between single spaces."""
    text = re.sub(r"\\f[BIR]", "", roff)
    for escape, character in (("\\-", "-"), ("\\(aq", "'"), ("\\(ti", "~"), ("\\&", "")):
        text = text.replace(escape, character)
    return " ".join(text.split())


class Man(Workbench):
    def say(self, *arguments):
        return self.run_pimbb(*arguments)[0]

    def pages(self):
        """Each command, '' for pimbb itself, with its page."""
        commands = help_text.commands(self.say)
        self.assertIn("trace", commands)
        for command in ("", *commands):
            yield command, self.say("man", *command.split())

    def test_every_option_of_help(self):
        for command, page in self.pages():
            text = plain(page)
            options = help_text.options(self.say, command)
            self.assertIn("--quiet", options)
            for option, value in options.items():
                self.assertIn(f"{option} {value}".strip(), text, command)

    def test_every_word_of_help(self):
        for command, page in self.pages():
            text = plain(page).lower()
            body = self.say(*command.split(), "--help").split("\nOptions:")[1]
            for word in re.findall(r"[\w.,;'/:*-]{3,}", body.split("\nSubcommands:")[0]):
                if word not in ("-h,--help", "-q,--quiet"):  # headed "-h, --help"
                    self.assertIn(word.strip(".,;:'").lower(), text, command)

    def test_every_command_has_a_line(self):
        text = plain(self.say("man"))
        for command in help_text.commands(self.say):
            self.assertIn(f"pimbb {command} ", text)
            self.assertIn(f"pimbb-{command} (1)", text)

    def test_roff(self):
        readers = [reader for reader in (["groff", "-man", "-ww", "-z", "-Tutf8"],
                                         ["mandoc", "-T", "lint", "-W", "warning"])
                   if shutil.which(reader[0])]
        if not readers:
            self.skipTest("neither groff nor mandoc is here")
        files = []
        for command, page in self.pages():
            files.append(f"{command or 'pimbb'}.1")
            self.write(files[-1], page)
        for reader in readers:
            done = subprocess.run([*reader, *files], cwd=self.dir, text=True, capture_output=True,
                                  check=False)
            complaints = [line for line in (done.stdout + done.stderr).splitlines()
                          if "missing date" not in line]  # a page has none: builds repeat
            self.assertEqual(complaints, [])

    def test_markdown(self):
        for command, _ in self.pages():
            page = self.say("man", *command.split(), "--format", "markdown")
            for option in help_text.options(self.say, command):
                if option not in ("--help", "--version"):
                    self.assertIn(option, page)

    def test_bad_input(self):
        out, err = self.run_pimbb("man", "mapp", expect=2)
        self.assertEqual(out, "")
        self.assertIn("found 'mapp' (did you mean 'map'?), allowed are map, network", err)
        _, err = self.run_pimbb("man", "--format", "html", expect=2)
        self.assertIn("allowed are roff, markdown", err)


if __name__ == "__main__":
    unittest.main(argv=["test_man"])
