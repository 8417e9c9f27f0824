// Newton's method on the curves, line by line of the solution's curve.
//
// Both directions are one search: `near` is the end at which the solution is known to be optimal,
// `far` the other end, whichever is greater.
#include "answers/stay.hpp"

#include <algorithm>

namespace pimbb::answers {
namespace {

using State = VariedProblem::Found::State;
using Reason = StayEnd::Reason;

/// A value with few digits is taken from this share of the interval at its far end; from the second
/// one if that has too many still.
constexpr std::int64_t kRounding = 1024;
constexpr std::int64_t kCoarseRounding = 16;
/// How often all solutions within a share of the optimum are asked for, which share first, and
/// how much of an interval is given away for values of few digits.
constexpr int kLists = 48;
constexpr std::int64_t kFirstShare = 4;     // one over it
constexpr std::int64_t kLeastShare = 1024;  // one over it
constexpr std::int64_t kShareRounding = 8;

class StaySearch {
 public:
  StaySearch(VariedProblem& problem, std::size_t solution, bool up)
      : problem_(problem), solution_(solution), up_(up) {}

  StayEnd run(Rational near, const Rational& end) {
    while (near != end) {
      const ValueCurve& curve = problem_.curve(solution_);
      const Line line = up_ ? curve.line_above(near) : curve.line_below(near);
      std::optional<Rational> kink = up_ ? curve.kink_above(near) : curve.kink_below(near);
      const Rational far = kink && is_before(*kink, end) ? *kink : end;
      StayEnd part = along(line, near, far);
      if (part.reason != Reason::range) return part;
      near = far;
    }
    return {Reason::range, end, std::nullopt, std::nullopt};
  }

 private:
  /// Whether p is reached before q.
  [[nodiscard]] bool is_before(const Rational& p, const Rational& q) const {
    return up_ ? p < q : q < p;
  }

  [[nodiscard]] Rational nearer(const Rational& p, const Rational& q) const {
    return is_before(p, q) ? p : q;
  }

  /// Where another curve first goes below the line between near and far.
  [[nodiscard]] std::optional<Rational> first_below(const ValueCurve& other, const Line& line,
                                                    const Rational& near,
                                                    const Rational& far) const {
    const std::optional<OpenInterval> below = other.below(line);
    if (!below) return std::nullopt;
    const Rational low = max(below->from, up_ ? near : far);
    Rational high = up_ ? far : near;
    if (below->to && *below->to < high) high = *below->to;
    if (high <= low) return std::nullopt;
    return up_ ? low : high;
  }

  /// Whether being optimal at one end, or at both, is enough for all of the line.
  [[nodiscard]] bool ends_decide(const Line& line) const {
    return problem_.is_linear() || (up_ ? line.at_zero : line.slope).sign() == 0;
  }
  [[nodiscard]] bool is_free(const Line& line) const {
    return (up_ ? line.slope : line.at_zero).sign() == 0;
  }

  /// One line of the solution's curve, from near to far.
  StayEnd along(const Line& line, const Rational& near, const Rational& far) {
    if (is_free(line)) return {Reason::range, far, std::nullopt, std::nullopt};
    StayEnd end{Reason::range, far, std::nullopt, std::nullopt};
    while (true) {
      const auto probe = problem_.cheaper(end.proven, line.at(end.proven));
      if (probe.state == State::none) break;
      if (probe.state == State::stopped) {
        end.reason = Reason::open;
        end.proven = near;
        return end;
      }
      if (probe.state == State::too_fine) {
        const Rational rounded = rounded_before(end.proven, near);
        if (rounded == end.proven) return {Reason::open, near, end.beyond, end.next};
        if (end.reason == Reason::range) end.reason = Reason::open;
        end.proven = rounded;
        continue;
      }
      end = {Reason::beaten, near, near, probe.solution};
      if (const auto cross = first_below(problem_.curve(probe.solution), line, near, far)) {
        end.proven = *cross;
        end.beyond = *cross;
      }
      if (end.proven == near) return end;
    }
    return ends_decide(line) ? end : by_lists(line, near, end);
  }

  /// A number of few decimals from the last part of the way to `end`; `end` if it has so few. The
  /// figures of files are decimals: numbers like them share their denominators.
  [[nodiscard]] Rational rounded_before(const Rational& end, const Rational& near) const {
    for (const std::int64_t rounding : {kRounding, kCoarseRounding}) {
      const Rational before = end + (near - end) / Rational(rounding);
      Rational rounded = up_ ? shortest_between(before, end) : shortest_between(end, before);
      if (rounded != end) return rounded;
    }
    return end;
  }

