// The cost of a layer whose input and output are in given cells: a cache of solves.
//
// Often it is enough to know whether a layer costs more than some limit, which needs a much shorter
// search than its cost. With a limit the answer may be "more than the limit"; the question is asked
// again if a higher limit matters.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "dram_pim/mapper/layer_store.hpp"
#include "dram_pim/plan/cells.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "run/clock.hpp"
#include "search/value.hpp"

namespace pimbb::dram_pim::network {

struct LayerQuestion {
  Workload workload;  ///< with the frames of the cells
  LayoutRange input;
  LayoutRange output;
  std::optional<Rational> at_most;  ///< limit on the first goal, if any
};

/// A layer under restrictions.
struct LayerAnswer {
  search::Value bound;  ///< lower bound of its goals; infinite: no mapping
  Solution solution;    ///< has a mapping unless none exists within the limit, or time ran out
  [[nodiscard]] bool settled() const { return solution.mapping || bound.infinite(); }
};

class LayerCosts {
 public:
  /// Keeps references; the clock is that of the time limit.
  LayerCosts(const Architecture& architecture, const Question& question, const RunLimits& limits,
             const run::Clock& clock, mapper::LayerStore& layers)
      : a_(architecture), question_(question), limits_(limits), clock_(clock), layers_(layers) {}

  /// One answer for each question. Questions that differ only in the limit have the same answer,
  /// for the highest limit. Answers exist as long as this object and improve if they are requested
  /// again.
  std::vector<const LayerAnswer*> answers(const std::vector<LayerQuestion>& questions);
  [[nodiscard]] std::uint64_t solves() const { return solves_; }

 private:
  using Key = std::tuple<mapper::LayerStore::Key, std::optional<Frame>, std::optional<Frame>,
                         LayoutRange, LayoutRange>;

  static Key key(const LayerQuestion& question);
  [[nodiscard]] Solution solved(const LayerQuestion& layer, RunLimits limits) const;
  void take(LayerAnswer& answer, Solution solution, const std::optional<Rational>& at_most) const;

  const Architecture& a_;
  const Question& question_;
  const RunLimits& limits_;
  const run::Clock& clock_;
  mapper::LayerStore& layers_;
  std::map<Key, LayerAnswer> known_;
  std::uint64_t solves_ = 0;
};

}  // namespace pimbb::dram_pim::network
