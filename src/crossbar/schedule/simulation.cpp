// Stream, times, energy and memory of one mapping.
#include <algorithm>

#include "crossbar/cost/energy.hpp"
#include "crossbar/partition/feasibility.hpp"
#include "crossbar/schedule/allocation.hpp"
#include "crossbar/schedule/lines.hpp"
#include "crossbar/schedule/occupancy.hpp"
#include "crossbar/schedule/pixel_buffers.hpp"
#include "run/clock.hpp"
#include "run/limited.hpp"

namespace pimbb::crossbar {
namespace {

using schedule::Stream;
using schedule::Timing;

/// What each core needs beside blocks of output: two input blocks for every array group that loads
/// its input, and pixels that it receives.
std::vector<std::int64_t> input_bytes(const Architecture& a, const Partition& p,
                                      const Mapping& mapping, Mode mode) {
  std::vector<std::int64_t> bytes(mapping.cores.size(), 0);
  if (mode == Mode::ll) bytes = schedule::pixel_bytes(a, p, mapping);
  for (std::size_t c = 0; c < bytes.size(); ++c) {
    for (const Share& share : mapping.cores[c]) {
      const std::vector<std::size_t>& sources = p.sources[p.arrays[share.array].node];
      const bool loads = mode == Mode::ht || std::ranges::count(sources, std::size_t{0}) > 0;
      if (loads) bytes[c] += 2 * a.bytes(a.core.rows) * share.groups;
    }
  }
  return bytes;
}

PeakMemory highest(const std::vector<std::int64_t>& bytes) {
  const auto most = std::ranges::max_element(bytes);
  return {most - bytes.begin(), *most};
}

/// `live`, and `exact` if it is asked for; `fixed` is what each core needs beside blocks of output.
void add_memory(const std::vector<std::int64_t>& fixed,
                const std::vector<std::vector<schedule::Block>>& blocks, Policy policy,
                const run::Guard& guard, Simulation& result) {
  std::vector<std::int64_t> bytes = fixed;
  for (std::size_t c = 0; c < bytes.size(); ++c) {
    guard.check();
    bytes[c] += schedule::most_alive(blocks[c]);
  }
  result.live = highest(bytes);
  if (policy != Policy::exact) return;
  std::int64_t least = 0;
  for (std::size_t c = 0; c < bytes.size(); ++c) {
    const schedule::Heights heights = schedule::allocate(blocks[c], guard);
    bytes[c] = fixed[c] + heights.height;
    least = std::max(least, fixed[c] + heights.least);
  }
  const PeakMemory exact = highest(bytes);
  result.exact = {exact, exact.bytes == least};
}

Energy simulated_energy(const Architecture& a, const Partition& p, Mode mode,
                        const Timing& timing) {
  Rational on;
  for (const std::int64_t end : timing.core_ends) {
    if (end > 0) on += mode == Mode::ht ? end : timing.time;
  }
  return {cost::core_standing(a, on) + cost::shared_standing(a, timing.time),
          cost::dynamic_energy(a, p, timing.busy)};
}

Simulation summarize(const Architecture& a, const Partition& p, const Mapping& mapping,
                     const ScheduleOptions& options, const Stream& stream, const Timing& timing,
                     const run::Guard& guard) {
  Simulation result;
  result.time = timing.time;
  result.instructions = timing.instructions;
  result.busy = timing.busy;
  result.core_ends = timing.core_ends;
  result.energy = simulated_energy(a, p, options.mode, timing);
  result.occupancy = schedule::occupancy(a, p, stream, timing);
  result.spans = schedule::node_spans(stream, timing);
  add_memory(input_bytes(a, p, mapping, options.mode), schedule::blocks(a, stream, timing),
             options.policy, guard, result);
  return result;
}

/// Runs `body` with the guard of a run.
void guarded(const RunLimits& limits, const std::function<void(const run::Guard&)>& body) {
  const run::Clock clock(limits);
  run::Guard guard;
  guard.stop = [&clock] { return clock.stopped(); };
  guard.room = limits.memory_limit;
  run::limited(limits, "simulation", [&] { body(guard); });
}

}  // namespace

schedule::Stream schedule::make_stream(const Architecture& architecture, const Partition& partition,
                                       const Mapping& mapping, const ScheduleOptions& options,
                                       const run::Guard& guard) {
  return options.mode == Mode::ht
             ? throughput_stream(architecture, partition, mapping, options.policy, guard)
             : latency_stream(architecture, partition, mapping, options.policy, guard);
}

Utilization utilization(const Architecture& architecture, const Partition& partition,
                        const Simulation& simulation) {
  Rational multiplications;  // of crossbars
  for (const ArrayNode& array : partition.arrays) {
    multiplications += Rational(array.groups) * Rational(array.width) * Rational(array.windows);
  }
  const Rational time(simulation.time);
  const Rational chips(architecture.chips);
  const Rational cores(architecture.all_cores());
  const Busy& busy = simulation.busy;
  return {multiplications * Rational(architecture.mvm.time) /
              (time * cores * Rational(architecture.core.crossbars)),
          Rational(busy.memory) / (time * chips), Rational(busy.bus) / (time * chips),
          Rational(busy.link) / time, Rational(busy.vector) / (time * cores)};
}

Simulation simulate(const Architecture& architecture, const Partition& partition,
                    const Mapping& mapping, const ScheduleOptions& options,
                    const RunLimits& limits) {
  partition::require_feasible(architecture, partition, mapping);
  Simulation result;
  guarded(limits, [&](const run::Guard& guard) {
    const Stream stream = schedule::make_stream(architecture, partition, mapping, options, guard);
    const Timing timing = schedule::simulate(architecture, stream, guard);
    result = summarize(architecture, partition, mapping, options, stream, timing, guard);
  });
  return result;
}

std::optional<Simulation> write_stream(const Sink& sink, const Architecture& architecture,
                                       const Partition& partition, const Mapping& mapping,
                                       const ScheduleOptions& options, bool timed,
                                       const RunLimits& limits) {
  partition::require_feasible(architecture, partition, mapping);
  std::optional<Simulation> result;
  guarded(limits, [&](const run::Guard& guard) {
    const Stream stream = schedule::make_stream(architecture, partition, mapping, options, guard);
    std::optional<Timing> timing;
    if (timed) {
      timing = schedule::simulate(architecture, stream, guard);
      result = summarize(architecture, partition, mapping, options, stream, *timing, guard);
    }
    schedule::write_lines(sink, architecture, partition, mapping, stream,
                          timing ? &timing->starts : nullptr, guard);
  });
  return result;
}

}  // namespace pimbb::crossbar
