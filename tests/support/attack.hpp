// Attacks on a claimed optimum where mappings are too many to exhaust: random mappings, and
// simulated annealing in small steps, from the best mapping known or from the claimed one.
//
// Verdicts are the oracle's; costs are evaluate()'s, which other tests hold against the oracle.
#pragma once

#include <optional>
#include <utility>

#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/rational.hpp"
#include "support/choices.hpp"
#include "support/instances.hpp"

namespace testkit {

class Attack {
 public:
  Attack(const Instance& instance, std::uint64_t seed) : i_(instance), choices_(seed) {}

  /// `outward`: how strongly factors are drawn to the DRAM (random_mapping).
  void random(std::size_t tries, std::size_t outward);
  /// Takes a step that costs a share d more with probability exp(-d / temperature); the temperature
  /// falls to a thousandth of `hottest`.
  void anneal(const pimbb::dram_pim::Mapping& start, std::size_t steps, double hottest);

  using Found = std::pair<pimbb::dram_pim::Mapping, pimbb::Rational>;
  /// The cheapest mapping met, by the first goal.
  [[nodiscard]] const std::optional<Found>& best() const { return best_; }
  [[nodiscard]] std::size_t feasible() const { return feasible_; }

 private:
  /// The cost of a feasible mapping, remembered if it is the least so far.
  std::optional<pimbb::Rational> try_mapping(const pimbb::dram_pim::Mapping& m);

  const Instance& i_;
  Choices choices_;
  std::optional<Found> best_;
  std::size_t feasible_ = 0;
};

}  // namespace testkit
