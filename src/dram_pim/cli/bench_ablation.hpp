// The effect of each pruning rule: every case is solved again without the rule, directly after the
// search with all rules, so that both run under the same conditions.
//
// The search without a rule may take too long: it stops after ablation_limit() nodes, or at the
// user's limits. Such a case counts as unfinished, and its values at the limit enter the means,
// which are then lower bounds. Nodes and leaves repeat exactly, times do not.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "dram_pim/cli/bench_corpus.hpp"
#include "dram_pim/cli/bench_result.hpp"
#include "pimbb/dram_pim/rules.hpp"

namespace pimbb::dram_pim::cli {

/// The node limit of a search without a rule, if the search with it expands `nodes`.
constexpr std::uint64_t ablation_limit(std::uint64_t nodes) { return 100 * nodes + 10'000; }

/// One rule over the corpus, case after case. All ratios are "without" over "with".
class Ablation {
 public:
  explicit Ablation(Rule rule) : rule_(rule) {}

  /// Skips cases that the search with all rules did not solve. Throws std::logic_error with the
  /// name of the case if the optimum differs.
  void add(const BenchCase& problem, const BenchResult& with, const BenchResult& without);

  [[nodiscard]] Rule rule() const { return rule_; }
  [[nodiscard]] std::string_view name() const {
    return kRuleNames[static_cast<std::size_t>(rule_)];
  }
  [[nodiscard]] std::size_t cases() const { return cases_; }
  /// Names of the cases that ended at a limit.
  [[nodiscard]] const std::vector<std::string>& unfinished() const { return unfinished_; }
  [[nodiscard]] double nodes() const { return nodes_.value(); }    ///< geometric mean of ratios
  [[nodiscard]] double leaves() const { return leaves_.value(); }  ///< the same of leaves
  [[nodiscard]] double time() const { return time_.value(); }      ///< the same of median times
  [[nodiscard]] double worst_nodes() const { return worst_nodes_; }

 private:
  Rule rule_;
  std::size_t cases_ = 0;
  std::vector<std::string> unfinished_;
  GeometricMean nodes_;
  GeometricMean leaves_;
  GeometricMean time_;
  double worst_nodes_ = 0;
};

/// One for each of `rules`.
std::vector<Ablation> ablations_of(const Rules& rules);

/// One line for the report; without times if `timeless`.
std::string ablation_text(const Ablation& ablation, bool timeless);

}  // namespace pimbb::dram_pim::cli
