// The goals of the instance are the axes. Each point is attained by a mapping within the limits,
// and none of them is as good as another one on every axis. The trees show that every mapping
// within the limits costs at least as much as one of the points on every axis. Together: the points
// are the front, all of it and nothing else.
//
// A part of the space is closed if its lower bounds, together, exceed a limit or are as bad as one
// of the points on every axis. Both hold for all higher costs then, because limits grow with
// latency, energy and activations.
#include "front.hpp"

#include <algorithm>

#include "document.hpp"

namespace pimbb_check {
namespace {

class FrontProof : public Whole {
 public:
  explicit FrontProof(const std::string& instance) : p_(instance) {
    const auto is_axis = [](Goal goal) {
      return goal == Goal::latency || goal == Goal::energy || goal == Goal::activations;
    };
    require(p_.goals.size() >= 2 && std::all_of(p_.goals.begin(), p_.goals.end(), is_axis),
            "the axes of a front are two or three of latency, energy, activations");
  }

  void read_points(Lines& lines) {
    pimbb_check::read_points(lines, [this](const std::string& mapping) { read_point(mapping); });
  }

  [[nodiscard]] bool may_be_better(const Cost& part) const override {
    return within_limits(part) && !covered(part);
  }

  [[nodiscard]] bool looks_at(Goal cost) const override {
    const auto depends = [&](Goal goal) {
      return goal == cost ||
             (cost != Goal::activations && (goal == Goal::edp || goal == Goal::blended));
    };
    return std::any_of(p_.goals.begin(), p_.goals.end(), depends) ||
           std::any_of(p_.at_most.begin(), p_.at_most.end(),
                       [&](const auto& limit) { return depends(limit.first); });
  }

  [[nodiscard]] std::vector<Cost> as_good() const override { return points_; }
  [[nodiscard]] bool only_as_good() const override { return p_.at_most.empty(); }

  void describe(Report& report) const {
    report.problem = p_.description();
    std::vector<std::string> axes;
    for (const Goal goal : p_.goals) {
      axes.emplace_back(kGoalNames[static_cast<std::size_t>(goal)]);
    }
    report.claim = front_claim(axes, points_.size());
  }

 private:
  void read_point(const std::string& mapping) {
    const Cost cost = cost_of_mapping(p_, mapping);
    require(within_limits(cost), "the mapping is not within the limits");
    const Goal first = p_.goals.front();
    require(points_.empty() || points_.back().of(first, p_) <= cost.of(first, p_),
            "the points do not ascend on the first axis");
    require(!covered(cost), "another point is as good on every axis");
    require(std::none_of(points_.begin(), points_.end(),
                         [&](const Cost& point) { return no_worse(cost, point); }),
            "a point is as good as another one on every axis");
    points_.push_back(cost);
  }

  [[nodiscard]] bool no_worse(const Cost& a, const Cost& b) const {
    return std::all_of(p_.goals.begin(), p_.goals.end(),
                       [&](Goal axis) { return a.of(axis, p_) <= b.of(axis, p_); });
  }
  [[nodiscard]] bool covered(const Cost& cost) const {
    return std::any_of(points_.begin(), points_.end(),
                       [&](const Cost& point) { return no_worse(point, cost); });
  }
  [[nodiscard]] bool within_limits(const Cost& cost) const {
    return std::all_of(p_.at_most.begin(), p_.at_most.end(),
                       [&](const auto& limit) { return cost.of(limit.first, p_) <= limit.second; });
  }

  const Problem p_;
  std::vector<Cost> points_;  // ascending on the first axis
};

}  // namespace

void check_front(Lines& lines, const std::optional<std::string>& instance,
                 const ReadFrontTrees& read_trees, Report& report) {
  const std::string text = read_instance(lines, instance);
  FrontProof front(text);
  front.read_points(lines);
  report = read_trees(text, front);
  front.describe(report);
}

}  // namespace pimbb_check
