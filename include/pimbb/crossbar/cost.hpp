// What a mapping costs by every estimate of the literature and of this library.
//
// All are exact. High throughput (`ht`): layers work on different inferences, cores independently
// of each other; low latency (`ll`): one inference flows through all layers. The `code` variants
// are what the published tool of PIMCOMP computes, from which its paper differs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/crossbar/mapping.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::crossbar {

/// Which schedule the energy is about.
enum class Mode : std::uint8_t { ht, ll };
inline constexpr std::array<std::string_view, 2> kModeNames{"ht", "ll"};

/// Times that resources are busy, in ns.
struct Busy {
  std::int64_t memory = 0;
  std::int64_t bus = 0;
  std::int64_t link = 0;
  std::int64_t vector = 0;  ///< of the vector units of all cores
};

struct Energy {       ///< pJ
  Rational standing;  ///< leakage and control
  Rational dynamic;
  [[nodiscard]] Rational total() const { return standing + dynamic; }
};

/// The estimates for low latency.
struct Latency {
  Rational ll;             ///< ns; a node works no faster than its provider
  Rational ll_paper;       ///< ns; the figure of the paper to the letter
  Rational rounds;         ///< `ll-code` is rounds times round
  std::int64_t round = 0;  ///< ns
  Busy busy;               ///< of the low-latency schedule, all chips together
  Energy energy;           ///< over a time of `ll`
  [[nodiscard]] Rational ll_code() const { return rounds * Rational(round); }
};

struct PeakMemory {
  std::int64_t core = 0;  ///< the first one with most
  std::int64_t bytes = 0;
};
inline constexpr std::array<std::string_view, 3> kClosedPolicies{"naive", "add", "ag"};

struct Metrics {
  std::vector<std::int64_t> core_times;  ///< ns, under `ht`
  std::int64_t ht = 0;                   ///< ns, of the slowest core
  std::int64_t ht_roof = 0;              ///< ns: also the busiest memory, bus, and the link
  std::int64_t ht_code = 0;              ///< ns
  Busy roofs;                            ///< of the busiest chip, in the high-throughput schedule
  Busy busy;                             ///< of all chips together
  Energy energy;                         ///< over a time of `ht`
  std::optional<Latency> latency;        ///< absent: `no_latency` says why
  std::string no_latency;
  std::array<PeakMemory, kClosedPolicies.size()> peaks{};  ///< local memory, high throughput

  [[nodiscard]] std::int64_t traffic() const { return roofs.bus + roofs.link; }
  /// Under the estimate `ht` or `ll`. Throws InputError if there is no latency.
  [[nodiscard]] const Energy& energy_of(Mode mode) const;
  /// pJ ns.
  [[nodiscard]] Rational edp(Mode mode) const;
};

/// Throws InputError if the mapping breaks a rule (find_violation()).
Metrics evaluate(const Architecture& architecture, const Partition& partition,
                 const Mapping& mapping);

}  // namespace pimbb::crossbar
