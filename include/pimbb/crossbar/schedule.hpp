// The instruction stream of a mapping and its simulation, which judges mappings apart from all
// estimates.
//
// Every core has three units that run their instructions in order: one for multiplications, one for
// vectors, one for transfers. Cores of a chip share its memory and its bus, chips the link; these
// serve one transfer at a time, in the order in which the transfers are ready.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "pimbb/crossbar/cost.hpp"
#include "pimbb/run_limits.hpp"
#include "pimbb/write_file.hpp"

namespace pimbb::crossbar {

/// How local memory is shared by blocks of output. `ag` delays multiplications; the others have the
/// same schedule.
enum class Policy : std::uint8_t {
  naive,  ///< a block for every result and every message
  add,    ///< sums are made in place
  ag,     ///< array groups take turns at three blocks
  live,   ///< as many bytes as are alive at once in the simulated schedule
  exact   ///< offsets for all blocks of the simulated schedule
};
inline constexpr std::array<std::string_view, 5> kPolicyNames{"naive", "add", "ag", "live",
                                                              "exact"};

struct ScheduleOptions {
  Mode mode = Mode::ht;
  Policy policy = Policy::add;
};

/// Local memory of a schedule whose blocks have fixed offsets.
struct Allocation {
  PeakMemory peak;
  bool least = false;  ///< proven: no offsets need less
};

/// How long resources of a kind work in each of equal intervals of the simulated time, in ns of all
/// of them together; of crossbars, ns times crossbars.
struct Occupancy {
  static constexpr std::size_t kMostIntervals = 64;
  std::int64_t interval = 1;  ///< ns; the last one may reach beyond the end
  std::vector<std::int64_t> arrays, memory, bus, link, vector;  ///< by interval
};

/// From the first to the last instruction of a node, in any core.
struct NodeSpan {
  std::size_t node = 0;             ///< in the partition's graph
  std::int64_t start = 0, end = 0;  ///< ns
};

struct Simulation {
  std::int64_t time = 0;  ///< ns, until the last instruction ends
  std::int64_t instructions = 0;
  Busy busy;                            ///< of all chips and cores together
  Energy energy;                        ///< over the simulated time
  std::vector<std::int64_t> core_ends;  ///< ns; 0 for cores without instructions
  Occupancy occupancy;                  ///< over time
  std::vector<NodeSpan> spans;          ///< by ascending node
  PeakMemory live;                      ///< inputs, and the most output alive at once
  std::optional<Allocation> exact;      ///< under the policy `exact`
};

/// The shares of the simulated time in which resources work; the average of equal ones.
struct Utilization {
  Rational arrays;  ///< crossbars that multiply
  Rational memory;
  Rational bus;
  Rational link;
  Rational vector;
};
Utilization utilization(const Architecture& architecture, const Partition& partition,
                        const Simulation& simulation);

/// Throws InputError if the mapping breaks a rule (find_violation()), LimitError at a limit of time
/// or memory, and when it is interrupted.
Simulation simulate(const Architecture& architecture, const Partition& partition,
                    const Mapping& mapping, const ScheduleOptions& options = {},
                    const RunLimits& limits = {});

/// The stream as lines of JSON, core by core in program order. `timed`: with the start of every
/// instruction, and the simulation as result. Throws like simulate().
std::optional<Simulation> write_stream(const Sink& sink, const Architecture& architecture,
                                       const Partition& partition, const Mapping& mapping,
                                       const ScheduleOptions& options, bool timed,
                                       const RunLimits& limits = {});

}  // namespace pimbb::crossbar
