// `ll` and `ll-paper`: the longest path from the input to a sink or the first FC, where a node
// starts when its provider has made what it waits for and then works at a fraction of its speed.
//
// The convolutions and pools x_0, x_1, ... of a path have rates rho_k, and f_k = rho_k / rho_{k-1}:
//
//     value = W_0 * t_mvm / R_0 * (Wt_1 + E_1/f_1 * (Wt_2 + E_2/f_2 * (... * 1)))
//
// What follows a node depends on the path before it only by rho, of which there are at most as many
// values as convolutions: the maximum is computed for each pair of node and rho.
#pragma once

#include <string>

#include "crossbar/cost/window.hpp"
#include "pimbb/crossbar/mapping.hpp"

namespace pimbb::crossbar::cost {

enum class RateRule : std::uint8_t {
  provider,  ///< `ll`: rho of a Conv is the least R so far
  paper      ///< `ll-paper`: rho is R, and f at most 1
};

/// Why the network has no value; empty if it has one: a path that begins with a Pool, or no Conv.
std::string why_no_latency(const Partition& partition);

/// ns, if why_no_latency() is empty.
Rational latency(const Architecture& architecture, const Partition& partition,
                 const Mapping& mapping, RateRule rule);

}  // namespace pimbb::crossbar::cost
