// Networks as one problem: random tiny ones against exhaustion, limits, what is refused.
#include <doctest/doctest.h>

#include <algorithm>

#include "dram_pim/network/exhaust_network.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/instances.hpp"
#include "support/solve_options.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using oracle::Fraction;
using testkit::Choices;
using testkit::Instance;
using testkit::SolveOptions;

namespace {

struct JointProblem {
  Instance frame;  // architecture, objective and row model; its workload is the first layer's
  Network network;
};

JointProblem random_problem(Choices& choices, std::int64_t macs, std::size_t layers) {
  const testkit::Size size{.macs = macs, .levels = 4};
  JointProblem problem{testkit::random_instance(choices, size), {"net", {}}};
  Workload workload = problem.frame.workload;
  for (std::size_t k = 0; k < layers; ++k) {
    if (k > 0) workload = testkit::random_instance(choices, size).workload;
    workload.name = "layer" + std::to_string(k);
    workload.weight = choices.one_of({Rational(1), Rational(1, 2), Rational(3)});
    const auto repetitions = 1 + static_cast<std::int64_t>(choices.pick(3));
    problem.network.layers.push_back({workload, repetitions});
  }
  return problem;
}

/// What is wrong with the mappings of a solution, whatever its status.
std::string disagreement(const JointProblem& problem, const NetworkSolution& solution,
                         const JointOptions& joint) {
  NetworkTotals totals;
  for (const LayerSolution& layer : solution.layers) {
    const Mapping& mapping = *layer.solution.mapping;
    const Architecture& a = problem.frame.architecture;
    if (find_violation(a, layer.workload, mapping)) return layer.workload.name + " is infeasible";
    const Metrics metrics = evaluate(a, layer.workload, mapping, problem.frame.row_model);
    const Rational times = layer.workload.weight * layer.repetitions;
    totals.latency += times * metrics.latency;
    totals.energy += times * metrics.energy;
    totals.activations += times * metrics.activations();
    for (std::size_t m = 0; joint.fix_bypass && m < mapping.levels.size(); ++m) {
      if (mapping.levels[m].stores != solution.agreement->stores[m]) return "other storage";
    }
    if (!joint.fix_permutation) continue;
    const auto disorder =
        find_disorder(a, mapping, precedence_of(solution.agreement->permutations));
    if (disorder) return layer.workload.name + ": " + *disorder;
  }
  if (totals.latency != solution.totals.latency || totals.energy != solution.totals.energy ||
      totals.activations != solution.totals.activations) {
    return "the totals are not the sums";
  }
  return "";
}

exhaust::Space space_of(const JointProblem& problem, const JointOptions& joint) {
  return {problem.frame.architecture, problem.network, problem.frame.row_model, joint};
}

std::string trouble(const JointProblem& problem, const exhaust::Space& space,
                    const JointOptions& joint, const SolveOptions& options, bool limited = false) {
  const std::vector<Fraction> best = space.best(options.objective);
  const NetworkSolution solution =
      solve_network(problem.frame.architecture, problem.network, options, {}, joint);
  if (best.empty()) {
    const bool said = solution.status == Status::infeasible;
    return said || (limited && solution.status == Status::unknown) ? "" : "solves the impossible";
  }
  if (solution.status == Status::infeasible) return "finds no solution";
  if (!limited && solution.status != Status::optimal) return "not proven";
  if (solution.goals.size() != best.size()) return "no goals";
  for (std::size_t k = 0; k < best.size(); ++k) {
    const GoalResult& goal = solution.goals[k];
    const std::string name = std::string(dram_pim::name(goal.goal));
    if (Fraction(goal.bound) > best[k]) return name + " bound above the optimum";
    if (Fraction(goal.value) < best[k]) return name + " better than the best";
    if (Fraction(goal.value) != best[k]) {
      if (solution.status == Status::optimal) {
        return name + " " + goal.value.to_string() + " instead of " + best[k].to_string();
      }
      break;  // what follows holds given this one
    }
    if (solution.status == Status::optimal && goal.bound != goal.value) return name + " has a gap";
  }
  return disagreement(problem, solution, joint);
}

template <class Check>
void by_seed(std::uint64_t first, std::size_t count, std::int64_t macs, std::size_t layers,
             const Check& check) {
  const std::uint64_t start = testkit::first_seed(first);
  for (std::uint64_t seed = start; seed < start + count; ++seed) {
    Choices choices(seed);
    const JointProblem problem = random_problem(choices, macs, layers);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(problem.frame));
    check(problem);
  }
}

