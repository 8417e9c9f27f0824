// Maps behind locks, so that threads seldom wait for each other; tables are built outside of them.
#include "dram_pim/trace/seam_tables.hpp"

#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {

std::size_t SeamTables::Hash::operator()(Key key) const {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const std::int64_t part : key) {
    hash = (hash ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32;
  }
  return hash;
}

SeamTables::~SeamTables() {
  run::parallel_for(kShards, [this](std::size_t k) { shards_[k].tables.clear(); });
}

std::shared_ptr<const rows::SeamTable> SeamTables::get(Key key, const Build& build) {
  const std::size_t hash = Hash()(key);
  ++lookups_;
  Shard& shard = shards_[hash >> 32 & (kShards - 1)];
  {
    const std::lock_guard lock(shard.mutex);
    const auto known = shard.tables.find(key);
    if (known != shard.tables.end()) return known->second;
    shard.seen.insert(hash);
  }
  auto table = build();  // two threads may build the same
  const std::uint64_t bytes = table->bytes() + key.size_bytes();
  const std::lock_guard lock(shard.mutex);
  if (!shard.tables.contains(key) && keep(bytes)) {
    shard.tables.try_emplace({key.begin(), key.end()}, table);
  }
  return table;
}

/// Whether there is room for this table, too.
bool SeamTables::keep(std::uint64_t bytes) {
  std::uint64_t before = bytes_;
  while (before + bytes <= room_) {
    if (bytes_.compare_exchange_weak(before, before + bytes)) return true;
  }
  return false;
}

std::uint64_t SeamTables::distinct() const {
  std::uint64_t sum = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    sum += shard.seen.size();
  }
  return sum;
}

}  // namespace pimbb::dram_pim::mapper
