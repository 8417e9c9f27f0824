// Where traffic goes under a storage choice, and what it costs there.
#include "dram_pim/mapper/storage.hpp"

#include <algorithm>

namespace pimbb::dram_pim::mapper {
Storage::Storage(const Architecture& architecture, const Workload& workload, const Scale& scale,
                 std::vector<TensorFlags> stores)
    : a_(architecture),
      w_(workload),
      scale_(scale),
      stores_(std::move(stores)),
      open_level_(architecture.levels.size(), -1),
      macs_(workload.macs()),
      reads_(architecture, workload) {
  const auto open = [&] { return static_cast<int>(open_count_++); };
  const std::size_t rb = a_.row_buffer();
  if (a_.shared_streams) {
    open_dram_.fill(open());
  } else {
    for (const Tensor t : kAllTensors) {
      // Transfer and activations become known together only if level rb-1 stores the tensor.
      if (!this->stores(rb - 1, t)) open_dram_[index(t)] = open();
    }
  }
  for (std::size_t m = 1; m < rb; ++m) {
    if (a_.levels[m].shared_ports) open_level_[m] = open();
  }
  if (a_.interconnect_bandwidth) open_interconnect_ = open();
  find_flows();
}

void Storage::find_flows() {
  into_.resize(stores_.size());
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    std::size_t outer = a_.dram();
    for (std::size_t m = a_.dram(); m-- > 0;) {
      if (!stores(m, t)) continue;
      into_[m][k] = flow(outer, t, m == 0);
      outer = m;
    }
    innermost_[k] = outer;
    into_pes_[k] = flow(outer, t, outer > 0);
  }
}

Storage::Flow Storage::flow(std::size_t source, Tensor t, bool crosses_interconnect) const {
  const std::size_t k = index(t);
  Flow flow;
  flow.stored = true;
  flow.sink = source == a_.row_buffer() ? open_dram_[k] : open_level_[source];
  flow.units.transfer = scale_.transfer[source][k];
  flow.units.access = scale_.access[source];
  if (crosses_interconnect) flow.units.interconnect = scale_.interconnect[k];
  if (scale_.fills_fit_64_bits) {
    flow.steps = {scale_.table_cycles<std::int64_t>(flow.units.transfer),
                  scale_.table_energy<std::int64_t>(flow.units.access),
                  scale_.table_cycles<std::int64_t>(flow.units.interconnect)};
  }
  return flow;
}

bool Storage::fits(std::size_t m, const Tile& tile) const {
  if (!a_.levels[m].capacity) return true;
  std::int64_t bytes = 0;
  for (const Tensor t : kAllTensors) {
    if (!stores(m, t)) continue;
    const std::int64_t one = a_.tile_bytes(t, tile.elements[index(t)]);
    bytes = m == a_.row_buffer() ? std::max(bytes, one) : bytes + one;
  }
  return bytes <= *a_.levels[m].capacity;
}

bool Storage::fits_pe(const Factors& share) const {
  if (!a_.levels[0].capacity) return true;
  std::int64_t bytes = 0;
  for (const Tensor t : kAllTensors) {
    if (stores(0, t)) bytes += a_.tile_bytes(t, w_.tile_elements(t, share));
  }
  return bytes <= *a_.levels[0].capacity;
}

std::optional<std::int64_t> Storage::most_in_pe(Tensor t) const {
  if (!a_.levels[0].capacity || !stores(0, t)) return std::nullopt;
  std::int64_t bytes = *a_.levels[0].capacity;
  for (const Tensor other : kAllTensors) {
    if (other != t && stores(0, other)) bytes -= a_.tile_bytes(other, 1);
  }
  return bytes > 0 ? a_.elements_in(t, bytes) : 0;
}

Terms Storage::fill_with_rows(const Tile& tile, Tensor s, std::int64_t outer,
                              const PerTensor<Int128>& activations) const {
  Terms terms(open_count_);
  const auto& flows = into_[a_.row_buffer() - 1];
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    terms.energy += activations[k] * scale_.activation_energy;
    if (open_dram_[k] >= 0) {
      terms.open[static_cast<std::size_t>(open_dram_[k])] +=
          activations[k] * scale_.activation_cycles;
    }
    if (flows[k].stored) {
      charge<Int128>(terms, flows[k], reads_.reads(t, tile.fills(t, s, outer)),
                     activations[k] * scale_.activation_cycles);
    }
  }
  return terms;
}