/// All orders of three dimensions on each of the three levels above the PEs.
std::vector<LoopPrecedence> all_permutations(std::vector<Dim> dims) {
  std::vector<LoopPrecedence> result{{{LevelPrecedence{}}}};
  for (std::size_t level = 1; level < 4; ++level) {
    std::vector<LoopPrecedence> longer;
    std::ranges::sort(dims);
    do {
      LevelPrecedence order{};
      order[index(dims[0])] = static_cast<std::uint8_t>(1U << index(dims[1]));
      order[index(dims[1])] = static_cast<std::uint8_t>(1U << index(dims[2]));
      make_transitive(order);
      for (LoopPrecedence precedence : result) {
        precedence.inside.push_back(order);
        longer.push_back(std::move(precedence));
      }
    } while (std::ranges::next_permutation(dims).found);
    result = std::move(longer);
  }
  return result;
}

/// The least sum of the layers' first goal over permutations; nothing if no mapping exists.
std::optional<Rational> least_over_permutations(const JointProblem& problem,
                                                const std::vector<Dim>& dims,
                                                SolveOptions options) {
  std::optional<Rational> least;
  for (const LoopPrecedence& precedence : all_permutations(dims)) {
    options.precedence = precedence;
    Rational sum;
    for (const NetworkLayer& layer : problem.network.layers) {
      const Solution s = solve(problem.frame.architecture, layer.workload, options);
      if (s.status != Status::optimal) return std::nullopt;
      sum += s.goals[0].value * layer.workload.weight * layer.repetitions;
    }
    if (!least || sum < *least) least = sum;
  }
  return least;
}

/// The row buffer holds one element, so that all loops of a layer are at the DRAM, and only the
/// elements read from there cost energy.
constexpr std::string_view kAllLoopsAtTheDram = R"(
pe_array: {dim_h: 1, dim_w: 1, unit_type: scalar, mac_energy: 0}
memory_hierarchy:
  - {name: PE, entries: 16, blocksize: 1, latency: 1, access_cost: 0}
  - {name: GB, entries: 128, blocksize: 4, latency: 1, access_cost: 0}
  - {name: RB, entries: 1, blocksize: 1, latency: 1, access_cost: 0, row_buffer_size: 1}
  - {name: DRAM, entries: -1, access_cost: 1}
)";

/// A product of one row: C x K elements.
NetworkLayer row_times_matrix(std::string name, std::int64_t c, std::int64_t k) {
  Workload workload;
  workload.name = std::move(name);
  workload.bounds[index(Dim::C)] = c;
  workload.bounds[index(Dim::K)] = k;
  return {workload, 1};
}

}  // namespace

TEST_CASE("EDP of a network is minimised over all layers at once") {
  by_seed(0, testkit::cases(12), 5, 2, [](const JointProblem& problem) {
    const exhaust::Space space = space_of(problem, {});
    for (const char* goals : {"edp", "edp,activations", "activations,edp", "blended,edp,energy",
                              "latency,edp", "energy,edp", "edp,latency,activations"}) {
      CAPTURE(goals);
      SolveOptions options = testkit::options_for(problem.frame);
      options.objective.goals = Objective::parse(goals).goals;
      CHECK(trouble(problem, space, {}, options) == "");
    }
  });
}

// With the latency, the energy or a blend of them fixed, the least EDP is at an end of what is
// left, which two searches find; after the activations, or none, it may lie anywhere on the hull.
TEST_CASE("after a goal that fixes a line the two ends of the line are all that is searched") {
  Choices choices(3);
  const JointProblem problem = random_problem(choices, 5, 2);
  for (const auto& [goals, on_the_hull] :
       {std::pair{"latency,edp", false}, std::pair{"energy,edp", false},
        std::pair{"blended,edp", false}, std::pair{"activations,blended,edp", false},
        std::pair{"activations,edp", true}, std::pair{"edp,latency", true}}) {
    const std::string list = goals;  // clang 14 captures no structured binding
    CAPTURE(list);
    SolveOptions options = testkit::options_for(problem.frame);
    options.objective = Objective::parse(goals);
    options.objective.alpha = 1;
    std::vector<std::string> said;
    options.on_progress = [&](const Progress& progress) { said.emplace_back(progress.goal); };
    REQUIRE(solve_network(problem.frame.architecture, problem.network, options).status ==
            Status::optimal);
    const bool only_edp = std::ranges::all_of(said, [](auto& goal) { return goal == "edp"; });
    CHECK(only_edp == on_the_hull);
  }
}

