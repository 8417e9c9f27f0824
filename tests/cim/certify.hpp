// Proofs of SRAM compute-in-memory, and what the checker says to them.
#pragma once

#include <string>

#include "pimbb-check/check.hpp"
#include "pimbb-check/cim/check.hpp"
#include "pimbb/cim.hpp"
#include "pimbb/cim/proof.hpp"

namespace certify {

/// The checker, subscribed to a proof in the same process: it throws at the first false event.
class InProcessChecker : public pimbb::cim::ProofTracer {
 public:
  void begin(const std::string& sha256, const std::string& instance) override;
  void incumbent(const std::string& mapping) override;
  void infeasible() override;
  void goal(pimbb::cim::Goal goal, const pimbb::Rational& optimum) override;
  void scheme(pimbb::cim::SchemeReason reason, std::uint64_t image) override;
  void end() override;
  const pimbb_check::Report& report() const { return checker_.report(); }

 private:
  pimbb_check::cim::Checker checker_;
};

/// Proves the claim of `solution` to the checker in this process; what it objects to, "" if
/// nothing.
std::string unproven(const pimbb::cim::Architecture& a, const pimbb::Workload& layer,
                     const pimbb::cim::Question& question, const pimbb::cim::Solution& solution);

/// The checker on the text of a proof.
pimbb_check::Report checked(const std::string& proof);

/// The claim that a mapping is optimal, whether or not it is.
pimbb::cim::Solution claim(const pimbb::cim::Architecture& a, const pimbb::Workload& layer,
                           const pimbb::cim::Question& question,
                           const pimbb::cim::Mapping& mapping);

/// A question drawn from a seed: any goals, semantics and restrictions.
pimbb::cim::Question random_question(std::uint64_t seed, bool simulated = false);

}  // namespace certify
