// One message for each case that is not covered.
#include "dram_pim/proof/provable.hpp"

#include <algorithm>
#include <string>

#include "pimbb/error.hpp"

namespace pimbb::dram_pim::proof {

void check_provable(const Workload& layer, const Question& question, Status status) {
  if (question.layouts != LayoutRanges{} || layer.input_frame || layer.output_frame) {
    throw InputError("proof: layer '" + layer.name +
                     "': found layouts or frames given from outside, allowed are none");
  }
  if (question.at_most || question.below) {
    throw InputError("proof: found a limit on the first goal, allowed is none");
  }
  if (std::ranges::any_of(question.caps, [](const GoalCap& c) { return c.most.sign() < 0; })) {
    throw InputError("proof: found a limit below 0, allowed are limits >= 0");
  }
  if (question.precedence.any()) {
    throw InputError("proof: found fixed loop orders, allowed are none");
  }
  if (status != Status::optimal && status != Status::infeasible) {
    throw InputError("proof: found a solution whose status is '" + std::string(name(status)) +
                     "', allowed are optimal and infeasible");
  }
}

}  // namespace pimbb::dram_pim::proof
