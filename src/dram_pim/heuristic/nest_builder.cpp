// Moves, each tried on the mapping itself.
#include "dram_pim/heuristic/nest_builder.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "exact/factors.hpp"
#include "pimbb/dram_pim/feasibility.hpp"

namespace pimbb::dram_pim::heuristic {
namespace {

std::vector<std::int64_t> divisors_from(std::int64_t least, std::int64_t n) {
  std::vector<std::int64_t> divisors = divisors_of(n);
  divisors.erase(divisors.begin(), std::ranges::lower_bound(divisors, least));
  return divisors;
}

}  // namespace

NestBuilder::NestBuilder(const Architecture& architecture, const Workload& workload,
                         Mapping smallest)
    : a_(architecture), w_(workload), mapping_(std::move(smallest)), left_(workload.bounds) {
  assert(feasible() && mapping_.temporal(a_.dram()) == workload.bounds);
}

bool NestBuilder::feasible() const { return !find_violation(a_, w_, mapping_); }

void NestBuilder::set_dram_loop(Dim j, std::int64_t factor) {
  std::vector<Loop>& loops = mapping_.levels.back().loops;
  std::erase_if(loops, [j](const Loop& loop) { return loop.dim == j; });
  if (factor > 1) loops.push_back({j, factor});
  left_[index(j)] = factor;
}

bool NestBuilder::unroll(Dim j, std::int64_t factor, Direction direction) {
  assert(left(j) % factor == 0);
  std::int64_t& here = mapping_.spatial[index(direction)][index(j)];
  here *= factor;
  set_dram_loop(j, left(j) / factor);
  if (feasible()) return true;
  here /= factor;
  set_dram_loop(j, left(j) * factor);
  return false;
}

/// Loops stay in the order of level 0.
bool NestBuilder::move(Dim j, std::int64_t factor, std::size_t level) {
  assert(left(j) % factor == 0);
  if (level == a_.dram()) return true;
  std::vector<Loop>& here = loops(level);
  const std::vector<Loop> before = here;
  auto loop = std::find_if(here.begin(), here.end(),
                           [j](const Loop& l) { return pe_place(l.dim) >= pe_place(j); });
  if (loop == here.end() || loop->dim != j) loop = here.insert(loop, {j, 1});
  loop->factor *= factor;
  set_dram_loop(j, left(j) / factor);
  if (feasible()) return true;
  loops(level) = before;
  set_dram_loop(j, left(j) * factor);
  return false;
}

bool NestBuilder::store(std::size_t level, Tensor t) {
  bool& stored = mapping_.levels[level].stores[index(t)];
  const bool before = std::exchange(stored, true);
  if (!feasible()) stored = before;
  return stored;
}

bool NestBuilder::align(Tensor t, const Block& block) {
  mapping_.layout[index(t)] = Layout::row_aligned;
  if (t == Tensor::input) mapping_.input_block = block;
  if (feasible()) return true;
  unalign(t);
  return false;
}

BlockEdges block_edges(const Architecture& architecture, const Workload& workload,
                       const Mapping& mapping) {
  const Factors c = mapping.tile(architecture.row_buffer());
  const auto at = [&](Dim j) { return c[index(j)]; };
  return {divisors_from(workload.extent_h(at(Dim::Q), at(Dim::S)), workload.input_height()),
          divisors_from(workload.extent_w(at(Dim::P), at(Dim::R)), workload.input_width())};
}

}  // namespace pimbb::dram_pim::heuristic
