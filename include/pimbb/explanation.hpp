// Why a problem has no solution, and what would help: the shape of the answers, for every kind of
// accelerator.
//
// A problem is a set of constraints. A conflict is a subset that no solution satisfies while every
// proper subset of it has one. A repair is the least change of one constraint alone with which the
// whole problem has a solution. docs/answers.md, "Why not", says what each of these claims.
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

enum class ConstraintKind : std::uint8_t {
  array,  ///< PE rows, PE columns, MACs in a PE; size of an axis; cores, crossbars and their sides
  unit,   ///< a rule of the unit type, or of a core
  capacity,  ///< of a bounded memory level
  storage,   ///< a level whose storage is fixed
  layout,    ///< a tensor that must be row-aligned, in rows of this size
  dataflow,
  given,      ///< a constraint of the user's file
  limit,      ///< on a cost
  time,       ///< of an operation
  precision,  ///< bits of a number
  doubling,   ///< tiles that may not be, or must be, double-buffered
  space       ///< a restriction of the factors or spatial schemes that are searched
};
inline constexpr std::array<std::string_view, 12> kConstraintKindNames{
    "array", "unit",  "capacity", "storage",   "layout",   "dataflow",
    "given", "limit", "time",     "precision", "doubling", "space"};
constexpr std::string_view name(ConstraintKind kind) {
  return kConstraintKindNames[static_cast<std::size_t>(kind)];
}

/// One constraint of a problem.
struct ProblemConstraint {
  ConstraintKind kind = ConstraintKind::capacity;
  std::string words;      ///< "GlobalBuffer holds 128 bytes"
  std::string parameter;  ///< its number's key, as in --set or --at-most; "" if it has no number
  std::string unit;       ///< of the number: "B", "PE rows", "cycles"
  std::optional<Rational> today;  ///< its number
};

/// The least change of a constraint with which some set of constraints has a solution: of its
/// number, or dropping it if it has none.
struct LeastChange {
  enum class Reason : std::uint8_t {
    enough,  ///< this change is enough, and no smaller one is
    none,    ///< no change is
    open     ///< not decided: a limit
  };
  Reason reason = Reason::open;
  /// The number that is enough; `open`: the nearest one known to be, if any. Nothing if the
  /// constraint is dropped.
  std::optional<Rational> value = {};
  /// `open`: the numbers from today's to this one are not enough.
  std::optional<Rational> not_enough = {};
};
inline constexpr std::array<std::string_view, 3> kLeastChangeNames{"enough", "none", "open"};
constexpr std::string_view name(LeastChange::Reason reason) {
  return kLeastChangeNames[static_cast<std::size_t>(reason)];
}

struct ConflictPart {
  std::size_t number = 0;  ///< of the constraint, among all of the problem
  ProblemConstraint constraint;
  /// What its number would have to be for the rest of the conflict to have a solution; nothing if
  /// it has no number.
  std::optional<LeastChange> need = {};
};

struct Repair {
  std::size_t number = 0;  ///< of the constraint, among all of the problem
  ProblemConstraint constraint;
  LeastChange change;
};

enum class ExplanationStatus : std::uint8_t {
  complete,  ///< the conflict and all repairs are proven
  partial,   ///< a limit was hit: what is given is proven, but it is not all
  feasible   ///< there is a solution: nothing is to be explained
};
inline constexpr std::array<std::string_view, 3> kExplanationStatusNames{"complete", "partial",
                                                                         "feasible"};
constexpr std::string_view name(ExplanationStatus status) {
  return kExplanationStatusNames[static_cast<std::size_t>(status)];
}

struct Conflict {
  /// Empty if the problem is feasible, or if it is not decided whether it is.
  std::vector<ConflictPart> parts;
  /// Whether every proper subset is known to have a solution; without it, the parts have none.
  bool minimal = false;
  std::vector<Repair> repairs;  ///< by relative change; those without a number or a value last
};

}  // namespace pimbb
