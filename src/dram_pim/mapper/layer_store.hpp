// What is made again and again where layers are searched again and again, under other layouts or
// for other goals, though it depends on the architecture and the bounds of a layer alone: it may
// take as long as a search.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "dram_pim/mapper/tiles.hpp"

namespace pimbb::dram_pim::mapper {

class InsideFloors;

/// Of one architecture, in searches without constraints. From any thread. Of what two threads make
/// at the same time the first is kept; what has no room is made each time.
class LayerStore {
 public:
  /// What tells layers apart: bounds; strides and dilations, which say how large an input tile is.
  using Key = std::pair<Factors, std::array<std::int64_t, 4>>;
  static Key key(const Workload& workload);

  /// Keeps no more than `room` bytes.
  explicit LayerStore(std::uint64_t room) : room_(room) {}

  /// row_buffer_lattice() of a layer. Throws what `guard` throws.
  std::shared_ptr<const Lattice> lattice(const Architecture& architecture, const Workload& workload,
                                         const run::Guard& guard);

  /// The floors of a layer's tiles in so many levels, which store these tensors.
  struct Inside {
    std::vector<TensorFlags> stores;
    std::size_t levels;
    auto operator<=>(const Inside&) const = default;
  };
  /// What `make` returns, which has this number of bytes.
  std::shared_ptr<const InsideFloors> inside(
      const Workload& workload, const Inside& of, std::uint64_t bytes,
      const std::function<std::shared_ptr<const InsideFloors>()>& make);

  [[nodiscard]] std::uint64_t bytes() const;

 private:
  template <class Known, class KeyOf, class Make>
  typename Known::mapped_type get(Known& known, const KeyOf& key, const Make& make);

  std::uint64_t room_;
  mutable std::mutex mutex_;
  std::map<Key, std::shared_ptr<const Lattice>> lattices_;
  std::map<std::pair<Key, Inside>, std::shared_ptr<const InsideFloors>> inside_;
  std::uint64_t bytes_ = 0;
};

}  // namespace pimbb::dram_pim::mapper
