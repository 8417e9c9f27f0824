// Looking at the tiles that fit a level, until one is good enough.
#include "dram_pim/mapper/fill_screen.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "exact/factors.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

/// The largest latency that is of interest with these costs otherwise; kInfinity if all are.
Int128 most_latency(Costs costs, const Hopeless& hopeless) {
  costs.latency = kInfinity;
  if (!hopeless(costs)) return kInfinity;
  Int128 low = 0;
  Int128 high = kInfinity;
  while (high - low > 1) {
    costs.latency = low + (high - low) / 2;
    (hopeless(costs) ? high : low) = costs.latency;
  }
  return low;
}

/// How many MACs at a time the factors of a tile allow.
class Filling {
 public:
  Filling(const PeArray& pe, const Divisors& divisors, Int128 needed)
      : pe_(pe), divisors_(divisors), needed_(needed) {}

  /// Whether they are as many as needed.
  [[nodiscard]] bool suffices(const Factors& c) {
    c_ = &c;
    rest_[kDims] = 1;
    for (std::size_t k = kDims; k-- > 0;) rest_[k] = rest_[k + 1] * c[k];
    return extends(0, pe_.extent(Direction::H), pe_.extent(Direction::W),
                   pe_.extent(Direction::internal));
  }

 private:
  /// With factors of the dimensions from k on. `rows`, `columns`: what the extents, divided by the
  /// factors so far, leave; `product`: of these factors and of all MACs of a PE.
  bool extends(std::size_t k, std::int64_t rows, std::int64_t columns, Int128 product) {
    if (product >= needed_) return true;
    if (product * rows * columns < needed_ || product * rest_[k] < needed_) return false;
    const std::int64_t bound = (*c_)[k];
    if (bound > 1) {
      const bool in_rows = pe_.allows(Direction::H, kAllDims[k]);
      const bool in_columns = pe_.allows(Direction::W, kAllDims[k]);
      for (std::size_t i = divisors_[k].size(); i-- > 1;) {
        const std::int64_t factor = divisors_[k][i];
        if (bound % factor != 0) continue;
        const Int128 more = product * factor;
        if (in_rows && factor <= rows && extends(k + 1, rows / factor, columns, more)) return true;
        if (in_columns && factor <= columns && extends(k + 1, rows, columns / factor, more)) {
          return true;
        }
      }
    }
    return extends(k + 1, rows, columns, product);
  }

  const PeArray& pe_;
  const Divisors& divisors_;
  const Int128 needed_;
  const Factors* c_ = nullptr;
  std::array<Int128, kDims + 1> rest_{};  // products of the tile's factors from a dimension on
};

/// Whether no factor is greater.
bool within(const Factors& c, const Factors& outer) {
  for (std::size_t k = 0; k < kDims; ++k) {
    if (c[k] > outer[k]) return false;
  }
  return true;
}

class FillScreen {
 public:
  FillScreen(const Architecture& a, const Workload& w, const Storage& storage, const Costs& least,
             const Hopeless& hopeless, const run::Guard& guard)
      : a_(a),
        w_(w),
        storage_(storage),
        least_(least),
        hopeless_(hopeless),
        guard_(guard),
        most_latency_(most_latency(least, hopeless)) {
    for (const Dim j : kAllDims) divisors_[index(j)] = divisors_of(w.bound(j));
  }

  [[nodiscard]] bool has_any() const {
    if (tells_little()) return true;
    for (std::size_t m = 1; m < a_.row_buffer(); ++m) {
      if (!has_tile(m)) return false;
    }
    return !hopeless_(least_);
  }

  /// Of the level inside the row buffer.
  [[nodiscard]] std::optional<std::vector<Fill>> fills(std::size_t most) const {
    if (tells_little()) return std::nullopt;
    std::mutex adding;
    std::vector<Fill> fills;
    std::atomic<bool> too_many = false;
    for_each_tile(a_.row_buffer() - 1, too_many, [&](const Factors& c, const Costs& least) {
      const std::scoped_lock lock(adding);
      fills.push_back({c, least});
      if (fills.size() > most) too_many = true;
    });
    if (too_many) return std::nullopt;
    std::ranges::sort(fills, {}, &Fill::tile);
    return fills;
  }

 private:
  using Flows = PerTensor<Storage::ElementCosts>;

  /// Tiles alone tell little of the energy.
  [[nodiscard]] bool tells_little() const { return most_latency_ == kInfinity; }

  [[nodiscard]] bool has_tile(std::size_t m) const {
    std::atomic<bool> found = false;
    for_each_tile(m, found, [&](const Factors&, const Costs&) { found = true; });
    return found;
  }

  /// Visits the hopeful tiles of a level, by several threads, until `enough` of them were visited.
  template <class Visit>
  void for_each_tile(std::size_t m, const std::atomic<bool>& enough, const Visit& visit) const {
    Flows flows;
    for (const Tensor t : kAllTensors) flows[index(t)] = storage_.costs_into(m, t);
    const Fits fits = [&](const Factors& c) { return !enough && this->fits(m, c); };
    const TileParts parts(divisors_, fits);
    const Int128 cycles = w_.macs() * storage_.scale().cycle;
    const Int128 needed = (cycles + most_latency_ - 1) / std::max<Int128>(1, most_latency_);
    run::parallel_for(parts.size(), [&](std::size_t part) {
      guard_.check();
      run::GuardedSteps step(guard_);
      Filling filling(a_.pe_array, divisors_, needed);
      parts.for_each(part, [&](const Factors& c) {
        step();
        const auto least = hopeful_costs(c, flows);
        if (least && filling.suffices(c)) visit(c, *least);
      });
    });
  }

