// A storage choice, and the resources that each data movement uses under it.
//
// The tensors that every level stores determine the source of each tensor: level i is filled from
// the next level outwards that stores the tensor. The latency is a maximum over resources; the time
// of each is a sum of contributions that become known at different nodes of the search:
//
//     rows     row activations, when the row buffer's loops are known (with the tile of level rb-1)
//     tile i   fills of level i, when its tile and the stationary tensor above it are known
//     leaf     compute and the direct feed of the PEs, when the spatial unrolling is known
//
// A resource with one contribution is *closed*: its time is known at once. A resource with several
// contributions (a level with shared ports, the interconnect, a tensor whose DRAM transfer and
// activations become known at different nodes, the DRAM if its tensors share one stream) is *open*:
// the node stores its sum so far.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "dram_pim/mapper/scale.hpp"
#include "dram_pim/mapper/tiles.hpp"
#include "dram_pim/model/read_count.hpp"
#include "exact/int128.hpp"

namespace pimbb::dram_pim::mapper {

inline constexpr std::size_t kMaxLevels = 12;
inline constexpr std::size_t kMaxOpen = kMaxLevels + 1;  // 3 DRAM banks, interconnect, M-3 levels

using OpenSums = std::array<Int128, kMaxOpen>;

/// The contribution of one decision: slowest closed resource, energy, additions to open resources.
template <class Number>
struct TermsOf {
  Number latency = 0;
  Number energy = 0;
  std::array<Number, kMaxOpen> open;  ///< only the storage choice's open resources are set

  explicit TermsOf(std::size_t open_count) {
    for (std::size_t i = 0; i < open_count; ++i) open[i] = 0;
  }
  /// The same as numbers of a table, which must be large enough.
  template <class Other>
  [[nodiscard]] TermsOf<Other> as(const Scale& scale, std::size_t open_count) const {
    TermsOf<Other> terms(0);
    terms.latency = scale.table_cycles<Other>(latency);
    terms.energy = scale.table_energy<Other>(energy);
    for (std::size_t i = 0; i < open_count; ++i) {
      terms.open[i] = scale.table_cycles<Other>(open[i]);
    }
    return terms;
  }
};
using Terms = TermsOf<Int128>;

class Storage {
 public:
  /// `stores` has one entry for each level, including row buffer and DRAM.
  Storage(const Architecture& architecture, const Workload& workload, const Scale& scale,
          std::vector<TensorFlags> stores);

  [[nodiscard]] bool stores(std::size_t level, Tensor t) const { return stores_[level][index(t)]; }
  [[nodiscard]] const std::vector<TensorFlags>& stores() const { return stores_; }
  /// The innermost level that stores t.
  [[nodiscard]] std::size_t innermost(Tensor t) const { return innermost_[index(t)]; }
  [[nodiscard]] std::size_t open_count() const { return open_count_; }
  [[nodiscard]] const Scale& scale() const { return scale_; }
  /// Whether some tensor's DRAM transfer and activations add to an open resource.
  [[nodiscard]] bool has_open_bank() const {
    return std::ranges::any_of(open_dram_, [](int resource) { return resource >= 0; });
  }

  /// Whether a tile fits level m (1 .. row buffer): the bytes of the tensors stored there.
  [[nodiscard]] bool fits(std::size_t m, const Tile& tile) const;
  /// Whether one PE can hold its share of the stored tensors.
  [[nodiscard]] bool fits_pe(const Factors& share) const;
  /// The most elements of a tensor that one PE can hold, beside an element of each other one that
  /// it stores; 0 if there is no room, nothing if there is no limit.
  [[nodiscard]] std::optional<std::int64_t> most_in_pe(Tensor t) const;

