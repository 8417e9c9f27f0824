// Times and energies as integers, and the claim in these units.
//
// Times are counted in 1 / lcm(bandwidths) cycles, energies in 1 / lcm(denominators) nJ, and total
// energies, with leakage, in the product of both units.
#pragma once

#include <vector>

#include "problem.hpp"

namespace pimbb_check::cim {

__extension__ using UInt128 = unsigned __int128;
using Time = std::int64_t;
using Energy = Int128;

struct Units {
  Time cycle = 1;                                         // units of time in a cycle
  cpp_int energy = 1;                                     // units of energy in a nJ
  std::array<Time, kMostLevels> bit{};                    // of a bit out of a level
  std::array<std::int64_t, kMostLevels> read{}, write{};  // of a bit
  std::int64_t activation = 0, leakage = 0;               // leakage: of a cycle
  Time product = 0;                                       // of a matrix-vector product

  /// Refuses problems in which some number could be out of range.
  explicit Units(const Problem& p);

  /// Energy of a bit that leaves a level, or comes into it; outputs go both ways, and reading the
  /// innermost level of a tensor is free.
  [[nodiscard]] std::int64_t out(const Problem& p, std::size_t t, std::size_t m) const {
    return reading(p, t, m) + (t == kOutput ? write[m] : 0);
  }
  [[nodiscard]] std::int64_t in(const Problem& p, std::size_t t, std::size_t m) const {
    return write[m] + (t == kOutput ? reading(p, t, m) : 0);
  }
  [[nodiscard]] Int128 total(Energy dynamic, Time latency) const {
    return dynamic * cycle + Int128{leakage} * latency;
  }

 private:
  [[nodiscard]] std::int64_t reading(const Problem& p, std::size_t t, std::size_t m) const {
    return m == p.innermost(t) ? 0 : read[m];
  }
};

/// What closes a part of the space: values that are not better than the optimum of the goal, worse
/// than the optimum of an earlier one, above a limit of the question, or on no axis better than one
/// point of a front.
class Claim {
 public:
  Claim(const Problem& p, const Units& units);

  /// Begins the section of a goal; what was one becomes a limit.
  void begin(Goal goal, const Rational& optimum);

  /// Adds a point of a front.
  void add_point(const Rational& latency, const Rational& energy);

  /// Whether a latency and a total energy close, as values or as lower bounds.
  [[nodiscard]] bool closes(Time latency, Int128 total) const {
    for (const Limit& limit : limits_) {
      if (reaches(limit, latency, total)) return true;
    }
    for (const Point& point : points_) {
      if (latency >= point.latency && total >= point.total) return true;
    }
    return false;
  }
  [[nodiscard]] bool with_energy() const { return with_energy_; }

 private:
  struct Product {  // of 192 bits
    UInt128 high = 0;
    std::uint64_t low = 0;
    friend auto operator<=>(const Product&, const Product&) = default;
  };
  struct Limit {  // closes values of at least `least`, in the form that the goal needs
    Goal goal;
    Int128 least = 0;
    Product least_product;
    Int256 least_blend;
  };
  struct Point {
    Int128 latency = 0, total = 0;
  };
  void weigh();
  [[nodiscard]] Rational scale(Goal goal) const;
  [[nodiscard]] Limit above(Goal goal, const Rational& most) const;
  [[nodiscard]] bool reaches(const Limit& limit, Time latency, Int128 total) const;
  [[nodiscard]] Limit at_least(Goal goal, const cpp_int& value) const;

  const Problem& p_;
  const Units& units_;
  Int256 alpha_, beta_;      // of a blend
  cpp_int blend_scale_ = 1;  // units of a blend
  std::vector<Limit> limits_;
  std::vector<Point> points_;
  std::optional<std::pair<Goal, Rational>> current_;
  bool with_energy_ = false;
};

}  // namespace pimbb_check::cim
