// What a partial mapping must still add at least, whatever follows inwards.
//
// For every state (tile, s, sweeps that s is moved) at a level, the least over all completions of
//
//     the time of the slowest closed resource to come         one number
//     what is added to an open resource                       one for each
//     the energy, if nothing to come takes longer than T[k]   one for each threshold
//
// each on its own: an *entry*. A step inwards to tile `to` costs the same for every tile outside
// that leads to the state (to, s, sweeps). So no pairs of tiles are looked at: for each anchor of s
// the cost of a step and what follows is put down once for each tile inside it, and minima over all
// tiles that divide a tile are taken prime factor by prime factor,
//
//     over dimensions irrelevant to s only:   `carry`, the run of s goes on inwards;
//     over the others as well, where the run begins at the tile itself:   `broken`.
//
// Kept are `broken`, which knows no s, and `carry` for runs as old as the DRAM, which move least.
#pragma once

#include <algorithm>

#include "storage.hpp"

namespace pimbb_check {

/// What depends on the tiles alone, for every storage choice: which tiles can lie inside an anchor,
/// and each tile's neighbours one prime factor further in.
struct Neighbours {
  struct Anchor {
    std::uint64_t word;
    std::int64_t outer;            // sweeps of a tensor whose run began here
    std::vector<TileIndex> below;  // ascending
  };
  PerTensor<std::vector<Anchor>> anchors;  // the first is the whole layer
  std::vector<std::array<std::vector<TileIndex>, kClasses>> covers;

  explicit Neighbours(const Space& space) : covers(space.size()) {
    for (TileIndex i = 0; i < space.size(); ++i) {
      for (std::size_t t = 0; t < kClasses; ++t) covers[i][t] = space.covers(space[i], t);
    }
    for (std::size_t t = 0; t < 3; ++t) {
      const std::uint64_t mask = space.mask(t);
      anchors[t].push_back({space.whole().word & mask, 1, {}});
      for (TileIndex i = 0; i < space.size(); ++i) {
        if ((space[i].word & ~mask) == 0 && space[i].irrelevant[t] > 1) {
          anchors[t].push_back({space[i].word, space[i].irrelevant[t], {}});
        }
      }
      for (Anchor& anchor : anchors[t]) {
        for (TileIndex i = 0; i < space.size(); ++i) {
          if (space.divides(space[i].word & mask, anchor.word)) anchor.below.push_back(i);
        }
      }
    }
  }
};

template <class Int>
class Completion {
 public:
  Completion(const Problem& p, const Space& space, const Neighbours& neighbours,
             const Unrolling& unrolling, const Storage<Int>& storage,
             const std::vector<Int>& thresholds)
      : p_(p),
        space_(space),
        neighbours_(neighbours),
        unrolling_(unrolling),
        storage_(storage),
        thresholds_(thresholds),
        open_(storage.open_count()),
        width_(1 + open_ + thresholds.size()),
        admits_(p.row_buffer() + 1, std::vector<char>(space.size(), 1)),
        broken_(p.row_buffer()),
        oldest_(p.row_buffer()) {
    for (const TileIndex a : unrolling.array) {
      for (const TileIndex i : unrolling.internal) {
        feeds_.push_back(unrolling.together[feeds_.size()] ? storage.feed(space[a], space[i])
                                                           : Terms<Int>{});
      }
    }
    for (std::size_t m = p.row_buffer(); m-- > 1;) {
      for (TileIndex i = 0; i < space.size(); ++i) {
        admits_[m][i] = admits_[m + 1][i] != 0 && storage.fits(m, space[i].c);
      }
    }
    for (TileIndex i = 0; i < space.size(); ++i) fits_pe_.push_back(storage.fits(0, space[i].c));
    broken_[0] = table();
    for (TileIndex i = 0; i < space.size(); ++i) {
      admits_[0][i] =
          admits_[1][i] != 0 && !for_each_option(i, [&](const Terms<Int>& terms, auto&...) {
            lower(&broken_[0][i * width_], terms, nullptr);
            return true;
          });
    }
    for (std::size_t m = 0; m <= p.row_buffer() && p.constraints.any(); ++m) {
      for (TileIndex i = 0; i < space.size(); ++i) {
        admits_[m][i] = admits_[m][i] != 0 && p.constraints.reaches(m, space[i].c);
      }
    }
    for (std::size_t m = 1; m < p.row_buffer(); ++m) add_level(m);
    relax(p.row_buffer() - 1);
  }

