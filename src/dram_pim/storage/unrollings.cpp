// Enumerating unrollings, and what they leave for the tiles that they divide.
#include "dram_pim/storage/unrollings.hpp"

#include <algorithm>

#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {

std::vector<Unrolling> unrollings(const Instance& instance, const run::Guard& guard) {
  const Architecture& a = instance.architecture;
  const Workload& w = instance.workload;
  const Lattice& lattice = instance.lattice;
  const ReadCount reads(a, w);
  const std::int64_t macs = w.macs();
  std::vector<Unrolling> all;
  instance.vectors.for_each_unrolling(
      lattice, guard, [&](const auto& array, const auto& internal, TileIndex tile) {
        const Factors& on_array = lattice[array.tile].c;
        const Factors& inside = lattice[internal.tile].c;
        Unrolling& u = all.emplace_back();
        u.array = array.tile;
        u.inside = internal.tile;
        u.tile = tile;
        u.pes = product_over(on_array, kEveryDim);
        u.compute = macs / (u.pes * product_over(inside, kEveryDim)) * instance.scale.cycle;
        if (product_over(inside, irrelevant_mask(Tensor::output)) > 1) {
          u.compute += instance.scale.reduction;
        }
        for (const Tensor t : kAllTensors) {
          const std::size_t k = index(t);
          u.read[k] = macs / product_over(inside, irrelevant_mask(t));
          u.pe_cycles[k] = reads.reads(t, u.read[k]) * instance.scale.transfer[0][k] / u.pes;
          u.fed[k] = direct_feed(a, w, t, 1, on_array, inside);
          u.fed_from_rows[k] = direct_feed(a, w, t, a.row_buffer(), on_array, inside);
        }
      });
  return all;
}

Storage storing_at(const Instance& instance, std::size_t level, const TensorFlags& stored) {
  const Architecture& a = instance.architecture;
  std::vector<TensorFlags> stores(a.levels.size(), TensorFlags{true, true, true});
  stores[level] = stored;
  return {a, instance.workload, instance.scale, std::move(stores)};
}

namespace {

bool no_worse(const Feed& a, const Feed& b) {
  bool all = a.time <= b.time && a.energy <= b.energy;
  for (std::size_t t = 0; t < kTensors; ++t) {
    all = all && a.fed[t] <= b.fed[t] && a.fed_from_rows[t] <= b.fed_from_rows[t];
  }
  return all;
}

Feed feed(const Instance& instance, const Unrolling& u, TensorSet set) {
  const Architecture& a = instance.architecture;
  const ReadCount reads(a, instance.workload);
  Feed feed;
  Int128 level0 = 0;
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    if ((set >> k & 1U) == 0) {
      feed.fed[k] = reads.reads(t, u.fed[k]);
      feed.fed_from_rows[k] = reads.reads(t, u.fed_from_rows[k]);
      continue;
    }
    level0 = a.levels[0].shared_ports ? level0 + u.pe_cycles[k] : std::max(level0, u.pe_cycles[k]);
    feed.energy += reads.reads(t, u.read[k]) * instance.scale.access[0];
  }
  feed.time = std::max(u.compute, level0);
  return feed;
}

void keep_undominated(std::vector<Feed>& feeds, const Feed& one) {
  if (std::ranges::any_of(feeds, [&](const Feed& other) { return no_worse(other, one); })) return;
  std::erase_if(feeds, [&](const Feed& other) { return no_worse(one, other); });
  feeds.push_back(one);
}

}  // namespace

Feeds::Feeds(const Instance& instance, const std::vector<TensorSet>& sets, const run::Guard& guard)
    : feeds_(instance.lattice.size()) {
  const Lattice& lattice = instance.lattice;
  const std::vector<Unrolling> all = unrollings(instance, guard);
  std::vector<Storage> storing;
  for (const TensorSet set : sets) storing.push_back(storing_at(instance, 0, flags_of(set)));
  constexpr std::size_t kChunk = 16;
  run::for_each_chunk(lattice.size(), kChunk, [&](const run::Chunk& chunk) {
    run::GuardedSteps step(guard);
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      const Tile& tile = lattice[static_cast<TileIndex>(i)];
      for (const Unrolling& u : all) {
        step();
        if (!lattice.divides(lattice[u.tile], tile)) continue;
        Factors share = tile.c;
        for (std::size_t j = 0; j < kDims; ++j) share[j] /= lattice[u.array].c[j];
        for (std::size_t k = 0; k < sets.size(); ++k) {
          if (!storing[k].fits_pe(share)) continue;
          keep_undominated(feeds_[i][sets[k]], feed(instance, u, sets[k]));
        }
      }
    }
  });
}

}  // namespace pimbb::dram_pim::mapper
