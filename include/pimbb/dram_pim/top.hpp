// The best k classes of mappings of a layer, or all within a percentage of the optimum.
//
//   const auto top = best_mappings(architecture, layer, {.objective = Objective::parse("edp")},
//                                  {.most = 20});
//
// Mappings that differ only in what changes no cost term are one class (docs/answers.md): spatial
// factors by direction, temporal factors by level, stored tensors, the reuse class of each level
// (the innermost loops that leave a tensor in place), layout and block of each tensor; under the
// row model `trace` also N_act of each tensor. A class is listed once, with one of its mappings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/solver.hpp"
#include "pimbb/top.hpp"

namespace pimbb::dram_pim {

struct MappingClass {
  Mapping mapping;                   ///< one of the class, in canonical loop order
  Metrics metrics;                   ///< those of every mapping of the class
  std::vector<Rational> values;      ///< of the goals, in order
  std::optional<Rational> mappings;  ///< in the class; nothing if a limit came before the count
};

struct TopClasses : SolveStatistics {
  TopStatus status = TopStatus::partial;
  /// By cost, goal after goal; classes of equal cost by their canonical texts.
  std::vector<MappingClass> classes;
  std::vector<std::string> texts;    ///< the canonical text of each
  std::uint64_t tied = 0;            ///< not listed, at the cost of the last one listed
  ClassCount optimal;                ///< that attain the optimum (of the classes found)
  std::optional<ClassCount> within;  ///< all within TopRange::within, if that was asked for
  std::optional<Rational> bound;     ///< partial: the first goal of what is missing is no less
  std::string reason;                ///< infeasible: why
  double seconds = 0;
  int threads = 1;
};

/// Requires Method::exact, and no `below`. Throws what solve() does, and InputError if the range or
/// the question is none of these. The answer does not depend on the number of threads, nor on
/// timing unless a limit of time or an interruption ends the search.
TopClasses best_mappings(const Architecture& architecture, const Workload& workload,
                         const Question& question = {}, const TopRange& range = {},
                         const RunLimits& limits = {});

}  // namespace pimbb::dram_pim