  [[nodiscard]] bool admits(std::size_t m, TileIndex tile) const { return admits_[m][tile] != 0; }

  /// Visits every spatial unrolling of a level-0 tile (its terms, and its factors on the array and
  /// inside a PE) while `visit` returns true; whether there is none.
  template <class Visit>
  [[nodiscard]] bool for_each_option(TileIndex tile, const Visit& visit) const {
    const Tile& whole = space_[tile];
    bool none = true;
    const std::size_t pairs = unrolling_.internal.size();
    for (std::size_t a = 0; a < unrolling_.array.size(); ++a) {
      const Tile& array = space_[unrolling_.array[a]];
      if (!space_.divides(array.word, whole.word)) continue;
      const TileIndex share = space_.with_id(whole.id - array.id);
      if (!fits_pe_[share]) continue;
      for (std::size_t i = 0; i < pairs; ++i) {
        const Tile& internal = space_[unrolling_.internal[i]];
        if (!unrolling_.together[a * pairs + i]) continue;
        if (!space_.divides(internal.word, space_[share].word)) continue;
        if (!p_.constraints.nests(0, space_[space_.with_id(array.id + internal.id)].c, whole.c)) {
          continue;
        }
        none = false;
        if (!visit(feeds_[a * pairs + i], array, internal)) return false;
      }
    }
    return none;
  }

  /// The entry of a state at level m < row buffer, exactly, into `entry`; and from below, as if s
  /// had stayed put since the DRAM. Where nothing stays put (kNoTensor) every run begins at the
  /// tile.
  void at(std::size_t m, TileIndex tile, std::size_t s, std::int64_t outer, Int* entry) const {
    std::copy_n(&broken_[m][tile * width_], width_, entry);
    if (m == 0 || s == kNoTensor) return;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled before it is read
    std::array<Int, 1 + kMostOpen + kMostThresholds> rest;
    for (const TileIndex to : space_.divisors(space_[tile], space_.mask(s))) {
      if (!admits(m - 1, to)) continue;
      at(m - 1, to, s, outer, rest.data());
      lower(entry, storage_.fill(m - 1, space_[to], s, outer), rest.data());
    }
  }
  [[nodiscard]] const Int* least(std::size_t m, TileIndex tile, std::size_t s) const {
    return m == 0 || s == kNoTensor ? &broken_[m][tile * width_] : &oldest_[m][s][tile * width_];
  }
  /// The same below a row-buffer tile, as if any tensor had stayed put since the DRAM.
  [[nodiscard]] const Int* below_row_buffer(TileIndex tile) const {
    return &relaxed_[tile * width_];
  }

  static constexpr std::size_t kMostThresholds = 64;

 private:
  using Table = std::vector<Int>;
  [[nodiscard]] Table table() const { return Table(space_.size() * width_, kInfinity<Int>); }

  void lower(Int* entry, const Int* other) const {
    for (std::size_t i = 0; i < width_; ++i) entry[i] = std::min(entry[i], other[i]);
  }
  /// By a step that costs `terms`, and what is to come after it, if anything.
  void lower(Int* entry, const Terms<Int>& terms, const Int* rest) const {
    if (rest != nullptr && rest[0] == kInfinity<Int>) return;  // constraints leave no completion
    const auto sum = [&](Int step, std::size_t i) { return rest ? plus(step, rest[i]) : step; };
    entry[0] = std::min(entry[0], rest ? std::max(terms.latency, rest[0]) : terms.latency);
    Int slowest = terms.latency;
    for (std::size_t i = 0; i < open_; ++i) {
      slowest = std::max(slowest, terms.open[i]);
      entry[1 + i] = std::min(entry[1 + i], sum(terms.open[i], 1 + i));
    }
    for (std::size_t i = 1 + open_; i < width_; ++i) {
      if (slowest > thresholds_[i - 1 - open_]) continue;
      if (rest == nullptr || rest[i] < kInfinity<Int>) {
        entry[i] = std::min(entry[i], sum(terms.energy, i));
      }
    }
  }

