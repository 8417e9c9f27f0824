// `ht`: one deadline, by the same tree as the search. `ll`: boxes depth first, each closed by its
// greatest replications, by a mix of cuts, or by a packing.
#include "crossbar/proof/refute.hpp"

#include <utility>

#include "crossbar/assign/bounds.hpp"
#include "crossbar/assign/deadline.hpp"
#include "crossbar/assign/latency_boxes.hpp"
#include "crossbar/proof/tree_records.hpp"

namespace pimbb::crossbar::proof {
namespace {

using assign::Box;
using assign::LatencyBoxes;

class LatencyRefutation {
 public:
  LatencyRefutation(const assign::Problem& problem, Rational bound, assign::Effort& effort,
                    const assign::Trace& trace)
      : problem_(problem),
        boxes_(problem),
        bound_(std::move(bound)),
        effort_(effort),
        trace_(trace),
        records_(boxes_, trace) {}

  void run() {
    records_.run(boxes_.root(), effort_, [this](Box& box, bool first) {
      boxes_.tighten(box);
      return close(box, first);
    });
  }

 private:
  bool close(const Box& box, bool first) {
    if (LatencyBoxes::is_empty(box)) return records_.told("empty");
    if (!boxes_.has_room(box)) return records_.told("room");
    if (boxes_.value(box.most) >= bound_) return records_.told("slow");
    const assign::Allocation::Bound bound =
        first ? boxes_.first_bound(box, effort_.stop) : boxes_.bound(box, effort_.stop);
    if (bound.value >= bound_) {
      return records_.told_mix("mix " + std::to_string(bound.mix.price), bound.mix);
    }
    if (box.least != box.most) return false;
    trace_("pack");
    require_no(assign::pack(problem_, box.least, std::nullopt, effort_, trace_).answer);
    return true;
  }

  const assign::Problem& problem_;
  LatencyBoxes boxes_;
  const Rational bound_;
  assign::Effort& effort_;
  const assign::Trace& trace_;
  TreeRecords records_;
};

}  // namespace

void refute_throughput(const assign::Problem& problem, std::int64_t bound, assign::Effort& effort,
                       const assign::Trace& trace) {
  const std::int64_t deadline = problem.rounded_up(bound) - problem.quantum;
  std::uint64_t leaves = 0;
  require_no(assign::meets(problem, deadline, effort, leaves, trace).answer);
}

void refute_latency(const assign::Problem& problem, const Rational& bound, assign::Effort& effort,
                    const assign::Trace& trace) {
  LatencyRefutation(problem, bound, effort, trace).run();
}

void refute_all(const assign::Problem& problem, assign::Effort& effort,
                const assign::Trace& trace) {
  const std::vector<std::int64_t> ones(problem.families.size(), 1);
  if (!problem.has_room(ones)) return trace("room");
  assign::Needs needs;
  for (const ArrayNode& array : problem.p.arrays) {
    needs.groups.push_back(array.groups);
    needs.work.push_back(0);
  }
  if (const auto width = assign::refuting_width(problem, needs, std::nullopt)) {
    return trace("wide " + std::to_string(*width));
  }
  trace("pack");
  require_no(assign::pack(problem, ones, std::nullopt, effort, trace).answer);
}

}  // namespace pimbb::crossbar::proof
