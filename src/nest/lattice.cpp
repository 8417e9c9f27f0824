// Building the lattice: divisors, the tiles that fit, and products of sub-lattices by id sums.
#include "nest/lattice.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

#include "exact/factors.hpp"
#include "nest/covers.hpp"
#include "pimbb/error.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::nest {
namespace {

constexpr std::uint64_t kMaxPoints = std::uint64_t{1} << 26;
constexpr std::size_t kBetweenChecks = 1024;  // tiles

std::uint16_t position(const std::vector<std::int64_t>& sorted, std::int64_t value) {
  return static_cast<std::uint16_t>(std::lower_bound(sorted.begin(), sorted.end(), value) -
                                    sorted.begin());
}

}  // namespace

struct Lattice::CoverLists {
  std::mutex making;
  std::unique_ptr<const Covers> made;
  std::atomic<const Covers*> ready = nullptr;
};

Lattice::Lattice(Lattice&& other) noexcept = default;
Lattice::~Lattice() = default;

Lattice::Lattice(const Workload& workload, const Fits& fits, const run::Guard& guard)
    : bounds_(workload.bounds), covers_below_(std::make_unique<CoverLists>()) {
  index_dimensions(workload);
  add_tiles(workload, fits, guard);
  guard.need(bytes());
  add_anchors(guard);
}

void Lattice::list_covers(const run::Guard& guard) const {
  const std::lock_guard lock(covers_below_->making);
  if (covers_below_->made) return;
  covers_below_->made = std::make_unique<const Covers>(*this, guard);
  covers_below_->ready = covers_below_->made.get();
}

const Covers* Lattice::listed_covers() const { return covers_below_->ready; }

/// Tiles that differ in the power of one prime only, from 0 to at most e, are without gaps: all but
/// the first cover another one. So of all tiles at most e / (e + 1) do.
std::uint64_t Lattice::most_covers(const Factors& bounds, std::uint64_t tiles) {
  std::uint64_t count = 0;
  for (const std::int64_t bound : bounds) {
    const std::vector<std::int64_t> primes = prime_factors_of(bound);
    for (std::size_t i = 0; i < primes.size();) {
      const std::uint64_t e = std::ranges::count(primes, primes[i]);
      count += (tiles * e + e) / (e + 1);
      i += e;
    }
  }
  return count;
}

std::uint64_t Lattice::bytes() const {
  const Covers* const covers = listed_covers();
  return bytes(index_of_.size(), tiles_.size()) + (covers == nullptr ? 0 : covers->bytes());
}

std::uint64_t Lattice::bytes(std::uint64_t vectors, std::uint64_t tiles) {
  constexpr std::uint64_t kGrown = 2;  // lists of tiles with an anchor have room for as many more
  return vectors * sizeof(TileIndex) +
         tiles * (sizeof(Tile) + kGrown * kTensors * sizeof(TileIndex));
}

void Lattice::index_dimensions(const Workload& workload) {
  std::uint64_t points = 1;
  PerTensor<std::uint32_t> anchors{1, 1, 1};
  for (const Dim j : kAllDims) {
    const std::size_t k = index(j);
    index_divisors(k, workload.bound(j));
    stride_[k] = static_cast<std::uint32_t>(points);
    points *= divisors_[k].size();
    if (const auto t = irrelevant_tensor(j)) {
      std::uint32_t& radix = anchors[index(*t)];
      anchor_stride_[k] = radix;
      radix = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(kMaxPoints, std::uint64_t{radix} * divisors_[k].size()));
    }
    if (points > kMaxPoints) {
      throw LimitError("layer '" + workload.name + "': its bounds have more than " +
                       std::to_string(kMaxPoints) + " divisor vectors; allowed are fewer");
    }
  }
  index_of_.assign(points, kNoTile);
  for (const Tensor t : kAllTensors) outer_[index(t)].resize(anchors[index(t)]);
}

