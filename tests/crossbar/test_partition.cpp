// Pieces of the partition and its costs one by one, counted by hand: the room of cores, blocks of
// local memory, windows of pools, and which networks have a latency.
#include <doctest/doctest.h>

#include "crossbar/cost/window.hpp"
#include "crossbar/partition/filling.hpp"
#include "crossbar/partition/memory.hpp"
#include "crossbar/small_chip.hpp"
#include "pimbb/crossbar/estimate.hpp"
#include "pimbb/error.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;
using partition::BlockPolicy;
using partition::Filling;

// 25 channels in crossbars of 10 rows are three array groups. A column is one of four channels
// made.
TEST_CASE("a core has the room that is left, also of a mapping that is there") {
  const testkit::Row row(25, 1, {"core.crossbars=13", "core.columns=1"});
  REQUIRE(row.p.arrays[0].groups == 3);
  REQUIRE(row.p.arrays[0].width == 4);
  Filling filling(row.a, row.p);
  CHECK(filling.free(0) == 13);
  CHECK(filling.room(0, 0) == 3);
  filling.put(0, 0, 2);
  CHECK(filling.free(0) == 5);
  CHECK(filling.room(0, 0) == 1);
  filling.take(0, 0, 1);
  CHECK(filling.free(0) == 9);
  CHECK(filling.room(0, 0) == 2);
  CHECK(filling.held(0, 0) == 1);
  Filling again(row.a, row.p, filling.mapping());
  CHECK(again.free(0) == 9);
  CHECK(again.free(1) == 13);
  again.take(0, 0, 1);
  CHECK(again.free(0) == 13);
  CHECK(again.held(0, 0) == 0);
  CHECK(again.put_first_fit(0, 5) == 0);
  CHECK(again.held(0, 0) == 3);
  CHECK(again.held(1, 0) == 2);
  CHECK(again.put_first_fit(0, 3) == 2);  // one more found room
  CHECK(again.free(1) == 1);
}

// Two blocks of 20 bytes of inputs for each array group, and blocks of 8 bytes of outputs.
TEST_CASE("local memory has blocks of inputs, and of outputs as the policy says") {
  const testkit::Row row(25, 1);
  const auto bytes = [&](std::int64_t here, std::int64_t there, BlockPolicy policy) {
    std::vector<partition::Placement> placements(2);
    placements[0].parts.push_back({0, 0, here, 0});
    if (there > 0) placements[0].parts.push_back({0, 1, there, 0});
    return partition::local_memory(row.a, row.p, placements, policy);
  };
  const auto blocks = [](std::int64_t groups, std::int64_t outputs) {
    return groups * 40 + outputs * 8;
  };
  using Bytes = std::vector<std::int64_t>;
  CHECK(bytes(1, 0, BlockPolicy::naive) == Bytes{blocks(1, 2), 0});
  CHECK(bytes(1, 2, BlockPolicy::naive) == Bytes{blocks(1, 4), blocks(2, 3)});
  CHECK(bytes(1, 2, BlockPolicy::add) == Bytes{blocks(1, 2), blocks(2, 2)});
  CHECK(bytes(1, 0, BlockPolicy::ag) == Bytes{blocks(1, 1), 0});
  CHECK(bytes(1, 1, BlockPolicy::ag) == Bytes{blocks(1, 2), blocks(1, 1)});
  CHECK(bytes(2, 1, BlockPolicy::ag) == Bytes{blocks(2, 2), blocks(1, 1)});
  CHECK(bytes(5, 0, BlockPolicy::ag) == Bytes{blocks(5, 3), 0});
}

TEST_CASE("a pool loads what is new of its window; of other nodes each tensor") {
  Partition p;
  Node& pool = p.graph.nodes.emplace_back();
  p.sources = {{0, 0, 0}};
  pool.op = Op::pool;
  pool.vertical = {3, 3, 0, 0};
  pool.horizontal = {2, 5, 0, 0};
  CHECK(cost::pixels_loaded(p, 0) == 6);
  pool.vertical.stride = 1;
  CHECK(cost::pixels_loaded(p, 0) == 2);
  pool.op = Op::eltwise;
  CHECK(cost::pixels_loaded(p, 0) == 3);
}

TEST_CASE("only latencies, and energies of the low-latency schedule, need a convolution") {
  testkit::Row row(4, 1);
  row.graph.nodes[1].op = row.graph.nodes[2].op = Op::fc;
  const Partition p = make_partition(row.a, row.graph);
  for (const Mode mode : {Mode::ht, Mode::ll}) {
    for (const Estimate e :
         {Estimate::ht, Estimate::ht_roof, Estimate::ht_code, Estimate::traffic}) {
      CHECK_NOTHROW(require_latency(p, e, mode));
    }
    for (const Estimate e : {Estimate::ll, Estimate::ll_paper, Estimate::ll_code}) {
      CHECK_THROWS_AS(require_latency(p, e, mode), InputError);
    }
  }
  for (const Estimate e : {Estimate::energy, Estimate::edp}) {
    CHECK_NOTHROW(require_latency(p, e, Mode::ht));
    CHECK_THROWS_AS(require_latency(p, e, Mode::ll), InputError);
  }
}
