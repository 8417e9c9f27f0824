// Random neighbours of a mapping, for local searches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "exact/splitmix64.hpp"
#include "pimbb/crossbar/mapping.hpp"

namespace pimbb::crossbar::schedule {

class Neighbours {
 public:
  Neighbours(const Architecture& architecture, const Partition& partition, std::uint64_t seed);

  /// A legal mapping that differs by one step, or nothing where the step drawn is not possible:
  ///   groups of a node move from one core to another;
  ///   groups of two nodes in two cores change places;
  ///   a node gets one more replica, and perhaps another one fewer.
  std::optional<Mapping> draw(const Mapping& from);

 private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(numbers_.below(count)); }
  [[nodiscard]] std::int64_t room(const Mapping& mapping, std::size_t core) const;
  /// A part of a share: all of it, a replica, or one group.
  std::int64_t amount(const Share& share);
  /// Whether the core has room for more groups, which it then gets.
  bool put(Mapping& mapping, std::size_t core, std::size_t array, std::int64_t groups) const;
  bool move(Mapping& mapping);
  bool exchange(Mapping& mapping);
  bool grow(Mapping& mapping);
  bool shrink(Mapping& mapping);

  const Architecture& a_;
  const Partition& p_;
  SplitMix64 numbers_;
  std::vector<std::size_t> replicable_;  // arrays that are not parts of wide nodes, with W > 1
};

}  // namespace pimbb::crossbar::schedule
