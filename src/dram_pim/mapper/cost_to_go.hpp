// The cost-to-go: lower bounds on the cost that the undecided levels of a chain still add.
//
// A chain is decided from the DRAM inwards. For every state in which it can arrive at level m the
// table contains, over *all* completions down to the PEs,
//
//     latency      the least possible time of the slowest closed resource still to come
//     open[i]      the least that is still added to open resource i
//     energy[k]    the least energy still added if no resource to come may take longer than
//                  threshold k
//
// computed by dynamic programming from the inside outwards. Each value alone is exact; together
// they are a lower bound, because no single completion need attain all of them. The energies at
// ascending thresholds form a lower envelope of the trade-off between latency and energy, which
// bounds their product and their blends; the last threshold may be a cap from an earlier goal.
//
// cost_to_go_tables.hpp explains the computation. The tables use 64-bit numbers, in steps of the
// scale, if all costs fit, with half the memory and work of 128-bit numbers; this class always
// returns 128-bit numbers in the units of the scale.
#pragma once

#include <variant>
#include <vector>

#include "dram_pim/mapper/cost_to_go_tables.hpp"

namespace pimbb::dram_pim::mapper {

/// Thresholds from `least` to `most`, geometrically; at most kMaxThresholds.
std::vector<Int128> spread_thresholds(Int128 least, Int128 most);

class CostToGo {
 public:
  static constexpr std::size_t kMaxThresholds = mapper::kMaxThresholds;
  static constexpr std::size_t kMaxWidth = mapper::kMaxWidth;

  class Entry;
  /// Whether no mapping of interest has this tile inside the row buffer, with this tensor
  /// stationary and a rest of at least these costs. Thread-safe. Only the thresholds of the tables
  /// are known when it is called.
  using Hopeless = std::function<bool(const CostToGo& tables, TileIndex tile, Tensor stationary,
                                      const Entry& rest)>;

  /// Entries of tiles that are `hopeless` (empty: none) may be greater than they are.
  /// `thresholds`: ascending scaled latencies, 1 .. kMaxThresholds; kInfinity for no limit.
  CostToGo(const Lattice& lattice, const Storage& storage, const LevelTiles& levels,
           std::vector<Int128> thresholds, const DataflowRule& rule = {},
           const run::Guard& guard = {}, const Hopeless& hopeless = {});

  /// Bytes of the tables for these numbers of tiles (by level, 0 .. row buffer) and thresholds,
  /// scratch space included.
  [[nodiscard]] static std::uint64_t bytes(const Storage& storage,
                                           const std::vector<std::size_t>& tiles,
                                           std::size_t thresholds);

  [[nodiscard]] const std::vector<Int128>& thresholds() const { return thresholds_; }
  /// Whether the tables hold numbers of 64 bits.
  [[nodiscard]] bool is_narrow() const { return tables_.index() == 0; }

  /// The cost-to-go of a state.
  class Entry {
   public:
    [[nodiscard]] Int128 latency() const { return number_[0]; }
    [[nodiscard]] Int128 open(std::size_t i) const { return number_[1 + i]; }
    [[nodiscard]] std::size_t open_count() const { return open_count_; }
    [[nodiscard]] const Int128* energies() const { return &number_[1 + open_count_]; }
    /// The energy for the last threshold.
    [[nodiscard]] Int128 least_energy() const { return number_[width_ - 1]; }

   private:
    friend class CostToGo;
    template <class Number>
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled before it is read
    Entry(const Number* entry, const Scale* steps, std::size_t open_count, std::size_t width)
        : open_count_(open_count), width_(width) {
      for (std::size_t i = 0; i < width; ++i) {
        number_[i] = entry[i] < kInfinityOf<Number> ? Int128{entry[i]} : kInfinity;
      }
      if (steps != nullptr) count_units(*steps);
    }
    void count_units(const Scale& scale) {
      for (std::size_t i = 0; i < width_; ++i) {
        if (number_[i] >= kInfinity) continue;
        number_[i] *= i <= open_count_ ? scale.cycle_step : scale.energy_step;
      }
    }
    std::size_t open_count_;
    std::size_t width_;
    std::array<Int128, kMaxWidth> number_;  // as many as `width_` are set
  };

  /// The entry of a state at `level` < row buffer.
  [[nodiscard]] Entry at(std::size_t level, const State& state) const {
    return read([&](const auto& tables, auto* buffer) {
      tables.at(level, state, buffer);
      return buffer;
    });
  }
  /// A lower bound of it, as if the run had begun at the DRAM.
  [[nodiscard]] Entry best(std::size_t level, TileIndex tile, Tensor stationary) const {
    return read([&](const auto& tables, auto*) { return tables.best(level, tile, stationary); });
  }
  /// A lower bound for a tile at the row buffer, for any stationary tensor.
  [[nodiscard]] Entry below_row_buffer(TileIndex tile) const {
    return read([&](const auto& tables, auto*) { return tables.below_row_buffer(tile); });
  }

 private:
  /// The entry to which `find(tables, buffer)` points.
  template <class Find>
  [[nodiscard]] Entry read(const Find& find) const {
    const auto from = [&]<class Number>(const CostToGoTables<Number>& tables) {
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled before it is read
      std::array<Number, kMaxWidth> buffer;
      return Entry(find(tables, buffer.data()), steps_, open_count_, tables.width());
    };
    if (const auto* narrow = std::get_if<0>(&tables_)) return from(*narrow);
    return from(*std::get_if<1>(&tables_));
  }

  std::vector<Int128> thresholds_;
  const Scale* steps_;  // of the numbers in the tables; null: they count units
  std::size_t open_count_;
  std::variant<CostToGoTables<std::int64_t>, CostToGoTables<Int128>> tables_;
};

}  // namespace pimbb::dram_pim::mapper