void Lattice::index_divisors(std::size_t k, std::int64_t bound) {
  divisors_[k] = divisors_of(bound);
  for (const std::int64_t d : divisors_[k]) {
    loops_[k].push_back(bound / d);
    for (const std::int64_t inner : divisors_[k]) divides_[k].push_back(d % inner == 0 ? 1 : 0);
    std::vector<std::uint16_t> below;
    for (std::size_t a = 0; a < divisors_[k].size() && divisors_[k][a] <= d; ++a) {
      if (d % divisors_[k][a] == 0) below.push_back(static_cast<std::uint16_t>(a));
    }
    std::vector<std::uint16_t> covers;
    for (const std::uint16_t a : below) {
      if (is_prime(d / divisors_[k][a])) covers.push_back(a);
    }
    below_[k].push_back(std::move(below));
    covers_[k].push_back(std::move(covers));
  }
}

Tile Lattice::make_tile(const Workload& workload, const Factors& c) const {
  Tile tile{};
  tile.c = c;
  tile.relevant_loops = tile.irrelevant_loops = {1, 1, 1};
  for (const Dim j : kAllDims) {
    const std::size_t k = index(j);
    tile.at[k] = position(divisors_[k], c[k]);
    tile.id += stride_[k] * tile.at[k];
    if (const auto t = irrelevant_tensor(j)) {
      tile.anchor[index(*t)] += anchor_stride_[k] * tile.at[k];
    }
    for (const Tensor t : kAllTensors) {
      auto& loops = relevant(t, j) ? tile.relevant_loops : tile.irrelevant_loops;
      loops[index(t)] *= loops_[k][tile.at[k]];
    }
  }
  for (const Tensor t : kAllTensors) {
    tile.elements[index(t)] = workload.tile_elements(t, c);
    tile.sweep[index(t)] = tile.elements[index(t)] * tile.relevant_loops[index(t)];
  }
  return tile;
}

TileParts::TileParts(const Divisors& divisors, const Fits& fits)
    : divisors_(divisors), fits_(fits) {
  constexpr std::size_t kMany = 64;
  std::size_t parts = 1;
  while (decided_ < kDims && parts < kMany) parts *= divisors[decided_++].size();
  Factors c = kOnes;
  if (!fits(c)) return;
  extend(c, 0, decided_, [&](const Factors& first) { first_factors_.push_back(first); });
}

/// Tiles grow with every factor, so a factor that does not fit ends its dimension.
template <class Visit>
void TileParts::extend(Factors& c, std::size_t from, std::size_t to, const Visit& visit) const {
  if (from == to) return visit(c);
  for (const std::int64_t d : divisors_[from]) {
    c[from] = d;
    if (!fits_(c)) break;
    extend(c, from + 1, to, visit);
  }
  c[from] = 1;
}

void TileParts::for_each(std::size_t part, const std::function<void(const Factors&)>& visit) const {
  Factors c = first_factors_[part];
  extend(c, decided_, kDims, visit);
}

/// The tiles of each part are counted first, so that all have their places. They are listed again
/// when these are known, unless they are few, which are kept.
void Lattice::add_tiles(const Workload& workload, const Fits& fits, const run::Guard& guard) {
  constexpr std::size_t kMany = std::size_t{1} << 17;
  const bool few = index_of_.size() < kMany;
  const TileParts parts(divisors_, fits);
  std::vector<std::vector<Factors>> kept(parts.size());
  std::vector<TileIndex>& places = part_begins_;
  places.assign(parts.size() + 1, 0);
  part_dims_ = parts.dims();
  run::parallel_for(parts.size(), [&](std::size_t part) {
    run::GuardedSteps step(guard, kBetweenChecks);
    TileIndex count = 0;  // on this thread, as its neighbours are other threads'
    std::vector<Factors> found;
    parts.for_each(part, [&](const Factors& c) {
      step();
      ++count;
      if (few) found.push_back(c);
    });
    places[part + 1] = count;
    kept[part] = std::move(found);
  });
  std::partial_sum(places.begin(), places.end(), places.begin());
  guard.need(bytes(index_of_.size(), places.back() + 1));
  tiles_.resize(places.back() + 1);
  run::parallel_for(parts.size(), [&](std::size_t part) {
    run::GuardedSteps step(guard, kBetweenChecks);
    std::size_t place = places[part];
    const auto add = [&](const Factors& c) {
      step();
      tiles_[place] = make_tile(workload, c);
      index_of_[tiles_[place].id] = static_cast<TileIndex>(place);
      ++place;
    };
    if (few) {
      std::ranges::for_each(kept[part], add);
    } else {
      parts.for_each(part, add);
    }
  });
  tiles_.back() = make_tile(workload, workload.bounds);
}

