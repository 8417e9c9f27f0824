// Dynamic programming, levels from the DRAM inwards, plots from the full extents backwards.
#include "cim/mapper/cost_to_go.hpp"

#include <algorithm>

namespace pimbb::cim::mapper {
namespace {

constexpr Energy kTooMuch = Energy{1} << 123;

void take_least(ToGo& best, const ToGo& other) {
  best.energy = std::min(best.energy, other.energy);
  best.time = std::min(best.time, other.time);
}

}  // namespace

CostToGo::CostToGo(const Space& space)
    : space_(space),
      times_(space.problem().question.pricing.semantics == Semantics::recursion),
      cheap_psum_(space.problem().architecture.bits.psum <
                  space.problem().bits(Tensor::output, false)) {
  for (const Tensor t : kAllTensors) {
    weigh(t);
    const auto& chain = space.problem().chain[index(t)];
    for (std::size_t c = chain.size(); c-- > 0;) {
      fill(t, false, chain[c]);
      if (t == Tensor::output) fill(t, true, chain[c]);
    }
    for (const bool psum : {false, true}) {
      tables_[index(t)][psum][kMac].leaving = {leave(t, psum, kMac, 0)};
    }
  }
}

void CostToGo::weigh(Tensor t) {
  const std::uint32_t plots = space_.plots[index(t)];
  left_[index(t)].resize(plots);
  for (auto& weights : weights_[index(t)]) weights.resize(plots);
  for (std::uint32_t plot = 0; plot < plots; ++plot) {
    std::int64_t left = 1;
    std::int64_t largest = 1;
    for (const Space::Dimension& dim : space_.dims) {
      const std::uint32_t stride = dim.plot_stride[index(t)];
      if (stride == 0) continue;
      const auto& positions = dim.steps->positions;
      const FactorSteps::Position& at = positions[plot / stride % positions.size()];
      left *= at.left;
      largest = std::max(largest, at.largest);
    }
    left_[index(t)][plot] = left;
    const auto at_least = [](std::int64_t n, std::int64_t by) { return (n + by - 1) / by; };
    const bool output = t == Tensor::output;
    weights_[index(t)][0][plot] = cost::ways(t) * left;
    weights_[index(t)][1][plot] =
        output ? 2 * at_least(left, largest) : at_least(at_least(left, largest), largest);
  }
}

bool CostToGo::fits(Tensor t, bool psum, std::size_t level, std::uint32_t plot,
                    std::int64_t copies) const {
  const auto& size = space_.problem().architecture.levels[level].size_bits;
  return !size || copies * space_.data(t, level, plot, psum) <= *size;
}

ToGo CostToGo::end(Tensor t, bool psum, std::size_t level, std::uint32_t plot) const {
  const Problem& p = space_.problem();
  if (level == p.architecture.dram()) return {};
  ToGo end{space_.boot_energy[index(t)], cost::ways(t) * space_.boot[index(t)]};
  if (level != kMac) {
    end.energy += Energy{space_.data(t, level, plot, psum)} *
                  space_.unrolling.at(t, level).instances *
                  cost::bit_costs(p.architecture, p.units, t, level).in;
  }
  return end;
}

ToGo CostToGo::leave(Tensor t, bool psum, std::size_t level, std::uint32_t plot) const {
  const Problem& p = space_.problem();
  ToGo best{kTooMuch, kNever};
  const bool full = plot + 1 == space_.plots[index(t)];
  if (full) best = end(t, psum, level, plot);
  const bool inside = level != kMac;
  const bool hidden = inside && p.may_double(level, t) && fits(t, psum, level, plot, 2);
  const bool exposed = !inside || !p.must_double(level, t);
  if (!hidden && !exposed) return best;
  Time weight = kNever;
  if (times_) {
    if (exposed) weight = weights_[index(t)][0][plot];
    if (hidden) weight = std::min(weight, weights_[index(t)][1][plot]);
  }
  // Outputs of the first block are partial sums if there is any reduction; further out, where the
  // precision depends on loops to come, the cheaper one counts.
  const bool output = t == Tensor::output;
  const bool partial = output && ((!inside && space_.reductions > 1) || cheap_psum_);
  for (const std::uint8_t m : p.chain[index(t)]) {
    if (inside && m <= level) continue;
    const ToGo& rest = tables_[index(t)][partial][m].placed[plot];
    ToGo way{space_.energy(t, m, level, plot, partial, psum) * left_[index(t)][plot] + rest.energy,
             rest.time};
    if (!inside && m != p.innermost[index(t)]) way.energy += space_.charged(t);
    if (times_) way.time += weight * space_.time(t, m, level, plot, partial);
    take_least(best, way);
  }
  best.energy = std::min(best.energy, kTooMuch);
  best.time = std::min(best.time, kNever);
  return best;
}

Time CostToGo::longest_hidden(Tensor t, bool psum, std::size_t level, std::uint32_t plot) const {
  const Problem& p = space_.problem();
  if (!p.may_double(level, t) || !fits(t, psum, level, plot, 2)) return 0;
  Time longest = 0;
  for (const std::uint8_t m : p.chain[index(t)]) {
    if (m <= level) continue;
    for (const bool partial : {false, true}) {
      longest = std::max(longest, space_.time(t, m, level, plot, partial));
    }
  }
  return cost::ways(t) * longest;
}

void CostToGo::fill(Tensor t, bool psum, std::size_t level) {
  const std::uint32_t plots = space_.plots[index(t)];
  Table& table = tables_[index(t)][psum][level];
  table.placed.resize(plots);
  table.leaving.resize(plots);
  if (times_) table.hidden.resize(plots);
  for (std::uint32_t plot = plots; plot-- > 0;) {
    if (!fits(t, psum, level, plot, 1)) {
      table.placed[plot] = table.leaving[plot] = {kTooMuch, kNever};
      continue;
    }
    if (times_) table.hidden[plot] = longest_hidden(t, psum, level, plot);
    ToGo best = table.leaving[plot] = leave(t, psum, level, plot);
    for (const Space::Dimension& dim : space_.dims) {
      const std::uint32_t stride = dim.plot_stride[index(t)];
      if (stride == 0) continue;
      const auto& positions = dim.steps->positions;
      const std::size_t at = plot / stride % positions.size();
      for (const FactorSteps::Step& step : positions[at].steps) {
        if (!step.cover) continue;
        take_least(best, table.placed[plot + stride * (step.to - at)]);
      }
    }
    table.placed[plot] = best;
  }
}

std::uint64_t CostToGo::bytes() const {
  std::uint64_t bytes = sizeof(CostToGo);
  for (const Tensor t : kAllTensors) {
    const std::uint64_t tables =
        space_.problem().chain[index(t)].size() * (t == Tensor::output ? 2 : 1);
    bytes +=
        space_.plots[index(t)] * (tables * (2 * sizeof(ToGo) + sizeof(Time)) + 3 * sizeof(Time));
  }
  return bytes;
}

}  // namespace pimbb::cim::mapper
