// The chain of levels of each storage choice, from the PEs outwards.
//
// Proof. Fix a mapping, and let c_0, c_1, ... be its tiles at the levels that store anything, the
// array's at level 0, sorted outwards. For tensor t let rho_t(c) be the product of c over the
// dimensions irrelevant to t, and h_t(c) = elements_t(c) * rho_t(c) / prod c: 1 but for halos of
// the input. The fills of level i are
//
//     V_i[t] = MACs * h_t(c_i) / (rho_t(c_i) * F_i[t])
//
// with F_i[t] the product of the irrelevant loops outside c_i before the first relevant one. Every
// dimension is irrelevant to one tensor at most, so F_i[t] = 1 for all tensors but one, s. For s
// there are two cases:
//
//   A  F_i[s] counts loops of c_(i+1) only, so rho_s(c_i) * F_i[s] <= rho_s(c_(i+1)).
//   B  F_i[s] counts loops outside of c_(i+1) as well, so all loops between c_i and c_(i+1) are
//      irrelevant to s. Then s stays in place at level i + 1, the fills of s are the same at both,
//      and rho_t(c_(i+1)) = rho_t(c_i) for every other t, since the dimensions irrelevant to t are
//      relevant to s. Only a halo of the input may have become less.
//
// So a mapping is a sequence of *runs*: a run begins at a level j with the tile c_j and ends at the
// first c_(k+1) that case A says, j <= k, with the same s and the same rho of the other tensors at
// all levels from j to k. Its fills cost at least, per MAC,
//
//     sum over t != s of  a_t * h_t / rho_t(c_j)  +  a_s * h_s / rho_s(c_(k+1))
//
// where a_t sums the costs of t at these levels. As tiles are within each other, rho_t(c_j) is at
// most rho_t(c_(k+1)). The least over all runs that end at c_(k+1), each with the least of what is
// inside of c_j, is found level by level. Costs fall with every rho and rise with every h, so of
// the tiles that fit those suffice that no other beats: with rho_t(c_j) replaced by
// min(rho_t(c), rho_t(c_(k+1))) for a tile c that beats c_j, the sum is no larger.
//
// As tiles are within each other, a tile fits not only its own level, but also the room of every
// level further out. The array's tile is known by its unrolled factors only, and of these by the
// largest, which need not fit there; but it is within the tile of the next level, so its rho are at
// most the smaller ones of the two.
#include "dram_pim/slices/reuse_floor.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "dram_pim/slices/fill.hpp"
#include "exact/factors.hpp"

namespace pimbb::dram_pim::slices {
namespace {

constexpr int kBits = 26;
constexpr std::int64_t kOne = std::int64_t{1} << kBits;
constexpr std::int64_t kMostHalo = 16 * kOne;
constexpr std::int64_t kMostFactor = 1 << 12;  // sizes of an array beyond it count as unlimited
/// Tiles looked at for one level; if there are more, nothing is known.
constexpr std::uint64_t kMostTiles = 400'000;
constexpr std::size_t kMostChoices = 64;
/// Pairs of tiles looked at together, for all layers and for one; if there are more, each is looked
/// at alone.
constexpr std::size_t kMostPairs = std::size_t{1} << 15;
constexpr std::size_t kMostPairsOfOne = std::size_t{1} << 13;
constexpr std::size_t kMostUnrollings = 64;
constexpr std::int64_t kMostOutputs = 1 << 12;  // in one axis
/// Integers that are told apart; larger ones are counted in groups.
constexpr std::int64_t kFine = 16;

constexpr std::int64_t kSumOfCosts = std::numeric_limits<std::int64_t>::max();

/// How often an element of one axis of the input is used inside a tile, as a fraction; the most of
/// all smaller tiles, for it is monotone in outputs and in taps.
struct AxisReuse {
  std::int64_t used = 1;
  std::int64_t elements = 1;

