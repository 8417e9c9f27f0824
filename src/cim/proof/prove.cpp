// The events: problem, optimum, and for every goal the reason that closes each scheme.
//
// A proof says little: the checker knows the optimum from the start and follows the nests of the
// schemes that bounds leave open by itself. What is decided here is which schemes these are.
#include <algorithm>

#include "cim/io/mapping_json.hpp"
#include "cim/mapper/cost_to_go.hpp"
#include "cim/mapper/label_search.hpp"
#include "files/sha256.hpp"
#include "pimbb/cim/proof.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/guard.hpp"
#include "run/limited.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::cim {
namespace proof {
namespace {

using mapper::Scheme;
using mapper::Target;

constexpr std::size_t kAtOnce = 1024;  // schemes

class Prover {
 public:
  Prover(const Architecture& a, const Workload& given, const Question& question,
         const RunLimits& limits, const Solution& solution,
         const std::vector<ProofTracer*>& tracers)
      : a_(a),
        given_(given),
        layer_(question.pricing.padding == Padding::even ? padded(given, Padding::even) : given),
        question_(question),
        clock_(limits),
        solution_(solution),
        tracers_(tracers),
        units_(a),
        elements_(layer_),
        problem_(a, layer_, question_, units_, elements_),
        factors_(question.factors),
        guard_{[this] { return clock_.stopped(); }, limits.memory_limit, 0, {}} {}

  void run() {
    const std::string problem = canonical_instance(a_, given_, question_);
    tell(&ProofTracer::begin, files::sha256(problem), problem);
    prepare();
    if (solution_.status == Status::infeasible) {
      tell(&ProofTracer::infeasible);
      const Target target(units_, question_, question_.objective.goals[0]);
      close_all(target, Wide::infinity());
    } else {
      tell(&ProofTracer::incumbent, io::mapping_json(a_, *solution_.mapping).dump());
      goals();
    }
    tell(&ProofTracer::end);
  }

 private:
  template <class... Arguments, class... Given>
  void tell(void (ProofTracer::*event)(Arguments...), Given&&... given) {
    for (ProofTracer* tracer : tracers_) (tracer->*event)(given...);
  }

  void prepare() {
    const SchemeRule rule = question_.method == Method::ws ? SchemeRule::full : question_.schemes;
    schemes_ = mapper::spatial_schemes(a_, layer_, question_.pricing.padding, rule, guard_);
    guard_.need(schemes_.size() * (sizeof(Scheme) + sizeof(mapper::DimensionSteps)));
    for (const Scheme& scheme : schemes_) {
      mapper::DimensionSteps& steps = steps_.emplace_back();
      for (std::size_t j = 0; j < kDims; ++j) steps[j] = &factors_.of(scheme.extents[j]);
    }
    symmetric_ = mapper::is_symmetric(a_, layer_);
  }

  /// Values in the units of the search.
  void goals() {
    const Metrics& metrics = *solution_.metrics;
    const auto latency = metrics.latency.in_units(units_.cycle);
    const Workload layer = padded(layer_, question_.pricing.padding, solution_.mapping->unrolled());
    const cost::Nest nest(a_, units_, layer, elements_, *solution_.mapping);
    const Int128 total = units_.total(cost::dynamic_energy(nest), latency.value());
    std::vector<std::pair<Goal, Wide>> earlier;
    for (const GoalResult& result : solution_.goals) {
      Target target(units_, question_, result.goal);
      if (question_.pricing.semantics != Semantics::simulator) {
        for (const auto& [goal, value] : earlier) target.add_cap(goal, value);
      }
      tell(&ProofTracer::goal, result.goal, result.value);
      const Wide value = target.value(latency.value(), total);
      close_all(target, value);
      earlier.emplace_back(result.goal, value);
    }
  }

  struct Closed {
    SchemeReason reason = SchemeReason::bound;
    std::uint64_t image = 0;
  };

  void close_all(const Target& target, const Wide& value) {
    std::vector<Closed> closed;
    for (std::size_t begin = 0; begin < schemes_.size(); begin += kAtOnce) {
      closed.assign(std::min(kAtOnce, schemes_.size() - begin), {});
      run::parallel_for(closed.size(), [&](std::size_t k) {
        guard_.check();
        closed[k] = close(begin + k, target, value);
      });
      for (const Closed& one : closed) tell(&ProofTracer::scheme, one.reason, one.image);
    }
  }

  [[nodiscard]] Closed close(std::size_t k, const Target& target, const Wide& value) const {
    const Scheme& scheme = schemes_[k];
    if (symmetric_) {
      const Scheme mirror = mapper::mirrored(scheme);
      if (mapper::before(mirror, scheme)) return {SchemeReason::mirror, number_of(mirror)};
    }
    if (std::ranges::all_of(scheme.extents, [](std::int64_t extent) { return extent == 1; })) {
      return {SchemeReason::no_loops, 0};
    }
    const mapper::SchemeBound quick = mapper::quick_bound(problem_, scheme);
    if (!target.admits(quick.latency, quick.total, value)) return {};
    const mapper::SchemeBound bound = mapper::scheme_bound(problem_, scheme, steps_[k]);
    if (bound.latency >= mapper::kNever) return {};  // some tensor does not fit anywhere
    if (!target.admits(bound.latency, bound.total, value)) return {};
    return {SchemeReason::followed, 0};
  }

  [[nodiscard]] std::uint64_t number_of(const Scheme& scheme) const {
    const auto found = std::ranges::lower_bound(schemes_, scheme, mapper::before);
    return static_cast<std::uint64_t>(std::distance(schemes_.begin(), found));
  }

  const Architecture& a_;
  const Workload& given_;
  const Workload layer_;
  const Question& question_;
  run::Clock clock_;
  const Solution& solution_;
  const std::vector<ProofTracer*>& tracers_;
  const cost::Units units_;
  const Elements elements_;
  const mapper::Problem problem_;
  mapper::FactorTables factors_;
  run::Guard guard_;
  std::vector<Scheme> schemes_;
  std::vector<mapper::DimensionSteps> steps_;  // of each scheme
  bool symmetric_ = false;
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
