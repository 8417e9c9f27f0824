// Enumerating spatial vectors and keeping a tile's undominated options.
#include "dram_pim/mapper/spatial.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

constexpr std::size_t kWordBits = 64;
constexpr std::size_t kManyWords = 4;               // of a set: fewer items are sooner looked at
constexpr std::size_t kVectorsBetweenChecks = 256;  // vectors

DimMask dims_of(const Tile& tile) {
  unsigned mask = 0;
  for (std::size_t j = 0; j < kDims; ++j) mask |= (tile.c[j] > 1 ? 1U : 0U) << j;
  return static_cast<DimMask>(mask);
}

Factors divided(Factors a, const Factors& b) {
  for (std::size_t j = 0; j < kDims; ++j) a[j] /= b[j];
  return a;
}

/// Tiles that may be internal factors: allowed dimensions only, product within the extent, factors
/// within the constraints.
class InternalTiles {
 public:
  InternalTiles(const PeArray& pe, const Lattice& lattice, const ConstraintRule& constraints,
                run::GuardedSteps& step)
      : pe_(pe), lattice_(lattice), constraints_(constraints), step_(step) {}

  /// By ascending index.
  [[nodiscard]] std::vector<TileIndex> found() {
    extend(0, 0, 1);
    std::ranges::sort(found_);
    return std::move(found_);
  }

 private:
  /// With every factor of dimension k that leaves room: tiles grow with their factors.
  void extend(std::size_t k, std::uint32_t id, std::int64_t product) {
    step_();
    const TileIndex tile = lattice_.with_id(id);
    if (tile == kNoTile) return;
    if (k == kDims) {
      if (constraints_.unrolls(Direction::internal, lattice_[tile].c)) found_.push_back(tile);
      return;
    }
    extend(k + 1, id, product);
    if (!pe_.allows(Direction::internal, kAllDims[k])) return;
    for (std::size_t at = 1; at < lattice_.divisor_count(k); ++at) {
      const std::int64_t factor = lattice_.divisor(k, at);
      if (factor > pe_.extent(Direction::internal) / product) return;
      extend(k + 1, id + lattice_.id_of(k, at), product * factor);
    }
  }

  const PeArray& pe_;
  const Lattice& lattice_;
  const ConstraintRule& constraints_;
  run::GuardedSteps& step_;
  std::vector<TileIndex> found_;
};

/// The ways to split the factors of a tile over rows and columns of the array: each dimension is on
/// one side, where it must be allowed; both products are within the extents and both vectors of
/// factors within the constraints.
class Splits {
 public:
  Splits(const PeArray& pe, const Lattice& lattice, const ConstraintRule& constraints)
      : pe_(pe), lattice_(lattice), constraints_(constraints) {}

  /// The tile as an array vector, if there is a split: with their number, and of the first of them
  /// in lexicographic order the rows. (Tiles are in this order.)
  [[nodiscard]] std::optional<SpatialVectors::Vector> of(TileIndex tile) {
    tile_ = &lattice_[tile];
    room_ = {pe_.extent(Direction::H), pe_.extent(Direction::W)};
    if (product_over(tile_->c, kEveryDim) > room_[0] * room_[1]) return std::nullopt;
    vector_ = {tile, dims_of(*tile_), kNoTile, 0};
    extend(0, 0);
    return vector_.splits > 0 ? std::optional(vector_) : std::nullopt;
  }

 private:
  /// Decides the dimensions from k on; `id` is that of the rows so far.
  void extend(std::size_t k, std::uint32_t id) {
    while (k < kDims && tile_->at[k] == 0) ++k;
    if (k == kDims) return count(id);
    const std::int64_t factor = tile_->c[k];
    for (const Direction side : {Direction::W, Direction::H}) {
      std::int64_t& room = room_[side == Direction::H ? 0 : 1];
      if (factor > room || !pe_.allows(side, kAllDims[k])) continue;
      const std::int64_t before = std::exchange(room, room / factor);
      extend(k + 1, side == Direction::H ? id + lattice_.id_of(k, tile_->at[k]) : id);
      room = before;
    }
  }

  void count(std::uint32_t id) {
    const TileIndex rows = lattice_.with_id(id);
    if (constraints_.limits_factors()) {
      const Factors& on_rows = lattice_[rows].c;
      if (!constraints_.unrolls(Direction::H, on_rows) ||
          !constraints_.unrolls(Direction::W, divided(tile_->c, on_rows))) {
        return;
      }
    }
    if (vector_.splits++ == 0) vector_.rows = rows;
  }