void Lattice::add_anchors(const run::Guard& guard) {
  run::parallel_for(kTensors, [&](std::size_t number) {
    run::GuardedSteps step(guard);
    const Tensor t = kAllTensors[number];
    auto& outer = outer_[index(t)];
    std::fill(outer.begin(), outer.end(), 1);
    for (std::size_t a = 0; a < outer.size(); ++a) {
      step();
      for (const Dim j : kAllDims) {
        if (relevant(t, j)) continue;
        const std::size_t k = index(j);
        outer[a] *= bounds_[k] / divisors_[k][anchor_digit(k, static_cast<std::uint32_t>(a))];
      }
    }
    by_anchor_[index(t)].resize(outer.size());
    for (TileIndex i = 0; i < size(); ++i) {
      step();
      by_anchor_[index(t)][tiles_[i].anchor[index(t)]].push_back(i);
    }
  });
}

void Lattice::anchors_inside(Tensor t, std::uint32_t anchor,
                             std::vector<std::uint32_t>& out) const {
  out.assign(1, 0);
  for (std::size_t k = 0; k < kDims; ++k) {
    if ((irrelevant_mask(t) >> k & 1U) == 0) continue;
    const std::size_t count = out.size();
    for (const std::uint16_t a : below_[k][anchor_digit(k, anchor)]) {
      if (a == 0) continue;
      for (std::size_t i = 0; i < count; ++i) out.push_back(out[i] + anchor_stride_[k] * a);
    }
  }
}

void Lattice::anchor_drops(Tensor t, std::uint32_t anchor, std::vector<std::uint32_t>& out) const {
  out.clear();
  for (std::size_t k = 0; k < kDims; ++k) {
    if ((irrelevant_mask(t) >> k & 1U) == 0) continue;
    const auto digit = static_cast<std::uint32_t>(anchor_digit(k, anchor));
    for (const std::uint16_t a : covers_[k][digit]) out.push_back(stride_[k] * (digit - a));
  }
}

std::uint32_t Lattice::anchor_id(Tensor t, std::uint32_t anchor) const {
  std::uint32_t id = 0;
  for (std::size_t k = 0; k < kDims; ++k) {
    if ((irrelevant_mask(t) >> k & 1U) == 0) continue;
    id += stride_[k] * static_cast<std::uint32_t>(anchor_digit(k, anchor));
  }
  return id;
}

TileIndex Lattice::find(const Factors& c) const {
  std::uint32_t id = 0;
  for (std::size_t k = 0; k < kDims; ++k) id += stride_[k] * position(divisors_[k], c[k]);
  return index_of_[id];
}

std::uint32_t Lattice::anchor_of(Tensor t, const Factors& c) const {
  std::uint32_t anchor = 0;
  for (const Dim j : kAllDims) {
    const std::size_t k = index(j);
    if (!relevant(t, j)) anchor += anchor_stride_[k] * position(divisors_[k], c[k]);
  }
  return anchor;
}

void Lattice::list_divisors(const Tile& tile, DimMask dims, TileIndex* out) const {
  out[0] = tile.id;
  std::size_t count = 1;
  for (std::size_t k = 0; k < kDims; ++k) {
    const auto& below = below_[k][tile.at[k]];
    if (below.size() == 1 || (dims >> k & 1U) == 0) continue;
    TileIndex* next = out + count;
    for (std::size_t a = 0; a + 1 < below.size(); ++a) {
      const std::uint32_t drop = stride_[k] * (tile.at[k] - below[a]);
      for (std::size_t i = 0; i < count; ++i) *next++ = out[i] - drop;
    }
    count *= below.size();
  }
  for (std::size_t i = 0; i < count; ++i) out[i] = index_of_[out[i]];
}

std::size_t Lattice::divisor_count(const Tile& tile, DimMask dims) const {
  std::size_t count = 1;
  for (std::size_t k = 0; k < kDims; ++k) {
    if ((dims >> k & 1U) != 0) count *= below_[k][tile.at[k]].size();
  }
  return count;
}

DimMask Lattice::step_mask(const Tile& outer, const Tile& inner) {
  unsigned mask = 0;
  for (std::size_t k = 0; k < kDims; ++k) mask |= (outer.at[k] != inner.at[k] ? 1U : 0U) << k;
  return static_cast<DimMask>(mask);
}

}  // namespace pimbb::nest
