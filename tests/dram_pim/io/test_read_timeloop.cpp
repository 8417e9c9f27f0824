// Timeloop mappings: every way to write one, a round trip of random mappings, and what is refused.
#include <doctest/doctest.h>

#include "support/cases.hpp"
#include "support/instances.hpp"
#include "support/random_mapping.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;
using texts::contains;

namespace {

Workload timeloop_layer() {
  Workload w;
  w.bounds[index(Dim::R)] = 3;
  w.bounds[index(Dim::P)] = 8;
  w.bounds[index(Dim::Q)] = 2;
  w.bounds[index(Dim::C)] = 4;
  w.bounds[index(Dim::K)] = 16;
  return w;
}

Mapping read(const std::string& text) {
  const MappingFile file =
      parse_mapping_file(text, "map.yaml", texts::small_architecture(), timeloop_layer());
  CHECK_FALSE(file.has_layouts);
  return file.mapping;
}

constexpr std::string_view kMapping = R"(mapping:
  - target: DRAM
    type: temporal
    factors: C=4 M=2 N=1 P=1
    permutation: RSPQCMN
  - target: RB
    type: temporal
    factors: P2 Q2
    permutation: PQ
  - {target: GB, type: spatial, factors: "P=4, M=8", permutation: PMRSQCN, split: 1}
  - {target: GB, type: datatype, keep: [Inputs, Outputs, Weights], bypass: []}
  - {target: PE, type: temporal, factors: [R=3], permutation: [R, S, P, Q, C, M, N]}
)";

std::string message(const std::string& text) {
  return texts::error_of(
      [&] { parse_mapping_file(text, "map.yaml", texts::small_architecture(), timeloop_layer()); });
}

/// kMapping with one thing changed.
std::string with(std::string_view from, std::string_view to) {
  return texts::edit(kMapping, from, to);
}

std::string tensor_list(const TensorFlags& flags, bool wanted) {
  static constexpr std::array kNames{"Inputs", "Weights", "Outputs"};
  std::string text;
  for (const Tensor t : kAllTensors) {
    if (flags[index(t)] != wanted) continue;
    text += (text.empty() ? "" : ", ") + std::string(kNames[index(t)]);
  }
  return "[" + text + "]";
}

std::string letter(Dim dim) { return dim == Dim::K ? "M" : std::string(name(dim)); }

/// As Timeloop would have it: dimensions of W first in the array's permutation, then those of H.
std::string written(const Mapping& m, const Architecture& a) {
  std::string text;
  const auto directive = [&](std::size_t level, const std::string& rest) {
    text += "- {target: " + a.levels[level].name + ", " + rest + "}\n";
  };
  const auto spatial = [&](std::size_t level, std::initializer_list<Direction> directions) {
    std::string factors;
    std::string order;
    std::size_t split = 0;
    for (const Direction d : directions) {
      for (const Dim dim : kAllDims) {
        const std::int64_t factor = m.spatial_in(d)[index(dim)];
        if (factor == 1) continue;
        factors += letter(dim) + std::to_string(factor) + " ";
        order += letter(dim);
        split += d == Direction::W ? 1 : 0;
      }
    }
    if (factors.empty()) return;
    directive(level, "type: spatial, factors: " + factors + ", permutation: " + order +
                         ", split: " + std::to_string(split));
  };
  for (std::size_t level = 0; level < m.levels.size(); ++level) {
    std::string factors;
    std::string order;
    const std::vector<Loop>& loops = m.levels[level].loops;
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
      factors += letter(loop->dim) + "=" + std::to_string(loop->factor) + " ";
      order += letter(loop->dim);
    }
    if (!factors.empty()) {
      directive(level, "type: temporal, factors: " + factors + ", permutation: " + order);
    }
    directive(level, "type: bypass, keep: " + tensor_list(m.levels[level].stores, true) +
                         ", bypass: " + tensor_list(m.levels[level].stores, false));
  }
  spatial(1, {Direction::W, Direction::H});
  spatial(0, {Direction::internal});
  return text;
}

}  // namespace

