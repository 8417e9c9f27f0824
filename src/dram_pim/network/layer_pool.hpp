// Solved layers, remembered: what a search over a whole network asks for again and again.
//
// A *demand* is what all layers have to keep to. A layer is solved under a demand for an objective
// once; the solution also answers every stronger demand that its mapping happens to keep, since an
// optimum of a larger set that lies in the smaller one is optimal there. And where an answer is not
// known, a bound often is: the least  alpha latency + beta energy  over a set of mappings is a
// concave function of (alpha, beta), so that two directions solved bound all those between them.
#pragma once

#include <list>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "dram_pim/network/totals.hpp"
#include "run/clock.hpp"
#include "search/least_product.hpp"

namespace pimbb::dram_pim::network {

struct Demand {
  /// By level: what is stored there; nothing where each layer may do as it likes.
  std::vector<std::optional<TensorFlags>> stores;
  LoopPrecedence order;  ///< transitive; one entry a level

  /// What of it concerns a layer: only dimensions that it has loops of.
  [[nodiscard]] Demand of(const Workload& workload) const;
  /// Whether a mapping, or one of the same costs with its loops in another order, keeps it.
  [[nodiscard]] bool kept_by(const Architecture& architecture, const Mapping& mapping,
                             RowModel model) const;
  /// Whether whatever keeps `other` keeps this one.
  [[nodiscard]] bool follows_from(const Demand& other) const;
  friend bool operator==(const Demand&, const Demand&) = default;
};

class LayerPool {
 public:
  /// Keeps references. The clock of the time limit begins.
  LayerPool(const Architecture& architecture, const Network& merged, const Question& question,
            const RunLimits& limits);

  [[nodiscard]] std::size_t size() const { return network_.layers.size(); }
  [[nodiscard]] const Architecture& architecture() const { return a_; }
  [[nodiscard]] const NetworkLayer& layer(std::size_t i) const { return network_.layers[i]; }
  [[nodiscard]] double seconds() const { return clock_.seconds(); }
  /// Interrupted, or out of time.
  [[nodiscard]] bool stopped() const { return clock_.stopped(); }
  [[nodiscard]] const Question& question() const { return question_; }
  [[nodiscard]] const RunLimits& limits() const { return limits_; }
  /// What all solves together have done.
  [[nodiscard]] const Statistics& spent() const { return spent_; }

  /// Nothing if it is not known.
  [[nodiscard]] const Solution* find(std::size_t i, const Demand& demand,
                                     const Objective& objective) const;
  /// Solves some layers, several at a time; those that are known are not solved again.
  void solve(const std::vector<std::size_t>& layers, const Demand& demand,
             const Objective& objective);
  /// A lower bound, in the order of the list, of the layer's goals under a demand.
  [[nodiscard]] Values floor(std::size_t i, const Demand& demand, const Objective& objective) const;
  /// The smallest mapping, which keeps every demand on what layers agree on; proves nothing.
  const Solution& smallest(std::size_t i, const Demand& demand, const Objective& objective);

 private:
  struct Known {
    Demand demand;
    Solution solution;
  };
  struct Line {  ///< alpha * latency + beta * energy >= bound under the demand
    Demand demand;
    search::Blend direction;
    Rational bound;
  };
  using Key = std::tuple<std::size_t, std::vector<Goal>, std::string, std::string>;

  static Key key(std::size_t i, const Objective& objective);
  void remember(std::size_t i, const Demand& demand, const Objective& objective, Solution solution);

  const Architecture& a_;
  const Network& network_;
  const Question& question_;
  const RunLimits& limits_;
  run::Clock clock_;
  std::map<Key, std::list<Known>> known_;
  std::vector<std::vector<Line>> lines_;  // by layer
  std::list<Solution> smallest_;
  Statistics spent_;
};

/// The direction of latency, energy or a blend; nothing of other goals and of a blend of nothing.
std::optional<search::Blend> direction_of(const Objective& objective, Goal goal);

}  // namespace pimbb::dram_pim::network
