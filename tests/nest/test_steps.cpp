// Steps between tiles against all orders of their loops.
#include <doctest/doctest.h>

#include <map>

#include "nest/random_layer.hpp"
#include "nest/steps.hpp"

using namespace pimbb;
using namespace pimbb::nest;

namespace {

struct Pair {
  State from;
  TileIndex to;
};

std::vector<Dim> loops_of(const Lattice& lattice, const Pair& pair) {
  std::vector<Dim> loops;
  const Factors& outer = lattice[pair.from.tile].c;
  for (const Dim j : kAllDims) {
    if (outer[index(j)] != lattice[pair.to].c[index(j)]) loops.push_back(j);
  }
  return loops;
}

/// Calls `visit` with every order of the loops, innermost first.
template <class Visit>
void for_each_order(std::vector<Dim> loops, const Visit& visit) {
  std::ranges::sort(loops);
  do visit(loops);
  while (std::next_permutation(loops.begin(), loops.end()));
}

/// Calls `visit(lattice, pair)` with steps of random layers, from random states.
template <class Visit>
void for_some_steps(const Visit& visit) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    testkit::Choices choices(seed);
    const Workload w = testkit::random_layer(choices);
    const Lattice lattice(w, testkit::at_most(w, 60));
    for (int round = 0; round < 12; ++round) {
      Pair pair;
      pair.from.tile = static_cast<TileIndex>(choices.pick(lattice.size()));
      if (choices.once_in(3)) pair.from.tile = lattice.top();
      pair.from.stationary = choices.one_of({Tensor::input, Tensor::weight, Tensor::output});
      const Tensor s = pair.from.stationary;
      pair.from.anchor =
          choices.once_in(2) ? lattice.full_anchor(s) : lattice[pair.from.tile].anchor[index(s)];
      std::vector<TileIndex> below;
      lattice.divisors(lattice[pair.from.tile], below);
      std::erase(below, kNoTile);
      if (below.empty()) continue;
      pair.to = below[choices.pick(below.size())];
      visit(lattice, pair);
    }
  }
}

bool all_irrelevant(const std::vector<Dim>& loops, Tensor t) {
  return std::ranges::all_of(loops, [&](Dim j) { return !relevant(t, j); });
}

}  // namespace

TEST_CASE("factorials") {
  CHECK(factorial(0) == 1);
  CHECK(factorial(1) == 1);
  CHECK(factorial(2) == 2);
  CHECK(factorial(5) == 120);
  CHECK(factorial(20) == 2'432'902'008'176'640'000);
}

TEST_CASE("the classes of a step are those of its loop orders, with their numbers") {
  for_some_steps([](const Lattice& lattice, const Pair& pair) {
    const Steps steps(lattice, pair.from, pair.to);
    const std::vector<Dim> loops = loops_of(lattice, pair);
    const Tensor s = pair.from.stationary;
    if (loops.empty()) {
      REQUIRE(steps.count == 1);
      CHECK(steps.step[0].to.stationary == s);
      CHECK(steps.step[0].to.anchor == pair.from.anchor);
      CHECK(steps.step[0].loops == s);
      CHECK(steps.step[0].orders == 1);
      return;
    }
    std::map<LoopClass, std::uint64_t> orders;
    for_each_order(loops, [&](const auto& order) { ++orders[irrelevant_tensor(order[0])]; });
    CHECK(steps.count == orders.size());
    for (const Step& step : steps) {
      CHECK(step.to.tile == pair.to);
      CHECK(step.orders == orders[step.loops]);
      const Tensor t = step.to.stationary;
      if (!step.loops) {
        CHECK(t == Tensor::input);
        CHECK(step.to.anchor == lattice[pair.to].anchor[index(t)]);
        CHECK(&step == steps.end() - 1);
      } else {
        CHECK(step.loops == t);
        const bool carries = t == s && all_irrelevant(loops, t);
        CHECK(step.to.anchor ==
              (carries ? pair.from.anchor : lattice[pair.from.tile].anchor[index(t)]));
      }
    }
  });
}

TEST_CASE("without an order of loops every run is kept as it is") {
  int carried = 0;
  for_some_steps([&](const Lattice& lattice, const Pair& pair) {
    const Steps all(lattice, pair.from, pair.to);
    Steps kept = all;
    const DimMask loops = Lattice::step_mask(lattice[pair.from.tile], lattice[pair.to]);
    kept.keep_runs(lattice, pair.from, pair.to, [&](LoopClass of) {
      return InnermostRun{static_cast<DimMask>(loops & innermost_dims(of)), 7};
    });
    REQUIRE(kept.count == all.count);
    for (std::size_t k = 0; k < all.count; ++k) {
      CHECK(kept.step[k].loops == all.step[k].loops);
      CHECK(kept.step[k].to.anchor == all.step[k].to.anchor);
      CHECK(kept.step[k].orders == (loops == 0 ? 1 : 7));
      const Tensor t = all.step[k].to.stationary;
      if (all.step[k].to.anchor != lattice[pair.from.tile].anchor[index(t)]) ++carried;
    }
  });
  CHECK(carried > 0);
}

