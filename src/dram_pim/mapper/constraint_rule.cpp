// Ranges against factors, and the values that they leave at each level.
#include "dram_pim/mapper/constraint_rule.hpp"

#include <algorithm>

#include "exact/factors.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

bool all_admit(const FactorRanges& ranges, const Factors& factors) {
  for (std::size_t j = 0; j < kDims; ++j) {
    if (!ranges[j].admits(factors[j])) return false;
  }
  return true;
}

}  // namespace

ConstraintRule::ConstraintRule(const Architecture& architecture, const Workload& workload,
                               const Constraints& constraints)
    : constraints_(constraints) {
  validate(architecture, constraints);
  if (!constraints.limit_factors()) return;
  const std::size_t levels = architecture.levels.size();
  reached_.resize(levels);
  for (const Dim j : kAllDims) {
    const std::size_t k = index(j);
    const std::int64_t bound = workload.bound(j);
    const std::vector<std::int64_t> divisors = divisors_of(bound);
    const auto step = [&](std::size_t m, std::int64_t inner, std::int64_t outer) {
      return outer % inner == 0 && constraints.temporal_range(m, j).admits(outer / inner);
    };
    Values from = spatial_values(architecture, bound, j);
    for (std::size_t m = 0; m < levels; ++m) {
      for (const std::int64_t v : divisors) {
        if (std::ranges::any_of(from, [&](std::int64_t inner) { return step(m, inner, v); })) {
          reached_[m][k].insert(v);
        }
      }
      from = reached_[m][k];
    }
    std::erase_if(reached_.back()[k], [&](std::int64_t v) { return v != bound; });
    for (std::size_t m = levels - 1; m-- > 0;) {
      const Values& outer = reached_[m + 1][k];
      std::erase_if(reached_[m][k], [&](std::int64_t v) {
        return std::ranges::none_of(outer, [&](std::int64_t o) { return step(m + 1, v, o); });
      });
    }
  }
}

/// Products of the spatial factors that j may have: it is unrolled in one direction at most.
ConstraintRule::Values ConstraintRule::spatial_values(const Architecture& architecture,
                                                      std::int64_t bound, Dim j) const {
  Values values;
  for (const Direction d : kAllDirections) {
    const bool others = std::ranges::all_of(kAllDirections, [&](Direction other) {
      return other == d || constraints_.spatial[index(other)][index(j)].admits(1);
    });
    if (!others) continue;
    for (const std::int64_t f : divisors_of(bound)) {
      const bool fits =
          f == 1 || (architecture.pe_array.allows(d, j) && f <= architecture.pe_array.extent(d));
      if (fits && constraints_.spatial[index(d)][index(j)].admits(f)) values.insert(f);
    }
  }
  return values;
}

bool ConstraintRule::unrolls(Direction d, const Factors& factors) const {
  return !limits_factors() || all_admit(constraints_.spatial[index(d)], factors);
}

bool ConstraintRule::may_nest(std::size_t level, const Factors& outer, const Factors& inner) const {
  for (const Dim j : kAllDims) {
    const std::size_t k = index(j);
    if (!constraints_.temporal_range(level, j).admits(outer[k] / inner[k])) return false;
  }
  return true;
}

bool ConstraintRule::reaches(std::size_t level, const Factors& tile) const {
  if (!limits_factors()) return true;
  for (std::size_t k = 0; k < kDims; ++k) {
    if (!reached_[level][k].contains(tile[k])) return false;
  }
  return true;
}

bool ConstraintRule::keeps(const std::vector<TensorFlags>& stores) const {
  for (std::size_t m = 0; m < stores.size(); ++m) {
    for (const Tensor t : kAllTensors) {
      if (stored(m, t).value_or(stores[m][index(t)]) != stores[m][index(t)]) return false;
    }
  }
  return true;
}

}  // namespace pimbb::dram_pim::mapper
