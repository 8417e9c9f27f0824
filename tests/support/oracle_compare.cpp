// Line by line: the library's metrics against the oracle's.
#include "support/oracle_cost.hpp"

namespace oracle {
namespace {

/// Remembers the first figure that differs.
class Comparison {
 public:
  void equal(const std::string& what, const Fraction& expected, const pimbb::Rational& found) {
    if (!difference_.empty() || expected == Fraction(found)) return;
    difference_ = what + ": oracle " + expected.to_string() + ", library " + found.to_string();
  }
  void equal(const std::string& what, const std::optional<Fraction>& expected,
             const std::optional<pimbb::Rational>& found) {
    if (expected && found) return equal(what, *expected, *found);
    if (!difference_.empty() || expected.has_value() == found.has_value()) return;
    difference_ = what + (expected ? " is missing" : " should not be there");
  }
  [[nodiscard]] const std::string& difference() const { return difference_; }

 private:
  std::string difference_;
};

/// Bytes of the tile of `t` over the level's capacity; nothing if it is unbounded or not stored.
std::optional<Fraction> utilization(const Architecture& a, const Workload& w, const Mapping& m,
                                    std::size_t level, Tensor t) {
  if (!a.levels[level].capacity || !m.levels[level].stores[index(t)]) return std::nullopt;
  Factors shape = cumulative(m, level);
  if (level == 0) {
    for (std::size_t j = 0; j < kDims; ++j) shape[j] /= m.spatial[0][j] * m.spatial[1][j];
  }
  return Fraction(buffer_bytes(a, t, tile_elements(w, t, shape))) / *a.levels[level].capacity;
}

}  // namespace

std::string first_difference(const Architecture& a, const Workload& w, const Mapping& m,
                             const Cost& expected, const pimbb::dram_pim::Metrics& found) {
  Comparison compare;
  if (found.levels.size() != a.levels.size()) return "number of levels in the metrics";
  for (const Tensor t : kAllTensors) {
    const std::string tensor(name(t));
    const TensorCost& share = expected.tensors[index(t)];
    compare.equal("row activations of " + tensor, share.activations,
                  found.row_activations[index(t)]);
    for (std::size_t level = 0; level < a.levels.size(); ++level) {
      const std::string place = " of " + tensor + " at level " + std::to_string(level);
      const bool stored = m.levels[level].stores[index(t)];
      const pimbb::dram_pim::LevelMetrics& metrics = found.levels[level];
      compare.equal("reads" + place,
                    stored ? std::optional(share.reads_total.at(level)) : std::nullopt,
                    metrics.reads[index(t)]);
      compare.equal("utilization" + place, utilization(a, w, m, level, t),
                    metrics.buffer_utilization[index(t)]);
    }
    compare.equal("DRAM cycles of " + tensor, share.dram_cycles, found.dram_cycles[index(t)]);
  }
  for (std::size_t level = 0; level < a.levels.size(); ++level) {
    compare.equal(
        "cycles of level " + std::to_string(level),
        level < a.row_buffer() ? std::optional(expected.level_cycles.at(level)) : std::nullopt,
        found.levels[level].cycles);
  }
  compare.equal("compute cycles", expected.compute_cycles, found.compute_cycles);
  compare.equal("interconnect cycles", expected.interconnect_cycles, found.interconnect_cycles);
  compare.equal("latency", expected.latency, found.latency);
  compare.equal("energy", expected.energy, found.energy);
  Fraction used = 1;
  for (const Factors& direction : m.spatial) {
    for (const std::int64_t factor : direction) used *= factor;
  }
  const pimbb::dram_pim::PeArray& pe = a.pe_array;
  compare.equal("PE utilization", used / (pe.height * pe.width * pe.num_macs),
                found.pe_utilization);
  return compare.difference();
}

}  // namespace oracle
