// One random problem with one way to solve it, and the judgement of the solver's answer.
//
// Small problems are judged by exhaustion, larger ones by attacks on the claimed optimum; whatever
// is claimed optimal or infeasible over the whole space is proven to the checker as well.
// Everything about a problem is in its JSON, which a regression test keeps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pimbb/dram_pim/method.hpp"
#include "pimbb/dram_pim/rules.hpp"
#include "support/instances.hpp"
#include "support/plain_json.hpp"

namespace soak {

struct Problem {
  testkit::Instance instance;
  pimbb::dram_pim::Method method = pimbb::dram_pim::Method::exact;
  pimbb::dram_pim::Rules rules;
  int threads = 1;
  std::optional<std::uint64_t> node_limit;
};

/// The problem of a seed: sizes, features, dataflows, rules, threads and limits are all drawn.
Problem random_problem(std::uint64_t seed);

testkit::Json write(const Problem& problem);
Problem read(const testkit::Json& json);

/// Whether the problem is one that solve() has to accept.
bool valid(const Problem& problem);

/// Solves the problem. What is wrong with the answer, in a sentence; empty if nothing.
std::string complaint(const Problem& problem);

}  // namespace soak
