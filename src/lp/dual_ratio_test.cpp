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
constexpr int kPasses = 6;  // over the candidates, before they are sorted

}  // namespace

void DualRatioTest::collect(const SparseVector& pivot_row, double direction) {
  candidates_.clear();
  for (const int v : pivot_row.nonzero) {
    const double towards = direction * pivot_row.value[v];
    const double size = std::fabs(towards);
    const VariableStatus status = work_.status[v];
    if (size <= kPivotTolerance || status == VariableStatus::basic) continue;
    const bool falls = status == VariableStatus::at_zero ||
                       (status == VariableStatus::at_lower ? towards > 0 : towards < 0);
    if (!falls || work_.lower(v) == work_.upper(v)) continue;
    const double distance = status == VariableStatus::at_lower   ? work_.reduced[v]
                            : status == VariableStatus::at_upper ? -work_.reduced[v]
                                                                 : std::fabs(work_.reduced[v]);
    const double ratio = std::max(0.0, distance) / size;
    candidates_.push_back({v, size, ratio, ratio + work_.tolerance / size});
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

/// Appends a group. True if the slope is no longer positive after it.
bool DualRatioTest::add_group(std::size_t begin, std::size_t end, double& slope) {
  Group group{begin, end, begin};
  for (std::size_t k = begin; k < end; ++k) {
    const Candidate& c = candidates_[k];
    slope -= c.size * work_.range(c.variable);
    const Candidate& best = candidates_[group.largest];
    if (std::tie(best.size, c.ratio, c.variable) < std::tie(c.size, best.ratio, best.variable)) {
      group.largest = k;
    }
  }
  groups_.push_back(group);
  return slope <= work_.tolerance;
}

/// Groups by passes over the candidates that are left. False if the slope stays positive.
std::optional<bool> DualRatioTest::form_first_groups(double& slope, std::size_t& begin) {
  for (int pass = 0; pass < kPasses; ++pass) {
    if (begin == candidates_.size()) return false;
    double limit = kInfinity;
    for (std::size_t k = begin; k < candidates_.size(); ++k) {
      limit = std::min(limit, candidates_[k].relaxed);
    }
    std::size_t end = begin;
    for (std::size_t k = begin; k < candidates_.size(); ++k) {
      if (candidates_[k].ratio <= limit) std::swap(candidates_[k], candidates_[end++]);
    }
    if (add_group(begin, end, slope)) return true;
    begin = end;
  }
  return std::nullopt;
}

/// False if the slope stays positive beyond all groups.
bool DualRatioTest::form_groups(double slope) {
  groups_.clear();
  std::size_t begin = 0;
  if (const auto done = form_first_groups(slope, begin)) return *done;
  std::sort(candidates_.begin() + static_cast<std::ptrdiff_t>(begin), candidates_.end(),
            [](const Candidate& a, const Candidate& b) {
              return a.ratio != b.ratio ? a.ratio < b.ratio : a.variable < b.variable;
            });
  double least = kInfinity;
  for (std::size_t k = candidates_.size(); k-- > begin;) {
    least = std::min(least, candidates_[k].relaxed);
    candidates_[k].relaxed = least;
  }
  while (begin < candidates_.size()) {
    std::size_t end = begin + 1;
    while (end < candidates_.size() && candidates_[end].ratio <= candidates_[begin].relaxed) ++end;
    if (add_group(begin, end, slope)) return true;
    begin = end;
  }
  return false;
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
    largest_size = std::max(largest_size, candidates_[group.largest].size);
  }
  // The longest step whose pivot is large enough; the largest pivot always is.
  const double good = std::min(kGoodPivot * largest_size, kAlwaysGoodPivot);
  std::size_t chosen = groups_.size() - 1;
  while (candidates_[groups_[chosen].largest].size < good) --chosen;
  const std::size_t entering = groups_[chosen].largest;
  for (std::size_t k = 0; k < groups_[chosen].begin; ++k) flips_.push_back(candidates_[k].variable);
  for (std::size_t k = groups_[chosen].begin; k < groups_[chosen].end; ++k) {
    if (k != entering) shift_candidates_.push_back(candidates_[k].variable);
  }
  assert(candidates_[entering].size > kPivotTolerance);
  assert(std::ranges::all_of(flips_, [&](int v) { return std::isfinite(work_.range(v)); }));
  return candidates_[entering].variable;
}

}  // namespace pimbb::lp