TEST_CASE("the optimum of a network under one storage choice is that of exhaustion") {
  by_seed(1'000'000, testkit::cases(12), 5, 2, [](const JointProblem& problem) {
    JointOptions joint;
    joint.fix_bypass = true;
    const exhaust::Space space = space_of(problem, joint);
    CHECK(trouble(problem, space, joint, testkit::options_for(problem.frame)) == "");
    SolveOptions options = testkit::options_for(problem.frame);
    options.objective = Objective::parse("edp");
    CHECK(trouble(problem, space, joint, options) == "");
  });
}

TEST_CASE("three layers under one storage choice") {
  by_seed(2'000'000, testkit::cases(12), 4, 3, [](const JointProblem& problem) {
    JointOptions joint;
    joint.fix_bypass = true;
    const exhaust::Space space = space_of(problem, joint);
    CHECK(trouble(problem, space, joint, testkit::options_for(problem.frame)) == "");
  });
}

TEST_CASE("the optimum of a network under one permutation a level is that of exhaustion") {
  by_seed(6'000'000, testkit::cases(12), 5, 2, [](const JointProblem& problem) {
    JointOptions joint;
    joint.fix_permutation = true;
    const exhaust::Space space = space_of(problem, joint);
    SolveOptions options = testkit::options_for(problem.frame);
    CHECK(trouble(problem, space, joint, options) == "");
    options.objective = Objective::parse("edp,activations");
    CHECK(trouble(problem, space, joint, options) == "");
    options.objective = Objective::parse("energy");
    CHECK(trouble(problem, space, joint, options) == "");
  });
}

TEST_CASE("one permutation a level and one storage choice, three layers") {
  by_seed(7'000'000, testkit::cases(8), 4, 3, [](const JointProblem& problem) {
    JointOptions joint;
    joint.fix_permutation = true;
    joint.fix_bypass = true;
    const exhaust::Space space = space_of(problem, joint);
    CHECK(trouble(problem, space, joint, testkit::options_for(problem.frame)) == "");
  });
}

TEST_CASE("limits leave a mapping, and a bound that holds") {
  by_seed(3'000'000, testkit::cases(12), 4, 2, [](const JointProblem& problem) {
    for (const bool agree : {false, true}) {
      JointOptions joint;
      joint.fix_bypass = agree;
      joint.fix_permutation = agree;
      const exhaust::Space space = space_of(problem, joint);
      SolveOptions options = testkit::options_for(problem.frame);
      if (!agree) options.objective = Objective::parse("edp");
      options.node_limit = 1;
      CHECK(trouble(problem, space, joint, options, true) == "");
      options.node_limit.reset();
      options.time_limit = 1e-9;
      CHECK(trouble(problem, space, joint, options, true) == "");
    }
  });
}

TEST_CASE("an interruption leaves a mapping, and a bound that holds") {
  std::stop_source source;
  source.request_stop();
  by_seed(4'000'000, testkit::cases(6), 4, 2, [&](const JointProblem& problem) {
    JointOptions joint;
    joint.fix_bypass = true;
    const exhaust::Space space = space_of(problem, joint);
    SolveOptions options = testkit::options_for(problem.frame);
    options.stop = source.get_token();
    CHECK(trouble(problem, space, joint, options, true) == "");
  });
}

// The activations that are found at once are no bound, nor is the EDP of the mappings that have
// them.
TEST_CASE("an interruption proves no goal before EDP, and every layer has its goals") {
  std::stop_source source;
  source.request_stop();
  std::size_t worse = 0;
  by_seed(4'500'000, testkit::cases(60), 96, 2, [&](const JointProblem& problem) {
    const Architecture& a = problem.frame.architecture;
    SolveOptions options = testkit::options_for(problem.frame);
    options.objective.goals = Objective::parse("activations,edp").goals;
    const NetworkSolution best = solve_network(a, problem.network, options);
    options.stop = source.get_token();
    const NetworkSolution s = solve_network(a, problem.network, options);
    if (best.status != Status::optimal || s.goals.empty()) return;
    CHECK(s.goals[0].bound <= best.goals[0].value);
    worse += s.goals[0].value > best.goals[0].value ? 1 : 0;
    for (const LayerSolution& layer : s.layers) {
      REQUIRE(layer.solution.goals.size() == layer.objective.goals.size());
      for (std::size_t k = 0; k < layer.solution.goals.size(); ++k) {
        const GoalResult& goal = layer.solution.goals[k];
        CHECK(goal.goal == layer.objective.goals[k]);
        CHECK(goal.value == layer.objective.value(goal.goal, *layer.solution.metrics));
        CHECK(goal.bound <= goal.value);
      }
    }
  });
  if (testkit::cases(60) == 60) CHECK(worse > 0);
}

