// The events: problem, optimum, and a closed tree for every goal and storage choice.
#include <algorithm>

#include "dram_pim/io/result_json.hpp"
#include "dram_pim/proof/claim.hpp"
#include "dram_pim/proof/forest.hpp"
#include "dram_pim/proof/provable.hpp"
#include "files/sha256.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/limited.hpp"

namespace pimbb::dram_pim {
namespace proof {
namespace {

class Prover {
 public:
  Prover(const Architecture& a, const Workload& w, const Question& question,
         const RunLimits& limits, const Solution& solution,
         const std::vector<ProofTracer*>& tracers)
      : a_(a),
        w_(w),
        question_(question),
        clock_(limits),
        guard_{[this] { return clock_.stopped(); }, limits.memory_limit},
        solution_(solution),
        tracers_(tracers) {}

  void run() {
    const std::string problem = canonical_instance(a_, w_, question_.objective, question_.row_model,
                                                   question_.caps, question_.constraints);
    tell(&ProofTracer::begin, files::sha256(problem), problem);
    const bool limited = !question_.caps.empty() || question_.constraints.any();
    if (solution_.status == Status::infeasible && limited) {
      tell(&ProofTracer::infeasible);
      grow();
      const Claim claim(forest_->scale(), question_.objective, caps_);
      const auto thresholds = thresholds_of(claim);
      tell(&ProofTracer::none_within, forest_->latencies(thresholds));
      forest_->close(claim, thresholds, tracers_);
    } else if (solution_.status == Status::infeasible) {
      tell(&ProofTracer::infeasible);
      tell_overflows(a_, w_, guard_, tracers_);
    } else {
      tell(&ProofTracer::incumbent, io::mapping_json(a_, *solution_.mapping).dump());
      grow();
      for (std::size_t g = 0; g < question_.objective.goals.size(); ++g) prove_goal(g);
    }
    tell(&ProofTracer::end);
  }

 private:
  template <class Event, class... Arguments>
  void tell(Event event, const Arguments&... arguments) const {
    for (ProofTracer* const tracer : tracers_) (tracer->*event)(arguments...);
  }

  void grow() {
    forest_.emplace(a_, w_, question_, guard_);
    for (const GoalCap& cap : question_.caps) {
      const mapper::Target target(forest_->scale(), question_.objective, cap.goal);
      // A negative limit excludes everything; no cost is below 0, and the checker refuses it.
      if (const auto most = target.scaled_cap(cap.most)) caps_.emplace_back(cap.goal, *most);
    }
  }

  [[nodiscard]] std::vector<Int128> thresholds_of(const Claim& claim) const {
    return claim.thresholds(claim.trades_off() ? forest_->least() : mapper::Costs{});
  }

  void prove_goal(std::size_t position) {
    const mapper::Scale& scale = forest_->scale();
    const Metrics& metrics = *solution_.metrics;
    const mapper::Costs optimum{scale.scaled_latency(metrics.latency),
                                scale.scaled_energy(metrics.energy),
                                scale.scaled_activations(metrics.activations())};
    const Claim claim(scale, question_.objective, position, optimum, caps_);
    const auto thresholds = thresholds_of(claim);
    tell(&ProofTracer::goal, claim.goal(), question_.objective.value(claim.goal(), metrics),
         forest_->latencies(thresholds));
    forest_->close(claim, thresholds, tracers_);
  }

  const Architecture& a_;
  const Workload& w_;
  const Question& question_;
  run::Clock clock_;
  run::Guard guard_;
  const Solution& solution_;
  const std::vector<ProofTracer*>& tracers_;
  std::optional<Forest> forest_;
  Claim::Caps caps_;
};

}  // namespace
}  // namespace proof

void prove(const Architecture& architecture, const Workload& workload, const Question& question,
           const RunLimits& limits, const Solution& solution,
           const std::vector<ProofTracer*>& tracers) {
  if (question.method != Method::exact) {
    throw InputError("proof: found method '" + std::string(name(question.method)) +
                     "', allowed is exact");
  }
  proof::check_provable(workload, question, solution.status);
  run::limited(limits, "proof", [&] {
    proof::Prover(architecture, workload, question, limits, solution, tracers).run();
  });
}

Proof prove(const Architecture& architecture, const Workload& workload, const Question& question,
            const RunLimits& limits, const Solution& solution) {
  Proof proof;
  ProofWriter writer([&](std::string_view piece) { proof.text += piece; });
  prove(architecture, workload, question, limits, solution, {&writer});
  proof.inner_nodes = writer.inner_nodes();
  proof.leaves = writer.leaves();
  return proof;
}

}  // namespace pimbb::dram_pim
