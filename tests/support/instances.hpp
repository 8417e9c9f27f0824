// Tiny random problems: every feature of architectures and layers, small enough to exhaust.
#pragma once

#include <iosfwd>
#include <string>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/dram_pim/objective.hpp"
#include "pimbb/workload.hpp"
#include "support/choices.hpp"

namespace testkit {

struct Instance {
  pimbb::dram_pim::Architecture architecture;
  pimbb::Workload workload;
  pimbb::dram_pim::Objective objective;
  pimbb::dram_pim::RowModel row_model = pimbb::dram_pim::RowModel::analytic;
};

/// What bounds the number of mappings of a random instance.
struct Size {
  std::int64_t macs = 12;           ///< largest product of the loop bounds
  std::size_t levels = 5;           ///< most memory levels
  std::size_t free_levels = 2;      ///< most levels with free bypass
  std::int64_t largest_factor = 5;  ///< loop bounds are products of factors up to this
};

Instance random_instance(Choices& choices, const Size& size);

/// A plane around one of the given size.
pimbb::Frame random_frame(Choices& choices, std::int64_t height, std::int64_t width);

/// Which tensors each level of a mapping stores.
std::vector<pimbb::dram_pim::TensorFlags> stores_of(const pimbb::dram_pim::Mapping& mapping);

/// One JSON line to reproduce a failure: architecture, workload, objective and row model; a
/// mapping.
std::string to_json(const Instance& instance);
std::string to_json(const pimbb::dram_pim::Mapping& mapping,
                    const pimbb::dram_pim::Architecture& architecture);
std::ostream& operator<<(std::ostream& out, const Instance& instance);

}  // namespace testkit