  const PeArray& pe_;
  const Lattice& lattice_;
  const ConstraintRule& constraints_;
  const Tile* tile_ = nullptr;
  std::array<std::int64_t, 2> room_{};  // what the extents of H and W, divided by factors, leave
  SpatialVectors::Vector vector_;
};

/// Dimensions of which the product is no more than the elements of a tile.
DimMask least_of(Tensor t) {
  constexpr unsigned kWindows = 1U << index(Dim::R) | 1U << index(Dim::S);
  const unsigned all = kEveryDim & ~nest::irrelevant_mask(t);
  return static_cast<DimMask>(t == Tensor::input ? all & ~kWindows : all);
}

bool no_worse(const Terms& a, const Terms& b, std::size_t open) {
  if (a.latency > b.latency || a.energy > b.energy) return false;
  for (std::size_t i = 0; i < open; ++i) {
    if (a.open[i] > b.open[i]) return false;
  }
  return true;
}

/// Lexicographic: latency, energy, open resources.
bool before(const Terms& a, const Terms& b, std::size_t open) {
  if (a.latency != b.latency) return a.latency < b.latency;
  if (a.energy != b.energy) return a.energy < b.energy;
  return std::lexicographical_compare(a.open.begin(), a.open.begin() + open, b.open.begin(),
                                      b.open.begin() + open);
}

Terms least(Terms a, const Terms& b, std::size_t open) {
  a.latency = std::min(a.latency, b.latency);
  a.energy = std::min(a.energy, b.energy);
  for (std::size_t i = 0; i < open; ++i) a.open[i] = std::min(a.open[i], b.open[i]);
  return a;
}

}  // namespace

/// Products that do not fit the row buffer are no tiles and cannot be part of a mapping.
SpatialVectors::SpatialVectors(const Architecture& architecture, const Lattice& lattice,
                               const run::Guard& guard, const ConstraintRule& constraints) {
  const PeArray& pe = architecture.pe_array;
  std::vector<std::vector<Vector>> parts(lattice.part_count());
  run::parallel_for(parts.size(), [&](std::size_t part) {
    guard.check();
    run::GuardedSteps step(guard, kVectorsBetweenChecks);
    Splits splits(pe, lattice, constraints);
    for (TileIndex c = lattice.part_begin(part); c < lattice.part_begin(part + 1); ++c) {
      step();
      if (const auto vector = splits.of(c)) parts[part].push_back(*vector);
    }
  });
  for (const std::vector<Vector>& part : parts)
    array_.insert(array_.end(), part.begin(), part.end());
  run::GuardedSteps step(guard, kVectorsBetweenChecks);
  for (const TileIndex i : InternalTiles(pe, lattice, constraints, step).found()) {
    internal_.push_back({i, dims_of(lattice[i]), 0});
  }
}

const SpatialVectors::Vector& SpatialVectors::array_vector(TileIndex tile) const {
  return *std::lower_bound(array_.begin(), array_.end(), tile,
                           [](const Vector& v, TileIndex t) { return v.tile < t; });
}

SpatialMenu::SpatialMenu(const Lattice& lattice, const SpatialVectors& vectors,
                         const Storage& storage, const DataflowRule& rule,
                         const ConstraintRule& constraints, const run::Guard& guard,
                         const Wanted& wanted)
    : lattice_(lattice), storage_(storage), rule_(rule), constraints_(constraints) {
  run::GuardedSteps step(guard);
  const std::size_t open = storage.open_count();
  vectors.for_each_unrolling(
      lattice, guard, [&](const auto& array, const auto& internal, TileIndex unrolled) {
        const Factors& on_array = lattice[array.tile].c;
        const Factors& inside = lattice[internal.tile].c;
        if (!rule.unrolls(on_array, inside)) return;
        const Terms terms = storage.leaf(on_array, inside);
        if (wanted && !wanted(unrolled, terms)) return;
        items_.push_back({{array.tile, internal.tile, terms, array.splits}, unrolled, terms});
      });
  std::stable_sort(items_.begin(), items_.end(), [&](const Item& a, const Item& b) {
    step();
    return before(a.option.terms, b.option.terms, open);
  });
  for (std::size_t i = items_.size(); i-- > 1;) {
    items_[i - 1].cheapest = least(items_[i - 1].cheapest, items_[i].cheapest, open);
  }
  index_divisors(step);
  index_spreads(step);
}

template <class Contains>
void SpatialMenu::append_set(std::vector<std::uint64_t>& bits, const Contains& contains) const {
  const std::size_t row = bits.size();
  bits.resize(row + words_);
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const std::uint64_t bit = contains(i) ? 1 : 0;
    bits[row + i / kWordBits] |= bit << i % kWordBits;
  }
}

