// The bottleneck table over the sets of relevant loops, of which a few numbers remain.
#include "dram_pim/trace/order_floor.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace pimbb::dram_pim::mapper {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

/// Relevant loops outside the row buffer that change the row of a row-aligned layout at every step.
DimMask group_loops(const Moved& moved, DimMask loops) {
  if (moved.layout != Layout::row_aligned) return 0;
  if (moved.tensor != Tensor::input) return loops;
  return loops & static_cast<DimMask>(bit(Dim::N) | bit(Dim::C) | bit(Dim::G));
}

DimMask joined(DimMask set, std::size_t j) { return static_cast<DimMask>(set | bit(j)); }

/// Calls visit(j) for the dimensions of a set.
template <class Visit>
void for_each_dim(DimMask set, const Visit& visit) {
  for (; set != 0; set &= static_cast<DimMask>(set - 1)) {
    visit(static_cast<std::size_t>(std::countr_zero(set)));
  }
}

}  // namespace

OrderFloor::OrderFloor(const Moved& moved, const Factors& inner, const Factors& outer, bool whole,
                       const LoopsFurtherOut* further_out)
    : trips_(further_out == nullptr ? 1 : further_out->trips) {
  const std::int64_t trips_further_out = trips_;
  Factors trips = kOnes;
  for (const Dim j : kAllDims) {
    if (!relevant(moved.tensor, j) || outer[index(j)] == inner[index(j)]) continue;
    loops_ |= bit(j);
    trips_ *= trips[index(j)] = outer[index(j)] / inner[index(j)];
  }
  if (further_out == nullptr) groups_ = group_loops(moved, loops_);
  const TouchedRows rows(moved, inner, outer, whole);
  std::array<std::int64_t, kSets> outside;    // NOLINT: subsets of loops_ are set
  std::array<std::int64_t, kSets> from_here;  // NOLINT: before they are read
  const auto fill = [&](DimMask set) {        // after all sets that contain it
    const auto missing = static_cast<DimMask>(loops_ & ~set);
    const std::int64_t touched = rows.with(set);
    if (missing == 0) {
      outside[set] = trips_further_out;
      from_here[set] = further_out == nullptr ? touched : further_out->least[1];
      at_rest_ = further_out == nullptr ? touched : further_out->least[0];
    } else {
      const auto one = static_cast<std::size_t>(std::countr_zero(missing));
      outside[set] = outside[joined(set, one)] * trips[one];
      from_here[set] = kNever;
    }
    const Bounds bounds{outside[set] * (touched - 1), outside[set] * touched, 0};
    for_each_dim(missing, [&](std::size_t next) {
      const std::int64_t here = (groups_ & bit(next)) != 0 ? bounds.opened : bounds.kept + 1;
      from_here[set] = std::min(from_here[set], std::max(here, from_here[joined(set, next)]));
    });
    if (set == 0) none_ = {bounds.kept, bounds.opened, from_here[set]};
    if (std::has_single_bit(set)) {
      one_[static_cast<std::size_t>(std::countr_zero(set))] = {bounds.kept, bounds.opened,
                                                               from_here[set]};
    }
  };
  for (DimMask set = loops_; set != 0; set = static_cast<DimMask>((set - 1) & loops_)) fill(set);
  fill(0);
}

std::int64_t OrderFloor::least(bool moves, DimMask innermost, std::int64_t idle_trips) const {
  if (loops_ == 0 && !moves) return at_rest_;
  if (loops_ == 0 || (innermost & ~loops_) != 0) {  // irrelevant loops first, if there are any
    const std::int64_t first = moves && idle_trips > 1 ? idle_trips * none_.kept + 1 : 1;
    return std::max(first, none_.from_here);
  }
  std::int64_t least = kNever;
  for_each_dim(innermost, [&](std::size_t j) {
    const bool new_row = (groups_ & bit(j)) != 0;
    const std::int64_t first = new_row ? idle_trips * none_.opened : idle_trips * none_.kept + 1;
    const std::int64_t second = idle_trips > 1 ? idle_trips * one_[j].kept + 1 : 1;
    least = std::min(least, std::max({first, second, one_[j].from_here}));
  });
  return least;
}

}  // namespace pimbb::dram_pim::mapper
