// For which values of a figure does a solution stay optimal?
//
// Let f_s(p) be the curve of solution s (value_curve.hpp), and opt(p) the least of all curves. The
// wing answers one question exactly: does any solution cost less than v at p? Solution s is optimal
// on an interval [l, r] on which f_s is one line a + b p
//
//   - if it is optimal at l and b = 0: no curve falls as p grows;
//   - if it is optimal at r and a = 0: f_s / p is constant there, and no curve divided by p rises;
//   - if it is optimal at l and at r, and every curve is a line: opt is concave then.
//
// In these cases the end of the interval is found as by Newton's method: ask at the far end; a
// solution that costs less there crosses f_s nearer by; ask where they cross; and so on, until
// nothing costs less. Every answer excludes a solution, so this ends, at the exact value.
//
// Otherwise (a and b positive, curves convex) the curve of another solution may dip below f_s
// between two points at which s is optimal. A solution that does so between l and e costs less
// than f_s(e) at l, and less than f_s(l) e / l at e. So the wing is asked for all solutions within
// a share of the optimum, from the end where fewer are needed; if there are not too many, their
// curves decide. If there are, a part of the interval is tried, and what is left is `open`.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "answers/value_curve.hpp"
#include "pimbb/sensitivity.hpp"

namespace pimbb::answers {

/// A problem with one figure that varies; p as in value_curve.hpp. Solutions have numbers.
class VariedProblem {
 public:
  VariedProblem() = default;
  VariedProblem(const VariedProblem&) = delete;
  VariedProblem& operator=(const VariedProblem&) = delete;
  virtual ~VariedProblem() = default;

  struct Found {
    enum class State : std::uint8_t {
      none,      ///< proven: there is no such solution
      found,     ///< there is one, `solution`
      stopped,   ///< a limit was hit
      too_fine,  ///< p has more digits than the search computes with
    };
    State state = State::stopped;
    std::size_t solution = 0;
  };

  /// Whether every solution's curve is one line.
  [[nodiscard]] virtual bool is_linear() const = 0;
  [[nodiscard]] virtual const ValueCurve& curve(std::size_t solution) = 0;
  /// Any solution that costs less than `limit` at p.
  virtual Found cheaper(const Rational& p, const Rational& limit) = 0;
  /// An optimal solution at p.
  virtual Found best(const Rational& p) = 0;
  using Wanted = std::function<bool(const ValueCurve&)>;
  /// All solutions that cost at most `most` at p and whose curves are wanted, but for those with
  /// the same curve as one of them; nothing if those within `most` are too many, or p has too many
  /// digits.
  virtual std::optional<std::vector<std::size_t>> all_within(const Rational& p,
                                                             const Rational& most,
                                                             const Wanted& wanted) = 0;
};

/// How far up from `from`, where it is optimal, the solution stays optimal, to `to` at most.
StayEnd stay_up(VariedProblem& problem, std::size_t solution, const Rational& from,
                const Rational& to);
/// Likewise down.
StayEnd stay_down(VariedProblem& problem, std::size_t solution, const Rational& from,
                  const Rational& to);

/// The optimum on [from, to], by ascending p. Pieces of which the optimum is not proven say so.
/// Ends before `to` only where a limit was hit.
std::vector<RangePiece> pieces_between(VariedProblem& problem, const Rational& from,
                                       const Rational& to);

}  // namespace pimbb::answers
