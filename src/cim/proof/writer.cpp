// One record a line.
#include "cim/proof/scheme_reasons.hpp"
#include "pimbb/cim/proof.hpp"

namespace pimbb::cim {

void ProofWriter::begin(const std::string& sha256, const std::string& instance) {
  pieces_.begin("pimbb-cim-proof/1", sha256, instance);
}

void ProofWriter::incumbent(const std::string& mapping) { pieces_.mapping(mapping); }

void ProofWriter::infeasible() { pieces_.infeasible(); }

void ProofWriter::goal(Goal goal, const Rational& optimum) {
  pieces_.add("goal " + std::string(name(goal)) + " " + optimum.to_string() + "\n");
}

void ProofWriter::scheme(SchemeReason reason, std::uint64_t image) {
  pieces_.add(proof::scheme_record(reason, image));
  ++schemes_;
}

void ProofWriter::end() { pieces_.end(); }

}  // namespace pimbb::cim