TEST_CASE("the answer does not depend on the number of threads") {
  by_seed(5'000'000, testkit::cases(8), 12, 3, [](const JointProblem& problem) {
    JointOptions joint;
    joint.fix_bypass = true;
    SolveOptions options = testkit::options_for(problem.frame);
    const auto one = solve_network(problem.frame.architecture, problem.network, options, {}, joint);
    options.threads = 4;
    const auto four =
        solve_network(problem.frame.architecture, problem.network, options, {}, joint);
    for (std::size_t i = 0; i < one.layers.size(); ++i) {
      CHECK(one.layers[i].solution.mapping == four.layers[i].solution.mapping);
      CHECK(one.layers[i].solution.nodes == four.layers[i].solution.nodes);
    }
  });
}

TEST_CASE("per layer, EDP is each layer's own, and heuristics cannot be made to agree") {
  Choices choices(7);
  const JointProblem problem = random_problem(choices, 8, 2);
  SolveOptions options = testkit::options_for(problem.frame);
  options.objective = Objective::parse("edp");
  JointOptions joint;
  joint.per_layer = true;
  const Architecture& a = problem.frame.architecture;
  const NetworkSolution each = solve_network(a, problem.network, options, {}, joint);
  CHECK(each.goals.empty());
  for (const LayerSolution& layer : each.layers) {
    if (layer.solution.status != Status::optimal) continue;
    CHECK(layer.solution.goals[0].value == layer.solution.metrics->edp());
  }
  joint.fix_bypass = true;
  CHECK_THROWS_AS(solve_network(a, problem.network, options, {}, joint), InputError);
  joint.per_layer = false;
  options.method = Method::greedy;
  CHECK_THROWS_AS(solve_network(a, problem.network, options, {}, joint), InputError);
}

// The search for one permutation per level branches on the order of two loops. It has to find the
// least sum over all permutations, each tried by itself: layers under that order, one by one.
TEST_CASE("one permutation for all layers is the best of all permutations") {
  std::size_t networks = 0;
  by_seed(9'500'000, testkit::cases(120), 48, 2, [&](const JointProblem& problem) {
    std::vector<Dim> dims;
    for (const Dim j : kAllDims) {
      const auto& layers = problem.network.layers;
      if (std::ranges::any_of(layers, [j](auto& l) { return l.workload.bound(j) > 1; })) {
        dims.push_back(j);
      }
    }
    if (dims.size() != 3) return;
    JointOptions joint;
    joint.fix_permutation = true;
    SolveOptions options = testkit::options_for(problem.frame);
    options.objective = Objective::parse("activations");
    const NetworkSolution solution =
        solve_network(problem.frame.architecture, problem.network, options, {}, joint);
    const std::optional<Rational> least = least_over_permutations(problem, dims, options);
    CHECK((solution.status == Status::optimal) == least.has_value());
    if (!least) return;
    ++networks;
    CHECK(disagreement(problem, solution, joint) == "");
    CHECK(solution.goals[0].value == *least);
  });
  if (testkit::cases(120) == 120) CHECK(networks > 0);
}

// With K innermost a layer reads C + 2*C*K elements, with C innermost K + 2*C*K. The first layer
// has more MACs, so it decides the first agreement that is tried, but loses only 1 in the order
// that saves 6 on the second. Both directions: neither branch of the search may be forgotten.
TEST_CASE("the heaviest layer gives way, to either order of two loops") {
  const Architecture a = parse_architecture(kAllLoopsAtTheDram, "a.yaml");
  JointOptions joint;
  joint.fix_permutation = true;
  SolveOptions options;
  options.objective = Objective::parse("energy");
  options.row_model = RowModel::none;
  for (const bool swapped : {false, true}) {
    CAPTURE(swapped);
    const Network network =
        swapped ? Network{"swapped", {row_times_matrix("a", 9, 8), row_times_matrix("b", 2, 8)}}
                : Network{"net", {row_times_matrix("a", 8, 9), row_times_matrix("b", 8, 2)}};
    const NetworkSolution solution = solve_network(a, network, options, {}, joint);
    CHECK(solution.status == Status::optimal);
    CHECK(solution.goals[0].value == (9 + 2 * 72) + (2 + 2 * 16));
    CHECK(solution.goals[0].bound == solution.goals[0].value);
    CHECK(solution.agreement->free[0].value == (8 + 2 * 72) + (2 + 2 * 16));
    const LoopPrecedence order = precedence_of(solution.agreement->permutations);
    CHECK(order.demands(3, swapped ? Dim::K : Dim::C, swapped ? Dim::C : Dim::K));
  }
}
