// Terms from the counts of the evaluator.
#include "dram_pim/cost/latency_terms.hpp"

namespace pimbb::dram_pim {
namespace {

/// Terms that are there at the same time, or one after the other.
void add(std::vector<Rational>& terms, const std::vector<Rational>& parts, bool in_turn) {
  if (!in_turn) {
    terms.insert(terms.end(), parts.begin(), parts.end());
    return;
  }
  Rational sum;
  for (const Rational& part : parts) sum += part;
  terms.push_back(sum);
}

}  // namespace

std::vector<Rational> latency_terms(const Architecture& architecture, const Mapping& mapping,
                                    const Metrics& metrics) {
  std::vector<Rational> terms{metrics.compute_cycles, metrics.interconnect_cycles};
  add(terms, {metrics.dram_cycles.begin(), metrics.dram_cycles.end()}, architecture.shared_streams);
  // A PE's buffer hands out to one PE, as all others do at the same time.
  const Rational pes =
      product(mapping.spatial_in(Direction::H)) * product(mapping.spatial_in(Direction::W));
  for (std::size_t level = 0; level < architecture.row_buffer(); ++level) {
    std::vector<Rational> parts;
    for (const Tensor t : kAllTensors) {
      const std::optional<Rational>& reads = metrics.levels[level].reads[index(t)];
      if (!reads) continue;
      parts.push_back(*reads / (level == 0 ? pes : Rational(1)) * architecture.moved_bytes(t) /
                      architecture.levels[level].bandwidth(t));
    }
    add(terms, parts, architecture.levels[level].shared_ports);
  }
  return terms;
}

}  // namespace pimbb::dram_pim
