// Collecting the fills of every tile and keeping the undominated ones.
#include "dram_pim/storage/fill_points.hpp"

#include <algorithm>

#include "dram_pim/mapper/costs.hpp"
#include "exact/factors.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

/// A vector of costs, all of them better if smaller.
template <std::size_t N>
using Vector = std::array<Int128, N>;

template <std::size_t N>
bool no_worse(const Vector<N>& a, const Vector<N>& b) {
  for (std::size_t k = 0; k < N; ++k) {
    if (a[k] > b[k]) return false;
  }
  return true;
}

template <std::size_t N>
std::vector<Vector<N>> undominated(std::vector<Vector<N>> all, const run::Guard& guard) {
  run::GuardedSteps step(guard);
  std::sort(all.begin(), all.end(), [&](const Vector<N>& a, const Vector<N>& b) {
    step();
    return a < b;
  });
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<Vector<N>> kept;  // in lexicographic order nothing dominates what came before
  for (const Vector<N>& candidate : all) {
    step(1 + kept.size());
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const Vector<N>& other) { return no_worse(other, candidate); })) {
      kept.push_back(candidate);
    }
  }
  return kept;
}

/// The same with no more than kMost vectors: rounded down to ever fewer bits until they are few.
/// A vector that is rounded down is a weaker statement, so a bound from it stays one.
template <std::size_t N>
std::vector<Vector<N>> few_undominated(std::vector<Vector<N>> all, const run::Guard& guard) {
  constexpr std::size_t kMost = 64;
  std::vector<Vector<N>> kept = undominated(std::move(all), guard);
  for (int bits = 10; kept.size() > kMost && bits > 0; --bits) {
    for (Vector<N>& v : kept) {
      for (Int128& x : v) {
        int drop = 0;
        while ((x >> drop) >= (Int128{1} << bits)) ++drop;
        x = x >> drop << drop;
      }
    }
    kept = undominated(std::move(kept), guard);
  }
  return kept;
}

/// The least (tiles * extent) of a finer tiling over that of a coarser one, along one axis: `n`
/// outputs, `m` kernel taps.
template <class Extent>
FillPoints::Fraction least_ratio(std::int64_t n, std::int64_t m, const Extent& extent) {
  struct Cut {
    std::int64_t p, r, swept;
  };
  std::vector<Cut> cuts;
  for (const std::int64_t p : divisors_of(n)) {
    for (const std::int64_t r : divisors_of(m)) {
      cuts.push_back({p, r, (n / p) * (m / r) * extent(p, r)});
    }
  }
  FillPoints::Fraction least;
  for (const Cut& fine : cuts) {
    for (const Cut& coarse : cuts) {
      if (coarse.p % fine.p != 0 || coarse.r % fine.r != 0) continue;
      if (static_cast<Int128>(fine.swept) * least.den <
          static_cast<Int128>(coarse.swept) * least.num) {
        least = {fine.swept, coarse.swept};
      }
    }
  }
  return least;
}

}  // namespace

FillPoints::FillPoints(const Instance& instance, run::Guard guard)
    : instance_(instance), guard_(std::move(guard)) {
  const Workload& w = instance.workload;
  most_fills_ =
      static_cast<Int128>(w.macs()) * (w.stride_w + w.dilation_w) * (w.stride_h + w.dilation_h);
  const Lattice& lattice = instance.lattice;
  least_sweep_ = lattice[0].sweep[index(Tensor::input)];
  for (TileIndex i = 0; i < lattice.size(); ++i) {
    least_sweep_ =
        std::min(least_sweep_, static_cast<Int128>(lattice[i].sweep[index(Tensor::input)]));
  }
  find_shrink();
  unrollings_ = unrollings(instance, guard_);
  const TensorFlags all{true, true, true};
  const std::size_t rb = instance.architecture.row_buffer();
  prepare_points(rb, all);
  least_activations_ = kInfinity;
  for (const Tensor s : kAllTensors) {
    for (const FillPoint& p : at(rb, all, {s, false, true})) {
      least_activations_ = std::min(least_activations_, p.rows[0] + p.rows[1] + p.rows[2]);
    }
  }
}

