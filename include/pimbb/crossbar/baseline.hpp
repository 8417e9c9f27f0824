// Mappings as published heuristics make them, for comparison with the best ones.
//
// puma     one more replica for the Conv with the most cycles, as long as it fits (PUMA's rule);
// w0h0     replicas in proportion to the windows;
// uniform  as many replicas of each Conv;
// ga       the genetic algorithm of PIMCOMP (DAC 2023), seeded.
//
// The first three put array groups first fit, in the order of nodes and cores.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "pimbb/crossbar/estimate.hpp"
#include "pimbb/run_limits.hpp"

namespace pimbb::crossbar {

enum class Baseline : std::uint8_t { puma, w0h0, uniform, ga };
inline constexpr std::array<std::string_view, 4> kBaselineNames{"puma", "w0h0", "uniform", "ga"};
constexpr std::string_view name(Baseline baseline) {
  return kBaselineNames[static_cast<std::size_t>(baseline)];
}

/// What only `ga` depends on.
struct Evolution {
  Estimate estimate = Estimate::ht;  ///< its fitness
  Mode mode = Mode::ht;              ///< of energy and edp
  std::uint64_t seed = 1;
};

struct BaselineResult {
  std::optional<Mapping> mapping;  ///< absent: the heuristic finds none, even without replicas
  std::uint64_t evaluations = 0;   ///< mappings that `ga` evaluated
  bool stopped = false;            ///< `ga` was ended by a limit
};

/// Does not depend on the number of threads. Limits end `ga` after a generation; a node is a
/// mapping evaluated. Throws InputError if the architecture is not valid, or if `ga` is asked for
/// an estimate that the network does not have.
BaselineResult baseline(const Architecture& architecture, const Partition& partition,
                        Baseline method, const Evolution& evolution = {},
                        const RunLimits& limits = {});

}  // namespace pimbb::crossbar
