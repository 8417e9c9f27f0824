// Enumerating tiles and anchors.
#include "space.hpp"

#include <algorithm>

namespace pimbb_check {
namespace {

constexpr std::uint64_t kMostVectors = 1 << 26;
constexpr std::uint64_t kMostAnchors = 1 << 13;

bool is_prime(std::int64_t n) {
  for (std::int64_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n > 1;
}

}  // namespace

Space::Space(const Problem& p) {
  std::uint64_t vectors = 1;
  PerTensor<std::uint64_t> anchors{1, 1, 1};
  for (std::size_t j = 7; j-- > 0;) {
    for (std::int64_t d = 1; d <= p.bounds[j] / d; ++d) {
      if (p.bounds[j] % d != 0) continue;
      divisors_[j].push_back(d);
      if (d != p.bounds[j] / d) divisors_[j].push_back(p.bounds[j] / d);
    }
    std::sort(divisors_[j].begin(), divisors_[j].end());
    stride_[j] = static_cast<std::uint32_t>(vectors);
    vectors *= divisors_[j].size();
    std::uint64_t& radix = anchors[kIrrelevantTo[j]];
    anchor_stride_[j] = static_cast<std::uint32_t>(radix);
    radix *= divisors_[j].size();
    require(vectors <= kMostVectors && radix <= kMostAnchors, "the layer has too many tiles");
  }
  const auto& capacity = p.levels[p.row_buffer()].capacity;
  const auto fits = [&](const Factors& c) {
    for (std::size_t t = 0; t < 3; ++t) {
      if (capacity && p.bytes(t, c) > *capacity) return false;
    }
    return true;
  };
  index_.assign(vectors, kNone);
  for (std::uint32_t id = 0; id < vectors; ++id) {
    Factors c;
    for (std::size_t j = 0; j < 7; ++j) c[j] = divisors_[j][id / stride_[j] % divisors_[j].size()];
    if (!fits(c)) continue;
    index_[id] = static_cast<std::uint32_t>(tiles_.size());
    tiles_.push_back(make(p, c));
  }
  whole_ = make(p, p.bounds);
  for (std::size_t t = 0; t < 3; ++t) {
    const auto factor = [&](std::uint64_t anchor, std::size_t j) {
      return divisors_[j][anchor / anchor_stride_[j] % divisors_[j].size()];
    };
    for (std::uint64_t a = 0; a < anchors[t]; ++a) {
      Int outer = 1;
      for (std::size_t j = 0; j < 7; ++j) {
        if (!relevant(t, j)) outer *= p.bounds[j] / factor(a, j);
      }
      outer_[t].push_back(outer);
    }
    for (std::uint64_t a = 0; a < anchors[t] * anchors[t]; ++a) {
      bool divides = true;
      for (std::size_t j = 0; j < 7; ++j) {
        if (relevant(t, j)) continue;
        divides = divides && factor(a % anchors[t], j) % factor(a / anchors[t], j) == 0;
      }
      divides_[t].push_back(divides);
    }
  }
}

Tile Space::make(const Problem& p, const Factors& c) const {
  Tile tile;
  tile.c = c;
  tile.irrelevant = {1, 1, 1};
  PerTensor<Int> loops{1, 1, 1};
  for (std::size_t j = 0; j < 7; ++j) {
    const auto& d = divisors_[j];
    tile.at[j] = static_cast<std::uint32_t>(std::lower_bound(d.begin(), d.end(), c[j]) - d.begin());
    tile.id += tile.at[j] * stride_[j];
    tile.anchor[kIrrelevantTo[j]] += tile.at[j] * anchor_stride_[j];
    for (std::size_t t = 0; t < 3; ++t) {
      (relevant(t, j) ? loops : tile.irrelevant)[t] *= p.bounds[j] / c[j];
    }
    tile.name += (j > 0 ? "." : "") + std::to_string(c[j]);
  }
  for (std::size_t t = 0; t < 3; ++t) tile.sweep[t] = times(p.elements(t, c), loops[t]);
  return tile;
}

std::uint32_t Space::find(const Factors& c) const {
  std::uint32_t id = 0;
  for (std::size_t j = 0; j < 7; ++j) {
    const auto& d = divisors_[j];
    const auto at = std::lower_bound(d.begin(), d.end(), c[j]);
    if (at == d.end() || *at != c[j]) return kNone;
    id += static_cast<std::uint32_t>(at - d.begin()) * stride_[j];
  }
  return index_[id];
}

std::vector<std::uint32_t> Space::divisors(const Tile& tile) const {
  std::vector<std::uint32_t> ids{0};
  for (std::size_t j = 0; j < 7; ++j) {
    std::vector<std::uint32_t> longer;
    for (const std::uint32_t id : ids) {
      for (std::uint32_t a = 0; a <= tile.at[j]; ++a) {
        if (tile.c[j] % divisors_[j][a] == 0) longer.push_back(id + a * stride_[j]);
      }
    }
    ids = std::move(longer);
  }
  std::vector<std::uint32_t> found;
  for (const std::uint32_t id : ids) {
    if (index_[id] != kNone) found.push_back(index_[id]);
  }
  return found;
}

std::vector<std::uint32_t> Space::covers(const Tile& tile, std::size_t j) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t a = 0; a < tile.at[j]; ++a) {
    if (tile.c[j] % divisors_[j][a] == 0 && is_prime(tile.c[j] / divisors_[j][a])) {
      found.push_back(index_[tile.id - (tile.at[j] - a) * stride_[j]]);
    }
  }
  return found;
}

}  // namespace pimbb_check
