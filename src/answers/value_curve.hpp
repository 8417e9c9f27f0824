// What one solution costs as a function of one figure of the accelerator.
//
// Energies and times enter the cost of a solution linearly, bandwidths by their reciprocals. Let p
// be the energy, the time, or the reciprocal. A latency is the greatest of several terms a + b p
// with a, b >= 0, and so is every goal that grows with the latency while its other factors do not
// depend on p. Such a function is convex and does not fall as p grows; divided by p it does not
// rise.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "pimbb/rational.hpp"

namespace pimbb::answers {

/// a + b p
struct Line {
  Rational at_zero;
  Rational slope;
  [[nodiscard]] Rational at(const Rational& p) const { return at_zero + slope * p; }
  friend bool operator==(const Line&, const Line&) = default;
};

/// Through two points with different p.
Line line_through(const Rational& p, const Rational& value, const Rational& other_p,
                  const Rational& other_value);

/// An open interval of p >= 0; nothing as its end: no end.
struct OpenInterval {
  Rational from;
  std::optional<Rational> to;
};

class ValueCurve {
 public:
  /// The greatest of these lines for every p >= 0; at least one, with a, b >= 0.
  explicit ValueCurve(std::vector<Line> lines);

  [[nodiscard]] Rational at(const Rational& p) const;
  /// The line that is the greatest just above p >= 0; just below p > 0.
  [[nodiscard]] const Line& line_above(const Rational& p) const;
  [[nodiscard]] const Line& line_below(const Rational& p) const;
  /// Where one line takes over from another: the least such p above `p`, the greatest below.
  [[nodiscard]] std::optional<Rational> kink_above(const Rational& p) const;
  [[nodiscard]] std::optional<Rational> kink_below(const Rational& p) const;
  /// Where the curve is strictly below a line: an interval, because the curve is convex.
  [[nodiscard]] std::optional<OpenInterval> below(const Line& line) const;
  /// The lines that are the greatest somewhere, by ascending slopes.
  [[nodiscard]] std::span<const Line> lines() const { return lines_; }

 private:
  std::vector<Line> lines_;
  std::vector<Rational> kinks_;  // between neighbours
};

/// The fraction with the least denominator in [from, to], 0 <= from <= to.
Rational simplest_between(const Rational& from, const Rational& to);
/// The least number with the fewest decimals in [from, to], 0 <= from < to.
Rational shortest_between(const Rational& from, const Rational& to);

}  // namespace pimbb::answers
