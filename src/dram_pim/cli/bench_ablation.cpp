// Ratios of one rule, and their line in the report.
#include "dram_pim/cli/bench_ablation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace pimbb::dram_pim::cli {
namespace {

/// One more on each side: a case that is proven at the root has no node.
double ratio(std::uint64_t with, std::uint64_t without) {
  return (static_cast<double>(without) + 1) / (static_cast<double>(with) + 1);
}

std::string line_of(const Ablation& a, bool timeless) {
  std::string text = fmt::format("without {:<10}  nodes x {:.2f} (worst x {:.1f}), leaves x {:.2f}",
                                 a.name(), a.nodes(), a.worst_nodes(), a.leaves());
  if (!timeless) text += fmt::format(", time x {:.2f}", a.time());
  if (!a.unfinished().empty()) {
    text += fmt::format(" at least: {} of {} cases at a limit", a.unfinished().size(), a.cases());
  }
  return text + "\n";
}

files::Json ablation_json(const Ablation& ablation, bool timeless) {
  files::Json json = files::Json::object();
  json["without"] = ablation.name();
  json["cases"] = ablation.cases();
  json["nodes_ratio"] = ablation.nodes();
  json["worst_nodes_ratio"] = ablation.worst_nodes();
  json["leaves_ratio"] = ablation.leaves();
  if (!timeless) json["time_ratio"] = ablation.time();
  json["unfinished"] = ablation.unfinished();
  return json;
}

}  // namespace

void Ablation::add(const BenchCase& problem, const BenchResult& with, const BenchResult& without) {
  const BenchAnswer& a = with.answer;
  const BenchAnswer& b = without.answer;
  if (!a.closed()) return;
  if (!b.closed()) {
    unfinished_.push_back(problem.name());
  } else if (a.status != b.status || a.exact_values() != b.exact_values()) {
    throw std::logic_error(fmt::format("{}: '{}' with the rule '{}', '{}' without", problem.name(),
                                       a.exact_values(), name(), b.exact_values()));
  }
  ++cases_;
  const double nodes = ratio(a.count("nodes"), b.count("nodes"));
  nodes_.add(nodes);
  leaves_.add(ratio(a.count("leaves"), b.count("leaves")));
  time_.add(without.seconds() / std::max(with.seconds(), 1e-6));
  worst_nodes_ = std::max(worst_nodes_, nodes);
}

RuleExtras::RuleExtras(const Rules& rules, bool ablation) : rules_(rules) {
  for (std::size_t k = 0; ablation && k < kRules; ++k) {
    if (rules.has(static_cast<Rule>(k))) ablations_.emplace_back(static_cast<Rule>(k));
  }
}

void RuleExtras::after_case(const BenchCase& problem, const BenchResult& result,
                            const RunLimits& limits, const SolveAgain& solve_again,
                            const std::function<bool()>& interrupted) {
  for (Ablation& ablation : ablations_) {
    RunLimits own = limits;
    const std::uint64_t most = ablation_limit(result.answer.count("nodes"));
    own.node_limit = std::min(most, limits.node_limit.value_or(most));
    const BenchResult without =
        solve_again(fmt::format(" without {}", ablation.name()), ablation.name(), own);
    if (interrupted()) return;
    ablation.add(problem, result, without);
  }
}

std::string RuleExtras::report(bool timeless) const {
  std::string text;
  for (const Ablation& ablation : ablations_) text += line_of(ablation, timeless);
  return text;
}

void RuleExtras::add_settings(files::Json& json) const {
  json["without"] = files::Json::array();
  for (std::size_t k = 0; k < kRules; ++k) {
    if (!rules_.has(static_cast<Rule>(k))) json["without"].push_back(kRuleNames[k]);
  }
}

void RuleExtras::add_results(files::Json& json, bool timeless) const {
  if (ablations_.empty()) return;
  json["ablation"] = files::Json::array();
  for (const Ablation& ablation : ablations_) {
    json["ablation"].push_back(ablation_json(ablation, timeless));
  }
}

}  // namespace pimbb::dram_pim::cli
