// Crossing counts and micro-traces against loops that visit every tile and every element.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "dram_pim/rows/crossings.hpp"
#include "dram_pim/rows/micro_trace.hpp"
#include "dram_pim/rows/offset_counts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using namespace pimbb::dram_pim::rows;

namespace {

std::int64_t walk_crossings(std::int64_t n, std::int64_t step, std::int64_t offset,
                            std::int64_t tile, std::int64_t block) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if ((offset + i * step) % block + tile > block) ++count;
  }
  return count;
}

std::int64_t walk_rows(const AddressBox& box, std::int64_t row, std::int64_t offset) {
  std::int64_t open = -1;
  std::int64_t switches = 0;
  std::int64_t elements = 1;
  for (const AddressAxis& axis : box) elements *= axis.count;
  for (std::int64_t i = 0; i < elements; ++i) {
    std::int64_t address = offset;
    std::int64_t rest = i;
    for (std::size_t k = box.size(); k-- > 0; rest /= box[k].count) {
      address += rest % box[k].count * box[k].stride;
    }
    if (address / row != open) ++switches;
    open = address / row;
  }
  return switches;
}

std::int64_t within(std::int64_t low, std::int64_t high) {
  return *rc::gen::inRange<std::int64_t>(low, high + 1);
}

}  // namespace

TEST_CASE("crossings equal a walk over all tiles") {
  CHECK(rc::check([] {
    const std::int64_t block = within(1, 60);
    const std::int64_t tile = within(1, block);
    const std::int64_t n = within(0, 200);
    const std::int64_t step = within(0, 150);
    const std::int64_t offset = within(0, 100);
    RC_ASSERT(count_crossings(n, step, offset, tile, block) ==
              walk_crossings(n, step, offset, tile, block));
  }));
}

TEST_CASE("rows by offset equal a walk over all elements") {
  CHECK(rc::check([] {
    const std::int64_t row = within(1, 40);
    AddressBox box{};
    std::int64_t stride = within(1, 3);
    const auto longest = static_cast<std::size_t>(within(0, kAxes - 1));
    for (std::size_t k = box.size(); k-- > 0;) {
      box[k] = {within(1, k == longest ? 30 : 4), stride};  // the more runs, the other algorithm
      stride *= box[k].count + within(0, 3);  // gaps now and then, runs that continue otherwise
    }
    const auto rows = rows_by_offset(box, row);
    for (std::int64_t o = 0; o < row; ++o) {
      RC_ASSERT(rows.at(o) == walk_rows(box, row, o));
      RC_ASSERT(rows.at(o) >= least_rows(box, row));
    }
  }));
}

TEST_CASE("offset counts equal a walk over all tiles") {
  CHECK(rc::check([] {
    const std::int64_t unit = within(1, 3);
    const std::int64_t row = unit * within(1, 60);
    OffsetCounts counts(row, unit);
    counts.repeat(within(1, 5), unit * within(0, 70));
    counts.restart();
    std::vector<std::int64_t> starts{0};
    for (int loop = 0; loop < 3; ++loop) {
      const std::int64_t trips = within(1, 40);
      const std::int64_t step = unit * within(0, 70);
      counts.repeat(trips, step);
      std::vector<std::int64_t> next;
      for (std::int64_t i = 0; i < trips && next.size() < 20000; ++i) {
        for (const std::int64_t s : starts) next.push_back(s + i * step);
      }
      RC_PRE(next.size() < 20000);
      starts = next;
    }
    StepFunction cost;
    for (std::int64_t o = 0; o < row; o += within(1, 4)) cost.pieces.push_back({o, o * o + 1});
    const std::int64_t low = within(0, row);
    const std::int64_t high = within(low, row);
    Int128 walked = 0;
    std::int64_t between = 0;
    for (const std::int64_t s : starts) {
      walked += cost.at(s % row);
      between += s % row >= low && s % row < high ? 1 : 0;
    }
    RC_ASSERT(counts.weigh(cost) == walked);
    RC_ASSERT(counts.within(low, high) == between);
  }));
}