  AxisReuse(std::int64_t outputs, std::int64_t taps, std::int64_t stride, std::int64_t dilation) {
    for (const std::int64_t p : {std::int64_t{1}, outputs}) {
      for (const std::int64_t r : {std::int64_t{1}, taps}) {
        const std::int64_t extent = stride * (p - 1) + dilation * (r - 1) + 1;
        if (p * r * elements > used * extent) {
          used = p * r;
          elements = extent;
        }
      }
    }
  }
};

}  // namespace

class ReuseFloor::Builder {
 public:
  Builder(const Architecture& a, const Workload& w, const mapper::Scale& scale, Sizes sizes)
      : a_(a), w_(w), exact_(sizes == Sizes::divisors) {
    for (const Dim j : kAllDims) {
      sizes_[index(j)] = exact_ ? divisor_sizes(w.bound(j)) : all_sizes(w.bound(j));
    }
    full_.of = {w.bound(Dim::K), w.bound(Dim::P) * w.bound(Dim::Q) * w.bound(Dim::N),
                w.bound(Dim::R) * w.bound(Dim::S) * w.bound(Dim::C)};
    full_.halo = halo(w.bound(Dim::P), w.bound(Dim::R), w.bound(Dim::Q), w.bound(Dim::S));
    round_costs(scale);
    inside_ = unrollings(Direction::internal);
    array_ = combined(unrollings(Direction::H), unrollings(Direction::W));
  }

  [[nodiscard]] int shift() const { return kBits + up_; }

  /// Nothing if there are too many choices, or tiles.
  std::optional<std::vector<Choice>> choices() {
    std::vector<TensorFlags> stores(a_.levels.size());
    std::vector<Choice> all;
    if (!add_choices(0, stores, all)) return std::nullopt;
    return all;
  }

  /// One choice, without `stores` and ends if no tile fits; nothing if there are too many tiles.
  std::optional<Choice> choice(const std::vector<TensorFlags>& stores) {
    Choice choice;
    choice.feed = feed(stores);
    if (a_.psum_rereads) {
      for (std::size_t m = 0; m < stores.size(); ++m) {
        if (stores[m][index(Tensor::output)]) choice.unread += exact_costs_[m];
      }
    }
    std::vector<Runs> runs;
    for (std::size_t m = 0; m < a_.dram(); ++m) {
      if (stores[m] == TensorFlags{}) continue;
      const std::vector<Reuse>* of_level = tiles(m, stores);
      if (of_level == nullptr) return std::nullopt;
      if (of_level->empty()) return choice;  // nothing fits
      add_level(*of_level, fill_costs(m, stores), runs);
    }
    for (const Runs& group : runs) {
      for (const Tensor s : kAllTensors) {
        for (const Start& start : group.starts[index(s)]) {
          add_line(choice.ends[index(s)], {group.of(s, start), start.rest});
        }
      }
    }
    choice.stores = stores;
    return choice;
  }

 private:
  /// Sizes of a tile in one dimension: it takes the room of the least and serves like the largest.
  struct Size {
    std::int64_t least = 1;
    std::int64_t most = 1;
  };

  static std::vector<Size> all_sizes(std::int64_t bound) {
    std::vector<Size> sizes;
    for (std::int64_t least = 1; least <= bound;) {
      const std::int64_t most = std::min(bound, least < kFine ? least : least + least / 8);
      sizes.push_back({least, most});
      least = most + 1;
    }
    return sizes;
  }

  static std::vector<Size> divisor_sizes(std::int64_t bound) {
    std::vector<Size> sizes;
    for (const std::int64_t d : divisors_of(bound)) sizes.push_back({d, d});
    return sizes;
  }

  /// What the costs depend on: the reuse of each tensor, by the dimensions irrelevant to it, and
  /// the halo of the input.
  struct Reuse {
    PerTensor<std::int64_t> of{1, 1, 1};
    std::int64_t halo = kOne;

    [[nodiscard]] bool no_worse(const Reuse& other) const {
      return of[0] >= other.of[0] && of[1] >= other.of[1] && of[2] >= other.of[2] &&
             halo <= other.halo;
    }
    friend bool operator<(const Reuse& a, const Reuse& b) {
      return std::pair(b.of, a.halo) < std::pair(a.of, b.halo);  // the larger ones first
    }
  };

  /// Elements that are filled per MAC.
  [[nodiscard]] static PerTensor<std::int64_t> filled(const Reuse& tile) {
    return {kOne / tile.of[0], kOne / tile.of[1], kOne / tile.of[2]};
  }

