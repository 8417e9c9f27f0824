// The proof of a front: its mappings, and a tree for each step of the staircase of its points.
#include <algorithm>

#include "answers/selection.hpp"
#include "crossbar/proof/canonical.hpp"
#include "crossbar/proof/refute.hpp"
#include "files/sha256.hpp"
#include "pimbb/crossbar/front_proof.hpp"
#include "pimbb/proof_pieces.hpp"
#include "run/clock.hpp"
#include "run/limited.hpp"

namespace pimbb::crossbar {
namespace proof {
namespace {

/// Along the points `ht` ascends and `ll` descends.
struct Corner {
  std::int64_t ht = 0;  // ns
  Rational ll;          // ns
};

std::vector<Corner> corners_of(const Front& front) {
  std::vector<Corner> corners;
  for (const FrontPoint& point : front.points) {
    corners.push_back({point.metrics.ht, point.metrics.latency->ll});
  }
  std::ranges::sort(corners, {}, &Corner::ht);
  return corners;
}

/// Nothing is below the staircase of the points.
void refute_below(const assign::Problem& problem, const std::vector<Corner>& corners,
                  assign::Effort& effort, const assign::Trace& trace) {
  if (corners.empty()) return refute_all(problem, effort, trace);
  refute_throughput(problem, corners.front().ht, effort, trace);
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    refute_joint(problem, corners[i + 1].ht, corners[i].ll, effort, trace);
  }
  refute_latency(problem, corners.back().ll, effort, trace);
}

FrontProofSize write_front(const Architecture& architecture, const NodeGraph& graph,
                           const RunLimits& limits, const Front& front,
                           const std::function<void(std::string_view)>& sink) {
  const Partition partition = make_partition(architecture, graph);
  const assign::Problem problem(architecture, partition);
  const run::Clock clock(limits);
  assign::Effort effort = assign::Effort::within(limits, clock);
  const std::string instance = canonical_front_instance(architecture, graph, front.axes);
  ProofPieces pieces(sink);
  pieces.begin("pimbb-crossbar-front-proof/1", files::sha256(instance), instance);
  pieces.add("points " + std::to_string(front.points.size()) + "\n");
  for (const FrontPoint& point : front.points) pieces.mapping(mapping_text(point.mapping));
  FrontProofSize size;
  refute_below(problem, corners_of(front), effort, [&](const std::string& record) {
    pieces.add(record + "\n");
    ++size.records;
  });
  pieces.end();
  size.bytes = pieces.bytes();
  return size;
}

}  // namespace
}  // namespace proof

FrontProofSize prove(const Architecture& architecture, const NodeGraph& graph,
                     const RunLimits& limits, const Front& front,
                     const std::function<void(std::string_view)>& sink) {
  proof::check_covered(architecture);
  answers::check_whole(front.status, front.points.size(), front.found);
  FrontProofSize size;
  run::limited(limits, "proof",
               [&] { size = proof::write_front(architecture, graph, limits, front, sink); });
  return size;
}

}  // namespace pimbb::crossbar
