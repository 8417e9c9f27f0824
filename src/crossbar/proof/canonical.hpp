// Texts of proofs that have one form.
#pragma once

#include <string>

#include "pimbb/crossbar/mapping.hpp"

namespace pimbb::crossbar::proof {

/// Replications and cores, as one line of JSON.
std::string mapping_text(const Mapping& mapping);

/// Throws InputError if proofs do not cover the accelerator.
void check_covered(const Architecture& architecture);

}  // namespace pimbb::crossbar::proof
