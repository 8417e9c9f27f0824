// Judges a solution by the oracle: every claim that it makes, in one sentence if one is false.
#pragma once

#include <string>

#include "pimbb/dram_pim/solver.hpp"
#include "support/brute_force.hpp"
#include "support/instances.hpp"
#include "support/solve_options.hpp"

namespace testkit {

/// Options that minimise the instance's objective under its row model, on one thread.
testkit::SolveOptions options_for(const Instance& instance);

/// What is wrong with the claims of `solution` that need no optimum: the mapping is feasible, its
/// metrics and goal values are the oracle's, bounds are not above values; and what is optimal or
/// infeasible has a proof that the checker of tools/pimbb-check, subscribed to it, accepts (unless
/// within a dataflow or not `provable`: proofs cover no constraints). Empty: nothing.
std::string false_claim(const Instance& instance, const pimbb::dram_pim::Solution& solution,
                        bool provable = true);

/// What is wrong with `solution`, whatever its status, given the true optimum. A search without
/// limits must be `optimal` or `infeasible`.
std::string complaint(const Instance& instance, const pimbb::dram_pim::Solution& solution,
                      const oracle::Optimum& optimum, bool limited = false, bool provable = true);

}  // namespace testkit
