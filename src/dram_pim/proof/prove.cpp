// The events: problem, optimum, and a closed tree for every goal and storage choice.
#include <algorithm>

#include "dram_pim/io/result_json.hpp"
#include "dram_pim/mapper/cost_to_go.hpp"
#include "dram_pim/proof/claim.hpp"
#include "dram_pim/proof/tree.hpp"
#include "dram_pim/solver/confines.hpp"
#include "dram_pim/solver/make_row_pricing.hpp"
#include "files/sha256.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/limited.hpp"

namespace pimbb::dram_pim {
namespace proof {
namespace {

using mapper::Costs;
using mapper::CostToGo;
using mapper::LevelTiles;
using mapper::Storage;

using Stores = std::vector<TensorFlags>;

/// "iwo/i-o/iwo/iwo": what each level stores, innermost first.
std::string storage_name(const Stores& stores) {
  std::string text;
  for (const TensorFlags& flags : stores) {
    if (!text.empty()) text += '/';
    for (const Tensor t : kAllTensors) text += flags[index(t)] ? name(t).front() : '-';
  }
  return text;
}

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
      build_instance();
      const Claim claim(instance_->scale, question_.objective, caps_);
      const auto thresholds = claim.thresholds(claim.trades_off() ? least() : Costs{});
      tell(&ProofTracer::none_within, latencies(thresholds));
      close_all(claim, thresholds);
    } else if (solution_.status == Status::infeasible) {
      tell(&ProofTracer::infeasible);
      for (const Stores& stores : mapper::storage_choices(a_, guard_)) {
        guard_.check();
        overflow(stores, *obstacle(stores));
      }
    } else {
      tell(&ProofTracer::incumbent, io::mapping_json(a_, *solution_.mapping).dump());
      build_instance();
      for (std::size_t g = 0; g < question_.objective.goals.size(); ++g) prove_goal(g);
    }
    tell(&ProofTracer::end);
  }

 private:
  template <class Event, class... Arguments>
  void tell(Event event, const Arguments&... arguments) const {
    for (ProofTracer* const tracer : tracers_) (tracer->*event)(arguments...);
  }

  void build_instance() {
    instance_.emplace(a_, w_, question_.row_model, mapper::confines_of(a_, w_, question_),
                      mapper::make_scale(a_, w_), guard_);
    pricing_ = mapper::make_row_pricing(*instance_);
    for (const GoalCap& cap : question_.caps) {
      const mapper::Target target(instance_->scale, question_.objective, cap.goal);
      // A negative limit excludes everything; no cost is below 0, and the checker refuses it.
      if (const auto most = target.scaled_cap(cap.most)) caps_.emplace_back(cap.goal, *most);
    }
  }

  /// The first level that cannot hold the least that it must under a storage choice, if any: the
  /// whole layer in the DRAM, one element of each tensor stored everywhere else.
  [[nodiscard]] std::optional<std::size_t> obstacle(const Stores& stores) const {
    for (std::size_t m = 0; m < a_.levels.size(); ++m) {
      std::int64_t bytes = 0;
      for (const Tensor t : kAllTensors) {
        if (!stores[m][index(t)]) continue;
        const std::int64_t one =
            a_.tile_bytes(t, w_.tile_elements(t, m == a_.dram() ? w_.bounds : kOnes));
        bytes = m == a_.row_buffer() ? std::max(bytes, one) : bytes + one;
      }
      if (a_.levels[m].capacity && bytes > *a_.levels[m].capacity) return m;
    }
    return std::nullopt;
  }

  void overflow(const Stores& stores, std::size_t level) const {
    tell(&ProofTracer::overflow, storage_name(stores), level);
  }

  void prove_goal(std::size_t position) {
    const auto& scale = instance_->scale;
    const Metrics& metrics = *solution_.metrics;
    const Costs optimum{scale.scaled_latency(metrics.latency), scale.scaled_energy(metrics.energy),
                        scale.scaled_activations(metrics.activations())};
    const Claim claim(scale, question_.objective, position, optimum, caps_);
    const auto thresholds = claim.thresholds(claim.trades_off() ? least() : Costs{});
    tell(&ProofTracer::goal, claim.goal(), question_.objective.value(claim.goal(), metrics),
         latencies(thresholds));
    close_all(claim, thresholds);
  }

  /// Thresholds as the document has them: the first latency above each.
  [[nodiscard]] std::vector<std::string> latencies(const std::vector<Int128>& thresholds) const {
    std::vector<std::string> texts;
    for (const Int128 t : thresholds) {
      texts.push_back(t == mapper::kInfinity ? "inf" : instance_->scale.latency(t + 1).to_string());
    }
    return texts;
  }

  /// The trees of all storage choices that constraints leave.
  void close_all(const Claim& claim, const std::vector<Int128>& thresholds) const {
    for (const Stores& stores : mapper::storage_choices(a_, guard_)) {
      guard_.check();
      if (!instance_->constraints.keeps(stores)) continue;
      if (const auto level = obstacle(stores)) {
        overflow(stores, *level);
        continue;
      }
      tell(&ProofTracer::storage, storage_name(stores));
      with_tree(stores, thresholds, [&](const Tree& tree) { tree.prove(claim, tracers_); });
    }
  }

  /// A lower bound on latency and energy over all storage choices.
  [[nodiscard]] Costs least() const {
    Costs least{mapper::kInfinity, mapper::kInfinity, 0};
    for (const Stores& stores : mapper::storage_choices(a_, guard_)) {
      guard_.check();
      if (obstacle(stores) || !instance_->constraints.keeps(stores)) continue;
      with_tree(stores, {mapper::kInfinity}, [&](const Tree& tree) {
        const Costs costs = tree.least();
        least.latency = std::min(least.latency, costs.latency);
        least.energy = std::min(least.energy, costs.energy);
      });
    }
    return least;
  }

  template <class Use>
  void with_tree(const Stores& stores, const std::vector<Int128>& thresholds,
                 const Use& use) const {
    const Storage storage(a_, w_, instance_->scale, stores);
    const auto rows = pricing_->under(storage);
    const LevelTiles levels(a_, instance_->lattice, instance_->vectors, storage, true, {}, guard_,
                            instance_->constraints);
    const CostToGo cost_to_go(instance_->lattice, storage, levels, thresholds, {}, guard_);
    use(Tree(*instance_, storage, levels, *rows, cost_to_go, guard_));
  }

  const Architecture& a_;
  const Workload& w_;
  const Question& question_;
  run::Clock clock_;
  run::Guard guard_;
  const Solution& solution_;
  const std::vector<ProofTracer*>& tracers_;
  std::optional<mapper::Instance> instance_;
  std::unique_ptr<mapper::RowPricing> pricing_;
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
  if (question.layouts != LayoutRanges{} || workload.input_frame || workload.output_frame) {
    throw InputError("proof: layer '" + workload.name +
                     "': found layouts or frames given from outside, allowed are none");
  }
  if (question.at_most || question.below) {
    throw InputError("proof: found a limit on the first goal, allowed is none");
  }
  if (std::ranges::any_of(question.caps, [](const GoalCap& c) { return c.most.sign() < 0; })) {
    throw InputError("proof: found a limit below 0, allowed are limits >= 0");
  }
  if (question.precedence.any()) {
    throw InputError("proof: found fixed loop orders, allowed are none");
  }
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
  proof.inner_nodes = writer.inner_nodes();
  proof.leaves = writer.leaves();
  return proof;
}

}  // namespace pimbb::dram_pim
