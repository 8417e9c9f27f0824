// The events: problem, optimum, and for every goal the reason that closes each scheme.
//
// A proof says little: the checker knows the optimum from the start and follows the nests of the
// schemes that bounds leave open by itself. What is decided here is which schemes these are.
#include "cim/io/mapping_json.hpp"
#include "cim/proof/scheme_reasons.hpp"
#include "files/sha256.hpp"
#include "pimbb/cim/proof.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/limited.hpp"

namespace pimbb::cim {
namespace proof {
namespace {

using mapper::Target;

class Prover {
 public:
  Prover(const Architecture& a, const Workload& given, const Question& question,
         const RunLimits& limits, const Solution& solution,
         const std::vector<ProofTracer*>& tracers)
      : a_(a),
        given_(given),
        question_(question),
        clock_(limits),
        solution_(solution),
        tracers_(tracers),
        guard_{[this] { return clock_.stopped(); }, limits.memory_limit, 0, {}} {}

  void run() {
    const std::string problem = canonical_instance(a_, given_, question_);
    tell(&ProofTracer::begin, files::sha256(problem), problem);
    const SchemeReasons schemes(a_, given_, question_, guard_);
    if (solution_.status == Status::infeasible) {
      tell(&ProofTracer::infeasible);
      const Target target(schemes.units(), question_, question_.objective.goals[0]);
      close_all(schemes, target, Wide::infinity());
    } else {
      tell(&ProofTracer::incumbent, io::mapping_json(a_, *solution_.mapping).dump());
      goals(schemes);
    }
    tell(&ProofTracer::end);
  }

 private:
  template <class... Arguments, class... Given>
  void tell(void (ProofTracer::*event)(Arguments...), Given&&... given) {
    for (ProofTracer* tracer : tracers_) (tracer->*event)(given...);
  }

  void goals(const SchemeReasons& schemes) {
    const auto [latency, total] = schemes.costs_of(*solution_.mapping, *solution_.metrics);
    std::vector<std::pair<Goal, Wide>> earlier;
    for (const GoalResult& result : solution_.goals) {
      Target target(schemes.units(), question_, result.goal);
      if (question_.pricing.semantics != Semantics::simulator) {
        for (const auto& [goal, value] : earlier) target.add_cap(goal, value);
      }
      tell(&ProofTracer::goal, result.goal, result.value);
      const Wide value = target.value(latency, total);
      close_all(schemes, target, value);
      earlier.emplace_back(result.goal, value);
    }
  }

  void close_all(const SchemeReasons& schemes, const Target& target, const Wide& value) {
    schemes.close_all(
        [&](cost::Time latency, Int128 total) { return target.admits(latency, total, value); },
        [&](SchemeReason reason, std::uint64_t image) {
          tell(&ProofTracer::scheme, reason, image);
        });
  }

  const Architecture& a_;
  const Workload& given_;
  const Question& question_;
  run::Clock clock_;
  const Solution& solution_;
  const std::vector<ProofTracer*>& tracers_;
  run::Guard guard_;
};

}  // namespace
}  // namespace proof

void prove(const Architecture& architecture, const Workload& workload, const Question& question,
           const RunLimits& limits, const Solution& solution,
           const std::vector<ProofTracer*>& tracers) {
  if (solution.status != Status::optimal && solution.status != Status::infeasible) {
    throw InputError("proof: found a solution whose status is '" +
                     std::string(name(solution.status)) + "', allowed are optimal and infeasible");
  }
  run::limited(limits, "proof", [&] {
    proof::Prover(architecture, workload, question, limits, solution, tracers).run();
  });
}

Proof prove(const Architecture& architecture, const Workload& workload, const Question& question,
            const RunLimits& limits, const Solution& solution) {
  Proof proof;
  ProofWriter writer([&](std::string_view piece) { proof.text += piece; });
  prove(architecture, workload, question, limits, solution, {&writer});
  proof.schemes = writer.schemes();
  return proof;
}

}  // namespace pimbb::cim
