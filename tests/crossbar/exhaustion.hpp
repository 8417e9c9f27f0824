// Optima of tiny problems by trying everything: all replications and, for each, all contents of all
// cores. Cores are equal here, so the order of contents does not matter to `ht` and `ll`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "pimbb/crossbar/cost.hpp"
#include "pimbb/crossbar/mapping.hpp"
#include "pimbb/rational.hpp"

namespace testkit {

using Replication = std::vector<std::int64_t>;

/// All replications whose array groups fit the crossbars of all cores together.
std::vector<Replication> replications(const pimbb::crossbar::Architecture& a,
                                      const pimbb::crossbar::Partition& p);

/// Those of them in which all parts of a node agree.
std::vector<Replication> family_replications(const pimbb::crossbar::Architecture& a,
                                             const pimbb::crossbar::Partition& p);

/// Whether some mapping with this replication is legal and takes less than `deadline` ns in every
/// core (cycle by cycle, as `ht` is defined); without a deadline, whether there is a legal one.
bool fits(const pimbb::crossbar::Architecture& a, const pimbb::crossbar::Partition& p,
          const Replication& replication, std::optional<std::int64_t> deadline);

/// Visits every legal mapping of a replication, the order of the cores included.
void for_each_mapping(const pimbb::crossbar::Architecture& a, const pimbb::crossbar::Partition& p,
                      const Replication& replication,
                      const std::function<void(const pimbb::crossbar::Mapping&)>& visit);

/// All {ht, ll}, by ascending `ht`, that no mapping beats.
std::vector<std::vector<pimbb::Rational>> front_by_exhaustion(
    const pimbb::crossbar::Architecture& a, const pimbb::crossbar::Partition& p);

}  // namespace testkit
