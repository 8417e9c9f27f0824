// A cache of solved layers for a search over a whole network.
//
// A *demand* is a constraint that all layers must satisfy. A layer is solved once for a demand and
// an objective. The solution also answers every stronger demand that its mapping satisfies, because
// an optimum of a larger set is optimal in every smaller set that contains it. If no answer is
// known, a bound often is: the least  alpha latency + beta energy  over a set of mappings is a
// concave function of (alpha, beta), so two solved directions bound all directions between them.
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
  /// By level: the tensors stored there; nothing if each layer is free.
  std::vector<std::optional<TensorFlags>> stores;
  LoopPrecedence order;  ///< transitive; one entry a level

  /// The part of the demand that affects a layer: dimensions without loops in the layer are
  /// removed.
  [[nodiscard]] Demand of(const Workload& workload) const;
  /// Whether a mapping, or one with other loop orders and the same cost, satisfies the demand.
  [[nodiscard]] bool kept_by(const Architecture& architecture, const Mapping& mapping,
                             RowModel model) const;
  /// Whether every mapping that satisfies `other` satisfies this demand.
  [[nodiscard]] bool follows_from(const Demand& other) const;
  friend bool operator==(const Demand&, const Demand&) = default;
};

class LayerPool {
 public:
  /// Keeps references. Starts the clock of the time limit.
  LayerPool(const Architecture& architecture, const Network& merged, const Question& question,
            const RunLimits& limits);

  [[nodiscard]] std::size_t size() const { return network_.layers.size(); }
  [[nodiscard]] const Architecture& architecture() const { return a_; }
  [[nodiscard]] const NetworkLayer& layer(std::size_t i) const { return network_.layers[i]; }
  [[nodiscard]] double seconds() const { return clock_.seconds(); }
  /// Whether the search is interrupted or out of time.
  [[nodiscard]] bool stopped() const { return clock_.stopped(); }
  [[nodiscard]] const Question& question() const { return question_; }
  [[nodiscard]] const RunLimits& limits() const { return limits_; }
  /// The counters of all solves together.
  [[nodiscard]] const SolveStatistics& spent() const { return spent_; }

  /// The known solution, or null.
  [[nodiscard]] const Solution* find(std::size_t i, const Demand& demand,
                                     const Objective& objective) const;
  /// A layer, and what its first goal, and another one, may cost, if anything limits that; and how
  /// many nodes its search may have.
  struct Asked {
    std::size_t layer = 0;
    std::optional<Rational> at_most;
    std::optional<GoalCap> cap;
    std::optional<std::uint64_t> nodes;
  };
  /// Solves some layers, several at a time; known ones are not solved again. A layer that needs
  /// more nodes is not known then. False if one of them costs more than it may: it is not known
  /// either.
  [[nodiscard]] bool solve(const std::vector<Asked>& layers, const Demand& demand,
                           const Objective& objective);
  /// A lower bound, in the order of the list, of the layer's goals under a demand.
  [[nodiscard]] Values floor(std::size_t i, const Demand& demand, const Objective& objective) const;
  /// What a local search finds in no time; the smallest mapping, which satisfies every demand, at
  /// least. There is one search for a layer and a demand, whatever the objective.
  const Solution& at_once(std::size_t i, const Demand& demand, const Objective& objective);

 private:
  struct KnownSolution {
    Demand demand;
    Solution solution;
  };
  struct SupportLine {  ///< alpha * latency + beta * energy >= bound under the demand
    Demand demand;
    search::Blend direction;
    Rational bound;
  };
  using Key = std::tuple<std::size_t, std::vector<Goal>, std::string, std::string>;

  [[nodiscard]] Solution hurried(std::size_t i, const Demand& own,
                                 const Objective& objective) const;
  [[nodiscard]] const Solution* best_known(std::size_t i, const Demand& demand,
                                           const Objective& objective) const;
  void judge(Solution& solution, std::size_t i, const Demand& demand,
             const Objective& objective) const;
  static Key key(std::size_t i, const Objective& objective);
  void remember(std::size_t i, const Demand& demand, const Objective& objective, Solution solution);
  void remember_bound(std::size_t i, const Demand& demand, const Objective& objective,
                      const Rational& bound);

  const Architecture& a_;
  const Network& network_;
  const Question& question_;
  const RunLimits& limits_;
  run::Clock clock_;
  std::map<Key, std::list<KnownSolution>> known_;
  std::vector<std::vector<SupportLine>> lines_;    // by layer
  std::vector<std::list<KnownSolution>> at_once_;  // by layer
  SolveStatistics spent_;
};

/// The direction of latency, energy or a blend; nothing for other goals and for a zero blend.
std::optional<search::Blend> direction_of(const Objective& objective, Goal goal);

}  // namespace pimbb::dram_pim::network
