// Copies from one place to another, walked access by access, and their quick lower bounds.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "dram_pim/plan/relayout.hpp"
#include "place_address.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using network::PassCost;
using network::Placement;
using network::Rectangle;

namespace {

std::int64_t pick(testkit::Choices& choices, std::int64_t least, std::int64_t most) {
  return least +
         static_cast<std::int64_t>(choices.pick(static_cast<std::size_t>(most - least + 1)));
}

std::int64_t divisor(testkit::Choices& choices, std::int64_t n) {
  while (true) {
    const std::int64_t d = pick(choices, 1, n);
    if (n % d == 0) return d;
  }
}

/// That fits a row.
LayoutBox random_box(testkit::Choices& choices, const Placement& place, std::int64_t row) {
  while (true) {
    const LayoutBox box{divisor(choices, place.batch), divisor(choices, place.channels),
                        divisor(choices, place.own.height), divisor(choices, place.own.width)};
    if (box[0] * box[1] * box[2] * box[3] * place.element_units <= row) return box;
  }
}

/// A tensor of no more than so many planes, each of whose edges is no longer than `edge`.
Placement random_tensor(testkit::Choices& choices, std::int64_t batch, std::int64_t channels,
                        std::int64_t edge) {
  Placement tensor;
  tensor.batch = pick(choices, 1, batch);
  tensor.channels = pick(choices, 1, channels);
  tensor.own = {0, 0, pick(choices, 3, edge), pick(choices, 3, edge)};
  return tensor;
}

/// Of a tensor with the elements of `like`, more or fewer of them in the plane.
Placement random_place(testkit::Choices& choices, const Placement& like, std::int64_t row) {
  Placement place = like;
  place.own.top += pick(choices, -1, 1);
  place.own.left += pick(choices, -1, 1);
  place.own.height += pick(choices, -1, 1);  // from 2 on: planes may have nothing in common
  place.own.width += pick(choices, -1, 1);
  place.frame = place.own;
  if (choices.once_in(2)) {
    place.frame = {place.own.top - pick(choices, 0, 2), place.own.left - pick(choices, 0, 2),
                   place.own.height + 4, place.own.width + 4};
    place.channels_last = choices.once_in(3);
    return place;
  }
  place.layout = Layout::row_aligned;
  place.box = random_box(choices, place, row);
  return place;
}

Placement in_box(Placement place, const LayoutBox& box) {
  place.box = box;
  return place;
}

/// The same, row-aligned.
Placement random_boxes(testkit::Choices& choices, const Placement& like, std::int64_t row) {
  while (true) {
    const Placement place = random_place(choices, like, row);
    if (place.layout == Layout::row_aligned) return place;
  }
}

/// Some boxes of a place, in any order.
std::vector<LayoutBox> some_boxes(testkit::Choices& choices, const Placement& like,
                                  std::int64_t row) {
  std::vector<LayoutBox> boxes;
  for (std::int64_t count = pick(choices, 1, 12); count > 0; --count) {
    boxes.push_back(random_box(choices, like, row));
  }
  if (choices.once_in(2)) std::ranges::sort(boxes);
  return boxes;
}

/// Activations of source and target, element by element in the order of the new addresses.
Rational walked(const Placement& from, const Placement& to, std::int64_t row) {
  struct Move {
    std::int64_t to, from;
  };
  std::vector<Move> moves;
  const Rectangle part = network::intersection(from.own, to.own);
  for (std::int64_t n = 0; n < to.batch; ++n) {
    for (std::int64_t c = 0; c < to.channels; ++c) {
      for (std::int64_t h = part.top; h < part.top + part.height; ++h) {
        for (std::int64_t w = part.left; w < part.left + part.width; ++w) {
          moves.push_back({testkit::place_address(to, n, c, h, w, row),
                           testkit::place_address(from, n, c, h, w, row)});
        }
      }
    }
  }
  std::ranges::sort(moves, {}, &Move::to);
  std::int64_t count = 0;
  Move open{-1, -1};
  for (const Move& move : moves) {
    count += (move.to / row != open.to ? 1 : 0) + (move.from / row != open.from ? 1 : 0);
    open = {move.to / row, move.from / row};
  }
  return count;
}

bool no_more(const PassCost& a, const PassCost& b) {
  return a.latency <= b.latency && a.energy <= b.energy && a.activations <= b.activations;
}

}  // namespace

TEST_CASE("copies cost what a walk counts, and no bound is above that") {
  const std::uint64_t first = testkit::first_seed(0);
  for (std::uint64_t seed = first; seed < first + testkit::cases(1000); ++seed) {
    CAPTURE(seed);
    testkit::Choices choices(seed);
    const testkit::Instance i = testkit::random_instance(choices, {});
    const std::int64_t row = i.architecture.row_units();
    const Placement like = random_tensor(choices, 2, 6, 8);
    const Placement from = random_place(choices, like, row);
    const Placement to = random_place(choices, like, row);
    network::Passes passes(i.architecture);
    const PassCost real = passes.cost(from, to);
    CHECK(real.activations == (from.agrees(to) ? Rational() : walked(from, to, row)));
    CHECK(no_more(passes.estimate(from, to), real));
    if (from.layout == Layout::row_aligned) {  // no estimate
      CHECK(passes.estimate(from, to).activations == real.activations);
    }
    if (from.layout == Layout::sequential || to.layout == Layout::sequential) continue;
    if (from.agrees(to)) continue;
    const LayoutBox one{1, 1, 1, 1};
    CHECK(no_more(passes.least(from, {from.box, one}, to, {one, to.box}).cost, real));
  }
}

TEST_CASE("the least copy between boxes of two lists is the least of all pairs") {
  const std::uint64_t first = testkit::first_seed(0);
  for (std::uint64_t seed = first; seed < first + testkit::cases(500); ++seed) {
    CAPTURE(seed);
    testkit::Choices choices(seed);
    const testkit::Instance i = testkit::random_instance(choices, {});
    const std::int64_t row = i.architecture.row_units();
    const Placement like = random_tensor(choices, 4, 12, 13);
    const Placement from = random_boxes(choices, like, row);
    const Placement to = random_boxes(choices, like, row);
    const std::vector<LayoutBox> sources = some_boxes(choices, from, row);
    const std::vector<LayoutBox> targets = some_boxes(choices, to, row);
    network::Passes passes(i.architecture);
    const auto least = passes.least(from, sources, to, targets);
    std::optional<PassCost> expected;
    std::pair<LayoutBox, LayoutBox> at;  // with the fewest rows: the first target, and its source
    for (const LayoutBox& target : targets) {
      for (const LayoutBox& source : sources) {
        const Placement here = in_box(from, source);
        const Placement there = in_box(to, target);
        // Between places that agree there is nothing to copy.
        const PassCost cost = here.agrees(there)
                                  ? passes.least(here, {source}, there, {target}).cost
                                  : passes.cost(here, there);
        if (!expected || cost.activations < expected->activations) at = {source, target};
        if (!expected) expected = cost;
        expected->latency = std::min(expected->latency, cost.latency);
        expected->energy = std::min(expected->energy, cost.energy);
        expected->activations = std::min(expected->activations, cost.activations);
      }
    }
    CHECK(least.cost.latency == expected->latency);
    CHECK(least.cost.energy == expected->energy);
    CHECK(least.cost.activations == expected->activations);
    if (network::intersection(from.own, to.own).empty()) continue;
    CHECK(least.source == at.first);
    CHECK(least.target == at.second);
  }
}
