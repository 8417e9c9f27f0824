// A sweep over births and deaths, deaths first.
#include "crossbar/schedule/lifetimes.hpp"

#include <algorithm>
#include <utility>

namespace pimbb::crossbar::schedule {

std::vector<std::vector<Block>> blocks(const Architecture& a, const Stream& stream,
                                       const Timing& timing) {
  std::vector<std::vector<Block>> all(static_cast<std::size_t>(a.all_cores()));
  for (std::size_t i = 0; i < stream.instructions.size(); ++i) {
    const Instruction& maker = stream.instructions[i];
    if (maker.reader == kNone) continue;
    const auto r = static_cast<std::size_t>(maker.reader);
    const Instruction& reader = stream.instructions[r];
    const Work& work = stream.works[static_cast<std::size_t>(reader.work)];
    const bool far = reader.op == Opcode::send && work.link > 0;
    const Block block{timing.ends[i], far ? timing.starts[r] + work.time : timing.ends[r],
                      stream.works[static_cast<std::size_t>(maker.work)].bytes};
    if (block.from < block.to) all[static_cast<std::size_t>(maker.core)].push_back(block);
  }
  return all;
}

std::int64_t most_alive(const std::vector<Block>& blocks) {
  std::vector<std::pair<std::int64_t, std::int64_t>> changes;  // time, bytes
  changes.reserve(2 * blocks.size());
  for (const Block& block : blocks) {
    changes.emplace_back(block.from, block.bytes);
    changes.emplace_back(block.to, -block.bytes);
  }
  std::ranges::sort(changes);
  std::int64_t alive = 0;
  std::int64_t most = 0;
  for (const auto& [time, bytes] : changes) most = std::max(most, alive += bytes);
  return most;
}

}  // namespace pimbb::crossbar::schedule
