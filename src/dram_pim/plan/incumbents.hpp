// Complete plans with actual places: the incumbents of the search for the best plan.
//
// There are three sources, each with more work than the one before. First, the mappings that the
// relaxation selected, with every shared tensor in the best of the places that its layers use.
// Second, best responses (best_response.hpp): the layers are solved again for the places of the
// shared tensors, the tensors move to the places that the layers then prefer, and so on while the
// plan improves. Third, the same from places that no layer uses yet but that are good according to
// the relaxation's bounds. None of them proves anything.
#pragma once

#include "dram_pim/plan/best_response.hpp"
#include "dram_pim/plan/layout_relaxation.hpp"

namespace pimbb::dram_pim::network {

struct Candidate {
  std::vector<LayoutRelaxation::CellPick> layers;
  std::vector<Placement> sides;  ///< the places in the mappings
  std::vector<Placement> shared;
  search::Value value;
  search::Value passes;
};

class Incumbents {
 public:
  /// Keeps references. `goals`: the number of goals of the objective.
  Incumbents(LayoutSpace& space, LayerCosts& costs, const LayoutRelaxation& relaxation,
             const run::Clock& clock, std::size_t goals)
      : space_(space),
        exchange_(space.exchange()),
        costs_(costs),
        relaxation_(relaxation),
        clock_(clock),
        responses_(space, costs, clock),
        zero_(std::vector<Rational>(goals)) {}

  /// The first plan, from layers that were solved alone.
  void begin(const std::vector<LayoutRelaxation::CellPick>& alone) { keep(candidate(alone, {})); }
  /// A plan that is known from elsewhere.
  void begin(const std::vector<LayoutRelaxation::CellPick>& layers, std::vector<Placement> shared) {
    keep(placed(layers, std::move(shared)));
  }
  /// The plan of the mappings that a relaxation selected; every layer has an answer.
  Candidate take(const LayoutRelaxation::RelaxedPlan& least);
  /// Searches for better plans near `now`, the plan that take() made for `least`, unless this has
  /// already used its share of the solves.
  void improve(const LayoutRelaxation::RelaxedPlan& least, const Candidate& now);

  [[nodiscard]] bool any() const { return best_.has_value(); }
  [[nodiscard]] const Candidate& best() const { return *best_; }

 private:
  using CellPick = LayoutRelaxation::CellPick;
  using Proposals = std::vector<std::optional<Placement>>;  // by shared tensor

  /// Number of refinements before plans are improved; often the refinements suffice.
  static constexpr int kPatience = 4;
  /// About one of this number of solves may be used for improving plans.
  static constexpr std::uint64_t kShare = 4;

  [[nodiscard]] Candidate mapped(const std::vector<CellPick>& layers) const;
  Candidate placed(const std::vector<CellPick>& layers, std::vector<Placement> shared);
  Candidate candidate(const std::vector<CellPick>& layers, const Proposals& proposals);
  [[nodiscard]] Proposals picked(const std::vector<std::size_t>& shared) const;
  std::vector<Placement> likely(const LayoutRelaxation::RelaxedPlan& least);
  Placement likely(const LayoutRelaxation::RelaxedPlan& least, std::size_t g);
  void follow(Candidate candidate);
  BestResponse::Present presently(const Candidate& candidate, std::size_t layer);
  void keep(Candidate candidate);

  LayoutSpace& space_;
  const Exchange& exchange_;
  LayerCosts& costs_;
  const LayoutRelaxation& relaxation_;
  const run::Clock& clock_;
  BestResponse responses_;
  search::Value zero_;
  std::optional<Candidate> best_;
  int taken_ = 0;
  std::uint64_t spent_ = 0;  ///< solves
};

}  // namespace pimbb::dram_pim::network
