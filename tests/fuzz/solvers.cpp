// Tiny problems made of the bytes: solved, proven, checked and exhausted.
#include <algorithm>
#include <cstring>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cim/certify.hpp"
#include "cim/exhaust.hpp"
#include "cim/random_instance.hpp"
#include "crossbar/exhaustion.hpp"
#include "dram_pim/device/exhaust_device.hpp"
#include "dram_pim/device/random_device.hpp"
#include "fuzz/targets.hpp"
#include "lp/certificate.hpp"
#include "lp/exact_simplex.hpp"
#include "lp/programs.hpp"
#include "lp/simplex.hpp"
#include "pimbb/cim.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/crossbar/io.hpp"
#include "pimbb/crossbar/proof.hpp"
#include "pimbb/dram_pim/device_proof.hpp"
#include "pimbb/dram_pim/device_solver.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "support/certify.hpp"
#include "support/check_solution.hpp"
#include "support/random_constraints.hpp"
#include "support/solve_options.hpp"

namespace fuzz {

namespace {

using namespace pimbb;

/// Two bytes a choice: what a tape holds is below 2^20.
std::vector<std::uint32_t> tape_of(Bytes bytes) {
  std::vector<std::uint32_t> tape;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const auto high = static_cast<unsigned char>(bytes[i]);
    const auto low = static_cast<unsigned char>(bytes[i + 1]);
    tape.push_back(((std::uint32_t{high} << 8) + low) << 4);
  }
  return tape;
}

/// Eight bytes from `at` as a seed; 0 for those that are missing.
std::uint64_t seed_at(Bytes bytes, std::size_t at) {
  std::uint64_t seed = 0;
  if (at < bytes.size()) {
    std::memcpy(&seed, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
  }
  return seed;
}

void fail_if(const std::string& complaint) { require(complaint.empty(), complaint); }

void dram_pim_problem(Bytes bytes) {
  testkit::Choices choices(tape_of(bytes));
  const testkit::Instance i = testkit::random_instance(choices, {.macs = 12});
  const auto solution = dram_pim::solve(i.architecture, i.workload, testkit::options_for(i));
  const auto optimum = oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model);
  fail_if(testkit::complaint(i, solution, optimum));
}

void constrained_problem(Bytes bytes) {
  testkit::Choices choices(tape_of(bytes));
  const testkit::Instance i = testkit::random_instance(choices, {.macs = 8, .levels = 4});
  const dram_pim::Constraints constraints = testkit::random_constraints(choices, i);
  testkit::SolveOptions options = testkit::options_for(i);
  options.constraints = constraints;
  const auto solution = dram_pim::solve(i.architecture, i.workload, options);
  const auto optimum = oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model,
                                           testkit::part_of(constraints));
  fail_if(testkit::complaint(i, solution, optimum, false, false));
}

/// Device and layer are drawn from a seed, goals and phases from the bytes behind it.
void device_problem(Bytes bytes) {
  testkit::Choices choices(tape_of(bytes.substr(std::min<std::size_t>(8, bytes.size()))));
  testkit::DeviceInstance i =
      testkit::random_device_instance(seed_at(bytes, 0), {.macs = 12, .levels = 4});
  testkit::set_goals(i.objective, choices.one_of({"latency", "energy", "activations", "edp",
                                                  "blended", "energy,latency", "edp,activations"}));
  i.device.phases = choices.one_of({dram_pim::Phases::sequential, dram_pim::Phases::overlapped});
  dram_pim::Question question;
  question.objective = i.objective;
  question.row_model = i.row_model;
  const auto solution = dram_pim::solve(i.device, i.layer, i.moves, question);
  const std::vector<oracle::Fraction> least = exhaust::least_on_device(i);
  require(solution.status == (least.empty() ? Status::infeasible : Status::optimal), "status");
  if (least.empty()) return;
  for (std::size_t g = 0; g < least.size(); ++g) {
    require(solution.goals[g].value == least[g].to_rational(), "not the optimum");
    require(solution.goals[g].bound == solution.goals[g].value, "not proven");
  }
  std::string proof;
  dram_pim::prove(i.device, i.layer, i.moves, question, {}, solution,
                  [&](std::string_view piece) { proof += piece; });
  std::istringstream stream(proof);
  const pimbb_check::Report report = pimbb_check::check(stream);
  require(report.accepted, report.reason);
}

/// The accelerator and the layer are drawn from a seed, the question from the bytes behind it.
void cim_problem(Bytes bytes) {
  testkit::Choices choices(tape_of(bytes.substr(std::min<std::size_t>(8, bytes.size()))));
  cim::Question question;
  question.objective.goals = {
      choices.one_of({cim::Goal::latency, cim::Goal::energy, cim::Goal::edp, cim::Goal::blended})};
  question.objective.alpha = Rational(static_cast<std::int64_t>(choices.pick(9)), 7);
  question.pricing.semantics = choices.one_of({cim::Semantics::recursion, cim::Semantics::table3});
  question.pricing.contention = static_cast<cim::Contention>(choices.pick(3));
  const bool grow = choices.once_in(4);
  if (grow) question.pricing.padding = cim::Padding::ceil;
  question.factors = choices.one_of({cim::FactorRule::any, cim::FactorRule::prime});
  question.schemes = static_cast<cim::SchemeRule>(choices.pick(2));
  question.doubling = static_cast<cim::DoubleRule>(choices.pick(3));
  const auto [a, layer] = naive::random_instance(seed_at(bytes, 0), grow ? 3 : 5);
  const auto best = naive::exhausted(naive::all_mappings(a, layer, grow), question, a, layer);
  const cim::Solution solution = cim::solve(a, layer, question);
  require(solution.status == (best ? Status::optimal : Status::infeasible), "another status");
  fail_if(certify::unproven(a, layer, question, solution));
  if (!best) return;
  for (std::size_t g = 0; g < best->size(); ++g) {
    require(solution.goals[g].value == (*best)[g], "another optimum");
  }
}

