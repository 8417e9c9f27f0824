// The lattice of tiles against its definition: every vector of divisors, one at a time.
#include <doctest/doctest.h>

#include <set>

#include "nest/random_layer.hpp"
#include "pimbb/error.hpp"

using namespace pimbb;
using namespace pimbb::nest;

namespace {

/// All vectors of divisors of the bounds that fit, in lexicographic order.
std::vector<Factors> vectors_of(const Workload& w, const Fits& fits) {
  std::vector<Factors> all{kOnes};
  for (std::size_t k = 0; k < kDims; ++k) {
    std::vector<Factors> longer;
    for (const Factors& c : all) {
      for (std::int64_t d = 1; d <= w.bounds[k]; ++d) {
        Factors more = c;
        more[k] = d;
        if (w.bounds[k] % d == 0) longer.push_back(more);
      }
    }
    all = std::move(longer);
  }
  std::erase_if(all, [&](const Factors& c) { return !fits(c); });
  return all;
}

/// The factors that are irrelevant to a tensor, the others as 1.
Factors irrelevant_part(Tensor t, Factors c) {
  for (const Dim j : kAllDims) {
    if (relevant(t, j)) c[index(j)] = 1;
  }
  return c;
}

std::int64_t product_of(const Factors& c) {
  std::int64_t product = 1;
  for (const std::int64_t f : c) product *= f;
  return product;
}

Factors ratio(Factors a, const Factors& b) {
  for (std::size_t k = 0; k < kDims; ++k) a[k] /= b[k];
  return a;
}

bool differ_within(const Factors& a, const Factors& b, DimMask dims) {
  for (std::size_t k = 0; k < kDims; ++k) {
    if (a[k] != b[k] && (dims >> k & 1U) == 0) return false;
  }
  return true;
}

bool is_cover(const Factors& outer, const Factors& inner) {
  const std::int64_t step = product_of(ratio(outer, inner));
  return step == 2 || step == 3;  // the primes of the layers
}

std::set<Factors> factors_of(const Lattice& lattice, const std::vector<TileIndex>& tiles) {
  std::set<Factors> all;
  for (const TileIndex i : tiles) all.insert(lattice[i].c);
  CHECK(all.size() == tiles.size());
  return all;
}

void check_tile(const Workload& w, const Tile& tile) {
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    const Factors loops = ratio(w.bounds, tile.c);
    CHECK(tile.elements[k] == w.tile_elements(t, tile.c));
    CHECK(tile.irrelevant_loops[k] == product_of(irrelevant_part(t, loops)));
    CHECK(tile.relevant_loops[k] * tile.irrelevant_loops[k] == product_of(loops));
    CHECK(tile.sweep[k] == tile.elements[k] * tile.relevant_loops[k]);
    for (const Tensor s : kAllTensors) {
      CHECK(tile.fills(t, s, 5) == tile.sweep[k] * (s == t ? 5 : tile.irrelevant_loops[k]));
    }
  }
}

void check_below(const Lattice& lattice, const std::vector<Factors>& all, const Tile& tile) {
  std::vector<TileIndex> found;
  for (const DimMask dims : {kEveryDim, irrelevant_mask(Tensor::weight), bit(Dim::C)}) {
    std::set<Factors> below;
    std::set<Factors> covers;
    for (const Factors& c : all) {
      if (!testkit::divides(c, tile.c) || !differ_within(c, tile.c, dims)) continue;
      below.insert(c);
      if (is_cover(tile.c, c)) covers.insert(c);
    }
    lattice.divisors(tile, dims, found);
    CHECK(factors_of(lattice, found) == below);
    if (dims == kEveryDim) {
      CHECK(lattice.divisor_count(tile) == below.size());
      lattice.divisors(tile, found);
      CHECK(factors_of(lattice, found) == below);
    }
    found.clear();
    lattice.for_each_cover(tile, dims, [&](TileIndex i) { found.push_back(i); });
    CHECK(factors_of(lattice, found) == covers);
  }
}

void check_pair(const Lattice& lattice, const std::vector<Factors>& all, const Tile& a,
                const Tile& b) {
  CHECK(lattice.divides(a, b) == testkit::divides(a.c, b.c));
  DimMask differ = 0;
  bool shared = false;
  for (std::size_t k = 0; k < kDims; ++k) {
    if (a.c[k] != b.c[k]) differ = static_cast<DimMask>(differ | bit(k));
    if (a.c[k] > 1 && b.c[k] > 1) shared = true;
  }
  CHECK(Lattice::step_mask(a, b) == differ);
  for (const Tensor t : kAllTensors) {
    CHECK((a.anchor[index(t)] == b.anchor[index(t)]) ==
          (irrelevant_part(t, a.c) == irrelevant_part(t, b.c)));
  }
  if (shared) return;
  const TileIndex product = lattice.disjoint_product(a, b);
  const Factors c = times(a.c, b.c);
  const bool fits = std::ranges::find(all, c) != all.end();
  CHECK((product != kNoTile) == fits);
  if (fits) CHECK(lattice[product].c == c);
}

