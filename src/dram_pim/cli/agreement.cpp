// Wording of agreements.
#include "dram_pim/cli/agreement.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "dram_pim/cli/goal_text.hpp"
#include "dram_pim/cli/verdict.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {
namespace {

std::string tensors(const TensorFlags& stored) {
  std::string text;
  for (const Tensor t : kAllTensors) {
    if (stored[index(t)]) text += fmt::format("{}{}", text.empty() ? "" : ", ", name(t));
  }
  return text.empty() ? "nothing" : text;
}

std::string stores(const Architecture& architecture, const std::vector<TensorFlags>& stored) {
  std::string text;
  for (std::size_t m = 0; m < stored.size(); ++m) {
    if (!architecture.levels[m].bypass_free || m >= architecture.row_buffer()) continue;
    text += fmt::format("\n  all layers store in {}: {}", printable(architecture.levels[m].name),
                        tensors(stored[m]));
  }
  return text;
}

std::string permutations(const Architecture& architecture, const LoopPermutations& permutations) {
  std::string text;
  for (std::size_t m = 0; m < permutations.size(); ++m) {
    text += fmt::format("\n  loops of {}, outermost first:",
                        printable(architecture.levels[m + 1].name));
    for (const Dim j : permutations[m]) text += fmt::format(" {}", name(j));
  }
  return text;
}

/// "latency 1,022 cycles layer by layer: agreeing costs 3.2 %".
std::string cost(const GoalResult& agreed, const GoalResult& free) {
  const bool proven = free.value == free.bound;
  std::string text = fmt::format("\n  {} with every layer free: {}", name(free.goal),
                                 with_unit(free.goal, free.value));
  if (!proven) text += fmt::format(", bound {}", number(free.bound));
  if (agreed.value == free.value) return text + "; agreeing costs nothing";
  if (free.value.sign() <= 0 || agreed.value < free.value) return text;
  return text + fmt::format("; agreeing costs {:.3g} %",
                            ((agreed.value / free.value - 1) * 100).to_double());
}

}  // namespace

std::string joint_verdict(const Style& style, const Architecture& architecture,
                          const NetworkSolution& solution) {
  if (solution.goals.empty()) return network_verdict(style, solution);
  Solution whole;
  whole.status = solution.status;
  whole.goals = solution.goals;
  std::string text = verdict(style, whole, false);
  if (!solution.agreement) return text;
  const Agreement& agreement = *solution.agreement;
  text += stores(architecture, agreement.stores);
  text += permutations(architecture, agreement.permutations);
  for (std::size_t k = 0; k < std::min(agreement.free.size(), solution.goals.size()); ++k) {
    text += cost(solution.goals[k], agreement.free[k]);
    if (solution.goals[k].value != agreement.free[k].value) break;  // later goals do not compare
  }
  return text;
}

}  // namespace pimbb::dram_pim::cli