  /// Fills of level i < row buffer, with tensor s stationary and `outer` sweeps. Numbers of 64 bits
  /// count the steps of the scale, and are large enough if Scale::fills_fit_64_bits.
  template <class Number = Int128>
  [[nodiscard]] TermsOf<Number> fill(std::size_t i, const Tile& tile, Tensor s,
                                     std::int64_t outer) const {
    TermsOf<Number> terms(open_count_);
    for (const Tensor t : kAllTensors) {
      const Flow& flow = into_[i][index(t)];
      if (flow.stored) charge<Number>(terms, flow, reads_.reads(t, tile.fills(t, s, outer)), 0);
    }
    return terms;
  }
  /// What the source takes and spends for each element of t that level i is filled with; nothing if
  /// the level does not store t.
  struct ElementCosts {
    Int128 cycles = 0;
    Int128 energy = 0;
  };
  [[nodiscard]] ElementCosts costs_into(std::size_t i, Tensor t) const {
    const Flow& flow = into_[i][index(t)];
    return flow.stored ? ElementCosts{flow.units.transfer, flow.units.access} : ElementCosts{};
  }
  /// fill() of level rb-1, together with the row activations (in units of 1/row).
  [[nodiscard]] Terms fill_with_rows(const Tile& tile, Tensor s, std::int64_t outer,
                                     const PerTensor<Int128>& activations) const;
  /// What row activations alone take and spend, whatever is moved. The time of an open DRAM bank is
  /// part of its sum: transfers still to come add to it.
  [[nodiscard]] Terms rows_alone(const PerTensor<Int128>& activations) const;
  /// Energy of the DRAM's own reads, which fill the row buffer.
  [[nodiscard]] Int128 dram_energy(const Tile& tile, Tensor s, std::int64_t outer) const;
  /// Compute, level 0 and direct feeds for spatial factors on the array and inside a PE.
  [[nodiscard]] Terms leaf(const Factors& array, const Factors& internal) const;

 private:
  /// Costs of an element that is read at the source.
  template <class Number>
  struct Rates {
    Number transfer = 0;      ///< cycles at the source
    Number access = 0;        ///< energy at the source
    Number interconnect = 0;  ///< cycles of the interconnect, if it is crossed here
  };
  /// The fill of one level with one tensor.
  struct Flow {
    bool stored = false;
    int sink = -1;  ///< open resource of the source's cycles, or -1: closed
    Rates<Int128> units;
    Rates<std::int64_t> steps;  ///< if fills fit 64 bits
    template <class Number>
    [[nodiscard]] const Rates<Number>& rates() const {
      if constexpr (sizeof(Number) == sizeof(Int128)) {
        return units;
      } else {
        return steps;
      }
    }
  };

  void find_flows();
  [[nodiscard]] Flow flow(std::size_t source, Tensor t, bool crosses_interconnect) const;
  /// Charges `reads` elements along a flow; `row_cycles` are those of their row activations if
  /// these become known together with the reads.
  template <class Number>
  void charge(TermsOf<Number>& terms, const Flow& flow, Number reads, Number row_cycles) const {
    const Rates<Number>& rates = flow.rates<Number>();
    const Number cycles = reads * rates.transfer;
    if (flow.sink >= 0) {
      terms.open[static_cast<std::size_t>(flow.sink)] += cycles;
    } else {
      terms.latency = std::max(terms.latency, cycles + row_cycles);
    }
    terms.energy += reads * rates.access;
    if (open_interconnect_ >= 0) {
      terms.open[static_cast<std::size_t>(open_interconnect_)] += reads * rates.interconnect;
    }
  }

  const Architecture& a_;
  const Workload& w_;
  const Scale& scale_;
  std::vector<TensorFlags> stores_;
  PerTensor<std::size_t> innermost_{};
  std::vector<PerTensor<Flow>> into_;  // per level
  PerTensor<Flow> into_pes_;           // direct feeds, from each innermost level
  PerTensor<int> open_dram_{-1, -1, -1};
  std::vector<int> open_level_;  // of a level with shared ports, or -1
  int open_interconnect_ = -1;
  std::size_t open_count_ = 0;
  std::int64_t macs_;
  ReadCount reads_;
};

/// Elements of t that `level` hands to the PEs, if no level inside it stores t and these spatial
/// factors are on the array and inside a PE. The row buffer moves the box of the input that they
/// cover, any other level every relevant factor's elements.
std::int64_t direct_feed(const Architecture& architecture, const Workload& workload, Tensor t,
                         std::size_t level, const Factors& array, const Factors& internal);

/// Every storage choice that the levels' `stores` and `bypass` allow, fullest first.
std::vector<std::vector<TensorFlags>> storage_choices(const Architecture& architecture,
                                                      const run::Guard& guard = {});

}  // namespace pimbb::dram_pim::mapper
