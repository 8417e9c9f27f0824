// The goals of the instance are the axes. Each point is attained by a mapping within the limits of
// the question. They ascend on the first axis and descend on the second, so none is as good as
// another one on both. The schemes show that every mapping within the limits is as bad as one of
// the points on both axes. Together: the points are the front, all of it and nothing else.
//
// A bound closes a part of the space if it exceeds a limit or is as bad as one point on both axes:
// so are all higher costs.
#include "front.hpp"

#include <algorithm>

#include "../document.hpp"
#include "schemes.hpp"

namespace pimbb_check::cim {
namespace {

class FrontProof {
 public:
  explicit FrontProof(const std::string& instance)
      : p_(instance), units_(p_), claim_(p_, units_), schemes_(p_, units_) {
    const auto has = [&](Goal goal) { return std::ranges::count(p_.goals, goal) == 1; };
    require(p_.goals.size() == 2 && has(Goal::latency) && has(Goal::energy),
            "the axes of a front are latency and energy");
    require(p_.semantics != Semantics::simulator, "simulated latencies have no proven front");
  }

  void read_points(Lines& lines) {
    pimbb_check::read_points(lines, [this](const std::string& mapping) { read_point(mapping); });
  }

  void read_schemes(Lines& lines) {
    schemes_.begin();
    while (schemes_.wants_record()) {
      const auto record = scheme_record(lines.next());
      require(record.has_value(), "the record of a scheme is wanted here");
      schemes_.close(*record, claim_);
    }
    require(lines.next() == "end", "'end' is wanted here");
  }

  void describe(Report& report) const {
    report.problem = p_.description();
    report.claim = front_claim({axis(0), axis(1)}, points_);
    report.details = {schemes_.counts()};
  }

 private:
  [[nodiscard]] const char* axis(std::size_t k) const {
    return kGoalNames[static_cast<std::size_t>(p_.goals[k])];
  }

  void read_point(const std::string& mapping) {
    const Cost cost = schemes_.cost_of(mapping);
    require(!last_ || (last_->of(p_.goals[0], p_) < cost.of(p_.goals[0], p_) &&
                       last_->of(p_.goals[1], p_) > cost.of(p_.goals[1], p_)),
            "the points do not ascend on the first axis and descend on the second");
    claim_.add_point(cost.of(Goal::latency, p_), cost.of(Goal::energy, p_));
    last_ = cost;
    ++points_;
  }

  const Problem p_;
  const Units units_;
  Claim claim_;
  Schemes schemes_;
  std::size_t points_ = 0;
  std::optional<Cost> last_;
};

}  // namespace

void check_front(Lines& lines, const std::optional<std::string>& instance, Report& report) {
  const std::string text = read_instance(lines, instance);
  FrontProof front(text);
  front.read_points(lines);
  front.read_schemes(lines);
  front.describe(report);
}

}  // namespace pimbb_check::cim
