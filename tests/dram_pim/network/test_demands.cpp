// What is demanded of layers so that they agree: which demands follow from others, and which loop
// orders a mapping needs.
#include <doctest/doctest.h>

#include "dram_pim/network/layer_pool.hpp"
#include "dram_pim/network/loop_needs.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using network::Demand;
using network::Pair;

namespace {

Demand stored(std::optional<TensorFlags> inner) {
  Demand demand;
  demand.stores = {std::nullopt, inner};
  return demand;
}

Demand ordered(const std::vector<Pair>& pairs) {
  Demand demand;
  demand.order.inside.resize(4);
  for (const Pair& pair : pairs) demand.order = network::with(demand.order, pair);
  return demand;
}

}  // namespace

TEST_CASE("a demand follows from another one that says as much") {
  const TensorFlags all{true, true, true};
  const TensorFlags some{true, false, true};
  CHECK(stored(all).follows_from(stored(all)));
  CHECK(stored({}).follows_from(stored(all)));
  CHECK(Demand{}.follows_from(stored(all)));
  CHECK_FALSE(stored(all).follows_from(stored(some)));
  CHECK_FALSE(stored(all).follows_from(stored({})));
  CHECK_FALSE(stored(all).follows_from({}));
  const Pair one{2, Dim::K, Dim::C};
  const Pair two{2, Dim::P, Dim::C};
  CHECK(ordered({one}).follows_from(ordered({one})));
  CHECK(ordered({one}).follows_from(ordered({one, two})));
  CHECK(ordered({}).follows_from({}));
  CHECK_FALSE(ordered({one, two}).follows_from(ordered({one})));
  CHECK_FALSE(ordered({one}).follows_from(ordered({two})));
  CHECK_FALSE(ordered({one}).follows_from(ordered({{1, Dim::K, Dim::C}})));
  CHECK_FALSE(ordered({one}).follows_from({}));
}

TEST_CASE("goals that are sums of latency and energy have a direction") {
  Objective objective;
  objective.alpha = 2;
  objective.beta = 3;
  const auto has = [&](Goal goal, int alpha, int beta) {
    const auto direction = network::direction_of(objective, goal);
    return direction && direction->alpha == Rational(alpha) && direction->beta == Rational(beta);
  };
  CHECK(has(Goal::latency, 1, 0));
  CHECK(has(Goal::energy, 0, 1));
  CHECK(has(Goal::blended, 2, 3));
  CHECK_FALSE(network::direction_of(objective, Goal::activations));
  CHECK_FALSE(network::direction_of(objective, Goal::edp));
  objective.alpha = objective.beta = 0;
  CHECK_FALSE(network::direction_of(objective, Goal::blended));
}

TEST_CASE("a mapping needs its innermost run, or the whole order where the DRAM sees it") {
  const Architecture a = texts::small_architecture();
  Mapping mapping;
  mapping.levels.resize(a.levels.size());
  for (MappingLevel& level : mapping.levels) level.stores = {true, true, true};
  // P and Q leave the weights in place; which of them is further inside does not matter.
  for (const std::size_t m : {std::size_t{1}, a.row_buffer()}) {
    mapping.levels[m].loops = {{Dim::K, 2}, {Dim::C, 2}, {Dim::P, 2}, {Dim::Q, 2}};
  }
  const auto inside = [&](RowModel model, std::size_t level, Dim inner, Dim outer) {
    return network::needs(a, mapping, model).demands(level, inner, outer);
  };
  for (const RowModel model : {RowModel::analytic, RowModel::trace}) {
    for (const std::size_t m : {std::size_t{1}, a.row_buffer()}) {
      const bool whole = model == RowModel::trace && m == a.row_buffer();
      for (const Dim outer : {Dim::K, Dim::C}) {
        CHECK(inside(model, m, Dim::P, outer));
        CHECK(inside(model, m, Dim::Q, outer));
        CHECK_FALSE(inside(model, m, outer, Dim::P));
      }
      CHECK(inside(model, m, Dim::Q, Dim::P) == whole);
      CHECK(inside(model, m, Dim::C, Dim::K) == whole);
      CHECK_FALSE(inside(model, m, Dim::P, Dim::Q));
    }
  }
  // No level inside the row buffer stores the weights: the array's loops move them, too.
  for (std::size_t m = 0; m < a.row_buffer(); ++m) {
    mapping.levels[m].stores[index(Tensor::weight)] = false;
  }
  CHECK(inside(RowModel::trace, 1, Dim::Q, Dim::P));
  CHECK_FALSE(inside(RowModel::analytic, 1, Dim::Q, Dim::P));
}