TEST_CASE("every way to write it") {
  const Mapping m = read(std::string(kMapping));
  CHECK(m.spatial_in(Direction::W)[index(Dim::P)] == 4);
  CHECK(m.spatial_in(Direction::H)[index(Dim::K)] == 8);
  CHECK(m.spatial_in(Direction::internal) == kOnes);
  // Timeloop lists the innermost loop first.
  CHECK(m.levels[3].loops == std::vector<Loop>{{Dim::K, 2}, {Dim::C, 4}});
  CHECK(m.levels[2].loops == std::vector<Loop>{{Dim::Q, 2}, {Dim::P, 2}});
  CHECK(m.levels[1].loops.empty());
  CHECK(m.levels[0].loops == std::vector<Loop>{{Dim::R, 3}});
  CHECK(m.layout == decltype(m.layout){});
  for (const MappingLevel& level : m.levels) CHECK(level.stores == TensorFlags{true, true, true});

  CHECK(read(with("factors: C=4 M=2 N=1 P=1", "factors: C4 M2")) == m);
  CHECK(read(with("factors: C=4 M=2 N=1 P=1", "factors: C = 4,M=2")) == m);
  CHECK(read(with("factors: C=4 M=2 N=1 P=1", "factors: [C=4, M=2]")) == m);
  CHECK(read(with("factors: C=4 M=2 N=1 P=1", "factors: C=4 M=0")) == m);
  CHECK(read(with("factors: C=4 M=2 N=1 P=1", "factors: C=4 K=2")) == m);
  CHECK(read(with("permutation: RSPQCMN", "permutation: R S P Q C M N")) == m);
  CHECK(read(with("permutation: RSPQCMN", "permutation: [C, M]")) == m);
  CHECK(read(with("[R=3], permutation: [R, S, P, Q, C, M, N]", "R=3")) == m);
  CHECK(read(with("mapping:\n", "")) == m);
  CHECK(read(with("type: datatype", "type: bypass")) == m);
  CHECK(read(with("R=3", "R=0")) == m);
}

TEST_CASE("without a split all goes over the columns; a level keeps what it may") {
  Mapping m = read(with(", split: 1", ""));
  CHECK(m.spatial_in(Direction::W)[index(Dim::K)] == 8);
  CHECK(m.spatial_in(Direction::H) == kOnes);
  m = read(with("keep: [Inputs, Outputs, Weights], bypass: []", "bypass: [Weights]"));
  CHECK(m.levels[1].stores == TensorFlags{true, false, true});
}

TEST_CASE("the loops of a PE have one order and need no permutation") {
  const std::string text = texts::edit(with("factors: C=4 M=2 N=1 P=1", "factors: M=2"),
                                       "[R=3], permutation: [R, S, P, Q, C, M, N]", "R=3 C=4");
  CHECK(read(text).levels[0].loops == std::vector<Loop>{{Dim::R, 3}, {Dim::C, 4}});
  CHECK(contains(message(texts::edit(text, "P2 Q2\n    permutation: PQ", "P2 Q2")),
                 "found no P, allowed are permutations of all dimensions with a factor above 1"));
}

TEST_CASE("our own format is still ours") {
  const Architecture a = texts::small_architecture();
  const MappingFile file = parse_mapping_file(texts::kMapping, "m.json", a, timeloop_layer());
  CHECK(file.has_layouts);
  CHECK(file.mapping == parse_mapping(texts::kMapping, "m.json", a));
}

