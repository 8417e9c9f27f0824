// What a layer costs where its input and output may lie in given cells: one solve each, remembered.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "network/cells.hpp"
#include "network/pairwise.hpp"
#include "pimbb/solver.hpp"

namespace pimbb::network {

/// A layer under a confinement.
struct LayerAnswer {
  Value bound;        ///< of its goals; infinite: no mapping
  Solution solution;  ///< with a mapping unless there is none, or none was found in time
};

class LayerCosts {
 public:
  LayerCosts(const Architecture& architecture, const SolveOptions& options)
      : a_(architecture), options_(options) {}

  /// `workload` has the frames that the cells ask for. The answer lives as long as this.
  const LayerAnswer& answer(const Workload& workload, const LayoutRange& input,
                            const LayoutRange& output, double seconds_left);
  [[nodiscard]] std::uint64_t solves() const { return known_.size(); }

 private:
  const Architecture& a_;
  const SolveOptions& options_;
  std::map<std::string, std::unique_ptr<LayerAnswer>> known_;
};

}  // namespace pimbb::network
