// Solve, prove, check: what every solver test can ask of an optimum beyond its value.
#pragma once

#include <string>

#include "pimbb-check/check.hpp"
#include "pimbb/proof.hpp"
#include "pimbb/solver.hpp"
#include "support/instances.hpp"

namespace testkit {

/// A random instance whose row model proofs cover.
Instance provable_instance(std::uint64_t seed, const Size& size);

struct Certified {
  pimbb::Solution solution;
  pimbb::Proof proof;
};
Certified certify(const Instance& instance, int threads = 1);

pimbb_check::Report checked(const std::string& proof);

/// What the checker says against a proof of `solution`, or how its optimum differs; "" if nothing.
std::string objection(const Instance& instance, const pimbb::Solution& solution,
                      const pimbb_check::Report& report);

}  // namespace testkit