  /// Those that no other beats.
  static void keep_best(std::vector<Reuse>& all) {
    std::ranges::sort(all, std::less<>());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Reuse reuse = all[i];
      const auto beats = [&](const Reuse& other) { return other.no_worse(reuse); };
      if (std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), beats)) {
        all[kept++] = reuse;
      }
    }
    all.resize(kept);
  }

  /// Runs that begin at one level, for one tensor that stays in place, least `rest` first.
  struct Start {
    PerTensor<std::int64_t> of{};      ///< reuse of each tensor in the tile where they begin
    PerTensor<std::int64_t> filled{};  ///< elements of it that are filled per MAC: kOne / of
    std::int64_t halo = kOne;          ///< of this tile
    std::int64_t input = 0;   ///< costs of the input's fills that they have passed, with halos
    std::int64_t inside = 0;  ///< of all levels further inside, per MAC
    std::int64_t rest = 0;    ///< and of the other tensors, if the tile of the next level is large

    /// A tile of the level that the run passes.
    void pass(Tensor t, const Reuse& tile, const PerTensor<std::int64_t>& tile_filled) {
      of[index(t)] = std::min(of[index(t)], tile.of[index(t)]);
      filled[index(t)] = std::max(filled[index(t)], tile_filled[index(t)]);
    }
  };
  struct Runs {
    PerTensor<std::int64_t> cost{};  ///< of fills at the levels that the runs have passed
    PerTensor<std::vector<Start>> starts;
    /// The same of the fills of one tensor, halos included.
    [[nodiscard]] std::int64_t of(Tensor t, const Start& start) const {
      return t == Tensor::input ? start.input : cost[index(t)];
    }
  };

  /// Costs of reads, so that the largest has kBits bits; rounded down.
  void round_costs(const mapper::Scale& scale) {
    Int128 most = 1;
    for (const Int128 cost : scale.access) most = std::max(most, cost);
    while (most >= kOne) {
      most >>= 1;
      --up_;
    }
    while (most < kOne / 2 && up_ < kBits) {
      most <<= 1;
      ++up_;
    }
    for (const Int128 cost : scale.access) {
      costs_.push_back(static_cast<std::int64_t>(up_ < 0 ? cost >> -up_ : cost << up_));
      exact_costs_.push_back(cost);
    }
  }

  [[nodiscard]] std::int64_t cost(std::size_t level, Tensor t) const {
    return costs_[level] * (a_.psum_rereads && t == Tensor::output ? 2 : 1);
  }

  /// The least halo of tiles up to these sizes.
  [[nodiscard]] std::int64_t halo(std::int64_t p, std::int64_t r, std::int64_t q,
                                  std::int64_t s) const {
    const AxisReuse x(p, r, w_.stride_w, w_.dilation_w);
    const AxisReuse y(q, s, w_.stride_h, w_.dilation_h);
    return static_cast<std::int64_t>(Int128{kOne} * x.elements * y.elements /
                                     (Int128{x.used} * y.used));
  }

  /// The least halo of tiles with so many outputs in both axes, or less.
  [[nodiscard]] std::int64_t halo(std::int64_t outputs) {
    const auto [known, fresh] = halos_.try_emplace(outputs, full_.halo);
    if (!fresh) return known->second;
    const std::int64_t most = std::min(outputs, w_.bound(Dim::P));
    if (most > kMostOutputs) return known->second;
    std::int64_t least = kMostHalo;
    for (std::int64_t p = 1; p <= most; ++p) {
      const std::int64_t q = std::min(outputs / p, w_.bound(Dim::Q));
      least = std::min(least, halo(p, w_.bound(Dim::R), q, w_.bound(Dim::S)));
    }
    return known->second = least;
  }

  // Unrollings -----------------------------------------------------------------------------------

  struct Unrolling {
    std::int64_t k = 1, outputs = 1, taps = 1;
    [[nodiscard]] bool is_one() const { return k == 1 && outputs == 1 && taps == 1; }
  };

  /// The factors that dimensions of one kind can have together in a direction.
  [[nodiscard]] std::vector<std::int64_t> factors(Direction d, DimSet kind) const {
    const std::int64_t extent = a_.pe_array.extent(d);
    std::vector<std::int64_t> found{1};
    for (std::int64_t factor = 2; factor <= extent; ++factor) {
      if (exact_) {
        if (largest_fill(factor, kind, w_.bounds) == factor) found.push_back(factor);
      } else if (kind != 0) {
        found.push_back(factor);
      }
    }
    return found;
  }

  [[nodiscard]] std::vector<Unrolling> unrollings(Direction d) const {
    const std::int64_t extent = a_.pe_array.extent(d);
    const auto allowed = [&](Tensor irrelevant_to) {
      DimSet dims = 0;
      for (const Dim j : kAllDims) {
        if (irrelevant_tensor(j) == irrelevant_to && a_.pe_array.allows(d, j) && w_.bound(j) > 1) {
          dims |= set_of(j);
        }
      }
      return dims;
    };
    if (extent == 1) return {{}};
    if (extent > kMostFactor) {
      return {{allowed(Tensor::input) != 0 ? extent : 1, allowed(Tensor::weight) != 0 ? extent : 1,
               allowed(Tensor::output) != 0 ? extent : 1}};
    }
    const auto ks = factors(d, allowed(Tensor::input));
    const auto outputs = factors(d, allowed(Tensor::weight));
    const auto taps = factors(d, allowed(Tensor::output));
    std::vector<Unrolling> all;
    for (const std::int64_t k : ks) {
      for (const std::int64_t o : outputs) {
        if (k * o > extent) break;
        const auto beyond = std::ranges::upper_bound(taps, extent / (k * o));
        all.push_back({k, o, *std::prev(beyond)});
      }
    }
    return few(std::move(all));
  }

  static std::vector<Unrolling> combined(const std::vector<Unrolling>& h,
                                         const std::vector<Unrolling>& w) {
    std::vector<Unrolling> all;
    for (const Unrolling& a : h) {
      for (const Unrolling& b : w) {
        all.push_back({a.k * b.k, a.outputs * b.outputs, a.taps * b.taps});
      }
    }
    return few(std::move(all));
  }

  /// Without those that others beat; if many are left, one that is as good as any.
  static std::vector<Unrolling> few(std::vector<Unrolling> all) {
    std::vector<Reuse> reuses;
    reuses.reserve(all.size());
    for (const Unrolling& u : all) reuses.push_back({{u.k, u.outputs, u.taps}, 0});
    keep_best(reuses);
    all.clear();
    Unrolling most;
    for (const Reuse& r : reuses) {
      all.push_back({r.of[0], r.of[1], r.of[2]});
      most = {std::max(most.k, r.of[0]), std::max(most.outputs, r.of[1]),
              std::max(most.taps, r.of[2])};
    }
    if (all.size() > kMostUnrollings) return {most};
    return all;
  }

  // Tiles ----------------------------------------------------------------------------------------

  struct Tile {
    Size p, r, q, s, n, c, k;
  };
  struct Axis {
    Size Tile::*size;
    Dim dim;
  };
  static constexpr std::array<Axis, 5> kOuter{{{&Tile::p, Dim::P},
                                               {&Tile::r, Dim::R},
                                               {&Tile::q, Dim::Q},
                                               {&Tile::s, Dim::S},
                                               {&Tile::n, Dim::N}}};

  /// A level that a tile must fit: its own, or one further out, where it is inside of the tile.
  struct Room {
    std::size_t level = 0;
    std::int64_t capacity = 0;
    TensorFlags stored{};
  };

  /// The tiles of a level that no other beats; null if there are too many to count.
  const std::vector<Reuse>* tiles(std::size_t level, const std::vector<TensorFlags>& stores) {
    const std::vector<TensorFlags> outwards(
        stores.begin() + static_cast<std::ptrdiff_t>(level),
        stores.begin() + static_cast<std::ptrdiff_t>(a_.row_buffer()) + 1);
    const auto [known, fresh] = tiles_.try_emplace({level, outwards});
    std::optional<std::vector<Reuse>>& best = known->second;
    if (fresh) {
      const std::vector<Reuse>* outer = level == 0 ? around_array(stores) : nullptr;
      best = counted(level, stores);
      if (best && outer != nullptr) best = inside(*std::move(best), *outer);
    }
    return best ? &*best : nullptr;
  }

  /// The tiles of a level that fit it and all levels further out; nothing if they are too many.
  std::optional<std::vector<Reuse>> counted(std::size_t level,
                                            const std::vector<TensorFlags>& stores) {
    rooms_.clear();
    for (std::size_t m = level; m <= a_.row_buffer(); ++m) {
      if (a_.levels[m].capacity && stores[m] != TensorFlags{}) {
        rooms_.push_back({m, *a_.levels[m].capacity, stores[m]});
      }
    }
    if (rooms_.empty()) return std::vector<Reuse>{full_};
    level_ = level;
    input_stored_ = stores[level][index(Tensor::input)];
    visited_ = 0;
    found_.clear();
    Tile t;
    if (!count_from(0, t)) return std::nullopt;
    keep_best(found_);
    return found_;
  }

  /// The tiles that the array's is inside of, if that says more than the room of a PE's share; null
  /// if not, or if they are too many to count.
  const std::vector<Reuse>* around_array(const std::vector<TensorFlags>& stores) {
    std::size_t m = 1;
    while (stores[m] == TensorFlags{}) ++m;
    const bool one_pe = array_.size() == 1 && array_.front().is_one();
    return one_pe || !a_.levels[m].capacity ? nullptr : tiles(m, stores);
  }

  /// Tiles that are inside of others: what a tile has is no more than what these have. If there are
  /// too many pairs, the tiles as they are.
  std::vector<Reuse> inside(std::vector<Reuse> tiles, const std::vector<Reuse>& others) {
    if (too_many(tiles.size() * others.size())) return tiles;
    std::vector<Reuse> both;
    both.reserve(tiles.size() * others.size());
    for (const Reuse& tile : tiles) {
      for (const Reuse& other : others) {
        Reuse& least = both.emplace_back(tile);
        for (std::size_t t = 0; t < kTensors; ++t) least.of[t] = std::min(least.of[t], other.of[t]);
        least.halo = std::max(least.halo, halo(least.of[index(Tensor::weight)]));
      }
    }
    keep_best(both);
    return both;
  }

  [[nodiscard]] bool too_many(std::size_t pairs) const {
    return pairs > (exact_ ? kMostPairsOfOne : kMostPairs);
  }

  [[nodiscard]] bool limits(Dim j) const {
    return std::ranges::any_of(rooms_, [&](const Room& room) {
      return std::ranges::any_of(kAllTensors,
                                 [&](Tensor t) { return room.stored[index(t)] && relevant(t, j); });
    });
  }

  bool count_from(std::size_t axis, Tile& t) {
    if (axis == kOuter.size()) return count_channels(t);
    const Axis& outer = kOuter[axis];
    Size& size = t.*outer.size;
    const std::vector<Size>& sizes = sizes_[index(outer.dim)];
    if (!limits(outer.dim)) {
      size = sizes.back();
      return count_from(axis + 1, t);
    }
    for (const Size& next : sizes) {
      size = next;
      if (!fits(t)) break;
      if (!count_from(axis + 1, t)) return false;
    }
    size = {};
    return true;
  }

  bool count_channels(Tile t) {
    const std::vector<Size>& cs = sizes_[index(Dim::C)];
    const std::vector<Size>& ks = sizes_[index(Dim::K)];
    std::size_t most_k = ks.size();  // sizes of K that may fit
    for (std::size_t c = limits(Dim::C) ? 0 : cs.size() - 1; c < cs.size(); ++c) {
      if (++visited_ > kMostTiles) return false;
      t.c = cs[c];
      for (t.k = {}; most_k > 0; --most_k) {
        t.k = ks[most_k - 1];
        if (fits(t)) break;
      }
      if (most_k == 0) break;
      add(t);
    }
    return true;
  }

  [[nodiscard]] bool fits(const Tile& t) const {
    const PerTensor<std::int64_t> elements{t.n.least * t.c.least *
                                               w_.extent_w(t.p.least, t.r.least) *
                                               w_.extent_h(t.q.least, t.s.least),
                                           t.k.least * t.c.least * t.r.least * t.s.least,
                                           t.n.least * t.k.least * t.p.least * t.q.least};
    return std::ranges::all_of(rooms_, [&](const Room& room) {
      std::int64_t sum = 0;
      std::int64_t most = 0;
      for (const Tensor tensor : kAllTensors) {
        if (!room.stored[index(tensor)]) continue;
        const std::int64_t bytes = a_.tile_bytes(tensor, elements[index(tensor)]);
        sum += bytes;
        most = std::max(most, bytes);
      }
      return (room.level == a_.row_buffer() ? most : sum) <= room.capacity;
    });
  }

  void add(const Tile& t) {
    if (level_ > 0) return add(t, {});
    for (const Unrolling& u : array_) add(t, u);
  }

  void add(const Tile& t, const Unrolling& u) {
    Reuse reuse;
    reuse.of = {std::min(full_.of[0], t.k.most * u.k),
                std::min(full_.of[1], t.p.most * t.q.most * t.n.most * u.outputs),
                std::min(full_.of[2], t.r.most * t.s.most * t.c.most * u.taps)};
    const auto reach = [&](Dim j, const Size& size, std::int64_t factor) {
      return std::min(w_.bound(j), size.most * factor);
    };
    if (!input_stored_) {
      reuse.halo = full_.halo;  // any tile of the input may be there
    } else if (exact_ && u.outputs == 1 && u.taps == 1) {
      const Int128 elements =
          Int128{w_.extent_w(t.p.most, t.r.most)} * w_.extent_h(t.q.most, t.s.most);
      const Int128 used = Int128{t.p.most} * t.r.most * t.q.most * t.s.most;
      reuse.halo = static_cast<std::int64_t>(std::min<Int128>(kMostHalo, elements * kOne / used));
    } else {
      reuse.halo = std::max(halo(reuse.of[index(Tensor::weight)]),
                            halo(reach(Dim::P, t.p, u.outputs), reach(Dim::R, t.r, u.taps),
                                 reach(Dim::Q, t.q, u.outputs), reach(Dim::S, t.s, u.taps)));
    }
    found_.push_back(reuse);
  }

  // Choices --------------------------------------------------------------------------------------

  /// All choices for the levels from m on.
  bool add_choices(std::size_t m, std::vector<TensorFlags>& stores, std::vector<Choice>& all) {
    if (m == a_.levels.size()) {
      if (all.size() == kMostChoices) return false;
      return add_choice(stores, all);
    }
    const TensorFlags may = a_.storable(m);
    const bool free = m < a_.row_buffer() && a_.levels[m].bypass_free;
    for (unsigned set = free ? 0 : 7; set < 8; ++set) {
      TensorFlags chosen{};
      bool fresh = true;  // or the same choice was there before
      for (const Tensor t : kAllTensors) {
        const bool wanted = (set >> index(t) & 1U) != 0;
        chosen[index(t)] = wanted && may[index(t)];
        fresh = fresh && (!free || !wanted || may[index(t)]);
      }
      if (!fresh) continue;
      stores[m] = chosen;
      if (!add_choices(m + 1, stores, all)) return false;
    }
    return true;
  }

  bool add_choice(const std::vector<TensorFlags>& stores, std::vector<Choice>& all) {
    auto found = choice(stores);
    if (!found) return false;
    if (!found->stores.empty()) all.push_back(*std::move(found));
    return true;
  }

  /// Costs of an element that a level is filled with.
  [[nodiscard]] PerTensor<std::int64_t> fill_costs(std::size_t m,
                                                   const std::vector<TensorFlags>& stores) const {
    PerTensor<std::int64_t> costs{};
    for (const Tensor t : kAllTensors) {
      if (!stores[m][index(t)]) continue;
      std::size_t outer = m + 1;
      while (!stores[outer][index(t)]) ++outer;
      costs[index(t)] = cost(outer, t);
    }
    return costs;
  }

  /// Runs end at the tiles of a level, where others begin, or go on.
  void add_level(const std::vector<Reuse>& tiles, const PerTensor<std::int64_t>& costs,
                 std::vector<Runs>& runs) {
    Runs fresh{costs, {}};
    for (const Reuse& tile : tiles) {
      const std::int64_t inside = runs.empty() ? 0 : least_inside(runs, tile);
      const Start start{tile.of, filled(tile), tile.halo, with_halo(costs, tile.halo), inside, 0};
      for (const Tensor s : kAllTensors) fresh.starts[index(s)].push_back(start);
    }
    for (Runs& group : runs) pass(tiles, costs, group);
    runs.push_back(std::move(fresh));
    const PerTensor<std::int64_t> whole = filled(full_);
    for (Runs& group : runs) {
      for (const Tensor s : kAllTensors) {
        for (Start& start : group.starts[index(s)]) {
          start.rest = start.inside + others(group, s, start, whole);
        }
        std::ranges::sort(group.starts[index(s)], {}, &Start::rest);
      }
    }
  }

  /// What a fill of the input costs.
  static std::int64_t with_halo(const PerTensor<std::int64_t>& costs, std::int64_t halo) {
    return static_cast<std::int64_t>(Int128{costs[index(Tensor::input)]} * halo >> kBits);
  }

  /// Runs go on beyond a level. Its tile of the input is the one that they began with if the input
  /// stays in place; it has the same outputs if the output does; if the weight does, it has those
  /// that fit beside the other reuses.
  void pass(const std::vector<Reuse>& tiles, const PerTensor<std::int64_t>& costs, Runs& group) {
    for (const Tensor t : kAllTensors) group.cost[index(t)] += costs[index(t)];
    for (Start& start : group.starts[index(Tensor::input)]) {
      start.input += with_halo(costs, start.halo);
    }
    for (Start& start : group.starts[index(Tensor::output)]) {
      start.input += with_halo(costs, halo(start.of[index(Tensor::weight)]));
    }
    std::vector<Start>& weight = group.starts[index(Tensor::weight)];
    if (too_many(weight.size() * tiles.size())) {
      std::int64_t outputs = 1;
      for (const Reuse& tile : tiles) outputs = std::max(outputs, tile.of[index(Tensor::weight)]);
      for (Start& start : weight) start.input += with_halo(costs, halo(outputs));
      return;
    }
    std::vector<Start> both;
    std::vector<Start>
        strong;  // a few of them, which turn most others away before these are sorted
    for (const Reuse& tile : tiles) {
      const std::int64_t input = with_halo(costs, halo(tile.of[index(Tensor::weight)]));
      const PerTensor<std::int64_t> tile_filled = filled(tile);
      for (const Start& start : weight) {
        Start next = start;
        for (const Tensor t : {Tensor::input, Tensor::output}) next.pass(t, tile, tile_filled);
        next.input += input;
        if (turned_away(next, strong)) continue;
        both.push_back(next);
      }
    }
    keep_best_of_weight(both);
    weight = std::move(both);
  }

  /// Whether a start for the weight is at least as good as another one.
  static bool beats(const Start& a, const Start& b) {
    constexpr std::size_t kK = index(Tensor::input);
    constexpr std::size_t kTaps = index(Tensor::output);
    return a.of[kK] >= b.of[kK] && a.of[kTaps] >= b.of[kTaps] && a.input <= b.input &&
           a.inside <= b.inside;
  }

  /// Whether one of the strong starts beats it; otherwise it may become one of them.
  static bool turned_away(const Start& start, std::vector<Start>& strong) {
    constexpr std::size_t kStrong = 8;
    for (const Start& other : strong) {
      if (beats(other, start)) return true;
    }
    const auto weaker =
        std::ranges::find_if(strong, [&](const Start& other) { return beats(start, other); });
    if (weaker != strong.end()) {
      *weaker = start;
    } else if (strong.size() < kStrong) {
      strong.push_back(start);
    }
    return false;
  }

  /// Starts for the weight that no other beats.
  static void keep_best_of_weight(std::vector<Start>& all) {
    const auto key = [](const Start& a) {
      return std::tuple(-a.of[index(Tensor::input)], -a.of[index(Tensor::output)], a.input,
                        a.inside);
    };
    std::ranges::sort(all, {}, key);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Start start = all[i];
      const auto beaten_by = [&](const Start& other) { return beats(other, start); };
      if (std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), beaten_by)) {
        all[kept++] = start;
      }
    }
    all.resize(kept);
  }

  /// What the tensors other than s cost in a run that ends at a tile.
  /// `end`: what that tile fills. The lesser of two reuses fills the more.
  [[nodiscard]] static std::int64_t others(const Runs& group, Tensor s, const Start& start,
                                           const PerTensor<std::int64_t>& end) {
    std::int64_t sum = 0;
    for (const Tensor t : kAllTensors) {
      if (t == s) continue;
      sum += group.of(t, start) * std::max(start.filled[index(t)], end[index(t)]);
    }
    return sum;
  }

  /// The least of all runs that end at a tile.
  [[nodiscard]] static std::int64_t least_inside(const std::vector<Runs>& runs, const Reuse& end) {
    std::int64_t least = kSumOfCosts;
    const PerTensor<std::int64_t> fills = filled(end);
    for (const Runs& group : runs) {
      for (const Tensor s : kAllTensors) {
        for (const Start& start : group.starts[index(s)]) {
          if (start.rest >= least) break;
          least = std::min(least, start.inside + others(group, s, start, fills) +
                                      group.of(s, start) * fills[index(s)]);
        }
      }
    }
    return least;
  }

  /// Unless another one costs no more for any layer.
  static void add_line(std::vector<Line>& lines, const Line& line) {
    const auto no_worse = [](const Line& a, const Line& b) {
      return a.once <= b.once && a.rest <= b.rest;
    };
    if (std::ranges::any_of(lines, [&](const Line& other) { return no_worse(other, line); })) {
      return;
    }
    std::erase_if(lines, [&](const Line& other) { return no_worse(line, other); });
    lines.push_back(line);
  }

  /// The reads of the PEs, per MAC: a read serves the unrolled factors that are irrelevant to the
  /// tensor, those of all PEs if they read from a level that they share.
  [[nodiscard]] std::int64_t feed(const std::vector<TensorFlags>& stores) const {
    PerTensor<std::int64_t> most{1, 1, 1};
    for (const Unrolling& u : array_) {
      most = {std::max(most[0], u.k), std::max(most[1], u.outputs), std::max(most[2], u.taps)};
    }
    std::int64_t least = kSumOfCosts;
    for (const Unrolling& u : inside_) {
      const PerTensor<std::int64_t> inside{u.k, u.outputs, u.taps};
      std::int64_t sum = 0;
      for (const Tensor t : kAllTensors) {
        std::size_t m = 0;
        while (!stores[m][index(t)]) ++m;
        const std::int64_t served = inside[index(t)] * (m > 0 ? most[index(t)] : 1);
        const bool boxes = m == a_.row_buffer() && t == Tensor::input;
        sum += cost(m, t) * ((boxes ? full_.halo : kOne) / served);
      }
      least = std::min(least, sum);
    }
    return least;
  }

  const Architecture& a_;
  const Workload& w_;
  const bool exact_;
  std::array<std::vector<Size>, kDims> sizes_;
  Reuse full_;  // of the whole layer
  std::vector<std::int64_t> costs_;
  std::vector<Int128> exact_costs_;
  int up_ = 0;
  std::vector<Unrolling> inside_, array_;
  /// By the level and what it and the levels further out store.
  std::map<std::pair<std::size_t, std::vector<TensorFlags>>, std::optional<std::vector<Reuse>>>
      tiles_;
  std::map<std::int64_t, std::int64_t> halos_;  // by outputs
  std::size_t level_ = 0;
  std::vector<Room> rooms_;
  bool input_stored_ = false;
  std::uint64_t visited_ = 0;
  std::vector<Reuse> found_;
};

