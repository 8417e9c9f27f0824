// How the optimum depends on single figures of an accelerator: the shape of the answers, for every
// kind of accelerator. All values are exact.
//
// Energies, times and rates (bandwidths, ports) are rational. The answer about them is the interval
// around today's value in which the solution of today stays optimal. Sizes (bytes, units) are
// integers, and the optimum is a step function of them: the answer is the next step in both
// directions. docs/answers.md, "Sensitivity", says what each of these claims.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/rational.hpp"

namespace pimbb {

/// What a figure is: costs are linear in an energy or a time, and in the reciprocal of a rate.
/// `size` admits more solutions the larger it is; `shape` changes them in no such order.
enum class FigureKind : std::uint8_t { energy, time, rate, size, shape };
inline constexpr std::array<std::string_view, 5> kFigureKindNames{"energy", "time", "rate", "size",
                                                                  "shape"};
constexpr std::string_view name(FigureKind kind) {
  return kFigureKindNames[static_cast<std::size_t>(kind)];
}

/// One end of the interval in which a solution stays optimal.
struct StayEnd {
  enum class Reason : std::uint8_t {
    beaten,  ///< another solution costs less beyond
    range,   ///< the end of the range that was looked at
    open     ///< not decided: a limit, or too many solutions of nearly the same cost
  };
  Reason reason = Reason::open;
  Rational proven;  ///< the solution is optimal up to here, this value included
  /// The nearest value known beyond which another solution costs less. That of `beaten`: equal to
  /// `proven`, unless the value has more digits than the solver computes with.
  std::optional<Rational> beyond = {};
  std::optional<std::size_t> next = {};  ///< that solution, by number

  [[nodiscard]] bool is_exact() const {
    return reason == Reason::range || (reason == Reason::beaten && beyond == proven);
  }
};
inline constexpr std::array<std::string_view, 3> kStayReasonNames{"beaten", "range", "open"};
constexpr std::string_view name(StayEnd::Reason reason) {
  return kStayReasonNames[static_cast<std::size_t>(reason)];
}

/// A part of a range of an energy, time or rate, with one solution. The value of the goal is
/// linear in the energy, in the time, or in the reciprocal of the rate.
struct RangePiece {
  Rational from, to;  ///< from < to
  Rational value_from, value_to;
  std::size_t solution = 0;
  bool proven = true;  ///< the solution is optimal in all of it; otherwise the best one known
};

/// The integers from..to of a size, all of which have the same optimum.
struct SizeStep {
  std::int64_t from = 0, to = 0;
  std::optional<Rational> value;        ///< nothing: no solution
  std::optional<std::size_t> solution;  ///< that attains the optimum for all of them
  /// The value is the best one known, and nothing is below this; without it, it is the optimum.
  std::optional<Rational> bound = {};
};

/// The next step of a size in one direction.
struct NextStep {
  enum class Reason : std::uint8_t { step, none, open };
  Reason reason = Reason::open;
  /// `step`: the nearest size with another optimum. `none`: the optimum does not change as far as
  /// this size. `open`: a limit was hit; there is no step as far as this size.
  std::int64_t at = 0;
  std::optional<Rational> value;        ///< of a step; nothing: no solution
  std::optional<std::size_t> solution;  ///< of a step with a value
};
inline constexpr std::array<std::string_view, 3> kNextStepNames{"step", "none", "open"};
constexpr std::string_view name(NextStep::Reason reason) {
  return kNextStepNames[static_cast<std::size_t>(reason)];
}

/// What was found out about one figure.
struct FigureSensitivity {
  std::string path;  ///< as in --set: "levels.GlobalBuffer.entries"
  FigureKind kind = FigureKind::energy;
  std::string unit;
  Rational today;
  /// Whether the goal depends on the figure at all, for some solution.
  bool matters = true;
  /// Of energies, times and rates: by how much the goal's value grows, in per cent, if the figure
  /// grows by one per cent; to first order, with today's solution. Just above today's value where
  /// it differs from that just below.
  Rational elasticity;
  std::optional<StayEnd> down, up;          ///< of energies, times and rates
  std::optional<NextStep> smaller, larger;  ///< of sizes
  std::vector<RangePiece> pieces;           ///< of a range of energies, times and rates, ascending
  std::vector<SizeStep> steps;              ///< of a range of sizes, ascending; of shapes
  bool complete = false;                    ///< everything above is proven and exact
};

/// The part of an axis that is asked about.
struct FigureRange {
  Rational from, to;  ///< 0 <= from < to
};

struct SensitivityOptions {
  /// Paths of the figures, "levels.GlobalBuffer.entries"; none: all that the accelerator has.
  std::vector<std::string> figures = {};
  /// The optimum in all of this range, of one figure.
  std::optional<FigureRange> range = {};
  /// Energies, times and rates are looked at as far as so many times today's value, and down to the
  /// same part of it; energies down to zero. > 1.
  Rational reach = 16;
};

enum class SensitivityStatus : std::uint8_t {
  complete,   ///< every answer is proven and exact
  partial,    ///< some are not: each says what is proven of it
  infeasible  ///< there is no mapping today
};
inline constexpr std::array<std::string_view, 3> kSensitivityStatusNames{"complete", "partial",
                                                                         "infeasible"};
constexpr std::string_view name(SensitivityStatus status) {
  return kSensitivityStatusNames[static_cast<std::size_t>(status)];
}

}  // namespace pimbb
