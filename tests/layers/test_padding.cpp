// Paddings: tops of bounds, the texts of options, the key `pad` of files.
#include <doctest/doctest.h>

#include "pimbb/error.hpp"
#include "pimbb/io.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using texts::contains;
using texts::error_of;

namespace {

constexpr Factors kBounds{3, 3, 56, 57, 64, 86, 1, 1};

Factors tops(std::string_view text) { return Padding::parse(text, "--pad").tops(kBounds); }
std::string refused(std::string_view text) {
  return error_of([&] { Padding::parse(text, "--pad"); });
}

}  // namespace

TEST_CASE("per cents are rounded down, numbers are added") {
  CHECK(tops("12.5%") == Factors{3, 3, 63, 64, 72, 96, 1, 1});
  CHECK(tops("0.03%") == kBounds);
  CHECK(Growth{Rational::parse("0.03"), true}.top(50257) == 50272);
  CHECK(tops("2") == Factors{5, 5, 58, 59, 66, 88, 3, 1});  // one group stays one
  CHECK(Padding::parse("2", "").tops({1, 1, 1, 1, 1, 1, 1, 4})[7] == 6);
  CHECK(tops("P=2,K=12.5%") == Factors{3, 3, 58, 57, 64, 96, 1, 1});
  CHECK(tops("G=1") == Factors{3, 3, 56, 57, 64, 86, 1, 2});  // by its name
  CHECK(tops("0") == kBounds);
  CHECK(tops("100%")[5] == 172);
  CHECK(Growth{Rational::parse("1e30"), false}.top(1) == INT64_MAX);
}

TEST_CASE("texts that are no padding") {
  for (const char* text : {"", "1.5", "-1", "-2%", "x", "P", "P=", "P=2,", "P=2,3", "%", "1/2%"}) {
    CAPTURE(text);
    CHECK(contains(refused(text), "--pad: found "));
    CHECK(contains(refused(text), "allowed are"));
  }
  CHECK(contains(refused("P=1,P=2"), "P is there twice"));
  CHECK(contains(refused("X=1"), "'X'"));
  CHECK(contains(refused("X=1"), "R, S, P, Q, C, K, N, G"));
}

TEST_CASE("the key pad of layers and networks") {
  const auto layer = [](const std::string& pad) {
    return parse_workload("{R: 1, S: 1, P: 197, Q: 1, C: 64, K: 86, N: 1" + pad + "}", "l.yaml");
  };
  CHECK(!layer("").padding);
  CHECK(layer(", pad: 2").padding == Padding::parse("2", ""));
  CHECK(layer(", pad: 12.5%").padding == Padding::parse("12.5%", ""));
  CHECK(layer(", pad: {K: 3, P: \"1.5%\"}").padding == Padding::parse("P=1.5%,K=3", ""));
  const std::string bad = error_of([&] { layer(", pad: {K: 1.5}"); });
  CHECK(contains(bad, "l.yaml:1"));
  CHECK(contains(bad, "pad.K: found 1.5, allowed are integers >= 0"));
  CHECK(contains(error_of([&] { layer(", pad: [1]"); }), "pad: found a list"));
  CHECK(contains(error_of([&] { layer(", pad: {X: 1}"); }), "unknown key"));
  const Network network = parse_network(
      "pad: 1\nlayers:\n"
      "- {name: a, R: 1, S: 1, P: 5, Q: 1, C: 1, K: 1, N: 1}\n"
      "- {name: b, R: 1, S: 1, P: 5, Q: 1, C: 1, K: 1, N: 1, pad: {P: 3}}\n",
      "n.yaml");
  CHECK(network.layers[0].workload.padding == Padding::parse("1", ""));
  CHECK(network.layers[1].workload.padding == Padding::parse("P=3", ""));
  CHECK(!same_shape(network.layers[0].workload, network.layers[1].workload));
}

TEST_CASE("frames grow with their tensors") {
  Workload w = parse_workload("{R: 3, S: 3, P: 5, Q: 4, C: 2, K: 2, N: 1, stride: [2, 1]}", "l");
  w.input_frame = Frame{8, 14, 1, 2};
  w.output_frame = Frame{5, 6, 0, 1};
  const Workload grown = with_bounds(w, {3, 3, 6, 5, 2, 2, 1, 1});
  validate(grown);
  CHECK(grown.input_frame == Frame{9, 16, 1, 2});
  CHECK(grown.output_frame == Frame{6, 7, 0, 1});
  CHECK(with_bounds(w, w.bounds).input_frame == w.input_frame);
}
