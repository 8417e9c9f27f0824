// Walking a pass, element by element in the order of the new addresses.
#include "dram_pim/plan/relayout.hpp"

#include <algorithm>
#include <limits>

#include "dram_pim/rows/micro_trace.hpp"

namespace pimbb::dram_pim::network {
namespace {

std::int64_t blocks(std::int64_t length, std::int64_t block) {
  return (length + block - 1) / block;
}

/// One open row.
class Bank {
 public:
  explicit Bank(std::int64_t row) : row_(row) {}
  /// Elements whose addresses ascend from `first` to `last` without leaving out a row.
  void access(std::int64_t first, std::int64_t last) {
    const std::int64_t row = first / row_;
    activations_ += (row != open_ ? 1 : 0) + last / row_ - row;
    open_ = last / row_;
  }
  [[nodiscard]] std::int64_t activations() const { return activations_; }

 private:
  std::int64_t row_;
  std::int64_t open_ = -1;
  std::int64_t activations_ = 0;
};

using Position = std::array<std::int64_t, 4>;  // n c h w

/// Along which axis neighbours are neighbours in memory.
std::size_t inner_axis(const Placement& place) { return place.channels_last ? 1 : 3; }

/// The first position after `at` along `axis` where another row-aligned box begins.
std::int64_t box_end(const Placement& place, const Position& at, std::size_t axis,
                     std::int64_t end) {
  if (place.layout == Layout::sequential) return end;
  const Position origin{0, 0, place.own.top, place.own.left};
  const std::int64_t block = (at[axis] - origin[axis]) / place.box[axis];
  return std::min(end, origin[axis] + (block + 1) * place.box[axis]);
}

/// Calls visit(position, end) with runs along the inner axis that make up `part`, ascending in the
/// addresses of `place`.
template <class Visit>
void in_order(const Placement& place, const Rectangle& part, const Visit& visit) {
  const Position low{0, 0, part.top, part.left};
  const Position high{place.batch, place.channels, part.top + part.height, part.left + part.width};
  const bool boxes = place.layout == Layout::row_aligned;
  const std::size_t inner = inner_axis(place);
  const std::array<std::size_t, 4> order =
      inner == 1 ? std::array<std::size_t, 4>{0, 2, 3, 1} : std::array<std::size_t, 4>{0, 1, 2, 3};
  // Box by box, and inside each run by run; a sequential tensor is one box.
  Position box_low = low;
  Position box_high = high;
  const auto enter = [&](std::size_t axis, std::int64_t at) {
    box_low[axis] = at;
    box_high[axis] = boxes ? box_end(place, box_low, axis, high[axis]) : high[axis];
  };
  for (std::size_t axis = 0; axis < 4; ++axis) enter(axis, low[axis]);
  while (true) {
    Position at = box_low;
    bool more = true;
    while (more) {
      visit(at, box_high[inner]);
      more = false;
      for (std::size_t k = 3; k-- > 0 && !more;) {
        more = ++at[order[k]] < box_high[order[k]];
        if (!more) at[order[k]] = box_low[order[k]];
      }
    }
    std::size_t axis = 4;
    while (axis > 0 && box_high[order[axis - 1]] == high[order[axis - 1]]) {
      enter(order[axis - 1], low[order[axis - 1]]);
      --axis;
    }
    if (axis == 0) return;
    enter(order[axis - 1], box_high[order[axis - 1]]);
  }
}

/// Byte addresses as sums of one number an axis, looked up: a walk asks for millions.
class Addresses {
 public:
  Addresses(const Placement& place, const Rectangle& part, std::int64_t row)
      : low_{0, 0, part.top, part.left} {
    const Position size{place.batch, place.channels, part.height, part.width};
    const std::int64_t origin = place.address(low_, row);
    for (std::size_t k = 0; k < low_.size(); ++k) {
      Position at = low_;
      for (; at[k] < low_[k] + size[k]; ++at[k]) {
        steps_[k].push_back(place.address(at, row) - (k == 0 ? 0 : origin));
      }
    }
  }
  [[nodiscard]] std::int64_t along(std::size_t axis, std::int64_t at) const {
    return steps_[axis][static_cast<std::size_t>(at - low_[axis])];
  }

