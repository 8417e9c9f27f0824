// The least sum of layers and passes over the cells of a plan's tensors.
//
// Bounds of layers and of passes come as values. They are kept as the integers that stand for them,
// or as they are where they do not fit.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "dram_pim/plan/exchange.hpp"
#include "dram_pim/plan/layer_table.hpp"
#include "search/value.hpp"

namespace pimbb::dram_pim::network {

/// The cells of a layer's shared tensors among those of all.
SharedCells shared_of(const ExchangeLayer& layer, const Exchange& exchange,
                      const std::vector<std::size_t>& all);

class CellSums {
 public:
  using Row = std::vector<search::Value>;
  using Grid = std::vector<Row>;
  using Own = OwnCells;
  using Shared = SharedCells;
  struct Least {
    search::Value value;
    std::vector<std::size_t> shared;
    std::vector<Own> layers;
  };

  CellSums() = default;
  CellSums(const CellSums&) = delete;
  CellSums& operator=(const CellSums&) = delete;
  virtual ~CellSums() = default;

  /// `bounds`: of each layer, by cells of its input and output. `passes`: of each side, by cells of
  /// its own and of its shared tensor. `goals`: of every value.
  static std::unique_ptr<CellSums> make(const Exchange& exchange, std::size_t goals,
                                        const std::vector<Grid>& bounds,
                                        const std::vector<Grid>& passes);

  /// Deterministic.
  [[nodiscard]] virtual Least least() = 0;
  /// The next best pair of a layer's own cells, with the same cells of shared tensors; and by how
  /// much its first goal is higher, passes included. Nothing if there is no such pair.
  struct Next {
    Own own;
    Rational room;
  };
  [[nodiscard]] virtual std::optional<Next> next(std::size_t layer, const Own& own,
                                                 const Shared& shared) const = 0;

  // Higher numbers. False where one does not fit: then this object is of no more use, and another
  // one has to be made.
  virtual bool raise(std::size_t layer, const Own& own, const search::Value& bound) = 0;
  virtual bool raise_pass(std::size_t side, std::size_t own, std::size_t shared,
                          const search::Value& pass) = 0;
  /// Numbers that are raised from now on are supposed ones. No cell is split meanwhile.
  virtual void suppose() = 0;
  /// The first supposition is true.
  virtual void confirm() = 0;
  /// Takes all suppositions back.
  virtual void retract() = 0;
  /// A new cell, the last, with the numbers of a given one: of a side, of a shared tensor.
  virtual void split_side(std::size_t side, std::size_t cell) = 0;
  virtual void split_shared(std::size_t shared, std::size_t cell) = 0;
};

}  // namespace pimbb::dram_pim::network
