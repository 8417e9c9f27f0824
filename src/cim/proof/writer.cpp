// One record a line, handed on in pieces of 64 KiB.
#include "pimbb/cim/proof.hpp"

namespace pimbb::cim {

void ProofWriter::begin(const std::string& sha256, const std::string& instance) {
  piece_ += "pimbb-cim-proof/1\nsha256 " + sha256 + "\ninstance " + instance + "\n";
}

void ProofWriter::incumbent(const std::string& mapping) { piece_ += "mapping " + mapping + "\n"; }

void ProofWriter::infeasible() { piece_ += "infeasible\n"; }

void ProofWriter::goal(Goal goal, const Rational& optimum) {
  piece_ += "goal " + std::string(name(goal)) + " " + optimum.to_string() + "\n";
}

void ProofWriter::scheme(SchemeReason reason, std::uint64_t image) {
  piece_ += static_cast<char>(reason);
  if (reason == SchemeReason::mirror) piece_ += " " + std::to_string(image);
  piece_ += "\n";
  ++schemes_;
  if (piece_.size() >= std::size_t{1} << 16) flush();
}

void ProofWriter::end() {
  piece_ += "end\n";
  flush();
}

void ProofWriter::flush() {
  bytes_ += piece_.size();
  sink_(piece_);
  piece_.clear();
}

}  // namespace pimbb::cim
