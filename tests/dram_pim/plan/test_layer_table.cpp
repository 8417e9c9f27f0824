// A layer's table after raised bounds and splits, against one that is made anew and all pairs.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "dram_pim/plan/layer_table.hpp"
#include "support/cases.hpp"

using pimbb::Int128;
using pimbb::dram_pim::network::LayerTable;
using pimbb::search::kInfiniteInteger;

namespace {

using Row = std::vector<Int128>;
using Grid = std::vector<Row>;
using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t end) {
  return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
}

/// Few different numbers, some of them infinite.
Int128 number(Random& random) {
  const std::size_t kind = below(random, 12);
  return kind == 0 ? kInfiniteInteger : static_cast<Int128>(kind);
}

/// The same number or a larger one.
Int128 grown(Random& random, Int128 value) {
  if (below(random, 2) == 0 || value == kInfiniteInteger) return value;
  return below(random, 8) == 0 ? kInfiniteInteger : value + static_cast<Int128>(below(random, 5));
}

Row grown(Random& random, Row row) {
  for (Int128& value : row) value = grown(random, value);
  return row;
}

/// What a table is made of, changed as the table is.
struct LayerNumbers {
  Grid bounds;  // by input, output
  Grid before;  // by shared, input
  Grid after;   // by shared, output

  explicit LayerNumbers(Random& random) {
    const std::size_t inputs = 1 + below(random, 3);
    const std::size_t outputs = 1 + below(random, 3);
    const auto grid = [&](std::size_t rows, std::size_t columns) {
      Grid all(rows, Row(columns));
      for (Row& row : all) std::ranges::generate(row, [&] { return number(random); });
      return all;
    };
    bounds = grid(inputs, outputs);
    before = grid(1 + below(random, 3), inputs);
    after = grid(1 + below(random, 3), outputs);
  }

  [[nodiscard]] LayerTable<Int128> table() const {
    return {bounds, before, after, kInfiniteInteger};
  }

  [[nodiscard]] Int128 sum(std::size_t from, std::size_t to, std::size_t i, std::size_t o) const {
    return std::min(kInfiniteInteger, bounds[i][o] + before[from][i] + after[to][o]);
  }
};

/// One of the changes that a table has, in both.
void change(Random& random, LayerNumbers& n, LayerTable<Int128>& table) {
  const std::size_t i = below(random, n.bounds.size());
  const std::size_t o = below(random, n.bounds[0].size());
  const std::size_t from = below(random, n.before.size());
  const std::size_t to = below(random, n.after.size());
  /// Two columns in the place of one.
  const auto split = [&](Grid& grid, std::size_t cell, Row& low, Row& high) {
    for (Row& row : grid) {
      low.push_back(grown(random, row[cell]));
      high.push_back(grown(random, row[cell]));
      row[cell] = low.back();
      row.push_back(high.back());
    }
  };
  Row low;
  Row high;
  switch (below(random, 5)) {
    case 0:
      n.bounds[i][o] = grown(random, n.bounds[i][o]);
      table.raise({i, o}, n.bounds[i][o]);
      break;
    case 1:
      n.bounds.push_back(n.bounds[i]);
      split(n.before, i, low, high);
      table.split_input(i, low, high);
      break;
    case 2:
      for (Row& row : n.bounds) row.push_back(row[o]);
      split(n.after, o, low, high);
      table.split_output(o, low, high);
      break;
    case 3:
      low = grown(random, n.before[from]);
      n.before.push_back(grown(random, n.before[from]));
      n.before[from] = low;
      table.split_from(from, low, n.before.back());
      break;
    default:
      low = grown(random, n.after[to]);
      n.after.push_back(grown(random, n.after[to]));
      n.after[to] = low;
      table.split_to(to, low, n.after.back());
  }
}

/// Sums, cells and the next best pair, over all pairs.
void check(const LayerNumbers& n, const LayerTable<Int128>& table) {
  const LayerTable<Int128> anew = n.table();
  for (std::size_t from = 0; from < n.before.size(); ++from) {
    for (std::size_t to = 0; to < n.after.size(); ++to) {
      const auto cells = table.cells(from, to);
      const Int128 sum = table.sums()[from * table.stride() + to];
      Int128 least = kInfiniteInteger;
      Int128 other = kInfiniteInteger;
      for (std::size_t i = 0; i < n.bounds.size(); ++i) {
        for (std::size_t o = 0; o < n.bounds[0].size(); ++o) {
          const Int128 own = n.sum(from, to, i, o);
          least = std::min(least, own);
          if (i != cells.input || o != cells.output) other = std::min(other, own);
        }
      }
      REQUIRE((sum == least));
      REQUIRE((anew.sums()[from * anew.stride() + to] == least));
      REQUIRE((table.other(cells, from, to) == other));
      if (least == kInfiniteInteger) continue;
      REQUIRE((table.sum(cells, from, to) == least));
      REQUIRE(cells.input == anew.cells(from, to).input);
      REQUIRE(cells.output == anew.cells(from, to).output);
    }
  }
}

}  // namespace

TEST_CASE("sums follow bounds that are raised and cells that are split") {
  Random random(11);
  for (std::size_t k = 0; k < testkit::cases(300); ++k) {
    LayerNumbers numbers(random);
    LayerTable<Int128> table = numbers.table();
    for (int step = 0; step < 12; ++step) {
      check(numbers, table);
      change(random, numbers, table);
    }
    check(numbers, table);
  }
}
