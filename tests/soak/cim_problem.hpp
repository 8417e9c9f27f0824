// One random problem of SRAM compute-in-memory with one way to solve it, and the judgement of the
// solver's answer: by exhaustion where the layer is tiny, and by the checker in any case.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cim/random_instance.hpp"
#include "support/plain_json.hpp"

namespace soak_cim {

struct Problem {
  naive::Instance instance;
  pimbb::cim::Question question;
  int threads = 1;
  std::optional<std::uint64_t> node_limit;
};

/// The problem of a seed: sizes, question, limits on goals, threads and limits are all drawn.
Problem random_problem(std::uint64_t seed);

testkit::Json write(const Problem& problem);
Problem read(const testkit::Json& json);

/// Whether the problem is one that solve() has to accept.
bool valid(const Problem& problem);

/// Solves the problem. What is wrong with the answer, in a sentence; empty if nothing.
std::string complaint(const Problem& problem);

}  // namespace soak_cim
