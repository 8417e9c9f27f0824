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

}  // namespace

void Ablation::add(const BenchCase& problem, const BenchResult& with, const BenchResult& without) {
  if (!with.closed()) return;
  const Solution& a = with.solution;
  const Solution& b = without.solution;
  if (!without.closed()) {
    unfinished_.push_back(problem.name());
  } else if (a.status != b.status || exact_values(a) != exact_values(b)) {
    throw std::logic_error(fmt::format("{}: '{}' with the rule '{}', '{}' without", problem.name(),
                                       exact_values(a), name(), exact_values(b)));
  }
  ++cases_;
  nodes_.add(ratio(a.nodes, b.nodes));
  leaves_.add(ratio(a.leaves, b.leaves));
  time_.add(without.seconds() / std::max(with.seconds(), 1e-6));
  worst_nodes_ = std::max(worst_nodes_, ratio(a.nodes, b.nodes));
}

std::vector<Ablation> ablations_of(const Rules& rules) {
  std::vector<Ablation> all;
  for (std::size_t k = 0; k < kRules; ++k) {
    if (rules.has(static_cast<Rule>(k))) all.emplace_back(static_cast<Rule>(k));
  }
  return all;
}

std::string ablation_text(const Ablation& a, bool timeless) {
  std::string text = fmt::format("without {:<10}  nodes x {:.2f} (worst x {:.1f}), leaves x {:.2f}",
                                 a.name(), a.nodes(), a.worst_nodes(), a.leaves());
  if (!timeless) text += fmt::format(", time x {:.2f}", a.time());
  if (!a.unfinished().empty()) {
    text += fmt::format(" at least: {} of {} cases at a limit", a.unfinished().size(), a.cases());
  }
  return text + "\n";
}

}  // namespace pimbb::dram_pim::cli
