// A problem of either kind of accelerator: of three consecutive seeds, one is SRAM
// compute-in-memory.
#pragma once

#include <string>
#include <variant>

#include "soak/cim_problem.hpp"
#include "soak/problem.hpp"

namespace soak {

using AnyProblem = std::variant<Problem, soak_cim::Problem>;

inline AnyProblem any_problem(std::uint64_t seed) {
  if (seed % 3 == 2) return soak_cim::random_problem(seed);
  return random_problem(seed);
}

inline testkit::Json write_any(const AnyProblem& problem) {
  return std::visit([](const auto& p) { return write(p); }, problem);
}

/// Problems of DRAM-PIM have no `kind`.
inline AnyProblem read_any(const testkit::Json& json) {
  if (json.contains("kind")) return soak_cim::read(json);
  return read(json);
}

inline std::string complaint_about(const AnyProblem& problem) {
  return std::visit([](const auto& p) { return complaint(p); }, problem);
}

}  // namespace soak
