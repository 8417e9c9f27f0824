// The checker as a library, on proofs that never touch a file.
#include "cim/certify.hpp"

#include <random>
#include <sstream>

namespace certify {

using namespace pimbb;
using namespace pimbb::cim;

void InProcessChecker::begin(const std::string& sha256, const std::string& instance) {
  checker_.begin(sha256, instance);
}
void InProcessChecker::incumbent(const std::string& mapping) { checker_.incumbent(mapping); }
void InProcessChecker::infeasible() { checker_.infeasible(); }
void InProcessChecker::goal(Goal goal, const Rational& optimum) {
  checker_.goal(std::string(name(goal)), optimum.to_string());
}
void InProcessChecker::scheme(SchemeReason reason, std::uint64_t image) {
  checker_.scheme({static_cast<pimbb_check::cim::Reason>(reason), image});
}
void InProcessChecker::end() { checker_.end(); }

std::string unproven(const Architecture& a, const Workload& layer, const Question& question,
                     const Solution& solution) {
  InProcessChecker checker;
  try {
    prove(a, layer, question, {}, solution, {&checker});
  } catch (const std::exception& error) {
    return std::string("no proof: ") + error.what();
  }
  const auto& optimum = checker.report().optimum;
  if (!checker.report().accepted) return "not accepted";
  const bool infeasible = solution.status == Status::infeasible;
  if (optimum.size() != (infeasible ? 0 : question.objective.goals.size())) return "lost goals";
  for (std::size_t g = 0; g < optimum.size(); ++g) {
    if (optimum[g].second != solution.goals[g].value.to_string()) return "another value";
  }
  return "";
}

pimbb_check::Report checked(const std::string& proof) {
  std::istringstream stream(proof);
  return pimbb_check::check(stream);
}

Solution claim(const Architecture& a, const Workload& layer, const Question& question,
               const Mapping& mapping) {
  Solution solution;
  solution.status = Status::optimal;
  solution.mapping = mapping;
  solution.metrics = evaluate(a, layer, mapping, question.pricing);
  for (const Goal goal : question.objective.goals) {
    const Rational value =
        question.objective.value(goal, solution.metrics->latency, solution.metrics->energy);
    solution.goals.push_back({goal, value, value});
  }
  return solution;
}

Question random_question(std::uint64_t seed, bool simulated) {
  std::mt19937_64 random(seed ^ 0xC4E7);
  const auto pick = [&](std::uint64_t n) { return static_cast<std::size_t>(random() % n); };
  constexpr std::array goals{Goal::latency, Goal::energy, Goal::edp, Goal::blended};
  Question q;
  q.objective.goals = {goals[pick(4)]};
  if (pick(3) == 0) {
    const Goal second = goals[pick(4)];
    if (second != q.objective.goals[0]) q.objective.goals.push_back(second);
  }
  q.objective.alpha = Rational(static_cast<std::int64_t>(pick(9)), 7);
  q.pricing.semantics = simulated ? Semantics::simulator : static_cast<Semantics>(pick(2));
  q.pricing.contention = static_cast<Contention>(pick(3));
  if (simulated && q.pricing.contention == Contention::none && pick(2) == 0) {
    q.pricing.contention = Contention::ports;
  }
  q.pricing.padding = static_cast<cim::Padding>(pick(3));
  q.factors = static_cast<FactorRule>(pick(3));
  q.schemes = static_cast<SchemeRule>(pick(4) == 0);
  q.doubling = static_cast<DoubleRule>(pick(2) * pick(3));
  q.method = static_cast<Method>(pick(5) == 0);
  return q;
}

}  // namespace certify
