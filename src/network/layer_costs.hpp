// What a layer costs where its input and output may lie in given cells: solved once, remembered.
//
// Often the question is only whether a layer costs more than some limit, which takes far less of a
// search than what it costs. A limit makes an answer of the kind "more than that"; it is asked
// again once a higher limit matters.
#pragma once

#include <array>
#include <map>
#include <tuple>

#include "network/cells.hpp"
#include "network/pairwise.hpp"
#include "pimbb/solver.hpp"

namespace pimbb::network {

/// A layer under a confinement.
struct LayerAnswer {
  Value bound;        ///< of its goals; infinite: no mapping
  Solution solution;  ///< with a mapping unless there is none, it costs too much, or time was short
  [[nodiscard]] bool settled() const { return solution.mapping || bound.infinite(); }
};

class LayerCosts {
 public:
  LayerCosts(const Architecture& architecture, const SolveOptions& options)
      : a_(architecture), options_(options) {}

  /// `workload` has the frames that the cells ask for; `at_most`, if there is one, limits the first
  /// goal. The answer lives as long as this, and gets better if it is asked for again.
  const LayerAnswer& answer(const Workload& workload, const LayoutRange& input,
                            const LayoutRange& output, const std::optional<Rational>& at_most,
                            std::optional<double> seconds_left);
  [[nodiscard]] std::uint64_t solves() const { return solves_; }

 private:
  using Key = std::tuple<Factors, std::array<std::int64_t, 4>, std::optional<Frame>,
                         std::optional<Frame>, LayoutRange, LayoutRange>;

  const Architecture& a_;
  const SolveOptions& options_;
  std::map<Key, LayerAnswer> known_;
  std::uint64_t solves_ = 0;
};

}  // namespace pimbb::network
