// Under a storage choice (which tensors each level holds): what every movement of data costs, on
// the scale on which all latencies and all energies are integers.
//
// A resource is *closed* if all of its time becomes known in one step of the tree, and *open* if it
// collects: a level with shared ports, the interconnect, and the DRAM bank of a tensor that the
// level inside the row buffer does not store, or that of all tensors if they share one stream. Open
// resources are summed along a branch.
#pragma once

#include "prices.hpp"

namespace pimbb_check {

inline constexpr std::size_t kMostOpen = 3 + 1 + 12;

/// The slowest closed resource, the energy and the share of the open resources of one step.
template <class Int>
struct Terms {
  Int latency = 0, energy = 0;
  std::array<Int, kMostOpen> open{};

  void add(const Terms& step, std::size_t open_count) {
    latency = std::max(latency, step.latency);
    energy = plus(energy, step.energy);
    for (std::size_t i = 0; i < open_count; ++i) open[i] = plus(open[i], step.open[i]);
  }
};

template <class Int>
class Storage {
 public:
  Storage(const Problem& p, const Prices<Int>& prices, const std::vector<Flags>& stores)
      : p_(p), prices_(prices), stores_(stores), source_(stores.size()) {
    const std::size_t rb = p.row_buffer();
    const auto open = [&] { return static_cast<int>(open_count_++); };
    const int stream = p.shared_streams ? open() : -1;
    for (std::size_t t = 0; t < 3; ++t) {
      if (p.shared_streams) {
        open_bank_[t] = stream;
      } else if (!stores[rb - 1][t]) {
        open_bank_[t] = open();
      }
      std::size_t outer = p.dram();
      for (std::size_t m = p.dram(); m-- > 0;) {
        source_[m][t] = outer;
        if (stores[m][t]) outer = m;
      }
      innermost_[t] = outer;
    }
    if (p.interconnect_bandwidth) open_interconnect_ = open();
    for (std::size_t m = 0; m <= p.dram(); ++m) {
      open_level_.push_back(m > 0 && m < rb && p.levels[m].shared_ports ? open() : -1);
    }
  }

  [[nodiscard]] const Flags& stores(std::size_t level) const { return stores_[level]; }
  [[nodiscard]] std::size_t open_count() const { return open_count_; }

  /// The innermost level whose loops move t between DRAM and row buffer: the one right outside the
  /// next level inwards that stores it; 0 if there is none, and the PEs are fed at every step.
  [[nodiscard]] std::size_t moved_by(std::size_t t) const {
    std::size_t m = p_.row_buffer();
    while (m > 0 && !stores_[m - 1][t]) --m;
    return m;
  }

  /// Whether the tensors stored at level m fit with these tiles; at level 0: of one PE.
  [[nodiscard]] bool fits(std::size_t m, const Factors& c) const {
    if (!p_.levels[m].capacity) return true;
    Int128 bytes = 0;
    for (std::size_t t = 0; t < 3; ++t) {
      const Int128 one = stores_[m][t] ? p_.bytes(t, c) : 0;
      bytes = m == p_.row_buffer() ? std::max(bytes, one) : bytes + one;
    }
    return bytes <= *p_.levels[m].capacity;
  }

  /// Moving all tiles of level m (< row buffer) inwards; s stays put, to be swept `outer` times.
  /// `rows`: row activations in 1/Row, paid together with the fills of level rb-1.
  Terms<Int> fill(std::size_t m, const Tile& tile, std::size_t s, std::int64_t outer,
                  const PerTensor<Int>* rows = nullptr) const {
    Terms<Int> terms;
    for (std::size_t t = 0; t < 3; ++t) {
      Int row_cycles = 0;
      if (rows != nullptr) {
        row_cycles = times((*rows)[t], prices_.row_cycles);
        terms.energy = plus(terms.energy, times((*rows)[t], prices_.row_energy));
        if (open_bank_[t] >= 0) {
          Int& sum = terms.open[static_cast<std::size_t>(open_bank_[t])];
          sum = plus(sum, row_cycles);
        }
      }
      if (!stores_[m][t]) continue;
      charge(terms, source_[m][t], t, reads(t, moved(tile, t, s, outer)), m == 0, row_cycles);
    }
    return terms;
  }

