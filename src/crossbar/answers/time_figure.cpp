// Curves of cores from their cycles; the walk along a curve.
#include "crossbar/answers/time_figure.hpp"

#include <algorithm>
#include <utility>

#include "crossbar/answers/searches.hpp"
#include "crossbar/partition/placement.hpp"

namespace pimbb::crossbar::within {
namespace {

using pimbb::answers::Line;
using pimbb::answers::ValueCurve;
using Reason = StayEnd::Reason;

struct Stage {          // of a core
  std::int64_t cycles;  // in which
  std::int64_t active;  // so many array groups work
};

std::vector<Stage> stages_of(const Partition& p, const Mapping& mapping,
                             const std::vector<Share>& core) {
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;  // cycles, groups
  for (const Share& share : core) {
    steps.emplace_back(partition::cycles(p.arrays[share.array], mapping.replication[share.array]),
                       share.groups);
  }
  std::ranges::sort(steps, std::greater<>{});
  std::vector<Stage> stages;
  std::int64_t active = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    active += steps[i].second;
    const std::int64_t until = i + 1 < steps.size() ? steps[i + 1].first : 0;
    if (steps[i].first > until) stages.push_back({steps[i].first - until, active});
  }
  return stages;  // by ascending `active`
}

/// A sum of the greater of two terms is the greatest of the sums of either; here those in which the
/// stages of fewest array groups take t_mvm each and the others n * t_int.
void add_lines(std::vector<Line>& lines, const Mvm& mvm, const std::vector<Stage>& stages,
               TimeFigure figure) {
  for (std::size_t few = 0; few <= stages.size(); ++few) {
    Rational cycles;  // of t_mvm
    Rational starts;  // each t_int
    for (std::size_t i = 0; i < stages.size(); ++i) {
      if (i < few) {
        cycles += Rational(stages[i].cycles);
      } else {
        starts += Rational(stages[i].cycles) * Rational(stages[i].active);
      }
    }
    if (figure == TimeFigure::time) {
      lines.push_back({starts * Rational(mvm.interval), cycles});
    } else {
      lines.push_back({cycles * Rational(mvm.time), starts});
    }
  }
}

class WholeNumbers {
 public:
  WholeNumbers(pimbb::answers::VariedProblem& problem, std::size_t solution, std::int64_t from,
               std::int64_t to, int most)
      : problem_(problem),
        solution_(solution),
        near_(from),
        to_(to),
        up_(to >= from),
        most_(most) {}

  StayEnd run() {
    while (near_ != to_) {
      const ValueCurve& curve = problem_.curve(solution_);
      const Line line = up_ ? curve.line_above(near_) : curve.line_below(near_);
      const auto kink = up_ ? curve.kink_above(near_) : curve.kink_below(near_);
      const Rational far = kink && is_before(*kink, to_) ? *kink : to_;
      std::optional<StayEnd> end;
      if ((up_ ? line.slope : line.at_zero).sign() == 0) {
        near_ = far;  // no curve falls, and none rises faster than in proportion
      } else if ((up_ ? line.at_zero : line.slope).sign() == 0) {
        end = along(far);
      } else {
        end = to_next();
      }
      if (end) return *end;
    }
    return {Reason::range, to_, std::nullopt, std::nullopt};
  }

 private:
  [[nodiscard]] bool is_before(const Rational& p, const Rational& q) const {
    return up_ ? p < q : q < p;
  }

  /// To the end of a line that being optimal at both of its ends decides.
  std::optional<StayEnd> along(const Rational& far) {
    StayEnd end = up_ ? pimbb::answers::stay_up(problem_, solution_, near_, far)
                      : pimbb::answers::stay_down(problem_, solution_, near_, far);
    if (end.reason != Reason::range) return end;
    near_ = far;
    return std::nullopt;
  }

  /// To the next whole number.
  std::optional<StayEnd> to_next() {
    const std::int64_t below = *whole(near_);
    const bool is_whole = Rational(below) == near_;
    const Rational next = up_ ? below + 1 : is_whole ? below - 1 : below;
    if (most_-- == 0) return StayEnd{Reason::open, near_, std::nullopt, std::nullopt};
    const auto found = problem_.cheaper(next, problem_.curve(solution_).at(next));
    switch (found.state) {
      case pimbb::answers::VariedProblem::Found::State::none: near_ = next; return std::nullopt;
      case pimbb::answers::VariedProblem::Found::State::found:
        return StayEnd{Reason::beaten, near_, near_, found.solution};
      default: return StayEnd{Reason::open, near_, std::nullopt, std::nullopt};
    }
  }

  pimbb::answers::VariedProblem& problem_;
  std::size_t solution_;
  Rational near_;
  Rational to_;
  bool up_;
  int most_;
};

}  // namespace

ValueCurve throughput_curve(const Architecture& a, const Partition& p, const Mapping& mapping,
                            TimeFigure figure) {
  std::vector<Line> lines;
  for (const auto& core : mapping.cores) {
    add_lines(lines, a.mvm, stages_of(p, mapping, core), figure);
  }
  return ValueCurve(std::move(lines));
}

StayEnd stay_in_whole_numbers(pimbb::answers::VariedProblem& problem, std::size_t solution,
                              std::int64_t from, std::int64_t to, int most) {
  return WholeNumbers(problem, solution, from, to, most).run();
}

}  // namespace pimbb::crossbar::within
