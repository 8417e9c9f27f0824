// Enumerating tiles and unrollings.
#include "space.hpp"

#include <algorithm>
#include <bit>

#include "divisors.hpp"

namespace pimbb_check {

Space::Space(const Problem& p) {
  std::uint64_t vectors = 1;
  int shift = 0;
  for (std::size_t j = 0; j < kDims; ++j) {
    divisors_[j] = {{1, 0, 0}};
    for (const auto& [prime, exponent] : prime_powers(p.bounds[j])) {
      const int guard = shift + std::bit_width(exponent);
      require(guard < 64, "the layer has too many prime factors");
      const Divisor step{prime, std::uint64_t{1} << shift, static_cast<std::uint32_t>(vectors)};
      guards_ |= std::uint64_t{1} << guard;
      masks_[kIrrelevantTo[j]] |= (std::uint64_t{2} << guard) - step.word;
      shift = guard + 1;
      vectors *= exponent + 1;
      require(vectors <= 1 << 26, "the layer has too many tiles");
      primes_[j].push_back(step);
      const std::size_t without = divisors_[j].size();
      for (std::size_t i = 0; i < without * exponent; ++i) {
        const Divisor& d = divisors_[j][i];
        divisors_[j].push_back({d.value * prime, d.word + step.word, d.id + step.id});
      }
    }
    std::sort(divisors_[j].begin(), divisors_[j].end(),
              [](const Divisor& a, const Divisor& b) { return a.value < b.value; });
    whole_.word += divisors_[j].back().word;
    whole_.id += divisors_[j].back().id;
  }
  whole_.c = p.bounds;
  complete(p, whole_);
  index_.assign(vectors, kNone);
  Tile one;
  one.c = kOnes;
  enumerate(p, one, 0);
}

/// Adds the tiles that agree with `tile` up to dimension j, where all that follow are 1.
void Space::enumerate(const Problem& p, Tile tile, std::size_t j) {
  if (j == kDims) {
    complete(p, tile);
    index_[tile.id] = static_cast<TileIndex>(tiles_.size());
    tiles_.push_back(tile);
    return;
  }
  for (const Divisor& d : divisors_[j]) {
    Tile longer = tile;
    longer.c[j] = d.value;
    longer.word += d.word;
    longer.id += d.id;
    const auto& capacity = p.levels[p.row_buffer()].capacity;
    for (std::size_t t = 0; t < 3; ++t) {
      if (capacity && p.bytes(t, longer.c) > *capacity) return;  // so does every larger divisor
    }
    enumerate(p, longer, j + 1);
  }
}

void Space::complete(const Problem& p, Tile& tile) const {
  tile.irrelevant = {1, 1, 1};
  PerTensor<std::int64_t> relevant_loops{1, 1, 1};
  for (std::size_t j = 0; j < kDims; ++j) {
    for (std::size_t t = 0; t < 3; ++t) {
      (relevant(t, j) ? relevant_loops : tile.irrelevant)[t] *= p.bounds[j] / tile.c[j];
    }
  }
  for (std::size_t t = 0; t < 3; ++t) {
    tile.sweep[t] = times(p.elements(t, tile.c), relevant_loops[t]);
  }
}

bool Space::disjoint(const Tile& a, const Tile& b) const {
  for (std::size_t j = 0; j < kDims; ++j) {
    if (a.c[j] > 1 && b.c[j] > 1) return false;
  }
  return true;
}

std::vector<TileIndex> Space::divisors(const Tile& tile, std::uint64_t mask) const {
  std::vector<std::uint32_t> found{0};
  std::vector<std::uint32_t> longer;
  for (std::size_t j = 0; j < kDims; ++j) {
    const bool free = !primes_[j].empty() && (primes_[j][0].word & mask) != 0;
    longer.clear();
    for (const std::uint32_t id : found) {
      for (const Divisor& d : divisors_[j]) {
        if (d.value > tile.c[j]) break;
        const bool agrees = free || d.value == tile.c[j];
        if (agrees && divides(d.word, tile.word)) longer.push_back(id + d.id);
      }
    }
    found.swap(longer);
  }
  std::size_t kept = 0;
  for (const std::uint32_t id : found) {
    if (index_[id] != kNone) found[kept++] = index_[id];
  }
  found.resize(kept);
  return found;
}

std::vector<TileIndex> Space::covers(const Tile& tile, std::size_t t) const {
  std::vector<TileIndex> found;
  for (std::size_t j = 0; j < kDims; ++j) {
    if (kIrrelevantTo[j] != t) continue;
    for (const Divisor& prime : primes_[j]) {
      if (tile.c[j] % prime.value == 0) found.push_back(index_[tile.id - prime.id]);
    }
  }
  return found;
}

namespace {

bool may_unroll(const Problem& p, std::size_t direction, const Factors& c) {
  for (std::size_t j = 0; j < kDims; ++j) {
    if (c[j] > 1 && !p.may_unroll(direction, j)) return false;
  }
  return true;
}

}  // namespace

Unrolling::Unrolling(const Problem& p, const Space& space) {
  std::array<std::vector<TileIndex>, 3> in;
  for (TileIndex i = 0; i < space.size(); ++i) {
    const Factors& c = space[i].c;
    Int128 volume = 1;
    for (const std::int64_t f : c) volume *= f;
    for (std::size_t d = 0; d < 3; ++d) {
      if (volume <= p.extent[d] && may_unroll(p, d, c) && p.constraints.unrolls(d, c)) {
        in[d].push_back(i);
      }
    }
  }
  // Rows, columns and the inside of a PE may not share a dimension.
  for (const TileIndex h : in[0]) {
    for (const TileIndex w : in[1]) {
      if (!space.disjoint(space[h], space[w])) continue;
      const TileIndex both = space.with_id(space[h].id + space[w].id);
      if (both != kNone) array.push_back(both);
    }
  }
  std::sort(array.begin(), array.end());
  array.erase(std::unique(array.begin(), array.end()), array.end());
  internal = in[2];
  for (const TileIndex a : array) {
    for (const TileIndex i : internal) {
      together.push_back(space.disjoint(space[a], space[i]) &&
                         space.with_id(space[a].id + space[i].id) != kNone);
    }
  }
}

}  // namespace pimbb_check
