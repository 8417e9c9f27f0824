// The closed trees of all storage choices of one layer, or for a choice without one the level that
// is too small for it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/proof/tree.hpp"
#include "pimbb/dram_pim/solver.hpp"

namespace pimbb::dram_pim::proof {

class Forest {
 public:
  /// Keeps references. Throws InputError if the costs of the layer exceed exact integers.
  Forest(const Architecture& architecture, const Workload& layer, const Question& question,
         const run::Guard& guard);

  [[nodiscard]] const mapper::Scale& scale() const { return instance_.scale; }
  /// A lower bound on latency and energy over all storage choices.
  [[nodiscard]] mapper::Costs least() const;
  /// Thresholds as the document has them: the first latency above each.
  [[nodiscard]] std::vector<std::string> latencies(const std::vector<Int128>& thresholds) const;
  /// The trees of all storage choices that constraints leave.
  void close(const AnyClaim& claim, const std::vector<Int128>& thresholds,
             const std::vector<ProofTracer*>& tracers) const;

 private:
  using Stores = std::vector<TensorFlags>;

  template <class Use>
  void with_tree(const Stores& stores, const std::vector<Int128>& thresholds, const Use& use) const;

  const Architecture& a_;
  const Workload& w_;
  const run::Guard& guard_;
  mapper::Instance instance_;
  std::unique_ptr<mapper::RowPricing> pricing_;
};

/// For each storage choice of a layer that fits in none the level that overflows.
void tell_overflows(const Architecture& architecture, const Workload& layer,
                    const run::Guard& guard, const std::vector<ProofTracer*>& tracers);

/// Whether the DRAM cannot hold the layer, whatever else stores it.
bool overflows_dram(const Architecture& architecture, const Workload& layer);

}  // namespace pimbb::dram_pim::proof
