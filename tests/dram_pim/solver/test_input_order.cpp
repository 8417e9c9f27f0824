// `input_order: free`: the order of a sequential input is one more choice of the solver. Against
// exhaustive search, against the better of both fixed orders, and proven to the checker.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <vector>

#include "dram_pim/mapper/smallest.hpp"
#include "dram_pim/solver/by_seed.hpp"
#include "dram_pim/trace/dram_floors.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/certify.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"
#include "support/generators.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Instance;

namespace {

constexpr std::array<mapper::LoopClass, kTensors + 1> kClassesOfLoops{Tensor::input, Tensor::weight,
                                                                      Tensor::output, std::nullopt};

Instance with_order(Instance i, InputOrder order) {
  i.architecture.input_order = order;
  return i;
}

Solution solved(const Instance& i) {
  return solve(i.architecture, i.workload, testkit::options_for(i));
}

std::vector<Rational> goal_values(const Solution& s) {
  std::vector<Rational> all;
  for (const GoalResult& goal : s.goals) all.push_back(goal.value);
  return all;
}

/// Random problems whose order of the input is free.
template <class Check>
void by_seed_in_free_order(std::uint64_t first, std::size_t count, std::int64_t macs,
                           const Check& check) {
  testkit::by_seed(first, count, {.macs = macs}, [&](Instance i) {
    i.architecture.input_order = InputOrder::free;
    CAPTURE(testkit::to_json(i));
    check(i);
  });
}

/// A layer whose best order depends on the loops: few channels, a plane of several rows.
Instance trace_instance(const char* objective) {
  Instance i{testkit::simple_pim(), testkit::resnet18_layers()[0], Objective::parse(objective),
             RowModel::trace};
  i.architecture.input_order = InputOrder::free;
  i.workload.bounds = {3, 3, 8, 8, 16, 4, 1, 1};
  i.architecture.levels[i.architecture.row_buffer()].row_buffer_size = 64;
  i.architecture.levels[i.architecture.row_buffer()].capacity = 64;
  return i;
}

/// Floors of the input under every pair of classes of loops, from one row-buffer tile inwards.
void add_floors(const mapper::Instance& instance, mapper::TileIndex row_tile,
                std::vector<Int128>& floors) {
  const mapper::Lattice& lattice = instance.lattice;
  const mapper::Tile& outer = lattice[row_tile];
  std::vector<mapper::TileIndex> tiles;
  lattice.divisors(outer, tiles);
  for (const mapper::LoopClass at_dram : kClassesOfLoops) {
    for (const bool whole : {false, true}) {
      mapper::DramFloors of(instance, row_tile, at_dram, {whole, whole, whole});
      floors.push_back(of.least()[index(Tensor::input)]);
      for (const mapper::TileIndex inner : tiles) {
        for (const mapper::LoopClass at_row_buffer : kClassesOfLoops) {
          const mapper::DimMask loops = mapper::Lattice::step_mask(outer, lattice[inner]);
          if (loops != 0 && (loops & mapper::innermost_dims(at_row_buffer)) == 0) continue;
          floors.push_back(of.least(lattice[inner], at_row_buffer)[index(Tensor::input)]);
        }
      }
    }
  }
}

std::vector<Int128> input_floors(const Instance& i) {
  const mapper::Instance instance(i.architecture, i.workload, RowModel::trace);
  std::vector<Int128> floors;
  for (std::size_t tile = 0; tile < instance.lattice.size(); ++tile) {
    add_floors(instance, static_cast<mapper::TileIndex>(tile), floors);
  }
  return floors;
}

/// The proof with one text replaced by another.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("free order: the optimum is the exhaustive search's, and proven") {
  by_seed_in_free_order(9'100'000, testkit::cases(600), 16, [](const Instance& i) {
    CHECK(testkit::complaint(
              i, solved(i),
              oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model)) == "");
  });
}

TEST_CASE("free order: the better of both orders, for every row model and list of goals") {
  std::size_t differ = 0;
  by_seed_in_free_order(9'200'000, testkit::cases(400), 48, [&](const Instance& i) {
    const Solution free = solved(i);
    const Solution nchw = solved(with_order(i, InputOrder::nchw));
    const Solution nhwc = solved(with_order(i, InputOrder::nhwc));
    CHECK(testkit::false_claim(i, free) == "");
    CHECK(free.status == nchw.status);
    if (!free.mapping) return;
    CHECK(goal_values(free) == std::min(goal_values(nchw), goal_values(nhwc)));
    differ += goal_values(nchw) == goal_values(nhwc) ? 0 : 1;
    if (free.mapping->input_order == InputOrder::nchw) return;
    Mapping other = *free.mapping;  // of equals the other one is preferred
    other.input_order = InputOrder::nchw;
    CHECK(evaluate(i.architecture, i.workload, other, i.row_model).row_activations !=
          free.metrics->row_activations);
  });
  CHECK((differ > 0 || testkit::cases(400) < 400));
}

TEST_CASE("free order: a floor of the input's rows is the lesser of both orders'") {
  std::size_t differ = 0;
  by_seed_in_free_order(9'600'000, testkit::cases(150), 24, [&](const Instance& i) {
    if (!mapper::obstacle(i.architecture, i.workload, Method::exact).empty()) return;
    const std::vector<Int128> nchw = input_floors(with_order(i, InputOrder::nchw));
    const std::vector<Int128> nhwc = input_floors(with_order(i, InputOrder::nhwc));
    std::vector<Int128> lesser;
    std::ranges::transform(nchw, nhwc, std::back_inserter(lesser),
                           [](Int128 a, Int128 b) { return std::min(a, b); });
    CHECK((input_floors(i) == lesser));
    differ += nchw == lesser || nhwc == lesser ? 0 : 1;
  });
  CHECK((differ > 0 || testkit::cases(150) < 150));
}

