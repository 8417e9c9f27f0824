// The dynamic programme, from the PEs outwards.
#include "completion.hpp"

#include <algorithm>

namespace pimbb_check {

Levels::Levels(const Problem& p, const Space& space, const Storage& storage)
    : p_(p), space_(space), storage_(storage) {
  find_vectors();
  const std::size_t rb = p.row_buffer();
  tiles_.resize(rb + 1);
  covers_.resize(rb + 1);
  slot_.assign(rb + 1, std::vector<std::uint32_t>(space.size(), Space::kNone));
  for (std::size_t m = rb + 1; m-- > 0;) {
    for (std::uint32_t i = 0; i < space.size(); ++i) {
      if (m < rb && !admits(m + 1, i)) continue;  // it lies inside the tiles further out
      const bool fits = m == 0 ? !for_each_option(space[i], [](const Terms&) { return false; })
                               : storage.fits(m, space[i].c);
      if (!fits) continue;
      const auto k = static_cast<std::uint32_t>(tiles_[m].size());
      slot_[m][i] = k;
      tiles_[m].push_back(i);
      for (std::size_t j = 0; m > 0 && j < 7; ++j) {  // what divides a tile stands before it
        for (const std::uint32_t below : space.covers(space[i], j)) {
          covers_[m][j].emplace_back(k, slot_[m][below]);
        }
      }
    }
  }
}

void Levels::find_vectors() {
  std::array<std::vector<std::uint32_t>, 3> in;
  for (std::uint32_t i = 0; i < space_.size(); ++i) {
    const Factors& c = space_[i].c;
    Int volume = 1;
    for (const std::int64_t f : c) volume *= f;
    for (std::size_t d = 0; d < 3; ++d) {
      bool allowed = volume <= p_.extent[d];
      for (std::size_t j = 0; j < 7; ++j) allowed = allowed && (c[j] == 1 || p_.may_unroll(d, j));
      if (allowed) in[d].push_back(i);
    }
  }
  // Rows and columns act together; they may not share a dimension.
  array_slot_.assign(space_.size(), Space::kNone);
  for (const std::uint32_t h : in[0]) {
    for (const std::uint32_t w : in[1]) {
      Factors both;
      bool apart = true;
      for (std::size_t j = 0; j < 7; ++j) {
        apart = apart && (space_[h].c[j] == 1 || space_[w].c[j] == 1);
        both[j] = space_[h].c[j] * space_[w].c[j];
      }
      const std::uint32_t found = apart ? space_.find(both) : Space::kNone;
      if (found == Space::kNone || array_slot_[found] != Space::kNone) continue;
      array_slot_[found] = static_cast<std::uint32_t>(array_.size());
      array_.push_back(found);
    }
  }
  internal_ = in[2];
  for (const std::uint32_t a : array_) {
    for (const std::uint32_t i : internal_) {
      bool apart = true;
      for (std::size_t j = 0; j < 7; ++j) {
        apart = apart && (space_[a].c[j] == 1 || space_[i].c[j] == 1);
      }
      Factors both;
      for (std::size_t j = 0; j < 7; ++j) both[j] = space_[a].c[j] * space_[i].c[j];
      apart = apart && space_.find(both) != Space::kNone;
      feeds_.push_back(apart ? std::optional(storage_.feed(space_[a].c, space_[i].c))
                             : std::nullopt);
    }
  }
}

bool Levels::for_each_option(const Tile& tile,
                             const std::function<bool(const Terms&)>& visit) const {
  for (const std::uint32_t a : space_.divisors(tile)) {
    if (array_slot_[a] == Space::kNone) continue;
    Factors share = tile.c;
    for (std::size_t j = 0; j < 7; ++j) share[j] /= space_[a].c[j];
    if (!storage_.fits(0, share)) continue;
    for (std::size_t i = 0; i < internal_.size(); ++i) {
      const auto& terms = feeds_[array_slot_[a] * internal_.size() + i];
      bool inside = terms.has_value();
      for (std::size_t j = 0; j < 7; ++j)
        inside = inside && share[j] % space_[internal_[i]].c[j] == 0;
      if (inside && !visit(*terms)) return false;
    }
  }
  return true;
}

Completion::Completion(const Problem& p, const Space& space, const Storage& storage,
                       const Levels& levels, const std::vector<Int>& thresholds)
    : space_(space),
      storage_(storage),
      levels_(levels),
      thresholds_(thresholds),
      open_(storage.open_count()),
      width_(1 + open_ + thresholds.size()),
      entry_(p.row_buffer()) {
  for (std::size_t t = 0; t < 3; ++t) {
    anchor_base_[t] = anchors_;
    anchors_ += space.anchors(t);
  }
  leaves_.assign(levels.tiles(0).size() * width_, kInfinity);
  for (std::size_t k = 0; k < levels.tiles(0).size(); ++k) {
    Int* leaf = &leaves_[k * width_];
    levels.for_each_option(space[levels.tiles(0)[k]], [&](const Terms& terms) {
      Int slowest = terms.latency;
      leaf[0] = std::min(leaf[0], terms.latency);
      for (std::size_t i = 0; i < open_; ++i) {
        leaf[1 + i] = std::min(leaf[1 + i], terms.open[i]);
        slowest = std::max(slowest, terms.open[i]);
      }
      for (std::size_t i = 0; i < thresholds.size(); ++i) {
        Int& energy = leaf[1 + open_ + i];
        if (slowest <= thresholds[i]) energy = std::min(energy, terms.energy);
      }
      return true;
    });
  }
  for (std::size_t m = 1; m < p.row_buffer(); ++m) add_level(m);
  relax(p);
}

const Int* Completion::at(std::size_t m, std::uint32_t tile, std::size_t s,
                          std::uint32_t anchor) const {
  if (m == 0) return &leaves_[levels_.slot(0, tile) * width_];
  return &entry_[m][place(m, tile, s, anchor)];
}

void Completion::lower(Int* target, const Int* other) const {
  for (std::size_t i = 0; i < width_; ++i) target[i] = std::min(target[i], other[i]);
}

Completion::Table Completion::entered(std::size_t m, std::size_t s, std::uint32_t anchor) const {
  Table table(levels_.tiles(m + 1).size() * width_, kInfinity);
  for (const std::uint32_t to : levels_.tiles(m)) {
    if (!space_.divides(space_[to], s, anchor)) continue;
    const Terms terms = storage_.fill(m, space_[to], s, space_.outer(s, anchor));
    const Int* rest = at(m, to, s, anchor);
    Int* target = &table[levels_.slot(m + 1, to) * width_];
    target[0] = std::max(terms.latency, rest[0]);
    Int slowest = terms.latency;
    for (std::size_t i = 1; i <= open_; ++i) {
      slowest = std::max(slowest, terms.open[i - 1]);
      target[i] = plus(terms.open[i - 1], rest[i]);
    }
    for (std::size_t i = 1 + open_; i < width_; ++i) {
      if (slowest > thresholds_[i - 1 - open_] || rest[i] == kInfinity) continue;
      target[i] = plus(terms.energy, rest[i]);
    }
  }
  return table;
}

void Completion::spread(Table& table, std::size_t m, std::size_t t, bool relevant_dims) const {
  for (std::size_t j = 0; j < 7; ++j) {
    if (relevant(t, j) != relevant_dims) continue;
    for (const auto& [k, below] : levels_.covers(m, j)) {
      lower(&table[k * width_], &table[below * width_]);
    }
  }
}

void Completion::add_level(std::size_t m) {
  const auto& tiles = levels_.tiles(m);
  Table begun(tiles.size() * width_, kInfinity);  // runs that begin at the tile
  entry_[m].resize(anchors_ * tiles.size() * width_);
  for (std::size_t s = 0; s < 3; ++s) {
    for (std::uint32_t anchor = 0; anchor < space_.anchors(s); ++anchor) {
      Table table = entered(m - 1, s, anchor);
      spread(table, m, s, false);
      std::copy(table.begin(), table.end(),
                entry_[m].begin() +
                    static_cast<std::ptrdiff_t>((anchor_base_[s] + anchor) * table.size()));
      spread(table, m, s, true);
      for (std::size_t k = 0; k < tiles.size(); ++k) {
        if (space_[tiles[k]].anchor[s] == anchor) lower(&begun[k * width_], &table[k * width_]);
      }
    }
  }
  for (std::size_t i = 0; i < entry_[m].size(); i += width_) {
    lower(&entry_[m][i], &begun[i % begun.size()]);
  }
}

void Completion::relax(const Problem& p) {
  relaxed_.assign(space_.size() * width_, kInfinity);
  for (std::size_t s = 0; s < 3; ++s) {
    Table table = entered(p.row_buffer() - 1, s, space_.full_anchor(s));
    for (const bool relevant_dims : {false, true}) spread(table, p.row_buffer(), s, relevant_dims);
    for (std::size_t i = 0; i < table.size(); i += width_) lower(&relaxed_[i], &table[i]);
  }
}

}  // namespace pimbb_check