Terms Storage::rows_alone(const PerTensor<Int128>& activations) const {
  Terms terms(open_count_);
  for (std::size_t k = 0; k < kTensors; ++k) {
    const Int128 cycles = activations[k] * scale_.activation_cycles;
    terms.energy += activations[k] * scale_.activation_energy;
    if (open_dram_[k] >= 0) {
      terms.open[static_cast<std::size_t>(open_dram_[k])] += cycles;
    } else {
      terms.latency = std::max(terms.latency, cycles);
    }
  }
  return terms;
}

Int128 Storage::dram_energy(const Tile& tile, Tensor s, std::int64_t outer) const {
  Int128 reads = 0;
  for (const Tensor t : kAllTensors) reads += reads_.reads(t, tile.fills(t, s, outer));
  return reads * scale_.access[a_.dram()];
}

std::int64_t direct_feed(const Architecture& a, const Workload& w, Tensor t, std::size_t level,
                         const Factors& array, const Factors& internal) {
  const Factors spatial = times(array, internal);
  if (t == Tensor::input && level == a.row_buffer()) {
    return w.macs() / product_over(spatial, kEveryDim) * w.tile_elements(t, spatial);
  }
  return w.macs() / product_over(spatial, irrelevant_mask(t));
}

Terms Storage::leaf(const Factors& array, const Factors& internal) const {
  Terms terms(open_count_);
  const std::int64_t pes = product_over(array, kEveryDim);
  terms.latency = macs_ / (pes * product_over(internal, kEveryDim)) * scale_.cycle;
  if (product_over(internal, irrelevant_mask(Tensor::output)) > 1) {
    terms.latency += scale_.reduction;
  }
  Int128 level0 = 0;
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    const std::int64_t inside = product_over(internal, irrelevant_mask(t));
    if (innermost(t) > 0) {
      charge<Int128>(terms, into_pes_[k],
                     reads_.reads(t, direct_feed(a_, w_, t, innermost(t), array, internal)), 0);
      continue;
    }
    // Level 0 is private: each PE waits for its own share only.
    const Int128 reads = reads_.reads(t, macs_ / inside);
    const Int128 cycles = reads * scale_.transfer[0][k] / pes;
    level0 = a_.levels[0].shared_ports ? level0 + cycles : std::max(level0, cycles);
    terms.energy += reads * scale_.access[0];
  }
  terms.latency = std::max(terms.latency, level0);
  return terms;
}

namespace {

/// What a level stores without the tensors of the set `dropped`; nothing if one of them is not
/// among those that it may store.
std::optional<TensorFlags> without(TensorFlags storable, unsigned dropped) {
  for (std::size_t t = 0; t < kTensors; ++t) {
    if ((dropped >> t & 1U) == 0) continue;
    if (!storable[t]) return std::nullopt;
    storable[t] = false;
  }
  return storable;
}

}  // namespace

std::vector<std::vector<TensorFlags>> storage_choices(const Architecture& architecture,
                                                      const run::Guard& guard) {
  const std::uint64_t bytes =
      sizeof(std::vector<TensorFlags>) + architecture.levels.size() * sizeof(TensorFlags);
  std::vector<std::vector<TensorFlags>> choices(1);
  for (std::size_t m = 0; m < architecture.levels.size(); ++m) {
    const TensorFlags may = architecture.storable(m);
    const bool free = m < architecture.row_buffer() && architecture.levels[m].bypass_free;
    std::vector<std::vector<TensorFlags>> longer;
    for (const auto& choice : choices) {
      if (longer.size() % 4096 < (1U << kTensors)) guard.check();
      guard.need((longer.size() + choices.size()) * bytes);
      for (unsigned dropped = 0; dropped < (free ? 1U << kTensors : 1U); ++dropped) {
        const std::optional<TensorFlags> flags = without(may, dropped);
        if (!flags) continue;
        longer.push_back(choice);
        longer.back().push_back(*flags);
      }
    }
    choices = std::move(longer);
  }
  return choices;
}

}  // namespace pimbb::dram_pim::mapper
