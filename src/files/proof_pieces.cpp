// Lines are appended to one string, which is handed on when it is long enough.
#include "pimbb/proof_pieces.hpp"

namespace pimbb {

void ProofPieces::begin(std::string_view format, const std::string& sha256,
                        const std::string& instance) {
  piece_ += std::string(format) + "\nsha256 " + sha256 + "\ninstance " + instance + "\n";
}

void ProofPieces::add(std::string_view text) {
  piece_ += text;
  if (piece_.size() >= std::size_t{1} << 16) flush();
}

void ProofPieces::end() {
  piece_ += "end\n";
  flush();
}

void ProofPieces::flush() {
  bytes_ += piece_.size();
  sink_(piece_);
  piece_.clear();
}

}  // namespace pimbb
