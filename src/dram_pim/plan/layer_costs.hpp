// What a layer costs where its input and output may lie in given cells: solved once, remembered.
//
// Often the question is only whether a layer costs more than some limit, which takes far less of a
// search than what it costs. A limit makes an answer of the kind "more than that"; it is asked
// again once a higher limit matters.
#pragma once

#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "dram_pim/plan/cells.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "run/clock.hpp"
#include "search/least_sum.hpp"

namespace pimbb::dram_pim::network {

struct LayerQuestion {
  Workload workload;  ///< with the frames that the cells ask for
  LayoutRange input;
  LayoutRange output;
  std::optional<Rational> at_most;  ///< of the first goal; nothing: no limit
};

/// A layer under a confinement.
struct LayerAnswer {
  search::Value bound;  ///< of its goals; infinite: no mapping
  Solution solution;  ///< with a mapping unless there is none, it costs too much, or time was short
  [[nodiscard]] bool settled() const { return solution.mapping || bound.infinite(); }
};

class LayerCosts {
 public:
  /// Keeps references; the clock is that of the options' time limit.
  LayerCosts(const Architecture& architecture, const Question& question, const RunLimits& limits,
             const run::Clock& clock)
      : a_(architecture), question_(question), limits_(limits), clock_(clock) {}

  /// One answer for each question. Those that are equal but for the limit have the same answer,
  /// under the highest. Answers live as long as this, and get better if they are asked for again.
  std::vector<const LayerAnswer*> answers(const std::vector<LayerQuestion>& questions);
  [[nodiscard]] std::uint64_t solves() const { return solves_; }

 private:
  using Key = std::tuple<Factors, std::array<std::int64_t, 4>, std::optional<Frame>,
                         std::optional<Frame>, LayoutRange, LayoutRange>;

  static Key key(const LayerQuestion& question);
  [[nodiscard]] Solution solved(const LayerQuestion& layer, RunLimits limits) const;
  void take(LayerAnswer& answer, Solution solution, const std::optional<Rational>& at_most) const;

  const Architecture& a_;
  const Question& question_;
  const RunLimits& limits_;
  const run::Clock& clock_;
  std::map<Key, LayerAnswer> known_;
  std::uint64_t solves_ = 0;
};

}  // namespace pimbb::dram_pim::network
