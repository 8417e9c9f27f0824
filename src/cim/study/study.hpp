// What restrictions of the space cost, how close models of latency are to the simulator, and what
// an accelerator's parts are worth: figures over the layers of a network.
//
// Searches go through the caller, who sets limits, shows progress, and ends the study by returning
// nothing: what is complete until then remains.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/cim/solver.hpp"
#include "pimbb/network.hpp"

namespace pimbb::cim::study {

/// Solves a question about a layer; `what` says which, "edp ws". Nothing: the study ends.
using Ask =
    std::function<std::optional<Solution>(const Architecture& architecture, const Workload& layer,
                                          const Question& question, const std::string& what)>;

/// The whole space first, then what is compared with it.
inline constexpr std::array<std::string_view, 6> kVariants{"optimum", "ws",   "greedy",
                                                           "prime",   "flex", "full"};
Question question_of(std::size_t variant, const Objective& objective);

/// One layer and goal under each of kVariants.
struct Comparison {
  std::size_t layer = 0;  ///< index into the network
  Goal goal = Goal::latency;
  std::array<Solution, kVariants.size()> solutions;

  /// Value over the optimum's; nothing where there is no mapping. Where a limit ended the search
  /// for the optimum, the best mapping found takes its place.
  [[nodiscard]] std::optional<Rational> ratio(std::size_t variant) const;
  [[nodiscard]] std::optional<Rational> value(std::size_t variant) const;
};
/// With the first `variants` of them.
std::vector<Comparison> compare(const Architecture& architecture, const Network& network,
                                const std::vector<Goal>& goals, std::size_t variants,
                                const Ask& ask);

/// The mapping of least latency under `table3`, of each layer.
std::vector<Solution> table3_optima(const Architecture& architecture, const Network& network,
                                    const Ask& ask);

/// Metrics of random mappings, by layer. `proceed` is called before each layer; false ends.
std::vector<std::vector<Metrics>> random_samples(
    const Architecture& architecture, const Network& network, std::uint64_t samples,
    std::uint64_t seed, const std::function<bool(const Workload& layer)>& proceed);

/// Latency with and without contention: of a mapping that is optimal without it, and least.
struct Contended {
  std::size_t layer = 0;
  std::array<Rational, kContentionNames.size()> unaware;  ///< of the optimum of `none`
  std::array<Solution, kContentionNames.size()> aware;    ///< the optimum of each
};
std::vector<Contended> contention(const Architecture& architecture, const Network& network,
                                  const Ask& ask);

/// An accelerator with one figure changed.
struct Setting {
  std::string figure;  ///< "cores", "GlobalBuffer size_bits"; empty: nothing is changed
  std::string value;   ///< "16"
  Rational times = 1;  ///< the original's
  Architecture architecture;

  [[nodiscard]] std::string text() const;  ///< "cores = 16", or "unchanged"
};
/// Nothing changed; then cores, sizes of buffers, bandwidths, each 1/4, 1/2, 2 and 4 times.
/// Energies stay: an access to a larger buffer costs what it cost.
std::vector<Setting> settings_of(const Architecture& architecture);

/// All layers at one setting, each at the optimum of `goal`.
struct SweepPoint {
  Setting setting;
  std::vector<Solution> layers;
};
std::vector<SweepPoint> sweep(const Architecture& architecture, const Network& network, Goal goal,
                              const Ask& ask);

}  // namespace pimbb::cim::study
