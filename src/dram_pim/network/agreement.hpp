// Sums over the layers, minimised under the condition that all layers agree on something.
//
// Without the condition the optima of the layers add up. So a part of the space, that is, a demand
// which every layer keeps (layer_pool.hpp), is relaxed by letting each layer choose for itself: the
// sum of the optima is a bound. Where the mappings found agree, it is attained and the part is
// done; where they do not, what they disagree on is decided in all possible ways, and each way is a
// smaller part, in which only the layers have to be solved again whose mapping is not in it.
//
// What can be decided is what a level with free bypass stores, and of two dimensions which one's
// loop stands inside the other's at a level (loop_needs.hpp). When the layers first disagree,
// everything is decided at once as the heaviest of them like it, for a first agreement.
//
// Parts are taken up best bound first, and their layers solved a few at a time, the heaviest first:
// most parts are out of the race before their last layer is looked at. The first part that is
// complete and agrees is the optimum. A list of goals is compared in its order throughout; that is
// right because the order of lists is kept by sums: if every layer's list is no better than a
// bound, neither is the sum of the lists.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "dram_pim/network/layer_pool.hpp"
#include "dram_pim/network/loop_needs.hpp"
#include "search/best_first.hpp"

namespace pimbb::dram_pim::network {

/// The best that was found, and what is proven of it.
struct Outcome {
  std::vector<const Solution*> layers;  ///< of the pool; empty if no agreement is feasible
  Values value;
  Values floor;             ///< no agreement is better, in the order of the list
  std::uint64_t parts = 0;  ///< parts of the space that were looked at
  [[nodiscard]] bool proven() const { return value == floor; }
};

class AgreementSearch {
 public:
  /// Told of the best value so far, if there is one, and the bound: of the first goal.
  using Report = std::function<void(const Objective&, const Rational* best, const Rational& bound)>;

  /// Keeps references. Every layer must have a mapping.
  AgreementSearch(LayerPool& pool, const JointOptions& joint, Report report);

  /// `objective`: goals that are sums over the layers. Stops when the pool does.
  Outcome run(const Objective& objective);

 private:
  struct Part {
    Demand demand;
    std::vector<const Solution*> layers;  // null: not solved
    std::vector<Values> floors;           // by layer, times its repetitions
    Values floor;                         // their sum
    std::uint64_t id = 0;
  };
  /// Among equal bounds the part with fewer unsolved layers is taken first, then the one made
  /// first.
  using Rank = std::pair<std::size_t, std::uint64_t>;

  [[nodiscard]] std::vector<std::size_t> unsolved(const Part& part) const;
  [[nodiscard]] Part root();
  [[nodiscard]] std::optional<Part> child(const Part& part, Demand demand);
  [[nodiscard]] bool take_known(Part& part) const;
  void add_up(Part& part) const;
  void push(Part part);
  void visit(Part part);
  [[nodiscard]] bool solve_some(Part& part);
  [[nodiscard]] std::vector<Demand> ways_to_decide(const Part& part) const;
  [[nodiscard]] std::vector<Demand> ways_to_store(const Demand& demand, std::size_t level) const;
  [[nodiscard]] std::vector<Demand> ways_to_order(const Part& part) const;
  [[nodiscard]] Part likely(const Part& part);
  void dive(const Part& part);
  void keep(const Part& part);
  void keep_smallest(Part part);
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
};

}  // namespace pimbb::dram_pim::network
