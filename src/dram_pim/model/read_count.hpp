// How many elements a level reads for the elements that it hands inwards (spec 4).
//
// Inputs and weights: as many. Outputs travel as partial sums. If the architecture counts their
// rereads (`psum_rereads`), every output element that is handed over comes back to be continued,
// except the first time, when there is no sum yet:
//
//     reads = 2 * moved - outputs
//
// This is the one place of that formula; checker and test oracles state it again on purpose.
#pragma once

#include <cassert>
#include <cstdint>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim {

class ReadCount {
 public:
  ReadCount(const Architecture& architecture, const Workload& workload)
      : rereads_(architecture.psum_rereads), outputs_(workload.tensor_elements(Tensor::output)) {}

  /// Whether more elements of `t` are read than are handed over.
  [[nodiscard]] bool rereads(Tensor t) const { return rereads_ && t == Tensor::output; }
  /// Reads of `t` where `moved` elements are handed over.
  template <class Number>
  [[nodiscard]] Number reads(Tensor t, const Number& moved) const {
    if (!rereads(t)) return moved;
    assert(!(moved < Number(outputs_)));
    return 2 * moved - outputs_;
  }
  /// The same as a line in `moved`: slope * moved - offset.
  [[nodiscard]] std::int64_t slope(Tensor t) const { return rereads(t) ? 2 : 1; }
  [[nodiscard]] std::int64_t offset(Tensor t) const { return rereads(t) ? outputs_ : 0; }

 private:
  bool rereads_;
  std::int64_t outputs_;
};

}  // namespace pimbb::dram_pim
