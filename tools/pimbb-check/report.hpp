// What comes of checking a proof of any format.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pimbb_check {

struct Report {
  bool accepted = false;
  bool out_of_memory = false;                                // neither accepted nor refused
  std::string reason;                                        // refused: "line N: why"
  std::vector<std::pair<std::string, std::string>> optimum;  // goal and value; empty: infeasible
  std::string claim;    // for people: what is proven, if it is no optimum of goals
  std::string bound;    // no mapping is below it; empty: the goal's value is the optimum
  std::string problem;  // what the proof is about, for people
  std::uint64_t inner_nodes = 0;
  std::uint64_t by_bound = 0, by_cap = 0, evaluated = 0, overflows = 0;  // leaves
  std::uint64_t bytes = 0;                                               // of a file

  std::vector<std::string> details;  // for people: how; empty: the counts above

  [[nodiscard]] std::uint64_t leaves() const { return by_bound + by_cap + evaluated + overflows; }
};

}  // namespace pimbb_check
