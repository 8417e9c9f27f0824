// Cells of places: what they contain, and how they are cut in two.
#include <doctest/doctest.h>

#include "dram_pim/plan/cells.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using network::Cell;
using network::CellCut;
using network::Ranks;

TEST_CASE("ranks limit a cell from below or above") {
  CHECK(!Ranks{}.limited());
  CHECK(Ranks{1, Ranks::kAny}.limited());
  CHECK(Ranks{0, 5}.limited());
  CHECK(Ranks{2, 5}.admit(2));
  CHECK(Ranks{2, 5}.admit(5));
  CHECK(!Ranks{2, 5}.admit(1));
  CHECK(!Ranks{2, 5}.admit(6));
}

TEST_CASE("a cell is cut by kind first, then by order") {
  Cell cell = network::own_places({1, 4, 8, 8});
  CHECK(!cell.is_single());
  const LayoutBox box{1, 1, 1, 1};
  CellCut cut = network::cut_between(cell, box, box);
  CHECK(cut.by == CellCut::By::kind);
  const auto [sequential, aligned] = network::split(cell, cut);
  CHECK(sequential.is_single());
  CHECK((aligned == network::only_aligned({1, 4, 8, 8})));
  cell = sequential;
  cell.range.channels_last = true;
  CHECK(cell.orders().size() == 2);
  cut = network::cut_between(cell, box, box);
  CHECK(cut.by == CellCut::By::order);
  const auto [nchw, nhwc] = network::split(cell, cut);
  CHECK(nchw.order() == InputOrder::nchw);
  CHECK(nhwc.order() == InputOrder::nhwc);
  CHECK(nchw.is_single());
  CHECK(nhwc.is_single());
}

TEST_CASE("boxes are cut between two of them, or next to one") {
  const Cell cell = network::only_aligned({1, 4, 8, 8});
  const auto last = [](const Cell& of, const LayoutBox& box, const LayoutBox& other,
                       std::size_t axis) {
    const CellCut cut = network::cut_between(of, box, other);
    CHECK(cut.by == CellCut::By::axis);
    CHECK(cut.axis == axis);
    const auto [low, high] = network::split(of, cut);
    CHECK(low.range.most[axis] + 1 == high.range.least[axis]);
    CHECK(low.range.least[axis] <= low.range.most[axis]);
    CHECK(high.range.least[axis] <= high.range.most[axis]);
    return cut.last;
  };
  CHECK(last(cell, {1, 2, 4, 8}, {1, 2, 1, 8}, 2) == 1);  // where they differ most
  CHECK(last(cell, {1, 4, 4, 4}, {1, 1, 2, 8}, 1) == 1);
  CHECK(last(cell, {1, 2, 4, 8}, {1, 2, 4, 8}, 1) == 2);  // alike: above the box,
  CHECK(last(cell, {1, 4, 4, 8}, {1, 4, 4, 8}, 1) == 3);  // or below the largest one
  Cell larger = network::only_aligned({1, 1, 8, 1});
  larger.range.least[2] = 4;
  CHECK(last(larger, {1, 1, 6, 1}, {1, 1, 5, 1}, 2) == 5);
  CHECK(last(larger, {1, 1, 6, 1}, {1, 1, 2, 1}, 2) == 6);  // the other one is not in the cell
  CHECK(last(larger, {1, 1, 8, 1}, {1, 1, 2, 1}, 2) == 7);
}