TEST_CASE("free order: without bounds and dominance the search visits the feasible mappings") {
  by_seed_in_free_order(9'300'000, testkit::cases(150), 12, [](Instance i) {
    i.objective = Objective::parse("latency");
    auto options = testkit::options_for(i);
    for (const Rule rule :
         {Rule::lattice, Rule::lp, Rule::shared, Rule::dominance, Rule::spatial, Rule::symmetry}) {
      options.rules.set(rule, false);
    }
    CHECK(solve(i.architecture, i.workload, options).mappings ==
          oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model).mappings);
  });
}

TEST_CASE("free order: the same for any number of threads; heuristics tell the truth") {
  by_seed_in_free_order(9'400'000, testkit::cases(60), 36, [](const Instance& i) {
    auto options = testkit::options_for(i);
    const Solution one = solve(i.architecture, i.workload, options);
    options.threads = 4;
    const Solution four = solve(i.architecture, i.workload, options);
    CHECK((one.mapping == four.mapping));
    CHECK(one.nodes == four.nodes);
    for (const Method method : {Method::greedy, Method::random}) {
      options.method = method;
      options.samples = 50;
      CHECK(testkit::false_claim(i, solve(i.architecture, i.workload, options)) == "");
    }
  });
}

TEST_CASE("free order: a mapping costs what it costs on the machine of its order") {
  by_seed_in_free_order(9'500'000, testkit::cases(100), 36, [](const Instance& i) {
    const Solution s = solved(i);
    if (!s.mapping) return;
    for (const InputOrder order : {InputOrder::nchw, InputOrder::nhwc}) {
      Mapping m = *s.mapping;
      m.input_order = order;
      const Metrics free = evaluate(i.architecture, i.workload, m, i.row_model);
      const Metrics fixed =
          evaluate(i.architecture.with_input_order(order), i.workload, m, i.row_model);
      CHECK(free.latency == fixed.latency);
      CHECK(free.row_activations == fixed.row_activations);
    }
  });
}

TEST_CASE("free order: files of mappings say the order of a sequential input") {
  Instance i = trace_instance("activations");
  Solution s = solved(i);
  REQUIRE(s.mapping);
  Mapping m = *s.mapping;
  m.layout[index(Tensor::input)] = Layout::sequential;
  m.input_block = {};
  m.input_order = InputOrder::nhwc;
  const auto text = [&](const Architecture& a) {
    return evaluation_json(a, i.workload, i.row_model, m, evaluate(a, i.workload, m, i.row_model));
  };
  const std::string free = text(i.architecture);
  CHECK((parse_mapping(free, "m.json", i.architecture) == m));
  // A fixed order is not in the file, and may not be contradicted there.
  const Architecture nhwc = i.architecture.with_input_order(InputOrder::nhwc);
  const Architecture nchw = i.architecture.with_input_order(InputOrder::nchw);
  const std::string fixed = text(nhwc);
  CHECK(free.find("\"input_order\": \"nhwc\"") != std::string::npos);
  const auto error = [&](const std::string& file, const Architecture& a) -> std::string {
    try {
      static_cast<void>(parse_mapping(file, "m.json", a));
    } catch (const InputError& wrong) {
      return wrong.what();
    }
    return "";
  };
  CHECK(error(fixed, i.architecture).find("input_order") != std::string::npos);
  CHECK(error(free, nhwc) == "");
  CHECK(error(free, nchw).find("allowed are 'nchw', the input_order of the architecture") !=
        std::string::npos);
}

TEST_CASE("free order: proofs, and false ones" * doctest::skip(testkit::slow_build())) {
  std::size_t worse = 0;
  std::size_t sequential = 0;
  for (const char* objective : {"activations", "latency,energy"}) {
    for (const RowModel model : {RowModel::hybrid, RowModel::trace}) {
      Instance i = trace_instance(objective);
      i.row_model = model;
      CAPTURE(objective);
      const auto [solution, proof] = testkit::certify(i);
      REQUIRE(solution.status == Status::optimal);
      CHECK(testkit::objection(i, solution, testkit::checked(proof.text)) == "");
      // The optimum of the worse order is none.
      for (const InputOrder order : {InputOrder::nchw, InputOrder::nhwc}) {
        Solution one = solved(with_order(i, order));
        if (goal_values(one) == goal_values(solution)) continue;
        if (one.mapping->layout[index(Tensor::input)] == Layout::sequential) {
          one.mapping->input_order = order;
        }
        CHECK(testkit::unproven(i, one) != "");
        ++worse;
      }
      if (solution.mapping->layout[index(Tensor::input)] == Layout::row_aligned) continue;
      const std::string key =
          ",\"input_order\":\"" + std::string(name(solution.mapping->input_order)) + "\"}";
      CHECK(!testkit::checked(replaced(proof.text, key, "}")).accepted);
      CHECK(!testkit::checked(replaced(proof.text, key, ",\"input_order\":\"free\"}")).accepted);
      ++sequential;
    }
  }
  CHECK(worse > 0);
  CHECK(sequential > 0);
}