  [[nodiscard]] bool fits(std::size_t m, const Factors& c) const {
    Tile tile{};
    for (const Tensor t : kAllTensors) tile.elements[index(t)] = w_.tile_elements(t, c);
    return storage_.fits(m, tile) && storage_.fits(a_.row_buffer(), tile);
  }

  /// What mappings with this fill cost at least; nothing if none is of interest.
  [[nodiscard]] std::optional<Costs> hopeful_costs(const Factors& c, const Flows& flows) const {
    const std::int64_t visits = w_.macs() / product_over(c, kEveryDim);
    PerTensor<Int128> cycles{};
    PerTensor<Int128> energy{};
    for (const Tensor t : kAllTensors) {
      const Int128 moved = static_cast<Int128>(w_.tile_elements(t, c)) * visits;
      cycles[index(t)] = moved * flows[index(t)].cycles;
      energy[index(t)] = moved * flows[index(t)].energy;
    }
    std::ranges::sort(cycles);
    if (cycles[1] > most_latency_) return std::nullopt;
    std::ranges::sort(energy);
    const Costs least{std::max(least_.latency, cycles[1]),
                      std::max(least_.energy, storage_.scale().mac_energy + energy[0] + energy[1]),
                      least_.activations};
    return hopeless_(least) ? std::nullopt : std::optional(least);
  }

  const Architecture& a_;
  const Workload& w_;
  const Storage& storage_;
  const Costs least_;
  const Hopeless& hopeless_;
  const run::Guard& guard_;
  const Int128 most_latency_;
  Divisors divisors_;
};

/// The unrollings inside fills, and what PEs may hold of them.
class FillInsides {
 public:
  FillInsides(const TileSpace& space, const Storage& storage, const Hopeless& hopeless,
              const std::vector<Fill>& fills, const run::Guard& guard)
      : space_(space),
        storage_(storage),
        hopeless_(hopeless),
        fills_(fills),
        guard_(guard),
        hopeful_(fills.size(), 0) {
    for (TileIndex i = 0; i < space.lattice.size(); ++i) {
      if (storage.fits_pe(space.lattice[i].c)) shares_.push_back(space.lattice[i].c);
    }
  }

  /// By fill.
  std::vector<char> hopeful() {
    space_.vectors.for_each_unrolling(
        space_.lattice, guard_, [&](const auto& array, const auto& internal, TileIndex) {
          const Factors& on_array = space_.lattice[array.tile].c;
          const Factors& inside = space_.lattice[internal.tile].c;
          const FloorOfTile leaf = floor_of(storage_.leaf(on_array, inside), storage_.open_count());
          if (!is_hopeful(leaf)) return;
          run::GuardedSteps step(guard_);
          for (const Factors& share : shares_) {
            step();
            if (contains(share, inside)) look_at(times(on_array, share), leaf);
          }
        });
    return std::move(hopeful_);
  }

 private:
  static bool contains(const Factors& outer, const Factors& inner) {
    for (std::size_t k = 0; k < kDims; ++k) {
      if (outer[k] % inner[k] != 0) return false;
    }
    return true;
  }
  [[nodiscard]] bool is_hopeful(const FloorOfTile& floor) const {
    const Costs costs = floor.floor(0);
    return !hopeless_({costs.latency, space_.scale.mac_energy + costs.energy, 0});
  }

  /// With c at level 0.
  void look_at(const Factors& c, const FloorOfTile& leaf) {
    std::optional<FloorOfTile> floor;
    for (std::size_t i = 0; i < fills_.size(); ++i) {
      const Fill& fill = fills_[i];
      if (hopeful_[i] != 0 || !contains(fill.tile, c)) continue;
      if (!floor) {
        floor = least_fill(storage_, 0, space_.lattice[space_.lattice.find(c)]).and_then(leaf);
      }
      const Costs costs = floor->floor(0);
      if (!hopeless_({std::max(fill.least.latency, costs.latency),
                      std::max(fill.least.energy, space_.scale.mac_energy + costs.energy),
                      fill.least.activations})) {
        hopeful_[i] = 1;
      }
    }
  }

  const TileSpace& space_;
  const Storage& storage_;
  const Hopeless& hopeless_;
  const std::vector<Fill>& fills_;
  const run::Guard& guard_;
  std::vector<Factors> shares_;  // of a PE
  std::vector<char> hopeful_;
};

}  // namespace

bool fills_are_hopeful(const Architecture& architecture, const Workload& workload,
                       const Storage& storage, const Costs& least, const Hopeless& hopeless,
                       const run::Guard& guard) {
  return FillScreen(architecture, workload, storage, least, hopeless, guard).has_any();
}

std::optional<std::vector<Fill>> hopeful_fills(const Architecture& architecture,
                                               const Workload& workload, const Storage& storage,
                                               const Costs& least, const Hopeless& hopeless,
                                               std::size_t most, const run::Guard& guard) {
  return FillScreen(architecture, workload, storage, least, hopeless, guard).fills(most);
}

void keep_hopeful_insides(const Architecture& architecture, const Workload& workload,
                          RowModel model, const Confines& confines, const Storage& storage,
                          const Hopeless& hopeless, std::vector<Fill>& fills,
                          const run::Guard& guard) {
  const auto fits = [&](const Factors& c) {
    return std::ranges::any_of(fills, [&](const Fill& fill) { return within(c, fill.tile); });
  };
  const TileSpace space(architecture, workload, model, confines, storage.scale(),
                        std::make_shared<const Lattice>(workload, fits, guard), guard);
  const std::vector<char> hopeful = FillInsides(space, storage, hopeless, fills, guard).hopeful();
  std::size_t i = 0;
  std::erase_if(fills, [&](const Fill&) { return hopeful[i++] == 0; });
}

}  // namespace pimbb::dram_pim::mapper
