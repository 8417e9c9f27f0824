// One record a line.
#include <charconv>

#include "pimbb/dram_pim/proof.hpp"

namespace pimbb::dram_pim {

void ProofWriter::begin(const std::string& sha256, const std::string& instance) {
  pieces_.begin("pimbb-proof/1", sha256, instance);
}

void ProofWriter::incumbent(const std::string& mapping) { pieces_.mapping(mapping); }

void ProofWriter::infeasible() { pieces_.infeasible(); }

void ProofWriter::goal(Goal goal, const Rational& optimum,
                       const std::vector<std::string>& thresholds) {
  pieces_.add("goal " + std::string(name(goal)) + " " + optimum.to_string() + "\n");
  this->thresholds(thresholds);
}

void ProofWriter::none_within(const std::vector<std::string>& thresholds) {
  this->thresholds(thresholds);
}

void ProofWriter::thresholds(const std::vector<std::string>& latencies) {
  pieces_.add("thresholds");
  for (const std::string& threshold : latencies) pieces_.add(" " + threshold);
  pieces_.add("\n");
}

void ProofWriter::storage(const std::string& stores) {
  pieces_.add("s " + stores + "\n");
  ++inner_nodes_;
}

void ProofWriter::overflow(const std::string& stores, std::size_t level) {
  pieces_.add("o " + stores + " " + std::to_string(level) + "\n");
  ++leaves_;
}

void ProofWriter::inner(const Factors& tile, char loops) { node('n', tile, loops); }
void ProofWriter::closed_by_bound(const Factors& tile, char loops) { node('b', tile, loops); }
void ProofWriter::closed_by_cap(const Factors& tile, char loops) { node('c', tile, loops); }
void ProofWriter::evaluated(const Factors& tile, char loops) { node('e', tile, loops); }

void ProofWriter::ordered(const std::string& loops) {
  pieces_.add("l " + loops + "\n");
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
  pieces_.add({line.data(), at});
  ++(record == 'n' ? inner_nodes_ : leaves_);
}

void ProofWriter::storage_closed(const std::string& stores) {
  pieces_.add("a " + stores + "\n");
  ++leaves_;
}

void ProofWriter::end() { pieces_.end(); }

}  // namespace pimbb::dram_pim
