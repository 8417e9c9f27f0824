// One map behind one lock; tables are built outside of it.
#include "dram_pim/trace/seam_tables.hpp"

namespace pimbb::dram_pim::mapper {

std::size_t SeamTables::Hash::operator()(const Key& key) const {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const std::int64_t part : key) {
    hash = (hash ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32;
  }
  return hash;
}

std::shared_ptr<const rows::SeamTable> SeamTables::get(const Key& key, const Build& build) {
  {
    const std::lock_guard lock(mutex_);
    ++lookups_;
    const auto known = tables_.find(key);
    if (known != tables_.end()) return known->second;
    seen_.insert(Hash()(key));
  }
  auto table = build();  // two threads may build the same
  const std::uint64_t bytes = table->bytes() + key.size() * sizeof(key[0]);
  const std::lock_guard lock(mutex_);
  if (bytes_ + bytes <= room_ && tables_.emplace(key, table).second) bytes_ += bytes;
  return table;
}

}  // namespace pimbb::dram_pim::mapper
