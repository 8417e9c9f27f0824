// The results of a network: the table of its layers, the claim about the totals, and documents.
#pragma once

#include <string>

#include "cim/cli/words.hpp"
#include "pimbb/cim/network.hpp"
#include "terminal/table.hpp"

namespace pimbb::cim::cli {

class LayerTable {
 public:
  /// Keeps references.
  LayerTable(const Style& style, const Network& merged, const Objective& objective, bool timeless);

  [[nodiscard]] std::string header() const { return table_.header(style_) + table_.rule(style_); }
  [[nodiscard]] std::string row(const LayerSolution& layer) const;
  [[nodiscard]] std::string totals(const NetworkSolution& solution) const;

 private:
  const Style& style_;
  const Objective& objective_;
  bool timeless_;
  Table table_;
};

/// "optimal, proven: edp ... (gap 0)" of the totals; without goals, how many layers are proven.
std::string network_claim(const Style& style, const Question& question,
                          const NetworkSolution& solution, bool interrupted);

/// "edp 1.035 times the optimum 9,432,001 nJ*cycles", a line for each goal.
std::string network_comparison(const Objective& objective, const NetworkSolution& restricted,
                               const NetworkSolution& whole);

/// The pimbb-cim-network/1 document; `whole` is null where the space is not restricted.
std::string network_json(const Architecture& architecture, const Network& network,
                         const Question& question, const RunLimits& limits,
                         const NetworkSolution& solution, const NetworkSolution* whole);

/// A row for each distinct layer.
std::string network_csv(const NetworkSolution& solution, bool timeless);

}  // namespace pimbb::cim::cli