void SpatialMenu::index_divisors(run::GuardedSteps& step) {
  words_ = (items_.size() + kWordBits - 1) / kWordBits;
  for (std::size_t k = 0; k < kDims; ++k) {
    const auto factor = [&](const Item& item) { return lattice_[item.unrolled].at[k]; };
    if (std::all_of(items_.begin(), items_.end(), [&](const Item& i) { return factor(i) == 0; })) {
      continue;  // all divide everything
    }
    Dividing dividing{k, {}};
    for (std::size_t d = 0; d < lattice_.divisor_count(k); ++d) {
      step(items_.size());
      append_set(dividing.bits,
                 [&](std::size_t i) { return lattice_.divides(k, factor(items_[i]), d); });
    }
    dividing_.push_back(std::move(dividing));
  }
}

void SpatialMenu::index_spreads(run::GuardedSteps& step) {
  if (words_ < kManyWords) return;
  for (const Tensor t : kAllTensors) {
    const std::optional<std::int64_t> most = storage_.most_in_pe(t);
    if (!most) continue;
    Spreading spreading{least_of(t), *most, {}, {}};
    std::vector<std::int64_t> products;
    for (const Item& item : items_) {
      products.push_back(product_over(lattice_[item.option.array].c, spreading.dims));
    }
    spreading.products = products;
    std::ranges::sort(spreading.products);
    spreading.products.erase(std::unique(spreading.products.begin(), spreading.products.end()),
                             spreading.products.end());
    for (const std::int64_t least : spreading.products) {
      step(items_.size());
      append_set(spreading.bits, [&](std::size_t i) { return products[i] >= least; });
    }
    spreading_.push_back(std::move(spreading));
  }
}

template <class Visit>
void SpatialMenu::for_each_inside(const Tile& tile, std::uint32_t from, const Visit& visit) const {
  std::array<const std::uint64_t*, kDims + kTensors> sets{};
  std::size_t count = 0;
  for (const Dividing& d : dividing_) sets[count++] = &d.bits[tile.at[d.dim] * words_];
  for (const Spreading& s : spreading_) {
    if (s.most == 0) return;
    const std::int64_t needed = (product_over(tile.c, s.dims) + s.most - 1) / s.most;
    const auto at = std::ranges::lower_bound(s.products, needed) - s.products.begin();
    if (static_cast<std::size_t>(at) == s.products.size()) return;
    sets[count++] = &s.bits[static_cast<std::size_t>(at) * words_];
  }
  for (std::size_t word = from / kWordBits; word < words_; ++word) {
    const std::size_t first = word * kWordBits;
    const std::size_t missing = kWordBits - std::min(kWordBits, items_.size() - first);
    std::uint64_t inside = ~std::uint64_t{0} >> missing;
    for (std::size_t k = 0; k < count; ++k) inside &= sets[k][word];
    for (; inside != 0; inside &= inside - 1) {
      if (!visit(items_[first + static_cast<std::size_t>(std::countr_zero(inside))])) return;
    }
  }
}

std::vector<std::uint32_t> SpatialMenu::places() const {
  std::vector<std::uint32_t> places(lattice_.size(), kNone);
  for (std::size_t i = items_.size(); i-- > 0;) {
    places[items_[i].unrolled] = static_cast<std::uint32_t>(i);
  }
  return places;
}

std::vector<std::uint32_t> SpatialMenu::options(const Tile& tile, bool prune,
                                                const run::Guard& guard, std::uint32_t from) const {
  run::GuardedSteps step(guard);
  const std::size_t open = storage_.open_count();
  std::vector<std::uint32_t> kept;
  const auto terms = [&](std::uint32_t place) -> const Terms& {
    return items_[place].option.terms;
  };
  for_each_inside(tile, from, [&](const Item& item) {
    step(1 + (prune ? kept.size() : 0));
    if (prune && !kept.empty() && no_worse(terms(kept.back()), item.cheapest, open)) return false;
    const SpatialOption& option = item.option;
    if (!rule_.covers(tile.c, lattice_[option.array].c)) return true;
    if (!constraints_.runs(tile.c, lattice_[option.array].c, lattice_[option.internal].c)) {
      return true;
    }
    const bool dominated = prune && std::ranges::any_of(kept, [&](std::uint32_t other) {
                             return no_worse(terms(other), option.terms, open);
                           });
    if (!dominated && storage_.fits_pe(divided(tile.c, lattice_[option.array].c))) {
      kept.push_back(static_cast<std::uint32_t>(&item - items_.data()));
    }
    return true;
  });
  return kept;
}

}  // namespace pimbb::dram_pim::mapper
