// The estimates by name, as goals of a search: all are minimised.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "pimbb/crossbar/cost.hpp"

namespace pimbb::crossbar {

enum class Estimate : std::uint8_t {
  ht,
  ht_roof,
  ht_code,
  ll,
  ll_paper,
  ll_code,
  traffic,
  energy,
  edp
};
inline constexpr std::array<std::string_view, 9> kEstimateNames{
    "ht", "ht-roof", "ht-code", "ll", "ll-paper", "ll-code", "traffic", "energy", "edp"};
constexpr std::string_view name(Estimate estimate) {
  return kEstimateNames[static_cast<std::size_t>(estimate)];
}
constexpr bool is_latency(Estimate estimate) {
  return estimate == Estimate::ll || estimate == Estimate::ll_paper ||
         estimate == Estimate::ll_code;
}

/// Whether it depends on the latency of the network; energy and edp do in the schedule `ll`.
constexpr bool needs_latency(Estimate estimate, Mode mode) {
  const bool in_schedule = estimate == Estimate::energy || estimate == Estimate::edp;
  return is_latency(estimate) || (in_schedule && mode == Mode::ll);
}

/// One of a mapping's estimates; energy and edp in the schedule `mode`. Throws InputError where the
/// network has no latency.
Rational value(const Metrics& metrics, Estimate estimate, Mode mode);

/// The same of a feasible mapping without computing the others.
Rational value_of(const Architecture& architecture, const Partition& partition,
                  const Mapping& mapping, Estimate estimate, Mode mode);

/// Throws InputError if the network has no latency and the estimate needs it (needs_latency()).
void require_latency(const Partition& partition, Estimate estimate, Mode mode);

}  // namespace pimbb::crossbar
