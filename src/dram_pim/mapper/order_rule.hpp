// A precedence of loops as the search keeps it: what it leaves of the classes of a step.
//
// Let D be the loops of a level, and let some of them have to stand inside others (a partial order
// of the dimensions, restricted to D). A class of orders is, as ever, named by the tensor s that
// the innermost loop is irrelevant to (steps.hpp). Let the *run* of s be those of its irrelevant
// loops in D that no loop of D relevant to s has to stand inside of.
//
// Claim: some order of the class keeps the precedence if and only if the run is not empty. Then one
// has the run innermost, and it is at least as good as any other, for traffic and for the closed
// row models. Proof. Whatever has to stand inside a loop of the run is in D irrelevant to s (or the
// loop were not in the run) and in the run itself (by transitivity); so the run can be put
// innermost, in some order. In any order of the class the loops before the first relevant one,
// which are what leaves s in place, have nothing relevant inside of them, so they belong to the
// run; there is at least one. Putting the rest of the run innermost too only moves irrelevant loops
// of s from the outside of relevant ones into the run: the proof of steps.hpp.  []
//
// So a step has the same classes or fewer, and the anchor of a run is the irrelevant part of the
// tile at which it began, but for the loops that had to stay outside. Costs below still depend on
// the state alone, so that dominance holds; a chain that keeps the precedence costs no less than
// the same tiles and classes without one, and continues into no state that these do not have or
// better: bounds of completions in the free space hold. P and Q may differ: nothing turns.
//
// Under the trace model every order is looked at, those that keep the precedence.
#pragma once

#include <array>
#include <vector>

#include "dram_pim/mapper/tiles.hpp"
#include "nest/loop_order.hpp"
#include "pimbb/dram_pim/precedence.hpp"

namespace pimbb::dram_pim::mapper {

class OrderRule {
 public:
  /// Any order goes.
  OrderRule() = default;
  /// Takes the transitive closure. Throws InputError if it has a cycle or concerns level 0.
  OrderRule(const Architecture& architecture, const LoopPrecedence& precedence);

  [[nodiscard]] bool any() const { return !levels_.empty(); }
  /// The run of a class among `loops`; with no precedence all that may be innermost in it. Of the
  /// class with G innermost it is G, or nothing.
  [[nodiscard]] DimMask run(std::size_t level, DimMask loops, LoopClass of) const {
    const auto all = static_cast<DimMask>(loops & innermost_dims(of));
    return any() ? levels_[level].run[loops][place(of)] : all;
  }
  /// How many orders of the class there are; only with a precedence.
  [[nodiscard]] std::uint64_t orders(std::size_t level, DimMask loops, LoopClass of) const {
    return levels_[level].orders[loops][place(of)];
  }
  /// Whether loop j may stand right outside those of `inside`.
  [[nodiscard]] bool may_follow(std::size_t level, DimMask loops, DimMask inside, Dim j) const {
    return !any() || (levels_[level].inside[index(j)] & loops & ~inside) == 0;
  }
  /// The order that stands for a class: the run innermost, else as far as may be in the order of
  /// the dimensions.
  [[nodiscard]] LoopOrder order(std::size_t level, DimMask loops, LoopClass of) const;
  /// A mapping's loops brought into an order that keeps the precedence, as they stand as far as may
  /// be.
  void sort(Mapping& mapping) const;
  [[nodiscard]] const LoopPrecedence& precedence() const { return precedence_; }

 private:
  static constexpr std::array<LoopClass, kTensors + 1> kAllClasses{Tensor::input, Tensor::weight,
                                                                   Tensor::output, std::nullopt};
  static constexpr std::size_t kClasses = kAllClasses.size();
  static constexpr std::size_t place(LoopClass of) { return of ? index(*of) : kTensors; }

  struct Level {
    LevelPrecedence inside{};
    std::array<std::array<DimMask, kClasses>, kEveryDim + 1> run{};
    std::array<std::array<std::uint64_t, kClasses>, kEveryDim + 1> orders{};
  };

  static void fill(Level& level);

  LoopPrecedence precedence_;
  std::vector<Level> levels_;
};

}  // namespace pimbb::dram_pim::mapper
