// Sums over the layers, minimised under the condition that all layers agree on a configuration.
//
// Without the condition the optimum is the sum of the layers' optima. A part of the space, given by
// a demand that every layer satisfies (layer_pool.hpp), is relaxed by letting each layer choose
// independently: the sum of the optima is a bound. If the mappings found agree, the bound is
// attained. If not, the search branches on a difference between them; each branch is a smaller
// part, in which only the layers whose mapping is not in it have to be solved again.
//
// A branch decides what a level with free bypass stores, or which of two dimensions is inside the
// other at a level (loop_needs.hpp). When the layers disagree for the first time, a dive decides
// everything according to the layers with the largest weight, to find a first agreement.
//
// Parts are expanded best bound first, and their layers are solved a few at a time, those with the
// largest weight first: most parts are discarded before their last layer is solved. A layer is only
// asked for what it costs within the limit that an agreement that is known leaves to it: the search
// for its optimum where it costs more would be much longer. Nor is a long search for one layer
// begun before shorter ones for the others have not sufficed. Agreements that were found for other
// lists of goals are known too. The first complete part that agrees is the optimum. Lists of goals
// are compared lexicographically; this is correct because the lexicographic order is compatible
// with addition: if every layer's list is no better than a bound, neither is the sum of the lists.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "dram_pim/network/goal_list.hpp"
#include "dram_pim/network/layer_pool.hpp"
#include "dram_pim/network/loop_needs.hpp"
#include "search/best_first.hpp"

namespace pimbb::dram_pim::network {

/// The best agreement found, with a proven bound.
struct Outcome {
  std::vector<const Solution*> layers;  ///< of the pool; empty if no agreement is feasible
  Values value;
  Values floor;             ///< no agreement is better, in the order of the list
  std::uint64_t parts = 0;  ///< parts of the space that were searched
  bool unfinished = false;  ///< `layers` is empty because a limit ended the search
  [[nodiscard]] bool proven() const { return value == floor; }
};

class AgreementSearch {
 public:
  /// Receives the best value found, if any, and the bound, both of the first goal.
  using Report = std::function<void(const Objective&, const Rational* best, const Rational& bound)>;

  /// Keeps references. Every layer must have a mapping.
  AgreementSearch(LayerPool& pool, const JointOptions& joint, Report report);

  /// `objective`: goals that are sums over the layers. Stops when the pool does.
  Outcome run(const Objective& objective, const SumsTask& task = {});

 private:
  struct Part {
    Demand demand;
    std::vector<const Solution*> layers;  // null: not solved
    std::vector<int> tries;               // to solve each of these, with ever more nodes
    std::vector<Values> floors;           // by layer, times its repetitions
    Values floor;                         // their sum
    std::uint64_t id = 0;
  };
  /// Among equal bounds the part with fewer unsolved layers is taken first, then the one made
  /// first.
  using Rank = std::pair<std::size_t, std::uint64_t>;

  [[nodiscard]] std::vector<std::size_t> unsolved(const Part& part) const;
  [[nodiscard]] std::optional<Part> root();
  [[nodiscard]] std::optional<Part> child(const Part& part, Demand demand);
  [[nodiscard]] bool take_known(Part& part) const;
  void add_up(Part& part) const;
  void push(Part part);
  void visit(Part part);
  [[nodiscard]] bool solve_some(Part& part, bool at_length = false);
  void leave_if_unknown(const Part& part);
  [[nodiscard]] std::vector<Demand> ways_to_decide(const Part& part) const;
  [[nodiscard]] std::vector<Demand> ways_to_store(const Demand& demand, std::size_t level) const;
  [[nodiscard]] std::vector<Demand> ways_to_order(const Part& part) const;
  [[nodiscard]] Part likely(const Part& part);
  void dive(const Part& part);
  void keep(const Part& part);
  [[nodiscard]] Values value_of(const std::vector<const Solution*>& layers) const;
  [[nodiscard]] const Values* known_value() const;
  [[nodiscard]] LayerPool::Asked limited(const Part& part, std::size_t layer) const;
  [[nodiscard]] std::optional<Part> at_once(const Part& part, bool full);
  void keep_at_once(const Part& part);
  void know_some(const Part& part);
  [[nodiscard]] Outcome outcome() const;

  LayerPool& pool_;
  JointOptions joint_;
  Report report_;
  std::vector<std::size_t> heaviest_first_;

  // While it runs.
  Objective objective_;
  search::BestFirst<Part, Values, Rank> open_;
  std::uint64_t parts_ = 0;
  bool dived_ = false;
  std::optional<Part> best_;
  Values best_value_;
  std::vector<std::vector<const Solution*>> agreements_;  // complete ones, of all runs
  std::optional<Values> ceiling_;  // the best of those of earlier runs, and of some that are known
};

}  // namespace pimbb::dram_pim::network