ReuseFloor::ReuseFloor(const Architecture& a, const Workload& layer, const mapper::Scale& scale,
                       Sizes sizes) {
  Builder builder(a, layer, scale, sizes);
  shift_ = builder.shift();
  if (auto choices = builder.choices()) choices_ = std::move(*choices);
}

Int128 ReuseFloor::energy(const Factors& bounds) const {
  std::optional<Int128> least;
  for (const OfChoice& choice : by_choice(bounds)) {
    if (!least || choice.energy < *least) least = choice.energy;
  }
  return least.value_or(0);
}

std::optional<Int128> ReuseFloor::energy_of(const Choice& choice, const Factors& bounds,
                                            int shift) {
  const auto at = [&](Dim d) { return bounds[index(d)]; };
  const PerTensor<std::int64_t> reuse{at(Dim::K), at(Dim::P) * at(Dim::Q) * at(Dim::N),
                                      at(Dim::R) * at(Dim::S) * at(Dim::C)};
  const Int128 outputs = Int128{reuse[1]} * at(Dim::K) * at(Dim::G);
  std::int64_t fills = kSumOfCosts;
  for (const Tensor s : kAllTensors) {
    const std::int64_t once = kOne / reuse[index(s)];
    for (const Line& line : choice.ends[index(s)]) {
      fills = std::min(fills, line.rest + line.once * once);
    }
  }
  if (fills == kSumOfCosts) return std::nullopt;
  const Int128 parts = outputs * reuse[2] * (Int128{choice.feed} + fills);
  const Int128 reads = shift < 0 ? parts << -shift : parts >> shift;
  return std::max<Int128>(0, reads - outputs * choice.unread);
}

