// Linear programs as text, for any solver to read.
//
// Free MPS is what all of them read; the CPLEX LP format is what people read. Every number is an
// integer and is printed in full. Names are letters, digits, '_' and '.', and begin with a letter
// that neither format takes for a number.
#pragma once

#include <string>

#include "dram_pim/milp/model.hpp"

namespace pimbb::dram_pim::milp {

std::string free_mps(const Model& model);
std::string cplex_lp(const Model& model);

}  // namespace pimbb::dram_pim::milp
