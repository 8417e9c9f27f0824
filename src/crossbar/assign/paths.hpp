// `ll` as a function of the replications: the greatest of many path values, each of the form
//
//     sum over k of a_k * max over j <= k of 1/R_j
//
// with a_k >= 0 that do not depend on the replications. For any choice of one j <= k for each k,
// the sum of a_k / R_j is a lower bound of `ll`, linear in 1/R: a cut. The cut of a longest path
// with the greatest terms is tight.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "crossbar/assign/problem.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::crossbar::assign {

/// A node of a path that counts, and the family whose rate it works at.
struct PathStep {
  std::size_t node;
  std::size_t family;
};

struct LongestPath {
  double value = 0;  ///< ns
  std::vector<PathStep> steps;
};

/// Weights by family, in units of 2^-kCutBits ns, rounded down.
struct Cut {
  std::vector<std::int64_t> weights;
  friend bool operator==(const Cut&, const Cut&) = default;
};
inline constexpr int kCutBits = 20;

class Paths {
 public:
  /// The network has a latency (cost::why_no_latency()).
  explicit Paths(const Problem& problem);

  /// For rates 1 / periods, by family.
  [[nodiscard]] LongestPath longest(const std::vector<double>& periods) const;
  /// Its value alone, in memory that is used again.
  class Memory;
  double length(const std::vector<double>& periods, Memory& memory) const;
  [[nodiscard]] Cut cut(const LongestPath& path) const;
  /// About in proportion to the weights of the cut.
  [[nodiscard]] std::vector<double> weights(const LongestPath& path) const;
  /// The greatest replications, by family, that are of use below these: a node works no faster than
  /// its fastest provider, and nodes on no path need one replica.
  [[nodiscard]] std::vector<std::int64_t> useful(const std::vector<std::int64_t>& most) const;

 private:
  double behind(std::size_t v, std::size_t family, const std::vector<double>& periods,
                Memory& known) const;
  /// Where the longest path begins, and its value.
  std::pair<std::size_t, double> longest_start(const std::vector<double>& periods,
                                               Memory& known) const;

  const Problem& problem_;
  std::vector<std::size_t> family_of_;  // by node, of Conv
  std::vector<bool> reached_;           // by node: on a path
  std::vector<bool> first_;             // by node: a Conv that begins paths
  std::vector<Rational> waits_;         // by node
  std::vector<double> wait_;
};

/// What is known behind each node at each rate, for one call at a time.
class Paths::Memory {
 private:
  friend class Paths;
  struct Best {
    double value = 0;
    std::size_t next = 0;     // consumer on the longest path
    std::uint64_t round = 0;  // of the call that computed it
  };
  std::vector<Best> best_;  // by node, then by family
  std::uint64_t round_ = 0;
};

}  // namespace pimbb::crossbar::assign
