// All classes of mappings within a limit on the cost, under one storage choice.
//
// The tree is that of the solver (mapper/branching.hpp), but every member of what the solver merges
// or drops has a place in it:
//
//     step to a tile     one child for each reuse class (reuse.hpp), not only the best ones
//     layouts            every layout and block of each tensor (layout_menu.hpp)
//     orders, `trace`    all orders of the loops that a tensor of the DRAM sees; those with the
//     same
//                        reuse classes, layouts and N_act of each tensor are one class
//     unrolling          every unrolling of the level-0 tile, and every split over rows and columns
//
// There is no dominance and no symmetry. Bounds are the solver's: its cost-to-go is a minimum over
// all completions, in which each loop class has the run of its cheapest member (nest/steps.hpp), so
// it is a lower bound for the others too. A child is dropped only if its bound is greater than the
// limit, strictly; what costs exactly as much as the limit is found.
//
// Decisions that lead to the same state with the same costs so far are one node: a Decision lists
// its variants, and everything further inside is searched once for all of them.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>

#include "answers/best.hpp"
#include "dram_pim/answers/layout_menu.hpp"
#include "dram_pim/answers/reuse.hpp"
#include "dram_pim/mapper/cost_to_go.hpp"
#include "dram_pim/mapper/row_pricing.hpp"
#include "dram_pim/mapper/target.hpp"
#include "dram_pim/trace/loop_orders.hpp"

namespace pimbb::dram_pim::answers {

/// Values of the goals, in order of importance; 0 behind the last.
struct ClassCost {
  std::array<Wide, kGoals.size()> value{};
  friend auto operator<=>(const ClassCost&, const ClassCost&) = default;
};

struct FoundClass {
  Mapping mapping;  ///< in canonical loop order
  UInt128 members = 1;
  mapper::Costs costs;
};

using BestClasses = pimbb::answers::Best<ClassCost, FoundClass>;

/// One way in which a Decision can be taken: of loop orders and layouts.
struct Variant {
  PerTensor<LayoutPick> layouts{};
  std::vector<mapper::LoopOrder> orders;  ///< `trace`: of the levels whose orders are decided
  UInt128 members = 1;                    ///< mappings, as far as these orders go
};
using Decision = std::vector<Variant>;

class ClassSearch {
 public:
  /// What does not depend on the storage choice. References are kept.
  struct Common {
    const mapper::Instance& instance;
    const ReuseClasses& reuse;
    const LayoutMenu& menu;
    mapper::SeamTables& seams;
    const std::vector<mapper::Target>& targets;  ///< one for each goal, with all caps
    const run::Guard& guard;
  };
  /// An arrival at the row buffer, of the instance's list, and a bound of the classes below it.
  using Root = std::pair<ClassCost, std::size_t>;

  ClassSearch(const Common& common, std::vector<TensorFlags> stores,
              const mapper::RowPricing& pricing);

  /// Whether there is a mapping at all.
  [[nodiscard]] bool is_possible() const { return !levels_.tiles[0].empty(); }
  [[nodiscard]] std::uint64_t bytes(std::size_t thresholds) const;
  /// Builds the cost-to-go; `thresholds` as for mapper::CostToGo, the last one no limit but a cap.
  void prepare(std::vector<Int128> thresholds);
  /// The least latency and energy of all mappings, by the bounds of arrivals.
  [[nodiscard]] mapper::Costs least_costs() const;
  /// All arrivals within the caps and the cutoff (null: none), by ascending bounds.
  [[nodiscard]] std::vector<Root> roots(const ClassCost* cutoff) const;
  /// Leaves out tiles inside the row buffer that no class within the cutoff has.
  void limit(const ClassCost& cutoff);

  /// Adds all classes below an arrival that are of use to `best`. At most `nodes` nodes, which are
  /// counted down, are expanded; false if this is not enough or the guard stops the search.
  [[nodiscard]] bool search(std::size_t arrival, BestClasses& best, std::uint64_t& nodes) const;

 private:
  struct Node {
    mapper::PartialMapping at;
    std::array<const ReuseClass*, mapper::kMaxLevels> loops{};  // where they are decided
    UInt128 members = 1;                                        // of these levels
    const Decision* decision = nullptr;
  };
  struct Children {
    std::vector<std::pair<ClassCost, Node>> list;
    std::deque<Decision> decisions;
    void add(const ClassCost& bound, Node node) { list.emplace_back(bound, std::move(node)); }
  };
  struct Run {  // of one thread
    BestClasses& best;
    std::uint64_t& nodes;
    std::size_t steps = 0;
  };

  void check(Run& run) const;
  void visit(const Node& node, Run& run) const;
  void expand(const Node& node, Run& run, Children& out) const;
  void expand_root(const Node& node, std::size_t arrival, Run& run, Children& out) const;
  void expand_row_buffer(const Node& node, Run& run, Children& out) const;
  void expand_row_buffer_traced(const Node& node, Run& run, Children& out) const;
  void expand_orders(const Node& node, Run& run, Children& out) const;
  void expand_inside(const Node& node, Run& run, Children& out) const;
  void add_layouts(const Node& child, const mapper::State& to, Run& run, Children& out,
                   const PerTensor<rows::RowReuse>& reuse) const;
  void leaves(const Node& node, Run& run) const;
  void traced_leaf(const Node& node, const mapper::SpatialOption& option, Run& run) const;
  void add_classes(const Node& node, const mapper::SpatialOption& option,
                   const mapper::Costs& costs, const Decision& decision, Run& run) const;

  [[nodiscard]] Mapping mapping_of(const Node& node, const mapper::SpatialOption& option,
                                   const Factors& rows, const Variant& variant) const;
  [[nodiscard]] std::vector<Loop> loops_of(const Node& node, std::size_t m, const Factors& inside,
                                           const Factors& outer, const Variant& variant) const;
  /// The dimensions that have a loop between a node and a tile inside.
  [[nodiscard]] mapper::DimMask loops_to(const Node& node, mapper::TileIndex to) const;
  [[nodiscard]] static Node child_of(const Node& node, const mapper::State& to,
                                     const ReuseClass& loops);
  [[nodiscard]] ClassCost value(const mapper::Costs& costs) const;
  [[nodiscard]] bool keeps_caps(const mapper::Costs& costs) const;
  [[nodiscard]] ClassCost bound(const mapper::Sums& sums, const mapper::CostToGo::Entry& rest,
                                Int128 activations) const;
  [[nodiscard]] ClassCost bound_below(const mapper::State& state, std::size_t level,
                                      const mapper::Sums& sums, const Run& run) const;
  [[nodiscard]] static bool beyond(const ClassCost& bound, const Run& run);
  [[nodiscard]] std::vector<mapper::TileIndex> tiles_inside(const Node& node) const;
  [[nodiscard]] bool admits(const Node& node, mapper::TileIndex to) const;
  [[nodiscard]] std::vector<Factors> splits(mapper::TileIndex array) const;

  const Common& common_;
  const mapper::Instance& instance_;
  mapper::Storage storage_;
  std::unique_ptr<mapper::ChainRows> rows_;
  mapper::LevelTiles levels_;
  mapper::SpatialMenu unrollings_;
  std::optional<mapper::CostToGo> cost_to_go_;
  std::vector<char> hopeful_;  // tiles of the level inside the row buffer; empty: all
  std::size_t rb_;
  bool traced_;
  bool early_;               // the orders are decided directly inside the row buffer
  std::size_t first_order_;  // `trace`: the innermost level whose order a tensor of the DRAM sees
};

}  // namespace pimbb::dram_pim::answers
