// Layouts confined to ranges and tensors in larger planes, against exhaustive search.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "pimbb/dram_pim/proof.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;
using testkit::SolveOptions;

namespace {

LayoutRange random_range(Choices& choices) {
  LayoutRange range;
  switch (choices.pick(4)) {
    case 0: return range;
    case 1: range.row_aligned = false; break;
    case 2: range.sequential = false; break;
    default: range.sequential = choices.once_in(2);
  }
  for (std::size_t k = 0; k < range.least.size(); ++k) {
    if (choices.once_in(4)) range.least[k] = 1 + static_cast<std::int64_t>(choices.pick(4));
    if (choices.once_in(4)) {
      range.most[k] = range.least[k] + static_cast<std::int64_t>(choices.pick(3));
    }
  }
  if (choices.once_in(3)) {
    std::set<LayoutBox> boxes;
    for (std::size_t n = choices.pick(40); n > 0; --n) {
      LayoutBox box;
      for (std::int64_t& edge : box) edge = 1 + static_cast<std::int64_t>(choices.pick(4));
      boxes.insert(box);
    }
    range.among = std::make_shared<const std::vector<LayoutBox>>(boxes.begin(), boxes.end());
  }
  return range;
}

/// The ranges as the exhaustive search takes them, spelled out from their definition.
oracle::Restriction part_of(const Architecture& a, const LayoutRanges& ranges) {
  oracle::Restriction part;
  part.layout = [&a, ranges](const Mapping& m, Tensor t, const oracle::LayoutChoice& choice) {
    const LayoutRange& range = ranges[index(t)];
    if (choice.layout == Layout::sequential) return range.sequential;
    const Factors tile = m.tile(a.row_buffer());
    const auto at = [&](Dim d) { return tile[index(d)]; };
    std::array<std::int64_t, 4> box{at(Dim::N), at(Dim::K), at(Dim::Q), at(Dim::P)};
    if (t == Tensor::weight) box = {at(Dim::K), at(Dim::C), at(Dim::S), at(Dim::R)};
    if (t == Tensor::input) box = {at(Dim::N), at(Dim::C), choice.block.h, choice.block.w};
    bool inside = range.row_aligned;
    for (std::size_t k = 0; k < box.size(); ++k) {
      inside = inside && range.least[k] <= box[k] && box[k] <= range.most[k];
    }
    if (range.among) inside = inside && std::ranges::find(*range.among, box) != range.among->end();
    return inside;
  };
  return part;
}

template <class Check>
void by_seed_and_ranges(std::uint64_t first, std::size_t count, const testkit::Size& size,
                        const Check& check) {
  const std::uint64_t start = testkit::first_seed(first);
  for (std::uint64_t seed = start; seed < start + count; ++seed) {
    Choices choices(seed);
    Instance i = testkit::random_instance(choices, size);
    Workload& w = i.workload;
    if (i.row_model == RowModel::trace) {
      if (choices.once_in(2)) {
        w.input_frame = testkit::random_frame(choices, w.input_height(), w.input_width());
      }
      if (choices.once_in(2)) {
        w.output_frame = testkit::random_frame(choices, w.bound(Dim::Q), w.bound(Dim::P));
      }
    }
    LayoutRanges ranges;
    for (LayoutRange& range : ranges) range = random_range(choices);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    check(i, ranges);
  }
}

std::string trouble(const Instance& i, const LayoutRanges& ranges, const SolveOptions& options) {
  const auto part = part_of(i.architecture, ranges);
  const auto best = oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model, part);
  const Solution s = solve(i.architecture, i.workload, options);
  if (s.mapping && !within(ranges, i.architecture, *s.mapping)) return "a layout out of its range";
  return testkit::complaint(i, s, best, false, false);
}

}  // namespace

TEST_CASE("the optimum within ranges of layouts is the exhaustive search's") {
  for (const auto& [first, count, macs] :
       {std::tuple{0, 1500, 12}, std::tuple{1'000'000, 250, 36}}) {
    by_seed_and_ranges(static_cast<std::uint64_t>(first),
                       testkit::cases(static_cast<std::size_t>(count)), {.macs = macs},
                       [](const Instance& i, const LayoutRanges& ranges) {
                         SolveOptions options = testkit::options_for(i);
                         options.layouts = ranges;
                         CHECK(trouble(i, ranges, options) == "");
                       });
  }
}

TEST_CASE("an input within one row that must be row-aligned pays for the edges that it crosses") {
  by_seed_and_ranges(4'000'000, testkit::cases(600), {.macs = 18},
                     [](Instance i, const LayoutRanges&) {
                       if (i.row_model == RowModel::trace) i.row_model = RowModel::analytic;
                       i.workload.input_frame.reset();
                       i.workload.output_frame.reset();
                       LayoutRanges ranges;
                       ranges[index(Tensor::input)].sequential = false;
                       ranges[index(Tensor::input)].most[2] = 2;  // blocks of one or two lines
                       SolveOptions options = testkit::options_for(i);
                       options.layouts = ranges;
                       CHECK(trouble(i, ranges, options) == "");
                     });
}

TEST_CASE("no rule prunes what matters within ranges of layouts") {
  by_seed_and_ranges(2'000'000, testkit::cases(60), {.macs = 12},
                     [](const Instance& i, const LayoutRanges& ranges) {
                       for (std::size_t k = 0; k < kRules; ++k) {
                         SolveOptions options = testkit::options_for(i);
                         options.layouts = ranges;
                         options.rules.set(static_cast<Rule>(k), false);
                         CAPTURE(kRuleNames[k]);
                         CHECK(trouble(i, ranges, options) == "");
                       }
                     });
}

TEST_CASE("a limit leaves a mapping within the ranges, or none") {
  by_seed_and_ranges(3'000'000, testkit::cases(100), {.macs = 36},
                     [](const Instance& i, const LayoutRanges& ranges) {
                       SolveOptions options = testkit::options_for(i);
                       options.layouts = ranges;
                       options.node_limit = 0;
                       const Solution s = solve(i.architecture, i.workload, options);
                       if (s.mapping) CHECK(within(ranges, i.architecture, *s.mapping));
                       CHECK(testkit::false_claim(i, s, false) == "");
                     });
}

TEST_CASE("what proofs and heuristics do not cover is refused") {
  Choices choices(1);
  const Instance i = testkit::random_instance(choices, {});
  SolveOptions options = testkit::options_for(i);
  options.layouts[0].row_aligned = false;
  const Solution s = solve(i.architecture, i.workload, options);
  CHECK_THROWS_AS(static_cast<void>(prove(i.architecture, i.workload, options, s)), InputError);
  options.method = Method::greedy;
  CHECK_THROWS_AS(static_cast<void>(solve(i.architecture, i.workload, options)), InputError);
}

TEST_CASE("a frame contains its tensor") {
  Workload w;
  w.bounds = {1, 1, 4, 2, 1, 1, 1, 1};
  w.output_frame = Frame{3, 6, 1, 2};
  validate(w);
  w.output_frame->left = 3;
  CHECK_THROWS_WITH_AS(validate(w), doctest::Contains("frame of the output"), InputError);
}
