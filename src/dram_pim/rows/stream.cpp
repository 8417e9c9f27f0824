// The stream is read off a mapping from the DRAM inwards.
#include "dram_pim/rows/stream.hpp"

#include <algorithm>
#include <cassert>

namespace pimbb::dram_pim::rows {
namespace {

void add_level(Stream& stream, const std::vector<Loop>& loops, const Factors& below) {
  for (const Loop& loop : loops) {
    if (loop.factor > 1) stream.loops.push_back({loop.dim, loop.factor, below[index(loop.dim)]});
  }
}

/// The loops of level 0, which run in the fixed order G R S P Q C K N whatever the mapping lists.
std::vector<Loop> pe_loops(const Mapping& m) {
  std::vector<Loop> loops = m.levels[0].loops;
  std::ranges::sort(loops, {}, [](const Loop& loop) { return pe_place(loop.dim); });
  return loops;
}

}  // namespace

Stream stream_of(const Architecture& a, const Mapping& m, Tensor t) {
  Stream stream;
  std::size_t inner = a.row_buffer();
  while (inner > 0 && !m.levels[inner - 1].stores[index(t)]) --inner;
  const bool stored = inner > 0;  // then level inner - 1 stores t
  stream.tile = stored ? m.tile(inner - 1) : m.spatial_tile();
  for (std::size_t level = a.levels.size(); level-- > std::max<std::size_t>(inner, 1);) {
    add_level(stream, m.levels[level].loops, m.tile(level - 1));
  }
  if (!stored) add_level(stream, pe_loops(m), m.spatial_tile());
  while (!stream.loops.empty() && !relevant(t, stream.loops.back().dim)) {
    if (!stored) {
      stream.repeats *= stream.loops.back().trips;
      stream.idle.insert(stream.idle.begin(), stream.loops.back());
    }
    stream.loops.pop_back();
  }
  assert(stream.repeats >= 1);
  return stream;
}

}  // namespace pimbb::dram_pim::rows
