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

#include "pimbb/dram_pim/rules.hpp"
#include "statistics/statistics.hpp"
#include "terminal/bench/run.hpp"

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
  statistics::GeometricMean nodes_;
  statistics::GeometricMean leaves_;
  statistics::GeometricMean time_;
  double worst_nodes_ = 0;
};

/// The switched-off rules and, if wanted, the ablation of the others, in a bench's report.
class RuleExtras : public BenchExtras {
 public:
  RuleExtras(const Rules& rules, bool ablation);

  void after_case(const BenchCase& problem, const BenchResult& result, const RunLimits& limits,
                  const SolveAgain& solve_again, const std::function<bool()>& interrupted) override;
  [[nodiscard]] std::string report(bool timeless) const override;
  void add_settings(files::Json& json) const override;
  void add_results(files::Json& json, bool timeless) const override;

 private:
  Rules rules_;
  std::vector<Ablation> ablations_;  ///< one for each rule
};

}  // namespace pimbb::dram_pim::cli
