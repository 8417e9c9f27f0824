// A mapping as a solution of the linear program, exact.
//
// The mapping gives the binaries. Every other column follows from the rows by propagation alone: a
// row whose known terms already use up its bound sets the rest to 0, and an equation with one
// unknown left gives it. That this settles all columns shows that only the binaries decide.
#pragma once

#include <string>

#include "dram_pim/milp/program_builder.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace testkit {

struct Assignment {
  std::string failure;        ///< a row that does not hold, a column that stays open; else empty
  pimbb::Rational objective;  ///< in its unit, the scale taken out
};

Assignment assignment_of(const pimbb::dram_pim::milp::MappingProgram& built,
                         const pimbb::dram_pim::Architecture& architecture,
                         const pimbb::dram_pim::Mapping& mapping);

}  // namespace testkit
