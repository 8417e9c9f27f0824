// Rows that a tile of a row-aligned tensor touches at least, by hand.
#include <doctest/doctest.h>

#include "dram_pim/trace/touched_rows.hpp"
#include "support/full_size.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;

namespace {

/// Of the whole layer, one element at a time.
std::int64_t rows_of_all(const Factors& bounds, Tensor t, const Factors& row_tile) {
  const Architecture a = testkit::simple_pim();  // rows of 1024 elements
  Workload w;
  w.bounds = bounds;
  const mapper::Moved moved{a, w, t, Layout::row_aligned, row_tile};
  mapper::DimMask loops = 0;
  for (const Dim j : kAllDims) {
    if (relevant(t, j)) loops = static_cast<mapper::DimMask>(loops | mapper::bit(j));
  }
  return mapper::TouchedRows(moved, kOnes, bounds, false).with(loops);
}

Factors with(std::initializer_list<std::pair<Dim, std::int64_t>> factors) {
  Factors all = kOnes;
  for (const auto& [j, factor] : factors) all[index(j)] = factor;
  return all;
}

}  // namespace

TEST_CASE("an input's blocks are as large as a row of so many channels takes") {
  const auto rows = [](std::int64_t channels, std::int64_t edge, std::int64_t in_a_row) {
    return rows_of_all(with({{Dim::P, edge}, {Dim::Q, edge}, {Dim::C, channels}}), Tensor::input,
                       with({{Dim::C, in_a_row}}));
  };
  CHECK(rows(4, 32, 4) == 4);  // blocks of 256 positions
  CHECK(rows(4, 32, 1) == 4);  // of 1024, for each channel
  CHECK(rows(8, 32, 4) == 8);
  CHECK(rows(600, 8, 600) == 64);  // of one
  CHECK(rows(500, 8, 500) == 32);
  CHECK(rows(1200, 8, 600) == 128);
}

TEST_CASE("weights and outputs take a row for each tile of a row") {
  const Factors bounds = with({{Dim::R, 3},
                               {Dim::S, 5},
                               {Dim::C, 6},
                               {Dim::K, 7},
                               {Dim::P, 4},
                               {Dim::Q, 9},
                               {Dim::N, 2},
                               {Dim::G, 3}});
  CHECK(rows_of_all(bounds, Tensor::weight, kOnes) == 3 * 5 * 6 * 7 * 3);
  CHECK(rows_of_all(bounds, Tensor::output, kOnes) == 4 * 9 * 7 * 2 * 3);
  CHECK(rows_of_all(bounds, Tensor::weight, with({{Dim::C, 4}, {Dim::K, 7}})) == 3 * 5 * 2 * 3);
  CHECK(rows_of_all(bounds, Tensor::output, with({{Dim::P, 3}, {Dim::Q, 9}})) == 2 * 7 * 2 * 3);
}
