// The cost of a layer whose input and output are in given cells: a cache of solves.
//
// Often it is enough to know whether a layer costs more than some limit, which needs a much shorter
// search than its cost. With a limit the answer may be "more than the limit"; the question is asked
// again if a higher limit matters.
#pragma once

#include <map>
#include <vector>

#include "dram_pim/mapper/layer_store.hpp"
#include "dram_pim/plan/layer_searches.hpp"
#include "run/clock.hpp"
#include "search/value.hpp"

namespace pimbb::dram_pim::network {

/// A layer under restrictions.
struct LayerAnswer {
  search::Value bound;  ///< lower bound of its goals; infinite: no mapping
  Solution solution;    ///< has a mapping unless none exists within the limit, or time ran out
  [[nodiscard]] bool settled() const { return solution.mapping || bound.infinite(); }
};

class LayerCosts {
 public:
  /// Keeps references; the clock is that of the time limit.
  LayerCosts(const Architecture& architecture, const Question& question, const RunLimits& limits,
             const run::Clock& clock, mapper::LayerStore& layers);

  /// One answer for each question. Questions that differ only in the limit have the same answer,
  /// for the highest limit. Answers exist as long as this object and improve if they are requested
  /// again. While they are searched for, `look_ahead` tells what is likely to be asked next.
  std::vector<const LayerAnswer*> answers(const std::vector<LayerQuestion>& questions,
                                          const LayerSearches::LookAhead& look_ahead = {});

  /// What answers() is likely to say: what is known, or that a layer costs more than its limit.
  struct Likely {
    const LayerAnswer* settled = nullptr;
    search::Value bound;
  };
  /// One for each question; nothing if one of them has no limit. From any thread, while answers()
  /// searches.
  [[nodiscard]] std::optional<std::vector<Likely>> likely(
      const std::vector<LayerQuestion>& questions) const;
  /// Those of the questions that answers() would search for.
  [[nodiscard]] std::vector<LayerQuestion> unknown(
      const std::vector<LayerQuestion>& questions) const;
  /// Whether an answer is what it was likely to be.
  static bool is_as_likely(const LayerAnswer& answer, const Likely& likely);
  /// What `look_ahead` told is not likely any more, but for these questions.
  void forget_likely(const std::vector<LayerQuestion>& but = {}) { searches_.forget(unknown(but)); }
  [[nodiscard]] std::uint64_t solves() const { return solves_; }

 private:
  /// Questions that differ in more than the limit, each with the highest one; and the one of each
  /// question that was asked.
  struct Distinct {
    std::vector<LayerQuestion> questions;
    std::vector<LayerQuestion::Key> keys;
    std::vector<std::size_t> of;
  };
  static Distinct distinct(const std::vector<LayerQuestion>& questions);
  [[nodiscard]] static bool is_known(const LayerAnswer& answer, const LayerQuestion& question);
  [[nodiscard]] const LayerAnswer* known(const LayerQuestion::Key& key,
                                         const LayerQuestion& question) const;
  [[nodiscard]] Solution solved(const LayerQuestion& layer,
                                const LayerSearches::Terms& terms) const;
  void take(LayerAnswer& answer, Solution solution, const std::optional<Rational>& at_most) const;

  const Architecture& a_;
  const Question& question_;
  const RunLimits& limits_;
  const run::Clock& clock_;
  mapper::LayerStore& layers_;
  std::map<LayerQuestion::Key, LayerAnswer> known_;
  LayerSearches searches_;
  std::uint64_t solves_ = 0;
};

}  // namespace pimbb::dram_pim::network
