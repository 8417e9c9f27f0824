// Constraint files: every key, every way to be refused, and the JSON that repeats them.
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>

#include "dram_pim/io/result_json.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using texts::contains;
using texts::edit;
using texts::error_of;

namespace {

constexpr std::string_view kConstraints = R"(constraints:
  spatial: {H: {K: 8, Q: "<=4"}, W: {C: ">=2"}, internal: {}}
  temporal:
    - {level: GB, factors: {K: 4, P: "2..7", R: 1}, order: [K, C, P]}
    - level: DRAM
      order: [Q, N]
  stores: {GB: {weight: true, input: false}, DRAM: {output: true}}
  layout: {input: row_aligned, weight: sequential}
  input_block: {h: 58, w: "<=29"}
)";

/// The small architecture with a level that stores as it likes, and one without the output.
Architecture machine() {
  Architecture a = texts::small_architecture();
  a.levels[1].bypass_free = true;
  a.levels[0].stores = {true, true, false};
  return a;
}

Constraints constraints_of(std::string_view text) {
  return parse_constraints(text, "c.yaml", machine());
}

std::string refusal(std::string_view text) {
  return error_of([&] { (void)constraints_of(text); });
}

}  // namespace

TEST_CASE("every key of constraints is read") {
  const Constraints c = constraints_of(kConstraints);
  const auto spatial = [&](Direction d, Dim j) { return c.spatial[index(d)][index(j)]; };
  CHECK(c.source == "c.yaml");
  CHECK(spatial(Direction::H, Dim::K) == FactorRange{8, 8});
  CHECK(spatial(Direction::H, Dim::Q) == FactorRange{1, 4});
  CHECK(spatial(Direction::W, Dim::C) == FactorRange{2, FactorRange::kAny});
  CHECK(spatial(Direction::W, Dim::K) == FactorRange{});
  CHECK(c.temporal_range(1, Dim::K) == FactorRange{4, 4});
  CHECK(c.temporal_range(1, Dim::P) == FactorRange{2, 7});
  CHECK(c.temporal_range(1, Dim::R) == FactorRange{1, 1});
  CHECK(c.temporal_range(2, Dim::R) == FactorRange{});
  CHECK(c.orders.demands(1, Dim::P, Dim::K));
  CHECK(c.orders.demands(1, Dim::C, Dim::K));
  CHECK(c.orders.demands(1, Dim::P, Dim::C));
  CHECK(!c.orders.demands(1, Dim::K, Dim::P));
  CHECK(c.orders.demands(3, Dim::N, Dim::Q));
  CHECK(c.stored(1, Tensor::weight) == true);
  CHECK(c.stored(1, Tensor::input) == false);
  CHECK(!c.stored(1, Tensor::output));
  CHECK(!c.layouts[index(Tensor::input)].sequential);
  CHECK(!c.layouts[index(Tensor::weight)].row_aligned);
  CHECK(c.layouts[index(Tensor::output)] == LayoutRange{});
  CHECK(c.layouts[index(Tensor::input)].least == LayoutBox{1, 1, 58, 1});
  CHECK(c.layouts[index(Tensor::input)].most ==
        LayoutBox{LayoutRange::kAny, LayoutRange::kAny, 58, 29});
}

TEST_CASE("constraints are repeated as a file that says the same") {
  const Constraints c = constraints_of(kConstraints);
  const std::string text = io::constraints_json(machine(), c).dump();
  CHECK(constraints_of(text) == c);
  CHECK(constraints_of("{\"format\": \"pimbb-mapping/1\", \"constraints\": " + text + "}") == c);
  CHECK(!constraints_of("{}").any());
  CHECK(io::constraints_json(machine(), constraints_of("{}")).dump() == "{}");
}

TEST_CASE("orders in words: what follows directly") {
  const std::vector<std::string> said = constraint_texts(machine(), constraints_of(kConstraints));
  std::vector<std::string> orders;
  std::ranges::copy_if(said, std::back_inserter(orders),
                       [](const std::string& text) { return contains(text, " inside "); });
  CHECK(orders == std::vector<std::string>{"GB: P inside C", "GB: C inside K", "DRAM: N inside Q"});
}

TEST_CASE("no dimension is inside of itself") {
  for (const Dim j : kAllDims) {
    CAPTURE(name(j));
    Constraints c;
    c.orders.inside.resize(4);
    c.orders.inside[2][index(j)] = static_cast<std::uint8_t>(1U << index(j));
    CHECK_THROWS_WITH_AS(validate(machine(), c), doctest::Contains("an order that is cyclic"),
                         InputError);
  }
}

TEST_CASE("a mapping's own order of the input is one of its layouts only where it is free") {
  Mapping mapping;
  mapping.levels.resize(4);
  mapping.input_order = InputOrder::nhwc;
  LayoutRanges ranges;
  Architecture free = machine();
  free.input_order = InputOrder::free;
  CHECK(within(ranges, free, mapping));
  for (const Tensor t : {Tensor::weight, Tensor::output}) ranges[index(t)].channels_last = false;
  CHECK(within(ranges, free, mapping));
  ranges[index(Tensor::input)].channels_last = false;
  CHECK(!within(ranges, free, mapping));
  CHECK(within(ranges, machine(), mapping));
  ranges[index(Tensor::output)].sequential = false;
  CHECK(!within(ranges, machine(), mapping));
}

TEST_CASE("what is wrong in constraints is named") {
  const auto wrong = [](std::string_view from, std::string_view to) {
    return refusal(edit(kConstraints, from, to));
  };
  CHECK(contains(wrong("K: 8, Q", "K: 0, Q"),
                 "c.yaml:2:20: constraints.spatial.H.K: found 0, "
                 "allowed are integers >= 1 (exactly this factor)"));
  CHECK(contains(wrong("\"2..7\"", "\"7..2\""), "temporal[0].factors.P: found \"7..2\""));
  CHECK(contains(wrong("\"<=4\"", "\"<4\""), "found \"<4\""));
  CHECK(contains(wrong("layout:", "layuot:"), "did you mean 'layout'?"));
  CHECK(contains(wrong("{C: \">=2\"}", "{c: 2}"), "did you mean 'C'?"));
  CHECK(contains(wrong("K: 8, Q", "K: 8, K"), "the key a second time"));
  CHECK(contains(wrong("level: DRAM", "level: GB"), "a level a second time: GB"));
  CHECK(contains(wrong("level: DRAM", "level: DRM"), "did you mean 'DRAM'?"));
  CHECK(contains(wrong("level: DRAM", "level: PE"),
                 "found an order, allowed are orders of levels "
                 "above 'PE'"));
  CHECK(contains(wrong("[Q, N]", "[Q, Q]"), "a dimension a second time: Q"));
  CHECK(contains(wrong("{C: \">=2\"}", "{K: 2}"),
                 "a dimension is unrolled in one direction, and K "
                 "is in H"));
  CHECK(contains(wrong("K: 8, Q", "K: 16, Q"), "factors up to the extent 8"));
  CHECK(
      contains(wrong("internal: {}", "internal: {K: 2}"), "units of type scalar do not unroll K"));
  CHECK(contains(wrong("DRAM: {output: true}", "DRAM: {output: false}"),
                 "'DRAM' stores the output in every mapping, its bypass is fixed"));
  CHECK(contains(wrong("DRAM: {output: true}", "PE: {output: true}"),
                 "'PE' cannot store the output"));
  CHECK(contains(wrong("input: row_aligned", "input: sequential"), "layout.input is sequential"));
  CHECK(contains(wrong("weight: sequential", "weight: aligned"), "allowed are sequential"));
}
