// Instructions laid over equal intervals of the time.
#include "crossbar/schedule/occupancy.hpp"

#include <algorithm>
#include <cassert>
#include <map>

namespace pimbb::crossbar::schedule {
namespace {

/// Adds `weight` for each ns in which [start, end) and an interval overlap.
void add(std::vector<std::int64_t>& intervals, std::int64_t length, std::int64_t start,
         std::int64_t end, std::int64_t weight = 1) {
  for (std::int64_t k = start / length; start < end; ++k) {
    const std::int64_t stop = std::min(end, (k + 1) * length);
    intervals[static_cast<std::size_t>(k)] += weight * (stop - start);
    start = stop;
  }
}

}  // namespace

Occupancy occupancy(const Architecture& architecture, const Partition& partition,
                    const Stream& stream, const Timing& timing) {
  Occupancy result;
  const auto most = static_cast<std::int64_t>(Occupancy::kMostIntervals);
  result.interval = std::max<std::int64_t>(1, (timing.time + most - 1) / most);
  const auto count =
      static_cast<std::size_t>((timing.time + result.interval - 1) / result.interval);
  for (auto* intervals :
       {&result.arrays, &result.memory, &result.bus, &result.link, &result.vector}) {
    intervals->resize(count);
  }
  for (std::size_t i = 0; i < stream.instructions.size(); ++i) {
    const Instruction& each = stream.instructions[i];
    if (each.op == Opcode::recv || each.op == Opcode::pixel) continue;
    const Work& work = stream.works[static_cast<std::size_t>(each.work)];
    const std::int64_t start = timing.starts[i];
    if (each.op == Opcode::mvm) {
      const auto array = partition.array_of[static_cast<std::size_t>(each.node)];
      add(result.arrays, result.interval, start, start + architecture.mvm.time,
          partition.arrays[*array].width);
    } else if (each.unit == Unit::vec) {
      add(result.vector, result.interval, start, start + work.time);
    } else {
      add(each.op == Opcode::send ? result.bus : result.memory, result.interval, start,
          start + work.time);
      add(result.link, result.interval, timing.ends[i] - work.link, timing.ends[i]);
    }
  }
  return result;
}

std::vector<NodeSpan> node_spans(const Stream& stream, const Timing& timing) {
  std::map<Index, NodeSpan> spans;
  for (std::size_t i = 0; i < stream.instructions.size(); ++i) {
    const Instruction& each = stream.instructions[i];
    if (each.op == Opcode::recv || each.op == Opcode::pixel) continue;
    const NodeSpan own{static_cast<std::size_t>(each.node), timing.starts[i], timing.ends[i]};
    const auto [known, is_new] = spans.emplace(each.node, own);
    if (is_new) continue;
    known->second.start = std::min(known->second.start, own.start);
    known->second.end = std::max(known->second.end, own.end);
  }
  std::vector<NodeSpan> all;
  for (const auto& [node, span] : spans) all.push_back(span);
  return all;
}

}  // namespace pimbb::crossbar::schedule
