// Row activations of partial mappings: the interface of all row models for search and proof.
//
// Row models differ in the decisions that activations depend on, and therefore in the node at which
// the activations become known:
//
//     with_tiles    closed formulas: when the tile directly inside the row buffer and the classes
//     of
//                   the loops around it are known. The layouts are chosen then.
//     with_orders   trace, if all tensors are stored directly inside the row buffer: when the loops
//     of
//                   the row buffer and of the DRAM have complete orders. This is an additional
//                   decision directly after that tile.
//     at_leaf       trace otherwise: when the mapping is complete; orders are decided last.
//
// Before that node there are lower bounds. There are three classes of objects with different
// lifetimes: RowPricing is a row model prepared for a layer, ChainRows is for one storage choice,
// RowBufferRows is for one node at the row buffer. mapper/closed_rows.hpp and trace/traced_rows.hpp
// implement them; solver/make_row_pricing.hpp selects the implementation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "dram_pim/mapper/level_tiles.hpp"
#include "dram_pim/mapper/partial_mapping.hpp"
#include "dram_pim/mapper/row_table.hpp"

namespace pimbb::dram_pim::mapper {

/// When the row activations of a chain are known.
enum class RowsKnown : std::uint8_t { with_tiles, with_orders, at_leaf };

/// Activations below one node at the row buffer, as the row buffer's loops are decided.
class RowBufferRows {
 public:
  explicit RowBufferRows(const PerTensor<Int128>& least = {}) : least_(least) {}
  RowBufferRows(const RowBufferRows&) = delete;
  RowBufferRows& operator=(const RowBufferRows&) = delete;
  virtual ~RowBufferRows() = default;

  /// Lower bounds of the activations in units of 1/row, for all loops of the row buffer.
  [[nodiscard]] const PerTensor<Int128>& least() const { return least_; }
  /// Activations and layouts after a step to level rb - 1; if activations become known later, lower
  /// bounds that are at least least(), and no layouts.
  [[nodiscard]] virtual RowChoice after(const Step& step) const = 0;

 protected:
  void set_least(const PerTensor<Int128>& least) { least_ = least; }

 private:
  PerTensor<Int128> least_;
};

/// Lower bounds on the row activations of all tensors together. Thread-safe.
class JointRows {
 public:
  JointRows() = default;
  JointRows(const JointRows&) = delete;
  JointRows& operator=(const JointRows&) = delete;
  virtual ~JointRows() = default;

  /// Computes what least() needs for these arrivals. Not thread-safe.
  virtual void prepare(const std::vector<std::size_t>& arrivals, const run::Guard& guard) = 0;
  /// Of all mappings that begin with this arrival (of the instance's list), which was prepared, in
  /// units of 1/row.
  [[nodiscard]] virtual Int128 least(std::size_t arrival) const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// Row activations of chains under one storage choice. Thread-safe.
class ChainRows {
 public:
  explicit ChainRows(const Storage& storage, RowsKnown known) : storage_(storage), known_(known) {}
  ChainRows(const ChainRows&) = delete;
  ChainRows& operator=(const ChainRows&) = delete;
  virtual ~ChainRows() = default;

  [[nodiscard]] RowsKnown known() const { return known_; }
  /// Whether the activations of this node, which is inside the row buffer, are known.
  [[nodiscard]] bool known_of(const PartialMapping& node) const {
    return known_ == RowsKnown::with_tiles || node.chain.ordered;
  }
  /// Whether activations depend on the spatial factors, and not only on their tile.
  [[nodiscard]] virtual bool depend_on_unrolling() const { return false; }

  /// Bounds that the tensors' own ones do not imply; null if there are none. `levels`: the tiles
  /// of the storage choice.
  [[nodiscard]] virtual std::unique_ptr<JointRows> together(const LevelTiles& /*levels*/,
                                                            const run::Guard& /*guard*/) const {
    return nullptr;
  }

  /// `node` is at the row buffer.
  [[nodiscard]] virtual std::unique_ptr<RowBufferRows> below(const PartialMapping& node) const = 0;

  /// Visits a node at level rb - 1 once for every order of the loops of row buffer and DRAM, with
  /// the best layouts for the order and exact sums. Orders are omitted if `hopeful`, called with a
  /// lower bound of their sums, returns false. If activations do not depend on orders: the node
  /// itself.
  virtual void for_each_order(const PartialMapping& node,
                              const std::function<bool(const Sums&)>& /*hopeful*/,
                              const std::function<void(PartialMapping&&)>& visit) const {
    visit(PartialMapping(node));
  }

  /// Visits the mappings of a node at level 0 with this unrolling: one, or one for each order of
  /// its loops if these are not decided. Orders are omitted if `hopeful`, called with a lower bound
  /// of their costs, returns false.
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

/// A row model prepared for one layer.
class RowPricing {
 public:
  /// The number of tables requested, and of different tables among them.
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
  /// Whether the search should start with the mapping of a heuristic: useful if the bounds are
  /// weak.
  [[nodiscard]] virtual bool wants_first_mapping() const { return false; }
  [[nodiscard]] virtual TableUse table_use() const { return {}; }
};

}  // namespace pimbb::dram_pim::mapper
