// A mapping that array groups are put into and taken from, with the room that is left in each core.
#pragma once

#include <cstdint>
#include <vector>

#include "pimbb/crossbar/mapping.hpp"

namespace pimbb::crossbar::partition {

class Filling {
 public:
  /// Empty cores; no replicas. Keeps references.
  Filling(const Architecture& architecture, const Partition& partition);
  /// The same of a mapping.
  Filling(const Architecture& architecture, const Partition& partition, Mapping mapping);

  /// Array groups of the node that the core has room for.
  [[nodiscard]] std::int64_t room(std::size_t core, std::size_t array) const;
  /// At most room() of them.
  void put(std::size_t core, std::size_t array, std::int64_t groups);
  /// At most held() of them.
  void take(std::size_t core, std::size_t array, std::int64_t groups);
  [[nodiscard]] std::int64_t held(std::size_t core, std::size_t array) const;

  /// Crossbars that the core has left.
  [[nodiscard]] std::int64_t free(std::size_t core) const { return free_[core]; }

  /// Puts array groups into the first cores that have room; returns how many found none.
  std::int64_t put_first_fit(std::size_t array, std::int64_t groups);

  [[nodiscard]] const Mapping& mapping() const { return mapping_; }
  std::int64_t& replication(std::size_t array) { return mapping_.replication[array]; }

 private:
  const Architecture& a_;
  const Partition& p_;
  Mapping mapping_;
  std::vector<std::int64_t> free_;  // crossbars, by core
};

}  // namespace pimbb::crossbar::partition
