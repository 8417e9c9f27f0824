// Upper envelopes of lines.
#include "answers/value_curve.hpp"

#include <algorithm>
#include <cassert>

#include "exact/rational_impl.hpp"

namespace pimbb::answers {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

/// Where two lines of different slopes meet.
Rational meeting(const Line& a, const Line& b) {
  return (a.at_zero - b.at_zero) / (b.slope - a.slope);
}

/// By the continued fraction that both ends have in common.
cpp_rational simplest(const cpp_rational& from, const cpp_rational& to) {
  const cpp_int whole = numerator(from) / denominator(from);
  if (from == whole) return from;
  if (to > whole + 1 || to == whole + 1) return whole + 1;
  const cpp_rational rest = simplest(1 / (to - whole), 1 / (from - whole));
  return whole + 1 / rest;
}

}  // namespace

Line line_through(const Rational& p, const Rational& value, const Rational& other_p,
                  const Rational& other_value) {
  const Rational slope = (other_value - value) / (other_p - p);
  return {value - slope * p, slope};
}

ValueCurve::ValueCurve(std::vector<Line> lines) {
  assert(!lines.empty());
  std::ranges::sort(lines, [](const Line& a, const Line& b) {
    return a.slope != b.slope ? a.slope < b.slope : a.at_zero < b.at_zero;
  });
  for (const Line& line : lines) {
    assert(line.at_zero.sign() >= 0 && line.slope.sign() >= 0);
    while (!lines_.empty()) {
      const bool covered = line.at_zero >= lines_.back().at_zero;
      if (!covered && (kinks_.empty() || meeting(lines_.back(), line) > kinks_.back())) break;
      lines_.pop_back();
      if (!kinks_.empty()) kinks_.pop_back();
    }
    if (!lines_.empty()) kinks_.push_back(meeting(lines_.back(), line));
    lines_.push_back(line);
  }
}

Rational ValueCurve::at(const Rational& p) const { return line_above(p).at(p); }

const Line& ValueCurve::line_above(const Rational& p) const {
  return lines_[static_cast<std::size_t>(std::ranges::upper_bound(kinks_, p) - kinks_.begin())];
}

const Line& ValueCurve::line_below(const Rational& p) const {
  return lines_[static_cast<std::size_t>(std::ranges::lower_bound(kinks_, p) - kinks_.begin())];
}

std::optional<Rational> ValueCurve::kink_above(const Rational& p) const {
  const auto kink = std::ranges::upper_bound(kinks_, p);
  return kink == kinks_.end() ? std::nullopt : std::optional(*kink);
}

std::optional<Rational> ValueCurve::kink_below(const Rational& p) const {
  const auto kink = std::ranges::lower_bound(kinks_, p);
  return kink == kinks_.begin() ? std::nullopt : std::optional(*std::prev(kink));
}

std::optional<OpenInterval> ValueCurve::below(const Line& line) const {
  OpenInterval inside;
  for (const Line& own : lines_) {
    if (own.slope == line.slope) {
      if (own.at_zero >= line.at_zero) return std::nullopt;
      continue;
    }
    const Rational p = meeting(own, line);
    if (own.slope > line.slope) {
      if (!inside.to || p < *inside.to) inside.to = p;
    } else {
      inside.from = max(inside.from, p);
    }
  }
  if (inside.to && *inside.to <= inside.from) return std::nullopt;
  return inside;
}

Rational simplest_between(const Rational& from, const Rational& to) {
  assert(from.sign() >= 0 && from <= to);
  return make_rational(simplest(from.impl().value, to.impl().value));
}

Rational shortest_between(const Rational& from, const Rational& to) {
  assert(from.sign() >= 0 && from < to);
  const cpp_rational low = from.impl().value, high = to.impl().value;
  for (cpp_int scale = 1;; scale *= 10) {
    const cpp_rational scaled = low * scale;
    const cpp_int whole = (numerator(scaled) + denominator(scaled) - 1) / denominator(scaled);
    if (whole <= high * scale) return make_rational(cpp_rational(whole, scale));
  }
}

}  // namespace pimbb::answers
