// Row activations of chains of tiles, whatever the row model: the interface that search and proof
// price them through.
//
// Row models differ in what activations depend on, and so in the moment at which they are known:
//
//     with_tiles    closed formulas: once the tile right inside the row buffer is known, and the
//                   classes of the loops around it. Layouts are chosen then.
//     with_orders   the trace, where all tensors are stored right inside the row buffer: once the
//                   loops of the row buffer and of the DRAM have orders in full. These are one more
//                   decision, made right after that tile.
//     at_leaf       the trace otherwise: once the mapping is complete, orders being decided last.
//
// Before that moment there are lower bounds. Three objects share the work, by how long they live:
// RowPricing is a row model made ready for a layer, ChainRows prices under one storage choice,
// RowBufferRows below one node at the row buffer. mapper/closed_rows.hpp and trace/traced_rows.hpp
// implement them; solver/make_row_pricing.hpp knows which is whose.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "dram_pim/mapper/partial_mapping.hpp"
#include "dram_pim/mapper/row_table.hpp"

namespace pimbb::dram_pim::mapper {

/// When the row activations of a chain are known.
enum class RowsKnown : std::uint8_t { with_tiles, with_orders, at_leaf };

/// Activations below one node at the row buffer, as the row buffer's loops are decided.
class RowBufferRows {
 public:
  explicit RowBufferRows(const PerTensor<Int128>& least) : least_(least) {}
  RowBufferRows(const RowBufferRows&) = delete;
  RowBufferRows& operator=(const RowBufferRows&) = delete;
  virtual ~RowBufferRows() = default;

  /// Lower bounds of the activations in units of 1/row, whatever the row buffer's loops are.
  [[nodiscard]] const PerTensor<Int128>& least() const { return least_; }
  /// Activations after a step to level rb - 1, and layouts; where they are known later only, lower
  /// bounds that are not below least(), and no layouts.
  [[nodiscard]] virtual RowChoice after(const Step& step) const = 0;

 private:
  PerTensor<Int128> least_;
};

/// Prices of chains under one storage choice. Thread-safe.
class ChainRows {
 public:
  explicit ChainRows(const Storage& storage, RowsKnown known) : storage_(storage), known_(known) {}
  ChainRows(const ChainRows&) = delete;
  ChainRows& operator=(const ChainRows&) = delete;
  virtual ~ChainRows() = default;

  [[nodiscard]] RowsKnown known() const { return known_; }
  /// Whether they are known of this node, which is inside the row buffer.
  [[nodiscard]] bool known_of(const PartialMapping& node) const {
    return known_ == RowsKnown::with_tiles || node.chain.ordered;
  }
  /// Whether activations depend on the spatial factors beyond the tile that they are of.
  [[nodiscard]] virtual bool depend_on_unrolling() const { return false; }

  /// `node` is at the row buffer.
  [[nodiscard]] virtual std::unique_ptr<RowBufferRows> below(const PartialMapping& node) const = 0;

  /// Visits a node at level rb - 1 once for every order of the loops of row buffer and DRAM: with
  /// these orders, the best layouts under them, and exact sums. Orders are left out if `hopeful`
  /// denies a lower bound of their sums. Where nothing depends on orders: the node as it is.
  virtual void for_each_order(const PartialMapping& node,
                              const std::function<bool(const Sums&)>& /*hopeful*/,
                              const std::function<void(PartialMapping&&)>& visit) const {
    visit(PartialMapping(node));
  }

  /// Visits the mappings that a node at level 0 stands for if it is unrolled like this: one, or one
  /// for each order of its loops if these are still open. Orders are left out if `hopeful` denies a
  /// lower bound of their costs.
  virtual void for_each_leaf(const PartialMapping& node, const SpatialOption& option,
                             const std::function<bool(const Costs&)>& /*hopeful*/,
                             const std::function<void(const UnrolledChain&)>& visit) const {
    visit({node.chain, option, node.sums.total(option.terms, storage_.open_count())});
  }

 protected:
  const Storage& storage_;

 private:
  RowsKnown known_;
};

/// A row model made ready for one layer.
class RowPricing {
 public:
  /// Tables that were asked for, and how many different ones these were.
  struct TableUse {
    std::uint64_t lookups = 0;
    std::uint64_t distinct = 0;
  };

  RowPricing() = default;
  RowPricing(const RowPricing&) = delete;
  RowPricing& operator=(const RowPricing&) = delete;
  virtual ~RowPricing() = default;

  /// Refers to the storage choice.
  [[nodiscard]] virtual std::unique_ptr<ChainRows> under(const Storage& storage) const = 0;
  /// Whether the mapping of a heuristic is worth having before the search begins: it is where
  /// bounds are weak.
  [[nodiscard]] virtual bool wants_first_mapping() const { return false; }
  [[nodiscard]] virtual TableUse table_use() const { return {}; }
};

}  // namespace pimbb::dram_pim::mapper