void check_anchors(const Lattice& lattice, const std::vector<Factors>& all, const Workload& w) {
  for (const Tensor t : kAllTensors) {
    CHECK(lattice.full_anchor(t) == lattice[lattice.top()].anchor[index(t)]);
    std::set<Factors> parts;
    for (const Factors& c : vectors_of(w, [](const Factors&) { return true; })) {
      parts.insert(irrelevant_part(t, c));
    }
    CHECK(lattice.anchors(t) == parts.size());
    for (const Factors& part : parts) {
      const std::uint32_t anchor = lattice.anchor_of(t, part);
      CHECK(lattice.outer(t, anchor) == product_of(irrelevant_part(t, ratio(w.bounds, part))));
      std::vector<TileIndex> with;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (irrelevant_part(t, all[i]) == part) with.push_back(static_cast<TileIndex>(i));
      }
      CHECK(lattice.with_anchor(t, anchor) == with);
      std::vector<std::uint32_t> inside;
      lattice.anchors_inside(t, anchor, inside);
      std::set<std::uint32_t> before;
      for (const std::uint32_t a : inside) CHECK(before.insert(a).second);
      REQUIRE(!inside.empty());
      CHECK(inside.back() == anchor);
      std::set<std::uint32_t> expected;
      for (const Factors& other : parts) {
        if (testkit::divides(other, part)) expected.insert(lattice.anchor_of(t, other));
      }
      CHECK(before == expected);
    }
  }
}

/// Each anchor comes after those that it covers.
void check_order_of_anchors(const Lattice& lattice, const Tile& tile, Tensor t) {
  std::vector<std::uint32_t> inside;
  lattice.anchors_inside(t, tile.anchor[index(t)], inside);
  const auto place = [&](const Tile& of) {
    return std::ranges::find(inside, of.anchor[index(t)]) - inside.begin();
  };
  std::vector<TileIndex> below;
  lattice.divisors(tile, irrelevant_mask(t), below);
  for (const TileIndex i : below) {
    lattice.for_each_cover(lattice[i], irrelevant_mask(t), [&](TileIndex covered) {
      CHECK(place(lattice[covered]) < place(lattice[i]));
    });
  }
  std::vector<std::uint32_t> drops;
  lattice.anchor_drops(t, tile.anchor[index(t)], drops);
  std::vector<TileIndex> covered;
  for (const std::uint32_t drop : drops) covered.push_back(lattice.covered(tile, drop));
  std::vector<TileIndex> covers;
  lattice.for_each_cover(tile, irrelevant_mask(t), [&](TileIndex i) { covers.push_back(i); });
  CHECK(factors_of(lattice, covered) == factors_of(lattice, covers));
}

}  // namespace

TEST_CASE("the lattice is that of all tiles that fit") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    testkit::Choices choices(seed);
    const Workload w = testkit::random_layer(choices);
    const Fits fits = testkit::at_most(w, choices.one_of<std::int64_t>({24, 60, 100'000}));
    const std::vector<Factors> all = vectors_of(w, fits);
    const Lattice lattice(w, fits);
    REQUIRE(lattice.size() == all.size());
    CHECK(lattice[lattice.top()].c == w.bounds);
    check_tile(w, lattice[lattice.top()]);
    for (TileIndex i = 0; i < lattice.size(); ++i) {
      const Tile& tile = lattice[i];
      REQUIRE(tile.c == all[i]);
      check_tile(w, tile);
      check_below(lattice, all, tile);
      for (TileIndex k = 0; k < lattice.size(); k += 1 + k % 5) {
        check_pair(lattice, all, tile, lattice[k]);
      }
      for (const Dim d : kAllDims) {
        Factors without = tile.c;
        without[index(d)] = 1;
        CHECK(lattice[lattice.without(tile, d)].c == without);
      }
      for (const Tensor t : kAllTensors) {
        CHECK(lattice.anchor_of(t, tile.c) == tile.anchor[index(t)]);
        check_order_of_anchors(lattice, tile, t);
      }
    }
    check_anchors(lattice, all, w);
    for (std::size_t k = 0; k < kDims; ++k) {
      std::size_t divisors = 0;
      for (std::int64_t d = 1; d <= w.bounds[k]; ++d) divisors += w.bounds[k] % d == 0 ? 1 : 0;
      CHECK(lattice.divisor_count(k) == divisors);
    }
  }
}

TEST_CASE("a lattice tells its memory, and asks the guard for it") {
  Workload w;
  w.bounds[index(Dim::P)] = w.bounds[index(Dim::K)] = w.bounds[index(Dim::C)] = 1 << 12;
  const Fits every = [](const Factors&) { return true; };
  const Lattice lattice(w, every);
  CHECK(lattice.size() == 13 * 13 * 13);
  CHECK(lattice.bytes() == Lattice::bytes(13 * 13 * 13, 13 * 13 * 13 + 1));
  CHECK(Lattice::bytes(10, 0) == 10 * sizeof(TileIndex));
  // A tile, and its number in the list of each tensor, which has room for as many more.
  CHECK(Lattice::bytes(0, 4) == 4 * (sizeof(Tile) + 2 * 3 * sizeof(TileIndex)));

  run::Guard guard;
  guard.room = lattice.bytes();
  CHECK_NOTHROW(Lattice(w, every, guard));
  --guard.room;
  CHECK_THROWS_AS(Lattice(w, every, guard), run::TooLarge);
  guard = {};
  int asked = 0;
  guard.stop = [&] { return ++asked == 2; };
  CHECK_THROWS_AS(Lattice(w, every, guard), run::Stopped);
}

TEST_CASE("a layer of too many divisor vectors is refused") {
  Workload w;
  for (const Dim j : kAllDims) w.bounds[index(j)] = std::int64_t{1} << 9;  // 10^8 vectors
  CHECK_THROWS_AS(Lattice(w, [](const Factors&) { return false; }), LimitError);
}
