// The proof of a front: its mappings, and why nothing in each scheme is better than all of them on
// some axis.
#include <algorithm>

#include "answers/selection.hpp"
#include "cim/io/mapping_json.hpp"
#include "cim/mapper/target.hpp"
#include "cim/proof/scheme_reasons.hpp"
#include "files/sha256.hpp"
#include "pimbb/cim/front_proof.hpp"
#include "pimbb/cim/proof.hpp"
#include "pimbb/proof_pieces.hpp"
#include "run/clock.hpp"
#include "run/limited.hpp"

namespace pimbb::cim {
namespace proof {
namespace {

struct Costs {
  cost::Time latency = 0;
  Int128 total = 0;
};

/// Whether costs of a mapping, or lower bounds of them, keep the limits of the question and are
/// below every point on some axis.
class FrontClaim {
 public:
  FrontClaim(const SchemeReasons& schemes, const Question& question, const Front& front)
      : limits_(schemes.units(), question, front.axes.front()) {
    for (const FrontPoint& point : front.points) {
      const auto [latency, total] = schemes.costs_of(point.mapping, point.metrics);
      points_.push_back({latency, total});
    }
  }
  [[nodiscard]] bool may_be_better(cost::Time latency, Int128 total) const {
    return limits_.keeps_caps(latency, total) &&
           std::ranges::none_of(points_, [&](const Costs& point) {
             return point.latency <= latency && point.total <= total;
           });
  }

 private:
  const mapper::Target limits_;
  std::vector<Costs> points_;
};

FrontProofSize write_front(const Architecture& a, const Workload& layer, const Question& question,
                           const RunLimits& limits, const Front& front,
                           const std::function<void(std::string_view)>& sink) {
  const run::Clock clock(limits);
  const run::Guard guard{[&] { return clock.stopped(); }, limits.memory_limit, 0, {}};
  Question about = question;
  about.objective.goals = front.axes;
  const std::string instance = canonical_instance(a, layer, about);
  ProofPieces pieces(sink);
  pieces.begin("pimbb-cim-front-proof/1", files::sha256(instance), instance);
  pieces.add("points " + std::to_string(front.points.size()) + "\n");
  for (const FrontPoint& point : front.points) {
    pieces.mapping(io::mapping_json(a, point.mapping).dump());
  }
  const SchemeReasons schemes(a, layer, about, guard);
  const FrontClaim claim(schemes, about, front);
  FrontProofSize size;
  schemes.close_all(
      [&](cost::Time latency, Int128 total) { return claim.may_be_better(latency, total); },
      [&](SchemeReason reason, std::uint64_t image) {
        pieces.add(scheme_record(reason, image));
        ++size.schemes;
      });
  pieces.end();
  size.bytes = pieces.bytes();
  return size;
}

}  // namespace
}  // namespace proof

FrontProofSize prove(const Architecture& architecture, const Workload& layer,
                     const Question& question, const RunLimits& limits, const Front& front,
                     const std::function<void(std::string_view)>& sink) {
  answers::check_whole(front.status, front.points.size(), front.found);
  FrontProofSize size;
  run::limited(limits, "proof", [&] {
    size = proof::write_front(architecture, layer, question, limits, front, sink);
  });
  return size;
}

}  // namespace pimbb::cim