  /// Energy of filling the row buffer.
  [[nodiscard]] Int dram_energy(const Tile& tile, std::size_t s, std::int64_t outer) const {
    Int elements = 0;
    for (std::size_t t = 0; t < 3; ++t) {
      elements = plus(elements, reads(t, moved(tile, t, s, outer)));
    }
    return times(elements, prices_.access[p_.dram()]);
  }

  /// Computing, level 0 and direct feeds of the PEs; factors on the array and inside a PE.
  [[nodiscard]] Terms<Int> feed(const Tile& array, const Tile& internal) const {
    const std::int64_t macs = p_.macs();
    std::int64_t pes = 1;
    std::int64_t inside = 1;
    std::array<std::int64_t, kClasses> shared{1, 1, 1, 1};  // PEs that a read of t serves at once
    std::array<std::int64_t, kClasses> broadcast{1, 1, 1, 1};  // MACs of one PE that it serves
    for (std::size_t j = 0; j < kDims; ++j) {
      pes *= array.c[j];
      inside *= internal.c[j];
      shared[kIrrelevantTo[j]] *= array.c[j];
      broadcast[kIrrelevantTo[j]] *= internal.c[j];
    }
    Terms<Int> terms;
    terms.latency = times<Int>(macs / (pes * inside), prices_.cycle);
    if (broadcast[kOutput] > 1) terms.latency = plus(terms.latency, prices_.reduction);
    Int level0 = 0;
    for (std::size_t t = 0; t < 3; ++t) {
      if (innermost_[t] > 0) {
        Int fed = macs / (shared[t] * broadcast[t]);
        if (t == kInput && innermost_[t] == p_.row_buffer()) {  // the box that the PEs cover
          Factors box = array.c;
          for (std::size_t j = 0; j < kDims; ++j) box[j] *= internal.c[j];
          fed = times<Int>(macs / (pes * inside), p_.elements(t, box));
        }
        charge(terms, innermost_[t], t, reads(t, fed), true, 0);
        continue;
      }
      const Int all = reads(t, macs / broadcast[t]);
      const Int cycles = times(all, prices_.transfer[0][t]);
      require(cycles % pes == 0, "a PE's share is no multiple of the unit");
      const Int own = cycles / static_cast<Int>(pes);
      level0 = p_.levels[0].shared_ports ? plus(level0, own) : std::max(level0, own);
      terms.energy = plus(terms.energy, times(all, prices_.access[0]));
    }
    terms.latency = std::max(terms.latency, level0);
    return terms;
  }

 private:
  [[nodiscard]] Int reads(std::size_t t, Int moved) const {
    if (t != kOutput || !p_.psum_rereads) return moved;
    return times<Int>(2, moved) - p_.elements(kOutput, p_.bounds);
  }
  [[nodiscard]] Int moved(const Tile& tile, std::size_t t, std::size_t s,
                          std::int64_t outer) const {
    return times<Int>(tile.sweep[t], t == s ? outer : tile.irrelevant[t]);
  }
  void charge(Terms<Int>& terms, std::size_t source, std::size_t t, Int reads, bool crosses,
              Int row_cycles) const {
    const Int cycles = times(reads, prices_.transfer[source][t]);
    const int sink = source == p_.row_buffer() ? open_bank_[t] : open_level_[source];
    if (sink >= 0) {
      Int& sum = terms.open[static_cast<std::size_t>(sink)];
      sum = plus(sum, cycles);
    } else {
      terms.latency = std::max(terms.latency, plus(cycles, row_cycles));
    }
    terms.energy = plus(terms.energy, times(reads, prices_.access[source]));
    if (!crosses || open_interconnect_ < 0) return;
    Int& sum = terms.open[static_cast<std::size_t>(open_interconnect_)];
    sum = plus(sum, times(reads, prices_.crossing[t]));
  }

  const Problem& p_;
  const Prices<Int>& prices_;
  const std::vector<Flags> stores_;
  std::vector<PerTensor<std::size_t>> source_;  // where level m is filled from
  PerTensor<std::size_t> innermost_{};
  PerTensor<int> open_bank_{-1, -1, -1};
  std::vector<int> open_level_;
  int open_interconnect_ = -1;
  std::size_t open_count_ = 0;
};

}  // namespace pimbb_check
