// Layers whose bounds are large or have large prime factors: nothing may count up to a bound, nor
// up to its root in every step. A test that does will not end.
#include <doctest/doctest.h>

#include <vector>

#include "pimbb/dram_pim/feasibility.hpp"
#include "support/certify.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Instance;

namespace {

std::vector<Workload> large_layers() {
  std::vector<Workload> layers;
  const auto add = [&](std::initializer_list<std::pair<Dim, std::int64_t>> bounds) {
    Workload layer;
    layer.name = "large";
    for (const auto& [j, bound] : bounds) layer.bounds[index(j)] = bound;
    layers.push_back(layer);
  };
  add({{Dim::K, 44294967296}});                          // 2^12 * 41 * 263761
  add({{Dim::R, 999999937}});                            // a prime
  add({{Dim::C, 2251799813685119}});                     // a prime near 2^51
  add({{Dim::P, 999999937}, {Dim::R, 3}, {Dim::S, 3}});  // an input as wide
  add({{Dim::Q, 94906249}, {Dim::K, 3}, {Dim::R, 2003}});
  return layers;
}

}  // namespace

TEST_CASE("large bounds: optima are found and proven") {
  for (const Workload& layer : large_layers()) {
    for (const RowModel model : {RowModel::analytic, RowModel::hybrid, RowModel::trace}) {
      Instance i{testkit::simple_pim(), layer, Objective::parse("edp"), model};
      CAPTURE(testkit::to_json(i));
      const Solution s = solve(i.architecture, i.workload, testkit::options_for(i));
      CHECK(s.status == Status::optimal);
      CHECK(testkit::unproven(i, s) == "");
    }
  }
}

TEST_CASE("large bounds: heuristics") {
  for (const Workload& layer : large_layers()) {
    for (const Method method : {Method::greedy, Method::random}) {
      Instance i{testkit::simple_pim(), layer, Objective::parse("edp"), RowModel::hybrid};
      CAPTURE(testkit::to_json(i));
      testkit::SolveOptions options = testkit::options_for(i);
      options.method = method;
      options.samples = 100;
      const Solution s = solve(i.architecture, i.workload, options);
      REQUIRE(s.mapping);
      CHECK(!find_violation(i.architecture, i.workload, *s.mapping));
      CHECK(s.goals[0].bound <= s.goals[0].value);
    }
  }
}
