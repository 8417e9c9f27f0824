// Solve, prove, check: what every solver test can ask of an optimum beyond its value.
#pragma once

#include <string>

#include "pimbb-check/check.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "support/instances.hpp"

namespace testkit {

/// A random instance by its number.
Instance random_instance(std::uint64_t seed, const Size& size);

/// The same under the trace model with three levels more, where all tensors are stored everywhere
/// and several resources collect: the tree decides loop orders, and one in twenty keeps some open.
Instance deep_traced_instance(std::uint64_t seed);

struct Certified {
  pimbb::dram_pim::Solution solution;
  pimbb::dram_pim::Proof proof;
};
Certified certify(const Instance& instance, int threads = 1);

/// The checker, subscribed to a proof in the same process: it throws at the first false event.
class InProcessChecker : public pimbb::dram_pim::ProofTracer {
 public:
  void begin(const std::string& sha256, const std::string& instance) override;
  void incumbent(const std::string& mapping) override;
  void infeasible() override;
  void none_within(const std::vector<std::string>& thresholds) override;
  void goal(pimbb::dram_pim::Goal goal, const pimbb::Rational& optimum,
            const std::vector<std::string>& thresholds) override;
  void storage(const std::string& stores) override;
  void overflow(const std::string& stores, std::size_t level) override;
  void inner(const pimbb::Factors& tile, char loops) override;
  void closed_by_bound(const pimbb::Factors& tile, char loops) override;
  void closed_by_cap(const pimbb::Factors& tile, char loops) override;
  void evaluated(const pimbb::Factors& tile, char loops) override;
  void ordered(const std::string& loops) override;
  void end() override;
  const pimbb_check::Report& report() const { return checker_.report(); }

 protected:
  pimbb_check::Checker checker_;
};

/// Proves the claim of `solution` to the checker in this process; what it objects to, "" if
/// nothing.
std::string unproven(const Instance& instance, const pimbb::dram_pim::Solution& solution);

/// The checker on the text of a proof.
pimbb_check::Report checked(const std::string& proof);

/// What the checker says against a proof of `solution`, or how its optimum differs; "" if nothing.
std::string objection(const Instance& instance, const pimbb::dram_pim::Solution& solution,
                      const pimbb_check::Report& report);

}  // namespace testkit
