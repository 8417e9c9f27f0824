// `ht` and `ll` at once: boxes of reduced mappings (crossbar/answers/joint_boxes.hpp), depth first,
// each closed by a count, by its greatest replications, by prices, or by a packing.
#include <algorithm>
#include <utility>

#include "crossbar/answers/joint_boxes.hpp"
#include "crossbar/answers/packer.hpp"
#include "crossbar/proof/refute.hpp"
#include "crossbar/proof/tree_records.hpp"

namespace pimbb::crossbar::proof {
namespace {

using assign::Box;
using joint::JointBoxes;

constexpr std::uint64_t kNodesOfPacking = 2'000;  // of a box that can still be halved

std::string digits(Int128 value) {
  std::string text;
  for (; value > 0; value /= 10) text += static_cast<char>('0' + static_cast<int>(value % 10));
  if (text.empty()) return "0";
  std::ranges::reverse(text);
  return text;
}

class JointRefutation {
 public:
  JointRefutation(const assign::Problem& problem, std::int64_t deadline, Rational below,
                  assign::Effort& effort, const assign::Trace& trace)
      : problem_(problem),
        boxes_(problem),
        deadline_(deadline),
        below_(std::move(below)),
        effort_(effort),
        trace_(trace),
        records_(boxes_.latency(), trace) {}

  void run() {
    records_.run(boxes_.root(), effort_, [this](Box& box, bool first) {
      boxes_.shrink(box, deadline_);
      return close(box, first);
    });
  }

 private:
  bool close(const Box& box, bool first) {
    if (const std::string why = boxes_.count_against(box, deadline_); !why.empty()) {
      return records_.told(why);
    }
    if (boxes_.value(box.most) >= below_) return records_.told("slow");
    const JointBoxes::Bound bound = boxes_.bound(box, deadline_, first, effort_.stop);
    if (bound.value >= below_) return told_bound(bound);
    if (box.least != box.most) return told_packing(box);
    trace_("pack");
    require_no(assign::pack(problem_, box.least, deadline_, effort_, trace_).answer);
    return true;
  }

  bool told_bound(const JointBoxes::Bound& bound) {
    if (!bound.prices) {
      return records_.told_mix("mix " + std::to_string(bound.mix.price), bound.mix);
    }
    return records_.told_mix("prices " + digits(bound.prices->crossbar) + " " +
                                 digits(bound.prices->work) + " " +
                                 std::to_string(bound.prices->width),
                             bound.mix);
  }

  /// Whether what all mappings of the box have to pack has no packing, by a short search.
  bool told_packing(const Box& box) {
    if (!joint::is_small(problem_)) return false;
    std::vector<std::string> refutation;
    assign::Effort part = effort_.part(kNodesOfPacking);
    const assign::Answer answer =
        assign::pack_least(problem_, box.least, box.most, deadline_, part,
                           [&](const std::string& record) { refutation.push_back(record); });
    effort_.add(part);
    if (answer != assign::Answer::no) return false;
    trace_("pack");
    for (const std::string& record : refutation) trace_(record);
    return true;
  }

  const assign::Problem& problem_;
  JointBoxes boxes_;
  const std::int64_t deadline_;  // ns
  const Rational below_;         // ns
  assign::Effort& effort_;
  const assign::Trace& trace_;
  TreeRecords records_;
};

}  // namespace

void refute_joint(const assign::Problem& problem, std::int64_t ht, const Rational& ll,
                  assign::Effort& effort, const assign::Trace& trace) {
  const std::int64_t deadline = problem.rounded_up(ht) - problem.quantum;
  JointRefutation(problem, deadline, ll, effort, trace).run();
}

}  // namespace pimbb::crossbar::proof
