"""tools/mutate: the file with all mutants in it does what the original does, and each mutant, chosen
by the environment variable, does something else. What is drawn, run and remembered."""

import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
try:
    loader = importlib.machinery.SourceFileLoader("mutate", str(ROOT / "tools" / "mutate"))
    mutate = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
    sys.modules["mutate"] = mutate  # its worker processes look there
    loader.exec_module(mutate)
except ModuleNotFoundError as missing:
    print(missing)
    sys.exit(77)  # meson: skipped

SOURCE = """\
#include <algorithm>
#include <array>
#include <cassert>
#include <compare>
#include <cstdint>
#include <cstdio>
#include <optional>

constexpr int kSize = 3 + 1;
constexpr int constant(int a) { return a < 3 ? a + 1 : a; }
static_assert(kSize * 2 == 8 && constant(2) == 3);

template <class T>
T middle(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

struct Point {
  int x, y;
  explicit Point(int a) : x(a - 2), y(a * 5) {}
  friend auto operator<=>(const Point& a, const Point& b) { return a.x <=> b.x; }
};

std::int64_t mixed(std::int64_t a, std::int64_t b) {
  assert(a < 100 && b < 100);
  std::array<int, kSize> values{1, 2, 3, 4};
  std::int64_t sum = 0;
  for (std::int64_t k = a; k != b && !(k > 6); ++k) sum += (k << 1) + values[k % 4];
  switch (a) {
    case 1 + 1:
      sum -= 5;
      break;
    default:
      sum |= 64;
  }
  return sum;
}

int main() {
  const Point p(4);
  std::optional<int> none;
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 9; ++b) {
      const bool odd = (a + 2 * b) % 3 == 1;
      std::printf("%d %ld %d %d\\n", middle(a, b, 2), static_cast<long>(mixed(a, b)),
                  a <= b || (odd && !none) ? 1 : 0, p < Point(b) ? p.x : p.y / (b + 1));
    }
  }
}
"""


class Mutants(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="pimbb-mutate-")
        self.addCleanup(directory.cleanup)
        self.file = pathlib.Path(directory.name) / "some.cpp"
        self.file.write_text(SOURCE)
        self.mutants = mutate.Finder(str(self.file)).found
        for number, mutant in enumerate(self.mutants):
            mutant.number = number

    def program(self, text):
        source = self.file.with_name("mutated.cpp")
        source.write_text(text)
        program = self.file.with_name("program")
        subprocess.run(["g++", "-std=c++20", "-w", "-Wno-narrowing", "-include",
                        ROOT / "tools/mutation/mutation.hpp", source, "-o", program], check=True)
        return program

    @staticmethod
    def output(program, **variables):
        try:
            done = subprocess.run([program], env={**os.environ, **variables}, timeout=2,
                                  capture_output=True, check=False)
        except subprocess.TimeoutExpired:
            return "no end"
        return done.returncode, done.stdout

    def test_every_mutant_shows(self):
        original = self.output(self.program(SOURCE))
        self.assertEqual(original[0], 0)
        # One at a place: two changes of one operator cannot be in one text.
        for kind in (0, -1):
            places = {}
            for mutant in self.mutants:
                places.setdefault((mutant.line, mutant.column), []).append(mutant)
            chosen = [place[kind] for place in places.values()]
            program = self.program(mutate.rewritten(SOURCE.encode(), chosen))
            self.assertEqual(self.output(program), original)
            for mutant in chosen:
                with self.subTest(mutant=str(mutant)):
                    changed = self.output(program, PIMBB_MUTANT=str(mutant.number))
                    self.assertFalse(changed == original)

    def test_what_is_found(self):
        found = {f"{m.was} -> {m.becomes}" for m in self.mutants}
        for change in ("< -> <=", "< -> >=", "!= -> ==", "&& -> ||", "|| -> &&", "! -> ", "+ -> -",
                       "* -> +", "/ -> *", "% -> /", "<< -> >>", "+= -> -=", "-= -> +=", "|= -> &=",
                       "max -> min", "min -> max", "2 -> 2 + 1"):
            self.assertIn(change, found)
        lines = SOURCE.splitlines()
        for mutant in self.mutants:
            for kept in ("constexpr", "static_assert", "assert(", "case "):
                self.assertNotIn(kept, lines[mutant.line - 1])

    def test_reached(self):
        program = self.program(mutate.rewritten(SOURCE.encode(), self.mutants[:1]))
        with tempfile.TemporaryDirectory() as directory:
            self.output(program, PIMBB_MUTANTS_REACHED=directory)
            reached = [f.read_text().split() for f in pathlib.Path(directory).iterdir()]
        self.assertEqual(reached, [["0"]])


