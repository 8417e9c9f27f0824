// `ll`: the longest path from the input to a sink or the first FC.
//
// Let x_0, x_1, ..., x_m be the convolutions and pools of a path, rho_k the least replication among
// the convolutions x_0 .. x_k, Wt_k the waiting fraction of x_k and E_k = 1 - Wt_k. The path takes
//
//     T * W_0 * (Wt_1/rho_0 + E_1 * (Wt_2/rho_1 + E_2 * (... 1/rho_m)))
//
// A cut has, in place of each rho_k, the replication of any one convolution among x_0 .. x_k, which
// is not less. So it bounds the path from below, and so does the same of a path that is cut off.
#pragma once

#include <string>
#include <vector>

#include "problem.hpp"

namespace pimbb_check::crossbar {

inline constexpr int kCutBits = 20;  // weights are multiples of 2^-20 ns, rounded down

class Latency {
 public:
  /// Refuses a network without a latency.
  explicit Latency(const Problem& p);

  /// ns, for replications by family.
  [[nodiscard]] Rational value(const Counts& replication) const;
  /// Weights by family of the cut "NODE:FAMILY" for each x_k, families of the rates.
  [[nodiscard]] std::vector<cpp_int> cut(const std::vector<std::string>& steps) const;
  /// The greatest replications of use below `most`: no node works faster than its fastest provider.
  [[nodiscard]] Counts useful(const Counts& most) const;

 private:
  const Problem& p_;
  std::vector<std::vector<std::size_t>> before_;  // by node: what counts, or the input, before it
  std::vector<bool> begins_;                      // by node: a convolution that begins paths
  std::vector<bool> on_path_;                     // by node
  std::vector<Rational> wait_;                    // by node
};

}  // namespace pimbb_check::crossbar