 private:
  Position low_;
  std::array<std::vector<std::int64_t>, 4> steps_;
};

/// Boxes along each axis that `part` touches.
Position blocks_touched(const Placement& place, const Rectangle& part) {
  const auto along = [](std::int64_t first, std::int64_t count, std::int64_t block) {
    return (first + count - 1) / block - first / block + 1;
  };
  return {blocks(place.batch, place.box[0]), blocks(place.channels, place.box[1]),
          along(part.top - place.own.top, part.height, place.box[2]),
          along(part.left - place.own.left, part.width, place.box[3])};
}

std::int64_t touched_boxes(const Placement& place, const Rectangle& part) {
  std::int64_t count = 1;
  for (const std::int64_t n : blocks_touched(place, part)) count *= n;
  return count;
}

/// Boxes all of whose elements are in `part`.
std::int64_t full_boxes(const Placement& place, const Rectangle& part) {
  const auto along = [](std::int64_t first, std::int64_t count, std::int64_t block) {
    return std::max<std::int64_t>(0, (first + count) / block - blocks(first, block));
  };
  return place.batch / place.box[0] * (place.channels / place.box[1]) *
         along(part.top - place.own.top, part.height, place.box[2]) *
         along(part.left - place.own.left, part.width, place.box[3]);
}

/// Along one axis: how many of the target's blocks lie in a single block of the source, and how
/// many blocks of the source the others meet, one after the other, in all.
struct Overlap {
  std::int64_t whole = 0;
  std::int64_t pieces = 0;
};

Overlap overlap_along(const Placement& from, const Placement& to, const Rectangle& part,
                      std::size_t axis, std::int64_t source, std::int64_t target) {
  const Position low{0, 0, part.top, part.left};
  const Position size{from.batch, from.channels, part.height, part.width};
  const Position from_origin{0, 0, from.own.top, from.own.left};
  const Position to_origin{0, 0, to.own.top, to.own.left};
  const std::int64_t high = low[axis] + size[axis];
  Overlap overlap;
  for (std::int64_t at = low[axis]; at < high;) {
    const std::int64_t next =
        std::min(high, to_origin[axis] + ((at - to_origin[axis]) / target + 1) * target);
    const std::int64_t touched =
        (next - 1 - from_origin[axis]) / source - (at - from_origin[axis]) / source + 1;
    (touched == 1 ? overlap.whole : overlap.pieces) += touched;
    at = next;
  }
  return overlap;
}

/// The edges that boxes have along each axis, and which of them each box has.
struct Grid {
  std::array<std::vector<std::int64_t>, 4> edges;
  std::vector<std::array<std::size_t, 4>> place;

