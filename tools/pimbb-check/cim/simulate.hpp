// The simulated latency of a mapping: timers that follow every transfer.
//
// A loop whose iteration advances all timers that it can touch by the same amount has reached its
// steady state: everything is made of maxima and sums, so that all further iterations do the same.
#pragma once

#include "nest.hpp"

namespace pimbb_check::cim {

Rational simulated(const Nest& nest);

}  // namespace pimbb_check::cim
