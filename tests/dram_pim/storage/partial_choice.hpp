// Random partial storage choices.
#pragma once

#include "dram_pim/storage/partial_storage.hpp"
#include "support/choices.hpp"

namespace testkit {

/// Decides some of the free levels at random, in `architecture` as well: what is still free there
/// is what is open in the partial choice.
inline pimbb::dram_pim::mapper::PartialStorage decide(pimbb::dram_pim::Architecture& architecture,
                                                      Choices& choices) {
  using pimbb::dram_pim::mapper::Stored;
  pimbb::dram_pim::mapper::PartialStorage storage;
  for (std::size_t m = 0; m < architecture.levels.size(); ++m) {
    pimbb::dram_pim::MemoryLevel& level = architecture.levels[m];
    const bool free = m < architecture.row_buffer() && level.bypass_free;
    const bool stays_open = free && choices.once_in(2);
    pimbb::PerTensor<Stored> here{};
    for (std::size_t t = 0; t < pimbb::kTensors; ++t) {
      if (free && !stays_open && choices.once_in(2)) level.stores[t] = false;
      here[t] = !architecture.storable(m)[t] ? Stored::no : stays_open ? Stored::open : Stored::yes;
    }
    level.bypass_free = stays_open;
    storage.push_back(here);
  }
  return storage;
}

}  // namespace testkit
