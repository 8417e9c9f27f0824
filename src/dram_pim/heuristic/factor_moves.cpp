// Loops come and go with their factors.
#include "dram_pim/heuristic/factor_moves.hpp"

#include <algorithm>
#include <vector>

namespace pimbb::dram_pim::heuristic {
namespace {

void set_factor(Mapping& mapping, Place place, Dim j, std::int64_t factor) {
  if (place < kDirections) {
    mapping.spatial[place][index(j)] = factor;
    return;
  }
  std::vector<Loop>& loops = mapping.levels[place - kDirections].loops;
  const auto found = std::ranges::find(loops, j, &Loop::dim);
  if (found != loops.end() && factor > 1) {
    found->factor = factor;
  } else if (found != loops.end()) {
    loops.erase(found);
  } else if (factor > 1) {
    const auto next = std::ranges::find_if(
        loops, [j](const Loop& loop) { return pe_place(loop.dim) >= pe_place(j); });
    loops.insert(next, {j, factor});
  }
}

}  // namespace

Place places_of(const Architecture& architecture) {
  return kDirections + architecture.levels.size();
}

std::int64_t factor_at(const Mapping& mapping, Place place, Dim j) {
  return place < kDirections ? mapping.spatial[place][index(j)]
                             : mapping.temporal(place - kDirections)[index(j)];
}

void move_factor(Mapping& mapping, Dim j, std::int64_t factor, Place from, Place to) {
  set_factor(mapping, from, j, factor_at(mapping, from, j) / factor);
  set_factor(mapping, to, j, factor_at(mapping, to, j) * factor);
}

}  // namespace pimbb::dram_pim::heuristic
