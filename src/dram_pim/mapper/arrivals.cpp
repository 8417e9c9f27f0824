// Costs of the first decision.
#include "dram_pim/mapper/arrivals.hpp"

#include <algorithm>
#include <cassert>

#include "dram_pim/mapper/storage.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

/// The fullest choice: as good as any other here.
Storage any_storage(const Architecture& a, const Workload& w, const Scale& scale) {
  std::vector<TensorFlags> stores;
  for (std::size_t m = 0; m < a.levels.size(); ++m) stores.push_back(a.storable(m));
  return {a, w, scale, std::move(stores)};
}

}  // namespace

PerTensor<rows::RowReuse> row_reuse(const Lattice& lattice, const Tile& rb, LoopClass at_dram,
                                    const LoopSplit* below, std::int64_t sweeps) {
  const LoopSplit above(lattice[lattice.top()], rb, at_dram);
  PerTensor<rows::RowReuse> result;
  for (std::size_t t = 0; t < kTensors; ++t) {
    result[t].reuse3 = above.inner[t];
    result[t].outer3 = above.outer[t];
    if (below != nullptr) {
      result[t].reuse2 = below->inner[t];
      result[t].outer2 = below->outer[t];
    }
  }
  if (at_dram) {
    result[index(*at_dram)].reuse3 /= sweeps;
    result[index(*at_dram)].outer3 *= sweeps;
  }
  return result;
}

PerTensor<Int128> least_rows(const Lattice& lattice, const RowTable& rows, const Step& step) {
  const std::int64_t sweeps = lattice.outer(step.to.stationary, step.to.anchor);
  const Tile& tile = lattice[step.to.tile];
  return rows.least(step.to.tile, row_reuse(lattice, tile, step.loops, nullptr, sweeps));
}

void Arrivals::push_back(const Arrival& arrival) {
  const LoopClass& loops = arrival.step.loops;
  steps_.push_back({arrival.step.to.tile, arrival.step.to.anchor,
                    static_cast<std::uint32_t>(arrival.step.orders), arrival.step.to.stationary,
                    loops ? static_cast<std::uint8_t>(index(*loops)) : kNoClass});
  if (narrow_) {
    narrow_energy_.push_back(
        static_cast<std::int64_t>((arrival.energy - mac_energy_) / energy_step_));
  } else {
    wide_energy_.push_back(arrival.energy);
  }
  if (rows_alike_ && !rows_.empty()) {
    assert(rows_.front().activations == arrival.least.activations);
    assert(rows_.front().slowest == arrival.least.latency);
    return;
  }
  rows_.push_back({arrival.least.latency, arrival.least.activations});
}

Arrivals Arrivals::joined(std::vector<Arrivals>& parts, const Arrivals& none) {
  Arrivals all = none;
  std::vector<std::size_t> places{0};
  for (const Arrivals& part : parts) places.push_back(places.back() + part.size());
  const std::size_t count = places.back();
  all.steps_.resize(count);
  all.narrow_energy_.resize(all.narrow_ ? count : 0);
  all.wide_energy_.resize(all.narrow_ ? 0 : count);
  if (all.rows_alike_) {
    const auto first =
        std::ranges::find_if(parts, [](const Arrivals& part) { return !part.empty(); });
    if (first != parts.end()) all.rows_ = first->rows_;
  } else {
    all.rows_.resize(count);
  }
  run::parallel_for(parts.size(), [&](std::size_t k) {
    const auto copy_to = [at = static_cast<std::ptrdiff_t>(places[k])](auto& to, const auto& from) {
      std::ranges::copy(from, to.begin() + at);
    };
    copy_to(all.steps_, parts[k].steps_);
    if (all.narrow_) {
      copy_to(all.narrow_energy_, parts[k].narrow_energy_);
    } else {
      copy_to(all.wide_energy_, parts[k].wide_energy_);
    }
    if (!all.rows_alike_) copy_to(all.rows_, parts[k].rows_);
    parts[k] = none;
  });
  return all;
}

Arrivals arrivals(const TileSpace& space, const RowTable& rows, const run::Guard& guard,
                  const ArrivalScreen* screen) {
  const Architecture& architecture = space.architecture;
  const Lattice& lattice = space.lattice;
  const Scale& scale = space.scale;
  const Storage storage = any_storage(architecture, space.workload, scale);
  const State from{lattice.top(), Tensor::input, lattice.full_anchor(Tensor::input)};
  const auto arrival = [&](const Step& step) {
    const Tile& tile = lattice[step.to.tile];
    const Tensor s = step.to.stationary;
    Arrival to{step, scale.mac_energy, {}};
    const std::int64_t sweeps = lattice.outer(s, step.to.anchor);
    to.energy += storage.dram_energy(tile, s, sweeps);
    to.least.energy = to.energy;
    for (const Int128 n : least_rows(lattice, rows, step)) {
      to.least.activations += n;
      to.least.latency = std::max(to.least.latency, n * scale.activation_cycles);
      to.least.energy += n * scale.activation_energy;
    }
    return to;
  };
  constexpr std::size_t kChunk = 256;
  const Arrivals none(scale, rows.are_alike());
  std::vector<Arrivals> parts(run::chunk_count(lattice.size(), kChunk), none);
  run::for_each_chunk(lattice.size(), kChunk, [&](const run::Chunk& chunk) {
    guard.check();
    Arrivals& part = parts[chunk.number];
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      const auto to = static_cast<TileIndex>(i);
      if (screen != nullptr && !screen->hopeful(to)) continue;
      if (!rows.admits(to)) continue;
      const Factors& tile = lattice[to].c;
      if (!space.constraints.nests(architecture.dram(), space.workload.bounds, tile) ||
          !space.constraints.reaches(architecture.row_buffer(), tile)) {
        continue;
      }
      for (const Step& step :
           allowed_steps(lattice, from, to, space.rule, space.orders, architecture.dram())) {
        const Arrival found = arrival(step);
        if (screen == nullptr || screen->hopeful(to, found.least)) part.push_back(found);
      }
    }
  });
  return Arrivals::joined(parts, none);
}

}  // namespace pimbb::dram_pim::mapper