TEST_CASE("what is refused, where, and what is allowed") {
  const auto refused = [](const std::string& from, const std::string& to,
                          std::initializer_list<const char*> parts) {
    const std::string said = message(with(from, to));
    CAPTURE(said);
    CHECK(contains(said, "map.yaml:"));
    for (const char* part : parts) CHECK(contains(said, part));
  };
  refused("target: DRAM", "target: MainMemory", {":2:", "MainMemory", "PE, GB, RB, DRAM"});
  refused("target: DRAM", "target: GBB", {"did you mean 'GB'"});
  refused("type: datatype", "type: skew", {"skew", "temporal, spatial, datatype, bypass"});
  refused("type: datatype, ", "", {"type", "temporal, spatial"});
  refused("factors: C=4 M=2 N=1 P=1", "factors: C=4 M=4", {"8 * 4", "the layer's M = 16"});
  refused("factors: C=4 M=2 N=1 P=1", "factors: C=4 M=3", {"8 * 3", "M = 16"});
  refused("factors: C=4 M=2 N=1 P=1", "factors: C=4 M=2,1", {":4:", "remainder", "M=2", "perfect"});
  refused("factors: C=4 M=2 N=1 P=1", "factors: C=4 M=2 X=1", {"dimension X", "P, Q, C, M, N"});
  refused("factors: C=4 M=2 N=1 P=1", "factors: C=4 M=2 C=1", {"second factor of C"});
  refused("factors: C=4 M=2 N=1 P=1", "factors: C=4 M", {"C=4 M", "such as C=4 M=16"});
  refused("factors: C=4 M=2 N=1 P=1", "factors: C=4 M=-2", {"C=4 M=-2"});
  refused("factors: C=4 M=2 N=1 P=1", "factors: C=4 M=99999999999999999999", {"M=999"});
  refused("factors: C=4 M=2 N=1 P=1", "factors: {C: 4}", {"a map"});
  refused("P2 Q2", "P2 Q2 M0", {"permutation", "no M"});
  refused("R=3]", "R=3, R=1]", {"second factor of R"});
  refused("permutation: RSPQCMN", "permutation: RSPQCXN", {"dimension X"});
  refused("permutation: RSPQCMN", "permutation: RSPQCMNC", {"C a second time"});
  refused("permutation: RSPQCMN", "permutation: CM\xc3\xa9", {"CM\xc3\xa9", "innermost first"});
  refused("permutation: RSPQCMN", "permutation: RSPQC", {"no M", "all dimensions with a factor"});
  refused("    permutation: PQ\n", "", {"permutation", "no P"});
  refused("permutation: PMRSQCN, ", "", {"permutation", "no P"});
  refused("split: 1", "split: 99", {"split", "99", "integers 0 .. "});
  refused("{target: GB, type: spatial", "{target: RB, type: spatial",
          {"spatial factors at RB", "GB (over the PE array)"});
  refused("    permutation: PQ\n", "    permutation: PQ\n    split: 2\n", {"split", "unknown key"});
  refused("bypass: []", "bypass: [Weights]", {"Weights", "second time"});
  refused("keep: [Inputs,", "keep: [Ifmaps,", {"Ifmaps", "Inputs, Weights, Outputs"});
  refused("target: RB", "target: DRAM", {"second temporal directive for DRAM"});
  refused("mapping:\n", "problem: {}\nmapping:\n", {"problem"});
  CHECK(contains(message("mapping: []\n"), "factors of R"));
  CHECK(contains(message("[DRAM]\n"), "type"));
}

TEST_CASE("two factors 0 of a dimension") {
  std::string text = with("factors: C=4 M=2 N=1 P=1", "factors: C=4 M=0");
  text += "  - {target: GB, type: temporal, factors: M=0}\n";
  CHECK(contains(message(text), "a second factor 0 of M"));
}

TEST_CASE("random mappings written as Timeloop would write them") {
  const testkit::Size size{.macs = 96, .levels = 5, .free_levels = 3};
  const std::uint64_t first = testkit::first_seed(0);
  for (std::uint64_t seed = first; seed < first + testkit::cases(3000); ++seed) {
    Choices choices(seed);
    const Instance i = testkit::random_instance(choices, size);
    Mapping m = testkit::random_mapping(i.architecture, i.workload, choices, 2);
    // A dimension in two directions at once has no Timeloop form.
    bool one_direction = true;
    for (const Dim dim : kAllDims) {
      int directions = 0;
      for (const Direction d : kAllDirections) directions += m.spatial_in(d)[index(dim)] > 1;
      one_direction = one_direction && directions <= 1;
    }
    if (!one_direction) continue;
    m.layout = {};
    m.input_block = {};
    const std::string text = written(m, i.architecture);
    CAPTURE(text);
    CHECK(parse_mapping_file(text, "map.yaml", i.architecture, i.workload).mapping == m);
  }
}
