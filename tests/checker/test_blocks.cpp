// The input's block of a row-buffer tile under the closed formulas: the checker's choice against
// every block and every position of the tile.
#include <doctest/doctest.h>

#include "pimbb-check/rows.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"

namespace check = pimbb_check;
using testkit::Choices;

namespace {

/// Positions at which an interval of `length` straddles a multiple of `block`.
std::int64_t straddling_walk(std::int64_t steps, std::int64_t step, std::int64_t taps,
                             std::int64_t tap, std::int64_t length, std::int64_t block) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < steps; ++i) {
    for (std::int64_t g = 0; g < taps; ++g) {
      const std::int64_t first = i * step + g * tap;
      if (first / block != (first + length - 1) / block) ++count;
    }
  }
  return count;
}

/// Cross of a block: tiles that straddle an edge between rows of blocks, and between columns.
std::int64_t cross_walk(const check::Problem& p, const check::Factors& c,
                        const check::Block& block) {
  std::array<std::int64_t, check::kDims> trips{};
  for (std::size_t j = 0; j < check::kDims; ++j) trips[j] = p.bounds[j] / c[j];
  const std::int64_t others = trips[check::C] * trips[check::N] * trips[check::G];
  const std::int64_t down =
      straddling_walk(trips[check::Q], p.stride_h * c[check::Q], trips[check::S],
                      p.dilation_h * c[check::S], p.height(c[check::Q], c[check::S]), block.h);
  const std::int64_t across =
      straddling_walk(trips[check::P], p.stride_w * c[check::P], trips[check::R],
                      p.dilation_w * c[check::R], p.width(c[check::P], c[check::R]), block.w);
  return others *
         (down * trips[check::P] * trips[check::R] + across * trips[check::Q] * trips[check::S]);
}

/// Cross of every block that the rules allow.
std::vector<std::int64_t> crosses(const check::Problem& p, const check::Factors& c) {
  const std::int64_t height = p.height(p.bounds[check::Q], p.bounds[check::S]);
  const std::int64_t width = p.width(p.bounds[check::P], p.bounds[check::R]);
  const std::int64_t depth = c[check::C] * c[check::N] * c[check::G] * p.element_units[0];
  std::vector<std::int64_t> all;
  for (std::int64_t h = p.height(c[check::Q], c[check::S]); h <= height; ++h) {
    for (std::int64_t w = p.width(c[check::P], c[check::R]); w <= width; ++w) {
      if (height % h != 0 || width % w != 0 || h * w * depth > p.row_units) continue;
      all.push_back(cross_walk(p, c, {h, w}));
      CHECK(check::crossings(p, c, h, w) == all.back());
    }
  }
  return all;
}

}  // namespace

TEST_CASE("the input's block is the one with the fewest crossings") {
  std::size_t decided = 0;  // tiles whose blocks differ in their crossings
  const std::uint64_t first = testkit::first_seed(31'000'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(2000); ++seed) {
    Choices choices(seed);
    testkit::Instance i = testkit::random_instance(choices, {.macs = 500, .largest_factor = 30});
    const std::int64_t row = choices.one_of<std::int64_t>({16, 32, 64, 256});
    for (auto& level : i.architecture.levels) {
      if (level.row_buffer_size) level.row_buffer_size = row;
    }
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const check::Problem p(pimbb::dram_pim::canonical_instance(
        i.architecture, i.workload, i.objective, pimbb::dram_pim::RowModel::hybrid));
    check::Factors c = p.bounds;
    for (std::size_t j = 0; j < check::kDims; ++j) {
      std::vector<std::int64_t> divisors;
      for (std::int64_t d = 1; d <= c[j]; ++d) {
        if (c[j] % d == 0) divisors.push_back(d);
      }
      c[j] = divisors[choices.pick(divisors.size())];
    }
    const check::RowTile tile = check::row_tile(p, check::kInput, c);
    const std::vector<std::int64_t> all = crosses(p, c);
    CHECK(tile.may_align == !all.empty());
    if (all.empty()) continue;
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    CHECK(tile.cross == *least);
    if (*least != *most) ++decided;
  }
  CHECK((decided > 100 || testkit::cases(2000) < 2000));
}