void FillPoints::find_shrink() {
  const Workload& w = instance_.workload;
  const Fraction x = least_ratio(w.bound(Dim::P), w.bound(Dim::R),
                                 [&](auto p, auto r) { return w.extent_w(p, r); });
  const Fraction y = least_ratio(w.bound(Dim::Q), w.bound(Dim::S),
                                 [&](auto q, auto s) { return w.extent_h(q, s); });
  // A product of two ratios of integers below 2^53, rounded down to a multiple of 2^-16.
  constexpr std::int64_t kUnit = 1 << 16;
  const auto down = [](const Fraction& f, std::int64_t times) {
    return static_cast<std::int64_t>(static_cast<Int128>(f.num) * times / f.den);
  };
  const std::int64_t num = down(y, down(x, kUnit));
  if (num < kUnit) shrink_ = {num, kUnit};
}

void FillPoints::prepare_points(std::size_t level, const TensorFlags& stored) {
  if (!known_.contains({level, stored})) find_points(level, stored);
}

void FillPoints::prepare_points(const PartialStorage& storage) {
  for (std::size_t m = 0; m <= instance_.architecture.row_buffer(); ++m) {
    prepare_points(m, decided(storage[m]));
  }
}

void FillPoints::prepare(const PartialStorage& storage) {
  for (std::size_t m = 0; m <= instance_.architecture.row_buffer(); ++m) {
    const Key key{m, decided(storage[m])};
    if (!fitting_.contains(key)) find_fitting(key.first, key.second);
  }
  Unrollings which = fitting(storage);
  if (leaves_.contains(which)) return;
  std::vector<LeafPoint> leaves = leaves_of(which);
  leaves_.emplace(std::move(which), std::move(leaves));
}

void FillPoints::find_fitting(std::size_t level, const TensorFlags& stored) {
  const Lattice& lattice = instance_.lattice;
  const Storage storage = storing_at(instance_, level, stored);
  Unrollings which(unrollings_.size());
  for (std::size_t k = 0; k < unrollings_.size(); ++k) {
    const Unrolling& u = unrollings_[k];
    which[k] =
        level > 0 ? storage.fits(level, lattice[u.tile]) : storage.fits_pe(lattice[u.inside].c);
  }
  fitting_.insert_or_assign(Key{level, stored}, std::move(which));
}

FillPoints::Unrollings FillPoints::fitting(const PartialStorage& storage) const {
  Unrollings which(unrollings_.size());
  which.set();
  for (std::size_t m = 0; m <= instance_.architecture.row_buffer(); ++m) {
    which &= fitting_.at({m, decided(storage[m])});
  }
  return which;
}

std::vector<LeafPoint> FillPoints::leaves_of(const Unrollings& which) const {
  using Flat = Vector<1 + 3 * kTensors>;
  std::vector<Flat> all;
  for (auto k = which.find_first(); k != Unrollings::npos; k = which.find_next(k)) {
    const Unrolling& u = unrollings_[k];
    Flat& flat = all.emplace_back();
    flat[0] = u.compute;
    for (std::size_t t = 0; t < kTensors; ++t) {
      flat[1 + t] = std::min(u.fed[t], u.fed_from_rows[t]);  // from whichever level it comes
      flat[4 + t] = u.read[t];
      flat[7 + t] = u.pe_cycles[t];
    }
  }
  std::vector<LeafPoint> leaves;
  for (const Flat& f : few_undominated(std::move(all), guard_)) {
    leaves.push_back({f[0], {f[1], f[2], f[3]}, {f[4], f[5], f[6]}, {f[7], f[8], f[9]}});
  }
  return leaves;
}

const std::vector<LeafPoint>& FillPoints::leaves(const PartialStorage& storage) const {
  return leaves_.at(fitting(storage));
}

