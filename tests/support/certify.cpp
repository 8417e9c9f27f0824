// The checker as a library, on proofs that never touch a file.
#include "support/certify.hpp"

#include <sstream>

#include "support/check_solution.hpp"
#include "support/solve_options.hpp"

namespace testkit {

using namespace pimbb;
using namespace pimbb::dram_pim;

Instance random_instance(std::uint64_t seed, const Size& size) {
  Choices choices(seed);
  return random_instance(choices, size);
}

Instance deep_traced_instance(std::uint64_t seed) {
  Choices choices(seed);
  Instance i = random_instance(choices, {.macs = 72, .levels = 4});
  i.row_model = RowModel::trace;
  i.objective = Objective::parse(choices.one_of<const char*>({"latency", "edp", "energy,edp"}));
  Architecture& a = i.architecture;
  a.pe_array.height = 2;
  a.pe_array.width = 2;
  a.interconnect_bandwidth = Rational(1 + static_cast<std::int64_t>(choices.pick(4)), 2);
  for (std::int64_t extra = 1; extra <= 3; ++extra) {
    MemoryLevel level = a.levels[1];
    level.name = "extra" + std::to_string(extra);
    level.capacity = 4 + 6 * extra + static_cast<std::int64_t>(choices.pick(6));
    level.access_cost = Rational(1 + static_cast<std::int64_t>(choices.pick(9)), 100);
    a.levels.insert(a.levels.begin() + 1 + extra, level);
  }
  for (MemoryLevel& level : a.levels) {
    level.stores = {true, true, true};
    level.bypass_free = false;
  }
  for (std::size_t m = 1; m < a.row_buffer(); ++m) {
    a.levels[m].shared_ports = true;
    a.levels[m].read_bandwidth = Rational(1 + static_cast<std::int64_t>(choices.pick(3)), 2);
    a.levels[m].write_bandwidth = Rational(1 + static_cast<std::int64_t>(choices.pick(3)), 2);
  }
  return i;
}

Certified certify(const Instance& i, int threads) {
  SolveOptions options = options_for(i);
  options.threads = threads;
  Solution solution = solve(i.architecture, i.workload, options);
  Proof proof = prove(i.architecture, i.workload, options, solution);
  return {std::move(solution), std::move(proof)};
}

void InProcessChecker::begin(const std::string& sha256, const std::string& instance) {
  checker_.begin(sha256, instance);
}
void InProcessChecker::incumbent(const std::string& mapping) { checker_.incumbent(mapping); }
void InProcessChecker::infeasible() { checker_.infeasible(); }
void InProcessChecker::none_within(const std::vector<std::string>& thresholds) {
  checker_.thresholds(thresholds);
}
void InProcessChecker::goal(Goal goal, const Rational& optimum,
                            const std::vector<std::string>& thresholds) {
  checker_.goal(std::string(name(goal)), optimum.to_string());
  checker_.thresholds(thresholds);
}
void InProcessChecker::storage(const std::string& stores) { checker_.storage(stores); }
void InProcessChecker::overflow(const std::string& stores, std::size_t level) {
  checker_.overflow(stores, level);
}
void InProcessChecker::inner(const Factors& tile, char loops) {
  checker_.node(pimbb_check::Record::inner, tile, loops);
}
void InProcessChecker::closed_by_bound(const Factors& tile, char loops) {
  checker_.node(pimbb_check::Record::bound, tile, loops);
}
void InProcessChecker::closed_by_cap(const Factors& tile, char loops) {
  checker_.node(pimbb_check::Record::cap, tile, loops);
}
void InProcessChecker::evaluated(const Factors& tile, char loops) {
  checker_.node(pimbb_check::Record::evaluated, tile, loops);
}
void InProcessChecker::ordered(const std::string& loops) { checker_.ordered(loops); }
void InProcessChecker::end() { checker_.end(); }

std::string unproven(const Instance& i, const Solution& solution) {
  InProcessChecker checker;
  try {
    prove(i.architecture, i.workload, options_for(i), solution, {&checker});
  } catch (const std::exception& error) {
    return std::string("no proof: ") + error.what();
  }
  return objection(i, solution, checker.report());
}

pimbb_check::Report checked(const std::string& proof) {
  std::istringstream stream(proof);
  return pimbb_check::check(stream);
}

std::string objection(const Instance& i, const Solution& solution,
                      const pimbb_check::Report& report) {
  if (!report.accepted) return report.reason;
  const bool infeasible = solution.status == Status::infeasible;
  if (report.optimum.size() != (infeasible ? 0 : i.objective.goals.size())) {
    return "another number of goals";
  }
  for (std::size_t g = 0; g < report.optimum.size(); ++g) {
    const auto& [goal, value] = report.optimum[g];
    if (goal != name(i.objective.goals[g]) || value != solution.goals[g].value.to_string()) {
      return goal + " = " + value + ", the solver says " + solution.goals[g].value.to_string();
    }
  }
  return "";
}

}  // namespace testkit
