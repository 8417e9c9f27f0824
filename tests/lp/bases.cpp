// Plain sums over columns.
#include "lp/bases.hpp"

namespace testkit {

using pimbb::lp::SparseVector;

SparseVector listed(const std::vector<double>& values) {
  SparseVector out(static_cast<int>(values.size()));
  out.value = values;
  out.collect(0.0);
  return out;
}

std::vector<double> basis_times(const pimbb::lp::Workspace& work, const std::vector<double>& x,
                                bool transposed) {
  std::vector<double> out(x.size());
  for (int k = 0; k < static_cast<int>(x.size()); ++k) {
    work.scaled.for_each_entry(work.basic[k], [&](int row, double value) {
      out[transposed ? k : row] += value * x[transposed ? row : k];
    });
  }
  return out;
}

}  // namespace testkit
