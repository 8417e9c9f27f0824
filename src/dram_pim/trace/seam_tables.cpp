// Maps behind locks, so that threads seldom wait for each other; tables are built outside of them.
#include "dram_pim/trace/seam_tables.hpp"

#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

std::shared_ptr<const rows::SeamTable> not_owned(const rows::SeamTable& table) {
  return {std::shared_ptr<const void>(), &table};
}

}  // namespace

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
    if (known != shard.tables.end()) return not_owned(known->second);
    shard.seen.insert(hash);
  }
  rows::SeamTable table = build();  // two threads may build the same
  {
    const std::lock_guard lock(shard.mutex);
    auto known = shard.tables.find(key);
    if (known == shard.tables.end() && keep(table.bytes() + key.size_bytes())) {
      known = shard.tables.try_emplace({key.begin(), key.end(), &shard.memory}, table).first;
    }
    if (known != shard.tables.end()) return not_owned(known->second);
  }
  return std::make_shared<const rows::SeamTable>(std::move(table));
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
