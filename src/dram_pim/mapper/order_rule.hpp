// A precedence of loops in the search: the part of each loop class that it allows.
//
// Let D be the loops of a level, some of which must be inside others (a partial order of the
// dimensions, restricted to D). A class of orders is identified by the tensor s to which the
// innermost loop is irrelevant (nest/steps.hpp). Let the *run* of s be its irrelevant loops in D
// that no loop of D relevant to s must be inside of.
//
// Claim: some order of the class satisfies the precedence if and only if the run is not empty. Then
// there is such an order with the run innermost, and it is at least as good as any other one, for
// traffic and for the closed row models.
//
// Proof. Every loop that must be inside a loop of the run is irrelevant to s (otherwise the latter
// would not be in the run) and is in the run itself (by transitivity); so the run can be innermost,
// in some order. In any order of the class, the loops before the first relevant one, which leave s
// in place, have no relevant loop inside, so they belong to the run; there is at least one. Moving
// the rest of the run inwards too only moves irrelevant loops of s from outside of relevant ones
// into the run: the proof of nest/steps.hpp applies.  []
//
// A step therefore has the same classes or fewer, and the anchor of a run is the irrelevant part of
// the tile at which it began, without the loops that had to remain outside. Costs below still
// depend only on the state, so dominance remains valid. A chain that satisfies the precedence costs
// no less than the same tiles and classes without it, and reaches no better state: the cost-to-go
// of the free space is a valid bound. P and Q may have different constraints, so the symmetry rule
// is disabled.
//
// Under the row model trace every order that satisfies the precedence is searched.
#pragma once

#include <array>
#include <vector>

#include "dram_pim/mapper/tiles.hpp"
#include "nest/loop_order.hpp"
#include "pimbb/dram_pim/precedence.hpp"

namespace pimbb::dram_pim::mapper {

class OrderRule {
 public:
  /// No constraints.
  OrderRule() = default;
  /// Takes the transitive closure. Throws InputError if it has a cycle or concerns level 0.
  OrderRule(const Architecture& architecture, const LoopPrecedence& precedence);

  [[nodiscard]] bool any() const { return !levels_.empty(); }
  /// The run of a class among `loops`; without a precedence all loops that can be innermost in the
  /// class. For the class with G innermost it is G or empty.
  [[nodiscard]] DimMask run(std::size_t level, DimMask loops, LoopClass of) const {
    const auto all = static_cast<DimMask>(loops & innermost_dims(of));
    return any() ? levels_[level].run[loops][place(of)] : all;
  }
  /// The number of allowed orders of the class; only with a precedence.
  [[nodiscard]] std::uint64_t orders(std::size_t level, DimMask loops, LoopClass of) const {
    return levels_[level].orders[loops][place(of)];
  }
  /// The number of allowed orders of `loops` in which those of `innermost` are inside all others;
  /// only with a precedence that allows one, and if `innermost` is not empty.
  [[nodiscard]] std::uint64_t orders_inside_out(std::size_t level, DimMask innermost,
                                                DimMask loops) const {
    return orders_of(level, innermost) * orders_of(level, static_cast<DimMask>(loops & ~innermost));
  }
  /// Whether loop j may be directly outside the loops of `inside`.
  [[nodiscard]] bool may_follow(std::size_t level, DimMask loops, DimMask inside, Dim j) const {
    return !any() || (levels_[level].inside[index(j)] & loops & ~inside) == 0;
  }
  /// The representative of a class: the run innermost, otherwise as close as possible to the order
  /// of the dimensions.
  [[nodiscard]] LoopOrder order(std::size_t level, DimMask loops, LoopClass of) const;
  /// Reorders a mapping's loops so that they satisfy the precedence, with as few changes as
  /// possible.
  void sort(Mapping& mapping) const;
  [[nodiscard]] const LoopPrecedence& precedence() const { return precedence_; }

 private:
  static constexpr std::array<LoopClass, kTensors + 1> kAllClasses{Tensor::input, Tensor::weight,
                                                                   Tensor::output, std::nullopt};
  static constexpr std::size_t kClasses = kAllClasses.size();
  static constexpr std::size_t place(LoopClass of) { return of ? index(*of) : kTensors; }

  /// The number of allowed orders of a set of loops; 1 if it is empty.
  [[nodiscard]] std::uint64_t orders_of(std::size_t level, DimMask loops) const {
    std::uint64_t count = loops == 0 ? 1 : 0;
    for (const std::uint64_t of_class : levels_[level].orders[loops]) count += of_class;
    return count;
  }

  struct Level {
    LevelPrecedence inside{};
    std::array<std::array<DimMask, kClasses>, kEveryDim + 1> run{};
    std::array<std::array<std::uint64_t, kClasses>, kEveryDim + 1> orders{};
  };

  static void fill(Level& level);
  /// Orders of two or more loops with those of `of` innermost; those of fewer loops are counted.
  static std::uint64_t count_orders(const Level& level, DimMask set, LoopClass of);

  LoopPrecedence precedence_;
  std::vector<Level> levels_;
};

}  // namespace pimbb::dram_pim::mapper
