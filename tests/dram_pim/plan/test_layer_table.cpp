// A layer's table after raised bounds and splits, against one that is made anew and all pairs.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "dram_pim/plan/layer_table.hpp"
#include "search/value.hpp"
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
  if (below(random, 3) == 0 || value == kInfiniteInteger) return value;
  return below(random, 8) == 0 ? kInfiniteInteger : value + static_cast<Int128>(below(random, 5));
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

/// The first kinds of changes raise a number.
constexpr std::size_t kRaising = 3;
constexpr std::size_t kChanges = 7;

/// One of the changes that a table has, in both; of the first `kinds` ones.
void change(Random& random, LayerNumbers& n, LayerTable<Int128>& table,
            std::size_t kinds = kChanges) {
  const std::size_t i = below(random, n.bounds.size());
  const std::size_t o = below(random, n.bounds[0].size());
  const std::size_t from = below(random, n.before.size());
  const std::size_t to = below(random, n.after.size());
  const auto repeat = [](Grid& grid, std::size_t column) {
    for (Row& row : grid) row.push_back(row[column]);
  };
  switch (below(random, kinds)) {
    case 0:
      n.bounds[i][o] = grown(random, n.bounds[i][o]);
      table.raise({i, o}, n.bounds[i][o]);
      break;
    case 1:
      n.before[from][i] = grown(random, n.before[from][i]);
      table.raise_before(from, i, n.before[from][i]);
      break;
    case 2:
      n.after[to][o] = grown(random, n.after[to][o]);
      table.raise_after(to, o, n.after[to][o]);
      break;
    case 3:
      n.bounds.push_back(n.bounds[i]);
      repeat(n.before, i);
      table.split_input(i);
      break;
    case 4:
      repeat(n.bounds, o);
      repeat(n.after, o);
      table.split_output(o);
      break;
    case 5:
      n.before.push_back(n.before[from]);
      table.split_from(from);
      break;
    default: n.after.push_back(n.after[to]); table.split_to(to);
  }
}

/// The sums that a table has, taken over from it where it says that they were raised.
struct Follower {
  Grid sums;

  explicit Follower(const LayerTable<Int128>& table) {
    for (std::size_t from = 0; from < table.froms(); ++from) {
      Row& row = sums.emplace_back();
      for (std::size_t to = 0; to < table.tos(); ++to) row.push_back(table.sum({from, to}));
    }
  }
  void take(LayerTable<Int128>& table) {
    for (const auto& at : table.raised()) sums[at.from][at.to] = table.sum(at);
  }
};

/// Sums, cells and the next best pair, over all pairs.
void check(const LayerNumbers& n, const LayerTable<Int128>& table) {
  const LayerTable<Int128> anew = n.table();
  for (std::size_t from = 0; from < n.before.size(); ++from) {
    for (std::size_t to = 0; to < n.after.size(); ++to) {
      const auto cells = table.cells({from, to});
      Int128 least = kInfiniteInteger;
      Int128 other = kInfiniteInteger;
      for (std::size_t i = 0; i < n.bounds.size(); ++i) {
        for (std::size_t o = 0; o < n.bounds[0].size(); ++o) {
          const Int128 own = n.sum(from, to, i, o);
          least = std::min(least, own);
          if (i != cells.input || o != cells.output) other = std::min(other, own);
        }
      }
      REQUIRE((table.sum({from, to}) == least));
      REQUIRE((anew.sum({from, to}) == least));
      const auto next = table.other(cells, {from, to});
      REQUIRE((next.first == other));
      if (other < kInfiniteInteger) {
        REQUIRE((table.sum_of(next.second, {from, to}) == other));
        REQUIRE((next.second.input != cells.input || next.second.output != cells.output));
      }
      if (least == kInfiniteInteger) continue;
      REQUIRE((table.sum_of(cells, {from, to}) == least));
      REQUIRE(cells.input == anew.cells({from, to}).input);
      REQUIRE(cells.output == anew.cells({from, to}).output);
    }
  }
}

}  // namespace

TEST_CASE("sums follow bounds that are raised and cells that are split") {
  Random random(11);
  for (std::size_t k = 0; k < testkit::cases(300); ++k) {
    LayerNumbers numbers(random);
    LayerTable<Int128> table = numbers.table();
    Follower follower(table);
    for (int step = 0; step < 12; ++step) {
      check(numbers, table);
      const bool splits_shared = numbers.before.size() + numbers.after.size() !=
                                 follower.sums.size() + follower.sums[0].size();
      if (splits_shared) follower = Follower(table);
      change(random, numbers, table);
      if (table.froms() != follower.sums.size() || table.tos() != follower.sums[0].size()) continue;
      follower.take(table);
      for (std::size_t from = 0; from < table.froms(); ++from) {
        for (std::size_t to = 0; to < table.tos(); ++to) {
          REQUIRE((follower.sums[from][to] == table.sum({from, to})));
        }
      }
    }
    check(numbers, table);
  }
}

TEST_CASE("numbers that are supposed are confirmed or taken back") {
  Random random(12);
  for (std::size_t k = 0; k < testkit::cases(300); ++k) {
    LayerNumbers numbers(random);
    LayerTable<Int128> table = numbers.table();
    for (int step = 0; step < 4; ++step) {
      for (std::size_t changes = below(random, 3); changes > 0; --changes) {
        change(random, numbers, table);
      }
      std::vector<LayerNumbers> levels{numbers};
      for (std::size_t more = below(random, 4); more > 0; --more) {
        table.raised();
        table.suppose();
        LayerNumbers supposed = levels.back();
        for (std::size_t raises = below(random, 4); raises > 0; --raises) {
          change(random, supposed, table, kRaising);
        }
        check(supposed, table);
        levels.push_back(std::move(supposed));
      }
      const std::size_t confirmed = below(random, levels.size());
      for (std::size_t level = 0; level < confirmed; ++level) table.confirm();
      table.retract();
      numbers = levels[confirmed];
      check(numbers, table);
    }
  }
}
