// Units of goals.
#include "dram_pim/cli/goal_text.hpp"

#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {

std::string with_unit(Goal goal, const Rational& value) {
  return number(value) + std::string(traits(goal).suffix);
}

}  // namespace pimbb::dram_pim::cli
