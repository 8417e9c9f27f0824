// A tree of boxes, halved until the packings of their ends decide them.
#include "crossbar/answers/class_count.hpp"

#include <algorithm>

#include "exact/int128.hpp"

namespace pimbb::crossbar::classes {
namespace {

using assign::Answer;
using assign::LatencyBoxes;

constexpr std::uint64_t kMostClasses = std::uint64_t{1} << 63;

class ClassCounter {
 public:
  ClassCounter(const assign::Problem& problem, ClassBoxes& boxes, ClassPackings& packings,
               const Cutoff& cutoff, assign::Effort& effort,
               const std::function<void(const assign::Box&)>& visit)
      : problem_(problem),
        boxes_(boxes),
        packings_(packings),
        cutoff_(cutoff),
        deadline_(boxes.deadline(cutoff)),
        effort_(effort),
        visit_(visit),
        small_(joint::is_small(problem)) {}

  CountedBoxes run() {
    count(boxes_.root());
    return counted_;
  }

 private:
  bool may_spend() {
    if (effort_.exhausted() || effort_.stopped() || counted_.classes == kMostClasses) {
      counted_.all = false;
      return false;
    }
    const std::uint64_t nodes = small_ ? joint::nodes_of_box(problem_) : 1;
    effort_.spend_up_to(nodes);
    return true;
  }

  [[nodiscard]] Answer decide(const Replication& replication) {
    if (small_) return packings_.decide(replication, deadline_);
    return packings_.is_known(replication, deadline_) ? Answer::yes : Answer::undecided;
  }

  void add(const assign::Box& box) {
    const std::uint64_t more = replications_of(box);
    counted_.classes += std::min(more, kMostClasses - counted_.classes);
    visit_(box);
  }

  void count(assign::Box box) {
    if (!may_spend() || !boxes_.narrow(box, cutoff_, small_)) return;
    if (!small_ && !boxes_.has_known(packings_, box, cutoff_)) {
      counted_.all = false;
      return;
    }
    const bool is_alike = boxes_.is_alike(box, cutoff_);
    if (is_alike && decide(box.most) == Answer::yes) return add(box);
    if (is_alike && decide(box.least) == Answer::no) return;
    const std::optional<ClassBoxes::Halving> at = boxes_.widest_halving(box);
    if (!at) {
      counted_.all = false;
      return;
    }
    count(LatencyBoxes::low_half(box, *at));
    count(LatencyBoxes::high_half(std::move(box), *at));
  }

  const assign::Problem& problem_;
  ClassBoxes& boxes_;
  ClassPackings& packings_;
  const Cutoff& cutoff_;
  std::int64_t deadline_;
  assign::Effort& effort_;
  const std::function<void(const assign::Box&)>& visit_;
  bool small_;
  CountedBoxes counted_;
};

}  // namespace

std::uint64_t replications_of(const assign::Box& box) {
  UInt128 product = 1;
  for (std::size_t f = 0; f < box.least.size(); ++f) {
    product *= static_cast<UInt128>(box.most[f] - box.least[f] + 1);
    if (product >= kMostClasses) return kMostClasses;
  }
  return static_cast<std::uint64_t>(product);
}

bool to_next(Replication& replication, const assign::Box& box) {
  for (std::size_t f = replication.size(); f-- > 0;) {
    if (replication[f] < box.most[f]) {
      ++replication[f];
      return true;
    }
    replication[f] = box.least[f];
  }
  return false;
}

CountedBoxes count_classes(const assign::Problem& problem, ClassBoxes& boxes,
                           ClassPackings& packings, const Cutoff& cutoff, assign::Effort& effort,
                           const std::function<void(const assign::Box&)>& visit) {
  return ClassCounter(problem, boxes, packings, cutoff, effort, visit).run();
}

}  // namespace pimbb::crossbar::classes