  void add_level(std::size_t m) {
    broken_[m] = table();
    Table carry(space_.size() * width_);
    Table inner(space_.size() * width_);
    for (std::size_t s = 0; s < 3; ++s) {
      Table begun = table();  // runs of s that begin at the tile
      for (const auto& anchor : neighbours_.anchors[s]) {
        for (std::size_t level = 1; level <= m; ++level) {
          carry_in(level, s, anchor, inner, carry);
          carry.swap(inner);
        }
        if (&anchor == &neighbours_.anchors[s][0]) oldest_[m][s] = inner;
        begin_runs(s, anchor, inner, begun);
      }
      for (std::size_t i = 0; i < begun.size(); i += width_) lower(&broken_[m][i], &begun[i]);
    }
    for (Table& oldest : oldest_[m]) {
      for (std::size_t i = 0; i < oldest.size(); i += width_) lower(&oldest[i], &broken_[m][i]);
    }
  }

  /// Runs of s that begin at the tiles of an anchor, and those with loops of other classes before.
  void begin_runs(std::size_t s, const Neighbours::Anchor& anchor, const Table& inner,
                  Table& begun) const {
    for (const TileIndex i : anchor.below) {
      if ((space_[i].word & space_.mask(s)) != anchor.word) continue;
      lower(&begun[i * width_], &inner[i * width_]);
      for (std::size_t t = 0; t < kClasses; ++t) {
        if (t == s) continue;
        for (const TileIndex k : neighbours_.covers[i][t]) {
          lower(&begun[i * width_], &begun[k * width_]);
        }
      }
    }
  }

  /// From the runs that have come to level - 1 (`inner`) those that have come to `level`.
  void carry_in(std::size_t level, std::size_t s, const Neighbours::Anchor& anchor, Table& inner,
                Table& carry) const {
    for (const TileIndex i : anchor.below) {
      Int* entry = &carry[i * width_];
      std::fill_n(entry, width_, kInfinity<Int>);
      if (admits(level - 1, i)) {
        const Int* rest = &broken_[level - 1][i * width_];
        if (level > 1) {
          lower(&inner[i * width_], rest);
          rest = &inner[i * width_];
        }
        lower(entry, storage_.fill(level - 1, space_[i], s, anchor.outer), rest);
      }
      for (const TileIndex k : neighbours_.covers[i][s]) lower(entry, &carry[k * width_]);
    }
  }

  void relax(std::size_t m) {
    relaxed_ = table();
    for (TileIndex i = 0; i < space_.size(); ++i) {
      Int* entry = &relaxed_[i * width_];
      for (std::size_t s = 0; s < kClasses; ++s) {
        if (s < 3 && admits(m, i)) lower(entry, storage_.fill(m, space_[i], s, 1), least(m, i, s));
        for (const TileIndex k : neighbours_.covers[i][s]) lower(entry, &relaxed_[k * width_]);
      }
    }
  }

  const Problem& p_;
  const Space& space_;
  const Neighbours& neighbours_;
  const Unrolling& unrolling_;
  const Storage<Int>& storage_;
  const std::vector<Int>& thresholds_;
  std::size_t open_, width_;
  std::vector<std::vector<char>> admits_;
  std::vector<char> fits_pe_;
  std::vector<Terms<Int>> feeds_;         // per pair
  std::vector<Table> broken_;             // per level; 0: the unrollings
  std::vector<PerTensor<Table>> oldest_;  // per level > 0
  Table relaxed_;
};

}  // namespace pimbb_check
