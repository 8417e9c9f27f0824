"""tools/mutate: the file with all mutants in it does what the original does, and each mutant, chosen
by the environment variable, does something else."""

import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
try:
    loader = importlib.machinery.SourceFileLoader("mutate", str(ROOT / "tools" / "mutate"))
    mutate = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
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


if __name__ == "__main__":
    unittest.main(argv=["test_mutate"])
