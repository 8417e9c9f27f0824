// The problem of a layer on accelerators of which one figure differs: what the searches of
// src/answers (stay.hpp, size_steps.hpp) ask of this wing.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "answers/size_steps.hpp"
#include "answers/stay.hpp"
#include "dram_pim/answers/figures.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "run/budget.hpp"

namespace pimbb::dram_pim::answers {

/// The searches of one computation, their limits, and the mappings that they have found.
class LayerSearches {
 public:
  LayerSearches(const Architecture& architecture, const Workload& workload, Question question,
                RunLimits limits);

  /// A mapping that was found, and its row activations today if it is feasible today.
  struct Known {
    Mapping mapping;
    std::string text;
    bool fits_today = false;
    PerTensor<Rational> row_activations;
  };

  /// A solve for the first goal alone; nothing if a limit was hit before it. LimitError counts as
  /// a limit.
  std::optional<Solution> solve(const Architecture& architecture,
                                const std::optional<Rational>& below);
  /// The same with another question.
  std::optional<Solution> solve(const Architecture& architecture, const Question& question);
  /// Mappings of all classes that cost at most (1 + share) times the optimum; nothing if they are
  /// too many.
  std::optional<std::vector<Mapping>> all_within(const Architecture& architecture,
                                                 const Rational& share);
  /// The number of a mapping among those known.
  std::size_t number_of(const Mapping& mapping);
  /// Whether the searches can compute with the numbers of an architecture.
  [[nodiscard]] bool can_compute(const Architecture& architecture) const;

  [[nodiscard]] const Architecture& today() const { return a_; }
  [[nodiscard]] const Workload& workload() const { return w_; }
  [[nodiscard]] const Question& question() const { return question_; }
  [[nodiscard]] Goal goal() const { return question_.objective.goals.front(); }
  [[nodiscard]] const std::vector<Known>& known() const { return known_; }
  [[nodiscard]] const SolveStatistics& spent() const { return spent_; }
  [[nodiscard]] std::uint64_t solves() const { return solves_; }
  [[nodiscard]] double seconds() const { return budget_.seconds(); }
  void count(const Solution& solution);

 private:
  const Architecture& a_;
  const Workload& w_;
  Question question_;  // for the first goal
  run::Budget budget_;
  std::vector<Known> known_;
  std::map<std::string, std::size_t> numbers_;  // by text, which is of one mapping only
  SolveStatistics spent_;
  std::uint64_t solves_ = 0;
  std::uint64_t first_nodes_ = 0;
};

/// An energy, a time or a rate that varies. p is the reciprocal of a rate.
class VariedFigure final : public pimbb::answers::VariedProblem {
 public:
  VariedFigure(LayerSearches& searches, const Figure& figure)
      : searches_(searches), figure_(figure) {}

  [[nodiscard]] bool is_linear() const override { return figure_.kind == FigureKind::energy; }
  [[nodiscard]] const pimbb::answers::ValueCurve& curve(std::size_t solution) override;
  Found cheaper(const Rational& p, const Rational& limit) override;
  Found best(const Rational& p) override;
  std::optional<std::vector<std::size_t>> all_within(const Rational& p, const Rational& most,
                                                     const Wanted& wanted) override;

 private:
  [[nodiscard]] Architecture at(const Rational& p) const;
  [[nodiscard]] pimbb::answers::ValueCurve curve_of(
      const Mapping& mapping, const PerTensor<Rational>& row_activations) const;
  /// A mapping that costs less than `below`, the best one or any.
  Found solve(const Rational& p, const Rational& below, bool best);
  /// The known mapping that costs least at p.
  [[nodiscard]] std::pair<Rational, std::size_t> least_known(const Rational& p);

  LayerSearches& searches_;
  const Figure& figure_;
  std::vector<std::unique_ptr<pimbb::answers::ValueCurve>> curves_;  // by solution, where made
};

/// A size that varies.
class SizedFigure final : public pimbb::answers::SizedProblem {
 public:
  SizedFigure(LayerSearches& searches, const Figure& figure)
      : searches_(searches), figure_(figure) {}
  Optimum best(std::int64_t size, const Known& known) override;

 private:
  LayerSearches& searches_;
  const Figure& figure_;
};

}  // namespace pimbb::dram_pim::answers