/// Tiles that a level can hold together with the tensors `stored`; the spatial unrolling is free.
std::vector<TileIndex> FillPoints::tiles(std::size_t level, const TensorFlags& stored) const {
  const Lattice& lattice = instance_.lattice;
  const Storage storage = storing_at(instance_, level, stored);
  const auto share_fits = [&](const Tile& tile) {
    const auto& arrays = instance_.vectors.array();
    return std::any_of(arrays.rbegin(), arrays.rend(), [&](const SpatialVectors::Vector& v) {
      Factors share = tile.c;
      for (std::size_t j = 0; j < kDims; ++j) {
        if (share[j] % lattice[v.tile].c[j] != 0) return false;
        share[j] /= lattice[v.tile].c[j];
      }
      return storage.fits_pe(share);
    });
  };
  std::vector<char> fits(lattice.size());
  constexpr std::size_t kChunk = 64;
  run::for_each_chunk(lattice.size(), kChunk, [&](const run::Chunk& chunk) {
    guard_.check();
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      const Tile& tile = lattice[static_cast<TileIndex>(i)];
      fits[i] = (level > 0 ? storage.fits(level, tile) : share_fits(tile)) ? 1 : 0;
    }
  });
  std::vector<TileIndex> result;
  for (TileIndex i = 0; i < lattice.size(); ++i) {
    if (fits[i] != 0) result.push_back(i);
  }
  return result;
}

PerTensor<Int128> FillPoints::least_rows(TileIndex tile, Tensor at_dram) const {
  const Lattice& lattice = instance_.lattice;
  return instance_.rows.least(tile, row_reuse(lattice, lattice[tile], at_dram, nullptr));
}

FillPoint FillPoints::point(std::size_t level, const Tile& tile, const PassingRun& run) const {
  const std::size_t rb = instance_.architecture.row_buffer();
  FillPoint p;
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    const Int128 every = static_cast<Int128>(tile.sweep[k]) * tile.irrelevant_loops[k];
    const bool stays = t == run.stationary;
    p.fills[k] = stays ? tile.sweep[k] : every;
    if (level > 0) {
      p.inside[k] = further_in(t, stays && run.goes_on_inside ? tile.sweep[k] : every);
    }
    if (level < rb && run.comes_from_outside && !stays) {
      p.outside[k] = t == Tensor::input ? least_sweep_ * tile.irrelevant_loops[k] : every;
    }
  }
  return p;
}

void FillPoints::find_points(std::size_t level, const TensorFlags& stored) {
  using Flat = Vector<4 * kTensors>;
  const bool row_buffer = level == instance_.architecture.row_buffer();
  constexpr std::size_t kPortion = std::size_t{1} << 14;
  const std::vector<TileIndex> tiles = this->tiles(level, stored);
  guard_.need(tiles.size() * sizeof(TileIndex) +
              kRuns * std::min(kPortion, tiles.size()) * sizeof(Flat));
  std::array<std::vector<FillPoint>, kRuns> found;
  run::parallel_for(kRuns, [&](std::size_t k) {
    const PassingRun run{static_cast<Tensor>(k / 4), (k & 2U) != 0, (k & 1U) != 0};
    std::vector<Flat> all;
    std::size_t most = kPortion;  // vectors before those that others beat are dropped
    run::GuardedSteps step(guard_);
    for (const TileIndex i : tiles) {
      step();
      if (all.size() == most) {
        all = undominated(std::move(all), guard_);
        most = std::max(kPortion, 2 * all.size());
      }
      FillPoint p = point(level, instance_.lattice[i], run);
      if (row_buffer) p.rows = least_rows(i, run.stationary);
      Flat flat;
      for (std::size_t t = 0; t < kTensors; ++t) {
        flat[t] = p.fills[t];
        flat[3 + t] = p.inside[t];
        flat[6 + t] = p.outside[t];
        flat[9 + t] = p.rows[t];
      }
      all.push_back(flat);
    }
    for (const Flat& f : few_undominated(std::move(all), guard_)) {
      found[k].push_back(
          {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}, {f[6], f[7], f[8]}, {f[9], f[10], f[11]}});
    }
  });
  known_.emplace(Key{level, stored}, std::move(found));
}

const std::vector<FillPoint>& FillPoints::at(std::size_t level, const TensorFlags& stored,
                                             const PassingRun& run) const {
  return known_.at({level, stored})[place(run)];
}

}  // namespace pimbb::dram_pim::mapper
