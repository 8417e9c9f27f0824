// Costs as integers: no finer units than the figures need, and the least rows of a layer.
#include <doctest/doctest.h>

#include <set>

#include "dram_pim/mapper/row_table.hpp"
#include "dram_pim/mapper/scale.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;

namespace {

/// The elements that a layer reads along one axis, one by one.
std::size_t positions(std::int64_t stride, std::int64_t n, std::int64_t dilation, std::int64_t m) {
  std::set<std::int64_t> distinct;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < m; ++j) distinct.insert(stride * i + dilation * j);
  }
  return distinct.size();
}

/// The rows that the input needs at least under the row model trace.
std::int64_t input_rows_at_least(const Architecture& a, const Workload& w) {
  const mapper::Lattice lattice = mapper::row_buffer_lattice(a, w);
  const mapper::RowTable table(a, w, lattice, RowModel::trace);
  const Int128 scaled = table.best(0, {}).activations[index(Tensor::input)];
  CHECK((scaled % a.row_units() == 0));
  return static_cast<std::int64_t>(scaled / a.row_units());
}

}  // namespace

TEST_CASE("the unit of latency is split by R S C only where a PE's share of outputs is") {
  Architecture a = texts::small_architecture();
  Workload w;
  w.bounds = {3, 5, 2, 2, 7, 4, 1, 1};
  const auto unit = [&](bool rereads, bool stored) {
    a.psum_rereads = rereads;
    a.levels[0].stores[index(Tensor::output)] = stored;
    return static_cast<std::int64_t>(mapper::make_scale(a, w).latency_unit);
  };
  CHECK(unit(false, false) == 256);  // 1/2 and 1/16 cycles a byte; 28/1024 a byte of an open row
  CHECK(unit(false, true) == unit(false, false));
  CHECK(unit(true, false) == unit(false, false));
  CHECK(unit(true, true) == 3 * 5 * 7 * unit(false, false));
}

TEST_CASE("the least rows of an input are those of the elements that are read") {
  Architecture a = texts::small_architecture();
  a.levels[a.row_buffer()].row_buffer_size = 2;
  for (const std::int64_t stride : {1, 2, 3, 5}) {
    for (const std::int64_t dilation : {1, 2, 4}) {
      for (const std::int64_t taps : {1, 2, 3}) {
        Workload w;
        w.bounds = {taps, 2, 4, 3, 5, 1, 3, 1};
        w.stride_w = stride;
        w.stride_h = 3;
        w.dilation_w = dilation;
        w.dilation_h = 2;
        const std::size_t elements =
            positions(stride, 4, dilation, taps) * positions(3, 3, 2, 2) * 5 * 3;
        CAPTURE(stride);
        CAPTURE(dilation);
        CAPTURE(taps);
        CHECK(input_rows_at_least(a, w) == static_cast<std::int64_t>((elements + 1) / 2));
      }
    }
  }
}

TEST_CASE("planes too large to tabulate are credited with one element an output") {
  Architecture a = texts::small_architecture();
  a.levels[a.row_buffer()].row_buffer_size = 1;
  a.levels[a.row_buffer()].capacity.reset();
  Workload w;
  w.bounds = {2, 1, 2, 1, 1, 1, 1, 1};
  const std::int64_t most = std::int64_t{1} << 24;
  w.stride_w = most - 1;  // positions 0, 1, most - 1, most
  CHECK(input_rows_at_least(a, w) == 4);
  w.stride_w = most;
  CHECK(input_rows_at_least(a, w) == 2);
}
