// Lower bounds of `ll` by prices: a mix of cuts bounds `ll` from below, and a price on crossbars
// replaces the condition that all replicas have room:
//
//     ll >= sum over families of min over R of (weight/R + price * crossbars * R)
//           - price * all crossbars
//
// for any mix and any price >= 0. Floating point finds a good mix, by moving shares from the worst
// cut to the best, and a price; integers then compute the bound, rounded down.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "crossbar/assign/paths.hpp"
#include "exact/int128.hpp"

namespace pimbb::crossbar::assign {

/// Replications by family, least and most.
struct Box {
  std::vector<std::int64_t> least;
  std::vector<std::int64_t> most;
};

inline constexpr int kShareBits = 20;

class Allocation {
 public:
  Allocation(const Problem& problem, const Paths& paths);

  /// Shares of cuts, in units of 2^-kShareBits, and a price of a crossbar, of 2^-(kCutBits +
  /// kShareBits) ns.
  struct Mix {
    std::int64_t price = 0;
    std::vector<std::pair<std::size_t, std::int64_t>> shares;
  };
  struct Bound {
    Rational value;                   ///< proven for the box, ns
    std::vector<double> replication;  ///< of least `ll`, were fractions allowed
    Mix mix;                          ///< that proves the value; empty if it is 0
  };
  /// `rounds` of moving shares. Cuts are kept for further boxes.
  Bound bound(const Box& box, int rounds, const std::function<bool()>& stop);
  /// The family whose replication would be rounded at the greatest cost, and where: to at most so
  /// many replicas, or more; nothing if no family has a fraction. By the mix of the last bound.
  struct Rounding {
    std::size_t family = 0;
    std::int64_t most = 0;
  };
  [[nodiscard]] std::optional<Rounding> costliest_rounding(const Box& box) const;
  /// What a mix makes of the cuts' weights, by family, in units of 2^-(kCutBits + kShareBits) ns.
  [[nodiscard]] std::vector<Int128> weights(const Mix& mix) const;
  /// The path of a cut, and the families whose rates it has.
  [[nodiscard]] const std::vector<PathStep>& steps(std::size_t cut) const { return steps_[cut]; }

 private:
  struct Priced {
    std::vector<double> replication;
    double price = 0;
  };
  [[nodiscard]] Priced allocate(const std::vector<double>& weights, const Box& box) const;
  [[nodiscard]] std::optional<Mix> mix(double price) const;
  [[nodiscard]] Rational exact(const Box& box, const Mix& mix) const;
  [[nodiscard]] double value(const Cut& cut, const std::vector<double>& replication) const;
  std::size_t add(const LongestPath& path);
  /// Weights of the mix, ns.
  [[nodiscard]] std::vector<double> mixed() const;
  /// The cut of least value that has a share; `mean` is the value of the mix.
  std::size_t worst_cut(const std::vector<double>& replication, double& mean) const;
  /// Moves as much of a share as raises the bound.
  void move(std::size_t from, std::size_t to, std::vector<double>& weights, const Box& box);

  const Problem& problem_;
  const Paths& paths_;
  std::vector<Cut> cuts_;
  std::vector<std::vector<PathStep>> steps_;  // by cut
  std::vector<double> shares_;                // by cut, sum 1
};

}  // namespace pimbb::crossbar::assign
