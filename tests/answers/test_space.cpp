// Space files: their grids by hand, and a message for everything that can be wrong.
#include <doctest/doctest.h>

#include <string>

#include "answers/grid.hpp"
#include "pimbb/error.hpp"
#include "pimbb/explore.hpp"

using namespace pimbb;

namespace {

/// A space with these lines below `explore`, each of two spaces more.
std::string space_text(const std::string& rest) {
  return "explore:\n  arch: simple_pim\n  networks: resnet18\n  objective: edp\n" + rest;
}

std::string space_error(const std::string& rest) {
  try {
    parse_space(space_text(rest), "s.yaml");
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

std::vector<std::string> points_of(const std::string& rest) {
  const Space space = parse_space(space_text(rest), "s.yaml");
  std::vector<std::string> points;
  for (const answers::GridPoint& point :
       answers::grid_points(space, [](const std::string& path) -> std::optional<Rational> {
         if (path == "base.figure") return Rational(5);
         return std::nullopt;
       })) {
    std::string text = std::to_string(point.number) + ":";
    for (const std::string& change : answers::changes_of(space, point)) text += " " + change;
    if (point.cost) text += " cost " + point.cost->to_string();
    points.push_back(text);
  }
  return points;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("the last axis varies fastest") {
  CHECK(points_of("  vary:\n    a: [1, 2]\n    b: [x, 3.5]\n") ==
        Texts{"0: a=1 b=x", "1: a=1 b=3.5", "2: a=2 b=x", "3: a=2 b=3.5"});
}

TEST_CASE("ranges are exact and include their end if they meet it") {
  CHECK(points_of("  vary:\n    a: {from: 64, to: 1024, times: 4}\n") ==
        Texts{"0: a=64", "1: a=256", "2: a=1024"});
  CHECK(points_of("  vary:\n    a: {from: 0.1, to: 0.35, step: 0.1}\n") ==
        Texts{"0: a=0.1", "1: a=0.2", "2: a=0.3"});
  CHECK(points_of("  vary:\n    a: {from: 1, to: 3, times: 1.5}\n") ==
        Texts{"0: a=1", "1: a=1.5", "2: a=2.25"});
  CHECK(points_of("  vary:\n    a: {from: 1/3, to: 1, step: 1/3}\n") ==
        Texts{"0: a=1/3", "1: a=2/3", "2: a=1"});
}

TEST_CASE("tied axes move together, the others freely") {
  CHECK(points_of("  vary:\n    a: [1, 2]\n    b: [5, 6]\n    c: [7, 8]\n  tie: [[c, a]]\n") ==
        Texts{"0: a=1 b=5 c=7", "1: a=1 b=6 c=7", "2: a=2 b=5 c=8", "3: a=2 b=6 c=8"});
}

TEST_CASE("conditions select, costs are exact, both see the base architecture") {
  CHECK(points_of("  vary:\n    a: [1, 2]\n    b: [2, 3]\n  only: a * b <= base.figure - 1\n"
                  "  cost: 0.1 * a + b / 3\n") ==
        Texts{"0: a=1 b=2 cost 23/30", "1: a=1 b=3 cost 11/10", "2: a=2 b=2 cost 13/15"});
}

TEST_CASE("what is wrong in a space is said with its place") {
  CHECK(space_error("  vari:\n    a: [1]\n") ==
        "s.yaml:5:3: explore.vari: found an unknown key (did you mean 'vary'?), allowed are arch, "
        "networks, objective, vary, tie, only, cost");
  CHECK(space_error("") ==
        "s.yaml:2:3: explore.vary: found nothing (the key is missing), allowed are maps from paths "
        "of the architecture file to values");
  CHECK(space_error("  vary:\n    a: []\n") ==
        "s.yaml:6:8: explore.vary.a: found an empty list, allowed are lists of values, {from, to, "
        "times} and {from, to, step}");
  CHECK(space_error("  vary:\n    a: [1, 1]\n") ==
        "s.yaml:6:12: explore.vary.a[1]: found a value twice: 1, allowed are each once");
  CHECK(space_error("  vary:\n    a: {from: 1, to: 2}\n") ==
        "s.yaml:6:8: explore.vary.a: found neither times nor step, allowed are one of the two");
  CHECK(space_error("  vary:\n    a: {from: 1, to: 2, times: 1}\n") ==
        "s.yaml:6:32: explore.vary.a.times: found 1, allowed are numbers > 1");
  CHECK(space_error("  vary:\n    a: {from: 1, to: 2, step: 0}\n") ==
        "s.yaml:6:31: explore.vary.a.step: found 0, allowed are numbers > 0");
  CHECK(space_error("  vary:\n    a: {from: 3, to: 2, step: 1}\n") ==
        "s.yaml:6:22: explore.vary.a.to: found 2, allowed are numbers >= from, 3");
  CHECK(space_error("  vary:\n    a: {from: 0, to: 1e30, step: 1}\n")
            .starts_with("s.yaml:6:8: explore.vary.a: found more than"));
  CHECK(space_error("  vary:\n    a: [1, 2]\n    b: [1]\n  tie: [[a, b]]\n") ==
        "s.yaml:8:13: explore.tie[0][1]: found b with 1 values, allowed are paths with as many "
        "values as the first, 2");
  CHECK(space_error("  vary:\n    a: [1, 2]\n  tie: [[a, aa]]\n") ==
        "s.yaml:7:13: explore.tie[0][1]: found aa, allowed are a");
  CHECK(space_error("  vary:\n    a: [1, 2]\n  tie: [[a]]\n") ==
        "s.yaml:7:9: explore.tie[0]: found a list of one path, allowed are lists of two at least");
  CHECK(space_error("  vary:\n    a: [1, 2]\n  only: a * 2\n") ==
        "s.yaml:7:9: explore.only: found an expression that is a number, allowed are comparisons");
  CHECK(space_error("  vary:\n    a: [1, 2]\n  cost: a < 2\n") ==
        "s.yaml:7:9: explore.cost: found a comparison, allowed are expressions that are numbers");
  CHECK(space_error("  vary:\n    a: [1, 2]\n  cost: a +\n") ==
        "s.yaml:7:9: explore.cost: found its end, allowed are a number, a path of keys or a "
        "parenthesis");
  std::string axes = "  vary:\n";
  for (const char name : {'a', 'b', 'c'}) {
    axes += std::string("    ") + name + ": {from: 1, to: 500, step: 1}\n";
  }
  CHECK(space_error(axes).find("found a grid of more than") != std::string::npos);
}

TEST_CASE("what an expression cannot be computed from is said") {
  const auto error = [](const std::string& rest) -> std::string {
    try {
      points_of("  vary:\n    a: [1, 2]\n    t: [x]\n" + rest);
      return "";
    } catch (const InputError& e) {
      return e.what();
    }
  };
  CHECK(error("  cost: b\n") ==
        "s.yaml:8:9: explore.cost: found the path b, allowed are paths in vary, and paths of "
        "numbers in the architecture's file");
  CHECK(error("  cost: t\n") ==
        "s.yaml:8:9: explore.cost: found the path t, which has the value 'x', allowed are paths of "
        "numbers");
  CHECK(error("  cost: 1 / (a - 2)\n") ==
        "s.yaml:8:9: explore.cost: found a division by zero at the point 2, x, allowed are other "
        "divisors");
  CHECK(error("  only: a > 2\n") ==
        "s.yaml:8:9: explore.only: found a condition that none of the 2 points satisfies, allowed "
        "are others");
}