TEST_CASE("a partial order keeps the classes that it allows, and shortens their runs") {
  int shortened = 0;
  for_some_steps([&](const Lattice& lattice, const Pair& pair) {
    const std::vector<Dim> loops = loops_of(lattice, pair);
    if (loops.empty()) return;
    const Dim banned = loops.back();  // never innermost
    const Steps all(lattice, pair.from, pair.to);
    Steps kept = all;
    const auto run_of = [&](LoopClass of) {
      InnermostRun run;
      for (const Dim j : loops) {
        if (j != banned && irrelevant_tensor(j) == of) {
          run.loops = static_cast<DimMask>(run.loops | bit(j));
        }
      }
      run.orders = 7;
      return run;
    };
    kept.keep_runs(lattice, pair.from, pair.to, run_of);
    std::size_t k = 0;
    for (const Step& step : all) {
      const InnermostRun run = run_of(step.loops);
      if (run.loops == 0) continue;
      REQUIRE(k < kept.count);
      const Step& of = kept.step[k++];
      CHECK(of.loops == step.loops);
      CHECK(of.orders == 7);
      const Tensor t = step.to.stationary;
      if (irrelevant_tensor(banned) != step.loops || !step.loops) {
        CHECK(of.to.anchor == step.to.anchor);
        continue;
      }
      ++shortened;
      Factors begun = lattice[pair.from.tile].c;  // the banned loop is outside the run
      begun[index(banned)] = lattice[pair.to].c[index(banned)];
      CHECK(of.to.anchor == lattice.anchor_of(t, begun));
    }
    CHECK(k == kept.count);
  });
  CHECK(shortened > 0);
}

TEST_CASE("demands and arrivals keep the classes that meet them") {
  int demanded_runs = 0;
  int represented = 0;
  for_some_steps([&](const Lattice& lattice, const Pair& pair) {
    const std::vector<Dim> loops = loops_of(lattice, pair);
    const Steps all(lattice, pair.from, pair.to);
    const auto any = [](LoopClass) { return true; };
    for (const Tensor t : kAllTensors) {
      Steps kept = all;
      kept.keep_arrivals(lattice, pair.from, pair.to, t, OrderMatters::to_rows, any);
      std::uint64_t orders = 0;  // those with all loops irrelevant to t innermost
      std::size_t run = 0;
      for (const Dim j : loops) run += relevant(t, j) ? 0 : 1;
      for_each_order(loops, [&](const auto& order) {
        orders += std::ranges::none_of(order.begin(), order.begin() + static_cast<int>(run),
                                       [&](Dim j) { return relevant(t, j); })
                      ? 1
                      : 0;
      });
      if (run == 0) {
        CHECK(kept.count == all.count);
        continue;
      }
      ++demanded_runs;
      REQUIRE(kept.count == 1);
      CHECK(kept.step[0].loops == t);
      CHECK(kept.step[0].orders == orders);
    }
    Steps fills = all;
    fills.keep_arrivals(lattice, pair.from, pair.to, {}, OrderMatters::to_fills, any);
    Steps rows = all;
    rows.keep_arrivals(lattice, pair.from, pair.to, {}, OrderMatters::to_rows, any);
    CHECK(rows.count == all.count);
    const bool last_is_none = !loops.empty() && all.count > 1 && !(all.end() - 1)->loops;
    CHECK(fills.count == all.count - (last_is_none ? 1 : 0));
    if (last_is_none) {
      ++represented;
      CHECK(fills.step[0].orders == all.step[0].orders + (all.end() - 1)->orders);
    }
    Steps none = all;
    std::vector<LoopClass> asked;
    none.keep_arrivals(lattice, pair.from, pair.to, {}, OrderMatters::to_rows, [&](LoopClass of) {
      asked.push_back(of);
      return false;
    });
    CHECK(none.count == 0);
    REQUIRE(asked.size() == all.count);
    for (std::size_t k = 0; k < all.count; ++k) {
      const State& to = all.step[k].to;
      const bool in_place = to.anchor != lattice[pair.to].anchor[index(to.stationary)];
      CHECK(asked[k] == (in_place ? LoopClass(to.stationary) : std::nullopt));
    }
  });
  CHECK(demanded_runs > 0);
  CHECK(represented > 0);
}

TEST_CASE("inner and outer loops of a step") {
  for_some_steps([](const Lattice& lattice, const Pair& pair) {
    const Tile& from = lattice[pair.from.tile];
    const Tile& to = lattice[pair.to];
    const auto split = [&](LoopClass loops, DimMask run) {
      const LoopSplit found(from, to, loops, run);
      for (const Tensor t : kAllTensors) {
        std::int64_t inner = 1;
        std::int64_t outer = 1;
        for (const Dim j : kAllDims) {
          if (relevant(t, j)) continue;
          const std::int64_t factor = from.c[index(j)] / to.c[index(j)];
          (loops == t && (run >> index(j) & 1U) != 0 ? inner : outer) *= factor;
        }
        CHECK(found.inner[index(t)] == inner);
        CHECK(found.outer[index(t)] == outer);
      }
    };
    split(std::nullopt, kEveryDim);
    for (const Tensor t : kAllTensors) {
      split(t, kEveryDim);
      for (const Dim j : {Dim::P, Dim::R, Dim::C}) {
        split(t, static_cast<DimMask>(kEveryDim & ~bit(j)));
      }
    }
  });
}
