// The proof of a front: its mappings, and one closed tree for each storage choice.
#include "answers/selection.hpp"
#include "dram_pim/io/result_json.hpp"
#include "dram_pim/proof/forest.hpp"
#include "dram_pim/proof/front_claim.hpp"
#include "dram_pim/proof/provable.hpp"
#include "files/sha256.hpp"
#include "pimbb/dram_pim/front_proof.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/limited.hpp"

namespace pimbb::dram_pim {
namespace proof {
namespace {

void check_exact(const Question& question) {
  if (question.method != Method::exact) {
    throw InputError("proof: found method '" + std::string(name(question.method)) +
                     "', allowed is exact");
  }
}

Status solved(FrontStatus status) {
  if (status == FrontStatus::complete) return Status::optimal;
  return status == FrontStatus::infeasible ? Status::infeasible : Status::feasible;
}

class FrontProver {
 public:
  FrontProver(const Architecture& a, const Workload& w, const Question& question,
              const RunLimits& limits)
      : a_(a),
        w_(w),
        question_(question),
        clock_(limits),
        guard_{[this] { return clock_.stopped(); }, limits.memory_limit} {}

  FrontProofSize run(const Front& front, const std::function<void(std::string_view)>& sink) {
    FrontProofSize size;
    const auto counted = [&](std::string_view text) {
      size.bytes += text.size();
      sink(text);
    };
    const Objective axes{front.axes, question_.objective.alpha, question_.objective.beta};
    const std::string instance = canonical_instance(a_, w_, axes, question_.row_model,
                                                    question_.caps, question_.constraints);
    counted("pimbb-front-proof/1\nsha256 " + files::sha256(instance) + "\ninstance " + instance +
            "\npoints " + std::to_string(front.points.size()) + "\n");
    for (const FrontPoint& point : front.points) {
      counted("mapping " + io::mapping_json(a_, point.mapping).dump() + "\n");
    }
    const Forest forest(a_, w_, question_, guard_);
    const FrontClaim claim(forest.scale(), axes, costs_of(forest.scale(), front), question_.caps);
    const std::vector<Int128> thresholds = claim.thresholds();
    ProofWriter writer(counted);
    writer.none_within(forest.latencies(thresholds));
    forest.close(claim, thresholds, {&writer});
    writer.end();
    size.leaves = writer.leaves();
    return size;
  }

 private:
  static std::vector<mapper::Costs> costs_of(const mapper::Scale& scale, const Front& front) {
    std::vector<mapper::Costs> all;
    for (const FrontPoint& point : front.points) {
      all.push_back({scale.scaled_latency(point.metrics.latency),
                     scale.scaled_energy(point.metrics.energy),
                     scale.scaled_activations(point.metrics.activations())});
    }
    return all;
  }

  const Architecture& a_;
  const Workload& w_;
  const Question& question_;
  run::Clock clock_;
  run::Guard guard_;
};

}  // namespace
}  // namespace proof

FrontProofSize prove(const Architecture& architecture, const Workload& layer,
                     const Question& question, const RunLimits& limits, const Front& front,
                     const std::function<void(std::string_view)>& sink) {
  proof::check_exact(question);
  proof::check_provable(layer, question, proof::solved(front.status));
  answers::check_whole(front.status, front.points.size(), front.found);
  FrontProofSize size;
  run::limited(limits, "proof", [&] {
    size = proof::FrontProver(architecture, layer, question, limits).run(front, sink);
  });
  return size;
}

}  // namespace pimbb::dram_pim
