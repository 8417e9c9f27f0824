// Orders of a level's loops, kept or not.
#include "pimbb/dram_pim/precedence.hpp"

#include <algorithm>

namespace pimbb::dram_pim {

void make_transitive(LevelPrecedence& level) {  // Warshall's algorithm
  for (std::size_t k = 0; k < level.size(); ++k) {
    for (std::uint8_t& mask : level) {
      if ((mask >> k & 1U) != 0) mask = static_cast<std::uint8_t>(mask | level[k]);
    }
  }
}

bool LoopPrecedence::any() const {
  return std::ranges::any_of(inside, [](const LevelPrecedence& level) {
    return std::ranges::any_of(level, [](std::uint8_t mask) { return mask != 0; });
  });
}

LoopPrecedence precedence_of(const LoopPermutations& permutations) {
  LoopPrecedence precedence;
  precedence.inside.resize(permutations.empty() ? 0 : permutations.size() + 1);
  for (std::size_t m = 1; m < precedence.inside.size(); ++m) {
    std::uint8_t further_in = 0;
    const auto& outermost_first = permutations[m - 1];
    for (std::size_t i = kDims; i-- > 0;) {
      const std::size_t j = index(outermost_first[i]);
      precedence.inside[m][j] = further_in;
      further_in = static_cast<std::uint8_t>(further_in | 1U << j);
    }
  }
  return precedence;
}

std::optional<std::string> find_disorder(const Architecture& architecture, const Mapping& mapping,
                                         const LoopPrecedence& precedence) {
  for (std::size_t m = 0; m < mapping.levels.size(); ++m) {
    const std::vector<Loop>& loops = mapping.levels[m].loops;
    for (std::size_t outer = 0; outer < loops.size(); ++outer) {
      for (std::size_t inner = outer + 1; inner < loops.size(); ++inner) {
        if (!precedence.demands(m, loops[outer].dim, loops[inner].dim)) continue;
        return architecture.levels[m].name + ": the loop of " +
               std::string(name(loops[outer].dim)) + " stands outside that of " +
               std::string(name(loops[inner].dim)) + ", but is to stand inside it";
      }
    }
  }
  return std::nullopt;
}

}  // namespace pimbb::dram_pim
