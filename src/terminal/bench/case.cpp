// Names, exact values, medians.
#include "terminal/bench/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace pimbb::terminal {

std::string BenchAnswer::exact_values() const {
  std::string text;
  if (status != Status::optimal) return text;
  for (const GoalAnswer& goal : goals) text += (text.empty() ? "" : ",") + goal.value.to_string();
  return text;
}

std::uint64_t BenchAnswer::count(std::string_view key) const {
  const auto found = std::ranges::find(counts, key, &std::pair<std::string, std::uint64_t>::first);
  assert(found != counts.end());
  return found->second;
}

std::string BenchCase::name() const {
  return fmt::format("{} {} {} {}", architecture, layer, model, objective);
}

double BenchResult::seconds() const {
  std::vector<double> sorted = runs;
  std::ranges::sort(sorted);
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

}  // namespace pimbb::terminal
