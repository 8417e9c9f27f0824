"""Runs the commands of the pages: every line `$ ...` in a fenced block of README.md and docs/.

The commands of a page run in one directory, in order. The directory starts with the files of
examples/models, examples/*.yaml, examples/devices and tools/draw-audit; `<!-- file: NAME -->` above a block writes the
block to a file in it. The lines below a command are its output, line by line; `...` matches
anything, and times and numbers of threads are ignored. A command must succeed, unless the next
command is `echo $?`. `<!-- not run: REASON -->` above a block skips the block.

Lines that begin with `pimbb` without a `$` are not run, but their options must exist. The targets of
links must exist. A picture in docs/images must be the one that the commands of some page draw.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PIMBB, CHECKER, *REST = map(os.path.abspath, sys.argv[1:])
SOURCE = pathlib.Path(REST[0])
PAGES = sorted([SOURCE / "README.md", *SOURCE.glob("docs/**/*.md")])
LINKING = [*PAGES, *(SOURCE / f"{name}.md" for name in
                     ("CHANGELOG", "CONTRIBUTING", "bench/README", "src/README"))]


class Block:
    """A fenced block: the number of its first line, the remark above it, its lines."""

    def __init__(self, number, remark):
        self.number, self.lines = number, []
        self.kind, _, self.argument = (part.strip() for part in remark.partition(":"))


def blocks(text):
    block, remark = None, ""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("```"):
            if block is None:
                block = Block(number, remark)
            else:
                yield block
                block, remark = None, ""
        elif block is not None:
            block.lines.append(line)
        elif line.strip():
            comment = re.fullmatch(r"<!-- ((?:file|not run): .*) -->", line)
            remark = comment[1] if comment else ""


def steps(block):
    """The commands of a block, each with the lines below it."""
    found = []
    for line in block.lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and found[-1][0].endswith("\\") and not found[-1][1]:
            found[-1] = (found[-1][0][:-1] + line.removeprefix("> "), [])
        elif found:
            found[-1][1].append(line)
    return found


def settled(line):
    """A line without times, numbers of threads, and column widths, which differ between runs."""
    indent = re.match(" *", line)[0]
    line = re.sub(r"\d[\d.,]* (?:s|ms)\b", "TIME", re.sub(r"\b\d+ threads?\b", "THREADS", line))
    return indent + re.sub("─+", "─", " ".join(line.split()))


def pattern(lines):
    parts = []
    for line in lines:
        if line == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(re.escape(settled(line)).replace(r"\.\.\.", ".*") + r"\n")
    return "".join(parts)


def anchors(page):
    """The anchors that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Examples(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="pimbb-docs-")
        self.addCleanup(directory.cleanup)
        programs = pathlib.Path(directory.name, "bin")
        programs.mkdir()
        os.symlink(PIMBB, programs / "pimbb")
        os.symlink(CHECKER, programs / "pimbb-check")
        self.environment = {"PATH": f"{programs}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                            "HOME": directory.name}
        self.directory = pathlib.Path(directory.name, "work")
        self.directory.mkdir()
        for model in SOURCE.glob("examples/models/*.onnx"):
            shutil.copy(model, self.directory)
        (self.directory / "examples").mkdir(exist_ok=True)
        for mapping in SOURCE.glob("examples/*.yaml"):
            shutil.copy(mapping, self.directory / "examples")
        shutil.copytree(SOURCE / "examples/devices", self.directory / "examples/devices")
        (self.directory / "tools").mkdir()
        shutil.copy(SOURCE / "tools/draw-audit", self.directory / "tools")

    def run_step(self, command, status):
        """Output and exit code of a command in a shell whose `$?` is `status` at the start."""
        done = subprocess.run(["bash", "-c", f"(exit {status})\n{command}"], cwd=self.directory,
                              env=self.environment, stdin=subprocess.DEVNULL, text=True,
                              encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False, timeout=120)
        return done.stdout, done.returncode

    def run_block(self, block, place):
        commands = steps(block)
        status = 0
        for at, (command, shown) in enumerate(commands):
            text, status = self.run_step(command, status)
            asked = commands[at + 1:at + 2] and commands[at + 1][0] == "echo $?"
            if not asked:
                self.assertEqual(status, 0, f"{place}: $ {command}\n{text}")
            got = "".join(settled(line) + "\n" for line in text.splitlines())
            if shown and not re.fullmatch(pattern(shown), got):
                self.assertEqual("\n".join(shown), text, f"{place}: $ {command}")

    def test_pages(self):
        ran = 0
        drawn = set()
        for page in PAGES:
            self.setUp()
            for block in blocks(page.read_text(encoding="utf-8")):
                place = f"{page.relative_to(SOURCE)}:{block.number}"
                if block.kind == "file":
                    text = "\n".join(block.lines) + "\n"
                    (self.directory / block.argument).write_text(text, encoding="utf-8")
                elif block.kind != "not run":
                    ran += len(steps(block))
                    with self.subTest(place):
                        self.run_block(block, place)
            drawn |= self.compare_pictures(page)
        self.assertGreater(ran, 20)
        self.assertEqual(drawn, {picture.name for picture in SOURCE.glob("docs/images/*")})

    def compare_pictures(self, page):
        """The names of the pictures that the commands of a page have drawn."""
        pictures = [*self.directory.glob("*.svg"), *self.directory.glob("*.png")]
        for picture in pictures:
            with self.subTest(page.name, picture=picture.name):
                kept = (SOURCE / "docs/images" / picture.name).read_bytes()
                new = picture.read_bytes()
                # A browser draws PNG, in fonts of its own: its header, with width and height, is compared.
                self.assertEqual(new[:33] if picture.suffix == ".png" else new,
                                 kept[:33] if picture.suffix == ".png" else kept)
        return {picture.name for picture in pictures}

    def options_of(self, command):
        text, status = self.run_step(f"pimbb {command} --help", 0)
        self.assertEqual(status, 0, command)
        return {name for line in text.splitlines() if line.startswith("  -")
                for name in re.findall(r"--?[a-z-]+", line[:26])}

    def test_options_exist(self):
        known = {}
        for page in PAGES:
            for block in blocks(page.read_text(encoding="utf-8")):
                for line in block.lines:
                    words = line.removeprefix("$ ").partition("#")[0].split()
                    if len(words) < 2 or words[0] != "pimbb" or words[1].startswith("-"):
                        continue
                    if words[1] not in known:
                        known[words[1]] = self.options_of(words[1])
                    for word in words[2:]:
                        if word in ("|", ">", "&&"):
                            break
                        if re.match(r"--?[a-z]", word):
                            self.assertIn(word, known[words[1]],
                                          f"{page.relative_to(SOURCE)}: {line}")

    def test_links(self):
        for page in LINKING:
            text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"),
                          flags=re.MULTILINE | re.DOTALL)
            for link in re.findall(r"\]\(([^)]+)\)", text):
                path, _, anchor = link.partition("#")
                if link.startswith(("http:", "https:")):
                    continue
                target = page.parent / path if path else page
                with self.subTest(page=page.name, link=link):
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(target))


if __name__ == "__main__":
    unittest.main(argv=["test_examples"])