  /// The solution is optimal at near and at end.proven: looks for curves that dip between them, in
  /// steps for which all solutions within some share of the optimum are needed. The share is as
  /// large as there are not too many solutions.
  StayEnd by_lists(const Line& line, Rational near, const StayEnd& end) {
    Rational share(1, kFirstShare);
    std::optional<Rational> too_much;
    for (int list = 0; list < kLists; ++list) {
      const Rational far = nearer(reached_by(line, near, share), end.proven);
      const auto all = all_that_dip(line, near, far);
      if (!all) {
        too_much = share;
        share /= Rational(2);
        if (share * Rational(kLeastShare) < Rational(1)) break;  // ties alone are too many
        continue;
      }
      std::optional<Rational> first;
      std::size_t next = 0;
      for (const std::size_t other : *all) {
        const auto cross = first_below(problem_.curve(other), line, near, far);
        if (cross && (!first || is_before(*cross, *first))) {
          first = cross;
          next = other;
        }
      }
      if (first) return {Reason::beaten, *first, *first, next};
      if (far == end.proven) return end;
      near = far;
      if (!too_much || share * Rational(4) <= *too_much) share *= Rational(2);
    }
    return {Reason::open, near, end.beyond, end.next};
  }

  /// What another solution costs at most, as a share more than the line, at one of two points
  /// between which it dips below the line: at the lower one, and at the higher one.
  struct Shares {
    Rational at_low, at_high;
  };
  static Shares shares_of(const Line& line, const Rational& low, const Rational& high) {
    const Rational by_growth = line.at(high) / line.at(low);
    if (low.sign() == 0) return {by_growth - Rational(1), by_growth};
    return {by_growth - Rational(1), high / low / by_growth - Rational(1)};
  }

  /// How far from `near` the share at one of the ends is enough, with few digits.
  [[nodiscard]] Rational reached_by(const Line& line, const Rational& near,
                                    const Rational& share) const {
    const Rational more = Rational(1) + share;
    const Rational value = line.at(near), own = line.slope * near;
    // Of the lower end: up, value * more = line; down, near / far = more * value / line.
    // Of the higher end: up, far / near = more * line / value; down, line * more = value.
    Rational far;
    if (up_) {
      far = (value * more - line.at_zero) / line.slope;
      const Rational rest = value - more * own;
      if (rest.sign() <= 0) return far + near + far * near;  // endless
      far = max(far, more * near * line.at_zero / rest);
    } else {
      far = near * line.at_zero / (more * value - own);
      const Rational other = (value / more - line.at_zero) / line.slope;
      if (other < far) far = max(other, 0);
    }
    const Rational rounded = far + (near - far) / Rational(kShareRounding);
    return up_ ? simplest_between(rounded, far) : simplest_between(far, rounded);
  }

  /// All solutions that cost less than the line between two points at which it is optimal.
  std::optional<std::vector<std::size_t>> all_that_dip(const Line& line, const Rational& near,
                                                       const Rational& far) {
    const auto dips = [&](const ValueCurve& curve) {
      return first_below(curve, line, near, far).has_value();
    };
    const Rational& low = up_ ? near : far;
    const Rational& high = up_ ? far : near;
    const Shares shares = shares_of(line, low, high);
    if (shares.at_low <= shares.at_high) {
      return problem_.all_within(low, line.at(low) * (Rational(1) + shares.at_low), dips);
    }
    return problem_.all_within(high, line.at(high) * (Rational(1) + shares.at_high), dips);
  }

  VariedProblem& problem_;
  std::size_t solution_;
  bool up_;
};

/// Pieces of one solution, a line each.
void add_pieces(std::vector<RangePiece>& pieces, const ValueCurve& curve, std::size_t solution,
                Rational from, const Rational& to, bool proven) {
  while (from < to) {
    const std::optional<Rational> kink = curve.kink_above(from);
    const Rational until = kink && *kink < to ? *kink : to;
    pieces.push_back({from, until, curve.at(from), curve.at(until), solution, proven});
    from = until;
  }
}

}  // namespace

StayEnd stay_up(VariedProblem& problem, std::size_t solution, const Rational& from,
                const Rational& to) {
  return StaySearch(problem, solution, true).run(from, to);
}

StayEnd stay_down(VariedProblem& problem, std::size_t solution, const Rational& from,
                  const Rational& to) {
  return StaySearch(problem, solution, false).run(from, to);
}

std::vector<RangePiece> pieces_between(VariedProblem& problem, const Rational& from,
                                       const Rational& to) {
  std::vector<RangePiece> pieces;
  Rational at = from;
  VariedProblem::Found start = problem.best(at);
  while (start.state == State::found) {
    const std::size_t solution = start.solution;
    const StayEnd end = stay_up(problem, solution, at, to);
    add_pieces(pieces, problem.curve(solution), solution, at, end.proven, true);
    at = end.proven;
    if (end.reason == Reason::range || at == to) break;
    if (end.is_exact()) {
      start.solution = *end.next;
      continue;
    }
    // What is not decided ends where another solution is known to cost less, or a little later.
    const Rational known = end.beyond ? *end.beyond : at;
    const Rational resume =
        known == to ? to : simplest_between(known, known + (to - known) / Rational(kRounding));
    const Rational next = resume == at ? to : resume;
    add_pieces(pieces, problem.curve(solution), solution, at, next, false);
    at = next;
    if (at == to) break;
    start = problem.best(at);
  }
  return pieces;
}

}  // namespace pimbb::answers
