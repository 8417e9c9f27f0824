// The costs of the given and of the best mapping, compared term by term.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <optional>
#include <string>
#include <vector>

#include "dram_pim/cli/given_mapping.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/audit.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::cli {

struct ComparedTerm {
  std::string name;
  Rational given;
  std::optional<Rational> best;  ///< none where no mapping was found
  bool part = false;             ///< of the term above it
  bool given_binds = false;      ///< cycles: this term is the latency
  bool best_binds = false;
};

struct Comparison {
  std::vector<ComparedTerm> cycles;       ///< the DRAM's with their parts
  std::vector<ComparedTerm> energy;       ///< nJ
  std::vector<ComparedTerm> activations;  ///< by tensor
  std::vector<ComparedTerm> utilization;  ///< PE array, buffers, bandwidths: shares of one
};

Comparison compare(const GivenMapping& given, const Audit& audit);

}  // namespace pimbb::dram_pim::cli
