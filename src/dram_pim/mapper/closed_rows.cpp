// From loops around a row-buffer tile to the factors that the closed formulas take.
#include "dram_pim/mapper/closed_rows.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

/// The loops of the DRAM around a node at the row buffer.
struct DramLoops {
  LoopClass stationary;
  std::int64_t sweeps;  ///< of the stationary tensor that must stay outer

  explicit DramLoops(const Instance& instance, const PartialMapping& node)
      : stationary(node.chain.classes[node.level + 1]),
        sweeps(stationary ? instance.lattice.outer(*stationary, node.state.anchor) : 1) {}
};

class ClosedRowBufferRows : public RowBufferRows {
 public:
  ClosedRowBufferRows(const Instance& instance, const PartialMapping& node)
      : RowBufferRows(least_rows(instance, node)),
        instance_(instance),
        level_(node.level),
        tile_(node.state.tile),
        at_dram_(instance, node) {}

  [[nodiscard]] RowChoice after(const Step& step) const override {
    const Lattice& lattice = instance_.lattice;
    const Tile& outer = lattice[tile_];
    const Tile& inner = lattice[step.to.tile];
    const DimMask run =
        instance_.orders.any()
            ? instance_.orders.run(level_, Lattice::step_mask(outer, inner), step.loops)
            : kEveryDim;
    const LoopSplit split(outer, inner, step.loops, run);
    return instance_.rows.best(
        tile_, row_reuse(lattice, outer, at_dram_.stationary, &split, at_dram_.sweeps));
  }

 private:
  const Instance& instance_;
  std::size_t level_;
  TileIndex tile_;
  DramLoops at_dram_;
};

class ClosedRows : public ChainRows {
 public:
  ClosedRows(const Instance& instance, const Storage& storage)
      : ChainRows(storage, RowsKnown::with_tiles), instance_(instance) {}

  [[nodiscard]] std::unique_ptr<RowBufferRows> below(const PartialMapping& node) const override {
    return std::make_unique<ClosedRowBufferRows>(instance_, node);
  }

 private:
  const Instance& instance_;
};

}  // namespace

PerTensor<Int128> least_rows(const Instance& instance, const PartialMapping& row_buffer) {
  const DramLoops loops(instance, row_buffer);
  const TileIndex tile = row_buffer.state.tile;
  return instance.rows.least(tile, row_reuse(instance.lattice, instance.lattice[tile],
                                             loops.stationary, nullptr, loops.sweeps));
}

std::unique_ptr<ChainRows> ClosedPricing::under(const Storage& storage) const {
  return std::make_unique<ClosedRows>(instance_, storage);
}

}  // namespace pimbb::dram_pim::mapper
