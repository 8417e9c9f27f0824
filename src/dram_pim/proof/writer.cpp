// One record a line, handed on in pieces of 64 KiB.
#include <charconv>

#include "pimbb/dram_pim/proof.hpp"

namespace pimbb::dram_pim {

void ProofWriter::begin(const std::string& sha256, const std::string& instance) {
  piece_ += "pimbb-proof/1\nsha256 " + sha256 + "\ninstance " + instance + "\n";
}

void ProofWriter::incumbent(const std::string& mapping) { piece_ += "mapping " + mapping + "\n"; }

void ProofWriter::infeasible() { piece_ += "infeasible\n"; }

void ProofWriter::goal(Goal goal, const Rational& optimum,
                       const std::vector<std::string>& thresholds) {
  piece_ += "goal " + std::string(name(goal)) + " " + optimum.to_string() + "\n";
  this->thresholds(thresholds);
}

void ProofWriter::none_within(const std::vector<std::string>& thresholds) {
  this->thresholds(thresholds);
}

void ProofWriter::thresholds(const std::vector<std::string>& latencies) {
  piece_ += "thresholds";
  for (const std::string& threshold : latencies) piece_ += " " + threshold;
  piece_ += "\n";
}

void ProofWriter::storage(const std::string& stores) {
  piece_ += "s " + stores + "\n";
  ++inner_nodes_;
}

void ProofWriter::overflow(const std::string& stores, std::size_t level) {
  piece_ += "o " + stores + " " + std::to_string(level) + "\n";
  ++leaves_;
}

void ProofWriter::inner(const Factors& tile, char loops) { node('n', tile, loops); }
void ProofWriter::closed_by_bound(const Factors& tile, char loops) { node('b', tile, loops); }
void ProofWriter::closed_by_cap(const Factors& tile, char loops) { node('c', tile, loops); }
void ProofWriter::evaluated(const Factors& tile, char loops) { node('e', tile, loops); }

void ProofWriter::ordered(const std::string& loops) {
  piece_ += "l " + loops + "\n";
  ++inner_nodes_;
}

void ProofWriter::node(char record, const Factors& tile, char loops) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled before it is read
  std::array<char, kDims * 20 + 8> line;
  char* at = line.data();
  *at++ = record;
  char separator = ' ';
  for (const Dim j : kAllDims) {
    if (j == Dim::G && tile[index(j)] == 1) continue;  // a layer without groups has no such factor
    *at++ = separator;
    at = std::to_chars(at, line.data() + line.size(), tile[index(j)]).ptr;
    separator = '.';
  }
  for (const char c : {' ', loops, '\n'}) *at++ = c;
  piece_.append(line.data(), at);
  ++(record == 'n' ? inner_nodes_ : leaves_);
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

}  // namespace pimbb::dram_pim
