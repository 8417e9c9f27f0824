// The lattices of layers that are solved again and again: a lattice depends on the architecture and
// the bounds of a layer alone, and making it may take as long as a search.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "dram_pim/mapper/tiles.hpp"

namespace pimbb::dram_pim::mapper {

class LatticeStore {
 public:
  /// Keeps lattices of one architecture as long as they take no more than `room` bytes together.
  explicit LatticeStore(std::uint64_t room) : room_(room) {}

  /// row_buffer_lattice() of a layer, made now if it is not known. From any thread; throws what
  /// `guard` throws.
  std::shared_ptr<const Lattice> get(const Architecture& architecture, const Workload& workload,
                                     const run::Guard& guard);
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  /// Bounds; strides and dilations, which say how large an input tile is.
  using Key = std::pair<Factors, std::array<std::int64_t, 4>>;

  std::uint64_t room_;
  mutable std::mutex mutex_;
  std::map<Key, std::shared_ptr<const Lattice>> known_;
  std::uint64_t bytes_ = 0;
};

}  // namespace pimbb::dram_pim::mapper
