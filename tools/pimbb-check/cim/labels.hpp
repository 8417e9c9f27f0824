// All nests of a spatial scheme, from the innermost loop outwards.
//
// A *state* is what the latency, energy and capacity of a nest depend on in times to come: the
// cell, and for each tensor its level, whether its transfer is placed, pending or given to an
// irrelevant loop, which must be the outermost of its block, and the precision. A *label* holds the
// numbers. Every later change of a label is made of maxima, sums and products with constants that
// depend on the state only; of two labels in one state, one of which is nowhere larger, the other
// need not be followed. Labels that the claim closes by a bound are not followed either. If no
// complete nest is left over, the scheme has nothing better than the claim.
#pragma once

#include "alone.hpp"

namespace pimbb_check::cim {

struct Work {
  std::uint64_t schemes = 0, states = 0, labels = 0;
};

/// Refuses if some nest of the scheme is not closed by the claim.
void follow_all(const Space& space, const Alone& alone, const Claim& claim, bool mirror_alike,
                Work& work);
/// The same for a scheme without loops.
void check_only(const Space& space, const Claim& claim);

}  // namespace pimbb_check::cim
