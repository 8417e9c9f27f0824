// Parts of searches by key.
#include "dram_pim/mapper/layer_store.hpp"

namespace pimbb::dram_pim::mapper {

LayerStore::Key LayerStore::key(const Workload& w) {
  return {w.bounds, {w.stride_w, w.stride_h, w.dilation_w, w.dilation_h}};
}

/// Makes it, and tells its bytes, without the lock.
template <class Known, class KeyOf, class Make>
typename Known::mapped_type LayerStore::get(Known& known, const KeyOf& key, const Make& make) {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto place = known.find(key); place != known.end()) return place->second;
  }
  const auto [made, bytes] = make();
  const std::scoped_lock lock(mutex_);
  if (const auto place = known.find(key); place != known.end()) return place->second;
  if (bytes > room_ - bytes_) return made;
  known.emplace(key, made);
  bytes_ += bytes;
  return made;
}

std::shared_ptr<const Lattice> LayerStore::lattice(const Architecture& a, const Workload& w,
                                                   const run::Guard& guard) {
  return get(lattices_, key(w), [&] {
    auto made = std::make_shared<const Lattice>(row_buffer_lattice(a, w, guard));
    const std::uint64_t bytes = made->bytes();
    return std::pair{std::move(made), bytes};
  });
}

std::shared_ptr<const InsideFloors> LayerStore::inside(
    const Workload& workload, const Inside& of, std::uint64_t bytes,
    const std::function<std::shared_ptr<const InsideFloors>()>& make) {
  return get(inside_, std::pair{key(workload), of}, [&] { return std::pair{make(), bytes}; });
}

std::uint64_t LayerStore::bytes() const {
  const std::scoped_lock lock(mutex_);
  return bytes_;
}

}  // namespace pimbb::dram_pim::mapper