std::vector<ReuseFloor::OfChoice> ReuseFloor::by_choice(const Factors& bounds) const {
  std::vector<OfChoice> all;
  for (const Choice& choice : choices_) {
    if (const auto energy = energy_of(choice, bounds, shift_)) {
      all.push_back({choice.stores, *energy});
    }
  }
  return all;
}

ReuseFloor::Least ReuseFloor::least_of_divisors(const Architecture& a, const Workload& layer,
                                                const mapper::Scale& scale,
                                                std::vector<OfChoice> floors,
                                                const std::function<bool(Int128)>& enough) {
  if (floors.empty()) return {ReuseFloor(a, layer, scale, Sizes::divisors).energy(layer.bounds)};
  std::ranges::stable_sort(floors, {}, &OfChoice::energy);
  Builder builder(a, layer, scale, Sizes::divisors);
  std::optional<Int128> least;
  for (const OfChoice& known : floors) {
    if (least && known.energy >= *least) break;
    if (enough(known.energy)) return {known.energy, false};  // of this choice and those after it
    const auto choice = builder.choice(known.stores);
    if (!choice) return {std::min(known.energy, least.value_or(known.energy))};
    const auto energy = energy_of(*choice, layer.bounds, builder.shift());
    if (energy && (!least || *energy < *least)) least = energy;
  }
  return {least.value_or(0)};
}

}  // namespace pimbb::dram_pim::slices
