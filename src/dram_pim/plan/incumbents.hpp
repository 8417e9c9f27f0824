// Plans with real places: the incumbents of the search for the best one.
//
// Three sources, each more work than the one before. The mappings that the relaxation picked, with
// every shared tensor in the best of the places that its layers have. What follows from a plan when
// its layers respond to the places of the shared tensors (best_response.hpp), these move to where
// the layers now want them, and so on while it helps. And the same from places that no layer has
// yet, which the relaxation's bounds say go well together. None of them proves anything.
#pragma once

#include "dram_pim/plan/best_response.hpp"
#include "dram_pim/plan/layout_relaxation.hpp"

namespace pimbb::dram_pim::network {

struct Candidate {
  std::vector<LayoutRelaxation::Pick> layers;
  std::vector<Placement> sides;  ///< as the mappings have them
  std::vector<Placement> shared;
  search::Value value;
  search::Value passes;
};

class Incumbents {
 public:
  /// Keeps references. `goals`: how many the objective has.
  Incumbents(LayoutSpace& space, LayerCosts& costs, const LayoutRelaxation& relaxation,
             const run::Clock& clock, std::size_t goals)
      : space_(space),
        exchange_(space.exchange()),
        costs_(costs),
        relaxation_(relaxation),
        clock_(clock),
        responses_(space, costs, clock),
        zero_(std::vector<Rational>(goals)) {}

  /// The first plan: of layers that were solved alone.
  void begin(const std::vector<LayoutRelaxation::Pick>& alone) { keep(candidate(alone, {})); }
  /// The plan of what a relaxation picked, every layer having an answer.
  Candidate take(const LayoutRelaxation::Least& least);
  /// Looks for better plans near `now`, which take() made of the relaxation `least`, unless that
  /// has taken more than its share of the solves already.
  void improve(const LayoutRelaxation::Least& least, const Candidate& now);

  [[nodiscard]] bool any() const { return best_.has_value(); }
  [[nodiscard]] const Candidate& best() const { return *best_; }

 private:
  using Pick = LayoutRelaxation::Pick;
  using Proposals = std::vector<std::optional<Placement>>;  // by shared tensor

  /// Improving waits for so many refinements: often that is all it takes.
  static constexpr int kPatience = 4;
  /// Of all solves about one in so many may be spent on improving.
  static constexpr std::uint64_t kShare = 4;

  [[nodiscard]] Candidate mapped(const std::vector<Pick>& layers) const;
  Candidate placed(const std::vector<Pick>& layers, std::vector<Placement> shared);
  Candidate candidate(const std::vector<Pick>& layers, const Proposals& proposals);
  [[nodiscard]] Proposals picked(const std::vector<std::size_t>& shared) const;
  std::vector<Placement> likely(const LayoutRelaxation::Least& least);
  Placement likely(const LayoutRelaxation::Least& least, std::size_t g);
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
