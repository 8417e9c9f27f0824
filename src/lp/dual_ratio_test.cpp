// Break points, their groups, and the choice of a group.
#include "lp/dual_ratio_test.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <tuple>

#include "lp/tolerances.hpp"

namespace pimbb::lp {
namespace {

constexpr double kGoodPivot = 0.1;  // of the largest pivot available
constexpr double kAlwaysGoodPivot = 1.0;

}  // namespace

void DualRatioTest::collect(const SparseVector& pivot_row, double direction) {
  candidates_.clear();
  for (const int v : pivot_row.nonzero) {
    const VariableStatus status = work_.status[v];
    if (status == VariableStatus::basic || work_.lower(v) == work_.upper(v)) continue;
    const double size = std::fabs(pivot_row.value[v]);
    if (size <= kPivotTolerance) continue;
    const double towards = direction * pivot_row.value[v];
    const bool falls = status == VariableStatus::at_zero ||
                       (status == VariableStatus::at_lower ? towards > 0 : towards < 0);
    if (!falls) continue;
    const double distance = status == VariableStatus::at_lower   ? work_.reduced[v]
                            : status == VariableStatus::at_upper ? -work_.reduced[v]
                                                                 : std::fabs(work_.reduced[v]);
    candidates_.push_back({v, size, std::max(0.0, distance) / size});
  }
}

int DualRatioTest::first_by_index() const {
  double first = kInfinity;
  for (const Candidate& c : candidates_) first = std::min(first, c.ratio);
  int best = -1;
  for (const Candidate& c : candidates_) {
    if (c.ratio <= first + kTie && (best < 0 || c.variable < best)) best = c.variable;
  }
  return best;
}

/// False if the slope stays positive beyond all groups.
bool DualRatioTest::form_groups(double slope) {
  groups_.clear();
  std::ranges::sort(candidates_, [](const Candidate& a, const Candidate& b) {
    return std::tie(a.ratio, a.variable) < std::tie(b.ratio, b.variable);
  });
  std::vector<double> relaxed(candidates_.size());
  double least = kInfinity;
  for (std::size_t k = candidates_.size(); k-- > 0;) {
    least = std::min(least, candidates_[k].ratio + work_.tolerance / candidates_[k].size);
    relaxed[k] = least;
  }
  for (std::size_t k = 0; k < candidates_.size();) {
    Group group{k, k};
    for (; group.end < candidates_.size() && candidates_[group.end].ratio <= relaxed[k];
         ++group.end) {
      slope -= candidates_[group.end].size * work_.range(candidates_[group.end].variable);
    }
    groups_.push_back(group);
    if (slope <= work_.tolerance) return true;
    k = group.end;
  }
  return false;
}

std::size_t DualRatioTest::largest(Group group) const {
  std::size_t best = group.begin;
  for (std::size_t k = group.begin; k < group.end; ++k) {
    if (candidates_[k].size > candidates_[best].size) best = k;
  }
  return best;
}

int DualRatioTest::choose(const SparseVector& pivot_row, double direction, double slope,
                          bool bland) {
  flips_.clear();
  shift_candidates_.clear();
  collect(pivot_row, direction);
  if (!form_groups(slope)) return -1;
  if (bland) return first_by_index();

  double largest_size = 0;
  for (const Group& group : groups_) {
    largest_size = std::max(largest_size, candidates_[largest(group)].size);
  }
  // The longest step whose pivot is large enough; the largest pivot always is.
  const double good = std::min(kGoodPivot * largest_size, kAlwaysGoodPivot);
  std::size_t chosen = groups_.size() - 1;
  while (candidates_[largest(groups_[chosen])].size < good) --chosen;
  const std::size_t entering = largest(groups_[chosen]);
  for (std::size_t k = 0; k < groups_[chosen].begin; ++k) flips_.push_back(candidates_[k].variable);
  for (std::size_t k = groups_[chosen].begin; k < groups_[chosen].end; ++k) {
    if (k != entering) shift_candidates_.push_back(candidates_[k].variable);
  }
  assert(candidates_[entering].size > kPivotTolerance);
  assert(std::ranges::all_of(flips_, [&](int v) { return std::isfinite(work_.range(v)); }));
  return candidates_[entering].variable;
}

}  // namespace pimbb::lp