class Runs(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="pimbb-mutate-")
        self.addCleanup(directory.cleanup)
        self.folder = pathlib.Path(directory.name)
        tree = mutate.TREE
        self.addCleanup(setattr, mutate, "TREE", tree)
        mutate.TREE = self.folder / "tree"

    def drawn(self, text, sample, seed="1"):
        file = self.folder / "some.cpp"
        file.write_text(text)
        mutants = mutate.drawn([str(file)], 10, sample, seed)
        self.assertEqual([m.number for m in mutants], list(range(len(mutants))))
        return {m.key() for m in mutants}

    def test_a_draw_outlives_a_change_of_the_file(self):
        drawn = self.drawn(SOURCE, 12)
        self.assertEqual(len(drawn), 12)
        self.assertEqual(self.drawn("int more(int a) { return a; }\n" + SOURCE, 12), drawn)
        self.assertLess(drawn, self.drawn(SOURCE, 13))
        self.assertNotEqual(self.drawn(SOURCE, 12, "2"), drawn)
        self.assertEqual(len(self.drawn(SOURCE, None)), 10)

    def test_results_are_found_again(self):
        mutants = mutate.Finder(str(self.drawn(SOURCE, 1) and self.folder / "some.cpp")).found
        results = mutate.Results(self.folder / "results.jsonl")
        results.add(mutants[0], mutate.SURVIVES)
        results.add(mutants[1], "lp_simplex: some case")
        results.add(mutants[0], "exact")
        again = mutate.Results(self.folder / "results.jsonl")
        self.assertEqual([again.get(m) for m in mutants[:3]],
                         ["exact", "lp_simplex: some case", None])

    def test_room_by_room(self):
        mutants = mutate.Finder(str(self.drawn(SOURCE, 1) and self.folder / "some.cpp")).found[:4]
        results = mutate.Results(self.folder / "results.jsonl")
        for mutant, result in zip(mutants, ["a test", mutate.SURVIVES, mutate.SURVIVES]):
            mutant.file = "src/lp/some.cpp"
            results.add(mutant, result)
        last = mutate.table(mutants, {mutants[2].key()}, results).splitlines()[-1]
        self.assertEqual(last, "| `lp` | 3 | 1 | 1 | 50.0 % |")

    def program(self, text):
        program = self.folder / "program"
        program.write_text("#!/bin/sh\n" + text)
        program.chmod(0o755)
        return mutate.Test("some", [str(program)], {}, str(self.folder))

    def test_cases_of_a_program(self):
        cases = self.program("""
echo '[doctest] listing all test case names'
echo '==================='
echo 'one, two'
echo 'three'
""").cases()
        self.assertEqual([case.name for case in cases], ["some: one, two", "some: three"])
        self.assertEqual(cases[0].command[1:], ["--abort-after=1", "--test-case=one? two"])

    def test_a_test_fails_that_does_not_end(self):
        self.assertFalse(self.program("exit 0").fails("10", 5)[0])
        self.assertTrue(self.program("exit 1").fails("10", 5)[0])
        failed, seconds = self.program("while :; do :; done").fails("10", 1)
        self.assertTrue(failed)
        self.assertLess(seconds, 5)


