// Minima that tiles pass on to others, against all pairs of tiles.
#include <doctest/doctest.h>

#include <algorithm>

#include "nest/random_layer.hpp"
#include "nest/spread.hpp"
#include "run/on_threads.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::nest;

namespace {

using TileNumbers = std::vector<std::uint64_t>;

struct Minima {
  TileNumbers outwards;  ///< over the tiles that divide a tile
  TileNumbers inwards;   ///< over those that it divides
};

Minima by_pairs(const Lattice& lattice, const TileNumbers& own) {
  Minima least{own, own};
  std::vector<TileIndex> inside;
  for (TileIndex c = 0; c < lattice.size(); ++c) {
    lattice.divisors(lattice[c], inside);
    for (const TileIndex d : inside) {
      least.outwards[c] = std::min(least.outwards[c], own[d]);
      least.inwards[d] = std::min(least.inwards[d], own[c]);
    }
  }
  return least;
}

Minima spread(const Lattice& lattice, const TileNumbers& own) {
  Minima least{own, own};
  const Spread order(lattice);
  order.outwards({}, [&](TileIndex c, TileIndex cover) {
    least.outwards[c] = std::min(least.outwards[c], least.outwards[cover]);
  });
  order.inwards({}, [&](TileIndex c, TileIndex cover) {
    least.inwards[cover] = std::min(least.inwards[cover], least.inwards[c]);
  });
  return least;
}

/// With so many tiles that several threads walk them.
Workload large_layer(testkit::Choices& choices) {
  Workload w;
  for (const Dim j : {Dim::P, Dim::Q, Dim::C, Dim::K, Dim::N}) {
    w.bounds[index(j)] = choices.one_of<std::int64_t>({12, 18, 24});
  }
  w.bounds[index(choices.one_of({Dim::R, Dim::G}))] = choices.one_of<std::int64_t>({1, 3});
  return w;
}

}  // namespace

TEST_CASE("what tiles pass on comes to all that they divide, or that divide them") {
  const std::uint64_t first = testkit::first_seed(0);
  std::size_t large = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(60); ++seed) {
    CAPTURE(seed);
    testkit::Choices choices(seed);
    const bool is_large = (seed - first) % 2 == 0;
    const Workload w = is_large ? large_layer(choices) : testkit::random_layer(choices);
    const std::int64_t most = is_large ? 500'000 : choices.one_of<std::int64_t>({50, 20'000});
    const Lattice lattice(w, testkit::at_most(w, most));
    if (lattice.size() == 0) continue;
    large += lattice.size() >= 4096 ? 1 : 0;
    TileNumbers own(lattice.size());
    for (std::uint64_t& number : own) number = choices.pick(1'000'000);
    const Minima expected = by_pairs(lattice, own);
    for (const bool listed : {false, true}) {
      CAPTURE(listed);
      if (listed) lattice.list_covers({});
      CHECK((lattice.listed_covers() != nullptr) == listed);
      run::on_threads(3, [&] {
        const Minima found = spread(lattice, own);
        CHECK(found.outwards == expected.outwards);
        CHECK(found.inwards == expected.inwards);
      });
    }
  }
  CHECK(large > 0);
}

TEST_CASE("lists of covers are those of each tile") {
  const std::uint64_t first = testkit::first_seed(10'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(40); ++seed) {
    CAPTURE(seed);
    testkit::Choices choices(seed);
    const Workload w = testkit::random_layer(choices);
    const Lattice lattice(w, testkit::at_most(w, choices.one_of<std::int64_t>({50, 20'000})));
    if (lattice.size() == 0) continue;
    const std::uint64_t before = lattice.bytes();
    lattice.list_covers({});
    const Covers& covers = *lattice.listed_covers();
    CHECK(lattice.bytes() == before + covers.bytes());
    std::uint64_t count = 0;
    for (TileIndex c = 0; c < lattice.size(); ++c) {
      std::vector<TileIndex> expected;
      lattice.for_each_cover(lattice[c], kEveryDim, [&](TileIndex i) { expected.push_back(i); });
      std::vector<TileIndex> listed(covers.outer(c).begin(), covers.outer(c).end());
      for (const TileIndex cover : listed) {
        CHECK(lattice.step_mask(lattice[c], lattice[cover]) < bit(covers.outer_dims()));
      }
      listed.insert(listed.end(), covers.inner(c).begin(), covers.inner(c).end());
      CHECK(listed == expected);
      CHECK(expected.size() == lattice.cover_count(lattice[c], kEveryDim));
      count += expected.size();
    }
    CHECK(covers.bytes() == Covers::bytes(lattice.size() + 1, count));
    CHECK(count <= Lattice::most_covers(w.bounds, lattice.size()));
  }
}
