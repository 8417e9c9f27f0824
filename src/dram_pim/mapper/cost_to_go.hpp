// The cost to go: a lower bound on what a partial chain of tiles still has to add.
//
// A chain is decided from the DRAM inwards. For every state in which it can arrive at level m the
// table holds, over *all* ways to go on to the PEs,
//
//     latency      the least possible time of the slowest closed resource still to come
//     open[i]      the least that is still added to open resource i
//     energy[k]    the least energy still added if no resource to come may take longer than
//                  threshold k
//
// computed by dynamic programming from the inside out. Each entry alone is exact; together they
// are a bound, since one completion need not reach all of them. The energies at rising thresholds
// trace a lower envelope of the latency-energy trade-off, which is what bounds a product or a blend
// of the two; the last threshold may be a cap that earlier goals have set.
//
// How the tables are filled is told in cost_to_go_tables.hpp. They hold numbers of 64 bits where
// all costs fit, half the memory and the work of those of 128, which are what is read from them
// here.
#pragma once

#include <variant>
#include <vector>

#include "dram_pim/mapper/cost_to_go_tables.hpp"

namespace pimbb::dram_pim::mapper {

class CostToGo {
 public:
  static constexpr std::size_t kMaxThresholds = mapper::kMaxThresholds;
  static constexpr std::size_t kMaxWidth = mapper::kMaxWidth;

  /// `thresholds`: ascending scaled latencies, 1 .. kMaxThresholds; kInfinity for no limit.
  CostToGo(const Lattice& lattice, const Storage& storage, const LevelTiles& levels,
           std::vector<Int128> thresholds, const DataflowRule& rule = {},
           const run::Guard& guard = {});

  /// Bytes of the tables for so many thresholds, with what is needed to fill them.
  [[nodiscard]] static std::uint64_t bytes(const Lattice& lattice, const Storage& storage,
                                           const LevelTiles& levels, std::size_t thresholds);

  [[nodiscard]] const std::vector<Int128>& thresholds() const { return thresholds_; }
  /// Whether the tables hold numbers of 64 bits.
  [[nodiscard]] bool is_narrow() const { return tables_.index() == 0; }

  /// What a state still adds.
  class Entry {
   public:
    [[nodiscard]] Int128 latency() const { return number_[0]; }
    [[nodiscard]] Int128 open(std::size_t i) const { return number_[1 + i]; }
    [[nodiscard]] std::size_t open_count() const { return open_count_; }
    [[nodiscard]] const Int128* energies() const { return &number_[1 + open_count_]; }
    /// Without regard to latency beyond the last threshold.
    [[nodiscard]] Int128 least_energy() const { return number_[width_ - 1]; }

   private:
    friend class CostToGo;
    template <class Number>
    Entry(const Number* entry, std::size_t open_count, std::size_t width)
        : open_count_(open_count), width_(width) {
      for (std::size_t i = 0; i < width; ++i) {
        number_[i] = entry[i] < kInfinityOf<Number> ? Int128{entry[i]} : kInfinity;
      }
    }
    std::size_t open_count_;
    std::size_t width_;
    std::array<Int128, kMaxWidth> number_;  // as many as `width_` are set
  };

  /// Of a state at `level` < row buffer.
  [[nodiscard]] Entry at(std::size_t level, const State& state) const {
    return read([&](const auto& tables, auto* buffer) {
      tables.at(level, state, buffer);
      return buffer;
    });
  }
  /// A lower bound of the same, as if the run had lasted since the DRAM.
  [[nodiscard]] Entry best(std::size_t level, TileIndex tile, Tensor stationary) const {
    return read([&](const auto& tables, auto*) { return tables.best(level, tile, stationary); });
  }
  /// A relaxation of the same for a tile at the row buffer, whatever is stationary there.
  [[nodiscard]] Entry below_row_buffer(TileIndex tile) const {
    return read([&](const auto& tables, auto*) { return tables.below_row_buffer(tile); });
  }

 private:
  /// The entry to which `find(tables, buffer)` points.
  template <class Find>
  [[nodiscard]] Entry read(const Find& find) const {
    const auto from = [&]<class Number>(const CostToGoTables<Number>& tables) {
      std::array<Number, kMaxWidth> buffer;
      return Entry(find(tables, buffer.data()), open_count_, tables.width());
    };
    if (const auto* narrow = std::get_if<0>(&tables_)) return from(*narrow);
    return from(*std::get_if<1>(&tables_));
  }

  std::vector<Int128> thresholds_;
  std::size_t open_count_;
  std::variant<CostToGoTables<std::int64_t>, CostToGoTables<Int128>> tables_;
};

}  // namespace pimbb::dram_pim::mapper