  explicit Grid(const std::vector<LayoutBox>& boxes) {
    for (const LayoutBox& box : boxes) {
      place.emplace_back();
      for (std::size_t k = 0; k < box.size(); ++k) {
        const auto known = std::ranges::find(edges[k], box[k]);
        place.back()[k] = static_cast<std::size_t>(known - edges[k].begin());
        if (known == edges[k].end()) edges[k].push_back(box[k]);
      }
    }
  }
};

/// How often a walk over `part`, in the order n c h w or n h w c, comes to another box, the first
/// included: along the innermost axis with more than one box every step to the next box and every
/// wrap is a change, and nothing further in is.
std::int64_t box_changes(const Placement& place, const Rectangle& part, bool channels_last) {
  const Position touched = blocks_touched(place, part);
  const Position size{place.batch, place.channels, part.height, part.width};
  const std::array<std::size_t, 4> order = channels_last ? std::array<std::size_t, 4>{0, 2, 3, 1}
                                                         : std::array<std::size_t, 4>{0, 1, 2, 3};
  std::size_t k = order.size() - 1;
  while (k > 0 && touched[order[k]] == 1) --k;
  std::int64_t changes = touched[order[k]];
  while (k-- > 0) changes *= size[order[k]];
  return changes;
}

/// A row-aligned box of another place as it lies in a sequential one.
rows::Box box_in(const Placement& place, const LayoutBox& box) {
  const std::int64_t e = place.element_bytes;
  const std::int64_t h = place.frame.height;
  const std::int64_t w = place.frame.width;
  const std::int64_t c = place.channels;
  const rows::Axis one{1, place.batch * c * h * w * e};  // groups: layers with them have no boxes
  if (place.channels_last) {
    return {{one, {box[0], h * w * c * e}, {box[2], w * c * e}, {box[3], c * e}, {box[1], e}}};
  }
  return {{one, {box[0], c * h * w * e}, {box[1], h * w * e}, {box[2], w * e}, {box[3], e}}};
}

}  // namespace

Rectangle intersection(const Rectangle& a, const Rectangle& b) {
  const std::int64_t top = std::max(a.top, b.top);
  const std::int64_t left = std::max(a.left, b.left);
  const std::int64_t bottom = std::min(a.top + a.height, b.top + b.height);
  const std::int64_t right = std::min(a.left + a.width, b.left + b.width);
  return {top, left, std::max(top, bottom) - top, std::max(left, right) - left};
}

Rectangle hull(const Rectangle& a, const Rectangle& b) {
  const std::int64_t top = std::min(a.top, b.top);
  const std::int64_t left = std::min(a.left, b.left);
  return {top, left, std::max(a.top + a.height, b.top + b.height) - top,
          std::max(a.left + a.width, b.left + b.width) - left};
}

std::int64_t Placement::address(const std::array<std::int64_t, 4>& position,
                                std::int64_t row) const {
  const auto [n, c, h, w] = position;
  if (layout == Layout::sequential) {
    const std::int64_t y = h - frame.top;
    const std::int64_t x = w - frame.left;
    const std::int64_t element = channels_last
                                     ? ((n * frame.height + y) * frame.width + x) * channels + c
                                     : ((n * channels + c) * frame.height + y) * frame.width + x;
    return element * element_bytes;
  }
  const std::array<std::int64_t, 4> at{n, c, h - own.top, w - own.left};
  const std::array<std::int64_t, 4> size{batch, channels, own.height, own.width};
  std::int64_t group = 0;
  std::int64_t inside = 0;
  for (std::size_t k = 0; k < at.size(); ++k) {
    group = group * blocks(size[k], box[k]) + at[k] / box[k];
    inside = inside * box[k] + at[k] % box[k];
  }
  return group * row + inside * element_bytes;
}

bool Placement::agrees(const Placement& other) const {
  if (layout != other.layout || element_bytes != other.element_bytes) return false;
  if (layout == Layout::row_aligned) return own == other.own && box == other.box;
  return frame == other.frame && channels_last == other.channels_last;
}

PassCost pass_cost(const Architecture& a, std::int64_t elements, std::int64_t source_bytes,
                   std::int64_t target_bytes, std::int64_t source_rows, std::int64_t target_rows) {
  const MemoryLevel& buffer = a.levels[a.row_buffer()];
  const auto stream = [&](Tensor t, std::int64_t bytes, std::int64_t rows) {
    return Rational(elements) * bytes / buffer.bandwidth(t) +
           Rational(rows) * a.activation_cycles();
  };
  PassCost cost;
  cost.latency = max(stream(Tensor::input, source_bytes, source_rows),
                     stream(Tensor::output, target_bytes, target_rows));
  cost.activations = Rational(source_rows) + target_rows;
  cost.energy = Rational(2) * elements * (buffer.access_cost + a.levels[a.dram()].access_cost) +
                cost.activations * a.activation_energy;
  return cost;
}

const PassCost& Passes::cost(const Placement& from, const Placement& to) {
  const auto [place, is_new] = known_.try_emplace({from, to});
  PassCost& cost = place->second;
  if (!is_new || from.agrees(to) || intersection(from.own, to.own).empty()) return cost;
  const bool exact = from.layout == Layout::row_aligned && to.layout == Layout::sequential;
  cost = exact ? estimate(from, to) : cost_of(from, to, walk(from, to));
  return cost;
}

PassCost Passes::cost_of(const Placement& from, const Placement& to, const Counts& rows) const {
  const Rectangle part = intersection(from.own, to.own);
  return pass_cost(a_, from.batch * from.channels * part.height * part.width, from.element_bytes,
                   to.element_bytes, rows.source, rows.target);
}

/// Row activations of both: of the source run by run in the order of the new addresses, which open
/// every row of the target once.
Passes::Counts Passes::walk(const Placement& from, const Placement& to) {
  const Rectangle part = intersection(from.own, to.own);
  const Addresses addresses(from, part, a_.row_bytes());
  const std::size_t inner = inner_axis(to);
  Bank source(a_.row_bytes());
  in_order(to, part, [&](Position at, std::int64_t end) {
    std::int64_t line = 0;
    for (std::size_t k = 0; k < at.size(); ++k) {
      if (k != inner) line += addresses.along(k, at[k]);
    }
    while (at[inner] < end) {  // as far as both places are runs
      const std::int64_t next =
          inner == inner_axis(from) ? box_end(from, at, inner, end) : at[inner] + 1;
      const std::int64_t first = line + addresses.along(inner, at[inner]);
      source.access(first, first + (next - at[inner] - 1) * from.element_bytes);
      at[inner] = next;
    }
  });
  return {source.activations(),
          to.layout == Layout::row_aligned ? touched_boxes(to, part) : sequential_rows(to, part)};
}

std::int64_t Passes::sequential_rows(const Placement& place, const Rectangle& part) {
  const auto [known, is_new] = rows_.try_emplace({place, part});
  if (is_new) {
    Bank bank(a_.row_bytes());
    const std::size_t inner = inner_axis(place);
    in_order(place, part, [&](const Position& at, std::int64_t end) {
      Position last = at;
      last[inner] = end - 1;
      bank.access(place.address(at, a_.row_bytes()), place.address(last, a_.row_bytes()));
    });
    known->second = bank.activations();
  }
  return known->second;
}

PassCost Passes::estimate(const Placement& from, const Placement& to) {
  const Rectangle part = intersection(from.own, to.own);
  if (from.agrees(to) || part.empty()) return {};
  if (from.layout == Layout::row_aligned && to.layout == Layout::sequential) {
    return cost_of(from, to,
                   {box_changes(from, part, inner_axis(to) == 1), sequential_rows(to, part)});
  }
  if (from.layout == Layout::sequential && to.layout == Layout::row_aligned) {
    const std::int64_t full = full_boxes(to, part);
    const std::int64_t each = rows::least_rows(box_in(from, to.box), a_.row_bytes());
    return cost_of(
        from, to,
        {std::max(sequential_rows(from, part), full * (each - 1) + std::min<std::int64_t>(1, full)),
         touched_boxes(to, part)});
  }
  if (from.layout == Layout::row_aligned) return least(from, {from.box}, to, {to.box}).cost;
  return cost_of(from, to, walk(from, to));
}

/// A box of the target is filled in the order n c h w. As in box_changes(), within it the source's
/// box changes with every step along the innermost axis k that has more than one of them, and there
/// are as many such steps as the box is long along the axes outside of k. Summed over all boxes of
/// the target, with S_j the length of axis j, W_j the target's blocks along it that lie within one
/// block of the source, and P_j the pieces of all others,
///
///     V = W_0 W_1 W_2 W_3 + sum over k of  S_0 .. S_(k-1)  P_k  W_(k+1) .. W_3
///
/// is how often a box of the source is come to; the first of a target's box may be open still. So
///
///     N_src >= V - N_dst + 1,    N_dst = boxes of the target.
///
/// Costs grow with both counts: of all pairs of boxes only those matter that no other pair beats in
/// both.
Passes::Least Passes::least(const Placement& from, const std::vector<LayoutBox>& sources,
                            const Placement& to, const std::vector<LayoutBox>& targets) const {
  const Rectangle part = intersection(from.own, to.own);
  if (part.empty()) return {};
  const Position size{from.batch, from.channels, part.height, part.width};
  const Grid from_grid(sources);
  const Grid to_grid(targets);
  std::array<std::vector<Overlap>, 4> overlaps;  // by edge of the source, edge of the target
  for (std::size_t k = 0; k < overlaps.size(); ++k) {
    for (const std::int64_t source : from_grid.edges[k]) {
      for (const std::int64_t target : to_grid.edges[k]) {
        overlaps[k].push_back(overlap_along(from, to, part, k, source, target));
      }
    }
  }
  const auto visits = [&](std::size_t i, std::size_t j) {
    std::int64_t all = 1;  // outside of axis k, from the outermost in: those of the boxes so far
    std::int64_t outside = 1;
    for (std::size_t k = 0; k < overlaps.size(); ++k) {
      const Overlap& o =
          overlaps[k][from_grid.place[i][k] * to_grid.edges[k].size() + to_grid.place[j][k]];
      all = all * o.whole + outside * o.pieces;
      outside *= size[k];
    }
    return all;
  };
  const auto touched = [&](Placement place, const std::vector<LayoutBox>& boxes) {
    std::vector<std::int64_t> counts;
    for (const LayoutBox& box : boxes) {
      place.box = box;
      counts.push_back(touched_boxes(place, part));
    }
    return counts;
  };
  const std::vector<std::int64_t> source_boxes = touched(from, sources);
  const std::vector<std::int64_t> target_boxes = touched(to, targets);
  Least least;
  std::int64_t fewest_in_all = std::numeric_limits<std::int64_t>::max();
  std::map<std::int64_t, std::int64_t> fewest;  // N_src by N_dst
  for (std::size_t j = 0; j < targets.size(); ++j) {
    std::int64_t rows = std::numeric_limits<std::int64_t>::max();
    std::size_t source = 0;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const std::int64_t own = std::max(source_boxes[i], visits(i, j) - target_boxes[j] + 1);
      if (own >= rows) continue;
      rows = own;
      source = i;
    }
    const auto [place, is_new] = fewest.try_emplace(target_boxes[j], rows);
    place->second = std::min(place->second, rows);
    if (rows + target_boxes[j] >= fewest_in_all) continue;
    fewest_in_all = rows + target_boxes[j];
    least.source = sources[source];
    least.target = targets[j];
  }
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  bool any = false;
  for (const auto& [boxes, rows] : fewest) {
    if (rows >= best) continue;
    best = rows;
    const PassCost cost = cost_of(from, to, {rows, boxes});
    if (!any) {
      least.cost = cost;
    } else {
      least.cost.latency = std::min(least.cost.latency, cost.latency);
      least.cost.energy = std::min(least.cost.energy, cost.energy);
      least.cost.activations = std::min(least.cost.activations, cost.activations);
    }
    any = true;
  }
  return least;
}

}  // namespace pimbb::dram_pim::network
