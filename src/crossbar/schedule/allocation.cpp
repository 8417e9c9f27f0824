// First fit in different orders. An order by offsets finds the least height: then every block ends
// up where it is in a best allocation, or below.
#include "crossbar/schedule/allocation.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace pimbb::crossbar::schedule {
namespace {

constexpr std::size_t kBlocksToBranch = 64;  // of a group; more are left to first fit
constexpr std::int64_t kNodesToBranch = 20000;

struct Placed {
  Block block;
  std::int64_t offset = 0;
  [[nodiscard]] std::int64_t top() const { return offset + block.bytes; }
};

bool meet(const Block& a, const Block& b) { return a.from < b.to && b.from < a.to; }

/// Blocks by birth; each takes the lowest room among those alive, which are kept by offset.
std::int64_t height_by_birth(const std::vector<Block>& blocks) {
  std::map<std::int64_t, Block> alive;             // by offset
  std::multimap<std::int64_t, std::int64_t> ends;  // death, offset
  std::int64_t height = 0;
  for (const Block& block : blocks) {
    while (!ends.empty() && ends.begin()->first <= block.from) {
      alive.erase(ends.begin()->second);
      ends.erase(ends.begin());
    }
    std::int64_t offset = 0;
    for (const auto& [at, other] : alive) {
      if (offset + block.bytes <= at) break;
      offset = at + other.bytes;
    }
    alive.emplace(offset, block);
    ends.emplace(block.to, offset);
    height = std::max(height, offset + block.bytes);
  }
  return height;
}

/// Placed blocks by slices of time.
class Shelf {
 public:
  Shelf(const std::vector<Block>& blocks, std::int64_t from, std::int64_t to)
      : from_(from), width_((to - from) / static_cast<std::int64_t>(blocks.size() / 8 + 1) + 1) {
    slices_.resize(slice(to) + 1);
  }

  /// The lowest offset where the block fits.
  [[nodiscard]] std::int64_t lowest(const Block& block) {
    met_.clear();
    for (std::size_t s = slice(block.from); s <= slice(block.to - 1); ++s) {
      for (const Placed& other : slices_[s]) {
        if (meet(other.block, block)) met_.emplace_back(other.offset, other.top());
      }
    }
    std::ranges::sort(met_);
    std::int64_t offset = 0;
    for (const auto& [begin, end] : met_) {
      if (offset + block.bytes <= begin) break;
      offset = std::max(offset, end);
    }
    return offset;
  }

  void place(const Placed& placed) {
    for (std::size_t s = slice(placed.block.from); s <= slice(placed.block.to - 1); ++s) {
      slices_[s].push_back(placed);
    }
  }

 private:
  [[nodiscard]] std::size_t slice(std::int64_t time) const {
    return static_cast<std::size_t>((time - from_) / width_);
  }

  std::int64_t from_;
  std::int64_t width_;
  std::vector<std::vector<Placed>> slices_;
  std::vector<std::pair<std::int64_t, std::int64_t>> met_;
};

std::int64_t height_by_size(const std::vector<Block>& by_birth, const run::Guard& guard) {
  std::vector<Block> blocks = by_birth;
  std::ranges::stable_sort(blocks, std::greater<>{}, &Block::bytes);
  std::int64_t last = 0;
  for (const Block& block : blocks) last = std::max(last, block.to);
  Shelf shelf(blocks, by_birth.front().from, last);
  run::GuardedSteps steps(guard);
  std::int64_t height = 0;
  for (const Block& block : blocks) {
    const Placed placed{block, shelf.lowest(block)};
    shelf.place(placed);
    height = std::max(height, placed.top());
    steps();
  }
  return height;
}

/// All orders by offsets, as long as the effort lasts.
class OrderSearch {
 public:
  OrderSearch(std::vector<Block> blocks, std::int64_t least, std::int64_t height)
      : blocks_(std::move(blocks)), least_(least), height_(height) {
    std::ranges::stable_sort(blocks_, std::greater<>{}, &Block::bytes);
    used_.assign(blocks_.size(), false);
  }

  Heights run() && {
    extend(0);
    return {height_, nodes_ < kNodesToBranch ? height_ : least_};
  }

 private:
  /// The lowest offset, not below the last one, where the block fits: above all that it meets.
  [[nodiscard]] std::int64_t lowest(const Block& block) const {
    std::int64_t offset = placed_.empty() ? 0 : placed_.back().offset;
    for (const Placed& other : placed_) {
      if (meet(other.block, block)) offset = std::max(offset, other.top());
    }
    return offset;
  }

  void extend(std::int64_t top) {
    if (placed_.size() == blocks_.size()) height_ = std::min(height_, top);
    const Block* tried = nullptr;
    for (std::size_t i = 0; i < blocks_.size() && height_ > least_; ++i) {
      const Block& block = blocks_[i];
      if (used_[i] || (tried != nullptr && equal(*tried, block))) continue;
      if (++nodes_ >= kNodesToBranch) return;
      tried = &block;
      const Placed next{block, lowest(block)};
      if (next.top() >= height_) continue;
      used_[i] = true;
      placed_.push_back(next);
      extend(std::max(top, next.top()));
      placed_.pop_back();
      used_[i] = false;
    }
  }

  static bool equal(const Block& a, const Block& b) {
    return std::tie(a.from, a.to, a.bytes) == std::tie(b.from, b.to, b.bytes);
  }

  std::vector<Block> blocks_;
  std::int64_t least_;
  std::int64_t height_;
  std::int64_t nodes_ = 0;
  std::vector<Placed> placed_;  // by offset
  std::vector<bool> used_;
};

/// Blocks of which none is alive with one of another group.
std::vector<std::vector<Block>> groups(const std::vector<Block>& by_birth) {
  std::vector<std::vector<Block>> all;
  std::int64_t end = 0;
  for (const Block& block : by_birth) {
    if (all.empty() || block.from >= end) all.emplace_back();
    all.back().push_back(block);
    end = std::max(end, block.to);
  }
  return all;
}

Heights allocate_group(const std::vector<Block>& by_birth, std::int64_t allowed,
                       const run::Guard& guard) {
  Heights result{height_by_birth(by_birth), most_alive(by_birth)};
  if (result.height <= std::max(result.least, allowed)) return result;
  result.height = std::min(result.height, height_by_size(by_birth, guard));
  if (result.height <= std::max(result.least, allowed)) return result;
  if (by_birth.size() > kBlocksToBranch) return result;
  return OrderSearch(by_birth, result.least, result.height).run();
}

}  // namespace

Heights allocate(std::vector<Block> blocks, const run::Guard& guard) {
  std::ranges::sort(blocks, {}, [](const Block& b) { return std::tuple(b.from, b.to, b.bytes); });
  Heights all{0, most_alive(blocks)};
  const auto other = [&](const Block& b) { return b.bytes != blocks.front().bytes; };
  if (std::ranges::none_of(blocks, other)) return {all.least, all.least};
  const std::int64_t needed = all.least;
  for (const std::vector<Block>& group : groups(blocks)) {
    const Heights one = allocate_group(group, needed, guard);
    all.height = std::max(all.height, one.height);
    all.least = std::max(all.least, one.least);
  }
  return all;
}

}  // namespace pimbb::crossbar::schedule
