// The best of the mappings that a heuristic makes, by the goals in turn; of equal ones the first.
#pragma once

#include <cstdint>
#include <vector>

#include "cim/cost/price.hpp"
#include "cim/mapper/target.hpp"
#include "pimbb/cim/mapping.hpp"
#include "pimbb/cim/question.hpp"

namespace pimbb::cim::heuristic {

struct Best {
  std::vector<Wide> values;  ///< one for each goal; empty: none yet
  Mapping mapping;
  std::uint64_t evaluated = 0;
};

class Selection {
 public:
  /// `layer` is padded already, but for Padding::ceil.
  Selection(const Architecture& a, const Workload& layer, const Question& question);

  /// Prices a mapping, and keeps it if it is feasible, within the caps of the question, and better.
  void consider(Best& best, Mapping mapping) const;

 private:
  const Architecture& a_;
  const Workload& layer_;
  const Question& question_;
  cost::Pricer pricer_;
  std::vector<mapper::Target> targets_;
};

}  // namespace pimbb::cim::heuristic
