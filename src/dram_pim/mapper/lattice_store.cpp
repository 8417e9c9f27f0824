// Lattices by key.
#include "dram_pim/mapper/lattice_store.hpp"

namespace pimbb::dram_pim::mapper {

/// Made without the lock: two threads may make one at the same time, and the first is kept.
std::shared_ptr<const Lattice> LatticeStore::get(const Architecture& a, const Workload& w,
                                                 const run::Guard& guard) {
  const Key key{w.bounds, {w.stride_w, w.stride_h, w.dilation_w, w.dilation_h}};
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
  }
  auto made = std::make_shared<const Lattice>(row_buffer_lattice(a, w, guard));
  const std::scoped_lock lock(mutex_);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  if (made->bytes() > room_ - bytes_) return made;
  bytes_ += made->bytes();
  known_.emplace(key, made);
  return made;
}

std::uint64_t LatticeStore::bytes() const {
  const std::scoped_lock lock(mutex_);
  return bytes_;
}

}  // namespace pimbb::dram_pim::mapper
