// Checking a proof: pimbb-proof/1, streamed line by line.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pimbb_check {

struct Report {
  bool accepted = false;
  std::string reason;                                        // refused: "line N: why"
  std::vector<std::pair<std::string, std::string>> optimum;  // goal and value; empty: infeasible
  std::uint64_t inner_nodes = 0;
  std::uint64_t by_bound = 0, by_cap = 0, evaluated = 0, overflows = 0;  // leaves
  std::uint64_t bytes = 0;

  std::uint64_t leaves() const { return by_bound + by_cap + evaluated + overflows; }
};

/// Never throws on account of what `proof` holds. With `instance`, the proof must be about just
/// this canonical instance.
Report check(std::istream& proof, const std::optional<std::string>& instance = std::nullopt);

}  // namespace pimbb_check
