// The best k classes of mappings of a layer on SRAM compute-in-memory, or all within a percentage
// of the optimum.
//
//   const auto top = best_mappings(architecture, layer, {.objective = Objective::parse("edp")},
//                                  {.most = 20});
//
// Mappings that differ only in what changes no cost term are one class (docs/answers.md). Latency
// and energy depend on these data only, and mappings that agree in all of them are one class:
//
//   the spatial factors of each axis;
//   each transfer: tensor, source, destination, the extents of its tile by dimension, bits of an
//     element at both ends, whether the destination is double-buffered;
//   the loops that carry transfers, in order, with their factors and the transfers of each;
//   of each run of loops between them that carry none, the product of the factors; under the
//     semantics `recursion` also the factor of its innermost loop, if the loop just inside carries
//     a hidden transfer of inputs or weights;
//   the outermost level that each tensor uses.
//
// So what may differ within a class: the dimensions, order and factors of loops that carry no
// transfer; the dimension of a loop that carries one, if the tiles stay the same; the level of a
// loop that is irrelevant to a tensor and at the seam of two of its blocks; the flag of the
// outermost level that a tensor uses. A class is listed once, with the number of its mappings and
// one of them: of those with the fewest loops, the first one, by the innermost loop in which they
// differ (dimension R .. G, factor, levels of input, weight and output).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/cim/solver.hpp"
#include "pimbb/top.hpp"

namespace pimbb::cim {

struct MappingClass {
  Mapping mapping;               ///< one of the class
  Metrics metrics;               ///< latency and energy are those of every mapping of the class
  std::vector<Rational> values;  ///< of the goals, in order
  /// In the class; nothing if a limit came before the count.
  std::optional<Rational> mappings;
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

/// Restrictions of the space and limits on goals hold for all mappings that are listed and counted.
/// Throws what solve() does, and InputError if the range is not valid, for the method `greedy` and
/// for the semantics `simulator`, which prove nothing. The answer does not depend on the number of
/// threads, nor on timing unless a limit of time or an interruption ends the search.
TopClasses best_mappings(const Architecture& architecture, const Workload& workload,
                         const Question& question = {}, const TopRange& range = {},
                         const RunLimits& limits = {});

}  // namespace pimbb::cim
