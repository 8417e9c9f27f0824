// Lists of goals, and the integers that stand for them where many are added and compared.
//
// Values are lists of rationals, added term by term and compared lexicographically. This order is
// total and compatible with addition. If the numbers allow it, each list is encoded as one integer
// with the same sums and comparisons, which is a hundred times faster: every goal in units of its
// own, side by side, the first on top, with so many bits for each that no sum runs into the goal
// above.
#pragma once

#include <optional>
#include <vector>

#include "exact/int128.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::search {

/// One number for each goal, in order of importance; or infinite, which means infeasible.
class Value {
 public:
  Value() : infinite_(true) {}
  explicit Value(std::vector<Rational> goals) : goals_(std::move(goals)) {}

  [[nodiscard]] bool infinite() const { return infinite_; }
  [[nodiscard]] const std::vector<Rational>& goals() const { return goals_; }
  Value& operator+=(const Value& other);
  friend Value operator+(Value a, const Value& b) { return a += b; }
  friend bool operator==(const Value& a, const Value& b) = default;
  friend bool operator<(const Value& a, const Value& b);

 private:
  bool infinite_ = false;
  std::vector<Rational> goals_;
};

/// Above every finite sum; three of them can be added.
inline constexpr Int128 kInfiniteInteger = Int128{1} << 124;

class Packing {
 public:
  /// `terms`: the largest number of values that are added.
  Packing(std::size_t goals, std::size_t terms) : units_(goals), terms_(terms) {}

  /// The integer of a value; nothing if it needs a finer unit or more bits.
  [[nodiscard]] std::optional<Int128> integer(const Value& value) const;
  /// Makes room for a value, and for others up to twice as large; what integers of other values are
  /// changes with that. False if the value is negative, or if there is no such room.
  bool admit(const Value& value);
  /// The value of an integer, or of a sum of them.
  [[nodiscard]] Value value(Int128 integer) const;

 private:
  struct GoalUnit {
    std::int64_t unit = 1;  ///< one of the goal is this many
    Int128 most = 0;        ///< of a single value
    int bits = 1;           ///< of the largest sum
  };

  /// A goal of a value in a unit; nothing if the unit is too coarse, or the count too large.
  static std::optional<Int128> count(const Rational& goal, std::int64_t unit);
  [[nodiscard]] int bits_of_sum(Int128 most) const;

  std::vector<GoalUnit> units_;
  std::size_t terms_;
};

}  // namespace pimbb::search
