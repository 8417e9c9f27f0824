// Lower bounds of the estimates that no exact search minimises, from those of `ht` and `ll` and
// from what every mapping transfers.
//
//   memory    with one replica of each node: further ones load their first windows as a whole
//   bus       a replica of A array groups is in ceil(A/k) cores if a core holds k of them; for each
//             window, all of these cores but one send a sum
//   cores     as many as the crossbars of one replica of each node fill
//   ht-code   in a core of n array groups, T_int*n + T_MVM - T_int for each cycle of its longest
//             node: T_int + (T_MVM - T_int)/n for each multiplication, where n is at most X
//   ll-code   rounds: one path that the tool lists, whose rates are at most those of `ll`, and
//             floor(W/R) instead of W/R; a round: the multiplications of a core with most groups
#pragma once

#include "crossbar/assign/problem.hpp"
#include "pimbb/crossbar/estimate.hpp"

namespace pimbb::crossbar::assign {

/// Proven lower bounds, ns; 0 where nothing is known.
struct ExactBounds {
  Rational ht;
  Rational ll;
};

/// What every mapping transfers and computes on vectors: busy times of all chips together.
Busy least_busy(const Problem& problem, Mode mode);

/// Of all mappings. The network has the estimate (require_latency()).
Rational estimate_bound(const Problem& problem, Estimate estimate, Mode mode,
                        const ExactBounds& exact);

}  // namespace pimbb::crossbar::assign
