// Units of goals.
#include "dram_pim/cli/goal_text.hpp"

#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {
namespace {

std::string_view unit(Goal goal) {
  switch (goal) {
    case Goal::latency: return " cycles";
    case Goal::energy: return " nJ";
    case Goal::edp: return " nJ*cycles";
    default: return "";
  }
}

}  // namespace

std::string with_unit(Goal goal, const Rational& value) {
  return number(value) + std::string(unit(goal));
}

}  // namespace pimbb::dram_pim::cli
