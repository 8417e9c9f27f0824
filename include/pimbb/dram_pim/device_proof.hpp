// A proof that a mapping onto a whole device is optimal, or that there is none, for a checker that
// does not trust the solver.
//
//   auto solution = solve(device, layer, moves, question, limits);
//   prove(device, layer, moves, question, limits, solution, sink);
//
// `pimbb-check` verifies the text that goes to the sink (docs/proof-format.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "pimbb/dram_pim/device_solver.hpp"

namespace pimbb::dram_pim {

struct DeviceProofSize {
  std::uint64_t trees = 0;   ///< slices that their least costs do not close
  std::uint64_t leaves = 0;  ///< of all of these
  std::uint64_t bytes = 0;
};

/// Writes the pimbb-device-proof/1 document to `sink`, in pieces. solve() must have returned the
/// solution for the same arguments, with status `optimal` or `infeasible`. The text does not depend
/// on the number of threads. The limits of time and memory apply anew, and so does the request to
/// stop: they end the proof with a LimitError. Throws InputError for another status, and for
/// questions and layers that proofs do not cover.
DeviceProofSize prove(const Device& device, const Workload& layer, const Moves& moves,
                      const Question& question, const RunLimits& limits,
                      const DeviceSolution& solution,
                      const std::function<void(std::string_view)>& sink);

/// The problem in normal form, one line of JSON; a proof contains its SHA-256.
std::string canonical_instance(const Device& device, const Workload& layer, const Moves& moves,
                               const Question& question);

}  // namespace pimbb::dram_pim
