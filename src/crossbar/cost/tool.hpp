// `ht-code` and `ll-code`: what the published tool of PIMCOMP computes as the fitness of a mapping.
//
// Both depend on the numbers of nodes and cores: on who transfers first, and on the core that is
// said to hold a consumer.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "pimbb/crossbar/mapping.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::crossbar::cost {

/// `ht-code`: two rounds of all cores, with a global memory that transfers one by one; the distance
/// of the rounds is that of all others. ns.
std::int64_t tool_throughput(const Architecture& architecture, const Partition& partition,
                             const Mapping& mapping);

/// The factor of `ll-code` that says how many rounds an inference takes, from paths as the tool
/// lists them, which are those of all mappings of a network.
class ToolRounds {
 public:
  /// The network has a latency (why_no_latency()). Keeps a reference.
  explicit ToolRounds(const Partition& partition);

  [[nodiscard]] Rational rounds(const std::vector<std::int64_t>& replication) const;
  /// The paths that count, as their Conv and Pool nodes, in the order in which they are looked at.
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& paths() const { return paths_; }
  /// The convolution whose windows are counted; nothing if no Conv reads only the input.
  [[nodiscard]] std::optional<std::size_t> first() const { return first_; }

 private:
  /// How much slower than the node before each node of a path is, but the first.
  using Slowdowns = std::vector<std::pair<std::int64_t, std::int64_t>>;  // as fractions
  /// `rate` is R' of every node, which the path may lower.
  [[nodiscard]] Slowdowns slowdowns(const std::vector<std::size_t>& path,
                                    std::vector<std::int64_t>& rate) const;
  [[nodiscard]] double about(const std::vector<std::size_t>& path, const Slowdowns& slower) const;
  [[nodiscard]] Rational bracket(const std::vector<std::size_t>& path,
                                 const Slowdowns& slower) const;

  const Partition& p_;
  std::vector<std::vector<std::size_t>> paths_;
  std::vector<Rational> waits_;  // by node
  std::vector<double> wait_;
  std::optional<std::size_t> first_;
};

/// The other factor: ns of one round, in which cores send what they computed over one bus.
std::int64_t tool_round(const Architecture& architecture, const Partition& partition,
                        const Mapping& mapping);

}  // namespace pimbb::crossbar::cost