PROJECT = {
    "meson.build": """\
project('small', 'cpp', default_options: ['cpp_std=c++20'])
subdir('tests')
""",
    "tests/meson.build": """\
test('parts', executable('parts', ['../src/room/a.cpp', '../test.cpp'], build_by_default: false))
""",
    "meson_options.txt": "option('bench', type: 'feature')\n",
    ".gitignore": "build/\n",
    "tools/mutation/equivalent.toml": """\
[[mutant]]
file = "src/room/a.cpp"
line = "int same(int a) { return a - 0; }"
change = "- -> +"
reason = "adds nothing"
""",
    "src/room/a.cpp": """\
int sum(int a, int b) { return a + b; }
int same(int a) { return a - 0; }
int product(int a, int b) { return a * b; }
""",
    # Answers as a doctest program does.
    "test.cpp": """\
#include <cstdio>
#include <cstring>
int sum(int a, int b);
int same(int a);
int product(int a, int b);
int main(int count, char** words) {
  if (count > 1 && std::strcmp(words[1], "--list-test-cases") == 0) return std::puts("sum\\nproduct") < 0;
  if (std::strstr(words[2], "sum")) return sum(1, 2) != 3 || same(3) != 3;
  return product(2, 2) != 4;
}
""",
}


class SmallProject(unittest.TestCase):
    def project(self):
        """The folder, and a function that calls tools/mutate there."""
        directory = tempfile.TemporaryDirectory(prefix="pimbb-mutate-")
        self.addCleanup(directory.cleanup)
        folder = pathlib.Path(directory.name)
        for name, text in PROJECT.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        for name in ("mutate", "mutation/mutation.hpp"):
            (folder / "tools" / name).write_bytes((ROOT / "tools" / name).read_bytes())
        subprocess.run(["git", "init", "-q", folder], check=True)

        def mutate_it(*options, shared=str(folder)):
            command = [sys.executable, folder / "tools/mutate", *options, folder / "src"]
            return subprocess.run(command, cwd=folder, text=True, capture_output=True, check=True,
                                  env={**os.environ, "PIMBB_SHARED": shared}).stdout

        return folder, mutate_it

    def test_within_a_finished_build(self):
        folder, mutate_it = self.project()
        build = folder / "build/small"
        for command in (["meson", "setup", build, folder], ["ninja", "-C", build, "tests/parts"]):
            subprocess.run(command, check=True, capture_output=True)
        program = (build / "tests/parts").read_bytes()
        score = "| `room` | 4 | 1 | 2 | 66.7 % |"
        self.assertIn(score, mutate_it("--sample", "9", "--within", build))
        self.assertEqual((build / "tests/parts").read_bytes(), program)
        self.assertFalse((folder / "build/mutate/build").exists())
        self.assertIn(score, mutate_it("--sample", "9"))

    def test_from_the_draw_to_the_score(self):
        folder, mutate_it = self.project()
        first = mutate_it("--sample", "9")
        self.assertIn("src/room/a.cpp:1:34: + -> -    int sum(int a, int b) { return a + b; }\n"
                      "    parts: sum\n", first)
        self.assertIn("SURVIVES 1 cases", first)
        self.assertIn("| `room` | 4 | 1 | 2 | 66.7 % |", first)
        self.assertNotIn("warning", first)
        second = mutate_it("--sample", "9", shared="")
        self.assertIn("warning: PIMBB_SHARED is not set", second)
        self.assertNotIn("mutants meet", second)
        self.assertIn("--- survivors\nsrc/room/a.cpp:3:38: * -> +", second)
        (folder / "test.cpp").write_text(PROJECT["test.cpp"].replace("product(2, 2) != 4",
                                                                     "product(2, 3) != 6"))
        third = mutate_it("--sample", "9", "--again", "--room", "room")
        self.assertIn("--- 1 mutants meet 10 % of the random cases", third)
        self.assertIn("| `room` | 4 | 1 | 3 | 100.0 % |", third)


class Equivalents(unittest.TestCase):
    def test_each_is_a_line_of_its_file(self):
        listed = tomllib.loads((ROOT / "tools/mutation/equivalent.toml").read_text())["mutant"]
        self.assertGreater(len(listed), 20)
        for mutant in listed:
            with self.subTest(**mutant):
                lines = (ROOT / mutant["file"]).read_text().splitlines()
                self.assertIn(mutant["line"], [line.strip() for line in lines])


if __name__ == "__main__":
    unittest.main(argv=["test_mutate", *sys.argv[1:]])
