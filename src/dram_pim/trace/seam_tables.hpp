// A cache of the seam tables of a layer.
//
// A seam table depends only on the tensor, its layout and the relevant factors of the tiles. Chains
// that differ only in loops irrelevant to a tensor share its table, and so do all loop classes of
// one chain. Tables are kept as long as there is room.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dram_pim/rows/seam_table.hpp"

namespace pimbb::dram_pim::mapper {

class SeamTables {
 public:
  using Key = std::span<const std::int64_t>;
  using Build = std::function<rows::SeamTable()>;

  /// `room`: the most bytes that the tables may take.
  explicit SeamTables(std::uint64_t room) : room_(room) {}
  SeamTables(const SeamTables&) = delete;
  SeamTables& operator=(const SeamTables&) = delete;
  ~SeamTables();  ///< on all threads: there may be very many tables

  /// To be used as long as this cache is there. Thread-safe.
  std::shared_ptr<const rows::SeamTable> get(Key key, const Build& build);

  /// The number of requests, and the number of different tables requested: the same for any number
  /// of threads.
  [[nodiscard]] std::uint64_t lookups() const { return lookups_; }
  [[nodiscard]] std::uint64_t distinct() const;
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(Key key) const;
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(Key a, Key b) const { return std::ranges::equal(a, b); }
  };
  /// The tables whose keys have some hashes, behind a lock of their own. Threads that gave back
  /// each other's memory piece by piece would wait for each other.
  struct alignas(64) Shard {
    mutable std::mutex mutex;
    std::pmr::monotonic_buffer_resource memory;
    std::pmr::unordered_map<std::pmr::vector<std::int64_t>, rows::SeamTable, Hash, Equal> tables{
        &memory};
    std::pmr::unordered_set<std::size_t> seen{&memory};  // hashes of all keys, kept or not
  };
  static constexpr std::size_t kShards = 64;

  [[nodiscard]] bool keep(std::uint64_t bytes);

  std::array<Shard, kShards> shards_;
  std::atomic<std::uint64_t> lookups_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::uint64_t room_;
};

}  // namespace pimbb::dram_pim::mapper
