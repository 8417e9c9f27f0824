// The least energy of reads where capacities limit the reuse: equal to what the best mapping reads
// in small cases that are counted by hand.
#include <doctest/doctest.h>

#include "dram_pim/slices/cost_floor.hpp"
#include "dram_pim/slices/reuse_floor.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "support/full_size.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;

namespace {

/// One PE and a row of four bytes for each tensor; only reads of the DRAM cost energy, 1 nJ each.
Architecture small_rows() {
  Architecture a = testkit::simple_pim();
  a.pe_array.height = 1;
  a.pe_array.width = 1;
  a.pe_array.mac_energy = 0;
  for (MemoryLevel& level : a.levels) level.access_cost = 0;
  a.levels[0].capacity = 3;
  a.levels[1].capacity = 3;
  a.levels[2].capacity = 4;
  a.levels[2].row_buffer_size = 4;
  a.levels[3].access_cost = 1;
  return a;
}

Workload product(std::int64_t p, std::int64_t c, std::int64_t k) {
  Workload layer;
  layer.bounds[index(Dim::P)] = p;
  layer.bounds[index(Dim::C)] = c;
  layer.bounds[index(Dim::K)] = k;
  return layer;
}

void check_attained(const Architecture& a, const Workload& layer, const Rational& energy) {
  Question question;
  question.objective = Objective::parse("energy");
  const Solution best = solve(a, layer, question, {.threads = 1});
  REQUIRE(best.status == Status::optimal);
  CHECK(best.goals.front().value == energy);
  const slices::CostFloor floor(a, layer, question.row_model);
  CHECK(floor.scale().energy(floor.over_divisors(layer.bounds).energy) == energy);
  CHECK(floor.scale().energy(floor.tightened(layer.bounds).energy) == energy);
}

}  // namespace

// Tiles of 2 x 2 x 2 fill a row with each tensor: each of 8 tiles moves 4 elements of a tensor, but
// for the one that stays in place while two tiles are multiplied. Longer tiles reuse one tensor
// four times and the others not at all: 16 + 16 + 64.
TEST_CASE("a product of matrices in small rows: 32 + 32 + 16 reads") {
  Architecture a = small_rows();
  check_attained(a, product(4, 4, 4), 80);
  a.psum_rereads = true;  // the output stays: no partial sum is read back
  check_attained(a, product(4, 4, 4), 80);
}

// Rows of 16 hold the whole layer: everything is read once.
TEST_CASE("a product of matrices in large rows: 16 + 16 + 16 reads") {
  Architecture a = small_rows();
  a.levels[2].capacity = 16;
  check_attained(a, product(4, 4, 4), 48);
}

TEST_CASE("reads that cost nothing have no floor") {
  Architecture a = small_rows();
  a.levels[3].access_cost = 0;
  check_attained(a, product(4, 4, 4), 0);
}

// Rows hold the whole layer. The input's 5 elements serve 8 MACs.
TEST_CASE("windows of two taps at four places: 5 + 2 + 4 reads") {
  Architecture a = small_rows();
  a.levels[2].capacity = 16;
  Workload layer;
  layer.bounds[index(Dim::P)] = 4;
  layer.bounds[index(Dim::R)] = 2;
  check_attained(a, layer, 11);
  // By itself, in costs that are as small as the elements' parts are.
  mapper::Scale scale = slices::CostFloor(a, layer, RowModel::trace).scale();
  scale.access = {0, 0, 0, 1};
  const slices::ReuseFloor floor(a, layer, scale, slices::ReuseFloor::Sizes::divisors);
  CHECK(floor.energy(layer.bounds) == 11);
}

TEST_CASE("no product of matrices reads less than its floor, whatever tiles fit") {
  Architecture a = small_rows();
  Question question;
  question.objective = Objective::parse("energy");
  std::size_t attained = 0;
  std::size_t all = 0;
  for (const std::int64_t row : {2, 4, 6}) {
    a.levels[2].capacity = row;
    for (const std::int64_t p : {1, 2, 4, 8}) {
      for (const std::int64_t c : {1, 2, 4, 8}) {
        for (const std::int64_t k : {1, 2, 4, 8}) {
          CAPTURE(row);
          CAPTURE(p);
          CAPTURE(c);
          CAPTURE(k);
          const Workload layer = product(p, c, k);
          const Solution best = solve(a, layer, question, {.threads = 1});
          REQUIRE(best.status == Status::optimal);
          const Rational& energy = best.goals.front().value;
          const slices::CostFloor floor(a, layer, question.row_model);
          const Rational divided = floor.scale().energy(floor.over_divisors(layer.bounds).energy);
          CHECK(divided <= energy);
          CHECK(floor.scale().energy(floor.tightened(layer.bounds).energy) <= divided);
          attained += divided == energy ? 1 : 0;
          ++all;
        }
      }
    }
  }
  CHECK(attained > all * 9 / 10);  // it is not only true
}
