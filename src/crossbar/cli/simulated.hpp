// --simulate, --policy and --stream: the instructions of a mapping, simulated or written to a file.
#pragma once

#include <optional>
#include <string>

#include "crossbar/cli/options.hpp"
#include "crossbar/cli/words.hpp"
#include "files/json_text.hpp"
#include "pimbb/crossbar/schedule.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::crossbar::cli {

struct SimulationSettings {
  bool simulate = false;
  std::optional<Policy> policy;  ///< absent: `add`
  std::string stream;            ///< the file of the instructions; empty for none

  [[nodiscard]] bool wanted() const { return simulate || !stream.empty(); }
};

/// What came of it.
struct Simulated {
  ScheduleOptions options;
  std::optional<Simulation> simulation;  ///< absent: not wanted, or not complete
  std::uint64_t lines = 0;               ///< of the stream
  std::string stopped;                   ///< why it is not complete; empty if it is
};

OptionRows simulation_rows(SimulationSettings& settings);

/// Throws InputError if the options contradict each other, or if the stream cannot be written.
void check(const SimulationSettings& settings, const OutputSettings& output);

/// Simulates and writes what is wanted; the file is whole or not there. Limits and interruptions
/// end it.
Simulated simulate(const SimulationSettings& settings, const Problem& problem,
                   const Mapping& mapping, Mode mode, const RunLimits& limits);

/// The section of the report; empty without a simulation.
std::string simulation_section(const Style& style, const Problem& problem,
                               const Simulated& simulated);

/// What was written, and what is not complete; a line each.
std::string stream_text(const Style& style, const SimulationSettings& settings,
                        const Simulated& simulated);

/// The document of the mapping with the simulation.
std::string with_simulation(const std::string& document, const Problem& problem,
                            const Simulated& simulated);

}  // namespace pimbb::crossbar::cli
