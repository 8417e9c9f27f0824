// Let p_1, ..., p_n be the points by ascending `ht` and descending `ll`. A mapping that none of
// them equals or beats has less `ht` than p_1, or less `ll` than p_n, or its `ht` is at least that
// of p_i and below that of p_(i+1) for some i, and its `ll` is below that of p_i. So there are n +
// 1 trees: no mapping has less `ht` than p_1; for each i none has both less `ht` than p_(i+1) and
// less `ll` than p_i; none has less `ll` than p_n. Without a point there is one: no mapping is
// legal.
#include "front.hpp"

#include <algorithm>

#include "../document.hpp"
#include "boxes.hpp"
#include "latency.hpp"

namespace pimbb_check::crossbar {
namespace {

using Point = std::array<Rational, 2>;  // by kGoalNames, ns

class FrontProof {
 public:
  explicit FrontProof(const std::string& instance) : p_(instance, /*front=*/true), latency_(p_) {}

  void read_points(Lines& lines) {
    pimbb_check::read_points(lines, [this](const std::string& mapping) { read_point(mapping); });
  }

  void read_trees(Lines& lines) {
    if (p_.goals[0] == kLl) std::ranges::reverse(points_);
    if (points_.empty()) {
      check_infeasible(p_, lines, work_);
    } else {
      check_throughput_tree(p_, points_.front()[kHt], lines, work_);
      for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
        check_joint_tree(p_, points_[i + 1][kHt], points_[i][kLl], lines, work_);
      }
      check_latency_tree(p_, points_.back()[kLl], lines, work_);
    }
    require(lines.next() == "end", "the proof does not end here");
  }

  void describe(Report& report) const {
    report.problem = p_.description();
    report.claim = front_claim({p_.goal_name(0), p_.goal_name(1)}, points_.size());
    report.details = work_.described();
  }

 private:
  void read_point(const std::string& mapping) {
    const Legal legal = legal_mapping(p_, mapping);
    const Point point{Rational(cpp_int(legal.ht)), latency_.value(legal.replication)};
    require(points_.empty() || (points_.back()[p_.goals[0]] < point[p_.goals[0]] &&
                                points_.back()[p_.goals[1]] > point[p_.goals[1]]),
            "the points do not ascend on the first axis and descend on the second");
    points_.push_back(point);
  }

  const Problem p_;
  const Latency latency_;
  std::vector<Point> points_;  // as they stand; then by ascending `ht`
  TreeWork work_;
};

}  // namespace

void check_front(Lines& lines, const std::optional<std::string>& instance, Report& report) {
  FrontProof front(read_instance(lines, instance));
  front.read_points(lines);
  front.read_trees(lines);
  front.describe(report);
}

}  // namespace pimbb_check::crossbar