/// A chain of convolutions on a few small cores.
crossbar::NodeGraph chain(testkit::Choices& choices) {
  crossbar::NodeGraph graph;
  graph.name = "chain";
  const auto side = static_cast<std::int64_t>(1 + choices.pick(5));
  const crossbar::Volume plane{3, side, side};
  graph.nodes.push_back({"input", "Input", crossbar::Op::input, {}, plane, plane, {}, {}});
  const std::size_t count = 1 + choices.pick(3);
  for (std::size_t n = 1; n <= count; ++n) {
    const crossbar::Volume in = graph.nodes.back().out;
    const auto kernel = static_cast<std::int64_t>(1 + choices.pick(2));
    const crossbar::WindowAxis axis{kernel, static_cast<std::int64_t>(1 + choices.pick(2)), 0,
                                    kernel - 1};
    const auto size = [&](std::int64_t length) {
      return (length + axis.after - axis.kernel) / axis.stride + 1;
    };
    const crossbar::Volume out{static_cast<std::int64_t>(1 + choices.pick(40)), size(in.height),
                               size(in.width)};
    graph.nodes.push_back(
        {"conv" + std::to_string(n), "Conv", crossbar::Op::conv, {n - 1}, in, out, axis, axis});
  }
  return graph;
}

crossbar::Architecture few_cores(testkit::Choices& choices) {
  crossbar::Architecture a = crossbar::read_architecture("pimcomp");
  a.cores = static_cast<std::int64_t>(1 + choices.pick(4));
  a.core.crossbars = static_cast<std::int64_t>(2 + choices.pick(7));
  a.core.rows = a.core.columns = 8;
  a.core.max_nodes = static_cast<std::int64_t>(1 + choices.pick(3));
  a.mvm = {static_cast<std::int64_t>(1 + choices.pick(9)) * 100,
           static_cast<std::int64_t>(1 + choices.pick(4)) * 50};
  return a;
}

/// No mapping with equal replication of a node's parts is legal and takes less than `deadline`.
bool exhausted(const crossbar::Architecture& a, const crossbar::Partition& p,
               std::optional<std::int64_t> deadline) {
  const auto all = testkit::replications(a, p);
  return std::none_of(all.begin(), all.end(), [&](const testkit::Replication& r) {
    for (std::size_t v = 0; v < r.size(); ++v) {
      if (r[v] != r[p.arrays[v].family]) return false;
    }
    return testkit::fits(a, p, r, deadline);
  });
}

void crossbar_problem(Bytes bytes) {
  testkit::Choices choices(tape_of(bytes));
  const crossbar::Question question{choices.one_of({crossbar::Goal::ht, crossbar::Goal::ll})};
  const crossbar::Architecture a = few_cores(choices);
  const crossbar::NodeGraph graph = chain(choices);
  const crossbar::Partition p = crossbar::make_partition(a, graph);
  const crossbar::Solution solution = crossbar::solve(a, p, question);
  require(solution.status == Status::optimal || solution.status == Status::infeasible, "unproven");
  const auto proof = crossbar::prove(a, graph, question, {}, solution);
  const pimbb_check::Report report = certify::checked(proof.text);
  require(report.accepted, report.reason);
  if (!solution.mapping) {
    require(exhausted(a, p, std::nullopt), "there is a mapping");
    return;
  }
  require(!crossbar::find_violation(a, p, *solution.mapping), "an illegal mapping");
  const crossbar::Metrics metrics = crossbar::evaluate(a, p, *solution.mapping);
  if (question.goal == crossbar::Goal::ll) {
    require(solution.result.value == metrics.latency->ll, "another value");
  } else {
    require(solution.result.value == Rational(metrics.ht), "another value");
    require(exhausted(a, p, metrics.ht), "there is a faster mapping");
  }
}

/// The simplex against the exact one, and its certificate.
void linear_program(Bytes bytes) {
  testkit::Draw draw(seed_at(bytes, 4));
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<int>(static_cast<unsigned char>(bytes[i])) : 0;
  };
  const testkit::RandomSize size{
      byte(0) % 7,           byte(1) % 8, byte(2) % 3 + 1, byte(3) % 2 == 1, (byte(3) / 2) % 2 == 0,
      (byte(3) / 4) % 2 == 1};
  const lp::LinearProgram program = testkit::random_program(draw, size);
  lp::Simplex simplex(program);
  const lp::SimplexStatus status = simplex.solve();
  const testkit::ExactResult exact = testkit::solve_exactly(program);
  require(status == exact.status, "another status");
  const lp::Certificate certificate = lp::certify(simplex, status);
  require(certificate.is_proved, "not proved");
  if (status != lp::SimplexStatus::optimal) return;
  require(*certificate.objective == exact.objective, "another optimum");
}

}  // namespace

std::vector<Target> solver_targets() {
  return {
      {"solve_cim", cim_problem},           {"solve_constrained", constrained_problem},
      {"solve_crossbar", crossbar_problem}, {"solve_device", device_problem},
      {"solve_dram_pim", dram_pim_problem}, {"solve_linear", linear_program},
  };
}

}  // namespace fuzz
