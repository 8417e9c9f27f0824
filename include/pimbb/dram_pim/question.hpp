// What is asked of the solver: the goals, how row activations are counted, and which part of the
// space of mappings is searched.
#pragma once

#include <cstdint>
#include <optional>

#include "pimbb/dram_pim/layout_range.hpp"
#include "pimbb/dram_pim/method.hpp"
#include "pimbb/dram_pim/objective.hpp"
#include "pimbb/dram_pim/precedence.hpp"
#include "pimbb/dram_pim/rules.hpp"

namespace pimbb::dram_pim {

struct Question {
  Objective objective = {};
  RowModel row_model = RowModel::trace;
  /// The whole space, or a dataflow, within which `optimal` and `infeasible` then hold; or a
  /// heuristic, whose answer is `feasible` with a lower bound over the whole space.
  Method method = Method::exact;
  LayoutRanges layouts{};  ///< what each tensor's DRAM layout is confined to; not for heuristics
  /// Which loops of a level must stand inside which, for layers that agree on loop orders. Only for
  /// Method::exact; `optimal` and `infeasible` then hold among the mappings that keep it.
  LoopPrecedence precedence{};
  /// Of the first goal: only mappings that cost no more are looked for, and `infeasible` means that
  /// there is none. Any number; not for heuristics.
  std::optional<Rational> at_most = {};
  std::uint64_t seed = 1;        ///< Method::random: of the samples
  std::uint64_t samples = 1000;  ///< Method::random: mappings drawn, >= 1
  Rules rules = {};  ///< for measuring and testing: the answer is the same without any of them
};

}  // namespace pimbb::dram_pim
