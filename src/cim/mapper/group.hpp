// Labels of one state, what their bounds need to know, and facts of cells.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cim/mapper/label.hpp"
#include "cim/mapper/space.hpp"
#include "cim/mapper/traces.hpp"

namespace pimbb::cim::mapper {

template <std::size_t More>
struct Label {
  TensorTimes times{};
  std::array<std::int64_t, More> more{};  ///< bits at shared levels, occupancy of ports
  Energy energy = 0;
  std::uint32_t trace = kNoTrace;

  [[nodiscard]] bool dominates(const Label& other) const {
    for (std::size_t k = 0; k < kTimes; ++k) {
      if (times[k] > other.times[k]) return false;
    }
    for (std::size_t k = 0; k < More; ++k) {
      if (more[k] > other.more[k]) return false;
    }
    return energy <= other.energy;
  }
};

/// What the bounds of the labels of a state need to know.
template <std::size_t More>
struct Prospect {
  std::array<std::int64_t, More> need{};    ///< bits of the tiles that grow at shared levels
  std::array<std::int64_t, More> future{};  ///< most that may still be kept there
  Energy energy = 0;                        ///< least that is still to come
  PerTensor<Time> time{};       ///< the same for the latency of each tensor (cost_to_go.hpp)
  std::int64_t left = 1;        ///< product of the loops to come
  std::int64_t after_next = 1;  ///< most of it that may remain outside the next one
};

/// The labels of a state, none of which dominates another.
template <std::size_t More>
struct Group {
  Prospect<More> prospect;
  std::vector<Label<More>> labels;
};

/// What depends on the cell only.
struct CellFacts {
  std::int64_t left = 1;
  std::int64_t after_next = 1;
  std::int64_t reductions_left = 1;
  PerTensor<std::uint32_t> plot{};
};

/// Of all cells, by number.
std::vector<CellFacts> facts_of(const Space& space);

}  // namespace pimbb::cim::mapper
