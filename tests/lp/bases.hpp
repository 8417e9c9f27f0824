// A basis of the simplex, multiplied out: what solves with its factors are checked by.
#pragma once

#include <vector>

#include "lp/workspace.hpp"

namespace testkit {

/// A vector with the list of its entries that are not zero.
pimbb::lp::SparseVector listed(const std::vector<double>& values);

/// B x, or B^T x, for the basis as it is now.
std::vector<double> basis_times(const pimbb::lp::Workspace& work, const std::vector<double>& x,
                                bool transposed);

}  // namespace testkit
