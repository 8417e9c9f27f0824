// What one tensor still costs at least, as if it were alone: all loops that are irrelevant to it
// come next, at its present level, so that further transfers fire for relevant loops only.
//
// For energy, that is the least sum over the levels that it may still use. For the latency of the
// recursion, let R be the product of the loops outside loop j, and `lag` the body of the next loop
// minus A + c S of the tensor. Then, over all transfers to come,
//
//     latency >= R_k Body_k - R_(k+1) lag_k + [not output] S_output + sum_j w_j T_j
//
// with w_j = c * firings for a transfer that nothing hides, 2 R_j for a hidden one of outputs and
// R_(j+1) of another tensor, and boots c times; docs/cim-proof-format.md derives it.
#pragma once

#include <vector>

#include "space.hpp"

namespace pimbb_check::cim {

struct Rest {
  Energy energy = 0;
  Time time = 0;  // weighted; 0 but for boots unless the semantics are the recursion
  bool possible = false;
  void take(const Rest& other);
};

class Alone {
 public:
  explicit Alone(const Space& space);

  /// With the tensor's transfer at level m placed; after the loops that have consumed a plot.
  [[nodiscard]] const Rest& placed(std::size_t t, bool psum, std::size_t m,
                                   std::size_t plot) const {
    return placed_[t][psum][m][plot];
  }
  /// If it must leave the level now.
  [[nodiscard]] const Rest& leaving(std::size_t t, bool psum, std::size_t m,
                                    std::size_t plot) const {
    return leaving_[t][psum][m][plot];
  }
  /// Before all loops.
  [[nodiscard]] const Rest& start(std::size_t t) const { return start_[t]; }
  /// Relevant loops left.
  [[nodiscard]] std::int64_t left(std::size_t t, std::size_t plot) const { return left_[t][plot]; }
  /// Least weight of a transfer whose block begins at the plot.
  [[nodiscard]] std::int64_t weight(std::size_t t, std::size_t plot, bool hidden) const {
    return weight_[t][hidden][plot];
  }

 private:
  /// If no loop is left; else it is not possible.
  [[nodiscard]] Rest ended(std::size_t t, bool psum, std::size_t m, std::size_t plot) const;
  [[nodiscard]] Rest leave(std::size_t t, bool psum, std::size_t m, std::size_t plot) const;
  [[nodiscard]] bool fits(std::size_t t, bool psum, std::size_t m, std::size_t plot,
                          std::int64_t copies) const;
  void weigh(std::size_t t);
  void fill(std::size_t t, bool psum, std::size_t m);

  const Space& space_;
  const Problem& p_;
  PerTensor<std::array<std::array<std::vector<Rest>, kMostLevels>, 2>> placed_, leaving_;
  PerTensor<Rest> start_;
  PerTensor<std::vector<std::int64_t>> left_;
  PerTensor<std::array<std::vector<std::int64_t>, 2>> weight_;
};

/// Whether the claim closes a whole scheme because every product takes its time and every element
/// leaves the DRAM once.
bool closed_at_once(const Problem& p, const Units& units, const Scheme& scheme, const Claim& claim);
/// Whether the claim closes it by the sums over its tensors, or because one of them fits nowhere.
bool closed_by_bound(const Space& space, const Alone& alone, const Claim& claim);

}  // namespace pimbb_check::cim
