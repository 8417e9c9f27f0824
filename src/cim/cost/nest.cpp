// From the innermost loop outwards, tensor by tensor.
#include "cim/cost/nest.hpp"

#include <algorithm>
#include <cassert>

namespace pimbb::cim::cost {
namespace {

std::int64_t bits_of(const Architecture& a, Tensor t, bool psum) {
  return t == Tensor::output && psum ? a.bits.psum : a.bits.tensor[index(t)];
}

}  // namespace

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): factors and blocks are filled as needed
Nest::Nest(const Architecture& architecture, const Units& units, const Workload& layer,
           const Elements& elements_of_layer, const Mapping& mapping)
    : loops(mapping.loops.size()),
      a_(architecture),
      units_(units),
      elements_(elements_of_layer),
      mapping_(mapping),
      unrolling_(architecture, mapping.spatial) {
  assert(loops < kMostLoops);
  for (std::size_t i = 0; i < loops; ++i) {
    const Loop& loop = mapping.loops[i];
    factor[i] = loop.factor;
    products *= loop.factor;
    if (is_reduction(loop.dim)) {
      psum_anywhere = true;
      const std::size_t level = loop.level[index(Tensor::output)];
      if (!outermost_reduction_ || level > *outermost_reduction_) outermost_reduction_ = level;
    }
  }
  for (const Tensor t : kAllTensors) {
    elements[index(t)] = elements_(t, layer.bounds);
    if (boots(t)) {
      boot[index(t)] = elements[index(t)] * a_.bits.tensor[index(t)] * units.bit[a_.dram()];
    }
    add_blocks(t);
  }
}

void Nest::add_blocks(Tensor t) {
  const std::size_t begin = first[index(t)];
  std::size_t count = begin;
  const std::size_t innermost = a_.innermost(t);
  Factors inside = kOnes;         // extents of the loops inside
  std::int64_t fires = products;  // of the loop and those around it
  bool placed = false;
  for (std::size_t i = loops; i-- > 0;) {
    const Loop& loop = mapping_.loops[i];
    const std::uint8_t level = loop.level[index(t)];
    if (count == begin || blocks[count - 1].from != level) {
      Block& block = blocks[count];
      block = Block{};
      block.tensor = t;
      block.from = level;
      block.to = kMac;
      if (count > begin) {
        const Block& last = blocks[count - 1];
        block.to = last.from;
        block.bits_to = last.bits;
        block.data_to = last.data;
        block.doubled = mapping_.doubled[last.from][index(t)];
      }
      block.serial = count == begin && level != innermost;
      block.moves = t != Tensor::weight || level != innermost;
      block.bits = bits_of(a_, t, psum(level));
      block.tile = elements_(t, pimbb::times(inside, unrolling_.at(t, level).tile));
      placed = false;
      ++count;
    }
    Block& block = blocks[count - 1];
    inside[index(loop.dim)] *= loop.factor;
    if (!placed) {
      block.loop = static_cast<std::uint8_t>(i);
      block.fires = fires;
      placed = relevant(t, loop.dim);
    }
    if (i == 0 || mapping_.loops[i - 1].level[index(t)] != level) {
      block.data = elements_(t, pimbb::times(inside, unrolling_.at(t, level).tile));
    }
    fires /= loop.factor;
  }
  first[index(t) + 1] = count;
}

Time Nest::time(const Block& block, Semantics semantics) const {
  if (!block.moves) return 0;
  const Time raw = block.tile * block.bits * units_.bit[block.from];
  const Time extra = block.serial ? units_.cycle : 0;
  switch (semantics) {
    case Semantics::recursion: return std::max(units_.cycle, raw) + extra;
    case Semantics::table3: return raw;
    default: return (raw + units_.cycle - 1) / units_.cycle * units_.cycle + extra;
  }
}

void Nest::times(Semantics semantics, Times& out) const {
  for (const Tensor t : kAllTensors) {
    auto& transfer = out.transfer[index(t)];
    auto& doubled = out.doubled[index(t)];
    std::size_t i = loops;
    for (std::size_t k = first[index(t)]; k < first[index(t) + 1]; ++k) {
      const Block& block = blocks[k];
      while (i > 0 && mapping_.loops[i - 1].level[index(t)] == block.from) {
        --i;
        transfer[i] = 0;
        doubled[i] = block.doubled;
      }
      transfer[block.loop] = time(block, semantics);
    }
    assert(i == 0);
  }
}

Time latency(const Nest& nest, Semantics semantics) {
  switch (semantics) {
    case Semantics::recursion: return recursion(nest);
    case Semantics::table3: return table3(nest);
    default: return simulate(nest);
  }
}

Busy busy(const Nest& nest, Semantics semantics) {
  Busy busy{};
  for (std::size_t k = 0; k < nest.first[kTensors]; ++k) {
    const Block& block = nest.blocks[k];
    busy[block.from][index(block.tensor)] +=
        ways(block.tensor) * block.fires * nest.time(block, semantics);
  }
  for (const Tensor t : kAllTensors) {
    busy[nest.architecture().dram()][index(t)] += ways(t) * nest.boot[index(t)];
  }
  return busy;
}

Time contention_floor(const Nest& nest, const Busy& busy, Contention contention) {
  Time floor = 0;
  if (contention == Contention::none) return floor;
  for (std::size_t m = 0; m < nest.architecture().levels.size(); ++m) {
    Time all = 0;
    for (const Time time : busy[m]) {
      floor = std::max(floor, time);
      all += time;
    }
    if (contention == Contention::bus) floor = std::max(floor, all);
  }
  return floor;
}

}  // namespace pimbb::cim::cost
